"""English generic sentences: [group] [attribute], with the trees that UD gives them."""

from __future__ import annotations

from dataclasses import replace

from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.trees import Tree

_PLURAL, _SINGULAR = "Number=Plur", "Number=Sing"
_ADJ = "Degree=Pos"


def sentence(lex: Lexicon) -> Tree:
    """One random sentence; most have a noun phrase first, some do not, so that the parser learns the difference."""
    if lex.chance(0.08):
        tree = _other_order(lex)
    else:
        plural = not lex.chance(0.12)
        tree = _predicate(lex, plural).before("nsubj", _subject(lex, plural))
    if lex.chance(0.9):
        tree = tree.after("punct", Tree(lex.one_of(".", ".", ".", ".", "!"), ".", "PUNCT", glued=True))
    return tree


def _pair(lex: Lexicon, upos: str, feats: str, *options: str) -> Tree:
    """One of the options, each a form and its lemma."""
    form, lemma = lex.one_of(*options).split()
    return Tree(form, lemma, upos, feats)


def _noun(lex: Lexicon, names: str, plural: bool) -> Tree:
    parts = lex.draw(names)
    form = parts[-1] if plural else parts[0]
    return Tree(form, parts[0], "NOUN", _PLURAL if plural else _SINGULAR)


def _adjective(lex: Lexicon, *names: str) -> Tree:
    return lex.word("ADJ", _ADJ, *names)


def _det(form: str, lemma: str | None = None) -> Tree:
    return Tree(form, lemma or form, "DET", "PronType=Art" if form in ("a", "an", "the") else "PronType=Ind")


def _article(tree: Tree) -> Tree:
    first = (tree.left[0][1] if tree.left else tree).form
    return tree.before("det", _det("an" if first[0] in "aeiou" else "a", "a"))


def _case(form: str, tree: Tree) -> Tree:
    return tree.before("case", Tree(form, form, "ADP"))


def _subject(lex: Lexicon, plural: bool) -> Tree:
    """A noun phrase as subject: bare, with adjectives, phrases after it, relative clauses, coordination, possessor."""
    kind = lex.rng.randrange(16)
    if not plural:
        if kind < 3:
            return Tree(lex.one_of("she", "he", "everyone", "nobody"), "she", "PRON", _SINGULAR)
        noun = _noun(lex, "people", plural=False)
        noun = noun.before("amod", _adjective(lex, "groupadj")) if lex.chance(0.4) else noun
        noun = noun.before("det", _det(lex.one_of("the", "every"))) if lex.chance(0.4) else _article(noun)
        return noun.after("nmod", _place(lex, "from", "in")) if lex.chance(0.25) else noun
    if kind == 0:
        rich = replace(_adjective(lex, "groupadj"), feats=_PLURAL, upos="ADJ")
        return rich.before("det", _det("the"))
    if kind == 1:
        return Tree(lex.one_of("they", "we", "you"), "they", "PRON", _PLURAL)
    noun = _core(lex)
    if kind in (2, 3, 4):
        noun = noun.after("nmod", _nominal_modifier(lex))
    elif kind == 5:
        noun = noun.after("acl:relcl", _relative_clause(lex))
    elif kind == 6:
        noun = noun.after("acl", _participle(lex))
    elif kind in (7, 8):
        other = _core(lex).before("cc", Tree(lex.one_of("and", "and", "or"), "and", "CCONJ"))
        noun = noun.after("conj", other)
    elif kind == 9:
        noun = noun.before("nmod:poss", _possessor(lex))
    return noun


def _core(lex: Lexicon) -> Tree:
    noun = _noun(lex, "people", plural=True)
    kind = lex.rng.randrange(12)
    if kind in (0, 1, 2):
        noun = noun.before("amod", _adjective(lex, "groupadj", "adj"))
    elif kind == 3:
        adjective = _adjective(lex, "groupadj")
        second = _adjective(lex, "adj").before("cc", Tree("and", "and", "CCONJ"))
        noun = noun.before("amod", adjective.after("conj", second))
    elif kind == 4:
        noun = noun.before("compound", lex.word("NOUN", _SINGULAR, "modifiers"))
    elif kind == 5:
        noun = noun.before("amod", _adjective(lex, "groupadj")).before("amod", _adjective(lex, "groupadj"))
    elif kind == 6:
        adjective = _adjective(lex, "groupadj", "adj").before("advmod", lex.word("ADV", "_", "degree"))
        noun = noun.before("amod", adjective)
    if lex.chance(0.1):
        noun = noun.before("nummod", lex.word("NUM", "NumType=Card", "numbers"))
    elif lex.chance(0.12):
        noun = noun.before("det", lex.word("DET", "PronType=Ind", "determiners"))
    elif lex.chance(0.08):
        noun = noun.before("det", _det("the"))
    return noun


def _place(lex: Lexicon, *prepositions: str) -> Tree:
    if lex.chance(0.3):
        return _case(lex.one_of(*prepositions), lex.word("PROPN", _SINGULAR, "countries"))
    noun = lex.word("NOUN", _SINGULAR, "places").before("det", _det("the"))
    return _case(lex.one_of(*prepositions), noun)


def _nominal_modifier(lex: Lexicon) -> Tree:
    kind = lex.rng.randrange(6)
    if kind in (0, 1):
        return _place(lex, "from", "in", "of")
    if kind in (2, 3):
        noun = lex.word("NOUN", _PLURAL, "bodyparts", "things")
        noun = noun.before("amod", _adjective(lex, "ranks", "adj")) if lex.chance(0.4) else noun
        return _case(lex.one_of("with", "without"), noun)
    if kind == 4:
        age = lex.word("NUM", "NumType=Card", "ages")
        return _case(lex.one_of("over", "under"), age)
    family = _noun(lex, "people", plural=True)
    return _case("of", family.before("amod", _adjective(lex, "groupadj", "adj")))


def _relative_clause(lex: Lexicon) -> Tree:
    return _predicate(lex, plural=True, simple=True).before(
        "nsubj", Tree(lex.one_of("who", "who", "that"), "who", "PRON", "PronType=Rel")
    )


def _participle(lex: Lexicon) -> Tree:
    head = _pair(lex, "VERB", "VerbForm=Ger", "living live", "working work", "coming come")
    return head.after("obl", _place(lex, "from" if head.lemma == "come" else "in"))


def _possessor(lex: Lexicon) -> Tree:
    if lex.chance(0.4):
        return Tree(lex.one_of("my", "our", "their", "your"), "my", "PRON", "Poss=Yes")
    owner = _noun(lex, "people", plural=True)
    return owner.after("case", Tree("'" if owner.form.endswith("s") else "'s", "'s", "PART", glued=True))


def _be(plural: bool) -> Tree:
    return Tree("are" if plural else "is", "be", "AUX", "VerbForm=Fin")


def _verb(lex: Lexicon, name: str, plural: bool) -> Tree:
    parts = lex.draw(name)
    return Tree(parts[0] if plural else parts[-1], parts[0], "VERB", "VerbForm=Fin")


def _infinitive(lex: Lexicon, name: str) -> Tree:
    lemma = lex.draw(name)[0]
    return Tree(lemma, lemma, "VERB", "VerbForm=Inf")


def _predicate(lex: Lexicon, plural: bool, simple: bool = False) -> Tree:
    """A verb phrase without its subject; its root takes the subject."""
    kind = lex.rng.randrange(10)
    if kind < 4:
        return _copular(lex, plural, simple)
    if kind == 4 and not simple:
        first = _verbal(lex, plural)
        second = _verbal(lex, plural).before("cc", Tree("and", "and", "CCONJ"))
        return first.after("conj", second)
    tree = _verbal(lex, plural)
    if not simple and lex.chance(0.06):
        when = Tree(lex.one_of("when", "if", "because"), "when", "SCONJ")
        clause = _predicate(lex, True, simple=True).before("nsubj", Tree("they", "they", "PRON", _PLURAL))
        tree = tree.after("advcl", clause.before("mark", when))
    return tree


def _copular(lex: Lexicon, plural: bool, simple: bool) -> Tree:
    kind = lex.rng.randrange(14)
    adjective = _adjective(lex, "adj")
    if kind in (0, 1, 2, 3):
        head = adjective
    elif kind == 4:
        head = adjective.before("advmod", lex.word("ADV", "_", "degree", "frequency"))
    elif kind == 5:
        head = adjective.after("conj", _adjective(lex, "adj").before("cc", Tree("and", "and", "CCONJ")))
    elif kind == 6:
        skill = lex.word("NOUN", _SINGULAR, "subjects", "gerunds", form=0)
        head = Tree(lex.one_of("good", "bad"), "good", "ADJ", _ADJ).after("obl", _case("at", skill))
    elif kind == 7:
        object_ = lex.word("NOUN", _PLURAL, "objects_of_fear", "subjects")
        pair = lex.one_of("afraid of", "interested in", "bad with", "obsessed with", "proud of").split()
        head = Tree(pair[0], pair[0], "ADJ", _ADJ).after("obl", _case(pair[1], object_))
    elif kind == 8:
        head = lex.word("ADJ", "Degree=Cmp", "comparatives")
        head = head if lex.chance(0.3) else head.after("obl", _case("than", _core(lex)))
    elif kind == 9:
        head = adjective.before("advmod", Tree(lex.one_of("more", "less"), "more", "ADV"))
        head = head if lex.chance(0.3) else head.after("obl", _case("than", _core(lex)))
    elif kind in (10, 11):
        noun = _noun(lex, "people", plural).before("amod", _adjective(lex, "ranks", "adj"))
        head = noun if plural else _article(noun)
    elif kind == 12:
        noun = _noun(lex, "people", plural).before("amod", lex.word("ADJ", "Degree=Sup", "superlatives"))
        head = noun.before("det", _det("the"))
    else:
        state = lex.one_of("danger", "debt", "trouble", "charge")
        head = _case("in", Tree(state, state, "NOUN", _SINGULAR))
    if kind < 9 and lex.chance(0.15):
        head = head.before("advmod", Tree("not", "not", "PART", "Polarity=Neg"))
    return head.before("cop", _be(plural)) if not lex.chance(0.06) or simple else _modal_be(lex, head)


def _modal_be(lex: Lexicon, head: Tree) -> Tree:
    head = head.before("cop", Tree("be", "be", "AUX", "VerbForm=Inf"))
    return head.before("aux", Tree(lex.one_of("should", "can", "must"), "should", "AUX", "VerbForm=Fin"))


def _object(lex: Lexicon) -> Tree:
    mass = lex.chance(0.4)
    noun = lex.word("NOUN", _SINGULAR, "mass", "subjects") if mass else lex.word("NOUN", _PLURAL, "things")
    if lex.chance(0.25):
        noun = noun.before("amod", _adjective(lex, "adj", "ranks"))
    elif lex.chance(0.15):
        noun = noun.before("nmod:poss", Tree("their", "they", "PRON", "Poss=Yes"))
    elif lex.chance(0.15):
        noun = noun.before("amod", Tree(lex.one_of("much", "many", "more"), "many", "ADJ", _ADJ))
    elif lex.chance(0.12):
        noun = noun.before("det", _det(lex.one_of("the", "no", "all")))
    return noun


def _verbal(lex: Lexicon, plural: bool) -> Tree:
    kind = lex.rng.randrange(13)
    if kind == 0:
        return _manner(lex, _verb(lex, "vi", plural))
    if kind == 1:
        quantity = _article(lex.word("NOUN", _SINGULAR, "quantities"))
        return _verb(lex, "vi", plural).after("obl:npmod", quantity)
    if kind == 2:
        verb = _verb(lex, "vi", plural)
        much = Tree(lex.one_of("much", "little", "loudly", "slowly", "fast"), "much", "ADV")
        return verb.after("advmod", much.before("advmod", Tree(lex.one_of("too", "very", "so"), "too", "ADV")))
    if kind in (3, 4):
        verb = _verb(lex, "vt", plural).after("obj", _object(lex))
        return verb.before("advmod", lex.word("ADV", "_", "frequency")) if lex.chance(0.3) else verb
    if kind == 5:
        return _having(lex, plural)
    if kind == 6:
        return _negated(lex, plural)
    if kind == 7:
        return _bare(lex).before("aux", lex.word("AUX", "VerbForm=Fin", "modals", form=0))
    if kind == 8:
        return _chain(lex, plural)
    if kind == 9:
        return _verb(lex, "vpp", plural).after("obl", _location(lex))
    if kind == 10:
        verb = _verb(lex, "vi", plural).after(
            "advmod", Tree(lex.one_of("better", "worse", "faster", "more"), "well", "ADV")
        )
        return verb.after("obl", _case("than", _core(lex))) if lex.chance(0.7) else verb
    if kind == 11:
        verb = Tree("arrive" if plural else "arrives", "arrive", "VERB", "VerbForm=Fin")
        return verb.after("obl", _case(lex.one_of("on", "in"), Tree("time", "time", "NOUN", _SINGULAR)))
    verb = _verb(lex, "vt", plural).after("obj", _object(lex))
    return verb.after("obl", _case(lex.one_of("with", "for", "on", "from"), _object(lex)))


def _location(lex: Lexicon) -> Tree:
    if lex.chance(0.5):
        return _case("in", lex.word("NOUN", _PLURAL, "inplaces"))
    return _place(lex, "in", "at")


def _manner(lex: Lexicon, verb: Tree) -> Tree:
    if lex.chance(0.35):
        return verb.after("advmod", lex.word("ADV", "_", "manner"))
    return verb.before("advmod", lex.word("ADV", "_", "frequency")) if lex.chance(0.3) else verb


def _having(lex: Lexicon, plural: bool) -> Tree:
    verb = Tree("have" if plural else "has", "have", "VERB", "VerbForm=Fin")
    if lex.chance(0.6):
        noun = _noun(lex, "fields", plural=False).before("amod", _adjective(lex, "ranks", "adj"))
        noun = _article(noun)
        if lex.chance(0.2):
            noun = noun.after("nmod", _case("of", Tree("humour", "humour", "NOUN", _SINGULAR)))
        return verb.after("obj", noun)
    return verb.after("obj", _object(lex))


def _bare(lex: Lexicon) -> Tree:
    """A verb phrase in the infinitive."""
    if lex.chance(0.5):
        return _manner(lex, _infinitive(lex, "vi"))
    return _infinitive(lex, "vt").after("obj", _object(lex))


def _negated(lex: Lexicon, plural: bool) -> Tree:
    verb = _bare(lex)
    joined = lex.chance(0.5)
    negation = Tree("n't" if joined else "not", "not", "PART", "Polarity=Neg", glued=joined)
    do = Tree("do" if plural else "does", "do", "AUX", "VerbForm=Fin")
    return verb.before("advmod", negation).before("aux", do)


def _chain(lex: Lexicon, plural: bool) -> Tree:
    if lex.chance(0.3):
        gerund = lex.draw("gerunds")
        verb = _verb(lex, "vchain", plural)
        return verb.after("xcomp", Tree(gerund[0], gerund[-1], "VERB", "VerbForm=Ger"))
    inner = _bare(lex).before("mark", Tree("to", "to", "PART"))
    if lex.chance(0.2):
        know = Tree("know" if plural else "knows", "know", "VERB", "VerbForm=Fin")
        return know.after("xcomp", inner.before("mark", Tree("how", "how", "ADV")))
    return _verb(lex, "vchain", plural).after("xcomp", inner)


def _other_order(lex: Lexicon) -> Tree:
    """Sentences that do not begin with their subject: commands, fronted phrases, existentials."""
    kind = lex.rng.randrange(4)
    if kind == 0:
        tree = _infinitive(lex, "vt").after("obj", _core(lex))
        return tree.before("advmod", Tree(lex.one_of("never", "always"), "never", "ADV")) if lex.chance(0.6) else tree
    if kind == 1:
        clause = _predicate(lex, plural=True).before("nsubj", _core(lex))
        return clause.before("obl", _place(lex, "in"))
    if kind == 2:
        be = Tree("are", "be", "VERB", "VerbForm=Fin").before("expl", Tree("there", "there", "PRON"))
        return be.after("nsubj", _core(lex).after("nmod", _place(lex, "in")))
    clause = _predicate(lex, plural=True).before("nsubj", _core(lex))
    return clause.before("advmod", Tree(lex.one_of("often", "usually", "sometimes"), "often", "ADV"))
