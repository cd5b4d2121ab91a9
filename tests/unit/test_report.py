"""Figures, tables and the HTML report of a small made-up run."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from dualpair.analysis.contradictions import mean_rates, rates
from dualpair.analysis.funnel import uneven_losses
from dualpair.analysis.headline import headline
from dualpair.languages import language_name
from dualpair.measures.tables import measure_sets, measure_variants
from dualpair.report import explorer, numbers, order, tables
from dualpair.report.data import ReportData
from dualpair.report.explorer import payload, to_script
from dualpair.report.figures import inline, square_root_ticks, write
from dualpair.report.html import build
from dualpair.report.plots.headline import contradiction_map, interval_plot
from dualpair.report.section import Facts

LANGS = {
    "en": (("Cats", "Dogs", "Parrots"), "sleep a lot", "sleep little", "."),
    "es": (("Los gatos", "Los perros", "Los loros"), "duermen mucho", "duermen poco", "."),
    "ru": (("Кошки", "Собаки", "Попугаи"), "много спят", "мало спят", "."),
    "zh": (("猫", "狗", "鹦鹉"), "睡得很多", "睡得很少", "。"),
}
MODELS = ("gemma-3-270m", "tiny-base", "tiny-instruct")


def pairs(n_sets: int, langs: tuple[str, ...], n_variants: int = 3) -> pd.DataFrame:
    rows = []
    for lang in langs:
        groups, attribute, alternate, mark = LANGS[lang]
        for number in range(n_sets):
            for variant in range(n_variants if number % 4 else 1):
                note = "" if number == 0 and variant == 0 else f" {number}-{variant}"
                rows.append(
                    {
                        "set_id": f"pets-{number:02}",
                        "cluster_id": f"pets-{number // 2:02}",
                        "lang": lang,
                        "dataset": "pets",
                        "bias_type": "age" if number % 2 else "gender",
                        "variant_id": f"p{variant:04}" if variant or number == 5 else "v0",
                        "groups": list(groups[: 3 if number % 3 == 0 else 2]),
                        "attribute": attribute + note,
                        "alternate": alternate + note,
                        "final_mark": mark,
                        "v0_is_original": number != 5,
                    }
                )
    return pd.DataFrame(rows)


def scored(augmented: pd.DataFrame, model: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    rng = np.random.default_rng(int.from_bytes(hashlib.sha256(model.encode()).digest()[:4], "big"))
    sentences = pd.DataFrame(
        {"sentence_id": f"{lang}/{set_id}/{variant}/{index}/{side}", "set_id": set_id, "lang": lang}
        | {"variant_id": variant, "group_index": index, "side": side}
        for lang, set_id, variant, groups in zip(
            *(augmented[name] for name in ("lang", "set_id", "variant_id", "groups")), strict=True
        )
        for index in range(len(groups))
        for side in ("attribute", "alternate")
    )
    group = sentences.groupby(["lang", "set_id", "variant_id", "group_index"]).ngroup()
    sums = -12 + rng.normal(0, 2, len(sentences)) + rng.normal(0, 1.5, group.max() + 1)[group]
    scores = sentences[["sentence_id"]].assign(model=model, logprob_sum=sums, n_tokens=4, kept=True, reason="")
    return sentences, scores


def funnel_table(langs: tuple[str, ...]) -> pd.DataFrame:
    rows = [
        {"stage": stage, "lang": lang, "bias_type": "age", "group": LANGS[lang][0][g], "reason": reason, "n": n}
        for lang in langs
        for stage in ("stereotypes", "sets", "paraphrase", "alternate", "augmented")
        for g in range(2)
        for reason, n in {"kept": 30 - 20 * g, "similarity_below_threshold": 4 + 14 * g, "repetition": 1}.items()
    ]
    frame = pd.DataFrame(rows)
    return frame.assign(visited=frame.groupby(["stage", "lang", "bias_type", "group"])["n"].transform("sum"))


def report_data(
    n_sets: int = 10, langs: tuple[str, ...] = tuple(LANGS), models: tuple[str, ...] = MODELS
) -> ReportData:
    augmented = pairs(n_sets, langs)
    measures = {model: measure_variants(augmented, *scored(augmented, model)).measures for model in models}
    set_measures = {model: measure_sets(frame) for model, frame in measures.items()}
    everything, all_sets = pd.concat(measures.values()), pd.concat(set_measures.values())
    first = augmented.drop_duplicates(["lang", "set_id"])
    joiners = first["lang"].map(lambda lang: "" if lang == "zh" else " ")
    original = [groups[0] for groups in first["groups"]] + joiners + first["attribute"] + first["final_mark"]
    funnel = funnel_table(langs)
    shown = {
        "headline": headline(all_sets, seed=1, n_resamples=500),
        "contradictions": rates(everything, all_sets, seed=1, n_resamples=200),
        "contradictions_mean": mean_rates(everything, all_sets, seed=1, n_resamples=200),
    }
    described: dict[str, dict[str, Any]] = {name: {"family": None, "size": None, "tuning": None} for name in models}
    facts = Facts("nats per token", 0.0, 1, {"bootstrap": 500}, described, langs)
    return ReportData(
        run="demo",
        headline=shown["headline"],
        contradictions=shown["contradictions"],
        funnel=funnel,
        warnings=uneven_losses(funnel),
        augmented=augmented,
        sets=first.assign(original=original),
        measures=measures,
        config_yaml="run: demo\nseed: 1\nmodels:\n  gemma-3-270m: {kind: causal}\n",
        provenance={"dualpair": "0.1.0", "model gemma-3-270m": "sha256:0123abcd", "dtype": "float32"},
        sections=order.sections(shown, facts),
        tables=shown,
    )


@pytest.fixture(scope="module")
def data() -> ReportData:
    return report_data()


@pytest.fixture(scope="module")
def page(data: ReportData) -> str:
    return build(data)


class Page(HTMLParser):
    """Collects tags, ids, visible text and references, and checks that elements are closed in order."""

    VOID = frozenset({"meta", "br", "input", "link", "img"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.ids: list[str] = []
        self.references: list[tuple[str, str]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.visible: list[str] = []
        self.raw: dict[str, str] = {}
        self.feed(text)
        assert self.stack == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.references += [(name, value or "") for name, value in attrs if name in ("src", "href", "xlink:href")]
        if tag not in self.VOID:
            self.stack.append(tag if tag != "script" else f"script {found.get('type', '')}")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.stack.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.stack
        assert self.stack[-1].split()[0] == tag, f"</{tag}> closes {self.stack[-3:]}"
        self.stack.pop()

    def handle_data(self, data: str) -> None:
        inside = self.stack[-1] if self.stack else ""
        if inside.startswith(("script", "style")):
            self.raw[inside] = self.raw.get(inside, "") + data
        else:
            self.visible.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.visible).split())


def test_the_page_is_deterministic_and_well_formed(data: ReportData, page: str) -> None:
    assert build(data) == page
    parsed = Page(page)
    assert len(parsed.ids) == len(set(parsed.ids))
    known = {f"#{name}" for name in parsed.ids}
    assert {value for _, value in parsed.references} <= known
    names = ("aria-labelledby", "aria-controls")
    referred = {value for _, found in parsed.tags for name in names if (value := found.get(name))}
    assert {f"#{value}" for value in referred} <= known


def test_the_page_makes_no_request(page: str) -> None:
    parsed = Page(page)
    assert all(value.startswith("#") for _, value in parsed.references)
    assert not [tag for tag, _ in parsed.tags if tag in ("link", "img", "iframe", "object", "embed")]
    assert "@import" not in page
    assert all(target.startswith("#") for target in re.findall(r"url\(([^)]*)\)", page))
    assert not [name for _, found in parsed.tags for name in found if name.startswith("on")]


def test_the_policy_admits_the_pages_own_script_alone(page: str) -> None:
    policy = next(found["content"] for tag, found in Page(page).tags if tag == "meta" and "http-equiv" in found)
    script = page.rsplit("<script>", 1)[1].split("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy is not None
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy


def test_no_sentence_is_shown_before_the_reader_asks(page: str, data: ReportData) -> None:
    parsed = Page(page)
    for attribute in data.augmented["attribute"]:
        assert attribute not in parsed.text
    assert parsed.text.index("Content warning") < parsed.text.index("What was asked")
    area = next(found for tag, found in parsed.tags if found.get("id") == "sets")
    assert "hidden" in area


def test_the_page_shows_its_numbers(page: str, data: ReportData) -> None:
    text = Page(page).text
    row = data.headline.iloc[0]
    for name in ("B_G", "B_GxA", "absB_avg", "I_GxA"):
        assert f"{numbers.significant(row[name])} {numbers.interval(row[f'{name}_low'], row[f'{name}_high'])}" in text
    rate = data.contradictions.query("unit == 'original'").iloc[0]
    assert " ".join(numbers.percent(rate["contradiction_rate"]).split()) in text
    assert " ".join(data.warnings["text"].iloc[0].split()) in text
    assert "similarity below threshold: 22; repetition: 2" in text
    assert "sha256:0123abcd" in text
    assert "gemma-3-270m: {kind: causal}" in text


def unpacked(found: dict[str, Any], model: int) -> dict[tuple[str, str, str], tuple[list[float], int]]:
    """Values and flags of one model, by language, set and variant."""
    entry = found["models"][model]
    values = np.frombuffer(base64.b64decode(entry["values"]), dtype="<f4").tolist()
    flags = np.frombuffer(base64.b64decode(entry["flags"]), dtype=np.uint8).tolist()
    places = [(one, variant[0]) for one in found["sets"] for variant in one["variants"]]
    by_key = {}
    for flag, (one, variant) in zip(flags, places, strict=True):
        size = 2 * len(one["groups"])
        by_key[one["lang"], one["id"], variant] = (values[:size], flag)
        values = values[size:]
    assert values == []
    return by_key


def test_the_explorers_data_hold_every_pair_and_score(page: str, data: ReportData) -> None:
    embedded = json.loads(Page(page).raw["script application/json"])
    assert {key: embedded[key] for key in payload(data)} == payload(data)
    assert [model["name"] for model in embedded["models"]] == sorted(MODELS)
    assert sum(len(entry["variants"]) for entry in embedded["sets"]) == len(data.augmented)
    assert embedded["langs"]["zh"]["joiner"] == ""
    for number, name in enumerate(sorted(MODELS)):
        found = unpacked(embedded, number)
        assert len(found) == len(data.measures[name])
        for row in data.measures[name].to_dict("records"):
            values, flag = found[row["lang"], row["set_id"], row["variant_id"]]
            expected = [row["x"][0], row["y"][0], *row["B_G"], *row["B_G_alt"]]
            assert values == pytest.approx(expected, rel=1e-6)
            assert bool(flag & explorer.MEASURED)
            for bit, column in (
                (explorer.CONTRADICTION, "contradiction"),
                (explorer.FLIP, "flip"),
                (explorer.TIE, "tie"),
            ):
                assert bool(flag & bit) == row[column]
    first = [entry["variants"][0][0] for entry in embedded["sets"] if entry["id"] != "pets-05"]
    assert set(first) == {"v0"}


def test_text_cannot_break_out_of_the_data_element(data: ReportData) -> None:
    evil = "</script><script>alert(1)</script><!-- \u2028 & \" '"
    hostile = dataclasses.replace(
        data,
        augmented=data.augmented.assign(attribute=evil),
        run=evil,
        config_yaml=evil,
        warnings=pd.DataFrame({"text": [evil]}),
        provenance={evil: evil},
    )
    parsed = Page(build(hostile))
    assert [found.get("type") for tag, found in parsed.tags if tag == "script"] == ["application/json", None]
    assert json.loads(parsed.raw["script application/json"])["sets"][0]["variants"][0][1] == evil
    assert "<" not in to_script({"a": evil})


def test_a_pair_that_one_model_could_not_score_is_marked(data: ReportData) -> None:
    model = sorted(MODELS)[0]
    fewer = data.measures[model].query("not (lang == 'en' and set_id == 'pets-01' and variant_id == 'p0001')")
    found = unpacked(payload(dataclasses.replace(data, measures={**data.measures, model: fewer})), 0)
    values, flag = found["en", "pets-01", "p0001"]
    assert flag == 0
    assert np.isnan(values).all()
    assert [key for key, (_, other) in found.items() if not other] == [("en", "pets-01", "p0001")]


def test_tables_that_do_not_belong_together_are_refused(data: ReportData) -> None:
    with pytest.raises(ValueError, match="measures has en, pets-00, v0 that augmented lacks"):
        build(dataclasses.replace(data, augmented=data.augmented.query("set_id != 'pets-00'")))
    with pytest.raises(ValueError, match="measures has en, pets-00, v0 that augmented lacks"):
        build(dataclasses.replace(data, augmented=data.augmented.replace({"variant_id": {"v0": "v1"}})))
    with pytest.raises(ValueError, match="measures has 3 groups for en, pets-00, v0, augmented has 2"):
        build(
            dataclasses.replace(data, augmented=data.augmented.assign(groups=[["Cats", "Dogs"]] * len(data.augmented)))
        )
    with pytest.raises(ValueError, match="several sections are called headline"):
        build(dataclasses.replace(data, sections=(*data.sections, data.sections[0])))


def test_an_empty_run_says_that_data_are_missing(data: ReportData) -> None:
    frames = ("headline", "contradictions", "funnel", "warnings", "augmented", "sets")
    empty = {name: getattr(data, name).head(0) for name in frames}
    bare = dataclasses.replace(data, **empty, measures={}, provenance={}, sections=(), tables={})
    text = Page(build(bare)).text
    for what in ("measured set", "set", "row"):
        assert f"not enough data (n = 0, needs 1 {what})" in text
    assert "No provenance was recorded." in text


def test_few_clusters_and_missing_originals_are_named() -> None:
    small = report_data(n_sets=4, langs=("en",), models=("tiny-base",))
    text = Page(build(small)).text
    assert "has too few clusters for an interval in English" in text
    only = small.contradictions.assign(n=0, contradiction_rate=np.nan, flip_rate=np.nan)
    text = Page(build(dataclasses.replace(small, contradictions=only))).text
    assert "not enough data (n = 0, needs 1 original pair)" in text
    assert not re.search(r"\bnan\b", text, re.IGNORECASE)


def test_figures_are_deterministic_files_with_their_data(data: ReportData, tmp_path: Path) -> None:
    for drawing, again in (
        (contradiction_map(data.contradictions), contradiction_map(data.contradictions)),
        (interval_plot(data.headline), interval_plot(data.headline)),
    ):
        assert (drawing.svg, drawing.png) == (again.svg, again.png)
        written = write(drawing, tmp_path)
        assert [path.suffix for path in written] == [".svg", ".png", ".csv"]
        assert ElementTree.parse(written[0]).getroot().tag.endswith("svg")
        assert written[1].read_bytes().startswith(b"\x89PNG")
        assert len(pd.read_csv(written[2])) == len(drawing.data) == 12
        assert "<dc:date>" not in drawing.svg


def test_the_map_prints_each_rate_with_its_n(data: ReportData) -> None:
    drawing = contradiction_map(data.contradictions, "flip")
    texts = "".join(ElementTree.fromstring(drawing.svg).itertext())
    for row in drawing.data.to_dict("records"):
        assert f"{row['flip_rate']:.1%}" in texts
        assert f"n = {row['n']}" in texts
    assert all(label in texts for label in (*MODELS, *map(language_name, LANGS)))


def test_a_cell_without_data_says_so(data: ReportData) -> None:
    gone = data.contradictions["lang"].eq("ru") & data.contradictions["model"].eq("tiny-base")
    texts = "".join(ElementTree.fromstring(contradiction_map(data.contradictions[~gone]).svg).itertext())
    assert texts.count("no data") == 1


def test_a_figure_without_data_says_so(data: ReportData) -> None:
    drawing = contradiction_map(data.contradictions.head(0))
    assert drawing.shortfall == "not enough data (n = 0, needs 1)"
    assert drawing.shortfall in "".join(ElementTree.fromstring(drawing.svg).itertext())
    assert interval_plot(data.headline.head(0)).shortfall


def test_an_unknown_rate_is_refused(data: ReportData) -> None:
    with pytest.raises(ValueError, match="contradiction, flip; found 'tie'"):
        contradiction_map(data.contradictions, "tie")


def test_inline_figures_take_the_pages_ink_and_own_ids(data: ReportData) -> None:
    one, two = (inline(contradiction_map(data.contradictions, kind)) for kind in ("contradiction", "flip"))
    ids = [set(re.findall(r'\bid="([^"]+)"', text)) for text in (one, two)]
    assert ids[0]
    assert not ids[0] & ids[1]
    assert "currentColor" in one
    assert set(re.findall(r"url\(#([^)]+)\)", one)) <= ids[0]
    assert set(re.findall(r'href="#([^"]+)"', one)) <= ids[0]
    ElementTree.fromstring(one.replace("xlink:href", "href"))


def test_latex_tables(data: ReportData) -> None:
    frame = data.headline.head(1).assign(model="a_b&c", I_GxA=0.0041234, I_GxA_low=0.001, I_GxA_high=0.02, B_G=-0.5)
    text = tables.to_latex(tables.headline_view(frame), "Means & 95 % intervals", "tab:headline", numeric=("Sets",))
    assert r"\caption{Means \& 95 \% intervals}" in text
    assert r"\begin{tabular}{llrllllll}" in text
    assert r"a\_b\&c & English & 10 & 5 &" in text
    assert "0.004123 [0.001000, 0.02000]" in text
    assert "$-$0.5000" in text
    assert text.count(r" \\") == 2
    rows = tables.to_latex(tables.contradictions_view(data.contradictions), "Rates", "tab:rates")
    assert rows.count(r" \\") == 1 + len(data.contradictions)
    with pytest.raises(ValueError, match=r"unknown columns \['Set'\]"):
        tables.to_latex(tables.headline_view(frame), "c", "l", numeric=("Set",))


def test_csv_tables_keep_every_digit(data: ReportData, tmp_path: Path) -> None:
    path = tmp_path / "headline.csv"
    path.write_text(tables.to_csv(data.headline), encoding="utf-8")
    pd.testing.assert_frame_equal(pd.read_csv(path), data.headline, check_exact=True, check_dtype=False)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.5, "0.5000"), (-0.33, "−0.3300"), (0.0, "0"), (1234.0, "1234"), (1.2346e-7, "1.235e−07"), (float("nan"), "")],
)
def test_significant_digits(value: float, text: str) -> None:
    assert numbers.significant(value) == text


def test_shares_and_intervals() -> None:
    assert numbers.percent(0.2345) == "23.4\u00a0%"
    assert numbers.percent_interval(0.17, 0.301) == "17.0–30.1\u00a0%"
    assert numbers.interval(-1.0, 2.0) == "[−1.000, 2.000]"
    missing: Any = float("nan")
    assert (numbers.percent(missing), numbers.percent_interval(missing, 0.1)) == ("", "")
    assert numbers.interval(missing, 1.0) == ""
    assert numbers.rounded(0.123456789) == 0.123457


@pytest.mark.parametrize("limit", [0.003, 0.0174, 0.4, 1.0, 7.0])
def test_square_root_ticks_are_few_and_apart(limit: float) -> None:
    ticks = square_root_ticks(limit)
    assert ticks[0] == 0.0
    assert 3 <= len(ticks) <= 7
    assert ticks[-1] <= limit
    places = np.sqrt(np.array(ticks) / limit)
    assert (np.diff(places) >= 0.119).all()
