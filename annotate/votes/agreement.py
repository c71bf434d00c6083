"""How far voters agree on a field: measures with intervals, labels, people, disagreements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
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
from ...release import read_problem_file
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
from .policies import canonical
from .votes import latest, on_one_text, ratings_of, without_abstentions

# A row of `by_label` and `by_annotator`: its figures by name.
Figures = dict[str, float | int | None]


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
    by_label: dict[str, Figures]
    by_annotator: dict[str, Figures]
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
        return header, [list(msgspec.structs.astuple(level)) for level in self.levels]


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
    current_problems = read_problem_file(problems) if problems is not None else []
    hashes = {problem.id: about(problem, field) for problem in current_problems}
    lengths = {problem.id: len(problem.question) for problem in current_problems}
    current, stale = on_one_text((v for v in votes if v.field == field), hashes or None)
    counting, superseded = latest(current)
    eligible = [vote for vote in counting if models or vote.kind == "human"]
    cast = without_abstentions(eligible)
    if not cast:
        fields = sorted({vote.field for vote in votes})
        raise UserError(
            f"no votes on {field!r}", f"the file holds {', '.join(fields) or 'nothing'}"
        )
    items = dict(sorted(ratings_of(cast).items()))
    units = comparable(list(items.values()), [lengths.get(name, 0) for name in items])
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
            {"id": name, "votes": dict(sorted(ratings.items()))}
            for name, ratings in items.items()
            if len(set(map(canonical, ratings.values()))) > 1
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
        changed = [_changed(unit, change) for unit in self.ratings]
        return Units(changed, self.weights, self.problems, metric)

    def weighted(self) -> Iterator[tuple[dict[str, Any], int]]:
        return zip(self.ratings, self.weights, strict=True)


def _changed(unit: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    return {voter: change(value) for voter, value in unit.items()}


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
        units.metric = "ordinal"
    elif any(isinstance(value, dict) for value in values):
        return units.with_values(canonical)
    return units


def _labels(value: Any) -> tuple[str, ...]:
    """A set of labels; of placements, which text was anchored to what, wherever it stands."""
    parts = value if isinstance(value, list) else [value]
    return tuple(sorted(set(map(_label_or_placement, parts))))


def _label_or_placement(part: Any) -> str:
    if not isinstance(part, dict) or "text" not in part or len(part) < 2:
        return str(part)
    anchors = sorted(part.keys() - {"text"})
    return f"{', '.join(anchors)}: {part['text']}"


def _characters(ratings: list[dict[str, Any]], lengths: list[int]) -> Units:
    """Spans as one unit for each character: the role that a voter gave it, or 'Question'.

    Characters of one problem that everybody marked alike are one unit with their number as weight.
    """
    units = Units([], [], [], "nominal")
    for problem, spans_by_voter in enumerate(ratings):
        edges = {0}
        for spans in spans_by_voter.values():
            for span in spans:
                edges.update((span["start"], span["end"]))
        edges.add(max(lengths[problem], *edges))
        for start, stop in pairwise(sorted(edges)):
            units.ratings.append(
                {
                    voter: role_at(spans, start) or "Question"
                    for voter, spans in spans_by_voter.items()
                }
            )
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
    """The label's ancestor at a depth; a label that lies higher, or nowhere, is its own."""
    label = str(value)
    if not tree.has(label):
        return label
    lineage = tree.ancestors(tree.find(label))
    return lineage[min(depth, len(lineage) - 1)].name


def _level(name: str, units: Units) -> Level:
    coincidences = Coincidences(
        units.ratings, units.metric, units.weights, units.problems
    )
    low, high = coincidences.interval()
    return Level(
        name=name,
        metric=units.metric,
        raw=_rounded(raw_agreement(units.ratings, units.weights)),
        fleiss_kappa=_rounded(fleiss_kappa(units.ratings, units.weights)),
        alpha=_rounded(coincidences.alpha()),
        alpha_low=_rounded(low),
        alpha_high=_rounded(high),
    )


def _by_label(units: Units) -> dict[str, Figures]:
    """For each label: how often it was given, and alpha of this label against all others."""
    votes: Counter[str] = Counter()
    for unit, weight in units.weighted():
        for value in unit.values():
            for label in _labels_in(value):
                votes[label] += weight
    by_label: dict[str, Figures] = {}
    for label in sorted(votes):
        against_rest = units.with_values(partial(_has_label, label))
        alpha = krippendorff_alpha(against_rest.ratings, weights=units.weights)
        by_label[label] = {"votes": votes[label], "alpha": _rounded(alpha)}
    return by_label


def _labels_in(value: Any) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, tuple) else (str(value),)


def _has_label(label: str, value: Any) -> bool:
    return label in _labels_in(value)


def _by_annotator(units: Units) -> dict[str, Figures]:
    """For each voter: votes, agreement with the majority of the others, one-coin accuracy."""
    accuracy = one_coin(units.ratings, units.weights)
    cast: Counter[str] = Counter()
    compared: Counter[str] = Counter()
    agreeing: Counter[str] = Counter()
    for unit, weight in units.weighted():
        for voter, value in unit.items():
            cast[voter] += weight
            others = Counter(v for name, v in unit.items() if name != voter)
            majority = _most_common(others)
            if majority:
                compared[voter] += weight
                agreeing[voter] += weight * (value in majority)
    by_annotator: dict[str, Figures] = {}
    for voter in sorted(cast):
        shared = compared[voter]
        by_annotator[voter] = {
            "votes": cast[voter],
            "with_the_others": _rounded(agreeing[voter] / shared) if shared else None,
            "one_coin": _rounded(accuracy[voter]),
        }
    return by_annotator


def _most_common(counts: Counter[Any]) -> list[Any]:
    """The one value that stands there more often than any other; none where several do."""
    most = max(counts.values(), default=0)
    values = [value for value, count in counts.items() if count == most]
    return values if len(values) == 1 else []


def _confusion(units: Units) -> dict[str, dict[str, int]]:
    """How often one voter chose this and another that, over ordered pairs of voters."""
    counts: dict[str, Counter[str]] = {}
    for unit, weight in units.weighted():
        choices = ["; ".join(_labels_in(value)) for value in unit.values()]
        for chosen, by_other in permutations(choices, 2):
            counts.setdefault(chosen, Counter())[by_other] += weight
    return {
        chosen: dict(sorted(others.items()))
        for chosen, others in sorted(counts.items())
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
