"""Vision-only pages: question, options and diagram in one picture (MathVerse, section 2.2).

Laid out as MathVerse did (question above, diagram below, DejaVu Sans), with what it lacked:
options never part from their letters, diagrams are resampled smoothly, and every picture carries
the list of what could not be set as it should.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from ...base.pictures import MAX_PIXELS, encode_png
from ...errors import UserError
from ...problem import Option
from ..issues import Issue
from ..typeset import TypesetLine, math_ink, sized
from .blocks import Block, flat, option_blocks_of, pictures_named, text_blocks

Typesetter = Literal["hybrid", "chromium"]
WIDTH = 1200  # pixels
EM = 36  # pixels: 13 px after a downscale of 1,200 to 448, above the 12 px that OCR reads
MARGIN = 40
MAX_HEIGHT = 16_000
MAX_WIDTH = 8_000
LEVEL = 3  # of compression: pages are large
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
        return encode_png(self.picture, level=LEVEL)

    def __repr__(self) -> str:
        size = "none" if self.picture is None else "{} x {} pixels".format(*self.picture.size)
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
    """One picture of the whole problem.

    `pictures` are Pillow images: `<imageN>` in an option takes the N-th beside its letter, all
    others stand below the text; of pictures that are named but not there, an issue tells. Sizes are
    pixels. Raises UserError for a font file that is none and for sizes that make no page.

    >>> set_page("Find $x$.", [Option(label="A", text="1")]).picture.width
    1200
    """
    issues: dict[Issue, None] = {}  # a set in order

    def report(issue: Issue) -> None:
        issues.setdefault(issue)

    check_sizes(width, em)
    for issue in unfit_pictures(question, options, pictures):
        report(issue)
    if any(issue.code in FATAL for issue in issues):
        return Page(None, tuple(issues), em)
    inner = width - 2 * MARGIN
    blocks, y = text_blocks(question, em, inner, MARGIN, MARGIN, report, cjk_font)
    taken, option_blocks, y = option_blocks_of(
        options, pictures, em, (MARGIN, y, inner), report, cjk_font
    )
    blocks += option_blocks
    rest = [p for k, p in enumerate(pictures, 1) if k not in taken]
    below, y = _pictures(rest, inner, y + em // 2 if blocks else y, report)
    blocks += below
    height = int(y) + MARGIN
    if not blocks:
        report(Issue("empty-page", "neither text nor picture to show"))
    if height > MAX_HEIGHT:
        report(Issue("too-long", f"the page would be {height} pixels high, over {MAX_HEIGHT}"))
    if any(issue.code in FATAL for issue in issues):
        return Page(None, tuple(issues), em)
    return Page(_drawn(blocks, width, height), tuple(issues), em, _boxes(blocks))


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
            yield Issue("missing-picture", f"<image{number}> is named, {there}", f"<image{number}>")
    for number, picture in enumerate(pictures, 1):
        size = picture.width * picture.height
        if size > MAX_PIXELS:
            what = f"{picture.width} x {picture.height} pixels, the limit is {MAX_PIXELS:,}"
            yield Issue("bad-picture", what, f"picture {number}")


def _pictures(
    pictures: Sequence[Any], width: int, y: float, report: Any
) -> tuple[list[Block], float]:
    """Diagrams one below the other, enlarged at most 2.2 times."""
    blocks = []
    for picture in pictures:
        if min(picture.size) < 16:
            size = f"{picture.width} x {picture.height}"
            report(Issue("bad-picture", f"a picture of {size} pixels shows nothing"))
            continue
        scale = min(2.2, 0.65 * width / picture.width, 850 / picture.height)
        scale = max(scale, min(1.0, width / picture.width, 1600 / picture.height))
        target = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
        resized = flat(picture, target)
        if resized.convert("L").getextrema() == (255, 255):
            report(Issue("bad-picture", "the picture is all white"))
            continue
        blocks.append(Block(MARGIN, y, resized))
        y += target[1] + 20
    return blocks, y


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
    formulas = (atom for _, atom in content.atoms if atom.kind == "math" and "color" in atom.text)
    return any(math_ink(a.text, a.em, a.display)[0].mode == "RGBA" for a in formulas)


def _draw_line(canvas: Any, pen: Any, block: Block) -> None:
    baseline = round(block.y + block.content.ascent)
    for x, atom in block.content.atoms:
        left = round(block.x + x)
        if atom.kind == "text":
            pen.text(
                (left, baseline), atom.text, "black", sized(atom.face, int(atom.em)), anchor="ls"
            )
        elif atom.kind == "math":
            mask, row = math_ink(atom.text, atom.em, atom.display)
            if mask.mode == "RGBA":
                canvas.paste(mask.convert("RGB"), (left - 1, baseline - row), mask)
            else:
                canvas.paste("black", (left - 1, baseline - row), mask)
