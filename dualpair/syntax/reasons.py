"""The closed lists of reasons for which a sentence or a whole set is rejected."""

from __future__ import annotations

NO_NOUN_PHRASE = "no_noun_phrase_at_start"
ATTRIBUTE_EMPTY = "attribute_empty"
SEVERAL_SENTENCES = "several_sentences"
OTHER_ORDER = "not_group_attribute_order"
NO_WORD_BOUNDARY = "no_word_boundary"
PARSER_FAILED = "parser_failed"

SPLIT_REASONS = (
    NO_NOUN_PHRASE,
    ATTRIBUTE_EMPTY,
    SEVERAL_SENTENCES,
    OTHER_ORDER,
    NO_WORD_BOUNDARY,
    PARSER_FAILED,
)
"""Why one sentence cannot be split."""

DEPENDS_ON_GROUP = "attribute_depends_on_group"
PARSER_DISAGREES = "parser_disagrees"
GROUP_IN_ATTRIBUTE = "group_in_attribute"
MARK_DIFFERS = "final_mark_differs"
SAME_GROUP = "difference_is_in_attribute"
FEWER_THAN_TWO = "fewer_than_two_groups"
DUPLICATE_GROUP = "duplicate_group"
NO_STEREOTYPED = "no_stereotyped_sentence"

SET_REASONS = (
    *SPLIT_REASONS,
    DEPENDS_ON_GROUP,
    PARSER_DISAGREES,
    GROUP_IN_ATTRIBUTE,
    MARK_DIFFERS,
    SAME_GROUP,
    FEWER_THAN_TWO,
    DUPLICATE_GROUP,
    NO_STEREOTYPED,
)
"""Why a set is dropped: one of its sentences cannot be split, or the sentences do not form a set."""
