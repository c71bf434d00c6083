"""Drawings: re-encodings stay the same, one changed digit does not."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from benchwright.dedup.drawings import (
    CONTRAST,
    NOISE,
    PALE,
    SAME,
    SIMILAR,
    _least_correlation,
    _smooth,
    grey_of,
    ink_of,
    pixels_of,
    residual,
)
from PIL import Image, ImageDraw, ImageFont


def drawing(label: str = "35", ink: str = "black", paper: str = "white") -> Image.Image:
    picture = Image.new("RGB", (360, 280), paper)
    pen = ImageDraw.Draw(picture)
    pen.line([(40, 220), (180, 40), (320, 220), (40, 220)], fill=ink, width=2)
    pen.ellipse([150, 140, 210, 200], outline=ink, width=2)
    font = ImageFont.load_default(size=18)
    for place, text in (
        ((20, 220), "A"),
        ((174, 14), "B"),
        ((325, 220), "C"),
        ((165, 225), label),
    ):
        pen.text(place, text, fill=ink, font=font)
    return picture


@pytest.fixture
def ink(tmp_path: Path):
    def measure(picture: Image.Image, kind: str = "PNG", **options: int) -> np.ndarray:
        path = tmp_path / "picture"
        buffer = io.BytesIO()
        picture.save(buffer, kind, **options)
        path.write_bytes(buffer.getvalue())
        found = ink_of(path)
        assert found is not None
        return grey_of(found)

    return measure


def padded(picture: Image.Image) -> Image.Image:
    page = Image.new("RGB", (700, 500), "white")
    page.paste(picture, (130, 90))
    return page


COPIES = {
    "jpeg": lambda ink: ink(drawing(), "JPEG", quality=30),
    "webp": lambda ink: ink(drawing(), "WEBP", quality=50),
    "half": lambda ink: ink(drawing().resize((180, 140), Image.Resampling.LANCZOS)),
    "double": lambda ink: ink(drawing().resize((720, 560), Image.Resampling.BICUBIC)),
    "grey": lambda ink: ink(drawing().convert("L")),
    "padded": lambda ink: ink(padded(drawing())),
    "cropped": lambda ink: ink(drawing().crop((15, 10, 345, 250))),
    "pale": lambda ink: ink(drawing(ink="#777")),
    "inverted": lambda ink: ink(drawing(ink="white", paper="black")),
}


@pytest.mark.parametrize("copy", COPIES)
def test_copies_are_the_same_drawing(copy: str, ink) -> None:
    assert residual(ink(drawing()), COPIES[copy](ink)) <= SAME


@pytest.mark.parametrize("label", ["85", "53", "3", "350", "45", "37"])
def test_another_number_is_not_the_same_drawing(label: str, ink) -> None:
    assert residual(ink(drawing()), ink(drawing(label), "JPEG", quality=60)) > SAME


def test_a_pale_label_counts_as_much_as_a_dark_one(ink) -> None:
    """Beside black lines, a grey number is another one."""

    def pale(label: str) -> Image.Image:
        picture = drawing("")
        font = ImageFont.load_default(size=18)
        ImageDraw.Draw(picture).text((165, 225), label, fill="#aaa", font=font)
        return picture

    assert residual(ink(pale("35")), ink(pale("38"))) > SAME
    assert residual(ink(pale("35")), ink(pale("35"), "JPEG", quality=60)) <= SAME


def test_shading_is_part_of_a_drawing(ink) -> None:
    def shaded(colour: str) -> Image.Image:
        picture = drawing()
        ImageDraw.floodfill(
            picture, (180, 100), tuple(int(colour[k : k + 2], 16) for k in (0, 2, 4))
        )
        return picture

    assert residual(ink(drawing()), ink(shaded("c0c0c0"))) > SAME
    assert residual(ink(shaded("c0c0c0")), ink(shaded("b8b8b8"))) <= SAME


def test_a_drawing_cropped_to_its_frame_keeps_its_paper(ink) -> None:
    framed = drawing()
    ImageDraw.Draw(framed).rectangle([0, 0, 359, 279], outline="black", width=3)
    page = Image.new("RGB", (420, 340), "white")
    page.paste(framed, (30, 30))
    assert residual(ink(framed), ink(page)) <= SAME


def test_another_figure_is_not_similar(ink) -> None:
    other = drawing().transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    assert residual(ink(drawing()), ink(other)) > SIMILAR


def worst_window(x: np.ndarray, y: np.ndarray) -> float:
    """The definition, window by window: the best shift of each, and of these the worst."""
    worst = 1.0
    for top in range(0, x.shape[0] - 11, 4):
        for left in range(0, x.shape[1] - 11, 4):
            best = -1.0
            for dy in range(-2, 3):
                for dx in range(-2, 3):
                    moved = np.roll(y, (dy, dx), (0, 1))
                    a, b = (z[top : top + 12, left : left + 12] for z in (x, moved))
                    common = ((a - a.mean()) * (b - b.mean())).mean()
                    scale = max(
                        (a.var() * b.var()) ** 0.5, CONTRAST * max(a.var(), b.var())
                    )
                    shade = (2 * a.mean() * b.mean() + PALE) / (
                        a.mean() ** 2 + b.mean() ** 2 + PALE
                    )
                    best = max(best, min((common + NOISE) / (scale + NOISE), shade))
            worst = min(worst, best)
    return worst


def test_the_worst_window_decides_as_defined() -> None:
    def strokes(*segments: tuple[int, ...]) -> np.ndarray:
        page = Image.new("L", (56, 40))
        for segment in segments:
            ImageDraw.Draw(page).line(segment, fill=255, width=2)
        return _smooth(np.asarray(page, np.float32) / 255)

    rng = np.random.default_rng(5)
    hopeless = between = 0
    for far in (2, 3, 4, 4, 5, 20, 30, 30):
        lines = rng.integers(0, 40, (4, 4))
        other = lines + rng.integers(-far, far + 1, (4, 4))
        x, y = (
            strokes(*map(tuple, lines.tolist())),
            strokes(*map(tuple, other.tolist())),
        )
        expected = worst_window(x.astype(np.float64), y.astype(np.float64))
        if expected < 1 - SAME - 0.01:  # else the shifts end before all are tried
            hopeless += expected <= 0
            between += expected > 0
            found = max(_least_correlation(x, y), 0)
            assert found == pytest.approx(max(expected, 0), abs=1e-3)
    assert hopeless
    assert between


def test_the_hash_ignores_margins_and_encoding(tmp_path: Path) -> None:
    drawing().save(tmp_path / "a.png")
    padded(drawing()).save(tmp_path / "b.bmp")
    drawing("36").save(tmp_path / "c.png")
    a, b, c = (pixels_of(tmp_path / name) for name in ("a.png", "b.bmp", "c.png"))
    assert a == b != c


def beads(colours: str) -> Image.Image:
    picture = Image.new("RGB", (200, 60), "white")
    pen = ImageDraw.Draw(picture)
    for k, colour in enumerate(colours):
        fill = {"r": "#ff0000", "g": "#008200"}[colour]  # equally light in grey
        pen.ellipse([10 + 35 * k, 15, 40 + 35 * k, 45], fill=fill)
    return picture


def with_faint_mark(label: str) -> Image.Image:
    picture = drawing()
    ImageDraw.Draw(picture).text((340, 5), label, fill="#f4f4f4")
    return picture


def clear(colour: str, alpha: int) -> Image.Image:
    picture = Image.new("RGBA", (60, 40), (255, 255, 255, 0))
    picture.paste(Image.new("RGBA", (20, 20), colour), (10, 10))
    picture.putalpha(Image.new("L", picture.size, alpha))
    return picture


@pytest.mark.parametrize(("one", "other"), [
    (beads("rrggg"), beads("rgggg")),
    (beads("rrggg"), beads("gggrr")),
    (drawing(), with_faint_mark("7")),
    (with_faint_mark("6"), with_faint_mark("9")),
    (drawing(ink="#0000ff"), drawing(ink="#ff0000")),
    (drawing(), drawing(paper="#fefefe")),
    (clear("red", 255), clear("red", 128)),
])  # fmt: skip
def test_what_differs_in_colour_or_faintly_is_never_identical(
    one: Image.Image, other: Image.Image, tmp_path: Path
) -> None:
    one.save(tmp_path / "one.png")
    other.save(tmp_path / "other.png")
    assert pixels_of(tmp_path / "one.png") != pixels_of(tmp_path / "other.png")


def test_a_turned_or_moving_picture_equals_only_its_own_bytes(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    drawing().save(tmp_path / "plain.png")
    drawing().save(tmp_path / "turned.png", exif=exif)
    frames = [drawing(), drawing("36")]
    for name, last in (("one.gif", frames[1]), ("other.gif", drawing("37"))):
        frames[0].save(tmp_path / name, save_all=True, append_images=[last])
    seen = {name: pixels_of(tmp_path / name) for name in
            ("plain.png", "turned.png", "one.gif", "other.gif")}  # fmt: skip
    assert len(set(seen.values())) == 4
    assert all(seen.values())


def test_full_transparency_has_no_colour(tmp_path: Path) -> None:
    for name, colour in (("a.png", (255, 0, 0, 0)), ("b.png", (0, 0, 255, 0))):
        picture = Image.new("RGBA", (30, 20), colour)
        picture.paste((0, 0, 0, 255), (5, 5, 9, 9))
        picture.save(tmp_path / name)
    assert pixels_of(tmp_path / "a.png") == pixels_of(tmp_path / "b.png")


def test_a_colour_that_stands_for_transparency_is_none(tmp_path: Path) -> None:
    for name, colour in (("a.png", (255, 0, 0)), ("b.png", (0, 0, 255))):
        picture = Image.new("RGB", (30, 20), colour)
        picture.paste((0, 0, 0), (5, 5, 9, 9))
        picture.save(tmp_path / name, transparency=colour)
    assert pixels_of(tmp_path / "a.png") == pixels_of(tmp_path / "b.png")


def test_blank_missing_and_damaged_pictures(tmp_path: Path) -> None:
    Image.new("RGB", (50, 50), "white").save(tmp_path / "blank.png")
    (tmp_path / "bad.png").write_bytes(b"\x89PNG nothing")
    assert ink_of(tmp_path / "blank.png") is not None
    assert ink_of(tmp_path / "bad.png") is None
    assert ink_of(tmp_path / "missing.png") is None
    assert pixels_of(tmp_path / "bad.png") == pixels_of(tmp_path / "missing.png") == ""


@pytest.mark.parametrize("size", [(1, 1), (1, 900), (3, 2)])
def test_tiny_pictures_do_not_fail(size: tuple[int, int]) -> None:
    ink = np.ones(size, np.float32)
    assert residual(ink, ink) == 0.0
