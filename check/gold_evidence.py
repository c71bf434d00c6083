"""What speaks for and against a gold, and how much each of it says.

Every kind of evidence describes a gold by features. What these weigh is measured on the release
itself: golds are swapped on purpose, and one logistic regression tells swapped golds from the golds
as they are. So weak models that share mistakes say little, two runs that answer alike share one
weight, an answer that every model likes is no witness, and no weight is set by hand.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import TYPE_CHECKING, NamedTuple

from ..evaluate.metrics import Result, Run
from ..grading.verdicts import GradeItem, Verdict, grade_item, grade_response
from ..problem import SHARED_FIELDS, Problem, Sample
from ..words import in_figures
from .rules import findings_of
from .solution_reading import chosen, ending, place

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]

PRIOR = 0.01  # of golds that are wrong, before any evidence
# What check calls an error of the gold is no matter of weights: swapped golds show nothing of it.
FAULTY = 0.5  # of golds that check calls an error, as a letter without options
SWAPS = 3  # swapped golds for each sample, from which the weights are measured
FITTED = 5_000  # samples at most from which they are
RIDGE = 1.0  # a weight is normal about nothing: a feature of few golds says little
ENDS = (10, 30)  # words of a solution that are its end, and its last part
# Where a solution says something, by how late it does.
PLACES = ("nowhere in it", "in it", "in its last part", "at its end")
SURE = (0.5, 0.8, 0.95)  # probabilities of being one problem that are told apart
SAID = ("boxed", "declared")  # rules by which an answer is called one
LATE = 3  # values at a chain's end that stand for how it goes
CROWD = 6  # runs that agree, told apart up to here
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)|<img[^>]*>")
_VALUE = re.compile(r"\d+(?:[.,]\d+)*")
_MARKUP = re.compile(
    r"\\(?:(?:text|math)[a-z]*|[cdt]?frac|left|right|boxed|q?quad)\b|\\[,;:! ]|[${}~]"
)
_NUMBER = re.compile(r"\$?-?\d+(?:[.,]\d+)*\$?")
_WORD = re.compile(r"\\[a-zA-Z]+|[A-Za-z]+|\d+(?:[.,]\d+)*")

Features = dict[str, float]


class Twins(NamedTuple):
    """Two samples that are one problem, with the probability of that."""

    a: str
    b: str
    score: float


class Clue(NamedTuple):
    """What one kind of evidence sees at a gold: features, the answer that it names, and words.

    A `fault` is an error of the gold by itself, whatever speaks for it.
    """

    kind: str
    features: Features
    says: str | None = None
    words: str = ""
    fault: bool = False


class Weighed(NamedTuple):
    """How likely a gold is wrong, and what of the evidence speaks for that, the strongest first.

    A kind is telling where it says more than it usually does.
    """

    chance: float
    telling: list[Clue]


class Evidence:
    """All that is known of the samples, ready to be held against any gold."""

    def __init__(
        self,
        samples: Sequence[Sample],
        runs: Sequence[Run],
        twins: Iterable[Twins] = (),
    ) -> None:
        self.samples = {s.id: s for s in samples}
        self.replies: dict[str, dict[str, Result]] = {}
        for run in runs:
            for result in reversed(run.results):
                if result.id in self.samples and result.extracted:
                    self.replies.setdefault(result.id, {})[run.name] = result
        with_solution = [sample for sample in samples if sample.solution]
        self.solved = {s.id: _solved(s) for s in with_solution}
        self.solution_words = {s.id: _words(_plain(s.solution)) for s in with_solution}
        self.endings = {s.id: ending(_plain(s.solution)) for s in with_solution}
        # how often each answer to open questions is given, whatever the question
        self.popular: Counter[str] = Counter()
        for name, results in self.replies.items():
            if not self.samples[name].options:
                self.popular.update(bare(r.extracted) for r in results.values())
        self.twins: dict[str, dict[str, float]] = {s.id: {} for s in samples}
        alike: dict[str, list[str]] = {}
        for sample in samples:
            alike.setdefault(_question_of(sample), []).append(sample.id)
        pairs = (pair for ids in alike.values() for pair in combinations(ids, 2))
        for a, b, score in chain(twins, (Twins(a, b, 1.0) for a, b in pairs)):
            if a in self.twins and b in self.twins:
                self.twins[a][b] = self.twins[b][a] = score

    def of(self, sample: Sample, gold: str) -> list[Clue]:
        """What every kind of evidence sees, if this were the gold."""
        clues = [kind(self, sample, gold) for kind in KINDS]
        return [clue for clue in clues if clue is not None]

    def solution(self, sample: Sample, gold: str) -> Clue | None:
        """The answer that the solution announces, and how late it says the gold."""
        verdict = self.solved.get(sample.id)
        if verdict is None:
            return None
        answer = verdict.extracted
        is_gold = answer is not None and _same(sample, answer, gold)
        announced = "none"
        if answer is not None:
            announced = "the gold" if is_gold else "another"
        late, others, shape = self._lateness(sample, gold)
        where = f"{late} of {others}" if sample.options else str(late)
        closing, told = self._closing(sample, gold)
        features = [
            f"{shape}, {announced}",
            f"{shape}, {where}",
            f"{shape}, {announced}, {where}",
            f"{announced}, {late}",
            f"{announced}, {late}, {verdict.rule}",
            f"{shape}, {closing}",
            f"{announced}, {closing}",
            f"{announced}, {closing}, {late}",
        ]
        says = answer if verdict.rule in SAID else told or answer
        if is_gold or (says is not None and _same(sample, says, gold)):
            says = None
        end = f"ends on {says or answer} ({verdict.rule})"
        words = f"the solution {end}; the gold stands {PLACES[late]}"
        return Clue("solution", _ones(features), says, words)

    def _closing(self, sample: Sample, gold: str) -> tuple[str, str | None]:
        """How the gold stands among all that the solution's sentences say, and what else may be
        meant."""
        end = self.endings[sample.id]

        def equal(value: str, other: str) -> bool:
            return _equal(sample, value, other)

        if not sample.options:
            last = end.values[-1] if end.values else []
            numbers = [value for value in last if _NUMBER.fullmatch(value)]
            return place(gold, end, equal), numbers[0] if len(numbers) == 1 else None
        labels = chosen(sample.options, end, equal)
        if gold in labels:
            return "the gold" if len(labels) == 1 else "the gold and others", None
        return ("another", labels[0]) if len(labels) == 1 else ("unclear", None)

    def _lateness(self, sample: Sample, gold: str) -> tuple[int, int, str]:
        """How late a solution says the gold, how late another option, and the sort of answer."""
        solution = self.solution_words[sample.id]
        if not sample.options:
            answer = in_figures(self.solved[sample.id].extracted or "").strip()
            sort = "a number" if _NUMBER.fullmatch(answer) else "an expression"
            shape = f"{sample.answer_kind}, read {sort}"
            return _late(_words(gold), solution), 0, shape
        texts = {option.label: _words(option.text) for option in sample.options}
        # units, and what else tells none apart
        common = set.intersection(*map(set, texts.values()))
        late = {}
        shape = "letters alone"
        for label, text in texts.items():
            words = [word for word in text if word not in common] or [label]
            late[label] = _late(words, solution)
            if words != [label]:
                shape = "letters"
        own = late.pop(gold, 0)
        return own, max(late.values(), default=0), shape

    def agreement(self, sample: Sample, gold: str) -> Clue | None:
        """What each run says of the gold, and the largest camp that agrees on another answer."""
        camps: dict[str, list[str]] = {}
        wordings: dict[str, str] = {}  # of each camp the first run's
        for name, result in self.replies.get(sample.id, {}).items():
            answer = bare(result.extracted)
            camps.setdefault(answer, []).append(name)
            wordings.setdefault(answer, result.extracted or "")
        if not camps:
            return None
        right = {answer for answer in camps if _same(sample, wordings[answer], gold)}
        shape = "letters" if sample.options else "values"
        wrong = camps.keys() - right
        rival = max(
            wrong, key=lambda answer: (len(camps[answer]), answer), default=None
        )
        against = camps[rival] if rival is not None else []
        opposed = f"{min(len(against), CROWD)} against, {shape}"
        shared = sum(len(camps[answer]) for answer in right)
        names = [
            opposed,
            f"{min(shared, CROWD)} for, {shape}",
            f"{opposed}, {min(shared, CROWD // 2)} for",
        ]
        for answer, runs in camps.items():
            side = "for" if answer in right else "against"
            names += [f"{run} {side}, {shape}" for run in runs]
        features = _ones(names)
        bits = self._surprise(sample, rival)
        features[f"bits, {shape}"] = (len(against) - 1) * bits / 10
        who = ", ".join(sorted(against)) or "nobody"
        wording = wordings.get(rival or "")
        return Clue("replies", features, wording, f"{who} say {wording}")

    def _surprise(self, sample: Sample, answer: str | None) -> float:
        """How surprising it is, in bits, that one more run says this by chance."""
        if answer is None:
            return 0.0
        if sample.options:
            return math.log2(max(2, len(sample.options)))
        return math.log2((self.popular.total() + 1) / (self.popular[answer] + 1))

    def chains(self, sample: Sample, gold: str) -> Clue | None:
        """Replies that go through the solution's last values and end on another answer."""
        late = set(_VALUE.findall(_plain(sample.solution))[-LATE:])
        late -= set(_VALUE.findall(sample.asked()))
        if not late:
            return None
        ends: Counter[str] = Counter()
        for reply in self.replies.get(sample.id, {}).values():
            values = _VALUE.findall(reply.response or "")
            if reply.extracted and not late.isdisjoint(values):
                ends[reply.extracted] += 1
        if not ends:
            return None
        answer, count = max(ends.items(), key=lambda item: (item[1], item[0]))
        is_gold = _same(sample, answer, gold)
        end = "the gold" if is_gold else "another answer"
        features = _ones([f"{min(count, CROWD)} chains end on {end}"])
        words = f"{count} replies share the solution's last values and end on {answer}"
        return Clue("chains", features, None if is_gold else answer, words)

    def twin(self, sample: Sample, gold: str) -> Clue | None:
        """The same problem elsewhere in the split, whatever its words and pictures."""
        others = [self.samples[name] for name in sorted(self.twins[sample.id])]
        if not others:
            return None
        told = {other.id: _agree(sample, gold, other) for other in others}
        differ = [other for other in others if told[other.id] is False]
        against = min(len(differ), 2)
        shared = min(sum(agrees is True for agrees in told.values()), 2)
        if not against and not shared:
            return None
        scores = [self.twins[sample.id][other.id] for other in differ or others]
        sure = f"{sum(max(scores) >= level for level in SURE)} sure"
        golds = ", ".join(
            f"{o.id} has {_meant(o, o.answer or '')}" for o in differ or others
        )
        says = _said_by(sample, differ[0]) if differ else None
        features = [
            f"{against} against",
            f"{shared} for",
            f"{against} against, {shared} for",
            f"{against} against, {sure}",
        ]
        return Clue("twins", _ones(features), says, f"the same problem: {golds}")

    def check(self, sample: Sample, gold: str) -> Clue | None:
        """What the validators say of the gold and its options."""
        fields = {name: getattr(sample, name) for name in SHARED_FIELDS}
        fields |= {"question": sample.asked(), "answer": gold}
        problem = Problem(
            id=sample.id, origin=sample.origin, source=sample.source, **fields
        )
        found = {
            finding.code: finding.level
            for finding in findings_of(problem)
            if finding.code.startswith(("gold", "option"))
        }
        if not found:
            return None
        fault = any(
            code.startswith("gold") and level == "error"
            for code, level in found.items()
        )
        codes = sorted(found)
        return Clue("check", _ones(codes), None, f"check: {', '.join(codes)}", fault)


KINDS: tuple[Callable[[Evidence, Sample, str], Clue | None], ...] = (
    Evidence.solution,
    Evidence.agreement,
    Evidence.chains,
    Evidence.twin,
    Evidence.check,
)


def weighed(
    samples: Sequence[Sample],
    runs: Sequence[Run],
    twins: Iterable[Twins] = (),
) -> Iterator[Weighed]:
    """For each sample how likely its gold is wrong, by weights measured on these samples.

    `twins` are one problem in other words, or with its picture drawn anew.
    """
    evidence = Evidence(samples, runs, twins)
    weights = _weights(evidence, samples)
    scored = []
    by_kind: dict[str, list[float]] = {}
    for sample in samples:
        clues = evidence.of(sample, sample.answer or "")
        scores = [_score(weights, clue) for clue in clues]
        scored.append((clues, scores))
        for clue, score in zip(clues, scores, strict=True):
            by_kind.setdefault(clue.kind, []).append(score)
    usual = {kind: sum(scores) / len(scores) for kind, scores in by_kind.items()}
    for clues, scores in scored:
        prior = FAULTY if any(clue.fault for clue in clues) else PRIOR
        total = weights[""] + math.log(prior / (1 - prior)) + sum(scores)
        chance = 1 / (1 + math.exp(-max(-50.0, min(50.0, total))))
        beyond = [s - usual[c.kind] for c, s in zip(clues, scores, strict=True)]
        ranked = sorted(zip(beyond, clues, strict=True), key=lambda pair: -pair[0])
        yield Weighed(chance, [clue for more, clue in ranked if more > 0 or clue.fault])


def _score(weights: dict[str, float], clue: Clue) -> float:
    """How much one kind speaks for a wrong gold."""
    return sum(weights.get(name, 0.0) * value for name, value in _named(clue).items())


def _named(clue: Clue) -> Features:
    """The features of one kind under names that no other kind has."""
    return {f"{clue.kind}: {name}": value for name, value in clue.features.items()}


def _weights(evidence: Evidence, samples: Sequence[Sample]) -> dict[str, float]:
    """Logarithms of how much more often swapped golds have a feature, all else being equal."""
    import numpy as np

    shuffled = sorted(samples, key=lambda s: hashlib.sha256(s.id.encode()).digest())
    drawn = shuffled[:FITTED]
    golds = [(sample, sample.answer or "") for sample in drawn]
    golds += [(sample, gold) for sample in drawn for gold in _swaps(sample, drawn)]
    rows = []
    for sample, gold in golds:
        row = {"": 1.0}
        for clue in evidence.of(sample, gold):
            row |= _named(clue)
        rows.append(row)
    place = {name: k for k, name in enumerate(sorted(set().union(*rows)))}
    table = np.zeros((len(rows), len(place)))
    for k, row in enumerate(rows):
        table[k, [place[name] for name in row]] = list(row.values())
    swapped = np.ones(len(rows))
    swapped[: len(drawn)] = 0.0
    # golds and swapped ones weigh alike as a whole
    share = np.where(swapped > 0, len(drawn) / max(1, len(rows) - len(drawn)), 1.0)
    return dict(zip(place, map(float, _logistic(table, swapped, share)), strict=True))


def _logistic(table: Reals, truth: Reals, share: Reals) -> Reals:
    """Weights of a ridge regression by Newton's steps (Hastie et al. 2009, 4.4)."""
    import numpy as np

    weights = np.zeros(table.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-(table @ weights)))
        curvature = share * chance * (1 - chance)
        bend = (table * curvature[:, None]).T @ table
        bend += RIDGE * np.eye(len(weights))
        gradient = table.T @ (share * (truth - chance)) - RIDGE * weights
        step = np.linalg.solve(bend, gradient)
        weights += step
        if np.abs(step).max() < 0.01:
            break
    return weights


def _swaps(sample: Sample, samples: Sequence[Sample]) -> Iterator[str]:
    """Other golds in place of a sample's own: another letter, or the gold of a like sample."""
    for k in range(SWAPS):
        digest = hashlib.sha256(f"{k}\0{sample.id}".encode()).digest()
        drawn = int.from_bytes(digest[:8], "big")
        if sample.options:
            pool = [o.label for o in sample.options if o.label != sample.answer]
            if pool:
                yield pool[drawn % len(pool)]
            continue
        for step in range(50):
            other = samples[(drawn + step) % len(samples)]
            is_alike = other.answer_kind == sample.answer_kind
            if is_alike and other.answer != sample.answer:
                yield other.answer or ""
                break


def _solved(sample: Sample) -> Verdict:
    """What the solution announces, its pictures left out."""
    return grade_response(
        _plain(sample.solution),
        sample.answer or "",
        kind=sample.answer_kind,
        options=sample.options,
        unit=sample.unit,
        question=sample.asked(),
    )


def _ones(names: Sequence[str]) -> Features:
    return dict.fromkeys(names, 1.0)


def _plain(text: str | None) -> str:
    return _PICTURE.sub(" ", text or "").strip()


def _words(text: str) -> list[str]:
    """Words, letters and values without markup; single letters keep their case."""
    words = _WORD.findall(_MARKUP.sub(" ", in_figures(text)))
    return [word if len(word) == 1 else word.lower() for word in words]


def _late(words: Sequence[str], text: Sequence[str]) -> int:
    """How late all of some words are said, an index of PLACES."""
    if not words:
        return 0
    parts = (text[-ENDS[0] :], text[-ENDS[1] :], text)
    return next((3 - k for k, part in enumerate(parts) if {*words} <= {*part}), 0)


def _same(sample: Sample, answer: str, gold: str) -> bool:
    """Whether an answer is the gold, by the rules."""
    answer = in_figures(answer)
    gold = in_figures(gold)
    if bare(answer) == bare(gold):
        return True
    if sample.options or (answer.isdigit() and gold.isdigit()):
        return False
    item = GradeItem(
        prediction=answer, gold=gold, kind=sample.answer_kind, unit=sample.unit
    )
    return bool(grade_item(item).equal)


def _equal(sample: Sample, value: str, other: str) -> bool:
    """Whether two values are one, whether or not the sample has options."""
    if bare(value) == bare(other):
        return True
    if value.isdigit() and other.isdigit():
        return False
    kind = "expression" if sample.options else sample.answer_kind
    item = GradeItem(prediction=value, gold=other, kind=kind, unit=sample.unit)
    return bool(grade_item(item).equal)


def _meant(sample: Sample, gold: str) -> str:
    """What a gold says: the option's text where it is a letter of one."""
    texts = {option.label: option.text for option in sample.options}
    return texts.get(gold) or gold


def _agree(sample: Sample, gold: str, other: Sample) -> bool | None:
    """Whether a gold is the one of the same problem elsewhere; None where nobody can say.

    Options that all but one say the same at their places are one list, whatever the one says.
    Letters alone, and pictures, may stand in another order elsewhere: they only agree.
    """
    theirs = other.answer or ""
    labels, theirs_too = ([o.label for o in one.options] for one in (sample, other))
    place = labels.index(gold) if gold in labels else None
    their_place = theirs_too.index(theirs) if theirs in theirs_too else None
    if _by_place(sample) or _by_place(other):
        return True if place is not None and place == their_place else None
    if _aligned(sample, other):
        return place == their_place
    return _equal(other, _meant(sample, gold), _meant(other, theirs))


def _by_place(sample: Sample) -> bool:
    """Whether its options say nothing by themselves: single letters, or pictures."""
    return any(
        len(option.text.strip("$ ")) <= 1 for option in sample.options
    ) and not any(option.text.strip("$ ").isdigit() for option in sample.options)


def _aligned(sample: Sample, other: Sample) -> bool:
    """Whether all options but one, or all, say the same at the same place."""
    texts = [[bare(option.text) for option in one.options] for one in (sample, other)]
    same = sum(a == b for a, b in zip(*texts, strict=False))
    return len(texts[0]) == len(texts[1]) > 1 and same >= len(texts[0]) - 1


def _said_by(sample: Sample, other: Sample) -> str:
    """The gold of the same problem elsewhere, by this one's letters."""
    value = _meant(other, other.answer or "")
    if _aligned(sample, other):
        places = zip(other.options, sample.options, strict=True)
        return next((o.label for t, o in places if t.label == other.answer), value)
    labels = (o.label for o in sample.options if _equal(sample, o.text, value))
    return next(labels, value)


def bare(text: str | None) -> str:
    """The letters, figures and signs of an answer, by which replies are put together.

    >>> bare("(A)."), bare("-1/2 cm")
    ('a.', '-1/2cm')
    """
    return "".join(c for c in (text or "").casefold() if c.isalnum() or c in "-./^")


def _question_of(sample: Sample) -> str:
    """Version, words, pictures and options of a question: alike for twins."""
    pictures = [image.sha256 for image in sample.images]
    options = [option.text for option in sample.options]
    return repr((sample.version, sample.asked().split(), pictures, options))
