"""What a score writes of its results, stretch by stretch: samples.jsonl, and cards of the page.

Whoever writes a stretch takes its replies from the shelf, so that no more than a few stretches of
them are in memory. What is decided over all results (verdicts of people and judges, a file's own
ones) stands in the results that come with the task.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from ...base.files import encode, remove_file, replacing
from ...base.terminal import progress
from ...pages import Page, page_of
from ...pipeline import Engine, parallel_map
from ...problem import Sample
from ..metrics import (
    LONG_REPLIES,
    VERDICTS,
    LongReply,
    Profile,
    Result,
    by_reference,
)
from ..predictions import Reply
from ..report import scored_card
from .grade_replies import Replies, replies_of, stretches_of


class Writing(msgspec.Struct, frozen=True):
    """How stretches are written: replies lie on the `shelf`, long ones go to the folder `aside`.

    Without `page` there are no cards; `uncounted` versions are in no accuracy.
    """

    shelf: Path
    aside: Path
    profile: Profile
    page: bool = True
    uncounted: frozenset[str] = frozenset()


class Unwritten(msgspec.Struct, frozen=True):
    """A stretch: samples, the places of replies, results, and a judge's notes by sample."""

    number: int
    samples: list[Sample]
    replies: list[Replies]
    results: bytes
    notes: dict[str, list[str]]


class Written(msgspec.Struct):
    """Lines of samples.jsonl, cards, and where each long reply lies in the file set aside."""

    number: int
    lines: bytes
    page: Page | None
    long: dict[str, tuple[int, int]]


_results = msgspec.msgpack.Decoder(list[Result])


def write_stretch(how: Writing, stretch: Unwritten) -> Written:
    """On a worker: a stretch as it is written."""
    verdict = VERDICTS[how.profile]
    results = iter(_results.decode(stretch.results))
    lines: list[bytes] = []
    cards = []
    long: dict[str, LongReply] = {}
    said = replies_of(how.shelf, stretch.replies)
    for sample, replies in zip(stretch.samples, said, strict=True):
        own = [_with_texts(next(results), reply) for reply in replies]
        lines += [encode(by_reference(result, long)) for result in own]
        if how.page:
            notes = stretch.notes.get(sample.id, [])
            cards.append(scored_card(sample, own, verdict, how.uncounted, notes))
    page = page_of(cards) if cards else None
    places = _set_aside(how.aside / f"{stretch.number}", long)
    return Written(stretch.number, b"".join(lines), page, places)


def _with_texts(result: Result, reply: Reply | None) -> Result:
    if reply is not None:
        result.response, result.thoughts = reply.text, reply.thoughts or None
        result.asked = reply.asked
    return result


def with_texts(
    results: Sequence[Result], rounds: Sequence[Mapping[str, Any]], shelf: Path
) -> None:
    """Put what was said into all results: people and judges read it."""
    places = [rounds[result.repeat - 1].get(result.id) for result in results]
    for result, (reply,) in zip(
        results, replies_of(shelf, [[place] for place in places]), strict=True
    ):
        _with_texts(result, reply)


def _set_aside(path: Path, long: Mapping[str, LongReply]) -> dict[str, tuple[int, int]]:
    """The long replies in a file of their own; the place of each."""
    if not long:
        return {}
    places = {}
    start = 0
    with path.open("wb") as file:
        for name, reply in long.items():
            line = encode(reply)
            places[name] = (start, len(line))
            start += file.write(line)
    return places


def _count(part: Written) -> int:
    return part.lines.count(b"\n")


def write_stretches(
    out: Path,
    how: Writing,
    results: Sequence[Result],
    samples: Sequence[Sample],
    rounds: Sequence[Mapping[str, Any]],
    engine: Engine,
    notes: Mapping[str, Sequence[str]],
) -> Iterator[Page]:
    """Write samples.jsonl, and replies.jsonl where replies are long; the cards as they come."""
    tasks = _unwritten(results, samples, rounds, notes)
    done = parallel_map(partial(write_stretch, how), tasks, engine)
    long: dict[str, tuple[int, int, int]] = {}  # hash -> file, start, size
    with replacing(out / "samples.jsonl") as file:
        for part in progress(done, "writing", len(results), "results", weight=_count):
            file.write(part.lines)
            for name, place in part.long.items():
                long.setdefault(name, (part.number, *place))
            if part.page is not None:
                yield part.page
    if not long:
        remove_file(out / LONG_REPLIES)
        return
    with replacing(out / LONG_REPLIES) as file:
        for _, (number, start, size) in sorted(long.items()):
            file.write(_stretch_of(how.aside / f"{number}", start, size))


def _unwritten(
    results: Sequence[Result],
    samples: Sequence[Sample],
    rounds: Sequence[Mapping[str, Any]],
    notes: Mapping[str, Sequence[str]],
) -> Iterator[Unwritten]:
    source = iter(results)
    for number, (some, replies) in enumerate(stretches_of(samples, rounds)):
        own = list(islice(source, len(some) * len(rounds)))
        said = {one.id: list(notes[one.id]) for one in some if one.id in notes}
        yield Unwritten(number, some, replies, msgspec.msgpack.encode(own), said)


def _stretch_of(path: Path, start: int, size: int) -> bytes:
    with path.open("rb", buffering=0) as file:
        return os.pread(file.fileno(), size, start)
