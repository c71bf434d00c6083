"""Answers in plain LaTeX, cut into tokens within fixed limits."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from ...latex import FUNCTIONS as UPRIGHT
from ...words import SHORT, number_at

LENGTH = 4096  # characters of one answer
DIGITS = 400  # digits of one number


class ParseError(Exception):
    """The text is no answer that the grammar knows."""


class Symbolic(ParseError):
    """The grammar knows what it is, and only computer algebra can judge it: a derivative."""


class LimitExceeded(Exception):
    """The text is beyond a limit: it is not worth the time or memory it would take."""


# what reading two answers side by side may raise
BEYOND = (LimitExceeded, RecursionError)
UNREADABLE = (ParseError, ValueError, ArithmeticError, LookupError, *BEYOND)


class Token(NamedTuple):
    """`kind`: number, symbol, function, word, command or mark; `gap`: white space before it."""

    kind: str
    text: str
    gap: bool

    @property
    def word(self) -> str:
        """The word in lower case; nothing where the token is none."""
        return self.text.lower() if self.kind == "word" else ""

    def is_mark(self, texts: Collection[str]) -> bool:
        return self.kind == "mark" and self.text in texts


# `deg` is a unit, `dim` and the like no answer
FUNCTIONS = (
    UPRIGHT - frozenset("deg dim hom inf ker lim liminf limsup Pr sup".split())
) | frozenset(
    "arccot asin acos atan arcsinh arccosh arctanh arsinh arcosh artanh asinh acosh atanh sqrt lcm "
    "sgn Re Im".split()
)
GREEK = frozenset(
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi "
    "rho varrho sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma "
    "Phi Psi Omega ell hbar aleph partial nabla mho Re Im".split()
)
WORDS = frozenset(
    "and or for the all any are is no not yes of to if on at by an as be with when where such only "
    "from than that this day one two six ten its has am pm AM PM per way "
    "men man boy box cup egg dog cat bag pie ton pcs pts".split()
)
_PLAIN_WORDS = WORDS - SHORT
TEXT = frozenset(
    "text textbf textit textrm textsf texttt textup textnormal mbox hbox mathrm mathbf mathit "
    "mathsf mathtt operatorname bm boldsymbol emph underline".split()
)
# A token with the white space before it. A point that ends a sentence is no part of a number, one
# before a command is (`5.\text{ cm}`).
_TOKEN = re.compile(
    r"""
    (?P<gap>\s*)
    (?:
        (?P<coded>(?:0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+)(?!\w|\.\d))
      | (?P<based>(?=\d*[A-Fa-f])(?:[A-Fa-f]*\d[\dA-Fa-f]*|[A-F]{2,})(?=_\{?1[1-6]\}?(?!\w)))
      | (?P<number>
            \d+(?:\.\d+)?[eE][+-]?\d{1,3}(?!\d)
          | \d+(?:\.\d+|\.(?=\\))?
          | \.\d+
        )
      | \\(?P<command>[A-Za-z]+|.)
      | (?P<letters>[^\W\d_]+)
      | (?P<mark><=|>=|!=|==|\*\*|:=|\S)
    )
    """,
    re.DOTALL | re.VERBOSE,
)
_MARK_ALIASES = {"**": "^", "==": "=", ":=": "="}
_STRAY = re.compile(r"\s*[\])},]")  # behind a full stop that means nothing
# Units of time behind a number, functions elsewhere.
_TIMES = frozenset(["min", "sec"])
_ALIASES = {
    "leq": "le", "leqslant": "le", "leqq": "le", "geqq": "ge",
    "geq": "ge", "geqslant": "ge", "neq": "ne", "lt": "<",
    "gt": ">", "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "dbinom": "binom",
    "tbinom": "binom", "varnothing": "emptyset", "oslash": "emptyset", "intercal": "top",
    "varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi", "varrho": "rho",
    "varkappa": "kappa", "doteq": "approx", "fallingdotseq": "approx",
    "cupdot": "cup", "lbrace": "{", "rbrace": "}",
    "dots": "ldots", "cdots": "ldots", "dotsc": "ldots", "dotsb": "ldots", "ast": "*",
    "circ": "degree", "textcirc": "degree", "textdegree": "degree", "lvert": "|", "rvert": "|",
    "vert": "|", "mid": "|", "lVert": "|", "rVert": "|", "lbrack": "[", "rbrack": "]",
    "approxeq": "approx", "simeq": "approx", "sim": "approx", "infin": "infty", "colon": ":",
    "overarc": "widehat", "lor": "or", "vee": "or", "land": "and", "wedge": "and",
    "backslash": "setminus",
    "pmod": "mod", "bmod": "mod", "pod": "mod",
    "nicefrac": "frac", "sfrac": "frac", "overrightarrow": "vec", "bar": "overline",
}  # fmt: skip
_MARKS = {"le": "<=", "ge": ">=", "ne": "!=", "times": "*", "cdot": "*", "div": "/", "%": "%",
          "<": "<", ">": ">", "|": "|", "[": "[", "]": "]", ":": ":", "*": "*", "&": "&",
          "\\": "\\\\", "in": "in", "approx": "approx",
          "parallel": "parallel", "perp": "perp", "cong": "cong", "equiv": "=", "langle": "(",
          "rangle": ")", "cup": "cup", "cap": "cap", "setminus": "setminus", "{": "\\{",
          "}": "\\}", "pm": "pm", "mp": "mp", "degree": "degree", "implies": "implies",
          "mod": "mod", "over": "\\over", "choose": "\\choose",
          "Rightarrow": "implies", "to": "implies", "rightarrow": "implies"}  # fmt: skip
_PLAIN_NAMES = {"pi": "pi", "infty": "infty", "infinity": "infty", "oo": "infty", "inf": "infty",
                "U": "cup", "theta": "theta", "alpha": "alpha", "beta": "beta"}  # fmt: skip
_IGNORED = frozenset(
    "quad left right boxed fbox displaystyle rm bf it mathstrut cr hfill hline".split()
)
_KNOWN = frozenset(
    "frac binom sqrt sum prod int lim begin end emptyset lfloor rfloor lceil rceil angle triangle "
    "vec overline overrightarrow hat widehat tilde mathbb mathcal dot forall exists".split()
)
# A command and a function with letters right behind it: \pir, sinx.
_GLUED_COMMAND = re.compile(
    r"(pi|quad|cdot|times|infty|alpha|beta|theta|lambda|frac|sqrt)([a-zA-Z]+)$"
)
_GLUED_FUNCTION = re.compile(r"(sin|cos|tan|cot|sec|csc|ln|log)(\w{1,2})$")
_ONE_SCRIPT = re.compile(r"[\x00-\x7f]+|[^\x00-\x7f]+")
# Formulas as they are said: closed, since Chinese has no other words for these signs.
_SPOKEN = re.compile(
    r"(?P<root>(?:(?P<index>[二三四五六七八九])次)?根号下?)|(?P<power>的(?:平方|立方))"
    r"|(?P<sign>分之|加|减|乘以?|除以|负|倍(?=根号))"
)
_SPOKEN_SIGNS = {
    "加": "+",
    "减": "-",
    "负": "-",
    "乘": "*",
    "乘以": "*",
    "倍": "*",
    "除以": "/",
}
_SPOKEN_POWERS = {"的平方": "^2", "的立方": "^3"}
# Two letters or more of upright text, that are no end of a command.
_UPRIGHT_WORDS = re.compile(r"(?<!\\)(?<![A-Za-z])([^\W\d_]{2,})")
_UPRIGHT_WORD = re.compile(r"[^\W\d_]{2,}")
_NO_WORDS = FUNCTIONS | {"mod"}
# Three small letters that can be spoken are a word beside words: five red apples.
_SHORT_WORD = re.compile(r"(?=.{0,2}[aeiouy])(?!abc|xyz)[A-Za-z][a-z]{2}")
_NEXT_WORD = re.compile(r"[ \t]+([A-Za-z]{4,})(?![A-Za-z])")
_JOINING = frozenset(
    "and or for where with when if is are be of such since because then than to in at by as on "
    "real integer whenever provided equals".split()
)
_LETTER = re.compile(r"[A-Za-z]")


def tokens(text: str) -> list[Token]:
    """Cut cleaned text into tokens. Raises LimitExceeded.

    >>> [t.text for t in tokens("2\\\\pi x")]
    ['2', 'pi', 'x']
    """
    if len(text) > LENGTH:
        raise LimitExceeded("too long")
    result: list[Token] = []
    position = 0
    behind_text = False
    while match := _TOKEN.match(text, position):
        position = match.end()
        gap = behind_text or bool(match["gap"])
        behind_text = False
        if number := match["number"] or match["based"] or match["coded"]:
            if len(number) > DIGITS:
                raise LimitExceeded("too many digits")
            if match["coded"]:  # 0x1F
                number = str(int(number, 0))
            result.append(Token("number", number, gap))
        elif letters := match["letters"]:
            if letters in _TIMES and result and result[-1].kind == "number":
                result.append(Token("word", letters, gap))
            elif letters in _PLAIN_WORDS and text.startswith(("^", "_"), position):
                result += _single_letters(letters, gap)  # at^2
            elif _SHORT_WORD.fullmatch(letters) and _among_words(
                result, text, position
            ):
                result.append(Token("word", letters, gap))
            else:
                result += _letters(letters, gap)
        elif mark := match["mark"]:
            if mark != "." or not _STRAY.match(text, position):
                result.append(Token("mark", _MARK_ALIASES.get(mark, mark), gap))
        elif match["command"] in TEXT:
            content, position = _text_argument(text, position)
            if content.strip() in _TIMES and result and result[-1].kind == "number":
                result.append(Token("word", content.strip(), gap))
            else:
                result += _upright(content)
            behind_text = True
        else:
            result += _command(match["command"], gap)
    return result


def _among_words(before: list[Token], text: str, position: int) -> bool:
    """Does a word stand beside this place, one that opens no condition and joins nothing?"""
    if before and before[-1].kind == "word":
        return before[-1].word not in _JOINING
    following = _NEXT_WORD.match(text, position)
    return following is not None and following[1].lower() not in _JOINING | FUNCTIONS


def _command(name: str, gap: bool) -> list[Token]:
    name = _ALIASES.get(name, name)
    if name in _IGNORED:
        return []
    if name in ("and", "or"):
        return [Token("word", name, gap)]
    if name == "top":  # of a transpose
        return [Token("symbol", "T", gap)]
    if name in _MARKS:
        return [Token("mark", _MARKS[name], gap)]
    if name in FUNCTIONS:
        return [Token("function", name, gap)]
    if name in GREEK or name in ("pi", "infty", "ldots"):
        return [Token("symbol", name, gap)]
    glued = _GLUED_COMMAND.match(name) if name not in _KNOWN else None
    if glued:
        return [*_command(glued[1], gap), *_letters(glued[2], False)]
    return [Token("command", name, gap)]


def _letters(run: str, gap: bool) -> list[Token]:
    """A run of letters in formulas: a function, a word, a unit or a product of symbols."""
    if run in FUNCTIONS and run not in ("Re", "Im"):
        return [Token("function", run, gap)]
    if run in _PLAIN_NAMES:
        return _command(_PLAIN_NAMES[run], gap)
    if run in ("mod", "modulo"):
        return [Token("mark", "mod", gap)]
    is_product = run.isascii() and len(run) <= 3 and run not in SHORT
    if is_product and run.lower() not in WORDS:
        return _single_letters(run, gap)
    if glued := _GLUED_FUNCTION.match(run):
        return [Token("function", glued[1], gap), *_letters(glued[2], False)]
    return _scripts(run, gap)


def _single_letters(run: str, gap: bool) -> list[Token]:
    return [Token("symbol", letter, gap and k == 0) for k, letter in enumerate(run)]


def _scripts(run: str, gap: bool) -> list[Token]:
    """A word; a change between Latin letters and other scripts separates words."""
    parts = _ONE_SCRIPT.findall(run)
    if len(parts) == 1 and run.isascii():
        return [Token("word", run, gap)]
    result: list[Token] = []
    for k, part in enumerate(parts):
        cut = _letters if part.isascii() else _spoken
        result += cut(part, gap and k == 0)
    return result


def _spoken(run: str, gap: bool) -> list[Token]:
    """A word, or the signs and numbers of a formula in Chinese words: 二分之根号三."""
    word = Token("word", run, gap)
    if not _SPOKEN.search(run):
        return [word]
    result: list[Token] = []
    position = 0
    while position < len(run):
        if sign := _SPOKEN.match(run, position):
            result += _spoken_sign(sign)
            position = sign.end()
        elif numeral := number_at(run, position):
            result.append(Token("number", str(numeral.value), False))
            position = numeral.end
        else:
            break
    rest = run[position:]
    if not rest:
        return result
    if not result or result[-1].kind != "number":
        return [word]
    return [*result, Token("word", rest, False)]  # a unit


def _spoken_sign(sign: re.Match[str]) -> list[Token]:
    if sign["power"]:
        return tokens(_SPOKEN_POWERS[sign[0]])
    if not sign["root"]:
        return [Token("mark", _SPOKEN_SIGNS.get(sign[0], sign[0]), False)]
    index = number_at(sign["index"], 0) if sign["index"] else None
    root = Token("function", "sqrt", False)
    return [root, *tokens(f"[{index.value}]")] if index else [root]


def _text_argument(text: str, start: int) -> tuple[str, int]:
    """The braced argument behind a text command, and the position after it."""
    while start < len(text) and text[start].isspace():
        start += 1
    if start >= len(text) or text[start] != "{":
        return text[start : start + 1], start + 1
    depth = 0
    for position in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return text[start + 1 : position], position + 1
    return text[start + 1 :], len(text)


def _upright(content: str) -> list[Token]:
    """Tokens of upright text: several letters are a word even where they are few."""
    plain = content.strip(" .")
    if _LETTER.fullmatch(plain):
        return [Token("symbol", plain, True)]
    result: list[Token] = []
    for part in _UPRIGHT_WORDS.split(plain):
        if _UPRIGHT_WORD.fullmatch(part) and part not in _NO_WORDS:
            result.append(Token("word", part, True))
        else:
            result += tokens(part)
    return result
