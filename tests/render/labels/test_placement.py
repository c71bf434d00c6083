"""Labels on all examples and 200 generated diagrams: measured again on the finished pictures."""

from __future__ import annotations

import importlib.util
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from benchwright.render.diagram import Drawing, draw
from benchwright.render.diagram.canvas import INK
from benchwright.render.figure import read_spec
from benchwright.render.labels import Label, Scene, distance_to_pieces, letter, place
from benchwright.render.labels.free_space import FreeSpace
from real_data import ROOT

EXAMPLES = sorted((ROOT / "examples" / "diagrams").glob("*.yaml"))
SUBFIELDS = [
    "plane-length", "plane-area", "plane-angle", "plane-analytic", "plane-applied",
    "solid-length", "solid-area", "solid-volume",
    "function-coordinate", "function-property", "function-expression", "function-applied",
]  # fmt: skip


@cache
def bench() -> ModuleType:
    """The generated set of the benchmark."""
    spec = importlib.util.spec_from_file_location(
        "specs", ROOT / "bench" / "diagram_specs.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def drawings(name: str) -> list[Drawing]:
    if name == "generated":
        return [draw(spec) for spec in bench().generated(200)]
    specs = [read_spec(path.read_text(encoding="utf-8")) for path in EXAMPLES]
    return [draw(spec) for spec in specs if not spec.get("background")]


@pytest.mark.parametrize("subfield", SUBFIELDS)
def test_every_subfield_has_two_examples(subfield: str) -> None:
    assert (
        len([path for path in EXAMPLES if path.stem.rsplit("-", 1)[0] == subfield]) >= 2
    )


@pytest.mark.parametrize("name", ["examples", "generated"])
def test_labels_are_clear_and_nothing_overlaps(name: str) -> None:
    labels = clear = 0
    for drawing in drawings(name):
        assert drawing.issues == []
        width, height = drawing.picture.size
        ink = np.asarray(drawing.picture.convert("RGB"))[..., 1] < INK
        boxes = [done.box for done in drawing.labels]
        for k, done in enumerate(drawing.labels):
            left, top, right, bottom = done.box
            assert 0 <= left < right <= width
            assert 0 <= top < bottom <= height
            own = done.lettering.mask
            within = ink[top:bottom, left:right]
            assert within.any()
            if done.how != "halo":
                assert not (within & (own == 0)).any(), (done.label.text, done.how)
            for other in boxes[:k]:
                apart = (
                    left >= other[2]
                    or right <= other[0]
                    or top >= other[3]
                    or bottom <= other[1]
                )
                assert apart
        names = [done for done in drawing.labels if done.label.kind != "tick"]
        labels += len(names)
        clear += sum(done.how in ("clear", "small", "fixed") for done in names)
    assert clear / labels >= 0.97


def test_no_label_of_a_spec_is_lost() -> None:
    for spec, drawing in zip(
        bench().generated(24), drawings("generated"), strict=False
    ):
        expected = len(spec["labels"])
        got = [d for d in drawing.labels if d.label.where.startswith("labels")]
        assert len(got) == expected


def spec_of(extra: str) -> dict[str, Any]:
    return read_spec(
        "points: {A: [0, 0], B: [6, 0], C: [0, 4]}\ndraw: [{polygon: ABC}]\n" + extra
    )


def placed(extra: str, text: str) -> Any:
    drawing = draw(spec_of(extra))
    return next(done for done in drawing.labels if done.label.text == text)


def test_a_segment_label_stands_outside_next_to_its_middle() -> None:
    done = placed("labels: [{segment: AB, text: '6 m'}]", "6 m")
    drawing = draw(spec_of("labels: [{segment: AB, text: '6 m'}]"))
    bottom = max(d.box[3] for d in drawing.labels if d.label.text in "AB")
    assert done.how == "clear"
    assert done.box[1] < bottom + 30
    middle = (done.box[0] + done.box[2]) / 2
    ends = [np.mean(d.box[::2]) for d in drawing.labels if d.label.text in ("A", "B")]
    assert abs(middle - np.mean(ends)) < 20


def test_an_angle_label_stands_between_its_arms() -> None:
    label = Label("35°", "angle", np.array([[400.0, 300], [100, 300], [345, 128]]))
    ink = np.zeros((400, 500), bool)
    (done,), issues = place([label], ink, ink, Scene([], 1.0, (500, 400)), last=False)
    assert not issues
    for x in done.box[::2]:
        for y in done.box[1::2]:
            turn = np.degrees(np.arctan2(300 - y, x - 100))
            assert 0 < turn < 35.1


def test_a_dimension_line_is_drawn_on_request_and_keeps_off() -> None:
    done = placed("labels: [{segment: AB, text: '6 m', dimension: true}]", "6 m")
    assert done.how == "dimension"
    bar = done.strokes[0].path
    assert abs(bar[1, 1] - bar[0, 1]) < 1e-6  # parallel to AB
    assert done.strokes[0].arrows == (True, True)


def test_a_dimension_line_without_space_is_an_issue_and_its_text_is_kept() -> None:
    label = Label("6 m", "segment", np.array([[50.0, 150], [250, 150]]), dimension=True)
    full, none = np.ones((300, 300), bool), np.zeros((300, 300), bool)
    (done,), (issue,) = place(
        [label], full, none, Scene([], 1.0, (300, 300)), last=True
    )
    assert done.how == "crossing"
    assert issue.code == "label-overlap"


def test_fallbacks_in_order() -> None:
    """Ink everywhere but in one corner: smaller, then halo over dashes, then the least bad."""
    scene = Scene([], 1.0, (300, 300))
    size = np.array(letter("12 cm", 23.0).size)
    label = Label("12 cm", "near", np.array([[150.0, 150]]))
    tight = np.ones((300, 300), bool)
    half = (np.ceil(size * 0.85 / 2) + 5).astype(int)
    tight[150 - half[1] : 150 + half[1], 150 - half[0] : 150 + half[0]] = False
    nothing = np.zeros_like(tight)
    assert place([label], tight, nothing, scene, last=False)[0][0].how == "small"
    full = np.ones((300, 300), bool)
    assert place([label], full, full, scene, last=True)[0][0].how == "halo"
    (done,), (issue,) = place([label], full, nothing, scene, last=True)
    assert done.how == "crossing"
    assert issue.code == "label-overlap"
    assert "'at'" in issue.message


def test_narrow_angles_get_a_leader() -> None:
    spec = {
        "points": {"A": [0, 0], "B": [10, 0], "C": [10, 1.2]},
        "draw": [{"polygon": "ABC"}],
        "labels": [{"angle": "BAC", "text": "{}°"}],
    }
    done = next(d for d in draw(spec).labels if d.label.kind == "angle")
    assert done.how == "leader"
    assert done.strokes[0].arrows == (False, True)


def test_free_space_counts_ink_like_a_loop() -> None:
    random = np.random.default_rng(1)
    ink = random.random((60, 80)) < 0.02
    space = FreeSpace(ink, np.zeros_like(ink))
    centres = random.uniform(10, 50, (40, 2))
    size, pad = (9, 5), 2
    for centre, count in zip(centres, space.ink(centres, size, pad), strict=True):
        left, top = (np.round(centre - np.array(size) / 2).astype(int) - pad).tolist()
        box = ink[
            max(0, top) : top + size[1] + 2 * pad,
            max(0, left) : left + size[0] + 2 * pad,
        ]
        assert count == box.sum()


def test_distances_to_pieces() -> None:
    points = np.array([[0.0, 1], [5, 0], [-3, 4]])
    start, end = np.array([[0.0, 0], [0, 0]]), np.array([[4.0, 0], [0, 0]])
    assert distance_to_pieces(points, start, end).tolist() == [[1, 1], [1, 5], [5, 5]]


def test_at_overrides_the_placer_and_is_checked() -> None:
    good = draw(spec_of("labels: [{segment: AB, text: x, at: [3, 1]}]"))
    assert not good.issues
    bad = draw(spec_of("labels: [{segment: AB, text: x, at: [3, 0]}]"))
    assert [issue.code for issue in bad.issues] == ["label-overlap"]


def test_a_figure_out_of_scale_is_an_issue() -> None:
    wrong = draw(
        spec_of("labels: [{segment: AB, text: '3'}, {segment: AC, text: '5'}]")
    )
    assert [issue.code for issue in wrong.issues] == ["not-to-scale"]
    wrong = draw(spec_of("labels: [{angle: CAB, text: '60°'}]"))
    assert [issue.code for issue in wrong.issues] == ["not-to-scale"]
    meant = draw(spec_of("scale: false\nlabels: [{angle: CAB, text: '60°'}]"))
    assert not meant.issues


def test_a_length_and_the_name_of_a_midpoint_do_not_read_as_one() -> None:
    """The length of AB belongs to the middle of AB, and so does the name of M."""
    spec = """
points: {A: [0, 0], B: [8, 0], C: [3, 5]}
construct: {M: {mid: AB}}
draw: [{polygon: ABC}, {segment: CM}]
labels: [{segment: AB, text: "10"}]
"""
    boxes = {done.label.text: done.box for done in draw(spec).labels}
    (left, top, right, bottom), name = boxes["10"], boxes["M"]
    across = max(left - name[2], name[0] - right)
    down = max(top - name[3], name[1] - bottom)
    assert across >= bottom - top or down >= 0.4 * (bottom - top)


def test_the_text_of_an_arc_stands_at_its_middle() -> None:
    spec = """
points: {O: [0, 0], A: [3, 0], B: [0, 3]}
draw: [{circle: O, radius: 3}]
labels: [{arc: AOB, text: "90°"}]
"""
    drawing = draw(spec)
    boxes = {done.label.text: done.box for done in drawing.labels}
    x, y = ((boxes["90°"][k] + boxes["90°"][k + 2]) / 2 for k in (0, 1))
    a, b = boxes["A"], boxes["B"]
    middle = ((a[0] + b[2]) / 2, (a[3] + b[1]) / 2)
    assert x > middle[0]  # outside, between the ends
    assert y < middle[1]
    assert abs((a[0] - x) - (y - b[3])) < 25  # as far from one end as from the other
