"""Selection: thresholds as the paper sets them, reasons for every drop, one alternate per variant."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from dualpair import schemas, sentences
from dualpair.filters import selection
from dualpair.filters.grammar import Rules
from dualpair.filters.selection import Judged

THRESHOLDS = selection.Thresholds(similarity=0.7, nli_paraphrase=0.8, nli_alternate=0.8)
NAN = float("nan")
NO_GRAMMAR = pd.DataFrame(columns=schemas.table("judgements").names)
WITH_GRAMMAR = THRESHOLDS._replace(grammar=Rules({"en": ["languagetool"]}))
PARAPHRASES = {"nap": "", "doze": "", "edge": "", "far": "", "run": "", "bad": "empty", "lost": ""}


def sets() -> pd.DataFrame:
    row = {
        "set_id": "s1", "cluster_id": "c1", "lang": "en", "dataset": "d", "bias_type": "age",
        "groups": ["Old cats", "Cats"],
        "attribute": "sleep a lot", "final_mark": ".", "original": "Old cats sleep a lot.", "parse": "presplit",
        "kept": True, "reason": "",
    }  # fmt: skip
    dropped = {**row, "set_id": "s2", "kept": False, "reason": "attribute_empty"}
    return pd.DataFrame([row, dropped], columns=schemas.table("sets").names)


def candidates(task: str, texts: dict[str, str], variant: str = "v0") -> pd.DataFrame:
    rows = [
        (text, "s1", "c1", "en", "age", variant, task, text, ["m"], 1, text.startswith("never"), not reason, reason)
        for text, reason in texts.items()
    ]
    return pd.DataFrame(rows, columns=schemas.table("candidates").names)


def judgements(frame: pd.DataFrame, role: str, numbers: dict[str, tuple[float, float] | float]) -> pd.DataFrame:
    rows = []
    for row in frame[frame["candidate_id"].isin(list(numbers))].itertuples():
        value = numbers[row.candidate_id]
        similarity, forward, backward = (value, NAN, NAN) if role == "similarity" else (NAN, *value)
        rows.append(
            {
                **judgement(row, role, "j"), "similarity": similarity, "contradiction_forward": forward,
                "contradiction_backward": backward, "entailment_forward": 1 - forward, "entailment_backward": 1 - backward,
            }
        )  # fmt: skip
    return pd.DataFrame(rows, columns=schemas.table("judgements").names)


def judgement(row: Any, role: str, model: str, group: int = 0) -> dict[str, Any]:
    return {"candidate_id": row.candidate_id, "set_id": "s1", "lang": "en", "variant_id": row.variant_id,
            "task": row.task, "role": role, "model": model, "group_index": group, "findings": None, "finding_ids": "",
            "error": ""}  # fmt: skip


def checked(frame: pd.DataFrame, findings: dict[str, tuple[int, int]], ids: str = "RULE") -> pd.DataFrame:
    """LanguageTool's judgements of every candidate: findings with the first and with the second group; else none."""
    rows = [
        {
            **judgement(row, "grammar", "languagetool-6.8", group),
            "findings": number,
            "finding_ids": ids if number else "",
        }
        for row in frame.itertuples()
        for group, number in enumerate(findings.get(row.candidate_id, (0, 0)))
    ]
    return pd.DataFrame(rows, columns=schemas.table("judgements").names)


def reasons(frame: pd.DataFrame, column: str) -> dict[str, str]:
    return dict(zip(frame[column], frame["reason"], strict=True))


def variants(limit=None, thresholds=THRESHOLDS, findings=None) -> pd.DataFrame:
    found = candidates("paraphrase", PARAPHRASES)
    similarity = judgements(
        found, "similarity", {"nap": 0.9, "doze": 0.7, "edge": 0.8, "far": 0.69, "run": 0.9, "lost": 0.9}
    )
    nli = judgements(found, "nli", {"nap": (0.1, 0.2), "doze": (0.3, 0.3), "edge": (0.8, 0.1), "run": (0.1, 0.81)})
    judged = Judged(found, similarity, nli, NO_GRAMMAR if findings is None else checked(found, findings))
    return selection.select_variants(sets(), judged, thresholds, limit)


def test_a_paraphrase_is_kept_at_the_similarity_threshold_and_at_the_contradiction_threshold():
    assert reasons(variants(), "attribute") == {
        "sleep a lot": "", "nap": "", "doze": "", "edge": "", "far": "similarity_below_threshold",
        "run": "contradiction_above_threshold", "bad": "empty", "lost": "not_judged",
    }  # fmt: skip
    frame = variants()
    assert frame.loc[frame["is_original"], "variant_id"].tolist() == ["v0"]
    assert (frame["kept"] == (frame["reason"] == "")).all()
    assert "s2" not in set(frame["set_id"])


def test_the_limit_keeps_the_least_contradicted():
    found = reasons(variants(limit=2), "attribute")
    assert [found[name] for name in ("nap", "doze", "edge")] == ["", "", "beyond_max_paraphrases"]


def test_the_costly_judge_sees_only_similar_candidates_and_a_tighter_threshold_admits_a_subset():
    found = candidates("paraphrase", {"nap": "", "doze": "", "bad": "empty"})
    similarity = judgements(found, "similarity", {"nap": 0.9, "doze": 0.7})

    def admitted(similarity, threshold, grammar=NO_GRAMMAR, engines=None) -> list[str]:
        rules = Rules(engines or {})
        return selection.admitted_to_nli(found, similarity, threshold, grammar, rules)["candidate_id"].tolist()

    assert admitted(similarity, 0.7) == ["nap", "doze"]
    assert admitted(similarity, 0.71) == ["nap"]
    assert admitted(None, None) == ["nap", "doze"]
    findings = checked(found, {"nap": (0, 1)})
    assert admitted(similarity, 0.7, findings, {"en": ["languagetool"]}) == ["doze"]
    assert admitted(None, None, findings, {"en": ["languagetool"]}) == ["doze"]
    assert admitted(None, None, findings, {"es": ["languagetool"]}) == ["nap", "doze"]


def rounds():
    one = candidates("alternate-1", {"wake": "", "stay up": "", "meh": "", "same": ""})
    two = candidates("alternate-2", {"rest little": "", "wake": ""}).assign(candidate_id=["rest little", "wake2"])
    numbers_one = {"wake": (0.95, 0.85), "stay up": (0.9, 0.86), "meh": (0.99, 0.8), "same": (0.1, 0.1)}
    similar = {"wake": 0.1, "stay up": 0.2, "meh": 0.3, "same": 1.0, "rest little": 0.1, "wake2": 0.1}
    return [
        Judged(one, judgements(one, "similarity", similar), judgements(one, "nli", numbers_one), NO_GRAMMAR),
        Judged(
            two,
            judgements(two, "similarity", similar),
            judgements(two, "nli", {"rest little": (0.99, 0.82), "wake2": (0.95, 0.85)}),
            NO_GRAMMAR,
        ),
    ]


def test_one_alternate_is_chosen_by_the_smaller_contradiction():
    frame = selection.select_alternates(variants(), rounds(), THRESHOLDS)
    assert frame.loc[frame["chosen"], "alternate"].tolist() == ["stay up"]
    found = dict(zip(frame["candidate_id"], frame["reason"], strict=True))
    assert found == {
        "stay up": "", "wake": "another_alternate_is_better", "meh": "contradiction_below_threshold",
        "same": "contradiction_below_threshold", "rest little": "another_alternate_is_better",
        "wake2": "tried_in_an_earlier_round",
    }  # fmt: skip
    assert (frame["kept"] == frame["chosen"]).all()
    assert len(frame) == 6


def test_later_rounds_work_on_what_is_left():
    kept = variants()
    left = selection.alternates_left(kept, rounds()[:1], THRESHOLDS)
    assert "v0" not in set(left["variant_id"])
    assert set(left["attribute"]) == {"nap", "doze", "edge"}
    stricter = THRESHOLDS._replace(nli_alternate=0.9)
    assert "v0" in set(selection.alternates_left(kept, rounds()[:1], stricter)["variant_id"])


def negated(judged: Judged, texts: set[str]) -> Judged:
    """The same round; these candidates add a negation."""
    found = judged.candidates
    return judged._replace(candidates=found.assign(adds_negation=found["attribute"].isin(texts)))


def test_an_added_negation_is_the_last_resort():
    one, two = rounds()

    def chosen(*judged: Judged) -> list[str]:
        frame = selection.select_alternates(variants(), judged, THRESHOLDS)
        return frame.loc[frame["chosen"], "alternate"].tolist()

    def left(*judged: Judged) -> set[str]:
        return set(selection.alternates_left(variants(), judged, THRESHOLDS)["variant_id"])

    # "stay up" has the larger number, "wake" is acceptable and needs no negation.
    assert chosen(negated(one, {"stay up"})) == ["wake"]
    assert "v0" not in left(negated(one, {"stay up"}))
    # Both add one: the next round is asked, and its opposite is taken although its number is smaller.
    both = negated(one, {"stay up", "wake"})
    assert "v0" in left(both)
    assert chosen(both) == ["stay up"]
    assert chosen(both, two) == ["rest little"]
    assert "v0" not in left(both, two)
    # What is not acceptable stays out, whatever it adds.
    assert chosen(negated(one, {"stay up", "wake"}), negated(two, {"rest little", "wake"})) == ["stay up"]


def test_augmented_pairs_and_their_sentences():
    frame = selection.augment(sets(), variants(), selection.select_alternates(variants(), rounds(), THRESHOLDS))
    assert frame[["variant_id", "attribute", "alternate", "v0_is_original"]].values.tolist() == [
        ["v0", "sleep a lot", "stay up", True]
    ]
    rows = sentences.build(frame)
    assert len(rows) == 4
    assert set(rows["prefix"] + rows["continuation"]) == {
        "Old cats sleep a lot.", "Cats sleep a lot.", "Old cats stay up.", "Cats stay up.",
    }  # fmt: skip
    assert rows["sentence_id"].is_unique


def test_chinese_joins_without_a_space():
    frame = selection.augment(sets(), variants(), selection.select_alternates(variants(), rounds(), THRESHOLDS))
    chinese = frame.assign(lang="zh", groups=[["老猫", "猫"]], attribute="睡得多", alternate="睡得少", final_mark="。")
    assert sentences.build(chinese)["continuation"].unique().tolist() == ["睡得多。", "睡得少。"]


def test_two_judgements_of_one_candidate_are_refused():
    found = candidates("paraphrase", {"nap": ""})
    twice = pd.concat([judgements(found, "similarity", {"nap": 0.9})] * 2)
    nli = judgements(found, "nli", {"nap": (0.1, 0.1)})
    with pytest.raises(pd.errors.MergeError):
        selection.select_variants(sets(), Judged(found, twice, nli, NO_GRAMMAR), THRESHOLDS)


def test_a_paraphrase_must_pass_grammar_before_the_costly_judges_numbers_are_asked_for():
    frame = variants(thresholds=WITH_GRAMMAR, findings={"nap": (1, 1), "doze": (0, 2), "far": (1, 0), "lost": (1, 0)})
    assert reasons(frame, "attribute") == {
        "sleep a lot": "", "nap": "grammar_finding", "doze": "attribute_depends_on_group", "edge": "",
        "far": "grammar_finding", "run": "contradiction_above_threshold", "bad": "empty", "lost": "grammar_finding",
    }  # fmt: skip
    rows = frame.set_index("attribute")
    assert rows.loc[["nap", "doze", "edge"], "grammar_findings"].tolist() == [2, 2, 0]
    assert rows.loc["doze", "grammar_finding_ids"] == "RULE"
    assert rows.loc["sleep a lot", "grammar_finding_ids"] == ""
    assert pd.isna(rows.loc["sleep a lot", "grammar_findings"])
    assert rows["grammar_score"].isna().all()


def test_a_paraphrase_that_grammar_has_not_looked_at_is_not_judged():
    found = reasons(variants(thresholds=WITH_GRAMMAR), "attribute")
    assert {found[name] for name in ("nap", "doze", "edge", "run")} == {"not_judged"}
    assert (found["sleep a lot"], found["bad"]) == ("", "empty")


def test_an_alternate_must_pass_grammar_too_and_the_next_round_tries_again():
    one, two = rounds()
    findings = {"wake": (0, 1), "stay up": (1, 1)}
    judged = [
        one._replace(grammar=checked(one.candidates, findings)),
        two._replace(grammar=checked(two.candidates, {})),
    ]
    frame = selection.select_alternates(variants(), judged, WITH_GRAMMAR)
    found = dict(zip(frame["candidate_id"], frame["reason"], strict=True))
    assert (found["wake"], found["stay up"]) == ("attribute_depends_on_group", "grammar_finding")
    assert frame.loc[frame["chosen"], "alternate"].tolist() == ["wake"]  # the second round's
    assert frame.set_index("candidate_id").loc["stay up", "grammar_findings"] == 2
    left = selection.alternates_left(variants(), judged[:1], WITH_GRAMMAR)
    assert "v0" in set(left["variant_id"])
    assert "v0" not in set(selection.alternates_left(variants(), judged[:1], THRESHOLDS)["variant_id"])


def test_thresholds_as_a_rule_passes_them():
    given = {"similarity": 0.7, "nli_paraphrase": 0.8, "nli_alternate": {"default": 0.8, "zh": 0.6},
             "grammar": {"engines": {"en": ["lm"]}, "threshold": {"default": -0.2}}}  # fmt: skip
    made = selection.thresholds_from_json(given)
    assert (made.alternate("zh"), made.alternate("en")) == (0.6, 0.8)
    assert made.grammar == Rules({"en": ["lm"]}, {"default": -0.2})
    assert made.grammar.threshold_of("en") == -0.2


def fitted(paraphrase: float, alternate: float) -> selection.Thresholds:
    """P(accepted) rises with the similarity of paraphrases, and falls with that of alternates; with these thresholds."""
    tasks = {
        "paraphrase": {"weights": {"similarity": 10.0}, "intercepts": {"en": -7.5}, "thresholds": {"en": paraphrase}},
        "alternate": {"weights": {"similarity": -10.0}, "intercepts": {"en": 2.0}, "thresholds": {"en": alternate}},
    }
    fit = {"models": {"generators": ["m"], "similarity": "j", "nli": "j"}, **tasks}
    given = {**THRESHOLDS._asdict(), "grammar": {"engines": {}, "threshold": None}, "acceptance": fit}
    return selection.thresholds_from_json(given)


def test_a_fit_of_acceptance_drops_what_readers_would_and_says_how_likely_it_was():
    """logistic(1.5) = 0.82 for nap, logistic(-0.5) = 0.38 for doze, logistic(0.5) = 0.62 for edge."""
    frame = variants(thresholds=fitted(0.5, 0.5))
    found = reasons(frame, "attribute")
    assert [found[name] for name in ("nap", "doze", "edge")] == ["", "acceptance_below_threshold", ""]
    assert found["run"] == "contradiction_above_threshold"  # the paper's thresholds come first
    number = dict(zip(frame["attribute"], frame["acceptance"], strict=True))
    assert [number[name] for name in ("nap", "doze", "edge")] == pytest.approx([0.8176, 0.3775, 0.6225], abs=1e-4)
    assert frame.loc[frame["is_original"], "acceptance"].isna().all()
    assert variants()["acceptance"].isna().all()
    assert "acceptance_below_threshold" in selection.THRESHOLD_REASONS


def test_the_limit_keeps_the_likeliest_where_a_fit_says():
    found = reasons(variants(limit=2, thresholds=fitted(0.3, 0.5)), "attribute")
    assert [found[name] for name in ("nap", "doze", "edge")] == ["", "beyond_max_paraphrases", ""]


def test_the_likeliest_alternate_is_chosen_where_a_fit_says():
    """logistic(1) = 0.73 for wake, logistic(0) = 0.5 for stay up, which has the larger contradiction."""
    frame = selection.select_alternates(variants(), rounds()[:1], fitted(0.3, 0.3))
    assert frame.loc[frame["chosen"], "alternate"].tolist() == ["wake"]
    strict = selection.select_alternates(variants(), rounds()[:1], fitted(0.3, 0.6))
    found = dict(zip(strict["candidate_id"], strict["reason"], strict=True))
    assert (found["stay up"], found["meh"]) == ("acceptance_below_threshold", "contradiction_below_threshold")
    assert "v0" in set(selection.alternates_left(variants(), rounds()[:1], fitted(0.3, 0.8))["variant_id"])


def test_an_alternate_whose_similarity_failed_is_not_judged_where_a_fit_needs_it():
    one = rounds()[0]
    missing = one._replace(similarity=one.similarity.assign(similarity=NAN))
    frame = selection.select_alternates(variants(), [missing], fitted(0.3, 0.3))
    assert set(frame.loc[frame["candidate_id"].isin(["wake", "stay up"]), "reason"]) == {"not_judged"}
