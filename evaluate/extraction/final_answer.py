"""The final answer in a free reply: the candidate for which most speaks.

`candidates` finds what may be the answer, `ordering` weighs it, and the evidence keeps the best.
"""

from __future__ import annotations

import msgspec

from ...problem import AnswerKind
from .candidates import Candidate, candidates
from .ordering import measured, ordered, weights
from .page import Page
from .values import chain_end
from .visible import visible

SCANNED = 20_000  # characters at the end of a reply that are searched
SHOWN = 3  # candidates that the evidence keeps


class Weighed(msgspec.Struct, frozen=True):
    """A candidate as evidence shows it: what was said, its weight, and what that is the sum of."""

    said: str
    weight: float
    features: dict[str, float]


class FinalAnswer(msgspec.Struct, frozen=True):
    """The final answer, or None; the rule that found it; where it stands: reply[start:end].

    `candidates` are the best, in their order.
    """

    answer: str | None
    rule: str
    start: int = -1
    end: int = -1
    candidates: tuple[Weighed, ...] = ()


def final_answer(reply: str, kind: AnswerKind | None = None) -> FinalAnswer:
    """The answer that a reply ends with; `kind` is the gold's: words are cut otherwise than values.

    >>> final_answer("We get 3. The answer is $\\\\frac{1}{2}$.").answer
    '$\\\\frac{1}{2}$'
    >>> final_answer("\\\\boxed{12}. Wait, 3 are missing. The answer is 15.").answer
    '15'
    """
    said = visible(reply)
    if said.truncated:
        return FinalAnswer(None, "truncated")
    text = said.text.rstrip()
    offset = max(0, len(text) - SCANNED)
    found = ordered(candidates(Page(text[offset:]), kind))
    shown = tuple(weighed(weight, candidate) for weight, candidate in found[:SHOWN])
    if not found or found[0][0] <= 0:
        return FinalAnswer(None, "none", candidates=shown)
    best = found[0][1]
    if best.rule == "declined":
        return FinalAnswer(None, "declined", candidates=shown)
    answer = cut(best, kind)
    return FinalAnswer(answer, best.rule, best.start + offset, best.end + offset, shown)


def cut(candidate: Candidate, kind: AnswerKind | None) -> str:
    """What a candidate comes to."""
    said = candidate.said
    if kind != "text" and candidate.rule not in ("boxed", "answer tag", "answer field"):
        said = chain_end(said, keep=kind in (None, "equation"))
    return said.replace("**", "").strip()


def weighed(weight: float, candidate: Candidate) -> Weighed:
    table = weights()
    features = {
        name: round(table.get(name, 0.0) * amount, 2)
        for name, amount in measured(candidate).items()
    }
    return Weighed(candidate.said, round(weight, 2), features)
