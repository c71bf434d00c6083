"""What a person sees at once in a text and no reader looks for: markup, templates, odd characters.

Each rule looks at prose alone: formulas, code, tables and pictures are blanked out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from lxml.html import defs

from ..latex import is_set
from ..options import literal
from ..words import mention
from .reading import read
from .rules import Asked, Flagged, validator

_SHOWN = 60
# those of pictures are read by another rule
_NAMES = "|".join(sorted((defs.tags | {"math"}) - {"img"}, key=len, reverse=True))
# A tag of HTML as pages write it; `a <b and c> d` is none, nor is `x<p`.
_TAG = rf"</(?:{_NAMES})\s*>|<(?:{_NAMES})(?:\s+[\w:-]+\s*=[^<>]*|\s*/?)>"
_ENTITY = r"&(?:#\d{2,5}|#[xX][0-9a-fA-F]{2,5}|[a-zA-Z]{3,8});|<!--"
# `[img]`, `[hide=..]`: marks of forums, where one closes
_BOARD = (
    r"\[/(?:b|i|u|s|hide|img|url|quote|center|size|color|list|code|spoiler|attach)\]"
)
# of wikis: a link, a template, three quotes, a heading, a table
_WIKI = (
    r"\[\[[^\[\]\n]{2,200}\]\]|'''(?=\w)|(?m:^={2,4}[^=\n]+={2,4}[ \t]*$)|(?m:^\{\|)"
)
# of pandoc: attributes in braces, a fence of colons; of reStructuredText: a role, a directive
_ATTRIBUTES = (
    r"(?<=[\])`])\{[.#]?[\w-]+(?:=[^{}\n]*)?\}|(?m:^:{3,})"
    r"|(?<!\w):(?:math|ref|eq|label|cite):`|(?m:^\.\. [a-z-]+::)"
)
_MARKUP = re.compile("|".join([_TAG, _ENTITY, _BOARD, _WIKI, _ATTRIBUTES]))
# what a template is to be filled with: of Jinja and Moustache, of JSP, of shells, of Moodle
_TEMPLATE = re.compile(
    r"\{\{[^{}\n]{1,80}\}\}|\{%[^%\n]{1,80}%\}|<%[^%\n]{1,80}%>|\$\{\w+\}|\{=[^{}\n]{1,80}\}|\[\[\w+\]\]"
)
_KEY = re.compile(r"""["']\w{2,30}["']\s*:\s*(?:["'\[{]|\d|true|false|null|None)""")
DRAWING = re.compile(
    r"\[asy\]|\\begin\s*\{(?:asy|tikzpicture|tikzcd|pspicture|picture|circuitikz|axis)\}"
    r"|<(?:svg|ggb|geogebra|jsxgraph)\b|\bUEsDB[A-Za-z0-9+/]{20}|\\(?:psset|psline|pstGeonode)\b"
    r"|\bimport\s+(?:olympiad|graph|geometry|cse5|three)\s*;|(?<![\w.])draw\s*\(\s*(?:\(|[A-Z]--)"
)
_LOST = re.compile(r"\(cid:\d+\)|[\ue000-\uf8ff\ufffc\U000f0000-\U0010fffd]")
# Characters without ink: of formulas, of lines, of directions. Joiners belong to scripts that join.
_UNSEEN = re.compile(
    r"[\u00ad\u200b\u2060-\u2064\u2066-\u206f\u202a-\u202e\ufeff\u180e\U000e0001-\U000e007f]"
)
# English words that a font's ligature fell out of; what is left is no word.
_TORN = re.compile(
    r"\b(?:coe cients?|su cient(?:ly)?|di eren(?:t|ce|tial)\w*|di erentiable|signi cant(?:ly)?"
    r"|de ne[ds]?|de nition|satis es|satis ed|speci (?:c|ed|es)|e ect(?:ive)?|coecients?|dierent"
    r"|dierence|sucient)\b"
)
# A power that lost its place: the letter stands in another term, too (`x2 + 5x`); `3 × 10-5`.
_FLAT = re.compile(
    r"(?<![A-Za-z0-9_])([a-z])[23]\s?[-+−–]\s?\d{0,4}\1(?![A-Za-z0-9])"
    r"|\d\s?[×x·]\s?10[-−–]\d{1,2}(?!\d)"
)
# Letters right before a brace, which may be what is left of a command: no word stands there.
# Behind a control character `gold-control` tells it.
_TAIL = re.compile(r"(?<![\\A-Za-z{\a\b\v\f])(?P<tail>[a-z]{3,12})(?=\{)")
_ESCAPES = "abtnvfr"  # what JSON, C and Python read behind a backslash
# Closed: what is left of the commands that take no brace, as far as it is no word (`floor` is one).
_TAIL_ALONE = re.compile(
    r"(?<![\\A-Za-z])(?:imes|heta|riangle|otin|abla|arphi|arepsilon)(?![A-Za-z])"
)
_TABLE = re.compile(
    r"\\begin\s*\{(?:tabular|array|longtable)|<table|\t.*\t|\|.*\|", re.DOTALL
)
_MARK = re.compile(r"(?m)^[ \t]*[(（]([1-9])[)）]")


@validator(
    "text-html", "warning", "add the stage html before check, or take the markup away"
)
def text_html(asked: Asked) -> Iterator[Flagged]:
    """Markup in prose: tags, `&#039;`, marks of forums and wikis, attributes of pandoc."""
    for field, text in asked.texts:
        yield from _first(field, text, _MARKUP)


@validator("text-template", "warning", "fill the template in, or leave the problem out")
def text_template(asked: Asked) -> Iterator[Flagged]:
    for field, text in asked.texts:
        yield from _first(field, text, _TEMPLATE)


@validator(
    "text-container", "error", "map the part that holds the text: fields: with a path"
)
def text_container(asked: Asked) -> Iterator[Flagged]:
    """The source of a list or a record where a text is meant, whole or in the middle."""
    for field, text in asked.texts:
        if _is_container(text):
            if not field.startswith("option "):
                yield field, text[:_SHOWN]
        elif '":' in text or "':" in text or '" :' in text:
            yield from _first(field, text, _KEY)


@validator(
    "option-container", "error", "map the part that holds the text: fields: with a path"
)
def option_container(asked: Asked) -> Iterator[Flagged]:
    for option in asked.options:
        if _is_container(option.text):
            yield f"option {option.label}", option.text[:_SHOWN]


def _is_container(text: str) -> bool:
    """Whether a text is a list or record of texts; `[2, 6]` is an interval, `{1, 2}` a set."""
    value = literal(text) if text.lstrip()[:1] in ("[", "{") else None
    inner = value.values() if isinstance(value, dict) else value
    return isinstance(value, list | dict) and any(
        isinstance(one, str | list | dict) for one in inner or ()
    )


@validator("picture-source", "warning", "draw it, and give the picture")
def picture_source(asked: Asked) -> Iterator[Flagged]:
    """The source of a drawing where a picture is meant: Asymptote, TikZ, GeoGebra."""
    for field, text in asked.texts:
        if match := DRAWING.search(text):
            yield field, text[match.start() :][:_SHOWN]


@validator("picture-absent", "warning", "add the picture, or leave the problem out")
def picture_absent(asked: Asked) -> Iterator[Flagged]:
    """A question that speaks of a figure beside it and has no picture."""
    if _shows_something(asked) or asked.version or DRAWING.search(asked.question):
        return
    found = mention("figure", asked.question)
    if found and not (_TABLE.search(asked.question) or "$$" in asked.question):
        yield "question", found


@validator("text-table", "warning", "add the table, or leave the problem out")
def text_table(asked: Asked) -> Iterator[Flagged]:
    """A question that speaks of a table beside it and has none."""
    if _shows_something(asked) or asked.version or _TABLE.search(asked.question):
        return
    rows = sum(len(re.findall(r"\d", line)) > 1 for line in asked.question.splitlines())
    if rows < 3 and (found := mention("table", asked.question)):
        yield "question", found


@validator("text-characters", "error", "write the sign that is meant")
def text_characters(asked: Asked) -> Iterator[Flagged]:
    """`(cid:54)`, and characters of a font's own: nobody knows what they show."""
    for field, text in [*asked.texts, *asked.golds]:
        if match := _LOST.search(text):
            yield field, _around(text, match)


@validator("text-invisible", "warning", "take them away")
def text_invisible(asked: Asked) -> Iterator[Flagged]:
    """Characters that nobody sees, as Word writes behind every function."""
    for field, text in [*asked.texts, *asked.golds]:
        if not text.isascii() and (match := _UNSEEN.search(text)):
            name = unicodedata.name(match[0], f"U+{ord(match[0]):04X}").lower()
            yield field, f"{name} in {_around(text, match)}"


@validator("text-torn", "warning", "read the file by another way, or mend it")
def text_torn(asked: Asked) -> Iterator[Flagged]:
    """Words without a ligature (`coe cient`), powers that stand on the line (`x2 + 5x`).

    A command whose start was read as an escape (`rac{1}{2}`, `2 imes 3`) is torn, too.
    """
    for field, text in asked.texts:
        yield from _first(field, text, _TORN)
        yield from _first(field, text, _FLAT)
    for field, text in [*asked.texts, *asked.golds]:
        torn = next(filter(_is_torn, _TAIL.finditer(text)), None)
        torn = torn or _in_formulas(text, _TAIL_ALONE)
        if torn:
            yield field, _around(torn.string, torn)


def _is_torn(match: re.Match[str]) -> bool:
    """Whether letters before a brace are a command without its backslash and its first letter."""
    return any(is_set(f"\\{first}{match['tail']}") for first in _ESCAPES)


def _in_formulas(text: str, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """The first match in a formula of a text."""
    matches = (pattern.search(span.tex) for span in read(text).formulas)
    return next(filter(None, matches), None)


@validator("text-parts", "warning", "look at the raw row: a part is missing")
def text_parts(asked: Asked) -> Iterator[Flagged]:
    """Numbers of parts that do not follow: (1), (3)."""
    numbers = [int(n) for n in _MARK.findall(asked.question)]
    rises = len(numbers) > 1 and numbers[0] == 1 and sorted({*numbers}) == numbers
    if rises and numbers[-1] > len(numbers):
        yield "question", ", ".join(f"({n})" for n in numbers)


def _shows_something(asked: Asked) -> bool:
    """Whether a picture stands beside the question or in an option, or will be drawn."""
    in_options = any(option.image for option in asked.options)
    return bool(asked.images) or asked.is_drawn or in_options


def _first(field: str, text: str, pattern: re.Pattern[str]) -> Iterator[Flagged]:
    if match := pattern.search(read(text).prose):
        yield field, _around(text, match)


def _around(text: str, match: re.Match[str]) -> str:
    """What was found, with a few words before and behind."""
    start = max(0, match.start() - 20)
    return text[start : match.end() + 30].strip()[: 2 * _SHOWN]
