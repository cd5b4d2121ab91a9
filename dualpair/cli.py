"""`dualpair`: small helpers round the workflow."""

from __future__ import annotations

import argparse
import logging
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dualpair import __version__, paths
from dualpair.errors import InputError, PrerequisiteError


def main(argv: Sequence[str] | None = None) -> None:
    """Run one command; bad input ends with status 2 and one message."""
    args = parser().parse_args(argv)
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

    store = commands.add_parser("store", help="check the store of model calls")
    store.add_argument("action", choices=["verify"])
    store.add_argument("--store", type=Path, default=None, help="folder; default: in the user's cache")
    store.set_defaults(command=run_store)

    summary = commands.add_parser("summary", help="what a run kept and dropped")
    summary.add_argument("folder", type=Path, help="results/<run>")
    summary.add_argument("--rows", action="store_true", help="list the rows of every table too")
    summary.set_defaults(command=run_summary)

    unlock = commands.add_parser("unlock", help="remove a stale workflow lock of this folder")
    unlock.set_defaults(command=run_unlock)

    probe = commands.add_parser("probe", help="measure one dual pair and say what it means")
    probe.add_argument("--model", required=True, help="name of a built-in causal model")
    probe.add_argument("--groups", nargs="+", required=True, help="the stereotyped group, then the contrasts")
    probe.add_argument("--attribute", required=True)
    probe.add_argument("--alternate", required=True)
    probe.add_argument("--lang", required=True)
    probe.add_argument("--mark", default="", help="final mark, e.g. .")
    probe.set_defaults(command=run_probe)

    score = commands.add_parser("score", help="score a CSV table of prefix,continuation")
    score.add_argument("--model", required=True, help="name of a built-in causal model")
    score.add_argument(
        "--in", dest="source", type=Path, required=True, help="CSV with the columns prefix,continuation[,lang]"
    )
    score.add_argument("--out", type=Path, required=True, help="Parquet file to write")
    score.add_argument(
        "--join", action="store_true", help="put the joiner of the row's language before its continuation"
    )
    score.set_defaults(command=run_score)
    return top


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
    print(f"store: {_megabytes(paths.default_store())} MB in {paths.default_store()}")


def run_cache(args: argparse.Namespace) -> None:
    """Show, or delete, the assembled models (the store is left alone)."""
    folder = paths.cache() / "models"
    print(f"{folder}: {_megabytes(folder)} MB")
    if args.clear:
        shutil.rmtree(folder, ignore_errors=True)
        print("deleted; they are downloaded and assembled again when needed")


def run_store(args: argparse.Namespace) -> None:
    """Check every segment."""
    from dualpair.store import Store

    store = Store(args.store or paths.default_store())
    problems = store.verify()
    for problem in problems:
        print(problem)
    print(f"{store.root}: {len(store.spaces())} spaces, {len(problems)} problems")
    if problems:
        raise SystemExit(1)


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
    from dualpair import languages, scoring
    from dualpair.measures.dual_pair import dual_pair

    if len(set(args.groups)) < len(args.groups) or args.attribute == args.alternate:
        raise InputError("--groups, --attribute, --alternate: two of them are equal; give different groups and texts")
    if not all(text.strip() for text in (*args.groups, args.attribute, args.alternate)):
        raise InputError("--groups, --attribute, --alternate: one of them is empty; give a text for each")
    if len(args.groups) < 2:
        raise InputError(
            f"--groups: {args.groups} names one group; give the stereotyped group and at least one contrast"
        )
    joiner = languages.get(args.lang).joiner
    texts = [f"{joiner}{text}{args.mark}" for text in (args.attribute, args.alternate)]
    frame = scoring.score(args.model, [(group, text) for text in texts for group in args.groups])
    means = (frame["logprob_sum"] / frame["n_tokens"]).tolist()
    x, y = means[: len(args.groups)], means[len(args.groups) :]
    result = dual_pair(x, y)
    for group, a, b, q in zip(args.groups, x, y, result.q, strict=True):
        print(f"{group}: x = {a:.4f}, y = {b:.4f} nats per token, q = {q:.4f}")
    for group, b, b_alt, both in zip(args.groups[1:], result.B_G, result.B_G_alt, result.B_GxA, strict=True):
        print(f"{args.groups[0]} against {group}: B_G = {b:.4f}, B_G_alt = {b_alt:.4f}, B_GxA = {both:.4f} nats")
    print(f"I_GxA = {result.I_GxA:.4g} bits")
    print(_meaning(args, float(result.B_GxA[0]), bool(result.contradiction)))


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
    """Score a table, verbatim or joined."""
    from dualpair import artifacts, languages, scoring
    from dualpair.sources import reading

    rows = reading.read_csv(args.source, ["prefix", "continuation", *(["lang"] if args.join else [])])
    pairs = []
    for row in rows:
        joiner = languages.get(row.cells["lang"]).joiner if row.cells.get("lang") else ""
        continuation = row.cells["continuation"]
        if args.join:
            continuation = continuation if joiner and continuation.startswith(joiner) else joiner + continuation
        elif joiner and not continuation.startswith(joiner):
            logging.warning(
                "%s: line %d: %r begins without the space that its language needs (--join adds it)",
                args.source,
                row.line,
                continuation,
            )
        pairs.append((row.cells["prefix"], continuation))
    frame = scoring.score(args.model, pairs).drop_duplicates("sentence_id")
    artifacts.write(frame, args.out, "scores")
    print(f"{args.out}: {len(frame)} distinct sentences")


def _megabytes(folder: Path) -> int:
    return (
        round(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6) if folder.is_dir() else 0
    )


if __name__ == "__main__":
    main()
