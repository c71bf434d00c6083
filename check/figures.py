"""What a problem's words say otherwise than the figure that is drawn for it."""

from __future__ import annotations

from collections.abc import Iterator

from ..problem import Problem
from .rules import validator


@validator(
    "figure-contradicts", "warning", "correct the text or the figure", whole=True
)
def figure_contradicts(problem: Problem) -> Iterator[tuple[str, str]]:
    """Lengths, angles, names and relations, in the text and in what is left of it by version.

    What nobody can prove is for people, and stands beside the versions alone.
    """
    if not (problem.placement or problem.diagram):
        return
    from ..render.versions import spec_of, words_against_figure

    spec = spec_of(problem)
    for issue in words_against_figure(problem, spec) if spec else ():
        if issue.code != "figure-unread":
            yield f"question ({issue.where})", f"{issue.message} ({issue.code})"
