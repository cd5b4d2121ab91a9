"""tau-b of surface similarity and change of I, and BERTScore."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from dualpair import schemas
from dualpair.analysis import wording
from dualpair.analysis.resampling import cluster_draws, generator, partition
from dualpair.analysis.surface import surface_similarities
from dualpair.errors import InputError
from dualpair.models.registry import ModelEntry
from dualpair.stages import bertscore
from tests.unit.test_diversity import augmented

KEY = ["lang", "set_id", "variant_id"]


def variants(pairs: pd.DataFrame, cosine: float | None) -> pd.DataFrame:
    return pairs[KEY].assign(similarity=cosine if cosine is not None else np.nan)


def similarities(n_sets: int, per_set: int, seed: int = 0, lang: str = "en", cluster_size: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        {"set_id": f"s{i:03d}", "cluster_id": f"c{i // cluster_size:03d}", "lang": lang, "variant_id": f"p{j}",
         **dict(zip(wording.SIMILARITIES, rng.integers(0, 8, 6) / 8, strict=True))}
        for i in range(n_sets) for j in range(1, per_set + 1)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=schemas.table("wording_pairs").names)


def measured(pairs: pd.DataFrame, change: np.ndarray, model: str = "m") -> pd.DataFrame:
    """Measures whose v0 has I = 0.5 and whose paraphrases are `change` away."""
    rows = pairs[["lang", "set_id", "cluster_id", "variant_id"]].assign(I_GxA=0.5 - change)
    originals = rows.drop_duplicates(["lang", "set_id"]).assign(variant_id="v0", I_GxA=0.5)
    return pd.concat([rows, originals], ignore_index=True).assign(model=model)


def test_pairs_hold_every_paraphrase_beside_its_original():
    texts = {
        ("en", "a"): ["like warm naps", "like naps", "enjoy warm naps"],
        ("zh", "a"): ["喜欢睡觉", "爱睡觉"],
        ("en", "b"): ["sleep"],
    }
    data = augmented(texts)
    # Without its original a set has nothing to be compared with.
    lost = augmented({("en", "c"): ["x", "y", "z"]}).query("variant_id != 'v0'")
    scores = data.loc[data["variant_id"] == "p1", KEY].assign(bertscore=0.9)
    found = wording.pairs(pd.concat([data, lost]), variants(data, 0.8), scores)
    assert found[KEY].to_numpy().tolist() == [["en", "a", "p1"], ["en", "a", "p2"], ["zh", "a", "p1"]]
    for row, (lang, one, other) in zip(
        found.to_dict("records"),
        [("en", *texts["en", "a"][:2]), ("en", *texts["en", "a"][::2]), ("zh", *texts["zh", "a"])],
        strict=True,
    ):
        expected = surface_similarities(one, other, lang)
        assert {name: row[name] for name in expected} == pytest.approx(expected)
    assert found["embedding"].tolist() == [0.8] * 3
    assert found["bertscore"].tolist()[::2] == [0.9, 0.9] and math.isnan(found["bertscore"][1])


def test_imported_sets_have_no_cosine_and_without_a_model_there_is_no_bertscore():
    data = augmented({("en", "a"): ["like warm naps", "like naps"]})
    found = wording.pairs(data, variants(data, None))
    assert found[["embedding", "bertscore"]].isna().all(axis=None)
    assert list(found.columns) == schemas.table("wording_pairs").names
    assert wording.pairs(data.iloc[:0], variants(data, None)).empty


def test_tau_is_scipys_and_takes_the_absolute_change():
    pairs = similarities(12, 5)
    change = np.random.default_rng(1).integers(-4, 5, len(pairs)) / 8
    table = wording.correlations(pairs, measured(pairs, change), 1, 200).set_index("similarity")
    for name in wording.SIMILARITIES:
        assert table.loc[name, "tau"] == pytest.approx(kendalltau(pairs[name], np.abs(change)).statistic, abs=1e-12)
        assert table.loc[name, "tau_low"] < table.loc[name, "tau"] < table.loc[name, "tau_high"]
        assert table.loc[name, ["n_pairs", "n_missing", "n_sets", "n_clusters"]].tolist() == [60, 0, 12, 12]


def test_a_hand_worked_tau():
    # Similarities 1, 2, 3 and changes .1, .3, .2: two of three pairs agree.
    pairs = similarities(3, 1).assign(bleu=[1.0, 2.0, 3.0])
    table = wording.correlations(pairs, measured(pairs, np.array([0.1, -0.3, 0.2])), 1, 100).set_index("similarity")
    assert table.loc["bleu", "tau"] == pytest.approx(1 / 3)


def test_missing_similarities_are_counted_and_constant_ones_are_undefined():
    pairs = similarities(6, 4)
    pairs["bertscore"] = np.nan
    pairs.loc[:3, "embedding"] = np.nan
    pairs["jaccard"] = 0.5
    table = wording.correlations(pairs, measured(pairs, np.arange(24) / 100), 1, 100).set_index("similarity")
    assert table.loc["bertscore", ["n_pairs", "n_missing", "n_sets", "n_clusters"]].tolist() == [0, 24, 0, 0]
    assert table.loc["embedding", ["n_pairs", "n_missing", "n_sets", "n_clusters"]].tolist() == [20, 4, 5, 5]
    assert table.loc["jaccard", "n_pairs"] == 24
    assert table.loc[["bertscore", "jaccard"], ["tau", "tau_low", "tau_high"]].isna().all(axis=None)
    known = pairs.dropna(subset=["embedding"])
    expected = kendalltau(known["embedding"], np.arange(24)[4:]).statistic
    assert table.loc["embedding", "tau"] == pytest.approx(expected)


def test_measures_without_original_or_without_wording_are_left_out():
    pairs = similarities(5, 3)
    data = measured(pairs, np.arange(15) / 100)
    data = data[~((data["set_id"] == "s000") & (data["variant_id"] == "v0"))]
    table = wording.correlations(pairs, data, 1, 100)
    assert set(table["n_pairs"]) == {12}
    only = wording.correlations(pairs, data[data["variant_id"] == "v0"], 1, 100)
    assert set(only["n_pairs"]) == {0} and only["tau"].isna().all()


def test_each_configuration_has_its_rows_whatever_the_others():
    pairs = pd.concat([similarities(6, 3), similarities(6, 3, 5, "zh")], ignore_index=True)
    change = np.random.default_rng(2).random(len(pairs))
    data = pd.concat([measured(pairs, change, "a"), measured(pairs, change[::-1], "b")])
    table = wording.correlations(pairs, data, 1, 100)
    assert len(table) == 4 * 6
    alone = wording.correlations(pairs, data[data["model"] == "b"], 1, 100)
    pd.testing.assert_frame_equal(table[table["model"] == "b"].reset_index(drop=True), alone)
    assert wording.correlations(pairs, data.iloc[:0], 1, 100).empty


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 4)), min_size=4, max_size=14),
    st.integers(0, 1000),
)
def test_resampled_tau_is_scipys_of_the_repeated_pairs(items, seed):
    clusters, x, y = (np.array(column) for column in zip(*items, strict=True))
    part = partition(clusters.astype(str))
    draws = cluster_draws(part.n_clusters, 3, generator(seed))
    found = wording.tau_resamples(x, y, part, draws)
    for tau, drawn in zip(found, draws, strict=True):
        copies = drawn[part.index].astype(int)
        one, other = np.repeat(x, copies), np.repeat(y, copies)
        if len(set(one)) < 2 or len(set(other)) < 2:
            assert math.isnan(tau)
        else:
            assert tau == pytest.approx(kendalltau(one, other).statistic, abs=1e-12)


def test_summary_is_min_median_and_max_over_configurations():
    rows = [
        {"model": f"m{i}", "lang": "en", "similarity": "bleu", "n_pairs": 9, "n_missing": 0, "n_sets": 3, "n_clusters": 3,
         "tau": tau, "tau_low": low, "tau_high": high}
        for i, (tau, low, high) in enumerate([(0.1, 0.05, 0.2), (-0.3, -0.5, 0.1), (np.nan,) * 3, (0.2, np.nan, np.nan)])
    ]  # fmt: skip
    table = wording.summary(pd.DataFrame(rows)).set_index("similarity")
    assert list(table.index) == list(wording.SIMILARITIES)
    row = table.loc["bleu"]
    assert (row["min"], row["median"], row["max"]) == (-0.3, 0.1, 0.2)
    assert (row["n_configurations"], row["n_undefined"], row["n_intervals"], row["n_exclude_zero"]) == (3, 1, 2, 1)
    assert (table.loc["chrf", "n_configurations"], math.isnan(table.loc["chrf", "median"])) == (0, True)


def test_without_a_relation_intervals_exclude_zero_at_their_level():
    """200 worlds; similarity and change each share a part within clusters, and have nothing to do with each other."""
    rng = np.random.default_rng(3)
    n_clusters, size = 40, 6
    part = partition(np.repeat(np.arange(n_clusters), size).astype(str))
    apart = 0
    for world in range(200):
        x, y = (np.repeat(rng.normal(size=n_clusters), size) + rng.normal(size=n_clusters * size) for _ in range(2))
        resampled = wording.tau_resamples(x, y, part, cluster_draws(n_clusters, 300, generator(world)))
        low, high = np.quantile(resampled, [0.025, 0.975])
        apart += low > 0 or high < 0
    assert 0.01 <= apart / 200 <= 0.10


ENTRY = ModelEntry(kind="masked", source="hf:org/xlm-roberta-large", engine="transformers")


def test_layers_are_the_authors_or_three_quarters_of_the_depth():
    assert [bertscore.layer("path:/models/mine", n) for n in (1, 2, 6, 12, 24)] == [1, 2, 5, 9, 18]
    assert bertscore.layer("hf:FacebookAI/roberta-large", 24) == 17
    assert bertscore.layer("hf:google-bert/bert-base-multilingual-cased", 12) == 9
    assert bertscore.layer("path:somewhere/roberta-large/", 2) == 2


def test_model_of_the_config_is_an_entry_or_a_folder(tmp_path):
    models = {"x": ENTRY, "c": ENTRY.model_copy(update={"kind": "causal"})}
    assert bertscore.entry_of("x", models) is ENTRY
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    entry = bertscore.entry_of(str(tmp_path), models)
    assert (entry.kind, entry.source) == ("masked", f"path:{tmp_path}")
    assert bertscore.files(str(tmp_path)) == [tmp_path / "config.json"]
    with pytest.raises(InputError, match="c is of kind causal"):
        bertscore.entry_of("c", models)
    with pytest.raises(InputError, match=r"'y' is neither a model .* \(masked models of the registry: x\)"):
        bertscore.entry_of("y", models)


@pytest.fixture(scope="module")
def tiny():
    from tests.unit import tiny_masked

    return tiny_masked.loaded("bert")


def slow_f1(lm, reference: str, candidate: str, at: int) -> float:
    """One pair at a time, token by token."""
    import torch

    def states(text):
        encoded = lm.tokenizer(text, return_tensors="pt", return_special_tokens_mask=True)
        special = encoded.pop("special_tokens_mask")[0].bool().tolist()
        with torch.no_grad():
            hidden = lm.model(**encoded, output_hidden_states=True).hidden_states[at][0].double().numpy()
        return hidden / np.linalg.norm(hidden, axis=1, keepdims=True), special

    (a, a_special), (b, b_special) = states(reference), states(candidate)
    precision = np.mean([max(v @ w for w in a) for v, out in zip(b, b_special, strict=True) if not out])
    recall = np.mean([max(v @ w for w in b) for v, out in zip(a, a_special, strict=True) if not out])
    return float(2 * precision * recall / (precision + recall))


def test_bertscore_equals_one_pair_at_a_time(tiny):
    references = ["Cats sleep a lot.", "Dogs bark in the night.", "猫", "Cats sleep a lot."]
    candidates = ["Cats sleep often.", "Dogs eat.", "狗很大", "Cats sleep a lot."]
    for at in (1, 2):
        found = bertscore.f1(tiny, references, candidates, at)
        expected = [slow_f1(tiny, *pair, at) for pair in zip(references, candidates, strict=True)]
        assert found == pytest.approx(expected, abs=1e-5)
        assert found[3] == pytest.approx(1.0, abs=1e-6) and max(found[:3]) < 1


def test_bertscore_of_a_text_without_tokens_is_missing_and_of_one_too_long_refused(tiny):
    found = bertscore.f1(tiny, ["", "cats"], ["cats", "cats"], 2)
    assert math.isnan(found[0]) and found[1] == pytest.approx(1.0)
    with pytest.raises(InputError, match=r"a wording has .* tokens, the model takes 96"):
        bertscore.f1(tiny, ["cats"], ["cats " * 200], 2)


def test_bertscore_table_has_a_row_per_paraphrase(tiny):
    data = augmented(
        {("en", "a"): ["like naps", "like warm naps"], ("zh", "b"): ["喜欢", "爱"], ("en", "c"): ["sleep"]}
    )
    found = bertscore.table(data, tiny, 2)
    assert found[KEY].to_numpy().tolist() == [["en", "a", "p1"], ["zh", "b", "p1"]]
    assert found["bertscore"][0] == pytest.approx(slow_f1(tiny, " like naps", " like warm naps", 2), abs=1e-5)
    assert bertscore.table(data.iloc[:0], tiny, 2).empty
