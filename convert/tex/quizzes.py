r"""Quizzes of moodle.sty and AcroTeX's exerquiz, in the words of other exam classes.

`\begin{multi}{title} .. \item* .. \end{multi}` becomes a problem with choices, an item of
`numerical` its answer, `\Ans1` a right choice, `\RespBoxMath{2x}` an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

import msgspec

from .nodes import Node, entries, flat

Rewrite = Callable[[Node], list[Node]]
_CHOICES = ("multi", "truefalse")
_VALUES = ("numerical", "shortanswer")
_MOODLE = (*_CHOICES, *_VALUES, "essay", "cloze", "matching")
_FRAMES = (
    "bChoices",
    "eChoices",
    "eAns",
    "eFreeze",
    "CorrAnsButton",
    "PTs",
    "sqTurnOffAlerts",
)
_BOXES = {"RespBoxMath": 0, "RespBoxNumeric": 0, "RespBoxTxt": 3}  # which group answers
_MARKS = ("Ans", "Ans0", "Ans1")
_TYPED = ("answers", "manswers", "answers*", "manswers*")  # of exerquiz


def requizzed(nodes: list[Node]) -> list[Node]:
    """The nodes of a document, quizzes respelled wherever they stand; all else as it is."""
    return [new for node in nodes for new in _respelled(node)]


def _respelled(node: Node) -> Iterator[Node]:
    if node.kind == "command" and node.plain in _BOXES and node.given:
        place = min(_BOXES[node.plain], len(node.given) - 1)
        yield Node("command", "answer", given=[node.given[place]])
        return
    if node.kind == "command" and node.plain in _FRAMES:
        return
    if node.kind == "environment" and node.text in (
        "quiz",
        "quiz*",
        "shortquiz",
        "shortquiz*",
    ):
        inside = node.led_by(1)[1]
        if any(one.kind == "environment" and one.text in _MOODLE for one in inside):
            for place, one in enumerate(inside):
                drawn = _drawn(one, inside[place + 1 :])
                yield from _of_moodle(one, drawn)
        else:
            yield from requizzed(inside)
        return
    if node.kind == "environment" and node.text in _TYPED and _marked(node):
        yield _choices(_items(node.led_by(1)[1]))
        return
    if node.inside:
        node = msgspec.structs.replace(node, inside=requizzed(node.inside))
    yield node


# exerquiz -----------------------------------------------------------------------------------------


def _marked(node: Node) -> bool:
    return any(one.kind == "command" and one.text in _MARKS for one in node.inside)


def _items(nodes: list[Node]) -> Iterator[Node]:
    """Marks and texts of choices, without the cells and frames around them.

    TeX ends the name of `\\Ans1` before its figure, which begins the text.
    """
    opened = False
    for node in nodes:
        if node.kind == "command" and node.text in _MARKS:
            opened = node.text == "Ans"
            if not opened:
                yield Node("command", "item*" if node.text == "Ans1" else "item")
        elif opened and node.text[:1] in ("0", "1"):
            yield Node("command", "item*" if node.text[0] == "1" else "item")
            yield msgspec.structs.replace(node, text=node.text[1:])
            opened = False
        elif not _is_frame(node):
            yield node


def _is_frame(node: Node) -> bool:
    """Whether a node only sets choices apart: a cell, the end of a line, a frame's command."""
    if node.kind == "command":
        return node.plain in (*_FRAMES, "\\")
    return node.text.strip() == "&" or (node.kind == "sign" and node.text == "\n")


def _choices(items: Iterator[Node]) -> Node:
    return Node("environment", "choices", inside=[*items])


# moodle.sty ---------------------------------------------------------------------------------------


_PARAMETER = re.compile(r"(?m)^[ \t]*(?P<name>[A-Za-z]\w{0,20})[ \t]*:")


def _drawn(question: Node, behind: list[Node]) -> list[str]:
    """The names in braces of a question whose values are listed behind it: it is calculated."""
    if question.kind != "environment" or question.text not in _MOODLE:
        return []
    listed = takewhile(lambda one: one.kind != "environment", behind)
    text = "".join("\n" if one.text == "\\" else one.text for one in listed)
    names = dict.fromkeys(match["name"] for match in _PARAMETER.finditer(text))
    source = flat(question.inside)
    return [name for name in names if f"{{{name}}}" in source]


def _of_moodle(node: Node, drawn: Sequence[str] = ()) -> Iterator[Node]:
    """A question of a quiz; what stands between them, as it is."""
    if node.kind != "environment" or node.text not in _MOODLE:
        yield from _respelled(node)
        return
    title, rest = node.led_by(1)
    given = [group.inside for group in title] + node.given
    if node.text == "cloze":
        inside = [new for one in rest for new in _gap(one)]
    else:
        inside = _question(node.text, rest)
    if drawn:
        told = f"the parameters {', '.join(drawn)}, which are drawn anew each time"
        inside = [Node("broken", told), *inside]
    yield Node("environment", "exercise", inside=inside, given=given)


def _question(kind: str, nodes: list[Node]) -> list[Node]:
    before, items = entries(nodes, lambda one: one.is_item)
    if kind in _CHOICES:
        marks = (part for mark, body in items for part in (mark, *body))
        return [*before, _choices(marks)]
    if kind in _VALUES:
        return [*before, *_answer("answer", items)]
    if kind == "essay":
        return before
    return [*before, Node("command", kind)]  # nothing that can be asked alone


def _gap(node: Node) -> Iterator[Node]:
    """A gap of a text, with its answer; other nodes as they are."""
    if node.kind == "environment" and node.text in _VALUES:
        before, items = entries(node.led_by(0)[1], lambda one: one.is_item)
        yield from before
        yield from _answer("fillin", items)
    elif node.kind == "environment" and node.text in _MOODLE:
        yield Node("command", node.text)
    else:
        yield node


def _answer(command: str, items: list[tuple[Node, list[Node]]]) -> Iterator[Node]:
    """The first item that is worth all its points; the others are also right, or partly."""
    whole = [body for mark, body in items if "fraction" not in flat(mark.option or [])]
    for body in whole[:1]:
        yield Node("command", command, given=[body])
