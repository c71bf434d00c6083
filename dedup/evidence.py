"""Evidence on pairs as data and page: texts with differences marked, pictures, what differs.

evidence.jsonl holds the hashes that lines of decisions/duplicates.jsonl are bound to; the page
stands beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from ..base.files import read_jsonl, records, replacing_folder, write_bytes, write_jsonl
from ..base.pictures import encode_png, open_picture
from ..base.terminal import say
from ..errors import UserError
from ..pages import Card, Headline, Mark, Rich, Run, differences, rich, write_page
from .classes import LIKENESS, OF_SET, Pair
from .drawings import on_white
from .items import Item, known_items

LONGEST = 4000  # characters of a text in which differences are marked
SIDE = 800  # pixels of the longer side of a picture of differences

Marked = list[
    tuple[str, bool]
]  # stretches of text, and whether the other side lacks them


class Side(msgspec.Struct, kw_only=True):
    """One problem of a pair as the page shows it."""

    id: str
    question: Marked
    options: list[tuple[str, str]]
    answer: str
    pictures: list[str]  # files below the folder of the evidence
    hash: str


class Evidence(msgspec.Struct, kw_only=True):
    """One pair: both sides, the comparison, and pictures of what differs (red: only in b)."""

    pair: Pair
    a: Side
    b: Side
    differences: list[str]


def write_evidence(
    pairs: str | Path | Iterable[Pair],
    problems: str | Path | Iterable[Item],
    out: str | Path,
    *,
    others: str | Path | Iterable[Item] | None = None,
    images: str | Path | None = None,
    other_images: str | Path | None = None,
) -> int:
    """Write `out`/evidence.jsonl, its pictures and evidence.html; returns the number of pairs.

    Args:
        pairs: Pairs of `dedup pairs`, of `dedup against --json` or of the stage dedup, JSONL.
        problems: The problems that were compared, JSONL.
        out: New folder for evidence.jsonl, its pictures and evidence.html.
        others: The other set of `dedup against`.
        images: Folder that picture paths are relative to [default: found beside or above the file].
        other_images: The same for the other set.

    Raises UserError for damaged files and where `out` exists and is not empty.

    Example: `write_evidence("pairs.jsonl", "problems.jsonl", "evidence")`
    """
    ours = known_items(problems, images)
    theirs = ours if others is None else known_items(others, other_images)
    out = Path(out)
    if out.exists() and any(out.iterdir()):
        raise UserError(f"{out} exists and is not empty", "name a new folder")
    up_to_date = current(_with_likeness(pairs), ours, theirs)
    with replacing_folder(out) as folder:
        rows = (
            _evidence(pair, ours[pair.a], theirs[pair.b], folder, number)
            for number, pair in enumerate(up_to_date)
        )
        count = write_jsonl(folder / "evidence.jsonl", rows)
        write_evidence_page(folder)
    return count


def _with_likeness(pairs: str | Path | Iterable[Pair]) -> Iterable[Pair]:
    """Pairs; of a stage's the likeliest first, with what a table beside them says of the set."""
    found = records(pairs, Pair)
    beside = (
        Path(pairs).with_name(f"{LIKENESS}.jsonl")
        if isinstance(pairs, str | Path)
        else None
    )
    if beside is None or not beside.is_file():
        return found
    rows = {(row["a"], row["b"]): row for row in read_jsonl(beside, dict[str, Any])}
    whole = [
        replace(pair, **{name: row[name] for name in OF_SET})
        for pair in found
        if (row := rows.get((pair.a, pair.b)))
    ]
    return sorted(whole, key=lambda pair: -pair.score)


def current(
    pairs: Iterable[Pair], items: dict[str, Item], others: dict[str, Item]
) -> list[Pair]:
    """Pairs whose problems are as they were when compared; others are told on stderr."""
    up_to_date, gone, changed = list[Pair](), list[Pair](), list[Pair]()
    for pair in pairs:
        a, b = items.get(pair.a), others.get(pair.b)
        if a is None or b is None:
            gone.append(pair)
        elif _has_changed(a, pair.a_hash) or _has_changed(b, pair.b_hash):
            changed.append(pair)
        else:
            up_to_date.append(pair)
    _say_left_out(gone, "about problems that are not there")
    _say_left_out(changed, "out of date")
    return up_to_date


def _has_changed(item: Item, compared_hash: str) -> bool:
    return bool(compared_hash) and compared_hash != item.content_hash()


def _say_left_out(pairs: list[Pair], why: str) -> None:
    if pairs:
        first = f"{pairs[0].a} / {pairs[0].b}"
        say(f"{len(pairs)} pairs are {why}, the first {first}: find them again")


def _evidence(pair: Pair, a: Item, b: Item, folder: Path, number: int) -> Evidence:
    """The evidence on a pair; its pictures are written into the folder."""
    of_differences = []
    for k, pictures in enumerate(zip(a.pictures, b.pictures, strict=False)):
        picture = difference(*map(Path, pictures))
        if picture:
            name = f"{number}-{k}-difference.png"
            of_differences.append(_put(folder, name, encode_png(picture)))
    ours, theirs = marked(a.question, b.question)
    return Evidence(
        pair=pair,
        a=_side_of(a, ours, folder, f"{number}-{{}}-a"),
        b=_side_of(b, theirs, folder, f"{number}-{{}}-b"),
        differences=of_differences,
    )


def _side_of(item: Item, question: Marked, folder: Path, name: str) -> Side:
    pictures = []
    for k, file in enumerate(map(Path, item.pictures)):
        if file.is_file():
            picture = f"{name.format(k)}{file.suffix}"
            pictures.append(_put(folder, picture, file.read_bytes()))
    return Side(
        id=item.id,
        question=question,
        options=item.options,
        answer=item.answer,
        pictures=pictures,
        hash=item.content_hash(),
    )


def _put(folder: Path, name: str, data: bytes) -> str:
    write_bytes(folder / "pictures" / name, data)
    return f"pictures/{name}"


def marked(a: str, b: str) -> tuple[Marked, Marked]:
    """Both texts in stretches, those in which they differ marked; long texts are cut.

    >>> marked("find x", "find yx")
    ([('find ', False), ('x', True)], [('find ', False), ('yx', True)])
    """
    a, b = a[:LONGEST], b[:LONGEST]
    our_marks, their_marks = differences(a, b)
    return _stretches(a, our_marks), _stretches(b, their_marks)


def _stretches(text: str, marks: Iterable[Mark]) -> Marked:
    stretches: Marked = []
    at = 0
    for mark in marks:
        stretches.append((text[at : mark.start], False))
        stretches.append((text[mark.start : mark.end], True))
        at = mark.end
    stretches.append((text[at:], False))
    return [(stretch, differs) for stretch, differs in stretches if stretch]


def difference(x: Path, y: Path) -> Any:
    """Both pictures in one: grey where they agree, blue only in the first, red only in the second.

    None when one cannot be read.
    """
    from PIL import Image, ImageChops

    pages = []
    for path in (x, y):
        try:
            picture, _ = open_picture(path.read_bytes(), path.name)
        except (OSError, UserError):
            return None
        page = on_white(picture)
        page.thumbnail((SIDE, SIDE))
        pages.append(page)
    first, second = (page.convert("L").resize(pages[0].size) for page in pages)
    return Image.merge("RGB", (first, ImageChops.darker(first, second), second))


def read_evidence(folder: Path) -> list[Evidence]:
    """The pairs of a folder that `dedup evidence` wrote; damage is named by file and line."""
    return list(read_jsonl(folder / "evidence.jsonl", Evidence))


def card_id(row: Evidence) -> str:
    return f"{row.a.id} / {row.b.id}"


def write_evidence_page(folder: Path, out: Path | None = None) -> Path:
    """Write evidence.html beside the data (or `out`, whose pictures are linked from there).

    Raises UserError for damaged data.
    """
    page = out or folder / "evidence.html"
    rows = read_evidence(folder)
    kinds = Counter(row.pair.kind for row in rows)
    write_page(
        page,
        "Pairs that may be duplicates",
        about="Coloured: what the other text lacks. In the picture of differences blue stands only "
        "in the first, red only in the second.",
        headlines=[Headline(kind, f"{count:,}") for kind, count in kinds.most_common()],
        cards=map(_card, rows),
        release=folder if out else None,
        noun="pairs",
    )
    return page


def _card(row: Evidence) -> Card:
    pair = row.pair
    probability = (
        f"probability {pair.score:.2f}, similarity of texts {pair.similarity:.2f}"
    )
    parts = (
        f"numbers {pair.numbers} · options {pair.options} · answers {pair.answer} · "
        f"picture {pair.picture}"
    )
    rows: list[tuple[str, Rich]] = [("one problem", probability), ("compared", parts)]
    if pair.keep:
        rows.append(("suggested", f"keep {pair.keep} ({pair.why_keep})"))
    return Card(
        id=card_id(row),
        problem=card_id(row),
        facets={
            "class": [pair.kind],
            "picture": [pair.picture],
            "answer": [pair.answer],
            "decides": ["a rule" if pair.automatic else "a person"],
        },
        rows=rows,
        pictures=row.differences,
        runs=[_run("a", row.a), _run("b", row.b)],
        seen=f"{row.a.hash} {row.b.hash}",
    )


def _run(letter: str, side: Side) -> Run:
    text = ""
    marks = []
    for stretch, differs in side.question:
        end = len(text) + len(stretch)
        if differs:
            marks.append(Mark(len(text), end, "differs"))
        text += stretch
    options = [(label, rich(option)) for label, option in side.options]
    return Run(
        name=f"{letter}: {side.id}",
        text=rich(text, marks),
        rows=[*options, ("answer", rich(side.answer))],
        pictures=side.pictures,
    )
