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
    final_answer,
    options_of,
    read_parts,
    visible,
)
from .question_hints import asked

VERSION = "10"  # raise it whenever verdicts change: stored verdicts name it
CHUNK = 256  # pairs per task of a worker process
LETTERS_ONLY = 200  # characters of a reply that may be letters alone
LABELS = "ABCDEFGHIJ"  # where an item has no options
_SIGNED = re.compile(r"\s*[-+−]\s*\W{0,2}[A-Za-z]\W*$")


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
        question: What was asked: the unit or percent it asks for and the options in it are read.

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
    options = () if item.options else asked(item.question or "").options
    label = item.gold.strip().strip("().") in {option.label for option in options}
    verdict = _verdict(
        msgspec.structs.replace(item, options=options) if label else item
    )
    if verdict.equal or label or not options:
        return verdict
    letters = [
        o.label for o in options if judged(o.text, item.gold, Rules(), None).equal
    ]
    if len(letters) != 1:
        return verdict
    chosen = _verdict(
        msgspec.structs.replace(item, gold=letters[0], kind="choice", options=options)
    )
    return chosen if chosen.equal else verdict


def _graded(item: GradeItem) -> Verdict:
    """The verdict on a final answer."""
    if subs := _parts(item):
        return _grade_parts(item.prediction, subs)
    if _is_choice(item):
        return _grade_choice(item.prediction, item)
    about = asked(item.question or "")
    rules = Rules(item.kind, item.tolerance, item.ordered, percent=about.percent)
    unit = item.unit or _asked_unit(item, about.unit)
    return judged(item.prediction, item.gold, rules, unit)


def _asked_unit(item: GradeItem, unit: str | None) -> str | None:
    """The unit that the question asks for, where the prediction alone names one of its kind."""
    if unit is None or infer_unit(item.gold):
        return None
    said, meant = quantity(clean(item.prediction)), quantity(f"1 {unit}")
    alike = said and meant and said.unit.dimension == meant.unit.dimension
    return unit if alike else None


def _replied(item: GradeItem, reply: str) -> Verdict:
    """The verdict on the final answer of a free reply."""
    said = visible(reply).text
    bare, gold = said.strip(), item.gold.strip()
    if gold and len(bare) < 2 * len(gold) + 20 and spelling(bare) == spelling(gold):
        return Verdict(
            equal=True,
            how="same text",
            extracted=bare,
            rule="whole reply",
            span=_place(said, bare),
            credit=1.0 if item.kind in ("choices", "parts") else None,
        )
    if subs := _parts(item):
        return _grade_parts(reply, subs)
    if _is_choice(item):
        verdict = _grade_choice(reply, item)
        if verdict.rule or not item.options:
            return verdict
    final = _found(
        reply, item.kind or infer_kind(inline_answer(item.gold), item.options)
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
        span=_span(final),
        candidates=final.candidates,
    )


def _found(response: str, kind: AnswerKind) -> FinalAnswer:
    own = own_kind(kind)
    if own is None or own.find is None:
        return final_answer(
            response, kind if own is None else "text"
        )  # its form is not known
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


def _is_choice(item: GradeItem) -> bool:
    kind = item.kind
    if kind is None and item.options:
        kind = infer_kind(item.gold, item.options)
    return kind in ("choice", "choices")


def _parts(item: GradeItem) -> list[Part]:
    """The gold's parts: as given, or as its text numbers them."""
    if (
        item.options
        or item.kind in ("choice", "choices", "matrix")
        or own_kind(item.kind)
    ):
        return []
    found = list(item.parts) or [
        Part(label=label, answer=answer, answer_kind=infer_kind(inline_answer(answer)))
        for label, answer in parts_of(item.gold)
    ]
    return found if len(found) > 1 or item.kind == "parts" else []


def _grade_parts(reply: str, parts: Sequence[Part]) -> Verdict:
    """Part by part; right where all are, with the share of right parts as credit."""
    places = [
        str(k) for k in range(1, len(parts) + 1)
    ]  # parts are matched by their place
    found = read_parts(reply, places, [part.answer_kind for part in parts])
    right, said = 0, []
    for place, part in zip(places, parts, strict=True):
        if place not in found:
            continue
        answer = found[place].answer or ""
        rules = Rules(part.answer_kind, part.tolerance, part.ordered)
        right += judged(answer, part.answer, rules, part.unit).equal is True
        said.append(f"({part.label}) {answer}")
    if not said:
        rule = final_answer(reply).rule
        rule = rule if rule in NO_ANSWER else "none"
        return Verdict(equal=False, how=NO_ANSWER[rule], rule=rule, credit=0.0)
    return Verdict(
        equal=right == len(parts),
        how=f"{right} of {len(parts)} parts",
        rule="parts",
        extracted="; ".join(said),
        credit=right / len(parts),
    )


def _require_texts(reply: object, gold: object, kind: object) -> None:
    for name, value in (("reply", reply), ("gold", gold)):
        if not isinstance(value, str):
            raise UserError(f"the {name} is {value!r}", "give a text (str)")
    if kind is not None and not isinstance(kind, str):
        raise UserError(f"the kind is {kind!r}", "give a name")
    own_kind(kind)  # is known


def _grade_choice(reply: str, item: GradeItem) -> Verdict:
    """The letter of the reply, or the option whose value it gives, against the gold letters."""
    options = item.options
    labels = [option.label for option in options] or list(LABELS)
    texts = [option.text for option in options] or [""] * len(labels)
    gold_letters = _letters(item.gold, labels)
    if not gold_letters:  # the gold is no label after all
        return judged(reply, item.gold, Rules(), None)
    if item.kind == "choices" or len(gold_letters) > 1:
        return _grade_choices(choose(reply, labels, texts, several=True), gold_letters)
    alone = len(reply) <= LETTERS_ONLY and "boxed" not in reply
    reply_letters = _letters(reply, labels) if alone else frozenset()
    if reply_letters:
        return Verdict(
            equal=gold_letters == reply_letters,
            how="letter",
            extracted=reply,
            rule="whole reply",
        )
    is_value = _SIGNED.match(reply)  # -C is no letter
    choice = Letter(None, "none") if is_value else choose(reply, labels, texts)
    how = "letter" if choice.letter else NO_ANSWER.get(choice.rule, "no letter")
    return Verdict(
        equal=gold_letters == {choice.letter},
        how=how,
        extracted=choice.letter,
        rule=choice.rule,
        candidates=choice.candidates,
    )


def _grade_choices(choice: Letter, gold: frozenset[str]) -> Verdict:
    """Several letters as a set; a subset earns its share of the gold, a wrong letter nothing."""
    if not choice.letters:
        how = NO_ANSWER.get(choice.rule, "no letter")
        return Verdict(
            equal=False,
            how=how,
            rule=choice.rule,
            credit=0.0,
            candidates=choice.candidates,
        )
    given = set(choice.letters)
    joint = "" if all(len(label) == 1 for label in choice.letters) else ", "
    return Verdict(
        equal=given == gold,
        how="letters",
        extracted=joint.join(choice.letters),
        rule=choice.rule,
        credit=len(given) / len(gold) if given <= gold else 0.0,
        candidates=choice.candidates,
    )


def _letters(text: str, labels: Sequence[str]) -> frozenset[str]:
    """The labels a short answer consists of: `C`, `(C)`, `A, C`, `A\\nC`, `AC`."""
    bare = re.sub(
        r"\\(?:text|textbf|mathrm|mathbf|boxed)\b|[(){}$*.\s]|\band\b", " ", text
    )
    parts = [p.upper() for p in re.split(r"[,\s;、]+", bare) if p]
    if (
        len(parts) == 1
        and parts[0] not in labels
        and len(set(bare.strip())) == len(bare.strip())
    ):
        parts = list(bare.strip())  # ABD
    return (
        frozenset(parts) if parts and all(p in labels for p in parts) else frozenset()
    )
