"""Spanish generic sentences: [group] [attribute], with the trees that UD gives them."""

from __future__ import annotations

from typing import NamedTuple

from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.trees import Tree


class Agreement(NamedTuple):
    """Number and gender that the predicate takes from its subject."""

    plural: bool
    feminine: bool

    @property
    def feats(self) -> str:
        """The UD features."""
        return f"Gender={'Fem' if self.feminine else 'Masc'}|Number={'Plur' if self.plural else 'Sing'}"


def sentence(lex: Lexicon) -> Tree:
    """One random sentence; most have a noun phrase first, some do not."""
    if lex.chance(0.08):
        tree = _other_order(lex)
    else:
        subject, agreement = _subject(lex)
        tree = _predicate(lex, agreement)
        if lex.chance(0.03):
            tree = _adjective(lex, agreement, "adj").before("punct", Tree(lex.one_of("–", "—"), "–", "PUNCT"))
        tree = tree.before("nsubj", subject)
    if lex.chance(0.9):
        tree = tree.after("punct", Tree(lex.one_of(".", ".", ".", ".", "!"), ".", "PUNCT", glued=True))
    return tree


def _subject(lex: Lexicon) -> tuple[Tree, Agreement]:
    kind = lex.rng.randrange(20)
    if kind < 3:
        agreement = Agreement(False, True)
        people = Tree("gente", "gente", "NOUN", agreement.feats)
        people = people.after("amod", _adjective(lex, agreement, "groupadj", "adj")) if lex.chance(0.3) else people
        people = people.before("det", _article(agreement))
        return (people.after("nmod", _modifier(lex)) if lex.chance(0.7) else people), agreement
    if kind == 3:
        agreement = Agreement(True, lex.chance(0.3))
        adjective = _adjective(lex, agreement, "groupadj")
        noun = Tree(adjective.form, adjective.lemma, "NOUN", agreement.feats)
        return noun.before("det", _article(agreement)), agreement
    if kind == 4:
        form = lex.one_of("ellos", "ellas", "nosotros", "ella", "él")
        agreement = Agreement(form.endswith("s"), form.startswith("ella"))
        return Tree(form, "él", "PRON", agreement.feats), agreement
    plural = kind > 6
    noun, agreement = _noun_phrase(lex, plural)
    if kind in (7, 8, 9):
        noun = noun.after("nmod", _modifier(lex))
    elif kind in (10, 11):
        relative = _predicate(lex, agreement, simple=True)
        noun = noun.after("acl:relcl", relative.before("nsubj", Tree("que", "que", "PRON", "PronType=Rel")))
    elif kind in (12, 13) and plural:
        other, second = _noun_phrase(lex, plural=True)
        conjunction = Tree(lex.one_of("y", "y", "o"), "y", "CCONJ")
        noun = noun.after("conj", other.before("cc", conjunction))
        agreement = Agreement(True, agreement.feminine and second.feminine)
    return noun, agreement


def _noun_phrase(lex: Lexicon, plural: bool) -> tuple[Tree, Agreement]:
    parts = lex.draw("people")
    agreement = Agreement(plural, parts[2] == "f")
    noun = Tree(parts[1] if plural else parts[0], parts[0], "NOUN", agreement.feats)
    if lex.chance(0.35):
        adjective = _adjective(lex, agreement, "groupadj", "adj")
        if lex.chance(0.2):
            adjective = adjective.before("advmod", Tree("muy", "muy", "ADV"))
        elif lex.chance(0.2):
            second = _adjective(lex, agreement, "adj").before("cc", Tree("y", "y", "CCONJ"))
            adjective = adjective.after("conj", second)
        noun = noun.after("amod", adjective)
    return _determined(lex, noun, agreement), agreement


def _determined(lex: Lexicon, noun: Tree, agreement: Agreement) -> Tree:
    if not agreement.plural:
        if lex.chance(0.5):
            form = "una" if agreement.feminine else "un"
            return noun.before("det", Tree(form, "uno", "DET", agreement.feats))
        return noun.before("det", _article(agreement))
    kind = lex.rng.randrange(12)
    if kind < 7:
        return noun.before("det", _article(agreement))
    if kind == 7:
        stem = lex.one_of("much", "algun", "poc", "est", "otr", "vari")
        return noun.before(
            "det", Tree(stem + ("as" if agreement.feminine else "os"), stem + "o", "DET", agreement.feats)
        )
    if kind == 8:
        every = Tree("todas" if agreement.feminine else "todos", "todo", "DET", agreement.feats)
        return noun.before("det", _article(agreement)).before("det", every)
    if kind == 9:
        number = lex.one_of("tres", "dos", "cinco", "diez")
        return noun.before("nummod", Tree(number, number, "NUM", "NumType=Card"))
    if kind == 10:
        return noun.before("det", Tree(lex.one_of("mis", "sus", "tus"), "mi", "DET", "Poss=Yes"))
    return noun


def _article(agreement: Agreement) -> Tree:
    forms = {(True, True): "las", (True, False): "los", (False, True): "la", (False, False): "el"}
    return Tree(forms[agreement], "el", "DET", f"Definite=Def|{agreement.feats}|PronType=Art")


def _adjective(lex: Lexicon, agreement: Agreement, *names: str) -> Tree:
    lemma, masculine, feminine = lex.draw(*names)
    if agreement.plural:
        form = feminine if agreement.feminine else masculine
    else:
        form = lemma if masculine == feminine or not agreement.feminine else feminine[:-1]
    return Tree(form, lemma, "ADJ", agreement.feats)


def _case(form: str, tree: Tree) -> Tree:
    return tree.before("case", Tree(form, "de" if form == "del" else "a" if form == "al" else form, "ADP"))


def _place(lex: Lexicon, preposition: str) -> Tree:
    if lex.chance(0.25):
        return _case(preposition, lex.word("PROPN", "_", "countries"))
    if lex.chance(0.5):
        agreement = Agreement(False, True)
        noun = lex.word("NOUN", agreement.feats, "feminineplaces").before("det", _article(agreement))
        return _case(preposition, noun)
    agreement = Agreement(False, False)
    noun = lex.word("NOUN", agreement.feats, "masculineplaces")
    return _case("del", noun) if preposition == "de" else _case(preposition, noun.before("det", _article(agreement)))


def _modifier(lex: Lexicon) -> Tree:
    kind = lex.rng.randrange(6)
    if kind < 3:
        return _place(lex, lex.one_of("de", "de", "en"))
    if kind < 5:
        noun = lex.word("NOUN", "_", "features")
        if lex.chance(0.2):
            noun = Tree("pelo", "pelo", "NOUN", Agreement(False, False).feats)
            noun = noun.after("amod", Tree(lex.one_of("largo", "corto", "blanco", "rubio"), "largo", "ADJ"))
        return _case(lex.one_of("con", "sin"), noun)
    family, agreement = _noun_phrase(lex, plural=True)
    return _case("de", family) if agreement.plural else family


def _finite(lex: Lexicon, name: str, agreement: Agreement) -> Tree:
    lemma, plural, singular = lex.draw(name)
    return Tree(plural if agreement.plural else singular, lemma, "VERB", "VerbForm=Fin")


def _infinitive(lex: Lexicon, name: str) -> Tree:
    lemma = lex.draw(name)[0]
    return Tree(lemma, lemma, "VERB", "VerbForm=Inf")


def _predicate(lex: Lexicon, agreement: Agreement, simple: bool = False) -> Tree:
    kind = lex.rng.randrange(10)
    if kind < 4:
        return _copular(lex, agreement)
    tree = _verbal(lex, agreement)
    if kind == 4 and not simple:
        return tree.after("conj", _verbal(lex, agreement).before("cc", Tree("y", "y", "CCONJ")))
    if not simple and lex.chance(0.05):
        mark = Tree(lex.one_of("cuando", "porque", "si"), "cuando", "SCONJ")
        return tree.after("advcl", _verbal(lex, agreement).before("mark", mark))
    return tree


def _copular(lex: Lexicon, agreement: Agreement) -> Tree:
    kind = lex.rng.randrange(12)
    head = _adjective(lex, agreement, "adj")
    if kind in (3, 4):
        head = head.before("advmod", lex.word("ADV", "_", "degree"))
    elif kind == 5:
        head = head.after("conj", _adjective(lex, agreement, "adj").before("cc", Tree("y", "y", "CCONJ")))
    elif kind == 6:
        head = head.before("advmod", Tree(lex.one_of("más", "menos"), "más", "ADV"))
        other, _ = _noun_phrase(lex, plural=True)
        head = head.after("obl", _case("que", other)) if lex.chance(0.8) else head
    elif kind == 7:
        skill = lex.word("NOUN", "_", "subjects")
        head = _adjective(lex, agreement, "fronted").after("obl", _case(lex.one_of("en", "con", "para"), skill))
    elif kind in (8, 9):
        parts = lex.draw("people")
        own = Agreement(agreement.plural, parts[2] == "f")
        head = Tree(parts[1] if own.plural else parts[0], parts[0], "NOUN", own.feats)
        head = head.before("amod", _adjective(lex, own, "fronted")) if lex.chance(0.5) else head
        head = head.before("det", _article(own)) if lex.chance(0.3) else head
    stay = lex.chance(0.15)
    plural, singular = ("están", "está") if stay else ("son", "es")
    head = head.before("cop", Tree(plural if agreement.plural else singular, "estar" if stay else "ser", "AUX"))
    if lex.chance(0.15):
        return head.before("advmod", Tree(lex.one_of("no", "siempre", "nunca", "también"), "no", "ADV"))
    return head


def _verbal(lex: Lexicon, agreement: Agreement) -> Tree:
    kind = lex.rng.randrange(13)
    if kind == 0:
        tree = _finite(lex, "vi", agreement)
    elif kind in (1, 2):
        tree = _finite(lex, "vi", agreement).after("advmod", lex.word("ADV", "_", "manner"))
    elif kind in (3, 4):
        tree = _finite(lex, "vt", agreement).after("obj", _object(lex))
    elif kind == 5:
        tree = _having(lex, agreement)
    elif kind == 6:
        inner = _infinitive(lex, "vi")
        inner = inner.after("advmod", lex.word("ADV", "_", "manner")) if lex.chance(0.5) else inner
        inner = _infinitive(lex, "vt").after("obj", _object(lex)) if lex.chance(0.5) else inner
        tree = _finite(lex, "modals", agreement).after("xcomp", inner)
    elif kind == 7:
        where = _case("en", lex.word("NOUN", "_", "inplaces")) if lex.chance(0.5) else _place(lex, "en")
        tree = _finite(lex, "vpp", agreement).after("obl", where)
    elif kind == 8:
        other, _ = _noun_phrase(lex, plural=True)
        more = Tree(lex.one_of("más", "mejor", "peor", "menos"), "más", "ADV").after("obl", _case("que", other))
        tree = _finite(lex, "vi", agreement).after("advmod", more)
    elif kind == 9:
        tree = _finite(lex, "vself", agreement)
        tree = tree.after("advmod", lex.word("ADV", "_", "manner")) if lex.chance(0.6) else tree
        tree = tree.before("expl:pv", Tree("se", "él", "PRON"))
    elif kind == 10:
        tree = Tree("saben" if agreement.plural else "sabe", "saber", "VERB", "VerbForm=Fin")
        tree = tree.after("obj", Tree(lex.one_of("mucho", "poco", "nada", "algo"), "mucho", "PRON"))
        tree = tree.after("obl", _case("de", lex.word("NOUN", "_", "subjects")))
    elif kind == 11:
        tree = Tree("llegan" if agreement.plural else "llega", "llegar", "VERB", "VerbForm=Fin")
        tree = tree.after("obl", _case("a", Tree("tiempo", "tiempo", "NOUN")))
    else:
        tree = _finite(lex, "vt", agreement).after("obj", _object(lex))
        tree = tree.after("obl", _case(lex.one_of("con", "para", "de", "por"), _object(lex)))
    if lex.chance(0.22):
        tree = tree.before("advmod", Tree(lex.one_of("no", "no", "nunca", "siempre", "casi"), "no", "ADV"))
    return tree


def _having(lex: Lexicon, agreement: Agreement) -> Tree:
    verb = Tree("tienen" if agreement.plural else "tiene", "tener", "VERB", "VerbForm=Fin")
    lemma, gender = lex.draw("fields")
    own = Agreement(False, gender == "f")
    noun = Tree(lemma, lemma, "NOUN", own.feats)
    kind = lex.rng.randrange(4)
    if kind == 0:
        form = (
            lex.one_of("buena", "mala", "poca", "mucha") if own.feminine else lex.one_of("buen", "mal", "poco", "mucho")
        )
        return verb.after("obj", noun.before("amod", Tree(form, "bueno", "ADJ", own.feats)))
    if kind == 1:
        noun = noun.after("amod", _adjective(lex, own, "adj"))
        return verb.after("obj", noun.before("det", Tree("una" if own.feminine else "un", "uno", "DET", own.feats)))
    if kind == 2:
        return verb.after("obj", _object(lex))
    return verb.after("obj", noun)


def _object(lex: Lexicon) -> Tree:
    if lex.chance(0.35):
        lemma, gender = lex.draw("mass")
        agreement = Agreement(False, gender == "f")
        noun = Tree(lemma, lemma, "NOUN", agreement.feats)
        if lex.chance(0.3):
            form = lex.one_of("much", "poc", "demasiad") + ("a" if agreement.feminine else "o")
            return noun.before("det", Tree(form, "mucho", "DET", agreement.feats))
        return noun.before("det", _article(agreement)) if lex.chance(0.4) else noun
    lemma, plural, gender = lex.draw("things")
    agreement = Agreement(True, gender == "f")
    noun = Tree(plural, lemma, "NOUN", agreement.feats)
    noun = noun.after("amod", _adjective(lex, agreement, "adj")) if lex.chance(0.25) else noun
    if lex.chance(0.2):
        return noun.before("det", Tree(lex.one_of("sus", "sus", "mis"), "su", "DET", "Poss=Yes"))
    return noun.before("det", _article(agreement)) if lex.chance(0.5) else noun


def _other_order(lex: Lexicon) -> Tree:
    """Sentences that do not begin with their subject: fronted phrases, existentials, gustar."""
    kind = lex.rng.randrange(4)
    subject, agreement = _noun_phrase(lex, plural=True)
    if kind == 0:
        return _predicate(lex, agreement).before("nsubj", subject).before("obl", _place(lex, "en"))
    if kind == 1:
        return Tree("hay", "haber", "VERB", "VerbForm=Fin").after("obj", subject)
    if kind == 2:
        like = Tree("gusta", "gustar", "VERB", "VerbForm=Fin").before("expl", Tree("les", "él", "PRON"))
        lemma, gender = lex.draw("mass")
        liked = Tree(lemma, lemma, "NOUN").before("det", _article(Agreement(False, gender == "f")))
        return like.after("nsubj", liked).before("obl:arg", _case("a", subject))
    clause = _predicate(lex, agreement).before("nsubj", subject)
    return clause.before("advmod", Tree(lex.one_of("normalmente", "siempre", "hoy"), "siempre", "ADV"))
