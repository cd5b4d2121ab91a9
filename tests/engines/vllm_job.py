"""Run under the interpreter of vLLM's environment: opens engines as a file says, and writes down what they answer.

Usage: python vllm_job.py JOBS ANSWERS. A job is {name, entry, dtype, budget, quantisation, calls}, a call a list of
[prefix, continuation]; its answer is {label, calls}, or {error} where the engine was refused. A row's answer is
{ids, logprobs} or {ids, reason}.
"""

import json
import sys
from pathlib import Path

from dualpair.models import registry
from dualpair.scoring.engine import Failure
from dualpair.scoring.tokenisation import encode_pairs
from dualpair.scoring.vllm import open_vllm


def row(encoded, scored):
    if isinstance(scored, Failure):
        return {"ids": encoded.ids, "reason": scored.reason}
    return {"ids": encoded.ids, "logprobs": scored}


def answer(job):
    entry = registry.ModelEntry.model_validate(job["entry"])
    try:
        engine = open_vllm(entry, job["name"], job["dtype"], job["budget"], True, job["quantisation"])
    except (ValueError, RuntimeError) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    calls = []
    for pairs in job["calls"]:
        encoded = encode_pairs(engine.tokenizer, [tuple(pair) for pair in pairs], engine.bos)
        calls.append([row(e, s) for e, s in zip(encoded, engine.score(encoded), strict=True)])
    engine.close()
    engine.close()
    return {"label": engine.label._asdict(), "calls": calls}


def main():
    jobs = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    answers = {job["name"]: answer(job) for job in jobs}
    Path(sys.argv[2]).write_text(json.dumps(answers), encoding="utf-8")


if __name__ == "__main__":
    main()
