"""Text that is added to a picture is as large as the picture's own letters."""

from __future__ import annotations

import numpy as np
import pytest
from benchwright.render.diagram import draw
from benchwright.render.labels import letter
from benchwright.render.reading import letter_height
from PIL import Image, ImageDraw, ImageFont

SIZES = [(800, 600), (300, 1200), (600, 1800), (1600, 400), (1200, 1200)]
NAMES = ["A", "B", "C", "D", "5 cm", "8 cm", "72°"]
NOTHING: list[str] = []


def drawing(size: tuple[int, int], cap: float, names: list[str] = NAMES) -> Image.Image:
    """A triangle with dashes, dots and names whose capitals are `cap` pixels high."""
    width, height = size
    picture = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(picture)
    corners = [
        (0.15 * width, 0.85 * height),
        (0.85 * width, 0.85 * height),
        (0.5 * width, 0.15 * height),
    ]
    pen.polygon(corners, outline="black", width=3)
    for k in range(12):  # a dashed slanting line, which must not pass for letters
        x, y = 0.2 * width + 9 * k, 0.5 * height + 16 * k
        pen.line([x, y, x + 5, y + 9], fill="black", width=3)
    for x, y in corners:
        pen.ellipse([x - 7, y - 7, x + 7, y + 7], fill="black")
    font = ImageFont.load_default(cap / 0.69)
    top, bottom = (font.getbbox("H")[k] for k in (1, 3))
    assert bottom - top == pytest.approx(cap, abs=1.5)
    step = 0.8 * height / max(len(names), 1)
    for k, name in enumerate(names):
        place = (
            0.03 * width + (k % 2) * (0.93 * width - font.getlength(name)),
            0.02 * height + k * step,
        )
        pen.rectangle(
            [*place, place[0] + font.getlength(name), place[1] + 1.4 * cap],
            fill="white",
        )
        pen.text(place, name, fill="black", font=font)
    return picture


def added(picture: Image.Image) -> float:
    """The height of a digit that is added, in pixels of the picture itself."""
    middle = [picture.width / 2, picture.height / 2]
    spec = {"kind": "picture", "labels": [{"at": middle, "text": "8"}]}
    done = draw(spec, background=picture).labels[0]
    return done.lettering.size[1] * min(1.0, picture.width / 510)


@pytest.mark.parametrize("cap", [16, 24, 40])
@pytest.mark.parametrize("size", SIZES)
def test_added_text_is_as_large_as_the_picture_s_letters(
    size: tuple[int, int], cap: int
) -> None:
    assert added(drawing(size, cap)) == pytest.approx(cap, rel=0.25)


@pytest.mark.parametrize("size", SIZES)
def test_without_letters_the_size_follows_the_picture_within_bounds(
    size: tuple[int, int],
) -> None:
    bare = drawing(size, 20, NOTHING)
    assert letter_height(np.asarray(bare)) is None
    assert 0.015 < added(bare) / (size[0] * size[1]) ** 0.5 < 0.06


def test_letters_are_told_from_what_a_drawing_repeats() -> None:
    page = np.full((400, 400, 3), 255, np.uint8)
    for k in range(10):
        page[20:40, 20 + 30 * k : 26 + 30 * k] = 0  # upright dashes
        page[60:72, 20 + 30 * k : 32 + 30 * k] = 0  # squares
    assert letter_height(page) is None
    assert letter_height(255 - page) is None
    for k, name in enumerate("ABH"):
        mask = letter(name, 60).mask
        page[200 : 200 + mask.shape[0], 40 + 80 * k : 40 + 80 * k + mask.shape[1]] -= (
            mask[..., None]
        )
    assert letter_height(page) == pytest.approx(40, abs=4)


def test_low_letters_do_not_outvote_digits() -> None:
    picture = drawing((800, 600), 30, ["5 cm", "7 cm", "8 mm", "x"])
    assert letter_height(np.asarray(picture)) == pytest.approx(30, rel=0.25)


def test_noise_is_no_text() -> None:
    noise = np.random.default_rng(3).integers(0, 256, (700, 700, 3)).astype(np.uint8)
    height = letter_height(noise)
    assert height is None or 6 <= height <= 140


def test_what_is_erased_is_drawn_again_in_its_size() -> None:
    picture = Image.new("RGB", (400, 900), "white")
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(40 / 0.69)
    pen.text((60, 80), "28", fill="black", font=font)
    spec = {
        "kind": "picture",
        "erase": [{"box": [50, 70, 200, 160]}],
        "labels": [{"at": [200, 500], "text": "8"}],
    }
    height = draw(spec, background=picture).labels[0].lettering.size[1]
    assert height * 400 / 510 == pytest.approx(40, rel=0.25)


def test_added_text_takes_nothing_of_the_picture_s_lines() -> None:
    """Large letters have a wide halo, but no wider than the room that is kept around them."""
    size = (900, 700)
    picture = drawing(size, 60)
    pen = ImageDraw.Draw(picture)
    pen.line([(300, 500), (700, 500)], fill="black", width=4)
    points = {"P": [300, 520], "Q": [700, 520]}  # a little off the line
    spec = {
        "kind": "picture",
        "points": points,
        "labels": [{"segment": "PQ", "text": "8"}],
    }
    done = draw(spec, background=picture, width_px=900)
    (label,) = done.labels
    assert label.how == "clear"
    before, after = (
        np.asarray(p.convert("L")).astype(int) for p in (picture, done.picture)
    )
    assert before.shape == after.shape
    left, top, right, bottom = label.box
    after[top:bottom, left:right] = before[top:bottom, left:right]
    assert (after - before).max() < 60
