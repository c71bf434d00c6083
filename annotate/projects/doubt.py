"""A further person is asked only where those who answered disagree or are unsure.

With two people and a third in doubt, a majority of three is the same label as with three answers
everywhere: where two agree, a third cannot outvote them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from ..server import Client
from ..votes import PENDING, canonical
from .answers import PersonAnswer, last_answers
from .project import Project
from .snapshot import AnsweredTask


def ask_more(
    project: Project,
    client: Client,
    rows: Iterable[AnsweredTask],
    answers: Iterable[PersonAnswer],
    known: Container[str] = (),
    out: Container[str] = (),
    asked: Container[str] = (),
) -> list[str]:
    """Want one answer more for tasks in doubt, up to `project.doubt`; returns what it opened.

    `answers` are those that may be votes, on tasks whose labels are not known. The server counts
    whatever was submitted, also a person's second answer, a lead's gold, and what somebody said who
    is left `out`: tasks wait for more. Those on which somebody is `asked` again wait for that
    person, also where others were quicker.
    """
    given: dict[str, list[PersonAnswer]] = {}
    for answer in last_answers(answers):
        if answer.annotator not in out:
            given.setdefault(answer.problem_id, []).append(answer)
    opened = []
    for row in rows:
        if not row.ours or row.name in known:
            continue
        voters = given.get(row.name, [])
        votes = [answer.votes for answer in voters if not answer.reason]
        submitted = sum(not annotation.was_cancelled for annotation in row.annotations)
        beyond = submitted - len(voters)
        wanted = 0
        if wants_one_more(project, votes):
            wanted = len(votes) + beyond + 1
        elif beyond and len(votes) < project.people:
            wanted = project.people + beyond
        if row.name in asked:
            wanted = max(wanted, submitted + 1, project.people)
        if wanted:
            client.want_answers(row.id, wanted)
            opened.append(row.name)
    return opened


def wants_one_more(project: Project, votes: Sequence[Mapping[str, Any]]) -> bool:
    """Whether everybody has answered a task, and one person more shall, as it is in doubt."""
    return project.people <= len(votes) < project.doubt and in_doubt(votes)


def in_doubt(votes: Sequence[Mapping[str, Any]]) -> bool:
    """Whether some field has no value that two people, and more than half, gave.

    >>> in_doubt([{"subject": "logic"}, {"subject": "logic"}])
    False
    >>> in_doubt([{"subject": "logic"}, {"subject": "pending"}])
    True
    """
    for field in {field for vote in votes for field in vote}:
        values = [vote.get(field) for vote in votes]
        counts = Counter(
            canonical(value) for value in values if value not in (None, PENDING)
        )
        most = max(counts.values(), default=0)
        if most < min(2, len(votes)) or 2 * most <= counts.total():
            return True
    return False
