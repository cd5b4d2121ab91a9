"""English generic sentences: [group] [attribute], with the trees that UD gives them."""

from __future__ import annotations

from dataclasses import replace

from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.rules import read_grammar
from dualpair.syntax.treebank.trees import Tree

_NOUNS = ("people", "persons", "things", "fields", "roles", "fans", "inthings")
_VERBS = ("vi", "vt", "vdual", "vlie", "vprep", "vto", "vger", "vpp", "vabout", "vthat", "vlook")
_SINGLE_QUOTES = 0.1
_NOUN, _VERB = "Sing Plur", "Plur Sing Ger Part"
_PARTS = dict.fromkeys(_NOUNS, _NOUN) | dict.fromkeys(_VERBS, _VERB) | {"gerundobj": "Inf Ger"}

GRAMMAR = read_grammar(
    r"""
S = *CLAUSE punct>STOP?92
| 0.18# *OTHER punct>STOP?92
STOP = 9# *_./PUNCT
| *_!/PUNCT
| 0.8# *_?/PUNCT
| 0.4# *_…/PUNCT
CLAUSE = 6# nsubj>NP(Plur) *VP(Plur)
| 1.6# nsubj>SHORTNP(Plur) *SHORTVP(Plur)
| 0.5# nsubj>SHORTNP(Sing) *SHORTVP(Sing)
| 0.7# nsubj>NP(Plur) *SHORTVP(Plur)
| 0.4# nsubj>NP(Sing) *SHORTVP(Sing)
| 4.5# nsubj>NP(Sing) *VP(Sing)
| 0.3# nsubj>NP(Plur) *VP(Plur) punct>_,/PUNCT parataxis>TAG
| 0.4# nsubj>NP(Plur) *VP(Plur) advcl>SUB
| 0.15# nsubj>NP(Plur) *VP(Plur) punct>_,/PUNCT conj>VPBUT
| 0.2# nsubj>NP(Plur) punct>–~—~-/PUNCT *AP
| 0.15# nsubj>NP(Plur) punct>_,/PUNCT advmod>however~too~therefore~naturally~though/ADV punct>_,/PUNCT *VP(Plur)
| 0.1# nsubj>NP(Plur) punct>_,/PUNCT obl>ASARULE punct>_,/PUNCT *VP(Plur)
// short sentences, in which little tells a verb from a noun or a preposition
SHORTNP(n) = *SHORT{n}
SHORTPlur = 4# *$people.Plur/NOUN/Plur
| 2# amod>ADJ1 *$people.Plur/NOUN/Plur
| det>the/DET/Art *$groupadj+nations/ADJ
| compound>$modifiers/NOUN/Sing *$people.Plur/NOUN/Plur
| nmod:poss>my~our~their/PRON/Prs+Yes *$people.Plur/NOUN/Plur
| *$people.Plur/NOUN/Plur conj>ANDBARE
| *TEAMS
SHORTSing = det>a~every~the/DET *$people.Sing/NOUN/Sing
| *$names/PROPN/Sing
| *$names/PROPN/Sing flat>$names+surnames/PROPN/Sing
| *Generation/PROPN/Sing dep>$generations/PROPN/Sing
| *nobody~everyone/PRON/Sing+Tot nmod>PP?60
SHORTVP(n) = 2# *LIKE{n} obj>SHORTOBJ
| 3# *$vdual.{n}/VERB/Fin+{n} obj>SHORTOBJ
| 1.5# *$vt.{n}/VERB/Fin+{n} obj>SHORTOBJ
| 1.2# *$vi+vlie.{n}/VERB/Fin+{n}
| *$vprep.{n}/VERB/Fin+{n} obl>SHORTOBL
| 0.5# *$vlook.{n}/VERB/Fin+{n} xcomp>$adj/ADJ
| 0.6# *LIKE{n} xcomp>TOINF0
SHORTOBJ = 2# *$mass/NOUN/Sing
| 2# *$things.Plur/NOUN/Plur
| *$colours/NOUN/Sing
| 2# amod>$adj+ranks/ADJ *$things.Plur/NOUN/Plur
| amod>$adj+ranks/ADJ *$mass/NOUN/Sing
| amod>more~less~much/ADJ *$mass/NOUN/Sing
| compound>$modifiers/NOUN/Sing *$things.Plur/NOUN/Plur
| *$mass/NOUN/Sing conj>ANDMASS
| *$people.Plur/NOUN/Plur
SHORTOBL = case>of~about~at~for/ADP *$mass+things.Plur/NOUN/Sing
TAG = *do/AUX/Fin+Plur advmod>_n't/PART nsubj>they/PRON/Nom+Plur+Prs
| *are/AUX/Fin+Plur advmod>_n't/PART nsubj>they/PRON/Nom+Plur+Prs
SUB = mark>when~if~because~while~after~before~unless~although/SCONJ nsubj>they~others~people/PRON/Nom+Plur+Prs \
  *VP0(Plur)
| advmod>when/ADV/Int nsubj>they/PRON/Nom+Plur+Prs *VP0(Plur)
VPBUT = cc>but/CCONJ *VP0(Plur)
// noun phrases
NP(n) = 3# *CORE({n})
| 1.6# *CORE({n}) nmod>PP
| 0.4# *CORE({n}) nmod>PP nmod>PP
| 1.2# *CORE({n}) nmod>PPLONG
| 0.4# *CORE({n}) nmod>PP acl>PART
| 0.3# *CORE({n}) acl>PART acl:relcl>RC({n})
| 0.2# *CORE({n}) nmod>PP nmod>PP acl:relcl>RC({n})
| 0.4# *CORE({n}) acl>PART nmod>PP
| 1.3# *CORE({n}) acl:relcl>RC({n})
| 0.6# *CORE({n}) nmod>PP acl:relcl>RC({n})
| 0.4# *CORE({n}) punct>_,/PUNCT acl:relcl>RC({n}) punct>_,/PUNCT
| 0.9# *CORE({n}) acl>PART
| 0.25# *CORE({n}) punct>_,/PUNCT acl>PART punct>_,/PUNCT
| 0.4# *CORE({n}) punct>_,/PUNCT appos>APPOS({n}) punct>_,/PUNCT
| 0.3# *CORE({n}) punct>(_/PUNCT acl>PART punct>_)/PUNCT
| 0.25# *CORE({n}) punct>(_/PUNCT conj>COREAND punct>_)/PUNCT
| 0.3# *CORE({n}) amod>ADJPOST
| 0.15# *CORE({n}) punct>–_~—_/PUNCT appos>APPOS({n}) punct>_–~_—/PUNCT
| 0.15# *CORE({n}) punct>(_/PUNCT conj>COREAND punct>_,/PUNCT advmod>too/ADV punct>_)/PUNCT
| 0.15# *CORE({n}) punct>(_/PUNCT appos>APPOS({n}) punct>_)/PUNCT
| 0.7# *SPECIAL{n}
| 1.2# *HEADPRON{n}
| 0.25# advmod>only~especially~even~not~almost/ADV *CORE({n})
NP(n) = 1.4# *COORD{n}
COREAND = cc>and~or/CCONJ *CORE(Plur)
ADJPOST = *good~bad~young~old~interested~fluent~famous~proud~keen~rich/ADJ obl>PREP1
PREP1 = case>at~in~of~on~for/ADP *$skills+mass/NOUN/Sing
COORDSing = *CORE(Sing) conj>SINGAND
SINGAND = cc>or~nor/CCONJ *CORE(Sing)
COORDPlur = 3# *CORE(Plur) conj>COREAND2
| *CORE(Plur) conj>COMMACONJ conj>COREAND2
| 0.5# cc:preconj>both~either/CCONJ *CORE(Plur) conj>COREAND2
| 0.5# *$names/PROPN/Sing conj>PROPAND
| 0.4# *CORE(Plur) nmod>PP conj>CORETAIL
| 0.4# *CORE(Plur) conj>CORETAIL
| 0.3# *CORE(Plur) acl:relcl>RC(Plur) conj>CORETAIL
| 0.2# *CORE(Plur) acl>PART conj>CORETAIL
| 0.3# *CORE(Plur) conj>COMMACONJ conj>COMMACONJ conj>COREAND2
| 0.4# *$people.Plur/NOUN/Plur conj>ANDBARE
| 0.5# *CORE(Plur) nmod>PP conj>COREAND2
| 0.5# *CORE(Plur) conj>COREAND2 nmod>PP
| 0.4# amod>ADJ1 *$people.Plur/NOUN/Plur conj>COREAND2 acl:relcl>RC(Plur)
COMMACONJ = punct>_,/PUNCT *CORE(Plur)
COREAND2 = cc>and~and~and~or/CCONJ *CORE(Plur)
| 0.3# cc>and/CCONJ *CORE(Plur) nmod>PP
| 0.3# punct>_,/PUNCT cc>and~or/CCONJ *CORE(Plur)
CORETAIL = cc>and~and~or/CCONJ *CORE(Plur) nmod>PP
| cc>and~or/CCONJ *CORE(Plur) acl:relcl>RC(Plur)
| cc>and/CCONJ *CORE(Plur) acl>PART
ANDBARE = cc>and~and~or/CCONJ *$people.Plur/NOUN/Plur
PROPAND = cc>and/CCONJ *$names/PROPN/Sing
| cc>and/CCONJ nmod:poss>his~her~their/PRON/Prs+Yes *$people.Plur/NOUN/Plur
SPECIALPlur = 1.5# det>the/DET/Art *$groupadj+nations/ADJ
| 0.4# det>the/DET/Art *$nations/ADJ nmod>PP?20
| 0.4# det>the/DET/Art *$groupadj/ADJ conj>ADJCONJ
| det>the/DET/Art advmod>very/ADV *$groupadj/ADJ
| 1.2# *TEAMS
| 0.8# det>the/DET/Art *$surnames/PROPN/Plur
| 0.5# det>the/DET/Art *Smiths~Johnsons~Kowalskis~Garcias~Browns~Joneses~Kims~Millers/PROPN/Plur
| 0.5# compound>New~Sri~Saudi~South~North~Puerto~West~Costa/PROPN *Yorkers~Lankans~Arabians~Koreans~Africans~Ricans~\
  Zealanders~Americans/PROPN/Plur
| 0.5# compound>New~Sri~Saudi~South~North~Puerto~West~East/PROPN compound>York~Lankan~Arabian~Korean~African~Rican~\
  Zealand~German/PROPN *$people.Plur/NOUN/Plur
| 0.4# nmod:poss>JEHOVAH *Witnesses~Angels~disciples~followers/PROPN/Plur
| *$people.Plur/NOUN/Plur nmod>OVERAGE
| *they~we~you/PRON/Nom+Plur+Prs
| compound>$digits/NOUN/Plur *kids~children~teenagers/NOUN/Plur
| nummod>$ages/NUM/Card punct>_-_/PUNCT *year-olds/NOUN/Plur
| det>the/DET/Art *$people.Plur/NOUN/Plur
TEAMS = 2# compound>ORG *$fans.Plur/NOUN/Plur nmod>PP?10
| compound>$orgs/PROPN *$fans.Plur/NOUN/Plur
| amod>ADJ1 compound>ORG *$fans.Plur/NOUN/Plur
| 0.5# *$fans.Plur/NOUN/Plur nmod>OFORG
ORG = compound>Black/PROPN compound>Lives/PROPN *Matter/PROPN
| 2# compound>Manchester~Wall~Silicon~Star~Harry~Ivy~Red~Taylor~Apple~Green~Real~West~Hells~Extinction~Burning~Tea~\
  Hare/PROPN *United~Street~Valley~Wars~Potter~League~Cross~Swift~Store~Party~Madrid~Point~Angels~Rebellion~Man~\
  Krishna/PROPN
| *Fridays~Women~Doctors~Artists/PROPN nmod>FORFUTURE
| compound>Generation/PROPN *$generations/PROPN
| compound>$orgs/PROPN *$orgs/PROPN
| compound>$names/PROPN *$surnames/PROPN
ORG = *$orgs/PROPN
FORFUTURE = case>for/ADP *Future~Peace~All/PROPN
OFORG = case>of/ADP *$orgs/PROPN
| case>of/ADP compound>$names/PROPN *$surnames/PROPN
JEHOVAH = *Jehovah~Hell~God~Satan~Buddha/PROPN case>_'s/PART
SPECIALSing = 3# *PROPER
| 1.5# *Generation/PROPN/Sing dep>$generations/PROPN/Sing
| *she~he/PRON/Nom+Sing+Prs
PROPER = *$names/PROPN/Sing
| 0.6# *$names/PROPN/Sing flat>$names/PROPN/Sing
| 0.6# *$names/PROPN/Sing flat>$surnames/PROPN/Sing
| 0.4# *$names/PROPN/Sing nmod>PP
| 0.6# *$names/PROPN/Sing punct>_,/PUNCT appos>APPOS(Sing) punct>_,/PUNCT
| 0.5# *Uncle~Aunt~Mrs~Mr~Grandma~Dr/PROPN/Sing flat>$names+surnames/PROPN/Sing punct>_,/PUNCT appos>APPOS(Sing) \
  punct>_,/PUNCT
| 0.5# nmod:poss>my~our~their/PRON/Prs+Yes *$persons.Sing/NOUN/Sing appos>$names/PROPN/Sing punct>_,/PUNCT \
  appos>APPOS(Sing) punct>_,/PUNCT
| 0.5# nmod:poss>my~our~their/PRON/Prs+Yes *$persons.Sing/NOUN/Sing appos>$names/PROPN/Sing punct>_,/PUNCT \
  acl:relcl>RC(Sing) punct>_,/PUNCT
| 0.3# nmod:poss>my~our~their/PRON/Prs+Yes *$persons.Sing/NOUN/Sing appos>$names/PROPN/Sing
| *Uncle~Aunt~Doctor~Professor~Mrs~Mr/PROPN/Sing flat>$names/PROPN/Sing
| nmod:poss>OWNERNAME *$people.Sing/NOUN/Sing
OWNERNAME = *$names/PROPN/Sing case>_'s/PART
HEADPRONPlur = 3# *those/PRON/Dem acl:relcl>RC(Plur)
| *those/PRON/Dem nmod>PP
| *those/PRON/Dem acl>PART
| 2# *most~many~some~few~half/ADJ nmod>OFDEF
| *all~some~both~none/DET nmod>OFDEF
| *most~many~some~few~all~none~half~several/ADJ nmod>OFTHEM
| 0.6# *hundreds~thousands~dozens~millions~lots~plenty~majority~crowds/NOUN/Plur nmod>OFPEOPLE
| 0.8# advmod>almost~nearly~about/ADV?40 nummod>65~40~80~90~12~30~50/NUM/Card *_%/SYM nmod>OFDEF
| 0.8# advmod>almost~nearly~about/ADV?40 nummod>65~40~80~90~12~30~50/NUM/Card *_%/SYM nmod>OFPEOPLE
| 0.4# nummod>eighty~90~twenty~60~ten/NUM *percent/NOUN/Plur nmod>OFPEOPLE
| 0.4# det>the~a/DET/Art *majority~minority~generation~group/NOUN/Sing nmod>OFPEOPLE
| 0.4# det>the/DET/Art *kind~sort~type/NOUN/Sing nmod>OFKIND
| 0.4# *those/PRON/Dem nmod>OFUS acl:relcl>RC(Plur)
| 0.3# advmod>only~even~especially/ADV *those/PRON/Dem acl:relcl>RC(Plur)
| *many~most~some~others/ADJ
HEADPRONSing = 2# *everyone~everybody~anyone~anybody~someone~nobody~no-one/PRON/Sing+Tot acl:relcl>RC(Sing)
| 2# *everyone~everybody~anyone~nobody~someone/PRON/Sing+Tot nmod>PP
| *everyone~everybody~nobody/PRON/Sing+Tot
| 0.6# *everyone~anyone/PRON/Sing+Tot acl>PART
| 0.6# *one~each~neither/NUM/Card nmod>OUTOF
OFTHEM = case>of/ADP *them~us~you/PRON/Prs+Acc acl:relcl>RC(Plur)?20
OFUS = case>of~among/ADP *them~us~you/PRON/Prs+Acc
OFPEOPLE = case>of/ADP amod>ADJ1?35 *$people.Plur/NOUN/Plur
| case>of/ADP *$people.Plur/NOUN/Plur nmod>PP
OFKIND = case>of/ADP *$people.Plur/NOUN/Plur acl:relcl>RC(Plur)
| case>of/ADP *people~man~woman~student/NOUN acl:relcl>RC(Plur)
OUTOF = case>in~of/ADP *ten~three~four/NUM/Card nmod>OFDEF?20
OFDEF = case>of/ADP nmod:poss>my~our~their~your~these~those/PRON/Prs+Yes amod>ADJ1?20 *$people.Plur/NOUN/Plur
| case>of/ADP det>the/DET/Art amod>ADJ1?30 *$people.Plur/NOUN/Plur acl:relcl>RC(Plur)?25
OVERAGE = case>over~under~above~below~past/ADP *$ages/NUM/Card
| case>in/ADP nmod:poss>their/PRON/Prs+Yes amod>early~late/ADJ?30 *$decades/NOUN/Plur
| case>of/ADP det>all~every/DET *ages~age~backgrounds/NOUN/Plur
CORE(n) = *C{n}
CPlur = 4# *$people.Plur/NOUN/Plur
| 3# amod>ADJ1 *$people.Plur/NOUN/Plur
| amod>ADJ1 amod>ADJ1 *$people.Plur/NOUN/Plur
| 0.6# amod>ADJAND *$people.Plur/NOUN/Plur
| 0.3# amod>such/ADJ amod>ADJ1?30 *$people.Plur/NOUN/Plur
| 0.4# det>the/DET/Art amod>first~last~next/ADJ nummod>$numbers/NUM/Card *$people.Plur/NOUN/Plur
| 0.2# det>a/DET/Art nummod>dozen~few~couple~hundred~thousand/NUM *$people.Plur/NOUN/Plur
| 0.2# det>the~these~those/DET/Art amod>MOSTADJ *$people.Plur/NOUN/Plur
| 0.3# amod>$superlatives/ADJ/Sup *$people.Plur/NOUN/Plur
| 0.3# det>the/DET/Art amod>$superlatives/ADJ/Sup *$people.Plur/NOUN/Plur
| 0.3# nmod:poss>OWNER *$inthings.Plur/NOUN/Plur
| 0.4# nmod:poss>OWNER amod>$groupadj/ADJ?30 *$people.Plur/NOUN/Plur
| 0.4# amod>ADJCOMMA *$people.Plur/NOUN/Plur
| compound>$modifiers/NOUN/Sing *$people.Plur/NOUN/Plur
| 0.2# compound>FORMULA *fans~drivers~users~players~courses~graduates~kids/NOUN/Plur
| 0.4# amod>ADJ1 compound>$modifiers/NOUN/Sing *$people.Plur/NOUN/Plur
| 0.5# amod>ADJADV *$people.Plur/NOUN/Plur
| 0.9# det>$detpl/DET amod>ADJ1?35 *$people.Plur/NOUN/Plur
| 0.9# amod>$adjdet/ADJ amod>ADJ1?35 *$people.Plur/NOUN/Plur
| 0.8# nummod>$numbers/NUM/Card amod>ADJ1?35 *$people.Plur/NOUN/Plur
| 0.4# nummod>NUMOUT amod>ADJ1?25 *$people.Plur/NOUN/Plur
| 0.3# advmod>about~nearly~over/ADV nummod>$numbers/NUM/Card amod>ADJ1?35 *$people.Plur/NOUN/Plur
| 1.2# det>the/DET/Art amod>ADJ1?50 *$people.Plur/NOUN/Plur
| 0.9# nmod:poss>my~our~their~your~his~her/PRON/Prs+Yes amod>ADJ1?40 *$people.Plur/NOUN/Plur
| 0.9# nmod:poss>OWNER amod>ADJ1?30 *$people+things.Plur/NOUN/Plur
| 0.3# det:predet>all/DET det>the~my~these/DET/Art amod>ADJ1?40 *$people.Plur/NOUN/Plur
| 0.5# punct>"_/PUNCT amod>ADJ1?40 *$people.Plur/NOUN/Plur punct>_"/PUNCT
| 0.4# amod>QADJ *$people.Plur/NOUN/Plur
| 0.3# punct>"_/PUNCT compound>$modifiers/NOUN/Sing *$people.Plur/NOUN/Plur punct>_"/PUNCT
| 0.3# det>the~these/DET/Art punct>"_/PUNCT amod>ADJ1?30 *$quoted+people.Plur/NOUN/Plur punct>_"/PUNCT
| 0.3# amod>so-called~self-declared/ADJ punct>"_/PUNCT *$quoted/NOUN/Plur punct>_"/PUNCT
NUMOUT = *one~two~three~nine~seven/NUM/Card nmod>OUTFOUR
OUTFOUR = case>out/ADP case>of/ADP *four~five~ten~three/NUM/Card
| case>in/ADP *four~five~ten~three/NUM/Card
FORMULA = *Formula~Windows~Class~Route~Grade~Level~Year/PROPN/Sing nummod>$ages/NUM/Card
MOSTADJ = advmod>most~least/ADV *$adj/ADJ
QADJ = punct>"_/PUNCT *$quoted+adj/ADJ punct>_"/PUNCT
CSing = 2# det>a/DET/Art amod>ADJ1?45 *$people.Sing/NOUN/Sing
| 2# det>$detsg/DET amod>ADJ1?45 *$people.Sing/NOUN/Sing
| 2# nmod:poss>my~our~their~your~his~her/PRON/Prs+Yes amod>ADJ1?30 *$persons.Sing/NOUN/Sing
| nmod:poss>OWNER amod>ADJ1?30 *$persons.Sing/NOUN/Sing
| det>the~a~every/DET compound>$modifiers/NOUN/Sing *$people.Sing/NOUN/Sing
| 0.5# det>any~each~every~no/DET amod>$adj/ADJ *$people.Sing/NOUN/Sing
| 0.3# det>neither~either~each~another/DET *$people.Sing/NOUN/Sing
| 0.4# det>a~the/DET/Art amod>ADJ1 compound>$modifiers/NOUN/Sing *$people.Sing/NOUN/Sing
| 0.4# det>the~an/DET/Art amod>average~typical~ordinary~stereotypical/ADJ amod>$groupadj/ADJ?50 *$people.Sing/NOUN/Sing
| 0.4# det>the~a~this/DET/Art *$places/NOUN/Sing acl:relcl>WHERERC?60
| 0.2# nummod>one/NUM *$people.Sing/NOUN/Sing nmod>OUTOF
| 0.4# nummod>ONEIN *$people.Plur/NOUN/Plur
| 0.5# amod>many/ADJ det>a/DET/Art *$people.Sing/NOUN/Sing
| 0.4# det>the/DET/Art amod>typical~average~ideal~ordinary~modern/ADJ *$groupadj/ADJ
ADJ1 = *$groupadj+adj/ADJ
| 0.06# *$people.Sing/NOUN/Sing
ADJAND = *$groupadj+adj/ADJ conj>ADJCONJ
ADJCOMMA = *$groupadj+adj/ADJ conj>ADJCOMMA2
ADJCOMMA2 = punct>_,/PUNCT *$adj/ADJ
ADJCONJ = cc>and~or~but/CCONJ *$adj+groupadj/ADJ
ADJADV = advmod>$degree/ADV *$adj/ADJ
| advmod>well~badly~highly~newly~recently/ADV *educated~dressed~paid~married~retired~trained/VERB/Past+Part
WHERERC = advmod>where/ADV nsubj>RCSG *$vpp.Sing/VERB/Fin+Sing
| advmod>where/ADV nsubj>NP0 *$vpp.Plur/VERB/Fin+Plur
ONEIN = *one/NUM/Card nmod>INFIVE
INFIVE = case>in/ADP *five~ten~three~four/NUM/Card
| case>out/ADP case>of/ADP *five~ten~three~four/NUM/Card
OWNER = *$people.Plur/NOUN/Plur case>_'s/PART
| det>a~every~the/DET/Art *$people.Sing/NOUN/Sing case>_'s/PART
| nmod:poss>my~our~their/PRON/Prs+Yes *$persons.Sing/NOUN/Sing case>_'s/PART
| amod>ADJ1 *$people.Plur/NOUN/Plur case>_'s/PART
APPOS(n) = det>a/DET/Art *$people.Sing/NOUN/Sing
| nmod:poss>my~our~their/PRON/Prs+Yes compound>$modifiers/NOUN/Sing?40 *$people.Sing/NOUN/Sing
| det>the/DET/Art *$surnames/PROPN/Plur
| det>the/DET/Art amod>first~last~only~new/ADJ amod>digital~free~lost~real/ADJ?60 \
  *generation~people~group~nation/NOUN/Sing
| det>a/DET/Art amod>ADJ1 *people~nation~bunch~lot~crowd/NOUN/Sing nmod>PP?30
| *$people.Plur/NOUN/Plur nmod>PP
| amod>ADJ1 *$people.Plur/NOUN/Plur
| det>a/DET/Art *$people.Sing/NOUN/Sing acl>PART
| advmod>mostly~mainly~usually/ADV amod>ADJ1?50 *$people.Plur/NOUN/Plur nmod>PP?50
| det>a/DET/Art amod>ADJ1 *$people.Sing/NOUN/Sing
| det>a~the/DET/Art *$people.Sing/NOUN/Sing nmod>PP
| advmod>especially~particularly~even/ADV amod>ADJ1 *$people.Plur/NOUN/Plur
| det>the/DET/Art amod>ADJ1?40 *$people.Plur/NOUN/Plur nmod>PP
| nmod:poss>my~our/PRON/Prs+Yes amod>ADJ1?30 *$people.Sing/NOUN/Sing
| det>a/DET/Art amod>ADJ1?40 *$people.Sing/NOUN/Sing acl:relcl>RC(Sing)
| det>the/DET/Art amod>so-called/ADJ?30 *$people.Plur/NOUN/Plur acl:relcl>RC(Plur)?30
// a prepositional phrase that holds another, or a clause
PPLONG = 1.5# case>from~in~of~near~at~behind/ADP det>the~a~this~our/DET/Art amod>$adj/ADJ?20 *$places/NOUN/Sing nmod>PP
| case>in~from~at~near/ADP amod>$adj+ranks/ADJ?25 *$inplaces/NOUN/Plur nmod>PP
| case>in~from~at~near/ADP *$inplaces/NOUN/Plur acl:relcl>INWHICH
| case>with~without/ADP amod>$adj+ranks/ADJ?30 *$features+things.Plur/NOUN/Plur nmod>PP
| case>with~without/ADP amod>much~little~no~good~poor/ADJ?50 *$mass/NOUN/Sing conj>ANDFEATURE
| case>with/ADP det>a~no/DET/Art amod>$adj/ADJ?50 *$fields+things.Sing/NOUN/Sing conj>ANDFEATURE?40
| case>with~without/ADP amod>$adj/ADJ?40 *$features+things.Plur/NOUN/Plur conj>ANDFEATURE
| case>of~with~from/ADP amod>ADJ1?50 *$people.Plur/NOUN/Plur nmod>PP
| case>of~with/ADP amod>ADJ1?30 *$people.Plur/NOUN/Plur acl:relcl>RC(Plur)
| case>of/ADP det>the~these~those/DET/Art *$people.Plur/NOUN/Plur acl:relcl>RC(Plur)
| case>of~from/ADP amod>ADJ1?40 *$people.Plur/NOUN/Plur conj>ANDBARE nmod>PP?40
| case>from~in/ADP *families~villages~homes~towns~schools~cultures~regions/NOUN/Plur acl:relcl>INWHICH
| case>on~at~from~in/ADP det>the/DET/Art amod>first~third~second~top~last~front~back/ADJ \
  *floor~row~bench~page~seat~bus~desk/NOUN/Sing nmod>PP?40 acl:relcl>RCTHING?15
| case>across~behind~around~opposite~along/ADP det>the/DET/Art *street~river~corner~border~harbour~station~bar~road~\
  airport~park~counter/NOUN/Sing
| case>from/ADP det>the/DET/Art *$places/NOUN/Sing nmod>PP
ANDFEATURE = cc>and~or/CCONJ amod>many~few~no~little~small/ADJ?40 *$features+things.Plur+mass/NOUN/Plur
INWHICH = obl>PREPWHICH nsubj>nobody~everyone~everybody~someone~she/PRON advmod>ever~never~always/ADV?30 *VERBINWHICH
| advmod>where/ADV nsubj>NP0 *VP0(Plur)
PREPWHICH = case>in~for~at/ADP *which/PRON/Rel
VERBINWHICH = *lives~works~went~speaks~sings~knows~studied~reads/VERB/Fin advmod>well~alone~hard~slowly/ADV?30
| *lives~works~went~speaks~studied/VERB/Fin obl>OBL
| *$vt.Sing/VERB/Fin+Sing obj>OBJ
RCTHING = nsubj>that~which/PRON/Rel *VP0(Sing)
PP = 3# case>from~in~of~near~outside~across/ADP det>the~the~a~this~our/DET/Art amod>$adj+groupadj/ADJ?25 \
  *$places/NOUN/Sing
| 2# case>from~in/ADP amod>northern~southern~rural~small~big~eastern/ADJ?25 *$countries/PROPN/Sing
| case>in~from/ADP amod>$adj+ranks/ADJ?35 *$inplaces/NOUN/Plur
| 3# case>with~without/ADP amod>$adj+ranks/ADJ?45 *$features+things.Plur/NOUN/Plur
| case>with/ADP det>a~no/DET/Art amod>$ranks+adj/ADJ?50 *$fields+things.Sing/NOUN/Sing
| case>with~without/ADP nummod>two~three~many~several/NUM/Card *$things.Plur/NOUN/Plur
| *OVERAGE
| case>of/ADP amod>ADJ1?50 *$people.Plur/NOUN/Plur
| 0.5# case>in/ADP amod>ADJ1?60 *uniforms~suits~jeans~hats~shorts~heels~business~love~debt~sandals~sport~power~\
  wheelchairs/NOUN/Plur
| 0.4# case>at~on/ADP det>the~a/DET/Art *university~school~diet~front~beach~phone~bus~internet~dole~top~\
  bottom/NOUN/Sing
| 0.5# case>like/ADP *he~me~us~him~them/PRON/Prs+Acc
| 0.5# case>with~without/ADP amod>ADJ1?60 *$mass/NOUN/Sing
| case>for~against/ADP *$things.Plur+mass/NOUN/Plur
| case>with~in/ADP amod>$colours+ranks/ADJ *hair~skin~eyes~shirts~coats~shoes~hats~clothes/NOUN/Plur
| 0.5# case>on/ADP *television~holiday~welfare~crutches~benefits~duty~strike~stage/NOUN/Sing
| 0.3# case>like/ADP *$names+surnames/PROPN
| 0.4# case>before~after~during~since/ADP det>the/DET/Art *war~wedding~crisis~exam~summer~game/NOUN/Sing
PART = 2# *living~working~growing~coming~studying~travelling~sitting~waiting~shopping/VERB/Ger obl>LOC
| *$vt.Ger/VERB/Ger obj>OBJ
| *$gerundobj.Ger/VERB/Ger advmod>$manner/ADV?60
| *aged/VERB/Past+Part obl>$ages/NUM/Card
| *aged/VERB/Past+Part nummod>$ages/NUM/Card obl>TOAGE
| 1.5# *$partgroup/VERB/Past+Part obl>LOC
| *raised~educated~influenced~loved~spoiled~trained~hired/VERB/Past+Part obl:agent>BYNP
| *$partthings/VERB/Past+Part obl>WITHTHING
| *dressed/VERB/Past+Part obl>INCOLOR
| *$vpp.Ger/VERB/Ger obl>LOC
| 0.5# *trying~learning~wanting~willing~hoping/VERB/Ger xcomp>TOINF
| 0.4# *$vt.Part/VERB/Past+Part obl:agent>BYNP
| 0.6# *named~called/VERB/Past+Part xcomp>$names/PROPN/Sing
| 0.6# *left~raised~brought~found~stuck~trapped/VERB/Past+Part advmod>alone~early~behind~here~together/ADV obl>LOC?60
| 0.6# *waiting~looking~longing~hoping~paying~searching~fighting/VERB/Ger obl>FORTHING
| 0.5# *bred~trained~known~famous~hired~dressed~prepared/VERB/Past+Part obl>FORGER
| 0.6# *born~raised~married~widowed~trained/VERB/Past+Part obl>SINCE
| 0.5# *$vi.Ger/VERB/Ger advmod>$manner/ADV
| 0.5# *$vt.Ger/VERB/Ger obj>OBJ obl>OBL
| 0.5# *wearing~carrying~holding~driving~riding/VERB/Ger obj>WORN
| 0.5# *living~working~studying/VERB/Ger advmod>alone~abroad~together~nearby~here~nights/ADV obl>LOC?40
| 0.5# *$partgroup/VERB/Past+Part obl>LOC obl>LOC
| 0.4# *interested~involved~living~employed~working/VERB/Past+Part obl>INMASS
FORTHING = case>for/ADP det>a~the/DET/Art?50 amod>$adj/ADJ?20 *permit~bus~visa~results~miracle~partner~truth~jobs~\
  help~attention~work~answers/NOUN/Sing
FORGER = mark>for/SCONJ *$gerundobj.Ger/VERB/Ger
| case>for/ADP nmod:poss>their/PRON/Prs+Yes?50 *$mass+things.Plur/NOUN/Plur
SINCE = case>before~after~during~in/ADP det>the/DET/Art *war~crisis~sixties~eighties~storm~nineties/NOUN/Sing
| case>in~on/ADP *winter~summer~May~June~1990~1968~poverty~farms~Sundays/NOUN/Sing
| case>with/ADP amod>$adj/ADJ?30 *$things.Plur+mass/NOUN/Plur
| case>to~into/ADP amod>$adj+groupadj/ADJ *parents~families~doctors~men~women/NOUN/Plur
WORN = amod>$colours+adj/ADJ?40 *sandals~hats~suits~glasses~uniforms~bikes~cars~bags~umbrellas/NOUN/Plur \
  nmod>WITHSOCKS?20
WITHSOCKS = case>with~without/ADP *socks~ties~licences~brakes~labels/NOUN/Plur
INMASS = case>in/ADP *$mass+modifiers/NOUN/Sing
TOAGE = case>to/ADP *$ages/NUM/Card
BYNP = case>by/ADP nmod:poss>their/PRON/Prs+Yes?50 amod>ADJ1?30 *$people.Plur/NOUN/Plur
WITHTHING = case>for~by~with~in/ADP nmod:poss>their/PRON/Prs+Yes?40 *$things.Plur+mass/NOUN/Plur
INCOLOR = case>in/ADP *black~white~red~suits~uniforms~silk/NOUN/Sing
RC(n) = 6# nsubj>who~who~that/PRON/Rel *VP0({n})
| nsubj>who/PRON/Rel *VP0({n}) advcl>SUB
| 1.5# nsubj>who~that/PRON/Rel *VPPAST
| obj>whom~that~who/PRON/Rel nsubj>$people.Plur/NOUN/Plur *$vt.Plur/VERB/Fin+Plur
| nsubj>we~you~I~they/PRON/Nom+Prs *$vt.Plur/VERB/Fin+Plur
| nsubj>RCSG *$vt.Sing/VERB/Fin+Sing
| obj>who~that~whom/PRON/Rel nsubj>RCSG *$vt.Sing/VERB/Fin+Sing
| nsubj>NP0 *$vt.Plur/VERB/Fin+Plur
| nsubj>WHOSE *VP0(Plur)
| 0.6# nsubj>who~that/PRON/Rel *$vthat.{n}/VERB/Fin+{n} ccomp>THATCL
| 0.6# nsubj>who~that/PRON/Rel *$vdual.{n}/VERB/Fin+{n} obj>OBJ
| 0.6# nsubj>who~that/PRON/Rel *$vpp.{n}/VERB/Fin+{n} obl>LOC obl>LOC
| 0.6# nsubj>who~that/PRON/Rel *VP0({n}) obl:unmarked>EVERYDAY
| 0.5# nsubj>who~that/PRON/Rel *$vt.{n}/VERB/Fin+{n} obj>OBJ nmod>PP
| 0.5# nsubj>RCSG2 *$vt.Part/VERB/Fin+Past obl>OBL?40
| 0.4# nsubj>who/PRON/Rel aux>HAVE({n}) *PERFECT
| 0.4# obl>PREPWHOM nsubj>NP0 *$vpp.Plur/VERB/Fin+Plur advmod>$manner/ADV?30
PREPWHOM = case>with~for~to~of/ADP *whom~which/PRON/Rel
RCSG2 = *$names/PROPN/Sing
| nmod:poss>my~our~your~their/PRON/Prs+Yes *parents~teachers~neighbours~friends/NOUN/Plur
| *we~they~he~she/PRON/Nom+Prs
RCSG = nmod:poss>my~our~your~their/PRON/Prs+Yes *$persons.Sing/NOUN/Sing
| *everyone~nobody~she~he/PRON/Nom+Sing
| *$names/PROPN/Sing
| det>the~every~a/DET/Art *$people.Sing/NOUN/Sing
WHOSE = nmod:poss>whose/PRON/Rel+Yes *$people.Plur/NOUN/Plur
| nmod:poss>whose/PRON/Rel+Yes *$things.Plur/NOUN/Plur
VPPAST = *grew~moved~came~lived~worked~went~lost~left/VERB/Fin+Past advmod>up/ADV?20 obl>LOC
| *went~studied~had~lived/VERB/Fin+Past obl>LOC
| aux>have~had/AUX/Fin+Plur advmod>never~always~recently/ADV?40 *$vt.Part/VERB/Past+Part obj>OBJ
| aux>have/AUX/Fin+Plur advmod>never~always~recently/ADV?40 *$vi.Part/VERB/Past+Part
| aux:pass>were/AUX/Fin+Past+Plur *born~raised~trained~educated/VERB/Past+Part obl>LOC
| cop>were/AUX/Fin+Past+Plur *$adj/ADJ
// predicates
VP(n) = 3# *COP({n})
| 7# *VERBAL({n})
| 0.8# *VERBAL({n}) conj>VPAND({n})
| 0.4# *COP({n}) conj>VPAND({n})
VPAND(n) = cc>and~but~or/CCONJ *VERBAL({n})
| cc>and~but/CCONJ *COP({n})
| 0.3# punct>_,/PUNCT cc>but/CCONJ *VERBAL({n})
VP0(n) = 3# *COP({n})
| 5# *VERBAL({n})
BE(n) = *BE{n}
BEPlur = 12# *are/AUX/Fin+Plur
| *were/AUX/Fin+Past+Plur
BESing = 12# *is/AUX/Fin+Sing
| *was/AUX/Fin+Past+Sing
DO(n) = *DO{n}
DOPlur = *do/AUX/Fin+Plur
DOSing = *does/AUX/Fin+Sing
HAVE(n) = *HAVE{n}
HAVEPlur = *have/AUX/Fin+Plur
HAVESing = *has/AUX/Fin+Sing
COP(n) = 4# advmod>$adverbs/ADV?12 cop>BE({n}) advmod>not/PART?8 advmod>$frequency/ADV?12 *AP
| 0.5# cop>BE({n}) advmod>_n't/PART *AP
| 0.6# aux>$modals/AUX/Fin advmod>not/PART?15 cop>be/AUX/Inf *AP
| 0.2# aux>HAVE({n}) advmod>always~never~often/ADV?70 cop>been/AUX/Past+Part *AP
| 1.5# cop>BE({n}) advmod>not/PART?8 advmod>$frequency/ADV?15 *NOM({n})
| 0.5# cop>BE({n}) advmod>$frequency/ADV?25 *PPPRED
| 0.3# cop>BE({n}) advmod>all~both~just~really/ADV *NOM({n})
| 0.2# cop>BE({n}) advmod>all/ADV *AP
| 0.2# cop>BE({n}) mark>to/PART *blame~fear~envy~pity~trust/VERB/Inf
| 0.3# cop>BE({n}) advmod>$frequency/ADV?15 *$adj/ADJ advcl>SUB
| 0.2# cop>BE({n}) punct>_,/PUNCT obl>ASARULE punct>_,/PUNCT *AP
ASARULE = case>on~as/ADP det>the~a/DET/Art *whole~rule~average/NOUN/Sing
AP = 4# *$adj/ADJ
| 1.5# advmod>$degree/ADV *$adj/ADJ
| *$adj/ADJ conj>ADJCONJ
| 0.3# *$adj/ADJ conj>ADJCOMMA2 conj>ADJCONJ
| *good~bad~great~terrible~hopeless~brilliant~better~worse/ADJ obl>ATSKILL
| *afraid~proud~fond~tired~jealous~full~scared/ADJ obl>OFTHING
| *interested~obsessed~bored~impatient~careful~generous~strict~kind~polite~honest~rude/ADJ obl>WITHOBJ
AP = *$comparatives/ADJ/Cmp obl>THAN?75
| advmod>more~less/ADV *$adj/ADJ obl>THAN?70
| advmod>as/ADV *$adj/ADJ obl>ASNP
| *easy~hard~difficult~quick~slow~happy~ready~likely~willing~able~unable~eager~reluctant/ADJ xcomp>TOINF
| advmod>too/ADV *$adj/ADJ advcl>TOINF
| 0.3# punct>"_/PUNCT *$adj+quoted/ADJ punct>_"/PUNCT
THAN = case>than/ADP *CPlur
| case>than/ADP *others~they~men~women~anyone~everyone~us/NOUN/Plur
| case>than/ADP *those/PRON/Dem nmod>PP
ASNP = case>as/ADP *CPlur
ATSKILL = case>at~with~in/ADP *$skills+mass/NOUN/Sing
| mark>at/SCONJ *$gerundobj.Ger/VERB/Ger obj>OBJ?30
OFTHING = case>of/ADP nmod:poss>their/PRON/Prs+Yes?20 amod>$adj/ADJ?15 *$fears+things.Plur+mass/NOUN/Plur
WITHOBJ = case>with~in~by~to~about/ADP *OBJ
NOM(n) = *NOM{n}
NOMPlur = 2# amod>$ranks+adj/ADJ *$people+roles.Plur/NOUN/Plur
| *$people.Plur/NOUN/Plur
| det>the/DET/Art amod>$superlatives/ADJ/Sup *$people+roles.Plur/NOUN/Plur nmod>PP?20
| amod>$ranks/ADJ?40 *$people.Plur/NOUN/Plur nmod>PP
| det>a/DET/Art amod>$adj/ADJ?50 *burden~problem~pleasure~blessing~minority~mystery/NOUN/Sing
| advmod>often~usually/ADV det>the/DET/Art amod>first~last~only/ADJ xcomp>TOINF *ones/NOUN/Plur
NOMSing = 2# det>a/DET/Art amod>$ranks+adj/ADJ *$people+roles.Sing/NOUN/Sing
| det>a/DET/Art *$people.Sing/NOUN/Sing nmod>PP?30
| det>the/DET/Art amod>$superlatives/ADJ/Sup *$people.Sing/NOUN/Sing nmod>PP?20
PPPRED = case>in/ADP amod>$adj/ADJ?20 *$states/NOUN/Sing
| case>at/ADP *home~work~ease~school/NOUN/Sing
| case>on~in~at/ADP det>the/DET/Art *$places/NOUN/Sing
| case>against~for/ADP *$things.Plur/NOUN/Plur
OBJ = 0.6# *$colours/NOUN/Sing
| 0.8# *$mass/NOUN/Sing conj>ANDMASS?20
| 0.4# nmod:poss>OWNERSHORT *$things.Plur/NOUN/Plur
OBJ = 3# amod>$adj+ranks/ADJ?25 *$things.Plur/NOUN/Plur
| 2# amod>$adj/ADJ?15 *$mass+skills/NOUN/Sing
| nmod:poss>their/PRON/Prs+Yes amod>$adj/ADJ?15 *$things.Plur/NOUN/Plur
| det>the~all~no~some~every~these/DET amod>$adj/ADJ?20 *$things.Plur/NOUN/Plur
| amod>much~many~more~less~most~fewer~enough/ADJ *$things.Plur+mass/NOUN/Plur
| advmod>too~so/ADV amod>much~many/ADJ *$things.Plur+mass/NOUN/Plur
| det>a/DET/Art amod>$adj/ADJ?30 *$things+fields.Sing/NOUN/Sing
| 0.6# *$people.Plur/NOUN/Plur
| 0.4# compound>$modifiers/NOUN/Sing *$things.Plur/NOUN/Plur
| 0.4# *$things.Plur/NOUN/Plur conj>OBJAND
| 0.4# *$things.Plur/NOUN/Plur nmod>PP
| 0.3# *everything~nothing~something~anything~it~them~themselves/PRON/Prs
| 0.3# det>a/DET/Art *lot/NOUN/Sing nmod>OFMASS
| 0.3# punct>"_/PUNCT *$things.Plur+quoted/NOUN/Plur punct>_"/PUNCT
ANDMASS = cc>and~or/CCONJ *$mass+things.Plur/NOUN/Sing
OWNERSHORT = *others~people~women~men/NOUN/Plur case>_'s/PART
OFMASS = case>of/ADP *$mass+things.Plur/NOUN/Sing
OBJAND = cc>and~or/CCONJ *$things.Plur/NOUN/Plur
VERBAL(n) = 10# advmod>$adverbs/ADV?18 *FIN({n})
| 1.6# aux>DO({n}) advmod>not~_n't/PART advmod>$frequency/ADV?8 *BARE
| 2# aux>$modals/AUX/Fin advmod>not~never~always~often/PART?22 *BARE
| 0.5# aux>ca/AUX/Fin advmod>_n't/PART *BARE
| 0.5# aux>should~would~wo~could/AUX/Fin advmod>_n't/PART *BARE
| 0.5# aux>BE({n}) advmod>not~always~often~constantly/ADV?50 *GERUNDVP
| 0.7# aux:pass>BE({n}) advmod>not~often~rarely~always~usually/ADV?50 *PASSIVE
| 0.5# aux>HAVE({n}) advmod>never~always~often/ADV?50 *PERFECT
| 0.3# *used/VERB/Fin+Past xcomp>TOINF
| 0.4# advmod>never~always~often/ADV?25 *VPPAST
| 0.4# advmod>$adverbs/ADV?25 *$vpast/VERB/Fin+Past obj>OBJ obl>OBL?30
PASSIVE = *$vt.Part/VERB/Past+Part obl:agent>BYNP?40
| *expected~said~thought~known~supposed~believed~taught~made/VERB/Past+Part xcomp>TOINF
| *paid~treated~dressed~judged~raised/VERB/Past+Part advmod>$manner/ADV
| *respected~seen~known~remembered~mocked/VERB/Past+Part obl>FORMASS
FORMASS = case>for~as~in/ADP amod>$adj/ADJ?30 *$mass+things.Plur+places/NOUN/Sing
PERFECT = *$vi.Part/VERB/Past+Part advmod>$manner/ADV?40
| *$vt.Part/VERB/Past+Part obj>OBJ
GERUNDVP = *$vi.Ger/VERB/Ger advmod>$manner/ADV?40
| *$vt.Ger/VERB/Ger obj>OBJ
FIN(n) = 2# *$vi.{n}/VERB/Fin+{n} advmod>$manner/ADV?60
| 1.2# *$vi+vlie.{n}/VERB/Fin+{n}
| 2# *$vdual.{n}/VERB/Fin+{n} obj>OBJ
| 0.5# *$vdual.{n}/VERB/Fin+{n} obj>OBJ advmod>$manner/ADV
| 0.5# *$vdual.{n}/VERB/Fin+{n} obj>OBJ obl>OBL
| 0.5# *$vdual.{n}/VERB/Fin+{n} obj>OBJ obl:unmarked>ALOT?60
| 0.6# *LIKE{n} obj>OBJ
| 0.5# *LIKE{n} xcomp>GERUNDVP
| 0.5# *LIKE{n} xcomp>TOINF
| 1.2# *$vprep.{n}/VERB/Fin+{n} obl>OBL1
| 0.4# *$vi+vlie.{n}/VERB/Fin+{n} obl:unmarked>EVERYDAY
| 0.4# *$vlie.{n}/VERB/Fin+{n} obl>LOC
| 0.3# *$vi.{n}/VERB/Fin+{n} obl>LIKENP
| 0.4# *DRESS{n} obl>INCOLOR
| *$vi.{n}/VERB/Fin+{n} obl:unmarked>ALOT
| *$vi.{n}/VERB/Fin+{n} advmod>TOOMUCH
| 4# *$vt.{n}/VERB/Fin+{n} obj>OBJ
| 1.3# *$vt.{n}/VERB/Fin+{n} obj>OBJ obl>OBL
| 0.6# *$vt.{n}/VERB/Fin+{n} obj>OBJ advmod>$manner/ADV
| 1.5# *$vpp.{n}/VERB/Fin+{n} obl>LOC
| *$vi.{n}/VERB/Fin+{n} obl>OBL
| *$vto.{n}/VERB/Fin+{n} xcomp>TOINF
| 0.7# *$vger.{n}/VERB/Fin+{n} xcomp>GERUNDVP
| 0.6# *$vabout.{n}/VERB/Fin+{n} obl>ABOUT
| 0.5# *$vthat.{n}/VERB/Fin+{n} ccomp>THATCL
| 0.7# *$vlook.{n}/VERB/Fin+{n} xcomp>AP
| 0.8# *HAVEV({n})
| 0.6# *$vi.{n}/VERB/Fin+{n} advmod>BETTER
| 0.3# *KNOWHOW({n})
| 0.3# *$vi.{n}/VERB/Fin+{n} obl:unmarked>EVERYDAY
| 0.3# *$vt.{n}/VERB/Fin+{n} obj>OBJ obl:unmarked>EVERYDAY
| 0.3# *$vi.{n}/VERB/Fin+{n} advmod>$manner/ADV advcl>SUB
| 0.3# *$vt.{n}/VERB/Fin+{n} iobj>them~others~people/PRON/Prs obj>OBJ
| 0.3# *$vt.{n}/VERB/Fin+{n} obj>OBJ advcl>TOINF
| 0.3# *$vt.{n}/VERB/Fin+{n} obj>OBJ acl:relcl>THINGRC
| 0.4# *EXPECT({n})
| 0.3# *SPEND({n})
| 0.4# *CALL{n} obj>CALLED xcomp>QUOTEDNAME
| 0.4# *MAKE{n} obj>MAKENOM
| 0.3# *$vt.{n}/VERB/Fin+{n} obj>OBJ xcomp>$adj/ADJ
| 0.3# *TAKECARE({n})
| 0.4# *$vi.{n}/VERB/Fin+{n} compound:prt>up~out~off~down~on/ADP obl>OBL?50
| 0.3# *$vt.{n}/VERB/Fin+{n} obl>OBL advcl>GERBY
LIKEPlur = *like~like~love~fear~hate/VERB/Fin+Plur
LIKESing = *likes~likes~loves~fears~hates/VERB/Fin+Sing
DRESSPlur = *dress~cook~work~walk~paint/VERB/Fin+Plur
DRESSSing = *dresses~cooks~works~walks~paints/VERB/Fin+Sing
LIKENP = case>like/ADP det>a~the/DET/Art amod>$adj/ADJ?20 *$people.Sing/NOUN/Sing
| case>like/ADP nmod:poss>their/PRON/Prs+Yes?50 *$people.Plur/NOUN/Plur
OBL1 = case>of~about~for~at~on~to~with~by/ADP *OBJ
| case>at~to~for~with/ADP *$people.Plur/NOUN/Plur
GERBY = mark>by~without~before~after~despite/SCONJ *$vt.Ger/VERB/Ger obj>OBJ
THINGRC = nsubj>they/PRON/Nom+Plur+Prs aux>do/AUX/Fin+Plur advmod>not/PART *need~like~understand~want/VERB/Inf
EXPECT(n) = *EXPECT{n}
EXPECTPlur = *expect~want~teach~help~allow/VERB/Fin+Plur obj>$people.Plur/NOUN/Plur xcomp>TOINF
EXPECTSing = *expects~wants~teaches~helps~allows/VERB/Fin+Sing obj>$people.Plur/NOUN/Plur xcomp>TOINF
SPEND(n) = *SPEND{n}
CALLPlur = *call~call~name~label/VERB/Fin+Plur
CALLSing = *calls~names~labels/VERB/Fin+Sing
CALLED = det>every~any~their/DET?60 *$people+things.Sing/NOUN/Sing
| *$people.Plur/NOUN/Plur
| *everyone~everything~them~each/PRON
QUOTEDNAME = punct>"_/PUNCT *sweetie~honey~sir~uncle~darling/NOUN/Sing punct>_"/PUNCT
| det>a/DET/Art punct>"_/PUNCT *$quoted+things.Sing/NOUN/Sing punct>_"/PUNCT
| det>a/DET/Art amod>$adj/ADJ?30 *$people.Sing/NOUN/Sing
MAKEPlur = *make~become~prefer~marry/VERB/Fin+Plur
MAKESing = *makes~becomes~prefers~marries/VERB/Fin+Sing
MAKENOM = amod>$ranks+adj/ADJ *$people+roles.Plur/NOUN/Plur
| det>a/DET/Art amod>$ranks+adj/ADJ *$people.Sing/NOUN/Sing
SPENDPlur = *spend~waste/VERB/Fin+Plur obj>TIMEOBJ advcl>GERUNDVP
SPENDSing = *spends~wastes/VERB/Fin+Sing obj>TIMEOBJ advcl>GERUNDVP
TIMEOBJ = nmod:poss>their/PRON/Prs+Yes *evenings~weekends~money~holidays~days/NOUN/Plur
| amod>much~more~too/ADJ *time~money/NOUN/Sing
TAKECARE(n) = *TAKE{n}
TAKEPlur = *take/VERB/Fin+Plur obj>care~pride~part~notice/NOUN/Sing obl>OFTHING
TAKESing = *takes/VERB/Fin+Sing obj>care~pride~part~notice/NOUN/Sing obl>OFTHING
KNOWHOW(n) = *KNOW{n}
KNOWPlur = *know/VERB/Fin+Plur xcomp>HOWTO
KNOWSing = *knows/VERB/Fin+Sing xcomp>HOWTO
HOWTO = advmod>how~when~where/ADV mark>to/PART *BARE
HAVEV(n) = *HAVEV{n}
HAVEVPlur = *have/VERB/Fin+Plur obj>FIELD
HAVEVSing = *has/VERB/Fin+Sing obj>FIELD
FIELD = 3# det>a~no/DET/Art amod>$ranks+adj/ADJ?80 *$fields.Sing/NOUN/Sing
| det>a/DET/Art amod>$ranks/ADJ?60 *sense~head~gift~eye~weakness~fear~love~talent/NOUN/Sing nmod>OFMASS2
| amod>$ranks+adj/ADJ?50 *$features+things.Plur/NOUN/Plur
| *OBJ
| det>no/DET *idea~time~patience~sense/NOUN/Sing nmod>OFMASS2?60
OFMASS2 = case>of~for/ADP *$mass/NOUN/Sing
ALOT = det>a/DET/Art *lot~bit~little/NOUN/Sing
EVERYDAY = det>every~all~each/DET *day~week~evening~morning~weekend~summer~year/NOUN/Sing
TOOMUCH = advmod>too~very~so~quite~rather/ADV *much~little~loudly~slowly~fast~often~well~early~late/ADV
BETTER = *better~worse~faster~more~less~longer~harder/ADV/Cmp obl>THAN?70
| advmod>more~less/ADV *$manner/ADV obl>THAN?60
BARE = 2# *$vi.Plur/VERB/Inf advmod>$manner/ADV?50
| 4# *$vt.Plur/VERB/Inf obj>OBJ
| *$vt.Plur/VERB/Inf obj>OBJ obl>OBL
| *$vpp.Plur/VERB/Inf obl>LOC
| 0.7# *$vabout.Plur/VERB/Inf obl>ABOUT
| 0.5# *$vto.Plur/VERB/Inf xcomp>TOINF0
| 0.6# *have/VERB/Inf obj>FIELD
| 0.5# aux:pass>be~get/AUX/Inf *$vt.Part/VERB/Past+Part
| 0.5# *$vlook.Plur/VERB/Inf xcomp>$adj/ADJ
| 0.7# *$vdual.Plur/VERB/Inf obj>OBJ
| 0.6# *$vprep.Plur/VERB/Inf obl>OBL1
| 0.5# *know/VERB/Inf xcomp>HOWTO
| 0.4# *$vger.Plur/VERB/Inf xcomp>GERUNDVP
| 0.3# *$vthat.Plur/VERB/Inf ccomp>THATCL
| 0.2# *make~let/VERB/Inf obj>$people.Plur/NOUN/Plur xcomp>$vi.Plur/VERB/Inf
TOINF = mark>to/PART advmod>not/PART?5 *BARE
| 0.3# mark>to/PART cop>be/AUX/Inf *AP0
AP0 = *$adj/ADJ
TOINF0 = mark>to/PART *$vi.Plur/VERB/Inf
| mark>to/PART *$vt.Plur/VERB/Inf obj>OBJ
ABOUT = case>about~of/ADP *OBJ
THATCL = mark>that/SCONJ?60 nsubj>THEY *VP0(Plur)
THEY = *they~others/PRON/Nom+Plur+Prs
| amod>ADJ1?30 *$people.Plur/NOUN/Plur
OBL = case>with~for~on~from~about~to~at~after~before~without/ADP *OBJ
| case>to~with~for/ADP nmod:poss>their/PRON/Prs+Yes *$people.Plur/NOUN/Plur
| case>at~on~in~during/ADP det>the~a/DET/Art?60 *night~weekends~winter~morning~summer~church~meetings~\
  evening/NOUN/Sing
| case>than/ADP *others/NOUN/Plur
LOC = case>in/ADP amod>$adj/ADJ?30 *$inplaces/NOUN/Plur
| case>in~at~on~near~from/ADP det>the~a~this/DET/Art amod>$adj/ADJ?20 *$places/NOUN/Sing
| case>in~from~to/ADP *$countries/PROPN/Sing
| 0.6# case>with~among/ADP nmod:poss>their/PRON/Prs+Yes *$people.Plur/NOUN/Plur
| 0.4# *abroad~alone~here~together/ADV
// what is no group and attribute: commands, fronted phrases, clauses as subjects, fragments, verb or object first
OTHER = *COMMAND
| 1.8# *FRONTED
| 1.4# *CSUBJ
| *FRAGMENT
| *VERBFIRST
| 0.8# *EXIST
| 2.6# *OBJFIRST
COMMAND = advmod>never~always~please~just/ADV?35 *$vt.Plur/VERB/Fin+Imp obj>OBJECTNP obl>OBL?20
| advmod>never~always~please/ADV?20 *$vt.Plur/VERB/Fin+Imp iobj>me~them~us/PRON/Prs obj>OBJ
| aux>do/AUX/Fin+Imp advmod>not~_n't/PART *BARE
| cop>be/AUX/Fin+Imp *$adj/ADJ obl>WITHOBJ?70
| *let/VERB/Fin+Imp obj>NP0 xcomp>$vi.Plur/VERB/Inf
| *$vi.Plur/VERB/Fin+Imp obl>LOC
| *$vi.Plur/VERB/Fin+Imp advmod>$manner/ADV
| *$vabout.Plur/VERB/Fin+Imp obl>ABOUT
| *ask~give~tell~show/VERB/Fin+Imp iobj>NP0 obl>ABOUT
OBJECTNP = 2# *NP(Plur)
| *OBJ
FRONTED = obl>FRONTPP punct>_,/PUNCT?60 nsubj>NP0 *VP(Plur)
| advmod>often~usually~sometimes~generally~today~nowadays~unfortunately~perhaps~maybe~everywhere~traditionally~\
  here~sadly/ADV punct>_,/PUNCT?60 nsubj>NP0 *VP(Plur)
| advcl>FRONTSUB punct>_,/PUNCT?85 nsubj>NP0 *VP(Plur)
| obl:unmarked>EVERYDAY punct>_,/PUNCT?40 nsubj>NP0 *VP(Plur)
| advcl>FRONTGER punct>_,/PUNCT nsubj>NP0 *VP(Plur)
| obl>AFTERPP punct>_,/PUNCT?50 nsubj>NP(Plur) *VP(Plur)
| obl>FORNP0 punct>_,/PUNCT nsubj>OBJ cop>is/AUX/Fin+Sing *AP
AFTERPP = case>after~before~without~unlike~besides~since~under~for~until~despite/ADP det>the/DET/Art?60 \
  *war~coffee~work~dinner~weddings~holidays~men~women~cats~midnight~lunch/NOUN
FORNP0 = case>for~to/ADP amod>most~many~some/ADJ?50 *$people.Plur/NOUN/Plur
FRONTPP = *PP
| case>at~in~on~during~after~among~for~unlike~to~despite~with/ADP det>the/DET/Art?40 \
  *$places+mass+inplaces+people.Plur/NOUN/Plur
FRONTSUB = mark>when~if~because~although~once~while~as/SCONJ nsubj>NP0 *VP0(Plur)
| advmod>when~where~wherever~whenever/ADV nsubj>NP0 *VP0(Plur)
FRONTGER = *$vt.Ger/VERB/Ger obj>OBJ
| *born~raised~surrounded~trained/VERB/Past+Part obl>LOC
| mark>to/PART *$vt.Plur/VERB/Inf obj>OBJ
NP0 = 3# *$people.Plur/NOUN/Plur
| *CPlur
| *they~we~you/PRON/Nom+Plur+Prs
CSUBJ = csubj>GERSUBJ *CSVP
| 0.8# csubj>TOSUBJ *CSVP
| 0.6# csubj>THATSUBJ *CSVP
| 0.5# expl>it/PRON/Nom+Sing+Prs cop>is/AUX/Fin+Sing *$adj/ADJ csubj>TOINF
GERSUBJ = *$vt.Ger/VERB/Ger obj>OBJ
| *$vi.Ger/VERB/Ger obl>LOC?50 advmod>$manner/ADV?30
| cop>being/AUX/Ger *$adj+groupadj/ADJ
| cop>being/AUX/Ger det>a/DET/Art amod>$adj/ADJ?40 *$people.Sing/NOUN/Sing
| *having~raising~helping~teaching~asking/VERB/Ger obj>OBJECTNP
| *living~working~growing/VERB/Ger advmod>up/ADV?20 obl>LOC
TOSUBJ = mark>to/PART *BARE
| mark>to/PART cop>be/AUX/Inf *$adj+groupadj/ADJ
THATSUBJ = mark>that~whether/SCONJ nsubj>NP0 *VP0(Plur)
| obj>what~whatever/PRON/Int nsubj>NP0 *$vt.Plur/VERB/Fin+Plur
CSVP = cop>is/AUX/Fin+Sing advmod>not~often~never/ADV?25 *$adj/ADJ obl>FORNP?35
| *makes/VERB/Fin+Sing obj>NP0 xcomp>$adj/ADJ
| *takes~requires~costs~needs/VERB/Fin+Sing obj>OBJ
| cop>is/AUX/Fin+Sing det>a~the/DET/Art amod>$adj/ADJ?50 *$things+fields.Sing/NOUN/Sing
| *matters~helps~annoys~surprises/VERB/Fin+Sing obj>NP0?40
FORNP = case>for/ADP *NP0
OBJSUBJ = amod>most~many~few/ADJ *$people.Plur/NOUN/Plur
| det>the~all~some~no/DET *$people.Plur/NOUN/Plur
| *they~we~you/PRON/Nom+Plur+Prs
| nmod:poss>their~our~my/PRON/Prs+Yes *$people.Plur/NOUN/Plur
FRAGMENT = 3# *FRAGNP(Plur)
| 0.8# *FRAGNP(Sing)
| *$adj/ADJ conj>ADJCONJ
| 0.6# *PP
| 0.4# advmod>so~very~too/ADV *$adj/ADJ
FRAGNP(n) = 1.5# *CORE({n}) nmod>FRAGPP
| *CORE({n}) nmod>PPLONG
| *CORE({n})
| *CORE({n}) acl:relcl>RC({n})
| *CORE({n}) acl>PART
| 0.5# *COORDPlur
FRAGPP = case>with~without~from~in~of/ADP amod>$adj+ranks/ADJ?40 *$features+things.Plur+inplaces/NOUN/Plur
| case>from~in~near/ADP det>the/DET/Art *$places/NOUN/Sing
VERBFIRST = aux>do~can~should~will~would~could/AUX/Fin nsubj>NP(Plur) *BARE
| cop>are/AUX/Fin+Plur nsubj>NP(Plur) *AP
| 2# advmod>very~so/ADV?25 *$adj/ADJ cop>are/AUX/Fin+Plur nsubj>NP(Plur)
| advmod>rarely~never~seldom/ADV aux>do/AUX/Fin+Plur nsubj>NP0 *BARE
| advmod>why~how~when/ADV aux>do/AUX/Fin+Plur nsubj>NP0 *BARE
| advmod>so/ADV advmod>$adj/ADJ cop>are/AUX/Fin+Plur nsubj>NP0 *$adj/ADJ
| 0.5# *gone~lost~blessed~forgotten~born~dead~rare/VERB/Past+Part cop>are/AUX/Fin+Plur nsubj>NP(Plur)
| 0.5# advmod>never~rarely~seldom~little/ADV aux>do/AUX/Fin+Plur nsubj>NP0 *BARE
| 0.8# obl>BEHIND *lives~stands~sits~hides~waits~sleeps~lies/VERB/Fin+Sing nsubj>CSing
| 0.4# obl>BEHIND *live~stand~sit~wait~sleep/VERB/Fin+Plur nsubj>CPlur
| obl>FRONTPP *live~come~sit~work/VERB/Fin+Plur nsubj>NP0
| *$adj/ADJ obl>WITHOBJ cop>are/AUX/Fin+Plur nsubj>NP(Plur)
BEHIND = case>behind~under~in~near~beside~on/ADP det>every~each~the~any/DET \
  *door~roof~house~street~success~corner~village~man/NOUN/Sing
EXIST = expl>there/PRON *are/VERB/Fin+Plur advmod>always~often/ADV?20 nsubj>EXNP
| expl>there/PRON *is/VERB/Fin+Sing nsubj>EXSG
| 0.5# expl>there/PRON *were~was/VERB/Fin+Past nsubj>EXNP obl>LOC?40
| expl>there/PRON aux>must~will~can/AUX/Fin *be/VERB/Inf nsubj>EXNP
EXNP = *NP(Plur)
| amod>many~few~more~several/ADJ *$people.Plur/NOUN/Plur nmod>PP?60
| det>no/DET *$people.Plur/NOUN/Plur nmod>PP?60
EXSG = det>a~no/DET/Art amod>$adj/ADJ?40 *$people+things.Sing/NOUN/Sing nmod>PP?50
OBJFIRST = 1.5# obj>TOPIC punct>_,/PUNCT nsubj>OBJSUBJ1 *$vdual+vt.Plur/VERB/Fin+Plur
| 1# obj>TOPIC nsubj>OBJSUBJ1 *$vdual+vt.Plur/VERB/Fin+Plur
| 0.8# obj>TOPIC punct>_,/PUNCT nsubj>OBJSUBJ1 advmod>$adverbs/ADV *$vdual+vt.Plur/VERB/Fin+Plur
| 0.5# obj>TOPIC punct>_,/PUNCT?60 nsubj>RCSG *$vdual+vt.Sing/VERB/Fin+Sing advmod>$manner/ADV?50
| 0.5# obj>TOPIC punct>_,/PUNCT nsubj>OBJSUBJ1 aux>$modals/AUX/Fin advmod>not~never/PART?30 *$vdual+vt.Plur/VERB/Inf
| 0.4# obl>TOPIC punct>_,/PUNCT nsubj>OBJSUBJ1 *$vprep.Plur/VERB/Fin+Plur case>for~about~at~of/ADP
| 0.4# obl>TOPICPP nsubj>OBJSUBJ1 *$vprep.Plur/VERB/Fin+Plur advmod>$manner/ADV?40
| 2# obj>$mass+things.Plur/NOUN/Sing nsubj>OBJSUBJ advmod>$adverbs/ADV?20 *$vt.Plur/VERB/Fin+Plur
| 2# obj>OBJ punct>_,/PUNCT?50 nsubj>NP0 *$vt.Plur/VERB/Fin+Plur advmod>$manner/ADV?30
| obj>OBJ nsubj>NP0 aux>do/AUX/Fin+Plur advmod>not/PART *$vt.Plur/VERB/Inf
| obj>$people.Plur/NOUN/Plur punct>_,/PUNCT?50 nsubj>NP0 *$vt.Plur/VERB/Fin+Plur
TOPIC = 2# *$things.Plur+mass+colours/NOUN/Plur
| amod>$adj/ADJ *$things.Plur+mass/NOUN/Plur
| nmod:poss>their~my/PRON/Prs+Yes amod>own/ADJ?40 *$things.Plur/NOUN/Plur
| det>the~these~such~all/DET/Art *$things+people.Plur/NOUN/Plur
| *$people.Plur/NOUN/Plur
| *$things.Plur/NOUN/Plur conj>OBJAND
| det>the~a/DET/Art *$things.Sing/NOUN/Sing
| det>the/DET/Art *$things.Plur/NOUN/Plur nmod>PP
TOPICPP = case>about~for~of~with~to~at/ADP *$things.Plur+mass/NOUN/Plur
OBJSUBJ1 = 2# *$people.Plur/NOUN/Plur
| amod>ADJ1 *$people.Plur/NOUN/Plur
| *OBJSUBJ
| *$people.Plur/NOUN/Plur nmod>PP
""",
    _PARTS,
)


def sentence(lex: Lexicon) -> Tree:
    """One random sentence; most have a noun phrase first, some do not, so that the parser learns the difference."""
    tree = GRAMMAR.derive(lex)
    curly = lex.chance(0.45)
    single = lex.chance(_SINGLE_QUOTES)
    opening = ("‘" if single else "“") if curly else ("'" if single else '"')
    closing = ("’" if single else "”") if curly else opening
    return _restyle(tree, curly, opening, closing)[0]


def _restyle(tree: Tree, curly: bool, opening: str, closing: str, following: str = "") -> tuple[Tree, str]:
    """Articles fitted to the word after them, quotes and apostrophes of one style.

    Returns:
        The tree and its first form.
    """
    right = []
    after = following
    for relation, child in reversed(tree.right):
        if child.form == "'s" and tree.form.endswith("s") and tree.upos == "NOUN":
            child = replace(child, form="'")
        done, after = _restyle(child, curly, opening, closing, after)
        right.append((relation, done))
    form = tree.form
    if form in ("a", "an"):
        form = "an" if after[:1].lower() in tuple("aeiou") and after[:3] not in ("one", "uni", "Eur") else "a"
    if form == '"':
        form = opening if tree.opens else closing
    elif curly:
        form = form.replace("'", "’")
    before, left = form, []
    for relation, child in reversed(tree.left):
        done, before = _restyle(child, curly, opening, closing, before)
        left.append((relation, done))
    return replace(tree, form=form.replace("_", " "), left=tuple(reversed(left)), right=tuple(reversed(right))), before


def inflect(name: str, entry: str) -> str:
    """An entry of a list with its regular forms added."""
    if ":" in entry or name not in (*_NOUNS, *_VERBS):
        return entry
    if name in _NOUNS:
        return f"{entry}:{_plural(entry)}"
    stem = entry.removesuffix("e") if entry.endswith("e") and not entry.endswith("ee") else entry
    return f"{entry}:{_plural(entry)}:{stem}ing:{stem}ed"


def _plural(word: str) -> str:
    if word.endswith(("s", "sh", "ch", "x", "z")):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"
