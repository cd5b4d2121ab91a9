"""Grammar: what a candidate adds to its source, what that decides, and the merge of the engines' judgements."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair import schemas
from dualpair.errors import InputError
from dualpair.filters import grammar, grammar_engines
from dualpair.filters.grammar import Rules
from dualpair.stages import grammar as stage

LT, LM, TREE = "languagetool-6.8", "lm:tiny", "agreement:stanza"
NAN = float("nan")
IDS = st.lists(st.sampled_from(["A", "B", "C"]), max_size=6)


def candidates(*names: str, lang: str = "en", kept: bool = True) -> pd.DataFrame:
    rows = [
        (n, "s1", "c1", lang, "age", "v0", "paraphrase", n, ["m"], 1, False, kept, "" if kept else "empty")
        for n in names
    ]
    return pd.DataFrame(rows, columns=schemas.table("candidates").names)


def sources(lang: str = "en") -> pd.DataFrame:
    mark = "。" if lang == "zh" else "."
    row = ("s1", "c1", lang, "age", "v0", ["Old cats", "Cats"], "sleep a lot", mark)
    return pd.DataFrame([row], columns=schemas.table("sources").names)


def judged(candidate: str, model: str, *numbers: float | None, ids: str = "", lang: str = "en") -> pd.DataFrame:
    """One row per number, of groups 0, 1, ...: findings, or engine lm's score."""
    score = model == LM
    rows = [
        {"candidate_id": candidate, "set_id": "s1", "lang": lang, "variant_id": "v0", "task": "paraphrase",
         "group_index": index, "findings": None if score else number, "grammar_score": number if score else NAN,
         "finding_ids": ids, "error": "" if number is not None else "broken"}
        for index, number in enumerate(numbers)
    ]  # fmt: skip
    return stage.table(pd.DataFrame(rows), model)


def reason(rules: Rules, *tables: pd.DataFrame, lang: str = "en") -> str:
    every = pd.concat(tables) if tables else pd.DataFrame(columns=schemas.table("judgements").names)
    (found,) = grammar.decide(candidates("nap", lang=lang), every, rules)["grammar_reason"]
    return str(found)


# --- findings against the source's ------------------------------------------------------------------------------------


def test_only_what_the_source_has_not_counts_and_repeats_count():
    assert grammar.added(["B", "A", "A"], ["A"]) == ["A", "B"]
    assert grammar.added(["A"], ["A", "B"]) == []
    assert grammar.added([], ["A"]) == []


@given(IDS, IDS)
def test_added_findings_are_the_difference_of_multisets(candidate, source):
    found = grammar.added(candidate, source)
    assert found == sorted(found)
    for name in "ABC":
        assert found.count(name) == max(0, candidate.count(name) - source.count(name))


# --- decisions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ((0, 0), ""),
        ((1, 1), "grammar_finding"),
        ((1, 0), "grammar_finding"),
        ((0, 2), "attribute_depends_on_group"),
        ((0, None), "not_judged"),
    ],
)
def test_languagetool(numbers, expected):
    assert reason(Rules({"en": ["languagetool"]}), judged("nap", LT, *numbers)) == expected


def test_agreement_with_any_group():
    rules = Rules({"en": ["agreement"]})
    assert reason(rules, judged("nap", TREE, 0, 0)) == ""
    assert reason(rules, judged("nap", TREE, 1, 0)) == "attribute_depends_on_group"
    assert reason(rules, judged("nap", TREE, 0, 1)) == "attribute_depends_on_group"
    assert reason(rules, judged("nap", TREE, 1, 1)) == "grammar_finding"  # wrong whatever the group


@pytest.mark.parametrize(
    ("threshold", "lang", "expected"),
    [
        (-0.5, "en", ""),  # at the threshold it passes
        (-0.4, "en", "grammar_lm_below_threshold"),
        ({"en": -0.6, "default": 0.0}, "en", ""),
        ({"en": -0.6, "default": 0.0}, "zh", "grammar_lm_below_threshold"),
    ],
)
def test_the_worst_group_must_reach_the_threshold_of_engine_lm(threshold, lang, expected):
    rules = Rules({"en": ["lm"], "zh": ["lm"]}, threshold)
    assert reason(rules, judged("nap", LM, 0.3, -0.5, lang=lang), lang=lang) == expected


def test_a_language_without_threshold_is_an_error():
    with pytest.raises(ValueError, match="no threshold for language 'en'"):
        reason(Rules({"en": ["lm"]}, {"zh": 0.0}), judged("nap", LM, 0.0, 0.0))


def test_all_engines_of_the_language_must_have_looked_and_none_else_counts():
    both = Rules({"en": ["languagetool", "lm"]}, 0.0)
    assert reason(both, judged("nap", LT, 0, 0)) == "not_judged"
    assert reason(both, judged("nap", LT, 0, 0), judged("nap", LM, 0.1, 0.1)) == ""
    assert reason(both, judged("nap", LT, 1, 1), judged("nap", LM, -1.0, -1.0)) == "grammar_finding"
    assert reason(Rules({"es": ["languagetool"]}), judged("nap", LT, 1, 1)) == ""
    assert reason(Rules()) == ""
    assert reason(Rules({"en": ["languagetool"]})) == "not_judged"


def test_numbers_of_a_candidate():
    every = pd.concat(
        [judged("nap", LT, 0, 2, ids="B A B"), judged("nap", LM, 0.5, -0.25), judged("doze", LT, None, None)]
    )
    rules = Rules({"en": ["languagetool", "lm"]}, -1.0)
    found = grammar.decide(candidates("nap", "doze", "run"), every, rules)
    assert found["candidate_id"].tolist() == ["nap", "doze", "run"]
    assert found["grammar_findings"].tolist()[0] == 2
    assert found["grammar_findings"].isna().tolist() == [False, True, True]
    assert found["grammar_finding_ids"].tolist() == ["A B", "", ""]
    assert found["grammar_score"].tolist()[0] == -0.25
    assert found["grammar_score"].isna().tolist() == [False, True, True]
    assert found["grammar_reason"].tolist() == ["attribute_depends_on_group", "not_judged", "not_judged"]


def test_names_of_judges():
    assert grammar_engines.judge_name("languagetool", "6.8") == LT
    for engine, name in (("languagetool", LT), ("lm", LM), ("agreement", TREE)):
        assert grammar_engines.engine_of(name) == engine
    with pytest.raises(ValueError, match="model 'gemma': expected languagetool-VERSION"):
        grammar_engines.engine_of("gemma")


# --- sentences and the merge ------------------------------------------------------------------------------------------


def test_every_group_of_every_kept_candidate_is_looked_at():
    found = stage.group_pairs(pd.concat([candidates("nap"), candidates("bad", kept=False)]), sources(), ["en"])
    assert found[["group_index", "source_text", "candidate_text"]].values.tolist() == [
        [0, "Old cats sleep a lot.", "Old cats nap."], [1, "Cats sleep a lot.", "Cats nap."],
    ]  # fmt: skip
    assert stage.group_pairs(candidates("nap"), sources(), ["es"]).empty
    chinese = stage.group_pairs(candidates("nap", lang="zh"), sources("zh"), ["zh"])
    assert chinese["candidate_text"].tolist() == ["Old catsnap。", "Catsnap。"]


def test_the_merge_keeps_all_engines():
    tables = [judged("nap", LT, 0, 1), judged("nap", LM, 0.1, 0.2)]
    found = stage.merge(candidates("nap"), sources(), tables, {"en": ["languagetool", "lm"]})
    assert len(found) == 4
    assert set(found["model"]) == {LT, LM}


def test_the_merge_without_engines_is_empty_with_the_tables_columns():
    found = stage.merge(candidates("nap"), sources(), [], {})
    assert found.empty
    assert list(found.columns) == schemas.table("judgements").names


def test_a_candidate_that_an_engine_has_not_judged_is_an_error():
    engines = {"en": ["languagetool", "lm"]}
    with pytest.raises(
        InputError, match=r"engine lm: 2 sentences are not judged, first: candidate nap, group 0 of set s1"
    ):
        stage.merge(candidates("nap"), sources(), [judged("nap", LT, 0, 0)], engines)
    with pytest.raises(InputError, match="engine languagetool: 1 sentences are not judged"):
        stage.merge(candidates("nap"), sources(), [judged("nap", LT, 0)], {"en": ["languagetool"]})


def test_judgements_that_nobody_asked_for_are_an_error():
    with pytest.raises(InputError, match="2 rows too many"):
        stage.merge(candidates("nap"), sources(), [judged("nap", LT, 0, 0)], {})
    twice = [judged("nap", LT, 0, 0), judged("nap", LT, 0, 0)]
    with pytest.raises(InputError, match=r"2 rows too many, .* one sentence twice"):
        stage.merge(candidates("nap"), sources(), twice, {"en": ["languagetool"]})
