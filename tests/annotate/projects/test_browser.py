"""The interfaces in a real browser: mathematics, hostile text, and answers as people give them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from benchwright.annotate.kinds import problem_task
from benchwright.annotate.projects import make_project, pull_answers, push_tasks
from benchwright.annotate.votes import read_votes
from benchwright.problem import Image, Option, Problem, Source
from browser import labelling, open_task
from forms import HOSTILE, KINDS, pushed
from label_studio import LabelStudio

WIDE = "+".join(f"x_{k}" for k in range(10, 60))
QUESTION = (
    rf"If $AB=\sqrt{{29}}$ {HOSTILE} <image1> then $$\frac{{a}}{{b}}$$ is? ${WIDE}$"
)
CARDS = "() => [...document.querySelectorAll('.card')]"
ACTIVE = ("[...document.querySelectorAll('.ant-select-tree-treenode-active')]"
          ".filter(e => e.offsetParent).map(e => e.innerText.trim())[0]")  # fmt: skip
STICKS_OUT = f"{CARDS}.some(card => card.scrollWidth > card.clientWidth + 1)"


@pytest.fixture(scope="module")
def problem(tmp_path_factory: pytest.TempPathFactory) -> tuple[Problem, Path]:
    """A hostile problem with two pictures."""
    from benchwright.base.pictures import store_picture
    from PIL import Image as Pillow

    folder = tmp_path_factory.mktemp("pictures")
    images: list[Image] = []
    for colour in ("red", "blue"):
        Pillow.new("RGB", (200, 100), colour).save(folder / "a.png")
        images.append(store_picture((folder / "a.png").read_bytes(), folder))
    options = [
        Option(label="A", text="$1$"),
        Option(label="B", text="</div><script>x</script>"),
    ]
    source = Source(name="h", raw_id="1")
    return (
        Problem(id="h-1", origin="h-1", source=source, question=QUESTION, images=images,
                options=options),
        folder,
    )  # fmt: skip


def test_every_interface_shows_mathematics_pictures_and_hostile_text(
    studio: LabelStudio, problem: tuple[Problem, Path], tmp_path: Path
) -> None:
    numbers = {kind: pushed(studio, tmp_path, kind, problem)[1] for kind in KINDS}
    admin = studio.site.admin
    with labelling(studio.site.url, admin.email, admin.password) as page:
        for kind, number in numbers.items():
            open_task(page, studio.site.url, number)
            formula = page.locator(".mmd svg").first
            formula.wait_for()
            box = formula.bounding_box()
            assert box["width"] > 30, kind
            assert 10 < box["height"] < 60, kind
            styles = formula.evaluate(
                "e => [getComputedStyle(e).display, e.style.verticalAlign]"
            )
            assert styles[0] == "inline", kind
            assert styles[1].endswith("px"), kind
            shown = page.locator(".mmd").filter(has_text="bold").first.inner_text()
            assert HOSTILE in shown, kind
            assert page.locator("script:has-text('alert')").count() == 0, kind
            height = (
                100 if kind == "placement" else 212
            )  # conditions go onto the first picture
            shown = f"() => [...document.images].some(i => i.naturalHeight == {height})"
            page.wait_for_function(shown)
            assert page.surprises == [], kind
            assert not page.evaluate(STICKS_OUT), kind


def test_cases_and_tables_come_through_label_studios_own_sanitizer(
    studio: LabelStudio, problem: tuple[Problem, Path], tmp_path: Path
) -> None:
    """A formula is one drawing, its Chinese too; a table is HTML around drawings."""
    it, images = problem
    text = (
        r"$f(x)=\begin{cases} x^2, & \text{若 } x>0 \\ 1, & \text{否则} \end{cases}$ "
        r"\begin{tabular}{|c|c|}\hline 人数 & $\frac{1}{8}$ \\ \hline <b>5</b> & 2 \\ \hline"
        r"\end{tabular}"
    )
    it = msgspec.structs.replace(it, question=text, options=[])
    _, number = pushed(studio, tmp_path, "subject", (it, images))
    admin = studio.site.admin
    with labelling(studio.site.url, admin.email, admin.password) as page:
        open_task(page, studio.site.url, number)
        table = page.locator(".mmd table", has_text="人数").last
        table.wait_for()
        cells = table.locator("td")
        assert [cell.inner_text().strip() for cell in cells.all()] == [
            "人数",
            "",
            "<b>5</b>",
            "2",
        ]
        assert cells.nth(1).locator("svg").bounding_box()["height"] > 10
        borders = cells.evaluate_all(
            "all => all.map(e => getComputedStyle(e).borderTopWidth)"
        )
        assert "0px" not in borders
        shown = page.locator(".mmd", has_text="人数").first
        assert "\\" not in shown.inner_text()
        cases = shown.locator("svg").first.bounding_box()
        assert (
            cases["height"] > 1.5 * cells.nth(1).locator("svg").bounding_box()["height"]
        )


@pytest.mark.parametrize("pictures", ["none", "uploaded"])
def test_without_pictures_and_on_a_server_elsewhere(
    studio: LabelStudio, problem: tuple[Problem, Path], tmp_path: Path, pictures: str
) -> None:
    """Pictures are uploaded once; a task without one shows no error."""
    it, images = problem
    if pictures == "none":
        it = msgspec.structs.replace(it, images=[])
    project = make_project(tmp_path / pictures, "alignment", None)
    first = push_tasks(project, [problem_task(it)], studio.client, images)
    more = msgspec.structs.replace(it, id="h-2")
    second = push_tasks(
        project, [problem_task(it), problem_task(more)], studio.client, images
    )
    assert [(p.added, p.skipped) for p in (first, second)] == [(1, []), (1, [])]
    number = first.project
    (store,) = (number for number, description in studio.client.projects().items()
                if description == f"benchwright pictures {project.key}")  # fmt: skip
    assert len(studio.http.get(f"/api/projects/{store}/file-uploads", all="true")) == 1
    admin = studio.site.admin
    with labelling(studio.site.url, admin.email, admin.password) as page:
        open_task(page, studio.site.url, number)
        height = 8 if pictures == "none" else 212
        page.wait_for_function(
            f"() => [...document.images].some(i => i.naturalHeight == {height})"
        )
        assert page.get_by_text("issue loading").count() == 0


def test_subject_and_level_by_mouse(
    studio: LabelStudio, problem: tuple[Problem, Path], tmp_path: Path
) -> None:
    project, number = pushed(studio, tmp_path, "subject", problem)
    anna = studio.people[0]
    with labelling(studio.site.url, anna.email, anna.password) as page:
        open_task(page, studio.site.url, number)
        tick(page, "metric geometry - length")
        tick(page, "4")
        submit(page)
    assert pull_answers(project, studio.client).people == {"anna": 1}
    assert values(project) == {"subject": "metric geometry - length", "level": 4}


def test_steps_by_mouse_and_keyboard(
    studio: LabelStudio, problem: tuple[Problem, Path], tmp_path: Path
) -> None:
    """Texts count without a click on "Add", the leaf of the tree is found by search."""
    project, number = pushed(studio, tmp_path, "steps", problem)
    ben = studio.people[1]
    with labelling(studio.site.url, ben.email, ben.password) as page:
        open_task(page, studio.site.url, number)
        tick(page, "Two-Step")
        tick(page, "text")
        for k, leaf in enumerate(["Area of Circles", "Area of Squares"], 1):
            pick_leaf(page, leaf)
            area = page.locator("textarea:visible")
            for name, text in enumerate(
                [f"given {k}", f"question {k}", "A. 1\nB. $2$\nC. No correct answer"]
            ):
                area.nth(3 * (k - 1) + name).fill(text)
            tick(page, "B", k - 1)
        submit(page)
    found = pull_answers(project, studio.client)
    assert found.refused == []
    options = [
        {"label": "A", "text": "1"},
        {"label": "B", "text": "$2$"},
        {"label": "C", "text": "No correct answer"},
    ]
    assert values(project)["steps"] == {
        "injection": "text",
        "steps": [
            {"knowledge": leaf, "condition": f"given {k}", "question": f"question {k}",
             "options": options, "answer": "B"}
            for k, leaf in enumerate(["Area of Circles", "Area of Squares"], 1)
        ],
    }  # fmt: skip


def test_every_kind_is_labelled_by_keyboard(
    studio: LabelStudio, problem: tuple[Problem, Path], tmp_path: Path
) -> None:
    """Hot keys in every group, trees and texts by keys; the mouse only points."""
    it = msgspec.structs.replace(problem[0], question="What is the area of a circle?")
    chris = studio.people[2]
    work = {kind: pushed(studio, tmp_path, kind, (it, problem[1])) for kind in ANSWERS}
    with labelling(studio.site.url, chris.email, chris.password) as page:
        for kind, (project, number) in work.items():
            open_task(page, studio.site.url, number)
            print(kind)  # seen where it fails
            keys = hot_keys(project)
            GESTURES.get(kind, just_keys)(page, keys, *ANSWERS[kind])
            with page.expect_response(lambda r: "/annotations" in r.url
                                      and r.request.method == "POST"):  # fmt: skip
                page.keyboard.press("Control+Enter")
    for kind, (project, _) in work.items():
        found = pull_answers(project, studio.client)
        assert (kind, found.refused, found.people) == (kind, [], {"chris": 1})
        given = values(project)
        for field, value in GIVEN[kind].items():
            assert given[field] == value, kind


def hot_keys(project: Any) -> dict[str, str]:
    """ "group:choice" -> its key, from the interface that the page shows."""
    page = ET.fromstring(project.load()[2])
    return {
        f"{group.get('name')}:{choice.get('value')}": str(choice.get("hotkey"))
        for group in page.iter()
        if group.get("toName")
        for choice in group
        if choice.get("hotkey")
    }


def just_keys(page: Any, keys: dict[str, str], *choices: str) -> None:
    for choice in choices:
        page.keyboard.press(keys[choice])


def a_leaf(page: Any, keys: dict[str, str], choice: str, leaf: str) -> None:
    page.keyboard.press(keys[choice])
    leaf_by_keys(page, 0, leaf)


def leaf_by_keys(page: Any, k: int, leaf: str) -> None:
    """Open the k-th tree, search, walk down to the leaf, take it."""
    page.locator(".ant-select input:visible").nth(k).focus()
    page.keyboard.press("ArrowDown")
    from playwright.sync_api import TimeoutError as Unchanged

    search = page.locator("[data-testid=taxonomy-search]:visible")
    search.wait_for()
    found = page.locator(
        ".ant-select-dropdown:visible .ant-select-tree-treenode", has_text=leaf
    )
    while not found.count():
        search.fill("")
        search.press_sequentially(leaf)
        with suppress(
            Unchanged
        ):  # a form that is still being made forgets what was typed
            found.last.wait_for(timeout=3000)
    here = ""
    for _ in range(200):  # a leaf is listed by its path, and its own name ends that
        if here.endswith(leaf):
            break
        page.keyboard.press("ArrowDown")
        with suppress(
            Unchanged
        ):  # the search may have begun the list anew: press again
            moved = f"before => ({ACTIVE}) && ({ACTIVE}) != before"
            page.wait_for_function(moved, arg=here, timeout=3000)
        here = page.evaluate(ACTIVE) or ""
    assert here.endswith(leaf), here
    page.keyboard.press("Enter")
    page.locator(".ant-select-selection-item", has_text=leaf).nth(0).wait_for()
    page.keyboard.press("Escape")
    page.locator("[data-testid=taxonomy-search]:visible").wait_for(state="hidden")


def two_steps(page: Any, keys: dict[str, str], *leaves: str) -> None:
    page.keyboard.press(keys["count:Two-Step"])
    page.keyboard.press(keys["injection:text"])
    for k, leaf in enumerate(leaves):
        leaf_by_keys(page, k, leaf)
        for name, text in enumerate([f"given {k}", f"question {k}", "A. 1"]):
            page.locator("textarea:visible").nth(3 * k + name).focus()
            page.keyboard.type(text)
        page.keyboard.press("Tab")  # out of the text field: keys are hot keys again
        page.keyboard.press(keys[f"answer_{k + 1}:A"])


def whole_text(page: Any, keys: dict[str, str], label: str) -> None:
    page.keyboard.press(keys[label])
    page.locator(".lsf-htx-richtext, [data-testid=richtext]", has_text="circle?").first.click(
        click_count=3
    )  # fmt: skip


def a_point(page: Any, keys: dict[str, str], label: str, text: str) -> None:
    page.keyboard.press(keys[label])
    box = page.locator("canvas").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator("textarea:visible").last.focus()
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")


GESTURES: dict[str, Any] = {"concepts": a_leaf, "steps": two_steps, "roles": whole_text,
                            "placement": a_point}  # fmt: skip
ANSWERS: dict[str, tuple[str, ...]] = {
    "subject": ("label:topology", "level:4"),
    "concepts": ("certain:concepts", "Area of Circles"),
    "review": ("verdict:right",),
    "roles": ("role:Question",),
    "placement": ("point:point", "r"),
    "level": ("level:5",),
    "steps": ("Area of Circles", "Area of Squares"),
    "steps-review": ("count:yes", "unique:no", "concepts:yes", "answers:yes"),
    "mathverse-checks": (
        "answer:yes",
        "consistency:yes",
        "category:no",
        "suitable:yes",
    ),
    "we-math-checks": ("consistency:yes", "answer:yes", "concepts:yes", "unique:yes"),
    "alignment": ("alignment:no", "defects:wrong picture"),
    "duplicates": ("verdict:duplicate", "keep:B"),
    "first-error": ("error:none",),
    "suitability": ("suitability:dubious",),
}
GIVEN: dict[str, dict[str, Any]] = {
    "subject": {"subject": "topology", "level": 4},
    "concepts": {"knowledge": ["Area of Circles"]},
    "review": {"subject": "algebra", "review": "right"},
    "roles": {"spans": []},
    "placement": {},
    "level": {"level": 5},
    "steps": {},
    "steps-review": {"steps": {"rejected": ["unique"]}},
    "mathverse-checks": {"checks": "no"},
    "we-math-checks": {"checks": "yes"},
    "alignment": {"alignment": "no", "defects": ["wrong picture"]},
    "duplicates": {"duplicate": "duplicate", "keep": "h-1"},
    "first-error": {"first_error": "none"},
    "suitability": {"suitability": "dubious"},
}


def test_question_and_picture_stay_in_sight_while_steps_are_written(
    studio: LabelStudio, problem: tuple[Problem, Path], tmp_path: Path
) -> None:
    _, number = pushed(studio, tmp_path, "steps", problem)
    anna = studio.people[0]
    with labelling(studio.site.url, anna.email, anna.password) as page:
        open_task(page, studio.site.url, number)
        tick(page, "Three-Step")
        tick(page, "picture")
        last = page.locator("textarea:visible").last
        last.scroll_into_view_if_needed()
        assert (
            page.evaluate(
                "() => document.querySelector('.kept').getBoundingClientRect().top"
            )
            >= 0
        )
        assert page.locator(".kept .mmd").first.is_visible()
        assert page.locator(".kept img").first.bounding_box()["y"] > 0
        assert last.bounding_box()["y"] < page.viewport_size["height"]


def tick(page: Any, choice: str, k: int = 0) -> None:
    """Tick the k-th visible choice of this name."""
    page.locator(f'input[name="{choice}"]:visible').nth(k).check()


def pick_leaf(page: Any, leaf: str) -> None:
    """Open the first tree picker that is still empty, search the leaf, tick it, close."""
    page.locator(".ant-select-selector", has_text="pick a leaf").first.click()
    page.locator("[data-testid=taxonomy-search]:visible").fill(leaf)
    node = page.locator(
        ".ant-select-dropdown:visible .ant-select-tree-treenode", has_text=leaf
    )
    node.last.locator(".ant-select-tree-checkbox").click()
    page.keyboard.press("Escape")


def submit(page: Any) -> None:
    with page.expect_response(
        lambda r: "/annotations" in r.url and r.request.method == "POST"
    ):
        page.locator("button", has_text="Submit").first.click()


def values(project: Any) -> dict[str, Any]:
    return {
        vote.field: vote.value for vote in read_votes(project.folder / "votes.jsonl")
    }
