"""Which option does a free reply choose? Ordered rules, restricted to the item's own labels.

A rule that finds contradictory letters ("A or B") answers none, and no weaker rule is asked. The
order: the last box, the whole reply, an answer tag, the last declared letter, a leading letter, a
letter in brackets, a closing letter, and then the option's text (`mentions`) or value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

import msgspec

from ...base.jsonl_tool import Malformed
from ...errors import UserError
from ...problem import Option
from ...words import words
from ..answers import LimitExceeded, ParseError, Symbolic, read
from ..equivalence import Rules, same
from . import option_wordings as wording
from .declining import after_declining, declines
from .final_answer import final_answer
from .marked import answer_boxes, tags
from .option_text import mentioned
from .visible import visible

_PROSE = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
_YES, _NO = re.compile(words("yes"), re.IGNORECASE), re.compile(words("no"), re.IGNORECASE)
_NEGATES = re.compile(words("negates"), re.IGNORECASE)
_FIRST = re.compile(
    rf"\W*(?:{words('option')}\s*)?(?P<letter>[A-Z])(?![A-Za-z0-9'’_^°\\-]|\s*[=+*/^<>])",
    re.IGNORECASE,
)
_NEXT_QUESTION = re.compile(rf"\n[*_#>\s]{{0,6}}{words('question')}\s*\d{{0,3}}\s*[:：]", re.IGNORECASE)


def before_next_question(text: str) -> str:
    asked = _NEXT_QUESTION.search(text)
    return text[: asked.start()].rstrip() if asked and text[: asked.start()].strip() else ""


SCANNED = 20_000  # characters at the end of a reply that are searched


class Letter(msgspec.Struct, frozen=True):
    """The option's label, or None, and the rule that fired; `letters` holds several, too."""

    letter: str | None
    rule: str
    letters: tuple[str, ...] = ()


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
    said = visible(response)
    if said.truncated:
        return Letter(None, "truncated")
    raw = said.text.strip()[-SCANNED:].strip()
    texts = [
        "" if plain(option).strip(" ().").upper() == label else option
        for label, option in zip(labels, texts, strict=True)
    ]  # a bare letter is no text that a reply could mention
    if own := before_next_question(raw):
        choice = _chosen(own, labels, texts)
        if choice.letter and choice.rule not in WEAK_RULES:
            return choice
    return _chosen(raw, labels, texts)


def _chosen(raw: str, labels: Sequence[str], texts: Sequence[str]) -> Letter:
    text = plain(raw)
    if not text:
        return Letter(None, "none")
    if statement := _last_label(text):
        letter = _named_first(statement, labels, texts)
        if letter is None:  # `Answer: 45°`, `【答案】无解`: nothing else was chosen
            raw = raw[len(raw) - len(raw.rsplit(statement, 1)[-1]) - len(statement) :]
            text = statement
    boxed = any(box.content.strip() for box in answer_boxes(raw))  # with no letter in it
    declined = declines(raw) and not any(declines(option) for option in texts)
    rules: tuple[tuple[str, Callable[[], str | None]], ...] = (
        ("whole reply", lambda: _whole(text, labels)),
        ("labelled", lambda: _labelled(raw, text, labels, texts)),
        ("boxed", lambda: _boxed(raw, labels, texts)),
        ("answer tag", lambda: _tagged(raw, labels, texts)),
        ("declared", lambda: _declared(wording.STRONG, text, labels, texts)),
        ("leading", lambda: _leading(text, labels, texts)),
        ("letter with text", lambda: _paired(text, labels, texts)),
        ("concluded", lambda: _declared(wording.WEAK[: 1 if boxed else 3], text, labels, texts)),
        ("bracketed", lambda: _bracketed(text, labels)),
        ("closing", lambda: _closing(text, labels)),
        ("stated", lambda: _declared((wording.STATED,)[boxed:], text, labels, texts)),
        ("option text", lambda: _mentioned(raw, text, labels, texts)),
        ("option value", lambda: _valued(_unlisted(raw, labels), labels, texts)),
        ("denied statement", lambda: _answers_no(text, labels, texts)),
    )
    for name, rule in rules:
        if declined and name in WEAK_RULES:
            return _after_all(text, labels, texts)
        letter = rule()
        if letter == "":
            return Letter(None, f"{name}: several")
        if letter:
            return Letter(letter, name)
    return Letter(None, "declined" if declined else "none")


def _after_all(text: str, labels: Sequence[str], texts: Sequence[str]) -> Letter:
    """The letter that a reply states in spite of having said that it cannot tell."""
    rest = after_declining(text).strip().rsplit("\n\n", 1)[-1]
    for name, letter in (
        ("stated", _declared((wording.STATED,), rest, labels, texts)),
        ("closing", _closing(rest, labels)),
        ("bracketed", _bracketed(rest, labels)),
    ):
        if letter:
            return Letter(letter, name)
    return Letter(None, "declined")


# what these find in a reply that says it cannot answer was only mentioned
WEAK_RULES = frozenset(
    ["bracketed", "closing", "stated", "option text", "option value", "denied statement"]
)


def _last_label(text: str) -> str:
    """The statement behind a label, where nothing but it follows: `【答案】B`."""
    places = [match.end() for match in wording.LABELS.finditer(text)]
    statement = text[places[-1] :] if places else ""
    return statement if 0 < len(statement) <= 60 and "\n" not in statement else ""


def _answers_no(text: str, labels: Sequence[str], texts: Sequence[str]) -> str | None:
    """Where the options are yes and no, a first sentence that denies means no."""
    said = {
        option.strip(" .").casefold(): label for label, option in zip(labels, texts, strict=True)
    }
    yes = [label for option, label in said.items() if _YES.fullmatch(option)]
    no = [label for option, label in said.items() if _NO.fullmatch(option)]
    denies = _NEGATES.search(re.split(r"[.。\n]", text, maxsplit=1)[0])
    return no[0] if len(said) == 2 and yes and no and denies else None


def _labelled(raw: str, text: str, labels: Sequence[str], texts: Sequence[str]) -> str | None:
    """The letter behind the last heading or field, or a correction, that follows every box."""
    boxed = answer_boxes(raw)
    since = len(plain(raw[: boxed[-1].end])) if boxed else 0
    for match in reversed(list(wording.LABELS.finditer(text, since))):
        statement = text[match.end() : match.end() + 300].split("\n", 1)[0]
        letter = _named_first(statement, labels, texts)
        if letter is not None:
            return letter
    later = text[since:] if boxed else ""
    return _declared(wording.STRONG[:1], later, labels, texts) if later.strip() else None


def _named_first(statement: str, labels: Sequence[str], texts: Sequence[str]) -> str | None:
    """The letter a short statement begins with; "" where it begins with several."""
    whole = _whole(statement, labels)
    if whole is not None:
        return whole
    if (run := re.match(r"[A-Z]{2,}(?![A-Za-z])", statement)) and set(run[0]) <= set(labels):
        return ""
    match = _FIRST.match(statement)
    letter = _label(match["letter"], labels) if match else None
    if match is None or letter is None:
        return None
    end = match.end("letter")
    if wording.CONTINUES.match(statement, end) and not _followed(
        statement, end, letter, labels, texts
    ):
        return None
    hedge = wording.HEDGE.match(statement[end : end + 30])
    if hedge and hedge[1] in labels and hedge[1] != letter:
        return ""
    return None if denied(statement, 0, match.start("letter"), end) else letter


def _valued(raw: str, labels: Sequence[str], texts: Sequence[str]) -> str | None:
    """The one option that equals the reply's final answer: 1.0 for 1."""
    answer = final_answer(raw).answer
    return _equal_option(answer, labels, texts) if answer else None


def _equal_option(answer: str, labels: Sequence[str], texts: Sequence[str]) -> str | None:
    """The one option that is equal to an answer."""
    hits = []
    for label, option in zip(labels, texts, strict=True):
        with suppress(ParseError, LimitExceeded, Symbolic, RecursionError):
            if option and same(read(option), read(answer), Rules()):
                hits.append(label)
    return hits[0] if len(hits) == 1 else None


@lru_cache(maxsize=256)  # rule after rule asks about one text
def plain(text: str) -> str:
    """Without markup; braces that only grouped are gone."""
    text = wording.WRAP.sub("", text.translate(wording.WIDE))
    text = re.sub(r"\\boxed\s*", " ", text)
    return wording.NOISE.sub("", re.sub(r"\{([^{}]*)\}", r"\1", text)).strip()


def _label(letter: str, labels: Sequence[str]) -> str | None:
    return letter.upper() if letter.upper() in labels else None


def _whole(text: str, labels: Sequence[str]) -> str | None:
    """The reply is one letter, or several."""
    bare = re.sub(r"[\s(){}\[\].:,;\"'，。：!]+", " ", text).strip()
    bare = re.sub(r"^(?:option|choice|answer|选项|答案|选)\s*", "", bare, flags=re.IGNORECASE)
    parts = [p for p in re.split(r"\s+(?:or|and|和|或)\s+|\s|[/、&]", bare) if p]
    if parts and all(len(p) == 1 and p.upper() in labels for p in parts) and len(bare) < 20:
        return parts[0].upper() if len(set(parts)) == 1 else ""
    return None


def _boxed(raw: str, labels: Sequence[str], texts: Sequence[str]) -> str | None:
    boxed = answer_boxes(raw)
    return _short(boxed[-1].content, labels, texts) if boxed else None


def _tagged(raw: str, labels: Sequence[str], texts: Sequence[str]) -> str | None:
    marked = tags(raw)
    return _short(marked[-1][0], labels, texts) if marked and marked[-1][0] else None


def _short(text: str, labels: Sequence[str], texts: Sequence[str]) -> str | None:
    """A letter in a short answer: `(B)`, `B. value`, or an option's text."""
    value, text = text, plain(text)
    whole = _whole(text, labels)
    if whole is not None:
        return whole
    match = re.match(r"\W*(?P<letter>[A-Za-z])(?:[.):]|\s*[(-])", text)
    if match and (letter := _label(match["letter"], labels)):
        return letter
    letter = _leading(text, labels, texts) or _equal_option(value, labels, texts)
    return letter or (mentioned(text, labels, texts) if _PROSE.search(text) else None)


def _declared(
    patterns: Sequence[re.Pattern[str]], text: str, labels: Sequence[str], texts: Sequence[str]
) -> str | None:
    """The letter declared last, passing over denied ones; "" where it is hedged."""
    matches = sorted(
        (m for pattern in patterns for m in pattern.finditer(text)), key=lambda m: m.start("letter")
    )
    for match in reversed(matches):
        letter = _label(match["letter"], labels)
        start, end = match.span("letter")
        if letter is None:
            continue
        followed = _followed(text, end, letter, labels, texts)
        if not followed and denied(text, match.start(), start, match.end()):
            continue  # "C, can't predict" denies nothing where that is C's own text
        if match.end() == end and wording.CONTINUES.match(text, end) and not followed:
            continue  # "the answer is A triangle"
        hedge = wording.HEDGE.match(text[end : end + 30])
        before = wording.HEDGED_BEFORE.search(text[:start])
        if any(h and h[1] in labels and h[1] != letter for h in (hedge, before)):
            return ""
        return letter
    return None


def denied(text: str, start: int, letter: int, end: int) -> bool:
    return bool(
        wording.NEGATED_BEFORE.search(text[max(0, start - 40) : start])
        or wording.NEGATED_BEFORE.search(text[start:letter])
        or wording.NEGATED_AFTER.match(text[letter + 1 : end + 40].lstrip(")]}\"'"))
    )


def _followed(
    text: str, end: int, letter: str, labels: Sequence[str], texts: Sequence[str]
) -> bool:
    """Does the option's own text follow its letter?"""
    option = texts[list(labels).index(letter)].casefold().strip()
    return bool(option) and text[end:].lstrip(" .):").casefold().startswith(option[:20])


def _leading(text: str, labels: Sequence[str], texts: Sequence[str]) -> str | None:
    match = wording.LEADING.match(text) or wording.LEADING_LOWER.match(text)
    if match is None:
        match = re.match(r"\W*(?P<letter>[A-Z])\s+", text)
        letter = _label(match["letter"], labels) if match else None
        followed = match and letter and _followed(text, match.end("letter"), letter, labels, texts)
        return letter if followed else None
    letter = _label(match["letter"], labels)
    if letter is None or _restated(text, labels):
        return None
    end = match.end("letter")
    hedge = wording.HEDGE.match(text[end : end + 30])
    if hedge and hedge[1] in labels:
        return ""
    return letter if not denied(text, match.start(), end - 1, end) else None


def _restated(text: str, labels: Sequence[str]) -> bool:
    """Does the reply list the options, one a line or in a row?"""
    listed = re.findall(r"(?:^|\n)\W{0,3}([A-Z])[.):]", text)
    named = re.findall(r"(?<![A-Za-z])([A-Z])[).:]", text)
    if len(labels) > 2 and named[: len(labels)] == list(labels):
        return True
    return len(set(listed) & set(labels)) >= min(len(labels), 3) or len(set(listed)) >= 2


def _unlisted(text: str, labels: Sequence[str]) -> str:
    """The reply without lines that only restate options, the item's or others."""
    if not _restated(text, labels):
        return text
    lines = (re.match(r"\W{0,3}([A-Z])[.):]", line) for line in text.split("\n"))
    return "\n".join(
        line for line, match in zip(text.split("\n"), lines, strict=True)
        if not match
    )  # fmt: skip


def _mentioned(raw: str, text: str, labels: Sequence[str], texts: Sequence[str]) -> str | None:
    """An option's text, unless a box gave another value: then the text was on the way to it."""
    if answer_boxes(raw):
        return None
    return mentioned(_unlisted(text, labels), labels, texts)


def _paired(text: str, labels: Sequence[str], texts: Sequence[str]) -> str | None:
    """The last letter that stands with its option's own text: `B (water)`, `(B) water`."""
    if _restated(text, labels):
        return None
    for match in reversed(
        list(re.finditer(r"(?<![A-Za-z])(?P<letter>[A-Z])(?=[)\]:.,\s(-])", text))
    ):
        letter = _label(match["letter"], labels)
        if letter and not denied(text, match.start(), match.start(), match.end()):
            rest = text[match.end() :].lstrip(" ()[]:.,-").casefold()
            option = texts[list(labels).index(letter)].casefold().strip()
            if len(option) > 1 and rest.startswith(option):
                return letter
    return None


def _bracketed(text: str, labels: Sequence[str]) -> str | None:
    """The last letter in brackets that is not denied, unless the options are only restated."""
    if _restated(text, labels):
        return None
    for match in reversed(list(wording.BRACKETED.finditer(text))):
        letter = _label(match["letter"], labels)
        if letter and not denied(text, match.start(), match.start("letter"), match.end()):
            hedge = wording.HEDGE.match(text[match.end() : match.end() + 30])
            before = wording.HEDGED_BEFORE.search(text[: match.start()])
            if (hedge and hedge[1] in labels) or (before and before[1] in labels):
                return ""
            return letter
    return None


def _closing(text: str, labels: Sequence[str]) -> str | None:
    """A letter alone at the end, or the last line `C. value`."""
    match = wording.CLOSING.search(text) or re.fullmatch(r"[A-Za-z]{2,12} (?P<letter>[A-Z])", text)
    if match is None and not _restated(text, labels):
        match = wording.LAST_LINE.match(text.rsplit("\n", 1)[-1].strip())
        match = match or re.match(
            r"\W*(?P<letter>[A-Z])\s+[A-Z]\w*\W*$", text.rsplit("\n", 1)[-1].strip()
        )
    return _label(match["letter"], labels) if match else None
