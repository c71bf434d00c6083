"""Who is pushing to a project: a mark on the server, since two clones of a folder share no lock."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from ...errors import UserError
from ..server import Client
from .project import MARK, Project

PUSHING = (
    ", pushed to from "  # comes behind the project's mark while a push is under way
)


@contextmanager
def pushing(project: Project, client: Client, number: int, yes: bool) -> Iterator[None]:
    """Hold the project's mark on the server; with `yes`, take it over from a push that died.

    Raises UserError where somebody else holds it: from which machine and folder.
    """
    mark = MARK + project.key
    mine = f"{socket.gethostname()}:{project.folder.resolve()}"
    _refuse_others(client, number, mine, yes)
    client.update_project(number, description=f"{mark}{PUSHING}{mine}")
    _refuse_others(client, number, mine, False)  # two may have written at once
    try:
        yield
    finally:
        with suppress(
            UserError
        ):  # of a server that is away: the next push of this folder goes on
            client.update_project(number, description=mark)


def _refuse_others(client: Client, number: int, mine: str, yes: bool) -> None:
    description = str(client.project(number).get("description") or "")
    holder = description.partition(PUSHING)[2]
    if holder not in ("", mine) and not yes:
        raise UserError(
            f"project {number} of {client.url} is being pushed to from {holder}",
            "wait until that push has ended; --yes goes on where it has died",
        )
