"""Selection: thresholds applied to judgements; no model is called."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from dualpair import schemas
from dualpair.filters import acceptance
from dualpair.filters import grammar as grammar_filter
from dualpair.filters.acceptance import ALTERNATE, PARAPHRASE, Acceptance
from dualpair.filters.grammar import NOT_JUDGED, Rules

ORIGINAL = "v0"

SIMILARITY_BELOW = "similarity_below_threshold"
CONTRADICTION_ABOVE = "contradiction_above_threshold"
CONTRADICTION_BELOW = "contradiction_below_threshold"
ACCEPTANCE_BELOW = "acceptance_below_threshold"
BEYOND_LIMIT = "beyond_max_paraphrases"
BETTER_ALTERNATE = "another_alternate_is_better"
DUPLICATE_OF_EARLIER_ROUND = "tried_in_an_earlier_round"
NO_ALTERNATE = "no_alternate"
REJECTED_BY_ANNOTATORS = "rejected_by_annotators"
THRESHOLD_REASONS = (SIMILARITY_BELOW, CONTRADICTION_ABOVE, CONTRADICTION_BELOW, ACCEPTANCE_BELOW)
_NLI = [
    "contradiction_forward",
    "contradiction_backward",
    "entailment_forward",
    "entailment_backward",
    "contradiction_forward_v0",
    "contradiction_backward_v0",
]


class Thresholds(NamedTuple):
    """Cut-offs of the role models, from their registry entries, and what else decides.

    A paraphrase is kept iff cosine >= similarity and max(contradiction) <= nli_paraphrase; an alternate is kept iff
    min(contradiction) > nli_alternate (arXiv 2610.08747, section 3.4). Both must pass the grammar engines of their
    language. With a fit of ``acceptance``, a demand of ours for generators weaker than the paper's, P(accepted) must
    also be at or above the fit's threshold.
    """

    similarity: float
    nli_paraphrase: float
    nli_alternate: float | Mapping[str, float]
    grammar: Rules = Rules()
    acceptance: Acceptance | None = None

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
    parsed = {
        "grammar": grammar_filter.from_json(data["grammar"]),
        "acceptance": acceptance.from_json(data.get("acceptance")),
    }
    return Thresholds(**{**data, **parsed})


def variant_id(attribute: str) -> str:
    """Content hash of a paraphrased attribute, e.g. ``p3f9a…`` (13 characters)."""
    return "p" + hashlib.sha256(attribute.encode()).hexdigest()[:12]


def merge_judgements(judged: Judged, thresholds: Thresholds, task: str) -> pd.DataFrame:
    """Candidates with the judges' numbers added, what grammar decides (``grammar_reason``), and P(accepted).

    ``acceptance`` is missing where no fit is asked for, or a judgement is missing.
    """
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
    decided = grammar_filter.decide(judged.candidates, judged.grammar, thresholds.grammar)
    out = out.merge(decided, on=key, how="left", validate="one_to_one")
    fit = thresholds.acceptance
    out["acceptance"] = math.nan if fit is None else fit.of(task).probability(out)
    return out


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

    Among accepted paraphrases the highest P(accepted) comes first when ``max_paraphrases`` limits them; without a fit
    of acceptance, the smallest max(contradiction).
    """
    judged = merge_judgements(paraphrases, thresholds, PARAPHRASE)
    judged["reason"] = [paraphrase_reason(row, thresholds) for row in judged.itertuples()]
    judged["worst"] = judged[["contradiction_forward", "contradiction_backward"]].max(axis=1)
    # A candidate that hygiene dropped may hold a raw answer rather than an attribute: it is named by its own id.
    judged["variant_id"] = [
        variant_id(attribute) if kept else "d" + candidate[:12]
        for attribute, kept, candidate in zip(judged["attribute"], judged["kept"], judged["candidate_id"], strict=True)
    ]
    if max_paraphrases is not None:
        accepted = judged[judged["reason"] == ""].sort_values(
            ["acceptance", "worst", "candidate_id"], ascending=[False, True, True]
        )
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
        judged = merge_judgements(one, thresholds, ALTERNATE)
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

    One that adds no negation comes first (the paper avoids it wherever possible), then the highest P(accepted) where a
    fit gives one, then the highest min(contradiction), then the hash.

    Candidates of variants that are no longer kept (a tighter threshold) are left out; the variant's own row says why.
    """
    frames = []
    for number, one in enumerate(rounds, start=1):
        judged = merge_judgements(one, thresholds, ALTERNATE)
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
        ["adds_negation", "acceptance", "least", "candidate_id"], ascending=[True, False, False, True]
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
    for name in ("similarity", "grammar_findings", "grammar_score", "acceptance", *_NLI):
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
    return _acceptance_reason(row, thresholds.acceptance, PARAPHRASE)


def alternate_reason(row: Any, thresholds: Thresholds) -> str:
    """Why an alternate (a row of :func:`merge_judgements`) is dropped, or an empty text."""
    reason = str(row.reason) or str(row.grammar_reason)
    if reason:
        return reason
    forward, backward = float(row.contradiction_forward), float(row.contradiction_backward)
    if forward != forward or backward != backward:
        return NOT_JUDGED
    if min(forward, backward) <= thresholds.alternate(str(row.lang)):
        return CONTRADICTION_BELOW
    return _acceptance_reason(row, thresholds.acceptance, ALTERNATE)


def _acceptance_reason(row: Any, fit: Acceptance | None, task: str) -> str:
    if fit is None:
        return ""
    probability = float(row.acceptance)
    if probability != probability:
        return NOT_JUDGED
    return "" if probability >= fit.of(task).thresholds[str(row.lang)] else ACCEPTANCE_BELOW


def _shape(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    declared = schemas.table(name)
    return frame[declared.names].sort_values(list(declared.key)).reset_index(drop=True)
