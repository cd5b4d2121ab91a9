"""A made-up run's report: the data of a world of measures, and sections of a test's own."""

from __future__ import annotations

from typing import Any

import pandas as pd
import yaml

from dualpair.analysis import (
    across_languages,
    anova,
    anova_design,
    comparison,
    contradictions,
    families,
    headline,
    mixed,
    quadratic,
    split_half,
    trends,
)
from dualpair.analysis.funnel import uneven_losses
from dualpair.languages import get
from dualpair.report import order
from dualpair.report.data import ReportData
from dualpair.report.section import Facts, Section, ShownTable
from tests.unit import measure_world
from tests.unit.measure_world import World

STAGES = ("stereotypes", "sets", "paraphrase", "alternate", "augmented")
CONFIG = """run: demo
seed: 1
languages: [en, es]
source: {kind: table, dataset: starter, max_sets: null}
parse: {engine: {en: stanza, es: stanza}}
models:
  model-a: {kind: causal, source: "embedded:model-a", origin: someone/model-a}
  judge: {kind: causal, thresholds: {nli_paraphrase: 0.8, nli_alternate: {default: 0.9, es: 0.95}}}
  encoder: {kind: sentence_encoder, thresholds: {similarity: 0.7}}
roles: {paraphrase: [judge], alternate: [judge, judge], similarity: encoder, nli: judge, score: [model-a]}
generation:
  paraphrase: {prompt: native, mode: single, samples: 8, min_answers: 1, temperature: 0.6, top_p: 0.9, top_k: 32,
               max_new_tokens: 24, allow_negation: false}
  alternate: {prompt: native, mode: single, samples: 4, min_answers: 2, temperature: 0.6, top_p: 0.9, top_k: 0,
              max_new_tokens: 24, allow_negation: true}
filters: {grammar: {engines: {en: none, es: [languagetool]}}, agreement: {es: 3}, max_paraphrases: 4}
scoring: {normalisation: mean, scope: attribute, context: none, chat_message: null, tie: 0.0}
analysis: {bootstrap: 200, anchor: en, split_half: {resamples: 20, include_v0: false}, wording: {bertscore: null},
           anova: {type: 2, resamples: 50, mixed_model: true}, comparison: {permutations: 199, power: 0.8}}
"""


def made(world: World, more: tuple[Section, ...] = (), every: bool = False) -> ReportData:
    """The report's data of a world: headline and contradictions by their analyses, then further sections.

    Args:
        world: what is planted.
        more: sections after those of the analyses.
        every: with all analyses that need no more than the measures.
    """
    frames = measure_world.make(world)
    tables = {
        "headline": headline.headline(frames.set_measures, 1, 200),
        "contradictions": contradictions.rates(frames.measures, frames.set_measures, 1, n_resamples=200),
        "contradictions_mean": contradictions.mean_rates(frames.measures, frames.set_measures, 1, n_resamples=200),
    }
    if every:
        tables |= further(frames, facts(world))
    funnel = funnel_table(world.langs)
    originals = frames.augmented.assign(last=frames.augmented["variant_id"] != "v0").sort_values("last", kind="stable")
    first = originals.drop_duplicates(["lang", "set_id"]).drop(columns="last")
    joiners = first["lang"].map(lambda lang: get(lang).joiner)
    original = [groups[0] for groups in first["groups"]] + joiners + first["attribute"] + first["final_mark"]
    return ReportData(
        run="made",
        headline=tables["headline"],
        contradictions=tables["contradictions"],
        funnel=funnel,
        warnings=uneven_losses(funnel),
        augmented=frames.augmented,
        sets=first.assign(original=original),
        measures={str(model): part for model, part in frames.measures.groupby("model")},
        config_yaml=CONFIG,
        provenance={"dualpair": "0.1.0", "model model-a": "revision 0123abcd, float32", "pandas": "3.1.0"},
        sections=(*order.sections(tables, facts(world)), *more),
        tables={**tables, "funnel": funnel},
    )


def further(frames: measure_world.Frames, known: Facts) -> dict[str, pd.DataFrame]:
    """Tables of the further analyses of the measures."""
    resampling = comparison.Resampling.of(known.seed, known.analysis)
    pairs = comparison.comparison(frames.set_measures, resampling)
    halves = split_half.reliability_tables(frames.measures, known.seed, 20, False, 200)
    told = across_languages.Settings(known.seed, 200, 199)
    design = anova_design.design(frames.set_measures)
    fitted = mixed.fit(design, 2)
    return {
        "quadratic": quadratic.quadratic(frames.measures, known.seed, 200),
        "quadratic_bins": quadratic.bins(frames.measures),
        "split_half": halves.cells,
        "split_half_languages": halves.languages,
        **across_languages.across_languages(frames.set_measures, known.languages[0], told),
        "anova": anova.with_intervals(design, 2, known.seed, 50),
        "anova_levels": anova_design.levels_table(frames.set_measures, design),
        "anova_mixed": fitted.tests,
        "anova_variances": fitted.variances,
        "comparison": pairs,
        "comparison_detectable": comparison.detectable_by_sets(pairs, resampling.power),
        "tuning": families.tuning(frames.set_measures, known.models, resampling),
        "trends": trends.trends(frames.set_measures, known.models, resampling),
    }


def facts(world: World) -> Facts:
    """What the sections may say of such a run."""
    described: dict[str, dict[str, Any]] = {
        name: {"family": f"f{i // 4}", "size": 1e9 * 2 ** (i % 4 // 2), "tuning": ("base", "instruct")[i % 2]}
        for i, name in enumerate(world.models)
    }
    return Facts("nats per token", 0.0, 1, yaml.safe_load(CONFIG)["analysis"], described, world.langs)


def own_sections() -> tuple[Section, ...]:
    """Sections as an analysis may hand them over: plain, folded, and without data."""
    view = pd.DataFrame({"Model": ["a", "a", "b"], "B_G (nats)": ["0.1", "−0.2", "0.3 <&"], "n": ["1", "2", "3"]})
    table = ShownTable("own", "One model per row, I_GxA in bits. Neutral: 0.", view, ("n",))
    return (
        Section(
            "own",
            "Own & tested",
            ("Found in `analysis/own.csv`.", "A second paragraph, with < and & in it."),
            tables=(table, table._replace(name="own_folded", caption="Folded. Twice.", folded=True)),
            cautions=("Quote with B_G×A beside it.",),
            methods=("Means were taken over sets.",),
        ),
        Section(
            "lacking",
            "Without data",
            ("What it asks.",),
            methods=("Never said.",),
            shortfall="not enough data (n = 1, needs 2)",
        ),
    )


def funnel_table(langs: tuple[str, ...]) -> pd.DataFrame:
    """A funnel in which the second group loses more."""
    rows = [
        {"stage": stage, "lang": lang, "bias_type": "age", "group": f"Group {g}", "reason": reason, "n": n}
        for lang in langs
        for stage in STAGES
        for g in range(2)
        for reason, n in {"kept": 30 - 20 * g, "similarity_below_threshold": 4 + 14 * g, "repetition": 1}.items()
    ]
    frame = pd.DataFrame(rows)
    return frame.assign(visited=frame.groupby(["stage", "lang", "bias_type", "group"])["n"].transform("sum"))
