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
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..evaluate.metrics import Result, Run
from ..grading.verdicts import GradeItem, Verdict, grade_item, grade_response
from ..problem import SHARED_FIELDS, Problem, Sample
from ..words import in_figures
from .rules import findings_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]

PRIOR = 0.01  # of golds that are wrong, before any evidence
SWAPS = 3  # swapped golds for each sample, from which the weights are measured
FITTED = 5_000  # samples at most from which they are
RIDGE = 1.0  # a weight is normal about nothing: a feature of few golds says little
ENDS = (10, 30)  # words of a solution that are its end, and its last part
LATE = 3  # values at a chain's end that stand for how it goes
CROWD = 6  # runs that agree, told apart up to here
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)|<img[^>]*>")
_VALUE = re.compile(r"\d+(?:[.,]\d+)*")
_MARKUP = re.compile(
    r"\\(?:(?:text|math)[a-z]*|[cdt]?frac|left|right|boxed|q?quad)\b|\\[,;:! ]|[${}~]"
)
_WORD = re.compile(r"\\[a-zA-Z]+|[A-Za-z]+|\d+(?:[.,]\d+)*")

Features = dict[str, float]


class Seen(NamedTuple):
    """What one kind of evidence sees at a gold: features, the answer that it names, and words."""

    kind: str
    features: Features
    says: str | None = None
    words: str = ""


class Weighed(NamedTuple):
    """How likely a gold is wrong, and what of the evidence speaks for that, the strongest first.

    A kind is telling where it says more than it usually does.
    """

    chance: float
    telling: list[Seen]


class Evidence:
    """All that is known of the samples, ready to be held against any gold."""

    def __init__(self, samples: Sequence[Sample], runs: Sequence[Run]) -> None:
        self.samples = {s.id: s for s in samples}
        self.replies: dict[str, dict[str, Result]] = {}
        for run in runs:
            for result in reversed(run.results):
                if result.id in self.samples and result.extracted:
                    self.replies.setdefault(result.id, {})[run.name] = result
        self.solved = {s.id: _solved(s) for s in samples if s.solution}
        self.said = {s.id: _words(_plain(s.solution)) for s in samples if s.solution}
        self.liked = Counter(
            bare(result.extracted)
            for name, given in self.replies.items()
            if not self.samples[name].options
            for result in given.values()
        )
        self.twins: dict[str, list[str]] = {}
        for sample in samples:
            self.twins.setdefault(_asked(sample), []).append(sample.id)

    def of(self, sample: Sample, gold: str) -> list[Seen]:
        """What every kind of evidence sees, if this were the gold."""
        seen = [kind(self, sample, gold) for kind in KINDS]
        return [one for one in seen if one is not None]

    def solution(self, sample: Sample, gold: str) -> Seen | None:
        """The answer that the solution announces, and how late it says the gold."""
        verdict = self.solved.get(sample.id)
        if verdict is None:
            return None
        read = verdict.extracted
        same = read is not None and _same(sample, read, gold)
        announced = "none" if read is None else "the gold" if same else "another"
        own, others, shape = self._stands(sample, gold)
        place = f"{own} of {others}" if sample.options else str(own)
        features = [
            f"{shape}, {announced}",
            f"{shape}, {place}",
            f"{shape}, {announced}, {place}",
            f"{announced}, {own}",
            f"{announced}, {own}, {verdict.rule}",
        ]
        there = ("nowhere in it", "in it", "in its last part", "at its end")[own]
        words = f"the solution ends on {read} ({verdict.rule}); the gold stands {there}"
        return Seen("solution", _ones(features), None if same else read, words)

    def _stands(self, sample: Sample, gold: str) -> tuple[int, int, str]:
        """How late a solution says the gold, how late another option, and the sort of answer."""
        said = self.said[sample.id]
        if not sample.options:
            read = self.solved[sample.id].extracted or ""
            plain = re.fullmatch(r"\$?-?\d+(?:[.,]\d+)*\$?", in_figures(read).strip())
            shape = (
                f"{sample.answer_kind}, read {'a number' if plain else 'an expression'}"
            )
            return _late(_words(gold), said), 0, shape
        texts = [_words(option.text) for option in sample.options]
        common = set(texts[0]).intersection(
            *texts[1:]
        )  # units, and what else tells none apart
        own = {
            option.label: [word for word in text if word not in common]
            or [option.label]
            for option, text in zip(sample.options, texts, strict=True)
        }
        late = {label: _late(words, said) for label, words in own.items()}
        bare = all(words == [label] for label, words in own.items())
        others = max((n for label, n in late.items() if label != gold), default=0)
        return late.get(gold, 0), others, "letters alone" if bare else "letters"

    def agreement(self, sample: Sample, gold: str) -> Seen | None:
        """What each run says of the gold, and the largest camp that agrees on another answer."""
        camps: dict[str, list[str]] = {}
        given = self.replies.get(sample.id, {})
        for name, result in given.items():
            camps.setdefault(bare(result.extracted), []).append(name)
        if not camps:
            return None
        first = {
            answer: given[names[0]].extracted or "" for answer, names in camps.items()
        }
        own = {answer for answer in camps if _same(sample, first[answer], gold)}
        shape = "letters" if sample.options else "values"
        rival = max(camps.keys() - own, key=lambda a: (len(camps[a]), a), default=None)
        against = camps[rival] if rival is not None else []
        held = f"{min(len(against), CROWD)} against, {shape}"
        shared = sum(len(camps[answer]) for answer in own)
        features = _ones(
            [
                held,
                f"{min(shared, CROWD)} for, {shape}",
                f"{held}, {min(shared, CROWD // 2)} for",
                *(
                    f"{name} {'for' if answer in own else 'against'}, {shape}"
                    for answer, names in camps.items()
                    for name in names
                ),
            ]
        )
        features[f"bits, {shape}"] = (len(against) - 1) * self._rare(sample, rival) / 10
        who = ", ".join(sorted(against)) or "nobody"
        return Seen(
            "replies",
            features,
            first.get(rival or ""),
            f"{who} say {first.get(rival or '')}",
        )

    def _rare(self, sample: Sample, answer: str | None) -> float:
        """How surprising it is, in bits, that one more run says this by chance."""
        if answer is None:
            return 0.0
        if sample.options:
            return math.log2(max(2, len(sample.options)))
        return math.log2((self.liked.total() + 1) / (self.liked[answer] + 1))

    def chains(self, sample: Sample, gold: str) -> Seen | None:
        """Replies that go through the solution's last values and end on another answer."""
        late = set(_VALUE.findall(_plain(sample.solution))[-LATE:])
        late -= set(_VALUE.findall(sample.asked()))
        given = self.replies.get(sample.id, {}).values() if late else ()
        ends = Counter(
            r.extracted
            for r in given
            if r.extracted and late & set(_VALUE.findall(r.response or ""))
        )
        if not ends:
            return None
        answer, count = max(ends.items(), key=lambda item: (item[1], item[0]))
        same = _same(sample, answer, gold)
        found = f"{min(count, CROWD)} chains end on {'the gold' if same else 'another answer'}"
        told = f"{count} replies share the solution's last values and end on {answer}"
        return Seen("chains", _ones([found]), None if same else answer, told)

    def twin(self, sample: Sample, gold: str) -> Seen | None:
        """The same question and pictures elsewhere in the split."""
        others = [self.samples[n] for n in self.twins[_asked(sample)] if n != sample.id]
        if not others:
            return None
        differ = [o for o in others if not _same(sample, o.answer or "", gold)]
        said = ", ".join(f"{o.id} has {o.answer}" for o in differ or others)
        found = "another gold" if differ else "the same gold"
        says = differ[0].answer if differ else None
        return Seen("twins", _ones([found]), says, f"the same question: {said}")

    def check(self, sample: Sample, gold: str) -> Seen | None:
        """What the validators say of the gold and its options."""
        fields = {name: getattr(sample, name) for name in SHARED_FIELDS}
        fields |= {"question": sample.asked(), "answer": gold}
        asked = Problem(
            id=sample.id, origin=sample.origin, source=sample.source, **fields
        )
        codes = {
            f.code for f in findings_of(asked) if f.code.startswith(("gold", "option"))
        }
        if not codes:
            return None
        return Seen(
            "check", _ones(sorted(codes)), None, f"check: {', '.join(sorted(codes))}"
        )


KINDS: tuple[Callable[[Evidence, Sample, str], Seen | None], ...] = (
    Evidence.solution,
    Evidence.agreement,
    Evidence.chains,
    Evidence.twin,
    Evidence.check,
)


def weighed(samples: Sequence[Sample], runs: Sequence[Run]) -> Iterator[Weighed]:
    """For each sample how likely its gold is wrong, by weights measured on these samples."""
    look = Evidence(samples, runs)
    weights = _weights(look, samples)
    scored = [
        [(seen, _score(weights, seen)) for seen in look.of(sample, sample.answer or "")]
        for sample in samples
    ]
    kinds: dict[str, list[float]] = {}
    for seen, score in (part for parts in scored for part in parts):
        kinds.setdefault(seen.kind, []).append(score)
    usual = {kind: sum(scores) / len(scores) for kind, scores in kinds.items()}
    for parts in scored:
        total = (
            weights[""]
            + math.log(PRIOR / (1 - PRIOR))
            + sum(score for _, score in parts)
        )
        chance = 1 / (1 + math.exp(-max(-50.0, min(50.0, total))))
        beyond = sorted(
            ((seen, score - usual[seen.kind]) for seen, score in parts),
            key=lambda part: -part[1],
        )
        yield Weighed(chance, [seen for seen, more in beyond if more > 0])


def _score(weights: dict[str, float], seen: Seen) -> float:
    """How much one kind speaks for a wrong gold."""
    return sum(
        weights.get(f"{seen.kind}: {name}", 0.0) * value
        for name, value in seen.features.items()
    )


def _weights(look: Evidence, samples: Sequence[Sample]) -> dict[str, float]:
    """Logarithms of how much more often swapped golds have a feature, all else being equal."""
    import numpy as np

    drawn = sorted(samples, key=lambda s: hashlib.sha256(s.id.encode()).digest())[
        :FITTED
    ]
    golds = [(s, s.answer or "", 0.0) for s in drawn]
    golds += [(s, gold, 1.0) for s in drawn for gold in _swaps(s, drawn)]
    rows = [
        {
            f"{seen.kind}: {name}": value
            for seen in look.of(sample, gold)
            for name, value in seen.features.items()
        }
        | {"": 1.0}
        for sample, gold, _ in golds
    ]
    place = {name: k for k, name in enumerate(sorted(set().union(*rows)))}
    table = np.zeros((len(rows), len(place)))
    for k, row in enumerate(rows):
        table[k, [place[name] for name in row]] = list(row.values())
    swapped = np.array([is_swapped for _, _, is_swapped in golds])
    share = np.where(
        swapped > 0, (swapped == 0).sum() / max(1, (swapped > 0).sum()), 1.0
    )
    return dict(zip(place, map(float, _logistic(table, swapped, share)), strict=True))


def _logistic(table: Reals, truth: Reals, share: Reals) -> Reals:
    """Weights of a ridge regression by Newton's steps (Hastie et al. 2009, 4.4)."""
    import numpy as np

    weights = np.zeros(table.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-(table @ weights)))
        bend = (table * (share * chance * (1 - chance))[:, None]).T @ table
        bend += RIDGE * np.eye(len(weights))
        step = np.linalg.solve(
            bend, table.T @ (share * (truth - chance)) - RIDGE * weights
        )
        weights += step
        if np.abs(step).max() < 0.01:
            break
    return weights


def _swaps(sample: Sample, samples: Sequence[Sample]) -> Iterator[str]:
    """Other golds in place of a sample's own: another letter, or the gold of a like sample."""
    for k in range(SWAPS):
        drawn = int.from_bytes(
            hashlib.sha256(f"{k}\0{sample.id}".encode()).digest()[:8], "big"
        )
        if sample.options:
            pool = [o.label for o in sample.options if o.label != sample.answer]
            if pool:
                yield pool[drawn % len(pool)]
            continue
        for step in range(50):
            other = samples[(drawn + step) % len(samples)]
            if (
                other.answer_kind == sample.answer_kind
                and other.answer != sample.answer
            ):
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
    found = _WORD.findall(_MARKUP.sub(" ", in_figures(text)))
    return [word if len(word) == 1 else word.lower() for word in found]


def _late(wanted: Sequence[str], said: Sequence[str]) -> int:
    """How late all of some words are said: 3 at the end, 2 in the last part, 1 somewhere, 0 no."""
    parts = (said[-ENDS[0] :], said[-ENDS[1] :], said)
    return next(
        (3 - k for k, part in enumerate(parts) if wanted and {*wanted} <= {*part}), 0
    )


def _same(sample: Sample, answer: str, gold: str) -> bool:
    """Whether an answer is the gold, by the rules."""
    answer, gold = in_figures(answer), in_figures(gold)
    if bare(answer) == bare(gold):
        return True
    if sample.options or (answer.isdigit() and gold.isdigit()):
        return False
    item = GradeItem(
        prediction=answer, gold=gold, kind=sample.answer_kind, unit=sample.unit
    )
    return bool(grade_item(item).equal)


def bare(text: str | None) -> str:
    """The letters, figures and signs of an answer, by which replies are put together.

    >>> bare("(A)."), bare("-1/2 cm")
    ('a.', '-1/2cm')
    """
    return "".join(c for c in (text or "").casefold() if c.isalnum() or c in "-./")


def _asked(sample: Sample) -> str:
    pictures = [image.sha256 for image in sample.images]
    return repr(
        (
            sample.version,
            " ".join(sample.asked().split()),
            pictures,
            [o.text for o in sample.options],
        )
    )
