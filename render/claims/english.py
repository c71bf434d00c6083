"""How English names the things of a figure: points, lines, angles, values, sentences."""

from __future__ import annotations

import re

from ...words import NAMES, SHORT

P = r"[A-Z](?:_?\d{1,2}|'{1,2})?"
NUMBER = r"-?\d+(?:\.\d+)?"
# A number, or what LaTeX has of roots and fractions, as 2\sqrt{5}; no number before other formulas.
VALUE = (
    rf"({NUMBER}(?![\d.]* ?[*+^\\/]|[\d.]*\()|{NUMBER} ?\\sqrt\{{\d+\}}|-?\\sqrt\{{\d+\}}"
    rf"|-?\\[dt]?frac\{{[^{{}}]*\}}\{{[^{{}}]*\}})"
)
IS = r"\s*(?:is|are|=|measures?|has (?:a|the) length(?: of)?|has)\s*"
_SYMBOLS = "|".join(sorted({*SHORT, "m"}, key=len, reverse=True))
UNIT = (
    rf"(?: ?(?:(?:square |cubic )?(?:{NAMES}|{_SYMBOLS})(?:\^?[23²³])?(?![A-Za-z])|°))?"
)
ON = r"(?:the )?(?:side |line |segment |edge )?"
COUNTS = "one two three four five six seven eight nine ten".split()
TASK = re.compile(r"\s*(?:Find|Calculate|Determine|Work out|Compute|Give)\b")


def plain(text: str) -> str:
    """A text without what only dresses its formulas."""
    text = re.sub(r"\\(angle|triangle)\b\s*", r"\1 ", text.replace("∠", "angle "))
    text = re.sub(r"\\parallel\b|∥", " is parallel to ", text)
    text = re.sub(r"\\perp\b|⊥", " is perpendicular to ", text)
    text = re.sub(r"\^\s*\{?\\circ\}?", "°", text)
    return re.sub(r"\\[,;! ]|\\(?:text|mathrm)\b", " ", text.replace("$", ""))


def sentences(text: str) -> list[str]:
    """The sentences of a text; a question mark, a stop or a semicolon ends one."""
    return [part for part in re.split(r"(?<=[.?!;])\s+", text) if part.strip()]


def asks(sentence: str) -> bool:
    """Whether a sentence asks."""
    return sentence.rstrip().endswith("?") or bool(TASK.match(sentence))


def run(count: str) -> str:
    """A name of so many points: `AB` of two."""
    return rf"(?<![A-Za-z])(?:{P}){{{count}}}(?![A-Za-z'])"


def row(count: str) -> str:
    """One or more names: `A, B and C`."""
    return rf"{run(count)}(?:(?:,? and |, ){run(count)})*"


LINE = run("2")
CORNER = run("3")
LETTER = run("1")


def names_of(text: str) -> list[str]:
    """The points of a name."""
    return re.findall(P, text)


def each(text: str) -> list[str]:
    """The names of a row of names."""
    return re.findall(rf"(?:{P})+", text)
