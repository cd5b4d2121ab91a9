"""Surface similarity and Self-BLEU: parity with sacrebleu and rouge-score, every script, hand-worked values."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU, CHRF

from dualpair import languages, schemas
from dualpair.analysis import diversity, surface

ENGLISH = ["are good at swimming", "swim well", "are very good at swimming", "don't often swim"]
CHINESE = ["很会游泳", "游泳游得很好", "擅长游泳"]
RUSSIAN = ["хорошо плавают", "плавают очень хорошо", "умеют плавать"]


def test_self_bleu_is_the_mean_of_sacrebleus_sentence_scores():
    for texts, lang, tokenizer in ((ENGLISH, "en", "13a"), (CHINESE, "zh", "zh"), (RUSSIAN, "ru", "13a")):
        metric = BLEU(effective_order=True, tokenize=tokenizer)
        scores = [metric.sentence_score(text, [t for t in texts if t is not text]).score for text in texts]
        assert diversity.self_bleu(texts, lang) == pytest.approx(np.mean(scores))
        assert 0 < diversity.self_bleu(texts, lang) < 100


def test_self_bleu_by_hand():
    # "a b" against "a c": one of two unigrams, no bigram; sacrebleu smooths the bigram to 1/2 of 1 (exponential).
    assert diversity.self_bleu(["a b", "a c"], "en") == pytest.approx(100 * math.sqrt(0.5 * 0.5))
    assert diversity.self_bleu(["a b c d"] * 3, "en") == 100.0


def test_texts_without_a_shared_word_score_less_than_any_with_one():
    assert diversity.self_bleu(["a b c", "d e f"], "en") == 0
    assert diversity.self_bleu(["a b c", "a e f"], "en") > 0


def test_one_text_cannot_be_compared():
    assert math.isnan(diversity.self_bleu(["a b"], "en")) and math.isnan(diversity.self_bleu([], "en"))


def test_chinese_is_compared_by_characters_not_by_whole_texts():
    assert diversity.self_bleu(["很会游泳", "会游泳"], "zh") > 50
    assert diversity.self_bleu(["很会游泳", "会游泳"], "en") < 1


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.text("ab 游泳д", min_size=1, max_size=8), min_size=2, max_size=4), st.sampled_from(["en", "zh", "ru"])
)
def test_self_bleu_is_in_range_and_does_not_depend_on_order(texts, lang):
    found = diversity.self_bleu(texts, lang)
    assert 0 <= found <= 100
    assert diversity.self_bleu(texts[::-1], lang) == pytest.approx(found, abs=1e-9)


@pytest.mark.parametrize("lang", languages.known())
def test_every_language_has_a_tokenizer_that_sacrebleu_knows(lang):
    assert surface.sentence_bleu("abc def", ["abc def"], lang) == 100.0


def test_similarities_equal_the_libraries():
    source, other = ENGLISH[0], ENGLISH[2]
    found = surface.surface_similarities(source, other, "en")
    assert found["bleu"] == pytest.approx(BLEU(effective_order=True).sentence_score(other, [source]).score)
    assert found["chrf"] == pytest.approx(CHRF(word_order=2).sentence_score(other, [source]).score)
    own = rouge_scorer.RougeScorer(["rougeL"]).score(source, other)["rougeL"].fmeasure
    assert found["rouge_l"] == pytest.approx(own) == pytest.approx(8 / 9)
    assert found["jaccard"] == pytest.approx(4 / 5)


@settings(max_examples=60, deadline=None)
@given(st.text("abcXYZ019 .,-'_!?", max_size=25), st.text("abcXYZ019 .,-'_!?", max_size=25))
def test_english_tokens_are_those_of_rouge_score(one, other):
    library = rouge_scorer.RougeScorer(["rougeL"]).score(one, other)["rougeL"].fmeasure
    assert surface.surface_similarities(one, other, "en")["rouge_l"] == pytest.approx(library)


def test_other_scripts_are_not_dropped():
    # rouge-score's own tokenizer leaves nothing of these texts.
    assert rouge_scorer.RougeScorer(["rougeL"]).score(*RUSSIAN[:2])["rougeL"].fmeasure == 0
    russian = surface.surface_similarities(RUSSIAN[0], RUSSIAN[1], "ru")
    # Longest common subsequence: one word of two and of three.
    assert russian["rouge_l"] == pytest.approx(2 * (1 / 3) * (1 / 2) / (1 / 3 + 1 / 2))
    assert russian["jaccard"] == pytest.approx(2 / 3)
    chinese = surface.surface_similarities(CHINESE[0], CHINESE[2], "zh")
    # Characters: two of four in both.
    assert (chinese["rouge_l"], chinese["jaccard"]) == (pytest.approx(0.5), pytest.approx(2 / 6))


def test_tokens_keep_accents_and_vowel_signs_and_drop_marks():
    assert surface.tokens("¡Están ALEGRES, siempre!", "es") == ["están", "alegres", "siempre"]
    assert surface.tokens("अच्छी हिंदी", "hi") == ["अच्छी", "हिंदी"]
    assert surface.tokens("– всегда 3 раза", "ru") == ["всегда", "3", "раза"]
    assert surface.tokens("很好, 很好。", "zh") == ["很", "好", "很", "好"]


def test_texts_without_a_token_have_no_jaccard():
    assert math.isnan(surface.jaccard("!", "…", "en"))
    assert surface.jaccard("!", "cat", "en") == 0


@settings(max_examples=40, deadline=None)
@given(st.text("abc 游泳 дё", max_size=10), st.text("abc 游泳 дё", max_size=10), st.sampled_from(["en", "zh"]))
def test_similarities_are_in_range_and_equal_texts_are_largest(one, other, lang):
    found = surface.surface_similarities(one, other, lang)
    for name, top in (("bleu", 100), ("chrf", 100), ("rouge_l", 1), ("jaccard", 1)):
        assert math.isnan(found[name]) or 0 <= found[name] <= top + 1e-9
    if surface.tokens(one, lang):
        same = surface.surface_similarities(one, one, lang)
        assert same["rouge_l"] == same["jaccard"] == 1


def test_unknown_languages_are_refused():
    with pytest.raises(ValueError, match="unknown language 'xx'"):
        surface.surface_similarities("a", "b", "xx")


def augmented(texts: dict[tuple[str, str], list[str]]) -> pd.DataFrame:
    rows = [
        {"set_id": set_id, "cluster_id": f"c-{set_id}", "lang": lang, "dataset": "d", "bias_type": "age",
         "variant_id": f"p{i}" if i else "v0", "groups": ["Cats", "Dogs"], "attribute": text, "alternate": "rest",
         "final_mark": ".", "v0_is_original": True}
        for (lang, set_id), own in texts.items() for i, text in enumerate(own)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=schemas.table("augmented").names)


def test_table_of_languages_counts_sets_with_one_wording():
    data = augmented({
        ("en", "a"): ["x y", "x y"], ("en", "b"): ["x y", "x z"], ("en", "c"): ["x y", "x y", "x y"], ("en", "d"): ["x"],
        ("zh", "a"): CHINESE,
    })  # fmt: skip
    found = diversity.diversity(data, 1, 200)
    assert found.sets["n_texts"].tolist() == [2, 2, 3, 1, 3]
    en, zh = found.languages.to_dict("records")
    assert (en["n_sets"], en["n_left_out"], en["n_clusters"]) == (3, 1, 3)
    assert en["mean"] == pytest.approx((100 + 50 + 100) / 3) and en["median"] == 100
    assert en["low"] == pytest.approx(50) and en["high"] == pytest.approx(100)
    assert (zh["n_sets"], math.isnan(zh["low"])) == (1, True) and zh["mean"] == zh["median"] == zh["p95"]


def test_language_without_a_comparable_set_is_missing():
    (row,) = diversity.diversity(augmented({("en", "a"): ["x"]}), 1, 200).languages.to_dict("records")
    assert (row["n_sets"], row["n_left_out"]) == (0, 1) and math.isnan(row["mean"])


def test_interval_holds_the_mean_at_its_rate():
    """Clusters of three sets that share their level: the interval must widen with them."""
    rng = np.random.default_rng(0)
    hits = 0
    for world in range(200):
        level = np.repeat(rng.normal(40, 5, 30), 3) + rng.normal(0, 2, 90)
        sets = pd.DataFrame({
            "lang": "en", "set_id": [f"s{i}" for i in range(90)], "cluster_id": np.repeat(np.arange(30), 3).astype(str),
            "n_texts": 5, "self_bleu": level,
        })  # fmt: skip
        row = diversity._summary("en", sets, world, 300)
        hits += float(row["low"]) <= 40 <= float(row["high"])
    assert 0.89 <= hits / 200 <= 0.99
