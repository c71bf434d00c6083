"""The sample viewer's data beside a page: an index to filter by, and cards in pieces.

A page that is opened as a file may load scripts but not read data, so every piece is a script that
hands over one JSON value. The page loads the index at once and pieces as they are looked at or
searched, so that 200,000 samples open as quickly as 200.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from ..base.display import natural
from ..base.files import inside, link_or_copy, replacing, replacing_folder, write_bytes
from ..base.templating import visible
from ..errors import UserError
from .cards import Card, Round

# What draws formulas in the browser, carried along: it costs a release nothing, is done only for
# what is looked at, runs no code of a formula and loads nothing.
KATEX = Path(__file__).parent / "katex"
PAGE = 1000  # cards that are in memory ...
LARGEST = (
    8_000_000  # ... or as many as make so many bytes: one of a hundred runs is large
)
PIECE = 100  # cards, or as many as make ...
BYTES = 200_000  # ... a piece of about this size
# In UTF-8 a sign that turns or breaks a line begins with one of these.
TURNS = (b"\xd8", b"\xe2")
FILTERED = 400  # a label with more values than this is found by searching


class Facet(msgspec.Struct):
    """A label to filter by: its values, and for each sample the numbers of those it has."""

    name: str
    values: list[str]
    codes: list[int | list[int]]


# Values, and for each row the numbers of those it has: a number alone, or a list.
Column = tuple[list[str], list[int | list[int]]]
Numbers = list[float | None]


class Page(msgspec.Struct, array_like=True):
    """Some samples: their cards as scripts hold them, and what the index says of them.

    A card is a row of the index, or as many as `sizes` says: one for each round of replies.
    """

    ids: list[str]
    problems: list[str]
    pictures: list[str]
    rows: list[bytes]
    facets: dict[str, Column]
    sizes: list[int] = []
    numbers: dict[str, Numbers] = {}


def page_of(cards: Iterable[Card], largest: float = inf) -> Page:
    """The cards as a page, encoded; no more are taken once they make `largest` bytes."""
    page = Page([], [], [], [], {}, [], {})
    columns: dict[str, _Column] = {}
    k = size = 0
    for card in cards:
        rounds = card.rounds or [Round()]
        for one in rounds:
            facets = {**one.facets, **card.facets}
            for name in facets:
                if name not in columns:
                    columns[name] = _Column(k)
            for name, column in columns.items():
                column.add(facets.get(name, []))
            for name in one.numbers:
                page.numbers.setdefault(name, [None] * k)
            for name, numbers in page.numbers.items():
                numbers.append(one.numbers.get(name))
            k += 1
        page.sizes.append(len(rounds))
        page.ids.append(card.id)
        page.problems.append(card.problem)
        page.pictures += _pictures(card)
        page.rows.append(_safe(msgspec.json.encode(_shown(card))))
        size += len(page.rows[-1])
        if size >= largest:
            break
    page.facets = {
        name: (list(column.numbers), column.codes) for name, column in columns.items()
    }
    return page


def _shown(card: Card) -> Card:
    """A card as its script has it: a single round's facets are the card's own."""
    if len(card.rounds) == 1:
        facets = {**card.rounds[0].facets, **card.facets}
        return msgspec.structs.replace(card, facets=facets, rounds=[])
    return card


class _Column:
    """One facet while its samples arrive; numbers are given in order of appearance."""

    def __init__(self, before: int) -> None:
        self.numbers: dict[str, int] = {}
        self.codes: list[int | list[int]] = [[]] * before

    def add(self, values: list[str]) -> None:
        number = self.numbers.setdefault
        numbers = self.numbers
        if len(values) == 1:
            self.codes.append(number(values[0], len(numbers)))
        else:
            self.codes.append([number(value, len(numbers)) for value in values])

    def extend(self, column: Column) -> None:
        values, codes = column
        numbers = [self.numbers.setdefault(v, len(self.numbers)) for v in values]
        self.codes += [_translated(code, numbers) for code in codes]

    def facet(self, name: str) -> Facet:
        order = sorted(self.numbers, key=natural)
        place = {self.numbers[value]: k for k, value in enumerate(order)}
        codes = [_translated(code, place) for code in self.codes]
        return Facet(name, order, codes)


def _translated(
    code: int | list[int], numbers: Sequence[int] | Mapping[int, int]
) -> int | list[int]:
    """A sample's number, or numbers, of a facet in another numbering."""
    return numbers[code] if isinstance(code, int) else [numbers[c] for c in code]


def pages_of(cards: Iterable[Card]) -> Iterator[Page]:
    """Pages of many cards, made as they come."""
    source = iter(cards)
    while page := page_of(islice(source, PAGE), LARGEST):
        if not page.ids:
            return
        yield page


def write_viewer(
    folder: Path,
    pages: Iterable[Page],
    view: Mapping[str, Any] | None = None,
    *,
    root: str = "",
    release: Path | None = None,
    history: str = "",
) -> int:
    """Write the data of `pages` into `folder`, which is replaced whole; returns how many.

    `root` leads from the page to the pictures; with `release` they are linked from there into the
    folder instead. `view` is for the page's script: `together` shows a problem's samples side by
    side from the start, `noun` is what the cards are. `history` leads to the problems' histories;
    it alone depends on where things lie, and so stands alone in `place.js`. Raises UserError when
    the folder cannot be written.
    """
    if release is not None:
        root = f"{quote(folder.name)}/"
    with replacing_folder(folder) as new:
        write_bytes(
            new / "place.js", script("place", msgspec.json.encode({"history": history}))
        )
        return _write(new, pages, {"root": root, **(view or {})}, release)


def _write(
    folder: Path, pages: Iterable[Page], index: dict[str, Any], release: Path | None
) -> int:
    ids: list[str] = []
    problems: dict[str, int] = {}
    of_problem: list[int] = []
    columns: dict[str, _Column] = {}
    numbers: dict[str, Numbers] = {}
    sizes: list[int] = []
    rows = 0
    starts: list[int] = []
    pictures: set[str] = set()
    piece: list[bytes] = []
    size = 0

    def flush() -> None:
        number = len(starts) - 1
        data = b"benchwright.piece([%d,[%s]]);\n" % (number, b",\n".join(piece))
        # Not through a temporary file: the whole folder comes into place at once.
        (folder / f"samples-{number:05}.js").write_bytes(data)
        piece.clear()

    for page in pages:
        for number, row in enumerate(page.rows, len(ids)):
            if not piece:
                starts.append(number)
                size = 0
            piece.append(row)
            size += len(row)
            if len(piece) == PIECE or size >= BYTES:
                flush()
        new = sum(page.sizes)
        for name in page.facets:
            if name not in columns:
                columns[name] = _Column(rows)
        for name, column in columns.items():
            column.extend(page.facets.get(name) or ([], [[]] * new))
        for name in page.numbers:
            numbers.setdefault(name, [None] * rows)
        for name, values in numbers.items():
            values += page.numbers.get(name) or [None] * new
        sizes += page.sizes
        rows += new
        ids += page.ids
        of_problem += [
            problems.setdefault(name, len(problems)) for name in page.problems
        ]
        if release is not None:
            pictures.update(page.pictures)
    if piece:
        flush()
    facets = [columns.pop(name).facet(name) for name in [*columns]]
    index["same"] = {f.name: f.values[0] for f in facets if _of_all(f)}
    index |= {
        "ids": ids,
        "problems": of_problem,
        "problem_names": list(problems),
        "starts": starts,
        "facets": [f for f in facets if _telling(f) or f.name == "verdict"],
        "numbers": [[name, values] for name, values in numbers.items()],
    }
    if any(size != 1 for size in sizes):
        index["rounds"] = sizes
    # Part by part: it grows with the samples.
    with replacing(folder / "index.js") as file:
        file.write(b"benchwright.index(")
        for k, (name, value) in enumerate(index.items()):
            file.write(b'%s"%s":' % (b"," if k else b"{", name.encode()))
            file.write(_safe(msgspec.json.encode(value)))
        file.write(b"});\n")
    write_bytes(folder / "katex.js", katex_script())
    write_bytes(folder / "katex.css", katex_style())
    if release is not None:
        _link_pictures(release, pictures, folder)
    return len(ids)


def _pictures(card: Card) -> Iterator[str]:
    """The pictures that a card shows."""
    yield from card.pictures
    yield from filter(None, (path for *_, path in card.options))
    yield from (path for run in card.runs for path in run.pictures)
    yield from (path for *_, paths in card.raw for path in paths)
    for problem in card.became:
        yield from _pictures(problem)


def _of_all(facet: Facet) -> bool:
    """Have all samples the same single value? That is said once, above them."""
    return len(facet.values) == 1 and set(map(str, facet.codes)) == {"0"}


def _telling(facet: Facet) -> bool:
    """Does a facet tell samples apart, by few enough values to choose from?"""
    return len(facet.values) <= FILTERED and (
        len(facet.values) > 1 or [] in facet.codes
    )


def script(name: str, data: bytes) -> bytes:
    """A script that hands JSON to the page; the JSON can neither end it nor become code.

    Marks of direction are written out here, for every text that a page will ever show.

    >>> script("piece", '["</script>\u202e"]'.encode()).decode()
    'benchwright.piece(["\\\\u003c/script>⟦U+202E⟧"]);\\n'
    """
    return b"benchwright.%s(%s);\n" % (name.encode(), _safe(data))


def _safe(data: bytes) -> bytes:
    if any(mark in data for mark in TURNS):
        text = visible(data.decode()).replace("\u2028", "\\u2028")
        data = text.replace("\u2029", "\\u2029").encode()
    return data.replace(b"<", b"\\u003c")


def _link_pictures(release: Path, paths: Iterable[str], folder: Path) -> None:
    """Put a release's pictures below `folder`, as hard links where the disk allows it.

    They cost neither time nor space there and travel along when the folder is copied. A picture
    that is missing is left out: the page says so in its place.
    """
    for path in sorted(set(paths)):
        with suppress(UserError, OSError):
            source = inside(release, path)
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            link_or_copy(source, target)


@lru_cache
def katex_script() -> bytes:
    return (KATEX / "katex.min.js").read_bytes()


@lru_cache
def katex_style() -> bytes:
    """KaTeX's style with its fonts inside: browsers refuse font files beside a page from disk."""

    def embedded(source: re.Match[str]) -> str:
        font = base64.b64encode((KATEX / "fonts" / source[1]).read_bytes()).decode()
        return f'src:url(data:font/woff2;base64,{font}) format("woff2")'

    style = (KATEX / "katex.min.css").read_text("utf-8")
    return re.sub(r"src:url\(fonts/([\w-]+\.woff2)\)[^;}]*", embedded, style).encode()
