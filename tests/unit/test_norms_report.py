"""The report's section on feature norms: what it says, what it says when data lack, and its figures."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from scipy.stats import norm

from dualpair.norms import auc
from dualpair.report import outputs
from dualpair.report.section import Facts
from dualpair.report.sections import norms
from tests.unit import norms_world as world

MODELS = {
    "b": {"family": "f", "size": 1e9, "tuning": "base"},
    "i": {"family": "f", "size": 1e9, "tuning": "instruct"},
}
FACTS = Facts("nats per token", 0.0, 3, {"bootstrap": 300}, MODELS, ("en", "es"))


def frames(items: pd.DataFrame, listed: pd.DataFrame) -> dict[str, pd.DataFrame]:
    return {
        "norms_auc": auc.table(items, listed, 3, 300),
        "norms_q": auc.distributions(items),
        "norms_tuning": auc.base_against_instruct(items, MODELS, 3, 300),
    }


def example(
    shift: float, names: tuple[str, ...] = ("b", "i"), langs: tuple[str, ...] = ("en", "es"), n: int = 30
) -> dict[str, pd.DataFrame]:
    """The tables of models whose q follows the facts by ``shift`` standard deviations on the scale of logits."""
    normal = norm.ppf((np.arange(n // 2) + 0.5) / (n // 2)).repeat(2)
    parts, lists = [], []
    for lang in langs:
        cells = {f"c{i}": (i % 2 == 0, float(expit(normal[i] + shift * (i % 2 == 0)))) for i in range(n)}
        items, listed = world.item_rows({"hot-cold": cells, "large-small": cells}, names[0], lang)
        parts += [items.assign(model=name) for name in names]
        lists.append(listed)
    return frames(pd.concat(parts, ignore_index=True), pd.concat(lists, ignore_index=True))


def test_the_section_names_what_it_found() -> None:
    made = norms.section(example(1.5), FACTS)
    assert made.shortfall == ""
    english = next(text for text in made.lead if text.startswith("English"))
    assert "the mean AUC over 2 pairs is between" in english
    assert "The intervals of 2 of 2 models lie above 0.5" in english
    assert any("In 2 comparisons of an instruct model" in text for text in made.lead)
    assert [table.name for table in made.tables] == list(norms.TABLES)
    assert all(set(table.numeric) <= set(table.view.columns) for table in made.tables)
    assert [drawing.name for drawing in made.drawings] == ["norms_q", "norms_auc"]
    assert all(drawing.shortfall == "" for drawing in made.drawings)


def test_no_effect_is_not_called_one() -> None:
    made = norms.section(example(0.0, names=("b",), langs=("en",)), FACTS)
    (english,) = (text for text in made.lead if text.startswith("English"))
    assert "The interval includes 0.5, what chance gives." in english
    assert not any("comparison" in text for text in made.lead)
    tuning = made.tables[2]
    assert tuning.view.empty
    assert "No base model and instruct model" in tuning.caption


def test_the_reverse_of_the_facts_is_told() -> None:
    made = norms.section(example(-2.0, names=("b",), langs=("en",)), FACTS)
    assert any("The interval lies below 0.5." in text for text in made.lead)


def test_few_concepts_have_no_interval() -> None:
    made = norms.section(example(1.0, names=("b",), langs=("en",), n=4), FACTS)
    assert any("There are too few concepts for an interval." in text for text in made.lead)
    assert any("fewer than 3 concepts" in text for text in made.cautions)


def test_one_class_only() -> None:
    items, listed = world.item_rows({"hot-cold": {"sun": (True, 0.9), "oven": (True, 0.4)}}, "b")
    made = norms.section(frames(items, listed), FACTS)
    assert "English: not enough data (n = 0, needs 1 pair with concepts of both features)." in made.lead
    assert made.drawings[1].shortfall == "not enough data (n = 0, needs 1 pair with concepts of both features)"


def test_without_a_language_that_has_norms() -> None:
    listed = world.concept_rows({})
    items, _ = world.item_rows({"hot-cold": {"sun": (True, 0.9)}})
    made = norms.section(frames(items.iloc[:0], listed), FACTS)
    assert made.shortfall == "not enough data (n = 0, needs 1 language of the run with feature norms)"
    assert all(drawing.shortfall for drawing in made.drawings)


def test_printed_rows_and_perfect_separation() -> None:
    cells = {f"c{i}": (i < 4, 0.9 - 0.1 * i) for i in range(8)}
    made = norms.section(frames(*world.item_rows({"hot-cold": cells}, "b")), FACTS)
    row = made.tables[0].view.iloc[0]
    assert row["AUC, mean over pairs"] == "1.00 [1.00, 1.00]"
    assert row["First / opposite"] == "4 / 4"
    pair = made.tables[1].view.iloc[0]
    assert (pair["Median q, first"], pair["Median q, opposite"]) == ("0.750", "0.350")
    assert any("the interval has no width" in text for text in made.cautions)


@pytest.mark.parametrize("n_models", [1, 9])
def test_figures_are_small_vector_drawings(n_models: int) -> None:
    names = tuple(f"a-rather-long-model-name-{i}" for i in range(n_models))
    made = norms.section(
        example(1.0, names, ("en", "es", "ru", "zh")), FACTS._replace(languages=("en", "es", "ru", "zh"))
    )
    for drawing in made.drawings:
        assert "<image" not in drawing.svg
        assert len(drawing.svg.encode()) < 150_000
        assert drawing.alt


def test_instruct_models_are_marked() -> None:
    q, plot = norms.section(example(1.0), FACTS).drawings
    for drawing in (q, plot):
        assert "i †" in drawing.svg and "† tuned to follow instructions" in drawing.svg
        assert "b †" not in drawing.svg


def test_equal_data_give_equal_files(tmp_path) -> None:
    for turn in ("1", "2"):
        given = example(1.0)
        outputs.write_section(tmp_path / turn, norms.section(given, FACTS), given, {"seed": 3})
    written = sorted(path.relative_to(tmp_path / "1") for path in (tmp_path / "1").rglob("*") if path.is_file())
    assert len(written) == 3 * 3 + 2 * 3
    for path in written:
        assert (tmp_path / "1" / path).read_bytes() == (tmp_path / "2" / path).read_bytes()


def test_facts_pass_through_json() -> None:
    text = json.dumps({**FACTS._asdict(), "languages": list(FACTS.languages)})
    assert (
        norms.section(example(1.0), Facts.from_json(json.loads(text))).methods
        == norms.section(example(1.0), FACTS).methods
    )
