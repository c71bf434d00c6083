r"""LaTeX as a tree of text, formulas, commands, groups and environments.

One pass: a command takes the option and the groups that belong to it where it is read, commands of
signs become signs. What does not close is a node `broken`, which says so.
"""

from __future__ import annotations

import re
import unicodedata
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
_ORDINARY = frozenset(
    "∀∁∂∃∄∅∆∇∎∞√∛∜∟∠∡∢⊤¬"
)  # of Unicode's signs: they stand for things
_ENSURED = re.compile(r"\\ensuremath\s*(?=\{)")
_SIZE = re.compile(r"(?:\s*+=?\s*+-?[\d.]*+\s*+[a-z]{2})?")
_BLANK = re.compile(r"\s*")
_GAP = re.compile(r"[ \t]*\n?[ \t]*(?=\{)")
_BRACKETS = re.compile(r"\\.|[{}\[\]]|\$\$?[^$]{0,999}\$", re.S)
LONGEST, NESTED = 5_000, 9  # characters of an option, brackets inside each other


def parsed(text: str) -> list[Node]:
    r"""The nodes of a text. Raises UserError for more than 80 groups inside each other.

    >>> [(n.kind, n.text) for n in parsed(r"\question[2] Is $x$?")][:3]
    [('command', 'question'), ('text', ' Is '), ('formula', 'x')]
    """
    return _Parser(text, 0).nodes("")


class _Parser:
    """Reads the nodes of a text; `open` are braces and environments that must still close."""

    def __init__(self, text: str, depth: int) -> None:
        self.text, self.depth = text, depth
        self.at = self.breaks = 0
        self.open: list[str] = []

    def nodes(self, closer: str) -> list[Node]:
        """The nodes up to what closes them: a brace, the end of an environment, or of the text."""
        found = list[Node]()
        self.open.append(closer)
        if self.depth + len(self.open) > DEEPEST:
            raise UserError(
                f"more than {DEEPEST} groups inside each other", "is it LaTeX?"
            )
        while match := _TOKEN.match(self.text, self.at):
            end = "}" if match["close"] else match["end"] and match["end"].strip()
            if end is None:
                self.at = match.end()
                found += self.one(match)
            elif end == closer:
                self.at = match.end()
                closer = ""
                break
            elif (
                end != "}" and end in self.open
            ):  # a brace does not close an environment
                break
            else:
                self.at = match.end()
                found.append(
                    self.broken(f"{'}' if end == '}' else match[0]} closes nothing")
                )
        if closer:
            shown = "a brace" if closer == "}" else rf"\begin{{{closer}}}"
            found.append(self.broken(f"{shown} is not closed"))
        self.open.pop()
        return found

    def one(self, match: re.Match[str]) -> list[Node]:
        """The nodes of one token."""
        kind = match.lastgroup
        text = match[0]
        if kind == "formula":
            return [self.formula(text)]
        if kind == "begin":
            return self.environment(match["begin"].strip())
        if kind == "open":
            return [Node("group", "", self.nodes("}"))]
        if kind in ("command", "sign"):
            return [self.command(match[kind][1:])]
        if text == "~" or (not text.strip() and text.count("\n") > 1):
            return [Node("sign", " " if text == "~" else "\n\n")]
        return [Node("text", text)]

    def broken(self, what: str) -> Node:
        self.breaks += 1
        if self.breaks > MAX_BROKEN:
            raise UserError(
                f"more than {MAX_BROKEN} formulas or groups do not close", "mend them"
            )
        return Node("broken", what)

    def formula(self, opener: str) -> Node:
        closer = {"\\(": "\\)", "\\[": "\\]"}.get(opener, opener)
        start = self.at
        depth = 0
        for match in _INSIDE.finditer(self.text, start, start + REACH):
            sign = match[0]
            depth += (sign == "{") - (sign == "}")
            if depth <= 0 and (sign == closer or (closer == "$" and sign == "$$")):
                self.at = match.start() + len(closer)
                kind: Kind = "formula" if opener in ("$", "\\(") else "display"
                return Node(kind, maths(self.text[start : match.start()]))
            if depth < 0:
                break
        return self.broken(f"{opener} is not closed")

    def environment(self, name: str) -> list[Node]:
        """An environment with its options and arguments; one that only frames is a group."""
        if name.rstrip("*") in _FORMULA_ENVIRONMENTS:
            return self.display(name)
        node = Node("environment", name)
        count = known.FRAMES.get(name, 0)
        while (option := self.option()) is not None or count:
            count -= option is None
            node.given.append(self.argument() if option is None else option)
        node.inside = self.nodes(name)
        if name in known.WRAPPERS:
            node.kind = "group"
        return node.inside if name.startswith("multicols") else [node]

    def display(self, name: str) -> list[Node]:
        """The formula of an environment, behind its labels."""
        closing = re.compile(rf"\\end\s*\{{{re.escape(name)}\}}")
        end = closing.search(self.text, self.at, self.at + REACH)
        if end is None:
            return [self.broken(rf"\begin{{{name}}} is not closed")]
        tex, self.at = self.text[self.at : end.start()], end.end()
        labels = re.findall(r"\\label\s*\{([^{}]*)\}", tex)
        found = [
            Node("command", "label", given=[[Node("text", label)]]) for label in labels
        ]
        tex = maths(
            re.sub(r"^\s*\{\d+\}", "", tex) if name.startswith("alignat") else tex
        )
        inner = _FORMULA_ENVIRONMENTS[name.rstrip("*")]
        if inner and ("&" in tex or r"\\" in tex):
            tex = rf"\begin{{{inner}}}{tex}\end{{{inner}}}"
        return [*found, Node("formula" if name == "math" else "display", tex)]

    def command(self, name: str) -> Node:
        """A command with what it takes; that of a sign is the sign."""
        end = (
            group_end(self.text, self.at, REACH)
            if self.text.startswith("{", self.at)
            else -1
        )
        if name == "ensuremath" and end > 0:
            tex, self.at = self.text[self.at + 1 : end - 1], end
            return Node("formula", maths(tex))
        node = Node("command", name)
        for kind in known.takes(name):
            if kind == "o":
                option = self.option()
                node.option = option if node.option is None else node.option
            elif kind == "g":
                node.given.append(self.argument())
            elif kind == "s" and (size := _SIZE.match(self.text, self.at)):
                self.at = size.end()
            while kind == "*" and (gap := _GAP.match(self.text, self.at)):
                self.at = gap.end() + 1
                node.given.append(self.nodes("}"))
        if name in known.SIGNS:
            return Node("sign", known.SIGNS[name])
        if name in known.ACCENTS:
            letter = words_of(node.held)
            return Node(
                "sign", unicodedata.normalize("NFC", letter + known.ACCENTS[name])
            )
        if node.plain in known.TRANSPARENT:
            *eye, text = node.given
            node.option, node.given = (
                [*(node.option or []), *chain(*eye)] or None,
                [text],
            )
        return node

    def option(self) -> list[Node] | None:
        """What stands in the brackets that follow, or None."""
        blank = _BLANK.match(self.text, self.at)
        start = blank.end() if blank else self.at
        braces = 0
        brackets = 0
        if not self.text.startswith("[", start):
            return None
        for sign in _BRACKETS.finditer(self.text, start, start + LONGEST):
            braces += (sign[0] == "{") - (sign[0] == "}")
            brackets += ((sign[0] == "[") - (sign[0] == "]")) * (braces == 0)
            if braces < 0 or brackets > NESTED:
                return None
            if not brackets:
                self.at = sign.end()
                inside = self.text[start + 1 : sign.start()]
                return _Parser(inside, self.depth + len(self.open)).nodes("")
        return None

    def argument(self) -> list[Node]:
        """The group that follows; else one command or one sign."""
        blank = _BLANK.match(self.text, self.at)
        start = blank.end() if blank else self.at
        match = _TOKEN.match(self.text, start)
        if match is None or match["close"] or match["end"]:
            return []
        self.at = match.end()
        if match["open"]:
            return self.nodes("}")
        if match["text"]:
            self.at = start + 1
            return [Node("text", self.text[start])]
        name = (match["command"] or match["sign"] or "")[1:]
        if not name:
            return self.one(match)
        return [
            Node("sign", known.SIGNS[name])
            if name in known.SIGNS
            else Node("command", name)
        ]


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
        part if k % 2 else rf"\{match[1]}{{{part}}}"
        for k, part in enumerate(parts)
        if part or k % 2
    )
