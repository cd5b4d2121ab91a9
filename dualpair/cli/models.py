"""The model of a command that scores: its options, and what they choose."""

from __future__ import annotations

import argparse
import importlib.util
import logging
import shlex
import sys
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dualpair import config as configs
from dualpair import paths
from dualpair.errors import InputError, PrerequisiteError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from dualpair.models.registry import ModelEntry
    from dualpair.scoring.context import Context
    from dualpair.scoring.engine import Engine


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options that choose model and context."""
    command.add_argument("--model", required=True, help="name of a built-in model, or of one in --config")
    command.add_argument("--config", type=Path, help="config file whose `models`, device and token budget are used")
    command.add_argument(
        "--context", default=configs.NO_CONTEXT, help="none (default), chat_template, or a text put in front, verbatim"
    )
    command.add_argument("--chat-message", default="", help="what the user says, for --context chat_template")


class Chosen(NamedTuple):
    """The model of a command and how it is run."""

    name: str
    entry: ModelEntry
    context: Context
    device: str
    token_budget: int
    offline: bool

    def opened(self) -> AbstractContextManager[Engine]:
        """The loaded engine."""
        from dualpair.scoring.table import opened

        return opened(self.entry, self.name, self.token_budget, self.device, self.offline)


def chosen(args: argparse.Namespace) -> Chosen:
    """Model and context of the options.

    Raises:
        InputError: an unknown model, an invalid config, or a context that cannot be.
    """
    from dualpair.scoring import context
    from dualpair.scoring.table import builtin_entry, scoring_entry
    from dualpair.scoring.tokenisation import surrogate
    from dualpair.stages import score

    device, token_budget, offline, interpreter = "auto", 4096, True, "auto"
    if args.config is None:
        entry = builtin_entry(args.model)
    else:
        config = configs.load_file(args.config)
        entry = scoring_entry(config.models, args.model, str(args.config))
        device, token_budget = config.execution.device, config.execution.token_budget
        offline, interpreter = config.offline, config.execution.vllm_python
    _check_vllm(args, entry, interpreter)
    for name, text in (("--context", args.context), ("--chat-message", args.chat_message)):
        if surrogate(text):
            raise InputError(f"{name}: holds {surrogate(text)}")
    wrong = configs.context_problem(args.context)
    if wrong:
        raise InputError(f"--context: {wrong}")
    if args.chat_message and args.context != configs.CHAT_TEMPLATE:
        raise InputError(
            "--chat-message is what the user says under --context chat_template; add that, or leave it out"
        )
    if args.context == configs.CHAT_TEMPLATE:
        if not args.chat_message.strip():
            raise InputError("--context chat_template needs what the user says: give it with --chat-message")
        front = score.contexts({"": {"chat_message": args.chat_message}}, entry, args.model)[""]
    else:
        front = context.NO_CONTEXT if args.context == configs.NO_CONTEXT else context.text(args.context)
    return Chosen(args.model, entry, front, device, token_budget, offline)


def warn_of_space(front: Context, langs: Collection[str]) -> None:
    """Warn of a text context that runs into the sentence, in languages that put a space between words."""
    from dualpair import languages

    spaced = any(lang and languages.get(lang).joiner for lang in langs)
    if front.kind == "text" and spaced and not front.text[-1].isspace():
        logging.warning("--context does not end in a space, and none is added: %r", front.text)


def _check_vllm(args: argparse.Namespace, entry: ModelEntry, interpreter: str) -> None:
    """Refuse a vLLM model in an environment without vLLM, with the command that runs it in vLLM's own.

    Raises:
        PrerequisiteError: with the command.
    """
    if entry.engine != "vllm" or importlib.util.find_spec("vllm") is not None:
        return
    auto = interpreter == "auto"
    python = paths.home() / ".venv-vllm" / "bin" / "python" if auto else Path(interpreter).expanduser()
    there = "" if python.exists() else f" ({python} is not there yet: run `make vllm`, or set `execution.vllm_python`)"
    raise PrerequisiteError(
        f"model {args.model!r} has engine vllm, which {sys.executable} does not have{there}. Run:\n"
        f"  {shlex.join([str(python), '-m', 'dualpair.cli', *args.words])}"
    )
