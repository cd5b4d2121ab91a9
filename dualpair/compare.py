"""`dualpair compare`: two results folders side by side."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dualpair.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from dualpair.analysis.comparison import Resampling
    from dualpair.compare_runs import Run

_WIDEST = 60
ABOUT = "set two finished runs side by side: settings that differ, shared sets, paired differences"


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    command = commands.add_parser("compare", help=ABOUT, description=f"{ABOUT} (the second run minus the first)")
    command.add_argument("first", metavar="RUN1", help="name of a run below results/, or the path of its folder")
    command.add_argument("second", metavar="RUN2", help="the run that it is compared with; it may be the same")
    command.add_argument(
        "--models", nargs=2, metavar=("A", "B"), help="compare A of RUN1 with B of RUN2; default: each model in both"
    )
    command.add_argument("--out", type=Path, metavar="FOLDER", help="write the tables there, as Parquet and CSV")
    command.add_argument("--seed", type=int, default=0, help="seed of the resamples (default: 0)")
    command.add_argument(
        "--bootstrap", type=int, default=2000, metavar="N", help="resamples of clusters (default: 2000)"
    )
    command.add_argument(
        "--permutations", type=int, default=9999, metavar="N", help="sign flips of clusters of a test (default: 9999)"
    )
    command.set_defaults(command=run)


def run(args: argparse.Namespace) -> None:
    """Compare, print, and write the tables where asked to.

    Raises:
        InputError: no such run, no measures yet, no model or no set in both, or an option out of range.
        ValueError: an artifact has another schema version.
    """
    from dualpair import compare_runs
    from dualpair.analysis.comparison import Resampling

    for name in ("bootstrap", "permutations"):
        if getattr(args, name) < 100:
            raise InputError(f"--{name} {getattr(args, name)}: give 100 or more")
    if args.out is not None and args.out.exists() and not args.out.is_dir():
        raise InputError(f"--out {args.out}: this is a file; give a folder, which is made where there is none")
    first, second = compare_runs.find(args.first), compare_runs.find(args.second)
    pairs = compare_runs.chosen_models(first, second, args.models)
    resampling = Resampling(args.seed, args.bootstrap, args.permutations, 0.8, "runs")
    tables = compare(first, second, pairs, resampling)
    print(text(first, second, pairs, tables))
    if args.out is not None:
        write(tables, args.out, {"first": first.name, "second": second.name, "seed": args.seed})


def compare(first: Run, second: Run, pairs: list[tuple[str, str]], resampling: Resampling) -> dict[str, pd.DataFrame]:
    """The tables ``run_settings``, ``run_sets`` and ``run_comparison``.

    Args:
        first: the run that is subtracted.
        second: the other run.
        pairs: a model of the first and a model of the second run, each.
        resampling: seed and numbers of resamples.

    Raises:
        InputError: the two runs share no set.
    """
    import pandas as pd

    from dualpair import artifacts, compare_runs

    measured = [
        {model: compare_runs.set_measures(run, model) for model in dict.fromkeys(pair[side] for pair in pairs)}
        for side, run in enumerate((first, second))
    ]
    frames = [pd.concat(one.values(), ignore_index=True) for one in measured]
    renamed: tuple[Mapping[str, str] | None, ...] = (None, None)
    if any(one != other for one, other in pairs):
        renamed = tuple({pair[side]: " / ".join(pair) for pair in pairs} for side in (0, 1))
    written = compare_runs.configs((first, second), pairs)
    made = [
        config | compare_runs.settings(run, names)
        for config, run, names in zip(written, (first, second), renamed, strict=True)
    ]
    augmented = tuple(artifacts.read(run.folder / "augmented.parquet", "augmented") for run in (first, second))
    sets = compare_runs.shared_sets(frames[0], frames[1], (augmented[0], augmented[1]))
    if not sets["n_shared"].sum():
        raise InputError(
            f"{first.name} and {second.name} share no set: a set is shared when its language and set_id are the same; "
            "runs of different sources cannot be compared"
        )
    return {
        "run_settings": compare_runs.differing(made[0], made[1]),
        "run_sets": sets,
        "run_comparison": differences(measured[0], measured[1], pairs, resampling),
    }


def differences(
    first: Mapping[str, pd.DataFrame],
    second: Mapping[str, pd.DataFrame],
    pairs: list[tuple[str, str]],
    resampling: Resampling,
) -> pd.DataFrame:
    """The ``run_comparison`` table: the second run's model minus the first's, on shared sets.

    Args:
        first: model to its ``set_measures``, of the first run.
        second: the same of the second run.
        pairs: models of the first and of the second run.
        resampling: seed and numbers of resamples.
    """
    import pandas as pd

    from dualpair import schemas
    from dualpair.analysis.comparison import paired, wide

    labelled = [
        frame.assign(model=f"{side}:{model}")
        for side, frames in (("1", first), ("2", second))
        for model, frame in frames.items()
    ]
    data = wide(pd.concat(labelled, ignore_index=True))
    frame = paired(data, [(f"2:{other}", f"1:{one}") for one, other in pairs], resampling)
    for column in ("model_a", "model_b"):
        frame[column] = frame[column].str[2:]
    declared = schemas.table("run_comparison")
    return frame[declared.names].sort_values(list(declared.key), ignore_index=True)


def write(tables: Mapping[str, pd.DataFrame], folder: Path, provenance: Mapping[str, Any]) -> None:
    """Write each table as Parquet and CSV."""
    from dualpair import artifacts
    from dualpair.report.tables import to_csv

    for name, frame in tables.items():
        artifacts.write(frame, folder / f"{name}.parquet", name, provenance)
        listed = frame.assign(artifacts=frame["artifacts"].map(" ".join)) if "artifacts" in frame else frame
        artifacts.write_atomically(folder / f"{name}.csv", to_csv(listed).encode())


def text(first: Run, second: Run, pairs: list[tuple[str, str]], tables: Mapping[str, pd.DataFrame]) -> str:
    """What the command prints."""
    unit, warning = _unit(first, second, pairs)
    lines = [f"first: {first.folder}", f"second: {second.folder}", *_left_out(first, second, pairs), ""]
    lines += [*_settings(tables["run_settings"]), *_no_config(first, second), ""]
    lines += ["Sets (n_same_pairs: shared sets whose pairs have the very same wording)"]
    lines += [tables["run_sets"].to_string(index=False), ""]
    lines += ["Second minus first on the shared sets, with 95 % intervals over clusters and p by Holm's correction;"]
    lines += [f"contradictions in percentage points, I_GxA in bits, B in {unit}; no interval or p under 3 clusters"]
    for one, other in pairs:
        frame = tables["run_comparison"]
        own = frame[(frame["model_a"] == other) & (frame["model_b"] == one)]
        lines += ["", other if one == other else f"{other} minus {one}"]
        lines += [_view(own).to_string(index=False) if len(own) else "  no set is shared"]
    return "\n".join([*lines, *warning])


def _view(frame: pd.DataFrame) -> pd.DataFrame:
    """Printed differences of one pair of models, one line per language and metric."""
    import pandas as pd

    from dualpair.analysis.comparison import POOLED
    from dualpair.report.numbers import interval, significant

    rows = []
    for row in frame.assign(last=frame["lang"] == POOLED).sort_values(["last", "lang", "metric"]).to_dict("records"):
        scale = 100.0 if row["metric"] == "contradiction" else 1.0
        first, second, both, least = (
            significant(scale * row[name], 3) for name in ("mean_b", "mean_a", "difference", "detectable")
        )
        ends = interval(scale * row["difference_low"], scale * row["difference_high"], 3)
        p = significant(row["p_holm"], 2)
        rows.append((row["lang"], row["metric"], row["n_sets"], row["n_clusters"], first, second, both, ends, p, least))
    names = ["lang", "metric", "sets", "clusters", "first", "second", "difference", "interval", "p", "detectable"]
    return pd.DataFrame(rows, columns=names)


def _left_out(first: Run, second: Run, pairs: list[tuple[str, str]]) -> list[str]:
    """Lines that name the models that are not compared."""
    lines = []
    for side, (label, one) in enumerate((("first", first), ("second", second))):
        rest = [model for model in one.models if model not in {pair[side] for pair in pairs}]
        if rest:
            lines.append(f"not compared, of the {label} run: {', '.join(rest)}")
    return lines


def _settings(frame: pd.DataFrame) -> list[str]:
    if frame.empty:
        return ["No setting, version, fingerprint or dtype differs."]
    lines = ["What differs (first -> second)"]
    for row in frame.to_dict("records"):
        places = row["artifacts"]
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        values = " -> ".join(_short(str(row[side])) for side in ("first", "second"))
        lines.append(f"  {row['key']}: {values}   ({places[0]}{more})")
    return lines


def _no_config(first: Run, second: Run) -> list[str]:
    """Lines that say so where configs could not be compared."""
    from dualpair import compare_runs, run_config

    return [
        f"NOTE: {run.folder / run_config.NAME} is not there: the configs cannot be compared, and settings that no "
        "artifact records may differ; run snakemake on that run's config again to write it"
        for run in compare_runs.without_config((first, second))
    ]


def _short(value: str) -> str:
    return value if len(value) <= _WIDEST else f"{value[: _WIDEST - 3]}..."


def _unit(first: Run, second: Run, pairs: list[tuple[str, str]]) -> tuple[str, list[str]]:
    """The unit of B, and a warning where the two runs measure different things."""
    from dualpair import compare_runs
    from dualpair.measures.spans import UNITS

    made = [compare_runs.measured_settings(run, pairs[0][side]) for side, run in enumerate((first, second))]
    units = [UNITS.get(one.get("normalisation", ""), "unknown unit") for one in made]
    odd = [key for key in ("normalisation", "scope", "tie") if made[0].get(key) != made[1].get(key)]
    unit = units[0] if units[0] == units[1] else f"{units[1]} minus {units[0]}"
    return unit, [f"WARNING: the runs measure different things (scoring.{key} differs)" for key in odd]
