"""What a report is made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from dualpair.report.section import Section

if TYPE_CHECKING:
    from dualpair.report.validation import ValidationData


@dataclass(frozen=True, slots=True)
class ReportData:
    """Everything that the report shows; frames are the tables of :mod:`dualpair.schemas` of the same name.

    Attributes:
        run: name of the run.
        headline: the ``headline`` table.
        contradictions: the ``contradictions`` table.
        funnel: the ``funnel`` table.
        warnings: one row per warning, its sentence in the column ``text``, e.g. of
            :func:`dualpair.analysis.funnel.uneven_losses`.
        augmented: the ``augmented`` table.
        sets: the ``sets`` table.
        measures: the ``measures`` table of each model, by registry name.
        config_yaml: the whole validated config as YAML.
        provenance: label to value, e.g. package version, model fingerprints, dtype, engine, library versions; nothing
            volatile such as times.
        sections: the analyses, in the order in which they are shown; those that the run lacks are left out.
        tables: every table that an analysis left, by name, for what is set beside the literature.
        validation: what native speakers answered; None: nothing has come back.
        ratings: the section of the trait survey; None: the run has no survey.
    """

    run: str
    headline: pd.DataFrame
    contradictions: pd.DataFrame
    funnel: pd.DataFrame
    warnings: pd.DataFrame
    augmented: pd.DataFrame
    sets: pd.DataFrame
    measures: Mapping[str, pd.DataFrame]
    config_yaml: str
    provenance: Mapping[str, str]
    sections: tuple[Section, ...] = ()
    tables: Mapping[str, pd.DataFrame] | None = None
    validation: ValidationData | None = None
    ratings: Section | None = None
