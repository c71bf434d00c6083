"""Texts as HTML: drawn formulas, escaped everything else."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from benchwright.latex import html_of, math_box
from hypothesis import given, settings
from hypothesis import strategies as st
from real_data import RealData

TAGS = {"div", "br", "i", "code", "svg", "path"}

DEEP = (
    r"\frac{1}{" * 40 + "x" + "}" * 40
)  # would be drawn for longer than anybody lives


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("1 < 2 & 3", '<div class="mmd">1 &lt; 2 &amp; 3</div>'),
        ("costs \\$5 or \\$6", '<div class="mmd">costs $5 or $6</div>'),
        ("a\nb <image2>", '<div class="mmd">a<br>b <i>[picture 2]</i></div>'),
        ("$" + "x" * 3000 + "$", f'<div class="mmd"><code>${"x" * 3000}$</code></div>'),
        (r"$\foo{1}$", r'<div class="mmd"><code>$\foo{1}$</code></div>'),
        (f"${DEEP}$", f'<div class="mmd"><code>${DEEP}$</code></div>'),
        ("one $ alone", '<div class="mmd">one $ alone</div>'),
        ("", '<div class="mmd"></div>'),
    ],
)
def test_plain_text(text: str, page: str) -> None:
    assert html_of(text) == page


def test_a_formula_stands_on_its_line() -> None:
    page = html_of(r"is $\frac{1}{2}$?")
    depth = re.search(r'<svg style="vertical-align:-([\d.]+)px"', page)
    assert depth is not None
    assert 3 < float(depth[1]) < 12
    assert '<div style="text-align:center"><svg' in html_of(r"$$\frac{1}{2}$$")


def test_an_outline_is_the_pages_own() -> None:
    """The path is what pages draw, in hundredths of the em, y down."""
    numbers = re.search(r'<path d="([^"]+)"', html_of("$x$"))
    assert numbers is not None
    places = np.array(re.findall(r"-?\d+", numbers[1]), float).reshape(-1, 2)
    box = math_box("x", False, "serif")
    assert places[:, 0].max() == pytest.approx(100 * box.vertices[:, 0].max(), abs=1)
    assert places[:, 1].min() == pytest.approx(-100 * box.ascent, abs=1)


def test_colours_and_rows_are_drawn() -> None:
    page = html_of(
        r"$\begin{array}{c|c} \textcolor{red}{a} & b \\ \hline c & d \end{array}$"
    )
    assert set(re.findall('fill="([^"]+)"', page)) == {"#ff0000", "currentColor"}


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ab$\\{}<>&\"'^_ \n/=xonscript", max_size=60))
def test_nothing_but_our_own_markup_comes_out(text: str) -> None:
    page = html_of(text).replace("<br>", "<br/>")
    root = ET.fromstring(re.sub(r"&(?!\w+;|#)", "&amp;", page))
    for element in root.iter():
        assert element.tag.rpartition("}")[2] in TAGS
        assert not any(
            name.startswith("on") or name == "src" for name in element.attrib
        )


def test_real_questions_are_drawn(data: RealData) -> None:
    lines = data.math_v("testmini.jsonl").read_text("utf-8").splitlines()[:300]
    texts = [json.loads(line)["question"] for line in lines]
    pages = [html_of(text) for text in texts]
    odd = [t for t, page in zip(texts, pages, strict=True) if "<code>" in page]
    assert odd == []
