r"""The problems of a LaTeX source: what its commands, environments and labels say, nothing guessed.

One walk writes the text and turns, wherever a label, a macro or an environment says so, to the
problem's solution, answer, hint or points, and back. A problem with a command that is not
understood is marked with its name, and never put out with a hole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, zip_longest
from typing import Literal, cast

import msgspec

from ...words import Meaning, in_order, own_name
from ..conservation import held_in, lost
from . import vocabulary as known
from .items import (
    BLANK,
    PICTURE,
    RIGHT,
    SAYS_POINTS,
    Open,
    TexExam,
    TexItem,
    TexOption,
    TexPart,
    blanks_in,
    tidy,
    typeset,
)
from .nodes import LETTERS, ROMAN, Node, Roles, at_line_start, entries, flat, words_of
from .outline import Outline, outlined, template
from .quizzes import requizzed
from .roles import Role, line_marks, of_definition, of_label, of_name
from .source import Source
from .tree import maths, parsed

_TITLED = re.compile(
    r"(?<![^\W\d_])[^\W\d_]{3}[^\s(]*[\s(]|^[^\W\d_]{4,}$"
)  # words, and no id
_SIGN = re.compile(r"\W?(?P<sign>[a-h]|[ivx]{1,4}|(?<=\()\d{1,2})\)[.:]?")
_MOST_LED = 9  # arguments of an environment, as TeX has it
_TURNS = ("solution", "answer", "hint")  # roles that go on to the next
INSTRUCTION = 400  # characters: more is a chapter's prose
PAREN = "(  )"
_STYLES = (LETTERS, ROMAN, LETTERS.upper())  # of parts, by their depth
Place = Role | Literal["own"]


def _unframed(nodes: list[Node]) -> list[Node]:
    """What stands behind the mark of an option, without the commands that close it."""
    return [n for n in nodes if n.kind != "command" or n.given or n.plain[:1] != "e"]


def read_exam_source(source: Source, whole: bool = False) -> TexExam:
    """The problems of a document; `whole`: it is one.

    Raises UserError for more than 80 groups inside each other.
    """
    nodes = requizzed(parsed(source.body))
    walk = _Walk(nodes, Roles(source.titles, source.counts), whole)
    walk.write(nodes)
    walk.close()
    exam = walk.exam
    exam.settle(walk.key, walk.instructions)
    said = of_definition(source.title.replace("_", " "))
    if said in ("solution", "answer") and not any(
        item.is_answered for item in exam.items
    ):
        for item in exam.items:
            item.doubts.append(
                f"its document calls itself {said}s: is this a question?"
            )
    kept = [
        held.text.replace(PICTURE, " ")
        for held in held_in(msgspec.to_builtins(exam), "")
    ]
    if missed := lost(words_of(nodes), [*kept, *walk.spent]):
        exam.issues.append(f"lost-text: {missed}")
    return exam


class _Walk:
    """One walk over a document: `now` is the problem that is open, `out` where its text goes."""

    def __init__(self, nodes: list[Node], roles: Roles, whole: bool = False) -> None:
        self.exam, self.key = TexExam(), list[TexItem]()
        self.roles = roles
        self.opens = Outline(whole=True) if whole else outlined(nodes, roles)
        self.now: Open | None = None
        self.last: Open | None = None  # an item that was just closed
        self.role: Place = "problem"
        self.out: list[str] = []
        self.section = self.instruction = ""
        self.number = 0  # of the last problem that counts in plain text
        self.key_level = 0  # of the heading of a key
        self.by_number: dict[int, Open] = {}  # problems by what their heads count
        self.in_key = False  # behind a heading like "Solutions"
        self.depth = self.cells = 0  # of lists in the problem; of tables
        self.told = 0  # inside what is stated or proved, and asks nothing
        self.stated = (
            False  # whether the prose since the last problem holds such things
        )
        self.instructions: list[str] = []
        self.spent: list[
            str
        ] = []  # what is read and not written: labels, settings, headings
        self.counts = [0, 0, 0, 0]
        self.labels, self.refers = set[str](), set[str]()
        if self.opens.whole:
            self.begin()

    @property
    def item(self) -> TexItem | None:
        return self.now.item if self.now else None

    @property
    def asks(self) -> bool:
        """Whether a question goes on here."""
        return self.now is not None and self.role == "problem" and self.now.asked

    # what is open

    def begin(self, opener: str = "") -> TexItem:
        after = opener == "environment" and self.last is not None
        self.close(
            opening=not after
        )  # behind a problem that closed, prose is a remark on it
        item = TexItem(section=self.section, instruction=self.instruction)
        self.now, self.last = Open(item, opener), None
        self.out = self.now.place("problem")
        self.depth, self.counts = 0, [0, 0, 0, 0]
        return item

    def close(self, opening: bool = False) -> None:
        """The open problem ends; prose outside of one may instruct those that open next."""
        if self.now is None:
            self._outside(tidy("".join(self.out)), opening)
        else:
            item = self.now.item
            self.spent += self.now.filled()
            named = {name.strip() for name in self.refers} - self.labels
            item.outside += sorted(named - set(item.outside))
            again = any(item is one for one in self.exam.items)
            if self.in_key and not again:
                self.key.append(item)
            elif not again:
                self.exam.items.append(item)
            self.last, self.now = self.now, None
        self.role, self.out = "problem", []
        self.labels, self.refers = set(), set()

    def _outside(self, text: str, opening: bool) -> None:
        before, _, last = text.rpartition("\n\n")
        told = not opening or self.in_key or self.stated or len(last) > INSTRUCTION
        if not told and re.search(r"[^\W\d_]", last):
            self.instruction, text = last, before
            self.instructions.append(last)
        self.stated = False
        self.exam.outside += [text] * bool(text)

    def turn(self, role: Place, name: str = "", label: str = "") -> None:
        """What follows is of this role: of the open problem, or of the one that just closed."""
        if role == "problem":
            self.begin()
            return
        if self.now is None and self.last is not None and not tidy("".join(self.out)):
            self.now = self.last
        if role == "points":
            self._points_of(name)
        elif self.now is None:
            self.out.append("\n\n")
        else:
            self.role, self.out = role, self.now.place(role, name, label)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What is written inside leaves the text around it where it was."""
        role = self.role
        out = self.out
        now = self.now
        yield
        if self.now is now:
            self.role, self.out = role, out

    def aside(self, nodes: list[Node]) -> str:
        """The text of nodes that does not stand in the text around them."""
        out, self.out = self.out, []
        self.write(nodes)
        text, self.out = tidy("".join(self.out)), out
        return text

    def answer(self, nodes: list[Node]) -> str:
        """The text of an answer; one that prose cannot read stands in a formula in its macro."""
        item = self.item or TexItem()
        before = (*item.unread,), (*item.lost,)
        text = self.aside(nodes)
        if before == ((*item.unread,), (*item.lost,)) or "$" in text:
            return text
        item.unread, item.lost = map(list, before)
        return f"${maths(flat(nodes))}$"

    def unread(self, what: str) -> None:
        item = self.item
        names = (
            self.exam.issues
            if item is None
            else item.own[-1].unread
            if self.role == "own"
            else item.unread
            if self.role == "problem"
            else item.lost
        )
        if item is None or what not in names:
            names.append(what)

    def spend(self, nodes: list[Node] | None) -> None:
        """What is read, and not written."""
        self.spent.append(words_of(nodes or []))

    # nodes

    def write(self, nodes: list[Node]) -> None:
        for k, node in enumerate(nodes):
            if not self._label(nodes, k):
                self._one(node)

    def _one(self, node: Node) -> None:
        if node.kind == "text":
            self._text(node.text)
        elif node.kind == "sign":
            self.out.append(node.text)
        elif node.kind == "formula":
            self.out.append(f"${self._formula(node.text)}$" if node.text else "")
        elif node.kind == "display":
            self.out.append(f"\n$${self._formula(node.text)}$$\n")
        elif node.kind == "broken":
            self.unread(node.text)
        else:
            self.spend(node.option)
            if node.kind == "command":
                self.command(node)
                return
            self.spend([*chain(*node.given)])
            if node.kind == "environment":
                self.environment(node)
            else:
                with self.scope():
                    self.write(node.inside)

    def _formula(self, tex: str) -> str:
        if self.now is None:
            return tex
        shown, answers = blanks_in(tex, self.role == "problem")
        self.now.holder.answers += answers
        self.spent.append(tex if shown != tex else "")
        return shown

    def _text(self, text: str) -> None:
        """Text, which at its lines' starts may turn to a role ("Answer: 5"), or count ("7. ")."""
        if text == "&":
            self.out.append(" | " if self.cells else "&")
            return
        at = 0
        for start, end, said in line_marks(text):
            counts = self.opens.numbers and said == str(self.number + 1)
            before = "".join(self.out[-3:])
            fresh = start > 0 or "\n" in before[-2:] or not before.strip()
            known_role = (
                not said.isdigit() and self.cells == 0 and (self.now or self.last)
            )
            if fresh and said.endswith(")"):
                self.out.append(typeset(text[at:start]))
                if self._signed(said.strip()):
                    at = end
                else:
                    self.out.pop()
                continue
            if fresh and (counts or known_role):
                self.out.append(typeset(text[at:start]))
                self.spent.append(text[start:end])
                self.number += bool(counts)
                at = end
                role = "problem" if counts else of_label(said)
                if role:
                    self.turn(role, said)
        self.out.append(typeset(text[at:]))

    # labels

    def _label(self, nodes: list[Node], k: int) -> bool:
        """Take words that are set apart and say what follows: "Problem 3.", "Solution:"."""
        node = nodes[k]
        label = nodes[k].label
        if not label or self.cells:
            return False
        if node.kind == "command" and self._said(node.held):
            return True
        if at_line_start(nodes, k) and self._signed(label):
            return True
        behind = "".join(n.text for n in nodes[k + 1 : k + 2] if n.kind == "text")
        first = at_line_start(nodes, k)
        role = of_label(label)
        marked = label[-1] in ".:：】)]" or re.match(r"\s*[:：.\d]", behind)
        ends = tidy("".join(self.out[-3:]))[-1:] in ".?!。？！$)"
        if template(label) in self.opens.labels and first:
            role = "problem"
        else:
            free = role == "problem" or self.now is self.last is None
            if free or not (first or (marked and ends)):
                return False
        words = template(label).split()
        if (
            role is None
            and not (  # a heading behind a question, and no word of a sentence
                first
                and (label[-1] in ".:：】" or re.match(r"\s*[:：]", behind))
                and 0 < len(words) < 4
                and "#" not in words
                and len(words[0]) > 2
                and self.role in ("problem", "own")
                and not known.STATED & {*words}
                and self.now
                and self.now.asked
            )
        ):
            return False
        self.spent.append(label)
        self.turn(role or "own", label if role else template(label), label)
        return True

    def _said(self, nodes: list[Node]) -> bool:
        """Take words that say their role themselves: "Answer: 5"."""
        first = nodes[0].text.lstrip() if nodes and nodes[0].kind == "text" else ""
        start, end, label = next(line_marks(first), (1, 0, ""))
        role = of_label(label) if start == 0 else None
        alone = (
            not first[end:].strip() and len(nodes) == 1
        )  # a label of what stands behind it
        if role is None or alone or self.now is None or self.role != "problem":
            return False
        self.spent.append(label)
        self._held(role, [Node("text", first[end:]), *nodes[1:]])
        return True

    # commands

    def command(self, node: Node) -> None:
        name = node.text
        plain = node.plain
        role = of_name(plain)
        own = own_name(plain)
        if plain in self.opens.titles:
            self.close()
            self.section = self.aside(node.held)
            self.spent.append(self.section)
        elif node.opens and not self._nested() and not (own and self.opens.whole):
            self._question(node, own)
        elif own is not None:
            self._own(own, node.given, name)
        elif name in known.PARTS and self.item is not None:
            self._part(known.PARTS[name])
            self.write(node.held)
        elif plain in known.HEADINGS:
            self._heading(node)
        elif name in known.INSTRUCTIONS:
            self.close()
            self.instruction = self.aside(node.held)
        elif name in ("fillin", "answerline", "answer", "ans", "paren"):
            blank = {"fillin": BLANK, "paren": PAREN}.get(name, "")
            self.fill(self.answer(node.held or node.option or []), blank)
        elif name == "includegraphics":
            self.out.append(
                PICTURE + self.aside(node.held).replace(r"\_", "_") + PICTURE
            )
        elif name == "@missing":  # it loses itself alone; whatever it stands in is told
            asked, why = map(flat, node.given)
            self.exam.issues.append(rf"\input{{{asked}}}: {why}")
            if self.item is not None:
                self.item.outside.append(rf"\input{{{asked}}}")
        elif plain in known.PAGES and self.now is None:
            self.close()  # prose above governs nothing below
        elif plain in known.SILENT or plain in known.SIZES:
            self.spend(node.held)
            self.labels |= {flat(node.held).strip()} if name == "label" else set()
        elif name in ("underline", "uline"):
            self._underlined(node)
        elif plain in known.TRANSPARENT:
            self.write(node.held)
        elif name == "@refers":
            label, printed = node.given
            self.refers.update(flat(label).split(","))
            self.spend(label)
            self.write(printed)
        elif plain == "cite":
            self.out.append(f"[{flat(node.held)}]")
        elif plain in known.NOTES:
            if SAYS_POINTS.search(words_of(node.held).strip()):
                self._held("points", node.held)
            elif not self._said(node.held):
                self.out.append(f" ({self.aside(node.held)})")
        elif node.is_options:
            self._choices(node.given, judged=plain.endswith("TF"))
        elif (
            role not in (None, "problem") and node.given
        ):  # `\hint{...}` holds what its name says
            self._held(role, node.held)
        elif role not in (None, "problem"):
            if self.now or self.last:
                self.turn(role)
        elif self.item is not None and node.is_choice and len(node.given) == 1:
            self.spend(node.option)  # \choice[!]{5}
            said = f"{name} {flat(node.option or [])}"
            self._option(self.item, said, node.held)
        elif self.asks and node.given:
            self._held("own", node.held, rf"\{name}")
        elif self.now is None and self.opens.inside(node.held):
            self.exam.issues.append(rf"\{name}")
            self.write(node.held)
        elif self.now is None:
            held = flat([Node("group", "", group) for group in node.given])
            self.unread(f"\\{name}{held[:80]}")
            self.exam.outside += [held] * (len(held) > 80)
            self.spend(node.held)
        else:
            self.unread(f"\\{name}")
            self.write(node.held)

    def _nested(self) -> bool:
        """In a problem's environment or list, a proof or a theorem nothing opens a problem."""
        held = self.now is not None and (
            self.role != "problem" or bool(self.now.opener)
        )
        return held or self.told > 0

    def _own(self, own: Meaning, groups: list[list[Node]], name: str) -> None:
        """What the source says of a command: its arguments, or what follows, are that."""
        if not groups and own.role == "part":
            self._give(own.role, [])
        elif not groups and (self.now or self.last) and own.role in _TURNS:
            self.turn(cast(Place, own.role), name)
        roles = own.arguments or (own.role,)
        for role, group in zip_longest(roles, groups):
            if group is not None:
                self._give(role or own.role, group)

    def _give(self, role: str, nodes: list[Node]) -> None:
        """Text of a role that the source says."""
        item = self.item
        if role == "problem":
            self.write(nodes)
        elif role == "part":
            if not self.depth:
                self._part(1)
            self.write(nodes)
        elif role in (*_TURNS, "points"):
            self._held(cast(Place, role), nodes)
        elif role == "instruction":
            self.instruction = self.aside(nodes)
        elif role == "section" and item is None:
            self.section = self.aside(nodes)
        elif item is None or role == "outside":
            self.spend(nodes)
        elif role in ("option", "right", "wrong"):
            self._option(item, "right" if role == "right" else "", nodes)
        elif role in ("title", "section"):
            setattr(item, role, getattr(item, role) or self.aside(nodes))
        else:
            text = self.aside(nodes)
            self.spent.append(text)
            item.labels |= {role.removeprefix("labels."): text} if text else {}

    def _question(self, node: Node, own: Meaning | None = None) -> None:
        item = self.begin()
        groups = [*node.given]
        if own is not None and own.arguments:
            self._headed(item, node.option)
            self._own(own, groups, node.text)
            return
        if "titled" in node.text and groups:
            item.title = self.aside(groups.pop(0))
        self._headed(item, node.option)
        while groups and re.fullmatch(r"[\w:.\-]{0,40}", flat(groups[0]).strip()):
            self.spend(groups.pop(0))  # a label or a number
        for k, group in enumerate(groups):
            if k:
                self.turn("solution")
            self.write(group)
        if len(groups) > 1:
            self.close()

    def _heading(self, node: Node) -> None:
        is_key = id(node) in self.opens.keys
        held, self.now = self.now, None
        text = self.aside(node.held)
        self.now = held
        self.spent.append(text)
        role = of_label(text)
        if self._numbered_above(role, text):
            self.turn(cast(Place, role))
        elif template(text) in self.opens.labels:
            self.begin()
            if numbered := re.search(r"\d{1,4}", text):
                self.by_number.setdefault(int(numbered[0]), cast(Open, self.now))
        elif (
            self.in_key
            and role in ("solution", "answer")
            and node.level > self.key_level
        ):
            self.begin()
            self.turn(role)
        elif (
            role in ("solution", "answer", "hint")
            and (self.now or self.last)
            and not is_key
        ):
            self.turn(role)
        elif self.opens.whole and self.item is not None:
            if tidy("".join(self.out)):
                self.out.append(f"\n\n{text}\n\n")
            else:
                self.item.section = text
        else:
            self.close()
            if is_key:
                self.in_key, self.key_level = True, node.level
            elif node.level <= self.key_level:
                self.in_key = False
            if not self.in_key:
                self.section, self.instruction, self.last = text, "", None

    def _signed(self, text: str) -> bool:
        """Take the sign of a part that stands at the start of a line: `a)`, `(ii)`."""
        match = _SIGN.fullmatch(text)
        item = self.item
        if match is None or item is None or self.depth or self.cells or self.counts[1]:
            return False
        sign = match["sign"]
        signs = [part.sign for part in item.parts]
        if not all(signs) or not in_order([*signs, sign]):
            return False
        if self.now is not None and self.role != "problem":
            self.role, self.out = "problem", self.now.texts["problem"]
        item.parts.append(TexPart(str(len(signs) + 1), sign=sign))
        self.out.append(f"\n\n{text.strip()} ")
        return True

    def _part(self, depth: int) -> None:
        if self.now is not None and self.role != "problem" and self.depth == 0:
            self.role, self.out = "problem", self.now.texts["problem"]
        self.counts[depth] += 1
        self.counts[depth + 1 :] = [0] * (len(self.counts) - depth - 1)
        number = self.counts[depth]
        style = _STYLES[depth - 1]
        if depth == 1 and self.item is not None and self.role == "problem":
            self.item.parts.append(TexPart(str(number)))
        self.out.append(f"\n({style[number - 1] if number <= len(style) else number}) ")

    def fill(self, said: str, blank: str) -> None:
        """A blank, and the answer that its author gives."""
        self.out.append(blank)
        if self.now is None or not said or self.role != "problem":
            self.spent.append(said)
        elif blank == PAREN:
            self.now.item.letters += said
        else:
            self.now.holder.answers.append(said)

    def _underlined(self, node: Node) -> None:
        """A line with nothing on it, or with an answer in its middle, is a blank."""
        text = self.aside(node.held)
        padded = all(
            any(n.text == "hspace" or (n.kind == "sign" and n.text == " ") for n in end)
            for end in (node.held[:2], node.held[-2:])
        )
        if text and not (padded and self.now and self.role == "problem"):
            self.out.append(text)
        else:
            self.fill(text, BLANK)

    # environments

    def environment(self, node: Node) -> None:
        name = node.text
        means = self.roles.means(node)
        opens = self.opens.opened_by(node)
        own = own_name(name)
        if own and own.role != "problem" and means not in ("outside", "options"):
            given, rest = node.led_by(len(own.arguments))
            self._own(own, [[group] for group in given], name)
            self._give(own.role, rest)
        elif opens and not self._nested():
            self._problem(node)
        elif self.now is None and self.opens.inside(node.inside):
            self.write(node.inside)
        elif means == "outside":
            self.spend(node.inside)
        elif means in ("solution", "answer", "hint", "points"):
            given, rest = node.led  # an author, a title
            self.spent.append(flat(given))
            self._held(means, rest)
        elif self.item is not None and (
            means == "options" or (name == "tasks" and self._asks())
        ):
            self._options(node)
        elif node.items:
            self._list(node)
        elif means == "table":
            self.cells += 1
            self._block(node, "\n")
            self.cells -= 1
        elif means == "own" and self.asks and not self.depth:
            shown = name if name in self.roles.titles else rf"\begin{{{name}}}"
            self._held("own", node.inside, shown)
        elif means == "problem" or name in self.roles.titles:
            before = self.now
            with self.scope():
                self.write(node.inside)
            if before is None and means == "problem":
                self.close()
        elif means == "stated":
            self.stated = True
            self.told += self.now is None
            self._block(node, "\n\n")
            self.told = 0
        else:
            self.unread(rf"\begin{{{name}}}")
            self.spend(node.inside)

    def _block(self, node: Node, apart: str) -> None:
        self.out.append(apart)
        with self.scope():
            self.write(node.inside)
        self.out.append(apart)

    def _asks(self) -> bool:
        """Whether the text so far asks, or leaves a place for a letter: what lists are options."""
        return (
            re.search(r"[?？]\s*\Z|[(（]\s*[)）]\W*\Z", "".join(self.out)) is not None
        )

    def _problem(self, node: Node) -> None:
        item = self.begin("environment")
        for option in node.given:
            self._headed(item, option)
        own = own_name(node.text)
        count = len(own.arguments) if own else self.roles.counts.get(node.text, 0)
        given, rest = node.led_by(count) if count else node.led
        if not count and len(more := node.led_by(_MOST_LED)[0]) > len(given):
            held = (flat(group.inside).strip() for group in more)
            kinds = ", ".join("words" if _TITLED.search(one) else "id" for one in held)
            item.doubts.append(f"groups-in-text: {node.text} begins with {kinds}")
        self.spent.append(flat(given))
        if own and own.arguments:
            self._own(own, [group.inside for group in given], node.text)
        else:
            titles = (flat(group.inside).strip() for group in given)
            title = next((one for one in titles if _TITLED.search(one)), "")
            item.title = item.title or title[:200]
        self.write(rest)
        self.close()

    def _held(self, role: Place, nodes: list[Node], name: str = "") -> None:
        """Text of a role that ends with what holds it."""
        if role == "points":
            self.spend(nodes)
            self._points_of(flat(nodes))
            return
        alone = self.now is None
        if alone and (self.last is None or self.in_key or tidy("".join(self.out))):
            if not self.in_key:
                self.unread(f"a {role} outside of a problem")
                self.told += 1
                self.exam.outside.append(self.aside(nodes))
                self.told -= 1
                return
            self.begin()
        depth = self.depth
        counts = self.counts
        with self.scope():
            self.turn(role, name)
            self.depth, self.counts = 1, [0, 0, 0, 0]
            if role == "answer":
                self.out.append(self.answer(nodes))
            else:
                self.write(nodes)
        self.depth, self.counts = depth, counts
        if alone:
            self.close()

    # what a problem is made of

    def _headed(self, item: TexItem, option: list[Node] | None) -> None:
        """Points or a title, as brackets behind a problem's opening say."""
        said = flat(option or []).strip()
        if points := SAYS_POINTS.search(said):
            item.points = item.points or points["set"] or points["bare"]
        if (
            said[-1:] in (".", ":", "?") and len(said.split()) > 2
        ):  # it asks, and is no title
            self.out.append(f"{self.aside(option or [])}\n\n")
            return
        named = re.search(r"(?:title|name)\s*=\s*\{?([^{},]*)", said)
        if said and not item.points and ("=" not in said or named):
            item.title = item.title or (named[1] if named else self.aside(option or []))

    def _points_of(self, text: str) -> None:
        number = re.search(r"\d+(?:\.\d+)?", text)
        if self.item is not None and number and not self.item.parts:
            self.item.points = self.item.points or number[0]

    def _options(self, node: Node) -> None:
        """Each choice as an option, and whether it is right."""
        if (
            self.role == "own" and self.now
        ):  # the question goes on behind what was set apart
            self.now.item.own[-1].asks = True
            self.role, self.out = "problem", self.now.texts["problem"]
        item = self.item
        if item is None or self.role != "problem":
            self.write(node.inside)
            return
        if item.options or item.parts:
            self.unread("several lists of choices")
        named = node.items or any(n.is_choice for n in node.inside)
        marks = frozenset[str]() if named else node.marks
        before, choices = entries(
            node.inside, lambda n: n.text in marks if marks else n.is_choice
        )
        if not choices or flat(before).strip(" \n(){}0123456789"):
            self.unread("text before the first choice")
        self.spend(before)
        for mark, body in choices:
            self.spend(mark.option)
            if marks:
                said = f"{mark.text} {flat(mark.option or [])}"
                self._option(item, said, [*mark.held, *_unframed(body)])
                continue
            label = flat(mark.option or [])
            if (
                label
                and not RIGHT.search(label)
                and not re.fullmatch(r"\W*[A-Z]\W*", label)
            ):
                self.unread(rf"\item[{label}]")
            self._option(item, f"{mark.text} {label}", [*mark.held, *body])

    def _numbered_above(self, role: Role | None, text: str) -> bool:
        """Go back to the problem whose number a head names: "Solution to Problem 3"."""
        named = re.search(r"(\d{1,4})\W*\Z", text)
        asked = self.by_number.get(int(named[1])) if named else None
        if (
            role in _TURNS
            and asked is not None
            and asked is not (self.now or self.last)
        ):
            self.close()
            self.now = asked
            return True
        return False

    def _choices(self, groups: list[list[Node]], judged: bool = False) -> None:
        r"""`\choice{a}{\True b}{c}{d}`: the groups are the options, or `judged` one by one."""
        item = self.item
        if judged and item is not None and not item.options:
            for group in groups:
                self._statement(item, group)
            return
        if item is None or item.options:
            self.unread(
                "choices outside of a problem"
                if item is None
                else "two sets of choices"
            )
            self.spent += map(words_of, groups)
            return
        for group in groups:
            self._option(item, "", group)

    def _statement(self, item: TexItem, nodes: list[Node]) -> None:
        """A part that is true or false, as a command in it says."""
        body = [n for n in nodes if n.kind != "command" or not RIGHT.search(n.text)]
        self._part(1)
        self.write(body)
        if item.parts:
            item.parts[-1].answers.append(str(len(body) < len(nodes)).lower())

    def _option(self, item: TexItem, said: str, nodes: list[Node]) -> None:
        """One more option; its mark, or a command in it, says whether it is right."""
        body = [n for n in nodes if n.kind != "command" or not RIGHT.search(n.text)]
        text = self.aside(body)
        right = len(body) < len(nodes) or RIGHT.search(said)
        item.options.append(TexOption(text, bool(right)))
        self.spent.append(text.removesuffix(item.options[-1].text))

    def _list(self, node: Node) -> None:
        named = node.text in ("itemize", "description")
        opens = not named and (
            self.opens.lists or self.roles.of(node.text) == "problem"
        )
        if opens and self.item is None and not self.told:
            self._problems(node)
            return
        self.depth += 1
        before, items = entries(node.inside, lambda n: n.is_item)
        self.write(before)
        for count, (mark, body) in enumerate(items, 1):
            with self.scope():
                shown = (
                    self.aside(mark.option)
                    if mark.option is not None
                    else (
                        "-"
                        if named
                        else self.roles.count(node, count, self.opens.lists)
                    )
                )
                self.out.append(f"\n{shown} ")
                part = (
                    self.depth == 1
                    and node.text != "itemize"
                    and self.role == "problem"
                )
                if part and self.item:
                    self.item.parts.append(TexPart(str(count)))
                self.write(body)
        self.depth -= 1
        self.out.append("\n")

    def _problems(self, node: Node) -> None:
        """A list whose items are problems."""
        before, items = entries(node.inside, lambda n: n.is_item)
        self.write(before)
        for mark, body in items:
            self.spend(mark.option)
            points = SAYS_POINTS.search(flat(mark.option or []).strip())
            self._headed(self.begin("list"), mark.option if points else None)
            self.write(body)
        self.close()
