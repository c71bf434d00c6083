"""Evidence on pairs as data and page: texts with differences marked, pictures, what differs.

Each row holds the hashes that lines of decisions/duplicates.jsonl are bound to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..base.files import records, replacing_folder, write_bytes, write_jsonl
from ..base.pictures import encode_png, open_picture
from ..base.terminal import say
from ..errors import UserError
from ..pages import Mark, differences
from .classes import Pair
from .evidence_page import Evidence, Marked, Side, write_evidence_page
from .items import Item, items_of, report_unreadable

LONGEST = 4000  # characters of a text in which differences are marked
SIDE = 800  # pixels of the longer side of a picture of differences


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
    items, unreadable = items_of(problems, images)
    report_unreadable(unreadable)
    by_id = {item.id: item for item in items}
    theirs = by_id
    if others is not None:
        other_items, bad = items_of(others, other_images)
        report_unreadable(bad)
        theirs = {item.id: item for item in other_items}
    out = Path(out)
    if out.exists() and any(out.iterdir()):
        raise UserError(f"{out} exists and is not empty", "name a new folder")
    known = current(records(pairs, Pair), by_id, theirs)
    with replacing_folder(out) as folder:
        number = write_jsonl(folder / "evidence.jsonl", _rows(known, by_id, theirs, folder))
        write_evidence_page(folder)
    return number


def current(
    pairs: Iterable[Pair], items: dict[str, Item], others: dict[str, Item] | None = None
) -> list[Pair]:
    """Pairs whose problems are as they were when compared; others are told on stderr."""
    theirs = items if others is None else others
    kept, gone, changed = [], [], []
    for pair in pairs:
        a, b = items.get(pair.a), theirs.get(pair.b)
        if a is None or b is None:
            gone.append(pair)
        elif any(
            was and was != item.content_hash() for item, was in ((a, pair.a_hash), (b, pair.b_hash))
        ):
            changed.append(pair)
        else:
            kept.append(pair)
    for left, what in ((gone, "about problems that are not there"), (changed, "out of date")):
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
        drawn = []
        for k, (x, y) in enumerate(zip(a.pictures, b.pictures, strict=False)):
            picture = difference(Path(x), Path(y))
            if picture is not None:
                drawn.append(_put(folder, f"{number}-{k}-difference.png", encode_png(picture)))
        sides = [
            Side(
                id=item.id,
                question=text,
                options=item.options,
                answer=item.answer,
                pictures=[
                    _put(folder, f"{number}-{k}-{name}{path.suffix}", path.read_bytes())
                    for k, path in enumerate(map(Path, item.pictures))
                    if path.is_file()
                ],
                hash=item.content_hash(),
            )
            for name, item, text in (("a", a, left), ("b", b, right))
        ]
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
    left, right = differences(a, b)
    return _stretches(a, left), _stretches(b, right)


def _stretches(text: str, marks: list[Mark]) -> Marked:
    ends = [0, *(end for mark in marks for end in mark[:2]), len(text)]
    cut = [(text[a:b], k % 2 == 1) for k, (a, b) in enumerate(pairwise(ends))]
    return [(part, differs) for part, differs in cut if part]


def difference(x: Path, y: Path) -> Any:
    """Both pictures in one: grey where they agree, blue only in the first, red only in the second.

    None when one cannot be read.
    """
    from PIL import Image, ImageChops

    tones = []
    for path in (x, y):
        try:
            picture = open_picture(path.read_bytes(), path.name)[0].convert("RGBA")
        except (OSError, UserError):
            return None
        page = Image.new("RGBA", picture.size, "white")
        page.alpha_composite(picture)
        page.thumbnail((SIDE, SIDE))
        tones.append(page.convert("L"))
    first, second = tones[0], tones[1].resize(tones[0].size)
    return Image.merge("RGB", (first, ImageChops.darker(first, second), second))
