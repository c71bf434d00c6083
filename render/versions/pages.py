"""Pages of problems: question, options and pictures in one picture."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ...base.pictures import load_picture
from ...errors import UserError
from ...problem import Problem
from ..issues import Issue
from ..page import EM, WIDTH, Page, Typesetter, chromium_page, set_page
from .six_versions import drawings_of, original_pictures, spec_of, with_option_pictures


def page(
    problem: Problem,
    images: str | Path = ".",
    *,
    width: int = WIDTH,
    em: int = EM,
    typesetter: Typesetter = "hybrid",
    font: str | Path | None = None,
) -> Page:
    """The page of one problem: its diagram drawn from the spec, or its pictures below `images`.

    What could not be set as it should is in the page's issues; where a picture cannot be read or
    drawn, they say so and there is no page.

    Args:
        problem: The problem.
        images: Folder that picture paths are relative to.
        width: Width of the page in pixels.
        em: Text size in pixels.
        typesetter: What sets formulas; chromium: KaTeX in a headless browser, slower and truest.
        font: A Chinese font file.

    Raises UserError for sizes that make no page, and for a font file that is none.

    >>> from benchwright.problem import Source
    >>> p = Problem(id="a-1", origin="a-1", source=Source(name="a", raw_id="1"), question="1 + 1 =")
    >>> page(p).picture.size, page(p).issues
    ((219, 148), ())
    """
    root = Path(images)
    _, originals = original_pictures(problem)
    pictures, issues = [], []
    if spec_of(problem):
        try:
            (drawing,) = drawings_of(problem, root)
        except UserError as error:
            return Page(None, (Issue("bad-diagram", str(error), "diagram"),), em)
        originals = problem.images[1:]
        pictures = [drawing.picture]
        issues = drawing.issues
    question = problem.question
    try:
        pictures += [load_picture(root, image) for image in originals]
        options, pictures = with_option_pictures(problem, pictures, root)
    except UserError as error:
        return Page(None, (*issues, Issue("bad-picture", str(error), "images")), em)
    if typesetter == "chromium":
        sheet = chromium_page(question, options, pictures, width=width, em=em)
    else:
        font_file = None if font is None else str(font)
        sheet = set_page(
            question, options, pictures, width=width, em=em, cjk_font=font_file
        )
    return msgspec.structs.replace(sheet, issues=(*issues, *sheet.issues))
