"""Names of rows and pictures of every export; sub-answers and options that are pictures."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from benchwright import build_release
from benchwright.base.files import read_jsonl
from benchwright.base.pictures import open_picture, store_picture
from benchwright.convert.readers import read_parts, read_sources
from benchwright.errors import UserError
from benchwright.evaluate.people import booklets
from benchwright.evaluate.prompts import ask_text, messages
from benchwright.exports import export, verify
from benchwright.pipeline import Engine, SourceSpec
from benchwright.problem import VERSIONS, Option, Problem, Source, Step, sample_of
from benchwright.release import read_problems, read_samples
from small import dump, options, png, problem, write_rows


def two_sources(tmp_path: Path) -> Path:
    """Two dumps that both start counting at 1, each with its own pictures."""
    for name, shade in (("a", 10), ("b", 90)):
        folder = tmp_path / name
        folder.mkdir()
        rows = []
        for k in (1, 2):
            (folder / f"{k}.png").write_bytes(png(40 + k, 40, shade + k))
            rows.append({
                "id": str(k), "question": f"<image1> {name}{k}?", "answer": f"{k}",
                "images": [f"{k}.png"],
                "labels": {"subject": "algebra", "level": k, "subfield": "x"},
            })  # fmt: skip
        write_rows(folder / "d.jsonl", rows)
    sources = [
        {"name": n, "reader": "jsonl", "path": f"{n}/d.jsonl", "license": "MIT"}
        for n in "ab"
    ]
    recipe = dump(tmp_path, sources=sources, splits={"test": "rest"})
    return build_release(recipe, tmp_path / "out").release


def read_back(tmp_path: Path, path: Path | list[Path], reader: str) -> list[Problem]:
    paths = [str(p) for p in path] if isinstance(path, list) else str(path)
    spec = SourceSpec(name="z", reader=reader, path=paths)
    read_sources([spec], tmp_path, tmp_path / "back", Engine())
    return list(read_jsonl(tmp_path / "back/00-read/problems.jsonl", Problem))


@pytest.mark.parametrize("name", ["math-v", "mm-math"])
def test_two_sources_with_equal_ids_round_trip(tmp_path: Path, name: str) -> None:
    release = two_sources(tmp_path)
    export(name, release, tmp_path / "x")
    back = read_back(tmp_path, tmp_path / "x/test.jsonl", name)
    ours = read_problems(release, "test")
    assert len(back) == 4
    for one, other in zip(ours, back, strict=True):
        assert (one.question, one.answer) == (other.question, other.answer)
        (mine,), (theirs,) = one.images, other.images
        assert mine.sha256 == theirs.sha256
    rows = [json.loads(line) for line in (tmp_path / "x/test.jsonl").open("rb")]
    pictures = {row.get("image") or row["file_name"] for row in rows}
    assert len(pictures) == 4
    if name == "math-v":
        assert [row["id"] for row in rows] == ["a-1", "a-2", "b-1", "b-2"]


def built(tmp_path: Path, problems: list[Problem], **changes: Any) -> Path:
    write_rows(tmp_path / "p.jsonl", [msgspec.to_builtins(p) for p in problems])
    source = {"name": "a", "reader": "problems", "path": "p.jsonl", "license": "MIT"}
    recipe = dump(
        tmp_path, **({"sources": [source], "splits": {"test": "rest"}} | changes)
    )
    return build_release(recipe, tmp_path / "out").release


def same_raw_id(tmp_path: Path, **fields) -> list[Problem]:
    return [
        problem(
            1,
            id=f"{name}-1",
            origin=f"{name}-1",
            source=Source(name=name, raw_id="1", license="MIT"),
            question=f"{name}?",
            images=[store_picture(png(40, 40, shade), tmp_path)],
            **fields,
        )
        for name, shade in (("a", 1), ("b", 2))
    ]


def test_equal_ids_round_trip_in_mathverse(tmp_path: Path) -> None:
    problems = same_raw_id(tmp_path, options=options("1", "2"), answer="A")
    for p in problems:
        p.samples = [sample_of(p, v) for v in VERSIONS]
    release = built(tmp_path, problems)
    written = export("mathverse", release, tmp_path / "v")
    back = read_back(tmp_path, written, "mathverse")
    assert [p.question for p in back] == ["a?", "b?"]
    assert [p.images[0].sha256 for p in back] == [p.images[0].sha256 for p in problems]


def test_equal_ids_round_trip_in_we_math(tmp_path: Path) -> None:
    steps = [
        Step(question="s", options=options("1", "2"), answer="A", knowledge=["k"])
    ] * 2
    problems = same_raw_id(tmp_path, options=options("1", "2"), answer="A", steps=steps)
    (path,) = export("we-math", built(tmp_path, problems), tmp_path / "w")
    back = read_back(tmp_path, path, "we-math")
    assert [(p.question, len(p.steps)) for p in back] == [("a?", 2), ("b?", 2)]
    assert [p.images[0].sha256 for p in back] == [p.images[0].sha256 for p in problems]


def test_sub_questions_of_one_problem_have_their_own_names(tmp_path: Path) -> None:
    p = problem(
        1, question="(1) Find $x$. (2) Find $y$.", answer="(1) 3 (2) 4", answer_kind="text",
        images=[store_picture(png(40, 40, 1), tmp_path)], labels={"level": 1, "subject": "algebra"},
    )  # fmt: skip
    release = built(tmp_path, [p, problem(2)], stages=["open-ended"])
    export("math-v", release, tmp_path / "x")
    rows = [json.loads(line) for line in (tmp_path / "x/test.jsonl").open("rb")]
    assert [row["id"] for row in rows] == ["1-1", "1-2", "2"]
    back = read_back(tmp_path, tmp_path / "x/test.jsonl", "math-v")
    assert [q.answer for q in back] == ["3", "4", "3"]


def test_levels_are_never_invented(tmp_path: Path) -> None:
    release = built(
        tmp_path, [problem(1), problem(2, labels={}), problem(3, labels={"level": ""})]
    )
    with pytest.raises(UserError, match=r"2 have none: a-2, a-3: say their grade"):
        export("math-v", release, tmp_path / "x")
    assert not (tmp_path / "x/test.jsonl").exists()


# -- sub-answers, several letters, options that are pictures ----------------------


def newer(tmp_path: Path) -> Path:
    """A dump as newer sources are: VisioMath's options, two letters, three sub-answers."""
    for k in range(5):
        (tmp_path / f"{k}.png").write_bytes(png(40 + k, 30, 20 * k))
    rows = [
        {"id": "1", "question": "Which is it? <image1>", "images": ["4.png"], "answer": "B",
         "options": [{"image": f"{k}.png"} for k in range(4)]},
        {"id": "2", "question": "Which hold?", "options": ["a", "b", "c"], "answer": "A、C"},
        {"id": "3", "question": "Find (1) x; (2) y; (3) z.",
         "parts": ["5", {"answer": "$\\frac{1}{2}$", "unit": "cm"},
                   {"label": "3", "answer": "no"}]},
        {"id": "4", "question": "①? ②?", "answer": "①30°②5", "answer_kind": "parts"},
    ]  # fmt: skip
    write_rows(
        tmp_path / "newer.jsonl", [row | {"labels": {"level": 2}} for row in rows]
    )
    source = {"name": "n", "reader": "jsonl", "path": "newer.jsonl", "license": "MIT"}
    recipe = dump(
        tmp_path,
        sources=[source],
        splits={"test": "rest"},
        stages=["latex", "check", "gold"],
    )
    return build_release(recipe, tmp_path / "out").release


def test_newer_sources_reach_the_release(tmp_path: Path) -> None:
    release = newer(tmp_path)
    assert not verify(release)
    one, two, three, four = read_samples(release, "test")
    assert [o.text for o in one.options] == [""] * 4
    assert len({o.image.sha256 for o in one.options if o.image}) == 4
    assert (two.answer, two.answer_kind) == ("AC", "choices")
    assert (three.answer, three.answer_kind) == (
        r"(1) 5 (2) $\frac{1}{2}$ (3) no",
        "parts",
    )
    assert [(p.label, p.answer_kind, p.unit) for p in three.parts[:2]] == [
        ("1", "number", None),
        ("2", "expression", "cm"),
    ]
    assert [(p.label, p.answer) for p in four.parts] == [
        ("1", r"30^{\circ}"),
        ("2", "5"),
    ]
    findings = read_jsonl(tmp_path / "out/work/02-check/findings.jsonl", dict)
    assert {f["code"] for f in findings} == {"picture-blank"}, (
        "the test's pictures are plain"
    )
    assert not (tmp_path / "out/work/03-gold/gold.jsonl").exists(), (
        "every sub-answer is its own"
    )


def test_parquet_holds_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    import datasets

    release = newer(tmp_path)
    rows = datasets.load_dataset(
        str(release), split="test", cache_dir=str(tmp_path / "hf")
    )
    assert [o["image"].size for o in rows[0]["options"]] == [
        (40 + k, 30) for k in range(4)
    ]
    assert rows[1]["options"][0] == {"label": "A", "text": "a", "image": None}
    assert [p["answer"] for p in rows[2]["parts"]] == ["5", r"\frac{1}{2}", "no"]


def test_withheld_sub_answers_leave_the_release_and_come_back(tmp_path: Path) -> None:
    p = problem(
        1, answer="(1) 5 (2) 6", answer_kind="parts", parts=read_parts("(1) 5 (2) 6")
    )
    release = built(tmp_path, [p], withhold_answers=["test"])
    assert not verify(
        release, release.with_name(f"{release.name}-private") / "answers.jsonl"
    )
    (public,) = read_samples(release, "test")
    assert (public.answer, [part.answer for part in public.parts]) == (None, ["", ""])
    private = release.with_name(f"{release.name}-private") / "answers.jsonl"
    (whole,) = read_samples(release, "test", private)
    assert whole.parts == p.parts
    path = release / "jsonl/test.jsonl"
    leaked = path.read_bytes().replace(
        b'"answer":"","answer_kind":"number"', b'"answer":"5","answer_kind":"number"'
    )
    path.write_bytes(leaked)
    assert "answer-leaked" in {damage.code for damage in verify(release)}


def test_prompts_and_booklets_show_them(tmp_path: Path) -> None:
    release = newer(tmp_path)
    one, two, three, _ = read_samples(release, "test")
    text = ask_text(one, "math-v")
    assert text.rstrip().endswith(
        "(A) <image2>\n(B) <image3>\n(C) <image4>\n(D) <image5>"
    )
    parts = messages(text, one, release)[0]["content"]
    assert [p["type"] for p in parts] == ["image_url"] * 5 + ["text"]
    for style in ("math-v", "mathverse", "we-math", "mm-math"):
        asked = ask_text(two, style)
        assert asked.endswith("for example ABD.")
        assert "only one letter" not in asked
        assert ask_text(three, style).endswith("as (1) ..., (2) ..., (3) ....")
    booklets(release, "test", tmp_path / "b", number=1)
    page = (tmp_path / "b/booklet-01.html").read_text("utf-8")
    assert page.count("<img") == 5
    assert page.count("<p class=answer>") == 1 + 1 + 3 + 2


def test_harnesses_get_them(tmp_path: Path) -> None:
    csv.field_size_limit(sys.maxsize)
    release = newer(tmp_path)
    rows = []
    for path in export("vlmevalkit", release, tmp_path / "tsv"):
        with path.open(encoding="utf-8", newline="") as file:
            rows += csv.DictReader(file, delimiter="\t")
    assert [rows[0][c] for c in "ABCD"] == [f"<image{k}>" for k in (2, 3, 4, 5)]
    assert len(json.loads(rows[0]["image"].replace("'", '"'))) == 5
    export("lmms-eval", release, tmp_path / "lmms")
    names: dict[str, Any] = {"__file__": "utils.py"}
    exec((tmp_path / "lmms/utils.py").read_text("utf-8"), names)
    doc = json.loads((release / "jsonl/test.jsonl").read_text("utf-8").splitlines()[0])
    assert "(D) <image5>" in names["doc_to_text"](doc | {"pictures_in_question": 1})
    task, *_ = export("inspect", release, tmp_path / "inspect")
    compile(task.read_text("utf-8"), "task.py", "exec")


def test_layouts_of_one_picture_get_all_pasted_into_it(tmp_path: Path) -> None:
    release = newer(tmp_path)
    export("math-v", release, tmp_path / "x")
    row = json.loads((tmp_path / "x/test.jsonl").read_text("utf-8").splitlines()[0])
    picture, _ = open_picture((tmp_path / "x" / row["image"]).read_bytes())
    assert picture.size[0] == 44
    assert picture.size[1] > 5 * 30
    first = (tmp_path / "x" / row["image"]).read_bytes()
    export("math-v", release, tmp_path / "x")
    assert (tmp_path / "x" / row["image"]).read_bytes() == first


def test_the_problems_reader_takes_option_pictures_along(tmp_path: Path) -> None:
    picture = store_picture(png(40, 40, 5), tmp_path)
    p = problem(
        1, options=[Option(label="A", text="", image=picture), *options("", "b")[1:]]
    )
    (back,) = read_problems(built(tmp_path, [p]), "test")
    assert back.options[0].image == picture
