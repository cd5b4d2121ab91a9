"""Chinese generic sentences: [group][attribute], with the trees that UD gives them."""

from __future__ import annotations

from dataclasses import replace

from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.rules import read_grammar
from dualpair.syntax.treebank.trees import Tree

GRAMMAR = read_grammar(
    r"""
S = 10# *CLAUSE punct>STOP?90
| 2.3# *OTHER punct>STOP?90
| 0.3# *CLAUSE discourse>吗~呢/PART punct>？/PUNCT
STOP = 9# *。/PUNCT
| *！/PUNCT
| 0.3# *？/PUNCT
CLAUSE = 12# nsubj>NP *VP
| 0.3# nsubj>NP *VP punct>，/PUNCT conj>BUT
| 0.5# nsubj>NP punct>，/PUNCT *VP
| 0.7# nsubj>TOPIC punct>，/PUNCT?85 *VP
| 0.25# nsubj>NP punct>，/PUNCT *VP punct>，/PUNCT conj>VPAND
| 0.3# nsubj>NP punct>，/PUNCT?40 advcl>CONDITION punct>，/PUNCT *VERBAL
| 0.2# nsubj>NP punct>——/PUNCT *VP
| 0.2# nsubj>NP punct>——/PUNCT *NOM
| 0.35# csubj>WHOSO punct>，/PUNCT?40 advmod>就~都~才/ADV?70 *VP0
| 0.2# csubj>WHOSO punct>，/PUNCT?40 nsubj>谁/PRON *VP0
TOPIC = *HEAD discourse>PARTICLE
| 0.5# *NP discourse>PARTICLE
PARTICLE = *啊~呢~嘛~吧~呀~么~哪~啦/PART
WHOSO = nsubj>谁/PRON advmod>不~没~先~最~常~总/ADV?45 *VERBP
| 0.5# nsubj>谁/PRON advmod>$degree/ADV?40 *$adj/ADJ
CONDITION = advmod>一/ADV *VERBP
| mark>不管~无论/SCONJ *CHOICE
| mark>只要~虽然~如果~因为~即使~除非~尽管/SCONJ advmod>不~没~一/ADV?30 *VP0
CHOICE = *男女~老少~贫富~大小~什么时候~到哪里~在哪儿~年龄大小/NOUN
| *VERBP
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
| 3.2# *COORD
| 1.1# *SPECIAL
| 0.7# *APPOS
| 0.5# det>DETP acl:relcl>RC *HEAD
| 0.9# det>$determiners+dets/DET acl:relcl>RC *HEAD
| 0.5# det>$determiners+dets/DET nmod>FROMDE *HEAD
| 0.5# *LONG
| 0.7# *OURS
| 0.3# *CORE punct>（_/PUNCT appos>PARENNP punct>）/PUNCT
| 0.3# *HEAD punct>（_/PUNCT appos>PARENNP punct>）/PUNCT
| 1.7# *DEHEAD
| 0.7# *QUOTED
| 0.45# *ODD
| 0.3# nmod>TOPICDE *$things+morethings/NOUN
| 0.3# *ANIMAL
LONG = nmod>WHERE det>那些~这些/DET acl:relcl>RC amod>ADJ *HEAD
| nmod>WHERE det>MANY nmod>FROMDE *HEAD
| nmod>WHERE det>$determiners/DET amod>$groupadj/ADJ *HEAD
| det>DETP nmod>FROMDE acl:relcl>RC?50 amod>ADJ *HEAD
| acl:relcl>RC acl:relcl>RC amod>ADJ *HEAD
| det>那些~这些~不少/DET acl:relcl>RC acl:relcl>RC *HEAD
| acl:relcl>WHENRC *HEAD
| nmod>PEOPLEOF acl:relcl>RC *HEAD
| amod>ADJDE acl:relcl>RC *HEAD
| acl:relcl>RC amod>ADJDE *HEAD
| nmod>FROMDE acl:relcl>RC amod>ADJ *HEAD
| acl:relcl>RC nmod>POSSOF *HEAD
POSSOF = amod>ADJ?40 *HEAD case>的/PART
PEOPLEOF = acl:relcl>RC *HEAD case>的/PART
WHERE = *三楼~楼上~楼下~隔壁~对面~班上~班里~村里~城里~单位里~公司里~我们班~我们村~我们学校~你们公司~店里~街上~\
  家里/NOUN
| *$places+moreplaces/NOUN case>里~上/ADP?50
MANY = *那~这/DET nummod>几~两~三~十几/NUM?70 clf>个~位~名~群/NOUN
WHENRC = advcl>WHEN *VERBP mark:rel>的/SCONJ
WHEN = *$vi+morevi/VERB mark>以后~后~之后~前~以前~时/ADP
OURS = nmod>我们~你们~他们~咱们~她们/PRON *$nations+roles+people/NOUN
| nmod>我们~你们~他们~咱们/PRON det>这些~那些~这群~这帮/DET acl:relcl>RC?45 *HEAD
| nmod>我们~你们~他们~咱们/PRON det>这些~那些~这群~这帮/DET acl:relcl>RC0 *的/PART
| nmod>我们~你们~他们/PRON det>MANY amod>ADJ?30 *HEAD
QUOTED = det>那些~这些~某些~很多~许多/DET?35 punct>“_/PUNCT *$slang+morepeople/NOUN punct>”/PUNCT
| punct>“_/PUNCT *$slang/NOUN punct>”/PUNCT dep>们~族/PART
| amod>SOCALLED punct>“_/PUNCT *$slang+morepeople/NOUN punct>”/PUNCT
| acl:relcl>CALLED *HEAD
| nmod>INQUOTES *HEAD
| 0.5# nmod>TITLED *$roles+people/NOUN
| 0.6# punct>“_/PUNCT *$morepeople+idioms+morethings/NOUN punct>”/PUNCT
| 0.5# punct>“_/PUNCT amod>$groupadj+adj/ADJ *HEAD punct>”/PUNCT
| 0.4# punct>“_/PUNCT *$idioms+morethings/NOUN punct>”/PUNCT appos>HEAD
SOCALLED = *所谓/ADJ mark:rel>的/SCONJ?75
CALLED = *自称~号称~被称为~叫做~自诩为~人称/VERB obj>INMARKS mark:rel>的/SCONJ
| *爱说~常说~喊~说/VERB obj>INMARKS mark:rel>的/SCONJ
INMARKS = punct>“_/PUNCT *$slang+morepeople+idioms+morethings/NOUN punct>”/PUNCT
INQUOTES = punct>“_/PUNCT *$morethings+idioms+slang/NOUN punct>”/PUNCT case>的/PART?60
TITLED = punct>《_/PUNCT *$morethings+idioms+names/NOUN punct>》/PUNCT case>的/PART
ODD = *$hyphenated/NOUN
| *$latin/NOUN
| *NAMED
| nmod>FOREIGNDE *HEAD
| compound>HYPHENPLACE *$roles/NOUN
| 0.6# nummod>$digitschools/NUM *大学~高校~院校/NOUN
| 1.2# compound>SCHOOL case>的/PART?50 *$roles/NOUN
| 1.2# compound>$digitpeople/NOUN case>的/PART?20 *$roles/NOUN
| 0.7# nmod>AGESPAN case>的/PART *HEAD
| 0.7# nummod>PERCENT case>的/PART?75 *HEAD
| 0.7# acl:relcl>BORN *HEAD
PERCENT = *80%~30%~90%~99%~一半以上~超过半数~三成~九成~七成~三分之二~四分之一~百分之九十~绝大部分~将近一半~\
  五成以上~60%以上/NUM
BORN = obl>YEAR *出生~毕业~入学~工作~结婚/VERB mark:rel>的/SCONJ
YEAR = nummod>1990~1980~2000~1949~1970~九十~八十~七十/NUM *年~年代/NOUN case>以后~前~后~之前/ADP?60
AGESPAN = *18到25岁~20-30岁~三四十岁~50至60岁~五六十岁~十七八岁~二十出头~60后到80后~20—30岁/NOUN
SCHOOL = nummod>$digitschools/NUM?60 *大学~高校~院校/NOUN
FOREIGNDE = *NAMED case>的/PART
NAMED = *$firsts+names/PROPN flat:name>DOTTED
DOTTED = punct>·/PUNCT *$seconds+names/PROPN
HYPHENPLACE = *$hyphenated/NOUN
TOPICDE = case>关于~有关~对/ADP *CORE mark:rel>的/SCONJ
ANIMAL = *$animals/NOUN
| amod>$groupadj+adj/ADJ *$animals/NOUN
| compound>$places+moreplaces/NOUN *$things+animals/NOUN
PARENNP = advmod>尤其是~特别是~包括~主要是~大多是~不论是/ADV *CORE
| *CORE
HEAD = *$people+people+people+generic+morepeople+morepeople+nations+roles/NOUN
ADJN = amod>ADJ *HEAD
CORE = 6# *HEAD
| 1.5# amod>$groupadj/ADJ *HEAD
| 1.6# amod>ADJDE *HEAD
| 0.7# acl:relcl>DEGADJ *HEAD
| 1.4# compound>$relational+places+moreplaces/NOUN *$roles/NOUN
| 0.6# compound>$morethings+things+relational/NOUN *$roles/NOUN
| 0.3# compound>$relational+moreplaces/NOUN compound>$morethings/NOUN *$roles/NOUN
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
| 0.5# *SUFFIXED
| 0.4# nmod>HOUSE *孩子~女儿~儿子~女人~男人~小孩~姑娘/NOUN
HOUSE = amod>穷~富~有钱~农村~城里~普通~单亲/ADJ *人家~家庭/NOUN case>的/PART
| nmod>$people/NOUN *家/NOUN case>的/PART
SUFFIXED = *$people+morepeople/NOUN dep>们/PART
ADJHEAD = 3# *HEAD
| amod>$groupadj/ADJ *HEAD
| amod>ADJDE *HEAD
| compound>$relational+moreplaces/NOUN *$roles/NOUN
ADJ = *$groupadj+adj/ADJ
ADJDE = *$adj+adj+groupadj+moreadj/ADJ mark:rel>的/SCONJ
| *$adj/ADJ conj>ADJCONJ mark:rel>的/SCONJ
| 0.3# advmod>又/ADV *$adj/ADJ conj>YOUADJ mark:rel>的/SCONJ
| 0.2# *$idioms/ADJ mark:rel>的/SCONJ
ADJCONJ = cc>又~而~且~、/CCONJ *$adj/ADJ
DEGADJ = advmod>很~最~非常~比较~特别~不~更/ADV *$adj+groupadj+moreadj/ADJ mark:rel>的/SCONJ
ALLDE = *所有~大多数~绝大多数~一部分/DET case>的/PART
EACH = *每/DET clf>个~位~名/NOUN
| *某/DET clf>些~个/NOUN
| *一/NUM clf>些~个/NOUN
DETP = *这~那~哪/DET clf>$classifiers/NOUN
| *一/NUM clf>群~帮~伙~些~种/NOUN
NUMCL = *$numerals/NUM clf>个~位~名~对~群~个/NOUN
POSS = *我~我们~他们~他~她~你~咱们/PRON case>的/PART
| *我~他~她/PRON
| *$names/PROPN case>的/PART
| *$people+generic/NOUN case>的/PART
OF = *$places+moreplaces+people+morethings/NOUN case>的/PART
| *WHERE case>的/PART
| *$places+moreplaces+things/NOUN case>后面~旁边~附近~门口~对面~中间~上/ADP case>的/PART
| nmod>$places/NOUN *$morethings+places/NOUN case>的/PART
FROMDE = case>来自~出自/ADP amod>$groupadj/ADJ?20 *$places+moreplaces/NOUN mark:rel>的/SCONJ
| case>来自/ADP compound>$places+moreplaces/NOUN *城市~小城~农村~地区~山区~小镇~大城市~家庭~乡下~村子~街区/NOUN \
  mark:rel>的/SCONJ
| 0.5# case>来自/ADP amod>ADJ *家庭~学校~国家~城市~地区/NOUN mark:rel>的/SCONJ
AGEDE = *AGE case>的/PART
AGE = nummod>$ages/NUM *岁/NOUN case>以上~以下~左右~出头/ADP
| nummod>$ages/NUM *多岁~来岁/NOUN
| *中年~青春期~更年期~适婚年龄~学龄前/NOUN
COORD = 0.5# amod>$groupadj/ADJ?15 *爷爷~爸爸~外公~叔叔~姥爷/NOUN conj>奶奶~妈妈~外婆~阿姨~姥姥/NOUN
| 0.4# *哥哥~弟弟~兄弟/NOUN conj>姐姐~妹妹~姐妹/NOUN
| 0.3# *老师/NOUN conj>同学~家长~学生/NOUN
| 0.3# *老人~女人~大人/NOUN conj>孩子~小孩/NOUN
| 3# *CORE conj>ANDNP
| 1.5# *HEAD conj>ANDHEAD
| 1.2# *CORE conj>COMMANP conj>ANDNP
| 1.2# *HEAD conj>COMMAHEAD conj>ANDHEAD
| 0.5# *HEAD conj>COMMAHEAD conj>COMMAHEAD conj>ANDHEAD?70
| *CORE conj>COMMANP
| 0.5# *HEAD conj>COMMAHEAD
| 0.6# nmod>POSS *HEAD conj>ANDNP
| 0.8# acl:relcl>RC *HEAD conj>ANDNP
| 0.5# *$names/PROPN conj>ANDNAME
| 0.6# *CORE conj>ANDRC
| 0.6# acl:relcl>RC *HEAD conj>ANDRC
| 0.5# amod>$groupadj+adj/ADJ *HEAD conj>ANDADJ
| 0.5# nmod>OF *HEAD conj>ANDOF
| 0.5# compound>$relational+places/NOUN *$roles/NOUN conj>ANDROLE
| 0.5# acl:relcl>RC0 *的/PART conj>ANDDE
| 0.3# advmod>无论~不管~不论/ADV cop>是/AUX?60 *HEAD conj>ORHEAD punct>，/PUNCT?50
ORHEAD = cc>还是~或~和/CCONJ *HEAD
ANDDE = cc>和~与~或~跟~或者~以及/CCONJ acl:relcl>RC0 *的/PART
ANDROLE = cc>$ands/CCONJ compound>$relational+places/NOUN *$roles/NOUN
ANDOF = cc>$ands/CCONJ nmod>OF *HEAD
ANDADJ = cc>$ands/CCONJ amod>$groupadj+adj/ADJ *HEAD
ANDRC = cc>$ands/CCONJ acl:relcl>RC *HEAD
ANDNP = cc>$ands/CCONJ *CORE
ANDHEAD = cc>$ands/CCONJ *HEAD
COMMANP = punct>、/PUNCT *CORE
COMMAHEAD = punct>、/PUNCT *HEAD
| 0.12# punct>，/PUNCT *HEAD
ANDNAME = cc>和~跟~与/CCONJ *$names/PROPN
| cc>和~跟~与/CCONJ nmod>POSS *$people/NOUN
SPECIAL = 2# *他们~她们~我们~她~他~咱们~大家~你们~人人/PRON
| 4# *$names/PROPN
| 1.5# *$digitpeople/NOUN
| *有人~没人~人人~谁~别人/PRON
| *多数~大多数~少数~半数/NUM
| nmod>AGE *HEAD
| nummod>四分之三~三分之二~百分之八十~一半/NUM case>的/PART?80 *HEAD
| nummod>成千上万~无数~数百万~几百万~上百/NUM case>的/PART?50 *HEAD
APPOS = nmod>POSS *$people+roles/NOUN appos>$names/PROPN
| nmod>OF *$people+roles/NOUN appos>$names/PROPN
| compound>$relational/NOUN *$roles/NOUN appos>$names/PROPN
| *HEAD appos>$names/PROPN
| *$names/PROPN punct>，/PUNCT appos>APPNP punct>，/PUNCT
| nmod>POSS *$people/NOUN punct>，/PUNCT appos>APPNP punct>，/PUNCT
APPNP = nummod>ONECL amod>ADJDE *HEAD
| nmod>POSS *HEAD
ONECL = *一/NUM clf>个~位~名/NOUN
DEHEAD = 2# acl:relcl>RC0 *的/PART
| 1.2# det>$dets/DET acl:relcl>RC0 *的/PART
| 0.5# nmod>WHERE acl:relcl>RC0 *的/PART
| 0.5# det>凡是~凡~但凡/DET acl:relcl>RC *HEAD
| 0.3# nmod>FROMDE0 *的/PART
| 0.3# amod>$groupadj+adj/ADJ *的/PART
FROMDE0 = case>来自/ADP *$places+moreplaces/NOUN
RC0 = 2# *FEATURE
| 1.5# *VERBP
| 0.6# advmod>不~没~刚~爱~常~最~太~先/ADV *VERBP
| 0.6# *LIVE
| 0.5# *FEATURE conj>FEATURE
| 0.5# *$morevi+vi/VERB
| 0.5# *信~拜~学~卖~教~搞~当~开~做~干~修~跑~送~种/VERB obj>$religions+things+morethings+morepeople/NOUN
| 0.4# *穿~戴~背~骑~抱/VERB obj>COLOURED
COLOURED = amod>红~黑~白~绿~黄~大~新~旧~花/ADJ *衣服~裙子~帽子~鞋~眼镜~包~西装~衬衫~外套~孩子~车~领带/NOUN
| *红衣服~黑西装~白大褂~高跟鞋~名牌包~校服~制服~军装~旗袍~短裤/NOUN
RC = *RCIN mark:rel>的/SCONJ
RCIN = 2.4# *FEATURE
| 0.4# *信~信仰/VERB obj>$religions/NOUN
| 0.4# advmod>刚~才~一直~总是~从来~从不~每天~天天~整天/ADV *VERBP
| 0.3# *穿~戴~背~骑~抱/VERB obj>COLOURED
| 0.4# obl>TOWARDRC *$adj+moreadj/ADJ
| 0.3# obl>TOWARDRC *VERBP
| 0.3# *$vt+moreverbs/VERB aux>过~了/AUX obj>THING
| 0.3# obl>FROMPLACE *来~回来~出来~走出来/VERB
| 0.3# nmod>$places+moreplaces/NOUN *来/VERB
| 0.3# *离~结~上~打~吃/VERB aux>过~了/AUX obj>婚~大学~工~亏~苦/NOUN
| 0.3# *$vi+morevi/VERB
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
TOWARDRC = case>对~跟~和~与~为/ADP *HEADOBJ
FROMPLACE = case>从~打/ADP *$places+moreplaces/NOUN
BYNP = case>由~被/ADP *$people/NOUN conj>ANDHEAD?30
SHORTNP = *大家~我们~别人~他们~我~人们/PRON
| *$people+generic+roles/NOUN
FEATURE = advmod>不~没~常~总/ADV?20 *$featureverbs.Verb/VERB obj>$features+things/NOUN
| *戴~穿~有~养~留~开~抽~喝~学~没有~拥有~喜欢/VERB obj>$features+things/NOUN
| advmod>没~没有/ADV *上过~读过~学过~去过/VERB obj>学~大学~书~国外~数学/NOUN
LIVE = *住~生活~工作~出生~长大~居住/VERB obl>ATPLACE
| obl>PLACEIN *住~生活~工作~长大~出生~上班~上学~读书~做生意/VERB
| *住/VERB mark>在/ADP obj>$places/NOUN
ATPLACE = case>在~于/ADP *$places+moreplaces/NOUN case>里/ADP?20
PLACEIN = case>在/ADP amod>大~小/ADJ?15 *$places+moreplaces/NOUN case>里~上/ADP?25
// predicates
VP = 3# *ADJP
| 3# *TRAIT
| 8# *VERBAL
| 1.7# *MANNER
| 1.6# *NOMINAL
| 1.2# *COMPARE
| 0.7# *VERBAL conj>VAND
| 0.5# *ADJP conj>ADJAND
| 0.7# *IDIOM
| 0.5# *ADJP conj>ADJBUT
VPAND = advmod>也~还~又~却/ADV *VP0
IDIOM = advmod>$frequency/ADV?30 *$idioms/ADJ
| 0.3# cop>是/AUX *$idioms/ADJ mark:rel>的/SCONJ
| 0.5# *$idioms/ADJ conj>IDIOMAND
IDIOMAND = punct>、/PUNCT *$idioms/ADJ
ADJBUT = punct>，/PUNCT?70 advmod>却~但~但是~可~也/ADV *VP0
VAND = cc>又~还~也~并且/CCONJ *VERBP
| punct>，/PUNCT advmod>也~还/ADV *VERBP
ADJAND = cc>又~也/CCONJ *$adj/ADJ
| punct>，/PUNCT advmod>$degree/ADV *$adj/ADJ
VP0 = *ADJP
| 0.4# *TRAIT
| *VERBAL
ADJP = 0.5# advmod>不~很/ADV *多~少~大~小~高~好~强/ADJ
| 6# advmod>$frequency/ADV?18 advmod>$degree/ADV *$adj+adj+moreadj/ADJ
| 1.6# *$adj+moreadj/ADJ
| 0.4# advmod>都~完全~不太~很/ADV?80 *一样~不一样~不同~相反~相似~差不多~两样/ADJ
| 0.4# obl>INBODY advmod>$degree/ADV *$adj+moreadj/ADJ
| 0.6# *$adj/ADJ conj>BAREADJ
| 0.4# *$adj/ADJ conj>LISTADJ conj>LISTADJ?30
| 0.8# advmod>$frequency+idiomadverbs/ADV *$adj/ADJ
| 0.6# advmod>又/ADV?50 *$adj/ADJ conj>YOUADJ
| 0.5# obl>TOWARD advmod>$degree/ADV *$adj/ADJ
| 0.3# *$adj/ADJ advmod>得很~极了/ADV
| 0.5# punct>“_/PUNCT *$adj+moreadj/ADJ punct>”/PUNCT
| 0.9# advmod>看起来~显得~看上去~变得/ADV advmod>$degree/ADV *$adj/ADJ
| 0.3# cop>是/AUX *$adj+groupadj/ADJ mark:rel>的/SCONJ
INBODY = *心里~嘴上~脸上~手里~身上~家里~背后~骨子里~内心~表面上~工作上~生活上/NOUN
BAREADJ = *$adj+moreadj/ADJ
LISTADJ = punct>、/PUNCT *$adj+moreadj/ADJ
YOUADJ = cc>又~而/CCONJ *$adj/ADJ
TOWARD = case>对~跟~和~为~向~给~替/ADP *HEADOBJ
| 0.6# case>对~跟~和~为~给/ADP *NP
HEADOBJ = *$people+people+things/NOUN
| nmod>POSS *$people/NOUN
TRAIT = 1.3# nsubj>$lightnouns/NOUN advmod>$degree/ADV *$traitadj+lightadj/ADJ
| 1.6# nsubj>$lightnouns/NOUN advmod>$frequency+idiomadverbs/ADV?15 *$lightadj/ADJ
| 3# nsubj>$traits+traits+things+features/NOUN advmod>$frequency/ADV?12 advmod>$degree/ADV *$traitadj/ADJ
| nsubj>$traits/NOUN advmod>$degree/ADV *$adj+moreadj/ADJ
| 1.6# nsubj>$traits+lightnouns/NOUN *$traitadj+adj+moreadj+lightadj/ADJ
| 0.5# nsubj>$traits/NOUN advmod>比较~更/ADV?50 *$traitadj/ADJ conj>TRAITAND
| 0.5# nsubj>$lightnouns+traits/NOUN *$lightadj/ADJ conj>TRAITAND
| 0.4# nsubj>$traits/NOUN *$idioms/ADJ
| 0.3# nsubj>$traits/NOUN advmod>完全~不太~都/ADV *相反~不同~一样~相似/ADJ
| 0.5# csubj>$doing+vi/VERB nsubj>$traits+lightnouns/NOUN advmod>$degree/ADV?60 *$traitadj/ADJ
TRAITAND = punct>，/PUNCT nsubj>$traits+lightnouns/NOUN *$traitadj+lightadj/ADJ
| punct>，/PUNCT nsubj>$traits+lightnouns/NOUN advmod>也~很~还/ADV *$traitadj+lightadj/ADJ
COMPARE = obl>BI advmod>更~还/ADV?35 *$adj/ADJ
| obl>BI nsubj>$traits/NOUN?50 advmod>更/ADV?40 *$traitadj/ADJ
| obl>BI advmod>更/ADV *VERBP
| obl>BI *$adj/ADJ advmod>得多~一点~多了/ADV
BI = case>比/ADP *CORE
| case>跟~和/ADP *CORE advmod>一样/ADV
MANNER = advmod>$frequency/ADV?12 *$short/VERB mark>得/PART ccomp>QUALITY
| csubj>$doing+doing+vi/VERB advmod>$frequency+idiomadverbs/ADV?15 *QUALITY
| 0.5# csubj>$doing+vi/VERB *$quick/ADJ
| 0.5# csubj>$doing+vi/VERB *$idioms/ADJ
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
| 1.2# obl:tmod>$times/NOUN advmod>都~就~也~总~还/ADV?35 *VERBP
| 0.3# obl:tmod>$times/NOUN aux>$modals/AUX *VERBP
| 5# advmod>ADVERB?55 *VERBP
| 2# advmod>ADVERB?25 aux>$modals/AUX advmod>ADVERB?12 *VERBP
| 1# advmod>ADVERB?20 advmod>不~没~从不~从来不~没有~从没~不再/ADV *VERBP
| 0.9# advmod>ADVERB?25 *喜欢~讨厌~害怕~擅长~爱~怕~习惯~希望~愿意~善于~开始~不爱~懂得~舍不得~忍不住~懒得~\
  热衷于/VERB xcomp>VERBP
| 0.8# advmod>ADVERB?25 obl>PLACEIN advmod>ADVERB?20 *VERBP
| 0.3# obl>PLACEIN aux>$modals/AUX *VERBP
| 0.3# obl>INBODY advmod>ADVERB?30 aux>$modals/AUX?20 *VERBP
| 0.7# advmod>ADVERB?25 obl>TOWARD *VERBP
| 0.3# obl>TOWARD aux>$modals/AUX *VERBP
| 0.5# advmod>ADVERB?20 obl>BA *$vt/VERB aux>了/AUX?20 advmod>很~两遍~干净~完/ADV?30
| 0.3# obl>BA *看~当~叫/VERB advmod>得~成/ADV xcomp>NOMX
| 0.4# advmod>ADVERB?20 aux:pass>被/AUX nsubj>HEAD?60 *$vt+moreverbs/VERB aux>了/AUX?30
| 0.4# advmod>ADVERB?20 aux:pass>被/AUX *认为~看作~称为~当成/VERB xcomp>NOMX
| 0.5# advmod>ADVERB?30 *有~没有~缺乏~缺少~具有/VERB obj>HAVEOBJ
| 0.4# advmod>ADVERB?20 *让~叫~使~帮~请~教/VERB obj>SHORTNP xcomp>VERBP
| 0.3# advmod>ADVERB?20 *认为~觉得~知道~相信~以为/VERB ccomp>CCL
| 0.3# advmod>ADVERB?20 *给/VERB iobj>HEADOBJ obj>THING
| 0.4# advmod>ADVERB?20 advcl>TAKE *VERBP
| 0.4# advcl>WHEN advmod>就~才~还~总/ADV?60 aux>$modals/AUX?20 *VERBP
| 0.3# advcl>ATONCE advmod>就/ADV *VERBP
| 0.5# obj>ANYTHING advmod>都~也/ADV advmod>不~没/ADV?30 aux>能~敢~会~想/AUX?50 *$vt/VERB
| 0.4# advmod>ADVERB?20 *$vt+short/VERB compound:ext>不了~不清~不起~不惯~得了~不完~不到~不着~得起~不出~不动~\
  不上/VERB obj>THING
| 0.3# advmod>就/ADV cop>是/AUX *VERBP
| 0.3# advmod>ADVERB?20 *$vt+moreverbs/VERB obj>THING obl>COUNTED
COUNTED = nummod>一~两~三~五~几~好几/NUM *次~遍~个小时~天~年/NOUN
ATONCE = advmod>一/ADV *$vi+morevi/VERB
| advmod>一/ADV *看见~听到~碰到~遇到~看到~听说~拿到/VERB obj>THING
ANYTHING = *什么~谁~哪里~啥~任何东西/PRON
| det>什么/DET *$things+morethings/NOUN
TAKE = *用~花~靠~拿/VERB obj>$things+morethings/NOUN
NOMX = cop>是/AUX?40 *NOM
| cop>是/AUX?40 advmod>很/ADV *$adj/ADJ
CCL = nsubj>SHORTNP *VP0
EARLY = advmod>很~比较/ADV *早~晚~快~慢~少~容易/ADV
ADVERB = *$frequency+idiomadverbs+moreadverbs/ADV
BA = case>把/ADP *THING
HAVEOBJ = *$traits+things+features+morethings/NOUN
| amod>ADJDE *$traits+things/NOUN
| advmod>很多~更多~不少~太多/ADJ *$things+traits+features/NOUN
| acl:relcl>RC *$things/NOUN
VERBP = 2.4# *$vi+morevi/VERB
| 4# *$vt+moreverbs/VERB obj>THING
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
| 2.4# *FRONTED
| 1.9# *CSUBJ
| 1.4# *FRAGMENT
| 1.3# *EXIST
| 1.8# *OBJFIRST
| 0.9# *QUESTION
| 0.8# *TURNED
TURNED = advmod>真~太~多么~好~最/ADV *$adj+moreadj/ADJ aux>了~啊~呀/AUX?70 punct>，/PUNCT nsubj>CORE
| csubj>CLEFT cop>是/AUX *HEAD
| csubj>CLEFT cop>是/AUX amod>ADJDE *HEAD
| *来~走~跑~死/VERB aux>了/AUX obj>EXONE
| *喜欢~爱~讨厌/VERB obj>THING punct>，/PUNCT nsubj>CORE
| advmod>不~都/ADV cop>是/AUX *HEAD
| cop>是/AUX *HEAD advmod>就/ADV aux>应该~要~得~会/AUX ccomp>VERBP
CLEFT = advmod>最~更~特别/ADV aux>能~会/AUX?20 *VERBP mark:rel>的/SCONJ
| advmod>最/ADV *$adj/ADJ mark:rel>的/SCONJ
COMMAND = 3# advmod>不要~别~永远~千万别~请~请勿~快~绝不要~切勿~不必~不用/ADV *VERBP
| advmod>千万~最好~永远~以后/ADV advmod>不要~别~要~不能/ADV *VERBP
| advmod>不要~别/ADV *$vt/VERB obj>NP
| *$vt/VERB obj>THING discourse>吧/PART
| *让~请/VERB obj>NP xcomp>VERBP
| obl>TOWARD *$adj/ADJ advmod>一点~点儿/ADV
| *多~少/ADV conj>VIX
| advmod>多~少/ADV *$vt/VERB obj>NP
| *$vt/VERB obj>OFTHEM
| *嫁给~远离~小心~当心~注意~提防~学学~看看~听听~问问~想想~感谢/VERB obj>NP
OFTHEM = nmod>SELF2 *$things+morethings/NOUN
SELF2 = *你~自己~老人~别人/PRON case>的/PART
FRONTED = 1.2# obl:tmod>EVERYTIME punct>，/PUNCT?70 nsubj>CORE *VP
| 2# obl>PLACEIN punct>，/PUNCT?50 nsubj>CORE *VP
| 1.6# advmod>$frontadverbs/ADV punct>，/PUNCT?50 nsubj>CORE *VP
| 1.4# advcl>FRONTCL punct>，/PUNCT?75 nsubj>CORE *VP
| obl:tmod>$fronttimes/NOUN punct>，/PUNCT?50 nsubj>CORE *VP
| 1.4# obl>FRONTPP punct>，/PUNCT?60 nsubj>NP *VP
| 0.5# obl>FRONTPP punct>，/PUNCT nsubj>THING *TOPADJ
| 0.3# obl>OTHERTHAN punct>，/PUNCT nsubj>CORE obj>ANYTHING advmod>都/ADV advmod>不~没/ADV *$vt/VERB
TOPADJ = advmod>太~很~更~最~不/ADV *$adj+moreadj/ADJ aux>了/AUX?30
OTHERTHAN = case>除了/ADP *THING case>以外~之外/ADP?40
FRONTCL = mark>如果~当~虽然~因为~只要~即使~由于~尽管~既然~一旦~无论~不管~自从~每当/SCONJ nsubj>CORE?60 *VP0 \
  mark>的时候~时~的话~以后/SCONJ?30
| *VERBP mark>以后~之后~时~后~前/ADP
| 1.5# *VERBP mark:rel>的/SCONJ mark>时候/NOUN
| nsubj>CORE *VERBP mark>以后~时~后/ADP
| nsubj>CORE *VERBP mark:rel>的/SCONJ mark>时候~时候~地方/NOUN
| advmod>一/ADV *到~过~逢/VERB obj>$fronttimes/NOUN
| advmod>一/ADV *VERBP
| mark>为了/ADP *VERBP
EVERYTIME = *每逢~每到~到了/VERB obj>周日~春节~周末~冬天~节日~夏天~考试~月底~年底~晚年/NOUN
| det>每/DET *天~周~年~个月/NOUN advmod>晚上~早上/NOUN?40
FRONTPP = case>对~对于~关于~除了~跟~根据~像~随着~比起~按照~作为/ADP *CORE case>来说~而言/ADP?60
| 1.5# case>对~对于/ADP *CORE case>来说~而言/ADP
| case>在/ADP *CORE case>中~里~眼里~看来~心中~之间~眼中/ADP
| case>在/ADP *$places+moreplaces/NOUN case>里~上/ADP?30
| case>在/ADP *我~我们~他~很多人~别人/PRON case>看来~眼里/ADP
| case>随着~由于~经过/ADP *$morethings/NOUN
CSUBJ = 2.5# csubj>VERBP *CSVP
| 1.4# csubj>$morevi+vi/VERB *CSVP
| csubj>BEING *CSVP
| 1.6# csubj>SUBCL *CSVP
| 0.6# csubj>WITHCL *CSVP
WITHCL = obl>TOWARD *VERBP
| obl>PLACEIN *VERBP
BEING = *当~做~成为/VERB obj>NP
| *养~带~教~照顾~管~娶~嫁给~批评~相信~依靠/VERB obj>HEAD
| *跟~和/VERB obj>HEAD conj>VIX
| *学/VERB obj>$things+religions/NOUN
SUBCL = nsubj>SHORTNP advmod>不~总/ADV?30 *VERBP
| nsubj>HEAD *$morevi+vi/VERB
| nsubj>HEAD *VERBP
CSVP = 2.5# advmod>$degree/ADV?85 *$clausepred/ADJ
| *需要~使~让~要求~意味着~费~要~离不开/VERB obj>THING
| aux>要~得~应该/AUX *小心~有耐心~谨慎~趁早~排队~花钱~花时间~注意/VERB
| 1.5# cop>是/AUX nummod>ONECL?50 amod>ADJDE?40 *$clausenouns/NOUN
| cop>是/AUX nmod>POSSHEAD *$clausenouns/NOUN
| *让/VERB obj>SHORTNP xcomp>$adj/ADJ
POSSHEAD = *HEAD case>的/PART
FRAGMENT = 3# *NPFRAG
| advmod>太~很~真/ADV *$adj/ADJ aux>了/AUX?60
| *$adj/ADJ conj>YOUADJ
NPFRAG = amod>ADJDE *HEAD
| acl:relcl>RC *HEAD
| acl:relcl>RC *SUFFIXED
| nmod>FROMDE amod>ADJDE?60 *HEAD
| *HEAD conj>ANDNP
| acl:relcl>RC amod>ADJDE *HEAD
| nummod>ONEGROUP acl:relcl>RC amod>ADJDE?40 *HEAD
| nummod>ONEGROUP nmod>FROMDE *HEAD
| det>那些~这些~所有/DET acl:relcl>RC *HEAD
| nmod>POSS acl:relcl>RC *HEAD
| nmod>TOPICDE *$things+morethings/NOUN
| nmod>OF amod>ADJDE?30 *HEAD
ONEGROUP = *一~几/NUM clf>群~个~帮~位~种/NOUN
EXIST = 0.7# advmod>总~常常~往往~经常~一定/ADV *有/VERB obj>EXONE
| 0.4# obl:tmod>$fronttimes/NOUN *有/VERB obj>EXNP
| 2# *有/VERB obj>EXNP
| 0.8# *有/VERB obj>EXONE
| 1.4# obl>EXPLACE *有/VERB obj>EXNP
| 0.5# obl>EXPLACE *没有/VERB obj>HEAD
| 0.5# obl>EXPLACE advmod>总~到处~都/ADV *有~是/VERB obj>EXONE
| 0.8# obl>EXPLACE *站~坐~住~来~走~躺~围~挤/VERB aux>着~了/AUX obj>EXNP
| *有/VERB obj>EXSHORT xcomp>VERBP
| 0.7# *有/VERB obj>EXKIND xcomp>VERBP
| *没有/VERB obj>HEAD xcomp>VERBP
| *存在~出现/VERB aux>了~着/AUX?50 obj>EXNP
EXPLACE = det>有些~很多~这些~每个~许多/DET *地方~国家~城市~学校~公司~村子~家庭/NOUN case>里/ADP?20
| *$places+moreplaces/NOUN case>里~上/ADP?70
| *世界上~世上~班里~村里~门口~这里~那里~街上~车上~路边~网上~公园里~单位里~办公室里~家里~社会上~楼下/NOUN
EXKIND = nummod>一~这么一~某/NUM clf>种~类~个~群/NOUN *HEAD
EXONE = nummod>ONECL acl:relcl>RC?60 *HEAD
EXNP = amod>很多~许多~不少~一些~少数/ADJ *HEAD
| amod>很多~许多~不少/ADJ amod>ADJDE *HEAD
| amod>很多~许多~不少/ADJ acl:relcl>RC *HEAD
| nummod>NUMCL acl:relcl>RC?50 *HEAD
| nummod>NUMCL amod>ADJDE *HEAD
EXSHORT = amod>很多~许多~不少/ADJ *HEAD
OBJFIRST = obj>OBJ punct>，/PUNCT?50 nsubj>CORE advmod>都~也~最~从不~不~从来不/ADV aux>能~会/AUX?20 *$vt/VERB
| 1.5# obj>OBJ nsubj>HEAD advmod>都~也~最~不~从来不~很少~才/ADV *喜欢~爱~讨厌~怕~爱吃~爱看~会做~擅长~拿手~懂~\
  了解~吃~喝~做~干~看~学~在行~买得起/VERB
| obj>OBJ punct>，/PUNCT nsubj>CORE advmod>都~也~从来不~最/ADV *$vt/VERB
| 0.6# obj>OBJ punct>，/PUNCT?40 nsubj>HEAD *$vt+short/VERB
| 0.5# obj>OBJ nsubj>HEAD obl>ASOBJ *吃~喝~看~用~玩/VERB
| 0.5# obj>OBJ punct>，/PUNCT?50 advmod>只有/ADV nsubj>HEAD advmod>才/ADV?60 *$vt/VERB
OBJ = 2# *$things/NOUN
| *$morethings/NOUN
| det>这种~那种~这些~什么/DET *$things+morethings/NOUN
| amod>ADJDE *$things/NOUN
ASOBJ = case>当~拿/ADP *$things/NOUN
QUESTION = 2# advmod>$questionwords/ADV nsubj>CORE *VERBAL
| advmod>$questionwords/ADV nsubj>CORE *VP
| *谁~什么/PRON conj>VIX
| 1.5# aux>能不能~会不会~该不该~可不可以~要不要~应不应该/AUX nsubj>CORE?60 *VERBP
| advmod>哪里~哪儿/ADV *有/VERB obj>HEAD xcomp>VERBP
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
