"""Six versions: tables and paired drops."""

import pytest
from benchwright.evaluate.metrics import DROPS, paired_difference, version_scores
from benchwright.problem import VERSIONS
from hypothesis import given
from hypothesis import strategies as st
from small_releases import make_result


def results(right: dict[str, int], problems: int = 10, **labels):
    """Per version, the first so many of the problems are right."""
    return [
        make_result(f"p-{k}.{version}", k < right[version], labels=labels)
        for k in range(problems)
        for version in right
    ]


SIX = dict(zip(VERSIONS, (8, 7, 9, 6, 5, 2), strict=True))


def test_accuracy_per_version_and_over_all_but_text_only():
    table = version_scores(results(SIX))
    assert {v: getattr(table, v).correct for v in VERSIONS} == SIX
    assert (table.all.n, table.all.correct) == (50, 8 + 7 + 6 + 5 + 2)
    assert table.all.clusters == 10


def test_drops_are_paired_and_signed_from_the_richer_text():
    table = version_scores(results(SIX))
    drops = {name: round(d.value, 6) for name, d in table.drops.items()}
    assert drops == {
        "text_dominant -> text_only": -0.1,
        "text_dominant -> text_lite": 0.1,
        "text_lite -> vision_intensive": 0.1,
        "text_lite -> vision_dominant": 0.2,
        "vision_dominant -> vision_only": 0.3,
    }
    assert all(d.low <= d.value <= d.high for d in table.drops.values())


def test_subfields_of_one_name_stay_apart():
    """Length is a subfield of plane and of solid geometry; merging them is a known mistake."""
    plane = results({"text_lite": 10}, subject="Plane", subfield="Length")
    solid = [
        make_result(
            f"q-{k}.text_lite", False, labels={"subject": "Solid", "subfield": "Length"}
        )
        for k in range(10)
    ]
    by = version_scores(plane + solid).by["subfield"]
    assert {name: rates["text_lite"].value for name, rates in by.items()} == {
        "Plane / Length": 1.0,
        "Solid / Length": 0.0,
    }


def test_only_versions_that_exist_and_pairs_that_are_complete():
    table = version_scores(results({"text_dominant": 5, "text_lite": 3})[:-1])
    assert table.vision_only is None
    assert list(table.drops) == ["text_dominant -> text_lite"]
    assert table.drops["text_dominant -> text_lite"].n == 9
    assert version_scores([make_result("p-1", True)]) is None


@given(
    st.lists(
        st.tuples(*[st.booleans()] * 6, st.sampled_from("abc")), min_size=1, max_size=12
    )
)
def test_drops_are_the_slow_paired_ones(rows):
    """Straight from the rows: who is right on the rich version, who on the poor, by origin."""
    asked = [
        make_result(f"p-{k}.{version}", right, origin=row[6])
        for k, row in enumerate(rows)
        for version, right in zip(VERSIONS, row[:6], strict=True)
    ]
    table = version_scores(asked)
    for rich, poor in DROPS:
        a, b = (VERSIONS.index(version) for version in (rich, poor))
        gaps = [row[a] - row[b] for row in rows]
        mean = sum(gaps) / len(gaps)
        drop = table.drops[f"{rich} -> {poor}"]
        assert drop.n == len(rows)
        assert drop.value == pytest.approx(mean, abs=1e-6)
        assert drop == paired_difference(
            [row[a] for row in rows], [row[b] for row in rows], [row[6] for row in rows]
        )


def test_every_answer_of_people_counts_in_a_drop():
    """Each student answers one version (MathVerse, B): 4 of 6 here, 2 of 6 there."""
    people = [
        make_result(f"p-{k}.{version}", right, person=who)
        for version, answers in {
            "text_dominant": [(0, "a", True), (0, "b", True), (0, "c", False),
                              (1, "a", True), (1, "b", True), (1, "c", False)],
            "text_lite": [(0, "d", True), (0, "e", False), (0, "f", False),
                          (1, "d", False), (1, "e", True), (1, "f", False)],
        }.items()
        for k, who, right in answers
    ]  # fmt: skip
    table = version_scores(people)
    drop = table.drops["text_dominant -> text_lite"]
    rates = table.text_dominant.value - table.text_lite.value
    assert drop.value == pytest.approx(rates, abs=2e-6)
    assert drop.value == pytest.approx(1 / 3, abs=2e-6)
