"""Why is A's figure not B's? `benchwright explain` and its Python twin.

Sample by sample, the first link of the chain that differs is the cause: what was asked, what came
back, what was read in it, how that was compared. Where both verdicts of a reply are known, the same
reply under the other side's rules tells rules from replies; a gold that changed is told by grading
B's answer against A's gold. Shares are counted in exact fractions, so they sum to the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import msgspec

from ...base.terminal import table
from ...errors import UserError
from ...grading.verdicts import GradeItem, grade_item
from ...release import read_samples
from ..metrics import VERDICTS, Explained, IsCorrect, Rate, Result, Run, Share, accuracy
from ..predictions import differences
from ..report import percent, points, write_explained
from .published import Published, is_published, published
from .read import record_of, run_of

OTHER_VIEWS = ("robust", "official", "own")  # the same replies by other verdicts
PREFIX = 20  # characters from which one reply that begins another is the same, cut
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
        return (
            result.own.extracted
            if self.view == "own" and result.own
            else result.extracted
        )


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
        release: Release of prediction files, and of the samples that the page shows.
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
    first = run_of(Path(a), release, split, options)
    side = Side(first, first.scores.profile)
    if is_published(str(b)):
        return _against_published(side, published(str(b)))
    if str(b) in OTHER_VIEWS:
        second = Side(_named(first, f"{first.name}, {b}"), str(b))
        _require_view(second)
    else:
        run = run_of(Path(b), other or release, split, options)
        second = Side(run, run.scores.profile)
    found, causes = explained(side, second)
    if out is not None:
        if release is None:
            raise UserError(
                "the page shows questions and pictures", "give the --release"
            )
        theirs = Path(other or release), second.run.scores.split
        samples = read_samples(release, first.scores.split, answers)
        others = read_samples(theirs[0], theirs[1], answers) if other else samples
        runs = (first._replace(name=found.a), second.run._replace(name=found.b))
        page = Path(out) / "explained.html"
        verdicts = (side.right, second.right)
        write_explained(
            page, found, causes, runs, verdicts, (samples, others), Path(release)
        )
    return found


def _named(run: Run, name: str) -> Run:
    return run._replace(name=name)


def _require_view(side: Side) -> None:
    lacking = {"official": "official verdicts", "own": "verdicts of the file itself"}
    if side.view in lacking and not any(
        getattr(r, side.view) for r in side.run.results
    ):
        raise UserError(
            f"{side.run.name} has no {lacking[side.view]}", "name another side"
        )


Key = tuple[str, int, str]


def explained(a: Side, b: Side) -> tuple[Explained, dict[str, str]]:
    """The difference of two sides over its causes, and the cause of each sample that differs."""
    ours, theirs = ({_key(r): r for r in side.run.results} for side in (a, b))
    n, m = len(ours), len(theirs)
    if not n or not m:
        raise UserError("there is nothing to explain", "give runs that have samples")
    total: dict[str, Fraction] = {}
    sides: dict[str, tuple[list[str], list[str]]] = {}
    causes: dict[str, str] = {}

    def add(cause: str, points: Fraction, name: str = "", first: bool = True) -> None:
        total[cause] = total.get(cause, Fraction(0)) + points
        lists = sides.setdefault(cause, ([], []))
        if name:
            lists[0 if first else 1].append(name)
            causes.setdefault(name, cause)

    asked = differences([record_of(side.run) for side in (a, b)])
    link = _Link(a, b, asked)
    for key in dict.fromkeys([*ours, *theirs]):
        x, y = ours.get(key), theirs.get(key)
        if x is None or y is None:
            alone, size, sign = (x, n, 1) if x is not None else (y, m, -1)
            right = alone is not None and (a if x is not None else b).right(alone)
            if right:
                add(
                    f"sample set: only {'A' if sign > 0 else 'B'} has it",
                    Fraction(sign, size),
                    key[0],
                    sign > 0,
                )
            continue
        one, two = a.right(x), b.right(y)
        if two and n != m:
            add(
                "sample set: another number of samples", Fraction(1, n) - Fraction(1, m)
            )
        if one != two:
            add(link.cause(x, y), Fraction(one - two, n), key[0], one)
    shares = [
        Share(
            cause=cause,
            points=float(points),
            only_a=sides[cause][0],
            only_b=sides[cause][1],
        )
        for cause, points in sorted(
            total.items(), key=lambda item: (-abs(item[1]), item[0])
        )
        if points or any(sides[cause])
    ]
    rates = [accuracy(side.run.results, side.right) for side in (a, b)]
    exact = sum(total.values(), Fraction(0))
    assert exact == Fraction(rates[0].correct, n) - Fraction(rates[1].correct, m)
    names = [side.run.name for side in (a, b)]
    if names[0] == names[1]:
        names = [f"{name} ({letter})" for name, letter in zip(names, "AB", strict=True)]
    return Explained(
        a=names[0],
        b=names[1],
        accuracy_a=rates[0],
        accuracy_b=rates[1],
        difference=float(exact),
        shares=shares,
        differ_in=_differ_in(a, b) | asked,
        untold=list(_untold(a, b, shares)),
    ), causes


def _key(result: Result) -> Key:
    return result.id, result.repeat, result.person or ""


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
            if x.decided_by != y.decided_by and {"judge", "person"} & {
                x.decided_by,
                y.decided_by,
            }:
                return f"decided by {max(x.decided_by, y.decided_by, key=_by_whom)}"
            if x.shown != y.shown:
                return "question or picture changed"
            return self._by_rules(x, self.a.read(x), self.b.read(y))
        sides = {"A": (x, y), "B": (y, x)}
        wrong = "B" if self.a.right(x) else "A"
        for side in sorted(sides, key=lambda letter: letter != wrong):
            one, other = sides[side]
            reason = _arrived(one)
            if (reason and reason != _arrived(other)) or _is_cut(one, other):
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

    def _by_rules(self, result: Result, ours: str | None, theirs: str | None) -> str:
        """The same reply under two sets of rules: read otherwise, or compared otherwise."""
        if (ours is None) != (theirs is None):
            return f"not extracted by {'A' if ours is None else 'B'}'s rules"
        if ours is None or theirs is None or _same_answer(ours, theirs, result):
            return "compared otherwise"
        return "extracted otherwise"


def _by_whom(who: str) -> int:
    return ("none", "rule", "judge", "person").index(who)


def _arrived(result: Result) -> str:
    """What is known to have kept a reply from arriving whole, or at all; "" where nothing is."""
    if result.ended in CUT or result.status == "truncated":
        return "truncated"
    return result.status if result.status in ("missing", "failed", "declined") else ""


def _is_cut(one: Result, other: Result) -> bool:
    """Whether a reply is the beginning of the other one, though nothing says that it was cut."""
    cut, whole = (one.response or "").rstrip(), (other.response or "").rstrip()
    return len(cut) >= PREFIX and cut != whole and whole.startswith(cut)


def _same_answer(ours: str, theirs: str, result: Result) -> bool:
    """Whether two texts are one answer: by their letters and digits, or by the rules."""
    if _bare(ours) == _bare(theirs):
        return True
    item = GradeItem(prediction=theirs, gold=ours, kind=result.kind)
    return bool(grade_item(item).equal)


def _bare(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum() or c in "+-/.^")


def _right_by(x: Result, y: Result) -> bool:
    """Whether B's answer is right by A's gold."""
    if y.extracted is None:
        return False
    return bool(
        grade_item(GradeItem(prediction=y.extracted, gold=x.gold, kind=x.kind)).equal
    )


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

    one, two = facts(a), facts(b)
    return {k: [one[k] or "none", two[k] or "none"] for k in one if one[k] != two[k]}


def _untold(a: Side, b: Side, shares: Sequence[Share]) -> Iterator[str]:
    """What the material does not tell."""
    alike = (
        a.run.results == b.run.results
    )  # the same replies: how they were asked does not matter
    for letter, side in zip("" if alike else "AB", (a, b), strict=False):
        known = side.run.scores.provenance
        yield from (f"{letter}: {remark}" for remark in known.remarks)
        yield from (
            f"{letter}: {doubt}" for record in known.runs for doubt in record.doubts
        )
    for share in shares:
        if share.cause.startswith("asked otherwise") and "," in share.cause:
            yield "what was asked differs in several things at once: their shares cannot be told"


def explanation_text(found: Explained) -> str:
    """An explanation as a terminal should show it."""
    header, rows = found.table()
    rates = ((found.a, found.accuracy_a), (found.b, found.accuracy_b))
    lines = [
        f"{letter} {name}: {percent(rate.value, 2)}"
        + (f"  (n {rate.n})" if rate.n else "")
        for letter, (name, rate) in zip("AB", rates, strict=True)
    ]
    lines += [
        f"they differ in {k}: {x} and {y}" for k, (x, y) in found.differ_in.items()
    ]
    lines += ["", table(rows, header)]
    if found.by:
        body = [
            [k, percent(x), percent(y), points(x - y)] for k, (x, y) in found.by.items()
        ]
        lines += ["", table(body, ["group", "A", "B", "A - B"])]
    return "\n".join(
        [*lines, "", *(f"not told: {line}" for line in found.untold)]
    ).rstrip()


def _against_published(side: Side, figure: Published) -> Explained:
    """A run against a figure without samples: the rules are told apart, the rest is not."""
    run, results = side.run, side.run.results
    views: list[tuple[str, Callable[[Result], bool]]] = [
        (view, verdict_of(view))
        for view in OTHER_VIEWS
        if view != side.view
        and (view == "robust" or any(getattr(r, view) for r in results))
    ]
    ours = accuracy(results, side.right)
    nearest = min(
        views,
        key=lambda v: abs((accuracy(results, v[1]).value or 0) - figure.value),
        default=None,
    )
    difference = (ours.value or 0.0) - figure.value
    shares: list[Share] = []
    if nearest is not None and accuracy(results, nearest[1]).value != ours.value:
        as_theirs = (accuracy(results, nearest[1]).value or 0.0) - figure.value
        if abs(as_theirs) < abs(difference):
            other = Side(run, nearest[0])
            found, _ = explained(side, other)
            shares = [
                msgspec.structs.replace(
                    s, cause=f"{s.cause} ({side.view} against {other.view})"
                )
                for s in found.shares
            ]
    rest = difference - sum(share.points for share in shares)
    if abs(rest) >= 5e-5:
        shares.append(Share(cause="not told: the figure has no samples", points=rest))
    lost = {
        k: run.scores.counts[k] for k in ("missing", "failed", "declined", "truncated")
    }
    told = ", ".join(f"{n} {name}" for name, n in lost.items() if n)
    untold = [
        f"a published figure says nothing of its replies; of A's, {told or 'none'} are lost"
    ]
    if figure.n is not None and figure.n != ours.n:
        untold.append(f"it is over {figure.n:,} samples, A over {ours.n:,}")
    groups = {
        value: rate for by in run.scores.by.values() for value, rate in by.items()
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
        untold=untold,
        by={
            name: [groups[name].value or 0.0, value]
            for name, value in figure.groups.items()
            if name in groups
        },
    )
