"""Splits: drawn in strata, seeded, and never through a cluster of relatives.

With a release before, where a cluster stood there binds the draw: it stays, and new ones fill up.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

import msgspec

from ..base.files import BAD_JSON, read_lines
from ..base.terminal import say
from ..errors import UserError, nearest
from ..pipeline import Split
from ..problem import Problem
from .clusters import Member
from .previous_release import Standing

M = TypeVar("M", Member, Problem)
Plan = dict[str, Split | Literal["rest"]]
MOST = 5  # problems that an error names


class Bound(NamedTuple):
    """What the release before says of clusters: the split of each that stays, and what is known.

    `known` are clusters whose answers were public in a split that is not there now.
    """

    home: Mapping[str, str] = {}
    known: Collection[str] = ()
    since: str = ""  # the release before

    def admits(self, name: str, origin: str, *, withheld: bool) -> bool:
        """May the split `name` take the cluster?"""
        home = self.home.get(origin)
        return (
            home == name
            if home is not None
            else not (withheld and origin in self.known)
        )


def assign(
    problems: Sequence[M],
    plan: Plan,
    seed: int,
    folder: Path,
    *,
    withheld: Collection[str] = (),
    stood: Mapping[str, Sequence[Standing]] | None = None,
    since: str = "",
) -> dict[str, list[M]]:
    """Split name -> its problems, in their order; the plan's order decides who draws first.

    Problems have their cluster as `origin` (see clusters.py). Whoever is in no split is in none of
    the lists: the caller accounts for them. `stood` says where a problem, by id, stood in the
    release `since`: there its cluster stays. Raises UserError when a split asks for more than there
    is, an id list tears a cluster apart, or no draw can leave every cluster where it stood.
    """
    listed = {
        name: _listed_ids(folder / split.ids, problems)
        for name, split in plan.items()
        if split != "rest" and split.ids is not None
    }
    bound = _bound(problems, plan, listed, stood or {}, withheld, since)
    taken: dict[str, str] = {}  # cluster -> split
    for name, split in plan.items():
        if split == "rest":
            continue
        if split.ids is not None:
            chosen = _listed(name, folder / split.ids, listed[name], problems, taken)
        else:
            free = [p for p in problems if p.origin not in taken]
            chosen = _drawn(name, split, free, seed, bound, withheld=name in withheld)
        taken |= dict.fromkeys(chosen, name)
    for name, split in plan.items():
        if split == "rest":
            left = [p for p in problems if p.origin not in taken]
            known = [p.id for p in left if name in withheld and p.origin in bound.known]
            if known:
                raise UserError(
                    f"split {name!r} withholds its answers, and those of {_some(known)} are public "
                    f"in {since}",
                    "name a public split that takes them, or withdraw them",
                )
            taken |= {p.origin: name for p in left}
    return {name: [p for p in problems if taken.get(p.origin) == name] for name in plan}


def _bound(
    problems: Sequence[M],
    plan: Plan,
    listed: Mapping[str, set[str]],
    stood: Mapping[str, Sequence[Standing]],
    withheld: Collection[str],
    since: str,
) -> Bound:
    """Where each cluster has to stay; a list of ids is a person's word and goes before.

    Raises UserError for a cluster that would have to stand in two splits, and for a list that takes
    a public answer into a withheld split.
    """
    if not since:
        return Bound()
    home = {
        p.origin: name for name, ids in listed.items() for p in problems if p.id in ids
    }
    known: dict[str, str] = {}  # cluster -> one of it whose answer was public
    places: dict[str, dict[str, str]] = defaultdict(
        dict
    )  # cluster -> split -> who stood there
    for problem in problems:
        for was in stood.get(problem.id, ()):
            if was.public:
                known.setdefault(problem.origin, problem.id)
            gone = was.split not in plan or (was.public and was.split in withheld)
            if problem.origin not in home and was.split not in listed and not gone:
                as_then = "" if was.id == problem.id else f" (called {was.id})"
                places[problem.origin].setdefault(was.split, f"{problem.id}{as_then}")
    torn = [where for where in places.values() if len(where) > 1]
    if torn:
        told = (
            " and ".join(f"{who} in {name!r}" for name, who in where.items())
            for where in torn
        )
        raise UserError(
            f"relatives stood in different splits of {since}: {_some(list(told), '; ')}",
            "withdraw one of them, or undo what makes them relatives: an origin, a picture, or a "
            "pair of dedup (decide that it is `not duplicate`); where rows were numbered anew, "
            "give them ids of their own",
        )
    home |= {origin: name for origin, where in places.items() for name in where}
    hidden = [who for origin, who in known.items() if home.get(origin) in withheld]
    if hidden:
        raise UserError(
            f"a withheld split would take {_some(hidden)}, whose answers are public in {since}",
            "list them for a public split, withdraw them, or undo what makes them relatives of "
            "withheld problems",
        )
    return Bound(home, known.keys() - home.keys(), since)


def _some(names: Sequence[str], comma: str = ", ") -> str:
    """A few names, and how many more.

    >>> _some(["a", "b", "c", "d", "e", "f", "g"])
    'a, b, c, d, e and 2 more'
    """
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return comma.join(names[:MOST]) + more


def stratum(problem: Member | Problem, by: list[str]) -> tuple[str, ...]:
    """The problem's values of the labels `by`, as text."""
    return tuple(str(problem.labels.get(label, "")) for label in by)


def _drawn(
    name: str,
    split: Split,
    free: Sequence[M],
    seed: int,
    bound: Bound,
    *,
    withheld: bool,
) -> set[str]:
    """The clusters of a split: those that stay in it, and as many drawn as it still lacks."""
    known = (
        {label for problem in free for label in problem.labels} if split.by else set()
    )
    for label in split.by:
        if free and label not in known:
            raise UserError(
                f"split {name!r}: no problem has a label {label!r}",
                nearest(label, list(known)),
            )
    size = (
        round(split.size * len(free))
        if isinstance(split.size, float)
        else split.size or 0
    )
    open_ = [p for p in free if bound.admits(name, p.origin, withheld=withheld)]
    staying = [p for p in open_ if p.origin in bound.home]
    size = _fitting(name, split, size, open_, staying, len(free), bound.since)
    clusters: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    strata = [stratum(problem, split.by) for problem in open_]
    for problem, key in zip(open_, strata, strict=True):
        clusters[problem.origin].append(key)
    chosen = {problem.origin for problem in staying}
    stay = Counter(stratum(problem, split.by) for problem in staying)
    quotas = _quotas(Counter(strata), size, stay, equal=split.per_stratum == "equal")
    quotas.subtract(stay)
    order = sorted(clusters.keys() - chosen, key=lambda c: _draw(seed, name, c))
    open_places = quotas.total()
    for origin in order:
        if not open_places:
            break
        own = clusters[origin]
        needs = Counter(own) if len(own) > 1 else {own[0]: 1}  # as almost all
        if all(quotas[key] >= count for key, count in needs.items()):
            chosen.add(origin)
            quotas.subtract(needs)
            open_places -= len(own)
    left = size - sum(len(clusters[origin]) for origin in chosen)
    for origin in (
        order
    ):  # where a cluster did not fit its strata, the size goes before the shares
        if not left:
            break
        if origin not in chosen and len(clusters[origin]) <= left:
            chosen.add(origin)
            left -= len(clusters[origin])
    return chosen


def _fitting(
    name: str,
    split: Split,
    size: int,
    open_: Sequence[M],
    staying: Sequence[M],
    total: int,
    since: str,
) -> int:
    """The size, if what stays fits into it and there is enough to fill it; a share gives way."""
    fitting = min(max(size, len(staying)), len(open_))
    if fitting == size:
        return size
    if not since:
        raise UserError(
            f"split {name!r} asks for {size} of {total} problems", "ask for fewer"
        )
    if isinstance(split.size, float):
        say(
            f"split {name!r} has {fitting} problems and not {size}: others stay as in {since}"
        )
        return fitting
    if size > fitting:
        raise UserError(
            f"split {name!r} asks for {size} problems: {len(staying)} stay in it, and only "
            f"{fitting - len(staying)} stood in no other split of {since}",
            f"ask for at most {fitting}",
        )
    raise UserError(
        f"split {name!r} asks for {size} problems, and {fitting} stay in it with their "
        f"relatives since {since}: {_some([problem.id for problem in staying])}",
        f"ask for at least {fitting}, or withdraw some of them",
    )


def _draw(seed: int, name: str, origin: str) -> bytes:
    """A cluster's lot: depends on nothing but itself, so new problems do not reshuffle old ones."""
    return hashlib.sha256(f"{seed}\0{name}\0{origin}".encode()).digest()


def _quotas(
    available: Counter[tuple[str, ...]],
    size: int,
    least: Counter[tuple[str, ...]],
    *,
    equal: bool,
) -> Counter[tuple[str, ...]]:
    """How many there are to be of each stratum, and never fewer than the `least` that stay.

    Strata in which more stay than their share keep these; the others share the rest.
    """
    fixed: Counter[tuple[str, ...]] = Counter()
    while True:
        others = Counter(
            {key: count for key, count in available.items() if key not in fixed}
        )
        quotas = (_equal if equal else _proportional)(others, size - fixed.total())
        over = {key: least[key] for key in others if least[key] > quotas[key]}
        if not over:
            return quotas + fixed
        fixed.update(over)


def _proportional(
    available: Counter[tuple[str, ...]], size: int
) -> Counter[tuple[str, ...]]:
    """Shares in proportion, by largest remainder."""
    quotas: Counter[tuple[str, ...]] = Counter()
    total = sum(available.values())
    exact = (
        {key: size * count / total for key, count in available.items()} if total else {}
    )
    quotas.update({key: int(share) for key, share in exact.items()})
    by_remainder = sorted(exact, key=lambda key: (int(exact[key]) - exact[key], key))
    quotas.update(by_remainder[: size - sum(quotas.values())])
    return quotas


def _equal(available: Counter[tuple[str, ...]], size: int) -> Counter[tuple[str, ...]]:
    """Equal shares; a stratum that has less gives all it has, and the others share the rest."""
    quotas: Counter[tuple[str, ...]] = Counter()
    left, keys = size, sorted(available, key=lambda key: (available[key], key))
    while keys and available[keys[0]] <= left // len(keys):
        key = keys.pop(0)
        quotas[key] = available[key]
        left -= available[key]
    for k, key in enumerate(sorted(keys)):
        quotas[key] = left // len(keys) + (k < left % len(keys))
    return quotas


def _listed_ids(path: Path, problems: Sequence[M]) -> set[str]:
    """The problems that a file names: one id a line, or JSON lines with `id`."""
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
            f"{path}: {len(missing)} unknown ids, first {missing[0]!r}",
            "correct the file",
        )
    return {by_raw[key].id for key in named}


def _listed(
    name: str,
    path: Path,
    listed: set[str],
    problems: Sequence[M],
    taken: dict[str, str],
) -> set[str]:
    """The clusters of the problems that a file lists, each of them whole."""
    chosen = {problem.origin for problem in problems if problem.id in listed}
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
