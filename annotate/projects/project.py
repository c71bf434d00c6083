"""One labelling project: a folder of ours that stands for a project on the server.

`project.json` says which one, `tree.yaml` is the tree it was made from, `votes.jsonl` holds every
answer ever pulled and `refused.jsonl` those that could not be votes, with the reason.
"""

from __future__ import annotations

import hashlib
import secrets
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec

from ...base.files import locked, pretty, write_bytes
from ...errors import UserError
from ...taxonomy import Tree, load_tree, source_of
from ..kinds import Kind, load_kind
from ..server import Client, Missing, names
from .people import read_people

MARK = "benchwright project "  # starts the description of our projects on the server


class Project(msgspec.Struct, kw_only=True):
    """What `project.json` holds. `key` marks the project on the server, whatever its number."""

    key: str
    kind: str
    number: int = 0  # the server's; 0 until it is created
    people: int = 3  # answers wanted per task
    doubt: int = 0  # answers wanted where people disagree or are unsure
    interface: str = ""  # SHA-256 of the interface we last gave to the server
    instruction: str = ""  # the same of what people read before the first task
    recipe_votes: str = ""  # where a recipe looks for the votes, relative to the folder
    groups: dict[str, list[str]] = {}  # people; each group's project lies below
    group: str = ""  # of which this is the project
    members: list[str] = []  # of the group
    guidelines: list[tuple[str, int]] = []  # hash; the last answer before they came
    guidelines_since: dict[str, str] = {}  # hash -> the last saving before they came
    names: dict[
        int, str
    ] = {}  # the server's number of an account -> the name it had first
    folder: Path = Path()  # not stored

    def load(self) -> tuple[Kind, Tree | None, str]:
        """The kind, its tree and our interface."""
        kind = load_kind(self.kind)
        path = self.folder / "tree.yaml"
        tree = load_tree(path) if path.exists() else None
        return kind, tree, kind.interface(tree)

    def needs_tree(self) -> bool:
        return load_kind(self.kind).needs_tree

    def instructions_at(self, annotation: int, saved: str) -> str:
        """The hash of the guidelines that stood when an annotation was made, or saved again."""
        for digest, last in reversed(self.guidelines):
            since = self.guidelines_since.get(digest)
            if annotation > last or (since is not None and saved > since):
                return digest
        return ""

    def save(self) -> None:
        data = msgspec.to_builtins(self, enc_hook=str, str_keys=True)
        del data["folder"]
        write_bytes(self.folder / "project.json", pretty(data))


def open_project(folder: Path) -> Project:
    """The project of a folder. Raises UserError when nothing was pushed from it."""
    path = folder / "project.json"
    try:
        project = msgspec.json.decode(path.read_bytes(), type=Project)
    except OSError as error:
        raise UserError(
            f"{folder} is no labelling project", "push problems first"
        ) from error
    except msgspec.DecodeError as error:
        raise UserError(f"{path}: {error}", "restore it from your backup") from error
    project.folder = folder
    return project


def make_project(
    folder: Path,
    kind: str,
    tree: str | None,
    people: int | None = None,
    doubt: int | None = None,
) -> Project:
    """The folder's project, made if it is new; the kind of an old one must not change.

    `people`, where given, is how many answers a task wants from now on, `doubt` how many where
    people disagree. The tree changes by `migration.adopt_tree` alone.
    """
    task_kind = load_kind(kind)
    tree_file = folder / "tree.yaml"
    task_kind.want_tree(tree is not None or tree_file.exists())
    if (folder / "project.json").exists():
        project = open_project(folder)
        if project.kind != kind:
            raise UserError(
                f"{folder} is a project of kind {project.kind!r}, not {kind!r}",
                "use another folder",
            )
    elif _has_votes(folder):
        raise UserError(
            f"{folder} has votes, and its project.json is gone, which says where they are from",
            "restore it from your backup, or push to a new folder",
        )
    else:
        project = Project(key=secrets.token_hex(8), kind=kind, folder=folder)
    project.people = people or project.people
    project.doubt = doubt or project.doubt
    if task_kind.needs_tree and tree is not None:
        task_kind.interface(load_tree(tree))
        if not tree_file.exists():
            write_bytes(tree_file, source_of(tree))
    project.save()
    return project


def people_of(project: Project, client: Client) -> dict[int, str]:
    """The server's number of each person -> the name that votes carry.

    A name once seen stays, whatever becomes of the account; two accounts with one name differ by
    their numbers; `save` keeps them. Two accounts of one person in `people.yaml` have one name.
    """
    for number, name in sorted(names(client).items()):
        if number not in project.names:
            taken = name in project.names.values()
            project.names[number] = f"{name} {number}" if taken else name
    people = read_people(project.folder)
    return {number: people.now(name, number) for number, name in project.names.items()}


def working(folder: Path) -> AbstractContextManager[None]:
    """The lock under which a project's folder is written: one push or pull at a time.

    Example: `with working(folder): ...`
    """
    return locked(folder / ".project.lock")


def interface_hash(interface: str) -> str:
    return hashlib.sha256(interface.encode()).hexdigest()


def _has_votes(folder: Path) -> bool:
    """Has anything been pulled? A recipe's file of votes may lie there, empty, before a push."""
    votes = folder / "votes.jsonl"
    return votes.exists() and votes.stat().st_size > 0


def on_server(project: Project, client: Client) -> dict[str, Any] | None:
    """The server's record of a project, or None when it has not been created there.

    Raises UserError when it was deleted, or when its number belongs to somebody else's project.
    """
    mark = MARK + project.key
    marked = sorted(
        number
        for number, description in client.projects().items()
        if description.startswith(mark)
    )
    if len(marked) > 1:
        raise UserError(
            f"projects {', '.join(map(str, marked))} of {client.url} are both of {project.folder}",
            "two folders with one project.json pushed at once: pull or copy the answers of one, "
            "delete it on the server, and push again",
        )
    if project.number:
        try:
            record = client.project(project.number)
        except Missing as error:
            raise UserError(
                f"project {project.number} is gone from {client.url}",
                f"its votes stay in {project.folder}; push to a new folder to ask again",
            ) from error
        if (record.get("description") or "").startswith(mark):
            return record
        raise UserError(
            f"project {project.number} of {client.url} is not the one of {project.folder}: its "
            f"description does not begin with {mark!r}",
            "name the right --server; or, where somebody has edited it, put this back",
        )
    # One that is there without a number in our file was made by a push that was killed.
    return client.project(marked[0]) if marked else None
