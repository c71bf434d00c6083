"""Answers in plain LaTeX, cut into tokens within fixed limits."""

from __future__ import annotations

import re
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
_TOKEN = re.compile(
    r"(?P<gap>\s*)(?:"
    r"(?P<number>\d+(?:\.\d+)?[eE][+-]?\d{1,3}(?!\d)|\d+(?:\.\d+|\.(?=\\))?|\.\d+)"
    r"|\\(?P<command>[A-Za-z]+|.)"
    r"|(?P<letters>[^\W\d_]+)"
    r"|(?P<mark><=|>=|!=|==|\*\*|:=|\S))",
    re.DOTALL,
)
_STRAY = re.compile(r"\s*[\])},]")
_ALIASES = {
    "leq": "le", "leqslant": "le", "geq": "ge", "geqslant": "ge", "neq": "ne", "lt": "<",
    "gt": ">", "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "dbinom": "binom",
    "tbinom": "binom", "varnothing": "emptyset", "cupdot": "cup", "lbrace": "{", "rbrace": "}",
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
# Formulas as they are said: closed, since Chinese has no other words for these signs.
_SPOKEN = re.compile(
    r"(?P<root>(?:(?P<index>[二三四五六七八九])次)?根号下?)|(?P<power>的(?:平方|立方))"
    r"|(?P<sign>分之|加|减|乘以?|除以|负|倍(?=根号))"
)
_SIGNS = {
    "加": "+",
    "减": "-",
    "负": "-",
    "乘": "*",
    "乘以": "*",
    "倍": "*",
    "除以": "/",
}
_GLUED = re.compile(
    r"(pi|quad|cdot|times|infty|alpha|beta|theta|lambda|frac|sqrt)([a-zA-Z]+)$"
)


def tokens(text: str) -> list[Token]:
    """Cut cleaned text into tokens. Raises LimitExceeded.

    >>> [t.text for t in tokens("2\\\\pi x")]
    ['2', 'pi', 'x']
    """
    if len(text) > LENGTH:
        raise LimitExceeded("too long")
    result: list[Token] = []
    position = 0
    loose = False  # behind upright text
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:  # only white space is left
            break
        position = match.end()
        gap, loose = loose or bool(match["gap"]), False
        if match["number"]:
            if len(match["number"]) > DIGITS:
                raise LimitExceeded("too many digits")
            result.append(Token("number", match["number"], gap))
        elif (
            match["letters"] in ("min", "sec")
            and result
            and result[-1].kind == "number"
        ):
            result.append(Token("word", match["letters"], gap))
        elif match["letters"] in _PLAIN_WORDS and text[position : position + 1] in (
            "^",
            "_",
        ):  # at^2
            result += [
                Token("symbol", x, gap and not k)
                for k, x in enumerate(match["letters"])
            ]
        elif match["letters"]:
            result += _letters(match["letters"], gap)
        elif match["mark"] == "." and _STRAY.match(text, position):
            continue
        elif match["mark"]:
            mark = {"**": "^", "==": "=", ":=": "="}.get(match["mark"], match["mark"])
            result.append(Token("mark", mark, gap))
        elif match["command"] in TEXT:
            content, position = _text_argument(text, position)
            result += _words(content)
            loose = True
        else:
            result += _command(match["command"], gap)
    return result


def _command(name: str, gap: bool) -> list[Token]:
    name = _ALIASES.get(name, name)
    if name in _IGNORED:
        return []
    if name in ("and", "or"):
        return [Token("word", name, gap)]
    if name in _MARKS:
        return [Token("mark", _MARKS[name], gap)]
    if name in FUNCTIONS:
        return [Token("function", name, gap)]
    if name in GREEK or name in ("pi", "infty", "ldots"):
        return [Token("symbol", name, gap)]
    head = _GLUED.match(name) if name not in _KNOWN else None
    if head:  # \pir: a known command with letters behind it
        return [*_command(head[1], gap), *_letters(head[2], False)]
    return [Token("command", name, gap)]


def _letters(run: str, gap: bool) -> list[Token]:
    """A run of letters in formulas: a function, a word, a unit or a product of symbols."""
    if run in FUNCTIONS and run not in ("Re", "Im"):
        return [Token("function", run, gap)]
    if run in _PLAIN_NAMES:
        return _command(_PLAIN_NAMES[run], gap)
    if run in ("mod", "modulo"):
        return [Token("mark", "mod", gap)]
    if not run.isascii() or len(run) > 3 or run in SHORT or run.lower() in WORDS:
        head = re.match(r"(sin|cos|tan|cot|sec|csc|ln|log)(\w{1,2})$", run)
        if head:
            return [Token("function", head[1], gap), *_letters(head[2], False)]
        return _script(run, gap)
    return [Token("symbol", letter, gap and k == 0) for k, letter in enumerate(run)]


def _script(run: str, gap: bool) -> list[Token]:
    """A word; a change between Latin letters and other scripts separates words."""
    parts = re.findall(r"[\x00-\x7f]+|[^\x00-\x7f]+", run)
    if len(parts) == 1 and run.isascii():
        return [Token("word", run, gap)]
    return [
        t
        for k, part in enumerate(parts)
        for t in (_letters if part.isascii() else _said)(part, gap and k == 0)
    ]


def _said(run: str, gap: bool) -> list[Token]:
    """A word, or the signs and numbers of a formula in Chinese words: 二分之根号三."""
    found: list[Token] = []
    position = 0
    while _SPOKEN.search(run) and position < len(run):
        sign = _SPOKEN.match(run, position)
        number = None if sign else number_at(run, position)
        if sign is None and number is None:
            break
        position = sign.end() if sign else number.end if number else position
        if number:
            found.append(Token("number", str(number.value), False))
        elif sign and sign["root"]:
            found.append(Token("function", "sqrt", False))
            index = number_at(sign["index"], 0) if sign["index"] else None
            found += tokens(f"[{index.value}]") if index else []
        elif sign:
            power = (
                tokens("^2" if sign[0] == "的平方" else "^3") if sign["power"] else None
            )
            found += power or [Token("mark", _SIGNS.get(sign[0], sign[0]), False)]
    if position < len(run) and (not found or found[-1].kind != "number"):
        return [Token("word", run, gap)]
    rest = [Token("word", run[position:], False)] if position < len(run) else []
    return found + rest


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


def _words(content: str) -> list[Token]:
    """Tokens of upright text: several letters are a word even where they are few."""
    plain = content.strip(" .")
    if re.fullmatch(r"[A-Za-z]", plain):
        return [Token("symbol", plain, True)]
    return [
        t
        for run, group in _grouped(plain)
        for t in ([Token("word", group, True)] if run else tokens(group))
    ]


def _grouped(plain: str) -> list[tuple[bool, str]]:
    """Runs of two or more letters (True) and everything between them."""
    return [
        (
            bool(re.fullmatch(r"[^\W\d_]{2,}", part))
            and part not in {*FUNCTIONS, "mod"},
            part,
        )
        for part in re.split(r"(?<!\\)(?<![A-Za-z])([^\W\d_]{2,})", plain)
        if part
    ]
