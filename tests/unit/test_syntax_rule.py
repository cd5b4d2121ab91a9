"""The splitting rule on hand-written parses: marks at the border, dashes, clauses as subjects, other languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair import languages
from dualpair.syntax import Rejection, Split, reasons
from dualpair.syntax.splitting import Word, split_words
from tests.unit.parses import parsed

SPLITS = [
    # Opening marks stay with the group, closing ones too.
    ("es", "¿Las mujeres hablan mucho?", "¿/PUNCT/4/punct Las/DET/3/det mujeres/NOUN/4/nsubj hablan/VERB/0/root mucho/ADV/4/advmod ?/PUNCT/4/punct", "¿Las mujeres | hablan mucho"),
    ("en", 'The "wise" nap.', 'The/DET/3/det "/PUNCT/3/punct wise/ADJ/5/nsubj "/PUNCT/5/punct nap/VERB/0/root ./PUNCT/5/punct', 'The "wise" | nap'),
    ("en", 'Men "nap" daily.', 'Men/NOUN/3/nsubj "/PUNCT/3/punct nap/VERB/0/root "/PUNCT/3/punct daily/ADV/3/advmod ./PUNCT/3/punct', 'Men | "nap" daily'),
    ("ru", "«Совы» спят.", "«/PUNCT/2/punct Совы/NOUN/4/nsubj »/PUNCT/2/punct спят/VERB/0/root ./PUNCT/4/punct", "«Совы» | спят"),
    ("zh", "“夜猫子”睡得晚。", "“/PUNCT/2/punct 夜猫子/NOUN/4/nsubj ”/PUNCT/4/punct 睡/VERB/0/root 得/PART/6/mark 晚/ADJ/4/xcomp 。/PUNCT/4/punct", "“夜猫子” | 睡得晚"),
    ("zh", '"夜猫子"睡。', '"/PUNCT/2/punct 夜猫子/NOUN/4/nsubj "/PUNCT/4/punct 睡/VERB/0/root 。/PUNCT/4/punct', '"夜猫子" | 睡'),
    ("zh", "老人“爱”唠叨。", "老人/NOUN/5/nsubj “/PUNCT/5/punct 爱/AUX/5/aux ”/PUNCT/5/punct 唠叨/VERB/0/root 。/PUNCT/5/punct", "老人 | “爱”唠叨"),
    ("zh", "老人，总唠叨。", "老人/NOUN/4/nsubj ，/PUNCT/4/punct 总/ADV/4/advmod 唠叨/VERB/0/root 。/PUNCT/4/punct", "老人， | 总唠叨"),
    # A comma or a bracket written to the group belongs to it whatever the parser hangs it on.
    ("en", "Men, however, nap.", "Men/NOUN/5/nsubj ,/PUNCT/3/punct however/ADV/5/advmod ,/PUNCT/3/punct nap/VERB/0/root ./PUNCT/5/punct", "Men, | however, nap"),
    ("en", "Men (and boys) nap.", "Men/NOUN/6/nsubj (/PUNCT/4/punct and/CCONJ/4/cc boys/NOUN/6/dep )/PUNCT/4/punct nap/VERB/0/root ./PUNCT/6/punct", "Men (and boys) | nap"),
    ("en", "Men nap (and snore).", "Men/NOUN/2/nsubj nap/VERB/0/root (/PUNCT/5/punct and/CCONJ/5/cc snore/VERB/2/conj )/PUNCT/5/punct ./PUNCT/2/punct", "Men | nap (and snore)"),
    ("zh", "老人（男）睡。", "老人/NOUN/5/nsubj （/PUNCT/3/punct 男/NOUN/5/dep ）/PUNCT/3/punct 睡/VERB/0/root 。/PUNCT/5/punct", "老人（男） | 睡"),
    # A full stop inside the group.
    ("en", "Men from the U.S. nap.", "Men/NOUN/5/nsubj from/ADP/4/case the/DET/4/det U.S./PROPN/1/nmod nap/VERB/0/root ./PUNCT/5/punct", "Men from the U.S. | nap"),
    # Modifiers.
    ("en", "Both of the tall boys' two dogs bark.", "Both/DET/8/nsubj of/ADP/7/case the/DET/5/det tall/ADJ/5/amod boys/NOUN/7/nmod:poss two/NUM/7/nummod dogs/NOUN/1/nmod bark/VERB/0/root ./PUNCT/8/punct", "Both of the tall boys' two dogs | bark"),
    ("en", "My aunt, a nurse, naps.", "My/PRON/2/nmod:poss aunt/NOUN/7/nsubj ,/PUNCT/5/punct a/DET/5/det nurse/NOUN/2/appos ,/PUNCT/5/punct naps/VERB/0/root ./PUNCT/7/punct", "My aunt, a nurse, | naps"),
    ("en", "Not only women nap.", "Not/PART/3/advmod only/ADV/3/advmod women/NOUN/4/nsubj nap/VERB/0/root ./PUNCT/4/punct", "Not only women | nap"),
    # Auxiliaries, negation and clitics belong to the attribute.
    ("es", "Los chicos no se cansan.", "Los/DET/2/det chicos/NOUN/5/nsubj no/ADV/5/advmod se/PRON/5/expl:pv cansan/VERB/0/root ./PUNCT/5/punct", "Los chicos | no se cansan"),
    # A clause without a head noun and a participle are noun phrases.
    ("es", "Quienes cocinan bien son felices.", "Quienes/PRON/2/nsubj cocinan/VERB/5/csubj bien/ADV/2/advmod son/AUX/5/cop felices/ADJ/0/root ./PUNCT/5/punct", "Quienes cocinan bien | son felices"),
    ("es", "Los que cocinan son felices.", "Los/DET/2/det que/PRON/3/nsubj cocinan/VERB/5/csubj son/AUX/5/cop felices/ADJ/0/root ./PUNCT/5/punct", "Los que cocinan | son felices"),
    ("es", "Los que cocinan ríen.", "Los/DET/3/det que/PRON/3/nsubj cocinan/VERB/4/csubj ríen/VERB/0/root ./PUNCT/4/punct", "Los que cocinan | ríen"),
    ("es", "Lo que cocinan es bueno.", "Lo/PRON/5/nsubj que/PRON/3/obj cocinan/VERB/1/acl:relcl es/AUX/5/cop bueno/ADJ/0/root ./PUNCT/5/punct", "Lo que cocinan | es bueno"),
    ("ru", "Курящие кашляют.", "Курящие/VERB/2/nsubj/Case=Nom|Number=Plur|VerbForm=Part кашляют/VERB/0/root ./PUNCT/2/punct", "Курящие | кашляют"),
    # Chinese treebanks call noun suffixes PART.
    ("zh", "科学家很聪明。", "科学/NOUN/2/compound 家/PART/4/nsubj 很/ADV/4/advmod 聪明/ADJ/0/root 。/PUNCT/4/punct", "科学家 | 很聪明"),
    # Dashes.
    ("en", "Old men – always cross.", "Old/ADJ/2/amod men/NOUN/0/root –/PUNCT/5/punct always/ADV/5/advmod cross/ADJ/2/parataxis ./PUNCT/2/punct", "Old men | – always cross"),
    ("ru", "Дети, которые спят, – чудо.", "Дети/NOUN/7/nsubj ,/PUNCT/4/punct которые/PRON/4/nsubj спят/VERB/1/acl:relcl ,/PUNCT/4/punct –/PUNCT/7/punct чудо/NOUN/0/root ./PUNCT/7/punct", "Дети, которые спят, | – чудо"),
    ("zh", "老人——很慢。", "老人/NOUN/4/nsubj ——/PUNCT/4/punct 很/ADV/4/advmod 慢/ADJ/0/root 。/PUNCT/4/punct", "老人 | ——很慢"),
    # Two dashes before a verb enclose an insertion; before a missing copula the second is the copula's.
    ("en", "Men – old ones – nap.", "Men/NOUN/6/nsubj –/PUNCT/4/punct old/ADJ/4/amod ones/NOUN/1/appos –/PUNCT/4/punct nap/VERB/0/root ./PUNCT/6/punct", "Men – old ones – | nap"),
    ("ru", "Дети – все – шумные.", "Дети/NOUN/5/nsubj –/PUNCT/3/punct все/PRON/1/appos –/PUNCT/5/punct шумные/ADJ/0/root ./PUNCT/5/punct", "Дети – все | – шумные"),
    # No dash: a range of numbers, a dash in brackets, a dash after the predicate.
    ("en", "Boys of 8 - 12 nap.", "Boys/NOUN/6/nsubj of/ADP/3/case 8/NUM/1/nmod -/PUNCT/5/punct 12/NUM/3/dep nap/VERB/0/root ./PUNCT/6/punct", "Boys of 8 - 12 | nap"),
    ("en", "Men (boys – girls) nap.", "Men/NOUN/7/nsubj (/PUNCT/3/punct boys/NOUN/1/appos –/PUNCT/5/punct girls/NOUN/3/conj )/PUNCT/3/punct nap/VERB/0/root ./PUNCT/7/punct", "Men (boys – girls) | nap"),
    # German: verb-final clauses inside the group.
    ("de", "Frauen, die viel arbeiten, sind müde.", "Frauen/NOUN/8/nsubj ,/PUNCT/5/punct die/PRON/5/nsubj viel/ADV/5/advmod arbeiten/VERB/1/acl:relcl ,/PUNCT/5/punct sind/AUX/8/cop müde/ADJ/0/root ./PUNCT/8/punct", "Frauen, die viel arbeiten, | sind müde"),
    ("de", "Kinder aus der 3. Klasse geben schnell auf.", "Kinder/NOUN/6/nsubj aus/ADP/5/case der/DET/5/det 3./ADJ/5/amod Klasse/NOUN/1/nmod geben/VERB/0/root schnell/ADV/6/advmod auf/ADP/6/compound:prt ./PUNCT/6/punct", "Kinder aus der 3. Klasse | geben schnell auf"),
    # French: elision inside the group and at the beginning of the attribute.
    ("fr", "L'homme de l'usine n'aime pas cuisiner.", "L'/DET/2/det homme/NOUN/7/nsubj de/ADP/5/case l'/DET/5/det usine/NOUN/2/nmod n'/ADV/7/advmod aime/VERB/0/root pas/ADV/7/advmod cuisiner/VERB/7/xcomp ./PUNCT/7/punct", "L'homme de l'usine | n'aime pas cuisiner"),
    ("fr", "Les filles s’habillent bien.", "Les/DET/2/det filles/NOUN/4/nsubj s’/PRON/4/expl habillent/VERB/0/root bien/ADV/4/advmod ./PUNCT/4/punct", "Les filles | s’habillent bien"),
    ("pt", "As mulheres do campo falam muito.", "As/DET/2/det mulheres/NOUN/5/nsubj do/ADP/4/case campo/NOUN/2/nmod falam/VERB/0/root muito/ADV/5/advmod ./PUNCT/5/punct", "As mulheres do campo | falam muito"),
    ("it", "L'italiano medio non cucina.", "L'/DET/2/det italiano/NOUN/5/nsubj medio/ADJ/2/amod non/ADV/5/advmod cucina/VERB/0/root ./PUNCT/5/punct", "L'italiano medio | non cucina"),
    ("nl", "Oude mannen in de stad zijn traag.", "Oude/ADJ/2/amod mannen/NOUN/7/nsubj in/ADP/5/case de/DET/5/det stad/NOUN/2/nmod zijn/AUX/7/cop traag/ADJ/0/root ./PUNCT/7/punct", "Oude mannen in de stad | zijn traag"),
    ("pl", "Kobiety nie są leniwe.", "Kobiety/NOUN/4/nsubj nie/PART/4/advmod są/AUX/4/cop leniwe/ADJ/0/root ./PUNCT/4/punct", "Kobiety | nie są leniwe"),
    ("ro", "Femeile vorbesc mult.", "Femeile/NOUN/2/nsubj vorbesc/VERB/0/root mult/ADV/2/advmod ./PUNCT/2/punct", "Femeile | vorbesc mult"),
    # Hindi: the verb at the end, a danda, vowel signs, which are no letters to a regular expression.
    ("hi", "गाँव की औरतें बहुत बोलती हैं।", "गाँव/NOUN/3/nmod की/ADP/1/case औरतें/NOUN/5/nsubj बहुत/ADV/5/advmod बोलती/VERB/0/root हैं/AUX/5/aux ।/PUNCT/5/punct", "गाँव की औरतें | बहुत बोलती हैं"),
    ("bn", "মেয়েরা বেশি কথা বলে।", "মেয়েরা/NOUN/4/nsubj বেশি/ADJ/3/amod কথা/NOUN/4/obj বলে/VERB/0/root ।/PUNCT/4/punct", "মেয়েরা | বেশি কথা বলে"),
    # Arabic with the subject first; a question with its own mark.
    ("ar", "النساء يتكلمن كثيرا؟", "النساء/NOUN/2/nsubj يتكلمن/VERB/0/root كثيرا/ADV/2/advmod ؟/PUNCT/2/punct", "النساء | يتكلمن كثيرا"),
    ("zh-Hant", "老人走得很慢。", "老人/NOUN/2/nsubj 走/VERB/0/root 得/PART/5/mark 很/ADV/5/advmod 慢/ADJ/2/xcomp 。/PUNCT/2/punct", "老人 | 走得很慢"),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "text", "analysis", "expected"), SPLITS)
def test_splits(lang: str, text: str, analysis: str, expected: str) -> None:
    found = split_words(text, parsed(text, analysis), lang)
    assert isinstance(found, Split), found
    assert f"{found.group} | {found.attribute}" == expected
    assert languages.join(found.group, found.attribute, lang) + found.final_mark == text


REJECTIONS = [
    ("ar", "تحب النساء الشاي.", "تحب/VERB/0/root النساء/NOUN/1/nsubj الشاي/NOUN/1/obj ./PUNCT/1/punct", reasons.OTHER_ORDER),
    ("de", "Dass Männer weinen, ist gut.", "Dass/SCONJ/3/mark Männer/NOUN/3/nsubj weinen/VERB/6/csubj ,/PUNCT/3/punct ist/AUX/6/cop gut/ADJ/0/root ./PUNCT/6/punct", reasons.NO_NOUN_PHRASE),
    ("de", "Heute kochen Männer.", "Heute/ADV/2/advmod kochen/VERB/0/root Männer/NOUN/2/nsubj ./PUNCT/2/punct", reasons.NO_NOUN_PHRASE),
    ("de", "Suppe kochen Männer.", "Suppe/NOUN/2/obj kochen/VERB/0/root Männer/NOUN/2/nsubj ./PUNCT/2/punct", reasons.OTHER_ORDER),
    ("fr", "C'est une fille.", "C'/PRON/4/nsubj est/AUX/4/cop une/DET/4/det fille/NOUN/0/root ./PUNCT/4/punct", reasons.NO_WORD_BOUNDARY),
    ("es", "Hablan mucho.", "Hablan/VERB/0/root/Mood=Ind|VerbForm=Fin mucho/ADV/1/advmod ./PUNCT/1/punct", reasons.OTHER_ORDER),
    ("es", "Habla menos.", "Habla/VERB/0/root/Mood=Imp|VerbForm=Fin menos/ADV/1/advmod ./PUNCT/1/punct", reasons.NO_NOUN_PHRASE),
    ("es", "A las mujeres les gusta.", "A/ADP/3/case las/DET/3/det mujeres/NOUN/5/iobj les/PRON/5/expl gusta/VERB/0/root ./PUNCT/5/punct", reasons.OTHER_ORDER),
    ("en", "What they cook is good.", "What/PRON/3/obj they/PRON/3/nsubj cook/VERB/5/csubj is/AUX/5/cop good/ADJ/0/root ./PUNCT/5/punct", reasons.NO_NOUN_PHRASE),
    ("en", "Smoking kills.", "Smoking/VERB/2/nsubj/Tense=Pres|VerbForm=Part kills/VERB/0/root ./PUNCT/2/punct", reasons.NO_NOUN_PHRASE),
    ("en", "Don't nap.", "Do/AUX/3/aux/Mood=Imp|VerbForm=Fin n't/PART/3/advmod nap/VERB/0/root/VerbForm=Inf ./PUNCT/3/punct", reasons.NO_NOUN_PHRASE),
    ("ru", "Работать летом – скучно.", "Работать/VERB/4/csubj летом/NOUN/1/obl –/PUNCT/4/punct скучно/ADV/0/root ./PUNCT/4/punct", reasons.NO_NOUN_PHRASE),
    ("ru", "По утрам – тихо.", "По/ADP/2/case утрам/NOUN/4/obl –/PUNCT/4/punct тихо/ADV/0/root ./PUNCT/4/punct", reasons.NO_NOUN_PHRASE),
    ("ru", "Спи – и молчи.", "Спи/VERB/0/root/Mood=Imp –/PUNCT/4/punct и/CCONJ/4/cc молчи/VERB/1/conj ./PUNCT/1/punct", reasons.NO_NOUN_PHRASE),
    ("en", "\"...\"", '"/PUNCT/2/punct .../PUNCT/0/root "/PUNCT/2/punct', reasons.NO_NOUN_PHRASE),
]  # fmt: skip


# A parser that takes the opening or the predicate into the subject does so in both sentences of a pair.
REJECTIONS += [
    ("en", "In Spain women nap.", "In/ADP/3/case Spain/PROPN/3/compound women/NOUN/4/nsubj nap/VERB/0/root ./PUNCT/4/punct", reasons.NO_NOUN_PHRASE),
    ("es", "En España las mujeres ríen.", "En/ADP/2/case España/PROPN/5/nsubj las/DET/4/det mujeres/NOUN/2/appos ríen/VERB/0/root ./PUNCT/5/punct", reasons.NO_NOUN_PHRASE),
    ("ru", "В деревне люди добрее.", "В/ADP/3/case деревне/ADJ/3/amod люди/NOUN/4/nsubj добрее/ADJ/0/root ./PUNCT/4/punct", reasons.NO_NOUN_PHRASE),
    ("en", "However women nap.", "However/ADV/2/advmod women/NOUN/3/nsubj nap/VERB/0/root ./PUNCT/3/punct", reasons.NO_NOUN_PHRASE),
    ("en", "Due to age men nap.", "Due/ADJ/4/amod to/ADP/3/case age/NOUN/1/obl men/NOUN/5/nsubj nap/VERB/0/root ./PUNCT/5/punct", reasons.NO_NOUN_PHRASE),
    ("en", "Historically men nap.", "Historically/ADV/2/advmod men/NOUN/3/nsubj nap/VERB/0/root ./PUNCT/3/punct", reasons.NO_NOUN_PHRASE),
    ("es", "A veces los niños duermen.", "A/ADP/4/advmod veces/NOUN/1/fixed los/DET/4/det niños/NOUN/5/nsubj duermen/VERB/0/root ./PUNCT/5/punct", reasons.NO_NOUN_PHRASE),
    ("zh", "通常老人睡。", "通常/ADV/2/advmod 老人/NOUN/3/nsubj 睡/VERB/0/root 。/PUNCT/3/punct", reasons.NO_NOUN_PHRASE),
    ("en", "The woman played Bingo at the center.", "The/DET/2/det woman/NOUN/7/nsubj played/VERB/2/acl/VerbForm=Part Bingo/PROPN/3/obj at/ADP/6/case the/DET/3/obl center/NOUN/0/root ./PUNCT/7/punct", reasons.NO_NOUN_PHRASE),
    ("en", "All people look alike.", "All/DET/2/det people/NOUN/4/nsubj look/VERB/2/acl:relcl/VerbForm=Fin alike/ADV/0/root ./PUNCT/4/punct", reasons.NO_NOUN_PHRASE),
    ("en", "Lucky are the men who nap here.", "Lucky/ADJ/4/amod are/AUX/1/cop/VerbForm=Fin the/DET/4/det men/NOUN/7/nsubj who/PRON/6/nsubj nap/VERB/4/acl:relcl/VerbForm=Fin here/ADV/0/root ./PUNCT/7/punct", reasons.NO_NOUN_PHRASE),
]  # fmt: skip
SOUND = [
    ("en", "Over 50 people nap.", "Over/ADP/2/case 50/NUM/3/nummod people/NOUN/4/nsubj nap/VERB/0/root ./PUNCT/4/punct", "Over 50 people | nap"),
    ("en", "Only women nap.", "Only/ADV/2/advmod women/NOUN/3/nsubj nap/VERB/0/root ./PUNCT/3/punct", "Only women | nap"),
    ("en", "Mentally ill men nap.", "Mentally/ADV/2/advmod ill/ADJ/3/amod men/NOUN/4/nsubj nap/VERB/0/root ./PUNCT/4/punct", "Mentally ill men | nap"),
    ("en", "Historically poor towns nap.", "Historically/ADV/2/advmod poor/ADJ/3/amod towns/NOUN/4/nsubj nap/VERB/0/root ./PUNCT/4/punct", "Historically poor towns | nap"),
    ("en", "Today's men nap.", "Today/NOUN/3/nmod:poss 's/PART/1/case men/NOUN/4/nsubj nap/VERB/0/root ./PUNCT/4/punct", "Today's men | nap"),
    ("en", "Men I know nap.", "Men/NOUN/4/nsubj I/PRON/3/nsubj know/VERB/1/acl:relcl/VerbForm=Fin nap/VERB/0/root ./PUNCT/4/punct", "Men I know | nap"),
    ("en", "Men wearing hats nap.", "Men/NOUN/4/nsubj wearing/VERB/1/acl/Tense=Pres|VerbForm=Part hats/NOUN/2/obj nap/VERB/0/root ./PUNCT/4/punct", "Men wearing hats | nap"),
    ("en", "Men employed here nap.", "Men/NOUN/4/nsubj employed/VERB/1/acl/VerbForm=Part here/ADV/2/advmod nap/VERB/0/root ./PUNCT/4/punct", "Men employed here | nap"),
    ("en", "Men who are rich nap.", "Men/NOUN/5/nsubj who/PRON/4/nsubj are/AUX/4/cop rich/ADJ/1/acl:relcl nap/VERB/0/root ./PUNCT/5/punct", "Men who are rich | nap"),
    ("es", "La casa donde viven brilla.", "La/DET/2/det casa/NOUN/5/nsubj donde/ADV/4/advmod viven/VERB/2/acl/VerbForm=Fin brilla/VERB/0/root ./PUNCT/5/punct", "La casa donde viven | brilla"),
    ("es", "Los que son ricos ríen.", "Los/DET/4/det que/PRON/4/nsubj son/AUX/4/cop ricos/ADJ/5/nsubj ríen/VERB/0/root ./PUNCT/5/punct", "Los que son ricos | ríen"),
    ("ru", "Так называемые белые спят.", "Так/SCONJ/3/advmod называемые/ADJ/3/amod белые/NOUN/4/nsubj спят/VERB/0/root ./PUNCT/4/punct", "Так называемые белые | спят"),
    ("ru", "Люди, купившие хлеб, спят.", "Люди/NOUN/6/nsubj ,/PUNCT/3/punct купившие/VERB/1/acl/VerbForm=Part хлеб/NOUN/3/obj ,/PUNCT/3/punct спят/VERB/0/root ./PUNCT/6/punct", "Люди, купившие хлеб, | спят"),
    ("zh", "在农村的老人睡。", "在/ADP/2/case 农村/NOUN/4/nmod 的/PART/2/case 老人/NOUN/5/nsubj 睡/VERB/0/root 。/PUNCT/5/punct", "在农村的老人 | 睡"),
    ("ar", "رجال يحبون الشاي ينامون.", "رجال/NOUN/4/nsubj يحبون/VERB/1/acl:relcl/VerbForm=Fin الشاي/NOUN/2/obj ينامون/VERB/0/root ./PUNCT/4/punct", "رجال يحبون الشاي | ينامون"),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "text", "analysis", "expected"), SOUND)
def test_subjects_that_only_look_as_if_they_held_more(lang: str, text: str, analysis: str, expected: str) -> None:
    test_splits(lang, text, analysis, expected)


@pytest.mark.parametrize(("lang", "text", "analysis", "reason"), REJECTIONS)
def test_rejections(lang: str, text: str, analysis: str, reason: str) -> None:
    found = split_words(text, parsed(text, analysis), lang)
    assert getattr(found, "reason", None) == reason, found


def test_a_rejection_says_what_was_found() -> None:
    text = "Tea men like."
    found = split_words(text, parsed(text, "Tea/NOUN/3/obj men/NOUN/3/nsubj like/VERB/0/root ./PUNCT/3/punct"), "en")
    parse = "Tea/NOUN/3/obj men/NOUN/3/nsubj like/VERB/0/root ./PUNCT/3/punct"
    assert found == Rejection(reasons.OTHER_ORDER, "the object comes first", parse)


RELATIONS = (
    "nsubj",
    "csubj",
    "obj",
    "obl",
    "amod",
    "acl",
    "det",
    "case",
    "punct",
    "advmod",
    "cop",
    "expl",
    "conj",
    "dep",
)


@given(st.data())
def test_any_tree_gives_a_split_that_joins_to_the_sentence_or_a_reason(data: st.DataObject) -> None:
    pieces = st.sampled_from(["Men", "–", "(", ")", ",", '"', "nap", "who", "old", "«", "»", "8", "U.S.", "'s"])
    tokens = data.draw(st.lists(pieces, min_size=1, max_size=8))
    lang = data.draw(st.sampled_from(["en", "zh"]))
    glue = data.draw(st.lists(st.sampled_from(["", " "]), min_size=len(tokens), max_size=len(tokens)))
    root = data.draw(st.integers(0, len(tokens) - 1))
    text, words = "", []
    for i, token in enumerate(tokens):
        head = -1 if i == root else data.draw(st.integers(0, len(tokens) - 1))
        upos = data.draw(st.sampled_from(["NOUN", "VERB", "PUNCT", "ADJ", "AUX", "PRON", "PART"]))
        words.append(Word(token, len(text), len(text) + len(token), upos, head, data.draw(st.sampled_from(RELATIONS))))
        text += token + (glue[i] if i + 1 < len(tokens) else "")
    found = split_words(text, words, lang)
    if isinstance(found, Split):
        assert found.group and found.attribute
        joined = languages.join(found.group, found.attribute, lang) + found.final_mark
        assert joined.replace(" ", "") == text.replace(" ", "")
        assert lang == "zh" or joined == text
    else:
        assert found.reason in reasons.SPLIT_REASONS
