"""The cases that tell most about runs: where to look first. `benchwright evaluate errors`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rapidfuzz.fuzz import ratio

from ...base.display import Rows, Table
from ...base.files import write_jsonl
from ...errors import UserError
from ...problem import VERSIONS, Record
from ...release import read_samples
from ..metrics import Result, Run
from ..report import write_cases
from .read import read_run, require_alike

SEARCHED = 20_000  # characters at the end of a reply in which the gold is looked for
NEAR = 0.05  # relative error of a near miss
ALIKE = 85  # similarity of texts, of 100, from which they nearly agree
WEIGHTS = {
    "gold in the reply, not read": 5.0,
    "robust against official": 4.0,
    "near miss": 3.0,
    "one run against all": 2.0,
    "flips between versions": 1.0,
}


class TellingCase(Record, kw_only=True):
    """One sample and why it is worth a look; `right` says which runs got it."""

    id: str
    problem_id: str
    weight: float
    why: dict[str, list[str]]  # kind -> what was seen, by run
    gold: str
    right: dict[str, bool]
    extracted: dict[str, str | None]


class TellingCases(Rows[TellingCase]):
    """The cases, the most telling first."""

    __slots__ = ()

    def headline(self) -> str:
        counts = ", ".join(f"{kind} {n}" for kind, n in self.counts().items() if n)
        return f"{len(self)} telling cases" + (f": {counts}" if counts else "")

    def counts(self) -> dict[str, int]:
        """How many cases are of each kind."""
        return {kind: sum(kind in case.why for case in self) for kind in WEIGHTS}

    def table(self) -> Table:
        rows = [
            [case.id, ", ".join(case.why), case.gold,
             "; ".join(line for lines in case.why.values() for line in lines)]
            for case in self
        ]  # fmt: skip
        return ["sample", "kinds", "gold", "what was seen"], rows


def rank_errors(
    runs: Sequence[str | Path],
    release: str | Path | None = None,
    out: str | Path | None = None,
    *,
    answers: str | Path | None = None,
) -> TellingCases:
    """Rank the telling cases of folders written by `score`.

    Kinds, the weightiest first: the gold stands in a reply of which no answer was read; robust and
    official rules disagree; a near miss (within 5 %, or nearly the same text); one run against all
    others (of three or more); right in one version of a problem and wrong in another. A case's
    weight is the sum of its kinds'.

    Args:
        runs: Folders that `score` wrote.
        release: The release of the runs; the page needs it.
        out: Folder for errors.{jsonl,html}.
        answers: Private folder, or its answers.jsonl, of a release that withholds answers.

    Raises UserError when runs are of different releases, splits or profiles.

    Example: `rank_errors(["scores/gpt", "scores/qwen"])[0].why`
    """
    read = [read_run(Path(folder)) for folder in runs]
    if not read:
        raise UserError("no runs to look at", "give folders written by 'benchwright score'")
    require_alike(read)
    if len({run.name for run in read}) < len(read):
        raise UserError("two folders have one name", "name each run's folder after its model")
    if out is not None and release is None:
        raise UserError("the page shows questions and pictures", "give the release of the runs")
    cases = TellingCases(sorted(_cases(read), key=lambda case: (-case.weight, case.id)))
    if out is not None and release is not None:
        samples = read_samples(release, read[0].scores.split, answers)
        write_jsonl(Path(out) / "errors.jsonl", cases)
        shown = [(case.id, case.why) for case in cases]
        write_cases(Path(out) / "errors.html", cases.counts(), shown, read, samples, Path(release))
    return cases


def _cases(runs: Sequence[Run]) -> Iterator[TellingCase]:
    first = [{r.id: r for r in reversed(run.results)} for run in runs]
    flips = [_flipping(run) for run in runs]
    for name in dict.fromkeys(name for results in first for name in results):
        replies = {
            run.name: results[name]
            for run, results in zip(runs, first, strict=True)
            if name in results
        }
        verdicts = {run.name: run.verdict(replies[run.name]) for run in runs if run.name in replies}
        why: dict[str, list[str]] = {}
        for (who, result), flipping in zip(replies.items(), flips, strict=False):
            for kind, seen in _alone(result, verdicts[who]):
                why.setdefault(kind, []).append(f"{who}: {seen}")
            if result.problem_id in flipping:
                seen = f"{who}: {flipping[result.problem_id]}"
                why.setdefault("flips between versions", []).append(seen)
        if single := _against_all(verdicts):
            why["one run against all"] = [single]
        if why:
            any_reply = next(iter(replies.values()))
            yield TellingCase(
                id=name,
                problem_id=any_reply.problem_id,
                weight=sum(WEIGHTS[kind] for kind in why),
                why={kind: why[kind] for kind in WEIGHTS if kind in why},
                gold=any_reply.gold,
                right=verdicts,
                extracted={who: r.extracted for who, r in replies.items()},
            )


def _alone(result: Result, right: bool) -> Iterator[tuple[str, str]]:
    """What one reply tells by itself."""
    if not right and result.status == "unextracted" and holds_gold(result):
        yield "gold in the reply, not read", f"{result.gold!r} stands in it"
    if result.official is not None and result.official.correct != result.correct:
        side = "robust" if result.correct else "official"
        yield "robust against official", f"only {side} rules say right"
    if not right and result.extracted and nearly(result.extracted, result.gold, result.kind):
        yield "near miss", f"{result.extracted} for {result.gold}"


def holds_gold(result: Result) -> bool:
    """Does the gold stand in the reply, by itself? A letter only as an option is named.

    >>> from benchwright.evaluate.runs.errors import _stands
    >>> _stands("A", "A man has (B)"), _stands("B", "A man has (B)"), _stands("12", "it is 12.")
    (False, True, True)
    """
    return _stands(result.gold, (result.response or "")[-SEARCHED:])


def _stands(gold: str, text: str) -> bool:
    wanted = re.escape(gold.strip())
    if not wanted:
        return False
    if re.fullmatch(r"[A-Z]", gold.strip()):
        return re.search(rf"\({wanted}\)|\b{wanted}[.):]|\*\*{wanted}\*\*", text) is not None
    return re.search(rf"(?<![\w.]){wanted}(?![\w]|\.\d)", text) is not None


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


def _against_all(verdicts: Mapping[str, bool]) -> str:
    """The one run of three or more that is right, or wrong, alone."""
    for verdict, word in ((True, "right"), (False, "wrong")):
        alone = [who for who, right in verdicts.items() if right is verdict]
        if len(alone) == 1 and len(verdicts) >= 3:
            return f"only {alone[0]} is {word}"
    return ""


def _flipping(run: Run) -> dict[str, str]:
    """Problems that are right in some of their versions and wrong in others, and in which."""
    problems: dict[str, dict[bool, list[str]]] = {}
    for result in run.results:
        if result.version in VERSIONS:
            sides = problems.setdefault(result.problem_id, {})
            sides.setdefault(run.verdict(result), []).append(result.version)
    return {
        name: f"right in {', '.join(sides[True])}, wrong in {', '.join(sides[False])}"
        for name, sides in problems.items()
        if len(sides) == 2
    }
