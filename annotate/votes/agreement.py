"""How far voters agree on a field: measures with intervals, labels, people, disagreements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import msgspec

from ...base.about import about
from ...base.display import Display, Table
from ...base.files import records
from ...errors import UserError
from ...problem import Problem, Vote
from ...taxonomy import Tree, load_tree
from .kappa_alpha import (
    Coincidences,
    Metric,
    fleiss_kappa,
    krippendorff_alpha,
    one_coin,
    raw_agreement,
)
from .merge import role_at
from .policies import PENDING, canonical
from .votes import latest, on_one_text


class Level(msgspec.Struct, kw_only=True):
    """Agreement on the whole value, or on one level of a tree."""

    name: str
    metric: Metric
    raw: float | None
    fleiss_kappa: float | None
    alpha: float | None
    alpha_low: float | None
    alpha_high: float | None


class Agreement(Display, msgspec.Struct, kw_only=True):
    """agreement.json: everything about one field. Shares and coefficients, not per cent."""

    field: str
    items: int
    votes: int
    abstained: int
    superseded: int
    stale: int  # given for another text or picture
    levels: list[Level]
    by_label: dict[str, dict[str, float | int | None]]
    by_annotator: dict[str, dict[str, float | int | None]]
    confusion: dict[str, dict[str, int]]
    disagreements: list[dict[str, Any]]

    def headline(self) -> str:
        alpha = self.levels[0].alpha
        alpha_text = "none" if alpha is None else f"{alpha:.3f}"
        return (
            f"{self.votes} votes on {self.items} items on {self.field}, alpha {alpha_text}, "
            f"{len(self.disagreements)} disagreements"
        )

    def table(self) -> Table:
        header = ["level", "metric", "raw", "fleiss_kappa", "alpha", "low", "high"]
        return header, [
            [
                v.name,
                v.metric,
                v.raw,
                v.fleiss_kappa,
                v.alpha,
                v.alpha_low,
                v.alpha_high,
            ]
            for v in self.levels
        ]


def agreement(
    votes: str | Path | Iterable[Vote],
    field: str,
    tree: str | Path | Tree | None = None,
    models: bool = False,
    problems: str | Path | Iterable[Problem] | None = None,
) -> Agreement:
    """Agreement among people on `field`.

    Lists of labels, and placed texts, are compared as sets (MASI), numbers by rank, spans by their
    characters' roles, everything else as it is; with a `tree`, single labels also level by level.
    "pending" is no vote. Intervals resample problems.

    Args:
        votes: The votes.jsonl.
        field: Which field of the votes.
        tree: Tree that the labels are from.
        models: Count model advisers as voters, too.
        problems: The problems as they are now: votes for other texts are stale [default: votes
            for another text than the last vote's].

    Raises UserError when nobody voted on the field.

    Example: `agreement("votes.jsonl", "subject", tree="math-v").levels[0].alpha`
    """
    votes = records(votes, Vote)
    tree = load_tree(tree) if isinstance(tree, str | Path) else tree
    there = records(problems, Problem) if problems is not None else []
    shown = {problem.id: about(problem, field) for problem in there}
    lengths = {problem.id: len(problem.question) for problem in there}
    current, stale = on_one_text((v for v in votes if v.field == field), shown or None)
    counting, superseded = latest(current)
    eligible = [vote for vote in counting if models or vote.kind == "human"]
    cast = [vote for vote in eligible if vote.value not in (PENDING, None)]
    if not cast:
        fields = sorted({vote.field for vote in votes})
        raise UserError(
            f"no votes on {field!r}", f"the file holds {', '.join(fields) or 'nothing'}"
        )
    items: dict[str, dict[str, Any]] = {}
    for vote in cast:
        items.setdefault(vote.problem_id, {})[vote.voter] = vote.value
    names = sorted(items)
    units = comparable(
        [items[name] for name in names], [lengths.get(name, 0) for name in names]
    )
    return Agreement(
        field=field,
        items=len(items),
        votes=len(cast),
        abstained=len(eligible) - len(cast),
        superseded=len(superseded),
        stale=len(stale),
        levels=_levels(units, tree),
        by_label=_by_label(units),
        by_annotator=_by_annotator(units),
        confusion=_confusion(units),
        disagreements=[
            {"id": name, "votes": dict(sorted(items[name].items()))}
            for name in names
            if len({canonical(value) for value in items[name].values()}) > 1
        ],
    )


class Units(msgspec.Struct):
    """What is compared: voter -> value, how often such a unit stands there, and whose it is."""

    ratings: list[dict[str, Any]]
    weights: list[int]
    problems: list[int]
    metric: Metric

    def with_values(
        self, change: Callable[[Any], Any], metric: Metric = "nominal"
    ) -> Units:
        changed = [
            {voter: change(v) for voter, v in unit.items()} for unit in self.ratings
        ]
        return Units(changed, self.weights, self.problems, metric)


def comparable(ratings: list[dict[str, Any]], lengths: list[int]) -> Units:
    """Ratings whose values can be compared, and by which metric; `lengths` are the texts'."""
    values = [value for unit in ratings for value in unit.values()]
    parts = [part for value in values if isinstance(value, list) for part in value]
    if any(isinstance(part, dict) and "role" in part for part in parts):
        return _characters(ratings, lengths)
    units = Units(ratings, [1] * len(ratings), list(range(len(ratings))), "nominal")
    if any(isinstance(value, list) for value in values):
        return units.with_values(_labels, "masi")
    if all(isinstance(value, int | float) for value in values):
        return Units(ratings, units.weights, units.problems, "ordinal")
    return (
        units.with_values(canonical)
        if any(isinstance(v, dict) for v in values)
        else units
    )


def _labels(value: Any) -> tuple[str, ...]:
    """A set of labels; of placements, which text was anchored to what, wherever it stands."""
    parts = value if isinstance(value, list) else [value]
    return tuple(sorted({p if isinstance(p, str) else _placed(p) for p in parts}))


def _placed(part: Any) -> str:
    anchors = sorted(part.keys() - {"text"}) if isinstance(part, dict) else []
    return (
        f"{', '.join(anchors)}: {part['text']}"
        if anchors and "text" in part
        else str(part)
    )


def _characters(ratings: list[dict[str, Any]], lengths: list[int]) -> Units:
    """Spans as one unit for each character: the role that a voter gave it, or 'Question'.

    Characters of one problem that everybody marked alike are one unit with their number as weight.
    """
    units = Units([], [], [], "nominal")
    for problem, item in enumerate(ratings):
        ends = [span["end"] for spans in item.values() for span in spans]
        edges = {
            edge
            for spans in item.values()
            for s in spans
            for edge in (s["start"], s["end"])
        }
        stops = sorted(edges | {0, max([*ends, lengths[problem]])})
        for start, stop in pairwise(stops):
            roles = {
                voter: role_at(spans, start) or "Question"
                for voter, spans in item.items()
            }
            units.ratings.append(roles)
            units.weights.append(stop - start)
            units.problems.append(problem)
    return units


def _levels(units: Units, tree: Tree | None) -> list[Level]:
    levels = [_level("value", units)]
    if tree is None or units.metric != "nominal" or len(tree.levels) < 2:
        return levels
    for depth, name in enumerate(tree.levels[:-1]):
        levels.append(_level(name, units.with_values(partial(_ancestor, tree, depth))))
    return levels


def _ancestor(tree: Tree, depth: int, value: Any) -> str:
    if not tree.has(str(value)):
        return str(value)
    line = tree.ancestors(tree.find(str(value)))
    return line[min(depth, len(line) - 1)].name


def _level(name: str, units: Units) -> Level:
    together = Coincidences(units.ratings, units.metric, units.weights, units.problems)
    low, high = together.interval()
    return Level(
        name=name,
        metric=units.metric,
        raw=_rounded(raw_agreement(units.ratings, units.weights)),
        fleiss_kappa=_rounded(fleiss_kappa(units.ratings, units.weights)),
        alpha=_rounded(together.alpha()),
        alpha_low=_rounded(low),
        alpha_high=_rounded(high),
    )


def _by_label(units: Units) -> dict[str, dict[str, float | int | None]]:
    """For each label: how often it was given, and alpha of this label against all others."""
    by_label: dict[str, dict[str, float | int | None]] = {}
    labels = {
        label
        for unit in units.ratings
        for value in unit.values()
        for label in _parts(value)
    }
    for label in sorted(labels):
        binary = [
            {voter: label in _parts(v) for voter, v in u.items()} for u in units.ratings
        ]
        votes = sum(
            w * sum(unit.values())
            for unit, w in zip(binary, units.weights, strict=True)
        )
        alpha = krippendorff_alpha(binary, weights=units.weights)
        by_label[label] = {"votes": votes, "alpha": _rounded(alpha)}
    return by_label


def _parts(value: Any) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, tuple) else (str(value),)


def _by_annotator(units: Units) -> dict[str, dict[str, float | int | None]]:
    """For each voter: votes, agreement with the majority of the others, one-coin accuracy."""
    accuracy = one_coin(units.ratings, units.weights)
    compared: Counter[str] = Counter()
    agreed: Counter[str] = Counter()
    cast: Counter[str] = Counter()
    for unit, weight in zip(units.ratings, units.weights, strict=True):
        for voter, value in unit.items():
            cast[voter] += weight
            others = Counter(given for name, given in unit.items() if name != voter)
            ranked = others.most_common(2)
            if ranked and (len(ranked) == 1 or ranked[0][1] > ranked[1][1]):
                compared[voter] += weight
                agreed[voter] += weight * (value == ranked[0][0])
    return {
        voter: {
            "votes": cast[voter],
            "with_the_others": _rounded(agreed[voter] / n)
            if (n := compared[voter])
            else None,
            "one_coin": _rounded(accuracy[voter]),
        }
        for voter in sorted(cast)
    }


def _confusion(units: Units) -> dict[str, dict[str, int]]:
    """How often one voter chose this and another that, over ordered pairs of voters."""
    counts: dict[str, Counter[str]] = {}
    for unit, weight in zip(units.ratings, units.weights, strict=True):
        for one, other in permutations(
            ["; ".join(_parts(v)) for v in unit.values()], 2
        ):
            counts.setdefault(one, Counter())[other] += weight
    return {one: dict(sorted(others.items())) for one, others in sorted(counts.items())}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
