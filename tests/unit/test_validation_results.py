"""From returned files to tables: known error rates are recovered through every format; adjudication; rejected pairs."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest

from dualpair import artifacts, schemas
from dualpair.analysis.contradictions import wilson
from dualpair.analysis.funnel import funnel
from dualpair.filters import selection
from dualpair.validation import adjudication, keys, left_out, results, returned
from dualpair.validation.returned_paths import File
from dualpair.validation.returned_words import known_words
from tests.unit import validation_world as vw

WORDS = known_words()
TASKS = ("paraphrase", "alternate")


class Study(NamedTuple):
    """A sample, what its annotators meant, and what was computed from the files that they sent back."""

    world: vw.World
    meant: dict[tuple[str, str, str], dict[str, str]]
    tables: dict[str, pd.DataFrame]


def send_back(world: vw.World, task: str, lang: str, annotator: str, answers: dict[str, str], folder: Path) -> File:
    """Each sheet comes back in another way."""
    out = folder / annotator / f"{task}-{lang}"
    if (task, lang) == ("paraphrase", "en"):
        return File(str(vw.fill_xlsx(world.sheet(task, lang, annotator), answers, out.with_suffix(".xlsx"))))
    if (task, lang) == ("alternate", "ru"):
        return File(
            str(vw.page_export(world.items(task, lang, annotator), answers, annotator, out.with_suffix(".csv")))
        )
    rows = vw.filled_rows(world.sheet(task, lang, annotator, "csv"), answers)
    if lang == "ru":
        return File(str(vw.write_csv(rows, out.with_suffix(".csv"), "\t", "utf-16")))
    return File(str(vw.write_csv(rows, out.with_suffix(".csv"), ";", "cp1252")), encoding="cp1252")


def run(world: vw.World, files: list[File], limit: int | None = None, resamples: int = 100) -> dict[str, pd.DataFrame]:
    samples = keys.read_all(world.folder)
    found = returned.read(files, samples, WORDS)
    return results.compute(found, samples[-1], world.sets, world.variants, world.alternates, limit, 0.9, 1, resamples)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    root = tmp_path_factory.mktemp("study")
    world = vw.world(root / "run", n_sets=40, n=(80, 10, 10), annotators=2)
    meant, files = {}, []
    for number, annotator in enumerate(("annotator-1", "annotator-2")):
        for task in TASKS:
            for lang in vw.LANGS:
                careless = (task, lang, annotator) == ("alternate", "ru", "annotator-2")
                answers = vw.simulated(
                    world.items(task, lang, annotator), vw.CARELESS if careless else vw.CAREFUL, number
                )
                meant[task, lang, annotator] = answers
                files.append(send_back(world, task, lang, annotator, answers, root / "back"))
    return Study(world, meant, run(world, files, limit=3))


def test_every_answer_arrives_through_every_format(study: Study) -> None:
    assert study.tables["validation_problems"].empty
    answers = study.tables["answers"]
    for (task, lang, annotator), meant in study.meant.items():
        own = answers[(answers["task"] == task) & (answers["lang"] == lang) & (answers["annotator"] == annotator)]
        assert dict(zip(own["item_id"], own["answer"], strict=True)) == meant


def test_known_rates_are_recovered_within_their_intervals(study: Study) -> None:
    found = study.tables["validation_rates"].set_index(["task", "lang", "annotator", "kind", "adjudication"])
    covered = []
    for (task, lang, annotator), meant in study.meant.items():
        true = vw.CARELESS if (task, lang, annotator) == ("alternate", "ru", "annotator-2") else vw.CAREFUL
        kinds = study.world.items(task, lang, annotator).set_index("item_id")["kind"]
        for kind in ("accepted", "mismatched", "below_threshold"):
            row = found.loc[task, lang, annotator, kind, "before"]
            said = [answer for item, answer in meant.items() if kinds[item] == kind]
            for share, answer in (("accept", "accept"), ("reject", "reject"), ("disfluent", "not_fluent")):
                assert row[f"n_{share}"] == said.count(answer)
                expected = wilson(said.count(answer), len(said))
                assert (row[f"{share}_low"], row[f"{share}_high"]) == pytest.approx((expected.low, expected.high))
                low, high = row[f"{share}_low"] - 1e-12, row[f"{share}_high"] + 1e-12
                covered.append(low <= true[kind][answer] <= high)
                if (kind, share) == ("accepted", "accept"):
                    assert low <= true[kind][answer] <= high, (task, lang, annotator)
            assert row["n"] == row["n_sampled"] == {"accepted": 80}.get(kind, 10)
    # 72 intervals of 95 %, of which some must miss; fewer than 64 hits have a chance of 1 in 100.
    assert len(covered) == 72 and sum(covered) >= 64


def test_the_careless_annotator_is_left_out_of_that_sheet_only(study: Study) -> None:
    found = study.tables["validation_annotators"]
    out = found[found["excluded"]]
    assert out[["task", "lang", "annotator"]].values.tolist() == [["alternate", "ru", "annotator-2"]]
    assert out["attention_failures"].iloc[0] > 3
    assert found.loc[~found["excluded"], "attention_failures"].max() == 0
    rates = study.tables["validation_rates"].set_index(["task", "lang", "annotator", "kind", "adjudication"])
    together, alone = (
        rates.loc["alternate", "ru", name, "accepted", "before"]["n_accept"] for name in ("all", "annotator-1")
    )
    assert together == alone
    sheets = study.tables["validation_agreement"][["task", "lang"]].drop_duplicates().values.tolist()
    assert ["alternate", "ru"] not in sheets and len(sheets) == 3
    assert any(
        text.startswith("annotator-2 is left out of alternate, ru: accepted") for text in results.remarks(study.tables)
    )


def test_every_table_can_be_written_and_read(study: Study, tmp_path: Path) -> None:
    assert {"answers", *(name for name in schemas.TABLES if name.startswith("validation_"))} == set(study.tables)
    for name, frame in study.tables.items():
        artifacts.write(frame, tmp_path / f"{name}.parquet", name)
        assert len(artifacts.read(tmp_path / f"{name}.parquet", name)) == len(frame)


def test_what_an_adjudicator_gets_and_what_comes_of_it(study: Study, tmp_path: Path) -> None:
    world, questioned = study.world, study.tables["validation_items"]
    rows = adjudication.sheet_rows(questioned)
    assert len(rows) == len(questioned) > 0
    folder = adjudication.write(rows, tmp_path / "sample", {})
    assert folder is not None
    written = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert {f"{task}-{lang}.{kind}" for task in TASKS for lang in vw.LANGS for kind in ("xlsx", "csv", "html")} == set(
        written
    )
    assert not any(item.encode() in data for item in world.key["item_id"] for data in written.values())
    (folder / "paraphrase-en.csv").write_text("in somebody's hands", encoding="utf-8")
    assert adjudication.write(rows, tmp_path / "sample", {}) == folder
    assert (folder / "paraphrase-en.csv").read_text(encoding="utf-8") == "in somebody's hands"
    assert adjudication.write(rows[:-1], tmp_path / "sample", {}) != folder

    (folder / "paraphrase-en.csv").write_bytes(written["paraphrase-en.csv"])
    first = send_back(
        world, "paraphrase", "en", "annotator-1", study.meant["paraphrase", "en", "annotator-1"], tmp_path
    )
    sheet = vw.read_csv(folder / "paraphrase-en.csv")
    ids = {adjudication.adjudication_id(item): item for item in questioned["item_id"]}
    final = vw.fill_xlsx(
        folder / "paraphrase-en.xlsx", {row[0]: "accept" for row in sheet[1:]}, tmp_path / "renamed.xlsx"
    )
    tables = run(world, [first, File(str(final))])
    assert tables["validation_problems"].empty
    roles = tables["answers"].groupby("role")["annotator"].unique()
    assert roles["adjudicator"].tolist() == ["adjudicator"]
    rates = tables["validation_rates"].set_index(["task", "lang", "annotator", "kind", "adjudication"])
    before, after = (rates.loc["paraphrase", "en", "all", "accepted", stage] for stage in ("before", "after"))
    settled = {ids[row[0]] for row in sheet[1:]}
    kinds = world.items("paraphrase", "en").set_index("item_id")["kind"]
    saved = [item for item, answer in study.meant["paraphrase", "en", "annotator-1"].items()
             if item in settled and kinds[item] == "accepted" and answer != "accept"]  # fmt: skip
    assert after["n_accept"] == before["n_accept"] + len(saved)
    assert after["n_disfluent"] == 0 < before["n_disfluent"]


def test_pairs_that_people_reject_leave_the_augmented_set(tmp_path: Path) -> None:
    world = vw.world(tmp_path / "run", n_sets=4, n=(99, 2, 2), langs=("en",), annotators=3)
    everything = selection.augment(world.sets, world.variants, world.alternates)
    assert len(everything) == 16
    doomed, saved, kept = {}, {}, {}
    for task, variant in (("paraphrase", "v1"), ("alternate", "v0")):
        own = world.items(task, "en")
        row = own[(own["set_id"] == "s001") & (own["kind"] == "accepted")]
        chosen = (
            row[row["candidate_id"].str.endswith(f"-{variant[1]}")]
            if task == "paraphrase"
            else row[row["variant_id"] == variant]
        )
        doomed[task] = chosen["item_id"].iloc[0]
        kept[task] = own[(own["set_id"] == "s002") & (own["kind"] == "accepted")]["item_id"].iloc[0]
        saved[task] = own[(own["set_id"] == "s003") & (own["kind"] == "accepted")]["item_id"].iloc[0]
    files = []
    for number in (1, 2, 3):
        for task in TASKS:
            answers = dict.fromkeys(world.items(task, "en")["item_id"], "accept")
            if number < 3:
                answers |= {doomed[task]: "reject", saved[task]: "reject"}
            if number == 1:
                answers[kept[task]] = "reject"
            out = tmp_path / f"annotator-{number}" / f"{task}.csv"
            files.append(File(str(vw.page_export(world.items(task, "en"), answers, f"annotator-{number}", out))))
    further = world.items("paraphrase", "en").assign(
        item_id=lambda f: [adjudication.adjudication_id(i) for i in f["item_id"]]
    )
    further = pd.concat(
        [
            further,
            world.items("alternate", "en").assign(
                item_id=lambda f: [adjudication.adjudication_id(i) for i in f["item_id"]]
            ),
        ]
    )
    said = {adjudication.adjudication_id(item): "accept" for item in saved.values()}
    files.append(
        File(str(vw.page_export(further[further["item_id"].isin(said)], said, "adjudicator", tmp_path / "final.csv")))
    )
    found = run(world, files)["validation_rejected"]
    assert found[["set_id", "variant_id", "task", "n_answers", "n_reject"]].values.tolist() == [
        ["s001", "v0", "alternate", 3, 2], ["s001", "v1", "paraphrase", 3, 2],
    ]  # fmt: skip
    left = left_out.without_rejected(everything, found)
    gone = set(everything[["set_id", "variant_id"]].itertuples(index=False, name=None)) - set(
        left[["set_id", "variant_id"]].itertuples(index=False, name=None)
    )
    assert gone == {("s001", "v0"), ("s001", "v1")}
    assert left.groupby("set_id")["v0_is_original"].first().to_dict() == {
        "s000": True,
        "s001": False,
        "s002": True,
        "s003": True,
    }
    candidates = pd.DataFrame(
        {
            "candidate_id": [],
            "lang": [],
            "set_id": [],
            "variant_id": [],
            "task": [],
            "bias_type": [],
            "kept": [],
            "reason": [],
        }
    )
    frames = funnel_input(world, candidates)
    counted = funnel(**frames, augmented=left, rejected=found)
    own = counted[counted["stage"] == "augmented"].groupby("reason")["n"].sum()
    assert own.to_dict() == {"kept": 14, "rejected_by_annotators": 2}
    with pytest.raises(ValueError, match="augmented and the chosen alternates differ in 2 variants"):
        funnel(**frames, augmented=left)


def funnel_input(world: vw.World, _: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The tables before the pairs, with the candidates that the variants and alternates were made from."""
    sentences = world.sets.assign(role="stereotyped", group=[groups[0] for groups in world.sets["groups"]])
    named = ["lang", "set_id", "bias_type", "variant_id", "candidate_id"]
    paraphrases = world.variants.loc[~world.variants["is_original"], named].assign(task="paraphrase", variant_id="v0")
    opposites = world.alternates[named].assign(task="alternate-1")
    candidates = pd.concat([paraphrases, opposites], ignore_index=True).assign(kept=True, reason="")
    return {"stereotypes": sentences, "sets": world.sets, "candidates": candidates, "variants": world.variants,
            "alternates": world.alternates}  # fmt: skip


def test_a_new_sample_uses_the_answers_of_an_earlier_one(tmp_path: Path) -> None:
    old = vw.world(tmp_path / "run", n_sets=6, n=(5, 0, 0), langs=("en",), seed=1)
    new = vw.world(tmp_path / "run", n_sets=6, n=(12, 0, 0), langs=("en",), seed=2)
    own, later = (world.items("paraphrase", "en") for world in (old, new))
    answers = {row.item_id: ("accept", "reject")[n % 2] for n, row in enumerate(own.itertuples())}
    file = File(str(vw.fill_xlsx(old.sheet(), answers, tmp_path / "annotator-1" / "old.xlsx")))
    rates = run(new, [file])["validation_rates"].set_index(["task", "kind", "annotator", "adjudication"])
    by_pair = {pair: answers[item] for pair, item in zip(own["pair_id"], own["item_id"], strict=True)}
    shared = [by_pair[pair] for pair in later["pair_id"] if pair in by_pair]
    row = rates.loc["paraphrase", "accepted", "all", "before"]
    assert 0 < len(shared) < 12
    assert (row["n"], row["n_sampled"], row["n_accept"]) == (len(shared), 12, shared.count("accept"))


def test_nothing_usable_gives_empty_tables(tmp_path: Path) -> None:
    world = vw.world(tmp_path / "run", n_sets=4, n=(4, 1, 1), langs=("en",))
    tables = run(world, [File(str(vw.fill_xlsx(world.sheet(), {}, tmp_path / "annotator-1" / "blank.xlsx")))])
    assert set(tables["answers"]["reason"]) == {"no_answer"}
    assert (tables["validation_rates"]["n"] == 0).all()
    for name in ("validation_agreement", "validation_items", "validation_curve", "validation_rejected"):
        assert tables[name].empty
    for name, frame in tables.items():
        artifacts.write(frame, tmp_path / f"{name}.parquet", name)
    blank = tmp_path / "annotator-1" / "blank.xlsx"
    assert results.remarks(tables) == [f"Returned sheets, files without any answer: {blank}."]


def test_a_balanced_sample_is_re_weighted(tmp_path: Path) -> None:
    world = vw.world(tmp_path / "run", n_sets=9, n=(9, 0, 0), langs=("en",), balance="bias_type")
    own = world.items("paraphrase", "en")
    answers = {row.item_id: "reject" if row.bias_type == "b0" else "accept" for row in own.itertuples()}
    tables = run(world, [File(str(vw.fill_xlsx(world.sheet(), answers, tmp_path / "annotator-1" / "x.xlsx")))])
    row = tables["validation_rates"].set_index(["kind", "annotator", "adjudication"]).loc["accepted", "all", "before"]
    accepted = own["bias_type"] != "b0"
    assert row["weighted_accept_rate"].max() == pytest.approx(own.loc[accepted, "weight"].sum() / own["weight"].sum())
