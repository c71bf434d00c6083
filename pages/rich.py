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

# plain, or parts: text, {"f": inline}, {"d": displayed}, {"m": mark, "p": parts}, {"r": verbatim}
Rich = str | list[Any]
_NEWLINE = re.compile(
    r"(?<!\\)\\n(?![A-Za-z])"
)  # written out in some sources; as long as before

COMPARED = 4000  # characters
LIKE = (
    0.2  # share of the shorter text's words that two texts of one origin have in common
)
_WORD = re.compile(
    r"[^\W\d_\u2e80-\u9fff\uac00-\ud7af]+|\d+(?:\.\d+)*|.", re.DOTALL
)  # CJK: a sign


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
    return [
        {
            "r": _cut(
                text, marks, lambda start, end: [text[start:end]] if start < end else []
            )
        }
    ]


def _cut(
    text: str,
    marks: Iterable[Mark],
    shown: Callable[[int, int], list[Any]],
    spans: Sequence[MathSpan] = (),
) -> list[Any]:
    """A text cut at its marks; what begins inside of a mark has none of its own."""
    parts, at = list[Any](), 0
    for mark in sorted(marks):
        start, end = _whole(mark, spans)
        if at <= start < end:
            said = {"t": mark.title} if mark.title else {}
            parts += [
                *shown(at, start),
                {"m": mark.name, "p": shown(start, end)} | said,
            ]
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

    left, right = _words(a[:COMPARED]), _words(b[:COMPARED])
    steps = Levenshtein.opcodes([w[0] for w in left], [w[0] for w in right])
    same = [
        word[0]
        for s in steps
        if s.tag == "equal"
        for word in left[s.src_start : s.src_end]
    ]
    if (
        sum(map(str.isalnum, same))
        < LIKE * min(sum(w[0].isalnum() for w in x) for x in (left, right)) - 1
    ):
        return [], []
    return (
        [
            _over(left[s.src_start : s.src_end])
            for s in steps
            if s.tag in ("replace", "delete")
        ],
        [
            _over(right[s.dest_start : s.dest_end])
            for s in steps
            if s.tag in ("replace", "insert")
        ],
    )


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
    own = []
    for box in boxes(text):
        around = _before(spans, box.end)
        if box.closed and not (
            around and around.start <= box.start and box.end <= around.end
        ):
            own.append(MathSpan(box.start, box.end, _box(box.content), display=False))
    kept = [s for s in spans if not ((o := _before(own, s.end)) and s.start < o.end)]
    return sorted([*kept, *own], key=lambda span: span.start)


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
    starts, ends = [s.start for s in touched], [s.end for s in touched]
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
