"""The form as people meet it: whole pictures, zoom, leaves alone, few keys, phones."""

from __future__ import annotations

import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from benchwright.annotate.kinds import problem_task
from benchwright.annotate.projects import make_project, pull_answers, push_tasks
from benchwright.annotate.votes import read_votes
from benchwright.base.pictures import store_picture
from benchwright.problem import Option, Problem, Source
from benchwright.taxonomy import load_tree
from browser import labelling, open_task
from forms import KINDS, pushed
from label_studio import LabelStudio
from PIL import Image as Pillow
from PIL import ImageDraw
from shares import THOROUGH

WIDTHS = (1280, 1440, 1920, 390)  # laptops, a desk, a phone
EDGES = ("red", "green", "blue", "magenta")  # left, right, top, bottom
BAND = 8  # pixels of each edge
SIZES = [(300, 200), (640, 300), (1100, 360), (240, 420)]
ALIKE = 40  # of 255 levels; scaling blurs an edge by up to 34, one cut in half differs by 50
CARD = ".kept"
# beside a card's picture: two cards, a canvas, a column of its own; others are like "subject"
LAID_OUT = KINDS if THOROUGH else ["subject", "duplicates", "placement", "steps"]
SCALE = 0.9  # that Label Studio's pages ask phones for
DRAWN = "() => [...document.images].some(i => i.naturalWidth > 100 && i.complete)"


def framed(width: int, height: int) -> Pillow.Image:
    """A triangle in a frame whose edges have colours of their own."""
    image = Pillow.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(image)
    left, right, top, bottom = EDGES
    draw.rectangle((0, 0, BAND - 1, height), fill=left)
    draw.rectangle((width - BAND, 0, width, height), fill=right)
    draw.rectangle((0, 0, width, BAND - 1), fill=top)
    draw.rectangle((0, height - BAND, width, height), fill=bottom)
    corners = [(40, height - 40), (width - 40, height - 40), (width // 2, 40)]
    draw.polygon(corners, outline="black", width=3)
    return image


def png(image: Pillow.Image) -> bytes:
    data = BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


def drawn_problem(folder: Path, picture: Pillow.Image) -> Problem:
    options = [
        Option(label="A", text=r"$\frac{1}{2}\sqrt{29}$"),
        Option(label="B", text=r"$\begin{cases}x=1\\y=2\end{cases}$"),
        Option(label="C", text="neither"),
    ]
    return Problem(
        id="h-1", origin="h-1", source=Source(name="h", raw_id="1"), answer="A",
        question=r"If $AB=\frac{a}{b}$ in <image1>, what is the area of a circle?",
        options=options, images=[store_picture(png(picture), folder)],
    )  # fmt: skip


def pictures_shown(page: Any, picture: Pillow.Image) -> list[Pillow.Image]:
    """What the page shows in the place of each copy of a picture."""
    copies = page.locator("img:visible")
    shown = []
    for k in range(copies.count()):
        copy = copies.nth(k)
        if copy.evaluate("e => [e.naturalWidth, e.naturalHeight]") != list(
            picture.size
        ):
            continue
        copy.evaluate("e => e.scrollIntoView({block: 'center'})")
        page.wait_for_timeout(100)  # a frame after scrolling
        box = copy.bounding_box()
        data = page.screenshot(clip=box)
        shown.append(Pillow.open(BytesIO(data)).convert("RGB"))
    return shown


def distance(shown: Pillow.Image, picture: Pillow.Image) -> float:
    """How far a picture on the form is from what the problem holds: of the whole and its edges."""
    width, height = shown.size
    across = max(2, BAND * width // picture.width)
    down = max(2, BAND * height // picture.height)
    scaled = np.asarray(picture.resize(shown.size), float)
    apart = np.abs(scaled - np.asarray(shown, float))
    parts = (apart, apart[:, :across], apart[:, -across:], apart[:down], apart[-down:])
    return max(float(part.mean()) for part in parts)


def test_a_cut_picture_is_not_alike() -> None:
    """The measure sees the fault that forms had: some pixels cut on both sides."""
    for size in SIZES:
        picture = framed(*size)
        small = picture.resize((size[0] * 9 // 10, size[1] * 9 // 10))
        assert distance(small, picture) < ALIKE
        for pixels in (BAND // 2, 10, 18):
            cut = picture.crop((pixels, 0, size[0] - pixels, size[1]))
            assert distance(cut, picture) > ALIKE


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_pictures_are_whole_on_every_window(
    studio: LabelStudio, tmp_path: Path, size: tuple[int, int]
) -> None:
    """The kinds that lay pictures out each in its own way, one of them with the other shapes."""
    picture = framed(*size)
    problem = drawn_problem(tmp_path, picture)
    kinds = LAID_OUT if size == SIZES[0] else ["subject"]
    numbers = {
        kind: pushed(studio, tmp_path, kind, (problem, tmp_path))[1] for kind in kinds
    }
    anna = studio.people[0]
    with labelling(studio.site.url, anna.email, anna.password) as page:
        for kind, number in numbers.items():
            open_task(page, studio.site.url, number)
            page.wait_for_function(DRAWN)
            formulas = 4 if kind == "duplicates" else 3  # of the question, its options
            assert page.locator(".mmd svg").count() >= formulas, kind
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                page.wait_for_timeout(500)  # the page measures its columns anew
                shown = pictures_shown(page, picture)
                assert shown, (kind, width)
                for copy in shown:
                    assert copy.width >= min(size[0], 250), (kind, width)
                    assert distance(copy, picture) < ALIKE, (kind, width)


def test_one_key_zooms_and_one_shows_the_picture_in_its_own_size(
    studio: LabelStudio, tmp_path: Path
) -> None:
    picture = framed(900, 700)
    problem = drawn_problem(tmp_path, picture)
    _, number = pushed(studio, tmp_path, "subject", (problem, tmp_path))
    anna = studio.people[0]

    def width(page: Any) -> int:
        page.wait_for_timeout(300)
        return round(page.locator(f"{CARD} img:visible").first.bounding_box()["width"])

    with labelling(studio.site.url, anna.email, anna.password) as page:
        open_task(page, studio.site.url, number)
        page.wait_for_function(DRAWN)
        whole = width(page)
        page.keyboard.press("Control+Equal")
        assert width(page) > whole
        page.keyboard.press("Shift+1")
        assert width(page) == whole < 900
        page.keyboard.press("Shift+2")
        assert width(page) == 900


def test_leaves_alone_can_be_picked_by_mouse_and_by_keyboard(
    studio: LabelStudio, tmp_path: Path
) -> None:
    """Search, down, Enter took a domain as a concept before."""
    tree = load_tree("we-math")
    problem = drawn_problem(tmp_path, framed(300, 200))
    project, number = pushed(studio, tmp_path, "concepts", (problem, tmp_path))
    domain = "Position and Direction"
    below = [leaf for leaf in tree.leaves if leaf.path[0] == domain]
    ben = studio.people[1]
    with labelling(studio.site.url, ben.email, ben.password) as page:
        open_task(page, studio.site.url, number)
        search_tree(page, domain)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")  # by keyboard
        picked = page.locator(".ant-select-selection-item")
        picked.first.wait_for()
        nodes = page.locator(
            ".ant-select-dropdown:visible .ant-select-tree-list-holder-inner "
            ".ant-select-tree-treenode"
        )
        shown = [node.inner_text().strip() for node in nodes.all()]
        assert [leaf.full_name for leaf in below][: len(shown)] == shown
        nodes.nth(2).locator(".ant-select-tree-checkbox").click()  # by mouse
        picked.nth(1).wait_for()
        page.keyboard.press("Escape")
        page.locator(CARD).click()
        submit(page, page.locator("button", has_text="Submit").first.click)
    found = pull_answers(project, studio.client)
    assert (found.refused, found.people) == ([], {"ben": 1})
    [vote] = read_votes(project.folder / "votes.jsonl")
    labels = [tree.label(below[0]), tree.label(below[2])]
    assert vote.value == sorted(labels)


def submit(page: Any, press: Callable[[], object]) -> None:
    with page.expect_response(
        lambda r: "/annotations" in r.url and r.request.method == "POST"
    ):
        press()


def search_tree(page: Any, text: str) -> None:
    page.locator(".ant-select input:visible").first.focus()
    page.keyboard.press("ArrowDown")
    search = page.locator("[data-testid=taxonomy-search]:visible")
    search.wait_for()
    page.wait_for_timeout(500)  # it takes the keyboard once it is drawn
    page.keyboard.type(text)
    page.wait_for_timeout(1000)  # it waits for the end of typing


def test_a_subject_takes_three_keys_and_no_ten_seconds(
    studio: LabelStudio, tmp_path: Path
) -> None:
    """Subject, level, submit: as keys, without the mouse, and the page's share of the time."""
    problem = drawn_problem(tmp_path, framed(300, 200))
    tasks = [
        problem_task(msgspec.structs.replace(problem, id=f"h-{k}")) for k in range(4)
    ]
    project = make_project(tmp_path / "quick", "subject", "math-v")
    number = push_tasks(project, tasks, studio.client, tmp_path, studio.files).project
    chris = studio.people[2]
    seconds = []
    with labelling(studio.site.url, chris.email, chris.password) as page:
        open_task(page, studio.site.url, number)
        page.evaluate(
            "() => { window.pressed = []; for (const kind of ['keydown', 'mousedown'])"
            " document.addEventListener(kind, e => window.pressed.push(e.key), true) }"
        )
        for _ in tasks:
            page.locator(".mmd svg").first.wait_for()
            start = time.monotonic()
            page.keyboard.press("t")  # topology
            page.keyboard.press("a")  # level 4
            submit(page, lambda: page.keyboard.press("Control+Enter"))
            seconds.append(time.monotonic() - start)
            page.wait_for_timeout(1500)  # the next task comes
        keys = page.evaluate("() => window.pressed")
    assert keys == ["t", "a", "Control", "Enter"] * len(tasks)
    assert min(seconds) < 10
    found = pull_answers(project, studio.client)
    assert (found.refused, found.answers) == ([], len(tasks))
    votes = read_votes(project.folder / "votes.jsonl")
    assert {(v.field, v.value) for v in votes} == {
        ("subject", "topology"),
        ("level", 4),
    }


@pytest.mark.parametrize("kind", ["subject", "alignment"])
def test_choices_are_made_on_a_phone(
    studio: LabelStudio, tmp_path: Path, kind: str
) -> None:
    taps = {
        "subject": (["topology", "4"], {"subject": "topology", "level": 4}),
        "alignment": (["no"], {"alignment": "no"}),
    }
    choices, expected = taps[kind]
    problem = drawn_problem(tmp_path, framed(300, 200))
    project, number = pushed(studio, tmp_path, kind, (problem, tmp_path))
    anna = studio.people[0]
    phone = {"has_touch": True, "is_mobile": True}
    with labelling(studio.site.url, anna.email, anna.password, **phone) as page:
        page.set_viewport_size({"width": 390, "height": 844})
        open_task(page, studio.site.url, number)
        for choice in choices:
            page.locator(f'input[name="{choice}"]:visible').first.tap()
        button = page.locator("button", has_text="Submit").first
        for part in [*page.locator(".card:visible").all(), button]:
            box = part.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390 / SCALE
        submit(page, button.tap)
    assert pull_answers(project, studio.client).refused == []
    votes = read_votes(project.folder / "votes.jsonl")
    given = {vote.field: vote.value for vote in votes}
    assert expected.items() <= given.items()
