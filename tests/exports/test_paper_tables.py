"""Tables of the papers: their own numbers on their published data, and small sets by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from benchwright import build_release, paper_tables
from benchwright.errors import UserError
from msgspec import to_builtins
from real_data import RealData
from small import png, problem, write_recipe, write_rows

# The numbers printed in the papers, where the published data is the set that they count.
MATH_V = {
    "total questions": 3040,
    "multiple-choice questions": 1532,
    "free-form questions": 1508,
    "answers A": 299, "answers B": 311, "answers C": 320, "answers D": 326, "answers E": 278,
    "unique answers": 370,
    "levels": 5,
    "subjects": 16,
    "maximum question length (words)": 280,
    "questions of at most 100 words": 3002,  # 98.75 % of D.1
}  # fmt: skip
# Of MathVerse the texts of testmini are public, 788 of 2,612 problems; the longest are among them.
MATHVERSE = {
    "total questions": 788,
    "subjects": 3,
    "subfields": 12,
    "multiple-choice questions": 436,
    "free-form questions": 352,
    "text_only: maximum question length (words)": 203,
    "text_only: maximum question length (characters)": 1311,
    "text_only: maximum answer length (words)": 17,
    "text_only: maximum answer length (characters)": 102,
}
# Of We-Math testmini is public: section 3 of the paper names its sizes.
WE_MATH = {
    "total samples": 1740,
    "one-step problems": 1215,
    "two-step problems": 360,
    "three-step problems": 165,
    "test: three-step problems": 165,
    "first-layer nodes": 5,
    "second-layer nodes": 12,
    "terminal nodes": 67,
}


RECIPE = """name: small
version: 1.0.0
sources:
  - {name: s, reader: jsonl, path: raw.jsonl, images: ., license: MIT}
splits: {test: rest}
"""


def released(folder: Path, source: Path, benchmark: str) -> Path:
    recipe = folder / "recipe.yaml"
    recipe.write_text(
        f"name: data\nversion: 1.0.0\nbenchmark: {benchmark}\nsources:\n"
        f"  - {{name: data, reader: {benchmark}, path: '{source}', license: MIT}}\n"
        "splits: {test: rest}\n",
        encoding="utf-8",
    )
    return Path(build_release(recipe, folder / "out").release)


@pytest.mark.parametrize(
    ("benchmark", "source", "printed"),
    [
        ("math-v", "math-v/test.jsonl", MATH_V),
        ("mathverse", "mathverse/testmini_text_only.json", MATHVERSE),
        ("we-math", "we-math/testmini.json", WE_MATH),
    ],
)
def test_the_papers_numbers_on_their_data(
    benchmark: str,
    source: str,
    printed: dict[str, float],
    tmp_path: Path,
    data: RealData,
) -> None:
    rows = paper_tables(released(tmp_path, data.whole(source), benchmark))
    counted = {row.statistic: row.value for row in rows}
    assert {name: counted[name] for name in printed} == printed
    if benchmark == "math-v":  # 42.3 in the paper, which cuts
        assert 42.3 <= counted["average question length (words)"] < 42.4
    if benchmark == "mathverse":
        assert round(counted["text_only: average answer length (words)"], 2) == 1.59


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    (folder / "a.png").write_bytes(png(40, 40, 200, "L"))
    write_rows(folder / "raw.jsonl", [
        {"id": "1", "question": "one two three", "options": ["5", "6"], "answer": "A",
         "images": ["a.png"], "labels": {"subject": "Plane Geometry", "subfield": "Length",
                                         "collection": "GeoQA", "difficulty": "easy"}},
        {"id": "2", "question": "one two", "answer": "12 cm", "solution": "We see 12.",
         "labels": {"subject": "Solid Geometry", "subfield": "Length", "collection": "ours",
                    "difficulty": "hard"}},
    ])  # fmt: skip
    recipe = folder / "recipe.yaml"
    recipe.write_text(RECIPE, encoding="utf-8")
    return Path(build_release(recipe, folder / "out").release)


def test_a_subfield_counts_once_for_each_subject(small: Path) -> None:
    rows = {row.statistic: row for row in paper_tables(small, "mathverse")}
    assert rows["subfields"].value == 2
    assert (
        rows["existing-dataset questions"].value,
        rows["newly collected questions"].value,
    ) == (
        1,
        1,
    )
    assert (rows["answers A"].value, rows["answers A"].share) == (1, 0.5)
    assert rows["single: maximum answer length (words)"].value == 2
    # "one two three\nChoices:\nA:5\nB:6" holds two blanks
    assert rows["single: maximum question length (words)"].value == 3


def test_letters_of_we_math_are_those_of_options(small: Path) -> None:
    rows = {row.statistic: row.value for row in paper_tables(small, "we-math")}
    assert (rows["total options"], rows["options A"], rows["options B"]) == (2, 1, 1)


def test_answers_of_mm_math_are_solutions(small: Path) -> None:
    rows = {row.statistic: row.value for row in paper_tables(small, "mm-math")}
    assert rows["maximum answer length (characters)"] == len("We see 12.")
    assert [rows[f"difficulty {d}"] for d in ("easy", "medium", "hard")] == [1, 0, 1]


def test_people_are_the_mean_of_pass_rates(tmp_path: Path) -> None:
    labels = [
        {"pass_rate": 0.9, "difficulty": "easy"},
        {"pass_rate": 0.5, "difficulty": "hard"},
    ]
    write_rows(tmp_path / "raw.jsonl", [
        {"id": str(k), "question": f"q {k}", "answer": "1", "labels": one}
        for k, one in enumerate(labels)
    ])  # fmt: skip
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(RECIPE, encoding="utf-8")
    rows = paper_tables(
        Path(build_release(recipe, tmp_path / "out").release), "mm-math"
    )
    people = {
        r.statistic: r.value for r in rows if r.table == "MM-MATH, table 3: people"
    }
    assert (people["average"], people["difficulty easy"]) == (0.7, 0.9)


def test_a_release_like_no_paper_asks_for_one(small: Path) -> None:
    with pytest.raises(UserError, match="like none of the papers"):
        paper_tables(small)
    with pytest.raises(UserError, match="no paper 'mathv'"):
        paper_tables(small, "mathv")


def test_the_card_shows_distributions(small: Path) -> None:
    card = (small / "README.md").read_text("utf-8")
    assert "(figures/question-lengths.svg)" in card
    plot = (small / "figures" / "subfield.svg").read_text("utf-8")
    assert plot.count("<rect") == 2
    assert "Solid Geometry / Length" in plot


def made(folder: Path, rows: list[dict[str, Any]], name: str = "one") -> Path:
    """A release of problems with these questions and labels."""
    (folder / name).mkdir()
    problems = [
        problem(
            k,
            question=row.pop("question", "q"),
            diagram=row.pop("diagram", None),
            labels=row,
        )
        for k, row in enumerate(map(dict, rows))
    ]
    write_rows(folder / name / "p.jsonl", list(map(to_builtins, problems)))
    source = {"name": "s", "reader": "problems", "path": "p.jsonl", "license": "MIT"}
    plan = {
        "name": name,
        "version": "1.0.0",
        "splits": {"test": "rest"},
        "sources": [source],
    }
    recipe = write_recipe(folder / name / "recipe.yaml", plan)
    return build_release(recipe, folder / name / "out").release


def counted(release: Path, **options: object) -> dict[tuple[str, str], float]:
    return {(row.table.partition(":")[0], row.statistic): row.value
            for row in paper_tables(release, **options)}  # type: ignore[arg-type]  # fmt: skip


def test_competitions_templates_and_levels_of_two_sets(tmp_path: Path) -> None:
    asked = [
        "How long is it, 3 cm?",
        "how long is it, 4.5 cm?",
        "What number is shown?",
        "Why?",
    ]
    held = ["AMC 8", "AMC 8", "AIME", ""]
    rows = [{"question": q, "level": k % 2 + 1, "competition": held[k]}
            for k, q in enumerate(asked)]  # fmt: skip
    found = counted(made(tmp_path, rows), like="math-v",
                    beside=[made(tmp_path, rows[:2], "two")])  # fmt: skip
    assert found["MATH-V, table 1", "source competitions"] == 2
    assert found["MATH-V, table 1", "competition AMC 8"] == 2
    assert found["MATH-V, table 1", "median question length (words)"] == 5
    assert found["MATH-V, table 7", "different stems"] == 3
    assert found["MATH-V, table 7", "template: how long is it, # cm?"] == 2
    assert found["MATH-V, figure 18", "0 to 9"] == 4
    sets = {
        k: v for (table, k), v in found.items() if table.startswith("We-Math, table 1")
    }
    assert (sets["problems: one-1.0.0"], sets["problems: two-1.0.0"]) == (4, 2)
    assert (sets["levels: one-1.0.0"], sets["testmini: one-1.0.0"]) == (2, 0)
    levels = {k: v for (table, k), v in found.items() if table == "MATH-V, figure 19"}
    assert levels == {"level 1: one-1.0.0": 2, "level 2: one-1.0.0": 2,
                      "level 1: two-1.0.0": 1, "level 2: two-1.0.0": 1}  # fmt: skip


def test_people_and_knowledge_points_by_area(tmp_path: Path) -> None:
    points = [["Tangents"], ["Tangents", "Rotation"], ["Quadratic Function"]]
    rows = [{"knowledge": p, "pass_rate": k / 4}
            for k, p in enumerate(points)]  # fmt: skip
    found = counted(made(tmp_path, rows), like="mm-math")
    people, share = "MM-MATH, table 3", "MM-MATH, figure 2"
    assert found[people, "area Properties of Shapes"] == 0.125
    assert found[people, "area Transformations of Shapes"] == 0.25
    assert found[people, "area Functions"] == 0.5
    assert found[share, "area Properties of Shapes"] == 2
    assert found[share, "topic Circle"] == 2


def test_newly_annotated_questions_are_functions(tmp_path: Path) -> None:
    rows = [
        {"subject": s, "diagram": "a line"} for s in ("Functions", "Plane Geometry")
    ]
    found = counted(made(tmp_path, rows), like="mathverse")
    assert found["MathVerse, tables 1 and 8", "newly annotated questions"] == 1
