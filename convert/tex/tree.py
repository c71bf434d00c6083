r"""LaTeX as a tree of text, formulas, commands, groups and environments.

One pass reads the nodes; a second gives each command the option and the groups that it takes, and
turns the commands of signs to signs. What does not close is a node `broken`, which says so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import chain

from ...errors import UserError
from ...latex import character_of, group_end
from . import vocabulary as known
from .nodes import Kind, Node, words_of

DEEPEST = 80  # groups and environments inside each other
REACH = 50_000  # characters of a formula
MAX_BROKEN = 100  # places that do not close

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
_SIZE = re.compile(r"\s*=?\s*-?[\d.]*\s*[a-z]{2}")


def parsed(text: str) -> list[Node]:
    r"""The nodes of a text. Raises UserError for more than 80 groups inside each other.

    >>> [(n.kind, n.text) for n in parsed(r"\question[2] Is $x$?")][:3]
    [('command', 'question'), ('text', ' Is '), ('formula', 'x')]
    """
    root = Node("group", "")
    stack = [root]
    position = broken = 0
    while match := _TOKEN.match(text, position):
        position, kind, top = match.end(), match.lastgroup, stack[-1].inside
        name = (match["begin"] or "").strip()
        if kind == "formula":
            position = _formula(text, match, top)
        elif kind == "begin" and name.rstrip("*") in _FORMULA_ENVIRONMENTS:
            position = _environment(text, position, name, top)
        elif kind in ("begin", "open"):
            top.append(Node("environment" if kind == "begin" else "group", name))
            stack.append(top[-1])
            if len(stack) > DEEPEST:
                raise UserError(f"more than {DEEPEST} groups inside each other", "is it LaTeX?")
        elif kind in ("end", "close"):
            _closed(stack, (match["end"] or "").strip() if kind == "end" else None)
        elif match["command"] == r"\ensuremath" and (end := _group(text, position)) > 0:
            top.append(Node("formula", maths(text[position + 1 : end - 1])))
            position = end
        elif kind in ("command", "sign"):
            top.append(Node("command", match[kind][1:]))
        else:
            top.append(Node("text", match[0]))
        broken += bool(top) and top[-1].kind == "broken"
        if broken > MAX_BROKEN:
            raise UserError(f"more than {MAX_BROKEN} formulas or groups do not close", "mend them")
    for node in stack[1:]:
        node.inside.append(Node("broken", f"{_shown(node)} is not closed"))
    return _arranged(root.inside)


def _shown(node: Node) -> str:
    return rf"\begin{{{node.text}}}" if node.kind == "environment" else "a brace"


def _group(text: str, at: int) -> int:
    return group_end(text, at, REACH) if text.startswith("{", at) else -1


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


def _formula(text: str, opening: re.Match[str], top: list[Node]) -> int:
    """Append the formula that starts there; the place behind it."""
    opener = opening[0]
    closer = {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}[opener]
    depth = 0
    for match in _INSIDE.finditer(text, opening.end(), opening.end() + REACH):
        sign = match[0]
        depth += (sign == "{") - (sign == "}")
        if depth <= 0 and (sign == closer or (closer == "$" and sign == "$$")):
            kind: Kind = "formula" if len(opener) == 1 or opener == "\\(" else "display"
            top.append(Node(kind, maths(text[opening.end() : match.start()])))
            return match.start() + len(closer)
        if depth < 0:
            break
    top.append(Node("broken", f"{opener} is not closed"))
    return opening.end()


def _environment(text: str, start: int, name: str, top: list[Node]) -> int:
    closing = re.compile(rf"\\end\s*\{{{re.escape(name)}\}}").search(text, start, start + REACH)
    if closing is None:
        top.append(Node("broken", rf"\begin{{{name}}} is not closed"))
        return start
    tex = text[start : closing.start()]
    if name.startswith("alignat"):
        tex = re.sub(r"^\s*\{\d+\}", "", tex)
    inner = _FORMULA_ENVIRONMENTS[name.rstrip("*")]
    for label in re.findall(r"\\label\s*\{([^{}]*)\}", tex):
        top += [Node("command", "label"), Node("group", "", [Node("text", label)])]
    tex = maths(tex)
    if inner and ("&" in tex or r"\\" in tex):
        tex = rf"\begin{{{inner}}}{tex}\end{{{inner}}}"
    top.append(Node("formula" if name == "math" else "display", tex))
    return closing.end()


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


# What belongs to a command -----------------------------------------------------------------------


class _Row:
    """Siblings, from which a command takes what it is given."""

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes, self.at = [*nodes], 0

    def __iter__(self) -> Iterator[Node]:
        while self.at < len(self.nodes):
            self.at += 1
            yield self.nodes[self.at - 1]

    def _next(self, lines: int = 99) -> int:
        """The place of the next node that is no blank of so many lines."""
        at = self.at
        while at < len(self.nodes) and self.nodes[at].kind == "text":
            if (text := self.nodes[at].text).strip() or text.count("\n") > lines:
                break
            at += 1
        return at

    def option(self) -> list[Node] | None:
        """What stands in the brackets that follow, or None."""
        at, depth = self._next(), 0
        for end in range(at, len(self.nodes)):
            if self.nodes[end].kind == "text":
                depth += (self.nodes[end].text == "[") - (self.nodes[end].text == "]")
            if depth <= 0:
                if end == at:
                    return None
                self.at = end + 1
                return _arranged(self.nodes[at + 1 : end])
        return None

    def argument(self) -> list[Node]:
        """The group that follows; else one command or one sign."""
        self.at = self._next()
        if self.at >= len(self.nodes):
            return []
        node = self.nodes[self.at]
        if node.kind == "text" and len(text := node.text.lstrip()) > 1:
            self.nodes[self.at] = Node("text", text[1:])
            return [Node("text", text[0])]
        self.at += 1
        return _arranged(node.inside if node.kind == "group" else [node])

    def groups(self) -> list[list[Node]]:
        """The groups that follow in this paragraph with nothing between them."""
        found = []
        while (at := self._next(1)) < len(self.nodes) and self.nodes[at].kind == "group":
            found.append(_arranged(self.nodes[at].inside))
            self.at = at + 1
        return found

    def size(self) -> None:
        r"""`\vskip 3pt`: the size stands at the begin of the text behind."""
        behind = self.nodes[self.at : self.at + 1]
        if behind and behind[0].kind == "text" and (size := _SIZE.match(behind[0].text)):
            self.nodes[self.at] = Node("text", size.string[size.end() :])


def _arranged(nodes: list[Node]) -> list[Node]:
    row, out = _Row(nodes), list[Node]()
    for node in row:
        if node.kind == "command":
            _with_arguments(node, row)
        elif node.kind == "environment":
            _with_options(node)
        else:
            node.inside = _arranged(node.inside)
        if node.kind == "text" and node.text == "~":
            node = Node("sign", " ")
        elif node.kind == "text" and not node.text.strip() and node.text.count("\n") > 1:
            node = Node("sign", "\n\n")
        columns = node.kind == "group" and node.text.startswith("multicols")
        out += node.inside if columns else [node]
    return out


def _with_arguments(node: Node, row: _Row) -> None:
    for kind in known.takes(node.text):
        if kind == "o":
            option = row.option()
            node.option = option if node.option is None else node.option
        elif kind == "g":
            node.given = [*node.given, row.argument()]
        elif kind == "*":
            node.given = [*node.given, *row.groups()]
        else:
            row.size()
    if node.text in known.SIGNS:
        node.kind, node.text = "sign", known.SIGNS[node.text]
    elif node.text in known.ACCENTS:
        letter = words_of(node.given[0])
        mark = known.ACCENTS[node.text]
        node.kind, node.text = "sign", unicodedata.normalize("NFC", letter + mark)
        node.given = []
    elif node.plain in known.TRANSPARENT:
        *eye, text = node.given
        node.option = [*(node.option or []), *chain(*eye)] or None
        node.given = [text]


def _with_options(node: Node) -> None:
    """An environment's options and arguments; one that only frames its text is a group."""
    row, count = _Row(node.inside), known.FRAMES.get(node.text, 0)
    while (option := row.option()) is not None or count:
        count -= option is None
        node.given = [*node.given, row.argument() if option is None else option]
    node.inside = _arranged(row.nodes[row.at :])
    if node.text in known.WRAPPERS:
        node.kind = "group"
