"""The stages `select` and `options`, through recipes and their commands."""

from __future__ import annotations

import operator
from pathlib import Path

import pytest
from benchwright import build_release
from benchwright.base.about import bind, stale_fields
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.check import parse_condition
from benchwright.check.condition import DEEPEST
from benchwright.check.multiple_choice import options as options_stage
from benchwright.check.select import select
from benchwright.errors import UserError
from benchwright.pipeline import Context
from benchwright.problem import Drop, Image, Option, Problem, Source, Step
from hypothesis import given
from hypothesis import strategies as st
from small import dump, options, problem

PICTURE = Image(path="images/x.png", sha256="x", width=99, height=99)


def context(seed: int = 0) -> Context:
    return Context(Path(), Path(), seed)


def dropped(problems: list[Problem], **conditions) -> dict[str, str]:
    made = select(problems, context=context(), **conditions)
    return {one.id: one.reason for one in made if isinstance(one, Drop)}


def test_solutions_that_need_a_picture_are_left_out() -> None:
    """MathVerse, section 2.1: one diagram, and no visual illustration in the solution."""
    shown = ("As in ![](a.png)", "[asy]draw(A--B);[/asy]", "see [picture: b.png]", "so <image1>",
             "\\includegraphics{c}", "\\begin{tikzpicture}")  # fmt: skip
    plain = (None, "", "Let $x < 3$! (Then) [AB] is a picture of it.")
    problems = [problem(k, solution=text) for k, text in enumerate((*shown, *plain), 1)]
    left_out = dropped(problems, where="solution_pictures == 0")
    assert list(left_out) == [f"a-{k}" for k in range(1, len(shown) + 1)]


def test_each_condition_drops_with_its_reason() -> None:
    drawn_over = Image(path="y", sha256="y", width=9, height=9, role="annotated")
    problems = [
        problem(
            1, images=[PICTURE, drawn_over], labels={"alignment": "yes", "level": 3}
        ),
        problem(2, images=[PICTURE, PICTURE], labels={"alignment": "yes", "level": 3}),
        problem(3, images=[PICTURE], labels={"alignment": "no", "level": 3}),
        problem(4, images=[PICTURE], labels={"alignment": "yes", "level": 1}),
        problem(5, images=[PICTURE], labels={"alignment": "yes"}),
        problem(
            6,
            images=[PICTURE],
            labels={"alignment": "yes", "level": 3},
            answer_kind="text",
        ),
        problem(
            7,
            images=[PICTURE],
            source=Source(name="b", raw_id="7"),
            labels={"level": 3},
        ),
    ]
    assert dropped(
        problems,
        pictures=(1, 1),
        kinds=["number"],
        sources=["a"],
        labels={"alignment": True},  # as YAML reads yes
        where="level >= 2",
    ) == {
        "a-2": "pictures: 2, not 1 to 1",
        "a-3": "alignment: no",
        "a-4": "where: not level >= 2",
        "a-5": "where: not level >= 2",
        "a-6": "kind: text",
        "a-7": "source: b",
    }


def test_a_vote_of_no_drops_in_a_recipe(tmp_path: Path) -> None:
    votes = [
        {"problem_id": f"a-{k}", "field": "alignment", "value": "no" if k % 4 == 0 else "yes",
         "annotator": name}
        for k in range(1, 13) for name in ("x", "y", "z")
    ]  # fmt: skip
    write_jsonl(tmp_path / "votes.jsonl", votes)
    stages = [
        {"label": {"field": "alignment", "votes": "votes.jsonl"}},
        {"select": {"pictures": [1, 1], "labels": {"alignment": True}}},
    ]
    built = build_release(dump(tmp_path, stages=stages), tmp_path / "out")
    (report,) = [r for r in built.reports if r.stage == "select"]
    assert (report.kept, report.reasons) == (9, {"alignment": 3})
    reasons = read_jsonl(tmp_path / "out/work/02-select/dropped.jsonl", Drop)
    assert {d.id: d.reason for d in reasons} == dict.fromkeys(
        ["a-4", "a-8", "a-12"], "alignment: no"
    )


def test_leaves_hold_ten_to_forty_by_the_seed() -> None:
    names = ["thin"] * 9 + ["right"] * 10 + ["full"] * 60
    problems = [
        problem(k, labels={"knowledge": [name]}) for k, name in enumerate(names)
    ]

    def kept(problems: list[Problem], seed: int = 0) -> list[str]:
        made = select(
            problems, context=context(seed), per_leaf=(10, 40), leaf="knowledge"
        )
        return [p.id for p in made if isinstance(p, Problem)]

    one = kept(problems)
    count = [
        sum(names[int(i[2:])] == name for i in one)
        for name in ("thin", "right", "full")
    ]
    assert count == [0, 10, 40]
    assert set(kept(problems[::-1])) == set(one) != set(kept(problems, 1))
    reasons = dropped(problems, per_leaf=(10, 40), leaf="knowledge")
    assert reasons["a-0"] == "leaf: thin has 9, at least 10"
    assert sum(r == "leaf: full has 60, at most 40" for r in reasons.values()) == 20


def test_names_that_no_problem_has_are_slips() -> None:
    with pytest.raises(
        UserError, match=r"no problem has the label 'levle': did you mean 'level'"
    ):
        dropped([problem()], where="levle > 1")
    with pytest.raises(UserError, match="no problem has the label 'alignement'"):
        dropped([problem()], labels={"alignement": "yes"})
    with pytest.raises(UserError, match="of which label"):
        dropped([problem()], per_leaf=(1, 2))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("level == 3", True), ("level != 3", False), ("level < 3", False), ("level >= 3.0", True),
        ("subject == 'graph theory'", True), ('subject in [logic, "graph theory"]', True),
        ("subject not in [logic]", True), ("tags == b", True), ("tags in [c]", False),
        ("lost", False), ("not lost", True), ("lost == 1", False), ("lost != 1", True),
        ("lost < 1", False), ("level == 3 and lost or level == 3", True),
        ("level == 1 or subject and (lost or level > 2)", True), ("empty", False),
    ],
)  # fmt: skip
def test_conditions_mean_what_they_say(text: str, expected: bool) -> None:
    labels = {"level": 3, "subject": "Graph Theory", "tags": ["a", "b"], "empty": ""}
    assert parse_condition(text)[0](labels) is expected


@pytest.mark.parametrize(
    "text",
    ["", "level >", "level > high", "level == 3 and", "(level", "level)", "a in b", "a in []",
     "1 == a", "__import__('os').system('x')", "level ; 1", "not", "a b", "a = 1",
     "(" * (DEEPEST + 2) + "a",
     "not " * (DEEPEST + 2) + "a", "a or " * 500 + "a"],
)  # fmt: skip
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="condition"):
        parse_condition(text)


@given(st.recursive(
    st.tuples(st.sampled_from("xy"), st.sampled_from(["<", "<=", ">", ">=", "==", "!="]),
              st.integers(-3, 3)),
    lambda inner: st.tuples(inner, st.sampled_from(["and", "or"]), inner)
    | st.tuples(st.just("not"), inner),
    max_leaves=12,
), st.integers(-3, 3), st.integers(-3, 3))  # fmt: skip
def test_conditions_agree_with_a_plain_evaluator(tree, x: int, y: int) -> None:
    signs = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
             "==": operator.eq, "!=": operator.ne}  # fmt: skip
    values = {"x": x, "y": y}

    def text(node) -> str:
        if node[0] == "not":
            return f"not ({text(node[1])})"
        if node[1] in signs:
            return f"{node[0]} {node[1]} {node[2]}"
        return f"({text(node[0])}) {node[1]} ({text(node[2])})"

    def truth(node) -> bool:
        if node[0] == "not":
            return not truth(node[1])
        if node[1] in signs:
            return signs[node[1]](values[node[0]], node[2])
        both = truth(node[0]), truth(node[2])
        return all(both) if node[1] == "and" else any(both)

    assert parse_condition(text(tree))[0](values) is truth(tree)


# -- options ----------------------------------------------------------------------


def row(p: Problem, *distractors: str, **changes) -> dict:
    fields = {
        "id": p.id,
        "question": p.question,
        "answer": p.answer,
        "reviewer": "anna",
    }
    return fields | {"distractors": list(distractors)} | changes


def chosen(tmp_path: Path, problems: list[Problem], rows: list[dict], **given):
    write_jsonl(tmp_path / "d.jsonl", rows)
    ctx = context(5)
    made = options_stage(
        problems, context=ctx, distractors=tmp_path / "d.jsonl", **given
    )
    return made, ctx.tables


def test_open_questions_become_multiple_choice(tmp_path: Path) -> None:
    p = problem(1, answer=r"\frac{1}{2}", answer_kind="expression", unit="cm")
    (made,), tables = chosen(tmp_path, [p], [row(p, "1", "2", "$\\frac{1}{3}$")])
    assert {o.text for o in made.options} == {
        "$\\frac{1}{2}$",
        "1",
        "2",
        "$\\frac{1}{3}$",
    }
    assert [o.label for o in made.options] == list("ABCD")
    gold = next(o for o in made.options if o.label == made.answer)
    assert (gold.text, made.answer_kind, made.unit) == (
        "$\\frac{1}{2}$",
        "choice",
        None,
    )
    assert tables == {}
    (again,), _ = chosen(tmp_path, [p], [row(p, "1", "2", "$\\frac{1}{3}$")])
    assert again == made
    letters = {
        chosen(tmp_path, [q], [row(q, "7", "8", "9")])[0][0].answer
        for q in (problem(k, answer="1000") for k in range(30))
    }
    assert letters == set("ABCD")


@pytest.mark.parametrize(
    ("texts", "changes", "cause"),
    [
        (["0.5", "1"], {}, "equals the gold"), (["$\\dfrac12$"], {}, "equals the gold"),
        (["50%"], {}, "equals the gold"), (["1", " 1 "], {}, "stands twice"),
        ([""], {}, "an empty distractor"), (["1"], {"reviewer": " "}, "no reviewer"),
        (["1"], {"shown": "0.6"}, "is not the gold"),
    ],
)  # fmt: skip
def test_distractors_that_cannot_be_are_named(
    tmp_path: Path, texts: list[str], changes: dict, cause: str
) -> None:
    p = problem(1, answer=r"\frac{1}{2}", answer_kind="number")
    with pytest.raises(UserError, match=f"(?s)a-1.*{cause}"):
        chosen(tmp_path, [p], [row(p, *texts, **changes)])


def test_what_was_written_for_another_text_is_not_used(tmp_path: Path) -> None:
    p, q = problem(1), problem(2)
    made, tables = chosen(
        tmp_path, [p, q], [row(p, "9", question="other?"), row(problem(3), "9")]
    )
    assert made == [p, q]
    assert [r["id"] for r in tables["stale"]] == ["a-1"]
    assert [r["id"] for r in tables["unmatched"]] == ["a-3"]
    assert [(r["id"], r["why"], r["question"]) for r in tables["open"]] == [
        ("a-1", "stale", p.question), ("a-2", "no distractors", q.question),
    ]  # fmt: skip
    (first, _), _ = chosen(tmp_path, [p, q], [], otherwise="drop")
    assert isinstance(first, Drop)


def test_we_math_asks_every_question_with_no_correct_answer() -> None:
    ours = Source(name="a", raw_id="1", benchmark="we-math")
    step = Step(question="s", options=options("1", "2"), answer="A")
    p = problem(1, source=ours, options=options("3", "4"), answer="A", steps=[step])
    (made,) = options_stage([p], context=context())
    assert made.options[-1] == Option(label="C", text="No correct answer")
    assert made.steps[0].options[-1].text == "No correct answer"
    (plain,) = options_stage([problem(1, options=options("3", "4"))], context=context())
    assert len(plain.options) == 2
    (asked,) = options_stage([plain], context=context(), no_answer=True)
    assert len(asked.options) == 3


def test_no_correct_answer_leaves_peoples_work_valid() -> None:
    p = problem(1, options=options("3", "4"), answer="A", steps=[Step(question="s")])
    bind(p, "steps")
    (made,) = options_stage([p], context=context(), no_answer=True)
    assert stale_fields(made) == []
    p.question = "Another one?"
    (stale,) = options_stage([p], context=context(), no_answer=True)
    assert stale_fields(stale) == ["steps"]


def test_no_letter_follows_z() -> None:
    p = problem(1, options=options(*map(str, range(26))), answer="A")
    with pytest.raises(UserError, match="no letter follows option 'Z'"):
        options_stage([p], context=context(), no_answer=True)


def test_problems_of_several_concepts_can_be_asked_for() -> None:
    """We-Math, B.4: `knowledge >= 2` counts the concepts."""
    concepts = {
        "1": ["Area"],
        "2": ["Area", "Angles"],
        "3": ["Area", "Angles", "Units"],
    }
    problems = [
        problem(int(name), id=name, labels={"knowledge": names})
        for name, names in concepts.items()
    ]
    assert set(dropped(problems, where="knowledge >= 2")) == {"1"}
    assert set(dropped(problems, where="knowledge < 3")) == {"3"}
