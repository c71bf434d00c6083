"""MathML to LaTeX: idioms, sources of TeX, refusals, hostile input, the command and the stage."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from benchwright.convert.mathml import ELEMENTS, Refusal, mathml_to_latex
from benchwright.convert.mathml.tree import MAX_CHARACTERS, MAX_DEPTH, MAX_NODES
from benchwright.convert.stages import mathml as mathml_stage
from benchwright.pipeline import load_stage
from benchwright.problem import Drop, Option, Problem, Source

# Idioms of school sites, MathType, WIRIS and Word, written by hand with the wanted LaTeX.
CASES = json.loads(Path(__file__).with_name("mathml_cases.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['source']}: {c['latex']}")
def test_idioms(case: dict[str, str]) -> None:
    assert mathml_to_latex(case["mathml"]) == case["latex"]


@pytest.mark.parametrize("dash", "-–−")
def test_a_dash_over_a_letter_is_drawn_as_a_dash_whatever_its_character(
    dash: str,
) -> None:
    over = f"<math><mover><mi>x</mi><mtext>{dash}</mtext></mover></math>"
    assert mathml_to_latex(over) == r"\overset{-}{x}"
    assert mathml_to_latex(over.replace(dash, "¯")) == r"\bar{x}"


# --------------------------------------------------------------------------------------- source TeX
@pytest.mark.parametrize(
    ("mathml", "latex", "index"),
    [
        ('<annotation encoding="application/x-tex">y_{1}</annotation>', "y_{1}", "1"),
        ('<annotation encoding="LaTeX">$y_1$</annotation>', "y_1", "1"),
        (r'<annotation encoding="text/x-latex">\[ {y} \]</annotation>', "{y}", ""),
        ('<annotation encoding="StarMath 5.0">x over y</annotation>', "y", ""),
        ('<annotation encoding="MathType-MTEF">MathType@MTEF@5</annotation>', "y", ""),
        ('<annotation encoding="application/json">{"x":[[1]]}</annotation>', "y", ""),
        ('<annotation encoding="application/x-tex">{x</annotation>', "y", ""),
        (r'<annotation encoding="application/x-tex">\input{x}</annotation>', "y", ""),
        (r'<annotation encoding="TeX">\def\x{1}\x</annotation>', "y", ""),
    ],
)
def test_annotations(mathml: str, latex: str, index: str) -> None:
    tree = f"<msub><mi>y</mi><mn>{index}</mn></msub>" if index else "<mi>y</mi>"
    assert (
        mathml_to_latex(f"<math><semantics>{tree}{mathml}</semantics></math>") == latex
    )


@pytest.mark.parametrize(
    ("tree", "tex", "disagree"),
    [
        ("<mi>x</mi><mo>+</mo><mn>1</mn>", "x-1", True),
        ("<mi>x</mi><mo>+</mo><mn>1</mn>", "x+2", True),
        ("<msup><mi>x</mi><mn>2</mn></msup>", "y^2", True),
        ("<mi>α</mi>", r"\beta", True),
        ("<mi>x</mi><mo>−</mo><mn>1</mn>", "x-1", False),
        ("<mi>sin</mi><mi>θ</mi>", r"\sin\theta", False),
        (
            "<mi>x</mi><mo>&lt;</mo><mfrac><mn>1</mn><mn>2</mn></mfrac>",
            r"x \lt \frac12",
            False,
        ),
        ("<mtext>if </mtext><mi>x</mi>", r"\text{if }x\hspace{2em}", False),
    ],
)
def test_annotations_that_disagree_with_their_tree(
    tree: str, tex: str, disagree: bool
) -> None:
    annotation = f'<annotation encoding="application/x-tex">{tex}</annotation>'
    issues: list[str] = []
    mathml_to_latex(
        f"<math><semantics><mrow>{tree}</mrow>{annotation}</semantics></math>", issues
    )
    assert bool(issues) is disagree


def test_greek_variants_stay_apart() -> None:
    letters = "".join(f"<mi>{c}</mi>" for c in "𝜗𝜃𝜖𝜀𝜙𝜑𝜛𝜋")
    latex = mathml_to_latex(f"<math>{letters}</math>")
    assert latex == r"\vartheta\theta\epsilon\varepsilon\phi\varphi\varpi\pi"


def test_function_names_in_texts_and_latex_inside_math() -> None:
    assert mathml_to_latex("<math><mtext>sin</mtext><mi>x</mi></math>") == r"\sin x"
    assert mathml_to_latex(r"<math>x^2 &lt; \frac{1}{2}</math>") == r"x^2 < \frac{1}{2}"


def test_alternative_text_is_tex_only_where_it_looks_like_it() -> None:
    assert (
        mathml_to_latex(
            r'<math alttext="{\displaystyle y_{2}}"><mi>y</mi><mn>2</mn></math>'
        )
        == "y_{2}"
    )
    assert mathml_to_latex('<math alttext="x squared"><mi>y</mi></math>') == "y"
    assert mathml_to_latex('<math alttext="equation_1"><mi>y</mi></math>') == "y"
    half = "<mfrac><mn>1</mn><mn>2</mn></mfrac>"
    assert mathml_to_latex(rf'<math data-latex="\frac12">{half}</math>') == r"\frac12"


def test_wiris_safe_xml() -> None:
    safe = "«math xmlns=¨http://www.w3.org/1998/Math/MathML¨»«mfrac»«mn»1«/mn»«mi»§#960;«/mi»«/mfrac»«/math»"
    assert mathml_to_latex(safe) == r"\frac{1}{\pi}"


# ---------------------------------------------------------------------------------------- refusals
@pytest.mark.parametrize(
    ("mathml", "reason"),
    [
        ("", "malformed XML"),
        ("<math>", "malformed XML"),
        ("plain text", "malformed XML"),
        ("<math><foo/></math>", "unknown element <foo>"),
        (
            "<math><mfrac><mi>x</mi></mfrac></math>",
            "<mfrac> needs 2 children and has 1",
        ),
        (
            "<math><msubsup><mi>x</mi><mn>1</mn></msubsup></math>",
            "<msubsup> needs 3 children",
        ),
        (
            "<math><mroot><mi>x</mi></mroot></math>",
            "<mroot> needs 2 children and has 1",
        ),
        ("<math><mmultiscripts/></math>", "<mmultiscripts> has no base"),
        (
            "<math><mmultiscripts><mi>x</mi><mi>y</mi></mmultiscripts></math>",
            "in pairs",
        ),
        (
            "<math><maction selection='3'><mi>x</mi></maction></math>",
            "<maction> selects part 3",
        ),
        (
            "<math><menclose notation='a}b'><mi>x</mi></menclose></math>",
            "unknown notation",
        ),
        ("<math><mglyph src='x.png'/></math>", "mglyph without alt"),
        (r"<math><latex>\input{x}</latex></math>", "unknown element <latex>"),
        ("<math><cases/><binom/></math>", "unknown element <cases>"),
        (f"<math>{'<mrow>' * 200}<mi>x</mi>{'</mrow>' * 200}</math>", "nested deeper"),
        ("<math><apply><plus/><ci>x</ci></apply></math>", "content MathML <apply>"),
        ("<math><mi>y</mi><mo>=</mo><ci>x</ci></math>", "content MathML <ci>"),
        ("<math><mstack><mn>1</mn></mstack></math>", "column arithmetic <mstack>"),
        ("<math><mo>&nosuch;</mo></math>", "unknown entity &nosuch;"),
        ("<math><mo>\ud800</mo></math>", "malformed XML"),
    ],
)
def test_named_refusals(mathml: str, reason: str) -> None:
    with pytest.raises(Refusal) as refusal:
        mathml_to_latex(mathml)
    assert reason in str(refusal.value)


def test_entities_are_characters_and_never_expand() -> None:
    assert (
        mathml_to_latex("<math><mi>&alpha;</mi><mo>&le;</mo><mi>b</mi></math>")
        == r"\alpha\leq b"
    )
    assert (
        mathml_to_latex("<math><mo>&lt;</mo><mo>&LT;</mo><mo>&amp;</mo></math>")
        == r"<<\&"
    )
    bomb = (
        '<!DOCTYPE m [<!ENTITY a "xx"><!ENTITY b "&a;&a;">]><math><mi>&b;</mi></math>'
    )
    with pytest.raises(Refusal, match="document type"):
        mathml_to_latex(bomb)
    outside = '<!DOCTYPE m [<!ENTITY a SYSTEM "file:///etc/passwd">]><math><mi>&a;</mi></math>'
    with pytest.raises(Refusal, match="document type"):
        mathml_to_latex(outside)


def nested(depth: int, tag: str = "mrow") -> str:
    """`depth` elements below one another."""
    return (
        f"<math>{f'<{tag}>' * (depth - 2)}<mi>x</mi>{f'</{tag}>' * (depth - 2)}</math>"
    )


def test_depth_and_size_are_bounded() -> None:
    assert mathml_to_latex(nested(MAX_DEPTH)) == "x"
    assert mathml_to_latex(nested(MAX_DEPTH, "msqrt")).count("sqrt") == MAX_DEPTH - 2
    for depth in (MAX_DEPTH + 1, 2_000, 20_000):
        with pytest.raises(Refusal, match="nested deeper"):
            mathml_to_latex(nested(depth))
    with pytest.raises(Refusal, match="elements"):
        mathml_to_latex(f"<math>{'<mi/>' * MAX_NODES}</math>")
    with pytest.raises(Refusal, match="too large"):
        mathml_to_latex(f"<math><mtext>{'x' * MAX_CHARACTERS}</mtext></math>")


HOSTILE = {  # each would take minutes in quadratic time; pytest's own limit stops it
    "open brackets": "<mfrac><mi>a</mi><mi>b</mi></mfrac>" + "<mo>(</mo>" * 45_000,
    "nested brackets": "<mo>(</mo>" * 20_000 + "<msqrt/>" + "<mo>)</mo>" * 20_000,
    "accents": f"<mi>a{chr(0x302) * 300_000}</mi>",
    "powers": f"<mi>{chr(0xB2) * 300_000}</mi>",
    "primes": f"<mi>x{chr(0x2032) * 300_000}</mi>",
    "letters": "<mi>s</mi><mi>i</mi>" * 20_000,
}


@pytest.mark.cpu(60)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_formulas_take_linear_time(name: str) -> None:
    source = f"<math>{HOSTILE[name]}</math>"
    if name == "accents":
        with pytest.raises(Refusal, match="combining marks"):
            mathml_to_latex(source)
    else:
        assert mathml_to_latex(source)


def test_every_element_of_mathml_core_is_known() -> None:
    # https://www.w3.org/TR/mathml-core/, section 1.3, without the children of other elements
    core = (
        "math merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mroot mrow ms mspace"
        " msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics maction"
        " annotation annotation-xml mfenced menclose mglyph"
    )
    assert set(core.split()) <= set(ELEMENTS)


# ------------------------------------------------------------------------------- command and stage
def test_the_command_keeps_order_and_survives_bad_lines() -> None:
    lines = [
        json.dumps({"id": "a", "mathml": "<math><mi>π</mi></math>"}),
        "{broken",
        json.dumps({"id": 2, "mathml": "<math><foo/></math>"}),
        json.dumps({"id": "c"}),
        json.dumps({"id": "d", "html": "<p>x <math><mn>1</mn></math></p>"}),
    ]
    run = subprocess.run(
        [sys.executable, "-m", "benchwright", "convert", "mathml"],
        input="\n".join(lines), capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    out = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.returncode == 1
    assert out[0] == {"id": "a", "latex": r"\pi"}
    assert out[1]["id"] is None
    assert "<stdin>:2" in out[1]["error"]
    assert out[2] == {"id": 2, "error": "unknown element <foo>"}
    assert out[3] == {"id": "c", "error": "no field 'mathml' or 'html' with a text"}
    assert out[4] == {"id": "d", "text": "x $1$"}


def problem(**fields: Any) -> Problem:
    return Problem(
        id="s-1", origin="s-1", source=Source(name="s", raw_id="1"), **fields
    )


def test_the_stage_converts_every_text_of_a_problem() -> None:
    half = "<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>"
    original = problem(
        question=f"Is {half} < 1, $a<b$?", answer=half, solution=f"since {half}",
        options=[Option(label="A", text=half)],
    )  # fmt: skip
    result = mathml_stage(original)
    assert isinstance(result, Problem)
    assert result.question == r"Is $\frac{1}{2}$ < 1, $a<b$?"
    assert (result.answer, result.solution) == (r"\frac{1}{2}", r"since $\frac{1}{2}$")
    assert result.options[0].text == r"$\frac{1}{2}$"
    assert load_stage("mathml").function is mathml_stage


def test_the_stage_drops_a_problem_with_a_refused_formula() -> None:
    result = mathml_stage(problem(question="<math><foo/></math>"))
    assert result == Drop(id="s-1", reason="mathml: question: unknown element <foo>")


def test_stage_notes_an_annotation_that_disagrees() -> None:
    formula = '<math data-latex="x^{3}"><mi>x</mi></math>'
    changed = mathml_stage(problem(question=f"Find {formula}.", answer="1"))
    assert isinstance(changed, Problem)
    assert changed.question == "Find $x$."
    assert [note.startswith("mathml: question: ") for note in changed.notes] == [True]
