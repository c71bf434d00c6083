"""A team's own guidelines: shown before the first task and behind a button, their hash in votes."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ...base.files import read_bytes, write_bytes
from ...errors import UserError
from ...latex import html_of
from ..server import Client
from .project import Project, on_server
from .snapshot import snapshot

FILE = "guidelines.md"
LONGEST = 100_000  # bytes that a person can be asked to read


def adopt_guidelines(project: Project, client: Client, file: Path) -> None:
    """Take the guidelines in `file` for all answers from now on.

    Raises UserError for what is no text, and for more than a person can be asked to read.
    """
    data = read_bytes(file)
    if len(data) > LONGEST:
        raise UserError(
            f"{file}: {len(data):,} bytes of guidelines", f"up to {LONGEST:,}"
        )
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise UserError(
            f"{file} is no text: {error}", "write Markdown in UTF-8"
        ) from error
    digest = hashlib.sha256(data).hexdigest()[:16]
    if project.guidelines and project.guidelines[-1][0] == digest:
        return
    record = on_server(project, client)
    rows = snapshot(client, record["id"]) if record else []
    given = [annotation for row in rows for annotation in row.annotations]
    last = max((annotation.id for annotation in given), default=0)
    saved = max((annotation.updated_at or "" for annotation in given), default="")
    project.guidelines.append((digest, last))
    project.guidelines_since[digest] = saved
    write_bytes(project.folder / FILE, data)
    project.save()


def guidelines_html(project: Project) -> str:
    """The guidelines as the page shows them, "" where the project has none of its own."""
    if not project.guidelines:
        return ""
    paragraphs = read_bytes(project.folder / FILE).decode().split("\n\n")
    return "<hr>" + "".join(f"<p>{html_of(text)}</p>" for text in paragraphs)
