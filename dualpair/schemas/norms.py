"""Tables of the feature-norm validation."""

from __future__ import annotations

from dualpair.schemas.columns import BOOL, INT, KEPT, LANG, MODEL, NUM, REASON, STR, Column, Table

PAIR = Column("pair_id", STR, "The pair of opposite features, first-second.")
CONCEPT = Column("concept_id", STR, "The concept's name in the source, equal across languages.")
CLUSTER = Column("cluster_id", STR, "What resampling draws: a concept, in all the pairs that it occurs in.")
SCOPE = Column(
    "scope",
    STR,
    "pair: one pair; macro: mean over the pairs that have both classes; pooled: all items together.",
)
SCOPED_PAIR = Column("pair_id", STR, "The pair of opposite features; empty for macro and pooled.")


def _ends(name: str, what: str) -> tuple[Column, ...]:
    """A statistic and the ends of its interval."""
    return (
        Column(name, NUM, what, True),
        Column(
            f"{name}_low",
            NUM,
            "Lower end of its 95 % bootstrap interval over concepts; missing under 3 concepts of either feature.",
            True,
        ),
        Column(f"{name}_high", NUM, "Upper end of the interval.", True),
    )


TABLES: tuple[Table, ...] = (
    Table(
        "norms_concepts",
        "One concept of one pair of opposite features in one language: what is said of it, and what people say.",
        (
            LANG,
            PAIR,
            CONCEPT,
            CLUSTER,
            Column("source", STR, "Whose norms: builtin (ours) or mcrae."),
            Column("prefix", STR, "Article and noun, as the sentence begins."),
            Column("first", STR, "What is said of it with the first feature, without joiner and final mark."),
            Column("second", STR, "The same with the opposite feature."),
            Column("has_first", BOOL, "People give it the first feature: the label."),
            Column("has_second", BOOL, "People give it the second feature."),
            KEPT,
            REASON,
        ),
        ("lang", "pair_id", "concept_id"),
    ),
    Table(
        "norms_items",
        "One kept concept of one pair under one model.",
        (
            MODEL,
            LANG,
            PAIR,
            CONCEPT,
            CLUSTER,
            Column("has_first", BOOL, "The label: people give it the first feature, not the second."),
            Column(
                "x", NUM, "Normalised log-probability with the first feature, in nats per token or as configured.", True
            ),
            Column("y", NUM, "The same with the second feature.", True),
            Column(
                "q",
                NUM,
                "P(first rather than second feature | concept), 0 to 1, neutral 0.5; missing: not scored.",
                True,
            ),
            KEPT,
            REASON,
        ),
        ("model", "lang", "pair_id", "concept_id"),
    ),
    Table(
        "norms_auc",
        "How well q tells the concepts of the first feature from those of the second: ROC-AUC of one model.",
        (
            MODEL,
            LANG,
            SCOPE,
            SCOPED_PAIR,
            Column("source", STR, "Whose norms: builtin (ours) or mcrae."),
            Column("n_pairs", INT, "Pairs that have concepts of both features; macro is the mean over these."),
            Column("n_concepts", INT, "Distinct concepts: what the interval resamples."),
            Column("n_first", INT, "Items (concepts of a pair) with the first feature."),
            Column("n_second", INT, "Items with the second feature."),
            Column("n_both", INT, "Items left out because people list both features."),
            Column("n_left_out", INT, "Items left out for another reason: forms written alike, the limit."),
            Column("n_unscored", INT, "Items that the model could not score."),
            *_ends("auc", "Area under the ROC curve, 0 to 1, neutral 0.5; missing when a class is empty."),
        ),
        ("model", "lang", "scope", "pair_id"),
    ),
    Table(
        "norms_q",
        "Distribution of q over the concepts of one feature under one model; all values 0 to 1, neutral 0.5.",
        (
            MODEL,
            LANG,
            Column("scope", STR, "pair: one pair; pooled: all pairs."),
            SCOPED_PAIR,
            Column("label", STR, "first: concepts of the first feature; second: of the second."),
            Column("n", INT, "Scored items."),
            *(
                Column(name, NUM, what, True)
                for name, what in (
                    ("q_mean", "Mean of q."),
                    ("q_min", "Smallest q."),
                    ("q_lower", "Lower quartile of q."),
                    ("q_median", "Median of q."),
                    ("q_upper", "Upper quartile of q."),
                    ("q_max", "Largest q."),
                )
            ),
        ),
        ("model", "lang", "scope", "pair_id", "label"),
    ),
    Table(
        "norms_tuning",
        "An instruct model against the base model of its family and size, on the same concepts.",
        (
            Column("family", STR, "Family in the registry."),
            Column("base", STR, "Registry name of the base model."),
            Column("instruct", STR, "Registry name of the instruct model."),
            LANG,
            Column("scope", STR, "macro or pooled."),
            Column("n_items", INT, "Items that both models could score."),
            Column("n_concepts", INT, "Distinct concepts: what the interval resamples."),
            Column("auc_base", NUM, "AUC of the base model on these items, 0 to 1, neutral 0.5.", True),
            Column("auc_instruct", NUM, "AUC of the instruct model.", True),
            *_ends("difference", "auc_instruct - auc_base, -1 to 1, neutral 0."),
        ),
        ("base", "instruct", "lang", "scope"),
    ),
)
