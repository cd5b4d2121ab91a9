"""The sentences of the feature norms: article, number and agreement per language, and what is left out."""

from __future__ import annotations

from collections import Counter

import pytest

from dualpair import languages
from dualpair.errors import InputError
from dualpair.norms import builtin, concepts, documents, words
from dualpair.norms.concepts import Concept

LANGUAGES = ("en", "es", "ru", "zh")


def spoken(lang: str) -> dict[tuple[str, str, str], str]:
    """(pair, concept, side) to the whole sentence."""
    frame = concepts.sentences(concepts.table(builtin.concepts(lang), "builtin"))
    return {
        (*row["set_id"].split("/"), row["side"]): row["prefix"] + row["continuation"]
        for row in frame.to_dict("records")
    }


def test_every_language_has_words() -> None:
    assert words.languages() == list(LANGUAGES)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_set_is_large_enough_and_balanced(lang: str) -> None:
    frame = concepts.table(builtin.concepts(lang), "builtin")
    assert frame["kept"].all()
    assert frame["pair_id"].nunique() >= 6
    for _, rows in frame.groupby("pair_id"):
        assert len(rows) == 12
        assert rows["has_first"].sum() == 6
        assert (rows["has_first"] != rows["has_second"]).all()
        assert rows["prefix"].is_unique


@pytest.mark.parametrize("lang", LANGUAGES)
def test_labels_are_the_same_in_every_language(lang: str) -> None:
    label = ["pair_id", "concept_id", "has_first"]
    one, english = (concepts.table(builtin.concepts(code), "builtin")[label] for code in (lang, "en"))
    assert one.equals(english)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_word_or_feature_is_listed_in_vain(lang: str) -> None:
    used = {
        one for pair in builtin.facts().pairs.values() for side in (pair.first, pair.second) for one in side.concepts
    }
    features = {side.feature for pair in builtin.facts().pairs.values() for side in (pair.first, pair.second)}
    chosen = words.load(lang)
    assert {one for nouns in chosen.concepts.values() for one in nouns} == used
    assert set(chosen.features) == features


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_two_concepts_have_one_name_and_no_name_holds_its_feature(lang: str) -> None:
    chosen = words.load(lang)
    names = Counter(noun for nouns in chosen.concepts.values() for noun in nouns.values())
    assert max(names.values()) == 1
    for pair in builtin.facts().pairs.values():
        for side in (pair.first, pair.second):
            forms = chosen.features[side.feature]
            roots = {
                form.strip("很是的") if lang == "zh" else form[:4]
                for form in ([forms] if isinstance(forms, str) else forms.values())
            }
            for concept in side.concepts:
                noun = chosen.noun(concept)[1]
                assert not any(root in noun for root in roots), (noun, roots)


@pytest.mark.parametrize(
    ("lang", "place", "expected"),
    [
        ("en", ("hot-cold", "ice", "alternate"), "The ice is cold."),
        ("en", ("hot-cold", "ice", "attribute"), "The ice is hot."),
        ("en", ("expensive-cheap", "matches", "alternate"), "The matches are cheap."),
        ("en", ("dangerous-harmless", "teddy_bear", "alternate"), "The teddy bear is harmless."),
        ("es", ("hot-cold", "snow", "alternate"), "La nieve es fría."),
        ("es", ("hot-cold", "ice", "alternate"), "El hielo es frío."),
        ("es", ("expensive-cheap", "pearls", "attribute"), "Las perlas son caras."),
        ("es", ("dangerous-harmless", "weapon", "attribute"), "El arma es peligrosa."),
        ("es", ("large-small", "whale", "attribute"), "La ballena es grande."),
        ("ru", ("heavy-light", "feather", "alternate"), "Перо лёгкое."),
        ("ru", ("hot-cold", "ice", "alternate"), "Лёд холодный."),
        ("ru", ("bright-dark", "night", "alternate"), "Ночь тёмная."),
        ("ru", ("expensive-cheap", "matches", "attribute"), "Спички дорогие."),
        ("ru", ("dangerous-harmless", "teddy_bear", "alternate"), "Плюшевый мишка безобидный."),
        ("zh", ("hot-cold", "ice", "alternate"), "冰很冷。"),
        ("zh", ("dangerous-harmless", "weapon", "attribute"), "武器是危险的。"),
    ],
)
def test_sentences(lang: str, place: tuple[str, str, str], expected: str) -> None:
    assert spoken(lang)[place] == expected


# Endings of the agreeing forms, written out independently of the resource: gender and number by the noun's article or, in
# Russian, by its last letter with the exceptions listed.
SPANISH = {"El ": ("o", "e", "z"), "La ": ("a", "e"), "Los ": ("os", "es"), "Las ": ("as", "es")}
RUSSIAN_FEMININE = {"Мышь", "Ночь", "Печь", "Соль", "Сталь", "Тень"}
RUSSIAN_MASCULINE = {"Плюшевый мишка"}
RUSSIAN_PLURAL = {"Спички", "Жемчужины"}


def test_every_spanish_adjective_agrees_with_its_article() -> None:
    for sentence in spoken("es").values():
        article = next(one for one in SPANISH if sentence.startswith(one))
        if sentence.startswith("El arma"):
            article = "La "
        assert sentence.removesuffix(".").endswith(SPANISH[article]), sentence
        assert (" son " in sentence) == (article in ("Los ", "Las ")), sentence


def test_every_russian_adjective_agrees_with_its_noun() -> None:
    for sentence in spoken("ru").values():
        noun, adjective = sentence.removesuffix(".").rsplit(" ", 1)
        if noun in RUSSIAN_PLURAL:
            endings: tuple[str, ...] = ("ые", "ие")
        elif noun in RUSSIAN_FEMININE or (noun.endswith(("а", "я")) and noun not in RUSSIAN_MASCULINE):
            endings = ("ая", "яя")
        elif noun.endswith(("о", "е")):
            endings = ("ое", "ее")
        else:
            endings = ("ый", "ий", "ой")
        assert adjective.endswith(endings), sentence


@pytest.mark.parametrize("lang", LANGUAGES)
def test_prefix_and_continuation_follow_the_scoring_contract(lang: str) -> None:
    language = languages.get(lang)
    frame = concepts.sentences(concepts.table(builtin.concepts(lang), "builtin"))
    assert len(frame) == 2 * 96
    for row in frame.itertuples():
        assert row.prefix == row.prefix.strip()
        assert row.continuation.startswith(language.joiner)
        assert not row.continuation.removeprefix(language.joiner).startswith(" ")
        assert row.continuation.endswith(language.final_mark)
    assert not frame.duplicated(["lang", "set_id", "side"]).any()


def made(concept_id: str, first: bool, second: bool, prefix: str = "") -> Concept:
    return Concept(concept_id, prefix or f"The {concept_id}", "is hot", "is cold", first, second)


def test_concepts_with_both_features_are_dropped_and_the_counts_add_up() -> None:
    members = [
        made("a", True, False), made("b", True, True), made("c", False, True), made("d", True, False),
        made("seal_(animal)", False, True, "The seal"), made("seal_(wax)", True, False, "The seal"),
        made("tank_(army)", True, False, "The tank"), made("tank_(water)", True, False, "The tank"),
    ]  # fmt: skip
    frame = concepts.table([("en", "hot-cold", members)], "mcrae", limit=2)
    assert frame.set_index("concept_id")["reason"].to_dict() == {
        "a": "", "b": "both_features", "c": "", "d": "",
        "seal_(animal)": "ambiguous_form", "seal_(wax)": "ambiguous_form",
        "tank_(army)": "limit", "tank_(water)": "repeated_form",
    }  # fmt: skip
    assert frame["kept"].sum() + (frame["reason"] != "").sum() == len(members) == len(frame)
    assert (frame["kept"] == (frame["reason"] == "")).all()
    assert set(frame["reason"]) - {""} <= set(concepts.REASONS)
    assert len(concepts.sentences(frame)) == 2 * frame["kept"].sum()


def test_a_sense_with_both_features_does_not_take_the_other_sense_along() -> None:
    members = [made("mink", True, False), made("mink_(coat)", True, True, "The mink")]
    assert concepts.table([("en", "hot-cold", members)], "mcrae")["reason"].tolist() == ["", "both_features"]


def test_a_concept_without_either_feature_is_refused() -> None:
    with pytest.raises(ValueError, match="'x' has neither feature of the pair hot-cold"):
        concepts.table([("en", "hot-cold", [made("x", False, False)])], "mcrae")


def test_the_limit_keeps_labels_balanced() -> None:
    frame = concepts.table(builtin.concepts("en"), "builtin", limit=2)
    kept = frame.loc[frame["kept"]]
    assert (kept.groupby("pair_id")["has_first"].agg(["size", "sum"]) == [4, 2]).all().all()
    assert set(frame.loc[~frame["kept"], "reason"]) == {"limit"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("classes: {m: {article: '', copula: ''}}\nfeatures: {}\nconcepts: {f: {a: b}}\n", r"unknown classes \['f'\]"),
        (
            "classes: {m: {article: '', copula: ''}}\nfeatures: {hot: {f: x}}\nconcepts: {}\n",
            r"hot has the forms \['f'\], needs \['m'\]",
        ),
        ("classes: {m: {article: '', copula: '', agrees: f}}\nfeatures: {}\nconcepts: {}\n", r"agrees names \['f'\]"),
        ("classes: {m: {artikel: '', copula: ''}}\nfeatures: {}\nconcepts: {}\n", "classes.m.artikel"),
        ("[1]", "holds list, expected a mapping"),
        ("a: [", "cannot be read as YAML"),
    ],
)
def test_malformed_words_are_refused(tmp_path, text: str, message: str) -> None:
    path = tmp_path / "words.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        documents.read(path, words.Words)


def test_a_list_in_another_encoding_is_refused(tmp_path) -> None:
    path = tmp_path / "words.yaml"
    path.write_bytes("classes: {ñ: 1}".encode("cp1252"))
    with pytest.raises(InputError, match="not UTF-8"):
        documents.read(path, words.Words)


def test_unbalanced_facts_are_refused() -> None:
    with pytest.raises(ValueError, match="2 concepts of the first feature, 1 of the second"):
        builtin.Pair.model_validate(
            {"first": {"feature": "hot", "concepts": ["a", "b"]}, "second": {"feature": "cold", "concepts": ["c"]}}
        )
    with pytest.raises(ValueError, match=r"listed twice: \['a'\]"):
        builtin.Pair.model_validate(
            {"first": {"feature": "hot", "concepts": ["a"]}, "second": {"feature": "cold", "concepts": ["a"]}}
        )


def test_a_language_without_words_is_refused() -> None:
    with pytest.raises(InputError, match=r"no feature norms in language 'de' \(allowed: en, es, ru, zh\)"):
        words.load("de")
