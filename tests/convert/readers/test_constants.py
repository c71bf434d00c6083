"""What a source states for all its rows: labels, the benchmark, hand-annotated pictures, grades."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchwright import build_release
from benchwright.base.files import read_jsonl
from benchwright.base.registry import plugged
from benchwright.convert.readers import read_sources
from benchwright.errors import UserError
from benchwright.evaluate.inference import requests_of
from benchwright.evaluate.scoring import official_profiles
from benchwright.pipeline import Engine, SourceSpec
from benchwright.problem import Problem
from benchwright.release import read_manifest, read_samples
from benchwright.taxonomy import read_grade
from small import dump, png, write_rows

ROWS = [
    {"id": "1", "question": "1+1?", "answer": "2", "labels": {"grade": "九年级上学期"}},
    {"id": "2", "question": "1+2?", "answer": "3", "labels": {"grade": ""}},
    {"id": "3", "question": "1+3?", "answer": "4"},
]


def read(tmp_path: Path, rows: list[dict] = ROWS, **fields) -> list[Problem]:
    write_rows(tmp_path / "d.jsonl", rows)
    spec = SourceSpec(name="a", reader="jsonl", path="d.jsonl", **fields)
    read_sources([spec], tmp_path, tmp_path / "work", Engine())
    return list(read_jsonl(tmp_path / "work/00-read/problems.jsonl", Problem))


def test_a_source_states_labels_and_rows_go_before_them(tmp_path: Path) -> None:
    problems = read(tmp_path, labels={"grade": "Grade 8", "competition": "AMC 8"})
    assert [p.labels for p in problems] == [
        {"grade": grade, "competition": "AMC 8"} for grade in (9, 8, 8)
    ]
    assert problems[0].notes == [
        "constant-differs: grade is '九年级上学期', the source says 'Grade 8'"
    ]
    assert problems[1].notes == []


@pytest.mark.parametrize(
    ("fields", "cause"),
    [
        ({"labels": {"grade": "college"}}, "one grade as a number"),
        ({"labels": {"a b": 1}}, "label 'a b'"),
        ({"labels": {"subject": ""}}, "label 'subject' is ''"),
        (
            {"labels": {"subject": "algbra"}, "benchmark": "math-v"},
            "did you mean 'algebra'",
        ),
        ({"labels": {"level": 7}, "benchmark": "math-v"}, "not on the scale of math-v"),
        ({"annotated": "nowhere"}, "is not a folder"),
    ],
)
def test_constants_that_cannot_be_are_named(
    tmp_path: Path, fields: dict, cause: str
) -> None:
    with pytest.raises(UserError, match=f"source 'a': .*{cause}"):
        read(tmp_path, **fields)


def test_hand_annotated_pictures_come_with_any_reader(tmp_path: Path) -> None:
    (tmp_path / "drawn").mkdir()
    (tmp_path / "drawn" / "2.png").write_bytes(png(40, 40, 3))
    (tmp_path / "base.png").write_bytes(png(40, 40, 9))
    rows = [row | {"images": ["base.png"]} for row in ROWS]
    roles = [
        [i.role for i in p.images] for p in read(tmp_path, rows, annotated="drawn")
    ]
    assert roles == [["figure"], ["figure", "annotated"], ["figure"]]
    mapped = [ROWS[0] | {"images": ["base.png"], "hand": "drawn/2.png"}]
    (one,) = read(tmp_path, mapped, fields={"annotated": "hand"})
    assert [i.role for i in one.images] == ["figure", "annotated"]


def test_a_rebuilt_benchmark_is_treated_as_its_benchmark(tmp_path: Path) -> None:
    recipe = dump(tmp_path, benchmark="we-math", labels={"grade": "初二"})
    release = build_release(recipe, tmp_path / "out").release
    samples = read_samples(release, "test")
    assert {s.source.benchmark for s in samples} == {"we-math"}
    assert {s.labels["grade"] for s in samples} == {8}
    assert official_profiles(read_manifest(release)) == {"a": "we-math"}
    asked = requests_of(release, "test")[0].messages[0]["content"][-1]["text"]
    assert "<Thought process>" in asked
    nested = tmp_path / "again"
    nested.mkdir()
    source = {"name": "b", "reader": "problems", "path": "p.jsonl", "license": "MIT"}
    source["images"] = str(release)
    (nested / "p.jsonl").write_bytes(
        (tmp_path / "out/work/02-split/problems.jsonl").read_bytes()
    )
    rebuilt = build_release(dump(nested, sources=[source]), nested / "out").release
    samples = read_samples(rebuilt, "test")
    assert official_profiles(read_manifest(rebuilt), samples) == {"a": "we-math"}


def test_an_unknown_benchmark_is_named_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match=r"unknown benchmark 'mathv': did you mean 'math-v'"
    ):
        build_release(dump(tmp_path, benchmark="mathv"), tmp_path / "out")
    build_release(dump(tmp_path, benchmark="none"), tmp_path / "out")


@pytest.mark.parametrize(
    ("written", "grade"),
    [
        (8, 8), ("8", 8), (9.0, 9), ("Grade 9", 9), ("grade nine", 9), ("9th grade", 9),
        ("ninth grade", 9), ("Class 8", 8), ("九年级", 9), ("九年级上学期", 9), ("九年级（上）", 9),
        ("八年级下册", 8), ("9年级", 9), ("初三", 9), ("高一", 10), ("十二年级", 12), ("nine", 9),
        ("9-10", None), ("Grades 9-10", None), ("college", None), ("", None), (None, None),
        (True, None), (0, None), (99, None), ("x" * 10_000, None), (["9"], None),
    ],
)  # fmt: skip
def test_grades_are_read_by_one_function(written: object, grade: int | None) -> None:
    assert read_grade(written) == grade


@pytest.mark.parametrize(
    ("answer", "kind", "read_as"),
    [
        ("B、D", "choices", "BD"), ("A, B and D", "choices", "ABD"), ("DB", "choices", "BD"),
        ("B", "choice", "B"), ("BB", "choice", "BB"), ("AE", "choice", "AE"),
        ("AC", "choice", "A"),  # which is the value of an option
    ],
)  # fmt: skip
def test_several_letters_are_read_as_such(
    tmp_path: Path, answer: str, kind: str, read_as: str
) -> None:
    row = {
        "id": "1",
        "question": "?",
        "options": ["AC", "x", "y", "z"],
        "answer": answer,
    }
    (one,) = read(tmp_path, [row])
    assert (one.answer_kind, one.answer) == (kind, read_as)


READER = """
from benchwright import Problem, Source, json_lines_rows, reader

@reader("mine", rows=json_lines_rows)
def mine(raw, source, pictures):
    row, known = raw.data, Source(name=source.name, raw_id=raw.data["id"])
    return Problem(id=row["id"], origin=row["id"], source=known, question=row["question"],
                   language=row.get("language", ""))
"""


def test_a_source_speaks_for_the_problems_of_a_plugins_reader(tmp_path: Path) -> None:
    """A reader says what its rows say; language, licence, address, labels are the source's."""
    (tmp_path / "mine.py").write_text(READER)
    rows = [
        {"id": "1", "question": "x+1?"},
        {"id": "2", "question": "x+2?", "language": "fr"},
    ]
    write_rows(tmp_path / "d.jsonl", rows)
    spec = SourceSpec(name="a", reader="mine", path="d.jsonl", license="MIT", url="u",
                      language="zh", labels={"grade": 8}, benchmark="we-math")  # fmt: skip
    with plugged([tmp_path / "mine.py"]):
        read_sources([spec], tmp_path, tmp_path / "work", Engine())
    problems = list(read_jsonl(tmp_path / "work/00-read/problems.jsonl", Problem))
    assert [p.language for p in problems] == ["zh", "fr"]
    for problem in problems:
        source = problem.source
        assert (source.license, source.url, source.benchmark) == ("MIT", "u", "we-math")
        assert problem.labels == {"grade": 8}


def test_the_question_says_the_language_where_nobody_else_does(tmp_path: Path) -> None:
    rows = [{"id": "1", "question": "求 $x$"}, {"id": "2", "question": "Find $x$"},
            {"id": "3", "question": "求 $x$", "language": "ja"}]  # fmt: skip
    assert [p.language for p in read(tmp_path, rows)] == ["zh", "en", "ja"]
    assert [p.language for p in read(tmp_path, rows, language="en")] == [
        "en",
        "en",
        "ja",
    ]
