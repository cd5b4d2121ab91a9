"""The survey as a page: one self-contained HTML file per annotator, with a slider a trait pair.

Pages come one after another and never back, so that the repeated group and the recall questions are answered from
memory. A slider that nobody has touched has no answer. The page holds what is printed and nothing else of the key.
"""

from __future__ import annotations

import itertools
from typing import Any

import pandas as pd

from dualpair.traits import HIGH, LOW
from dualpair.validation import page
from dualpair.validation.digests import digest
from dualpair.validation.ratings_design import RATING, rows_of
from dualpair.validation.ratings_text import COLUMNS, Texts

_TEMPLATE, _STYLE, _SCRIPT = "ratings.html.j2", "ratings.css", "ratings.js"
_SCRIPT_TEXTS = ("begin", "resume", "page", "value", "none", "clear", "open", "saved")


def html_bytes(questions: pd.DataFrame, texts: Texts, annotator: str) -> bytes:
    """The page of one annotator's questions (`ratings_key` rows in order), in UTF-8; equal arguments, equal bytes."""
    pages = [_page(list(rows)) for _, rows in itertools.groupby(rows_of(questions), key=lambda row: row.page)]
    data = {
        "key": "/".join(("dualpair", "ratings", digest("ratings_page", pages)[:16], texts.lang, annotator)),
        "file": f"ratings-{texts.lang}-{annotator}.csv",
        "annotator": annotator,
        "columns": list(COLUMNS),
        "text": {name: texts.page[name] for name in _SCRIPT_TEXTS},
        "pages": pages,
    }
    context = {"text": texts, "direction": page.direction(texts.lang), "data": data}
    return page.render(_TEMPLATE, [page.STYLE, _STYLE], [page.FILE_SCRIPT, _SCRIPT], context)


def _page(rows: list[Any]) -> dict[str, Any]:
    """Rows of one page: sliders, or one question with numbered options."""
    options = [str(option) for option in rows[0].options]
    least, most = (LOW, HIGH) if rows[0].kind == RATING else (1, len(options))
    items = [{"id": row.item_id, "left": row.left, "right": row.right, "least": least, "most": most} for row in rows]
    return {"question": rows[0].question, "options": options, "items": items}
