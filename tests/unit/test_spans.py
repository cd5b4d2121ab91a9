"""Scope and normalisation of scored rows: values by hand, and what must stay the same between them."""

from __future__ import annotations

import math
from typing import Any, get_args

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair.config import Scoring
from dualpair.measures import spans
from dualpair.measures.spans import TokenRow, char_start, columns, common_prefix, divergent_spans, normalised, values

# "Cats" + " nap." behind BOS: tokens <s> Cats _nap .
ROW = {
    "prefix": "Cats", "continuation": " nap.", "logprob_sum": -6.0, "n_tokens": 2, "prefix_logprob_sum": -3.0,
    "prefix_n_tokens": 1, "n_chars": 5, "n_bytes": 5, "prefix_n_chars": 4, "prefix_n_bytes": 4, "n_bos": 1,
    "n_context": 0, "token_ids": [0, 7, 8, 9], "token_logprobs": [-3.0, -4.0, -2.0], "token_ends": [4, 8, 9],
}  # fmt: skip
# "猫" + "睡。" in bytes: three tokens a character, behind BOS
BYTES = {
    "prefix": "猫", "continuation": "睡。", "logprob_sum": -12.0, "n_tokens": 6, "prefix_logprob_sum": -9.0,
    "prefix_n_tokens": 3, "n_chars": 2, "n_bytes": 6, "prefix_n_chars": 1, "prefix_n_bytes": 3, "n_bos": 1,
    "n_context": 0, "token_ids": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    "token_logprobs": [-3.0, -3.0, -3.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0], "token_ends": [1, 1, 1, 2, 2, 2, 3, 3, 3],
}  # fmt: skip


@pytest.mark.parametrize(
    ("scope", "normalisation", "wanted"),
    [
        ("attribute", "mean", [-3.0, -2.0]),
        ("attribute", "sum", [-6.0, -12.0]),
        ("attribute", "char", [-6.0 / 5, -6.0]),
        ("attribute", "byte", [-6.0 / 5, -2.0]),
        ("sentence", "mean", [-3.0, -21.0 / 9]),
        ("sentence", "sum", [-9.0, -21.0]),
        ("sentence", "char", [-1.0, -7.0]),
        ("sentence", "byte", [-1.0, -21.0 / 9]),
    ],
)
def test_values_by_hand(scope: str, normalisation: str, wanted: list[float]) -> None:
    needed = columns(scope, normalisation)
    frame = pd.DataFrame([ROW, BYTES])[needed]  # no other column is looked at
    assert values(frame, scope, normalisation).tolist() == pytest.approx(wanted)
    with pytest.raises(ValueError, match="scores lacks the columns"):
        values(frame.drop(columns=needed[-1]), scope, normalisation)


def test_a_row_without_a_score_stays_without_a_value() -> None:
    frame = pd.DataFrame([{**ROW, "logprob_sum": math.nan, "n_tokens": 0}, ROW])
    assert values(frame, "attribute", "mean").tolist() == pytest.approx([math.nan, -3.0], nan_ok=True)


def row(
    ids: list[int], logprobs: list[float], ends: list[int], text: str, n_bos: int = 1, n_context: int = 0
) -> TokenRow:
    return TokenRow(ids, logprobs, ends, n_bos, n_context, text)


def test_divergent_by_hand() -> None:
    # <s> The _cats _nap .   against   <s> The _dogs _nap .
    one = row([0, 5, 6, 8, 9], [-1.0, -2.0, -4.0, -8.0], [3, 8, 12, 13], "The cats nap.")
    other = row([0, 5, 7, 8, 9], [-1.0, -3.0, -5.0, -7.0], [3, 8, 12, 13], "The dogs nap.")
    first, second = divergent_spans([one, other])
    assert first == (-14.0, 3, len(" cats nap."), len(" cats nap."))
    assert second == (-15.0, 3, 10, 10)
    assert first is not None
    assert normalised(first, "mean") == pytest.approx(-14 / 3)
    assert normalised(first, "char") == normalised(first, "byte") == -1.4
    assert normalised(first, "sum") == -14.0


def test_divergent_takes_the_common_beginning_of_all_groups() -> None:
    texts = [[0, 5, 6, 9], [0, 5, 7, 9], [0, 4, 7, 9]]
    rows = [row(ids, [-1.0, -2.0, -4.0], [1, 2, 3], "abc") for ids in texts]
    assert [span.n_tokens for span in divergent_spans(rows[:2]) if span] == [2, 2]
    assert [span.n_tokens for span in divergent_spans(rows) if span] == [3, 3, 3]


def test_divergent_inside_a_character_counts_the_whole_character() -> None:
    one = row([0, 1, 2, 3, 4], [-1.0, -1.0, -2.0, -3.0], [1, 1, 1, 2], "猫。")
    other = row([0, 1, 2, 9, 4], [-1.0, -1.0, -5.0, -3.0], [1, 1, 1, 2], "犬。")
    assert divergent_spans([one, other]) == [(-5.0, 2, 2, 6), (-8.0, 2, 2, 6)]


def test_divergent_never_reaches_into_the_context() -> None:
    # the context's last token differs, because the sentence's first letter is merged with it in one of the texts
    one = row([0, 3, 5, 6], [-1.0, -2.0, -4.0], [4, 5], "Cats", n_context=1)
    other = row([0, 4, 6], [-1.0, -2.0], [4, 5], "Dogs", n_context=0)
    found = divergent_spans([one, other])
    assert [span.logprob_sum for span in found if span] == [-6.0, -3.0]


def test_without_bos_the_first_token_is_left_out() -> None:
    one = row([5, 6, 9], [-2.0, -4.0], [4, 8, 9], "Cats nap.", n_bos=0)
    other = row([7, 6, 9], [-3.0, -5.0], [4, 8, 9], "Dogs nap.", n_bos=0)
    assert divergent_spans([one, other]) == [(-6.0, 2, 5, 5), (-8.0, 2, 5, 5)]


def test_a_sentence_that_ends_inside_the_common_beginning_has_no_span() -> None:
    long = row([0, 5, 6, 7], [-1.0, -2.0, -3.0], [2, 5, 8], "Go go go")
    short = row([0, 5, 6], [-1.0, -2.0], [2, 5], "Go go")
    found = divergent_spans([long, short])
    assert found[0] == (-3.0, 1, 3, 3)
    assert found[1] is None
    assert divergent_spans([short, short]) == [None, None]


def test_rows_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(ValueError, match="needs at least 2"):
        divergent_spans([row([0, 1], [-1.0], [1], "a")])
    with pytest.raises(ValueError, match=r"needs the token columns.*`scoring.token_columns: true`"):
        divergent_spans([row([0, 1], [-1.0], [1], "a"), row([], [], [], "b")])


def test_character_starts() -> None:
    assert [char_start([0, 3, 3, 3, 5], i) for i in range(5)] == [0, 0, 0, 0, 3]
    assert [char_start([1, 1, 2], i) for i in range(3)] == [0, 0, 1]


@pytest.mark.parametrize(("scope", "normalisation"), [("attributes", "mean"), ("attribute", "token")])
def test_unknown_switches_are_named(scope: str, normalisation: str) -> None:
    with pytest.raises(ValueError, match="must be one of"):
        columns(scope, normalisation)


def test_the_config_allows_what_is_computed() -> None:
    fields = Scoring.model_fields
    assert get_args(fields["normalisation"].annotation) == spans.NORMALISATIONS == tuple(spans.UNITS)
    assert get_args(fields["scope"].annotation) == spans.SCOPES


def test_common_prefix() -> None:
    assert common_prefix([[1, 2, 3], [1, 2, 4], [1, 2, 3, 5]]) == 2
    assert common_prefix([[1, 2], [1, 2, 3]]) == 2
    assert common_prefix([[1], [2]]) == 0
    assert common_prefix([]) == 0


# ---- properties on made-up scored sentences


TOKEN = st.integers(1, 3)


@st.composite
def scored(draw: Any, first: st.SearchStrategy[int] = TOKEN) -> dict[str, Any]:
    """A row of the scores table: BOS and perhaps context, a prefix and a continuation of one-letter tokens."""
    n_context = draw(st.integers(0, 2))
    prefix = [draw(first), *draw(st.lists(st.integers(1, 3), max_size=3))]
    tail = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    letters = ["é" if token == 1 else chr(97 + token) for token in (*prefix, *tail)]
    ids = [0, *[9] * n_context, *prefix, *tail]
    logprobs = [-float(draw(st.integers(1, 64))) / 4 for _ in ids[1:]]
    texts = "".join(letters[: len(prefix)]), "".join(letters[len(prefix) :])
    split, own = len(ids) - len(tail) - 1, n_context
    return {
        "prefix": texts[0], "continuation": texts[1], "n_bos": 1, "n_context": n_context, "token_ids": ids,
        "token_logprobs": logprobs, "token_ends": list(range(1, len(letters) + 1)),
        "logprob_sum": sum(logprobs[split:]), "n_tokens": len(tail), "n_chars": len(texts[1]),
        "n_bytes": len(texts[1].encode()), "prefix_logprob_sum": sum(logprobs[own:split]),
        "prefix_n_tokens": len(prefix), "prefix_n_chars": len(texts[0]), "prefix_n_bytes": len(texts[0].encode()),
    }  # fmt: skip


normalisations = st.sampled_from(spans.NORMALISATIONS)


@given(one=scored(st.just(1)), other=scored(st.just(2)), normalisation=normalisations)
def test_groups_that_differ_from_their_first_token_diverge_over_the_whole_sentence(
    one: dict[str, Any], other: dict[str, Any], normalisation: str
) -> None:
    frame = pd.DataFrame([one, other])
    found = spans.side_values(frame, "divergent", normalisation)
    assert found == pytest.approx(spans.side_values(frame, "sentence", normalisation))


@given(rows=st.lists(scored(), min_size=2, max_size=4))
def test_the_divergent_part_lies_within_the_sentence(rows: list[dict[str, Any]]) -> None:
    frame = pd.DataFrame(rows)
    sentence = spans.side_values(frame, "sentence", "sum")
    for whole, part, one in zip(sentence, spans.side_values(frame, "divergent", "sum"), rows, strict=True):
        assert part is None or (whole is not None and whole <= part < 0)  # log-probabilities are negative
        if part is None:
            assert any(
                other["token_ids"][: len(one["token_ids"])] == one["token_ids"] for other in rows if other is not one
            )


@given(rows=st.lists(scored(), min_size=2, max_size=4))
def test_what_sentences_share_does_not_touch_their_differences(rows: list[dict[str, Any]]) -> None:
    """Where equal tokens have equal log-probabilities, sums over sentences and over divergent parts differ alike."""
    shared = common_prefix([one["token_ids"] for one in rows])
    alike = []
    for one in rows:
        logprobs = rows[0]["token_logprobs"][: shared - 1] + one["token_logprobs"][shared - 1 :]
        split, own = len(logprobs) - one["n_tokens"], one["n_context"]
        sums = {"logprob_sum": sum(logprobs[split:]), "prefix_logprob_sum": sum(logprobs[own:split])}
        alike.append({**one, "token_logprobs": logprobs, **sums})
    frame = pd.DataFrame(alike)
    whole, part = (spans.side_values(frame, scope, "sum") for scope in ("sentence", "divergent"))
    if None in part or len({one["n_context"] for one in rows}) > 1:
        return
    assert whole[0] - whole[1] == pytest.approx(part[0] - part[1])  # type: ignore[operator]


@given(one=scored(), scope=st.sampled_from(["attribute", "sentence"]))
def test_normalisations_differ_only_in_what_they_divide_by(one: dict[str, Any], scope: str) -> None:
    frame = pd.DataFrame([one])
    parts = [""] if scope == "attribute" else ["", "prefix_"]
    (total,) = values(frame, scope, "sum")
    for normalisation, name in (("mean", "n_tokens"), ("char", "n_chars"), ("byte", "n_bytes")):
        (found,) = values(frame, scope, normalisation)
        assert found * sum(one[part + name] for part in parts) == pytest.approx(total)


@given(one=scored())
def test_the_paper_s_score_is_the_default_and_needs_two_columns(one: dict[str, Any]) -> None:
    assert columns("attribute", "mean") == ["logprob_sum", "n_tokens"]
    (found,) = values(pd.DataFrame([one]), "attribute", "mean")
    assert found == one["logprob_sum"] / one["n_tokens"]
