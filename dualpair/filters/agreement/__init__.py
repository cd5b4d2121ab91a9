"""Grammar engine agreement: does the predicate agree with the head of the group in number and gender?

The parse says which word is the head, which the finite verb and where the predicate stands; the words' forms say their
number and gender, since small parsers give neither. What is not sure is no finding (docs/grammar.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType

from dualpair.filters.agreement import chinese, english, russian, spanish
from dualpair.filters.agreement.clause import GENDER, NUMBER, Clause, clause_of
from dualpair.syntax.splitting import Word

FINDINGS = (GENDER, NUMBER)

_FIND: MappingProxyType[str, Callable[[Clause], list[str]]] = MappingProxyType(
    {"en": english.findings, "es": spanish.findings, "ru": russian.findings, "zh": chinese.findings}
)
LANGUAGES = tuple(_FIND)


def findings(words: Sequence[Word], group: str, lang: str) -> list[str]:
    """Disagreements of a sentence's predicate with its group: `gender`, `number`, each as often as found, sorted.

    Args:
        words: the parsed sentence.
        group: the group phrase that it begins with.
        lang: one of :data:`LANGUAGES`.

    Raises:
        KeyError: no such language.
    """
    find = _FIND[lang]
    parsed = clause_of(words, group)
    return sorted(find(parsed)) if parsed else []


def can_have(attribute: str, lang: str) -> bool:
    """Whether an attribute can have a finding at all, so that its sentences need parsing."""
    return lang != "zh" or chinese.can_have(attribute)
