r"""The problems of a LaTeX exam: what its commands and environments say, and nothing guessed.

exam.cls (`\question`, `\part`, `\CorrectChoice`, `\fillin`, `solution`), exam-zh (`question`,
`problem`, `\paren`, `choices`) and plain `enumerate`. A problem with a command that is not
understood is marked with its name, and never put out with a hole.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import msgspec

from ...latex import CJK
from .source import Source
from .tree import Node, parsed
from .vocabulary import (
    ACCENTS,
    CHOICES,
    HEADINGS,
    INSTRUCTIONS,
    ITEMS,
    OPTION_LISTS,
    OUTSIDE,
    PARTS,
    QUESTIONS,
    RIGHT,
    SIGNS,
    SILENT,
    SOLUTIONS,
    TABLES,
    TRANSPARENT,
    WRAPPERS,
)

PICTURE = "\u2063"  # stands before and behind the address of a picture
BLANK = "____"
_ROMAN = "i ii iii iv v vi vii viii ix x xi xii".split()
_MARKS = "，。；：？！、）（"
_WIDE_GAP = re.compile(rf"(?<=[{CJK}{_MARKS}]) (?=[{CJK}{_MARKS}])|(?<=[{_MARKS}]) (?=[$])")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class TexOption(msgspec.Struct):
    text: str
    right: bool = False


class TexPart(msgspec.Struct):
    """A part, and what its blanks say."""

    label: str
    answers: list[str] = []


class TexItem(msgspec.Struct):
    """One problem. `unread` names what is not understood, `lost` what its solution lacks."""

    text: str = ""
    title: str = ""
    section: str = ""
    instruction: str = ""
    points: str = ""
    options: list[TexOption] = []
    answers: list[str] = []
    letters: str = ""
    parts: list[TexPart] = []
    solution: str = ""
    unread: list[str] = []
    lost: list[str] = []


class TexExam(msgspec.Struct):
    """The problems of a document, and what stands outside of them and is not understood."""

    items: list[TexItem] = []
    issues: list[str] = []


def read_exam_source(source: Source) -> TexExam:
    r"""The problems of a document.

    >>> text = r"\begin{questions}\question Is $1<2$? \begin{choices}\CorrectChoice Yes\choice No"
    >>> [item] = read_exam_source(Source(text + r"\end{choices}\end{questions}")).items
    >>> item.text, [(o.text, o.right) for o in item.options]
    ('Is $1<2$?', [('Yes', True), ('No', False)])
    """
    nodes = parsed(source.body)
    marked = any(
        (n.kind == "command" and n.text in QUESTIONS)
        or (n.kind == "environment" and n.text in ITEMS)
        for n in _all(nodes)
    )
    walk = _Walk(lists=not marked)
    walk.write(nodes)
    walk.close()
    return walk.exam


def _all(nodes: list[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        yield from _all(node.inside)


class _Cursor:
    """A row of nodes, from which a command takes its arguments."""

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes, self.at = nodes, 0

    def __iter__(self) -> Iterator[Node]:
        while self.at < len(self.nodes):
            self.at += 1
            yield self.nodes[self.at - 1]

    def _skip_blanks(self) -> int:
        at = self.at
        while (
            at < len(self.nodes)
            and self.nodes[at].kind == "text"
            and not self.nodes[at].text.strip()
        ):
            at += 1
        return at

    def option(self) -> list[Node] | None:
        """What stands in the brackets that follow, or None."""
        at = self._skip_blanks()
        if at >= len(self.nodes) or self.nodes[at].text != "[" or self.nodes[at].kind != "text":
            return None
        depth = 0
        for end in range(at, len(self.nodes)):
            if self.nodes[end].kind == "text":
                depth += (self.nodes[end].text == "[") - (self.nodes[end].text == "]")
            if not depth:
                self.at = end + 1
                return self.nodes[at + 1 : end]
        return None

    def argument(self) -> list[Node]:
        """The group that follows; else one command or one sign."""
        self.at = self._skip_blanks()
        if self.at >= len(self.nodes):
            return []
        node = self.nodes[self.at]
        if node.kind == "text" and len(text := node.text.lstrip()) > 1:
            self.nodes = [*self.nodes]
            self.nodes[self.at] = Node("text", text[1:])
            return [Node("text", text[0])]
        self.at += 1
        return node.inside if node.kind == "group" else [node]


class _Walk:
    """One walk over a document: `item` is the problem that is open, `out` where its text goes."""

    def __init__(self, lists: bool) -> None:
        self.exam = TexExam()
        self.lists = lists  # whether the items of lists are the problems
        self.item: TexItem | None = None
        self.last: TexItem | None = None  # an environment that was just closed
        self.out: list[str] = []
        self.section = self.instruction = ""
        self.depth = self.cells = 0  # of lists in the problem; of tables
        self.counts = [0, 0, 0, 0]

    # what is open

    def begin(self, item: TexItem) -> None:
        self.close()
        item.section, item.instruction = self.section, self.instruction
        self.item, self.out, self.depth, self.counts = item, [], 0, [0, 0, 0, 0]

    def close(self) -> None:
        """The open problem ends; outside of one, what was written is an instruction."""
        text = _tidy("".join(self.out))
        self.out = []
        if self.item is not None:
            self.item.text = text
            self.exam.items.append(self.item)
            self.last, self.item = self.item, None
        elif text:
            self.instruction = text

    def unread(self, what: str) -> None:
        if self.item is None:
            self.exam.issues.append(what)
        elif what not in self.item.unread:
            self.item.unread.append(what)

    def aside(self, nodes: list[Node]) -> str:
        """The text of nodes that does not stand in the text around them."""
        out, self.out = self.out, []
        self.write(nodes)
        text, self.out = _tidy("".join(self.out)), out
        return text

    # nodes

    def write(self, nodes: list[Node]) -> None:
        cursor = _Cursor(nodes)
        for node in cursor:
            if node.kind == "text":
                self.out.append(self._text(node.text))
            elif node.kind == "formula":
                self.out.append(f"${node.text}$" if node.text else "")
            elif node.kind == "display":
                self.out.append(f"\n$${node.text}$$\n")
            elif node.kind == "group":
                self.write(node.inside)
            elif node.kind == "broken":
                self.unread(node.text)
            elif node.kind == "environment":
                self.environment(node)
            else:
                self.command(node.text, cursor)

    def _text(self, text: str) -> str:
        if text == "&":
            return " | " if self.cells else "&"
        if text == "~":
            return " "
        if text.startswith("\n") and not text.strip():
            return "\n\n" if text.count("\n") > 1 else " "
        text = text.replace("---", "—").replace("--", "–")
        return text.replace("``", "“").replace("''", "”").replace("\n", " ")

    def command(self, name: str, cursor: _Cursor) -> None:
        plain = name.rstrip("*")
        if name in QUESTIONS:
            item = TexItem()
            if "titled" in name:
                item.title = self.aside(cursor.argument())
            self.begin(item)
            item.points = self._points(cursor.option())
        elif name in PARTS and self.item is not None:
            self._part(PARTS[name], self._points(cursor.option()))
        elif plain in HEADINGS or plain == "part":
            self.close()
            cursor.option()
            self.section, self.instruction = self.aside(cursor.argument()), ""
        elif name in INSTRUCTIONS:
            self.close()
            self.instruction = self.aside(cursor.argument())
        elif name in ("fillin", "answerline", "answer", "ans", "paren"):
            self._answer(name, cursor)
        elif name == "includegraphics":
            cursor.option()
            self.out.append(PICTURE + self.aside(cursor.argument()).replace(r"\_", "_") + PICTURE)
        elif name == "ensuremath":
            self.out.append(f"${_flat(cursor.argument()).strip()}$")
        elif name in SIGNS:
            self.out.append(SIGNS[name])
            if name == "\\":
                cursor.option()
        elif name in ACCENTS:
            letter = self.aside(cursor.argument())
            self.out.append(unicodedata.normalize("NFC", letter + ACCENTS[name]))
        elif plain in SILENT:
            cursor.option()
            for _ in range(SILENT[plain]):
                cursor.argument()
        elif plain in TRANSPARENT:
            self._transparent(plain, cursor)
        elif plain == "footnote":
            self.out.append(f" ({self.aside(cursor.argument())})")
        else:
            self.unread(f"\\{name}")

    def _transparent(self, name: str, cursor: _Cursor) -> None:
        cursor.option()
        for _ in range(TRANSPARENT[name]):
            cursor.argument()
        cursor.option()
        argument = cursor.argument()
        before = len(self.out)
        self.write(argument)
        if name in ("underline", "uline") and not "".join(self.out[before:]).strip():
            self.out[before:] = [BLANK]
        if name == "textfigure":
            self.out.append("\n")
            self.write(cursor.argument())

    def environment(self, node: Node) -> None:
        name, cursor = node.text, _Cursor(node.inside)
        if name in ITEMS:
            item = TexItem()
            self.begin(item)
            item.points = self._points(cursor.option())
            self.write(cursor.nodes[cursor.at :])
            self.close()
        elif name in SOLUTIONS:
            self._solution(cursor)
        elif name in OUTSIDE:
            return
        elif name in OPTION_LISTS:
            cursor.option()
            self._options(cursor)
        elif name in ("enumerate", "itemize", "description", "enumerate*"):
            self._list(name, cursor)
        elif name in TABLES:
            cursor.option()
            for _ in range(TABLES[name]):
                cursor.argument()
            self.cells += 1
            self.out.append("\n")
            self.write(cursor.nodes[cursor.at :])
            self.out.append("\n")
            self.cells -= 1
        elif name in WRAPPERS:
            cursor.option()
            for _ in range(WRAPPERS[name]):
                cursor.argument()
            self.write(cursor.nodes[cursor.at :])
            if name == "questions":
                self.close()
        else:
            self.unread(rf"\begin{{{name}}}")

    # what a problem is made of

    def _points(self, option: list[Node] | None) -> str:
        text = _flat(option or [])
        found = re.fullmatch(r"(?:.*\bpoints\s*=\s*)?(\d+(?:\.\d+)?)\b.*", text.strip())
        return found[1] if found else ""

    def _part(self, level: int, points: str) -> None:
        assert self.item is not None
        self.counts[level] += 1
        self.counts[level + 1 :] = [0] * (len(self.counts) - level - 1)
        number = self.counts[level]
        styles = (_LETTERS, _ROMAN, _LETTERS.upper())
        label = styles[level - 1][number - 1] if number <= len(styles[level - 1]) else str(number)
        if level == 1:
            self.item.parts.append(TexPart(str(number)))
        self.out.append(f"\n({label}) ")

    def _answer(self, name: str, cursor: _Cursor) -> None:
        """A blank with its answer; `\\answer{...}` shows no blank."""
        argument = cursor.argument() if name in ("answer", "ans") else cursor.option()
        if name == "fillin":
            cursor.option()
        item, self.item = self.item, TexItem() if self.item is not None else None
        said = self.aside(argument) if argument is not None else ""
        if item is not None and self.item is not None:
            item.unread += self.item.unread
        self.item = item
        self.out.append({"fillin": BLANK, "paren": "(  )"}.get(name, ""))
        if item is None or not said:
            return
        if name == "paren":
            item.letters += said
        else:
            holder: TexItem | TexPart = item.parts[-1] if item.parts else item
            holder.answers.append(said)

    def _solution(self, cursor: _Cursor) -> None:
        """A solution, of the open problem or of the environment that closed just before it."""
        cursor.option()
        item = self.item
        if item is None and self.last is not None and not _tidy("".join(self.out)):
            item = self.last
        if item is None:
            self.unread("a solution outside of a problem")
            return
        open_, counts, depth = self.item, self.counts, self.depth
        self.item, self.counts, self.depth = TexItem(), [0, 0, 0, 0], 1
        text = self.aside(cursor.nodes[cursor.at :])
        item.lost += self.item.unread
        self.item, self.counts, self.depth = open_, counts, depth
        item.solution = "\n\n".join(filter(None, (item.solution, text)))

    def _options(self, cursor: _Cursor) -> None:
        """Each choice as an option, and whether it is right."""
        if self.item is None:
            self.unread("choices outside of a problem")
            return
        if self.item.options or self.item.parts:
            self.unread("several lists of choices")
        nodes = list(_unwrapped(cursor.nodes[cursor.at :]))
        starts = [k for k, n in enumerate(nodes) if n.kind == "command" and n.text in CHOICES]
        if _flat(nodes[: starts[0] if starts else len(nodes)]).strip(" \n(){}0123456789"):
            self.unread("text before the first choice")
        for start, end in zip(starts, [*starts[1:], len(nodes)], strict=True):
            body = _Cursor(nodes[start + 1 : end])
            label = body.option() if nodes[start].text == "item" else None
            if label and not re.fullmatch(r"\W*[A-Z]\W*", _flat(label)):
                self.unread(f"\\item[{_flat(label)}]")
            text = self.aside(body.nodes[body.at :])
            self.item.options.append(TexOption(text, nodes[start].text in RIGHT))

    def _list(self, name: str, cursor: _Cursor) -> None:
        style = _flat(cursor.option() or [])
        nodes = cursor.nodes[cursor.at :]
        if self.item is not None and re.search(r"\\Alph|(?<![A-Za-z\\])A(?![A-Za-z])", style):
            self._options(_Cursor(nodes))
            return
        problems = self.item is None and self.lists and name == "enumerate"
        if self.item is None and not problems:
            self.write([n for n in nodes if not (n.kind == "command" and n.text == "item")])
            return
        self.depth += not problems
        count = 0
        row = _Cursor(nodes)
        for node in row:
            if not (node.kind == "command" and node.text == "item"):
                self.write_one(node, row)
                continue
            own = row.option()
            count += 1
            if problems:
                self.begin(TexItem())
            else:
                self.out.append("\n" + self._mark(name, style, count, own) + " ")
                if self.depth == 1 and name == "enumerate" and self.item is not None:
                    self.item.parts.append(TexPart(str(count)))
        if problems:
            self.close()
        else:
            self.depth -= 1
            self.out.append("\n")

    def write_one(self, node: Node, cursor: _Cursor) -> None:
        if node.kind == "command":
            self.command(node.text, cursor)
        else:
            self.write([node])

    def _mark(self, name: str, style: str, count: int, own: list[Node] | None) -> str:
        if own is not None:
            return self.aside(own)
        if name != "enumerate":
            return "-"
        if re.search(r"\\roman|(?<!\w)i(?!\w)", style) and count <= len(_ROMAN):
            return f"({_ROMAN[count - 1]})"
        letters = re.search(r"\\alph|(?<!\w)a(?!\w)", style) or (self.lists and not style)
        return f"({_LETTERS[count - 1]})" if letters and count <= 26 else f"({count})"


def _unwrapped(nodes: list[Node]) -> Iterator[Node]:
    """The nodes of a list, those in columns as if they stood there."""
    for node in nodes:
        if node.kind == "environment" and node.text.startswith("multicols"):
            inner = _Cursor(node.inside)
            inner.argument()
            yield from _unwrapped(inner.nodes[inner.at :])
        else:
            yield node


def _flat(nodes: list[Node]) -> str:
    """The source of nodes, near enough to read options and formulas from."""
    out = []
    for node in nodes:
        inside = _flat(node.inside)
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


def _tidy(text: str) -> str:
    """Single blanks, lines without blanks at their ends, at most one empty line."""
    lines = [_WIDE_GAP.sub("", " ".join(line.split())) for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
