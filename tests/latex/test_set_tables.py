"""Environments set natively: cells in their columns, rules where they are asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from benchwright.latex import expected_ink
from benchwright.latex.rows import split_rows
from benchwright.latex.typeset import RefusedError, math_box, math_ink
from benchwright.latex.typeset.outlines import AXIS

EM = 40


def ink(latex: str, display: bool = True) -> Any:
    return np.asarray(math_ink(latex, EM, display)[0].convert("L")) > 128


def lines(dark: Any, axis: int) -> list[int]:
    """Rows (axis 1) or columns (axis 0) that are dark over more than four fifths of the picture."""
    full = dark.mean(axis=axis) > 0.8
    return [k for k in np.flatnonzero(full) if not full[k - 1]]


def blobs(dark: Any, axis: int) -> list[tuple[int, int]]:
    """Stretches with ink, as (from, to)."""
    filled = np.concatenate([[False], dark.any(axis=axis), [False]])
    edges = np.flatnonzero(np.diff(filled.astype(int)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


SET = [
    r"\begin{aligned} x &= 1 \\ y &= 22 \end{aligned}",
    r"\begin{align*} a &< b & c &= d \\ e &= f \end{align*}",
    r"\begin{gathered} x \\ y+z \end{gathered}",
    r"\sqrt{\begin{cases} 1 \\ 2 \end{cases}} + \sqrt[3]{\boxed{x}} + \sqrt x",
    r"f(x)=\begin{cases} x^2, & x>0 \\ -x, & x \le 0 \end{cases}",
    r"\left\{\begin{array}{l} x+y=1 \\ x-y=2 \end{array}\right.",
    r"\begin{array}{r} 456 \\ +\,123 \\ \hline 579 \end{array}",
    r"\begin{array}{|c||c|} \hline\hline a & b \\ \cline{2-2} c & d \\ \hline \end{array}",
    r"\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}^{-1}",
    r"\frac{\boxed{3}}{4}+\cancel{x}+\rule{1em}{2pt}",
    r"\begin{align} x &= 1 \tag{3} \\ &= 2 \nonumber \end{align}",
    r"\begin{tabular}{|l|r|} \hline Name & $x^2$ \\ \hline 50\% & \textbf{no} \end{tabular}",
    r"\begin{tabular}{|l|} \hline {$[90,94)$} \\ {\{a\} b} \\ \hline \end{tabular}",
    r"\begin{array}{c} \begin{array}{c|c} a & b \end{array} \\ \hline \frac{1}{2} \end{array}",
    r"\color{red} x + \textcolor{#00f}{y} \displaystyle \sum_{i} i",
    r"\bigl\{ \Bigl[ x \Bigr] \bigr\}",
    r"\begin{equation*} x = 1 \end{equation*}",
    r"\begin{tabular}{|c|c|} \multicolumn{2}{|c|}{b} \\ \multirow{2}{*}{a} & b \end{tabular}",
]  # fmt: skip


@pytest.mark.parametrize("latex", SET)
def test_environments_are_set_as_they_are_written(latex: str) -> None:
    box = math_box(latex, True)
    assert box.ink == expected_ink(latex)
    assert ink(latex).any()


def test_a_column_sum_keeps_its_line() -> None:
    sum_of = r"\begin{array}{cccc} & 4 & 5 & 6 \\ + & 1 & 2 & 3 \\ \hline & 5 & 7 & 9 \end{array}"
    dark = ink(sum_of)
    assert len(lines(dark, 1)) == 1
    without = ink(sum_of.replace(r"\hline", ""))
    assert len(lines(without, 1)) == 0
    assert len(blobs(without, 1)) == 3  # three rows, and four columns
    assert len(blobs(without, 0)) == 4


def test_a_frame_around_every_cell() -> None:
    rows = r"\hline a & b & c \\ \hline d & e & f \\ \hline"
    dark = ink(rf"\begin{{array}}{{|c|c|c|}} {rows} \end{{array}}")
    assert (len(lines(dark, 1)), len(lines(dark, 0))) == (3, 4)
    corner = dark[blobs(dark, 1)[0][0], blobs(dark, 0)[0][0]]
    assert corner


def test_a_cell_over_two_columns_has_no_line_through_it() -> None:
    wide = r"\multicolumn{2}{|c|}{xxxx} \\ \hline a & b \\ \hline"
    dark = ink(rf"\begin{{array}}{{|c|c|}} \hline {wide} \end{{array}}")
    assert (
        len(lines(dark, 0)) == 2
    )  # the frame; the line between the columns is half as long
    narrow = ink(
        r"\begin{array}{|c|c|} \hline x & x \\ \hline a & b \\ \hline \end{array}"
    )
    assert len(lines(narrow, 0)) == 3


def test_a_root_is_as_high_and_as_wide_as_what_stands_under_it() -> None:
    inner, root = (math_box(tex) for tex in (r"\boxed{x^2}", r"\sqrt{\boxed{x^2}}"))
    assert root.ascent > inner.ascent
    assert root.descent > inner.descent
    assert root.width > inner.width + 0.5
    dark = ink(r"\sqrt{\begin{array}{c} aaaaaaaa \end{array}}")
    assert dark[: len(dark) // 4].mean(1).max() > 0.8  # the bar


def test_columns_are_aligned() -> None:
    def edges(column: str) -> tuple[int, int]:
        dark = ink(rf"\begin{{array}}{{{column}}} x \\ xxxxxx \end{{array}}")
        first = dark[slice(*blobs(dark, 1)[0])]
        at = np.flatnonzero(first.any(axis=0))
        return int(at[0]), dark.shape[1] - int(at[-1])

    left, centre, right = (edges(column) for column in "lcr")
    assert left[0] < 6 < left[1]
    assert right[1] < 8 < right[0]
    assert abs(centre[0] - centre[1]) < 6


def test_alignments_meet_at_their_relation() -> None:
    dark = ink(r"\begin{aligned} lllll &= 1 \\ l &= 11111 \end{aligned}")
    first, second = (
        dark[slice(*rows)] for rows in blobs(dark, 1)[:1] + blobs(dark, 1)[-1:]
    )
    starts = []
    for row in (first, second):
        bars = [k for k in range(row.shape[1]) if len(blobs(row[:, k : k + 1], 1)) == 2]
        starts.append(min(bars))
    assert abs(starts[0] - starts[1]) <= 2


def test_tables_stand_around_the_height_of_minus_signs() -> None:
    box = math_box(r"\begin{array}{c} a \\ b \\ c \end{array}")
    assert box.ascent - AXIS == pytest.approx(box.descent + AXIS, abs=0.35)


@pytest.mark.parametrize(
    ("latex", "why"),
    [
        (r"\begin{foo} x \end{foo}", "unknown environment foo"),
        (r"\begin{array}{c} x", "partner"),
        (r"\begin{array}{c}" + r"a \\" * 900 + "x" * 2000 + r"\end{array}", "limit"),
        (r"\rule{x}{y}", "a length"),
        (r"\color{no-such} x", "unknown colour"),
        (r"\sqrt{\foo}", "unknown command"),
        (r"\left( 1 & 2 \right)", "&"),  # an & that belongs to no table
    ],
)
def test_what_cannot_be_set_is_refused_with_the_reason(latex: str, why: str) -> None:
    with pytest.raises(RefusedError, match=why):
        math_box(latex)


def test_a_slash_stands_on_what_it_negates() -> None:
    """mathtext strikes the character before: x would be struck instead of the equals sign."""
    assert math_box(r"x\not=0").width == math_box(r"x\neq 0").width


def test_a_sign_is_no_operation() -> None:
    for sign, operation in (
        (r"x\leq -2", r"x\leq 3-2"),
        (r"(-x)", "(1-x)"),
        (r"a,-b", "a,1-b"),
    ):
        one = math_box(operation).width - math_box("3").width
        assert math_box(sign).width < one - 0.2


def test_rows_are_split_outside_of_groups() -> None:
    rows = list(
        split_rows(r"a & \text{b & c} \\ \begin{array}{c} d & e \\ f \end{array} & g")
    )
    assert [len(cells) for cells, _ in rows] == [2, 2]


def test_depth_and_size_are_bounded() -> None:
    deep = r"\begin{array}{c}" * 12 + "x" + r"\end{array}" * 12
    assert math_box(deep).ink == expected_ink("x")
    with pytest.raises(RefusedError, match="limit"):
        math_box(r"\begin{array}{c}" * 30 + "x" + r"\end{array}" * 30)
