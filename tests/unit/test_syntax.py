"""Splitting sentences and building sets: the rule on hand-written parses, the shipped parsers on the starter set."""

from __future__ import annotations

import csv
import json
import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dualpair import languages, syntax
from dualpair.paths import resource
from dualpair.syntax import NoParserError, ParserNotInstalledError, Rejection, Split, pipeline, reasons, sets, split
from dualpair.syntax.evaluate import gold_words
from dualpair.syntax.splitting import Word, describe, precheck, split_words
from dualpair.syntax.treebank import universal
from dualpair.syntax.treebank.generate import as_conllu, as_text, generate
from dualpair.syntax.treebank.lexicon import Lexicon, read_lexicon
from dualpair.syntax.treebank.trees import Tree, conllu, linearise, surface
from tests.unit.parses import parsed

LANGS = ("en", "es", "ru", "zh")

CASES = [
    ("en", "Women talk.", "Women/NOUN/2/nsubj talk/VERB/0/root ./PUNCT/2/punct", ("Women", "talk", ".")),
    ("en", "Women talk", "Women/NOUN/2/nsubj talk/VERB/0/root", ("Women", "talk", "")),
    (
        "en",
        "Old men from here nap!",
        "Old/ADJ/2/amod men/NOUN/5/nsubj from/ADP/4/case here/ADV/2/nmod nap/VERB/0/root !/PUNCT/5/punct",
        ("Old men from here", "nap", "!"),
    ),
    (
        "en",
        "Men who cook, nap.",
        "Men/NOUN/5/nsubj who/PRON/3/nsubj cook/VERB/1/acl:relcl ,/PUNCT/5/punct nap/VERB/0/root ./PUNCT/5/punct",
        ("Men who cook,", "nap", "."),
    ),
    (
        "en",
        "Men and boys are loud.",
        "Men/NOUN/5/nsubj and/CCONJ/3/cc boys/NOUN/1/conj are/AUX/5/cop loud/ADJ/0/root ./PUNCT/5/punct",
        ("Men and boys", "are loud", "."),
    ),
    (
        "en",
        "Men's dogs bark.",
        "Men/NOUN/3/nmod:poss 's/PART/1/case dogs/NOUN/4/nsubj bark/VERB/0/root ./PUNCT/4/punct",
        ("Men's dogs", "bark", "."),
    ),
    (
        "ru",
        "Дети – шумные.",
        "Дети/NOUN/3/nsubj –/PUNCT/3/punct шумные/ADJ/0/root ./PUNCT/3/punct",
        ("Дети", "– шумные", "."),
    ),
    # The dash decides even if the parser takes the group for the root.
    (
        "ru",
        "Дети — шумные.",
        "Дети/NOUN/0/root —/PUNCT/1/punct шумные/ADJ/1/amod ./PUNCT/1/punct",
        ("Дети", "— шумные", "."),
    ),
    # A dash after the predicate does not.
    (
        "en",
        "Men nap - daily.",
        "Men/NOUN/2/nsubj nap/VERB/0/root -/PUNCT/4/punct daily/ADV/2/advmod ./PUNCT/2/punct",
        ("Men", "nap - daily", "."),
    ),
    (
        "zh",
        "女人话很多。",
        "女人/NOUN/4/nsubj 话/NOUN/4/nsubj 很/ADV/4/advmod 多/ADJ/0/root 。/PUNCT/4/punct",
        ("女人", "话很多", "。"),
    ),
]


@pytest.mark.parametrize(("lang", "text", "analysis", "expected"), CASES)
def test_rule(lang: str, text: str, analysis: str, expected: tuple[str, str, str]) -> None:
    found = split_words(text, parsed(text, analysis), lang)
    assert found == Split(*expected, parse=analysis)


@pytest.mark.parametrize(
    ("text", "analysis", "reason"),
    [
        ("Talk less.", "Talk/VERB/0/root less/ADV/1/advmod ./PUNCT/1/punct", reasons.NO_NOUN_PHRASE),
        ("Old men.", "Old/ADJ/2/amod men/NOUN/0/root ./PUNCT/2/punct", reasons.ATTRIBUTE_EMPTY),
        ("In towns.", "In/ADP/2/case towns/NOUN/0/root ./PUNCT/2/punct", reasons.NO_NOUN_PHRASE),
        ("Loud.", "Loud/ADJ/0/root ./PUNCT/1/punct", reasons.NO_NOUN_PHRASE),
        ("To cook helps", "To/PART/2/mark cook/VERB/3/csubj helps/VERB/0/root", reasons.NO_NOUN_PHRASE),
        ("Today men nap.", "Today/NOUN/3/obl men/NOUN/3/nsubj nap/VERB/0/root ./PUNCT/3/punct", reasons.NO_NOUN_PHRASE),
        ("Tea men like.", "Tea/NOUN/3/obj men/NOUN/3/nsubj like/VERB/0/root ./PUNCT/3/punct", reasons.OTHER_ORDER),
        ("Do men nap?", "Do/AUX/3/aux men/NOUN/3/nsubj nap/VERB/0/root ?/PUNCT/3/punct", reasons.OTHER_ORDER),
        ("Loud are men.", "Loud/ADJ/0/root are/AUX/1/cop men/NOUN/1/nsubj ./PUNCT/1/punct", reasons.OTHER_ORDER),
        ("There are men.", "There/PRON/2/expl are/VERB/0/root men/NOUN/2/nsubj ./PUNCT/2/punct", reasons.OTHER_ORDER),
        ("Men nap who eat", "Men/NOUN/2/nsubj nap/VERB/0/root who/PRON/4/nsubj eat/VERB/1/acl", reasons.OTHER_ORDER),
        ("Men nap.", "Men/NOUN/0/root nap/VERB/0/root ./PUNCT/2/punct", reasons.PARSER_FAILED),
        ("Mennap now.", "Men/NOUN/2/nsubj nap/VERB/0/root now/ADV/2/advmod ./PUNCT/2/punct", reasons.PARSER_FAILED),
        ("She's late.", "She/PRON/3/nsubj 's/AUX/3/cop late/ADJ/0/root ./PUNCT/3/punct", reasons.NO_WORD_BOUNDARY),
        ("Men ...", "Men/NOUN/2/nsubj .../VERB/0/root", reasons.ATTRIBUTE_EMPTY),
    ],
)  # fmt: skip
def test_rule_rejects(text: str, analysis: str, reason: str) -> None:
    found = split_words(text, parsed(text, analysis), "en")
    assert isinstance(found, Rejection)
    assert found.reason == reason


@pytest.mark.parametrize(
    ("text", "lang", "reason"),
    [
        ("Women talk. Men do not.", "en", reasons.SEVERAL_SENTENCES),
        ("Las mujeres hablan! Élla no.", "es", reasons.SEVERAL_SENTENCES),
        ("Дети шумят. Взрослые молчат.", "ru", reasons.SEVERAL_SENTENCES),
        ("女人话很多。男人话少。", "zh", reasons.SEVERAL_SENTENCES),
        ("...", "en", reasons.NO_NOUN_PHRASE),
        ("", "zh", reasons.NO_NOUN_PHRASE),
    ],
)
def test_precheck_rejects(text: str, lang: str, reason: str) -> None:
    found = precheck(text, lang)
    assert found is not None
    assert found.reason == reason


@pytest.mark.parametrize("text", ["Dr. Smith's patients wait.", "Women earn 3.5 less.", "Women talk a lot..."])
def test_precheck_passes(text: str) -> None:
    assert precheck(text, "en") is None


def test_reasons_are_distinct() -> None:
    assert len(set(reasons.SET_REASONS)) == len(reasons.SET_REASONS) == 14
    assert set(reasons.SPLIT_REASONS) < set(reasons.SET_REASONS)


def test_split_refuses_an_unknown_engine_and_language() -> None:
    with pytest.raises(ValueError, match="'presplit' takes group and attribute from the source"):
        split(["Women talk."], "en", engine="presplit")
    with pytest.raises(ValueError, match="did you mean 'stanza'"):
        split(["Women talk."], "en", engine="stanzas")
    with pytest.raises(ValueError, match="'spacy' needs a pipeline: write spacy:NAME"):
        split(["Women talk."], "en", engine="spacy")
    with pytest.raises(ValueError, match="unknown language"):
        split(["Women talk."], "xq")


def test_split_keeps_order_and_normalises(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def stream(sentences: list[str], lang: str, parser_dir: Path | None) -> Iterator[tuple[str, list[Word] | str]]:
        asked.append(sentences)
        yield "broken text.", "it broke"
        yield "Women talk.", parsed("Women talk.", "Women/NOUN/2/nsubj talk/VERB/0/root ./PUNCT/2/punct")

    monkeypatch.setattr(syntax.pipeline, "stream", stream)
    told: list[tuple[int, int]] = []
    texts = ["One. Two words. Three. Done.", " Women\u00a0 talk.", "", "broken text.", "Women talk."]
    found = split(texts, "en", report=lambda done, total: told.append((done, total)))
    assert [getattr(result, "reason", "split") for result in found] == [
        reasons.SEVERAL_SENTENCES,
        "split",
        reasons.NO_NOUN_PHRASE,
        reasons.PARSER_FAILED,
        "split",
    ]
    assert asked == [["Women talk.", "broken text."]]
    assert told == [(2, 2)]
    assert split([], "en") == []


# --- parsers that are not there ---------------------------------------------------------------------------------------


def test_missing_packages_name_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy_stanza", None)
    pipeline._load.cache_clear()
    with pytest.raises(ParserNotInstalledError, match=r"pip install --no-deps -r requirements/parse\.txt"):
        split(["Women talk."], "en")
    assert issubclass(ParserNotInstalledError, ImportError)


def test_a_folder_that_is_no_parser_folder(tmp_path: Path) -> None:
    with pytest.raises(NoParserError, match=r"no resources\.json"):
        split(["Women talk."], "en", parser_dir=tmp_path)


def test_a_language_without_parser(tmp_path: Path) -> None:
    (tmp_path / "resources.json").write_text(json.dumps({"ru": {"packages": {"default": {}}}}), encoding="utf-8")
    with pytest.raises(NoParserError, match=r"no parser for language 'en'.*which has ru"):
        split(["Women talk."], "en", parser_dir=tmp_path)
    with pytest.raises(NoParserError, match="the tokenize model of language 'ru' is missing"):
        split(["Дети шумят."], "ru", parser_dir=tmp_path)


def test_a_damaged_model_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "parsers"
    shutil.copytree(resource("parsers") / "en", folder / "en")
    shutil.copy(resource("parsers") / "resources.json", folder)
    before = pipeline.fingerprint("en", folder)
    assert before == pipeline.fingerprint("en")
    with (folder / "en" / "pos" / "tiny.pt").open("ab") as stream:
        stream.write(b"x")
    assert pipeline.fingerprint("en", folder) != before
    with pytest.raises(NoParserError, match=r"pos.*does not match the checksum"):
        split(["Women talk."], "en", parser_dir=folder)


# --- sets -------------------------------------------------------------------------------------------------------------


def table(*rows: tuple[str, str, str, str], **changes: object) -> pd.DataFrame:
    """Stereotypes of one English set from (role, sentence, group, attribute)."""
    base = {"set_id": "s1", "cluster_id": "c1", "lang": "en", "dataset": "d", "bias_type": "gender"}
    source = {"source_file": "f.csv", "kept": True, "reason": ""}
    names = ("role", "sentence", "group", "attribute")
    return pd.DataFrame(
        [
            {**base, **dict(zip(names, row, strict=True)), **source, "source_row": i, **changes}
            for i, row in enumerate(rows, start=2)
        ]
    )


PAIR = (
    ("contrast", "Men talk a lot.", "Men", "talk a lot"),
    ("stereotyped", "Women talk a lot.", "Women", "talk a lot"),
)


def only(frame: pd.DataFrame) -> dict[str, object]:
    assert list(frame.columns) == list(sets.COLUMNS)
    assert len(frame) == 1
    return dict(frame.iloc[0])


def test_presplit_set() -> None:
    found = only(sets.build_sets(table(*PAIR), {"en": "presplit"}))
    assert found == {
        "set_id": "s1",
        "cluster_id": "c1",
        "lang": "en",
        "dataset": "d",
        "bias_type": "gender",
        "groups": ["Women", "Men"],
        "attribute": "talk a lot",
        "final_mark": ".",
        "original": "Women talk a lot.",
        "parse": "presplit",
        "kept": True,
        "reason": "",
    }


def test_columns_are_those_of_the_sets_table() -> None:
    from dualpair import schemas

    assert list(sets.COLUMNS) == schemas.table("sets").names


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ((*PAIR, ("contrast", "men talk a lot.", "men", "talk a lot")), reasons.DUPLICATE_GROUP),
        ((PAIR[1],), reasons.FEWER_THAN_TWO),
        ((PAIR[0],), reasons.NO_STEREOTYPED),
        ((PAIR[1], PAIR[1]), reasons.NO_STEREOTYPED),
        ((PAIR[1], ("contrast", "The man talks a lot.", "The man", "talks a lot")), reasons.DEPENDS_ON_GROUP),
        ((PAIR[1], ("contrast", "Men talk a lot!", "Men", "talk a lot")), reasons.MARK_DIFFERS),
        ((PAIR[1], ("contrast", "Women talk less.", "Women", "talk less")), reasons.SAME_GROUP),
        ((PAIR[1], ("contrast", "Men talk a lot.", "Men talk", "a lot")), reasons.PARSER_DISAGREES),
    ],
)
def test_dropped_sets(rows: tuple[tuple[str, str, str, str], ...], reason: str) -> None:
    found = only(sets.build_sets(table(*rows), {"en": "presplit"}))
    assert (found["kept"], found["reason"]) == (False, reason)


@pytest.mark.parametrize(
    ("results", "reason"),
    [
        (["split", "no"], reasons.PARSER_DISAGREES),
        (["no", "no"], reasons.OTHER_ORDER),
    ],
)
def test_sets_with_rejected_sentences(monkeypatch: pytest.MonkeyPatch, results: list[str], reason: str) -> None:
    answers = {"split": Split("Women", "talk a lot", ".", "p"), "no": Rejection(reasons.OTHER_ORDER, "x")}
    monkeypatch.setattr(sets, "split", lambda *_: [answers[name] for name in results])
    found = only(sets.build_sets(table(PAIR[1], PAIR[0]), {"en": "stanza"}))
    assert (found["kept"], found["reason"]) == (False, reason)


def test_rows_dropped_at_the_source() -> None:
    gone = only(sets.build_sets(table(*PAIR, kept=False, reason="not_a_declaration"), {"en": "presplit"}))
    assert (gone["kept"], gone["reason"], gone["groups"]) == (False, "not_a_declaration", [])
    frame = table(*PAIR)
    frame["kept"] = [False, True]
    assert only(sets.build_sets(frame, {"en": "presplit"}))["reason"] == reasons.FEWER_THAN_TWO


def test_rows_are_sorted_by_language_and_set() -> None:
    frames = [table(*PAIR, set_id=set_id, lang=lang) for lang in ("ru", "en") for set_id in ("s2", "s1")]
    found = sets.build_sets(pd.concat(frames), {"en": "presplit", "ru": "presplit"})
    keys = zip(found["lang"], found["set_id"], strict=True)
    assert list(keys) == [("en", "s1"), ("en", "s2"), ("ru", "s1"), ("ru", "s2")]


def test_an_empty_table_gives_an_empty_table() -> None:
    found = sets.build_sets(table(*PAIR).iloc[:0], {"en": "presplit"})
    assert found.empty
    assert list(found.columns) == list(sets.COLUMNS)


@pytest.mark.parametrize(
    ("change", "engines", "message"),
    [
        ({"group": ""}, {"en": "presplit"}, r"set 's1', language 'en': the group cell is empty \(f.csv, line 2\)"),
        ({"attribute": None}, {"en": "presplit"}, "set 's1', language 'en': the attribute cell is empty"),
        ({"attribute": " ."}, {"en": "presplit"}, "set 's1', language 'en': the attribute cell is empty"),
        ({"role": "other"}, {"en": "presplit"}, "role 'other' is not one of stereotyped, contrast"),
        ({}, {}, "language 'en' has no parsing engine: name one in the config"),
        ({}, {"en": "spacy"}, "language 'en', parsing engine 'spacy': 'spacy' needs a pipeline"),
        ({"lang": "xq"}, {"xq": "presplit"}, "unknown language 'xq'"),
    ],
)
def test_bad_tables_are_refused(change: dict[str, object], engines: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sets.build_sets(table(*PAIR, **change), engines)


def test_rows_of_a_set_must_agree() -> None:
    frame = table(*PAIR)
    frame.loc[0, "bias_type"] = "age"
    with pytest.raises(ValueError, match="rows disagree"):
        sets.build_sets(frame, {"en": "presplit"})


# --- the treebank generator -------------------------------------------------------------------------------------------


def test_tree_to_conllu() -> None:
    tree = (
        Tree("talk", "talk", "VERB", "VerbForm=Fin")
        .before("nsubj", Tree("women", "woman", "NOUN").before("amod", Tree("old", "old", "ADJ")))
        .after("punct", Tree(".", ".", "PUNCT", glued=True))
    )
    assert surface(tree, " ") == "Old women talk."
    assert conllu(tree, " ", "x").splitlines() == [
        "# sent_id = x",
        "# text = Old women talk.",
        "1\tOld\told\tADJ\tADJ\t_\t2\tamod\t_\t_",
        "2\twomen\twoman\tNOUN\tNOUN\t_\t3\tnsubj\t_\t_",
        "3\ttalk\ttalk\tVERB\tVERB\tVerbForm=Fin\t0\troot\t_\tSpaceAfter=No",
        "4\t.\t.\tPUNCT\tPUNCT\t_\t3\tpunct\t_\t_",
        "",
    ]
    gold = gold_words(tree, "Old women talk.")
    assert describe(gold) == "Old/ADJ/2/amod women/NOUN/3/nsubj talk/VERB/0/root ./PUNCT/3/punct"


@pytest.mark.parametrize("lang", LANGS)
def test_generated_trees_are_whole_and_distinct(lang: str) -> None:
    with resource("stereotypes", f"{lang}.csv").open(encoding="utf-8", newline="") as stream:
        starter = [row["sentence"] for row in csv.DictReader(stream)]
    lexicon = resource("parsers", "lexicon")
    bank = generate(lang, lexicon, n_train=300, n_test=40, seed=3, exclude=starter)
    assert bank == generate(lang, lexicon, n_train=300, n_test=40, seed=3, exclude=starter)
    joiner = languages.get(lang).joiner
    trees = bank.train + bank.dev + bank.test
    texts = [surface(tree, joiner) for tree in trees]
    assert (len(bank.train), len(bank.dev), len(bank.test), len(set(texts))) == (300, 40, 40, 380)
    assert not set(texts) & set(starter)
    for tree in trees:
        rows = linearise(tree)
        assert [head for _, head, _ in rows].count(0) == 1
        assert all(0 <= head <= len(rows) and head != i for i, (_, head, _) in enumerate(rows, start=1))
    cut = [split_words(text, gold_words(tree, text), lang) for tree, text in zip(trees, texts, strict=True)]
    assert sum(isinstance(result, Split) for result in cut) / len(cut) > 0.8
    assert as_text(trees, lang).count("\n\n") == len(trees) - 1
    assert as_conllu(trees, lang, "x").count("# sent_id") == len(trees)


def test_held_out_words_are_disjoint() -> None:
    path = resource("parsers", "lexicon", "en.yaml")
    known, held = (read_lexicon(path, random.Random(0), held_out=part).lists for part in (False, True))
    assert not set(known["adj"]) & set(held["adj"])
    assert len(held["adj"]) == (len(known["adj"]) + len(held["adj"])) // 10
    assert known["numbers"] == held["numbers"]


def test_invented_words_keep_their_endings() -> None:
    lists = {"open": ["people"], "people": ["boy:boys"], "tall": ["tall"], "onsets": ["gr"], "nuclei": ["u"]}
    lex = Lexicon(lists, random.Random(0), invented=1.0)
    for _ in range(20):
        singular, plural = lex.draw("people")
        assert plural == singular + "s"
        assert singular.removesuffix("y").replace("gru", "") == ""
        assert lex.draw("tall") == ("tall",)


def test_a_grammar_or_language_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no treebank grammar for language 'fr'"):
        generate("fr", tmp_path, 1)
    (tmp_path / "bad.yaml").write_text("people: ''\nopen: people\nnuclei: ''", encoding="utf-8")
    with pytest.raises(ValueError, match=r"missing lists \['onsets'\], empty lists \['people'\]"):
        read_lexicon(tmp_path / "bad.yaml", random.Random(0))
    (tmp_path / "list.yaml").write_text("- people", encoding="utf-8")
    with pytest.raises(ValueError, match="expected a mapping"):
        read_lexicon(tmp_path / "list.yaml", random.Random(0))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_joined_split_gives_the_sentence_back(seed: int) -> None:
    (tree,) = generate("en", resource("parsers", "lexicon"), n_train=1, n_test=0, seed=seed).train
    text = surface(tree, " ")
    found = split_words(text, gold_words(tree, text), "en")
    if isinstance(found, Split):
        assert languages.join(found.group, found.attribute, "en") + found.final_mark == text


# --- the shipped parsers ----------------------------------------------------------------------------------------------


def test_parsers_are_small_and_complete() -> None:
    files = sorted(resource("parsers").glob("*/*/*.pt"))
    for lang in LANGS:
        own = [path for path in files if path.parts[-3] == languages.get(lang).stanza]
        assert sorted(path for _, path, _ in pipeline._model_files(lang, resource("parsers"))) == own
        assert sum(path.stat().st_size for path in own) < 4_000_000
    assert json.loads(resource("parsers", "resources.json").read_text(encoding="utf-8"))["zh"] == {"alias": "zh-hans"}


@pytest.mark.stanza
@pytest.mark.parametrize(("lang", "share"), [("en", 0.95), ("es", 0.95), ("ru", 0.9), ("zh", 0.9)])
def test_starter_set_is_split_as_written(lang: str, share: float) -> None:
    with resource("stereotypes", f"{lang}.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    found = split([row["sentence"] for row in rows], lang)
    right = [
        isinstance(result, Split) and (result.group, result.attribute) == (row["group"], row["attribute"])
        for result, row in zip(found, rows, strict=True)
    ]
    assert sum(right) / len(right) >= share


@pytest.mark.stanza
@pytest.mark.parametrize("lang", LANGS)
def test_batches_give_what_single_sentences_give(lang: str) -> None:
    with resource("stereotypes", f"{lang}.csv").open(encoding="utf-8", newline="") as stream:
        texts = [row["sentence"] for row in csv.DictReader(stream)][:6]
    assert split(texts, lang) == [split([text], lang)[0] for text in texts]


@pytest.mark.stanza
def test_a_failing_batch_is_tried_singly(monkeypatch: pytest.MonkeyPatch) -> None:
    nlp = pipeline._load("en", resource("parsers").resolve())
    bulk = nlp.tokenizer.snlp.bulk_process

    def failing(texts: list[str]) -> object:
        if "Men talk." in texts:
            raise RuntimeError("out of order")
        return bulk(texts)

    monkeypatch.setattr(nlp.tokenizer.snlp, "bulk_process", failing)
    found = split(["Women talk.", "Men talk."], "en")
    assert isinstance(found[0], Split)
    assert found[1] == Rejection(reasons.PARSER_FAILED, "RuntimeError: out of order")


# Sentences written by hand, not generated, nearly all with words that the lexicons do not have; "|" is the cut.
UNSEEN = {
    "en": """
        Vegetarians | are always hungry
        Accountants | lead dull lives
        Truck drivers | eat too much
        Redheads | have a hot temper
        Surgeons and dentists | earn a lot of money
        Left-handed people | are more creative than others
        Grandmothers with grandchildren | bake delicious cakes
        People in small villages | know everything about their neighbours
        Managers of large companies | work day and night
        Swiss people | are good at saving money
    """,
    "es": """
        Los camioneros | comen demasiado
        Los contables | llevan una vida aburrida
        Los pelirrojos | tienen mal genio
        Un anciano | olvida sus llaves
        Los cirujanos y los dentistas | ganan mucho dinero
        Las abuelas con nietos | hornean pasteles
        Los chicos que llevan sombrero | tocan la guitarra
        La gente de los pueblos pequeños | conoce a todos sus vecinos
        Las personas zurdas | son más creativas que los demás
        Todos los bomberos | son valientes
    """,
    "ru": """
        Бухгалтеры | живут скучно
        Канадцы | всегда извиняются
        Философы | слишком много думают
        Старый человек | забывает ключи
        Хирурги и стоматологи | много зарабатывают
        Бабушки с внуками | пекут пироги
        Люди из маленьких деревень | знают всё о соседях
        Мальчики, которые носят шляпы, | играют на гитаре
        Бедные семьи | тратят деньги на телевизоры
        Пожарные | – смелые мужчины
    """,
    "zh": """
        法国人 | 很没礼貌
        瑞士人 | 很会省钱
        卡车司机 | 吃得太多
        哲学家 | 想得太多
        加拿大人 | 总是道歉
        戴帽子的男孩 | 会弹吉他
        大学生 | 起床很晚
        左撇子 | 更有创造力
        消防员 | 很勇敢
        没有孩子的人 | 享受生活
    """,
}


@pytest.mark.stanza
@pytest.mark.parametrize(("lang", "least"), [("en", 8), ("es", 9), ("ru", 9), ("zh", 7)])
def test_sentences_written_by_hand(lang: str, least: int) -> None:
    gold = [tuple(line.strip().split(" | ")) for line in UNSEEN[lang].strip().splitlines()]
    mark = languages.get(lang).final_mark
    found = split([languages.join(group, attribute, lang) + mark for group, attribute in gold], lang)
    cut = [(result.group, result.attribute) if isinstance(result, Split) else result for result in found]
    assert sum(result == pair for result, pair in zip(cut, gold, strict=True)) >= least, cut


# --- real sentences ---------------------------------------------------------------------------------------------------

TREEBANKS = {"en": "en_ewt", "es": "es_gsd", "ru": "ru_gsd", "zh": "zh_gsdsimp"}


def short_gold_splits(path: Path, lang: str) -> list[tuple[str, Split]]:
    """Held-out sentences of up to twenty words that begin with a subject, with the split that the gold tree gives."""
    held = {sentence.text for sentence in universal.read_treebank(path)[1]}
    found = []
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        text = next(line[9:] for line in block.splitlines() if line.startswith("# text = "))
        rows = [line.split("\t") for line in block.splitlines() if not line.startswith("#")]
        if text not in held or len(rows) > 20 or any(not row[0].isdigit() for row in rows):
            continue
        analysis = " ".join(f"{row[1]}/{row[3]}/{row[6]}/{row[7]}" for row in rows)
        result = split_words(text, parsed(text, analysis), lang)
        if isinstance(result, Split) and result.final_mark and precheck(text, lang) is None:
            found.append((text, result))
    return found


@pytest.mark.stanza
@pytest.mark.parametrize(("lang", "least"), [("en", 0.75), ("es", 0.72), ("ru", 0.7), ("zh", 0.5)])
def test_real_sentences_that_no_parser_was_trained_on(shared_data: Path, lang: str, least: float) -> None:
    gold = short_gold_splits(shared_data / "ud" / f"{TREEBANKS[lang]}-ud-dev.conllu", lang)
    assert len(gold) >= 15
    found = split([text for text, _ in gold], lang)
    right = [
        isinstance(result, Split) and (result.group, result.attribute) == (one.group, one.attribute)
        for result, (_, one) in zip(found, gold, strict=True)
    ]
    share = sum(right) / len(right)
    print(f"{lang}: {share:.2f} of {len(right)}")
    assert share >= least
