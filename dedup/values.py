"""What answers and options say, and whether two say the same: the project's grading decides."""

from __future__ import annotations

from functools import lru_cache

from ..evaluate.grading import GradeItem, grade_item
from .items import Item
from .keys import NUMBER, text_key


def answer_value(item: Item) -> str:
    """What the answer says: letters are read through their options. "" when nothing is said.

    An option that only repeats its letter (it stands in the picture) says nothing.

    >>> answer_value(Item(id="1", question="", options=[("A", "7"), ("B", "8")], answer="(B)"))
    '8'
    >>> answer_value(Item(id="1", question="", options=[("A", "A"), ("B", "B")], answer="B"))
    ''
    """
    texts = {label.strip().upper(): text.strip() for label, text in item.options}
    letters = chosen(item)
    if not letters:
        return item.answer.strip()
    said = [texts[letter] for letter in letters]
    return "; ".join(sorted(said)) if all(map(_says, letters, said)) else ""


def chosen(item: Item) -> list[str]:
    """The letters of an answer that names options; none for a value.

    >>> chosen(Item(id="1", question="", options=[("A", "7"), ("B", "8")], answer="A, B"))
    ['A', 'B']
    """
    if not item.options:
        return []
    labels = {label.strip().upper() for label, _ in item.options}
    answer = item.answer.strip().strip("().$").upper()
    if answer in labels:
        return [answer]
    letters = [letter for letter in answer if not letter.isspace() and letter not in ",;"]
    return letters if len(answer) <= 2 * len(labels) and set(letters) <= labels else []


def option_values(item: Item) -> list[str]:
    """The texts of the options that say more than their letter."""
    return [text.strip() for label, text in item.options if _says(label, text)]


def _says(label: str, text: str) -> bool:
    return text.strip().strip("().").upper() not in ("", label.strip().upper())


@lru_cache(maxsize=1 << 16)
def value_key(value: str) -> str:
    return text_key(value)


@lru_cache(maxsize=1 << 17)
def equal_values(a: str, b: str) -> bool:
    """Whether two values would be graded equal, whichever of them is the gold.

    >>> equal_values("12", "$12 \\\\mathrm{~cm}^2$"), equal_values("0.5", "1/2")
    (True, True)
    >>> equal_values("12 cm", "12 m")
    False
    """
    if a == b or value_key(a) == value_key(b) != "":
        return True
    if NUMBER.fullmatch(a) and NUMBER.fullmatch(b):
        return float(a) == float(b)
    sides = ((a, b), (b, a))
    return any(grade_item(GradeItem(prediction=x, gold=y)).equal is True for x, y in sides)


def same_answer(a: Item, b: Item) -> str:
    """equal, differ or unknown; letters without values are compared as letters."""
    values = answer_value(a), answer_value(b)
    if all(values):
        return "equal" if equal_values(*values) else "differ"
    letters = chosen(a), chosen(b)
    if any(values) or not all(letters):
        return "unknown"
    return "equal" if sorted(letters[0]) == sorted(letters[1]) else "differ"


def same_options(a: Item, b: Item) -> str:
    """none, one side, identical, respelled (graded equal in order), shuffled, or differ."""
    if not a.options or not b.options:
        return "one side" if a.options or b.options else "none"
    if a.options == b.options:
        return "identical"
    if len(a.options) != len(b.options):
        return "differ"
    left, right = ([text.strip() for _, text in item.options] for item in (a, b))
    labels = [[label.strip() for label, _ in item.options] for item in (a, b)]
    if labels[0] == labels[1] and all(map(equal_values, left, right)):
        return "respelled"
    for text in left:
        match = next((other for other in right if equal_values(text, other)), None)
        if match is None:
            return "differ"
        right.remove(match)
    return "shuffled"
