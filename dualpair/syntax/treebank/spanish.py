"""Spanish generic sentences: [group] [attribute], with the trees that UD gives them.

Contractions (``del``, ``al``) are one word.
"""

from __future__ import annotations

from dataclasses import replace

from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.rules import read_grammar
from dualpair.syntax.treebank.trees import Tree

_NOUNS = ("people", "things", "mass", "fieldsMasc", "fieldsFem", "fans")
_VERBS = ("vi", "vt", "vdual", "vpp", "modals", "vlook", "vthat", "vde")
_ADJECTIVES = ("adj", "groupadj", "fronted")
_PARTS = (
    dict.fromkeys(_NOUNS, "Sing Plur")
    | dict.fromkeys(_VERBS, "Inf Plur Sing Ger Part MascSing MascPlur FemSing FemPlur")
    | dict.fromkeys(_ADJECTIVES, "MascSing MascPlur FemSing FemPlur")
    | {"vself": "Inf Plur Sing"}
)

GRAMMAR = read_grammar(
    r"""
S = 5.5# *CLAUSE(Plur,Masc) punct>STOP?92
| 3# *CLAUSE(Plur,Fem) punct>STOP?92
| 1.9# *CLAUSE(Sing,Masc) punct>STOP?92
| 1.7# *CLAUSE(Sing,Fem) punct>STOP?92
| 2.3# *OTHER punct>STOP?92
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
| 0.9# nsubj>NPCOPULALESS({n},{g}) punct>_,/PUNCT *COPULALESS({n},{g})
BUT(n,g) = cc>pero/CCONJ *VP0({n},{g})
SUB = mark>cuando~porque~si~aunque/SCONJ nsubj>NP0?25 *VP0(Plur,Masc)
DASHNOM(n,g) = *NP0
| *gente~familia~cosa/NOUN/Sing nmod>PP
// without a copula, after a comma: "Las abuelas, siempre con prisa"
NPCOPULALESS(n,g) = 5# *CORE({n},{g})
| 1.5# *CORE({n},{g}) nmod>PP
| *CORE({n},{g}) acl:relcl>RC({n},{g})
| 0.5# *CORE({n},{g}) acl>PART({n},{g})
| 0.7# det>THE({n},{g}) *$groupadj.{g}{n}/ADJ/{n}
| 0.5# *N({n},{g}) nmod>PP
COPULALESS(n,g) = 3# *AP({n},{g})
| 1.5# advmod>más~menos/ADV *$adj.{g}{n}/ADJ/{n} obl>QUENP
| advmod>siempre~nunca~casi~solo~todavía~ya/ADV *$adj.{g}{n}/ADJ/{n}
| 1.5# advmod>siempre~nunca~también~casi/ADV?60 *PPBARE
| 0.7# *PPBARE conj>ANDPPBARE
| *mejor~peor~siempre~lejos~cerca~fuera~dentro~juntos/ADV obl>LOC?70
| advmod>mejor~siempre/ADV *lejos~fuera~juntos~solos~cerca/ADV
| *todos~todas/PRON/Tot amod>$adj.{g}{n}/ADJ/{n}
| 0.7# obl>CADAVEZ advmod>más~menos/ADV *$adj.{g}{n}/ADJ/{n}
| 0.8# *PART{g}{n} obl>LOC
| 0.5# advmod>siempre~recién~ya/ADV *$vt.{g}{n}/VERB/Part obl>PORNP
| 1.2# *N({n},{g}) amod>ADJ1({n},{g})?50
| *N({n},{g}) nmod>PP
| 0.7# *gente~familia~cosa~raza~peligro/NOUN/Sing amod>constante~desconfiada~noble~aparte~alegre~seguro/ADJ/Sing
| 0.7# det>THE({n},{g}) advmod>más~menos/ADV *$adj.{g}{n}/ADJ/{n} nmod>PP?60
| 0.5# det>A({n},{g}) *N({n},{g}) amod>ADJ1({n},{g})?50
| 0.5# det>THE({n},{g}) amod>BEST({n}) *N({n},{g}) nmod>PP?40
| 0.4# det>un~el/DET/Art *$thingsMasc.Sing/NOUN/Sing nmod>PP?40
| 0.4# advmod>poco~muy~nada/ADV *$fronted+adj.{g}{n}/ADJ/{n} obl>CASEOBJ
CADAVEZ = det>cada/DET *vez~día~año/NOUN/Sing
PPBARE = 2# case>con~sin/ADP *$features+fieldsFem.Sing/NOUN nmod>PP?20
| case>con~sin/ADP *$thingsFem+thingsMasc.Plur/NOUN/Plur nmod>PP?30
| case>en~a/ADP det>la/DET/Art *$placesFem+rooms/NOUN/Sing
| case>al/ADP *$placesMasc/NOUN/Sing
| *PPPRED
| case>de/ADP *fiesta~viaje~mal~vacaciones~compras~pie/NOUN nmod>PP?20
| case>con~sin/ADP *prisa~hambre~miedo~ganas~sueño~trabajo/NOUN
ANDPPBARE = cc>y~pero~o/CCONJ *PPBARE
PPLONG = case>de~en~cerca/ADP det>la/DET/Art *$placesFem/NOUN/Sing nmod>PP
| case>del/ADP *$placesMasc/NOUN/Sing nmod>PP
| case>de~en/ADP amod>pequeños~grandes/ADJ/Plur?30 *$inplaces/NOUN/Plur nmod>PP
| case>con~sin/ADP amod>mucho~poco~pocos~muchos~buenos/ADJ?30 *$features/NOUN conj>YFEATURE
| case>con~sin/ADP *$thingsMasc.Plur/NOUN/Plur amod>ADJ1(Plur,Masc)?40 conj>YFEATURE
| case>con~sin/ADP *$thingsFem.Plur/NOUN/Plur amod>ADJ1(Plur,Fem)?40 nmod>PP
| case>de/ADP *N(Plur,Masc) amod>ADJ1(Plur,Masc)?30 acl:relcl>RC(Plur,Masc)
| case>de/ADP det>las/DET/Art *N(Plur,Fem) acl:relcl>RC(Plur,Fem)
| case>de/ADP det>los/DET/Art *N(Plur,Masc) acl:relcl>RC(Plur,Masc)
| case>de/ADP *N(Plur,Masc) amod>ADJ1(Plur,Masc)?40 nmod>PP
| case>de/ADP *N(Plur,Fem) amod>ADJ1(Plur,Fem)?40 nmod>PP
| case>de/ADP *N(Plur,Masc) conj>ANDN
| case>de/ADP *familias~zonas~aldeas~casas~culturas~ciudades/NOUN/Plur amod>ADJ1(Plur,Fem)?40 nmod>PP?50
| case>de/ADP *familias~zonas~aldeas~casas~culturas~ciudades/NOUN/Plur acl:relcl>INWHICH
| case>de/ADP *países~pueblos~barrios~hogares/NOUN/Plur amod>ADJ1(Plur,Masc)?30 nmod>PP?50
| case>de/ADP *países~pueblos~barrios~hogares/NOUN/Plur nmod>ENGUERRA
| case>del/ADP amod>primer~tercer~segundo/ADJ *piso~banco~puesto~grupo/NOUN/Sing nmod>PP?40
| case>de/ADP det>la/DET/Art *casa~mesa~acera~tienda/NOUN/Sing nmod>ENFRENTE
ENGUERRA = case>en/ADP *guerra~crisis~desarrollo~paz~ruinas/NOUN/Sing
ENFRENTE = case>de/ADP *enfrente~arriba~abajo~atrás/ADV
YFEATURE = cc>y~o/CCONJ det>muchos~pocos~sus/DET?40 *$features/NOUN
| cc>y~o~ni/CCONJ case>sin~con/ADP?40 *$thingsMasc.Plur/NOUN/Plur
INWHICH = obl>ENLASQUE nsubj>nadie~todos~alguien/PRON *va~fue~trabaja~estudia~vive~habla/VERB/Fin obl>LOC?60
| advmod>donde/ADV nsubj>NP0?60 *$vpp.Plur/VERB/Fin+Plur advmod>$manner/ADV?50
| obl>ENLASQUE nsubj>NP0?50 *VP0(Plur,Masc)
ENLASQUE = case>en/ADP det>las/DET/Art *que/PRON/Rel
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
| 1.6# *CORE({n},{g}) nmod>PPLONG
| 0.4# *CORE({n},{g}) nmod>PP nmod>PP acl:relcl>RC({n},{g})
| 0.3# *CORE({n},{g}) acl>PART({n},{g}) nmod>PP
| 0.3# *CORE({n},{g}) acl>PART({n},{g}) acl:relcl>RC({n},{g})
| 0.15# *CORE({n},{g}) punct>–_~—_/PUNCT appos>APPOS({n},{g}) punct>_–~_—/PUNCT
| 0.7# *CORE({n},{g}) punct>_,/PUNCT appos>APPOS({n},{g}) punct>_,/PUNCT
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
| 1.7# *SPECIAL{n}({g})
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
COREPlur(g) = 0.6# *$numbers/NUM nmod>DECADA
| 0.5# *cientos~miles~docenas~millones~montones~decenas/NOUN/Plur nmod>DEBARE
| 0.4# det>THE(Plur,{g}) nummod>$numbers/NUM amod>primeros~últimos~primeras~últimas/ADJ/Plur *N(Plur,{g})
| 0.3# advmod>casi~unos~apenas/ADV nummod>$numbers+ages/NUM *N(Plur,{g})
| 0.5# det>el/DET/Art nummod>80~20~30~65~90~10/NUM *%~_%/SYM nmod>DEDEF
| 0.2# det>el~un/DET/Art nummod>80~diez~30~veinte/NUM *%~_%/SYM nmod>DEDEF
| 0.4# det>la/DET/Art *mayoría~mitad~minoría~mayor/NOUN/Sing nmod>DEDEF
| 0.3# advmod>MASDE det>la/DET/Art *mitad~tercera/NOUN/Sing nmod>DEDEF
| 0.3# advmod>casi/ADV det>ALL(Plur,{g}) det>THE(Plur,{g}) *N(Plur,{g}) amod>ADJ1(Plur,{g})?30
| 0.2# det>la/DET/Art *mayoría~mitad/NOUN/Sing
| 2# nummod>$numbers/NUM *N(Plur,{g}) amod>ADJ1(Plur,{g})?30
| det>THE(Plur,{g}) nummod>$numbers/NUM *N(Plur,{g})
| det>la/DET/Art *mayoría~mitad~minoría/NOUN/Sing nmod>DEDEF
MASDE = *más~menos/ADV fixed>de/ADP
CORESing(g) = 0.4# *uno~una/NUM nmod>DECADA
| 0.4# det>esta~esa~cierta/DET *clase~especie~gente/NOUN/Sing nmod>DEBARE
| 0.3# det>un/DET/Art *grupo~montón~tercio~cuarto/NOUN/Sing nmod>DEDEF
| det>la/DET/Art *gente/NOUN/Sing amod>ADJ1(Sing,Fem)?45
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
CASEOBJ = case>en~con~de~para/ADP *$skills+massFem+massMasc.Sing/NOUN
HEADPRONPlur(g) = 3# *THOSE{g} acl:relcl>RC(Plur,{g})
| *quienes/PRON/Rel acl:relcl>RC0(Plur,{g})
| 0.4# *THOSE{g} nmod>DENOSOTROS acl:relcl>RC(Plur,{g})
| 0.5# advmod>solo~incluso~hasta~casi/ADV *THOSE{g} acl:relcl>RC(Plur,{g})
| *THOSE{g} nmod>PP
| *ALL{g} nmod>DEDEF
| *DETPRON{g}
| *DETPRON{g} nmod>DEDEF
| *ellos~ellas~nosotros~ustedes/PRON/Nom+Plur+Prs
| cc:preconj>ni/CCONJ *CORE(Plur,{g}) conj>NINP
| det>ALL(Plur,{g}) *THOSE{g} acl:relcl>RC(Plur,{g})
DENOSOTROS = case>de~entre/ADP *nosotros~ellos~ustedes/PRON/Prs
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
SPECIALPlur(g) = 5# *COORD
| det>THE(Plur,{g}) *$groupadj.{g}Plur/ADJ/Plur
| det>THE(Plur,{g}) amod>mayores~menores/ADJ/Plur *N(Plur,{g}) nmod>OVERAGE
| *N(Plur,{g}) nmod>OVERAGE
| *$numbers/NUM nmod>DECADA
| det>los/DET/Art advmod>más~muy/ADV *$groupadj.MascPlur/ADJ/Plur
| 0.8# det>los/DET/Art *$surnames/PROPN
| 0.5# *$fans.Plur/NOUN/Plur nmod>DEORG
| 1.5# det>THE(Plur,Masc) *$fans.Plur/NOUN/Plur nmod>DEORG
| 0.5# det>los/DET/Art *testigos~hijos~seguidores/NOUN/Plur nmod>DEJEHOVA
| 0.4# det>los/DET/Art *$fans.Plur/NOUN/Plur nmod>DEORG acl:relcl>RC(Plur,Masc)
DEORG = case>de/ADP *$orgs/PROPN
| case>del/ADP *K-pop~Barcelona~Betis~rock~rap~manga~Papa~Madrid/PROPN
| case>del/ADP *Real~Atlético/PROPN flat>Madrid~Betis~Murcia/PROPN
| case>de/ADP *Star~Harry~Taylor~Black~Silicon~Médicos~Cruz/PROPN flat>Wars~Potter~Swift~Valley~Roja/PROPN
| case>de/ADP *$names/PROPN flat>$surnames/PROPN
| case>de/ADP *Black/PROPN flat>Lives/PROPN flat>Matter/PROPN
DEJEHOVA = case>de/ADP *Jehová~Dios~Cristo~Buda~Alá/PROPN
SPECIALSing(g) = 2.5# *$names/PROPN
| *$names/PROPN flat>$names/PROPN
| *$names/PROPN flat>$surnames/PROPN
| *$names/PROPN punct>_,/PUNCT appos>APPOS(Sing,{g}) punct>_,/PUNCT
| *don~doña/PROPN flat>$names/PROPN
| 0.6# *doña~don/PROPN flat>$names/PROPN punct>_,/PUNCT appos>APPOS(Sing,{g}) punct>_,/PUNCT
| 0.6# det>la~el/DET/Art *abuela~tío~profesora~doctor/NOUN/Sing appos>$names/PROPN punct>_,/PUNCT \
  appos>APPOS(Sing,{g}) punct>_,/PUNCT
| det>mi~tu~su/DET/Prs *$people{g}.Sing/NOUN/Sing appos>$names/PROPN
| 0.5# det>mi~tu~su/DET/Prs *$people{g}.Sing/NOUN/Sing appos>$names/PROPN punct>_,/PUNCT acl:relcl>RC(Sing,{g}) \
  punct>_,/PUNCT
| 0.4# det>el/DET/Art *barrio~pueblo~valle/NOUN/Sing nmod>DENAME punct>_,/PUNCT appos>CUNA punct>_,/PUNCT
| det>la/DET/Art *señora~profesora~doctora~tía/NOUN/Sing appos>$names/PROPN
| det>el~mi/DET/Art *señor~profesor~doctor~tío/NOUN/Sing appos>$names/PROPN
| det>la/DET/Art *generación/NOUN/Sing nmod>Z~X/PROPN
| det>mi~tu~su/DET/Prs *$people{g}.Sing/NOUN/Sing appos>$names/PROPN punct>_,/PUNCT appos>APPOS(Sing,{g}) \
  punct>_,/PUNCT
DENAME = case>de/ADP *$countries+names/PROPN
CUNA = *cuna~tierra~patria~hogar/NOUN/Sing nmod>DEBARE
DECADA = case>de/ADP det>cada/DET *cuatro~diez~cinco/NUM nmod>DEBARE?20
| 2# case>de/ADP det>cada/DET nummod>cuatro~diez~cinco~tres~cien/NUM *$peopleMasc.Plur/NOUN/Plur
DEBARE = case>de/ADP *$peopleMasc.Plur/NOUN/Plur
COORD = 3# *CORE(Plur,Masc) conj>ANDNP
| *CORE(Plur,Masc) nmod>PP conj>ANDTAIL
| *CORE(Plur,Fem) conj>ANDTAIL
| 0.5# *CORE(Plur,Masc) acl:relcl>RC(Plur,Masc) conj>ANDTAIL
| 0.5# *N(Plur,Masc) conj>COMMAN conj>COMMAN conj>ANDN
| 2# *CORE(Plur,Fem) conj>ANDNP
| *CORE(Plur,Fem) conj>COMMANP conj>ANDNP
| *N(Plur,Masc) conj>COMMAN conj>ANDN
| *N(Plur,Fem) conj>ANDN
| *$names/PROPN conj>ANDNAME
| *CORE(Plur,Masc) nmod>PP conj>ANDNP
| *CORE(Plur,Masc) conj>ANDNP acl:relcl>RC(Plur,Masc)
| cc:preconj>tanto/CCONJ *CORE(Plur,Masc) conj>COMONP
ANDTAIL = cc>y~o/CCONJ *CORE(Plur,Masc) nmod>PP
| cc>y/CCONJ *CORE(Plur,Fem) nmod>PP
| cc>y/CCONJ *CORE(Plur,Fem) acl:relcl>RC(Plur,Fem)
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
| 0.7# *N({n},{g}) amod>ADJ1({n},{g})
| 0.7# *N({n},{g}) nmod>PP nmod>PP?20
| 0.7# *N({n},{g}) advmod>DESDE
| 0.6# det>THE({n},{g}) *N({n},{g}) acl:relcl>RC({n},{g})
| 0.6# *ONE{g} acl:relcl>RC({n},{g})
| 0.6# *THE({n},{g}) acl:relcl>RC({n},{g})
| 0.5# det>los/DET/Art *$surnames/PROPN
| 0.8# det>una~la/DET/Art amod>primera~última~nueva/ADJ?50 *gente~generación~familia~raza~nación~pareja/NOUN/Sing \
  amod>ADJ1(Sing,Fem)?70 nmod>PP?20
| 0.5# *gente/NOUN/Sing amod>ADJ1(Sing,Fem)
| 0.5# *gente/NOUN/Sing nmod>PP
| 0.5# det>un/DET/Art *pueblo~grupo~colectivo~gremio/NOUN/Sing amod>ADJ1(Sing,Masc)?80 nmod>PP?20
| 0.5# det>esos~esas~estos/DET *N(Plur,Masc) amod>ADJ1(Plur,Masc)?70
| 0.4# det>nuestra~mi~nuestro/DET *N(Sing,{g}) nmod>PP?60
| 0.5# *$adj.{g}{n}/ADJ/{n} conj>ANDADJ({n},{g})
| 0.4# advmod>siempre~muy~tan/ADV *$adj.{g}{n}/ADJ/{n}
| *N({n},{g}) nmod>PP
| det>THE({n},{g}) amod>$fronted.{g}{n}/ADJ/{n}?50 *N({n},{g}) nmod>PP?50
| advmod>incluso~especialmente/ADV det>THE({n},{g}) *N({n},{g}) amod>ADJ1({n},{g})
DESDE = case>desde/ADP *joven~siempre~niño~niña~ayer/ADV
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
| case>de/ADP *$skills+massFem.Sing/NOUN
| case>de/ADP det>los~las/DET/Art *$inplaces/NOUN/Plur amod>pequeños~grandes~antiguas~modernas/ADJ/Plur?40
| case>de/ADP *verdad~ciudad~pueblo~oficina~fiesta~ley~familia~campo~letras~ciencias~honor~barrio~moda/NOUN/Sing
| case>de/ADP det>mi~su~tu~nuestra/DET/Prs *oficina~clase~calle~familia~escuela~edad~ciudad~empresa/NOUN/Sing
| case>de/ADP det>la/DET/Art nummod>primera~última~segunda/ADJ?50 *fila~planta~barra~esquina~puerta~\
  mesa/NOUN/Sing
| case>a/ADP *tiempo~distancia/NOUN/Sing amod>parcial~completo/ADJ
| case>en/ADP *paro~casa~forma~silla~pareja~traje~bicicleta/NOUN/Sing
| 0.6# case>como/ADP *ellos~él~yo~$names/PRON/Prs
| 0.5# case>a~al/ADP *volante~mando~cargo~dieta/NOUN/Sing nmod>DEBARE?30
PART(n,g) = *$vt.{g}{n}/VERB/Part advmod>$manner/ADV?30 obl>PORNP
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
| 0.7# nsubj>que/PRON/Rel *$vpp.{n}/VERB/Fin+{n} obl>LOC obl>LOC
| 0.5# nsubj>que/PRON/Rel *$vthat.{n}/VERB/Fin+{n} ccomp>QUECL
| 0.5# nsubj>que/PRON/Rel *$vt.{n}/VERB/Fin+{n} obj>OBJ xcomp>solos~juntos~cansados~contentos/ADJ/Plur
| 0.5# nsubj>que/PRON/Rel *$vt.{n}/VERB/Fin+{n} obj>OBJ obl>LOC
| 0.5# obl:arg>ALOSQUE nsubj>NP0 *$vpast/VERB/Fin+Plur
| 0.6# nsubj>que/PRON/Rel *$vpast/VERB/Fin+Plur obj>OBJ obl>LOC?40
| 0.5# nsubj>que/PRON/Rel *VP0({n},{g}) obl>TODOS
| 0.4# nsubj>que/PRON/Rel *$vpp.{n}/VERB/Fin+{n} advmod>lejos~cerca/ADV obl>DELUGAR
| 0.4# advmod>donde/ADV *$vpp.{n}/VERB/Fin+{n} nsubj>NP0
| 0.4# advmod>donde/ADV nsubj>NP0 *$vpp.Plur/VERB/Fin+Plur
| nsubj>que/PRON/Rel aux>HAN{n} *$vi.Part/VERB/Part obl>LOC?50
DELUGAR = case>de/ADP det>la/DET/Art *$placesFem+rooms/NOUN/Sing
| case>del/ADP *$placesMasc+airports/NOUN/Sing
RC0(n,g) = *VP0({n},{g})
QUECASE = case>con~en~de~para/ADP det>los~las/DET/Art?70 *que~quienes/PRON/Rel
ALOSQUE = case>a/ADP det>los~las/DET/Art *que/PRON/Rel
CUYOS = det>cuyos/DET/Rel *$peopleMasc+thingsMasc.Plur/NOUN/Plur
CUYAS = det>cuyas/DET/Rel *$peopleFem+thingsFem.Plur/NOUN/Plur
LIKED = det>el/DET/Art *$massMasc.Sing/NOUN/Sing
| det>la/DET/Art *$placesFem+massFem.Sing/NOUN/Sing
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
| 0.3# cop>BE({n}) advmod>todos~todas/PRON/Tot *AP({n},{g})
| 0.3# advmod>no/ADV?20 cop>BE({n}) *ONE{g} acl:relcl>MASRC
| 0.4# advmod>no/ADV?20 cop>BE({n}) advmod>como~solo~siempre/ADV *NOM({n},{g})
| 0.5# aux>MODAL{n} cop>ser/AUX/Inf *AP({n},{g})
| 0.2# obl>PORLO cop>BE({n}) *AP({n},{g})
MASRC = nsubj>que/PRON/Rel advmod>más~menos~mejor~peor/ADV *$vi.Plur/VERB/Fin+Plur
BEST(n) = *BETTER{n}
BETTER(n) = *BETTER{n}
BETTERPlur = *mejores~peores/ADJ/Plur
BETTERSing = *mejor~peor/ADJ/Sing
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
| 0.3# *BETTER({n}) obl>QUENP
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
| det>THE({n},{g}) amod>BEST({n}) *N({n},{g}) nmod>PP?30
| *gente/NOUN/Sing amod>ADJ1(Sing,Fem)
| *personas/NOUN/Plur amod>ADJ1(Plur,Fem)
| det>THE({n},{g}) advmod>más~menos/ADV *$adj.{g}{n}/ADJ/{n} nmod>PP?30
| *N({n},{g}) nmod>PP
PPPRED = case>en/ADP *forma~peligro~casa~crisis~contra~deuda/NOUN/Sing
| case>de/ADP *confianza~moda~fiar~mal/NOUN/Sing obl>CASEOBJ?20
| case>a~en/ADP det>la/DET/Art *$placesFem/NOUN/Sing
OBJ = 2# det>los~sus~mis/DET/Art?50 *$thingsMasc.Plur/NOUN/Plur amod>ADJ1(Plur,Masc)?30
| 2# det>las~sus/DET/Art?50 *$thingsFem.Plur/NOUN/Plur amod>ADJ1(Plur,Fem)?30
| 1.5# det>el/DET/Art?40 *$massMasc.Sing/NOUN/Sing
| 1.5# det>la/DET/Art?40 *$massFem.Sing/NOUN/Sing
| det>mucho~poco~demasiado~más~tanto/DET/Ind *$massMasc.Sing/NOUN/Sing
| det>mucha~poca~demasiada~más/DET/Ind *$massFem.Sing/NOUN/Sing
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
| case>de/ADP *$massMasc+massFem.Sing/NOUN/Sing
OBL = case>con~para~de~por~sin~sobre/ADP *OBL0
| case>en~durante/ADP det>la/DET/Art *calle~noche~mesa~vida~cocina~escuela/NOUN/Sing
| case>por/ADP det>la/DET/Art *noche~mañana~tarde/NOUN/Sing
| case>a/ADP det>las/DET/Art *fiestas~reuniones~bodas~clases/NOUN/Plur
| case>a/ADP *tiempo~gritos~escondidas~caballo~menudo/NOUN
| case>durante~desde/ADP *horas~años~días/NOUN/Plur
OBL0 = *OBJ
| det>sus~los/DET/Prs *$peopleMasc.Plur/NOUN/Plur
| *$skills+features+massFem.Sing/NOUN
LOC = 2# case>en/ADP amod>pequeñas~grandes/ADJ/Plur?20 *$inplaces/NOUN/Plur amod>grandes~pequeñas~modernas/ADJ/Plur?20
| case>en~a/ADP det>la/DET/Art *$placesFem/NOUN/Sing
| case>en~por/ADP det>el/DET/Art *$placesMasc/NOUN/Sing
| case>en/ADP *$countries/PROPN
| case>con/ADP det>sus/DET/Prs *$peopleMasc.Plur/NOUN/Plur
| case>en/ADP det>el/DET/Art *extranjero~campo~jardín~trabajo/NOUN/Sing
| case>al~del/ADP *cine~mercado~trabajo~bar/NOUN/Sing
| case>en/ADP *casa~verano~invierno~familia/NOUN/Sing
VERBAL(n,g) = 0.5# advmod>tampoco~también~jamás~aún~ya~todavía/ADV *FIN({n},{g})
| 0.3# advmod>ya~aún~todavía/ADV advmod>no/ADV *FIN({n},{g})
| 0.2# advmod>no/ADV advmod>solo~siempre/ADV *FIN({n},{g})
| 0.5# advmod>RARAVEZ *FIN({n},{g})
| 0.4# advmod>no~nunca/ADV?40 *TENER{n} xcomp>QUEINF
| 0.3# advmod>no~nunca~siempre/ADV?40 *$vpast/VERB/Fin+Plur obj>OBJ obl>OBL?30
| 0.8# advmod>AMENUDO *FIN({n},{g})
| 0.3# advmod>AMENUDO expl:pv>se/PRON/Prs *SELF({n},{g})
| 10# advmod>no/ADV?14 advmod>$adverbs/ADV?16 *FIN({n},{g})
| 1.2# advmod>no/ADV?14 advmod>$adverbs/ADV?12 *$modals.{n}/VERB/Fin+{n} xcomp>INFVP
| 1.8# advmod>no/ADV?14 advmod>$adverbs/ADV?10 expl:pv>se/PRON/Prs *SELF({n},{g})
| 1.2# advmod>no~nunca~siempre/ADV?25 obj>lo~la~los~las~le~les/PRON/Prs *$vt.{n}/VERB/Fin+{n} obj>CLITOBJ?60
| 0.3# advmod>no~nunca~siempre/ADV?25 obj>se/PRON/Prs obj>lo~las/PRON/Prs *$vt.{n}/VERB/Fin+{n} obj>todo/PRON/Ind?60
| 0.6# aux>EST{n} *$vt.Ger/VERB/Ger obj>OBJ
| 0.4# advmod>no~siempre/ADV?30 aux>HAN{n} *$vt.Part/VERB/Part obj>OBJ
| 0.6# aux:pass>BE({n}) *$vt.{g}{n}/VERB/Part obl:agent>PORNP?60
| 0.4# aux:pass>BE({n}) *$vt.{g}{n}/VERB/Part xcomp>$adj.{g}{n}/ADJ/{n}
| 0.3# advmod>no/ADV?30 *IRA{n} xcomp>AINF
| 0.3# advmod>rara/ADV obl>vez/NOUN *FIN({n},{g})
RARAVEZ = amod>rara~alguna~cada/ADJ *vez/NOUN
| case>a~en/ADP *veces~menudo~ocasiones~verano/NOUN
| case>en~por~sin/ADP *general~naturaleza~duda~costumbre~supuesto/NOUN
| case>con~de/ADP *frecuencia~facilidad~gusto~vez/NOUN nmod>ENCUANDO?10
ENCUANDO = case>en/ADP *cuando/SCONJ
QUEINF = mark>que/SCONJ *INFVP
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
FIN(n,g) = 1.5# *$vdual.{n}/VERB/Fin+{n} obj>OBJ
| 0.7# *$vdual.{n}/VERB/Fin+{n} obj>AANP
| 0.5# *$vdual.{n}/VERB/Fin+{n} obl>OBL
| 0.4# *$vdual.{n}/VERB/Fin+{n} advmod>MASQUE
| 0.3# *$vdual.{n}/VERB/Fin+{n}
| 2.5# *$vi.{n}/VERB/Fin+{n} advmod>$manner/ADV?65
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
TODOS = det>todos/DET/Tot det>los/DET/Art *días~domingos~veranos~años/NOUN/Plur
| det>todas/DET/Tot det>las/DET/Art *noches~semanas~mañanas~tardes/NOUN/Plur
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
| *$features+fieldsFem.Sing/NOUN
| *miedo~ganas~derecho/NOUN nmod>DEOBJ
INFVP = 0.8# *$vself.Inf/VERB/Inf obl>LOC?50
| 0.4# *$vt.Inf/VERB/Inf obj>OBJ advcl>PARAINF?30
| 2# *$vi.Inf/VERB/Inf advmod>$manner/ADV?50
| 3# *$vt.Inf/VERB/Inf obj>OBJ
| *$vpp.Inf/VERB/Inf obl>LOC
| cop>ser/AUX/Inf *$adj.MascPlur/ADJ/Plur
| *$vt.Inf/VERB/Inf obj>OBJ obl>OBL
NP0 = 3# det>los~los~sus~mis~algunos/DET/Art *$peopleMasc.Plur/NOUN/Plur amod>ADJ1(Plur,Masc)?25
| 2# det>las~las~sus~estas~muchas/DET/Art *$peopleFem.Plur/NOUN/Plur amod>ADJ1(Plur,Fem)?25
GUSTAR = iobj>les/PRON/Prs *gusta~encanta~molesta~cuesta/VERB/Fin+Sing nsubj>LIKED
// what is no group and attribute
OTHER = *COMMAND
| 1.6# *FRONTED
| 1.2# *CSUBJ
| 1.2# *FRAGMENT
| 1.6# *VERBFIRST
| 0.8# *EXIST
| 2.6# *OBJFIRST
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
| obl>AFTERPP punct>_,/PUNCT?50 nsubj>NP(Plur,Fem) *VP(Plur,Fem)
| obl>FRONTPP punct>_,/PUNCT?60 nsubj>NP0 *VP(Plur,Masc)
| obl>AFTERPP punct>_,/PUNCT?60 nsubj>THINGSDEF cop>son/AUX/Fin+Plur *$adj.MascPlur/ADJ/Plur
AFTERPP = advmod>después~antes~lejos~dentro/ADV case>de/ADP det>la~las/DET/Art *guerra~boda~fiestas~escuela~ciudad/NOUN
| case>para~sin~con~según/ADP det>los~mis~sus/DET/Art?70 *$peopleMasc.Plur/NOUN/Plur
| case>sin~con~tras/ADP *$massMasc+massFem.Sing/NOUN/Sing
| case>en/ADP det>las~los/DET/Art *bodas~fiestas~bares~ciudades~guerras~casas~reuniones/NOUN/Plur
FRONTPP = case>según~para~con~sin~desde~entre~durante~contra/ADP det>los~las~la~el/DET/Art?50 \
  *$peopleMasc.Plur+features+massFem+massMasc.Sing/NOUN
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
FRAGMENT = 2# *FRAGNP(Plur,Masc)
| 2# *FRAGNP(Plur,Fem)
| 0.6# *FRAGNP(Sing,Masc)
| *N(Plur,Masc) amod>ADJ1(Plur,Masc) nmod>PP
| advmod>demasiado~muy~tan/ADV *$adj.MascPlur/ADJ/Plur obl>CASEOBJ?60
| *$adj.FemPlur/ADJ/Plur conj>ANDADJ(Plur,Fem)
FRAGNP(n,g) = 2# *CORE({n},{g}) nmod>PP
| *CORE({n},{g}) nmod>PPLONG
| *CORE({n},{g}) acl:relcl>RC({n},{g})
| *CORE({n},{g})
| *N({n},{g}) amod>ADJ1({n},{g}) nmod>PP
| *CORE({n},{g}) acl>PART({n},{g})
VERBFIRST = 0.8# obl>DETRAS *vive~está~hay~duerme~trabaja/VERB/Fin+Sing nsubj>A1
| 0.6# obl>DETRAS *viven~duermen~trabajan~esperan/VERB/Fin+Plur nsubj>NP0
| 0.6# advmod>nunca~jamás~siempre~bien~poco~mucho/ADV *$vt.Plur/VERB/Fin+Plur obj>OBJ?60 nsubj>NP0
| 0.6# *$vt+vpp+vi.Plur/VERB/Fin+Plur advmod>siempre~mucho~bien~mal~nunca/ADV advmod>tarde~pronto~poco/ADV?40 nsubj>NP0
| 2# *$vi.Plur/VERB/Fin+Plur advmod>$manner/ADV?60 nsubj>NP0
| advmod>no/ADV?20 *$vt.Plur/VERB/Fin+Plur obj>OBJ nsubj>NP0
| cop>son~están/AUX/Fin+Plur advmod>muy/ADV?40 *$adj.MascPlur/ADJ/Plur nsubj>NP0
| *$adj.MascPlur/ADJ/Plur cop>son/AUX/Fin+Plur nsubj>NP0
| advmod>$manner/ADV *$vi.Plur/VERB/Fin+Plur nsubj>NP0
| expl:pv>se/PRON/Prs *$vself.Plur/VERB/Fin+Plur advmod>$manner/ADV?40 nsubj>NP0
| punct>¿_/PUNCT *$vi.Plur/VERB/Fin+Plur nsubj>NP0 punct>_?/PUNCT
| punct>¿_/PUNCT cop>son/AUX/Fin+Plur *$adj.MascPlur/ADJ/Plur nsubj>NP0 punct>_?/PUNCT
| punct>¿_/PUNCT *por~cómo~cuándo/ADV advmod>qué/PRON
A1 = det>una/DET/Art *$peopleFem.Sing/NOUN/Sing amod>ADJ1(Sing,Fem)?30
| det>un/DET/Art *$peopleMasc.Sing/NOUN/Sing amod>ADJ1(Sing,Masc)?30
DETRAS = advmod>detrás~cerca~debajo~dentro~delante/ADV case>de/ADP det>cada~la~toda/DET *$placesFem+rooms/NOUN/Sing
| case>en~bajo~tras~junto/ADP det>cada~la~esta/DET *$placesFem+rooms/NOUN/Sing
EXIST = advmod>no~siempre~nunca/ADV?60 *había~hubo~hay~habrá/VERB/Fin obj>EXNP obl>LOC?40
| *hay/VERB/Fin obj>NP(Plur,Masc)
| *hay/VERB/Fin obj>NP(Plur,Fem)
| *existen~quedan~abundan~faltan/VERB/Fin+Plur nsubj>NP(Plur,Masc)
| *hay/VERB/Fin obj>EXNP
EXNP = det>pocos~muchos~demasiados/DET/Ind *$peopleMasc.Plur/NOUN/Plur amod>ADJ1(Plur,Masc)?50 nmod>PP?60
OBJFIRST = 1.2# obj>TOPIC advmod>no~nunca/ADV?40 *$vt.Plur/VERB/Fin+Plur nsubj>NP0
| 0.6# obj>TOPIC punct>_,/PUNCT advmod>no~nunca~siempre/ADV?40 *$vt.Plur/VERB/Fin+Plur nsubj>NP0
| 0.6# obj>TOPIC punct>_,/PUNCT nsubj>NP0 advmod>no~nunca/ADV?30 *$vt.Plur/VERB/Fin+Plur
| 0.6# obj>OBJDEF punct>_,/PUNCT nsubj>NP0 advmod>no~nunca/ADV?30 obj>lo~la~los~las/PRON/Prs *$vt.Plur/VERB/Fin+Plur
| 0.6# obj>AANP obj>lo~la~los~las/PRON/Prs *$vt.Plur/VERB/Fin+Plur nsubj>NP0
| 0.6# obl:arg>AANP nsubj>nadie~todos/PRON iobj>le~les/PRON/Prs *$vt.Sing/VERB/Fin+Sing obj>OBJ
| 0.5# obl:arg>TOPICPP *$vde.Plur/VERB/Fin+Plur advmod>mucho~siempre~poco/ADV?40 nsubj>NP0
| 1.6# obj>OBJDEF obj>lo~la~los~las/PRON/Prs *$vt.Plur/VERB/Fin+Plur nsubj>ALLNP
| 2# obl:arg>ANP advmod>no~nunca~siempre/ADV?30 obj>les/PRON/Prs *gusta~encanta~molesta~cuesta~interesa~\
  importa/VERB/Fin+Sing advmod>mucho~poco/ADV?20 nsubj>LIKED
| 2# obj>OBJDEF obj>lo~la~los~las/PRON/Prs *$vt.Plur/VERB/Fin+Plur nsubj>NP0
| obl:arg>ANP obj>les/PRON/Prs *gustan~encantan~molestan~faltan/VERB/Fin+Plur nsubj>THINGSDEF
| obl:arg>ANP obj>los~las/PRON/Prs *$vt.Plur/VERB/Fin+Plur nsubj>NP0
TOPIC = *$massMasc+massFem.Sing/NOUN/Sing
| det>mucho~poco~demasiado/DET *$massMasc.Sing/NOUN/Sing
| det>mucha~poca~demasiada/DET *$massFem.Sing/NOUN/Sing
| *$thingsFem+thingsMasc.Plur/NOUN/Plur
| *$thingsFem.Plur/NOUN/Plur amod>ADJ1(Plur,Fem)
| det>tantos~muchos~pocos/DET *$thingsMasc.Plur/NOUN/Plur
| *$thingsMasc.Plur/NOUN/Plur conj>ANDTHING
TOPICPP = case>de~sobre/ADP *$massMasc+massFem+thingsMasc.Plur/NOUN
AANP = case>a/ADP det>mi~su~nuestra/DET *$peopleFem.Sing/NOUN/Sing
| case>a/ADP *NP0
| case>al/ADP *$peopleMasc.Sing/NOUN/Sing
ALLNP = det>todos/DET/Tot det>los/DET/Art *$peopleMasc.Plur/NOUN/Plur
| det>todas/DET/Tot det>las/DET/Art *$peopleFem.Plur/NOUN/Plur
OBJDEF = det>el/DET/Art *$massMasc.Sing/NOUN/Sing
| det>la/DET/Art *$massFem.Sing/NOUN/Sing
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
    """An entry of a list with its regular forms added, and those of verbs with the participles that agree."""
    if name in _VERBS:
        return _conjugate(entry)
    if ":" in entry:
        return entry
    if name.startswith(_NOUNS):
        return f"{entry}:{_plural(entry)}"
    if name in _ADJECTIVES:
        feminine = entry[:-1] + "a" if entry.endswith("o") else entry
        return f"{entry}:{_plural(entry)}:{feminine}:{_plural(feminine)}"
    return entry


def _conjugate(entry: str) -> str:
    """Infinitive, third persons, gerund, participle, and the participle once more with its gender and number."""
    if ":" not in entry:
        stem, vowel = entry[:-2], entry[-2]
        theme, gerund, ending = ("a", "ando", "ado") if vowel == "a" else ("e", "iendo", "ido")
        entry = f"{entry}:{stem}{theme}n:{stem}{theme}:{stem}{gerund}:{stem}{ending}"
    participle = entry.rpartition(":")[2]
    feminine = participle.removesuffix("o") + "a"
    return f"{entry}:{participle}:{participle}s:{feminine}:{feminine}s"


def _plural(word: str) -> str:
    if word.endswith("z"):
        return word[:-1] + "ces"
    return word + ("s" if word[-1] in "aeioué" else "es")
