"""Two results folders: what is in them, the settings in which they differ, the sets that they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from dualpair import artifacts, run_config, schemas
from dualpair.errors import InputError

RESULTS = Path("results")
NONE = "(none)"
# Made from the measures, or by people; their settings change no measure. The headline names seed and resamples.
_LATER = ("analysis", "validation", "sheets", "figures", "norms")
_HEADLINE = "analysis/headline.parquet"
_PAIR = ["lang", "set_id", "variant_id", "groups", "attribute", "alternate", "final_mark"]


class Run(NamedTuple):
    """A results folder with measures.

    Attributes:
        name: as the user gave it.
        folder: where it is.
        models: registry names of the measured models, sorted.
    """

    name: str
    folder: Path
    models: tuple[str, ...]


def find(name: str) -> Run:
    """The run of that name below ``results/``, or in the folder of that path.

    Raises:
        InputError: there is no such folder, or it holds no measures yet.
    """
    folder = next((path for path in (RESULTS / name, Path(name)) if path.is_dir()), None)
    if folder is None:
        there = sorted(path.name for path in RESULTS.glob("*") if path.is_dir()) if RESULTS.is_dir() else []
        raise InputError(
            f"{name}: no such run: neither {RESULTS / name} nor {Path(name)} is a folder; "
            f"runs here: {', '.join(there) or 'none'}; give one of their names, or a path"
        )
    models = tuple(sorted(path.stem for path in (folder / "set_measures").glob("*.parquet")))
    if not models:
        raise InputError(
            f"{folder}: this run has no measures yet (set_measures/<model>.parquet); finish it first: "
            "snakemake --configfile <its config> measure"
        )
    return Run(name, folder, models)


def chosen_models(first: Run, second: Run, given: Sequence[str] | None) -> list[tuple[str, str]]:
    """Pairs of a model of the first run and one of the second: ``given``, or each model that both have.

    Raises:
        InputError: a run lacks the model that is asked for, or they share none.
    """
    if given:
        for run, model in zip((first, second), given, strict=True):
            if model not in run.models:
                raise InputError(
                    f"--models: run {run.name} has not measured {model!r}; it has: {', '.join(run.models)}"
                )
        return [(given[0], given[1])]
    both = sorted({*first.models} & {*second.models})
    if not both:
        raise InputError(
            f"no model is in both runs: {first.name} has {', '.join(first.models)}; {second.name} has "
            f"{', '.join(second.models)}; compare two different ones with --models A B (A of the first run)"
        )
    return [(model, model) for model in both]


def set_measures(run: Run, model: str) -> pd.DataFrame:
    """One model's ``set_measures`` table.

    Raises:
        ValueError: the file has another schema version.
    """
    return artifacts.read(run.folder / "set_measures" / f"{model}.parquet", "set_measures")


def measured_settings(run: Run, model: str) -> dict[str, Any]:
    """What the model's measures were taken with: tie, normalisation and scope, as far as the artifact says."""
    path = run.folder / "set_measures" / f"{model}.parquet"
    settings: dict[str, Any] = artifacts.provenance(path)["provenance"].get("settings", {})
    return settings


def settings(run: Run, renamed: Mapping[str, str] | None = None) -> dict[str, dict[str, str]]:
    """Artifact to what its metadata record, flattened: ``settings.tie`` to its JSON.

    Only artifacts on which measures rest, and the headline, are looked at.

    Args:
        run: the run.
        renamed: model to the name under which its artifacts are listed, for two different models.
    """
    found = {}
    for path in sorted(run.folder.rglob("*.parquet")):
        parts = path.relative_to(run.folder).parts
        artifact = "/".join(parts)
        if parts[0] in _LATER and artifact != _HEADLINE:
            continue
        name = artifact
        if renamed and parts[0] in ("scores", "measures", "set_measures"):
            if path.stem not in renamed:
                continue
            name = f"{parts[0]}/{renamed[path.stem]}.parquet"
        meta = artifacts.provenance(path)
        versions = {"version of dualpair": meta["dualpair"], "schema version": meta["schema_version"]}
        found[name] = {key: artifacts.canonical_json(value) for key, value in versions.items()}
        found[name] |= run_config.flat(meta["provenance"])
    return found


def configs(runs: Sequence[Run], pairs: Sequence[tuple[str, str]]) -> list[dict[str, dict[str, str]]]:
    """For each of two runs: its config's file to its settings, as :func:`settings` gives those of an artifact.

    Empty for both where one of them has no such file, since nothing can be told from the other alone.

    Args:
        runs: the two.
        pairs: compared models of the first and of the second run; entries of two different models are set side by side.

    Raises:
        InputError: a file is damaged.
    """
    found = [run_config.read(run.folder) for run in runs]
    if found[0] is None or found[1] is None:
        return [{}, {}]
    names = [{pair[side]: " / ".join(pair) for pair in pairs if pair[0] != pair[1]} for side in (0, 1)]
    return [{run_config.NAME: one} for one in run_config.comparable(found[0], found[1], (names[0], names[1]))]


def without_config(runs: Sequence[Run]) -> list[Run]:
    """Those of the runs that have no file of settings."""
    return [run for run in dict.fromkeys(runs) if not (run.folder / run_config.NAME).is_file()]


def differing(first: Mapping[str, Mapping[str, str]], second: Mapping[str, Mapping[str, str]]) -> pd.DataFrame:
    """The ``run_settings`` table: what the files of both runs record differently, the same difference once.

    An artifact that only one run has is a difference by itself.
    """
    rows: dict[tuple[str, str, str], list[str]] = {}
    for artifact in sorted({*first, *second}):
        if artifact not in first or artifact not in second:
            here, there = ("there" if artifact in one else NONE for one in (first, second))
            rows.setdefault(("artifact", here, there), []).append(artifact)
            continue
        one, other = first[artifact], second[artifact]
        for key in sorted({*one, *other}):
            values = (one.get(key, NONE), other.get(key, NONE))
            if values[0] != values[1]:
                rows.setdefault((key, *values), []).append(artifact)
    names = schemas.table("run_settings").names
    return pd.DataFrame([(*key, places) for key, places in sorted(rows.items())], columns=names)


def shared_sets(first: pd.DataFrame, second: pd.DataFrame, pairs: tuple[pd.DataFrame, pd.DataFrame]) -> pd.DataFrame:
    """The ``run_sets`` table.

    Args:
        first: ``set_measures`` of the first run's models.
        second: those of the second run's.
        pairs: the ``augmented`` tables of both runs.
    """
    one, other = (set(zip(frame["lang"], frame["set_id"], strict=True)) for frame in (first, second))
    worded = [_wording(frame) for frame in pairs]
    rows = []
    for lang in sorted({key[0] for key in one | other}):
        here, there = ({key for key in keys if key[0] == lang} for keys in (one, other))
        shared = here & there
        same = sum(worded[0].get(key) == worded[1].get(key) for key in shared)
        rows.append((lang, len(shared), len(here - there), len(there - here), same))
    return pd.DataFrame(rows, columns=schemas.table("run_sets").names)


def _wording(augmented: pd.DataFrame) -> dict[tuple[str, str], tuple[Any, ...]]:
    """(lang, set) to the wording of all its pairs."""
    found: dict[tuple[str, str], list[Any]] = {}
    for row in augmented.sort_values(_PAIR[:3])[_PAIR].to_dict("records"):
        wording = (*(str(row[name]) for name in _PAIR if name != "groups"), tuple(row["groups"]))
        found.setdefault((str(row["lang"]), str(row["set_id"])), []).append(wording)
    return {key: tuple(rows) for key, rows in found.items()}
