"""Mistakes that people make in seeds: none passes in silence, and right seeds are not refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from benchwright.errors import UserError
from benchwright.living import read_seed, variants_of
from benchwright.living.agreement import is_proved
from benchwright.living.notes import notes_of
from benchwright.living.variants import published_of

HERE = Path(__file__).parent
SEEDS = Path(__file__).parents[2] / "examples/living/seeds"
PLANTED = yaml.safe_load((HERE / "planted.yaml").read_text("utf-8"))
MORE = PLANTED.pop("more")
PLANTED |= yaml.safe_load((HERE / "planted_kinds.yaml").read_text("utf-8"))


def _text(name: str) -> str:
    if name in MORE:
        return (SEEDS / f"{name}.yaml").read_text("utf-8")
    seed = PLANTED[name]
    return seed["seed"].replace(*seed.get("fixed", ["", ""]))


def _outcome(folder: Path, name: str, text: str) -> list[str] | None:
    """What is noted of a seed; None where it is refused."""
    path = folder / f"{name}.yaml"
    path.write_text(text, "utf-8")
    try:
        seed = read_seed(path)
        published_of(seed)
        variant = variants_of(seed, 20, 1, drawn=False)[0]
    except UserError:
        return None
    notes = [note.partition(": ")[2] for note in notes_of(seed, variant)]
    return notes if is_proved(seed) else [*notes, "unproved"]


@pytest.mark.parametrize("name", [*PLANTED, *MORE])
def test_a_planted_mistake_is_refused_or_told(name: str, tmp_path: Path) -> None:
    text = _text(name)
    notes = _outcome(tmp_path, name, text)
    assert notes is not None, "a right seed is refused"
    mistakes = MORE[name] if name in MORE else PLANTED[name]["mistakes"]
    for old, new in mistakes:
        assert old in text, old
        others = _outcome(tmp_path, name, text.replace(old, new))
        assert others is None or set(others) - set(notes), (old, new)


RING = (SEEDS / "math-v-228-ring.yaml").read_text("utf-8")
TOUCHES = "The chord AB of the larger of two circles about M touches the smaller one"


def _with_check(relation: str, words: str = TOUCHES) -> str:
    return f"{RING}\ncheck: {{{words!r}: {{{relation}}}}}\n"


def test_an_author_says_what_no_reader_reads(tmp_path: Path) -> None:
    before = _outcome(tmp_path, "ring", RING)
    assert before is not None
    assert any(TOUCHES in note for note in before)
    said = _outcome(tmp_path, "ring", _with_check("tangent: [AB, M, r]"))
    assert said == [note for note in before if TOUCHES not in note]


@pytest.mark.parametrize(
    ("relation", "words", "why"),
    [
        ("tangent: [AB, M, 2r]", TOUCHES, "tangent"),
        ("length: [AB, 4]", TOUCHES, "names M"),
        ("tangent: [AB, M, r]", "two circles about N", "does not say"),
        ("touches: [AB, M, r]", TOUCHES, "touches"),
    ],
)
def test_what_the_author_says_must_hold_and_be_of_these_words(
    relation: str, words: str, why: str, tmp_path: Path
) -> None:
    path = tmp_path / "ring.yaml"
    path.write_text(_with_check(relation, words), "utf-8")
    with pytest.raises(UserError, match=why):
        published_of(read_seed(path))
