"""From replies to verdicts: the robust rules on every sample, the official rules where they exist.

Stretches of samples with their replies are tasks of workers; the results are in the order of the
samples, whatever their number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from ...base.about import digest
from ...base.terminal import progress
from ...errors import BenchwrightError, UserError
from ...grading.official import official, official_profile_of
from ...grading.verdicts import Verdict, grade_response
from ...pipeline import Engine, chunked, parallel_map
from ...problem import Sample, shown_images
from ..metrics import Official, Result, SampleStatus, sharing
from ..predictions import Place, Reply, taken
from .kept_verdicts import FEWEST, KeptVerdicts, kept_verdicts, key_of_sample, keys_of

Replies = Sequence[Reply | Place | None]  # to one sample, one of each round

TOGETHER = 250  # replies of a task
KEPT = ("ok", "unparsed", "refused")  # verdicts that another run comes to, too
STUMBLED = "the rules failed"
CUT = ("truncated", "thought until the limit")
# Rules by which a reply says itself what its answer is; all others read what stands last or alone.
DECLARED = (
    "boxed",
    "answer tag",
    "answer field",
    "labelled",
    "declared",
    "judged one by one",
)
REFUSED: SampleStatus = "declined"  # what a model or its endpoint refuses to answer


def official_profiles(
    manifest: Mapping[str, Any], samples: Iterable[Sample] = ()
) -> dict[str, str]:
    """The official profile of each source that has one; samples say their own benchmark.

    >>> official_profiles({"sources": [{"name": "mv", "reader": "math-v"}]})
    {'mv': 'math-v'}
    """
    sources = {source["name"]: source for source in manifest.get("sources", [])}
    for sample in samples:  # records of another release keep the names of its sources
        if sample.source.benchmark:
            sources[sample.source.name] = {"benchmark": sample.source.benchmark}
    profiles = {name: official_profile_of(source) for name, source in sources.items()}
    return {name: profile for name, profile in profiles.items() if profile is not None}


class Grading(msgspec.Struct, frozen=True):
    """How replies are graded, for whoever does it.

    `profiles` are official rules by source; with `thoughts` these are graded where a reply says
    nothing else. Replies lie on a `shelf`, or are in memory.
    """

    profiles: Mapping[str, str] = {}
    thoughts: bool = False
    shelf: Path | None = None


class Stretch(msgspec.Struct, frozen=True):
    """Some samples, the replies to each, and kept verdicts on these."""

    samples: list[Sample]
    replies: list[Replies]
    known: list[list[bytes | None]]


class Graded(msgspec.Struct):
    """What came of a stretch: its results in order, and new verdicts by sample and reply."""

    results: list[Result]
    fresh: list[list[bytes | None]]


class Decided(msgspec.Struct, array_like=True):
    """What rules say of a reply, as it is kept."""

    robust: Verdict | None
    published: Verdict | None


def grade_replies(
    samples: Iterable[Sample],
    rounds: Sequence[Mapping[str, Any]],
    how: Grading = Grading(),  # noqa: B008 (frozen)
    engine: Engine = Engine(),  # noqa: B008
) -> list[Result]:
    """One result for each reply to each sample, a sample's repeats one after the other.

    A sample without a reply is `missing` or `failed`, and wrong. Results of replies on a shelf hold
    no text: it stands there. Stretches of samples are tasks of the engine; verdicts that an earlier
    score came to are taken as they are.

    Raises UserError when a sample's answer is withheld.
    """
    replies = sum(map(len, rounds))
    total = len(samples) * len(rounds) if isinstance(samples, Sized) else 0
    waiting: deque[list[list[bytes | None]]] = deque()
    with kept_verdicts(replies) as kept:
        stretches = _stretches(samples, rounds, how, kept, waiting)
        where = engine if replies > 2 * FEWEST else Engine()
        parts = parallel_map(partial(grade_stretch, how), stretches, where)
        values: dict[Any, Any] = {}
        results: list[Result] = []
        graded = map(_graded.decode, parts)
        for part in progress(graded, "grading", total, "replies", weight=_count):
            results += [sharing(result, values) for result in part.results]
            fresh = zip(chain(*waiting.popleft()), chain(*part.fresh), strict=True)
            kept.add({key: data for key, data in fresh if key and data})
    return results


_graded = msgspec.msgpack.Decoder(Graded)


def _count(part: Graded) -> int:
    return len(part.results)


def stretches_of(
    samples: Iterable[Sample], rounds: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[list[Sample], list[Replies]]]:
    """Some samples after others, each with its replies."""
    size = max(1, TOGETHER // max(1, len(rounds)))
    for some in chunked(samples, size):
        yield some, [[replies.get(one.id) for replies in rounds] for one in some]


def _stretches(
    samples: Iterable[Sample],
    rounds: Sequence[Mapping[str, Any]],
    how: Grading,
    kept: KeptVerdicts,
    waiting: deque[list[list[bytes | None]]],
) -> Iterator[Stretch]:
    """The stretches with their kept verdicts; keys of all replies are put to those `waiting`."""
    for some, replies in stretches_of(_with_golds(samples), rounds):
        profiles = [how.profiles.get(sample.source.name) for sample in some]
        keys: list[list[bytes | None]] = [[None] * len(said) for said in replies]
        if kept.active:
            keys = [
                keys_of(key_of_sample(sample, profile, how.thoughts), said)
                for sample, profile, said in zip(some, profiles, replies, strict=True)
            ]
        found = kept.of(filter(None, chain(*keys)))
        waiting.append(keys)
        known = [[found.get(key or b"") for key in of_sample] for of_sample in keys]
        yield Stretch(some, replies, known)


def _with_golds(samples: Iterable[Sample]) -> Iterator[Sample]:
    for sample in samples:
        if sample.answer is None:
            withheld = sum(one.answer is None for one in samples)
            raise UserError(
                f"the answers of {withheld} samples are withheld, the first is {sample.id}",
                "give the private answers.jsonl with --answers",
            )
        yield sample


def grade_stretch(how: Grading, stretch: Stretch) -> bytes:
    """On a worker: the results of a stretch, encoded; texts stay where they lie."""
    part = Graded([], [])
    for sample, replies, known in zip(
        stretch.samples,
        replies_of(how.shelf, stretch.replies),
        stretch.known,
        strict=True,
    ):
        profile = how.profiles.get(sample.source.name)
        fresh: list[bytes | None] = []
        for number, (reply, data) in enumerate(zip(replies, known, strict=True), 1):
            decided = _decided(sample, reply, profile, how.thoughts, data)
            result = _result(sample, reply, decided.robust, decided.published, profile)
            result.repeat = number
            if how.shelf is not None:
                result.response = result.thoughts = None
                result.asked = ""
            part.results.append(result)
            fresh.append(_worth_keeping(decided) if data is None else None)
        part.fresh.append(fresh)
    return msgspec.msgpack.encode(part)


def replies_of(
    shelf: Path | None, places: Sequence[Replies]
) -> Iterator[list[Reply | None]]:
    """The replies to each sample, from the shelf where they lie there."""
    for some in places:
        if shelf is None:
            yield [Reply(text=one) if isinstance(one, str) else one for one in some]  # type: ignore[misc]
            continue
        read = iter(taken(shelf, (one for one in some if isinstance(one, Place))))
        yield [None if one is None else next(read) for one in some]


def _decided(
    sample: Sample,
    reply: Reply | None,
    profile: str | None,
    thoughts: bool,
    known: bytes | None,
) -> Decided:
    """What the rules say of a reply, or said of it before."""
    if known is not None:
        with suppress(msgspec.DecodeError):
            return msgspec.msgpack.decode(known, type=Decided)
    text = reply.text if reply is not None else None
    if thoughts and reply is not None and not (text or "").strip():
        text = reply.thoughts or text
    if text is None:
        return Decided(None, None)
    published = _guarded(_published, profile, text, sample) if profile else None
    return Decided(_guarded(_robust, sample, text), published)


def _worth_keeping(decided: Decided) -> bytes | None:
    """A pair of verdicts as it is kept; None of what rules gave up on, or stumbled over."""
    verdicts = [one for one in (decided.robust, decided.published) if one is not None]
    if not verdicts or any(one.status not in KEPT for one in verdicts):
        return None
    if any(one.how.startswith(STUMBLED) for one in verdicts):
        return None
    bare = [
        one and replace(one, candidates=()) for one in msgspec.structs.astuple(decided)
    ]
    return msgspec.msgpack.encode(Decided(*bare))


def grade_reply(
    sample: Sample,
    reply: Reply | str | None,
    profile: str | None,
    thoughts: bool = False,
) -> Result:
    """Both verdicts on one reply, and what is known of it."""
    if isinstance(reply, str):
        reply = Reply(text=reply)
    decided = _decided(sample, reply, profile, thoughts, None)
    return _result(sample, reply, decided.robust, decided.published, profile)


def _robust(sample: Sample, reply: str) -> Verdict:
    return grade_response(
        reply,
        sample.answer or "",
        kind=sample.answer_kind,
        options=sample.options,
        unit=sample.unit,
        tolerance=sample.tolerance,
        ordered=sample.ordered,
        parts=sample.parts,
        question=sample.asked(),
    )


def _published(profile: str, reply: str, sample: Sample) -> Verdict:
    return official(profile, reply, sample.answer or "", sample.options)


def _guarded(rules: Callable[..., Verdict], *args: Any) -> Verdict:
    """The verdict; rules that stumble over one hostile reply must not lose all the others."""
    try:
        return rules(*args)
    except BenchwrightError:
        raise
    except Exception as error:
        return Verdict(equal=None, status="refused", how=f"{STUMBLED}: {error!r}"[:200])


def _result(
    sample: Sample,
    reply: Reply | None,
    verdict: Verdict | None,
    published: Verdict | None,
    profile: str | None,
) -> Result:
    verdict = _cut_short(verdict, reply)
    status = _status(verdict, reply)
    return Result(
        id=sample.id,
        problem_id=sample.problem_id,
        origin=sample.origin,
        version=sample.version,
        source=sample.source.name,
        kind=sample.answer_kind,
        labels=sample.labels,
        gold=sample.answer or "",
        response=reply.text if reply else None,
        extracted=verdict.extracted if verdict else None,
        rule=verdict.rule if verdict else "",
        how=verdict.how if verdict else "",
        span=verdict.span if verdict else None,
        credit=verdict.credit if verdict else None,
        status=status,
        correct=bool(verdict and verdict.equal),
        decided_by="rule" if status == "ok" else "none",
        official=_official(published, profile) if profile else None,
        ended=reply.ended if reply else "",
        thoughts=(reply.thoughts or None) if reply else None,
        tokens=reply.tokens if reply else None,
        prompt_tokens=reply.prompt_tokens if reply else None,
        thought_tokens=reply.thought_tokens if reply else None,
        seconds=reply.seconds if reply else None,
        cost=reply.cost if reply else None,
        finish=reply.finish if reply else "",
        asked=reply.asked if reply else "",
        pictures=reply.pictures if reply else None,
        shown=shown_hash(sample),
    )


def _official(published: Verdict | None, profile: str) -> Official:
    if published is None:
        return Official(profile=profile, correct=False, extracted=None, how="")
    return Official(
        profile=profile,
        correct=bool(published.equal),
        extracted=published.extracted,
        how=published.how,
    )


def shown_hash(sample: Sample) -> str:
    """The hash of what a model is shown: question, options and pictures."""
    pictures = [image.sha256 for image in shown_images(sample)]
    options = [[option.label, option.text] for option in sample.options]
    return digest([sample.asked(), options, pictures])[:16]


def _cut_short(verdict: Verdict | None, reply: Reply | None) -> Verdict | None:
    """The verdict on a reply that was cut: what stands last in it is no answer.

    An answer that was declared before the cut counts.
    """
    if verdict is None or reply is None:
        return verdict
    if reply.ended not in CUT or verdict.rule in DECLARED:
        return verdict
    how = f"the reply was cut; {verdict.extracted or 'nothing'} was read, and not declared"
    return Verdict(
        equal=False, how=how, rule="truncated", candidates=verdict.candidates
    )


def _status(verdict: Verdict | None, reply: Reply | None) -> SampleStatus:
    if verdict is None:
        if reply is None:
            return "missing"
        return REFUSED if reply.ended == "refused" else "failed"
    is_silent = verdict.extracted is None and not verdict.equal
    if verdict.status != "ok" or not is_silent:
        return verdict.status
    if verdict.rule == "declined":
        return "declined"
    if verdict.rule == "truncated":
        return "truncated"
    return REFUSED if reply and reply.ended == "refused" else "unextracted"
