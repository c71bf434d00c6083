"""Formulas: both engines, the normaliser, refusals by name; line breaking in two scripts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import matplotlib
import pytest
from benchwright.render.issues import Issue
from benchwright.render.typeset.engines import _parsed, mathtext, ziamath_box
from benchwright.render.typeset.formula import math_box, math_ink
from benchwright.render.typeset.mathtext_dialect import normalise
from benchwright.render.typeset.outlines import RefusedError
from benchwright.render.typeset.text_lines import lines_of
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("latex", "dialect"),
    [
        (r"\frac12", r"\frac{1}{2}"),
        (r"\frac\pi8", r"\frac{\pi}{8}"),
        (r"\sqrt2+\sqrt[3]{x}", r"\sqrt{2}+\sqrt[3]{x}"),
        (r"a\le b\ge c", r"a\leq b\geq c"),
        (r"5\mathrm{~cm}", r"5\,\mathrm{cm}"),
        (r"\text{if $x$ is}", r"\text{if x is}"),
        (r"x=1\\", "x=1"),
        (r"\displaystyle\sum\limits_{i}", r"\sum_{i}"),
        (r"\stackrel{a}b", r"\overset{a}{b}"),
        (r"\textcircled{3}", "③"),
        (r"m\sqrtn", r"m\sqrt{n}"),  # misspelt in the data; reported as an issue
    ],
)
def test_normaliser(latex: str, dialect: str) -> None:
    assert normalise(latex) == dialect


@given(st.text(alphabet=r"\frac{}sqrtx12^_ $&~[]", max_size=40))
def test_normaliser_takes_anything(latex: str) -> None:
    assert isinstance(normalise(latex), str)


@pytest.mark.parametrize(
    ("latex", "engine"),
    [
        (r"\frac12", "mathtext"),
        (r"\begin{cases} x & y \\ 1 & 2 \end{cases}", "native"),
        (r"\overrightarrow{AB}", "native"),  # mathtext draws a tiny arrow in front
        (r"a\not\parallel b", "ziamath"),  # mathtext puts the slash beside it
        (r"\vec{AB}", "native"),
        (r"\vec{a}", "mathtext"),
        (r"\boxed{x}+\cancel{y}", "native"),
        (r"\begin{pmatrix}1&0\\0&1\end{pmatrix}", "native"),
    ],
)
def test_engine_by_what_it_draws_right(latex: str, engine: str) -> None:
    assert math_box(latex).engine == engine


@pytest.mark.parametrize("latex", [r"\foo x", r"\frac{1}{", r"\begin{array}{c} 1", r"x}"])
def test_what_no_engine_takes_is_refused_by_name(latex: str) -> None:
    with pytest.raises(RefusedError, match=r"unknown command|partner"):
        math_box(latex)


@pytest.mark.parametrize(
    "latex", [r"\frac{1}{" * 60 + "x" + "}" * 60, "x" * 5000, "{" * 900 + "}" * 900]
)
def test_formulas_are_bounded(latex: str) -> None:
    with pytest.raises(RefusedError, match="limit"):
        math_box(latex)


def test_the_engines_agree_on_size() -> None:
    """Two typesetters, one size: an x of one is as wide and high as that of the other."""
    for latex in ("x", r"\frac{a}{b}", "2x+3=7"):
        one, other = mathtext(latex, False), ziamath_box(latex, False)
        assert one.width == pytest.approx(other.width, rel=0.35)
        assert one.ascent == pytest.approx(other.ascent, rel=0.35)


def test_ink_stands_on_its_baseline() -> None:
    for latex, rise in (("x", "on"), ("^2", "above"), (r"\frac{1}{2}", "across")):
        mask, baseline = math_ink(latex, 40)
        _, top, _, bottom = mask.getbbox()
        assert {"on": abs(bottom - baseline) <= 2, "above": bottom < baseline - 5,
                "across": top < baseline - 8 < baseline + 8 < bottom}[rise]  # fmt: skip


def test_a_box_has_a_frame_and_a_stroke_is_ink() -> None:
    def ink(latex: str) -> int:
        return sum(math_ink(latex, 40)[0].histogram()[128:])

    assert ink(r"\boxed{x}") > ink("x") + 100
    assert ink(r"\cancel{x}") > ink("x") + 10


def test_fonts_are_matplotlibs_own() -> None:
    fonts = {glyph[0].fname for glyph in _parsed("x+1").glyphs}
    root = Path(matplotlib.get_data_path())
    assert all(Path(font).is_relative_to(root) for font in fonts)


def broken(text: str, width: float = 600) -> tuple[list[str], list[Issue]]:
    issues: list[Issue] = []
    lines = lines_of(text, 36, width, issues.append)
    assert all(line.width <= width + 1 for line in lines)
    return ["".join(atom.text for _, atom in line.atoms) for line in lines], issues


def test_lines_break_between_words_and_keep_clusters() -> None:
    lines, issues = broken("Find the length of the hypotenuse $c$, if $a=3$, and $b=4$.")
    assert not issues
    assert " ".join(lines) == "Find the length of the hypotenuse c, if a=3, and b=4."


def test_chinese_breaks_anywhere_but_before_closing_marks() -> None:
    try:
        lines, issues = broken("如图，在三角形中，点在边上，连接，求证：两条线段相等。" * 4)
    finally:
        pass
    if any(issue.code == "no-chinese-font" for issue in issues):
        pytest.skip("no Chinese font on this machine")
    assert len(lines) > 3
    assert not any(line[0] in "，。：" for line in lines)
    assert all(len(line) > 12 for line in lines[:-1])


def test_the_brackets_of_an_answer_stay_together() -> None:
    for width in range(200, 620, 20):  # wherever the line happens to end
        for text in ("Then the angle that is sought is ( ).", "Then it is ( 3 ), and so on."):
            lines, _ = broken(text, width)
            assert not any(line.endswith("(") or line.startswith(")") for line in lines)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (r"Find \frac{1}{2} now", "bare-latex"),
        (r"Find $\foo$ now", "raw-latex"),
        (r"$\fracmn$", "misspelt-command"),
        ("It costs $x, not $5.", "unbalanced-dollar"),
        ("שלום", "right-to-left"),
        ("\U0001d504", "missing-glyph"),
        ("$" + r"\text{and } \left(" + "x" * 25 + r"\right)$", "shrunk-formula"),
    ],
)
def test_nothing_is_set_wrongly_in_silence(text: str, code: str) -> None:
    assert code in {issue.code for issue in broken(text)[1]}


def test_a_wide_formula_breaks_before_relations() -> None:
    lines, issues = broken("$" + "+".join(f"x_{{{k}}}" for k in range(40)) + "$")
    assert len(lines) > 2
    assert not issues


def test_the_same_in_another_process_with_another_hash_seed() -> None:
    program = (
        "import hashlib\n"
        "from benchwright.problem import Option\n"
        "from benchwright.render.page.page import set_page\n"
        "text = r'Find $\\frac{1}{2}$ of \\pi, $\\begin{cases}a\\\\b\\end{cases}$.'\n"
        "sheet = set_page(text, [Option(label='A', text='$x^2$')])\n"
        "print(hashlib.sha256(sheet.png()).hexdigest(), sheet.issues)"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(outputs) == 1


@pytest.mark.parametrize(
    ("tex", "plain"),
    [
        (r"\overrightarrow{AB}", "AB"), (r"\vec{AB}", "AB"), (r"\overleftrightarrow{AB}", "AB"),
        (r"\frac{\overleftarrow{PQ}}{2}", r"\frac{PQ}{2}"), (r"\overrightarrow{AB}^2", "AB^2"),
    ],
)  # fmt: skip
def test_an_arrow_spans_its_letters_and_leaves_them_where_they_are(tex: str, plain: str) -> None:
    arrowed, bare = math_box(tex), math_box(plain)
    assert arrowed.engine == "native"
    assert arrowed.width == pytest.approx(bare.width, abs=0.25)
    assert arrowed.ascent > bare.ascent
    assert arrowed.descent == pytest.approx(bare.descent, abs=0.1)


def test_an_arrow_is_as_long_as_its_label() -> None:
    short, long = math_box(r"\xrightarrow{a}"), math_box(r"\xrightarrow[b]{\text{a long label}}")
    assert long.width > 1.5 * short.width
    assert long.descent > short.descent
    heads = [r"\xleftarrow{a}", r"\xleftrightarrow{a}", r"\xlongequal{a}"]
    assert {math_box(tex).width for tex in heads} == {short.width}


def test_what_cannot_be_composed_an_engine_sets_whole() -> None:
    assert math_box(r"\overline{\overrightarrow{AB}}").engine == "ziamath"
