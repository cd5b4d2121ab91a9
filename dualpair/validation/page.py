"""The page: one self-contained HTML file per annotator, task and language, which asks for one pair at a time.

It needs no server and makes no request (a content security policy forbids any). Answers stay in the browser's own
storage until the annotator saves them to a CSV file, which is that of :func:`dualpair.validation.sheets.csv_bytes` with
the plain column names. The page holds ids and sentences in the annotator's order and nothing else of the key.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from dualpair.paths import resource
from dualpair.validation.digests import digest
from dualpair.validation.instructions import ANNOTATOR, ANSWERS, COLUMNS, ITEM_ID, Instructions, right_to_left

_TEMPLATE, _SCRIPT = "page.html.j2", "page.js"
STYLE, FILE_SCRIPT = "page.css", "file.js"  # shared with other pages


class Place(NamedTuple):
    """Whose sheet or page it is."""

    task: str
    lang: str
    annotator: str


def html_bytes(rows: Sequence[tuple[str, str, str]], text: Instructions, place: Place) -> bytes:
    """The page for (item_id, first, second) rows, in UTF-8; equal arguments and resources give equal bytes."""
    words = text.tasks[place.task]
    data = {
        # Made of what is printed alone: the sample's own hash depends on what is kept back.
        "key": "/".join(("dualpair", digest("page", *rows)[:16], *place)),
        "file": f"{place.task}-{place.lang}-{place.annotator}.csv",
        "annotator": place.annotator,
        "columns": [ITEM_ID, *COLUMNS, ANNOTATOR],
        "answers": list(ANSWERS),
        "text": {name: text.page[name] for name in ("begin", "resume", "pair", "answered", "saved")},
        "items": [list(row) for row in rows],
    }
    context = {
        "text": text,
        "words": words,
        "answers": [(number, answer, words.answers[answer]) for number, answer in enumerate(ANSWERS, start=1)],
        "direction": direction(text.lang),
        "lang": place.lang,
        "items_direction": direction(place.lang),
        "data": data,
    }
    return render(_TEMPLATE, [STYLE], [FILE_SCRIPT, _SCRIPT], context)


def direction(lang: str) -> str:
    """HTML's name for the direction that the language is written in."""
    return "rtl" if right_to_left(lang) else "ltr"


def render(template: str, styles: Sequence[str], scripts: Sequence[str], context: dict[str, Any]) -> bytes:
    """A page from `resources/sheets/page/`: template, styles and scripts joined in one file.

    Args:
        template: Jinja template; it gets ``style``, ``script`` and their hashes for the content security policy.
        styles: style sheets, in order.
        scripts: scripts, in order.
        context: further names for the template; ``data`` becomes JSON that may stand in a ``<script>`` element.
    """
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    style, script = ("\n".join(_read(name) for name in names) for names in (styles, scripts))
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    page = environment.from_string(_read(template)).render(
        **{
            **context,
            "data": Markup(to_script(context["data"])),
            "style": Markup(style),
            "script": Markup(script),
            "style_hash": _hash(style),
            "script_hash": _hash(script),
        }
    )
    return (page.rstrip("\n") + "\n").encode("utf-8")


def to_script(value: Any) -> str:
    """JSON that may stand inside a ``<script>`` element: no ``<`` and hence neither ``</script`` nor ``<!--``."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _read(name: str) -> str:
    return resource("sheets", "page", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode()
