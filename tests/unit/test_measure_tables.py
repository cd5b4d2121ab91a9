"""From scored sentences to the measures of variants and sets."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dualpair import artifacts
from dualpair.measures.tables import measure_sets, measure_variants
from tests.unit.measure_world import World, make

MODEL = "tiny"


def pair(set_id: str, variant_id: str, groups: list[str], cluster_id: str = "c1") -> dict[str, Any]:
    return {
        "set_id": set_id,
        "cluster_id": cluster_id,
        "lang": "en",
        "dataset": "starter",
        "bias_type": "age",
        "variant_id": variant_id,
        "groups": groups,
        "attribute": f"do {variant_id}",
        "alternate": f"undo {variant_id}",
        "final_mark": ".",
        "v0_is_original": True,
    }


def tables(
    pairs: dict[tuple[str, str], tuple[list[float], list[float]]], groups: tuple[str, ...] = ("Old", "Young")
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """augmented, sentences, scores of pairs given as (set, variant) -> (x, y), with 4 and 2 tokens a continuation."""
    augmented = [pair(set_id, variant, list(groups)) for set_id, variant in pairs]
    sentences, scores = [], []
    for (set_id, variant), sides in pairs.items():
        for side, means, n_tokens in zip(("attribute", "alternate"), sides, (4, 2), strict=True):
            for index, mean in enumerate(means):
                sentence = f"{set_id}-{variant}-{side}-{index}"
                text = {"prefix": groups[index], "continuation": f" {side}"}
                sentences.append(
                    {"sentence_id": sentence, "set_id": set_id, "lang": "en", "variant_id": variant}
                    | {"group_index": index, "side": side}
                    | text
                )
                scores.append(
                    {"sentence_id": sentence, **text, "model": MODEL, "logprob_sum": mean * n_tokens}
                    | {"n_tokens": n_tokens, "prefix_logprob_sum": -1.0, "prefix_n_tokens": 1, "n_chars": 9}
                    | {"n_bytes": 9, "boundary_merge": False, "model_revision": "r", "dtype": "float32"}
                    | {"quantisation": "none", "engine": "e", "bos_policy": "none", "kept": True, "reason": ""}
                    | {"prefix_n_chars": len(groups[index]), "prefix_n_bytes": len(groups[index]), "n_bos": 1}
                    | {"n_context": 0, "token_ids": [], "token_logprobs": [], "token_ends": []}
                )
    return pd.DataFrame(augmented), pd.DataFrame(sentences), pd.DataFrame(scores)


TWO = {("s1", "v0"): ([-2.0, -3.0], [-2.0, -4.0]), ("s1", "p1"): ([-3.0, -2.0], [-1.0, -2.0])}


def test_x_and_y_are_means_per_token_in_group_order() -> None:
    augmented, sentences, scores = tables(TWO)
    shuffled = sentences.sample(frac=1, random_state=1), scores.sample(frac=1, random_state=2)
    for found in (measure_variants(augmented, sentences, scores), measure_variants(augmented, *shuffled)):
        rows = found.measures.set_index("variant_id")
        assert rows.loc["v0", "x"] == [-2.0, -3.0]
        assert rows.loc["v0", "y"] == [-2.0, -4.0]
        assert list(rows.loc["v0", ["B_G", "B_G_alt", "B_GxA"]]) == [[1.0], [2.0], [-1.0]]
        assert list(rows.loc["v0", ["contradiction", "flip", "tie"]]) == [True, True, False]
        assert list(rows.loc["p1", ["B_G", "B_G_alt", "B_GxA"]]) == [[-1.0], [1.0], [-2.0]]
        assert found.dropped.empty


def test_sets_are_plain_means_over_instances() -> None:
    # Contrasts x variants of B_GxA: (-1, 3) and (2, -4). Mean 0, mean of |B| 2.5, mean of the maxima 3.5.
    data = {
        ("s1", "v0"): ([0.0, 1.0, -3.0], [0.0, 0.0, 0.0]),
        ("s1", "p1"): ([0.0, -2.0, 4.0], [0.0, 0.0, 0.0]),
    }
    measures = measure_variants(*tables(data, ("Old", "Young", "Middle-aged"))).measures
    row = measure_sets(measures).iloc[0]
    assert (row["n_variants"], row["n_instances"]) == (2, 4)
    assert (row["B_G"], row["B_G_alt"], row["B_GxA"]) == (0.0, 0.0, 0.0)
    assert (row["absB_avg"], row["absB_max"]) == (2.5, 3.5)
    assert row["I_GxA"] == pytest.approx(measures["I_GxA"].mean())
    assert (row["v0_is_original"], row["contradiction"], row["flip"]) == (True, False, False)


def test_a_sets_mean_of_b_is_the_mean_of_its_signed_means() -> None:
    # Every variant has as many contrasts, so that B_signed_mean needs no column of its own in set_measures.
    frames = make(World(n_sets=12, groups=(2, 3, 5), n_variants=(1, 5)))
    signed = frames.measures.groupby(["model", "lang", "set_id"])["B_signed_mean"].mean()
    assert frames.set_measures["B_GxA"].tolist() == pytest.approx(signed.tolist())
    assert (frames.set_measures["absB_avg"] >= frames.set_measures["B_GxA"].abs() - 1e-12).all()
    assert (frames.set_measures["absB_max"] >= frames.set_measures["absB_avg"] - 1e-12).all()


def test_a_set_without_its_original_has_no_contradiction() -> None:
    measures = measure_variants(*tables({("s1", "p1"): ([-2.0, -3.0], [-2.0, -4.0])})).measures
    row = measure_sets(measures).iloc[0]
    assert not row["v0_is_original"]
    assert row[["contradiction", "flip"]].isna().all()


def test_a_variant_with_an_unscored_sentence_is_dropped_with_its_reason() -> None:
    augmented, sentences, scores = tables(TWO)
    hit = scores["sentence_id"] == "s1-p1-attribute-1"
    scores.loc[hit, "kept"] = False
    scores.loc[hit, "reason"] = "too_long"
    scores.loc[hit, "logprob_sum"] = math.nan
    scores.loc[hit, "n_tokens"] = 0
    found = measure_variants(augmented, sentences, scores)
    assert found.measures["variant_id"].tolist() == ["v0"]
    assert found.dropped.to_dict("records") == [
        {"lang": "en", "set_id": "s1", "variant_id": "p1", "reason": "too_long"}
    ]


def test_two_pairs_may_share_a_sentence() -> None:
    augmented, sentences, scores = tables(TWO)
    sentences.loc[sentences["sentence_id"] == "s1-p1-alternate-0", "sentence_id"] = "s1-v0-alternate-0"
    scores = scores[scores["sentence_id"] != "s1-p1-alternate-0"]
    rows = measure_variants(augmented, sentences, scores).measures.set_index("variant_id")
    assert rows.loc["p1", "y"] == [-2.0, -2.0]


def test_the_tie_reaches_the_measures() -> None:
    measures = measure_variants(*tables(TWO), tie=1.0).measures
    assert measures["tie"].all()
    assert not measures["contradiction"].any()


def test_scope_and_normalisation_reach_x_and_y() -> None:
    # Sums of the attribute -8 and -12 (4 tokens, 9 characters), of the alternate -4 and -8; prefixes -1 each (1 token).
    data = tables(TWO)
    for normalisation, scope, x, b_g in (
        ("sum", "attribute", [-8.0, -12.0], 4.0),
        ("char", "attribute", [-8 / 9, -12 / 9], 4 / 9),
        ("byte", "attribute", [-8 / 9, -12 / 9], 4 / 9),
        ("mean", "sentence", [-9 / 5, -13 / 5], 4 / 5),
        ("sum", "sentence", [-9.0, -13.0], 4.0),
        ("char", "sentence", [-9 / 12, -13 / 14], 13 / 14 - 9 / 12),
    ):
        row = (
            measure_variants(*data, normalisation=normalisation, scope=scope).measures.set_index("variant_id").loc["v0"]
        )
        assert row["x"] == pytest.approx(x)
        assert row["B_G"] == pytest.approx([b_g])
    with pytest.raises(ValueError, match="scope must be one of attribute, sentence, divergent; found 'word'"):
        measure_variants(*data, scope="word")


def with_tokens(scores: pd.DataFrame, starts: dict[str, list[int]]) -> pd.DataFrame:
    """Token columns for the sentences of `tables`: BOS, two tokens of the group, two of the continuation."""
    rows = []
    for row in scores.to_dict("records"):
        text = row["prefix"] + row["continuation"]
        ids = [0, *starts[row["prefix"]], 20, 21]
        ends = [1, len(row["prefix"]), len(row["prefix"]) + 2, len(text)]
        mean = row["logprob_sum"] / row["n_tokens"]
        rows.append({**row, "token_ids": ids, "token_logprobs": [-1.0, -2.0, mean, mean], "token_ends": ends})
    return pd.DataFrame(rows)


def test_divergent_starts_where_the_groups_do_not_share_a_token() -> None:
    augmented, sentences, scores = tables(TWO, ("Old", "Odd"))
    shared = with_tokens(scores, {"Old": [5, 6], "Odd": [5, 7]})
    rows = measure_variants(augmented, sentences, shared, scope="divergent").measures.set_index("variant_id")
    assert rows.loc["v0", "x"] == pytest.approx([(-2 - 4) / 3, (-2 - 6) / 3])  # means -2 and -3, two tokens each
    assert rows.loc["v0", "y"] == pytest.approx([(-2 - 4) / 3, (-2 - 8) / 3])
    rows = measure_variants(augmented, sentences, shared, 0.0, "char", "divergent").measures.set_index("variant_id")
    assert rows.loc["v0", "x"] == pytest.approx([-6 / 12, -8 / 12])  # "ld attribute": 12 characters after the "O"
    apart = with_tokens(scores, {"Old": [5, 6], "Odd": [8, 7]})
    rows = measure_variants(augmented, sentences, apart, 0.0, "sum", "divergent").measures.set_index("variant_id")
    assert rows.loc["v0", "x"] == pytest.approx([-1 - 2 - 4, -1 - 2 - 6])


def test_a_variant_whose_sentence_never_diverges_is_dropped_with_its_reason() -> None:
    augmented, sentences, scores = tables(TWO, ("Old", "Odd"))
    data = with_tokens(scores, {"Old": [5, 6], "Odd": [5, 7]})
    where = data["sentence_id"].tolist().index("s1-p1-alternate-0")
    other = data["sentence_id"].tolist().index("s1-p1-alternate-1")
    data.at[where, "token_ids"] = [0, 5, 6]
    data.at[where, "token_logprobs"] = [-1.0, -2.0]
    data.at[where, "token_ends"] = [1, 13]
    data.at[other, "token_ids"] = [0, 5, 6, 20, 21]
    found = measure_variants(augmented, sentences, data, scope="divergent")
    assert found.measures["variant_id"].tolist() == ["v0"]
    assert found.dropped.to_dict("records") == [
        {"lang": "en", "set_id": "s1", "variant_id": "p1", "reason": "no_divergent_token"}
    ]
    data.loc[where, ["kept", "reason"]] = [False, "scoring_failed"]  # what was not scored is not compared
    assert measure_variants(augmented, sentences, data, scope="divergent").dropped["reason"].tolist() == [
        "scoring_failed"
    ]


def test_divergent_without_token_columns_says_how_to_get_them() -> None:
    with pytest.raises(ValueError, match="needs the token columns"):
        measure_variants(*tables(TWO), scope="divergent")


def test_tables_keep_their_declared_schema(tmp_path: Path) -> None:
    found = measure_variants(*tables(TWO))
    for name, frame in (("measures", found.measures), ("set_measures", measure_sets(found.measures))):
        artifacts.write(frame, tmp_path / f"{name}.parquet", name)
        assert len(artifacts.read(tmp_path / f"{name}.parquet", name)) == len(frame) > 0


def test_measures_of_sets_read_from_a_file_are_the_same(tmp_path: Path) -> None:
    measures = measure_variants(*tables(TWO)).measures
    artifacts.write(measures, tmp_path / "m.parquet", "measures")
    again = measure_sets(artifacts.read(tmp_path / "m.parquet", "measures"))
    pd.testing.assert_frame_equal(again, measure_sets(measures), check_dtype=False)


def test_empty_tables_give_empty_tables() -> None:
    augmented, sentences, scores = (frame.head(0) for frame in tables(TWO))
    found = measure_variants(augmented, sentences, scores)
    assert found.measures.empty
    assert measure_sets(found.measures).empty


def test_incomplete_tables_are_refused() -> None:
    augmented, sentences, scores = tables(TWO)
    with pytest.raises(ValueError, match=r"1 of 8 sentences have no score, e.g. s1-v0-attribute-0"):
        measure_variants(augmented, sentences, scores.iloc[1:])
    with pytest.raises(ValueError, match="lacks group 0, attribute of set s1, en, v0"):
        measure_variants(augmented, sentences.iloc[1:], scores)
    with pytest.raises(ValueError, match="unexpected sentence: group 0, alternate of set s1, en, p1"):
        measure_variants(augmented.iloc[:1], sentences, scores)
    with pytest.raises(ValueError, match="one model, found 2: other, tiny"):
        measure_variants(augmented, sentences, scores.assign(model=["other"] + [MODEL] * 7))
    with pytest.raises(ValueError, match="augmented has the pair en, s1, v0 twice"):
        measure_variants(pd.concat([augmented, augmented.head(1)]), sentences, scores)
    with pytest.raises(ValueError, match="sentences has a"):
        measure_variants(augmented, pd.concat([sentences, sentences.head(1)]), scores)


@pytest.mark.parametrize(("column", "value"), [("logprob_sum", math.nan), ("logprob_sum", -math.inf), ("n_tokens", 0)])
def test_unusable_kept_scores_are_refused(column: str, value: float) -> None:
    augmented, sentences, scores = tables(TWO)
    scores.loc[0, column] = value
    with pytest.raises(ValueError, match=r"1 kept scores are unusable, e.g. sentence s1-v0-attribute-0"):
        measure_variants(augmented, sentences, scores)


def test_variants_of_a_set_must_share_its_groups() -> None:
    measures = measure_variants(*tables(TWO)).measures
    measures["B_G"] = [[1.0, 2.0], [1.0]]
    with pytest.raises(ValueError, match=r"have \[1, 2\] contrasts"):
        measure_sets(measures)
    with pytest.raises(ValueError, match="a variant twice"):
        measure_sets(measures.assign(variant_id="v0"))
