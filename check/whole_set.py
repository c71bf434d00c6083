"""A set read as a set: what no single problem shows and all of a source's problems together do.

Two looks: the first counts, the second names the problems. Only counts and lengths are in memory.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from statistics import median

import msgspec

from ..problem import Problem, all_images
from .rules import CheckRule, Finding

FEW = 10  # problems: of fewer nothing is said
EXAMPLES = 3
_SENTENCE = re.compile(
    r"[^\W\d_]+\W+[^\W\d_]+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{4}"
)
GOLD_COMMON = CheckRule("gold-common", "warning", "give each problem its own answer")
SET_UNLIKE = CheckRule(
    "set-unlike", "warning", "look at these raw rows: others have what they lack"
)
SET_LENGTH = CheckRule(
    "set-length", "warning", "look at these raw rows: are they cut as the others?"
)
SET_REPEATED = CheckRule("set-repeated", "warning", "map another column")

# What nearly all problems of a source have, or hardly any.
_TRAITS: dict[str, Callable[[Problem], bool]] = {
    "options": lambda problem: bool(problem.options),
    "an answer": lambda problem: bool(problem.answer.strip() or problem.parts),
    "a solution": lambda problem: bool(problem.solution),
    "pictures": lambda problem: bool(all_images(problem)),
    "parts": lambda problem: bool(problem.parts),
}
# Two fields that say the same in all problems, so that one of them is mapped twice.
_TWICE: dict[str, Callable[[Problem], bool]] = {
    "the answer is the question": lambda p: p.answer.strip() == p.question.strip(),
    "the solution is the question": lambda p: (
        (p.solution or "").strip() == p.question.strip()
    ),
    "all options are equal": lambda p: len(p.options) > 1 and _alike(p),
}


def _alike(problem: Problem) -> bool:
    return len({(o.text, o.image and o.image.sha256) for o in problem.options}) == 1


class _Source(msgspec.Struct):
    """What is counted of a source."""

    golds: Counter[str] = msgspec.field(default_factory=Counter)
    letters: Counter[str] = msgspec.field(default_factory=Counter)
    traits: Counter[str] = msgspec.field(default_factory=Counter)
    twice: Counter[str] = msgspec.field(default_factory=Counter)
    lengths: list[int] = []
    problems: int = 0
    usual: float = 0.0  # the length of a question in the middle
    only: str = ""  # the gold of nearly all


def set_findings(problems: Callable[[], Iterable[Problem]]) -> Iterator[Finding]:
    """What the problems of each source show together; `problems` gives them, twice.

    A gold that stands in most rows is told at each of its problems, all else of the source, with
    three examples: `id` is the source's name then.
    """
    sources: dict[str, _Source] = defaultdict(_Source)
    for problem in problems():
        _count(sources[problem.source.name], problem)
    if not any(source.problems >= FEW for source in sources.values()):
        return
    common = {name: _common(source) for name, source in sources.items()}
    for source in sources.values():
        source.usual = median(source.lengths)
        source.only = _only(source)
    examples: dict[tuple[str, CheckRule, str], list[str]] = defaultdict(list)
    for problem in problems():
        name = problem.source.name
        source = sources[name]
        if source.problems < FEW:
            continue
        gold = problem.answer.strip()
        if gold in common[name] and not problem.parts:
            times = (source.letters if problem.options else source.golds)[gold]
            value = f"{gold[:60]}: the gold of {times} of {source.problems} problems"
            yield _finding(problem.id, GOLD_COMMON, "answer", value)
        if gold and gold == source.only and gold not in common[name]:
            examples[name, SET_REPEATED, f"the gold is {gold[:40]}"].append(problem.id)
        for rule, what in _odd(source, problem):
            examples[name, rule, what].append(problem.id)
    for (name, rule, what), ids in examples.items():
        shown = ", ".join(ids[:EXAMPLES])
        value = f"{len(ids)} of {sources[name].problems} problems: {what}: {shown}"
        yield _finding(name, rule, "source", value)


def _count(source: _Source, problem: Problem) -> None:
    source.problems += 1
    source.lengths.append(len(problem.question))
    gold = problem.answer.strip()
    if gold and not problem.parts:
        (source.letters if problem.options else source.golds)[gold] += 1
    source.traits.update(name for name, holds in _TRAITS.items() if holds(problem))
    source.twice.update(name for name, holds in _TWICE.items() if holds(problem))


def _common(source: _Source) -> set[str]:
    """Golds that say nothing: a sentence that comes again and again."""
    least = max(3, source.problems / 5)
    golds = source.golds.items()
    return {gold for gold, n in golds if n >= least and _SENTENCE.search(gold)}


def _only(source: _Source) -> str:
    """The gold of all problems but a few, or the letter of all with options."""
    for golds, share in ((source.golds, 0.9), (source.letters, 1.0)):
        if golds.total() >= FEW:
            [(gold, count)] = golds.most_common(1)
            if count >= share * golds.total():
                return gold
    return ""


def _odd(source: _Source, problem: Problem) -> Iterator[tuple[CheckRule, str]]:
    """What sets a problem apart from the others of its source, and what it shares with them."""
    few = max(1, source.problems // 10)
    for name, holds in _TRAITS.items():
        lacking = source.problems - source.traits[name]
        if 0 < lacking <= few and not holds(problem):
            yield SET_UNLIKE, f"no {name.removeprefix('a ').removeprefix('an ')}"
    for name, holds in _TWICE.items():
        if source.twice[name] > few and holds(problem):
            yield SET_REPEATED, name
    length = len(problem.question)
    if length > max(3000, 15 * source.usual):
        yield SET_LENGTH, "far longer than the others"
    elif length < min(15, source.usual / 10) and not all_images(problem):
        yield SET_LENGTH, "nearly empty"


def _finding(name: str, rule: CheckRule, where: str, value: str) -> Finding:
    return Finding(
        id=name,
        code=rule.name,
        level=rule.level,
        where=where,
        value=value,
        remedy=rule.remedy,
    )
