"""A text as stretches of prose, formulas and tables: the same whichever engine sets them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import msgspec

from ...latex import (
    GLUED,
    MathSpan,
    bare_formulas,
    maths_spans,
    stray_dollars,
    tabulars,
    unescaped,
)
from ..issues import Issue

_UNSEEN = re.compile(r"[\u00ad\u200b-\u200f\u2060\ufeff]")  # no width, no ink
_LINE_END = (
    re.compile(  # two characters that stood for a line's end, and no negated relation
        r"\\n(?![a-z]|(?:Left|Right)(?:right)?arrow|V[Dd]ash)"
    )
)
_TABULAR = re.compile(r"\\begin\s*\{tabular")
_WRAPPING = re.compile(  # what Mathpix Markdown puts around a table; it shows nothing
    r"\\(?:begin|end)\s*\{(?:table|figure|center|flushleft|flushright)\*?\}(?:\[[^\]\n]*\])?[ \t]*"
    r"|\\captionsetup\s*\{[^{}]*\}[ \t]*|\\centering(?![A-Za-z])[ \t]*|\\caption\s*(?=\{)"
)
_PICTURE = re.compile(r"<image\d+>")
_RAW = re.compile(r"\\[A-Za-z]+|\S*[\^_]\{\S*|\w\^\w")  # LaTeX that prose still holds
_ROOM = re.compile(r"\\q?quad(?![A-Za-z])")  # to be filled in

Reporter = Callable[[Issue], None]


class Stretch(msgspec.Struct, frozen=True):
    """Prose as it is read, or a formula without its delimiters; `source` is how it was written."""

    text: str
    source: str
    maths: bool = False
    display: bool = False


def stretches(text: str, report: Reporter) -> Iterator[Stretch]:
    r"""What a text consists of, in order; what is wrong with its LaTeX goes to `report`.

    >>> found = []
    >>> [(s.text, s.maths) for s in stretches(r"20\% of \frac{1}{2}", found.append)]
    [('20% of ', False), ('\\frac{1}{2}', True)]
    >>> found[0].code
    'bare-latex'
    """
    at = 0
    text = _LINE_END.sub("\n", _UNSEEN.sub("", _PICTURE.sub(" ", text))).strip(
        " \t\n\r\f\v"
    )
    text = _WRAPPING.sub("", text) if "\\" in text else text
    for span in _formulas_and_tables(text):
        yield from prose_stretches(text[at : span.start], report)
        yield _formula(span, text[span.start : span.end], report)
        at = span.end
    yield from prose_stretches(text[at:], report)


def prose_stretches(text: str, report: Reporter) -> Iterator[Stretch]:
    """Text without formulas; bare LaTeX in it is set as mathematics, and all of it is reported."""
    at = 0
    for span in bare_formulas(text):
        yield from _prose(text[at : span.start], report)
        source = text[span.start : span.end]
        at = span.end
        report(
            Issue(
                "bare-latex",
                f"LaTeX outside dollars was set as mathematics: {source}",
                source,
            )
        )
        yield _told(Stretch(span.tex, f"${source}$", maths=True), report)
    yield from _prose(text[at:], report)


def _prose(text: str, report: Reporter) -> Iterator[Stretch]:
    for word in text.split() if "$" in text else ():
        if stray_dollars(word):
            report(
                Issue("unbalanced-dollar", f"a $ without its partner in {word!r}", word)
            )
    text = _ROOM.sub("\u3000\u3000", text) if "\\" in text else text
    for match in _RAW.finditer(text):
        report(Issue("raw-latex", f"printed raw, as no formula: {match[0]}", match[0]))
    if text:
        yield Stretch(unescaped(text), text)


def _formula(span: MathSpan, source: str, report: Reporter) -> Stretch:
    if source.startswith("\\begin") and not _TABULAR.match(source):
        what = "an environment outside dollars was set as mathematics"
        report(Issue("bare-latex", what, source[:80]))
    return _told(Stretch(span.tex, source, maths=True, display=span.display), report)


def _told(formula: Stretch, report: Reporter) -> Stretch:
    r"""The formula with the blank behind `\frac` or `\sqrt` that it lost, which is reported."""
    if not GLUED.search(formula.text):
        return formula
    report(
        Issue(
            "misspelt-command",
            "read with a blank behind \\frac or \\sqrt",
            formula.source,
        )
    )
    return msgspec.structs.replace(formula, text=GLUED.sub(r"\\\1 ", formula.text))


def _formulas_and_tables(text: str) -> Iterator[MathSpan]:
    """Text tables, whose cells may hold formulas, are drawn as one formula each."""
    at = 0
    for span in sorted(
        [*maths_spans(text), *tables_of(text)], key=lambda span: span.start
    ):
        if span.start >= at:
            yield span
            at = span.end


def tables_of(text: str) -> Iterator[MathSpan]:
    """Tables of a text (`tabular`), each with the tables inside it."""
    for start, end in tabulars(text):
        yield MathSpan(start, end, text[start:end], display=True)
