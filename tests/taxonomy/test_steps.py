"""Step decomposition: each rule of the paper, and the public data that break some."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchwright.annotate.stages import label, steps
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.convert.readers import read_sources
from benchwright.errors import UserError
from benchwright.pipeline import Context, Engine, SourceSpec
from benchwright.problem import Drop, Image, Option, Problem, Step, Vote, samples_of
from benchwright.render.figure import read_spec
from benchwright.taxonomy import load_tree, steps_from, violations, with_no_answer
from benchwright.taxonomy.decompose import NO_ANSWER
from benchwright.taxonomy.stages import difficulty, level
from real_data import RealData
from small import options, problem

PERIMETER, AREA = "Perimeter of Rectangles", "Area of Rectangles"
GIVEN = "A rectangle is 7 cm long and has a perimeter of 20 cm."


def sound(**changes) -> Problem:
    two = [
        Step(
            question="How wide is it?",
            options=[*options("3 cm", "6 cm"), Option(label="C", text=NO_ANSWER)],
            answer="A",
            knowledge=[PERIMETER],
            condition=GIVEN,
        ),
        Step(
            question="What is its area?",
            options=[*options("20", "21"), Option(label="C", text=NO_ANSWER)],
            answer="B",
            knowledge=[AREA],
            condition=f"{GIVEN} Its width is 3 cm.",
        ),
    ]
    whole = problem(
        question=f"{GIVEN} What is its area?",
        options=options("20", "21"),
        answer="B",
        answer_kind="choice",
        labels={"knowledge": [PERIMETER, AREA]},
        steps=two,
    )
    for name, value in changes.items():
        number, field = (
            name.split("_", 1) if name[0] == "s" and name[1].isdigit() else ("", name)
        )
        target = whole.steps[int(number[1]) - 1] if number else whole
        setattr(target, field, value)
    return whole


def codes(p: Problem, injection: str | None = "text") -> set[str]:
    return {v.code for v in violations(p, load_tree("we-math"), injection)}


def test_a_sound_decomposition_breaks_no_rule() -> None:
    assert codes(sound()) == set()
    assert [s.version for s in samples_of(sound())] == ["step1", "step2", "multi"]
    assert samples_of(sound())[1].condition.endswith("Its width is 3 cm.")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"labels": {"knowledge": [PERIMETER]}}, "concepts-differ"),
        ({"s1_knowledge": [PERIMETER, AREA]}, "concepts-per-step"),
        ({"s1_knowledge": ["Astrology"]}, "concept-unknown"),
        ({"s1_knowledge": [AREA]}, "concept-twice"),
        ({"s2_question": "What is its diagonal?"}, "last-question"),
        ({"s2_answer": "A"}, "last-answer"),
        ({"s2_condition": "Its width is 3 cm."}, "condition-chain"),
        ({"s2_condition": GIVEN}, "condition-chain"),
        ({"s1_answer": "F"}, "answer-not-option"),
        (
            {
                "s1_options": [
                    *options("3 cm", "3 cm"),
                    Option(label="C", text=NO_ANSWER),
                ]
            },
            "answer-not-unique",
        ),
        ({"s1_options": options("3 cm", "6 cm")}, "no-correct-answer"),
    ],
)
def test_each_rule_is_named_when_it_is_broken(changes: dict, code: str) -> None:
    assert code in codes(sound(**changes))


@pytest.mark.parametrize(
    ("step", "whole", "same"),
    [
        ("18", "18 cm", True), ("0.1 liter", "0.1 liters", True), ("(11,3)", "(11，3)", True),
        ("48π", "48π dm²", True), ("4", "20", False), ("150°", "6, 150°", False),
        ("2", "12 cm", False), ("Turn left", "Walk on, then turn left", False), ("", "3", False),
        ("5", "-5", False), ("1.5", "1.50 cm", False),
    ],
)  # fmt: skip
def test_a_last_answer_may_lack_its_unit_and_nothing_else(
    step: str, whole: str, same: bool
) -> None:
    p = sound(options=[*options("20", whole)], s2_options=[*options("20", step)])
    assert ("last-answer" not in codes(p)) == same


def test_conditions_are_given_in_one_way() -> None:
    assert codes(sound(s1_condition=""), "picture") == {"injection-mixed"}
    drawn = [Image(path="2.png", sha256="0" * 64, width=9, height=9)]
    assert (
        codes(sound(s1_condition="", s2_condition="", s2_images=drawn), "picture")
        == set()
    )
    assert codes(sound(s1_condition="", s2_condition=""), "picture") == {
        "picture-missing"
    }


def test_a_last_question_that_holds_its_condition_is_worded_anew() -> None:
    """As in the published data: the findings of earlier steps stand in its words."""
    anew = "A rectangle is 7 cm long and 3 cm wide. What is its area?"
    drawn = [Image(path="2.png", sha256="0" * 64, width=9, height=9)]
    official = sound(
        s1_condition="", s2_condition="", s2_question=anew, s2_images=drawn
    )
    assert codes(official, "picture") == set()
    assert "last-question" not in codes(official, "text")
    assert "last-question" in codes(sound(s2_question=anew), "text")
    told = f"{GIVEN} Its width is 3 cm. What is its area?"
    assert codes(sound(s2_condition="", s2_question=told), "text") == set()
    assert codes(official, "text") == set()
    assert codes(sound(s2_condition=""), "text") == {"condition-chain"}


def test_the_option_no_correct_answer_is_added_once() -> None:
    two = with_no_answer(options("1", "2"))
    assert [(o.label, o.text) for o in two][-1] == ("C", NO_ANSWER)
    assert with_no_answer(two) == two


def real(tmp_path: Path, data: RealData) -> list[Problem]:
    spec = SourceSpec(
        name="w", reader="we-math", path=str(data.whole("we-math/testmini.json"))
    )
    read_sources([spec], tmp_path, tmp_path / "w", Engine())
    return list(read_jsonl(tmp_path / "w/00-read/problems.jsonl", Problem))


def test_the_public_data_break_rules_in_known_places(
    tmp_path: Path, data: RealData
) -> None:
    tree = load_tree("we-math")
    found: dict[str, set[str]] = {}
    for p in real(tmp_path, data):
        for violation in violations(p, tree):
            found.setdefault(violation.code, set()).add(p.source.raw_id)
    twelve = (48, 160, 172, 213, 274, 275, 276, 309, 319, 334, 347, 350)
    assert found["concepts-differ"] == {f"2steps_{n}" for n in twelve}
    assert found["concept-twice"] == {"3steps_105", "3steps_114", "3steps_160"}
    assert found["no-correct-answer"] == {"3steps_129"}
    assert "concept-unknown" not in found
    other_numbers = {f"2steps_{n}" for n in (122, 210, 266)} | {
        "3steps_76",
        "3steps_111",
    }
    assert other_numbers <= found["last-answer"]


def decision(who: str, value: dict, problem_id: str = "a-1") -> Vote:
    return Vote(problem_id=problem_id, field="steps", value=value, annotator=who)


def test_the_stage_makes_steps_from_decisions(tmp_path: Path) -> None:
    whole = sound()
    rows = [
        {
            "knowledge": s.knowledge[0],
            "condition": s.condition,
            "question": s.question,
            "options": [{"label": o.label, "text": o.text} for o in s.options[:2]],
            "answer": s.answer,
        }
        for s in whole.steps
    ]
    value = {"injection": "text", "steps": rows}
    other = {"injection": "text", "steps": [rows[0], rows[1] | {"answer": "A"}]}
    write_jsonl(
        tmp_path / "votes.jsonl",
        [decision("a", value), decision("b", value), decision("c", other)],
    )
    bare = problem(
        question=whole.question,
        options=whole.options,
        answer="B",
        labels={"knowledge": [PERIMETER, AREA]},
    )
    context = Context(tmp_path, tmp_path)
    (made,) = steps([bare], context=context, votes=tmp_path / "votes.jsonl")
    assert isinstance(made, Problem)
    assert made.steps == whole.steps
    assert made.labels["steps"] == 2
    assert "violations" not in context.tables
    write_jsonl(tmp_path / "votes.jsonl", [decision("a", value), decision("c", other)])
    (dropped,) = steps([bare], context=context, votes=tmp_path / "votes.jsonl")
    assert isinstance(dropped, Drop)
    assert "a third is waited for" in dropped.reason
    write_jsonl(tmp_path / "final.jsonl", [decision("dee", value)])
    (made,) = steps(
        [bare],
        context=context,
        votes=tmp_path / "votes.jsonl",
        adjudicated=tmp_path / "final.jsonl",
    )
    assert isinstance(made, Problem)
    assert made.steps == whole.steps


def test_a_decision_without_its_fields_is_an_error() -> None:
    with pytest.raises(UserError, match="step 1 of a decision"):
        steps_from({"steps": [{"question": "q"}]})


@pytest.mark.parametrize(
    ("grade", "expected"),
    [(1, 1), (2, 1), (3, 2), (6, 2), (7, 3), (8, 3), (9, 4), (10, 4), (11, 5), (12, 5)],
)
def test_levels_follow_the_grades_of_math_v(grade: int, expected: int) -> None:
    leveled = level(problem(labels={"grade": grade}), context=Context(Path(), Path()))
    assert leveled.labels["level"] == expected


def test_a_level_without_a_grade_stays_and_a_wild_grade_is_refused() -> None:
    context = Context(Path(), Path())
    assert level(problem(labels={"level": 4}), context=context).labels == {"level": 4}
    assert level(problem(labels={}), context=context).labels == {}
    for wrong in (99, "college"):
        with pytest.raises(UserError, match="a-1: grade"):
            level(problem(labels={"grade": wrong}), context=context)
    level(problem(2, labels={"grade": "九年级"}), context=context)
    assert context.tables["unset"] == [
        {"id": "a-1", "why": "no grade", "level": 4},
        {"id": "a-1", "why": "no grade", "level": None},
    ]
    assert context.tables["set"] == [{"id": "a-2", "level": 4, "grade": "九年级"}]


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (0.9, "easy"),
        (0.86, "easy"),
        (0.85, "medium"),
        (0.70, "medium"),
        (0.69, "hard"),
        (0, "hard"),
    ],
)
def test_difficulty_follows_the_pass_rates_of_mm_math(
    tmp_path: Path, rate: float, expected: str
) -> None:
    write_jsonl(tmp_path / "rates.jsonl", [{"id": "a-1", "pass_rate": rate}])
    context = Context(tmp_path, tmp_path)
    (by_file,) = difficulty(
        [problem(labels={})], rates=tmp_path / "rates.jsonl", context=context
    )
    (by_label,) = difficulty([problem(labels={"pass_rate": rate})], context=context)
    assert by_file.labels["difficulty"] == by_label.labels["difficulty"] == expected


def test_the_label_stage_sets_drops_and_explains(tmp_path: Path) -> None:
    def cast(number: int, *values: str) -> list[Vote]:
        return [
            Vote(problem_id=f"a-{number}", field="subfield", value=v, annotator=f"p{k}")
            for k, v in enumerate(values)
        ]

    length = "Plane Geometry / Length"
    votes = (
        cast(1, length, length)
        + cast(2, length, "Plane Geometry / Angle")
        + cast(9, length)
    )
    write_jsonl(tmp_path / "votes.jsonl", votes)
    context = Context(tmp_path, tmp_path)
    problems = [problem(1), problem(2), problem(3, labels={"subfield": "kept"})]
    one, two, three = label(
        problems,
        context=context,
        field="subfield",
        votes=tmp_path / "votes.jsonl",
        tree="mathverse",
    )
    assert (one.labels["subject"], one.labels["subfield"]) == (
        "Plane Geometry",
        "Length",
    )
    assert isinstance(two, Drop)
    assert two.reason == "undecided: subfield: tie"
    assert three.labels == {"subfield": "kept"}
    assert [row.id for row in context.tables["ledger"]] == ["a-1", "a-2"]
    assert context.tables["unmatched"][0]["id"] == "a-9"


def test_the_label_stage_sets_spans(tmp_path: Path) -> None:
    """An adjudicator's spans are final."""

    def votes(name: str, *ends: int) -> Path:
        rows = [
            Vote(problem_id="a-1", field="spans", annotator=f"{name}{k}",
                 value=[{"start": 0, "end": end, "role": "DI", "alt": None}])
            for k, end in enumerate(ends)
        ]  # fmt: skip
        write_jsonl(tmp_path / name, rows)
        return tmp_path / name

    context = Context(tmp_path, tmp_path)
    people = votes("people", 4, 4, 5)
    (made,) = label([problem()], context=context, field="spans", votes=people)
    assert [(s.start, s.end, s.role) for s in made.spans] == [(0, 4, "DI")]
    final = votes("final", 7)
    (made,) = label(
        [problem()], context=context, field="spans", votes=people, adjudicated=final
    )
    assert [s.end for s in made.spans] == [7]


def test_the_label_stage_sets_what_is_drawn_from_placements(tmp_path: Path) -> None:
    placed = [{"segment": [[10.0, 20.0], [60.5, 20.0]], "text": r"$2\sqrt{3}$"}]
    vote = Vote(problem_id="a-1", field="placement", annotator="ann", value=placed)
    write_jsonl(tmp_path / "v.jsonl", [vote])
    pictured = problem(
        images=[Image(path="p.png", sha256="0" * 64, width=99, height=80)]
    )
    options = {"context": Context(tmp_path, tmp_path), "field": "placement",
               "votes": tmp_path / "v.jsonl"}  # fmt: skip
    (made,) = label([pictured], **options)
    assert read_spec(made.placement) == {
        "kind": "picture",
        "background": "p.png",
        "labels": placed,
    }
    with pytest.raises(UserError, match="no picture"):
        list(label([problem()], **options))
