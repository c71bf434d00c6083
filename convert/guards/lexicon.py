"""Words that carry the meaning of a problem, found in English and in Chinese alike.

`senses.yaml` holds words whose meaning hangs on what stands around them, as regular expressions;
`terms.yaml` holds the terms of mathematics, as plain words. A word may have several meanings: what
it means is settled by what the other text says (`settled`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import msgspec
import yaml

from ...latex import HAN

Meaning = tuple[str, str]  # kind, name
_NEUTRAL = ("neutral", "")
_ENGLISH = re.compile(r"[A-Za-z]+(?:[.'][a-z]+)*")
_HAN = re.compile(rf"[{HAN}▱△⊙][{HAN}]*|[a-z\d]*[{HAN}]+")
_LONGEST = 5  # words of an English entry
_LONGEST_HAN = 7
_SHORT = "shape"  # where one character of Chinese says something by itself: 圆


class Word(msgspec.Struct, frozen=True):
    """What stands at text[start:end]; `faint`: it may answer to a word, but is none by itself."""

    meanings: tuple[Meaning, ...]
    start: int
    end: int
    faint: bool = False


class Known(msgspec.Struct, frozen=True):
    """A word whose meaning is settled."""

    kind: str
    name: str
    start: int
    end: int


class _Lexicon(msgspec.Struct, frozen=True):
    pattern: re.Pattern[str]
    rows: dict[str, Meaning]  # name of the regex group -> meaning
    plain: dict[str, tuple[Meaning, ...]]
    counting: frozenset[str]  # those of `plain` that are words by themselves
    kept: frozenset[Meaning]  # terms that nothing else says


@cache
def _lexicon() -> _Lexicon:
    senses, terms = _table("senses"), _table("terms")
    rows = [(_NEUTRAL, *pair) for pair in senses["neutral"]]
    rows += [(("strict", name), *pair) for name, pair in senses["strict"].items()]
    rows += [
        ((kind, name), *pair)
        for kind, entries in senses["contrast"].items()
        for name, pair in entries.items()
    ]
    rows.append((("negation", "not"), *senses["negation"]))
    pattern = "|".join(
        rf"(?P<s{k}>(?<![A-Za-z])(?:{english})(?![A-Za-z])|{chinese})"
        for k, (_, english, chinese) in enumerate(rows)
    )
    plain: dict[str, list[Meaning]] = {}
    counting: set[str] = set()
    kept: set[Meaning] = set()
    for kind, text in terms.items():
        for entry in filter(None, map(str.strip, text.split(";"))):
            meaning, spellings = _entry(kind, entry.lstrip("*"))
            if entry[0] == "*":
                kept.add(meaning)
            for spelling, counts in spellings:
                plain.setdefault(spelling, []).append(meaning)
                if counts:
                    counting.add(spelling)
    return _Lexicon(
        re.compile(pattern, re.IGNORECASE),
        {f"s{k}": row[0] for k, row in enumerate(rows)},
        {
            spelling: tuple(dict.fromkeys(meanings))
            for spelling, meanings in plain.items()
        },
        frozenset(counting),
        frozenset(kept),
    )


def _table(name: str) -> dict[str, Any]:
    text = files(__package__).joinpath(f"{name}.yaml").read_text("utf-8")
    table: dict[str, Any] = yaml.safe_load(text)
    return table


def _entry(kind: str, entry: str) -> tuple[Meaning, list[tuple[str, bool]]]:
    """What an entry of terms.yaml means, and its spellings: is each a word by itself?

    >>> _entry("measure", "length, ~side = 长! 边")[1][:3]
    [('length', True), ('lengths', True), ('side', False)]
    """
    english, _, chinese = entry.partition("=")
    phrases = [p.strip().lower().replace("-", " ") for p in english.split(",")]
    spellings = [
        (form, phrase[0] != "~")
        for phrase in phrases
        for form in _forms(phrase.lstrip("~"))
    ]
    for word in chinese.split():
        counts = word[-1] == "!" or len(word) > 1 or kind == _SHORT
        spellings.append((word.strip("~!").lower(), counts and word[0] != "~"))
    return (kind, phrases[0].lstrip("~")), spellings


def _forms(phrase: str) -> list[str]:
    if re.search("(?:s|x|z|ch|sh|o)$", phrase):
        return [phrase, phrase + "es", phrase + "s"]
    plural = phrase[:-1] + "ies" if re.search("[^aeiou]y$", phrase) else phrase + "s"
    return [phrase, plural]


@lru_cache(maxsize=64)
def words(text: str) -> tuple[Word, ...]:
    """The known words of a text in order; where two could start at one place, the longer one.

    >>> [word.meanings[0][1] for word in words("不小于正整数的面积 is not less than the area")]
    ['at least', 'positive', 'integer', 'area', 'at least', 'area']
    """
    found = sorted(
        [*_patterns(text), *_plain(text)], key=lambda w: (w.start, -w.end, w.faint)
    )
    out: list[Word] = []
    end = 0
    for word in found:
        if word.start >= end:
            end = word.end
            if _NEUTRAL not in word.meanings:
                out.append(word)
    return tuple(out)


def _patterns(text: str) -> Iterator[Word]:
    lexicon = _lexicon()
    for match in lexicon.pattern.finditer(text):
        if match.end() > match.start():
            meaning = lexicon.rows[match.lastgroup or ""]
            yield Word((meaning,), match.start(), match.end())


def _plain(text: str) -> Iterator[Word]:
    plain, counting = _lexicon().plain, _lexicon().counting
    tokens = [
        (m[0].lower().removesuffix("'s"), *m.span()) for m in _ENGLISH.finditer(text)
    ]
    for k in range(len(tokens)):
        phrase, start, end = tokens[k]
        best: Word | None = None
        for size in range(_LONGEST):
            if size:
                if k + size >= len(tokens) or text[end : tokens[k + size][1]] not in (
                    " ",
                    "-",
                ):
                    break
                phrase, end = f"{phrase} {tokens[k + size][0]}", tokens[k + size][2]
            if meanings := plain.get(phrase):
                best = Word(meanings, start, end, phrase not in counting)
        if best and best.end > best.start + 1:
            yield best
    for match in _HAN.finditer(text):
        for start in range(match.start(), match.end()):
            for end in range(min(match.end(), start + _LONGEST_HAN), start, -1):
                word = text[start:end].lower()
                if meanings := plain.get(word):
                    yield Word(meanings, start, end, word not in counting)
                    break


def settled(text: str, other: str) -> list[Known]:
    """The known words of a text, each in the meaning that the other text knows, too, if any.

    A word of several kinds of which the other text knows none says nothing.

    >>> [word.name for word in settled("the rate", "求速度")]
    ['speed']
    """
    there = {meaning for word in words(other) for meaning in word.meanings}
    kinds = {kind for kind, _ in there}
    out = []
    for word in words(text):
        shared = [meaning for meaning in word.meanings if meaning in there]
        if word.faint and not shared:
            continue
        plain = [meaning for meaning in word.meanings if meaning[0] == "plain"]
        likely = [meaning for meaning in word.meanings if meaning[0] in kinds]
        if shared or plain or likely or len({kind for kind, _ in word.meanings}) == 1:
            kind, name = (shared or plain or likely or word.meanings)[0]
            out.append(Known(kind, name, word.start, word.end))
    return out


def is_kept(word: Known) -> bool:
    """Is it a term that no other words say? On one side only, it is a change."""
    return (word.kind, word.name) in _lexicon().kept
