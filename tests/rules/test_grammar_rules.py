"""The grammar rules' commands on a stand-in server: checked once, merged, empty without engines."""

from __future__ import annotations

import json

import pytest

from dualpair import artifacts
from tests.unit.languagetool_stub import Stub, java

TABLES = ["--candidates", "wrong.parquet", "--sources", "sources.parquet"]


@pytest.fixture(scope="module")
def made(folder):
    key = {"set_id": "s1", "cluster_id": "c1", "lang": "en", "bias_type": "other", "variant_id": "v0", "task": "paraphrase",
           "generators": ["m"], "n_answers": 1, "adds_negation": False}  # fmt: skip
    folder.write("wrong.parquet", "candidates", [
        {**key, "candidate_id": i, "attribute": text, "kept": kept, "reason": "" if kept else "empty"}
        for i, text, kept in (("a", "nap a lot", True), ("b", "nap nap a lot lot", True), ("c", "REFUSE", True),
                              ("d", "nap nap", False))
    ])  # fmt: skip
    return folder


def arguments(server: str, out: str, *more):
    settings = {"server": server, "version": "6.8", "picky": False}
    running = ["--store", "store", "--max-failed-share", 0.5, "--memory-mb", 500, "--timeout-s", 5, "--hub", "off"]
    return [*TABLES, "--settings", settings, "--languages", "en", *running, "--out", out, *more]


def test_judge_languagetool_checks_once_and_says_what_a_candidate_adds(made):
    with Stub() as stub:
        url = stub.url
        printed = made.run("judge_languagetool", arguments(url, "lt.parquet"))
        asked = len(stub.asked)
        first = (made.path / "lt.parquet").read_bytes()
        made.run("judge_languagetool", arguments(url, "lt.parquet"))
        assert asked == 9  # all eight sentences at once, then each: one is refused
        assert len(stub.asked) == asked + 3  # the two that failed, tried again: in one request, then each
    assert "2 of 8 sentences failed" in printed
    assert (made.path / "lt.parquet").read_bytes() == first
    rows = made.read("lt.parquet", "judgements")
    assert rows["candidate_id"].tolist() == ["a", "a", "b", "b", "c", "c"]
    assert rows["group_index"].tolist() == [0, 1] * 3
    assert rows["findings"].tolist()[:4] == [0, 0, 2, 2]
    assert rows["finding_ids"].tolist() == ["", "", "DOUBLED DOUBLED", "DOUBLED DOUBLED", "", ""]
    assert rows["findings"].isna().tolist() == [False] * 4 + [True] * 2
    assert set(rows["model"]) == {"languagetool-6.8"}
    assert rows["error"].tolist()[-2:] == ["LanguageTool refused: Error: cannot do that"] * 2
    note = artifacts.provenance(made.path / "lt.parquet")["provenance"]
    assert note["model"]["weights"] == "languagetool-6.8"
    assert "GRAMMAR" in note["counted"]["en"]["categories"]


def test_what_the_store_has_needs_no_server_and_what_it_lacks_says_what_is_missing(made, monkeypatch):
    monkeypatch.setenv("LTP_PATH", str(made.path / "nowhere"))
    monkeypatch.setenv("PATH", "/nonexistent")
    fewer = artifacts.read(made.path / "wrong.parquet", "candidates").query("candidate_id == 'a'")
    made.write("fewer.parquet", "candidates", fewer.to_dict("records"))
    inputs = ["--candidates", "fewer.parquet"]
    with Stub() as stub:
        url = stub.url
        made.run("judge_languagetool", arguments(url, "few.parquet", *inputs))
    made.run("judge_languagetool", arguments(url, "few.parquet", *inputs))  # the server is gone
    assert made.read("few.parquet", "judgements")["findings"].tolist() == [0, 0]
    printed = made.run("judge_languagetool", arguments("local", "none.parquet", *inputs), status=2)
    assert "LTP_PATH" in printed
    assert "Traceback" not in printed
    assert not (made.path / "none.parquet").exists()


def test_judge_grammar_merges_the_engines(made):
    engines = ["--judgements", "lt.parquet", "--engines", {"en": ["languagetool"]}]
    made.run("judge_grammar", TABLES, engines, "--out", "grammar.parquet")
    assert len(made.read("grammar.parquet", "judgements")) == 6
    note = artifacts.provenance(made.path / "grammar.parquet")["provenance"]
    assert note["models"]["lt"]["model"]["engine"] == "languagetool"


def test_judge_grammar_refuses_judgements_that_are_not_whole(made):
    engines = ["--judgements", "few.parquet", "--engines", {"en": ["languagetool"]}]
    printed = made.run("judge_grammar", TABLES, engines, "--out", "part.parquet", status=2)
    assert "engine languagetool: 4 sentences are not judged, first: candidate b, group 0" in printed
    assert not (made.path / "part.parquet").exists()


def test_judge_grammar_without_engines_writes_an_empty_table(made):
    made.run("judge_grammar", TABLES, "--engines", {}, "--out", "empty.parquet")
    assert made.read("empty.parquet", "judgements").empty


def fetch(server: str, out: str = "ready.json"):
    settings = {"server": server, "version": "6.8", "picky": False}
    return ["--settings", settings, "--languages", "en", "es", "--timeout-s", 5, "--hub", "off", "--out", out]


def test_fetch_languagetool_asks_a_remote_server_before_any_work(made):
    with Stub() as stub:
        made.run("fetch_languagetool", fetch(stub.url))
        assert [asked["language"] for asked in stub.asked] == ["en-US", "es"]
    assert json.loads((made.path / "ready.json").read_text()) == {"version": "6.8"}
    printed = made.run("fetch_languagetool", fetch(stub.url, "no.json"), status=2)
    assert "start the server, or correct `filters.grammar.languagetool.server`" in printed
    assert not (made.path / "no.json").exists()


def test_fetch_languagetool_looks_for_the_copy_and_for_java(made, monkeypatch, tmp_path):
    monkeypatch.setenv("LTP_PATH", str(tmp_path))
    printed = made.run("fetch_languagetool", fetch("local", "no.json"), status=2)
    assert f"LanguageTool 6.8 is not in {tmp_path}" in printed
    (tmp_path / "LanguageTool-6.8").mkdir()
    (tmp_path / "LanguageTool-6.8" / "languagetool-server.jar").write_bytes(b"")
    java(tmp_path, version="11")
    monkeypatch.setenv("PATH", str(tmp_path))
    printed = made.run("fetch_languagetool", fetch("local", "no.json"), status=2)
    assert "LanguageTool needs Java 17 or newer" in printed
    java(tmp_path)
    made.run("fetch_languagetool", fetch("local", "local.json"))
    assert (made.path / "local.json").exists()
