"""Human validation: which pairs are sampled, by what chance, and in whose order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dualpair import config as configs
from dualpair import plan, store
from dualpair.schemas import table
from dualpair.stages import identity, similarity
from dualpair.validation import sampling, sheets
from dualpair.validation.digests import digest
from dualpair.validation.mismatch import Similarity, cosine_of, unrelated
from dualpair.validation.pairs import Scores, Side
from dualpair.validation.sampling import SampleSettings
from dualpair.validation.vectors import of_store
from tests.unit.test_sheets import _draw, _items, _world


def test_sample_has_the_numbers_asked_for_and_the_declared_columns() -> None:
    key, warnings = _draw(_world())
    assert warnings == ()
    assert list(key.columns) == table("sheet_key").names
    counts = key.groupby(["task", "lang", "kind"]).size()
    expected = {"accepted": 5, "mismatched": 3, "below_threshold": 2}
    assert counts.to_dict() == {
        (task, lang, kind): n for task in sampling.TASKS for lang in ("en", "zh") for kind, n in expected.items()
    }
    for _, sheet in key.groupby(["task", "lang"]):
        assert list(sheet["position"]) == list(range(1, 11))
        assert sheet["pair_id"].is_unique and sheet["item_id"].is_unique


def test_accepted_and_below_threshold_pairs_are_the_sentences_of_the_first_group() -> None:
    key = _draw(_world(), (99, 0, 99)).key
    for row in key.itertuples():
        s = int(str(row.set_id)[1:])
        joiner = " " if row.lang == "en" else ""
        source, candidate = (row.first, row.second) if row.source_first else (row.second, row.first)
        _, lang, of, v, *rest = str(row.candidate_id).split("-")
        assert (lang, int(of)) == (row.lang, s)
        if row.task == "paraphrase":
            assert row.variant_id == "v0"
            assert source == f"G{s}{joiner}a{s}!" and candidate == f"G{s}{joiner}a{s}v{v}!"
            assert (row.kind == "accepted") == (int(v) in (1, 2, 3))
        else:
            attribute = f"a{s}" if v == "0" else f"a{s}v{v}"
            assert row.variant_id == f"v{v}"
            assert source == f"G{s}{joiner}{attribute}!" and candidate == f"G{s}{joiner}{rest[0]} a{s}v{v}!"
            assert (row.kind == "accepted") == (rest[0] == "not")


def test_mismatched_pairs_join_two_bias_types() -> None:
    key = _draw(_world(), (0, 20, 0)).key
    assert set(key["kind"]) == {"mismatched"} and len(key) == 80
    for row in key.itertuples():
        source_set, candidate_set = int(str(row.set_id)[1:]), int(str(row.candidate_id).split("-")[2])
        assert source_set % 3 != candidate_set % 3
        source, candidate = (row.first, row.second) if row.source_first else (row.second, row.first)
        assert str(source).startswith(f"G{source_set}") and str(candidate).startswith(f"G{candidate_set}")
        assert str(row.candidate_id).split("-")[1] == row.lang


def test_no_mismatch_within_a_cluster_or_a_single_bias_type() -> None:
    sets, variants, alternates = _world(n_sets=3, langs=("en",))
    one_cluster = sets.assign(cluster_id="c")
    assert _draw((one_cluster, variants, alternates), (0, 5, 0)).key.empty
    one_type = sets.assign(bias_type="b")
    assert _draw((one_type, variants, alternates), (0, 5, 0)).key.empty


def test_rows_dropped_for_other_reasons_are_not_sampled() -> None:
    sets, variants, alternates = _world()
    variants = variants.assign(reason=variants["reason"].where(variants["kept"], "no_answer"))
    key, warnings = _draw((sets, variants, alternates), (0, 0, 4))
    assert set(key["task"]) == {"alternate"}
    assert warnings == tuple(
        f"paraphrase, {lang}: 0 of the 4 below_threshold pairs asked for; there are no more" for lang in ("en", "zh")
    )


def test_too_few_pairs_give_all_of_them_and_a_warning_with_numbers() -> None:
    key, warnings = _draw(_world(n_sets=2, n_variants=1, langs=("en",)), (80, 10, 10))
    paraphrases = key[key["task"] == "paraphrase"]["kind"].value_counts().to_dict()
    assert paraphrases == {"accepted": 2, "mismatched": 2, "below_threshold": 2}
    assert "paraphrase, en: 2 of the 80 accepted pairs asked for; there are no more" in warnings
    assert len(warnings) == 6


def test_sample_depends_on_the_seed_and_not_on_the_order_of_rows() -> None:
    world = _world()
    again = tuple(frame.sample(frac=1, random_state=3).reset_index(drop=True) for frame in world)
    pd.testing.assert_frame_equal(_draw(world).key, _draw(again).key)
    assert set(_draw(world).key["pair_id"]) != set(_draw(world, seed=2).key["pair_id"])


def test_every_pair_is_equally_likely_and_order_is_balanced() -> None:
    world = _world(n_sets=4, n_variants=2, langs=("en",))
    drawn = pd.concat([_draw(world, (2, 0, 0), seed).key for seed in range(400)])
    drawn = drawn[drawn["task"] == "paraphrase"]
    counts = drawn["candidate_id"].value_counts()
    # Eight pairs, each drawn with probability 1/4 in 400 draws: mean 100, standard deviation 8.7; five of those.
    assert len(counts) == 8 and counts.between(56, 144).all()
    # 800 fair coins: mean 400, standard deviation 14; five of those.
    assert 330 < drawn["source_first"].sum() < 470


def test_kinds_are_mixed_over_the_sheet() -> None:
    """Positions of the 20 planted rows among 100 average near 50.5 (standard error 5.8): shuffled, not appended."""
    key = _draw(_world(n_sets=40, langs=("en",)), (80, 10, 10)).key
    for _, sheet in key.groupby("task"):
        assert 25 < sheet[sheet["kind"] != "accepted"]["position"].mean() < 76


def test_pair_ids_join_across_samples_and_item_ids_come_from_the_print_alone() -> None:
    small, large = _draw(_world(), (5, 0, 0)).key, _draw(_world(), (20, 3, 2)).key
    assert set(small["pair_id"]) <= set(large["pair_id"])
    as_mismatch = small.assign(kind="mismatched", candidate_id="x", set_id="y")
    for row in as_mismatch.itertuples():
        parts = ("item", row.task, row.lang, row.first, row.second)
        assert row.item_id == "i" + digest(*parts)[:15]


def test_equal_wording_is_drawn_once_and_accepted_wins() -> None:
    sets, variants, alternates = _world(n_sets=1, n_variants=1, langs=("en",))
    twin_sets = pd.concat([sets, sets.assign(set_id="s99", cluster_id="c99", bias_type="other")])
    twin = variants.assign(set_id="s99", cluster_id="c99", bias_type="other")
    dropped = twin.assign(kept=twin["is_original"], reason="similarity_below_threshold")
    key = _draw((twin_sets, pd.concat([variants, dropped]), alternates), (9, 9, 9)).key
    paraphrases = key[key["task"] == "paraphrase"]
    assert paraphrases[["kind", "set_id"]].value_counts().to_dict() == {
        ("accepted", "s00"): 1,
        ("below_threshold", "s00"): 1,
    }


def test_annotators_get_the_same_items_in_another_order() -> None:
    key = _draw(_world(), (5, 3, 2), annotators=3).key
    assert list(key.columns) == table("sheet_key").names
    for _, items in key.groupby(["task", "lang"]):
        sheet = {str(name): one for name, one in items.groupby("annotator")}
        assert list(sheet) == ["annotator-1", "annotator-2", "annotator-3"]
        assert all(list(one["position"]) == list(range(1, 11)) for one in sheet.values())
        orders = {tuple(one["item_id"]) for one in sheet.values()}
        assert len(orders) == 3 and len({frozenset(order) for order in orders}) == 1
        # Of an item, an annotator's row differs in nothing but its place.
        assert (items.drop(columns=["annotator", "position"]).groupby("item_id").nunique(dropna=False) == 1).all(
            axis=None
        )
    one = _draw(_world(), (5, 3, 2)).key
    pd.testing.assert_frame_equal(one, key[key["annotator"] == "annotator-1"].reset_index(drop=True))


def test_scores_of_the_filters_come_along() -> None:
    sets, variants, alternates = _world(n_sets=4, langs=("en",))
    variants["similarity"] = [n / 100 for n in range(len(variants))]
    key = _draw((sets, variants, alternates), (9, 3, 2)).key
    known = variants.set_index("candidate_id")["similarity"]
    here = key[(key["task"] == "paraphrase") & (key["kind"] != "mismatched")]
    assert list(here["similarity"]) == list(known.loc[list(here["candidate_id"])])
    assert key.loc[key["kind"] == "mismatched", list(Scores._fields)].isna().all(axis=None)


def test_balance_takes_bias_types_in_turns_and_weights_undo_it() -> None:
    sets, variants, alternates = _world(n_sets=12, langs=("en",))
    # 2 sets of b0, 2 of b1, 8 of b2: 6, 6 and 24 accepted paraphrases.
    kinds = {f"s{s:02}": f"b{min(s // 2, 2)}" for s in range(12)}
    world = (sets.assign(bias_type=sets["set_id"].map(kinds)), variants, alternates)
    key = _draw(world, (15, 0, 0), balance="bias_type").key
    rows = key[key["task"] == "paraphrase"]
    assert rows["bias_type"].value_counts().to_dict() == {"b0": 5, "b1": 5, "b2": 5}
    # Share among the pairs over share in the sample: (6/36) / (5/15), and (24/36) / (5/15).
    assert rows.groupby("bias_type")["weight"].unique().map(list).to_dict() == {
        "b0": [pytest.approx(0.5)], "b1": [pytest.approx(0.5)], "b2": [pytest.approx(2.0)]
    }  # fmt: skip
    assert rows["weight"].mean() == pytest.approx(1.0)
    # A bias type with too few gives all; the others share the rest, and weighted counts are those of all pairs.
    many = _draw(world, (24, 0, 0), balance="bias_type").key
    rows = many[many["task"] == "paraphrase"]
    assert rows["bias_type"].value_counts().to_dict() == {"b2": 12, "b0": 6, "b1": 6}
    weighted = rows.groupby("bias_type")["weight"].sum() / len(rows)
    assert weighted.to_dict() == pytest.approx({"b0": 6 / 36, "b1": 6 / 36, "b2": 24 / 36})
    assert set(_draw(world, (15, 3, 2)).key["weight"]) == {1.0}


def test_a_mismatched_pair_shares_neither_group_nor_words() -> None:
    sets, variants, alternates = _world(n_sets=6, langs=("en",))
    assert not _draw((sets, variants, alternates), (0, 5, 0)).key.empty
    one_group = sets.assign(groups=[["Cats", "Dogs"] if s % 2 else ["cats", "Dogs"] for s in range(6)])
    assert _draw((one_group, variants, alternates), (0, 5, 0)).key.empty
    alike = variants.assign(attribute=["sleep very much " + text for text in variants["attribute"]])
    alike_sets = sets.assign(attribute=["sleep very much " + text for text in sets["attribute"]])
    drawn = _draw((alike_sets, alike, alternates), (0, 5, 0))
    assert "paraphrase" not in set(drawn.key["task"])
    assert "paraphrase, en: 0 of the 5 mismatched pairs asked for; there are no more" in drawn.warnings


def test_a_mismatched_pair_fails_the_similarity_filter() -> None:
    """Vectors by bias type: b0 and b1 are alike (cosine 0.8), b2 is apart; the filter's threshold is 0.7."""
    world = _world(n_sets=9, langs=("en",))
    axes = {"b0": np.array([1.0, 0.0], "f4"), "b1": np.array([0.8, 0.6], "f4"), "b2": np.array([0.0, -1.0], "f4")}
    types = {f"s{s:02}": f"b{s % 3}" for s in range(9)}

    def vectors(texts: Any) -> dict[str, Any]:
        return {text: axes[f"b{int(text.split()[0][1:]) % 3}"] for text in texts}

    key = _draw(world, (0, 9, 0), known=Similarity(vectors, 0.7)).key
    assert len(key) == 18
    for row in key.itertuples():
        source, candidate = types[str(row.set_id)], f"b{int(str(row.candidate_id).split('-')[2]) % 3}"
        assert row.similarity == pytest.approx(float(axes[source] @ axes[candidate])) and row.similarity < 0.7
    # Not what chance gives: without the filter, pairs of b0 with b1 are among them.
    free = _draw(world, (0, 9, 0)).key
    assert any(
        {types[str(r.set_id)], f"b{int(str(r.candidate_id).split('-')[2]) % 3}"} == {"b0", "b1"}
        for r in free.itertuples()
    )
    none = _draw(world, (0, 9, 0), known=Similarity(lambda texts: {}, 0.7))
    assert none.key["similarity"].isna().all()
    assert (
        "paraphrase, en: 9 of 9 mismatched pairs were checked by their words alone, because the store"
        in none.warnings[0]
    )


def test_vectors_come_from_the_store_of_the_similarity_filter(tmp_path: Path, root: Path) -> None:
    """What the filter's stage stored under a text is found by the text, and the cosine is the filter's."""
    config = configs.load_file(root / "config.yaml")
    model, entry = config.roles.similarity or "", config.models[config.roles.similarity or ""]
    who = identity.identity(entry, "cpu", similarity.contract())
    stored = {"Cats nap.": np.array([0.6, 0.8], "f4"), "Trains wait.": np.array([1.0, 0.0], "f4")}
    asked = [plan.make_request(who, "en", "s1", {"text": text}, 3) for text in stored]
    space = store.Store(tmp_path).space(similarity.KIND, model, who)
    space.put({one.key: {"vector": store.encode_vector(stored[one.content["text"]])} for one in asked})
    found = of_store(tmp_path, model, entry, "cpu", 0.7).vectors([*stored, "Nobody asked."])
    assert set(found) == set(stored) and all((found[text] == vector).all() for text, vector in stored.items())
    assert cosine_of(found, *stored) == pytest.approx(0.6)
    assert np.isnan(cosine_of(found, "Cats nap.", "Nobody asked."))
    other = of_store(tmp_path, model, entry.model_copy(update={"engine": "sentence-transformers"}), "cpu", 0.7)
    assert other.vectors(list(stored)) == {}


@pytest.mark.parametrize(
    ("one", "other", "lang", "wanted"),
    [
        (("Cats", "sleep a lot"), ("Trains", "are late"), "en", True),
        (("Cats", "sleep a lot"), ("cats", "are late"), "en", False),
        (("Cats", "sleep a lot"), ("Trains", "Sleep a while"), "en", False),  # two of three words
        (("Cats", "sleep a lot in winter"), ("Trains", "are a pain"), "en", True),  # one of three
        (("猫", "很能睡"), ("火车", "经常晚点"), "zh", True),
        (("猫", "很能睡"), ("狗", "能睡"), "zh", False),
        (("Cats", "!"), ("Trains", "?"), "en", False),  # no word to tell them apart
    ],
)
def test_unrelated_by_hand(one: tuple[str, str], other: tuple[str, str], lang: str, wanted: bool) -> None:
    sides = [Side(" ".join(side), *side) for side in (one, other)]
    assert unrelated(*sides, lang) == unrelated(*reversed(sides), lang) == wanted


@pytest.mark.parametrize("bad", [-1, 2.0, True, "3"])
def test_settings_are_checked(bad: Any) -> None:
    with pytest.raises(ValueError, match=r"mismatched.*whole number from 0"):
        _draw(_world(), (1, bad, 1))


def test_balance_and_annotators_are_checked() -> None:
    with pytest.raises(ValueError, match=r"balance: found 'age', allowed are none, bias_type"):
        _draw(_world(), balance="age")
    with pytest.raises(ValueError, match=r"annotators: found 0, allowed is a whole number from 1"):
        _draw(_world(), annotators=0)
    with pytest.raises(ValueError, match=r"annotator '\.\./x' names no folder"):
        sheets.write(_items(("x",)).assign(annotator="../x"), Path())


def test_a_single_text_or_an_empty_reason_is_refused() -> None:
    sets, variants, alternates = _world()
    for bad in ("contradiction_above_threshold", {""}):
        with pytest.raises(ValueError, match="collection of reasons"):
            sampling.sample(sets, variants, alternates, SampleSettings(1, 1, 1), 0, bad)


def test_a_row_without_its_set_or_variant_is_named() -> None:
    sets, variants, alternates = _world(langs=("en",))
    with pytest.raises(ValueError, match=r"variants: row \(lang 'en', set_id 's03'\)"):
        _draw((sets[sets["set_id"] != "s03"], variants, alternates))
    with pytest.raises(ValueError, match=r"alternates: .*variant_id 'v2'\) has no row in variants"):
        _draw((sets, variants[variants["variant_id"] != "v2"], alternates))
