"""Withheld answers that a release announces: `the answer is 12`, or a label that is the key.

A short answer stands in many texts by chance: one question in sixteen of MATH-V holds its own
answer, as many as hold another's. So two things count that are hardly chance: words that announce
an answer, followed by the problem's own (none of 5,500 real questions has them); and a label that
is the answer of most problems which have it, more often than other problems' answers let expect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..problem import Problem, all_images, samples_of
from ..words import WORDS, words

CHANCE = 1e-3  # that a label which tells nothing is called one that tells
MOST, DEALS = 200, 9999  # problems of a label, and random deals of their answers
_CUE = re.compile(
    rf"(?:{words('answer', 'result')}(?: (?:to|of|for) [^.:;\n]{{1,40}}?)?"
    r"|\bans\.|\b(?:key|(?:correct|right) (?:option|choice|one|letter)))"
    rf"(?:\s+{words('is')}|\s*(?:[:=–—]|-(?=\s))|(?<=\.))"
    rf"|(?:{WORDS['answer']['zh']}|正确选项|故选)\s*[是为:：=]?"
    r"|\\boxed\s*(?=\{)",
    re.IGNORECASE,
)
_CALLED_RIGHT = re.compile(r"\b([A-Z])\)?,? is (?:the )?(?:correct|right)\b")
_OPENING = re.compile(r"[\s\"'“‘`*$({\[（【:：]*")
_NUMBER_GOES_ON = re.compile(r"[.,]\d|\w|\\|[-+/^=<>]|\*\w")
LOOKED_AT = 300  # signs behind a cue


def answers_of(problem: Problem, rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The withheld answers of a problem, its steps and sub-answers; of a letter the option, too."""
    names = [sample.id for sample in samples_of(problem)]
    told: list[str] = []
    for row in (rows[name] for name in names if name in rows):
        told.append(str(row.get("answer") or ""))
        told += [str(part.get("answer") or "") for part in row.get("parts") or []]
    texts = {option.label: option.text for option in problem.options}
    told += [texts[answer] for answer in told if answer in texts]
    return list(dict.fromkeys(_bare(answer) for answer in told if _bare(answer)))


def announced(text: str, answers: Sequence[str]) -> str:
    """The words in which a text tells one of the answers, or "".

    >>> announced("Note: the answer is $12$.", ["12"]), announced("Is the answer 12 or 15?", ["12"])
    ('answer is $12', '')
    >>> announced("故选B。", ["B"]), announced("The answer is 12.5", ["12"])
    ('故选B', '')
    """
    for cue in _CUE.finditer(text):
        start = _OPENING.match(text, cue.end()).end()  # type: ignore[union-attr] # may be empty
        for answer in answers:
            found = text[start : start + len(answer)]
            if len(answer) > LOOKED_AT or not _same(found, answer):
                continue
            if not _NUMBER_GOES_ON.match(text, start + len(answer)):
                return text[cue.start() : start + len(answer)]
    for right in _CALLED_RIGHT.finditer(text):
        if right[1] in answers:
            return right[0]
    return ""


def texts_of(problem: Problem) -> Iterator[str]:
    """Everything that a problem says in words, but for its options."""
    yield problem.question
    yield from (sample.question for sample in problem.samples)
    yield from (sample.condition for sample in problem.samples)
    yield from (
        text for step in problem.steps for text in (step.condition, step.question)
    )
    yield from (image.caption for image in all_images(problem))
    yield from (span.alt or "" for span in problem.spans)
    yield from (
        problem.diagram or "",
        problem.placement or "",
        problem.source.url or "",
    )
    yield from (str(value) for value in problem.labels.values())


def telling_labels(
    problems: Sequence[Problem], answers: Mapping[str, Sequence[str]]
) -> dict[str, tuple[int, int]]:
    """Labels that are the answers: name -> of how many of the problems looked at that have it.

    Half of them at least, and more than chance gives once in a thousand labels (a permutation test:
    answers are dealt to other problems). Looks at up to MOST problems that have the label.
    """
    found = {}
    for name in sorted({name for problem in problems for name in problem.labels}):
        having = [p for p in problems if name in p.labels and answers[p.id]][:MOST]
        golds = [
            {gold.casefold() for gold in answers[problem.id]} for problem in having
        ]
        values = [_values(problem.labels[name]) for problem in having]
        hits = sum(
            bool(value & gold) for value, gold in zip(values, golds, strict=True)
        )
        if hits * 2 >= len(having) > 0 and _chance(values, golds, hits) < CHANCE:
            found[name] = (hits, len(having))
    return found


def _values(value: Any) -> set[str]:
    return {
        _bare(str(one)).casefold()
        for one in (value if isinstance(value, list) else [value])
    }


def _chance(values: Sequence[set[str]], golds: Sequence[set[str]], hits: int) -> float:
    """How often so many hits come about when the golds are dealt at random."""
    import numpy as np

    hit = np.array([[bool(value & gold) for gold in golds] for value in values])
    deals = np.random.default_rng(0).permuted(
        np.tile(np.arange(len(golds)), (DEALS, 1)), axis=1
    )
    as_many = int((hit[np.arange(len(golds)), deals].sum(axis=1) >= hits).sum())
    return (1 + as_many) / (1 + DEALS)


def _same(found: str, answer: str) -> bool:
    """A letter is its capital alone: `the answer is a whole number` tells no A."""
    if len(answer) == 1:
        return found == answer
    return found.casefold() == answer.casefold()


def _bare(answer: str) -> str:
    return answer.strip().strip("$").strip()
