"""When a returned text is still the text that was handed out, and what an annotator or an id is called."""

from __future__ import annotations

import re
import unicodedata

from dualpair.validation.sheets import unescape

_SINGLE = dict.fromkeys(map(ord, "‘’‚‛′‵`´ʼ"), "'")
_DOUBLE = dict.fromkeys(map(ord, "“”„‟″«»〝〞"), '"')
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
_TYPED = _SINGLE | _DOUBLE | _DASHES
_NUMBERED = re.compile(r"annotator[\s_-]*0*([0-9]+)")


def loose(text: str) -> str:
    """The text less what programs change by themselves.

    Quotes, apostrophes and dashes of any form count as one, so do white space of any form and width, and the ellipsis;
    leading apostrophes (our escape, which Excel may take off or keep) and invisible characters are left out.
    """
    text = unicodedata.normalize("NFKC", unescape(text)).translate(_TYPED)
    text = "".join(char for char in text if unicodedata.category(char) != "Cf")
    text = re.sub(r"-{2,}", "-", " ".join(text.split()))
    return text.lstrip("'")


def same_pair(found: tuple[str, str], expected: tuple[str, str]) -> bool:
    """Whether two sentences are the two that were handed out, in either order."""
    return sorted(map(loose, found)) == sorted(map(loose, expected))


def plain_id(text: str) -> str:
    """An item id less what programs and people put round it."""
    kept = (char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())
    return "".join(kept)


def annotator_name(text: str) -> str:
    """One name for the ways to write it: ``Annotator 1``, ``annotator_1`` and ``1`` are ``annotator-1``."""
    name = re.sub(r"[\s_]+", "-", unicodedata.normalize("NFKC", text).strip().casefold()).strip("-")
    numbered = re.fullmatch(r"(?:annotator-?)?0*([0-9]+)", name)
    return f"annotator-{numbered.group(1)}" if numbered else name


def named_in(path: str) -> str:
    """The annotator that a file's name or the nearest folder's names (``annotator-2``), or an empty text."""
    for part in reversed(re.split(r"[/\\]", path.casefold())):
        found = _NUMBERED.search(part)
        if found:
            return f"annotator-{found.group(1)}"
    return ""
