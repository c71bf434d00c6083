"""Rows: brackets that grow, matrices and binomials between brackets, names spelled in letters."""

from __future__ import annotations

import re

from ...latex import FOLD, SCHOOL_FUNCTIONS, SYMBOLS
from .scripts import Latex, blank, core
from .tokens import ESCAPED, join
from .tree import MAX_DEPTH, MathNode, node

OPENING = frozenset("([{⟨⌊⌈⟮〈\u2329")
CLOSING = frozenset(")]}⟩⌋⌉⟯〉\u232a")
BARS = frozenset("|∣‖｜❘")
ANGLES = frozenset("⟨⟩〈〉\u2329\u232a")
# what may stand behind \left and \right
DELIMITERS = {
    c: ESCAPED.get(c) or SYMBOLS.get(c, c)
    for c in "()[]{}⟨⟩⌊⌋⌈⌉⟮⟯〈〉\u2329\u232a/\\↑↓↕⇑⇓⇕⎰⎱⌜⌝⌞⌟"
} | {
    "|": "|",
    "∣": "|",
    "｜": "|",
    "❘": "|",
    "‖": r"\|",
    "∥": r"\|",
    "||": r"\|",
    "": ".",
}
MATRICES = {
    ("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("{", "}"): "Bmatrix", ("|", "|"): "vmatrix",
    ("∣", "∣"): "vmatrix", ("‖", "‖"): "Vmatrix",
}  # fmt: skip
_NOTHING_CLOSES = MathNode("#latex", r"\right.")
# no bracket, and none hangs on them
_SIGNLESS = frozenset({"mi", "mn", "mtext", "mfrac", "msqrt", "mtable"})
# a thickness of 0, in any unit
_ZERO = re.compile(r"\s*0(\.0+)?([a-z%\s]|$)")


def is_table(inner: MathNode) -> bool:
    return inner.tag == "mtable"


def is_stack(inner: MathNode) -> bool:
    """A fraction without a bar: a binomial's inside."""
    thickness = inner.attributes.get("linethickness", "")
    return inner.tag == "mfrac" and _ZERO.match(thickness) is not None


def row(children: list[MathNode], latex: Latex) -> str:
    """A sequence of nodes.

    Brackets that match within it and hold something tall become `\\left` and `\\right`.
    """
    if len(children) == 1:
        return latex(children[0])
    nodes = children
    tags = [child.tag for child in children]
    if "mspace" in tags:
        nodes = _without_spaces_of_names(nodes)
    if tags.count("mi") > 2 or tags.count("mo") > 1:
        nodes = _spelled_names(nodes)
    nodes = _fences(nodes)
    pieces: list[str] = []
    for k, child in enumerate(nodes):
        piece = latex(child)
        if piece.startswith("{}") and k and _is_name(nodes[k - 1]):
            piece = piece[2:]  # MathType: log, then an empty base with the subscript
        pieces.append(piece)
    return join(pieces)


def _without_spaces_of_names(nodes: list[MathNode]) -> list[MathNode]:
    """LaTeX sets the space around `\\sin` itself; renderers write it out."""
    nodes = [child for child in nodes if child.tag != "mo" or child.text]
    names = [False, *map(_is_name, nodes), False]
    return [
        child
        for k, child in enumerate(nodes)
        if not (_is_plain_space(child) and (names[k] or names[k + 2]))
    ]


def _is_plain_space(child: MathNode) -> bool:
    if child.tag != "mspace" or child.children:
        return False
    return "linebreak" not in child.attributes


def _is_name(child: MathNode) -> bool:
    """A function name, perhaps with an empty script."""
    inner = core(child)
    if inner.tag in ("msup", "msub") and len(inner.children) == 2:
        base, script = inner.children
        inner = core(base) if blank(script) else inner
    return inner.tag in ("mi", "mo") and len(inner.text) > 1 and inner.text.isalpha()


def _spelled_names(nodes: list[MathNode]) -> list[MathNode]:
    """`s`, `i`, `n` as three `mi` -> one `mi`; two slashes between segments -> ∥."""
    letters = "".join(map(_letter, nodes))
    has_names = any(name in letters for name in SCHOOL_FUNCTIONS)
    has_slashes = any(c.tag == "mo" and c.text.startswith("/") for c in nodes)
    if not has_names and not has_slashes:
        return nodes
    joined: list[MathNode] = []
    k = 0
    while k < len(nodes):
        if name := _name_at(letters, k):
            joined.append(MathNode("mi", name))
            k += len(name)
        elif _segments_parallel(nodes, letters, k):
            joined.append(MathNode("mo", "∥"))
            k += len("//")
        else:
            joined.append(nodes[k])
            k += 1
    return joined


def _letter(child: MathNode) -> str:
    """The letter that a node is, or a blank."""
    is_letter = child.tag == "mi" and len(child.text) == 1 and child.text.isascii()
    return child.text if is_letter else " "


def _name_at(letters: str, start: int) -> str:
    """The name of a function that begins here: `arcsin` before `sin`; empty for none."""
    for size in (6, 3):
        name = letters[start : start + size]
        if name in SCHOOL_FUNCTIONS:
            return name
    return ""


def _segments_parallel(nodes: list[MathNode], letters: str, k: int) -> bool:
    """`/` `/` between the names of two segments or lines."""
    return (
        0 < k < len(nodes) - 2
        and nodes[k].tag == nodes[k + 1].tag == "mo"
        and nodes[k].text == nodes[k + 1].text == "/"
        and letters[k - 1].isalpha()
        and letters[k + 2].isalpha()
    )


# ---------------------------------------------------------------------------------------- fences
def _fences(nodes: list[MathNode]) -> list[MathNode]:
    """The row with matching brackets grouped; unmatched ones stay as they are."""
    signs = ["" if c.tag in _SIGNLESS else _sign(c) for c in nodes]
    may_grow = any(c.tall for c in nodes) or not ANGLES.isdisjoint(signs)
    if not any(signs) or not may_grow:
        return nodes
    if any(c.attributes.get("linebreak") == "newline" for c in nodes):
        return nodes  # \\left and \\right may not stand on different lines
    bars = [k for k, sign in enumerate(signs) if sign in BARS]
    opening_bar, closing_bar = bars if len(bars) == 2 else (-1, -1)
    frames: list[list[MathNode]] = [[]]
    for k, (child, sign) in enumerate(zip(nodes, signs, strict=True)):
        if k == opening_bar or sign in OPENING:
            frames.append([child])
            if len(frames) > MAX_DEPTH:
                return nodes
        elif (k == closing_bar or sign in CLOSING) and _closes(sign, frames):
            bracketed = [*frames.pop(), child]
            frames[-1].extend(_grown(bracketed))
        elif sign in CLOSING and frames[-1] and is_table(core(frames[-1][-1])):
            table = frames[-1].pop()  # that only this bracket closes
            frames[-1] += [_left(""), table, _right(child)]
        else:
            frames[-1].append(child)
    unclosed = [node for frame in frames[1:] for node in _cases(frame)]
    return frames[0] + unclosed


def _closes(sign: str, frames: list[list[MathNode]]) -> bool:
    """Whether `sign` closes the innermost open bracket: a bar a bar, a bracket a bracket."""
    return len(frames) > 1 and (_sign(frames[-1][0]) in BARS) == (sign in BARS)


def _sign(child: MathNode) -> str:
    """The bracket or bar that a child of a row is, also as the base of a script: `)^{2}`."""
    inner = core(child)
    if inner.tag == "mo":
        return inner.text.translate(FOLD) if len(inner.text) == 1 else ""
    if inner.tag in ("msup", "msub", "msubsup") and inner.children:
        inner = core(inner.children[0])
        if inner.tag == "mo" and (inner.text in CLOSING or inner.text in BARS):
            return inner.text
    return ""


def _grown(group: list[MathNode]) -> list[MathNode]:
    """Brackets with what stands between them: a matrix, a binomial, or \\left ... \\right."""
    opener = core(group[0])
    closer = core(group[-1])
    signs = _sign(group[0]), _sign(group[-1])
    inside = [c for c in group[1:-1] if not blank(c)]
    must_grow = any(c.tall for c in inside) or signs[0] in ANGLES
    if opener.attributes.get("stretchy") == "false" or not must_grow:
        return group
    if closer.tag == "mo" and (whole := enclosed(signs, inside)):
        return [whole]
    if signs[0] not in DELIMITERS or signs[1] not in DELIMITERS:
        return group
    return [_left(signs[0]), *group[1:-1], _right(group[-1])]


def enclosed(signs: tuple[str, str], inside: list[MathNode]) -> MathNode | None:
    """A matrix or a binomial with its brackets; None where something else stands in them."""
    visible = [c for c in inside if not blank(c)]
    if len(visible) != 1:
        return None
    inner = core(visible[0])
    left, right = signs
    if is_table(inner) and signs in MATRICES:
        return node("#matrix", inner, name=MATRICES[signs])
    if signs == ("(", ")") and is_stack(inner) and len(inner.children) == 2:
        return node("#binom", *inner.children)
    if is_table(inner) and left and left in DELIMITERS and not right:
        return node("mrow", _left(left), node("#cases", inner), _NOTHING_CLOSES)
    return None


def _left(sign: str) -> MathNode:
    return MathNode("#latex", r"\left" + DELIMITERS[sign])


def _right(child: MathNode) -> MathNode:
    """The closing bracket `child`, growing, with the scripts that hang on it."""
    closing = MathNode("#latex", r"\right" + DELIMITERS[_sign(child)])
    inner = core(child)
    if inner.tag == "mo":
        return closing
    return MathNode(inner.tag, "", [closing, *inner.children[1:]], inner.attributes)


def _cases(group: list[MathNode]) -> list[MathNode]:
    """A bracket that nothing closes, in front of a table: `\\left\\{ ... \\right.`"""
    first = next((k for k, c in enumerate(group) if k and not blank(c)), 0)
    if not is_table(core(group[first])) or _sign(group[0]) not in DELIMITERS:
        return group
    table = node("#cases", core(group[first]))
    return [_left(_sign(group[0])), table, _NOTHING_CLOSES, *group[first + 1 :]]
