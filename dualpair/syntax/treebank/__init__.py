"""A generator of small treebanks of generic sentences, annotated in the style of Universal Dependencies.

Grammars in this package compose sentences from a lexicon (``resources/parsers/lexicon``) and know the tree of what they
compose, so no annotator and no foreign corpus is needed. ``scripts/train_parsers.py`` trains the shipped parsers on it.
"""
