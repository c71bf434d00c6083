"""Dealing again: what somebody who is away, behind or left out has open is asked of other groups.

The new deal is written first, then the tasks go to those who got them, and only then off the
server's list of whoever had them: a push that is killed in between goes on.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from ...errors import UserError, nearest
from ..server import Client
from ..votes import latest
from .groups import deal_again, read_deals
from .people import read_people
from .project import open_project, working
from .pull import pull_answers, votes_on_file
from .tasks_on_server import server_tasks


def leaving(
    folder: Path, groups: Mapping[str, list[str]], away: Collection[str]
) -> list[str]:
    """The groups of which nobody answers any more: all are left out by the file of people, or away.

    `away` names people, or whole groups. Raises UserError for a name that is neither, and where
    nobody would be left.
    """
    team = read_people(folder)
    members = {name: set(map(team.now, people)) for name, people in groups.items()}
    known = [*members, *{person for people in members.values() for person in people}]
    for name in away:
        if not groups:
            raise UserError(
                f"{folder} deals its tasks to nobody: whoever comes next answers",
                "leave out --away; `out: WHY` in people.yaml has others asked for somebody",
            )
        if team.now(name) not in known:
            raise UserError(f"no person or group {name!r}", nearest(name, known))
    gone = {*map(team.now, away), *team.out()}
    names = [name for name, people in members.items() if name in gone or people <= gone]
    if groups and len(names) == len(groups):
        raise UserError("nobody is left who could answer", "name fewer by --away")
    return names


def deal_open_tasks(
    folder: Path,
    client: Client,
    groups: Mapping[str, list[str]],
    givers: Collection[str],
) -> tuple[dict[str, int], list[str]]:
    """Deal what the `givers` have not answered, or somebody who is left out, to other groups.

    Returns how many tasks each group got, and the tasks that no other group can take.
    """
    out = read_people(folder).out()
    open_tasks: dict[str, set[str]] = {}
    for name in givers:
        if not (folder / name / "project.json").exists():
            continue  # it was never pushed
        project = open_project(folder / name)
        with working(project.folder):
            pull_answers(project, client)
        about = {
            task: data["data"].get("about", "")
            for task, data in server_tasks(client, project.number).items()
        }
        answered = {
            vote.problem_id
            for vote in latest(votes_on_file(project))[0]
            if vote.annotator not in out
            and vote.about in ("", about.get(vote.problem_id, vote.about))
        }
        open_tasks[name] = about.keys() - answered
    got, kept = deal_again(folder, open_tasks, groups)
    return dict(sorted(got.items())), kept


def take_off_dealt(folder: Path, name: str, client: Client) -> None:
    """Delete tasks of a group that others answer now, where nobody of it has begun to answer."""
    dealt = read_deals(folder)
    elsewhere = {task for task, hand in dealt.items() if name not in hand}
    if not elsewhere:
        return
    tasks = server_tasks(client, open_project(folder / name).number)
    for task in sorted(elsewhere & tasks.keys()):
        number = tasks[task]["id"]
        if not client.is_begun(number):
            client.delete_task(number)
