"""What a run kept and dropped, in a few lines for the terminal."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from dualpair import artifacts


def summary(folder: Path) -> str:
    """A text about the run in ``folder`` (results/<run>): yield per language, reasons for drops, rows per table.

    Raises:
        FileNotFoundError: the run has not got as far as its dual pairs.
    """
    sets = artifacts.read(folder / "sets.parquet", "sets")
    variants = artifacts.read(folder / "variants.parquet", "variants")
    alternates = artifacts.read(folder / "alternates.parquet", "alternates")
    augmented = artifacts.read(folder / "augmented.parquet", "augmented")
    lines = [f"{'language':<10}{'sets':>6}{'kept':>6}{'paraphrases/set':>17}{'with a dual pair':>18}{'dual pairs':>12}"]
    for lang, rows in sets.groupby("lang"):
        kept = int(rows["kept"].sum())
        here = variants[(variants["lang"] == lang) & variants["kept"] & ~variants["is_original"]]
        pairs = augmented[augmented["lang"] == lang]
        usable = pairs["set_id"].nunique()
        each = len(here) / kept if kept else 0.0
        share = f"{usable} ({usable / kept:.0%})" if kept else "0"
        lines.append(f"{lang:<10}{len(rows):>6}{kept:>6}{each:>17.2f}{share:>18}{len(pairs):>12}")
    for name, frame in (("sets", sets), ("paraphrases", variants), ("alternates", alternates)):
        lines.append(f"dropped {name}: {_reasons(frame)}")
    return "\n".join(lines)


def rows_per_table(folder: Path) -> dict[str, int]:
    """Rows of every Parquet artifact of a run, by its path."""
    import pyarrow.parquet as pq

    paths = sorted(folder.rglob("*.parquet"))
    return {path.relative_to(folder).as_posix(): pq.read_metadata(path).num_rows for path in paths}


def _reasons(frame: pd.DataFrame) -> str:
    counts = frame.loc[~frame["kept"], "reason"].value_counts().sort_index()
    return ", ".join(f"{count} {reason}" for reason, count in counts.items()) or "none"
