"""Fixtures of the unit tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.unit.browser import BROWSERS, Browser, program


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A headless browser with a profile of its own."""
    found = program()
    if found is None:
        pytest.skip(f"none of {', '.join(BROWSERS)} is installed")
    one = Browser(found, tmp_path_factory.mktemp("profile"))
    yield one
    one.close()
