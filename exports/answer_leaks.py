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
MOST = 200  # problems of a label that are looked at
DEALS = 9999  # random deals of their answers
LOOKED_AT = 300  # signs behind a cue
# What announces an answer, in English and Chinese: "the result (of ...) is", "Ans.", "key:",
# "正确选项", a box. After an English noun a verb, a colon or a dash must follow.
# What announces an answer: a noun and then a verb, a colon or a dash ("the result of ... is",
# "Ans.", "key:"); the same in Chinese, where the verb may lack; a box.
_NOUN = (
    rf"(?:{words('answer', 'result')}(?: (?:to|of|for) [^.:;\n]{{1,40}}?)?"
    r"|\bans\."
    r"|\b(?:key|(?:correct|right) (?:option|choice|one|letter)))"
)
_IS = rf"(?:\s+{words('is')}|\s*(?:[:=–—]|-(?=\s))|(?<=\.))"
_CHINESE = rf"(?:{WORDS['answer']['zh']}|正确选项|故选)\s*[是为:：=]?"
_BOX = r"\\boxed\s*(?=\{)"
_CUE = re.compile(rf"{_NOUN}{_IS}|{_CHINESE}|{_BOX}", re.IGNORECASE)
# "B) is the correct", which calls a letter right behind it.
_CALLED_RIGHT = re.compile(r"\b([A-Z])\)?,? is (?:the )?(?:correct|right)\b")
# What may stand between a cue and the answer: blanks, quotes, brackets, a dollar.
_OPENING = re.compile(r"[\s\"'“‘`*$({\[（【:：]*")
# Behind a text that is an answer: it goes on, so the answer is another one.
_NUMBER_GOES_ON = re.compile(r"[.,]\d|\w|\\|[-+/^=<>]|\*\w")


def answers_of(problem: Problem, rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The withheld answers of a problem, its steps and sub-answers; of a letter the option, too."""
    answers: list[str] = []
    for sample in samples_of(problem):
        row = rows.get(sample.id)
        if row is not None:
            records = [row, *(row.get("parts") or [])]
            answers += [str(record.get("answer") or "") for record in records]
    texts = {option.label: option.text for option in problem.options}
    answers += [texts[answer] for answer in answers if answer in texts]
    return [*filter(None, dict.fromkeys(map(_bare, answers)))]


def announcement(text: str, answers: Sequence[str]) -> str:
    """The words in which a text tells one of the answers, or "".

    >>> announcement("Note: the answer is $12$.", ["12"])
    'answer is $12'
    >>> announcement("Is the answer 12 or 15?", ["12"]), announcement("故选B。", ["B"])
    ('', '故选B')
    >>> announcement("The answer is 12.5", ["12"])
    ''
    """
    for cue in _CUE.finditer(text):
        start = _OPENING.match(text, cue.end()).end()  # type: ignore[union-attr] # may be empty
        for answer in answers:
            end = start + len(answer)
            if (
                len(answer) <= LOOKED_AT
                and _same(text[start:end], answer)
                and not _NUMBER_GOES_ON.match(text, end)
            ):
                return text[cue.start() : end]
    for right in _CALLED_RIGHT.finditer(text):
        if right[1] in answers:
            return right[0]
    return ""


def texts_of(problem: Problem) -> Iterator[str]:
    """Everything that a problem says in words, but for its options."""
    yield problem.question
    for sample in problem.samples:
        yield sample.question
        yield sample.condition
    for step in problem.steps:
        yield step.condition
        yield step.question
    for image in all_images(problem):
        yield image.caption
    for span in problem.spans:
        yield span.alt or ""
    yield problem.diagram or ""
    yield problem.placement or ""
    yield problem.source.url or ""
    yield from map(str, problem.labels.values())


def telling_labels(
    problems: Sequence[Problem], answers: Mapping[str, Sequence[str]]
) -> dict[str, tuple[int, int]]:
    """Labels that are the answers: name -> of how many of the problems looked at that have it.

    Half of them at least, and more than chance gives once in a thousand labels (a permutation test:
    answers are dealt to other problems). Looks at up to MOST problems that have the label.
    """
    labels = {}
    for name in sorted({name for problem in problems for name in problem.labels}):
        having = [
            problem
            for problem in problems
            if name in problem.labels and answers[problem.id]
        ][:MOST]
        golds = [{gold.casefold() for gold in answers[p.id]} for p in having]
        values = [_values(problem.labels[name]) for problem in having]
        hits = sum(map(bool, map(set.intersection, values, golds)))
        by_half = 2 * hits >= len(having) > 0
        if by_half and _chance(values, golds, hits) < CHANCE:
            labels[name] = (hits, len(having))
    return labels


def _values(label: Any) -> set[str]:
    values = label if isinstance(label, list) else [label]
    return {_bare(str(value)).casefold() for value in values}


def _chance(values: Sequence[set[str]], golds: Sequence[set[str]], hits: int) -> float:
    """How often so many hits come about when the golds are dealt at random."""
    import numpy as np

    hit = np.array([[bool(value & gold) for gold in golds] for value in values])
    in_order = np.arange(len(golds))
    deals = np.tile(in_order, (DEALS, 1))
    deals = np.random.default_rng(0).permuted(deals, axis=1)
    hits_by_chance = hit[in_order, deals].sum(axis=1)
    as_many = int((hits_by_chance >= hits).sum())
    return (1 + as_many) / (1 + DEALS)


def _same(text: str, answer: str) -> bool:
    """A letter is its capital alone: `the answer is a whole number` tells no A."""
    if len(answer) == 1:
        return text == answer
    return text.casefold() == answer.casefold()


def _bare(answer: str) -> str:
    return answer.strip().strip("$").strip()
