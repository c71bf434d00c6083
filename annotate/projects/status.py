"""`annotate status`: how far a labelling project is on its server, as data and as a page."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path

from ...base.registry import plugged
from ...errors import UserError
from ..server import Client, connect
from ..votes import latest
from .answers import person, read_answers
from .changes import with_authors
from .groups import joined, read_deals
from .lead_page import write_status
from .people import read_people
from .progress import (
    Deal,
    Status,
    agreements_of,
    alphas,
    note_agreement,
    status_of,
)
from .project import Project, on_server, open_project, people_of
from .pull import votes_on_file
from .snapshot import snapshot
from .team import pairs_of, seconds_by_kind, speeders


def status(
    folder: str | Path,
    *,
    server: str | None = None,
    out: str | Path | None = None,
    plugins: Sequence[str | Path] = (),
) -> Status:
    """How far the project in `folder` is on its server; nothing is pulled.

    Args:
        folder: The project's folder.
        server: The address of a Label Studio, whose token is LABEL_STUDIO_API_KEY, or the folder
            that `serve` uses [default: LABEL_STUDIO_URL].
        out: Write a page here, too: status.html.
        plugins: Python file that adds kinds of task: it is run.

    Raises UserError when `folder` is no project, or the server has none of it.

    Example: `status("labels/subject").done`
    """
    client, _ = connect(server)
    named = open_project(Path(folder))
    projects = _projects(named)
    with plugged(plugins):
        parts = [_of_project(project, client) for project in projects]
        result = joined(parts)
    if named.groups:  # between the groups, by what was pulled
        votes = [vote for project in projects for vote in votes_on_file(project)]
        counting, _ = latest(votes)
        between = agreements_of(counting)
        result.agreement = alphas(between)
        for project in projects:
            for name in project.members:
                if name in result.people:
                    note_agreement({project.group: result.people[name]}, between)
        result.deals = [
            Deal(
                group=project.group,
                people=project.members,
                tasks=part.tasks,
                open=part.open,
            )
            for project, part in zip(projects, parts, strict=True)
        ]
        result.pairs = pairs_of(counting)
        result.project = str(folder)
        result.written.sort(key=attrgetter("at"), reverse=True)
    result.seconds = seconds_by_kind(Path(folder))
    seconds = {name: p.seconds for name, p in result.people.items() if p.seconds}
    for name in speeders(seconds):
        result.people[name].fast = True
    if out is not None:
        write_status(result, Path(out))
    return result


def _projects(named: Project) -> list[Project]:
    """The projects of its groups, or the project itself."""
    groups = [open_project(named.folder / name) for name in sorted(named.groups)]
    return groups or [named]


def pulse(folder: Path) -> str:
    """Changes when an answer on the server does: what a live page watches, at one small request.

    Raises UserError when the server cannot be reached.
    """
    client, _ = connect(patience=0.0)
    projects = _projects(open_project(folder))
    return " ".join(client.newest(project.number) for project in projects)


def _of_project(project: Project, client: Client) -> Status:
    record = on_server(project, client)
    if record is None:
        raise UserError(
            f"{project.folder} was never pushed to {client.url}", "push first"
        )
    kind, tree, interface = project.load()
    rows = snapshot(client, record["id"])
    people = people_of(project, client)
    team = read_people(project.folder)
    answers = read_answers(rows, people, kind, tree, interface, team.now)
    leads = team.leads(person(record.get("created_by"), people))
    answers = with_authors(answers, votes_on_file(project))
    url = f"{client.url}/projects/{record['id']}/data"
    if project.group:  # others answer by now what was dealt again
        dealt = read_deals(project.folder.parent)
        mine = [project.group]
        rows = [row for row in rows if project.group in dealt.get(row.name, mine)]
    return status_of(project, rows, answers, people, leads, url, team.out())
