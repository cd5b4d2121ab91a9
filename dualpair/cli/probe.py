"""`dualpair probe`: measure one dual pair and say what it means."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from dualpair.cli import models
from dualpair.errors import InputError
from dualpair.measures.spans import NORMALISATIONS, SCOPES, UNITS


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    probe = commands.add_parser("probe", help="measure one dual pair and say what it means")
    models.add_options(probe)
    probe.add_argument("--groups", nargs="+", required=True, help="the stereotyped group, then the contrasts")
    probe.add_argument("--attribute", required=True)
    probe.add_argument("--alternate", required=True)
    probe.add_argument("--lang", required=True)
    probe.add_argument("--mark", default="", help="final mark, e.g. .")
    probe.add_argument("--normalisation", choices=NORMALISATIONS, default="mean", help="default: mean, per token")
    probe.add_argument("--scope", choices=SCOPES, default="attribute", help="default: attribute, given the group")
    probe.set_defaults(command=run)


def run(args: argparse.Namespace) -> None:
    """Score the groups with attribute and alternate, and print the measures."""
    from dualpair import languages
    from dualpair.measures.dual_pair import dual_pair
    from dualpair.scoring.tokenisation import surrogate

    args.groups = [group.strip() for group in args.groups]  # the joiner is the language's
    args.attribute, args.alternate = args.attribute.strip(), args.alternate.strip()
    if not all((*args.groups, args.attribute, args.alternate)):
        raise InputError("--groups, --attribute, --alternate: one of them is empty; give a text for each")
    if len(set(args.groups)) < len(args.groups) or args.attribute == args.alternate:
        raise InputError("--groups, --attribute, --alternate: two of them are equal; give different groups and texts")
    for text in (*args.groups, args.attribute, args.alternate, args.mark):
        if surrogate(text):
            raise InputError(f"--groups, --attribute, --alternate, --mark: {text!r} holds {surrogate(text)}")
    if len(args.groups) < 2:
        raise InputError(
            f"--groups: {args.groups} names one group; give the stereotyped group and at least one contrast"
        )
    joiner = languages.get(args.lang).joiner
    texts = [f"{joiner}{text}{args.mark}" for text in (args.attribute, args.alternate)]
    x, y = _values(args, texts)
    result = dual_pair(x, y)
    unit = UNITS[args.normalisation]
    for group, a, b, q in zip(args.groups, x, y, result.q, strict=True):
        print(f"{group}: x = {a:.4f}, y = {b:.4f} {unit}, q = {q:.4f}")
    for group, b, b_alt, both in zip(args.groups[1:], result.B_G, result.B_G_alt, result.B_GxA, strict=True):
        print(f"{args.groups[0]} against {group}: B_G = {b:.4f}, B_G_alt = {b_alt:.4f}, B_GxA = {both:.4f} {unit}")
    print(f"I_GxA = {result.I_GxA:.4g} bits")
    print(_meaning(args, float(result.B_GxA[0]), bool(result.contradiction)))


def _values(args: argparse.Namespace, texts: Sequence[str]) -> tuple[list[float], list[float]]:
    """Scores of the groups with attribute (x) and alternate (y), reduced as the options say."""
    from dualpair.measures.spans import side_values
    from dualpair.scoring.engine import Failure
    from dualpair.scoring.table import frame_of, score_each

    chosen = models.chosen(args)
    models.warn_of_space(chosen.context, [args.lang])
    pairs = [(group, text) for text in texts for group in args.groups]
    with chosen.opened() as engine:
        scored = score_each(engine, pairs, chosen.context)
        label = engine.label
    for place, row in enumerate(scored):
        if isinstance(row, Failure):
            side = "--attribute" if place < len(args.groups) else "--alternate"
            raise InputError(f"group {pairs[place][0]!r} with {side}: model {args.model!r}: {row.reason}")
    frame = frame_of(label, pairs, scored, True)
    sides = frame.iloc[: len(args.groups)], frame.iloc[len(args.groups) :]
    x, y = (side_values(side, args.scope, args.normalisation) for side in sides)
    if None in (*x, *y):
        raise InputError(
            "--scope divergent: a sentence ends before it differs from the others, so that nothing of it can be "
            "scored; give other groups, or another scope"
        )
    return [float(v) for v in x if v is not None], [float(v) for v in y if v is not None]


def _meaning(args: argparse.Namespace, bias: float, contradiction: bool) -> str:
    first, second = args.groups[:2]
    if bias == 0:
        return f"{args.model} chooses between attribute and alternate alike for both groups."
    more = first if bias > 0 else second
    text = f"{args.model} leans to the attribute rather than the alternate more for {more!r} than for the other group"
    if contradiction:
        text += "; looked at alone, it prefers one group for the attribute and for its alternate: a contradiction"
    return text + "."
