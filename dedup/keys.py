"""Comparison keys: what two spellings of the same question have in common.

A key may lose what matters to a reader (layout, fonts, where a picture stands) but nothing that
tells one problem from another: digits, single letters, fractions and exponents stay.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

from ..latex import HAN, SYMBOLS, UNSPACED, with_scripts
from ..words import CARDINALS, figures
from ..words import numbers as numbers_in

IMAGE_TAG = re.compile(r"<image\s*\d*>")
PICTURE = re.compile(  # where a picture stands, or the code that draws one
    rf"{IMAGE_TAG.pattern}|\[asy\].*?(?:\[/asy\]|\Z)|<(?:img|svg)\b[^>]*>|!\[[^\]]*\]\([^)]*\)"
    r"|\\begin\{(?P<code>tikzpicture|asy)\}.*?(?:\\end\{(?P=code)\}|\Z)",
    re.S,
)
NUMBER = re.compile(r"\d+(?:\.\d+)?")
SIGNS = {sign: f"{code} " for sign, code in SYMBOLS.items()} | {
    "°": r"^\circ ",
    "√": r"\sqrt ",
    "‘": "'",
    "“": '"',
    "”": '"',
    "…": "...",
    "。": ".",
    "、": ",",
}
SYNONYMS = {
    "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "leqslant": "leq", "le": "leq",
    "geqslant": "geq", "ge": "geq", "ne": "neq", "to": "rightarrow", "bigtriangleup": "triangle",
    "degree": "circ", "ldots": "dots", "cdots": "dots",
}  # fmt: skip
NO_MEANING = frozenset(
    "left right displaystyle textstyle limits big Big bigg Bigg quad qquad rm bf it noindent"
    " centering".split()
)
FONTS = "text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf|operatorname|mbox"

VALUES = {word: str(value) for word, value in CARDINALS.items()}

_sign = re.compile(f"[{re.escape(''.join(SIGNS))}]")
_command = re.compile(r"\\([A-Za-z]+)\s*")
_font = re.compile(rf"\\(?:{FONTS})\s*\{{([^{{}}]*)\}}")
_over = re.compile(
    r"\\(?:overline|overrightarrow|overleftrightarrow|vec|bar|widehat|hat)\b"
)
_braces = str.maketrans("{}", "  ")
_percent = re.compile(r"\\([%#&])")
_layout = re.compile(r"\\[()\[\],;:!> \\]|[$~]")
_braced = re.compile(r"\{\s*(\\[A-Za-z]+|[^\s{}\\])\s*\}")
_word = re.compile(r"[A-Z](?<![\\A-Za-z].)[a-z]+")
_unspaced = re.compile(rf"[{UNSPACED}]|[^\s{UNSPACED}]+")
_comma = re.compile(r",\d{3}")
_thousands = re.compile(r"(?<![\d.,(\[{])\d{1,3}(?:,\d{3})+(?![\d,)\]}])")
_digits = re.compile(r"(?:(?:^|[^\w\s)\]}|]|\b[a-z]{2,}) (- ))?(\d+(?:\.\d+)?)")
_power_of_unit = re.compile(r" \^ (?<=\b[cdkm]m \^ )[23]\b")
_words = [word for word, value in CARDINALS.items() if value > 1 and word.isascii()]
_characters = "".join(word for word in CARDINALS if len(word) == 1)
_masked = re.compile(rf"{NUMBER.pattern}|\b(?:{'|'.join(_words)})\b|[{_characters}]+")
_frac = re.compile(r"(\\frac) *(\d)(?=\d|\s|$) *(\d)")
_script = re.compile(r"([\^_\\](?:(?<!\\)|sqrt)) *(\w)")
_mark = re.compile(r"[^\w\s\\.]")
_stop = re.compile(r"\.(?:(?<!\d.)|(?!\d))")
_number_letter = re.compile(r"\d(?=[^\W\d])")
_letter_number = re.compile(r"\d(?<=[^\W\d]\d)")
_han_letter = re.compile(rf"[A-Za-z](?=[{HAN}])|[{HAN}](?=[A-Za-z])")


class _Marks(dict[int, str]):
    """For str.translate, which is faster than a pattern: marks with spaces round them."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = spaced = f" {character} " if _mark.match(character) else character
        return spaced


_marks = _Marks()


def text_key(text: str) -> str:
    r"""The question without picture tags, layout, and differences of LaTeX or Unicode spelling.

    Braces are made canonical, never dropped; superscripts stay superscripts.

    >>> text_key("Is $\\frac{3}{4}x \\leq 5$? <image1>") == text_key("is \\dfrac34 x\\leqslant 5?")
    True
    >>> text_key("\\frac{1}{23}") == text_key("\\frac{12}{3}")
    False
    >>> text_key("5²") == text_key("52")
    False
    """
    text = PICTURE.sub(" ", text)
    if not text.isascii():
        text = _sign.sub(lambda m: SIGNS[m[0]], with_scripts(text))
        text = unicodedata.normalize("NFKC", text).replace("−", "-")
    if _comma.search(text):
        text = _thousands.sub(lambda m: m[0].replace(",", ""), text)
    text = _layout.sub(" ", text)
    if "\\" in text:
        text = _percent.sub(r"\1", _until_stable(lambda t: _font.sub(r" \1 ", t), text))
        text = _frac.sub(r"\1 \2 \3 ", _braceless(_command.sub(_canonical, text)))
    else:
        text = _braceless(text)
    return " ".join(map(_apart, _script.sub(r"\1 \2 ", text).split()))


def _braceless(text: str) -> str:
    r"""Single characters and commands without their braces: `\frac34` and `x^23` take such."""
    return (
        _until_stable(lambda t: _braced.sub(r" \1 ", t), text) if "{" in text else text
    )


@lru_cache(maxsize=1 << 16)
def _apart(word: str) -> str:
    """Of what stands between spaces: marks, numbers, letters and Chinese apart, words small."""
    text = _word.sub(lambda m: m[0].lower(), word)
    text = _stop.sub(" . ", text.translate(_marks))
    text = _letter_number.sub(r" \g<0>", _number_letter.sub(r"\g<0> ", text))
    return " ".join(
        (text if text.isascii() else _han_letter.sub(r"\g<0> ", text)).split()
    )


def _canonical(match: re.Match[str]) -> str:
    name = match[1]
    return " " if name in NO_MEANING else f" \\{SYNONYMS.get(name, name)} "


def _until_stable(change: Callable[[str], str], text: str, most: int = 8) -> str:
    for _ in range(most):
        changed = change(text)
        if changed == text:
            break
        text = changed
    return text


def bare_key(key: str) -> str:
    r"""A key that also forgets case, braces, and marks over letters.

    >>> bare_key(text_key("IN $\\Delta ABC$ side $\\overline{AB}$"))
    'in \\triangle abc side ab'
    """
    key = _over.sub(" ", key.lower()).replace("\\delta ", "\\triangle ")
    return " ".join(key.translate(_braces).split())


def words_of(key: str) -> list[str]:
    """Words, as spaces part them; Chinese and Japanese write without, so each character is one.

    >>> words_of("求 x + 12 的值")
    ['求', 'x', '+', '12', '的', '值']
    """
    return key.split() if key.isascii() else _unspaced.findall(key)


def word_grams(words: Sequence[str], n: int = 3) -> frozenset[tuple[str, ...]]:
    """The distinct n-grams of words; fewer words are one gram.

    >>> sorted(word_grams("abcd")), word_grams("")
    ([('a', 'b', 'c'), ('b', 'c', 'd')], frozenset())
    """
    if len(words) <= n:
        return frozenset([tuple(words)] if words else [])
    return frozenset(zip(*(words[k:] for k in range(n)), strict=False))


def quantities(key: str) -> list[str]:
    """The numbers of a key in order, with their signs; not the exponents of cm² and the like.

    >>> quantities("a - 5 = - 3"), quantities("it fell to - 5")
    (['5', '-3'], ['-5'])
    """
    key = _power_of_unit.sub("", _counted(key)[0])
    if "- " not in key:
        return [plain(number) for number in NUMBER.findall(key)]
    return [
        ("-" if minus else "") + plain(number) for minus, number in _digits.findall(key)
    ]


def number_words(key: str) -> list[str]:
    """Numbers written as words, from two on: "one" and "一" are articles more often.

    >>> number_words("two thirds of the 5 million, one of them"), number_words("一共二十四")
    (['2/3', '5000000'], ['24'])
    """
    return _counted(key)[1]


@lru_cache(maxsize=1 << 12)
def _counted(key: str) -> tuple[str, list[str]]:
    """A key without the figures that belong to words (5 million), and the numbers of its words."""
    found = [n for n in numbers_in(key) if n.form != "ordinal" and n.value != 1]
    for number in reversed(found):
        key = f"{key[: number.start]} {key[number.end :]}"
    return key, [figures(number) for number in found]


def plain(number: str) -> str:
    """A number without zeros that say nothing.

    >>> plain("0.50"), plain("007")
    ('0.5', '7')
    """
    whole, _, part = number.partition(".")
    part = part.rstrip("0")
    return f"{whole.lstrip('0') or '0'}{'.' + part if part else ''}"


@lru_cache(maxsize=1 << 16)
def masked_word(word: str) -> str:
    """`#` for a number, word or numeral: equal for all members of a template.

    >>> masked_word("three"), masked_word("12"), masked_word("apples")
    ('#', '#', 'apples')
    """
    return _masked.sub("#", word)
