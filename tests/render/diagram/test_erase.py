"""Printed conditions taken off pictures: paper is restored, lines stay, bad boxes are refused."""

from __future__ import annotations

import shutil
from typing import Any

import numpy as np
import pytest
from benchwright.errors import UserError
from benchwright.render.diagram import draw
from PIL import Image, ImageDraw

LINE = {
    "kind": "plane",
    "points": {"A": [0, 0], "B": [8, 3]},
    "draw": [{"segment": "AB"}],
}


def erase(picture: Image.Image, *boxes: Any) -> tuple[np.ndarray, list[str]]:
    drawing = draw({"kind": "picture", "erase": [{"box": box} for box in boxes]},
                   background=picture, width_px=max(120, picture.width))  # fmt: skip
    pixels = np.asarray(drawing.picture.convert("RGB")).astype(int)
    return pixels, [issue.code for issue in drawing.issues]


def paper(colour: Any = "white", size: tuple[int, int] = (200, 150)) -> Image.Image:
    return Image.new("RGB", size, colour)


@pytest.mark.parametrize("colour", ["white", (214, 230, 245), (40, 40, 60)])
def test_a_text_on_one_colour_leaves_nothing(colour: Any) -> None:
    picture = paper(colour)
    clean = np.asarray(picture).astype(int)
    ImageDraw.Draw(picture).text((60, 60), "AB = 5 cm", fill="black" if colour != (40, 40, 60)
                                 else "white")  # fmt: skip
    pixels, issues = erase(picture, [55, 55, 130, 80])
    assert not issues
    assert np.array_equal(pixels, clean)


def test_a_text_on_a_slope_of_grey_is_inpainted_from_the_border() -> None:
    ramp = np.repeat(np.linspace(120, 250, 200)[None, :, None], 150, 0).repeat(3, 2)
    picture = Image.fromarray(ramp.round().astype(np.uint8))
    ImageDraw.Draw(picture).text((60, 60), "5 cm", fill="black")
    pixels, _ = erase(picture, [55, 55, 100, 80])
    assert np.abs(pixels - ramp).max() < 25


@pytest.mark.parametrize(
    "box", [[120, 40, 200, 130], [200, 60, 300, 120], [230, 30, 260, 160]]
)
def test_a_line_that_crosses_the_box_stays(box: list[int]) -> None:
    clean = draw(LINE).picture
    written = clean.copy()
    ImageDraw.Draw(written).text((box[0] + 12, box[1] + 20), "7", fill="black")
    pixels, issues = erase(written, box)
    assert not issues
    off = np.abs(pixels[..., 0] - np.asarray(clean.convert("L")).astype(int))
    assert (off > 100).sum() < 6  # pixels of a line some 90 long and 2 wide


def drawn(strokes: Any, paper_colour: Any = "white", ink: Any = "black") -> Image.Image:
    """A picture with soft edges: polylines and circles drawn four times as large."""
    picture = Image.new("RGB", (800, 600), paper_colour)
    pen = ImageDraw.Draw(picture)
    for stroke in strokes:
        if isinstance(stroke, tuple):  # middle and radius
            x, y, radius = (4 * v for v in stroke)
            pen.ellipse(
                [x - radius, y - radius, x + radius, y + radius], outline=ink, width=8
            )
        else:
            pen.line(
                [(4 * x, 4 * y) for x, y in stroke], fill=ink, width=8, joint="curve"
            )
    return picture.resize((200, 150), Image.Resampling.LANCZOS)


SHAPES = {
    "a circle": ([(90, 75, 50)], [110, 20, 145, 55]),
    "a corner": ([[(20, 100), (100, 100), (140, 30)]], [80, 80, 125, 115]),
    "two corners at one point": ([[(20, 30), (100, 75), (20, 120)], [(10, 75), (100, 75)]],
                                 [80, 55, 125, 95]),
    "a foot of a height": ([[(20, 100), (180, 100)], [(90, 20), (90, 100)]], [75, 85, 110, 115]),
    "lines that cross": ([[(20, 20), (180, 130)], [(20, 120), (180, 40)]], [75, 55, 125, 95]),
    "a line along a side": ([[(10, 80), (190, 80)]], [60, 50, 110, 81]),
    "a line through a corner of the box": ([[(20, 40), (180, 110)]], [60, 57, 100, 95]),
}  # fmt: skip


@pytest.mark.parametrize(("ink", "ground"), [("black", "white"), ("white", (30, 30, 60)),
                                         ((0, 0, 200), (235, 240, 220))])  # fmt: skip
@pytest.mark.parametrize("name", SHAPES)
def test_strokes_go_on_as_they_were(name: str, ink: Any, ground: Any) -> None:
    strokes, box = SHAPES[name]
    picture = drawn(strokes, ground, ink)
    clean = np.asarray(picture).astype(int)
    pixels, issues = erase(picture, box)
    assert not issues
    assert (
        np.abs(pixels - clean).mean(2).max() < 150
    )  # no pixel of a line is paper, or the reverse
    assert (np.abs(pixels - clean).max(2) > 90).sum() < 9


def test_a_corner_is_not_rounded_and_a_curve_is_not_straightened() -> None:
    for name, at in (("a corner", (100, 100)), ("a circle", (125, 40))):
        strokes, box = SHAPES[name]
        pixels, _ = erase(drawn(strokes), box)
        x, y = at
        assert pixels[y - 1 : y + 2, x - 1 : x + 2].min() < 60, name


def test_areas_on_both_sides_of_a_line_keep_their_grounds() -> None:
    picture = paper()
    pen = ImageDraw.Draw(picture)
    pen.polygon([(0, 150), (0, 110), (200, 30), (200, 150)], fill=(190, 205, 230))
    pen.line([(0, 110), (200, 30)], fill="black", width=3)
    clean = np.asarray(picture).astype(int)
    pen.text((90, 62), "7", fill="black")
    pixels, issues = erase(picture, [80, 50, 120, 90])
    assert not issues
    y, x = np.mgrid[:150, :200]
    assert np.abs(pixels - clean)[np.abs(y - 110 + 0.4 * x) > 4].max() < 6
    assert (np.abs(pixels - clean).max(2) > 130).sum() < 9


def test_areas_that_meet_without_a_line_are_an_issue() -> None:
    picture = paper()
    pen = ImageDraw.Draw(picture)
    pen.rectangle([0, 70, 200, 150], fill=(150, 180, 220))
    assert not erase(picture, [60, 50, 140, 90])[1]  # nothing is printed there
    pen.text((90, 60), "A", fill="black", font_size=24)
    assert erase(picture, [60, 50, 140, 95])[1] == ["erase-blend"]


def test_a_letter_that_the_box_cuts_is_an_issue() -> None:
    picture = paper()
    ImageDraw.Draw(picture).text((60, 60), "AB", fill="black", font_size=24)
    assert erase(picture, [50, 50, 150, 72])[1] == ["erase-cut"]


def test_boxes_that_overlap_are_an_issue() -> None:
    assert erase(paper(), [10, 10, 60, 40], [50, 30, 90, 70])[1] == ["erase-overlap"]
    assert not erase(paper(), [10, 10, 60, 40], [60, 10, 90, 40])[1]


def test_a_box_may_be_the_whole_picture() -> None:
    pixels, issues = erase(drawn(SHAPES["a circle"][0]), [0, 0, 200, 150])
    assert not issues
    assert pixels.min() == 255


def test_a_stroke_that_ends_at_the_box_is_an_issue() -> None:
    picture = paper()
    ImageDraw.Draw(picture).line([(10, 70), (100, 70)], fill="black", width=2)
    assert erase(picture, [60, 60, 140, 80])[1] == ["erase-cut"]


NAN = float("nan")


@pytest.mark.parametrize(
    "box",
    [[NAN, 0, 10, 10], [0, 0, 201, 10], [-1, 0, 10, 10], [20, 20, 20, 30], [30, 20, 10, 40],
     [1, 2, 3], "ABCD", 5, None, [0, 0, "oo", 4]],
)  # fmt: skip
def test_boxes_that_are_none_are_refused_by_name(box: Any) -> None:
    with pytest.raises(UserError, match=r"erase\[0\] \(box\)"):
        erase(paper(), box)


def test_erase_is_for_pictures() -> None:
    with pytest.raises(UserError, match="erase without a picture"):
        draw(LINE | {"erase": [{"box": [0, 0, 5, 5]}]})


@pytest.mark.skipif(not shutil.which("tesseract"), reason="needs tesseract")
def test_a_printed_word_is_found_and_erased() -> None:
    spec = {"points": {"A": [0, 0], "B": [8, 0], "C": [3, 5]}, "draw": [{"polygon": "ABC"}],
            "labels": [{"segment": "AC", "text": "5 cm"}]}  # fmt: skip
    drawn = draw(spec)
    (box,) = (done.box for done in drawn.labels if done.label.text == "5 cm")
    spec_of_erase = {"kind": "picture", "erase": [{"word": "5 cm"}]}
    wide = drawn.picture.width
    after = draw(
        spec_of_erase, background=drawn.picture, width_px=wide
    ).picture.convert("L")
    before = np.asarray(drawn.picture.convert("L")).astype(int)
    pixels = np.asarray(after).astype(int)
    left, top, right, bottom = box
    assert pixels[top:bottom, left:right].min() > 240
    changed = np.argwhere(np.abs(pixels - before) > 60)
    assert (changed.min(0) >= [top - 4, left - 4]).all()
    assert (changed.max(0) <= [bottom + 4, right + 4]).all()
    with pytest.raises(UserError, match="not found by OCR"):
        draw(
            {"kind": "picture", "erase": [{"word": "977 km"}]}, background=drawn.picture
        )


@pytest.mark.parametrize(
    ("drawing", "issues"),
    [([[(60 + 12 * k, 75), (66 + 12 * k, 75)] for k in range(5)], ["erase-ink"]), ([], [])],
)  # fmt: skip
def test_dashes_in_the_box_are_an_issue(drawing: Any, issues: list[str]) -> None:
    picture = drawn(drawing)
    ImageDraw.Draw(picture).text((90, 40), "5 cm", fill="black", font_size=20)
    assert erase(picture, [55, 35, 140, 85])[1] == issues


def test_the_mark_of_a_right_angle_stays() -> None:
    picture = drawn(
        [[(20, 20), (20, 100), (180, 100)], [(20, 88), (32, 88), (32, 100)]]
    )
    clean = np.asarray(picture).astype(int)
    ImageDraw.Draw(picture).text((40, 70), "5", fill="black", font_size=16)
    pixels, issues = erase(picture, [10, 68, 58, 110])
    assert not issues
    assert np.array_equal(pixels, clean)


def test_a_letter_that_stands_on_a_line_stays_and_is_an_issue() -> None:
    picture = drawn([[(10, 100), (190, 100)]])
    ImageDraw.Draw(picture).text((80, 100), "A", "black", anchor="ms", font_size=24)
    written = np.asarray(picture).astype(int)
    for bottom in (108, 96):  # below the line, and above it
        pixels, issues = erase(picture, [70, 70, 110, bottom])
        assert issues == ["erase-ink"]
        assert np.array_equal(pixels, written)


def test_what_is_cut_a_little_goes_whole() -> None:
    picture = paper()
    ImageDraw.Draw(picture).text((60, 60), "AB", fill="black", font_size=24)
    lowest = Image.eval(picture, lambda level: 255 - level).getbbox()[3]
    pixels, issues = erase(picture, [50, 50, 150, lowest - 1])
    assert not issues
    assert pixels.min() == 255


def test_a_light_grid_stays_around_the_letters() -> None:
    picture = paper()
    pen = ImageDraw.Draw(picture)
    for place in range(5, 200, 40):
        pen.line([(place, 0), (place, 150)], fill=(220, 220, 220))
        pen.line([(0, place), (200, place)], fill=(220, 220, 220))
    clean = np.asarray(picture).astype(int)
    pen.text((58, 58), "7", fill="black", font_size=14)
    pixels, issues = erase(picture, [50, 50, 110, 110])
    assert not issues
    assert np.array_equal(pixels, clean)
