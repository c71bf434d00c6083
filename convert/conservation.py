r"""The law of conservation: what a raw row holds is in its problem, its notes, outside, or missed.

A reader, or a stage that rewrites texts, hands over what stood there (`Held`) and what it made of
it; what came out nowhere is a note on the problem, which `check` turns into a finding of the group
`lost`. Letters and digits are compared as they are seen: `$\alpha$`, `α` and `<mi>α</mi>` are one
sign. The time is linear in the length of the texts.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import msgspec

from ..latex import FUNCTIONS, SYMBOLS, maths_spans
from ..problem import Option, Problem

SHOWN = 80  # characters of a loss that its note shows
NAMED = 300  # characters of an unused column that outside.jsonl shows
_TRIED = 50  # words of a loss that are looked for inside other words


class Held(msgspec.Struct, frozen=True):
    """What stands at one place of a raw row: its text, and how many pictures and mute formulas.

    A formula is mute where it is drawn and nothing in it can be read.
    """

    where: str
    text: str = ""
    pictures: tuple[str, ...] = ()  # their addresses
    spoken: tuple[
        str, ...
    ] = ()  # words that may stand for each of them: a formula's TeX
    formulas: int = 0
    mute: int = 0


class Outside(msgspec.Struct, frozen=True):
    """A line of outside.jsonl: what of a row belongs to no problem."""

    where: str
    text: str


class Holding(msgspec.Struct, frozen=True):
    """What a row holds, column by column; everything in `used` ones must come out.

    What comes out of no problem in a column that nobody asked for is outside.
    """

    columns: dict[str, list[Held]]
    used: frozenset[str] = frozenset()


# What is seen ------------------------------------------------------------------------------------

_WRITTEN = re.compile(
    r"\\(?:begin|end)\s*\{[^{}\n]{0,99}\}"  # the name of an environment is not shown
    r"|\\includegraphics\s*(?:\[[^\]\n]{0,300}\])?\{[^{}\n]{0,900}\}"
    r"|\\(?P<command>[A-Za-z]+)"
    r"|<image[ _]?\d*>|\[picture(?::[^\]\n]*)?\]"
    r"|!\[[^\]\n]{0,500}\]\([^()\n]{0,900}\)"
)
_UNSIGNED = re.compile(r"[\W_]+")


@lru_cache(maxsize=1)
def _letters_of_commands() -> dict[str, str]:
    r"""What commands show of letters: `\alpha` an α, `\sin` its name; most show none."""
    letters = {name: name for name in FUNCTIONS}
    for character, command in SYMBOLS.items():
        if command.startswith("\\") and command[1:].isalpha() and character.isalnum():
            letters.setdefault(command[1:], character)
    return letters


def signs(text: str) -> str:
    r"""The letters and digits that a reader of the drawn text sees, in order and one form.

    >>> signs(r"Let $\frac{\alpha}{2}$ be ½ of <image1>") == signs("Let α/2 be 1/2 of")
    True
    """
    if "\\" in text or "<image" in text or "[" in text:
        letters = _letters_of_commands()
        text = _WRITTEN.sub(lambda m: f" {letters.get(m['command'] or '', '')} ", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.replace("º", "°"))
    return _UNSIGNED.sub("", text)


def lost(given: str, kept: Iterable[str]) -> str:
    """What of the letters and digits of `given` stands in none of the texts `kept`.

    Order does not count, how often does; the words that are missed are shown where there are any.

    >>> lost("Find $x$. Hint: add 7.", ["Find $x$."]), lost("b a", ["a", "b"])
    ('Hint add 7', '')
    """
    there = list(kept)
    if given in there:
        return ""
    pool = "".join(map(signs, there))
    missing = Counter(signs(given))
    missing.subtract(pool)
    letters = "".join(sign * count for sign, count in missing.items() if count > 0)
    return _shown(given, pool, letters) if letters else ""


def _shown(given: str, pool: str, letters: str) -> str:
    """The words of `given` that stand nowhere; where each does, the letters alone."""
    missed: list[str] = []
    for word in re.findall(r"\\?[^\W_]+", given):
        seen = signs(word)
        if seen and len(missed) < _TRIED and seen not in pool:
            missed.append(word)
            if sum(map(len, missed)) > SHOWN:
                break
    return " ".join(missed)[:SHOWN] or letters[:SHOWN]


# What came of it ---------------------------------------------------------------------------------

_PLACED = re.compile(r"<image\d+>|\[picture[:\]]")


def losses(held: Held, kept: list[str], pictures: int = 0) -> Iterator[str]:
    """The notes on what was held at one place and came out in none of the texts `kept`.

    `pictures` are those that were kept beside the texts.
    """
    if text := lost(held.text, kept):
        yield f"lost-text: {held.where}: {text}"
    placed = pictures + sum(len(_PLACED.findall(text)) for text in kept)
    if len(held.pictures) > placed:
        pool = "".join(map(signs, kept))
        unsaid = [
            address
            for address, words in zip(held.pictures, held.spoken, strict=True)
            if not (seen := signs(words)) or seen not in pool
        ]
        if missed := unsaid[placed:]:
            yield f"lost-picture: {held.where}: {', '.join(missed)[:SHOWN]}"
    if held.mute and sum(len(maths_spans(text)) for text in kept) < held.formulas:
        yield f"lost-formula: {held.where}: {held.mute} of {held.formulas} show nothing to read"


def unaccounted(
    row: Holding, problem: Problem, marks: Iterable[str] = ()
) -> tuple[list[str], list[Outside]]:
    """The notes on what of the used columns came out nowhere, and the columns that are outside.

    `marks` are the labels and separators of options, which the options' own labels stand for.
    """
    texts = Counter([*_pool(problem), *marks])
    whole = frozenset(texts)
    left: dict[str, list[Held]] = {}
    # those that are used have the first claim on a text that stands in several columns
    for column in sorted(row.columns, key=lambda name: name not in row.used):
        for held in row.columns[column]:
            if texts[held.text] > 0:  # most cells are a text of the problem
                texts[held.text] -= 1
            elif held.text and not (column not in row.used and held.text in whole):
                left.setdefault(column, []).append(held)
    if not left:
        return [], []
    pool = list(texts.elements())
    seen = signs("\n".join(pool))
    spent = Counter[str]()
    notes: list[str] = []
    outside: list[Outside] = []
    for column, places in left.items():
        missing = [
            held
            for held in places
            if _lacks(held.text, seen, spent, column in row.used)
        ]
        if missing and column not in row.used:
            outside.append(
                Outside(column, _start_of(" | ".join(h.text for h in missing)))
            )
            continue
        for held in missing:
            what = lost(held.text, pool) or signs(held.text)[:SHOWN]
            notes.append(f"lost-text: {held.where}: {what}")
    return notes, outside


def _lacks(text: str, pool: str, spent: Counter[str], used: bool) -> bool:
    """Whether letters of the text are not in the pool, or not so often; what is used is spent."""
    own = Counter(signs(text))
    if any(count + spent[sign] > pool.count(sign) for sign, count in own.items()):
        return True
    if used:
        spent.update(own)
    return False


def _start_of(text: str) -> str:
    return text if len(text) <= NAMED else f"{text[:NAMED]}… ({len(text):,} characters)"


def _pool(problem: Problem) -> list[str]:
    """All texts of a problem, its notes too."""
    texts = [problem.source.raw_id, problem.question, problem.answer, *problem.notes]
    texts += filter(
        None, (problem.solution, problem.diagram, problem.unit, problem.source.url)
    )
    texts += _of_options(problem.options)
    for part in problem.parts:
        texts += [part.label, part.answer, part.answer_kind, part.unit or ""]
        texts += [str(part.tolerance)] * (part.tolerance is not None)
    for step in problem.steps:
        texts += [step.question, step.answer, step.condition, *step.knowledge]
        texts += _of_options(step.options)
    for sample in problem.samples:
        texts += [sample.question, sample.solution or "", *_of_options(sample.options)]
    texts += [leaf.text for leaf in held_in(problem.labels, "labels")]
    return texts


def _of_options(options: list[Option]) -> Iterator[str]:
    for option in options:
        yield option.label
        yield option.text


# What a row holds --------------------------------------------------------------------------------


def row_of(data: Any, used: Iterable[str] = ()) -> Holding:
    """A row of plain data: what stands under each of its names."""
    named = data if isinstance(data, dict) else {}
    columns = {
        str(name): [Held(str(name), value)]
        if isinstance(value, str)
        else [*held_in(value, str(name))]
        for name, value in named.items()
    }
    return Holding(columns, frozenset(used))


def held_in(value: Any, where: str) -> Iterator[Held]:
    """The texts of a value as JSON has it: leaf by leaf, each under its path.

    >>> [(one.where, one.text) for one in held_in({"a": ["x", 2]}, "row")]
    [('row.a.1', 'x'), ('row.a.2', '2')]
    """
    waiting: list[tuple[str, Any]] = [(where, value)]
    while waiting:
        at, one = waiting.pop()
        if isinstance(one, dict):
            waiting += reversed(
                [(f"{at}.{name}", inner) for name, inner in one.items()]
            )
        elif isinstance(one, list | tuple):
            waiting += reversed(
                [(f"{at}.{k}", inner) for k, inner in enumerate(one, 1)]
            )
        elif isinstance(one, str):
            yield Held(at, one)
        elif isinstance(one, int | float) and not isinstance(one, bool):
            yield Held(at, msgspec.json.encode(one).decode())
