"""What a parsing engine raises when it cannot run."""

from __future__ import annotations


class ParserNotInstalledError(ImportError):
    """A package that an engine needs cannot be imported; the message holds the install line."""


class NoParserError(ValueError):
    """There is no usable parser for the language; the message says what is missing."""
