"""Typed view of the validated config. The schema is closed: an unknown key fails with the nearest valid name.

`config.yaml` is complete, so no key of a section has a default here; only a model's registry entry and a source (how
its files are read) have optional keys.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import yaml
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, StringConstraints, ValidationError

from dualpair import languages, paths
from dualpair.analysis.settings import Analysis
from dualpair.errors import InputError
from dualpair.filters import agreement_settings, grammar_engines, grammar_settings, judge
from dualpair.generation import prompts
from dualpair.models.registry import MODEL_NAME, ModelEntry, builtin_models
from dualpair.norms import settings as norms
from dualpair.norms.settings import Norms
from dualpair.sections import Section
from dualpair.sources import settings as sources
from dualpair.sources.settings import AugmentedSource, HfDatasetSource, Source
from dualpair.syntax import engines, pipeline
from dualpair.validation import settings as validation
from dualpair.validation.settings import Validation

NO_CONTEXT, CHAT_TEMPLATE = "none", "chat_template"
_PRIVATE = ("endpoint", "api_key_env", "server")  # a mistaken value may be a password: no message repeats it
RUN_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]*"

Name = Annotated[str, StringConstraints(pattern=rf"^{MODEL_NAME}$")]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Positive = Annotated[int, Field(ge=1)]
ParseEngine = Annotated[str, AfterValidator(engines.checked)]


class ConfigError(InputError):
    """The config cannot be used; the message names file, key, value, allowed values and the fix."""


class Parse(Section):
    """Sentence -> group and attribute."""

    engine: dict[str, ParseEngine] = Field(description=f"Engine per language: {engines.ALLOWED}.")
    models: str = Field(description="'embedded' (our small stanza models) or a stanza resources folder.")
    repair: Literal["none", "suffix"] = Field(
        description="suffix: where parses of a set's sentences differ, cut all as most are cut, if all end alike."
    )


def _text_or_mapping(value: Any) -> Any:
    texts = value.values() if isinstance(value, Mapping) else [value]
    if not texts or not all(isinstance(text, str) for text in texts):
        raise ValueError("expected a text, or a mapping from language to text")
    return value


PerLanguage = Annotated[str | dict[str, str], BeforeValidator(_text_or_mapping)]


def _with_default(value: int | dict[str, int]) -> int | dict[str, int]:
    if isinstance(value, dict) and "default" not in value:
        raise ValueError("needs `default`, for the languages that it does not name")
    return value


CountPerLanguage = Annotated[Positive | dict[str, Positive], AfterValidator(_with_default)]


class Generation(Section):
    """Prompt and sampling of one generating role."""

    prompt: PerLanguage = Field(
        description="'native' (the language's own prompt file), the name of one prompt file, or a mapping from "
        "language to one of these, with `default` for the others."
    )
    mode: Literal["single", "list"] = Field(description="single: a sentence per call; list: a JSON list per call.")
    samples: Positive = Field(description="Calls per source and model.")
    min_answers: CountPerLanguage = Field(
        description="Drop a candidate that fewer answers of a source gave; one number, or one per language and default."
    )
    temperature: Annotated[float, Field(ge=0.0, le=5.0)] = Field(description="0 is greedy.")
    top_p: Annotated[float, Field(gt=0.0, le=1.0)]
    top_k: Annotated[int, Field(ge=0)] = Field(description="Tokens kept at each step; 0 is all.")
    max_new_tokens: Positive
    allow_negation: bool = Field(
        description="Accept an alternate that is negated where its source is not, or the other way round."
    )


class GenerationSettings(Section):
    """Both generating roles."""

    prompts: str | None = Field(
        description="A folder laid over the shipped prompts and hygiene word lists (docs/prompts.md); null: none."
    )
    paraphrase: Generation
    alternate: Generation


class Roles(Section):
    """Which model does what."""

    paraphrase: list[Name] = Field(description="Each contributes paraphrases.")
    alternate: list[Name] = Field(description="A chain of rounds: round r tries what round r-1 left.")
    similarity: Name | None = Field(description="Sentence encoder; null with an augmented source.")
    nli: Name | None = Field(
        description="Classifier, or an instruct model as calibrated judge; null with an augmented source."
    )
    score: list[Name] = Field(min_length=1, description="Models to measure.")


class Filters(Section):
    """What selection does beyond the thresholds, which belong to the models' entries."""

    grammar: grammar_settings.Grammar
    agreement: dict[str, Positive] = Field(
        description="Per language: a paraphrase that this many answers gave needs no entailment."
    )
    max_paraphrases: Positive | None = Field(description="Keep at most n accepted paraphrases a set; null: all.")
    record_against_v0: bool = Field(
        description="Judge each alternate against the set's v0 too, beside its own variant: recorded, decides nothing."
    )


class Scoring(Section):
    """Scoring contract's switches."""

    normalisation: Literal["mean", "sum", "char", "byte"] = Field(
        description="mean: per scored token (the paper's); sum; char, byte: per code point, UTF-8 byte of the text."
    )
    scope: Literal["attribute", "sentence", "divergent"] = Field(
        description="attribute: the continuation given the group (the paper's); sentence: prefix and continuation; "
        "divergent: from the first token at which the groups' sentences differ."
    )
    context: PerLanguage = Field(
        description="none: raw text (the paper's); chat_template: the beginning of an answer to `chat_message`; any "
        "other text is put in front verbatim. One for all languages, or a mapping."
    )
    chat_message: PerLanguage | None = Field(
        description="What the user says under context chat_template; one text, or one per language; null: none."
    )
    token_columns: bool = Field(description="Write token ids and log-probabilities into the scores tables.")
    tie: Annotated[float, Field(ge=0.0)] = Field(
        description="|difference| in nats, normalised, at or below which a sign is a tie."
    )


class UnitTokens(Section):
    """Tokens of one unit, by kind of stage: what a kill can lose."""

    generation: Positive
    similarity: Positive
    nli: Positive
    score: Positive = Field(description="For a model of 1e9 parameters; others by 1e9 / size, within 1/8 and 8.")


class Execution(Section):
    """How work is run; no part of any result's key."""

    device: Literal["auto", "cpu", "cuda", "mps"]
    threads: Positive = Field(description="Cores of a model job; capped by --cores.")
    unit_tokens: UnitTokens
    token_budget: Positive = Field(description="Tokens of one forward pass: bounds memory.")
    max_failed_share: Share = Field(description="A stage fails when more of its rows failed.")
    vllm_python: Annotated[str, StringConstraints(min_length=1)] = Field(
        description="Interpreter of the environment that has vLLM; auto: .venv-vllm/bin/python beside the Snakefile."
    )


class Config(Section):
    """The whole config."""

    run: Annotated[str, StringConstraints(pattern=rf"^{RUN_NAME}$")]
    seed: Annotated[int, Field(ge=0)]
    offline: bool
    store: str = Field(description="'auto' (in the user's cache) or a folder.")
    languages: list[str] = Field(min_length=1)
    source: Source
    parse: Parse
    models: dict[Name, ModelEntry]
    roles: Roles
    generation: GenerationSettings
    filters: Filters
    scoring: Scoring
    analysis: Analysis
    norms: Norms | None = Field(description="Feature-norm validation; null: left out.")
    validation: Validation
    execution: Execution


def load(data: Mapping[str, Any], origin: str = "config.yaml") -> Config:
    """Validate a config mapping and merge the built-in model registry below its `models`.

    Args:
        data: the parsed YAML.
        origin: file name(s) for messages.

    Raises:
        ConfigError: one message for all problems found.
    """
    merged = dict(data)
    given = merged.get("models") or {}
    if isinstance(given, Mapping):
        merged["models"] = _overlaid(builtin_models(), given)
    try:
        config = Config.model_validate(merged)
    except ValidationError as error:
        lines = [_explain(item, merged) for item in error.errors()]
        raise ConfigError(f"{origin}: {_count(lines)}\n" + "\n".join(f"  - {line}" for line in lines)) from None
    problems = _cross_checks(config)
    if problems:
        raise ConfigError(f"{origin}: {_count(problems)}\n" + "\n".join(f"  - {p}" for p in problems))
    return config


def _overlaid(builtin: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Built-in entries with the config's laid over them, key by key (thresholds likewise); other entries as given."""
    merged = dict(builtin)
    for name, entry in given.items():
        base = builtin.get(name)
        if not isinstance(base, Mapping) or not isinstance(entry, Mapping):
            merged[name] = entry
            continue
        merged[name] = {**base, **entry}
        if isinstance(entry.get("thresholds"), Mapping):
            merged[name]["thresholds"] = {**base.get("thresholds", {}), **entry["thresholds"]}
    return merged


def load_file(path: Path | str) -> Config:
    """Read and validate a config file.

    Raises:
        ConfigError: not readable as YAML, not a mapping, or invalid.
    """
    path = Path(path)
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path}: not UTF-8 (byte {error.object[error.start]:#04x} at {error.start}); save it as UTF-8"
        ) from error
    except (OSError, yaml.YAMLError) as error:
        raise ConfigError(f"{path}: cannot be read as YAML: {error}") from error
    if not isinstance(data, dict):
        raise ConfigError(
            f"{path}: holds {type(data).__name__}, expected a mapping of the keys {list(Config.model_fields)}"
        )
    return load(data, str(path))


def threshold(config: Config, role: Literal["similarity", "nli"], which: str) -> Any:
    """A role model's threshold, a number or one per language; :func:`load` has checked that it is there."""
    return getattr(config.models[getattr(config.roles, role)].thresholds, which)


def starts_at_scoring(config: Config) -> bool:
    """True when the source holds the dual pairs already, so that nothing is parsed, generated, judged or selected."""
    return isinstance(config.source, AugmentedSource)


def source_file(config: Config, lang: str) -> Path:
    """The source file of a language: relative paths are tried from the working directory, then from the shipped files.

    Returns:
        The file, or the folder of a saved data set.

    Raises:
        ConfigError: no such file or folder.
    """
    given = Path(config.source.files[lang]).expanduser()
    tried = [given] if given.is_absolute() else [Path.cwd() / given, paths.home() / given]
    folder = isinstance(config.source, HfDatasetSource)
    for path in tried:
        if path.is_dir() if folder else path.is_file():
            return path
    places = " and ".join(dict.fromkeys(str(path) for path in tried))
    what = "folder" if folder else "file"
    raise ConfigError(
        f"key `source.files.{lang}`: {what} {str(given)!r} does not exist (looked for {places}); correct the path"
    )


def contexts(config: Config) -> dict[str, dict[str, str]]:
    """What stands in front of the scored sentences of each language, in the words of a scoring request.

    Returns:
        Language to {"text": ...} or {"chat_message": ...}; a language without context is left out.
    """
    found = {}
    for lang in config.languages:
        context = _of_language(config.scoring.context, lang)
        if context == CHAT_TEMPLATE:
            found[lang] = {"chat_message": _of_language(config.scoring.chat_message or "", lang)}
        elif context != NO_CONTEXT:
            found[lang] = {"text": context}
    return found


def context_problem(context: str) -> str:
    """What is wrong with a context: empty, or a misspelt keyword, which would be put in front as a text; else empty."""
    allowed = f"(allowed: {NO_CONTEXT}, {CHAT_TEMPLATE}, or a text)"
    if not context:
        return f"value '' is empty {allowed}"
    word = context.strip().casefold().replace("-", "_").replace(" ", "_")
    near = difflib.get_close_matches(word, [NO_CONTEXT, CHAT_TEMPLATE], n=1, cutoff=0.85)
    if near and context not in (NO_CONTEXT, CHAT_TEMPLATE):
        return f"value {context!r}; did you mean {near[0]!r}? {allowed}"
    return ""


def _of_language(value: str | dict[str, str], lang: str) -> str:
    return value if isinstance(value, str) else value.get(lang, "")


def store_root(config: Config) -> Path:
    """Folder of the store."""
    return paths.default_store() if config.store == "auto" else Path(config.store).expanduser()


def _count(problems: list[str]) -> str:
    return "1 problem" if len(problems) == 1 else f"{len(problems)} problems"


def _nearest(word: str, allowed: list[str]) -> str:
    close = difflib.get_close_matches(word, allowed, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""


def _explain(error: Any, data: Mapping[str, Any]) -> str:
    where = [str(part) for part in error["loc"]]
    chosen = "table"
    if len(where) > 2 and where[0] == "source" and where[1] in sources.KINDS:
        chosen = where.pop(1)  # the name of the chosen format is no key of the user's
    key = ".".join(where)
    kind = error["type"]
    if kind == "extra_forbidden":
        allowed = _fields(where[:-1], chosen)
        return f"key `{key}` is unknown{_nearest(where[-1], allowed)} (allowed here: {', '.join(allowed)})"
    if kind == "union_tag_not_found":
        given = [str(name) for name in data.get(where[0], {})]
        close = difflib.get_close_matches("kind", given, n=1, cutoff=0.5)
        wrong = f"key `{key}.{close[0]}` is unknown; did you mean 'kind'? " if close else ""
        return f"{wrong}key `{key}.kind` is missing (allowed: {', '.join(sources.KINDS)})"
    if kind == "missing":
        return f"key `{key}` is missing: config files are complete; copy it from the shipped config.yaml"
    if kind == "literal_error":
        expected = error["ctx"]["expected"]
        names = [part.strip(" '") for part in expected.replace(" or ", ",").split(",")]
        text = str(error["input"])
        hint = ", without quotes" if text in names else _nearest(text, names)
        return f"key `{key}`: value {error['input']!r}{hint} (allowed: {expected})"
    if kind == "union_tag_invalid":
        allowed = list(sources.KINDS)
        found = str(error["ctx"]["tag"])
        return f"key `{key}.kind`: value {found!r}{_nearest(found, allowed)} (allowed: {', '.join(allowed)})"
    message = error["msg"].removeprefix("Value error, ")
    if where[-1] in _PRIVATE or isinstance(error["input"], Mapping):
        return f"key `{key}`: {message}"
    return f"key `{key}`: value {error['input']!r}: {message}"


def _fields(where: list[str], kind: str) -> list[str]:
    """Names allowed in the section at ``where``, given the source's kind (registry keys are stepped over)."""
    section: type[BaseModel] = Config
    for part in where:
        if section is Config and part == "source":
            section = sources.CLASSES[kind]
            continue
        field = section.model_fields.get(part)
        found = _section_in(field.annotation) if field else None
        if found is not None:
            section = found
    return list(section.model_fields)


def _section_in(annotation: Any) -> type[Section] | None:
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return annotation
    for argument in get_args(annotation):
        found = _section_in(argument)
        if found is not None:
            return found
    return None


def _cross_checks(config: Config) -> list[str]:
    checks = (
        _language_problems,
        _anchor_problems,
        _parser_problems,
        _per_language_problems,
        _role_problems,
        _prompt_problems,
        _context_problems,
        _grammar_problems,
        _judge_problems,
        _norms_problems,
    )
    return [problem for check in checks for problem in check(config)]


def _per_language_problems(config: Config) -> list[str]:
    """Keys that should be language codes."""
    mappings: dict[str, Mapping[str, Any]] = {"filters.agreement": config.filters.agreement}
    for key in ("context", "chat_message"):
        given = getattr(config.scoring, key)
        if isinstance(given, dict):
            mappings[f"scoring.{key}"] = given
    for task in ("paraphrase", "alternate"):
        counts = getattr(config.generation, task).min_answers
        if isinstance(counts, dict):
            mappings[f"generation.{task}.min_answers"] = {k: v for k, v in counts.items() if k != "default"}
    for name, entry in config.models.items():
        mappings[f"models.{name}.thresholds.nli_entailment"] = entry.thresholds.nli_entailment
        if isinstance(entry.thresholds.nli_alternate, dict):
            alternate = {k: v for k, v in entry.thresholds.nli_alternate.items() if k != "default"}
            mappings[f"models.{name}.thresholds.nli_alternate"] = alternate
    given = config.validation.instructions
    mappings["validation.instructions"] = {code: given[code] for code in validation.unknown_languages(given)}
    known = list(languages.known())
    return [
        f"key `{where}.{code}` is unknown{_nearest(code, [*known, 'default'])} (allowed here: {', '.join(known)})"
        for where, mapping in mappings.items()
        for code in mapping
        if code not in known
    ]


def _anchor_problems(config: Config) -> list[str]:
    """An anchor that is not measured; a run in one language compares nothing and may keep it."""
    anchor = config.analysis.anchor
    if anchor is None or anchor in config.languages or len(config.languages) == 1:
        return []
    return [
        f"key `analysis.anchor`: value {anchor!r}{_nearest(anchor, config.languages)} (allowed: null, or one of "
        f"`languages`: {', '.join(config.languages)})"
    ]


def _language_problems(config: Config) -> list[str]:
    known = list(languages.known())
    problems = [
        f"key `languages`: value {code!r}{_nearest(code, known)} (allowed: {', '.join(known)}; "
        f"add others in resources/languages.yaml)"
        for code in config.languages
        if code not in known
    ]
    if len(set(config.languages)) < len(config.languages):
        problems.append(f"key `languages`: {config.languages} names a language twice; name each once")
    needed: dict[str, Mapping[str, str]] = {"source.files": config.source.files}
    if not starts_at_scoring(config):
        needed["parse.engine"] = config.parse.engine
    for code in config.languages:
        for key, mapping in needed.items():
            if code not in mapping:
                problems.append(f"key `{key}.{code}` is missing: language {code!r} is listed in `languages`; add it")
    problems += sources.problems(config.source, config.languages, config.parse.engine)
    return problems


def _parser_problems(config: Config) -> list[str]:
    """Languages that stanza is to parse and cannot; the user's own folder may be filled later."""
    if starts_at_scoring(config):
        return []
    embedded = config.parse.models == "embedded"
    problems = {
        code: pipeline.missing(code)
        for code in config.languages
        if code in languages.known()
        and config.parse.engine.get(code) == engines.STANZA
        and (embedded or not languages.get(code).stanza)
    }
    return [f"key `parse.engine.{code}`: value 'stanza': {text}" for code, text in problems.items() if text]


_ROLE_KINDS = {
    "paraphrase": ("causal",),
    "alternate": ("causal",),
    "score": ("causal", "masked"),
    "similarity": ("sentence_encoder",),
    "nli": ("nli_classifier", "causal"),
}


def _role_problems(config: Config) -> list[str]:
    problems = _missing_roles(config)
    if problems:
        return problems
    used = ["score"] if starts_at_scoring(config) else list(_ROLE_KINDS)
    for role in used:
        named, kinds = getattr(config.roles, role), _ROLE_KINDS[role]
        for name in [named] if isinstance(named, str) else named:
            entry = config.models.get(name)
            if entry is None:
                close = _nearest(name, list(config.models))
                problems.append(
                    f"key `roles.{role}`: model {name!r} is not in the registry{close} (add it under `models`)"
                )
            elif entry.kind not in kinds:
                problems.append(
                    f"key `roles.{role}`: model {name!r} is of kind {entry.kind!r} (allowed: {', '.join(kinds)})"
                )
    for role in ("paraphrase", "score"):
        names = getattr(config.roles, role)
        if len(set(names)) < len(names):
            problems.append(f"key `roles.{role}`: {names} names a model twice; name each once")
    return problems if starts_at_scoring(config) else problems + _threshold_problems(config)


def _missing_roles(config: Config) -> list[str]:
    """Roles without which the pairs cannot be made; a source that holds them needs none of these."""
    if starts_at_scoring(config):
        return []
    return [
        f"key `roles.{role}`: value {getattr(config.roles, role)!r}: name a model (only a source of kind augmented, "
        f"which holds the pairs, needs none)"
        for role in ("alternate", "similarity", "nli")
        if not getattr(config.roles, role)
    ]


def _threshold_problems(config: Config) -> list[str]:
    problems = []
    for role, needed in (("similarity", ("similarity",)), ("nli", ("nli_paraphrase", "nli_alternate"))):
        entry = config.models.get(getattr(config.roles, role))
        for which in needed:
            value = None if entry is None else getattr(entry.thresholds, which)
            if isinstance(value, dict) and "default" not in value:
                name = f"models.{getattr(config.roles, role)}.thresholds.{which}"
                problems.append(f"key `{name}`: value {value} has no `default`; add one")
            if entry is not None and value is None:
                problems.append(
                    f"key `models.{getattr(config.roles, role)}.thresholds.{which}` is missing: "
                    f"the model has role {role!r}; a threshold belongs to the model, give its own"
                )
    return problems


def _prompt_problems(config: Config) -> list[str]:
    if starts_at_scoring(config):
        return []
    folder = config.generation.prompts
    if folder is not None and prompts_folder(config) is None:
        return [f"key `generation.prompts`: folder {folder!r} does not exist; correct the path, or set it to null"]
    problems = _answer_problems(config)
    for task in ("paraphrase", "alternate"):
        choice = getattr(config.generation, task).prompt
        key = f"generation.{task}.prompt"
        named = {key: choice} if isinstance(choice, str) else {f"{key}.{code}": name for code, name in choice.items()}
        if not isinstance(choice, str):
            known = [prompts.DEFAULT, *languages.known()]
            problems += [
                f"key `{key}.{code}` is unknown{_nearest(code, known)} (allowed here: {', '.join(known)})"
                for code in choice
                if code not in known
            ]
            problems += [
                f"key `{key}.{code}` is missing: language {code!r} is listed in `languages`; add it, or `default`"
                for code in config.languages
                if code not in choice and prompts.DEFAULT not in choice
            ]
        # A language's own prompt is looked for when something is generated: parsing needs none.
        for where, name in named.items():
            if name != prompts.NATIVE:
                problems += _unknown_prompt(where, task, name, prompts_folder(config))
    return problems


def _unknown_prompt(where: str, task: str, name: str, folder: str | None) -> list[str]:
    try:
        prompts.path_of(task, name, folder)
    except InputError as error:
        return [f"key `{where}`: value {name!r}: {error}"]
    return []


def prompts_folder(config: Config) -> str | None:
    """The folder of the user's prompts; relative: tried from the working directory, then from the shipped files.

    None where the config names none, or one that is not there (:func:`load` has refused that).
    """
    if config.generation.prompts is None:
        return None
    given = Path(config.generation.prompts).expanduser()
    tried = [given] if given.is_absolute() else [given, paths.home() / given]
    return next((str(path) for path in tried if path.is_dir()), None)


def _grammar_problems(config: Config) -> list[str]:
    if starts_at_scoring(config):
        return []
    grammar = config.filters.grammar
    agreeing = grammar_settings.languages_of(grammar, grammar_engines.AGREEMENT, config.languages)
    return [
        *grammar_settings.problems(grammar, config.languages, config.models),
        *agreement_settings.problems(agreeing, config.parse.engine),
    ]


def _judge_problems(config: Config) -> list[str]:
    """A causal model in role nli that cannot be the judge: found here, since its stage comes after much work."""
    entry = config.models.get(config.roles.nli or "")
    if starts_at_scoring(config) or entry is None or entry.kind != "causal":
        return []
    why = judge.problem(entry)
    return [f"key `roles.nli`: model {config.roles.nli!r} cannot judge inference: {why}"] if why else []


def _context_problems(config: Config) -> list[str]:
    """Languages that a mapping leaves out, empty texts, and misspelt keywords, which would be scored as texts."""
    problems = []
    for key in ("context", "chat_message"):
        given = getattr(config.scoring, key)
        problems += [
            f"key `scoring.{key}.{lang}` is missing: language {lang!r} is listed in `languages`; add its text"
            for lang in config.languages
            if isinstance(given, dict) and lang not in given
        ]
    if problems:
        return problems
    for lang in config.languages:
        context = _of_language(config.scoring.context, lang)
        where = f"scoring.context.{lang}" if isinstance(config.scoring.context, dict) else "scoring.context"
        message = _of_language(config.scoring.chat_message or "", lang)
        wrong = context_problem(context)
        if wrong:
            problems.append(f"key `{where}`: {wrong}")
        elif context == CHAT_TEMPLATE and not message.strip():
            problems.append(
                f"key `scoring.chat_message`: value {config.scoring.chat_message!r}: context chat_template needs what "
                f"the user says in language {lang!r}; give a text, or one per language"
            )
    return list(dict.fromkeys(problems))


def _norms_problems(config: Config) -> list[str]:
    return norms.problems(config.norms, config.languages)


def _answer_problems(config: Config) -> list[str]:
    """Demands for more agreeing answers than a source gets."""
    problems = []
    for task, models in (("paraphrase", len(config.roles.paraphrase)), ("alternate", 1)):
        settings = getattr(config.generation, task)
        most = settings.samples * models
        given = settings.min_answers
        wanted = max(given.values()) if isinstance(given, dict) else given
        if settings.mode == "single" and wanted > most:
            problems.append(
                f"key `generation.{task}.min_answers`: value {wanted}: a source gets {most} answers only "
                f"(allowed: 1 to {most}); lower it, or raise `samples`"
            )
    return problems
