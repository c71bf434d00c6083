"""Leaves and containers of content MathML, and the small builders they share."""

from __future__ import annotations

from collections.abc import Callable

from .content_names import ATOM, CONSTANTS, NEGATIVE, SUM, TIMES
from .refusal import Refusal
from .tree import Node, node

Bound = tuple[Node, int]  # a presentation tree and how strongly it binds
Convert = Callable[[Node], Bound]
QUALIFIERS = frozenset([
    "bvar", "lowlimit", "uplimit", "condition", "domainofapplication", "degree", "logbase",
    "momentabout",
])  # fmt: skip


def mi(text: str) -> Node:
    return Node("mi", text)


def mo(text: str) -> Node:
    return Node("mo", text)


def row(*children: Node) -> Node:
    return node("mrow", *children)


def parens(inner: Node, pair: str = "()") -> Node:
    return row(mo(pair[0]), inner, mo(pair[1]))


def listed(nodes: list[Node], separator: str = ",") -> Node:
    parts: list[Node] = []
    for k, item in enumerate(nodes):
        parts += [mo(separator), item] if k else [item]
    return row(*parts)


# ---------------------------------------------------------------------------------------- leaves
def ci(content: Node, convert: Convert) -> Bound:
    if content.children:
        return row(*content.children), ATOM
    return Node("mi", content.text, [], content.attributes), ATOM


def cn(content: Node, convert: Convert) -> Bound:
    """Numbers: integer, real, rational, e-notation, complex, in a base."""
    kind = content.attributes.get("type", "")
    parts = [c.text for c in content.children if c.tag == "mtext"]
    if len(parts) == 2 and kind == "rational":
        return node("mfrac", *(Node("mn", p) for p in parts)), TIMES
    if len(parts) == 2 and kind == "e-notation":
        power = node("msup", Node("mn", "10"), Node("mn", parts[1]))
        return row(Node("mn", parts[0]), mo("×"), power), TIMES
    if len(parts) == 2 and kind == "complex-cartesian":
        return row(Node("mn", parts[0]), mo("+"), Node("mn", parts[1]), mi("i")), SUM
    if len(parts) == 2 and kind == "complex-polar":
        power = node("msup", mi("e"), row(mi("i"), Node("mn", parts[1])))
        return row(Node("mn", parts[0]), power), TIMES
    if content.children:
        raise Refusal(f"<cn type={kind!r}> with {len(parts)} parts")
    base = content.attributes.get("base", "10")
    number = Node("mn", content.text)
    if base != "10":
        return node("msub", number, Node("mn", base)), ATOM
    return number, NEGATIVE if content.text.startswith(("-", "−")) else ATOM


def symbol(content: Node, convert: Convert) -> Bound:
    """A `csymbol` of an OpenMath dictionary is the element of the same name, else a name."""
    if content.text in CONSTANTS:
        return Node(*CONSTANTS[content.text]), ATOM
    return ci(content, convert)


def string(content: Node, convert: Convert) -> Bound:
    return Node("mtext", content.text), ATOM


LEAVES: dict[str, Callable[[Node, Convert], Bound]] = {
    "ci": ci, "cn": cn, "csymbol": symbol, "cs": string, "cbytes": string,
}  # fmt: skip


# ------------------------------------------------------------------------------------ containers
def split(children: list[Node]) -> tuple[list[Node], dict[str, list[Node]]]:
    """Arguments, and qualifiers by name."""
    arguments = [c for c in children if c.tag not in QUALIFIERS]
    qualifiers: dict[str, list[Node]] = {}
    for child in children:
        if child.tag in QUALIFIERS:
            qualifiers.setdefault(child.tag, []).append(child)
    return arguments, qualifiers


def inside(qualifier: Node, convert: Convert) -> Node:
    """What a qualifier says; a `bvar` may hold its degree besides."""
    inner = [c for c in qualifier.children if c.tag not in QUALIFIERS]
    return row(*(convert(c)[0] for c in inner))


def collection(pair: str) -> Callable[[Node, Convert], Bound]:
    def bracketed(content: Node, convert: Convert) -> Bound:
        arguments, qualifiers = split(content.children)
        items = listed([convert(c)[0] for c in arguments])
        names = [c for b in qualifiers.get("bvar", []) for c in b.children]
        if not arguments:
            items = listed([inside(b, convert) for b in qualifiers.get("bvar", [])])
        elif any(c.children or c.text not in _names(arguments) for c in names):
            raise Refusal(f"content MathML <{content.tag}> with a variable that it does not use")
        given = qualifiers.get("condition", []) + qualifiers.get("domainofapplication", [])
        if given:
            items = row(items, mo("∣"), *(inside(c, convert) for c in given))
        return parens(items, pair), ATOM

    return bracketed


def _names(nodes: list[Node]) -> set[str]:
    return {n.text for n in nodes}.union(*(_names(n.children) for n in nodes))


def interval(content: Node, convert: Convert) -> Bound:
    pair = {"open": "()", "open-closed": "(]", "closed-open": "[)"}.get(
        content.attributes.get("closure", "closed"), "[]"
    )
    return parens(listed([convert(c)[0] for c in content.children]), pair), ATOM


def vector(content: Node, convert: Convert) -> Bound:
    lines = [node("mtr", node("mtd", convert(c)[0])) for c in content.children]
    return parens(node("mtable", *lines)), ATOM


def matrix(content: Node, convert: Convert) -> Bound:
    if any(c.tag != "matrixrow" for c in content.children):
        raise Refusal("content MathML <matrix> given by a rule")
    lines = [
        node("mtr", *(node("mtd", convert(c)[0]) for c in line.children))
        for line in content.children
    ]
    return parens(node("mtable", *lines)), ATOM


def piecewise(content: Node, convert: Convert) -> Bound:
    lines = []
    for piece in content.children:
        if len(piece.children) != {"piece": 2, "otherwise": 1}.get(piece.tag):
            raise Refusal(f"content MathML <piecewise> with a damaged <{piece.tag}>")
        parts = [convert(c)[0] for c in piece.children]
        if piece.tag == "otherwise":
            parts.append(Node("mtext", "otherwise"))
        lines.append(node("mtr", *(node("mtd", p) for p in parts)))
    return row(mo("{"), node("mtable", *lines, columnalign="left")), ATOM


def lambda_(content: Node, convert: Convert) -> Bound:
    arguments, qualifiers = split(content.children)
    if qualifiers.keys() - {"bvar"}:
        raise Refusal("content MathML <lambda> with a condition")
    names = listed([inside(b, convert) for b in qualifiers.get("bvar", [])])
    return row(names, mo("↦"), *(convert(a)[0] for a in arguments)), 0


def fn(content: Node, convert: Convert) -> Bound:
    return row(*(convert(c)[0] for c in content.children)), ATOM


CONTAINERS: dict[str, Callable[[Node, Convert], Bound]] = {
    "set": collection("{}"), "list": collection("()"), "interval": interval,
    "vector": vector, "matrix": matrix, "piecewise": piecewise, "lambda": lambda_, "fn": fn,
}  # fmt: skip
