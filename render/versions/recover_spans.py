"""Spans from texts that people already cut: the way back from six versions to one tagged question.

With it a benchmark whose versions were written by hand (MathVerse's) becomes tagged data.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import pairwise, zip_longest
from typing import NamedTuple

from ...latex import maths_spans, outside
from ...problem import Role, Span

_WORD = re.compile(r"[A-Za-z0-9\\']+|[^\sA-Za-z0-9]")
Change = tuple[
    int, int, str
]  # tokens [start, end) of the full text and what stands there instead


class Token(NamedTuple):
    """A formula, a word or a mark, and where it stands."""

    text: str
    start: int
    end: int


def recover(full: str, lite: str, intensive: str, dominant: str) -> list[Span]:
    """Spans of `full` (Text-dominant) whose cutting gives Text-lite, Vision-intensive and
    Vision-dominant, up to white space, capitals and punctuation, which tidying restores.

    >>> spans = recover("In ABC, AC = 3. Find BC.", "Find BC.", "Find BC.", "Find BC.")
    >>> [(s.start, s.end, s.role) for s in spans]
    [(0, 15, 'DI')]
    """
    tokens = _tokens(full)
    changes = [_changes(tokens, other) for other in (lite, intensive, dominant)]
    edges = sorted(
        {0, len(tokens)} | {edge for c in changes for a, b, _ in c for edge in (a, b)}
    )
    spans: list[Span] = []
    run: tuple[int, int, tuple[str | None, ...]] | None = None
    for start, end in pairwise(edges):
        texts = tuple(_text_in(c, start, end) for c in changes)
        if (
            run and run[2] == texts and not any(texts)
        ):  # same fate and no text of its own: one span
            run = (run[0], end, texts)
            continue
        spans += _encode(full, tokens, run)
        run = (start, end, texts)
    return spans + _encode(full, tokens, run)


def _tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    spans = maths_spans(text)
    for (start, end), span in zip_longest(outside(text, spans), spans):
        tokens += [
            Token(m[0], m.start(), m.end()) for m in _WORD.finditer(text, start, end)
        ]
        if span:
            tokens.append(Token(text[span.start : span.end], span.start, span.end))
    return tokens


def _changes(tokens: list[Token], other: str) -> list[Change]:
    other_tokens = _tokens(other)
    matcher = SequenceMatcher(
        None,
        [t.text.lower() for t in tokens],
        [t.text.lower() for t in other_tokens],
        autojunk=False,
    )
    changes: list[Change] = []
    for op, a, b, c, d in matcher.get_opcodes():
        if op == "equal" or not tokens:
            continue
        text = other[other_tokens[c].start : other_tokens[d - 1].end] if d > c else ""
        if (
            a == b
        ):  # an insertion takes a neighbouring word with it: spans are never empty
            a, b, text = _with_neighbour(tokens, a, text, changes)
        changes.append((a, b, text))
    return changes


def _with_neighbour(
    tokens: list[Token], at: int, text: str, changes: list[Change]
) -> Change:
    """The insertion of `text` before token `at` as a replacement of the word before or after it."""
    follows = at < len(tokens) and tokens[at].text[0].isalnum()
    if follows or at == 0:
        return at, at + 1, f"{text} {tokens[at].text}"
    if (
        changes and changes[-1][1] == at
    ):  # the word before was changed already: extend that change
        start, end, before = changes.pop()
        return start, end, f"{before} {text}".strip()
    return at - 1, at, f"{tokens[at - 1].text} {text}"


def _text_in(changes: list[Change], start: int, end: int) -> str | None:
    """What stands for tokens [start, end): None for themselves; a change's text at its start."""
    for a, b, text in changes:
        if a <= start and end <= b:
            return text if a == start else ""
    return None


def _encode(
    full: str, tokens: list[Token], run: tuple[int, int, tuple[str | None, ...]] | None
) -> list[Span]:
    """EC around IP around DI: each level stands where its version differs from the one before."""
    if run is None:
        return []
    start, end = tokens[run[0]].start, tokens[run[1] - 1].end
    lite, intensive, dominant = run[2]
    levels: list[tuple[Role, str | None, bool]] = [
        ("EC", dominant, dominant != lite),
        ("IP", intensive, intensive != lite),
        ("DI", lite, lite is not None),
    ]
    own = full[start:end]
    return [
        Span(start=start, end=end, role=role, alt=own if text is None else text or None)
        for role, text, needed in levels
        if needed
    ]
