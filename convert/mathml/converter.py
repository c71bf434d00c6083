"""MathML -> LaTeX: two outcomes, LaTeX or a named refusal.

The elements are those of MathML 3 and MathML Core; every element has one function, listed in
ELEMENTS, that gets the node and the renderer for its children.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

from . import layout, scripts
from .source_tex import disagreement, source_tex
from .tables import cases, matrix, mtable
from .tree import MathNode, Refusal, parse

ELEMENTS: dict[str, Callable[[MathNode, Callable[[MathNode], str]], str]] = {
    "mi": layout.leaf,
    "mn": layout.leaf,
    "mo": layout.leaf,
    "mtext": layout.leaf,
    "ms": layout.ms,
    "mglyph": layout.mglyph,
    "mspace": layout.mspace,
    "#latex": layout.raw,
    "math": layout.group,
    "mrow": layout.group,
    "mstyle": layout.group,
    "mpadded": layout.group,
    "merror": layout.group,
    "mtd": layout.group,
    "mtr": layout.group,
    "mphantom": layout.mphantom,
    "mfrac": layout.mfrac,
    "#binom": layout.binom,
    "msqrt": layout.msqrt,
    "mroot": layout.mroot,
    "mfenced": layout.mfenced,
    "menclose": layout.menclose,
    "maction": layout.maction,
    "semantics": layout.semantics,
    "annotation": layout.nothing,
    "annotation-xml": layout.nothing,
    "none": layout.nothing,
    "maligngroup": layout.nothing,
    "malignmark": layout.nothing,
    **dict.fromkeys(scripts.PLACES, scripts.with_scripts),
    "mmultiscripts": scripts.mmultiscripts,
    "mtable": mtable,
    "#matrix": matrix,
    "#cases": cases,
}
# Two dialects are refused by name: of 5,996 formulas of real pages 4 use one of them. Closed lists:
# what a content expression (MathML 3, chapter 4) and a column of digits (3.6) can begin with.
CONTENT = frozenset(
    "apply bind ci cn csymbol cs cbytes cerror interval lambda list matrix piecewise reln set"
    " share vector".split()
)
COLUMN_ARITHMETIC = frozenset({"mstack", "mlongdiv"})
# WIRIS keeps MathML as "safe XML" in `data-mathml`, https://docs.wiris.com: « < » > ¨ " § & ` '
# Surya and Marker write LaTeX into `<math>`: no element inside, no MathML namespace
_LATEX_INSIDE = re.compile(
    r"\s*<math\b(?![^>]*xmlns)[^<>]*>([^<\x00-\x08\x0b\x0c\x0e-\x1f]*)</math\s*>\s*"
)
_SAFE_XML = str.maketrans({"«": "<", "»": ">", "¨": '"', "§": "&", "`": "'"})


def mathml_to_latex(source: str, issues: list[str] | None = None) -> str:
    """The LaTeX of one MathML formula, without dollar signs.

    Args:
        source: The formula's `<math>` element.
        issues: A list to which what is doubtful is added.

    >>> mathml_to_latex("<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>")
    '\\\\frac{1}{2}'
    >>> doubts: list[str] = []
    >>> mathml_to_latex('<math data-latex="x^{3}"><mi>x</mi></math>', doubts), len(doubts)
    ('x', 1)

    Raises Refusal when the formula cannot be converted without loss.
    """
    if (stated := _LATEX_INSIDE.fullmatch(source)) and stated[1].strip():
        return unescape(stated[1]).strip()
    tree = parse(from_safe_xml(source) if _is_safe_xml(source) else source)
    if issues is not None and (doubt := disagreement(tree)):
        issues.append(doubt)
    return to_latex(tree)


def to_latex(node: MathNode) -> str:
    """The LaTeX of a tree: the TeX it was made from, or else converted."""
    try:
        return source_tex(node) or latex(node).strip()
    except RecursionError:  # a caller that is deep in recursion itself
        raise Refusal("nested too deeply") from None


def latex(node: MathNode) -> str:
    convert = ELEMENTS.get(node.tag)
    if convert is not None:
        return convert(node, latex)
    if node.tag in CONTENT:
        what = f"content MathML <{node.tag}> is not read"
        raise Refusal(what, "export presentation MathML (mrow, mi, mn, mo)")
    if node.tag in COLUMN_ARITHMETIC:
        what = f"column arithmetic <{node.tag}> is not read"
        raise Refusal(what, "write it as a table, <mtable>")
    raise Refusal(f"unknown element <{node.tag}>")


def _is_safe_xml(text: str) -> bool:
    """Whether `text` is safe XML: it starts with « and holds no real markup."""
    return text.lstrip().startswith("«") and "<" not in text


def from_safe_xml(text: str) -> str:
    """The MathML that safe XML stands for.

    >>> from_safe_xml("«math»«mi mathvariant=¨normal¨»x«/mi»«/math»")
    '<math><mi mathvariant="normal">x</mi></math>'
    """
    return text.translate(_SAFE_XML)
