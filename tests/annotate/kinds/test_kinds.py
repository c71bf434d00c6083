"""Answers as votes: every kind's reader on results as Label Studio writes them."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from benchwright.annotate.kinds import BUILT_IN as KINDS
from benchwright.annotate.kinds import TaskAnswer, controls_of, load_kind
from benchwright.errors import UserError
from benchwright.taxonomy import BUILT_IN, load_tree
from label_studio import leaves, picked, typed

TREES = {"subject": "math-v", "concepts": "we-math", "review": "math-v", "steps": "we-math",
         "level": "math-v"}  # fmt: skip


def read(
    kind: str, results: list[dict[str, Any]], tree: str = "", **data: Any
) -> dict[str, Any]:
    name = tree or TREES.get(kind)
    loaded = load_tree(name) if name else None
    answer = TaskAnswer(data, results, loaded)
    answer.check(controls_of(load_kind(kind).interface(loaded)))
    return load_kind(kind).read(answer)


def region(
    name: str, to: str, key: str, label: str, number: str, **value: Any
) -> dict[str, Any]:
    return {"from_name": name, "to_name": to, "type": key, "id": number,
            "value": value | {key: [label]}}  # fmt: skip


CIRCLES = ["Plane Figures", "Calculation of Plane Figures", "Calculation of Areas",
           "Area of Circles"]  # fmt: skip


def test_subject() -> None:
    assert read("subject", [picked("label", "logic"), picked("level", "5")]) == {
        "subject": "logic", "level": 5,
    }  # fmt: skip
    assert read("subject", [picked("label", "pending")]) == {"subject": "pending"}
    deep = [picked("certain", "label"), leaves("label", ["Solid Geometry", "Area"])]
    assert read("subject", deep, "mathverse") == {"subfield": "Solid Geometry / Area"}
    grades = [*deep[:1], leaves("label", ["Properties of Shapes", "Circle", "Tangents"]),
              picked("grade", "nine"), picked("difficulty", "easy")]  # fmt: skip
    assert read("subject", grades, "mm-math") == {
        "knowledge": "Tangents", "grade": "nine", "difficulty": "easy",
    }  # fmt: skip


def test_concepts_are_a_set() -> None:
    other = ["Solid Figures", "Understanding of Solid Figures", "Observing Objects"]
    results = [picked("certain", "concepts"), leaves("concepts", other, CIRCLES, other)]
    assert read("concepts", results) == {
        "knowledge": ["Area of Circles", "Observing Objects"]
    }
    assert read("concepts", [picked("certain", "pending")]) == {"knowledge": "pending"}


def test_review_keeps_or_corrects() -> None:
    assert read("review", [picked("verdict", "right")], suggestion="algebra") == {
        "subject": "algebra", "review": "right",
    }  # fmt: skip
    wrong = [picked("verdict", "wrong"), leaves("label", ["topology"])]
    assert read("review", wrong, suggestion="algebra") == {
        "subject": "topology", "review": "wrong",
    }  # fmt: skip


def marked(start: int, end: int, role: str, number: str, text: str) -> dict[str, Any]:
    return region(
        "role", "source", "labels", role, number, start=start, end=end, text=text
    )


def test_roles_with_alternative_text() -> None:
    question = "In triangle ABC, AB = 3. Find BC."
    results = [
        marked(0, 15, "DI", "a", "In triangle ABC"),
        marked(17, 23, "EC", "b", "AB = 3"),
        marked(25, 33, "Question", "c", "Find BC."),
        typed("alt", "In the figure", "a", to="source"),
    ]
    assert read("roles", results, question=question) == {
        "spans": [
            {"start": 0, "end": 15, "role": "DI", "alt": "In the figure"},
            {"start": 17, "end": 23, "role": "EC", "alt": None},
        ]
    }


def test_roles_count_code_points_where_browsers_count_utf_16() -> None:
    question = "𝑥𝑦 is 3. Find 𝑥."
    results = [
        marked(0, 9, "EC", "a", "𝑥𝑦 is 3"),
        marked(11, 19, "Question", "b", "Find 𝑥."),
    ]
    assert read("roles", results, question=question)["spans"] == [
        {"start": 0, "end": 7, "role": "EC", "alt": None}
    ]


def test_the_place_of_a_picture_needs_no_role() -> None:
    question = "In <image1>, what is x? <image2>"
    results = [
        marked(0, 2, "DI", "a", "In"),
        marked(13, 23, "Question", "b", "what is x?"),
    ]
    assert len(read("roles", results, question=question)["spans"]) == 1


def test_roles_across_lines() -> None:
    r"""Label Studio writes a line end in the marked text as `\n`, and one more at the end."""
    question = "AB = 3\nFind BC."
    results = [marked(0, 15, "Question", "a", "AB = 3\\nFind BC.\\n")]
    assert read("roles", results, question=question)["spans"] == []


def placed(shape: str, number: str, text: str, **value: Any) -> list[dict[str, Any]]:
    """A region on a picture of 400 x 200 pixels and its text."""
    boxes = dict.fromkeys(("box", "erase"), "rectanglelabels")
    kind = (boxes | {"point": "keypointlabels"}).get(shape, "vectorlabels")
    frame = {"original_width": 400, "original_height": 200, "image_rotation": 0}
    there = (
        region(shape, "image", kind, shape, number, **value) | frame | {"type": kind}
    )
    return [
        there,
        *([typed("condition", text, number, to="image") | frame] if text else []),
    ]


def path(*points: tuple[float, float]) -> list[dict[str, Any]]:
    """Vertices as Label Studio writes them: each knows the one before it."""
    before: list[dict[str, Any]] = [
        {},
        *({"prevPointId": f"v{k}"} for k in range(len(points))),
    ]
    return [
        {"x": x, "y": y, "id": f"v{k}", "isBezier": False, **before[k]}
        for k, (x, y) in enumerate(points)
    ]


def test_placement() -> None:
    """Labels of a diagram spec, in pixels; the same from either end."""
    ends, arms = ((80.0, 10.0), (20.0, 30.0)), ((20.0, 0.0), (10.0, 50.0), (60.0, 50.0))
    late = path(*arms)
    late = [late[0], late[2], late[1]]  # the corner was put in last
    results = [
        *placed("box", "a", r"60^\circ", x=10, y=20, width=5, height=4, rotation=0),
        *placed("point", "b", "A", x=1, y=2, width=0.3),
        *placed("segment", "c", "$4$ cm", vertices=path(*ends), closed=False),
        *placed("angle", "d", r"\alpha", vertices=late, closed=False),
    ]
    expected = [
        {"angle": [[80, 0], [40, 100], [240, 100]], "text": r"$\alpha$"},
        {"near": [4, 4], "text": "A"},
        {"near": [50, 44], "text": r"$60^\circ$"},
        {"segment": [[80, 60], [320, 20]], "text": "$4$ cm"},
    ]
    assert sorted(read("placement", results)["placement"], key=str) == expected
    turned = placed("segment", "c", "$4$ cm", vertices=path(*ends[::-1]), closed=False)
    assert read("placement", turned)["placement"] == expected[3:]


def test_what_is_printed_is_marked_to_be_erased() -> None:
    region = placed("erase", "e", "5 cm", x=10, y=20, width=5, height=4, rotation=0)
    assert read("placement", region)["placement"] == [
        {"erase": [40, 40, 60, 48], "text": "5 cm"}
    ]


def steps(count: str = "Two-Step", **changes: Any) -> list[dict[str, Any]]:
    results = [picked("count", count), picked("injection", "picture")]
    results += changes.get("drawn", [typed("picture_2", "mine.png")])
    for k in (1, 2):
        results += [
            leaves(f"concept_{k}", CIRCLES),
            typed(f"condition_{k}", f"c{k}"),
            typed(f"question_{k}", f"q{k}"),
            typed(
                f"options_{k}",
                changes.get("options", "A. 1\n(B) 2\n   more of B\nC：3"),
            ),
            picked(f"answer_{k}", changes.get("answer", "B")),
        ]
    return results


def test_steps() -> None:
    options = [
        {"label": "A", "text": "1"},
        {"label": "B", "text": "2\nmore of B"},
        {"label": "C", "text": "3"},
    ]
    assert read("steps", steps()) == {
        "steps": {
            "injection": "picture",
            "steps": [
                {"knowledge": "Area of Circles", "condition": f"c{k}", "question": f"q{k}",
                 "options": options, "answer": "B"} | ({"picture": "mine.png"} if k == 2 else {})
                for k in (1, 2)
            ],
        }
    }  # fmt: skip
    assert read("steps", [picked("count", "One-Step")])["steps"]["steps"] == []
    drawing = placed(
        "segment", "r1", "4 cm", vertices=path((10, 10), (50, 10)), closed=False
    )
    there = [
        {"to_name": "drawing_2", "from_name": name} for name in ("segment_2", "drawn_2")
    ]
    drawn = [entry | moved for entry, moved in zip(drawing, there, strict=True)]
    second = read("steps", steps(drawn=drawn))["steps"]["steps"][1]
    assert second["placement"] == [{"segment": [[40, 20], [200, 20]], "text": "4 cm"}]
    assert "picture" not in second


def checked(**answers: str) -> list[dict[str, Any]]:
    return [picked(name, verdict) for name, verdict in answers.items()]


def test_checks_aspect_by_aspect() -> None:
    fine = {"answer": "yes", "consistency": "yes", "category": "yes", "suitable": "yes"}
    found = read("mathverse-checks", checked(**fine))
    assert found == {"checks": "yes"} | {f"checks.{name}": "yes" for name in fine}
    assert (
        read("mathverse-checks", checked(**fine | {"category": "no"}))["checks"] == "no"
    )
    unsure = {
        "consistency": "yes",
        "answer": "pending",
        "concepts": "yes",
        "unique": "yes",
    }
    assert read("we-math-checks", checked(**unsure))["checks"] == "pending"


def test_a_review_confirms_the_steps_as_written_or_rejects_them() -> None:
    proposed = {"injection": "text", "steps": [{"knowledge": "Area of Circles"}]}
    given = {"count": "yes", "unique": "yes", "concepts": "yes", "answers": "yes"}
    data = {"proposed": json.dumps(proposed)}
    assert read("steps-review", checked(**given), **data)["steps"] == proposed
    no = read(
        "steps-review", checked(**given | {"unique": "no", "count": "no"}), **data
    )
    assert no["steps"] == {"rejected": ["count", "unique"]}
    assert (no["steps.count"], no["steps.answers"]) == ("no", "yes")
    unsure = read("steps-review", checked(**given | {"unique": "pending"}), **data)
    assert unsure["steps"] == "pending"


def test_levels_are_corrected() -> None:
    assert read("level", [picked("level", "4")]) == {"level": 4}
    assert read("level", [picked("level", "pending")]) == {"level": "pending"}


def test_alignment_duplicates_first_error() -> None:
    assert read("alignment", [picked("alignment", "yes")]) == {"alignment": "yes"}
    half = [
        picked("alignment", "incomplete"),
        picked("defects", "text missing", "picture cropped"),
    ]
    assert read("alignment", half) == {
        "alignment": "incomplete", "defects": ["picture cropped", "text missing"],
    }  # fmt: skip
    pair = {"a": "p-1", "b": "p-2"}
    same = [picked("verdict", "duplicate", to="a"), picked("keep", "B", to="a")]
    assert read("duplicates", same, **pair) == {"duplicate": "duplicate", "keep": "p-2"}
    assert read("duplicates", [picked("verdict", "variant", to="a")], **pair) == {
        "duplicate": "variant"
    }
    wrong = [picked("error", "calculation error"),
             region("place", "solution", "labels", "first error", "a", start=3, end=9)]  # fmt: skip
    assert read("first-error", wrong, solution="x") == {
        "first_error": "calculation error", "first_error_at": {"start": 3, "end": 9},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "results", "message"),
    [
        ("subject", [picked("label", "algbra")], "'algbra' is no choice: did you mean 'algebra'"),
        ("subject", [picked("lebel", "algebra")], "unknown field 'lebel'"),
        ("subject", [], "0 labels where one is asked"),
        ("subject", [picked("label", "algebra", "logic")], "2 choices where one is asked"),
        ("concepts", [leaves("concepts", ["Plane Figures", "Circls"])], "is not in the tree"),
        ("concepts", [picked("certain", "concepts")], "no concept picked"),
        ("review", [], "no verdict"),
        ("roles", [marked(0, 4, "DI", "a", "What")], "no role for 'is x'"),
        ("roles", [marked(0, 99, "DI", "a", "What is x?" * 9)], "span 0-99 is not in the question"),
        ("roles", [marked(5, 5, "DI", "a", "")], "span 5-5 is not in the question"),
        ("placement", [], "nothing placed"),
        ("placement", placed("point", "b", "", x=1, y=2), "region 'b' has no text"),
        ("placement", placed("box", "b", "", x=1, y=2, width=3, height=3), "has no text"),
        ("placement", placed("point", "b", "A", x=101, y=2), "outside the picture"),
        ("placement", placed("angle", "b", "A", vertices=path((1, 1))), "a path of 1 points"),
        ("placement", placed("segment", "b", "A", vertices=path((1, 1), (1, 1))), "are the same"),
        ("steps", [], "the number of steps is missing"),
        ("steps", steps(drawn=[]), "step 2 has no picture of its own"),
        ("level", [], "no level"),
        ("mathverse-checks", checked(answer="yes"), "no answer to consistency, category, suitable"),
        ("steps-review", checked(count="yes"), "no answer to unique, concepts, answers"),
        ("steps", steps("Three-Step"), "step 3 lacks its question"),
        ("steps", steps(answer="D"), "step 1: answer 'D' is no option"),
        ("steps", steps(options="first, second"), "options start with 'first, second'"),
        ("alignment", [], "no verdict"),
        ("duplicates", [], "no verdict"),
        ("first-error", [], "no class of error"),
        ("alignment", [{"from_name": "alignment", "type": "choices", "value": "yes"}], "no value"),
    ],
)  # fmt: skip
def test_an_answer_that_is_none_says_why(
    kind: str, results: list[dict[str, Any]], message: str
) -> None:
    with pytest.raises(UserError) as caught:
        read(kind, results, question="What is x?", suggestion="algebra", a="1", b="2")
    assert message in str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tree", BUILT_IN)
def test_interfaces_are_valid_by_label_studios_own_check(kind: str, tree: str) -> None:
    interface = pytest.importorskip(
        "label_studio_sdk.label_interface", reason="label-studio-sdk is not installed"
    )
    needs_tree = load_kind(kind).needs_tree
    if kind == "level" and not load_tree(tree).scales:
        with pytest.raises(UserError, match="has no scale"):
            load_kind(kind).interface(load_tree(tree))
        return
    xml = load_kind(kind).interface(load_tree(tree) if needs_tree else None)
    interface.LabelInterface(xml).validate()
    names = [e.get("name") for e in ET.fromstring(xml).iter() if e.get("name")]
    assert len(names) == len(set(names))
    hotkeys = [e.get("hotkey") for e in ET.fromstring(xml).iter() if e.get("hotkey")]
    assert len(hotkeys) == len(set(hotkeys))
    groups = [
        e for e in ET.fromstring(xml).iter() if e.get("toName") and e.tag != "Taxonomy"
    ]
    picks = [c for group in groups for c in group if c.tag in ("Choice", "Label")]
    assert len(hotkeys) == min(
        len(picks), 36
    )  # hot keys in every group, as far as keys go


def test_a_wrong_kind_is_told() -> None:
    with pytest.raises(UserError, match="did you mean 'alignment'"):
        load_kind("aligment")


def test_options_go_on_to_h_and_no_letter_is_swallowed() -> None:
    """We-Math, table 5, has options F and G; a letter out of its place is no part of another."""
    from benchwright.annotate.kinds.steps import options_of

    seven = "A. 1\nB. 2\nC. 3\nD. 4\nE. 5\nF. 6\nG. No correct answer"
    assert [o["text"] for o in options_of(seven)][-2:] == ["6", "No correct answer"]
    assert options_of("A. 1\nand 2\nB. 3")[0]["text"] == "1\nand 2"
    for text in ("A. 1\nC. 2", f"{seven}\nH. 8\nI. 9", "A. 1\nA. 2"):
        with pytest.raises(UserError, match="out of its place"):
            options_of(text)
