"""A team's own guidelines: shown before the first task and behind a button, their hash in votes."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from ...base.files import read_bytes, write_bytes
from ...errors import UserError
from ...latex import html_of, maths_spans
from ..server import Client
from .project import Project, on_server
from .snapshot import snapshot

FILE = "guidelines.md"
FORMULA = re.compile(
    "\ue0f0(\\d+)\ue0f1"
)  # the place of a formula, while Markdown is read
BLOCK = '<div class="mmd">'  # around a text; a formula stands within a line
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
    return "<hr>" + markdown_html(read_bytes(project.folder / FILE).decode())


def markdown_html(text: str) -> str:
    """Markdown as HTML, its formulas drawn; HTML in it is shown as text.

    >>> markdown_html("# Rules\\n- look at *both*").strip()
    '<h1>Rules</h1>\\n<ul>\\n<li>look at <em>both</em></li>\\n</ul>'
    """
    from markdown_it import MarkdownIt

    formulas: list[str] = []
    text = text.translate({0xE0F0: None, 0xE0F1: None})
    prose = ""
    end = 0
    for span in maths_spans(text):  # stars and underscores of a formula are no emphasis
        prose += f"{text[end : span.start]}\ue0f0{len(formulas)}\ue0f1"
        drawn = html_of(text[span.start : span.end])
        formulas.append(drawn.removeprefix(BLOCK).removesuffix("</div>"))
        end = span.end
    prose += text[end:]
    page = str(MarkdownIt("commonmark", {"html": False}).enable("table").render(prose))
    return FORMULA.sub(lambda place: formulas[int(place[1])], page)
