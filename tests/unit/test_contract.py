"""The scoring contract: tokenisation on tokenizers of every family, contexts, rows, and what the store keeps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dualpair import schemas, scoring
from dualpair.errors import InputError
from dualpair.scoring import context as contexts
from dualpair.scoring.context import NO_CONTEXT, Context
from dualpair.scoring.engine import Failure, Label, Scored
from dualpair.scoring.rows import ScoredRow, answers, from_payload, row_of, score_columns
from dualpair.scoring.table import scores_frame
from dualpair.scoring.tokenisation import Bos, Encoded, encode, encode_each, encode_pairs, encode_requests, resolve_bos
from dualpair.sentences import sentence_id
from tests.unit import tiny_models

PAIRS = [
    ("Women", " talk a lot."),
    ("Las mujeres que trabajan", " hablan mucho."),
    ("睡着的孩子", "最可爱。"),
    ("Спящие дети", " – прекрасны."),
    ("Boys", " are good at maths."),
    ("Women", " talk."),
]
# Tokenizer, BOS policy, tokens that the policy puts in front.
FAMILIES: dict[str, tuple[Callable[[], Any], str, int]] = {
    "byte-level, document separator": (tiny_models.byte_level, "auto", 1),
    "byte-level, trimmed offsets": (lambda: tiny_models.byte_level(trim=True), "auto", 1),
    "byte-level, without any BOS": (lambda: tiny_models.byte_level(separator=False), "auto", 0),
    "byte-level, BOS added": (tiny_models.byte_level_with_bos, "auto", 1),
    "byte-level, BOS not added": (lambda: tiny_models.byte_level_with_bos(adds=False), "auto", 1),
    "byte-level, BOS refused": (tiny_models.byte_level_with_bos, "none", 0),
    "byte-level, another token": (tiny_models.byte_level_with_bos, "<|end_of_text|>", 1),
    "two tokens in front": (tiny_models.two_bos_tokens, "auto", 2),
    "sentencepiece, no dummy prefix": (lambda: tiny_models.sentencepiece("never"), "auto", 1),
    "sentencepiece, dummy prefix first": (lambda: tiny_models.sentencepiece("first"), "auto", 1),
    "sentencepiece, dummy prefix always": (lambda: tiny_models.sentencepiece("always"), "auto", 1),
    "wordpiece": (tiny_models.wordpiece_pairs, "auto", 1),
    "Chinese merged across the boundary": (tiny_models.merging_chinese, "auto", 1),
}
TEXT = contexts.text("Las mujeres hablan. ")
CHAT = contexts.chat("Boys talk.")


class FakeEngine:
    """An engine whose log-probability of a token is -(its position), and that fails on a chosen token."""

    def __init__(self, tokenizer: Any, bos: str = "auto", fails_on: int | None = None) -> None:
        self.label = Label("fake", "abacus", "float32", "none")
        self.tokenizer = tokenizer
        self.bos = resolve_bos(tokenizer, bos)
        self.fails_on = fails_on
        self.closed = False

    def score(self, rows: Sequence[Encoded]) -> list[Scored]:
        return [
            Failure("it does not like this token")
            if self.fails_on in row.ids
            else tuple(-float(i) for i in range(1, len(row.ids)))
            for row in rows
        ]

    def close(self) -> None:
        self.closed = True


@pytest.fixture(scope="module")
def byte_level() -> Any:
    return tiny_models.byte_level()


@pytest.fixture(params=FAMILIES, scope="module")
def family(request: pytest.FixtureRequest) -> tuple[Any, str, int]:
    make, policy, n_bos = FAMILIES[request.param]
    return tiny_models.with_chat(make()), policy, n_bos


def pieces(tokenizer: Any, ids: Sequence[int]) -> str:
    return str(tokenizer.decode(list(ids), clean_up_tokenization_spaces=False))


def in_front(tokenizer: Any, context: Context) -> str:
    """The context's text, written by hand."""
    return {"none": "", "text": context.text, "chat_template": f"<|user|>{context.text}<|end|><|assistant|>"}[
        context.kind
    ]


# ---- every family, every context


@pytest.mark.parametrize("context", [NO_CONTEXT, TEXT, CHAT], ids=lambda context: context.kind)
def test_bos_once_then_the_whole_text_tokenised_once(family: tuple[Any, str, int], context: Context) -> None:
    tokenizer, policy, n_bos = family
    bos = resolve_bos(tokenizer, policy)
    assert len(bos.ids) == n_bos
    front = in_front(tokenizer, context)
    for (prefix, continuation), found in zip(PAIRS, encode_pairs(tokenizer, PAIRS, policy, context), strict=True):
        whole = tokenizer(front + prefix + continuation, add_special_tokens=False).input_ids
        assert found.ids == (*bos.ids, *whole)
        assert (found.n_bos, found.bos_policy) == (n_bos, bos.policy)
        assert all(found.ids.count(token) == 1 for token in bos.ids)


@pytest.mark.parametrize("context", [NO_CONTEXT, TEXT, CHAT], ids=lambda context: context.kind)
def test_the_parts_follow_each_other_and_end_where_they_should(family: tuple[Any, str, int], context: Context) -> None:
    tokenizer, policy, _ = family
    front = in_front(tokenizer, context)
    for (prefix, continuation), found in zip(PAIRS, encode_pairs(tokenizer, PAIRS, policy, context), strict=True):
        own = found.n_bos + found.n_context
        assert own <= found.n_prefix < len(found.ids)
        assert (found.n_context > 0) == (context.kind != "none")
        # independently, from the tokenizer's own offsets
        raw = tokenizer(front + prefix + continuation, add_special_tokens=False, return_offsets_mapping=True)
        offsets = raw["offset_mapping"]
        assert all(end <= len(front) for _, end in offsets[: found.n_context])
        assert list(found.ends) == [end - len(front) for _, end in offsets[found.n_context :]]
        assert found.ends[0] > 0
        assert sorted(found.ends) == list(found.ends)
        assert found.ends[-1] == len(prefix + continuation)
        split = found.n_prefix - own
        assert all(end <= len(prefix) for end in found.ends[:split])
        assert found.ends[split] > len(prefix)
        assert (found.n_chars, found.n_bytes) == (len(continuation), len(continuation.encode()))


def test_the_context_never_enters_a_sum(family: tuple[Any, str, int]) -> None:
    tokenizer, policy, _ = family
    for context in (TEXT, CHAT):
        for one in encode_pairs(tokenizer, PAIRS, policy, context):
            sums = row_of(one, [-float(i) for i in range(1, len(one.ids))]).sums()
            own = one.n_bos + one.n_context
            assert own + sums.prefix_n_tokens + sums.n_tokens == len(one.ids)
            # the token at position i has log-probability -i
            assert sums.prefix_logprob_sum == -sum(range(own, one.n_prefix))
            assert sums.logprob_sum == -sum(range(one.n_prefix, len(one.ids)))


def test_behind_a_chat_the_sentence_has_the_tokens_that_it_has_alone(family: tuple[Any, str, int]) -> None:
    tokenizer, policy, _ = family
    if "Metaspace" in str(tokenizer.backend_tokenizer.pre_tokenizer):
        tokenizer = tiny_models.with_chat(tiny_models.sentencepiece("always"))  # else only the text's start gets "▁"
    alone = encode_pairs(tokenizer, PAIRS, policy)
    for one, other in zip(alone, encode_pairs(tokenizer, PAIRS, policy, CHAT), strict=True):
        assert one.ids[one.n_bos :] == other.ids[other.n_bos + other.n_context :]
        assert one.ends == other.ends
        assert one.boundary_merge == other.boundary_merge


@pytest.mark.parametrize("policy", ["auto", "none", "<|end_of_text|>"])
def test_a_bos_that_the_chat_template_writes_is_not_added_again(policy: str) -> None:
    tokenizer = tiny_models.with_chat(tiny_models.byte_level_with_bos(), writes_bos="{{ bos_token }}")
    begin, end = (tokenizer.convert_tokens_to_ids(t) for t in ("<|begin_of_text|>", "<|end_of_text|>"))
    found = encode(tokenizer, "Women", " talk.", policy, CHAT)
    assert found.ids.count(begin) == 1
    assert found.ids.count(end) == (policy == "<|end_of_text|>")
    assert found.n_bos == (policy != "none")
    own = found.ids[found.n_bos + found.n_context : found.n_prefix]
    assert pieces(tokenizer, own) == "Women"


def test_two_bos_tokens_that_the_chat_template_writes_are_not_added_again() -> None:
    tokenizer = tiny_models.with_chat(tiny_models.two_bos_tokens(), writes_bos="[gMASK]<sop>")
    found = encode(tokenizer, "Women", " talk.", "auto", CHAT)
    assert tokenizer.convert_ids_to_tokens(list(found.ids[:3])) == ["[gMASK]", "<sop>", "<|user|>"]
    assert found.n_bos == 2
    assert found.bos_policy == "[gMASK]<sop>"


# ---- tokenisation, by hand


@pytest.mark.parametrize("trim", [False, True])
@pytest.mark.parametrize(("prefix", "continuation"), PAIRS)
def test_byte_level_boundary(trim: bool, prefix: str, continuation: str) -> None:
    tokenizer = tiny_models.byte_level(trim)
    found = encode(tokenizer, prefix, continuation)
    assert found.n_bos == 1
    assert pieces(tokenizer, found.ids[1 : found.n_prefix]) == prefix
    assert pieces(tokenizer, found.ids[found.n_prefix :]) == continuation
    assert not found.boundary_merge


@pytest.mark.parametrize("scheme", ["never", "first", "always"])
def test_sentencepiece_boundary_and_bos(scheme: str) -> None:
    tokenizer = tiny_models.sentencepiece(scheme)
    found = encode(tokenizer, "Women", " talk a lot.")
    assert found.ids[0] == tokenizer.bos_token_id
    assert found.ids.count(tokenizer.bos_token_id) == 1
    assert found.bos_policy == "<s>"
    rest = tokenizer.convert_ids_to_tokens(list(found.ids[found.n_prefix :]))
    assert "".join(rest) == "▁talk▁a▁lot."


def test_wordpiece_takes_its_class_token_for_bos_and_no_separator() -> None:
    tokenizer = tiny_models.wordpiece_pairs()
    found = encode(tokenizer, "Women", " talk.")
    assert tokenizer.convert_ids_to_tokens(list(found.ids)) == ["[CLS]", "women", "talk", "."]
    assert (found.n_bos, found.n_prefix, found.ends) == (1, 2, (5, 10, 11))


def test_one_chinese_character_over_several_tokens_is_never_split(byte_level: Any) -> None:
    found = encode(byte_level, "孩", "子。")
    assert len(found.ids) == 1 + 3 + 6  # the tokenizer knows no Chinese: three bytes a character
    assert found.n_prefix == 1 + 3
    assert found.ends == (1, 1, 1, 2, 2, 2, 3, 3, 3)
    assert not found.boundary_merge


def test_a_chinese_token_that_straddles_the_boundary_counts_as_continuation() -> None:
    tokenizer = tiny_models.merging_chinese()
    found = encode(tokenizer, "女人", "话很多。")
    assert tokenizer.convert_ids_to_tokens(list(found.ids)) == ["<|endoftext|>", "女人话", "很多。"]
    assert found.boundary_merge
    assert (found.n_prefix, found.ends) == (1, (3, 6))
    assert (found.n_chars, found.n_bytes) == (4, 12)  # the continuation's own, not the token's


def test_a_token_that_straddles_context_and_prefix_counts_as_prefix() -> None:
    tokenizer = tiny_models.merging_chinese()
    found = encode(tokenizer, "人", "话很多。", "auto", contexts.text("女"))
    assert tokenizer.convert_ids_to_tokens(list(found.ids)) == ["<|endoftext|>", "女人话", "很多。"]
    assert (found.n_bos, found.n_context, found.n_prefix, found.ends) == (1, 0, 1, (2, 5))
    assert found.boundary_merge
    space = tiny_models.byte_level()
    found = encode(space, "talk", " a lot.", "auto", contexts.text("Boys "))
    assert pieces(space, found.ids[1 : 1 + found.n_context]) == "Boys"
    assert pieces(space, found.ids[1 + found.n_context : found.n_prefix]) == " talk"
    assert not found.boundary_merge


def test_straddling_token_counts_as_continuation(byte_level: Any) -> None:
    found = encode(byte_level, "Wome", "n talk a lot.")
    whole = byte_level("Women talk a lot.").input_ids
    assert list(found.ids[1:]) == whole
    assert found.boundary_merge
    assert found.n_prefix == 1  # BOS only


@pytest.mark.parametrize("trim", [False, True])
def test_space_left_in_the_prefix_is_a_merge(trim: bool) -> None:
    found = encode(tiny_models.byte_level(trim), "Women ", "talk a lot.")
    assert found.boundary_merge


def test_bos_policies(byte_level: Any) -> None:
    separator = byte_level.convert_tokens_to_ids("<|endoftext|>")
    assert resolve_bos(byte_level) == Bos("<|endoftext|>", (separator,))
    assert resolve_bos(byte_level, "none") == Bos("none", ())
    assert resolve_bos(tiny_models.byte_level(separator=False)) == Bos("none", ())
    spm = tiny_models.sentencepiece()
    assert resolve_bos(spm) == Bos("<s>", (1,))
    assert resolve_bos(spm, "</s>") == Bos("</s>", (2,))
    with pytest.raises(ValueError, match="no token of this vocabulary"):
        resolve_bos(spm, "<nonsense>")


@pytest.mark.parametrize("prefix", ["<s>Women", "<s>"])
def test_bos_written_out_in_the_text_is_not_added_again(prefix: str) -> None:
    spm = tiny_models.sentencepiece()
    found = encode(spm, prefix, " talk.")
    assert found.ids.count(1) == 1
    assert found.ids[0] == 1
    assert found.n_bos == 1
    assert len(found.ends) == len(found.ids) - 1


@pytest.mark.parametrize("continuation", ["", " ", "\n"])
def test_empty_continuation_is_refused(byte_level: Any, continuation: str) -> None:
    with pytest.raises(ValueError, match=r"row 0: .*nothing to score"):
        encode(byte_level, "Women", continuation)
    with pytest.raises(ValueError, match=r"row 0: .*nothing to score"):
        encode(byte_level, "Women", continuation, context=TEXT)


def test_first_token_without_anything_before_it_is_refused(byte_level: Any) -> None:
    with pytest.raises(ValueError, match="nothing stands before"):
        encode(byte_level, "", "Women talk.", "none")
    assert encode(byte_level, "", "Women talk.").n_prefix == 1
    behind = encode(byte_level, "", "Women talk.", "none", contexts.text("Boys.\n"))
    assert behind.n_prefix == behind.n_context > 0


def test_a_text_that_cannot_be_encoded_leaves_the_others_alone(byte_level: Any) -> None:
    good, bad, last = encode_each(byte_level, [PAIRS[0], ("Women", " "), PAIRS[2]])
    assert isinstance(bad, Failure) and "nothing to score" in bad.reason
    assert [good, last] == encode_pairs(byte_level, [PAIRS[0], PAIRS[2]])


def test_tokenizer_without_offsets_is_refused() -> None:
    with pytest.raises(ValueError, match="fast tokenizer"):
        resolve_bos(SimpleNamespace(is_fast=False))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    context=st.one_of(st.just(""), st.text(alphabet="Boys 男。\n", min_size=1, max_size=12)),
    prefix=st.text(alphabet="Women 女人é👩‍🦰д-.", max_size=12),
    continuation=st.text(alphabet="talk 话ñ👶т.", min_size=1, max_size=12),
)
def test_boundaries_cover_the_text(byte_level: Any, context: str, prefix: str, continuation: str) -> None:
    if not continuation.strip():
        return
    found = encode(byte_level, prefix, continuation, context=contexts.text(context) if context else NO_CONTEXT)
    assert pieces(byte_level, found.ids[1:]) == context + prefix + continuation
    own = 1 + found.n_context
    assert context.startswith(pieces(byte_level, found.ids[1:own]))
    left = pieces(byte_level, found.ids[1 : found.n_prefix])
    assert (context + prefix).startswith(left)  # never a part of the continuation, nor a part of a character
    assert (left != context + prefix) == found.boundary_merge
    assert len(found.ends) == len(found.ids) - own
    assert found.ends[-1] == len(prefix + continuation)


# ---- contexts


def test_a_context_and_its_part_of_the_key_are_inverse() -> None:
    for context in (NO_CONTEXT, TEXT, contexts.chat("Tell me.", {"enable_thinking": False})):
        assert contexts.of({"prefix": "a", "continuation": " b", **context.content()}) == context
    assert NO_CONTEXT.content() == {}
    assert TEXT.content() == {"context": {"text": "Las mujeres hablan. "}}
    assert contexts.chat("Tell me.", {"b": 1, "a": 2}).content() == {
        "context": {"chat_message": "Tell me.", "chat": {"a": 2, "b": 1}}
    }


def test_empty_contexts_are_refused() -> None:
    with pytest.raises(ValueError, match="empty text"):
        contexts.text("")
    with pytest.raises(ValueError, match="chat message is empty"):
        contexts.chat("  ")


def test_requests_of_several_contexts_are_encoded_together() -> None:
    tokenizer = tiny_models.with_chat(tiny_models.sentencepiece())
    asked = [({"prefix": p, "continuation": c}, context) for p, c in PAIRS for context in (NO_CONTEXT, TEXT, CHAT)]
    asked.insert(4, ({"prefix": "Women", "continuation": ""}, TEXT))
    found = encode_requests(tokenizer, [{**pair, **context.content()} for pair, context in asked])
    for (pair, context), one in zip(asked, found, strict=True):
        assert one == encode_each(tokenizer, [(pair["prefix"], pair["continuation"])], "auto", context)[0]
    assert isinstance(found[4], Failure)


def test_chat_needs_a_template_and_names_the_model_and_the_fix() -> None:
    message = r"model 'base-1b' has no chat template, as context chat_template needs.*`scoring.context`, --context"
    plain = tiny_models.sentencepiece()
    with pytest.raises(InputError, match=message):
        contexts.render(plain, CHAT, "base-1b")
    with pytest.raises(InputError, match=message):  # not a failure of its rows: nothing is scored
        encode_requests(plain, [{"prefix": "a", "continuation": " b", **CHAT.content()}], model="base-1b")


def test_a_template_that_refuses_names_the_model_and_the_message() -> None:
    tokenizer = tiny_models.sentencepiece()
    tokenizer.chat_template = "{{ raise_exception('no user may speak') }}"
    with pytest.raises(
        InputError, match=r"model 'odd': its chat template refuses the message 'Boys talk\.'.*no user may"
    ):
        contexts.render(tokenizer, CHAT, "odd")


def test_arguments_reach_the_template() -> None:
    tokenizer = tiny_models.sentencepiece()
    tokenizer.chat_template = "{{ thinking }}|{{ messages[0].content }}|{{ add_generation_prompt }}|"
    assert contexts.render(tokenizer, contexts.chat("Talk.", {"thinking": "off"})) == "off|Talk.|True|"


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ strftime_now('%d %b %Y') }}", "01 Jan 2025"),
        ('{%- if strftime_now is defined %}{{ "On " + strftime_now( "%Y-%m-%d" ) }}{% endif %}', "On 2025-01-01"),
    ],
)
def test_today_is_always_the_same_day(template: str, text: str) -> None:
    tokenizer = tiny_models.sentencepiece()
    tokenizer.chat_template = template
    assert contexts.render(tokenizer, CHAT) == text


def test_a_date_that_cannot_be_fixed_is_refused() -> None:
    tokenizer = tiny_models.sentencepiece()
    tokenizer.chat_template = "{% set f = '%Y' %}{{ strftime_now(f) }}"
    with pytest.raises(InputError, match="today's date in a computed format"):
        contexts.render(tokenizer, CHAT)


def test_files_without_a_chat_template_are_refused_before_anything_is_loaded(tmp_path: Any) -> None:
    tokenizer = tiny_models.sentencepiece()
    tokenizer.save_pretrained(tmp_path / "base")
    tiny_models.with_chat(tokenizer).save_pretrained(tmp_path / "chat")
    contexts.check_files([tmp_path / "chat"], "m")
    contexts.check_files([tmp_path / "base", tmp_path / "chat"], "m")
    contexts.check_files([tmp_path / "org" / "name"], "m")  # a hub id: known only when its tokenizer is loaded
    with pytest.raises(InputError, match="model 'm' has no chat template"):
        contexts.check_files([tmp_path / "base"], "m")


# ---- rows


def row(ids: Sequence[int], n_prefix: int, n_bos: int, n_context: int = 0, ends: Sequence[int] = ()) -> ScoredRow:
    """A row whose tokens after the first have the log-probabilities -1, -2, -4, -8, ..."""
    logprobs = tuple(-(2.0**i) for i in range(len(ids) - 1))
    return ScoredRow(tuple(ids), n_prefix, n_bos, logprobs, 5, 7, False, "<s>", n_context, tuple(ends))


def test_sums_by_hand() -> None:
    assert row([9, 1, 2, 3, 4], 3, 1).sums() == (-12.0, 2, -3.0, 2, 5, 7)
    assert row([1, 2, 3, 4], 2, 0).sums() == (-6.0, 2, -1.0, 1, 5, 7)  # the first token has no probability
    assert row([8, 9, 1, 2], 3, 2).sums() == (-4.0, 1, -2.0, 1, 5, 7)
    # BOS, two of context, one of prefix, two of continuation
    assert row([9, 5, 6, 1, 2, 3], 4, 1, n_context=2).sums() == (-24.0, 2, -4.0, 1, 5, 7)
    assert row([5, 6, 1, 2, 3], 3, 0, n_context=2).sums() == (-12.0, 2, -2.0, 1, 5, 7)
    assert row([5, 6, 1, 2], 2, 0, n_context=2).sums() == (-6.0, 2, 0.0, 0, 5, 7)  # an empty prefix


def test_unscored_characters_by_hand() -> None:
    assert row([9, 1, 2, 3], 3, 1, ends=(3, 5, 9)).unscored_chars() == 0
    assert row([1, 2, 3], 2, 0, ends=(3, 5, 9)).unscored_chars() == 3
    assert row([1, 2, 3], 2, 0, ends=(1, 1, 2)).unscored_chars() == 0  # the character's second byte is scored
    assert row([5, 1, 2], 2, 0, n_context=1, ends=(3, 9)).unscored_chars() == 0


def test_a_row_survives_the_store() -> None:
    import json

    one = row([9, 1, 2, 3, 4], 3, 1, ends=(1, 3, 4, 9))
    assert from_payload(json.loads(json.dumps(one.payload()))) == one


def test_rows_of_odd_answers_are_refused(byte_level: Any) -> None:
    one = encode(byte_level, "Women", " talk.")
    values = [-1.0] * (len(one.ids) - 1)
    assert row_of(one, values).ids == one.ids
    with pytest.raises(ValueError, match="expected one for each token after the first"):
        row_of(one, values[1:])
    for odd in (math.nan, -math.inf):
        with pytest.raises(ValueError, match=r"token 2 of \d+ has the log-probability .*: not finite"):
            row_of(one, [values[0], odd, *values[2:]])


def test_answers_keep_rows_and_reasons_in_order(byte_level: Any) -> None:
    poison = encode(byte_level, "Boys", " talk.").ids[1]
    engine = FakeEngine(byte_level, fails_on=poison)
    contents = [{"prefix": p, "continuation": c} for p, c in (("Women", " talk."), ("Women", " "), ("Boys", " talk."))]
    first, empty, failed = answers(engine, contents)
    assert from_payload(first).ids == encode(byte_level, "Women", " talk.").ids
    assert "nothing to score" in empty["error"]
    assert failed == {"error": "it does not like this token"}
    assert answers(engine, []) == []


def test_columns_by_hand() -> None:
    tokenizer = tiny_models.merging_chinese()
    one = encode(tokenizer, "女人", "话很多。")  # BOS, 女人话, 很多。
    found = score_columns(row_of(one, [-2.0, -3.0]), "女人", "话很多。", tokens=True)
    assert found == {
        "logprob_sum": -5.0, "n_tokens": 2, "prefix_logprob_sum": 0.0, "prefix_n_tokens": 0, "n_chars": 4, "n_bytes": 12,
        "prefix_n_chars": 2, "prefix_n_bytes": 6, "boundary_merge": True, "bos_policy": "<|endoftext|>", "n_bos": 1,
        "n_context": 0, "token_ids": list(one.ids), "token_logprobs": [-2.0, -3.0], "token_ends": [3, 6],
    }  # fmt: skip
    without = score_columns(row_of(one, [-2.0, -3.0]), "女人", "话很多。", tokens=False)
    assert (without["token_ids"], without["token_logprobs"], without["token_ends"]) == ([], [], [])
    failed = score_columns(None, "女人", "话很多。", tokens=True)
    assert math.isnan(failed["logprob_sum"])  # type: ignore[arg-type]
    assert (failed["n_tokens"], failed["n_chars"], failed["token_ids"]) == (0, 4, [])


def test_the_unscored_first_token_is_left_out_of_the_prefix_lengths() -> None:
    tokenizer = tiny_models.byte_level()
    prefix, continuation = "孩子", "。"
    one = encode(tokenizer, prefix, continuation, "none")  # three bytes a character, the first byte unscored
    found = score_columns(row_of(one, [-1.0] * (len(one.ids) - 1)), prefix, continuation, tokens=False)
    assert (found["prefix_n_tokens"], found["prefix_n_chars"], found["prefix_n_bytes"]) == (5, 2, 6)
    women = encode(tokenizer, "Women talk", " a lot.", "none")
    found = score_columns(row_of(women, [-1.0] * (len(women.ids) - 1)), "Women talk", " a lot.", tokens=False)
    assert (found["prefix_n_chars"], found["prefix_n_bytes"]) == (len(" talk"), len(" talk"))


# ---- the frame


def test_score_gives_the_scores_table_in_input_order(byte_level: Any) -> None:
    pairs = [*reversed(PAIRS), PAIRS[0]]
    frame = scoring.score(FakeEngine(byte_level), pairs)
    assert list(frame.columns) == schemas.table("scores").names
    assert list(zip(frame.prefix, frame.continuation, strict=True)) == pairs
    assert frame.sentence_id.to_list() == [sentence_id(*pair) for pair in pairs]
    encoded = encode_pairs(byte_level, pairs)
    assert frame.logprob_sum.to_list() == [-float(sum(range(e.n_prefix, len(e.ids)))) for e in encoded]
    assert frame.n_tokens.to_list() == [len(e.ids) - e.n_prefix for e in encoded]
    assert set(frame.bos_policy) == {"<|endoftext|>"}
    assert frame.kept.all()
    assert frame.iloc[0][["model", "engine", "dtype", "quantisation"]].to_list() == [
        "fake",
        "abacus",
        "float32",
        "none",
    ]


def test_score_with_context_and_token_columns(byte_level: Any) -> None:
    frame = scoring.score(FakeEngine(byte_level), PAIRS, context=TEXT, tokens=True)
    for found, one in zip(frame.itertuples(), encode_pairs(byte_level, PAIRS, context=TEXT), strict=True):
        assert tuple(found.token_ids) == one.ids
        assert found.token_logprobs == [-float(i) for i in range(1, len(one.ids))]
        assert (found.n_bos, found.n_context, tuple(found.token_ends)) == (1, one.n_context, one.ends)
        assert found.prefix_n_tokens == one.n_prefix - 1 - one.n_context


def test_what_the_engine_cannot_score_is_a_row_with_its_reason(
    byte_level: Any, caplog: pytest.LogCaptureFixture
) -> None:
    poison = encode(byte_level, "Boys", " talk.").ids[1]
    frame = scores_frame(FakeEngine(byte_level, fails_on=poison), [("Women", " talk."), ("Boys", " talk.")])
    assert frame.kept.to_list() == [True, False]
    assert frame.reason.to_list() == ["", "scoring_failed"]
    assert math.isnan(frame.logprob_sum[1])
    assert "fake: row 1 was not scored: it does not like this token" in caplog.text


def test_a_pair_that_cannot_be_encoded_is_named() -> None:
    with pytest.raises(ValueError, match=r"row 1: the continuation ' ' after 'Women' is empty"):
        scoring.score(FakeEngine(tiny_models.byte_level()), [PAIRS[0], ("Women", " ")])


def test_score_of_an_unknown_model_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"model 'no-such-model' is no causal model .*gemma-3-270m"):
        scoring.score("no-such-model", PAIRS)
    with pytest.raises(ValueError, match="model 'use-multilingual-v3' is no causal model"):
        scoring.score("use-multilingual-v3", PAIRS)


def test_score_of_a_named_model_opens_and_closes_its_engine(monkeypatch: pytest.MonkeyPatch, byte_level: Any) -> None:
    import sys

    engine = FakeEngine(byte_level)
    seen: list[Any] = []

    def open_engine(entry: Any, name: str, *more: Any) -> FakeEngine:
        seen.extend([entry.source, name, *more])
        return engine

    monkeypatch.setitem(sys.modules, "dualpair.scoring.engines", SimpleNamespace(open_engine=open_engine))
    frame = scoring.score("gemma-3-270m", PAIRS, token_budget=99)
    assert len(frame) == len(PAIRS)
    assert engine.closed
    assert seen == ["embedded:gemma-3-270m", "gemma-3-270m", "auto", "auto", 99, True]


def test_a_tiny_model_scores_behind_a_context_as_the_plain_model_does() -> None:
    import torch

    from dualpair.scoring.causal import CausalEngine

    tokenizer = tiny_models.with_chat(tiny_models.byte_level())
    lm = tiny_models.loaded("llama", tokenizer)
    for context in (NO_CONTEXT, TEXT, CHAT):
        frame = scoring.score(CausalEngine(lm), PAIRS, context=context, tokens=True)
        for found, (prefix, continuation) in zip(frame.itertuples(), PAIRS, strict=True):
            text = f"<|endoftext|>{in_front(tokenizer, context)}{prefix}{continuation}"
            ids = tokenizer(text).input_ids
            with torch.inference_mode():
                steps = lm.model(torch.tensor([ids])).logits[0].double().log_softmax(-1)
            wanted = [float(steps[i, ids[i + 1]]) for i in range(len(ids) - 1)]
            assert found.token_logprobs == pytest.approx(wanted, abs=2e-4)
            assert found.logprob_sum == pytest.approx(sum(wanted[-found.n_tokens :]), abs=1e-3)
            assert found.prefix_n_tokens == len(tokenizer(prefix).input_ids)


# ---- texts that cannot be encoded


def test_half_a_character_is_a_failure_and_takes_no_other_text_with_it(byte_level: Any) -> None:
    pairs = [("Women", " talk."), ("Women \ud83d", " talk."), ("Boys", " talk.")]
    first, broken, last = encode_each(byte_level, pairs)
    assert isinstance(broken, Failure)
    assert broken.reason.startswith("the text holds half a character (the lone surrogate U+D83D, character 7)")
    assert [first, last] == encode_pairs(byte_level, [pairs[0], pairs[2]])
    assert [type(one) for one in encode_each(byte_level, pairs[1:2])] == [Failure]
    with pytest.raises(InputError, match="the context holds half a character"):
        encode_each(byte_level, pairs, context=contexts.text("On \udcff: "))
    assert score_columns(None, "a", "\ud83d", False)["n_bytes"] == 3


@pytest.mark.parametrize("context", [NO_CONTEXT, TEXT, CHAT], ids=lambda context: context.kind)
def test_a_special_token_spelt_out_in_the_text_is_a_failure(family: tuple[Any, str, int], context: Context) -> None:
    tokenizer, policy, _ = family
    for token in (tokenizer.eos_token, tokenizer.mask_token, "<|end|>"):
        if token is None:
            continue
        inside, prefix = encode_each(
            tokenizer, [("Women", f" talk{token}"), (f"Women {token} Boys", " talk.")], policy, context
        )
        for one in (inside, prefix):
            assert isinstance(one, Failure)
            assert f"the text holds the special token {token!r}" in one.reason


def test_unknown_words_and_a_bos_that_is_written_out_are_texts(byte_level: Any) -> None:
    wordpiece = tiny_models.wordpiece_pairs()
    unknown, spelt = encode_pairs(wordpiece, [("Women", " ☃ talk."), ("Women", " [UNK] talk.")])
    assert wordpiece.unk_token_id in unknown.ids and wordpiece.unk_token_id in spelt.ids
    llama = tiny_models.byte_level_with_bos()
    written, plain = encode_pairs(llama, [("<|begin_of_text|>Women", " talk."), ("Women", " talk.")])
    assert written.ids == plain.ids
    (twice,) = encode_each(llama, [("<|begin_of_text|><|begin_of_text|>Women", " talk.")])
    assert isinstance(twice, Failure)
    marked = contexts.text("Women talk.<|endoftext|>")  # a context may hold what the user means by it
    assert encode(byte_level, "Boys", " talk.", context=marked).n_context > 1
