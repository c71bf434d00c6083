"""Evidence on pairs as data and page: texts with differences marked, pictures, what differs.

evidence.jsonl holds the hashes that lines of decisions/duplicates.jsonl are bound to; the page
stands beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import read_jsonl, records, replacing_folder, write_bytes, write_jsonl
from ..base.pictures import encode_png, open_picture
from ..base.terminal import say
from ..errors import UserError
from ..pages import Card, Headline, Mark, Rich, Run, differences, rich, write_page
from .classes import Pair
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
        pairs: Pairs of `dedup pairs` or of `dedup against --json`, JSONL.
        problems: The problems that were compared, JSONL.
        out: New folder for evidence.jsonl, its pictures and evidence.html.
        others: The other set of `dedup against`.
        images: Folder that picture paths are relative to [default: the file's folder].
        other_images: The same for the other set.

    Raises UserError for damaged files and where `out` exists and is not empty.

    Example: `write_evidence("pairs.jsonl", "problems.jsonl", "evidence")`
    """
    by_id = known_items(problems, images)
    theirs = by_id if others is None else known_items(others, other_images)
    out = Path(out)
    if out.exists() and any(out.iterdir()):
        raise UserError(f"{out} exists and is not empty", "name a new folder")
    known = current(records(pairs, Pair), by_id, theirs)
    with replacing_folder(out) as folder:
        number = write_jsonl(
            folder / "evidence.jsonl", _rows(known, by_id, theirs, folder)
        )
        write_evidence_page(folder)
    return number


def current(
    pairs: Iterable[Pair], items: dict[str, Item], others: dict[str, Item]
) -> list[Pair]:
    """Pairs whose problems are as they were when compared; others are told on stderr."""
    kept, gone, changed = [], [], []
    for pair in pairs:
        a, b = items.get(pair.a), others.get(pair.b)
        if a is None or b is None:
            gone.append(pair)
        elif any(
            was and was != item.content_hash()
            for item, was in ((a, pair.a_hash), (b, pair.b_hash))
        ):
            changed.append(pair)
        else:
            kept.append(pair)
    for left, what in (
        (gone, "about problems that are not there"),
        (changed, "out of date"),
    ):
        if left:
            first = f"{left[0].a} / {left[0].b}"
            say(f"{len(left)} pairs are {what}, the first {first}: find them again")
    return kept


def _rows(
    pairs: list[Pair], items: dict[str, Item], others: dict[str, Item], folder: Path
) -> Iterator[Evidence]:
    for number, pair in enumerate(pairs):
        a, b = items[pair.a], others[pair.b]
        left, right = marked(a.question, b.question)
        both = enumerate(
            zip(map(Path, a.pictures), map(Path, b.pictures), strict=False)
        )
        drawn = [
            _put(folder, f"{number}-{k}-difference.png", encode_png(picture))
            for k, (x, y) in both
            if (picture := difference(x, y))
        ]
        sides = []
        for name, item, text in (("a", a, left), ("b", b, right)):
            files = [
                (k, file)
                for k, file in enumerate(map(Path, item.pictures))
                if file.is_file()
            ]
            pictures = [
                _put(folder, f"{number}-{k}-{name}{file.suffix}", file.read_bytes())
                for k, file in files
            ]
            side = Side(
                id=item.id,
                question=text,
                options=item.options,
                answer=item.answer,
                pictures=pictures,
                hash=item.content_hash(),
            )
            sides.append(side)
        yield Evidence(pair=pair, a=sides[0], b=sides[1], differences=drawn)


def _put(folder: Path, name: str, data: bytes) -> str:
    write_bytes(folder / "pictures" / name, data)
    return f"pictures/{name}"


def marked(a: str, b: str) -> tuple[Marked, Marked]:
    """Both texts in stretches, those in which they differ marked; long texts are cut.

    >>> marked("find x", "find yx")
    ([('find ', False), ('x', True)], [('find ', False), ('yx', True)])
    """
    a, b = a[:LONGEST], b[:LONGEST]
    sides: list[Marked] = []
    for text, marks in zip((a, b), differences(a, b), strict=True):
        ends = [0, *(end for mark in marks for end in mark[:2]), len(text)]
        cut = [(text[a:b], k % 2 == 1) for k, (a, b) in enumerate(pairwise(ends))]
        sides.append([(part, differs) for part, differs in cut if part])
    return sides[0], sides[1]


def difference(x: Path, y: Path) -> Any:
    """Both pictures in one: grey where they agree, blue only in the first, red only in the second.

    None when one cannot be read.
    """
    from PIL import Image, ImageChops

    try:
        pages = [
            on_white(open_picture(path.read_bytes(), path.name)[0]) for path in (x, y)
        ]
    except (OSError, UserError):
        return None
    for page in pages:
        page.thumbnail((SIDE, SIDE))
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
    kinds = (row.pair.kind for row in rows)
    write_page(
        page,
        "Pairs that may be duplicates",
        about="Coloured: what the other text lacks. In the picture of differences blue stands only "
        "in the first, red only in the second.",
        headlines=[
            Headline(kind, f"{n:,}") for kind, n in Counter(kinds).most_common()
        ],
        cards=_cards(rows),
        release=folder if out else None,
        noun="pairs",
    )
    return page


def _cards(rows: list[Evidence]) -> Iterator[Card]:
    for row in rows:
        p = row.pair
        keep = [("suggested", f"keep {p.keep} ({p.why_keep})")] if p.keep else []
        shown: list[tuple[str, Rich]] = [
            (
                "one problem",
                f"probability {p.score:.2f}, similarity of texts {p.similarity:.2f}",
            ),
            (
                "compared",
                f"numbers {p.numbers} · options {p.options} · answers {p.answer} · "
                f"picture {p.picture}",
            ),
            *keep,
        ]
        yield Card(
            id=card_id(row),
            problem=card_id(row),
            facets={
                "class": [p.kind],
                "picture": [p.picture],
                "answer": [p.answer],
                "decides": ["a rule" if p.automatic else "a person"],
            },
            rows=shown,
            pictures=row.differences,
            runs=[_side("a", row.a), _side("b", row.b)],
            seen=f"{row.a.hash} {row.b.hash}",
        )


def _side(letter: str, side: Side) -> Run:
    text = "".join(stretch for stretch, _ in side.question)
    places = pairwise(
        accumulate((len(stretch) for stretch, _ in side.question), initial=0)
    )
    spans = zip(places, side.question, strict=True)
    marks = [Mark(*place, "differs") for place, (_, differs) in spans if differs]
    return Run(
        name=f"{letter}: {side.id}",
        text=rich(text, marks),
        rows=[
            *((label, rich(option)) for label, option in side.options),
            ("answer", rich(side.answer)),
        ],
        pictures=side.pictures,
    )
