"""What renderers refuse is told alike: KaTeX is the oracle, over real and over broken formulas."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from benchwright.latex import TOKEN, fault_of, maths_spans, syntax
from oracles import npm_file, run_node
from real_data import RealData

BROKEN = {
    r"\frac{1}{2": "brace", "x^2^3": "superscripts", "x_1_2": "subscripts", r"\left( x": "right",
    r"x \right)": "left", r"\frac{1}": "argument", r"\sqrt{": "brace", "a & b": "&", "x}": "brace",
    r"\begin{cases}x\\y": "end", r"\begin{matrix}1&2\end{array}": "array", r"\text{a^2}": r"\^",
    r"A\Parallel B": "Parallel", r"\begin{tabu}a\end{tabu}": "tabu", "\ue123": "ue123",
    r"\hline x": "hline", r"x\limits_1": "limits", r"\text{a $x}": r"\$", r"\kern 3zz": "size",
    r"\sqrt\sqrt 2": "braces", r"{a \over b \over c}": "second", r"\textcolor{#12}{a}": "colour",
    r"\begin{array}{lxr}a\end{array}": "columns", r"\left x\right)": "delimiter",
}  # fmt: skip
SOUND = (
    r"\frac12", r"\sqrt[3]{8}", r"{n \choose 2}", r"\left. x \right|_0^1", r"\text{if } x<0",
    r"\substack{i<n\\j<n}", r"\tg x", r"f''(x)^2", r"x² + y₁", r"\sum\limits_{i}", "求 x", "%a\nx",
    r"\begin{array}{|c|l:r|}\hline a & b & c \\[6pt] \hline\end{array}", r"\text{so $x^2$}",
    r"\operatorname*{arg}\limits_x", r"\hspace{1em}\kern3pt", r"20\%", r"x^\frac12",
    r"\newcommand{\a}{b}\a",
)  # fmt: skip


@pytest.mark.parametrize(("tex", "told"), BROKEN.items())
def test_what_nobody_sets_is_told_with_its_cause(tex: str, told: str) -> None:
    assert re.search(told, fault_of(tex))


@pytest.mark.parametrize("tex", SOUND)
def test_what_is_set_is_not_told(tex: str) -> None:
    assert fault_of(tex) == ""


def test_displays_are_for_formulas_in_lines_of_their_own() -> None:
    tex = r"\begin{align}a&=b\end{align}"
    assert (fault_of(tex, display=True), fault_of(tex)) == (
        "",
        "align in a line of text",
    )


def test_work_is_bounded() -> None:
    assert "deep" in fault_of("{" * 5000 + "x" + "}" * 5000)
    assert "deep" in fault_of(r"\frac{" * 500 + "x" + "}" * 500 + "}{1}" * 0)
    assert "limit" in fault_of("^{x}" * 10_000)


def changed(tex: str, rng: random.Random) -> str:
    """The formula with one token gone, twice, or another in its place."""
    tokens = TOKEN.findall(tex)
    at = rng.randrange(len(tokens))
    others = [
        "{",
        "}",
        "^",
        "&",
        r"\\",
        r"\left",
        r"\right)",
        "'",
        r"\limits",
        "#",
        r"\frac",
        r"\over",
    ]
    new = rng.choice([[], [tokens[at]] * 2, [tokens[at], rng.choice(others)]])
    return "".join([*tokens[:at], *new, *tokens[at + 1 :]])


def test_katex_refuses_the_same(data: RealData) -> None:
    """Real formulas and their damaged twins: refusals told 97 %, alone fewer than 1 %."""
    rng = random.Random(1)
    lines = data.math_v("test.jsonl").read_text("utf-8").splitlines()
    texts = [json.loads(line)["question"] for line in lines]
    spans = {(s.tex, s.display) for text in texts for s in maths_spans(text)}
    real = [{"tex": tex, "display": display} for tex, display in sorted(spans)]
    rows = real + [{**row, "tex": changed(str(row["tex"]), rng)} for row in real]
    rows += [{"tex": tex, "display": False} for tex in (*BROKEN, *SOUND)]
    said = run_node("katex_says.mjs", rows)
    refused = [bool(one["refusal"]) for one in said]
    told = [bool(fault_of(str(r["tex"]), bool(r["display"]))) for r in rows]
    both = sum(a and b for a, b in zip(refused, told, strict=True))
    assert sum(refused) > len(real) / 10
    assert both >= 0.97 * sum(refused)
    assert sum(told) - both <= 0.01 * len(rows)


def test_the_table_is_of_the_katex_that_is_installed() -> None:
    package = json.loads(npm_file("katex/package.json").read_text("utf-8"))
    table = json.loads(Path(syntax.__file__).with_name("katex.json").read_text("utf-8"))
    assert table["version"] == package["version"]
