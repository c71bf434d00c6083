"""What a problem is made of: its parts, options, blanks, and texts of other roles."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import cast

from ...words import Meaning, in_order
from .items import (
    BLANK,
    RIGHT,
    SAYS_POINTS,
    TexItem,
    TexOption,
    TexPart,
    tidy,
)
from .nodes import LETTERS, ROMAN, Node, entries, flat, words_of
from .opened import Opened, Place

_SIGN = re.compile(r"\W?(?P<sign>[a-h]|[ivx]{1,4}|(?<=\()\d{1,2})\)[.:]?")
_SETTINGS = re.compile(r"\A\s*\[[^\[\]]*\]")  # of an environment of options
TURNS = ("solution", "answer", "hint")  # roles that go on to the next
PAREN = "(  )"
_STYLES = (LETTERS, ROMAN, LETTERS.upper())  # of parts, by their depth


def _unframed(nodes: list[Node]) -> list[Node]:
    """What stands behind the mark of an option, without the commands that close it."""
    return [n for n in nodes if n.kind != "command" or n.given or n.plain[:1] != "e"]


class Content(Opened):
    """Takes what a document gives of the problem that is open."""

    def own(self, own: Meaning, groups: list[list[Node]], name: str) -> None:
        """What the source says of a command: its arguments, or what follows, are that."""
        if not groups and own.role == "part":
            self.give(own.role, [])
        elif not groups and (self.now or self.last) and own.role in TURNS:
            self.turn(cast(Place, own.role), name)
        roles = own.arguments or (own.role,)
        for role, group in zip_longest(roles, groups):
            if group is not None:
                self.give(role or own.role, group)

    def give(self, role: str, nodes: list[Node]) -> None:
        """Text of a role that the source says."""
        item = self.item
        if role == "problem":
            self.write(nodes)
        elif role == "part":
            if not self.depth:
                self.part(1)
            self.write(nodes)
        elif role in (*TURNS, "points"):
            self.held(cast(Place, role), nodes)
        elif role == "instruction":
            self.instruction = self.aside(nodes)
        elif role == "section" and item is None:
            self.section = self.aside(nodes)
        elif item is None or role == "outside":
            self.spend(nodes)
        elif role in ("option", "right", "wrong"):
            self.option(item, "right" if role == "right" else "", nodes)
        elif role in ("title", "section"):
            setattr(item, role, getattr(item, role) or self.aside(nodes))
        else:
            text = self.aside(nodes)
            self.spent.append(text)
            item.labels |= {role.removeprefix("labels."): text} if text else {}

    def signed(self, text: str) -> bool:
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

    def part(self, depth: int) -> None:
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

    def underlined(self, node: Node) -> None:
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

    def held(self, role: Place, nodes: list[Node], name: str = "") -> None:
        """Text of a role that ends with what holds it."""
        if role == "points":
            self.spend(nodes)
            self.points_of(flat(nodes))
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

    def headed(self, item: TexItem, option: list[Node] | None) -> None:
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

    def options(self, node: Node) -> None:
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
        led = _SETTINGS.sub("", flat(before), count=1)
        if not choices or led.strip(" \t\n(){}0123456789"):
            self.unread("text before the first choice")
        self.spend(before)
        for mark, body in choices:
            self.spend(mark.option)
            if marks:
                said = f"{mark.text} {flat(mark.option or [])}"
                self.option(item, said, [*mark.held, *_unframed(body)])
                continue
            label = flat(mark.option or [])
            if (
                label
                and not RIGHT.search(label)
                and not re.fullmatch(r"\W*[A-Z]\W*", label)
            ):
                self.unread(rf"\item[{label}]")
            self.option(item, f"{mark.text} {label}", [*mark.held, *body])

    def choices(self, groups: list[list[Node]], judged: bool = False) -> None:
        r"""`\choice{a}{\True b}{c}{d}`: the groups are the options, or `judged` one by one."""
        item = self.item
        if judged and item is not None and not item.options:
            for group in groups:
                self.statement(item, group)
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
            self.option(item, "", group)

    def statement(self, item: TexItem, nodes: list[Node]) -> None:
        """A part that is true or false, as a command in it says."""
        body = [n for n in nodes if n.kind != "command" or not RIGHT.search(n.text)]
        self.part(1)
        self.write(body)
        if item.parts:
            item.parts[-1].answers.append(str(len(body) < len(nodes)).lower())

    def option(self, item: TexItem, said: str, nodes: list[Node]) -> None:
        """One more option; its mark, or a command in it, says whether it is right."""
        body = [n for n in nodes if n.kind != "command" or not RIGHT.search(n.text)]
        text = self.aside(body)
        right = len(body) < len(nodes) or RIGHT.search(said)
        item.options.append(TexOption(text, bool(right)))
        self.spent.append(text.removesuffix(item.options[-1].text))
