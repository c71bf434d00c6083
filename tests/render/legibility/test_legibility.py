"""Legibility: true pages pass, every kind of damage is found; the real defective pages are, too."""

from __future__ import annotations

import json
import shutil

import pytest
from benchwright.errors import UserError
from benchwright.latex import sized, text_face
from benchwright.render.legibility import legibility, printed_numbers, words_of
from benchwright.render.page import set_page
from PIL import Image, ImageDraw
from real_data import RealData

TEXT = "State the coordinates of the centre of the circle in the form $(a, b)$."


def codes(picture: Image.Image, text: str = "", **options: float) -> set[str]:
    return {issue.code for issue in legibility(picture, text, **options).issues}


@pytest.mark.parametrize("em", [16, 20, 28, 36])
def test_a_sound_page_passes_and_its_size_is_measured(em: int) -> None:
    measured = legibility(set_page(TEXT, em=em).picture)
    assert not measured.issues
    assert measured.em == pytest.approx(em, rel=0.08)
    shrunk = min(1.0, 448 / max(measured.width, measured.height))
    assert measured.effective["448"] == pytest.approx(em * shrunk, rel=0.08)


WITH_OCR = pytest.mark.skipif(
    not shutil.which("tesseract"), reason="tesseract is not installed"
)


@WITH_OCR
def test_words_that_are_not_there_are_named() -> None:
    """As in MathVerse's picture 624: the page lacks three words of its text."""
    assert legibility(set_page(TEXT).picture, TEXT, ocr=True).recall == 1.0
    picture = set_page(
        "State the coordinates of the centre in the form $(a, b)$."
    ).picture
    measured = legibility(picture, TEXT, ocr=True)
    assert measured.recall == pytest.approx(0.75)
    assert set(measured.missing) == {"of", "the", "circle"}
    assert [issue.code for issue in measured.issues] == ["words-missing"]


def test_enlarged_without_smoothing() -> None:
    small = Image.new("L", (200, 200), 255)
    pen = ImageDraw.Draw(small)
    font = sized(text_face(), 12)
    for row in range(10):
        pen.text((5, 20 * row), "x = 3.5, y = 2.81, curve", 0, font)
    assert "blocky" in codes(small.resize((800, 800), Image.Resampling.NEAREST))
    assert "blocky" not in codes(small.resize((800, 800), Image.Resampling.LANCZOS))


@pytest.mark.parametrize(
    ("picture", "code"),
    [
        (Image.new("L", (300, 300), 255), "no-ink"),
        (Image.new("L", (4, 4), 0), "tiny-picture"),
        (set_page("word " * 2000, em=16).picture, "small-text"),
        (set_page(TEXT).picture.crop((0, 0, 700, 148)), "ink-at-edge"),
    ],
)
def test_other_damage(picture: Image.Image, code: str) -> None:
    assert code in codes(picture, em=16.0)


def test_words_that_can_be_looked_for() -> None:
    text = "Find $x$ in ABC, where (a) AB = 3.\nA. 4\nB. $5$"
    assert words_of(text) == ["Find", "in", "ABC", "where", "AB"]


def test_without_tesseract_ocr_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UserError, match="tesseract is not installed"):
        legibility(Image.new("L", (50, 50)), "word", ocr=True)


@WITH_OCR
def test_the_defective_pictures_of_mathverse_are_found(data: RealData) -> None:
    """Pictures 623 and 624 lack words; others that are sound raise no alarm."""
    folder = data.whole("mathverse/six-versions")
    rows = [
        json.loads(line)
        for line in (folder / "problems.jsonl").read_text().splitlines()
    ]
    paths = {row["versions"]["Vision Only"]["image"]: row["versions"] for row in rows}
    bad = {"images/623.png", "images/624.png"} & paths.keys()
    for path in [*sorted(bad), *sorted(paths.keys() - bad)[:4]]:
        text = paths[path]["Vision Dominant"]["question"]
        measured = legibility(Image.open(folder / path), text, ocr=True)
        assert ("words-missing" in {issue.code for issue in measured.issues}) == (
            path in bad
        ), path


@WITH_OCR
def test_numbers_printed_in_a_diagram_are_read() -> None:
    picture = Image.new("RGB", (300, 200), "white")
    pen = ImageDraw.Draw(picture)
    pen.line([(60, 30), (60, 150), (240, 150), (60, 30)], "black", 2)
    pen.text((140, 160), "12.5", "black", sized(text_face(), 18))
    pen.text((25, 80), "37", "black", sized(text_face(), 18))
    assert {"12.5", "37"} <= printed_numbers(picture)
