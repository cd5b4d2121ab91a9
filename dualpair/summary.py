"""What a run kept and dropped, in a few lines for the terminal."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from dualpair import artifacts
from dualpair.errors import InputError
from dualpair.generation import hygiene_words, polarity
from dualpair.report.validation import acceptance

_AFTER_PARSING = ("variants", "alternates", "augmented")


def summary(folder: Path) -> str:
    """A text about the run in ``folder`` (results/<run>): yield per language, reasons for drops.

    Of a run that has parsed and not yet got to its dual pairs, what there is.

    Raises:
        FileNotFoundError: the run has no sets yet.
    """
    sets = artifacts.read(folder / "sets.parquet", "sets")
    missing = [name for name in _AFTER_PARSING if not (folder / f"{name}.parquet").is_file()]
    if missing:
        lines = _sets_only(sets)
        lines.append(f"dropped sets: {_reasons(sets)}")
        lines.append(f"not there yet: {', '.join(f'{name}.parquet' for name in missing)}")
        return "\n".join(lines)
    variants, alternates, augmented = (artifacts.read(folder / f"{name}.parquet", name) for name in _AFTER_PARSING)
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
    lines.append(f"polarity: {polarity_changes(augmented)}")
    rates = folder / "validation" / "rates.parquet"
    if rates.is_file():
        accepted = acceptance(artifacts.read(rates, "validation_rates"))
        lines.append(f"accepted by native speakers: {accepted}")
    return "\n".join(lines)


def polarity_changes(augmented: pd.DataFrame) -> str:
    """How many opposites are negated where their source is not, and the other way round (shipped word lists)."""
    added, lost, unknown = 0, 0, set()
    for lang, attribute, alternate in zip(
        augmented["lang"], augmented["attribute"], augmented["alternate"], strict=True
    ):
        try:
            words = hygiene_words.word_lists(lang)
        except InputError:
            unknown.add(lang)
            continue
        added += polarity.added(alternate, attribute, words, lang)
        lost += polarity.dropped(alternate, attribute, words, lang)
    left_out = f" (not looked at, without word lists: {', '.join(sorted(unknown))})" if unknown else ""
    return f"of {len(augmented)} opposites {added} add a negation, {lost} leave one out{left_out}"


def _sets_only(sets: pd.DataFrame) -> list[str]:
    lines = [f"{'language':<10}{'sets':>6}{'kept':>6}"]
    return lines + [f"{lang:<10}{len(rows):>6}{int(rows['kept'].sum()):>6}" for lang, rows in sets.groupby("lang")]


def rows_per_table(folder: Path) -> dict[str, int]:
    """Rows of every Parquet artifact of a run, by its path."""
    import pyarrow.parquet as pq

    paths = sorted(folder.rglob("*.parquet"))
    return {path.relative_to(folder).as_posix(): pq.read_metadata(path).num_rows for path in paths}


def _reasons(frame: pd.DataFrame) -> str:
    counts = frame.loc[~frame["kept"], "reason"].value_counts().sort_index()
    return ", ".join(f"{count} {reason}" for reason, count in counts.items()) or "none"
