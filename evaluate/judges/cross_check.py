"""Does a judge's word stand? Its answer must be what the reply ends on, and grade as it says.

A reply can talk a judge into "right"; it cannot talk the rules into it. So a right verdict needs an
answer that occurs in the reply, that no other candidate follows, that is not one of a list, and
that equals the gold by the rules. A wrong verdict falls, too, on an answer that equals the gold,
and on one that is not in the reply. Whatever falls leaves the verdict open.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Sequence
from typing import Literal

from ...grading.verdicts import GradeItem, grade_item
from ...problem import Sample
from ...words import in_figures

Checked = Literal["right", "wrong", "contradicted"]

# A command, a number, a word (without digits and "_"), or any other single sign.
_TOKEN = re.compile(r"\\[A-Za-z]+|\d+(?:\.\d+)?|[^\W\d_]+|\S")
_NOISE = frozenset(
    [
        *r"$*{}\`",
        r"\left",
        r"\right",
        r"\text",
        r"\mathrm",
        r"\textbf",
        r"\mathbf",
        r"\boxed",
    ]
)
_BETWEEN = frozenset(
    [*",;/|、，()[].:•-–", "or", "and", "to", "maybe", "perhaps", "either"]
)
_OPERATORS = frozenset([*"=+-−×÷·≈<>/^(", r"\times", r"\cdot", r"\approx", r"\div"])
_ENDS = frozenset([*".!?。！？"])
# What a question in words may ask for; closed, as languages close these classes.
CLASSES = tuple(
    frozenset(name.casefold() for name in names)
    for names in (
        calendar.day_name,
        list(calendar.month_name)[1:],
        (
            "black",
            "white",
            "red",
            "green",
            "yellow",
            "blue",
            "brown",
            "purple",
            "pink",
            "orange",
            "grey",
            "gray",
        ),
        ("yes", "no", "true", "false"),
        ("north", "east", "south", "west"),
        ("left", "right", "up", "down"),
    )
)
DECLARED = 6  # tokens before an answer among which "answer" declares it
LEAD = 3  # tokens before a candidate that say how it is brought in


def checked(
    sample: Sample, reply: str, answer: str, equal: bool, golds: Sequence[str] = ()
) -> tuple[Checked, str]:
    """The verdict that stands, and why the judge's does not where it falls.

    `answer` is the final answer that the judge found in the reply, `equal` whether the judge calls
    it equal to the gold. `golds` are the split's golds in words: candidates beside the answer.
    """
    if not answer.strip():
        return ("contradicted", "right without an answer") if equal else ("wrong", "")
    verdict = grade_item(
        GradeItem(
            prediction=in_figures(answer),
            gold=sample.answer or "",
            kind=sample.answer_kind,
            options=sample.options,
            unit=sample.unit,
            tolerance=sample.tolerance,
            ordered=sample.ordered,
            question=sample.asked(),
        )
    )
    if not equal:
        if verdict.equal:
            return (
                "contradicted",
                f"wrong, although its answer {answer[:80]!r} equals the gold",
            )
        if not occurs(sample, reply, answer):
            return (
                "contradicted",
                f"wrong, but its answer {answer[:80]!r} is not in the reply",
            )
        return "wrong", ""
    if not verdict.equal:
        return (
            "contradicted",
            f"right, but its answer {answer[:80]!r} is not the gold by the rules",
        )
    if not states(sample, reply, answer, golds):
        return "contradicted", f"right, but the reply does not end on {answer[:80]!r}"
    return "right", ""


def occurs(sample: Sample, reply: str, answer: str) -> bool:
    """Whether the reply has the numbers of an answer, or where it has none one of its words.

    >>> from benchwright.problem import Source
    >>> s = Sample(id="1", problem_id="1", origin="1", source=Source(name="a", raw_id="1"),
    ...            question="5 + 7?", answer="12")
    >>> occurs(s, r"It is \\frac{1}{2}.", "1/2"), occurs(s, "It is 11.", "13")
    (True, False)
    """
    said = {token.casefold() for token in _tokens(reply)}
    for spelling in _spellings(sample, answer):
        words = [token.casefold() for token in _tokens(spelling)]
        numbers = [token for token in words if _is_number(token)]
        if numbers and said.issuperset(numbers):
            return True
        if not numbers and (not words or said.intersection(words)):
            return True
    return False


def states(sample: Sample, reply: str, answer: str, golds: Sequence[str] = ()) -> bool:
    """Whether `answer`, or the option it names, is the one candidate on which the reply ends.

    Candidates beside a word are its class: weekdays, colours, the names of the question, the
    split's golds.

    >>> from benchwright.problem import Source
    >>> s = Sample(id="1", problem_id="1", origin="1", source=Source(name="a", raw_id="1"),
    ...            question="5 + 7?", answer="12")
    >>> states(s, "As 5 + 7 = 12, he has 12 of them.", "12"), states(s, "11, 12 or 13", "12")
    (True, False)
    """
    said = _tokens(reply)
    labels = frozenset(option.label for option in sample.options)
    if sample.answer_kind == "choices":
        return _last_letters(said, labels) == {c for c in answer if c in labels}
    given = frozenset(_tokens(sample.question))
    for spelling in _spellings(sample, answer):
        words = _tokens(spelling)
        is_label = len(words) == 1 and words[0] in labels
        is_candidate = (lambda t: t in labels) if is_label else _is_number
        if words and not is_label and not any(map(_is_number, words)):
            if _ends_on_words(said, words, _class_of(sample, words, golds)):
                return True
            continue
        if words and _ends_on(
            said, words, is_candidate, frozenset() if is_label else given
        ):
            return True
    return False


def _tokens(text: str) -> list[str]:
    r"""Words, numbers, commands and signs without mark-up; single letters keep their case."""
    text = in_figures(re.sub(r"\\[,;:! ]", " ", text))
    return [
        t if len(t) == 1 else t.casefold()
        for t in _TOKEN.findall(text)
        if t not in _NOISE
    ]


def _is_number(token: str) -> bool:
    return token[0].isdigit()


def _spellings(sample: Sample, answer: str) -> list[str]:
    """The answer, and the label or text of the option that it is."""
    bare = answer.strip().strip("().").strip()
    for option in sample.options:
        if bare == option.label and option.text.strip():
            return [bare, option.text]
        if bare == option.text.strip():
            return [answer, option.label]
    return [bare if any(bare == o.label for o in sample.options) else answer]


def _ends_on(
    said: Sequence[str],
    words: Sequence[str],
    is_candidate: Callable[[str], bool],
    given: frozenset[str],
) -> bool:
    """Whether `words` occur and no other candidate follows or stands beside them.

    `given` are tokens of the question, which are no candidates behind the answer.
    """
    joined = "\0" + "\0".join(said) + "\0"
    place = joined.rfind("\0" + "\0".join(words) + "\0")
    if place < 0:
        return False
    start = joined.count("\0", 0, place)
    end = start + len(words)
    others = [
        k
        for k, token in enumerate(said)
        if is_candidate(token) and token not in words and (k == 0 or said[k - 1] != "^")
    ]
    if any(k >= end and said[k] not in given for k in others):
        return False
    before = [k for k in others if k < start]
    if before and all(t in _BETWEEN for t in said[before[-1] + 1 : start]):
        return False
    lead = _lead(said, start, is_candidate)
    if not lead or all(t in _OPERATORS for t in lead):
        return True
    return all(_lead(said, k, is_candidate) != lead for k in before)


def _class_of(
    sample: Sample, words: Sequence[str], golds: Sequence[str]
) -> frozenset[str]:
    """What else could be answered where `words` are: single words that are no part of these."""
    classes = [members for members in CLASSES if set(words) & members]
    names = re.findall(r"(?<=[a-z,] )[A-Z][a-z]+", sample.asked())
    options = [option.text for option in sample.options]
    tokens = [_tokens(text) for text in (*names, *golds, *options)]
    single = frozenset(text[0] for text in tokens if len(text) == 1)
    return single.union(*classes) - {*words} - _ENDS


def _ends_on_words(
    said: Sequence[str], words: Sequence[str], others: frozenset[str]
) -> bool:
    """Whether the last sentence says `words`, or declares them, and no other of their class."""
    ends = [k for k, token in enumerate(said[:-1]) if token in _ENDS]
    last = ends[-1] + 1 if ends else 0
    size = len(words)
    places = [
        k
        for k in range(len(said) - size + 1)
        if list(said[k : k + size]) == list(words)
    ]
    for at in reversed(places):
        declared = "answer" in said[max(0, at - DECLARED) : at]
        first = max([0, *(end + 1 for end in ends if end < at)])
        around = said[first:] if declared else said[last:]
        if sum(token not in _ENDS for token in around) == size:
            around = said  # an answer alone in its sentence may be one of a list
        if (at >= last or declared) and not others & set(around):
            return not _listed(said, at, at + size)
    return False


def _lead(
    said: Sequence[str], at: int, is_candidate: Callable[[str], bool]
) -> list[str]:
    """The tokens that bring a candidate in, up to the one before it or the sentence's start."""
    first = at
    while (
        first > 0
        and at - first < LEAD
        and said[first - 1] != "."
        and not is_candidate(said[first - 1])
    ):
        first -= 1
    return list(said[first:at])


def _listed(said: Sequence[str], start: int, end: int) -> bool:
    marks = {",", ";", "/", "|", "or", "、", "，"}
    beside = [*said[max(0, start - 1) : start], *said[end : end + 1]]
    return any(token in marks for token in beside)


def _last_letters(said: Sequence[str], labels: frozenset[str]) -> set[str]:
    """The letters of the last run of labels: `A, B and D`, `ABD`."""
    run: set[str] = set()
    for token in reversed(said):
        upper = token.upper()
        is_letters = token in labels or (len(token) > 1 and set(upper) <= labels)
        if is_letters:
            run |= set(upper)
        elif run and token not in _BETWEEN:
            break
    return run
