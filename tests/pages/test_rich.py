"""Texts as parts: nothing is lost, marks cover whole formulas, turned writing is told."""

from __future__ import annotations

from typing import Any

from benchwright.base.templating import visible
from benchwright.pages import Mark, rich
from hypothesis import given
from hypothesis import strategies as st

TEXTS = st.text(alphabet="ab $\\(){}1\n<>&\u202e", max_size=40)


def flat(text: Any) -> str:
    if isinstance(text, str):
        return text
    return "".join(flat(part.get("p") or part.get("f") or part.get("d") or "")
                   if isinstance(part, dict) else part for part in text)  # fmt: skip


@given(TEXTS, st.integers(0, 40), st.integers(0, 40))
def test_a_mark_changes_no_text(text: str, start: int, end: int) -> None:
    marks = [Mark(min(start, len(text)), min(end, len(text)), "evidence")]
    assert flat(rich(text, marks)) == flat(rich(text))


def test_marks_are_taken_in_order_and_never_overlap() -> None:
    parts = rich("abcdef", [Mark(3, 5, "EC"), Mark(0, 2, "DI"), Mark(1, 4, "IP")])
    assert parts == [{"m": "DI", "p": ["ab"]}, "c", {"m": "EC", "p": ["de"]}, "f"]


def test_a_mark_inside_a_formula_covers_it() -> None:
    assert rich("is $x+1$!", [Mark(5, 6, "evidence")]) == [
        "is ", {"m": "evidence", "p": [{"f": "x+1"}]}, "!",
    ]  # fmt: skip


def test_written_out_line_ends_are_line_ends() -> None:
    assert rich("a\\n b \\neq") == "a\n  b \\neq"


def test_every_mark_of_direction_is_written_out() -> None:
    turning = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    assert visible(turning) == "".join(f"⟦U+{ord(c):04X}⟧" for c in turning)


def test_a_box_outside_dollars_is_a_formula() -> None:
    assert rich(r"So \boxed{\frac{1}{2}}.") == [
        "So ",
        {"f": r"\boxed{\frac{1}{2}}"},
        ".",
    ]
    assert rich(r"$\boxed{2}$ cm") == [{"f": r"\boxed{2}"}, " cm"]
    assert rich(r"\boxed{50%}") == [{"f": r"\boxed{50\%}"}]
    assert rich(r"\boxed{$x$ alone}") == [{"f": r"\boxed{\text{x alone}}"}]
    assert rich(r"\boxed{2") == r"\boxed{2"  # cut off: as it was written
    marked = rich(r"It is \boxed{E}", [Mark(13, 14, "evidence")])
    assert marked == ["It is ", {"m": "evidence", "p": [{"f": r"\boxed{E}"}]}]
