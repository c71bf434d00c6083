"""Grades predictions and replies: parts, options and single answers, with what decided.

`grade` compares a final answer, `grade_response` first finds it in a free reply, `grade_item` does
either. Whatever is compared for one reply shares one budget of work.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from ...base.answer_kinds import own_kind
from ...errors import UserError
from ...latex import parts_of
from ...problem import AnswerKind, Option, Part
from ...words import quantity
from ..answers import clean
from ..equivalence import (
    OUT_OF_BUDGET,
    Rules,
    Verdict,
    budget,
    infer_kind,
    infer_unit,
    inline_answer,
    judged,
    spelling,
)
from ..extraction import (
    FinalAnswer,
    Letter,
    choose,
    declines,
    final_answer,
    options_of,
    read_parts,
    visible,
)
from .question_hints import question_hints

VERSION = "14"  # raise it whenever verdicts change: stored verdicts name it
CHUNK = 256  # pairs per task of a worker process
LETTERS_ONLY = 200  # characters of a reply that may be letters alone
LABELS = "ABCDEFGHIJ"  # where an item has no options
# What a reply without an answer comes to, by the rule that its evidence names.
NO_ANSWER = {
    "none": "no answer found",
    "declined": "the reply declines to answer",
    "truncated": "the reply ends while it thinks",
}
_SIGNED = re.compile(r"\s*[-+−]\s*\W{0,2}[A-Za-z]\W*$")  # -C is no letter
_LETTER_MARKUP = re.compile(
    r"\\(?:text|textbf|mathrm|mathbf|boxed)\b|[(){}$*.\s]|\band\b"
)
_LETTER_SEPARATOR = re.compile(r"[,\s;、]+")


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
    question: str | None = None


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
    question: str | None = None,
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
        question: What was asked: the unit, percent or noun it asks for, its options, its numbers.

    Raises UserError for answers that are no text, options that are no options, and an
    unknown kind.

    >>> grade("0.5", r"\\frac12").equal
    True
    >>> grade("(1, 3)", "[1, 3]", kind="interval").equal
    False
    >>> grade("10%", "10", question="By what percent does it rise?").equal
    True
    """
    return grade_item(
        GradeItem(
            prediction=prediction,
            gold=gold,
            kind=kind,
            options=options_of(options),
            unit=unit,
            tolerance=tolerance,
            ordered=ordered,
            parts=parts,
            question=question,
        )
    )


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
    question: str | None = None,
) -> Verdict:
    """Find the final answer of a free reply and grade it; no answer found counts as not equal.

    The rest is as in `grade`, mistakes too.

    >>> grade_response("So x = 4. The answer is **4**.", "4").extracted
    '4'
    >>> grade_response("It is (B).", "B", options=["3", "4"]).equal
    True
    """
    _require_texts(response, gold, kind)
    return grade_item(
        GradeItem(
            response=response,
            gold=gold,
            kind=kind,
            options=options_of(options),
            unit=unit,
            tolerance=tolerance,
            ordered=ordered,
            parts=parts,
            question=question,
        )
    )


def grade_item(item: GradeItem) -> Verdict:
    """Grade within one budget of work; what is not equal when that is used up is a timeout."""
    _require_texts(
        item.prediction if item.response is None else item.response,
        item.gold,
        item.kind,
    )
    if item.response is None:  # without tokens of a chat
        spoken = visible(item.prediction).text
        item = msgspec.structs.replace(item, prediction=spoken)
    with budget() as shared:
        verdict = _in_question(item) if item.question else _verdict(item)
    if verdict.equal or shared.left >= 0:
        return verdict
    return msgspec.structs.replace(
        verdict, equal=None, how=OUT_OF_BUDGET.how, status="timeout"
    )


def _verdict(item: GradeItem) -> Verdict:
    return _graded(item) if item.response is None else _replied(item, item.response)


def _in_question(item: GradeItem) -> Verdict:
    """The verdict where the question may hold the options; its letter stands for a gold value."""
    options = () if item.options else question_hints(item.question or "").options
    label = item.gold.strip().strip("().")
    if any(option.label == label for option in options):
        return _verdict(msgspec.structs.replace(item, options=options))
    verdict = _verdict(item)
    if verdict.equal:
        return verdict
    gold_letters = [
        option.label
        for option in options
        if judged(option.text, item.gold, Rules(), None).equal
    ]
    if len(gold_letters) != 1:
        return verdict
    by_letter = msgspec.structs.replace(
        item, gold=gold_letters[0], kind="choice", options=options
    )
    choice = _verdict(by_letter)
    return choice if choice.equal else verdict


def _graded(item: GradeItem) -> Verdict:
    """The verdict on a final answer."""
    if parts := _parts(item):
        return _grade_parts(item.prediction, parts)
    if _is_choice(item):
        return _grade_choice(item.prediction, item)
    hints = question_hints(item.question or "")
    rules = Rules(item.kind, item.tolerance, item.ordered, percent=hints.percent)
    unit = item.unit or _unit_in_question(item, hints.unit)
    return judged(item.prediction, item.gold, rules, unit)


def _unit_in_question(item: GradeItem, unit: str | None) -> str | None:
    """The unit that the question asks for, where the prediction alone names one of its kind."""
    if unit is None or infer_unit(item.gold):
        return None
    predicted = quantity(clean(item.prediction))
    required = quantity(f"1 {unit}")
    if predicted is None or required is None:
        return None
    return unit if predicted.unit.dimension == required.unit.dimension else None


def _replied(item: GradeItem, reply: str) -> Verdict:
    """The verdict on the final answer of a free reply."""
    if verdict := _same_text(item, reply):
        return verdict
    if parts := _parts(item):
        return _grade_parts(reply, parts)
    if _is_choice(item):
        verdict = _grade_choice(reply, item)
        if verdict.rule or not item.options:
            return verdict
    kind = item.kind or infer_kind(inline_answer(item.gold), item.options)
    final = _final_answer(reply, kind, item)
    if final.rule == "declined" and declines(item.gold):
        return Verdict(
            equal=True,
            how="both say that there is no answer",
            rule=final.rule,
            candidates=final.candidates,
        )
    if final.answer is None:
        return Verdict(
            equal=False,
            how=NO_ANSWER[final.rule],
            rule=final.rule,
            candidates=final.candidates,
        )
    verdict = _graded(msgspec.structs.replace(item, prediction=final.answer, parts=()))
    return msgspec.structs.replace(
        verdict,
        extracted=final.answer,
        rule=final.rule,
        span=(final.start, final.end) if final.start >= 0 else None,
        candidates=final.candidates,
    )


def _same_text(item: GradeItem, reply: str) -> Verdict | None:
    """The verdict on a reply that is nothing but the gold; None: it is more."""
    text = visible(reply).text
    bare = text.strip()
    gold = item.gold.strip()
    if not gold or len(bare) >= 2 * len(gold) + 20 or spelling(bare) != spelling(gold):
        return None
    start = text.rfind(bare)
    return Verdict(
        equal=True,
        how="same text",
        extracted=bare,
        rule="whole reply",
        span=(start, start + len(bare)),
        credit=1.0 if item.kind in ("choices", "parts") else None,
    )


def _final_answer(reply: str, kind: AnswerKind, item: GradeItem) -> FinalAnswer:
    """The final answer of a reply; a kind of a plugin may find its own."""
    plugin_kind = own_kind(kind)
    if plugin_kind is None:
        return final_answer(reply, kind, item.gold, item.question)
    if plugin_kind.find is None:
        return final_answer(reply, "text")  # its form is not known
    answer = plugin_kind.ask(plugin_kind.find, reply)
    return FinalAnswer(answer, kind if answer else "none")


def _is_choice(item: GradeItem) -> bool:
    kind = item.kind
    if kind is None and item.options:
        kind = infer_kind(item.gold, item.options)
    return kind in ("choice", "choices")


def _parts(item: GradeItem) -> list[Part]:
    """The gold's parts: as given, or as its text numbers them."""
    if item.options or item.kind in ("choice", "choices", "matrix"):
        return []
    if own_kind(item.kind):
        return []
    parts = list(item.parts) or [
        Part(label=label, answer=answer, answer_kind=infer_kind(inline_answer(answer)))
        for label, answer in parts_of(item.gold)
    ]
    return parts if len(parts) > 1 or item.kind == "parts" else []


def _grade_parts(reply: str, parts: Sequence[Part]) -> Verdict:
    """Part by part; right where all are, with the share of right parts as credit."""
    places = [str(k) for k in range(1, len(parts) + 1)]  # by which they are matched
    answers = read_parts(reply, places, [part.answer_kind for part in parts])
    right = 0
    extracted = []
    for place, part in zip(places, parts, strict=True):
        if place not in answers:
            continue
        answer = answers[place].answer or ""
        rules = Rules(part.answer_kind, part.tolerance, part.ordered)
        right += judged(answer, part.answer, rules, part.unit).equal is True
        extracted.append(f"({part.label}) {answer}")
    if not extracted:
        rule = final_answer(reply).rule
        rule = rule if rule in NO_ANSWER else "none"
        return Verdict(equal=False, how=NO_ANSWER[rule], rule=rule, credit=0.0)
    return Verdict(
        equal=right == len(parts),
        how=f"{right} of {len(parts)} parts",
        rule="parts",
        extracted="; ".join(extracted),
        credit=right / len(parts),
    )


def _require_texts(reply: object, gold: object, kind: object) -> None:
    for name, value in (("reply", reply), ("gold", gold)):
        if not isinstance(value, str):
            raise UserError(f"the {name} is {value!r}", "give a text (str)")
    if kind is not None and not isinstance(kind, str):
        raise UserError(f"the kind is {kind!r}", "give a name")
    own_kind(kind)  # raises where it is not known


def _grade_choice(reply: str, item: GradeItem) -> Verdict:
    """The letter of the reply, or the option whose value it gives, against the gold letters."""
    labels = [option.label for option in item.options] or list(LABELS)
    texts = [option.text for option in item.options] or [""] * len(labels)
    gold_letters = _letters(item.gold, labels)
    if not gold_letters:  # the gold is no label after all
        return judged(reply, item.gold, Rules(), None)
    if item.kind == "choices" or len(gold_letters) > 1:
        return _grade_choices(choose(reply, labels, texts, several=True), gold_letters)
    may_be_letters = len(reply) <= LETTERS_ONLY and "boxed" not in reply
    if may_be_letters and (letters := _letters(reply, labels)):
        return Verdict(
            equal=letters == gold_letters,
            how="letter",
            extracted=reply,
            rule="whole reply",
        )
    is_value = _SIGNED.match(reply)
    choice = Letter(None, "none") if is_value else choose(reply, labels, texts)
    return Verdict(
        equal=gold_letters == {choice.letter},
        how="letter" if choice.letter else _no_letter(choice),
        extracted=choice.letter,
        rule=choice.rule,
        candidates=choice.candidates,
    )


def _no_letter(choice: Letter) -> str:
    return NO_ANSWER.get(choice.rule, "no letter")


def _grade_choices(choice: Letter, gold: frozenset[str]) -> Verdict:
    """Several letters as a set; a subset earns its share of the gold, a wrong letter nothing."""
    if not choice.letters:
        return Verdict(
            equal=False,
            how=_no_letter(choice),
            rule=choice.rule,
            credit=0.0,
            candidates=choice.candidates,
        )
    letters = set(choice.letters)
    joint = "" if all(len(label) == 1 for label in letters) else ", "
    return Verdict(
        equal=letters == gold,
        how="letters",
        extracted=joint.join(choice.letters),
        rule=choice.rule,
        credit=len(letters) / len(gold) if letters <= gold else 0.0,
        candidates=choice.candidates,
    )


def _letters(text: str, labels: Sequence[str]) -> frozenset[str]:
    """The labels a short answer consists of: `C`, `(C)`, `A, C`, `A\\nC`, `AC`."""
    bare = _LETTER_MARKUP.sub(" ", text).strip()
    letters = [part.upper() for part in _LETTER_SEPARATOR.split(bare) if part]
    if len(letters) == 1 and letters[0] not in labels and len({*bare}) == len(bare):
        letters = list(bare)  # ABD
    are_labels = all(letter in labels for letter in letters)
    return frozenset(letters if are_labels else ())
