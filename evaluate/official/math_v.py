"""MATH-V's published scoring (github.com/mathllm/MATH-V, evaluation/evaluate.py and utils.py).

A reply counts when its extracted answer equals the gold letter or the gold option's value: as
strings in lower case, or as numbers rounded to two decimals. The original evaluates model text
with Python's eval and can hang; here the same arithmetic is done on a parsed tree within bounds,
and what exceeds them is a time-out. Everything else is kept, known faults included: options of
`**C**` or `\\boxed{\\text{C}}` are not found, 1/55 equals 1/60, the gold is not normalised.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ...problem import Option
from ..answers import NUMERALS, LimitExceeded, Node, ParseError, Symbolic, read, walk
from ..equivalence import numeric
from ..grading import Verdict

_CUES = (
    "the final answer is", "The final answer is", "the answer is", "The answer is",
    "the correct answer is", "The correct answer is", "the answer should be",
    "The answer should be",
)  # fmt: skip
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
_BARE_FRACTION = re.compile(r"\\frac([^{])([^{])")
_HALF_BARE_FRACTION = re.compile(r"\\frac([^{])(?=\{)")
_UNKNOWN = re.compile(
    r"\\(?:pm|mp|cup|cap|in|infty|emptyset)|\\frac(?!\{)|\\sqrt(?![{\[])|\\[$()\[\]]|[√∛∜°€£¥￥]|\*\*"
)
_WORD = re.compile(r"(?<![\\a-z])[a-z]{5,}")
_PREFIX = re.compile(r"([^.]*\d)\.(?!\d)[a-z0-9.,+*/=-]*")
_MIXED = re.compile(r"(\d)\s*\\frac")
_CONSTANTS = frozenset(["pi"])
_FUNCTIONS = frozenset("sin cos tan sinh cosh tanh factorial floor ceil binom ln log exp".split())


def verdict(response: str, gold: str, options: Sequence[Option]) -> Verdict:
    """The published verdict; `extracted` is what the script stores as model_answer."""
    answer = extract(response)
    value = next((o.text for o in options if o.label == gold), "")
    try:
        right = equal(gold, answer) or equal(value, answer)
    except LimitExceeded as reason:
        return Verdict(equal=None, how=f"refused: {reason}", status="timeout", extracted=answer)
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
    for c in "ABCDE":
        if text.endswith((f" {c}.", f" ({c}).")) or text.startswith(
            (f"{c}\n", f"({c})\n", f"({c}) {c}\n")
        ):
            text = c
    return text


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _after_cues(text: str) -> str:
    for cue in _CUES:
        _, separator, after = text.rpartition(cue)
        text = (after if separator else text).strip()
        if separator:
            text = text.split("\n")[0].split(". ")[0]
    return text


def _normalised(text: str) -> str:
    text = text.lower().replace("{}", "")
    boxes = _BOX.findall(text)
    text = boxes[-1] if boxes else text
    closing, opening = text.find("}"), text.find("{")
    if closing != -1 and (opening == -1 or closing < opening):
        text = text[:closing]
    text = text.split("=")[-1].split("\\approx")[-1]
    for old, new in _REWRITES:
        text = text.replace(old, new)
    if not text:
        return text
    if text[0] == ".":
        text = "0" + text
    if "sqrt" in text:
        text = re.sub(r"\\sqrt([^{])", r"\\sqrt{\1}", text)
        text = _fractions_braced(text)
    if text == "0.5":
        return "\\frac{1}{2}"
    if _INTEGERS.fullmatch(text):
        return "\\frac{{{}}}{{{}}}".format(*text.split("/"))
    return text


def _fractions_braced(text: str) -> str:
    """\\frac12 as \\frac{1}{2}; left alone where a fraction has no room for two arguments."""
    if any(len(part) < 2 and part[:1] != "{" for part in text.split("\\frac")[1:]):
        return text
    return _HALF_BARE_FRACTION.sub(r"\\frac{\1}", _BARE_FRACTION.sub(r"\\frac{\1}{\2}", text))


def equal(a: str, b: str) -> bool:
    """Equal strings, equal lists of rounded values, or equal rounded values."""
    a, b = a.lower(), b.lower()
    if not a.replace(" ", "") or not b.replace(" ", ""):
        return False
    if a.strip() == b.strip():
        return True
    a, b = _rounded_list(a), _rounded_list(b)
    if a == b:
        return True
    x = _rounded(b)
    return x is not None and x == _rounded(a)


def _rounded_list(text: str) -> str:
    items = text[1:-1].split(",")
    if len(items) < 2 or (text[0], text[-1]) not in (("(", ")"), ("[", "]")):
        return text
    rounded = []
    for item in items:
        if "infty" in item or item in ("a", "-a"):
            rounded.append(item)
            continue
        value = _rounded(item)
        if value is None:
            return text
        rounded.append(str(value))
    return f"{text[0]}{','.join(rounded)}{text[-1]}"


@lru_cache(maxsize=65536)
def _rounded(text: str) -> float | None:
    """The value to two decimals as latex2sympy2 1.9.1 and eval give it; None where they raise."""
    text = _balanced(text)  # its parser ends at a closing brace or full stop too many
    if prefix := _PREFIX.fullmatch(text):
        text = prefix[1]
    if _UNKNOWN.search(text) or _WORD.search(text) or text.strip() in NUMERALS:
        return None
    text = _MIXED.sub(r"\1*\\frac", text.replace(":", "/"))  # 2\frac{1}{3} is a product to it
    try:
        node = read(text)
        if not _computable(node):
            return None
        value = numeric.constant(node)
    except (ParseError, Symbolic):
        return None
    if value is None or numeric.context().im(value) != 0:
        return None
    return round(float(numeric.context().re(value)), 2)


def _balanced(text: str) -> str:
    depth = 0
    for position, char in enumerate(text):
        depth += {"{": 1, "}": -1}.get(char, 0)
        if depth < 0:
            return text[:position]
    return text


def _computable(node: Node) -> bool:
    """Only numbers, pi and functions that the original's scope knows; no words, units or lists."""
    kinds = {"number", "symbol", "add", "mul", "div", "pow", "call", "percent"}
    return all(
        n.kind in kinds
        and (n.kind != "symbol" or n.value in _CONSTANTS)
        and (n.kind != "call" or n.value in _FUNCTIONS)
        for n in walk(node)
    )
