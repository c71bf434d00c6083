"""What a value looks like in a sentence: numbers, units, lists, and chains that end in one."""

from __future__ import annotations

import re

from ...latex import HAN, replace_maths
from ...words import HAN_NAMES, NAMES, number_at, numbers, words
from ..answers import FUNCTIONS

NUMBER = (
    r"[-−+]?\s?[$¥€£]?\s?\\?\$?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
    r"(?:\s?[/:]\s?\d+(?:\.\d+)?)?"
    r"(?:\s?[×x*]\s?10\s?\^\s?\{?[-−]?\d+\}?|[eE][-+]?\d+)?(?:\s?(?:\\?%|°|\^\\?circ))?"
)
UNIT = re.compile(
    r"[^\S\n]?(?:%|°[CF]?|(?!and\b|or\b|is\b|as\b|so\b|to\b|if\b|by\b|of\b|in\b|on\b|at\b|for\b|but\b"
    r"|the\b|are\b|was\b|has\b|per\b|not\b|out\b|all\b|who\b|that\b)"
    r"(?:(?:[mgshlLtNJWVAKCF]|[a-zA-Zµμ]{2,3})(?:[²³]|\^\{?\d\}?|(?:/|\sper\s)[a-z]{1,6}[²³]?)?"
    r"(?![A-Za-z\d=(])"
    rf"|{NAMES}\b"
    r"(?:\s(?:squared|cubed)|(?:/| per )[a-z]{1,8})?"
    r"|\$?\\(?:mathrm|text|rm)\s?\{~?\s?[^{}$]{1,20}\}(?:\^\{?\d\}?)?\$?"
    rf"|{HAN_NAMES}))"
)
VALUE = re.compile(NUMBER)
_VALUED = re.compile(r"(?i)[\d$\\√π]|\bno\b")
_NONE = re.compile(r"(?i)no\b")
_OF_THE = re.compile(r"(?i)\s+of\s+the\b")  # one of the two
_NEXT = {1: re.compile(rf"个?(?![{HAN}])"), 2: re.compile(rf"[{HAN}]{{0,3}}(?![{HAN}])")}
JOIN = re.compile(
    rf"\s*(?:,\s*(?:and|or)\b|[,，、;；&]|{words('joins')})\s*(?=[-−+$\\(\d])", re.IGNORECASE
)
OPERATOR = re.compile(
    r"\s*(?:[-−+*/^×÷·√]|x(?=\s*\d)|\\times|\\cdot)\s*[\dA-Za-z$\\(√π{]|\s*[<>≤≥∈]"
    r"|[A-Za-z\\(_π√^!]"
)
EQUALS = re.compile(r"(?<![<>!:\\])[=≈](?!=)|\\approx\b")
_SCHOOL_UNIT = r"\\[a-z]+|\b(?:m|cm|km|mm|ft|g|kg|s|h)\b"


def numeral_end(text: str, start: int) -> int | None:
    """The end of a number in words, or of "no"; an ordinal is no value, nor is the 三 of 三角形.

    >>> numeral_end("twenty-five of them", 0), numeral_end("一共有四个", 0)
    (11, None)
    """
    found = number_at(text, start)
    if found is None:
        none = _NONE.match(text, start)
        return none.end() if none else None
    one_of = found.form == "cardinal" and _OF_THE.match(text, found.end)
    if one_of or not found.counts:
        return None
    length = 2 if found.end - start > 1 else 1
    stands = text[start].isascii() or _NEXT[length].match(text, found.end)
    return found.end if stands else None


def is_valued(text: str) -> bool:
    """Does a sentence hold a number, in figures or words, or a formula?"""
    return bool(_VALUED.search(text)) or any(
        numeral_end(text, found.start) for found in numbers(text)
    )


_WRAP = re.compile(r"^(?:\\[(\[]|\$+)|(?:\\[)\]]|\$+)$")
_ALIGNED = re.compile(
    r"\\(?:begin|end)\{(?:aligned|align\*?|split|gathered|equation\*?)\}|\\nonumber"
)
_TOP = re.compile(
    r"(?P<open>[({\[]|\\begin\b)|(?P<close>[)}\]]|\\end\b)|(?P<equals>(?<![<>!:\\])[=≈≡](?!=)|\\(?:approx|equiv)\b)"
    r"|(?P<several>[,，;<>≤≥]|\\(?:le|ge|leq|geq|in|text|quad|lt|gt)(?![A-Za-z])"
    r"|\b(?:or|and)\b|[或和])|(?P<row>\\\\|\\Rightarrow|\\implies|[⇒→])|\\[A-Za-z]+|\\."
)
_CLOSES = re.compile(
    r"(?:\s*\(?\s*\\?p?mod(?![a-z]).*|[\s,;]|(?<!\d)\.(?=\s*$)|\.(?=\s*$)|\\[\\\s,;]?)*$"
)
_NUMBERED = re.compile(r"[\d\s.,+*/×÷·$()\\^{}%°-]*\d[\d\s.,+*/×÷·$()\\^{}%°-]*")
_THOUSANDS = re.compile(r",\d{3}(?!\d)")


def chain_end(text: str, keep: bool = True) -> str:
    """The last value of a chain of equations: 4 of `2 + 2 = 4`; `x = 4` and `y = 2x` stay.

    >>> chain_end("4 m + 4 m = 8 m"), chain_end("$S = 2+3 = 5$"), chain_end("y = 2x")
    ('8 m', '5', 'y = 2x')
    """
    if "=" not in text and "≈" not in text and "\\approx" not in text:
        return text
    bare = _WRAP.sub("", text.strip()).strip()
    if "&" in bare:
        bare = _ALIGNED.sub("", bare)
    bare = _CLOSES.sub("", bare)
    signs, depth, row = [], 0, 0
    for token in _TOP.finditer(bare):
        match token.lastgroup:
            case "open":
                depth += 1
            case "close":
                depth -= 1
            case "equals" if depth <= 0:
                signs.append(token)
            case "row" if depth <= 0:
                row = token.end()
            case "several" if depth <= 0 and not _THOUSANDS.match(bare, token.start()):
                return text
    if row:
        signs = [s for s in signs if s.start() > row] or signs
    if not signs:
        return text
    start = row if row and row < signs[0].start() else 0
    left, last = (
        bare[start : signs[0].start()].strip(" &\n"),
        _CLOSES.sub("", bare[signs[-1].end() :]).strip(" &\n"),
    )
    numbered = _NUMBERED.fullmatch(re.sub(_SCHOOL_UNIT, "", left))
    if not last or (keep and len(signs) == 1 and not numbered):
        return text if not row else f"{left} = {last}"
    exact = [s for s in signs if s[0] == "="]
    if signs[-1][0] != "=" and exact:
        before = bare[exact[-1].end() : signs[-1].start()].strip()
        return before or last
    return last


def wordy(text: str) -> bool:
    """Is it a sentence rather than a formula?"""
    prose = replace_maths(text, lambda _: " ")
    found = re.findall(rf"(?<![\\A-Za-z])[A-Za-z]{{2,}}|[{HAN}]{{2,}}", prose)
    return len([w for w in found if w not in FUNCTIONS]) > 1 or bool(
        found and ("$" in text or re.search(rf"[{HAN}]{{3,}}", text))
    )


def is_prose(text: str) -> bool:
    """A sentence around a number: "so 25% of them"."""
    plain = re.sub(r"\\[A-Za-z]+", " ", text)
    spoken = set(re.findall(rf"[A-Za-z]{{2,}}|[{HAN}]{{2,}}", plain)) - FUNCTIONS
    return len(spoken) > 1 or any(not w.isascii() for w in spoken)
