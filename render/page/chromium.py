"""Pages by KaTeX in headless Chromium: the truest mathematics, right-to-left text, slower.

The browser sets the page, makes it as square as its text allows, reports what it drew of each
formula and takes the picture. What it drew is compared with what the formula says, as every
engine's drawing is. Every text is escaped, nothing is loaded from a network.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ...base.pictures import encode_png, open_picture
from ...base.templating import fill
from ...latex import KATEX_BORDERS, UnreadableError, expected_ink, katex_ink, unlike
from ...pages import KATEX
from ...problem import Option
from ..issues import Issue
from ..typeset import Stretch, stretches
from .blocks import option_pictures, printed_options
from .browser import browser
from .layout import MARGIN, NARROWEST
from .page import EM, FATAL, MAX_HEIGHT, WIDTH, Page, check_sizes, unfit_pictures

MACROS = {  # commands of school texts that KaTeX does not have
    r"\overarc": r"\overset{\frown}{#1}",
    r"\wideparen": r"\overset{\frown}{#1}",
    r"\textsc": r"\text{#1}",
}
TEMPLATES = Path(__file__).parent / "templates"


def chromium_page(
    question: str,
    options: Sequence[Option] = (),
    pictures: Sequence[Any] = (),
    *,
    width: int = WIDTH,
    em: int = EM,
) -> Page:
    """The page as `set_page` lays it out, set by a browser.

    Raises UserError when Chromium is missing.
    """
    check_sizes(width, em)
    # a set in order
    issues = dict.fromkeys(unfit_pictures(question, options, pictures))
    if any(issue.code in FATAL for issue in issues):
        return Page(None, tuple(issues), em)
    options = printed_options(options, len(pictures))
    texts = [question, *(option.text for option in options)]
    rows = [list(stretches(text, issues.setdefault)) for text in texts]
    page = fill(
        TEMPLATES / "page.html",
        katex=KATEX.as_uri(),
        margin=MARGIN,
        borders=",".join(KATEX_BORDERS),
    )
    chromium = browser()
    chromium.open(page, width)
    params: dict[str, Any] = {
        "content": _content(rows, options, pictures),
        "macros": MACROS,
        "width": width,
        "em": em,
        "least": NARROWEST * em,
    }
    report = chromium.run(f"set({json.dumps(params)})")
    formulas = [stretch for row in rows for stretch in row if stretch.maths]
    for stretch, drawing in zip(formulas, report["drawings"], strict=True):
        issues.update(dict.fromkeys(_differences(stretch, drawing)))
    if lost := report["missing"]:
        what = f"no font of the browser has a glyph for {lost[:40]!r}"
        issues[Issue("missing-glyph", what, "the page")] = None
    if not 0 < report["height"] <= MAX_HEIGHT:
        cause = f"the page is {report['height']} pixels high, the limit is {MAX_HEIGHT}"
        return Page(None, (*issues, Issue("too-long", cause)), em)
    if report.get("overflow"):
        what = f"wider than the page of {width} pixels: {report['width']}"
        issues[Issue("overflow", what, "the page")] = None
    shot = chromium.picture(report["width"], report["height"])
    picture = open_picture(shot, "the browser's picture")[0].convert("RGB")
    return Page(picture, tuple(issues), em)


def _differences(formula: Stretch, drawing: dict[str, Any]) -> Iterator[Issue]:
    """What KaTeX refused, drew otherwise than the formula says, or what nobody can check."""
    if error := drawing.get("error"):
        yield Issue("raw-latex", f"KaTeX refused: {error}", formula.source)
        return
    try:
        expected = expected_ink(formula.text)
    except UnreadableError as reason:
        what = f"set by KaTeX, but what it must show is not known here: {reason}"
        yield Issue("unchecked-formula", what, formula.source)
        return
    if difference := unlike(expected, katex_ink(drawing["text"], drawing["strokes"])):
        yield Issue(
            "wrong-formula", f"KaTeX's drawing differs: {difference}", formula.source
        )


def _content(
    rows: Sequence[Sequence[Stretch]],
    options: Sequence[Option],
    pictures: Sequence[Any],
) -> str:
    """The page's HTML; `options` are those that are printed, whose rows follow the question's."""
    sources = [
        "data:image/png;base64," + base64.b64encode(encode_png(picture)).decode()
        for picture in pictures
    ]
    lines = []
    below = list(sources)
    numbers = option_pictures(options, len(sources))
    for option, row, own in zip(options, rows[1:], numbers, strict=True):
        shown = [sources[number - 1] for number in own]
        lines.append((option.label, row, shown))
        below = [source for source in below if source not in shown]
    return fill(
        TEMPLATES / "content.html", question=rows[0], options=lines, pictures=below
    )
