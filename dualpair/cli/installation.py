"""`dualpair doctor` and `dualpair cache`: what is installed, and the cache of embedded models."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any

from dualpair import __version__, paths
from dualpair.errors import InputError, PrerequisiteError


def add_parser(commands: Any) -> None:
    """Add the commands to the command line."""
    doctor = commands.add_parser("doctor", help="what is installed, where the caches are, what they hold")
    doctor.set_defaults(command=run_doctor)

    cache = commands.add_parser("cache", help="empty the cache of embedded models")
    cache.add_argument("--clear", action="store_true", help="delete the assembled models")
    cache.set_defaults(command=run_cache)


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


def _megabytes(folder: Path) -> int:
    return (
        round(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6) if folder.is_dir() else 0
    )
