"""One spelling for answers: Unicode, Chinese and TeX variants become plain LaTeX.

Only the spelling changes here, never the meaning: nothing is evaluated, nothing is dropped but
delimiters, spacing and sizes. The rules undo damage that is common in published data too: a
tab or form feed where JSON ate a backslash, doubled backslashes, GBK mojibake of the degree sign.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ...latex import FOLD, INVISIBLE, SYMBOLS, with_scripts
from ...words import CODES, NAMES, SQUARED, hour_in_figures, number, words

# What answers mean otherwise than LaTeX sets it: a root of what follows, a sign of degrees.
_AS_MEANT = {
    "√": "\\sqrt ", "∛": "\\sqrt[3]", "∜": "\\sqrt[4]", "ℤ": "\\mathbb{Z}", "ℕ": "\\mathbb{N}",
    "°": "\\degree ", "º": "\\degree ", "˚": "\\degree ", "掳": "\\degree ", "℃": "\\degree C",
    "℉": "\\degree F", "—": "-", "、": ",", "。": ".", "．": ".", "【": "[", "】": "]", "″": '"',
    "“": '"', "”": '"', "‘": "'", "¥": " ", "￥": " ", "€": " ", "£": " ", "•": "\\cdot ",
}  # fmt: skip
_BLANKS = dict.fromkeys(
    "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f", " "
)
_UNICODE = str.maketrans(
    {ord(char): f"{latex} " if latex[-1].isalpha() else latex
     for char, latex in SYMBOLS.items() if not latex.startswith("\\text")}
    | FOLD
    | {ord(char): plain for char, plain in (_AS_MEANT | _BLANKS).items()}
    | {ord(char): re.sub(r"(?=[23])", "^", plain) for char, plain in SQUARED.items()}
)  # fmt: skip
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
# Where JSON read \f, \t and \b as escapes of its own, and \rac where it dropped one.
_EATEN = (
    (re.compile(r"\\?\x0c(?=rac)"), r"\\f"),
    (re.compile(r"\\?\t(?=ext|imes|an\b|heta)"), r"\\t"),
    (re.compile(r"\\?\x08(?=oxed|inom|eta|egin)"), r"\\b"),
    (re.compile(r"(?<![A-Za-z\\])rac(?=\s*\{)|\\rac(?=\s*\{)"), r"\\frac"),
)
_DAMAGED = re.compile("|".join(pattern.pattern for pattern, _ in _EATEN))

# Numbers
_ELLIPSIS = re.compile(r"(?<!\.)\.{3}(?!\.)")
_PERIOD = re.compile(r"^(\D{0,20}\d+\.\d*)\((\d{1,20})\)$")  # 0.1(6)
_HOURS = re.compile(r"(?<=\d)\s*h\s*(?=\d+\s*(?:min|m)\b)")
_TIMES_TEN = re.compile(r"(?<=\d)\s*[xX]\s*(?=10\s*(?:\^|\*\*))")
# 1{,}234  1,\!234  1\,234  1 234; a bare comma is left to the reader
_THOUSANDS = re.compile(
    r"(?<![\d.])\d{1,3}(?:(?:\{,\}|,\s*\\!|\\[,! ]| )\s?\d{3})+(?!\d)"
)
# 1 in 6, 1 out of 6
_SHARE = re.compile(r"^\s*(\d{1,9})\s+(?:in|out\s+of)\s+(\d{1,9})\s*\.?$")
# 3/4 of an hour
_OF_ONE = re.compile(
    rf"(?<=[\w}}])\s{{1,4}}of\s{{1,4}}(?:an?|one)\s{{1,4}}(?={NAMES}\b)"
)
_GROUPING = re.compile(r"\d[{,\\ ]")
_NO_DIGITS = re.compile(r"\D")
# 10 USD, EUR 10, CHF2,000, C$60
_CODES = re.compile(
    rf"(?<=\d)\s*(?:{CODES})\b|\b(?:{CODES})\s*(?=\d)|\b[A-Z]{{1,2}}\\?\$\s*(?=\d)"
)
# 12{,}5, where no group of thousands follows
_DECIMAL_COMMA = re.compile(r"(?<=\d)\{,\}(?=\d)")
# dx/dt in one line
_RATE = re.compile(r"(?<![A-Za-z\\])d([A-Za-z])/d([A-Za-z])(?![A-Za-z])")
_ROUNDED = re.compile(r"(?<=[\d)}])\s{1,4}~\s{0,4}(?=[-\d])")  # 10/3 ~ 3.3
# A computation that a calculator has checked: <<3+4=7>>7.
CALCULATED = re.compile(r"<<[^<>\n=]{1,80}=[^<>\n]{1,40}>>")
# 1011 in base 2, 17 (octal), (4210)_5, A3_{hex}: figures and what they count in. A bracket is
# taken with its partner alone: that of \(204_5\) or {204_5} belongs to what stands around.
_BASES = {"binary": 2, "bin": 2, "octal": 8, "oct": 8, "decimal": 10, "dec": 10}
_BASES |= {"hexadecimal": 16, "hex": 16}
_FIGURES = (
    r"(?<![\w.])(?P<round>(?<!\\)\(\s{0,3})?"
    r"(?P<figures>[A-F]{0,60}\d[\dA-F]{0,400}|[A-F]{2,60})(?![^\W_])(?(round)\s{0,3}\))"
)
_BASE_NAMED = re.compile(
    rf"{_FIGURES}\s{{0,3}},?\s{{0,3}}(?P<aside>\()?(?:in\s{{1,3}})?"
    rf"(?:base[\s-]{{0,3}}(?P<base>\d{{1,2}}|[a-z]{{3,9}})|(?P<name>{'|'.join(_BASES)}))"
    rf"(?![A-Za-z])(?(aside)\))",
    re.IGNORECASE,
)
_BASE_BELOW = re.compile(
    rf"{_FIGURES}\s{{0,3}}_\s{{0,3}}(?P<group>\{{)?(?P<upright>\\(?:text|mathrm|rm)\s{{0,3}}\{{)?"
    rf"\s{{0,3}}(?:(?P<base>\d{{1,2}}|[a-z]{{3,9}})|(?P<name>{'|'.join(_BASES)}))"
    rf"(?(upright)\s{{0,3}}\}})(?(group)\s{{0,3}}\}})(?!\w)"
)

# Commands
_DOUBLED = re.compile(
    r"\\\\(?=[A-Za-z]{2}|[{}])"
)  # a row's end stands before no command
_ODD = re.compile(r"(?<!\\)(?:\\\\)*\\(?!\\)")  # an odd number of backslashes
_ROW_SKIP = re.compile(r"\\\\\s*\[[^\]]{0,12}\]")
_NULL_DELIMITER = re.compile(r"\\(?:left|right)\s*\.")
_SIZES = re.compile(
    r"\\(?:left|right|middle|[bB]igg?[lrm]?|displaystyle|textstyle|limits|nolimits|qquad|quad"
    r"|mathstrut|hspace\*?\{[^}]*\}|phantom\{[^}]*\})(?![A-Za-z])"
)
_SPACES = re.compile(r"(?<!\\)\\[,;:!> ]|~|&nbsp;")
_SPACING = re.compile(r"[\\~&$]")  # in each space or delimiter of TeX
_DELIMITERS = re.compile(r"(?<!\\)\\[$()\[\]]|\$")
_PRIME = re.compile(
    r"\^\s{0,9}\{\s{0,9}((?:\\prime\s{0,9}){1,4})\}|(?:\^\s{0,9})?(\\prime)(?![A-Za-z])"
)
_CIRCLED = re.compile(r"\\textcircled\s*\{?\s*([1-9])\s*\}?")
# Colours, quantifiers and signs of an end: what adds nothing to an answer.
_COLOURS = re.compile(
    r"\\(?:textcolor|mathcolor|colorbox)\s*(?:\[\w+\])?\s*\{[\w!.]{1,30}\}"
    r"|\\color\s*(?:\[\w+\])?\s*\{[\w!.]{1,30}\}|\\forall(?![A-Za-z])|[✓✔✅☑■□∎]\ufe0f?"
    r"|\\(?:checkmark|blacksquare|qed|Box|QED)(?![A-Za-z])"
)

# A sign in words, in any language
_MINUS = re.compile(
    rf"{words('minus')}\s*(?=[\d.$\\√π(]|[A-Za-z](?![A-Za-z]))", re.IGNORECASE
)

# 4.47 (exactly 2√5): what is rounded, and from what
EXACT = re.compile(
    rf"\s{{0,3}}\(\s{{0,3}}{words('exact')}\s{{0,3}}[:=：]?\s{{0,3}}(?P<exact>[^()\n]{{1,60}})\)",
    re.IGNORECASE,
)
_EXACT = re.compile(rf"^(?P<rounded>[^()\n]{{1,60}}?){EXACT.pattern}$", re.IGNORECASE)

# What stands around answers
_POWER = re.compile(r"(?<=[\w)\]])\*\*(?=[\w(.+-])")  # of programs: x**6
_BOLD = re.compile(r"(?<![\w)\]}*])(\*\*|__)(?=\S)((?:(?!\1)[^*])+)(?<=\S)\1(?!\w)")
_HTML = re.compile(r"<(sup|sub)>([^<>]{1,40})</\1>")
_REMARK = re.compile(
    r"(?<=\d)\s+\(((?:[A-Za-z]{2,}|m)(?:[ /'-][A-Za-z]{2,})*)\)"
)  # 5 (apples)
# A quoted item, and a whole list of such as programs write it.
_QUOTED = re.compile(r"(^|[\[({,])\s*([\"'`])(?=[^\"'`])([^\"'`]*)\2\s*(?=[\])},]|$)")
_QUOTED_LIST = re.compile(r"\[\s*[\"'`].*[\"'`]\s*\]", re.DOTALL)
_RELATION_BEFORE = re.compile(r"^(?:=|\\approx\b|\\Rightarrow\b)\s*(?=[-+\w\\(\[{.])")
_REVERSED = re.compile(r"^([\[\]])([^\[\]]+[,;][^\[\]]+)([\[\]])$")  # ]1, 3[ for (1, 3)


@lru_cache(maxsize=256)  # one answer is asked for many times
def clean(text: str) -> str:
    r"""The text in plain LaTeX, without delimiters, sizes and spacing commands.

    The order counts: each step reads what the steps before it have spelled. Most are behind a
    test for a character without which they change nothing, since nearly all answers are short.

    >>> clean("$\\left(½，√3\\right]$")
    '(\\frac{1}{2},\\sqrt 3 ]'
    """
    if text.isascii() and text.isalnum():
        return text
    if _DAMAGED.search(text):
        for pattern, repaired in _EATEN:
            text = pattern.sub(repaired, text)
    if not text.isascii():
        text = with_scripts(_INVISIBLE.sub("", text)).translate(_UNICODE)
    text = text.strip(" \n\t`")
    if text[:1].isalpha():
        text = _MINUS.sub("-", text, count=1) if _MINUS.match(text) else text
    if text[-1:] == ")":
        text = _EXACT.sub(r"\g<exact> \\approx \g<rounded>", text)
    if " past " in text or " to " in text:
        text = hour_in_figures(text)
    if " in " in text or " of " in text:
        text = _OF_ONE.sub(" ", _SHARE.sub(r"\1/\2", text))
    text = _numbers_joined(text)
    text = _without_markup(_unescaped(text))
    if "\\" in text:
        text = _plain_commands(text)
    if text[-1:] == ")" or ");" in text:
        text = _REMARK.sub(r"\\text{ \1}", text)
    if "\\" in text or not text.isascii():
        text = _COLOURS.sub(" ", text)
    if "_" in text or "b" in text or "c" in text or "h" in text:
        text = _BASE_BELOW.sub(_based, _BASE_NAMED.sub(_based, text))
    if text != text.lower():
        text = _CODES.sub(" ", text)
    if '"' in text or "'" in text or "`" in text:
        text = _unquoted(text)
    if _SPACING.search(text):
        text = _DELIMITERS.sub(" ", _SPACES.sub(" ", text))
    if text.endswith("\\") and not text.endswith("\\\\"):
        text = text[:-1]
    text = _RELATION_BEFORE.sub("", text.strip().rstrip(".;,").rstrip())
    if text[:1] == "]" or text[-1:] == "[":
        text = _REVERSED.sub(_usual_brackets, text)
    return text


def _numbers_joined(text: str) -> str:
    """Periods, hours, powers of ten and groups of thousands in one spelling."""
    if "..." in text or text[-1:] == ")":
        text = _PERIOD.sub(r"\1\\overline{\2}", _ELLIPSIS.sub(r"\\ldots ", text))
    if "h" in text:
        text = _HOURS.sub(" hours ", text)
    if "x" in text or "X" in text:
        text = _TIMES_TEN.sub(r"\\times ", text)
    if "<<" in text:
        text = CALCULATED.sub("", text)
    if "/d" in text:
        text = _RATE.sub(r"\\frac{d\1}{d\2}", text)
    if "~" in text:
        text = _ROUNDED.sub(r"\\approx ", text)
    if _GROUPING.search(text):
        text = _THOUSANDS.sub(lambda match: _NO_DIGITS.sub("", match[0]), text)
    return _DECIMAL_COMMA.sub(".", text) if "{,}" in text else text


def _based(match: re.Match[str]) -> str:
    """Figures with the base as an index; what names no base stays."""
    name = (match["base"] or match["name"]).lower()
    numeral = number(name)
    base = int(name) if name.isdecimal() else _BASES.get(name)
    if base is None and numeral is not None:
        base = int(numeral.value)
    return f"{match['figures']}_{{{base}}}" if base else match[0]


def _unescaped(text: str) -> str:
    """Single backslashes where they were doubled; of a matrix, only if all of it is."""
    if "\\\\begin" in text and not _ODD.search(text):
        return text.replace("\\\\", "\\")
    return text if "\\begin" in text else _DOUBLED.sub(r"\\", text)


def _without_markup(text: str) -> str:
    """Without Markdown's emphasis; powers and indices of HTML as those of TeX."""
    if text.startswith("**") and text.endswith("**"):
        marks = text.count("**") - len(_POWER.findall(text))
        if marks == 2:
            text = text[2:-2].strip()
    if "**" in text or "__" in text:
        text = _BOLD.sub(r"\2", text)
    return _HTML.sub(_script_of_html, text) if "<s" in text else text


def _script_of_html(match: re.Match[str]) -> str:
    sign = "^" if match[1] == "sup" else "_"
    return f"{sign}{{{match[2]}}}"


def _plain_commands(text: str) -> str:
    """Without sizes and skips; numbers in circles and primes as characters."""
    text = _CIRCLED.sub(lambda match: chr(0x245F + int(match[1])), text)
    text = _ROW_SKIP.sub(r"\\\\ ", text)
    text = _SIZES.sub(" ", _NULL_DELIMITER.sub(" ", text))
    return _PRIME.sub(lambda match: "'" * match[0].count("p"), text)


def _unquoted(text: str) -> str:
    if _QUOTED_LIST.fullmatch(text):
        text = text[1:-1].strip()
    return _QUOTED.sub(r"\1\3", text)


def _usual_brackets(match: re.Match[str]) -> str:
    """An end that excludes its point is written ( or ) here."""
    low = "[" if match[1] == "[" else "("
    high = ")" if match[3] == "[" else "]"
    return f"{low}{match[2]}{high}"
