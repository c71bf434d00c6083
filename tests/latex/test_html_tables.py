"""Cases, tables and Chinese text, which the engine cannot set, as HTML around its drawings."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from benchwright.latex.html_tables import MOST_CELLS
from benchwright.latex.svg import LONGEST, html_of, htmls_of
from hypothesis import given, settings
from hypothesis import strategies as st

SVG = "{http://www.w3.org/2000/svg}"
TAGS = {"div", "br", "i", "code", "span", "table", "tbody", "tr", "td"}
TAGS |= {SVG + tag for tag in "svg symbol path use rect line polyline".split()}
CASES = r"$\begin{cases} 2x, & \text{若 } x>0 \\ x^2, & 其他 \end{cases}$"
DIVISION = r"\begin{array}{r|rrr} 2 & 1 & -3 & 2 \\ & & 2 & -2 \\ \hline & 1 & -1 & 0 \end{array}"
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
    return [sum(property_ in td.attrib["style"] for td in tr) for tr in table.iter("tr")]


def test_cases_with_chinese_conditions() -> None:
    page = html_of(CASES)
    assert grid(page) == [["", "若"], ["", "其他"]]
    drawn = [[len(list(td.iter(f"{SVG}svg"))) for td in tr] for tr in tree(page).iter("tr")]
    assert drawn == [[1, 1], [1, 0]]
    brace = next(tree(page).iter("span"))[0]
    assert brace.tag == f"{SVG}svg"
    assert "height:100%" in brace.attrib["style"]
    assert "border" not in page.replace("border-collapse", "")


def test_rules_of_an_array() -> None:
    page = html_of(f"${DIVISION}$")
    assert styles(page, "border-top") == [0, 0, 4]
    assert styles(page, "border-left") == [1, 1, 1]
    assert styles(page, "border-right") == [0, 0, 0]
    assert [len(row) for row in grid(page)] == [4, 4, 4]
    first_column = [tr[1].attrib["style"] for tr in tree(page).iter("tr")]
    assert all("border-left" in style for style in first_column)


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
    ("fences", "strokes"),
    [((r"\{", "."), 1), (("[", "]"), 2), ((r"\lbrace", r"\rbrace"), 2), (("|", "|"), 2)],
)
def test_fences_around_an_array(fences: tuple[str, str], strokes: int) -> None:
    tex = rf"\left{fences[0]}\begin{{array}}{{c|c}} a & 甲 \\ b & 1 \end{{array}}\right{fences[1]}"
    page = html_of(f"${tex}$")
    assert "<code>" not in page
    assert page.count("preserveAspectRatio") == strokes


@pytest.mark.parametrize(
    "tex",
    [
        r"\text{面积}=S",
        r"S=6\text{ 平方米 (共 5\% )}",
        r"\begin{aligned} 面积 &= \frac12 ab \\ &= 6 \end{aligned}",
        r"\begin{pmatrix} 甲 & 1 \\ 2 & 乙 \end{pmatrix}",
        r"\begin{cases} \begin{array}{c|c} 1 & 2 \end{array} & 甲 \\ 3 & 乙 \end{cases}",
        r"\frac{甲}{乙}",
        r"v=\dfrac{\text{路程}}{2t}+1",
        r"\frac甲{\frac{1}{乙}}",
        r"x_{\text{甲}}^2 + S_{阴影}",
        r"\sqrt{面积} + \sqrt[3]{\frac{甲}{2}}",
        r"\left(\frac{甲}{2}+1\right)^2",
        r"{\left[甲\right]}",
        r"\begin{array}{c|c} \frac{甲}{2} & 1 \end{array}",
    ],
)
def test_set(tex: str) -> None:
    assert "<code>" not in html_of(f"${tex}$")


@pytest.mark.parametrize(
    "tex",
    [
        r"x_{\triangle 甲}",
        r"\overline{甲}",
        r"\overline 甲",
        r"\overset{甲}{=}",
        r"\boxed{\begin{cases} 1 & 甲 \end{cases}}",
        r"\begin{cases} \nocommand & 甲 \end{cases}",
        r"\begin{array}{c|c} \boxed{甲} & 1 \end{array}",
        r"\frac{甲}",
        r"\text{甲 \nocommand{x}}",
        r"\left\uparrow\begin{array}{c} 甲 \end{array}\right.",
        r"\begin{array}{c} \multirow{2}{*}{甲} \\ 乙 \end{array}",
        r"\begin{array}{|c|} 甲" + r" \\ 乙" * LONGEST + r"\end{array}",
        r"\begin{array}{*{99}{*{99}{*{99}{*{99}{*{99}{c|}}}}}} 甲 \end{array}",
    ],
)
def test_what_cannot_be_set_stays_source(tex: str) -> None:
    assert re.fullmatch(r'<div class="mmd"><code>.*</code></div>', html_of(f"${tex}$"), re.DOTALL)


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


def test_many_texts_as_one() -> None:
    texts = [f"统计 {TABLE}", CASES, f"$${DIVISION}$$ {TABLE} and {TABLE}"]
    assert htmls_of(texts) == [html_of(text) for text in texts]


WORDS = [
    *"ab1<>&\"'$^_{}%|甲 \n\\", "<script>", "onclick=", "$x$", r"\\", r"\hline", r"\text{",
    r"\begin{tabular}{|l|}", r"\end{tabular}", r"\begin{cases}", r"\end{cases}", r"\left\{",
    r"\right.", r"\multicolumn{2}{|c|}{", r"\multirow{2}{*}{", r"\cline{1-2}",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=30), st.sampled_from(["", "tabular", "cases"]))
def test_nothing_but_our_own_markup_comes_out(words: list[str], environment: str) -> None:
    text = "".join(words)
    if environment == "tabular":
        text = rf"\begin{{tabular}}{{|l|l|}}{text}\end{{tabular}}"
    elif environment:
        text = rf"$\begin{{cases}}{text} & 甲\end{{cases}}$"
    for element in tree(html_of(text)).iter():
        assert element.tag in TAGS
        assert not any(name.startswith("on") or name == "src" for name in element.attrib)
        assert element.attrib.get("href", "#").startswith("#")
        assert "url" not in element.attrib.get("style", "")
