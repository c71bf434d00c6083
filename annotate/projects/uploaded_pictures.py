"""Pictures that annotators upload for their steps: found by the name they wrote, kept on our side.

Label Studio has no field for a file. A project beside the one with the steps takes files by its
Import button, and an answer names them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...base.files import safe_name, write_bytes
from ...base.pictures import open_picture
from ...errors import UserError
from ..kinds import UPLOADED
from ..server import Client, Missing, picture_project
from .answers import Given
from .project import Project


def upload_page(project: Project, client: Client) -> str:
    """Where annotators of steps upload pictures; the place is made if it is new."""
    return f"{client.url}/projects/{picture_project(client, project.key)}/data/import"


def take_pictures(project: Project, client: Client, answers: list[Given]) -> None:
    """Fetch what answers name, and let their votes name what was fetched.

    A vote then names one file for good: a later upload under the same name is another. An answer
    that names nothing that was uploaded is refused.
    """
    wanted = [
        (given, row) for given in answers for row in _rows(given) if row.get("picture")
    ]
    if not wanted:
        return
    uploads: dict[str, str] = {}
    for file in client.uploads(picture_project(client, project.key)):
        uploads[_plain(file.rpartition("/")[2].partition("-")[2])] = (
            file  # the last one
        )
    for given, row in wanted:
        try:
            row["picture"] = _taken(
                project.folder / UPLOADED, client, uploads, str(row["picture"])
            )
        except UserError as error:
            given.votes, given.reason = {}, str(error)


def _rows(given: Given) -> list[dict[str, Any]]:
    value = given.votes.get("steps")
    return list(value.get("steps") or []) if isinstance(value, dict) else []


def _taken(folder: Path, client: Client, uploads: dict[str, str], name: str) -> str:
    file = uploads.get(_plain(name))
    if file is None:
        raise UserError(
            f"no uploaded picture {name!r}", "upload it, or write its name as it is"
        )
    kept = folder / safe_name(file.rpartition("/")[2])
    if not kept.exists():
        try:
            data = client.picture(f"/data/{file}")
        except Missing as error:
            raise UserError(
                f"the upload {name!r} is gone", "upload it again"
            ) from error
        open_picture(data, name)
        write_bytes(kept, data)
    return kept.name


def _plain(name: str) -> str:
    """Label Studio writes spaces and signs of a name in its own way."""
    return "".join(c for c in name.casefold() if c.isalnum() or c == ".")
