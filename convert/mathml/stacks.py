"""Elementary mathematics (MathML 3, section 3.6): column arithmetic and long division as arrays."""

from __future__ import annotations

from .rows import row
from .scripts import Latex
from .tree import MathNode, Refusal

LINE = r"\hline "
ROWS = frozenset({"msrow", "mscarries", "mscarry"})
MAX_SHIFT = 100  # columns


def mstack(stack: MathNode, latex: Latex) -> str:
    """Rows of digits, flush right, with rules where `msline` stands."""
    return _array(_lines(stack.children, 0, 0, latex))


def mlongdiv(division: MathNode, latex: Latex) -> str:
    """Divisor, quotient and the rows below: the quotient stands over the bracketed dividend."""
    if len(division.children) < 3:
        actual = len(division.children)
        raise Refusal(
            f"<mlongdiv> needs divisor, quotient and dividend and has {actual} children"
        )
    divisor, quotient, *rest = division.children
    first, *below = _lines(rest, 0, 0, latex)
    return _array([latex(quotient), rf"{latex(divisor)}\overline{{){first}}}", *below])


def _lines(nodes: list[MathNode], position: int, step: int, latex: Latex) -> list[str]:
    """The rows of a stack; each is moved `position` columns to the left, `step` more every row."""
    lines: list[str] = []
    for node in nodes:
        if node.tag == "msline":
            lines.append(LINE)
            continue
        if node.tag == "msgroup":
            inner = position + _columns(node, "position")
            lines += _lines(node.children, inner, _columns(node, "shift"), latex)
        else:
            own = position + (_columns(node, "position") if node.tag == "msrow" else 0)
            text = row(node.children, latex) if node.tag in ROWS else latex(node)
            lines.append(text + r"\phantom{" + "0" * own + "}" if own > 0 else text)
        position += step
    return lines


def _columns(node: MathNode, name: str) -> int:
    value = node.attributes.get(name, "0").strip()
    number = int(value) if value.removeprefix("-").isdecimal() and len(value) < 5 else 0
    return max(-MAX_SHIFT, min(number, MAX_SHIFT))


def _array(lines: list[str]) -> str:
    """Lines as an array; a rule is set in front of the line below it."""
    body, rules = "", ""
    for line in lines:
        if line == LINE:
            rules += LINE
            continue
        body += (
            (r"\\" if body else "")
            + rules
            + ("{}" if line[:1] in ("[", "*") else "")
            + line
        )
        rules = ""
    end = r"\\" + rules.strip() if rules else ""
    return rf"\begin{{array}}{{r}}{body}{end}\end{{array}}"
