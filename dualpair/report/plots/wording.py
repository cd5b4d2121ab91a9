"""Figures on wording: tau-b of each similarity with the change of I, and Self-BLEU of each language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from dualpair.analysis.diversity import MIN_TEXTS
from dualpair.analysis.wording import SIMILARITIES
from dualpair.languages import language_name
from dualpair.report.figures import COLOURS, INK, MARKERS, Drawing, drawn, in_style, missing
from dualpair.report.numbers import not_enough

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LABELS = {
    "bleu": "BLEU",
    "chrf": "chrF++",
    "rouge_l": "ROUGE-L",
    "jaccard": "Jaccard",
    "bertscore": "BERTScore",
    "embedding": "Embedding cosine",
}


def tau_figure(frame: pd.DataFrame, least: int) -> Drawing:
    """One line per similarity, a dot per model and language; the upright stroke is the median.

    Args:
        frame: the ``wording`` table.
        least: fewest pairs of a tau-b that is drawn.
    """
    name, title = "wording_tau", "Surface similarity and change of I_G×A (dot: a model in a language; stroke: median)"
    drawn_rows = frame[frame["tau"].isna() | (frame["n_pairs"] >= least)]
    data = drawn_rows.sort_values(["similarity", "model", "lang"]).reset_index(drop=True)
    known = data.dropna(subset=["tau"])
    if known.empty:
        most = int(frame["n_pairs"].max()) if len(frame) else 0
        return missing(name, title, data, not_enough(most, least, "pairs of an original and a paraphrase"))
    with in_style():
        figure = _taus(known)
        low, high = known["tau"].min(), known["tau"].max()
        alt = (
            f"Strip plot of Kendall's tau-b per similarity, a dot per model and language; values from {low:.3f} to "
            f"{high:.3f}. The data are in the table."
        )
        return drawn(name, title, alt, figure, data)


def self_bleu_figure(frame: pd.DataFrame) -> Drawing:
    """One box per language: median, quartiles, 5th and 95th percentile of the sets; the diamond is the mean.

    Args:
        frame: the ``self_bleu`` table.
    """
    name, title = (
        "self_bleu",
        "Self-BLEU of each set’s wordings (box: quartiles; line: 5 % to 95 % of the sets; stroke: median)",
    )
    data = frame.sort_values("lang").reset_index(drop=True)
    known = data.dropna(subset=["mean"])
    if known.empty:
        return missing(name, title, data, not_enough(0, 1, f"set with at least {MIN_TEXTS} usable wordings"))
    with in_style():
        figure = _boxes(known)
        medians = ", ".join(f"{language_name(str(row.lang))} {row.median:.0f}" for row in known.itertuples())
        alt = f"Box plot of Self-BLEU per language. Medians: {medians}. The data are in the table."
        return drawn(name, title, alt, figure, data)


def _taus(known: pd.DataFrame) -> Figure:
    from matplotlib.figure import Figure

    names = [name for name in SIMILARITIES if (known["similarity"] == name).any()]
    langs = sorted(known["lang"].unique())
    figure = Figure(figsize=(6.8, 1.2 + 0.55 * len(names)), layout="constrained")
    axes: Axes = figure.add_subplot()
    for k, lang in enumerate(langs):
        part = known.loc[known["lang"] == lang]
        offset = (k - (len(langs) - 1) / 2) * 0.6 / len(langs)
        y = np.array([names.index(name) for name in part["similarity"]], dtype=float) + offset
        axes.plot(
            part["tau"], y, linestyle="none", marker=MARKERS[k % len(MARKERS)], color=COLOURS[k % len(COLOURS)],
            markersize=4.5, alpha=0.8, label=language_name(lang),
        )  # fmt: skip
    medians = known.groupby("similarity")["tau"].median()
    places = np.arange(len(names))
    axes.vlines(medians[names], places - 0.38, places + 0.38, color=INK, linewidth=2)
    axes.axvline(0.0, color=INK, linewidth=0.8, alpha=0.5)
    widest = max(0.1, 1.1 * float(known["tau"].abs().max()))
    axes.set_xlim(-widest, widest)
    axes.locator_params(axis="x", nbins=5)
    axes.set_xlabel("Kendall’s tau-b with |I(original) − I(paraphrase)|")
    axes.set_yticks(places, labels=[LABELS[name] for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    _plain(axes)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside right upper", frameon=False)
    return figure


def _boxes(known: pd.DataFrame) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.8, 0.9 + 0.5 * len(known)), layout="constrained")
    axes: Axes = figure.add_subplot()
    places = np.arange(len(known))
    axes.hlines(places, known["p5"], known["p95"], color=COLOURS[0], linewidth=1.3)
    axes.barh(places, known["p75"] - known["p25"], left=known["p25"], height=0.5, color=COLOURS[0], alpha=0.35)
    axes.vlines(known["median"], places - 0.25, places + 0.25, color=INK, linewidth=2)
    axes.hlines(places, known["low"], known["high"], color=COLOURS[1], linewidth=2.4)
    axes.plot(known["mean"], places, linestyle="none", marker="D", color=COLOURS[1], markersize=5, label="mean")
    axes.set_xlim(0.0, 100.0)
    axes.set_xlabel("Self-BLEU of a set, 0 to 100 (equal wordings); orange: mean with 95 % interval")
    axes.set_yticks(places, labels=[f"{language_name(str(row.lang))} (n = {row.n_sets})" for row in known.itertuples()])
    axes.set_ylim(len(known) - 0.5, -0.5)
    _plain(axes)
    return figure


def _plain(axes: Axes) -> None:
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
