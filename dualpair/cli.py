"""`dualpair`: small helpers round the workflow."""

from __future__ import annotations

import argparse
import importlib.util
import logging
import shlex
import shutil
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dualpair import __version__, compare, paths
from dualpair import config as configs
from dualpair.errors import InputError, PrerequisiteError
from dualpair.measures.spans import NORMALISATIONS, SCOPES, UNITS

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from dualpair.models.registry import ModelEntry
    from dualpair.scoring.context import Context
    from dualpair.scoring.engine import Engine
    from dualpair.sources.settings import Reading
    from dualpair.store import Store


def main(argv: Sequence[str] | None = None) -> None:
    """Run one command; bad input ends with status 2 and one message."""
    words = list(sys.argv[1:] if argv is None else argv)
    args = parser().parse_args(words)
    args.words = words
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    command: Callable[[argparse.Namespace], None] = args.command
    try:
        command(args)
    except (InputError, PrerequisiteError, ValueError, FileNotFoundError) as error:
        print(f"dualpair: {error}", file=sys.stderr)
        raise SystemExit(2) from None


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(prog="dualpair", description=__doc__)
    top.add_argument("--version", action="version", version=__version__)
    commands = top.add_subparsers(required=True, metavar="command")

    doctor = commands.add_parser("doctor", help="what is installed, where the caches are, what they hold")
    doctor.set_defaults(command=run_doctor)

    cache = commands.add_parser("cache", help="empty the cache of embedded models")
    cache.add_argument("--clear", action="store_true", help="delete the assembled models")
    cache.set_defaults(command=run_cache)

    _store_parser(commands)

    summary = commands.add_parser("summary", help="what a run kept and dropped")
    summary.add_argument("folder", type=Path, help="results/<run>")
    summary.add_argument("--rows", action="store_true", help="list the rows of every table too")
    summary.set_defaults(command=run_summary)

    compare.add_parser(commands)

    unlock = commands.add_parser("unlock", help="remove a stale workflow lock of this folder")
    unlock.set_defaults(command=run_unlock)

    probe = commands.add_parser("probe", help="measure one dual pair and say what it means")
    _model_options(probe)
    probe.add_argument("--groups", nargs="+", required=True, help="the stereotyped group, then the contrasts")
    probe.add_argument("--attribute", required=True)
    probe.add_argument("--alternate", required=True)
    probe.add_argument("--lang", required=True)
    probe.add_argument("--mark", default="", help="final mark, e.g. .")
    probe.add_argument("--normalisation", choices=NORMALISATIONS, default="mean", help="default: mean, per token")
    probe.add_argument("--scope", choices=SCOPES, default="attribute", help="default: attribute, given the group")
    probe.set_defaults(command=run_probe)

    score = commands.add_parser("score", help="score a table of prefix,continuation")
    _model_options(score)
    score.add_argument(
        "--in", dest="source", type=Path, required=True,
        help="table with the columns prefix,continuation[,lang]: .csv, .tsv, .parquet or .jsonl",
    )  # fmt: skip
    score.add_argument("--out", type=Path, required=True, help="file to write: .parquet, .csv, .tsv or .jsonl")
    score.add_argument(
        "--join", action="store_true", help="put the joiner of the row's language before its continuation"
    )
    score.add_argument("--encoding", default="utf-8", help="encoding of a text file (default: utf-8)")
    score.add_argument("--delimiter", choices=("auto", "comma", "semicolon", "tab", "pipe"), default="auto")
    score.add_argument("--quotes", choices=("double", "none"), default="double", help="none: a quote mark is text")
    score.add_argument("--tokens", action="store_true", help="write token ids and log-probabilities (.parquet, .jsonl)")
    score.set_defaults(command=run_score)
    _calibrate_parser(commands)
    return top


def _calibrate_parser(commands: Any) -> None:
    about = "fit an instruct model as inference judge on labelled pairs, or measure a classifier on them"
    judge = commands.add_parser("calibrate-judge", help=about, description=about)
    judge.add_argument("--model", required=True, help="name of a built-in model, or of one in --config")
    judge.add_argument("--config", type=Path, help="config file whose `models`, device and token budget are used")
    judge.add_argument(
        "--pairs", type=Path, metavar="CSV",
        help="labelled pairs: lang,premise,hypothesis,label (paraphrase, opposite, unrelated, different); those of "
        "--scores call no model; default: the shipped ones",
    )  # fmt: skip
    judge.add_argument(
        "--dtype", choices=("auto", "bfloat16", "float16", "float32"), default="auto", help="a fit holds for one dtype"
    )
    judge.add_argument("--out", type=Path, metavar="YAML", help="write the lines for the model's entry")
    judge.add_argument("--scores", type=Path, metavar="CSV", help="write the pairs with their log-probabilities")
    judge.set_defaults(command=run_calibrate_judge)


def _model_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--model", required=True, help="name of a built-in model, or of one in --config")
    command.add_argument("--config", type=Path, help="config file whose `models`, device and token budget are used")
    command.add_argument(
        "--context", default=configs.NO_CONTEXT, help="none (default), chat_template, or a text put in front, verbatim"
    )
    command.add_argument("--chat-message", default="", help="what the user says, for --context chat_template")


def run_doctor(args: argparse.Namespace) -> None:
    """Print versions, caches and their sizes, device and dtype."""
    from dualpair.models import device, embedded
    from dualpair.stages.identity import libraries

    print(f"dualpair {__version__}, files in {paths.home()}")
    for name, version in libraries("snakemake", "torch", "transformers", "stanza", "pandas", "pyarrow").items():
        print(f"  {name} {version}")
    where = device.resolve_device("auto")
    print(f"device auto: {where}, dtype auto: {device.resolve_dtype('auto', where)} ({device.cpu_name()})")
    for name in sorted(embedded.recipes()):
        folder = embedded.installed(name)
        print(f"  model {name}: {f'{_megabytes(folder)} MB in {folder}' if folder else 'not assembled yet'}")
    print(f"LanguageTool: {_languagetool()}")
    print(f"store: {_megabytes(paths.default_store())} MB in {paths.default_store()}")


def _languagetool() -> str:
    """Whether a local LanguageTool and a Java for it are found."""
    from dualpair.filters import languagetool_server as servers

    try:
        return f"{servers.find_copy(servers.VERSION, offline=True)}, run by {servers.find_java()}"
    except (InputError, PrerequisiteError) as error:
        return f"not found: {error}"


def run_cache(args: argparse.Namespace) -> None:
    """Show, or delete, the assembled models (the store is left alone)."""
    folder = paths.cache() / "models"
    print(f"{folder}: {_megabytes(folder)} MB")
    if args.clear:
        shutil.rmtree(folder, ignore_errors=True)
        print("deleted; they are downloaded and assembled again when needed")


def _store_parser(commands: Any) -> None:
    top = commands.add_parser("store", help="check, carry over and tidy the store of model calls")
    actions = top.add_subparsers(required=True, metavar="action")

    def action(name: str, command: Callable[[argparse.Namespace], None], help: str) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = actions.add_parser(name, help=help, description=help)
        made.add_argument("--store", type=Path, default=None, help="folder; default: in the user's cache")
        made.set_defaults(command=command)
        return made

    action("verify", run_store_verify, "read every answer and report damage")
    export = action("export", run_store_export, "write the answers as one file")
    export.add_argument("out", type=Path, metavar="OUT.parquet", help="file to write")
    export.add_argument("--kind", help="answers of this kind only, such as score")
    export.add_argument("--model", action="append", default=[], help="answers of this model only; may be repeated")
    action("import", run_store_import, "add the answers of an exported file").add_argument("file", type=Path)
    tidy = action("gc", run_store_gc, "merge small files, and remove what is named")
    tidy.add_argument("--keep-days", type=float, metavar="N", help="remove what no run has used for N days")
    tidy.add_argument("--model", action="append", default=[], help="remove this model's answers; may be repeated")
    tidy.add_argument("--dry-run", action="store_true", help="say what would be done")


def _store_there(args: argparse.Namespace) -> Store:
    """The store, which must be there.

    Raises:
        InputError: no such folder.
    """
    from dualpair.store import Store

    store = Store(args.store or paths.default_store())
    if not store.root.is_dir():
        raise InputError(f"{store.root}: there is no store (no such folder); correct --store, or run a workflow first")
    return store


def run_store_verify(args: argparse.Namespace) -> None:
    """Check every segment."""
    from dualpair import store_tools

    store = _store_there(args)
    found = store_tools.verify(store)
    for line in (*found.notes, *found.problems):
        print(line)
    print(f"{store.root}: {len(store.spaces())} spaces, {len(found.problems)} problems")
    if found.problems:
        raise SystemExit(1)


def run_store_export(args: argparse.Namespace) -> None:
    """Write answers as one file."""
    from dualpair import store_tools

    count = store_tools.export(_store_there(args), args.out, args.kind, args.model)
    print(f"{args.out}: {count} answers")


def run_store_import(args: argparse.Namespace) -> None:
    """Add the answers of an exported file."""
    from dualpair import store_tools
    from dualpair.store import Store

    for space in store_tools.import_file(Store(args.store or paths.default_store()), args.file):
        print(f"{space.space}: {space.added} added, {space.present} there already, {space.differing} differed")


def run_store_gc(args: argparse.Namespace) -> None:
    """Tidy the store, and remove what is named."""
    from dualpair import store_tools

    if args.keep_days is not None and args.keep_days < 0:
        raise InputError(f"--keep-days {args.keep_days}: give 0 or more days")
    store = _store_there(args)
    done = store_tools.collect(store, args.keep_days, args.model, args.dry_run)
    for what in done:
        print(f"{what.folder}: {what.action} ({what.size / 1e6:.1f} MB)")
    if not done:
        print(f"{store.root}: nothing to do")
    elif args.dry_run:
        print("dry run: nothing was changed")


def run_summary(args: argparse.Namespace) -> None:
    """Print the run's summary."""
    from dualpair.summary import rows_per_table, summary

    print(summary(args.folder))
    if args.rows:
        for path, rows in rows_per_table(args.folder).items():
            print(f"{rows:>7}  {path}")


def run_unlock(args: argparse.Namespace) -> None:
    """Remove the lock that a killed workflow left in this folder and end its jobs, unless a live workflow is there.

    A job outlives a workflow that was killed alone; what it had finished is in the store, where the next run goes on.

    Raises:
        InputError: a workflow is running here.
    """
    locks = Path(".snakemake") / "locks"
    held = sorted(locks.glob("*")) if locks.is_dir() else []
    running = _processes_here("snakemake")
    if running and held:
        raise InputError(f"a workflow is running in {Path.cwd()} (process {running[0].pid}); wait for it, or end it")
    if not running:
        scripts = {path.name for path in (paths.home() / "scripts").glob("*.py")}
        for job in _processes_here(*scripts):
            job.kill()
            print(f"ended a job that a killed workflow left running (process {job.pid})")
    if not held:
        return
    for lock in held:
        lock.unlink()
    print(f"removed the lock that a killed workflow left in {Path.cwd()}")


def _processes_here(*programs: str) -> list[Any]:
    """Processes that run one of the programs (or scripts) and whose working directory is this one."""
    import psutil

    found = []
    for process in psutil.process_iter(["pid", "cmdline"]):
        words = {Path(word).name for word in (process.info["cmdline"] or [])[:3]}
        try:
            if words & set(programs) and Path(process.cwd()) == Path.cwd():
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


def run_probe(args: argparse.Namespace) -> None:
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
    x, y = _probe_values(args, texts)
    result = dual_pair(x, y)
    unit = UNITS[args.normalisation]
    for group, a, b, q in zip(args.groups, x, y, result.q, strict=True):
        print(f"{group}: x = {a:.4f}, y = {b:.4f} {unit}, q = {q:.4f}")
    for group, b, b_alt, both in zip(args.groups[1:], result.B_G, result.B_G_alt, result.B_GxA, strict=True):
        print(f"{args.groups[0]} against {group}: B_G = {b:.4f}, B_G_alt = {b_alt:.4f}, B_GxA = {both:.4f} {unit}")
    print(f"I_GxA = {result.I_GxA:.4g} bits")
    print(_meaning(args, float(result.B_GxA[0]), bool(result.contradiction)))


def _probe_values(args: argparse.Namespace, texts: Sequence[str]) -> tuple[list[float], list[float]]:
    """Scores of the groups with attribute (x) and alternate (y), reduced as the options say."""
    from dualpair.measures.spans import side_values
    from dualpair.scoring.engine import Failure
    from dualpair.scoring.table import frame_of, score_each

    chosen = _chosen(args)
    _warn_of_space(chosen.context, [args.lang])
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


def run_score(args: argparse.Namespace) -> None:
    """Score a table, verbatim or joined, and write the scores in its order."""
    from dualpair.scoring import pairs_file
    from dualpair.scoring.engine import Failure
    from dualpair.scoring.table import frame_of, score_each
    from dualpair.stages import identity, score

    pairs_file.check_out(args.out, args.tokens, args.source)
    pairs = pairs_file.read_pairs(args.source, args.join, _reading(args))
    chosen = _chosen(args)
    _warn_of_space(chosen.context, {pair.lang for pair in pairs})
    texts = [(pair.prefix, pair.continuation) for pair in pairs]
    with chosen.opened() as engine:
        model = identity.identity(chosen.entry, chosen.device, score.contract(chosen.entry))
        scored = score_each(engine, texts, chosen.context)
        label = engine.label
    frame = frame_of(label, texts, scored, args.tokens, model["weights"])
    frame.insert(0, "row", [pair.row for pair in pairs])
    frame.insert(1, "lang", [pair.lang for pair in pairs])
    frame["reason"] = [row.reason if isinstance(row, Failure) else "" for row in scored]
    for row, reason in frame.loc[~frame["kept"], ["row", "reason"]].itertuples(index=False):
        logging.warning("%s: row %d was not scored: %s", args.source, row, reason)
    pairs_file.write_scores(frame, args.out, args.tokens, {"model": model, **chosen.context.content()})
    print(f"{args.out}: {len(frame)} rows, {int(frame['kept'].sum())} scored")


def run_calibrate_judge(args: argparse.Namespace) -> None:
    """Judge labelled pairs, and print quality, fit and the lines for the registry."""
    from dualpair.filters import calibrate
    from dualpair.models.registry import ModelEntry, builtin_models

    options = calibrate.Options(args.model, args.pairs, args.dtype, out=args.out, scores=args.scores)
    if args.config is None:
        models = {name: ModelEntry.model_validate(entry) for name, entry in builtin_models().items()}
        print(calibrate.run(models, "resources/models.yaml", options))
        return
    config = configs.load_file(args.config)
    device, budget = config.execution.device, config.execution.token_budget
    options = options._replace(device=device, token_budget=budget, offline=config.offline)
    print(calibrate.run(config.models, str(args.config), options))


def _reading(args: argparse.Namespace) -> Reading:
    """How the table is read."""
    from pydantic import ValidationError

    from dualpair.sources.settings import Reading

    try:
        return Reading(encoding=args.encoding, delimiter=args.delimiter, quotes=args.quotes)
    except ValidationError as error:
        problem = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise InputError(f"--encoding {args.encoding}: {problem}") from None


def _warn_of_space(front: Context, langs: Collection[str]) -> None:
    """Warn of a text context that runs into the sentence, in languages that put a space between words."""
    from dualpair import languages

    spaced = any(lang and languages.get(lang).joiner for lang in langs)
    if front.kind == "text" and spaced and not front.text[-1].isspace():
        logging.warning("--context does not end in a space, and none is added: %r", front.text)


class _Chosen(NamedTuple):
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


def _chosen(args: argparse.Namespace) -> _Chosen:
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
    return _Chosen(args.model, entry, front, device, token_budget, offline)


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


def _megabytes(folder: Path) -> int:
    return (
        round(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6) if folder.is_dir() else 0
    )


if __name__ == "__main__":
    main()
