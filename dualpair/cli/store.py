"""`dualpair store`: check, carry over and tidy the store of model calls."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dualpair import paths
from dualpair.errors import InputError

if TYPE_CHECKING:
    from dualpair.store import Store


def add_parser(commands: Any) -> None:
    """Add the command and its actions to the command line."""
    top = commands.add_parser("store", help="check, carry over and tidy the store of model calls")
    actions = top.add_subparsers(required=True, metavar="action")

    def action(name: str, command: Callable[[argparse.Namespace], None], help: str) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = actions.add_parser(name, help=help, description=help)
        made.add_argument("--store", type=Path, default=None, help="folder; default: in the user's cache")
        made.set_defaults(command=command)
        return made

    action("verify", run_verify, "read every answer and report damage")
    export = action("export", run_export, "write the answers as one file")
    export.add_argument("out", type=Path, metavar="OUT.parquet", help="file to write")
    export.add_argument("--kind", help="answers of this kind only, such as score")
    export.add_argument("--model", action="append", default=[], help="answers of this model only; may be repeated")
    action("import", run_import, "add the answers of an exported file").add_argument("file", type=Path)
    tidy = action("gc", run_gc, "merge small files, and remove what is named")
    tidy.add_argument("--keep-days", type=float, metavar="N", help="remove what no run has used for N days")
    tidy.add_argument("--model", action="append", default=[], help="remove this model's answers; may be repeated")
    tidy.add_argument("--dry-run", action="store_true", help="say what would be done")


def _there(args: argparse.Namespace) -> Store:
    """The store, which must be there.

    Raises:
        InputError: no such folder.
    """
    from dualpair.store import Store

    store = Store(args.store or paths.default_store())
    if not store.root.is_dir():
        raise InputError(f"{store.root}: there is no store (no such folder); correct --store, or run a workflow first")
    return store


def run_verify(args: argparse.Namespace) -> None:
    """Check every segment."""
    from dualpair import store_tools

    store = _there(args)
    found = store_tools.verify(store)
    for line in (*found.notes, *found.problems):
        print(line)
    print(f"{store.root}: {len(store.spaces())} spaces, {len(found.problems)} problems")
    if found.problems:
        raise SystemExit(1)


def run_export(args: argparse.Namespace) -> None:
    """Write answers as one file."""
    from dualpair import store_tools

    count = store_tools.export(_there(args), args.out, args.kind, args.model)
    print(f"{args.out}: {count} answers")


def run_import(args: argparse.Namespace) -> None:
    """Add the answers of an exported file."""
    from dualpair import store_tools
    from dualpair.store import Store

    for space in store_tools.import_file(Store(args.store or paths.default_store()), args.file):
        print(f"{space.space}: {space.added} added, {space.present} there already, {space.differing} differed")


def run_gc(args: argparse.Namespace) -> None:
    """Tidy the store, and remove what is named."""
    from dualpair import store_tools

    if args.keep_days is not None and args.keep_days < 0:
        raise InputError(f"--keep-days {args.keep_days}: give 0 or more days")
    store = _there(args)
    done = store_tools.collect(store, args.keep_days, args.model, args.dry_run)
    for what in done:
        print(f"{what.folder}: {what.action} ({what.size / 1e6:.1f} MB)")
    if not done:
        print(f"{store.root}: nothing to do")
    elif args.dry_run:
        print("dry run: nothing was changed")
