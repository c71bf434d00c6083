"""From a segment marked with the mouse to a picture that carries its length."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from benchwright.annotate.projects import open_project, pull_answers
from benchwright.annotate.votes import read_votes
from benchwright.base.files import write_jsonl
from benchwright.base.pictures import store_picture
from benchwright.cli import cli
from benchwright.problem import Problem, Source, Span
from browser import labelling, open_task
from click.testing import CliRunner
from label_studio import LabelStudio
from PIL import Image, ImageDraw

SIZE = (400, 300)  # pixels
A, B, C = (60, 250), (340, 250), (60, 50)
M = (200, 150)  # between B and C; a click on a point that is marked would select it
MARKS = [
    ("segment", [A, B], r"4\sqrt{3}"),
    ("angle", [M, B, A], r"30^\circ"),
    ("point", [C], "C"),
]
PICTURE = f"[...document.images].find(i => i.naturalWidth == {SIZE[0]})"
TWO_FRAMES = (
    "() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))"
)
POINTS = """([k, n]) => {
    const region = Htx.annotationStore.selected.regions[k];
    return region && (region.vertices?.length ?? 1) == n;
}"""
LOST = 10_000  # milliseconds after which a click is taken for lost
START_AGAIN = """() => {
    const answer = Htx.annotationStore.selected;
    [...answer.regions].forEach(region => region.deleteRegion());
    ["point", "segment", "angle"].forEach(shape => answer.names.get(shape).unselectAll());
}"""
RECIPE = """
name: placed
version: 1.0.0
sources: [{name: t, reader: problems, path: problems.jsonl, license: MIT}]
stages:
  - label: {field: placement, votes: project/votes.jsonl, policy: adjudicate}
  - versions: {}
"""


def triangle(folder: Path) -> Problem:
    picture = Image.new("RGB", SIZE, "white")
    ImageDraw.Draw(picture).polygon([A, B, C], outline="black", width=3)
    picture.save(folder / "t.png")
    question = r"In the figure $AB=4\sqrt{3}$. Find $BC$."
    return Problem(
        id="t-1", origin="t-1", source=Source(name="t", raw_id="1"), question=question,
        images=[store_picture((folder / "t.png").read_bytes(), folder)], answer="8",
        spans=[Span(start=14, end=28, role="EC")],
    )  # fmt: skip


def test_a_segment_marked_by_mouse_carries_its_length(
    studio: LabelStudio, tmp_path: Path
) -> None:
    write_jsonl(tmp_path / "problems.jsonl", [triangle(tmp_path)])
    run("annotate", "push", tmp_path / "problems.jsonl", "-o", tmp_path / "project",
        "--kind", "placement", *studio.options)  # fmt: skip
    project = open_project(tmp_path / "project")
    for person in studio.people[:2]:
        with labelling(studio.site.url, person.email, person.password) as page:
            open_task(page, studio.site.url, project.number)
            mark(page)
    assert pull_answers(project, studio.client).refused == []

    votes = read_votes(tmp_path / "project/votes.jsonl")
    assert [sorted(set(label) - {"text"})[0] for label in votes[0].value] == [
        "angle", "near", "segment",
    ]  # fmt: skip
    assert [label["text"] for label in votes[0].value] == [
        r"$30^\circ$",
        "C",
        r"$4\sqrt{3}$",
    ]
    assert np.allclose(votes[0].value[2]["segment"], [A, B], atol=3)
    assert np.allclose(votes[0].value[0]["angle"], [A, B, M], atol=3)

    (tmp_path / "recipe.yaml").write_text(RECIPE)
    run("build-release", tmp_path / "recipe.yaml", "-o", tmp_path / "out")
    added = (
        np.abs(drawn(tmp_path, "vision_dominant") - drawn(tmp_path, "text_dominant"))
        > 60
    )
    rows, columns = np.nonzero(added)
    assert (
        len(rows) > 100
    )  # the texts are there, and all of them beside what was marked
    zoom = added.shape[1] / SIZE[0]
    beside_ab = (np.abs(rows / zoom - A[1]) < 45) & (np.abs(columns / zoom - 200) < 60)
    beside_b = np.hypot(rows / zoom - B[1], columns / zoom - B[0]) < 110
    assert beside_ab.any()
    assert beside_b.any()
    assert (beside_ab | beside_b).all()
    ink_rows, ink_columns = np.nonzero(drawn(tmp_path, "text_dominant") < 128)
    beside_c = np.hypot(ink_rows / zoom - C[1], ink_columns / zoom - C[0]) < 45
    above = ink_rows / zoom < C[1] - 4
    assert (beside_c & above).any(), "a name stands in every version"


def mark(page: Any) -> None:
    """Mark everything as a person does: shape, points, text, Enter, Escape; then submit.

    On a machine that is busy, Label Studio may lose a click or count it twice; then a person
    starts again, and so do we.
    """
    from playwright.sync_api import TimeoutError as Late

    page.wait_for_function(f"() => {PICTURE}")
    page.locator(".konvajs-content").first.wait_for()
    for _ in range(30):
        try:
            for k, (shape, points, text) in enumerate(MARKS):
                draw(page, k, shape, points)
                area = page.locator("textarea:visible").nth(k)
                area.fill(text)
                area.press("Enter")
                page.keyboard.press("Escape")
                page.get_by_text("Select a region to view").wait_for(timeout=LOST)
            break
        except Late:
            page.evaluate(START_AGAIN)
    with page.expect_response(
        lambda r: "/annotations" in r.url and r.request.method == "POST"
    ):
        page.locator("button", has_text="Submit").first.click()


def draw(page: Any, k: int, shape: str, points: list[tuple[int, int]]) -> None:
    page.locator(".lsf-label", has_text=shape).first.click()
    box = page.evaluate(f"() => {PICTURE}.getBoundingClientRect().toJSON()")
    for n, (x, y) in enumerate(points, 1):
        page.mouse.move(
            box["x"] + box["width"] * x / SIZE[0],
            box["y"] + box["height"] * y / SIZE[1],
        )
        page.mouse.down()
        page.evaluate(TWO_FRAMES)
        page.mouse.up()
        page.wait_for_function(POINTS, arg=[k, n], timeout=LOST)


def run(*words: Any) -> None:
    result = CliRunner().invoke(cli, [str(word) for word in words])
    assert result.exit_code == 0, (result.output, result.exception)


def drawn(folder: Path, version: str) -> Any:
    """The picture of a version, in grey."""
    release = folder / "out/placed-1.0.0"
    rows = map(json.loads, (release / "jsonl/test.jsonl").read_text().splitlines())
    (path,) = (row["images"][0]["path"] for row in rows if row["version"] == version)
    return np.asarray(Image.open(release / path).convert("L")).astype(int)
