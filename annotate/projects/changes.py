"""What has to be added to votes.jsonl so that it says what the server's answers say now.

The file only grows. A vote that an answer does not give any more is withdrawn by a line of its
own; one that changed is superseded by a later line, also where the server's clock ran back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from operator import attrgetter

import msgspec

from ...base.files import encode
from ...problem import Vote
from ..votes import latest
from .answers import NOBODY, PersonAnswer, last_answers, time_of

PERSON = attrgetter("annotator")
Key = tuple[str, str, str]  # problem, field, annotator


def changes(
    on_file: list[Vote],
    answers: list[PersonAnswer],
    tasks: Mapping[tuple[str, str], str],
    people: set[str],
    reopened: Mapping[tuple[str, str], str],
) -> tuple[list[Vote], list[Vote]]:
    """The votes to add, and the withdrawals.

    `tasks` says when those on the server were made: (problem, hash of what is shown) -> time;
    `people` are the names of its accounts. Votes of models and of people elsewhere, votes on tasks
    that are gone, that were made anew since, or that show another text are not ours to withdraw,
    nor those of an answer that somebody else has overwritten or nobody has touched since, nor those
    of half answers that we gave back ourselves (`reopened`: problem, annotator -> time).
    """
    now = {_key(vote): vote for vote in _votes_of(last_answers(answers))}
    new = _replaced(answers, on_file, now)
    counting = {_key(vote): vote for vote in latest([*on_file, *new], PERSON)[0]}
    last = _last_times([*on_file, *new])
    for key, vote in sorted(now.items(), key=lambda item: (item[1].at, item[0])):
        filed = counting.get(key)
        reopened_at = reopened.get(_person_on_task(vote), "")
        if (
            filed is None
            or not _alike(filed, vote)
            or filed.at <= reopened_at < vote.at  # answered again since
        ):
            later = _after(vote.at, last.get(key, ""))
            new.append(msgspec.structs.replace(vote, at=later))
    overwritten = {
        (answer.problem_id, answer.author)
        for answer in answers
        if answer.author != answer.annotator
    }

    # an answer that is read otherwise by now, as by another tree or a kind that has changed, was
    # not taken back by anybody; a half one may be, in the same moment
    untouched = {
        _moment_of(answer)
        for answer in last_answers(answers)
        if not (answer.reason and answer.votes)
    }

    def taken_back(vote: Vote) -> bool:
        made = tasks.get((vote.problem_id, vote.about))
        return (
            vote.kind == "human"
            and vote.annotator in people
            and made is not None
            and made < vote.at
            and (vote.problem_id, vote.annotator, vote.at) not in untouched
            and _key(vote) not in now
            and _person_on_task(vote) not in overwritten
            and vote.at > reopened.get(_person_on_task(vote), "")
        )

    withdrawals = [
        msgspec.structs.replace(vote, withdrawn=True)
        for vote in counting.values()
        if taken_back(vote)
    ]
    return new, withdrawals


def read_otherwise(on_file: list[Vote], answers: list[PersonAnswer]) -> list[Vote]:
    """Votes that count although their answers, untouched since, do not give them any more.

    The kind of task has changed: what it reads from a form is ours to say, not its people's.
    """
    given = {_moment_of(answer): answer for answer in last_answers(answers)}
    votes = []
    for vote in latest(on_file, PERSON)[0]:
        answer = given.get((vote.problem_id, vote.annotator, vote.at))
        if answer is not None and answer.votes and vote.field not in answer.votes:
            votes.append(vote)
    return votes


def _moment_of(answer: PersonAnswer) -> tuple[str, str, str]:
    return answer.problem_id, answer.annotator, answer.at


def rollback_remark(withdrawals: list[Vote], answers: list[PersonAnswer]) -> str:
    """What an earlier copy of the server lacks: the newest answers of several people, and no other.

    Nobody has taken these back; "" where somebody may have.

    >>> rollback_remark([], [])
    ''
    """
    people = sorted({vote.annotator for vote in withdrawals})
    newest = max((answer.at for answer in last_answers(answers)), default="")
    if len(people) < 2 or min(vote.at for vote in withdrawals) <= newest:
        return ""
    return (
        f"the {len(withdrawals)} newest votes, of {', '.join(people)}, are not on the server any "
        "more: was an earlier copy of it restored? They stay on file until their people answer "
        "again"
    )


def _votes_of(answers: Iterable[PersonAnswer]) -> list[Vote]:
    return [vote for answer in answers for vote in answer.as_votes()]


def _replaced(
    answers: list[PersonAnswer], on_file: list[Vote], now: Mapping[Key, Vote]
) -> list[Vote]:
    """Votes of answers that their people have given anew since, as far as they are not on file."""
    last = set(map(id, last_answers(answers)))
    earlier = [answer for answer in answers if id(answer) not in last]
    if not earlier:
        return []
    filed = {_content(vote) for vote in on_file if not vote.withdrawn}
    new = [
        vote
        for vote in _votes_of(earlier)
        if _content(vote) not in filed and now.get(_key(vote)) != vote
    ]
    return sorted(new, key=attrgetter("at", "problem_id", "field"))


def with_authors(
    answers: list[PersonAnswer], on_file: list[Vote]
) -> list[PersonAnswer]:
    """Answers under the names that votes on file have.

    One that somebody only looked at stays its author's: nothing in it has changed. So does one
    whose account was deleted since: the server has no name for it any more.
    """
    counting = {_content(vote) for vote in latest(on_file, PERSON)[0]}
    filed = {(vote.problem_id, vote.at): vote.annotator for vote in on_file}
    for answer in answers:
        if answer.annotator == NOBODY:
            answer.annotator = filed.get((answer.problem_id, answer.at), NOBODY)
            answer.author = answer.annotator
        if answer.author == answer.annotator or not answer.votes:
            continue
        as_author = msgspec.structs.replace(answer, annotator=answer.author)
        if all(_content(vote) in counting for vote in as_author.as_votes()):
            answer.annotator = answer.author
    return answers


def _key(vote: Vote) -> Key:
    return vote.problem_id, vote.field, vote.annotator


def _person_on_task(vote: Vote) -> tuple[str, str]:
    return vote.problem_id, vote.annotator


def _content(vote: Vote) -> tuple[Key, bytes, str]:
    return _key(vote), encode(vote.value), vote.about


def _alike(a: Vote, b: Vote) -> bool:
    """Whether two votes of one person on one field say the same, as they stand on file."""
    same = a.value == b.value or encode(a.value) == encode(b.value)
    return same and a.about == b.about


def _last_times(votes: Iterable[Vote]) -> dict[Key, str]:
    times: dict[Key, str] = {}
    for vote in votes:
        times[_key(vote)] = max(times.get(_key(vote), ""), vote.at)
    return times


def _after(at: str, before: str) -> str:
    """`at`, or a moment behind `before` where that is not earlier."""
    if at > before:
        return at
    moment = time_of(before) + timedelta(microseconds=1)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
