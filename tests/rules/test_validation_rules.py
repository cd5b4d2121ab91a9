"""The commands of human validation: what came back becomes tables, figures, an adjudication sheet; pairs are left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dualpair.filters import selection
from tests.rules.conftest import Folder
from tests.unit import validation_world as vw

SETTINGS = {"attention_failures": 0, "target": 0.9, "bootstrap": 100, "instructions": {}}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Folder, vw.World]:
    made = Folder(tmp_path_factory.mktemp("validation"))
    world = vw.world(made.path, n_sets=6, n=(6, 2, 2), langs=("en",), annotators=2)
    for name in ("sets", "variants", "alternates"):
        made.write(f"{name}.parquet", name, getattr(world, name).to_dict("records"))
    note = {"folder": str(world.folder.relative_to(made.path)), "items": len(world.key), "warnings": []}
    (made.path / "sheets.json").write_text(json.dumps(note), encoding="utf-8")
    return made, world


def arguments(files: list[dict[str, str]], **settings: Any) -> list[Any]:
    tables = [word for name in ("sets", "variants", "alternates") for word in (f"--{name}", f"{name}.parquet")]
    return ["--sheets", "sheets.json", *tables, "--returned", json.dumps(files), "--settings", {**SETTINGS, **settings},
            "--seed", 1, "--folder", ".", "--out", "validation"]  # fmt: skip


def filled(world: vw.World, folder: Path, annotator: str, odd: str) -> list[dict[str, str]]:
    """Both sheets, every pair accepted but mismatched ones, and the first accepted pair answered with ``odd``."""
    files = []
    for task in ("paraphrase", "alternate"):
        items = world.items(task, "en", annotator)
        answers = {row.item_id: "reject" if row.kind == "mismatched" else "accept" for row in items.itertuples()}
        answers[items[items["kind"] == "accepted"]["item_id"].min()] = odd
        path = vw.fill_xlsx(world.sheet(task, "en", annotator), answers, folder / annotator / f"{task}-en.xlsx")
        files.append({"path": str(path.relative_to(folder)), "annotator": "", "encoding": "auto"})
    return files


def test_validate_then_apply_and_the_returned_files_stay(run: tuple[Folder, vw.World]) -> None:
    folder, world = run
    files = [*filled(world, folder.path, "annotator-1", "reject"), *filled(world, folder.path, "annotator-2", "reject")]
    before = {file["path"]: (folder.path / file["path"]).read_bytes() for file in files}
    printed = folder.run("validate", *arguments(files))
    assert "Traceback" not in printed
    rates = folder.read("validation/rates.parquet", "validation_rates").set_index(
        ["task", "kind", "annotator", "adjudication"]
    )
    assert rates.loc["paraphrase", "accepted", "all", "after"]["n_accept"] == 5
    assert rates.loc["alternate", "mismatched", "all", "after"]["n_reject"] == 2
    assert folder.read("validation/problems.parquet", "validation_problems").empty
    read_back = pd.read_csv(folder.path / "validation" / "answers.csv", encoding="utf-8-sig", keep_default_na=False)
    assert len(read_back) == len(folder.read("validation/answers.parquet", "answers"))
    for name in ("rates", "curve"):
        for kind in ("svg", "png", "csv"):
            assert (folder.path / "figures" / f"validation_{name}.{kind}").stat().st_size > 100
    notes = json.loads((folder.path / "validation" / "notes.json").read_text(encoding="utf-8"))
    assert (notes["files"], notes["adjudication"], notes["remarks"]) == (4, "", [])
    found = folder.read("validation/rejected.parquet", "validation_rejected")
    assert sorted(found["task"]) == ["alternate", "paraphrase"]

    everything = selection.augment(world.sets.assign(dataset="d"), world.variants, world.alternates)
    folder.write("all.parquet", "augmented", everything.to_dict("records"))
    out = ["--out-augmented", "augmented.parquet", "--out-sentences", "sentences.parquet"]
    printed = folder.run(
        "apply_validation", "--augmented", "all.parquet", "--rejected", "validation/rejected.parquet", out
    )
    gone = found[["set_id", "variant_id"]].drop_duplicates()
    assert f"{len(gone)} of {len(everything)} dual pairs dropped: rejected_by_annotators" in printed
    left = folder.read("augmented.parquet", "augmented")
    assert len(left) == len(everything) - len(gone)
    assert len(folder.read("sentences.parquet", "sentences")) == 4 * len(left)
    assert {file["path"]: (folder.path / file["path"]).read_bytes() for file in files} == before


def test_a_second_run_gives_equal_bytes(run: tuple[Folder, vw.World]) -> None:
    folder, world = run
    files = filled(world, folder.path, "annotator-1", "not_fluent")
    folder.run("validate", *arguments(files))
    first = {path.name: path.read_bytes() for path in (folder.path / "validation").iterdir()}
    sheets = list((world.folder / "adjudication").iterdir())
    folder.run("validate", *arguments(files))
    assert {path.name: path.read_bytes() for path in (folder.path / "validation").iterdir()} == first
    assert list((world.folder / "adjudication").iterdir()) == sheets
    notes = json.loads(first["notes.json"])
    assert notes["adjudication_items"] == 2
    assert (folder.path / notes["adjudication"] / "paraphrase-en.xlsx").is_file()


def test_a_file_that_says_nothing_ends_with_status_2(run: tuple[Folder, vw.World]) -> None:
    folder, _ = run
    (folder.path / "other.csv").write_text("item_id,answer\nix,accept\n", encoding="utf-8")
    printed = folder.run("validate", *arguments([{"path": "other.csv", "annotator": "", "encoding": "auto"}]), status=2)
    assert "other.csv: holds no id of a sheet of this run" in printed and "Traceback" not in printed


def test_a_lost_key_is_told(run: tuple[Folder, vw.World], tmp_path: Path) -> None:
    folder, world = run
    files = filled(world, folder.path, "annotator-1", "accept")
    key = world.folder / "key.parquet"
    key.rename(tmp_path / "key.parquet")
    printed = folder.run("validate", *arguments(files), status=2)
    (tmp_path / "key.parquet").rename(key)
    assert "the sample's key.parquet is gone, and without it no answer can be joined" in printed
