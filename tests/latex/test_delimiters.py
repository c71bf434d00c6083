"""The scanner against texts with known formulas, against Mathpix's own renderer, and at random."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.convert.documents.mathpix_renderer import SCRIPT as MATHPIX_SPANS
from benchwright.latex import MATHPIX, PROBLEM_TEXT, Delimiters, maths_spans, outside
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import run_node
from real_data import RealData

CASES = json.loads(Path(__file__).with_name("spans_cases.json").read_text("utf-8"))


def found(text: str, delimiters: Delimiters | None = None) -> list[list[Any]]:
    spans = maths_spans(text, delimiters or MATHPIX)
    return [[s.tex, s.display] for s in spans]


@pytest.mark.parametrize("case", CASES, ids=[c["mmd"][:40] for c in CASES])
def test_known_formulas(case: dict[str, Any]) -> None:
    assert found(case["mmd"]) == case["spans"]


def test_mathpix_itself_finds_the_same() -> None:
    answers = run_node(
        str(MATHPIX_SPANS), [{"id": k, "mmd": c["mmd"]} for k, c in enumerate(CASES)]
    )
    for case, answer in zip(CASES, answers, strict=True):
        theirs = [["".join(s["tex"].split()), s["display"]] for s in answer["spans"]]
        ours = [["".join(tex.split()), display] for tex, display in found(case["mmd"])]
        assert ours == theirs, case["mmd"]


@pytest.mark.parametrize(("file", "share"), [("mmd_exam", 0.999), ("mmd_in", 0.95)])
def test_real_texts(file: str, share: float, data: RealData) -> None:
    """Texts in which either side finds a formula; white space and <math> elements do not count."""
    same = total = 0
    for line in data.whole(f"mmd/{file}.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        gold = [("".join(s["tex"].split()), s["display"]) for s in record["math_spans"]]
        mine = [
            ("".join(s.tex.split()), s.display)
            for s in maths_spans(record["mmd"], MATHPIX)
        ]
        gold, mine = (
            [s for s in spans if not s[0].startswith("<math")] for spans in (gold, mine)
        )
        total += bool(gold or mine)
        same += bool(gold or mine) and gold == mine
    assert total > 90
    assert same >= share * total


def test_tags_of_forums_and_school_sites() -> None:
    text = r"[tex]x[/tex] {tex}\frac{1}{2}{/tex} $latex y$ [math]z[/math], [2, 3] and {4} $latex$"
    assert found(text, PROBLEM_TEXT)[:4] == [
        [tex, False] for tex in ("x", r"\frac{1}{2}", "y", "z")
    ]
    assert (
        "".join(text[a:b] for a, b in outside(text, maths_spans(text)[:4])).count(
            "[2, 3]"
        )
        == 1
    )


def test_other_delimiters() -> None:
    only_brackets = Delimiters(inline=((r"\(", r"\)"),), display=((r"\[", r"\]"),))
    assert found(r"$5 and \(x\) or $6", only_brackets) == [["x", False]]
    docling = Delimiters(inline=(("$`", "`$"),), display=(("$$", "$$"),))
    assert found("a $`x`$ b $$y$$", docling) == [["x", False], ["y", True]]
    plain = Delimiters(environments=False, dollars="any")
    assert found(r"\begin{align}x\end{align} $ y $", plain) == [["y", False]]


PIECES = st.sampled_from(
    ["$", "$$", r"\(", r"\)", r"\[", r"\]", "\\", "`", "```", "\n", "\n\n", "x", "5", " ", "{", "}",
     r"\begin{align}", r"\end{align}", r"\begin{lstlisting}", r"\end{lstlisting}", "![a](b)", "~~~",
     r"\begin{tabular}", "<math>", "</math>", r"\ref{a}", "中", r"\$"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30).map("".join))
@settings(max_examples=1000, deadline=None)
def test_spans_are_disjoint_and_hold_their_text(text: str) -> None:
    spans = maths_spans(text)
    for span in spans:
        assert span.tex == span.tex.strip() or not span.opener
        assert span.tex in text[span.start : span.end]
    stretches = list(outside(text, spans))
    rebuilt = "".join(
        text[start:end] + (text[span.start : span.end] if span else "")
        for (start, end), span in zip(stretches, [*spans, None], strict=True)
    )
    assert rebuilt == text


def test_hopeless_text_is_read_in_linear_steps() -> None:
    """Openers that never close: each kind is looked for once, not once per opener."""
    for opener in (
        "$x ",
        "$5 and ",
        "$ a b\\$",
        "$$x $",
        "\\(",
        "\\begin{align}",
        "`",
        "<math>",
        "```\n",
        "\\begin{lstlisting}",
    ):
        assert len(maths_spans(opener * 20_000)) <= 20_000
