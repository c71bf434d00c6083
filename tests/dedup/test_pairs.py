"""Pairs: known pairs of MATH-V get their class; hostile input is survived."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchwright import Pair
from benchwright.base.files import encode
from benchwright.dedup import (
    Item,
    find_pairs,
    joined_rows,
    leakage_groups,
    linked,
    pairs_among,
    read_items,
)
from benchwright.dedup.classes import compare
from benchwright.dedup.join import join
from benchwright.errors import UserError
from benchwright.pipeline import Engine
from real_data import RealData

CASES = json.loads(
    (Path(__file__).parent / "cases/math_v_pairs.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def items(data: RealData) -> list[Item]:
    """All questions: what is rare, and so weighs, depends on the set.

    Pictures are there of the known pairs at least.
    """
    items, bad = read_items(data.math_v("test.jsonl"))
    assert not bad
    return items


@pytest.fixture(scope="module")
def pairs(items: list[Item]) -> dict[tuple[str, str], Pair]:
    return {(pair.a, pair.b): pair for pair in pairs_among(items, 80, Engine(jobs=2))}


@pytest.mark.parametrize(("a", "b", "kind", "evidence"), CASES["pairs"])
def test_known_pairs_have_their_class_and_evidence(
    pairs: dict[tuple[str, str], Pair],
    a: str,
    b: str,
    kind: str,
    evidence: dict[str, str],
) -> None:
    pair = pairs[a, b]
    assert pair.kind == kind
    assert {name: getattr(pair, name) for name in evidence} == evidence
    assert not pair.automatic


def test_all_pairs_of_the_join_are_rows(
    items: list[Item], pairs: dict[tuple[str, str], Pair]
) -> None:
    for match in join([item.question for item in items], 80):
        pair = pairs[items[match.a].id, items[match.b].id]
        longer = max(len(items[match.a].question), len(items[match.b].question))
        assert pair.similarity == round(1 - match.distance / longer, 4)


def test_relatives_form_leakage_groups(
    items: list[Item], pairs: dict[tuple[str, str], Pair]
) -> None:
    links = [(p.a, p.b) for p in pairs.values() if linked(p, {})]
    group = leakage_groups([item.id for item in items], links)
    for members in CASES["leakage_groups"]:
        assert len({group[name] for name in members}) == 1
    for a, b in CASES["not_linked"]:
        assert group[a] != group[b]


def question(name: str, text: str, **more: object) -> Item:
    return Item(id=name, question=text, **more)  # type: ignore[arg-type]


def classes(items: list[Item], percent: int = 85) -> dict[str, str]:
    return {f"{p.a}-{p.b}": p.kind for p in pairs_among(items, percent)}


def test_classes_of_small_pairs() -> None:
    base = "Ann has 12 apples and gives Ben 5 of them. How many apples are left?"
    assert classes(
        [question("1", base, answer="7"), question("2", base, answer="7")]
    ) == {"1-2": "exact"}
    assert classes(
        [question("1", base, answer="7"), question("2", base, answer="8")]
    ) == {"1-2": "answer-differs"}
    other = base.replace("12", "15")
    assert classes([question("1", base), question("2", other)]) == {
        "1-2": "numbers-differ"
    }
    with_options = question("2", base, options=[("A", "7")], answer="A")
    assert classes([question("1", base, answer="7"), with_options]) == {
        "1-2": "options-differ"
    }


def test_sentences_in_another_order_are_found_by_overlap() -> None:
    parts = [
        "A train leaves the town at noon with forty people on board.",
        "Every passenger carries two heavy bags and one small parcel.",
        "The conductor counts all of the luggage before the next stop.",
    ]
    a, b = question("1", " ".join(parts)), question("2", " ".join(reversed(parts)))
    (pair,) = pairs_among([a, b], 85)
    assert pair.found == ["overlap"]
    assert pair.similarity < 0.6
    assert pair.overlap["jaccard"] >= 0.6


def test_chinese_sentences_in_another_order_are_found_by_overlap() -> None:
    parts = [
        "一列火车中午从城里开出",
        "每位乘客都带着沉重的行李",
        "列车员在下一站之前清点人数",
    ]
    a, b = (question(k, "。".join(p)) for k, p in (("1", parts), ("2", parts[::-1])))
    (pair,) = pairs_among([a, b], 85)
    assert pair.found == ["overlap"]


ENGLISH = (
    "A garden is 24 metres long and 9 metres wide. How long is the fence around it?"
)
CHINESE = "一个长方形花园长24米，宽9米。围住这个花园的篱笆长多少米？"
VALUES = ["66", "33", "216", "48"]


def choice(name: str, text: str, values: list[str], answer: str) -> Item:
    options = [(chr(ord("A") + k), value) for k, value in enumerate(values)]
    return question(name, text, options=options, answer=answer)


@pytest.mark.parametrize(("base", "word", "other"), [
    (ENGLISH, "garden", "meadow"), (CHINESE, "花园", "菜园"),
])  # fmt: skip
def test_each_change_has_its_class_in_english_and_chinese(
    base: str, word: str, other: str
) -> None:
    a = choice("1", base, VALUES, "A")
    changed = {
        "exact": choice("2", base, VALUES, "A"),
        "respelled": choice("2", base, VALUES[::-1], "D"),
        "edited": choice("2", base.replace(word, other), VALUES, "A"),
        "numbers-differ": choice("2", base.replace("24", "42"), VALUES, "A"),
        "options-differ": choice("2", base, ["66", "34", "216", "48"], "A"),
        "answer-differs": choice("2", base, VALUES, "B"),
    }
    assert {kind: classes([a, b], 80) for kind, b in changed.items()} == {
        kind: {"1-2": kind} for kind in changed
    }


@pytest.mark.parametrize(("a", "b"), [
    ("Tom has three apples and Ann has five.", "Tom has four apples and Ann has five."),
    ("小明有三个苹果，小红有五个苹果", "小明有四个苹果，小红有五个苹果"),
    ("It has 25 fields and three doors.", "It has 25 fields and 4 doors."),
    ("At night it fell to $-5$ degrees.", "At night it fell to $5$ degrees."),
])  # fmt: skip
def test_number_words_and_signs_are_numbers(a: str, b: str) -> None:
    assert classes([question("1", a), question("2", b)], 80) == {
        "1-2": "numbers-differ"
    }


def test_a_number_word_that_is_left_out_says_nothing() -> None:
    a = question("1", "All five sides of the figure are 4 cm long. What is its area?")
    b = question("2", "All sides of the figure are 4 cm long. What is its area?")
    c = question("3", "All 5 sides of the figure are 4 cm long. What is its area?")
    assert classes([a, b], 80) == {"1-2": "edited"}
    assert classes([a, c], 80) == {"1-3": "edited"}


def test_translations_are_flagged_by_formulas_and_numbers() -> None:
    english = "In triangle $ABC$, $AB = 5$, $BC = 7$ and the height is 12. Find $x^2$."
    chinese = "在三角形 $ABC$ 中，$AB=5$，$BC=7$，高为12。求 $x^{2}$。"
    assert classes([question("1", english), question("2", chinese)]) == {
        "1-2": "translation"
    }
    other = question("2", chinese.replace("12", "13"))
    assert classes([question("1", english), other]) == {"1-2": "numbers-differ"}


def test_identical_rows_are_a_group_and_never_all_pairs() -> None:
    items = [question(str(k), "How many objects are left?") for k in range(3000)]
    rows = list(joined_rows(items, 90, Engine()))
    assert rows == [{"group": [str(k) for k in range(3000)]}]
    assert len(list(pairs_among(items, 90))) == 2999


def test_hostile_texts_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    texts = [
        "",
        "",
        "\ud800 half",
        "\ud800 half ",
        "عدد 12 中文 mixed",
        "عدد 12 中文 mixed!",
        "x" * 10**7,
    ]
    texts.append("x" * 10**7 + "y")
    found = list(
        pairs_among([question(str(k), text) for k, text in enumerate(texts)], 80)
    )
    assert {(p.a, p.b) for p in found} == {("0", "1"), ("2", "3"), ("4", "5")}
    assert "compared as wholes only" in capsys.readouterr().err
    for pair in found:
        encode(pair)


def test_missing_pictures_are_reported_and_do_not_decide(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = [
        question(k, "What is shown?", pictures=[tmp_path / f"{k}.png"]) for k in "ab"
    ]
    (pair,) = pairs_among(items, 90)
    assert (pair.kind, pair.picture, pair.automatic) == (
        "picture-differs",
        "unreadable",
        False,
    )
    assert linked(pair, {})
    assert "2 pictures are missing or unreadable" in capsys.readouterr().err


def test_the_more_complete_member_is_kept_then_the_earlier() -> None:
    a, b = question("1", "One apple?"), question("2", "One apple ?", details=1)
    (pair,) = pairs_among([a, b], 80)
    assert (pair.keep, pair.why_keep) == ("2", "more complete")
    a.details = 1
    (pair,) = pairs_among([a, b], 80)
    assert (pair.keep, pair.why_keep) == ("1", "earlier source")


def test_the_diff_names_what_changed() -> None:
    pair = compare(
        question("1", "find the red ball"), question("2", "find a red box"), ["text"]
    )
    assert pair.diff == [["the", "a"], ["ball", "box"]]


def test_reading_names_damaged_lines_and_repeated_ids(tmp_path: Path) -> None:
    path = tmp_path / "raw.jsonl"
    path.write_text(
        '{"id": 1, "question": "q"}\n{"id": 2}\nnot json\n{"id": 3, "question": 4}\n'
    )
    items, bad = read_items(path)
    assert [item.id for item in items] == ["1"]
    assert [line.split(": ")[0] for line in bad] == [f"{path}:{n}" for n in (2, 3, 4)]
    path.write_text('{"id": 1, "question": "q"}\n{"id": 1, "question": "r"}\n')
    with pytest.raises(UserError, match="occurs in line 1 too"):
        read_items(path)
    path.write_text('{"id": null, "question": "q", "options": {"A": "7", "B": "8"}}\n')
    (item,) = read_items(path)[0]
    assert (item.id, item.options) == ("1", [("A", "7"), ("B", "8")])
    path.write_text('{"id": 1, "question": "q", "image": "../../etc/passwd"}\n')
    with pytest.raises(UserError, match="leaves its folder"):
        read_items(path)


def test_exact_copies_are_found_in_a_crowd_of_one_text() -> None:
    """A frequent question: each answer differs but for two rows far from the first."""
    items = [
        question(str(k), "How many objects are left?", answer=str(k)) for k in range(60)
    ]
    items[51].answer = "50"
    exact = [(p.a, p.b) for p in pairs_among(items, 90) if p.automatic]
    assert exact == [("50", "51")]


def test_pictures_that_were_not_compared_never_decide(tmp_path: Path) -> None:
    items = [
        question(k, "What is shown?", pictures=[tmp_path / f"{k}.png"]) for k in "ab"
    ]
    (pair,) = pairs_among(items, 90, pictures=False)
    assert (pair.picture, pair.automatic) == ("not compared", False)


def test_templates_vary_in_names_and_numbers_and_no_other_word() -> None:
    names = "Ann Ben Cara Dan Eve Finn Gail Hank Ian".split()
    places = "Rome Oslo Bonn Graz Nice Lyon Pisa Turin Cork".split()
    moving = [
        Item(
            id=f"m{k}", question=f"{name} walks {k} km to {place}. How far is {place}?"
        )
        for k, (name, place) in enumerate(zip(names, places, strict=True))
    ]
    running = [
        Item(id=f"r{k}", question=f"{name} runs {k} km to Rome. How far is Rome?")
        for k, name in enumerate(names)
    ]
    found = find_pairs([*moving, *running])
    assert [(family.template, family.size) for family in found.families] == [
        ("@ walks # km to @ . how far is @ ?", 9),
        ("@ runs # km to rome . how far is rome ?", 9),
    ]
    assert {(pair.a, pair.b) for pair in found} <= {("m0", "r0")}
