"""An option chosen by its text instead of its letter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ...latex import UNSPACED
from ...words import spoken
from .sentences import at, read

_SAID = frozenset(["behind is", "denied"])
MOST = 24  # mentions of one sentence, from its end
_OR = re.compile(r"\W*(?:\b(?:or|and)\b|或者?|和|/|,)\W*(?:(?:the|an?)\s+)?")
_FRACTION = re.compile(r"\\d?t?frac\{([^{}]*)\}\{([^{}]*)\}")
_COMMAND = re.compile(
    r"\\?\^?\{?\\(?P<name>circ|sqrt|pi|times|%)\}?|(?P<degrees>\\degree\b|\bdegrees?\b|°)"
    r"|\\(?:text|mathrm|left|right|f?boxed|,|;|!)|[{}$*\\]"
)
_NAMED = {"circ": "°", "sqrt": "√", "pi": "π", "times": "×", "%": "%"}
_GAPS = re.compile(r"[^\S\n]*([×/=^])[^\S\n]*|[^\S\n]+(?=[°π%])|(?<=√)[^\S\n]+|([^\S\n])[^\S\n]+")
# A boundary: no word character, sign, root or decimal point touches the text. Chinese and Japanese
# have no spaces between words: their characters are no boundary.
_UNSPACED = re.compile(f"[{UNSPACED}]")
_WORD = rf"[^\W{UNSPACED}]"
_OPENS = re.compile(rf"(?<!{_WORD})(?<![√.^/−-])(?<!\d,)(?<![+*] )")
_CLOSES = re.compile(rf"(?!{_WORD}|[.,/^]\d|[°√π%^/×](?=\S)|°| ?[+*])")


def mentions_of(
    text: str, labels: tuple[str, ...], texts: tuple[str, ...]
) -> list[tuple[str, set[str]]]:
    """The options whose text a sentence names, with what is said of each."""
    options, signs = _options(labels, texts)
    lower = text.casefold()
    if not any(sign in lower for sign in signs):
        return []
    text = spelled(text)
    mentions = _mentions(text, options)[-MOST:]
    found, reached = [], read(spoken(text)) if mentions else []
    for start, end, label in mentions:
        here = set(at(reached, start).live & _SAID)
        if not re.search(r"\w", text[end:]):
            here.add("ends the sentence")
        if len({other for *_, other in mentions}) == 1:
            here.add("only text")
        elif any(
            other != label and (_OR.fullmatch(text, end, a) or _OR.fullmatch(text, b, start))
            for a, b, other in mentions
        ):
            here.add("either")  # red or green
        found.append((label, here))
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


def spelled(text: str) -> str:
    """In one spelling: lower case, signs as characters."""
    text = _FRACTION.sub(r"\1/\2", text.casefold())
    text = _COMMAND.sub(lambda m: _NAMED.get(m["name"], "°" if m["degrees"] else ""), text)
    return _GAPS.sub(r"\1\2", text).strip().rstrip(" .")  # a leading dot may be that of .5


def _mentions(text: str, options: list[tuple[str, str]]) -> list[tuple[int, int, str]]:
    """Where option texts stand as whole words, in order; of overlapping ones the longest."""
    mentions: list[tuple[int, int, str]] = []
    taken = bytearray(len(text) + 1)
    for label, option in sorted(options, key=lambda o: -len(o[1])):
        for start, end in words_at(text, option) if option else ():
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                mentions.append((start, end, label))
    return sorted(mentions)


def words_at(text: str, option: str) -> Iterator[tuple[int, int]]:
    """Where the option stands whole; searched as a text: a pattern each would be compiled each."""
    before = not _UNSPACED.match(option[0]) and (option[0].isalnum() or option[0] in "√π")
    after = not _UNSPACED.match(option[-1]) and (option[-1].isalnum() or option[-1] in "°π")
    start = text.find(option)
    while start >= 0:
        end = start + len(option)
        whole = (not before or _OPENS.match(text, start)) and (
            not after or _CLOSES.match(text, end)
        )
        if whole:
            yield start, end
        start = text.find(option, end if whole else start + 1)
