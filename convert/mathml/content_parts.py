"""Leaves and containers of content MathML, and the small builders they share."""

from __future__ import annotations

from collections.abc import Callable

from .content_names import ATOM, CONSTANTS, NEGATIVE, SUM, TIMES
from .refusal import Refusal
from .tree import MathNode, node

Bound = tuple[MathNode, int]  # a presentation tree and how strongly it binds
ContentConverter = Callable[[MathNode], Bound]
QUALIFIERS = frozenset([
    "bvar", "lowlimit", "uplimit", "condition", "domainofapplication", "degree", "logbase",
    "momentabout",
])  # fmt: skip


def mi(text: str) -> MathNode:
    return MathNode("mi", text)


def mo(text: str) -> MathNode:
    return MathNode("mo", text)


def row(*children: MathNode) -> MathNode:
    return node("mrow", *children)


def parens(inner: MathNode, pair: str = "()") -> MathNode:
    return row(mo(pair[0]), inner, mo(pair[1]))


def listed(nodes: list[MathNode], separator: str = ",") -> MathNode:
    parts: list[MathNode] = []
    for k, item in enumerate(nodes):
        parts += [mo(separator), item] if k else [item]
    return row(*parts)


# ---------------------------------------------------------------------------------------- leaves
def ci(content: MathNode, convert: ContentConverter) -> Bound:
    if content.children:
        return row(*content.children), ATOM
    return MathNode("mi", content.text, [], content.attributes), ATOM


def cn(content: MathNode, convert: ContentConverter) -> Bound:
    """Numbers: integer, real, rational, e-notation, complex, in a base."""
    kind = content.attributes.get("type", "")
    parts = [c.text for c in content.children if c.tag == "mtext"]
    if len(parts) == 2 and kind == "rational":
        return node("mfrac", *(MathNode("mn", p) for p in parts)), TIMES
    if len(parts) == 2 and kind == "e-notation":
        power = node("msup", MathNode("mn", "10"), MathNode("mn", parts[1]))
        return row(MathNode("mn", parts[0]), mo("×"), power), TIMES
    if len(parts) == 2 and kind == "complex-cartesian":
        return row(MathNode("mn", parts[0]), mo("+"), MathNode("mn", parts[1]), mi("i")), SUM
    if len(parts) == 2 and kind == "complex-polar":
        power = node("msup", mi("e"), row(mi("i"), MathNode("mn", parts[1])))
        return row(MathNode("mn", parts[0]), power), TIMES
    if content.children:
        raise Refusal(f"<cn type={kind!r}> with {len(parts)} parts")
    base = content.attributes.get("base", "10")
    number = MathNode("mn", content.text)
    if base != "10":
        return node("msub", number, MathNode("mn", base)), ATOM
    return number, NEGATIVE if content.text.startswith(("-", "−")) else ATOM


def symbol(content: MathNode, convert: ContentConverter) -> Bound:
    """A `csymbol` of an OpenMath dictionary is the element of the same name, else a name."""
    if content.text in CONSTANTS:
        return MathNode(*CONSTANTS[content.text]), ATOM
    return ci(content, convert)


def string(content: MathNode, convert: ContentConverter) -> Bound:
    return MathNode("mtext", content.text), ATOM


LEAVES: dict[str, Callable[[MathNode, ContentConverter], Bound]] = {
    "ci": ci, "cn": cn, "csymbol": symbol, "cs": string, "cbytes": string,
}  # fmt: skip


# ------------------------------------------------------------------------------------ containers
def split(children: list[MathNode]) -> tuple[list[MathNode], dict[str, list[MathNode]]]:
    """Arguments, and qualifiers by name."""
    arguments = [c for c in children if c.tag not in QUALIFIERS]
    qualifiers: dict[str, list[MathNode]] = {}
    for child in children:
        if child.tag in QUALIFIERS:
            qualifiers.setdefault(child.tag, []).append(child)
    return arguments, qualifiers


def inside(qualifier: MathNode, convert: ContentConverter) -> MathNode:
    """What a qualifier says; a `bvar` may hold its degree besides."""
    inner = [c for c in qualifier.children if c.tag not in QUALIFIERS]
    return row(*(convert(c)[0] for c in inner))


def collection(pair: str) -> Callable[[MathNode, ContentConverter], Bound]:
    def bracketed(content: MathNode, convert: ContentConverter) -> Bound:
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


def _names(nodes: list[MathNode]) -> set[str]:
    return {n.text for n in nodes}.union(*(_names(n.children) for n in nodes))


def interval(content: MathNode, convert: ContentConverter) -> Bound:
    pair = {"open": "()", "open-closed": "(]", "closed-open": "[)"}.get(
        content.attributes.get("closure", "closed"), "[]"
    )
    return parens(listed([convert(c)[0] for c in content.children]), pair), ATOM


def vector(content: MathNode, convert: ContentConverter) -> Bound:
    lines = [node("mtr", node("mtd", convert(c)[0])) for c in content.children]
    return parens(node("mtable", *lines)), ATOM


def matrix(content: MathNode, convert: ContentConverter) -> Bound:
    if any(c.tag != "matrixrow" for c in content.children):
        raise Refusal("content MathML <matrix> given by a rule")
    lines = [
        node("mtr", *(node("mtd", convert(c)[0]) for c in line.children))
        for line in content.children
    ]
    return parens(node("mtable", *lines)), ATOM


def piecewise(content: MathNode, convert: ContentConverter) -> Bound:
    lines = []
    for piece in content.children:
        if len(piece.children) != {"piece": 2, "otherwise": 1}.get(piece.tag):
            raise Refusal(f"content MathML <piecewise> with a damaged <{piece.tag}>")
        parts = [convert(c)[0] for c in piece.children]
        if piece.tag == "otherwise":
            parts.append(MathNode("mtext", "otherwise"))
        lines.append(node("mtr", *(node("mtd", p) for p in parts)))
    return row(mo("{"), node("mtable", *lines, columnalign="left")), ATOM


def lambda_(content: MathNode, convert: ContentConverter) -> Bound:
    arguments, qualifiers = split(content.children)
    if qualifiers.keys() - {"bvar"}:
        raise Refusal("content MathML <lambda> with a condition")
    names = listed([inside(b, convert) for b in qualifiers.get("bvar", [])])
    return row(names, mo("↦"), *(convert(a)[0] for a in arguments)), 0


def fn(content: MathNode, convert: ContentConverter) -> Bound:
    return row(*(convert(c)[0] for c in content.children)), ATOM


CONTAINERS: dict[str, Callable[[MathNode, ContentConverter], Bound]] = {
    "set": collection("{}"), "list": collection("()"), "interval": interval,
    "vector": vector, "matrix": matrix, "piecewise": piecewise, "lambda": lambda_, "fn": fn,
}  # fmt: skip
