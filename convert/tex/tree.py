r"""LaTeX as a tree of text, formulas, commands, groups and environments.

One pass; nothing is interpreted. A bracket is a node of its own, since only the command before it
knows whether it holds an argument. What does not close is a node `broken`, which says so.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

import msgspec

from ...errors import UserError
from ...latex import character_of, group_end

DEEPEST = 80  # groups and environments inside each other
REACH = 50_000  # characters of a formula
MAX_BROKEN = 100  # places that do not close

Kind = Literal["text", "formula", "display", "command", "group", "environment", "broken"]


class Node(msgspec.Struct):
    """`text` is the text, the formula, the command's or the environment's name, or what broke."""

    kind: Kind
    text: str
    inside: list[Node] = []


_TOKEN = re.compile(
    r"\\begin\s*\{(?P<begin>[^{}\n]{0,60})\}|\\end\s*\{(?P<end>[^{}\n]{0,60})\}"
    r"|(?P<command>\\[A-Za-z@]+\*?)[ \t]*\n?[ \t]*|(?P<formula>\$\$?|\\[(\[])|(?P<sign>\\.|\\\n)"
    r"|(?P<open>\{)|(?P<close>\})|(?P<mark>[\[\]&~]|\n[ \t]*\n\s*)"
    r"|(?P<text>(?:[^\\{}\[\]&~\n$]++|\n(?![ \t]*\n))++|\\\Z)"
)
_FORMULA_ENVIRONMENTS = {
    "math": "", "displaymath": "", "equation": "", "align": "aligned", "alignat": "aligned",
    "flalign": "aligned", "gather": "gathered", "multline": "gathered", "eqnarray": "aligned",
    "dmath": "",
}  # fmt: skip
_INSIDE = re.compile(r"\\.|[{}]|\$\$?", re.S)
_LABEL = re.compile(r"\\(?:label|tag\*?)\s*\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])")
_IN_TEXT = re.compile(r"\\(text|mbox|textrm|hbox)\s*\{([^{}$]*\$[^{}]*)\}")
_STARRED = re.compile(r"(\\[A-Za-z]+)\*")
_ORDINARY = frozenset("∀∁∂∃∄∅∆∇∎∞√∛∜∟∠∡∢⊤¬")  # of Unicode's signs: they stand for things
_ENSURED = re.compile(r"\\ensuremath\s*(?=\{)")


def parsed(text: str) -> list[Node]:
    r"""The nodes of a text. Raises UserError for more than 80 groups inside each other.

    >>> [(n.kind, n.text) for n in parsed(r"\question[2] Is $x$ {so}?")][:4]
    [('command', 'question'), ('text', '['), ('text', '2'), ('text', ']')]
    """
    root = Node("group", "")
    stack = [root]
    position = broken = 0
    while match := _TOKEN.match(text, position):
        position, kind, top = match.end(), match.lastgroup, stack[-1]
        name = (match["begin"] or "").strip()
        if kind == "formula":
            position = _formula(text, match, top)
        elif kind == "begin" and name.rstrip("*") in _FORMULA_ENVIRONMENTS:
            position = _environment(text, match.end(), name, top)
        elif kind in ("begin", "open"):
            node = Node("environment" if kind == "begin" else "group", name, [])
            top.inside.append(node)
            stack.append(node)
            if len(stack) > DEEPEST:
                raise UserError(f"more than {DEEPEST} groups inside each other", "is it LaTeX?")
        elif kind in ("end", "close"):
            _closed(stack, (match["end"] or "").strip() if kind == "end" else None)
        elif match["command"] and match["command"] == r"\ensuremath":
            position = _ensured(text, position, top)
        elif kind in ("command", "sign"):
            top.inside.append(Node("command", match[kind][1:]))
        else:
            top.inside.append(Node("text", match[0]))
        broken += bool(top.inside) and top.inside[-1].kind == "broken"
        if broken > MAX_BROKEN:
            raise UserError(f"more than {MAX_BROKEN} formulas or groups do not close", "mend them")
    for node in stack[1:]:
        node.inside.append(Node("broken", f"{_shown(node)} is not closed"))
    return root.inside


def _shown(node: Node) -> str:
    return rf"\begin{{{node.text}}}" if node.kind == "environment" else "a brace"


def _closed(stack: list[Node], name: str | None) -> None:
    """Close the innermost fitting node; what is open inside it is broken."""
    fits = [
        k for k, node in enumerate(stack)
        if k and (node.kind == "group" if name is None else node.text == name)
    ]  # fmt: skip
    if name is None and fits and any(n.kind == "environment" for n in stack[fits[-1] + 1 :]):
        fits = []  # a brace does not close an environment
    if not fits:
        shown = "}" if name is None else rf"\end{{{name}}}"
        stack[-1].inside.append(Node("broken", f"{shown} closes nothing"))
        return
    for node in stack[fits[-1] + 1 :]:
        node.inside.append(Node("broken", f"{_shown(node)} is not closed"))
    del stack[fits[-1] :]


def _formula(text: str, opening: re.Match[str], top: Node) -> int:
    """Append the formula that starts there; the place behind it."""
    opener = opening[0]
    closer = {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}[opener]
    depth = 0
    for match in _INSIDE.finditer(text, opening.end(), opening.end() + REACH):
        sign = match[0]
        depth += (sign == "{") - (sign == "}")
        if depth <= 0 and (sign == closer or (closer == "$" and sign == "$$")):
            kind: Kind = "formula" if len(opener) == 1 or opener == "\\(" else "display"
            top.inside.append(Node(kind, maths(text[opening.end() : match.start()])))
            return match.start() + len(closer)
        if depth < 0:
            break
    top.inside.append(Node("broken", f"{opener} is not closed"))
    return opening.end()


def _environment(text: str, start: int, name: str, top: Node) -> int:
    closing = re.compile(rf"\\end\s*\{{{re.escape(name)}\}}").search(text, start, start + REACH)
    if closing is None:
        top.inside.append(Node("broken", rf"\begin{{{name}}} is not closed"))
        return start
    tex = text[start : closing.start()]
    if name.startswith("alignat"):
        tex = re.sub(r"^\s*\{\d+\}", "", tex)
    inner = _FORMULA_ENVIRONMENTS[name.rstrip("*")]
    for label in re.findall(r"\\label\s*\{([^{}]*)\}", tex):
        top.inside += [Node("command", "label"), Node("group", "", [Node("text", label)])]
    tex = maths(tex)
    if inner and ("&" in tex or r"\\" in tex):
        tex = rf"\begin{{{inner}}}{tex}\end{{{inner}}}"
    top.inside.append(Node("formula" if name == "math" else "display", tex))
    return closing.end()


def _ensured(text: str, at: int, top: Node) -> int:
    end = group_end(text, at, REACH) if text.startswith("{", at) else -1
    if end < 0:
        top.inside.append(Node("command", "ensuremath"))
        return at
    top.inside.append(Node("formula", maths(text[at + 1 : end - 1])))
    return end


def maths(tex: str) -> str:
    r"""A formula on one line, without labels, and with no dollar inside its words.

    >>> maths(r"a, \text{if $n$ is odd}\label{e}")
    'a, \\text{if }n\\text{ is odd}'
    """
    tex = _ENSURED.sub("", _LABEL.sub("", tex))
    tex = _STARRED.sub(_starless, _IN_TEXT.sub(_undollared, tex))
    return " ".join(tex.split())


def _starless(match: re.Match[str]) -> str:
    r"""exam-zh writes `A \cup* B`: behind an operation or a relation a star is no factor."""
    sign = character_of(match[1])
    operates = sign and unicodedata.category(sign) == "Sm" and sign not in _ORDINARY
    return match[1] + " " if operates else match[0]


def _undollared(match: re.Match[str]) -> str:
    parts = match[2].split("$")
    return "".join(
        part if k % 2 else rf"\{match[1]}{{{part}}}" for k, part in enumerate(parts)
        if part or k % 2
    )  # fmt: skip


def flat(nodes: list[Node]) -> str:
    """The source of nodes, near enough to read options and numbers from."""
    out = list[str]()
    for node in nodes:
        inside = flat(node.inside)
        if node.kind == "command":
            out.append(f"\\{node.text}")
            continue
        if out and out[-1].startswith("\\") and out[-1][-1:].isalpha() and node.text[:1].isalpha():
            out.append(" ")
        if node.kind == "group":
            out.append(f"{{{inside}}}")
        else:
            out.append(node.text + inside)
    return "".join(out)
