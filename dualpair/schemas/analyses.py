"""Tables of the analyses."""

from __future__ import annotations

from dualpair.schemas.columns import BIAS, BOOL, INT, LANG, MODEL, NUM, STR, Column, Table

TABLES: tuple[Table, ...] = (
    Table(
        "headline",
        "One model in one language: means over sets.",
        (
            MODEL,
            LANG,
            Column("n_sets", INT, "Sets with at least one usable pair."),
            Column("n_clusters", INT, "Clusters that the intervals resample."),
            Column("n_variants", INT, "Usable pairs."),
            *(
                Column(f"{name}{suffix}", NUM, f"{doc}{what}", True)
                for name, doc in (
                    ("B_G", "Mean over sets of B_G, in nats"),
                    ("B_GxA", "Mean over sets of B_GxA, in nats"),
                    ("absB_avg", "Mean over sets of absB_avg, in nats"),
                    ("I_GxA", "Mean over sets of I_GxA, in bits"),
                )
                for suffix, what in (
                    ("", "."),
                    ("_low", "; lower end of the 95 % bootstrap interval over clusters, missing under 3 clusters."),
                    ("_high", "; upper end of the interval."),
                )
            ),
        ),
        ("model", "lang"),
    ),
    Table(
        "contradictions",
        "Contradiction and flip rates of one model in one language, with Wilson 95 % intervals.",
        (
            MODEL,
            LANG,
            Column("unit", STR, "original (headline: first of v0), contrasts (all of v0), variants, set_means."),
            Column("n", INT, "Units looked at, ties included."),
            Column("n_ties", INT, "Units where a sign is zero; they count as neither."),
            Column("n_contradictions", INT, "Contradictions."),
            Column("contradiction_rate", NUM, "n_contradictions / n, 0 to 1; missing when n is 0.", True),
            Column("contradiction_low", NUM, "Lower end of the Wilson interval.", True),
            Column("contradiction_high", NUM, "Upper end of the Wilson interval.", True),
            Column("n_flips", INT, "Flips; a subset of the contradictions."),
            Column("flip_rate", NUM, "n_flips / n, 0 to 1; missing when n is 0.", True),
            Column("flip_low", NUM, "Lower end of the Wilson interval.", True),
            Column("flip_high", NUM, "Upper end of the Wilson interval.", True),
        ),
        ("model", "lang", "unit"),
    ),
    Table(
        "yields",
        "What a task would keep in one language if one threshold were another, the others as configured.",
        (
            Column("task", STR, "paraphrase or alternate (all rounds)."),
            LANG,
            Column("judge", STR, "Whose threshold is varied: similarity, nli or grammar (engine lm)."),
            Column("threshold", NUM, "Its value, on the judge's scale."),
            Column("current", BOOL, "True for the configured value."),
            Column("n_candidates", INT, "Distinct candidates that hygiene kept."),
            Column("n_accepted", INT, "Candidates that pass every filter; no limit on paraphrases is applied."),
            Column("n_unjudged", INT, "Candidates that a judge never saw and would have to see at this threshold."),
            Column("n_sources", INT, "Sets (paraphrase) or kept variants (alternate) with such a candidate."),
            Column("n_served", INT, "Sources with at least one candidate that passes."),
        ),
        ("task", "lang", "judge", "threshold"),
    ),
    Table(
        "funnel",
        "Rows visited, kept and dropped at one stage, by language, bias type and first group, with the reason.",
        (
            Column("stage", STR, "stereotypes, sets, paraphrase, alternate, or augmented."),
            LANG,
            BIAS,
            Column("group", STR, "The stereotyped group; empty where the stage does not know it."),
            Column("reason", STR, "kept, or the reason for dropping."),
            Column("n", INT, "Rows with that outcome."),
            Column(
                "visited",
                INT,
                "All rows of that stage, language, bias type and group; the n of its outcomes add up to it.",
            ),
        ),
        ("stage", "lang", "bias_type", "group", "reason"),
    ),
)
