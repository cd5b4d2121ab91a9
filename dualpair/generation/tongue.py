"""Is a text written in the language and the script that it should be written in?"""

from __future__ import annotations

import re
import unicodedata

from dualpair import languages
from dualpair.generation import hygiene_words, wording

# Beginnings of the Unicode names of the letters that a script (ISO 15924) is written in.
_SCRIPTS = {
    "Arab": ("ARABIC",),
    "Armn": ("ARMENIAN",),
    "Beng": ("BENGALI",),
    "Cyrl": ("CYRILLIC",),
    "Deva": ("DEVANAGARI",),
    "Geor": ("GEORGIAN",),
    "Grek": ("GREEK",),
    "Hans": ("CJK",),
    "Hant": ("CJK",),
    "Hebr": ("HEBREW",),
    "Jpan": ("CJK", "HIRAGANA", "KATAKANA"),
    "Kore": ("HANGUL", "CJK"),
    "Latn": ("LATIN",),
    "Thai": ("THAI",),
}
# A character belongs to the other way of writing Chinese when that way's national character set has it and ours has
# not: GB 2312 (1980) holds the simplified characters in common use, Big5 (1984) the traditional ones. The exceptions
# are simplified characters in use that GB 2312 lacks and Big5 has.
_CHARACTER_SETS = {"Hans": ("gb2312", "big5"), "Hant": ("big5", "gb2312")}
_EXCEPTIONS = {"Hans": frozenset("瞭喆堃珺蹚"), "Hant": frozenset("着")}
# Evidence for another language: so many of its small words, or this share of all words, and none of the right one's.
_MIN_FOREIGN, _MIN_SHARE, _TIMES_OWN = 2, 1 / 3, 3
_TOKEN = re.compile(f"{wording.LETTER}+")


def wrong_script(text: str, source: str, lang: str) -> bool:
    """Whether a text has letters of another script, or of the other way of writing Chinese, that its source has not.

    Raises:
        ValueError: if nothing is known about the language's script.
    """
    script = languages.get(lang).script
    if script not in _SCRIPTS:
        raise ValueError(f"script {script!r} of language {lang!r} is unknown; known are {', '.join(_SCRIPTS)}")
    if not _foreign_runs(text, _SCRIPTS[script]) <= _foreign_runs(source, _SCRIPTS[script]):
        return True
    return script in _CHARACTER_SETS and not _other_chinese(text, script) <= _other_chinese(source, script)


def wrong_language(text: str, source: str, lang: str) -> bool:
    """Whether a text is written in another language of the same script, as its small words tell.

    Words that its source has are no evidence. Texts without a small word pass: names and loanwords are no evidence
    either.

    Raises:
        ValueError: if the language is unknown.
    """
    listed = hygiene_words.function_words()
    own = next((code for code in hygiene_words.codes(lang) if code in listed), "")
    if not own:
        return False
    shared = set(_tokens(source))
    tokens = [token for token in _tokens(text) if token not in shared]
    return any(
        _speaks(tokens, listed[own].words, small.words)
        for other, small in listed.items()
        if other != own and small.script == listed[own].script
    )


def _speaks(tokens: list[str], own: frozenset[str], other: frozenset[str]) -> bool:
    """Whether the small words that only one of two languages has speak for the other one."""
    foreign = sum(token in other and token not in own for token in tokens)
    ours = sum(token in own and token not in other for token in tokens)
    enough = foreign >= _MIN_FOREIGN or (foreign > 0 and foreign >= _MIN_SHARE * len(tokens))
    return enough and foreign >= _TIMES_OWN * ours


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(wording.folded(text))


def _foreign_runs(text: str, names: tuple[str, ...]) -> set[str]:
    """Longest runs of letters whose Unicode names begin with none of ``names``."""
    marked = "".join(
        char if char.isalpha() and not unicodedata.name(char, "").startswith(names) else " "
        for char in unicodedata.normalize("NFKC", text)
    )
    return set(marked.split())


def _other_chinese(text: str, script: str) -> set[str]:
    own, other = _CHARACTER_SETS[script]
    characters = {char for char in text if unicodedata.name(char, "").startswith("CJK UNIFIED")}
    return {char for char in characters if _has(other, char) and not _has(own, char)} - _EXCEPTIONS[script]


def _has(character_set: str, char: str) -> bool:
    try:
        char.encode(character_set)
    except UnicodeEncodeError:
        return False
    return True
