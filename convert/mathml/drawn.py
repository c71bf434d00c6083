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

# in class names, styles and transforms: a glyph's code, a font, numbers
_GLYPH = re.compile(r"\bmjx-c([0-9A-F]{2,6})\b")
_SCRIPT = re.compile(r"\bTEX-C\b")  # MathJax's calligraphic font
_CODE = re.compile(r"(?:10|[0-9A-F])?[0-9A-F]{1,4}", re.I)
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")
_PLACE = re.compile(r"translate\(\s*[-\d.]+[ ,]+(-?\d{1,9}(?:\.\d{1,9})?)")
_SIDE = re.compile(r"text-align:\s*(left|right)")
_BORDER = re.compile(r"border-(top|bottom|left|right)\b")
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
# stretched dashes are bars over or under
_LINE = {"\u2013": "\u203e", "\u2015": "\u203e"}


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
    is_named = tag.startswith(("mjx-m", "mjx-texatom")) and tag != "mjx-mark"
    return tag.removeprefix("mjx-") if is_named else ""


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
    if name in _ROWS:
        return _row(name, parts, depth)
    groups, attributes = _arguments(element, name, parts)
    arguments = [_whole(group, depth) for group in groups]
    return node(name, *arguments, **attributes)


def _whole(parts: list[_Part], depth: int) -> MathNode:
    """Parts as one node."""
    nodes = [_node(part.element, depth + 1) for part in parts]
    return nodes[0] if len(nodes) == 1 else node("mrow", *nodes)


def _row(name: str, parts: list[_Part], depth: int) -> MathNode:
    tag = "mrow" if name.lower() == "texatom" else name.replace("mlabeledtr", "mtr")
    nodes = [_node(part.element, depth + 1) for part in parts]
    if len(nodes) > 2 and nodes[0].text == nodes[-1].text == "∣":
        nodes[0].text = nodes[-1].text = "|"  # tall bars look like it
    return node(tag, *nodes, **(_aligned(parts) if name == "mtable" else {}))


def _arguments(
    element: Any, name: str, parts: list[_Part]
) -> tuple[list[list[_Part]], dict[str, str]]:
    """The parts of each argument in MathML's order, and the element's attributes."""
    if name == "mfrac" and len(sides := _grouped(parts)) == 2:
        return sides, {"linethickness": "0"} if _is_atop(element) else {}
    if name == "msqrt":
        return [_without_sign(parts)], {}
    if name == "mroot":
        index = [part for part in parts if part.role == "root"]
        others = [part for part in parts if part.role != "root"]
        groups = _grouped(_without_sign(others)) + ([index] if index else [])
        if len(groups) == 2:
            return groups, {}
    if name in _SCRIPTED:
        return _scripts(name, parts), {}
    if name == "menclose":
        return [parts], {"notation": _notation(element)}
    raise Refusal(f"drawn formula: <{name}> does not tell its parts")


def _parts(element: Any, role: str = "", group: int | None = None) -> Iterator[_Part]:
    """The MathML elements right inside, each with the wrapper that says its part."""
    for number, child in enumerate(element):
        if not isinstance(child.tag, str):
            continue
        place = number if group is None else group
        name = _name(child)
        if name == "munder" and role == "box" and _name_above(element) == "munderover":
            yield from _parts(child, "", place)  # only draws what is below
        elif name:
            yield _Part(role, place, child)
        elif child.tag not in ("defs", "mjx-assistive-mml", "mjx-labels"):
            wrapper = child.tag.removeprefix("mjx-")
            is_role = child.tag != wrapper and wrapper in _ROLES
            yield from _parts(child, wrapper if is_role else role, place)


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
    inside = [part for part in parts if part.role != "surd"]
    if len(inside) == len(parts) and inside and _name(inside[-1].element) == "mo":
        inside.pop()
    return inside


def _scripts(name: str, parts: list[_Part]) -> list[list[_Part]]:
    """The arguments of an element with scripts in their order: base, lower, upper."""
    if any(part.role in ("over", "under") for part in parts):
        under = [part for part in parts if part.role == "under"]
        over = [part for part in parts if part.role == "over"]
        base = [part for part in parts if part.role not in ("over", "under")]
        return [base, *filter(None, [under, over])]
    base = parts[:1]
    scripts = parts[1:]
    if base and base[0].role == "base":
        base = [part for part in parts if part.role == "base"]
        scripts = [part for part in parts if part.role != "base"]
    if len(scripts) == 2:
        first, second = (_height(part.element) for part in scripts)
        if first is None or second is None or first > second:
            scripts.reverse()  # CHTML draws the upper one first
    if len(scripts) != (2 if name in ("msubsup", "munderover") else 1):
        raise Refusal(f"drawn formula: <{name}> has {len(scripts) + 1} parts")
    return [base, *([script] for script in scripts)]


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
    notations = []
    for inside in element:
        tag = str(inside.tag).removeprefix("mjx-")
        if tag in _STRIKES:
            notations.append(_STRIKES[tag])
        elif tag == "line":
            notations.append(_strike(inside))
        elif tag == "box":
            notations += dict.fromkeys(_BORDER.findall(inside.get("style", "")))
    return " ".join(notations) or "box"


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
    if name == "mo" and _is_stretched(element):
        text = _LINE.get(text, text)
    plain = _upright(text)
    is_upright_letter = len(text) == 1 and text.isascii() and plain == text
    if name != "mi" or not is_upright_letter:
        return MathNode(name, plain)
    fonts = "".join(value for inside in element.iter() for value in inside.values())
    variant = "script" if _SCRIPT.search(fonts) else "normal"
    return MathNode(name, plain, [], {"mathvariant": variant})


def _upright(text: str) -> str:
    """Letters without the slant that MathJax draws for a variable; bold and others stay."""
    return "".join(map(_without_slant, text))


def _without_slant(c: str) -> str:
    is_slanted = "MATHEMATICAL ITALIC" in unicodedata.name(c, "") or c == "ℎ"
    return unicodedata.normalize("NFKC", c) if is_slanted else c


def _characters(element: Any) -> Iterator[str]:
    for child in element:
        if not isinstance(child.tag, str):
            continue
        named = _GLYPH.search(child.get("class", ""))
        if code := child.get("data-c") or (named[1] if named else ""):
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
    kinds = set(pieces)
    if all("\ue000" <= c <= "\uf8ff" for c in pieces):
        return "⏟" if pieces[0] == "\ue152" else "⏞"  # braces of MathJax 3's own font
    for parts, sign in _PIECES:
        if kinds == set(parts) or (sign in "{}" and kinds <= set(parts)):
            return sign
    if len(kinds) == 1 and not pieces[0].isalnum():
        return pieces[0]
    arrows = [c for c in pieces if "\u2190" <= c <= "\u21ff"]
    return "".join(arrows) if arrows else pieces
