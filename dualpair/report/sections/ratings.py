"""The report's section on the trait survey: how many ratings each group has, the annotators' checks, mean profiles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from dualpair.languages import language_name
from dualpair.report.numbers import DASH, not_enough, percent, significant
from dualpair.report.ratings_figures import drawings
from dualpair.report.section import Section, ShownTable

ID, TITLE = "ratings", "Trait ratings by people"
RATINGS, MEANS, ANNOTATORS = TABLES = ("human_ratings", "human_ratings_means", "ratings_annotators")
CHECKS = {
    "recall_group": "Recalled the group",
    "recall_traits": "Recalled the traits",
    "self_agreement_check": "Repeated group alike",
}
_NAMED = {"recall_group": "recall of the group", "recall_traits": "recall of the traits",
          "self_agreement": "self-agreement"}  # fmt: skip
_QUESTION = "How does society see each group, by the word of people?"
_RESULTS = ("passed", "failed", "not_answered")

Frames = Mapping[str, pd.DataFrame]
Notes = Mapping[str, Any]


def section(frames: Frames | None, notes: Notes) -> Section:
    """The section; without frames, what to do to get some.

    Args:
        frames: the tables of :data:`TABLES`; None: nothing has come back.
        notes: what validation/ratings/notes.json says: handed_out (language to surveys), per_group, pages, rule and
            remarks.
    """
    if frames is None:
        how = (
            "`snakemake ratings` writes the surveys below `sheets/` of this run: hand out one "
            "file per annotator, put the path of each file that comes back under `validation: ratings: returned:` in "
            "the config, and run `snakemake` again."
        )
        return Section(ID, TITLE, (_QUESTION,), shortfall="no survey has come back", remedy=how)
    used = int(frames[RATINGS]["kept"].astype(bool).sum())
    left_out = [left_out_table(frames)] if frames[ANNOTATORS]["excluded"].astype(bool).any() else []
    return Section(
        ID,
        TITLE,
        _lead(frames, notes, used),
        tuple(drawings(frames[MEANS], list(notes["handed_out"]))) if used else (),
        (groups_table(frames, notes), checks_table(frames, notes), *left_out, means_table(frames)),
        _cautions(frames, notes),
        _methods(frames, notes),
        "" if used else not_enough(0, 1, "usable rating"),
        "More surveys that come back (`validation: ratings: returned`) give ratings; the table of annotators says "
        "which checks left them out.",
    )


def groups_table(frames: Frames, notes: Notes) -> ShownTable:
    """One row per language and group: annotators who were counted, ratings used and not used."""
    rows: list[dict[str, str]] = []
    wanted = int(notes["per_group"])
    few = 0
    for (lang, group), cells in frames[MEANS].groupby(["lang", "group"], sort=True):
        own = frames[RATINGS][(frames[RATINGS]["lang"] == lang) & (frames[RATINGS]["group"] == group)]
        kept = own["kept"].astype(bool)
        least, most = int(cells["n"].min()), int(cells["n"].max())
        few += least < wanted
        rows.append({
            "Language": language_name(str(lang)), "Group": str(group),
            "Annotators": str(own.loc[kept, "annotator"].nunique()),
            "Ratings of a trait pair": str(least) if least == most else f"{least}{DASH}{most}",
            "Ratings used": str(int(kept.sum())), "Not used": str(int((~kept).sum())),
        })  # fmt: skip
    short = f"{few} of {len(rows)} groups have fewer than that." if few else "Every group has as many."
    caption = (
        f"Ratings of each group, of annotators who are not left out. {wanted} of each trait pair were asked for. "
        f"{short} The file has every rating, with the reason of each that is not used."
    )
    numeric = ("Annotators", "Ratings of a trait pair", "Ratings used", "Not used")
    return ShownTable("human_ratings", caption, _frame(rows, ("Language", "Group", *numeric)), numeric)


def checks_table(frames: Frames, notes: Notes) -> ShownTable:
    """One row per language: surveys back, each check's results, annotators left out."""
    rows = []
    for lang, handed in notes["handed_out"].items():
        own = frames[ANNOTATORS][frames[ANNOTATORS]["lang"] == lang]
        row = {"Language": language_name(lang), "Surveys back": f"{len(own)} of {handed}"}
        for column, title in CHECKS.items():
            counts = [int((own[column] == result).sum()) for result in _RESULTS]
            row[title] = " / ".join(map(str, counts))
        shares = own["self_agreement"].dropna().astype(float)
        row["Self-agreement"] = (
            f"{percent(shares.median())} ({percent(shares.min())} to {percent(shares.max())})" if len(shares) else ""
        )
        row["Left out"] = str(int(own["excluded"].astype(bool).sum()))
        rows.append(row)
    caption = (
        "The three checks: annotators who passed / failed / did not answer. Self-agreement is the share of the "
        "repeated group’s sliders that were set alike both times, median (range) over annotators. The file has every "
        "annotator."
    )
    numeric = ("Surveys back", *CHECKS.values(), "Self-agreement", "Left out")
    return ShownTable("ratings_annotators", caption, _frame(rows, ("Language", *numeric)), numeric)


def left_out_table(frames: Frames) -> ShownTable:
    """One row per annotator who is left out, with the checks that were not passed."""
    out = frames[ANNOTATORS][frames[ANNOTATORS]["excluded"].astype(bool)]
    rows = [
        {
            "Language": language_name(str(row["lang"])), "Annotator": str(row["annotator"]),
            "Not passed": _listed(row["failed"]), "Self-agreement": percent(row["self_agreement"]),
            "Sliders answered": f"{row['n_answered']} of {row['n_asked']}",
        }
        for row in out.sort_values(["lang", "annotator"]).to_dict("records")
    ]  # fmt: skip
    caption = "Annotators who are left out, with the checks that they did not pass. None of their ratings is used."
    numeric = ("Self-agreement", "Sliders answered")
    view = _frame(rows, ("Language", "Annotator", "Not passed", *numeric))
    return ShownTable(ANNOTATORS, caption, view, numeric, folded=True)


def means_table(frames: Frames) -> ShownTable:
    """One row per language, group and trait pair: n, mean, standard deviation and interval."""
    rows = []
    for row in frames[MEANS].to_dict("records"):
        low, high = (significant(row[end], 3) for end in ("interval_low", "interval_high"))
        rows.append({
            "Language": language_name(str(row["lang"])), "Group": str(row["group"]),
            "Trait pair": f"{row['low']} {DASH} {row['high']}", "Dimension": row["dimension"],
            "n": "" if pd.isna(row["n"]) else f"{row['n']:.0f}", "Mean": significant(row["mean"], 3),
            "SD": significant(row["sd"], 3), "95 % interval": f"[{low}, {high}]" if low and high else "",
        })  # fmt: skip
    caption = (
        "Mean ratings of each group and trait pair. 0 stands for the first trait, 100 for the second, 50 for neither; "
        "intervals are Student’s t over annotators, none for fewer than two."
    )
    numeric = ("n", "Mean", "SD", "95 % interval")
    view = _frame(rows, ("Language", "Group", "Trait pair", "Dimension", *numeric))
    return ShownTable("human_ratings_means", caption, view, numeric, folded=True)


def _lead(frames: Frames, notes: Notes, used: int) -> tuple[str, ...]:
    what = (
        f"{_QUESTION} They moved one slider from 0 to 100 for each trait pair of the Agency-Beliefs-Communion model. "
        "They report stereotypes; they do not share them, and the numbers say nothing of the groups."
    )
    out = int(frames[ANNOTATORS]["excluded"].astype(bool).sum())
    handed = sum(notes["handed_out"].values())
    found = (
        f"{len(frames[ANNOTATORS])} of {handed} surveys have come back; {out} of their annotators "
        f"{'is' if out == 1 else 'are'} left out. {used} of {len(frames[RATINGS])} ratings are used."
    )
    rated = frames[MEANS].dropna(subset=["interval_low"])
    if rated.empty:
        return what, found
    away = int(((rated["interval_low"] > 50) | (rated["interval_high"] < 50)).sum())
    clear = (
        f"In {away} of {len(rated)} combinations of group and trait pair the interval excludes the neutral 50. The "
        "intervals are not corrected for their number: about one in twenty would exclude it by chance alone."
    )
    return what, found, clear


def _cautions(frames: Frames, notes: Notes) -> tuple[str, ...]:
    texts = [str(text) for text in notes["remarks"]]
    lost = frames[RATINGS].loc[~frames[RATINGS]["kept"].astype(bool), "reason"].value_counts().sort_index()
    if len(lost):
        reasons = ", ".join(f"{n} {str(reason).replace('_', ' ')}" for reason, n in lost.items())
        texts.append(f"Ratings that are not used: {reasons}.")
    others = [lang for lang in notes["handed_out"] if lang != "en"]
    if others:
        texts.append(
            f"The texts in {', '.join(map(language_name, others))} are translations of this package, unless native "
            "speakers have checked them: means of two languages differ by wording too."
        )
    return tuple(texts)


def _methods(frames: Frames, notes: Notes) -> tuple[str, ...]:
    rule, pages = notes["rule"], int(notes["pages"])
    dropped = _listed(rule["exclude"]) or "no check"
    return (
        f"Trait ratings follow the survey of Cao et al. (2022): {frames[MEANS]['low'].nunique()} sliders from 0 to 100 "
        f"about how society sees a group; each annotator rated {pages - 1} groups and one of them again, with groups "
        f"balanced to {notes['per_group']} ratings or more.",
        f"Two settings of a slider count as alike when they differ by {rule['agreement_points']} points at most; "
        f"self-agreement of {percent(float(rule['min_self_agreement']))} passes. Checks that leave an annotator out "
        f"when they are not passed: {dropped}.",
        "Means are over annotators, with 95 % intervals of Student’s t.",
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(_NAMED[str(name)] for name in names)


def _frame(rows: list[dict[str, str]], columns: tuple[str, ...]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(columns))
