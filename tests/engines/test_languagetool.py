"""The real LanguageTool: a sentence's findings do not depend on its neighbours, and the server dies with its job."""

from __future__ import annotations

import csv
import os
import random
import signal
import time

import psutil
import pytest

from dualpair import languages
from dualpair.errors import InputError
from dualpair.filters import languagetool, languagetool_job
from dualpair.filters.languagetool_job import Job

pytestmark = pytest.mark.languagetool

LANGS = ("en", "es", "ru", "zh")
# Each would set off a rule that looks at several sentences, or at a paragraph's beginning or end.
AWKWARD = {
    "en": ['Cats said "yes.', "Dogs (big ones sleep.", "cats like archaeology.", "Cats like archeology.", "Cats don't nap.",
           "Cats don’t run.", "Old cats nap.", "Old cats run.", "Old cats jump.", "Cats sleep"],
    "es": ["Los gatos (grandes duermen.", "Los gatos comen.", "Los gatos corren.", "Duermen los gatos?", "Los gatos saltan",
           "los gatos duermen", "los gatos son importantes.", "Los perros son importantes.", "Los perros son muy importantes.", "Los gatos «duermen."],
    "ru": ["Кошки (большие спят.", "Кошки прыгают", "кошки едят", "кошки едят.", "Кошки бегают.", "Кошки «спят.", "Ноль кошек спит.",
           "Нуль кошек спит."],
    "zh": ["猫（大的睡觉。", "猫吃鱼。", "猫跑。", "猫跳", "“猫睡觉。"],
}  # fmt: skip


@pytest.fixture(scope="module")
def job(languagetool_copy):
    with languagetool_job.opened("local", "6.8", False, memory_mb=1500, timeout_s=300) as opened:
        yield opened


def planted(root, lang: str, n: int) -> list[str]:
    """Some of the planted errors and of their correct sentences."""
    path = root / "resources" / "grammar" / "planted" / f"{lang}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    texts = [
        languages.join(row["group"], row[side], lang) + languages.get(lang).final_mark
        for row in rows
        for side in ("correct", "faulty")
    ]
    return random.Random(7).sample(texts, n)


@pytest.mark.parametrize("lang", LANGS)
def test_findings_are_the_same_alone_and_in_shuffled_batches(job: Job, root, lang):
    texts = list(dict.fromkeys([*AWKWARD[lang], *planted(root, lang, 14)]))
    counted = languagetool.counted(lang)
    alone = {text: job.check([text], counted)[0].findings for text in texts}
    assert any(alone.values())
    for seed in range(3):
        order = random.Random(seed).sample(texts, len(texts))
        together = dict(zip(order, (answer.findings for answer in job.check(order, counted)), strict=True))
        assert together == alone


@pytest.mark.parametrize("lang", ["en", "es", "ru"])
def test_without_the_list_of_rules_that_never_run_they_would_not_be(job: Job, lang):
    open_list = languagetool.counted(lang)._replace(never=())
    alone = [job.check([text], open_list)[0].findings for text in AWKWARD[lang]]
    assert alone != [answer.findings for answer in job.check(AWKWARD[lang], open_list)]


@pytest.mark.parametrize(
    ("lang", "wrong", "rule"),
    [
        ("en", "Women is good at it.", "AGREEMENT_SENT_START"),
        ("en", "Cats are are lazy.", "ENGLISH_WORD_REPEAT_RULE"),
        ("es", "Los mujer cocinan.", "AGREEMENT_DET_NOUN"),
        ("es", "Las mujeres son muy habladores.", "CONCORDANCIAS_ATRIBUTO"),
        ("ru", "Кошки кошки спят.", "WORD_REPEAT_RULE"),
        ("zh", "农民养了十牛。", "wa5"),
    ],
)
def test_errors_of_grammar_are_found(job: Job, lang, wrong, rule):
    found = languagetool.counted(lang).ids(job.check([wrong], languagetool.counted(lang))[0].findings)
    assert rule in found


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        (
            "en",
            [
                "Xhosa people sleep.",
                "Nguyễn and Oluwaseun sleep a lot.",
                "the Quechua are farmers.",
                "Cats sleep alot.",
            ],
        ),
        (
            "es",
            ["Los wixaritari duermen.", "Nguyễn duerme mucho.", "los gatos duermen.", "Los gatos duermen muy bién."],
        ),
        ("ru", ["Нгуен и Олувасеун спят.", "Ненцы спят.", "кошки спят."]),
        ("zh", ["阮文雄睡觉。", "科萨人睡觉。"]),
    ],
)
def test_names_spelling_and_casing_are_no_errors_of_grammar(job: Job, lang, sentences):
    counted = languagetool.counted(lang)
    assert [counted.ids(answer.findings) for answer in job.check(sentences, counted)] == [[]] * len(sentences)


def test_the_version_is_checked(job: Job):
    assert job.checker.software["version"] == "6.8"
    other = languagetool.Checker(job.checker.url, "6.7", False, 60.0, own=True)
    with pytest.raises(InputError, match=r"is LanguageTool 6.8, but .* is '6.7'"):
        other.check(["Cats sleep."], "en-US", [])


def test_two_jobs_at_once_one_of_them_killed_half_way(job: Job):
    """Also: the memory is bounded as asked for, and the servers are gone after the `with`."""
    counted = languagetool.counted("zh")
    with languagetool_job.opened("local", "6.8", False, memory_mb=700, timeout_s=120) as second:
        assert second.checker.url != job.checker.url
        first = second.server.pid
        assert "-Xmx700m" in psutil.Process(first).cmdline()
        assert not second.check(["猫睡觉。"], counted)[0].error
        os.kill(first, signal.SIGKILL)
        answers = second.check(["猫睡觉。", "猫跑。", "女人是很会做饭。"], counted)
        assert [answer.error for answer in answers] == ["", "", ""]  # sent again, one by one
        assert second.restarts == 1
        last = second.server.pid
        assert last != first
    time.sleep(0.2)
    assert not psutil.pid_exists(last)
    assert job.check(["猫睡觉。"], counted)[0].error == ""
