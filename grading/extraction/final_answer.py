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
from ...words import words
from ..answers import chain_end
from ..equivalence import Weighed
from .candidates import EXPLICIT, MENTIONED, Candidate, weights
from .letters import NONE, Choice, letters, says
from .page import SCANNED, Page, tail, unasked, unstarred
from .values import values
from .visible import visible

_CORRECTS = re.compile(words("corrects"), re.IGNORECASE)
CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩"  # name options by their order, where no option holds one
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


def final_answer(
    reply: str,
    kind: AnswerKind | None = None,
    gold: str = "",
    question: str | None = None,
) -> FinalAnswer:
    r"""The answer a reply ends with; `kind` is the gold's: words are cut otherwise than values.

    What is declared and spells the `gold` is an answer, whatever its form. The `question` says
    which numbers were given, and what is counted.

    >>> final_answer("We get 3. The answer is $\\frac{1}{2}$.").answer
    '$\\frac{1}{2}$'
    >>> final_answer("\\boxed{12}. Wait, 3 are missing. The answer is 15.").answer
    '15'
    """
    golds = [gold] if gold else []
    speech = visible(reply)
    text = speech.text.rstrip()
    offset = max(0, len(text) - SCANNED)

    def find(page: Page) -> list[Candidate]:
        found = values(page, kind, golds=golds, question=question)
        return _explicit(found, page) if speech.truncated else found

    best, rule, evidence = _best_of(text[offset:], find, in_part=True)
    if speech.truncated:
        rule = f"{rule}, truncated" if best else "truncated"
    if best is None:
        return FinalAnswer(None, rule, candidates=evidence)
    start = best.start + offset
    end = best.end + offset
    is_gold = best.answer.strip() == gold.strip()
    answer = gold.strip() if is_gold else cut(best, kind)
    return FinalAnswer(answer, rule, start, end, evidence)


def choose(
    reply: str, labels: Sequence[str], texts: Sequence[str], several: bool = False
) -> Letter:
    """The options that a reply chooses, in the order of the item's; unless `several`, one.

    One that is not named is chosen by its value.

    >>> choose("So (A) and (C) are correct, B is not.", "ABCD", [""] * 4, several=True).letters
    ('A', 'C')
    """
    speech = visible(reply)
    choice = choice_of(labels, texts)
    in_circles = str.maketrans(dict(zip(CIRCLED, labels, strict=False)))
    is_named = not any(sign in option for option in choice.texts for sign in CIRCLED)

    def find(page: Page) -> list[Candidate]:
        found = _chosen(page, choice, several)
        return _explicit(found, page) if speech.truncated else found

    text = speech.text.strip()[-SCANNED:]
    if is_named and all(len(label) == 1 for label in labels):
        text = text.translate(in_circles)
    best, rule, evidence = _best_of(text, find, says(choice.labels), not several)
    if speech.truncated:
        rule = f"{rule}, truncated" if best else "truncated"
    if best is None:
        return Letter(None, rule, candidates=evidence)
    if best.answer == NONE or "either" in best.features:
        return Letter(None, f"{rule}: no one option", candidates=evidence)
    named = best.answer.split(",")
    chosen = tuple(label for label in labels if label in named)
    if len(chosen) > 1 and not several:
        return Letter(None, f"{rule}: several", chosen, evidence)
    return Letter(chosen[0] if len(chosen) == 1 else None, rule, chosen, evidence)


def choice_of(labels: Sequence[str], texts: Sequence[str]) -> Choice:
    """The options; a text that is only its letter could not be mentioned, and is none."""
    own = zip(labels, texts, strict=True)
    mentioned = ("" if t.strip(" ().").upper() == label else t for label, t in own)
    return Choice(tuple(labels), tuple(mentioned))


def _chosen(page: Page, choice: Choice, several: bool) -> list[Candidate]:
    """The letters of a page; where they settle nothing, with the option that has its value."""
    lettered = letters(page, choice, several)
    best, rule, _ = _best(lettered)
    names_options = best is not None and (several or best.answer in choice.labels)
    declared = best is not None and best.features & EXPLICIT
    is_settled = rule == "declined" or (names_options and declared)
    if is_settled or not page.is_enough or not any(choice.texts):
        return lettered
    valued = by_value(page, choice, beside=best is not None)
    if valued and not names_options:  # "A or B", where that is the text of C
        return valued
    return [*lettered, *valued]


def by_value(page: Page, choice: Choice, beside: bool) -> list[Candidate]:
    """The option that equals the reply's final answer, alone or beside letters: 1.0 for 1."""
    best, _, _ = _best(values(page, "choice", golds=[t for t in choice.texts if t]))
    letter = choice.valued(cut(best, "choice")) if best else ""
    if not best or not letter:
        return []
    features = {"by value", "beside letters"} if beside else {"by value"}
    return [best._replace(answer=letter, features=best.features | features)]


def cut(candidate: Candidate, kind: AnswerKind | None) -> str:
    """What a candidate comes to."""
    answer = candidate.answer
    if kind != "text" and not candidate.features & {"boxed", "tag", "field"}:
        answer = chain_end(answer, keep=kind in (None, "equation"))
    return unstarred(answer).strip()


def _explicit(candidates: Iterable[Candidate], page: Page) -> list[Candidate]:
    """What is declared and not taken back: all that counts of a thought that never ends."""
    return [
        c
        for c in candidates
        if c.features & EXPLICIT
        and not c.features & {"refuses", *MENTIONED}
        and not _CORRECTS.search(page.masked, c.end)
    ]


Best = tuple[Candidate | None, str, tuple[Weighed, ...]]


def _best_of(
    text: str,
    find: Callable[[Page], Iterable[Candidate]],
    says: re.Pattern[str] | None = None,
    in_part: bool = False,
) -> Best:
    """What stands in front of a question that nobody asked, or else anywhere.

    Where it may be read `in_part`, the last lines are read first, and often alone.
    """
    asked_for = unasked(text)
    if in_part and (begin := tail(asked_for)):
        page = Page(asked_for, says, begin)
        best = _best(find(page))
        if page.is_enough:
            return best
    best = _best(find(Page(asked_for, says)))
    if best[1] != "none" or asked_for == text:
        return best
    return _best(find(Page(text, says)))


def _best(candidates: Iterable[Candidate]) -> Best:
    """The candidate with the largest sum, of equal ones the later; the rule; the evidence."""
    ordered = sorted(candidates, key=lambda c: (-c.weight, -c.start, -c.end))[:SHOWN]
    evidence = tuple(map(_weighed, ordered))
    if not ordered or ordered[0].weight <= 0:
        return None, "none", evidence
    best = ordered[0]
    return None if best.rule == "declined" else best, best.rule, evidence


def _weighed(candidate: Candidate) -> Weighed:
    table = weights()
    counted = {
        name: round(table.get(name, 0.0) * amount, 2)
        for name, amount in sorted(candidate.measured.items())
    }
    return Weighed(candidate.answer, round(candidate.weight, 2), counted)
