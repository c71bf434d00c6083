"""Golds that are likely wrong, ranked: `benchwright suspects` and its Python twin.

Every kind of evidence sorts a sample into a class by its gold. How much a class says is measured on
the release itself: golds are swapped on purpose, and a class weighs the logarithm of how much more
often swapped golds fall into it than the golds as they are. So weak models that share mistakes say
little, strong and independent ones much, whatever the benchmark; and no weight is set by hand.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from ..base.display import Rows, Table
from ..base.files import write_jsonl, write_text
from ..errors import UserError
from ..evaluate.grading import GradeItem, Verdict, grade_item, grade_response
from ..evaluate.metrics import Result, Run
from ..evaluate.report import write_cases
from ..evaluate.runs import read_run, require_alike
from ..problem import SHARED_FIELDS, Problem, Record, Sample
from ..release import read_samples
from ..words import in_figures
from .rules import findings_of

PRIOR = 0.01  # of golds that are wrong, before any evidence
SWAPS = 3  # swapped golds for each sample, from which the weights are measured
END = 60  # characters of a solution that are its end
LATE = 3  # values at a chain's end that stand for how it goes
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)|<img[^>]*>")
_VALUE = re.compile(r"\d+(?:[.,]\d+)*")


class Suspect(Record, kw_only=True):
    """A gold and what speaks against it; `chance` is that of its being wrong, by the evidence.

    `says` is the answer that the evidence names, `moves` how many points each run's accuracy gains
    if that answer is right.
    """

    id: str
    problem_id: str
    gold: str
    says: str | None
    chance: float
    why: dict[str, list[str]]  # kind of evidence -> what was seen
    moves: dict[str, float]


class Suspects(Rows[Suspect]):
    """Golds to look at, the likeliest wrong first."""

    __slots__ = ()

    def headline(self) -> str:
        return f"{len(self)} suspected golds"

    def table(self) -> Table:
        rows = [
            [s.id, f"{s.chance:.2f}", s.gold, s.says or "",
             "; ".join(line for lines in s.why.values() for line in lines)]
            for s in self
        ]  # fmt: skip
        return ["sample", "chance", "gold", "evidence says", "why"], rows


class Seen(NamedTuple):
    """What one kind of evidence sees at one gold: a class, the answer that it names, and words."""

    kind: str
    found: str
    says: str | None = None
    words: str = ""


def suspects(
    release: str | Path,
    runs: Sequence[str | Path],
    out: str | Path | None = None,
    *,
    split: str | None = None,
    answers: str | Path | None = None,
    top: int = 50,
) -> Suspects:
    """Rank the golds of a split that are likely wrong.

    Evidence: a solution that announces another answer; replies of runs that agree against the gold,
    weighed by their strength and independence; chains of thought that go as the solution does and
    end otherwise; twins with another gold; what `check` finds. With `out`: suspects.jsonl, a page
    with every reply, and errata.yaml to be reviewed: nothing is corrected by itself.

    Args:
        release: Folder of the release.
        runs: Folders that `score` wrote.
        out: Folder for suspects.{jsonl,html} and errata.yaml.
        split: Split to look at [default: that of the runs].
        answers: Private folder, or its answers.jsonl, of a release that withholds answers.
        top: How many are told.

    Raises UserError where runs are of different splits, and without any evidence to look at.

    Example: `suspects("out/math-v-1.0.0", ["scores/gpt", "scores/qwen"])[0].why`
    """
    read = [read_run(Path(folder)) for folder in runs]
    require_alike(read) if read else None
    split = split or (read[0].scores.split if read else "")
    if not split:
        raise UserError("no split to look at", "give scored runs, or --split")
    samples = [s for s in read_samples(release, split, answers) if s.answer]
    look = _Evidence(samples, read)
    weights = _weights(look, samples)
    found = [_suspect(look, sample, weights) for sample in samples]
    ranked = sorted(found, key=lambda s: -s.chance)[:top]
    kept = Suspects(_moved(one, read, len(samples)) for one in ranked if one.chance > PRIOR)
    if out is not None:
        _write(Path(out), kept, read, samples, Path(release))
    return kept


class _Evidence:
    """All that is known of the samples, ready to be held against any gold."""

    def __init__(self, samples: Sequence[Sample], runs: Sequence[Run]) -> None:
        self.samples = {s.id: s for s in samples}
        self.replies: dict[str, dict[str, Result]] = {}
        for run in runs:
            for result in reversed(run.results):
                self.replies.setdefault(result.id, {})[run.name] = result
        self.weight = _independence(runs, self.replies)
        self.read = {s.id: _solved(s) for s in samples if s.solution}
        self.twins: dict[str, list[str]] = {}
        for sample in samples:
            self.twins.setdefault(_asked(sample), []).append(sample.id)

    def of(self, sample: Sample, gold: str) -> Iterator[Seen]:
        """What every kind of evidence sees, if this were the gold."""
        for kind in KINDS:
            if (seen := kind(self, sample, gold)) is not None:
                yield seen

    def solution(self, sample: Sample, gold: str) -> Seen | None:
        """The answer that the solution announces."""
        verdict = self.read.get(sample.id)
        if verdict is None or verdict.extracted is None:
            return None
        same = _same(sample, verdict.extracted, gold)
        there = _stands(sample, gold)
        shape = _shape(sample, verdict.extracted)
        said = f"the solution ends on {verdict.extracted} ({verdict.rule}); the gold stands {there}"
        found = f"{shape}, {verdict.rule}, {'gold' if same else 'another'}, {there}"
        return Seen("solution", found, None if same else verdict.extracted, said)

    def agreement(self, sample: Sample, gold: str) -> Seen | None:
        """The strongest coalition of runs against the gold, and those that say it."""
        camps = self._camps(sample)
        if not camps:
            return None
        own = next((c for answer, c in camps.items() if _same(sample, answer, gold)), {})
        against = {a: c for a, c in camps.items() if c is not own}
        answer = max(against, key=lambda a: (sum(against[a].values()), a), default=None)
        strength = sum(against[answer].values()) if answer is not None else 0.0
        shape = "letters" if sample.options else "values"
        found = f"{shape}, {_step(strength)} against, {_step(sum(own.values()))} for"
        who = ", ".join(sorted(against[answer])) if answer is not None else "nobody"
        return Seen("replies", found, answer, f"{who} say {answer}")

    def _camps(self, sample: Sample) -> dict[str, dict[str, float]]:
        """Runs by the answer that they give, each with its weight."""
        camps: dict[str, dict[str, float]] = {}
        for name, result in self.replies.get(sample.id, {}).items():
            if result.extracted:
                key = next((a for a in camps if _bare(a) == _bare(result.extracted)),
                           result.extracted)  # fmt: skip
                camps.setdefault(key, {})[name] = self.weight[name]
        return camps

    def chains(self, sample: Sample, gold: str) -> Seen | None:
        """Replies that go through the solution's last values and end on another answer."""
        late = set(_VALUE.findall(_plain(sample.solution or ""))[-LATE:])
        late -= set(_VALUE.findall(sample.asked()))
        if not late:
            return None
        ends: Counter[str] = Counter()
        for result in self.replies.get(sample.id, {}).values():
            if result.extracted and late & set(_VALUE.findall(result.response or "")):
                ends[result.extracted] += 1
        if not ends:
            return None
        answer, count = max(ends.items(), key=lambda item: (item[1], item[0]))
        same = _same(sample, answer, gold)
        found = f"{min(count, 4)} chains end on {'the gold' if same else 'another answer'}"
        told = f"{count} replies share the solution's last values and end on {answer}"
        return Seen("chains", found, None if same else answer, told)

    def twin(self, sample: Sample, gold: str) -> Seen | None:
        """The same question and pictures elsewhere in the split."""
        others = [self.samples[n] for n in self.twins[_asked(sample)] if n != sample.id]
        if not others:
            return None
        differ = [o for o in others if not _same(sample, o.answer or "", gold)]
        said = ", ".join(f"{o.id} has {o.answer}" for o in differ or others)
        return Seen("twins", "another gold" if differ else "the same gold",
                    differ[0].answer if differ else None, f"the same question: {said}")  # fmt: skip

    def check(self, sample: Sample, gold: str) -> Seen | None:
        """What the validators say of the gold and its options."""
        fields = {name: getattr(sample, name) for name in SHARED_FIELDS}
        fields |= {"question": sample.asked(), "answer": gold}
        asked = Problem(id=sample.id, origin=sample.origin, source=sample.source, **fields)
        codes = sorted(
            {f.code for f in findings_of(asked) if f.code.startswith(("gold", "option"))}
        )
        return (
            Seen("check", ", ".join(codes), None, f"check: {', '.join(codes)}") if codes else None
        )


Kind = Callable[[_Evidence, Sample, str], Seen | None]
KINDS: tuple[Kind, ...] = (
    _Evidence.solution,
    _Evidence.agreement,
    _Evidence.chains,
    _Evidence.twin,
    _Evidence.check,
)


def _independence(
    runs: Sequence[Run], replies: Mapping[str, Mapping[str, Result]]
) -> dict[str, float]:
    """What each run's word weighs: its strength, shared with runs that make the same mistakes."""
    strength = {run.name: max(0.01, run.scores.accuracy.value or 0.0) for run in runs}
    shared: Counter[tuple[str, str]] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for given in replies.values():
        wrong = {n: _bare(r.extracted) for n, r in given.items() if r.extracted and not r.correct}
        for a in wrong:
            for b in wrong:
                both[a, b] += 1
                shared[a, b] += wrong[a] == wrong[b]
    likeness = {pair: shared[pair] / n for pair, n in both.items()}
    others = [value for (a, b), value in likeness.items() if a != b]
    usual = min(0.5, sorted(others)[len(others) // 2]) if others else 0.0  # copies stay copies
    weight = {}
    for name in strength:
        crowd = sum(
            max(0.0, (likeness.get((name, other), 0.0) - usual) / (1 - usual))
            for other in strength if other != name
        )  # fmt: skip
        weight[name] = strength[name] / max(strength.values()) / (1 + crowd)
    return weight


def _weights(look: _Evidence, samples: Sequence[Sample]) -> dict[tuple[str, str], float]:
    """How much each class of each kind speaks for a wrong gold, measured on swapped golds."""
    real: Counter[tuple[str, str]] = Counter()
    swapped: Counter[tuple[str, str]] = Counter()
    for sample in samples:
        real.update((seen.kind, seen.found) for seen in look.of(sample, sample.answer or ""))
        for gold in _swaps(sample, samples):
            swapped.update((seen.kind, seen.found) for seen in look.of(sample, gold))
    total = {kind: sum(n for (k, _), n in real.items() if k == kind) for kind, _ in real}
    wrong = {kind: sum(n for (k, _), n in swapped.items() if k == kind) for kind, _ in swapped}
    weights = {}
    for kind, found in real.keys() | swapped.keys():
        here = (real[kind, found] + 1) / (total.get(kind, 0) + 2)
        there = (swapped[kind, found] / SWAPS + 1) / (wrong.get(kind, 0) / SWAPS + 2)
        weights[kind, found] = math.log(there / here)
    return weights


def _swaps(sample: Sample, samples: Sequence[Sample]) -> Iterator[str]:
    """Other golds in place of a sample's own: another letter, or the gold of a like sample."""
    for k in range(SWAPS):
        drawn = int.from_bytes(hashlib.sha256(f"{k}\0{sample.id}".encode()).digest()[:8], "big")
        if sample.options:
            pool = [o.label for o in sample.options if o.label != sample.answer]
            if pool:
                yield pool[drawn % len(pool)]
            continue
        for step in range(50):
            other = samples[(drawn + step) % len(samples)]
            if other.answer_kind == sample.answer_kind and other.answer != sample.answer:
                yield other.answer or ""
                break


def _suspect(look: _Evidence, sample: Sample, weights: Mapping[tuple[str, str], float]) -> Suspect:
    seen = list(look.of(sample, sample.answer or ""))
    total = math.log(PRIOR / (1 - PRIOR)) + sum(weights[s.kind, s.found] for s in seen)
    telling = sorted((s for s in seen if weights[s.kind, s.found] > 0),
                     key=lambda s: -weights[s.kind, s.found])  # fmt: skip
    why: dict[str, list[str]] = {}
    for one in telling:
        why.setdefault(one.kind, []).append(one.words)
    return Suspect(
        id=sample.id,
        problem_id=sample.problem_id,
        gold=sample.answer or "",
        says=next((s.says for s in telling if s.says), None),
        chance=round(1 / (1 + math.exp(-max(-50.0, min(50.0, total)))), 6),
        why=why,
        moves={},
    )


def _solved(sample: Sample) -> Verdict:
    """What the solution announces, its pictures left out."""
    return grade_response(
        _plain(sample.solution or ""),
        sample.answer or "",
        kind=sample.answer_kind,
        options=sample.options,
        unit=sample.unit,
        question=sample.asked(),
    )


def _shape(sample: Sample, answer: str) -> str:
    """What sort of answer is read, so that those of one sort are measured together."""
    if sample.options:
        bare = all(option.text.strip() in ("", option.label) for option in sample.options)
        return "letters alone" if bare else "letters"
    plain = re.fullmatch(r"\$?-?\d+(?:[.,]\d+)*\$?", in_figures(answer).strip()) is not None
    return f"{sample.answer_kind}, read {'a number' if plain else 'an expression'}"


def _plain(text: str) -> str:
    return _PICTURE.sub(" ", text).strip()


def _stands(sample: Sample, gold: str) -> str:
    """Where the solution says the gold, as a letter, an option's text or a value."""
    texts = [gold, *(o.text for o in sample.options if o.label == gold and o.text != o.label)]
    solution = _squeezed(_plain(sample.solution or ""))
    places = [
        match.start()
        for text in texts
        if (wanted := _squeezed(text))
        for match in re.finditer(rf"(?<![\w.]){re.escape(wanted)}(?![\w]|\.\d)", solution)
    ]
    if not places:
        return "nowhere in it"
    return "at its end" if max(places) >= len(solution) - END else "before its end"


def _squeezed(text: str) -> str:
    """A text in figures, without mark-up."""
    text = in_figures(text)
    return re.sub(
        r"\s+(?=[^\w\s])|(?<=[^\w\s])\s+|\\[,;:! ]|[${}]|\\(?:text|mathrm|left|right)\b", "", text
    )


def _same(sample: Sample, answer: str, gold: str) -> bool:
    """Whether an answer is the gold, by the rules."""
    answer, gold = in_figures(answer), in_figures(gold)
    if _bare(answer) == _bare(gold):
        return True
    if sample.options or (answer.isdigit() and gold.isdigit()):
        return False
    item = GradeItem(prediction=answer, gold=gold, kind=sample.answer_kind, unit=sample.unit)
    return bool(grade_item(item).equal)


def _bare(text: str | None) -> str:
    return "".join(c for c in (text or "").casefold() if c.isalnum() or c in "-./")


def _asked(sample: Sample) -> str:
    pictures = [image.sha256 for image in sample.images]
    return repr((sample.version, " ".join(sample.asked().split()), pictures,
                 [o.text for o in sample.options]))  # fmt: skip


def _step(strength: float) -> str:
    """A strength in steps of half a run, so that classes are large enough to measure."""
    return f"{min(4.0, math.floor(2 * strength) / 2):g}"


def _moved(one: Suspect, runs: Sequence[Run], n: int) -> Suspect:
    """What each run would gain or lose if the evidence is right."""
    moves = {}
    for run in runs:
        result = next((r for r in run.results if r.id == one.id), None)
        if result is not None and one.says is not None:
            now = _bare(result.extracted) == _bare(one.says)
            moves[run.name] = round((now - run.verdict(result)) / n, 6)
    one.moves = {name: value for name, value in moves.items() if value}
    return one


def _write(
    out: Path, found: Suspects, runs: Sequence[Run], samples: Sequence[Sample], release: Path
) -> None:
    write_jsonl(out / "suspects.jsonl", found)
    entries: list[dict[str, Any]] = [
        {"id": one.problem_id, "field": "answer", "old": one.gold, "new": one.says,
         "reason": "; ".join(line for lines in one.why.values() for line in lines)}
        for one in found if one.says is not None
    ]  # fmt: skip
    head = "# Suspected golds, the likeliest first. Keep what you have looked at; then `errata:`.\n"
    body = yaml.safe_dump(entries, allow_unicode=True, sort_keys=False, width=10_000)
    write_text(out / "errata.yaml", head + body)
    counts: Counter[str] = Counter(kind for one in found for kind in one.why)
    shown = [(one.id, one.why) for one in found]
    write_cases(out / "suspects.html", dict(counts), shown, runs, samples, release)
