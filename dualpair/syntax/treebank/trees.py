"""Dependency trees that are built from the inside out, and their CoNLL-U text."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Tree:
    """A word with its dependents, each with its relation, left and right of it in text order.

    Attributes:
        form, lemma, upos, feats: the CoNLL-U columns of the head word; feats is ``_`` when there are none.
        left, right: (relation, dependent) pairs in text order.
        glued, opens: no space before, or after, the head word, in a language that writes spaces.
    """

    form: str
    lemma: str
    upos: str
    feats: str = "_"
    left: tuple[tuple[str, Tree], ...] = ()
    right: tuple[tuple[str, Tree], ...] = ()
    glued: bool = False
    opens: bool = False

    def before(self, relation: str, dependent: Tree) -> Tree:
        """A copy with the dependent put leftmost."""
        return replace(self, left=((relation, dependent), *self.left))

    def after(self, relation: str, dependent: Tree) -> Tree:
        """A copy with the dependent put rightmost."""
        return replace(self, right=(*self.right, (relation, dependent)))


def linearise(tree: Tree) -> list[tuple[Tree, int, str]]:
    """Words of the tree in text order, each with its head's 1-based position (0 for the root) and its relation."""
    order: list[Tree] = []
    parents: list[tuple[int, int, str]] = []

    def visit(node: Tree, relation: str) -> int:
        before = [(visit(child, rel), rel) for rel, child in node.left]
        order.append(node)
        own = len(order)
        after = [(visit(child, rel), rel) for rel, child in node.right]
        parents.extend((child, own, rel) for child, rel in before + after)
        if relation == "root":
            parents.append((own, 0, relation))
        return own

    visit(tree, "root")
    heads = {child: (head, relation) for child, head, relation in parents}
    return [(node, *heads[position]) for position, node in enumerate(order, start=1)]


def surface(tree: Tree, joiner: str) -> str:
    """The sentence's text: words joined as the language does, the first letter raised."""
    text, tight = "", True
    for node, _, _ in linearise(tree):
        text += node.form if tight or node.glued else joiner + node.form
        tight = node.opens
    return _raised(text)


def _raised(text: str) -> str:
    """The text with its first letter raised, unless it begins with something else than a letter or a quote."""
    start = len(text) - len(text.lstrip("¿¡«“\"‘'("))
    return text[:start] + text[start : start + 1].upper() + text[start + 1 :]


def conllu(tree: Tree, joiner: str, name: str) -> str:
    """CoNLL-U block of one sentence, ending with an empty line."""
    rows = linearise(tree)
    lines = [f"# sent_id = {name}", f"# text = {surface(tree, joiner)}"]
    for position, (node, head, relation) in enumerate(rows, start=1):
        first = all(before.opens for before, _, _ in rows[: position - 1])
        form = _raised(node.form) if first else node.form
        tight = not joiner or node.opens or (position < len(rows) and rows[position][0].glued)
        misc = "SpaceAfter=No" if tight else "_"
        columns = (position, form, node.lemma, node.upos, node.upos, node.feats, head, relation, "_", misc)
        lines.append("\t".join(map(str, columns)))
    return "\n".join(lines) + "\n\n"
