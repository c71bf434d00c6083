"""The stage `select`: which problems a benchmark takes, each other one with its reason."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..base.answer_kinds import own_kind
from ..errors import UserError, nearest
from ..pipeline import Context, stage
from ..problem import AnswerKind, Drop, Problem
from ..taxonomy import BUILT_IN, load_tree
from .condition import Condition, equals, parse_condition
from .rules import DRAWN

FACTS = (
    "id",
    "source",
    "language",
    "kind",
    "pictures",
    "options",
    "parts",
    "solution_pictures",
    "words",
)


def check_options(options: dict[str, Any]) -> None:
    """Raises UserError for unknown kinds, unreadable conditions, and limits that hold nothing."""
    for name in options.get("kinds") or []:
        own_kind(name)  # is known
    if options.get("where") is not None:
        parse_condition(options["where"])
    for name in ("pictures", "per_leaf"):
        low, high = options.get(name) or (0, 0)
        if not 0 <= low <= high:
            raise UserError(
                f"select: {name} from {low} to {high}", "write the smaller one first"
            )


@stage("select", whole_set=True, check=check_options)
def select(
    problems: list[Problem],
    *,
    context: Context,
    pictures: tuple[int, int] | None = None,
    kinds: list[AnswerKind] | None = None,
    sources: list[str] | None = None,
    labels: dict[str, Any] = {},  # noqa: B006 (never changed)
    where: str | None = None,
    per_leaf: tuple[int, int] | None = None,
    leaf: str | None = None,
) -> Iterator[Problem | Drop]:
    """Keep the problems that meet every condition; the others are dropped with their reason.

    `pictures: [1, 1]` counts the question's pictures without hand-annotated ones; `labels:
    {alignment: 'yes'}` names a value or a list of them; `where` is an expression over labels and
    over `kind`, `source`, `language`, `pictures`, `options`, `parts`, `words` and
    `solution_pictures` (MathVerse, section 2.1, takes problems of one picture, of moderate length
    and none in the solution). `per_leaf:
    [10, 40]` (We-Math, section 3.3) drops the problems of a `leaf` label with fewer, and draws the
    most by the seed; side table `leaves`. Raises UserError for a label that no problem has.

    Example: `- select: {pictures: [1, 1], labels: {alignment: 'yes'}, where: level >= 2}`
    """
    condition = _condition(where, labels, problems)
    reasons: dict[str, str] = {}
    for problem in problems:
        reason = (
            _off_facts(problem, pictures, kinds, sources)
            or _off_labels(problem, labels)
            or _off_condition(problem, condition, where)
        )
        if reason:
            reasons[problem.id] = reason
    if per_leaf is not None:
        left = [problem for problem in problems if problem.id not in reasons]
        reasons |= _leaves(left, _leaf_field(leaf, left), per_leaf, context)
    for problem in problems:
        reason = reasons.get(problem.id, "")
        yield Drop(id=problem.id, reason=reason) if reason else problem


def facts(problem: Problem) -> dict[str, Any]:
    """What a condition may ask for: labels, and what the problem itself is."""
    return problem.labels | {
        "id": problem.id,
        "source": problem.source.name,
        "language": problem.language,
        "kind": problem.answer_kind,
        "pictures": sum(image.role != "annotated" for image in problem.images),
        "options": len(problem.options),
        "parts": len(problem.parts),
        "solution_pictures": len(DRAWN.findall(problem.solution or "")),
        "words": len(problem.question.split()),
    }


def _condition(
    where: str | None, labels: dict[str, Any], problems: list[Problem]
) -> Condition | None:
    """The condition; a name that no problem has is a slip of the recipe."""
    condition, names = (
        parse_condition(where) if where is not None else (None, set[str]())
    )
    known = {name for problem in problems for name in problem.labels} | set(FACTS)
    for name in sorted(names | labels.keys()) if problems else ():
        if name not in known:
            raise UserError(
                f"select: no problem has the label {name!r}", nearest(name, [*known])
            )
    return condition


def _off_facts(
    problem: Problem,
    pictures: tuple[int, int] | None,
    kinds: list[AnswerKind] | None,
    sources: list[str] | None,
) -> str:
    count = facts(problem)["pictures"]
    if pictures is not None and not pictures[0] <= count <= pictures[1]:
        return f"pictures: {count}, not {pictures[0]} to {pictures[1]}"
    if kinds is not None and problem.answer_kind not in kinds:
        return f"kind: {problem.answer_kind}"
    if sources is not None and problem.source.name not in sources:
        return f"source: {problem.source.name}"
    return ""


def _off_labels(problem: Problem, labels: dict[str, Any]) -> str:
    for name, wanted in labels.items():
        own = problem.labels.get(name)
        if not any(
            equals(own, w) for w in (wanted if isinstance(wanted, list) else [wanted])
        ):
            return f"{name}: {'none' if own is None else own}"
    return ""


def _off_condition(
    problem: Problem, condition: Condition | None, where: str | None
) -> str:
    try:
        holds = condition is None or condition(facts(problem))
    except UserError as error:
        raise UserError(
            f"select: {problem.id}: {error.message}", error.remedy
        ) from error
    return "" if holds else f"where: not {where}"


def _leaf_field(leaf: str | None, problems: list[Problem]) -> str:
    """The label whose values are counted: the one named, else that of the sources' benchmark."""
    if leaf is None:
        known = {p.source.benchmark for p in problems} & set(BUILT_IN)
        if len(known) != 1:
            raise UserError(
                "select: per_leaf of which label?", "say leaf: knowledge, or another"
            )
        leaf = load_tree(str(known.pop())).field
    if problems and not any(leaf in problem.labels for problem in problems):
        raise UserError(
            f"select: no problem has the label {leaf!r}",
            nearest(leaf, sorted({name for p in problems for name in p.labels})),
        )
    return leaf


def _leaves(
    problems: list[Problem], field: str, limits: tuple[int, int], context: Context
) -> dict[str, str]:
    """Reasons of the problems whose leaves hold too few, and of those that were not drawn.

    A problem of several leaves counts in each: it goes with any that is too small, and is not
    drawn where any is full. The draw depends on nothing but the seed and the ids.
    """
    fewest, most = limits
    leaves = {p.id: _values(p.labels.get(field)) for p in problems}
    total = Counter(leaf for each in leaves.values() for leaf in each)
    reasons = {name: f"leaf: no {field}" for name, each in leaves.items() if not each}
    while True:
        count = Counter(
            leaf for name, e in leaves.items() if name not in reasons for leaf in e
        )
        thin = {
            name: f"leaf: {leaf} has {count[leaf]}, at least {fewest}"
            for name, each in leaves.items()
            if name not in reasons
            for leaf in each
            if count[leaf] < fewest
        }
        if not thin:
            break
        reasons |= thin  # which may make other leaves too small
    kept: Counter[str] = Counter()
    for name in sorted(
        leaves.keys() - reasons.keys(), key=lambda n: _draw(context.seed, n)
    ):
        full = [leaf for leaf in leaves[name] if kept[leaf] >= most]
        if full:
            reasons[name] = f"leaf: {full[0]} has {count[full[0]]}, at most {most}"
        else:
            kept.update(leaves[name])
    for leaf in sorted(total):
        context.record(
            "leaves", {"leaf": leaf, "before": total[leaf], "kept": kept[leaf]}
        )
    return reasons


def _values(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return list(dict.fromkeys(str(v) for v in values if v not in (None, "")))


def _draw(seed: int, name: str) -> str:
    return hashlib.sha256(f"{seed}\0{name}".encode()).hexdigest()
