"""Groups of annotators: each answers a task once (MATH-V, G.2: "independently in three groups").

The server knows no groups, so each has a project there, in a folder of its own below the one that
was named. A vote says whose group's it is, and the last answer of a group is its one answer.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ...base.files import pretty, write_bytes
from ...errors import UserError
from .people import one_group_each, read_people
from .project import Project, open_project

T = TypeVar("T", bound=msgspec.Struct)
DEALS = "deals.json"  # which groups answer which task
NAME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")


def read_groups(options: Mapping[str, str]) -> dict[str, list[str]]:
    """Groups as a command has them. Raises UserError for what is no group.

    >>> read_groups({"a": "anna,ben", "b": "chris"})
    {'a': ['anna', 'ben'], 'b': ['chris']}
    """
    groups: dict[str, list[str]] = {}
    for name, people in options.items():
        members = [person.strip() for person in people.split(",")]
        groups[name] = [person for person in members if person]
        if not name or set(name) - NAME or not groups[name]:
            raise UserError(f"group {name!r} of {people!r}", "--group a=anna,ben")
    return groups


def deal(
    folder: Path, tasks: Iterable[str], groups: Iterable[str], people: int
) -> dict[str, list[str]]:
    """Which groups answer each task: `people` of them, those with the fewest so far.

    What was dealt once stays; it is kept in the folder's deals.json. New tasks are dealt in the
    order of their hashes, so that no group has only the end of a list.
    """
    dealt = read_deals(folder)
    load = Counter(name for hand in dealt.values() for name in hand)
    new = sorted(set(tasks) - dealt.keys(), key=_shuffled)
    for task in new:
        # of equals, others for every task: so that all groups have some tasks in common
        order = sorted(groups, key=lambda name: (load[name], _shuffled(task + name)))
        hand = order[:people]
        dealt[task] = sorted(hand)
        load.update(hand)
    if new:
        _write_deals(folder, dealt)
    return dealt


def deal_again(
    folder: Path, open_tasks: Mapping[str, Collection[str]], groups: Iterable[str]
) -> tuple[Counter[str], list[str]]:
    """Give what is open of some groups to others of the `groups`: those with the fewest so far.

    `open_tasks` are the tasks that each group gives away. No group gets a task that it has already.
    Returns how many tasks each got, and those that all others have.
    """
    dealt = read_deals(folder)
    load = Counter(name for hand in dealt.values() for name in hand)
    takers = sorted(set(groups) - open_tasks.keys())
    got: Counter[str] = Counter()
    kept: list[str] = []
    for giver, tasks in sorted(open_tasks.items()):
        for task in sorted(tasks, key=_shuffled):
            hand = dealt.get(task, [])
            able = [name for name in takers if name not in hand]
            if giver not in hand:
                continue
            if not able:
                kept.append(task)
                continue
            taker = min(able, key=lambda name: (load[name], name))
            dealt[task] = sorted({*hand, taker} - {giver})
            load.update({taker: 1, giver: -1})
            got[taker] += 1
    if got:
        _write_deals(folder, dealt)
    return got, kept


def read_deals(folder: Path) -> dict[str, list[str]]:
    """Which groups of a folder answer each task, as far as it was dealt."""
    file = folder / DEALS
    if not file.exists():
        return {}
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, list[str]])
    except msgspec.DecodeError as error:
        raise UserError(
            f"{file}: {error}", "restore it from your backup, or mend what a merge left"
        ) from error


def _write_deals(folder: Path, dealt: Mapping[str, list[str]]) -> None:
    write_bytes(folder / DEALS, pretty(dealt))


def _shuffled(task: str) -> bytes:
    return hashlib.sha256(task.encode()).digest()


def groups_of(
    folder: Path, kind: str, new_groups: Mapping[str, list[str]], people: int | None
) -> tuple[dict[str, list[str]], int]:
    """The groups of a folder, with new ones, and how many of them answer each task.

    Where none are new, they are those of `people.yaml`, if it names any. There are none where the
    folder is a project without groups.
    Raises UserError where it is one and has new groups, where a person is in two, and where tasks
    are dealt already.
    """
    team = read_people(folder)
    project = Project(key="", kind=kind, people=0)
    if (folder / "project.json").exists():
        project = open_project(folder)
        if not project.groups:
            if new_groups:
                raise UserError(
                    f"{folder} is a project without groups", "use another folder"
                )
            return {}, 0
    of_file = {name: ",".join(members) for name, members in team.groups().items()}
    groups = project.groups | dict(new_groups or read_groups(of_file))
    one_group_each(groups, team)
    if project.people >= len(project.groups):  # each task goes to all groups
        answers = people or len(groups)
    elif len(groups) > len(project.groups) or people not in (None, project.people):
        raise UserError(
            f"{folder} has dealt each task to {project.people} of its groups",
            "leave the groups as they are, or use another folder",
        )
    else:
        answers = project.people
    if groups:
        project.groups = groups
        project.people = answers
        project.folder = folder
        project.save()
    return groups, answers


def joined(results: Iterable[T]) -> T:
    """What came of several groups as one: counts added, lists joined."""
    first, *others = results
    fields = msgspec.structs.asdict(first)
    for other in others:
        fields = _sum(fields, msgspec.structs.asdict(other))
    return type(first)(**fields)


def _sum(a: Any, b: Any) -> Any:
    """Two values of a field as one; of texts and structs the first stands for all."""
    if isinstance(a, dict):
        return a | {k: _sum(a[k], value) if k in a else value for k, value in b.items()}
    if a is None or b is None:
        return b if a is None else a
    if isinstance(a, list | int | float) and not isinstance(a, bool):
        return a + b
    return a
