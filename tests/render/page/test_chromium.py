"""Pages set by KaTeX in Chromium, and what the browser is seen to lack; skipped without one."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from benchwright.latex import katex_ink
from benchwright.problem import Option
from benchwright.render.legibility import legibility
from benchwright.render.page import chromium, chromium_page
from benchwright.render.page.browser import BROWSERS
from PIL import Image

needs_browser = pytest.mark.skipif(
    not any(map(shutil.which, BROWSERS)), reason="Chromium is not here"
)
TRICKY = [
    r"\frac12+\sqrt[3]{x}", r"\overleftrightarrow{AB}\overrightarrow{CD}",
    r"\begin{cases}1\\2\\3\\4, & \text{若 }x>0\end{cases}",
    r"\left(\begin{array}{|c|c:r|}\hline 1&2&-3\\\hline 2&3\\3&4\\4\\\hdashline\end{array}\right)",
    r"\boxed{3}\cancel{4}\xcancel{5}\sout{6}", r"\overbrace{a+b}^n\underbrace{c}_{k}",
    r"\rule{1em}{1em}\not=\neq\notin\vec a\widehat{AB}\widetilde{CD}",
    r"\phantom{xyz}\hphantom{\frac{\sqrt 2}{3}}a", r"\textcircled{1}①",
    r"\xrightarrow[a]{b}\xlongequal{c}", r"\dots+\cdots\ldots,\vdots\ddots",
    r"\overline{a}\underline b\bar c\hat d\dot e\ddot f\acute g\grave h\check i\breve j\tilde k",
    r"\overarc{AB}\wideparen{CD}", r"\binom nk \pmod 3 \bmod n",
    r"\left\{x\middle|y\right\}\bigl\|a\bigr\rangle",
    r"\mathbb R\mathcal A\mathfrak g\boldsymbol\alpha",
    r"f''(x)\leqslant\nleqslant\because\parallel\nparallel\perp\triangle\angle 30^\circ",
    r"\color{red}{x}\displaystyle\sum_{i=1}^n\int_0^1\iint\lim_{x\to0}",
    r"\sqrt{\frac{\frac ab}{\frac cd}}",
    r"\text{50\%}\$5\%\{\}\_\&\#",
    r"\begin{vmatrix}a&b\\c&d\end{vmatrix}\begin{bmatrix}1\\2\\3\\4\end{bmatrix}",
    r"a\bullet b\cdot c",
    r"\Rightarrow\nRightarrow\mapsto\rightleftharpoons\nsubseteq\not\subset\sim\backsim\cong\equiv\mid\nmid",
]  # fmt: skip


@needs_browser
def test_a_page_with_everything() -> None:
    text = r"Find the area <b>now</b>, $\frac{1}{2}$ of $\foo x$ and שלום."
    diagram = Image.new("RGB", (200, 100), "red")
    sheet = chromium_page(
        text, [Option(label="A", text=r"$\overrightarrow{AB}$")], [diagram]
    )
    assert [(i.code, i.where) for i in sheet.issues] == [("raw-latex", r"$\foo x$")]
    pixels = np.asarray(sheet.picture)
    assert max(pixels.shape) < 700  # the smallest square that holds it
    assert (
        (pixels == (255, 0, 0)).all(axis=2)
    ).sum() == 200 * 100  # the diagram, as it is
    assert legibility(sheet.picture, "Find the area", ocr=True).recall == 1.0


@needs_browser
def test_what_katex_shows_is_what_tricky_formulas_say() -> None:
    assert chromium_page(" and ".join(f"${tex}$" for tex in TRICKY)).issues == ()


@needs_browser
@pytest.mark.parametrize(
    ("style", "macros", "lacks"),
    [
        ("", {r"\frac": ""}, "it lacks bar"),
        ("", {r"\frac": r"\phantom{#1#2}"}, "it lacks '1', '2', bar"),
        ("", {r"\sqrt": "#1"}, "it lacks bar, '√'"),
        ("", {r"\sqrt": r"\overline{\surd #1}+"}, "it shows, unasked, '+'"),
        (".frac-line {display: none !important}", {}, "it lacks bar"),
        (".katex svg {display: none}", {}, "it lacks bar, '√'"),
        (".katex .mathnormal {visibility: hidden}", {}, "it lacks 'x'"),
    ],
)
def test_what_the_browser_does_not_show_is_told(
    style: str,
    macros: dict[str, str],
    lacks: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    page = (chromium.TEMPLATES / "page.html").read_text("utf-8")
    shutil.copy(chromium.TEMPLATES / "content.html", tmp_path)
    (tmp_path / "page.html").write_text(
        page.replace("</style>", style + "</style>"), "utf-8"
    )
    monkeypatch.setattr(chromium, "TEMPLATES", tmp_path)
    monkeypatch.setattr(chromium, "MACROS", macros)
    (issue,) = chromium_page(r"$\frac12 \sqrt{x}$").issues
    assert (issue.code, issue.where) == ("wrong-formula", r"$\frac12 \sqrt{x}$")
    assert lacks in issue.message


@needs_browser
def test_signs_of_prose_are_read_not_shown() -> None:
    """The same page, to the pixel, as one written without backslashes."""
    written, plain = (
        chromium_page(t) for t in (r"It costs \$5 \& 20\% off", "It costs $5 & 20% off")
    )
    assert written.issues == plain.issues == ()
    assert written.png() == plain.png()


@needs_browser
def test_what_nobody_can_check_is_named() -> None:
    (issue,) = chromium_page(r"$\overgroup{AB}$").issues
    assert issue.code == "unchecked-formula"
    assert r"\overgroup" in issue.message


def test_a_stroke_that_nobody_knows_is_told_by_its_name() -> None:
    assert katex_ink("", ["newarrow"]) == {"newarrow": 1}


@needs_browser
def test_a_formula_wider_than_the_page_is_told_and_shown_whole() -> None:
    summands = " + ".join(f"a_{{{k}}}" for k in range(40))
    page = chromium_page(rf"$\overline{{{summands}}}$")
    assert [issue.code for issue in page.issues] == ["overflow"]
    assert page.picture is not None
    assert page.picture.width > 1200
