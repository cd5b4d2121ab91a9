"""What parsing makes of real stereotype files: rows read, sets kept, sets rejected by reason, and samples to look at.

    DUALPAIR_DATA=/data python -m benchmarks.parsing_sources --sample 20

prints a table a file, and with ``--sample`` so many kept and rejected sets of each, drawn with ``--seed``.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
from pydantic import BaseModel

from benchmarks.report import table
from dualpair.sources import adapters
from dualpair.sources.settings import CrowsPairsSource, StereoSetSource
from dualpair.syntax import sets

FILES: Mapping[str, tuple[str, str]] = {
    "CrowS-Pairs": ("crows_pairs", "crows_pairs/crows_pairs_anonymized.csv"),
    "StereoSet, within a sentence (CSV)": ("stereoset", "stereoset/intrasentence_stereo_set.csv"),
    "StereoSet, between sentences (CSV)": ("stereoset", "stereoset/intersentence_stereo_set.csv"),
    "StereoSet, religion (JSON)": ("stereoset", "stereoset/religion_original_fields.json"),
}
LANG = "en"


def main() -> None:
    """Parse the command line, read and split each file, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("DUALPAIR_DATA", "")))
    parser.add_argument(
        "--models", type=Path, default=None, help="folder of stanza models (default: the embedded ones)"
    )
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for name, (kind, relative) in FILES.items():
        rows, frame = split_file(kind, args.data / relative, args.models)
        print(f"\n{name}: {len(rows)} sentences, {len(frame)} sets\n")
        print(counts(frame))
        for kept in (True, False):
            for line in sample(frame[frame["kept"] == kept], args.sample, args.seed):
                print(("kept     " if kept else "rejected ") + line)


def split_file(kind: str, path: Path, models: Path | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The stereotypes table of a file, and its sets with the embedded parser or one of a folder."""
    section: type[BaseModel] = CrowsPairsSource if kind == "crows_pairs" else StereoSetSource
    source = section.model_validate({"kind": kind, "dataset": kind, "files": {LANG: str(path)}, "max_sets": None})
    rows = adapters.read(path, LANG, source)
    return rows, sets.build_sets(rows, {LANG: "stanza"}, models)


def counts(frame: pd.DataFrame) -> str:
    """Sets by reason, most frequent first."""
    found = frame["reason"].replace("", "kept").value_counts()
    return table(["outcome", "sets"], [[str(reason), str(n)] for reason, n in found.items()])


def sample(frame: pd.DataFrame, size: int, seed: int) -> list[str]:
    """A line a set: id, groups and attribute of a kept one, reason and first sentence of a rejected one."""
    chosen = sorted(random.Random(seed).sample(range(len(frame)), min(size, len(frame))))
    lines = []
    for row in frame.iloc[chosen].to_dict("records"):
        kept = f"{' / '.join(row['groups'])} | {row['attribute']}"
        rejected = f"{row['reason']}: {row['original']}"
        lines.append(f"{row['set_id']}: {kept if row['kept'] else rejected}")
    return lines


if __name__ == "__main__":
    main()
