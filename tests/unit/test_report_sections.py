"""Sections as the report prints them: any analysis's, generically; the order of the page; the methods text."""

from __future__ import annotations

import dataclasses
import itertools
import re
from types import ModuleType

import pandas as pd
import pytest
import yaml
from matplotlib.figure import Figure

from dualpair import artifacts, paths
from dualpair.languages import language_names
from dualpair.report import html, methods, order, views
from dualpair.report.data import ReportData
from dualpair.report.figures import in_style, legend_above, legend_columns
from dualpair.report.plots.quadratic import log_ticks
from dualpair.report.section import ShownTable
from dualpair.report.tables import escape
from tests.unit import report_world
from tests.unit.measure_world import World
from tests.unit.test_report import Page

CONFIG = yaml.safe_load((paths.home() / "config.yaml").read_text("utf-8"))
WORLD = World(models=("model-a",), n_sets=12, n_variants=(1, 3), groups=(2, 3))


@pytest.fixture(scope="module")
def data() -> ReportData:
    return report_world.made(WORLD, report_world.own_sections())


@pytest.fixture(scope="module")
def page(data: ReportData) -> str:
    return html.build(data)


def test_the_page_has_its_parts_in_order(page: str) -> None:
    titles = re.findall(r'<h2 id="([a-z]+)-title">', page)
    assert titles == [
        "overview", "headline", "contradictions", "own", "lacking", "explorer", "funnel", "validation", "literature",
        "methods", "provenance",
    ]  # fmt: skip
    links = re.findall(r'<a href="#([a-z]+)">', page.split('<nav class="contents"')[1].split("</nav>")[0])
    assert links == titles
    assert page.index("Content warning") < page.index('id="overview-title"')


def test_headings_go_down_one_level_at_a_time(page: str) -> None:
    levels = [int(level) for level in re.findall(r"<h([1-6])", page)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


def test_a_section_is_printed_whole(page: str) -> None:
    own = page.split('<section id="own"')[1].split("</section>")[0]
    text = Page(f"<div>{own.split('>', 1)[1]}</div>").text
    assert "Own & tested" in text
    assert "Found in <code>analysis/own.csv</code>." in own
    assert "with &lt; and &amp; in it." in own
    assert "Before quoting Quote with B G×A beside it." in text
    assert "<summary>Folded (3 rows)</summary>" in own
    assert "<code>analysis/own_folded.tex</code>" in own
    cells = re.findall(r"<t([hd])([^>]*)>(.*?)</t", own.split("<tbody>")[1].split("</tbody>")[0])
    assert cells[:3] == [("h", ' scope="row"', "a"), ("d", "", "0.1"), ("d", ' class="num"', "1")]
    assert cells[3] == ("h", ' scope="row" class="again"', "a")
    assert cells[7][2] == "0.3 &lt;&amp;"


def test_a_section_that_falls_short_says_so(page: str) -> None:
    lacking = page.split('<section id="lacking"')[1].split("</section>")[0]
    assert "not enough data (n = 1, needs 2)" in lacking
    assert "Never said." not in page


def test_every_figure_has_a_caption_an_alternative_and_its_files(page: str, data: ReportData) -> None:
    drawn = [drawing for section in data.sections for drawing in section.drawings]
    assert len(drawn) >= 4
    for drawing in drawn:
        caption = page.split(f'<figcaption id="{drawing.name}-caption">')[1].split("</figcaption>")[0]
        assert html.escape(drawing.alt) in caption
        assert f"<code>figures/{drawing.name}.svg</code>" in page


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("B_G×A and I_GxA", "B<sub>G×A</sub> and I<sub>G×A</sub>"),
        ("B_G,alt, B_G_alt", "B<sub>G,alt</sub>, B<sub>G,alt</sub>"),
        ("x_0 − x_j", "x<sub>0</sub> − x<sub>j</sub>"),
        ("|B_G×A|", "|B<sub>G×A</sub>|"),
        ("`B_GxA.csv` <b>", "<code>B<sub>G×A</sub>.csv</code> &lt;b&gt;"),
        ("headline_I_GxA is a name", "headline_I_GxA is a name"),
    ],
)
def test_symbols(text: str, markup: str) -> None:
    assert html.symbols(text) == markup


def test_intervals_keep_to_a_line() -> None:
    assert html.cell("0.1 [−0.2, 0.3]") == '0.1 <span class="range">[−0.2, 0.3]</span>'
    assert html.cell("[none]") == "[none]"


def test_long_tables_are_folded() -> None:
    long = pd.DataFrame({"a": ["x"] * 41})
    assert html.folded(ShownTable("t", "c", long))
    assert not html.folded(ShownTable("t", "c", long.head(40)))
    assert html.folded(ShownTable("t", "c", long.head(1), folded=True))


def test_a_table_without_rows_is_a_sentence(data: ReportData) -> None:
    own = data.sections[-2]
    empty = own.tables[0]._replace(view=own.tables[0].view.head(0))
    page = html.build(dataclasses.replace(data, sections=(own._replace(tables=(empty,)),)))
    part = page.split('<section id="own"')[1].split("</section>")[0]
    assert "<table" not in part
    assert "Table <code>own</code> has no rows. One model per row, I<sub>G×A</sub> in bits." in part
    assert "<code>analysis/own.csv</code>" in part


def test_columns_of_text_are_wide_enough_for_it() -> None:
    view = pd.DataFrame({"Model": ["a"], "Unit": ["x" * 12], "Long": ["y" * 80], "n": ["123"]})
    assert html.text_widths(ShownTable("t", "c", view, ("n",))) == {"Unit": 12, "Long": 30}
    assert html.text_widths(ShownTable("t", "c", view.head(0), ("n",))) == {"Unit": 0, "Long": 0}


def test_names_of_languages_are_english_and_unknown_codes_themselves() -> None:
    assert language_names(["zh", "es", "tlh", "pooled"]) == ["Chinese", "Spanish", "tlh", "pooled"]


def test_languages_and_units_are_printed_in_words(data: ReportData) -> None:
    shown, means = next(section for section in data.sections if section.id == "contradictions").tables
    assert set(shown.view["Language"]) == {"English", "Spanish"}
    assert "Means of sets" in set(shown.view["Unit"]) and "Means of sets" in set(means.view["Unit"])
    assert {"English", "Spanish", "model-a"} >= set(means.view["Model or language"])


def test_what_max_sets_left_out_is_said_where_sets_are_counted(data: ReportData) -> None:
    made = data.sections[-2]._replace(id="made")
    lost = data.funnel.assign(stage="sets", reason="beyond_max_sets", lang="es", n=0)
    lost.loc[lost.index[:2], "n"] = [3, 4]
    config = report_world.CONFIG.replace("max_sets: null", "max_sets: 5")
    limited = dataclasses.replace(data, sections=(made,), funnel=lost, config_yaml=config)
    assert views.sections(limited)[0].lead == (
        *made.lead,
        "The setting `max_sets` (5) left stereotypes out: 7 in Spanish.",
    )
    assert views.sections(dataclasses.replace(data, sections=(made,))) == [made]


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.002, 1.5, [0.01, 0.1, 1.0]), (0.02, 0.11, [0.03, 0.1]), (0.11, 0.6, [0.2, 0.5]), (1e-6, 2.0, [1e-6, 1e-4, 1e-2, 1.0]),
        (0.41, 0.62, [0.5, 0.6]),
    ],
)  # fmt: skip
def test_a_logarithmic_axis_has_two_round_ticks_or_more(low: float, high: float, ticks: list[float]) -> None:
    assert log_ticks(low, high, 4) == pytest.approx(ticks)


@pytest.mark.parametrize("high", [0.4101, 0.42, 0.45])
def test_the_narrowest_axis_has_two_ticks(high: float) -> None:
    first, second = log_ticks(0.41, high, 4)
    assert 0.41 <= first < second <= high


def test_latex_spells_symbols_as_the_csv_does() -> None:
    assert escape("|B_G×A|, I_GxA, 2 × 3") == r"\textbar{}B\_GxA\textbar{}, I\_GxA, 2 × 3"


def test_sections_without_tables_are_left_out_and_half_ones_refused(data: ReportData) -> None:
    facts = report_world.facts(WORLD)
    tables = dict(data.tables or {})
    assert [section.id for section in order.sections(tables, facts)] == ["headline", "contradictions"]
    assert order.sections({}, facts) == ()
    del tables["contradictions_mean"]
    with pytest.raises(ValueError, match="contradictions_mean lack"):
        order.sections(tables, facts)


def test_every_section_reads_tables_of_the_schemas() -> None:
    from dualpair import schemas

    assert len(order.tables()) == len(set(order.tables()))
    assert all(schemas.table(name).names for name in order.tables())


def keys_in(text: str) -> list[list[str]]:
    """The config keys that a text names in backticks, as paths."""
    quoted = [one.split(": ") for one in re.findall(r"`([^`]+)`", text)]
    return [path for path in quoted if path[0] in CONFIG]


@pytest.mark.parametrize("module", order.SECTIONS)
def test_a_section_without_data_states_its_question_and_what_to_change(module: ModuleType) -> None:
    facts = report_world.facts(World(models=("model-a",), langs=("en",)))
    shown = module.section({name: artifacts.empty(name) for name in module.TABLES}, facts)
    assert shown.shortfall and "?" in shown.lead[0].split(". ")[0]
    named = keys_in(shown.remedy)
    assert named
    for path in named:
        value = CONFIG
        for key in path:
            assert key in value, (shown.id, path)
            value = value[key]


def test_nothing_to_show_is_said_with_its_remedy_and_the_tables_closed(data: ReportData) -> None:
    own = report_world.own_sections()[0]
    short = own._replace(shortfall="not enough data (n = 1, needs 2 models)", remedy="Name two under `roles: score`.")
    part = html.build(dataclasses.replace(data, sections=(short,))).split('<section id="own"')[1].split("</section>")[0]
    assert (
        '<p class="short">Nothing to show: not enough data (n = 1, needs 2 models). Name two under '
        "<code>roles: score</code>.</p>"
    ) in part
    assert part.count("<details") == part.count("<table") == 2


@pytest.fixture(scope="module")
def every() -> ReportData:
    return report_world.made(World(models=("model-a", "model-b", "model-c"), n_sets=16, n_variants=5), every=True)


def test_readers_meet_names_of_languages_and_not_codes(every: ReportData) -> None:
    code = re.compile(r"(?<![\w`/.-])(en|es)(?![\w-])")
    for shown in every.sections:
        assert not [text for text in (*shown.lead, *shown.cautions, *shown.methods) if code.search(text)], shown.id
        for table in shown.tables:
            assert not table.view.isin(["en", "es", "pooled"]).any(axis=None), table.name
            assert not code.search(table.caption), table.name
        for drawing in shown.drawings:
            texts = [text.strip() for text in re.findall(r"<text[^>]*>(.*?)</text>", drawing.svg, flags=re.DOTALL)]
            assert not [text for text in (*texts, drawing.alt, drawing.title) if code.search(text)], drawing.name
            assert "lang" not in drawing.data or set(drawing.data["lang"]) <= {"en", "es", "pooled"}


def methods_of(data: ReportData, **changes: object) -> str:
    settings = {**yaml.safe_load(report_world.CONFIG), **changes}
    return methods.plain(methods.paragraphs(dataclasses.replace(data, config_yaml=yaml.safe_dump(settings))))


def test_the_methods_text_has_the_exact_settings(data: ReportData, page: str) -> None:
    text = methods_of(data)
    for words in (
        "We took stereotypes of the data set starter (source kind table), in English and Spanish.",
        "Sentences were cut into group and attribute by stanza.",
        "judge paraphrased each attribute (8 calls a source and model, one sentence a call, prompt native, temperature 0.6, "
        "top-p 0.9, top-k 32, at most 24 new tokens)",
        "in 2 rounds, each for what the earlier ones left (4 calls",
        "no top-k, at most 24 new tokens, candidates of at least so many answers: 2; an alternate may be a negation",
        "under encoder was at least 0.7",
        "was above 0.9 (other languages) and 0.95 (Spanish).",
        "Ungrammatical candidates were dropped by: no filter (English) and LanguageTool (Spanish).",
        "At most 4 accepted paraphrases of a set were used.",
        "model-a (someone/model-a, revision 0123abcd, float32)",
        "the mean natural log-probability per token of the attribute",
        "only exact equality is a tie",
        "200 resamples of whole clusters of stereotypes (seed 1)",
        "Own & tested. Means were taken over sets.",
        "libraries: pandas 3.1.0",
    ):
        assert words in text
    assert "Never said." not in text
    assert f'"methods":{html.to_script(methods.plain(methods.paragraphs(data)))}' in page


def test_the_methods_text_of_given_pairs_tells_of_no_generation(data: ReportData) -> None:
    roles = {"paraphrase": [], "alternate": [], "similarity": None, "nli": None, "score": ["model-a"]}
    text = methods_of(data, source={"kind": "augmented", "dataset": None, "max_sets": 5}, roles=roles)
    assert "We took the first 5 stereotypes, in English and Spanish, with their dual pairs as given." in text
    assert "Generation." not in text
    assert "Filters." not in text


def test_ratings_stand_after_the_validation_with_their_own_folder(data: ReportData) -> None:
    survey = report_world.own_sections()[0]._replace(id="ratings", title="Trait ratings")
    page = html.build(dataclasses.replace(data, sections=(), ratings=survey))
    assert page.index('id="validation-title"') < page.index('id="ratings-title"') < page.index('id="literature-title"')
    assert "<code>validation/ratings/own.csv</code>" in page
    assert "own.tex" not in page


def test_matching_figures_of_the_literature_stand_beside_ours(data: ReportData) -> None:
    assert "No published figure can be compared with this run" in html.build(data)
    made = pd.DataFrame({"lang": ["en"], "bias_type": ["(all)"], "n_sets": [190]})
    config = yaml.safe_dump(
        {"source": {"kind": "biasshades", "types": ["declaration"], "max_sets": None, "dataset": "b"}}
    )
    page = html.build(dataclasses.replace(data, config_yaml=config, tables={"made": made}))
    assert "No published figure can be compared" not in page
    literature = page.split('<section id="literature"')[1].split("</section>")[0]
    row = re.search(r"<tr><th scope=\"row\">English</th>(.*?)</tr>", literature)
    assert row is not None
    assert re.findall(r">([\d.]+)<", row.group(1)) == ["194", "190"]


@pytest.mark.parametrize(
    ("labels", "columns"),
    [
        (["English", "Spanish", "Russian", "Chinese", "all languages"], 5),
        (["Brazilian Portuguese", "Traditional Chinese", "Portuguese", "Chinese", "English"], 4),
        (["x" * 200, "y"], 1),
        (["English"], 1),
    ],
)
def test_legends_are_as_wide_as_their_figures_at_most(labels: list[str], columns: int) -> None:
    assert legend_columns(labels, 6.8) == columns
    with in_style():
        figure = Figure(figsize=(6.8, 2.0), layout="constrained")
        axes = figure.add_subplot()
        for label in labels[:5]:
            axes.plot([0], [0], marker="o", linestyle="none", label=label)
        legend_above(figure, axes)
        figure.canvas.draw()
        if columns > 1:
            box = figure.legends[0].get_window_extent()
            assert box.x0 >= 0 and box.x1 <= figure.bbox.x1
