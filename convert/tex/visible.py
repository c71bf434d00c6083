r"""What a reader of the printed document sees: the text of its nodes, without what is for the eye.

This is the other side of the law of conservation: the walk writes problems, and whatever is seen
here has to stand in one of them, in their solutions, or among what is named.
"""

from __future__ import annotations

import re

from .tree import Node, flat
from .vocabulary import OUTSIDE, SILENT, SIZES, TABLES, TRANSPARENT, WRAPPERS

_NAMED = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}")
_UNSEEN = {"label": 1, "includegraphics": 1, "@refers": 1, "@missing": 2, "href": 1, "cite": 1}


def visible(nodes: list[Node]) -> str:
    r"""The text and formulas of nodes, in their order.

    >>> from .tree import parsed
    >>> visible(parsed(r"\vspace{2cm}Find \textbf{all} $x$.\label{q}")).split()
    ['Find', 'all', 'x', '.']
    """
    out, at = list[str](), 0
    while at < len(nodes):
        node = nodes[at]
        at += 1
        if node.kind in ("text", "formula", "display"):
            out.append(_NAMED.sub(" ", node.text))
        elif node.kind == "group":
            out.append(visible(node.inside))
        elif node.kind == "environment" and node.text not in OUTSIDE:
            skip = TABLES.get(node.text, WRAPPERS.get(node.text, 0))
            inside = node.inside[_behind(node.inside, 0, 0) :]
            out.append(visible(inside[_behind(inside, 0, skip) :]))
        elif node.kind == "command":
            name = node.text.rstrip("*")
            if name in SIZES:
                at += 1  # the text that holds the size
            unseen = _UNSEEN.get(name, SILENT.get(name, TRANSPARENT.get(name, 0)))
            at = _behind(nodes, at, unseen)
        out.append(" ")
    return "".join(out)


def _behind(nodes: list[Node], at: int, groups: int) -> int:
    """The place behind one option in brackets and so many groups."""
    place = _next(nodes, at)
    if place < len(nodes) and nodes[place].kind == "text" and nodes[place].text == "[":
        end = next((k for k in range(place, len(nodes)) if nodes[k].text == "]"), place)
        if len(flat(nodes[place:end])) < 200:
            at = end + 1
    for _ in range(groups):
        place = _next(nodes, at)
        if place < len(nodes) and nodes[place].kind in ("group", "command", "text"):
            at = place + 1 if nodes[place].kind != "text" else at
    return at


def _next(nodes: list[Node], at: int) -> int:
    while at < len(nodes) and nodes[at].kind == "text" and not nodes[at].text.strip():
        at += 1
    return at
