"""Human validation: what the sheets hold, and that they are written once."""

from __future__ import annotations

import csv
import io
import time
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from dualpair.paths import resource
from dualpair.schemas import table
from dualpair.validation import instructions, sampling, sheets
from dualpair.validation.mismatch import Similarity
from dualpair.validation.sampling import SampleSettings

LANGS = ("en", "es", "ru", "zh")
BELOW = {"similarity_below_threshold", "contradiction_above_threshold", "contradiction_below_threshold"}
AWKWARD = (
    "=1+1",
    "-5",
    "+x",
    "@a",
    "'=x",
    "'Twas",
    '"q"',
    "\uff1dA1",
    "NA",
    "1/2",
    "русский",
    "中文",
    "عربي",
    "“é”",
    "🙂",
)


def _frame(name: str, rows: list[dict[str, Any]]) -> pd.DataFrame:
    """The table with the rows given; what they do not give is empty."""
    blank: dict[str, Any] = {}
    for column in table(name).columns:
        kind = str(column.type)
        blank[column.name] = [] if kind.startswith("list") else 0 if kind in ("int64", "double") else ""
    return pd.DataFrame([{**blank, **row} for row in rows], columns=table(name).names)


def _world(n_sets: int = 12, n_variants: int = 3, langs: tuple[str, ...] = ("en", "zh")) -> tuple[pd.DataFrame, ...]:
    """Sets of three bias types with kept and dropped variants, each kept one with a chosen and a dropped alternate."""
    sets, variants, alternates = [], [], []
    for lang in langs:
        for s in range(n_sets):
            base: dict[str, Any] = {
                "set_id": f"s{s:02}",
                "cluster_id": f"c{s:02}",
                "lang": lang,
                "bias_type": f"b{s % 3}",
            }
            sets.append({**base, "groups": [f"G{s}", f"H{s}"], "attribute": f"a{s}", "final_mark": "!", "kept": True})
            for v in range(n_variants + 2):
                kept = v <= n_variants
                own = {**base, "variant_id": f"v{v}", "candidate_id": f"p-{lang}-{s}-{v}", "attribute": f"a{s}v{v}"}
                own["attribute"] = f"a{s}" if v == 0 else own["attribute"]
                reason = "" if kept else "similarity_below_threshold"
                variants.append({**own, "is_original": v == 0, "kept": kept, "reason": reason})
                if not kept:
                    continue
                for text, chosen, why in (("not", True, ""), ("low", False, "contradiction_below_threshold")):
                    row = {**base, "variant_id": f"v{v}", "candidate_id": f"a-{lang}-{s}-{v}-{text}"}
                    row |= {"alternate": f"{text} a{s}v{v}", "chosen": chosen, "kept": chosen, "reason": why}
                    alternates.append(row)
    return _frame("sets", sets), _frame("variants", variants), _frame("alternates", alternates)


def _draw(
    world: tuple[pd.DataFrame, ...],
    n: tuple[int, int, int] = (5, 3, 2),
    seed: int = 1,
    known: Similarity | None = None,
    **more: Any,
) -> sampling.Sample:
    sets, variants, alternates = world
    return sampling.sample(sets, variants, alternates, SampleSettings(*n, **more), seed, BELOW, known)


def _items(firsts: tuple[str, ...], lang: str = "en", task: str = "paraphrase") -> pd.DataFrame:
    rows = [
        {
            "item_id": f"i{n}",
            "pair_id": f"p{n}",
            "task": task,
            "lang": lang,
            "annotator": "annotator-1",
            "kind": "accepted",
            "position": n,
            "first": first,
            "second": f"other {n}",
            "source_first": True,
        }
        for n, first in enumerate(firsts, start=1)
    ]
    return _frame("sheet_key", rows)


# ---------------------------------------------------------------- escaping


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@x", "'@x"),
        ("\tx", "'\tx"),
        ("\rx", "'\rx"),
        ("＝1", "'＝1"),
        ("＋1", "'＋1"),
        ("－1", "'－1"),
        ("＠x", "'＠x"),
        ("'=1", "''=1"),
        ("'Twas", "'Twas"),
        ("a=1", "a=1"),
        ("", ""),
    ],
)
def test_escape_by_hand(text: str, escaped: str) -> None:
    assert sheets.escape(text) == escaped
    assert sheets.unescape(escaped) == text


@given(st.text(alphabet="'=+-@\t\r\n＝＋－＠a", max_size=6) | st.text())
def test_escape_is_reversible_and_leaves_no_active_cell(text: str) -> None:
    escaped = sheets.escape(text)
    assert sheets.unescape(escaped) == text
    assert escaped[:1] not in tuple("=+-@\t\r＝＋－＠")


# ---------------------------------------------------------------- sheets


def test_csv_round_trip_of_awkward_text(tmp_path: Path) -> None:
    sheets.write(_items(AWKWARD), tmp_path)
    data = (tmp_path / "annotator-1" / "paraphrase-en.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf") and data.count(b"\r\n") == len(AWKWARD) + 1
    header, *rows = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    assert header == [
        "item_id",
        "Sentence 1",
        "Sentence 2",
        "Answer (accept / reject / not_fluent)",
        "Comment",
        "annotator",
    ]
    assert tuple(sheets.unescape(row[1]) for row in rows) == AWKWARD
    assert [row[0] for row in rows] == [f"i{n}" for n in range(1, len(AWKWARD) + 1)]
    assert all(row[3:] == ["", "", "annotator-1"] for row in rows)
    frame = pd.read_csv(
        tmp_path / "annotator-1" / "paraphrase-en.csv", encoding="utf-8-sig", dtype=str, keep_default_na=False
    )
    assert tuple(frame["Sentence 1"].map(sheets.unescape)) == AWKWARD


def test_xlsx_cells_are_text_and_only_the_progress_is_a_formula(tmp_path: Path) -> None:
    sheets.write(_items(AWKWARD), tmp_path)
    book = openpyxl.load_workbook(tmp_path / "annotator-1" / "paraphrase-en.xlsx")
    assert book.sheetnames == ["Instructions", "Items"]
    items = book["Items"]
    assert tuple(items.cell(row, 2).value for row in range(2, len(AWKWARD) + 2)) == AWKWARD
    kinds = {cell.data_type for row in items.iter_rows(max_col=3) for cell in row}
    assert kinds == {"s"}
    formulas = [cell.value for row in book["Instructions"].iter_rows() for cell in row if cell.data_type == "f"]
    n = len(AWKWARD)
    count = "+".join(f"COUNTIF('Items'!$D$2:$D${n + 1},\"{answer}\")" for answer in ("accept", "reject", "not_fluent"))
    assert formulas == [f"={count}", f"={n}-({count})"]


def test_xlsx_locks_items_and_frees_answers(tmp_path: Path) -> None:
    sheets.write(_items(("One.", "Two.")), tmp_path)
    items = openpyxl.load_workbook(tmp_path / "annotator-1" / "paraphrase-en.xlsx")["Items"]
    assert items.protection.sheet and items.freeze_panes == "A2"
    assert items.max_row == 3 and items.max_column == 6
    for row in (2, 3):
        locks = [items.cell(row, column).protection.locked for column in range(1, 7)]
        assert locks == [True, True, True, False, False, True]
        assert all(items.cell(row, column).alignment.wrap_text for column in range(1, 7))
        assert items.cell(row, 6).value == "annotator-1"
    (rule,) = items.data_validations.dataValidation
    assert rule.type == "list" and rule.formula1 == '"accept,reject,not_fluent"' and str(rule.sqref) == "D2:D3"
    assert rule.errorStyle in (None, "stop") and rule.showErrorMessage


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("task", sampling.TASKS)
def test_instructions_are_in_the_language_and_warn(tmp_path: Path, lang: str, task: str) -> None:
    sheets.write(_items(("x",), lang, task), tmp_path)
    text = instructions.for_items(lang, lang)
    assert text.lang == lang
    book = openpyxl.load_workbook(tmp_path / "annotator-1" / f"{task}-{lang}.xlsx")
    guide = {cell.value for row in book[text.sheets["instructions"]].iter_rows() for cell in row}
    words = text.tasks[task]
    assert {words.title, words.question, text.warning, *words.answers, *words.answers.values()} <= guide
    other = next(name for name in sampling.TASKS if name != task)
    assert text.tasks[other].question not in guide
    assert {example.answer for example in words.examples} == set(instructions.ANSWERS)


def test_languages_have_different_texts_and_the_same_number_of_rules() -> None:
    texts = [instructions.load(lang) for lang in LANGS]
    assert len({text.warning for text in texts}) == len({text.headers() for text in texts}) == len(LANGS)
    assert len({len(text.rules) for text in texts}) == 1


def test_nothing_handed_out_tells_the_kind(tmp_path: Path) -> None:
    """Swapping what each row is, with the same print, changes no byte of any sheet."""
    key = _draw(_world()).key
    order = {"accepted": "below_threshold", "below_threshold": "mismatched", "mismatched": "accepted"}
    other = key.assign(kind=key["kind"].map(order), set_id="x", variant_id="y", candidate_id="z", source_first=True)
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    written = [path for path in sheets.write(key, tmp_path / "a") if path.name != sheets.KEY_FILE]
    names = [path.relative_to(tmp_path / "a") for path in written]
    sheets.write(other, tmp_path / "b")
    assert len(names) == 2 * 2 * 3
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_equal_keys_give_equal_bytes_later_on(tmp_path: Path) -> None:
    key = _items(("One.",))
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first = sheets.write(key, tmp_path / "a")
    time.sleep(2.1)  # a ZIP archive counts time in steps of two seconds
    second = sheets.write(key, tmp_path / "b")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_english_instructions_can_be_chosen_and_name_the_language_of_the_items(tmp_path: Path) -> None:
    sheets.write(_items(("x",), "zh"), tmp_path, instructions={"zh": "en"})
    book = openpyxl.load_workbook(tmp_path / "annotator-1" / "paraphrase-zh.xlsx")
    assert book.sheetnames == ["Instructions", "Items"]
    guide = " ".join(str(cell.value) for row in book["Instructions"].iter_rows() for cell in row)
    page = (tmp_path / "annotator-1" / "paraphrase-zh.html").read_text(encoding="utf-8")
    for text in (guide, page):
        assert "Both sentences are good Chinese" in text and "{language}" not in text


def test_instructions_that_speak_of_their_own_language_serve_no_other(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"'es': they say what is good Spanish, so .* items in English; .*\{en: en\}"):
        sheets.write(_items(("x",)), tmp_path, instructions={"en": "es"})
    assert list(tmp_path.iterdir()) == []
    own = tmp_path / "fr.yaml"
    own.write_text(resource("sheets", "es.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    assert instructions.for_items(str(own), "fr").warning == instructions.load("es").warning
    with pytest.raises(ValueError, match=r"missing\.yaml': no such file; correct the path"):
        instructions.load("missing.yaml")


def test_the_template_holds_every_entry_and_is_no_language() -> None:
    def shape(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: shape(entry) for name, entry in value.items()}
        return [shape(entry) for entry in value] if isinstance(value, list) else type(value)

    template, english = (
        yaml.safe_load(resource("sheets", *place).read_text(encoding="utf-8"))
        for place in (("template", "instructions.yaml"), ("en.yaml",))
    )
    assert shape(template) == shape(english)
    assert instructions.shipped() == list(LANGS)


@pytest.mark.parametrize("bad", ["a\nb", "a\x0bb", "a\rb", "a\u2028b", "a\uffffb", "\x00"])
def test_a_text_that_does_not_fit_one_cell_is_refused_before_writing(tmp_path: Path, bad: str) -> None:
    key = _items(("fine", bad)).assign(set_id="s7")
    with pytest.raises(ValueError, match=r"set_id 's7', lang 'en', first: has the character"):
        sheets.write(key, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_repeated_item_ids_and_missing_columns_are_refused(tmp_path: Path) -> None:
    key = _items(("a", "b"))
    with pytest.raises(ValueError, match="item_id 'i1' is on more than one row"):
        sheets.write(key.assign(item_id="i1"), tmp_path)
    with pytest.raises(ValueError, match=r"missing columns \['kind'\]"):
        sheets.write(key.drop(columns="kind"), tmp_path)


def test_a_language_without_instructions_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"language 'eo': there are en, es, ru, zh; .*template.*\{eo: en\}"):
        sheets.write(_items(("x",), "eo"), tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("examples_title: Examples", "examples_titel: Examples", "expected exactly the entries"),
        ("examples_title: Examples", "examples_title: ''", "examples_title: found ''"),
        ("items: Items", "items: Instructions", "give two names"),
        ("items: Items", f"items: {'x' * 32}", "32 characters, allowed are 31"),
        ("answer: accept", "answer: yes please", "found 'yes please', allowed are accept, reject, not_fluent"),
        ("  comment: Comment\nsheets", "  comment: 3\nsheets", "columns, comment: found 3"),
        ("pair: Pair {n} of {total}", "pair: Paar {n}", r"page, pair: found 'Paar {n}', which lacks {total}; keep"),
        ("resume: Go on", "resum: Go on", "page: found .*'resum'.*expected exactly the entries rules, begin"),
        ("title: Do the two sentences say the same?", "title: Same: or not?", "cannot be read as YAML"),
    ],
)
def test_damaged_instructions_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "de.yaml"
    path.write_text(resource("sheets", "en.yaml").read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=message) as caught:
        instructions.read_instructions(path)
    assert str(path) in str(caught.value)
