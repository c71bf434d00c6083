"""Stages `spans` (a draft of text roles) and `versions` (six samples of every problem)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from shutil import which
from typing import Literal

import msgspec

from ..base.about import about, why_stale
from ..base.files import read_jsonl
from ..base.pictures import load_picture
from ..errors import UserError
from ..pipeline import Context, stage
from ..problem import VERSIONS, Drop, Problem, Span, Vote
from .legibility import printed_numbers
from .looks import LookName, looks_of
from .versions import check_spans, propose, six_samples


@stage("looks")
def looks(
    problem: Problem,
    *,
    looks: list[LookName],
    seed: int = 0,
    context: Context,
) -> list[Problem] | Drop:
    """The problem once in each look: clean, scan, photo, blackboard, hand.

    Question and answer stay; ids end in `@scan`, the label `look` says it, and all share their
    origin. It stands behind `versions` where there are any: pictures of all versions change alike.
    How strong a look is follows from `seed`, and is lowered until every label can be read: its
    height, contrast and strength stand in `looks.jsonl` with the labels' boxes. A problem with a
    picture that no strength leaves legible is dropped by name.

    >>> # recipe.yaml:   - looks: {looks: [clean, photo, hand], seed: 7}
    """
    if not looks or len({*looks}) < len(looks):
        raise UserError(f"looks: {looks!r}", "name each look once, as [clean, photo]")
    new = []
    try:
        for seen, record in looks_of(problem, looks, seed, context.work):
            new.append(seen)
            for row in record.rows:
                context.record("looks", row)
            for issue in record.issues:
                context.record("issues", {"id": seen.id} | msgspec.to_builtins(issue))
    except UserError as error:
        return Drop(id=problem.id, reason=f"no look: {error}")
    return new


class Override(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A text that a person wrote for one version of one problem; `about` as votes have it."""

    id: str
    version: str
    question: str
    about: str = ""


@stage("spans")
def spans(
    problem: Problem,
    *,
    values: Literal["EC", "DI", "read"] = "EC",
    drafts: Path | None = None,
    context: Context,
) -> Problem:
    """Propose DI/IP/EC spans where a problem has none; every proposal goes to `spans.jsonl`.

    `values: DI` where the pictures already print the values; with `values: read` tesseract looks
    which values the first picture prints (it must be installed then). `drafts` are
    votes of a model (`annotate advise --kind roles`): they come first, and one for another text or
    picture is not used (side table `stale`). A draft for people to correct, not a decision: see
    docs/versions.md for how often it is right.

    >>> # recipe.yaml:   - spans: {values: DI}
    """
    if problem.spans or problem.samples:
        return problem
    drafted = _drafts(drafts).get(problem.id) if drafts else None
    if drafted and drafted.about != about(problem, "spans"):
        why = f"the draft of {drafted.annotator} is for another text or picture"
        context.record("stale", {"id": problem.id, "why": why})
        drafted = None
    printed: frozenset[str] = frozenset()
    if drafted is None and values == "read" and problem.images:
        try:
            printed = printed_numbers(load_picture(context.work, problem.images[0]))
        except UserError as error:
            if not which("tesseract"):
                raise
            context.record("unread", {"id": problem.id, "reason": str(error)})
    if drafted:
        draft = msgspec.convert(drafted.value, list[Span])
        proposed = check_spans(problem.question, draft)
    else:
        role = "EC" if values == "read" else values
        proposed = propose(problem.question, role, printed)
    for span in proposed:
        row = {
            "id": problem.id,
            "start": span.start,
            "end": span.end,
            "role": span.role,
            "text": problem.question[span.start : span.end],
        }
        context.record("spans", row)
    return msgspec.structs.replace(problem, spans=proposed)


@lru_cache(4)
def _drafts(path: Path) -> dict[str, Vote]:
    votes = (vote for vote in read_jsonl(path, Vote) if vote.field == "spans")
    return {vote.problem_id: vote for vote in votes}


@stage("versions")
def versions(
    problem: Problem,
    *,
    width: int = 1200,
    em: int = 36,
    engine: Literal["hybrid", "chromium"] = "hybrid",
    font: Path | None = None,
    overrides: Path | None = None,
    context: Context,
) -> Problem | Drop:
    """Fill `samples` with the six versions of MathVerse (section 2.2), texts and pictures.

    `width` and `em` are the page's and the text's size in pixels, `font` a Chinese font file,
    `overrides` JSONL with `id`, `version`, the `question` a person wrote and `about`, the hash of
    the problem it was written for: what was written for another text or picture is not used (side
    table `stale`), what does not say so is (`unbound`). A problem whose text
    or picture has changed since its spans or placement were given is dropped by name. What a person
    should look at goes to `issues.jsonl`; a problem whose picture cannot be drawn is dropped with
    the reason. Versions written by hand (a problem that has samples) stay as they are.

    >>> # recipe.yaml:   - versions: {em: 40}
    """
    if problem.samples:
        return problem
    if stale := why_stale(problem):
        return Drop(id=problem.id, reason=stale)
    try:
        samples, issues = six_samples(
            problem,
            context.work,
            texts=_texts(problem, overrides, context) if overrides else {},
            width=width,
            em=em,
            engine=engine,
            font=str(font) if font else None,
        )
    except UserError as error:
        return Drop(id=problem.id, reason=f"no versions: {error}")
    for issue in issues:
        context.record("issues", {"id": problem.id} | msgspec.to_builtins(issue))
    return msgspec.structs.replace(problem, samples=samples)


def _texts(problem: Problem, overrides: Path, context: Context) -> dict[str, str]:
    """Version -> what a person wrote for it, of this problem as it stands."""
    texts = {}
    now = about(problem)
    for row in _overrides(overrides).get(problem.id, []):
        names = {"id": problem.id, "version": row.version}
        if row.about not in ("", now):
            why = "written for another text or picture"
            context.record("stale", names | {"why": why})
            continue
        if not row.about:
            context.record("unbound", names | {"about": now})
        texts[row.version] = row.question
    return texts


@lru_cache(4)
def _overrides(path: Path) -> dict[str, list[Override]]:
    rows: dict[str, list[Override]] = {}
    for row in read_jsonl(path, Override):
        if row.version not in VERSIONS:
            raise UserError(
                f"{path}: problem {row.id!r}: unknown version {row.version!r}",
                f"known: {', '.join(VERSIONS)}",
            )
        rows.setdefault(row.id, []).append(row)
    return rows
