"""MathML in running text and in pages that KaTeX, MathJax, WIRIS and Wikipedia write."""

from __future__ import annotations

from contextlib import suppress

import pytest
from benchwright.convert.mathml.html import html_to_text
from benchwright.convert.mathml.in_text import only_formula, replace_formulas
from benchwright.convert.mathml.tree import Refusal

X2 = "<math><msup><mi>x</mi><mn>2</mn></msup></math>"
TEX = '<annotation encoding="application/x-tex">y^2</annotation>'

PAGES = {
    "block and inline": (
        f'<p>a {X2}</p><math display="block"><mi>y</mi></math>', "a $x^{2}$\n$$y$$"),
    "katex": (
        '<span class="katex"><span class="katex-mathml"><math><semantics>'
        '<msup><mi>y</mi><mn>2</mn></msup>'
        f'{TEX}</semantics></math></span><span class="katex-html" aria-hidden="true"><b>y</b>2'
        "</span></span>!", "$y^2$!"),
    "mathjax 3": (
        f'<mjx-container><mjx-math aria-hidden="true"><mjx-mi>x</mjx-mi></mjx-math>'
        f"<mjx-assistive-mml>{X2}</mjx-assistive-mml></mjx-container>", "$x^{2}$"),
    "mathjax 2": (
        '<span class="MathJax_Preview">x</span><span class="MathJax" data-mathml="&lt;math&gt;">'
        '<nobr>x2</nobr></span><script type="math/tex; mode=display">x^2</script>', "$$x^2$$"),
    "mathjax 2, MathML": (f'<script type="math/mml">{X2}</script>', "$x^{2}$"),
    "wiris": (
        '<img class="Wirisformula" data-mathml="«math»«msqrt»«mn»2«/mn»«/msqrt»«/math»">',
        r"$\sqrt{2}$"),
    "wikipedia": (
        r'<math alttext="{\displaystyle x}"><mi>x</mi></math>'
        '<img class="mwe-math-fallback-image-inline" alt="x">', "$x$"),
    "loose html": ("<P>1<BR>2<math><mi>a<mspace width=1em></math>", "1\n2$a$"),
    "unquoted attributes": ("<math><mspace width=1em /><mi mathvariant=bold>a</mi></math>",
                            r"$\quad\mathbf{a}$"),
    "entities": ("a&nbsp;&lt;&nbsp;b <math><mi>&alpha;</mi><mo>&lt;</mo></math>",
                 r"a < b $\alpha<$"),
    "scripts": ("10<sup>-3</sup> m, a<sub>n+1</sub>, x<sup>th</sup>",
                r"10$^{-3}$ m, a$_{n+1}$, x$^{\text{th}}$"),
    "left out": ("<head><title>t</title></head><style>p{}</style><script>1<2</script>b<svg>x</svg>",
                 "b"),
    "pictures": ('<img src="a.png"><img alt="circle O">', "[picture][picture: circle O]"),
    "table": ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_pages(name: str) -> None:
    page, expected = PAGES[name]
    text, refusals = html_to_text(page)
    assert (text, refusals) == (expected, [])


def test_only_formulas_of_a_text_change() -> None:
    text = f"If a<b & $x<1$, <image1> {X2}. <mml:math><mml:mi>y</mml:mi></mml:math><math/>"
    assert replace_formulas(text) == ("If a<b & $x<1$, <image1> $x^{2}$. $y$", [])


def test_a_refused_formula_stays_and_is_reported() -> None:
    text = "x <math><foo/></math> y"
    assert replace_formulas(text) == (text, ["unknown element <foo>"])


def test_a_page_shows_what_it_refuses() -> None:
    refused = "[formula refused: unknown element <foo>]"
    assert html_to_text("a <math><foo/></math> b") == (f"a {refused} b", ["unknown element <foo>"])
    assert html_to_text("") == ("", [])


def test_only_formula() -> None:
    assert only_formula(f" {X2} ")
    assert not only_formula(f"{X2}{X2}x")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", ["<math>", "<!--", "<sup>", "<a ", "</", "«math", "&", "<math/"])
def test_hostile_pages_take_linear_time(piece: str) -> None:
    text = piece * 50_000
    assert replace_formulas(text)[0]
    with suppress(Refusal):  # nested too deeply
        html_to_text(text)
