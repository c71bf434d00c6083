"""Cards of samples: evidence is found where the answer stands, gold and spans are told."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from benchwright.pages import Mark, card_of, reply, rich
from benchwright.pages import page as page_module
from benchwright.problem import Option, Part, Problem, Span
from real_data import RealData
from small_releases import make_sample

PAGES = page_module.TEMPLATES


@pytest.mark.parametrize(
    ("text", "extracted", "place"),
    [
        ("A or B. So (B).", "B", (12, 13)),
        ("Bob chose C", "B", None),
        ("12, then 2.", "2", (9, 10)),
        ("The answer is $\\frac12$.", "$\\frac12$", (14, 23)),
        ("It is seven.", "A", (6, 11)),  # by the option's text
        ("nothing", None, None),
    ],
)
def test_evidence_is_coloured_where_it_stands_last(
    text: str, extracted: str | None, place: tuple[int, int] | None
) -> None:
    options = [Option(label="A", text="seven"), Option(label="B", text="eight")]
    start, end = place or (0, 0)
    pieces = [text[:start], text[start:end], text[end:]] if place else [text]
    assert reply(text, extracted, options) == [{"u": pieces}]


@pytest.mark.skipif(not shutil.which("node"), reason="node runs the page's script")
def test_the_page_cuts_replies_as_problems_are_cut(
    data: RealData, tmp_path: Path
) -> None:
    """Formulas of MATH-V's published replies; in every other the place of a letter is coloured."""
    path = next(data.math_v("outputs").glob("*CoT*.jsonl"))
    lines = path.read_text("utf-8").splitlines()
    texts = [json.loads(line)["response"] for line in lines]
    texts += [r"Costs $5 and $6, so \(x^2\) is \boxed{12 cm}.", r"\[ a" * 2000]
    places = [text.rfind("B") if k % 2 else -1 for k, text in enumerate(texts)]
    expected = [
        rich(text, [Mark(at, at + 1, "evidence")] if at >= 0 else [])
        for text, at in zip(texts, places, strict=True)
    ]
    pieces = [
        [text[:at], text[at], text[at + 1 :]] if at >= 0 else [text]
        for text, at in zip(texts, places, strict=True)
    ]
    script = (PAGES / "viewer.js").read_text("utf-8")
    start = script.index("  const CLOSERS")
    cut = script[start : script.index("  // A text of very many parts")]
    (tmp_path / "rows.json").write_text(json.dumps(pieces), "utf-8")
    run = """
        const rows = JSON.parse(require("fs").readFileSync("rows.json", "utf8"));
        console.log(JSON.stringify(rows.map((u) => looked([{ u }]))));
    """
    done = subprocess.run(
        ["node", "-e", cut + run],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        timeout=60,
    )
    found = json.loads(done.stdout)
    same = [
        parts == ([text] if text and isinstance(text, str) else text or [])
        for parts, text in zip(found, expected, strict=True)
    ]
    assert sum(same) >= 0.99 * len(texts)
    assert same[-2:] == [True, True]


def test_several_letters_and_parts_are_told() -> None:
    several = make_sample("a-1", "BD", options={"A": "1", "B": "2", "D": "3"})
    several.answer_kind = "choices"
    assert card_of(several, {}).gold == ["B", "D"]
    parts = make_sample(
        "a-2", "", parts=[Part(label="1", answer="3"), Part(label="2", answer="x")]
    )
    parts.answer_kind = "parts"
    assert card_of(parts, {}).rows == [("answer (1)", "3"), ("answer (2)", "x")]


def test_withheld_answers_are_said_to_be() -> None:
    assert card_of(make_sample("a-1", None), {}).rows == [("gold", "withheld")]


def test_spans_colour_only_the_question_they_were_marked_in() -> None:
    sample = make_sample("a-1", question="AB is 3.")
    problem = Problem(
        id="a-1", origin="a-1", source=sample.source, question="AB is 3.",
        spans=[Span(start=0, end=2, role="DI"), Span(start=6, end=7, role="EC")],
    )  # fmt: skip
    assert card_of(sample, {}, problem).question == [
        {"m": "DI", "p": ["AB"]}, " is ", {"m": "EC", "p": ["3"]}, ".",
    ]  # fmt: skip
    sample.question = "3?"
    assert card_of(sample, {}, problem).question == "3?"


def test_a_condition_stands_before_its_question() -> None:
    sample = make_sample(
        "a-1", question="Its area?", condition="A square has side $2$."
    )
    assert card_of(sample, {}).question == [
        "A square has side ",
        {"f": "2"},
        ". Its area?",
    ]


def test_roles_colour_every_version_that_keeps_their_words() -> None:
    """MathVerse, figure 2: what a version keeps of DI, IP and EC has their colours there, too."""
    question = "As shown, DE is parallel to BC, and A = 80. Find B."
    spans = [Span(start=0, end=9, role="DI"), Span(start=10, end=30, role="IP"),
             Span(start=36, end=42, role="EC")]  # fmt: skip
    problem = Problem(id="a-1", origin="a-1", source=make_sample("a-1").source,
                      question=question, spans=spans)  # fmt: skip
    lite = make_sample(
        "a-1.text_lite", question="DE is parallel to BC, and A = 80. Find B."
    )
    dominant = make_sample(
        "a-1.vision_dominant", question="DE is parallel to BC. Find B."
    )
    marks = [Mark(0, 20, "IP"), Mark(26, 32, "EC")]
    assert card_of(lite, {}, problem).question == rich(lite.question, marks)
    assert card_of(dominant, {}, problem).question == rich(
        dominant.question, [Mark(0, 20, "IP")]
    )
