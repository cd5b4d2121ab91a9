"""The base of all config sections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A closed, immutable mapping: an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


def per_language(value: Any) -> Any:
    """A mapping from language, as it is; for `BeforeValidator`.

    Raises:
        ValueError: something else; says how to write one.
    """
    if not isinstance(value, Mapping):
        raise ValueError(f"expected a mapping from language to a number, such as {{en: {value}}}")
    return value
