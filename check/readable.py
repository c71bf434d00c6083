"""Options and golds not read as they are meant, and pictures that stand as their names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..convert.documents import PICTURE
from ..latex import is_set
from ..options import holds_label, literal, options_in_question, undressed
from ..problem import Problem
from .residues import DRAWING
from .rules import Asked, Flagged, validator


@validator("option-single", "error", "write each option apart, or leave options: out")
def option_single(asked: Asked) -> Iterator[Flagged]:
    """A choice of one: the others stand in its text, or in the question."""
    if len(asked.options) == 1:
        yield "options", f"{asked.options[0].label}: {asked.options[0].text[:80]}"


@validator("option-labels", "error", "part the options in the dump")
def option_labels(asked: Asked) -> Iterator[Flagged]:
    """An option's text goes on with the next labels, or each has its own before it."""
    if not asked.options:
        return
    last = len(asked.options) - 1
    for k, option in enumerate(asked.options):  # in the middle, f(b) is no label
        if holds_label(option.text, k + 1) and (
            k == last or holds_label(option.text, k + 2)
        ):
            yield "options", f"{option.label}: {option.text[:80]}"
            return
    if all(
        re.match(rf"\W*{o.label}\s*[.)．、:：]\W*\w", o.text) for o in asked.options
    ):
        yield "options", f"{asked.options[0].label}: {asked.options[0].text[:80]}"


@validator("option-missing", "error", "look at the raw row: an option is missing")
def option_missing(asked: Asked) -> Iterator[Flagged]:
    """Labels that do not follow: A, B, D. A list that begins later is somebody's own."""
    labels = [option.label for option in asked.options]
    if all(len(label) == 1 and label.isascii() and label.isalpha() for label in labels):
        numbers = [ord(label) - ord(labels[0]) for label in labels]
    elif all(label.isascii() and label.isdecimal() for label in labels):
        numbers = [int(label) - int(labels[0]) for label in labels]
    else:
        return
    rises = numbers == sorted({*numbers})
    if rises and len(numbers) > 1 and numbers[-1] != len(numbers) - 1:
        yield "options", ", ".join(labels)


@validator("option-unread", "warning", "give the options in a column of their own")
def option_unread(asked: Asked) -> Iterator[Flagged]:
    """A question that ends in labels A, B, C, and has no options."""
    if not asked.options and (found := _commands_of_options(asked.answer)):
        yield "answer", found
    if DRAWING.search(asked.question):  # its code labels points
        return
    if not asked.options and asked.kind != "parts" and _THIRD.search(asked.question):
        _, choices = options_in_question(asked.question)
        if len(choices.options) > 2 and choices.signs == [
            o.label for o in choices.options
        ]:
            yield "question", asked.question[-80:]


# commands side by side, each with a text: `\\mauvaise{6} \\bonne{5}`
_SIBLINGS = re.compile(r"\\(?P<name>[A-Za-z]+)\s*\{[^{}]*\}\s*\\[A-Za-z]+\s*\{")
_END_OF_BRACKET = re.compile(r"[^\[\](){}$\\\d]{1,20}\]")


def _commands_of_options(answer: str) -> str:
    """What of an answer is the source of options that were not read; "" where nothing is."""
    siblings = _SIBLINGS.search(answer)
    unknown = siblings is not None and not is_set(f"\\{siblings['name']}")
    return answer[:80] if unknown or _END_OF_BRACKET.match(answer) else ""


_THIRD = re.compile(r"(?<![A-Za-z])C\s?[.)．）、:：\]\n ]")


@validator("gold-list", "error", "give the value itself, or one of several")
def gold_list(asked: Asked) -> Iterator[Flagged]:
    """`["B"]` as a text: no reply is a list."""
    if asked.answer.lstrip()[:1] in ("[", "{", "(") and asked.kind != "parts":
        value = literal(asked.answer)
        texts = (
            value
            if isinstance(value, list)
            else [*value]
            if isinstance(value, dict)
            else []
        )
        if any(isinstance(one, str | bool) for one in texts):
            yield "answer", asked.answer[:80]


_LABELLED = re.compile(r"[(（]?[A-E](?:[.)．）、:：]\s*|\s+(?=[-\d$(]))\S", re.S)


_LETTERS = re.compile(r"[A-E](?:[\s,;、]+[A-E])*")


@validator("gold-without-options", "error", "add the options")
def gold_without_options(asked: Asked) -> Iterator[Flagged]:
    """A bare letter, several, or `B. 3`: an option's label where there are no options."""
    if asked.options or asked.kind == "parts":
        return
    letter = any(_LETTERS.fullmatch(bare) for bare in undressed(asked.answer[:80]))
    if letter or _LABELLED.match(asked.answer.strip()):
        yield "options", asked.answer[:80]


@validator(
    "gold-doubtful",
    "error",
    "say by options: {gold: ...} what numbers count",
    whole=True,
)
def gold_doubtful(problem: Problem) -> Iterator[Flagged]:
    """A number of which the rows of its source do not say what it counts."""
    for note in problem.notes:
        if note.startswith("gold-doubtful: "):
            yield "answer", note.removeprefix("gold-doubtful: ")


@validator(
    "picture-unread",
    "error",
    "say by images: where it lies; of pages, by the stage html",
)
def picture_unread(asked: Asked) -> Iterator[Flagged]:
    """`![](a.png)` or `<img>` that was never read: who is asked sees an address."""
    for field, text in [
        ("question", asked.question),
        *((o.label, o.text) for o in asked.options),
    ]:
        if "![" in text or "<img" in text or "\\includegraphics" in text:
            for match in [*PICTURE.finditer(text), *_TAG.finditer(text)][:3]:
                yield field, match[0][:120]


_TAG = re.compile(r"<img\b[^<>]{0,300}")
