"""An option chosen by its text instead of its letter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ...latex import UNSPACED

_DENIES = re.compile(
    r"(?:\bnot|n't|\bno|\brather than|\binstead of|\bneither|\bnor|\bwithout|不是|并非|不)\W*"
    r"(?:(?:the|a|an|be|equal to|is)\W+){0,2}$",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"(?:\bbe|\bis|\bare|\bequals?(?: to)?|=|[:：]|为|是|等于)\s*"
    r"(?:(?:the|an?|about|still)\s+)?[\"'(]?$"
)
_OR = re.compile(r"\W*(?:\b(?:or|and)\b|或者?|和|/|,)\W*(?:(?:the|an?)\s+)?")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_WORD = rf"[^\W{UNSPACED}]"
_SPELLINGS = (
    (re.compile(r"\\f?boxed"), " "),
    (re.compile(r"\\(?:text|mathrm|left|right|,|;|!)"), ""),
    (re.compile(r"\\?\^?\{?\\circ\}?|\\degree|\bdegrees?\b|°"), "°"),
    (re.compile(r"\\d?t?frac\{([^{}]*)\}\{([^{}]*)\}"), r"\1/\2"),
    (re.compile(r"\\sqrt\s*|√"), "√"),
    (re.compile(r"\\pi\b|π"), "π"),
    (re.compile(r"\\times|×"), "×"),
    (re.compile(r"\\%"), "%"),
    (re.compile(r"[{}$*\\]"), ""),
    (re.compile(r"[^\S\n]*([°π×/=^%])"), r"\1"),
    (re.compile(r"([√×/=^])[^\S\n]*"), r"\1"),
    (re.compile(r"[^\S\n]+"), " "),
)
_SIGNS = re.compile(r"[\\{}$*^√π×°%=/]|degree")


MOST = 24  # mentions of one sentence, from its end


class Mention(NamedTuple):
    start: int
    end: int
    label: str


def mentions_of(
    text: str, labels: Sequence[str], texts: Sequence[str]
) -> list[tuple[str, set[str]]]:
    """The options whose text a sentence names, with what is said of each."""
    options, signs = _options(tuple(labels), tuple(texts))
    lower = text.casefold()
    if not any(sign in lower for sign in signs):
        return []
    text = spelled(text)
    mentions = _mentions(text, options)[-MOST:]
    found = []
    for k, mention in enumerate(mentions):
        here = set()
        before = text[: mention.start]
        if _DENIES.search(before[-30:]):
            here.add("denied")
        if _STATES.search(before[-40:]):
            here.add("behind is")
        if not before.strip(" \"'(:.-"):
            here.add("opens the sentence")
        if not re.search(r"\w", text[mention.end :]):
            here.add("ends the sentence")
        if len({m.label for m in mentions}) == 1:
            here.add("only text")
        elif any(_joined(text, mention, other) for other in mentions):
            here.add("either")
        elif k == len(mentions) - 1:
            here.add("last text")
        found.append((mention.label, here))
    return found


@lru_cache(maxsize=64)
def _options(
    labels: tuple[str, ...], texts: tuple[str, ...]
) -> tuple[list[tuple[str, str]], set[str]]:
    """Labels with their texts, and for each the longest word without which it is not named."""
    options = [(label, spelled(option)) for label, option in zip(labels, texts, strict=True)]
    told = {option for _, option in options if option}
    if len(told) < 2 and not any(" " in option for option in told):
        return [], set()  # one word beside bare letters is too easily said
    return options, {max(re.findall(r"\w+", option) or [option], key=len) for option in told}


def _joined(text: str, one: Mention, other: Mention) -> bool:
    """Are two different options named in one breath: "red or green"?"""
    first, second = sorted((one, other))
    between = text[first.end : second.start]
    return one.label != other.label and _OR.fullmatch(between) is not None


def spelled(text: str) -> str:
    """Lower case, one spelling for the common signs."""
    text = text.casefold().strip()
    for pattern, by in _SPELLINGS if _SIGNS.search(text) else _SPELLINGS[-1:]:
        text = pattern.sub(by, text)
    return text.strip().rstrip(" .")  # a leading dot may be that of .5


def _mentions(text: str, options: Sequence[tuple[str, str]]) -> list[Mention]:
    """Where option texts stand as whole words, in order; of overlapping ones the longest."""
    mentions: list[Mention] = []
    taken = bytearray(len(text) + 1)
    for label, option in sorted(options, key=lambda o: -len(o[1])):
        if not option:
            continue
        for start, end in words_at(text, option):
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                mentions.append(Mention(start, end, label))
    return sorted(mentions)


def words_at(text: str, option: str) -> Iterator[tuple[int, int]]:
    """Where the option stands whole; searched as a text: a pattern each would be compiled each."""
    before = not _UNSPACED.match(option[0]) and (option[0].isalnum() or option[0] in "√π")
    after = not _UNSPACED.match(option[-1]) and (option[-1].isalnum() or option[-1] in "°π")
    start = text.find(option)
    while start >= 0:
        end = start + len(option)
        whole = not (before and not _OPENS.match(text, start))
        whole = whole and not (after and not _CLOSES.match(text, end))
        if whole:
            yield start, end
        start = text.find(option, end if whole else start + 1)


# A boundary: no word character, sign, root or decimal point touches the text. Chinese and Japanese
# have no spaces between words: their characters are no boundary.
_OPENS = re.compile(rf"(?<!{_WORD})(?<![√.^/−-])(?<!\d,)(?<![+*] )")
_CLOSES = re.compile(rf"(?!{_WORD}|[.,/^]\d|[°√π%^/×](?=\S)|°| ?[+*])")
