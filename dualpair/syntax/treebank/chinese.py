"""Chinese generic sentences: [group][attribute], with the trees that UD gives them."""

from __future__ import annotations

from dataclasses import replace

from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.rules import read_grammar
from dualpair.syntax.treebank.trees import Tree

GRAMMAR = read_grammar(
    r"""
S = 10# *CLAUSE punct>STOP?90
| 1.7# *OTHER punct>STOP?90
| 0.3# *CLAUSE discourse>吗~呢/PART punct>？/PUNCT
STOP = 9# *。/PUNCT
| *！/PUNCT
| 0.3# *？/PUNCT
CLAUSE = 12# nsubj>NP *VP
| 0.3# nsubj>NP *VP punct>，/PUNCT conj>BUT
| 0.2# nsubj>NP punct>，/PUNCT *VP
| 0.2# nsubj>NP punct>——/PUNCT *VP
BUT = mark>但~但是~而且~却/SCONJ *VP0
// noun phrases
NP = 4.5# *CORE
| 2.4# acl:relcl>RC *HEAD
| 0.5# acl:relcl>RC *ADJN
| 0.6# acl:relcl>RC acl:relcl>RC *HEAD
| 0.5# nmod>FROMDE acl:relcl>RC *HEAD
| 0.5# acl:relcl>RC nmod>FROMDE *HEAD
| 1.4# nmod>FROMDE *CORE
| 0.4# nmod>OF *CORE
| 1# nmod>OF *HEAD
| 0.5# nmod>POSS acl:relcl>RC *HEAD
| 0.8# nmod>POSS *CORE
| 0.6# nmod>AGEDE *HEAD
| 2.6# *COORD
| 0.9# *SPECIAL
| 0.5# *APPOS
| 0.3# det>DETP acl:relcl>RC *HEAD
| 0.3# *CORE punct>（_/PUNCT appos>PARENNP punct>）/PUNCT
| 0.8# *DEHEAD
PARENNP = advmod>尤其是~特别是~包括~主要是/ADV *CORE
| *CORE
HEAD = *$people+people+people+generic+morepeople/NOUN
ADJN = amod>ADJ *HEAD
CORE = 6# *HEAD
| 1.5# amod>$groupadj/ADJ *HEAD
| 1.6# amod>ADJDE *HEAD
| 0.7# acl:relcl>DEGADJ *HEAD
| 1.6# compound>$relational+places+morethings+things/NOUN *HEAD
| 0.3# compound>$relational/NOUN compound>$morethings/NOUN *HEAD
| 0.4# det>没有一个~没有~哪个/DET *ADJHEAD
| 0.3# amod>在职~在校~在读~在家~对外/ADJ *HEAD
| 0.4# compound>女~男~老~小~大/ADJ *HEAD
| 1.5# det>$determiners/DET *ADJHEAD
| 0.3# det>ALLDE *ADJHEAD
| 1.2# det>EACH *ADJHEAD
| 1.2# nummod>NUMCL *ADJHEAD
| 0.5# det>DETP *ADJHEAD
| 0.4# punct>“_/PUNCT *HEAD punct>”/PUNCT
| 0.2# punct>“_/PUNCT amod>$adj+moreadj/ADJ *HEAD punct>”/PUNCT
| 0.2# amod>ADJDE amod>ADJDE *HEAD
| 0.2# punct>“_/PUNCT *$moreadj+morethings/NOUN punct>”/PUNCT
| 0.4# *SUFFIXED
SUFFIXED = *$people+morepeople/NOUN dep>们/PART
ADJHEAD = 3# *HEAD
| amod>$groupadj/ADJ *HEAD
| amod>ADJDE *HEAD
| compound>$relational/NOUN *HEAD
ADJ = *$groupadj+adj/ADJ
ADJDE = *$adj+adj+groupadj+moreadj/ADJ mark:rel>的/SCONJ
| *$adj/ADJ conj>ADJCONJ mark:rel>的/SCONJ
ADJCONJ = cc>又~而~且~、/CCONJ *$adj/ADJ
DEGADJ = advmod>很~最~非常~比较~特别~不~更/ADV *$adj+groupadj+moreadj/ADJ mark:rel>的/SCONJ
ALLDE = *所有~大多数~绝大多数~一部分/DET case>的/PART
EACH = *每/DET clf>个~位~名/NOUN
| *某/DET clf>些~个/NOUN
| *一/NUM clf>些~个/NOUN
DETP = *这~那~哪/DET clf>些~个~位~群/NOUN
NUMCL = *$numerals/NUM clf>个~位~名~对~群~个/NOUN
FROM = case>来自~在/ADP *$places/NOUN
POSS = *我~我们~他们~他~她~你~咱们/PRON case>的/PART
| *我~他~她/PRON
| *$names/PROPN case>的/PART
| *$people+generic/NOUN case>的/PART
OF = *$places+places+people+morethings/NOUN case>的/PART
| nmod>$places/NOUN *$morethings+places/NOUN case>的/PART
FROMDE = case>来自/ADP amod>$groupadj/ADJ?20 *$places/NOUN mark:rel>的/SCONJ
| case>来自/ADP compound>$places/NOUN *城市~小城~农村~地区~山区~小镇~大城市/NOUN mark:rel>的/SCONJ
AGEDE = *AGE case>的/PART
AGE = nummod>$ages/NUM *岁/NOUN case>以上~以下~左右~出头/ADP
| nummod>$ages/NUM *多岁~来岁/NOUN
| *中年~青春期~更年期~适婚年龄~学龄前/NOUN
COORD = 0.15# *HEAD conj>HEAD
| 3.5# amod>$groupadj/ADJ?15 *爷爷~爸爸~哥哥~兄弟~老师~外公~叔叔~弟弟/NOUN \
  conj>奶奶~妈妈~姐姐~姐妹~同学~外婆~阿姨~妹妹/NOUN
| 3# *CORE conj>ANDNP
| *CORE conj>COMMANP conj>ANDNP
| *HEAD conj>COMMAHEAD conj>ANDHEAD
| *CORE conj>COMMANP
| 0.6# nmod>POSS *HEAD conj>ANDNP
| 0.6# acl:relcl>RC *HEAD conj>ANDNP
| 0.5# *$names/PROPN conj>ANDNAME
| 0.4# *CORE conj>ANDRC
ANDRC = cc>和~与/CCONJ acl:relcl>RC *HEAD
ANDNP = cc>和~和~和~或~与~跟~或者~以及/CCONJ *CORE
ANDHEAD = cc>和~或~与/CCONJ *HEAD
COMMANP = punct>、/PUNCT *CORE
COMMAHEAD = punct>、/PUNCT *HEAD
ANDNAME = cc>和~跟/CCONJ *$names/PROPN
| cc>和/CCONJ nmod>POSS *$people/NOUN
SPECIAL = 2# *他们~她们~我们~她~他~咱们~大家~你们/PRON
| 2# *$names/PROPN
| *八零后~九零后~零零后~80后~90后~00后~70后/NOUN
| *Z世代~X世代~千禧一代~婴儿潮一代/NOUN
| *有人~有些人~很多人~没人~人人~谁/PRON
| *多数~大多数~少数~半数/NUM
| nmod>AGE *HEAD
| nummod>四分之三~三分之二~百分之八十~一半/NUM case>的/PART?80 *HEAD
APPOS = nmod>POSS *$people/NOUN appos>$names/PROPN
| *HEAD appos>$names/PROPN
| *$names/PROPN punct>，/PUNCT appos>APPNP punct>，/PUNCT
APPNP = nummod>ONECL amod>ADJDE *HEAD
| nmod>POSS *HEAD
ONECL = *一/NUM clf>个~位~名/NOUN
DEHEAD = 0.6# acl:relcl>RC0 *的/PART
| det>那些~这些/DET acl:relcl>RC0 *的/PART
| *那些~这些/DET acl:relcl>RC
RC0 = *FEATURE
| *VERBP
RC = *RCIN mark:rel>的/SCONJ
RCIN = 2.4# *FEATURE
| 3# advmod>不~没~常常~经常~从来不~总~喜欢~爱~很少/ADV?30 *VERBP
| 1.3# *LIVE
| 0.7# aux>会~不会~能~想~不想~应该/AUX *VERBP
| 0.8# nsubj>SHORTNP *$vt+moreverbs/VERB
| 0.6# nsubj>$people+traits+features/NOUN *VERBP
| 0.7# nsubj>$traits/NOUN advmod>$degree/ADV?60 *$traitadj/ADJ
| 0.5# obl>BYNP *带大~养大~抚养~照顾~培养~教育/VERB
| 0.5# *VERBP conj>RCAND
| 0.5# aux:pass>被/AUX nsubj>HEAD?50 *$vt/VERB
| 0.5# obl>PLACEIN *VERBP aux>过/AUX?60
| 0.4# *$vt/VERB aux>过~了/AUX obj>THING
| 0.4# *$vt/VERB advmod>不/ADV compound:ext>懂~起~完~到/VERB obj>THING
| 0.3# *出生~成长~毕业~生活~居住/VERB obl>ATPLACE
RCAND = cc>又~并且~而且/CCONJ?70 *VERBP
BYNP = case>由~被/ADP *$people/NOUN conj>ANDHEAD?30
SHORTNP = *大家~我们~别人~他们~我~人们/PRON
| *$people+generic/NOUN
FEATURE = advmod>不~没~常~总/ADV?20 *$featureverbs.Verb/VERB obj>$features+things/NOUN
| *戴~穿~有~养~留~开~抽~喝~学~没有~拥有~喜欢/VERB obj>$features+things/NOUN
| advmod>没~没有/ADV *上过~读过~学过~去过/VERB obj>学~大学~书~国外~数学/NOUN
LIVE = *住~生活~工作~出生~长大~居住/VERB obl>ATPLACE
| obl>PLACEIN *住~生活~工作~长大~出生~上班~上学~读书~做生意/VERB
| *住/VERB mark>在/ADP obj>$places/NOUN
ATPLACE = case>在~于/ADP *$places/NOUN case>里/ADP?20
PLACEIN = case>在/ADP amod>大~小/ADJ?15 *$places/NOUN case>里~上/ADP?25
// predicates
VP = 3.2# *ADJP
| 2.3# *TRAIT
| 8# *VERBAL
| 1.4# *MANNER
| 1.6# *NOMINAL
| 1.2# *COMPARE
| 0.6# *VERBAL conj>VAND
| 0.4# *ADJP conj>ADJAND
VAND = cc>又~还~也~并且/CCONJ *VERBP
| punct>，/PUNCT advmod>也~还/ADV *VERBP
ADJAND = cc>又~也/CCONJ *$adj/ADJ
| punct>，/PUNCT advmod>$degree/ADV *$adj/ADJ
VP0 = *ADJP
| *VERBAL
ADJP = 0.5# advmod>不~很/ADV *多~少~大~小~高~好~强/ADJ
| 6# advmod>$frequency/ADV?18 advmod>$degree/ADV *$adj+adj+moreadj/ADJ
| 0.8# *$adj/ADJ
| 0.8# advmod>$frequency/ADV *$adj/ADJ
| 0.6# advmod>又/ADV?50 *$adj/ADJ conj>YOUADJ
| 0.5# obl>TOWARD advmod>$degree/ADV *$adj/ADJ
| 0.3# *$adj/ADJ advmod>得很~极了/ADV
| 0.5# punct>“_/PUNCT *$adj+moreadj/ADJ punct>”/PUNCT
| 0.9# advmod>看起来~显得~看上去~变得/ADV advmod>$degree/ADV *$adj/ADJ
| 0.3# cop>是/AUX *$adj+groupadj/ADJ mark:rel>的/SCONJ
YOUADJ = cc>又~而/CCONJ *$adj/ADJ
TOWARD = case>对~跟~和~为~向~给~替/ADP *HEADOBJ
| 0.6# case>对~跟~和~为~给/ADP *NP
HEADOBJ = *$people+people+things/NOUN
| nmod>POSS *$people/NOUN
TRAIT = 1.5# nsubj>话~钱~字~嘴~心~胆~脸~眼~手~脑子~主意/NOUN advmod>$degree/ADV *$traitadj/ADJ
| 3# nsubj>$traits+traits+things+features/NOUN advmod>$frequency/ADV?12 advmod>$degree/ADV *$traitadj/ADJ
| nsubj>$traits/NOUN advmod>$degree/ADV *$adj+moreadj/ADJ
| nsubj>$traits/NOUN *$traitadj+adj/ADJ
| 0.4# nsubj>$traits/NOUN advmod>比较~更/ADV?50 *$traitadj/ADJ conj>TRAITAND
TRAITAND = punct>，/PUNCT nsubj>$traits/NOUN advmod>$degree/ADV *$traitadj/ADJ
COMPARE = obl>BI advmod>更~还/ADV?35 *$adj/ADJ
| obl>BI nsubj>$traits/NOUN?50 advmod>更/ADV?40 *$traitadj/ADJ
| obl>BI advmod>更/ADV *VERBP
| obl>BI *$adj/ADJ advmod>得多~一点~多了/ADV
BI = case>比/ADP *CORE
| case>跟~和/ADP *CORE advmod>一样/ADV
MANNER = advmod>$frequency/ADV?12 *$short/VERB mark>得/PART ccomp>QUALITY
| csubj>$vi/VERB advmod>$frequency/ADV?15 *QUALITY
| obj>$things/NOUN *$short/VERB mark>得/PART ccomp>QUALITY
| *$vt+moreverbs/VERB mark>得/PART ccomp>QUALITY
QUALITY = advmod>$degree/ADV *$quick/ADJ
NOMINAL = advmod>$frequency/ADV?25 advmod>不~都/ADV?25 cop>是/AUX *NOM
NOM = 2# amod>ADJDE *HEAD
| *HEAD
| nummod>ONECL amod>ADJDE *HEAD
| acl:relcl>DEGADJ *HEAD
| nmod>OF *HEAD
| acl:relcl>RC *HEAD
| nummod>ONECL *$morethings+things/NOUN
VERBAL = 0.5# advmod>EARLY advmod>就~才/ADV?60 *VERBP
| 0.6# obl:tmod>天天~年年~整天~晚上~周末~处处/NOUN *VERBP
| 5# advmod>ADVERB?45 *VERBP
| 2# advmod>ADVERB?25 aux>$modals/AUX advmod>ADVERB?12 *VERBP
| 1# advmod>ADVERB?20 advmod>不~没~从不~从来不~没有/ADV *VERBP
| 0.9# advmod>ADVERB?25 *喜欢~讨厌~害怕~擅长~爱~怕~习惯~希望~愿意~善于~开始~不爱~懂得/VERB xcomp>VERBP
| 0.8# advmod>ADVERB?25 obl>PLACEIN *VERBP
| 0.7# advmod>ADVERB?25 obl>TOWARD *VERBP
| 0.4# advmod>ADVERB?20 obl>BA *$vt/VERB aux>了/AUX?20 advmod>很~两遍~干净~完/ADV?30
| 0.4# advmod>ADVERB?20 aux:pass>被/AUX nsubj>HEAD?60 *$vt+moreverbs/VERB
| 0.4# advmod>ADVERB?20 aux:pass>被/AUX *认为~看作~称为~当成/VERB xcomp>NOMX
| 0.5# advmod>ADVERB?30 *有~没有~缺乏~缺少~具有/VERB obj>HAVEOBJ
| 0.4# advmod>ADVERB?20 *让~叫~使~帮~请~教/VERB obj>SHORTNP xcomp>VERBP
| 0.3# advmod>ADVERB?20 *认为~觉得~知道~相信~以为/VERB ccomp>CCL
| 0.3# obl:tmod>TIME advmod>ADVERB?25 *VERBP
| 0.3# advmod>ADVERB?20 *给/VERB iobj>HEADOBJ obj>THING
| 0.3# advmod>ADVERB?20 advcl>TAKE *VERBP
TAKE = *用~花~靠~拿/VERB obj>$things+morethings/NOUN
NOMX = cop>是/AUX?40 *NOM
| cop>是/AUX?40 advmod>很/ADV *$adj/ADJ
CCL = nsubj>SHORTNP *VP0
TIME = *晚上~早上~周末~下班后~冬天~夏天~平时~年轻时~一辈子~每天~假期~老了以后/NOUN
EARLY = advmod>很~比较/ADV *早~晚~快~慢~少~容易/ADV
ADVERB = *$frequency/ADV
BA = case>把/ADP *THING
HAVEOBJ = *$traits+things+features+morethings/NOUN
| amod>ADJDE *$traits+things/NOUN
| advmod>很多~更多~不少~太多/ADJ *$things+traits+features/NOUN
| acl:relcl>RC *$things/NOUN
VERBP = 2.2# *$vi/VERB
| 4# *$vt+vt+moreverbs/VERB obj>THING
| 0.5# *$moreverbs/VERB
| 0.5# *$vt/VERB aux>了~过~着/AUX obj>THING
| 0.4# *$vi/VERB conj>ANDVI
| 0.4# *去~来~到/VERB obj>$places/NOUN conj>VIX?60
| 0.3# *$vt+moreverbs/VERB obj>THING conj>VTX
VIX = *$vi/VERB
VTX = cc>和~并/CCONJ?60 *$vt+moreverbs/VERB obj>THING
ANDVI = cc>和~、/CCONJ *$vi/VERB
THING = 5# *$things+things+morethings/NOUN
| amod>ADJDE *$things+morethings/NOUN
| nmod>OF *$things+morethings/NOUN
| det>很多~所有~任何~这些~各种~更多~不少~太多/DET *$things+morethings/NOUN
| nummod>THINGNUM *$things/NOUN
| *$things/NOUN conj>THINGAND
| 0.5# *$things/NOUN conj>THINGCOMMA conj>THINGAND
| nmod>SELF *$things+people/NOUN
| compound>$morethings+relational/NOUN *$morethings+things/NOUN
| acl:relcl>RC *$things/NOUN
| 0.6# *$people/NOUN
| 0.5# *自己~别人~他人~对方/PRON
| 0.4# punct>“_/PUNCT *$morethings+things/NOUN punct>”/PUNCT
THINGAND = cc>和~或~与/CCONJ *$things/NOUN
THINGCOMMA = punct>、/PUNCT *$things/NOUN
SELF = *自己~别人/PRON case>的/PART?60
THINGNUM = *每~一~几~两~好几~各/NUM clf>张~本~件~种~个~门~只~辆~杯~顿~次~条/NOUN
// what is no group and attribute
OTHER = 1.3# *COMMAND
| 1.8# *FRONTED
| 1.6# *CSUBJ
| 1.4# *FRAGMENT
| 1.2# *EXIST
| 1.4# *OBJFIRST
| 0.7# *QUESTION
COMMAND = 3# advmod>不要~别~永远~千万别~请~请勿~快/ADV *VERBP
| advmod>不要~别/ADV *$vt/VERB obj>NP
| *$vt/VERB obj>THING discourse>吧/PART
| *让~请/VERB obj>NP xcomp>VERBP
| obl>TOWARD *$adj/ADJ advmod>一点~点儿/ADV
| *多~少/ADV conj>VIX
FRONTED = 1.2# obl:tmod>EVERYTIME punct>，/PUNCT?70 nsubj>CORE *VP
| 2# obl>PLACEIN punct>，/PUNCT?50 nsubj>CORE *VP
| advmod>通常~有时候~其实~一般来说~据说~总的来说~也许~平时~可能~往往~有时~传统上/ADV punct>，/PUNCT?60 nsubj>CORE *VP
| advcl>FRONTCL punct>，/PUNCT nsubj>CORE *VP
| obl:tmod>FRONTTIME punct>，/PUNCT?50 nsubj>CORE *VP
| obl>FRONTPP punct>，/PUNCT?60 nsubj>CORE *VP
FRONTCL = mark>如果~当~虽然~因为~只要~即使/SCONJ nsubj>CORE?60 *VP0 mark>的时候~时~的话/SCONJ?30
| *$vi/VERB mark>以后~之后~的时候~时~后/ADP
| nsubj>CORE *VERBP mark>以后~的时候~时/ADP
EVERYTIME = *每逢~每到/VERB obj>周日~春节~周末~冬天~节日/NOUN
| det>每/DET *天~周~年/NOUN advmod>晚上~早上/NOUN?40
FRONTTIME = *冬天~夏天~周末~现在~过去~晚上~早上~今天~如今~从前~每年~春节期间/NOUN
FRONTPP = case>对~对于~关于~除了~跟~根据/ADP *CORE case>来说/ADP?60
| case>在/ADP *CORE case>中~里~眼里~看来/ADP
CSUBJ = 3# csubj>VERBP *CSVP
| csubj>BEING *CSVP
| 0.6# csubj>SUBCL *CSVP
BEING = *当~做~成为/VERB obj>NP
| *养~带~教~照顾~管/VERB obj>HEAD
| *跟~和/VERB obj>HEAD conj>VIX
SUBCL = nsubj>SHORTNP advmod>不~总/ADV?30 *VERBP
CSVP = advmod>$degree/ADV *辛苦~难~容易~重要~危险~麻烦~累~快乐~无聊~有益~有趣~简单~值得~贵~正常/ADJ
| *需要~使~让~要求~意味着~费/VERB obj>THING
| cop>是/AUX nummod>ONECL?50 amod>ADJDE?40 *事~好事~坏事~习惯~责任~乐趣~美德~工作~梦想/NOUN
| *让/VERB obj>SHORTNP xcomp>$adj/ADJ
FRAGMENT = 3# *NPFRAG
| advmod>太~很~真/ADV *$adj/ADJ aux>了/AUX?60
| *$adj/ADJ conj>YOUADJ
NPFRAG = amod>ADJDE *HEAD
| acl:relcl>RC *HEAD
| nmod>FROMDE amod>ADJDE?60 *HEAD
| *HEAD conj>ANDNP
| acl:relcl>RC amod>ADJDE *HEAD
EXIST = 0.7# advmod>总~常常~往往/ADV *有/VERB obj>EXONE
| 0.4# obl:tmod>FRONTTIME *有/VERB obj>EXNP
| 2# *有/VERB obj>EXNP
| obl>$places/NOUN case>里~上/ADP?50 *有/VERB obj>EXNP
| *有/VERB obj>EXSHORT xcomp>VERBP
| *没有/VERB obj>HEAD xcomp>VERBP
| *存在~出现/VERB aux>了~着/AUX?50 obj>EXNP
EXONE = nummod>ONECL acl:relcl>RC?60 *HEAD
EXNP = amod>很多~许多~不少~一些~少数/ADJ *HEAD
| amod>很多~许多~不少/ADJ amod>ADJDE *HEAD
| amod>很多~许多~不少/ADJ acl:relcl>RC *HEAD
EXSHORT = amod>很多~许多~不少/ADJ *HEAD
OBJFIRST = obj>THING punct>，/PUNCT?50 nsubj>CORE advmod>都~也~最~从不~不/ADV aux>能~会/AUX?20 *$vt/VERB
| obj>$things/NOUN nsubj>CORE advmod>都~也~最/ADV *喜欢~爱~讨厌~怕~爱吃~爱看~会做/VERB
| obj>THING punct>，/PUNCT nsubj>CORE advmod>都~也/ADV *$vt/VERB
QUESTION = advmod>是不是~难道~为什么~是否/ADV nsubj>CORE *VERBAL
| *谁~什么/PRON conj>VIX
| aux>能不能~会不会~该不该/AUX nsubj>CORE *VERBP
""",
    {"featureverbs": "Verb Object"},
)


def sentence(lex: Lexicon) -> Tree:
    """One random sentence; most have a noun phrase first, some do not."""
    style = lex.one_of("“”", "“”", "「」", "《》", '""')
    half = lex.chance(0.08)
    return _restyle(GRAMMAR.derive(lex), style, half)


def _restyle(tree: Tree, quotes: str, half: bool) -> Tree:
    """The quotes of one style, and commas and brackets of half width if ``half``."""
    form = {"“": quotes[0], "”": quotes[1]}.get(tree.form, tree.form)
    form = {"，": ",", "（": "(", "）": ")", "？": "?", "！": "!"}.get(form, form) if half else form
    left = tuple((relation, _restyle(child, quotes, half)) for relation, child in tree.left)
    right = tuple((relation, _restyle(child, quotes, half)) for relation, child in tree.right)
    return replace(tree, form=form, left=left, right=right)


def inflect(name: str, entry: str) -> str:
    """The entry as it is."""
    return entry
