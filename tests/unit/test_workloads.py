"""The benchmark's sentences and arithmetic: deterministic, counted by hand, without a model."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import cost, exactness, methods, report, vllm_run, workloads
from dualpair import artifacts, languages, pins, sentences

ROOT = Path(__file__).resolve().parents[2]


def test_dual_pairs_are_whole_sets_of_distinct_sentences_in_four_languages():
    full = workloads.dual_pairs(3030)
    assert len(full.pairs) == len(set(full.pairs)) == 3040  # the last set is whole
    assert workloads.dual_pairs(3030) == full == workloads.dual_pairs()
    # the first set: two groups, ten frames, two words of a topic
    assert full.pairs[:4] == (
        ("Nurses", " are patient."),
        ("Doctors", " are patient."),
        ("Nurses", " are impatient."),
        ("Doctors", " are impatient."),
    )
    assert [group for group, _ in full.pairs[:40]].count("Nurses") == 20
    assert [group for group, _ in full.pairs[40:100]].count("Butchers") == 20
    text = "".join(prefix + continuation for prefix, continuation in full.pairs)
    assert all(re.search(script, text) for script in ("[a-z]", "ñ", "[а-я]", "[一-鿿]"))
    assert all(pair[1].startswith(" ") != bool(re.match("[一-鿿]", pair[0])) for pair in full.pairs)


def test_groups_recur_across_sets():
    full = workloads.dual_pairs()
    per_group = pd.Series([group for group, _ in full.pairs]).value_counts()
    # 36 English sets on 14 lists: the first eight lists are used three times, the others twice; 20 sentences a set
    assert per_group["Nurses"] == 60
    assert per_group["Poets"] == 40
    assert per_group["护士"] == 40  # six sets on three lists
    small = pd.Series([group for group, _ in workloads.dual_pairs(1000).pairs]).value_counts()
    assert small.mean() == pytest.approx(per_group.mean(), rel=0.15)


def test_a_larger_workload_has_more_sets_and_begins_with_the_whole_block():
    small, large = workloads.dual_pairs(3040), workloads.dual_pairs(7000)
    assert large.pairs[: len(small.pairs)] == small.pairs
    assert len(set(large.pairs)) == len(large.pairs) >= 7000
    assert ("Nurses from Leeds", " are patient.") in large.pairs
    assert all(" from Leeds" not in group for group, _ in small.pairs)


def test_a_hundred_thousand_sentences_can_be_made_and_far_more_are_refused():
    pairs = workloads.dual_pairs(100_000).pairs
    assert len(set(pairs)) == len(pairs) >= 100_000
    with pytest.raises(ValueError, match="there are only 36 places"):
        workloads.dual_pairs(1_000_000)
    with pytest.raises(ValueError, match="size 0"):
        workloads.dual_pairs(0)


def first_word(group: str) -> str:
    return group[0] if re.match("[一-鿿]", group) else group.split()[0]


def test_with_little_sharing_no_two_sentences_begin_with_the_same_word():
    words = yaml.safe_load(workloads.WORDS.read_text(encoding="utf-8"))["little_sharing"]
    groups = sum(len(table["groups"]) for table in words.values())
    pairs = workloads.little_sharing(groups).pairs
    assert len({first_word(group) for group, _ in pairs}) == len(pairs) == groups
    assert set(words) <= set(languages.known())


def test_a_smaller_workload_with_little_sharing_still_has_all_languages():
    assert len(workloads.little_sharing().pairs) == 520
    marks = {continuation[-1] for _, continuation in workloads.little_sharing(8).pairs}
    assert marks == {".", "。"}
    with pytest.raises(ValueError, match="expected 1 to"):
        workloads.little_sharing(10_000)


def test_the_demo_workload_says_where_its_sentences_come_from(tmp_path):
    (tmp_path / "resources").mkdir()
    (tmp_path / "resources" / "stereotypes").symlink_to(ROOT / "resources" / "stereotypes")
    starter = workloads.demo(tmp_path)
    assert "without paraphrases" in starter.origin
    assert ("Women", " talk a lot.") in starter.pairs and ("女人", "话很多。") in starter.pairs

    for run in ("test", "demo"):
        rows = [
            (sentences.sentence_id("Cooks", " sing."), f"s{i}", "en", "v0", 0, "attribute", "Cooks", f" {run}.")
            for i in range(2)
        ]
        folder = tmp_path / "results" / run
        folder.mkdir(parents=True)
        columns = artifacts.empty("sentences").columns
        artifacts.write(pd.DataFrame(rows, columns=columns), folder / "sentences.parquet", "sentences")
        found = workloads.demo(tmp_path)
        assert found.pairs == (("Cooks", f" {run}."),)  # equal sentences once; the demo before the quick run
        assert f"results/{run}/" in found.origin


def test_counts_by_hand():
    # prefixes: 1, 12, 123, 124, 15; with a successor: 1, 12; they see 1 + 2 positions
    counts = workloads.count([(1, 2, 3), (1, 2, 4), (1, 5)], batch=2)
    assert counts == workloads.Counts(sentences=3, tokens=8, nodes=5, internal=2, keys=3, padded=6 + 2)


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6), min_size=1, max_size=20))
def test_counts_are_those_of_the_set_of_prefixes(rows):
    counts = workloads.count(rows)
    prefixes = {tuple(row[:i]) for row in rows for i in range(1, len(row) + 1)}
    inner = {tuple(row[:i]) for row in rows for i in range(1, len(row))}
    assert (counts.nodes, counts.internal, counts.keys) == (len(prefixes), len(inner), sum(map(len, inner)))


def text(ids: tuple[int, ...], n_prefix: int) -> SimpleNamespace:
    return SimpleNamespace(ids=ids, n_prefix=n_prefix, n_bos=1)


def test_sums_of_rows_and_of_continuations():
    encoded = [text((2, 5, 6, 7), 2), text((2, 8, 9), 1)]
    values = methods.values_of(encoded, [(-1.0, -2.0, -4.0), [-8.0, -16.0]])
    assert values == methods.Values([-6.0, -24.0], [-7.0, -24.0])
    assert methods.values_of(encoded, [-3.0, -5.0]) == methods.Values([-3.0, -5.0], None)
    with pytest.raises(ValueError, match="row 1: expected 2"):
        methods.values_of(encoded, [(-1.0, -2.0, -4.0), (-8.0,)])


def test_deviation_by_hand():
    found = exactness.deviation([1.0, 2.0, 3.0], [1.0, 2.5, 2.0])
    assert (found.largest, found.mean, found.n) == (1.0, 0.5, 3)
    assert found.error == pytest.approx(0.5 / 3**0.5)  # sample standard deviation of 0, 0.5, 1 is 0.5
    assert exactness.spread(4, 10) == [0, 2, 5, 7]
    assert exactness.spread(4, 2) == [0, 1]


def test_a_method_with_two_bos_or_none_is_refused_and_one_that_splits_elsewhere_is_marked():
    encoded = [text((2, 5, 6, 7), 2)]

    def method(ids: list[int], n_prefix: int | None) -> SimpleNamespace:
        return SimpleNamespace(name="peer", ids=lambda pair: (ids, n_prefix))

    assert exactness.same_tokens(method([2, 5, 6, 7], None), [("a", " b")], encoded) == [True]
    assert exactness.same_tokens(method([2, 5, 6, 7], 3), [("a", " b")], encoded) == [False]
    assert exactness.same_tokens(method([2, 5, 9], 2), [("a", " b")], encoded) == [False]
    for ids in ([2, 2, 5, 6, 7], [5, 6, 7]):
        with pytest.raises(ValueError, match="exactly once"):
            exactness.same_tokens(method(ids, 2), [("a", " b")], encoded)


def test_the_reference_is_the_softmax_in_float64():
    torch = pytest.importorskip("torch")
    hidden, weight = torch.tensor([[1.0, 2.0]]).double(), torch.tensor([[0.5, 0.0], [0.0, 1.0], [1.0, 1.0]])
    logits = [0.5, 2.0, 3.0]
    norm = sum(2.718281828459045**z for z in logits)
    for target, logit in enumerate(logits):
        found = exactness._log_probabilities(hidden, weight, torch.tensor([target]))
        assert float(found) == pytest.approx(logit - float(torch.tensor(norm).double().log()), abs=1e-7)


def test_operations_by_hand():
    torch = pytest.importorskip("torch")
    embedding = torch.nn.Embedding(10, 4)
    body = torch.nn.Sequential(embedding, torch.nn.Linear(4, 6), torch.nn.LayerNorm(6))
    config = SimpleNamespace(vocab_size=10, hidden_size=4, num_attention_heads=2, head_dim=3, num_hidden_layers=5)
    model = SimpleNamespace(
        config=SimpleNamespace(get_text_config=lambda decoder: config),
        base_model=body,
        get_input_embeddings=lambda: embedding,
        get_output_embeddings=lambda: embedding,
    )
    per_position = cost.of(model)
    assert per_position == cost.Cost(body=2 * 24, head=2 * 40, key=4 * 2 * 3 * 5)
    counts = workloads.count([(1, 2, 3), (1, 2, 4), (1, 5)])
    assert cost.operations(per_position, counts) == (2 * (48 + 80), 3 * 120)


def raw(bf16: dict[str, object]) -> dict[str, object]:
    """Raw numbers of a run in which dualpair scores 100 sentences in 1 s wall and 2 s CPU, minicons in 5 and 8 s."""
    seconds = {"dualpair": (1.0, 2.0), "minicons": (5.0, 8.0), "lm-eval": (4.0, 10.0), "padded batch": (6.0, 9.0)}
    timings = [
        {"workload": name, "method": method, "pass": number, "sentences": 100, "wall": wall * slow, "cpu": cpu * slow}
        for name in report.AIMS
        for method, (wall, cpu) in seconds.items()
        for number, slow in ((1, 10), (2, 1))
    ]
    gap = {"largest": 2e-5, "mean": 1e-5, "error": 1e-6, "n": 80}
    deviations = [
        {"workload": name, "method": method, "to": to, "other_tokens": 1, "continuation": gap, "sentence": gap}
        for name in report.AIMS
        for method, to in (("dualpair", "reference"), ("one at a time", "reference"), ("dualpair", "one at a time"))
    ]
    counts = workloads.Counts(100, 1000, 600, 500, 3000, 1200)._asdict()
    point = {"counts": counts, "products": 4e11, "attention": 1e9, "wall": 2.0, "cpu": 4.0, "tokenising": 0.04}
    point |= {"tree": 0.02, "peak_memory": 2 * report.GIB, "peak_is_of_scoring": True}
    return {
        "model": "tiny",
        "machine": {
            "cpu": "a CPU",
            "native_bf16": False,
            "cores": 4,
            "threads": 2,
            "load_before": 0.1,
            "load_after": 0.2,
            "python": "3.11",
            "packages": {"torch": "2"},
        },
        "workloads": {name: {"origin": "here", "counts": counts} for name in report.AIMS},
        "dtypes": {
            "float32": {
                "way": "flat tree",
                "timings": timings,
                "deviations": deviations,
                "vllm": {"skipped": vllm_run.MISSING},
                "scaling": {
                    "weights": report.GIB,
                    "load_peak": report.GIB,
                    "peak_per_thread": 1.25e11,
                    "points": [point],
                },
            },
            "bfloat16": bf16,
        },
    }


def test_ratios_are_to_the_better_peer_in_the_last_pass():
    timings = raw({"skipped": "no"})["dtypes"]["float32"]["timings"]
    of = report.rates(timings, threads=2)
    assert of["demo", "dualpair"] == (100.0, 100.0)
    assert of["demo", "minicons"] == (20.0, 25.0)
    assert report.ratio(of, "demo") == (100 / 25, 100 / 25)  # wall: lm-eval is better, CPU: minicons


def test_the_page_shows_what_was_measured_and_why_something_was_not():
    page = report.measured(json.loads(json.dumps(raw({"skipped": "no native bfloat16"}))))
    assert "| dual_pairs | 100 | float32 | 4.00 | 4.00 | 4 | reached |" in page
    assert "bfloat16 was not measured: no native bfloat16" in page
    assert vllm_run.MISSING in page
    # 4e11 operations in 4 CPU seconds at a peak of 1.25e11 a thread; in 2 s of wall time at twice that
    assert "80% / 80%" in page
    assert "1.0% + 0.5%" in page
    assert "dualpair: at most 2e-05 from the reference (aim 1e-4), 2e-05 from the loop (aim 1e-3): reached." in page


def test_only_the_measured_part_of_the_page_is_replaced(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"by hand\n{report.MARK}\nold\n", encoding="utf-8")
    page.write_text(report.put_into(page, "new\n"), encoding="utf-8")
    assert page.read_text(encoding="utf-8") == f"by hand\n{report.MARK}\n\nnew\n"
    page.write_text("no mark\n", encoding="utf-8")
    with pytest.raises(ValueError, match="exactly once, found 0"):
        report.put_into(page, "new\n")
    assert (ROOT / "docs" / "performance.md").read_text(encoding="utf-8").count(report.MARK) == 1


def test_what_vllm_wrote_is_read_like_the_other_methods():
    reference = {
        "demo": {
            "split": [[[2, 5, 6], 2], [[2, 5, 7], 2]],
            "rows": [1],
            "exact": {"continuation": [-3.0], "sentence": [-4.5]},
        }
    }
    found = {"version": "0", "demo": {"passes": [{"wall": 9, "cpu": 9}, {"wall": 1, "cpu": 2}]}}
    found["demo"]["rows"] = [[-1.0, -2.0], [-1.0, -4.0]]
    entries = vllm_run.entries(found, reference)
    assert entries["timings"][1] == {
        "workload": "demo",
        "method": "vLLM",
        "pass": 2,
        "sentences": 2,
        "wall": 1,
        "cpu": 2,
    }
    (deviation,) = entries["deviations"]
    assert deviation["continuation"]["largest"] == 1.0
    assert deviation["sentence"]["largest"] == 0.5


def test_versions_of_the_benchmark_are_exact_and_none_is_kept_in_two_places():
    lines = (ROOT / "requirements" / "bench.txt").read_text(encoding="utf-8").splitlines()
    known = pins.pins()
    for line in (line for line in lines if not line.startswith("#")):
        name, exact, version = line.partition("==")
        assert bool(exact and version) != (pins.normalise(name) in known), line
