"""Tables of the headline family: means, contradictions, I against B, what was made, funnel, yields."""

from __future__ import annotations

from dualpair.schemas.columns import (
    BIAS,
    BOOL,
    INT,
    LANG,
    MODEL,
    NUM,
    STR,
    Column,
    Table,
)


def _rates(name: str, what: str) -> tuple[Column, ...]:
    """A count of contradictions or flips, its rate, and the rate's two intervals."""
    return (
        Column(f"n_{name}s", INT, f"{what}."),
        Column(f"{name}_rate", NUM, f"n_{name}s / n, 0 to 1, none 0; missing when n is 0.", True),
        Column(f"{name}_low", NUM, "Lower end of the Wilson interval, for which units are independent.", True),
        Column(f"{name}_high", NUM, "Upper end of the Wilson interval.", True),
        Column(f"{name}_cluster_low", NUM, "Lower end of the bootstrap over clusters, missing under 3 clusters.", True),
        Column(f"{name}_cluster_high", NUM, "Upper end of the bootstrap over clusters.", True),
    )


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
                    ("B_G", "Mean over sets of B_G, in nats, any sign, neutral 0"),
                    ("B_GxA", "Mean over sets of B_GxA, in nats, any sign, neutral 0"),
                    ("absB_avg", "Mean over sets of absB_avg, in nats, 0 or more, no bias 0"),
                    ("absB_max", "Mean over sets of absB_max, in nats, 0 or more, no bias 0"),
                    ("I_GxA", "Mean over sets of I_GxA, in bits, 0 to 1, no bias 0"),
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
            Column("n_clusters", INT, "Clusters that they belong to."),
            Column("n_ties", INT, "Units where a sign is zero; they count as neither."),
            *_rates("contradiction", "Contradictions"),
            *_rates("flip", "Flips; a subset of the contradictions"),
        ),
        ("model", "lang", "unit"),
    ),
    Table(
        "contradictions_mean",
        "Mean of the rates over models (of one language) or over languages (of one model), each cell counting once.",
        (
            Column("over", STR, "models or languages: what the mean is taken over."),
            Column("of", STR, "The language (over models) or the model (over languages)."),
            Column("unit", STR, "original (headline: first of v0), contrasts (all of v0), variants, set_means."),
            Column("n_cells", INT, "Models or languages in the mean."),
            Column("n_missing", INT, "Models or languages without such a unit, which are left out."),
            Column("n", INT, "Units of all cells, ties included."),
            Column("n_clusters", INT, "Clusters that the interval resamples."),
            *(
                Column(f"{name}_{part}", NUM, text, True)
                for name in ("contradiction", "flip")
                for part, text in (
                    ("rate", f"Mean of {name}_rate, 0 to 1, none 0; missing when there is no cell."),
                    ("low", "Lower end of the 95 % bootstrap interval over clusters, missing under 3 clusters."),
                    ("high", "Upper end of the interval."),
                )
            ),
        ),
        ("over", "of", "unit"),
    ),
    Table(
        "quadratic",
        "I_GxA against the quadratic law in one model and language; one instance is one variant.",
        (
            MODEL,
            LANG,
            Column("n", INT, "Variants that are compared: those for which the law gives more than 0."),
            Column("n_clusters", INT, "Clusters that the interval resamples."),
            Column("n_equal", INT, "Variants for which the law gives 0 (equal groups, or a certain choice), left out."),
            Column("n_more_groups", INT, "Compared variants with more than two groups, where strength is for |B_GxA|."),
            Column("strength_median", NUM, "Median strength, in nats, 0 or more, no bias 0.", True),
            Column("I_median", NUM, "Median of I_GxA, in bits, 0 to 1, no bias 0.", True),
            Column(
                "ratio_median", NUM, "Median of I_GxA / the law's value, 0 or more; 1 where the law is exact.", True
            ),
            Column("within_share", NUM, "Share of variants whose ratio is 0.9 to 1.1, 0 to 1.", True),
            Column("within_low", NUM, "Lower end of its 95 % bootstrap interval over clusters, missing under 3.", True),
            Column("within_high", NUM, "Upper end of the interval.", True),
        ),
        ("model", "lang"),
    ),
    Table(
        "quadratic_bins",
        "I_GxA and the quadratic law in one bin of strength, in one model and language.",
        (
            MODEL,
            LANG,
            Column("bin_low", NUM, "Lower edge of the bin, in nats, in the bin; the first one is 0."),
            Column("bin_high", NUM, "Upper edge, in nats, not in the bin; infinite in the last one."),
            Column("n", INT, "Variants in the bin, at least 1."),
            Column("strength_mean", NUM, "Mean strength, in nats, above 0."),
            *(
                Column(f"I_{part}", NUM, f"{text} of I_GxA, in bits, 0 to 1, no bias 0.")
                for part, text in (("mean", "Mean"), ("q10", "10 % point"), ("q50", "Median"), ("q90", "90 % point"))
            ),
            Column("law_mean", NUM, "Mean of the law's value, in bits, above 0."),
            Column("ratio", NUM, "I_mean / law_mean, 0 or more; 1 where the law is exact."),
            Column("within_share", NUM, "Share of variants whose own ratio is 0.9 to 1.1, 0 to 1."),
        ),
        ("model", "lang", "bin_low"),
    ),
    Table(
        "made",
        "What was made in one language and bias type, per kept set.",
        (
            LANG,
            Column("bias_type", STR, "Kind of bias as the source names it, or (all)."),
            Column("n_stereotypes", INT, "Stereotypes of the source: sets, kept or not."),
            Column("n_sets", INT, "Kept sets, over which the means are taken."),
            Column("n_paired", INT, "Kept sets with at least one usable pair."),
            *(
                column
                for name, what in (
                    ("groups", "Groups"),
                    ("paraphrases", "Accepted paraphrases"),
                    ("alternates", "Accepted alternates of all variants"),
                    ("pairs", "Usable dual pairs"),
                )
                for column in (
                    Column(f"n_{name}", INT, f"{what} of all kept sets."),
                    Column(f"{name}_mean", NUM, f"{what} per set: mean, 0 or more; missing without a set.", True),
                    Column(f"{name}_median", NUM, f"{what} per set: median.", True),
                    Column(f"{name}_max", NUM, f"{what} per set: maximum.", True),
                )
            ),
        ),
        ("lang", "bias_type"),
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
    Table(
        "yields",
        "What a task would keep in one language if one threshold were another, the others as configured.",
        (
            Column("task", STR, "paraphrase or alternate (all rounds)."),
            LANG,
            Column("judge", STR, "Whose threshold is varied: similarity, nli, grammar (engine lm) or acceptance."),
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
)
