"""What the texts of the versions say, held to the picture that each of them shows.

A text is read as a seed's is: who, which relation, which value. What a version no longer says must
stand in its picture, at the thing that the words named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ...errors import UserError
from ...problem import Problem
from ..claims import (
    P,
    Reading,
    labelled_elsewhere,
    labelled_otherwise,
    names_of,
    plain,
    read_whole,
    run,
)
from ..diagram import (
    Composition,
    compose,
    contradictions,
    is_covered,
    visible,
)
from ..figure import read_spec
from ..issues import Issue
from .role_text import check_spans, texts_of

BASE_TAGS = {"DI", "IP"}  # of the picture that no condition stands in
ANNOTATED = ("vision_dominant", "vision_only")
LOOKED_AT = ("text_dominant", "text_lite", "vision_intensive", "vision_dominant")
# A name of one letter: of points, and after these words; A alone may be an article.
LETTER = re.compile(rf"(?<![A-Za-z\\])(?:(?!A |I ){P})(?![A-Za-z'(])")


class _Version(NamedTuple):
    """A version: its text as it was read, and what its picture shows."""

    name: str
    reading: Reading
    picture: Composition


def words_against_figure(problem: Problem, spec: str) -> list[Issue]:
    """What the words of a problem and of its versions say otherwise than the figure of a spec."""
    try:
        data = read_spec(spec)
        if data.get("background"):
            return []
        texts = texts_of(problem.question, problem.spans)
        composition = compose(data)
    except UserError:
        return []  # what cannot be drawn is told where it is drawn
    return held_to_figure(problem, texts, composition)


def held_to_figure(
    problem: Problem, texts: Mapping[str, str], composition: Composition
) -> list[Issue]:
    """The same for texts by version, and a figure that is composed already."""
    if composition.figure.upside_down:
        return []  # a given picture: what it shows nobody knows
    base = visible(composition, BASE_TAGS)
    if len(base.drawn) == len(composition.drawn):
        base.drawn = composition.drawn
    whole = read_whole(problem.question, composition)
    issues: list[Issue] = []
    seen: set[tuple[str, bool]] = set()
    for name in LOOKED_AT:
        is_annotated = name in ANNOTATED
        if (texts[name], is_annotated) in seen:
            continue
        seen.add((texts[name], is_annotated))
        picture = composition if is_annotated else base
        reading = read_whole(texts[name], picture)
        for issue in _of_version(_Version(name, reading, picture), composition):
            if not any(_is_told(issue, before) for before in issues):
                issues.append(issue)
    issues += _at_other_things(problem, whole, composition)
    issues += _for_people(problem, whole)
    return issues


def _is_told(issue: Issue, before: Issue) -> bool:
    return (issue.code, issue.message) == (before.code, before.message)


def _of_version(version: _Version, whole: Composition) -> Iterator[Issue]:
    name, reading, picture = version
    if whole.is_to_scale:
        for denial in reading.denials:
            yield Issue("text-contradicts", str(denial)[:200], name)
        known = contradictions(picture) if reading.claims else []
        for issue in contradictions(picture, reading.claims) if reading.claims else ():
            if issue not in known:
                yield Issue(issue.code, f"{issue.where!r}: {issue.message}", name)
    yield from _lost(version, whole)
    if whole.figure.points:
        yield from _names_nowhere(version, whole)


def _lost(version: _Version, whole: Composition) -> Iterator[Issue]:
    """What the text speaks of is drawn in the whole figure, but not in this version's picture."""
    if version.picture.drawn is whole.drawn:
        return
    text = version.reading.text
    here = {*version.reading.covered}
    for start, end in read_whole(text, whole).covered:
        if (start, end) not in here:
            message = f"{text[start:end]!r} is not in its picture"
            yield Issue("drawn-nowhere", message, version.name)
    points = whole.figure.points
    for line in dict.fromkeys(re.findall(run("2"), text)):
        p, q = names_of(line)
        if p not in points or q not in points:
            continue
        ends = (points[p], points[q])
        if is_covered(*ends, whole) and not is_covered(*ends, version.picture):
            message = f"{line} is not drawn in its picture"
            yield Issue("drawn-nowhere", message, version.name)


def _names_nowhere(version: _Version, whole: Composition) -> Iterator[Issue]:
    """Names of points in the text that its picture does not print."""
    text = version.reading.text
    points = whole.figure.points
    runs = [names_of(name) for name in re.findall(run("2,6"), text)]
    together = {name for names in runs if points.keys() & {*names} for name in names}
    alone = {name for name in LETTER.findall(text) if name in points}
    printed = {
        name for label in version.picture.labels for name in re.findall(P, label.text)
    }
    if whole.axes is not None:
        printed |= {"O", *map(str, whole.axes.names)}
    for name in sorted((together | alone) - printed):
        message = f"the picture names no point {name}"
        yield Issue("name-nowhere", message, version.name)


def _at_other_things(
    problem: Problem, reading: Reading, composition: Composition
) -> Iterator[Issue]:
    """Values of the text that the picture prints at another thing, or otherwise there."""
    for claim, printed in labelled_otherwise(reading.claims, composition):
        message = f"{claim.quote!r}: the label there is {printed}"
        yield Issue("label-otherwise", message, "text_dominant")
    conditions = list(_stretches(problem, {"EC"}))
    cut = {
        claim.quote
        for at, claim in zip(reading.starts, reading.claims, strict=True)
        if any(a <= at < b for a, b in conditions)
    }
    for claim, where in labelled_elsewhere(reading.claims, composition):
        if claim.quote in cut:
            message = f"{claim.quote!r} is printed at another thing: {where}"
            yield Issue("condition-elsewhere", message, "vision_dominant")


def _for_people(problem: Problem, reading: Reading) -> Iterator[Issue]:
    """Clauses that a version loses and that nothing proves to stand in its picture."""
    cut = list(_stretches(problem, {"DI", "IP", "EC"}))
    for at, clause in reading.unread_at():
        if any(start <= at < end for start, end in cut):
            message = f"is it to be seen in the picture: {clause!r}?"
            yield Issue("figure-unread", message[:200], "vision_dominant")


def _stretches(problem: Problem, roles: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where spans of some roles stand in the text as it is read."""
    for span in check_spans(problem.question, problem.spans):
        if span.role in roles:
            start, end = (
                len(plain(problem.question[:place])) for place in (span.start, span.end)
            )
            yield start, end
