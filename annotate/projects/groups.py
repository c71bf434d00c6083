"""Groups of annotators: each answers a task once (MATH-V, G.2: "independently in three groups").

The server knows no groups, so each has a project there, in a folder of its own below the one that
was named. A vote says whose group's it is, and the last answer of a group is its one answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ...errors import UserError
from .project import Project, open_project

T = TypeVar("T", bound=msgspec.Struct)
NAME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")


def read_groups(said: Mapping[str, str]) -> dict[str, list[str]]:
    """Groups as a command has them. Raises UserError for what is no group, and a person in two.

    >>> read_groups({"a": "anna,ben", "b": "chris"})
    {'a': ['anna', 'ben'], 'b': ['chris']}
    """
    groups: dict[str, list[str]] = {}
    for name, people in said.items():
        groups[name] = [
            person.strip() for person in people.split(",") if person.strip()
        ]
        if not name or set(name) - NAME or not groups[name]:
            raise UserError(f"group {name!r} of {people!r}", "--group a=anna,ben")
    everybody = [person for members in groups.values() for person in members]
    if twice := next((p for p in everybody if everybody.count(p) > 1), None):
        raise UserError(f"{twice} is in two groups", "a person has one vote")
    return groups


def dealt_to(task: str, groups: Iterable[str], people: int) -> tuple[str, ...]:
    """The groups that a task goes to: `people` of them, whichever by its id.

    >>> hands = [dealt_to(str(k), "abc", 2) for k in range(90)]
    >>> all(sum(name in hand for hand in hands) > 45 for name in "abc")
    True
    """
    names = sorted(groups)
    hands = list(combinations(names, min(people, len(names))))
    return hands[
        int.from_bytes(hashlib.sha256(task.encode()).digest()[:8]) % len(hands)
    ]


def groups_of(
    folder: Path, kind: str, said: Mapping[str, list[str]], people: int | None
) -> tuple[dict[str, list[str]], int]:
    """The groups of a folder, with those `said`, and how many of them answer each task.

    There are none where the folder is a project without groups.
    Raises UserError where it is one and groups are said, and where tasks are dealt already.
    """
    path = folder / "project.json"
    known = (
        open_project(folder) if path.exists() else Project(key="", kind=kind, people=0)
    )
    if path.exists() and not known.groups:
        if said:
            raise UserError(
                f"{folder} is a project without groups", "use another folder"
            )
        return {}, 0
    groups = known.groups | dict(said)
    to_all = known.people >= len(known.groups)
    if not to_all and (
        len(groups) > len(known.groups) or people not in (None, known.people)
    ):
        raise UserError(
            f"{folder} has dealt each task to {known.people} of its groups",
            "leave the groups as they are, or use another folder",
        )
    answers = people or (len(groups) if to_all else known.people)
    if groups:
        known.groups, known.people, known.folder = groups, answers, folder
        known.save()
    return groups, answers


def together(results: Iterable[T]) -> T:
    """What came of several groups as one: counts added, lists joined."""
    first, *others = results
    whole = {name: getattr(first, name) for name in first.__struct_fields__}
    for other in others:
        whole = {
            name: _together(value, getattr(other, name))
            for name, value in whole.items()
        }
    return type(first)(**whole)


def _together(one: Any, other: Any) -> Any:
    if isinstance(one, dict):
        return one | {
            k: _together(one[k], v) if k in one else v for k, v in other.items()
        }
    if isinstance(one, list):
        return one + other
    if one is None or other is None:
        return other if one is None else one
    return (
        one + other
        if isinstance(one, int | float) and not isinstance(one, bool)
        else one
    )
