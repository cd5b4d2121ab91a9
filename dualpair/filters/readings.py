"""Readings: candidates of a run, what the filters measured of them, and whether a reader accepts them.

They are what a fit of acceptance is made from (:mod:`dualpair.filters.acceptance_fit`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from dualpair import artifacts, csv_files, languages
from dualpair.errors import InputError
from dualpair.filters.acceptance import ALTERNATE, MEASURED, PARAPHRASE

TASKS = (PARAPHRASE, ALTERNATE)
YES, NO = ANSWERS = ("yes", "no")
MODELS = ("generators", "similarity_model", "nli_model")
TEXTS = ("task", "lang", "set_id", "source", "candidate", "answer", *MODELS)
COLUMNS = (*TEXTS, *MEASURED)
TABLES = {PARAPHRASE: "variants", ALTERNATE: "alternates"}


def of_run(run: Path, key: pd.DataFrame, sheet: pd.DataFrame) -> pd.DataFrame:
    """The readings of a sheet that was drawn from a run.

    Args:
        run: results/<run>, with its selection.
        key: columns item_id, task, lang and candidate_id.
        sheet: columns id (the key's item_id), source, candidate and answer (yes or no).

    Returns:
        One row per item of the key that the judges have measured whole, with COLUMNS, sorted; the others have nothing
        to weigh.

    Raises:
        InputError: a table is missing, or a candidate is not in it.
    """
    rows = []
    measured = {task: _measured(run, task) for task in sorted(set(key["task"]))}
    columns = (sheet[name] for name in ("source", "candidate", "answer"))
    said = dict(zip(sheet["id"], zip(*columns, strict=True), strict=True))
    for one in key.itertuples():
        found = measured[str(one.task)].get((str(one.lang), str(one.candidate_id)))
        if found is None:
            raise InputError(
                f"{run}: has no {one.task} {one.candidate_id} ({one.lang}) of the key; give the run that the sheet was "
                "drawn from, as it was then"
            )
        source, candidate, answer = said[one.item_id]
        texts = {"source": source, "candidate": candidate, "answer": answer.strip().lower()}
        rows.append({"task": one.task, "lang": one.lang, **texts, **found})
    generators = sorted({name for row in rows for name in row["generators"]})
    models = {"generators": " ".join(generators), **_judges(run)}
    frame = pd.DataFrame([{**row, **models} for row in rows], columns=list(COLUMNS)).dropna(subset=list(MEASURED))
    return frame.sort_values(["task", "lang", "set_id", "source", "candidate"], ignore_index=True)


def _judges(run: Path) -> dict[str, str]:
    """The models that measured similarity and inference, as the run's judgements name them."""
    found = {}
    for role in ("similarity", "nli"):
        files = sorted((run / "judgements").glob(f"*/{role}.parquet"))
        models = sorted({str(name) for path in files for name in artifacts.read(path, "judgements")["model"]})
        if len(models) != 1:
            raise InputError(
                f"{run / 'judgements'}: expected one model of role {role}, found {', '.join(models) or 'none'}; give "
                "the results folder of a run that has finished its selection, as it was left"
            )
        found[f"{role}_model"] = models[0]
    return found


def _measured(run: Path, task: str) -> dict[tuple[str, str], dict[str, Any]]:
    """Language and candidate to its set, its generators and what was measured of it."""
    path = run / f"{TABLES[task]}.parquet"
    if not path.is_file():
        raise InputError(f"{path}: no such file; give the results folder of a run that has finished its selection")
    frame = artifacts.read(path, TABLES[task])
    names = ("set_id", "generators", *MEASURED)
    rows = frame[["lang", "candidate_id", *names]].itertuples(index=False, name=None)
    return {(lang, candidate): dict(zip(names, values, strict=True)) for lang, candidate, *values in rows}


def read(path: Path) -> pd.DataFrame:
    """Readings from a CSV file, with numbers as float64.

    Raises:
        InputError: the file cannot be read, is no UTF-8 CSV, lacks a column, or has a bad value; with its row.
    """
    frame = csv_files.texts(path, COLUMNS)
    _check_texts(frame, path)
    numbers = {name: _numbers(frame, name, path) for name in MEASURED}
    return frame.assign(**numbers)[list(COLUMNS)]


def _check_texts(frame: pd.DataFrame, path: Path) -> None:
    allowed = {"task": TASKS, "lang": tuple(languages.known()), "answer": ANSWERS}
    for name, values in allowed.items():
        bad = ~frame[name].isin(values)
        if bad.any():
            row = int(bad.to_numpy().argmax())
            raise InputError(
                f"{path}, row {row + 2}: {name} {frame[name][row]!r} is unknown (allowed: {', '.join(values)})"
            )
    for name in MODELS:
        if len(found := sorted(set(frame[name]))) != 1:
            raise InputError(
                f"{path}, column {name}: found {', '.join(found) or 'no row'}; a fit holds for one choice of models: "
                "give the readings of one"
            )


def _numbers(frame: pd.DataFrame, name: str, path: Path) -> pd.Series:
    found = pd.to_numeric(frame[name], errors="coerce")
    low, high = {"similarity": (-1.000001, 1.000001), "n_answers": (1.0, float("inf"))}.get(name, (0.0, 1.0))
    bad = ~found.between(low, high)
    if bad.any():
        row = int(bad.to_numpy().argmax())
        raise InputError(f"{path}, row {row + 2}: {name} {frame[name][row]!r} is no number from {low:g} to {high:g}")
    return found.astype("float64")
