"""The stage `vary`: a seed's problem, and variants of it with other numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec

from ..base.files import encode, read_jsonl
from ..errors import UserError
from ..pipeline import Context, Later, stage
from ..problem import Drop, Problem
from ..render.figure import parse_named
from .agreement import is_proved
from .exact import EXACT, number
from .notes import notes_of
from .reading import Seed, read_seed
from .variants import Variant, variants_of

FOR_PEOPLE = 3  # variants that a person works out


class Proof(msgspec.Struct, kw_only=True):
    """A line of `unproved.jsonl` with the answer of a person, who worked it out from the question;
    `about` is the seed's hash."""

    id: str
    about: str
    answer: str
    by: str


@stage("vary")
def vary(
    problem: Problem,
    *,
    seeds: Path,
    n: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 10,
    seed: int = 0,
    proofs: Annotated[Path | None, Later] = None,
    context: Context,
) -> list[Problem] | Drop:
    """The problem with its published numbers, and `n` variants drawn by `seed`.

    `seeds` is a folder of `<raw id>.yaml`; a problem without one stays as it is. A seed whose two
    answers disagree, or that gives too few variants, drops its problem with line and parameters. Of
    a seed with one answer only three variants stand in `unproved.jsonl` for a person, whose answers
    to them, in the file `proofs`, are the second ones.
    What no guard proves of its words stands in `unread.jsonl`. `variants.jsonl` lists every variant
    with its parameters.
    """
    path = seeds / f"{problem.source.raw_id}.yaml"
    if not n or not path.is_file():
        return [problem]
    try:
        source = read_seed(path)
        variants = variants_of(source, max(n, FOR_PEOPLE), seed)
    except UserError as error:
        reason = f"seed refused: {error}".replace(f"{seeds}/", "")
        return Drop(id=problem.id, reason=reason)
    if not is_proved(source):
        for_people = variants[:FOR_PEOPLE]
        for variant in for_people:
            context.record("unproved", _row_for_people(source, variant))
        if why := _in_doubt(source, for_people, proofs):
            return Drop(id=problem.id, reason=f"seed unproved: {why}")
    for note in notes_of(source, variants[0]):
        row = {"id": source.id, "note": note.replace(f"{seeds}/", "")}
        context.record("unread", row)
    problems = [problem]
    for variant in variants[:n]:
        new = variant.problem(source, problem.source, "new")
        new.id = variant.id.replace(source.id, problem.id, 1)
        new.origin = problem.origin
        new.labels = problem.labels | new.labels
        variant.put_drawing(new, context.work)
        parameters = {name: str(value) for name, value in variant.values.items()}
        ids = {"id": new.id, "seed": source.id}
        context.record("variants", ids | {"parameters": parameters})
        problems.append(new)
    problem.labels = problem.labels | {"numbers": "published"}
    return problems


def _row_for_people(seed: Seed, variant: Variant) -> dict[str, Any]:
    """A row of `unproved.jsonl`, in which a person writes an answer."""
    return {
        "id": variant.id,
        "about": about(seed),
        "question": variant.question,
        "options": {option.label: option.text for option in variant.options},
        "answer": "",
        "by": "",
    }


def about(seed: Seed) -> str:
    """The hash of a seed, to which a person's proof is bound."""
    import hashlib

    return hashlib.sha256(encode(seed.data)).hexdigest()[:16]


def _in_doubt(seed: Seed, variants: list[Variant], proofs: Path | None) -> str:
    """Why people's answers do not prove a seed, "" where they do: each agrees with the formula."""
    rows = [row for row in read_jsonl(proofs, Proof) if row.answer] if proofs else []
    current = {row.id: row for row in rows if row.about == about(seed)}
    for variant in variants:
        row = current.get(variant.id)
        if row is None:
            is_old = any(row.id == variant.id for row in rows)
            return (
                f"a person is asked{' again: the seed has changed' if is_old else ''}"
            )
        if not _agrees(seed, variant, row.answer.strip()):
            person = f"{row.by or 'a person'} answers {row.answer} for {variant.id}"
            return f"{person}, the formula gives {variant.answer}"
    return ""


def _agrees(seed: Seed, variant: Variant, reply: str) -> bool:
    """An option's letter, or a value such as `5sqrt(2)/3`."""
    options = {option.label: option.text for option in variant.options}
    if reply in options:
        return options[reply] == variant.answer
    try:
        value = number(parse_named(reply.replace("$", ""), (), EXACT)([]))
    except ValueError:
        return reply == variant.answer
    right = number(seed.evaluate(seed.data["answer"]["exact"], variant.values))
    return abs(value - right) <= 1e-6 * max(1.0, abs(right))
