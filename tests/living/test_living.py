"""Seeds: what they give, what they refuse with its line, and that nothing depends on chance."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest
from benchwright.errors import UserError
from benchwright.evaluate.metrics import Result, living_scores
from benchwright.living import read_seed, variants_of
from benchwright.living.agreement import is_proved
from benchwright.living.exact import latex
from benchwright.living.notes import notes_of
from benchwright.living.texts import Template
from benchwright.living.variants import published_of
from benchwright.problem import Source

from .mutations import KINDS, mistakes

SEEDS = sorted((Path(__file__).parents[2] / "examples/living/seeds").glob("*.yaml"))
PIPES = Path(__file__).with_name("meeting-pipes.yaml")
ANSWERS = {  # of the published problems, worked by hand or as their benchmark prints them
    "math-v-1012-diagonal": "10", "math-v-1031-square": "34", "math-v-1041-three-lines": "52",
    "math-v-212-tangent-cut": "4", "math-v-332-path-in-square": r"$5 \sqrt{2}$",
    "math-v-1008-isosceles": "15", "math-v-1019-rectangle-on-diagonal": "12",
    "math-v-261-angle-at-c": "94", "math-v-25-cut-corners": "10", "math-v-158-glue": "20",
    "math-v-288-perimeters": r"$12 + 8 \sqrt{3}$", "math-v-228-ring": r"$64 \pi$",
    "dyna-cone-height": "12", "dyna-mean": r"$\frac{19}{4}$", "dyna-lens": "30",
}  # fmt: skip


def _written(tmp_path: Path, old: str, new: str) -> Path:
    text = PIPES.read_text("utf-8")
    assert old in text
    path = tmp_path / "seed.yaml"
    path.write_text(text.replace(old, new), "utf-8")
    return path


def test_there_are_forty_seeds() -> None:
    names = [path.stem.partition("-")[0] for path in SEEDS]
    assert (names.count("dyna"), names.count("math")) == (20, 20)


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.stem)
def test_published_numbers_and_variants(path: Path) -> None:
    seed = read_seed(path)
    published = published_of(seed)
    if path.stem in ANSWERS:
        assert published.answer == ANSWERS[path.stem]
    variants = variants_of(seed, 25, 3, drawn=False)
    assert len({v.id for v in variants} | {published.id}) == 26
    for variant in variants:
        assert len({o.text for o in variant.options}) == len(variant.options)
        assert not variant.options or variant.answer in [
            o.text for o in variant.options
        ]


@pytest.mark.parametrize("kind", KINDS)
def test_planted_mistakes_are_refused_or_told(kind: str, tmp_path: Path) -> None:
    """By a program that knows no guard; bench/living.py plants a hundred of each kind."""
    silent = []
    for what, text in islice(mistakes(SEEDS, kind, 6), 12):
        path = tmp_path / f"{what.partition(':')[0]}.yaml"
        path.write_text(text, "utf-8")
        try:
            seed = read_seed(path)
            told = notes_of(seed, variants_of(seed, 20, 1, drawn=False)[0])
        except UserError as error:
            told = re.findall(r"\.yaml:\d+: .+", str(error))
        silent += [] if told or not is_proved(seed) else [what]
    assert len(silent) <= (kind in ("text", "label", "figure")), (
        silent
    )  # some say what is so


RIGHT = """\
vary: {a: 6..30, b: 3..4}
published: {a: 6, b: 3}
margin: 0.5
question: >-
  [IP:ABCD is a rectangle.] [EC:AB is {a} cm and BC is {b} cm.]
  What is the area of ABCD, in square cm?
figure:
  points: {A: [0, 0], B: [a, 0], C: [a, b], D: [0, b], E: [a/2, b/2]}
  draw: [{polygon: ABCD}, {segment: AE}]
  labels: [{segment: AB, text: "{a} cm"}, {segment: BC, text: "{b} cm"}]
  check: [{midpoint: [E, AC]}]
answer: {exact: a*b, measured: {area: ABCD}}
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("a rectangle", "a square", "ABCD is no square but a rectangle"),
        ("a rectangle", "a trapezium", "no trapezium but a rectangle"),
        ("AB is {a}", "AC is {a}", "what the figure measures"),
        ("area of", "perimeter of", "asks for 'perimeter', the answer measures area"),
        ("area of ABCD", "area of ABC", "asks for ABC"),
        ("square cm", "square m", "no formula has 100"),
        (
            "rectangle.]",
            "rectangle, and AB is parallel to BC.]",
            "'AB is parallel to BC'",
        ),
        ("rectangle.]", "rectangle with an acute angle at A.]", "angle A is not acute"),
        ("AB is {a} cm and", "AB is {a} cm. And] so", "ends inside|behind it"),
        (
            "check: [{midpoint: [E, AC]}]",
            "hide: [E]",
            r":8: points.E.0 may be another number",
        ),
        ("{midpoint: [E, AC]}", "{midpoint: [E, AB]}", "the figure: check"),
        ("area: ABCD", "area: ABC", "the answer measures ABC|the formula gives"),
    ],
)
def test_words_that_the_figure_contradicts_are_refused(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    path = tmp_path / "rectangle.yaml"
    path.write_text(RIGHT, "utf-8")
    assert (
        notes_of(read_seed(path), variants_of(read_seed(path), 12, 1, drawn=False)[0])
        == []
    )
    assert old in RIGHT
    path.write_text(RIGHT.replace(old, new), "utf-8")
    with pytest.raises(UserError, match=said):
        variants_of(read_seed(path), 12, 1, drawn=False)


def test_a_seed_needs_no_published_numbers(tmp_path: Path) -> None:
    path = tmp_path / "rectangle.yaml"
    path.write_text(RIGHT.replace("published: {a: 6, b: 3}\n", ""), "utf-8")
    seed = read_seed(path)
    assert len(variants_of(seed, 21, 1, drawn=False)) == 21
    assert published_of(seed).question


def test_what_nothing_proves_is_told(tmp_path: Path) -> None:
    path = tmp_path / "rectangle.yaml"
    text = RIGHT.replace("rectangle.]", "rectangle, as children love to draw them.]")
    path.write_text(text.replace("[IP:", "[DI:"), "utf-8")
    seed = read_seed(path)
    assert [note.partition(": ")[2] for note in notes_of(seed, published_of(seed))] == [
        "nothing proves 'as children love to draw them'",
        "'ABCD is a rectangle, as children love to draw them.' is DI, "
        "by what it states it would be IP",
    ]


def test_the_formula_once_more_is_no_second_answer(tmp_path: Path) -> None:
    again = _written(tmp_path, '"h/a + h/b = 1"', '"h = a*b / (a+b)"')
    assert is_proved(read_seed(PIPES))
    assert not is_proved(read_seed(again))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("a: 3..30", "a: 30..3", r":2: the range '30..3' is empty"),
        ("a: 3..30", "a: 3..99999999", ":2: .*the limit is 1,000"),
        ("a: 3..30, b: 3..30", "a: 3..b, b: 3..a", ":2: circular"),
        ("a*b/(a+b), solved", "a*b/(a-a), solved", ":6: .*division by zero"),
        ("a*b/(a+b), solved", "a*b/(a+b)+1, solved", ":6: the formula gives"),
        ("(a+b)/2", "a*b/(a+b)", ":7: .*equal to another"),
        ("[a < b]", "[a < 2]", ":3: only 0 distinct"),
        ("vary: {a", "vary: {pi", ":2: 'pi' cannot be a name"),
        ("{a} hours", "{9^9^9^9} hours", ":5"),
        ("(a+b)/2", "__import__('os')", ":7: cannot read"),
    ],
)
def test_bad_seeds_are_named_by_line(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    with pytest.raises(UserError, match=said):
        variants_of(read_seed(_written(tmp_path, old, new)), 5, 1)


def test_the_same_variants_everywhere_and_others_by_another_seed() -> None:
    first, again, other = (variants_of(read_seed(PIPES), 20, k) for k in (1, 1, 2))
    assert [v.question for v in first] == [v.question for v in again]
    assert len({v.id for v in first} & {v.id for v in other}) < 8


def test_texts_follow_their_values() -> None:
    template = Template(
        "[IP:x] [EC:$y={q}x^2+{p}x$, or $\\frac{p}{q}$||so] find", ["p", "q"]
    )
    filled = template.fill({"p": Fraction(-3), "q": Fraction(2)})
    assert filled.text == r"x $y=2x^2-3x$, or $\frac{-3}{2}$ find"
    assert [(filled.text[s.start : s.end], s.role, s.alt) for s in filled.spans] == [
        ("x", "IP", None), (r"$y=2x^2-3x$, or $\frac{-3}{2}$", "EC", "so")
    ]  # fmt: skip
    assert latex(Fraction(-6, 4)) == r"-\frac{3}{2}"


def _result(name: str, numbers: str, right: bool) -> Result:
    origin = name.partition("~")[0]
    return Result(
        id=name, problem_id=name, origin=origin, version="", source="s", kind="number",
        labels={"numbers": numbers}, gold="1", response="1", status="ok", correct=right,
    )  # fmt: skip


def test_scores_of_a_living_set_by_hand() -> None:
    """Two seeds: one right always, one with its published numbers and half of the new ones."""
    rows = [("a", "published", True), ("a~1", "new", True), ("a~2", "new", True),
            ("b", "published", True), ("b~1", "new", True), ("b~2", "new", False)]  # fmt: skip
    found = living_scores([_result(*row) for row in rows])
    assert found is not None
    assert found.by_heart is not None
    assert (found.seeds, found.variants, found.average.value) == (2, 4, 0.75)
    assert (found.worst.value, found.all_right.value, found.spread) == (0.5, 0.5, 0.25)
    assert found.robustness == pytest.approx(2 / 3, abs=1e-6)
    assert (found.by_heart.first, found.by_heart.second) == (1.0, 0.75)


def test_parts_have_their_answers_each_proved(tmp_path: Path) -> None:
    path = tmp_path / "rectangle.yaml"
    both = RIGHT.replace(
        "in square cm?", "in square cm? What is the perimeter of ABCD, in cm?"
    )
    path.write_text(both, "utf-8")
    with pytest.raises(UserError, match="asks for 'perimeter'"):
        variants_of(read_seed(path), 12, 1, drawn=False)
    part = "parts: [{exact: 2a+2b, measured: {perimeter: ABCD}, unit: cm}]\n"
    path.write_text(both + part, "utf-8")
    problem = published_of(read_seed(path)).problem(
        read_seed(path), Source(name="s", raw_id="1"), "published"
    )
    assert problem.answer_kind == "parts"
    assert [(p.label, p.answer, p.unit) for p in problem.parts] == [
        ("1", "18", None),
        ("2", "18", "cm"),
    ]
    path.write_text(both + part.replace("2a+2b", "2a+b"), "utf-8")
    with pytest.raises(UserError, match="the formula gives"):
        variants_of(read_seed(path), 12, 1, drawn=False)
