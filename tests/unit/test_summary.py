"""The summary's line about negations among the chosen opposites."""

from __future__ import annotations

import pandas as pd

from dualpair.summary import polarity_changes


def test_negations_added_and_left_out_are_counted() -> None:
    rows = [
        ("en", "are noisy", "are not noisy"),
        ("en", "are noisy", "are quiet"),
        ("en", "cannot swim", "swim well"),
        ("en", "cannot swim", "cannot drown"),
        ("zh", "不吵", "很吵"),
        ("ru", "шумят", "не шумят"),
        ("ro", "dorm", "nu dorm"),
    ]
    frame = pd.DataFrame(rows, columns=["lang", "attribute", "alternate"])
    expected = "of 7 opposites 2 add a negation, 2 leave one out (not looked at, without word lists: ro)"
    assert polarity_changes(frame) == expected
    assert polarity_changes(frame[frame["lang"] == "zh"]) == "of 1 opposites 0 add a negation, 1 leave one out"
