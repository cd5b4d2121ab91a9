"""The report's accessibility, checked by axe-core in a real browser: small and full size, light and dark, wide and narrow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dualpair.report.html import build
from tests.unit import report_world
from tests.unit.browser import Browser, violations
from tests.unit.measure_world import FULL, World
from tests.unit.test_report import report_data

pytestmark = pytest.mark.browser

OPEN = """
document.getElementById("reveal").click();
for (const opener of [...document.querySelectorAll(".opener")].slice(0, 2)) opener.click();
for (const details of document.querySelectorAll("details")) details.open = true;
document.head.append(Object.assign(document.createElement("style"),
  {textContent: "main > section { content-visibility: visible !important; }"}));
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("small") / "report.html"
    path.write_text(build(report_data(n_sets=6)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All analyses of the measures, and sections of a test's own."""
    world = World(models=("a", "b", "c", "d"), n_sets=16, n_variants=6, groups=(2, 3))
    path = tmp_path_factory.mktemp("every") / "report.html"
    path.write_text(build(report_world.made(world, report_world.own_sections(), every=True)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("full") / "report.html"
    path.write_text(build(report_world.made(FULL)), encoding="utf-8")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["small", "every", "full"])
def test_axe_finds_nothing_serious_and_the_page_fits(
    browser: Browser, request: pytest.FixtureRequest, name: str, width: int, scheme: str
) -> None:
    browser.open(request.getfixturevalue(name), width, scheme)
    browser.run(OPEN)
    assert violations(browser, ("moderate", "serious", "critical")) == []
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_long_fingerprint_in_the_methods_does_not_widen_the_page(
    browser: Browser, tmp_path: Path, width: int
) -> None:
    made = report_data(n_sets=2)
    known = {**made.provenance, "model tiny-base": f"embedded:{'0123456789abcdef' * 8}, float32"}
    path = tmp_path / "report.html"
    path.write_text(build(replace(made, provenance=known)), encoding="utf-8")
    browser.open(path, width, "light")
    browser.run(OPEN)
    assert browser.run("document.getElementById('methods-text').textContent.includes('0123456789abcdef'.repeat(8))")
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")


def test_axe_does_find_what_is_wrong(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "wrong.html"
    path.write_text(
        '<html><title>t</title><body><main><h1>t</h1><input><p style="color:#ccc">too pale</p></main>', "utf-8"
    )
    browser.open(path, 400, "light")
    found = {one.split(":")[0] for one in violations(browser)}
    assert found == {"critical label", "serious color-contrast", "serious html-has-lang"}


def test_the_keyboard_reaches_the_content_and_opens_the_explorer(browser: Browser, small: Path) -> None:
    browser.open(small, 1280, "light")
    browser.press("Tab")
    assert browser.run("document.activeElement.className") == "skip"
    browser.run("document.getElementById('reveal').focus()")
    browser.press("Enter")
    assert browser.run("document.getElementById('sets').hidden") is False
    browser.run("document.querySelector('.opener').focus()")
    browser.press("Enter")
    assert browser.run("document.activeElement.getAttribute('aria-expanded')") == "true"
    assert browser.run("document.querySelectorAll('.detail').length") == 1
