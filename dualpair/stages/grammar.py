"""Grammar: the sentences that every engine looks at, and the engines' `judgements` merged into one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from dualpair import artifacts, schemas
from dualpair.errors import InputError
from dualpair.filters.grammar_engines import engine_of
from dualpair.stages.pairs import NO_GRAMMAR, NO_NLI, sentence

ROLE = "grammar"
_KEY = ["candidate_id", "engine", "group_index"]


def group_pairs(candidates: pd.DataFrame, sources: pd.DataFrame, langs: Sequence[str]) -> pd.DataFrame:
    """One row per candidate that hygiene kept and group of its set, in the given languages.

    Returns:
        The candidates' columns with group_index, source_text (the source with this group) and candidate_text.
    """
    wanted = candidates[candidates["kept"] & candidates["lang"].isin(list(langs))]
    key = ["lang", "set_id", "variant_id"]
    facts = sources[[*key, "groups", "attribute", "final_mark"]].rename(columns={"attribute": "source_attribute"})
    out = wanted.merge(facts, on=key, how="left", validate="many_to_one")
    out["group_index"] = [list(range(len(groups))) for groups in out["groups"]]
    out = out.explode("group_index", ignore_index=True).astype({"group_index": "int64"})
    rows = list(
        zip(
            [groups[index] for groups, index in zip(out["groups"], out["group_index"], strict=True)],
            out["source_attribute"], out["attribute"], out["final_mark"], out["lang"], strict=True,
        )
    )  # fmt: skip
    out["source_text"] = [sentence(group, source, mark, lang) for group, source, _, mark, lang in rows]
    out["candidate_text"] = [sentence(group, text, mark, lang) for group, _, text, mark, lang in rows]
    return out


def table(pairs: pd.DataFrame, model: str) -> pd.DataFrame:
    """The `judgements` frame of role grammar, of one engine.

    Args:
        pairs: rows of :func:`group_pairs` with some of the columns findings, finding_ids, grammar_score and error;
            those that are not there are filled with "nothing".
        model: languagetool-VERSION, lm:NAME or agreement:PARSER.
    """
    nothing = {"similarity": float("nan"), **NO_NLI, **NO_GRAMMAR, "error": ""}
    out = pairs.assign(role=ROLE, model=model, **{k: v for k, v in nothing.items() if k not in pairs.columns})
    return out[schemas.table("judgements").names]


def merge(
    candidates: pd.DataFrame,
    sources: pd.DataFrame,
    judged: Sequence[pd.DataFrame],
    engines: Mapping[str, Sequence[str]],
) -> pd.DataFrame:
    """All engines' judgements of a task, one table; without engines an empty one.

    Args:
        candidates: the task's candidates.
        sources: what they were made from.
        judged: the engines' `judgements`.
        engines: engines of each language that has any.

    Raises:
        InputError: an engine has not judged a candidate's sentence with each group, or judged one that is not asked
            for.
    """
    found = pd.concat(judged, ignore_index=True) if judged else artifacts.empty("judgements")
    names = [engine_of(str(model)) for model in found["model"]]
    have = list(found.assign(engine=names)[_KEY].itertuples(index=False, name=None))
    pairs = group_pairs(candidates, sources, list(engines))
    wanted = {
        (row.candidate_id, engine, row.group_index): f"set {row.set_id} ({row.lang})"
        for row in pairs.itertuples()
        for engine in engines[str(row.lang)]
    }
    missing = [key for key in wanted if key not in set(have)]
    if missing:
        candidate, engine, index = missing[0]
        raise InputError(
            f"grammar engine {engine}: {len(missing)} sentences are not judged, first: candidate {candidate}, group "
            f"{index} of {wanted[missing[0]]}; delete the engine's table and run snakemake again"
        )
    odd = [key for key in have if key not in wanted]
    if odd or len(have) > len(wanted):
        raise InputError(
            f"grammar judgements hold {len(have) - len(wanted) + len(missing)} rows too many, e.g. "
            f"{odd[0] if odd else 'one sentence twice'}; delete judgements/<task>/grammar and run snakemake again"
        )
    return found
