"""Tables of the comparisons of models and of runs."""

from __future__ import annotations

from dualpair.schemas.columns import (
    BOOL,
    INT,
    NUM,
    NUMS,
    STR,
    STRS,
    Column,
    Table,
)

_METRIC = Column(
    "metric",
    STR,
    "I_GxA (bits, 0 or more), absB_avg (nats, 0 or more), B_GxA (signed, nats) or contradiction (of v0, 0 to 1).",
)
_SCOPE = Column("lang", STR, "BCP-47 code, or pooled: all languages together, one row per set and language.")
# What a paired comparison of two models says, whichever two and why.
_PAIRED: tuple[Column, ...] = (
    _SCOPE,
    _METRIC,
    Column("n_sets", INT, "Sets (of every language, if pooled) that both models have measured."),
    Column("n_clusters", INT, "Clusters of those sets: what intervals resample and what changes sign in the test."),
    Column("n_missing", INT, "Sets that only one of the two has measured; they are left out."),
    Column("mean_a", NUM, "Mean of the first model over the shared sets, in the metric's unit and range."),
    Column("mean_b", NUM, "Mean of the second model over the shared sets, in the metric's unit and range."),
    Column("difference", NUM, "mean_a - mean_b, in the metric's unit (a rate's: -1 to 1); neutral value 0."),
    Column("difference_low", NUM, "Lower end of its 95 % bootstrap interval over clusters; missing under 3.", True),
    Column("difference_high", NUM, "Upper end of the interval.", True),
    Column("p", NUM, "Two-sided sign-flip permutation test over clusters, above 0 to 1; missing under 3.", True),
    Column("exact", BOOL, "True when the test looked at every assignment of signs."),
    Column("p_holm", NUM, "p by Holm's correction over the family of comparisons, above 0 to 1.", True),
    Column("n_family", INT, "Comparisons in the family: one metric, all languages (pooled rows are their own family)."),
    Column("only_a", INT, "Contradictions only: sets where the first model alone contradicts itself.", True),
    Column("only_b", INT, "Contradictions only: sets where the second model alone contradicts itself.", True),
    Column("p_mcnemar", NUM, "Contradictions only: exact McNemar test, 0 to 1; it ignores clusters.", True),
    Column(
        "detectable",
        NUM,
        "Smallest true difference that as many sets show at level 0.05 with the configured power, uncorrected, in the "
        "metric's unit; missing under 3 clusters.",
        True,
    ),
)

TABLES: tuple[Table, ...] = (
    Table(
        "comparison",
        "Two models on the same sets: the first (a) minus the second (b), for every pair of models.",
        (
            Column("model_a", STR, "Registry name of the first model, the one that comes first in the alphabet."),
            Column("model_b", STR, "Registry name of the second model."),
            *_PAIRED,
        ),
        ("metric", "lang", "model_a", "model_b"),
    ),
    Table(
        "comparison_detectable",
        "Smallest difference that a number of sets can show for the median pair of models, at as many sets a cluster.",
        (
            _SCOPE,
            _METRIC,
            Column("n_sets", INT, "Number of sets."),
            Column("own", BOOL, "True for the median number of sets of this run's comparisons."),
            Column("n_clusters", NUM, "Clusters that as many sets would have."),
            Column("spread", NUM, "Standard deviation between clusters, median of the pairs, in the metric's unit."),
            Column("detectable", NUM, "Smallest difference at level 0.05; missing under 3 clusters.", True),
            Column("detectable_corrected", NUM, "The same at level 0.05 / n_family, Holm's worst case.", True),
            Column("n_family", INT, "Comparisons that are corrected for."),
        ),
        ("metric", "lang", "n_sets"),
    ),
    Table(
        "tuning",
        "Instruct (a) minus base (b) of one family and size, on the same sets.",
        (
            Column("family", STR, "Family of the two models."),
            Column("size", NUM, "Parameters of the base model."),
            Column("instruct", STR, "Registry name of the instruct model (a)."),
            Column("base", STR, "Registry name of the base model (b)."),
            *_PAIRED,
        ),
        ("metric", "lang", "family", "size", "instruct", "base"),
    ),
    Table(
        "trends",
        "One metric over three or more sizes or checkpoints of one family, on the sets that all of them have measured.",
        (
            Column("series", STR, "Family, tuning where it is given and, of checkpoints, the size."),
            Column("kind", STR, "size (parameters) or checkpoint (training steps in the models' names)."),
            _SCOPE,
            _METRIC,
            Column("models", STRS, "Registry names, in the order of their positions."),
            Column("positions", NUMS, "Parameters, or training steps, of each model."),
            Column("n_sets", INT, "Sets (of every language, if pooled) that all models have measured."),
            Column("n_clusters", INT, "Clusters of those sets."),
            Column("means", NUMS, "Mean of each model over the shared sets, in the metric's unit."),
            Column("lows", NUMS, "Lower ends of the means' 95 % bootstrap intervals; NaN under 3 clusters."),
            Column("highs", NUMS, "Upper ends of those intervals."),
            Column("slope", NUM, "Least-squares change per tenfold size or steps, in the metric's unit; neutral 0."),
            Column("slope_low", NUM, "Lower end of its 95 % bootstrap interval over clusters; missing under 3.", True),
            Column("slope_high", NUM, "Upper end of the interval.", True),
            Column("spearman", NUM, "Rank correlation of position and mean, -1 to 1, neutral value 0.", True),
            Column("p_page", NUM, "Two-sided Page trend test, clusters as subjects, 0 to 1; missing under 3.", True),
            Column("p_holm", NUM, "p_page by Holm's correction over the family of trends.", True),
            Column("n_family", INT, "Trends in the family: one metric, all languages; pooled ones are another."),
        ),
        ("metric", "lang", "series", "kind"),
    ),
    Table(
        "run_comparison",
        "Two runs on the sets that both have: the second run (a) minus the first (b).",
        (
            Column("model_a", STR, "Registry name of the model of the second run."),
            Column("model_b", STR, "Registry name of the model of the first run."),
            *_PAIRED,
        ),
        ("metric", "lang", "model_a", "model_b"),
    ),
    Table(
        "run_settings",
        "One value that differs between two runs, as their artifacts record it.",
        (
            Column("key", STR, "What differs: a setting, a version, a fingerprint, a dtype."),
            Column("first", STR, "Value of the first run as JSON, or (none)."),
            Column("second", STR, "Value of the second run."),
            Column("artifacts", STRS, "Artifacts below the run's folder that record it."),
        ),
        ("key", "first", "second"),
    ),
    Table(
        "run_sets",
        "Sets of two runs in one language.",
        (
            Column("lang", STR, "BCP-47 code of the language."),
            Column("n_shared", INT, "Sets that both runs have measured."),
            Column("n_only_first", INT, "Sets that only the first run has measured."),
            Column("n_only_second", INT, "Sets that only the second run has measured."),
            Column("n_same_pairs", INT, "Shared sets whose pairs have the very same wording in both runs."),
        ),
        ("lang",),
    ),
)
