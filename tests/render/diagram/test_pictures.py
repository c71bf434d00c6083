"""Pictures: the same bytes everywhere, tags, labels on existing pictures, lettering."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from benchwright.base.pictures import encode_png
from benchwright.errors import UserError
from benchwright.render.diagram import draw, spec_of_regions
from benchwright.render.diagram.overlay import ink_of
from benchwright.render.labels import letter
from PIL import Image
from real_data import ROOT

EXAMPLES = ROOT / "examples" / "diagrams"
TRIANGLE = """
points: {A: [0, 0], B: [4, 0], C: [0, 3]}
draw: [{polygon: ABC}, {segment: BC, color: red, tag: c7}]
marks: [{right: BAC}]
labels: [{segment: AB, text: "4"}, {segment: AC, text: "3", tag: [EC, c2]}]
"""

HASHES = """
import hashlib, sys
from pathlib import Path
from benchwright.base.pictures import encode_png
from benchwright.render.diagram.draw import draw
for path in sorted(Path(sys.argv[1]).glob("*-1.yaml")):
    text = path.read_text(encoding="utf-8")
    if "background:" not in text:
        print(path.stem, hashlib.sha256(encode_png(draw(text).picture)).hexdigest())
"""


TASTE = """
mathtext.default: regular
mathtext.fontset: cm
text.hinting: none
text.antialiased: False
path.simplify: False
path.snap: True
path.sketch: (1, 100, 2)
font.family: serif
savefig.dpi: 50
"""


def test_same_bytes_in_other_processes_hash_seeds_and_matplotlib_settings(
    tmp_path: Path,
) -> None:
    (tmp_path / "matplotlibrc").write_text(TASTE)
    runs = [
        subprocess.run(
            [sys.executable, "-c", HASHES, str(EXAMPLES)],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"PYTHONHASHSEED": seed, "MPLCONFIGDIR": str(settings)},
        ).stdout
        for seed, settings in (("1", tmp_path / "none"), ("77", tmp_path))
    ]
    assert runs[0] == runs[1]
    assert len(runs[0].splitlines()) >= 12
    name, digest = runs[0].splitlines()[0].split()
    again = encode_png(
        draw((EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8")).picture
    )
    assert hashlib.sha256(again).hexdigest() == digest


def test_tags_choose_what_is_shown() -> None:
    def texts(tags: set[str] | None) -> set[str]:
        return {done.label.text for done in draw(TRIANGLE, tags=tags).labels}

    assert texts(None) == {"A", "B", "C", "4", "3"}
    assert texts({"DI", "IP"}) == {"A", "B", "C"}
    assert texts({"DI", "EC"}) == {"A", "B", "C", "4", "3"}
    assert texts({"DI", "c2"}) == {"A", "B", "C", "3"}
    base, with_red = (
        draw(TRIANGLE, tags={"DI", "IP"}),
        draw(TRIANGLE, tags={"DI", "IP", "c7"}),
    )
    assert base.picture.mode == "L"
    assert with_red.picture.mode == "RGB"
    assert "right angle" in base.annotation
    assert "right angle" not in draw(TRIANGLE, tags={"DI"}).annotation


def test_width_scales_everything() -> None:
    small, large = draw(TRIANGLE, width_px=400), draw(TRIANGLE, width_px=1200)
    assert large.picture.width == pytest.approx(3 * small.picture.width, rel=0.02)
    heights = [
        next(d for d in drawing.labels if d.label.text == "4").lettering.size[1]
        for drawing in (small, large)
    ]
    assert heights[1] == pytest.approx(3 * heights[0], rel=0.15)
    for width in (0, 10, 100_000):
        with pytest.raises(UserError, match="width"):
            draw(TRIANGLE, width_px=width)


def picture_of_a_triangle() -> Image.Image:
    spec = "points: {A: [0, 0], B: [4, 0], C: [0, 3]}\nhide: [A, B, C]\ndraw: [{polygon: ABC}]"
    return draw(spec).picture


def test_conditions_on_an_existing_picture() -> None:
    base = picture_of_a_triangle()
    ink = np.argwhere(np.asarray(base) < 100)
    (top, left), (bottom, right) = ink.min(0).tolist(), ink.max(0).tolist()
    drawing = draw(
        {
            "kind": "picture",
            "points": {"A": [left, bottom], "B": [right, bottom], "C": [left, top]},
            "marks": [{"right": "BAC"}],
            "labels": [
                {"segment": "AB", "text": "4 cm"},
                {"segment": "AC", "text": "3 cm"},
                {"angle": "ABC", "text": "$x$"},
            ],
        },
        background=base,
    )
    assert not drawing.issues
    assert {done.how for done in drawing.labels} <= {"clear", "small"}
    assert {done.label.text for done in drawing.labels} == {"4 cm", "3 cm", "$x$"}
    taken = ink_of(np.asarray(drawing.picture.convert("RGB")))
    assert taken.sum() > ink_of(np.asarray(base.convert("RGB"))).sum()


@pytest.mark.parametrize("size", [(1, 1), (1, 800), (63, 200)])
def test_a_background_too_small_is_an_error(size: tuple[int, int]) -> None:
    spec = {"kind": "picture", "labels": [{"near": [0, 0], "text": "5"}]}
    with pytest.raises(UserError, match="background has"):
        draw(spec, background=Image.new("RGB", size, "white"))


def test_points_outside_the_picture_are_an_error() -> None:
    spec = {
        "kind": "picture",
        "points": {"A": [10, 300]},
        "labels": [{"point": "A", "text": "5"}],
    }
    with pytest.raises(UserError, match=r"point A at \(10, 300\)"):
        draw(spec, background=Image.new("RGB", (200, 200), "white"))


def test_a_black_picture_gives_labels_on_the_margin_or_an_issue() -> None:
    spec = {"kind": "picture", "labels": [{"near": [100, 100], "text": "5"}]}
    drawing = draw(spec, background=Image.new("RGB", (200, 200), "black"))
    assert [issue.code for issue in drawing.issues] == ["label-overlap"]


def test_grey_areas_are_no_ink() -> None:
    page = np.full((100, 100, 3), 255, np.uint8)
    page[20:80, 20:80] = 180
    ink = ink_of(page)
    assert ink[20, 50]
    assert not ink[30:70, 30:70].any()


def test_regions_of_label_studio() -> None:
    box = {
        "x": 10,
        "y": 20,
        "width": 20,
        "height": 10,
        "rectanglelabels": ["EC text box"],
    }
    point = {"x": 50, "y": 50, "keypointlabels": ["A"]}
    result = [
        {"id": "r1", "type": "rectanglelabels", "value": box},
        {"id": "r1", "type": "textarea", "value": {"text": ["60^\\circ"]}},
        {"id": "k1", "type": "keypointlabels", "value": point},
        {"id": "c1", "type": "choices", "value": {"choices": ["yes"]}},
    ]  # fmt: skip
    assert spec_of_regions(result, 400, 200) == {
        "kind": "picture",
        "points": {"A": [200, 100]},
        "labels": [{"near": [80, 50], "text": "$60^\\circ$"}],
        "erase": [],
    }
    vertices = [
        {"x": 0, "y": 0, "id": "a"},
        {"x": 100, "y": 50, "id": "b", "prevPointId": "a"},
    ]
    path = {"vertices": vertices, "closed": False, "vectorlabels": ["segment"]}
    side = [{"id": "s", "type": "vectorlabels", "value": path},
            {"id": "s", "type": "textarea", "value": {"text": ["5"]}}]  # fmt: skip
    assert spec_of_regions(side, 400, 200)["labels"] == [
        {"segment": [[0, 0], [400, 100]], "text": "5"}
    ]
    with pytest.raises(UserError, match="'r1' has no text"):
        spec_of_regions(result[:1], 400, 200)


def test_lettering() -> None:
    assert letter("A", 24).size != letter("$A'$", 24).size
    assert letter("A1", 24).size[1] > letter("A", 24).size[1]  # the index hangs below
    assert letter("x", 24).mask.tobytes() == letter("$x$", 24).mask.tobytes()
    assert letter("5 厘米", 24).missing in ("", "厘米")
    people = letter(r"$4\sqrt3$", 24)
    assert people.mask.tobytes() == letter(r"$4\sqrt{3}$", 24).mask.tobytes()
    digit, set_digit = letter("4", 24), letter("$4{}$", 24)  # upright, and as large
    assert np.abs(np.subtract(digit.size, set_digit.size)).max() <= 1
    ink = [int(lettering.mask.sum()) for lettering in (digit, set_digit)]
    assert ink[0] == pytest.approx(ink[1], rel=0.2)
    fraction = letter(r"$\frac{1}{2}$ cm", 24)
    assert fraction.size[1] > 1.4 * letter("2", 24).size[1]


LABELLED = [
    ("draw: [{segment: AB}]", []),
    ("draw: [{path: ACB}]", ["label-of-nothing"]),
    ("draw: [{circle: M, radius: 2}, {dot: M}]", ["label-of-nothing"]),
    ("draw: [{line: AB}]", []),
]


@pytest.mark.parametrize(("drawn", "codes"), LABELLED)
def test_a_length_beside_nothing_is_named(drawn: str, codes: list[str]) -> None:
    points = "points: {A: [0, 0], B: [4, 0], C: [2, 3], M: [2, 0]}\n"
    drawing = draw(f"{points}{drawn}\nlabels: [{{segment: AB, text: '4'}}]")
    assert [issue.code for issue in drawing.issues] == codes


def test_the_edge_of_a_cone_is_its_outline_and_its_height_is_not_drawn() -> None:
    cone = "solids: [{cone: OV, radius: 3, height: 4}]\npoints: {A: [3, 0, 0]}\n"
    edge = draw(cone + "labels: [{segment: VA, text: '5'}]")
    assert not edge.issues
    height = draw(cone + "labels: [{segment: OV, text: '4'}]")
    assert [issue.code for issue in height.issues] == ["label-of-nothing"]


def test_a_text_on_tinted_paper_has_a_halo_of_that_paper() -> None:
    paper = Image.new("RGB", (300, 200), (255, 240, 200))
    spec = "kind: picture\nlabels: [{at: [150, 100], text: '5 cm'}]"
    pixels = np.asarray(draw(spec, background=paper).picture.convert("RGB"))
    assert not (pixels == 255).all(axis=2).any()
