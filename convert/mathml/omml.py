"""OMML, the equations of Word (ECMA-376 part 1, section 22.1) -> presentation MathML nodes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from ...latex import FUNCTIONS
from .tree import MAX_DEPTH, MathNode, Refusal, bounded, filled, local_name, node

# a run's style: plain, bold, italic (the default), bold-italic; and its script
STYLES = {"p": "normal", "b": "bold", "bi": "bold-italic"}
SCRIPTS = {
    "double-struck": "double-struck",
    "script": "script",
    "fraktur": "fraktur",
    "sans-serif": "sans-serif",
    "monospace": "monospace",
}
_TOKENS = re.compile(r"\d+(?:[.,]\d+)*|[A-Za-z]+|\s+|.", re.DOTALL)
_SKIPPED = frozenset(
    [  # deleted text, and marks that nobody sees
        "ctrlPr",
        "argPr",
        "del",
        "moveFrom",
        "bookmarkStart",
        "bookmarkEnd",
        "proofErr",
        "commentRangeStart",
        "commentRangeEnd",
        "permStart",
        "permEnd",
    ]
)
_NO_TEXT = frozenset(
    {"t", "lastRenderedPageBreak", "commentReference", "tab", "br", "delText"}
)


def from_omml(element: Any) -> MathNode:
    """The presentation tree of an `m:oMath` element.

    Raises Refusal for an element that is no part of OMML, or nesting that is too deep.
    """
    return bounded(node("math", *_content(element, 1)))


def _content(element: Any, depth: int) -> list[MathNode]:
    """The nodes of an element's children, without its properties."""
    if depth > MAX_DEPTH:
        raise Refusal(f"nested deeper than {MAX_DEPTH} elements")
    nodes: list[MathNode] = []
    for child in element:
        name = local_name(child) if isinstance(child.tag, str) else ""
        if not name or name.endswith("Pr") or name in _SKIPPED:
            continue
        if name == "r":
            nodes.extend(_run(child))
        elif name in STRUCTURES or name in WRITTEN:
            nodes.append(_structure(name, child, depth + 1))
        elif name in (
            "oMath",
            "ins",
            "moveTo",
            "smartTag",
            "sdt",
            "sdtContent",
            "hyperlink",
            "e",
        ):
            nodes.extend(_content(child, depth + 1))
        else:
            raise Refusal(f"unknown element <m:{name}>")
    return nodes


def _part(element: Any, name: str, depth: int) -> MathNode:
    """One named argument (`num`, `sub`, `e`, ...) as a row."""
    part = next((c for c in element if _is(c, name)), None)
    return node("mrow", *(_content(part, depth) if part is not None else []))


def _parts(element: Any, name: str, depth: int) -> list[MathNode]:
    return [node("mrow", *_content(c, depth)) for c in element if _is(c, name)]


def _is(element: Any, name: str) -> bool:
    return isinstance(element.tag, str) and local_name(element) == name


def _property(element: Any, name: str, bare: str = "") -> str | None:
    """The value of `<m:name m:val="..."/>` in the element's properties; `bare` without value."""
    for properties in element:
        if isinstance(properties.tag, str) and local_name(properties).endswith("Pr"):
            for child in properties:
                if _is(child, name):
                    values = (v for key, v in child.items() if key.endswith("val"))
                    return next(values, bare)
    return None


def _is_on(element: Any, name: str) -> bool:
    return _property(element, name, "1") in ("1", "on", "true")


# ------------------------------------------------------------------------------------------ runs
def _run(element: Any) -> list[MathNode]:
    """A run of text: numbers, letters and operators as tokens; normal text stays text."""
    text = "".join(c.text or "" for c in element if _is(c, "t"))
    for child in element:
        child_name = local_name(child) if isinstance(child.tag, str) else "t"
        if child_name not in _NO_TEXT and not child_name.endswith("Pr"):
            raise Refusal(f"<{child_name}> in a run of an equation")
    if _is_on(element, "nor"):
        return [MathNode("mtext", text)]
    variant = STYLES.get(_property(element, "sty") or "", "")
    variant = SCRIPTS.get(_property(element, "scr") or "", variant)
    attributes = {"mathvariant": variant} if variant else {}
    nodes: list[MathNode] = []
    for token in _TOKENS.findall(text):
        if token.isspace():
            continue
        if token[0].isdigit():
            nodes.append(MathNode("mn", token, [], attributes))
        elif token.isascii() and token.isalpha():
            is_name = token in FUNCTIONS or (variant == "normal" and len(token) > 1)
            letters = [token] if is_name else list(token)
            nodes += [MathNode("mi", letter, [], attributes) for letter in letters]
        elif token.isalpha():
            nodes.append(MathNode("mi", token, [], attributes))
        else:
            nodes.append(MathNode("mo", token))
    return nodes


# ------------------------------------------------------------------------------------ structures
# elements as MathML with places: arguments by their names, `chr` the sign; where a property
# decides, by its value (closed: those of the standard)
_TOP, _BOTTOM = "<mover>{e}{chr}</mover>", "<munder>{e}{chr}</munder>"
WRITTEN: dict[str, tuple[str, dict[str, str]]] = {
    "f": (
        "type",
        {
            "": "<mfrac>{num}{den}</mfrac>",
            "lin": "<mrow>{num}<mo>/</mo>{den}</mrow>",
            "noBar": "<mfrac linethickness='0'>{num}{den}</mfrac>",
        },
    ),
    "nary": (
        "limLoc",
        {
            "": "<mrow><msubsup>{chr}{sub}{sup}</msubsup>{e}</mrow>",
            "undOvr": "<mrow><munderover>{chr}{sub}{sup}</munderover>{e}</mrow>",
        },
    ),
    "func": ("", {"": "<mrow>{fName}{e}</mrow>"}),
    "box": ("", {"": "<mrow>{e}</mrow>"}),
    "sSub": ("", {"": "<msub>{e}{sub}</msub>"}),
    "sSup": ("", {"": "<msup>{e}{sup}</msup>"}),
    "sSubSup": ("", {"": "<msubsup>{e}{sub}{sup}</msubsup>"}),
    "sPre": ("", {"": "<mmultiscripts>{e}<mprescripts/>{sub}{sup}</mmultiscripts>"}),
    "limLow": ("", {"": "<munder>{e}{lim}</munder>"}),
    "limUpp": ("", {"": "<mover>{e}{lim}</mover>"}),
    "acc": ("", {"": _TOP}),
    "bar": ("pos", {"": _BOTTOM, "top": _TOP}),
    "groupChr": ("pos", {"": _BOTTOM, "top": _TOP}),
    "phant": ("show", {"": "<mrow>{e}</mrow>", "0": "<mphantom>{e}</mphantom>"}),
}
SIGNS = {"nary": "∫", "acc": "\u0302", "groupChr": "⏟"}  # where no `chr` is given


def _structure(name: str, element: Any, depth: int) -> MathNode:
    """An element of OMML; hidden limits are left out."""
    if name in STRUCTURES:
        return STRUCTURES[name](element, depth)
    decides, forms = WRITTEN[name]
    form = forms.get(_property(element, decides) or "", forms[""])

    def put(place: str) -> MathNode:
        if place == "chr":
            sign = None if name == "bar" else _property(element, "chr")
            return MathNode("mo", sign or SIGNS.get(name, "‾"))
        hidden = name == "nary" and _is_on(element, f"{place}Hide")
        return node("mrow") if hidden else _part(element, place, depth)

    return filled(form, put)


def _radical(element: Any, depth: int) -> MathNode:
    degree = _part(element, "deg", depth)
    base = _part(element, "e", depth)
    hidden = _is_on(element, "degHide") or not degree.children
    return node("msqrt", base) if hidden else node("mroot", base, degree)


def _delimiters(element: Any, depth: int) -> MathNode:
    signs = {
        "open": ("begChr", "("),
        "close": ("endChr", ")"),
        "separators": ("sepChr", "|"),
    }
    attributes = {}
    for attribute, (name, default) in signs.items():
        value = _property(element, name)
        attributes[attribute] = default if value is None else value
    return node("mfenced", *_parts(element, "e", depth), **attributes)


def _border_box(element: Any, depth: int) -> MathNode:
    """A box; hidden sides and strikes are notations of `menclose`."""
    sides = {
        "hideTop": "top",
        "hideBot": "bottom",
        "hideLeft": "left",
        "hideRight": "right",
    }
    strikes = {
        "strikeH": "horizontalstrike",
        "strikeV": "verticalstrike",
        "strikeBLTR": "updiagonalstrike",
        "strikeTLBR": "downdiagonalstrike",
    }
    visible = [side for name, side in sides.items() if not _is_on(element, name)]
    struck = [strike for name, strike in strikes.items() if _is_on(element, name)]
    is_whole_box = len(visible) == len(sides)
    notation = " ".join([*(["box"] if is_whole_box else visible), *struck])
    inner = _part(element, "e", depth)
    return node("menclose", inner, notation=notation) if notation else inner


def _matrix(element: Any, depth: int) -> MathNode:
    lines = [
        node("mtr", *(node("mtd", cell) for cell in _parts(line, "e", depth)))
        for line in element
        if _is(line, "mr")
    ]
    return node("mtable", *lines)


def _equation_array(element: Any, depth: int) -> MathNode:
    """Lines of equations; an `&` in them marks where they are aligned."""
    lines = []
    for line in _parts(element, "e", depth):
        cells: list[list[MathNode]] = [[]]
        for child in line.children:
            if child.tag == "mo" and child.text == "&":
                cells.append([])
            else:
                cells[-1].append(child)
        lines.append(node("mtr", *(node("mtd", *cell) for cell in cells)))
    width = max((len(line.children) for line in lines), default=1)
    alignment = "left" if width == 1 else " ".join(["right left"] * ((width + 1) // 2))
    return node("mtable", *lines, columnalign=alignment)


STRUCTURES: dict[str, Callable[[Any, int], MathNode]] = {
    "rad": _radical,
    "d": _delimiters,
    "borderBox": _border_box,
    "m": _matrix,
    "eqArr": _equation_array,
}


# ------------------------------------------------------------------- equations in Word's pages
_CASED = {
    name.lower(): name
    for name in [
        *STRUCTURES,
        *WRITTEN,
        "oMath",
        "oMathPara",
        "r",
        "num",
        "den",
        "deg",
        "e",
        "sub",
        "sup",
        "lim",
        "fName",
        "mr",
        "chr",
        "begChr",
        "endChr",
        "sepChr",
        "pos",
        "degHide",
        "subHide",
        "supHide",
        "limLoc",
        "type",
        "nor",
        "sty",
        "scr",
        "show",
        "hideTop",
        "hideBot",
        "hideLeft",
        "hideRight",
        "strikeH",
        "strikeV",
        "strikeBLTR",
        "strikeTLBR",
    ]
}


def from_html_omml(element: Any) -> MathNode:
    """The tree of an `m:oMath` that Word saved into a page: lower case, with HTML in between."""
    return from_omml(_of_page(element, 1))


def _of_page(element: Any, depth: int) -> Any:
    from lxml import etree

    if depth > MAX_DEPTH:
        raise Refusal(f"nested deeper than {MAX_DEPTH} elements")
    name = local_name(element)
    cased = etree.Element(_CASED.get(name) or re.sub(r"pr$", "Pr", name))
    for attribute, value in element.items():
        cased.set(attribute.rpartition(":")[2], value)
    parts = list(_equation_parts(element))
    cased.extend(_of_page(child, depth + 1) for child in parts)
    if name == "r":
        in_parts = "".join(text for child in parts for text in child.itertext())
        words = "".join(element.itertext()).removeprefix(in_parts)
        etree.SubElement(cased, "t").text = words.replace("\n", " ")
    return cased


def _equation_parts(element: Any) -> Iterator[Any]:
    """The equation's own elements inside one, HTML around them taken off."""
    for child in element:
        if isinstance(child.tag, str):
            if ":" in child.tag:
                yield child
            else:
                yield from _equation_parts(child)
