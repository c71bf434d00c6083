"""Tables of a text as HTML, their formulas drawn."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from benchwright.latex import html_of
from benchwright.latex.html_tables import MOST_CELLS
from hypothesis import given, settings
from hypothesis import strategies as st

SVG = "{http://www.w3.org/2000/svg}"
TAGS = {"div", "br", "i", "code", "span", "table", "tbody", "tr", "td"}
TAGS |= {SVG + "svg", SVG + "path"}
TABLE = r"""\begin{tabular}{|c|c|c|}
\hline 等级 & 人数 & 频率 \\
\hline \multirow{2}{*}{A} & $5$ & $\frac{1}{4}$ \\
\cline{2-3} & <b onclick="x()">6 & $x<0$ \\
\hline \multicolumn{2}{|c|}{合计} & 50\% \\ \hline\hline
\end{tabular}"""


def tree(page: str) -> ET.Element:
    return ET.fromstring(page.replace("<br>", "<br/>"))


def grid(page: str) -> list[list[str]]:
    """The words of every cell of a page's first table."""
    table = next(tree(page).iter("table"))
    return [["".join(td.itertext()).strip() for td in tr] for tr in table.iter("tr")]


def styles(page: str, property_: str) -> list[int]:
    """In each row, the cells with the property."""
    table = next(tree(page).iter("table"))
    return [
        sum(property_ in td.attrib["style"] for td in tr) for tr in table.iter("tr")
    ]


def test_a_table_in_a_text() -> None:
    page = html_of(f"统计 $y$:\n{TABLE}\n其中 $z$")
    assert grid(page) == [
        ["等级", "人数", "频率"],
        ["A", "", ""],
        ['<b onclick="x()">6', ""],
        ["合计", "50%"],
    ]
    cells = list(tree(page).iter("td"))
    assert [td.attrib.get("rowspan") for td in cells].count("2") == 1
    assert [td.attrib.get("colspan") for td in cells].count("2") == 1
    assert styles(page, "border-top") == [3, 3, 2, 2]
    assert styles(page, "border-bottom:3px double") == [0, 0, 0, 2]
    assert "tabular" not in page
    assert page.index("统计") < page.index("<table") < page.index("其中")
    assert "<b " not in page


@pytest.mark.parametrize(
    "text",
    [
        rf"\begin{{tabular}}{{c}}{' & ' * MOST_CELLS}\end{{tabular}}",
        r"\begin{tabular}{c} 1 ",
        r"\begin{tabular} 1 \end{tabular}",
        r"`\begin{tabular}{c} 1 \end{tabular}`",
    ],
)
def test_a_table_that_cannot_be_set_stays_text(text: str) -> None:
    page = html_of(text)
    assert "<table" not in page
    assert r"\begin{tabular}" in page


def test_tables_within_tables_end() -> None:
    text = "x"
    for _ in range(12):
        text = rf"\begin{{tabular}}{{|c|}} {text} \end{{tabular}}"
    page = html_of(text)
    assert page.count("<table") == 3
    assert page.count(r"\begin{tabular}") == 9


WORDS = [
    *"ab1<>&\"'$^_{}%|甲 \n\\", "<script>", "onclick=", "$x$", r"\\", r"\hline", r"\text{",
    r"\begin{tabular}{|l|}", r"\end{tabular}", r"\begin{cases}", r"\end{cases}", r"\left\{",
    r"\right.", r"\multicolumn{2}{|c|}{", r"\multirow{2}{*}{", r"\cline{1-2}",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(WORDS), max_size=30),
    st.sampled_from(["", "tabular", "cases"]),
)
def test_nothing_but_our_own_markup_comes_out(
    words: list[str], environment: str
) -> None:
    text = "".join(words)
    if environment == "tabular":
        text = rf"\begin{{tabular}}{{|l|l|}}{text}\end{{tabular}}"
    elif environment:
        text = rf"$\begin{{cases}}{text} & 甲\end{{cases}}$"
    for element in tree(html_of(text)).iter():
        assert element.tag in TAGS
        assert not any(
            name.startswith("on") or name == "src" for name in element.attrib
        )
        assert element.attrib.get("href", "#").startswith("#")
        assert "url" not in element.attrib.get("style", "")
