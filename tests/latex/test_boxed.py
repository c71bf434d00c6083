from __future__ import annotations

import pytest
from benchwright.errors import UserError
from benchwright.latex import read_boxed, write_boxed


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        (r"So $\boxed{\frac{1}{2}}$.", [r"\frac{1}{2}"]),
        (r"$\boxed{\{1,2\}}$", [r"\{1,2\}"]),
        (r"$\boxed{\left\{x \mid x>0\right\}}$", [r"\left\{x \mid x>0\right\}"]),
        (r"$\boxed 5$", ["5"]),
        (r"$\fbox{7}$", ["7"]),
        (r"First \boxed{1}. Then \boxed{2}.", ["2"]),
        (r"$x=\boxed{1}$ or $x=\boxed{2}$.", ["1", "2"]),
        ("no box", []),
    ],
)
def test_read(text: str, answers: list[str]) -> None:
    assert read_boxed(text) == answers


def test_a_box_that_does_not_close_is_refused() -> None:
    with pytest.raises(UserError, match="does not close"):
        read_boxed(r"$\boxed{\frac{1}{2}$")


@pytest.mark.parametrize(
    "answer", [r"\frac{1}{2}", "5", "$x+1$", "Sunday morning", "三角形"]
)
def test_what_is_written_is_read(answer: str) -> None:
    boxed = write_boxed("Because.", answer)
    assert write_boxed(boxed, answer) == boxed
    inner = read_boxed(boxed)[0]
    assert inner in (answer.strip("$"), rf"\text{{{answer}}}")
