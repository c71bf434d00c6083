"""Content MathML: operators, qualifiers, containers, and what has no written form."""

from __future__ import annotations

import pytest
from benchwright.convert.mathml.converter import mathml_to_latex
from benchwright.convert.mathml.tree import Refusal

X, Y, TWO = "<ci>x</ci>", "<ci>y</ci>", "<cn>2</cn>"
BVAR = "<bvar><ci>x</ci></bvar>"


def apply(operator: str, *arguments: str) -> str:
    return f"<apply>{operator}{''.join(arguments)}</apply>"


CASES = [
    (apply("<plus/>", X, Y, TWO), "x+y+2"),
    (apply("<minus/>", X), "-x"),
    (apply("<minus/>", X, apply("<plus/>", X, Y)), "x-(x+y)"),
    (apply("<times/>", TWO, X, apply("<plus/>", X, Y)), "2x(x+y)"),
    (apply("<times/>", TWO, TWO), r"2\times 2"),
    (apply("<divide/>", "<cn>1</cn>", TWO), r"\frac{1}{2}"),
    (apply("<power/>", apply("<plus/>", X, Y), TWO), "(x+y)^{2}"),
    (apply("<power/>", apply("<divide/>", X, Y), TWO), r"\left(\frac{x}{y}\right)^{2}"),
    (apply("<root/>", "<degree><cn>3</cn></degree>", X), r"\sqrt[3]{x}"),
    (apply("<log/>", "<logbase><cn>2</cn></logbase>", X), r"\log_{2}x"),
    (apply("<sin/>", apply("<plus/>", X, Y)), r"\sin(x+y)"),
    (apply("<max/>", X, Y), r"\max(x,y)"),
    (apply("<abs/>", X), "|x|"),
    (apply("<floor/>", X), r"\lfloor x\rfloor"),
    (apply("<factorial/>", X), "x!"),
    (apply("<leq/>", "<cn>0</cn>", X, Y), r"0\leq x\leq y"),
    (apply("<in/>", X, "<reals/>"), r"x\in\mathbb{R}"),
    (apply("<and/>", apply("<gt/>", X, Y), apply("<not/>", X)), r"x>y\wedge\neg x"),
    (apply("<union/>", X, Y), r"x\cup y"),
    (apply("<ci>f</ci>", X, Y), "f(x,y)"),
    (apply("<inverse/>", "<ci>f</ci>"), "f^{-1}"),
    (apply("<sum/>", BVAR, "<lowlimit><cn>1</cn></lowlimit><uplimit><ci>n</ci></uplimit>", X),
     r"\sum_{x=1}^{n}x"),
    (apply("<int/>", BVAR, "<interval><cn>0</cn><cn>1</cn></interval>".join(
        ["<domainofapplication>", "</domainofapplication>"]), X), r"\int_{0}^{1}xdx"),
    (apply("<limit/>", BVAR, "<lowlimit><cn>0</cn></lowlimit>", apply("<sin/>", X)),
     r"\lim_{x\to 0}\sin x"),
    (apply("<diff/>", BVAR, apply("<ci>f</ci>", X)), r"\frac{d}{dx}f(x)"),
    (apply("<diff/>", "<bvar><ci>x</ci><degree><cn>2</cn></degree></bvar>", Y),
     r"\frac{d^{2}}{dx^{2}}y"),
    (apply("<diff/>", "<ci>f</ci>"), "f'"),
    (apply("<forall/>", BVAR, apply("<geq/>", X, "<cn>0</cn>")), r"\forall x:x\geq 0"),
    (apply("<selector/>", "<ci>v</ci>", "<cn>1</cn>"), "v_{1}"),
    (apply("<csymbol>plus</csymbol>", X, Y), "x+y"),
    ("<set><ci>a</ci><ci>b</ci></set>", r"\{a,b\}"),
    (f"<set>{BVAR}<condition>{apply('<lt/>', X, TWO)}</condition></set>", r"\{x\mid x<2\}"),
    ("<interval closure='open-closed'><cn>0</cn><cn>1</cn></interval>", "(0,1]"),
    ("<vector><cn>1</cn><cn>2</cn></vector>", r"\begin{pmatrix}1\\2\end{pmatrix}"),
    ("<matrix><matrixrow><cn>1</cn><cn>2</cn></matrixrow></matrix>",
     r"\begin{pmatrix}1&2\end{pmatrix}"),
    (f"<piecewise><piece>{X}{apply('<gt/>', X, TWO)}</piece><otherwise><cn>0</cn></otherwise>"
     "</piecewise>", r"\left\{\begin{array}{ll}x&x>2\\0&\text{otherwise}\end{array}\right."),
    ("<cn type='rational'>1<sep/>3</cn>", r"\frac{1}{3}"),
    ("<cn type='e-notation'>2<sep/>5</cn>", r"2\times 10^{5}"),
    ("<cn type='integer' base='2'>101</cn>", "101_{2}"),
    ("<pi/>", r"\pi"),
    ("<ci><msub><mi>x</mi><mn>1</mn></msub></ci>", "x_{1}"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "latex"), CASES, ids=lambda c: c[:40])
def test_written_form(content: str, latex: str) -> None:
    assert mathml_to_latex(f"<math>{content}</math>") == latex


def test_presentation_is_preferred_where_both_are_given() -> None:
    both = (
        "<math><semantics><apply><plus/><ci>x</ci><ci>y</ci></apply><annotation-xml"
        " encoding='MathML-Presentation'><mi>y</mi><mo>+</mo><mi>x</mi></annotation-xml>"
        "</semantics></math>"
    )
    assert mathml_to_latex(both) == "y+x"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (apply("<divide/>", X), "<divide> with 1 arguments"),
        (apply("<plus/>", BVAR, X, Y), "<plus> with <bvar>"),
        (apply("<sin>x</sin>", X), "<sin> is not empty"),
        ("<apply/>", "without an operator"),
        ("<share href='#x'/>", "<share> has no written form"),
        ("<matrix><bvar><ci>i</ci></bvar></matrix>", "given by a rule"),
        ("<pi>3</pi>", "<pi>"),
        ("<piecewise><ci>x</ci></piecewise>", "damaged <ci>"),
        ("<piecewise><piece><ci>x</ci></piece></piecewise>", "damaged <piece>"),
        (
            f"<set>{BVAR}<condition><ci>c</ci></condition><ci>y</ci></set>",
            "does not use",
        ),
    ],
)
def test_refusals(content: str, reason: str) -> None:
    with pytest.raises(Refusal) as refusal:
        mathml_to_latex(f"<math>{content}</math>")
    assert reason in str(refusal.value)
