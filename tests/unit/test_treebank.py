"""The treebank's notation of grammars, reading of Universal Dependencies, and scores of the shipped parsers."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dualpair import languages
from dualpair.paths import resource
from dualpair.syntax.evaluate import gold_words
from dualpair.syntax.splitting import Split, precheck, split_words
from dualpair.syntax.treebank import scores
from dualpair.syntax.treebank.generate import generate
from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.rules import features, read_grammar
from dualpair.syntax.treebank.trees import conllu as tree_conllu
from dualpair.syntax.treebank.trees import linearise, surface
from dualpair.syntax.treebank.universal import Sentence, Token, compact_tag, conllu, read_treebank, tokens_of

LANGS = ("en", "es", "ru", "zh")
LEXICON = {"dogs": ["dog:dogs"], "vi": ["bark:barks"], "open": [], "onsets": ["b"], "nuclei": ["a"]}
PARTS = {"dogs": "Sing Plur", "vi": "Plur Sing"}


def derived(rules: str, seed: int = 0) -> str:
    """``form/UPOS/feats/head/relation`` of each word of a tree derived from the rules."""
    tree = read_grammar(rules, PARTS).derive(Lexicon(LEXICON, random.Random(seed)))
    return " ".join(
        f"{node.form}/{node.upos}/{node.feats}/{head}/{relation}" for node, head, relation in linearise(tree)
    )


# --- the notation -----------------------------------------------------------------------------------------------------


def test_a_rule_makes_a_head_with_its_dependents() -> None:
    rules = """
        S = nsubj>NP(Plur) *$vi.Plur/VERB/Fin+Plur punct>_./PUNCT
        // the number goes into the slot and into the features
        NP(n) = det>the/DET/Art *$dogs.{n}/NOUN/{n}
    """
    assert derived(rules) == (
        "the/DET/PronType=Art/2/det dogs/NOUN/Number=Plur/3/nsubj bark/VERB/Number=Plur|VerbForm=Fin/0/root "
        "././PUNCT/_/3/punct"
    ).replace("././", "./")


def test_marks_are_written_without_their_spaces() -> None:
    rules = 'S = punct>"_/PUNCT *no/INTJ punct>_"/PUNCT'
    tree = read_grammar(rules, {}).derive(Lexicon(LEXICON, random.Random(0)))
    assert surface(tree, " ") == '"No"'
    assert [line.rsplit("\t", 1)[-1] for line in tree_conllu(tree, " ", "x").splitlines()[2:5]] == [
        "SpaceAfter=No",
        "SpaceAfter=No",
        "_",
    ]


def test_weights_chances_and_choices() -> None:
    rules = "S = 3# *a~b/X\n| 1# *c/X dep>d/X?50"
    found = [derived(rules, seed).split("/")[0] + derived(rules, seed)[-3:] for seed in range(400)]
    heads = [text[0] for text in found]
    assert 250 < sum(head in "ab" for head in heads) < 350
    assert 100 < heads.count("a") < 200
    with_dependent = [derived(rules, seed) for seed in range(400) if heads[seed] == "c"]
    assert {len(text.split()) for text in with_dependent} == {1, 2}


def test_a_backslash_joins_lines() -> None:
    assert derived("S = *a/X \\\n   dep>b/X") == "a/X/_/0/root b/X/_/1/dep"


def test_the_last_part_counts_for_all_lists_that_have_it() -> None:
    words = {derived("S = *$vi+dogs.Plur/X", seed).split("/")[0] for seed in range(20)}
    assert words == {"bark", "dogs"}


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("S = nsubj>a/X", "exactly one head is needed"),
        ("S = *a/X *b/X", "exactly one head is needed"),
        ("S = *a/X b/X", "no item: 'b/X'"),
        ("nothing", "no rule: 'nothing'"),
        ("S = *T", "'T' is unknown"),
        ("S = *S", "does not come to an end"),
        ("S = *a/X/Many", r"unknown feature values \['Many'\]"),
        ("S = *$dogs.Dual/X", "list 'dogs' has no part 'Dual'"),
    ],
)
def test_mistakes_in_rules_are_named(rules: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        derived(rules)


def test_features_are_in_the_order_of_their_names() -> None:
    assert features(["Plur", "Gen"]) == "Case=Gen|Number=Plur"


# --- the grammars -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_every_rule_and_list_of_a_grammar_exists(lang: str) -> None:
    bank = generate(lang, resource("parsers", "lexicon"), n_train=2500, n_test=0, seed=11)
    assert len(bank.train) == 2500


@pytest.mark.parametrize("lang", LANGS)
def test_trees_of_groups_and_of_other_sentences(lang: str) -> None:
    """The trees give the rule both: sentences to cut, whose group is a whole subject, and sentences to reject."""
    joiner = languages.get(lang).joiner
    bank = generate(lang, resource("parsers", "lexicon"), n_train=600, n_test=0, seed=12)
    cut = 0
    for tree in bank.train:
        text = surface(tree, joiner)
        if precheck(text, lang) is not None:
            continue
        result = split_words(text, gold_words(tree, text), lang)
        if isinstance(result, Split):
            cut += 1
            assert languages.join(result.group, result.attribute, lang) + result.final_mark == text
    assert 0.75 < cut / len(bank.train) < 0.95


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(LANGS))
def test_conllu_columns_give_the_text_back(seed: int, lang: str) -> None:
    joiner = languages.get(lang).joiner
    (tree,) = generate(lang, resource("parsers", "lexicon"), n_train=1, n_test=0, seed=seed).train
    tokens = tokens_of(tree_conllu(tree, joiner, "x"))
    text = "".join(token.form + " " * token.space for token in tokens).rstrip()
    assert text == surface(tree, joiner)


# --- Universal Dependencies -------------------------------------------------------------------------------------------

ROW = "{}\t{}\t{}\t{}\t_\t{}\t{}\t{}\t_\t{}"


def block(text: str, *rows: str) -> str:
    """A CoNLL-U block from rows of ``id form upos head relation [misc]``."""
    lines = [f"# text = {text}"]
    for row in rows:
        number, form, upos, head, relation, *misc = row.split()
        lines.append(ROW.format(number, form, form, upos, "_", head, relation, misc[0] if misc else "_"))
    return "\n".join(lines) + "\n\n"


def everything(path: Path) -> list[Sentence]:
    train, held = read_treebank(path)
    return train + held


def test_contracted_hyphenated_and_suffixed_words_are_joined(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    fillers = "".join(block(f"Word{i} .", f"1 Word{i} NOUN 0 root", "2 . PUNCT 1 punct") for i in range(20))
    path.write_text(
        block(
            "Salen del bar.",
            "1 Salen VERB 0 root",
            "2-3 del _ _ _",
            "2 de ADP 4 case",
            "3 el DET 4 det",
            "4 bar NOUN 1 obl SpaceAfter=No",
            "5 . PUNCT 1 punct",
        )
        + block(
            "Hard-working men",
            "1 Hard ADV 3 advmod SpaceAfter=No",
            "2 - PUNCT 1 punct SpaceAfter=No",
            "3 working VERB 4 amod",
            "4 men NOUN 0 root",
        )
        + block("国民来", "1 国 NOUN 2 compound SpaceAfter=No", "2 民 PART 3 nsubj SpaceAfter=No", "3 来 VERB 0 root")
        + fillers,
        encoding="utf-8",
    )
    by_text = {sentence.text: sentence.tokens for sentence in everything(path)}
    assert [(t.form, t.upos, t.head, t.deprel) for t in by_text["Salen del bar."]] == [
        ("Salen", "VERB", 0, "root"),
        ("del", "ADP", 3, "case"),
        ("bar", "NOUN", 1, "obl"),
        (".", "PUNCT", 1, "punct"),
    ]
    assert [(t.form, t.upos, t.head, t.deprel) for t in by_text["Hard-working men"]] == [
        ("Hard-working", "VERB", 2, "amod"),
        ("men", "NOUN", 0, "root"),
    ]
    assert [(t.form, t.upos, t.head, t.deprel) for t in by_text["国民来"]] == [
        ("国民", "NOUN", 2, "nsubj"),
        ("来", "VERB", 0, "root"),
    ]


def test_a_fifth_is_held_out_whatever_the_order(tmp_path: Path) -> None:
    blocks = [
        block(f"Dogs bark {i}", "1 Dogs NOUN 2 nsubj", "2 bark VERB 0 root", f"3 {i} NUM 2 obl") for i in range(300)
    ]
    path = tmp_path / "x.conllu"
    path.write_text("".join(blocks), encoding="utf-8")
    train, held = read_treebank(path)
    assert len(train) + len(held) == 300
    assert 40 <= len(held) <= 80
    path.write_text("".join(reversed(blocks)), encoding="utf-8")
    assert {sentence.text for sentence in read_treebank(path)[1]} == {sentence.text for sentence in held}


def test_long_sentences_are_held_out_but_not_trained_on(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    short = [block(f"Bark {i}", "1 Bark VERB 0 root", f"2 {i} NUM 1 obl") for i in range(40)]
    long = [block(f"Dogs bark {i}", "1 Dogs NOUN 2 nsubj", "2 bark VERB 0 root", f"3 {i} NUM 2 obl") for i in range(40)]
    path.write_text("".join(short + long), encoding="utf-8")
    train, held = read_treebank(path, longest=2)
    assert {len(sentence.tokens) for sentence in train} == {2}
    assert {len(sentence.tokens) for sentence in held} == {2, 3}


def test_a_file_without_sentences_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"x\.conllu: no sentences"):
        read_treebank(path)


def test_training_columns() -> None:
    tokens = (
        Token("Talk", "talk", "VERB", "Mood=Imp|VerbForm=Fin", 0, "root", space=True),
        Token("less", "less", "ADV", "Degree=Cmp", 1, "advmod", space=False),
    )
    assert conllu(Sentence("Talk less", tokens), "x").splitlines()[2:4] == [
        "1\tTalk\t_\tVERB\tVERBFinImp\tMood=Imp|VerbForm=Fin\t0\troot\t_\t_",
        "2\tless\t_\tADV\tADV\t_\t1\tadvmod\t_\tSpaceAfter=No",
    ]
    assert compact_tag("NOUN", "Animacy=Anim|Case=Gen|Gender=Masc|Number=Plur") == "NOUNGenPlur"
    assert compact_tag("VERB", "Mood=Ind|Number=Sing|VerbForm=Fin") == "VERBFinSing"


# --- development sentences and scores ---------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_development_sentences_are_well_formed(lang: str) -> None:
    examples = scores.read_examples(resource("parsers", "development", f"{lang}.txt"), lang)
    assert len(examples) >= 60
    assert len({example.sentence for example in examples}) == len(examples)
    assert all((example.group is None) == example.construction.startswith("reject_") for example in examples)
    assert len({example.construction for example in examples}) >= 20


def test_a_bad_development_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "en.txt"
    path.write_text("# comment\nbare: Dogs bark.\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"en\.txt, line 2: expected"):
        scores.read_examples(path, "en")


def test_scores_against_gold_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (("Dogs", "NOUN", 2, "nsubj"), ("bark", "VERB", 0, "root"), ("loudly", "ADV", 2, "advmod"))
    gold = Sentence("Dogs bark loudly", tuple(Token(f, f, u, "_", h, d, space=True) for f, u, h, d in rows))
    words = scores.words_of(gold)
    monkeypatch.setattr(scores, "parse", lambda *_: [words])
    perfect = scores.treebank([gold], "en")
    assert {key: perfect[key] for key in ("words", "upos", "uas", "las", "split")} == dict.fromkeys(
        ("words", "upos", "uas", "las", "split"), 1.0
    )
    # One wrong tag, one wrong relation, one wrong head.
    wrong = [words[0]._replace(upos="X"), words[1], words[2]._replace(head=0, deprel="amod")]
    monkeypatch.setattr(scores, "parse", lambda *_: [wrong])
    found = scores.treebank([gold], "en")
    assert (found["words"], found["upos"], found["uas"], found["las"]) == (1.0, 0.6667, 0.6667, 0.6667)
    monkeypatch.setattr(scores, "parse", lambda *_: ["it broke"])
    assert scores.treebank([gold], "en")["words"] == 0.0


@pytest.mark.stanza
@pytest.mark.parametrize(("lang", "least"), [("en", 0.95), ("es", 0.96), ("ru", 0.96), ("zh", 0.915)])
def test_shipped_parsers_cut_the_development_sentences(lang: str, least: float) -> None:
    found = scores.development(resource("parsers", "development", f"{lang}.txt"), lang)
    print(f"{lang}: {found}")
    assert found["right"] >= least
