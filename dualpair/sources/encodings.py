"""Bytes to text in a named encoding; a wrong name is refused with the encodings that would read the file."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from dualpair import languages
from dualpair.errors import InputError

_CANDIDATES = (
    "utf-8", "utf-16", "cp1252", "cp1251", "gb18030", "big5", "cp1250", "cp1256", "cp1253", "cp1254", "cp1255",
    "koi8-r", "shift_jis", "euc-kr",
)  # fmt: skip
_SCRIPTS = {"Latn": "LATIN", "Cyrl": "CYRILLIC", "Hans": "CJK", "Hant": "CJK", "Arab": "ARABIC", "Grek": "GREEK",
            "Hebr": "HEBREW", "Deva": "DEVANAGARI", "Beng": "BENGALI"}  # fmt: skip
_NO_TEXT = {
    b"PK\x03\x04": "a ZIP archive (as .xlsx workbooks are)",
    b"\x1f\x8b": "compressed by gzip",
    b"PAR1": "Parquet",
}
_SEVEN_BIT = ("hz", "iso2022", "utf_7", "utf-7")


def decode(data: bytes, path: Path, encoding: str, lang: str = "") -> str:
    """The text of a file, without its byte-order mark.

    Args:
        data: the file's bytes.
        path: for messages.
        encoding: Python's name of it.
        lang: language of the text, which helps to tell encodings apart.

    Raises:
        InputError: the bytes are not in that encoding, or are plainly UTF-8 although another one is named.
    """
    archive = next((what for start, what in _NO_TEXT.items() if data.startswith(start)), None)
    if archive is not None:
        raise InputError(f"{path}: is {archive}, no text; unpack it, or give it the ending of what it is")
    name = codecs.lookup(encoding).name
    try:
        text = data.decode("utf-8-sig" if name == "utf-8" else name)
    except UnicodeError as error:
        where = _where(data, error)
        advice = _mend(data, error) if name == "utf-8" and _mostly_utf8(data) else _advice(data, name, lang)
        raise InputError(f"{path}: not {_title(name)}{where}; {advice}") from error
    if name != "utf-8" and not name.startswith(_SEVEN_BIT) and _is_utf8(data, text):
        raise InputError(
            f"{path}: `source.reading.encoding` says {encoding}, but the file is valid UTF-8; set it to utf-8"
        )
    if "\x00" in text:
        line = text.count("\n", 0, text.index("\x00")) + 1
        raise InputError(f"{path}: line {line}: a NUL character; {_advice(data, name, lang)}")
    return text.removeprefix("\ufeff")


def in_script(letters: Iterable[str], lang: str) -> bool:
    """Whether any of the letters is of the language's script; true where the script is not known here."""
    script = _SCRIPTS.get(languages.get(lang).script, "") if lang in languages.known() else ""
    return not script or any(unicodedata.name(char, "").startswith(script) for char in letters)


def advice(path: Path, encoding: str, lang: str) -> str:
    """A half-sentence with the encodings that would read a file as plausible text; empty if there are none."""
    tried = codecs.lookup(encoding).name
    if tried == "utf-8":  # what is valid UTF-8 is nothing else: the text was damaged before, or is another one
        return ""
    readings = [
        (name, text) for name, text in suggestions(path.read_bytes(), lang) if codecs.lookup(name).name != tried
    ]
    shown = " or ".join(f"{name} (…{sample!r}…)" for name, sample in readings)
    return f", or set `source.reading.encoding`: it reads as {shown}" if shown else ""


def suggestions(data: bytes, lang: str = "") -> list[tuple[str, str]]:
    """Up to two encodings that read the bytes as plausible text, best first, each with a sample of the text."""
    found: list[tuple[float, int, str, str]] = []
    for rank, name in enumerate(_CANDIDATES):
        try:
            text = data.decode("utf-8-sig" if name == "utf-8" else name)
        except UnicodeError:
            continue
        if name == "utf-16" and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and b"\x00" not in data:
            continue
        if "\x00" not in text:
            found.append((-_plausible(text, lang), rank, name, _sample(text)))
    found.sort()
    if not found:
        return []
    best = found[0][0]
    return [(name, sample) for score, _, name, sample in found[:2] if score <= best * 0.9]


def _plausible(text: str, lang: str) -> float:
    """Share of the characters beyond ASCII that are letters (or common marks) of the language's script, 0 to 1."""
    beyond = [char for char in text if ord(char) > 127][:5000]
    if not beyond:
        return 1.0
    script = _SCRIPTS.get(languages.get(lang).script, "") if lang in languages.known() else ""
    good = sum(_fits(char, script) for char in beyond)
    # A wrong Cyrillic or Western encoding shows capitals inside words.
    words = re.findall(r"\w+", text[:100_000])
    odd = sum(
        1 for word in words if any(char.isupper() and ord(char) > 127 for char in word[1:]) and not word.isupper()
    )
    return good / len(beyond) / (1 + odd / max(1, len(words)) * 5)


def _fits(char: str, script: str) -> bool:
    if char in "“”‘’«»–—…„¿¡·№\u00a0" or char.isspace():
        return True
    if "\u3000" <= char <= "\u303f" or "\uff00" <= char <= "\uffef":
        return script in ("", "CJK")
    if not char.isalpha():
        return False
    return unicodedata.name(char, "").startswith(script or ("LATIN", "CYRILLIC", "CJK", "GREEK", "ARABIC", "HEBREW"))


def _is_utf8(data: bytes, text: str) -> bool:
    try:
        plain = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return plain != text and "\x00" not in plain


def _mostly_utf8(data: bytes) -> bool:
    """True if the file is UTF-8 but for a few damaged characters."""
    text = data.decode("utf-8", errors="replace")
    bad = text.count("\ufffd")
    return sum(ord(char) > 127 for char in text) - bad >= 2 * bad


def _mend(data: bytes, error: UnicodeError) -> str:
    start = error.start if isinstance(error, UnicodeDecodeError) else 0
    sample = data[max(0, start - 20) : start + 20].decode("utf-8", errors="replace")
    return f"the rest of the file is UTF-8: correct the character there (…{sample!r}…)"


def _where(data: bytes, error: UnicodeError) -> str:
    if not isinstance(error, UnicodeDecodeError) or error.start >= len(data):
        return ""
    line = data.count(b"\n", 0, error.start) + 1
    return f" (byte {data[error.start]:#04x} in line {line})"


def _advice(data: bytes, tried: str, lang: str) -> str:
    readings = [(name, sample) for name, sample in suggestions(data, lang) if codecs.lookup(name).name != tried]
    if not readings:
        return "no common encoding reads it as text: save it again as UTF-8"
    shown = " or ".join(f"{name} (…{sample!r}…)" for name, sample in readings)
    return f"it reads as {shown}: set `source.reading.encoding` to the one that looks right, or save the file as UTF-8"


def _sample(text: str) -> str:
    """A few characters round the first one beyond ASCII."""
    found = re.search(r"[^\x00-\x7f]", text)
    middle = found.start() if found else 0
    return " ".join(text[max(0, middle - 12) : middle + 12].split())


def _title(name: str) -> str:
    return name.upper() if name.startswith("utf") else name
