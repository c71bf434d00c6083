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
]  # tokens [start, end) of the full text, what stands there instead
Texts = tuple[
    str | None, ...
]  # what stands in each version, None for the full text's own
Run = tuple[int, int, Texts]  # tokens [start, end) that have one fate


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
    changes = [_changes(tokens, cut) for cut in (lite, intensive, dominant)]
    edges = {0, len(tokens)}
    for version in changes:
        for start, end, _ in version:
            edges |= {start, end}
    spans: list[Span] = []
    run: Run | None = None
    for start, end in pairwise(sorted(edges)):
        texts = tuple(_text_in(version, start, end) for version in changes)
        # Same fate and no text of its own: one span.
        if run and run[2] == texts and not any(texts):
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


def _changes(tokens: list[Token], version: str) -> list[Change]:
    """How a version differs from the full text."""
    version_tokens = _tokens(version)
    words, version_words = (
        [token.text.lower() for token in side] for side in (tokens, version_tokens)
    )
    matcher = SequenceMatcher(None, words, version_words, autojunk=False)
    changes: list[Change] = []
    for op, start, end, first, stop in matcher.get_opcodes():
        if op == "equal" or not tokens:
            continue
        text = ""
        if stop > first:
            text = version[version_tokens[first].start : version_tokens[stop - 1].end]
        if start == end:
            # An insertion takes a neighbouring word with it: spans are never empty.
            start, end, text = _with_neighbour(tokens, start, text, changes)
        changes.append((start, end, text))
    return changes


def _with_neighbour(
    tokens: list[Token], at: int, text: str, changes: list[Change]
) -> Change:
    """The insertion of `text` before token `at` as a replacement of the word before or after it."""
    follows = at < len(tokens) and tokens[at].text[0].isalnum()
    if follows or at == 0:
        return at, at + 1, f"{text} {tokens[at].text}"
    if changes and changes[-1][1] == at:
        # The word before was changed already: extend that change.
        start, end, before = changes.pop()
        return start, end, f"{before} {text}".strip()
    return at - 1, at, f"{tokens[at - 1].text} {text}"


def _text_in(changes: list[Change], start: int, end: int) -> str | None:
    """What stands for tokens [start, end): None for themselves; a change's text at its start."""
    for a, b, text in changes:
        if a <= start and end <= b:
            return text if a == start else ""
    return None


def _encode(full: str, tokens: list[Token], run: Run | None) -> list[Span]:
    """EC around IP around DI: each level stands where its version differs from the one before."""
    if run is None:
        return []
    first, stop, (lite, intensive, dominant) = run
    start = tokens[first].start
    end = tokens[stop - 1].end
    levels: list[tuple[Role, str | None, bool]] = [
        ("EC", dominant, dominant != lite),
        ("IP", intensive, intensive != lite),
        ("DI", lite, lite is not None),
    ]
    spans = []
    for role, text, is_needed in levels:
        if is_needed:
            alt = full[start:end] if text is None else text or None
            spans.append(Span(start=start, end=end, role=role, alt=alt))
    return spans
