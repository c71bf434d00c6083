"""Text, figure, labels, answers, steps and solution of a variant say the same."""

from __future__ import annotations

from typing import Any

from ..errors import UserError
from ..render.claims import (
    Contradicted,
    measured_question,
    read,
)
from ..render.diagram import Claim, Composition, misplaced
from .exact import WHOLE, Exact, number
from .figures import by_figure, mistold
from .guarding import Unfit, filled_text, refused, worked
from .reading import Seed, Values
from .routes import by_counting, by_equations
from .solutions import equalities, last_rounding, last_value
from .telling import check_told
from .texts import Filled

WIDE = 0.1  # of the answer: so wide a tolerance accepts what is wrong


def check_agreement(
    seed: Seed,
    values: Values,
    answer: Exact,
    question: Filled,
    spec: dict[str, Any],
    composition: Composition | None,
) -> None:
    """Text, figure, labels and answers say the same.

    Raises Refused where they do not, and Unfit where the figure is more than its text says.
    """
    claims: list[Claim] = []
    if composition is not None:
        text = seed.template(seed.data["question"]).fill(values, plain=True).text
        try:
            claims = read(text, composition).claims
        except Contradicted as error:
            if error.narrower:
                raise Unfit(str(error), "question") from error
            raise refused(seed, values, f"the text says {error}", "question") from error
        problem, is_label = mistold(seed, composition, claims)
        if problem:
            keys = ("figure", "labels") if is_label else ("question",)
            raise refused(seed, values, problem, *keys)
        for problem, where in misplaced(composition):
            raise refused(seed, values, f"{where}: {problem}", "figure")
    check_answers(seed, values, answer, composition)
    _solved_so(seed, values, answer)
    _steps_agree(seed, values, composition)
    _close_enough(seed, values, answer)
    check_told(seed, values, question, spec, claims)


def _solved_so(seed: Seed, values: Values, answer: Exact) -> None:
    """The solution ends in the answer, and what it sets equal is equal. Raises Refused."""
    if not seed.data.get("solution"):
        return
    filled = filled_text(seed, values, "solution")
    for left, right in equalities(filled.text):
        what = f"it says {left} = {right}"
        raise refused(seed, values, what, "solution")
    last = last_value(filled.text)
    size = number(answer)
    off = max(0.006, 0.002 * abs(size), last_rounding(filled.text))
    if last is not None and abs(last - size) > off:
        what = f"it ends in {last:.6g}, the answer is {size:.6g}"
        raise refused(seed, values, what, "solution")


def _steps_agree(seed: Seed, values: Values, composition: Composition | None) -> None:
    """The answer of a step is what the figure answers to its question. Raises Refused."""
    for k, step in enumerate(seed.data.get("steps", [])):
        if composition is None:
            return
        question = seed.template(step["question"]).fill(values, plain=True).text
        measured = measured_question(question, composition)
        exact = number(worked(seed, values, step["exact"], "steps", k, "exact"))
        if measured is not None and abs(measured - exact) > 1e-4 * max(1.0, abs(exact)):
            what = f"the formula gives {exact:.6g}, the figure measures {measured:.6g}"
            raise refused(seed, values, what, "steps", k, "exact")


def _close_enough(seed: Seed, values: Values, answer: Exact) -> None:
    """The tolerance is no share of the answer, and takes in no wrong option. Raises Refused."""
    tolerance = seed.data["answer"].get("tolerance")
    if not tolerance:
        return
    size = number(answer)
    if not isinstance(tolerance, int | float) or tolerance > WIDE * abs(size):
        what = f"a tolerance of {tolerance} beside the answer {size:.6g}"
        raise refused(seed, values, what, "answer", "tolerance")


def check_answers(seed: Seed, values: Values, answer: Exact, composition: Any) -> None:
    """Every other answer that the seed gives agrees with the formula."""
    answer_data = seed.data["answer"]
    for key in ("measured", "solved", "counted"):
        if key not in answer_data:
            continue
        try:
            second = _second_answer(seed, values, key, composition)
        except Exception as error:
            is_sympys = type(error).__module__[:5] == "sympy"
            if not is_sympys and not isinstance(error, ValueError | UserError):
                raise
            raise refused(seed, values, f"{key}: {error}", "answer", key) from error
        if abs(second - number(answer)) > WHOLE * max(1.0, abs(second)):
            what = f"the formula gives {number(answer):.8g}, {key} gives {second:.8g}"
            raise refused(seed, values, what, "answer", "exact")


def _second_answer(seed: Seed, values: Values, key: str, composition: Any) -> float:
    """The answer by another way than the formula."""
    if key == "solved":
        return by_equations(seed, values)
    if key == "counted":
        return by_counting(seed, values)
    if composition is None:
        raise ValueError("there is no figure to measure")
    return by_figure(seed, values, composition)


def is_proved(seed: Seed) -> bool:
    """Whether a second, independent answer stands in the seed; the formula once more is none."""
    answer_data = seed.data["answer"]
    if "measured" in answer_data or "counted" in answer_data:
        return True
    solved = (answer_data.get("solved") or {}).values()
    equations = [str(equation).replace(" ", "") for equation in solved]
    formula = str(answer_data["exact"]).replace(" ", "")
    is_formula = len(equations) == 1 and formula in equations[0].split("=")
    return bool(equations) and not is_formula
