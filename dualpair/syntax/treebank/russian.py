"""Russian generic sentences: [group] [attribute], with the trees that UD gives them."""

from __future__ import annotations

from dataclasses import replace

from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.rules import read_grammar
from dualpair.syntax.treebank.trees import Tree

_NOUNS = ("people", "things", "mass", "place", "with", "roles")
_ADJECTIVES = ("adj", "groupadj")
_VERBS = ("vi", "vt", "vdat", "vins", "vinf", "vpp", "vthat")
_PARTS = (
    dict.fromkeys(_NOUNS, "Sing Plur GenPl DatPl AccPl InsPl LocPl GenSg AccSg InsSg LocSg")
    | dict.fromkeys(_ADJECTIVES, "Masc Fem Neut Plur GenPl DatPl InsPl LocPl GenMasc GenFem Short Cmp")
    | dict.fromkeys(_VERBS, "Inf Plur Sing Past Imp Part Conv")
)

GRAMMAR = read_grammar(
    r"""
S = 9# *CLAUSE(Plur) punct>STOP?92
| 1.6# *CLAUSE(Sing) punct>STOP?92
| 1.9# *OTHER punct>STOP?92
STOP = 9# *_./PUNCT
| *_!/PUNCT
| 0.9# *_?/PUNCT
| 0.5# *_…/PUNCT
CLAUSE(n) = 10# nsubj>NP{n} *VP{n}
| 0.3# nsubj>NP{n} *VP{n} punct>_,/PUNCT advcl>SUB
| 0.3# nsubj>NP{n} *VP{n} punct>_,/PUNCT conj>BUT{n}
BUTPlur = cc>но~а/CCONJ *VPlain
BUTSing = cc>но~а/CCONJ *VPlainSg
SUB = mark>когда~если~чтобы~хотя/SCONJ nsubj>они/PRON/Nom+Plur?50 *VPlain
// noun phrases in the nominative plural
NPPlur = 6# *CORE
| 1.1# *CORE nmod>GENNP
| 3.3# *CORE nmod>PP
| 0.5# *CORE nmod>PP nmod>PP
| 0.4# *CORE nmod>GENNP nmod>PP
| 2.6# *CORE punct>_,/PUNCT acl:relcl>RC punct>_,/PUNCT
| 0.7# *CORE nmod>PP punct>_,/PUNCT acl:relcl>RC punct>_,/PUNCT
| 1.3# *CORE punct>_,/PUNCT acl>PART punct>_,/PUNCT
| 0.5# *CORE nmod>PP punct>_,/PUNCT acl>PART punct>_,/PUNCT
| 0.5# *CORE punct>_,/PUNCT appos>APPOS punct>_,/PUNCT
| 0.4# *CORE punct>(_/PUNCT conj>CORE punct>_)/PUNCT
| 0.4# *CORE punct>(_/PUNCT advmod>особенно~даже~кроме/ADV appos>CORE punct>_)/PUNCT
| 0.3# advmod>только~даже~лишь~почти/PART *CORE
| 0.5# *CORE acl>ADJPP
| 1.1# acl>PARTBEFORE *CORE0
| 0.5# *PEOPLE amod>старше~моложе~младше/ADJ/Cmp obl>YEARS
| 2.4# *COORD
| 1.6# *HEADPRON
| 0.9# *SPECIAL
CORE = 5# *CORE0
| 2.6# amod>ADJ *CORE0
| 0.4# amod>ADJ amod>ADJ *CORE0
| 0.5# amod>ADJAND *CORE0
| 0.4# amod>ADJADV *CORE0
| 1.3# det>$detPlur/DET/Nom amod>ADJ?30 *CORE0
| 0.8# det>мои~наши~их~его~её~ваши~твои/DET/Nom amod>ADJ?30 *CORE0
| 0.3# punct>"_/PUNCT amod>ADJ?30 *CORE0 punct>_"/PUNCT
| 0.3# amod>QADJ *CORE0
| 0.2# punct>"_/PUNCT *$quoted/NOUN/Nom+Plur punct>_"/PUNCT
| 0.9# *NUMNP
CORE0 = *PEOPLE
| 0.06# *PEOPLE appos>HYPH
HYPH = *$roles.Plur/NOUN/Nom+Plur
PEOPLE = *$peopleMasc+peopleMasc+peopleFem.Plur/NOUN/Nom+Plur
QADJ = punct>"_/PUNCT *$adj.Plur/ADJ/Nom+Plur punct>_"/PUNCT
ADJ = *$groupadj+groupadj+adj.Plur/ADJ/Nom+Plur
ADJAND = *$groupadj+adj.Plur/ADJ/Nom+Plur conj>ANDADJ
ANDADJ = cc>и~и~или~но/CCONJ *$adj.Plur/ADJ/Nom+Plur
COMMAADJ = punct>_,/PUNCT *$adj.Plur/ADJ/Nom+Plur
ADJADV = advmod>очень~слишком~более~самые~хорошо~плохо~менее/ADV *$adj.Plur/ADJ/Nom+Plur
NUMNP = nummod:gov>$numgov/NUM/Nom amod>$adj.GenPl/ADJ/Gen+Plur?25 *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
| nummod:gov>два~три~четыре~оба/NUM/Nom amod>$adj.GenPl/ADJ/Gen+Plur?20 *$peopleMasc.GenSg/NOUN/Gen+Sing
| nummod:gov>две~три~четыре~обе/NUM/Nom amod>$adj.Plur/ADJ/Nom+Plur?20 *$peopleFem.GenSg/NOUN/Gen+Sing
| det>все/DET/Nom nummod:gov>пять~десять/NUM/Nom *$peopleMasc.GenPl/NOUN/Gen+Plur
| 0.7# nummod:gov>много~несколько~мало~немало~сколько/NUM *$peopleMasc.GenPl/NOUN/Gen+Plur
COORD = 3# *CORE conj>ANDNP
| *CORE conj>COMMANP conj>ANDNP
| 0.6# cc>и/CCONJ *CORE conj>COMMAAND
| 0.6# cc>ни/CCONJ *CORE conj>COMMANI
| *CORE nmod>PP conj>ANDNP
| *CORE conj>ANDNP nmod>PP
| 0.5# *CORE conj>ANDNP punct>_,/PUNCT acl:relcl>RC punct>_,/PUNCT
| 0.6# *$namesMasc+namesFem/PROPN/Nom+Sing conj>ANDNAME
ANDNP = cc>и~и~и~или/CCONJ *CORE nmod>GENNP?15
COMMANP = punct>_,/PUNCT *CORE
COMMAAND = punct>_,/PUNCT cc>и/CCONJ *CORE
COMMANI = punct>_,/PUNCT cc>ни/CCONJ *CORE
ANDNAME = cc>и/CCONJ *$namesMasc+namesFem/PROPN/Nom+Sing
| cc>и/CCONJ det>его~её/DET *$peopleMasc.Plur/NOUN/Nom+Plur
HEADPRON = 2# *те/PRON/Nom+Plur+Dem punct>_,/PUNCT acl:relcl>WHO punct>_,/PUNCT
| *те/PRON/Nom+Plur+Dem punct>_,/PUNCT acl:relcl>RC punct>_,/PUNCT
| *все/PRON/Nom+Plur+Tot punct>_,/PUNCT acl:relcl>WHO punct>_,/PUNCT
| *они~мы~вы/PRON/Nom+Plur+Prs
| *многие~некоторые~немногие/PRON/Nom+Plur+Ind nmod>IZ?60
| *никто~каждый~кто-то~любой/PRON/Nom+Sing+Neg nmod>IZ?80
| *большинство~половина~часть~треть/NOUN/Nom+Sing nmod>GENNP
| *трое~двое~двое~один~одна/NUM/Nom nmod>IZNUM
| *GROUPNOM
GROUPNOM = amod>самые~очень/ADJ?20 *$groupadj+adj.Plur/ADJ/Nom+Plur
| *$groupadj.Plur/ADJ/Nom+Plur nmod>PP
IZ = case>из/ADP det>моих~наших~этих~их~твоих/DET/Gen *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
| case>из/ADP *нас~них~вас/PRON/Gen
IZNUM = case>из/ADP nummod>трёх~четырёх~десяти~пяти/NUM/Gen *$peopleMasc.GenPl/NOUN/Gen+Plur
WHO = nsubj>кто/PRON/Nom+Rel *VPlainSg
SPECIAL = *дети~люди~рождённые/NOUN/Nom+Plur nmod>90-х~80-х~2000-х~70-х/ADJ/Gen
| *$peopleMasc.Plur/NOUN/Nom+Plur nmod>CENT
| *поколение/NOUN/Nom+Sing nmod>$generations/PROPN
| *люди~женщины~мужчины~дети/NOUN/Nom+Plur nmod>AGE
| *$peopleMasc.Plur/NOUN/Nom+Plur nmod>ONPENS
| *молодёжь~семья~команда~публика~старшее/NOUN/Nom+Sing nmod>PP?50
CENT = amod>прошлого~нового/ADJ/Gen *века~поколения~времени/NOUN/Gen+Sing
AGE = case>за~до~после~под/ADP *$ages/NUM/Acc
| case>в/ADP *возрасте/NOUN/Loc+Sing nmod>YEARSGEN?60
| case>от/ADP *$ages/NUM/Gen nmod>DO
DO = case>до/ADP nummod:gov>$ages/NUM/Gen *лет/NOUN/Gen+Plur
YEARS = nummod:gov>$ages/NUM/Gen *лет/NOUN/Gen+Plur
YEARSGEN = case>до~от/ADP nummod:gov>$ages/NUM/Gen *лет/NOUN/Gen+Plur
ONPENS = case>на/ADP *пенсии~диете~работе~отдыхе~севере~юге/NOUN/Loc+Sing
| case>за/ADP *рулём~границей~столом/NOUN/Ins+Sing
APPOS = det>наши~мои/DET/Nom?20 amod>ADJ *$roles+peopleMasc.Plur/NOUN/Nom+Plur nmod>GENNP?30
| advmod>особенно~преимущественно/ADV *CORE0 nmod>PP?40
GENNP = 2# *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
| amod>$adj+groupadj.GenPl/ADJ/Gen+Plur *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
| det>моих~наших~этих~их~всех/DET/Gen amod>$groupadj.GenPl/ADJ/Gen+Plur?30 *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
| amod>$groupadj.GenFem/ADJ/Gen+Sing?40 *$placeFem.GenSg/NOUN/Gen+Sing
| amod>$groupadj.GenMasc/ADJ/Gen+Sing?40 *$placeMasc.GenSg/NOUN/Gen+Sing
| det>моей~нашей~этой/DET/Gen *$placeFem.GenSg/NOUN/Gen+Sing
| det>моего~нашего~этого/DET/Gen *$placeMasc.GenSg/NOUN/Gen+Sing
| *$massFem+massNeut.GenSg/NOUN/Gen+Sing
PP = case>из~с~около~для~без/ADP amod>$groupadj.GenFem/ADJ/Gen+Sing?25 *$placeFem.GenSg/NOUN/Gen+Sing
| case>из~с~около/ADP amod>$groupadj.GenMasc/ADJ/Gen+Sing?25 *$placeMasc.GenSg/NOUN/Gen+Sing
| case>из/ADP amod>$groupadj.GenPl/ADJ/Gen+Plur?60 *$placeMasc+placeFem.GenPl/NOUN/Gen+Plur
| 1.6# case>с~со/ADP amod>$adj.InsPl/ADJ/Ins+Plur?40 *$with+thingsFem.InsPl/NOUN/Ins+Plur
| case>с/ADP *$with+massFem.InsSg/NOUN/Ins+Sing
| 1.6# case>без/ADP amod>$adj.GenPl/ADJ/Gen+Plur?15 *$with+thingsMasc.GenPl/NOUN/Gen+Plur
| case>без/ADP *$with+massNeut.GenSg/NOUN/Gen+Sing
| case>в~на/ADP *очках~шляпах~костюмах~форме~джинсах~галстуках~возрасте~браке~каблуках~кедах/NOUN/Loc
| case>в~на/ADP *$placeFem+placeMasc.LocSg/NOUN/Loc+Sing
| case>в/ADP amod>больших~маленьких~старых/ADJ/Loc+Plur?50 *$placeMasc.LocPl/NOUN/Loc+Plur
| 0.8# *AGE
| 0.5# *ONPENS
ADJPP = *старше~моложе/ADJ/Cmp obl>YEARS
PARTBEFORE = 1.5# *PASTPART obl>PARTOBL
| obl>PARTOBL *PASTPART
| advmod>недавно~хорошо~плохо~рано~поздно/ADV *PASTPART
| obl>LOC *$vpp+vi.Part/VERB/Nom+Plur+Part
| obj>OBJ *$vt.Part/VERB/Nom+Plur+Part
| advmod>$manner/ADV *$vi+vpp.Part/VERB/Nom+Plur+Part
| *$vpp.Part/VERB/Nom+Plur+Part obl>LOC
PART = *$vt.Part/VERB/Nom+Plur+Part obj>OBJ
| *$vpp.Part/VERB/Nom+Plur+Part obl>LOC
| advmod>не~часто~много/PART?40 *$vi.Part/VERB/Nom+Plur+Part advmod>$manner/ADV?50
| *воспитанные~избалованные~выращенные~обученные~окружённые~рождённые~одетые~занятые~уставшие~выросшие~приехавшие~\
  родившиеся~живущие/VERB/Nom+Plur+Part obl>PARTOBL
| advmod>не/PART *умеющие~желающие~любящие~боящиеся~привыкшие/VERB/Nom+Plur+Part xcomp>INFVP
| *$vt.Part/VERB/Nom+Plur+Part obj>OBJ obl>OBL
PASTPART = *воспитанные~избалованные~выращенные~обученные~рождённые~одетые~занятые~уставшие~выросшие~приехавшие~\
  родившиеся~живущие~привыкшие~вышедшие~учившиеся~работавшие~нанятые~приглашённые/VERB/Nom+Plur+Part
PARTOBL = *$peopleMasc+peopleFem.InsPl/NOUN/Ins+Plur
| amod>$adj.InsPl/ADJ/Ins+Plur *$peopleMasc+peopleFem.InsPl/NOUN/Ins+Plur
| *LOC
| case>от~из~с/ADP *$massFem+placeFem.GenSg/NOUN/Gen+Sing
RC = 6# nsubj>которые/PRON/Nom+Plur+Rel *VPlain
| 0.8# nsubj>которые/PRON/Nom+Plur+Rel *VPLAINPAST
| obj>которых/PRON/Acc+Plur+Rel nsubj>NP0 *$vt.Plur/VERB/Fin+Plur
| obl>RELCASE nsubj>NP0?50 *VPlain
| iobj>которым/PRON/Dat+Plur+Rel *нравится~нравятся~нужно~удаётся~хочется/VERB/Fin+Sing nsubj>ANYNOM
| nsubj>CHI *VPlain
| obl>UKOT *много~мало~нет~есть/VERB obj>GENTHING
| nsubj>GENREL *VPlain
RELCASE = case>с/ADP *которыми/PRON/Ins+Plur+Rel
| case>о~в/ADP *которых/PRON/Loc+Plur+Rel
UKOT = case>у/ADP *которых/PRON/Gen+Plur+Rel
CHI = det>чьи/DET/Nom+Rel *$peopleMasc+peopleFem.Plur/NOUN/Nom+Plur
GENREL = *$peopleMasc+thingsFem.Plur/NOUN/Nom+Plur nmod>которых/PRON/Gen+Plur+Rel
VPLAINPAST = *$vi+vpp.Past/VERB/Fin+Plur+Past obl>LOC?60
| *$vt.Past/VERB/Fin+Plur+Past obj>OBJ
| *выросли~родились~закончили~переехали/VERB/Fin+Plur+Past obl>LOC
NP0 = 3# amod>ADJ?35 *PEOPLE
| det>все~многие~наши~некоторые/DET/Nom amod>ADJ?20 *PEOPLE
| *они~другие~все/PRON/Nom+Plur
// noun phrases in the nominative singular
NPSing = 3# amod>$groupadj+adj.Masc/ADJ/Nom+Sing?50 *$peopleMasc.Sing/NOUN/Nom+Sing
| 2# amod>$groupadj+adj.Fem/ADJ/Nom+Sing?50 *$peopleFem.Sing/NOUN/Nom+Sing
| 2# det>каждый~любой~мой~наш~этот~твой~один~никакой~всякий/DET/Nom amod>$groupadj+adj.Masc/ADJ/Nom+Sing?35 \
  *$peopleMasc.Sing/NOUN/Nom+Sing nmod>PP?20
| 2# det>каждая~любая~моя~наша~эта~твоя~одна/DET/Nom amod>$groupadj+adj.Fem/ADJ/Nom+Sing?35 \
  *$peopleFem.Sing/NOUN/Nom+Sing nmod>PP?20
| *$namesMasc+namesFem/PROPN/Nom+Sing
| det>мой~наш/DET/Nom *$peopleMasc.Sing/NOUN/Nom+Sing appos>$namesMasc/PROPN/Nom+Sing
| det>моя~наша/DET/Nom *$peopleFem.Sing/NOUN/Nom+Sing appos>$namesFem/PROPN/Nom+Sing
| *дядя~дед~профессор~доктор~господин/NOUN/Nom+Sing appos>$namesMasc/PROPN/Nom+Sing
| det>мой/DET/Nom *$peopleMasc.Sing/NOUN/Nom+Sing appos>$namesMasc/PROPN/Nom+Sing punct>_,/PUNCT appos>SGAPPOS \
  punct>_,/PUNCT
| *он~она/PRON/Nom+Sing+Prs
| *тот/PRON/Nom+Sing+Dem punct>_,/PUNCT acl:relcl>WHO punct>_,/PUNCT
| *$peopleMasc.Sing/NOUN/Nom+Sing punct>_,/PUNCT acl:relcl>RCSG punct>_,/PUNCT
SGAPPOS = amod>$adj+groupadj.Masc/ADJ/Nom+Sing *$roles+peopleMasc.Sing/NOUN/Nom+Sing
RCSG = nsubj>который/PRON/Nom+Sing+Rel *VPlainSg
// predicates
VPPlur = 5# *VERBAL
| 1.2# *LONG
| 1.6# *SHORTADJ
| 1# *CMP
| 2.8# *DASHED
| 0.8# *NOMPRED
| 0.5# *PPPRED
| 0.6# *VERBAL conj>VAND
| 0.3# *VERBAL punct>_,/PUNCT conj>VBUT
VAND = cc>и~или/CCONJ *VERBAL
VBUT = cc>но~а/CCONJ *VERBAL
VPSing = 5# *VERBALSG
| *$adj.Masc/ADJ/Nom+Sing
| punct>–~—/PUNCT amod>$adj.Masc/ADJ/Nom+Sing?60 *$roles+peopleMasc.Sing/NOUN/Nom+Sing
| amod>$adj.Masc/ADJ/Nom+Sing *$roles.Sing/NOUN/Nom+Sing
| *$adj.Cmp/ADJ/Cmp obl>GENNP
VPlain = 5# *VERBAL
| *SHORTADJ
| *NOMPRED
VPlainSg = *VERBALSG
LONG = 3# *$adj.Plur/ADJ/Nom+Plur
| 2# advmod>$degree/ADV *$adj.Plur/ADJ/Nom+Plur
| *$adj.Plur/ADJ/Nom+Plur conj>ANDADJ
| 0.4# *$adj.Plur/ADJ/Nom+Plur conj>COMMAADJ conj>ANDADJ
| advmod>не~очень~самые~всегда/PART *$adj.Plur/ADJ/Nom+Plur obl>OBL?30
SHORTADJ = 3# *$adj.Short/ADJ/Plur+Short
| 2# advmod>$degree/ADV *$adj.Short/ADJ/Plur+Short
| *$adj.Short/ADJ/Plur+Short conj>ANDSHORT
| *$adj.Short/ADJ/Plur+Short obl>OBL
| advmod>не/PART *$adj.Short/ADJ/Plur+Short obl>OBL?30
| *склонны~способны~готовы~рады~обязаны~вынуждены/ADJ/Plur+Short xcomp>INFVP
| *похожи~богаты~довольны~знакомы~влюблены/ADJ/Plur+Short obl>OBL
ANDSHORT = cc>и~но~или/CCONJ *$adj.Short/ADJ/Plur+Short
CMP = 3# advmod>гораздо~намного~обычно~часто/ADV?25 *$adj.Cmp/ADJ/Cmp obl>GENNP
| *$adj.Cmp/ADJ/Cmp punct>_,/PUNCT obl>CHEM
| *$adj.Cmp/ADJ/Cmp obl>$groupadj.GenPl/ADJ/Gen+Plur
| *лучше~хуже~старше~выше~моложе/ADJ/Cmp obl>GENNP
CHEM = mark>чем/SCONJ *PEOPLE
NOMPRED = advmod>часто~обычно~не~всегда/ADV?30 amod>ADJ?70 *$roles+peopleMasc.Plur/NOUN/Nom+Plur
| amod>хорошие~плохие~лучшие~отличные~настоящие/ADJ/Nom+Plur *$roles+peopleMasc.Plur/NOUN/Nom+Plur nmod>GENNP?20
PPPRED = case>в/ADP *моде~долгах~опасности~отпуске~восторге/NOUN/Loc
| case>против~для~из/ADP *$massFem+placeFem.GenSg/NOUN/Gen+Sing
DASHED = punct>DASH *$adj.Plur/ADJ/Nom+Plur
| 2# punct>DASH amod>ADJ *$roles+peopleMasc.Plur/NOUN/Nom+Plur
| punct>DASH *$roles+peopleMasc.Plur/NOUN/Nom+Plur conj>ROLEAND?30
| punct>DASH amod>ADJ?40 *$roles.Plur/NOUN/Nom+Plur nmod>GENNP
| punct>DASH expl>это/PRON amod>ADJ?40 *$roles+thingsFem+massFem.Plur/NOUN/Nom+Plur
| punct>DASH advmod>не~всегда~очень~обычно/PART *$adj.Plur/ADJ/Nom+Plur
| punct>DASH amod>большая~главная~настоящая/ADJ/Nom+Sing?60 *$massFem+thingsFem.Sing/NOUN/Nom+Sing nmod>GENNP?30
| punct>DASH amod>весёлый~отдельный~странный/ADJ/Nom+Sing?60 *народ~пример~тип/NOUN/Nom+Sing nmod>PP?30
| punct>DASH *$adj.Plur/ADJ/Nom+Plur conj>ANDADJ
| punct>DASH *$roles+peopleMasc.Plur/NOUN/Nom+Plur nmod>PP
ROLEAND = cc>и/CCONJ *$roles+peopleMasc.Plur/NOUN/Nom+Plur
DASH = *–~–~—~-/PUNCT
VERBAL = 2# *$vi.Plur/VERB/Fin+Plur advmod>$manner/ADV?60
| 2.5# advmod>$mannerbefore/ADV *$vi.Plur/VERB/Fin+Plur
| 1# *$vi.Plur/VERB/Fin+Plur obl>OBL
| 4# advmod>$mannerbefore/ADV?25 *$vt.Plur/VERB/Fin+Plur obj>OBJ obl>OBL?18
| 1.2# advmod>не/PART *$vt.Plur/VERB/Fin+Plur obj>GENOBJ
| 1.2# obj>GENTHING advmod>не/PART *$vt.Plur/VERB/Fin+Plur
| 0.5# obj>OBJ *$vt.Plur/VERB/Fin+Plur advmod>$manner/ADV?30
| 1# advmod>не~всегда/PART *$vi.Plur/VERB/Fin+Plur advmod>$manner/ADV?30
| 1# advmod>не/PART?20 advmod>$mannerbefore/ADV?20 *$vinf.Plur/VERB/Fin+Plur xcomp>INFVP
| 0.5# *должны~обязаны~могут/ADJ/Plur+Short xcomp>INFVP
| 1.3# advmod>$mannerbefore/ADV?25 *$vpp.Plur/VERB/Fin+Plur obl>LOC
| 0.6# *$vdat.Plur/VERB/Fin+Plur iobj>DATNP
| 0.7# advmod>$mannerbefore/ADV?25 *$vins.Plur/VERB/Fin+Plur obl>INSTHING
| 0.5# *$vthat.Plur/VERB/Fin+Plur punct>_,/PUNCT ccomp>THATCL
| 0.6# advmod>$mannerbefore/ADV?20 *считаются~кажутся~становятся~бывают~выглядят~остаются~растут/VERB/Fin+Plur \
  xcomp>INSADJ
| 0.6# *$vi.Plur/VERB/Fin+Plur advmod>CMPADV
| 0.4# aux>будут/AUX/Fin+Plur *$vi.Inf/VERB/Inf
| 0.3# aux:pass>будут~были/AUX/Fin+Plur *заменены~уважаемы~воспитаны~приняты~забыты/VERB/Plur+Short+Part \
  obl>$peopleMasc.InsPl/NOUN/Ins+Plur?40
| 0.4# *съедят~купят~найдут~забудут~сделают~выучат~помогут~поймут/VERB/Fin+Plur obj>OBJ
| 0.3# advmod>часто~просто~всегда/ADV *любят~умеют/VERB/Fin+Plur xcomp>INFVP
| 0.3# *$vt.Plur/VERB/Fin+Plur obj>OBJ punct>_,/PUNCT advcl>WHENCL
WHENCL = mark>когда~если~чтобы/SCONJ *$vi.Plur/VERB/Fin+Plur
VERBALSG = 2# *$vi.Sing/VERB/Fin+Sing advmod>$manner/ADV?60
| 2# advmod>$mannerbefore/ADV *$vi.Sing/VERB/Fin+Sing
| 3# advmod>$mannerbefore/ADV?20 *$vt.Sing/VERB/Fin+Sing obj>OBJ obl>OBL?15
| advmod>не/PART *$vt.Sing/VERB/Fin+Sing obj>GENOBJ
| advmod>не/PART?20 *$vinf.Sing/VERB/Fin+Sing xcomp>INFVP
| *$vpp.Sing/VERB/Fin+Sing obl>LOC
| *$vins.Sing/VERB/Fin+Sing obl>INSTHING
| *должен~должна/ADJ/Sing+Short xcomp>INFVP
| *$vdat.Sing/VERB/Fin+Sing iobj>DATNP
CMPADV = *лучше~хуже~больше~быстрее~меньше~чаще~громче/ADV/Cmp obl>GENNP
| *лучше~хуже~больше~быстрее~меньше~чаще~громче/ADV/Cmp punct>_,/PUNCT obl>CHEM
| *лучше~хуже~больше~меньше/ADV/Cmp obl>других~остальных~всех/PRON/Gen
INSADJ = *$adj.InsPl/ADJ/Ins+Plur
| amod>$adj.InsPl/ADJ/Ins+Plur?50 *$roles+peopleMasc.InsPl/NOUN/Ins+Plur
| *$adj.Cmp/ADJ/Cmp
| advmod>очень/ADV *$manner/ADV
DATNP = *$peopleMasc+peopleFem.DatPl/NOUN/Dat+Plur
| amod>$adj+groupadj.DatPl/ADJ/Dat+Plur *$peopleMasc+peopleFem.DatPl/NOUN/Dat+Plur
| det>своим/DET/Dat *$peopleMasc+peopleFem.DatPl/NOUN/Dat+Plur
INSTHING = *$thingsMasc+thingsFem+massFem.InsPl/NOUN/Ins+Plur
| *$massMasc+massFem+massNeut.InsSg/NOUN/Ins+Sing
| det>своими/DET/Ins *$peopleMasc.InsPl/NOUN/Ins+Plur
THATCL = mark>что/SCONJ nsubj>NP0 *VPlain
INFVP = 2# *$vi.Inf/VERB/Inf advmod>$manner/ADV?40
| advmod>$mannerbefore/ADV *$vi.Inf/VERB/Inf
| 3# *$vt.Inf/VERB/Inf obj>OBJ
| *$vpp.Inf/VERB/Inf obl>LOC
| *$vins.Inf/VERB/Inf obl>INSTHING
OBJ = 2# amod>ADJACC?25 *$thingsMasc+thingsFem+thingsNeut.AccPl/NOUN/Acc+Plur
| 2# *$massMasc+massNeut+massFem.AccSg/NOUN/Acc+Sing
| det>свои~чужие~все~эти~любые/DET/Acc *$thingsMasc+thingsFem+thingsNeut.AccPl/NOUN/Acc+Plur
| *$thingsMasc+thingsFem+thingsNeut.AccPl/NOUN/Acc+Plur conj>ANDTHING
| 0.4# *$thingsMasc+thingsFem.AccPl/NOUN/Acc+Plur conj>COMMATHING conj>ANDTHING
| *$thingsMasc+thingsFem.AccPl/NOUN/Acc+Plur nmod>GENNP
| *$thingsMasc+thingsFem+thingsNeut.AccSg/NOUN/Acc+Sing
| det>каждую~свою~любую/DET/Acc *$thingsFem.AccSg/NOUN/Acc+Sing
| det>каждый~любой~свой/DET/Acc *$thingsMasc.AccSg/NOUN/Acc+Sing
| nummod:gov>много~мало~больше~меньше/NUM *$thingsMasc+thingsFem.GenPl/NOUN/Gen+Plur
| nummod:gov>много~мало~больше~слишком/NUM *$massMasc+massFem+massNeut.GenSg/NOUN/Gen+Sing
| *всё~других~себя~всех~их/PRON/Acc
| *$peopleMasc+peopleFem.AccPl/NOUN/Acc+Plur
| 0.4# punct>"_/PUNCT *$thingsMasc+thingsFem.AccPl/NOUN/Acc+Plur punct>_"/PUNCT
| 0.3# *$thingsMasc.AccSg/NOUN/Acc+Sing xcomp>QINS
QINS = punct>"_/PUNCT *$thingsMasc+roles.InsSg/NOUN/Ins+Sing punct>_"/PUNCT
ADJACC = *$adj.Plur/ADJ/Acc+Plur
ANDTHING = cc>и~или/CCONJ *$thingsMasc+thingsFem.AccPl/NOUN/Acc+Plur
COMMATHING = punct>_,/PUNCT *$thingsMasc+thingsFem.AccPl/NOUN/Acc+Plur
GENOBJ = *$thingsMasc+thingsFem.GenPl/NOUN/Gen+Plur
| *$massMasc+massFem+massNeut.GenSg/NOUN/Gen+Sing
| amod>$adj.GenPl/ADJ/Gen+Plur *$thingsMasc+thingsFem.GenPl/NOUN/Gen+Plur
| *OBJ
GENTHING = amod>$adj.GenPl/ADJ/Gen+Plur?25 *$thingsMasc+thingsFem.GenPl/NOUN/Gen+Plur
| *$massMasc+massFem+massNeut.GenSg/NOUN/Gen+Sing
OBL = case>с/ADP det>своими/DET/Ins?30 *$peopleMasc+peopleFem+thingsFem.InsPl/NOUN/Ins+Plur
| case>для~без~из-за~от~после/ADP *$massFem+massNeut+thingsMasc.GenSg/NOUN/Gen+Sing
| case>о~в~на/ADP *$thingsFem+thingsMasc+massFem.LocSg/NOUN/Loc+Sing
| case>о~на/ADP det>своих/DET/Loc?30 *$peopleMasc+thingsFem.LocPl/NOUN/Loc+Plur
| case>по/ADP *вечерам~утрам~выходным~праздникам~телефону~ночам~пятницам/NOUN/Dat
| case>к~по/ADP *$thingsMasc+peopleMasc.DatPl/NOUN/Dat+Plur
| case>на~за~в/ADP *$thingsFem+massFem.AccSg/NOUN/Acc+Sing
| case>из/ADP *$placeFem.GenSg/NOUN/Gen+Sing
| case>за/ADP *столом~рулём~деньгами~модой/NOUN/Ins
| *зимой~летом~ночью~вечером~утром/NOUN/Ins+Sing
LOC = 2# case>в~на/ADP *$placeFem+placeMasc+placeNeut.LocSg/NOUN/Loc+Sing
| case>в/ADP amod>больших~маленьких~разных~хороших/ADJ/Loc+Plur?40 *$placeFem+placeMasc.LocPl/NOUN/Loc+Plur
| case>с/ADP det>своими/DET/Ins?40 *$peopleMasc+peopleFem.InsPl/NOUN/Ins+Plur
| *дома~вместе~там~рядом/ADV
| case>за/ADP *границей~городом/NOUN/Ins+Sing
ANYNOM = *$thingsFem+thingsMasc.Plur/NOUN/Nom+Plur
| *$massMasc+massFem+massNeut.Sing/NOUN/Nom+Sing
| *$vi.Inf/VERB/Inf
// what is no group and attribute
OTHER = 1.3# *COMMAND
| 1.8# *FRONTED
| 1.4# *CSUBJ
| 1.3# *FRAGMENT
| 1.6# *VERBFIRST
| 1.2# *EXIST
| 1.8# *OBJFIRST
COMMAND = advmod>не/PART?45 *$vt.Imp/VERB/Fin+Imp obj>OBJ obl>OBL?30
| advmod>не/PART?40 *$vdat.Imp/VERB/Fin+Imp iobj>DATNP
| *спросите~посмотрите~слушайте~помогите~купите~дайте~попробуйте~помните~берегите/VERB/Fin+Imp+Plur obj>OBJ obl>OBL?30
| advmod>не/PART?40 *$vi.Imp/VERB/Fin+Imp obl>OBL?50
| *будь~будьте/AUX/Fin+Imp xcomp>INSADJ
FRONTED = 2# obl>LOC nsubj>NP0 *VERBAL
| obl>FRONTPP punct>_,/PUNCT?20 nsubj>NP0 *VERBAL
| 3# advmod>обычно~часто~иногда~сегодня~здесь~раньше~наверное~теперь~традиционно~конечно/ADV punct>_,/PUNCT?25 \
  nsubj>NP0 *VPPlur
| 2# advcl>FRONTSUB punct>_,/PUNCT nsubj>NP0 *VERBAL
| advcl>FRONTCONV punct>_,/PUNCT nsubj>NP0 *VERBAL
| obl>OBL nsubj>NP0 *VERBAL
FRONTPP = case>среди~у~без~для~после/ADP amod>$groupadj.GenPl/ADJ/Gen+Plur?30 \
  *$peopleMasc+thingsMasc.GenPl/NOUN/Gen+Plur
| case>по/ADP *вечерам~утрам~выходным~праздникам~мнению~традиции/NOUN/Dat nmod>GENNP?20
| amod>каждое~каждый/DET *лето~вечер~день~утро/NOUN/Acc+Sing
| case>в/ADP amod>больших~маленьких/ADJ/Loc+Plur *$placeMasc+placeFem.LocPl/NOUN/Loc+Plur
FRONTSUB = mark>так/ADV fixed>как/SCONJ nsubj>NP0 *VPlain
| 3# mark>когда~если~хотя~пока~поскольку/SCONJ nsubj>NP0 *VPlain
| mark>если~чтобы~когда/SCONJ *VPlain
FRONTCONV = *$vi.Conv/VERB/Conv obl>OBL?60
| *$vt.Conv/VERB/Conv obj>OBJ
CSUBJ = csubj>INFVP *CSPRED
| csubj>BEINS *CSPRED
| mark>то/PRON punct>_,/PUNCT csubj>WHATCL punct>_,/PUNCT *CSVERB
| csubj>INFVP punct>–~—/PUNCT *$massFem+massNeut+thingsFem.Sing/NOUN/Nom+Sing
| csubj>INFVP aux>значит~означает/AUX/Fin *$vt.Inf/VERB/Inf obj>OBJ
BEINS = cop>быть/AUX/Inf *$peopleMasc+peopleFem+roles.InsSg/NOUN/Ins+Sing
| cop>быть/AUX/Inf *$adj.InsPl/ADJ/Ins+Plur
WHATCL = obj>что/PRON/Acc+Rel nsubj>NP0 *$vt.Plur/VERB/Fin+Plur
CSPRED = advmod>очень~не~всегда/ADV?30 *трудно~легко~полезно~приятно~важно~хорошо~скучно~тяжело~непросто~\
  весело/ADJ/Sing+Short obl>DATNP?20
| *помогает~мешает~требует/VERB/Fin+Sing obj>OBJ
CSVERB = *раздражает~удивляет~радует~пугает/VERB/Fin+Sing obj>$peopleMasc+peopleFem.AccPl/NOUN/Acc+Plur
FRAGMENT = 4# *NPFRAG
| advmod>слишком~очень~такие/ADV *$adj.Plur/ADJ/Nom+Plur obl>OBL?60
| *$adj.Plur/ADJ/Nom+Plur conj>ANDADJ
NPFRAG = amod>ADJ *PEOPLE
| amod>ADJ?50 *PEOPLE nmod>PP
| amod>ADJ?40 *PEOPLE punct>_,/PUNCT acl:relcl>RC
| *PEOPLE conj>ANDNP
VERBFIRST = 2# *$vi.Plur/VERB/Fin+Plur nsubj>NP0 advmod>$manner/ADV?40
| 2# advmod>$mannerbefore/ADV *$vi.Plur/VERB/Fin+Plur nsubj>NP0
| *$vt.Plur/VERB/Fin+Plur nsubj>NP0 obj>OBJ
| *$vinf.Plur/VERB/Fin+Plur nsubj>NP0 xcomp>INFVP
| *$vinf.Plur/VERB/Fin+Plur xcomp>INFVP nsubj>NP0
| *$adj.Short/ADJ/Plur+Short nsubj>NP0
| advmod>очень/ADV?50 *$adj.Plur/ADJ/Nom+Plur nsubj>NP0
| *$vi.Plur/VERB/Fin+Plur advmod>ли/PART nsubj>NP0
| advmod>правда~действительно/ADV advmod>ли/PART nsubj>NP0 *VPlain
| advmod>разве~неужели/PART nsubj>NP0 *VPPlur
| advmod>почему~зачем~как/ADV nsubj>NP0 *VERBAL
EXIST = *есть~существуют~бывают~встречаются~живут/VERB/Fin+Plur nsubj>EXNP
| obl>OWN *есть~нет~бывает/VERB/Fin+Sing nsubj>ANYNOM
| obl>OWN *много~мало~нет~больше/NUM nmod>GENTHING
| obl>OWN *$thingsFem+with.Plur/NOUN/Nom+Plur amod>ADJ
| obl>LOC advmod>много~мало/ADV *$peopleMasc.GenPl/NOUN/Gen+Plur
EXNP = *PEOPLE nmod>PP
| *PEOPLE punct>_,/PUNCT acl:relcl>RC
| amod>ADJ *PEOPLE
OWN = case>у/ADP amod>$groupadj.GenPl/ADJ/Gen+Plur?40 *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
| case>у/ADP *$groupadj.GenPl/ADJ/Gen+Plur
OBJFIRST = 1.5# obj>OBJACC *$vt.Plur/VERB/Fin+Plur nsubj>ALLNP
| 2# iobj>DATNP advmod>очень~не/ADV?25 *нравится~нравятся~нужны~нужно~свойственна~хочется~легко~трудно~\
  снятся/VERB/Fin nsubj>ANYNOM
| 2# obj>OBJACC *$vt.Plur/VERB/Fin+Plur nsubj>NP0
| obj>OBJACC nsubj>NP0 *$vt.Plur/VERB/Fin+Plur advmod>$manner/ADV?40
| obl>INSTHING *$vins.Plur/VERB/Fin+Plur nsubj>NP0
| iobj>DATNP *$vdat.Plur/VERB/Fin+Plur nsubj>NP0
| obj>$peopleMasc+peopleFem.AccPl/NOUN/Acc+Plur *$vt.Plur/VERB/Fin+Plur nsubj>NP0
ALLNP = det>все~многие~только/DET/Nom *PEOPLE
OBJACC = *$massMasc+massFem+massNeut+thingsMasc.AccSg/NOUN/Acc+Sing
| *$thingsFem+thingsMasc.AccPl/NOUN/Acc+Plur
| *$massFem+thingsFem.AccSg/NOUN/Acc+Sing
""",
    _PARTS,
)

_QUOTES = ("«\t»", "«\t»", "“\t”", '"\t"')


def sentence(lex: Lexicon) -> Tree:
    """One random sentence; most have a noun phrase first, some do not. In half of them ё is written as е."""
    opening, closing = lex.one_of(*_QUOTES).split("\t")
    return _restyle(GRAMMAR.derive(lex), opening, closing, lex.chance(0.4))


def _restyle(tree: Tree, opening: str, closing: str, plain: bool) -> Tree:
    """The quotes of one style; ё as е if ``plain``."""
    form = tree.form.replace("_", " ")
    if form == '"':
        form = opening if tree.opens else closing
    form = form.replace("ё", "е") if plain else form
    left = tuple((relation, _restyle(child, opening, closing, plain)) for relation, child in tree.left)
    right = tuple((relation, _restyle(child, opening, closing, plain)) for relation, child in tree.right)
    return replace(tree, form=form, left=left, right=right)


def inflect(name: str, entry: str) -> str:
    """The entry as it is: the lists hold all forms."""
    return entry
