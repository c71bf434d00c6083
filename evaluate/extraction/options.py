"""Which options does a free reply choose? The letters for which most speaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ...base.jsonl_tool import Malformed
from ...errors import UserError
from ...problem import Option
from .candidates import EXPLICIT, Candidate, candidates
from .final_answer import SCANNED, SHOWN, Weighed, cut, weighed
from .letters import NONE, Lettered, equal_option
from .ordering import ordered
from .page import Page
from .visible import visible


class Letter(msgspec.Struct, frozen=True):
    """The option's label, or None, and the rule that fired; `letters` holds several, too.

    `candidates` are the best, in their order.
    """

    letter: str | None
    rule: str
    letters: tuple[str, ...] = ()
    candidates: tuple[Weighed, ...] = ()


class Letters(msgspec.Struct, frozen=True):
    """The labels chosen, none where the reply names none, and the rule that fired."""

    letters: tuple[str, ...]
    rule: str
    candidates: tuple[Weighed, ...] = ()


def options_of(options: Sequence[Option | str | None]) -> list[Option]:
    """Options as records; texts, or None where only the letter is known, are labelled A, B, C, ...

    >>> options_of(["4", None])
    [Option(label='A', text='4', image=None), Option(label='B', text='', image=None)]

    Raises UserError for anything else.
    """
    if isinstance(options, str) or not isinstance(options, Sequence):
        raise UserError(f"options are {options!r}", "give a list of texts, or of Option")
    records = []
    for k, option in enumerate(options):
        if isinstance(option, Option):
            records.append(option)
        elif option is None or isinstance(option, str):
            records.append(Option(label=chr(ord("A") + k), text=option or ""))
        else:
            raise UserError(f"option {k + 1} is {option!r}", "give a text, or an Option")
    return records


def read_options(options: Any) -> list[Option]:
    """Options of a JSON line: as records, or as plain texts that are labelled A, B, C ..."""
    if not isinstance(options, list):
        raise Malformed(f"options is {options!r:.80}, not a list")
    records = []
    for k, option in enumerate(options):
        if isinstance(option, dict):
            records.append(msgspec.convert(option, Option))
        else:
            text = "" if option is None else str(option)
            records.append(Option(label=chr(ord("A") + k), text=text))
    return records


def choose(response: str, labels: Sequence[str], texts: Sequence[str]) -> Letter:
    """As `extract`, with labels and texts apart; texts may be empty."""
    letters = _chosen(response, labels, texts, several=False)
    if len(letters.letters) > 1:
        return Letter(None, f"{letters.rule}: several", candidates=letters.candidates)
    letter = letters.letters[0] if letters.letters else None
    return Letter(letter, letters.rule, candidates=letters.candidates)


def choose_all(response: str, labels: Sequence[str], texts: Sequence[str]) -> Letters:
    """The letters that a reply chooses, in the order of the item's.

    >>> choose_all("So (A) and (C) are correct, B is not.", "ABCD", [""] * 4).letters
    ('A', 'C')
    >>> choose_all("【答案】 B D <eoa>", "ABCD", [""] * 4).letters
    ('B', 'D')
    """
    return _chosen(response, labels, texts, several=True)


def _chosen(response: str, labels: Sequence[str], texts: Sequence[str], several: bool) -> Letters:
    said = visible(response)
    if said.truncated:
        return Letters((), "truncated")
    texts = [
        "" if option.strip(" ().").upper() == label else option
        for label, option in zip(labels, texts, strict=True)
    ]  # a bare letter is no text that a reply could mention
    page = Page(said.text.strip()[-SCANNED:])
    found = ordered(Lettered(page, labels, texts).candidates(several))
    if any(texts) and not (found and found[0][0] > 0 and found[0][1].features & EXPLICIT):
        valued = by_value(page, labels, texts)
        found = ordered([*(c for _, c in found), *valued]) if valued else found
    shown = tuple(weighed(weight, candidate) for weight, candidate in found[:SHOWN])
    if not found or found[0][0] <= 0:
        return Letters((), "none", shown)
    best = found[0][1]
    if best.rule == "declined":
        return Letters((), "declined", shown)
    if best.said == NONE or "either" in best.features:
        return Letters((), f"{best.rule}: no one option", shown)
    chosen = set(best.said.split(","))
    return Letters(tuple(label for label in labels if label in chosen), best.rule, shown)


def by_value(page: Page, labels: Sequence[str], texts: Sequence[str]) -> list[Candidate]:
    """The option that equals the reply's final answer: 1.0 for 1."""
    found = ordered(candidates(page, "choice"))
    if not found or found[0][0] <= 0 or found[0][1].rule == "declined":
        return []
    best = found[0][1]
    letter = equal_option(cut(best, "choice"), labels, texts)
    features = best.features | {"by value"}
    return [best._replace(said=letter, rule="option value", features=features)] if letter else []
