"""Formulas: set as they are written, or refused by name; line breaking in two scripts."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress

import numpy as np
import pytest
from benchwright.latex import expected_ink
from benchwright.latex.typeset import RefusedError, math_box, math_ink
from benchwright.render import Issue
from benchwright.render.typeset import lines_of
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("latex", "same"),
    [
        (r"\frac12", r"\frac{1}{2}"),
        (r"\frac\pi8", r"\frac{\pi}{8}"),
        (r"\sqrt2+\sqrt[3]x", r"\sqrt{2}+\sqrt[3]{x}"),
        (r"a\le b\ge c", r"a\leq b\geq c"),
        (r"\text{if $x$ is}", r"\text{if }x\text{ is}"),
        (r"\stackrel{a}b", r"\overset{a}{b}"),
        (r"{a \over b}", r"\frac{a}{b}"),
        (r"x^\prime", "x'"),
        (r"x^\frac12", r"x^{\frac{1}{2}}"),
        (r"{\rm cm}", r"\mathrm{cm}"),
        (r"m\sqrtn", r"m\sqrt{n}"),  # misspelt in the data; reported as an issue
    ],
)
def test_two_ways_to_write_one_formula(latex: str, same: str) -> None:
    one, other = math_box(latex), math_box(same)
    assert one.width == pytest.approx(other.width)
    assert np.allclose(one.vertices, other.vertices)


@given(st.text(alphabet=r"\frac{}sqrtx12^_ $&~[]'", max_size=40))
def test_whatever_is_written_is_set_or_refused(latex: str) -> None:
    box = None
    with suppress(RefusedError):  # and nothing else
        box = math_box(latex, display=True)
    if box is not None:
        assert box.ink == expected_ink(latex)
        assert np.isfinite(box.vertices).all()


def test_kinds_of_signs_make_their_room() -> None:
    """The room of TeX: most around relations, less around operations, none around signs."""

    def room(latex: str, *parts: str) -> float:
        return math_box(latex).width - sum(math_box(part).width for part in parts)

    assert room("a=b", "a", "=", "b") > room("a+b", "a", "+", "b") > 0.3
    assert room("-b", "-", "b") == room("(-b", "(", "-", "b") == pytest.approx(0)
    assert room("x^{a+b}", "x^{ab}") < 0.75 * math_box("+").width
    assert room(r"4\ln x", "4", r"\ln", "x") > 0.3
    assert room(r"\ln(x)", r"\ln", "(", "x", ")") == pytest.approx(0)


def test_sums_that_stand_alone_have_their_limits_over_and_under_them() -> None:
    for latex in (r"\sum_{i=1}^n", r"\lim_{x\to0}", r"\bigcup_{i}"):
        alone, within = math_box(latex, True), math_box(latex, False)
        assert alone.descent > within.descent
    assert math_box(r"\sum\limits_{i=1}^n").descent > math_box(r"\sum_{i=1}^n").descent


@pytest.mark.parametrize("sign", "()[]{}|")
def test_brackets_are_as_high_as_what_they_hold(sign: str) -> None:
    for inner in (r"\frac{a}{b}", r"\begin{array}{c} a \\ b \\ c \\ d \end{array}"):
        written = sign if sign in "()[]|" else "\\" + sign
        box, alone = math_box(rf"\left{written}{inner}\right."), math_box(inner)
        assert box.ascent == pytest.approx(alone.ascent, abs=0.2)
        assert box.descent == pytest.approx(alone.descent, abs=0.2)
        assert box.width - alone.width < 0.7


def test_words_and_letters_have_their_fonts() -> None:
    fonts = ("mathrm", "mathit", "mathbf", "mathbb", "mathcal", "mathfrak", "mathtt")
    shapes = {math_box(rf"\{font}{{R}}").vertices.tobytes() for font in fonts}
    assert len(shapes) == 7
    assert np.array_equal(math_box("R").vertices, math_box(r"\mathit{R}").vertices)
    assert np.array_equal(math_box("1").vertices, math_box(r"\mathrm{1}").vertices)


@pytest.mark.parametrize(
    "latex", [r"\foo x", r"\frac{1}{", r"\begin{array}{c} 1", r"x}"]
)
def test_what_no_engine_takes_is_refused_by_name(latex: str) -> None:
    with pytest.raises(RefusedError, match=r"unknown command|partner"):
        math_box(latex)


@pytest.mark.parametrize(
    "latex", [r"\frac{1}{" * 60 + "x" + "}" * 60, "x" * 5000, "{" * 900 + "}" * 900]
)
def test_formulas_are_bounded(latex: str) -> None:
    with pytest.raises(RefusedError, match="limit"):
        math_box(latex)


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


def broken(text: str, width: float = 600) -> tuple[list[str], list[Issue]]:
    issues: list[Issue] = []
    lines = lines_of(text, 36, width, issues.append)
    assert all(line.width <= width + 1 for line in lines)
    return ["".join(atom.text for _, atom in line.atoms) for line in lines], issues


def test_lines_break_between_words_and_keep_clusters() -> None:
    lines, issues = broken(
        "Find the length of the hypotenuse $c$, if $a=3$, and $b=4$."
    )
    assert not issues
    assert " ".join(lines) == "Find the length of the hypotenuse c, if a=3, and b=4."


def test_chinese_breaks_anywhere_but_before_closing_marks() -> None:
    try:
        lines, issues = broken(
            "如图，在三角形中，点在边上，连接，求证：两条线段相等。" * 4
        )
    finally:
        pass
    if any(issue.code == "no-chinese-font" for issue in issues):
        pytest.skip("no Chinese font on this machine")
    assert len(lines) > 3
    assert not any(line[0] in "，。：" for line in lines)
    assert all(len(line) > 12 for line in lines[:-1])


def test_the_brackets_of_an_answer_stay_together() -> None:
    for width in range(200, 620, 20):  # wherever the line happens to end
        for text in (
            "Then the angle that is sought is ( ).",
            "Then it is ( 3 ), and so on.",
        ):
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
def test_an_arrow_spans_its_letters_and_leaves_them_where_they_are(
    tex: str, plain: str
) -> None:
    arrowed, bare = math_box(tex), math_box(plain)
    assert arrowed.width == pytest.approx(bare.width, abs=0.25)
    assert arrowed.ascent > bare.ascent
    assert arrowed.descent == pytest.approx(bare.descent, abs=0.1)


def test_an_arrow_is_as_long_as_its_label() -> None:
    short, long = (
        math_box(r"\xrightarrow{a}"),
        math_box(r"\xrightarrow[b]{\text{a long label}}"),
    )
    assert long.width > 1.5 * short.width
    assert long.descent > short.descent
    heads = [r"\xleftarrow{a}", r"\xleftrightarrow{a}", r"\xlongequal{a}"]
    assert {round(math_box(tex).width, 1) for tex in heads} == {round(short.width, 1)}
