"""Applying named text rules, with every change recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

TextRule = tuple[str, Callable[[str], str]]


class TextChange(msgspec.Struct, frozen=True):
    """What one rule did to one formula or one text: the part that differs, before and after."""

    rule: str
    before: str
    after: str


def apply(rules: Sequence[TextRule], text: str, changes: list[TextChange]) -> str:
    """The text after all rules, in order; what they changed is appended to `changes`.

    >>> log: list[TextChange] = []
    >>> apply([("upper", str.upper)], "Ab", log), log
    ('AB', [TextChange(rule='upper', before='b', after='B')])
    """
    for name, rule in rules:
        after = rule(text)
        if after != text:
            changes.append(TextChange(name, *difference(text, after)))
            text = after
    return text


def difference(before: str, after: str) -> tuple[str, str]:
    """Both texts without their common beginning and end.

    >>> difference("x²+1", "x^{2}+1")
    ('²', '^{2}')
    """
    shorter = min(len(before), len(after))
    start = 0
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return before[start : len(before) - end], after[start : len(after) - end]
