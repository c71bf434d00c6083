"""The stage `vary`: a seed's problem, and variants of it with other numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from ..base.files import read_jsonl
from ..base.pictures import store_drawn
from ..errors import UserError
from ..pipeline import Context, Later, stage
from ..problem import Drop, Problem
from .reading import Seed, read_seed
from .variants import is_proved, notes_of, variants_of


class Proof(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What a person says who has worked through variants of a seed; `about` is the seed's hash."""

    id: str
    about: str
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
    answers disagree, or that gives too few variants, drops its problem with line and parameters. A
    seed with one answer only waits in `unproved.jsonl` for a person, who says so in `proofs`.
    What no guard proves of its words stands in `unread.jsonl`. `variants.jsonl` lists every variant
    with its parameters.
    """
    path = seeds / f"{problem.source.raw_id}.yaml"
    if not n or not path.is_file():
        return [problem]
    try:
        found = read_seed(path)
        variants = variants_of(found, n, seed)
    except UserError as error:
        return Drop(id=problem.id, reason=f"seed refused: {error}")
    if not is_proved(found) and not _proved_by_people(found, proofs):
        for variant in variants[:3]:
            row = {"id": found.id, "about": about(found), "question": variant.question}
            context.record("unproved", row | {"answer": variant.answer})
        return Drop(id=problem.id, reason="seed unproved: no second answer, a person is asked")
    for note in notes_of(found, variants[0]):
        context.record("unread", {"id": found.id, "note": note})
    made = [problem]
    for variant in variants:
        one = variant.problem(found, problem.source, "new")
        one.id, one.origin = variant.id.replace(found.id, problem.id, 1), problem.origin
        one.labels = problem.labels | one.labels
        if variant.drawing is not None:
            drawing = variant.drawing
            one.images = [store_drawn(drawing.png(), drawing.picture.size, context.work)]
            one.diagram = drawing.annotation or None
        given = {name: str(value) for name, value in variant.values.items()}
        context.record("variants", {"id": one.id, "seed": found.id, "parameters": given})
        made.append(one)
    problem.labels = problem.labels | {"numbers": "published"}
    return made


def about(seed: Seed) -> str:
    """The hash of a seed, to which a person's proof is bound."""
    import hashlib

    return hashlib.sha256(seed.file.path.read_bytes()).hexdigest()[:16]


def _proved_by_people(seed: Seed, proofs: Path | None) -> bool:
    rows = read_jsonl(proofs, Proof) if proofs else ()
    return any((row.id, row.about) == (seed.id, about(seed)) for row in rows)
