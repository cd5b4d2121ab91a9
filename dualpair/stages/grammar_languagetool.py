"""Grammar engine languagetool: which sentences are checked, their answers in the store, and the `judgements` table."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import pandas as pd

from dualpair import plan
from dualpair.errors import InputError
from dualpair.filters import grammar, languagetool
from dualpair.filters.grammar_engines import LANGUAGETOOL, judge_name
from dualpair.filters.grammar_settings import LOCAL
from dualpair.filters.languagetool_job import Answer, Job
from dualpair.runlog import Progress
from dualpair.stages.grammar import table as judgements
from dualpair.store import Payload, Space

log = logging.getLogger("dualpair")

KIND = "grammar"
CONTRACT = 1
UNIT = 256  # sentences of one unit: the most that a kill can lose


def identity(server: str, version: str, picky: bool) -> dict[str, Any]:
    """What the findings depend on beside language and sentence.

    A remote server may have been given more than ours (n-grams, rules), so that its address tells it apart.
    """
    return {
        "weights": judge_name(LANGUAGETOOL, version),
        "engine": LANGUAGETOOL,
        "server": server if server == LOCAL else server.rstrip("/"),
        "picky": picky,
        "contract": f"{KIND}/{CONTRACT}",
    }


def requests(pairs: pd.DataFrame, identity: Mapping[str, Any]) -> dict[tuple[str, str], plan.Request]:
    """One request per distinct (language, sentence) of candidates and sources, with every group.

    Which findings count is no part of it: all are kept, so that another list of categories checks nothing anew.
    """
    made: dict[tuple[str, str], plan.Request] = {}
    for row in pairs.itertuples():
        lang = str(row.lang)
        counted = languagetool.counted(lang)
        for text in (str(row.source_text), str(row.candidate_text)):
            if (lang, text) not in made:
                content = {"language": counted.code, "text": text, "never": ",".join(counted.never)}
                made[lang, text] = plan.make_request(identity, lang, str(row.set_id), content, 1)
    return made


def run(
    asked: Sequence[plan.Request],
    space: Space,
    identity: Mapping[str, Any],
    opened: Callable[[], AbstractContextManager[Job]],
    stage: str,
    max_failed_share: float,
) -> Mapping[str, Payload]:
    """Check what the store lacks; each finished unit is stored whole. The server starts only if something is missing.

    Args:
        asked: the requests.
        space: where the answers are kept.
        identity: what they depend on.
        opened: opens a server.
        stage: name for messages.
        max_failed_share: fail when more of the sentences failed.

    Returns:
        The answer of every request, by key: {"findings": [[rule, category, start, length], ...]} or {"error": why}.

    Raises:
        InputError: more than the allowed share failed; or as `opened` and :meth:`Job.check`.
        PrerequisiteError: likewise.
    """
    model = str(identity["weights"])
    todo = plan.build(stage, model, KIND, identity, asked, space, UNIT)
    log.info("%s: %d sentences, %d not checked yet", stage, todo.n_requests, todo.n_missing)
    progress = Progress(len(todo.units), f"{stage} {model}") if todo.units else None
    with contextlib.ExitStack() as stack:
        jobs: list[Job] = []

        def call(batch: list[plan.Request]) -> list[Payload]:
            if not jobs:
                jobs.append(stack.enter_context(opened()))
            lang = batch[0].lang  # a unit has one language
            found = jobs[0].check([request.content["text"] for request in batch], languagetool.counted(lang))
            return [payload(answer) for answer in found]

        done = plan.run(todo, asked, space, call, lambda *_: progress.advance() if progress else None)
        for job in jobs:
            log.info("%s: %s, %d restarts", stage, job.checker.software, job.restarts)
    answers = plan.answers(asked, space, stage, done.errors)
    failed = [request for request in asked if answers[request.key].get("error")]
    if failed:
        first = f"set {failed[0].set_id} ({failed[0].lang}): {answers[failed[0].key]['error']}"
        log.warning("%s: %d of %d sentences failed, first: %s", stage, len(failed), len(asked), first)
        if len(failed) > max_failed_share * len(asked):
            raise InputError(
                f"stage {stage}: {len(failed)} of {len(asked)} sentences failed, more than "
                f"`execution.max_failed_share` = {max_failed_share}; first: {first}. The others are kept; run "
                f"snakemake again, or raise the share"
            )
    return answers


def payload(answer: Answer) -> Payload:
    """An answer as it is stored."""
    if answer.error:
        return {"error": answer.error}
    return {"findings": [list(finding) for finding in answer.findings]}


def table(
    pairs: pd.DataFrame, asked: Mapping[tuple[str, str], plan.Request], answers: Mapping[str, Payload], version: str
) -> pd.DataFrame:
    """The `judgements` frame: what each group's sentence has that the same group's source sentence has not."""
    rows: list[tuple[int | None, str, str]] = []
    for row in pairs.itertuples():
        lang = str(row.lang)
        counted = languagetool.counted(lang)
        found = [answers[asked[lang, text].key] for text in (str(row.source_text), str(row.candidate_text))]
        error = next((str(answer["error"]) for answer in found if answer.get("error")), "")
        if error:
            rows.append((None, "", error))
            continue
        source, candidate = (counted.ids(answer["findings"]) for answer in found)
        ids = grammar.added(candidate, source)
        rows.append((len(ids), " ".join(ids), ""))
    out = pairs.copy()
    out[["findings", "finding_ids", "error"]] = pd.DataFrame(rows, columns=range(3), index=out.index, dtype=object)
    return judgements(out, judge_name(LANGUAGETOOL, version))
