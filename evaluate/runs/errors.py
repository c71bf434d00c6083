"""The cases that tell most about runs: where to look first. `benchwright evaluate errors`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rapidfuzz.fuzz import ratio

from ...base.display import Rows, Table
from ...base.files import write_jsonl
from ...errors import UserError
from ...problem import VERSIONS, Record
from ..metrics import IsCorrect, Result, Run
from ..predictions import read_material
from ..report import by_sample, write_cases
from .read import read_runs

SEARCHED = 20_000  # characters at the end of a reply in which the gold is looked for
# What is no prose, and so names no option by a letter: code, formulas, drawings, nested calls.
_CODE = re.compile(
    r"""
    ```.*?```
    | \$[^$]*\$
    | \[asy\].*?\[/asy\]
    | \w+\([^()\n]*\([^\n]*;
    """,
    re.DOTALL | re.VERBOSE,
)
SURPRISING = 1.0  # bits from which who is right is told as a surprise
NEAR = 0.05  # relative error of a near miss
ALIKE = 85  # similarity of texts, of 100, from which they nearly agree
KINDS = (
    "gold in the reply, not read",
    "robust against official",
    "near miss",
    "one run against all",
    "flips between versions",
    "surprise",
)


class TellingCase(Record, kw_only=True):
    """One sample and why it is worth a look; `right` says how many `replies` of each run got it.

    `extracted` is what was read in the first of them. `weight` is how surprising it is in
    bits: of each kind how rare it is among these samples, and of the verdicts how unlikely they are
    for runs of this strength on so difficult a sample.
    """

    id: str
    problem_id: str
    weight: float
    why: dict[str, list[str]]  # kind -> what was seen, by run
    gold: str
    right: dict[str, int]
    replies: dict[str, int]
    extracted: dict[str, str | None]


class TellingCases(Rows[TellingCase]):
    """The cases, the most telling first."""

    __slots__ = ()

    def headline(self) -> str:
        counts = ", ".join(f"{kind} {n}" for kind, n in self.counts().items() if n)
        return f"{len(self)} telling cases" + (f": {counts}" if counts else "")

    def counts(self) -> dict[str, int]:
        """How many cases are of each kind."""
        return {kind: sum(kind in case.why for case in self) for kind in KINDS}

    def table(self) -> Table:
        rows = [
            [
                case.id,
                ", ".join(case.why),
                case.gold,
                "; ".join(line for lines in case.why.values() for line in lines),
            ]
            for case in self
        ]
        return ["sample", "kinds", "gold", "what was seen"], rows


def rank_errors(
    runs: Sequence[str | Path],
    release: str | Path | None = None,
    out: str | Path | None = None,
    *,
    answers: str | Path | None = None,
) -> TellingCases:
    """Rank the telling cases of folders written by `score`.

    Kinds: the gold stands in a reply of which no answer was read; robust and official rules
    disagree; a near miss (within 5 %, or nearly the same text); one run against all others (of
    three or more); right in one version of a problem and wrong in another; a surprise: a run that
    is strong on like samples fails where weak ones succeed. Cases are ranked by surprise, in bits.

    Args:
        runs: Folders that `score` wrote.
        release: The release of the runs, or what was scored in its place; the page needs it.
        out: Folder for errors.{jsonl,html}.
        answers: Private folder, or its answers.jsonl, of a release that withholds answers.

    Raises UserError when runs are of different releases, splits or profiles.

    Example: `rank_errors(["scores/gpt", "scores/qwen"])[0].why`
    """
    scored = read_runs(runs)
    if out is not None and release is None:
        raise UserError(
            "the page shows questions and pictures", "give the release of the runs"
        )
    cases = TellingCases(_ranked(list(_cases(scored)), scored))
    if out is not None and release is not None:
        material = read_material(release, scored[0].scores.split, answers)
        write_jsonl(Path(out) / "errors.jsonl", cases)
        write_cases(
            Path(out) / "errors.html",
            cases.counts(),
            [(case.id, case.why) for case in cases],
            scored,
            material.samples,
            material.root,
        )
    return cases


def _ranked(cases: list[TellingCase], runs: Sequence[Run]) -> list[TellingCase]:
    """The cases by their bits of surprise; what is equal in these stands in natural order."""
    samples = len({result.id for run in runs for result in run.results})
    rare = {kind: sum(kind in case.why for case in cases) for kind in KINDS}
    bits = _surprises(runs)
    for case in cases:
        of_kinds = sum(
            math.log2(samples / rare[kind]) for kind in case.why if kind != "surprise"
        )
        case.weight = round(of_kinds + bits[case.id], 3)
        if bits[case.id] >= SURPRISING:
            case.why["surprise"] = [
                f"{bits[case.id]:.1f} bits: who is right is not who should be"
            ]
    return sorted(cases, key=lambda case: (-case.weight, _natural(case.id)))


def _surprises(runs: Sequence[Run]) -> dict[str, float]:
    """How many bits the verdicts on a sample are beyond what runs of their strength would give.

    Strength of a run on samples of a kind and difficulty of the sample as log odds (Rasch 1960),
    each with one right and one wrong added.
    """
    verdicts: dict[str, list[tuple[str, bool]]] = {}
    groups: dict[tuple[str, str], list[int]] = {}
    kinds: dict[str, str] = {}
    for run in runs:
        for result in run.results:
            right = run.verdict(result)
            verdicts.setdefault(result.id, []).append((run.name, right))
            kinds[result.id] = result.kind
            count = groups.setdefault((run.name, result.kind), [1, 2])
            count[0] += right
            count[1] += 1
    strength = {key: math.log(r / (n - r)) for key, (r, n) in groups.items()}
    return {
        name: _bits(
            [strength[run, kinds[name]] for run, _ in said],
            [right for _, right in said],
        )
        for name, said in verdicts.items()
    }


def _bits(strengths: Sequence[float], right: Sequence[bool]) -> float:
    """How surprising verdicts on one sample are, beyond what such verdicts are on average."""
    n_right = sum(right)
    ease = math.log((n_right + 1) / (len(right) - n_right + 1))
    middle = sum(strengths) / len(strengths)
    chances = [1 / (1 + math.exp(-(s - middle + ease))) for s in strengths]
    surprise = sum(
        -math.log2(p if is_right else 1 - p)
        for p, is_right in zip(chances, right, strict=True)
    )
    expected = sum(-p * math.log2(p) - (1 - p) * math.log2(1 - p) for p in chances)
    return max(0.0, surprise - expected)


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """Ids in the order in which people count: math-v-2 before math-v-10."""
    return [
        (part.isdecimal(), int(part) if part.isdecimal() else 0, part)
        for part in re.split(r"(\d+)", name)
    ]


def _cases(runs: Sequence[Run]) -> Iterator[TellingCase]:
    """Every sample that tells something, by all replies of all runs."""
    replies_of = {run.name: by_sample(run.results) for run in runs}
    flips = {run.name: _flipping(run) for run in runs}
    verdict = {run.name: run.verdict for run in runs}
    for name in dict.fromkeys(name for of in replies_of.values() for name in of):
        replies = {run: of[name] for run, of in replies_of.items() if name in of}
        why: dict[str, list[str]] = {}
        for run, results in replies.items():
            for kind, notes in _of_run(results, verdict[run]).items():
                why.setdefault(kind, []).extend(f"{run}: {note}" for note in notes)
            problem = results[0].problem_id
            if problem in flips[run]:
                note = f"{run}: {flips[run][problem]}"
                why.setdefault("flips between versions", []).append(note)
        right = {
            run: sum(map(verdict[run], results)) for run, results in replies.items()
        }
        asked = {run: len(results) for run, results in replies.items()}
        if single := _against_all(right, asked):
            why["one run against all"] = [single]
        if why:
            any_reply = next(iter(replies.values()))[0]
            yield TellingCase(
                id=name,
                problem_id=any_reply.problem_id,
                weight=0.0,
                why={kind: why[kind] for kind in KINDS if kind in why},
                gold=any_reply.gold,
                right=right,
                replies=asked,
                extracted={run: found[0].extracted for run, found in replies.items()},
            )


def _of_run(results: Sequence[Result], verdict: IsCorrect) -> dict[str, list[str]]:
    """What the replies of a run tell by themselves; of several, each note says which and how many.

    Notes that are the same stand once.
    """
    which: dict[tuple[str, str], list[str]] = {}
    for result in results:
        for key in _alone(result, verdict(result)):
            which.setdefault(key, []).append(str(result.repeat))
    told: dict[str, list[str]] = {}
    for (kind, note), numbers in which.items():
        several = f" (reply {', '.join(numbers)} of {len(results)})"
        told.setdefault(kind, []).append(note + several * (len(results) > 1))
    return told


def _alone(result: Result, right: bool) -> Iterator[tuple[str, str]]:
    """What one reply tells by itself."""
    if not right and result.status == "unextracted" and holds_gold(result):
        yield "gold in the reply, not read", f"{result.gold!r} stands in it"
    if result.official is not None and result.official.correct != result.correct:
        side = "robust" if result.correct else "official"
        yield "robust against official", f"only {side} rules say right"
    if right or not result.extracted:
        return
    if nearly(result.extracted, result.gold, result.kind):
        yield "near miss", f"{result.extracted} for {result.gold}"


def holds_gold(result: Result) -> bool:
    """Does the gold stand in the reply, by itself? A letter only as an option is named in prose.

    >>> from benchwright.evaluate.runs.errors import _stands
    >>> _stands("A", "A man has (B)"), _stands("B", "A man has (B)"), _stands("12", "it is 12.")
    (False, True, True)
    """
    return _stands(result.gold, (result.response or "")[-SEARCHED:])


def _stands(gold: str, text: str) -> bool:
    answer = re.escape(gold.strip())
    if not answer:
        return False
    if re.fullmatch(r"[A-Z]", gold.strip()):
        # An option as prose names it: (B), a line that begins with "B.", **B**.
        named = rf"(?<!\w)\({answer}\)|(?m:^\W*){answer}[.):]\s|\*\*{answer}\*\*"
        return re.search(named, _CODE.sub(" ", text)) is not None
    # By itself: no part of a word or a longer number.
    return re.search(rf"(?<![\w.]){answer}(?![\w]|\.\d)", text) is not None


def nearly(extracted: str, gold: str, kind: str) -> bool:
    """Is a wrong answer close to the gold? Letters never are.

    >>> nearly("3.14", "3.1", "number"), nearly("7", "3", "number"), nearly("B", "A", "choice")
    (True, False, False)
    >>> nearly("an isosceles triangle", "isosceles triangle", "text")
    True
    """
    if kind in ("choice", "choices"):
        return False
    a, b = _number(extracted), _number(gold)
    if a is not None and b is not None:
        return abs(a - b) <= NEAR * abs(b)
    return min(len(extracted), len(gold)) >= 4 and ratio(extracted, gold) >= ALIKE


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "").strip(" $%")[:50])
    except ValueError:
        return None


def _against_all(right: Mapping[str, int], replies: Mapping[str, int]) -> str:
    """The one run of three or more that is right, or wrong, alone: in most of its replies, where
    the others are in none.

    >>> _against_all({"a": 3, "b": 0, "c": 0}, {"a": 4, "b": 4, "c": 4})
    'only a is right (3 of 4)'
    >>> _against_all({"a": 1, "b": 0, "c": 1}, {"a": 1, "b": 1, "c": 1})
    'only b is wrong'
    """
    wrong = {run: replies[run] - n for run, n in right.items()}
    for counts, word in ((right, "right"), (wrong, "wrong")):
        some = [run for run, n in counts.items() if n]
        if len(some) != 1 or len(counts) < 3:
            continue
        (run,) = some
        n, all_ = counts[run], replies[run]
        if 2 * n > all_:
            return f"only {run} is {word}" + f" ({n} of {all_})" * (all_ > 1)
    return ""


def _flipping(run: Run) -> dict[str, str]:
    """Problems that are right in some of their versions and wrong in others, and in which.

    Versions are held against each other within the replies of one number.
    """
    problems: dict[tuple[str, int], dict[bool, list[str]]] = {}
    for result in run.results:
        if result.version in VERSIONS:
            sides = problems.setdefault((result.problem_id, result.repeat), {})
            sides.setdefault(run.verdict(result), []).append(result.version)
    told: dict[str, str] = {}
    for (name, repeat), sides in problems.items():
        if len(sides) == 2 and name not in told:
            which = f" (reply {repeat})" * (repeat > 1)
            right, wrong = ", ".join(sides[True]), ", ".join(sides[False])
            told[name] = f"right in {right}, wrong in {wrong}{which}"
    return told
