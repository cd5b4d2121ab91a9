"""The methods text: plain paragraphs with the run's exact settings, to be copied into a paper.

A paragraph is left out where the recorded settings have no such section: those of an imported set have no generation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dualpair import __version__
from dualpair.languages import language_name
from dualpair.report import views
from dualpair.report.data import ReportData
from dualpair.report.findings import listed
from dualpair.report.section import Section

Settings = Mapping[str, Any]

_MODE = {"single": "one sentence a call", "list": "a list a call"}
_GRAMMAR = {
    "languagetool": "LanguageTool",
    "lm": "the likelihood under a language model",
    "agreement": "agreement of an answer’s words with their subject",
}


class Paragraph(NamedTuple):
    """One paragraph of plain text under a title."""

    title: str
    text: str


def paragraphs(data: ReportData) -> list[Paragraph]:
    """The methods text of a run."""
    settings = views.settings(data)
    found = [
        Paragraph("Data", _data(settings, data)),
        Paragraph("Generation", _generation(settings)),
        Paragraph("Filters", _filters(settings)),
        Paragraph("Scoring", _scoring(settings, data)),
        Paragraph("Measures", _measures(settings)),
        Paragraph("Uncertainty", _uncertainty(settings)),
        *(Paragraph(section.title, " ".join(section.methods)) for section in _told(data)),
        Paragraph("Software", f"All computations were made with dualpair {__version__}; {_libraries(data)}."),
    ]
    return [paragraph for paragraph in found if paragraph.text]


def plain(found: Sequence[Paragraph]) -> str:
    """The paragraphs as plain text, for the clipboard."""
    return "\n\n".join(f"{paragraph.title}. {paragraph.text}" for paragraph in found)


def _told(data: ReportData) -> list[Section]:
    every = [*data.sections, *([data.ratings] if data.ratings else [])]
    return [section for section in every if section.methods and not section.shortfall]


def _data(settings: Settings, data: ReportData) -> str:
    source, pairs = settings.get("source"), data.augmented
    if not source:
        return ""
    langs = listed(language_name(str(code)) for code in settings.get("languages", []))
    first = f"the first {source['max_sets']} stereotypes" if source.get("max_sets") else "stereotypes"
    name = source.get("dataset")
    n_sets = len(pairs[["lang", "set_id"]].drop_duplicates())
    what = f"We took {first} of the data set {name}" if name else f"We took {first}"
    n_stereotypes = pairs["set_id"].nunique()
    got = f"{n_stereotypes} stereotypes had at least one usable dual pair, in {n_sets} sets (one per language)"
    if source.get("kind") == "augmented":
        return f"{what}, in {langs}, with their dual pairs as given. {got}, with {len(pairs)} dual pairs."
    return (
        f"{what} (source kind {source['kind']}), in {langs}. {_parsing(settings)}{got}, with {len(pairs)} dual pairs."
    )


def _parsing(settings: Settings) -> str:
    engines = (settings.get("parse") or {}).get("engine")
    if not engines:
        return ""
    return f"Sentences were cut into group and attribute by {_per_language(engines)}. "


def _generation(settings: Settings) -> str:
    generation, roles = settings.get("generation"), settings.get("roles") or {}
    if not generation or not roles.get("paraphrase"):
        return ""
    alternates = list(dict.fromkeys(roles["alternate"]))
    rounds = len(roles["alternate"])
    chain = f" in {rounds} rounds, each for what the earlier ones left" if rounds > 1 else ""
    return (
        f"{listed(roles['paraphrase'])} paraphrased each attribute ({_sampling(generation['paraphrase'])}), and "
        f"{listed(alternates)} wrote an alternate, the opposite, of each wording{chain} "
        f"({_sampling(generation['alternate'])}; an alternate "
        f"{'may' if generation['alternate']['allow_negation'] else 'may not'} be a negation of its wording)."
    )


def _sampling(part: Settings) -> str:
    top_k = f"top-k {part['top_k']}" if part["top_k"] else "no top-k"
    least = part["min_answers"]
    answers = f", candidates of at least so many answers: {_per_language(least)}" if least != 1 else ""
    return (
        f"{part['samples']} {'call' if part['samples'] == 1 else 'calls'} a source and model, {_MODE[part['mode']]}, "
        f"prompt {_per_language(part['prompt'])}, temperature {part['temperature']:g}, top-p {part['top_p']:g}, "
        f"{top_k}, at most {part['max_new_tokens']} new tokens{answers}"
    )


def _filters(settings: Settings) -> str:
    roles, filters = settings.get("roles") or {}, settings.get("filters")
    if not filters or not roles.get("nli") or not roles.get("similarity"):
        return ""
    similarity, nli = (_thresholds(settings, roles[role]) for role in ("similarity", "nli"))
    text = (
        f"A paraphrase was kept when its cosine similarity to the original under {roles['similarity']} was at least "
        f"{_threshold(similarity.get('similarity'))} and the larger of both probabilities of contradiction under "
        f"{roles['nli']} at most {_threshold(nli.get('nli_paraphrase'))}; an alternate, when the smaller of both "
        f"probabilities of contradiction with its own wording was above {_threshold(nli.get('nli_alternate'))}."
    )
    if filters.get("acceptance"):
        text += (
            f" Both also had to be likely enough to be accepted by a reader, by the logistic fit "
            f"“{filters['acceptance']}” of these judgements to readers’ verdicts on the generator’s candidates."
        )
    most = filters.get("max_paraphrases")
    text += f" {_grammar(filters)}"
    return text + (f" At most {most} accepted paraphrases of a set were used." if most else "")


def _grammar(filters: Settings) -> str:
    engines = (filters.get("grammar") or {}).get("engines", "none")
    engines = engines if isinstance(engines, Mapping) else {"all languages": engines}
    named = {
        lang: "no filter" if not chosen or chosen == "none" else listed(_GRAMMAR.get(name, name) for name in chosen)
        for lang, chosen in engines.items()
    }
    if set(named.values()) == {"no filter"}:
        return "No grammar filter was used."
    return f"Ungrammatical candidates were dropped by: {_per_language(named)}."


def _scoring(settings: Settings, data: ReportData) -> str:
    models = [(label.removeprefix("model "), text) for label, text in data.provenance.items() if _is_model(label)]
    described = "; ".join(f"{name} ({_origin(settings, name)}{text})" for name, text in sorted(models))
    context = (settings.get("scoring") or {}).get("context", "none")
    given = {
        "none": "as raw text, without instruction or chat template, to base and instruction-tuned models alike",
        "chat_template": "as the beginning of an answer in the model’s chat template",
    }.get(context if isinstance(context, str) else "", "after a context given in the settings")
    return (
        f"Each sentence, group and attribute with the sentence’s final mark, was given {given}. Its score is "
        f"{views.score_meaning(data)}, in {views.unit(data)}." + (f" Models: {described}." if described else "")
    )


def _origin(settings: Settings, name: str) -> str:
    entry = (settings.get("models") or {}).get(name) or {}
    return f"{entry['origin']}, " if entry.get("origin") else ""


def _measures(settings: Settings) -> str:
    tie = (settings.get("scoring") or {}).get("tie", 0.0)
    ties = "only exact equality is a tie" if not tie else f"differences up to {tie:g} are ties"
    return (
        "With x and y the scores of the attribute and of its alternate for each group, group 0 the stereotyped one: "
        "B_G(j) = x_0 − x_j for each contrast group j, likewise B_G,alt(j) on y; B_G×A(j) = B_G(j) − B_G,alt(j); "
        "q_g = 1 / (1 + exp(y_g − x_g)); I_G×A is the mean over the groups of KL(Bern(q_g) ‖ Bern(p)) with p the mean "
        "of q, in bits. A pair is a contradiction when B_G and B_G,alt of the first contrast have the same sign, and a "
        f"flip when B_G×A also points the other way than B_G; {ties}. A set’s value is the plain mean over its "
        "contrasts and wordings, absolute values taken before the mean; a language’s value is the plain mean over its "
        "sets."
    )


def _uncertainty(settings: Settings) -> str:
    analysis = settings.get("analysis")
    if not analysis:
        return ""
    return (
        f"Intervals of means are 95 % percentile intervals of {analysis['bootstrap']} resamples of whole clusters of "
        f"stereotypes (seed {settings.get('seed')}), so that several wordings or languages of one stereotype do not "
        "count as independent."
    )


def _thresholds(settings: Settings, model: str) -> Settings:
    return ((settings.get("models") or {}).get(model) or {}).get("thresholds") or {}


def _threshold(value: Any) -> str:
    return "a threshold that the settings do not record" if value is None else _per_language(value)


def _per_language(value: Any) -> str:
    """One value, or ``value (language, language), ...`` of a mapping from language to value."""
    if not isinstance(value, Mapping):
        return str(value)
    langs: dict[str, list[str]] = {}
    for lang, one in value.items():
        langs.setdefault(str(one), []).append("other languages" if lang == "default" else language_name(str(lang)))
    if len(langs) == 1:
        return next(iter(langs))
    return listed(f"{one} ({', '.join(names)})" for one, names in langs.items())


def _is_model(label: str) -> bool:
    return label.startswith("model ")


def _libraries(data: ReportData) -> str:
    known = [
        f"{name} {text}" for name, text in sorted(data.provenance.items()) if name != "dualpair" and not _is_model(name)
    ]
    return f"libraries: {', '.join(known)}" if known else "the libraries’ versions were not recorded"
