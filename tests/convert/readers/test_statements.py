"""Statements to mark as right or wrong are parts; quizzes of LaTeX packages are problems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from benchwright.convert.documents import eq_latex
from benchwright.convert.readers import glance
from benchwright.errors import UserError
from benchwright.pipeline import SourceSpec
from benchwright.problem import Problem


def read(folder: Path, name: str, text: str, **source: Any) -> list[Problem]:
    (folder / name).write_text(text)
    spec = SourceSpec(name="s", path=name, **source)
    (folder / "work").mkdir()
    return glance(spec, folder, folder / "work", 50).problems


def document(body: str) -> str:
    return "\\documentclass{article}\\begin{document}" + body + "\\end{document}"


def parts(problem: Problem) -> list[str]:
    return [part.answer for part in problem.parts]


def test_statements_of_latex(tmp_path: Path) -> None:
    text = document(
        r"\begin{ex} Which hold? \choiceTF{\True $1+1=2$.}{$2$ is odd.}{\True $3>2$.}{$3<2$.}"
        r"\end{ex}"
    )
    [problem] = read(tmp_path, "m.tex", text, reader="tex")
    assert parts(problem) == ["true", "false", "true", "false"]
    assert problem.answer == "(1) true (2) false (3) true (4) false"
    assert "(b) $2$ is odd." in problem.question
    assert not problem.options


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        ("(1) $2>1$ (True)\n\n(2) $1>2$ (False)", ["True", "False"]),
        ("(1) $1+1=2$ (√) (2) $2<1$ (×)", ["true", "false"]),
        ("a) $2>1$ (đúng)\n\nb) $1>2$ (sai)", ["đúng", "sai"]),
        ("a) $2>1$ (why?)\n\nb) $1>2$ (False)", []),
    ],
)
def test_statements_of_an_exam(
    statements: str, said: list[str], tmp_path: Path
) -> None:
    text = f"1. Right or wrong?\n\n{statements}\n\n2. Find $1+1$.\n\nAnswer: 2\n"
    problem, other = read(tmp_path, "e.md", text, reader="exam")
    assert parts(problem) == said
    assert other.answer == "2"
    assert bool(said) != ("False" in problem.question)
    assert not any("text-lost" in note for note in problem.notes)


def test_statements_of_records(tmp_path: Path) -> None:
    text = (
        '[{"question": "Which hold?", "parts": [{"text": "$1=1$", "correct": true},'
        ' {"text": "$2=1$", "correct": false}]}]'
    )
    [problem] = read(tmp_path, "d.json", text, reader="jsonl")
    assert problem.question == "Which hold?\n(1) $1=1$\n(2) $2=1$"
    assert parts(problem) == ["true", "false"]


def test_a_quiz_of_moodle_sty(tmp_path: Path) -> None:
    text = document(
        r"""\begin{quiz}{My quiz}
        \begin{multi}[points=2]{First} What is $1+1$? \item 1 \item* 2 \item 3 \end{multi}
        \begin{numerical}[tolerance=0.1]{Second} What is $\pi$? \item 3.14 \end{numerical}
        \begin{shortanswer}{Third} Capital of France? \item Paris \item paris \end{shortanswer}
        \begin{multi}[multiple]{Fourth} Which are even? \item* 2 \item 3 \item* 4 \end{multi}
        \begin{matching}{Fifth} Match. \item a \answer 1 \item b \answer 2 \end{matching}
        \begin{cloze}{Sixth} $1+1=$ \begin{numerical} \item 2 \end{numerical} and
          $2+2=$ \begin{numerical} \item 4 \end{numerical} \end{cloze}
        \end{quiz}"""
    )
    problems = read(tmp_path, "m.tex", text, reader="tex")
    assert [problem.answer for problem in problems] == [
        "B", "3.14", "Paris", "AC", "(1) 2 (2) 4",
    ]  # fmt: skip
    assert [problem.labels["title"] for problem in problems] == [
        "First", "Second", "Third", "Fourth", "Sixth",
    ]  # fmt: skip


def test_a_quiz_of_exerquiz(tmp_path: Path) -> None:
    text = document(
        r"""\begin{shortquiz}\begin{questions}
        \item Find $1+1$. \begin{answers}{3}\Ans0 1 & \Ans1 2 & \Ans0 3\end{answers}
        \item Find $2+1$. \begin{manswers}{2}\bChoices \Ans0 1\eAns \Ans1 3\eAns
          \Ans1 6/2\eAns\eChoices\end{manswers}
        \item Derive $x^2$. \RespBoxMath{2*x}{4}{.0001}{[2,4]}
          \begin{solution} Power rule. \end{solution}
        \end{questions}\end{shortquiz}"""
    )
    problems = read(tmp_path, "m.tex", text, reader="tex")
    assert [problem.answer for problem in problems] == ["B", "BC", "2*x"]
    assert [option.text for option in problems[1].options] == ["1", "3", "6/2"]
    assert problems[2].solution == "Power rule."


def test_a_document_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    for k in (1, 2, 3):
        body = f"\\begin{{problem}} Find ${k}+1$. \\end{{problem}}"
        (tmp_path / f"p/p{k}.tex").write_text(body)
    inputs = "".join(f"\\input{{p/p{k}}}\n" for k in (1, 2, 3))
    (tmp_path / "main.tex").write_text(document(inputs))
    work = tmp_path / "work"
    work.mkdir()
    spec = SourceSpec(name="s", path="**/*.tex", reader="tex")
    found = glance(spec, tmp_path, work, 50).problems
    assert sorted(p.question for p in found) == [f"Find ${k}+1$." for k in (1, 2, 3)]


@pytest.mark.parametrize(
    ("heads", "sections"),
    [
        (("計算問題", "文章題"), ["計算問題", "文章題"]),
        (("[객관식]", "서술형"), ["[객관식]", "서술형"]),
        (("选择题（每题5分）", "解答题"), ["选择题（每题5分）", "解答题"]),
    ],
)
def test_heads_of_sections(
    heads: tuple[str, str], sections: list[str], tmp_path: Path
) -> None:
    first, second = heads
    text = f"{first}\n\n1. $1+1$ ?\n\n2. $2+1$ ?\n\n{second}\n\n3. $x+1=2$ ?\n\n4. $x+2=4$ ?\n"
    problems = read(tmp_path, "e.md", text, reader="exam")
    assert [p.labels["section"] for p in problems] == [
        s for s in sections for _ in "ab"
    ]
    assert problems[1].question == "$2+1$ ?"


@pytest.mark.parametrize(
    ("field", "latex"),
    [
        (r"EQ \f(1,2)", r"\frac{1}{2}"),
        (r"EQ \f(1+\r(2),3)", r"\frac{1+\sqrt{2}}{3}"),
        (r"eq \r(3,x)", r"\sqrt[3]{x}"),
        (r"EQ \f(1,5;2)", r"\frac{1,5}{2}"),
        (r"EQ x\s\up5(2)+y\s\do3(1)", "x^{2}+y_{1}"),
        (r"EQ \i\su(k=1,n,k)", r"\sum_{k=1}^{n} k"),
        (
            r"EQ \b\lc\{(\a\al(x=1,y=2))",
            r"\left\{\begin{matrix}x=1 \\ y=2\end{matrix}\right.",
        ),
    ],
)
def test_fields_that_draw_formulas(field: str, latex: str) -> None:
    assert eq_latex(field) == latex


@pytest.mark.parametrize("field", [r"EQ \q(1)", r"EQ \f(1", "EQ " + r"\r(" * 30])
def test_fields_that_are_none(field: str) -> None:
    with pytest.raises(UserError):
        eq_latex(field)


def test_a_question_whose_parameters_are_drawn_is_named(tmp_path: Path) -> None:
    text = document(
        r"""\begin{quiz}{Calculated}
        \begin{numerical}{Sum} What is ${a}+{b}$? \item {a}+{b} \end{numerical}
        params\\
        a: range(9)\\
        b: 1,2\\
        \begin{numerical}{Fixed} What is $1+1$? \item 2 \end{numerical}
        \end{quiz}"""
    )
    [problem] = read(tmp_path, "m.tex", text, reader="tex")
    assert problem.question == "What is $1+1$?"


def test_a_program_that_writes_the_questions_is_named(tmp_path: Path) -> None:
    text = document(
        r"""\begin{questions} \question What is $1+1$? \answer{2} \end{questions}
        \begin{python}
        print(r"\question $" + str(x) + "$?")
        \end{python}"""
    )
    [problem] = read(tmp_path, "m.tex", text, reader="tex")
    assert (problem.question, problem.answer) == ("What is $1+1$?", "2")
