"""Train the small parsers in resources/parsers on generated treebanks.

Reads ``resources/parsers/lexicon/<lang>.yaml`` and the starter set (to keep its sentences out of training); writes,
for each language, ``<out>/<stanza code>/{tokenize,pos,lemma,depparse}/tiny.pt``, then ``<out>/resources.json`` (what
stanza looks up), ``<out>/scores.json`` and ``<out>/README.md``. Needs stanza, no GPU and no network:

    python scripts/train_parsers.py --lang en ru
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import logging
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from dualpair import languages
from dualpair.paths import resource
from dualpair.syntax.treebank.generate import GRAMMARS, Treebank, as_conllu, as_text, generate

LOG = logging.getLogger("train_parsers")
PROCESSORS = ("tokenize", "pos", "lemma", "depparse")
# The trainers' own dropout of one half is meant for models many times this size.
SHAPE = """
    --no_pretrain --hidden_dim 64 --char_hidden_dim 64 --deep_biaff_hidden_dim 64 --char_emb_dim 32 --word_emb_dim 32
    --transformed_dim 32 --num_layers 1 --eval_interval 50 --no_second_optim --cpu --optim adam --lr 0.004
    --dropout 0.15 --word_dropout 0.25
"""


def main(argv: list[str] | None = None) -> None:
    """Parse the command line, train, write the index and the README."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lang", nargs="+", choices=sorted(GRAMMARS), default=sorted(GRAMMARS))
    parser.add_argument("--out", type=Path, default=None, help="parser folder (default: resources/parsers)")
    parser.add_argument("--sentences", type=int, default=2500, help="training sentences a language")
    parser.add_argument("--steps", type=int, default=250, help="training steps of the tagger and of the parser")
    parser.add_argument("--tokenizer-steps", type=int, default=300, help="three times as many without spaces")
    parser.add_argument("--lemma-epochs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=PROCESSORS, default=list(PROCESSORS), help="train these only")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    out: Path = args.out or resource("parsers")
    for lang in args.lang:
        bank = generate(lang, resource("parsers", "lexicon"), args.sentences, seed=args.seed, exclude=starter(lang))
        with tempfile.TemporaryDirectory() as work:
            train_language(lang, bank, out, Path(work), args)
        write_index(out)
        write_scores(out, lang, bank)
    write_readme(out)


def starter(lang: str) -> list[str]:
    """The starter set's sentences in one language."""
    with resource("stereotypes", f"{lang}.csv").open(encoding="utf-8", newline="") as stream:
        return [row["sentence"] for row in csv.DictReader(stream)]


def train_language(lang: str, bank: Treebank, out: Path, work: Path, args: argparse.Namespace) -> None:
    """Train the chosen processors of one language; stanza's trainers run as subprocesses."""
    code = languages.get(lang).stanza
    for part in ("train", "dev"):
        trees = getattr(bank, part)
        (work / f"{part}.conllu").write_text(as_conllu(trees, lang, part), encoding="utf-8")
        (work / f"{part}.txt").write_text(as_text(trees, lang), encoding="utf-8")
        labels = ["-o", work / f"{part}.labels", "-m", work / f"{part}.mwt.json"]
        run_module("utils.datasets.prepare_tokenizer_data", work / f"{part}.txt", work / f"{part}.conllu", *labels)
    for processor in args.only:
        started = time.monotonic()
        run_module(*trainer_call(processor, lang, code, work, args), "--save_dir", out / code / processor)
        shrink(out / code / processor / "tiny.pt")
        LOG.info("%s %s: %.0f s", lang, processor, time.monotonic() - started)


def shrink(path: Path) -> None:
    """Store a model's weights in half precision; stanza copies them into its float32 modules when it loads them."""
    import torch

    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    weights = checkpoint["model"]
    halves = {name: w.half() if torch.is_tensor(w) and w.is_floating_point() else w for name, w in weights.items()}
    torch.save(checkpoint | {"model": halves}, path)


def trainer_call(processor: str, lang: str, code: str, work: Path, args: argparse.Namespace) -> list[object]:
    """Module and arguments of stanza's trainer for one processor, all but the output folder."""
    treebank = ["--train_file", work / "train.conllu", "--eval_file", work / "dev.conllu"]
    common = ["--mode", "train", "--shorthand", f"{code}_tiny", "--save_name", "tiny.pt"]
    by_language = ["--lang", code, "--batch_size", 1000, "--max_steps", args.steps, "--max_steps_before_stop", 300]
    if processor == "tokenize":
        files = [f"--{key}" for key in ("txt_file", "label_file", "dev_txt_file", "dev_label_file", "dev_conll_gold")]
        names = ("train.txt", "train.labels", "dev.txt", "dev.labels", "dev.conllu")
        inputs = [item for key, name in zip(files, names, strict=True) for item in (key, work / name)]
        # Without spaces in the text the words are found from the characters alone: more to learn.
        spaced = bool(languages.get(lang).joiner)
        width, steps = (32, args.tokenizer_steps) if spaced else (64, 3 * args.tokenizer_steps)
        size = ["--max_seqlen", 300, "--hidden_dim", width, "--steps", steps]
        every = ["--eval_steps", 100, "--report_steps", 100, "--no_use_mwt", "--mwt_json_file", work / "dev.mwt.json"]
        newline = [] if spaced else ["--skip_newline"]
        return ["models.tokenizer", *common, "--lang", code, *inputs, *size, *every, *newline, "--cpu"]
    if processor == "lemma":
        size = ["--hidden_dim", 50, "--emb_dim", 25, "--pos_dim", 25, "--num_epoch", args.lemma_epochs]
        return ["models.lemmatizer", *common, *treebank, *size, "--data_dir", work, "--cpu"]
    if processor == "pos":
        by_language[3] = 100  # the tagger counts sentences, the parser words
        return [
            "models.tagger",
            *common,
            *treebank,
            *SHAPE.split(),
            *by_language,
            "--composite_deep_biaff_hidden_dim",
            16,
        ]
    size = ["--deep_biaff_output_dim", 32, "--tag_emb_dim", 25, "--no_checkpoint"]
    return ["models.parser", *common, *treebank, *SHAPE.split(), *by_language, *size]


def run_module(module: object, *arguments: object) -> None:
    """Run a stanza module; its output is shown only when it fails.

    Raises:
        RuntimeError: if it exits with an error.
    """
    command = [sys.executable, "-m", f"stanza.{module}", *map(str, arguments)]
    threads = {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "PASSIVE"}
    done = subprocess.run(command, env={**os.environ, **threads}, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed with {done.returncode}:\n{done.stdout}\n{done.stderr}")


def write_index(out: Path) -> None:
    """Write resources.json: what stanza reads to find the models below ``out``."""
    index: dict[str, Any] = {}
    for lang in languages.known():
        facts = languages.get(lang)
        models = {name: out / facts.stanza / name / "tiny.pt" for name in PROCESSORS}
        if not all(path.is_file() for path in models.values()):
            continue
        names = dict.fromkeys(PROCESSORS, "tiny")
        entry: dict[str, Any] = {"lang_name": facts.name, "packages": {"default": names}}
        entry |= {"default_processors": names, "default_dependencies": {}}
        # md5 is what stanza's index holds; the README gives sha256.
        entry |= {name: {"tiny": {"md5": hashlib.md5(path.read_bytes()).hexdigest()}} for name, path in models.items()}
        index[facts.stanza] = entry
        if facts.stanza != lang:
            index[lang] = {"alias": facts.stanza}
    (out / "resources.json").write_text(json.dumps(index, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def write_scores(out: Path, lang: str, bank: Treebank) -> None:
    """Measure the trained parser on dev and test and add the figures to scores.json."""
    from dualpair.syntax.evaluate import evaluate

    path = out / "scores.json"
    scores = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    scores[lang] = {part: evaluate(getattr(bank, part), lang, out) for part in ("dev", "test")}
    scores[lang]["train_sentences"] = len(bank.train)
    LOG.info("%s %s", lang, scores[lang])
    path.write_text(json.dumps(scores, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def write_readme(out: Path) -> None:
    """Write README.md beside the models: what they are, sizes, SHA-256, scores."""
    scores = json.loads((out / "scores.json").read_text(encoding="utf-8"))
    lines = [README.strip(), "", "| language | part | sentences | tokenised | UPOS | UAS | LAS | split right |"]
    lines.append("|---|---|---|---|---|---|---|---|")
    for lang, parts in sorted(scores.items()):
        for part in ("dev", "test"):
            row = parts[part]
            figures = " | ".join(f"{row[key]:.3f}" for key in ("tokenised", "upos", "uas", "las", "split"))
            lines.append(f"| {lang} | {part} | {row['sentences']} | {figures} |")
    lines += ["", "| file | bytes | SHA-256 |", "|---|---|---|"]
    for model in sorted(out.glob("*/*/tiny.pt")):
        digest = hashlib.sha256(model.read_bytes()).hexdigest()
        lines.append(f"| {model.relative_to(out).as_posix()} | {model.stat().st_size} | `{digest}` |")
    (out / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


README = """
# Small parsers

stanza models (tokenize, pos, lemma, depparse) trained by `scripts/train_parsers.py` on treebanks that this project
generates from its own lexicons (`lexicon/`) and grammars (`dualpair/syntax/treebank`): 2,500 generic sentences a
language, annotated by construction in the style of Universal Dependencies, a fifth of their content words with invented
stems. They load without network. Licence: Apache-2.0, as the code.

They are made for one task, finding where the group ends and the attribute begins in short generic sentences, and are no
general parsers: of short newspaper and web sentences they split about half (English, Spanish), a third (Russian) or a
quarter (Chinese) as the gold tree does (`test_real_sentences` in `tests/unit/test_syntax.py` prints the shares). On
your own data compare a sample of the splits, or use stanza's published models instead: put them into a folder
(`stanza.download(lang, model_dir=FOLDER)`) and name that folder as parser folder.

Scores on generated sentences. `dev`: new sentences from the words of training. `test`: the words of the long lists were
never seen. `tokenised`: share of sentences whose words are all right; UPOS, UAS and LAS are over the words of those;
`split right`: share of all sentences of which group and attribute are right (or that are rightly rejected).
The starter set's sentences are in none of the parts.
"""


if __name__ == "__main__":
    main()
