r"""Quizzes that teachers write as text: Aiken and its kin, and exercises of R/exams without R."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright import build_release, look
from benchwright.base.files import read_jsonl
from benchwright.convert.readers import Glance, glance
from benchwright.pipeline import SourceSpec
from small import png

AIKEN = """What is 1 + 1?
A. 1
B) 2
ANSWER: B

Which of these
are even?
a) 2
b) 3
c) 4
Respuesta: A, C
Explicación: they end in 2 and 4.

Which has no option?
A. 5
B. 6
ANSWER: D
"""
CHOICE = """```{r, echo = FALSE, results = "hide"}
x <- 1
```
Question
========
Which is even? ![](a.png)

```{r, echo = FALSE}
include_supplement("a.png")
```

Answerlist
----------
* 3
* 4

Solution
========
Four is `r x + 1` times two.

Meta-information
================
exname: Even
extype: schoice
exsolution: 01
exsection: Numbers/Parity
"""
NUMBER = r"""<<echo=FALSE, results=hide>>=
y <- 2
@
\begin{question}
What is $\sqrt{2}$?
\end{question}
\begin{solution}
About $1.41$.
\end{solution}
%% META-INFORMATION
%% \extype{num}
%% \exsolution{1.41}
%% \exname{Root}
"""
CLOZE = """Question
========
Solve both.

Answerlist
----------
* $x + 1 = 3$
* $y - 1 = 3$

Meta-information
================
extype: cloze
exclozetype: num|num
exsolution: 2|4
"""


def seen(reader: str, folder: Path, path: str, **more: object) -> Glance:
    spec = SourceSpec(name="q", reader=reader, path=path, **more)  # type: ignore[arg-type]
    return glance(spec, folder, folder / "work", 100)


def test_questions_that_end_in_their_answers(tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text(AIKEN)
    found = seen("aiken", tmp_path, "q.txt")
    one, several = found.problems
    assert [option.text for option in one.options] == ["1", "2"]
    assert (one.question, one.answer) == ("What is 1 + 1?", "B")
    assert several.question == "Which of these\nare even?"
    assert (several.answer, several.solution) == ("AC", "they end in 2 and 4.")
    [refused] = found.unreadable
    assert (refused.line, refused.cause) == (
        14,
        "the answer 'D' is none of the options AB",
    )


def test_a_word_of_the_curator_ends_a_question(tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text("Find it.\nA. 1\nB. 2\nZorp: B\n")
    assert not seen("aiken", tmp_path, "q.txt").problems
    told = seen("aiken", tmp_path, "q.txt", roles={"Zorp": "answer"})
    assert [problem.answer for problem in told.problems] == ["B"]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("What?\nA. 1\nB. 2\n", "no line with the answer"),
        ("What?\nANSWER: B\n", "no options before the answer"),
    ],
)
def test_what_is_no_question_is_named(text: str, cause: str, tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text(text)
    [refused] = seen("aiken", tmp_path, "q.txt").unreadable
    assert refused.cause.startswith(cause)


def test_exercises_of_r_without_r(tmp_path: Path) -> None:
    (tmp_path / "1.Rmd").write_text(CHOICE)
    (tmp_path / "2.Rnw").write_text(NUMBER)
    (tmp_path / "3.Rmd").write_text(CLOZE)
    choice, number, cloze = seen("rexams", tmp_path, "*.R*").problems
    assert [(o.text, o.label) for o in choice.options] == [("3", "A"), ("4", "B")]
    assert (choice.answer, choice.solution) == ("B", None)  # which R computes
    assert choice.labels == {"title": "Even", "section": "Numbers/Parity"}
    assert any("the solution is left out: R computes" in note for note in choice.notes)
    assert (number.question, number.answer) == (r"What is $\sqrt{2}$?", "1.41")
    assert (number.solution, number.labels["title"]) == ("About $1.41$.", "Root")
    assert [(part.label, part.answer) for part in cloze.parts] == [
        ("1", "2"),
        ("2", "4"),
    ]
    assert "(2) $y - 1 = 3$" in cloze.question


@pytest.mark.parametrize(
    ("text", "line", "cause"),
    [
        (CHOICE.replace("Which is even?", "Which is `r x`?"), 6, "R computes `r x`"),
        (CHOICE.replace('include_supplement("a.png")', "plot(x)"), 8, "a program of R"),
        (
            CHOICE.replace("exsolution: 01", "exsolution: `r s`"),
            5,
            "exsolution is computed",
        ),
        (
            CHOICE.replace("exsolution: 01", "exsolution: 011"),
            1,
            "exsolution '011' for 2",
        ),
        (CHOICE.replace("schoice", "essay"), 1, "an exercise of type 'essay'"),
        (
            CLOZE.replace("num|num", "num|schoice"),
            1,
            "a cloze with gaps of type schoice",
        ),
        (NUMBER.replace(r"\sqrt{2}", r"\Sexpr{y}"), 5, r"R computes \Sexpr{y"),
    ],
)
def test_an_exercise_that_needs_r_is_named(
    text: str, line: int, cause: str, tmp_path: Path
) -> None:
    (tmp_path / "e.Rmd").write_text(text)
    [refused] = seen("rexams", tmp_path, "e.Rmd").unreadable
    assert refused.cause.startswith(cause)
    assert refused.line == line


def test_from_a_folder_of_quizzes_to_a_release(tmp_path: Path) -> None:
    """`look` knows both by their content, and leaves out what a repository says of itself."""
    raw = tmp_path / "raw"
    raw.mkdir()
    (raw / "quiz.txt").write_text(AIKEN)
    (raw / "root.Rnw").write_text(NUMBER)
    (raw / "README.md").write_text("# Quizzes\n\nHow to use them?\n")
    (raw / "Makefile").write_text("all:\n\techo $(x)\n")
    found = look([raw], tmp_path / "recipe.yaml")
    assert {source.spec.reader: source.count() for source in found.sources} == {
        "aiken": 2,
        "rexams": 1,
    }
    assert [Path(one.file).name for one in found.unrecognised] == ["Makefile"]
    build_release(tmp_path / "recipe.yaml", tmp_path / "out")
    [problems] = (tmp_path / "out").glob("raw-0.1.0/problems/*.jsonl")
    answers = {row["answer"] for row in read_jsonl(problems, Any)}
    assert answers == {"B", "AC", "1.41"}


def test_two_columns_of_answers_and_pictures_in_another_folder(tmp_path: Path) -> None:
    """`look` joins answers that fill each other, and finds where missing pictures lie."""
    rows = [
        {
            "problem_text": f"What is {k} + 1 here?",
            "choice_a": str(k + k % 2),
            "choice_b": str(k + 1 - k % 2),
            "correct_answer": "BA"[k % 2],
            "image": f"static/pictures/{k}.png",
        }
        for k in range(4)
    ]
    rows += [
        {
            "problem_text": f"How many is {k} + 2 here?",
            "answer_type": "numeric",
            "correct_answer_numeric": k + 2,
        }
        for k in range(4)
    ]
    raw = tmp_path / "raw"
    (raw / "shown").mkdir(parents=True)
    (raw / "d.json").write_text(json.dumps(rows))
    for k in range(4):
        (raw / "shown" / f"{k}.png").write_bytes(png(9, 7 + k))
    found = look([raw], tmp_path / "recipe.yaml")
    [source] = found.sources
    assert source.spec.fields["answer"] == "correct_answer || correct_answer_numeric"
    assert "".join(problem.answer for problem in source.problems) == "BABA2345"
    assert [len(problem.images) for problem in source.problems] == [1] * 4 + [0] * 4
