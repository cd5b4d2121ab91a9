"""Tables of measures: scored sentences to one row per variant, and those to one row per set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dualpair import schemas
from dualpair.measures import spans
from dualpair.measures.dual_pair import dual_pair

NO_DIVERGENT_TOKEN = "no_divergent_token"
ORIGINAL = "v0"
SIDES = ("attribute", "alternate")
# Every variant of a set has as many contrasts, so that one mean over the rows serves lists and numbers alike.
_MEANS = ("B_G", "B_G_alt", "B_GxA", "absB_avg", "absB_max", "I_GxA")
_SET = ["model", "lang", "set_id"]
_KEY = ["lang", "set_id", "variant_id"]
_PLACE = [*_KEY, "group_index", "side"]


class VariantMeasures(NamedTuple):
    """Measures of the variants of one model, and the variants that could not be measured.

    Attributes:
        measures: the ``measures`` table, sorted by its key.
        dropped: columns lang, set_id, variant_id, reason (the reasons of the unscored sentences, joined by ", ";
            `no_divergent_token` for a sentence that ends before it differs from the other groups').
    """

    measures: pd.DataFrame
    dropped: pd.DataFrame


def measure_variants(
    augmented: pd.DataFrame,
    sentences: pd.DataFrame,
    scores: pd.DataFrame,
    tie: float = 0.0,
    normalisation: str = "mean",
    scope: str = "attribute",
) -> VariantMeasures:
    """Measures of every dual pair under one model.

    By default x and y are logprob_sum / n_tokens of the continuation, in nats per token (arXiv 2610.08747, section 3);
    :mod:`dualpair.measures.spans` has the other scopes and normalisations. A variant with a sentence that the model
    could not score (``kept`` false) is returned in ``dropped``, not measured.

    Args:
        augmented: the ``augmented`` table.
        sentences: the ``sentences`` table made from it.
        scores: the ``scores`` table of one model.
        tie: differences of at most this size (in the unit of x and y) have no sign.
        normalisation: mean, sum, char or byte.
        scope: attribute, sentence or divergent.

    Raises:
        ValueError: if the scores are of several models, if a pair lacks a sentence or a sentence a score, if a sentence
            belongs to no pair, if a kept score has no finite log-probability or no token, or if the scope needs token
            columns that the scores do not have.
    """
    model = _only_model(scores)
    scored = _scored(sentences, scores, scope, normalisation)
    _check_complete(augmented, scored)
    scored = _valued(scored, scope, normalisation)
    unscored = scored.loc[~scored["kept"].astype(bool)]
    dropped = _dropped(unscored)
    sides = _sides(scored)
    skip = set(_keys(dropped))
    pairs = augmented.sort_values(_KEY, kind="stable")
    rows = [
        {"model": model, **_variant_row(pair, *sides[key], tie)}
        for pair, key in zip(pairs.to_dict("records"), _keys(pairs), strict=True)
        if key not in skip
    ]
    return VariantMeasures(pd.DataFrame(rows, columns=schemas.table("measures").names), dropped)


def measure_sets(measures: pd.DataFrame) -> pd.DataFrame:
    """Plain means of every set over all its instances, contrasts x variants (arXiv 2610.08747, section 3.6).

    |B| and I are averaged after they are taken per variant: the mean of |B|, not |the mean of B|.

    Args:
        measures: the ``measures`` table of one or more models.

    Returns:
        The ``set_measures`` table, sorted by model, lang and set_id. ``contradiction`` and ``flip`` are v0's and
        missing where the original attribute has no usable pair.

    Raises:
        ValueError: if a set has a variant twice, or its variants differ in the number of contrasts.
    """
    by_set: dict[tuple[str, str, str], list[dict[Any, Any]]] = {}
    for row in measures.sort_values([*_SET, "variant_id"], kind="stable").to_dict("records"):
        by_set.setdefault((row["model"], row["lang"], row["set_id"]), []).append(row)
    frame = pd.DataFrame([_set_row(rows) for rows in by_set.values()], columns=schemas.table("set_measures").names)
    return frame.astype({"contradiction": "boolean", "flip": "boolean"})


def _keys(frame: pd.DataFrame) -> Iterator[tuple[Any, ...]]:
    return frame[_KEY].itertuples(index=False, name=None)


def _only_model(scores: pd.DataFrame) -> str:
    models = sorted(scores["model"].unique())
    if len(models) > 1:
        raise ValueError(
            f"scores must be of one model, found {len(models)}: {', '.join(models)}; pass one file at a time"
        )
    return str(models[0]) if models else ""


def _scored(sentences: pd.DataFrame, scores: pd.DataFrame, scope: str, normalisation: str) -> pd.DataFrame:
    columns = ["sentence_id", *spans.columns(scope, normalisation), "kept", "reason"]
    place = sentences[["sentence_id", *_PLACE]]
    merged = place.merge(scores[columns], on="sentence_id", how="left", validate="many_to_one", indicator=True)
    missing = sorted(merged.loc[merged["_merge"] == "left_only", "sentence_id"].unique())
    if missing:
        raise ValueError(
            f"{len(missing)} of {sentences['sentence_id'].nunique()} sentences have no score, e.g. {missing[0]}; "
            "score the current sentences table"
        )
    kept = merged["kept"].astype(bool)
    bad = merged.loc[kept & ~(np.isfinite(merged["logprob_sum"].astype(float)) & (merged["n_tokens"] >= 1))]
    if len(bad):
        row = bad.iloc[0]
        raise ValueError(
            f"{len(bad)} kept scores are unusable, e.g. sentence {row['sentence_id']} with logprob_sum "
            f"{row['logprob_sum']} and n_tokens {row['n_tokens']}; a kept score is finite and has at least one token"
        )
    return merged.drop(columns="_merge")


def _check_complete(augmented: pd.DataFrame, scored: pd.DataFrame) -> None:
    """Every pair has each (group, side) exactly once, and no sentence belongs elsewhere."""
    if augmented.duplicated(_KEY).any():
        raise ValueError(f"augmented has the pair {_first(augmented[augmented.duplicated(_KEY)])} twice")
    if scored.duplicated(_PLACE).any():
        raise ValueError(f"sentences has a (group, side) of {_first(scored[scored.duplicated(_PLACE)])} twice")
    expected = {
        (*key, index, side)
        for key, groups in zip(_keys(augmented), augmented["groups"], strict=True)
        for index in range(len(groups))
        for side in SIDES
    }
    found = set(scored[_PLACE].itertuples(index=False, name=None))
    for label, rows in (("lacks", expected - found), ("has an unexpected sentence:", found - expected)):
        if rows:
            lang, set_id, variant_id, index, side = min(rows)
            raise ValueError(
                f"the sentences table {label} group {index}, {side} of set {set_id}, {lang}, {variant_id} "
                f"({len(rows)} such rows); make it again from the current augmented table"
            )


def _first(frame: pd.DataFrame) -> str:
    return ", ".join(str(frame.iloc[0][name]) for name in _KEY)


def _dropped(unscored: pd.DataFrame) -> pd.DataFrame:
    rows = [
        (*(key if isinstance(key, tuple) else (key,)), ", ".join(sorted(set(group["reason"]))))
        for key, group in unscored.groupby(_KEY, sort=True)
    ]
    return pd.DataFrame(rows, columns=[*_KEY, "reason"])


def _valued(scored: pd.DataFrame, scope: str, normalisation: str) -> pd.DataFrame:
    """The sentences in the order of their places, each with its number in ``value``."""
    ordered = scored.sort_values(_PLACE, kind="stable").reset_index(drop=True)
    if scope != "divergent":
        return ordered.assign(value=spans.values(ordered, scope, normalisation))
    compared: dict[tuple[Any, ...], list[int]] = {}
    rows = ordered.to_dict("records")
    for place, row in enumerate(rows):
        compared.setdefault((*(row[name] for name in _KEY), row["side"]), []).append(place)
        row["value"] = float("nan")
    for places in compared.values():
        group = [rows[place] for place in places]
        if not all(row["kept"] for row in group):
            continue
        for row, span in zip(group, spans.divergent_spans([spans.token_row(row) for row in group]), strict=True):
            if span is None:
                row.update(kept=False, reason=NO_DIVERGENT_TOKEN)
            else:
                row["value"] = spans.normalised(span, normalisation)
    return pd.DataFrame(rows, columns=[*ordered.columns, "value"])


def _sides(scored: pd.DataFrame) -> dict[tuple[Any, ...], tuple[list[float], list[float]]]:
    """(lang, set_id, variant_id) to x and y, each in group order."""
    found: dict[tuple[Any, ...], tuple[list[float], list[float]]] = {}
    for key, side, value in zip(_keys(scored), scored["side"], scored["value"].tolist(), strict=True):
        found.setdefault(key, ([], []))[SIDES.index(side)].append(value)
    return found


def _variant_row(pair: dict[Any, Any], x: list[float], y: list[float], tie: float) -> dict[str, Any]:
    result = dual_pair(x, y, tie)
    return {
        **{name: pair[name] for name in ("set_id", "cluster_id", "lang", "bias_type", "variant_id")},
        "x": x,
        "y": y,
        "q": result.q.tolist(),
        "p_A": result.p_A,
        "B_G": result.B_G.tolist(),
        "B_G_alt": result.B_G_alt.tolist(),
        "B_GxA": result.B_GxA.tolist(),
        "B_signed_mean": result.B_signed_mean,
        "absB_avg": result.absB_avg,
        "absB_max": result.absB_max,
        "I_GxA": result.I_GxA,
        "contradiction": result.contradiction,
        "flip": result.flip,
        "tie": result.tie,
    }


def _set_row(rows: list[dict[Any, Any]]) -> dict[str, Any]:
    first = rows[0]
    where = f"set {first['set_id']}, {first['lang']}, {first['model']}"
    variants = [str(row["variant_id"]) for row in rows]
    if len(set(variants)) != len(variants):
        raise ValueError(f"{where} has a variant twice: {', '.join(variants)}")
    contrasts = sorted({len(row["B_G"]) for row in rows})
    if len(contrasts) > 1:
        raise ValueError(f"the variants of {where} have {contrasts} contrasts; all variants of a set share its groups")
    original = next((row for row in rows if row["variant_id"] == ORIGINAL), None)
    return {
        **{name: first[name] for name in ("model", "set_id", "cluster_id", "lang", "bias_type")},
        "n_variants": len(rows),
        "n_instances": len(rows) * contrasts[0],
        **{name: float(np.mean([row[name] for row in rows])) for name in _MEANS},
        "v0_is_original": original is not None,
        "contradiction": None if original is None else bool(original["contradiction"]),
        "flip": None if original is None else bool(original["flip"]),
    }
