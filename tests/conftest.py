"""Fixtures that all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Several workers share the cores: torch with as many threads in each as there are cores is slower than with one.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.fixture
def shared_data() -> Path:
    """Folder of public data sets; unset: the test is skipped, set: a missing folder is a failure."""
    given = os.environ.get("DUALPAIR_DATA")
    if not given:
        pytest.skip("DUALPAIR_DATA is not set: tests on real public data sets are left out")
    folder = Path(given)
    assert folder.is_dir(), f"DUALPAIR_DATA={given} is no folder"
    return folder


@pytest.fixture
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def languagetool_copy() -> Path:
    """Folder that holds a copy of LanguageTool; unset: the test is skipped, set: what is missing is a failure."""
    given = os.environ.get("LTP_PATH")
    if not given:
        pytest.skip("LTP_PATH is not set: tests on the real LanguageTool are left out")
    folder = Path(given)
    assert list(folder.glob("LanguageTool-*/languagetool*.jar")), (
        f"LTP_PATH={given} holds no LanguageTool-*/languagetool-server.jar"
    )
    return folder
