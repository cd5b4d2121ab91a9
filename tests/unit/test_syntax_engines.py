"""Engines: contractions, stanza folders, the short cut to the best tree, spaCy pipelines and their labels."""

from __future__ import annotations

import contextlib
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair import syntax
from dualpair.paths import resource
from dualpair.syntax import NoParserError, Rejection, Split, engines, labels, pipeline, reasons, spacy_pipeline, split
from dualpair.syntax.contractions import surface
from dualpair.syntax.spanning import best_heads, quick_trees
from dualpair.syntax.splitting import describe, split_words

# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["stanza", "presplit", "spacy:es_core_news_sm", "spacy:/models/mine"])
def test_engine_names(name: str) -> None:
    assert engines.checked(name) == name
    assert engines.spacy_pipeline(name) == name.partition(":")[2]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("stanzas", "did you mean 'stanza'"),
        ("spacy", "write spacy:NAME"),
        ("spacy:", "write spacy:NAME"),
        ("", "no such"),
    ],
)
def test_wrong_engine_names(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        engines.checked(name)


# --- contractions -----------------------------------------------------------------------------------------------------


def document(text: str, *tokens: tuple[str, list[tuple[str, str, int, str]]]) -> Any:
    """A stanza document of one sentence from (token, words as (form, upos, head, deprel)); heads are 1-based."""
    doc = pytest.importorskip("stanza.models.common.doc")
    entries: list[dict[str, Any]] = []
    number = 0
    for form, words in tokens:
        if len(words) > 1:
            entries.append({"id": (number + 1, number + len(words)), "text": form})
        for word, upos, head, deprel in words:
            number += 1
            entries.append({"id": (number,), "text": word, "upos": upos, "head": head, "deprel": deprel})
    return doc.Document([entries], text=text)


def forms(found: Any) -> str:
    return " ".join(f"{w.text}/{w.upos}/{w.head}/{w.deprel}" for w in found.sentences[0].words)


def test_a_contraction_is_one_word_again() -> None:
    text = "Niños del sur ríen."
    found = surface(
        document(
            text,
            ("Niños", [("Niños", "NOUN", 5, "nsubj")]),
            ("del", [("de", "ADP", 4, "case"), ("el", "DET", 4, "det")]),
            ("sur", [("sur", "NOUN", 1, "nmod")]),
            ("ríen", [("ríen", "VERB", 0, "root")]),
            (".", [(".", "PUNCT", 5, "punct")]),
        )
    )
    assert forms(found) == "Niños/NOUN/4/nsubj del/ADP/3/case sur/NOUN/1/nmod ríen/VERB/0/root ./PUNCT/4/punct"
    assert found.text == text


def test_the_part_nearest_to_the_root_speaks_for_a_contraction() -> None:
    # "Dámelo" = verb + two pronouns; words on the pronoun hang on the whole.
    found = surface(
        document(
            "Mira, dámelo ya",
            ("Mira", [("Mira", "VERB", 0, "root")]),
            (",", [(",", "PUNCT", 3, "punct")]),
            ("dámelo", [("da", "VERB", 1, "conj"), ("me", "PRON", 3, "iobj"), ("lo", "PRON", 3, "obj")]),
            ("ya", [("ya", "ADV", 5, "advmod")]),
        )
    )
    assert forms(found) == "Mira/VERB/0/root ,/PUNCT/3/punct dámelo/VERB/1/conj ya/ADV/3/advmod"


def test_words_that_stand_in_the_text_stay_apart() -> None:
    given_one = document(
        "She's late",
        ("She's", [("She", "PRON", 3, "nsubj"), ("'s", "AUX", 3, "cop")]),
        ("late", [("late", "ADJ", 0, "root")]),
    )
    assert surface(given_one) is given_one


def test_a_contraction_goes_through_spacy_stanza_unchanged() -> None:
    spacy = pytest.importorskip("spacy")
    tokenizer = pytest.importorskip("spacy_stanza.tokenizer")
    text = "Niños del sur ríen."
    analysis = document(
        text,
        ("Niños", [("Niños", "NOUN", 5, "nsubj")]),
        ("del", [("de", "ADP", 4, "case"), ("el", "DET", 4, "det")]),
        ("sur", [("sur", "NOUN", 1, "nmod")]),
        ("ríen", [("ríen", "VERB", 0, "root")]),
        (".", [(".", "PUNCT", 5, "punct")]),
    )

    class Fake:
        def __init__(self) -> None:
            self.processors: dict[str, object] = {}

        def bulk_process(self, texts: list[str]) -> list[Any]:
            return [analysis for _ in texts]

    nlp = spacy.blank("es")
    nlp.tokenizer = tokenizer.StanzaTokenizer(Fake(), nlp.vocab)
    words = pipeline._parse_batch(nlp, [text])[text]
    assert not isinstance(words, str)
    found = split_words(text, words, "es")
    assert isinstance(found, Split)
    assert (found.group, found.attribute) == ("Niños del sur", "ríen")


# --- stanza folders ---------------------------------------------------------------------------------------------------


def folder(tmp_path: Path, entry: dict[str, Any], *files: str) -> Path:
    for name in files:
        path = tmp_path / "xy" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    (tmp_path / "resources.json").write_text(json.dumps({"es": entry}), encoding="utf-8")
    (tmp_path / "xy").rename(tmp_path / "es")
    return tmp_path


PUBLISHED = {
    "packages": {
        "default": {"tokenize": "c", "mwt": "c", "pos": "c_charlm", "lemma": "identity", "depparse": "c_charlm"}
    },
    "pos": {"c_charlm": {"dependencies": [{"model": "pretrain", "package": "conll17"}]}},
    "depparse": {"c_charlm": {"dependencies": [{"model": "forward_charlm", "package": "news"}]}},
}
FILES = (
    "tokenize/c.pt",
    "mwt/c.pt",
    "pos/c_charlm.pt",
    "depparse/c_charlm.pt",
    "pretrain/conll17.pt",
    "forward_charlm/news.pt",
)


def test_a_published_folder_needs_its_embeddings_but_no_lemma_file(tmp_path: Path) -> None:
    found = pipeline._model_files("es", folder(tmp_path, PUBLISHED, *FILES))
    assert [path.relative_to(tmp_path / "es").as_posix() for _, path, _ in found] == [
        "tokenize/c.pt",
        "mwt/c.pt",
        "pos/c_charlm.pt",
        "pretrain/conll17.pt",
        "depparse/c_charlm.pt",
        "forward_charlm/news.pt",
    ]


@pytest.mark.parametrize("gone", FILES)
def test_a_missing_file_of_a_published_folder_is_named(tmp_path: Path, gone: str) -> None:
    place = folder(tmp_path, PUBLISHED, *(name for name in FILES if name != gone))
    with pytest.raises(NoParserError, match=rf"the {gone.split('/')[0]} model of language 'es' is missing.*{gone}"):
        split(["Hola."], "es", parser_dir=place)


def test_a_language_that_stanza_does_not_parse() -> None:
    with pytest.raises(NoParserError, match="stanza has no parser for language 'bn'"):
        split(["মেয়েরা বলে।"], "bn")


def test_what_is_missing_is_said_without_loading_anything(tmp_path: Path) -> None:
    assert pipeline.missing("en") == ""
    assert pipeline.missing("de").startswith("no parser for language 'de'")
    assert "engine spacy:NAME" in pipeline.missing("de")
    assert pipeline.missing("bn", tmp_path).startswith("stanza has no parser for language 'bn'")
    assert pipeline.missing("en", tmp_path).endswith("is no parser folder: it has no resources.json")


def test_fingerprints() -> None:
    assert syntax.fingerprint("en", "presplit") == ""
    assert syntax.fingerprint("en") == pipeline.fingerprint("en")
    assert len({syntax.fingerprint(lang) for lang in ("en", "es", "ru", "zh")}) == 4


@pytest.mark.stanza
@pytest.mark.parametrize("lang", ["en", "es", "ru", "zh"])
def test_bulk_parses_equal_single_ones(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words, tags, heads and relations, not only splits; sentences of many lengths, in several batches."""
    texts = resource("stereotypes", f"{lang}.csv").read_text(encoding="utf-8").splitlines()[1:]
    sentences = [line.split(",")[4] for line in texts][:12]
    sentences += [f"{a[:-1]} {b}" for a, b in itertools.pairwise(sentences)]
    monkeypatch.setattr(pipeline, "BATCH", 5)
    bulk = pipeline.parse(sentences, lang)
    assert bulk == [pipeline.parse([sentence], lang)[0] for sentence in sentences]
    assert all(isinstance(words, list) for words in bulk)
    # And equal what spacy-stanza itself gives, one text at a time, without the short cut.
    nlp = pipeline._load(lang, resource("parsers").resolve())
    for sentence, words in zip(sentences, bulk, strict=True):
        document = nlp(sentence)
        assert [(word.form, word.start, word.upos, word.deprel) for word in words] == [
            (token.text, token.idx, token.pos_, token.dep_) for token in document
        ]
        assert [word.head for word in words] == [-1 if token.head.i == token.i else token.head.i for token in document]


# --- the best tree ----------------------------------------------------------------------------------------------------


@given(st.integers(0, 2**32 - 1), st.integers(2, 7))
def test_the_short_cut_finds_what_the_search_finds(seed: int, size: int) -> None:
    search = pytest.importorskip("stanza.models.common.chuliu_edmonds").chuliu_edmonds_one_root
    scores = np.random.default_rng(seed).normal(size=(size, size)) * 5 - 30
    found = best_heads(scores)
    if found is not None:
        assert found[1:].tolist() == search(scores)[1:].tolist()


def test_the_short_cut_sees_cycles_and_second_roots() -> None:
    def scores(*heads: int) -> np.ndarray[Any, Any]:
        table = np.full((len(heads) + 1, len(heads) + 1), -9.0)
        for word, head in enumerate(heads, start=1):
            table[word, head] = -1.0
        return table

    tree = best_heads(scores(2, 0, 2, 3))
    assert tree is not None
    assert tree.tolist() == [0, 2, 0, 2, 3]
    assert best_heads(scores(2, 1, 0)) is None
    assert best_heads(scores(2, 3, 1)) is None
    assert best_heads(scores(0, 0)) is None


def test_the_short_cut_ends_with_its_context() -> None:
    model = pytest.importorskip("stanza.models.depparse.model")
    before = model.chuliu_edmonds_one_root
    with quick_trees():
        assert model.chuliu_edmonds_one_root is not before
    assert model.chuliu_edmonds_one_root is before
    with contextlib.suppress(RuntimeError), quick_trees():
        raise RuntimeError
    assert model.chuliu_edmonds_one_root is before


# --- spaCy ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "relation"),
    [
        ("nsubj", "nsubj"),
        ("nsubj:pass", "nsubj:pass"),
        ("ROOT", "root"),
        ("nsubjpass", "nsubj:pass"),
        ("relcl", "acl:relcl"),
        ("prep", "obl"),
        ("attr", "xcomp"),
        ("compound:nn", "compound:nn"),
        ("sb", "nsubj"),
        ("oa", "obj"),
    ],
)
def test_labels(label: str, relation: str) -> None:
    assert labels.universal(label) == relation


def test_unknown_labels() -> None:
    assert labels.unknown(["nsubj", "relcl", "SBJ", "amod||nsubj", "", "OBJ"]) == ["OBJ", "SBJ"]
    with pytest.raises(ValueError, match="'SBJ' belongs to no scheme"):
        labels.universal("SBJ")


def spacy_doc(words: list[str], spaces: list[bool], pos: list[str], heads: list[int], deps: list[str]) -> Any:
    spacy = pytest.importorskip("spacy")
    tokens = pytest.importorskip("spacy.tokens")
    return tokens.Doc(spacy.blank("en").vocab, words=words, spaces=spaces, pos=pos, heads=heads, deps=deps)


def test_a_clearnlp_parse_is_split() -> None:
    found = spacy_doc(
        ["Men", "from", "towns", "who", "cook", "are", "seen", "daily", "."],
        [True] * 7 + [False, False],
        ["NOUN", "ADP", "NOUN", "PRON", "VERB", "AUX", "VERB", "ADV", "PUNCT"],
        [6, 0, 1, 4, 0, 6, 6, 6, 6],
        ["nsubjpass", "prep", "pobj", "nsubj", "relcl", "auxpass", "ROOT", "advmod", "punct"],
    )
    words = spacy_pipeline.words(found)
    assert not isinstance(words, str)
    assert describe(words).startswith("Men/NOUN/7/nsubj:pass from/ADP/1/obl towns/NOUN/2/nmod")
    assert split_words(found.text, words, "en") == Split(
        "Men from towns who cook", "are seen daily", ".", describe(words)
    )


@pytest.mark.parametrize(
    ("words", "pos", "heads", "deps", "reason"),
    [
        (["In", "towns", "men", "nap"], ["ADP", "NOUN", "NOUN", "VERB"], [3, 0, 3, 3], ["prep", "pobj", "nsubj", "ROOT"], reasons.NO_NOUN_PHRASE),
        (["There", "are", "men"], ["PRON", "VERB", "NOUN"], [1, 1, 1], ["expl", "ROOT", "attr"], reasons.OTHER_ORDER),
        (["Tea", "men", "like"], ["NOUN", "NOUN", "VERB"], [2, 2, 2], ["dobj", "nsubj", "ROOT"], reasons.OTHER_ORDER),
        (["Loud", "are", "men"], ["ADJ", "AUX", "NOUN"], [1, 1, 1], ["acomp", "ROOT", "nsubj"], reasons.OTHER_ORDER),
        (["Men", "nap", "snore"], ["NOUN", "VERB", "VERB"], [1, 1, 2], ["nsubj", "ROOT", "ROOT"], reasons.PARSER_FAILED),
    ],
)  # fmt: skip
def test_clearnlp_parses_are_rejected(
    words: list[str], pos: list[str], heads: list[int], deps: list[str], reason: str
) -> None:
    document = spacy_doc(words, [True] * (len(words) - 1) + [False], pos, heads, deps)
    parse = spacy_pipeline.words(document)
    assert not isinstance(parse, str)
    found = split_words(document.text, parse, "en")
    assert isinstance(found, Rejection)
    assert found.reason == reason


def test_a_document_that_cannot_be_used() -> None:
    bare = pytest.importorskip("spacy").blank("en")("Men nap")
    assert spacy_pipeline.words(bare) == "the document has no dependency parse"
    strange = spacy_doc(["Men", "nap"], [True, False], ["NOUN", "VERB"], [1, 1], ["SBJ", "ROOT"])
    assert "'SBJ' belongs to no scheme" in spacy_pipeline.words(strange)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A spaCy pipeline saved to a folder, its parser trained on one sentence shape."""
    spacy = pytest.importorskip("spacy")
    training = pytest.importorskip("spacy.training")
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger")
    nlp.add_pipe("parser", config={"min_action_freq": 1})
    texts = ["Men nap .", "Women talk .", "Boys run .", "Girls sing ."]
    facts = {"tags": ["N", "V", "."], "heads": [1, 1, 1], "deps": ["nsubj", "ROOT", "punct"]}
    examples = [training.Example.from_dict(nlp.make_doc(text), facts) for text in texts]
    spacy.util.fix_random_seed(0)
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(30):
        nlp.update(examples, sgd=optimizer)
    nlp.to_disk(tmp_path / "mine")
    return tmp_path / "mine"


def test_a_saved_pipeline_is_an_engine(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spacy_pipeline, "BATCH", 2)
    texts = ["Men nap .", "Women talk .", "Boys run ."]
    stream = dict(spacy_pipeline.stream(texts, str(saved)))
    assert [describe(stream[text]) for text in texts if not isinstance(stream[text], str)] == [
        "Men//2/nsubj nap//0/root .//2/punct",
        "Women//2/nsubj talk//0/root .//2/punct",
        "Boys//2/nsubj run//0/root .//2/punct",
    ]
    first = spacy_pipeline.fingerprint(str(saved))
    assert first == syntax.fingerprint("en", f"spacy:{saved}")
    (saved / "meta.json").write_text("{}", encoding="utf-8")
    assert spacy_pipeline.fingerprint(str(saved)) != first


def test_pipelines_that_cannot_be_used(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy")
    with pytest.raises(NoParserError, match="there is no spaCy pipeline 'no_such_pipeline'"):
        split(["Men nap."], "en", "spacy:no_such_pipeline")
    with pytest.raises(NoParserError, match="cannot be loaded"):
        split(["Men nap."], "en", f"spacy:{tmp_path}")
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(NoParserError, match="has no dependency parser"):
        split(["Men nap."], "en", f"spacy:{tmp_path / 'blank'}")
    nlp = spacy.blank("en")
    nlp.add_pipe("parser").add_label("SBJ")
    nlp.initialize()
    nlp.to_disk(tmp_path / "strange")
    with pytest.raises(NoParserError, match="labels that dualpair does not know: SBJ"):
        split(["Men nap."], "en", f"spacy:{tmp_path / 'strange'}")
