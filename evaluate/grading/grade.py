"""Is a prediction equal to the gold answer? One verdict, with what decided it.

`grade` compares a final answer, `grade_response` first finds it in a free reply, `grade_item` does
either. Text is read by a grammar and never executed. Everything but
sums, integrals, limits and derivatives is decided in this process within fixed bounds; those go to
a worker process with hard limits (`cas_pool`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from ...base.answer_kinds import own_kind
from ...errors import UserError
from ...problem import AnswerKind, Option, Part
from ...words import Quantity, other_currency, quantity, scale_at
from ...words import unit as unit_of
from ..answers import (
    DEGREES,
    PERCENT,
    LimitExceeded,
    Node,
    ParseError,
    Symbolic,
    clean,
    read,
    readings,
)
from ..equivalence import Rules, Status, bounded, same
from ..extraction import (
    FinalAnswer,
    Letter,
    Letters,
    choose,
    choose_all,
    final_answer,
    inline_answer,
    options_of,
    parts_of,
    read_parts,
    visible,
)
from .infer_kind import infer_kind

VERSION = "5"  # raise it whenever verdicts change: stored verdicts name it
LONGEST = 20_000  # characters of an answer with its markup
CHUNK = 256  # pairs per task of a worker process

PROSE = 8  # words that make a sentence of an answer
LABELS = "ABCDEFGHIJ"  # where an item has no options
_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z]{2,}")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_UPRIGHT = re.compile(r"\\(?:text|textbf|mathrm|mbox)\b")
_PRICE = re.compile(r"^\s*\\\$\s*(\d[\d,]*(?:\.\d+)?)\s*$")
_SIGNED = re.compile(r"\s*[-+−]\s*\W{0,2}[A-Za-z]\W*$")
_CLOCK = re.compile(r"(\d{1,2}):([0-5]\d)(?::([0-5]\d))?\s*([ap]\.?m\.?)?", re.IGNORECASE)
COLLECTIONS = frozenset(["set", "tuple", "interval"])
_GROUPED = re.compile(r"[^\d,]*\d{1,3}(?:,\d{3})+[^\d,]*")  # a number, or several
_COMMAS = re.compile(r"\d,\d{3}(?!\d)")
_DECIMAL_COMMA = re.compile(r"(-?0(?=,\d)|-?\d+(?=,(?:\d\d|\d{4,})$)),(\d+)")  # not 1,234


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """`equal` is None exactly when `status` is not ok; `how` names what decided.

    For free replies `extracted` is the final answer found, `rule` the rule that found it, and
    `span` where it stands in the reply: reply[span[0]:span[1]], where one place can be named.
    A reply without an answer has the rule `none`, `declined` or `truncated`. `credit` is partial
    credit, from 0 to 1, where the gold has several letters or parts: the share of the parts that
    are right; the share of the letters that are given, 0 where one of them is wrong.
    """

    equal: bool | None
    how: str
    status: Status = "ok"
    extracted: str | None = None
    rule: str = ""
    span: tuple[int, int] | None = None
    credit: float | None = None


class GradeItem(msgspec.Struct, frozen=True, kw_only=True):
    """One pair for `grade_item`; with `response` set, the prediction is found in it first."""

    gold: str
    prediction: str = ""
    response: str | None = None
    kind: AnswerKind | None = None
    options: Sequence[Option] = ()
    unit: str | None = None
    tolerance: float | None = None
    ordered: bool | None = None
    parts: Sequence[Part] = ()


def grade(
    prediction: str,
    gold: str,
    *,
    kind: AnswerKind | None = None,
    options: Sequence[Option | str | None] = (),
    unit: str | None = None,
    tolerance: float | None = None,
    ordered: bool | None = None,
    parts: Sequence[Part] = (),
) -> Verdict:
    """Grade a final answer by the gold's declared kind.

    Args:
        prediction: A final answer.
        gold: The known answer.
        kind: The kind of the gold [default: inferred].
        options: Records, or texts that are labelled A, B, C, ...
        unit: The unit the gold is in.
        tolerance: An absolute one, in that unit.
        ordered: Whether the order of a list counts.
        parts: The gold's sub-answers, for golds that are not written "(1) 5; (2) 7".

    Raises UserError for answers that are no text, options that are no options, and an
    unknown kind.

    >>> grade("0.5", r"\\frac12").equal
    True
    >>> grade("(1, 3)", "[1, 3]", kind="interval").equal
    False
    """
    _require_texts(prediction, gold, kind)
    options = options_of(options)
    if subs := _parts(gold, kind, options, parts):
        return _grade_parts(prediction, subs)
    if _is_choice(gold, kind, options):
        return _grade_choice(prediction, gold, options, several=kind == "choices")
    return _judged(prediction, gold, Rules(kind, tolerance, ordered), unit)


def grade_response(
    response: str,
    gold: str,
    *,
    kind: AnswerKind | None = None,
    options: Sequence[Option | str | None] = (),
    unit: str | None = None,
    tolerance: float | None = None,
    ordered: bool | None = None,
    parts: Sequence[Part] = (),
) -> Verdict:
    """Find the final answer of a free reply and grade it; no answer found counts as not equal.

    The rest is as in `grade`, mistakes too.

    >>> grade_response("So x = 4. The answer is **4**.", "4").extracted
    '4'
    >>> grade_response("It is (B).", "B", options=["3", "4"]).equal
    True
    """
    _require_texts(response, gold, kind)
    options = options_of(options)
    said = visible(response).text
    bare = said.strip()
    if len(bare) < 2 * len(gold) + 20 and _spelling(bare) == _spelling(gold) and gold.strip():
        return Verdict(
            equal=True, how="same text", extracted=bare, rule="whole reply",
            span=_place(said, bare), credit=1.0 if kind in ("choices", "parts") else None,
        )  # fmt: skip
    if subs := _parts(gold, kind, options, parts):
        return _grade_parts(response, subs)
    if _is_choice(gold, kind, options):
        verdict = _grade_choice(response, gold, options, several=kind == "choices")
        if verdict.extracted is not None or not options or verdict.rule in NO_ANSWER:
            return verdict
    final = _found(response, kind or infer_kind(inline_answer(gold), options))
    if final.answer is None:
        return Verdict(equal=False, how=NO_ANSWER[final.rule], rule=final.rule)
    verdict = grade(
        final.answer, gold, kind=kind, options=options,
        unit=unit, tolerance=tolerance, ordered=ordered,
    )  # fmt: skip
    return msgspec.structs.replace(
        verdict, extracted=final.answer, rule=final.rule, span=_span(final)
    )


def _found(response: str, kind: AnswerKind) -> FinalAnswer:
    own = own_kind(kind)
    if own is None or own.find is None:
        return final_answer(response, kind)
    answer = own.ask(own.find, response)
    return FinalAnswer(answer, kind if answer else "none")


NO_ANSWER = {
    "none": "no answer found",
    "declined": "the reply declines to answer",
    "truncated": "the reply ends while it thinks",
}


def _span(final: FinalAnswer) -> tuple[int, int] | None:
    return (final.start, final.end) if final.start >= 0 else None


def _place(text: str, part: str) -> tuple[int, int] | None:
    start = text.rfind(part)
    return (start, start + len(part)) if start >= 0 else None


def _is_choice(gold: str, kind: AnswerKind | None, options: Sequence[Option]) -> bool:
    inferred = infer_kind(gold, options) if kind is None and options else kind
    return inferred in ("choice", "choices")


def _parts(
    gold: str, kind: AnswerKind | None, options: Sequence[Option], parts: Sequence[Part]
) -> list[Part]:
    """The gold's parts: as given, or as its text numbers them."""
    if options or kind in ("choice", "choices", "matrix") or own_kind(kind):
        return []
    found = list(parts)
    if not found:
        found = [
            Part(label=label, answer=answer, answer_kind=infer_kind(inline_answer(answer)))
            for label, answer in parts_of(gold)
        ]
    return found if len(found) > 1 or kind == "parts" else []


def _grade_parts(reply: str, parts: Sequence[Part]) -> Verdict:
    """Part by part; right where all are, with the share of right parts as credit."""
    places = [str(k) for k in range(1, len(parts) + 1)]  # parts are matched by their place
    found = read_parts(reply, places, [part.answer_kind for part in parts])
    right, said = 0, []
    for place, part in zip(places, parts, strict=True):
        if place not in found:
            continue
        answer = found[place].answer or ""
        rules = Rules(part.answer_kind, part.tolerance, part.ordered)
        right += _judged(answer, part.answer, rules, part.unit).equal is True
        said.append(f"({part.label}) {answer}")
    if not said:
        rule = final_answer(reply).rule
        rule = rule if rule in NO_ANSWER else "none"
        return Verdict(equal=False, how=NO_ANSWER[rule], rule=rule, credit=0.0)
    return Verdict(
        equal=right == len(parts), how=f"{right} of {len(parts)} parts", rule="parts",
        extracted="; ".join(said), credit=right / len(parts),
    )  # fmt: skip


def _require_texts(reply: object, gold: object, kind: object) -> None:
    for name, value in (("reply", reply), ("gold", gold)):
        if not isinstance(value, str):
            raise UserError(f"the {name} is {value!r}", "give a text (str)")
    if kind is not None and not isinstance(kind, str):
        raise UserError(f"the kind is {kind!r}", "give a name")
    own_kind(kind)  # is known


def grade_item(item: GradeItem) -> Verdict:
    fields: dict[str, Any] = {
        name: getattr(item, name)
        for name in ("kind", "options", "unit", "tolerance", "ordered", "parts")
    }
    if item.response is None:
        return grade(item.prediction, item.gold, **fields)
    return grade_response(item.response, item.gold, **fields)


def _grade_choice(
    reply: str, gold: str, options: Sequence[Option], several: bool = False
) -> Verdict:
    """The letter of the reply, or the option whose value it gives, against the gold letters."""
    labels = [option.label for option in options] or list(LABELS)
    texts = [option.text for option in options] or [""] * len(labels)
    gold_letters = _letters(gold, labels)
    if not gold_letters:  # the gold is no label after all
        return _judged(reply, gold, Rules(), None)
    if several or len(gold_letters) > 1:
        return _grade_choices(choose_all(reply, labels, texts), gold_letters)
    reply_letters = _letters(reply, labels) if "boxed" not in reply else frozenset()
    if reply_letters:
        return Verdict(
            equal=gold_letters == reply_letters, how="letter", extracted=reply, rule="whole reply"
        )
    is_value = _SIGNED.match(reply)  # -C is no letter
    choice = Letter(None, "none") if is_value else choose(reply, labels, texts)
    if choice.letter is None and options and choice.rule not in ("declined", "truncated"):
        return _by_value(reply, gold_letters, options)
    if choice.letter is None:
        return Verdict(equal=False, how=NO_ANSWER.get(choice.rule, "no letter"), rule=choice.rule)
    equal = gold_letters == {choice.letter}
    return Verdict(equal=equal, how="letter", extracted=choice.letter, rule=choice.rule)


def _grade_choices(choice: Letters, gold: frozenset[str]) -> Verdict:
    """Several letters as a set; a subset earns its share of the gold, a wrong letter nothing."""
    if not choice.letters:
        how = NO_ANSWER.get(choice.rule, "no letter")
        return Verdict(equal=False, how=how, rule=choice.rule, credit=0.0)
    given = set(choice.letters)
    joint = "" if all(len(label) == 1 for label in choice.letters) else ", "
    return Verdict(
        equal=given == gold, how="letters", extracted=joint.join(choice.letters),
        rule=choice.rule, credit=len(given) / len(gold) if given <= gold else 0.0,
    )  # fmt: skip


def _letters(text: str, labels: Sequence[str]) -> frozenset[str]:
    """The labels a short answer consists of: `C`, `(C)`, `A, C`, `A\\nC`, `AC`."""
    bare = re.sub(r"\\(?:text|textbf|mathrm|mathbf|boxed)\b|[(){}$*.\s]|\band\b", " ", text)
    parts = [p.upper() for p in re.split(r"[,\s;、]+", bare) if p]
    if len(parts) == 1 and parts[0] not in labels and len(set(bare.strip())) == len(bare.strip()):
        parts = list(bare.strip())  # ABD
    return frozenset(parts) if parts and all(p in labels for p in parts) else frozenset()


def _by_value(reply: str, gold_letters: frozenset[str], options: Sequence[Option]) -> Verdict:
    """The one option whose value the reply's final answer equals."""
    final = final_answer(reply)
    answer = final.answer or ""
    hits = [
        o.label
        for o in options
        if answer and o.text and _judged(answer, o.text, Rules(), None).equal
    ]
    if len(hits) != 1:
        return Verdict(equal=False, how="no option", rule="none")
    return Verdict(
        equal=gold_letters == set(hits), how="option value", extracted=hits[0], rule="option value"
    )


def _judged(prediction: str, gold: str, rules: Rules, unit: str | None) -> Verdict:
    """Equality of two answers, by the gold's own kind or by the grammar."""
    if prediction.strip() == gold.strip():
        return Verdict(equal=True, how="same text")
    if (own := own_kind(rules.kind)) is None:
        return _by_grammar(prediction, gold, rules, unit)
    equal = own.ask(own.equal, prediction, gold)
    status: Status = "unparsed" if equal is None else "ok"
    return Verdict(
        equal=equal if equal is None else bool(equal), how=f"as {own.name}", status=status
    )


@lru_cache(maxsize=65536)
def _by_grammar(prediction: str, gold: str, rules: Rules, unit: str | None) -> Verdict:
    """Cached: as they are read first, then in further notations."""
    if len(prediction) > LONGEST or len(gold) > LONGEST:
        return Verdict(equal=None, how="refused: too long", status="refused")
    if other_currency(prediction, gold):
        return Verdict(equal=False, how="another currency")
    prediction, gold = inline_answer(prediction), inline_answer(gold)
    if unit and scale_at(unit)[0] > 1:  # 52 thousand, where thousands are counted
        prediction = re.sub(rf"\s?{re.escape(unit)}(?![A-Za-z])", "", prediction)
    verdict = _first_reading(prediction, gold, rules, unit)
    if verdict.equal or verdict.status not in ("ok", "unparsed"):
        return verdict
    for name, other_gold, other in readings(gold, prediction):
        if other == other_gold or _first_reading(other, other_gold, rules, unit).equal:
            return Verdict(equal=True, how=f"read as {name}")
    return verdict


def _first_reading(prediction: str, gold: str, rules: Rules, unit: str | None) -> Verdict:
    if rules.kind is None:
        rules = msgspec.structs.replace(rules, kind=infer_kind(gold), guessed=True)
    how = f"as {rules.kind}"
    try:
        if (clock := _same_clock(prediction, gold)) is not None:
            return Verdict(equal=clock, how="as time of day")
        if _is_prose(prediction) and _is_prose(gold):
            return Verdict(equal=_said(prediction) == _said(gold), how="as prose")
        with bounded():
            same_quantity = _same_quantity(prediction, gold, rules, unit)
            if same_quantity is not None:
                return Verdict(equal=same_quantity, how="as quantity")
            return Verdict(equal=_same_reading(prediction, gold, rules, unit), how=how)
    except Symbolic as reason:
        if _spelling(prediction) == _spelling(gold):
            return Verdict(equal=True, how="same spelling")
        from ..equivalence import symbolic

        equal, status = symbolic(clean(gold), clean(prediction))
        return Verdict(equal=equal, how=f"computer algebra: {reason}", status=status)
    except (LimitExceeded, RecursionError) as reason:
        if _spelling(prediction) == _spelling(gold):
            return Verdict(equal=True, how="same spelling")
        return Verdict(equal=None, how=f"refused: {reason}", status="refused")
    except (ParseError, ValueError, ArithmeticError, LookupError) as reason:
        if _spelling(prediction) == _spelling(gold):
            return Verdict(equal=True, how="same spelling")
        return Verdict(equal=None, how=f"unreadable: {reason}", status="unparsed")


def _is_prose(text: str) -> bool:
    """Are there so many words that leaving some out as remarks would change what is said?"""
    return len(_WORD.findall(_COMMAND.sub(" ", text))) >= PROSE


def _said(text: str) -> list[str]:
    return re.findall(r"\w+|[-+=<>]", _UPRIGHT.sub(" ", text).lower())


def _same_quantity(prediction: str, gold: str, rules: Rules, unit: str | None) -> bool | None:
    """Values with units of any spelling, converted; None: that is no question of units."""
    if rules.kind not in ("number", "expression"):
        return None
    declared = rules.kind == "number" and not rules.guessed
    a, b = (quantity(clean(_PRICE.sub(r"\1 dollars", t))) for t in (gold, prediction))
    if a is None and unit is not None and (known := unit_of(unit)) is not None:
        a = Quantity(gold, known, True)
    if a is None:
        return None
    rules = msgspec.structs.replace(rules, kind="number")
    if b is None:
        if not (a.sure or declared):
            return None
        return _same_reading(prediction, a.value, rules, None) or None
    if a.unit.dimension != b.unit.dimension:
        return False if (a.sure and b.sure) or declared else None
    scale = b.unit.size / a.unit.size
    value = b.value if scale == 1 else f"({scale.numerator}/{scale.denominator})*({b.value})"
    equal = _same_reading(value, a.value, rules, None)
    return equal if a.sure or declared or equal else None


def _same_reading(prediction: str, gold: str, rules: Rules, unit: str | None) -> bool:
    """Compare; where commas may group thousands or mark decimals, any consistent reading counts."""
    if rules.kind in COLLECTIONS and _GROUPED.fullmatch(gold) and not rules.guessed:
        return same(read(gold, thousands=False), read(prediction, thousands=False), rules)
    if same(_with_unit(read(gold), unit), read(prediction), rules):
        return True
    if _COMMAS.search(prediction) or _COMMAS.search(gold):
        a, b = read(gold, thousands=False), read(prediction, thousands=False)
        if a.kind == b.kind == "list" and same(a, b, rules):
            return True
    for text, other in ((prediction, gold), (gold, prediction)):
        decimal = _DECIMAL_COMMA.fullmatch(clean(text))
        if decimal and read(other).kind == "number":
            return same(read(other), read(f"{decimal[1]}.{decimal[2]}"), rules)
    return False


def _with_unit(node: Node, unit: str | None) -> Node:
    if not unit or node.kind in ("unit", "degree", "percent"):
        return node
    kind = "degree" if unit in DEGREES else "percent" if unit in PERCENT else "unit"
    return Node(kind, (node,), unit if kind == "unit" else None)


def _spelling(text: str) -> str:
    """Without white space, but 1 2 is not 12."""
    return re.sub(r"(?<!\d)\s+|\s+(?!\d)", "", clean(text))


def _same_clock(prediction: str, gold: str) -> bool | None:
    """Times of day, where both are; None where one is not."""
    a, b = (_CLOCK.fullmatch(_bare(text)) for text in (prediction, gold))
    if a is None or b is None:
        return None
    (bare, exact), (other, other_exact) = _times(a), _times(b)
    if exact and other_exact:
        return exact == other_exact
    return bare in (other, other_exact) or other == exact


def _times(clock: re.Match[str]) -> tuple[list[int], list[int] | None]:
    """Hours, minutes and seconds as written, and since midnight where the half is named."""
    bare = [int(group or 0) for group in clock.groups()[:3]]
    half = (clock[4] or "")[:1].lower()
    return bare, [bare[0] % 12 + 12 * (half == "p"), *bare[1:]] if half else None


def _bare(text: str) -> str:
    return re.sub(r"\\(?:text|mathrm)\s*|[{}$\\,]", "", text).strip()
