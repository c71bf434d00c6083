"""Readers: official quirks, generic dumps, and everything that can be wrong with a line."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchwright.base.files import read_jsonl
from benchwright.convert.readers import read_sources, source_paths
from benchwright.convert.readers.columns import look_at_columns
from benchwright.convert.readers.mathverse import split_choices
from benchwright.errors import UserError
from benchwright.options import options_in_cell
from benchwright.pipeline import Engine, SourceSpec
from benchwright.problem import Problem, samples_of
from PIL import Image
from real_data import RealData
from small import png, write_rows


def read(
    tmp_path: Path, path: Any, reader: str, **changes: Any
) -> tuple[list[Problem], list[dict]]:
    """Problems and quarantine of one source; paths are as they are."""
    spec = SourceSpec(**{"name": "s", "reader": reader, "path": path} | changes)
    read_sources([spec], tmp_path, tmp_path / "work", Engine())
    folder = tmp_path / "work" / "00-read"
    bad = [
        json.loads(line)
        for line in (folder / "quarantine.jsonl").read_text("utf-8").splitlines()
    ]
    return list(read_jsonl(folder / "problems.jsonl", Problem)), bad


def test_math_v_as_published(tmp_path: Path, data: RealData) -> None:
    path = data.math_v("test.jsonl")
    problems, bad = read(tmp_path, str(path), "math-v")
    assert (len(problems), bad) == (len(path.read_bytes().splitlines()), [])
    assert len({p.labels["subject"] for p in problems}) == 16
    by_id = {p.source.raw_id: p for p in problems}
    assert [o.text for o in by_id["742"].options] == [
        "A",
        "B",
        "C",
        "E",
        "Impossible to determine",
    ]
    if not data.is_whole:
        return
    assert len(problems) == 3040
    assert sum(bool(p.options) for p in problems) == 1532
    assert [p.source.raw_id for p in problems if p.notes] == [
        "2830"
    ]  # its backslash was lost
    assert (by_id["2845"].images[0].width, by_id["2845"].images[0].height)[0] > 0
    assert min(min(i.width, i.height) for p in problems for i in p.images) == 40
    assert len({i.sha256 for p in problems for i in p.images}) == 3040 - 12


def test_we_math_as_published(tmp_path: Path, data: RealData) -> None:
    path = data.whole("we-math/testmini.json")
    problems, bad = read(
        tmp_path, str(path), "we-math", images=str(path.parent / "image")
    )
    assert bad == []
    assert [sum(len(p.steps) == k for p in problems) for k in (2, 3)] == [360, 165]
    samples = [s for p in problems for s in samples_of(p)]
    assert len(samples) == 1740
    golds = [s.answer for s in samples]
    assert {c: golds.count(c) for c in "ABCDE"} == {
        "A": 585,
        "B": 507,
        "C": 454,
        "D": 193,
        "E": 1,
    }
    assert all(s.answer in {o.label for o in s.options} for s in samples)
    last = [s.options[-1].text for s in samples]
    assert sum("No correct answer" in text for text in last) == 1738


def test_mathverse_as_published(tmp_path: Path, data: RealData) -> None:
    files = ["testmini_text_only.json", "output_testmini.json"]
    problems, bad = read(
        tmp_path, [str(data.whole(f"mathverse/{f}")) for f in files], "mathverse"
    )
    assert (len(problems), bad) == (788, [])
    assert sum(p.answer_kind == "choice" for p in problems) == 436
    (whole,) = [p for p in problems if len(p.samples) == 6]
    assert whole.source.raw_id == "685"
    assert [s.version for s in whole.samples][:2] == ["text_dominant", "text_lite"]
    assert whole.samples[-1].question == ""
    assert len({(p.labels["subject"], p.labels["subfield"]) for p in problems}) == 12


def test_mm_math_rows(tmp_path: Path) -> None:
    """Field names of the published README; labels in Chinese as in the data, or English."""
    (tmp_path / "1.png").write_bytes(png())
    first = {
        "question": "求$x$",
        "file_name": "1.png",
        "solution": r"故 $x=\boxed{\frac{1}{2}}$",
        "year": "八年级下学期",
        "difficult": "普通",
        "knowledge": "Functions",
    }
    second = {"question": "?", "solution": r"\boxed{1} 或 \boxed{2}", "year": "nine"}
    rows = [
        first,
        second | {"difficult": "hard"},
        {"question": "?", "solution": "no box"},
    ]
    write_rows(tmp_path / "mm.jsonl", rows)
    (one, two), (lost,) = read(tmp_path, "mm.jsonl", "mm-math")
    assert (one.answer, one.labels) == (
        r"\frac{1}{2}",
        {
            "difficulty": "medium",
            "grade": 8,
            "year": "八年级下学期",
            "knowledge": ["Functions"],
        },
    )
    assert (two.answer, two.answer_kind, two.labels["grade"]) == ("1,2", "set", 9)
    assert (lost["line"], "boxed" in lost["cause"]) == (3, True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A. 1;B. 2; E. No correct answer", "A=1|B=2|E=No correct answer"),
        (
            "A. around point ;O.;B. Yes, it is;C. No",
            "A=around point ;O.|B=Yes, it is|C=No",
        ),
        ("A. A; B. B;C. C", "A=A|B=B|C=C"),
        ("A．1；B 2;C. 3", "A=1|B=2|C=3"),
        ("A. x=1;y=2;B. x=2;y=1", "A=x=1;y=2|B=x=2;y=1"),
        ("A. 1;B. 2;C. 3;F. No correct answer", "A=1|B=2|C=3|F=No correct answer"),
    ],
)
def test_we_math_option_strings(text: str, expected: str) -> None:
    assert (
        "|".join(f"{o.label}={o.text}" for o in options_in_cell(text).options)
        == expected
    )


@pytest.mark.parametrize(
    ("text", "stem", "expected"),
    [
        ("Find x.\nChoices:\nA:40°\nB.60°", "Find x.", "A=40°|B=60°"),
        ("Find x.\nChoice:\nA: 1\nB: 2", "Find x.", "A=1|B=2"),
        ("Find x. Choices: A:1 B:2 C:3", "Find x.", "A=1|B=2|C=3"),
        ("Which choices are right?", "Which choices are right?", ""),
        ("Q\nChoices:\nA:(A, B)\nB:two\nlines", "Q", "A=(A, B)|B=two lines"),
    ],
)
def test_mathverse_inline_choices(text: str, stem: str, expected: str) -> None:
    actual_stem, options = split_choices(text)
    assert (actual_stem, "|".join(f"{o.label}={o.text}" for o in options)) == (
        stem,
        expected,
    )


def test_a_field_map_reads_any_csv(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_bytes(
        b"\xef\xbb\xbfnr,text,A,B,key,area\n"
        b'7,"two\nlines, and a comma",x,y,B,algebra\n'
        b"8,no options,,,3,\n"
    )
    fields = {
        "id": "nr",
        "question": "text",
        "options": "A,B",
        "answer": "key",
        "labels.subject": "area",
    }
    (one, two), bad = read(tmp_path, "p.csv", "csv", fields=fields)
    assert bad == []
    assert (one.id, one.question) == ("s-7", "two\nlines, and a comma")
    assert [(o.label, o.text) for o in one.options] == [("A", "x"), ("B", "y")]
    assert (one.labels, two.labels, two.options) == ({"subject": "algebra"}, {}, [])


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"fields": {"questoin": "q"}}, "did you mean 'question'"),
        (
            {"reader": "csv", "fields": {"answer": "kye"}},
            "p.csv:1: no column 'kye' for 'answer'",
        ),
        (
            {"reader": "csv", "fields": {"options": "A,B"}},
            "no column 'A' for 'options'",
        ),
        ({"reader": "math-v", "fields": {"answer": "key"}}, "takes no fields"),
        ({"options": {"keys": "k.md"}}, "has no option 'keys'"),
        ({"reader": "math-v", "options": {"key": "k.md"}}, "has no options"),
        ({"options": {"gold": "index"}}, "did you mean 'index-"),
        ({"images": "pictures"}, "pictures is not a folder"),
        ({"name": "../s"}, "use letters"),
    ],
)
def test_a_source_that_cannot_be_meant_is_refused_before_reading(
    tmp_path: Path, source: dict[str, Any], message: str
) -> None:
    (tmp_path / "p.csv").write_text("id,question,key\n1,q,a\n", "utf-8")
    write_rows(tmp_path / "p.jsonl", [{"id": 1, "question": "q"}])
    kind = source.pop("reader", "jsonl")
    with pytest.raises(UserError, match=re.escape(message)):
        read(tmp_path, "p.csv" if kind == "csv" else "p.jsonl", kind, **source)


def test_rows_without_ids_are_numbered_only_where_no_field_is_named(
    tmp_path: Path,
) -> None:
    write_rows(tmp_path / "p.jsonl", [{"question": "q"}, {"question": "r", "nr": 1}])
    assert [p.id for p in read(tmp_path, "p.jsonl", "jsonl")[0]] == [
        "s-line1",
        "s-line2",
    ]
    problems, bad = read(tmp_path, "p.jsonl", "jsonl", fields={"id": "nr"})
    assert ([p.id for p in problems], bad[0]["cause"]) == (
        ["s-1"],
        "no field 'nr' for the id",
    )


BROKEN = [
    (b'{"id": "1", "question": "tru', "truncated"),
    (b'{"id": "1", "question": "\xff\xfe"}', "not UTF-8"),
    (b'["a", "list"]', "not an object"),
    (b'{"id": "1"}', "no field 'question'"),
    (b'{"id": "1", "question": "q", "answer_kind": "poem"}', "unknown kind 'poem'"),
    (b'{"id": "good", "question": "again"}', "stands also at p.jsonl:1"),
]


@pytest.mark.parametrize(("line", "cause"), BROKEN, ids=[cause for _, cause in BROKEN])
def test_a_bad_line_is_quarantined_with_its_place_and_the_rest_is_read(
    tmp_path: Path, line: bytes, cause: str
) -> None:
    good = b'{"id": "good", "question": "q"}\n'
    (tmp_path / "p.jsonl").write_bytes(
        good + line + b"\n" + b'{"id": "after", "question": "q"}\n'
    )
    problems, bad = read(tmp_path, "p.jsonl", "jsonl")
    assert [p.id for p in problems] == ["s-good", "s-after"]
    assert [(row["file"], row["line"]) for row in bad] == [("p.jsonl", 2)]
    assert cause in bad[0]["cause"]


def test_ragged_csv_rows_are_quarantined(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(
        'id,question\n1,q\n2,q,extra\n3\n4,"open\n5,q\n', "utf-8"
    )
    problems, bad = read(tmp_path, "p.csv", "csv")
    assert [p.id for p in problems] == ["s-1", "s-5"]
    assert [row["line"] for row in bad] == [
        3,
        4,
        5,
    ]  # the open quote costs its line alone
    assert bad[0]["cause"] == "3 cells where the header has 2"


def test_a_csv_in_another_encoding_says_where(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_bytes("id,question\n1,q\n2,角度\n".encode("big5"))
    with pytest.raises(UserError, match=r"p\.csv:3: not UTF-8"):
        read(tmp_path, "p.csv", "csv")


def test_pictures_that_fail_are_notes_for_the_check_stage(tmp_path: Path) -> None:
    (tmp_path / "html.png").write_bytes(b"<html>")
    write_rows(
        tmp_path / "p.jsonl",
        [{"id": 1, "question": "q", "images": ["html.png", "none.png"]}],
    )
    (problem,), bad = read(tmp_path, "p.jsonl", "jsonl")
    assert (problem.images, bad) == ([], [])
    assert [note.split(":")[0] for note in problem.notes] == [
        "broken-picture",
        "missing-picture",
    ]


@pytest.mark.parametrize(
    ("path", "cause"),
    [("../../etc/passwd", "leaves its folder"), ("/etc/passwd", "is not relative")],
)
def test_a_picture_outside_of_the_folder_is_named_and_its_row_stays(
    tmp_path: Path, path: str, cause: str
) -> None:
    (tmp_path / "in").mkdir()
    Image.new("RGB", (30, 30)).save(tmp_path / "secret.png")
    rows = [
        {"id": k, "question": "q", "images": [p]}
        for k, p in enumerate([path, "../secret.png"])
    ]
    write_rows(tmp_path / "in/p.jsonl", rows)
    problems, bad = read(tmp_path, "in/p.jsonl", "jsonl")
    assert (bad, [problem.images for problem in problems]) == ([], [[], []])
    assert problems[0].notes == [f"broken-picture: {path}: path {path!r} {cause}"]
    assert not any((tmp_path / "work/images").glob("*"))


def test_a_picture_that_is_redrawn_has_one_line_however_many_rows_share_it(
    tmp_path: Path,
) -> None:
    turned = Image.Exif()
    turned[0x0112] = 6
    Image.new("RGB", (40, 20)).save(tmp_path / "turned.jpg", exif=turned)
    Image.new("RGBA", (20, 20), (0, 0, 0, 0)).save(tmp_path / "clear.png")
    Image.new("RGB", (20, 20)).save(tmp_path / "plain.png")
    names = ["turned.jpg", "clear.png", "plain.png"]
    write_rows(
        tmp_path / "p.jsonl",
        [{"id": k, "question": "q", "images": names} for k in "ab"],
    )
    problems, _ = read(tmp_path, "p.jsonl", "jsonl")
    assert [problem.notes for problem in problems] == [[], []]
    lines = (tmp_path / "work/00-read/redrawn.jsonl").read_text("utf-8").splitlines()
    told = [(row["given"], row["changes"]) for row in map(json.loads, lines)]
    assert told == [("turned.jpg", "turned upright"), ("clear.png", "laid on white")]


def test_frames_of_a_moving_picture_that_are_not_kept_are_told(tmp_path: Path) -> None:
    first, *others = (Image.new("L", (20, 20), shade) for shade in (0, 90, 180))
    first.save(tmp_path / "moves.gif", save_all=True, append_images=others)
    first.save(tmp_path / "still.gif")
    write_rows(
        tmp_path / "p.jsonl",
        [{"id": 1, "question": "q", "images": ["moves.gif", "still.gif"]}],
    )
    (problem,), _ = read(tmp_path, "p.jsonl", "jsonl")
    assert len(problem.images) == 2
    assert problem.notes == ["moving-picture: moves.gif: only its first frame is kept"]


def test_incomplete_and_doubled_groups(tmp_path: Path) -> None:
    row = {
        "question": "q",
        "option": "A. 1;B. 2",
        "answer": "A",
        "knowledge concept": "c",
    }
    rows = [
        row | {"ID": "2steps_1", "key": "2steps_1"},
        row | {"ID": "2steps_1", "key": "2steps_1"},
        row | {"ID": "2steps_1", "key": "2steps_multi"},
        row | {"ID": "2steps_2", "key": "2steps_1"},
        {"ID": "2steps_3"},
    ]
    (tmp_path / "w.json").write_text(json.dumps(rows), "utf-8")
    (problem,), bad = read(tmp_path, "w.json", "we-math")
    assert problem.notes == ["incomplete-steps: 1 of 2 steps"]
    assert [row["line"] for row in bad] == [2, 5, 4]
    assert "no multi row" in bad[2]["cause"]


def _link(folder: Path) -> None:
    (folder / "p.png").symlink_to(folder.parent / "outside.png")


def _file(folder: Path, shade: int = 0) -> None:
    (folder / "p.png").unlink(missing_ok=True)
    (folder / "p.png").write_bytes(png(9, 9, shade))


def _turned(folder: Path) -> None:
    """A link inside the folder that leads to another picture."""
    for name, shade in (("one.png", 1), ("two.png", 2)):
        (folder / name).write_bytes(png(9, 9, shade))
    name = "two.png" if (folder / "p.png").is_symlink() else "one.png"
    (folder / "p.png").unlink(missing_ok=True)
    (folder / "p.png").symlink_to(name)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        pytest.param(lambda folder: None, _file, id="missing"),
        pytest.param(
            lambda folder: (folder / "p.png").write_bytes(b"<html>"), _file, id="broken"
        ),
        pytest.param(_link, _file, id="outside"),
        pytest.param(_turned, _turned, id="link"),
        pytest.param(_file, lambda folder: _file(folder, 3), id="changed"),
    ],
)
def test_pictures_that_were_put_right_are_read_again(
    tmp_path: Path, wrong: Callable[[Path], None], right: Callable[[Path], None]
) -> None:
    (tmp_path / "outside.png").write_bytes(png(5, 5, 5))
    folder = tmp_path / "data"
    folder.mkdir()
    write_rows(folder / "p.jsonl", [{"id": 1, "question": "q", "images": ["p.png"]}])
    spec = SourceSpec(name="a", reader="jsonl", path="p.jsonl")

    def again() -> bool:
        return read_sources([spec], folder, tmp_path / "work", Engine())[1]

    wrong(folder)
    assert [again(), again()] == [True, False]
    right(folder)
    assert [again(), again()] == [True, False]
    (problem,) = read_jsonl(tmp_path / "work/00-read/problems.jsonl", Problem)
    assert (
        problem.images[0].sha256
        == hashlib.sha256((folder / "p.png").read_bytes()).hexdigest()
    )


def test_what_was_looked_for_beside_an_exam_counts_when_it_comes(
    tmp_path: Path,
) -> None:
    """A picture under its second name, a key and the layout that were not there."""
    folder = tmp_path / "data"
    folder.mkdir()
    text = (
        "1. See ![](https://x.org/a/q.jpg?height=9) what is $1+1$?\n\n2. And $2+2$?\n"
    )
    (folder / "e.md").write_text(text, "utf-8")
    spec = SourceSpec(name="a", reader="exam", path="data/e.md")

    def again() -> bool:
        return read_sources([spec], tmp_path, tmp_path / "work", Engine())[1]

    assert [again(), again()] == [True, False]
    (folder / "q.jpg").write_bytes(png(9, 9, 1))
    assert [again(), again()] == [True, False]
    (folder / "e.lines.json").write_text('{"pages": []}', "utf-8")
    assert [again(), again()] == [True, False]


def test_a_pattern_stands_for_the_files_that_it_fits(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    for name in ("b", "a"):
        row = {"id": name, "question": "q", "answer": "1"}
        write_rows(tmp_path / "parts" / f"{name}.jsonl", [row])
    spec = SourceSpec(name="s", reader="jsonl", path="parts/*.jsonl", license="MIT")
    assert [path.name for path in source_paths(spec, tmp_path)] == [
        "a.jsonl",
        "b.jsonl",
    ]
    spec.path = ["parts/b.jsonl", "*/*.jsonl"]
    assert [path.name for path in source_paths(spec, tmp_path)] == [
        "b.jsonl",
        "a.jsonl",
    ]
    spec.path = "parts/*.csv"
    with pytest.raises(UserError, match="fits no file"):
        source_paths(spec, tmp_path)


def test_a_file_that_comes_to_fit_is_read(tmp_path: Path) -> None:
    write_rows(tmp_path / "a.jsonl", [{"id": "1", "question": "q", "answer": "1"}])
    spec = SourceSpec(name="s", reader="jsonl", path="*.jsonl", license="MIT")
    first, _ = read_sources([spec], tmp_path, tmp_path / "work", Engine())
    again, done = read_sources([spec], tmp_path, tmp_path / "work", Engine())
    assert (first.kept, again.kept, done) == (1, 1, False)
    write_rows(tmp_path / "b.jsonl", [{"id": "2", "question": "q", "answer": "1"}])
    assert read_sources([spec], tmp_path, tmp_path / "work", Engine())[0].kept == 2


DECK = """#separator:semicolon
#html:true
#guid column:1
#tags column:3
a1;What is $1+1$?;sums;"2
because"
b2;What is $2+2$?;sums;4
"""


def test_a_deck_of_anki_is_a_table_below_its_notes(tmp_path: Path) -> None:
    (tmp_path / "deck.txt").write_text(DECK, "utf-8")
    fields = {"id": "guid", "question": "field1", "answer": "field2"}
    problems, bad = read(tmp_path, "deck.txt", "table", fields=fields)
    told = [(p.id, p.question, p.answer) for p in problems]
    assert told == [
        ("s-a1", "What is $1+1$?", "2\nbecause"),
        ("s-b2", "What is $2+2$?", "4"),
    ]
    assert bad == []


@pytest.mark.parametrize(
    "front", ["const rows = ", "export default ", "module.exports = ", "let x: Row[] ="]
)
def test_an_array_that_a_script_assigns_is_read(tmp_path: Path, front: str) -> None:
    rows = json.dumps([{"id": k, "question": f"q{k}"} for k in range(3)], indent=1)
    (tmp_path / "p.js").write_text(f"{front}{rows};\n", "utf-8")
    problems, bad = read(tmp_path, "p.js", "jsonl")
    assert ([p.question for p in problems], bad) == (["q0", "q1", "q2"], [])
    (tmp_path / "p.js").write_text(f"{front}[\n  {{question: 'q'}}\n];\n", "utf-8")
    with pytest.raises(UserError, match="is a script, and what it assigns is no JSON"):
        read(tmp_path, "p.js", "jsonl")


@pytest.mark.parametrize(
    "left",
    [
        {"choice1": "one", "choice2": "two", "choice3": "three", "choice4": "four"},
        {"choices": ["one", "two", "three"]},
        {"subparts": [{"label": "a", "question_text": "Find the area."}]},
    ],
)
def test_options_and_sub_questions_that_no_field_uses_are_lost_by_name(
    tmp_path: Path, left: dict[str, Any]
) -> None:
    write_rows(tmp_path / "p.jsonl", [{"id": 1, "question": "q", "answer": 2} | left])
    (problem,), _ = read(tmp_path, "p.jsonl", "jsonl")
    assert [note.split(": ")[:2] for note in problem.notes] == [
        ["lost-text", column] for column in left
    ]


def test_other_columns_may_be_left(tmp_path: Path) -> None:
    left = {
        "subject": "x",
        "similar": [{"question": "r"}],
        "part_of": "a",
        "notes1": "b",
    }
    write_rows(tmp_path / "p.jsonl", [{"id": 1, "question": "q", "answer": 2} | left])
    (problem,), _ = read(tmp_path, "p.jsonl", "jsonl")
    assert problem.notes == []


def test_a_record_is_proposed_by_the_path_to_its_text() -> None:
    row = {"id": 1, "content": {"text": "What is it?", "segments": []}, "answer": "2"}
    assert look_at_columns({}, [*row], [row])[1] == {"question": "content.text"}


def test_a_question_that_holds_its_options_is_parted(tmp_path: Path) -> None:
    ask = {
        "stem": "Which is even?",
        "choices": [{"label": "A", "text": "3"}, {"label": "B", "text": "4"}],
    }
    rows = [{"id": k, "question": ask, "answerKey": "B"} for k in (1, 2)]
    write_rows(tmp_path / "p.jsonl", rows)
    fields = {"answer": "answerKey"}
    (problem, _), _ = read(tmp_path, "p.jsonl", "jsonl", fields=fields)
    assert problem.question == "Which is even?"
    assert [(one.label, one.text) for one in problem.options] == [
        ("A", "3"),
        ("B", "4"),
    ]
    assert (problem.answer, problem.notes) == ("B", [])


def test_why_an_option_is_right_or_wrong_is_told_outside(tmp_path: Path) -> None:
    options = [
        {"text": "7", "isCorrect": True, "rationale": "Two times four, less one."},
        {"text": "-7", "isCorrect": False, "rationale": "The sign is lost."},
    ]
    row = {"id": 1, "question": "How much?", "answerOptions": options}
    write_rows(tmp_path / "p.jsonl", [row])
    (problem,), _ = read(
        tmp_path, "p.jsonl", "jsonl", fields={"options": "answerOptions"}
    )
    assert [one.text for one in problem.options] == ["7", "-7"]
    assert (problem.answer, problem.notes) == ("A", [])
    lines = (tmp_path / "work/00-read/outside.jsonl").read_text("utf-8").splitlines()
    outside = [json.loads(line)["text"] for line in lines]
    assert outside == ["Two times four, less one.", "The sign is lost."]


def test_columns_that_count_are_options_whatever_is_said_behind_and_no_gold() -> None:
    row = {
        "Question - max 120 characters": "What is 2+2?",
        "Answer 1 - max 75 characters": "3",
        "Answer 2 (optional)": "4",
        "Correct answer(s)": "2",
    }
    question, one, two, right = row
    assert look_at_columns({}, [*row], [row])[1] == {
        "question": question,
        "options": f"{one},{two}",
        "answer": right,
    }
