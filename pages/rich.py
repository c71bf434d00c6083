"""Text as pages show it: formulas to draw, stretches to colour, and nothing that could be markup.

`rich` cuts a text where `latex.maths_spans` says that its formulas are; the page's script makes
text nodes and drawings of the parts. Characters that turn the direction of writing, and so could
make a line read otherwise than it is, are written out when a page is written.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ..latex import MathSpan, boxes, maths_spans

# plain, or parts: text, {"f": inline}, {"d": displayed}, {"m": mark, "p": parts}, {"r": verbatim},
# {"u": pieces}: a reply that the page cuts itself
Rich = str | list[Any]
# A line break written out, as in some sources: \n, but not the beginning of \neq. Two characters
# stand for two, so places in the text stay right.
_NEWLINE = re.compile(r"(?<!\\)\\n(?![A-Za-z])")
COMPARED = 4000  # characters
# The share of the shorter text's words that two texts of one origin have in common.
LIKE = 0.2
# Words, numbers with their points, and else single signs; so is each sign of CJK scripts.
_WORD = re.compile(r"[^\W\d_\u2e80-\u9fff\uac00-\ud7af]+|\d+(?:\.\d+)*|.", re.DOTALL)


class Mark(NamedTuple):
    """A stretch [start, end) to colour, in code points; `name` is a class of the style sheet."""

    start: int
    end: int
    name: str  # evidence, DI, IP, EC, error, warning
    title: str = ""  # what is said of it


def rich(text: str, marks: Iterable[Mark] = ()) -> Rich:
    """The parts of a text; a mark that cuts a formula covers it whole.

    >>> rich("is $x$ 1?", [Mark(7, 8, "evidence")])
    ['is ', {'f': 'x'}, ' ', {'m': 'evidence', 'p': ['1']}, '?']
    >>> rich("no formula")
    'no formula'
    """
    text = _NEWLINE.sub("\n ", text) if "\\n" in text else text
    spans = _formulas(text)
    if not spans and not marks:
        return text.replace("\\$", "$")
    parts = _cut(text, marks, lambda start, end: _parts(text, start, end, spans), spans)
    return parts[0] if len(parts) == 1 and isinstance(parts[0], str) else parts or ""


def verbatim(text: str, marks: Iterable[Mark] = ()) -> Rich:
    """A text as it stands, to the letter: no formula is drawn, no mark of a picture replaced.

    >>> verbatim("<b>$x$</b>", [Mark(0, 3, "error", "why")])
    [{'r': [{'m': 'error', 'p': ['<b>'], 't': 'why'}, '$x$</b>']}]
    """

    def plain(start: int, end: int) -> list[Any]:
        return [text[start:end]] if start < end else []

    return [{"r": _cut(text, marks, plain)}]


def _cut(
    text: str,
    marks: Iterable[Mark],
    shown: Callable[[int, int], list[Any]],
    spans: Sequence[MathSpan] = (),
) -> list[Any]:
    """A text cut at its marks; what begins inside of a mark has none of its own."""
    parts: list[Any] = []
    at = 0
    for mark in sorted(marks):
        start, end = _whole(mark, spans)
        if at <= start < end:
            part = {"m": mark.name, "p": shown(start, end)}
            if mark.title:
                part["t"] = mark.title
            parts += [*shown(at, start), part]
            at = end
    return parts + shown(at, len(text))


def differences(a: str, b: str) -> tuple[list[Mark], list[Mark]]:
    """Where each text differs from the other, by words; long texts are compared at their beginning.

    Texts that have hardly a word in common, such as translations, have no marks.

    >>> differences("find x", "find the x")
    ([], [Mark(start=5, end=9, name='differs', title='')])
    >>> differences("is 12 even", "is 13 even")[1]
    [Mark(start=3, end=5, name='differs', title='')]
    """
    from rapidfuzz.distance import Levenshtein

    left = _words(a[:COMPARED])
    right = _words(b[:COMPARED])
    steps = Levenshtein.opcodes([w[0] for w in left], [w[0] for w in right])
    common = sum(
        word[0].isalnum()
        for step in steps
        if step.tag == "equal"
        for word in left[step.src_start : step.src_end]
    )
    fewest = min(sum(word[0].isalnum() for word in words) for words in (left, right))
    if common < LIKE * fewest - 1:
        return [], []
    removed = [
        _over(left[step.src_start : step.src_end])
        for step in steps
        if step.tag in ("replace", "delete")
    ]
    added = [
        _over(right[step.dest_start : step.dest_end])
        for step in steps
        if step.tag in ("replace", "insert")
    ]
    return removed, added


def _words(text: str) -> list[re.Match[str]]:
    return list(_WORD.finditer(text))


def _over(words: Sequence[re.Match[str]]) -> Mark:
    return Mark(words[0].start(), words[-1].end(), "differs")


def _formulas(text: str) -> list[MathSpan]:
    r"""The formulas of a text; a box outside dollars, as models write their answers, is one, too.

    >>> [span.tex for span in _formulas(r"$x$ is \boxed{2}, or $\boxed 3$ or \boxed{none of $x$}.")]
    ['x', '\\boxed{2}', '\\boxed 3', '\\boxed{\\text{none of x}}']
    """
    spans = maths_spans(text)
    if "\\boxed" not in text:
        return spans
    boxed = []
    for box in boxes(text):
        around = _before(spans, box.end)
        is_inside = around and around.start <= box.start and box.end <= around.end
        if box.closed and not is_inside:
            formula = _box(box.content)
            boxed.append(MathSpan(box.start, box.end, formula, display=False))
    spans = [span for span in spans if not _meets_a_box(span, boxed)]
    return sorted([*spans, *boxed], key=lambda span: span.start)


def _meets_a_box(span: MathSpan, boxed: Sequence[MathSpan]) -> bool:
    """Does a formula stand in a box, or reach into one?"""
    box = _before(boxed, span.end)
    return box is not None and span.start < box.end


def _before(spans: Sequence[MathSpan], place: int) -> MathSpan | None:
    """The last of ordered spans that begins before `place`."""
    k = bisect_left(spans, place, key=lambda span: span.start)
    return spans[k - 1] if k else None


def _box(content: str) -> str:
    inside = re.sub(r"(?<!\\)[%#]", r"\\\g<0>", content.replace("$", ""))
    words = "\\" not in content and re.search("[A-Za-z]{3}", inside)
    return rf"\boxed{{\text{{{inside}}}}}" if words else rf"\boxed{{{inside}}}"


def _whole(mark: Mark, spans: Sequence[MathSpan]) -> tuple[int, int]:
    touched = [s for s in spans if s.start < mark.end and mark.start < s.end]
    starts = [s.start for s in touched]
    ends = [s.end for s in touched]
    return min([mark.start, *starts]), max([mark.end, *ends])


def _parts(text: str, start: int, end: int, spans: Sequence[MathSpan]) -> list[Any]:
    parts: list[Any] = []
    for span in spans:
        if start <= span.start and span.end <= end:
            parts += _plain(text[start : span.start])
            parts.append({"d" if span.display else "f": span.tex})
            start = span.end
    return parts + _plain(text[start:end])


def _plain(text: str) -> list[str]:
    return [text.replace("\\$", "$")] if text else []
