"""The sensitivity table: what passes at other thresholds, from numbers already there."""

from __future__ import annotations

import pandas as pd
import pytest

from dualpair.analysis.yields import yields
from dualpair.filters import selection
from dualpair.filters.grammar import Rules
from dualpair.filters.selection import Judged
from tests.unit.test_selection import NO_GRAMMAR, THRESHOLDS, candidates, fitted, judgement, judgements, sets

NAN = float("nan")


def paraphrases(thresholds: selection.Thresholds = THRESHOLDS) -> Judged:
    found = candidates("paraphrase", {"nap": "", "doze": "", "far": "", "lost": "", "bad": "empty"})
    similarity = judgements(found, "similarity", {"nap": 0.95, "doze": 0.72, "far": 0.62, "lost": 0.3})
    # The judge saw what passed similarity alone.
    nli = judgements(found, "nli", {"nap": (0.1, 0.55), "doze": (0.9, 0.2)})
    return Judged(found, similarity, nli, NO_GRAMMAR)


def table(judge: str, frame: pd.DataFrame) -> dict[float, tuple[int, int, int, int]]:
    rows = frame[frame["judge"] == judge]
    columns = (rows[name] for name in ("threshold", "n_accepted", "n_unjudged", "n_served", "n_candidates"))
    return {round(t, 4): rest for t, *rest in zip(*columns, strict=True)}


def test_yield_by_similarity_and_contradiction():
    variants = selection.select_variants(sets(), paraphrases(), THRESHOLDS)
    frame = yields(variants, paraphrases(), [], THRESHOLDS)
    assert set(frame["task"]) == {"paraphrase"}
    assert list(frame["n_candidates"].unique()) == [4]  # what hygiene dropped is no candidate here
    by_similarity = table("similarity", frame)
    # doze is contradicted; far and lost were never shown to the judge.
    assert by_similarity[0.7] == [1, 0, 1, 4]
    assert by_similarity[0.6] == [1, 1, 1, 4]
    assert by_similarity[0.4] == [1, 1, 1, 4]
    by_nli = table("nli", frame)
    assert by_nli[0.9] == [2, 0, 1, 4]  # max 0.9 <= 0.9
    assert by_nli[0.8] == [1, 0, 1, 4]
    assert by_nli[0.5] == [0, 0, 0, 4]
    current = frame[frame["current"]]
    assert dict(zip(current["judge"], current["threshold"], strict=True)) == {"similarity": 0.7, "nli": 0.8}


@pytest.mark.parametrize(("threshold", "accepted", "served"), [(0.5, 3, 2), (0.8, 2, 1), (0.99, 0, 0)])
def test_yield_of_alternates_counts_variants_that_get_one(threshold: float, accepted: int, served: int):
    chosen = selection.select_variants(sets(), paraphrases(), THRESHOLDS)
    nap = selection.variant_id("nap")
    first = candidates("alternate-1", {"wake": "", "run": ""})
    second = candidates("alternate-2", {"rise": ""}, nap)
    gone = candidates("alternate-2", {"stay": ""}, "p000000000000")  # its variant is not kept
    later = pd.concat([second, gone], ignore_index=True)
    rounds = [
        Judged(frame, judgements(frame, "similarity", {}), judgements(frame, "nli", numbers), NO_GRAMMAR)
        for frame, numbers in (
            (first, {"wake": (0.9, 0.95), "run": (0.85, 0.99)}),
            (later, {"rise": (0.6, 0.99), "stay": (0.99, 0.99)}),
        )
    ]
    frame = yields(chosen, paraphrases(), rounds, THRESHOLDS)
    row = frame[(frame["task"] == "alternate") & (frame["threshold"] == threshold)].iloc[0]
    assert (row["n_candidates"], row["n_accepted"], row["n_sources"], row["n_served"]) == (3, accepted, 2, served)


def test_yield_by_the_language_models_grammar_score():
    rules = Rules({"en": ["lm"]}, -0.5)
    thresholds = THRESHOLDS._replace(grammar=rules)
    given = paraphrases()
    scores = {"nap": (-0.2, -0.7), "doze": (0.1, 0.0), "far": (0.0, 0.0), "lost": (0.0, 0.0)}
    rows = [
        {**judgement(row, "grammar", "lm:m", group), "grammar_score": value}
        for row in given.candidates.itertuples()
        if row.candidate_id in scores
        for group, value in enumerate(scores[row.candidate_id])
    ]
    judged = given._replace(grammar=pd.DataFrame(rows, columns=NO_GRAMMAR.columns))
    frame = yields(selection.select_variants(sets(), judged, thresholds), judged, [], thresholds)
    by_grammar = table("grammar", frame)
    assert by_grammar[-0.5] == [0, 0, 0, 4]
    assert by_grammar[-0.75] == [1, 0, 1, 4]  # nap's second group is at -0.7
    assert set(by_grammar) == {-1.5, -1.0, -0.75, -0.5, -0.25, 0.0, 0.5}


def test_yield_by_acceptance():
    thresholds = fitted(0.5, 0.5)
    frame = yields(selection.select_variants(sets(), paraphrases(), thresholds), paraphrases(), [], thresholds)
    rows = frame[frame["judge"] == "acceptance"].set_index("threshold")
    assert rows.loc[0.3, "n_accepted"] >= rows.loc[0.5, "n_accepted"] >= rows.loc[0.9, "n_accepted"]
    assert rows.loc[0.3, "n_accepted"] > rows.loc[0.9, "n_accepted"]
    assert rows["current"].tolist() == [value == 0.5 for value in rows.index]
    now = selection.select_variants(sets(), paraphrases(), thresholds)
    assert rows.loc[0.5, "n_accepted"] == (now["kept"] & ~now["is_original"]).sum()
