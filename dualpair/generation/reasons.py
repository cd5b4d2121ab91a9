"""Closed list of reasons for which an answer is dropped before any model judges it.

The order is the order of precedence: :func:`dualpair.generation.hygiene.check` reports the first that applies, and of
several answers with one text the first reason is kept.
"""

from __future__ import annotations

GENERATION_FAILED = "generation_failed"
UNPARSABLE = "unparsable"
CUT_BY_LIMIT = "cut_by_limit"
THINKING_TEXT = "thinking_text"
CONTROL_CHARACTERS = "control_characters"
REFUSAL = "refusal"
GROUP_LOST = "group_lost"
GROUP_CHANGED = "group_changed"
EMPTY = "empty"
WRONG_SCRIPT = "wrong_script"
WRONG_LANGUAGE = "wrong_language"
SEVERAL_SENTENCES = "several_sentences"
PROMPT_ECHO = "prompt_echo"
IDENTICAL_TO_SOURCE = "identical_to_source"
CAPITALISED_ATTRIBUTE = "capitalised_attribute"
TOO_SHORT = "too_short"
TOO_LONG = "too_long"
REPETITION = "repetition"
GROUP_INSIDE_ATTRIBUTE = "group_inside_attribute"
GENDER_AGREEMENT = "gender_agreement"
HEDGE_ADDED = "hedge_added"
STRENGTHENED = "strengthened"
NEGATION_ADDED = "negation_added"
NEGATION_LOST = "negation_lost"
IDIOM_KEPT = "idiom_kept"
SAME_CLAIM = "same_claim"
UNGRAMMATICAL = "ungrammatical"
TOO_FEW_ANSWERS = "too_few_answers"

REASONS: dict[str, str] = {
    GENERATION_FAILED: "The model failed on this row (the error is in the generations table).",
    UNPARSABLE: "The answer is not the JSON that the prompt asked for.",
    CUT_BY_LIMIT: "The answer reached the token limit before it ended.",
    THINKING_TEXT: "The answer holds a thinking or chat-template tag, or the model thinks aloud.",
    CONTROL_CHARACTERS: "The answer holds control or replacement characters.",
    REFUSAL: "The model refused or commented on the task.",
    GROUP_LOST: "The answer does not begin with the group's words followed by a new attribute.",
    GROUP_CHANGED: 'The group\'s words go on, so that the answer is about another group ("who ...", "and ...").',
    EMPTY: "Nothing is left after the group's words.",
    WRONG_SCRIPT: "The answer holds letters of another script, or of the other way of writing Chinese.",
    WRONG_LANGUAGE: "The answer's small words are those of another language.",
    SEVERAL_SENTENCES: "The answer is more than one sentence.",
    PROMPT_ECHO: "The answer speaks of the task (sentence, paraphrase, opposite, ...) instead of doing it.",
    IDENTICAL_TO_SOURCE: "The answer is the source sentence, up to case, punctuation and articles.",
    CAPITALISED_ATTRIBUTE: "The attribute begins with a capital letter that the source's does not have.",
    TOO_SHORT: "The attribute is too short to say anything.",
    TOO_LONG: "The attribute is much longer than the source's.",
    REPETITION: "A word is said twice in a row.",
    GROUP_INSIDE_ATTRIBUTE: "The attribute names one of the set's groups.",
    GENDER_AGREEMENT: "The attribute agrees with the first group's gender, and the set's groups differ in it.",
    HEDGE_ADDED: "The attribute hedges or qualifies where the source does not.",
    STRENGTHENED: 'The paraphrase says "very", "always" or the like where the source has no such word.',
    NEGATION_ADDED: "The attribute is negated where the source is not.",
    NEGATION_LOST: "The opposite is not negated where the source is (only when the config keeps the polarity).",
    IDIOM_KEPT: "The opposite keeps an idiom of the source, whole or most of it, and nothing turns it round.",
    SAME_CLAIM: "The opposite has the content words of the source, with emphasis changed at most, or those of its "
    "set's original or of another paraphrase.",
    UNGRAMMATICAL: "The attribute holds a word order or a pair of words that the language does not allow.",
    TOO_FEW_ANSWERS: "Fewer answers than demanded gave this text.",
}

_RANK = {reason: rank for rank, reason in enumerate(REASONS)}


def first(reasons: list[str]) -> str:
    """The reason of highest precedence; empty when the list is, or when it holds an empty one (one answer was fine).

    Raises:
        ValueError: if a reason is not in the closed list.
    """
    unknown = sorted({reason for reason in reasons if reason and reason not in _RANK})
    if unknown:
        raise ValueError(f"unknown reasons {unknown}; the closed list is {', '.join(REASONS)}")
    if not reasons or "" in reasons:
        return ""
    return min(reasons, key=_RANK.__getitem__)
