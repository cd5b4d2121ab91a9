"""Errors that a user can mend: shown as one message, without a traceback."""

from __future__ import annotations


class InputError(ValueError):
    """Bad input; the message names the file, the row or key, the value found, the values allowed and the fix."""


class PrerequisiteError(RuntimeError):
    """Something that must be installed or built first is missing; the message prints the command."""
