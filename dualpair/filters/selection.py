"""Selection: thresholds applied to judgements; no model is called."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd

from dualpair import schemas
from dualpair.filters import grammar as grammar_filter
from dualpair.filters.grammar import NOT_JUDGED, Rules

ORIGINAL = "v0"

SIMILARITY_BELOW = "similarity_below_threshold"
CONTRADICTION_ABOVE = "contradiction_above_threshold"
ENTAILMENT_BELOW = "entailment_below_threshold"
CONTRADICTION_BELOW = "contradiction_below_threshold"
BEYOND_LIMIT = "beyond_max_paraphrases"
BETTER_ALTERNATE = "another_alternate_is_better"
DUPLICATE_OF_EARLIER_ROUND = "tried_in_an_earlier_round"
NO_ALTERNATE = "no_alternate"
REJECTED_BY_ANNOTATORS = "rejected_by_annotators"
THRESHOLD_REASONS = (SIMILARITY_BELOW, CONTRADICTION_ABOVE, ENTAILMENT_BELOW, CONTRADICTION_BELOW)
_NLI = [
    "contradiction_forward",
    "contradiction_backward",
    "entailment_forward",
    "entailment_backward",
    "contradiction_forward_v0",
    "contradiction_backward_v0",
]


class Thresholds(NamedTuple):
    """Cut-offs of the role models, from their registry entries.

    A paraphrase is kept iff cosine >= similarity and max(contradiction) <= nli_paraphrase; an alternate is kept iff
    min(contradiction) > nli_alternate (arXiv 2610.08747, section 3.4). Where ``nli_entailment`` names the language, a
    paraphrase must also have min(entailment) at or above it, unless at least ``agreement`` answers gave it: demands of
    ours for generators weaker than the paper's. Both must pass the grammar engines of their language.
    """

    similarity: float
    nli_paraphrase: float
    nli_alternate: float | Mapping[str, float]
    nli_entailment: Mapping[str, float] = MappingProxyType({})
    agreement: Mapping[str, int] = MappingProxyType({})
    grammar: Rules = Rules()

    def alternate(self, lang: str) -> float:
        """The threshold for alternates in a language: its own, else the default."""
        if isinstance(self.nli_alternate, Mapping):
            return self.nli_alternate.get(lang, self.nli_alternate["default"])
        return self.nli_alternate


class Judged(NamedTuple):
    """A task's candidates and the `judgements` of each role."""

    candidates: pd.DataFrame
    similarity: pd.DataFrame
    nli: pd.DataFrame
    grammar: pd.DataFrame


def thresholds_from_json(data: Mapping[str, Any]) -> Thresholds:
    """Thresholds from what a rule passes to its script."""
    return Thresholds(**{**data, "grammar": grammar_filter.from_json(data["grammar"])})


def variant_id(attribute: str) -> str:
    """Content hash of a paraphrased attribute, e.g. ``p3f9a…`` (13 characters)."""
    return "p" + hashlib.sha256(attribute.encode()).hexdigest()[:12]


def merge_judgements(judged: Judged, rules: Rules) -> pd.DataFrame:
    """Candidates with the judges' numbers added, and what grammar decides (``grammar_reason``)."""
    key = ["candidate_id"]
    similarity, nli = judged.similarity, judged.nli
    out = judged.candidates.merge(
        similarity[[*key, "similarity", "error"]].rename(columns={"error": "similarity_error"}),
        on=key,
        how="left",
        validate="one_to_one",
    )
    out = out.merge(
        nli[[*key, *_NLI, "error"]].rename(columns={"error": "nli_error"}),
        on=key,
        how="left",
        validate="one_to_one",
    )
    out["judge_error"] = out["similarity_error"].fillna("") + out["nli_error"].fillna("")
    out = out.drop(columns=["similarity_error", "nli_error"])
    return out.merge(
        grammar_filter.decide(judged.candidates, judged.grammar, rules), on=key, how="left", validate="one_to_one"
    )


def admitted_to_nli(
    candidates: pd.DataFrame,
    similarity: pd.DataFrame | None,
    threshold: float | None,
    judged_grammar: pd.DataFrame,
    rules: Rules,
) -> pd.DataFrame:
    """Candidates that the costly judge sees: kept by hygiene and grammar and, for paraphrases, similar enough."""
    kept = candidates[candidates["kept"]]
    decided = grammar_filter.decide(kept, judged_grammar, rules)
    kept = kept[(decided["grammar_reason"] == "").to_numpy()]
    if similarity is None or threshold is None:
        return kept
    passed = similarity.loc[similarity["similarity"] >= threshold, "candidate_id"]
    return kept[kept["candidate_id"].isin(set(passed))]


def select_variants(
    sets: pd.DataFrame,
    paraphrases: Judged,
    thresholds: Thresholds,
    max_paraphrases: int | None = None,
) -> pd.DataFrame:
    """The `variants` frame: v0 of every kept set, and each paraphrase candidate with the decision.

    Among accepted paraphrases the smallest max(contradiction) comes first when ``max_paraphrases`` limits them.
    """
    judged = merge_judgements(paraphrases, thresholds.grammar)
    judged["reason"] = [paraphrase_reason(row, thresholds) for row in judged.itertuples()]
    judged["worst"] = judged[["contradiction_forward", "contradiction_backward"]].max(axis=1)
    # A candidate that hygiene dropped may hold a raw answer rather than an attribute: it is named by its own id.
    judged["variant_id"] = [
        variant_id(attribute) if kept else "d" + candidate[:12]
        for attribute, kept, candidate in zip(judged["attribute"], judged["kept"], judged["candidate_id"], strict=True)
    ]
    if max_paraphrases is not None:
        accepted = judged[judged["reason"] == ""].sort_values(["worst", "candidate_id"])
        surplus = accepted.groupby(["lang", "set_id"]).cumcount() >= max_paraphrases
        judged.loc[accepted.index[surplus], "reason"] = BEYOND_LIMIT
    judged["kept"] = judged["reason"] == ""
    judged["is_original"] = False
    originals = _originals(sets)
    return _shape(pd.concat([originals, judged], ignore_index=True), "variants")


def alternates_left(variants: pd.DataFrame, rounds: Sequence[Judged], thresholds: Thresholds) -> pd.DataFrame:
    """Kept variants that the given rounds left without an acceptable alternate, or with ones that add a negation only.

    An added negation is the last resort (arXiv 2610.08747 avoids it wherever possible): while a round is left, it is
    asked for an opposite without.
    """
    kept = variants[variants["kept"]]
    done: set[tuple[str, str, str]] = set()
    for one in rounds:
        judged = merge_judgements(one, thresholds.grammar)
        for row in judged.itertuples():
            if alternate_reason(row, thresholds) == "" and not row.adds_negation:
                done.add((str(row.lang), str(row.set_id), str(row.variant_id)))
    left = [key not in done for key in zip(kept["lang"], kept["set_id"], kept["variant_id"], strict=True)]
    return kept[left]


def select_alternates(
    variants: pd.DataFrame,
    rounds: Sequence[Judged],
    thresholds: Thresholds,
) -> pd.DataFrame:
    """The `alternates` frame of all rounds; one is chosen per variant.

    One that adds no negation comes first (the paper avoids it wherever possible), then the highest min(contradiction),
    then the hash.

    Candidates of variants that are no longer kept (a tighter threshold) are left out; the variant's own row says why.
    """
    frames = []
    for number, one in enumerate(rounds, start=1):
        judged = merge_judgements(one, thresholds.grammar)
        judged["round"] = number
        frames.append(judged)
    judged = pd.concat(frames, ignore_index=True)
    alive = variants.loc[variants["kept"], ["lang", "set_id", "variant_id"]]
    judged = judged.merge(alive, on=["lang", "set_id", "variant_id"], how="inner", validate="many_to_one")
    judged["reason"] = [alternate_reason(row, thresholds) for row in judged.itertuples()]
    key = ["lang", "set_id", "variant_id"]
    judged["least"] = judged[["contradiction_forward", "contradiction_backward"]].min(axis=1)
    accepted = judged[judged["reason"] == ""].sort_values([*key, "round", "candidate_id"])
    repeated = accepted.duplicated([*key, "attribute"])
    judged.loc[accepted.index[repeated], "reason"] = DUPLICATE_OF_EARLIER_ROUND
    accepted = judged[judged["reason"] == ""].sort_values(
        ["adds_negation", "least", "candidate_id"], ascending=[True, False, True]
    )
    first = accepted.groupby(key).head(1).index
    judged["chosen"] = judged.index.isin(first)
    judged.loc[(judged["reason"] == "") & ~judged["chosen"], "reason"] = BETTER_ALTERNATE
    judged["kept"] = judged["chosen"]
    return _shape(judged.rename(columns={"attribute": "alternate"}), "alternates")


def augment(sets: pd.DataFrame, variants: pd.DataFrame, alternates: pd.DataFrame) -> pd.DataFrame:
    """The `augmented` frame: one row per kept variant with a chosen alternate."""
    pairs = variants.loc[variants["kept"], ["lang", "set_id", "variant_id", "attribute"]].merge(
        alternates.loc[alternates["chosen"], ["lang", "set_id", "variant_id", "alternate"]],
        on=["lang", "set_id", "variant_id"],
        validate="one_to_one",
    )
    facts = sets.loc[sets["kept"], ["lang", "set_id", "cluster_id", "dataset", "bias_type", "groups", "final_mark"]]
    out = pairs.merge(facts, on=["lang", "set_id"], validate="many_to_one")
    with_original = set(out.loc[out["variant_id"] == ORIGINAL, ["lang", "set_id"]].itertuples(index=False, name=None))
    out["v0_is_original"] = [key in with_original for key in zip(out["lang"], out["set_id"], strict=True)]
    return _shape(out, "augmented")


def _originals(sets: pd.DataFrame) -> pd.DataFrame:
    kept = sets[sets["kept"]].copy()
    kept["variant_id"] = ORIGINAL
    kept["candidate_id"] = ORIGINAL
    kept["is_original"] = True
    kept["generators"] = [[] for _ in range(len(kept))]
    kept["n_answers"] = 0
    for name in ("similarity", "grammar_findings", "grammar_score", *_NLI):
        kept[name] = float("nan")
    kept["grammar_finding_ids"] = ""
    kept["reason"] = ""
    return kept


def paraphrase_reason(row: Any, thresholds: Thresholds) -> str:
    """Why a paraphrase (a row of :func:`merge_judgements`) is dropped, or an empty text."""
    reason = str(row.reason) or str(row.grammar_reason)
    if reason:
        return reason
    similarity = float(row.similarity)
    if similarity != similarity:
        return NOT_JUDGED
    if similarity < thresholds.similarity:
        return SIMILARITY_BELOW
    forward, backward = float(row.contradiction_forward), float(row.contradiction_backward)
    if forward != forward or backward != backward:
        return NOT_JUDGED
    if max(forward, backward) > thresholds.nli_paraphrase:
        return CONTRADICTION_ABOVE
    entailed = min(float(row.entailment_forward), float(row.entailment_backward))
    needed = thresholds.nli_entailment.get(str(row.lang), 0.0)
    agreed = int(row.n_answers) >= thresholds.agreement.get(str(row.lang), math.inf)
    return "" if agreed or entailed >= needed or needed == 0.0 else ENTAILMENT_BELOW


def alternate_reason(row: Any, thresholds: Thresholds) -> str:
    """Why an alternate (a row of :func:`merge_judgements`) is dropped, or an empty text."""
    reason = str(row.reason) or str(row.grammar_reason)
    if reason:
        return reason
    forward, backward = float(row.contradiction_forward), float(row.contradiction_backward)
    if forward != forward or backward != backward:
        return NOT_JUDGED
    return "" if min(forward, backward) > thresholds.alternate(str(row.lang)) else CONTRADICTION_BELOW


def _shape(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    declared = schemas.table(name)
    return frame[declared.names].sort_values(list(declared.key)).reset_index(drop=True)
