"""Sentences of a set that do not go together, and the repair of parses that disagree."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from dualpair.syntax import Rejection, Split, reasons, repair, sets


def chain(sentence: str) -> str:
    """A parse in which any beginning of the sentence is a noun phrase: each word hangs on the next."""
    words = list(sentence.rstrip(".")) if " " not in sentence else sentence.rstrip(".").split()
    return (
        " ".join(f"{word}/NOUN/{i + 1}/compound" for i, word in enumerate(words[:-1], start=1))
        + f" {words[-1]}/VERB/0/root"
    )


def table(lang: str, sentences: list[str]) -> pd.DataFrame:
    """The stereotypes table of one set; the first sentence is the stereotyped one."""
    base = {"set_id": "s", "cluster_id": "c", "lang": lang, "dataset": "d", "bias_type": "age", "source_file": "f.csv"}
    roles = ["stereotyped"] + ["contrast"] * (len(sentences) - 1)
    return pd.DataFrame(
        [
            {**base, "role": role, "sentence": sentence, "group": "", "attribute": "", "source_row": i, "kept": True, "reason": ""}
            for i, (role, sentence) in enumerate(zip(roles, sentences, strict=True))
        ]
    )  # fmt: skip


def build(monkeypatch: pytest.MonkeyPatch, lang: str, cuts: list[str], mode: str = "none") -> dict[str, object]:
    """The set of sentences given as ``group | attribute``; ``!`` before a sentence means that it was rejected."""
    sentences = [cut.lstrip("!").replace(" | ", "" if lang == "zh" else " ") for cut in cuts]

    def split(found: list[str], *_: object) -> list[Split | Rejection]:
        assert found == sentences
        return [
            Rejection(reasons.OTHER_ORDER, "x", chain(sentence))
            if cut.startswith("!")
            else Split(*(part.rstrip(".") for part in cut.split(" | ")), ".", chain(sentence))
            for cut, sentence in zip(cuts, sentences, strict=True)
        ]

    monkeypatch.setattr(sets, "split", split)
    (row,) = sets.build_sets(table(lang, sentences), {lang: "stanza"}, repairing=mode).to_dict("records")
    return dict(row)


@pytest.mark.parametrize(
    ("lang", "cuts", "reason"),
    [
        ("en", ["Women | talk.", "Men | talk."], ""),
        # The attribute agrees with its group in number, gender or both.
        ("es", ["Las madres | son adorables.", "La madre | es adorable."], reasons.DEPENDS_ON_GROUP),
        ("es", ["Las madres | son cariñosas.", "Los padres | son cariñosos."], reasons.DEPENDS_ON_GROUP),
        ("ru", ["Мальчик | милый.", "Девочка | милая."], reasons.DEPENDS_ON_GROUP),
        ("ru", ["Мама | пекла пироги.", "Папа | пёк пироги."], reasons.DEPENDS_ON_GROUP),
        # The same words cut at different places: the parser's doing.
        ("en", ["Old men | talk.", "Young | men talk."], reasons.PARSER_DISAGREES),
        ("zh", ["老人 | 很慢.", "年轻 | 人很慢."], reasons.PARSER_DISAGREES),
        ("en", ["Women | talk.", "!Men talk."], reasons.PARSER_DISAGREES),
        # An ending inside a word is no cut: "small" and "all" are different words.
        ("en", ["Women | small.", "Men | all."], reasons.DEPENDS_ON_GROUP),
        # Pairs that differ elsewhere than in the group.
        ("en", ["Women | talk.", "Women | listen."], reasons.SAME_GROUP),
        ("en", ["Women | talk.", "Women | talk."], reasons.DUPLICATE_GROUP),
        ("en", ["!Talk, women.", "!Talk, men."], reasons.OTHER_ORDER),
        # A group's name in the attribute, as whole words; in Chinese two signs or more.
        ("en", ["Women | like other women.", "Men | like other women."], reasons.GROUP_IN_ATTRIBUTE),
        ("en", ["Women | like men.", "Men | like men."], reasons.GROUP_IN_ATTRIBUTE),
        ("en", ["Men | like mention.", "Cooks | like mention."], ""),
        ("en", ['"Cooks" | like cooks.', "Men | like cooks."], reasons.GROUP_IN_ATTRIBUTE),
        ("hi", ["औरत | औरतें देखती है.", "लड़की | औरतें देखती है."], ""),
        ("zh", ["老人 | 喜欢老人.", "男人 | 喜欢老人."], reasons.GROUP_IN_ATTRIBUTE),
        ("zh", ["他 | 喜欢其他人.", "她 | 喜欢其他人."], ""),
    ],
)
def test_what_makes_a_set(monkeypatch: pytest.MonkeyPatch, lang: str, cuts: list[str], reason: str) -> None:
    row = build(monkeypatch, lang, cuts)
    assert (row["reason"], row["kept"]) == (reason, not reason)


def test_several_sentences_are_named_whatever_the_parser_made_of_the_others() -> None:
    frame = sets.build_sets(table("en", ["Women talk. They sing.", "Talk! Sing!"]), {"en": "stanza"})
    assert frame["reason"].tolist() == [reasons.SEVERAL_SENTENCES]


@pytest.mark.parametrize(
    ("lang", "cuts", "groups"),
    [
        # Two of three agree; the third ends alike.
        ("en", ["Old men | talk a lot.", "Young | men talk a lot.", "Women | talk a lot."], ["Old men", "Young men", "Women"]),
        # One was split, the other not.
        ("en", ["Men who cook | talk.", "!Women who cook talk."], ["Men who cook", "Women who cook"]),
        ("zh", ["老人 | 很慢.", "!年轻人很慢."], ["老人", "年轻人"]),
        # Nothing to repair.
        ("en", ["Men | talk.", "Women | talk."], ["Men", "Women"]),
    ],
)  # fmt: skip
def test_repair(monkeypatch: pytest.MonkeyPatch, lang: str, cuts: list[str], groups: list[str]) -> None:
    row = build(monkeypatch, lang, cuts, "suffix")
    assert (row["groups"], row["kept"]) == (groups, True)
    changed = any(cut.startswith("!") or "Young |" in cut for cut in cuts)
    assert str(row["parse"]).startswith(repair.NOTE) == changed


@pytest.mark.parametrize(
    ("lang", "cuts", "reason"),
    [
        # Each cut found once: nothing says which is right.
        ("en", ["Old men | talk.", "Young | men talk."], reasons.PARSER_DISAGREES),
        # A sentence that does not end alike.
        ("en", ["Women | talk a lot.", "Men | talk a lot.", "A boy | talks a lot."], reasons.DEPENDS_ON_GROUP),
        ("en", ["Women | talk.", "!Men walk."], reasons.PARSER_DISAGREES),
        # At a word boundary only.
        ("en", ["Men | all.", "!Women small."], reasons.PARSER_DISAGREES),
        # The attribute alone has no group.
        ("en", ["Women | talk a lot.", "!talk a lot."], reasons.PARSER_DISAGREES),
        # Groups that are equal once cut alike.
        ("en", ["Old men | talk.", "!Old men talk."], reasons.DUPLICATE_GROUP),
        ("en", ["!Talk, women.", "!Talk, men."], reasons.OTHER_ORDER),
    ],
)
def test_what_is_not_repaired(monkeypatch: pytest.MonkeyPatch, lang: str, cuts: list[str], reason: str) -> None:
    row = build(monkeypatch, lang, cuts, "suffix")
    assert (row["reason"], row["kept"]) == (reason, False)


def test_no_repair_of_several_sentences_or_another_mark() -> None:
    one = Split("Women", "talk", ".", "Women/NOUN/2/nsubj talk/VERB/0/root")
    several, other = Rejection(reasons.SEVERAL_SENTENCES, "x"), Rejection(reasons.OTHER_ORDER, "x", "Men/NOUN/0/root")
    assert repair.by_suffix(["Women talk.", "Stop. Men talk."], [one, several], "en") is None
    assert repair.by_suffix(["Women talk.", "Men talk!"], [one, other], "en") is None
    assert repair.by_suffix(["Women talk.", " Men\u00a0talk."], [one, other], "en") == [
        Split("Women", "talk", ".", "repaired: Women/NOUN/2/nsubj talk/VERB/0/root"),
        Split("Men", "talk", ".", "repaired: Men/NOUN/0/root"),
    ]


@pytest.mark.parametrize(
    ("group", "parse", "expected"),
    [
        ("Old men", "Old/ADJ/2/amod men/NOUN/3/nsubj nap/VERB/0/root", True),
        # Modifiers that the parser hung on the verb.
        ("Men from towns", "Men/NOUN/4/nsubj from/ADP/3/case towns/NOUN/4/obl nap/VERB/0/root", True),
        ("Men and boys", "Men/NOUN/4/nsubj and/CCONJ/3/cc boys/NOUN/4/conj nap/VERB/0/root", True),
        ("Men, who cook,", "Men/NOUN/6/nsubj ,/PUNCT/4/punct who/PRON/4/nsubj cook/VERB/6/acl:relcl ,/PUNCT/4/punct nap/VERB/0/root", True),
        # Parts of the predicate.
        ("Women don't", "Women/NOUN/4/nsubj do/AUX/4/aux n't/PART/4/advmod nap/VERB/0/root", False),
        ("Men often", "Men/NOUN/3/nsubj often/ADV/3/advmod nap/VERB/0/root", False),
        ("Nap men", "Nap/VERB/0/root men/NOUN/1/obj now/ADV/1/advmod", False),
        # Not whole words of the parse.
        ("Me", "Men/NOUN/2/nsubj nap/VERB/0/root", False),
        ("", "Men/NOUN/2/nsubj nap/VERB/0/root", False),
    ],
)  # fmt: skip
def test_a_repaired_group_must_be_a_noun_phrase_in_its_own_parse(group: str, parse: str, expected: bool) -> None:
    assert repair.is_noun_phrase(group, parse) is expected


def test_a_dropped_set_tells_what_was_made_of_each_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    row = build(monkeypatch, "en", ["Women | talk.", "!Men talk."])
    assert row["parse"] == (
        "Women | talk: Women/NOUN/2/compound talk/VERB/0/root; x: Men/NOUN/2/compound talk/VERB/0/root"
    )


def test_progress_is_told_by_language(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def split(sentences: list[str], lang: str, engine: str, models: object, report: object) -> list[Split]:
        assert callable(report)
        report(2, 2)
        return [Split(sentence.split()[0], "talk", ".", "p") for sentence in sentences]

    monkeypatch.setattr(sets, "split", split)
    told: list[tuple[str, int, int]] = []
    frame = table("en", ["Women talk.", "Men talk."])
    sets.build_sets(frame, {"en": "spacy:x"}, report=lambda *numbers: told.append(numbers))
    assert told == [("en", 2, 2)]
