"""Tables as sources of a recipe: one dump in every kind of table gives the same problems."""

from __future__ import annotations

import base64
import csv
from pathlib import Path
from typing import Any

import pytest
from benchwright import check_recipe
from benchwright.base.files import read_jsonl
from benchwright.convert.readers import Pictures, read_sources
from benchwright.convert.readers.columns import look_at_columns
from benchwright.errors import UserError
from benchwright.pipeline import Engine, SourceSpec
from benchwright.problem import Problem
from small import png, write_recipe, write_rows
from workbooks import workbook

PNG = png(40, 30, 7)
FIELDS = {
    "id": "nr",
    "question": "text",
    "options": "A,B",
    "answer": "key",
    "images": "pic",
}


def read(folder: Path, **source: Any) -> tuple[list[Problem], list[dict[str, Any]]]:
    spec = SourceSpec(**{"name": "s", "reader": "table", "fields": FIELDS} | source)
    work = folder / "work"
    read_sources([spec], folder, work, Engine())
    problems = list(read_jsonl(work / "00-read/problems.jsonl", Problem))
    return problems, list(read_jsonl(work / "00-read/quarantine.jsonl", dict))


def as_csv(
    path: Path, rows: list[dict[str, Any]], delimiter: str, encoding: str
) -> None:
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)


def test_one_dump_in_every_kind_of_table(tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    (tmp_path / "p.png").write_bytes(PNG)
    base = {
        "nr": "007",
        "text": "Größe des Winkels?",
        "A": "None",
        "B": "1.50",
        "key": "B",
    }
    letters = base64.b64encode(PNG).decode()
    found = []
    as_csv(tmp_path / "a.csv", [base | {"pic": "p.png"}], ";", "cp1252")
    as_csv(tmp_path / "b.tsv", [base | {"pic": letters}], "\t", "utf-8-sig")
    as_csv(
        tmp_path / "c.csv",
        [base | {"pic": f"data:image/png;base64,{letters}"}],
        ",",
        "utf-16",
    )
    row = base | {"pic": "p.png"}
    workbook(tmp_path / "d.xlsx", [list(row), list(row.values())], shared=True)
    embedded = base | {"pic": {"bytes": PNG, "path": "x.png"}}
    parquet.write_table(pa.Table.from_pylist([embedded]), tmp_path / "e.parquet")
    listed = base | {"pic": [{"bytes": PNG, "path": None}]}
    parquet.write_table(pa.Table.from_pylist([listed]), tmp_path / "f.parquet")
    write_rows(
        tmp_path / "g.jsonl", [base | {"pic": {"bytes": letters, "path": "x.png"}}]
    )
    names = ["a.csv", "b.tsv", "c.csv", "d.xlsx", "e.parquet", "f.parquet", "g.jsonl"]
    for name in names:
        kind = "jsonl" if name == "g.jsonl" else "table"
        (problem,), bad = read(tmp_path, path=name, reader=kind)
        assert bad == []
        found.append(problem)
    assert all(problem == found[0] for problem in found)
    first = found[0]
    assert (first.id, first.images[0].width, first.notes) == ("s-007", 40, [])
    assert [o.text for o in first.options] == ["None", "1.50"]


@pytest.mark.parametrize(
    "cell", ["p5.png,p6.png", "p5.png;p6.png", "['p5.png', 'p6.png']"]
)
def test_several_pictures_in_one_cell(tmp_path: Path, cell: str) -> None:
    for k in (5, 6):
        (tmp_path / f"p{k}.png").write_bytes(png(10 * k, 10))
    (tmp_path / "t.csv").write_text(f'nr,text,A,B,key,pic\n1,q,,,4,"{cell}"\n')
    (problem,), _ = read(tmp_path, path="t.csv")
    assert [image.width for image in problem.images] == [50, 60]


@pytest.mark.parametrize(
    "picture",
    ["data:image/png;base64,!!!!", {"bytes": "no base64 at all"}, {"bytes": b"<html>"}, 7,
     "iVBORw0KGgo" + "A" * 80, "data:image/png;base64,"],
)  # fmt: skip
def test_a_picture_that_is_none_is_noted(tmp_path: Path, picture: object) -> None:
    pictures = Pictures(tmp_path, tmp_path / "work")
    assert pictures.get([picture]) == []
    assert pictures.notes[0].startswith("broken-picture: ")


def test_options_say_how_a_table_is_read(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(
        "nr/text/A/B/key/pic\n1/角/x/y/A/\n".encode("big5")
    )
    options = {"encoding": "big5", "delimiter": "/"}
    (problem,), _ = read(tmp_path, path="t.csv", options=options)
    assert problem.question == "角"
    for wrong, says in (
        ({"encodng": "big5"}, "did you mean 'encoding'"),
        ({"delimiter": "--"}, "delimiter '--'"),
        ({"delimiter": 7}, "delimiter 7"),
        ({"encoding": 7}, "encoding 7"),
        ({"sheet": 7}, "sheet 7"),
    ):
        with pytest.raises(UserError, match=says):
            read(tmp_path, path="t.csv", options=wrong)


SHOWN = {"type": "image_url", "image_url": {"url": "1.png"}}


@pytest.mark.parametrize(
    ("column", "turns"),
    [
        ("conversations", [{"from": "human", "value": "<image>\nWhat is it?"},
                           {"from": "gpt", "value": "4"}]),
        ("messages", [{"role": "system", "content": "Be brief."},
                      {"role": "user", "content": [SHOWN, {"type": "text", "text": "What is it?"}]},
                      {"role": "assistant", "content": "4"}]),
    ],
)  # fmt: skip
def test_a_conversation_is_its_question_picture_and_answer(
    column: str, turns: list[dict[str, Any]], tmp_path: Path
) -> None:
    (tmp_path / "1.png").write_bytes(PNG)
    write_rows(tmp_path / "t.jsonl", [{"nr": 1, column: turns, "image": "1.png"}])
    assert look_at_columns({}, [column], [{column: turns}])[1]["question"] == column
    fields = {"id": "nr", "question": column, "answer": column, "images": "image"}
    [problem], _ = read(tmp_path, path="t.jsonl", reader="jsonl", fields=fields)
    assert (problem.question, problem.answer) == ("<image1>\nWhat is it?", "4")
    assert (len(problem.images), problem.notes) == (1, [])


def test_a_question_that_is_no_text_is_refused_by_its_begin(tmp_path: Path) -> None:
    write_rows(
        tmp_path / "t.jsonl", [{"nr": 1, "text": {"a": [1], "b": [2]}, "key": "4"}]
    )
    fields = {"id": "nr", "question": "text", "answer": "key"}
    problems, bad = read(tmp_path, path="t.jsonl", reader="jsonl", fields=fields)
    assert problems == []
    row = bad[0]
    assert row["cause"].startswith('the question is {"a":[1],"b":[2]}, and no text: ')


def test_values_that_are_no_text_are_read_by_their_shape(tmp_path: Path) -> None:
    """Steps, pieces of a page, lists of one; what says nothing is told, never printed as JSON."""
    rows: list[dict[str, Any]] = [
        {"id": 1, "question": ["Add 2", "and 3."], "answer": "5", "unit": ["cm"]},
        {"id": 2, "question": "Halve 8 kg.", "answer": {"value": 4, "unit": "kg"}},
        {"id": 3, "question": "Why?", "solution": [{"step": 1, "text": "So."}, "Done."]},
        {"id": 4, "question": "Which?", "answer": "B", "unit": [[1], [2, 3]],
         "options": [[{"aoVal": "A", "content": "one"}], [{"aoVal": "B", "content": "two"}]]},
        {"id": 5, "question": "Find\ni) $a$,\nii) $b$.", "answer": "i) 3\nii) 4"},
    ]  # fmt: skip
    write_rows(tmp_path / "t.jsonl", rows)
    source = SourceSpec(name="t", reader="jsonl", path="t.jsonl")
    read_sources([source], tmp_path, tmp_path / "work", Engine())
    found = list(read_jsonl(tmp_path / "work/00-read/problems.jsonl", Problem))
    assert [p.question for p in found[:2]] == ["Add 2\nand 3.", "Halve 8 kg."]
    assert [(p.answer, p.unit) for p in found[:2]] == [("5", "cm"), ("4", "kg")]
    assert found[2].solution == "So.\nDone."
    assert [o.text for o in found[3].options] == ["one", "two"]
    assert found[3].notes == ["lost-text: unit: [[1],[2,3]]"]
    assert [p.answer for p in found[4].parts] == ["3", "4"]


def test_damaged_backslashes_come_back_before_anything_is_stripped(
    tmp_path: Path,
) -> None:
    """JSON with single backslashes: golds, options, texts; a tab is a tab where it indents."""
    lines = [
        r'{"id": 1, "question": "Is $x=\frac{1}{2}$ so?", "answer": "\theta", "options": null}',
        r'{"id": 2, "question": "Which?", "options": ["\frac12", "\tan x"], "answer": "A"}',
        r'{"id": 3, "question": "$\begin{matrix}\ta\\\tg & h\end{matrix}$", "answer": "1"}',
    ]
    text = "\n".join(line.replace("\\\\", "\\") for line in lines[:2])
    text += "\n" + lines[2].replace("\\begin", "\\\\begin").replace("\\end", "\\\\end")
    (tmp_path / "t.jsonl").write_text(text, "utf-8")
    source = SourceSpec(name="t", reader="jsonl", path="t.jsonl")
    read_sources([source], tmp_path, tmp_path / "work", Engine())
    first, second, *_ = read_jsonl(tmp_path / "work/00-read/problems.jsonl", Problem)
    assert (first.question, first.answer) == (r"Is $x=\frac{1}{2}$ so?", r"\theta")
    assert [o.text for o in second.options] == [r"\frac12", r"\tan x"]
    assert [note for p in (first, second) for note in p.notes] == [
        r"text: backslashes restored: \frac, \theta",
        r"text: backslashes restored: \frac, \tan",
    ]


@pytest.mark.parametrize(
    ("named", "file"),
    [
        ("p1", "p1.png"),
        ("p1.PNG", "p1.png"),
        ("P1.png", "p1.png"),
        (1, "1.jpg"),
        (None, "1.PNG"),
    ],
)
def test_files_are_known_by_other_spellings_of_their_names(
    named: Any, file: str, tmp_path: Path
) -> None:
    (tmp_path / "pics").mkdir()
    (tmp_path / "pics" / file).write_bytes(PNG)
    write_rows(tmp_path / "t.jsonl", [{"nr": 1, "text": "What is it?", "key": "4"} | (
        {} if named is None else {"pic": named})])  # fmt: skip
    fields = {"id": "nr", "question": "text", "answer": "key"}
    fields |= {} if named is None else {"images": "pic"}
    source = {"path": "t.jsonl", "reader": "jsonl", "images": "pics", "fields": fields}
    [problem], _ = read(tmp_path, **source)
    assert (len(problem.images), problem.notes) == (1, [])


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx"])
def test_a_title_above_the_header_is_told(name: str, tmp_path: Path, capsys) -> None:
    rows = [["My quiz", "", ""], ["nr", "text", "key"], ["1", "What is 2+2?", "4"]]
    if name == "t.csv":
        (tmp_path / name).write_text("\n".join(",".join(row) for row in rows))
    else:
        workbook(tmp_path / name, [["My quiz"], *rows[1:]])
    fields = {"id": "nr", "question": "text", "answer": "key"}
    problems, _ = read(tmp_path, path=name, fields=fields)
    assert [(p.question, p.answer) for p in problems] == [("What is 2+2?", "4")]
    assert "above the header: 'My quiz'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("golds", "options", "told"),
    [("2 1 2".split(), ["3", "4"], False), (["2", "1", "8"], [], True)],
)  # fmt: skip
def test_numbers_of_options_in_questions_count_where_all_golds_are_such(
    golds: list[str], options: list[str], told: bool, tmp_path: Path
) -> None:
    asked = [
        "Which is even?\n1. 3\n2. 4",
        "Which is odd?\n1. 3\n2. 4",
        "Which is even?\n1. 3\n2. 4",
    ]
    asked[2] = asked[2] if options else "What is 4+4?"
    rows = [
        {"nr": k, "text": q, "key": g}
        for k, (q, g) in enumerate(zip(asked, golds, strict=True))
    ]
    write_rows(tmp_path / "t.jsonl", rows)
    fields = {"id": "nr", "question": "text", "answer": "key"}
    problems, _ = read(tmp_path, path="t.jsonl", reader="jsonl", fields=fields)
    assert [o.text for o in problems[0].options] == options
    assert (
        "may be a number, or that of an option" in "".join(problems[0].notes)
    ) == told


def test_a_check_suggests_the_map_of_a_table(tmp_path: Path, capsys) -> None:
    text = "Nr;Stem;A;B;C;Key;category\n1;q;x;y;z;B;algebra\n2;broken\n"
    (tmp_path / "t.csv").write_bytes(text.replace("q", "é").encode("cp1252"))
    recipe = {
        "name": "small", "version": "1.0.0", "stages": ["check"],
        "sources": [{"name": "a", "reader": "table", "path": "t.csv", "license": "MIT"}],
    }  # fmt: skip
    found = check_recipe(write_recipe(tmp_path / "recipe.yaml", recipe)).findings
    (hint,) = [f for f in found if f.hint]
    fields = "{id: Nr, question: Stem, options: 'A,B,C', answer: Key, labels.subject: category}"
    assert hint.remedy == f"fields: {fields}"
    assert any("2 cells where the header has 7" in f.what for f in found)
    assert "t.csv: read as cp1252, cells cut by semicolons" in capsys.readouterr().err


def test_a_check_tells_ids_that_stand_twice(tmp_path: Path) -> None:
    rows = [
        {"id": k, "question": f"{k}+{n}?", "answer": "7"} for n, k in enumerate("aba")
    ]
    write_rows(tmp_path / "t.jsonl", rows)
    source = {"name": "t", "reader": "jsonl", "path": "t.jsonl", "license": "MIT"}
    recipe = {
        "name": "small",
        "version": "1.0.0",
        "stages": ["check"],
        "sources": [source],
    }
    found = check_recipe(write_recipe(tmp_path / "recipe.yaml", recipe)).findings
    twice = "t.jsonl:3: id 't-a' stands also at t.jsonl:1"
    assert any(twice in finding.what for finding in found)


@pytest.mark.parametrize("options", [["1.png", "2.png"], {"A": "1.png", "B": "2.png"}])
def test_pictures_in_place_of_options_are_the_options_own(
    options: Any, tmp_path: Path
) -> None:
    for number in (1, 2):
        (tmp_path / f"{number}.png").write_bytes(png(50 + number, 60, 200))
    row = {"id": "1", "question": "Which?", "options": options, "answer": "B"}
    write_rows(tmp_path / "t.jsonl", [row])
    source = SourceSpec(name="t", reader="jsonl", path="t.jsonl")
    read_sources([source], tmp_path, tmp_path / "work", Engine())
    (problem,) = read_jsonl(tmp_path / "work/00-read/problems.jsonl", Problem)
    assert [o.image.width for o in problem.options if o.image] == [51, 52]
    assert [o.text for o in problem.options] == ["", ""]
    assert problem.answer == "B"


@pytest.mark.parametrize(
    ("row", "fields"),
    [
        ({"problem_text": "What is 1 + 1?", "answer_latex": "2"},
         {"question": "problem_text", "answer": "answer_latex"}),
        ({"name": "p 7 of 1", "statement": "Is it even, or is it odd?", "informal_solution": "-"},
         {"question": "statement", "solution": "informal_solution"}),
        ({"prompt": "What is 1 + 1?", "option1": "one", "option2": "2", "correctIndex": "B"},
         {"question": "prompt", "options": "option1,option2", "answer": "correctIndex"}),
        ({"question": "What is 1 + 1?", "correct_answer": "2", "incorrect_answers": ["1", "3"]},
         {"options": "correct_answer,incorrect_answers", "answer": "correct_answer"}),
    ],
)  # fmt: skip
def test_columns_are_known_by_their_words_and_by_what_stands_in_them(
    row: dict[str, Any], fields: dict[str, str], tmp_path: Path
) -> None:
    assert look_at_columns({}, [*row], [row])[1] == fields
    write_rows(tmp_path / "t.jsonl", [row | {"id": "1"}])
    source = SourceSpec(name="t", reader="jsonl", path="t.jsonl", fields=fields)
    read_sources([source], tmp_path, tmp_path / "work", Engine())
    (problem,) = read_jsonl(tmp_path / "work/00-read/problems.jsonl", Problem)
    assert problem.question == row[fields.get("question", "question")]
    if (
        "options" in fields
    ):  # the right one stands where its text has it, not always in front
        assert {o.label: o.text for o in problem.options}[problem.answer] == "2"
        assert problem.answer == "B"


def test_a_saved_page_is_an_exam(tmp_path: Path) -> None:
    page = "<h1>Quiz</h1><p>1. What is 9 + 10?</p>A. <input type=radio>15<br>"
    page += "B. <input type=radio>19"
    page += "<br>C. 1"
    page += "<p>2. What is <math><msup><mi>x</mi><mn>2</mn></msup></math>?</p>A. a<br>B. b<br>C. c"
    (tmp_path / "quiz.html").write_text(page, "utf-8")
    source = SourceSpec(name="q", reader="exam", path="quiz.html")
    read_sources([source], tmp_path, tmp_path / "work", Engine())
    problems = list(read_jsonl(tmp_path / "work/00-read/problems.jsonl", Problem))
    assert [p.question for p in problems] == ["What is 9 + 10?", "What is $x^{2}$?"]
    assert [[o.text for o in p.options] for p in problems] == [
        ["15", "19", "1"],
        ["a", "b", "c"],
    ]


def test_paths_lead_into_columns(tmp_path: Path) -> None:
    row = {
        "context": "Look.",
        "ask": "Which is even?",
        "answers": [
            {"label": "A", "text": "3", "correct": False, "why": "odd"},
            {"label": "B", "text": "4", "correct": True, "why": "half of 8"},
        ],
        "meta": {"topic": "numbers"},
        "steps": ["Halve it.", "So 4."],
    }
    write_rows(tmp_path / "t.jsonl", [row])
    fields = {
        "question": "context,ask",
        "options": "answers[].text",
        "answer": "answers[?correct].label",
        "solution": "steps",
        "labels.topic": "meta.topic",
    }
    (problem,), bad = read(tmp_path, path="t.jsonl", reader="jsonl", fields=fields)
    assert bad == []
    assert problem.question == "Look.\n\nWhich is even?"
    assert [option.text for option in problem.options] == ["3", "4"]
    assert (problem.answer, problem.solution) == ("B", "Halve it.\nSo 4.")
    assert (problem.labels, problem.notes) == ({"topic": "numbers"}, [])


def test_files_of_one_row_are_called_by_their_paths(tmp_path: Path) -> None:
    for name in ("x", "y"):
        folder = tmp_path / "items" / name
        folder.mkdir(parents=True)
        (folder / "pic.png").write_bytes(PNG)
        write_rows(
            folder / "item.json", [{"text": f"What is {name}?", "pic": "pic.png"}]
        )
    fields = {"question": "text", "images": "pic"}
    problems, bad = read(
        tmp_path, path="items/*/item.json", reader="jsonl", fields=fields
    )
    assert bad == []
    assert [problem.id for problem in problems] == ["s-x", "s-y"]
    assert all(len(problem.images) == 1 for problem in problems)


def test_rows_of_several_files_without_ids_are_all_kept(tmp_path: Path) -> None:
    for k in (1, 2):
        write_rows(tmp_path / f"{k}.jsonl", [{"text": f"What is {k}?"}] * 2)
    problems, bad = read(
        tmp_path, path="*.jsonl", reader="jsonl", fields={"question": "text"}
    )
    names = ["s-1.line1", "s-1.line2", "s-2.line1", "s-2.line2"]
    assert ([problem.id for problem in problems], bad) == (names, [])


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "rows: 'years[].problem[]'",
            r"recipe\.yaml:6: source 's': rows: .*leads to no row",
        ),
        ("rows: 'years['", r"recipe\.yaml:6: source 's': rows: .*is no path"),
        ("rows: 'years[].problems[].question'", r"recipe\.yaml:6: .*leads to no row"),
        ("fields: {question: 'ask.txt'}", r"recipe\.yaml:6: .*leads to nothing"),
    ],
)
def test_a_path_that_cannot_be_meant_is_told_with_its_line(
    said: str, told: str, tmp_path: Path
) -> None:
    from benchwright import build_release

    row = {"years": [{"problems": [{"question": "1?"}]}], "ask": {"text": "2?"}}
    write_rows(tmp_path / "d.json", [row])
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        "name: n\nversion: 1.0.0\nsources:\n- name: s\n"
        f"  reader: jsonl\n  {said}\n  path: d.json\n  license: MIT\n"
    )
    with pytest.raises(UserError, match=told):
        build_release(recipe, tmp_path / "out")
