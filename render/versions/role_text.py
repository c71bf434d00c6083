"""The texts of MathVerse's six versions, cut from one tagged question (MathVerse, section 2.2).

A question carries spans: DI (what the diagram shows anyway), IP (properties to be seen in it) and
EC (the values without which nothing can be solved). Text outside spans asks the question. Spans
may nest; spans over the same stretch nest in the order EC, IP, DI, so that every text of every
version can be written with them. `alt` stands in the place of a removed span.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...errors import UserError
from ...problem import VERSIONS, Span
from .seams import SEAM, tidy

KEEPS: dict[str, frozenset[str]] = {
    "text_dominant": frozenset({"DI", "IP", "EC"}),
    "text_lite": frozenset({"IP", "EC"}),
    "text_only": frozenset({"DI", "IP", "EC"}),
    "vision_intensive": frozenset({"EC"}),
    "vision_dominant": frozenset({"IP"}),
    "vision_only": frozenset({"IP"}),  # drawn into the picture
}
OUTER_FIRST = ("EC", "IP", "DI")


def text_of(question: str, spans: Iterable[Span], version: str) -> str:
    """The question as `version` words it; Text-dominant and Text-only are the question itself.

    >>> question = "It is known that DE ∥ BC, ∠A = 80°, then ∠B is ( )."
    >>> text_of(question, [Span(start=0, end=24, role="IP"), Span(start=25, end=34, role="EC")],
    ...         "vision_dominant")
    'It is known that DE ∥ BC, then ∠B is ( ).'

    Raises UserError when spans leave the text, are empty or cross each other.
    """
    ordered = check_spans(question, spans)
    return tidy(_cut(question, 0, len(question), ordered, KEEPS[version]))


def texts_of(question: str, spans: Iterable[Span]) -> dict[str, str]:
    """All six texts by version."""
    ordered = check_spans(question, spans)
    return {version: text_of(question, ordered, version) for version in VERSIONS}


def check_spans(question: str, spans: Iterable[Span]) -> list[Span]:
    """The spans in reading order, outer ones first. Raises UserError at the first bad one."""
    if SEAM in question:
        raise UserError("the question holds the private character U+E000", "remove it")
    ordered = sorted(spans, key=lambda s: (s.start, -s.end, OUTER_FIRST.index(s.role)))
    open_spans: list[Span] = []
    for span in ordered:
        where = f"span {span.role} [{span.start}, {span.end})"
        if not 0 <= span.start < span.end <= len(question):
            raise UserError(
                f"{where} does not lie in the text of {len(question)} characters",
                "offsets count code points from 0; the end is exclusive and after the start",
            )
        while open_spans and open_spans[-1].end <= span.start:
            open_spans.pop()
        if open_spans and span.end > open_spans[-1].end:
            outer = open_spans[-1]
            raise UserError(
                f"{where} crosses span {outer.role} [{outer.start}, {outer.end})",
                "put one inside the other, or part them",
            )
        open_spans.append(span)
    return ordered


def _cut(
    text: str, start: int, end: int, spans: list[Span], roles: frozenset[str]
) -> str:
    """text[start:end] with the spans of these roles alone; every change is marked by a SEAM."""
    parts: list[str] = []
    at = start
    rest = spans
    while rest:
        span, *rest = rest
        inner = [s for s in rest if s.end <= span.end]
        rest = rest[len(inner) :]
        parts.append(text[at : span.start])
        if span.role in roles:
            parts.append(_cut(text, span.start, span.end, inner, roles))
        else:
            parts += [SEAM, span.alt, SEAM] if span.alt else [SEAM]
        at = span.end
    return "".join([*parts, text[at:end]])
