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
from .answers import Given, last_answers, time_of

PERSON = attrgetter("annotator")
Key = tuple[str, str, str]  # problem, field, annotator


def changes(
    on_file: list[Vote],
    answers: list[Given],
    asked: set[tuple[str, str]],
    people: set[str],
    reopened: Mapping[tuple[str, str], str],
) -> tuple[list[Vote], list[Vote]]:
    """The votes to add, and the withdrawals.

    `asked` holds (problem, hash of what is shown) of the tasks on the server, `people` the names
    of its accounts: votes of models, of people elsewhere, on tasks that are gone and on other texts
    are not ours to withdraw, nor those of an answer that somebody else has overwritten, nor those
    of half answers that we gave back ourselves (`reopened`: problem, annotator -> time).
    """
    now = {
        _key(vote): vote for given in last_answers(answers) for vote in given.as_votes()
    }
    new = _replaced(answers, on_file, now)
    counting = {_key(vote): vote for vote in latest([*on_file, *new], PERSON)[0]}
    last = _last_times([*on_file, *new])
    for key, vote in sorted(now.items(), key=lambda item: (item[1].at, item[0])):
        there = counting.get(key)
        given_back = reopened.get((vote.problem_id, vote.annotator), "")
        if there is None or not _alike(there, vote) or there.at <= given_back < vote.at:
            new.append(
                msgspec.structs.replace(vote, at=_after(vote.at, last.get(key, "")))
            )
    overwritten = {
        (given.problem_id, given.author)
        for given in answers
        if given.author != given.annotator
    }
    gone = [
        msgspec.structs.replace(vote, withdrawn=True)
        for key, vote in counting.items()
        if vote.kind == "human"
        and vote.annotator in people
        and (vote.problem_id, vote.about) in asked
        and key not in now
        and (vote.problem_id, vote.annotator) not in overwritten
        and vote.at > reopened.get((vote.problem_id, vote.annotator), "")
    ]
    return new, gone


def lost(gone: list[Vote], answers: list[Given]) -> str:
    """What an earlier copy of the server lacks: the newest answers of several people, and no other.

    Nobody has taken these back; "" where somebody may have.

    >>> lost([], [])
    ''
    """
    people = sorted({vote.annotator for vote in gone})
    newest = max((given.at for given in last_answers(answers)), default="")
    if len(people) < 2 or min(vote.at for vote in gone) <= newest:
        return ""
    return (
        f"the {len(gone)} newest votes, of {', '.join(people)}, are not on the server any more: "
        "was an earlier copy of it restored? They stay on file until their people answer again"
    )


def _replaced(
    answers: list[Given], on_file: list[Vote], now: Mapping[Key, Vote]
) -> list[Vote]:
    """Votes of answers that their people have given anew since, as far as they are not on file."""
    last = {(given.problem_id, given.annotator): given for given in answers}
    earlier = [
        given
        for given in answers
        if last[given.problem_id, given.annotator] is not given
    ]
    if not earlier:
        return []
    known = {_content(vote) for vote in on_file if not vote.withdrawn}
    votes = [vote for given in earlier for vote in given.as_votes()]
    new = [
        vote
        for vote in votes
        if _content(vote) not in known and now.get(_key(vote)) != vote
    ]
    return sorted(new, key=lambda vote: (vote.at, vote.problem_id, vote.field))


def with_authors(answers: list[Given], on_file: list[Vote]) -> list[Given]:
    """Answers that somebody only looked at stay their author's: nothing in them has changed."""
    counting = {_content(vote) for vote in latest(on_file, PERSON)[0]}
    for given in answers:
        if given.author == given.annotator or not given.votes:
            continue
        own = msgspec.structs.replace(given, annotator=given.author)
        if all(_content(vote) in counting for vote in own.as_votes()):
            given.annotator = given.author
    return answers


def _key(vote: Vote) -> Key:
    return vote.problem_id, vote.field, vote.annotator


def _content(vote: Vote) -> tuple[Key, bytes, str]:
    return _key(vote), encode(vote.value), vote.about


def _alike(one: Vote, other: Vote) -> bool:
    """Whether two votes of one person on one field say the same, as they stand on file."""
    same = one.value == other.value or encode(one.value) == encode(other.value)
    return same and one.about == other.about


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
