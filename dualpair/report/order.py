"""The analyses that the report shows, in its order, and the tables that each of them reads."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import pandas as pd

from dualpair.report.section import Facts, Section
from dualpair.report.sections import (
    anova,
    comparison,
    contradictions,
    headline,
    languages,
    made,
    norms,
    quadratic,
    reliability,
    trends,
    tuning,
    wording,
)

# Every module has TABLES and section(frames, facts); the order is that of the page.
SECTIONS: tuple[ModuleType, ...] = (
    headline,
    contradictions,
    quadratic,
    reliability,
    wording,
    languages,
    anova,
    comparison,
    tuning,
    trends,
    norms,
    made,
)


def tables() -> list[str]:
    """Names of all tables that the sections read, without doubles, in the order of the page."""
    return list(dict.fromkeys(name for module in SECTIONS for name in module.TABLES))


def sections(frames: Mapping[str, pd.DataFrame], facts: Facts) -> tuple[Section, ...]:
    """The sections whose tables are all there; an analysis that was not run is left out.

    Args:
        frames: the run's tables by name.
        facts: what sections may say of the run.

    Raises:
        ValueError: some of a section's tables are there and others are not.
    """
    found = []
    for module in SECTIONS:
        missing = sorted(set(module.TABLES) - set(frames))
        if missing and len(missing) < len(set(module.TABLES)):
            raise ValueError(f"{module.__name__}: of its tables {', '.join(module.TABLES)}, {', '.join(missing)} lack")
        if not missing:
            found.append(module.section({name: frames[name] for name in module.TABLES}, facts))
    return tuple(found)
