"""From replies to verdicts: the robust rules on every sample, the official rules where they exist.

Both run on worker processes; the results are in the order of the samples, whatever their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from typing import Any

from ...base.about import digest
from ...base.terminal import progress
from ...errors import BenchwrightError, UserError
from ...grading.official import official, official_profile_of
from ...grading.verdicts import Verdict, grade_response
from ...pipeline import Engine, parallel_map
from ...problem import Sample, shown_images
from ..metrics import Official, Result, SampleStatus, sharing
from ..predictions import Reply

CHUNK = 100  # samples per task of a worker
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


def grade_replies(
    samples: Sequence[Sample],
    replies: MutableMapping[str, Reply] | MutableMapping[str, str],
    profiles: Mapping[str, str],
    jobs: int = 1,
    thoughts: bool = False,
    spend: bool = False,
) -> list[Result]:
    """One result per sample; a sample without a reply is `missing` or `failed`, and wrong.

    With `thoughts` these are graded where a reply says nothing else; with `spend` a reply is taken
    out as its turn comes, since the result holds what it said.

    Raises UserError when a sample's answer is withheld.
    """
    take: Callable[..., Reply | str | None] = replies.pop if spend else replies.get
    tasks = (
        (
            _with_gold(s, samples),
            take(s.id, None),
            profiles.get(s.source.name),
            thoughts,
        )
        for s in samples
    )
    workers = Engine(jobs=jobs if len(replies) > 2 * CHUNK else 1)
    results = parallel_map(_grade_task, tasks, workers, chunk=CHUNK)
    values: dict[Any, Any] = {}
    return [
        sharing(result, values)
        for result in progress(results, "grading", len(samples), "replies")
    ]


def _with_gold(sample: Sample, samples: Iterable[Sample]) -> Sample:
    if sample.answer is None:
        withheld = sum(s.answer is None for s in samples)
        raise UserError(
            f"the answers of {withheld} samples are withheld, the first is {sample.id}",
            "give the private answers.jsonl with --answers",
        )
    return sample


# With the official profile of its source, and whether thoughts are graded.
GradingTask = tuple[Sample, Reply | str | None, str | None, bool]


def _grade_task(task: GradingTask) -> Result:
    return grade_reply(*task)


def grade_reply(
    sample: Sample,
    reply: Reply | str | None,
    profile: str | None,
    thoughts: bool = False,
) -> Result:
    """Both verdicts on one reply, and what is known of it."""
    if isinstance(reply, str):
        reply = Reply(text=reply)
    verdict = published = None
    text = reply.text if reply is not None else None
    if thoughts and reply is not None and not (text or "").strip():
        text = reply.thoughts or text
    if text is not None:
        verdict = _guarded(_robust, sample, text)
        published = _guarded(_published, profile, text, sample) if profile else None
    return _result(sample, reply, verdict, published, profile)


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
        return Verdict(
            equal=None, status="refused", how=f"the rules failed: {error!r}"[:200]
        )


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
