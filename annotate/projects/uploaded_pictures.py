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
from ..server import Client, Missing, picture_project, uploaded_name
from .answers import PersonAnswer
from .project import Project


def upload_page(project: Project, client: Client) -> str:
    """Where annotators of steps upload pictures; the place is made if it is new."""
    return f"{client.url}/projects/{picture_project(client, project.key)}/data/import"


def take_pictures(
    project: Project, client: Client, answers: list[PersonAnswer]
) -> None:
    """Fetch what answers name, and let their votes name what was fetched.

    A vote then names one file for good: a later upload under the same name is another. An answer
    that names nothing that was uploaded is refused.
    """
    naming = [
        (answer, row)
        for answer in answers
        for row in _steps(answer)
        if row.get("picture")
    ]
    if not naming:
        return
    uploads: dict[str, str] = {}  # of several under one name the last one
    for file in client.uploads(picture_project(client, project.key)):
        uploads[_plain(uploaded_name(file))] = file
    folder = project.folder / UPLOADED
    for answer, row in naming:
        try:
            row["picture"] = _fetched(folder, client, uploads, str(row["picture"]))
        except UserError as error:
            answer.votes = {}
            answer.reason = str(error)


def _steps(answer: PersonAnswer) -> list[dict[str, Any]]:
    value = answer.votes.get("steps")
    return list(value.get("steps") or []) if isinstance(value, dict) else []


def _fetched(folder: Path, client: Client, uploads: dict[str, str], name: str) -> str:
    file = uploads.get(_plain(name))
    if file is None:
        raise UserError(
            f"no uploaded picture {name!r}", "upload it, or write its name as it is"
        )
    copy = folder / safe_name(file.rpartition("/")[2])
    if not copy.exists():
        try:
            data = client.picture(f"/data/{file}")
        except Missing as error:
            raise UserError(
                f"the upload {name!r} is gone", "upload it again"
            ) from error
        open_picture(data, name)
        write_bytes(copy, data)
    return copy.name


def _plain(name: str) -> str:
    """Label Studio writes spaces and signs of a name in its own way."""
    return "".join(c for c in name.casefold() if c.isalnum() or c == ".")
