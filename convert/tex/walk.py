r"""The problems of a LaTeX source: what its commands, environments and labels say, nothing guessed.

One walk writes the text and turns, wherever a label, a macro or an environment says so, to the
problem's solution, answer, hint or points, and back. A problem with a command that is not
understood is marked with its name, and never put out with a hole.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import msgspec

from ...latex import CJK, group_end
from ..conservation import lost
from .outline import (
    RIGHT,
    Roles,
    is_choices,
    is_options,
    items_of,
    label_at,
    level,
    opens_by_name,
    outlined,
    template,
)
from .roles import INLINE_MARK, POINTS, Role, line_marks, of_label, of_name
from .source import Source
from .tree import Node, flat, parsed
from .visible import visible
from .vocabulary import (
    ACCENTS,
    BREAKS,
    HEADINGS,
    INSTRUCTIONS,
    ITEMS,
    OUTSIDE,
    PARTS,
    SIGNS,
    SILENT,
    SIZES,
    STATED,
    TABLES,
    TRANSPARENT,
    WRAPPERS,
)

PICTURE = "\u2063"  # stands before and behind the address of a picture
BLANK = "____"
SHORT_ANSWER, INSTRUCTION = 80, 400  # characters: more is a solution, a chapter's prose
_ROMAN = "i ii iii iv v vi vii viii ix x xi xii".split()
_MARKS = "，。；：？！、）（"
_WIDE_GAP = re.compile(rf"(?<=[{CJK}{_MARKS}]) (?=[{CJK}{_MARKS}])|(?<=[{_MARKS}]) (?=[$])")
_LETTERED = re.compile(r"\W*[A-Z](?:[\s,;]*[A-Z])*\W*")
_NAMED_GROUP = re.compile(r"\\([A-Za-z]{3,})\s*(?:\[[^\[\]]*\])?\{")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class TexOption(msgspec.Struct):
    text: str
    right: bool = False


class TexPart(msgspec.Struct):
    """A part, and what its blanks say."""

    label: str
    answers: list[str] = []


class TexItem(msgspec.Struct):
    """One problem. `unread` names what is not understood, `lost` what its solution lacks.

    `outside` are labels that it refers to and does not hold.
    """

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
    hint: str = ""
    unread: list[str] = []
    lost: list[str] = []
    outside: list[str] = []


class TexExam(msgspec.Struct):
    """A document's problems, what is not understood outside of them, and the prose there."""

    items: list[TexItem] = []
    issues: list[str] = []
    outside: list[str] = []


class _Open(msgspec.Struct):
    """A problem as it is written: its text so far by role, and answers with who gives them."""

    item: TexItem
    texts: dict[Role, list[str]]
    said: list[tuple[TexItem | TexPart, list[str]]] = []
    list_of: str = ""  # the environment whose item it is


def read_exam_source(source: Source) -> TexExam:
    """The problems of a document. Raises UserError for more than 80 groups inside each other."""
    nodes, roles = parsed(source.body), Roles(source.titles)
    walk = _Walk(nodes, roles)
    walk.write(nodes)
    walk.close()
    exam = walk.finished()
    seen = visible([Node("text", " "), *nodes])
    if missed := lost(seen, [*_texts(exam), *walk.spent]):
        exam.issues.append(f"lost-text: {missed}")
    return exam


def _texts(exam: TexExam) -> list[str]:
    """Everything that a document became, in words."""
    texts = [*exam.issues, *exam.outside]
    for item in exam.items:
        texts += [item.text, item.title, item.section, item.instruction, item.points, item.letters]
        texts += [item.solution, item.hint, *item.answers, *item.unread, *item.lost]
        texts += [option.text for option in item.options]
        texts += [answer for part in item.parts for answer in part.answers]
    return [text.replace(PICTURE, " ") for text in texts]


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

    def groups(self, apart: bool = False) -> list[Node]:
        """The groups that follow without anything between them; with `apart` but blanks."""
        found = list[Node]()
        while (at := self._skip_blanks() if apart else self.at) < len(self.nodes):
            if self.nodes[at].kind != "group":
                break
            found.append(self.nodes[at])
            self.at = at + 1
        return found

    def rest(self) -> list[Node]:
        return self.nodes[self.at :]


class _Walk:
    """One walk over a document: `now` is the problem that is open, `out` where its text goes."""

    def __init__(self, nodes: list[Node], roles: Roles) -> None:
        self.exam, self.key = TexExam(), list[_Open]()
        self.roles, self.opens = roles, outlined(nodes, roles)
        self.now: _Open | None = None
        self.last: _Open | None = None  # an item that was just closed
        self.role: Role = "problem"
        self.out: list[str] = []
        self.section = self.instruction = ""
        self.number = 0  # of the last problem that counts in plain text
        self.key_level = 0  # of the heading of a key
        self.in_key = False  # behind a heading like "Solutions"
        self.depth = self.cells = 0  # of lists in the problem; of tables
        self.told = 0  # inside what is stated or proved, and asks nothing
        self.stated = False  # whether the prose since the last problem holds such things
        self.instructions: list[str] = []
        self.spent: list[str] = []  # labels, headings, what stands in unknown environments
        self.counts = [0, 0, 0, 0]
        self.labels, self.refers = set[str](), set[str]()
        if self.opens.whole:
            self.begin()

    @property
    def item(self) -> TexItem | None:
        return self.now.item if self.now else None

    # what is open

    def begin(self, list_of: str = "") -> TexItem:
        after = list_of == "environment" and self.last is not None
        self.close(opening=not after)  # behind a problem that closed, prose is a remark on it
        item = TexItem(section=self.section, instruction=self.instruction)
        self.now, self.last = _Open(item, {"problem": []}, list_of=list_of), None
        self.role, self.out = "problem", self.now.texts["problem"]
        self.depth, self.counts = 0, [0, 0, 0, 0]
        return item

    def close(self, opening: bool = False) -> None:
        """The open problem ends; prose outside of one may instruct those that open next."""
        if self.now is None:
            self._outside(_tidy("".join(self.out)), opening)
        else:
            self.spent += _filled(self.now)
            named = {name.strip() for name in self.refers} - self.labels
            self.now.item.outside += sorted(named - set(self.now.item.outside))
            if self.in_key:
                self.key.append(self.now)
            elif not any(item is self.now.item for item in self.exam.items[-1:]):
                self.exam.items.append(self.now.item)
            self.last, self.now = self.now, None
        self.role, self.out = "problem", []
        self.labels, self.refers = set(), set()

    def _outside(self, text: str, opening: bool) -> None:
        before, _, last = text.rpartition("\n\n")
        if opening and 0 < len(last) <= INSTRUCTION and not self.in_key and not self.stated:
            self.instruction, text = last, before
            self.instructions.append(last)
        self.stated = False
        if text:
            self.exam.outside.append(text)

    def turn(self, role: Role) -> None:
        """What follows is of this role: of the open problem, or of the one that just closed."""
        if self.now is None and self.last is not None and not _tidy("".join(self.out)):
            self.now = self.last
        if self.now is None:
            self.out.append("\n\n")
            return
        if role == "answer":
            holder = self.now.item.parts[-1] if self.now.item.parts else self.now.item
            self.now.said.append((holder, []))
            self.out = self.now.said[-1][1]
        else:
            self.out = self.now.texts.setdefault(role, [])
            self.out.append("\n\n")
        self.role = role

    def back(self, role: Role, out: list[str], now: _Open | None) -> None:
        """After a scope: to where the text went before it."""
        if self.now is now:
            self.role, self.out = role, out
        elif now is None and self.now is self.last:  # the problem was opened for this only
            self.close()

    def unread(self, what: str) -> None:
        item = self.item
        if item is None:
            self.exam.issues.append(what)
            return
        names = item.unread if self.role in ("problem", "points") else item.lost
        if what not in names:
            names.append(what)

    def aside(self, nodes: list[Node]) -> str:
        """The text of nodes that does not stand in the text around them."""
        out, self.out = self.out, []
        self.write(nodes)
        text, self.out = _tidy("".join(self.out)), out
        return text

    def finished(self) -> TexExam:
        """The exam, with the answers of a key at its end."""
        exam = self.exam
        if sum(map(len, exam.outside)) > sum(
            len(item.text) for item in exam.items
        ):  # a book's prose instructs nobody
            exam.outside += self.instructions
            for item in exam.items:
                item.instruction = "" if item.instruction in self.instructions else item.instruction
        asked = [i for i in exam.items if i.text or i.options or i.unread or not i.solution]
        entries = [now.item for now in self.key] + [i for i in exam.items if i not in asked]
        exam.items = asked
        if len(entries) == len(asked):
            for item, entry in zip(asked, entries, strict=True):
                _answered(item, entry)
        else:
            exam.outside += [f"in a key: {_whole(entry)}" for entry in entries]
        return exam

    # nodes

    def write(self, nodes: list[Node]) -> None:
        cursor = _Cursor(nodes)
        for node in cursor:
            if self._label(cursor, node):
                continue
            self.write_one(node, cursor)

    def write_one(self, node: Node, cursor: _Cursor) -> None:
        if node.kind == "text":
            self._text(node.text)
        elif node.kind == "formula":
            self.out.append(f"${self._formula(node.text)}$" if node.text else "")
        elif node.kind == "display":
            self.out.append(f"\n$${self._formula(node.text)}$$\n")
        elif node.kind == "group":
            self._scoped(node.inside)
        elif node.kind == "broken":
            self.unread(node.text)
        elif node.kind == "environment":
            self.environment(node)
        else:
            self.command(node.text, cursor)

    def _formula(self, tex: str) -> str:
        r"""A formula without the answers that stand in it, as in `x=\answer{5}`."""
        out, at = list[str](), 0
        for match in _NAMED_GROUP.finditer(tex):
            end = group_end(tex, match.end() - 1)
            if end < 0 or match.start() < at or of_name(match[1]) != "answer" or not self.now:
                continue
            answer = tex[match.end() : end - 1]
            if self.role == "problem":
                holder = self.now.item.parts[-1] if self.now.item.parts else self.now.item
                holder.answers.append(f"${answer.strip()}$")
            shown = r"\underline{\qquad}" if self.role == "problem" else answer
            out += [tex[at : match.start()], shown]
            self.spent.append(match[0])
            at = end
        return "".join([*out, tex[at:]])

    def _scoped(self, nodes: list[Node]) -> None:
        role, out, now = self.role, self.out, self.now
        self.write(nodes)
        if self.role != role and self.now is now:
            self.back(role, out, now)

    def _label(self, cursor: _Cursor, node: Node) -> bool:
        """Take words that are set apart and say what follows: "Problem 3.", "Solution:"."""
        label = label_at(cursor.nodes, cursor.at - 1) if node.kind in ("command", "group") else ""
        if not label or self.cells:
            return False
        after = cursor.at + (node.kind == "command")
        follows = "".join(n.text for n in cursor.nodes[after : after + 1] if n.kind == "text")
        before = _tidy("".join(self.out[-3:]))
        fresh = not before or before[-1] in ".?!。？！$)" or self._at_line_start(cursor)
        if template(label) in self.opens.labels and self._at_line_start(cursor):
            cursor.at = after
            self.spent.append(label)
            self.begin()
            return True
        marked = label.rstrip()[-1] in ".:：】)]" or re.match(r"\s*[:：.\d]", follows)
        role = of_label(label)
        if role in (None, "problem") or not (fresh and (marked or self._at_line_start(cursor))):
            return False
        if self.item is None and self.last is None:
            return False
        cursor.at = after
        self.spent.append(label)
        if role == "points":
            self._points_of(label)
        else:
            self.turn(role)
        return True

    def _at_line_start(self, cursor: _Cursor) -> bool:
        for k in range(cursor.at - 2, -1, -1):
            node = cursor.nodes[k]
            if node.kind == "text" and not node.text.strip(" \t"):
                continue
            if node.kind == "command" and node.text in SILENT and node.text not in BREAKS:
                continue
            ends = node.kind == "text" and re.search(r"\n[ \t]*\Z", node.text)
            breaks = node.kind == "command" and node.text in BREAKS
            return bool(ends or breaks or node.kind in ("environment", "display"))
        return True

    def _text(self, text: str) -> None:
        if text == "&":
            self.out.append(" | " if self.cells else "&")
        elif text == "~":
            self.out.append(" ")
        elif text.startswith("\n") and not text.strip():
            self.out.append("\n\n" if text.count("\n") > 1 else " ")
        else:
            self._lines(text)

    def _lines(self, text: str) -> None:
        """Text, which at its lines' starts may turn to a role ("Answer: 5"), or count ("7. ")."""
        at = 0
        for start, end, said in line_marks(text):
            counts = self.opens.numbers and said == str(self.number + 1)
            before = "".join(self.out[-3:])
            fresh = start > 0 or "\n" in before[-2:] or not before.strip()
            known = not said.isdigit() and self.cells == 0 and (self.now or self.last)
            if not fresh or not (counts or known):
                continue
            self._plain(text[at:start])
            self.spent.append(text[start:end])
            at = end
            if counts:
                self.number += 1
                self.begin()
            elif role := of_label(said):
                self.turn(role)
        self._plain(text[at:])

    def _plain(self, text: str) -> None:
        text = text.replace("---", "—").replace("--", "–")
        self.out.append(text.replace("``", "“").replace("''", "”").replace("\n", " "))

    def command(self, name: str, cursor: _Cursor) -> None:
        plain = name.rstrip("*")
        if opens_by_name(name) and not self._nested():
            self._question(plain, cursor)
        elif name in PARTS and self.item is not None:
            self._part(PARTS[name], self._points(cursor.option()))
        elif plain in HEADINGS or plain == "part":
            self._heading(plain, cursor)
        elif name in INSTRUCTIONS:
            self.close()
            self.instruction = self.aside(cursor.argument())
        elif name in ("fillin", "answerline", "answer", "ans", "paren"):
            self._answer(name, cursor)
        elif name == "includegraphics":
            cursor.option()
            self.out.append(PICTURE + self.aside(cursor.argument()).replace(r"\_", "_") + PICTURE)
        elif name == "@missing":
            self._missing(flat(cursor.argument()), flat(cursor.argument()))
        elif name in SIGNS:
            self.out.append(SIGNS[name])
            if name == "\\":
                cursor.option()
        elif name in ACCENTS:
            letter = self.aside(cursor.argument())
            self.out.append(unicodedata.normalize("NFC", letter + ACCENTS[name]))
        elif plain in SIZES:
            if cursor.rest() and cursor.rest()[0].kind == "text":
                sized = re.sub(r"\A\s*=?\s*-?[\d.]*\s*[a-z]{2}", "", cursor.rest()[0].text)
                cursor.nodes = [*cursor.nodes[: cursor.at], Node("text", sized), *cursor.rest()[1:]]
        elif name == "label":
            self.labels.add(flat(cursor.argument()).strip())
        elif plain in SILENT:
            cursor.option()
            for _ in range(SILENT[plain]):
                cursor.argument()
        elif plain in TRANSPARENT:
            self._transparent(plain, cursor)
        elif name == "@refers":
            self.refers.update(flat(cursor.argument()).split(","))
            self.write(cursor.argument())
        elif plain == "cite":
            cursor.option()
            self.out.append(f"[{flat(cursor.argument())}]")
        elif plain == "footnote":
            self.out.append(f" ({self.aside(cursor.argument())})")
        elif is_options(cursor.nodes, cursor.at - 1):
            self._choices(cursor.groups(apart=True))
        elif (role := of_name(plain.removesuffix("@lead"))) not in (None, "problem"):
            self._by_name(role, cursor)
        else:
            held = flat(cursor.groups()) if self.now is None else ""
            self.unread(f"\\{name}{held[:80]}")
            self.spent.append(held)

    def _missing(self, name: str, why: str) -> None:
        r"""An `\input` that cannot be read loses itself alone; whatever it stands in is told."""
        self.exam.issues.append(rf"\input{{{name}}}: {why}")
        if self.item is not None:
            self.item.outside.append(rf"\input{{{name}}}")

    def _nested(self) -> bool:
        """In a problem's environment or list, a proof or a theorem nothing opens a problem."""
        held = self.now is not None and (self.role != "problem" or bool(self.now.list_of))
        return held or self.told > 0

    def _question(self, name: str, cursor: _Cursor) -> None:
        item = self.begin()
        if "titled" in name:
            item.title = self.aside(cursor.argument())
        self._headed(item, cursor.option())
        groups = cursor.groups()
        while groups and re.fullmatch(r"[\w:.\-]{0,40}", flat(groups[0].inside).strip()):
            self.spent.append(flat(groups[0].inside))
            groups = groups[1:]  # a label or a number
        for group, role in zip(groups, ("problem", "solution", "solution"), strict=False):
            if role != self.role:
                self.turn("solution")
            self.write(group.inside)
        if len(groups) > 1:
            self.close()

    def _heading(self, name: str, cursor: _Cursor) -> None:
        node = cursor.nodes[cursor.at - 1]
        cursor.option()
        held, self.now = self.now, None
        text = self.aside(cursor.argument())
        self.now = held
        self.spent.append(text)
        if template(text) in self.opens.labels:
            self.begin()
            return
        role = of_label(text)
        if role in ("solution", "answer", "hint") and (self.now or self.last) and (
            id(node) not in self.opens.keys
        ):  # fmt: skip
            self.turn(role)
            return
        if self.opens.whole and self.item is not None:
            if not _tidy("".join(self.out)):
                self.item.section = text
            else:
                self.out.append(f"\n\n{text}\n\n")
            return
        self.close()
        if id(node) in self.opens.keys:
            self.in_key, self.key_level = True, level(name)
        elif level(name) <= self.key_level:
            self.in_key = False
        if not self.in_key:
            self.section, self.instruction, self.last = text, "", None

    def _by_name(self, role: Role, cursor: _Cursor) -> None:
        r"""`\hint{...}` holds what its name says; `\solution` without a group opens it."""
        cursor.option()
        if groups := cursor.groups():
            self._aside_role(role, [n for group in groups for n in group.inside])
        elif self.item is not None or self.last is not None:
            self.turn(role)

    def _aside_role(self, role: Role, nodes: list[Node]) -> None:
        if role == "points":
            if self.item is not None:
                self._points_of(flat(nodes))
            return
        before = (self.role, self.out, self.now)
        if self.now is None and (self.last is None or self.in_key or _tidy("".join(self.out))):
            if not self.in_key:
                self.unread(f"a {role} outside of a problem")
                self.told += 1
                self.exam.outside.append(self.aside(nodes))
                self.told -= 1
                return
            self.begin()
        depth, counts = self.depth, self.counts
        self.turn(role)
        self.depth, self.counts = 1, [0, 0, 0, 0]
        self.write(nodes)
        self.depth, self.counts = depth, counts
        if before[2] is None:
            self.close()
        else:
            self.role, self.out = before[0], before[1]

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
        role = self.roles.of(name)
        opens = name in self.opens.environments or id(node) in self.opens.nodes
        if opens and not self._nested():
            self._problem(cursor)
        elif name in OUTSIDE:
            return
        elif role not in (None, "problem"):
            cursor.option()
            self._aside_role(role, cursor.rest())
        elif self.item is not None and is_choices(node, self.roles):
            cursor.option()
            self._options(cursor)
        elif items_of(node):
            self._list(name, cursor)
        elif name in TABLES:
            self._table(cursor, TABLES[name])
        elif name in WRAPPERS or role == "problem" or name in self.roles.titles:
            cursor.option()
            for _ in range(WRAPPERS.get(name, 0)):
                cursor.argument()
            cursor.option()
            before = self.now
            self.stated |= name.startswith(("figure", "table", "wrap"))
            self._scoped(cursor.rest())
            if before is None and (name == "questions" or role == "problem"):
                self.close()
        elif name.rstrip("*") in STATED:
            self.out.append("\n\n")
            self.stated = True
            self.told += self.now is None
            self._scoped(cursor.rest())
            self.told = 0
            self.out.append("\n\n")
        else:
            self.unread(rf"\begin{{{name}}}")
            self.spent.append(visible(node.inside))

    def _problem(self, cursor: _Cursor) -> None:
        item = self.begin("environment")
        self._headed(item, cursor.option())
        if len(groups := cursor.groups()) and cursor.rest():
            self.spent += [flat(group.inside) for group in groups]
            if not item.title and len(title := flat(groups[0].inside)) > 3:
                item.title = title[:200]
        elif groups:
            cursor.at = 0
        self._headed(item, cursor.option())
        self.write(cursor.rest())
        self.close()

    def _table(self, cursor: _Cursor, arguments: int) -> None:
        cursor.option()
        for _ in range(arguments):
            cursor.argument()
        self.cells += 1
        self.out.append("\n")
        self.write(cursor.rest())
        self.out.append("\n")
        self.cells -= 1

    # what a problem is made of

    def _headed(self, item: TexItem, option: list[Node] | None) -> None:
        """Points or a title, as brackets behind a problem's opening say."""
        said = flat(option or []).strip()
        item.points = item.points or self._points(option)
        named = re.search(r"(?:title|name)\s*=\s*\{?([^{},]*)", said)
        if said and not item.points and ("=" not in said or named):
            item.title = item.title or (named[1] if named else self.aside(option or []))

    def _points(self, option: list[Node] | None) -> str:
        text = flat(option or []).strip()
        found = re.search(r"\bpoints?\s*=\s*\{?(\d+(?:\.\d+)?)", text)
        found = found or re.fullmatch(rf"(\d{{1,3}}(?:\.\d+)?)\s*(?:{POINTS})?", text, re.I)
        return found[1] if found else ""

    def _points_of(self, text: str) -> None:
        number = re.search(r"\d+(?:\.\d+)?", text)
        if self.item is not None and number and not self.item.parts:
            self.item.points = self.item.points or number[0]

    def _part(self, level: int, points: str) -> None:
        if self.now is not None and self.role != "problem" and self.depth == 0:
            self.role, self.out = "problem", self.now.texts["problem"]
        self.counts[level] += 1
        self.counts[level + 1 :] = [0] * (len(self.counts) - level - 1)
        number = self.counts[level]
        styles = (_LETTERS, _ROMAN, _LETTERS.upper())
        label = styles[level - 1][number - 1] if number <= len(styles[level - 1]) else str(number)
        if level == 1 and self.item is not None and self.role == "problem":
            self.item.parts.append(TexPart(str(number)))
        self.out.append(f"\n({label}) ")

    def _answer(self, name: str, cursor: _Cursor) -> None:
        r"""A blank with its answer; `\answer{...}` shows no blank."""
        argument = cursor.argument() if name in ("answer", "ans") else cursor.option()
        if name == "fillin":
            cursor.option()
        said = self.aside(argument) if argument is not None else ""
        self.out.append({"fillin": BLANK, "paren": "(  )"}.get(name, ""))
        item = self.item
        if item is None or not said or self.role != "problem":
            return
        if name == "paren":
            item.letters += said
        else:
            holder: TexItem | TexPart = item.parts[-1] if item.parts else item
            holder.answers.append(said)

    def _options(self, cursor: _Cursor) -> None:
        """Each choice as an option, and whether it is right."""
        item = self.item
        if item is None or self.role != "problem":
            self.write(cursor.rest())
            return
        if item.options or item.parts:
            self.unread("several lists of choices")
        nodes = list(_unwrapped(cursor.rest()))
        starts = [k for k, n in enumerate(nodes) if n.kind == "command" and _is_choice(n.text)]
        if not starts or flat(nodes[: starts[0]]).strip(" \n(){}0123456789"):
            self.unread("text before the first choice")
            starts = starts or [0]
        for start, end in zip(starts, [*starts[1:], len(nodes)], strict=True):
            body = _Cursor(nodes[start + 1 : end])
            label = body.option()
            right = RIGHT.search(f"{nodes[start].text} {flat(label or [])}")
            if label and not right and not re.fullmatch(r"\W*[A-Z]\W*", flat(label)):
                self.unread(f"\\item[{flat(label)}]")
            text = self.aside(body.rest())
            item.options.append(TexOption(text, bool(right)))

    def _choices(self, groups: list[Node]) -> None:
        r"""`\choice{a}{\True b}{c}{d}`: the groups are the options."""
        item = self.item
        if item is None or item.options:
            self.unread("choices outside of a problem" if item is None else "two sets of choices")
            return
        for group in groups:
            marks = [n for n in group.inside if n.kind == "command" and RIGHT.search(n.text)]
            text = self.aside([n for n in group.inside if n not in marks])
            item.options.append(TexOption(text, bool(marks)))

    def _list(self, name: str, cursor: _Cursor) -> None:
        style = flat(cursor.option() or []) + self.roles.titles.get(name, "")
        own = self.roles.of(name) == "problem"
        opens = (self.opens.lists or own) and name not in ("itemize", "description")
        problems = self.item is None and opens and not self.told
        scope = (self.role, self.out, self.now)
        self.depth += not problems
        count, row = 0, _Cursor([n for n in _unwrapped(cursor.rest()) if n.text != "columns@"])
        for node in row:
            if not (node.kind == "command" and node.text in ITEMS):
                if not self._label(row, node):
                    self.write_one(node, row)
                continue
            own_mark = row.option()
            count += 1
            if problems:
                self._headed(self.begin("list"), own_mark if _is_points(own_mark) else None)
            else:
                if self.role != scope[0] and self.now is scope[2] and self.now is not None:
                    self.role, self.out = scope[0], scope[1]
                self.out.append("\n" + self._mark(name, style, count, own_mark) + " ")
                if self.depth == 1 and name != "itemize" and self.role == "problem" and self.item:
                    self.item.parts.append(TexPart(str(count)))
        if problems:
            self.close()
        else:
            self.depth -= 1
            if self.now is scope[2] and self.now is not None:
                self.role, self.out = scope[0], scope[1]
            self.out.append("\n")

    def _mark(self, name: str, style: str, count: int, own: list[Node] | None) -> str:
        if own is not None:
            return self.aside(own)
        if name in ("itemize", "description"):
            return "-"
        if re.search(r"\\roman|(?<!\w)i(?!\w)", style) and count <= len(_ROMAN):
            return f"({_ROMAN[count - 1]})"
        plain = not style and (self.opens.lists or name == "tasks")
        letters = re.search(r"\\alph|(?<!\w)a(?!\w)", style) or plain
        return f"({_LETTERS[count - 1]})" if letters and count <= 26 else f"({count})"


def _is_choice(name: str) -> bool:
    return name in ITEMS or bool(re.search(r"(?i)choice|correct|wrong|option", name))


def _is_points(option: list[Node] | None) -> bool:
    return bool(re.fullmatch(rf"[(\[]?\d+\s*(?:{POINTS})[)\]]?", flat(option or []).strip(), re.I))


def _unwrapped(nodes: list[Node]) -> Iterator[Node]:
    """The nodes of a list, those in columns as if they stood there."""
    for node in nodes:
        if node.kind == "environment" and node.text.startswith("multicols"):
            inner = _Cursor(node.inside)
            inner.argument()
            yield from _unwrapped(inner.rest())
        else:
            yield node


def _filled(now: _Open) -> list[str]:
    """Put what was written for a problem into it; the marks in its lines, with what they say."""
    item, marks = now.item, list[str]()
    text = _tidy("".join(now.texts["problem"]))
    for mark in reversed(list(INLINE_MARK.finditer(text))):
        role = of_label(mark["label"] or "")
        if role == "points" or mark["points"]:
            item.points = item.points or mark["points"] or ""
        elif role == "answer":
            now.said.append((item, [mark["body"]]))
        elif role in ("hint", "solution"):
            now.texts.setdefault(role, []).append(mark["body"])
        else:
            continue
        text = text[: mark.start()] + text[mark.end() :]
        marks.append(mark[0])
    item.text = _tidy(text)
    long = []
    for holder, pieces in now.said:
        answer = re.sub(r"\A\$\$([^$]+)\$\$\Z", r"$\1$", _bare("".join(pieces)))
        short = len(answer) <= SHORT_ANSWER and "\n" not in answer
        if answer and short:
            holder.answers.append(answer)
        elif answer:
            long.append(answer)
    now.said = []
    letters = [answer for answer in item.answers if _LETTERED.fullmatch(answer)]
    if item.options and letters and not item.letters:  # "Answer: B"
        item.letters, item.answers = letters[0], [a for a in item.answers if a not in letters]
    solution = _bare("".join(now.texts.get("solution", [])))
    item.solution = "\n\n".join(filter(None, (*long, solution)))
    item.hint = _bare("".join(now.texts.get("hint", [])))
    return marks


def _whole(entry: TexItem) -> str:
    return "\n".join(filter(None, (entry.text, *entry.answers, entry.solution)))


def _answered(item: TexItem, entry: TexItem) -> None:
    """What a key says of a problem."""
    text = entry.text
    if text and len(text) <= SHORT_ANSWER and "\n" not in text and not item.answers:
        if item.options and _LETTERED.fullmatch(text):
            item.letters = item.letters or text
        elif not any(part.answers for part in item.parts):
            item.answers.append(_bare(text))
        text = ""
    item.answers += entry.answers
    item.solution = "\n\n".join(filter(None, (item.solution, text, entry.solution)))
    item.lost += entry.unread + entry.lost


def _bare(text: str) -> str:
    return re.sub(r"\A[\s:：.．]+", "", _tidy(text))


def _tidy(text: str) -> str:
    """Single blanks, lines without blanks at their ends, at most one empty line."""
    lines = [_WIDE_GAP.sub("", " ".join(line.split())) for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
