"""Golds swapped on purpose come first; without evidence nothing is suspected."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import yaml
from benchwright import suspects
from benchwright.check import solution_reading as reading_of
from benchwright.evaluate.scoring import score
from benchwright.problem import Option
from reading import reading
from small_releases import make_sample, write_predictions, write_release

SYLLABLES = (
    "ba",
    "kor",
    "mi",
    "tel",
    "su",
    "vran",
    "do",
    "lip",
    "gra",
    "ne",
    "pho",
    "zu",
)
WRONG = {3: "9", 11: "4", 20: "77"}


@pytest.fixture
def release(tmp_path: Path) -> Path:
    samples = [
        make_sample(f"a-{k}", WRONG.get(k, str(100 + k)), question=f"What is {k} + 100?",
                    solution=f"Adding gives {k} + 100. So the answer is {100 + k}.")
        for k in range(60)
    ]  # fmt: skip
    return write_release(tmp_path / "tiny", {"test": samples})


def test_swapped_golds_come_first_and_become_errata(
    release: Path, tmp_path: Path
) -> None:
    runs = []
    for name in "abc":
        said = {f"a-{k}": f"The answer is {100 + k}." for k in range(60)}
        score(
            release,
            write_predictions(tmp_path / f"{name}.jsonl", said),
            "test",
            tmp_path / name,
        )
        runs.append(tmp_path / name)
    found = suspects(release, runs, tmp_path / "out")
    assert {s.id for s in found[:3]} == {f"a-{k}" for k in WRONG}
    assert {s.says for s in found[:3]} == {str(100 + k) for k in WRONG}
    assert all(s.moves == dict.fromkeys("abc", round(1 / 60, 6)) for s in found[:3])
    errata = yaml.safe_load((tmp_path / "out/errata.yaml").read_text())
    assert {(e["id"], e["old"], e["new"]) for e in errata[:3]} == {
        (f"a-{k}", gold, str(100 + k)) for k, gold in WRONG.items()
    }
    with reading(tmp_path / "out/suspects.html") as page:
        assert page.locator("article").count() >= 3
        assert page.surprises == []


def test_runs_that_are_never_right_say_little(tmp_path: Path) -> None:
    """Three copies of one bad model agree everywhere: no gold is suspected for that."""
    samples = [make_sample(f"a-{k}", str(100 + k)) for k in range(60)]
    release = write_release(tmp_path / "tiny", {"test": samples})
    said = {f"a-{k}": "The answer is 5." for k in range(60)}
    runs = []
    for name in "abc":
        score(
            release,
            write_predictions(tmp_path / f"{name}.jsonl", said),
            "test",
            tmp_path / name,
        )
        runs.append(tmp_path / name)
    assert [s for s in suspects(release, runs) if s.chance > 0.05] == []


def test_a_solution_alone_is_evidence(release: Path, tmp_path: Path) -> None:
    """Without any run the solutions speak, and the page shows the questions."""
    found = suspects(release, [], tmp_path / "out", split="test")
    assert {s.id for s in found[:3]} == {f"a-{k}" for k in WRONG}
    with reading(tmp_path / "out/suspects.html") as page:
        assert page.title() == "Suspected golds"
        assert page.surprises == []


def test_twins_with_other_golds_are_told_once_and_by_name(tmp_path: Path) -> None:
    """One problem in two wordings, of which one gold is wrong; a letter needs its options."""
    samples = []
    for k in range(40):
        words = [
            "".join(random.Random(f"{k} {j} {n}").choice(SYLLABLES) for n in range(3))
            for j in range(8)
        ]
        a, b, c, d, e, f, g, h = words
        gold = str(100 + 7 * k)
        asked = f"The {a} of {b} carries {c} and {d} over the {e}. Which {f} has its {g} {h}?"
        again = (
            f"A {a} of {b} carried {c} and {d} over an {e}. What {f} had its {g} {h}?"
        )
        samples.append(make_sample(f"a-{k}", gold, question=asked))
        twin = "999" if k == 5 else gold
        samples.append(make_sample(f"b-{k}", twin, question=again))
    samples.append(make_sample("c-1", "C", question="Which of these is a square?"))
    release = write_release(tmp_path / "tiny", {"test": samples})
    found = suspects(release, [], split="test")
    first = {s.id: s for s in found[:2]}
    assert "c-1" in first
    assert "gold-without-options" in first["c-1"].reason()
    (other,) = first.keys() - {"c-1"}
    assert other in ("a-5", "b-5")
    beside = {"a-5": ("b-5", "999"), "b-5": ("a-5", "135")}[other]
    assert first[other].says == beside[1]
    assert f"{beside[0]} has {beside[1]}" in first[other].reason()
    assert beside[0] not in {s.id for s in found}


@pytest.mark.parametrize(
    ("solution", "gold", "place"),
    [
        ("We add. Hence edge RS is marked with $5(=1+4)$.", "5", "last"),
        ("The volume is $20 \\times 27 = 540$ cm. Note: 20 cubes.", "540", "last"),
        ("So the number is 9013 and its end is three.", "3", "last"),
        ("In total $21+84+11=116$. The first way gives 84 of these.", "116",
         "ends a sentence"),
        ("The area is $\\boxed{45 \\text{ units}^2}$", "45^2", "nowhere"),
        ("The area is $\\boxed{45 \\text{ units}^2}$", "45", "last"),
        ("Hence 6 is in the region with the question mark.", "5", "nowhere"),
    ],
)  # fmt: skip
def test_a_gold_is_looked_for_in_all_that_a_solution_ends_on(
    solution: str, gold: str, place: str
) -> None:
    equal = str.__eq__
    assert reading_of.place(gold, reading_of.ending(solution), equal) == place


def test_options_are_known_by_their_names_and_words() -> None:
    texts = (
        "only $U$",
        "either of $U$ and $W$",
        "any of $U, V$ and $W$",
        "none at all",
    )
    options = [Option(label=c, text=t) for c, t in zip("ABCD", texts, strict=True)]
    for solution, labels in (
        ("We turn it. So only $U$ and $W$ can be centres.", ["B"]),
        ("Therefore there is none at all.", ["D"]),
        ("It is clear.", []),
    ):
        end = reading_of.ending(solution)
        assert reading_of.chosen(options, end, str.__eq__) == labels
