"""A run beside the literature: printed figures of three papers, and ours where data, models and switches match.

The figures and what they need are in ``resources/published/*.yaml``. They are set beside ours only when every need is
met and the run has the table; else they are orientation, and the reasons say why they are no comparison.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from dualpair import paths, yaml_files
from dualpair.languages import language_names
from dualpair.report.findings import listed
from dualpair.report.numbers import MINUS, significant

_LABELS = {
    "lang": "Language",
    "metric": "Measure",
    "end": "Over configurations",
    "value": "Printed",
    "min": "Printed, least",
    "max": "Printed, greatest",
    "similarity": "Similarity",
    "effect": "Effect",
    "task": "Task",
    "model": "Model",
    "measure": "Measure",
}
_WORDS = {
    "absB_avg": "|B_G×A| avg",
    "absB_max": "|B_G×A| max",
    "min": "least",
    "max": "greatest",
    "all": "all languages",
    "bleu": "BLEU",
    "chrf": "chrF++",
    "rouge_l": "ROUGE-L",
    "jaccard": "Jaccard",
    "bertscore": "BERTScore",
    "embedding": "embedding cosine",
}
OURS = "This run"
PAPERS = ("dual_pairs", "abc", "rpam")  # files of resources/published/, in the order of the page


class Figure(NamedTuple):
    """Printed figures of one table of a paper.

    Attributes:
        key: short name.
        title: what the figures are, with unit.
        paper: the paper's name.
        source: where they are printed.
        columns: names of the columns of ``rows``.
        rows: the figures as printed.
        keys: the columns that name a row.
        needs: what a run must share: source, languages, switches, models, encoder.
        ours: where the run's figure is; None: no analysis measures it.
    """

    key: str
    title: str
    paper: str
    source: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    keys: tuple[str, ...]
    needs: Mapping[str, Any]
    ours: Mapping[str, Any] | None


class Beside(NamedTuple):
    """One figure as the report shows it.

    Attributes:
        figure: the printed figures.
        view: them as printed text; with a column of ours where they match.
        reasons: why they are no comparison; empty: they are.
    """

    figure: Figure
    view: pd.DataFrame
    reasons: tuple[str, ...]


def load() -> list[Figure]:
    """All printed figures, paper by paper."""
    found = []
    for name in PAPERS:
        paper = yaml_files.document(paths.resource("published", f"{name}.yaml"))
        for entry in paper["figures"]:
            found.append(_figure(entry, paper))
    return found


def beside(settings: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> list[Beside]:
    """Every printed figure, with ours where it matches.

    Args:
        settings: the run's config, with the registry entries of its models.
        tables: the run's tables by name.
    """
    return [_beside(figure, settings, tables) for figure in load()]


def differences(needs: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Why a run cannot be compared: one sentence each on data, languages, switches and models; empty if it can."""
    source = settings.get("source") or {}
    odd = [key for key, value in needs.get("source", {}).items() if source.get(key) != value]
    reasons = []
    if odd:
        wanted = ", ".join(f"{key} {_text(needs['source'][key])}" for key in odd)
        reasons.append(f"other data: the run’s source has {_pairs(source, odd)}, not {wanted}")
    langs = sorted(settings.get("languages") or [])
    if needs.get("languages") and langs != sorted(needs["languages"]):
        reasons.append(f"other languages: {_named(langs)}, not {_named(sorted(needs['languages']))}")
    for path, value in needs.get("switches", {}).items():
        if (found := _lookup(settings, path)) != value:
            reasons.append(f"another setting: {path} is {_text(found)}, not {_text(value)}")
    encoder = (settings.get("roles") or {}).get("similarity")
    if needs.get("encoder") not in (None, identity((settings.get("models") or {}).get(encoder) or {})):
        reasons.append(f"another sentence encoder: {_text(encoder)}, not {needs['encoder']}")
    if needs.get("models") and (other := _models(settings, needs["models"])):
        reasons.append(other)
    return tuple(reasons)


def identity(entry: Mapping[str, Any]) -> str:
    """What a registry entry is on the hub: its ``hf:`` source, else the origin that it was made from."""
    source = str(entry.get("source", ""))
    return source.removeprefix("hf:") if source.startswith("hf:") else str(entry.get("origin") or source)


def _named(codes: list[str]) -> str:
    return listed(language_names(codes)) or "none"


def _models(settings: Mapping[str, Any], needed: list[str]) -> str:
    scored = (settings.get("roles") or {}).get("score") or []
    entries = {name: (settings.get("models") or {}).get(name) or {} for name in scored}
    known = {identity(entry) for entry in entries.values()}
    if known != set(needed):
        shared = len(known & set(needed))
        others = len(known) - shared
        return f"other models: {shared} of the {len(needed)} in the paper were measured, and {others} other"
    copies = sorted(name for name, entry in entries.items() if not str(entry.get("source", "")).startswith("hf:"))
    return f"other weights: {listed(copies)} {'is' if len(copies) == 1 else 'are'} not the hub’s" if copies else ""


def _figure(entry: Mapping[str, Any], paper: Mapping[str, Any]) -> Figure:
    return Figure(
        key=entry["key"],
        title=entry["title"],
        paper=paper["paper"],
        source=f"{paper['source']}, {entry['where']}",
        columns=tuple(entry["columns"]),
        rows=tuple(tuple(row) for row in entry["rows"]),
        keys=tuple(entry.get("keys", ())),
        needs=entry.get("needs", {}),
        ours=entry.get("ours"),
    )


def _beside(figure: Figure, settings: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> Beside:
    numbers = [value for row in figure.rows for value in row if isinstance(value, float)]
    places = max((len(repr(value).partition(".")[2]) for value in numbers), default=0)
    view = pd.DataFrame(
        [[_printed(value, places) for value in row] for row in figure.rows],
        columns=[_LABELS.get(name, name.replace("_", " ")) for name in figure.columns],
    )
    if "lang" in figure.columns:
        view[_LABELS["lang"]] = language_names(view[_LABELS["lang"]])
    if figure.ours is None:
        return Beside(figure, view, ("no analysis of this workflow measures it",))
    reasons = differences(figure.needs, settings)
    name = figure.ours["table"]
    if name not in tables or tables[name].empty:
        reasons = (*reasons, f"this run has no table {name}")
    if not reasons:
        view[OURS] = [_ours(figure, row, tables[name]) for row in figure.rows]
    return Beside(figure, view, reasons)


def _ours(figure: Figure, row: tuple[Any, ...], table: pd.DataFrame) -> str:
    """The run's figure in a row's place; empty where the table has no such row."""
    ours = figure.ours or {}
    named = dict(zip(figure.columns, row, strict=True))
    wanted = {**ours.get("only", {}), **{column: named[key] for key, column in ours.get("keys", {}).items()}}
    for column, value in wanted.items():
        table = table[table[column] == value]
    values = table[ours["column"]].dropna().astype(float)
    if values.empty:
        return ""
    over = named["end"] if ours["over"] == "end" else ours["over"]
    if over == "only":
        if len(values) > 1:
            raise ValueError(f"published figure {figure.key}: {len(values)} rows of {ours['table']} fit {named}")
        over = "sum"
    return significant(float(getattr(values, over)()) * ours.get("scale", 1), 3)


def _pairs(found: Mapping[str, Any], keys: list[str]) -> str:
    return ", ".join(f"{key} {_text(found.get(key))}" for key in keys)


def _lookup(settings: Mapping[str, Any], path: str) -> Any:
    value: Any = settings
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _printed(value: Any, places: int) -> str:
    """A printed figure with as many decimals as the most precise of its table; empty where none is printed."""
    if value is None:
        return ""
    return f"{value:.{places}f}".replace("-", MINUS) if isinstance(value, float) else _words(str(value))


def _words(text: str) -> str:
    """A name of the file as a reader knows it, e.g. ``model × bias type``."""
    return _WORDS.get(text, text.replace(":", " × ").replace("bias_type", "bias type"))


def _text(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, list):
        return listed(map(str, value))
    return f"{value:g}".replace("-", MINUS) if isinstance(value, float) else str(value)
