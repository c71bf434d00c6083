"""MathML in running text and in pages that KaTeX, MathJax, WIRIS and Wikipedia write."""

from __future__ import annotations

from contextlib import suppress
from html import escape

import pytest
from benchwright.convert.html import Shown, html_to_text, read_page
from benchwright.convert.mathml import Refusal, only_formula, replace_formulas

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
    "table": ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a | b\nc"),
}  # fmt: skip


SCRIPT = '<script type="math/tex">x^2</script>'
FRAME = f'<span class="MathJax" data-mathml="{escape(X2)}"><nobr>x2</nobr></span>'
HIDDEN = f'<span style="display: none">{X2}</span>'
RULED = '<table><tr><td style="border-bottom:1px solid">{}</td></tr><tr><td>{}</td></tr></table>'
ROOT = (
    '<table><tr><td><div style="background:url(r.png)"></div></td>'
    '<td style="border-top: 1px solid black">{}</td></tr></table>'
)

# one formula, however a page holds it: alone, as picture, attribute, or in several forms at once
FORMULAS = {
    "assistive MathML": (
        f"<mjx-container><mjx-assistive-mml>{X2}</mjx-assistive-mml></mjx-container>"),
    "preview, drawing and source": f'<span class="MathJax_Preview">x^2</span>{FRAME}{SCRIPT}',
    "drawing with its MathML": FRAME,
    "hidden MathML beside a picture": f'{HIDDEN}<img class="mwe-math-fallback" alt="x^2">',
    "hidden MathML alone": HIDDEN,
    "attribute": '<span class="math-tex" data-latex="x^2"><i></i></span>',
    "value of an empty element": '<span class="ql-formula" data-value="x^2"></span>',
    "text": '<span class="math">x^2</span>',
    "text of a custom element": "<math-field>x^2</math-field>",
    "text between dollars": '<math-renderer class="js-inline-math">$x^2$</math-renderer>',
    "source before what was drawn": (
        '<span class="mathquill-rendered-math"><span class="selectable">$x^2$</span>'
        "<var>x</var><sup>2</sup></span>"),
    "alternatives": f"<alternatives><tex-math>$x^2$</tex-math>{X2}</alternatives>",
    "alternative text in dollars": '<img src="//latex.example/5b8.png" alt="$x^2$">',
    "alternative text by class": '<img class="texrender" src="pix.php/9f.png" alt="x^2">',
    "alternative text that says so": '<img class="equation_image" alt="LaTeX: x^2" src="/e/1">',
    "address with a key": '<img src="https://s0.example/latex.php?latex=x%5E2&amp;bg=ffffff">',
    "address that is all TeX": '<img src="https://latex.example/svg.latex?x^2">',
    "address encoded twice": (
        '<img src="/equation_images/%255Cfrac%257Ba%257D%257Bb%257D">', r"\frac{a}{b}"),
    "a vector picture that holds MathML": (
        '<img src="data:image/svg+xml;utf8,%3Csvg%3E%3C!--MathML: %3Cmath%3E%3Cmi%3Ex%3C/mi%3E'
        '%3C/math%3E--%3E%3C/svg%3E">', "x"),
    "a table with a rule": (RULED.format("x<sup>2</sup>", "9"), r"\frac{x^{2}}{9}"),
    "a root in a fraction": (RULED.format("1", ROOT.format("a")), r"\frac{1}{\sqrt{a}}"),
    "blocks with a rule": (
        '<span class="s"><span style="display:block">n+1</span>'
        '<span style="display:block;border-top:1px solid">2</span></span>'.replace(
            'class="s"', 'style="display:inline-block"'), r"\frac{n+1}{2}"),
    "parts by their names": (
        '<span class="sfrac"><span class="num">4</span><span class="sr-only">/</span>'
        '<span class="den">3</span></span>', r"\frac{4}{3}"),
    "Word's own, with HTML in between": (
        "<!--[if gte msEquation 12]><m:oMath><m:f><m:num><i><span><m:r>x</m:r></span></i></m:num>"
        "<m:den><m:r>2</m:r></m:den></m:f></m:oMath><![endif]--><![if !msEquation]><img src=e.png>"
        "<![endif]>", r"\frac{x}{2}"),
    "MathML that lost its math": ("<mfrac><mi>a</mi><mn>2</mn></mfrac>", r"\frac{a}{2}"),
    "TeX in math": ("<math>x^2</math>", "x^2"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula_comes_out_once_in_whatever_form_it_stands(name: str) -> None:
    made = FORMULAS[name]
    page, latex = made if isinstance(made, tuple) else (made, "x^2")
    text, refusals = html_to_text(f"<p>Let {page} be</p>")
    assert refusals == []
    assert text.replace("$x^{2}$", "$x^2$").split() == f"Let ${latex}$ be".split()


DESCRIBED = [
    "formula",
    "x squared plus 2",
    "a triangle",
    "",
    "image001.png",
    "[asy] draw(c); [/asy]",
]


@pytest.mark.parametrize("words", DESCRIBED)
def test_words_are_no_formula(words: str) -> None:
    text, _ = html_to_text(f'<img class="latex" src="a.png" alt="{words}">')
    assert text.startswith("[picture")


LISTS = {
    '<ol type="A"><li>3</li><li><p>4</p></li></ol>': "A. 3\nB. 4",
    '<ol start="3" reversed><li>x</li><li value="9">y</li><li>z</li></ol>': "3. x\n9. y\n8. z",
    '<ol style="list-style-type: upper-roman"><li>x</li><li>y</li></ol>': "I. x\nII. y",
    '<ol><li style="list-style-type:lower-alpha">x</li></ol>': "a. x",
    '<ol style="list-style: none"><li>x</li></ol>': "x",
    "<ol><li>(a) x</li><li>(b) y</li></ol>": "(a) x\n(b) y",
    "<ul><li>x<ol type=i><li>y</li></ol></li></ul>": "- x\ni. y",
    '<list list-type="enumerated"><item>x</item><item>y</item></list>': "1. x\n2. y",
}


@pytest.mark.parametrize("page", LISTS)
def test_lists_keep_their_marks(page: str) -> None:
    assert html_to_text(page)[0] == LISTS[page]


SEEN = {
    "x<sup>a<sub>1</sub></sup>": "x$^{a_{1}}$",
    "C<sub>n</sub><sup>k</sup>": "C$_{n}^{k}$",
    '<span style="text-decoration:overline">AB</span>': r"$\overline{AB}$",
    '√<span style="border-top:1px solid">3</span>': r"$\sqrt{3}$",
    "3 <del>4</del> 5": "3 ~~4~~ 5",
    "is <select><option>odd</option><option>even</option></select>": "is odd | even",
    "one<newline/>two": "one two",
    "<q>so</q>": "“so”",
    "<ruby>漢<rt>kan</rt></ruby>": "漢(kan)",
    '<font face="Symbol">a</font>': "α",
    "a<span style='display:block'>b</span>c": "a\nb\nc",
    "<pre>a\nb</pre>": "a\nb",
    "4\u20603\ufeff": "43",
    "<table><tr><td><p>a</p></td><td><p>b</p></td></tr></table>": "a | b",
    "<math></math>": "",
    "«math»«mi»x«/mi»«/math»": "$x$",
    "<input type=text value=7> <input type=radio>": "7",
}


@pytest.mark.parametrize("page", SEEN)
def test_what_is_seen_comes_out(page: str) -> None:
    assert html_to_text(page) == (SEEN[page], [])


PICTURES = {
    '<img srcset="a.png 1x, b.png 2x">': ["a.png", "b.png"],
    '<picture><source srcset="a.webp"><img src="a.png"></picture>': ["a.png", "a.webp"],
    '<img src="data:image/gif;base64,R0" data-src="a.png">': [
        "a.png",
        "data:image/gif;base64,R0",
    ],
    '<object data="a.svg"><img src="a.png"></object>': ["a.svg", "a.png"],
    '<embed src="a.png">': ["a.png"],
    '<input type="image" src="a.png">': ["a.png"],
    '<media><image mime-type="image/png" src="a.png"/></media>': ["a.png"],
    '<svg><image xlink:href="a.png"/></svg>': ["a.png"],
    "<svg><path d='M0 0'/><text>A</text></svg>": [],
    '<div style="background-image: url(a.png)"></div>': ["a.png"],
    '<table background="a.png"><tr><td></td></tr></table>': ["a.png"],
    '<video poster="a.png"></video>': ["a.png"],
    '<v:imagedata src="a.png"/>': ["a.png"],
    '<x-figure data-image="a.png"></x-figure>': ["a.png"],
    '<a href="a.png">see</a>': ["a.png"],
    "<canvas></canvas>": [],
    '<iframe src="https://h.example/x"></iframe>': ["https://h.example/x"],
    '<div id="box" style="width: 300px; height: 200px"></div>': [],
    '<noscript><img src="a.png"></noscript>': ["a.png"],
    "<img>": [],
}


@pytest.mark.parametrize("page", PICTURES)
def test_what_carries_a_picture_is_one(page: str) -> None:
    shown: list[Shown] = []
    text = read_page(
        f"<p>See {page} now</p>", lambda one: shown.append(one) or "#"
    ).text
    assert [one.addresses for one in shown] == [PICTURES[page]]
    assert text.split()[-2:] == ["#", "now"]


def test_what_nobody_sees_is_outside_and_what_a_script_fills_in_is_told() -> None:
    page = read_page(
        '<p>See <span style="display:none">the key is 7</span><span data-id="f1"></span>'
        '<jxg-board src="x.ggb"></jxg-board>.</p><o:p>end</o:p>',
        lambda shown: "#",
    )
    assert page.text == "See .\nend"
    assert page.outside == ["the key is 7"]
    assert [note.split(":")[0] for note in page.notes] == [
        "empty-element",
        "empty-element",
    ]
    assert page.elements == {"jxg-board": 1, "o:p": 1}


@pytest.mark.parametrize("name", PAGES)
def test_pages(name: str) -> None:
    page, expected = PAGES[name]
    text, refusals = html_to_text(page)
    assert (text, refusals) == (expected, [])


def test_only_formulas_of_a_text_change() -> None:
    text = (
        f"If a<b & $x<1$, <image1> {X2}. <mml:math><mml:mi>y</mml:mi></mml:math><math/>"
    )
    assert replace_formulas(text) == ("If a<b & $x<1$, <image1> $x^{2}$. $y$", [])


def test_a_refused_formula_stays_and_is_reported() -> None:
    text = "x <math><foo/></math> y"
    assert replace_formulas(text) == (text, ["unknown element <foo>"])


def test_a_page_shows_what_it_refuses() -> None:
    refused = "[formula refused: unknown element <foo>]"
    assert html_to_text("a <math><foo/></math> b") == (
        f"a {refused} b",
        ["unknown element <foo>"],
    )
    assert html_to_text("") == ("", [])


def test_only_formula() -> None:
    assert only_formula(f" {X2} ")
    assert not only_formula(f"{X2}{X2}x")


@pytest.mark.cpu(60)
@pytest.mark.parametrize(
    "piece", ["<math>", "<!--", "<sup>", "<a ", "</", "«math", "&", "<math/"]
)
def test_hostile_pages_take_linear_time(piece: str) -> None:
    text = piece * 50_000
    assert replace_formulas(text)[0]
    with suppress(Refusal):  # nested too deeply
        html_to_text(text)


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>Let $0<x<1$ of <b>ABC</b>.</p>", "Let $0<x<1$ of ABC."),
        ("<p>Wenn \\(a<b\\) und $c>d$ gilt</p>", "Wenn \\(a<b\\) und $c>d$ gilt"),
        ("<p>$s<em>i = s</em>{i}$ find</p>", "$s_i = s_{i}$ find"),
        ("<p>Find $x<sub>1</sub>+x<sup>2</sup>$</p>", "Find $x_{1}+x^{2}$"),
        ("<p>for $5 <em>and a pen</em> for $6</p>", "for $5 and a pen for $6"),
    ],
)
def test_formulas_that_nobody_escaped_are_read_whichever_command_asks(
    page: str, text: str
) -> None:
    assert html_to_text(page) == (text, [])
