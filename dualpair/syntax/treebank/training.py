"""Training stanza's tagger and parser at a small size, in process.

stanza's own training loops are made for large treebanks: here the learning rate rises and falls once, words are hidden
behind the unknown word at random so that characters and position decide, and the parser learns with imperfect tags.
"""

from __future__ import annotations

import logging
import math
import time
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dualpair.syntax.treebank.quick import quick_layers
from dualpair.syntax.treebank.warm import warm_start

LOG = logging.getLogger(__name__)

SHAPE = """
    --no_pretrain --word_emb_dim 40 --char_emb_dim 32 --char_hidden_dim 80 --transformed_dim 64 --tag_emb_dim 32
    --deep_biaff_hidden_dim 64 --optim adam --lr 0.003
    --no_second_optim --cpu --dropout 0.25 --word_dropout 0.05
"""
_TAGGER = ["--hidden_dim", "112", "--composite_deep_biaff_hidden_dim", "16", "--beta2", "0.98"]
_PARSER = ["--num_layers", "2", "--no_linearization", "--no_distance", "--no_ufeats"]
_PARSER += ["--beta2", "0.98", "--weight_decay", "0"]
# The parser needs two layers for long subjects; a second one fits into the tagger's share of 4 MB where words are few.
_TAGGER_LAYERS = MappingProxyType({"en": 2, "es": 2, "ru": 2, "zh-hans": 2})
_PARSER_WIDTH = MappingProxyType({"zh-hans": 88})
_UNKNOWN, _FIRST_WORD = 1, 4
_HIDDEN_WORDS, _HIDDEN_TAGS = 0.35, 0.1
_WARM_UP = 0.08
_HALF_STEP = 16
_PEAK, _PEAK_AGAIN = 0.006, 0.002


def train_tagger(
    code: str,
    train: Path,
    target: Path,
    epochs: float,
    batch: int = 64,
    seed: int = 1,
    base: Path | None = None,
    cutoff: int = 3,
) -> None:
    """Train a tagger on a CoNLL-U file and save it in half precision.

    Args:
        code: stanza's language code.
        train: CoNLL-U file.
        target: model file to write.
        epochs: passes over the file.
        batch: sentences a step.
        seed: of weights and order.
        base: a tagger to go on from, at a third of the learning rate; words that it lacks are added.
        cutoff: how often a word must occur to be known by itself and not by its characters alone.
    """
    from stanza.models import tagger
    from stanza.models.common.utils import set_random_seed
    from stanza.models.pos.data import Dataset
    from stanza.models.pos.trainer import Trainer
    from stanza.utils.conll import CoNLL

    set_random_seed(seed)
    size = ["--num_layers", str(_TAGGER_LAYERS.get(code, 1)), "--word_cutoff", str(cutoff)]
    args = tagger.parse_args([*SHAPE.split(), *_TAGGER, *size, *_names(code)])
    args["augment_nopunct"] = 0.1
    data = Dataset(CoNLL.conll2doc(input_file=str(train)), args, None, evaluation=False)
    trainer = Trainer(args=args, vocab=data.vocab, pretrain=None, device="cpu")
    if base:
        warm_start(trainer.model, trainer.vocab, base)

    def hide(one: Any) -> None:
        _hide(one.words, _HIDDEN_WORDS)

    peak = _PEAK_AGAIN if base else _PEAK
    with quick_layers():
        _fit(trainer, trainer.optimizers, lambda: data.to_loader(batch_size=batch, shuffle=True), hide, epochs, peak)
    _save(trainer, target)


def train_parser(
    code: str,
    train: Path,
    target: Path,
    epochs: float,
    batch: int = 700,
    seed: int = 1,
    base: Path | None = None,
    cutoff: int = 3,
) -> None:
    """Train a parser on a CoNLL-U file and save it in half precision.

    ``batch`` counts words; else as the tagger.
    """
    from stanza.models import parser
    from stanza.models.common.utils import set_random_seed
    from stanza.models.depparse.data import DataLoader
    from stanza.models.depparse.trainer import GraphTrainer
    from stanza.utils.conll import CoNLL

    set_random_seed(seed)
    size = ["--hidden_dim", str(_PARSER_WIDTH.get(code, 96)), "--word_cutoff", str(cutoff)]
    args = parser.parse_args([*SHAPE.split(), *_PARSER, *size, *_names(code)])
    args["augment_nopunct"] = 0.1
    loader = DataLoader(CoNLL.conll2doc(input_file=str(train)), batch, args, None, evaluation=False)
    trainer = GraphTrainer(args=args, vocab=loader.vocab, pretrain=None, device="cpu")
    if base:
        warm_start(trainer.model, trainer.vocab, base)

    def hide(one: Any) -> None:
        words, _, _, _, upos, xpos, _, _, lemmas = one[:9]
        _hide(words, _HIDDEN_WORDS)
        _hide(upos, _HIDDEN_TAGS)
        _hide(xpos, _HIDDEN_TAGS)
        # Lemmas are not used: every one is unknown, as it will be to the trained parser.
        _hide(lemmas, 1.0)

    with quick_layers():
        _fit(trainer, trainer.optimizer, lambda: _shuffled(loader), hide, epochs, _PEAK_AGAIN if base else _PEAK)
    _save(trainer, target)


def _names(code: str) -> list[str]:
    return ["--lang", code, "--shorthand", f"{code}_tiny", "--mode", "train"]


def retag(model: Path, source: Path, target: Path) -> None:
    """Write a CoNLL-U file anew with the tags that a tagger gives its words.

    A parser that is trained on such tags, of sentences that the tagger has not seen, learns not to trust them blindly.
    """
    from stanza.models.common.utils import unsort
    from stanza.models.pos.data import Dataset
    from stanza.models.pos.trainer import Trainer
    from stanza.utils.conll import CoNLL

    trainer = Trainer(model_file=str(model), device="cpu", args={"augment_nopunct": 0.0})
    document = CoNLL.conll2doc(input_file=str(source))
    data = Dataset(document, trainer.args, None, vocab=trainer.vocab, evaluation=True, sort_during_eval=True)
    tags: list[Any] = []
    order: list[int] = []
    for one in data.to_loader(batch_size=200):
        tags += trainer.predict(one)
        order += one.idx
    rows = iter([tag for sentence in unsort(tags, order) for tag in sentence])
    lines = []
    for line in source.read_text(encoding="utf-8").splitlines():
        cells = line.split("\t")
        if len(cells) == 10:
            cells[3:5] = next(rows)[:2]
        lines.append("\t".join(cells))
    target.write_text("\n".join(lines) + "\n\n", encoding="utf-8")


def _shuffled(loader: Any) -> list[Any]:
    import random

    if hasattr(loader, "reshuffle"):
        loader.reshuffle()
    batches = list(loader)
    random.shuffle(batches)
    return batches


def _hide(ids: Any, share: float) -> None:
    """Replace a share of the words' ids (not padding, unknown or root) by the unknown word's, in place."""
    import torch

    ids[(ids >= _FIRST_WORD) & (torch.rand(ids.shape) < share)] = _UNKNOWN


def _fit(
    trainer: Any,
    optimizers: Any,
    batches: Callable[[], Iterable[Any]],
    hide: Callable[[Any], None],
    epochs: float,
    peak: float,
) -> None:
    """Run the trainer over the batches; the learning rate rises to the peak and falls to nothing along a cosine."""
    import torch

    torch.set_num_threads(1)
    per_epoch = len(list(batches()))
    total = max(1, math.ceil(epochs * per_epoch))
    step, losses, started = 0, 0.0, time.monotonic()
    while step < total:
        for one in batches():
            if step == total:
                break
            rate = peak * _share(step / total)
            for optimizer in optimizers.values():
                for group in optimizer.param_groups:
                    group["lr"] = max(rate, 1e-6)
            hide(one)
            loss = trainer.update(one)
            losses += float(loss[0] if isinstance(loss, tuple) else loss)
            step += 1
            if step % 50 == 0:
                LOG.info("step %d/%d loss %.3f %.0f s", step, total, losses / 50, time.monotonic() - started)
                losses = 0.0


def _share(done: float) -> float:
    """The learning rate as a share of its peak, after a share of the steps."""
    if done < _WARM_UP:
        return done / _WARM_UP
    return (1 + math.cos(math.pi * (done - _WARM_UP) / (1 - _WARM_UP))) / 2


def _save(trainer: Any, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    trainer.save(str(target))
    shrink(target)


def shrink(path: Path) -> None:
    """Store a model's weights in half precision, rounded, without the trainer's paths and the tokenizer's dictionary.

    stanza copies the weights into its float32 modules when it loads them; of the dictionary it reads the merged list.
    """
    import torch

    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    weights = checkpoint["model"]
    checkpoint["model"] = {
        name: _rounded(w) if torch.is_tensor(w) and w.is_floating_point() else w for name, w in weights.items()
    }
    checkpoint["config"] = {
        key: None if isinstance(value, str) and value.startswith("/") else value
        for key, value in checkpoint["config"].items()
    }
    checkpoint.pop("external_dict", None)
    torch.save(checkpoint, path)
    _deflate(path)


def _rounded(weight: Any) -> Any:
    """Weights in half precision with five of its ten fractional bits, the last five nought: they compress by a quarter.

    The error is at most 1.6 %; no score of the shipped parsers changed by more than a sentence or two.
    """
    import torch

    bits = weight.half().view(torch.int16)
    # Sign and magnitude: adding half a step to the magnitude and cutting rounds to the nearest.
    return ((bits + _HALF_STEP) & ~(2 * _HALF_STEP - 1)).view(torch.float16)


def _deflate(path: Path) -> None:
    """Write PyTorch's archive anew with its parts compressed, which it reads as well: word lists shrink to a third."""
    with zipfile.ZipFile(path) as archive:
        parts = {info.filename: archive.read(info) for info in archive.infolist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)
