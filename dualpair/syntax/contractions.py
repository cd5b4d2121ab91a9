"""Words written as one ("del", "im", "c'è") put together again after an analysis took them apart.

stanza expands a contraction into its words (de + el), and spacy-stanza then replaces the text by the expanded words.
The splitting rule needs the sentence as written; a contraction therefore counts as one word here.
"""

from __future__ import annotations

from typing import Any


def surface(document: Any) -> Any:
    """The stanza document with one word for each contraction whose parts are not written in it as they stand.

    A contraction takes tag, relation and head of its part that is nearest to the root, the first of equals; words that
    hung on another part now hang on it. "don't" (do + n't) stays two words: the text holds both. A document without
    contractions is returned as it is.
    """
    if not any(_contracted(token) for sentence in document.sentences for token in sentence.tokens):
        return document
    from stanza.models.common.doc import Document

    return Document([_sentence(sentence) for sentence in document.sentences], text=document.text)


def _contracted(token: Any) -> bool:
    return len(token.words) > 1 and "".join(word.text for word in token.words) != token.text


def _sentence(sentence: Any) -> list[dict[str, Any]]:
    """The sentence's words as dictionaries in stanza's form, numbered anew."""
    heads = {word.id: word.head for word in sentence.words}
    kept: list[tuple[Any, str]] = []
    number: dict[int, int] = {0: 0}
    for token in sentence.tokens:
        if _contracted(token):
            kept.append((min(token.words, key=lambda word: _depth(word.id, heads)), token.text))
            number.update({word.id: len(kept) for word in token.words})
            continue
        for word in token.words:
            kept.append((word, word.text))
            number[word.id] = len(kept)
    return [
        {
            "id": (i,),
            "text": text,
            "lemma": word.lemma,
            "upos": word.upos,
            "xpos": word.xpos,
            "feats": word.feats,
            "head": number[word.head],
            "deprel": word.deprel,
        }
        for i, (word, text) in enumerate(kept, start=1)
    ]


def _depth(word: int, heads: dict[int, int]) -> int:
    """Steps from the root; a cycle counts as deeper than any tree."""
    for steps in range(len(heads) + 1):
        if word == 0:
            return steps
        word = heads[word]
    return len(heads) + 1
