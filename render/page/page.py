"""Vision-only pages: question, options and diagram in one picture (MathVerse, section 2.2).

Laid out as MathVerse did (question above, diagram below, DejaVu Sans), with what it lacked:
options never part from their letters, diagrams are resampled smoothly, and every picture carries
the list of what could not be set as it should.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import msgspec

from ...problem import Option
from ..issues import Issue
from ..typeset import TypesetLine, math_ink, sized
from .blocks import Block, flat, option_blocks_of, text_blocks

WIDTH = 1200  # pixels
EM = 36  # pixels: 13 px after a downscale of 1,200 to 448, above the 12 px that OCR reads
MARGIN = 40
MAX_HEIGHT = 16_000
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
        buffer = io.BytesIO()
        self.picture.save(buffer, "PNG", compress_level=3)
        return buffer.getvalue()

    def __repr__(self) -> str:
        size = "none" if self.picture is None else "{} x {} pixels".format(*self.picture.size)
        return f"<Page: {size}, {len(self.issues)} issues>"

    def _repr_png_(self) -> bytes | None:
        return None if self.picture is None else self.png()


def page(
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
    others stand below the text. Sizes are pixels. Raises UserError for a font file that is none.

    >>> page("Find $x$.", [Option(label="A", text="1")]).picture.width
    1200
    """
    issues: dict[Issue, None] = {}  # a set in order

    def report(issue: Issue) -> None:
        issues.setdefault(issue)

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

    coloured = any(
        not isinstance(b.content, TypesetLine) and b.content.mode == "RGB" for b in blocks
    )
    canvas = Image.new("L", (width, height), 255)
    pen = ImageDraw.Draw(canvas)
    for block in blocks:
        if isinstance(block.content, TypesetLine):
            _draw_line(canvas, pen, block)
    if coloured:
        canvas = canvas.convert("RGB")
    for block in blocks:
        if not isinstance(block.content, TypesetLine):
            canvas.paste(block.content, (int(block.x), int(block.y)))
    return canvas


def _draw_line(canvas: Any, pen: Any, block: Block) -> None:
    baseline = round(block.y + block.content.ascent)
    for x, atom in block.content.atoms:
        left = round(block.x + x)
        if atom.kind == "text":
            pen.text((left, baseline), atom.text, 0, sized(atom.face, int(atom.em)), anchor="ls")
        elif atom.kind == "math":
            mask, row = math_ink(atom.text, atom.em, atom.display)
            canvas.paste(0, (left - 1, baseline - row), mask)
