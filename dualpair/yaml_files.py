"""YAML files, read with messages that say what to mend.

Every file of settings, words and texts is read here. PyYAML takes the last of two equal keys in silence, so that a list
or a setting that someone wrote is lost; here a key that is named twice in one mapping is refused. What a merge (``<<``)
brings in is no second naming: the mapping's own keys go before it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dualpair.errors import InputError

if TYPE_CHECKING:
    import yaml

_MERGE = "tag:yaml.org,2002:merge"  # PyYAML merges all of several, so that none is lost
_TEXTS = ("tag:yaml.org,2002:str", "tag:yaml.org,2002:value")


def mapping(path: Path, keys: Iterable[str]) -> dict[Any, Any]:
    """The mapping that a YAML file holds; its keys and values are for the caller to check.

    Args:
        path: the file, UTF-8, with or without a byte order mark.
        keys: the keys that it may have, for the message.

    Raises:
        InputError: see :func:`document`; or the file holds something else than a mapping.
    """
    data = document(path)
    if not isinstance(data, dict):
        raise InputError(f"{path}: holds {type(data).__name__}, expected a mapping of the keys {', '.join(keys)}")
    return data


def document(path: Path) -> Any:
    """What a YAML file holds: one document, of whatever kind; None where it is empty.

    Raises:
        InputError: the file cannot be read, is not UTF-8 or not YAML, or names a key twice in one mapping.
    """
    return parse(_content(path), path)


def parse(content: bytes, path: Path) -> Any:
    """The same for content that was read already.

    Args:
        content: UTF-8, with or without a byte order mark.
        path: the file that it is of, for messages.

    Raises:
        InputError: the content is not UTF-8 or not YAML, or names a key twice in one mapping.
    """
    data, twice = _read(content, path)
    if twice:
        raise InputError("\n".join(f"{path}, {problem}" for problem in twice))
    return data


def repeated_keys(path: Path) -> list[str]:
    """Keys that a file names twice in one mapping, for a file whose data another program has read.

    Returns:
        One message each, with line, key and fix, in the order of the file.

    Raises:
        InputError: the file cannot be read, is not UTF-8 or not YAML.
    """
    return _read(_content(path), path)[1]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read as YAML: {error}") from error


def _read(content: bytes, path: Path) -> tuple[Any, list[str]]:
    """The data, and the keys that are named twice."""
    import yaml

    try:
        loader = yaml.SafeLoader(_text(content))
        try:
            node = loader.get_single_node()
            if node is None:
                return None, []
            twice = list(_repeated(loader, node, "", set()))
            return loader.construct_document(node), twice
        finally:
            loader.dispose()
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: not UTF-8 (byte {error.object[error.start]:#04x} at {error.start}); save it as UTF-8"
        ) from error
    except (yaml.YAMLError, ValueError) as error:  # ValueError: such as a date with month 13
        raise InputError(f"{path}: cannot be read as YAML: {error}; put texts with a colon in quotes") from error


def _text(content: bytes) -> str:
    """The text; JSON is YAML but for the tabs between its tokens."""
    text = content.decode("utf-8")
    if "\t" not in text:
        return text
    try:
        json.loads(text)
    except ValueError:
        return text
    return text.replace("\t", " ")  # inside its texts, JSON has no bare tab


def _repeated(loader: yaml.SafeLoader, node: yaml.Node, where: str, seen: set[int]) -> Iterator[str]:
    """A message for every key that stands twice in one mapping at or below a node.

    Args:
        loader: what makes the keys' values: `yes` and `true` are one key.
        node: the node, before merges are carried out.
        where: its dotted key.
        seen: ids of the nodes that were looked at; an anchored one hangs in several places.
    """
    import yaml

    if id(node) in seen or not isinstance(node, yaml.CollectionNode):
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield from _repeated(loader, item, f"{where}.{number}".lstrip("."), seen)
        return
    first: dict[Any, int] = {}
    for key, value in node.value:
        name = f"{where}.{key.value}".lstrip(".") if isinstance(key, yaml.ScalarNode) else where
        if isinstance(key, yaml.ScalarNode) and key.tag != _MERGE:
            line = key.start_mark.line + 1
            said = key.value if key.tag in _TEXTS else loader.construct_object(key)
            if said in first:
                yield f"line {line}: key `{name}` is named in line {first[said]} already; keep one of the two"
            first.setdefault(said, line)
        yield from _repeated(loader, value, name, seen)
