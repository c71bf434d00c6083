"""A further person is asked only where those who answered disagree or are unsure.

With two people and a third in doubt, a majority of three is the same label as with three answers
everywhere: where two agree, a third cannot outvote them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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
) -> list[str]:
    """Want one answer more for tasks in doubt, up to `project.doubt`; returns their ids."""
    votes_on: dict[str, list[dict[str, Any]]] = {}
    for answer in last_answers(answers):
        if not answer.reason:
            votes_on.setdefault(answer.problem_id, []).append(answer.votes)
    doubted = []
    for row in rows:
        votes = votes_on.get(row.name, [])
        if not row.ours:
            continue
        repeated = _repeated(row)
        if wants_one_more(project, votes):
            client.want_answers(row.id, len(votes) + repeated + 1)
            doubted.append(row.name)
        elif repeated and len(votes) < project.people:
            client.want_answers(row.id, project.people + repeated)
    return doubted


def _repeated(row: AnsweredTask) -> int:
    """Answers beyond one a person: the server counts answers, not people."""
    given = [a for a in row.annotations if not a.was_cancelled]
    return len(given) - len({str(a.completed_by) for a in given})


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
