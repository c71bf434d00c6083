"""Labels in a text: what may be one, and the best run of consecutive ones.

A label is a sign of an order (A, B, C; 1, 2, 3; 甲, 乙, 丙) in a slot: what stands around it. Slots
that look alike make a template, and the best run of consecutive labels in one template wins.
Nothing is looked for inside formulas. The time is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from ..latex import maths_spans
from ..words import CLOSING, ENCLOSED_SIGNS, LETTERS, OPENING, OTHER_SIGNS, ranks

LONGEST = 50_000  # characters of a text in which options are looked for
FILLER = "\ufdd3"  # stands for each character of a formula
WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}

# What sets a label apart (closed: HTML's tags of emphasis; `a <b and c> d` holds none).
_TAG = r"<(?:b|i|u|em|strong|span|font)(?:\s[^<>]{0,60})?>"
_OPENERS = (
    rf"{_TAG}|\[[ xX✓✔]?\]|[☐☑☒□■◯]|\\[A-Za-z]{{2,12}}\s?\{{"
    rf"|[{OPENING}{{<#•·–-]|\\[({{]"
)
_CLOSERS = rf"</[a-z]{{1,6}}>|\\[)}}]|[{CLOSING}}}>]"
_OTHER = f"[{re.escape(OTHER_SIGNS)}]"
_SIGN = rf"\d{{1,2}}|(?:[IVX]{{1,4}}|[ivx]{{1,4}}|[A-Za-z])(?![A-Za-z])|{_OTHER}"
_MARKS = (  # brackets, a mark (no `...`), what ends an emphasis, and a mark again: `**(A)**.`
    rf"(?:[ \t]?(?:{_CLOSERS})){{0,2}}(?:[ \t]?[.。:、,](?!\.\.))?"
    rf"(?(bold)(?P=bold))(?:{_CLOSERS}){{0,2}}(?:[.。:、,](?![.。:\d]))?"
)
_CLOSE = rf"[ \t](?:[-–—=|/]|->)(?=\s)|[ \t]?[→⇒]|=|{_MARKS}"
_SLOT = re.compile(  # never from inside a word on, or from a blank
    r"(?!\s|(?<=[A-Za-z])[A-Za-z])"
    rf"(?P<open>(?:(?:{_OPENERS})[^\S\n]?){{0,2}}"
    rf"(?P<bold>\*\*|__|\*)?(?:(?:{_OPENERS})[^\S\n]?)?)"
    rf"(?<![A-Za-z])(?P<sign>{_SIGN})(?P<close>{_CLOSE})"
)
_WHOLE = re.compile(rf"[A-Za-z]+|\d+|{_OTHER}")  # what a sign is the whole of
_BOX = re.compile(r"\[[xX✓✔]?\]|[☑☒■]")  # to be ticked, or ticked
_WORD = re.compile(r"([^\W\d_]{2,12})\s?$")  # `Option ` of `Option A:`
_APPLIED = re.compile(r"(?:\A|[\s(|+*/=,-])[A-Za-z]\Z")  # `P` of `P(A)`
_VALUE_SEPARATORS = ("/", "|", "=", "-", ",", "、")  # `1 / 2 / 3` are values


class Label(msgspec.Struct, frozen=True):
    """A sign in its slot; `between` is what stands before the slot."""

    sign: str
    order: str
    rank: int
    start: int  # of the slot
    end: int
    slot: tuple[str, str, str]  # a word, and the marks before and behind
    between: str
    empty: bool  # nothing stands behind it but a separator


class _Slot(NamedTuple):
    """text[start:end] is a sign with what opens and closes it."""

    start: int
    end: int
    opened: str
    sign: str
    close: str

    @property
    def is_enclosed(self) -> bool:
        return self.sign in ENCLOSED_SIGNS


def covered(text: str) -> str:
    """The text with its formulas covered and wide signs narrow, every position kept."""
    text = narrow(text)
    if "$" not in text and "\\" not in text:
        return text
    pieces, position = [], 0
    for span in maths_spans(text):
        pieces += [text[position : span.start], FILLER * (span.end - span.start)]
        position = span.end
    return "".join([*pieces, text[position:]])


def narrow(text: str) -> str:
    """The text with ASCII's signs for the wide ones that look like them."""
    return text if text.isascii() else text.translate(WIDE)


# Labels ------------------------------------------------------------------------------------------


def labels_in(hidden: str, alone: bool = False) -> Iterator[Label]:
    """What may be a label of a covered text, in each of its readings.

    Only orders that go on are read, where a label is not looked for `alone`.
    """
    orders = set[str]() if alone else _orders_that_go_on(hidden)
    for match in _SLOT.finditer(hidden) if orders or alone else ():
        places = ranks(match["sign"])
        places = places if alone else tuple(p for p in places if p[0] in orders)
        if not places:
            continue
        slot = _slot(match)
        if _is_label(hidden, slot):
            yield from _readings(hidden, slot, places)


def _orders_that_go_on(hidden: str) -> set[str]:
    """The orders whose first sign stands in a text, and the one beside it, too."""
    signs = {sign for sign in _WHOLE.findall(hidden) if len(sign) < 3}
    places = {place for sign in signs for place in ranks(sign)}
    return {order for order, rank in places if (order, 0) in places and abs(rank) == 1}


def _slot(match: re.Match[str]) -> _Slot:
    slot = _Slot(*match.span(), *match.group("open", "sign", "close"))
    if slot.is_enclosed and slot.close[:1].isspace():  # `② - 1` is a number
        return slot._replace(end=match.end("sign"), close="")
    return slot


def _is_label(hidden: str, slot: _Slot) -> bool:
    """Whether what stands around a slot lets it be a label."""
    start, end, opened, sign, close = slot
    before = hidden[max(0, start - 1) : start]
    behind = hidden[end : end + 1]
    is_parted = close or slot.is_enclosed or not behind or behind.isspace()
    if not is_parted and behind not in "{$" + FILLER:
        return False
    follows_word = sign.isascii() and before.isalnum() and before.isascii()
    if follows_word and not opened and (sign.isdigit() or not close.strip()):
        return False
    if sign.isdigit() and close.endswith((".", ",")) and behind.isdigit():
        return False  # 3.5
    return not (opened == "(" and _APPLIED.search(hidden, max(0, start - 2), start))


def _readings(
    hidden: str, slot: _Slot, places: tuple[tuple[str, int], ...]
) -> Iterator[Label]:
    """The labels that a slot may be: in each order, with the word before it and without."""
    start, end, opened, sign, close = slot
    opened = _BOX.sub("☐", "".join(opened.split()))
    close = "".join(close.split()) or "○" * slot.is_enclosed
    empty = hidden[end : end + 9].lstrip()[:1] == ";"
    fronts = [(start, "")]
    behind_letter = hidden[max(0, start - 3) : start].rstrip()[-1:].isalpha()
    if behind_letter and (word := _WORD.search(hidden, max(0, start - 14), start)):
        fronts.append((word.start(), word[1].casefold()))
    for front, word_before in fronts:
        marks = (word_before, opened, close)
        between = _between(hidden, front)
        for order, rank in places:
            yield Label(sign, order, rank, front, end, marks, between, empty)


def _between(text: str, position: int) -> str:
    """What parts a label from the option before: a line, a mark, or blanks."""
    blanks = 0
    while position > 0 and text[position - 1].isspace():
        position -= 1
        blanks += 1
        if text[position] == "\n":
            return "\n"
    if not position:
        return "^"
    mark = text[position - 1]
    return mark if mark in ";,、|/&" else " " * min(blanks, 2)


def holds_label(text: str, rank: int) -> bool:
    """Whether an option's text goes on with the label of this rank, as `3 B. 4` does for 1."""
    letter = LETTERS[rank : rank + 1] or "?"
    if letter not in text.upper():
        return False
    return any(
        label.rank == rank and label.order in "Aa" and label.slot[2] and label.start > 0
        for label in labels_in(covered(text[:LONGEST]), alone=True)
    )


# Runs --------------------------------------------------------------------------------------------


def best_run(hidden: str, last: bool = False) -> list[Label]:
    """The best run of a text: of most texts, then the longest, of marked slots, at its start."""
    best: list[Label] = []
    best_worth = (-1, 0, False, False)
    for run in _runs(hidden, last):
        ends = [*(label.start for label in run[1:]), len(hidden)]
        filled = sum(
            hidden[label.end : end].strip() != ""
            for label, end in zip(run, ends, strict=True)
        )
        if 0 < filled < len(run) / 2 and run[0].slot[2] in _VALUE_SEPARATORS:
            continue
        is_marked = any(any(label.slot) for label in run[:2])
        at_start = run[0].between == "^"
        worth = (filled, len(run), is_marked, at_start)
        on_lines = {label.between for label in run} <= {"^", "\n"}
        # bare signs are labels from three on, at the start of the text or of lines
        counts = len(run) > 1 if is_marked else len(run) > 2 and (on_lines or at_start)
        if worth > best_worth and counts:
            best, best_worth = run, worth
    return best


def _runs(hidden: str, last: bool) -> Iterator[list[Label]]:
    """Runs of labels of one template: alike in their slot, or in what parts them."""
    templates: dict[tuple[object, ...], list[Label]] = {}
    for label in labels_in(hidden):
        templates.setdefault((label.order, label.slot), []).append(label)
        if not label.slot[0] and label.between in ("^", "\n", ";"):
            templates.setdefault((label.order,), []).append(label)
    for labels in templates.values():
        separators = Counter(label.between for label in labels if label.rank > 0)
        if not separators:
            continue
        [(usual, _)] = separators.most_common(1)
        alike = [one for one in labels if one.between == usual or one.rank <= 0]
        runs = [_run(alike, last)]
        if len(alike) < len(labels):
            runs.append(_run(labels, last))
        yield from filter(None, [*runs, _shuffled(labels)])


def _run(labels: list[Label], last: bool) -> list[Label]:
    """The first (or last) run of consecutive labels; its end may leave one sign or two out."""
    filled = {label.rank for label in labels if not label.empty}
    labels = [label for label in labels if not (label.empty and label.rank in filled)]
    starts = [k for k, label in enumerate(labels) if label.rank == 0]
    if labels[0].order == "1" and not last:  # numbers may start at 0
        zeros = [k for k, label in enumerate(labels) if label.rank == -1]
        starts = zeros[:1] or starts
    best: list[Label] = []
    for start in starts[-3:] if last else starts[:1]:
        run = [labels[start]]
        for label in labels[start + 1 :]:
            if label.rank == run[-1].rank + 1 and label.start >= run[-1].end:
                run.append(label)
        skipped = labels[-1].rank - run[-1].rank
        if len(run) > 1 and 1 < skipped <= 3 and labels[-1].start >= run[-1].end:
            run.append(labels[-1])  # `C. 5; F. No correct answer`
        if len(run) >= len(best):
            best = run
    return best


def _shuffled(labels: list[Label]) -> list[Label]:
    """Columns read before rows (A C B D): every sign once, but not in order."""
    ranks_there = sorted(label.rank for label in labels)
    is_whole = len(labels) >= 4 and ranks_there == list(range(len(labels)))
    return labels if is_whole and labels[0].rank == 0 else []
