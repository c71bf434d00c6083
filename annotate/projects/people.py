"""Who is whom: `people.yaml`, which a lead writes beside a project or above it. Each has one voice.

An account that the file does not name is a person of its own, under the name it had first. Votes
under another name of a person are filed anew under the right one: the old lines stay, withdrawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec

from ...base.yaml_lines import Located, read_located
from ...errors import UserError
from ...problem import Vote
from ..votes import latest, spelled

FILE = "people.yaml"
ABOVE = (
    2  # folders: labels/people.yaml holds for labels/subject and its groups' folders
)
FORM = "write NAME: {accounts: [2, 7], names: [other name], group: a, gold: true, out: WHY}"


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One person: the server's numbers of the accounts, and other names that votes may have.

    `group` is the one that the person answers with; where somebody has `gold`, stars of others
    (ground truth in Label Studio) do not count. `out` says why somebody is left out: the answers
    do not count, and others are asked in their place.
    """

    accounts: list[int] = []
    names: list[str] = []
    group: str = ""
    gold: bool = False
    out: str = ""


class People(msgspec.Struct):
    """The persons of a file by name; no file is no persons."""

    path: Path
    persons: dict[str, Person] = {}
    by_account: dict[int, str] = {}
    by_name: dict[str, str] = {}  # another name -> the name

    def now(self, name: str, account: int = 0) -> str:
        """The name of whoever has an account, or another name."""
        name = spelled(name)
        return self.by_account.get(account) or self.by_name.get(name, name)

    def groups(self) -> dict[str, list[str]]:
        """The members of each group."""
        groups: dict[str, list[str]] = {}
        for name, person in self.persons.items():
            if person.group:
                groups.setdefault(person.group, []).append(name)
        return groups

    def out(self) -> dict[str, str]:
        """Who is left out, and why."""
        return {name: person.out for name, person in self.persons.items() if person.out}

    def leads(self, curator: str) -> set[str]:
        """Whose stars are gold: those the file names, else the curator's."""
        named = {name for name, person in self.persons.items() if person.gold}
        return named or {self.now(curator)}

    def filed_anew(self, on_file: Iterable[Vote]) -> list[Vote]:
        """Lines that bring votes under another name of a person to the name that counts."""
        lines = []
        for vote in latest(on_file, attrgetter("annotator"))[0]:
            name = self.now(vote.annotator)
            if vote.kind == "human" and name != vote.annotator:
                lines.append(msgspec.structs.replace(vote, withdrawn=True))
                lines.append(msgspec.structs.replace(vote, annotator=name))
        return lines

    def strangers(self, on_file: Iterable[Vote], accounts: Iterable[str]) -> list[str]:
        """Voters on file that are neither persons nor accounts, where there is a file."""
        known = {*self.persons, *accounts}
        voters = {
            vote.annotator
            for vote in latest(on_file, attrgetter("annotator"))[0]
            if vote.kind == "human"
        }
        return sorted(voters - known) if self.persons else []


def read_people(folder: Path) -> People:
    """The persons of a project: those of the nearest people.yaml, in its folder or above it.

    Raises UserError, with the line, for what is no person and for an account or a name of two.

    Example: `read_people(Path("labels/subject")).now("anna2")`
    """
    folder = folder.resolve()
    for place in [folder, *folder.parents[:ABOVE]]:
        path = place / FILE
        if path.is_file():
            return _people(read_located(path))
    return People(folder / FILE)


def _people(file: Located) -> People:
    people = People(file.path)
    rows: Any = {} if file.data is None else file.data
    if not isinstance(rows, dict):
        raise UserError(f"{file.path} names nobody", FORM)
    for name, row in rows.items():
        at = file.at(name)
        try:
            person = msgspec.convert({} if row is None else row, Person)
        except msgspec.ValidationError as error:
            raise UserError(f"{at}: {name}: {error}", FORM) from error
        if not isinstance(name, str):
            raise UserError(f"{at}: {name!r} is no name", FORM)
        name = spelled(name)
        if name in people.persons:
            raise UserError(f"{at}: {name!r} stands twice", "one person has one entry")
        people.persons[name] = person
        for number in person.accounts:
            _give(people.by_account, number, name, f"{at}: account {number}")
        for other in map(spelled, person.names):
            _give(people.by_name, other, name, f"{at}: the name {other!r}")
    for other, name in people.by_name.items():
        if other in people.persons and other != name:
            raise UserError(
                f"{file.at(other)}: {other!r} is a person, and a name of {name}",
                "one person has one entry",
            )
    return people


def _give(owners: dict[Any, str], what: Any, name: str, where: str) -> None:
    """Raises UserError where it is somebody else's."""
    if owners.setdefault(what, name) != name:
        raise UserError(
            f"{where} is {owners[what]}'s and {name}'s", "a person has one vote"
        )


def one_group_each(groups: Mapping[str, list[str]], people: People) -> None:
    """Raises UserError for a person in two groups, also under two names."""
    group_of: dict[str, str] = {}
    for group, members in groups.items():
        for member in members:
            name = people.now(member)
            if group_of.setdefault(name, group) != group:
                raise UserError(
                    f"{name} is in two groups: {group_of[name]} and {group}",
                    "a person has one vote",
                )
