"""Russian generic sentences: [group] [attribute], with the trees that UD gives them."""

from __future__ import annotations

from dataclasses import replace

from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.rules import read_grammar
from dualpair.syntax.treebank.trees import Tree

_NOUNS = ("people", "coll", "things", "mass", "place", "with", "roles")
_ADJECTIVES = ("adj", "groupadj")
_VERBS = ("vi", "vt", "vdat", "vins", "vinf", "vpp", "vthat")
_PARTS = (
    dict.fromkeys(_NOUNS, "Sing Plur GenPl DatPl AccPl InsPl LocPl GenSg AccSg InsSg LocSg")
    | dict.fromkeys(
        _ADJECTIVES,
        "Masc Fem Neut Plur GenPl DatPl InsPl LocPl GenMasc GenFem Short Cmp LocMasc AccFem ShortFem",
    )
    | dict.fromkeys(_VERBS, "Inf Plur Sing Past Imp Part Conv PastMasc PastFem")
)

GRAMMAR = read_grammar(
    r"""
S = 9# *CLAUSE(Plur) punct>STOP?92
| 1.1# *CLAUSE(Masc) punct>STOP?92
| 1.1# *CLAUSE(Fem) punct>STOP?92
| 0.3# *CLAUSE(Neut) punct>STOP?92
| 0.25# *PARCLAUSE punct>STOP?92
| 3# *OTHER punct>STOP?92
STOP = 9# *_./PUNCT
| *_!/PUNCT
| 0.9# *_?/PUNCT
| 0.5# *_…/PUNCT
CLAUSE(n) = 10# nsubj>NP{n} *VP{n}
| 0.3# nsubj>NP{n} *VP{n} punct>_,/PUNCT advcl>SUB
| 0.3# nsubj>NP{n} *VP{n} punct>_,/PUNCT conj>BUT{n}
PARCLAUSE = 2# nsubj>CORE punct>_,/PUNCT parataxis>PARENTH punct>_,/PUNCT *VPCORE
| nsubj>PARNP punct>_,/PUNCT parataxis>PARENTH punct>_,/PUNCT *VPCORE
PARNP = *CORE nmod>PP
PARENTH = 3# *конечно~наверное~кажется~говорят~разумеется~видимо~пожалуй~вероятно/ADV
| case>как/SCONJ *правило/NOUN/Nom+Sing
| case>как/SCONJ *известно/ADJ/Sing+Short
| case>по/ADP *мнению~словам/NOUN/Dat+Sing nmod>GENNP
| case>к/ADP *сожалению~счастью~несчастью/NOUN/Dat+Sing
BUTPlur = cc>но~а~зато/CCONJ *VPlain
BUTMasc = cc>но~а~зато/CCONJ *VPlainSg
BUTFem = cc>но~а~зато/CCONJ *VPlainSg
BUTNeut = cc>но~а~зато/CCONJ *VPlainSg
SUB = mark>когда~если~чтобы~хотя~пока~поскольку/SCONJ nsubj>они/PRON/Nom+Plur?50 *VPlain
| mark>потому/ADV fixed>что/SCONJ nsubj>они/PRON/Nom+Plur?50 *VPlain
// noun phrases in the nominative plural
NPPlur = 6.5# *CORE
| 1.4# *CORE nmod>GENNP
| 3.3# *CORE nmod>PP
| 0.5# *CORE nmod>PP nmod>PP
| 0.4# *CORE nmod>GENNP nmod>PP
| 2.4# *CORE punct>_,/PUNCT acl:relcl>RC punct>_,/PUNCT
| 0.7# *CORE nmod>PP punct>_,/PUNCT acl:relcl>RC punct>_,/PUNCT
| 0.2# *CORE nmod>GENNP punct>_,/PUNCT acl:relcl>RC punct>_,/PUNCT
| 1.8# *CORE punct>_,/PUNCT acl>PART punct>_,/PUNCT
| 0.6# *CORE nmod>PP punct>_,/PUNCT acl>PART punct>_,/PUNCT
| 0.2# *CORE nmod>GENNP punct>_,/PUNCT acl>PART punct>_,/PUNCT
| 0.2# *CORE punct>_,/PUNCT acl>PART conj>ANDPART punct>_,/PUNCT
| 0.8# *CORE punct>_,/PUNCT appos>APPOS punct>_,/PUNCT
| 0.7# *CORE punct>_,/PUNCT nmod>ASIDE punct>_,/PUNCT
| 0.3# *CORE nmod>PP punct>_,/PUNCT nmod>ASIDE punct>_,/PUNCT
| 0.4# *CORE punct>(_/PUNCT conj>CORE punct>_)/PUNCT
| 0.4# *CORE punct>(_/PUNCT advmod>особенно~даже~кроме/ADV appos>CORE punct>_)/PUNCT
| 0.3# advmod>только~даже~лишь~почти/PART *CORE
| 0.5# *CORE acl>ADJPP
| 1.7# acl>PARTBEFORE *CORE0
| 0.3# det>все~многие~эти~некоторые/DET/Nom acl>PARTBEFORE *CORE0
| 0.3# acl>PARTBEFORE *CORE0 nmod>PP
| 0.3# acl>PARTBEFORE *CORE0 nmod>GENNP
| 0.5# *PEOPLE amod>старше~моложе~младше/ADJ/Cmp obl>YEARS
| 3.6# *COORD
| 2.1# *HEADPRON
| 2.1# *SPECIAL
| 0.8# *NAMED
ASIDE = case>кроме~включая~помимо/ADP amod>$adj+groupadj.GenPl/ADJ/Gen+Plur?40 \
  *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
| 1.5# advmod>особенно~прежде~преимущественно/ADV amod>ADJ?60 *$groupadj+adj.Plur/ADJ/Nom+Plur
| advmod>особенно~даже/ADV *PP
| case>в/ADP fixed>отличие/NOUN fixed>от/ADP *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
| case>вместе/ADP fixed>с/ADP *$peopleMasc+peopleFem.InsPl/NOUN/Ins+Plur
| 1.5# mark>как/SCONJ advmod>и/PART?80 amod>ADJ?30 *PEOPLE
| mark>как/SCONJ advmod>и/PART *все~другие~остальные~прочие/PRON/Nom+Plur
| mark>а/CCONJ advmod>также/ADV *CORE0
| advmod>даже/PART mark>если/SCONJ *$adj.Plur/ADJ/Nom+Plur
| *люди~народ~ребята~существа/NOUN/Nom+Plur amod>ADJ
ANDPART = cc>и~но/CCONJ *PART
NAMED = 1.2# *жители~гости~уроженцы~студенты~болельщики~жительницы~пассажиры~работники/NOUN/Nom+Plur nmod>CITYGEN
| *болельщики~фанаты~игроки~поклонники~подписчики~читатели~владельцы~сторонники/NOUN/Nom+Plur nmod>QCLUB
| 0.6# *семья~сёстры~братья~супруги~дети/NOUN/Nom+Sing appos>$families/PROPN/Gen+Plur
| 0.6# *$familyPl/PROPN/Nom+Plur nmod>PP?30
| 0.5# amod>ADJ?50 *$familyPl/PROPN/Nom+Plur
| 0.4# *супруги~братья~сёстры/NOUN/Nom+Plur appos>$familyPl/PROPN/Nom+Plur
CITYGEN = 2# *$placeMasc+placeFem.GenSg/PROPN/Gen+Sing
| *Рио-де-Жанейро~Чикаго~Токио~Баку~Тбилиси~Осло~Сочи~Лос-Анджелеса~Нью-Йорка~Санкт-Петербурга~Ростова-на-Дону/PROPN/Gen
| amod>Нижнего~Великого~Верхнего/ADJ/Gen *Новгорода~Тагила~Уфалея/PROPN/Gen
| amod>Северной~Южной~Центральной~Латинской/ADJ/Gen *Азии~Африки~Америки~Кореи~Европы~Осетии/PROPN/Gen
QCLUB = punct>"_/PUNCT *$clubsGen+clubs/PROPN/Gen+Sing punct>_"/PUNCT
| *$clubsGen/PROPN/Gen+Sing
| *завода~школы~клуба~газеты~группы/NOUN/Gen+Sing appos>QNAME
QNAME = punct>"_/PUNCT *$clubs+quoted/PROPN punct>_"/PUNCT
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
| 0.4# det>все~многие~некоторые/DET/Nom det>эти~мои~наши~такие/DET/Nom amod>ADJ?30 *CORE0
| 0.25# amod>первые~вторые~последние~единственные~младшие/ADJ/Nom+Plur amod>ADJ?40 *CORE0
CORE0 = *PEOPLE
PEOPLE = *$peopleMasc+peopleMasc+peopleFem.Plur/NOUN/Nom+Plur
| 0.02# *$thingsMasc+thingsFem.Plur/NOUN/Nom+Plur
| 0.04# *кошки~собаки~коты~лошади~мыши~птицы~машины~компьютеры/NOUN/Nom+Plur
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
| 0.8# nummod:gov>трое~двое~пятеро~шестеро~семеро~четверо/NUM/Nom amod>$adj+groupadj.GenPl/ADJ/Gen+Plur?20 \
  *$peopleMasc.GenPl/NOUN/Gen+Plur
| 0.5# nummod:gov>$nums/NUM/Nom *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
| 0.5# nummod:gov>$numgov/NUM/Nom *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur nmod>PP
| 0.4# nummod:gov>оба/NUM/Nom det>моих~наших~этих/DET/Gen *$peopleMasc.GenSg/NOUN/Gen+Sing
| 0.4# nummod:gov>обе/NUM/Nom det>мои~наши~эти/DET/Nom *$peopleFem.GenSg/NOUN/Gen+Sing
COORD = 3# *CORE conj>ANDNP
| 2.2# *CORE conj>COMMANP conj>ANDNP
| 0.7# *CORE conj>COMMANP conj>COMMANP conj>ANDNP
| 0.7# *CORE conj>COMMANP conj>COMMANP
| 0.7# cc>и/CCONJ *CORE conj>COMMAAND
| 0.6# cc>ни/CCONJ *CORE conj>COMMANI
| *CORE nmod>PP conj>ANDNP
| 0.6# *CORE nmod>GENNP conj>ANDNP
| *CORE conj>ANDNP nmod>PP
| 0.5# *CORE conj>ANDNP nmod>GENNP
| 0.4# *CORE conj>COMMANP conj>ANDNP nmod>PP
| 0.5# *CORE conj>ANDNP punct>_,/PUNCT acl:relcl>RC punct>_,/PUNCT
| 0.3# *CORE conj>ANDNP punct>_,/PUNCT acl>PART punct>_,/PUNCT
| 0.6# *$namesMasc+namesFem+foreignMasc/PROPN/Nom+Sing conj>ANDNAME
| 0.5# cc>как/SCONJ *COORDHEAD conj>TAKI
| 0.5# advmod>не/PART advmod>только/PART *COORDHEAD conj>NOI
| 0.5# *CORE punct>_,/PUNCT conj>ATAKZHE
| 0.7# amod>$groupadj+adj.Masc/ADJ/Nom+Sing?25 *$peopleMasc.Sing/NOUN/Nom+Sing conj>ANDSING
| 0.4# *$peopleFem.Sing/NOUN/Nom+Sing conj>ANDSING
| 0.5# *$groupadj.Plur/ADJ/Nom+Plur conj>ANDADJ
| 0.2# *$quoted/NOUN/Nom+Plur conj>ANDNP
| 0.4# acl>PARTBEFORE *CORE0 conj>ANDNP
COORDHEAD = 3# *CORE
| *CORE nmod>PP
| *GROUPNOM
TAKI = punct>_,/PUNCT cc>так/ADV fixed>и/CCONJ *COORDHEAD
NOI = punct>_,/PUNCT cc>но/CCONJ advmod>и/PART *COORDHEAD
ATAKZHE = cc>а/CCONJ fixed>также/ADV *CORE nmod>PP?30
ANDSING = cc>и~и~и~или~с/CCONJ det>его~её~мой~наш/DET/Nom?20 *$peopleMasc+peopleFem.Sing/NOUN/Nom+Sing
ANDNP = cc>и~и~и~и~или~либо~да/CCONJ *CORE nmod>GENNP?12 nmod>PP?12
| 0.2# cc>и/CCONJ det>их~его~её~наши/DET *CORE0
| 0.15# cc>и/CCONJ advmod>даже/PART *CORE0
COMMANP = 4# punct>_,/PUNCT *CORE
| punct>_,/PUNCT *CORE nmod>GENNP
| punct>_,/PUNCT *CORE nmod>PP
COMMAAND = punct>_,/PUNCT cc>и/CCONJ *CORE
COMMANI = punct>_,/PUNCT cc>ни/CCONJ *CORE
ANDNAME = cc>и/CCONJ *$namesMasc+namesFem+foreignFem/PROPN/Nom+Sing
| cc>и/CCONJ det>его~её/DET *$peopleMasc.Plur/NOUN/Nom+Plur
HEADPRON = 2# *те/PRON/Nom+Plur+Dem punct>_,/PUNCT acl:relcl>WHO punct>_,/PUNCT
| *те/PRON/Nom+Plur+Dem punct>_,/PUNCT acl:relcl>RC punct>_,/PUNCT
| 0.6# *те/PRON/Nom+Plur+Dem nmod>IZTHOSE punct>_,/PUNCT acl:relcl>WHO punct>_,/PUNCT
| *все/PRON/Nom+Plur+Tot punct>_,/PUNCT acl:relcl>WHO punct>_,/PUNCT
| *они~мы~вы/PRON/Nom+Plur+Prs
| 0.4# *мы~вы~они/PRON/Nom+Plur+Prs punct>_,/PUNCT appos>PEOPLE punct>_,/PUNCT
| 0.3# *они~мы~вы~сами/PRON/Nom+Plur+Prs amod>все~сами~оба/DET/Nom
| *многие~некоторые~немногие~другие~остальные~иные/PRON/Nom+Plur+Ind nmod>IZ?60
| *никто~каждый~кто-то~любой~кое-кто~всякий/PRON/Nom+Sing+Neg nmod>IZ?80
| 0.5# *каждый~всякий~любой/PRON/Nom+Sing punct>_,/PUNCT acl:relcl>WHO punct>_,/PUNCT
| 0.6# *каждый~каждая~один~одна~любой/PRON/Nom+Sing nmod>IZ
| *большинство~половина~часть~треть~четверть~большинство~меньшинство/NOUN/Nom+Sing nmod>GENNP
| 0.5# amod>большая~меньшая~добрая/ADJ/Nom+Sing *часть~половина/NOUN/Nom+Sing nmod>GENNP
| 0.4# *сотни~тысячи~десятки~миллионы~толпы~множество~масса~куча/NOUN/Nom+Plur nmod>GENNP
| *трое~двое~один~одна~девять~восемь~семеро~пятеро/NUM/Nom nmod>IZNUM
| 2# *GROUPNOM
| 0.9# *PARTHEAD
IZTHOSE = case>из/ADP *нас~них~вас/PRON/Gen
| case>из/ADP *$peopleMasc.GenPl/NOUN/Gen+Plur
PARTHEAD = 1.5# *$vi+vpp.Part/ADJ/Nom+Plur
| *$vpp.Part/ADJ/Nom+Plur obl>LOC
| *$vt.Part/ADJ/Nom+Plur obj>OBJ
| *рождённые~выросшие~приехавшие~родившиеся~живущие/ADJ/Nom+Plur obl>PARTOBL
| *курящие~пьющие~верующие~работающие~учащиеся~служащие~неверующие~некурящие~опоздавшие~начинающие/NOUN/Nom+Plur
GROUPNOM = amod>самые~очень/ADJ?20 *$groupadj+adj.Plur/ADJ/Nom+Plur
| *$groupadj.Plur/ADJ/Nom+Plur nmod>PP
| 0.5# amod>ADJ *взрослые~больные~русские~верующие~рабочие~военные~служащие~учёные~приезжие/NOUN/Nom+Plur
IZ = case>из/ADP det>моих~наших~этих~их~твоих/DET/Gen *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
| case>из/ADP *нас~них~вас/PRON/Gen
| case>из/ADP amod>$groupadj.GenPl/ADJ/Gen+Plur *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
IZNUM = case>из/ADP nummod>трёх~четырёх~десяти~пяти~двадцати/NUM/Gen *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
| case>из/ADP nummod>$nums/NUM *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
WHO = 2# nsubj>кто/PRON/Nom+Rel *VPlainSg
| 0.6# nsubj>кто/PRON/Nom+Rel *$vi+vpp.PastMasc/VERB/Fin+Sing obl>LOC?60
| 0.4# nsubj>кто/PRON/Nom+Rel *$vt.PastMasc/VERB/Fin+Sing obj>OBJ
| 0.5# nsubj>кто/PRON/Nom+Rel *старше~моложе~умнее~богаче/ADJ/Cmp obl>YEARS?40
| 0.4# nsubj>кто/PRON/Nom+Rel *PPPRED
| 0.7# obl>UKOGO *есть~нет~много~мало/VERB nsubj>ANYNOM
| 0.5# iobj>кому/PRON/Dat+Rel *нравится~нравятся~нужно~нужна~удаётся~хочется~везёт/VERB/Fin+Sing nsubj>ANYNOM?70
| 0.3# obl>KEM nsubj>NP0?50 *VPlain
| 0.3# obj>кого/PRON/Acc+Rel *$vt.Plur/VERB/Fin+Plur nsubj>PEOPLE?50
UKOGO = case>у/ADP *кого/PRON/Gen+Rel
KEM = case>с~за/ADP *кем/PRON/Ins+Rel
SPECIAL = 1.6# *дети~люди~рождённые~молодёжь~девушки~подростки~музыканты~фильмы~женщины~поколение/NOUN/Nom+Plur \
  nmod>DECADE
| 0.8# *$peopleMasc.Plur/NOUN/Nom+Plur nmod>CENT
| *поколение/NOUN/Nom+Sing nmod>$generations/PROPN
| *люди~женщины~мужчины~дети~девушки~школьники~пенсионеры/NOUN/Nom+Plur nmod>AGE
| 0.5# *$peopleMasc+peopleFem.Plur/NOUN/Nom+Plur nmod>AGE
| 0.8# *$peopleMasc.Plur/NOUN/Nom+Plur nmod>ONPENS
| 2# *$peopleMasc+peopleFem.Plur/NOUN/Nom+Plur nmod>NUMBERED
| 0.7# *ученики~жители~пассажиры~студенты~жильцы~сотрудники~курсанты~соседи/NOUN/Nom+Plur nmod>NUMBERED
| 0.6# *ученики~школьники~студенты~жители~девочки~мальчики/NOUN/Nom+Plur nmod>ORDINAL
| 0.8# *люди~женщины~мужчины~дети~девушки~рождённые~выпускники~рождённые/NOUN/Nom+Plur nmod>BIRTH
| 0.7# *$peopleMasc+peopleFem.Plur/NOUN/Nom+Plur nmod>AGEPLUS
| 0.7# *$peopleMasc+peopleFem.Plur/NOUN/Nom+Plur nmod>RANGE
| 0.7# nummod:gov>$nums/NUM *_%/SYM nmod>GENNP
| 0.3# nummod:gov>$nums/NUM *процентов/NOUN/Gen+Plur nmod>GENNP
| 0.5# nummod>$nums/NUM *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur nmod>PP?30
| 0.4# *$nums/NUM nmod>IZNUM
| 0.4# amod>$agedadj/ADJ/Nom+Plur *PEOPLE nmod>PP?20
DECADE = *$decades/ADJ/Gen
| *$decades/ADJ/Gen nmod>годов/NOUN/Gen+Plur
| amod>$decades/ADJ/Gen *годов/NOUN/Gen+Plur nmod>рождения~выпуска/NOUN/Gen+Sing?40
NUMBERED = *дома~квартиры~группы~школы~класса~маршрута~автобуса~трамвая~отряда~участка~палаты~вагона~комнаты~\
  отделения~общежития~роты~тюрьмы~больницы~цеха/NOUN/Gen+Sing nummod>$nums/NUM
| case>из/ADP *дома~квартиры~группы~школы~класса~палаты~вагона~комнаты~отделения/NOUN/Gen+Sing nummod>$nums/NUM
| case>из~с/ADP *дома~школы~линии~больницы~маршрута/NOUN/Gen+Sing nmod>NO
| *школы~отделения~больницы~тюрьмы/NOUN/Gen+Sing nmod>NO
NO = *№/SYM nummod>$nums/NUM
ORDINAL = amod>$nums/ADJ *класса~курса~этажа~подъезда~микрорайона~группы~года~века/NOUN/Gen+Sing
| case>с~из/ADP amod>$nums/ADJ *класса~курса~этажа~подъезда~микрорайона/NOUN/Gen+Sing
| amod>1-го~2-го~5-го~9-го~11-го~3-й~XX~XIX~XXI/ADJ *класса~курса~этажа~века/NOUN/Gen+Sing
BIRTH = amod>$years/ADJ *года/NOUN/Gen+Sing nmod>рождения~выпуска/NOUN/Gen+Sing?60
| case>после~до~с/ADP amod>$years/ADJ *года/NOUN/Gen+Sing
| case>в/ADP amod>$years/ADJ *году/NOUN/Loc+Sing
AGEPLUS = *$nums/NUM punct>_+/SYM
| case>за~до~после~старше~младше~моложе/ADP *$nums/NUM
| case>старше~младше~до~около~моложе/ADP nummod>$nums/NUM *лет/NOUN/Gen+Plur
| nummod>$nums/NUM *лет/NOUN/Gen+Plur
| case>в~за/ADP nummod>$nums/NUM *лет/NOUN/Gen+Plur
RANGE = nummod>NUMRANGE *лет~годов/NOUN/Gen+Plur
| case>от/ADP *$nums/NUM nmod>TONUM
| nummod>NUMRANGE *лет/NOUN/Gen+Plur
| case>в/ADP *возрасте/NOUN/Loc+Sing nmod>FROMNUM
NUMRANGE = *$nums/NUM conj>TILL
TILL = punct>_–_~_-_~_—_/PUNCT *$nums/NUM
TONUM = case>до/ADP nummod>$nums/NUM *лет/NOUN/Gen+Plur
FROMNUM = case>от~до~около~после/ADP nummod>$nums/NUM *лет/NOUN/Gen+Plur
| case>от/ADP *$nums/NUM nmod>TONUM
CENT = amod>прошлого~нового/ADJ/Gen *века~поколения~времени/NOUN/Gen+Sing
AGE = case>за~до~после~под/ADP *$ages/NUM/Acc
| 0.6# case>до~старше~около~от/ADP \
  nummod:gov>трёх~пяти~шести~семи~десяти~двенадцати~двадцати~сорока~семидесяти/NUM/Gen *лет/NOUN/Gen+Plur
| 0.3# amod>высокого~низкого~среднего~маленького/ADJ/Gen *роста~достатка~уровня/NOUN/Gen+Sing
| case>в/ADP *возрасте/NOUN/Loc+Sing nmod>YEARSGEN?60
| case>от/ADP *$ages/NUM/Gen nmod>DO
| case>под~за/ADP *пятьдесят~сорок~тридцать~семьдесят/NUM/Acc
| amod>среднего~пожилого~юного~зрелого~школьного/ADJ/Gen *возраста/NOUN/Gen+Sing
DO = case>до/ADP nummod:gov>$ages/NUM/Gen *лет/NOUN/Gen+Plur
YEARS = nummod:gov>$ages/NUM/Gen *лет/NOUN/Gen+Plur
YEARSGEN = case>до~от/ADP nummod:gov>$ages/NUM/Gen *лет/NOUN/Gen+Plur
ONPENS = case>на/ADP *пенсии~диете~работе~отдыхе~севере~юге/NOUN/Loc+Sing
| case>за/ADP *рулём~границей~столом/NOUN/Ins+Sing
APPOS = 2# det>наши~мои/DET/Nom?20 amod>ADJ *$roles+peopleMasc.Plur/NOUN/Nom+Plur nmod>GENNP?30
| advmod>особенно~преимущественно/ADV *CORE0 nmod>PP?40
| *люди~ребята~женщины~мужчины~народ~существа/NOUN/Nom+Plur amod>ADJ
| *люди~ребята~женщины~мужчины/NOUN/Nom+Plur amod>ADJ conj>ANDADJ
| det>эти~все~самые/DET/Nom amod>ADJ?50 *$roles+peopleMasc.Plur/NOUN/Nom+Plur nmod>GENNP?50
| 0.6# amod>ADJ *PEOPLE nmod>PP
GENNP = 2# *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
| amod>$adj+groupadj.GenPl/ADJ/Gen+Plur *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
| det>моих~наших~этих~их~всех/DET/Gen amod>$groupadj.GenPl/ADJ/Gen+Plur?30 *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
| amod>$groupadj.GenFem/ADJ/Gen+Sing?40 *$placeFem.GenSg/NOUN/Gen+Sing
| amod>$groupadj.GenMasc/ADJ/Gen+Sing?40 *$placeMasc.GenSg/NOUN/Gen+Sing
| det>моей~нашей~этой/DET/Gen *$placeFem.GenSg/NOUN/Gen+Sing
| det>моего~нашего~этого/DET/Gen *$placeMasc.GenSg/NOUN/Gen+Sing
| *$massFem+massNeut.GenSg/NOUN/Gen+Sing
| 0.5# *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur conj>ANDGEN
| 0.3# amod>$adj+groupadj.GenMasc/ADJ/Gen+Sing?60 *$peopleMasc.GenSg/NOUN/Gen+Sing
| 0.3# amod>$adj+groupadj.GenFem/ADJ/Gen+Sing?60 *$peopleFem.GenSg/NOUN/Gen+Sing
| 0.3# *$thingsMasc+thingsFem.GenPl/NOUN/Gen+Plur
| 0.2# *$peopleMasc.GenPl/NOUN/Gen+Plur nmod>PP
| 0.25# *$collFem+collMasc.GenSg/NOUN/Gen+Sing
ANDGEN = cc>и~и~или/CCONJ *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
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
| case>из~с~от/ADP amod>соседней~первой~второй~третьей~бывшей~одной/ADJ/Gen+Sing *$placeFem.GenSg/NOUN/Gen+Sing
| case>из~с/ADP det>нашей~этой~моей~каждой~вашей/DET/Gen *$placeFem.GenSg/NOUN/Gen+Sing
| case>из~с/ADP det>нашего~этого~моего~каждого/DET/Gen *$placeMasc.GenSg/NOUN/Gen+Sing
| case>из~с/ADP amod>соседнего~первого~третьего~пятого~последнего~верхнего~одного/ADJ/Gen+Sing *этажа~дома~\
  подъезда~двора~отдела~класса~курса~ряда/NOUN/Gen+Sing
| 0.8# case>в~на/ADP amod>одном~этом~нашем~каждом/DET/Loc *$placeMasc.LocSg/NOUN/Loc+Sing
| 0.8# case>в~на/ADP amod>одной~этой~нашей~каждой/DET/Loc *$placeFem.LocSg/NOUN/Loc+Sing
| 0.6# case>в~на/ADP amod>$adj+groupadj.LocMasc/ADJ/Loc+Sing *$placeMasc+thingsMasc.LocSg/NOUN/Loc+Sing
| 0.6# case>в~на/ADP amod>$adj+groupadj.GenFem/ADJ/Loc+Sing *$placeFem+thingsFem.LocSg/NOUN/Loc+Sing
| 0.5# case>с/ADP amod>$adj.DatPl/ADJ/Ins+Sing *$thingsMasc.InsSg/NOUN/Ins+Sing
| 0.5# case>с/ADP amod>$adj.GenFem/ADJ/Ins+Sing *$thingsFem.InsSg/NOUN/Ins+Sing
| 0.4# case>против~у~возле~из-за~вокруг~среди/ADP *$placeFem+placeMasc+massFem.GenSg/NOUN/Gen+Sing
| 0.4# case>под~над~за~перед~между/ADP *$placeFem+thingsMasc+thingsFem.InsSg/NOUN/Ins+Sing
| 0.3# case>с/ADP *$with.InsSg/NOUN/Ins+Sing conj>ANDINS
| 0.3# case>без/ADP *$with.GenSg/NOUN/Gen+Sing conj>ANDWITHOUT
| 0.3# case>из/ADP *$placeFem+placeMasc.GenSg/NOUN/Gen+Sing conj>ANDPLACE
| 0.4# case>без~для~из/ADP *чувства~семьи~дома~среды~сферы~числа/NOUN/Gen+Sing nmod>GENNP
| 0.3# case>по/ADP *соседству~профессии~дому~призванию~работе~жизни/NOUN/Dat+Sing
ANDINS = cc>и/CCONJ *$with+massFem.InsSg/NOUN/Ins+Sing
ANDWITHOUT = cc>и/CCONJ *$with+massFem.GenSg/NOUN/Gen+Sing
ANDPLACE = cc>и~или/CCONJ *$placeFem+placeMasc.GenSg/NOUN/Gen+Sing
ADJPP = *старше~моложе/ADJ/Cmp obl>YEARS
PARTBEFORE = 2# *PASTPART obl>PARTOBL
| obl>$peopleMasc+peopleFem+massFem.InsPl/NOUN/Ins+Plur *PASTPART
| advmod>недавно~хорошо~плохо~рано~поздно~давно~только/ADV *PASTPART
| 0.4# advmod>дома~вместе~там~здесь~везде~вечно/ADV *$vpp+vi.Part/VERB/Nom+Plur+Part
| 1.6# *$vt.Part/VERB/Nom+Plur+Part obj>OBJ
| obj>OBJ *$vt.Part/VERB/Nom+Plur+Part
| advmod>ADVB *$vi+vpp.Part/VERB/Nom+Plur+Part
| 1.6# *$vpp.Part/VERB/Nom+Plur+Part obl>LOC
| 0.7# *$vins.Part/VERB/Nom+Plur+Part obl>INSTHING
| 0.4# *$vdat.Part/VERB/Nom+Plur+Part iobj>DATNP
| 0.5# *$vpp+vi.Part/VERB/Nom+Plur+Part obl>OBL
| 0.8# advmod>не/PART?50 *$vinf.Part/VERB/Nom+Plur+Part xcomp>INFVP
| 0.5# advmod>не/PART *$vt.Part/VERB/Nom+Plur+Part obj>GENOBJ
| 0.6# *$vi+vpp.Part/VERB/Nom+Plur+Part
| 0.3# *PASTPART
PART = 1.5# *$vt.Part/VERB/Nom+Plur+Part obj>OBJ
| 1.3# *$vpp.Part/VERB/Nom+Plur+Part obl>LOC
| advmod>не~часто~много~никогда~всегда~обычно~постоянно/PART?50 *$vi.Part/VERB/Nom+Plur+Part advmod>$manner/ADV?50
| 2# *PASTPART obl>PARTOBL
| 0.4# advmod>недавно~рано~поздно~хорошо~плохо~давно/ADV *PASTPART obl>PARTOBL?50
| advmod>не/PART?70 *$vinf.Part/VERB/Nom+Plur+Part xcomp>INFVP
| advmod>не/PART *$vt.Part/VERB/Nom+Plur+Part obj>GENOBJ
| 0.6# *$vins.Part/VERB/Nom+Plur+Part obl>INSTHING
| 0.4# *$vdat.Part/VERB/Nom+Plur+Part iobj>DATNP
| *$vt.Part/VERB/Nom+Plur+Part obj>OBJ obl>OBL
| *$vi.Part/VERB/Nom+Plur+Part obl>OBL
| 0.4# *окончившие~потерявшие~пережившие~получившие~купившие~прошедшие~сменившие~бросившие~\
  создавшие/VERB/Nom+Plur+Part \
  obj>OBJ
PASTPART = *воспитанные~избалованные~выращенные~обученные~рождённые~одетые~занятые~уставшие~выросшие~приехавшие~\
  родившиеся~живущие~привыкшие~вышедшие~учившиеся~работавшие~нанятые~приглашённые~увлечённые~окружённые~забытые~\
  разведённые~переехавшие~вернувшиеся~прожившие~служившие~познакомившиеся~брошенные~влюблённые~уволенные~помешанные~\
  окончившие~бросившие~разбогатевшие~замученные~испорченные~любимые~уважаемые/VERB/Nom+Plur+Part
PARTOBL = *$peopleMasc+peopleFem.InsPl/NOUN/Ins+Plur
| amod>$adj.InsPl/ADJ/Ins+Plur *$peopleMasc+peopleFem.InsPl/NOUN/Ins+Plur
| *LOC
| case>от~из~с/ADP *$massFem+placeFem.GenSg/NOUN/Gen+Sing
| *$massFem+massMasc+thingsFem.InsSg/NOUN/Ins+Sing
| case>на/ADP *пенсию~работу~родину~север~учёбу~сцену/NOUN/Acc+Sing
| case>в/ADP *$placeFem+placeMasc.AccSg/NOUN/Acc+Sing
| case>в/ADP *бедности~богатстве~деревне~тридцатых~семье~глуши~роскоши~спешке~долгах/NOUN/Loc+Sing
| case>после~до~без/ADP *$massFem+massMasc+placeFem.GenSg/NOUN/Gen+Sing
| 0.5# *BIRTH
| case>к/ADP *$thingsMasc+thingsFem.DatPl/NOUN/Dat+Plur
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
NPMasc = 3# amod>$groupadj+adj.Masc/ADJ/Nom+Sing?50 *$peopleMasc.Sing/NOUN/Nom+Sing nmod>SGMOD?15
| 2# det>каждый~любой~мой~наш~этот~твой~один~никакой~всякий~его~их~редкий/DET/Nom \
  amod>$groupadj+adj.Masc/ADJ/Nom+Sing?35 \
  *$peopleMasc.Sing/NOUN/Nom+Sing nmod>PP?20
| 0.5# det>ни/PART amod>один/DET/Nom amod>$groupadj+adj.Masc/ADJ/Nom+Sing?25 *$peopleMasc.Sing/NOUN/Nom+Sing nmod>PP?15
| 0.4# det>каждый/DET/Nom amod>второй~третий~пятый~десятый/ADJ/Nom+Sing *$peopleMasc.Sing/NOUN/Nom+Sing
| *$namesMasc+foreignMasc+foreignMasc/PROPN/Nom+Sing
| 0.5# *$namesMasc/PROPN/Nom+Sing flat:name>$patronymics/PROPN/Nom+Sing flat:name>$surnames/PROPN/Nom+Sing?25
| 0.4# *$namesMasc+foreignMasc/PROPN/Nom+Sing flat:name>$surnames/PROPN/Nom+Sing
| 0.7# amod>$groupadj.Masc/ADJ/Nom+Sing?40 *$peopleMasc.Sing/NOUN/Nom+Sing appos>$namesMasc+foreignMasc/PROPN/Nom+Sing
| 0.3# *$namesMasc+foreignMasc/PROPN/Nom+Sing nmod>PP
| det>мой~наш/DET/Nom *$peopleMasc.Sing/NOUN/Nom+Sing appos>$namesMasc/PROPN/Nom+Sing
| *дядя~дед~профессор~доктор~господин~товарищ~отец~сосед/NOUN/Nom+Sing appos>$namesMasc+surnames/PROPN/Nom+Sing \
  nmod>PP?20
| det>мой/DET/Nom *$peopleMasc.Sing/NOUN/Nom+Sing appos>$namesMasc/PROPN/Nom+Sing punct>_,/PUNCT appos>SGAPPOS \
  punct>_,/PUNCT
| 0.4# *$namesMasc+foreignMasc/PROPN/Nom+Sing punct>_,/PUNCT appos>SGAPPOS punct>_,/PUNCT
| 0.8# *он/PRON/Nom+Sing+Prs
| *тот/PRON/Nom+Sing+Dem punct>_,/PUNCT acl:relcl>WHO punct>_,/PUNCT
| amod>$groupadj+adj.Masc/ADJ/Nom+Sing?30 *$peopleMasc.Sing/NOUN/Nom+Sing punct>_,/PUNCT acl:relcl>RCSG punct>_,/PUNCT
| 0.6# amod>$groupadj+adj.Masc/ADJ/Nom+Sing?30 *$peopleMasc.Sing/NOUN/Nom+Sing punct>_,/PUNCT acl>SGPART(ий) \
  punct>_,/PUNCT
| 0.8# amod>$groupadj.Masc/ADJ/Nom+Sing?60 *$collMasc.Sing/NOUN/Nom+Sing nmod>SGMOD?40
NPFem = 3# amod>$groupadj+adj.Fem/ADJ/Nom+Sing?50 *$peopleFem.Sing/NOUN/Nom+Sing nmod>SGMOD?15
| 2# det>каждая~любая~моя~наша~эта~твоя~одна~всякая~его~редкая/DET/Nom amod>$groupadj+adj.Fem/ADJ/Nom+Sing?35 \
  *$peopleFem.Sing/NOUN/Nom+Sing nmod>PP?20
| 0.4# det>ни/PART amod>одна/DET/Nom amod>$groupadj+adj.Fem/ADJ/Nom+Sing?25 *$peopleFem.Sing/NOUN/Nom+Sing nmod>PP?15
| *$namesFem+foreignFem+foreignFem/PROPN/Nom+Sing
| 0.5# *$namesFem/PROPN/Nom+Sing flat:name>$patronymicsFem/PROPN/Nom+Sing flat:name>$surnamesFem/PROPN/Nom+Sing?25
| 0.3# *$namesFem+foreignFem/PROPN/Nom+Sing flat:name>$surnamesFem/PROPN/Nom+Sing
| 0.7# amod>$groupadj.Fem/ADJ/Nom+Sing?40 *$peopleFem.Sing/NOUN/Nom+Sing appos>$namesFem+foreignFem/PROPN/Nom+Sing
| *тётя~бабушка~госпожа~сестра~доктор~баба/NOUN/Nom+Sing appos>$namesFem/PROPN/Nom+Sing nmod>PP?30
| det>моя~наша/DET/Nom *$peopleFem.Sing/NOUN/Nom+Sing appos>$namesFem/PROPN/Nom+Sing
| 0.4# *$namesFem+foreignFem/PROPN/Nom+Sing punct>_,/PUNCT appos>SGAPPOSF punct>_,/PUNCT
| 0.8# *она/PRON/Nom+Sing+Prs
| 0.6# amod>$groupadj+adj.Fem/ADJ/Nom+Sing?30 *$peopleFem.Sing/NOUN/Nom+Sing punct>_,/PUNCT acl:relcl>RCSGF \
  punct>_,/PUNCT
| 0.6# amod>$groupadj+adj.Fem/ADJ/Nom+Sing?30 *$peopleFem.Sing/NOUN/Nom+Sing punct>_,/PUNCT acl>SGPART(ая) \
  punct>_,/PUNCT
| 2# amod>$groupadj.Fem/ADJ/Nom+Sing?60 *$collFem.Sing/NOUN/Nom+Sing nmod>SGMOD?40
| 0.5# det>эта~наша~вся/DET/Nom amod>$groupadj.Fem/ADJ/Nom+Sing?50 *$collFem.Sing/NOUN/Nom+Sing
NPNeut = 2# amod>$groupadj.Neut/ADJ/Nom+Sing?60 *$collNeut.Sing/NOUN/Nom+Sing nmod>SGMOD?40
| amod>старшее~молодое~новое~нынешнее~подрастающее/ADJ/Nom+Sing *поколение/NOUN/Nom+Sing nmod>GENNP?20
| *поколение/NOUN/Nom+Sing nmod>DECADE
SGMOD = *GENNP
| *PP
SGPART(e) = *живущ{e}~работающ{e}~увлекающ{e}ся~родивш{e}ся~выросш{e}~окончивш{e}~занимающ{e}ся~сидящ{e}~\
  приехавш{e}~проработавш{e}/VERB/Nom+Sing+Part obl>PARTOBL
| advmod>не/PART?40 *любящ{e}~умеющ{e}~желающ{e}~боящ{e}ся~привыкш{e}/VERB/Nom+Sing+Part xcomp>INFVP
| advmod>не/PART?25 *имеющ{e}~держащ{e}~носящ{e}~любящ{e}~потерявш{e}~купивш{e}~читающ{e}/VERB/Nom+Sing+Part obj>OBJ
SGAPPOSF = amod>$adj+groupadj.Fem/ADJ/Nom+Sing *$peopleFem.Sing/NOUN/Nom+Sing nmod>PP?20
RCSGF = nsubj>которая/PRON/Nom+Sing+Rel *VPlainSg
| obj>которую/PRON/Acc+Sing+Rel nsubj>NP0 *$vt.Plur/VERB/Fin+Plur
SGAPPOS = amod>$adj+groupadj.Masc/ADJ/Nom+Sing *$roles+peopleMasc.Sing/NOUN/Nom+Sing
RCSG = nsubj>который/PRON/Nom+Sing+Rel *VPlainSg
| 0.3# obj>которого/PRON/Acc+Sing+Rel nsubj>NP0 *$vt.Plur/VERB/Fin+Plur
| 0.3# nsubj>который/PRON/Nom+Sing+Rel *$vi+vpp.PastMasc/VERB/Fin+Sing obl>LOC?60
// predicates
VPPlur = 13# *VPCORE
| 3.4# advmod>ADVB *VPCORE
| 1.2# obl>PREOBL *VPCORE
| 0.9# advmod>PARTICLE *VPCORE
| 0.4# advmod>PARTICLE advmod>ADVB *VPCORE
| 0.5# advmod>ADVB obl>PREOBL *VPCORE
| 3# *DASHED
VPCORE = 5.6# *VERBAL
| 1.2# *LONG
| 1.6# *SHORTADJ
| 1# *CMP
| 1# *NOMPRED
| 0.4# *PPPRED
| 0.7# *VERBAL conj>VAND
| 0.3# *VERBAL punct>_,/PUNCT conj>VBUT
| 0.3# *VERBAL conj>VCOMMA conj>VAND
| 0.5# *VPPAST
ADVB = 6# *$mannerbefore/ADV
| 1.2# advmod>почти~слишком~очень~достаточно~гораздо~намного~совсем~чересчур~так~довольно~далеко/ADV *всегда~никогда~\
  часто~редко~мало~много~поздно~рано~чаще~реже~больше~меньше~хорошо~плохо~сильно~быстро/ADV
| 0.7# case>в/ADP *основном~целом~общем~среднем~принципе/NOUN/Loc
| 0.4# case>как/SCONJ *правило~всегда~обычно/ADV
| 0.4# advmod>чаще/ADV *всего/ADV
| 0.4# advmod>больше~меньше~лучше~хуже/ADV *всех~других~остальных/PRON/Gen
| 0.5# *действительно~правда~точно~явно~особенно~именно/ADV
PREOBL = det>всё~целый~каждый/DET *время~день~год~вечер/NOUN/Acc+Sing
| advmod>даже/PART?50 *зимой~летом~ночью~вечером~утром~днём~осенью~весной~вечерами/NOUN/Ins+Sing
| det>круглый/ADJ *год/NOUN/Acc+Sing
| case>по/ADP *вечерам~утрам~выходным~праздникам~ночам~пятницам~привычке/NOUN/Dat
| case>в/ADP det>любом~каждом/DET/Loc *споре~доме~деле~разговоре/NOUN/Loc+Sing
| case>с~без/ADP *детства~удовольствием~радостью~труда~любовью~страхом~интересом~спешки/NOUN
| *часами~годами~днями~толпами~горами/NOUN/Ins+Plur
| case>для/ADP *себя~семьи~всех~детей/NOUN/Gen
| case>про~за~обо/ADP *всех~всё~себя/PRON/Acc
| case>друг/PRON *другу/PRON
PARTICLE = 2# *ведь~же~же~бы~ли~уж~всё-таки~просто~ещё~уже~и/PART
| *вовсе~совсем~отнюдь~далеко/PART advmod>не/PART
| *даже~только~лишь~тоже~вот/PART
VPPAST = *$vi+vpp.Past/VERB/Fin+Plur+Past obl>OBL?50
| *$vt.Past/VERB/Fin+Plur+Past obj>OBJ
| advmod>не/PART *$vt.Past/VERB/Fin+Plur+Past obj>GENOBJ
VAND = cc>и~или/CCONJ *VERBAL
VBUT = cc>но~а/CCONJ *VERBAL
VCOMMA = punct>_,/PUNCT *VERBAL
VPMasc = *VPSG(Masc)
VPFem = *VPSG(Fem)
VPNeut = *VPSG(Neut)
VPSG(g) = 7# *VCSG({g})
| 1.7# advmod>ADVB *VCSG({g})
| 0.6# obl>PREOBL *VCSG({g})
| 0.5# advmod>PARTICLE *VCSG({g})
| 0.3# punct>DASH amod>$adj.Masc/ADJ/Nom+Sing?60 *$roles+peopleMasc.Sing/NOUN/Nom+Sing
| 0.3# punct>DASH expl>это/PRON *$thingsFem+massFem.Sing/NOUN/Nom+Sing nmod>GENNP?40
| 0.2# punct>DASH det>наше~моё~его/DET/Nom *будущее~счастье~несчастье~дело~наказание/NOUN/Nom+Sing
| 0.2# punct>DASH *$adj.{g}/ADJ/Nom+Sing
VCSG(g) = 5# *VERBALSG
| *$adj.{g}/ADJ/Nom+Sing
| 0.4# *$adj.{g}/ADJ/Nom+Sing conj>ANDADJ{g}
| 0.5# advmod>$degree/ADV *$adj.{g}/ADJ/Nom+Sing
| 0.6# *SHORT{g}
| amod>$adj.Masc/ADJ/Nom+Sing *$roles.Sing/NOUN/Nom+Sing
| *$adj.Cmp/ADJ/Cmp obl>GENNP
| 0.3# *$adj.Cmp/ADJ/Cmp conj>ANDCMP
| 0.3# *$adj.Cmp/ADJ/Cmp punct>_,/PUNCT obl>CHEM
| 0.5# *PAST{g}
| 0.2# *PPPRED
| 0.3# *VERBALSG conj>VANDSG
VANDSG = cc>и~или~но/CCONJ *VERBALSG
ANDCMP = cc>и/CCONJ *$adj.Cmp/ADJ/Cmp
ANDADJMasc = cc>и~но/CCONJ *$adj.Masc/ADJ/Nom+Sing
ANDADJFem = cc>и~но/CCONJ *$adj.Fem/ADJ/Nom+Sing
ANDADJNeut = cc>и~но/CCONJ *$adj.Neut/ADJ/Nom+Sing
SHORTMasc = advmod>не~очень~всегда~часто/PART?40 \
  *рад~готов~умён~глуп~ленив~добр~хитёр~строг~горд~упрям~скуп~беден~богат~\
  недоволен~опасен~спокоен~честен~нежен/ADJ/Sing+Short obl>OBL?25
| *способен~готов~рад~обязан~вынужден~склонен/ADJ/Sing+Short xcomp>INFVP
SHORTFem = advmod>не~очень~всегда~часто/PART?40 *$adj.ShortFem/ADJ/Sing+Short obl>OBL?25
| *недовольна~довольна~влюблена~похожа~рада~богата/ADJ/Sing+Short obl>INSTHING
| *способна~готова~рада~обязана~вынуждена~склонна/ADJ/Sing+Short xcomp>INFVP
SHORTNeut = *способно~готово~обязано~склонно/ADJ/Sing+Short xcomp>INFVP
PASTMasc = *$vi+vpp.PastMasc/VERB/Fin+Sing obl>OBL?50
| *$vt.PastMasc/VERB/Fin+Sing obj>OBJ
PASTFem = *$vi+vpp.PastFem/VERB/Fin+Sing obl>OBL?50
| *$vt.PastFem/VERB/Fin+Sing obj>OBJ
PASTNeut = *VERBALSG
VPlain = 5# *VERBAL
| *SHORTADJ
| *NOMPRED
| 0.8# advmod>ADVB *VERBAL
VPlainSg = *VERBALSG
| 0.25# advmod>ADVB *VERBALSG
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
| 0.7# *$adj.Cmp/ADJ/Cmp conj>ANDCMP obl>GENNP?30
| 0.5# obl>других~всех~остальных/PRON/Gen *$adj.Cmp/ADJ/Cmp
| 0.5# *$adj.Cmp/ADJ/Cmp obl>других~всех~остальных~себя/PRON/Gen
| 0.5# advmod>гораздо~намного~чуть~немного~куда~значительно/ADV *$adj.Cmp/ADJ/Cmp
CHEM = mark>чем/SCONJ *PEOPLE
NOMPRED = advmod>часто~обычно~не~всегда/ADV?30 amod>ADJ?70 *$roles+peopleMasc.Plur/NOUN/Nom+Plur
| amod>хорошие~плохие~лучшие~отличные~настоящие/ADJ/Nom+Plur *$roles+peopleMasc.Plur/NOUN/Nom+Plur nmod>GENNP?20
| 0.7# *люди~народ~ребята~натуры~существа/NOUN/Nom+Plur amod>ADJ
| 0.4# *люди~ребята/NOUN/Nom+Plur amod>ADJ conj>ANDADJ
| 0.3# amod>большая~главная~верная~настоящая/ADJ/Nom+Sing?40 \
  *опора~гордость~надежда~сила~проблема~редкость/NOUN/Nom+Sing \
  nmod>GENNP?60
PPPRED = 2# case>в/ADP *моде~долгах~опасности~отпуске~восторге~курсе~плену~меньшинстве~почёте/NOUN/Loc
| case>при/ADP *деле~деньгах~параде/NOUN/Loc
| case>против/ADP *$massFem+placeFem.GenSg/NOUN/Gen+Sing
| advmod>не~всегда~обычно~часто~почти~редко~вечно/PART case>без~для~из/ADP *$massFem+placeFem+with.GenSg/NOUN/Gen+Sing
| advmod>всегда~обычно~вечно/ADV case>с/ADP *$with+thingsFem.InsPl/NOUN/Ins+Plur
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
| 0.7# punct>DASH *люди~народ~ребята~натуры/NOUN/Nom+Plur amod>ADJ
| 0.4# punct>DASH det>наше~наша~его~моя/DET/Nom *будущее~гордость~надежда~счастье~опора/NOUN/Nom+Sing
| 0.4# punct>DASH *$adj.Cmp/ADJ/Cmp obl>GENNP
| 0.3# punct>DASH amod>ADJ *$roles.Plur/NOUN/Nom+Plur punct>_,/PUNCT acl:relcl>RC
| 0.3# punct>DASH advmod>лишь~только~просто~тоже~вовсе/PART amod>ADJ?50 *$roles+peopleMasc.Plur/NOUN/Nom+Plur
| 0.3# punct>DASH advmod>не/PART *$roles+peopleMasc.Plur/NOUN/Nom+Plur punct>_,/PUNCT conj>BUTROLE
BUTROLE = cc>а~но/CCONJ *$roles+peopleMasc.Plur/NOUN/Nom+Plur
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
| 0.7# obj>всё~всех~ничего~никого~себя~друг/PRON/Acc advmod>не/PART?30 *$vt.Plur/VERB/Fin+Plur obl>OBL?20
| 0.5# obj>ничего~никого/PRON/Gen advmod>не/PART *$vt.Plur/VERB/Fin+Plur
| 0.5# advmod>никогда~никуда~нигде~ничуть~вовсе~совсем~почти~ни/ADV advmod>не/PART *$vi+vpp.Plur/VERB/Fin+Plur
| 0.5# advmod>никогда~вообще~совершенно~практически/ADV advmod>не/PART *$vt.Plur/VERB/Fin+Plur obj>GENOBJ
| 0.4# obl>NIKEM advmod>не/PART *$vi.Plur/VERB/Fin+Plur
| 0.4# *$vi+vt.Plur/VERB/Fin+Plur conj>ANDLIKE xcomp>INFVP
| 0.5# obj>OBJ advmod>ADVB *$vt.Plur/VERB/Fin+Plur
| 0.4# iobj>DATNP *$vdat.Plur/VERB/Fin+Plur
| 0.4# advmod>не/PART *$vt.Plur/VERB/Fin+Plur punct>_,/PUNCT conj>AVERB
| 0.5# *$vinf.Plur/VERB/Fin+Plur xcomp>INFLIST
| 0.3# *могли~должны/ADJ/Plur+Short aux>бы/PART xcomp>INFVP
| 0.3# aux>бы/PART advmod>не/PART?60 *$vi+vpp.Past/VERB/Fin+Plur obl>OBL
NIKEM = case>с/ADP *никем~всеми/PRON/Ins
| case>ни/PART advmod>с~о~у/ADP *кем~чём~кого/PRON
ANDLIKE = cc>и/CCONJ *любят~умеют~хотят~могут/VERB/Fin+Plur
AVERB = cc>а/CCONJ *$vt.Plur/VERB/Fin+Plur
INFLIST = *$vi.Inf/VERB/Inf conj>COMMAINF conj>ANDINF
| *$vi.Inf/VERB/Inf conj>ANDINF
| *$vt.Inf/VERB/Inf obj>OBJ conj>ANDINF
COMMAINF = punct>_,/PUNCT *$vi+vpp.Inf/VERB/Inf
ANDINF = cc>и~или/CCONJ advmod>не/PART?20 *$vi+vt.Inf/VERB/Inf obj>OBJ?30
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
| 0.5# obj>OBJ *$vt.Sing/VERB/Fin+Sing
| 0.5# advmod>никогда~никуда~совсем~почти/ADV advmod>не/PART *$vi+vpp.Sing/VERB/Fin+Sing obl>OBL?30
| 0.5# obj>всё~всех~себя~ничего/PRON/Acc advmod>не/PART?40 *$vt.Sing/VERB/Fin+Sing
| 0.4# *$vthat.Sing/VERB/Fin+Sing punct>_,/PUNCT ccomp>THATCL
| 0.5# *$vi.Sing/VERB/Fin+Sing obl>OBL
| 0.4# *считается~кажется~становится~бывает~остаётся~растёт/VERB/Fin+Sing xcomp>INSADJ
| 0.3# *$vi.Sing/VERB/Fin+Sing advmod>CMPADV
| 0.3# *$vt.Sing/VERB/Fin+Sing obj>OBJ punct>_,/PUNCT advcl>WHENCL
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
| 0.6# amod>$adj+groupadj.AccFem/ADJ/Acc+Sing *$thingsFem+massFem.AccSg/NOUN/Acc+Sing
| 0.6# amod>$adj+groupadj.Masc/ADJ/Acc+Sing *$thingsMasc+massMasc.AccSg/NOUN/Acc+Sing
| 0.3# *друг/PRON/Acc fixed>друга/PRON/Acc
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
| 0.5# case>в~на/ADP amod>$adj+groupadj.GenFem/ADJ/Loc+Sing *$placeFem+thingsFem.LocSg/NOUN/Loc+Sing
| 0.5# case>до/ADP *утра~вечера~рассвета~обеда~старости~слёз/NOUN/Gen+Sing
| 0.4# case>с/ADP *друг/PRON fixed>другом/PRON
LOC = 2# case>в~на/ADP *$placeFem+placeMasc+placeNeut.LocSg/NOUN/Loc+Sing
| case>в/ADP amod>больших~маленьких~разных~хороших/ADJ/Loc+Plur?40 *$placeFem+placeMasc.LocPl/NOUN/Loc+Plur
| case>с/ADP det>своими/DET/Ins?40 *$peopleMasc+peopleFem.InsPl/NOUN/Ins+Plur
| *дома~вместе~там~рядом/ADV
| case>за/ADP *границей~городом/NOUN/Ins+Sing
| 0.6# case>в~на/ADP amod>$adj+groupadj.LocMasc/ADJ/Loc+Sing *$placeMasc.LocSg/NOUN/Loc+Sing
| 0.6# case>в~на/ADP amod>$adj+groupadj.GenFem/ADJ/Loc+Sing *$placeFem.LocSg/NOUN/Loc+Sing
| 0.5# case>на~в/ADP *$placeFem+placeMasc.LocSg/NOUN/Loc+Sing nmod>GENNP
ANYNOM = *$thingsFem+thingsMasc.Plur/NOUN/Nom+Plur
| *$massMasc+massFem+massNeut.Sing/NOUN/Nom+Sing
| *$vi.Inf/VERB/Inf
// what is no group and attribute
OTHER = 1.6# *COMMAND
| 2.6# *FRONTED
| 1.6# *CSUBJ
| 2.6# *FRAGMENT
| 1.9# *VERBFIRST
| 1.5# *EXIST
| 4.4# *OBJFIRST
COMMAND = advmod>не/PART?45 *$vt.Imp/VERB/Fin+Imp obj>OBJ obl>OBL?30
| advmod>не/PART?40 *$vdat.Imp/VERB/Fin+Imp iobj>DATNP
| *спросите~посмотрите~слушайте~помогите~купите~дайте~попробуйте~помните~берегите/VERB/Fin+Imp+Plur obj>OBJ obl>OBL?30
| advmod>не/PART?40 *$vi.Imp/VERB/Fin+Imp obl>OBL?50
| *будь~будьте/AUX/Fin+Imp xcomp>INSADJ
| advmod>никогда~больше~лучше~просто/ADV advmod>не/PART *$vt.Imp/VERB/Fin+Imp obj>OBJ
| aux>пусть~пускай~да/PART nsubj>NP0 *VERBAL
| aux>давайте~давай/AUX/Fin+Imp advmod>не/PART?30 *$vi+vpp.Inf/VERB/Inf obl>OBL?50
| advmod>не/PART?40 *$vinf.Imp/VERB/Fin+Imp xcomp>INFVP
| advmod>не/PART?40 *$vi+vpp.Imp/VERB/Fin+Imp obl>OBL
FRONTED = 2# obl>LOC nsubj>NP0 *VERBAL
| obl>FRONTPP punct>_,/PUNCT?20 nsubj>NP0 *VERBAL
| 3# advmod>обычно~часто~иногда~сегодня~здесь~раньше~наверное~теперь~традиционно~конечно/ADV punct>_,/PUNCT?25 \
  nsubj>NP0 *VPPlur
| 2# advcl>FRONTSUB punct>_,/PUNCT nsubj>NP0 *VERBAL
| advcl>FRONTCONV punct>_,/PUNCT nsubj>NP0 *VERBAL
| obl>OBL nsubj>NP0 *VERBAL
| 0.8# parataxis>PARENTH punct>_,/PUNCT nsubj>NP0 *VPPlur
| 0.5# parataxis>говорят~считается~известно/VERB/Fin punct>_,/PUNCT mark>что/SCONJ?40 nsubj>NP0 *VPPlur
| 0.8# obl>FRONTDIFF punct>_,/PUNCT nsubj>NP0 *VPPlur
| 0.8# obl>PREOBL nsubj>NP0 *VERBAL
| 0.3# advmod>по-моему~по-видимому~по-настоящему/ADV punct>_,/PUNCT nsubj>NP0 *VPPlur
| 0.5# obl>OBL nsubj>NPMasc *VERBALSG
| 0.3# advmod>обычно~часто~иногда~сегодня~раньше~теперь~летом/ADV nsubj>NPFem *VERBALSG
| 0.4# cc>а~но~и~зато/CCONJ nsubj>NP0 *VPPlur
FRONTPP = case>среди~у~без~для~после/ADP amod>$groupadj.GenPl/ADJ/Gen+Plur?30 \
  *$peopleMasc+thingsMasc.GenPl/NOUN/Gen+Plur
| case>по/ADP *вечерам~утрам~выходным~праздникам~мнению~традиции/NOUN/Dat nmod>GENNP?20
| amod>каждое~каждый/DET *лето~вечер~день~утро/NOUN/Acc+Sing
| case>в/ADP amod>больших~маленьких/ADJ/Loc+Plur *$placeMasc+placeFem.LocPl/NOUN/Loc+Plur
FRONTDIFF = case>в/ADP fixed>отличие/NOUN fixed>от/ADP *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
| case>по/ADP *сравнению/NOUN/Dat+Sing nmod>WITHPEOPLE
| case>кроме~помимо~вместо/ADP *$peopleMasc+thingsFem.GenPl/NOUN/Gen+Plur
WITHPEOPLE = case>с/ADP *$peopleMasc+peopleFem.InsPl/NOUN/Ins+Plur
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
| 0.5# advcl>KTO punct>_,/PUNCT nsubj>тот/PRON/Nom+Sing *VERBALSG
| 0.6# *считается~известно~говорят~понятно~ясно~кажется/VERB/Fin punct>_,/PUNCT csubj>THATCL
KTO = nsubj>кто/PRON/Nom+Rel advmod>$mannerbefore/ADV?50 *VERBALSG
BEINS = cop>быть/AUX/Inf *$peopleMasc+peopleFem+roles.InsSg/NOUN/Ins+Sing
| cop>быть/AUX/Inf *$adj.InsPl/ADJ/Ins+Plur
WHATCL = obj>что/PRON/Acc+Rel nsubj>NP0 *$vt.Plur/VERB/Fin+Plur
CSPRED = advmod>очень~не~всегда/ADV?30 *трудно~легко~полезно~приятно~важно~хорошо~скучно~тяжело~непросто~\
  весело/ADJ/Sing+Short obl>DATNP?20
| *помогает~мешает~требует/VERB/Fin+Sing obj>OBJ
CSVERB = *раздражает~удивляет~радует~пугает/VERB/Fin+Sing obj>$peopleMasc+peopleFem.AccPl/NOUN/Acc+Plur
FRAGMENT = 6# *NPFRAG
| 0.7# advmod>слишком~очень~такие/ADV *$adj.Plur/ADJ/Nom+Plur obl>OBL?60
| 0.5# *$adj.Plur/ADJ/Nom+Plur conj>ANDADJ
NPFRAG = 1.5# amod>ADJ *PEOPLE
| 2# *CORE nmod>PP
| 0.8# *CORE nmod>GENNP
| 0.5# *CORE nmod>PP nmod>PP
| amod>ADJ?40 *PEOPLE punct>_,/PUNCT acl:relcl>RC
| 0.7# amod>ADJ?40 *PEOPLE punct>_,/PUNCT acl>PART
| *CORE conj>ANDNP
| 0.4# *CORE conj>COMMANP conj>ANDNP
| 0.8# amod>$groupadj+adj.Masc/ADJ/Nom+Sing?70 *$peopleMasc.Sing/NOUN/Nom+Sing nmod>PP
| 0.8# amod>$groupadj+adj.Fem/ADJ/Nom+Sing?70 *$peopleFem+collFem.Sing/NOUN/Nom+Sing nmod>PP
| 0.8# amod>$groupadj+adj.Masc/ADJ/Nom+Sing amod>$groupadj.Masc/ADJ/Nom+Sing *$peopleMasc.Sing/NOUN/Nom+Sing
| 0.4# amod>$groupadj+adj.Fem/ADJ/Nom+Sing *$peopleFem+collFem.Sing/NOUN/Nom+Sing nmod>SGMOD?30
| 0.5# acl>PARTBEFORE *CORE0
| 0.5# *SPECIAL
| 0.3# *CORE0
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
| 0.6# *$vinf.Plur/VERB/Fin+Plur nsubj>CORE xcomp>INFVP
| 0.7# advmod>не/PART *$vinf+vi.Plur/VERB/Fin+Plur nsubj>NP0 xcomp>INFVP?50
| 0.6# *$vt.Plur/VERB/Fin+Plur obj>OBJ nsubj>ALLNP
| 0.6# *$adj.Short/ADJ/Plur+Short conj>ANDSHORT nsubj>NP0
| 0.5# *$vi+vpp.Plur/VERB/Fin+Plur advmod>обычно~всегда~часто/ADV?40 nsubj>CORE obl>OBL?40
| 0.3# advmod>правда~так/ADV advmod>ли/PART nsubj>NP0 *VPPlur
| 0.4# *$adj.Cmp/ADJ/Cmp obl>GENNP nsubj>NP0
EXIST = *есть~существуют~бывают~встречаются~живут/VERB/Fin+Plur nsubj>EXNP
| obl>OWN *есть~нет~бывает/VERB/Fin+Sing nsubj>ANYNOM
| obl>OWN *много~мало~нет~больше/NUM nmod>GENTHING
| obl>OWN *$thingsFem+with.Plur/NOUN/Nom+Plur amod>ADJ
| obl>LOC advmod>много~мало/ADV *$peopleMasc.GenPl/NOUN/Gen+Plur
| obl>AMONG *много~мало~немало~нет~есть~хватает~встречаются/NUM nmod>GENPEOPLE
| *бывают~встречаются~попадаются~существуют/VERB/Fin+Plur advmod>и~иногда~часто/PART?40 nsubj>CORE
| obl>OWN amod>$adj.Fem/ADJ/Nom+Sing *память~походка~работа~жизнь~речь~привычка~натура/NOUN/Nom+Sing
| obl>OWN amod>$adj.Masc/ADJ/Nom+Sing *характер~вкус~голос~юмор~слух~ум/NOUN/Nom+Sing
| obl>OWN advmod>всегда~обычно~часто/ADV *есть~нет~хватает/VERB/Fin+Sing nsubj>ANYNOM
AMONG = case>среди~между/ADP amod>$groupadj.GenPl/ADJ/Gen+Plur?30 *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
GENPEOPLE = amod>$adj.GenPl/ADJ/Gen+Plur?40 *$peopleMasc+roles.GenPl/NOUN/Gen+Plur
| *$groupadj+adj.GenPl/ADJ/Gen+Plur
EXNP = *PEOPLE nmod>PP
| *PEOPLE punct>_,/PUNCT acl:relcl>RC
| amod>ADJ *PEOPLE
OWN = case>у/ADP amod>$groupadj.GenPl/ADJ/Gen+Plur?40 *$peopleMasc+peopleFem.GenPl/NOUN/Gen+Plur
| case>у/ADP *$groupadj.GenPl/ADJ/Gen+Plur
OBJFIRST = 1.5# obj>OBJACC *$vt.Plur/VERB/Fin+Plur nsubj>ALLNP
| 2# iobj>DATNP advmod>очень~не~всегда~больше/ADV?25 *нравится~нравятся~нужны~нужно~свойственна~хочется~легко~трудно~\
  снятся~важна~идёт~надоедает~интересна/VERB/Fin nsubj>ANYNOM
| 2# obj>OBJACC advmod>$mannerbefore/ADV?20 *$vt.Plur/VERB/Fin+Plur nsubj>OSUBJ obl>OBL?10
| 3# obj>OBJACC nsubj>OSUBJ *$vt.Plur/VERB/Fin+Plur advmod>$manner/ADV?35
| 0.8# obj>OBJACC nsubj>OSUBJ advmod>ADVB *$vt.Plur/VERB/Fin+Plur
| 0.6# obj>OBJACC nsubj>OSUBJ advmod>не/PART *$vt.Plur/VERB/Fin+Plur
| 0.6# obj>OBJACC nsubj>OSUBJ *$vt.Plur/VERB/Fin+Plur iobj>DATNP
| obl>INSTHING *$vins.Plur/VERB/Fin+Plur nsubj>OSUBJ
| 0.6# obl>INSTHING nsubj>OSUBJ *$vins.Plur/VERB/Fin+Plur
| iobj>DATNP *$vdat.Plur/VERB/Fin+Plur nsubj>OSUBJ
| 0.5# iobj>DATNP nsubj>OSUBJ *$vdat.Plur/VERB/Fin+Plur
| 1.4# obj>ACCPEOPLE advmod>$mannerbefore/ADV?25 *$vt.Plur/VERB/Fin+Plur nsubj>OSUBJ
| obj>ACCPEOPLE nsubj>OSUBJ *$vt.Plur/VERB/Fin+Plur
| 0.7# obj>OBJACC nsubj>SGSUBJ *$vt.Sing/VERB/Fin+Sing advmod>$manner/ADV?35
| 0.6# obj>OBJACC *$vt.Sing/VERB/Fin+Sing nsubj>SGSUBJ
| 0.5# obj>ACCPEOPLE *$vt.Sing/VERB/Fin+Sing nsubj>SGSUBJ
| 0.8# obl>OBL *$vi+vpp.Plur/VERB/Fin+Plur nsubj>OSUBJ
| 1.4# iobj>DATNP advmod>очень~не~всегда~часто/ADV?25 *трудно~легко~нельзя~можно~нужно~надо~сложно~полезно~лень~стыдно~\
  хочется~приходится~следует~свойственно~положено/ADV csubj>INFVP
| 0.4# iobj>DATNP advmod>очень~не~всегда~часто/ADV?50 *скучно~холодно~весело~одиноко~тяжело~страшно~везёт/ADV obl>OBL?40
| 0.5# obj>ACCPEOPLE advmod>не/ADV?25 *трудно~легко~нельзя~можно~нужно~сложно~приятно/ADV csubj>$vt.Inf/VERB/Inf
| 0.5# iobj>DATNP nsubj>ANYNOM *$adj.Cmp/ADJ/Cmp obl>$massMasc+massFem.GenSg/NOUN/Gen+Sing
OSUBJ = 4# *NP0
| advmod>только~даже~лишь~одни/PART *PEOPLE
| amod>ADJ *PEOPLE nmod>PP?20
| *PEOPLE nmod>PP
| det>немногие~редкие~почти/DET/Nom *PEOPLE
| *CORE conj>ANDNP
SGSUBJ = amod>$groupadj+adj.Masc/ADJ/Nom+Sing?30 *$peopleMasc.Sing/NOUN/Nom+Sing
| det>каждый~любой~мой/DET/Nom?40 *$peopleMasc.Sing/NOUN/Nom+Sing
| det>каждая~любая~моя/DET/Nom?40 *$peopleFem+collFem.Sing/NOUN/Nom+Sing
ACCPEOPLE = amod>$adj+groupadj.GenPl/ADJ/Acc+Plur?30 *$peopleMasc+peopleFem.AccPl/NOUN/Acc+Plur
| *котов~кошек~собак~мышей~пауков~тараканов~лошадей~птиц~рыб/NOUN/Acc+Plur
ALLNP = det>все~многие~только/DET/Nom *PEOPLE
OBJACC = *$massMasc+massFem+massNeut+thingsMasc.AccSg/NOUN/Acc+Sing nmod>PP?12
| 2# amod>ADJACC?30 *$thingsFem+thingsMasc+thingsNeut.AccPl/NOUN/Acc+Plur
| amod>$adj+groupadj.AccFem/ADJ/Acc+Sing?40 *$massFem+thingsFem.AccSg/NOUN/Acc+Sing
| 0.5# amod>$adj+groupadj.Masc/ADJ/Acc+Sing *$massMasc+thingsMasc.AccSg/NOUN/Acc+Sing
| 0.4# det>все~любые~чужие~эти~такие/DET/Acc *$thingsMasc+thingsFem.AccPl/NOUN/Acc+Plur
| 0.4# *$thingsMasc+thingsFem.AccPl/NOUN/Acc+Plur conj>ANDTHING
| 0.3# *$thingsMasc+thingsFem.AccPl/NOUN/Acc+Plur nmod>GENNP
""",
    _PARTS,
)

_VOWELS = "аеёиоуыэюя"
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
    """The entry with the forms that follow from its others.

    Adjectives: locative masculine, accusative feminine, short feminine. Verbs: past masculine and feminine.
    """
    forms = entry.split(":")
    if name in _ADJECTIVES:
        feminine, genitive, short = forms[1], forms[8], forms[10]
        masculine = genitive[:-3] + ("ом" if genitive.endswith("ого") else "ем")
        accusative = feminine[:-2] + ("ую" if feminine.endswith("ая") else "юю")
        forms += [masculine, accusative, short[:-1] + "а"]
    elif name in _VERBS:
        past = forms[3]
        stem, ending = (past[:-3], "ся") if past.endswith("сь") else (past[:-1], "")
        # "пекли", "мёрзли": the masculine has no л after a consonant.
        bare = stem[:-1] if stem[-2] not in _VOWELS else stem
        forms += [bare + ending, stem + ("ась" if ending else "а")]
    return ":".join(forms)
