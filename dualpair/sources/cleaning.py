"""The rules for text cells: what is made equal, and which characters make a row unusable.

Made equal (:func:`clean`): Unicode form C; zero-width and direction marks removed; full-width letters and digits
narrowed, full-width punctuation too where the language writes spaces; every run of white space one space.
Unusable (:func:`flaw`): what shows that the text was damaged before it came here.
"""

from __future__ import annotations

import re

from dualpair import languages

CONTROL = "control_character"
UNREADABLE = "unreadable_character"
WRONGLY_DECODED = "wrongly_decoded_text"
LINE_BREAK = "line_break_in_cell"
TOO_LONG = "too_long"
MAX_CHARACTERS = 1000

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# The private ranges hold what a wrong encoding or a symbol font leaves: no text that others can read.
_UNREADABLE = re.compile("[\ufffd\ud800-\udfff\ufff0-\ufffb\ue000-\uf8ff\U000f0000-\U0010ffff]")
_BREAK = re.compile(r"[\n\r\u2028\u2029]")
# Bytes 0x80 to 0x9f as cp1252 shows them, and 0xa0 to 0xbf: what follows the first byte of a UTF-8 character.
_TRAIL = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\x80-\xbf"
_MOJIBAKE = re.compile(rf"[\xc2-\xdf][{_TRAIL}]|[\xe0-\xef][{_TRAIL}]{{2}}")
# What such pairs give when they are an accident, as in "CAFÉ”", lies outside these.
_COMMON = re.compile(
    "[\u00a0-\u017f\u0370-\u052f\u0590-\u06ff\u0900-\u0dff\u2010-\u203a\u3000-\u9fff\uac00-\ud7a3\uff00-\uffef]"
)
_DIRECTION = dict.fromkeys(map(ord, "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"))
_WIDE_WORDS = {code: code - 0xFEE0 for code in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))}
_WIDE_MARKS = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if code not in _WIDE_WORDS}


def clean(text: str, lang: str) -> str:
    """The text with all that only looks the same made the same.

    Full-width punctuation stays in languages that join words without a space, such as Chinese, where it is the norm.
    """
    if text.isascii():  # nothing but white space to do, and most texts of large English files are
        return " ".join(text.split())
    text = text.translate(_DIRECTION).translate(_WIDE_WORDS)
    if lang not in languages.known() or languages.get(lang).joiner:
        text = text.translate(_WIDE_MARKS)
    return languages.normalise(text)


def flaw(text: str) -> str:
    """Why a cell as read cannot be used, the first reason that holds; empty if it can."""
    stripped = text.strip()
    if _CONTROL.search(stripped):
        return CONTROL
    if not stripped.isascii():
        if _UNREADABLE.search(stripped):
            return UNREADABLE
        if _looks_wrongly_decoded(stripped):
            return WRONGLY_DECODED
    if _BREAK.search(stripped):
        return LINE_BREAK
    return TOO_LONG if len(stripped) > MAX_CHARACTERS else ""


def storable(text: str) -> str:
    """The text of a rejected row as the table keeps it: every damaged character shown as U+FFFD."""
    return _UNREADABLE.sub("\ufffd", _CONTROL.sub("\ufffd", text))[: 2 * MAX_CHARACTERS]


def shown(value: object, limit: int = 80) -> str:
    """The value as a message quotes it, cut in the middle when it is long."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit // 2]} … {text[-limit // 3 :]}"


def _looks_wrongly_decoded(text: str) -> bool:
    """UTF-8 that was read as a Western one-byte encoding, e.g. `cafÃ©`: turning it back gives a common character."""
    return any(_COMMON.fullmatch(_turned_back(found)) for found in _MOJIBAKE.findall(text))


def _turned_back(text: str) -> str:
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return ""
