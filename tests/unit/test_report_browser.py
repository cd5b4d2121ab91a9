"""The report in a real browser: no console message, no request, no overflow; filters, sorting, paging and details."""

from __future__ import annotations

from pathlib import Path

import pytest

from dualpair.measures.tables import measure_sets
from dualpair.report.html import build
from tests.unit.browser import Browser
from tests.unit.measure_world import World
from tests.unit.report_world import made
from tests.unit.test_report import report_data

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(build(report_data()), encoding="utf-8")
    return path


SHOW = "document.getElementById('reveal').click()"
ROWS = "[...document.querySelectorAll('#list > tbody > tr')]"
COUNT = "document.getElementById('count').textContent"


def choose(name: str, value: str) -> str:
    field = f"document.getElementById('filters').elements['{name}']"
    return f"{field}.value = '{value}'; {field}.dispatchEvent(new Event('input', {{bubbles: true}})); {COUNT}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_no_message_no_request_no_overflow(browser: Browser, page: Path, width: int, scheme: str) -> None:
    browser.events.clear()
    browser.open(page, width, scheme)
    browser.run(SHOW)
    browser.run("for (const opener of [...document.querySelectorAll('.opener')].slice(0, 5)) opener.click()")
    browser.run("for (const details of document.querySelectorAll('details')) details.open = true")
    browser.run("for (const part of document.querySelectorAll('section')) part.style.contentVisibility = 'visible'")
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    methods = [event["method"] for event in browser.events]
    assert not {"Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"} & set(methods)
    requests = [e["params"]["request"]["url"] for e in browser.events if e["method"] == "Network.requestWillBeSent"]
    assert requests == [page.as_uri()]


def test_sets_appear_on_request_and_hide_again(browser: Browser, page: Path) -> None:
    browser.open(page, 1280, "light")
    assert browser.run("document.getElementById('sets').offsetHeight") == 0
    assert browser.run(f"{ROWS}.length") == 0
    browser.run(SHOW)
    assert browser.run("document.getElementById('sets').offsetHeight") > 300
    assert browser.run(f"{ROWS}.length") == 25
    browser.run(SHOW)
    assert browser.run("document.getElementById('sets').offsetHeight") == 0


def test_filters(browser: Browser, page: Path) -> None:
    browser.open(page, 1280, "light")
    browser.run(SHOW)
    assert browser.run(COUNT) == "40 of 40 sets, 120 rows (one per set and model)"
    assert browser.run(choose("lang", "ru")) == "10 of 40 sets, 30 rows (one per set and model)"
    assert browser.run(choose("model", "tiny-base")) == "10 of 40 sets, 10 rows (one per set and model)"
    assert browser.run(choose("type", "age")) == "5 of 40 sets, 5 rows (one per set and model)"
    assert browser.run(choose("text", "МАЛО СПЯТ 3-")) == "1 of 40 sets, 1 row (one per set and model)"
    assert browser.run(choose("text", "no such text")) == "No set fits these filters."
    browser.run("document.querySelector('#filters [type=reset]').click(); new Promise(done => setTimeout(done, 20))")
    assert browser.run(COUNT).startswith("40 of 40 sets")


def test_sorting_and_paging(browser: Browser, page: Path) -> None:
    browser.open(page, 1280, "light")
    browser.run(SHOW)
    browser.run("document.querySelector('#list th[data-key=i] button').click()")
    column = f"{ROWS}.map(row => Number(row.cells[7].textContent.replaceAll('−', '-')))"
    first = browser.run(column)
    assert first == sorted(first, reverse=True)
    assert browser.run("document.querySelector('#list th[data-key=i]').getAttribute('aria-sort')") == "descending"
    browser.run("document.querySelector('#pager [data-step=\"1\"]').click()")
    second = browser.run(column)
    assert second[0] <= first[-1]
    assert browser.run("document.querySelector('#pager span').textContent") == "Page 2 of 5"
    browser.run("document.querySelector('#list th[data-key=i] button').click()")
    ascending = browser.run(column)
    assert ascending == sorted(ascending)


def test_a_set_opens_to_its_pairs_and_scores(browser: Browser, page: Path) -> None:
    browser.open(page, 1280, "light")
    browser.run(SHOW)
    browser.run(choose("text", "pets-03"))
    browser.run(choose("lang", "zh"))
    browser.run("document.querySelector('.opener').click()")
    assert browser.run("document.querySelectorAll('.detail .pair').length") == 3
    assert browser.run("document.querySelectorAll('.detail .pair:first-child tbody tr').length") == 3
    cells = browser.run(
        "[...document.querySelectorAll('.detail .pair tbody tr:nth-child(2) > *')].map(c => c.textContent)"
    )
    assert cells[0] == "狗睡得很多 3-0。"
    assert cells[2] == "狗睡得很少 3-0。"
    heads = "[...document.querySelectorAll('.detail .pair tbody th[scope=row]')].length"
    assert browser.run(heads) == 9
    measures = report_data().measures["gemma-3-270m"]
    row = measures.query("lang == 'zh' and set_id == 'pets-03' and variant_id == 'v0'").iloc[0]
    expected = [row["x"][1], row["y"][1], row["q"][1], row["B_G"][0], row["B_G_alt"][0], row["B_GxA"][0]]
    shown = [float(cells[index].replace("−", "-")) for index in (1, 3, 4, 5, 6, 7)]
    assert shown == pytest.approx(expected, rel=6e-4)
    assert browser.run("document.querySelector('.detail span[lang]').lang") == "zh"
    browser.run("document.querySelector('.opener').click()")
    assert browser.run("document.querySelectorAll('.detail').length") == 0


NUMBERS = "{}.map(row => Number(row.cells[{}].textContent.replaceAll('−', '-')))"


@pytest.mark.parametrize(
    ("column", "key", "metric"), [(5, "b", "B_GxA"), (6, "strength", "absB_avg"), (7, "i", "I_GxA")]
)
def test_the_page_computes_the_means_of_the_set_measures(
    browser: Browser, page: Path, column: int, key: str, metric: str
) -> None:
    browser.open(page, 1280, "light")
    browser.run(SHOW)
    browser.run(choose("model", "tiny-base"))
    browser.run(choose("lang", "en"))
    browser.run(choose("sort", f"{key} down"))
    shown = browser.run(NUMBERS.format(ROWS, column))
    expected = measure_sets(report_data().measures["tiny-base"].query("lang == 'en'"))[metric]
    assert shown == pytest.approx(sorted(expected, reverse=True), rel=6e-4)


def test_disagreement_is_the_deviation_between_wordings(browser: Browser, page: Path) -> None:
    browser.open(page, 1280, "light")
    browser.run(SHOW)
    browser.run(choose("model", "tiny-base"))
    browser.run(choose("lang", "en"))
    browser.run(choose("sort", "spread down"))
    shown = browser.run(f"{ROWS}.map(row => row.cells[8].textContent)")
    own = report_data().measures["tiny-base"].query("lang == 'en'")
    deviations = own.groupby("set_id")["B_signed_mean"].std().sort_values(ascending=False)
    known = deviations.dropna()
    assert [float(text) for text in shown[: len(known)]] == pytest.approx(known.tolist(), rel=6e-4)
    assert 0 < len(known) < len(shown)
    assert set(shown[len(known) :]) == {"–"}


def test_the_original_pairs_outcomes_are_those_of_the_measures(browser: Browser, page: Path) -> None:
    browser.open(page, 1280, "light")
    browser.run(SHOW)
    browser.run(choose("model", "tiny-base"))
    v0 = report_data().measures["tiny-base"].query("variant_id == 'v0'")
    for outcome, column in (("contradiction", "contradiction"), ("flip", "flip")):
        count = browser.run(choose("outcome", outcome))
        assert count.startswith(f"{int(v0[column].sum())} of 40 sets, ")


def test_the_methods_text_is_copied_or_selected(browser: Browser, page: Path) -> None:
    browser.open(page, 1280, "light")
    browser.run("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }")
    browser.run("document.getElementById('copy').click(); new Promise(done => setTimeout(done, 20))")
    assert browser.run("document.getElementById('copied').textContent") == "Copied."
    plain = browser.run("window.copied")
    assert plain.startswith("Scoring. Each sentence")
    assert "B_G×A(j) = B_G(j) − B_G,alt(j)" in plain
    browser.run("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))")
    browser.run("document.getElementById('copy').click(); new Promise(done => setTimeout(done, 20))")
    assert "the text is selected" in browser.run("document.getElementById('copied').textContent")
    assert browser.run("getSelection().toString()").startswith("Scoring. Each sentence")


def test_paper_shows_what_the_screen_folds(browser: Browser, page: Path) -> None:
    browser.open(page, 1280, "light")
    folded = "document.querySelectorAll('details:not([open], .long)').length"
    before = browser.run(folded)
    assert before > 0
    browser.run("dispatchEvent(new Event('beforeprint'))")
    assert browser.run(folded) == 0
    browser.run("dispatchEvent(new Event('afterprint'))")
    assert browser.run(folded) == before


def test_of_many_sets_one_page_is_drawn(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "many.html"
    world = World(models=tuple(f"m{i}" for i in range(10)), langs=("en",), n_sets=200, n_variants=3)
    path.write_text(build(made(world)), "utf-8")
    browser.open(path, 1280, "light")
    browser.run(SHOW)
    assert browser.run(COUNT) == "200 of 200 sets, 2000 rows (one per set and model)"
    assert browser.run(f"{ROWS}.length") == 25
    assert browser.run(choose("text", "GROUP 1")) == "200 of 200 sets, 2000 rows (one per set and model)"
    assert browser.run(f"{ROWS}.length") == 25
