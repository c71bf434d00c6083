"""The stage `vary`: a seed's problem, and variants of it with other numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from ..base.files import encode, read_jsonl
from ..base.pictures import store_drawn
from ..errors import UserError
from ..pipeline import Context, Later, stage
from ..problem import Drop, Problem
from ..render.figure import parse_named
from .exact import EXACT, number
from .reading import Seed, read_seed
from .variants import Variant, is_proved, notes_of, variants_of

ASKED = 3  # variants that a person works out


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
        found = read_seed(path)
        variants = variants_of(found, max(n, ASKED), seed)
    except UserError as error:
        return Drop(
            id=problem.id, reason=f"seed refused: {error}".replace(f"{seeds}/", "")
        )
    if not is_proved(found):
        asked = [
            {
                "id": v.id,
                "about": about(found),
                "question": v.question,
                "options": {o.label: o.text for o in v.options},
                "answer": "",
                "by": "",
            }
            for v in variants[:ASKED]
        ]
        for row in asked:
            context.record("unproved", row)
        if why := _in_doubt(found, variants[:ASKED], proofs):
            return Drop(id=problem.id, reason=f"seed unproved: {why}")
    for note in notes_of(found, variants[0]):
        context.record(
            "unread", {"id": found.id, "note": note.replace(f"{seeds}/", "")}
        )
    made = [problem]
    for variant in variants[:n]:
        one = variant.problem(found, problem.source, "new")
        one.id, one.origin = variant.id.replace(found.id, problem.id, 1), problem.origin
        one.labels = problem.labels | one.labels
        if variant.drawing is not None:
            drawing = variant.drawing
            one.images = [
                store_drawn(drawing.png(), drawing.picture.size, context.work)
            ]
            one.diagram = drawing.annotation or None
        given = {name: str(value) for name, value in variant.values.items()}
        context.record(
            "variants", {"id": one.id, "seed": found.id, "parameters": given}
        )
        made.append(one)
    problem.labels = problem.labels | {"numbers": "published"}
    return made


def about(seed: Seed) -> str:
    """The hash of a seed, to which a person's proof is bound."""
    import hashlib

    return hashlib.sha256(encode(seed.data)).hexdigest()[:16]


def _in_doubt(seed: Seed, variants: list[Variant], proofs: Path | None) -> str:
    """Why people's answers do not prove a seed, "" where they do: each agrees with the formula."""
    rows = [row for row in read_jsonl(proofs, Proof) if row.answer] if proofs else []
    said = {row.id: row for row in rows if row.about == about(seed)}
    for variant in variants:
        if variant.id not in said:
            old = any(row.id == variant.id for row in rows)
            return "a person is asked" + (" again: the seed has changed" if old else "")
        row = said[variant.id]
        if not _agrees(seed, variant, row.answer):
            return f"{row.by or 'a person'} answers {row.answer} for {variant.id}, " + (
                f"the formula gives {variant.answer}"
            )
    return ""


def _agrees(seed: Seed, variant: Variant, said: str) -> bool:
    """An option's letter, or a value such as `5sqrt(2)/3`."""
    if said.strip() in {o.label: o for o in variant.options}:
        return variant.answer == next(
            o.text for o in variant.options if o.label == said.strip()
        )
    try:
        value = number(parse_named(said.replace("$", ""), (), EXACT)([]))
    except ValueError:
        return said.strip() == variant.answer
    right = number(seed.evaluate(seed.data["answer"]["exact"], variant.values))
    return abs(value - right) <= 1e-6 * max(1.0, abs(right))
