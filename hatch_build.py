"""Puts the workflow files into the wheel (not into an editable install, which finds them in the checkout)."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WORKFLOW = ("Snakefile", "config.yaml", "config", "rules", "scripts", "envs", "profiles", "report", "resources")


class WorkflowFiles(BuildHookInterface):
    """Maps each workflow file or folder to dualpair/_workflow/."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files to a standard wheel."""
        if version == "standard":
            build_data["force_include"].update({name: f"dualpair/_workflow/{name}" for name in WORKFLOW})
