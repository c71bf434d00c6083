"""Steps on a real server: one writes, two review; pictures drawn in or uploaded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright import pull, push
from benchwright.annotate.projects.reopened_tasks import REWRITTEN
from benchwright.annotate.stages import steps as steps_stage
from benchwright.annotate.votes import latest, read_votes
from benchwright.base.files import write_jsonl
from benchwright.base.pictures import store_picture
from benchwright.errors import UserError
from benchwright.pipeline import Context
from benchwright.problem import Problem
from label_studio import LabelStudio, leaves, picked, typed
from small import options, png, problem

CIRCUMFERENCE = ["Plane Figures", "Calculation of Plane Figures", "Calculation of Perimeters",
                 "Circumference of Circles"]  # fmt: skip
AREA = [
    "Plane Figures",
    "Calculation of Plane Figures",
    "Calculation of Areas",
    "Area of Circles",
]


@pytest.fixture
def composite(tmp_path: Path) -> Path:
    picture = store_picture(png(400, 200), tmp_path)
    made = problem(1, question="The circumference is 6.28 cm. What is the area?", images=[picture],
                   options=options("3.14 cm^2", "6.28 cm^2"), answer="A", answer_kind="choice",
                   labels={})  # fmt: skip
    write_jsonl(tmp_path / "problems.jsonl", [made])
    return tmp_path / "problems.jsonl"


def authored(picture: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        picked("count", "Two-Step"), picked("injection", "picture"),
        leaves("concept_1", CIRCUMFERENCE), typed("question_1", "What is the radius?"),
        typed("options_1", "A. 1 cm\nB. 2 cm"), picked("answer_1", "A"),
        leaves("concept_2", AREA), typed("question_2", "What is the area?"),
        typed("options_2", "A. 3.14 cm^2\nB. 6.28 cm^2"), picked("answer_2", "A"), *picture,
    ]  # fmt: skip


def drawing() -> list[dict[str, Any]]:
    frame = {"id": "r", "to_name": "drawing_2", "original_width": 400, "original_height": 200,
             "image_rotation": 0}  # fmt: skip
    vertices = [
        {"x": 10, "y": 50, "id": "u"},
        {"x": 50, "y": 50, "id": "v", "prevPointId": "u"},
    ]
    path = {"vertices": vertices, "closed": False, "vectorlabels": ["segment"]}
    return [
        frame | {"from_name": "segment_2", "type": "vectorlabels", "value": path},
        frame
        | {"from_name": "drawn_2", "type": "textarea", "value": {"text": ["1 cm"]}},
    ]


@pytest.mark.parametrize("how", ["drawn", "uploaded"])
def test_one_writes_two_review_and_the_step_has_its_picture(
    studio: LabelStudio, composite: Path, tmp_path: Path, how: str
) -> None:
    data = {"server": studio.server}
    folder = tmp_path / f"steps-{how}"
    done = push(composite, folder, "steps", tree="we-math", people=1, **data)
    project = studio.client.project(done.project)
    page = project["expert_instruction"].rpartition(" ")[2]
    picture = drawing()
    if how == "uploaded":
        picture = [typed("picture_2", "radius 1.png")]
    studio.answer(done.project, "a-1", "anna", authored(picture))
    if how == "uploaded":
        (refused,) = pull(folder, **data).refused
        assert "no uploaded picture 'radius 1.png'" in refused.reason
        studio.client.upload(int(page.split("/")[-3]), {"radius 1.png": png(120, 60)})
    assert pull(folder, **data).new_votes == 1
    (vote,) = read_votes(folder / "votes.jsonl")

    review = tmp_path / f"review-{how}"
    asked = push(
        composite, review, "steps-review", material=folder / "votes.jsonl", **data
    )
    shown = studio.client.task(studio.tasks(asked.project)["a-1"])["data"]
    assert json.loads(shown["proposed"]) == vote.value
    assert "Circumference of Circles" in shown["decomposition_html"]
    assert studio.client.picture(shown["drawn"])
    yes = [picked(name, "yes") for name in ("count", "unique", "concepts", "answers")]
    for person in ("anna", "ben", "chris"):  # nobody reviews what he wrote himself
        studio.answer(asked.project, "a-1", person, yes)
    (refused,) = pull(review, **data).refused
    assert (refused.annotator, refused.reason) == (
        "anna",
        "anna wrote it: somebody else reviews it",
    )
    reviewers = {vote.annotator for vote in read_votes(review / "votes.jsonl")}
    assert reviewers == {"ben", "chris"}
    given = {"material": folder / "votes.jsonl"} | data
    with pytest.raises(UserError, match=r"1 answers would be taken off .*1 of anna"):
        push(composite, review, "steps-review", **given)
    assert push(composite, review, "steps-review", yes=True, **given).again == [
        ("a-1", refused.reason)
    ]
    votes = tmp_path / "votes.jsonl"
    write_jsonl(
        votes, read_votes(folder / "votes.jsonl") + read_votes(review / "votes.jsonl")
    )
    (it,) = (json.loads(line) for line in composite.read_text("utf-8").splitlines())
    import msgspec

    context = Context(tmp_path, tmp_path)
    (made,) = steps_stage([msgspec.convert(it, Problem)], context=context, votes=votes,
                          policy="unanimous", pictures=folder / "pictures")  # fmt: skip
    assert isinstance(made, Problem)
    assert [len(step.images) for step in made.steps] == [0, 1]
    wide = made.steps[1].images[0].width
    assert wide == 120 if how == "uploaded" else wide >= 400
    assert "picture-missing" not in [
        v.code for v in context.tables.get("violations", [])
    ]


def test_steps_written_anew_are_reviewed_anew(
    studio: LabelStudio, composite: Path, tmp_path: Path
) -> None:
    """Answers to the old steps are pulled before they make way, and stop counting."""
    data = {"server": studio.server}
    folder, review = tmp_path / "steps", tmp_path / "review"
    done = push(composite, folder, "steps", tree="we-math", people=1, **data)
    studio.answer(done.project, "a-1", "anna", authored(drawing()))
    pull(folder, **data)
    given = {"material": folder / "votes.jsonl"} | data
    asked = push(composite, review, "steps-review", **given)
    verdicts = [picked(name, "yes") for name in ("count", "unique", "concepts")]
    for person in ("ben", "chris"):
        studio.answer(
            asked.project, "a-1", person, [*verdicts, picked("answers", "no")]
        )
    studio.answer(
        asked.project, "a-1", "admin", verdicts
    )  # a half one, which pull refuses
    assert push(composite, review, "steps-review", **given).again == []

    better = authored(drawing())
    better[3] = typed("question_1", "How long is the radius?")
    studio.answer(done.project, "a-1", "anna", better)
    pull(folder, **data)
    with pytest.raises(UserError, match="1 of ben, 1 of chris, 1 of admin"):
        push(composite, review, "steps-review", **given)
    again = push(composite, review, "steps-review", yes=True, **given)
    assert (again.added, again.again) == (1, [("a-1", REWRITTEN)])
    task = studio.client.task(studio.tasks(asked.project)["a-1"])
    assert "How long is the radius?" in task["data"]["decomposition_html"]
    assert REWRITTEN in task["data"]["note_html"]
    assert task["annotations"] == []
    assert pull(review, **data).withdrawn == 10  # five fields of two people
    assert not latest(read_votes(review / "votes.jsonl"))[0]
    assert push(composite, review, "steps-review", **given).again == []
    studio.answer(asked.project, "a-1", "ben", [*verdicts, picked("answers", "yes")])
    pull(review, **data)
    counting = {v.field: v.value for v in latest(read_votes(review / "votes.jsonl"))[0]}
    assert counting["steps"]["steps"][0]["question"] == "How long is the radius?"
