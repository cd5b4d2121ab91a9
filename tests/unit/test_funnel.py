"""Visited, kept and dropped rows per stage, and groups that lose more than others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from scipy.stats import hypergeom

from dualpair import artifacts
from dualpair.analysis.funnel import STAGES, check, funnel, uneven_losses
from dualpair.filters import grammar, selection

Tables = dict[str, pd.DataFrame]
BASE = {"lang": "en", "bias_type": "age"}


def row(set_id: str, reason: str = "", **columns: Any) -> dict[str, Any]:
    return {**BASE, "set_id": set_id, "kept": reason == "", "reason": reason, **columns}


def tables() -> Tables:
    """s1 gives two pairs of three variants, s2 fails to parse, s3 loses everything but its original."""
    stereotypes = [
        row("s1", role="stereotyped", group="Old people"),
        row("s1", role="contrast", group="Young people"),
        row("s2", role="stereotyped", group=""),
        row("s2", "empty", role="contrast", group=""),
        row("s3", role="stereotyped", group="Teenagers"),
        row("s3", role="contrast", group="Old people"),
    ]
    sets = [
        row("s1", groups=["Old people", "Young people"]),
        row("s2", "no_split", groups=[]),
        row("s3", groups=["Teenagers", "Old people"]),
    ]
    candidates = [
        row("s1", candidate_id="p1", variant_id="v0", task="paraphrase"),
        row("s1", candidate_id="p2", variant_id="v0", task="paraphrase"),
        row("s1", "group_named", candidate_id="p3", variant_id="v0", task="paraphrase"),
        row("s3", candidate_id="p4", variant_id="v0", task="paraphrase"),
        row("s1", candidate_id="a0", variant_id="v0", task="alternate-1"),
        row("s1", candidate_id="a1", variant_id="p1", task="alternate-1"),
        row("s1", candidate_id="a2", variant_id="p1", task="alternate-2"),
        row("s3", "unparsed", candidate_id="a3", variant_id="v0", task="alternate-1"),
    ]
    variants = [
        row("s1", candidate_id="o1", variant_id="v0", is_original=True),
        row("s1", candidate_id="p1", variant_id="p1", is_original=False),
        row("s1", "similarity", candidate_id="p2", variant_id="p2", is_original=False),
        row("s3", candidate_id="o3", variant_id="v0", is_original=True),
        row("s3", "grammar", candidate_id="p4", variant_id="p4", is_original=False),
    ]
    alternates = [
        row("s1", candidate_id="a0", variant_id="v0", chosen=True),
        row("s1", "contradiction", candidate_id="a1", variant_id="p1", chosen=False),
        row("s1", candidate_id="a2", variant_id="p1", chosen=True),
    ]
    augmented = [{**BASE, "set_id": "s1", "variant_id": "v0"}, {**BASE, "set_id": "s1", "variant_id": "p1"}]
    frames = (stereotypes, sets, candidates, variants, alternates, augmented)
    names = ("stereotypes", "sets", "candidates", "variants", "alternates", "augmented")
    return {name: pd.DataFrame(rows) for name, rows in zip(names, frames, strict=True)}


def test_every_stage_counts_its_rows() -> None:
    found = funnel(**tables())
    cells = found[["stage", "group", "reason", "n", "visited"]].values.tolist()
    assert cells == [
        ["alternate", "Old people", "contradiction", 1, 3],
        ["alternate", "Old people", "kept", 2, 3],
        ["alternate", "Teenagers", "unparsed", 1, 1],
        ["augmented", "Old people", "kept", 2, 2],
        ["augmented", "Teenagers", "no_alternate", 1, 1],
        ["paraphrase", "Old people", "group_named", 1, 3],
        ["paraphrase", "Old people", "kept", 1, 3],
        ["paraphrase", "Old people", "similarity", 1, 3],
        ["paraphrase", "Teenagers", "grammar", 1, 1],
        ["sets", "", "no_split", 1, 1],
        ["sets", "Old people", "kept", 1, 1],
        ["sets", "Teenagers", "kept", 1, 1],
        ["stereotypes", "", "empty", 1, 2],
        ["stereotypes", "", "kept", 1, 2],
        ["stereotypes", "Old people", "kept", 2, 2],
        ["stereotypes", "Teenagers", "kept", 2, 2],
    ]
    assert set(found["stage"]) == set(STAGES)


def test_it_is_a_declared_artifact(tmp_path: Path) -> None:
    artifacts.write(funnel(**tables()), tmp_path / "f.parquet", "funnel")
    assert len(artifacts.read(tmp_path / "f.parquet", "funnel")) == 16


def test_the_order_of_the_rows_does_not_matter() -> None:
    shuffled = {name: frame.sample(frac=1, random_state=4) for name, frame in tables().items()}
    pd.testing.assert_frame_equal(funnel(**shuffled), funnel(**tables()))


def change(name: str, edit: Callable[[pd.DataFrame], pd.DataFrame]) -> Tables:
    found = tables()
    return {**found, name: edit(found[name])}


@pytest.mark.parametrize(
    ("name", "edit", "message"),
    [
        ("sets", lambda f: f.iloc[1:], "missing from the sets table, e.g. en, s1|do not belong to a kept set"),
        ("sets", lambda f: pd.concat([f, f.head(1)]), "sets has en, s1 twice"),
        ("sets", lambda f: f.assign(set_id=["s1", "s2", "s9"]), "keys of sets do not belong"),
        ("variants", lambda f: f.assign(set_id="s2"), "keys of variants do not belong to a kept set, e.g. en, s2"),
        ("variants", lambda f: f[f["candidate_id"] != "p2"], "kept candidate p2 of en, s1 is missing from variants"),
        (
            "candidates",
            lambda f: f[f["candidate_id"] != "p4"],
            "rows of variants are no candidates of their task, e.g. p4",
        ),
        ("alternates", lambda f: f.iloc[1:], "differ in 1 variants, e.g. en, s1, v0|kept candidate a0"),
        (
            "alternates",
            lambda f: f.assign(variant_id="p2"),
            "alternates do not belong to a kept variant, e.g. en, s1, p2",
        ),
        ("alternates", lambda f: f.assign(variant_id="v0"), "second chosen row for en, s1, v0"),
        (
            "augmented",
            lambda f: f.iloc[1:],
            "augmented and the chosen alternates differ in 1 variants, e.g. en, s1, v0",
        ),
        ("augmented", lambda f: pd.concat([f, f.head(1)]), "augmented has a second row for en, s1, v0"),
        (
            "stereotypes",
            lambda f: f.assign(reason="odd"),
            "5 rows of stereotypes have kept and reason at odds, e.g. en, s1",
        ),
        ("sets", lambda f: f.assign(reason=""), "1 rows of sets have kept and reason at odds, e.g. en, s2"),
    ],
)
def test_rows_that_appear_or_vanish_are_refused(name: str, edit: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        funnel(**change(name, edit))


def test_a_table_that_does_not_add_up_is_refused() -> None:
    found = funnel(**tables())
    check(found)
    found.loc[0, "n"] = 2
    with pytest.raises(
        ValueError, match=r"stage 'alternate', lang 'en', bias_type 'age', group 'Old people': .* sum to 4"
    ):
        check(found)


def losses(counts: dict[str, tuple[int, int]], stage: str = "paraphrase", lang: str = "en") -> pd.DataFrame:
    rows = [
        {"stage": stage, "lang": lang, "bias_type": "age", "group": group, "reason": reason, "n": n, "visited": d + k}
        for group, (d, k) in counts.items()
        for reason, n in (("grammar", d), ("kept", k))
        if n
    ]
    return pd.DataFrame(rows)


def test_a_group_that_loses_more_than_the_others_is_named() -> None:
    found = uneven_losses(losses({"A": (15, 5), "B": (4, 16), "C": (5, 15)}))
    assert found["group"].tolist() == ["A"]
    row = found.iloc[0]
    assert (row["dropped"], row["visited"], row["other_dropped"], row["other_visited"]) == (15, 20, 9, 40)
    # One-sided Fisher: the hypergeometric tail of 15 or more of the 24 lost rows among A's 20 of 60.
    p = float(hypergeom.sf(14, 60, 24, 20))
    assert row["p"] == pytest.approx(p, rel=1e-9)
    assert row["p_holm"] == pytest.approx(3 * p, rel=1e-9)
    assert "English, stage paraphrase: “A” lost 15 of 20 rows (75%), the other groups 9 of 40 (22%)" in row["text"]


@pytest.mark.parametrize(
    "counts",
    [
        {"A": (5, 15), "B": (4, 16)},
        {"A": (20, 0)},
        {"A": (1, 0), "B": (0, 30)},
        {"A": (0, 20), "B": (0, 20)},
        {"A": (20, 0), "B": (20, 0)},
        {"": (20, 0), "B": (0, 20), "C": (0, 20)},
    ],
)
def test_no_warning_without_a_significant_difference(counts: dict[str, tuple[int, int]]) -> None:
    found = uneven_losses(losses(counts))
    assert found.empty
    assert "text" in found.columns


def test_a_groups_bias_types_are_counted_together_and_languages_apart() -> None:
    one = losses({"A": (8, 2), "B": (2, 18)})
    two = losses({"A": (8, 2)}).assign(bias_type="gender")
    other = losses({"A": (16, 4), "B": (18, 2)}, lang="ru")
    found = uneven_losses(pd.concat([one, two, other], ignore_index=True))
    assert found[["lang", "group", "dropped", "visited"]].values.tolist() == [["en", "A", 16, 20]]


def test_warnings_come_in_the_order_of_work() -> None:
    uneven = {"A": (15, 5), "B": (2, 38)}
    frame = pd.concat([losses(uneven, stage) for stage in reversed(STAGES)], ignore_index=True)
    assert uneven_losses(frame)["stage"].tolist() == list(STAGES)


def test_empty_tables_give_an_empty_funnel() -> None:
    assert funnel(**{name: frame.head(0) for name, frame in tables().items()}).empty


def test_it_follows_what_selection_does() -> None:
    thresholds = selection.Thresholds(similarity=0.7, nli_paraphrase=0.8, nli_alternate=0.8)
    sets = tables()["sets"].assign(cluster_id="c", dataset="d", attribute="sleep", final_mark=".")
    kept = sets[sets["kept"]]
    common: dict[str, Any] = {
        "cluster_id": "c",
        "generators": [["m"]] * 4,
        "n_answers": 1,
        "variant_id": "v0",
        "task": "paraphrase",
    }
    paraphrases = pd.DataFrame(
        [
            row("s1", candidate_id="c1", attribute="doze"),
            row("s1", "repetition", candidate_id="c2", attribute="doze doze"),
            row("s1", candidate_id="c3", attribute="run"),
            row("s3", candidate_id="c4", attribute="nap"),
        ]
    ).assign(**common)
    similar = pd.DataFrame({"candidate_id": ["c1", "c3", "c4"], "similarity": [0.9, 0.5, 0.9], "error": ""})
    judged = pd.DataFrame({"candidate_id": ["c1", "c4"], "contradiction_forward": [0.1, 0.9], "error": ""})
    judged["contradiction_backward"] = judged["contradiction_forward"]
    judged["entailment_forward"] = judged["entailment_backward"] = 0.5
    judged["contradiction_forward_v0"] = judged["contradiction_backward_v0"] = None
    rules = grammar.Rules({"en": ["languagetool"]})
    found_wrong = pd.DataFrame(
        {"candidate_id": ["c1", "c3", "c4"], "findings": [0, 0, 1], "finding_ids": ["", "", "X"]}
    )
    found_wrong = found_wrong.assign(grammar_score=None, group_index=0, model="languagetool-6.8")
    thresholds = thresholds._replace(grammar=rules)
    first = selection.Judged(paraphrases, similar, judged, found_wrong)
    variants = selection.select_variants(kept, first, thresholds)
    sources = variants[variants["kept"]]
    rounds = []
    for number, scores in enumerate(([0.9, 0.85, 0.2], [0.95, 0.3, 0.1]), start=1):
        ids = [f"a{number}{i}" for i in range(3)]
        made = sources[["lang", "set_id", "variant_id", "cluster_id", "bias_type"]].assign(
            candidate_id=ids,
            task=f"alternate-{number}",
            attribute=[f"wake {name}" for name in ids],
            kept=True,
            reason="",
        )
        made["generators"] = [["m"]] * 3
        made["n_answers"] = 1
        made["adds_negation"] = False
        nli = pd.DataFrame({"candidate_id": ids, "contradiction_forward": scores, "error": ""})
        nli["contradiction_backward"] = scores
        nli["entailment_forward"] = nli["entailment_backward"] = [1 - score for score in scores]
        nli["contradiction_forward_v0"] = nli["contradiction_backward_v0"] = None
        similarity = pd.DataFrame({"candidate_id": ids, "similarity": 0.5, "error": ""})
        clean = found_wrong.assign(candidate_id=ids, findings=0, finding_ids="")
        rounds.append(selection.Judged(made, similarity, nli, clean))
    alternates = selection.select_alternates(variants, rounds, thresholds)
    augmented = selection.augment(sets, variants, alternates)
    candidates = pd.concat([paraphrases, *(one.candidates for one in rounds)], ignore_index=True)
    found = funnel(tables()["stereotypes"], sets, candidates, variants, alternates, augmented)
    counts = found.groupby(["stage", "reason"])["n"].sum()
    assert counts["paraphrase"].to_dict() == {
        "grammar_finding": 1,
        "kept": 1,
        "repetition": 1,
        "similarity_below_threshold": 1,
    }
    assert counts["alternate"].to_dict() == {
        "another_alternate_is_better": 1,
        "contradiction_below_threshold": 3,
        "kept": 2,
    }
    assert counts["augmented"].to_dict() == {"kept": 2, "no_alternate": 1}
    tighter = thresholds._replace(similarity=0.95)
    variants = selection.select_variants(kept, first, tighter)
    alternates = selection.select_alternates(variants, rounds, tighter)
    augmented = selection.augment(sets, variants, alternates)
    found = funnel(tables()["stereotypes"], sets, candidates, variants, alternates, augmented)
    assert found.query("stage == 'augmented'")["n"].sum() == 2
