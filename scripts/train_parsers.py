"""Train the small parsers in resources/parsers on generated and on annotated sentences.

Reads the grammar and lexicon in ``resources/parsers``, the starter set (to keep its sentences out of training) and, if
the folder ``ud`` of DUALPAIR_DATA (or ``--treebanks``) has it, the language's Universal Dependencies file, of which one
sentence in five is held out. Writes, for each language, ``<out>/<stanza code>/{tokenize,pos,depparse}/tiny.pt``, then
``<out>/resources.json`` (what stanza looks up), ``<out>/scores.json`` and ``<out>/README.md``. A language's models are
replaced only when all of them are trained. Needs stanza, no GPU and no network; half an hour a language:

    DUALPAIR_DATA=/data python scripts/train_parsers.py --lang en ru
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dualpair import languages
from dualpair.paths import resource
from dualpair.syntax.treebank import training, universal
from dualpair.syntax.treebank.generate import GRAMMARS, Treebank, generate
from dualpair.syntax.treebank.trees import Tree, conllu, surface

LOG = logging.getLogger("train_parsers")
PROCESSORS = ("tokenize", "pos", "depparse")
TREEBANKS = {"en": "en_ewt", "es": "es_gsd", "ru": "ru_gsd", "zh": "zh_gsdsimp"}
_DEV_HELD = 60


def main(argv: list[str] | None = None) -> None:
    """Parse the command line, train, write the index and the README."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lang", nargs="+", choices=sorted(GRAMMARS), default=sorted(GRAMMARS))
    parser.add_argument("--out", type=Path, default=None, help="parser folder (default: resources/parsers)")
    parser.add_argument("--sentences", type=int, default=12000, help="generated training sentences a language")
    parser.add_argument("--epochs", type=float, default=8, help="passes of the tagger and of the parser")
    parser.add_argument("--tokenizer-steps", type=int, default=900)
    parser.add_argument("--treebanks", type=Path, default=None, help="folder of <treebank>-ud-dev.conllu files")
    parser.add_argument("--times", type=int, default=2, help="how often an epoch passes over the treebank's sentences")
    parser.add_argument("--resume", action="store_true", help="tagger and parser go on from those in --base")
    parser.add_argument("--base", type=Path, default=None, help="parser folder to go on from (default: --out)")
    known = "how often a word occurs to be known by itself (default: times + 1, twice in the treebank)"
    parser.add_argument("--cutoff", type=int, default=None, help=known)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", choices=PROCESSORS, default=list(PROCESSORS), help="none: scores only")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    args.out = args.out or resource("parsers")
    if args.treebanks is None and os.environ.get("DUALPAIR_DATA"):
        args.treebanks = Path(os.environ["DUALPAIR_DATA"]) / "ud"
    for lang in args.lang:
        train(lang, args)
    write_readme(args.out)


def train(lang: str, args: argparse.Namespace) -> None:
    """Train one language and put its models, its index entry and its scores in place."""
    bank = generate(lang, resource("parsers", "lexicon"), args.sentences, seed=args.seed, exclude=starter(lang))
    real, held = treebank(lang, args.treebanks)
    if args.only:
        train_models(lang, bank, real, held, args)
    write_index(args.out)
    write_scores(args.out, lang, bank, real, held)


def train_models(
    lang: str,
    bank: Treebank,
    real: Sequence[universal.Sentence],
    held: Sequence[universal.Sentence],
    args: argparse.Namespace,
) -> None:
    """Train the chosen processors in a folder of their own and copy them over the old ones when all are there."""
    # Sentences for the parser that the tagger has not seen: it learns with the tags that it will be given.
    others = generate(lang, resource("parsers", "lexicon"), args.sentences, 0, args.seed + 100, starter(lang)).train
    own, new, dev = ([sentence(tree, lang) for tree in trees] for trees in (bank.train, others, bank.dev))
    code = languages.get(lang).stanza
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        write_part(work / "train", own + list(real) * args.times)
        write_part(work / "parser", new + list(real) * args.times)
        write_part(work / "dev", dev + list(held[:_DEV_HELD]))
        for processor in sorted(args.only, key=PROCESSORS.index):
            started = time.monotonic()
            train_processor(processor, lang, work, args)
            LOG.info("%s %s: %.0f s", lang, processor, time.monotonic() - started)
        for processor in args.only:
            target = args.out / code / processor / "tiny.pt"
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(work / "models" / processor / "tiny.pt", target.with_suffix(".new"))
            target.with_suffix(".new").replace(target)


def starter(lang: str) -> list[str]:
    """The starter set's sentences in one language."""
    with resource("stereotypes", f"{lang}.csv").open(encoding="utf-8", newline="") as stream:
        return [row["sentence"] for row in csv.DictReader(stream)]


def treebank(lang: str, folder: Path | None) -> tuple[list[universal.Sentence], list[universal.Sentence]]:
    """Training and held-out sentences of the language's UD file; none without a folder.

    Raises:
        FileNotFoundError: if the folder is given and has no file of the language.
    """
    if folder is None:
        LOG.warning("%s: no treebank (set DUALPAIR_DATA or --treebanks): generated sentences only", lang)
        return [], []
    return universal.read_treebank(folder / f"{TREEBANKS[lang]}-ud-dev.conllu")


def sentence(tree: Tree, lang: str) -> universal.Sentence:
    """A generated tree in the form of the treebank's sentences."""
    joiner = languages.get(lang).joiner
    return universal.Sentence(surface(tree, joiner), universal.tokens_of(conllu(tree, joiner, "x")))


def write_part(path: Path, sentences: Sequence[universal.Sentence]) -> None:
    """Write the CoNLL-U file and the raw text, a paragraph a sentence, and the tokenizer's labels of them."""
    files = {kind: path.with_suffix(f".{kind}") for kind in ("conllu", "txt", "labels", "mwt.json")}
    blocks = (universal.conllu(one, f"{path.name}-{i}") for i, one in enumerate(sentences, start=1))
    files["conllu"].write_text("".join(blocks), encoding="utf-8")
    files["txt"].write_text("\n\n".join(one.text for one in sentences) + "\n", encoding="utf-8")
    labels = ["-o", files["labels"], "-m", files["mwt.json"]]
    run_module("utils.datasets.prepare_tokenizer_data", files["txt"], files["conllu"], *labels)


def train_processor(processor: str, lang: str, work: Path, args: argparse.Namespace) -> None:
    """Train one processor into ``<work>/models``."""
    code, target = languages.get(lang).stanza, work / "models" / processor / "tiny.pt"
    base = (args.base or args.out) / code / processor / "tiny.pt" if args.resume else None
    options: dict[str, Any] = {"seed": args.seed, "base": base, "cutoff": args.cutoff or args.times + 1}
    if processor == "pos":
        training.train_tagger(code, work / "train.conllu", target, args.epochs, **options)
    elif processor == "depparse":
        tagger = work / "models" / "pos" / "tiny.pt"
        tagger = tagger if tagger.is_file() else args.out / code / "pos" / "tiny.pt"
        training.retag(tagger, work / "parser.conllu", work / "tagged.conllu")
        training.train_parser(code, work / "tagged.conllu", target, args.epochs, **options)
    else:
        run_module("models.tokenizer", *tokenizer_arguments(lang, work, args), "--save_dir", target.parent)
        training.shrink(target)


def tokenizer_arguments(lang: str, work: Path, args: argparse.Namespace) -> list[object]:
    """Arguments of stanza's tokenizer trainer, all but the output folder."""
    code, spaced = languages.get(lang).stanza, bool(languages.get(lang).joiner)
    keys = ("txt_file", "label_file", "dev_txt_file", "dev_label_file", "dev_conll_gold", "mwt_json_file")
    names = ("train.txt", "train.labels", "dev.txt", "dev.labels", "dev.conllu", "dev.mwt.json")
    inputs = [item for key, name in zip(keys, names, strict=True) for item in (f"--{key}", work / name)]
    # Without spaces in the text the words are found from the characters alone: more to learn.
    width = 32 if spaced else 64
    size = [
        "--max_seqlen",
        300,
        "--hidden_dim",
        width,
        "--steps",
        args.tokenizer_steps,
        "--eval_steps",
        100,
        "--report_steps",
        100,
    ]
    extra: list[object] = [] if spaced else ["--skip_newline"]
    if not spaced:
        extra += ["--use_dictionary", "--external_dict", resource("parsers", "dictionary", f"{lang}.txt")]
    name = ["--mode", "train", "--lang", code, "--shorthand", f"{code}_tiny", "--save_name", "tiny.pt"]
    return [*name, *inputs, *size, *extra, "--no_use_mwt", "--seed", args.seed, "--cpu"]


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
    for lang in sorted(GRAMMARS):
        facts = languages.get(lang)
        models = {name: out / facts.stanza / name / "tiny.pt" for name in PROCESSORS}
        if not all(path.is_file() for path in models.values()):
            continue
        # No lemmas: the parser must have the processor, which then gives each word itself.
        names = dict.fromkeys(("tokenize", "pos"), "tiny") | {"lemma": "identity", "depparse": "tiny"}
        entry: dict[str, Any] = {"lang_name": facts.name, "packages": {"default": names}}
        entry |= {"default_processors": names, "default_dependencies": {}}
        # md5 is what stanza's index holds; the README gives sha256.
        entry |= {name: {"tiny": {"md5": hashlib.md5(path.read_bytes()).hexdigest()}} for name, path in models.items()}
        index[facts.stanza] = entry
        if facts.stanza != lang:
            index[lang] = {"alias": facts.stanza}
    (out / "resources.json").write_text(json.dumps(index, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def write_scores(
    out: Path,
    lang: str,
    bank: Treebank,
    real: Sequence[universal.Sentence],
    held: Sequence[universal.Sentence],
) -> None:
    """Measure the trained parser on what it has not seen and add the figures to scores.json."""
    from dualpair.syntax.evaluate import evaluate
    from dualpair.syntax.treebank import scores as measured

    path = out / "scores.json"
    scores = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    scores[lang] = {
        "generated": {part: evaluate(getattr(bank, part), lang, out) for part in ("dev", "test")},
        "development": measured.development(resource("parsers", "development", f"{lang}.txt"), lang, out),
    }
    if held:
        scores[lang]["treebank"] = measured.treebank(held, lang, out)
    LOG.info("%s %s", lang, scores[lang])
    path.write_text(json.dumps(scores, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def write_readme(out: Path) -> None:
    """Write README.md beside the models: what they are, scores, sizes, SHA-256."""
    scores = json.loads((out / "scores.json").read_text(encoding="utf-8"))
    lines = [
        README.strip(),
        "",
        "| language | sentences | splits right | held-out UD | words | UPOS | UAS | LAS | short ones cut as the tree |",
    ]
    lines.append("|---|---|---|---|---|---|---|---|---|")
    for lang, row in sorted(scores.items()):
        own, held = row["development"], row.get("treebank")
        cells = [lang, own["sentences"], f"{own['right']:.3f}"]
        if held:
            cells += [held["sentences"], *(f"{held[key]:.3f}" for key in ("words", "upos", "uas", "las", "split"))]
        lines.append("| " + " | ".join(map(str, [*cells, *["-"] * (9 - len(cells))])) + " |")
    lines += ["", "| language | part | sentences | tokenised | UPOS | UAS | LAS | splits right |"]
    lines.append("|---|---|---|---|---|---|---|---|")
    for lang, row in sorted(scores.items()):
        for part, found in sorted(row["generated"].items()):
            figures = " | ".join(f"{found[key]:.3f}" for key in ("tokenised", "upos", "uas", "las", "split"))
            lines.append(f"| {lang} | {part} | {found['sentences']} | {figures} |")
    lines += ["", "| file | bytes | SHA-256 |", "|---|---|---|"]
    for model in sorted(out.glob("*/*/tiny.pt")):
        digest = hashlib.sha256(model.read_bytes()).hexdigest()
        lines.append(f"| {model.relative_to(out).as_posix()} | {model.stat().st_size} | `{digest}` |")
    (out / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


README = """
# Small parsers

stanza models (tokenize, pos, depparse) for finding where the group ends and the attribute begins in short generic
sentences. `docs/parsers.md` says how they are trained, on what, and how well they do. They load without network.

**Licence: CC BY-SA 4.0** for the models (`*/*/tiny.pt`), which are trained on parts of four Universal Dependencies
treebanks under that licence; `docs/parsers.md` names them and their authors. The grammars, the lexicons, the
development sentences and the code are under Apache-2.0, as the rest.

`grammar/` and `lexicon/` hold the rules and the words of the generated sentences, `development/` sentences written by
hand on which the grammars were tuned.

The first table: sentences of `development/` with the right group and attribute (or rightly rejected), and the part of
the treebanks that was held out (one sentence in five): F1 of the words found; UPOS, UAS and LAS as F1 over words; share
of the sentences of up to 20 words that the gold tree cuts and the parser cuts at the same place. The second table:
generated sentences. `dev`: new sentences from the words of training. `test`: the words of the long lists were never
seen. UPOS, UAS and LAS are here over the sentences whose words are all right. The starter set's sentences are in no
part.
"""


if __name__ == "__main__":
    main()
