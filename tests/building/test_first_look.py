"""The first command of a curator: a stranger's file, what it is, and a recipe that builds it."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright import build_release, look, read_problems
from benchwright.cli import cli
from benchwright.convert.readers import Known, Unknown, recognised
from benchwright.errors import UserError
from click.testing import CliRunner
from PIL import Image
from word import EQUATION, numbered, paragraph, text, word_file


def put(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


def picture(path: Path, size: tuple[int, int] = (40, 30)) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size, "red").save(path)
    return path


def run(*words: Any) -> tuple[int, str]:
    done = CliRunner().invoke(
        cli, [str(word) for word in words], catch_exceptions=False
    )
    return done.exit_code, done.stdout


# Journeys: file -> look -> build-release -> problems ----------------------------------------------


def built(folder: Path, *files: Path) -> list[tuple[str, list[str], str, int]]:
    """Question, options, answer and pictures of what the recipe of a look builds."""
    recipe = folder / "recipe.yaml"
    code, _ = run("look", *files, "-o", recipe)
    assert code == 0
    code, _ = run("build-release", recipe, "-o", folder / "out")
    assert code == 0
    name = yaml.safe_load(recipe.read_text("utf-8"))["name"]
    problems = read_problems(folder / "out" / f"{name}-0.1.0", "test")
    return [
        (p.question, [o.text for o in p.options], p.answer, len(p.images))
        for p in problems
    ]


def test_a_word_exam_to_a_release(tmp_path: Path) -> None:
    pytest.importorskip("pypandoc", reason="the extra documents is not installed")
    body = numbered(
        0, text("A pad costs "), EQUATION, text(" euros. What do four cost?")
    )
    body += "".join(numbered(1, text(value)) for value in ("5", "6", "7"))
    body += numbered(0, text("Add 17 and 25.")) + paragraph(text("Answers"))
    body += paragraph(text("1. B")) + paragraph(text("2. 42"))
    exam = word_file(tmp_path / "raw" / "exam.docx", body)
    assert built(tmp_path / "mine", exam) == [
        (
            r"A pad costs $\frac{3}{2}$ euros. What do four cost?",
            ["5", "6", "7"],
            "B",
            0,
        ),
        ("Add 17 and 25.", [], "42", 0),
    ]


def test_pictures_called_as_the_ids_are_the_problems_own(tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    rows = {str(k): {"question": f"What is drawn at {k}?", "answer": "a box"}
            for k in range(5, 9)}  # fmt: skip
    put(raw / "problems.json", json.dumps(rows))
    for number in range(5, 9):
        picture(raw / f"tables/{number}.png", (40, 20 + number))
    assert [
        images for *_, images in built(tmp_path / "one", raw / "problems.json")
    ] == [1] * 4
    assert [images for *_, images in built(tmp_path / "all", raw)] == [1] * 4


def test_pictures_that_no_problem_shows_are_said(tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    put(
        raw / "problems.json",
        json.dumps([{"question": "What is $1+1$?", "answer": "2"}]),
    )
    for name in ("left", "right"):
        picture(raw / f"{name}.png")
    code, said = run("look", raw)
    assert code == 0
    assert "2 pictures, and no problem shows one" in said


def test_joined_sets_keep_the_golds_of_each(tmp_path: Path) -> None:
    """AGIEval writes letters into `label`, values into `answer`, and null into the other."""
    row = {"options": ["(A)3", "(B)4"], "answer": None}
    choice = [row | {"question": f"{k}-4=?", "label": "AB"[k - 7]} for k in (7, 8)]
    value = {"options": None, "label": None}
    cloze = [value | {"question": f"{k}+{k}=?", "answer": str(2 * k)} for k in (2, 3)]
    for name, rows in (("choice", choice), ("cloze", cloze)):
        put(tmp_path / f"{name}.jsonl", "".join(json.dumps(r) + "\n" for r in rows))
    files = [tmp_path / "choice.jsonl", tmp_path / "cloze.jsonl"]
    made = built(tmp_path / "mine", *files)
    assert [answer for _, _, answer, _ in made] == ["A", "B", "4", "6"]


def test_a_folder_a_problem_to_a_release(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        record = {
            "problem_text": f"Find x of {number}.",
            "choices": ["1", "2"],
            "answer": "B",
        }
        put(tmp_path / f"raw/{number}/data.json", json.dumps(record))
        picture(tmp_path / f"raw/{number}/img.png", (40, 30 + number))
    assert built(tmp_path / "mine", tmp_path / "raw") == [
        (f"Find x of {number}.", ["1", "2"], "B", 1) for number in (1, 2, 3)
    ]


def test_a_bank_and_a_table_to_one_release(tmp_path: Path) -> None:
    bank = put(tmp_path / "raw/bank.txt", "::Sum:: What is 2 + 3? {~4 =5 ~6}\n")
    table = put(
        tmp_path / "raw/more.csv", "nr,Question,Answer\n1,What is 1 + 1?,2\n2,Two?,2\n"
    )
    assert built(tmp_path / "mine", bank, table) == [
        ("What is 2 + 3?", ["4", "5", "6"], "B", 0),
        ("What is 1 + 1?", [], "2", 0),
        ("Two?", [], "2", 0),
    ]


def test_a_file_a_problem_to_a_release(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        front = f"---\ntopic: sums\n---\n\nWhat is {number} + 1?\n\n"
        put(tmp_path / f"raw/sums/p{number}.md", f"{front}## Answer\n\n{number + 1}\n")
    assert built(tmp_path / "mine", tmp_path / "raw") == [
        (f"What is {number} + 1?", [], str(number + 1), 0) for number in (1, 2, 3)
    ]


def test_papers_in_a_folder_to_a_release(tmp_path: Path) -> None:
    for year in (2023, 2024):
        paper = "\n\n".join(f"{k}. What is {k} + {year}?" for k in (1, 2, 3))
        put(tmp_path / f"raw/{year}.md", f"# Paper {year}\n\n{paper}\n")
    assert [
        question for question, *_ in built(tmp_path / "mine", tmp_path / "raw")
    ] == [f"What is {k} + {year}?" for year in (2023, 2024) for k in (1, 2, 3)]


# What is printed ----------------------------------------------------------------------------------


def test_what_it_is_how_many_and_three_of_them(tmp_path: Path) -> None:
    questions = "\n\n".join(f"What is {k} + 1? {{~{k} ={k + 1}}}" for k in range(9))
    code, printed = run("look", put(tmp_path / "q.gift", questions))
    assert code == 0
    assert "questions in GIFT (Moodle) (reader gift): 9 problems" in printed
    assert [k for k in range(9) if f"What is {k} + 1?" in printed] == [0, 3, 6]
    assert "  A. 0\n  B. 1\n  answer: B" in printed
    assert "reader: gift" in printed


def test_the_same_for_programs(tmp_path: Path) -> None:
    code, printed = run(
        "look", put(tmp_path / "q.gift", "One? {=1}\n\nNo? {}"), "--json"
    )
    data = json.loads(printed)
    assert code == 0
    assert [(one["problems"], one["spec"]["reader"]) for one in data["sources"]] == [
        (1, "gift")
    ]
    assert list(data["sources"][0]["causes"]) == [
        "left out: gift: a question of type 'essay'"
    ]


def test_what_is_not_recognised_is_told_with_what_was_seen(tmp_path: Path) -> None:
    (tmp_path / "scan.pdf").write_bytes(b"%PDF-1.7\n")
    code, printed = run("look", tmp_path / "scan.pdf")
    assert code == 1
    assert f"{tmp_path / 'scan.pdf'}: a PDF" in printed
    assert "convert pdf" in printed


def test_a_recipe_that_is_there_is_left_alone(tmp_path: Path) -> None:
    recipe = put(tmp_path / "recipe.yaml", "mine")
    with pytest.raises(UserError, match="is there already"):
        look([put(tmp_path / "q.gift", "One? {=1}")], recipe)
    assert recipe.read_text("utf-8") == "mine"


def test_a_damaged_document_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "cut.docx").write_bytes(b"PK\x03\x04 and no more")
    looked = look([tmp_path / "cut.docx", put(tmp_path / "q.gift", "One? {=1}")])
    assert [source.spec.reader for source in looked.sources] == ["gift"]
    assert [one.saw[:21] for one in looked.unrecognised] == ["a damaged zip archive"]


# What files are -----------------------------------------------------------------------------------


def packed(path: Path, *names: str, **contents: str) -> Path:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in names:
            archive.writestr(name, "")
        for name, content in contents.items():
            archive.writestr(name, content)
    path.write_bytes(data.getvalue())
    return path


TEXTS = {
    "bank.xml": ('<?xml version="1.0"?>\n<quiz><question/></quiz>', "moodle"),
    "index.xml": ('<document xmlns="http://cnx.rice.edu/cnxml"/>', "cnxml"),
    "Posts.xml": ('<?xml version="1.0"?><posts><row/></posts>', "stackexchange"),
    "item.xml": (
        '<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1"/>',
        "qti",
    ),
    "pool.dat": ("<questestinterop><assessment/></questestinterop>", "qti"),
    "book.ptx": ('<!-- ours -->\n<pretext xml:lang="en"/>', "pretext"),
    "page": ("<!DOCTYPE html>\n<html><body>1. One?</body></html>", "exam"),
    "notes": ('{"cells": [], "nbformat": 4}', "document"),
    "rows.json": ('[{"question": "One?"}]', "jsonl"),
    "rows": ('{"question": "One?"}\n{"question": "Two?"}\n', "jsonl"),
    "paper": ("% ours\n\\documentclass{exam}\n\\begin{document}", "tex"),
    "quiz.txt": ("What is $2\\^2$? {\n=4 ~5\n}", "gift"),
    "wiki.txt": ("== Problem ==\nFind <math>x</math>.\n", "document"),
    "page.org": ("* One\n", "document"),
    "notes.txt": ("#+title: Sheet\n* One\n", "document"),
    "sheet.txt": ("Sheet\n=====\n\n.. math::\n\n   x\n", "document"),
    "typ.txt": ("#set page(width: 1cm)\n+ One?\n", "document"),
    "a.csv": ("id,question\n1,One?\n", "table"),
    "tab.txt": ("id\tq\ta\n1\tOne?\t2\n2\tTwo?\t3\n3\tc\td\n", "table"),
    "exam.md": ("# Exam\n\n1. Find $\\{1, 2\\}$.\n2. Two?\n", "exam"),
    "wikilike.txt": ("{{box}}\n== Problem ==\nFind <math>x</math>.\n", "document"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_are_known_by_what_stands_in_them(name: str, tmp_path: Path) -> None:
    content, reader = TEXTS[name]
    known = recognised(put(tmp_path / name, content))
    assert isinstance(known, Known)
    assert known.readers[0] == reader


def test_archives_are_known_by_what_is_packed_in_them(tmp_path: Path) -> None:
    epub = packed(tmp_path / "a.bin", mimetype="application/epub+zip")
    kinds = [
        recognised(packed(tmp_path / "1", "word/document.xml")),
        recognised(packed(tmp_path / "2", "xl/workbook.xml")),
        recognised(packed(tmp_path / "3.imscc", "imsmanifest.xml")),
        recognised(epub),
        recognised(packed(tmp_path / "4", "ppt/presentation.xml")),
    ]
    assert [getattr(kind, "readers", ("",))[0] for kind in kinds] == [
        "document", "table", "qti", "document", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "saw"),
    [
        (b"", "an empty file"),
        (b"\xd0\xcf\x11\xe0\xa1", "an old Word"),
        (b"\x80\x04\x95", "a Python pickle"),
        (b"\x00\x01\x02\x03", "a binary file that begins with 00 01 02 03"),
    ],
)
def test_what_no_reader_reads_is_told(content: bytes, saw: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(content)
    known = recognised(tmp_path / "a")
    assert isinstance(known, Unknown)
    assert known.saw.startswith(saw)


def test_python_twin_builds_too(tmp_path: Path) -> None:
    put(tmp_path / "q.gift", "One? {=1}")
    looked = look([tmp_path / "q.gift"], tmp_path / "recipe.yaml")
    assert looked.headline() == "1 problems in 1 source"
    built_there = build_release(tmp_path / "recipe.yaml", out=tmp_path / "out")
    assert [p.question for p in read_problems(built_there.release, "test")] == ["One?"]


@pytest.mark.parametrize(
    ("name", "text", "saw"),
    [
        ("build.sh", "1. make\n2. run\n", "a program"),
        (".env", "KEY=1\n", "settings"),
        ("comments.dtd", "<!ELEMENT a (b)>\n", "a program, a style or settings"),
        ("odd.xml", "<!ELEMENT a (b)>\n", "markup without an element"),
    ],
)
def test_no_problems_are_seen_in_programs(
    name: str, text: str, saw: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    looked = look([tmp_path / name])
    assert not looked.sources
    assert saw in looked.unrecognised[0].saw


def test_markdown_that_begins_with_a_tag_is_text(tmp_path: Path) -> None:
    text = "<!--\nversion: 1\ntopic: sums\n-->\n\n# Sums\n\nWhich is $1+1$?\n\n[( )] 1\n[(X)] 2\n"
    for k in (1, 2, 3):
        (tmp_path / f"p{k}.md").write_text(text.replace("$1+1$", f"$1+1+0*{k}$"))
    [source] = look([tmp_path]).sources
    assert source.spec.reader == "markdown"
    assert [problem.answer for problem in source.problems] == ["B", "B", "B"]
    assert "version" not in source.problems[0].question
