"""Measure the semantic filters on labelled pairs and write docs/filter_scores.md.

Reads public data below $DUALPAIR_DATA (`sts_multi`: sentence pairs with similarity; `nli`: inference pairs) and the
pairs of ours in `resources/judge`: `test.csv`, which no calibration sees. The judge's log-probabilities of `test.csv`
are read from `resources/judge/scores`; those of the public pairs are asked of the model through the store, so that a
run that is killed goes on, and a second one asks nothing. Samples are drawn with a seed.

    DUALPAIR_DATA=~/data python scripts/evaluate_filters.py --out docs/filter_scores.md
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from dualpair import paths, plan
from dualpair.filters import calibration, nli, quality, similarity
from dualpair.models.registry import ModelEntry, builtin_models
from dualpair.stages.commands import Caller
from dualpair.store import Payload, Store

Array = npt.NDArray[np.float64]
ENCODERS = {"use-multilingual-v3": ("en", "es", "ru", "zh"), "all-minilm-l6-v2": ("en",)}
JUDGE, DTYPE = "qwen2.5-coder-1.5b-instruct", "float32"
LABEL_OF = {"entailment": quality.PARAPHRASE, "contradiction": quality.OPPOSITE, "neutral": quality.UNRELATED}


def read_sts(folder: Path) -> pd.DataFrame:
    """Pairs of `stsb-<lang>-dev.csv`: score 4 to 5 is a paraphrase, up to 1 unrelated, the rest between.

    Returns:
        Columns lang, premise, hypothesis, label, score (0 to 5); pairs whose two texts are equal are left out.
    """
    parts = []
    for path in sorted(folder.glob("stsb-*-dev.csv")):
        part = pd.read_csv(path, header=None, names=["premise", "hypothesis", "score"])
        parts.append(part.assign(lang=path.name.split("-")[1]))
    frame = pd.concat(parts, ignore_index=True)
    frame = frame[frame["premise"] != frame["hypothesis"]].reset_index(drop=True)
    low = np.where(frame["score"] <= 1, quality.UNRELATED, quality.DIFFERENT)
    return frame.assign(label=np.where(frame["score"] >= 4, quality.PARAPHRASE, low))


def read_nli(folder: Path) -> pd.DataFrame:
    """Inference pairs: columns lang, premise, hypothesis, label (of ours: contradiction is opposite, and so on).

    Spanish and English of esXNLI; Chinese of OCNLI, less pairs without a majority; Russian of RCB, the annotators'
    majority, less ties.
    """
    rows: list[tuple[str, ...]] = []
    table = pd.read_csv(folder / "esxnli.tsv", sep="\t", quoting=3, keep_default_na=False)
    columns = ["language", "sentence1", "sentence2", "gold_label"]
    rows += [tuple(map(str, row)) for row in table[columns].itertuples(index=False, name=None)]
    for line in (folder / "ocnli_dev.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        rows.append(("zh", item["sentence1"], item["sentence2"], item["label"]))
    answers = pd.read_csv(folder / "assign_RCB.tsv", sep=";")
    answers["label"] = [re.sub(r"\d+$", "", str(result)) for result in answers["result"]]
    for (premise, hypothesis), group in answers.groupby(["premise", "hypothesis"], sort=True):
        counts = group["label"].value_counts()
        if len(counts) == 1 or counts.iloc[0] > counts.iloc[1]:
            rows.append(("ru", str(premise), str(hypothesis), str(counts.index[0])))
    frame = pd.DataFrame(rows, columns=["lang", "premise", "hypothesis", "label"])
    frame = frame[frame["label"].isin(list(LABEL_OF)) & (frame["premise"] != frame["hypothesis"])]
    frame = frame.assign(label=frame["label"].map(LABEL_OF))
    return frame.drop_duplicates(["lang", "premise", "hypothesis"]).reset_index(drop=True)


def sample(frame: pd.DataFrame, each: int, seed: int, longest: int | None = None) -> pd.DataFrame:
    """At most ``each`` pairs of every language and label, of at most ``longest`` characters together."""
    if longest is not None:
        frame = frame[frame["premise"].str.len() + frame["hypothesis"].str.len() <= longest]
    shuffled = frame.sample(frac=1.0, random_state=seed)
    return shuffled.groupby(["lang", "label"]).head(each).sort_values(["lang", "label"]).reset_index(drop=True)


def entry(name: str) -> ModelEntry:
    """A built-in registry entry."""
    return ModelEntry.model_validate(builtin_models()[name])


def threshold_of(name: str) -> float:
    """An encoder's own threshold.

    Raises:
        ValueError: its entry has none.
    """
    threshold = entry(name).thresholds.similarity
    if threshold is None:
        raise ValueError(f"resources/models.yaml: {name} has no `thresholds: {{similarity: ...}}`; give it one")
    return threshold


def cosines(frame: pd.DataFrame, encoder: similarity.SentenceEncoder) -> Array:
    """Cosine of each pair's two texts, (n,)."""
    texts = sorted({*frame["premise"], *frame["hypothesis"]})
    vectors = dict(zip(texts, encoder.encode(texts), strict=True))
    left, right = ([vectors[text] for text in frame[side]] for side in ("premise", "hypothesis"))
    return similarity.cosine(np.array(left), np.array(right))


def asked(frame: pd.DataFrame, store: Path, budget: int) -> pd.DataFrame:
    """The pairs with the judge's log-probabilities, through the store as the workflow keeps them."""
    from dualpair.stages import nli as stage
    from dualpair.stages import nli_inputs, nli_model

    model = entry(JUDGE).model_copy(update={"dtype": DTYPE})
    identity = nli_inputs.identity(model, "cpu")
    both = list(zip(frame["lang"], frame["premise"], frame["hypothesis"], strict=True))
    both += [(lang, hypothesis, premise) for lang, premise, hypothesis in both]
    requests = [
        plan.make_request(identity, lang, str(number), {"premise": a, "hypothesis": b}, (len(a) + len(b)) // 3)
        for number, (lang, a, b) in enumerate(both)
    ]
    space = Store(store).space(stage.KIND, JUDGE, identity)
    planned = plan.build("evaluate", JUDGE, stage.KIND, identity, requests, space, 1500)
    loaded: list[Caller] = []

    def call(batch: list[plan.Request]) -> list[Payload]:
        if not loaded:
            threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
            loaded.append(nli_model.caller(model, DTYPE, "cpu", threads, budget, False))
        return loaded[0](batch)

    start = time.perf_counter()
    done = plan.run(planned, requests, space, call, lambda n, total, _: print(f"unit {n} of {total}", file=sys.stderr))
    if done.made:
        seconds = (time.perf_counter() - start) / done.made
        print(f"{done.made} calls, {seconds:.2f} s each, loading included", file=sys.stderr)
    answers = plan.answers(requests, space, "evaluate", done.errors)
    numbers = np.array([[answers[request.key][field] for field in stage.FIELDS] for request in requests])
    half = len(frame)
    columns = pd.DataFrame(np.concatenate([numbers[:half], numbers[half:]], axis=1), columns=list(calibration.LOGPROBS))
    return pd.concat([frame, columns], axis=1)


def markdown(frame: pd.DataFrame) -> str:
    """A frame as a Markdown table; numbers to two decimals, what does not exist as a dash."""

    def cell(value: object) -> str:
        if isinstance(value, float):
            return "–" if np.isnan(value) else f"{value:.2f}"
        return str(value)

    names = [str(name).replace("_", " ") for name in frame.columns]
    rows = [[cell(value) for value in row] for row in frame.itertuples(index=False, name=None)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [names, ["---"] * len(names), *rows]) + "\n"


def similarity_part(sts: pd.DataFrame, own: pd.DataFrame) -> str:
    """Tables of every encoder that runs here."""
    public, ours = [], []
    for name, langs in ENCODERS.items():
        encoder = similarity.load(entry(name), "cpu", int(os.environ.get("OMP_NUM_THREADS", 1)))
        threshold = threshold_of(name)
        here = sts[sts["lang"].isin(langs)].reset_index(drop=True)
        found = quality.similarity_table(here, cosines(here, encoder), threshold)
        public.append(found.assign(encoder=name, threshold=threshold))
        mine = own[own["lang"].isin(langs)].reset_index(drop=True)
        kept = cosines(mine, encoder) >= threshold
        ours.append(quality.accepted_table(mine, {f"{name}, {threshold}": kept}))
        idiom = (mine["idiom"] == "yes").to_numpy()
        for what, rows in (("idioms", idiom), ("no idioms", ~idiom)):
            table = quality.accepted_table(mine[rows], {f"{name}, {what}": kept[rows]})
            ours.append(table.tail(1).assign(lang=quality.ALL))
    table = pd.concat(public)
    first = ["encoder", "threshold", "lang"]
    return (
        "### Public pairs\n\n" + markdown(table[[*first, *[c for c in table.columns if c not in first]]])
        + "\n### Pairs of ours: share kept\n\n" + markdown(pd.concat(ours).rename(columns={"decision": "encoder"}))
    )  # fmt: skip


def inference_part(public: pd.DataFrame, own: pd.DataFrame) -> str:
    """Tables of the judge."""
    judge = entry(JUDGE)
    fit, cuts = nli.calibration_of(judge, DTYPE), calibration.cuts_of(judge)
    idiom = (own["idiom"] == "yes").to_numpy()
    parts = []
    for title, frame in (
        ("Public pairs", public), ("Pairs of ours", own), ("Pairs of ours with idioms", own[idiom]),
        ("Pairs of ours without idioms", own[~idiom]),
    ):  # fmt: skip
        probability = calibration.contradiction(frame, fit)
        parts.append(f"### {title}, the paper's thresholds\n")
        parts.append(markdown(quality.inference_table(frame, probability, quality.Cuts())))
        if title in ("Public pairs", "Pairs of ours"):
            parts.append(f"### {title}, the entry's thresholds for alternates\n")
            columns = ["lang", "pairs", "alternate_precision", "alternate_recall"]
            parts.append(markdown(quality.inference_table(frame, probability, cuts)[columns]))
    return "\n".join(parts)


def together_part(own: pd.DataFrame) -> str:
    """What the two filters together accept of the pairs of ours."""
    judge, encoder = entry(JUDGE), entry("use-multilingual-v3")
    fit, cuts = nli.calibration_of(judge, DTYPE), calibration.cuts_of(judge)
    probability, langs = calibration.contradiction(own, fit), list(own["lang"])
    near = cosines(own, similarity.load(encoder, "cpu", 1)) >= threshold_of("use-multilingual-v3")
    accepted = {
        "as paraphrase": near & (probability.max(axis=1) <= cuts.paraphrase),
        "as alternate": probability.min(axis=1) > cuts.of(langs),
    }
    return markdown(quality.accepted_table(own, accepted))


HEAD = """# Filter scores

Written by `scripts/evaluate_filters.py`; how the filters work is in [filters.md](filters.md).

- *Public pairs*, similarity: STS benchmark, dev split, {sts} pairs drawn with seed {seed}, the same number in four
  languages (Spanish, Russian and Chinese are machine translations); a score of 4 to 5 counts as paraphrase, up to 1 as
  unrelated.
- *Public pairs*, inference: esXNLI (en, es), OCNLI (zh), RCB (ru); {each} of each label and language drawn with seed
  {seed} among pairs of at most {longest} characters: {nli} pairs, both directions. Contradictions count as opposites,
  entailments as paraphrases, neutral pairs as unrelated. These labels hold for one direction, the filters demand
  both.
- *Pairs of ours*: `resources/judge/test.csv`, {own} pairs, 60 a language, written for this test: two fifths are about
  idioms. No calibration and no threshold was made on them. There are 15 pairs a language and label, so that a share of
  one language is known to about a quarter.

Judge: `{judge}` in {dtype}, with the calibration of its entry. No real sequence classifier and no
LaBSE can be had without a model hub; their code runs in the tests on tiny random models, which says nothing about
quality.

"""
SIMILARITY = """## Similarity

*auc unrelated*: paraphrases against unrelated pairs; *auc*: against all others. Precision and recall of paraphrases
among the pairs at or above the entry's threshold. (The paper's 0.70 is LaBSE's scale.)

"""
INFERENCE = """
## Inference

*auc*, *brier*: opposites against all others by the smaller P(contradiction) of both directions. Alternate: accepted
when the smaller one is above the threshold, among all pairs. Paraphrase: accepted when the larger one is at most 0.8,
among paraphrases and opposites.

"""
TOGETHER = """
## Both filters

Share of the pairs of ours that similarity and judge together accept, at the entries' thresholds. *different*: a
different claim about the same group (narrower, weaker, stronger, another one), which should be neither. Thresholds let
many of these pass as paraphrases: what a fit of acceptance does about it is in [acceptance.md](acceptance.md).

"""


def main(argv: Sequence[str] | None = None) -> None:
    """Parse the command line, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("DUALPAIR_DATA"), help="default: $DUALPAIR_DATA")
    parser.add_argument("--store", type=Path, default=paths.default_store(), help="default: in the user's cache")
    parser.add_argument("--sts", type=int, default=500, help="similarity pairs of a language (default: 500)")
    parser.add_argument("--each", type=int, default=12, help="inference pairs of a language and label (default: 12)")
    parser.add_argument("--longest", type=int, default=160, help="characters of such a pair (default: 160)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--token-budget", type=int, default=2048)
    parser.add_argument("--out", type=Path, help="Markdown file to write (default: print)")
    args = parser.parse_args(argv)
    if args.data is None or not args.data.is_dir():
        parser.error("--data: give the folder of the public data, or set DUALPAIR_DATA")
    sts = read_sts(args.data / "sts_multi").groupby("lang").sample(args.sts, random_state=args.seed)
    public = asked(
        sample(read_nli(args.data / "nli"), args.each, args.seed, args.longest), args.store, args.token_budget
    )
    own = calibration.read_pairs(paths.resource("judge", "scores", f"test.{DTYPE}.csv"))
    own = own.astype(dict.fromkeys(calibration.LOGPROBS, "float64"))
    head = HEAD.format(
        sts=len(sts), each=args.each, seed=args.seed, longest=args.longest, nli=len(public), own=len(own), judge=JUDGE,
        dtype=DTYPE,
    )  # fmt: skip
    body = [similarity_part(sts, own), INFERENCE, inference_part(public, own), TOGETHER, together_part(own)]
    text = head + SIMILARITY + "".join(body)
    print(text)
    if args.out:
        args.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
