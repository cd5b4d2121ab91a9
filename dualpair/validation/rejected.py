"""Which dual pairs people reject."""

from __future__ import annotations

import pandas as pd

from dualpair import schemas
from dualpair.filters.selection import THRESHOLD_REASONS
from dualpair.validation.pairs import ACCEPTED, collect
from dualpair.validation.returned_rows import ADJUDICATES, ANNOTATES
from dualpair.validation.verdicts import REJECT, majority, without_excluded

_PAIR = ["task", "lang", "pair_id"]


def rejected(
    answers: pd.DataFrame,
    annotators: pd.DataFrame,
    sets: pd.DataFrame,
    variants: pd.DataFrame,
    alternates: pd.DataFrame,
) -> pd.DataFrame:
    """The `validation_rejected` frame: the variants of the augmented set that lose their pair.

    A pair is rejected when more than half of its annotators (less those left out) say ``reject``, or an adjudicator
    does; an adjudicator's other answer saves it. Answers of every sample count, whatever the pair was called in it.

    Args:
        answers: `answers` frame.
        annotators: `validation_annotators` frame.
        sets: `sets` frame.
        variants: `variants` frame.
        alternates: `alternates` frame.
    """
    used = answers[answers["kept"].astype(bool)]
    given = without_excluded(used[used["role"] == ANNOTATES], annotators).groupby(_PAIR)["answer"]
    rejects = given.agg(lambda own: int((own == REJECT).sum()))
    said = pd.DataFrame({"verdict": given.agg(majority), "n_answers": given.size(), "n_reject": rejects})
    final = used[used["role"] == ADJUDICATES].groupby(_PAIR)["answer"].agg(majority).rename("adjudicated")
    said = said.join(final, how="outer")
    said["verdict"] = said["adjudicated"].fillna(said["verdict"])
    out = said[said["verdict"] == REJECT]
    lost = dict(zip(out.index, out.to_dict("records"), strict=True))
    own = {
        (row.lang, row.set_id, row.candidate_id): row.variant_id
        for row in variants[["lang", "set_id", "candidate_id", "variant_id"]].itertuples()
    }
    rows = []
    for pair in collect(sets, variants, alternates, THRESHOLD_REASONS):
        key = (pair.task, pair.lang, pair.pair_id)
        if pair.kind == ACCEPTED and key in lost:
            variant = own[pair.lang, pair.set_id, pair.candidate_id] if pair.task == "paraphrase" else pair.variant_id
            facts = lost[key]
            counts = {name: _count(facts[name]) for name in ("n_answers", "n_reject")}
            base = {"task": pair.task, "lang": pair.lang, "set_id": pair.set_id, "variant_id": variant}
            rows.append({**base, "pair_id": pair.pair_id, **counts, "adjudicated": facts["adjudicated"] == REJECT})
    declared = schemas.table("validation_rejected")
    return pd.DataFrame(rows, columns=declared.names).sort_values(list(declared.key), ignore_index=True)


def _count(value: float) -> int:
    return 0 if pd.isna(value) else int(value)
