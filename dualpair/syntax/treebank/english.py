"""English generic sentences: [group] [attribute], with the trees that UD gives them."""

from __future__ import annotations

from dataclasses import replace

from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.rules import read_grammar
from dualpair.syntax.treebank.trees import Tree

_NOUNS = ("people", "persons", "things", "fields", "roles")
_VERBS = ("vi", "vt", "vto", "vger", "vpp", "vabout", "vthat", "vlook")
_NOUN, _VERB = "Sing Plur", "Plur Sing Ger Part"
_PARTS = dict.fromkeys(_NOUNS, _NOUN) | dict.fromkeys(_VERBS, _VERB) | {"gerundobj": "Inf Ger"}

GRAMMAR = read_grammar(
    r"""
S = *CLAUSE punct>STOP?92
| 0.14# *OTHER punct>STOP?92
STOP = 9# *_./PUNCT
| *_!/PUNCT
| 0.8# *_?/PUNCT
| 0.4# *_…/PUNCT
CLAUSE = 6# nsubj>NP(Plur) *VP(Plur)
| 4.5# nsubj>NP(Sing) *VP(Sing)
| 0.3# nsubj>NP(Plur) *VP(Plur) punct>_,/PUNCT parataxis>TAG
| 0.4# nsubj>NP(Plur) *VP(Plur) advcl>SUB
| 0.15# nsubj>NP(Plur) *VP(Plur) punct>_,/PUNCT conj>VPBUT
| 0.2# nsubj>NP(Plur) punct>–~—~-/PUNCT *AP
| 0.15# nsubj>NP(Plur) punct>_,/PUNCT advmod>however~too~therefore~naturally~though/ADV punct>_,/PUNCT *VP(Plur)
| 0.1# nsubj>NP(Plur) punct>_,/PUNCT obl>ASARULE punct>_,/PUNCT *VP(Plur)
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
| 1.3# *CORE({n}) acl:relcl>RC({n})
| 0.6# *CORE({n}) nmod>PP acl:relcl>RC({n})
| 0.4# *CORE({n}) punct>_,/PUNCT acl:relcl>RC({n}) punct>_,/PUNCT
| 0.9# *CORE({n}) acl>PART
| 0.25# *CORE({n}) punct>_,/PUNCT acl>PART punct>_,/PUNCT
| 0.4# *CORE({n}) punct>_,/PUNCT appos>APPOS({n}) punct>_,/PUNCT
| 0.3# *CORE({n}) punct>(_/PUNCT acl>PART punct>_)/PUNCT
| 0.25# *CORE({n}) punct>(_/PUNCT conj>COREAND punct>_)/PUNCT
| 0.2# *CORE({n}) amod>ADJPOST
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
| 0.5# *CORE(Plur) nmod>PP conj>COREAND2
| 0.5# *CORE(Plur) conj>COREAND2 nmod>PP
| 0.4# amod>ADJ1 *$people.Plur/NOUN/Plur conj>COREAND2 acl:relcl>RC(Plur)
COMMACONJ = punct>_,/PUNCT *CORE(Plur)
COREAND2 = cc>and~and~and~or/CCONJ *CORE(Plur)
| 0.3# cc>and/CCONJ *CORE(Plur) nmod>PP
| 0.3# punct>_,/PUNCT cc>and~or/CCONJ *CORE(Plur)
PROPAND = cc>and/CCONJ *$names/PROPN/Sing
| cc>and/CCONJ nmod:poss>his~her~their/PRON/Prs+Yes *$people.Plur/NOUN/Plur
SPECIALPlur = det>the/DET/Art *$groupadj+nations/ADJ
| det>the/DET/Art advmod>very/ADV *$groupadj/ADJ
| *$people.Plur/NOUN/Plur nmod>OVERAGE
| *they~we~you/PRON/Nom+Plur+Prs
| compound>$digits/NOUN/Plur *kids~children~teenagers/NOUN/Plur
| nummod>$ages/NUM/Card punct>_-_/PUNCT *year-olds/NOUN/Plur
| det>the/DET/Art *$people.Plur/NOUN/Plur
SPECIALSing = 3# *PROPER
| *Generation/PROPN/Sing dep>$generations/PROPN/Sing
| *she~he/PRON/Nom+Sing+Prs
PROPER = *$names/PROPN/Sing
| *Uncle~Aunt~Doctor~Professor~Mrs~Mr/PROPN/Sing flat>$names/PROPN/Sing
| nmod:poss>OWNERNAME *$people.Sing/NOUN/Sing
OWNERNAME = *$names/PROPN/Sing case>_'s/PART
HEADPRONPlur = 3# *those/PRON/Dem acl:relcl>RC(Plur)
| *those/PRON/Dem nmod>PP
| *those/PRON/Dem acl>PART
| 2# *most~many~some~few~half/ADJ nmod>OFDEF
| *all~some~both~none/DET nmod>OFDEF
| *many~most~some~others/ADJ
HEADPRONSing = 2# *everyone~everybody~anyone~anybody~someone~nobody~no-one/PRON/Sing+Tot acl:relcl>RC(Sing)
| 2# *everyone~everybody~anyone~nobody~someone/PRON/Sing+Tot nmod>PP
| *everyone~everybody~nobody/PRON/Sing+Tot
| 0.6# *everyone~anyone/PRON/Sing+Tot acl>PART
| 0.6# *one~each~neither/NUM/Card nmod>OUTOF
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
| 0.3# amod>so-called~self-declared/ADJ punct>"_/PUNCT *$quoted/NOUN/Plur punct>_"/PUNCT
NUMOUT = *one~two~three~nine~seven/NUM/Card nmod>OUTFOUR
OUTFOUR = case>out/ADP case>of/ADP *four~five~ten~three/NUM/Card
| case>in/ADP *four~five~ten~three/NUM/Card
FORMULA = *Formula~Windows~Class~Route~Grade~Level~Year/PROPN/Sing nummod>$ages/NUM/Card
QADJ = punct>"_/PUNCT *$quoted+adj/ADJ punct>_"/PUNCT
CSing = 2# det>a/DET/Art amod>ADJ1?45 *$people.Sing/NOUN/Sing
| 2# det>$detsg/DET amod>ADJ1?45 *$people.Sing/NOUN/Sing
| 2# nmod:poss>my~our~their~your~his~her/PRON/Prs+Yes amod>ADJ1?30 *$persons.Sing/NOUN/Sing
| nmod:poss>OWNER amod>ADJ1?30 *$persons.Sing/NOUN/Sing
| det>the~a~every/DET compound>$modifiers/NOUN/Sing *$people.Sing/NOUN/Sing
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
OWNER = *$people.Plur/NOUN/Plur case>_'s/PART
| det>a~every~the/DET/Art *$people.Sing/NOUN/Sing case>_'s/PART
| nmod:poss>my~our~their/PRON/Prs+Yes *$persons.Sing/NOUN/Sing case>_'s/PART
| amod>ADJ1 *$people.Plur/NOUN/Plur case>_'s/PART
APPOS(n) = det>a/DET/Art amod>ADJ1 *$people.Sing/NOUN/Sing
| det>a~the/DET/Art *$people.Sing/NOUN/Sing nmod>PP
| advmod>especially~particularly~even/ADV amod>ADJ1 *$people.Plur/NOUN/Plur
| det>the/DET/Art amod>ADJ1?40 *$people.Plur/NOUN/Plur nmod>PP
| nmod:poss>my~our/PRON/Prs+Yes amod>ADJ1?30 *$people.Sing/NOUN/Sing
| det>a/DET/Art amod>ADJ1?40 *$people.Sing/NOUN/Sing acl:relcl>RC(Sing)
| det>the/DET/Art amod>so-called/ADJ?30 *$people.Plur/NOUN/Plur acl:relcl>RC(Plur)?30
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
| 0.5# case>with/ADP amod>ADJ1?60 *$mass/NOUN/Sing
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
| 0.3# *TAKECARE({n})
| 0.4# *$vi.{n}/VERB/Fin+{n} compound:prt>up~out~off~down~on/ADP obl>OBL?50
| 0.3# *$vt.{n}/VERB/Fin+{n} obl>OBL advcl>GERBY
GERBY = mark>by~without~before~after~despite/SCONJ *$vt.Ger/VERB/Ger obj>OBJ
THINGRC = nsubj>they/PRON/Nom+Plur+Prs aux>do/AUX/Fin+Plur advmod>not/PART *need~like~understand~want/VERB/Inf
EXPECT(n) = *EXPECT{n}
EXPECTPlur = *expect~want~teach~help~allow/VERB/Fin+Plur obj>$people.Plur/NOUN/Plur xcomp>TOINF
EXPECTSing = *expects~wants~teaches~helps~allows/VERB/Fin+Sing obj>$people.Plur/NOUN/Plur xcomp>TOINF
SPEND(n) = *SPEND{n}
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
| 1.5# *FRONTED
| 1.4# *CSUBJ
| *FRAGMENT
| *VERBFIRST
| 0.8# *EXIST
| 1.3# *OBJFIRST
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
FRAGMENT = 3# *NP(Plur)
| 0.6# *NP(Sing)
| *$adj/ADJ conj>ADJCONJ
| 0.6# *PP
| 0.4# advmod>so~very~too/ADV *$adj/ADJ
VERBFIRST = aux>do~can~should~will~would~could/AUX/Fin nsubj>NP(Plur) *BARE
| cop>are/AUX/Fin+Plur nsubj>NP(Plur) *AP
| 2# advmod>very~so/ADV?25 *$adj/ADJ cop>are/AUX/Fin+Plur nsubj>NP(Plur)
| advmod>rarely~never~seldom/ADV aux>do/AUX/Fin+Plur nsubj>NP0 *BARE
| advmod>why~how~when/ADV aux>do/AUX/Fin+Plur nsubj>NP0 *BARE
| advmod>so/ADV advmod>$adj/ADJ cop>are/AUX/Fin+Plur nsubj>NP0 *$adj/ADJ
| obl>FRONTPP *live~come~sit~work/VERB/Fin+Plur nsubj>NP0
| *$adj/ADJ obl>WITHOBJ cop>are/AUX/Fin+Plur nsubj>NP(Plur)
EXIST = expl>there/PRON *are/VERB/Fin+Plur advmod>always~often/ADV?20 nsubj>EXNP
| expl>there/PRON *is/VERB/Fin+Sing nsubj>EXSG
| expl>there/PRON aux>must~will~can/AUX/Fin *be/VERB/Inf nsubj>EXNP
EXNP = *NP(Plur)
| amod>many~few~more~several/ADJ *$people.Plur/NOUN/Plur nmod>PP?60
| det>no/DET *$people.Plur/NOUN/Plur nmod>PP?60
EXSG = det>a~no/DET/Art amod>$adj/ADJ?40 *$people+things.Sing/NOUN/Sing nmod>PP?50
OBJFIRST = 2# obj>$mass+things.Plur/NOUN/Sing nsubj>OBJSUBJ advmod>$adverbs/ADV?20 *$vt.Plur/VERB/Fin+Plur
| 2# obj>OBJ punct>_,/PUNCT?50 nsubj>NP0 *$vt.Plur/VERB/Fin+Plur advmod>$manner/ADV?30
| obj>OBJ nsubj>NP0 aux>do/AUX/Fin+Plur advmod>not/PART *$vt.Plur/VERB/Inf
| obj>$people.Plur/NOUN/Plur punct>_,/PUNCT?50 nsubj>NP0 *$vt.Plur/VERB/Fin+Plur
""",
    _PARTS,
)


def sentence(lex: Lexicon) -> Tree:
    """One random sentence; most have a noun phrase first, some do not, so that the parser learns the difference."""
    tree = GRAMMAR.derive(lex)
    curly = lex.chance(0.45)
    return _restyle(tree, curly, "“" if curly else '"', "”" if curly else '"')[0]


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
    form = form.replace("'", "’") if curly else form
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
