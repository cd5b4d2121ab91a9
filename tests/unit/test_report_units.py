"""The report names the unit and the meaning of the run's scores."""

from __future__ import annotations

import dataclasses

import pytest

from dualpair.report import tables
from dualpair.report.explorer import payload
from dualpair.report.html import build
from dualpair.report.plots.headline import drawings
from tests.unit.test_report import report_data

SETTINGS = "run: demo\nscoring: {{normalisation: {}, scope: {}}}\n"


@pytest.mark.parametrize(
    ("normalisation", "scope", "unit", "meaning"),
    [
        ("mean", "attribute", "nats per token", "the mean natural log-probability per token of the attribute"),
        ("sum", "sentence", "nats", "the natural log-probability of the whole sentence"),
        ("char", "divergent", "nats per character", "per character of the sentence from the first token on at which"),
        ("byte", "attribute", "nats per byte", "the natural log-probability per UTF-8 byte of the attribute"),
    ],
)
def test_units_follow_the_settings(normalisation: str, scope: str, unit: str, meaning: str) -> None:
    data = report_data(n_sets=4, langs=("en",), models=("tiny-base",))
    data = dataclasses.replace(data, config_yaml=SETTINGS.format(normalisation, scope))
    page = build(data)
    assert payload(data)["unit"] == unit
    assert f"in {unit}" in page
    assert meaning in page
    assert f"B_GxA ({unit})" in tables.headline_view(data.headline, unit).columns
    assert f"in {unit}" in drawings(data.contradictions, data.headline, unit)[-1].svg
