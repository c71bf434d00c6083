"""What a person would see at a glance over a set: empty questions, golds nobody can hit, ..."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from ..problem import Problem, all_images
from .readable import gold_list, gold_without_options, option_labels, option_single, picture_unread
from .rules import questions_of, text_empty

_SEEN = (
    (text_empty, "{n} of {of} questions are empty"),
    (option_single, "{n} of {of} problems have a single option"),
    (option_labels, "{n} of {of} problems have an option that holds labels"),
    (gold_list, "{n} of {of} golds are lists, which no reply is"),
    (gold_without_options, "{n} of {of} golds are an option's letter where there are no options"),
)
_NAMED = ("missing-picture", "broken-picture", "lost-picture")


class _Source(msgspec.Struct):
    problems: int = 0
    pictured: int = 0  # that hold a picture
    named: int = 0  # that name one, and hold none
    seen: Counter[str] = msgspec.field(default_factory=Counter)


def at_a_glance(problems: Iterable[Problem]) -> list[str]:
    """One line for each thing that is wrong with a source on the face of it.

    Example: `at_a_glance(problems)` -> `["sat: 60 of 60 problems have a single option"]`
    """
    sources: dict[str, _Source] = {}
    for problem in problems:
        source = sources.setdefault(problem.source.name, _Source())
        _look(problem, source)
    lines = []
    for name, source in sources.items():
        lines += [
            f"{name}: " + line.format(n=source.seen[line], of=source.problems)
            for _, line in _SEEN
            if source.seen[line]
        ]
        if source.named and not source.pictured:
            lines.append(
                f"{name}: none of {source.problems} problems has a picture, {source.named} name one"
            )
    return lines


def _look(problem: Problem, source: _Source) -> None:
    asked = next(questions_of(problem))
    source.problems += 1
    if all_images(problem):
        source.pictured += 1
    else:
        noted = any(note.startswith(_NAMED) for note in problem.notes)
        source.named += noted or any(picture_unread(asked))
    for rule, line in _SEEN:
        source.seen[line] += any(rule(asked))
