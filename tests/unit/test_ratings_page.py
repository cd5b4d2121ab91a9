"""The survey's page in a real browser: sliders, keys, no default answer, one way only, pause, export, access."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from dualpair import traits
from dualpair.validation import ratings_design, ratings_page, ratings_returned, ratings_sheets, ratings_text
from dualpair.validation.ratings_design import RATING, rows_of
from tests.unit import ratings_world as made
from tests.unit.browser import Browser
from tests.unit.test_sheet_page import (  # noqa: F401
    CONTRAST,
    FULL_STORAGE,
    NO_STORAGE,
    _fresh,
    asks_before_leaving,
    click,
    read,
    saved,
    script,
)
from tests.unit.test_sheets import AWKWARD

pytestmark = pytest.mark.browser

HEADING = "document.getElementById('heading').textContent"
COUNT = "document.getElementById('count').textContent"
FIRST = "document.querySelector('#sliders input')"
VALUES = "[...document.querySelectorAll('#sliders output')].map(one => one.textContent)"
SPOKEN = "[...document.querySelectorAll('#sliders input')].map(one => one.getAttribute('aria-valuetext'))"
VISIBLE = (
    "['kept', 'not-kept', 'lost', 'open', 'end', 'saved', 'page'].filter(id => !document.getElementById(id).hidden)"
)
NONE = "no answer yet"


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> made.World:
    return made.world(tmp_path_factory.mktemp("survey"))


def begin(browser: Browser, page: Path, width: int = 1280, scheme: str = "light") -> None:
    browser.open(page, width, scheme)
    browser.press("Tab")  # a browser asks before it leaves only a page that somebody has used
    browser.run("document.getElementById('begin').click()")


def put(browser: Browser, one: Any, value: int) -> None:
    """Answer a question as a person's click or drag does."""
    if one.kind != RATING:
        browser.run(f"document.querySelectorAll('#options input')[{value - 1}].click()")
        return
    slider = f"document.getElementById('{one.item_id}')"
    browser.run(f"{slider}.value = {value}; {slider}.dispatchEvent(new Event('input'))")


def fill(browser: Browser, questions: list[Any], given: made.Answers) -> None:
    """Fill in all pages, each slider that has an answer."""
    for page in sorted({one.page for one in questions}):
        asked = [one for one in questions if one.page == page]
        assert browser.run(HEADING) == asked[0].question
        for one in asked:
            if one.item_id in given:
                put(browser, one, int(given[one.item_id]))
        click(browser, "next")
        if any(one.item_id not in given for one in asked):
            click(browser, "next")


def test_a_slider_that_nobody_touched_has_no_answer(browser: Browser, survey: made.World, tmp_path: Path) -> None:
    begin(browser, survey.sheet(ending="html"))
    assert browser.run(COUNT) == "Page 1 of 7" and browser.run(VALUES) == [NONE] * 16 == browser.run(SPOKEN)
    browser.press("Tab")
    assert browser.run(f"document.activeElement === {FIRST}")
    browser.press("ArrowRight", "ArrowRight", "ArrowLeft")
    assert browser.run(VALUES) == ["51 of 100"] + [NONE] * 15 == browser.run(SPOKEN)
    browser.press("PageUp")
    assert browser.run(VALUES)[0] == "61 of 100"
    browser.press("Home")
    assert browser.run(VALUES)[0] == "0 of 100"
    browser.press("End")
    assert browser.run(VALUES)[0] == "100 of 100"
    browser.press("Delete")
    assert browser.run(VALUES) == [NONE] * 16
    browser.press("Enter")
    assert browser.run(VALUES)[0] == "50 of 100"
    browser.run("document.querySelector('#sliders button').click()")
    assert browser.run(VALUES) == [NONE] * 16 and browser.run(f"document.activeElement === {FIRST}")
    # A real click on the middle changes nothing that the browser reports, and is an answer.
    box = f"(() => {{ const b = {FIRST}.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2] }})()"
    x, y = browser.run(box)
    for kind in ("mousePressed", "mouseReleased"):
        browser.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
    assert browser.run(VALUES) == ["50 of 100"] + [NONE] * 15
    rows = read(saved(browser, tmp_path / "out"))
    assert [row["answer"] for row in rows] == ["50"] + [""] * 81


def test_pages_go_one_way_and_an_open_page_is_asked_about_once(browser: Browser, survey: made.World) -> None:
    begin(browser, survey.sheet(ending="html"))
    questions = survey.questions()
    for one in questions[:14]:
        put(browser, one, 30)
    click(browser, "next")
    assert browser.run(COUNT) == "Page 1 of 7" and "open" in browser.run(VISIBLE)
    assert browser.run("document.getElementById('open').textContent").startswith("2 without an answer")
    put(browser, questions[14], 3)
    assert browser.run("document.getElementById('open').textContent").startswith("1 without an answer")
    click(browser, "next")
    assert browser.run(COUNT) == "Page 2 of 7" and "open" not in browser.run(VISIBLE)
    assert browser.run("document.activeElement.id") == "heading"
    # Nothing of the page before is left, and there is no way back to it.
    assert not browser.run(f"document.getElementById('{questions[0].item_id}')")
    buttons = browser.run(
        "[...document.querySelectorAll('#work button')].filter(b => !b.closest('.slider')).map(b => b.id)"
    )
    assert buttons == ["next", "save"]


def test_a_whole_survey_comes_back(browser: Browser, survey: made.World, tmp_path: Path) -> None:
    """Filled in in the browser, saved, read: every answer, and the same file as the CSV sheet but for the header."""
    questions = survey.questions()
    given = made.answers(questions, noise=5)
    skipped = [one.item_id for one in questions if one.kind == RATING][5:8]
    kept = {item_id: value for item_id, value in given.items() if item_id not in skipped}
    begin(browser, survey.sheet(ending="html"))
    fill(browser, questions, kept)
    assert browser.run(VISIBLE) == ["kept", "end"]
    assert asks_before_leaving(browser)
    click(browser, "begin")
    path = saved(browser, tmp_path / "out")
    assert path.name == "ratings-en-annotator-1.csv" and "saved" in browser.run(VISIBLE)
    assert not asks_before_leaving(browser)
    assert path.read_bytes() == b'\xef\xbb\xbf"' + b'","'.join(
        name.encode() for name in ratings_text.COLUMNS
    ) + b'"\r\n' + _answered(survey, kept)
    found = ratings_returned.read(made.files(path), survey.key)
    assert {row.item_id for row in rows_of(found.problems) if row.problem == "no_answer"} == set(skipped)
    assert {item_id: row.value for item_id, row in found.rows.items() if not row.reason} == kept


def _answered(survey: made.World, given: made.Answers) -> bytes:
    """The CSV sheet's rows with the answers."""
    rows = survey.sheet(ending="csv").read_bytes().split(b"\r\n")[1:-1]
    lines = []
    for one, row in zip(survey.questions(), rows, strict=True):
        head, end = row.rsplit(b',"",', 1)
        lines.append(head + b',"' + str(given.get(one.item_id, "")).encode() + b'",' + end + b"\r\n")
    return b"".join(lines)


def test_a_reload_resumes_and_damaged_storage_is_no_obstacle(browser: Browser, survey: made.World) -> None:
    page, questions = survey.sheet(ending="html"), survey.questions()
    begin(browser, page)
    for one in questions[:16]:
        put(browser, one, 30)
    click(browser, "next")
    assert not asks_before_leaving(browser)
    assert browser.run("document.getElementById('begin').textContent") == "Go on"
    click(browser, "begin")
    assert browser.run(COUNT) == "Page 2 of 7"
    key = browser.run("JSON.parse(document.getElementById('data').textContent).key")
    assert len(browser.run(f"Object.keys(JSON.parse(localStorage.getItem('{key}')).answers)")) == 16
    begin(browser, survey.sheet("annotator-2", "html"))
    assert browser.run(COUNT) == "Page 1 of 7" and browser.run(VALUES) == [NONE] * 16
    bad = {
        "answers": {questions[0].item_id: 101, questions[1].item_id: "5", "x": 3, questions[2].item_id: 7},
        "position": -3,
    }
    for stored, values in (("{", [NONE] * 16), (json.dumps(bad), [NONE] * 2 + ["7 of 100"] + [NONE] * 13)):
        browser.run(f"localStorage.setItem({json.dumps(key)}, {json.dumps(stored)})")
        begin(browser, page)
        assert browser.run(COUNT) == "Page 1 of 7" and browser.run(VALUES) == values


@pytest.mark.parametrize("broken", [NO_STORAGE, FULL_STORAGE])
def test_without_storage_it_says_so_and_asks_before_leaving(
    browser: Browser,
    survey: made.World,
    script: Any,  # noqa: F811
    broken: str,
) -> None:
    script(broken)
    begin(browser, survey.sheet(ending="html"))
    assert browser.run(VISIBLE) == ["not-kept", "lost", "page"]
    put(browser, survey.questions()[0], 3)
    assert asks_before_leaving(browser)


def test_awkward_names_are_shown_and_saved_exactly(browser: Browser, tmp_path: Path) -> None:
    groups = [*AWKWARD, "</script>", "<!-- x", "a\u2028b"]
    texts = ratings_text.load("en")
    key = ratings_design.design([ratings_design.Survey([(g, g) for g in groups], texts)], made.PAIRS, 1, 10, 2)
    seen = set()
    for annotator in sorted(set(key["annotator"])):
        questions = key[key["annotator"] == annotator].sort_values("position")
        page = tmp_path / f"{annotator}.html"
        page.write_bytes(ratings_page.html_bytes(questions, texts, annotator))
        begin(browser, page)
        fill(browser, list(rows_of(questions)), made.answers(rows_of(questions)))
        rows = read(saved(browser, tmp_path / "out"))
        assert [row["question"] for row in rows] == list(questions["question"])
        assert [row["right"] for row in rows] == list(questions["right"])
        seen |= {row["question"] for row in rows}
    assert set(groups) <= seen


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 320])
@pytest.mark.parametrize("lang", ratings_text.shipped())
def test_no_message_no_request_no_overflow_and_enough_contrast(
    browser: Browser, tmp_path: Path, lang: str, width: int, scheme: str
) -> None:
    texts = ratings_text.load(lang)
    named = [(group, texts.groups[group]) for group in traits.abc().groups]
    key = ratings_design.design([ratings_design.Survey(named, texts)], made.PAIRS, 1, made.N_PAGES, 1)
    questions = key[key["annotator"] == "annotator-1"].sort_values("position")
    page = tmp_path / "page.html"
    page.write_bytes(ratings_page.html_bytes(questions, texts, "annotator-1"))
    browser.events.clear()
    browser.open(page, width, scheme)
    ratios = browser.run(CONTRAST)
    click(browser, "begin")
    for number in range(1, 8):
        put(browser, next(one for one in rows_of(questions) if one.page == number), 1)
        click(browser, "next")
        time.sleep(0.2)  # a change of colour takes a moment
        ratios += browser.run(CONTRAST)
        assert browser.run("document.documentElement.scrollWidth <= innerWidth")
        if browser.run("!document.getElementById('open').hidden"):
            click(browser, "next")
    assert "end" in browser.run(VISIBLE)
    assert len(ratios) > 200 and min(ratios)[0] >= 4.5, min(ratios)
    assert browser.run("document.documentElement.lang") == lang
    methods = [event["method"] for event in browser.events]
    assert not {"Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"} & set(methods)
    requests = [e["params"]["request"]["url"] for e in browser.events if e["method"] == "Network.requestWillBeSent"]
    assert requests == [page.as_uri()]


def test_names_roles_and_keys(browser: Browser, survey: made.World) -> None:
    questions = survey.questions()
    begin(browser, survey.sheet(ending="html"))
    put(browser, questions[0], 70)
    nodes = [node for node in browser.send("Accessibility.getFullAXTree")["nodes"] if not node["ignored"]]
    sliders = [node for node in nodes if node["role"]["value"] == "slider"]
    assert [node["name"]["value"] for node in sliders] == [
        f"{one.left} (0) – {one.right} (100)" for one in questions[:16]
    ]
    assert [node["description"]["value"] for node in sliders[:2]] == ["70 of 100", NONE]
    buttons = [node["name"]["value"] for node in nodes if node["role"]["value"] == "button"]
    pair = f"{questions[0].left} (0) – {questions[0].right} (100)"
    # Of the sliders, only the one with an answer offers to take it back.
    assert sorted(buttons) == ["Next page", "Save answers to a file", f"Take the answer back: {pair}"]
    browser.run("document.getElementById('heading').focus()")
    browser.press("Tab")
    assert browser.run("parseFloat(getComputedStyle(document.activeElement).outlineWidth)") >= 2
    # The first question with options.
    while browser.run("document.getElementById('options').hidden"):
        click(browser, "next")
    nodes = [node for node in browser.send("Accessibility.getFullAXTree")["nodes"] if not node["ignored"]]
    asked = next(one for one in questions if one.question == browser.run(HEADING))
    assert [n["name"]["value"] for n in nodes if n["role"]["value"] == "radio"] == list(asked.options)
    (group,) = [n["name"]["value"] for n in nodes if n["role"]["value"] == "radiogroup"]
    assert group == asked.question


def test_files_of_the_survey_have_the_page(survey: made.World) -> None:
    own = survey.key[survey.key["annotator"] == "annotator-1"].sort_values("position")
    page = ratings_page.html_bytes(own, ratings_text.load("en"), "annotator-1")
    assert page == survey.sheet(ending="html").read_bytes()
    assert page.count(b"</script>") == 2 and ratings_sheets.FOLDER in survey.sheet().parts
