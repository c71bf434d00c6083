"""The meaning of presentation MathML as nested tuples: an oracle's view, apart from the package.

Grouping, spaces, styles and kinds of tokens vanish; characters, scripts, fractions, roots and
tables stay. Limits and scripts are the same thing.
"""

from __future__ import annotations

import unicodedata
import xml.etree.ElementTree as ET
from typing import Any

SAME = {"−": "-", "∣": "|", "‖": "∥", "⋅": "·", "∗": "*", "‾": "¯", "ˉ": "¯", "ˆ": "^", "˜": "~",
        "∼": "~", "⋯": "…", "⃗": "→", "ϵ": "ϵ", "′": "'", "˙": "˙"}  # fmt: skip
GROUPS = {"math", "mrow", "mstyle", "mpadded", "mtd", "semantics", "menclose"}
SCRIPTS = {"msub": "_", "msup": "^", "munder": "_", "mover": "^", "msubsup": "_^",
           "munderover": "_^"}  # fmt: skip
NOTHING = {"mspace", "annotation", "none"}


def shape(mathml: str) -> tuple[Any, ...]:
    """The shape of one `<math>` element."""
    return tuple(_shape(ET.fromstring(mathml)))


def _shape(element: ET.Element) -> list[Any]:
    tag = element.tag.rpartition("}")[2]
    children = list(element)
    if tag in NOTHING:
        return []
    if tag in GROUPS:
        inside = [part for child in children for part in _shape(child)]
        if tag != "menclose":
            return inside
        notation = element.get("notation")
        return [*inside, ("^", "¯") if notation == "top" else ("enclose", notation)]
    if tag in SCRIPTS:
        base, *scripts = (_shape(child) for child in children)
        marks = [(m, *s) for m, s in zip(SCRIPTS[tag], scripts, strict=False) if s]
        if tag in ("msup", "msubsup") and marks and marks[-1][1][0] == "'":
            primes = marks.pop()  # x' and x with a raised prime
            base += ["'"] * sum(1 for c in primes if c == "'")
            rest = [c for c in primes[1:] if c != "'"]
            marks += [("^", *rest)] if rest else []
        marks += [base.pop() for _ in range(2) if base and base[-1][0] in ("_", "^")]
        return base + sorted(marks, key=repr)
    if tag == "mtable":
        rows = [
            tuple(tuple(_shape(cell)) for cell in row if len(cell)) for row in children
        ]
        return [("table", *(row for row in rows if row))]
    if children:
        thin = element.get("linethickness", "1") in ("0", "0px", "0em", "0pt")
        name = "mstack" if tag == "mfrac" and thin else tag
        if tag == "msqrt":
            return [(name, tuple(part for child in children for part in _shape(child)))]
        return [(name, *(tuple(_shape(child)) for child in children))]
    return _characters(element.text or "", element.get("mathvariant", ""))


def _characters(text: str, variant: str) -> list[Any]:
    """Characters without white space and invisible operators; letters with their alphabet."""
    out: list[Any] = []
    for c in unicodedata.normalize("NFC", text):
        if c.isspace() or "\u2061" <= c <= "\u2064":
            continue
        plain = unicodedata.normalize("NFKC", c)
        if len(plain) == 1 and plain != c and plain.isalnum():
            name = unicodedata.name(c)
            style = next(
                (
                    s
                    for s in ("BOLD", "DOUBLE", "SCRIPT", "FRAKTUR", "BLACK")
                    if s in name
                ),
                "",
            )
            out.append((style[:4], plain) if style else plain)
        elif c.isalnum() and variant not in ("", "normal", "italic"):
            style = variant.split("-")[0].upper().replace("BLACK", "FRAK")
            out.append((style[:4], c))
        else:
            out.append(SAME.get(c, c))
    return out
