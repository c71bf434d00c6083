"""How far voters agree on a field: measures with intervals, labels, people, disagreements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ...base.display import Display, Table
from ...base.files import records
from ...errors import UserError
from ...problem import Vote
from ...taxonomy import Tree, load_tree
from .kappa_alpha import (
    Metric,
    Ratings,
    bootstrap_interval,
    fleiss_kappa,
    krippendorff_alpha,
    one_coin,
    raw_agreement,
)
from .merge import role_at
from .policies import PENDING, canonical
from .votes import latest


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
            [v.name, v.metric, v.raw, v.fleiss_kappa, v.alpha, v.alpha_low, v.alpha_high]
            for v in self.levels
        ]


def agreement(
    votes: str | Path | Iterable[Vote],
    field: str,
    tree: str | Path | Tree | None = None,
    models: bool = False,
) -> Agreement:
    """Agreement among people on `field`.

    Lists of labels, and placed texts, are compared as sets (MASI), numbers by rank, spans by their
    characters' roles, everything else as it is; with a `tree`, single labels also level by level.
    "pending" is no vote.

    Args:
        votes: The votes.jsonl.
        field: Which field of the votes.
        tree: Tree that the labels are from.
        models: Count model advisers as voters, too.

    Raises UserError when nobody voted on the field.

    Example: `agreement("votes.jsonl", "subject", tree="math-v").levels[0].alpha`
    """
    votes = records(votes, Vote)
    tree = load_tree(tree) if isinstance(tree, str | Path) else tree
    counting, superseded = latest(vote for vote in votes if vote.field == field)
    eligible = [vote for vote in counting if models or vote.kind == "human"]
    cast = [vote for vote in eligible if vote.value not in (PENDING, None)]
    if not cast:
        fields = sorted({vote.field for vote in votes})
        raise UserError(
            f"no votes on {field!r}", f"the file holds {', '.join(fields) or 'nothing'}"
        )
    items: dict[str, dict[str, Any]] = {}
    for vote in cast:
        items.setdefault(vote.problem_id, {})[vote.annotator] = vote.value
    names = sorted(items)
    ratings, metric = comparable([items[name] for name in names])
    return Agreement(
        field=field,
        items=len(items),
        votes=len(cast),
        abstained=len(eligible) - len(cast),
        superseded=len(superseded),
        levels=_levels(ratings, metric, tree),
        by_label=_by_label(ratings),
        by_annotator=_by_annotator(ratings),
        confusion=_confusion(ratings),
        disagreements=[
            {"id": name, "votes": dict(sorted(items[name].items()))}
            for name in names
            if len({canonical(value) for value in items[name].values()}) > 1
        ],
    )


def comparable(ratings: Ratings) -> tuple[list[dict[str, Any]], Metric]:
    """Ratings whose values can be compared, and by which metric."""
    values = [value for item in ratings for value in item.values()]
    parts = [part for value in values if isinstance(value, list) for part in value]
    if any(isinstance(part, dict) and "role" in part for part in parts):
        return _characters(ratings), "nominal"
    if any(isinstance(value, list) for value in values):
        return [{voter: _labels(v) for voter, v in item.items()} for item in ratings], "masi"
    if all(isinstance(value, int | float) for value in values):
        return list(ratings), "ordinal"
    if any(isinstance(value, dict) for value in values):
        return [{voter: canonical(v) for voter, v in item.items()} for item in ratings], "nominal"
    return list(ratings), "nominal"


def _labels(value: Any) -> tuple[str, ...]:
    """A set of labels; of placements, which text was anchored to what, wherever it stands."""
    parts = value if isinstance(value, list) else [value]
    return tuple(sorted({p if isinstance(p, str) else _placed(p) for p in parts}))


def _placed(part: Any) -> str:
    anchors = sorted(part.keys() - {"text"}) if isinstance(part, dict) else []
    return f"{', '.join(anchors)}: {part['text']}" if anchors and "text" in part else str(part)


def _characters(ratings: Ratings) -> list[dict[str, Any]]:
    """Spans as one item for each character: the role that a voter gave it, or 'Question'."""
    items: list[dict[str, Any]] = []
    for item in ratings:
        length = max((s["end"] for spans in item.values() for s in spans), default=0)
        for at in range(length):
            roles = {voter: role_at(spans, at) or "Question" for voter, spans in item.items()}
            items.append(roles)
    return items


def _levels(ratings: Ratings, metric: Metric, tree: Tree | None) -> list[Level]:
    levels = [_level("value", ratings, metric)]
    if tree is None or metric != "nominal" or len(tree.levels) < 2:
        return levels
    for depth, name in enumerate(tree.levels[:-1]):
        above = [
            {voter: _ancestor(tree, value, depth) for voter, value in item.items()}
            for item in ratings
        ]
        levels.append(_level(name, above, "nominal"))
    return levels


def _ancestor(tree: Tree, value: Any, depth: int) -> str:
    if not tree.has(str(value)):
        return str(value)
    line = tree.ancestors(tree.find(str(value)))
    return line[min(depth, len(line) - 1)].name


def _level(name: str, ratings: Ratings, metric: Metric) -> Level:
    low, high = bootstrap_interval(partial(krippendorff_alpha, metric=metric), ratings)
    return Level(
        name=name,
        metric=metric,
        raw=_rounded(raw_agreement(ratings)),
        fleiss_kappa=_rounded(fleiss_kappa(ratings)),
        alpha=_rounded(krippendorff_alpha(ratings, metric)),
        alpha_low=_rounded(low),
        alpha_high=_rounded(high),
    )


def _by_label(ratings: Ratings) -> dict[str, dict[str, float | int | None]]:
    """For each label: how often it was given, and alpha of this label against all others."""
    by_label: dict[str, dict[str, float | int | None]] = {}
    labels = sorted(
        {label for item in ratings for value in item.values() for label in _parts(value)}
    )
    for label in labels:
        binary = [{voter: label in _parts(v) for voter, v in item.items()} for item in ratings]
        votes = sum(value for item in binary for value in item.values())
        by_label[label] = {"votes": votes, "alpha": _rounded(krippendorff_alpha(binary))}
    return by_label


def _parts(value: Any) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, tuple) else (str(value),)


def _by_annotator(ratings: Ratings) -> dict[str, dict[str, float | int | None]]:
    """For each voter: votes, agreement with the majority of the others, one-coin accuracy."""
    accuracy = one_coin(ratings)
    by_annotator: dict[str, dict[str, float | int | None]] = {}
    for voter in sorted({voter for item in ratings for voter in item}):
        compared = agreed = cast = 0
        for item in ratings:
            if voter not in item:
                continue
            cast += 1
            others = Counter(value for name, value in item.items() if name != voter)
            ranked = others.most_common(2)
            if ranked and (len(ranked) == 1 or ranked[0][1] > ranked[1][1]):
                compared += 1
                agreed += item[voter] == ranked[0][0]
        by_annotator[voter] = {
            "votes": cast,
            "with_the_others": _rounded(agreed / compared) if compared else None,
            "one_coin": _rounded(accuracy[voter]),
        }
    return by_annotator


def _confusion(ratings: Ratings) -> dict[str, dict[str, int]]:
    """How often one voter chose this and another that, over ordered pairs of voters."""
    counts: dict[str, Counter[str]] = {}
    for item in ratings:
        values = ["; ".join(_parts(value)) for value in item.values()]
        for k, one in enumerate(values):
            for other in values[:k] + values[k + 1 :]:
                counts.setdefault(one, Counter())[other] += 1
    return {one: dict(sorted(others.items())) for one, others in sorted(counts.items())}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
