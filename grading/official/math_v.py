"""MATH-V's published scoring (github.com/mathllm/MATH-V, evaluation/evaluate.py and utils.py).

A reply counts when its extracted answer equals the gold letter or the gold option's value: as
strings in lower case, or as numbers rounded to two decimals. The original evaluates model text
with Python's eval and can hang; here the same arithmetic is done within bounds (`math_v_values`),
and what exceeds them is a time-out. Everything else is kept, known faults included: options of
`**C**` or `\\boxed{\\text{C}}` are not found, 1/55 equals 1/60, the gold is not normalised, so that
`\\frac12`, `$\\boxed{1}$`, `42%` and the sign π have no value there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...problem import Option
from ..answers import LimitExceeded
from ..verdicts import Verdict
from .math_v_values import rounded

_CUES = (
    "the final answer is",
    "The final answer is",
    "the answer is",
    "The answer is",
    "the correct answer is",
    "The correct answer is",
    "the answer should be",
    "The answer should be",
)
_BOX = re.compile(r"oxed\{(.*)\}", re.DOTALL)
# deleted or rewritten one after the other, first by the benchmark, then by the MATH normaliser
_REWRITES = (
    (" ", ""), ("\\,", ""), ("∞", "\\infty"), ("+\\infty", "\\infty"), ("\\\\", "\\"), ("\n", ""),
    ("\\text", ""), ("\\mbox", ""), ("bmatrix", "pmatrix"), ("\\left", ""), ("\\right", ""),
    ("^{\\circ}", ""), ("^\\circ", ""), ("{m}^3", ""), ("m^3", ""), ("{units}", ""), ("units", ""),
    ("{km}", ""), ("km", ""),
    ("\\!", ""), ("\\\\", "\\"), ("tfrac", "frac"), ("dfrac", "frac"), ("\\left", ""),
    ("\\right", ""), ("^{\\circ}", ""), ("^\\circ", ""), ("\\$", ""), ("$", ""), ("\\%", ""),
    ("{.", "{0."),
)  # fmt: skip
_INTEGERS = re.compile(r"(0|-?[1-9]\d*)/(0|-?[1-9]\d*)")
_BRACKETS = (("(", ")"), ("[", "]"))


def verdict(response: str, gold: str, options: Sequence[Option]) -> Verdict:
    """The published verdict; `extracted` is what the script stores as model_answer."""
    answer = extract(response)
    value = next((option.text for option in options if option.label == gold), "")
    try:
        right = equal(gold, answer) or equal(value, answer)
    except LimitExceeded as reason:
        return Verdict(
            equal=None, how=f"refused: {reason}", status="timeout", extracted=answer
        )
    return Verdict(equal=right, how="math-v", extracted=answer, rule="math-v")


def extract(response: str) -> str:
    """The answer in a reply, in lower case."""
    text = _letter(response.strip())
    number = text.split("is ")[-1].rstrip(".")
    if _is_float(number):
        text = number
    if "oxed{" not in text:
        text = _after_cues(text)
    elif text.count("oxed{") > 1:
        text = "\\boxed{" + text.split("oxed{")[-1]
    answer = _normalised(text)
    for letter in "abcde":
        answer = answer.replace(f"({letter})", letter)
    for letter in "abcde":
        answer = answer.replace(f"{{{letter}}}", letter)
    return answer.rstrip(".").lstrip(":").strip()


def _letter(text: str) -> str:
    """A letter for a text that ends or begins with one, as the script knows it."""
    for letter in "ABCDE":
        ends = (f" {letter}.", f" ({letter}).")
        starts = (f"{letter}\n", f"({letter})\n", f"({letter}) {letter}\n")
        if text.endswith(ends) or text.startswith(starts):
            text = letter
    return text


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _after_cues(text: str) -> str:
    for cue in _CUES:
        _, separator, text = text.rpartition(cue)
        text = text.strip()
        if separator:
            text = text.split("\n")[0].split(". ")[0]
    return text


def _normalised(text: str) -> str:
    """The benchmark's clean-up, then the MATH normaliser's."""
    text = text.lower().replace("{}", "")
    boxes = _BOX.findall(text)
    text = boxes[-1] if boxes else text
    before_brace, closing, _ = text.partition("}")
    if closing and "{" not in before_brace:
        text = before_brace
    text = text.split("=")[-1].split("\\approx")[-1]
    for old, new in _REWRITES:
        text = text.replace(old, new)
    if text[:1] == ".":
        text = "0" + text
    if text.count("\\approx") == 1:
        text = text.split("\\approx")[1]
    if "sqrt" in text:
        text = _fractions_braced(_roots_braced(text))
    if text == "0.5":
        return "\\frac{1}{2}"
    if _INTEGERS.fullmatch(text):
        return "\\frac{{{}}}{{{}}}".format(*text.split("/"))
    return text


def _roots_braced(text: str) -> str:
    """\\sqrt23 as \\sqrt{2}3."""
    first, *parts = text.split("\\sqrt")
    return "\\sqrt".join([first, *map(_first_braced, parts)])


def _first_braced(text: str) -> str:
    return text if text[:1] in ("", "{") else f"{{{text[0]}}}{text[1:]}"


def _fractions_braced(text: str) -> str:
    """\\frac12 as \\frac{1}{2}; left alone where a fraction has no room for two arguments."""
    first, *parts = text.split("\\frac")
    if any(len(part) < 2 and part[:1] != "{" for part in parts):
        return text
    return "\\frac".join([first, *map(_arguments_braced, parts)])


def _arguments_braced(text: str) -> str:
    if text[0] == "{":
        return text
    return f"{{{text[0]}}}{_first_braced(text[1:])}"


def equal(gold: str, answer: str) -> bool:
    """Equal strings, equal lists of rounded values, or equal rounded values."""
    a = gold.lower()
    b = answer.lower()
    if not a.replace(" ", "") or not b.replace(" ", ""):
        return False
    if a.strip() == b.strip():
        return True
    a = _rounded_list(a)
    b = _rounded_list(b)
    if a == b:
        return True
    value = rounded(b)
    return value is not None and value == rounded(a)


def _rounded_list(text: str) -> str:
    """(1/3,2) as (0.33,2); as it stands where one of the items has no value."""
    items = text[1:-1].split(",")
    if len(items) < 2 or (text[0], text[-1]) not in _BRACKETS:
        return text
    values = [item if _is_kept(item) else rounded(item) for item in items]
    if None in values:
        return text
    return f"{text[0]}{','.join(map(str, values))}{text[-1]}"


def _is_kept(item: str) -> bool:
    return "infty" in item or item in ("a", "-a")
