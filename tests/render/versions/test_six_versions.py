"""Stages `spans` and `versions`, and the commands around them, end to end."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from shutil import which
from typing import Any
from urllib.parse import unquote

import msgspec
import pytest
from benchwright import build_release
from benchwright.base.command_tree import Commands
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.base.pictures import load_picture, store_picture
from benchwright.pipeline import Context, Engine, load_stage, run_stage
from benchwright.problem import VERSIONS, Drop, Option, Problem, Source, Span
from benchwright.render.stages import spans, versions
from click.testing import CliRunner
from msgspec.structs import replace
from PIL import Image as Pillow

render = Commands("render")
QUESTION = "AB is tangent to circle O, angle A = 50°, find angle O."
SPEC = """
kind: plane
points: {A: [0, 0], B: [4, 0], C: [0, 3]}
draw:
  - {polygon: ABC}
labels:
  - {segment: AB, text: "4"}
  - {point: A}
"""


def picture(color: str = "white", size: tuple[int, int] = (120, 90)) -> bytes:
    buffer = io.BytesIO()
    image = Pillow.new("RGB", size, color)
    image.paste("black", (30, 30, 60, 60))
    image.save(buffer, "PNG")
    return buffer.getvalue()


def problem(work: Path, **changes: object) -> Problem:
    fields = {
        "id": "a-1", "origin": "a-1", "source": Source(name="a", raw_id="1"),
        "question": QUESTION, "images": [store_picture(picture(), work)],
        "options": [Option(label="A", text="$40^{\\circ}$"), Option(label="B", text="1")],
        "answer": "A", "answer_kind": "choice",
        "spans": [Span(start=0, end=26, role="IP"), Span(start=27, end=41, role="EC")],
    }  # fmt: skip
    return Problem(**(fields | changes))


def made(work: Path, **changes: object) -> tuple[Problem, set[str]]:
    context = Context(recipe_folder=work, work=work)
    result = versions(problem(work, **changes), context=context)
    assert isinstance(result, Problem)
    return result, {row["code"] for row in context.tables.get("issues", [])}


def test_six_samples_with_texts_and_pictures(tmp_path: Path) -> None:
    annotated = store_picture(picture("yellow"), tmp_path, role="annotated")
    base = store_picture(picture(), tmp_path)
    result, codes = made(tmp_path, images=[base, annotated], diagram="angle A is 50°")
    samples = {s.version: s for s in result.samples}
    assert tuple(samples) == VERSIONS
    assert {s.id for s in result.samples} == {f"a-1.{v}" for v in VERSIONS}
    texts = {v: s.question for v, s in samples.items()}
    assert texts == {
        "text_dominant": QUESTION,
        "text_lite": QUESTION,
        "text_only": QUESTION,
        "vision_intensive": "Angle A = 50°, find angle O.",
        "vision_dominant": "AB is tangent to circle O, find angle O.",
        "vision_only": "",
    }
    paths = {v: [image.path for image in s.images] for v, s in samples.items()}
    assert (
        paths["text_dominant"]
        == paths["text_lite"]
        == paths["vision_intensive"]
        == [base.path]
    )
    assert paths["vision_dominant"] == [annotated.path]
    assert paths["text_only"] == []
    (sheet,) = samples["vision_only"].images
    assert (sheet.role, sheet.width <= 1200) == ("page", True)
    assert (tmp_path / sheet.path).is_file()
    assert codes == set()  # the condition is in the picture, as its annotation says
    assert samples["text_only"].diagram == "angle A is 50°"


def test_an_unseen_picture_leaves_the_condition_to_a_person(tmp_path: Path) -> None:
    assert made(tmp_path)[1] == {"condition-unchecked"}


def test_pictures_from_a_spec(tmp_path: Path) -> None:
    question = "AB = 4, find BC."
    spans_ = [Span(start=0, end=7, role="EC")]
    result, codes = made(
        tmp_path, question=question, spans=spans_, diagram=SPEC, images=[]
    )
    samples = {s.version: s for s in result.samples}
    base, annotated = (samples[v].images[0] for v in ("text_lite", "vision_dominant"))
    assert base.sha256 != annotated.sha256  # only the second has the label "4"
    assert "condition-nowhere" not in codes
    lost = made(
        tmp_path,
        question=question,
        spans=spans_,
        images=[],
        diagram=SPEC.replace('"4"', '"9"'),
    )
    assert "condition-nowhere" in lost[1]


def test_a_problem_that_cannot_be_drawn_is_dropped_with_the_reason(
    tmp_path: Path,
) -> None:
    context = Context(recipe_folder=tmp_path, work=tmp_path)
    for changes, why in (
        ({"question": "مثلث؟", "spans": []}, "right-to-left"),
        ({"spans": [Span(start=0, end=999, role="EC")]}, "does not lie in the text"),
        ({"diagram": "points: {A: [0"}, "YAML"),
        ({"images": [store_picture(picture(size=(4, 4)), tmp_path)]}, "bad-picture"),
    ):
        result = versions(problem(tmp_path, **changes), context=context)
        assert isinstance(result, Drop)
        assert why in result.reason


def test_overrides_by_a_person(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    write_jsonl(
        path, [{"id": "a-1", "version": "text_lite", "question": "What is angle O?"}]
    )
    context = Context(recipe_folder=tmp_path, work=tmp_path)
    result = versions(problem(tmp_path), overrides=path, context=context)
    assert isinstance(result, Problem)
    assert {s.version: s.question for s in result.samples}[
        "text_lite"
    ] == "What is angle O?"

    bound = context.tables["unbound"][0]
    row = {
        "id": "a-1",
        "version": "text_lite",
        "question": "Where?",
        "about": bound["about"],
    }
    write_jsonl(tmp_path / "bound.jsonl", [row])
    for question, lite in (
        (problem(tmp_path).question, True),
        ("Reworded: what is it?", False),
    ):
        context = Context(recipe_folder=tmp_path, work=tmp_path)
        asked = replace(problem(tmp_path), question=question, spans=[])
        result = versions(asked, overrides=tmp_path / "bound.jsonl", context=context)
        assert isinstance(result, Problem)
        said = {s.version: s.question for s in result.samples}["text_lite"]
        assert (said == "Where?", "stale" in context.tables) == (lite, not lite)


def test_versions_written_by_hand_stay(tmp_path: Path) -> None:
    written = made(tmp_path)[0]
    context = Context(recipe_folder=tmp_path, work=tmp_path)
    assert versions(written, context=context) is written
    assert spans(written, context=context) is written


def test_proposed_spans_are_recorded(tmp_path: Path) -> None:
    context = Context(recipe_folder=tmp_path, work=tmp_path)
    result = spans(problem(tmp_path, spans=[]), context=context)
    assert [s.role for s in result.spans] == ["IP", "EC"]
    assert [row["text"] for row in context.tables["spans"]] == [
        "AB is tangent to circle O,", "angle A = 50°,",
    ]  # fmt: skip


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_same_bytes_with_any_number_of_workers(tmp_path: Path, jobs: int) -> None:
    """Two runs of the runner in different folders, one of them with worker processes."""
    results = []
    for name, workers in (("one", 1), ("other", jobs)):
        work = tmp_path / name
        rows = [
            problem(work, id=f"a-{k}", question=f"{QUESTION} $x^{k}$") for k in range(5)
        ]
        write_jsonl(work / "problems.jsonl", rows)
        context = Context(recipe_folder=work, work=work, engine=Engine(workers))
        run_stage(
            load_stage("versions"), {}, work / "problems.jsonl", work / "01", context
        )
        results.append((work / "01" / "problems.jsonl").read_bytes())
    assert results[0] == results[1]


def test_commands(tmp_path: Path) -> None:
    source = tmp_path / "in"
    hostile = problem(
        source, id="a-2", question="<script>x</script> find $y$.", spans=[]
    )
    write_jsonl(source / "problems.jsonl", [problem(source), hostile])
    run = CliRunner().invoke
    problems = str(source / "problems.jsonl")
    out = tmp_path / "six"
    done = run(render, ["versions", problems, "-o", str(out), "--json"])
    assert done.exit_code == 1  # there are findings
    assert '"problems": 2' in done.output
    sheet = cards(out / "contact.data")
    assert "<script>x</script> find " in [
        card.get("question", [""])[0] for card in sheet
    ]
    assert any(
        "condition-unchecked" in line
        for card in sheet
        for line in card.get("warnings", [])
    )
    assert sum(len(card.get("pictures", [])) for card in sheet) == 2 * 5
    assert len(list(read_jsonl(out / "versions" / "problems.jsonl", Problem))) == 2

    pages = run(
        render, ["page", problems, "-o", str(tmp_path / "pages"), "--id", "a-1"]
    )
    assert pages.exit_code == 0
    row = json.loads(pages.stdout.splitlines()[0])
    assert row == {"id": "a-1", "issues": [], "path": "a-1.png"}
    assert Pillow.open(tmp_path / "pages" / "a-1.png").width <= 1200

    measured = run(render, ["legibility", str(out), "--json"])
    data = json.loads(measured.stdout)
    assert data["a-1"]["recall"] is None
    assert data["a-1"]["effective"]["448"] > 12

    contact = run(render, ["contact", str(out)])
    assert contact.exit_code == 0
    assert '"root":"six/"' in (tmp_path / "six-contact.data/index.js").read_text()


@pytest.mark.parametrize(
    "damage", [Path.unlink, lambda path: path.write_bytes(b"no picture")]
)
def test_one_bad_picture_costs_one_problem(tmp_path: Path, damage: Any) -> None:
    source = tmp_path / "in"
    lost = problem(source, id="a-2", images=[store_picture(picture("red"), source)])
    choices = [
        Option(
            label="A", text="", image=store_picture(picture("blue"), source, "option")
        )
    ]
    write_jsonl(
        source / "problems.jsonl",
        [problem(source), lost, problem(source, id="a-3", options=choices)],
    )
    damage(source / lost.images[0].path)
    run = CliRunner().invoke
    problems = str(source / "problems.jsonl")
    done = run(render, ["versions", problems, "-o", str(tmp_path / "six"), "--json"])
    assert done.exit_code == 1
    kept = read_jsonl(tmp_path / "six" / "versions" / "problems.jsonl", Problem)
    assert [p.id for p in kept] == ["a-1", "a-3"]
    assert "a-2: no versions" in done.output
    assert lost.images[0].path in done.output

    done = run(render, ["page", problems, "-o", str(tmp_path / "pages")])
    assert done.exit_code == 1
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [[issue["code"] for issue in row["issues"]] for row in rows] == [
        [],
        ["bad-picture"],
        [],
    ]
    assert [row.get("path") for row in rows] == ["a-1.png", None, "a-3.png"]


def test_a_page_that_shows_latex_is_a_finding(tmp_path: Path) -> None:
    source = tmp_path / "in"
    rows = [
        problem(source),
        problem(source, id="a-2", question=r"Find $\foo x$.", spans=[]),
    ]
    write_jsonl(source / "problems.jsonl", rows)
    run = CliRunner().invoke
    pages = ["page", str(source / "problems.jsonl"), "-o", str(tmp_path / "pages")]
    assert run(render, [*pages, "--id", "a-1"]).exit_code == 0
    assert "no problem 'a-7'" in str(run(render, [*pages, "--id", "a-7"]).exception)
    done = run(render, pages)
    assert done.exit_code == 1
    assert r"a-2: $\foo x$: " in done.stderr
    assert (tmp_path / "pages" / "a-2.png").exists()


@pytest.mark.skipif(not which("tesseract"), reason="tesseract is not installed")
def test_legibility_looks_for_what_the_page_prints(tmp_path: Path) -> None:
    """Options that only name their letters, or pictures merged into one, are not printed."""
    source = tmp_path / "in"
    letters = [Option(label=k, text=k) for k in "ABCD"]
    merged = [Option(label=k, text=f"<image{n}>") for n, k in enumerate("ABCD", 1)]
    rows = [problem(source, options=letters), problem(source, id="a-2", options=merged)]
    write_jsonl(source / "problems.jsonl", rows)
    run, out = CliRunner().invoke, str(tmp_path / "six")
    run(render, ["versions", str(source / "problems.jsonl"), "-o", out])
    measured = json.loads(run(render, ["legibility", out, "--ocr", "--json"]).stdout)
    assert {name: row["recall"] for name, row in measured.items()} == {
        "a-1": 1.0,
        "a-2": 1.0,
    }
    issues = read_jsonl(Path(out) / "versions" / "issues.jsonl", dict)
    missing = [row["where"] for row in issues if row["code"] == "missing-picture"]
    assert missing == [f"vision_only: <image{n}>" for n in (2, 3, 4)]


def test_a_release_with_versions_gets_its_contact_sheet(tmp_path: Path) -> None:
    source = tmp_path / "in"
    write_jsonl(source / "problems.jsonl", [problem(source)])
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        "name: six\nversion: 1.0.0\nsplits: {test: rest}\nstages: [versions: {}]\n"
        "sources:\n"
        "- {name: a, reader: problems, path: in/problems.jsonl, images: in, license: MIT}\n"
    )
    built = build_release(recipe, tmp_path / "out and about")
    assert len(pictures_of(built.release.parent / "six-1.0.0-contact.html")) == 5
    elsewhere = tmp_path / "a b" / "sheet.html"
    elsewhere.parent.mkdir()
    done = CliRunner().invoke(
        render, ["contact", str(built.release), "-o", str(elsewhere)]
    )
    assert done.exit_code == 0
    assert len(pictures_of(elsewhere)) == 5


def cards(data: Path) -> list[dict[str, Any]]:
    """The cards of a page's data folder."""
    texts = [path.read_text("utf-8") for path in sorted(data.glob("samples-*.js"))]
    parts = [
        json.loads(text[text.index("(") + 1 : text.rindex(")")])[1] for text in texts
    ]
    return [card for part in parts for card in part]


def pictures_of(page: Path) -> list[Path]:
    """The pictures that a contact sheet shows, each of which is there."""
    data = page.with_name(f"{page.stem}.data")
    root = re.search(r'"root":"([^"]*)"', (data / "index.js").read_text())[1]
    found = [
        page.parent / unquote(root) / p
        for c in cards(data)
        for p in c.get("pictures", [])
    ]
    assert all(path.is_file() for path in found)
    return found


def test_a_page_shows_the_diagram_that_the_spec_draws(tmp_path: Path) -> None:
    source = tmp_path / "in"
    drawn = problem(source, diagram=SPEC, images=[])
    bad = problem(source, id="a-2", diagram=SPEC.replace("ABC", "ABX"), images=[])
    write_jsonl(source / "problems.jsonl", [drawn, bad])
    out = tmp_path / "pages"
    done = CliRunner().invoke(
        render, ["page", str(source / "problems.jsonl"), "-o", str(out)]
    )
    assert done.exit_code == 1
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert first == {"id": "a-1", "issues": [], "path": "a-1.png"}
    assert Pillow.open(out / "a-1.png").height > 400  # text alone takes 150
    assert [issue["code"] for issue in second["issues"]] == ["bad-diagram"]
    assert "no point 'X'" in second["issues"][0]["message"]
    assert not (out / "a-2.png").exists()


def test_options_that_are_pictures_stand_on_the_page(tmp_path: Path) -> None:
    colours = {"A": "red", "B": "blue"}
    choices = [
        Option(
            label=k, text="", image=store_picture(picture(colour), tmp_path, "option")
        )
        for k, colour in colours.items()
    ]
    base = store_picture(picture("yellow"), tmp_path)
    result, codes = made(tmp_path, images=[base], options=choices, answer="A")
    samples = {s.version: s for s in result.samples}
    sheet = load_picture(tmp_path, samples["vision_only"].images[0]).convert("RGB")
    drawn = {colour for _, colour in sheet.getcolors(1 << 24)}
    assert {(255, 0, 0), (0, 0, 255), (255, 255, 0)} <= drawn
    assert samples["vision_only"].options == [Option(label=k, text=k) for k in "AB"]
    assert samples["text_lite"].options == choices
    assert "options-in-pictures" in codes


def test_an_erased_picture_stands_before_its_versions(tmp_path: Path) -> None:
    source = tmp_path / "in"
    erasing = problem(source)
    spec = (
        "kind: picture\nbackground: x.png\nerase: [{box: [1, 1, 20, 20]}]\nlabels: []\n"
    )
    erasing = msgspec.structs.replace(erasing, placement=spec)
    write_jsonl(source / "problems.jsonl", [erasing, problem(source, id="a-2")])
    out = tmp_path / "six"
    CliRunner().invoke(
        render, ["versions", str(source / "problems.jsonl"), "-o", str(out)]
    )
    shown = [(card["problem"], card["version"]) for card in cards(out / "contact.data")]
    assert shown[0] == (erasing.id, "original")
    assert [version for _, version in shown].count("original") == 1
    assert len(pictures_of(out / "contact.html")) == 1 + 2 * 5


@pytest.mark.parametrize(
    ("version", "text", "only", "contradicted"),
    [
        ("text_dominant", f"ABC is a triangle. {QUESTION}", "same", set()),
        ("text_dominant", "What is O?", "same", {"text_lite"}),
        ("text_lite", f"Longer than that. {QUESTION}", "cut", {"text_lite"}),
        ("text_only", "Find it.", "own", {"text_only"}),
    ],
)
def test_texts_derived_from_one_another_stay_so(
    tmp_path: Path, version: str, text: str, only: str, contradicted: set[str]
) -> None:
    """MathVerse, equations 2 to 6: Text Only is Text Dominant without its picture."""
    path = tmp_path / "texts.jsonl"
    write_jsonl(path, [{"id": "a-1", "version": version, "question": text}])
    context = Context(recipe_folder=tmp_path, work=tmp_path)
    result = versions(problem(tmp_path), overrides=path, context=context)
    assert isinstance(result, Problem)
    said = {s.version: s.question for s in result.samples}
    assert (
        said["text_only"]
        == {"same": said["text_dominant"], "cut": QUESTION, "own": text}[only]
    )
    rows = context.tables.get("issues", [])
    assert {
        r["where"] for r in rows if r["code"] == "versions-contradict"
    } == contradicted
