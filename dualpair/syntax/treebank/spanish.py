"""Spanish generic sentences: [group] [attribute], with the trees that UD gives them.

Contractions (``del``, ``al``) are one word.
"""

from __future__ import annotations

from dataclasses import replace

from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.rules import read_grammar
from dualpair.syntax.treebank.trees import Tree

_NOUNS = ("people", "things", "mass", "fieldsMasc", "fieldsFem")
_VERBS = ("vi", "vt", "vpp", "modals", "vlook", "vthat", "vde")
_ADJECTIVES = ("adj", "groupadj", "fronted")
_PARTS = (
    dict.fromkeys(_NOUNS, "Sing Plur")
    | dict.fromkeys(_VERBS, "Inf Plur Sing Ger Part")
    | dict.fromkeys(_ADJECTIVES, "MascSing MascPlur FemSing FemPlur")
    | {"vself": "Inf Plur Sing"}
)

GRAMMAR = read_grammar(
    r"""
S = 5.5# *CLAUSE(Plur,Masc) punct>STOP?92
| 3# *CLAUSE(Plur,Fem) punct>STOP?92
| 1.9# *CLAUSE(Sing,Masc) punct>STOP?92
| 1.7# *CLAUSE(Sing,Fem) punct>STOP?92
| 1.9# *OTHER punct>STOP?92
| 0.15# punct>¿_/PUNCT *CLAUSE(Plur,Masc) punct>_?/PUNCT
| 0.1# punct>¡_/PUNCT *CLAUSE(Plur,Fem) punct>_!/PUNCT
STOP = 9# *_./PUNCT
| *_!/PUNCT
| 0.4# *_…/PUNCT
CLAUSE(n,g) = 10# nsubj>NP({n},{g}) *VP({n},{g})
| 0.5# nsubj>NP({n},{g}) *VP({n},{g}) advcl>SUB
| 0.25# nsubj>NP({n},{g}) *VP({n},{g}) punct>_,/PUNCT conj>BUT({n},{g})
| 0.3# nsubj>NP({n},{g}) punct>–~—~-/PUNCT *AP({n},{g})
| 0.4# nsubj>NP({n},{g}) punct>–~—~-/PUNCT *DASHNOM({n},{g})
BUT(n,g) = cc>pero/CCONJ *VP0({n},{g})
SUB = mark>cuando~porque~si~aunque/SCONJ nsubj>NP0?25 *VP0(Plur,Masc)
DASHNOM(n,g) = *NP0
| *gente~familia~cosa/NOUN/Sing nmod>PP
THE(n,g) = *THE{n}{g}
THEPlurMasc = *los/DET/Art
THEPlurFem = *las/DET/Art
THESingMasc = *el/DET/Art
THESingFem = *la/DET/Art
A(n,g) = *A{n}{g}
APlurMasc = *unos/DET/Art
APlurFem = *unas/DET/Art
ASingMasc = *un/DET/Art
ASingFem = *una/DET/Art
DET(n,g) = *DET{n}{g}
DETPlurMasc = *algunos~muchos~pocos~estos~otros~varios~esos~ciertos~ambos~tantos~demasiados/DET/Ind
DETPlurFem = *algunas~muchas~pocas~estas~otras~varias~esas~ciertas~ambas~tantas/DET/Ind
DETSingMasc = *cada~ningún~este~cualquier~algún/DET/Ind
DETSingFem = *cada~ninguna~esta~cualquier~alguna/DET/Ind
ALL(n,g) = *ALL{n}{g}
ALLPlurMasc = *todos/DET/Tot
ALLPlurFem = *todas/DET/Tot
ALLSingMasc = *todo/DET/Tot
ALLSingFem = *toda/DET/Tot
MY(n) = *MY{n}
MYPlur = *mis~sus~tus/DET/Prs
MYSing = *mi~su~tu/DET/Prs
// noun phrases
NP(n,g) = 5# *CORE({n},{g})
| 3# *CORE({n},{g}) nmod>PP
| 0.5# *CORE({n},{g}) nmod>PP nmod>PP
| 2.2# *CORE({n},{g}) acl:relcl>RC({n},{g})
| 0.7# *CORE({n},{g}) nmod>PP acl:relcl>RC({n},{g})
| 0.6# *CORE({n},{g}) punct>_,/PUNCT acl:relcl>RC({n},{g}) punct>_,/PUNCT
| 1.2# *CORE({n},{g}) acl>PART({n},{g})
| 0.3# *CORE({n},{g}) nmod>PP acl>PART({n},{g})
| 0.5# *CORE({n},{g}) punct>_,/PUNCT appos>APPOS({n},{g}) punct>_,/PUNCT
| 0.4# *CORE({n},{g}) punct>(_/PUNCT conj>ANDNP punct>_)/PUNCT
| 0.5# *CORE({n},{g}) punct>(_/PUNCT appos>PARENNP punct>_)/PUNCT
| 0.4# *CORE({n},{g}) punct>(_/PUNCT advmod>incluso~especialmente~incluso/ADV appos>CORE({n},{g}) punct>_)/PUNCT
| 0.3# advmod>solo~incluso~hasta~casi/ADV *CORE({n},{g})
| 0.4# *CORE({n},{g}) amod>ADJPP({n},{g})
| 1.6# *HEADPRON{n}({g})
| *SPECIAL{n}({g})
CORE(n,g) = 5# det>THE({n},{g}) *N({n},{g})
| 2.2# det>THE({n},{g}) *N({n},{g}) amod>ADJ1({n},{g})
| 0.5# det>THE({n},{g}) *N({n},{g}) amod>ADJ1({n},{g}) amod>ADJ1({n},{g})
| 0.5# det>THE({n},{g}) *N({n},{g}) amod>ADJAND({n},{g})
| 0.5# det>THE({n},{g}) amod>$fronted.{g}{n}/ADJ/{n} *N({n},{g})
| 0.4# det>THE({n},{g}) *N({n},{g}) amod>ADJADV({n},{g})
| 1.1# det>DET({n},{g}) *N({n},{g}) amod>ADJ1({n},{g})?35
| 0.7# det>ALL({n},{g}) det>THE({n},{g}) *N({n},{g}) amod>ADJ1({n},{g})?30
| 1.1# det>MY({n}) *N({n},{g}) amod>ADJ1({n},{g})?35
| 0.5# det>NUESTRO({n},{g}) *N({n},{g}) amod>ADJ1({n},{g})?30
| 0.6# det>A({n},{g}) *N({n},{g}) amod>ADJ1({n},{g})?40
| 0.3# *N({n},{g}) amod>ADJ1({n},{g})?40
| 0.5# det>THE({n},{g}) punct>"_/PUNCT *N({n},{g}) punct>_"/PUNCT
| 0.2# det>THE({n},{g}) punct>"_/PUNCT *$quoted/NOUN/{n} punct>_"/PUNCT
| 0.2# punct>"_/PUNCT det>THE({n},{g}) *N({n},{g}) punct>_"/PUNCT
| *CORE{n}({g})
COREPlur(g) = 2# nummod>$numbers/NUM *N(Plur,{g}) amod>ADJ1(Plur,{g})?30
| det>THE(Plur,{g}) nummod>$numbers/NUM *N(Plur,{g})
| det>la/DET/Art *mayoría~mitad~minoría/NOUN/Sing nmod>DEDEF
CORESing(g) = det>la/DET/Art *gente/NOUN/Sing amod>ADJ1(Sing,Fem)?45
| det>la/DET/Art *gente/NOUN/Sing nmod>PP
PARENNP = advmod>SOBRETODO *CORE(Plur,Masc)
| advmod>SOBRETODO *CORE(Plur,Fem)
| advmod>casi/ADV det>todos/DET/Tot *$peopleMasc.Plur/NOUN/Plur
| det>todos~muchos/DET *$peopleMasc.Plur/NOUN/Plur amod>ADJ1(Plur,Masc)?40
SOBRETODO = *sobre/ADP fixed>todo/PRON
AMENUDO = *a/ADP fixed>menudo~veces/NOUN
| *por/ADP fixed>lo/DET fixed>general/ADJ
| *en/ADP fixed>general/ADJ
| *de/ADP fixed>vez/NOUN fixed>en/ADP fixed>cuando/SCONJ
| *casi/ADV advmod>siempre~nunca/ADV
NUESTRO(n,g) = *NUES{n}{g}
NUESPlurMasc = *nuestros/DET/Prs
NUESPlurFem = *nuestras/DET/Prs
NUESSingMasc = *nuestro/DET/Prs
NUESSingFem = *nuestra/DET/Prs
N(n,g) = *$people{g}.{n}/NOUN/{n}
ADJ1(n,g) = *$groupadj+adj.{g}{n}/ADJ/{n}
ADJAND(n,g) = *$groupadj+adj.{g}{n}/ADJ/{n} conj>ANDADJ({n},{g})
ANDADJ(n,g) = cc>y~y~o~pero/CCONJ *$adj.{g}{n}/ADJ/{n}
COMMAADJ(n,g) = punct>_,/PUNCT *$adj.{g}{n}/ADJ/{n}
ADJADV(n,g) = advmod>$degree/ADV *$adj.{g}{n}/ADJ/{n}
| advmod>muy~más~bien~poco~recién/ADV *$adj+groupadj.{g}{n}/ADJ/{n}
ADJPP(n,g) = *$fronted.{g}{n}/ADJ/{n} obl>CASEOBJ
| advmod>muy/ADV *$adj.{g}{n}/ADJ/{n} obl>CASEOBJ
CASEOBJ = case>en~con~de~para/ADP *$skills+massFem+massMasc/NOUN
HEADPRONPlur(g) = 3# *THOSE{g} acl:relcl>RC(Plur,{g})
| *quienes/PRON/Rel acl:relcl>RC0(Plur,{g})
| *THOSE{g} nmod>PP
| *ALL{g} nmod>DEDEF
| *DETPRON{g}
| *DETPRON{g} nmod>DEDEF
| *ellos~ellas~nosotros~ustedes/PRON/Nom+Plur+Prs
| cc:preconj>ni/CCONJ *CORE(Plur,{g}) conj>NINP
| det>ALL(Plur,{g}) *THOSE{g} acl:relcl>RC(Plur,{g})
THOSEMasc = *los~aquellos/PRON/Dem
THOSEFem = *las~aquellas/PRON/Dem
ALLMasc = *todos~ambos/PRON/Tot
ALLFem = *todas~ambas/PRON/Tot
DETPRONMasc = *algunos~muchos~pocos~otros/PRON/Ind
DETPRONFem = *algunas~muchas~pocas~otras/PRON/Ind
HEADPRONSing(g) = *quien/PRON/Rel acl:relcl>RC0(Sing,{g})
| *ONE{g} acl:relcl>RC(Sing,{g})
| 2# *nadie~alguien~cualquiera/PRON/Ind nmod>PP acl:relcl>RC(Sing,{g})?15
| *nadie~alguien~cualquiera/PRON/Ind acl:relcl>RC(Sing,{g})
| *ella~él/PRON/Nom+Sing+Prs
| *ninguno~uno/PRON/Ind nmod>DEDEF
ONEMasc = *el~aquel/PRON/Dem
ONEFem = *la~aquella/PRON/Dem
NINP = cc>ni/CCONJ *CORE(Plur,Masc)
| cc>ni/CCONJ *CORE(Plur,Fem)
DEDEF = case>de/ADP det>los/DET/Art *$peopleMasc.Plur/NOUN/Plur amod>ADJ1(Plur,Masc)?30 acl:relcl>RC(Plur,Masc)?15
| case>de/ADP det>las/DET/Art *$peopleFem.Plur/NOUN/Plur amod>ADJ1(Plur,Fem)?30
| case>de/ADP det>mis~sus~nuestros~estos/DET/Prs *$peopleMasc.Plur/NOUN/Plur
SPECIALPlur(g) = 3# *COORD
| det>THE(Plur,{g}) *$groupadj.{g}Plur/ADJ/Plur
| det>THE(Plur,{g}) amod>mayores~menores/ADJ/Plur *N(Plur,{g}) nmod>OVERAGE
| *N(Plur,{g}) nmod>OVERAGE
| *$numbers/NUM nmod>DECADA
| det>los/DET/Art advmod>más~muy/ADV *$groupadj.MascPlur/ADJ/Plur
SPECIALSing(g) = 3# *$names/PROPN
| *don~doña/PROPN flat>$names/PROPN
| det>la/DET/Art *señora~profesora~doctora~tía/NOUN/Sing appos>$names/PROPN
| det>el~mi/DET/Art *señor~profesor~doctor~tío/NOUN/Sing appos>$names/PROPN
| det>la/DET/Art *generación/NOUN/Sing nmod>Z~X/PROPN
| det>mi~tu~su/DET/Prs *$people{g}.Sing/NOUN/Sing appos>$names/PROPN punct>_,/PUNCT appos>APPOS(Sing,{g}) \
  punct>_,/PUNCT
DECADA = case>de/ADP det>cada/DET *cuatro~diez~cinco/NUM nmod>DEBARE?20
| case>de/ADP det>cada/DET nummod>cuatro~diez~cinco/NUM *$peopleMasc.Plur/NOUN/Plur
DEBARE = case>de/ADP *$peopleMasc.Plur/NOUN/Plur
COORD = 3# *CORE(Plur,Masc) conj>ANDNP
| 2# *CORE(Plur,Fem) conj>ANDNP
| *CORE(Plur,Fem) conj>COMMANP conj>ANDNP
| *N(Plur,Masc) conj>COMMAN conj>ANDN
| *N(Plur,Fem) conj>ANDN
| *$names/PROPN conj>ANDNAME
| *CORE(Plur,Masc) nmod>PP conj>ANDNP
| *CORE(Plur,Masc) conj>ANDNP acl:relcl>RC(Plur,Masc)
| cc:preconj>tanto/CCONJ *CORE(Plur,Masc) conj>COMONP
COMONP = cc>como/CCONJ *CORE(Plur,Fem)
| cc>como/CCONJ *CORE(Plur,Masc)
ANDNP = cc>y~y~o/CCONJ *CORE(Plur,Masc)
| cc>y~y~o/CCONJ *CORE(Plur,Fem)
COMMANP = punct>_,/PUNCT *CORE(Plur,Masc)
COMMAN = punct>_,/PUNCT *N(Plur,Fem)
| punct>_,/PUNCT *N(Plur,Masc)
ANDN = cc>y~o/CCONJ *N(Plur,Fem)
| cc>y~o/CCONJ *N(Plur,Masc)
ANDNAME = cc>y/CCONJ *$names/PROPN
| cc>y/CCONJ det>su~sus~mi/DET/Prs *$peopleFem.Sing/NOUN/Sing
APPOS(n,g) = det>A({n},{g}) *N({n},{g}) amod>ADJ1({n},{g})?60
| *N({n},{g}) nmod>PP
| det>THE({n},{g}) amod>$fronted.{g}{n}/ADJ/{n}?50 *N({n},{g}) nmod>PP?50
| advmod>incluso~especialmente/ADV det>THE({n},{g}) *N({n},{g}) amod>ADJ1({n},{g})
OVERAGE = case>de~con/ADP advmod>más~menos/ADV?50 case>de/ADP?30 nummod>$ages/NUM *años/NOUN/Plur
| amod>mayores~menores/ADJ/Plur case>de/ADP nummod>$ages/NUM *años/NOUN/Plur
PP = 2# case>de~de~en/ADP det>la/DET/Art *$placesFem/NOUN/Sing amod>ADJ1(Sing,Fem)?20
| 2# case>del/ADP *$placesMasc/NOUN/Sing amod>ADJ1(Sing,Masc)?20
| case>en/ADP det>el~un/DET/Art *$placesMasc/NOUN/Sing
| 2# case>de~en/ADP *$countries/PROPN
| 2# case>con~sin/ADP *$features/NOUN
| case>con~sin/ADP amod>mucho~poco~buen~gran/ADJ?30 *$thingsMasc.Plur/NOUN/Plur amod>ADJ1(Plur,Masc)?40
| case>con~sin/ADP *$thingsFem.Plur/NOUN/Plur amod>ADJ1(Plur,Fem)?40
| case>con/ADP *pelo~carácter~acento~cara~ojos~manos/NOUN amod>largo~corto~rubio~fuerte~rizado~claros~grandes/ADJ
| case>de/ADP nummod>$ages/NUM *años/NOUN/Plur
| case>de/ADP amod>mediana~tercera~cierta/ADJ *edad/NOUN/Sing
| case>de/ADP *N(Plur,Masc) amod>ADJ1(Plur,Masc)?30
| case>de/ADP det>los/DET/Art *N(Plur,Masc) amod>ADJ1(Plur,Masc)?30
| case>de/ADP *$skills+massFem/NOUN
| case>de/ADP det>los~las/DET/Art *$inplaces/NOUN/Plur amod>pequeños~grandes~antiguas~modernas/ADJ/Plur?40
| case>de/ADP *verdad~ciudad~pueblo~oficina~fiesta~ley~familia~campo~letras~ciencias~honor~barrio~moda/NOUN/Sing
| case>de/ADP det>mi~su~tu~nuestra/DET/Prs *oficina~clase~calle~familia~escuela~edad~ciudad~empresa/NOUN/Sing
| case>de/ADP det>la~los/DET/Art nummod>primera~último~segundo/ADJ?50 *fila~piso~planta~barra~esquina~puerta~\
  mesa/NOUN/Sing
| case>a/ADP *tiempo~distancia/NOUN/Sing amod>parcial~completo/ADJ
| case>en/ADP *paro~casa~forma~silla~pareja~traje~bicicleta/NOUN/Sing
| 0.6# case>como/ADP *ellos~él~yo~$names/PRON/Prs
| 0.5# case>a~al/ADP *volante~mando~cargo~dieta/NOUN/Sing nmod>DEBARE?30
PART(n,g) = *$vt.Part/VERB/Part advmod>$manner/ADV?30 obl>PORNP
| 2# *PART{g}{n} obl>LOC
| *PART{g}{n} obl:agent>PORNP
| *PART{g}{n} advmod>siempre~recién~muy/ADV?30 obl>CASEOBJ
| 0.5# *$vt.Ger/VERB/Ger obj>OBJ
PARTMascPlur = *criados~nacidos~educados~llegados~vestidos~formados~mimados~contratados~jubilados~\
  acostumbrados/ADJ/Plur+Part
PARTFemPlur = *criadas~nacidas~educadas~llegadas~vestidas~formadas~mimadas~contratadas~jubiladas~\
  acostumbradas/ADJ/Plur+Part
PARTMascSing = *criado~nacido~educado~llegado~vestido~formado~mimado~contratado~acostumbrado/ADJ/Sing+Part
PARTFemSing = *criada~nacida~educada~llegada~vestida~formada~mimada~contratada~acostumbrada/ADJ/Sing+Part
PORNP = case>por/ADP det>sus~los~mis/DET/Prs *N(Plur,Masc)
| case>por/ADP det>la/DET/Art *gente~familia~televisión~vida/NOUN/Sing
RC(n,g) = 7# nsubj>que/PRON/Rel *VP0({n},{g})
| nsubj>que/PRON/Rel *VP0({n},{g}) advcl>SUB
| 1.5# nsubj>que/PRON/Rel *PASTV{n} obl>LOC
| obj>que/PRON/Rel nsubj>NP0?60 *$vt.Plur/VERB/Fin+Plur
| obl>QUECASE *VP0({n},{g})
| nsubj>CUYOS *VP0(Plur,Masc)
| nsubj>CUYAS *VP0(Plur,Fem)
| obl:arg>ALOSQUE advmod>no/ADV?40 obj>les/PRON/Prs *gusta~interesa~encanta~falta~sobra/VERB/Fin+Sing nsubj>LIKED
| nsubj>que/PRON/Rel aux>HAN{n} *$vt.Part/VERB/Part obj>OBJ
| nsubj>que/PRON/Rel aux>HAN{n} *$vi.Part/VERB/Part obl>LOC?50
RC0(n,g) = *VP0({n},{g})
QUECASE = case>con~en~de~para/ADP det>los~las/DET/Art?70 *que~quienes/PRON/Rel
ALOSQUE = case>a/ADP det>los~las/DET/Art *que/PRON/Rel
CUYOS = det>cuyos/DET/Rel *$peopleMasc+thingsMasc.Plur/NOUN/Plur
CUYAS = det>cuyas/DET/Rel *$peopleFem+thingsFem.Plur/NOUN/Plur
LIKED = det>el/DET/Art *$massMasc/NOUN/Sing
| det>la/DET/Art *$massFem+placesFem/NOUN/Sing
| *$vi.Inf/VERB/Inf
PASTVPlur = *crecieron~vivieron~nacieron~estudiaron~trabajaron~llegaron~vinieron/VERB/Fin+Plur
PASTVSing = *creció~vivió~nació~estudió~trabajó~llegó~vino/VERB/Fin+Sing
HANPlur = *han/AUX/Fin+Plur
HANSing = *ha/AUX/Fin+Sing
// predicates
VP(n,g) = 3# *COP({n},{g})
| 7# *VERBAL({n},{g})
| 0.8# *VERBAL({n},{g}) conj>VPAND({n},{g})
| 0.4# *COP({n},{g}) conj>VPAND({n},{g})
VPAND(n,g) = cc>y~pero~o/CCONJ *VERBAL({n},{g})
| cc>y~pero/CCONJ *COP({n},{g})
VP0(n,g) = 2# *COP({n},{g})
| 5# *VERBAL({n},{g})
BE(n) = *BE{n}
BEPlur = 5# *son/AUX/Fin+Plur
| 1.3# *están/AUX/Fin+Plur
| 0.3# *eran~serán/AUX/Fin+Plur
BESing = 5# *es/AUX/Fin+Sing
| 1.3# *está/AUX/Fin+Sing
| 0.3# *era~será/AUX/Fin+Sing
COP(n,g) = 0.4# advmod>AMENUDO cop>BE({n}) *AP({n},{g})
| 4# advmod>no/ADV?10 advmod>$adverbs/ADV?14 cop>BE({n}) *AP({n},{g})
| 2# advmod>no/ADV?12 advmod>$adverbs/ADV?10 cop>BE({n}) *NOM({n},{g})
| 0.5# cop>BE({n}) *PPPRED
| 0.5# aux>MODAL{n} cop>ser/AUX/Inf *AP({n},{g})
| 0.2# obl>PORLO cop>BE({n}) *AP({n},{g})
PORLO = case>por/ADP det>lo/DET *general/NOUN
| case>en/ADP *general/NOUN
MODALPlur = *pueden~deben~suelen/AUX/Fin+Plur
MODALSing = *puede~debe~suele/AUX/Fin+Sing
AP(n,g) = 4# *$adj.{g}{n}/ADJ/{n}
| 1.7# advmod>$degree/ADV *$adj.{g}{n}/ADJ/{n}
| *$adj.{g}{n}/ADJ/{n} conj>ANDADJ({n},{g})
| 0.4# *$adj.{g}{n}/ADJ/{n} conj>COMMAADJ({n},{g}) conj>ANDADJ({n},{g})
| advmod>más~menos/ADV *$adj.{g}{n}/ADJ/{n} obl>QUENP?75
| advmod>tan/ADV *$adj.{g}{n}/ADJ/{n} obl>COMONP2
| *$adj.{g}{n}/ADJ/{n} obl>CASEOBJ2
| *$fronted.{g}{n}/ADJ/{n} obl>CASEOBJ
| 0.4# *$adj.{g}{n}/ADJ/{n} advcl>PARAINF
| 0.3# *mejores~peores/ADJ/Plur obl>QUENP
| 0.4# *$adj.{g}{n}/ADJ/{n} obl>CASEOBJ2 advcl>SUB
CASEOBJ2 = case>con~de~en~para/ADP *OBJ
QUENP = case>que/ADP *NPOBJ
COMONP2 = case>como/ADP *NPOBJ
NPOBJ = 2# *CORE(Plur,Masc)
| *CORE(Plur,Fem)
| det>los/DET/Art *demás~otros/PRON
NOM(n,g) = *N({n},{g}) amod>ADJ1({n},{g})?40
| amod>$fronted.{g}{n}/ADJ/{n} *N({n},{g})
| det>A({n},{g}) *N({n},{g}) amod>ADJ1({n},{g})
| det>THE({n},{g}) amod>mejores~peores~verdaderos/ADJ/{n} *N({n},{g}) nmod>PP?30
| *gente/NOUN/Sing amod>ADJ1(Sing,Fem)
| *personas/NOUN/Plur amod>ADJ1(Plur,Fem)
| det>THE({n},{g}) advmod>más~menos/ADV *$adj.{g}{n}/ADJ/{n} nmod>PP?30
| *N({n},{g}) nmod>PP
PPPRED = case>en/ADP *forma~peligro~casa~crisis~contra~deuda/NOUN/Sing
| case>de/ADP *confianza~moda~fiar~mal/NOUN/Sing obl>CASEOBJ?20
| case>a~en/ADP det>la/DET/Art *$placesFem/NOUN/Sing
OBJ = 2# det>los~sus~mis/DET/Art?50 *$thingsMasc.Plur/NOUN/Plur amod>ADJ1(Plur,Masc)?30
| 2# det>las~sus/DET/Art?50 *$thingsFem.Plur/NOUN/Plur amod>ADJ1(Plur,Fem)?30
| 1.5# det>el/DET/Art?40 *$massMasc/NOUN/Sing
| 1.5# det>la/DET/Art?40 *$massFem/NOUN/Sing
| det>mucho~poco~demasiado~más~tanto/DET/Ind *$massMasc/NOUN/Sing
| det>mucha~poca~demasiada~más/DET/Ind *$massFem/NOUN/Sing
| det>un/DET/Art *$thingsMasc.Sing/NOUN/Sing amod>ADJ1(Sing,Masc)?40
| det>una/DET/Art *$thingsFem.Sing/NOUN/Sing amod>ADJ1(Sing,Fem)?40
| *$thingsFem.Plur/NOUN/Plur conj>ANDTHING
| 0.5# *$thingsFem.Plur/NOUN/Plur conj>COMMATHING conj>ANDTHING
| det>cualquier~cada~todo/DET *$thingsMasc.Sing/NOUN/Sing
| *todo~nada~algo~mucho~poco/PRON/Ind
| det>el~su/DET/Art *$thingsMasc+massMasc.Sing/NOUN/Sing nmod>DEOBJ
| *$thingsMasc.Plur/NOUN/Plur nmod>DEOBJ
| 0.5# punct>"_/PUNCT *$thingsMasc+thingsFem.Plur/NOUN/Plur punct>_"/PUNCT
| 0.6# case>a/ADP det>los~sus/DET/Art *$peopleMasc.Plur/NOUN/Plur amod>ADJ1(Plur,Masc)?20
| 0.4# case>a/ADP *otros~nadie~todos~ellos/PRON
ANDTHING = cc>y~o/CCONJ *$thingsMasc.Plur/NOUN/Plur
COMMATHING = punct>_,/PUNCT *$thingsFem.Plur/NOUN/Plur
DEOBJ = case>de/ADP det>los/DET/Art?50 *$peopleMasc.Plur/NOUN/Plur
| case>de/ADP *$massMasc+massFem/NOUN/Sing
OBL = case>con~para~de~por~sin~sobre/ADP *OBL0
| case>en~durante/ADP det>la/DET/Art *calle~noche~mesa~vida~cocina~escuela/NOUN/Sing
| case>por~a/ADP det>la~las/DET/Art *noche~mañana~tardes~fiestas~reuniones/NOUN
| case>a/ADP *tiempo~gritos~escondidas~caballo~menudo/NOUN
| case>durante~desde/ADP *horas~años~días/NOUN/Plur
OBL0 = *OBJ
| det>sus~los/DET/Prs *$peopleMasc.Plur/NOUN/Plur
| *$skills+features+massFem/NOUN
LOC = 2# case>en/ADP amod>pequeñas~grandes/ADJ/Plur?20 *$inplaces/NOUN/Plur amod>grandes~pequeñas~modernas/ADJ/Plur?20
| case>en~a/ADP det>la/DET/Art *$placesFem/NOUN/Sing
| case>en~por/ADP det>el/DET/Art *$placesMasc/NOUN/Sing
| case>en/ADP *$countries/PROPN
| case>con/ADP det>sus/DET/Prs *$peopleMasc.Plur/NOUN/Plur
| case>en/ADP det>el/DET/Art *extranjero~campo~jardín~trabajo/NOUN/Sing
| case>al~del/ADP *cine~mercado~trabajo~bar/NOUN/Sing
| case>en/ADP *casa~verano~invierno~familia/NOUN/Sing
VERBAL(n,g) = 0.8# advmod>AMENUDO *FIN({n},{g})
| 0.3# advmod>AMENUDO expl:pv>se/PRON/Prs *SELF({n},{g})
| 10# advmod>no/ADV?14 advmod>$adverbs/ADV?16 *FIN({n},{g})
| 1.2# advmod>no/ADV?14 advmod>$adverbs/ADV?12 *$modals.{n}/VERB/Fin+{n} xcomp>INFVP
| 1.8# advmod>no/ADV?14 advmod>$adverbs/ADV?10 expl:pv>se/PRON/Prs *SELF({n},{g})
| 1.2# advmod>no~nunca~siempre/ADV?25 obj>lo~la~los~las~le~les/PRON/Prs *$vt.{n}/VERB/Fin+{n} obj>CLITOBJ?60
| 0.3# advmod>no~nunca~siempre/ADV?25 obj>se/PRON/Prs obj>lo~las/PRON/Prs *$vt.{n}/VERB/Fin+{n} obj>todo/PRON/Ind?60
| 0.6# aux>EST{n} *$vt.Ger/VERB/Ger obj>OBJ
| 0.4# advmod>no~siempre/ADV?30 aux>HAN{n} *$vt.Part/VERB/Part obj>OBJ
| 0.4# aux:pass>BE({n}) *$vt.Part/VERB/Part obl:agent>PORNP?60
| 0.4# aux:pass>BE({n}) *considerados~vistos~criados~tratados/VERB/Part xcomp>$adj.{g}{n}/ADJ/{n}
| 0.3# advmod>no/ADV?30 *IRA{n} xcomp>AINF
| 0.3# advmod>rara/ADV obl>vez/NOUN *FIN({n},{g})
IRAPlur = *van~empiezan~aprenden~tienden~ayudan/VERB/Fin+Plur
IRASing = *va~empieza~aprende~tiende~ayuda/VERB/Fin+Sing
AINF = mark>a/ADP *INFVP
CLITOBJ = det>los~las/DET/Art *$thingsFem+thingsMasc.Plur/NOUN/Plur
| *todo/PRON/Ind
ESTPlur = *están/AUX/Fin+Plur
ESTSing = *está/AUX/Fin+Sing
SELF(n,g) = *$vself.{n}/VERB/Fin+{n} advmod>$manner/ADV?50
| *$vself.{n}/VERB/Fin+{n} obl>OBL
| *$vself.{n}/VERB/Fin+{n} obl>LOC
| *$vself.{n}/VERB/Fin+{n} xcomp>$adj.{g}{n}/ADJ/{n}
FIN(n,g) = 2.5# *$vi.{n}/VERB/Fin+{n} advmod>$manner/ADV?65
| 4# *$vt.{n}/VERB/Fin+{n} obj>OBJ
| 1.3# *$vt.{n}/VERB/Fin+{n} obj>OBJ obl>OBL
| 0.6# *$vt.{n}/VERB/Fin+{n} advmod>$manner/ADV obj>OBJ
| 1.5# *$vpp.{n}/VERB/Fin+{n} obl>LOC
| 1.3# *$vi.{n}/VERB/Fin+{n} obl>OBL
| 0.7# *$vi.{n}/VERB/Fin+{n} advmod>MASQUE
| 0.6# *$vde.{n}/VERB/Fin+{n} obl>DETHING
| 0.6# *$vthat.{n}/VERB/Fin+{n} ccomp>QUECL
| 0.7# *$vlook.{n}/VERB/Fin+{n} xcomp>AP0({n},{g})
| 1# *TENER{n} obj>FIELD
| 0.3# *$vi.{n}/VERB/Fin+{n} advmod>$manner/ADV advcl>SUB
| 0.3# *$vt.{n}/VERB/Fin+{n} obj>OBJ advcl>PARAINF
| 0.3# *$vi.{n}/VERB/Fin+{n} obl>SININF
| 0.4# *$vi.{n}/VERB/Fin+{n} obl>TODOS
| 0.3# *GUSTAR
TODOS = det>todos~todas/DET/Tot det>los~las/DET/Art *días~noches~domingos~veranos~semanas/NOUN/Plur
| det>los~cada/DET/Art *domingos~viernes~lunes~día~verano/NOUN
SININF = mark>sin~para~por~tras/ADP *INFVP
PARAINF = mark>para~de~a~sin/ADP *INFVP
MASQUE = *más~mejor~peor~menos/ADV obl>QUENP?75
DETHING = case>de/ADP *OBJ
QUECL = mark>que/SCONJ nsubj>NP0?60 *VP0(Plur,Masc)
AP0(n,g) = *$adj.{g}{n}/ADJ/{n}
| advmod>más~muy/ADV *$adj.{g}{n}/ADJ/{n}
TENERPlur = *tienen/VERB/Fin+Plur
TENERSing = *tiene/VERB/Fin+Sing
FIELD = amod>buen~mal~poco~mucho/ADJ *$fieldsMasc.Sing/NOUN/Sing
| amod>buena~mala~poca~mucha/ADJ *$fieldsFem.Sing/NOUN/Sing
| det>un/DET/Art *$fieldsMasc.Sing/NOUN/Sing amod>ADJ1(Sing,Masc)
| det>una/DET/Art *$fieldsFem.Sing/NOUN/Sing amod>ADJ1(Sing,Fem)
| *$features+fieldsFem/NOUN
| *miedo~ganas~derecho/NOUN nmod>DEOBJ
INFVP = 2# *$vi.Inf/VERB/Inf advmod>$manner/ADV?50
| 3# *$vt.Inf/VERB/Inf obj>OBJ
| *$vpp.Inf/VERB/Inf obl>LOC
| cop>ser/AUX/Inf *$adj.MascPlur/ADJ/Plur
| *$vt.Inf/VERB/Inf obj>OBJ obl>OBL
NP0 = 3# det>los~los~sus~mis~algunos/DET/Art *$peopleMasc.Plur/NOUN/Plur amod>ADJ1(Plur,Masc)?25
| 2# det>las~las~sus~estas~muchas/DET/Art *$peopleFem.Plur/NOUN/Plur amod>ADJ1(Plur,Fem)?25
GUSTAR = iobj>les/PRON/Prs *gusta~encanta~molesta~cuesta/VERB/Fin+Sing nsubj>LIKED
// what is no group and attribute
OTHER = 1.2# *COMMAND
| 1.6# *FRONTED
| 1.3# *CSUBJ
| 1.2# *FRAGMENT
| 1.5# *VERBFIRST
| 0.8# *EXIST
| 1.3# *OBJFIRST
COMMAND = advmod>no~nunca~siempre/ADV?45 *confíes~preguntes~des~pongas~compres~pidas~busca~pregunta~escucha~lee~\
  compra~evita~respeta~cuida~pida~hable~dejes~come~habla~mira~deja/VERB/Fin+Imp+Sing obj>OBJ?60 obl>OBL?50
| *$vt.Sing/VERB/Fin+Imp+Sing obj>OBJ obl>OBL?40
| cop>sé~sea/AUX/Fin+Imp *$adj.MascSing/ADJ/Sing obl>CASEOBJ2
FRONTED = obl>ONDAYS punct>_,/PUNCT?80 nsubj>NP0 *VP(Plur,Masc)
| obl>LOC punct>_,/PUNCT?60 nsubj>NP0 *VP(Plur,Masc)
| obl>FRONTPP punct>_,/PUNCT?70 nsubj>NP0 *VP(Plur,Masc)
| advmod>normalmente~generalmente~siempre~hoy~quizás~aquí~tradicionalmente~actualmente~antes/ADV \
  punct>_,/PUNCT?60 nsubj>NP0 *VP(Plur,Masc)
| advcl>FRONTSUB punct>_,/PUNCT nsubj>NP0 *VP(Plur,Masc)
| advcl>FRONTINF punct>_,/PUNCT nsubj>NP0 *VP(Plur,Masc)
ONDAYS = det>los/DET/Art *domingos~viernes~lunes~veranos~inviernos~sábados/NOUN/Plur
| det>cada/DET *verano~domingo~noche~mañana~año/NOUN/Sing
| case>en/ADP det>las/DET/Art amod>grandes~pequeñas/ADJ/Plur *ciudades~escuelas~oficinas~familias/NOUN/Plur
FRONTPP = case>según~para~con~sin~desde~entre~durante~contra/ADP det>los~las~la~el/DET/Art?50 \
  *$peopleMasc.Plur+features+massFem+massMasc/NOUN
| case>en/ADP *general~verano~invierno~vacaciones~familia/NOUN/Sing
| case>por/ADP det>la/DET/Art *noche~mañana~tarde/NOUN/Sing
FRONTSUB = mark>cuando~si~porque~aunque~como~mientras/SCONJ nsubj>NP0?60 expl:pv>se/PRON/Prs?20 *VP0(Plur,Masc)
FRONTINF = mark>al~para~sin~tras/ADP *INFVP
CSUBJ = 2# csubj>INFVP *CSVP
| csubj>SERADJ *CSVP
| csubj>LOQUE *CSVP
| csubj>QUESUB *CSVP
SERADJ = cop>ser/AUX/Inf *$adj+groupadj.MascSing/ADJ/Sing
| cop>ser/AUX/Inf *$peopleFem+peopleMasc.Sing/NOUN/Sing
| *crecer~vivir~trabajar~nacer~tener~criar/VERB/Inf obl>LOC
LOQUE = obj>lo~que/PRON/Rel nsubj>NP0 *$vt.Plur/VERB/Fin+Plur
QUESUB = mark>que/SCONJ nsubj>NP0 *VP0(Plur,Masc)
CSVP = advmod>no/ADV?15 cop>es~resulta/AUX/Fin+Sing *$adj.MascSing/ADJ/Sing obl>PARANP?30
| advmod>no/ADV?15 *hace~vuelve/VERB/Fin+Sing xcomp>$adj.MascPlur/ADJ/Plur obj>ANP
| *requiere~cuesta~exige~da~necesita/VERB/Fin+Sing obj>OBJ
| cop>es/AUX/Fin+Sing det>un~una/DET/Art *$thingsFem+thingsMasc.Sing/NOUN/Sing
| *molesta~ayuda~gusta~conviene/VERB/Fin+Sing obl>ANP
ANP = case>a/ADP *NP0
PARANP = case>para/ADP *NP0
FRAGMENT = 2# *NP(Plur,Masc)
| 2# *NP(Plur,Fem)
| *N(Plur,Masc) amod>ADJ1(Plur,Masc) nmod>PP
| advmod>demasiado~muy~tan/ADV *$adj.MascPlur/ADJ/Plur obl>CASEOBJ?60
| *$adj.FemPlur/ADJ/Plur conj>ANDADJ(Plur,Fem)
VERBFIRST = 2# *$vi.Plur/VERB/Fin+Plur advmod>$manner/ADV?60 nsubj>NP0
| advmod>no/ADV?20 *$vt.Plur/VERB/Fin+Plur obj>OBJ nsubj>NP0
| cop>son~están/AUX/Fin+Plur advmod>muy/ADV?40 *$adj.MascPlur/ADJ/Plur nsubj>NP0
| *$adj.MascPlur/ADJ/Plur cop>son/AUX/Fin+Plur nsubj>NP0
| advmod>$manner/ADV *$vi.Plur/VERB/Fin+Plur nsubj>NP0
| expl:pv>se/PRON/Prs *$vself.Plur/VERB/Fin+Plur advmod>$manner/ADV?40 nsubj>NP0
| punct>¿_/PUNCT *$vi.Plur/VERB/Fin+Plur nsubj>NP0 punct>_?/PUNCT
| punct>¿_/PUNCT cop>son/AUX/Fin+Plur *$adj.MascPlur/ADJ/Plur nsubj>NP0 punct>_?/PUNCT
| punct>¿_/PUNCT *por~cómo~cuándo/ADV advmod>qué/PRON
EXIST = *hay/VERB/Fin obj>NP(Plur,Masc)
| *hay/VERB/Fin obj>NP(Plur,Fem)
| *existen~quedan~abundan~faltan/VERB/Fin+Plur nsubj>NP(Plur,Masc)
| *hay/VERB/Fin obj>EXNP
EXNP = det>pocos~muchos~demasiados/DET/Ind *$peopleMasc.Plur/NOUN/Plur amod>ADJ1(Plur,Masc)?50 nmod>PP?60
OBJFIRST = 1.2# obj>OBJDEF obj>lo~la~los~las/PRON/Prs *$vt.Plur/VERB/Fin+Plur nsubj>ALLNP
| 2# obl:arg>ANP advmod>no~nunca~siempre/ADV?30 obj>les/PRON/Prs *gusta~encanta~molesta~cuesta~interesa~\
  importa/VERB/Fin+Sing advmod>mucho~poco/ADV?20 nsubj>LIKED
| obj>OBJDEF obj>lo~la~los~las/PRON/Prs *$vt.Plur/VERB/Fin+Plur nsubj>NP0
| obl:arg>ANP obj>les/PRON/Prs *gustan~encantan~molestan~faltan/VERB/Fin+Plur nsubj>THINGSDEF
| obl:arg>ANP obj>los~las/PRON/Prs *$vt.Plur/VERB/Fin+Plur nsubj>NP0
ALLNP = det>todos/DET/Tot det>los/DET/Art *$peopleMasc.Plur/NOUN/Plur
| det>todas/DET/Tot det>las/DET/Art *$peopleFem.Plur/NOUN/Plur
OBJDEF = det>el/DET/Art *$massMasc/NOUN/Sing
| det>la/DET/Art *$massFem/NOUN/Sing
| det>las/DET/Art *$thingsFem.Plur/NOUN/Plur
| det>los/DET/Art *$thingsMasc.Plur/NOUN/Plur
THINGSDEF = det>las/DET/Art *$thingsFem.Plur/NOUN/Plur
| det>los/DET/Art *$thingsMasc.Plur/NOUN/Plur
""",
    _PARTS,
)

_QUOTES = (("«", "»"), ("“", "”"), ('"', '"'))


def sentence(lex: Lexicon) -> Tree:
    """One random sentence; most have a noun phrase first, some do not."""
    opening, closing = lex.one_of(*map("\t".join, _QUOTES)).split("\t")
    return _restyle(GRAMMAR.derive(lex), opening, closing)


def _restyle(tree: Tree, opening: str, closing: str) -> Tree:
    """The quotes of one style."""
    form = tree.form.replace("_", " ")
    if form == '"':
        form = opening if tree.opens else closing
    left = tuple((relation, _restyle(child, opening, closing)) for relation, child in tree.left)
    right = tuple((relation, _restyle(child, opening, closing)) for relation, child in tree.right)
    return replace(tree, form=form, left=left, right=right)


def inflect(name: str, entry: str) -> str:
    """An entry of a list with its regular forms added."""
    if ":" in entry:
        return entry
    if name.startswith(_NOUNS):
        return f"{entry}:{_plural(entry)}"
    if name in _ADJECTIVES:
        feminine = entry[:-1] + "a" if entry.endswith("o") else entry
        return f"{entry}:{_plural(entry)}:{feminine}:{_plural(feminine)}"
    if name in _VERBS and entry.endswith(("ar", "er", "ir")):
        stem, vowel = entry[:-2], entry[-2]
        theme, gerund, participle = ("a", "ando", "ado") if vowel == "a" else ("e", "iendo", "ido")
        return f"{entry}:{stem}{theme}n:{stem}{theme}:{stem}{gerund}:{stem}{participle}"
    return entry


def _plural(word: str) -> str:
    if word.endswith("z"):
        return word[:-1] + "ces"
    return word + ("s" if word[-1] in "aeioué" else "es")
