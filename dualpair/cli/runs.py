"""`dualpair summary` and `dualpair unlock`: what a run kept, and what a killed workflow left."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from dualpair import paths
from dualpair.errors import InputError


def add_parser(commands: Any) -> None:
    """Add the commands to the command line."""
    summary = commands.add_parser("summary", help="what a run kept and dropped")
    summary.add_argument("folder", type=Path, help="results/<run>")
    summary.add_argument("--rows", action="store_true", help="list the rows of every table too")
    summary.set_defaults(command=run_summary)

    unlock = commands.add_parser("unlock", help="remove a stale workflow lock of this folder")
    unlock.set_defaults(command=run_unlock)


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
    running = processes_here("snakemake")
    if running and held:
        raise InputError(f"a workflow is running in {Path.cwd()} (process {running[0].pid}); wait for it, or end it")
    if not running:
        scripts = {path.name for path in (paths.home() / "scripts").glob("*.py")}
        for job in processes_here(*scripts):
            job.kill()
            print(f"ended a job that a killed workflow left running (process {job.pid})")
    if not held:
        return
    for lock in held:
        lock.unlink()
    print(f"removed the lock that a killed workflow left in {Path.cwd()}")


def processes_here(*programs: str) -> list[Any]:
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
