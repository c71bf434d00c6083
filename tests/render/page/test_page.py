"""Pages: layout, pictures, options with their letters, and named refusals."""

from __future__ import annotations

import io

import numpy as np
import pytest
from benchwright.errors import UserError
from benchwright.latex import sized, text_face
from benchwright.problem import Option
from benchwright.render.legibility import legibility
from benchwright.render.page import EM, Page, set_page
from benchwright.render.page.page import MARGIN
from PIL import Image, ImageDraw

OPTIONS = [
    Option(label=label, text=text) for label, text in zip("ABCD", "1234", strict=True)
]


def ink(sheet: Page) -> np.ndarray:
    return np.asarray(sheet.picture.convert("L")) < 128


def test_question_options_and_diagram_from_top_to_bottom() -> None:
    diagram = Image.new("RGB", (300, 200), "red")
    sheet = set_page("Find the area of the triangle.", OPTIONS, [diagram])
    assert sheet.issues == ()
    assert sheet.picture.mode == "RGB"
    (left, top, right, bottom) = sheet.pictures[0]
    assert (right - left, bottom - top) == (660, 440)  # enlarged 2.2 times, not more
    rows = np.flatnonzero(ink(sheet)[:top].any(axis=1))
    assert rows[0] >= MARGIN
    assert rows[-1] < top


def lettered(size: tuple[int, int], high: int) -> Image.Image:
    """A drawing whose capitals are so high, with a white border around it."""
    picture = Image.new("L", size, 255)
    pen = ImageDraw.Draw(picture)
    wide, tall = size
    pen.rectangle((40, 40, wide - 40, tall - 40), outline=0, width=2)
    for k, name in enumerate("ABCDEF"):
        font = sized(text_face(), round(high / 0.729))
        pen.text((60 + k * 3 * high, tall // 2), name, 0, font)
    return picture


@pytest.mark.parametrize("high", [10, 14, 24, 60])
def test_letters_of_a_picture_are_nearly_as_large_as_the_text(high: int) -> None:
    sheet = set_page(
        "Find the length of AB.", [], [lettered((18 * high + 240, 400), high)]
    )
    left, _, right, _ = sheet.pictures[0]
    capitals = high * (right - left) / (18 * high + 160)
    assert capitals == pytest.approx(0.95 * 0.73 * EM, rel=0.12)
    assert sheet.issues == ()


def test_letters_that_stay_small_are_named() -> None:
    (issue,) = set_page("Find AB.", [], [lettered((2000, 900), 14)]).issues
    assert (issue.code, issue.where) == ("small-letters", "picture 1")


@pytest.mark.parametrize("words", [3, 30, 120, 400])
@pytest.mark.parametrize("size", [None, (100, 400), (400, 100), (250, 250)])
def test_a_page_is_no_larger_than_its_content_asks(
    words: int, size: tuple[int, int] | None
) -> None:
    """No other width, at which the picture is as large, makes the page's longer side shorter."""
    pictures = [Image.new("L", size, 90)] if size else []
    sheets = [
        set_page("words " * words, [], pictures, width=width)
        for width in range(1200, 460, -50)
    ]
    sides = [
        max(sheet.picture.size)
        for sheet in sheets
        if _shown(sheet) == _shown(sheets[0])
    ]
    assert sides[0] <= 1.15 * min(sides)


def _shown(sheet: Page) -> list[tuple[int, int]]:
    return [(right - left, bottom - top) for left, top, right, bottom in sheet.pictures]


def test_a_grey_page_is_saved_grey_without_metadata() -> None:
    sheet = set_page("Find $x$.", [], [Image.new("RGB", (100, 100), (90, 90, 90))])
    opened = Image.open(io.BytesIO(sheet.png()))
    assert (opened.mode, opened.info) == ("L", {})


def test_small_diagrams_are_enlarged_smoothly() -> None:
    small = Image.new("L", (60, 60), 0)
    small.paste(255, (20, 20, 40, 40))
    sheet = set_page("Find $x$.", [], [small])
    left, top, right, bottom = sheet.pictures[0]
    greys = np.unique(np.asarray(sheet.picture)[top:bottom, left:right])
    assert len(greys) > 8  # nearest neighbour would leave two


def test_options_that_fit_share_a_row_and_its_baseline() -> None:
    wide = [Option(label=o.label, text=o.text * 60) for o in OPTIONS]
    tall = [Option(label="A", text=r"$\frac{\frac{1}{2}}{3}$"), *OPTIONS[1:]]
    heights = [
        set_page("Q", options).picture.height for options in (OPTIONS, tall, wide)
    ]
    assert heights[0] < heights[1] < heights[2]
    sheet = set_page("Which of these numbers is it? " * 6, tall)
    letters = ink(sheet)[-130:, sheet.picture.width // 2 :]  # C and D end on one row
    bottoms = [
        np.flatnonzero(part.any(axis=1))[-1]
        for part in np.array_split(letters, 2, axis=1)
    ]
    assert bottoms[0] == bottoms[1]


def test_letters_never_part_from_their_options() -> None:
    long = (
        "a rather long option that fills more than one line of the page without any doubt "
        * 2
    )
    options = [Option(label=label, text=long) for label in "ABCD"]
    sheet = set_page("Choose.", options)
    starts = ink(sheet)[:, :80].any(
        axis=1
    )  # letters, each beside the first line of its option
    tops = np.flatnonzero(np.diff(starts.astype(int)) == 1)
    assert len(tops) == 1 + 4
    assert all(ink(sheet)[top + 1 : top + 20, 90:].any() for top in tops[1:])


def test_options_that_only_name_their_letter_are_not_printed() -> None:
    """The choices are in the picture then."""
    bare = [Option(label=label, text=label) for label in "ABCDE"]
    assert set_page("Which shape?", bare).png() == set_page("Which shape?").png()


def test_option_pictures_stand_beside_their_letters() -> None:
    pictures = [Image.new("L", (150, 100), 40 * k) for k in range(4)]
    options = [Option(label=o, text=f"<image{k}>") for k, o in enumerate("ABCD", 1)]
    sheet = set_page("Which one of the four is it? " * 30, options, pictures)
    assert len(sheet.pictures) == 4
    assert len({box[1] for box in sheet.pictures}) == 1  # one row
    assert all(box[0] > MARGIN + EM for box in sheet.pictures)


@pytest.mark.parametrize(
    ("question", "pictures", "code"),
    [
        ("word " * 40_000, [], "too-long"),
        ("مثلث", [], "right-to-left"),
        ("Find.", [Image.new("RGB", (1, 1))], "bad-picture"),
        ("Find.", [Image.new("RGB", (90, 60), "white")], "bad-picture"),
        ("", [], "empty-page"),
    ],
)
def test_no_broken_picture_but_a_named_issue(
    question: str, pictures: list[Image.Image], code: str
) -> None:
    sheet = set_page(question, [], pictures)
    assert sheet.picture is None
    assert code in {issue.code for issue in sheet.issues}


def test_pictures_that_are_named_but_not_there_are_told() -> None:
    picture = Image.new("L", (150, 100), 40)
    merged = [Option(label=o, text=f"<image{k}>") for k, o in enumerate("ABCDE", 1)]
    sheet = set_page("See <image1> and <image7>.", merged, [picture])
    told = [issue.where for issue in sheet.issues if issue.code == "missing-picture"]
    assert told == [f"<image{k}>" for k in (2, 3, 4, 5, 7)]
    assert (
        len(sheet.pictures) == 1
    )  # one picture with all the choices: it stands below the text,
    assert (
        sheet.png() == set_page("See <image1> and .", [], [picture]).png()
    )  # and no bare letters


def test_a_page_is_bounded_before_its_pictures_are_read() -> None:
    class Huge:
        width = height = size = 30_000

        def __getattr__(self, name: str) -> None:
            raise AssertionError(f"{name} was asked for")

    sheet = set_page("Find.", [], [Huge()])
    assert (sheet.picture, [issue.code for issue in sheet.issues]) == (
        None,
        ["bad-picture"],
    )
    for width, em in ((100_000, 36), (1200, 0), (50, 6), (1200, 600)):
        with pytest.raises(UserError, match="a page of"):
            set_page("Find.", width=width, em=em)


def test_full_width_blanks_leave_room_for_an_answer() -> None:
    def gap(text: str) -> int:
        columns = np.flatnonzero(ink(set_page(text)).any(axis=0))
        return int(np.diff(columns).max())

    assert gap("(\u3000\u3000)") > gap("( )") + 36
    assert gap("(  )") == gap("( )")


def test_a_formula_in_colour_is_drawn_in_colour() -> None:
    sheet = set_page(r"Find $x+\textcolor{red}{y}$ and {\color{blue} no formula}.")
    colours = {colour for _, colour in sheet.picture.getcolors(1 << 20)}
    assert (255, 0, 0) in colours
    assert set_page("Find $x+y$.").picture.mode == "L"


def test_a_table_of_mathpix_markdown_is_set() -> None:
    rows = r"\hline Name & 50\% \\ \hline $x^2$ & \multicolumn{1}{r|}{3} \\ \hline"
    table = rf"\begin{{tabular}}{{|l|r|}} {rows} \end{{tabular}}"
    table = rf"\begin{{table}}[h]\centering{table}\end{{table}}"
    sheet = set_page(f"See the table.\n{table}\nWhat is it?")
    assert sheet.issues == ()
    dark = ink(sheet)
    assert np.count_nonzero(dark.sum(axis=1) > 120) >= 3  # three lines across
    assert np.count_nonzero(dark.sum(axis=0) > 80) >= 3  # and three down


def test_five_thousand_words_at_a_smaller_size_make_a_page_or_say_why() -> None:
    sheet = set_page("word " * 5000, em=16)
    assert sheet.picture is not None
    assert "small-text" in {i.code for i in legibility(sheet.picture, em=16).issues}


def test_a_font_file_that_is_none() -> None:
    with pytest.raises(UserError, match="no font file"):
        set_page("中文", cjk_font="nowhere.ttf")


def test_without_a_chinese_font_the_page_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from benchwright.latex.typeset import fonts as typeset_fonts
    from benchwright.render.typeset import text_lines as typeset

    typeset._face.cache_clear()
    monkeypatch.setattr(typeset_fonts, "_candidates", list)
    typeset_fonts.cjk_face.cache_clear()
    try:
        codes = {issue.code for issue in set_page("求x的值").issues}
    finally:
        typeset_fonts.cjk_face.cache_clear()
        typeset._face.cache_clear()
    assert {"no-chinese-font", "missing-glyph"} <= codes
