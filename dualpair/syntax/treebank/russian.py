"""Russian generic sentences: [group] [attribute], with the trees that UD gives them."""

from __future__ import annotations

from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.trees import Tree

_DASHES = ("–", "–", "—", "-")


def sentence(lex: Lexicon) -> Tree:
    """One random sentence; most have a noun phrase first, some do not."""
    if lex.chance(0.08):
        tree = _other_order(lex)
    else:
        plural = not lex.chance(0.12)
        tree = _predicate(lex, plural).before("nsubj", _subject(lex, plural))
    if lex.chance(0.9):
        tree = tree.after("punct", Tree(lex.one_of(".", ".", ".", ".", "!"), ".", "PUNCT", glued=True))
    return tree


def _feats(case: str, plural: bool = True) -> str:
    return f"Case={case}|Number={'Plur' if plural else 'Sing'}"


def _subject(lex: Lexicon, plural: bool) -> Tree:
    kind = lex.rng.randrange(18)
    if not plural:
        if kind < 3:
            return Tree(lex.one_of("он", "она", "каждый"), "он", "PRON", _feats("Nom", plural=False))
        lemma, _, _, gender = lex.draw("people")
        noun = Tree(lemma, lemma, "NOUN", _feats("Nom", plural=False))
        if lex.chance(0.4):
            adjective = lex.draw("adj", "groupadj")
            stem = adjective[1][:-2]
            soft = adjective[1].endswith("ие")
            form = stem + ("яя" if soft and stem.endswith("н") else "ая") if gender == "f" else adjective[0]
            noun = noun.before("amod", Tree(form, adjective[0], "ADJ", _feats("Nom", plural=False)))
        return noun
    if kind == 0:
        return Tree(lex.one_of("они", "мы", "вы"), "они", "PRON", _feats("Nom"))
    if kind == 1:
        adjective = lex.draw("groupadj")
        return Tree(adjective[1], adjective[0], "ADJ", _feats("Nom"))
    noun = _core(lex)
    if kind in (2, 3):
        place = lex.word("NOUN", _feats("Gen", plural=False), "genplaces")
        if lex.chance(0.25):
            form = lex.one_of("маленького", "большого") if place.form[-1] in "ая" else lex.one_of("большой", "нашей")
            place = place.before("amod", Tree(form, "большой", "ADJ", _feats("Gen", plural=False)))
        noun = noun.after("nmod", place)
    elif kind in (4, 5, 6):
        noun = noun.after("nmod", _modifier(lex))
    elif kind in (7, 8):
        noun = noun.after("acl:relcl", _relative_clause(lex))
    elif kind in (9, 10):
        noun = noun.after("conj", _core(lex).before("cc", Tree(lex.one_of("и", "и", "или"), "и", "CCONJ")))
    elif kind == 11:
        family = lex.draw("people")
        noun = noun.after("nmod", Tree(family[2], family[0], "NOUN", _feats("Gen")))
    return noun


def _adjective(lex: Lexicon, *names: str) -> Tree:
    return lex.word("ADJ", _feats("Nom"), *names)


def _core(lex: Lexicon) -> Tree:
    parts = lex.draw("people")
    kind = lex.rng.randrange(12)
    if kind == 0:
        few = Tree(lex.one_of("пять", "десять", "семь"), "пять", "NUM", "Case=Nom")
        return Tree(parts[2], parts[0], "NOUN", _feats("Gen")).before("nummod:gov", few)
    noun = Tree(parts[1], parts[0], "NOUN", _feats("Nom"))
    if kind in (1, 2, 3, 4):
        noun = noun.before("amod", _adjective(lex, "groupadj", "adj"))
    elif kind == 5:
        second = _adjective(lex, "adj").before("cc", Tree("и", "и", "CCONJ"))
        noun = noun.before("amod", _adjective(lex, "groupadj").after("conj", second))
    elif kind == 6:
        noun = noun.before("amod", _adjective(lex, "adj").before("advmod", Tree("очень", "очень", "ADV")))
    if lex.chance(0.15):
        noun = noun.before("det", lex.word("DET", _feats("Nom"), "determiners"))
    return noun


def _case(form: str, tree: Tree) -> Tree:
    return tree.before("case", Tree(form, form, "ADP"))


def _modifier(lex: Lexicon) -> Tree:
    kind = lex.rng.randrange(5)
    if kind == 0:
        return _case("из", lex.word("NOUN", _feats("Gen"), "genplaces"))
    if kind == 1:
        return _case("с", lex.word("NOUN", _feats("Ins"), "withthings"))
    if kind == 2:
        return _case("без", lex.word("NOUN", _feats("Gen"), "withoutthings"))
    if kind == 3:
        return _case("в", lex.word("NOUN", _feats("Loc"), "onthings"))
    return _case("в", lex.word("NOUN", _feats("Loc"), "locplaces"))


def _relative_clause(lex: Lexicon) -> Tree:
    relative = Tree("которые", "который", "PRON", _feats("Nom"))
    clause = _verbal(lex, plural=True).before("nsubj", relative).before("punct", Tree(",", ",", "PUNCT", glued=True))
    return clause.after("punct", Tree(",", ",", "PUNCT", glued=True))


def _finite(lex: Lexicon, name: str, plural: bool) -> Tree:
    lemma, many, one = lex.draw(name)
    return Tree(many if plural else one, lemma, "VERB", "VerbForm=Fin")


def _infinitive(lex: Lexicon, name: str) -> Tree:
    lemma = lex.draw(name)[0]
    return Tree(lemma, lemma, "VERB", "VerbForm=Inf")


def _predicate(lex: Lexicon, plural: bool) -> Tree:
    kind = lex.rng.randrange(12)
    if not plural or kind < 5:
        tree = _verbal(lex, plural)
        if plural and lex.chance(0.08):
            tree = tree.after("conj", _verbal(lex, plural).before("cc", Tree("и", "и", "CCONJ")))
        return tree
    if kind in (5, 6):
        return _long_predicate(lex)
    if kind in (7, 8):
        head = lex.word("ADJ", "Number=Plur|Variant=Short", "short")
        if lex.chance(0.35):
            head = head.before("advmod", Tree(lex.one_of("очень", "слишком", "всегда", "не", "часто"), "очень", "ADV"))
        return head
    if kind == 9:
        head = lex.word("ADJ", "Degree=Cmp", "comparatives")
        return head.after("obl", Tree(lex.draw("people")[2], "человек", "NOUN", _feats("Gen")))
    return _dashed(lex)


def _long_predicate(lex: Lexicon) -> Tree:
    head = _adjective(lex, "adj")
    kind = lex.rng.randrange(6)
    if kind == 0:
        head = head.before("advmod", lex.word("ADV", "_", "degree"))
    elif kind == 1:
        head = head.after("conj", _adjective(lex, "adj").before("cc", Tree("и", "и", "CCONJ")))
    elif kind == 2:
        noun = lex.word("NOUN", _feats("Nom"), "roles")
        head = noun.before("amod", _adjective(lex, "adj"))
    return head


def _dashed(lex: Lexicon) -> Tree:
    kind = lex.rng.randrange(5)
    if kind == 0:
        head = _adjective(lex, "adj")
    elif kind == 1:
        head = lex.word("NOUN", _feats("Nom"), "roles")
    elif kind in (2, 3):
        head = lex.word("NOUN", _feats("Nom"), "roles").before("amod", _adjective(lex, "adj"))
    else:
        lemma, _, plural, _ = lex.draw("people")
        head = lex.word("NOUN", _feats("Nom"), "roles").after("nmod", Tree(plural, lemma, "NOUN", _feats("Gen")))
    if lex.chance(0.2):
        head = head.before("expl", Tree("это", "это", "PRON"))
    return head.before("punct", Tree(lex.one_of(*_DASHES), "–", "PUNCT"))


def _verbal(lex: Lexicon, plural: bool) -> Tree:
    kind = lex.rng.randrange(12)
    if kind in (0, 1):
        tree = _finite(lex, "vi", plural).after("advmod", lex.word("ADV", "_", "manner"))
    elif kind in (2, 3):
        tree = _finite(lex, "vi", plural).before("advmod", lex.word("ADV", "_", "mannerbefore"))
    elif kind == 4:
        tree = _finite(lex, "vi", plural)
    elif kind in (5, 6):
        tree = _finite(lex, "vt", plural).after("obj", _object(lex))
    elif kind == 7:
        tree = _finite(lex, "vt", plural).after("obj", _object(lex))
        tree = tree.before("advmod", lex.word("ADV", "_", "mannerbefore"))
    elif kind == 8:
        inner = _infinitive(lex, "vi") if lex.chance(0.5) else _infinitive(lex, "vt").after("obj", _object(lex))
        inner = inner.before("advmod", lex.word("ADV", "_", "mannerbefore")) if lex.chance(0.3) else inner
        tree = _finite(lex, "vinf", plural).after("xcomp", inner)
    elif kind == 9:
        tree = _finite(lex, "vpp", plural).after("obl", _case("в", lex.word("NOUN", _feats("Loc"), "locplaces")))
    elif kind == 10:
        head = Tree(lex.one_of("лучше", "хуже", "больше", "быстрее"), "лучше", "ADV", "Degree=Cmp")
        head = head.after("obl", Tree(lex.draw("people")[2], "человек", "NOUN", _feats("Gen")))
        tree = _finite(lex, "vi", plural).after("advmod", head)
    else:
        inner = _infinitive(lex, "vi") if lex.chance(0.5) else _infinitive(lex, "vt").after("obj", _object(lex))
        must = Tree("должны" if plural else "должен", "должный", "ADJ", "Variant=Short")
        tree = must.after("xcomp", inner)
    if lex.chance(0.15):
        tree = tree.before("advmod", Tree("не", "не", "PART", "Polarity=Neg"))
    return tree


def _object(lex: Lexicon) -> Tree:
    noun = lex.word("NOUN", _feats("Acc"), "things", "mass")
    if noun.form.endswith(("ы", "и")) and lex.chance(0.25):
        return noun.before("amod", _adjective(lex, "adj"))
    return noun.before("det", Tree(lex.one_of("свои", "чужие", "все"), "свой", "DET")) if lex.chance(0.1) else noun


def _other_order(lex: Lexicon) -> Tree:
    """Sentences that do not begin with their subject: fronted phrases, existentials, possession with 'u'."""
    kind = lex.rng.randrange(4)
    if kind == 0:
        place = _case("в", lex.word("NOUN", _feats("Loc"), "locplaces"))
        return _verbal(lex, plural=True).before("nsubj", _core(lex)).before("obl", place)
    if kind == 1:
        lemma, _, owners, _ = lex.draw("people")
        owner = _case("у", Tree(owners, lemma, "NOUN", _feats("Gen")))
        have = Tree(lex.one_of("есть", "нет"), "быть", "VERB").before("obl", owner)
        return have.after("nsubj", lex.word("NOUN", _feats("Nom"), "things"))
    if kind == 2:
        time = Tree(lex.one_of("обычно", "часто", "иногда"), "часто", "ADV")
        return _verbal(lex, plural=True).before("nsubj", _core(lex)).before("advmod", time)
    tree = Tree(lex.one_of("существуют", "приходят", "бывают"), "бывать", "VERB", "VerbForm=Fin")
    return tree.after("nsubj", _core(lex))
