"""Why is A's figure not B's? `benchwright explain` and its Python twin.

Sample by sample, the first link of the chain that differs is the cause: what was asked, what came
back, what was read in it, how that was compared. Where both verdicts of a reply are known, the same
reply under the other side's rules tells rules from replies; a gold that changed is told by grading
B's answer against A's gold. Shares are counted in exact fractions, so they sum to the difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import msgspec

from ...base.terminal import table
from ...errors import UserError
from ...grading.verdicts import GradeItem, grade_item
from ..metrics import (
    VERDICTS,
    Explained,
    IsCorrect,
    Rate,
    Result,
    Run,
    Share,
    accuracy,
    bare,
)
from ..predictions import differences, read_material
from ..report import ReplyKey as Key
from ..report import percent, points, reply_key, write_explained
from .published import Published, is_published, published
from .read import record_of, run_of

OTHER_VIEWS = ("robust", "official", "own")  # the same replies by other verdicts
PREFIX = 20  # characters from which one reply that begins another is the same, cut
DECIDERS = ("none", "rule", "judge", "person")
CUT = ("truncated", "thought until the limit")


class Side(NamedTuple):
    """A run, and by whose verdicts it is looked at."""

    run: Run
    view: str

    def right(self, result: Result) -> bool:
        return verdict_of(self.view)(result)

    def read(self, result: Result) -> str | None:
        """What these verdicts read in the reply."""
        if self.view == "official":
            return result.official.extracted if result.official else None
        if self.view == "own" and result.own:
            return result.own.extracted
        return result.extracted


def verdict_of(view: str) -> IsCorrect:
    """The verdicts of a profile, or the file's own."""
    return VERDICTS.get(view, lambda result: bool(result.own and result.own.correct))


def explain(
    a: str | Path,
    b: str | Path,
    *,
    release: str | Path | None = None,
    split: str | None = None,
    out: str | Path | None = None,
    other: str | Path | None = None,
    profile: str = "robust",
    answers: str | Path | None = None,
    lenient: bool = False,
) -> Explained:
    """Split the difference of two figures over its causes, sample by sample.

    Causes: missing, failed, truncated, declined, not extracted, extracted otherwise, compared
    otherwise, decided by a judge or people, gold changed, question or picture changed, sample set,
    and what the runs' records differ in (prompt, model, sampling). What the material does not tell
    is said.

    Args:
        a: A folder that `score` wrote, or a prediction file.
        b: Another one; or robust, official or own: the same replies by these verdicts (own: those
            in the file); or a published figure: 17.66, a result file, or TABLE#ROW.
        release: Release (or export, or split's file) of prediction files, and of the samples that
            the page shows.
        split: Split of prediction files.
        out: Folder for explained.html: every share is a link to its samples.
        other: B's release, where it is another one.
        profile: Whose verdicts on prediction files.
        answers: Private folder, or its answers.jsonl, of a release that withholds answers.
        lenient: List damaged rows instead of refusing them.

    Raises UserError for what is neither, and for a page without the release.

    Example: `explain("scores/gpt", "scores/gpt-cot").shares[0].cause`
    """
    options = {"profile": profile, "answers": answers, "lenient": lenient}
    run = run_of(Path(a), release, split, options)
    first = Side(run, run.scores.profile)
    if is_published(str(b)):
        return _against_published(first, published(str(b)))
    if str(b) in OTHER_VIEWS:
        second = Side(run._replace(name=f"{run.name}, {b}"), str(b))
        _require_view(second)
    else:
        theirs = run_of(Path(b), other or release, split, options)
        second = Side(theirs, theirs.scores.profile)
    explanation, causes = explained(first, second)
    if out is not None:
        if release is None:
            raise UserError(
                "the page shows questions and pictures", "give the --release"
            )
        material = read_material(release, run.scores.split, answers)
        samples = others = list(material.samples)
        if other:
            others = list(
                read_material(other, second.run.scores.split, answers).samples
            )
        write_explained(
            Path(out) / "explained.html",
            explanation,
            causes,
            (
                run._replace(name=explanation.a),
                second.run._replace(name=explanation.b),
            ),
            (first.right, second.right),
            (samples, others),
            material.root,
        )
    return explanation


def _require_view(side: Side) -> None:
    if side.view == "robust":
        return  # every result has these
    names = {"official": "official verdicts", "own": "verdicts of the file itself"}
    if not any(getattr(result, side.view) for result in side.run.results):
        raise UserError(
            f"{side.run.name} has no {names[side.view]}", "name another side"
        )


class _Account:
    """Points of the difference by cause, with the samples that only one side has right."""

    def __init__(self) -> None:
        self.points: dict[str, Fraction] = {}
        self.only_a: dict[str, list[str]] = {}
        self.only_b: dict[str, list[str]] = {}
        self.causes: dict[Key, str] = {}  # of each reply

    def add(self, cause: str, points: Fraction) -> None:
        self.points[cause] = self.points.get(cause, Fraction(0)) + points

    def add_sample(self, cause: str, points: Fraction, key: Key) -> None:
        """A reply that only A has right, or, where it costs points, only B."""
        self.add(cause, points)
        side = self.only_a if points > 0 else self.only_b
        side.setdefault(cause, []).append(key[0])
        self.causes[key] = cause

    def shares(self) -> list[Share]:
        """The causes, the largest first, without those that say nothing."""
        order = sorted(self.points, key=lambda cause: (-abs(self.points[cause]), cause))
        shares = [
            Share(
                cause=cause,
                points=float(self.points[cause]),
                only_a=self.only_a.get(cause, []),
                only_b=self.only_b.get(cause, []),
            )
            for cause in order
        ]
        return [s for s in shares if self.points[s.cause] or s.only_a or s.only_b]


def explained(a: Side, b: Side) -> tuple[Explained, dict[Key, str]]:
    """The difference of two sides over its causes, and the cause of each reply that differs."""
    ours, theirs = ({reply_key(r): r for r in side.run.results} for side in (a, b))
    n, m = len(ours), len(theirs)
    if not n or not m:
        raise UserError("there is nothing to explain", "give runs that have samples")
    account = _Account()
    asked = differences([record_of(side.run) for side in (a, b)])
    link = _Link(a, b, asked)
    for key in dict.fromkeys([*ours, *theirs]):
        x, y = ours.get(key), theirs.get(key)
        if y is None:
            if x is not None and a.right(x):
                cause = "sample set: only A has it"
                account.add_sample(cause, Fraction(1, n), key)
        elif x is None:
            if b.right(y):
                cause = "sample set: only B has it"
                account.add_sample(cause, Fraction(-1, m), key)
        else:
            a_right, b_right = a.right(x), b.right(y)
            if b_right and n != m:
                gap = Fraction(1, n) - Fraction(1, m)
                account.add("sample set: another number of samples", gap)
            if a_right != b_right:
                points = Fraction(a_right - b_right, n)
                account.add_sample(link.cause(x, y), points, key)
    shares = account.shares()
    rates = [accuracy(side.run.results, side.right) for side in (a, b)]
    exact = sum(account.points.values(), Fraction(0))
    assert exact == Fraction(rates[0].correct, n) - Fraction(rates[1].correct, m)
    names = [side.run.name for side in (a, b)]
    if names[0] == names[1]:
        names = [f"{name} ({letter})" for name, letter in zip(names, "AB", strict=True)]
    explanation = Explained(
        a=names[0],
        b=names[1],
        accuracy_a=rates[0],
        accuracy_b=rates[1],
        difference=float(exact),
        shares=shares,
        differ_in=_differ_in(a, b) | asked,
        untold=list(_untold(a, b, shares)),
    )
    return explanation, account.causes


class _Link(NamedTuple):
    """Finds the first link of the chain in which two results differ."""

    a: Side
    b: Side
    asked: Mapping[str, list[str]]

    def cause(self, x: Result, y: Result) -> str:
        """Why one of two results is right and the other wrong."""
        if self.a.view != self.b.view and verdict_of(self.a.view)(y) != self.b.right(y):
            return self._by_rules(y, self.a.read(y), self.b.read(y))
        if x.gold != y.gold and _right_by(x, y) == self.a.right(x):
            return "gold changed"
        if x.response == y.response and x.response is not None and x.ended == y.ended:
            return self._of_one_reply(x, y)
        sides = {"A": (x, y), "B": (y, x)}
        wrong = "B" if self.a.right(x) else "A"
        for side in sorted(sides, key=lambda letter: letter != wrong):
            result, opposite = sides[side]
            reason = _arrived(result)
            if (reason and reason != _arrived(opposite)) or _is_cut(result, opposite):
                return f"{reason or 'truncated'} in {side}"
        if x.shown != y.shown:
            return "question or picture changed"
        if self.asked:
            return f"asked otherwise: {', '.join(self.asked)}"
        if sides[wrong][0].status == "unextracted":
            return f"not extracted in {wrong}"
        if record_of(self.a.run) and record_of(self.b.run):
            return "asked alike, answered otherwise: chance"
        return "another reply, and nothing says how both were asked"

    def _of_one_reply(self, x: Result, y: Result) -> str:
        """Why the same reply has two verdicts."""
        deciders = {x.decided_by, y.decided_by}
        if len(deciders) > 1 and deciders & {"judge", "person"}:
            return f"decided by {max(deciders, key=DECIDERS.index)}"
        if x.shown != y.shown:
            return "question or picture changed"
        return self._by_rules(x, self.a.read(x), self.b.read(y))

    def _by_rules(self, result: Result, ours: str | None, theirs: str | None) -> str:
        """The same reply under two sets of rules: read otherwise, or compared otherwise."""
        if (ours is None) != (theirs is None):
            return f"not extracted by {'A' if ours is None else 'B'}'s rules"
        if ours is None or theirs is None or _same_answer(ours, theirs, result):
            return "compared otherwise"
        return "extracted otherwise"


def _arrived(result: Result) -> str:
    """What is known to have kept a reply from arriving whole, or at all; "" where nothing is."""
    if result.ended in CUT or result.status == "truncated":
        return "truncated"
    return result.status if result.status in ("missing", "failed", "declined") else ""


def _is_cut(result: Result, opposite: Result) -> bool:
    """Whether a reply is the beginning of the other one, though nothing says that it was cut."""
    cut = (result.response or "").rstrip()
    whole = (opposite.response or "").rstrip()
    return len(cut) >= PREFIX and cut != whole and whole.startswith(cut)


def _same_answer(ours: str, theirs: str, result: Result) -> bool:
    """Whether two texts are one answer: by their letters and digits, or by the rules."""
    if bare(ours) == bare(theirs):
        return True
    item = GradeItem(prediction=theirs, gold=ours, kind=result.kind)
    return bool(grade_item(item).equal)


def _right_by(x: Result, y: Result) -> bool:
    """Whether B's answer is right by A's gold."""
    if y.extracted is None:
        return False
    item = GradeItem(prediction=y.extracted, gold=x.gold, kind=x.kind)
    return bool(grade_item(item).equal)


def _differ_in(a: Side, b: Side) -> dict[str, list[str]]:
    """What of the two is not the same, beside how they were asked."""

    def facts(side: Side) -> dict[str, str]:
        scores = side.run.scores
        return {
            "release": scores.release,
            "build": scores.provenance.manifest_sha256[:12],
            "split": scores.split,
            "verdicts": side.view,
            "golds of": scores.as_of.version if scores.as_of else "",
            "judge": str((scores.judge or {}).get("model", "")),
            "people's verdicts": (scores.people or {}).get("sha256", "")[:12],
            "benchwright": scores.provenance.benchwright,
        }

    ours, theirs = facts(a), facts(b)
    return {
        what: [ours[what] or "none", theirs[what] or "none"]
        for what in ours
        if ours[what] != theirs[what]
    }


def _untold(a: Side, b: Side, shares: Sequence[Share]) -> Iterator[str]:
    """What the material does not tell."""
    # Of the same replies it does not matter how they were asked.
    sides = [] if a.run.results == b.run.results else [("A", a), ("B", b)]
    for letter, side in sides:
        material = side.run.scores.provenance
        for remark in material.remarks:
            yield f"{letter}: {remark}"
        for record in material.runs:
            for doubt in record.doubts:
                yield f"{letter}: {doubt}"
    for share in shares:
        if share.cause.startswith("asked otherwise") and "," in share.cause:
            yield "what was asked differs in several things at once: their shares cannot be told"


def explanation_text(explanation: Explained) -> str:
    """An explanation as a terminal should show it."""
    header, rows = explanation.table()
    lines = [
        _side_text("A", explanation.a, explanation.accuracy_a),
        _side_text("B", explanation.b, explanation.accuracy_b),
    ]
    lines += [
        f"they differ in {what}: {a} and {b}"
        for what, (a, b) in explanation.differ_in.items()
    ]
    lines += ["", table(rows, header)]
    if explanation.by:
        body = [
            [group, percent(a), percent(b), points(a - b)]
            for group, (a, b) in explanation.by.items()
        ]
        lines += ["", table(body, ["group", "A", "B", "A - B"])]
    lines += ["", *(f"not told: {line}" for line in explanation.untold)]
    return "\n".join(lines).rstrip()


def _side_text(letter: str, name: str, rate: Rate) -> str:
    text = f"{letter} {name}: {percent(rate.value, 2)}"
    return f"{text}  (n {rate.n})" if rate.n else text


def _against_published(side: Side, figure: Published) -> Explained:
    """A run against a figure without samples: the rules are told apart, the rest is not."""
    run = side.run
    ours = accuracy(run.results, side.right)
    difference = (ours.value or 0.0) - figure.value
    shares = _shares_of_rules(side, figure, ours)
    rest = difference - sum(share.points for share in shares)
    if abs(rest) >= 5e-5:  # what two digits of a percentage show
        shares.append(Share(cause="not told: the figure has no samples", points=rest))
    groups = {
        value: rate for rates in run.scores.by.values() for value, rate in rates.items()
    }
    return Explained(
        a=run.name,
        b=figure.name,
        accuracy_a=ours,
        accuracy_b=Rate(
            n=figure.n or 0,
            correct=figure.right or 0,
            value=figure.value,
            low=None,
            high=None,
            se=None,
            clusters=0,
        ),
        difference=difference,
        shares=shares,
        differ_in={},
        untold=_untold_of_published(run, figure, ours),
        by={
            name: [groups[name].value or 0.0, value]
            for name, value in figure.groups.items()
            if name in groups
        },
    )


def _shares_of_rules(side: Side, figure: Published, ours: Rate) -> list[Share]:
    """What other verdicts on the same replies explain, where some come nearer to the figure."""

    def gap(rate: Rate) -> float:
        return abs((rate.value or 0.0) - figure.value)

    run, results = side.run, side.run.results
    rates = {
        view: accuracy(results, verdict_of(view))
        for view in OTHER_VIEWS
        if view != side.view
        and (view == "robust" or any(getattr(result, view) for result in results))
    }
    if not rates:
        return []
    nearest = min(rates, key=lambda view: gap(rates[view]))
    if rates[nearest].value == ours.value or gap(rates[nearest]) >= gap(ours):
        return []
    explanation, _ = explained(side, Side(run, nearest))
    return [
        msgspec.structs.replace(
            share, cause=f"{share.cause} ({side.view} against {nearest})"
        )
        for share in explanation.shares
    ]


def _untold_of_published(run: Run, figure: Published, ours: Rate) -> list[str]:
    counts = {
        status: run.scores.counts[status]
        for status in ("missing", "failed", "declined", "truncated")
    }
    lost = ", ".join(f"{n} {status}" for status, n in counts.items() if n)
    untold = [
        f"a published figure says nothing of its replies; of A's, {lost or 'none'} are lost"
    ]
    if figure.n is not None and figure.n != ours.n:
        untold.append(f"it is over {figure.n:,} samples, A over {ours.n:,}")
    return untold
