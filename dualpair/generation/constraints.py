"""What decoding keeps out of an answer while it is being written."""

from __future__ import annotations

import re
from collections.abc import Sequence

# A beginning of an avoided word is refused when it is this long, in characters and as a share of the word: refusing
# only the word's last token would leave a stump that the model completes to a word that does not exist.
_MIN_PREFIX = 3
_MIN_SHARE = 0.6
# Words of a source whose last one is the predicate (adjective, adverb) rather than an object.
_SHORT = 2
_LAST_WORD = re.compile(r"[^\W_]+$")


def writes_avoided(text: str, avoid: Sequence[str], spaced: bool) -> bool:
    """Whether ``text``, an answer so far, ends with an avoided word or phrase, or with most of an avoided word.

    Args:
        text: the answer so far, with the token in question.
        avoid: words and phrases.
        spaced: whether the language writes spaces between words; if not, a word is looked for without borders.
    """
    end = text.casefold().rstrip()
    match = _LAST_WORD.search(end)
    word = match[0] if match else ""
    for phrase in (item.casefold() for item in avoid):
        if end.endswith(phrase) and (not spaced or not end[: -len(phrase)][-1:].isalnum()):
            return True
        stump = len(word) >= max(_MIN_PREFIX, _MIN_SHARE * len(phrase))
        if spaced and stump and word != phrase and phrase.startswith(word):
            return True
    return False


def repeats(text: str, source: str) -> bool:
    """Whether ``text`` repeats a short ``source`` up to its last word, and has begun (or finished) that.

    Refusing the beginning of the last word, and not its end, leaves the model a whole other word to write. A source of
    more than two words never counts: its last word is often an object, which must stay ("know a lot about physics").
    """
    said, words = re.findall(r"\w+", text.casefold()), re.findall(r"\w+", source.casefold())
    if not 1 <= len(words) <= _SHORT:
        return False
    return len(said) == len(words) and said[:-1] == words[:-1] and words[-1].startswith(said[-1])
