"""BERTScore of each usable paraphrase against its set's original attribute.

Reads: augmented.parquet. Writes: analysis/bertscores.parquet, e.g. `en, s1, 3f2a..., 0.87`.
"""

from __future__ import annotations

import argparse
import logging

from dualpair import artifacts
from dualpair.models import registry
from dualpair.runlog import main
from dualpair.stages import bertscore, identity

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Embed every wording once and match the tokens of each pair."""
    augmented = artifacts.read(args.augmented, "augmented")
    entry = args.entry.model_copy(update={"dtype": "float32"})
    model = identity.identity(entry, args.device, {"contract": bertscore.CONTRACT})

    import torch

    from dualpair.models import masked_lm

    torch.set_num_threads(args.threads)
    lm = masked_lm.load_entry(entry, args.model, "float32", args.device, offline=args.hub != "on")
    at = bertscore.layer(entry.source, int(lm.model.config.num_hidden_layers))
    frame = bertscore.table(augmented, lm, at)
    log.info("BERTScore of %d paraphrases by %s, layer %d", len(frame), args.model, at)
    artifacts.write(frame, args.out, "bertscores", {"model": model, "layer": at})


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--augmented", required=True)
    parser.add_argument("--model", required=True, help="what messages call the model")
    parser.add_argument("--entry", required=True, type=registry.from_json, help="its registry entry, as JSON")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--hub", choices=("on", "off"), default="off")
    parser.add_argument("--out", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
