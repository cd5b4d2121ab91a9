"""The data of the report's explorer: every set with its pairs, and every model's scores of them, packed.

A full run has tens of thousands of scored pairs. Their numbers travel as 32-bit floats in base64, and what follows from
them (q, B_GxA, I_GxA, means of sets) is computed by the page. Differences are stored, not taken in the page: 32 bits of
a small difference keep its seven digits, the difference of two 32-bit scores would not.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dualpair import languages
from dualpair.report.data import ReportData
from dualpair.report.views import unit

MEASURED, CONTRADICTION, FLIP, TIE = 1, 2, 4, 8
_SET = ["lang", "set_id"]
_KEY = [*_SET, "variant_id"]


def payload(data: ReportData) -> dict[str, Any]:
    """The explorer's data.

    Returns:
        ``langs`` (code to name and joiner), ``unit`` (of x, y and every B), ``sets`` (id, lang, type, groups, mark,
        original sentence, variants as [variant_id, attribute, alternate], v0 first) and ``models``, each with ``name``,
        ``values`` and ``flags``. Both hold every variant of every set in the order of ``sets``. ``values`` is base64 of
        little-endian float32: of a variant with K groups x_0, y_0, B_G (K-1), B_G_alt (K-1), all NaN where it was not
        measured. ``flags`` is base64 of one byte a variant: the sum of :data:`MEASURED`, :data:`CONTRADICTION`,
        :data:`FLIP` and :data:`TIE`, as far as they hold.

    Raises:
        ValueError: if a measured pair is not in the augmented table, or a language is unknown.
    """
    pairs = data.augmented.assign(last=data.augmented["variant_id"] != "v0").sort_values(
        [*_SET, "last", "variant_id"], kind="stable"
    )
    originals = dict(zip(_keys(data.sets, _SET), data.sets["original"], strict=True))
    sets = [_set(group, originals) for _, group in pairs.groupby(_SET, sort=True)]
    places = dict(zip(_keys(pairs, _KEY), _slices(pairs["groups"]), strict=True))
    return {
        "langs": {code: _language(code) for code in sorted({entry["lang"] for entry in sets})},
        "sets": sets,
        "unit": unit(data),
        "models": [{"name": model, **_packed(places, data.measures[model])} for model in sorted(data.measures)],
    }


def to_script(value: Any) -> str:
    """JSON that may stand inside a ``<script>`` element: no ``<`` and hence neither ``</script`` nor ``<!--``."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _language(code: str) -> dict[str, str]:
    language = languages.get(code)
    return {"name": language.name, "joiner": language.joiner}


def _set(group: pd.DataFrame, originals: Mapping[tuple[str, ...], str]) -> dict[str, Any]:
    first = group.iloc[0]
    return {
        "id": first["set_id"],
        "lang": first["lang"],
        "type": first["bias_type"],
        "groups": list(first["groups"]),
        "mark": first["final_mark"],
        "original": originals.get((first["lang"], first["set_id"]), ""),
        "variants": group[["variant_id", "attribute", "alternate"]].values.tolist(),
    }


def _slices(groups: pd.Series) -> Iterator[tuple[int, slice]]:
    """Number of each variant, and where its 2 K values lie."""
    start = 0
    for number, names in enumerate(groups):
        yield number, slice(start, start + 2 * len(names))
        start += 2 * len(names)


def _packed(places: Mapping[tuple[str, ...], tuple[int, slice]], measures: pd.DataFrame) -> dict[str, str]:
    """Values and flags of one model."""
    flags = np.zeros(len(places), dtype=np.uint8)
    values = np.full(max((part.stop for _, part in places.values()), default=0), np.nan, dtype="<f4")
    marks = np.full(len(measures), MEASURED, dtype=np.uint8)
    for name, bit in (("contradiction", CONTRADICTION), ("flip", FLIP), ("tie", TIE)):
        marks += np.uint8(bit) * measures[name].to_numpy(dtype=np.uint8)
    rows = zip(*(measures[name] for name in ("x", "y", "B_G", "B_G_alt")), strict=True)
    for key, mark, row in zip(_keys(measures, _KEY), marks, rows, strict=True):
        number, part = _place(places, key)
        flags[number], values[part] = mark, _variant(row, key, part.stop - part.start)
    return {"values": _base64(values), "flags": _base64(flags)}


def _variant(row: Sequence[Sequence[float]], key: tuple[str, ...], size: int) -> npt.NDArray[np.float64]:
    x, y, b_g, b_g_alt = row
    found = np.array([x[0], y[0], *b_g, *b_g_alt])
    if found.size != size:
        raise ValueError(f"measures has {found.size // 2} groups for {', '.join(key)}, augmented has {size // 2}")
    return found


def _place(places: Mapping[tuple[str, ...], tuple[int, slice]], key: tuple[str, ...]) -> tuple[int, slice]:
    if key not in places:
        raise ValueError(f"measures has {', '.join(key)} that augmented lacks; measure the current pairs again")
    return places[key]


def _base64(values: npt.NDArray[Any]) -> str:
    return base64.b64encode(values.tobytes()).decode()


def _keys(frame: pd.DataFrame, columns: list[str]) -> list[tuple[str, ...]]:
    return list(zip(*(frame[name] for name in columns), strict=True))
