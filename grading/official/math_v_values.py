r"""The value of a text as MATH-V's script has it, to two decimals.

The script hands text to latex2sympy2 1.9.1 and the printed result to Python. What that gives for
numbers is written down here as one grammar over one pass of tokens, with the habits of both: text
behind the first token that cannot go on is ignored, an unknown character there is an error; a
product without a sign binds before a division; `2\frac{1}{3}` is a product, `-2^2` is -4, `1<2`
is 1, `x=5` is 5; letters, infinity, absolute values and sums have no value; a whole number and the
same number as a decimal stay apart, as they do in Python. Not kept: what sympy makes of binomials
of fractions, of e to a power that only turns out to be 0 or 1, and of `|` with scripts behind it.

    relation = sum {("<" | ">" | "=" | ...) sum}
    sum      = product {("+" | "-") product}
    product  = signed {("*" | "/" | ":" | ...) signed}
    signed   = ("+" | "-") signed | power {power}
    power    = atom {"^" exponent} {"!" | "'"}
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from ..answers import LimitExceeded

NESTING = 60
LARGEST = 400_000  # bits of a whole number
DIGITS = 4300  # of a number as written: beyond, Python does not read it
FACTORIAL = 5000

Number = int | float
_COMMANDS = (
    "times cdot div over frac binom tbinom dbinom choose mod sqrt pi infty emptyset partial left "
    "right sin cos tan csc sec cot arcsin arccos arctan arccsc arcsec arccot sinh cosh tanh arsinh "
    "arcosh artanh arcsinh arccosh arctanh log ln exp floor ceil gcd lcm max min det lim int sum "
    "prod lfloor rfloor lceil rceil lvert rvert vert lbrace rbrace lbrack rbrack lgroup rgroup to "
    "rightarrow in equiv leq le leqslant geq ge geqslant ne neq tau operatorname begin end mathit "
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi "
    "omicron varpi rho varrho sigma varsigma upsilon phi varphi chi psi omega nabla angle triangle "
    "varnothing ell hbar prime square text textit mathbf mathbb mathrm mathcal mathsf bm bar dot "
    "overline hat vec tilde overrightarrow boldsymbol ddot widetilde check acute grave breve"
).split()
_KEYWORDS = (
    "arsinh arcsinh arcosh arccosh artanh arctanh gcd lcm floor ceil eye zeros ones cols rows diag "
    "norm rank trace tr rref hstack vstack orth ortho orthogonal orthogonalize nullspace eig eigen "
    "diagonalize eigenvals eigenvalues eigenvects eigenvectors svd matrix pmatrix bmatrix vmatrix"
).split()


def _longest(words: list[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d*(?:,\d{3})*\.\d+|\d+(?:,\d{3})*)(?P<percent>\\%)?"
    rf"|\\(?P<command>{_longest(_COMMANDS)})"
    rf"|(?P<keyword>{_longest(_KEYWORDS)})"
    r"|(?P<letter>[a-z])"
    r"|(?P<mark>\\\\|\\\{|\\\}|\\\||==|!==?|[-+*/(){}\[\]|&_^:;,.<>!'=])"
    r"|(?P<end>$))"
)
_DEFINITION = re.compile(r"\s*(?:[a-z]|\\[a-z]+)(?:_(?:\w|\{\w+\}))?\s*=(?!=)")
_PERMUTATION = re.compile(r"\(([a-z0-9+\-*/\\ ]+?)\)_\{([a-z0-9+\-*/\\ ]+?)\}")
_RESPELLED = (
    ("\\dfrac", "\\frac"),
    ("\\tfrac", "\\frac"),
    ("\\mathrm{d}", "d"),
    ("{\\rm d}", "d"),
)
_BLANK = ("\\displaystyle", "\\quad", "\\qquad", "~", "\\,", "$")
_CLOSING = {
    "(": ")",
    "{": "}",
    "[": "]",
    "\\{": "\\}",
    "\\lgroup": "\\rgroup",
    "\\lbrace": "\\rbrace",
    "\\lbrack": "\\rbrack",
}
_COMPARED: dict[str, Callable[[Number, Number], bool]] = {
    "<": operator.lt,
    "\\le": operator.le,
    "\\leq": operator.le,
    "\\leqslant": operator.le,
    ">": operator.gt,
    "\\ge": operator.ge,
    "\\geq": operator.ge,
    "\\geqslant": operator.ge,
}
_FUNCTIONS: dict[str, Callable[[float], Number]] = {
    "\\sin": math.sin,
    "\\cos": math.cos,
    "\\tan": math.tan,
    "\\sinh": math.sinh,
    "\\cosh": math.cosh,
    "\\tanh": math.tanh,
    "\\arcsin": math.asin,
    "\\arccos": math.acos,
    "\\arctan": math.atan,
    "\\arsinh": math.asinh,
    "\\arcsinh": math.asinh,
    "\\arcosh": math.acosh,
    "\\arccosh": math.acosh,
    "\\artanh": math.atanh,
    "\\arctanh": math.atanh,
    "\\exp": math.exp,
    "\\floor": math.floor,
    "\\log": math.log10,
    "\\ln": math.log,
}
_INVERSES = {
    "\\sin": "\\arcsin",
    "\\cos": "\\arccos",
    "\\tan": "\\arctan",
    "\\sinh": "\\arsinh",
    "\\cosh": "\\arcosh",
    "\\tanh": "\\artanh",
}
_POSTFIX_STARTS = frozenset(
    [
        *_CLOSING,
        *_FUNCTIONS,
        "\\frac",
        "\\binom",
        "\\tbinom",
        "\\dbinom",
        "\\sqrt",
        "\\pi",
        "\\tau",
        "\\lfloor",
        "\\left",
        "\\gcd",
        "\\lcm",
    ]
)
_CALLED = frozenset(
    [*_FUNCTIONS, "\\sqrt", "\\gcd", "\\lcm"]
)  # what a bare argument cannot hold
_TIMES = frozenset(["*", "\\times", "\\cdot"])
_OVER = frozenset(["/", "\\over", "\\div", ":"])
_PRINTED = frozenset(["whole", "rational", "power"])
_STOPS = frozenset(
    [
        *_CLOSING.values(),
        "\\rfloor",
        "\\rceil",
        "\\rvert",
        "\\right",
        "\\choose",
        "\\to",
        "\\rightarrow",
        "\\end",
        ".",
        "_",
        "&",
        "\\\\",
        "",
        "keyword",
    ]
)


class _NoValue(Exception):
    """latex2sympy2 or Python raises, or what it gives is no number."""


class _Token(NamedTuple):
    kind: str  # number, mark (commands too), letter, end or error
    text: str


class _Factor(NamedTuple):
    """A factor of a term, above or below the line.

    The printer leaves out the brackets around a single divisor of a negative term, so that
    -1/(2 pi) becomes -1/2*pi: `loose` is what is divided by then.
    """

    value: Number
    kind: str = "other"  # whole, rational, power (of whole numbers), product or other
    loose: Number | None = None
    below: bool = False


_Term = tuple[_Factor, ...]


@lru_cache(maxsize=65536)
def rounded(text: str) -> Number | None:
    """The value of a text in lower case, rounded to two decimals; None where the script has none.

    Raises LimitExceeded where the script would not end.

    >>> rounded("\\\\frac{1}{60}"), rounded("12.5cm"), rounded("42\\\\%"), rounded("\\\\frac12")
    (0.02, None, 0.42, None)
    """
    for old, new in _RESPELLED:
        text = text.replace(old, new)
    text = _PERMUTATION.sub(r"\\frac{(\1)!}{((\1)-(\2))!}", text)
    for blank in _BLANK:
        text = text.replace(blank, " ")
    try:
        return round(_Reader(text).relation(), 2)
    except (_NoValue, ValueError, TypeError, ArithmeticError, RecursionError):
        return None


class _Reader:
    """A recursive descent that cuts tokens only as far as it looks."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.depth = 0
        self.ahead: _Token | None = None

    def peek(self) -> _Token:
        if self.ahead is None:
            self.ahead = self.cut()
        return self.ahead

    def cut(self) -> _Token:
        match = _TOKEN.match(self.text, self.position)
        if match is None:
            raise _NoValue("an unknown character")
        self.position = match.end()
        if match["number"]:
            return _Token("number", match["number"] + (match["percent"] or ""))
        if match["letter"]:
            return _Token("letter", match["letter"])
        if match["keyword"]:
            return _Token("mark", "keyword")
        return _Token(
            "mark", f"\\{match['command']}" if match["command"] else match["mark"] or ""
        )

    def next(self) -> _Token:
        token = self.peek()
        self.ahead = None
        return token

    def accept(self, *marks: str) -> bool:
        accepted = self.peek().kind == "mark" and self.peek().text in marks
        if accepted:
            self.next()
        return accepted

    def expect(self, mark: str) -> None:
        if not self.accept(mark):
            raise _NoValue(f"{mark} is missing")

    # The rules of the grammar

    def relation(self) -> Number:
        while self.pass_definition():
            pass
        value = _value(self.sum())
        while self.peek().text in _COMPARED:
            holds = _COMPARED[self.next().text]
            value = holds(value, _value(self.sum()))
        if self.peek().text not in _STOPS:
            raise _NoValue(self.peek().text)
        return value

    def pass_definition(self) -> bool:
        """Pass `x =`: the value of a definition is its right side."""
        definition = _DEFINITION.match(self.text, self.position)
        name = _TOKEN.match(self.text, self.position) if definition else None
        if not definition or not name:
            return False
        if (
            name["command"] in ("pi", "infty")
            or name["keyword"]
            or name["letter"] == "e"
        ):
            return False
        if name["letter"] == "d" and definition[0].strip()[1] not in "_= ":
            return False
        self.position = definition.end()
        return True

    def sum(self) -> _Term:
        left = self.product()
        while self.peek().text in ("+", "-"):
            sign = self.next().text
            right = self.product()
            left = _term(_value(left) + _value(right if sign == "+" else _minus(right)))
        return left

    def product(self, with_functions: bool = True) -> _Term:
        """Signed factors; `with_functions`: as everywhere but behind a function without bracket."""
        left = self.signed(with_functions)
        while (sign := self.peek().text) in _TIMES or sign in _OVER:
            self.next()
            right = self.signed(with_functions)
            left = left + right if sign in _TIMES else _over(left, right)
        return left

    def signed(self, with_functions: bool) -> _Term:
        if self.accept("+"):
            return self.deeper(self.signed, with_functions)
        if self.accept("-"):
            return _minus(self.deeper(self.signed, with_functions))
        return self.factors(with_functions)

    def factors(self, with_functions: bool) -> _Term:
        """Powers side by side."""
        term = self.power()
        while self.starts_power(with_functions):
            term = term + self.power()
        return term

    def starts_power(self, with_functions: bool) -> bool:
        token = self.peek()
        if token.kind != "mark":
            return True
        return token.text in _POSTFIX_STARTS and (
            with_functions or token.text not in _CALLED
        )

    def power(self) -> _Term:
        base = self.atom()
        while self.accept("^"):
            exponent = self.script()
            if self.accept("_"):
                self.script()
            base = _raised(base, exponent)
        while self.peek().text in ("!", "'"):
            if self.next().text == "!":
                base = _term(_factorial(_value(base)))
        return base

    def script(self) -> Number:
        if self.peek().text == "{":
            return _value(self.group())
        return _value(self.single())

    def single(self) -> _Term:
        """A number or constant: what stands alone in an exponent or index."""
        token = self.next()
        if token.kind == "number":
            return (_number(token.text),)
        if token.text in ("\\pi", "\\tau"):
            return _term(math.pi if token.text == "\\pi" else math.tau)
        raise _NoValue(token.text)

    def atom(self) -> _Term:
        token = self.peek()
        if token.kind == "number" or token.text in ("\\pi", "\\tau"):
            return self.single()
        if token.kind == "letter":
            return _term(self.exponential())
        if token.text in _CLOSING:
            return self.group()
        if token.text in _FUNCTIONS:
            return _term(self.function())
        self.next()
        if token.text == "\\frac":
            top = self.group("{")
            return _over(top, self.group("{"))
        if token.text in ("\\binom", "\\tbinom", "\\dbinom"):
            top = self.group("{")
            return _term(_binomial(_value(top), _value(self.group("{"))), "whole")
        if token.text == "\\sqrt":
            index = _value(self.group("[")) if self.peek().text == "[" else 2
            base = _value(self.group("{"))
            return _term(math.sqrt(base) if index == 2 else _power(base, 1 / index))
        if token.text == "\\left":
            return self.group(right=True)
        if token.text == "\\lfloor":
            inner = self.deeper(self.sum)
            self.expect("\\rfloor")
            return _term(math.floor(_value(inner)))
        if token.text in ("\\gcd", "\\lcm"):
            return _term(self.divisors(token.text))
        raise _NoValue(token.text)

    def exponential(self) -> Number:
        """e to a power other than one; every other letter has no value."""
        if self.next().text != "e" or not self.accept("^"):
            raise _NoValue("a letter")
        return _exponential(self.script())

    def group(self, opening: str = "", right: bool = False) -> _Term:
        """A bracketed sum; `right`: the size \\left stood before it."""
        start = self.next().text
        if start not in _CLOSING or (opening and start != opening):
            raise _NoValue("a bracket is missing")
        content = self.deeper(self.sum)
        if start == "{" and self.accept("\\choose"):
            content = _term(
                _binomial(_value(content), _value(self.deeper(self.sum))), "whole"
            )
        if right:
            self.expect("\\right")
        self.expect(_CLOSING[start])
        return content

    def function(self) -> Number:
        name = self.next().text
        base = exponent = None
        while self.peek().text in ("_", "^"):
            if self.next().text == "_":
                base = self.script()
            else:
                exponent = self.script()
        if exponent == -1 and name in _INVERSES:
            name = _INVERSES[name]
            exponent = None
        argument = _value(self.argument())
        if name == "\\ln" and base is None:
            raise _NoValue("e")
        if name in ("\\log", "\\ln"):
            value: Number = math.log(argument, 10 if base is None else base)
        elif name == "\\exp":
            value = _exponential(argument)
        else:
            value = _FUNCTIONS[name](argument)
        return _power(value, exponent) if exponent else value

    def argument(self) -> _Term:
        """A function's bracket, or the product behind it, in which no function stands."""
        if self.accept("\\left"):
            return self.group("(", right=True)
        if self.peek().text == "(":
            return self.group("(")
        return self.deeper(self.product, False)

    def divisors(self, name: str) -> Number:
        self.expect("(")
        values = [_value(self.deeper(self.sum))]
        while self.accept(","):
            values.append(_value(self.deeper(self.sum)))
        self.expect(")")
        whole = [int(value) for value in values if value == int(value)]
        if len(whole) != len(values) or len(values) < 2:
            raise _NoValue(name)
        return math.gcd(*whole) if name == "\\gcd" else math.lcm(*whole)

    def deeper(self, rule: Callable[..., _Term], *args: bool) -> _Term:
        self.depth += 1
        if self.depth > NESTING:
            raise LimitExceeded("nested too deeply")
        term = rule(*args)
        self.depth -= 1
        return term


# Terms, with the printer's habits


def _term(value: Number, kind: str = "other") -> _Term:
    return (_Factor(value, kind),)


def _raised(base: _Term, exponent: Number) -> _Term:
    """A power; the one of -1 is printed as a division."""
    if isinstance(exponent, int) and exponent == -1:
        return _over((), base)
    of_whole = len(base) == 1 and base[0].kind == "whole" and isinstance(exponent, int)
    return _term(_power(_value(base), exponent), "power" if of_whole else "other")


def _minus(term: _Term) -> _Term:
    """The sign goes into a number; before anything else it is a factor."""
    first = term[0]
    if len(term) > 1 or first.below or first.kind not in ("whole", "rational"):
        return (_Factor(-1, "whole"), *term)
    loose = None if first.loose is None else -first.loose
    return (_Factor(-first.value, first.kind, loose),)


def _over(left: _Term, right: _Term) -> _Term:
    """left / right; a product on the left stays one factor only while nothing is multiplied."""
    if len(right) == 1 and not right[0].below:
        divisor = right[0]._replace(below=True)
    else:
        first, *rest = [f.value for f in right if not f.below] or [1]
        below = math.prod(f.value for f in right if f.below)
        loose = first / math.prod(rest) * below
        divisor = _Factor(_value(right), "product", loose, below=True)
    if not left or (len(left) == 1 and not left[0].below):
        return (*left, divisor)
    return (_Factor(_value(left), "product"), divisor)


def _value(term: _Term) -> Number:
    top: Number = 1
    for factor in term:
        if not factor.below:
            _bounded(top, factor.value)
            top = top * factor.value
    divisors = [factor for factor in term if factor.below]
    if not divisors:
        return top
    loose = divisors[0].loose
    if len(divisors) == 1 and loose is not None and _loses_brackets(term, divisors[0]):
        return top / loose
    return top / math.prod(divisor.value for divisor in divisors)


def _loses_brackets(term: _Term, divisor: _Factor) -> bool:
    """Does the printer leave out the brackets around the only divisor of a term?"""
    first, *rest = term
    if first.below or first.value >= 0 or first.kind not in ("whole", "rational"):
        return False
    if first.kind == "whole" and divisor.kind == "rational":
        return True
    return any(
        factor.kind == "whole" or (factor.kind in _PRINTED and not factor.below)
        for factor in rest
    )


# The arithmetic of Python, within bounds


def _number(text: str) -> _Factor:
    """As written: 5 and 5.0 are whole, 2.50 is five halves."""
    percent = text.endswith("%")
    digits = text.replace(",", "").rstrip("\\%")
    whole, _, decimals = digits.partition(".")
    if len(digits) > DIGITS:
        raise _NoValue("a number too long")
    places = len(decimals) + 2 * percent
    value = Fraction(int(whole + decimals or "0"), 10**places)
    top, bottom = value.as_integer_ratio()
    if bottom == 1:
        return _Factor(top, "whole")
    return _Factor(top / bottom, "rational", top * bottom)


def _power(base: Number, exponent: Number) -> Number:
    whole = isinstance(base, int) and isinstance(exponent, int)
    if whole and abs(base) > 1 and int(base).bit_length() * abs(exponent) > LARGEST:
        raise LimitExceeded("a power too large")
    value = base**exponent
    if isinstance(value, complex):
        raise _NoValue("a complex number")
    return value  # type: ignore[no-any-return]


def _exponential(exponent: Number) -> Number:
    """exp(0) is the whole number 1; e itself is printed as E, which Python does not know."""
    if isinstance(exponent, int) and exponent == 0:
        return 1
    if isinstance(exponent, int) and exponent == 1:
        raise _NoValue("e")
    return math.exp(exponent)


def _factorial(value: Number) -> int:
    if not isinstance(value, int):
        raise _NoValue("a factorial of no whole number")
    if value > FACTORIAL:
        raise LimitExceeded("a factorial too large")
    return math.factorial(value)


def _binomial(top: Number, bottom: Number) -> int:
    if top != int(top) or bottom != int(bottom):
        raise _NoValue("a binomial of no whole numbers")
    if abs(top) > FACTORIAL:
        raise LimitExceeded("a binomial too large")
    if top < 0 or bottom < 0:
        raise _NoValue("a negative binomial")
    return math.comb(int(top), int(bottom))


def _bounded(*values: Number) -> None:
    if sum(v.bit_length() for v in values if isinstance(v, int)) > LARGEST:
        raise LimitExceeded("a number too large")
