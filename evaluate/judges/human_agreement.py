"""Judge against people: does the judge say what human voters say of the same replies?"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...base.display import Display, Table
from ...base.files import read_jsonl, read_lines
from ...errors import UserError
from ...problem import Record, Vote


def cohen_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Chance-corrected agreement of two raters (Cohen 1960); None when chance is certain.

    >>> pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    >>> round(cohen_kappa(pairs), 2)
    0.4
    """
    if not pairs:
        return None
    n = len(pairs)
    agreed = sum(a == b for a, b in pairs) / n
    left = Counter(a for a, _ in pairs)
    right = Counter(b for _, b in pairs)
    chance = sum(left[value] * right[value] for value in left) / n**2
    return None if chance == 1 else (agreed - chance) / (1 - chance)


# A judge's field, and what the annotators' form calls it.
VOTED_AS = {"category": "first_error"}
# Judge -> id -> value; the judge "" is a file that names none.
Judgements = dict[str, dict[str, str]]


def judged_values(path: Path, field: str, protocol: str | None = None) -> Judgements:
    """Each judge's values of `field` in judges.jsonl, cot.jsonl, process.jsonl or samples.jsonl.

    `protocol` chooses the lines of one protocol; judgements that ended otherwise than ok are none.
    """
    values: Judgements = {}
    for number, line in read_lines(path):
        try:
            row = msgspec.json.decode(line)
            name = str(row["id"])
            value = row[field]
        except (msgspec.DecodeError, LookupError, TypeError) as error:
            raise UserError(
                f"{path}:{number}: no field {field!r} ({error})",
                "give a file that `evaluate` or `score` wrote, and one of its fields",
            ) from error
        is_ok = "judge" not in row or row.get("status", "ok") == "ok"
        of_protocol = protocol is None or row.get("protocol", protocol) == protocol
        if value is not None and is_ok and of_protocol:
            values.setdefault(row.get("judge", ""), {})[name] = _text(value)
    return values


def human_values(path: Path, field: str) -> dict[str, str]:
    """id -> the human majority on `field`; each person's latest vote counts, ties are left out."""
    latest: dict[tuple[str, str], Vote] = {}
    for vote in read_jsonl(path, Vote):
        if vote.field == field and vote.kind == "human" and vote.value is not None:
            key = (vote.problem_id, vote.annotator)
            if key not in latest or vote.at >= latest[key].at:
                latest[key] = vote
    votes: dict[str, Counter[str]] = {}
    for vote in latest.values():
        votes.setdefault(vote.problem_id, Counter())[_text(vote.value)] += 1
    majority = {}
    for name, counts in votes.items():
        (best, most), *others = counts.most_common(2)
        if not others or others[0][1] < most:
            majority[name] = best
    return majority


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


class JudgeAgreement(Display, Record, kw_only=True):
    """How far a judge and people agree on the samples of both; kappa with its 95 % interval."""

    n: int
    only_judged: int
    only_voted: int
    agreement: float
    kappa: float | None
    kappa_low: float | None
    kappa_high: float | None
    confusion: dict[str, int]  # "judge / people" -> how often
    disagreements: list[dict[str, str]]
    by_judge: dict[str, JudgeAgreement] = msgspec.field(default_factory=dict)

    def headline(self) -> str:
        kappa = "none" if self.kappa is None else f"{self.kappa:.3f}"
        return f"{self.n} samples, agreement {self.agreement:.3f}, kappa {kappa}"

    def table(self) -> Table:
        rows = [[verdicts, n] for verdicts, n in self.confusion.items()]
        return ["judge / people", "samples"], rows


def judge_agreement(
    judged: str | Path,
    votes: str | Path,
    field: str,
    human_field: str | None = None,
    seed: int = 0,
    protocol: str | None = None,
) -> JudgeAgreement:
    """Raw agreement and kappa with a 95 % bootstrap interval, the confusion, each disagreement.

    Of a file that several judges fill, such as judges.jsonl, the figures are over all their
    judgements, and `by_judge` has each one's.

    Args:
        judged: Judgements: judges.jsonl, answers.jsonl, cot.jsonl, process.jsonl or samples.jsonl
            of a score.
        votes: The people's votes.jsonl, whose problem_id holds the sample's id.
        field: Field of the judgements: category, answer, correct.
        human_field: Field of the votes, if it has another name; people name a category in
            `first_error`.
        seed: Of the bootstrap.
        protocol: Of judges.jsonl: answers, cot or process.

    Raises UserError when no id is in both.

    Example: `judge_agreement("scores/process.jsonl", "votes.jsonl", "category").kappa`
    """
    by_judge = judged_values(Path(judged), field, protocol)
    names = [human_field or field]
    if human_field is None and field in VOTED_AS:
        names.append(VOTED_AS[field])
    people = next(filter(None, (human_values(Path(votes), name) for name in names)), {})
    human_field = " or ".join(names)
    if not any(values.keys() & people.keys() for values in by_judge.values()):
        raise UserError(
            f"{votes} has no human votes on {human_field!r} for the samples of {judged}",
            "vote on the samples that were judged, or name the votes' field with --human-field",
        )
    agreement = _agreement(list(by_judge.values()), people, seed)
    if len(by_judge) > 1:
        agreement.by_judge = {
            name: _agreement([values], people, seed)
            for name, values in sorted(by_judge.items())
        }
    return agreement


def _agreement(
    judges: list[dict[str, str]], people: dict[str, str], seed: int
) -> JudgeAgreement:
    pairs = [
        (name, values[name], people[name])
        for values in judges
        for name in sorted(values.keys() & people.keys())
    ]
    judged = {name for values in judges for name in values}
    verdicts = [(a, b) for _, a, b in pairs]
    same = sum(a == b for a, b in verdicts)
    low, high = _bootstrap(verdicts, seed)
    return JudgeAgreement(
        n=len(pairs),
        only_judged=len(judged - people.keys()),
        only_voted=len(people.keys() - judged),
        agreement=round(same / len(verdicts), 6) if verdicts else 0.0,
        kappa=_rounded(cohen_kappa(verdicts)),
        kappa_low=low,
        kappa_high=high,
        confusion={f"{a} / {b}": n for (a, b), n in sorted(Counter(verdicts).items())},
        disagreements=[
            {"id": name, "judge": a, "people": b} for name, a, b in pairs if a != b
        ],
    )


def _bootstrap(
    pairs: list[tuple[str, str]], seed: int, rounds: int = 1000
) -> tuple[Any, Any]:
    """Percentile interval over resampled items."""
    draw = random.Random(seed)
    samples = (draw.choices(pairs, k=len(pairs)) for _ in range(rounds))
    kappas = [cohen_kappa(sample) for sample in samples]
    values = sorted(kappa for kappa in kappas if kappa is not None)
    if not values:
        return None, None
    low = values[int(0.025 * len(values))]
    high = values[int(0.975 * len(values)) - 1]
    return _rounded(low), _rounded(high)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
