"""What a person would see at a glance over a set: empty questions, golds nobody can hit, ..."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..problem import Problem, all_images
from .readable import (
    gold_list,
    gold_without_options,
    option_labels,
    option_single,
    picture_unread,
)
from .rules import questions_of, text_empty

_SEEN = (
    (text_empty, "{n} of {of} questions are empty"),
    (option_single, "{n} of {of} problems have a single option"),
    (option_labels, "{n} of {of} problems have an option that holds labels"),
    (gold_list, "{n} of {of} golds are lists, which no reply is"),
    (
        gold_without_options,
        "{n} of {of} golds are an option's letter where there are no options",
    ),
)
_NAMED = ("missing-picture", "broken-picture", "lost-picture", "unused-picture")


class Seen(msgspec.Struct):
    """What is seen of a source's problems."""

    problems: int = 0
    pictured: int = 0  # that hold a picture
    named: int = 0  # that name one, and hold none
    lines: dict[str, int] = msgspec.field(
        default_factory=lambda: {line: 0 for _, line in _SEEN}
    )


def at_a_glance(problems: Iterable[Problem]) -> list[str]:
    """One line for each thing that is wrong with a source on the face of it.

    Example: `at_a_glance(problems)` -> `["sat: 60 of 60 problems have a single option"]`
    """
    return told([seen_in(problems)])


def seen_in(problems: Iterable[Problem]) -> dict[str, Seen]:
    """What is seen of each source."""
    sources: dict[str, Seen] = {}
    for problem in problems:
        source = sources.setdefault(problem.source.name, Seen())
        asked = next(questions_of(problem))
        source.problems += 1
        if all_images(problem):
            source.pictured += 1
        else:
            noted = any(note.startswith(_NAMED) for note in problem.notes)
            source.named += noted or any(picture_unread(asked))
        for rule, line in _SEEN:
            source.lines[line] += any(rule(asked))
    return sources


def seen_in_lines(lines: Iterable[bytes]) -> dict[str, Seen]:
    """The same of problems as they are written."""
    return seen_in(msgspec.json.decode(line, type=Problem) for line in lines)


def told(parts: Iterable[dict[str, Seen]]) -> list[str]:
    """The lines of `at_a_glance`, of parts of a set."""
    sources: dict[str, Seen] = {}
    for name, part in (pair for some in parts for pair in some.items()):
        whole = sources.setdefault(name, Seen())
        whole.problems += part.problems
        whole.pictured += part.pictured
        whole.named += part.named
        for line, count in part.lines.items():
            whole.lines[line] += count
    lines = []
    for name, seen in sources.items():
        of = seen.problems
        lines += [
            f"{name}: " + line.format(n=n, of=of) for line, n in seen.lines.items() if n
        ]
        if seen.named and not seen.pictured:
            lines.append(
                f"{name}: none of {of} problems has a picture, {seen.named} name one"
            )
    return lines
