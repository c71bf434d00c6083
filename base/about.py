"""What people's work is about: the hash of what they were shown, defined once.

Every vote carries it (`Vote.about`), and a problem keeps it for the work that a stage has applied
(`Problem.about`). Work whose hash is not that of the problem it stands on is stale: no stage
applies it.
"""

from __future__ import annotations

import hashlib

from ..problem import Problem
from .files import encode

IN_PLACES = ("spans", "placement")  # work that points to characters or pixels
ON_ANSWERS = ("checks",)  # work that judges the answer, too
FOLLOWING = (*IN_PLACES, "steps")  # work that stays with the text of its problem


def about(problem: Problem, field: str = "") -> str:
    """The hash of what `field` of a problem was, or would be, decided on.

    `spans` and `placement` point to places: the question to the letter, and the pictures. All
    else is decided on question, options and pictures, whatever the white space; `checks` on the
    answer, too. Other answers, labels and notes do not count.

    >>> from benchwright.problem import Source
    >>> p = Problem(id="a", origin="a", source=Source(name="a", raw_id="1"), question="1 + 1?")
    >>> q = Problem(id="b", origin="b", source=p.source, question="1  + 1?", answer="2")
    >>> about(p) == about(q), about(p, "spans") == about(q, "spans")
    (True, False)
    """
    pictures = [image.sha256 for image in problem.images]
    if field in IN_PLACES:
        return digest([problem.question, pictures])
    options = [
        [option.label, _words(option.text), option.image.sha256 if option.image else ""]
        for option in problem.options
    ]
    answer = [problem.answer] if field in ON_ANSWERS else []
    return digest([_words(problem.question), options, pictures, *answer])


def digest(shown: object) -> str:
    """The hash of anything else that is shown: two problems, a problem and a solution."""
    return hashlib.sha256(encode(shown)).hexdigest()[:32]


def bind(problem: Problem, field: str) -> None:
    """Note what the work on `field` that is now applied to the problem was given for."""
    problem.about = problem.about | {field: about(problem, field)}


def stale_fields(problem: Problem) -> list[str]:
    """Which applied spans, placement and steps were given for another text or picture."""
    return [
        field
        for field in FOLLOWING
        if field in problem.about and problem.about[field] != about(problem, field)
    ]


def why_stale(problem: Problem) -> str:
    """The reason to refuse a problem whose applied work is stale, and the remedy; "" otherwise."""
    if not (fields := stale_fields(problem)):
        return ""
    return (
        f"stale: {', '.join(fields)}: the text or a picture has changed since; put the stages "
        "that change it before `label`, and ask people again where it had changed already"
    )


def _words(text: str) -> str:
    return " ".join(text.split())
