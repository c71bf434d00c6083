"""The stage `captions`: pictures in words, for models that only read (MATH-V, section 4.1)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from ..base.terminal import say
from ..evaluate.prompts import Caption, read_captions
from ..pipeline import Context, stage
from ..problem import Image, Problem, all_images, samples_of, shown_images


@stage("captions", whole_set=True)
def captions(
    problems: list[Problem],
    *,
    context: Context,
    file: Path,
    unreviewed: Literal["skip", "use"] = "skip",
) -> list[Problem]:
    """Captions of a file go to the pictures that they were written for.

    `file` is what `benchwright predict --prompt math-v-caption` wrote of an earlier release, with
    a `reviewer` on every line that somebody has read and mended; `unreviewed: use` takes the other
    lines, too. A picture that has changed since takes no words: side table `stale` names its
    problems; `missing`, `unreviewed` and `unmatched` name pictures that are asked about and have no
    words, lines without a reviewer, and lines for pictures that are not here. Nothing is asked and
    no problem is dropped.

    Example: `- captions: {file: captions.jsonl}`
    """
    written = read_captions(file)
    shown: dict[str, list[str]] = {}
    for problem in problems:
        for image in all_images(problem):
            if problem.id not in shown.setdefault(image.path, []):
                shown[image.path].append(problem.id)
    for row in written.values():
        _account(row, shown, {problem.id for problem in problems}, unreviewed, context)
    for problem in problems:
        for image in all_images(problem):
            _say(image, written.get(image.path), unreviewed)
    asked = {
        i.path
        for p in problems
        for sample in samples_of(p)
        for i in shown_images(sample)
    }
    for path, ids in shown.items():
        if path in asked - written.keys():
            context.record("missing", {"image": path, "problems": ids})
    _tell(context)
    return problems


def _say(image: Image, row: Caption | None, unreviewed: str) -> None:
    if row is not None and (row.reviewer.strip() or unreviewed == "use"):
        image.caption = (row.caption or "").strip()


def _account(
    row: Caption,
    shown: dict[str, list[str]],
    here: Iterable[str],
    unreviewed: str,
    context: Context,
) -> None:
    """Name a line that is not used, with the reason."""
    if row.image in shown:
        if not row.reviewer.strip() and unreviewed == "skip":
            context.record(
                "unreviewed", {"image": row.image, "problems": shown[row.image]}
            )
    elif changed := [name for name in row.problems if name in here]:
        why = "written for another picture; ask again: benchwright predict --prompt math-v-caption"
        context.record("stale", {"image": row.image, "problems": changed, "why": why})
    else:
        why = "a caption of a picture that is not here"
        context.record(
            "unmatched", {"image": row.image, "problems": row.problems, "why": why}
        )


def _tell(context: Context) -> None:
    """What has no words, in one line to the curator."""
    counts = {
        name: context.recorded[name] for name in ("stale", "unreviewed", "missing")
    }
    if any(counts.values()):
        told = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
        say(
            f"captions: {told}; see the tables of these names beside the stage's problems"
        )
