"""What tables are made of: Arrow types, columns with their sentences, and the columns that several tables share."""

from __future__ import annotations

from typing import NamedTuple

import pyarrow as pa

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


SET = Column("set_id", STR, "The item's own index in its data set, equal across languages.")
CLUSTER = Column("cluster_id", STR, "What resampling draws: wordings of one stereotype share it.")
LANG = Column("lang", STR, "BCP-47 code of the language.")
DATASET = Column("dataset", STR, "Name of the data set that the item comes from.")
BIAS = Column("bias_type", STR, "Kind of bias as the source names it, e.g. gender or age.")
VARIANT = Column("variant_id", STR, "v0 is the original attribute; a paraphrase is named by its content hash.")
MODEL = Column("model", STR, "Registry name of the model.")
GROUPS = Column("groups", STRS, "Group phrases in order; the first is the stereotyped group, the others are contrasts.")
MARK = Column("final_mark", STR, "Final punctuation of the source sentence, scored with the attribute; may be empty.")
KEPT = Column("kept", BOOL, "False when the row is dropped.")
REASON = Column("reason", STR, "Why the row was dropped, from the stage's closed list; empty when kept.")
CANDIDATE = Column("candidate_id", STR, "Content hash of (set_id, lang, variant_id, task, text).")
GENERATORS = Column("generators", STRS, "Registry names of the models that gave this text, sorted.")
SIMILARITY = Column("similarity", NUM, "Cosine of the candidate's sentence and its source's, -1 to 1.", True)
FORWARD = Column("contradiction_forward", NUM, "P(contradiction), source as premise, 0 to 1.", True)
BACKWARD = Column("contradiction_backward", NUM, "P(contradiction), candidate as premise, 0 to 1.", True)
AGAINST_V0 = (
    Column(
        "contradiction_forward_v0",
        NUM,
        "P(contradiction), v0 as premise, the alternate as hypothesis, 0 to 1; for the record, decides nothing.",
        True,
    ),
    Column("contradiction_backward_v0", NUM, "The same with the alternate as premise and v0 as hypothesis.", True),
)
ENTAILED = (
    Column("entailment_forward", NUM, "P(entailment), source as premise, 0 to 1.", True),
    Column("entailment_backward", NUM, "P(entailment), candidate as premise, 0 to 1.", True),
)
ACCEPTANCE = Column(
    "acceptance", NUM, "P(accepted) by the fit of filters.acceptance, 0 to 1; missing: none, or not judged.", True
)
GRAMMAR = (
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
NEGATION = Column("adds_negation", BOOL, "True when the text is negated and its source is not.")
PREFIX = Column("prefix", STR, "The group phrase as scored, without a trailing space.")
CONTINUATION = Column("continuation", STR, "Joiner + attribute or alternate + final mark.")
SENTENCE = Column("sentence_id", STR, "Content hash of (prefix, continuation).")
SCORES = (
    SENTENCE,
    PREFIX,
    CONTINUATION,
    MODEL,
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
    KEPT,
    REASON,
)
TASK = Column("task", STR, "paraphrase or alternate.")
ANNOTATOR = Column("annotator", STR, "Whose answer it is: annotator-1, or the name that the config or the file gives.")
PAIR_ID = Column("pair_id", STR, "Content hash of (task, lang, source, candidate); joins answers across samples.")
ITEM_ID = Column("item_id", STR, "Id printed in the annotators' sheets.")
KIND = Column("kind", STR, "accepted, mismatched or below_threshold.")
WILSON = (
    Column("low", NUM, "Lower end of the Wilson 95 % interval.", True),
    Column("high", NUM, "Upper end of the interval.", True),
)
POLES = (
    Column("group", STR, "Group, named as in the config."),
    Column("low", STR, "Trait that a rating of 0 stands for, as in resources/traits/abc.yaml; empty in a question."),
    Column("high", STR, "Trait that a rating of 100 stands for."),
)
DIMENSION = Column("dimension", STR, "agency, beliefs or communion.")
RATER = Column("annotator", STR, "Who rates, numbered within a language: annotator-1, annotator-2, ...")


def share(name: str, what: str, n: str) -> tuple[Column, ...]:
    """A count, its share and the ends of its interval."""
    return (
        Column(f"n_{name}", INT, f"Items {what}."),
        Column(f"{name}_rate", NUM, f"n_{name} / {n}, 0 to 1; missing when {n} is 0.", True),
        Column(f"{name}_low", NUM, "Lower end of the Wilson 95 % interval.", True),
        Column(f"{name}_high", NUM, "Upper end of the interval.", True),
    )
