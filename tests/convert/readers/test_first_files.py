"""Files as strangers hand them over, from a look to problems that hold what stands in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright import build_release, check_recipe, look
from benchwright.base.files import read_jsonl
from benchwright.errors import UserError
from benchwright.problem import Problem
from small import write_recipe

NUMBERS = range(1, 6)


def recipe(folder: Path, stages: list[str] | None = None, **source: Any) -> Path:
    data = {
        "name": "small",
        "version": "1.0.0",
        "sources": [{"name": "s", "license": "MIT"} | source],
        "stages": stages or ["check"],
    }
    return write_recipe(folder / "recipe.yaml", data)


def built(path: Path) -> list[Problem]:
    out = path.parent / "out"
    build_release(path, out)
    last = sorted((out / "work").glob("[0-9]*/problems.jsonl"))[-1]
    return list(read_jsonl(last, Problem))


def looked(folder: Path, *files: str) -> list[Problem]:
    """The problems of the recipe that a look at files writes."""
    look([folder / file for file in files], folder / "recipe.yaml")
    return built(folder / "recipe.yaml")


def printed(path: Path) -> list[str]:
    return [finding.remedy for finding in check_recipe(path).findings]


def test_xml_of_its_own_is_records(tmp_path: Path) -> None:
    problems = "".join(
        f'<Problem ID="p-{k}"><Body>There are {k} red and 2 green apples.</Body>'
        f"<Question>How many apples are there?</Question><Type>Sum</Type>"
        f"<Answer>{k + 2}</Answer></Problem>"
        for k in NUMBERS
    )
    (tmp_path / "set.xml").write_text(f"<Corpus><Set>{problems}</Set></Corpus>")
    made = looked(tmp_path, "set.xml")
    assert [p.id for p in made] == [f"set-p-{k}" for k in NUMBERS]
    assert made[0].question == (
        "There are 1 red and 2 green apples.\n\nHow many apples are there?"
    )
    assert [p.answer for p in made] == ["3", "4", "5", "6", "7"]


def test_xml_says_where_its_rows_are(tmp_path: Path) -> None:
    text = '<set><one><c q="1+1?" k="2"/></one><one><c q="2+2?" k="4"/></one></set>'
    (tmp_path / "d.xml").write_text(text)
    fields = {"question": "q", "answer": "k"}
    source = {"reader": "xml", "path": "d.xml", "fields": fields}
    made = built(recipe(tmp_path, **source, rows="one[].c"))
    assert [(p.question, p.answer) for p in made] == [("1+1?", "2"), ("2+2?", "4")]
    assert any("leads to no row" in f.what for f in check_recipe(
        recipe(tmp_path, **source, rows="x[].c")
    ).findings)  # fmt: skip


def test_xml_with_entities_unfolds_nothing(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;&x;">]><a><b>&z;</b></a>'
    (tmp_path / "d.xml").write_text(bomb)
    found = check_recipe(recipe(tmp_path, reader="xml", path="d.xml")).findings
    assert not any("yyy" in finding.what for finding in found)


def test_what_stands_in_front_of_a_question_is_proposed(tmp_path: Path) -> None:
    rows = [
        {"ID": k, "Body": f"Ann has {k} nuts and Bo has 3.", "Question": "How many in all?",
         "Answer": k + 3, "Type": "sum"}
        for k in NUMBERS
    ]  # fmt: skip
    (tmp_path / "d.json").write_text(json.dumps(rows))
    [line] = [p for p in printed(recipe(tmp_path, reader="jsonl", path="d.json"))
              if p.startswith("fields:")]  # fmt: skip
    assert yaml.safe_load(line)["fields"]["question"] == "Body,Question"
    (tmp_path / "recipe.yaml").unlink()
    assert looked(tmp_path, "d.json")[1].question == (
        "Ann has 2 nuts and Bo has 3.\n\nHow many in all?"
    )


def test_questions_of_a_quiz_are_no_options_of_its_title(tmp_path: Path) -> None:
    def answers(k: int) -> list[dict[str, Any]]:
        return [{"text": str(k + j), "correct": j == k % 3} for j in range(3)]

    questions = [
        {"text": f"What is ${k}+{k % 3}$?", "answers": answers(k), "points": 1}
        for k in NUMBERS
    ]
    quiz = {
        "title": "First quiz",
        "settings": {"shuffle": True},
        "questions": questions,
    }
    (tmp_path / "quiz.json").write_text(json.dumps(quiz))
    made = looked(tmp_path, "quiz.json")
    assert [p.question for p in made] == [q["text"] for q in questions]
    assert [p.answer for p in made] == ["B", "C", "A", "B", "C"]


CLASSED = (
    '<p class=big>Find $0<x<1$ with {k}.</p><div class="big rettsvar"><div>{k}</div></div>'
    "<p class=fot>page 3</p>"
)


def test_classes_of_a_field_have_roles(tmp_path: Path) -> None:
    rows = [{"id": k, "question": CLASSED.replace("{k}", str(k))} for k in NUMBERS]
    (tmp_path / "d.json").write_text(json.dumps(rows))
    source = {"reader": "jsonl", "path": "d.json"}
    lines = printed(recipe(tmp_path, ["html", "check"], **source))
    assert "roles: {.rettsvar: answer}" in lines
    roles = {".rettsvar": "answer", ".fot": "outside"}
    made = built(recipe(tmp_path, ["html", "check"], **source, roles=roles))
    assert [(p.question, p.answer) for p in made] == [
        (f"Find $0<x<1$ with {k}.", str(k)) for k in NUMBERS
    ]
    assert not any(note.startswith("lost-text") for p in made for note in p.notes)


def test_classes_of_a_bank_have_roles(tmp_path: Path) -> None:
    question = (
        '<question type="shortanswer"><name><text>n</text></name><questiontext format="html">'
        '<text><![CDATA[<p>1+1?</p><p class="losning">Count.</p>]]></text></questiontext>'
        '<answer fraction="100"><text>2</text></answer></question>'
    )
    (tmp_path / "bank.xml").write_text(f"<quiz>{question}</quiz>")
    source = {"reader": "moodle", "path": "bank.xml", "roles": {".losning": "solution"}}
    [problem] = built(recipe(tmp_path, **source))
    assert (problem.question, problem.answer) == ("1+1?", "2")
    assert problem.solution == "Count."


def test_headings_that_say_no_role_are_printed(tmp_path: Path) -> None:
    for k in NUMBERS:
        (tmp_path / f"p{k}.md").write_text(
            f"# Sums {k}\n\nFind ${k}+1$.\n\n## Gangen\n\nOne counts on from there, once.\n\n"
            f"## Rettsvar\n\n{k + 1}\n"
        )
    source = {"reader": "markdown", "path": "p*.md"}
    lines = [one for one in printed(recipe(tmp_path, **source)) if "roles" in one]
    roles = yaml.safe_load(lines[-1])["roles"]
    assert roles == {"Gangen": "solution", "Rettsvar": "answer"}
    made = built(recipe(tmp_path, **source, roles=roles))
    assert [(p.question, p.answer) for p in made] == [
        (f"Find ${k}+1$.", str(k + 1)) for k in NUMBERS
    ]


def test_an_exercise_of_r_exams(tmp_path: Path) -> None:
    (tmp_path / "cities.Rmd").write_text(
        "```{r, include = FALSE}\nset.seed(1)\n```\n\nQuestion\n========\nWhich is even?\n\n"
        "Answerlist\n----------\n* 3\n* 4\n* 5\n\nSolution\n========\nFour is.\n\n"
        "Meta-information\n================\nexname: even\nextype: schoice\nexsolution: 010\n"
    )
    (tmp_path / "made.Rmd").write_text("Question\n========\nWhat is `r a` + 1?\n")
    source = {
        "reader": "markdown",
        "path": "*.Rmd",
        "roles": {"Answerlist": "option"},
        "fields": {"answer": "exsolution", "labels.name": "exname"},
    }
    path = recipe(tmp_path, **source)
    [problem] = built(path)
    assert problem.question == "Which is even?"
    assert [option.text for option in problem.options] == ["3", "4", "5"]
    assert (problem.answer, problem.labels["name"]) == ("B", "even")
    [what] = [f.what for f in check_recipe(path).findings if "computed" in f.what]
    assert "made.Rmd:3" in what


@pytest.mark.parametrize(
    ("name", "content", "reader", "remedy"),
    [
        ("e.pdf", b"%PDF-1.4\n", "exam", "convert pdf"),
        ("e.md", b"id,question,answer\n1,1+1?,2\n2,2+2?,4\n", "exam", "reader: table"),
        ("d.xml", b"<s><t><q>1+1?</q></t><t><q>2?</q></t></s>", "jsonl", "reader: xml"),
        ("d.jsonl", b"export const q = [\n{q: '1'},\n];\n", "jsonl", "as JSON"),
        ("d.csv", b"\x80\x04\x95abc\x00", "table", "as CSV or JSON"),
    ],
)  # fmt: skip
def test_the_wrong_reader_is_told_the_right_one(
    name: str, content: bytes, reader: str, remedy: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    said = printed(recipe(tmp_path, reader=reader, path=name))
    assert any(remedy in one for one in said)


def test_a_role_of_a_word_that_stands_nowhere_is_told(tmp_path: Path) -> None:
    (tmp_path / "e.md").write_text(
        "1. Find $1+1$.\n\nAnswer: 2\n\n2. Find $2+2$.\n\nAnswer: 4\n"
    )
    source = {"reader": "exam", "path": "e.md", "roles": {"Fasitt": "answer"}}
    found = check_recipe(recipe(tmp_path, **source)).findings
    assert any("'Fasitt'" in finding.what for finding in found)


def test_a_key_is_named_from_the_recipe_or_the_exam(tmp_path: Path) -> None:
    (tmp_path / "exams").mkdir()
    (tmp_path / "keys").mkdir()
    (tmp_path / "exams/e.md").write_text("1. Find $1+1$.\n\n2. Find $2+2$.\n")
    (tmp_path / "keys/k.md").write_text("1. 2\n2. 4\n")
    source = {"reader": "exam", "path": "exams/e.md"}
    made = built(recipe(tmp_path, **source, options={"key": "keys/k.md"}))
    assert [p.answer for p in made] == ["2", "4"]


BANK = """- &first
  question: What is $1+1$?
  choices: ['1', '2']
  answer: B
- question: What is $2+2$?
  choices: ['4', '5']
  answer: A
"""


def test_a_bank_in_yaml(tmp_path: Path) -> None:
    (tmp_path / "q.yaml").write_text(BANK)
    source = {"reader": "jsonl", "path": "q.yaml", "fields": {"options": "choices"}}
    assert [p.answer for p in built(recipe(tmp_path, **source))] == ["B", "A"]
    [seen] = look([tmp_path / "q.yaml"]).sources
    assert (seen.what, seen.count()) == ("records in YAML", 2)


def test_yaml_that_unfolds_is_refused(tmp_path: Path) -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 10)}]" for k in range(1, 9)]
    (tmp_path / "q.yaml").write_text("\n".join(rows))
    found = check_recipe(recipe(tmp_path, reader="jsonl", path="q.yaml")).findings
    assert any("more than 1,000,000 values" in finding.what for finding in found)


@pytest.mark.parametrize(
    ("source", "file", "text", "remedy"),
    [
        (
            {"path": "dd.csv", "reader": "table"},
            "d.csv",
            "question,answer\n1+1?,2\n",
            "did you mean 'd.csv'?",
        ),
        (
            {"path": "i.xml", "reader": "qti"},
            "i.xml",
            "<assessmentItem identifier='i'><itemBody><p>1?</p></itemBody></assessmentItem>",
            "dropped.jsonl",
        ),
        (
            {"path": "a.tex", "reader": "tex"},
            "a.tex",
            b"\\begin{document}\xe9\\end{document}",
            "iconv",
        ),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_what_mends_it(
    source: dict[str, object], file: str, text: str | bytes, remedy: str, tmp_path: Path
) -> None:
    (tmp_path / file).write_bytes(text if isinstance(text, bytes) else text.encode())
    found = check_recipe(recipe(tmp_path, **source)).findings
    assert any(remedy in finding.remedy for finding in found)


def test_a_list_where_a_map_belongs_is_told_how_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "e.md").write_text("1. Find 2.\n")
    path = recipe(tmp_path, path="e.md", reader="exam", roles=["Zorp"])
    with pytest.raises(UserError) as error:
        check_recipe(path)
    assert error.value.remedy == "write it as in roles: {Facit: answer}"
