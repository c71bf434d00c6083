"""Characters and tokens: `mi`, `mn`, `mo`, `mtext` -> LaTeX.

`latex/symbols.json` maps characters to LaTeX; a character without a command stays itself inside
`\\text{...}`, so nothing is ever left out.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import groupby, pairwise

from ...latex import FOLD, FUNCTIONS, SYMBOLS
from .notation import signs
from .tree import Refusal

ESCAPED = signs("escaped")
ALPHABETS = signs("alphabets")
COMBINING = signs("combining")
TEXT_STYLES = signs("text-styles")
_STYLE_WORDS = signs("style-words")
GREEK = frozenset(
    {"bold", "bold-italic", "bold-sans-serif", "sans-serif-bold-italic", ""}
)
MAX_MARKS = 8
MAX_REMEMBERED = 16  # characters of a token
OPERATORS = {"...": r"\ldots", "||": r"\|"}
# names of functions that are no word and no unit, so that a text of one is the function
_NO_WORDS = frozenset(
    "sin cos tan cot csc log ln lg arcsin arccos arctan sinh cosh tanh".split()
)
# alphabets in which a text is no prose: it names sets, or is a sign
_SIGN_VARIANTS = frozenset(
    "double-struck script fraktur bold-script bold-fraktur".split()
)
# what has to be escaped in \text
_SPECIAL = re.compile(r"[{}#$%&_]")
_NAME_OF_POINTS = re.compile(r"[A-Z]+")
SPACE = r"\,"
SPACING = {  # a combining mark that stands alone
    mark: rf"\text{{{sign}}}"
    for mark, sign in zip("̲̀́̂̃̄̅̆̇̈̊̌", "ˋ´ˆ˜¯‾˘˙¨˚ˇ\u02cd", strict=True)
}


def token(tag: str, text: str, variant: str = "") -> str:
    """The LaTeX of one token; those of short ones are remembered.

    >>> token("mi", "sin"), token("mi", "cm"), token("mo", "≤"), token("mtext", "总价")
    ('\\\\sin', '\\\\mathrm{cm}', '\\\\leq', '\\\\text{总价}')
    """
    convert = _remembered if len(text) <= MAX_REMEMBERED else _token
    return convert(tag, text, variant)


def _token(tag: str, text: str, variant: str) -> str:
    if tag == "mtext":
        return _mtext(unicodedata.normalize("NFC", text), variant)
    text = unicodedata.normalize("NFC", text).translate(FOLD)
    if len(text) > 1 and (word := _word(tag, text, variant)):
        return word
    return OPERATORS.get(text) or characters(text, variant)


_remembered = lru_cache(maxsize=8192)(_token)


def _word(tag: str, text: str, variant: str) -> str:
    """Names of several letters: functions, units, words; '' when `text` is none."""
    name = text.replace(" ", "")
    is_upright = variant in ("", "normal")
    if name in FUNCTIONS and is_upright:
        return "\\" + name
    if tag == "mn" or not _is_word(text):
        return ""
    if tag == "mo":
        return rf"\operatorname{{{text.replace(' ', SPACE)}}}"
    if is_upright:
        command = r"\mathrm" if text.isalpha() else r"\text"
        return f"{command}{{{text}}}"
    return styled(text, variant)


def _is_word(text: str) -> bool:
    """Latin letters, perhaps with blanks, points and hyphens behind the first."""
    in_letters = all(c.isalpha() or c in " .-" for c in text)
    return in_letters and text[0].isalpha() and text.isascii()


def characters(text: str, variant: str) -> str:
    """Characters in maths, one after the other: `36°52′` -> `36^{\\circ}52'`."""
    if text.isascii() and text.isalnum():
        return styled(text, variant)
    pieces: list[str] = []
    for (kind, style), group in groupby(map(_classified, text), key=lambda c: c[:2]):
        run = "".join(c for _, _, c in group)
        if kind == "letter":
            pieces.append(styled(run, style or variant))
        elif kind == "text":
            base = " " if unicodedata.combining(run[0]) else ""  # a mark needs one
            pieces.append(prose(base + run, variant))
        elif kind == "mark":
            _combine(pieces, run)
        else:
            pieces.extend(_symbol(c, variant) for c in run)
    return join(pieces)


def _classified(c: str) -> tuple[str, str, str]:
    """(kind, style, character): mathematical letters come back plain with their style."""
    if c in SYMBOLS or (c.isascii() and not c.isalnum()):
        return "symbol", "", c
    if c.isascii():
        return "letter", "", c
    if c in COMBINING:
        return "mark", "", c
    if "\U0001d400" <= c <= "\U0001d7ff" or "\u2100" <= c <= "\u214f":
        plain = _plain(c)
        style = _style(c)
        has_command = plain.isascii() or (plain in SYMBOLS and style in GREEK)
        if style is not None and has_command:
            return "letter", style or "plain", plain
    return "text", "", c


def _style(c: str) -> str | None:
    """The mathvariant that a mathematical letter is named after."""
    name = unicodedata.name(c, "")
    return next((v for words, v in _STYLE_WORDS.items() if words in name), None)


def _plain(c: str) -> str:
    """The letter behind a mathematical one, one step only: NFKC would merge ϑ and θ, ϵ and ε."""
    kind, _, code = unicodedata.decomposition(c).partition(" ")
    return chr(int(code, 16)) if kind == "<font>" and " " not in code else c


def _symbol(c: str, variant: str) -> str:
    latex = ESCAPED.get(c) or SYMBOLS.get(c, c)
    if "bold" in variant and c.isalpha():
        return styled(c, variant)
    return latex


def _combine(pieces: list[str], marks: str) -> None:
    """Put combining marks on the character before them; alone they become spacing signs."""
    if not pieces:
        pieces.extend(SPACING.get(mark, rf"\text{{ {mark}}}") for mark in marks)
        return
    if len(marks) > MAX_MARKS:
        raise Refusal(f"{len(marks)} combining marks on one character")
    base = pieces.pop()
    if base.isalnum():  # a run of letters: the mark belongs to the last one
        pieces.append(base[:-1])
        base = base[-1]
    for mark in marks:
        command = COMBINING[mark]
        base = command + base if command == r"\not" else f"{command}{{{base}}}"
    pieces.append(base)


def styled(text: str, variant: str) -> str:
    """Letters and digits in a mathematical alphabet."""
    is_plain = variant in ("", "plain")
    if is_plain or (variant in ("italic", "normal") and text.isdigit()):
        return "".join(SYMBOLS.get(c, c) for c in text) if not text.isascii() else text
    if variant == "italic" and len(text) == 1:
        return SYMBOLS.get(text, text)
    latin = text.isascii()
    if text.isdigit() and "bold" in variant:
        return rf"\mathbf{{{text}}}"
    inner = text if latin else join([SYMBOLS.get(c, c) for c in text])
    if variant == "bold-italic" or (not latin and "bold" in variant):
        return rf"\boldsymbol{{{inner}}}"
    if not latin:
        return inner
    command = ALPHABETS.get(variant)
    if command is None:  # "initial", "tailed", ...: Arabic forms
        return inner
    if command == r"\mathcal" and not text.isupper():
        command = r"\mathscr"
    latex = f"{command}{{{inner}}}"
    is_bold_besides = "bold-" in variant or "-bold" in variant
    return rf"\boldsymbol{{{latex}}}" if is_bold_besides else latex


# ------------------------------------------------------------------------------------------ text
def _mtext(text: str, variant: str) -> str:
    if not text or text.isspace():
        return "~" if text else ""
    if not any(unicodedata.category(c)[0] == "L" and c not in SYMBOLS for c in text):
        if text.isascii() and " " in text:
            return prose(text, variant)
        return characters(text.translate(FOLD).strip(), variant)
    if variant in _SIGN_VARIANTS:
        return characters(text, variant)
    name = text.strip()
    if name in _NO_WORDS and variant in ("", "normal"):
        return "\\" + name
    pieces: list[str] = []
    after_symbol = False
    for is_symbol, group in groupby(text, key=_is_symbol):
        run = "".join(group)
        if is_symbol:
            pieces.extend(SYMBOLS[c] for c in run)
        elif after_symbol and (points := _NAME_OF_POINTS.match(run)):  # △ABC in a text
            pieces += [points[0], prose(run[points.end() :], variant)]
        elif run == "Rt":
            pieces.append(r"\mathrm{Rt}")
        else:
            pieces.append(prose(run, variant))
        after_symbol = is_symbol
    return join(pieces)


def _is_symbol(c: str) -> bool:
    """A mathematical sign that must not stay inside a text."""
    is_sign = unicodedata.category(c)[0] == "S" or c in "°′″∠"
    is_greek = "\u0391" <= c <= "\u03f6"
    return c in SYMBOLS and (is_sign or is_greek)


def prose(text: str, variant: str = "") -> str:
    """`\\text{...}`, leaving it for the characters that text mode cannot hold."""
    if not text:
        return ""
    opening = TEXT_STYLES.get(variant, r"\text{")
    pieces: list[str] = []
    for special, group in groupby(text, key=lambda c: c in "\\^~"):
        run = "".join(group)
        if special:
            pieces.extend(ESCAPED[c] for c in run)
        else:
            body = _SPECIAL.sub(lambda match: "\\" + match[0], run)
            pieces.append(opening + body + "}" * opening.count("{"))
    return join(pieces)


def script_text(text: str) -> str:
    """Raised or lowered text of a document as the inside of a script."""
    text = text.strip()
    words = any(a.isalpha() and b.isalpha() for a, b in pairwise(text))
    return prose(text) if words else characters(text.translate(FOLD), "")


# ------------------------------------------------------------------------------------------ join
def join(pieces: list[str]) -> str:
    """Concatenate LaTeX so that commands end, and no base gets two scripts of a kind.

    >>> join(["\\\\alpha", "x"]), join(["x^{2}", "^{\\\\circ}"])
    ('\\\\alpha x', 'x^{2}{}^{\\\\circ}')
    """
    parts: list[str] = []
    previous = ""
    for piece in pieces:
        if not piece:
            continue
        first = piece[0]
        if first in "^'_":
            if previous and scripted(previous) and not first == previous[-1] == "'":
                parts.append("{}")
        elif (first.isalnum() or first in "+-") and _ends_in_command(previous):
            parts.append(" ")
        parts.append(piece)
        previous = piece
    return "".join(parts)


def _ends_in_command(latex: str) -> bool:
    if not latex[-1:].isalpha():
        return False
    _, backslash, name = latex.rpartition("\\")
    return backslash != "" and name.isalpha()


def scripted(latex: str) -> bool:
    """Whether `latex` ends with a script or primes, so that a further one needs a new base."""
    if latex.endswith("'"):
        return True
    if not latex.endswith("}") or latex.endswith("\\}"):
        return False
    depth = 0
    for k in range(len(latex) - 1, -1, -1):
        if latex[k] == "}":
            depth += 1
        elif latex[k] == "{":
            depth -= 1
            if depth == 0:
                return k > 0 and latex[k - 1] in "^_"
    return False
