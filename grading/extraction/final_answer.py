"""The final answer in a free reply, or the options that it chooses: the candidate for which most
speaks.

`candidates` and `letters` find what may be the answer. What each feature counts is data
(`weights.toml`, which says how it was fitted); a candidate counts where its sum is above zero, and
the evidence keeps the best.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

import msgspec

from ...problem import AnswerKind
from ..answers import chain_end
from ..equivalence import Weighed
from .candidates import EXPLICIT, Candidate, weights
from .letters import NONE, Choice, letters, says
from .page import SCANNED, Page, unasked
from .values import values
from .visible import visible

SHOWN = 3  # candidates that the evidence keeps


class FinalAnswer(msgspec.Struct, frozen=True):
    """The final answer, or None; the rule that found it; where it stands: reply[start:end].

    `candidates` are the best, in their order.
    """

    answer: str | None
    rule: str
    start: int = -1
    end: int = -1
    candidates: tuple[Weighed, ...] = ()


class Letter(msgspec.Struct, frozen=True):
    """The option's label, or None, and the rule that fired; `letters` holds several, too.

    `candidates` are the best, in their order.
    """

    letter: str | None
    rule: str
    letters: tuple[str, ...] = ()
    candidates: tuple[Weighed, ...] = ()


def final_answer(reply: str, kind: AnswerKind | None = None) -> FinalAnswer:
    r"""The answer a reply ends with; `kind` is the gold's: words are cut otherwise than values.

    >>> final_answer("We get 3. The answer is $\\frac{1}{2}$.").answer
    '$\\frac{1}{2}$'
    >>> final_answer("\\boxed{12}. Wait, 3 are missing. The answer is 15.").answer
    '15'
    """
    said = visible(reply)
    if said.truncated:
        return FinalAnswer(None, "truncated")
    text = said.text.rstrip()
    offset = max(0, len(text) - SCANNED)
    best, rule, shown = _best_of(text[offset:], lambda page: values(page, kind))
    if best is None:
        return FinalAnswer(None, rule, candidates=shown)
    return FinalAnswer(
        cut(best, kind), rule, best.start + offset, best.end + offset, shown
    )


def choose(
    reply: str, labels: Sequence[str], texts: Sequence[str], several: bool = False
) -> Letter:
    """The options that a reply chooses, in the order of the item's; unless `several`, one.

    One that is not named is chosen by its value.

    >>> choose("So (A) and (C) are correct, B is not.", "ABCD", [""] * 4, several=True).letters
    ('A', 'C')
    """
    said = visible(reply)
    if said.truncated:
        return Letter(None, "truncated")
    choice = Choice(
        tuple(labels),
        tuple(
            ""
            if text.strip(" ().").upper() == label
            else text  # it could not be mentioned
            for label, text in zip(labels, texts, strict=True)
        ),
    )

    def find(page: Page) -> list[Candidate]:
        found = letters(page, choice, several)
        best, rule, _ = _best(found)
        told = best is not None and (several or best.said in labels)
        settled = rule == "declined" or (best and told and best.features & EXPLICIT)
        if settled or not any(choice.texts):
            return found
        valued = by_value(page, choice, beside=best is not None)
        return (
            [*found, *valued] if told or not valued else valued
        )  # (A) or (B): "A or B" is C

    best, rule, shown = _best_of(
        said.text.strip()[-SCANNED:], find, says(choice.labels)
    )
    if best is None:
        return Letter(None, rule, candidates=shown)
    if best.said == NONE or "either" in best.features:
        return Letter(None, f"{rule}: no one option", candidates=shown)
    chosen = tuple(label for label in labels if label in best.said.split(","))
    if len(chosen) > 1 and not several:
        return Letter(None, f"{rule}: several", chosen, shown)
    return Letter(chosen[0] if len(chosen) == 1 else None, rule, chosen, shown)


def by_value(page: Page, choice: Choice, beside: bool) -> list[Candidate]:
    """The option that equals the reply's final answer, alone or beside letters: 1.0 for 1."""
    best, _, _ = _best(values(page, "choice"))
    letter = choice.valued(cut(best, "choice")) if best else ""
    if not best or not letter:
        return []
    features = {"by value", "beside letters"} if beside else {"by value"}
    return [best._replace(said=letter, features=best.features | features)]


def cut(candidate: Candidate, kind: AnswerKind | None) -> str:
    """What a candidate comes to."""
    said = candidate.said
    if kind != "text" and not candidate.features & {"boxed", "tag", "field"}:
        said = chain_end(said, keep=kind in (None, "equation"))
    return said.replace("**", "").strip()


Best = tuple[Candidate | None, str, tuple[Weighed, ...]]


def _best_of(
    text: str,
    find: Callable[[Page], Iterable[Candidate]],
    says: re.Pattern[str] | None = None,
) -> Best:
    """What stands in front of a question that nobody asked, or else anywhere."""
    own = unasked(text)
    best = _best(find(Page(own, says)))
    return best if best[1] != "none" or own == text else _best(find(Page(text, says)))


def _best(found: Iterable[Candidate]) -> Best:
    """The candidate with the largest sum, of equal ones the later; the rule; the evidence."""
    ordered = sorted((-c.weight, -c.start, -c.end, k, c) for k, c in enumerate(found))[
        :SHOWN
    ]
    shown = tuple(_shown(-weight, c) for weight, *_, c in ordered)
    if not ordered or ordered[0][0] >= 0:
        return None, "none", shown
    best = ordered[0][-1]
    return None if best.rule == "declined" else best, best.rule, shown


def _shown(weight: float, candidate: Candidate) -> Weighed:
    table = weights()
    counted = {
        n: round(table.get(n, 0.0) * k, 2)
        for n, k in sorted(candidate.measured.items())
    }
    return Weighed(candidate.said, round(weight, 2), counted)
