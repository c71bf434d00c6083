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
Stratum = tuple[str, ...]  # a problem's values of some labels
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
        if origin in self.home:
            return self.home[origin] == name
        return not (withheld and origin in self.known)


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
    split_of: dict[str, str] = {}  # cluster -> split
    for name, split in plan.items():
        if split == "rest":
            continue
        if split.ids is not None:
            path = folder / split.ids
            chosen = _listed(name, path, listed[name], problems, split_of)
        else:
            free = [p for p in problems if p.origin not in split_of]
            chosen = _drawn(name, split, free, seed, bound, withheld=name in withheld)
        split_of |= dict.fromkeys(chosen, name)
    for name, split in plan.items():
        if split == "rest":
            rest = [p for p in problems if p.origin not in split_of]
            if name in withheld:
                _refuse_public(name, rest, bound)
            split_of |= {p.origin: name for p in rest}
    return {
        name: [p for p in problems if split_of.get(p.origin) == name] for name in plan
    }


def _refuse_public(name: str, rest: Sequence[M], bound: Bound) -> None:
    """Raises UserError where a withheld split would take problems whose answers are public."""
    public = [problem.id for problem in rest if problem.origin in bound.known]
    if public:
        raise UserError(
            f"split {name!r} withholds its answers, and those of {_some(public)} are public "
            f"in {bound.since}",
            "name a public split that takes them, or withdraw them",
        )


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
    home = {  # cluster -> split
        problem.origin: name
        for name, ids in listed.items()
        for problem in problems
        if problem.id in ids
    }
    public: dict[str, str] = {}  # cluster -> one of it whose answer was public
    places: dict[str, dict[str, str]] = defaultdict(
        dict
    )  # cluster -> split -> who stood there
    for problem in problems:
        for standing in stood.get(problem.id, ()):
            split = standing.split
            if standing.public:
                public.setdefault(problem.origin, problem.id)
            if problem.origin in home or split in listed or split not in plan:
                continue
            if standing.public and split in withheld:
                continue
            renamed = "" if standing.id == problem.id else f" (called {standing.id})"
            places[problem.origin].setdefault(split, f"{problem.id}{renamed}")
    _refuse_torn(places, since)
    home |= {origin: split for origin, where in places.items() for split in where}
    exposed = [name for origin, name in public.items() if home.get(origin) in withheld]
    if exposed:
        raise UserError(
            f"a withheld split would take {_some(exposed)}, whose answers are public in {since}",
            "list them for a public split, withdraw them, or undo what makes them relatives of "
            "withheld problems",
        )
    return Bound(home, public.keys() - home.keys(), since)


def _refuse_torn(places: Mapping[str, Mapping[str, str]], since: str) -> None:
    """Raises UserError for clusters that stood in several splits."""
    torn = [
        " and ".join(f"{name} in {split!r}" for split, name in where.items())
        for where in places.values()
        if len(where) > 1
    ]
    if torn:
        raise UserError(
            f"relatives stood in different splits of {since}: {_some(torn, '; ')}",
            "withdraw one of them, or undo what makes them relatives: an origin, a picture, or a "
            "pair of dedup (decide that it is `not duplicate`); where rows were numbered anew, "
            "give them ids of their own",
        )


def _some(names: Sequence[str], comma: str = ", ") -> str:
    """A few names, and how many more.

    >>> _some(["a", "b", "c", "d", "e", "f", "g"])
    'a, b, c, d, e and 2 more'
    """
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return comma.join(names[:MOST]) + more


def stratum(problem: Member | Problem, by: list[str]) -> Stratum:
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
    _require_labels(name, split, free)
    size = split.size or 0
    if isinstance(size, float):
        size = round(size * len(free))
    admitted = [p for p in free if bound.admits(name, p.origin, withheld=withheld)]
    staying = [p for p in admitted if p.origin in bound.home]
    size = _fitting(name, split, size, admitted, staying, len(free), bound.since)
    members: dict[str, list[Stratum]] = defaultdict(
        list
    )  # cluster -> strata of its problems
    for problem in admitted:
        members[problem.origin].append(stratum(problem, split.by))
    chosen = {problem.origin for problem in staying}
    stay = Counter(stratum(problem, split.by) for problem in staying)
    available = Counter(key for strata in members.values() for key in strata)
    quotas = _quotas(available, size, stay, equal=split.per_stratum == "equal")
    quotas.subtract(stay)
    order = sorted(members.keys() - chosen, key=lambda c: _draw(seed, name, c))
    chosen |= _filling(quotas, order, members)
    # Where a cluster did not fit its strata, the size goes before the shares.
    left = size - sum(len(members[origin]) for origin in chosen)
    for origin in order:
        if not left:
            break
        if origin not in chosen and len(members[origin]) <= left:
            chosen.add(origin)
            left -= len(members[origin])
    return chosen


def _require_labels(name: str, split: Split, problems: Sequence[M]) -> None:
    """Raises UserError for a stratum by a label that no problem has."""
    if not split.by or not problems:
        return
    labels = {label for problem in problems for label in problem.labels}
    for label in split.by:
        if label not in labels:
            raise UserError(
                f"split {name!r}: no problem has a label {label!r}",
                nearest(label, list(labels)),
            )


def _filling(
    quotas: Counter[Stratum], order: Sequence[str], members: Mapping[str, list[Stratum]]
) -> set[str]:
    """The clusters, in their order, that fit into what the strata still lack."""
    quotas = quotas.copy()
    places = quotas.total()
    chosen = set[str]()
    for origin in order:
        if not places:
            break
        strata = members[origin]
        # Nearly all clusters are one problem, and a Counter costs more.
        needs = Counter(strata) if len(strata) > 1 else {strata[0]: 1}
        if all(quotas[key] >= count for key, count in needs.items()):
            chosen.add(origin)
            quotas.subtract(needs)
            places -= len(strata)
    return chosen


def _fitting(
    name: str,
    split: Split,
    size: int,
    admitted: Sequence[M],
    staying: Sequence[M],
    total: int,
    since: str,
) -> int:
    """The size, if what stays fits into it and there is enough to fill it; a share gives way."""
    fitting = min(max(size, len(staying)), len(admitted))
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
    available: Counter[Stratum],
    size: int,
    least: Counter[Stratum],
    *,
    equal: bool,
) -> Counter[Stratum]:
    """How many there are to be of each stratum, and never fewer than the `least` that stay.

    Strata in which more stay than their share keep these; the others share the rest.
    """
    shares = _equal if equal else _proportional
    fixed: Counter[Stratum] = Counter()
    while True:
        others = Counter(
            {key: count for key, count in available.items() if key not in fixed}
        )
        quotas = shares(others, size - fixed.total())
        over = {key: least[key] for key in others if least[key] > quotas[key]}
        if not over:
            return quotas + fixed
        fixed.update(over)


def _proportional(available: Counter[Stratum], size: int) -> Counter[Stratum]:
    """Shares in proportion, by largest remainder."""
    total = available.total()
    exact = {key: size * count / total for key, count in available.items()}
    quotas = Counter({key: int(share) for key, share in exact.items()})
    by_remainder = sorted(exact, key=lambda key: (int(exact[key]) - exact[key], key))
    quotas.update(by_remainder[: size - quotas.total()])
    return quotas


def _equal(available: Counter[Stratum], size: int) -> Counter[Stratum]:
    """Equal shares; a stratum that has less gives all it has, and the others share the rest."""
    quotas: Counter[Stratum] = Counter()
    left = size
    keys = sorted(available, key=lambda key: (available[key], key))
    while keys and available[keys[0]] <= left // len(keys):
        key = keys.pop(0)
        quotas[key] = available[key]
        left -= available[key]
    for number, key in enumerate(sorted(keys)):
        quotas[key] = left // len(keys) + (number < left % len(keys))
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
