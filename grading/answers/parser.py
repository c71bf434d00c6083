r"""The parser of answers: a recursive descent over tokens that gives a tree.

The grammar is that of answers in school and competition mathematics rather than of programs:
lists, sets, intervals, inequalities, systems, units and words around them are part of it. Nothing
is evaluated; size and nesting are bounded. Each production is a method of its name, `command` a
table of them:

    contents    = answer [("\over" | "\choose") answer]
    answer      = item {("," | ";" | "and" | "or") item}     semicolons part groups of commas
    item        = [words (":" | "=")] relation [("for" | "where" | ...) anything] | words
                  letters are words among words: "a rhombus", "f is even"
    relation    = union {("=" | "<" | ">" | "in" | ...) union} ["mod" factor]
    union       = ratio {("cup" | "cap" | "setminus") ratio}
    ratio       = sum {(":" | "to") sum}
    sum         = [sign] term {sign term}
    term        = factor {["*" | "/"] factor} ["分之" term]
    factor      = atom {"!" | "%" | degrees | "^" script | ["-"] unit}
    atom        = numeral | identifier | function operand | command | "|" sum "|" | group | bracket
    group       = "{" contents "}"
    bracket     = ("(" | "[" | "\{") answer [("|" | ":") answer] (")" | "]" | "\}")
    command     = fraction | binomial | rounding | series | environment | decorated | ...
    environment = "begin" {answer | "&" | "\\"} "end"        a matrix, or a system of relations
    series      = ("sum" | "prod" | "int" | "lim") {("_" | "^") script} term
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import ClassVar

from ...words import SYMBOLS, measure, said, scale_at
from .cursor import END, PLAIN, Cursor, Marks
from .notations import (
    WRAPPERS,
    as_group,
    as_residue,
    determinant,
    has_series,
    in_numbers,
    is_d,
    known_unit,
    mixed_number,
    periodic,
    proper_fraction,
    rate_of,
    total,
    ungrouped,
    with_value,
)
from .spelling import clean
from .tokens import LimitExceeded, ParseError, Symbolic, Token, tokens
from .tree import RUNNING, Node, negative, number, product, replace, symbol, walk

# Limits of one answer: tokens, levels of nesting, divisions in a term, cells, sums and products.
TOKENS = 3000
NESTING = 64
DIVISIONS = 64
CELLS = 256
SERIES = 4

# Words around values
DEGREES = frozenset(["degree", "degrees", "deg", "度", "°"])
PERCENT = frozenset(["percent", "pct", "percentage", "per cent", "%"])
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
_TEMPERATURE_LETTERS = {"C": "celsius", "F": "fahrenheit"}
_ORDINALS = frozenset(["th", "st", "nd", "rd"])

# Marks and what they do
_RELATIONS = frozenset("= < > <= >= != approx in parallel perp cong implies".split())
_SET_OPERATIONS = frozenset(["cup", "cap", "setminus"])
_BOTH_SIGNS = {"pm": "+", "mp": "-"}
_SIGNS = frozenset(["+", "-", *_BOTH_SIGNS])
# Of two signs in a row: two minus signs cancel, a plus sign changes nothing, else the last counts.
_MERGED_SIGNS = {("-", "-"): "", ("-", "+"): "-", ("", "+"): ""}
_DEGREE_SIGNS = (("degree",), ("^", "degree"), ("^", "{", "degree", "}"))
_INVERSE = ("^", "{", "-", "1", "}")
_CLOSING_MARKS = frozenset([")", "]", "}", "\\}"])
_CLOSERS = frozenset(["end", "rfloor", "rceil", "\\over", "\\choose"])
_BRACES = {"{": 1, "}": -1}
_BRACKETS = dict.fromkeys(("(", "{", "\\{", "["), 1)
_BRACKETS |= dict.fromkeys((")", "}", "\\}", "]"), -1)
_WORDS_MARKS = frozenset("'.!?\"-")  # stand among words

# Names with rules of their own
_REPEATING = frozenset(["overline", "dot"])
_FUNCTION_LETTERS = frozenset("fgh")
_TRIGONOMETRIC = frozenset("sin cos tan cot sec csc sinh cosh tanh".split())
_FUNCTION_ALIASES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "lg": "log",
                     "arsinh": "arcsinh", "arcosh": "arccosh", "artanh": "arctanh",
                     "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh"}  # fmt: skip
_DECORATIONS = "vec overrightarrow hat widehat tilde overline mathbb mathcal".split()
_SYSTEMS = ("cases", "aligned", "align", "align*", "gathered", "rcases")
_MINUS_ONE = number(-1, "-1")
_TRANSPOSED = symbol("T")
_DIFFERENTIAL = "dx"  # stands in the term of an integral for dx, dt, ...

# The digits that an ellipsis goes on with, 0.1666... and 0.121212...: a figure that stands three
# times, or a group that stands twice, right behind the point or one place further on.
_PERIOD = re.compile(r"(?:(\d)\1\1+|(?<=\.)(\d{2,6})\2+|(?<=\.\d)(\d{2,6})\3+)$")


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
    if text[:1].isalpha() and (counted := in_numbers(text)):
        return counted
    answer_tokens = tokens(text)
    if not answer_tokens:
        raise ParseError("empty")
    parser = Parser(answer_tokens, thousands)
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


class Parser(Cursor):
    """One pass over the tokens of one answer; a method for each rule of the grammar."""

    def __init__(self, answer_tokens: list[Token], thousands: bool) -> None:
        if len(answer_tokens) > TOKENS:
            raise LimitExceeded("too many parts")
        super().__init__(answer_tokens)
        self.thousands = thousands
        self.depth = 0
        self.marks = PLAIN
        self.series_count = 0
        self.value_start = 0  # where the present item's value begins

    @contextmanager
    def within(self, marks: Marks) -> Iterator[None]:
        """Read what stands between two ends, where marks have this meaning."""
        outer = self.marks
        self.marks = marks
        yield
        self.marks = outer

    def at_end(self, ahead: int = 0) -> bool:
        """At the end of the text, or at a mark that closes the present group."""
        token = self.peek(ahead)
        if token.kind == "end":
            return True
        if token.text in _CLOSING_MARKS or token.text in _CLOSERS:
            return True
        return self.marks.in_cells and token.text in ("&", "\\\\")

    def raw(self) -> str:
        """The characters of an index or a name, as written."""
        if self.at_end():
            raise ParseError("an index is missing")
        if self.peek().text != "{":
            return self.next().text
        depth = 0
        parts = list[str]()
        while True:
            token = self.next()
            depth += _BRACES.get(token.text, 0)
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
        separators = set[str]()
        while between := self.separators():
            if self.at_end():
                break
            separators |= between
            if ";" in between:
                groups.append([])
            groups[-1].append(self.item())
        items = groups[0] if len(groups) == 1 else [as_group(group) for group in groups]
        if len(items) == 1:
            return items[0]
        if items[-1].kind == "mod":  # x = 3, 5 (mod 7)
            modulus = items[-1].args[1]
            items = [as_residue(item, modulus) for item in items]
        return Node("list", tuple(items), _conjunction(separators))

    def separators(self) -> set[str]:
        """Pass commas, semicolons and the words between items."""
        passed = set[str]()
        while self.separates():
            passed.add(self.next().text.lower())
        return passed

    def separates(self, ahead: int = 0) -> bool:
        token = self.peek(ahead)
        return token.text in (",", ";") or token.word in _SEPARATORS

    def item(self) -> Node:
        """A value with the words before it, a label and its value, or words alone."""
        if said := self.sentence():
            return in_numbers(said) or Node("text", (), said)
        words = self.words()
        token = self.peek()
        if words and token.text in (":", "=") and not self.at_end(1):
            self.position += 1
            label = Node("text", (), words)
            return Node("relation", (label, self.relation()), ("=",))
        if words and (self.at_end() or self.separates()):
            return in_numbers(words) or Node("text", (), words)
        if words and words.isascii() and token.kind == "number" and not token.gap:
            raise ParseError("a number in a word")
        self.value_start = self.position
        node = self.relation()
        if self.peek().word in _QUALIFIERS:
            self.skip_item()
        meaning = " ".join(word for word in words.split() if word not in _FILLERS)
        return Node("phrase", (node,), meaning) if meaning else node

    def sentence(self) -> str:
        """All of an item that has no sign but words, and letters with words behind them."""
        ahead = 0
        after_letter = tied = False
        while not self.at_end(ahead) and not self.separates(ahead):
            token, following = self.peek(ahead), self.peek(ahead + 1)
            if token.kind not in ("word", "symbol") and token.text not in _WORDS_MARKS:
                return ""
            if not token.text.isascii() and token.kind == "symbol":
                return ""
            if token.kind == "symbol" and following.kind == "word":
                after_letter = after_letter or self.names_remark(ahead + 1)
            elif token.text in _WORDS_MARKS:
                tied = tied or following.kind in ("word", "symbol")
            ahead += 1
        words = self.tokens[self.position : self.position + ahead]
        if not after_letter and not (tied and any(word.word for word in words)):
            return ""
        self.position += ahead
        return "".join(" " * word.gap + word.text.lower() for word in words).strip(" .")

    def names_remark(self, ahead: int) -> bool:
        """Do words begin here that are no unit and open no condition?"""
        if self.peek(ahead).word in _NO_UNIT or not self.peek(ahead).text.isascii():
            return False
        words = list[str]()
        while (word := self.peek(ahead).word) and word not in _NO_UNIT:
            words.append(word)
            ahead += 1
        if words[0] in DEGREES | PERCENT | _ORDINALS or scale_at(words[0])[0] > 1:
            return False
        return measure(words[0]) is None and measure(" ".join(words)) is None

    def words(self) -> str:
        """The words at this place, in lower case, joined by spaces."""
        words = list[str]()
        while (word := self.peek().word) and not (words and word in _SEPARATORS):
            words.append(word)
            self.position += 1
            if self.peek().text == "." and self.peek(1).kind == "word":
                self.position += 1
        return " ".join(words)

    def skip_item(self) -> None:
        """Pass all up to the next item; commas in brackets are no ends."""
        depth = 0
        while not self.at_end() or depth:
            token = self.peek()
            if token.kind == "end" or (depth == 0 and token.text in (",", ";")):
                return
            depth += _BRACKETS.get(token.text, 0)
            self.position += 1

    # Relations, unions, ratios and sums

    def relation(self) -> Node:
        """A value, or values chained by relation signs; what it is modulo a number."""
        args = [self.union()]
        signs = list[str]()
        while self.peek().is_mark(_RELATIONS):
            sign = self.next().text
            if sign in ("<", ">") and self.accept("="):
                sign += "="
            if sign == "=" and self.at_end():
                break
            signs.append(sign)
            args.append(self.union())
        node = Node("relation", tuple(args), tuple(signs)) if signs else args[0]
        return self.residue(node) if self.modulus_follows() else node

    def modulus_follows(self) -> bool:
        bracketed = self.peek().text == "("
        return self.peek(bracketed).text == "mod"

    def residue(self, node: Node) -> Node:
        """\\bmod 7 or (mod 7) behind what is meant modulo 7."""
        bracketed = self.accept("(")
        self.expect("mod")
        node = as_residue(node, self.factor())
        if bracketed:
            self.expect(")")
        return node

    def union(self) -> Node:
        """Sets joined, met or cut; a union of unions is one."""
        node = self.ratio()
        while self.peek().is_mark(_SET_OPERATIONS):
            sign = self.next().text
            right = self.ratio()
            if sign != "cup":
                node = Node(sign, (node, right))
            elif node.kind == "union":
                node = Node("union", (*node.args, right))
            else:
                node = Node("union", (node, right))
        return node

    def ratio(self) -> Node:
        args = [self.sum()]
        while self.ratio_goes_on():
            self.position += 1
            args.append(self.sum())
        return Node("ratio", tuple(args)) if len(args) > 1 else args[0]

    def ratio_goes_on(self) -> bool:
        text = self.peek().text
        return text == "to" or (text == ":" and not self.marks.in_set)

    def sum(self) -> Node:
        """Terms with their signs; a sign \\pm has all that stands before it on its left."""
        sign = self.sign()
        first = self.term()
        if sign in _BOTH_SIGNS:
            first = Node("pm", (first,), _BOTH_SIGNS[sign])
        terms = [negative(first) if sign == "-" else first]
        while (sign := self.peek().text) in _SIGNS:
            self.position += 1
            further_sign = self.sign()
            term = self.term()
            if further_sign == "-":
                term = negative(term)
            if sign in _BOTH_SIGNS:
                terms = [Node("pm", (total(terms), term), _BOTH_SIGNS[sign])]
            else:
                terms.append(negative(term) if sign == "-" else term)
        return total(terms)

    def sign(self) -> str:
        """The sign at this place, if any; several minus signs cancel."""
        sign = ""
        while self.peek().is_mark(_SIGNS):
            text = self.next().text
            sign = _MERGED_SIGNS.get((sign, text), text)
        return sign

    # Terms

    def term(self) -> Node:
        """Factors joined by multiplication and division signs, or by nothing."""
        factors = [self.factor()]
        divisions = 0
        while True:
            token = self.peek()
            if token.is_mark("*"):
                self.position += 1
                factors.append(self.signed_factor())
            elif token.is_mark("/"):
                self.position += 1
                divisions += 1
                divisor = self.signed_factor()
                if divisions > DIVISIONS:
                    raise LimitExceeded("too many divisions")
                factors = [Node("div", (product(factors), divisor))]
            elif self.starts_factor(token) and not self.modulus_follows():
                factors = self.implied(factors)
            elif self.accept("分之"):  # the denominator is said first
                return Node("div", (self.term(), product(factors)))
            else:
                return product(ungrouped(factors))

    def signed_factor(self) -> Node:
        minus = self.sign() == "-"
        factor = self.factor()
        return negative(factor) if minus else factor

    def starts_factor(self, token: Token) -> bool:
        """May this token begin a factor without a multiplication sign before it?"""
        if token.kind in ("number", "symbol", "function"):
            return True
        if token.kind == "command":
            return token.text not in _CLOSERS
        if token.text == "|":
            return not (self.marks.in_set or self.marks.in_bars)
        return token.is_mark(("(", "[", "{", "\\{"))

    def implied(self, factors: list[Node]) -> list[Node]:
        """The next factor without a sign: a mixed number's fraction, or multiplication."""
        before = self.tokens[self.position - 1]
        *earlier, last = factors
        is_whole = before.kind == last.kind == "number" and "." not in before.text
        if self.peek().kind == "number":
            if is_whole and self.peek(1).text == "/" and self.peek(2).kind == "number":
                top = self.peek().text
                bottom = self.peek(2).text
                self.position += 3
                return [*earlier, mixed_number(last, top, bottom)]
            if before.kind == "number" and not self.stands_apart(last):
                raise ParseError("two numbers side by side")
        factor = self.factor()
        value = factor.args[0] if factor.kind in WRAPPERS else factor
        if value.kind == "text":  # 5 (apples)
            return [Node("unit", (product(factors),), value.value)]
        if is_whole and (fraction := proper_fraction(value)):
            mixed = mixed_number(last, *map(str, fraction))
            return [*earlier, with_value(factor, mixed)]
        return [*factors, factor]

    def stands_apart(self, before: Node) -> bool:
        """Is a number behind a number a factor? Behind a power, and as in 4.5 10^{-7}."""
        power_of_ten = self.spells("10", "^")
        return self.peek().gap and (before.kind == "pow" or power_of_ten)

    # Factors: atoms with what stands behind them

    def factor(self) -> Node:
        """An atom with its powers, factorials, percent and degree signs, and unit."""
        self.depth += 1
        if self.depth > NESTING:
            raise LimitExceeded("nested too deeply")
        node = self.atom()
        while (suffixed := self.suffixed(node)) is not None:
            node = suffixed
        self.depth -= 1
        return node

    def suffixed(self, node: Node) -> Node | None:
        """The node with the sign or word behind it; None where nothing of it follows.

        A degree sign may be written as a power, so it is looked for before powers are; the word
        "degree" counts as its sign, so that minutes of arc may follow.
        """
        token = self.peek()
        if token.kind not in ("mark", "word"):
            return None
        if token.text == "!" and self.peek(1).text != "=":
            self.position += 1
            name = "double factorial" if self.accept("!") else "factorial"
            return Node("call", (node,), name)
        if token.text == "%":
            self.position += 1
            return Node("percent", (node,))
        if token.text in ("degree", "^") and (length := self.degree_sign()):
            self.position += length
            return self.degrees(node)
        if token.text == "^":
            return self.power(node)
        if self.names_unit(token):
            is_named = node.kind == "symbol" and not token.text.isascii()  # A城市
            return (
                Node("phrase", (node,), self.next().word)
                if is_named
                else self.unit(node)
            )
        if token.text == "-" and self.is_hyphen(node):
            self.position += 1
            return self.unit(node)
        return None

    def names_unit(self, token: Token) -> bool:
        return token.kind == "word" and token.word not in _NO_UNIT

    def is_hyphen(self, node: Node) -> bool:
        """15-metre: does the sign tie a word to a number?"""
        tied = node.kind == "number" and not self.peek().gap
        return tied and self.names_unit(self.peek(1))

    def power(self, base: Node) -> Node:
        self.position += 1
        if self.peek().text == "{" and self.peek(1).kind == "word":  # 12^{th}
            self.position += 1
            while self.next().text not in ("}", END.text):
                pass
            return base
        exponent = self.script()
        if base.kind == "symbol" and self.accept("_"):  # v^2_0
            base = symbol(f"{base.value}_{self.raw()}")
        if exponent == _TRANSPOSED and base.kind == "matrix":
            rows, columns = base.value
            cells = [base.args[k::columns] for k in range(columns)]
            return Node("matrix", tuple(chain(*cells)), (columns, rows))
        if exponent == _TRANSPOSED and base.kind == "seq":
            return base
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
            text = self.next().text
            return number(Fraction(text.rstrip(".")), text)
        return self.atom()

    def degree_sign(self) -> int:
        """How many tokens make a degree sign here; 0: there is none."""
        for sign in _DEGREE_SIGNS:
            if self.spells(*sign):
                return len(sign)
        return 0

    def degrees(self, node: Node) -> Node:
        """Minutes and seconds of arc behind a degree sign, or a temperature's letter."""
        for share in (60, 3600):
            if self.peek().kind == "number" and self.peek(1).text in ("'", '"'):
                part = Fraction(self.next().text)
                self.position += 1
                node = Node("add", (node, number(part / share)))
        token = self.peek()
        if token.kind == "symbol" and token.text in _TEMPERATURE_LETTERS:
            self.position += 1
            return Node("unit", (node,), _TEMPERATURE_LETTERS[token.text])
        return Node("degree", (node,))

    def unit(self, node: Node) -> Node:
        """Words behind a value: degrees, percent, an ordinal's ending, a unit or a remark."""
        words = self.unit_words()
        scale, end = scale_at(words[0])
        if scale > 1:  # 5 million km
            node = Node("mul", (number(scale), node))
            words[0] = words[0][end:].strip()
        phrase = known_unit(
            " ".join(words).replace(" ^", "^").replace(" /", "/").strip()
        )
        if not phrase or phrase in _ORDINALS:
            return node
        if phrase in DEGREES:
            return Node("degree", (node,))
        if phrase in PERCENT:
            return Node("percent", (node,))
        return self.compound(node, _TEMPERATURES.get(phrase, phrase))

    def unit_words(self) -> list[str]:
        """The words of a unit, with its divisions and powers."""
        words = [self.next().word]
        while True:
            token = self.peek()
            after = self.peek(1)
            if self.names_unit(token):
                words.append(token.word)
                self.position += 1
            elif token.text == "/" and after.kind in ("word", "symbol"):
                words.append("/" + after.text)
                self.position += 2
            elif token.text == "^" and after.kind == "number":
                words.append("^" + after.text)
                self.position += 2
            elif token.text == "^" and after.text == "{" and self.peek(3).text == "}":
                words.append("^" + self.peek(2).text)
                self.position += 4
            elif token.text == "." and after.kind in ("word", "end"):
                self.position += 1
            elif token.text == "-" and not token.gap and after.kind == "word":
                words[-1] += "-" + after.word
                self.position += 2
            else:
                return words

    def compound(self, node: Node, phrase: str) -> Node:
        """5 ft 6 in: further values in smaller units are added."""
        unit = measure(phrase)
        start = self.position
        if unit and self.peek().word in _TOGETHER:  # 3 hours and 20 minutes
            self.position += 1
        if unit and self.peek().kind == "number" and self.peek(1).text in SYMBOLS:
            rest = Node("unit", (self.factor(),), self.next().text)
        elif unit and self.peek().kind == "number" and self.peek(1).kind == "word":
            rest = self.factor()
        else:
            rest = Node("text")
        if unit and rest.kind == "unit":
            smaller = measure(rest.value)
            if smaller and smaller[0] == unit[0] and smaller[1] < unit[1]:
                part = Node("mul", (number(smaller[1] / unit[1]), rest.args[0]))
                return Node("unit", (Node("add", (node, part)),), phrase)
        self.position = start
        return Node("unit", (node,), phrase)

    # Atoms

    def atom(self, one_digit: bool = False) -> Node:
        """The smallest value; `one_digit`: TeX takes one figure of a number as an argument."""
        token = self.next()
        if token.kind == "number":
            return self.numeral(token, one_digit)
        if token.kind == "symbol":
            return self.identifier(token)
        if token.kind == "function":
            return self.function(token.text)
        if token.kind == "command":
            if token.text not in self.COMMANDS:
                raise ParseError(f"\\{token.text}")
            return self.COMMANDS[token.text](self, token.text)
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
        if token.is_mark(("(", "[", "\\{")):
            return self.bracket()
        raise ParseError(f"unexpected {token.text or 'end'!r}")

    def argument(self) -> Node:
        """A TeX argument: a group, or one token (one digit of a number)."""
        return self.group() if self.peek().text == "{" else self.atom(one_digit=True)

    def numeral(self, token: Token, one_digit: bool) -> Node:
        """Figures, with groups of thousands, a base, or decimals that repeat."""
        text = token.text
        if one_digit and len(text) > 1 and text.isdigit():
            self.position -= 1
            self.tokens[self.position] = Token("number", text[1:], False)
            return number(int(text[0]), text[0])
        if self.thousands and not one_digit and self.depth <= 1:
            text = self.grouped(text)
        if self.accept("_"):
            return self.based(text)
        after = self.peek()
        if "." in text and after.kind == "command" and after.text in _REPEATING:
            return self.repeating(text)
        if "." in text and after.text == "ldots" and (period := _PERIOD.search(text)):
            self.position += 1
            digits = next(filter(None, period.groups()))
            return periodic(text[: period.start()], digits)
        exact = int(text) if text.isdecimal() else Fraction(text.rstrip("."))
        return number(exact, text)

    def grouped(self, text: str) -> str:
        """1,234,567 as one number."""
        whole = text
        while len(text) <= 3 and "." not in whole and self.thousands_follow():
            whole += self.peek(1).text
            self.position += 2
        return whole

    def thousands_follow(self) -> bool:
        group = self.peek(1)
        if self.peek().text != "," or group.gap or group.kind != "number":
            return False
        return len(group.text.partition(".")[0]) == 3

    def based(self, digits: str) -> Node:
        """4343_7: a number in another base."""
        base = self.argument()
        if base.kind == "number" and base.value in range(2, 37):
            try:
                return number(int(digits, int(base.value)), f"{digits}_{base.value}")
            except ValueError:
                pass
        raise ParseError("a number with an index")

    def repeating(self, text: str) -> Node:
        """0.1\\overline{6} or 0.1\\dot{6}, exactly."""
        digits = ""
        while self.peek().kind == "command" and self.peek().text in _REPEATING:
            self.position += 1
            digits += self.argument().text
            if self.peek().kind == "number" and self.peek(1).text == "dot":
                digits += (
                    self.next().text
                )  # between the dots of the first and last figure
        if not digits.isdigit():
            raise ParseError("a repeating part without digits")
        return periodic(text, digits)

    def identifier(self, token: Token) -> Node:
        """A symbol with its index and primes, or the function that it names."""
        name = token.text
        opens_item = self.position - 1 == self.value_start
        if opens_item and self.spells(*_INVERSE) and self.defines(len(_INVERSE)):
            self.position += len(_INVERSE)
            name += "^-1"
        if self.accept("_"):
            name += "_" + self.raw()
        while self.accept("'"):
            name += "'"
        if self.peek().text != "(":
            return symbol(name)
        letter = name.split("_")[0].rstrip("'")
        if letter in _FUNCTION_LETTERS or (opens_item and self.defines()):
            content = self.bracket()
            args = content.args if content.kind == "seq" else (content,)
            return Node("call", args, name)
        return symbol(name)

    def defines(self, ahead: int = 0) -> bool:
        """Does `(x) =` or `(1, y) =` follow, so that the symbol before it names a function?"""
        start = end = ahead + 1
        while self.is_argument(self.peek(end)):
            end += 1
        bracketed = self.spells("(", ahead=ahead) and self.spells(")", "=", ahead=end)
        return end > start and bracketed

    def is_argument(self, token: Token) -> bool:
        return token.kind in ("number", "symbol") or token.text in (",", "-", "+")

    def function(self, name: str) -> Node:
        """A function with its base, its power and its operand."""
        if name == "sqrt":
            return self.root()
        base = self.argument() if name == "log" and self.accept("_") else None
        exponent = self.script() if self.accept("^") else None
        operand = self.operand()
        if exponent == _MINUS_ONE and name in _TRIGONOMETRIC:
            name = "arc" + name
            exponent = None
        name = _FUNCTION_ALIASES.get(name, name)
        args = operand.args if operand.kind in ("list", "seq") else (operand,)
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
        while self.operand_goes_on(self.peek()):
            factors.append(self.factor())
        return negative(product(factors)) if minus else product(factors)

    def operand_goes_on(self, token: Token) -> bool:
        """sin 2x: a bracket or a further function is a factor of its own."""
        if token.kind == "function" or token.text in ("(", "["):
            return False
        return self.starts_factor(token)

    def root(self) -> Node:
        index = number(2)
        if self.accept("["):
            index = self.sum()
            self.expect("]")
        if self.peek().text == "{":
            radicand = self.group()
        elif self.peek().text == "(":
            radicand = self.bracket()
        else:
            radicand = self.atom()
        return Node("pow", (radicand, Node("div", (number(1), index))))

    # Commands of TeX; what each is called by stands in COMMANDS, below

    def fraction(self, name: str) -> Node:
        top = self.argument()
        bottom = self.argument()
        if is_d(top) and bottom.kind == "mul" and is_d(bottom.args[0]):
            raise Symbolic("derivative")
        return rate_of(top, bottom) or Node("div", (top, bottom))

    def rate(self, name: str) -> Node:
        """A name under a dot or two: how fast it changes."""
        return symbol(self.raw() + "'" * name.count("d"))

    def binomial(self, name: str) -> Node:
        return Node("call", (self.argument(), self.argument()), "binom")

    def rounding(self, name: str) -> Node:
        """\\lfloor ... \\rfloor, \\lceil ... \\rceil."""
        content = self.answer()
        function = name[1:]
        if self.next().text != f"r{function}":
            raise ParseError("a floor or ceiling without end")
        return Node("call", (content,), function)

    def empty_set(self, name: str) -> Node:
        return Node("set")

    def decorated(self, name: str) -> Node:
        """A name under an arrow or a hat, with an index; a line over it changes nothing."""
        letters = self.raw()
        decorated = letters if name == "overline" else f"{name} {letters}"
        return symbol(f"{decorated}_{self.raw()}" if self.accept("_") else decorated)

    def shape(self, name: str) -> Node:
        """\\angle ABC, \\triangle ABC: one symbol."""
        letters = ""
        while self.peek().kind == "symbol":
            letters += self.next().text
        return symbol(name + letters)

    # Whatever has two ends: groups, absolute values, brackets, environments

    def group(self) -> Node:
        """{...}, transparent."""
        self.expect("{")
        with self.within(PLAIN):
            node = self.contents()
        self.expect("}")
        return node

    def bars(self) -> Node:
        with self.within(self.marks._replace(in_bars=True)):
            content = self.sum()
        self.expect("|")
        if content.kind == "seq":  # the length of a vector
            squares = tuple(Node("pow", (arg, number(2))) for arg in content.args)
            return Node("pow", (Node("add", squares), number(Fraction(1, 2))))
        return Node("call", (content,), "abs")

    def bracket(self) -> Node:
        """(a), a tuple, an interval, a set, or a set by its condition."""
        opening = self.next().text
        if opening in ("\\{", "{"):
            return self.braces(opening.replace("{", "}"))
        with self.within(PLAIN):
            content = self.answer()
        closing = self.next().text
        if closing not in (")", "]"):
            raise ParseError("a bracket without end")
        ends = opening + closing
        if content.kind == "list":
            return Node("seq", content.args, ends)
        if ends in ("()", "[]"):
            return content
        raise ParseError("an interval with one end")

    def bars_inside(self) -> int:
        """How many bars stand in this group, and in none inside it?"""
        depth = 1
        bars = 0
        ahead = 0
        while depth and self.peek(ahead).kind != "end":
            ahead += 1
            text = self.peek(ahead).text
            depth += _BRACKETS.get(text, 0)
            bars += depth == 1 and text == "|"
        return bars

    def braces(self, closing: str) -> Node:
        """The elements of a set, or an element and its condition, behind the opening brace."""
        condition = None
        with self.within(Marks(in_set=True)):
            is_empty = self.peek().text == closing
            content = Node("list") if is_empty else self.answer()
            if self.peek().text in ("|", ":"):
                self.position += 1
                self.marks = PLAIN
                condition = self.answer()
        if not self.accept(closing):
            raise ParseError("a set without end")
        if condition is not None:
            return Node("builder", (content, condition))
        if content.kind == "builder":
            return content
        return Node("set", content.args if content.kind == "list" else (content,))

    def environment(self, name: str) -> Node:
        """A matrix, or a system of relations."""
        kind = self.raw()
        if kind == "array" and self.peek().text == "{":
            self.raw()
        with self.within(Marks(in_cells=True)):
            rows = self.rows()
            self.expect("end")
            self.raw()
        cells = tuple(cell for row in rows for cell in row)
        if kind in _SYSTEMS:
            return Node("list", cells)
        if not rows or len({len(row) for row in rows}) != 1:
            raise ParseError("a matrix with ragged rows")
        matrix = Node("matrix", cells, (len(rows), len(rows[0])))
        return determinant(matrix) if kind == "vmatrix" else matrix

    def rows(self) -> list[list[Node]]:
        """The cells up to the end of an environment; empty rows are none."""
        rows: list[list[Node]] = [[]]
        while self.peek().text != "end":
            if self.accept("\\\\"):
                rows.append([])
            elif self.accept("&"):
                pass
            elif self.peek().kind == "end" or sum(map(len, rows)) > CELLS:
                if self.at_end():
                    raise ParseError("a matrix without end")
                raise LimitExceeded("cells")
            else:
                rows[-1].append(self.answer())
        return [row for row in rows if row]

    # Whatever runs: \\sum_{k=1}^{n} k^2, \\prod, \\int_0^1 x^2 dx, \\lim_{x \\to 0} x

    def series(self, name: str) -> Node:
        """Bounds in either order, then the term. Any other condition is not known."""
        self.series_count += 1
        if self.series_count > SERIES:
            raise LimitExceeded("too many sums")
        bounds = self.bounds()
        first = bounds.get("_")
        variable = None
        if name == "int":
            variable = self.differential()
        elif first and first.kind == "relation" and len(first.args) == 2:
            variable, first = first.args
        body = replace(self.term(), _DIFFERENTIAL, number(1))
        last = first if name == "lim" else bounds.get("^")
        if variable is None or variable.kind != "symbol" or has_series(body):
            raise Symbolic(f"the bounds of {name}")
        if first is None or last is None:
            raise Symbolic(f"the bounds of {name}")
        index = variable.value
        body = replace(_indexed(body, index), index, symbol(RUNNING))
        return Node("series", (body, first, last), name)

    def bounds(self) -> dict[str, Node]:
        """What stands below and above, by the signs _ and ^."""
        bounds: dict[str, Node] = {}
        while self.peek().text in ("_", "^") and self.peek().text not in bounds:
            sign = self.next().text
            bounds[sign] = self.script()
        return bounds

    def differential(self) -> Node | None:
        """The x of the first dx ahead, which becomes a factor of one."""
        for place in range(self.position, len(self.tokens) - 1):
            if (
                self.tokens[place].text == "d"
                and self.tokens[place + 1].kind == "symbol"
            ):
                variable = self.tokens.pop(place + 1)
                self.tokens[place] = Token("symbol", _DIFFERENTIAL, False)
                return symbol(variable.text)
        return None

    COMMANDS: ClassVar[dict[str, Callable[[Parser, str], Node]]] = {
        "frac": fraction,
        "binom": binomial,
        "begin": environment,
        "emptyset": empty_set,
        **dict.fromkeys(("lfloor", "lceil"), rounding),
        **dict.fromkeys(("sum", "prod", "int", "lim"), series),
        **dict.fromkeys(("angle", "triangle"), shape),
        **dict.fromkeys(_DECORATIONS, decorated),
        **dict.fromkeys(("dot", "ddot"), rate),
    }


def _conjunction(separators: set[str]) -> str | None:
    """Whether one item of a list holds or all do, where words between them say so."""
    if separators & _ALTERNATIVES:
        return "or"
    return "and" if separators & _TOGETHER else None


def _indexed(body: Node, variable: str) -> Node:
    """The body with a_k as a sequence's element, so that the k in it runs too."""
    names = {part.value for part in walk(body) if part.kind == "symbol"}
    for name in sorted(name for name in names if "_" in name):
        sequence, _, index = name.partition("_")
        if variable not in index:
            continue
        element = Parser(tokens(index), False).answer()
        if element.kind in ("mul", "list", "relation", "text"):  # x_{ij}, x_{i,j}
            raise ParseError("indices")
        body = replace(body, name, Node("call", (element,), f"index {sequence}"))
    return body
