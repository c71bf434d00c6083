r"""The parser of answers: a recursive descent over tokens that gives a tree.

The grammar is that of answers in school and competition mathematics rather than of programs:
lists, sets, intervals, inequalities, systems, units and words around them are part of it. Nothing
is evaluated; size and nesting are bounded.

    contents = answer [("\over" | "\choose") answer]
    answer   = item {("," | ";" | "and" | "or") item}     semicolons part groups of commas
    item     = [words (":" | "=")] relation [("for" | "where" | ...) anything] | words
    relation = union {("=" | "<" | ">" | "in" | ...) union} ["mod" factor]
    union    = ratio {("cup" | "cap" | "setminus") ratio}
    ratio    = sum {(":" | "to") sum}
    sum      = [sign] term {sign term}
    term     = factor {["*" | "/"] factor} ["分之" term]
    factor   = atom {"!" | "%" | degrees | "^" script | ["-"] unit}
    atom     = number | symbol | function operand | command | "|" sum "|" | group | bracket
    group    = "{" contents "}"
    bracket  = ("(" | "[" | "\{") answer [("|" | ":") answer] (")" | "]" | "\}")
    command  = fraction | root | floor | ceiling | series | matrix | system | ...
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from ...words import measure, said, scale_at
from ...words import number as in_words
from .spelling import clean
from .tokens import LimitExceeded, ParseError, Symbolic, Token, tokens
from .tree import RUNNING, Node, negative, number, product, replace, symbol, walk

# Limits of one answer: tokens, levels of nesting, divisions in a term, cells, sums and products.
TOKENS = 3000
NESTING = 64
DIVISIONS = 64
CELLS = 256
SERIES = 4

DEGREES = frozenset(["degree", "degrees", "deg", "度", "°"])
PERCENT = frozenset(["percent", "pct", "percentage", "per cent", "%"])

_RELATIONS = frozenset("= < > <= >= != approx in parallel perp cong implies".split())
_SIGNS = frozenset(["+", "-", "pm", "mp"])
_ALTERNATIVES = said("either")
_TOGETHER = frozenset(["and", "且"])
_SEPARATORS = said("joins") | _ALTERNATIVES | _TOGETHER
_QUALIFIERS = frozenset(
    "for where with when if such because since whenever provided 其中".split()
)
_FILLERS = frozenset(
    "the answer is are final solution equals about approximately roughly only therefore thus hence "
    "so value values of x total about exactly 答案 答案是 答 为 是 约 约为 等于".split()
)
_NO_UNIT = _QUALIFIERS | _SEPARATORS | {"to"}
_TEMPERATURES = {
    "degrees celsius": "celsius",
    "degree celsius": "celsius",
    "degrees c": "celsius",
    "degrees fahrenheit": "fahrenheit",
    "degree fahrenheit": "fahrenheit",
}
_ORDINALS = frozenset(["th", "st", "nd", "rd"])
_PERIOD = re.compile(
    r"(?:(\d)\1\1+|(?<=\.)(\d{2,6})\2+|(?<=\.\d)(\d{2,6})\3+)$"
)  # 0.1666...

_CLOSERS = frozenset(["end", "rfloor", "rceil", "\\over", "\\choose"])
_DECORATIONS = frozenset(
    "vec overrightarrow hat widehat tilde overline mathbb mathcal".split()
)
_FUNCTION_LETTERS = frozenset("fgh")
_TRIGONOMETRIC = frozenset("sin cos tan cot sec csc sinh cosh tanh".split())
_FUNCTION_ALIASES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "lg": "log",
                     "arsinh": "arcsinh", "arcosh": "arccosh", "artanh": "arctanh",
                     "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh"}  # fmt: skip
_MEASURE = "dx"
_SYSTEMS = ("cases", "aligned", "align", "align*", "gathered", "rcases")


@lru_cache(maxsize=4096)
def read(text: str, thousands: bool = True) -> Node:
    """The tree of an answer; `thousands`: read 1,234 as one number.

    Raises ParseError or LimitExceeded (beyond a limit).

    >>> read("\\\\frac12").kind
    'div'
    """
    text = clean(text)
    if text.isdecimal() and len(text) < 16:
        return number(int(text), text)
    if text[:1].isalpha() and (worded := _numeral(text)):
        return worded
    cut = tokens(text)
    if not cut:
        raise ParseError("empty")
    parser = Parser(cut, thousands)
    try:
        node = parser.contents()
    except RecursionError:
        raise LimitExceeded("nested too deeply") from None
    except (ValueError, ArithmeticError, LookupError) as error:
        raise ParseError(str(error)) from error
    while parser.accept("}"):  # a stray brace; nothing may follow it
        pass
    if parser.peek().kind != "end":
        raise ParseError(f"stops at {parser.peek().text!r}")
    return node


class Marks(NamedTuple):
    """What `|`, `:`, `&` and a double backslash mean here; every bracket starts afresh."""

    in_set: bool = False  # a bar or colon separates element and condition
    in_bars: bool = False  # a bar closes
    in_cells: bool = False  # & and \\ separate


_PLAIN = Marks()
_END = Token("end", "", False)


class Parser:
    """One pass over the tokens of one answer; a method for each rule of the grammar."""

    def __init__(self, cut: list[Token], thousands: bool) -> None:
        if len(cut) > TOKENS:
            raise LimitExceeded("too many parts")
        self.tokens = cut
        self.thousands = thousands
        self.position = 0
        self.depth = 0
        self.marks = _PLAIN
        self.series_read = 0
        self.started = 0  # where the present item's value begins

    # The cursor

    def peek(self, ahead: int = 0) -> Token:
        k = self.position + ahead
        return self.tokens[k] if k < len(self.tokens) else _END

    def next(self) -> Token:
        token = self.peek()
        self.position += 1
        return token

    def accept(self, text: str) -> bool:
        """Pass the next token if it is this one."""
        accepted = self.peek().text == text
        self.position += accepted
        return accepted

    def expect(self, text: str) -> None:
        if self.next().text != text:
            raise ParseError(f"{text!r} is missing")

    def at_end(self, ahead: int = 0) -> bool:
        """At the end of the text, or at a mark that closes the present group."""
        token = self.peek(ahead)
        if token.kind == "end":
            return True
        if token.text in (")", "]", "}", "\\}") or token.text in _CLOSERS:
            return True
        return self.marks.in_cells and token.text in ("&", "\\\\")

    def raw(self) -> str:
        """The characters of an index or a name, as written."""
        if self.at_end():
            raise ParseError("an index is missing")
        if self.peek().text != "{":
            return self.next().text
        depth, parts = 0, list[str]()
        while True:
            token = self.next()
            depth += {"{": 1, "}": -1}.get(token.text, 0)
            if token.kind == "end":
                raise ParseError("an index without end")
            if depth == 0:
                return "".join(parts[1:])
            parts.append(token.text)

    # Answers and the words in them

    def contents(self) -> Node:
        """What a text or a group holds: an answer, or a \\over b, or a \\choose b."""
        node = self.answer()
        if self.accept("\\over"):
            return Node("div", (node, self.answer()))
        if self.accept("\\choose"):
            return Node("call", (node, self.answer()), "binom")
        return node

    def answer(self) -> Node:
        """Items up to a closing mark; several of them make a list."""
        groups = [[self.item()]]
        joined = set[str]()
        while between := self.separators():
            if self.at_end():
                break
            joined |= between
            if ";" in between:
                groups.append([])
            groups[-1].append(self.item())
        items = groups[0] if len(groups) == 1 else [_group(group) for group in groups]
        if len(items) == 1:
            return items[0]
        if items[-1].kind == "mod":  # x = 3, 5 (mod 7)
            items = [_residue(item, items[-1].args[1]) for item in items]
        joint = (
            "or" if joined & _ALTERNATIVES else "and" if joined & _TOGETHER else None
        )
        return Node("list", tuple(items), joint)

    def separators(self) -> set[str]:
        """Pass commas, semicolons and the words between items."""
        passed = set[str]()
        while self.separates():
            passed.add(self.next().text.lower())
        return passed

    def separates(self) -> bool:
        token = self.peek()
        return token.text in (",", ";") or (
            token.kind == "word" and token.text.lower() in _SEPARATORS
        )

    def item(self) -> Node:
        words = self.words()
        if words and self.peek().text in (":", "=") and not self.at_end(1):
            self.position += 1
            return Node("relation", (Node("text", (), words), self.relation()), ("=",))
        if words and (self.at_end() or self.separates()):
            return _numeral(words) or Node("text", (), words)
        if (
            words.isascii()
            and words
            and self.peek().kind == "number"
            and not self.peek().gap
        ):
            raise ParseError("a number in a word")
        self.started = self.position
        node = self.relation()
        if self.peek().kind == "word" and self.peek().text.lower() in _QUALIFIERS:
            self.skip_item()
        meaning = " ".join(w for w in words.split() if w not in _FILLERS)
        return Node("phrase", (node,), meaning) if meaning else node

    def words(self) -> str:
        """The words at this place, in lower case, joined by spaces."""
        words: list[str] = []
        while self.peek().kind == "word" and not (
            words and self.peek().text.lower() in _SEPARATORS
        ):
            words.append(self.next().text.lower())
            if self.peek().text == "." and self.peek(1).kind == "word":
                self.position += 1
        return " ".join(words)

    def skip_item(self) -> None:
        depth = 0
        while not self.at_end() or depth:
            text = self.peek().text
            if self.peek().kind == "end" or (depth == 0 and text in (",", ";")):
                return
            depth += {"(": 1, "{": 1, "\\{": 1, ")": -1, "}": -1, "\\}": -1}.get(
                text, 0
            )
            self.position += 1

    # Relations, unions, ratios and sums

    def relation(self) -> Node:
        """A value, or values chained by relation signs."""
        args, signs = [self.union()], []
        while self.peek().text in _RELATIONS and self.peek().kind == "mark":
            sign = self.next().text
            if sign in "<>!" and self.accept("="):
                sign += "="
            if self.at_end() and sign == "=":
                break
            signs.append(sign)
            args.append(self.union())
        node = Node("relation", tuple(args), tuple(signs)) if signs else args[0]
        if not self.modulus_follows():
            return node
        bracketed = self.accept("(")
        self.position += 1
        node = _residue(node, self.factor())
        if bracketed:
            self.expect(")")
        return node

    def modulus_follows(self) -> bool:
        return self.peek(self.peek().text == "(").text == "mod"

    def union(self) -> Node:
        node = self.ratio()
        while (
            self.peek().text in ("cup", "cap", "setminus")
            and self.peek().kind == "mark"
        ):
            sign = self.next().text
            kind = "union" if sign == "cup" else sign
            right = self.ratio()
            same = node.kind == kind == "union"
            node = Node(kind, (*node.args, right) if same else (node, right))
        return node

    def ratio(self) -> Node:
        args = [self.sum()]
        while (
            self.peek().text == ":" and not self.marks.in_set
        ) or self.peek().text == "to":
            self.position += 1
            args.append(self.sum())
        return Node("ratio", tuple(args)) if len(args) > 1 else args[0]

    def sum(self) -> Node:
        terms: list[Node] = []
        sign = self.sign()
        first = self.term()
        if sign in ("pm", "mp"):
            first = Node("pm", (first,), "+" if sign == "pm" else "-")
        terms.append(negative(first) if sign == "-" else first)
        while (text := self.peek().text) in _SIGNS:
            self.position += 1
            extra = self.sign()
            term = self.term()
            if extra == "-":
                term = negative(term)
            if text in ("pm", "mp"):
                left = terms[0] if len(terms) == 1 else Node("add", tuple(terms))
                terms = [Node("pm", (left, term), "+" if text == "pm" else "-")]
            else:
                terms.append(negative(term) if text == "-" else term)
        return terms[0] if len(terms) == 1 else Node("add", tuple(terms))

    def sign(self) -> str:
        """The sign at this place, if any; several minus signs cancel."""
        sign = ""
        while (text := self.peek().text) in _SIGNS and self.peek().kind == "mark":
            self.position += 1
            sign = {("-", "-"): "", ("-", "+"): "-", ("", "+"): ""}.get(
                (sign, text), text
            )
        return sign

    # Terms

    def term(self) -> Node:
        """Factors joined by multiplication and division signs, or by nothing."""
        factors = [self.factor()]
        divisions = 0
        while True:
            token = self.peek()
            if token.kind == "mark" and token.text in ("*", "/"):
                self.position += 1
                minus = self.sign() == "-"
                right = self.factor()
                right = negative(right) if minus else right
                if token.text == "*":
                    factors.append(right)
                else:
                    divisions += 1
                    if divisions > DIVISIONS:
                        raise LimitExceeded("too many divisions")
                    factors = [Node("div", (product(factors), right))]
            elif self.starts_factor(token) and not self.modulus_follows():
                factors = self.implied(factors)
            elif self.accept("分之"):  # the denominator is said first
                return Node("div", (self.term(), product(factors)))
            else:
                return product(factors)

    def starts_factor(self, token: Token) -> bool:
        """May this token begin a factor without a multiplication sign before it?"""
        if token.kind in ("number", "symbol", "function"):
            return True
        if token.kind == "command":
            return token.text not in _CLOSERS
        if token.text == "|":
            return not (self.marks.in_set or self.marks.in_bars)
        return token.kind == "mark" and token.text in ("(", "[", "{", "\\{")

    def implied(self, factors: list[Node]) -> list[Node]:
        """The next factor without a sign: a mixed number's fraction, or multiplication."""
        before = self.tokens[self.position - 1]
        whole = factors[-1]
        is_whole = (
            before.kind == "number"
            and whole.kind == "number"
            and "." not in before.text
        )
        if self.peek().kind == "number":
            if is_whole and self.peek(1).text == "/" and self.peek(2).kind == "number":
                top, bottom = self.next(), (self.next(), self.next())[1]
                return [*factors[:-1], _mixed(whole, top.text, bottom.text)]
            powers_of_ten = (
                self.peek().text == "10" and self.peek(1).text == "^"
            )  # 4.5 10^{-7}
            apart = self.peek().gap and (whole.kind == "pow" or powers_of_ten)
            if before.kind == "number" and not apart:
                raise ParseError("two numbers side by side")
        outer, right = _inside(self.factor())
        if right.kind == "text":  # 5 (apples)
            return [Node("unit", (product(factors),), right.value)]
        parts = (
            [a.value for a in right.args if a.kind == "number"]
            if right.kind == "div"
            else []
        )
        if is_whole and len(parts) == 2 and 0 < parts[0] < parts[1]:
            mixed = _mixed(whole, str(parts[0]), str(parts[1]))
            return [*factors[:-1], outer(mixed)]
        return [*factors, outer(right)]

    # Factors: atoms with what stands behind them

    def factor(self) -> Node:
        """An atom with its powers, factorials, percent and degree signs, and unit."""
        self.depth += 1
        if self.depth > NESTING:
            raise LimitExceeded("nested too deeply")
        node = self.atom()
        while True:
            token = self.peek()
            if token.text == "!" and self.peek(1).text != "=":
                self.position += 1
                node = Node("call", (node,), "factorial")
            elif token.text == "%":
                self.position += 1
                node = Node("percent", (node,))
            elif token.text == "degree" or (
                token.text == "^" and self.degree_follows()
            ):
                node = self.degrees(node)
            elif token.text == "^":
                node = self.power(node)
            elif token.kind == "word" and token.text.lower() not in _NO_UNIT:
                node = self.unit(node)
            elif token.text == "-" and self.is_hyphen(node):
                self.position += 1
                node = self.unit(node)
            else:
                self.depth -= 1
                return node

    def is_hyphen(self, node: Node) -> bool:
        """15-metre: does the sign tie a word to a number?"""
        tied = (
            node.kind == "number"
            and not self.peek().gap
            and self.peek(1).kind == "word"
        )
        return tied and self.peek(1).text.lower() not in _NO_UNIT

    def power(self, base: Node) -> Node:
        self.position += 1
        if self.peek().text == "{" and self.peek(1).kind == "word":  # 12^{th}
            self.position += 1
            while self.next().text not in ("}", ""):
                pass
            return base
        exponent = self.script()
        if base.kind == "symbol" and self.accept("_"):  # v^2_0
            base = symbol(f"{base.value}_{self.raw()}")
        return Node("pow", (base, exponent))

    def script(self) -> Node:
        """An exponent: a group, or one signed token."""
        if self.peek().text == "{":
            return self.group()
        if self.accept("-"):
            return negative(self.script())
        if self.accept("+"):
            return self.script()
        if self.peek().kind == "number":
            return number(Fraction(self.peek().text.rstrip(".")), self.next().text)
        return self.atom()

    def degree_follows(self) -> bool:
        return self.peek(1).text == "degree" or (
            self.peek(1).text == "{"
            and self.peek(2).text == "degree"
            and self.peek(3).text == "}"
        )

    def degrees(self, node: Node) -> Node:
        """A degree sign, with minutes and seconds of arc behind it, or a temperature's letter."""
        if self.next().text == "^":
            self.position += 3 if self.peek().text == "{" else 1
        for share in (60, 3600):
            if self.peek().kind == "number" and self.peek(1).text in ("'", '"'):
                part = Fraction(self.next().text)
                self.position += 1
                node = Node("add", (node, number(part / share)))
        if self.peek().text in ("C", "F") and self.peek().kind == "symbol":
            return Node(
                "unit", (node,), {"C": "celsius", "F": "fahrenheit"}[self.next().text]
            )
        return Node("degree", (node,))

    def unit(self, node: Node) -> Node:
        """Words behind a value: degrees, percent, an ordinal's ending, a unit or a remark."""
        words = self.unit_words()
        scale, end = scale_at(words[0])
        if scale > 1:
            node, words[0] = Node("mul", (number(scale), node)), words[0][end:].strip()
        phrase = " ".join(words).replace(" ^", "^").replace(" /", "/").strip()
        if not phrase or phrase in _ORDINALS:
            return node
        if phrase in DEGREES:
            return Node("degree", (node,))
        if phrase in PERCENT:
            return Node("percent", (node,))
        return self.compound(node, _TEMPERATURES.get(phrase, phrase))

    def unit_words(self) -> list[str]:
        """The words of a unit, with its divisions and powers."""
        words = [self.next().text.lower()]
        while True:
            token = self.peek()
            if token.kind == "word" and token.text.lower() not in _NO_UNIT:
                words.append(self.next().text.lower())
            elif token.text == "/" and self.peek(1).kind in ("word", "symbol"):
                self.position += 1
                words.append("/" + self.next().text)
            elif token.text == "^" and self.peek(1).kind == "number":
                self.position += 1
                words.append("^" + self.next().text)
            elif (
                token.text == "^"
                and self.peek(1).text == "{"
                and self.peek(3).text == "}"
            ):
                words.append("^" + self.peek(2).text)
                self.position += 4
            elif token.text == "." and self.peek(1).kind in ("word", "end"):
                self.position += 1
            elif token.text == "-" and not token.gap and self.peek(1).kind == "word":
                self.position += 1
                words[-1] += "-" + self.next().text.lower()
            else:
                return words

    def compound(self, node: Node, phrase: str) -> Node:
        """5 ft 6 in: further values in smaller units are added."""
        known = measure(phrase)
        if known and self.peek().kind == "number" and self.peek(1).kind == "word":
            start = self.position
            rest = self.factor()
            smaller = measure(rest.value) if rest.kind == "unit" else None
            if smaller and smaller[0] == known[0] and smaller[1] < known[1]:
                part = Node("mul", (number(smaller[1] / known[1]), rest.args[0]))
                return Node("unit", (Node("add", (node, part)),), phrase)
            self.position = start
        return Node("unit", (node,), phrase)

    # Atoms

    def atom(self, one_digit: bool = False) -> Node:
        token = self.next()
        if token.kind == "number":
            return self.number(token, one_digit)
        if token.kind == "symbol":
            return self.symbol(token)
        if token.kind == "function":
            return self.function(token.text)
        if token.kind == "command":
            return self.command(token.text)
        if token.text == "|":
            return self.bars()
        self.position -= 1
        if token.text == "{":
            if self.bars_inside() == 1:  # {x | x > 1}
                return self.bracket()
            if self.peek(1).text == "}":  # {} before a script
                self.position += 2
                return self.atom(one_digit)
            return self.group()
        if token.text in ("(", "[", "\\{") and token.kind == "mark":
            return self.bracket()
        raise ParseError(f"unexpected {token.text or 'end'!r}")

    def argument(self) -> Node:
        """A TeX argument: a group, or one token (one digit of a number)."""
        return self.group() if self.peek().text == "{" else self.atom(one_digit=True)

    def number(self, token: Token, one_digit: bool) -> Node:
        text = token.text
        if one_digit and len(text) > 1 and text.isdigit():
            self.position -= 1
            self.tokens[self.position] = Token("number", text[1:], False)
            return number(int(text[0]), text[0])
        if self.thousands and not one_digit and self.depth <= 1:
            text = self.grouped(text)
        if self.accept("_"):
            return self.based(text)
        follows = self.peek()
        if (
            "." in text
            and follows.text in ("overline", "dot")
            and follows.kind == "command"
        ):
            return self.repeating(text)
        if "." in text and follows.text == "ldots" and (period := _PERIOD.search(text)):
            self.position += 1
            return _periodic(
                text[: period.start()], next(filter(None, period.groups()))
            )
        return number(Fraction(text.rstrip(".")), text)

    def grouped(self, text: str) -> str:
        """1,234,567 as one number."""
        whole = text
        while (
            len(text) <= 3
            and self.peek().text == ","
            and not self.peek(1).gap
            and self.peek(1).kind == "number"
            and len(self.peek(1).text.split(".")[0]) == 3
            and "." not in whole
        ):
            whole += self.peek(1).text
            self.position += 2
        return whole

    def based(self, digits: str) -> Node:
        """4343_7: a number in another base."""
        base = self.argument()
        if (
            base.kind == "number"
            and base.value.denominator == 1
            and 2 <= base.value <= 36
        ):
            try:
                return number(int(digits, int(base.value)), f"{digits}_{base.value}")
            except ValueError:
                pass
        raise ParseError("a number with an index")

    def repeating(self, text: str) -> Node:
        """0.1\\overline{6} or 0.1\\dot{6}, exactly."""
        digits = ""
        while self.peek().text in ("overline", "dot") and self.peek().kind == "command":
            self.position += 1
            part = self.argument()
            digits += part.text
            if self.peek().kind == "number" and self.peek(1).text == "dot":
                digits += self.next().text
        if not digits.isdigit():
            raise ParseError("a repeating part without digits")
        return _periodic(text, digits)

    def symbol(self, token: Token) -> Node:
        name = token.text
        first = self.position - 1 == self.started
        if first and self.spells("^{-1}") and self.defines(5):
            self.position += 5
            name += "^-1"
        if self.accept("_"):
            name += "_" + self.raw()
        while self.accept("'"):
            name += "'"
        if self.peek().text == "(" and (
            name.split("_")[0].rstrip("'") in _FUNCTION_LETTERS
            or (first and self.defines())
        ):
            arguments = self.bracket()
            return Node(
                "call",
                arguments.args if arguments.kind == "seq" else (arguments,),
                name,
            )
        return symbol(name)

    def spells(self, text: str) -> bool:
        return [self.peek(k).text for k in range(len(text))] == list(text)

    def defines(self, ahead: int = 0) -> bool:
        """Does `(x) =` or `(1, y) =` follow, so that the symbol before it names a function?"""
        end = ahead + 1
        while self.peek(end).kind in ("number", "symbol") or self.peek(end).text in (
            ",",
            "-",
        ):
            end += 1
        around = [self.peek(k).text for k in (ahead, end, end + 1)]
        return end > ahead + 1 and around == ["(", ")", "="]

    def function(self, name: str) -> Node:
        if name == "sqrt":
            return self.root()
        base = self.argument() if name == "log" and self.accept("_") else None
        exponent = self.script() if self.accept("^") else None
        argument = self.operand()
        if exponent == number(-1, "-1") and name in _TRIGONOMETRIC:
            name, exponent = "arc" + name, None
        name = _FUNCTION_ALIASES.get(name, name)
        args = argument.args if argument.kind in ("list", "seq") else (argument,)
        node = Node("call", args if base is None else (*args, base), name)
        return node if exponent is None else Node("pow", (node, exponent))

    def operand(self) -> Node:
        """A function's argument: a bracket, or the product that follows."""
        if self.peek().text == "{":
            return self.group()
        if self.peek().text in ("(", "["):
            return self.bracket()
        minus = self.accept("-")
        factors = [self.factor()]
        while self.starts_factor(self.peek()) and self.peek().kind != "function":
            if self.peek().text in ("(", "["):
                break
            factors.append(self.factor())
        return negative(product(factors)) if minus else product(factors)

    def root(self) -> Node:
        index = number(2)
        if self.accept("["):
            index = self.sum()
            self.expect("]")
        if self.peek().text == "{":
            content = self.group()
        elif self.peek().text == "(":
            content = self.bracket()
        else:
            content = self.atom()
        return Node("pow", (content, Node("div", (number(1), index))))

    def command(self, name: str) -> Node:
        if name == "frac":
            top = self.argument()
            bottom = self.argument()
            if _is_d(top) and bottom.kind == "mul" and _is_d(bottom.args[0]):
                raise Symbolic("derivative")
            return Node("div", (top, bottom))
        if name == "binom":
            return Node("call", (self.argument(), self.argument()), "binom")
        if name in ("lfloor", "lceil"):
            content = self.answer()
            if self.next().text != name.replace("l", "r", 1):
                raise ParseError("a floor or ceiling without end")
            return Node("call", (content,), name[1:])
        if name in ("sum", "prod", "int", "lim"):
            return self.series(name)
        if name == "begin":
            return self.environment()
        if name == "emptyset":
            return Node("set")
        if name in _DECORATIONS:
            inner = self.raw() if name == "overline" else f"{name} {self.raw()}"
            return symbol(f"{inner}_{self.raw()}" if self.accept("_") else inner)
        if name in ("angle", "triangle"):
            letters = []
            while self.peek().kind == "symbol":
                letters.append(self.next().text)
            return symbol(name + "".join(letters))
        raise ParseError(f"\\{name}")

    # Whatever has two ends: groups, absolute values, brackets, environments

    def group(self) -> Node:
        """{...}, transparent."""
        self.expect("{")
        outer, self.marks = self.marks, _PLAIN
        node = self.contents()
        self.marks = outer
        self.expect("}")
        return node

    def bars(self) -> Node:
        outer, self.marks = self.marks, self.marks._replace(in_bars=True)
        content = self.sum()
        self.marks = outer
        self.expect("|")
        return Node("call", (content,), "abs")

    def bracket(self) -> Node:
        """(a), a tuple, an interval, a set, or a set by its condition."""
        opening = self.next().text
        if opening in ("\\{", "{"):
            return self.braces(opening.replace("{", "}"))
        outer, self.marks = self.marks, _PLAIN
        content = self.answer()
        self.marks = outer
        closing = self.next().text
        if closing not in (")", "]"):
            raise ParseError("a bracket without end")
        if content.kind == "list":
            return Node("seq", content.args, opening + closing)
        if (opening, closing) in (("(", ")"), ("[", "]")):
            return content
        raise ParseError("an interval with one end")

    def bars_inside(self) -> int:
        """How many bars stand in this group, and in none inside it?"""
        depth, bars, ahead = 1, 0, 0
        while depth and self.peek(ahead).kind != "end":
            ahead += 1
            text = self.peek(ahead).text
            depth += (text in ("{", "\\{", "(", "[")) - (text in ("}", "\\}", ")", "]"))
            bars += depth == 1 and text == "|"
        return bars

    def braces(self, closing: str) -> Node:
        """The elements of a set, or an element and its condition, behind the opening brace."""
        outer, self.marks = self.marks, Marks(in_set=True)
        content = Node("list") if self.peek().text == closing else self.answer()
        if self.peek().text in ("|", ":"):
            self.position += 1
            self.marks = _PLAIN
            content = Node("builder", (content, self.answer()))
        self.marks = outer
        if not self.accept(closing):
            raise ParseError("a set without end")
        if content.kind == "builder":
            return content
        return Node("set", content.args if content.kind == "list" else (content,))

    def environment(self) -> Node:
        """A matrix, or a system of relations."""
        name = self.raw()
        if name == "array" and self.peek().text == "{":
            self.raw()
        outer, self.marks = self.marks, Marks(in_cells=True)
        rows: list[list[Node]] = [[]]
        while self.peek().text != "end":
            if self.accept("\\\\"):
                rows.append([])
            elif self.accept("&"):
                pass
            elif self.peek().kind == "end" or sum(map(len, rows)) > CELLS:
                raise (
                    ParseError("a matrix without end")
                    if self.at_end()
                    else LimitExceeded("cells")
                )
            else:
                rows[-1].append(self.answer())
        self.expect("end")
        self.raw()
        self.marks = outer
        rows = [row for row in rows if row]
        cells = tuple(cell for row in rows for cell in row)
        if name in _SYSTEMS:
            return Node("list", cells)
        if not rows or len({len(row) for row in rows}) != 1:
            raise ParseError("a matrix with ragged rows")
        matrix = Node("matrix", cells, (len(rows), len(rows[0])))
        return Node("call", (matrix,), "det") if name == "vmatrix" else matrix

    # Whatever runs: \\sum_{k=1}^{n} k^2, \\prod, \\int_0^1 x^2 dx, \\lim_{x \\to 0} x

    def series(self, name: str) -> Node:
        """Bounds in either order, then the term. Any other condition is not known."""
        self.series_read += 1
        if self.series_read > SERIES:
            raise LimitExceeded("too many sums")
        bounds: dict[str, Node] = {}
        while self.peek().text in ("_", "^") and self.peek().text not in bounds:
            sign = self.next().text
            bounds[sign] = self.script()
        start, last = bounds.get("_"), bounds.get("^")
        variable, first = self.measure() if name == "int" else number(1), start
        if (
            name != "int"
            and start
            and start.kind == "relation"
            and len(start.args) == 2
        ):
            variable, first = start.args
        body = replace(self.term(), _MEASURE, number(1))
        last = first if name == "lim" else last
        if (
            first is None
            or last is None
            or variable.kind != "symbol"
            or _has_series(body)
        ):
            raise Symbolic(f"the bounds of {name}")
        body = replace(_indexed(body, variable.value), variable.value, symbol(RUNNING))
        return Node("series", (body, first, last), name)

    def measure(self) -> Node:
        """The x of the first dx ahead, which becomes a factor of one."""
        for k in range(self.position, len(self.tokens) - 1):
            if self.tokens[k].text == "d" and self.tokens[k + 1].kind == "symbol":
                variable = self.tokens.pop(k + 1)
                self.tokens[k] = Token("symbol", _MEASURE, False)
                return symbol(variable.text)
        return number(1)


def _inside(node: Node) -> tuple[Callable[[Node], Node], Node]:
    """What stands around a value (its unit, percent or degree sign), and the value."""
    if node.kind in ("unit", "percent", "degree"):
        return lambda value: Node(node.kind, (value,), node.value), node.args[0]
    return lambda value: value, node


def _group(items: list[Node]) -> Node:
    """What commas join between two semicolons."""
    return items[0] if len(items) == 1 else Node("seq", tuple(items), ";")


def _residue(node: Node, modulus: Node) -> Node:
    """What a congruence ends in, modulo a number."""
    if node.kind in ("list", "set"):
        return Node(
            node.kind, tuple(_residue(a, modulus) for a in node.args), node.value
        )
    if node.kind == "relation" and set(node.value) != {"="}:
        raise ParseError("an inequality with a modulus")
    last = node.args[-1] if node.kind == "relation" else node
    return node if node.kind == "mod" else Node("mod", (last, modulus))


def _numeral(words: str) -> Node | None:
    """A number in words; "third" stays a word: who came in third is no number."""
    found = in_words(words)
    if found is None or not found.counts:
        return None
    if found.form == "percent":
        return Node("percent", (number(found.value * 100),))
    return number(found.value)


def _mixed(whole: Node, top: str, bottom: str) -> Node:
    """2\\frac{1}{3}: the sum of both, with the sign of the whole."""
    if not (top.isdigit() and bottom.isdigit() and int(bottom)):
        raise ParseError("a mixed number without fraction")
    part = Fraction(int(top), int(bottom))
    return Node("number", (), whole.value + part, "mixed")


def _periodic(text: str, digits: str) -> Node:
    """The decimal `text` with `digits` repeated behind it for ever."""
    places = len(text.partition(".")[2])
    tail = Fraction(int(digits), (10 ** len(digits) - 1) * 10**places)
    return number(Fraction(text.rstrip(".")) + tail, text + digits)


def _is_d(node: Node) -> bool:
    return node.kind == "symbol" and node.value in ("d", "partial")


def _has_series(node: Node) -> bool:
    return any(n.kind == "series" for n in walk(node))


def _indexed(body: Node, variable: str) -> Node:
    """The body with a_k as a sequence's element, so that the k in it runs too."""
    for name in sorted(
        {n.value for n in walk(body) if n.kind == "symbol" and "_" in n.value}
    ):
        sequence, _, index = name.partition("_")
        if variable in index:
            element = Parser(tokens(index), False).answer()
            if element.kind in ("mul", "list", "relation", "text"):  # x_{ij}, x_{i,j}
                raise ParseError("indices")
            body = replace(body, name, Node("call", (element,), f"index {sequence}"))
    return body
