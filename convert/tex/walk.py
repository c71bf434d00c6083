r"""The problems of a LaTeX source: what its commands, environments and labels say, nothing guessed.

One walk writes the text and turns, wherever a label, a macro or an environment says so, to the
problem's solution, answer, hint or points, and back. A problem with a command that is not
understood is marked with its name, and never put out with a hole.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from typing import Literal

import msgspec

from ...latex import CJK, group_end
from ..conservation import lost
from .outline import (
    LETTERS,
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
APART = "\u2064"  # and this one about the number of what is set apart
BLANK = "____"
SHORT_ANSWER, INSTRUCTION = 80, 400  # characters: more is a solution, a chapter's prose
_ROMAN = "i ii iii iv v vi vii viii ix x xi xii".split()
_MARKS = "，。；：？！、）（"
_WIDE_GAP = re.compile(rf"(?<=[{CJK}{_MARKS}]) (?=[{CJK}{_MARKS}])|(?<=[{_MARKS}]) (?=[$])")
_LETTERED = re.compile(r"\W*[A-Z](?:[\s,;]*[A-Z])*\W*")
MOST_APART = 50  # places in a problem
_SET_APART = re.compile(f"{APART}\\d+{APART}")
_CODE = re.compile(r"[;}][ \t]*$", re.MULTILINE)  # of a drawing, as Asymptote has it
_FILLED = re.compile(r"\\(?:fillin|answerline)\s*\[([^\[\]]*)\](?:\s*\[[^\[\]]*\])?")
_NAMED_GROUP = re.compile(r"\\([A-Za-z]{3,})\s*(?:\[[^\[\]]*\])?\{")


class TexOption(msgspec.Struct):
    text: str
    right: bool = False


class TexPart(msgspec.Struct):
    """A part, and what its blanks say."""

    label: str
    answers: list[str] = []


class Own(msgspec.Struct):
    """What a problem's author sets apart by a name that says no role.

    `label` shows it, where words are its name; `asks`: the question goes on in it, or behind it.
    """

    name: str
    label: str = ""
    text: str = ""
    asks: bool = False
    unread: list[str] = []


class TexItem(msgspec.Struct):
    """One problem. `unread` names what is not understood, `lost` what its solution lacks.

    `outside` are labels that it refers to and does not hold, `doubts` what its place decided.
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
    own: list[Own] = []
    doubts: list[str] = []


class TexExam(msgspec.Struct):
    """A document's problems, what is not understood outside of them, and the prose there."""

    items: list[TexItem] = []
    issues: list[str] = []
    outside: list[str] = []


class _Open(msgspec.Struct):
    """A problem as it is written: its text so far by role, and answers with who gives them."""

    item: TexItem
    texts: dict[str, list[str]]
    said: list[tuple[TexItem | TexPart, list[str]]] = []
    opener: str = ""  # an environment or list, in which no other problem opens

    @property
    def holder(self) -> TexItem | TexPart:
        """What an answer answers: the part that was opened last, else the problem."""
        return self.item.parts[-1] if self.item.parts else self.item


def read_exam_source(source: Source) -> TexExam:
    """The problems of a document. Raises UserError for more than 80 groups inside each other."""
    nodes, roles = parsed(source.body), Roles(source.titles)
    walk = _Walk(nodes, roles)
    walk.write(nodes)
    walk.close()
    exam = walk.finished()
    if missed := lost(_seen(nodes), [*_texts(exam), *walk.spent]):
        exam.issues.append(f"lost-text: {missed}")
    return exam


def _texts(exam: TexExam) -> list[str]:
    """Everything that a document became, in words."""
    texts = [*exam.issues, *exam.outside]
    for item in exam.items:
        texts += [item.text, item.title, item.section, item.instruction, item.points, item.letters]
        texts += [item.solution, item.hint, *item.answers, *item.unread, *item.lost, *item.doubts]
        texts += [option.text for option in item.options]
        texts += [answer for part in item.parts for answer in part.answers]
    return [text.replace(PICTURE, " ") for text in texts]


def _seen(nodes: list[Node]) -> str:
    """The words and formulas of nodes, whatever commands make of them."""
    return "".join(
        f"{_seen(n.inside)} " if n.inside else "" if n.kind in ("command", "environment", "broken")
        else n.text for n in nodes
    )  # fmt: skip


class _Cursor:
    """A row of nodes, from which a command takes its arguments."""

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes, self.at = nodes, 0

    def __iter__(self) -> Iterator[Node]:
        while self.at < len(self.nodes):
            self.at += 1
            yield self.nodes[self.at - 1]

    def _next(self) -> int:
        """The place of the next node that is no blank."""
        at = self.at
        while at < len(self.nodes) and not (self.nodes[at].inside or self.nodes[at].text.strip()):
            if self.nodes[at].kind != "text":
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
                return self.nodes[at + 1 : end]
        return None

    def argument(self) -> list[Node]:
        """The group that follows; else one command or one sign."""
        self.at = self._next()
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
        while (at := self._next() if apart else self.at) < len(self.nodes):
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
        self.role: Role | Literal["own"] = "problem"
        self.out: list[str] = []
        self.section = self.instruction = ""
        self.number = 0  # of the last problem that counts in plain text
        self.key_level = 0  # of the heading of a key
        self.in_key = False  # behind a heading like "Solutions"
        self.depth = self.cells = 0  # of lists in the problem; of tables
        self.told = 0  # inside what is stated or proved, and asks nothing
        self.stated = False  # whether the prose since the last problem holds such things
        self.instructions: list[str] = []
        self.spent: list[str] = []  # what is read and not written: labels, settings, headings
        self.counts = [0, 0, 0, 0]
        self.labels, self.refers = set[str](), set[str]()
        if self.opens.whole:
            self.begin()

    @property
    def item(self) -> TexItem | None:
        return self.now.item if self.now else None

    # what is open

    def begin(self, opener: str = "") -> TexItem:
        after = opener == "environment" and self.last is not None
        self.close(opening=not after)  # behind a problem that closed, prose is a remark on it
        item = TexItem(section=self.section, instruction=self.instruction)
        self.now, self.last = _Open(item, {"problem": []}, opener=opener), None
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
        if (
            opening
            and len(last) <= INSTRUCTION
            and re.search(r"[^\W\d_]", last)
            and not self.in_key
            and not self.stated
        ):
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
            self.now.said.append((self.now.holder, []))
            self.out = self.now.said[-1][1]
        else:
            self.out = self.now.texts.setdefault(role, [])
            self.out.append("\n\n")
        self.role = role

    def turn_own(self, name: str, label: str = "") -> None:
        """What follows is set apart by a name that says no role: its place may, see `_by_place`."""
        assert self.now
        self.now.texts["problem"].append(f"{APART}{len(self.now.item.own)}{APART}")
        self.now.item.own.append(Own(name, label))
        self.role, self.out = "own", self.now.texts.setdefault(f"own {len(self.now.item.own)}", [])

    def asked(self) -> bool:
        """Whether something of the open problem's question stands already, and may be left."""
        if self.now is None or len(self.now.item.own) >= MOST_APART:
            return False
        return any(map(str.strip, self.now.texts["problem"]))

    def unread(self, what: str) -> None:
        item = self.item
        if item is None:
            self.exam.issues.append(what)
            return
        names = item.unread if self.role in ("problem", "points") else item.lost
        names = item.own[-1].unread if self.role == "own" else names
        if what not in names:
            names.append(what)

    def aside(self, nodes: list[Node]) -> str:
        """The text of nodes that does not stand in the text around them."""
        out, self.out = self.out, []
        self.write(nodes)
        text, self.out = _tidy("".join(self.out)), out
        return text

    def option(self, cursor: _Cursor) -> list[Node] | None:
        """An option that is read and not written."""
        option = cursor.option()
        self.spent.append(_seen(option or []))
        return option

    def skip(self, cursor: _Cursor, arguments: int = 0) -> None:
        """Take an option and arguments that are for the eye."""
        self.option(cursor)
        for _ in range(arguments):
            self.spent.append(_seen(cursor.argument()))

    def finished(self) -> TexExam:
        """The exam, with the answers of a key at its end."""
        exam = self.exam
        asked = sum(len(item.text) for item in exam.items)
        if sum(map(len, exam.outside)) > asked:  # a book's prose instructs nobody
            exam.outside += self.instructions
            for item in exam.items:
                item.instruction = "" if item.instruction in self.instructions else item.instruction
        items = [i for i in exam.items if i.text or i.options or i.unread or not i.solution]
        kept = {id(item) for item in items}
        entries = [now.item for now in self.key] + [i for i in exam.items if id(i) not in kept]
        exam.items = items
        _by_place([*items, *entries])
        if len(entries) == len(items):
            for item, entry in zip(items, entries, strict=True):
                _answered(item, entry)
        else:
            wholes = ("\n".join(filter(None, (e.text, *e.answers, e.solution))) for e in entries)
            exam.outside += [f"in a key: {whole}" for whole in wholes]
        return exam

    # nodes

    def write(self, nodes: list[Node]) -> None:
        cursor = _Cursor(nodes)
        for node in cursor:
            self.write_one(node, cursor)

    def write_one(self, node: Node, cursor: _Cursor) -> None:
        if self._label(cursor, node):
            return
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
        tex = _FILLED.sub(r"\\answer{\1}", tex)
        for match in _NAMED_GROUP.finditer(tex):
            end = group_end(tex, match.end() - 1)
            if end < 0 or match.start() < at or of_name(match[1]) != "answer" or not self.now:
                continue
            shown = answer = tex[match.end() : end - 1]
            if self.role == "problem":
                self.now.holder.answers.append(f"${answer.strip()}$")
                shown = r"\underline{\qquad}"
            out += [tex[at : match.start()], shown]
            self.spent.append(match[0])
            at = end
        return "".join([*out, tex[at:]])

    def _scoped(self, nodes: list[Node]) -> None:
        """Write nodes, and go back to where the text went before them."""
        role, out, now = self.role, self.out, self.now
        self.write(nodes)
        if self.role != role and self.now is now:
            self.role, self.out = role, out

    def _label(self, cursor: _Cursor, node: Node) -> bool:
        """Take words that are set apart and say what follows: "Problem 3.", "Solution:"."""
        label = label_at(cursor.nodes, cursor.at - 1) if node.kind in ("command", "group") else ""
        if not label or self.cells:
            return False
        behind = _Cursor(cursor.nodes[cursor.at : cursor.at + 3])
        inside = node.inside if node.kind == "group" else behind.argument()
        if node.kind == "command" and self._said(inside):
            cursor.argument()
            return True
        after = cursor.at + (node.kind == "command")
        first = self._at_line_start(cursor)
        role = of_label(label)
        if template(label) in self.opens.labels and first:
            role = "problem"
        elif role == "problem" or self.now is self.last is None:
            return False
        elif not first:
            follows = "".join(n.text for n in cursor.nodes[after : after + 1] if n.kind == "text")
            before = _tidy("".join(self.out[-3:]))[-1:]
            marked = label.rstrip()[-1] in ".:：】)]" or re.match(r"\s*[:：.\d]", follows)
            if not marked or before not in ".?!。？！$)":
                return False
        if role is None and not (first and self._is_own(label, cursor, after)):
            return False
        cursor.at = after
        self.spent.append(label)
        if role == "problem":
            self.begin()
        elif role == "points":
            self._points_of(label)
        elif role:
            self.turn(role)
        else:
            self.turn_own(template(label), label)
        return True

    def _said(self, nodes: list[Node]) -> bool:
        """Take words that say their role themselves: "Answer: 5"."""
        first = nodes[0].text.lstrip() if nodes and nodes[0].kind == "text" else ""
        start, end, label = next(line_marks(first), (1, 0, ""))
        role = of_label(label) if start == 0 else None
        alone = not first[end:].strip() and len(nodes) == 1  # a label of what stands behind it
        if role is None or alone or self.now is None or self.role != "problem":
            return False
        self.spent.append(label)
        self._aside_role(role, [Node("text", first[end:]), *nodes[1:]])
        return True

    def _whole(self) -> None:
        """Back to the question, which goes on behind what its author set apart."""
        if self.role == "own" and self.now:
            self.now.item.own[-1].asks = True
            self.role, self.out = "problem", self.now.texts["problem"]

    def _is_own(self, label: str, cursor: _Cursor, after: int) -> bool:
        """Whether words set apart behind a question are a heading, and no word of a sentence."""
        words = template(label).split()
        follows = "".join(n.text for n in cursor.nodes[after : after + 1] if n.kind == "text")
        marked = label[-1] in ".:：】" or re.match(r"\s*[:：]", follows)
        plain = bool(words) and len(words) < 4 and "#" not in words and len(words[0]) > 2
        told = STATED & {*words}
        return (
            bool(marked) and plain and not told and self.role in ("problem", "own") and self.asked()
        )

    def _at_line_start(self, cursor: _Cursor) -> bool:
        for k in range(cursor.at - 2, -1, -1):
            node = cursor.nodes[k]
            if node.kind == "command" and node.text in BREAKS:
                return True
            if node.kind == "text" and re.search(r"\n[ \t]*\Z", node.text):
                return True
            blank = not node.text.strip(" \t") if node.kind == "text" else node.text in SILENT
            if node.kind not in ("text", "command") or not blank:
                return node.kind in ("environment", "display")
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
            self._part(PARTS[name], self.option(cursor))
        elif plain in HEADINGS:
            self._heading(plain, cursor)
        elif name in INSTRUCTIONS:
            self.close()
            self.instruction = self.aside(cursor.argument())
        elif name in ("fillin", "answerline", "answer", "ans", "paren"):
            self._answer(name, cursor)
        elif name == "includegraphics":
            self.skip(cursor)
            self.out.append(PICTURE + self.aside(cursor.argument()).replace(r"\_", "_") + PICTURE)
        elif name == "@missing":  # it loses itself alone; whatever it stands in is told
            asked = rf"\input{{{flat(cursor.argument())}}}"
            self.exam.issues.append(f"{asked}: {flat(cursor.argument())}")
            if self.item is not None:
                self.item.outside.append(asked)
        elif name in SIGNS:
            self.out.append(SIGNS[name])
            if name == "\\":
                self.skip(cursor)
        elif name in ACCENTS:
            letter = self.aside(cursor.argument())
            self.out.append(unicodedata.normalize("NFC", letter + ACCENTS[name]))
        elif plain in SIZES:
            self._size(cursor)
        elif name == "label":
            self.labels.add(flat(cursor.argument()).strip())
            self.spent += self.labels
        elif plain in SILENT:
            self.skip(cursor, SILENT[plain])
        elif plain in TRANSPARENT:
            self._transparent(plain, cursor)
        elif name == "@refers":
            label = flat(cursor.argument())
            self.refers.update(label.split(","))
            self.spent.append(label)
            self.write(cursor.argument())
        elif plain == "cite":
            self.skip(cursor)
            self.out.append(f"[{flat(cursor.argument())}]")
        elif plain == "footnote":
            argument = cursor.argument()
            if not self._said(argument):
                self.out.append(f" ({self.aside(argument)})")
        elif is_options(cursor.nodes, cursor.at - 1):
            self._choices([group.inside for group in cursor.groups(apart=True)])
        elif (role := of_name(plain.removesuffix("@lead"))) not in (None, "problem"):
            self.skip(cursor)
            if groups := cursor.groups():  # `\hint{...}` holds what its name says
                self._aside_role(role, [n for group in groups for n in group.inside])
            elif self.item is not None or self.last is not None:
                self.turn(role)
        elif self.role == "problem" and self.asked() and (groups := cursor.groups()):
            self._aside_role("own", [n for group in groups for n in group.inside], f"\\{name}")
        else:
            if self.now is None and self._holds_problem(cursor.rest()[:4]):
                self.exam.issues.append(f"\\{name}")
                return  # what it holds is read
            held = flat(cursor.groups()) if self.now is None else ""
            self.unread(f"\\{name}{held[:80]}")
            self.spent.append(held)

    def _size(self, cursor: _Cursor) -> None:
        r"""`\vskip 3pt`: the size stands at the begin of the text behind."""
        if cursor.rest() and cursor.rest()[0].kind == "text":
            text = cursor.rest()[0].text
            size = re.match(r"(?:\s*=?\s*-?[\d.]*\s*[a-z]{2})?", text)
            self.spent.append(size[0] if size else "")
            after = Node("text", text[size.end() if size else 0 :])
            cursor.nodes = [*cursor.nodes[: cursor.at], after, *cursor.rest()[1:]]

    def _nested(self) -> bool:
        """In a problem's environment or list, a proof or a theorem nothing opens a problem."""
        held = self.now is not None and (self.role != "problem" or bool(self.now.opener))
        return held or self.told > 0

    def _question(self, name: str, cursor: _Cursor) -> None:
        item = self.begin()
        if "titled" in name:
            item.title = self.aside(cursor.argument())
        self._headed(item, self.option(cursor))
        groups = cursor.groups()
        while groups and re.fullmatch(r"[\w:.\-]{0,40}", flat(groups[0].inside).strip()):
            self.spent.append(flat(groups[0].inside))
            groups = groups[1:]  # a label or a number
        for k, group in enumerate(groups):
            if k:
                self.turn("solution")
            self.write(group.inside)
        if len(groups) > 1:
            self.close()

    def _heading(self, name: str, cursor: _Cursor) -> None:
        is_key = id(cursor.nodes[cursor.at - 1]) in self.opens.keys
        self.skip(cursor)
        held, self.now = self.now, None
        text = self.aside(cursor.argument())
        self.now = held
        self.spent.append(text)
        role = of_label(text)
        if template(text) in self.opens.labels:
            self.begin()
        elif role in ("solution", "answer", "hint") and (self.now or self.last) and not is_key:
            self.turn(role)
        elif self.opens.whole and self.item is not None:
            if _tidy("".join(self.out)):
                self.out.append(f"\n\n{text}\n\n")
            else:
                self.item.section = text
        else:
            self.close()
            if is_key:
                self.in_key, self.key_level = True, level(name)
            elif level(name) <= self.key_level:
                self.in_key = False
            if not self.in_key:
                self.section, self.instruction, self.last = text, "", None

    def _aside_role(self, role: Role | Literal["own"], nodes: list[Node], name: str = "") -> None:
        """Text of a role that ends with what holds it."""
        if role == "points":
            self.spent.append(_seen(nodes))
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
        if role == "own":
            self.turn_own(name)
        else:
            self.turn(role)
        self.depth, self.counts = 1, [0, 0, 0, 0]
        self.write(nodes)
        self.depth, self.counts = depth, counts
        if before[2] is None:
            self.close()
        else:
            self.role, self.out = before[0], before[1]

    def _transparent(self, name: str, cursor: _Cursor) -> None:
        self.skip(cursor, TRANSPARENT[name])
        self.skip(cursor)
        argument = cursor.argument()
        before = len(self.out)
        self.write(argument)
        if name in ("underline", "uline"):
            self._blank(argument, before)

    def _blank(self, shown: list[Node], before: int) -> None:
        """A line with nothing on it, or with an answer in its middle, is a blank."""
        said = "".join(self.out[before:]).strip()
        room = ("hspace", "quad", "qquad", "~")
        padded = all(any(n.text in room for n in end) for end in (shown[:2], shown[-2:]))
        if said and not (padded and self.now and self.role == "problem"):
            return
        self.out[before:] = [BLANK]
        if said and self.now:
            self.now.holder.answers.append(said)

    def environment(self, node: Node) -> None:
        name, cursor = node.text, _Cursor(node.inside)
        role = self.roles.of(name)
        opens = name in self.opens.environments or id(node) in self.opens.nodes
        if opens and not self._nested():
            self._problem(cursor)
        elif self.now is None and self._holds_problem(node.inside):
            self.skip(cursor)
            self.write(cursor.rest())
        elif name in OUTSIDE:
            self.spent.append(_seen(node.inside))
        elif role not in (None, "problem"):
            self.skip(cursor)
            given = cursor.groups()  # an author, a title
            self.spent += [flat(group.inside) for group in given]
            self._aside_role(role, cursor.rest() or given)
        elif self.item is not None and (
            is_choices(node, self.roles) or (name == "tasks" and self._asks())
        ):
            self.skip(cursor)
            self._options(cursor)
        elif items_of(node):
            self._list(name, cursor)
        elif name in TABLES:
            self.skip(cursor, TABLES[name])
            self.cells += 1
            self.out.append("\n")
            self.write(cursor.rest())
            self.out.append("\n")
            self.cells -= 1
        elif self._apart(name, role):
            shown = name if name in self.roles.titles else rf"\begin{{{name}}}"
            self._aside_role("own", cursor.rest(), shown)
        elif name in WRAPPERS or role == "problem" or name in self.roles.titles:
            self.skip(cursor, WRAPPERS.get(name, 0))
            self.skip(cursor)
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
            self.spent.append(_seen(node.inside))

    def _asks(self) -> bool:
        """Whether the text so far asks, or leaves a place for a letter: what lists are options."""
        return re.search(r"[?？]\s*\Z|[(（]\s*[)）]\W*\Z", "".join(self.out)) is not None

    def _holds_problem(self, nodes: list[Node]) -> bool:
        """Whether problems open inside, so that what is around them only frames them."""
        return any(
            (
                n.kind == "environment"
                and (n.text in self.opens.environments or id(n) in self.opens.nodes)
            )
            or self._holds_problem(n.inside)
            for n in nodes
        )

    def _apart(self, name: str, role: Role | None) -> bool:
        """Whether an environment, of a name that says nothing, stands behind a question."""
        known = name in WRAPPERS or role or name.rstrip("*") in STATED
        return not known and self.role == "problem" and self.depth == 0 and self.asked()

    def _problem(self, cursor: _Cursor) -> None:
        item = self.begin("environment")
        self._headed(item, self.option(cursor))
        groups = cursor.groups()
        if groups and cursor.rest():
            title = flat(groups[0].inside)
            self.spent += [flat(group.inside) for group in groups]
            item.title = item.title or (title[:200] if len(title) > 3 else "")
        elif groups:
            cursor.at = 0
        self._headed(item, self.option(cursor))
        self.write(cursor.rest())
        self.close()

    # what a problem is made of

    def _headed(self, item: TexItem, option: list[Node] | None) -> None:
        """Points or a title, as brackets behind a problem's opening say."""
        said = flat(option or []).strip()
        item.points = item.points or self._points(said)
        named = re.search(r"(?:title|name)\s*=\s*\{?([^{},]*)", said)
        if said and not item.points and ("=" not in said or named):
            item.title = item.title or (named[1] if named else self.aside(option or []))

    def _points(self, text: str) -> str:
        found = re.search(r"\bpoints?\s*=\s*\{?(\d+(?:\.\d+)?)", text)
        found = found or re.fullmatch(rf"(\d{{1,3}}(?:\.\d+)?)\s*(?:{POINTS})?", text, re.I)
        return found[1] if found else ""

    def _points_of(self, text: str) -> None:
        number = re.search(r"\d+(?:\.\d+)?", text)
        if self.item is not None and number and not self.item.parts:
            self.item.points = self.item.points or number[0]

    def _part(self, level: int, points: list[Node] | None) -> None:
        if self.now is not None and self.role != "problem" and self.depth == 0:
            self.role, self.out = "problem", self.now.texts["problem"]
        self.counts[level] += 1
        self.counts[level + 1 :] = [0] * (len(self.counts) - level - 1)
        number = self.counts[level]
        style = (LETTERS, _ROMAN, LETTERS.upper())[level - 1]
        label = style[number - 1] if number <= len(style) else str(number)
        if level == 1 and self.item is not None and self.role == "problem":
            self.item.parts.append(TexPart(str(number)))
        self.out.append(f"\n({label}) ")

    def _answer(self, name: str, cursor: _Cursor) -> None:
        r"""A blank with its answer; `\answer{...}` shows no blank."""
        argument = cursor.argument() if name in ("answer", "ans") else cursor.option()
        self.skip(cursor)
        said = self.aside(argument) if argument is not None else ""
        self.out.append({"fillin": BLANK, "paren": "(  )"}.get(name, ""))
        if self.now is None or not said or self.role != "problem":
            self.spent.append(said)
        elif name == "paren":
            self.now.item.letters += said
        else:
            self.now.holder.answers.append(said)

    def _options(self, cursor: _Cursor) -> None:
        """Each choice as an option, and whether it is right."""
        self._whole()
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
        self.spent.append(_seen(nodes[: starts[0]]))
        for start, end in zip(starts, [*starts[1:], len(nodes)], strict=True):
            body = _Cursor(nodes[start + 1 : end])
            label = flat(self.option(body) or [])
            right = RIGHT.search(f"{nodes[start].text} {label}")
            if label and not right and not re.fullmatch(r"\W*[A-Z]\W*", label):
                self.unread(f"\\item[{label}]")
            item.options.append(TexOption(self.aside(body.rest()), bool(right)))

    def _choices(self, groups: list[list[Node]]) -> None:
        r"""`\choice{a}{\True b}{c}{d}`: the groups are the options."""
        item = self.item
        if item is None or item.options:
            self.unread("choices outside of a problem" if item is None else "two sets of choices")
            self.spent += map(_seen, groups)
            return
        for group in groups:
            body = [n for n in group if n.kind != "command" or not RIGHT.search(n.text)]
            item.options.append(TexOption(self.aside(body), len(body) < len(group)))

    def _list(self, name: str, cursor: _Cursor) -> None:
        style = flat(self.option(cursor) or []) + self.roles.titles.get(name, "")
        own = self.roles.of(name) == "problem"
        opens = (self.opens.lists or own) and name not in ("itemize", "description")
        problems = self.item is None and opens and not self.told
        role, out, now = self.role, self.out, self.now
        self.depth += not problems
        count, row = 0, _Cursor(list(_unwrapped(cursor.rest())))
        for node in row:
            if not (node.kind == "command" and node.text in ITEMS):
                self.write_one(node, row)
                continue
            own_mark = row.option()
            count += 1
            if problems:
                self.spent.append(_seen(own_mark or []))
                self._headed(self.begin("list"), own_mark if _is_points(own_mark) else None)
                continue
            if self.role != role and self.now is now is not None:
                self.role, self.out = role, out
            mark = self._mark(name, style, count) if own_mark is None else self.aside(own_mark)
            self.out.append(f"\n{mark} ")
            if self.depth == 1 and name != "itemize" and self.role == "problem" and self.item:
                self.item.parts.append(TexPart(str(count)))
        if problems:
            self.close()
        else:
            self.depth -= 1
            if self.now is now is not None:
                self.role, self.out = role, out
            self.out.append("\n")

    def _mark(self, name: str, style: str, count: int) -> str:
        if name in ("itemize", "description"):
            return "-"
        if re.search(r"\\roman|(?<!\w)i(?!\w)", style) and count <= len(_ROMAN):
            return f"({_ROMAN[count - 1]})"
        plain = not style and (self.opens.lists or name == "tasks")
        letters = re.search(r"\\alph|(?<!\w)a(?!\w)", style) or plain
        return f"({LETTERS[count - 1]})" if letters and count <= 26 else f"({count})"


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
    item.text = _tidy(text).removesuffix("()").rstrip()  # in which an answer stood
    for number, own in enumerate(item.own, 1):
        own.text = _bare("".join(now.texts[f"own {number}"]))
    long = list[str]()
    for holder, pieces in now.said:
        answer = re.sub(r"\A\$\$([^$]+)\$\$\Z", r"$\1$", _bare("".join(pieces)))
        (holder.answers if _is_short(answer) else long).append(answer)
    now.said = []
    item.answers = [answer for answer in item.answers if answer]
    letters = [answer for answer in item.answers if _LETTERED.fullmatch(answer)]
    if item.options and letters and not item.letters:  # "Answer: B"
        item.letters, item.answers = letters[0], [a for a in item.answers if a not in letters]
    solution = _bare("".join(now.texts.get("solution", [])))
    item.solution = "\n\n".join(filter(None, (*long, solution)))
    item.hint = _bare("".join(now.texts.get("hint", [])))
    return marks


def _by_place(items: list[TexItem]) -> None:
    """The roles of what authors set apart by names that say none: by their places, or in doubt.

    What ends several problems, behind a question, and asks nothing there solves them; all else
    stays in the question. Either is told.
    """
    uses = defaultdict[str, list[tuple[TexItem, str, Own]]](list)
    for item in items:
        for number, own in enumerate(item.own):
            mark = f"{APART}{number}{APART}"
            behind = _SET_APART.sub("", item.text.partition(mark)[2]).strip()
            own.asks |= bool(behind or re.search("[?？]", own.text))
            uses[own.name].append((item, mark, own))
    for name, found in uses.items():
        code = any(own.unread or _CODE.search(own.text) for *_, own in found)
        several = len({own.text for *_, own in found}) > 1
        solves = several and not code and not any(own.asks for *_, own in found)
        for item, mark, own in found:
            stays = own.label and f"\n\n{own.label} {own.text}"
            item.text = _tidy(item.text.replace(mark, "" if solves else stays or own.text))
            if solves:
                item.solution = "\n\n".join(filter(None, (item.solution, own.text)))
            else:
                item.unread += [name] if name.startswith("\\") else own.unread
            if own.text:
                what = "the solution" if solves else "part of the question"
                item.doubts.append(f"{name!r} says no role; it is read as {what}")


def _answered(item: TexItem, entry: TexItem) -> None:
    """What a key says of a problem."""
    text = entry.text
    if text and _is_short(text) and not item.answers:
        if item.options and _LETTERED.fullmatch(text):
            item.letters = item.letters or text
        elif not any(part.answers for part in item.parts):
            item.answers.append(_bare(text))
        text = ""
    item.answers += entry.answers
    item.solution = "\n\n".join(filter(None, (item.solution, text, entry.solution)))
    item.lost += entry.unread + entry.lost


def _is_short(answer: str) -> bool:
    return len(answer) <= SHORT_ANSWER and "\n" not in answer


def _bare(text: str) -> str:
    return re.sub(r"\A[\s:：.．]+", "", _tidy(text))


def _tidy(text: str) -> str:
    """Single blanks, lines without blanks at their ends, at most one empty line."""
    lines = [_WIDE_GAP.sub("", " ".join(line.split())) for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
