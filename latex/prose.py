"""Money and prose between dollars: one rule decides what a pair of `$` stands around.

Read off real texts: prices of shops and invoices in MathVista's replies, formulas with blanks
inside their dollars in scraped dumps (`$ F_1$`, `$x $`), amounts with the sign behind (`5$`).
"""

from __future__ import annotations

import re
from functools import cache

from .groups import pieces
from .symbols import CJK, FUNCTIONS
from .tokens import COMMAND, DOLLAR

_TEX = re.compile(r"[\\^_{}]")
# A command with its first argument, or a script in braces: no words of prose.
_WITH_ARGUMENT = re.compile(rf"{COMMAND}\s*(?:\{{[^{{}}]*\}})?|[_^]\s*\{{[^{{}}]*\}}")
# A word of prose: three small letters or more, or one of English's short ones; no command.
_SHORT = "am|an|as|at|be|by|do|go|he|if|in|is|it|me|my|no|of|on|or|so|to|up|us|we"
_WORD = re.compile(rf"(?<![\\A-Za-z\d])(?:[a-z]{{3,}}|{_SHORT})(?![A-Za-z])")
_CAPITAL = re.compile(r"(?<![\\A-Za-z\d])[A-Z][a-z]{2,}(?![A-Za-z])")
_IN_A_ROW = re.compile(rf"{_WORD.pattern}\s+(?:a\s+)?{_WORD.pattern}")
_FUNCTION = re.compile(
    rf"(?:{'|'.join(sorted(FUNCTIONS, key=len, reverse=True))})[a-z]?"
)
_AMOUNT = re.compile(r"\s*[-+]?\d")
_CLAUSE = re.compile(r"\d[\d.,]*[.,;:]\s+")  # "$5, $x$"
# What behind a blank and a dollar says that this one opens.
_OPENS = re.compile(r"[A-Za-z0-9\\({\[+\-|$]")
# A price: "$5", "$5-$10", "$5/kg" and "5$"; not "$5+x" or "$25/4".
_PRICE = re.compile(
    rf"""
    {DOLLAR.pattern}[ ]?\d[\d.,]*+
    (?!\s*(?:
        [=+*^_\\{{<>×÷]
        | /(?![A-Za-z])
        | -(?!\s?\$|[a-z]{{2}})
    ))
    | (?<=\d)\$(?![\w\\{{(])
    """,
    re.VERBOSE,
)
_ESCAPED = re.compile(r"\\([$%&#_])")
_BLANKS = " \r\n\u00a0\u3000"  # a tab or form feed is the wreck of `\\text` or `\\frac`


def is_formula(text: str, start: int, end: int, mark: str = "$") -> bool:
    """Is text[start:end], between two dollars, a formula, rather than prose between two prices?

    >>> text = "a pen costs $5 and a book costs $8"
    >>> is_formula(text, text.index("5"), text.rindex("$")), is_formula("$ F_1$", 1, 5)
    (False, True)
    """
    body = text[start:end]
    if not body.strip():
        return mark != "$"
    if mark != "$":
        return not _plain_sentence(body)
    before = text[start - 2 : start - 1] if start > 1 else ""
    after = text[end + 1 : end + 2]
    opens_loose = body[0] in _BLANKS
    closes_loose = body[-1] in _BLANKS
    if after.isascii() and after.isdigit() and (closes_loose or _AMOUNT.match(body)):
        return False  # "$5 or $6"
    if before.isdigit() and body[0] in " ,;.":
        return False  # "5$, 6$"
    if not opens_loose and not closes_loose:
        return not _plain_sentence(body)
    if opens_loose and before.isascii() and before.isalnum():
        return False  # a dollar that closed something
    opens_next = _OPENS.match(after) and not _WORD.match(text, end + 1)
    if closes_loose and (opens_next or _CLAUSE.fullmatch(body)):
        return False  # a dollar that opens something
    return not reads_as_prose(body)


@cache
def _wide() -> re.Pattern[str]:
    """A letter of Chinese, Japanese or Korean; made when first asked for, which takes a while."""
    return re.compile(f"[{CJK}]")


def reads_as_prose(tex: str) -> bool:
    r"""Does a word stand in it that is no name of a function and in no text group?

    >>> reads_as_prose(r"\sin x \text{ or } 0"), reads_as_prose(" and a book costs ")
    (False, True)
    """
    flat = "".join(piece for piece, maths in pieces(tex) if maths)
    flat = _WITH_ARGUMENT.sub(" ", flat)
    if not flat.isascii() and _wide().search(flat):
        return True
    words = _WORD.findall(flat)
    if not _TEX.search(tex):
        words += _CAPITAL.findall(flat)
    return not all(map(_FUNCTION.fullmatch, words))


def _plain_sentence(body: str) -> bool:
    """Words in a row and no LaTeX at all: `5 and a book costs 8`."""
    plain = body.replace("\\$", "")  # the sign of an amount is no LaTeX
    row = None if _TEX.search(plain) else _IN_A_ROW.search(plain)
    return row is not None and reads_as_prose(row[0])


def stray_dollars(prose: str) -> list[int]:
    r"""Where in a text without formulas a `$` stands that is no price: one that lost its partner.

    >>> stray_dollars("A pen costs $5, a book 8$."), stray_dollars("Find $x or $5=y.")
    ([], [5, 11])
    """
    without_prices = _PRICE.sub(lambda match: " " * len(match[0]), prose)
    return [match.start() for match in DOLLAR.finditer(without_prices)]


def unescaped(prose: str) -> str:
    r"""A text without formulas as it is read: `\$` and `\%` without their backslash.

    >>> unescaped(r"\$5, 20\% off")
    '$5, 20% off'
    """
    return _ESCAPED.sub(r"\1", prose)
