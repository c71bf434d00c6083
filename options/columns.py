"""What columns of tables are called, and what kind of answer a gold is when nobody says it."""

from __future__ import annotations

import re

from ..base.answer_kinds import inferred
from ..problem import AnswerKind, Option
from ..words import WORDS
from .stems import several_letters

# names that dumps give to our fields, beside our own
KNOWN_AS: dict[str, tuple[str, ...]] = {
    "id": (
        *"nr no number pid qid idx index problem_id question_id".split(),
        "题号",
    ),
    "question": (
        *"stem problem text content query prompt q title".split(),
        "题目",
        "题干",
    ),
    "options": ("choices", "option", "candidates", "选项"),
    "answer": (
        *"key gold correct correct_answer ground_truth ans target label".split(),
        WORDS["answer"]["zh"],
    ),
    "images": tuple("image figure figures pic picture pictures img file_name".split()),
    "solution": ("analysis", "explanation", "rationale", "reasoning", "解析"),
    "labels.subject": ("subject", "category", "topic", "area", "学科", "知识点"),
    "labels.level": ("level", "difficulty", "难度"),
}

# Names of columns whose text belongs in front of the question: without it nobody can answer.
AROUND = frozenset(
    "context passage body stimulus scenario story premise background situation table 材料".split()
)

_NUMBER = re.compile(r"[-+]?(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?")
_INTERVAL = re.compile(r"[\[(][^,]+,[^,]+[\])]")
_MATHS = re.compile(r"[\\^_{}/+*=<>|√π]|\d\s*[a-z]\b|^[a-z]$")


def guess_kind(answer: str, options: list[Option]) -> AnswerKind:
    """A first guess of the answer's kind; the `gold` stage looks closer.

    >>> [guess_kind(a, []) for a in ["1,200.5", r"\\frac{1}{2}", "Sunday", "y=2x+1"]]
    ['number', 'expression', 'text', 'equation']
    """
    plain = answer.strip().strip("$").strip()
    if options:
        return "choices" if several_letters(plain, options) else "choice"
    if plain and (own := inferred(plain)):
        return own
    if plain and _NUMBER.fullmatch(plain):
        return "number"
    if re.search(r"[^<>=!]=[^=]", plain):
        return "equation"
    if _INTERVAL.fullmatch(plain):
        return "tuple" if plain[0] + plain[-1] == "()" else "interval"
    return "expression" if _MATHS.search(plain) else "text"
