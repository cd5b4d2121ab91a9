"""The two sentences that a judge compares: a source's and its candidate's, both with the first group."""

from __future__ import annotations

from types import MappingProxyType

import pandas as pd

from dualpair import languages

# The columns of `judgements` that only the role grammar fills, as the other roles write them.
NO_GRAMMAR = MappingProxyType({"findings": None, "finding_ids": "", "grammar_score": float("nan")})
# Likewise those of the role nli.
NO_NLI = MappingProxyType(
    dict.fromkeys(
        (
            "contradiction_forward",
            "contradiction_backward",
            "entailment_forward",
            "entailment_backward",
            "contradiction_forward_v0",
            "contradiction_backward_v0",
        ),
        float("nan"),
    )
)


def sentence(group: str, attribute: str, mark: str, lang: str) -> str:
    """Group, joiner, attribute and final mark."""
    return languages.join(group, attribute, lang) + mark


def pairs(candidates: pd.DataFrame, sources: pd.DataFrame) -> pd.DataFrame:
    """Candidates with the columns ``source_text`` and ``candidate_text``.

    An alternate's source is its own variant, a paraphrase's the original (arXiv 2610.08747, section 3.4).
    """
    key = ["lang", "set_id", "variant_id"]
    facts = sources[[*key, "groups", "attribute", "final_mark"]].rename(columns={"attribute": "source_attribute"})
    out = candidates.merge(facts, on=key, how="left", validate="many_to_one")
    rows = list(
        zip(out["groups"], out["source_attribute"], out["attribute"], out["final_mark"], out["lang"], strict=True)
    )
    out["source_text"] = [sentence(groups[0], source, mark, lang) for groups, source, _, mark, lang in rows]
    out["candidate_text"] = [sentence(groups[0], text, mark, lang) for groups, _, text, mark, lang in rows]
    return out
