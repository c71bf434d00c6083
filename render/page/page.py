"""Vision-only pages: question, options and diagram in one picture (MathVerse, section 2.2).

Laid out as MathVerse did (question above, diagram below, DejaVu Sans), with what it lacked:
options never part from their letters, diagrams are resampled smoothly so that their letters are
nearly as large as the text's, the page is no larger than it must be, since models see it made
smaller, and every picture carries the list of what could not be set as it should.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from ...base.pictures import MAX_PIXELS, encode_drawing
from ...errors import UserError
from ...latex import math_ink, sized
from ...problem import Option
from ..issues import Issue
from ..typeset import TypesetLine
from .blocks import Block, pictures_named
from .layout import MARGIN, Content, lay_out

Typesetter = Literal["hybrid", "chromium"]
WIDTH = 1200  # pixels
EM = 36  # pixels: 13 px after a downscale of 1,200 to 448, above the 12 px that OCR reads
MAX_HEIGHT = 16_000
MAX_WIDTH = 8_000
FATAL = {  # issues that forbid a page, and what helps
    "right-to-left": "use the engine chromium",
    "too-long": "shorten the text",
    "bad-picture": "replace the picture",
    "bad-diagram": "correct the spec",
    "empty-page": "give a question or a picture",
}


class Page(msgspec.Struct, frozen=True):
    """A drawn page. `picture` is None where an issue forbids to show one."""

    picture: Any  # PIL.Image.Image | None
    issues: tuple[Issue, ...]
    em: int  # pixels of the text
    pictures: tuple[tuple[int, int, int, int], ...] = ()  # boxes of the diagrams

    def png(self) -> bytes:
        """The page as PNG: grey where it is grey, no metadata, the same bytes everywhere."""
        return encode_drawing(self.picture)

    def __repr__(self) -> str:
        size = (
            "none"
            if self.picture is None
            else "{} x {} pixels".format(*self.picture.size)
        )
        return f"<Page: {size}, {len(self.issues)} issues>"

    def _repr_png_(self) -> bytes | None:
        return None if self.picture is None else self.png()


def set_page(
    question: str,
    options: Sequence[Option] = (),
    pictures: Sequence[Any] = (),
    *,
    width: int = WIDTH,
    em: int = EM,
    cjk_font: str | None = None,
) -> Page:
    """One picture of the whole problem, at most `width` pixels wide.

    `pictures` are Pillow images: `<imageN>` in an option takes the N-th beside its letter, all
    others stand below the text; of pictures that are named but not there, an issue tells. Sizes are
    pixels. Raises UserError for a font file that is none and for sizes that make no page.

    >>> set_page("Find $x$.", [Option(label="A", text="1")]).picture.size
    (201, 222)
    """
    check_sizes(width, em)
    issues = dict.fromkeys(
        unfit_pictures(question, options, pictures)
    )  # a set in order
    if any(issue.code in FATAL for issue in issues):
        return Page(None, tuple(issues), em)
    content = Content(question, options, pictures, em, cjk_font)
    layout = lay_out(content, width - 2 * MARGIN)
    issues |= layout.issues
    if not layout.blocks:
        issues[Issue("empty-page", "neither text nor picture to show")] = None
    if layout.height > MAX_HEIGHT:
        cause = f"the page would be {layout.height} pixels high, over {MAX_HEIGHT}"
        issues[Issue("too-long", cause)] = None
    if any(issue.code in FATAL for issue in issues):
        return Page(None, tuple(issues), em)
    drawn = _drawn(layout.blocks, layout.width, layout.height)
    return Page(drawn, tuple(issues), em, _boxes(layout.blocks))


def check_sizes(width: int, em: int) -> None:
    """Raises UserError for sizes in pixels that make no page."""
    if not (200 <= width <= MAX_WIDTH and 6 <= em <= width // 4):
        raise UserError(
            f"a page of {width} pixels with text of {em} pixels",
            f"give a width of 200 to {MAX_WIDTH} and a text size of 6 to a quarter of it",
        )


def unfit_pictures(
    question: str, options: Sequence[Option], pictures: Sequence[Any]
) -> Iterator[Issue]:
    """Pictures that are named but not there, and those too large to be opened."""
    texts = [question, *(option.text for option in options)]
    for number in sorted({n for text in texts for n in pictures_named(text)}):
        if not 1 <= number <= len(pictures):
            there = f"there are {len(pictures)} pictures"
            yield Issue(
                "missing-picture",
                f"<image{number}> is named, {there}",
                f"<image{number}>",
            )
    for number, picture in enumerate(pictures, 1):
        size = picture.width * picture.height
        if size > MAX_PIXELS:
            what = f"{picture.width} x {picture.height} pixels, the limit is {MAX_PIXELS:,}"
            yield Issue("bad-picture", what, f"picture {number}")


def _boxes(blocks: Sequence[Block]) -> tuple[tuple[int, int, int, int], ...]:
    return tuple(
        (int(b.x), int(b.y), int(b.x) + b.content.width, int(b.y) + b.content.height)
        for b in blocks
        if not isinstance(b.content, TypesetLine)
    )


def _drawn(blocks: Sequence[Block], width: int, height: int) -> Any:
    from PIL import Image, ImageDraw

    coloured = any(_coloured(block.content) for block in blocks)
    canvas = Image.new("RGB" if coloured else "L", (width, height), "white")
    pen = ImageDraw.Draw(canvas)
    for block in blocks:
        if isinstance(block.content, TypesetLine):
            _draw_line(canvas, pen, block)
    for block in blocks:
        if not isinstance(block.content, TypesetLine):
            canvas.paste(block.content, (int(block.x), int(block.y)))
    return canvas


def _coloured(content: Any) -> bool:
    """A picture in colours, or a line with a formula in colours."""
    if not isinstance(content, TypesetLine):
        return bool(content.mode == "RGB")
    formulas = (
        atom
        for _, atom in content.atoms
        if atom.kind == "math" and "color" in atom.text
    )
    return any(math_ink(a.text, a.em, a.display)[0].mode == "RGBA" for a in formulas)


def _draw_line(canvas: Any, pen: Any, block: Block) -> None:
    baseline = round(block.y + block.content.ascent)
    for x, atom in block.content.atoms:
        left = round(block.x + x)
        if atom.kind == "text":
            pen.text(
                (left, baseline),
                atom.text,
                "black",
                sized(atom.face, int(atom.em)),
                anchor="ls",
            )
        elif atom.kind == "math":
            mask, row = math_ink(atom.text, atom.em, atom.display)
            if mask.mode == "RGBA":
                canvas.paste(mask.convert("RGB"), (left - 1, baseline - row), mask)
            else:
                canvas.paste("black", (left - 1, baseline - row), mask)
