"""What all figures share, and the headline's figures at full size."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pandas as pd
import pytest

from dualpair.analysis.contradictions import mean_rates, rates
from dualpair.analysis.headline import headline
from dualpair.report.figures import INSTRUCT_NOTE, Drawing, inline, marked, missing, noted
from dualpair.report.plots.headline import headline_plots
from dualpair.report.plots.rates import contradiction_map, text_colour, unit_panels
from tests.unit.measure_world import World, make

MODELS = {"m0": {"tuning": "base"}, "m1": {"tuning": "instruct"}, "m2": {"tuning": None}}


@pytest.fixture(scope="module")
def figures() -> dict[str, Drawing]:
    """Nine models and four languages, as in the paper."""
    planted = World(models=tuple(f"m{i}" for i in range(9)), langs=("en", "es", "ru", "zh"), n_sets=24, n_variants=2)
    _, measures, sets = make(planted)
    table, means = rates(measures, sets, 1, n_resamples=100), mean_rates(measures, sets, 1, n_resamples=100)
    drawn = [contradiction_map(table, kind, "original", means, MODELS) for kind in ("contradiction", "flip")]
    drawn += [unit_panels(table, kind, MODELS) for kind in ("contradiction", "flip")]
    drawn += headline_plots(headline(sets, 1, 100), "nats per token", MODELS)
    return {drawing.name: drawing for drawing in drawn}


def test_figures_are_small_drawings_without_bitmaps(figures: dict[str, Drawing]) -> None:
    for drawing in figures.values():
        assert len(drawing.svg) < 150_000, drawing.name
        assert "<image" not in drawing.svg, drawing.name
        assert drawing.png.startswith(b"\x89PNG")
        assert drawing.alt.endswith(".") and not drawing.shortfall


def test_instruct_models_are_marked_and_explained(figures: dict[str, Drawing]) -> None:
    for drawing in figures.values():
        texts = "".join(ElementTree.fromstring(drawing.svg).itertext())
        assert "m1 †" in texts and "m0 †" not in texts and "m2 †" not in texts, drawing.name
        assert INSTRUCT_NOTE in texts, drawing.name
    assert (marked("m1", MODELS), marked("m0", MODELS), marked("gone", MODELS)) == ("m1 †", "m0", "gone")
    assert noted("bits", MODELS, ["m0"]) == "bits"


def test_the_map_prints_the_means(figures: dict[str, Drawing]) -> None:
    drawing = figures["contradictions"]
    texts = [text for text in ElementTree.fromstring(drawing.svg).itertext() if text.strip()]
    assert texts.count("of 9") == 4 and texts.count("of 4") == 9
    by_lang = drawing.data.groupby("lang")["contradiction_rate"].mean()
    assert all(f"{value:.1%}" in texts for value in by_lang)


def test_the_panels_draw_every_cell_of_every_unit(figures: dict[str, Drawing]) -> None:
    data = figures["flip_units"].data
    assert data.groupby("unit").size().tolist() == [36] * 4
    assert ((data["low"] <= data["flip_rate"]) & (data["flip_rate"] <= data["high"])).all()


def test_inline_figures_have_own_ids_and_the_pages_ink(figures: dict[str, Drawing]) -> None:
    seen: set[str] = set()
    for drawing in figures.values():
        text = inline(drawing)
        ids = set(re.findall(r'\bid="([^"]+)"', text))
        assert ids and not ids & seen, drawing.name
        assert set(re.findall(r'href="#([^"]+)"', text)) <= ids, drawing.name
        assert "currentColor" in text and "#1a1c1e" not in text
        seen |= ids


def test_a_missing_figure_keeps_its_name_and_says_why() -> None:
    drawing = missing("x", "Title", pd.DataFrame(), "not enough data (n = 1, needs 3 clusters)")
    assert (drawing.name, drawing.title) == ("x", "Title")
    assert drawing.shortfall in drawing.svg


@pytest.mark.parametrize(("ground", "text"), [((1.0, 1.0, 1.0), "#10233a"), ((0.03, 0.19, 0.42), "#ffffff")])
def test_text_on_a_cell_contrasts(ground: tuple[float, float, float], text: str) -> None:
    assert text_colour(ground) == text
