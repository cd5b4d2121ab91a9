"""What a cell of a returned survey says: a whole number, or the words of one of a question's answers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from dualpair.validation import returned_text as texts
from dualpair.validation.returned_problems import NO_ANSWER
from dualpair.validation.sheets import unescape

NOT_A_NUMBER, NOT_WHOLE, OUT_OF_RANGE = "not_a_number", "not_a_whole_number", "out_of_range"
_NUMBER = re.compile(r"[+-]?\d+(?:[.,](\d+))?")


def whole_number(text: str, least: int, most: int) -> tuple[int | None, str]:
    """The number that a cell's text is, or why it is none between ``least`` and ``most``.

    Digits of any script and width count, as do decimals of zero and an apostrophe in front, by which spreadsheet
    programs mark text. A cell without letters and digits is no answer.
    """
    given = unicodedata.normalize("NFKC", unescape(text)).strip().lstrip("'")
    found = _NUMBER.fullmatch(given)
    if not any(char.isalnum() for char in given):
        return None, NO_ANSWER
    if found is None:
        return None, NOT_A_NUMBER
    if any(int(digit) for digit in found.group(1) or ""):
        return None, NOT_WHOLE
    value = int(re.split(r"[.,]", given)[0])
    return (value, "") if least <= value <= most else (None, OUT_OF_RANGE)


def option_number(text: str, options: Sequence[str]) -> int:
    """Number, from 1, of the answer whose words a cell holds (``2 = judges`` or ``judges``); 0: none."""
    given = texts.loose(text).casefold()
    for number, option in enumerate(options, start=1):
        if given in (texts.loose(form).casefold() for form in (option, f"{number} = {option}")):
            return number
    return 0
