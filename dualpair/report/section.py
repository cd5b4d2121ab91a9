"""What an analysis hands to the report: drawings, tables and plain words, no markup.

Every module of :mod:`dualpair.report.sections` has ``TABLES``, the names of the tables it reads, and
``section(frames, facts)``, which makes a :class:`Section` of them. The rule of the analysis writes its files from it,
and the report prints the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from dualpair.report.figures import Drawing

# Behind a section's question where sets, pairs or paraphrases lack.
MORE_PAIRS = (
    "The data funnel below says at which stage rows were lost. More sentences (`source`), more answers (`samples` of "
    "`generation: paraphrase` and `generation: alternate`) or looser thresholds (`thresholds` of the judging models "
    "under `models`, `filters: acceptance`) give more pairs."
)
MORE_PARAPHRASES = (
    "More answers (`generation: paraphrase: samples`), further models (`roles: paraphrase`) or looser thresholds "
    "(`thresholds` of the judging models under `models`, `filters: acceptance`) give more paraphrases, and "
    "`filters: max_paraphrases` must not keep fewer than are needed; more sentences (`source`) give more sets."
)


class ShownTable(NamedTuple):
    """One printed table.

    Attributes:
        name: file stem of the artifact it shows, ``analysis/<name>.csv``.
        caption: one or two sentences: what a row is, units, neutral value, kind of interval.
        view: printed text only, one row per line; column names are the header.
        numeric: columns set flush right.
        folded: shown closed, under its caption.
    """

    name: str
    caption: str
    view: pd.DataFrame
    numeric: tuple[str, ...] = ()
    folded: bool = False


class Section(NamedTuple):
    """One analysis in the report.

    Attributes:
        id: anchor and file stem, e.g. ``reliability``.
        title: heading.
        lead: paragraphs of plain text: the question, what was found (made from the numbers, never stronger than they
            are), how to read it.
        drawings: figures, with their alternative texts.
        tables: printed tables.
        cautions: sentences that a reader must know before quoting the numbers.
        methods: sentences for the methods text of a paper, with the settings used.
        shortfall: empty, or why there is nothing to show, e.g. of :func:`dualpair.report.numbers.not_enough`; the
            first paragraph of ``lead`` states the question all the same.
        remedy: with a shortfall, what to change in the config to have something to show: whole sentences.
    """

    id: str
    title: str
    lead: tuple[str, ...]
    drawings: tuple[Drawing, ...] = ()
    tables: tuple[ShownTable, ...] = ()
    cautions: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    shortfall: str = ""
    remedy: str = ""


class Facts(NamedTuple):
    """What sections may say of a run beyond their tables.

    Attributes:
        unit: what x, y and every B are measured in, e.g. ``nats per token``.
        tie: the tie, in that unit.
        seed: the run's seed.
        analysis: the config's section ``analysis``.
        models: registry name to ``family``, ``size`` and ``tuning``, each may be None.
        languages: codes of the run's languages, as the config lists them.
    """

    unit: str
    tie: float
    seed: int
    analysis: Mapping[str, Any]
    models: Mapping[str, Mapping[str, Any]]
    languages: tuple[str, ...]

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Facts:
        """From the ``--facts`` argument that the rules of the analyses pass (``facts()`` of rules/common.smk)."""
        return cls(**{**value, "languages": tuple(value["languages"])})
