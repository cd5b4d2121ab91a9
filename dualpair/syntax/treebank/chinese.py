"""Chinese generic sentences: [group][attribute], with the trees that UD gives them."""

from __future__ import annotations

from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.trees import Tree


def sentence(lex: Lexicon) -> Tree:
    """One random sentence; most have a noun phrase first, some do not."""
    tree = _other_order(lex) if lex.chance(0.07) else _predicate(lex).before("nsubj", _subject(lex))
    if lex.chance(0.9):
        tree = tree.after("punct", Tree(lex.one_of("。", "。", "。", "。", "！"), "。", "PUNCT"))
    return tree


def _word(form: str, upos: str) -> Tree:
    return Tree(form, form, upos)


def _noun(lex: Lexicon, *names: str) -> Tree:
    return lex.word("NOUN", "_", *names)


def _of(tree: Tree) -> Tree:
    """The phrase followed by the particle that makes it a modifier."""
    return tree.after("mark", _word("的", "PART"))


def _subject(lex: Lexicon) -> Tree:
    kind = lex.rng.randrange(20)
    if kind == 0:
        return _word(lex.one_of("他们", "她们", "我们", "她", "他"), "PRON")
    noun = _core(lex)
    if kind in (1, 2):
        noun = noun.after("conj", _core(lex).before("cc", _word(lex.one_of("和", "和", "或"), "CCONJ")))
    elif kind == 3:
        noun = _noun(lex, "people").after("conj", _noun(lex, "people"))
    elif kind in (4, 5, 6):
        noun = _noun(lex, "people").before("acl:relcl", _of(_relative_clause(lex)))
    elif kind == 7:
        where = _noun(lex, "places").before("case", _word(lex.one_of("来自", "在"), "ADP"))
        noun = _noun(lex, "people").before("nmod", _of(where))
    elif kind == 8:
        noun = _noun(lex, "people").before("nmod", _of(_noun(lex, "people", "places")))
    if lex.chance(0.1):
        noun = noun.before("det", lex.word("DET", "_", "determiners"))
    return noun


def _core(lex: Lexicon) -> Tree:
    noun = _noun(lex, "people")
    kind = lex.rng.randrange(12)
    if kind in (0, 1, 2):
        return noun.before("amod", lex.word("ADJ", "_", "groupadj"))
    if kind == 3:
        return noun.before("amod", _of(lex.word("ADJ", "_", "adj")))
    if kind == 4:
        adjective = lex.word("ADJ", "_", "adj").before("advmod", _word(lex.one_of("很", "最"), "ADV"))
        return noun.before("acl:relcl", _of(adjective))
    if kind == 5:
        return noun.before("compound", _noun(lex, "relational"))
    if kind == 6:
        return noun.before("compound", _word(lex.one_of("高个子", "女", "男", "老", "小", "大龄"), "NOUN"))
    if kind == 7 and lex.chance(0.6):
        return _word(lex.one_of("高个子", "矮个子", "胖子", "残疾人", "独生子女", "女司机", "大学生"), "NOUN")
    return noun


def _relative_clause(lex: Lexicon) -> Tree:
    kind = lex.rng.randrange(4)
    if kind in (0, 1):
        verb, thing = lex.draw("featureverbs")
        clause = _word(verb, "VERB").after("obj", _word(thing, "NOUN"))
    elif kind == 2:
        clause = _word("住", "VERB").after("obl", _noun(lex, "places").before("case", _word("在", "ADP")))
    else:
        clause = _verb_phrase(lex)
    return clause.before("advmod", _word(lex.one_of("不", "不", "没", "常常"), "ADV")) if lex.chance(0.4) else clause


def _verb_phrase(lex: Lexicon) -> Tree:
    if lex.chance(0.45):
        return lex.word("VERB", "_", "vi")
    return lex.word("VERB", "_", "vt").after("obj", _object(lex))


def _object(lex: Lexicon) -> Tree:
    noun = _noun(lex, "things")
    return noun.before("amod", _of(lex.word("ADJ", "_", "adj"))) if lex.chance(0.15) else noun


def _predicate(lex: Lexicon) -> Tree:
    kind = lex.rng.randrange(17)
    if kind in (0, 1, 2, 3):
        return lex.word("ADJ", "_", "adj").before("advmod", lex.word("ADV", "_", "degree"))
    if kind in (4, 5):
        trait = lex.word("ADJ", "_", "traitadj").before("advmod", lex.word("ADV", "_", "degree"))
        return trait.before("nsubj", _noun(lex, "traits"))
    if kind in (6, 7):
        return _adverbial(lex, _verb_phrase(lex))
    if kind == 8:
        return _adverbial(lex, _verb_phrase(lex).before("aux", lex.word("AUX", "_", "modals")))
    if kind in (9, 10):
        return _manner(lex)
    if kind == 11:
        return _nominal(lex)
    if kind == 12:
        head = lex.word("ADJ", "_", "adj")
        head = head.before("advmod", _word("更", "ADV")) if lex.chance(0.3) else head
        return head.before("obl", _core(lex).before("case", _word("比", "ADP")))
    if kind == 13:
        verb = _word(lex.one_of("有", "没有", "没有"), "VERB")
        return _adverbial(lex, verb.after("obj", _noun(lex, "traits", "things", "features")))
    if kind == 14:
        place = _noun(lex, "places").before("case", _word("在", "ADP"))
        return lex.word("VERB", "_", "vi").before("obl", place)
    if kind == 15:
        toward = _noun(lex, "people").before("case", _word("对", "ADP"))
        head = lex.word("ADJ", "_", "adj").before("advmod", lex.word("ADV", "_", "degree"))
        return head.before("obl", toward)
    inner = _verb_phrase(lex)
    return _adverbial(lex, _word(lex.one_of("喜欢", "讨厌", "害怕", "擅长"), "VERB").after("xcomp", inner))


def _adverbial(lex: Lexicon, tree: Tree) -> Tree:
    if lex.chance(0.3):
        return tree.before("advmod", lex.word("ADV", "_", "frequency"))
    if lex.chance(0.25):
        return tree.before("advmod", _word(lex.one_of("不", "不", "很", "从不"), "ADV"))
    return tree


def _manner(lex: Lexicon) -> Tree:
    """Manner: a verb with its degree, with or without the linking particle."""
    quality = lex.word("ADJ", "_", "quick").before("advmod", lex.word("ADV", "_", "degree"))
    verb = lex.word("VERB", "_", "vi")
    if lex.chance(0.5):
        return quality.before("csubj", verb)
    short = _word(lex.one_of("跑", "说", "吃", "学", "走", "做", "唱", "睡"), "VERB")
    return short.after("ccomp", quality.before("mark", _word("得", "PART")))


def _nominal(lex: Lexicon) -> Tree:
    head = _noun(lex, "people")
    if lex.chance(0.6):
        head = head.before("amod", _of(lex.word("ADJ", "_", "adj")))
    head = head.before("cop", _word("是", "AUX"))
    return head.before("advmod", _word(lex.one_of("不", "都", "总"), "ADV")) if lex.chance(0.4) else head


def _other_order(lex: Lexicon) -> Tree:
    """Sentences that do not begin with their subject: fronted phrases, existentials, commands."""
    kind = lex.rng.randrange(3)
    if kind == 0:
        place = _noun(lex, "places").before("case", _word("在", "ADP"))
        return _predicate(lex).before("nsubj", _core(lex)).before("obl", place)
    if kind == 1:
        return _word("有", "VERB").after("obj", _core(lex).before("det", _word("很多", "DET")))
    command = _verb_phrase(lex).before("advmod", _word(lex.one_of("不要", "别", "永远"), "ADV"))
    return command.before("advmod", _word(lex.one_of("通常", "有时候"), "ADV")) if lex.chance(0.3) else command
