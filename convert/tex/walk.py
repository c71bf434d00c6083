r"""The problems of a LaTeX source: what its commands, environments and labels say, nothing guessed.

One walk writes the text and turns, wherever a label, a macro or an environment says so, to the
problem's solution, answer, hint or points, and back. A problem with a command that is not
understood is marked with its name, and never put out with a hole.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import cast

import msgspec

from ...words import Meaning, own_name
from ..conservation import held_in, lost
from . import vocabulary as known
from .content import PAREN, TURNS, Content
from .items import (
    BLANK,
    PICTURE,
    SAYS_POINTS,
    Open,
    TexExam,
    TexPart,
    blanks_in,
    tidy,
    typeset,
)
from .nodes import Node, Roles, at_line_start, entries, flat, words_of
from .opened import SIGNS_OF_PROSE, Place
from .outline import template
from .quizzes import requizzed
from .roles import Role, line_marks, of_definition, of_label, of_name
from .source import Source
from .tree import parsed

_TITLED = re.compile(
    r"(?<![^\W\d_])[^\W\d_]{3}[^\s(]*[\s(]|^[^\W\d_]{4,}$"
)  # words, and no id
_MOST_LED = 9  # arguments of an environment, as TeX has it


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


def _is_head(nodes: list[Node]) -> bool:
    """Whether a heading, or words that are set apart, stand alone."""
    shown = [n for n in nodes if n.kind not in ("text", "sign") or n.text.strip()]
    return len(shown) == 1 and (shown[0].level > 0 or bool(shown[0].label))


class _Walk(Content):
    """One walk over a document."""

    # what is open

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
            if not self._said_in_formula(node.text):
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
            elif _is_head(node.inside):  # centred, it still heads what follows
                self.write(node.inside)
            else:
                with self.scope():
                    self.write(node.inside)

    def _said_in_formula(self, tex: str) -> bool:
        """Take a formula that says its role in words: `$Answer: 65^\\circ$`."""
        start, end, label = next(line_marks(tex), (1, 0, ""))
        role = of_label(label) if start == 0 and not label.isdigit() else None
        if role is None or self.now is None or self.cells:
            return False
        self.spent.append(label)
        self.held(role, [Node("formula", tex[end:].strip())])
        return True

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
                if self.signed(said.strip()):
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
        if at_line_start(nodes, k) and self.signed(label):
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
        self.held(role, [Node("text", first[end:]), *nodes[1:]])
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
            self.own(own, node.given, name)
        elif name in known.PARTS and self.item is not None:
            self.part(known.PARTS[name])
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
            self.spent.append(asked)
            kind = "begin" if why.startswith("a program") else "input"
            self.exam.issues.append(rf"\{kind}{{{asked}}}: {why}")
            if self.item is not None:
                self.item.outside.append(rf"\{kind}{{{asked}}}")
        elif plain in known.PAGES and self.now is None:
            self.close()  # prose above governs nothing below
        elif plain in known.SILENT or plain in known.SIZES:
            self.spend(node.held)
            self.labels |= {flat(node.held).strip()} if name == "label" else set()
        elif name in ("underline", "uline"):
            self.underlined(node)
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
                self.held("points", node.held)
            elif not self._said(node.held):
                self.out.append(f" ({self.aside(node.held)})")
        elif node.is_options:
            self.choices(node.given, judged=plain.endswith("TF"))
        elif (
            name in SIGNS_OF_PROSE
        ):  # TeX sets it, too, though it stands outside of dollars
            self.out.append(f"$\\{name}$ ")
            self.write(node.held)
        elif (
            role not in (None, "problem") and node.given
        ):  # `\hint{...}` holds what its name says
            self.held(role, node.held)
        elif role not in (None, "problem"):
            if self.now or self.last:
                self.turn(role)
        elif self.item is not None and node.is_choice and len(node.given) == 1:
            self.spend(node.option)  # \choice[!]{5}
            said = f"{name} {flat(node.option or [])}"
            self.option(self.item, said, node.held)
        elif self.asks and node.given:
            self.held("own", node.held, rf"\{name}")
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

    def _question(self, node: Node, own: Meaning | None = None) -> None:
        item = self.begin()
        groups = [*node.given]
        if own is not None and own.arguments:
            self.headed(item, node.option)
            self.own(own, groups, node.text)
            return
        if "titled" in node.text and groups:
            item.title = self.aside(groups.pop(0))
        self.headed(item, node.option)
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
        held = self.now, self.last
        self.now = self.last = None  # words of a heading turn nothing by themselves
        text = self.aside(node.held)
        self.now, self.last = held
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

    # environments

    def environment(self, node: Node) -> None:
        name = node.text
        means = self.roles.means(node)
        opens = self.opens.opened_by(node)
        own = own_name(name)
        if own and own.role != "problem" and means not in ("outside", "options"):
            given, rest = node.led_by(len(own.arguments))
            self.own(own, [[group] for group in given], name)
            self.give(own.role, rest)
        elif opens and not self._nested():
            self._problem(node)
        elif self.now is None and self.opens.inside(node.inside):
            self.write(node.inside)
        elif means == "outside":
            self.spend(node.inside)
        elif means in ("solution", "answer", "hint", "points"):
            given, rest = node.led  # an author, a title
            self.spent.append(flat(given))
            self.held(means, rest)
        elif self.item is not None and (
            means == "options" or (name == "tasks" and self._asks())
        ):
            self.options(node)
        elif node.items:
            self._list(node)
        elif means == "table":
            self.cells += 1
            self._block(node, "\n")
            self.cells -= 1
        elif means == "own" and self.asks and not self.depth:
            shown = name if name in self.roles.titles else rf"\begin{{{name}}}"
            self.held("own", node.inside, shown)
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
            self.headed(item, option)
        own = own_name(node.text)
        count = len(own.arguments) if own else self.roles.counts.get(node.text, 0)
        given, rest = node.led_by(count) if count else node.led
        if not count and len(more := node.led_by(_MOST_LED)[0]) > len(given):
            held = (flat(group.inside).strip() for group in more)
            kinds = ", ".join("words" if _TITLED.search(one) else "id" for one in held)
            item.doubts.append(f"groups-in-text: {node.text} begins with {kinds}")
        self.spent.append(flat(given))
        if own and own.arguments:
            self.own(own, [group.inside for group in given], node.text)
        else:
            titles = (flat(group.inside).strip() for group in given)
            title = next((one for one in titles if _TITLED.search(one)), "")
            item.title = item.title or title[:200]
        self.write(rest)
        self.close()

    # what a problem is made of

    def _numbered_above(self, role: Role | None, text: str) -> bool:
        """Go back to the problem whose number a head names: "Solution to Problem 3"."""
        named = re.search(r"(\d{1,4})\W*\Z", text)
        asked = self.by_number.get(int(named[1])) if named else None
        if role in TURNS and asked is not None and asked is not (self.now or self.last):
            self.close()
            self.now = asked
            return True
        return False

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
            self.headed(self.begin("list"), mark.option if points else None)
            self.write(body)
        self.close()
