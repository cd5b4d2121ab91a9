"""Typed view of the validated config. The schema is closed: an unknown key fails with the nearest valid name.

`config.yaml` is complete: what a section's keys are and mean is in :mod:`dualpair.config.sections`, what is checked
across sections in :mod:`dualpair.config.checks`.
"""

from dualpair.config.derived import prompts_folder, source_file, starts_at_scoring, store_root, threshold
from dualpair.config.loading import load, load_file
from dualpair.config.messages import ConfigError
from dualpair.config.scoring_context import CHAT_TEMPLATE, NO_CONTEXT, context_problem, contexts
from dualpair.config.sections import (
    RUN_NAME,
    Config,
    Execution,
    Filters,
    Generation,
    GenerationSettings,
    Parse,
    Roles,
    Scoring,
    UnitTokens,
)

__all__ = [
    "CHAT_TEMPLATE",
    "NO_CONTEXT",
    "RUN_NAME",
    "Config",
    "ConfigError",
    "Execution",
    "Filters",
    "Generation",
    "GenerationSettings",
    "Parse",
    "Roles",
    "Scoring",
    "UnitTokens",
    "context_problem",
    "contexts",
    "load",
    "load_file",
    "prompts_folder",
    "source_file",
    "starts_at_scoring",
    "store_root",
    "threshold",
]
