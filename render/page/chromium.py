"""Pages by KaTeX in headless Chromium: the truest mathematics, right-to-left text, slower.

Two steps: the browser sets the page and reports its height and KaTeX's refusals, then takes the
picture of the finished, script-free page. Every text is escaped, nothing is loaded from a network.
"""

from __future__ import annotations

import base64
import html
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...errors import UserError
from ...latex import maths_spans
from ...pictures import encode_png, open_picture
from ...problem import Option
from ...templating import fill
from ..issues import Issue
from .blocks import pictures_named, printed_options
from .page import EM, FATAL, MARGIN, MAX_HEIGHT, WIDTH, Page, check_sizes, unfit_pictures

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
          "--force-device-scale-factor=1", "--disable-background-networking")  # fmt: skip
_PICTURE = re.compile(r"<image(\d+)>")
TEMPLATES = Path(__file__).parent / "templates"


def chromium_page(
    question: str,
    options: Sequence[Option] = (),
    pictures: Sequence[Any] = (),
    *,
    width: int = WIDTH,
    em: int = EM,
) -> Page:
    """The page as `page.page` lays it out, set by a browser.

    Raises UserError when Chromium or KaTeX is missing (BENCHWRIGHT_KATEX names KaTeX's folder).
    """
    check_sizes(width, em)
    found = tuple(unfit_pictures(question, options, pictures))
    if any(issue.code in FATAL for issue in found):
        return Page(None, found, em)
    katex = katex_folder()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "page.html"
        source.write_text(_html(question, options, pictures, width, em, katex), encoding="utf-8")
        dom = _browser(folder, "--virtual-time-budget=10000", "--dump-dom", source.as_uri())
        text = dom.decode("utf-8", "replace")
        issues = [
            *found,
            *(Issue("raw-latex", f"KaTeX refused: {html.unescape(why)}", html.unescape(tex))
              for why, tex in re.findall(r'data-error="([^"]*)" data-tex="([^"]*)"', text)),
        ]  # fmt: skip
        measured = re.search(r'data-height="(\d+)"', text)
        height = int(measured[1]) if measured else 0
        if not 0 < height <= MAX_HEIGHT:
            cause = f"the page is {height} pixels high, the limit is {MAX_HEIGHT}"
            return Page(None, (*issues, Issue("too-long", cause)), em)
        source.write_text(re.sub(r"(?s)<script.*?</script>", "", text), encoding="utf-8")
        shot = folder / "shot.png"
        _browser(folder, f"--window-size={width},{height}", f"--screenshot={shot}", source.as_uri())
        picture = open_picture(shot.read_bytes(), "the browser's picture")[0].convert("RGB")
    return Page(picture, tuple(issues), em)


def katex_folder() -> Path:
    """KaTeX's `dist` folder: $BENCHWRIGHT_KATEX, or node_modules here or above."""
    named = os.environ.get("BENCHWRIGHT_KATEX")
    here = Path.cwd()
    places = [Path(named)] if named else [
        p / "node_modules/katex/dist" for p in (here, *here.parents)
    ]  # fmt: skip
    for place in places:
        if (place / "katex.min.js").is_file():
            return place.resolve()
    raise UserError(
        "KaTeX was not found", "npm install katex, or set BENCHWRIGHT_KATEX to its dist"
    )


def _browser(folder: Path, *arguments: str) -> bytes:
    program = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if program is None:
        raise UserError("Chromium was not found", "install chromium, or use --engine hybrid")
    try:
        return subprocess.run(
            [program, *_FLAGS, f"--user-data-dir={folder / 'profile'}", *arguments],
            capture_output=True, timeout=120, check=True,
        ).stdout  # fmt: skip
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise UserError(f"Chromium failed: {error}", "use --engine hybrid") from error


def _html(
    question: str, options: Sequence[Option], pictures: Sequence[Any], width: int, em: int,
    katex: Path,
) -> str:  # fmt: skip
    sources = [
        "data:image/png;base64," + base64.b64encode(encode_png(p)).decode() for p in pictures
    ]
    named = [n for o in options for n in pictures_named(o.text)]
    merged = max(named, default=0) > len(sources)  # in one picture, which stands below
    own = [] if merged else sources
    printed = printed_options(options, len(sources))
    rows = [(o.label, _pieces(o.text), _named(o.text, own)) for o in printed]
    taken = {source for _, _, named in rows for source in named}
    return fill(TEMPLATES / "page.html",
        katex=katex.as_uri(), width=width, em=em, margin=MARGIN, pieces=_pieces(question),
        options=rows, pictures=[s for s in sources if s not in taken],
    )  # fmt: skip


def _named(text: str, sources: list[str]) -> list[str]:
    return [sources[n - 1] for n in pictures_named(text) if 1 <= n <= len(sources)]


def _pieces(text: str) -> list[tuple[str, str]]:
    """("text" | "inline" | "display", content) in order."""
    pieces, at = [], 0
    text = re.sub(r"\\n(?![A-Za-z])", "\n", _PICTURE.sub(" ", text)).strip()
    for span in maths_spans(text):
        pieces.append(("text", _prose(text[at : span.start])))
        pieces.append(("display" if span.display else "inline", span.tex))
        at = span.end
    return [*pieces, ("text", _prose(text[at:]))]


def _prose(text: str) -> str:
    r"""Text as it is read: `\$` and `\%` without their backslash."""
    return re.sub(r"\\([$%&#_])", r"\1", text)
