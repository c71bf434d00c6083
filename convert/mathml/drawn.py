"""Formulas that only stand drawn on a page: MathJax 3 and 4 as CHTML or SVG, back to MathML.

What MathJax draws keeps the shape of the MathML that it was made from. In CHTML an element
`mjx-mfrac` is `mfrac`, with wrappers (`mjx-num`, `mjx-den`) that say which part is which; in SVG
`<g data-mml-node="mfrac">` is. A glyph names its character: `mjx-c1D465`, `data-c="1D465"`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, NamedTuple

from .tree import INVISIBLE, MAX_DEPTH, MathNode, Refusal, node

_GLYPH = re.compile(r"\bmjx-c([0-9A-F]{2,6})\b")
_SCRIPT = re.compile(r"\bTEX-C\b")  # MathJax's calligraphic font
_CODE = re.compile(r"(?:10|[0-9A-F])?[0-9A-F]{1,4}", re.I)
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")
_PLACE = re.compile(r"translate\(\s*[-\d.]+[ ,]+(-?\d{1,9}(?:\.\d{1,9})?)")
_SIDE = re.compile(r"text-align:\s*(left|right)")
_LENGTH = re.compile(r"\bwidth:\s*(-?[\d.]+em)")
_TOKENS = frozenset({"mi", "mn", "mo", "mtext", "ms"})
_ROWS = frozenset(
    {
        "math",
        "TeXAtom",
        "texatom",
        "mrow",
        "mstyle",
        "mpadded",
        "merror",
        "mphantom",
        "mtd",
        "mtr",
        "mlabeledtr",
        "mtable",
        "semantics",
        "maction",
    }
)
_SCRIPTED = {"msub", "msup", "msubsup", "munder", "mover", "munderover"}
# wrappers of CHTML that say which part of their element stands inside
_ROLES = frozenset(
    {"num", "den", "script", "base", "over", "under", "root", "box", "surd"}
)
_STRIKES = {
    "ustrike": "updiagonalstrike",
    "dstrike": "downdiagonalstrike",
    "hstrike": "horizontalstrike",
    "vstrike": "verticalstrike",
}
# a tall sign is drawn in pieces, the code points of Unicode's "bracket pieces"; whole signs by
# the pieces that they have, as U+239B to U+23B3 are laid out there
_PIECES = (
    ("⎡⎢⎣", "["), ("⎢⎣", "⌊"), ("⎡⎢", "⌈"), ("⎤⎥⎦", "]"), ("⎥⎦", "⌋"), ("⎤⎥", "⌉"), ("⎛⎜⎝", "("),
    ("⎞⎟⎠", ")"), ("⎧⎨⎩⎪", "{"), ("⎫⎬⎭⎪", "}"), ("⎛⎝", "("), ("⎞⎠", ")"), ("⏐", "|"),
)  # fmt: skip
_LINE = {
    "\u2013": "\u203e",
    "\u2015": "\u203e",
}  # stretched dashes are bars over or under


class _Part(NamedTuple):
    role: str
    group: int  # which child of the element it came from
    element: Any


def from_drawn(element: Any) -> MathNode:
    """The tree of `mjx-math` or `<g data-mml-node="math">`.

    Raises Refusal for parts that do not tell what they are.
    """
    return _node(element, 1)


def is_drawn(element: Any) -> bool:
    """Whether the element is a drawn formula that names its parts."""
    return _name(element) == "math"


def _name(element: Any) -> str:
    """The MathML name of a drawn element, or "" of a wrapper."""
    if name := element.get("data-mml-node"):
        return str(name)
    tag = element.tag.lower()
    return (
        tag[4:]
        if tag.startswith(("mjx-m", "mjx-texatom")) and tag != "mjx-mark"
        else ""
    )


def _node(element: Any, depth: int) -> MathNode:
    if depth > MAX_DEPTH:
        raise Refusal(f"nested deeper than {MAX_DEPTH} elements")
    name = _name(element)
    if name in _TOKENS:
        return _token(element, name)
    if name == "mspace":
        width = _LENGTH.search(element.get("style", ""))
        return node("mspace", width=width[1] if width else "0em")
    parts = list(_parts(element))

    def made(chosen: list[_Part]) -> MathNode:
        nodes = [_node(part.element, depth + 1) for part in chosen]
        return nodes[0] if len(nodes) == 1 else node("mrow", *nodes)

    if name in _ROWS:
        tag = "mrow" if name.lower() == "texatom" else name.replace("mlabeledtr", "mtr")
        inner = [_node(part.element, depth + 1) for part in parts]
        if (
            len(inner) > 2 and inner[0].text == inner[-1].text == "∣"
        ):  # tall bars look like it
            inner[0].text = inner[-1].text = "|"
        return node(tag, *inner, **(_aligned(parts) if name == "mtable" else {}))
    if name == "mfrac" and len(groups := _grouped(parts)) == 2:
        thin = {"linethickness": "0"} if _is_atop(element) else {}
        return node("mfrac", *map(made, groups), **thin)
    if name == "msqrt":
        return node("msqrt", made(_without_sign(parts)))
    if name == "mroot":
        index = [p for p in parts if p.role == "root"]
        groups = _grouped(_without_sign([p for p in parts if p.role != "root"]))
        both = [*groups, index] if index else groups
        if len(both) == 2:
            return node("mroot", *map(made, both))
    if name in _SCRIPTED:
        found = _scripts(name, parts)
        return node(found[0], *map(made, found[1]))
    if name == "menclose":
        return node("menclose", made(parts), notation=_notation(element))
    raise Refusal(f"drawn formula: <{name}> does not tell its parts")


def _parts(element: Any, role: str = "", group: int | None = None) -> Iterator[_Part]:
    """The MathML elements right inside, each with the wrapper that says its part."""
    for number, child in enumerate(element):
        if not isinstance(child.tag, str):
            continue
        own = number if group is None else group
        name = _name(child)
        if name == "munder" and role == "box" and _name_above(element) == "munderover":
            yield from _parts(child, "", own)  # only draws what is below
        elif name:
            yield _Part(role, own, child)
        elif child.tag not in ("defs", "mjx-assistive-mml", "mjx-labels"):
            wrapper = child.tag.removeprefix("mjx-")
            inner = wrapper if child.tag != wrapper and wrapper in _ROLES else role
            yield from _parts(child, inner, own)


def _name_above(wrapper: Any) -> str:
    parent = wrapper.getparent()
    return "" if parent is None else _name(parent)


def _grouped(parts: list[_Part]) -> list[list[_Part]]:
    """Parts by role, where they have one, or by the child that they stand in."""
    groups: dict[Any, list[_Part]] = {}
    for part in parts:
        groups.setdefault(part.role or part.group, []).append(part)
    return list(groups.values())


def _without_sign(parts: list[_Part]) -> list[_Part]:
    """The inside of a root, without the radical that is drawn as an operator."""
    kept = [p for p in parts if p.role != "surd"]
    if len(kept) == len(parts) and kept and _name(kept[-1].element) == "mo":
        kept.pop()
    return kept


def _scripts(name: str, parts: list[_Part]) -> tuple[str, list[list[_Part]]]:
    """The MathML element and its arguments in their order: base, lower, upper."""
    role = {"over": 2, "under": 1}
    if any(p.role in role for p in parts):
        groups: list[list[_Part]] = [[], [], []]
        for part in parts:
            groups[role.get(part.role, 0)].append(part)
        return name, [g for k, g in enumerate(groups) if g or k == 0]
    base, *others = [[part] for part in parts] or [[]]
    if parts and parts[0].role == "base":
        base = [p for p in parts if p.role == "base"]
        others = [[p] for p in parts if p.role != "base"]
    if len(others) == 2:
        first, second = (_height(group[0].element) for group in others)
        if (
            first is None or second is None or first > second
        ):  # CHTML draws the upper one first
            others.reverse()
    wanted = 2 if name in ("msubsup", "munderover") else 1
    if len(others) != wanted:
        raise Refusal(f"drawn formula: <{name}> has {len(others) + 1} parts")
    return name, [base, *others]


def _height(element: Any) -> float | None:
    place = _PLACE.search(element.get("transform", ""))
    return float(place[1]) if place else None


def _is_atop(element: Any) -> bool:
    """Whether no line is drawn between two numbers: a binomial coefficient."""
    if element.get("data-mml-node"):
        return not any(child.tag == "rect" for child in element)
    return any(child.get("atop") == "true" for child in element)


def _notation(element: Any) -> str:
    """What encloses: strikes have elements of their own, sides are borders."""
    found = []
    for inside in element:
        tag = str(inside.tag).removeprefix("mjx-")
        if tag in _STRIKES:
            found.append(_STRIKES[tag])
        elif tag == "line":
            found.append(_strike(inside))
        elif tag == "box":
            sides = re.findall(
                r"border-(top|bottom|left|right)\b", inside.get("style", "")
            )
            found += dict.fromkeys(sides)
    return " ".join(found) or "box"


def _strike(line: Any) -> str:
    ends = [_NUMBER.match(line.get(name, "0")) for name in ("x1", "y1", "x2", "y2")]
    x1, y1, x2, y2 = (float(end[0]) if end else 0.0 for end in ends)
    if x1 == x2 or y1 == y2:
        return "verticalstrike" if x1 == x2 else "horizontalstrike"
    return "updiagonalstrike" if (x2 - x1) * (y2 - y1) > 0 else "downdiagonalstrike"


def _aligned(rows: list[_Part]) -> dict[str, str]:
    """How the columns of a table stand, where the cells of its widest row say so."""
    cells = max(([*_parts(row.element)] for row in rows), key=len, default=[])
    sides = [_SIDE.search(cell.element.get("style", "")) for cell in cells]
    if not any(sides):
        return {}
    return {"columnalign": " ".join(side[1] if side else "center" for side in sides)}


# ---------------------------------------------------------------------------------------- tokens
def _token(element: Any, name: str) -> MathNode:
    text = "".join(_characters(element)).translate(INVISIBLE)
    if name == "mo" and len(text) > 1:
        text = _whole_sign(text)
    if name == "mo":
        text = _LINE.get(text, text) if _is_stretched(element) else text
    if name != "mi" or len(text) != 1:
        return MathNode(name, _upright(text))
    plain = _upright(text)
    if plain != text or not text.isascii():
        return MathNode(name, plain)
    glyph = "".join(v for inside in element.iter() for v in inside.values())
    return MathNode(
        name,
        plain,
        [],
        {"mathvariant": "script" if _SCRIPT.search(glyph) else "normal"},
    )


def _upright(text: str) -> str:
    """Letters without the slant that MathJax draws for a variable; bold and others stay."""
    return "".join(
        unicodedata.normalize("NFKC", c)
        if "MATHEMATICAL ITALIC" in unicodedata.name(c, "") or c == "ℎ"
        else c
        for c in text
    )


def _characters(element: Any) -> Iterator[str]:
    for child in element:
        if not isinstance(child.tag, str):
            continue
        code = child.get("data-c") or next(
            iter(_GLYPH.findall(child.get("class", ""))), ""
        )
        if code:
            yield _character(code)
        elif child.tag in ("mjx-utext", "text", "mjx-c"):
            yield "".join(child.itertext())
        else:
            yield from _characters(child)


def _character(code: str) -> str:
    if not _CODE.fullmatch(code) or 0xD7FF < int(code, 16) < 0xE000:
        raise Refusal(f"drawn formula: {code[:20]!r} is no character")
    return chr(int(code, 16))


def _is_stretched(element: Any) -> bool:
    return any(child.tag in ("mjx-stretchy-h", "svg") for child in element)


def _whole_sign(pieces: str) -> str:
    """The sign that tall pieces make.

    >>> _whole_sign("⎛⎝⎜"), _whole_sign("⎢⎣"), _whole_sign("lim")
    ('(', '⌊', 'lim')
    """
    there = set(pieces)
    if all("\ue000" <= c <= "\uf8ff" for c in pieces):
        return "⏟" if pieces[0] == "\ue152" else "⏞"  # braces of MathJax 3's own font
    for parts, sign in _PIECES:
        if there == set(parts) or (sign in "{}" and there <= set(parts)):
            return sign
    if len(there) == 1 and not pieces[0].isalnum():
        return pieces[0]
    arrows = [c for c in pieces if "\u2190" <= c <= "\u21ff"]
    return "".join(arrows) if arrows else pieces
