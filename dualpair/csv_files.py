"""CSV files that people or our own commands write, read as text with messages that say what to mend."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from dualpair.errors import InputError


def texts(path: Path, needed: Sequence[str]) -> pd.DataFrame:
    """A CSV file's cells as text, an empty one as an empty text; further columns are kept.

    Args:
        path: the file, UTF-8, with or without a byte order mark; its first line names the columns.
        needed: columns that it must have.

    Raises:
        InputError: the file cannot be read, is no UTF-8 CSV, or lacks a column.
    """
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; give a CSV file with the columns {', '.join(needed)}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); give a CSV file") from None
    except (UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise InputError(f"{path}: cannot be read as CSV in UTF-8 ({error}); save it as that") from None
    missing = [name for name in needed if name not in frame.columns]
    if missing:
        raise InputError(
            f"{path}: columns {', '.join(missing)} are missing (found: {', '.join(frame.columns)}); the first line "
            f"must name {', '.join(needed)}, separated by commas"
        )
    return frame
