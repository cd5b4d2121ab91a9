"""The page that annotators fill in, in a real browser: keys, pause and resume, export, storage, contrast, direction."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dualpair.paths import resource
from dualpair.validation import instructions, sheets
from dualpair.validation.page import Place, html_bytes, to_script
from tests.unit.browser import Browser
from tests.unit.test_sheets import AWKWARD

pytestmark = pytest.mark.browser

PAIRS = (("Cats sleep a lot.", "Cats sleep very little."), ("Trains are late.", "Trains are on time."), ("A.", "B."))
HEADING = "document.getElementById('heading').textContent"
COUNT = "document.getElementById('count').textContent"
PRESSED = "[...document.querySelectorAll('[aria-pressed=true]')].map(one => one.dataset.answer)"
SHOWN = "['first', 'second'].map(id => document.getElementById(id).textContent)"
VISIBLE = "['kept', 'not-kept', 'lost', 'done', 'saved'].filter(id => !document.getElementById(id).hidden)"
NO_STORAGE = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('denied') }})"
FULL_STORAGE = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"


def make(
    folder: Path, pairs: Any = PAIRS, lang: str = "en", text: str | None = None, annotator: str = "annotator-1"
) -> Path:
    rows = [(f"i{n}", first, second) for n, (first, second) in enumerate(pairs)]
    path = folder / f"{lang}-{annotator}.html"
    path.write_bytes(html_bytes(rows, instructions.for_items(text or lang, lang), Place("alternate", lang, annotator)))
    return path


def begin(browser: Browser, page: Path, width: int = 1280, scheme: str = "light") -> None:
    browser.open(page, width, scheme)
    browser.run("document.getElementById('begin').click()")


def click(browser: Browser, name: str) -> None:
    browser.run(f"document.getElementById('{name}').click()")


def comment(browser: Browser, text: str) -> None:
    browser.run("document.getElementById('comment').focus()")
    browser.send("Input.insertText", text=text)
    browser.run("document.getElementById('comment').blur()")


def saved(browser: Browser, folder: Path) -> Path:
    """Press the button that saves, and the file once it is there."""
    folder.mkdir(exist_ok=True)
    before = set(folder.iterdir())
    browser.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    click(browser, "save")
    for _ in range(100):
        new = [path for path in set(folder.iterdir()) - before if path.suffix == ".csv"]
        if new:
            return new[0]
        time.sleep(0.1)
    raise AssertionError(f"no file in {folder}")


def asks_before_leaving(browser: Browser) -> bool:
    """Whether a reload is asked about; the page is reloaded in any case."""
    browser.events.clear()
    return browser.reload()


@pytest.fixture(name="browser")
def _fresh(browser: Browser, tmp_path: Path) -> Browser:
    """The browser with an empty storage, which all local files share."""
    empty = tmp_path / "empty.html"
    empty.write_text("<!DOCTYPE html>", encoding="utf-8")
    browser.open(empty, 1280, "light")
    browser.run("localStorage.clear()")
    return browser


@pytest.fixture
def script(browser: Browser) -> Iterator[Any]:
    """Scripts that run before the page's own."""
    names: list[str] = []

    def add(source: str) -> None:
        names.append(browser.send("Page.addScriptToEvaluateOnNewDocument", source=source)["identifier"])

    yield add
    for name in names:
        browser.send("Page.removeScriptToEvaluateOnNewDocument", identifier=name)


def read(path: Path) -> list[dict[str, str]]:
    """A saved file as a reader of returned sheets sees it."""
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    rows = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    return [{name: sheets.unescape(cell) for name, cell in row.items()} for row in rows]


# ---------------------------------------------------------------- work


def test_keys_answer_and_move(browser: Browser, tmp_path: Path) -> None:
    begin(browser, make(tmp_path))
    assert browser.run(HEADING) == "Pair 1 of 3" and browser.run(SHOWN) == list(PAIRS[0])
    assert browser.run(COUNT) == "0 of 3 answered" and browser.run(PRESSED) == []
    browser.press("1")
    assert browser.run(PRESSED) == ["accept"] and browser.run(COUNT) == "1 of 3 answered"
    browser.press("2")
    assert browser.run(PRESSED) == ["reject"] and browser.run(COUNT) == "1 of 3 answered"
    browser.press("ArrowRight", "3", "ArrowRight", "ArrowRight")
    assert browser.run(HEADING) == "Pair 3 of 3" and browser.run(SHOWN) == list(PAIRS[2])
    browser.press("ArrowLeft")
    assert browser.run(HEADING) == "Pair 2 of 3" and browser.run(PRESSED) == ["not_fluent"]
    browser.press("3")
    assert browser.run(PRESSED) == [] and browser.run(COUNT) == "1 of 3 answered"
    assert browser.run("document.getElementById('bar').value / document.getElementById('bar').max") == 1 / 3


def test_what_is_typed_into_the_comment_is_no_answer(browser: Browser, tmp_path: Path) -> None:
    begin(browser, make(tmp_path))
    browser.run("document.getElementById('comment').focus()")
    browser.press("1", "ArrowLeft", "2")
    assert browser.run("document.getElementById('comment').value") == "21"
    assert browser.run(PRESSED) == [] and browser.run(HEADING) == "Pair 1 of 3"


def test_jumps(browser: Browser, tmp_path: Path) -> None:
    begin(browser, make(tmp_path))
    browser.press("ArrowRight", "1")
    click(browser, "unanswered")
    assert browser.run(HEADING) == "Pair 3 of 3"
    browser.press("2")
    click(browser, "unanswered")
    assert browser.run(HEADING) == "Pair 1 of 3"
    options = "[...document.getElementById('jump').options].map(one => one.textContent)"
    assert browser.run(options) == ["1: –", "2: accept", "3: reject"]
    browser.run(
        "const jump = document.getElementById('jump'); jump.selectedIndex = 1;jump.dispatchEvent(new Event('change'))"
    )
    assert browser.run(HEADING) == "Pair 2 of 3"
    click(browser, "unanswered")
    browser.press("3")
    assert browser.run("document.getElementById('unanswered').getAttribute('aria-disabled')") == "true"
    click(browser, "unanswered")
    assert browser.run(HEADING) == "Pair 1 of 3" and "done" in browser.run(VISIBLE)


def test_a_reload_resumes_and_other_annotators_are_apart(browser: Browser, tmp_path: Path) -> None:
    page, other = make(tmp_path), make(tmp_path, annotator="annotator-2")
    begin(browser, page)
    browser.press("1", "ArrowRight", "2")
    comment(browser, "“é” 🙂")
    assert not asks_before_leaving(browser)
    assert browser.run("document.getElementById('begin').textContent") == "Go on"
    click(browser, "begin")
    assert browser.run(HEADING) == "Pair 2 of 3" and browser.run(COUNT) == "2 of 3 answered"
    assert browser.run(PRESSED) == ["reject"] and browser.run("document.getElementById('comment').value") == "“é” 🙂"
    begin(browser, other)
    assert browser.run(COUNT) == "0 of 3 answered"
    begin(browser, make(tmp_path, pairs=PAIRS[:2]))
    assert browser.run(COUNT) == "0 of 2 answered"


def test_damaged_storage_is_no_obstacle(browser: Browser, tmp_path: Path) -> None:
    page = make(tmp_path)
    browser.open(page, 1280, "light")
    key = browser.run("JSON.parse(document.getElementById('data').textContent).key")
    bad = {"answers": {"i0": "yes", "x": "accept", "i1": "reject"}, "comments": {"i0": 3}, "position": 99}
    for stored, count, where in (
        ("{", "0 of 3 answered", "Pair 1 of 3"),
        (json.dumps(bad), "1 of 3 answered", "Pair 3 of 3"),
    ):
        browser.run(f"localStorage.setItem({json.dumps(key)}, {json.dumps(stored)})")
        begin(browser, page)
        assert browser.run(COUNT) == count and browser.run(HEADING) == where and "lost" not in browser.run(VISIBLE)


# ---------------------------------------------------------------- export


def test_export_gives_every_awkward_text_back(browser: Browser, tmp_path: Path) -> None:
    texts = (
        *AWKWARD,
        "</script>",
        "<!-- x",
        "a\u2028b",
        'a "b", c;',
        "&lt;",
        "{n} {{ x }}",
        "\u202eabc",
        " x ",
        "\\u0041",
    )
    pairs = [(text, f"{text}{n}") for n, text in enumerate(texts)]
    begin(browser, make(tmp_path, pairs))
    for n, text in enumerate(texts):
        assert browser.run(SHOWN) == list(pairs[n])
        browser.press("123"[n % 3])
        comment(browser, text)
        browser.press("ArrowRight")
    path = saved(browser, tmp_path / "out")
    assert path.name == "alternate-en-annotator-1.csv"
    assert read(path) == [
        {
            "item_id": f"i{n}",
            "first": text,
            "second": f"{text}{n}",
            "answer": instructions.ANSWERS[n % 3],
            "comment": text,
            "annotator": "annotator-1",
        }
        for n, text in enumerate(texts)
    ]
    assert browser.run("document.getElementById('saved').textContent").startswith(
        "Saved as alternate-en-annotator-1.csv"
    )
    # The same bytes as the CSV sheet, but for its header and the answers.
    begin(browser, make(tmp_path, pairs, annotator="annotator-3"))
    rows = [(f"i{n}", *pair) for n, pair in enumerate(pairs)]
    sheet = sheets.csv_bytes(rows, instructions.load("en"), "annotator-3").split(b"\r\n", 1)
    blank = saved(browser, tmp_path / "out").read_bytes().split(b"\r\n", 1)
    assert blank[1] == sheet[1] and blank[0] == b'\xef\xbb\xbf"item_id","first","second","answer","comment","annotator"'


def test_a_pasted_line_break_does_not_reach_the_file(browser: Browser, tmp_path: Path) -> None:
    begin(browser, make(tmp_path))
    comment(browser, "one\r\ntwo\nthree")
    (row, *_) = read(saved(browser, tmp_path / "out"))
    assert "\n" not in row["comment"] and "\r" not in row["comment"]
    assert row["comment"].replace(" ", "") == "onetwothree"


# ---------------------------------------------------------------- storage and leaving


@pytest.mark.parametrize("broken", [NO_STORAGE, FULL_STORAGE], ids=["denied", "full"])
def test_without_storage_it_says_so_and_asks_before_leaving(
    browser: Browser, tmp_path: Path, script: Any, broken: str
) -> None:
    script(broken)
    begin(browser, make(tmp_path))
    assert browser.run(VISIBLE) == ["not-kept", "lost"]
    assert browser.run("document.getElementById('lost').textContent").startswith("This browser keeps nothing")
    browser.press("ArrowRight")
    assert not asks_before_leaving(browser)
    click(browser, "begin")
    browser.press("1")
    assert asks_before_leaving(browser)
    click(browser, "begin")
    assert browser.run(COUNT) == "0 of 3 answered"
    browser.press("1")
    saved(browser, tmp_path / "out")
    assert not asks_before_leaving(browser)


def test_finished_work_that_is_not_saved_is_asked_about(browser: Browser, tmp_path: Path) -> None:
    begin(browser, make(tmp_path))
    assert browser.run(VISIBLE) == ["kept"]
    browser.press("1", "ArrowRight", "1")
    assert not asks_before_leaving(browser)
    click(browser, "begin")
    browser.press("ArrowRight", "1")
    assert browser.run(VISIBLE) == ["kept", "done"]
    assert asks_before_leaving(browser)
    click(browser, "begin")
    browser.press("ArrowLeft")
    saved(browser, tmp_path / "out")
    assert "saved" in browser.run(VISIBLE)
    assert not asks_before_leaving(browser)
    click(browser, "begin")
    comment(browser, "one more")
    assert "saved" not in browser.run(VISIBLE)
    assert asks_before_leaving(browser)


# ---------------------------------------------------------------- looks and access

# Relative luminance and contrast as in WCAG 2.2; the ground is the nearest ancestor's that is not transparent.
CONTRAST = """(() => {
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (text) => parts(text).slice(0, 3).map((one) => one / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, n) => sum + one * [0.2126, 0.7152, 0.0722][n], 0);
  const ground = (node) => {
    for (; node; node = node.parentElement) {
      const text = getComputedStyle(node).backgroundColor;
      if (parts(text).length === 3 || parts(text)[3] > 0) return text;
    }
  };
  const found = [];
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].some((one) => one.nodeType === 3 && one.textContent.trim());
    if (!own || !node.checkVisibility() || ["SCRIPT", "STYLE", "OPTION"].includes(node.tagName)) continue;
    const [a, b] = [light(getComputedStyle(node).color), light(ground(node))].sort((x, y) => y - x);
    found.push([(a + 0.05) / (b + 0.05), node.tagName + " " + node.textContent.slice(0, 30)]);
  }
  return found.sort((x, y) => x[0] - y[0]);
})()"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 320])
@pytest.mark.parametrize("lang", instructions.shipped())
def test_no_message_no_request_no_overflow_and_enough_contrast(
    browser: Browser, tmp_path: Path, lang: str, width: int, scheme: str
) -> None:
    page = make(tmp_path, [*PAIRS, ("W" * 80, "x")], lang)
    browser.events.clear()
    browser.open(page, width, scheme)
    ratios = browser.run(CONTRAST)
    click(browser, "begin")
    browser.press("1", "ArrowRight", "2", "ArrowRight", "3", "ArrowRight", "1")
    time.sleep(0.2)  # a change of colour takes a moment
    ratios += browser.run(CONTRAST)
    assert len(ratios) > 40 and min(ratios)[0] >= 4.5, min(ratios)
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    assert browser.run("document.documentElement.lang") == lang
    methods = [event["method"] for event in browser.events]
    assert not {"Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"} & set(methods)
    requests = [e["params"]["request"]["url"] for e in browser.events if e["method"] == "Network.requestWillBeSent"]
    assert requests == [page.as_uri()]


def test_the_warning_comes_first_and_nothing_is_shown_before_the_start(browser: Browser, tmp_path: Path) -> None:
    browser.open(make(tmp_path), 1280, "light")
    text = instructions.load("en")
    lines = browser.run("document.body.innerText").split("\n")
    shown = [line for line in lines if line.strip()]
    assert shown[:2] == [text.tasks["alternate"].title, text.warning]
    assert all(rule in shown for rule in text.page_rules) and text.page["kept"] in shown
    assert not any(sentence in line for pair in PAIRS[1:2] for sentence in pair for line in shown)


def test_controls_have_names_and_the_tab_key_visits_them_in_order(browser: Browser, tmp_path: Path) -> None:
    begin(browser, make(tmp_path))
    nodes = browser.send("Accessibility.getFullAXTree")["nodes"]
    roles = ("button", "textbox", "combobox", "progressbar", "group", "heading")
    names = [
        (node["role"]["value"], node["name"]["value"])
        for node in nodes
        if not node["ignored"] and node.get("role", {}).get("value") in roles
    ]
    assert {role for role, _ in names} == set(roles)
    assert all(name for _, name in names), names
    browser.run("document.activeElement.blur(); document.getElementById('heading').focus()")
    visited = []
    for _ in range(10):
        browser.press("Tab")
        visited.append(browser.run("document.activeElement.id || document.activeElement.dataset.answer"))
        assert browser.run("parseFloat(getComputedStyle(document.activeElement).outlineWidth)") >= 2
    order = ["accept", "reject", "not_fluent", "comment", "previous", "next", "unanswered", "jump", "save", "again"]
    assert visited == order
    browser.run("document.querySelector('[data-answer=reject]').focus()")
    browser.press("Enter")
    assert browser.run(PRESSED) == ["reject"]
    # A chosen answer differs by more than colour.
    sign = "getComputedStyle(document.querySelector('[data-answer={}] .tick'), '::after').content"
    assert browser.run(sign.format("reject")) == '"✓"' and browser.run(sign.format("accept")) == "none"
    assert browser.run("document.getElementById('count').getAttribute('aria-live')") == "polite"
    browser.press("ArrowRight")
    assert browser.run("document.activeElement.id") == "heading"


def test_less_motion_on_request(browser: Browser, tmp_path: Path) -> None:
    begin(browser, make(tmp_path))
    style = "getComputedStyle(document.getElementById('next')).transitionDuration"
    for wish, moves in (("no-preference", True), ("reduce", False)):
        browser.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": wish}])
        assert (browser.run(style).split(",")[0] != "0s") == moves


def test_right_to_left(browser: Browser, tmp_path: Path) -> None:
    """Arabic sentences below English instructions, and both in Arabic (a file of the user's)."""
    pairs = [("تنام القطط كثيرا.", "لا تنام القطط."), ("عربي ABC", "123")]
    edge = "(() => { const one = document.createRange(); one.selectNodeContents(document.getElementById('first')); "
    edge += "const box = document.getElementById('first').getBoundingClientRect(), text = one.getBoundingClientRect(); "
    edge += "return [text.left - box.left, box.right - text.right]; })()"
    begin(browser, make(tmp_path, pairs, "ar", "en"))
    assert browser.run("document.documentElement.dir") == "ltr"
    left, right = browser.run(edge)
    assert left > 200 and right < 40
    browser.press("ArrowRight")
    assert browser.run(HEADING) == "Pair 2 of 2"
    own = tmp_path / "ar.yaml"
    own.write_text(resource("sheets", "en.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    begin(browser, make(tmp_path, pairs[::-1], "ar", str(own)))
    assert browser.run("[document.documentElement.dir, document.documentElement.lang]") == ["rtl", "ar"]
    browser.press("ArrowLeft")
    assert browser.run(HEADING) == "Pair 2 of 2"
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")


# ---------------------------------------------------------------- without a browser


def test_equal_items_give_equal_bytes_and_the_data_cannot_close_its_element(tmp_path: Path) -> None:
    one, two = (make(tmp_path).read_bytes() for _ in range(2))
    assert one == two
    assert "<" not in to_script(["</script>", "<!--", "\u2028"])
    page = make(tmp_path, [("</script><script>alert(1)</script>", "<img src=x>")]).read_text(encoding="utf-8")
    assert page.count("</script>") == 2 and "<img" not in page
