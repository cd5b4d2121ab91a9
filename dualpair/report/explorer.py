"""The data of the report's explorer: every set with its pairs, and every model's numbers for them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from dualpair import languages
from dualpair.report.data import ReportData
from dualpair.report.numbers import rounded
from dualpair.report.views import unit

_KEY = ["lang", "set_id"]
_LISTS = ("x", "y", "q", "B_G", "B_G_alt", "B_GxA")
_MEANS = ("B_G", "B_G_alt", "B_GxA", "absB_avg", "I_GxA")


def payload(data: ReportData) -> dict[str, Any]:
    """The explorer's data: plain lists and numbers of six significant digits.

    Returns:
        ``langs`` (code to name and joiner), ``unit`` (of x, y and every B), ``sets`` (id, lang, type, groups, mark,
        original sentence, variants as [variant_id, attribute, alternate]) and ``models``, each with ``name`` and
        ``rows`` in the order of ``sets``: null where the model has no measure, else ``n``, ``m`` (the means of B_G,
        B_G_alt, B_GxA, |B_GxA|, I_GxA), ``c`` and ``f`` (contradiction and flip of the original; null without one) and
        ``v``, one entry per variant with x, y, q, B_G, B_G_alt, B_GxA, I_GxA, contradiction, flip and tie, null where
        it was not measured.

    Raises:
        ValueError: if a measured pair is not in the augmented table, or a language is unknown.
    """
    pairs = data.augmented.assign(last=data.augmented["variant_id"] != "v0").sort_values(
        [*_KEY, "last", "variant_id"], kind="stable"
    )
    originals = dict(zip(_keys(data.sets), data.sets["original"], strict=True))
    sets = [_set(group, originals) for _, group in pairs.groupby(_KEY, sort=True)]
    return {
        "langs": {code: _language(code) for code in sorted({entry["lang"] for entry in sets})},
        "sets": sets,
        "unit": unit(data),
        "models": [
            {"name": model, "rows": _model_rows(sets, data.measures[model], data.set_measures[model])}
            for model in sorted(data.measures)
        ],
    }


def to_script(value: Any) -> str:
    """JSON that may stand inside a ``<script>`` element: no ``<`` and hence neither ``</script`` nor ``<!--``."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _language(code: str) -> dict[str, str]:
    language = languages.get(code)
    return {"name": language.name, "joiner": language.joiner}


def _set(group: pd.DataFrame, originals: Mapping[tuple[str, str], str]) -> dict[str, Any]:
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


def _model_rows(
    sets: Iterable[Mapping[str, Any]], measures: pd.DataFrame, set_measures: pd.DataFrame
) -> list[dict[str, Any] | None]:
    variants: dict[tuple[str, str], dict[str, Any]] = {}
    for row in measures.to_dict("records"):
        variants.setdefault((row["lang"], row["set_id"]), {})[row["variant_id"]] = _variant(row)
    means = dict(zip(_keys(set_measures), set_measures.to_dict("records"), strict=True))
    rows: list[dict[str, Any] | None] = []
    for entry in sets:
        key = (entry["lang"], entry["id"])
        mean, found = means.pop(key, None), variants.pop(key, {})
        rows.append(None if mean is None else _row(mean, [found.pop(v[0], None) for v in entry["variants"]]))
        if found:
            raise ValueError(f"measures has variants of {', '.join(key)} that augmented lacks: {', '.join(found)}")
    if variants or means:
        key = min({**variants, **means})
        raise ValueError(f"measures has the set {', '.join(key)} that augmented lacks; measure the current pairs again")
    return rows


def _row(mean: Mapping[Any, Any], variants: list[Any]) -> dict[str, Any]:
    return {
        "n": int(mean["n_variants"]),
        "m": [rounded(float(mean[name])) for name in _MEANS],
        "c": _flag(mean["contradiction"]),
        "f": _flag(mean["flip"]),
        "v": variants,
    }


def _variant(row: Mapping[Any, Any]) -> list[Any]:
    return [
        *([rounded(float(value)) for value in row[name]] for name in _LISTS),
        rounded(float(row["I_GxA"])),
        *(_flag(row[name]) for name in ("contradiction", "flip", "tie")),
    ]


def _flag(value: Any) -> int | None:
    return None if pd.isna(value) else int(bool(value))


def _keys(frame: pd.DataFrame) -> list[tuple[str, str]]:
    return list(zip(frame["lang"], frame["set_id"], strict=True))
