"""The lower half of the reader: powers, functions, symbols, commands."""

from __future__ import annotations

from fractions import Fraction

from .parser_brackets import Brackets
from .parser_numbers import NO_UNIT, Numbers
from .parser_series import Series
from .parser_state import CLOSERS
from .tokens import Refused, Symbolic, Token, Unreadable
from .tree import Node, negative, number, product, symbol

NESTING = 64
_OPENS = frozenset(["(", "[", "\\{"])
_DECORATIONS = frozenset("vec overrightarrow hat widehat tilde overline mathbb mathcal".split())
_CALLED = frozenset("fgh")
_TRIGONOMETRIC = frozenset("sin cos tan cot sec csc sinh cosh tanh".split())


class Atoms(Numbers, Brackets, Series):
    """The rules from factor downwards; `Reader` adds those above."""

    def starts_factor(self, token: Token) -> bool:
        """May this token begin a factor without a multiplication sign before it?"""
        if token.kind in ("number", "symbol", "function"):
            return True
        if token.kind == "command":
            return token.text not in CLOSERS
        if token.text == "|":
            return not (self.in_set or self.in_bars)
        return token.kind == "mark" and token.text in ("(", "[", "{", "\\{")

    def factor(self) -> Node:
        """An atom with its powers, factorials, percent and degree signs, and unit."""
        self.depth += 1
        if self.depth > NESTING:
            raise Refused("nested too deeply")
        node = self.atom()
        while True:
            token = self.peek()
            if token.text == "!" and self.peek(1).text != "=":
                self.position += 1
                node = Node("call", (node,), "factorial")
            elif token.text == "%":
                self.position += 1
                node = Node("percent", (node,))
            elif token.text == "degree" or (token.text == "^" and self.degree_follows()):
                node = self.degrees(node)
            elif token.text == "^":
                node = self.power(node)
            elif token.kind == "word" and token.text.lower() not in NO_UNIT:
                node = self.unit(node)
            else:
                self.depth -= 1
                return node

    def power(self, base: Node) -> Node:
        self.position += 1
        if self.peek().text == "{" and self.peek(1).kind == "word":  # 12^{th}
            self.position += 1
            while self.next().text not in ("}", ""):
                pass
            return base
        exponent = self.script()
        if self.peek().text == "_" and base.kind == "symbol":  # v^2_0
            self.position += 1
            base = symbol(f"{base.value}_{self.raw()}")
        return Node("pow", (base, exponent))

    def script(self) -> Node:
        """An exponent: a group, or one signed token."""
        if self.peek().text == "{":
            return self.group()
        if self.peek().text in ("+", "-"):
            minus = self.next().text == "-"
            node = self.script()
            return negative(node) if minus else node
        if self.peek().kind == "number":
            return number(Fraction(self.peek().text.rstrip(".")), self.next().text)
        return self.atom()

    def argument(self) -> Node:
        """A TeX argument: a group, or one token (one digit of a number)."""
        return self.group() if self.peek().text == "{" else self.atom(one_digit=True)

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
            if self.peek(1).text == "}":  # {} before a script
                self.position += 2
                return self.atom(one_digit)
            return self.group()
        if token.text in _OPENS and token.kind == "mark":
            return self.bracket()
        raise Unreadable(f"unexpected {token.text or 'end'!r}")

    def symbol(self, token: Token) -> Node:
        name = token.text
        if self.peek().text == "_":
            self.position += 1
            name += "_" + self.raw()
        while self.peek().text == "'":
            self.position += 1
            name += "'"
        if self.peek().text == "(" and (
            name.split("_")[0].rstrip("'") in _CALLED or self.defines()
        ):
            arguments = self.bracket()
            return Node("call", arguments.args if arguments.kind == "seq" else (arguments,), name)
        return symbol(name)

    def defines(self) -> bool:
        """Does `(x) =` follow, so that the symbol before it names a function?"""
        following = [self.peek(k).text for k in range(2, 4)]
        return following == [")", "="] and self.peek(1).kind == "symbol"

    def function(self, name: str) -> Node:
        if name == "sqrt":
            return self.root()
        base = None
        if name == "log" and self.peek().text == "_":
            self.position += 1
            base = self.argument()
        exponent = None
        if self.peek().text == "^":
            self.position += 1
            exponent = self.script()
        argument = self.operand()
        if exponent == number(-1, "-1") and name in _TRIGONOMETRIC:
            name, exponent = "arc" + name, None
        name = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "lg": "log"}.get(name, name)
        args = argument.args if argument.kind in ("list", "seq") else (argument,)
        node = Node("call", args if base is None else (*args, base), name)
        return node if exponent is None else Node("pow", (node, exponent))

    def operand(self) -> Node:
        """A function's argument: a bracket, or the product that follows."""
        if self.peek().text in ("(", "[", "{"):
            return self.group() if self.peek().text == "{" else self.bracket()
        minus = self.peek().text == "-"
        self.position += minus
        factors = [self.factor()]
        while self.starts_factor(self.peek()) and self.peek().kind != "function":
            if self.peek().text in ("(", "["):
                break
            factors.append(self.factor())
        return negative(product(factors)) if minus else product(factors)

    def root(self) -> Node:
        index = number(2)
        if self.peek().text == "[":
            self.position += 1
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
                raise Unreadable("a floor or ceiling without end")
            return Node("call", (content,), name[1:])
        if name in ("sum", "prod"):
            return self.series(name)
        if name == "begin":
            return self.environment()
        if name == "emptyset":
            return Node("set")
        if name in _DECORATIONS:
            inner = self.raw()
            return symbol(inner if name == "overline" else f"{name} {inner}")
        if name in ("angle", "triangle"):
            letters = []
            while self.peek().kind == "symbol":
                letters.append(self.next().text)
            return symbol(name + "".join(letters))
        raise Unreadable(f"\\{name}")


def _is_d(node: Node) -> bool:
    return node.kind == "symbol" and node.value in ("d", "partial")
