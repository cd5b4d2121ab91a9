"""Tables of the comparison of languages and of the analysis of variance."""

from __future__ import annotations

from dualpair.schemas.columns import (
    BIAS,
    BOOL,
    INT,
    LANG,
    NUM,
    STR,
    Column,
    Table,
)

_CHANGE = (
    Column("n_sets", INT, "Sets that the model has in both languages; 0 where there is none."),
    Column("n_clusters", INT, "Their clusters, which the interval and the permutation test draw."),
    Column("anchor_mean", NUM, "Mean of the metric over these sets in the anchor, in the metric's unit.", True),
    Column("change", NUM, "Mean over sets of language less anchor, in the metric's unit; neutral 0.", True),
    Column("low", NUM, "Lower end of its 95 % bootstrap interval over clusters, missing under 3 clusters.", True),
    Column("high", NUM, "Upper end of the interval.", True),
    Column(
        "wilcoxon_p",
        NUM,
        "Two-sided p of the Wilcoxon signed-rank test, sets taken as independent, 0 to 1; missing without a change.",
        True,
    ),
    Column("wilcoxon_holm", NUM, "The same after Holm's correction over the metric's cells, 0 to 1.", True),
    Column(
        "permutation_p",
        NUM,
        "Two-sided p when whole clusters change their sign, 2^(1 - n_clusters) to 1; missing under 3 clusters.",
        True,
    ),
    Column("permutation_holm", NUM, "The same after Holm's correction over the metric's cells, 0 to 1.", True),
)
_CHANGED = Column(
    "metric", STR, "I_GxA, in bits, or absB_avg, in nats per token (or the unit of the config's scoring)."
)
_OR_MEAN = Column("model", STR, "Registry name of the model, or (mean): over all models, on sets that all have.")
_EFFECT = Column("effect", STR, "model, language, bias_type, a product such as model:language, or residual.")

TABLES: tuple[Table, ...] = (
    Table(
        "across_languages",
        "Change of a metric against the anchor language on shared sets, of one model in one language.",
        (_CHANGED, _OR_MEAN, LANG, *_CHANGE),
        ("metric", "model", "lang"),
    ),
    Table(
        "across_languages_types",
        "The same of the sets of one bias type; Holm's correction runs over all models, languages and types.",
        (_CHANGED, _OR_MEAN, LANG, BIAS, *_CHANGE),
        ("metric", "model", "lang", "bias_type"),
    ),
    Table(
        "anova",
        "Analysis of variance of I_GxA; rows are set x language x model, of sets that are there in all languages.",
        (
            _EFFECT,
            Column("df", INT, "Degrees of freedom."),
            Column("sum_sq", NUM, "Sum of squares, in bits squared."),
            Column("eta_sq", NUM, "Share of the total sum of squares, 0 to 1; chance alone makes it positive.", True),
            Column("F", NUM, "Mean square over that of the residual; near 1 without an effect.", True),
            Column("p", NUM, "p of F, rows taken as independent, 0 to 1: too small where sets repeat.", True),
            Column("eta_sq_corrected", NUM, "eta_sq less what chance adds by the bootstrap, 0 to 1; neutral 0.", True),
            Column("eta_sq_low", NUM, "Lower end of the basic 95 % bootstrap interval over clusters, 0 to 1.", True),
            Column("eta_sq_high", NUM, "Upper end of the interval; may lie below eta_sq.", True),
            Column("n_rows", INT, "Rows: complete sets x models x languages."),
            Column("n_sets", INT, "Complete sets."),
            Column("n_clusters", INT, "Their clusters, which the interval draws."),
        ),
        ("effect",),
    ),
    Table(
        "anova_levels",
        "Levels of the three factors of the analysis of variance, and the sets behind them.",
        (
            Column("factor", STR, "model, language or bias_type."),
            Column("level", STR, "Name of the model, language or bias type."),
            Column("n_any", INT, "Sets that the level has under any model in any language."),
            Column("n_complete", INT, "Sets that every model has in every language; of this type, for a bias type."),
            Column("n_clusters", INT, "Clusters of all complete sets."),
            Column("n_mixed", INT, "Sets left out because their rows name several bias types, over the whole table."),
            Column("used", BOOL, "False when the factor has one level, or the level no complete set."),
        ),
        ("factor", "level"),
    ),
    Table(
        "anova_mixed",
        "F tests of the fixed effects of two mixed models with the set as random effect.",
        (
            _EFFECT,
            Column("df", INT, "Degrees of freedom of the effect."),
            Column("F", NUM, "F with the set as random effect (Wald statistic / df); near 1 without an effect.", True),
            Column("df_error", INT, "Degrees of freedom of its error."),
            Column("p", NUM, "Its p, 0 to 1.", True),
            Column("F_strata", NUM, "F with set, set:language and set:model as random effects.", True),
            Column("df_strata", INT, "Degrees of freedom of its error."),
            Column("p_strata", NUM, "Its p, 0 to 1.", True),
        ),
        ("effect",),
    ),
    Table(
        "anova_variances",
        "Variances of the random effects of the two mixed models (restricted maximum likelihood).",
        (
            Column("random", STR, "Random effects of the model: set, or set, set:language, set:model."),
            Column("component", STR, "Which of them, or residual."),
            Column("variance", NUM, "Variance, in bits squared, 0 or more."),
            Column("share", NUM, "Part of the sum of the components, 0 to 1; of set: intraclass correlation.", True),
            Column("at_boundary", BOOL, "True when the estimate would be negative and is 0."),
        ),
        ("random", "component"),
    ),
)
