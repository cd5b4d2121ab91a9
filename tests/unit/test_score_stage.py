"""The stage `score`: contexts of a model, requests and their keys, and the table."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dualpair import artifacts, scoring
from dualpair.errors import InputError
from dualpair.models.registry import ModelEntry
from dualpair.scoring import context
from dualpair.scoring.rows import row_of
from dualpair.scoring.tokenisation import encode
from dualpair.sentences import sentence_id
from dualpair.stages import score
from dualpair.store import request_key
from tests.unit import tiny_models

IDENTITY = {"weights": "w", "dtype": "float32", "engine": "transformers", "quantisation": "w8a8"}


def sentences(*rows: tuple[str, str, str]) -> pd.DataFrame:
    """(lang, prefix, continuation), one set each."""
    return pd.DataFrame(
        {"sentence_id": sentence_id(prefix, continuation), "set_id": f"s{i}", "lang": lang, "variant_id": "v0"}
        | {"group_index": 0, "side": "attribute", "prefix": prefix, "continuation": continuation}
        for i, (lang, prefix, continuation) in enumerate(rows)
    )


def entry(source: Path, **more: Any) -> ModelEntry:
    return ModelEntry.model_validate(
        {"kind": "causal", "source": f"path:{source}", "engine": "transformers", "dtype": "float32", **more}
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tiny_models.sentencepiece().save_pretrained(tmp_path / "base")
    tiny_models.with_chat(tiny_models.sentencepiece()).save_pretrained(tmp_path / "instruct")
    return tmp_path


def test_contexts_of_a_model(folder: Path) -> None:
    given = {"en": {"text": "So: "}, "zh": {"chat_message": "请说。"}}
    found = score.contexts(given, entry(folder / "instruct", chat={"enable_thinking": False}), "m")
    assert found == {"en": context.text("So: "), "zh": context.chat("请说。", {"enable_thinking": False})}
    assert score.contexts({}, entry(folder / "base"), "m") == {}


def test_a_base_model_by_its_entry_has_no_chat_context(folder: Path) -> None:
    base = entry(folder / "instruct", chat="none")
    assert score.contexts({"en": {"text": "So: "}}, base, "m") == {"en": context.text("So: ")}
    with pytest.raises(InputError, match="model 'm' has `chat: none` in its entry"):
        score.contexts({"en": {"chat_message": "Go on."}}, base, "m")


def test_a_model_without_chat_template_is_refused_from_its_files(folder: Path) -> None:
    given = {"en": {"chat_message": "Go on."}}
    with pytest.raises(InputError, match=r"model 'base-1b' has no chat template.*`roles.score`"):
        score.contexts(given, entry(folder / "base"), "base-1b")
    borrowed = entry(folder / "base", tokenizer=f"path:{folder / 'instruct'}")
    assert score.contexts(given, borrowed, "m")["en"].kind == "chat_template"


def test_a_context_that_runs_into_the_sentence_is_warned_about(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    given = {"en": {"text": "They say"}, "es": {"text": "Dicen: "}, "zh": {"text": "他们说"}}
    with caplog.at_level(logging.WARNING):
        score.contexts(given, entry(folder / "base"), "m")
    assert [record.getMessage() for record in caplog.records] == [
        "the context of en does not end in a space, and none is added: 'They say'"
    ]


def test_the_context_is_part_of_the_key_and_raw_text_has_the_key_of_no_context() -> None:
    frame = sentences(("en", "Cats", " nap."), ("es", "Los gatos", " duermen."))
    content = [{"prefix": p, "continuation": c} for p, c in (("Cats", " nap."), ("Los gatos", " duermen."))]
    plain = score.requests(frame, IDENTITY)
    assert [one.key for one in plain] == [request_key(IDENTITY, one) for one in content]
    one = score.requests(frame, IDENTITY, {"es": context.text("Dicen: ")})
    assert one[0] == plain[0]
    assert one[1].content == {**content[1], "context": {"text": "Dicen: "}}
    assert one[1].key == request_key(IDENTITY, one[1].content) != plain[1].key
    assert one[1].tokens == plain[1].tokens


def test_one_sentence_in_two_languages_with_different_contexts_is_refused() -> None:
    frame = sentences(("en", "Ana", " no."), ("es", "Ana", " no."))
    assert len(score.requests(frame, IDENTITY, dict.fromkeys(["en", "es"], context.text("A: ")))) == 1
    for given in ({"en": context.text("A: "), "es": context.text("B: ")}, {"es": context.text("A: ")}):
        with pytest.raises(InputError, match=r"the sentence 'Ana no\.' is in languages en and es"):
            score.requests(frame, IDENTITY, given)


def test_the_contract_holds_what_decides_a_score(tmp_path: Path) -> None:
    assert score.contract(entry(tmp_path)) == {"contract": f"score/{scoring.CONTRACT_VERSION}", "bos": "auto"}
    masked = score.contract(entry(tmp_path, kind="masked", pll="original", bos="none"))
    assert masked == {"contract": f"score/{scoring.CONTRACT_VERSION}", "bos": "none", "pll": "original"}


def test_the_table_is_made_of_stored_rows_and_keeps_failures(tmp_path: Path) -> None:
    tokenizer = tiny_models.byte_level()
    frame = sentences(("en", "Women", " talk."), ("en", "Boys", " talk."), ("en", "Women", " talk."))
    asked = score.requests(frame, IDENTITY)
    one = encode(tokenizer, "Women", " talk.")
    logprobs = [-float(i) for i in range(1, len(one.ids))]
    stored = json.loads(json.dumps(row_of(one, logprobs).payload()))
    answers = {asked[0].key: stored, asked[1].key: {"error": "too long"}}
    for tokens in (False, True):
        table = score.table(frame, asked, answers, "m", IDENTITY, tokens)
        artifacts.write(table, tmp_path / "s.parquet", "scores")
        rows = artifacts.read(tmp_path / "s.parquet", "scores").set_index("prefix")
        assert rows["kept"].to_dict() == {"Women": True, "Boys": False}
        assert rows.loc["Women", "logprob_sum"] == sum(logprobs[one.n_prefix - 1 :])
        assert rows.loc["Women", "token_ids"] == (list(one.ids) if tokens else [])
        assert rows.loc["Women", "token_logprobs"] == (logprobs if tokens else [])
        assert (rows.loc["Boys", "reason"], rows.loc["Boys", "n_tokens"]) == ("scoring_failed", 0)
        assert pd.isna(rows.loc["Boys", "logprob_sum"])
        assert set(rows["quantisation"]) == {"w8a8"}
