"""Legibility: true pages pass, every kind of damage is found; the real defective pages are, too."""

from __future__ import annotations

import json
import shutil

import pytest
from benchwright.errors import UserError
from benchwright.render.legibility.check import legibility
from benchwright.render.legibility.ocr import ocr_recall, printed_numbers
from benchwright.render.legibility.word_shapes import words_of
from benchwright.render.page.page import set_page
from benchwright.render.typeset.fonts import sized, text_face
from PIL import Image, ImageDraw
from real_data import RealData

TEXT = "State the coordinates of the centre of the circle in the form $(a, b)$."


def codes(picture: Image.Image, text: str = "", **options: float) -> set[str]:
    return {issue.code for issue in legibility(picture, text, **options).issues}


@pytest.mark.parametrize("em", [20, 28, 36, 54])
def test_a_sound_page_passes_and_its_size_is_measured(em: int) -> None:
    measured = legibility(set_page(TEXT, em=em).picture, TEXT)
    assert measured.recall == 1.0
    assert measured.em == pytest.approx(em, rel=0.08)
    shrunk = min(1.0, 448 / max(measured.width, measured.height))
    assert measured.effective["448"] == pytest.approx(em * shrunk, rel=0.08)


def test_words_that_are_not_there_are_named() -> None:
    """As in MathVerse's picture 624: the page lacks three words of its text."""
    picture = set_page("State the coordinates of the centre in the form $(a, b)$.").picture
    measured = legibility(picture, TEXT)
    assert measured.recall == pytest.approx(0.75)
    assert set(measured.missing) == {"of", "the", "circle"}
    assert "words-missing" in codes(picture, TEXT)


@pytest.mark.parametrize(
    "text",
    [
        r"Find $\begin{aligned} x &= 1 \\ y &= 2 \end{aligned}$ and the number below",
        "Table:\n"
        + r"\begin{tabular}{|c|} \hline a \\ \hline b \\ \hline \end{tabular}"
        + "\nend here",
    ],
)
def test_words_beside_and_below_tall_formulas_are_found(text: str) -> None:
    measured = legibility(set_page(text).picture, text)
    assert not measured.missing
    assert measured.em == pytest.approx(36, rel=0.08)


def test_another_text_is_not_found() -> None:
    picture = set_page("Consider the following diagram and prove your claim.").picture
    assert legibility(picture, "Calculate volume radius height cylinder.").recall == 0.0


def test_an_option_letter_at_the_end_of_a_line() -> None:
    picture = Image.new("L", (500, 200), 255)
    pen = ImageDraw.Draw(picture)
    font = sized(text_face(), 36)
    pen.text((10, 20), "Find it.  A. 90°   B.", 0, font)
    pen.text((10, 70), "80°   C. 70°", 0, font)
    assert "parted-option" in codes(picture, "Find it.\nA. 90°\nB. 80°\nC. 70°")


def test_a_strip_of_a_cut_line() -> None:
    picture = set_page("Find the length of the side of the square.").picture
    damaged = Image.new("L", (picture.width, picture.height + 100), 255)
    damaged.paste(picture, (0, 0))
    damaged.paste(picture.crop((0, 48, picture.width, 58)), (0, picture.height + 40))
    assert "cut-line" in codes(damaged, "Find the length of the side of the square.")


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
    assert words_of(text) == ["Find", "in", "ABC", "where", "AB", "A.", "B."]


def test_without_tesseract_ocr_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UserError, match="tesseract is not installed"):
        ocr_recall(Image.new("L", (50, 50)), ["word"])


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
def test_ocr_agrees_on_a_sound_page() -> None:
    assert ocr_recall(set_page(TEXT).picture, words_of(TEXT)) >= 0.9


def test_the_defective_pictures_of_mathverse_are_found(data: RealData) -> None:
    """Pictures 623-625 and 684 are known to be wrong; sound ones raise no alarm of these kinds."""
    expected = {
        "images/623.png": "words-missing", "images/624.png": "words-missing",
        "images/625.png": "cut-line", "images/684.png": "parted-option",
    }  # fmt: skip
    codes_of: dict[str, set[str]] = {}
    folder = data.whole("mathverse/six-versions")
    for row in map(json.loads, (folder / "problems.jsonl").read_text().splitlines()):
        dominant = row["versions"]["Vision Dominant"]
        path = row["versions"]["Vision Only"]["image"]
        text = "\n".join([dominant["question"], *(dominant["choices"] or [])])
        codes_of[path] = codes(Image.open(folder / path), text)
    for path, code in expected.items():
        if path in codes_of:
            assert code in codes_of[path]
    kinds = {"words-missing", "cut-line", "parted-option", "small-text", "no-ink"}
    alarms = [path for path, had in codes_of.items() if had & kinds and path not in expected]
    assert len(alarms) <= 0.05 * len(codes_of), json.dumps(alarms)


@pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract is not installed")
def test_numbers_printed_in_a_diagram_are_read() -> None:
    picture = Image.new("RGB", (300, 200), "white")
    pen = ImageDraw.Draw(picture)
    pen.line([(60, 30), (60, 150), (240, 150), (60, 30)], "black", 2)
    pen.text((140, 160), "12.5", "black", sized(text_face(), 18))
    pen.text((25, 80), "37", "black", sized(text_face(), 18))
    assert {"12.5", "37"} <= printed_numbers(picture)
