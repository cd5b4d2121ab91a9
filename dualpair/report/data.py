"""What a report is made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

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
        set_measures: the ``set_measures`` table of each model, by registry name.
        config_yaml: the whole validated config as YAML.
        provenance: label to value, e.g. package version, model fingerprints, dtype, engine, library versions; nothing
            volatile such as times.
        validation: what native speakers answered; None: nothing has come back.
    """

    run: str
    headline: pd.DataFrame
    contradictions: pd.DataFrame
    funnel: pd.DataFrame
    warnings: pd.DataFrame
    augmented: pd.DataFrame
    sets: pd.DataFrame
    measures: Mapping[str, pd.DataFrame]
    set_measures: Mapping[str, pd.DataFrame]
    config_yaml: str
    provenance: Mapping[str, str]
    validation: ValidationData | None = None
