"""The report's tables as CSV (every digit) and LaTeX (booktabs, four significant digits)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from dualpair.languages import language_name, language_names
from dualpair.measures.spans import UNITS
from dualpair.report.numbers import interval, percent, percent_interval, significant

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\u2212": "$-$",
    "\u2013": "--",
    "\u00a0": "~",
    "|": r"\textbar{}",
}


def to_csv(frame: pd.DataFrame) -> str:
    """The frame as CSV with a header, every digit, and empty cells for missing values."""
    return frame.to_csv(index=False, lineterminator="\n")


def headline_view(frame: pd.DataFrame, unit: str = UNITS["mean"]) -> pd.DataFrame:
    """The ``headline`` table as printed text: one column per metric, the paper's first, its interval behind the mean.

    Args:
        frame: the ``headline`` table.
        unit: what x, y and every B are measured in.
    """
    columns: dict[str, list[str]] = {
        "Model": frame["model"].astype(str).tolist(),
        "Language": language_names(frame["lang"]),
        "Sets": frame["n_sets"].astype(str).tolist(),
        "Clusters": frame["n_clusters"].astype(str).tolist(),
        "Pairs": frame["n_variants"].astype(str).tolist(),
    }
    for name, label in (
        ("I_GxA", "I_GxA (bits)"),
        ("absB_avg", f"|B_GxA| ({unit})"),
        ("B_GxA", f"B_GxA ({unit})"),
        ("B_G", f"B_G ({unit})"),
    ):
        ends = zip(frame[name], frame[f"{name}_low"], frame[f"{name}_high"], strict=True)
        columns[label] = [f"{significant(mean)} {interval(low, high)}".strip() for mean, low, high in ends]
    return pd.DataFrame(columns)


def contradictions_view(frame: pd.DataFrame) -> pd.DataFrame:
    """The ``contradictions`` table as printed text: rates in percent with Wilson's interval, the other one beside."""
    columns: dict[str, list[str]] = {
        "Model": frame["model"].astype(str).tolist(),
        "Language": language_names(frame["lang"]),
        "Unit": frame["unit"].astype(str).tolist(),
        "n": frame["n"].astype(str).tolist(),
        "Clusters": frame["n_clusters"].astype(str).tolist(),
        "Ties": frame["n_ties"].astype(str).tolist(),
    }
    for name, label, beside in (
        ("contradiction", "Contradictions", "Over clusters"),
        ("flip", "Flips", "Over clusters (flips)"),
    ):
        columns[label] = _rates(frame, f"{name}_rate", f"{name}_low", f"{name}_high")
        ends = zip(frame[f"{name}_cluster_low"], frame[f"{name}_cluster_high"], strict=True)
        columns[beside] = [percent_interval(low, high) for low, high in ends]
    return pd.DataFrame(columns)


def contradictions_mean_view(frame: pd.DataFrame) -> pd.DataFrame:
    """The ``contradictions_mean`` table as printed text: mean rates in percent, their intervals behind them."""
    return pd.DataFrame(
        {
            "Model or language": [
                language_name(of) if over == "models" else of
                for of, over in zip(frame["of"].astype(str), frame["over"], strict=True)
            ],
            "Mean over": frame["over"].astype(str).tolist(),
            "Unit": frame["unit"].astype(str).tolist(),
            "Cells": [
                f"{n}" if not lost else f"{n} of {n + lost}"
                for n, lost in zip(frame["n_cells"], frame["n_missing"], strict=True)
            ],
            "n": frame["n"].astype(str).tolist(),
            "Contradictions": _rates(frame, "contradiction_rate", "contradiction_low", "contradiction_high"),
            "Flips": _rates(frame, "flip_rate", "flip_low", "flip_high"),
        }
    )


def _rates(frame: pd.DataFrame, rate: str, low: str, high: str) -> list[str]:
    """``23.4 % [17.0–30.1 %]``; without an interval the rate alone, without a rate nothing."""
    found = zip(frame[rate].map(percent), map(percent_interval, frame[low], frame[high]), strict=True)
    return [f"{value} [{ends}]" if value and ends else value for value, ends in found]


def to_latex(view: pd.DataFrame, caption: str, label: str, numeric: Sequence[str] = ()) -> str:
    """A booktabs table of printed text.

    Args:
        view: a frame of text, e.g. of :func:`headline_view`.
        caption: plain text, escaped here.
        label: LaTeX label, e.g. ``tab:headline``.
        numeric: columns set flush right.

    Raises:
        ValueError: if ``numeric`` names a column that the frame lacks.
    """
    unknown = sorted(set(numeric) - set(view.columns))
    if unknown:
        raise ValueError(f"numeric names unknown columns {unknown}; columns are {list(view.columns)}")
    align = "".join("r" if name in numeric else "l" for name in view.columns)
    lines = [
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{escape(caption)}}}",
        rf"  \label{{{label}}}",
        rf"  \begin{{tabular}}{{{align}}}",
        r"    \toprule",
        "    " + _row(list(view.columns)),
        r"    \midrule",
        *("    " + _row(list(row)) for row in view.itertuples(index=False, name=None)),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def escape(text: str, special: Mapping[str, str] = _LATEX) -> str:
    """Text with LaTeX's special characters escaped; symbols such as B_G×A are spelt as in the CSV's columns, B_GxA."""
    return "".join(special.get(char, char) for char in text.replace("G×A", "GxA"))


def _row(cells: Sequence[object]) -> str:
    return " & ".join(escape("" if pd.isna(cell) else str(cell)) for cell in cells) + r" \\"  # type: ignore[call-overload]
