"""Booklets of a split for people to answer, as MATH-V gave its testmini to people (section 4.1)."""

from __future__ import annotations

import base64
import csv
import html
import io
import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from ...base.answer_kinds import asks
from ...base.files import inside, write_text
from ...base.registry import plugged
from ...errors import UserError, nearest
from ...problem import Image, Sample
from ...release import read_samples

MIXED = ("subject",)  # where a release has subjects


def booklets(
    release: str | Path,
    split: str,
    out: str | Path,
    *,
    number: int = 8,
    by: Sequence[str] = MIXED,
    per: str | None = None,
    seed: int = 7,
    people: Annotated[int, msgspec.Meta(ge=0)] = 0,
    each: Annotated[int, msgspec.Meta(ge=1)] = 1,
    minutes: Annotated[int, msgspec.Meta(ge=1)] | None = None,
    plugins: Sequence[str | Path] = (),
) -> list[list[str]]:
    """Deal a split out to booklets with the same mix of labels.

    Writes booklet-01.html to print or read and booklet-01.csv to fill in (id, person, answer); with
    `people`, people.csv says who gets which booklets, and has room for their times.
    Samples of one origin never meet in a booklet unless it has more samples than booklets exist.
    Returns the ids per booklet.

    Args:
        release: Folder of the release.
        split: Which split to deal out.
        out: Folder of the booklets.
        number: How many booklets.
        by: A label to mix.
        per: A label, or version: every booklet holds one value of it (MathVerse, appendix B).
        seed: Another one deals otherwise.
        people: Deal the booklets to so many people, as evenly as it goes (MATH-V, G.3: 30).
        each: How many booklets each of them gets (MATH-V: 2 of 10).
        minutes: What all booklets of a person may take; each says so (MATH-V: 70).
        plugins: Python file that adds kinds of answers: it is run.

    Raises UserError when there are more booklets than samples, or fewer than values of `per` or
    than each person is to get, and for a label that no sample has.

    Example: `len(booklets("out/math-v-1.0.0", "testmini", "booklets", number=16))`
    """
    release = Path(release)
    out = Path(out)
    samples = read_samples(release, split)
    if not 0 < number <= len(samples):
        raise UserError(
            f"cannot deal {len(samples)} samples to {number} booklets", "ask for fewer"
        )
    labels = [*([] if by == MIXED else by), *([per] if per else [])]
    for label in labels:
        if all(_label(sample, label) is None for sample in samples):
            names = {"version", *(name for sample in samples for name in sample.labels)}
            raise UserError(
                f"no sample has the label {label!r}", nearest(label, sorted(names))
            )
    dealt = (
        _apart(samples, number, by, per, seed)
        if per
        else deal(samples, number, by, seed)
    )
    if each > len(dealt):
        raise UserError(
            f"{each} booklets each, and there are {len(dealt)}", "ask for fewer"
        )
    if people:
        write_text(
            out / "people.csv", _people_sheet(len(dealt), people, each, minutes, seed)
        )
    with plugged(plugins):
        for k, part in enumerate(dealt, 1):
            stem = out / f"booklet-{k:02}"
            write_text(stem.with_suffix(".csv"), _answer_sheet(part))
            write_text(
                stem.with_suffix(".html"),
                _booklet(release, part, f"Booklet {k}", minutes),
            )
    return [[sample.id for sample in part] for part in dealt]


def _label(sample: Sample, name: str) -> Any:
    return (sample.version or None) if name == "version" else sample.labels.get(name)


def _apart(
    samples: Sequence[Sample], number: int, by: Sequence[str], per: str, seed: int
) -> list[list[Sample]]:
    """As many booklets for each value of a label, none of which holds two values."""
    groups: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        groups[str(_label(sample, per))].append(sample)
    each, left = divmod(number, len(groups))
    if not each:
        raise UserError(
            f"{number} booklets for {len(groups)} values of {per}", "ask for more"
        )
    parts = []
    for k, name in enumerate(sorted(groups)):
        booklets_of_group = min(each + (k < left), len(groups[name]))
        parts += deal(groups[name], booklets_of_group, by, seed)
    return parts


def deal(
    samples: Sequence[Sample], number: int, by: Sequence[str], seed: int
) -> list[list[Sample]]:
    """Like cards: sorted by label and origin, shuffled within, one to each booklet in turn."""
    shuffled = list(samples)
    random.Random(seed).shuffle(shuffled)
    strata: dict[str, list[Sample]] = defaultdict(list)
    for sample in shuffled:
        strata[repr([_label(sample, label) for label in by])].append(sample)
    ordered: list[Sample] = []
    for stratum in sorted(strata):
        origins: dict[str, list[Sample]] = defaultdict(list)
        for sample in strata[stratum]:
            origins[sample.origin].append(sample)
        ordered += [sample for group in origins.values() for sample in group]
    return [ordered[k::number] for k in range(number)]


def hands(booklets: int, people: int, each: int, seed: int) -> list[list[int]]:
    """The booklets of each person, drawn of those that fewest people have.

    >>> hands(3, 3, 2, seed=1)
    [[1, 3], [1, 2], [2, 3]]
    """
    draw = random.Random(seed)
    dealt = [0] * (booklets + 1)  # how many people have each
    by_person = []
    for _ in range(people):
        order = sorted(range(1, booklets + 1), key=lambda k: (dealt[k], draw.random()))
        hand = sorted(order[:each])
        for k in hand:
            dealt[k] += 1
        by_person.append(hand)
    return by_person


def _people_sheet(
    booklets: int, people: int, each: int, minutes: int | None, seed: int
) -> str:
    rows = [
        [f"person-{k:02}", f"booklet-{number:02}", minutes or "", "", ""]
        for k, hand in enumerate(hands(booklets, people, each, seed), 1)
        for number in hand
    ]
    return _sheet([["person", "booklet", "minutes", "started", "ended"], *rows])


def _answer_sheet(samples: Sequence[Sample]) -> str:
    return _sheet(
        [["id", "person", "answer"], *([sample.id, "", ""] for sample in samples)]
    )


def _sheet(rows: Sequence[Sequence[Any]]) -> str:
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue()


_PRINT = (
    "body{font:16px/1.5 serif;max-width:46em;margin:2em auto;padding:0 1em}"
    "section{break-inside:avoid;margin:2em 0}ul{list-style:none;padding:0}li .mmd{display:inline}"
    "img{max-width:100%;max-height:24em}.answer{border-bottom:1px solid}small{color:#777}"
)


def _booklet(
    release: Path, samples: Sequence[Sample], title: str, minutes: int | None = None
) -> str:
    from ...latex import html_of

    texts = [
        text for s in samples for text in (s.asked(), *(o.text for o in s.options))
    ]
    drawn = iter(map(html_of, texts))
    parts = [
        f"<!doctype html><meta charset=utf-8><title>{title}</title><style>{_PRINT}</style>"
    ]
    parts.append(f"<h1>{title}</h1>")
    if minutes is not None:
        parts.append(
            f"<p>All of your booklets together may take {minutes} minutes. Begin: End:</p>"
        )
    for place, sample in enumerate(samples, 1):
        question = next(drawn)
        options = "".join(
            f"<li><b>{html.escape(o.label)}.</b> {next(drawn)}"
            + (_picture(release, o.image) if o.image else "")
            for o in sample.options
        )
        pictures = "".join(_picture(release, image) for image in sample.images)
        parts.append(
            f"<section><h2>{place}. <small>{html.escape(sample.id)}</small></h2>"
            f"{question}{pictures}<ul>{options}</ul>{_lines(sample)}</section>"
        )
    return "\n".join(parts) + "\n"


def _picture(release: Path, image: Image) -> str:
    return f'<img src="{data_url(inside(release, image.path))}" alt="">'


def _lines(sample: Sample) -> str:
    """Where the answer is written: one line a part, and how many letters there may be."""
    if sample.answer_kind == "choices":
        return "<p class=answer>Answer (all the right letters):</p>"
    more = html.escape(asks(sample.answer_kind))
    labels = [f" ({html.escape(part.label)})" for part in sample.parts] or [""]
    return (f"<p>{more}</p>" if more else "") + "".join(
        f"<p class=answer>Answer{label}:</p>" for label in labels
    )


def data_url(path: Path) -> str:
    """A whole picture for a page that stands alone."""
    kind = "jpeg" if path.suffix == ".jpg" else "png"
    return f"data:image/{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"
