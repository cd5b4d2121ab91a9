"""Every artifact's Arrow schema, with a sentence per column: the contract between stages.

A stage reads and writes its tables through :mod:`dualpair.artifacts`, which checks them against this module.
Columns not listed here do not pass between stages.
"""

from __future__ import annotations

from typing import NamedTuple

import pyarrow as pa

SCHEMA_VERSION = 2

STR = pa.string()
INT = pa.int64()
NUM = pa.float64()
BOOL = pa.bool_()
STRS = pa.list_(pa.string())
NUMS = pa.list_(pa.float64())
INTS = pa.list_(pa.int64())


class Column(NamedTuple):
    """One column: name, Arrow type, one sentence of meaning, and whether a value may be missing."""

    name: str
    type: pa.DataType
    doc: str
    nullable: bool = False


class Table(NamedTuple):
    """One artifact: name, columns in file order, and the columns that sort and identify its rows."""

    name: str
    doc: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """Column names in file order."""
        return [column.name for column in self.columns]

    def arrow(self) -> pa.Schema:
        """The Arrow schema; each field carries its sentence as metadata."""
        return pa.schema([pa.field(c.name, c.type, nullable=c.nullable, metadata={"doc": c.doc}) for c in self.columns])


_SET = Column("set_id", STR, "The item's own index in its data set, equal across languages.")
_CLUSTER = Column("cluster_id", STR, "What resampling draws: wordings of one stereotype share it.")
_LANG = Column("lang", STR, "BCP-47 code of the language.")
_DATASET = Column("dataset", STR, "Name of the data set that the item comes from.")
_BIAS = Column("bias_type", STR, "Kind of bias as the source names it, e.g. gender or age.")
_VARIANT = Column("variant_id", STR, "v0 is the original attribute; a paraphrase is named by its content hash.")
_MODEL = Column("model", STR, "Registry name of the model.")
_GROUPS = Column(
    "groups", STRS, "Group phrases in order; the first is the stereotyped group, the others are contrasts."
)
_MARK = Column("final_mark", STR, "Final punctuation of the source sentence, scored with the attribute; may be empty.")
_KEPT = Column("kept", BOOL, "False when the row is dropped.")
_REASON = Column("reason", STR, "Why the row was dropped, from the stage's closed list; empty when kept.")
_CANDIDATE = Column("candidate_id", STR, "Content hash of (set_id, lang, variant_id, task, text).")
_GENERATORS = Column("generators", STRS, "Registry names of the models that gave this text, sorted.")
_SIMILARITY = Column("similarity", NUM, "Cosine of the candidate's sentence and its source's, -1 to 1.", True)
_FORWARD = Column("contradiction_forward", NUM, "P(contradiction), source as premise, 0 to 1.", True)
_BACKWARD = Column("contradiction_backward", NUM, "P(contradiction), candidate as premise, 0 to 1.", True)
_AGAINST_V0 = (
    Column(
        "contradiction_forward_v0",
        NUM,
        "P(contradiction), v0 as premise, the alternate as hypothesis, 0 to 1; for the record, decides nothing.",
        True,
    ),
    Column("contradiction_backward_v0", NUM, "The same with the alternate as premise and v0 as hypothesis.", True),
)
_ENTAILED = (
    Column("entailment_forward", NUM, "P(entailment), source as premise, 0 to 1.", True),
    Column("entailment_backward", NUM, "P(entailment), candidate as premise, 0 to 1.", True),
)
_GRAMMAR = (
    Column(
        "grammar_findings",
        INT,
        "Findings that the source's own sentences do not have, over all groups and engines; missing: not looked at.",
        True,
    ),
    Column("grammar_finding_ids", STR, "Distinct ids of those findings, sorted, separated by spaces."),
    Column(
        "grammar_score",
        NUM,
        "Smallest grammar_score of role grammar over the groups; see there.",
        True,
    ),
)
_NEGATION = Column("adds_negation", BOOL, "True when the text is negated and its source is not.")
_PREFIX = Column("prefix", STR, "The group phrase as scored, without a trailing space.")
_CONTINUATION = Column("continuation", STR, "Joiner + attribute or alternate + final mark.")
_SENTENCE = Column("sentence_id", STR, "Content hash of (prefix, continuation).")

_SCORES = (
    _SENTENCE,
    _PREFIX,
    _CONTINUATION,
    _MODEL,
    Column("logprob_sum", NUM, "Sum of the continuation's token log-probabilities, in nats.", True),
    Column("n_tokens", INT, "Tokens of the continuation."),
    Column("prefix_logprob_sum", NUM, "Sum of the prefix's scored token log-probabilities, in nats.", True),
    Column("prefix_n_tokens", INT, "Scored tokens of the prefix."),
    Column("n_chars", INT, "Characters of the continuation."),
    Column("n_bytes", INT, "UTF-8 bytes of the continuation."),
    Column("prefix_n_chars", INT, "Characters of the prefix's scored tokens."),
    Column("prefix_n_bytes", INT, "UTF-8 bytes of the prefix's scored tokens."),
    Column("boundary_merge", BOOL, "True when a token straddles prefix and continuation (counted with the latter)."),
    Column("model_revision", STR, "Fingerprint of weights and tokenizer."),
    Column("dtype", STR, "Resolved dtype of the model's body."),
    Column("quantisation", STR, "Quantisation of the weights as run, or none."),
    Column("engine", STR, "Engine that scored the row."),
    Column("bos_policy", STR, "Token put in front of the text, or none."),
    Column("n_bos", INT, "Tokens of BOS, the first of token_ids."),
    Column("n_context", INT, "Tokens of the context, next in token_ids; no sum counts them."),
    Column("token_ids", INTS, "BOS, context, prefix and continuation (n_tokens); empty unless asked for."),
    Column("token_logprobs", NUMS, "Log-probability of each of token_ids[1:], in nats; empty unless asked for."),
    Column(
        "token_ends",
        INTS,
        "Character of prefix + continuation at which each of their tokens ends; empty unless asked for.",
    ),
    _KEPT,
    _REASON,
)

_TASK = Column("task", STR, "paraphrase or alternate.")
_ANNOTATOR = Column("annotator", STR, "Whose answer it is: annotator-1, or the name that the config or the file gives.")
_PAIR_ID = Column("pair_id", STR, "Content hash of (task, lang, source, candidate); joins answers across samples.")
_ITEM_ID = Column("item_id", STR, "Id printed in the annotators' sheets.")
_KIND = Column("kind", STR, "accepted, mismatched or below_threshold.")
_WILSON = (
    Column("low", NUM, "Lower end of the Wilson 95 % interval.", True),
    Column("high", NUM, "Upper end of the interval.", True),
)


def _share(name: str, what: str, n: str) -> tuple[Column, ...]:
    """A count, its share and the ends of its interval."""
    return (
        Column(f"n_{name}", INT, f"Items {what}."),
        Column(f"{name}_rate", NUM, f"n_{name} / {n}, 0 to 1; missing when {n} is 0.", True),
        Column(f"{name}_low", NUM, "Lower end of the Wilson 95 % interval.", True),
        Column(f"{name}_high", NUM, "Upper end of the interval.", True),
    )


_POLES = (
    Column("group", STR, "Group, named as in the config."),
    Column("low", STR, "Trait that a rating of 0 stands for, as in resources/traits/abc.yaml; empty in a question."),
    Column("high", STR, "Trait that a rating of 100 stands for."),
)
_DIMENSION = Column("dimension", STR, "agency, beliefs or communion.")
_RATER = Column("annotator", STR, "Who rates, numbered within a language: annotator-1, annotator-2, ...")

_RATINGS = (
    Table(
        "ratings_key",
        "What each question of the trait survey is; never handed out.",
        (
            _LANG,
            _RATER,
            Column("position", INT, "Row in the annotator's sheet, from 1."),
            Column("item_id", STR, "Id printed in the sheet; no two annotators share one."),
            Column("page", INT, "Page of the survey, from 1."),
            Column("kind", STR, "rating, recall_group or recall_traits."),
            Column("repeated", BOOL, "True for the sliders of the group that comes a second time."),
            *_POLES,
            _DIMENSION,
            Column("low_left", BOOL, "True when the low pole stands at the left, where the slider's 0 is."),
            Column("question", STR, "Group or question as printed."),
            Column("left", STR, "What is printed at the left."),
            Column("right", STR, "What is printed at the right."),
            Column("options", STRS, "Answers of a recall question, in order; none for a rating."),
            Column("right_answer", INT, "Number of the right one, from 1; 0 for a rating."),
        ),
        ("lang", "annotator", "position"),
    ),
    Table(
        "human_ratings",
        "How one annotator says that society sees one group on one trait pair.",
        (
            _LANG,
            *_POLES,
            _DIMENSION,
            _RATER,
            Column("rating", NUM, "0 (low) to 100 (high); missing without a usable answer.", True),
            Column("again", NUM, "The same for the group's second time; missing where it did not come twice.", True),
            Column("file", STR, "Returned file, as the config names it."),
            Column("sheet", STR, "Sheet of a workbook; empty for text files."),
            Column("row", INT, "1-based row or line; 0 for a row that is not there."),
            _KEPT,
            _REASON,
        ),
        ("lang", "group", "low", "annotator"),
    ),
    Table(
        "human_ratings_means",
        "How annotators say that society sees one group on one trait pair: kept ratings, the first time only.",
        (
            _LANG,
            *_POLES,
            _DIMENSION,
            Column("n", NUM, "Ratings; missing where a publication gives means alone.", True),
            Column("mean", NUM, "Their mean, 0 to 100; missing when n is 0.", True),
            Column("sd", NUM, "Their standard deviation (n - 1); missing when n is below 2.", True),
            Column("interval_low", NUM, "Lower end of the mean's 95 % t interval; missing when n is below 2.", True),
            Column("interval_high", NUM, "Upper end of the interval.", True),
        ),
        ("lang", "group", "low"),
    ),
    Table(
        "ratings_annotators",
        "The checks of one annotator of the trait survey.",
        (
            _LANG,
            _RATER,
            Column("n_asked", INT, "Sliders of the survey, those of the repeated group included."),
            Column("n_answered", INT, "Sliders with a usable answer."),
            Column("recall_group", STR, "passed, failed or not_answered: which group came last."),
            Column("recall_traits", STR, "passed, failed or not_answered: which traits came last."),
            Column("n_compared", INT, "Sliders of the repeated group answered at least once."),
            Column("self_agreement", NUM, "Share of them set alike both times; missing when there is none.", True),
            Column("self_agreement_check", STR, "passed, failed or not_answered."),
            Column("excluded", BOOL, "True when the annotator's ratings are left out."),
            Column("failed", STRS, "Checks that left the annotator out."),
        ),
        ("lang", "annotator"),
    ),
    Table(
        "ratings_problems",
        "Everything in a returned survey that is not as it was handed out.",
        (
            Column("file", STR, "Returned file, as the config names it."),
            Column("sheet", STR, "Sheet of a workbook; empty for text files."),
            Column("row", INT, "1-based row or line; 0 for a row that is not there."),
            Column("item_id", STR, "Id in that row, or empty."),
            Column(
                "problem",
                STR,
                "A reason of human_ratings, or unknown_id, no_id, repeated_row, texts_not_returned (cost no answer).",
            ),
            Column("found", STR, "What the file holds."),
            Column("expected", STR, "What it should hold."),
            Column("number", INT, "Number of the problem, from 0, in the order of reading."),
        ),
        ("file", "sheet", "row", "number"),
    ),
)

_VALIDATION = (
    Table(
        "answers",
        "What one annotator or adjudicator says of one pair, over all returned files.",
        (
            _TASK,
            _LANG,
            Column("role", STR, "annotator, or adjudicator for a row of an adjudication sheet."),
            _ANNOTATOR,
            _PAIR_ID,
            Column("item_id", STR, "Id under which the annotators' sheet shows the pair."),
            Column("answer", STR, "accept, reject or not_fluent; empty when dropped."),
            Column("comment", STR, "The annotator's comment, or empty."),
            Column("file", STR, "Returned file, as the config names it."),
            Column("sheet", STR, "Sheet of a workbook; empty for text files."),
            Column("row", INT, "1-based row or line; 0 for a row that is not there."),
            _KEPT,
            Column(
                "reason",
                STR,
                "no_answer, answer_not_in_list, altered_text, text_of_another_item, cells_beyond_the_header, "
                "conflicting_answers or missing_row; empty when kept.",
            ),
        ),
        ("task", "lang", "role", "annotator", "pair_id"),
    ),
    Table(
        "validation_problems",
        "Everything in a returned file that is not as it was handed out.",
        (
            Column("file", STR, "Returned file, as the config names it."),
            Column("sheet", STR, "Sheet of a workbook; empty for text files."),
            Column("row", INT, "1-based row or line; 0 for a row that is not there."),
            Column("item_id", STR, "Id in that row, or empty."),
            Column(
                "problem",
                STR,
                "A reason of answers, or one that costs none: unknown_id, no_id, repeated_row, sentences_not_returned.",
            ),
            Column("found", STR, "What the file holds."),
            Column("expected", STR, "What it should hold."),
            Column("number", INT, "Number of the problem, from 0, in the order of reading."),
        ),
        ("file", "sheet", "row", "number"),
    ),
    Table(
        "validation_annotators",
        "One returned sheet: how much of it can be used, and its attention checks.",
        (
            _TASK,
            _LANG,
            _ANNOTATOR,
            Column("n_rows", INT, "Items that were handed out and came back, or should have."),
            Column("n_unusable", INT, "Of these, dropped; see answers."),
            Column("n_answers", INT, "Usable answers to items of the current sample."),
            Column("n_mismatched", INT, "Of these, of mismatched pairs."),
            Column("attention_failures", INT, "Mismatched pairs accepted."),
            Column("limit", INT, "Most that may be accepted; missing: nobody is left out.", True),
            Column("excluded", BOOL, "True when attention_failures is above limit."),
        ),
        ("task", "lang", "annotator"),
    ),
    Table(
        "validation_rates",
        "How often people accept, reject and find disfluent the pairs of one kind.",
        (
            _TASK,
            _LANG,
            _KIND,
            Column("annotator", STR, "all: majority of the annotators not left out; else one annotator alone."),
            Column("adjudication", STR, "before, or after (an adjudicator's answer replaces the majority's)."),
            Column("n_sampled", INT, "Items of the kind in the sample."),
            Column("n", INT, "Of these, judged."),
            Column("n_disputed", INT, "Of these, without a majority."),
            *_share("accept", "accepted", "n"),
            *_share("reject", "rejected", "n"),
            *_share("disfluent", "not fluent", "n"),
            *(
                Column(f"weighted_{name}_{part}", NUM, doc, True)
                for name in ("accept", "reject")
                for part, doc in (
                    ("rate", "Share weighted by the inverse of the chance to be drawn; the plain one unless balanced."),
                    ("low", "Lower end of Wilson's 95 % interval at n_effective."),
                    ("high", "Upper end of the interval."),
                )
            ),
            Column("n_effective", NUM, "Kish's effective number of items, (sum w)^2 / sum(w^2)."),
        ),
        ("task", "lang", "kind", "annotator", "adjudication"),
    ),
    Table(
        "validation_agreement",
        "Agreement of the annotators not left out.",
        (
            _TASK,
            _LANG,
            Column("kind", STR, "all, or accepted: the accepted items alone."),
            Column("statistic", STR, "raw_agreement, cohen_kappa, fleiss_kappa or krippendorff_alpha (nominal)."),
            Column("n_items", INT, "Items that it is computed from."),
            Column("n_annotators", INT, "Annotators."),
            Column("value", NUM, "The coefficient, at most 1; missing where all answers are the same.", True),
            Column("low", NUM, "Lower end of the 95 % bootstrap interval over clusters; see docs/validation.md.", True),
            Column("high", NUM, "Upper end of the interval.", True),
        ),
        ("task", "lang", "kind", "statistic"),
    ),
    Table(
        "validation_items",
        "Judged items that annotators disagree on, or that one of them finds not fluent: the adjudicator's.",
        (
            _TASK,
            _LANG,
            _PAIR_ID,
            _ITEM_ID,
            _KIND,
            _SET,
            Column("first", STR, "Sentence printed first."),
            Column("second", STR, "Sentence printed second."),
            Column("answers", STR, "Who said what."),
            Column("differ", BOOL, "True when the annotators disagree."),
            Column("before", STR, "The majority's answer, or disputed."),
            Column("adjudicated", STR, "The adjudicator's answer; empty without one."),
            Column("after", STR, "The adjudicator's answer, else the majority's."),
        ),
        ("task", "lang", "pair_id"),
    ),
    Table(
        "validation_curve",
        "Acceptance in bins of a filter's score, over accepted and below-threshold items.",
        (
            _TASK,
            _LANG,
            Column("score", STR, "similarity, max_contradiction or min_contradiction (of both directions)."),
            Column("bin", INT, "Number of the bin, from 1."),
            Column("bin_low", NUM, "Smallest score in the bin."),
            Column("bin_high", NUM, "Greatest score in the bin."),
            Column("n", INT, "Judged items in the bin."),
            Column("n_accept", INT, "Of these, accepted (after adjudication)."),
            Column("rate", NUM, "n_accept / n, 0 to 1."),
            *_WILSON,
        ),
        ("task", "lang", "score", "bin"),
    ),
    Table(
        "validation_thresholds",
        "The loosest threshold of a filter that the answers bear out; see docs/validation.md for the rule.",
        (
            _TASK,
            _LANG,
            Column("score", STR, "similarity or max_contradiction (paraphrase), min_contradiction (alternate)."),
            Column("target", NUM, "Least accepted share, 0 to 1."),
            Column("n", INT, "Judged items with that score."),
            Column("needs", INT, "Items that the rule needs at least."),
            Column("threshold", NUM, "The threshold; missing where there is none.", True),
            Column("n_pass", INT, "Judged items that pass it."),
            Column("rate", NUM, "Their accepted share, 0 to 1.", True),
            *_WILSON,
            Column("text", STR, "The outcome in words."),
        ),
        ("task", "lang", "score"),
    ),
    Table(
        "validation_rejected",
        "Dual pairs that people reject; left out of the augmented set where the config says so.",
        (
            Column("task", STR, "The pair that was rejected: paraphrase (with its original) or alternate."),
            _LANG,
            _SET,
            Column("variant_id", STR, "The variant of the augmented set that has it."),
            _PAIR_ID,
            Column("n_answers", INT, "Annotators that judged the pair, less those left out."),
            Column("n_reject", INT, "Of these, how many rejected it."),
            Column("adjudicated", BOOL, "True when an adjudicator rejected it."),
        ),
        ("lang", "set_id", "variant_id", "task"),
    ),
)

_TABLES = (
    Table(
        "stereotypes",
        "One sentence as the source gives it.",
        (
            _SET,
            _CLUSTER,
            _LANG,
            _DATASET,
            _BIAS,
            Column("role", STR, "stereotyped for the first group's sentence, contrast for the others."),
            Column("sentence", STR, "The sentence, NFC and with single spaces."),
            Column("group", STR, "Group phrase where the source gives it, else empty."),
            Column("attribute", STR, "Attribute without final mark where the source gives it, else empty."),
            Column("source_file", STR, "Name of the source file, and of a workbook's sheet."),
            Column("source_row", INT, "1-based line, row or record of the source file."),
            Column(
                "source_part", INT, "Number of the sentence in its row, from 0: a row may hold a whole pair or set."
            ),
            _KEPT,
            _REASON,
        ),
        ("lang", "set_id", "source_file", "source_row", "source_part"),
    ),
    Table(
        "sets",
        "One stereotype in one language: its groups and the attribute that they share.",
        (
            _SET,
            _CLUSTER,
            _LANG,
            _DATASET,
            _BIAS,
            _GROUPS,
            Column("attribute", STR, "The attribute shared by all groups, without final mark."),
            _MARK,
            Column("original", STR, "The stereotyped group's sentence as given."),
            Column(
                "parse",
                STR,
                "The parse that gave the split: form/upos/head/deprel of each word, or 'presplit'; for a dropped set, "
                "what was made of each sentence.",
            ),
            _KEPT,
            _REASON,
        ),
        ("lang", "set_id"),
    ),
    Table(
        "sources",
        "What a generating task works from: one row per variant that needs a paraphrase or an alternate.",
        (
            _SET,
            _CLUSTER,
            _LANG,
            _BIAS,
            _VARIANT,
            _GROUPS,
            Column("attribute", STR, "The variant's attribute without final mark."),
            _MARK,
        ),
        ("lang", "set_id", "variant_id"),
    ),
    Table(
        "generations",
        "One answer of a language model.",
        (
            _SET,
            _LANG,
            _VARIANT,
            Column("task", STR, "paraphrase, alternate-1, alternate-2, ..."),
            _MODEL,
            Column("request_key", STR, "Key of the answer in the store."),
            Column("sample_index", INT, "Number of the sample for this source, from 0."),
            Column("seed", INT, "Seed of the sampling, derived from the run's seed and the row."),
            Column("prompt_id", STR, "Content hash of the prompt file."),
            Column("prompt", STR, "The user message as sent."),
            Column("forced_prefix", STR, "Text that the answer was forced to begin with."),
            Column("sampling", STR, "Sampling parameters as canonical JSON."),
            Column("text", STR, "The answer after the forced prefix, verbatim."),
            Column("finish_reason", STR, "stop, length, or error."),
            Column("prompt_tokens", INT, "Tokens of the prompt."),
            Column("answer_tokens", INT, "Tokens of the answer."),
            Column("rejected", INT, "Earlier answers to the request that broke a constraint and were thrown away."),
            Column("error", STR, "What went wrong with this row, else empty."),
        ),
        ("lang", "set_id", "variant_id", "sample_index"),
    ),
    Table(
        "candidates",
        "One distinct candidate text of a task, after parsing, hygiene and de-duplication.",
        (
            _CANDIDATE,
            _SET,
            _CLUSTER,
            _LANG,
            _BIAS,
            Column("variant_id", STR, "The variant that the candidate was made from and is compared with."),
            Column("task", STR, "paraphrase, alternate-1, alternate-2, ..."),
            Column("attribute", STR, "Candidate attribute without final mark; the raw answer where none was found."),
            _GENERATORS,
            Column("n_answers", INT, "Answers that gave this text; their sum is the number of parsed answers."),
            _NEGATION,
            _KEPT,
            _REASON,
        ),
        ("lang", "set_id", "variant_id", "candidate_id"),
    ),
    Table(
        "judgements",
        "One (candidate, role, model): the numbers that a judging model gave, no decision.",
        (
            _CANDIDATE,
            _SET,
            _LANG,
            _VARIANT,
            Column("task", STR, "paraphrase, alternate-1, alternate-2, ..."),
            Column("role", STR, "grammar, similarity or nli."),
            Column(
                "model",
                STR,
                "Registry name of the model; of role grammar: languagetool-<version>, lm:<registry name> or "
                "agreement:<parser>.",
            ),
            Column("group_index", INT, "Group whose sentence was judged; 0 but for grammar."),
            _SIMILARITY,
            _FORWARD,
            _BACKWARD,
            *_ENTAILED,
            *_AGAINST_V0,
            Column(
                "findings",
                INT,
                "Grammar findings that this group's own source sentence does not have; role grammar.",
                True,
            ),
            Column("finding_ids", STR, "Their rule or category ids, sorted, separated by spaces; none of the text."),
            Column(
                "grammar_score",
                NUM,
                "Engine lm: log-probability (nats) of the attribute given the group, over the square root of its "
                "tokens, less half its source's.",
                True,
            ),
            Column("error", STR, "What went wrong with this row, else empty."),
        ),
        ("lang", "set_id", "variant_id", "candidate_id", "role", "model", "group_index"),
    ),
    Table(
        "variants",
        "One candidate attribute: v0 (the original) or a paraphrase, with its judgements and the decision.",
        (
            _SET,
            _CLUSTER,
            _LANG,
            _BIAS,
            _VARIANT,
            _CANDIDATE,
            Column("attribute", STR, "Attribute without final mark."),
            Column("is_original", BOOL, "True for the source's own attribute."),
            _GENERATORS,
            Column("n_answers", INT, "Answers that gave this text; 0 for the original."),
            _SIMILARITY,
            _FORWARD,
            _BACKWARD,
            *_ENTAILED,
            *_GRAMMAR,
            _KEPT,
            _REASON,
        ),
        ("lang", "set_id", "variant_id"),
    ),
    Table(
        "alternates",
        "One candidate alternate of a kept variant, with its judgements and the decision.",
        (
            _SET,
            _CLUSTER,
            _LANG,
            _BIAS,
            _VARIANT,
            _CANDIDATE,
            Column("alternate", STR, "Alternate (opposite) attribute without final mark."),
            _GENERATORS,
            Column("n_answers", INT, "Answers that gave this text."),
            Column("round", INT, "Round of the alternate role that gave it, from 1."),
            _NEGATION,
            _SIMILARITY,
            _FORWARD,
            _BACKWARD,
            *_AGAINST_V0,
            *_GRAMMAR,
            Column("chosen", BOOL, "True for the one alternate that its variant uses."),
            _KEPT,
            _REASON,
        ),
        ("lang", "set_id", "variant_id", "round", "candidate_id"),
    ),
    Table(
        "augmented",
        "One usable dual pair: a variant with its chosen alternate.",
        (
            _SET,
            _CLUSTER,
            _LANG,
            _DATASET,
            _BIAS,
            _VARIANT,
            _GROUPS,
            Column("attribute", STR, "Attribute without final mark."),
            Column("alternate", STR, "Alternate attribute without final mark."),
            _MARK,
            Column("v0_is_original", BOOL, "True when the set's original attribute is among its usable pairs."),
        ),
        ("lang", "set_id", "variant_id"),
    ),
    Table(
        "sentences",
        "One sentence to score: a group with an attribute or an alternate.",
        (
            _SENTENCE,
            _SET,
            _LANG,
            _VARIANT,
            Column("group_index", INT, "Index in the set's groups; 0 is the stereotyped group."),
            Column("side", STR, "attribute or alternate."),
            _PREFIX,
            _CONTINUATION,
        ),
        ("lang", "set_id", "variant_id", "group_index", "side"),
    ),
    Table(
        "scores",
        "One distinct sentence under one model; log-probabilities are natural logarithms (nats).",
        _SCORES,
        ("sentence_id",),
    ),
    Table(
        "scored_pairs",
        "One row of a user's own table under one model, in its order (`dualpair score`); reason is the full text here.",
        (
            Column("row", INT, "Data row of the user's table, from 1."),
            Column("lang", STR, "BCP-47 code of the language where the table gives it, else empty."),
            *_SCORES,
        ),
        ("row",),
    ),
    Table(
        "measures",
        "One variant under one model. Neutral values: q 0.5, every B 0, I_GxA 0 bits. Nats are per token, or by what "
        "the run's `scoring.normalisation` says.",
        (
            _MODEL,
            _SET,
            _CLUSTER,
            _LANG,
            _BIAS,
            _VARIANT,
            Column("x", NUMS, "Normalised log-probability of the attribute's scope, per group, in nats."),
            Column("y", NUMS, "Normalised log-probability of the alternate's scope, per group, in nats."),
            Column("q", NUMS, "P(attribute rather than alternate | group), per group, 0 to 1."),
            Column("p_A", NUM, "Mean of q over the groups."),
            Column("B_G", NUMS, "x of the stereotyped group minus x of each contrast, in nats."),
            Column("B_G_alt", NUMS, "y of the stereotyped group minus y of each contrast, in nats."),
            Column("B_GxA", NUMS, "B_G - B_G_alt per contrast, in nats."),
            Column("B_signed_mean", NUM, "Mean of B_GxA over the contrasts, in nats."),
            Column("absB_avg", NUM, "Mean of |B_GxA| over the contrasts, in nats."),
            Column("absB_max", NUM, "Maximum of |B_GxA| over the contrasts, in nats."),
            Column("I_GxA", NUM, "Mutual information of group and attribute choice, in bits, 0 to min(1, log2 K)."),
            Column("contradiction", BOOL, "B_G and B_G_alt of the first contrast have the same sign, neither a tie."),
            Column("flip", BOOL, "B_GxA and B_G of the first contrast have opposite signs, neither a tie."),
            Column("tie", BOOL, "B_G or B_G_alt of the first contrast is a tie."),
        ),
        ("lang", "set_id", "variant_id"),
    ),
    Table(
        "set_measures",
        "One set under one model: plain means over all its instances (contrasts x variants).",
        (
            _MODEL,
            _SET,
            _CLUSTER,
            _LANG,
            _BIAS,
            Column("n_variants", INT, "Usable variants, v0 included."),
            Column("n_instances", INT, "Contrasts x variants."),
            Column("B_G", NUM, "Mean of B_G over all instances, in nats."),
            Column("B_G_alt", NUM, "Mean of B_G_alt over all instances, in nats."),
            Column("B_GxA", NUM, "Mean of B_GxA over all instances, in nats."),
            Column("absB_avg", NUM, "Mean over variants of absB_avg, in nats."),
            Column("absB_max", NUM, "Mean over variants of absB_max, in nats."),
            Column("I_GxA", NUM, "Mean over variants of I_GxA, in bits."),
            Column("v0_is_original", BOOL, "True when the original attribute is among the variants."),
            Column("contradiction", BOOL, "Contradiction of v0's first contrast; missing when v0 has no pair.", True),
            Column("flip", BOOL, "Flip of v0's first contrast; missing when v0 has no pair.", True),
        ),
        ("lang", "set_id"),
    ),
    Table(
        "headline",
        "One model in one language: means over sets.",
        (
            _MODEL,
            _LANG,
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
            _MODEL,
            _LANG,
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
            _LANG,
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
            _LANG,
            _BIAS,
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
        "sheet_key",
        "What each row of a human-validation sheet is; never handed out.",
        (
            Column("item_id", STR, "Id printed in the sheet; the same in all annotators' sheets."),
            Column("pair_id", STR, "Content hash of (task, lang, source, candidate); joins answers across samples."),
            Column("task", STR, "paraphrase or alternate."),
            _LANG,
            Column("annotator", STR, "Whose sheet it is: annotator-1, annotator-2, ..."),
            Column("position", INT, "Row in the annotator's sheet, from 1."),
            _SET,
            _VARIANT,
            _CANDIDATE,
            Column("bias_type", STR, "Kind of bias of the source's set, as the source names it."),
            Column("kind", STR, "accepted, mismatched or below_threshold."),
            Column("first", STR, "Sentence printed first."),
            Column("second", STR, "Sentence printed second."),
            Column("source_first", BOOL, "True when the first sentence is the source."),
            Column(
                "weight",
                NUM,
                "Inverse of the chance to be drawn, scaled to a mean of 1 over a sheet's rows of the kind; 1 unless "
                "balanced.",
            ),
            _SIMILARITY,
            _FORWARD,
            _BACKWARD,
        ),
        ("task", "lang", "annotator", "position"),
    ),
    *_VALIDATION,
    *_RATINGS,
)

TABLES: dict[str, Table] = {table.name: table for table in _TABLES}


def table(name: str) -> Table:
    """The declared table of that name.

    Raises:
        ValueError: if no such table is declared.
    """
    if name not in TABLES:
        raise ValueError(f"unknown table {name!r}; declared tables: {', '.join(TABLES)}")
    return TABLES[name]
