"""What a source says of its own words: `roles:`, read alike by every reader of documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from benchwright import build_release
from benchwright.base.files import read_jsonl
from benchwright.convert.readers import read_sources
from benchwright.errors import UserError
from benchwright.pipeline import Engine, SourceSpec
from benchwright.problem import Problem
from benchwright.words import own_word


def read(folder: Path, **source: Any) -> list[Problem]:
    spec = SourceSpec(**{"name": "s"} | source)
    read_sources([spec], folder, folder / "work", Engine())
    return list(read_jsonl(folder / "work/00-read/problems.jsonl", Problem))


def golds(problems: list[Problem]) -> list[tuple[str, str]]:
    return [(problem.question, problem.answer) for problem in problems]


# words of no language: nobody can have listed them
EXAM = """\
1. Compute $1+1$.

Zorp: 2

Flim 1: Count.

2. Compute $2+3$.

Zorp: 5
"""
TEX = r"""\begin{document}
\begin{quux}{ID-17}{Sums} Compute $1+1$. \gorp{It is two.} \zorp{$2$} \end{quux}
\begin{quux}{ID-18}{Products} Compute $2\cdot 3$. \gorp{It is six.} \zorp{$6$} \end{quux}
\end{document}
"""


def test_a_word_of_an_exam_is_what_the_source_says(tmp_path: Path) -> None:
    (tmp_path / "e.md").write_text(EXAM)
    roles = {"Zorp": "answer", "Flim n": "hint"}
    problems = read(tmp_path, reader="exam", path="e.md", roles=roles)
    assert golds(problems) == [("Compute $1+1$.", "2"), ("Compute $2+3$.", "5")]
    assert problems[0].labels["hint"] == "Count."
    assert own_word("Zorp") == ""  # of this source alone


def test_a_mark_that_is_no_word_opens_an_answer(tmp_path: Path) -> None:
    (tmp_path / "e.md").write_text(EXAM.replace("Zorp:", "▶").replace("Flim 1: ", ""))
    problems = read(tmp_path, reader="exam", path="e.md", roles={"▶": "answer"})
    assert [problem.answer for problem in problems] == ["2", "5"]


def test_commands_and_arguments_of_an_environment(tmp_path: Path) -> None:
    (tmp_path / "m.tex").write_text(TEX)
    roles = {
        r"\gorp": "solution",
        r"\zorp": "answer",
        "quux": {"problem": ["_", "title"]},
    }
    problems = read(tmp_path, reader="tex", path="m.tex", roles=roles)
    assert golds(problems) == [("Compute $1+1$.", "2"), (r"Compute $2\cdot 3$.", "6")]
    assert [problem.labels["title"] for problem in problems] == ["Sums", "Products"]
    assert problems[1].solution == "It is six."


def test_a_file_of_commands_is_one_problem(tmp_path: Path) -> None:
    for name in ("x1", "x2"):
        (tmp_path / f"{name}.tex").write_text(
            rf"\titel{{Sums}}\stufe{{3}}\txt{{Let $a={name[1]}$.}}"
            r"\begin{enumerate}\item \frage{Find $2a$.}\lsg{It is twice.}"
            r"\item \frage{Find $3a$.}\lsg{Thrice.}\end{enumerate}"
        )
    roles = {
        r"\titel": "title", r"\stufe": "labels.grade", r"\txt": "problem",
        r"\frage": "part", r"\lsg": "solution",
    }  # fmt: skip
    problems = read(tmp_path, reader="tex", path="x*.tex", roles=roles, rows="@")
    assert [problem.id for problem in problems] == ["s-x1", "s-x2"]
    assert problems[0].question == "Let $a=1$.\n(1) Find $2a$.\n(2) Find $3a$."
    assert problems[0].labels == {"title": "Sums", "grade": 3}
    assert problems[0].solution == "It is twice.\n\nThrice."


def test_a_column_is_what_the_source_says(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Zorp,Quux,Thema\n2,Compute 1+1.,sums\n")
    roles = {"Zorp": "answer", "Quux": "problem", "Thema": "labels.topic"}
    problems = read(tmp_path, reader="table", path="t.csv", roles=roles)
    assert golds(problems) == [("Compute 1+1.", "2")]
    assert problems[0].labels == {"topic": "sums"}


def test_what_the_source_says_goes_before_what_languages_say(tmp_path: Path) -> None:
    (tmp_path / "e.md").write_text(EXAM.replace("Zorp:", "Lösung:"))
    (said,) = {p.answer for p in read(tmp_path, reader="exam", path="e.md")[:1]}
    problems = read(tmp_path, reader="exam", path="e.md", roles={"Lösung": "solution"})
    assert [problem.solution for problem in problems][1] == "5"
    assert (said, problems[1].answer) == ("2", "")


@pytest.mark.parametrize(
    ("roles", "told"),
    [
        ("{Facit: answer, facit: solution}", "is the same word as 'Facit'"),
        ("{Facit: answr}", "did you mean 'answer'"),
        ("{exercise: {problem: [_], answer: [_]}}", "say one role"),
        ("{exercise: {problem: title}}", r"list them: \{problem: \[_, title\]\}"),
    ],
)
def test_roles_that_cannot_be_meant_are_told_with_their_line(
    roles: str, told: str, tmp_path: Path
) -> None:
    (tmp_path / "e.md").write_text(EXAM)
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        "name: n\nversion: 1.0.0\nsources:\n- name: s\n  reader: exam\n"
        f"  path: e.md\n  license: MIT\n  roles: {roles}\n"
    )
    with pytest.raises(UserError, match=rf"recipe\.yaml:8: .*{told}"):
        build_release(recipe, tmp_path / "out")


@pytest.mark.parametrize(
    ("signs", "behind"),
    [(("a)", "b)"), ""), (("(i)", "(ii)"), ""), (("(1)", "(2)"), "\n\nAnswer: 7")],
)
def test_parts_with_their_own_answers(
    signs: tuple[str, str], behind: str, tmp_path: Path
) -> None:
    one, two = signs
    body = (
        f"Let $a=2$.\n\n{one} Find $2a$.\n\nAnswer: 4\n\n{two} Find $3a$.\n\nAnswer: 6"
    )
    (tmp_path / "e.md").write_text(f"1. {body}\n\n2. Compute $1+6$.\n\nAnswer: 7\n")
    first, second = read(tmp_path, reader="exam", path="e.md")
    assert [part.answer for part in first.parts] == ["4", "6"]
    assert (first.answer, second.answer) == ("(1) 4 (2) 6", "7")
    assert first.question == f"Let $a=2$.\n\n{one} Find $2a$.\n\n{two} Find $3a$."


def test_a_key_answers_parts_by_their_labels(tmp_path: Path) -> None:
    text = "1. Let $a=2$. Find\n(a) $2a$\n(b) $3a$\n\n2. Compute $1+6$.\n\n"
    (tmp_path / "e.md").write_text(f"{text}Answers\n\n1. (a) 4 (b) 6\n2. 7\n")
    first, _ = read(tmp_path, reader="exam", path="e.md")
    assert [part.answer for part in first.parts] == ["4", "6"]


def test_a_class_of_a_page_is_what_the_source_says(tmp_path: Path) -> None:
    items = "".join(
        f'<div class="q big"><p>How much is $x+1$ for $x={k}$?</p></div>'
        f'<div class="r" style="display:none">{k + 1}</div>'
        f'<p class="w">It is easy.</p><p class="ad">Buy now</p>'
        for k in (1, 2, 3)
    )
    page = f"<html><body><h1>Sums</h1>{items}</body></html>"
    (tmp_path / "p.html").write_text(page)
    roles = {".q": "problem", ".r": "answer", ".w": "solution", ".ad": "outside"}
    problems = read(tmp_path, reader="exam", path="p.html", roles=roles)
    assert golds(problems) == [
        (f"How much is $x+1$ for $x={k}$?", f"{k + 1}") for k in (1, 2, 3)
    ]
    assert [problem.solution for problem in problems] == ["It is easy."] * 3


QTI = """<assessmentItem identifier="i1" title="T">
<responseDeclaration identifier="R" cardinality="single" baseType="string">
<correctResponse><value>2</value></correctResponse></responseDeclaration>
<itemBody><p>Find 1+1.</p><div class="tipp">Count.</div>
<textEntryInteraction responseIdentifier="R"/></itemBody></assessmentItem>"""
CNXML = """<document><content><exercise id="e"><problem><para>Find 1+1.</para>
<note class="tipp">Count.</note></problem><solution><para>2</para></solution></exercise>
</content></document>"""
POSTS = """<posts><row Id="1" PostTypeId="1"
 Body="&lt;p&gt;Find 1+1.&lt;/p&gt;&lt;div class='tipp'&gt;Count.&lt;/div&gt;"/></posts>"""


@pytest.mark.parametrize(
    ("reader", "text"), [("qti", QTI), ("cnxml", CNXML), ("stackexchange", POSTS)]
)
def test_classes_have_roles_wherever_html_is_read(
    reader: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / "d.xml").write_text(text)
    [plain] = read(tmp_path, reader=reader, path="d.xml")
    assert "Count." in plain.question
    [said] = read(tmp_path, reader=reader, path="d.xml", roles={".tipp": "hint"})
    assert said.labels["hint"] == "Count."
    assert "Count." not in said.question
