"""The files of a checkpoint: where they are on this machine, and whether a loader will find what it needs in them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dualpair.errors import InputError, PrerequisiteError

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
ADAPTER_CONFIG = "adapter_config.json"
ADAPTER_WEIGHTS = "adapter_model.safetensors"

TEXT_PATTERNS = ("*.json", "*.txt", "*.model", "*.jinja", "*.tiktoken")
WEIGHT_PATTERNS = ("*.safetensors",)
_OTHER_WEIGHTS = (".bin", ".pt", ".pth", ".ckpt", ".gguf", ".h5", ".msgpack")
_TOKENIZER_FILES = (
    "tokenizer.json", "tokenizer_config.json", "tokenizer.model", "vocab.json", "vocab.txt", "spiece.model",
    "sentencepiece.bpe.model", "tekken.json",
)  # fmt: skip
_LFS = b"version https://git-lfs"
_SHOWN = 8


def within(folder: Path, subfolder: str = "") -> Path:
    """The folder inside a source that a registry entry names.

    Raises:
        InputError: it is not inside, or not there; the message lists the folders that hold a checkpoint.
    """
    if not subfolder:
        return folder
    part = Path(subfolder)
    if part.is_absolute() or ".." in part.parts:
        raise InputError(
            f"subfolder {subfolder!r}: expected a path inside {folder}, without a leading / and without .."
        )
    if not (folder / part).is_dir():
        found = sorted(p.parent.relative_to(folder).as_posix() for p in folder.rglob(CONFIG))
        there = ", ".join(name for name in found if name != ".") or "none"
        raise InputError(f"subfolder {subfolder!r} is not in {folder}; folders there with a {CONFIG}: {there}")
    return folder / part


def local(place: Path | str, revision: str = "", subfolder: str = "") -> Path | None:
    """Folder of a local path, or of a hub id in the local hub cache; None where the hub would have to be asked.

    Raises:
        InputError: a subfolder that is not there.
    """
    folder = Path(place) if Path(place).is_dir() else snapshot(str(place), revision)
    return None if folder is None else within(folder, subfolder)


def snapshot(repository: str, revision: str) -> Path | None:
    """Folder of a hub repository's revision in the local hub cache, or None; never contacts the hub."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return Path(snapshot_download(repository, revision=revision.strip(), local_files_only=True))
    except LocalEntryNotFoundError:
        return None


def download(
    repository: str, revision: str, patterns: Iterable[str], subfolder: str = "", nested: bool = False
) -> Path:
    """Fetch files of a hub repository's revision into the local hub cache.

    Args:
        repository: `ORG/NAME`.
        revision: commit.
        patterns: names of files to take, such as ``*.json``.
        subfolder: take them from this folder only.
        nested: without a subfolder: whether files in folders are taken too.

    Returns:
        The revision's folder in the cache.

    Raises:
        PrerequisiteError: the hub cannot be reached, or it does not give the files.
    """
    from huggingface_hub import snapshot_download

    wanted = [f"{subfolder}/{pattern}" if subfolder else pattern for pattern in patterns]
    ignored = None if subfolder or nested else ["*/*"]
    try:
        return Path(snapshot_download(repository, revision=revision, allow_patterns=wanted, ignore_patterns=ignored))
    except OSError as error:  # also every error of the hub's client
        raise PrerequisiteError(
            f"hf:{repository} at {revision} could not be fetched: {error}; check the network, the revision, and for a "
            "gated model the access of the token in the environment variable HF_TOKEN"
        ) from error


def absent(repository: str, revision: str) -> str:
    """What to tell the user when a hub repository is not in the local cache and the hub must not be contacted."""
    return (
        f"hf:{repository} at {revision} is not in the local hub cache: run `hf download {repository} --revision "
        f"{revision}` on a machine that reaches the hub, or set `offline: false`"
    )


def config(folder: Path) -> dict[str, Any]:
    """A checkpoint's config.json.

    Raises:
        PrerequisiteError: the folder is empty, or holds no config.json.
        InputError: the file is no JSON object.
    """
    path = folder / CONFIG
    if not path.is_file():
        raise PrerequisiteError(_no_config(folder))
    return read_object(path)


def read_object(path: Path) -> dict[str, Any]:
    """A JSON file that holds an object.

    Raises:
        InputError: it does not.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path}: no valid JSON ({error}); fetch the checkpoint again") from error
    if not isinstance(value, dict):
        raise InputError(f"{path}: expected a JSON object, found {type(value).__name__}")
    return value


def check(folder: Path, tokenizer: bool = True) -> None:
    """Refuse a checkpoint that transformers could not load as safetensors, before anything heavy is imported.

    Args:
        folder: with config, weights and, unless another one is used, tokenizer.
        tokenizer: whether the tokenizer must be there too.

    Raises:
        PrerequisiteError: what is missing, what is there instead, and how to get from one to the other.
    """
    config(folder)
    check_plain(folder)
    _check_weights(folder)
    if tokenizer:
        check_tokenizer(folder)


def check_plain(folder: Path) -> None:
    """Refuse a model with an adapter in the same folder, which transformers would apply or not as peft is installed.

    Raises:
        PrerequisiteError: it holds both.
    """
    if (folder / CONFIG).is_file() and (folder / ADAPTER_CONFIG).is_file():
        raise PrerequisiteError(
            f"{folder} holds a model and a LoRA adapter: move {ADAPTER_CONFIG} and {ADAPTER_WEIGHTS} to a folder of "
            "their own, and name that in `adapter:` if the adapter is wanted"
        )


def check_tokenizer(folder: Path) -> None:
    """Refuse a folder without any tokenizer file.

    Raises:
        PrerequisiteError: none of the usual files is there.
    """
    if not any((folder / name).is_file() for name in _TOKENIZER_FILES):
        raise PrerequisiteError(
            f"{folder} holds no tokenizer (such as tokenizer.json); found: {listing(folder)}. Name one with "
            "`tokenizer:` in the model's entry, e.g. `tokenizer: hf:ORG/NAME` with `tokenizer_revision:`"
        )


def has_chat_template(folder: Path) -> bool:
    """Whether a tokenizer's files hold a chat template; loads no tokenizer."""
    if (folder / "chat_template.jinja").is_file() or (folder / "additional_chat_templates").is_dir():
        return True
    configs = [folder / "tokenizer_config.json", folder / "chat_template.json"]
    return any(
        path.is_file() and bool(json.loads(path.read_text(encoding="utf-8")).get("chat_template")) for path in configs
    )


def check_file(path: Path) -> None:
    """Refuse a weight file that is only a pointer of git's large-file storage.

    Raises:
        PrerequisiteError: with the command that fetches the content.
    """
    with open(path, "rb") as source:
        if source.read(len(_LFS)) == _LFS:
            raise PrerequisiteError(
                f"{path} is a git-lfs pointer, not the weights: run `git lfs pull` in {path.parent}"
            )


def listing(folder: Path) -> str:
    """The first names in a folder, for messages."""
    names = sorted(p.name + ("/" if p.is_dir() else "") for p in folder.iterdir()) if folder.is_dir() else []
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return (", ".join(names[:_SHOWN]) + more) or "nothing"


def _no_config(folder: Path) -> str:
    if (folder / ADAPTER_CONFIG).is_file():
        return f"{folder} holds a LoRA adapter, not a model: name its base in `source:` and this folder in `adapter:`"
    inside = sorted(p.parent.name for p in folder.glob(f"*/{CONFIG}"))
    hint = f"; set `subfolder:` to one of: {', '.join(inside)}" if inside else ""
    return f"{folder} holds no {CONFIG}; found: {listing(folder)}{hint}"


def _check_weights(folder: Path) -> None:
    if (folder / INDEX).is_file():
        names = sorted(set(read_object(folder / INDEX).get("weight_map", {}).values()))
        missing = [name for name in names if not (folder / name).is_file()]
        if missing or not names:
            shown = ", ".join(missing[:_SHOWN]) or "all"
            raise PrerequisiteError(
                f"{folder}: {len(missing)} of {len(names)} weight files that {INDEX} lists are missing ({shown}): "
                "fetch the checkpoint again"
            )
    elif (folder / WEIGHTS).is_file():
        names = [WEIGHTS]
    else:
        raise PrerequisiteError(_no_weights(folder))
    for name in names:
        check_file(folder / name)


def _no_weights(folder: Path) -> str:
    others = sorted(p.name for p in folder.iterdir() if p.suffix in _OTHER_WEIGHTS)
    if not others:
        return f"{folder} holds no weights ({WEIGHTS}, or {INDEX} and its files); found: {listing(folder)}"
    gguf = next((name for name in others if name.endswith(".gguf")), None)
    extra = f", gguf_file='{gguf}'" if gguf else ""
    trust = "" if gguf else " (these files can run code when they are read: only from a source that you trust)"
    return (
        f"{folder} holds its weights only as {', '.join(others[:_SHOWN])}; they are taken as safetensors only. Convert "
        f'them once{trust}: python -c "from transformers import AutoModelForCausalLM as M, AutoTokenizer as T; '
        f"M.from_pretrained('{folder}'{extra}).save_pretrained('NEW'); "
        f"T.from_pretrained('{folder}'{extra}).save_pretrained('NEW')\" (AutoModelForMaskedLM for a masked model)"
    )
