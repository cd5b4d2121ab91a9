"""Files of an analysis: its table as Parquet, CSV and LaTeX, its figures as SVG, PNG and CSV."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from dualpair import artifacts
from dualpair.report import figures, tables
from dualpair.report.section import Section, ShownTable


def write_table(folder: Path, frame: pd.DataFrame, shown: ShownTable, provenance: Mapping[str, Any]) -> None:
    """Write ``analysis/<name>.parquet``, ``.csv`` (every digit) and ``.tex`` (as printed) below a run's folder.

    Args:
        folder: the run's results folder.
        frame: the analysis's table; checked against the schema of its name.
        shown: how it is printed; its name is the table's.
        provenance: settings and seed, kept in the Parquet file's metadata.

    Raises:
        dualpair.artifacts.ArtifactError: if the frame does not fit its schema.
    """
    base = folder / "analysis" / shown.name
    artifacts.write(frame, base.with_suffix(".parquet"), shown.name, provenance)
    artifacts.write_atomically(base.with_suffix(".csv"), tables.to_csv(frame).encode())
    text = tables.to_latex(shown.view, shown.caption, f"tab:{shown.name}", shown.numeric)
    artifacts.write_atomically(base.with_suffix(".tex"), text.encode())


def write_section(
    folder: Path, section: Section, frames: Mapping[str, pd.DataFrame], provenance: Mapping[str, Any]
) -> None:
    """Write every table and figure of a section.

    Args:
        folder: the run's results folder.
        section: what the report shows; each of its tables has its frame in ``frames``.
        frames: table name to frame.
        provenance: settings and seed.

    Raises:
        ValueError: if a table has no frame or a frame no table.
    """
    names = [shown.name for shown in section.tables]
    if sorted(names) != sorted(frames):
        raise ValueError(f"section {section.id} prints {sorted(names)} and was given {sorted(frames)}")
    for shown in section.tables:
        write_table(folder, frames[shown.name], shown, provenance)
    for drawing in section.drawings:
        figures.write(drawing, folder / "figures")
