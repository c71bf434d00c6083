"""Judges' replies in the forms that the papers print, read line by line."""

from __future__ import annotations

import re

SINGLE = "the single answer is"
# How an item of a list begins: "1. ", "2) ", "- "; no number that stands in a sentence.
_ITEM = re.compile(r"[ \t]*(?:\d{1,3}[.)]|[-*•])[ \t]+")
# A score behind its label: 0.75, or 3/4; spaces, colons, stars and "=" may stand between.
_NUMBER = re.compile(r"[\s:*=]*(\d{1,6}(?:\.\d{1,12})?)(?:\s*/\s*(\d{1,6}))?")
CATEGORIES = {
    1: "diagram misinterpretation",
    2: "reasoning error",
    3: "calculation error",
    4: "textual condition misunderstanding",
    5: "none",
}
_WORDS = {
    "misinterpretation": 1,
    "math theorem": 2,
    "calculation": 3,
    "question stem": 4,
    "no error": 5,
}


def listed_steps(text: str) -> list[str]:
    """The items of MathVerse's key-step extraction (table 7); a single answer is one item.

    >>> listed_steps("1. r = 3\\n2. The area is 9"), listed_steps("The single answer is 2.2")
    (['r = 3', 'The area is 9'], ['2.2'])
    """
    text = text.strip()
    if text.casefold().startswith(SINGLE):
        return [text[len(SINGLE) :].strip().rstrip(".").strip()]
    items: list[str] = []
    for line in text.splitlines():
        item = _ITEM.match(line)
        if item:
            items.append(line[item.end() :].strip())
        elif items and line.strip():
            items[-1] = f"{items[-1]} {line.strip()}"
    if not items:
        raise ValueError("the reply is no list of steps and no single answer")
    return items


def average_and_final(text: str) -> tuple[float, int]:
    """MathVerse's multi-step scores (table 7): the average in [0, 1], and 0 or 1.

    >>> average_and_final("...\\n- Average score: 3/4\\n- Final answer score: 1")
    (0.75, 1)
    """
    average = _score(text, "average score")
    final = _score(text, "final answer score")
    if not 0 <= average <= 1 or final not in (0, 1):
        raise ValueError(
            f"an average of {average:g} and a final answer score of {final:g}"
        )
    return average, int(final)


def _score(text: str, label: str) -> float:
    at = text.casefold().rfind(label)
    number = _NUMBER.match(text, at + len(label)) if at >= 0 else None
    if number is None or (number[2] and int(number[2]) == 0):
        raise ValueError(f"no {label} in the reply")
    return float(number[1]) / int(number[2] or 1)


def first_error(text: str) -> tuple[str, str, str]:
    """MM-MATH's process evaluation (table 4): category, the first error in words, the analysis.

    >>> first_error("-First error: 2+2=5\\n-Error category: 3. Calculation\\n-Detailed analysis: x")
    ('calculation error', '2+2=5', 'x')
    """
    labels = ("first error", "error category", "detailed analysis")
    fields = dict.fromkeys(labels, "")
    current = ""
    for line in text.splitlines():
        content = line.strip().lstrip("-–*# ").strip()
        folded = content.casefold()
        label = next((label for label in labels if folded.startswith(label)), "")
        if label:
            current = label
            content = content[len(label) :].lstrip("*: ")
        if current:
            fields[current] = f"{fields[current]} {content}".strip()
    category = CATEGORIES[_category(fields["error category"])]
    return category, fields["first error"], fields["detailed analysis"]


def _category(text: str) -> int:
    digit = re.search(r"\d", text[:40])
    number = int(digit[0]) if digit else None
    named = {n for word, n in _WORDS.items() if word in text.casefold()}
    if number in CATEGORIES and named <= {number}:
        return number
    if number is None and len(named) == 1:
        return named.pop()
    raise ValueError(f"no error category in {text[:80]!r}")
