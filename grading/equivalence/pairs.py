"""Are two answers equal? The grammar's reading first, then further notations.

Text is read by a grammar and never executed. What is spent comes out of the reply's budget.
"""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from ...base.answer_kinds import own_kind
from ...latex import maths_spans, replace_maths
from ...words import Quantity, other_currency, quantity, scale_at
from ...words import unit as unit_of
from ..answers import (
    BEYOND,
    DEGREES,
    PERCENT,
    UNREADABLE,
    Node,
    Symbolic,
    clean,
    read,
    readings,
)
from .algebra import Status, symbolic
from .boxed import inline_answer
from .clock import same_clock
from .infer_kind import infer_kind
from .structure import same
from .values import Rules
from .wording import folded, judgement, opening_judgement
from .work_budget import OutOfBudget, budget

LONGEST = 20_000  # characters of an answer with its markup
ALGEBRA = "computer algebra: "  # starts what decided where the grammar cannot
PROSE = 8  # words that make a sentence of an answer
COLLECTIONS = frozenset(["set", "tuple", "interval"])
_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z]{2,}")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_UPRIGHT = re.compile(r"\\(?:text|textbf|mathrm|mbox)\b")
_WRAPPED = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt|up)?|math(?:rm|bf|it|sf|tt)|operatorname|mbox)\s*\{([^{}\\$]*)\}"
)
_INTEGER = re.compile(r"-?[0-9]{1,15}")
_GAP = re.compile(r"(?<!\d)\s+|\s+(?!\d)")  # not the one between two figures
_PRICE = re.compile(r"^\s*\\?\$\s*(\d[\d,]*(?:\.\d+)?)\s*$")
_GROUPED = re.compile(r"[^\d,]*\d{1,3}(?:,\d{3})+[^\d,]*")  # a number, or several
_COMMAS = re.compile(r"\d,\d{3}(?!\d)")
_DECIMAL_COMMA = re.compile(  # not 1,234
    r"(-?0(?=,\d)|-?\d+(?=,(?:\d\d|\d{4,})$)),(\d+)"
)

_DECIMAL = re.compile(r"-?\d+\.(?:\d\d?|\d{4,})")  # 1,234 may be grouped


class Weighed(msgspec.Struct, frozen=True):
    """A candidate as evidence shows it: what was said, its weight, and what that is the sum of."""

    said: str
    weight: float
    features: dict[str, float]


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """`equal` is None exactly when `status` is not ok; `how` names what decided.

    For free replies `extracted` is the final answer found, `rule` the rule that found it, and
    `span` where it stands in the reply: reply[span[0]:span[1]], where one place can be named.
    A reply without an answer has the rule `none`, `declined` or `truncated`. `credit` is partial
    credit, from 0 to 1, where the gold has several letters or parts: the share of the parts that
    are right; the share of the letters that are given, 0 where one of them is wrong.
    `candidates` are the best that the reply offered, with what their weights are made of.
    """

    equal: bool | None
    how: str
    status: Status = "ok"
    extracted: str | None = None
    rule: str = ""
    span: tuple[int, int] | None = None
    credit: float | None = None
    candidates: tuple[Weighed, ...] = ()


OUT_OF_BUDGET = Verdict(
    equal=None, how="the reply's budget of work is used up", status="timeout"
)


def judged(prediction: str, gold: str, rules: Rules, unit: str | None) -> Verdict:
    """Equality of two answers, by the gold's own kind or by the grammar."""
    if prediction.strip() == gold.strip():
        return Verdict(equal=True, how="same text")
    if plugin_kind := own_kind(rules.kind):
        equal = plugin_kind.ask(plugin_kind.equal, prediction, gold)
        how = f"as {plugin_kind.name}"
        if equal is None:
            return Verdict(equal=None, how=how, status="unparsed")
        return Verdict(equal=bool(equal), how=how)
    with budget() as shared:
        before = shared.left
        try:
            verdict, cost = _by_grammar(prediction, gold, rules, unit)
        except OutOfBudget:
            return OUT_OF_BUDGET
        # a verdict that is remembered costs what it did at first
        shared.left = before - cost
    return verdict if shared.left >= 0 else OUT_OF_BUDGET


@lru_cache(maxsize=65536)
def _by_grammar(
    prediction: str, gold: str, rules: Rules, unit: str | None
) -> tuple[Verdict, int]:
    """The verdict and its cost; running out of budget is an exception, and never remembered."""
    if len(prediction) > LONGEST or len(gold) > LONGEST:
        return Verdict(equal=None, how="refused: too long", status="refused"), 0
    if other_currency(prediction, gold):
        return Verdict(equal=False, how="another currency"), 0
    with budget() as shared:
        before = shared.left
        verdict = _sentences(prediction, gold, rules, unit) or _compared(
            inline_answer(prediction), inline_answer(gold), rules, unit
        )
        return verdict, before - shared.left


def _sentences(
    prediction: str, gold: str, rules: Rules, unit: str | None
) -> Verdict | None:
    """The same sentence with other formulas: all of them count. None: it is not."""
    if not (_is_prose(prediction) and _is_prose(gold)):
        return None
    words, formulas = _words_and_formulas(prediction)
    gold_words, gold_formulas = _words_and_formulas(gold)
    if words != gold_words or len(formulas) != len(gold_formulas) or len(formulas) < 2:
        return None
    pairs = zip(formulas, gold_formulas, strict=True)
    verdicts = [_compared(a, b, Rules(), None) for a, b in pairs]
    return next((v for v in verdicts if not v.equal), verdicts[-1])


def _words_and_formulas(text: str) -> tuple[list[str], list[str]]:
    formulas = [span.tex or "" for span in maths_spans(text)]
    return replace_maths(text, lambda _: " ").split(), formulas


def _compared(prediction: str, gold: str, rules: Rules, unit: str | None) -> Verdict:
    """By spelling, by the grammar, in further notations, and at last by computer algebra."""
    if spelling(prediction) == spelling(gold):
        return Verdict(equal=True, how="same spelling")
    if unit and scale_at(unit)[0] > 1:  # 52 thousand, where thousands are counted
        prediction = re.sub(rf"\s?{re.escape(unit)}(?![A-Za-z])", "", prediction)
        unit = None
    if _are_integers(prediction, gold, rules) and not unit:
        return Verdict(equal=int(prediction) == int(gold), how="as number")
    verdict = _first_reading(prediction, gold, rules, unit)
    if verdict.equal or verdict.status not in ("ok", "unparsed"):
        return verdict
    for name, a, b in readings(gold, prediction):
        if a == b or _first_reading(b, a, rules, unit).equal:
            return Verdict(equal=True, how=f"read as {name}")
    if verdict.how.startswith(ALGEBRA):
        equal, status = symbolic(clean(gold), clean(prediction))
        return Verdict(equal=equal, how=verdict.how, status=status)
    return verdict


def _are_integers(prediction: str, gold: str, rules: Rules) -> bool:
    """Are both figures alone, which no further reading and no tolerance can make equal?"""
    is_exact = rules.kind in (None, "number") and rules.tolerance is None
    return is_exact and all(map(_INTEGER.fullmatch, (prediction, gold)))


def _first_reading(
    prediction: str, gold: str, rules: Rules, unit: str | None
) -> Verdict:
    """By the first way of comparing that knows both, and what it raises as a status."""
    if rules.kind is None:
        rules = msgspec.structs.replace(rules, kind=infer_kind(gold), guessed=True)
    try:
        if rules.kind in (None, "text"):
            equal = _same_judgement(prediction, gold)
            if equal is not None:
                return Verdict(equal=equal, how="as true or false")
        equal = same_clock(prediction, gold)
        if equal is not None:
            return Verdict(equal=equal, how="as time of day")
        if _is_prose(prediction) and _is_prose(gold):
            return Verdict(equal=_words(prediction) == _words(gold), how="as prose")
        equal = _same_quantity(prediction, gold, rules, unit)
        if equal is not None:
            return Verdict(equal=equal, how="as quantity")
        equal = _same_reading(prediction, gold, rules, unit)
        return Verdict(equal=equal, how=f"as {rules.kind}")
    except OutOfBudget:
        raise
    except Symbolic as reason:
        return Verdict(equal=None, how=f"{ALGEBRA}{reason}", status="unparsed")
    except BEYOND as reason:
        return Verdict(equal=None, how=f"refused: {reason}", status="refused")
    except UNREADABLE as reason:
        return Verdict(equal=None, how=f"unreadable: {reason}", status="unparsed")


def _same_judgement(prediction: str, gold: str) -> bool | None:
    """Do both say yes, or no? One may explain itself; None: one says neither."""
    pairs = (
        (judgement(prediction), judgement(gold)),
        (opening_judgement(prediction), judgement(gold)),
        (judgement(prediction), opening_judgement(gold)),
    )
    return next((a == b for a, b in pairs if None not in (a, b)), None)


def _is_prose(text: str) -> bool:
    """Are there so many words that leaving some out as remarks would change what is said?"""
    return len(_WORD.findall(_COMMAND.sub(" ", text))) >= PROSE


def _words(text: str) -> list[str]:
    return folded(_UPRIGHT.sub(" ", text))


def _same_quantity(
    prediction: str, gold: str, rules: Rules, unit: str | None
) -> bool | None:
    """Values with units of any spelling, converted; None: that is no question of units."""
    if rules.kind not in ("number", "expression"):
        return None
    declared = rules.kind == "number" and not rules.guessed
    a = _quantity(gold)
    b = _quantity(prediction)
    if a is None and unit is not None and (declared_unit := unit_of(unit)) is not None:
        a = Quantity(gold, declared_unit, True)
    if a is None:  # a unit on one side alone; 12 boys are no 12 cm
        if b is None or not b.sure or unit is not None or rules.kind != "number":
            return None
        if _is_named(gold):
            return None
        return _same_reading(b.value, gold, rules, None) or None
    rules = msgspec.structs.replace(rules, kind="number")
    if b is None:
        if not (a.sure or declared) or _is_named(prediction):
            return None
        return _same_reading(prediction, a.value, rules, None) or None
    if a.unit.dimension != b.unit.dimension:
        return False if (a.sure and b.sure) or declared else None
    scale = b.unit.size / a.unit.size
    value = b.value
    if scale != 1:
        value = f"({scale.numerator}/{scale.denominator})*({value})"
    equal = _same_reading(value, a.value, rules, None)
    return equal if a.sure or declared or equal else None


def _is_named(text: str) -> bool:
    """Do words stand behind the number that are no unit?"""
    try:
        node = read(text)
    except UNREADABLE:
        return False
    return node.kind == "unit" and unit_of(node.value) is None


def _quantity(text: str) -> Quantity | None:
    return quantity(clean(_PRICE.sub(r"\1 dollars", text)))


def _same_reading(prediction: str, gold: str, rules: Rules, unit: str | None) -> bool:
    """Compare; where commas may group thousands or mark decimals, any consistent reading counts."""
    if rules.kind in COLLECTIONS and _GROUPED.fullmatch(gold) and not rules.guessed:
        return same(
            read(gold, thousands=False), read(prediction, thousands=False), rules
        )
    if same(_with_unit(read(gold), unit), read(prediction), rules):
        return True
    if _COMMAS.search(prediction) or _COMMAS.search(gold):
        a = read(gold, thousands=False)
        b = read(prediction, thousands=False)
        if a.kind == b.kind == "list" and same(a, b, rules):
            return True
    if clean(prediction).replace(",", ".") == clean(gold) and _DECIMAL.fullmatch(
        clean(gold)
    ):
        return True  # 3,5 is no pair of values where 3.5 is asked for
    for text, other in ((prediction, gold), (gold, prediction)):
        decimal = _DECIMAL_COMMA.fullmatch(clean(text))
        if decimal and read(other).kind == "number":
            return same(read(other), read(f"{decimal[1]}.{decimal[2]}"), rules)
    return False


def _with_unit(node: Node, unit: str | None) -> Node:
    if not unit or node.kind in ("unit", "degree", "percent"):
        return node
    if node.kind in ("list", "set", "seq"):
        args = tuple(_with_unit(arg, unit) for arg in node.args)
        return Node(node.kind, args, node.value)
    if unit in DEGREES:
        return Node("degree", (node,))
    if unit in PERCENT:
        return Node("percent", (node,))
    return Node("unit", (node,), unit)


def spelling(text: str) -> str:
    """Without white space and marks of upright letters; but 1 2 is not 12."""
    return _GAP.sub("", _WRAPPED.sub(r"\1", clean(text))).rstrip(".")
