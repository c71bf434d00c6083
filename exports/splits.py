"""Splits: drawn in strata, seeded, and never through a cluster of relatives."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from ..base.files import BAD_JSON, read_lines
from ..errors import UserError, nearest
from ..pipeline import Split
from ..problem import Problem
from .clusters import Member

M = TypeVar("M", Member, Problem)
Plan = dict[str, Split | Literal["rest"]]


def assign(problems: Sequence[M], plan: Plan, seed: int, folder: Path) -> dict[str, list[M]]:
    """Split name -> its problems, in their order; the plan's order decides who draws first.

    Problems have their cluster as `origin` (see clusters.py). Whoever is in no split is in none of
    the lists: the caller accounts for them. Raises UserError when a split asks for more than there
    is or an id list tears a cluster apart.
    """
    taken: dict[str, str] = {}  # cluster -> split
    for name, split in plan.items():
        if split == "rest":
            continue
        free = [p for p in problems if p.origin not in taken]
        if split.ids is not None:
            chosen = _listed(name, folder / split.ids, problems, taken)
        else:
            chosen = _drawn(name, split, free, seed)
        taken |= dict.fromkeys(chosen, name)
    for name, split in plan.items():
        if split == "rest":
            taken |= {p.origin: name for p in problems if p.origin not in taken}
    return {name: [p for p in problems if taken.get(p.origin) == name] for name in plan}


def stratum(problem: Member | Problem, by: list[str]) -> tuple[str, ...]:
    """The problem's values of the labels `by`, as text."""
    return tuple(str(problem.labels.get(label, "")) for label in by)


def _drawn(name: str, split: Split, free: Sequence[M], seed: int) -> set[str]:
    known = {label for problem in free for label in problem.labels}
    for label in split.by:
        if free and label not in known:
            raise UserError(
                f"split {name!r}: no problem has a label {label!r}", nearest(label, list(known))
            )
    size = round(split.size * len(free)) if isinstance(split.size, float) else split.size or 0
    if size > len(free):
        raise UserError(f"split {name!r} asks for {size} of {len(free)} problems", "ask for fewer")
    available = Counter(stratum(p, split.by) for p in free)
    quotas = _quotas(available, size, equal=split.per_stratum == "equal")
    clusters: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for problem in free:
        clusters[problem.origin][stratum(problem, split.by)] += 1
    order = sorted(clusters, key=lambda c: _draw(seed, name, c))
    chosen: set[str] = set()
    for origin in order:
        needs = clusters[origin]
        if all(quotas[key] >= count for key, count in needs.items()):
            chosen.add(origin)
            quotas.subtract(needs)
    left = size - sum(clusters[origin].total() for origin in chosen)
    for origin in order:  # where a cluster did not fit its strata, the size goes before the shares
        if origin not in chosen and clusters[origin].total() <= left:
            chosen.add(origin)
            left -= clusters[origin].total()
    return chosen


def _draw(seed: int, name: str, origin: str) -> bytes:
    """A cluster's lot: depends on nothing but itself, so new problems do not reshuffle old ones."""
    return hashlib.sha256(f"{seed}\0{name}\0{origin}".encode()).digest()


def _quotas(
    available: Counter[tuple[str, ...]], size: int, equal: bool
) -> Counter[tuple[str, ...]]:
    """How many to draw from each stratum: equal shares, or proportional by largest remainder.

    A stratum that has less than its equal share gives all it has; the others share the rest.
    """
    quotas: Counter[tuple[str, ...]] = Counter()
    if not equal:
        total = sum(available.values())
        exact = {key: size * count / total for key, count in available.items()} if total else {}
        quotas.update({key: int(share) for key, share in exact.items()})
        by_remainder = sorted(exact, key=lambda key: (int(exact[key]) - exact[key], key))
        quotas.update(by_remainder[: size - sum(quotas.values())])
        return quotas
    left, keys = size, sorted(available, key=lambda key: (available[key], key))
    while keys and available[keys[0]] <= left // len(keys):
        key = keys.pop(0)
        quotas[key] = available[key]
        left -= available[key]
    for k, key in enumerate(sorted(keys)):
        quotas[key] = left // len(keys) + (k < left % len(keys))
    return quotas


def _listed(name: str, path: Path, problems: Sequence[M], taken: dict[str, str]) -> set[str]:
    """Clusters of the ids in a file: one id a line, or JSON lines with `id`."""
    named = set()
    for number, line in read_lines(path):
        text = line.decode("utf-8", "replace").strip()
        if text.startswith("{"):
            try:
                text = str(msgspec.json.decode(line)["id"])
            except (*BAD_JSON, LookupError, TypeError) as error:
                raise UserError(
                    f"{path}:{number}: no id ({error})", "give one id a line"
                ) from error
        named.add(text)
    by_raw = {key: p for p in problems for key in (p.id, p.source.raw_id)}
    missing = sorted(named - set(by_raw))
    if missing:
        raise UserError(
            f"{path}: {len(missing)} unknown ids, first {missing[0]!r}", "correct the file"
        )
    chosen = {by_raw[key].origin for key in named}
    listed = {by_raw[key].id for key in named}
    for problem in problems:
        if problem.origin in chosen and problem.id not in listed:
            raise UserError(
                f"split {name!r}: {problem.id} is not listed but shares a picture or origin "
                f"with a listed problem ({problem.origin})",
                f"list it in {path} too, or none of them",
            )
        if problem.id in listed and problem.origin in taken:
            raise UserError(
                f"split {name!r}: {problem.id} is already in split {taken[problem.origin]!r}",
                "list each problem, and its relatives, once",
            )
    return chosen
