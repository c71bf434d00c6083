"""Exams typeset from known problems in many styles, so that the true cut is known."""

from __future__ import annotations

import re

from exam_styles import FIRST, Problem
from exam_styles_more import MORE

STYLES = FIRST | MORE


def printed(problems: list[Problem], style: str) -> list[Problem]:
    """The problems as `style` prints them, in its order.

    Options that are pictures have a letter only, which is not printed twice; `below` holds the
    figures that stand behind the options.
    """
    shown = [_as_printed(problem, style) for problem in problems]
    return (
        sorted(shown, key=lambda p: not p["options"])
        if style == "chinese-sections"
        else shown
    )


def _as_printed(problem: Problem, style: str) -> Problem:
    plain = [option.strip("() ") for option in problem["options"]]
    letters = plain == list("ABCDE")[: len(plain)]
    shown = problem | {
        "below": "",
        "options": ["" for _ in plain] if letters else problem["options"],
    }
    if style == "figures-after" and not any(
        "<image" in option for option in problem["options"]
    ):
        shown["below"] = "\n".join(re.findall(r"<image\d+>", problem["question"]))
        shown["question"] = re.sub(
            r"\s*<image\d+>\s*", " ", problem["question"]
        ).strip()
    return shown


def typeset(problems: list[Problem], style: str) -> str:
    """One exam with all pictures as Mathpix crops."""
    page = 1 + len(problems) % 9
    exam = STYLES[style](printed(problems, style))
    return re.sub(r"<image(\d+)>", lambda m: _picture(page, int(m[1])), exam)


def _picture(page: int, k: int) -> str:
    return (
        f"![](https://cdn.mathpix.com/cropped/2024_01_01_abc-{page:02d}.jpg"
        f"?height=200&width=300&top_left_y={100 + 7 * k}&top_left_x=900)"
    )


def true_texts(problem: Problem) -> list[str]:
    """Question and options of a printed problem as they must be cut."""
    options = [o or c for c, o in zip("ABCDE", problem["options"], strict=False)]
    question = "\n".join(filter(None, [problem["question"], problem["below"]]))
    return [question, *options]


def squeezed(text: str) -> str:
    """White space apart, and pictures numbered in order of appearance."""
    order: dict[str, int] = {}
    text = re.sub(
        r"<image\d+>",
        lambda m: f"<image{order.setdefault(m[0], len(order) + 1)}>",
        text,
    )
    return "".join(text.split())
