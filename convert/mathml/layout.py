"""Fractions, roots, fences, enclosures, spaces and the other layout elements."""

from __future__ import annotations

import re

from ...latex import FOLD
from .rows import DELIMITERS, enclosed, is_stack, row
from .scripts import Latex, expect
from .tokens import characters, join, prose, token
from .tree import MathNode, Refusal, glyph_name

NAMED_SPACES = {
    "veryverythinmathspace": 1 / 18,
    "verythinmathspace": 2 / 18,
    "thinmathspace": 3 / 18,
    "mediummathspace": 4 / 18,
    "thickmathspace": 5 / 18,
    "verythickmathspace": 6 / 18,
    "veryverythickmathspace": 7 / 18,
}
EM = {
    "em": 1.0,
    "ex": 0.43,
    "px": 1 / 16,
    "pt": 1 / 10,
    "cm": 2.85,
    "mm": 0.285,
    "in": 7.2,
}
SPACES = (
    (0.02, ""),
    (0.2, r"\,"),
    (0.25, r"\:"),
    (0.4, r"\;"),
    (0.8, r"\enspace"),
    (1.5, r"\quad"),
)
PRESENTATION = ("MathML-Presentation", "application/mathml-presentation+xml")
# a border that Temml draws
_BORDER = re.compile(r"\bborder\s*:\s*[0-9.]+[a-z]+ solid")
_LENGTH = re.compile(r"[+-]?(?P<number>\d{0,9}\.?\d{0,9})(?P<unit>[a-z]*)")
ENCLOSURES = {  # sorted notations -> command around the content
    "box": r"\boxed", "roundedbox": r"\boxed", "top": r"\overline", "bottom": r"\underline",
    "updiagonalstrike": r"\cancel", "downdiagonalstrike": r"\bcancel",
    "downdiagonalstrike updiagonalstrike": r"\xcancel",
    "bottom left right top": r"\boxed", "radical": r"\sqrt",
}  # fmt: skip


def leaf(node: MathNode, latex: Latex) -> str:
    """A token; `rspace` and the like are left to LaTeX."""
    return token(node.tag, node.text, node.attributes.get("mathvariant", ""))


def ms(node: MathNode, latex: Latex) -> str:
    """A string; MathML Core draws no quotes around it."""
    return prose(node.text, node.attributes.get("mathvariant", ""))


def raw(node: MathNode, latex: Latex) -> str:
    return node.text


def group(node: MathNode, latex: Latex) -> str:
    """mrow, mstyle, mpadded and everything else that only groups; Temml draws boxes with CSS."""
    body = row(node.children, latex)
    style = node.attributes.get("style", "")
    return rf"\boxed{{{body}}}" if style and _BORDER.search(style) else body


def nothing(node: MathNode, latex: Latex) -> str:
    """An element that is no part of the formula: an alignment mark, an annotation."""
    if node.children and not node.tag.startswith("annotation"):
        raise Refusal(f"<{node.tag}> is not empty")
    return ""


def mfrac(node: MathNode, latex: Latex) -> str:
    top, bottom = expect(node, 2)
    if is_stack(node):
        return rf"{{{latex(top)}\atop {latex(bottom)}}}"
    return rf"\frac{{{latex(top)}}}{{{latex(bottom)}}}"


def binom(node: MathNode, latex: Latex) -> str:
    """A fraction without bar in parentheses (made by rows)."""
    top, bottom = node.children
    return rf"\binom{{{latex(top)}}}{{{latex(bottom)}}}"


def msqrt(node: MathNode, latex: Latex) -> str:
    return rf"\sqrt{{{row(node.children, latex)}}}"


def mroot(node: MathNode, latex: Latex) -> str:
    base, index = expect(node, 2)
    degree = latex(index)
    if "]" in degree or degree.startswith("{"):
        degree = f"{{{degree}}}"
    root = rf"\sqrt[{degree}]" if degree else r"\sqrt"
    return f"{root}{{{latex(base)}}}"


def mfenced(fenced: MathNode, latex: Latex) -> str:
    """Brackets and separators given as attributes; the last separator repeats."""
    left = fenced.attributes.get("open", "(").strip().translate(FOLD)
    right = fenced.attributes.get("close", ")").strip().translate(FOLD)
    separators = "".join(fenced.attributes.get("separators", ",").split())
    if whole := enclosed((left, right), fenced.children):
        return latex(whole)
    parts: list[str] = []
    for k, child in enumerate(fenced.children):
        if k and separators:
            separator = separators[min(k, len(separators)) - 1]
            parts.append(token("mo", separator))
        parts.append(latex(child))
    body = join(parts)
    if not left and not right:
        return body
    if left in DELIMITERS and right in DELIMITERS:
        return join([r"\left" + DELIMITERS[left], body, r"\right" + DELIMITERS[right]])
    return join([characters(left, ""), body, characters(right, "")])


def menclose(node: MathNode, latex: Latex) -> str:
    """Boxes, strikes, bars; a notation without LaTeX command uses `\\enclose`."""
    body = row(node.children, latex)
    notations = sorted(set(node.attributes.get("notation", "longdiv").split()))
    if notations == ["longdiv"]:
        return rf"\overline{{){body}}}"
    names = " ".join(notations)
    if command := ENCLOSURES.get(names):
        return f"{command}{{{body}}}"
    if not all(name.isalpha() for name in notations):
        raise Refusal(f"unknown notation {names!r} of <menclose>")
    return rf"\enclose{{{names}}}{{{body}}}" if notations else body


def mphantom(node: MathNode, latex: Latex) -> str:
    body = row(node.children, latex)
    return rf"\phantom{{{body}}}" if body else ""


def mspace(node: MathNode, latex: Latex) -> str:
    if node.children:
        raise Refusal("<mspace> is not empty")
    if node.attributes.get("linebreak") == "newline":
        return r"\;"
    return space(node.attributes.get("width", "0"))


def space(width: str) -> str:
    """The LaTeX space nearest to a width.

    >>> space("1em"), space("thinmathspace"), space("-0.17em")
    ('\\\\quad', '\\\\,', '\\\\!')
    """
    width = width.strip().lower()
    is_negative = width.startswith(("negative", "-"))
    em = NAMED_SPACES.get(width.removeprefix("negative"))
    if em is None:
        length = _LENGTH.fullmatch(width)
        if not length or not length["number"].strip("."):
            return ""
        em = float(length["number"]) * EM.get(length["unit"], 0.0)
    if is_negative:
        return r"\!" if em > 0.02 else ""
    return next((command for limit, command in SPACES if em < limit), r"\qquad")


def maction(node: MathNode, latex: Latex) -> str:
    """The part that is shown."""
    selection = node.attributes.get("selection", "1").strip()
    index = int(selection) if selection.isdecimal() and len(selection) < 6 else 1
    if not 1 <= index <= len(node.children):
        raise Refusal(f"<maction> selects part {index} of {len(node.children)}")
    return latex(node.children[index - 1])


def semantics(node: MathNode, latex: Latex) -> str:
    """The formula itself, or its presentation where content MathML comes first."""
    if not node.children:
        return ""
    formula, *annotations = node.children
    for annotation in annotations:
        if annotation.attributes.get("encoding") in PRESENTATION:
            return row(annotation.children, latex)
    if not all(child.tag.startswith("annotation") for child in annotations):
        raise Refusal("<semantics> holds more than one formula")
    return latex(formula)


def mglyph(node: MathNode, latex: Latex) -> str:
    return prose(glyph_name(node.attributes.get("alt")))
