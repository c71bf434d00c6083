"""Reading an answer: a recursive descent over tokens that gives a tree.

The grammar is that of answers in school and competition mathematics rather than of programs:
lists, sets, intervals, inequalities, systems, units and words around them are part of it. Nothing
is evaluated; size and nesting are bounded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from .parser_atoms import Atoms
from .parser_numbers import NUMERALS
from .spelling import clean
from .tokens import Refused, Unreadable, tokens
from .tree import Node, negative, number, product

CHAIN = 64  # divisions in one term
RELATIONS = frozenset("= < > <= >= != approx in parallel perp cong".split())
SEPARATORS = frozenset(["and", "or", "和", "或", "与", "及", "且", "或者"])
ALTERNATIVES = frozenset(["or", "或", "或者"])
QUALIFIERS = frozenset("for where with when if such because since whenever provided 其中".split())
FILLERS = frozenset(
    "the answer is are final solution equals about approximately roughly only therefore thus hence "
    "so value values of x total about exactly 答案 答案是 答 为 是 约 约为 等于".split()
)


class Reader(Atoms):
    """One pass over the tokens of one answer."""

    def answer(self) -> Node:
        """Items up to a closing mark; several of them make a list."""
        items = [self.item()]
        joined = set[str]()
        while between := self.separators():
            if self.at_end():
                break
            joined |= between
            items.append(self.item())
        if len(items) == 1:
            return items[0]
        return Node("list", tuple(items), "or" if joined & ALTERNATIVES else None)

    def separators(self) -> set[str]:
        """Pass commas, semicolons and the words between items."""
        passed = set[str]()
        while self.separates():
            passed.add(self.next().text.lower())
        return passed

    def separates(self) -> bool:
        token = self.peek()
        return token.text == "," or (token.kind == "word" and token.text.lower() in SEPARATORS)

    def item(self) -> Node:
        words = self.words()
        if words and self.peek().text in (":", "=") and not self.at_end(1):
            self.position += 1
            return Node("relation", (Node("text", (), words), self.relation()), ("=",))
        if words and (self.at_end() or self.separates()):
            return NUMERALS.get(words) or Node("text", (), words)
        if words.isascii() and words and self.peek().kind == "number" and not self.peek().gap:
            raise Unreadable("a number in a word")
        node = self.relation()
        if self.peek().kind == "word" and self.peek().text.lower() in QUALIFIERS:
            self.skip_item()
        meaning = " ".join(w for w in words.split() if w not in FILLERS)
        return Node("said", (node,), meaning) if meaning else node

    def words(self) -> str:
        """The words at this place, in lower case, joined by spaces."""
        found: list[str] = []
        while self.peek().kind == "word" and not (found and self.peek().text.lower() in SEPARATORS):
            found.append(self.next().text.lower())
            if self.peek().text == "." and self.peek(1).kind == "word":
                self.position += 1
        return " ".join(found)

    def skip_item(self) -> None:
        depth = 0
        while not self.at_end() or depth:
            text = self.peek().text
            if self.peek().kind == "end" or (depth == 0 and text == ","):
                return
            depth += {"(": 1, "{": 1, "\\{": 1, ")": -1, "}": -1, "\\}": -1}.get(text, 0)
            self.position += 1

    def relation(self) -> Node:
        """A value, or values chained by relation signs."""
        args, signs = [self.union()], []
        while self.peek().text in RELATIONS and self.peek().kind == "mark":
            sign = self.next().text
            if self.peek().text == "=" and sign in "<>!":
                self.position += 1
                sign += "="
            if self.at_end() and sign == "=":
                break
            signs.append(sign)
            args.append(self.union())
        return Node("relation", tuple(args), tuple(signs)) if signs else args[0]

    def union(self) -> Node:
        node = self.ratio()
        while self.peek().text in ("cup", "cap", "setminus") and self.peek().kind == "mark":
            kind = {"cup": "union"}.get(self.peek().text, self.peek().text)
            self.position += 1
            right = self.ratio()
            same = node.kind == kind == "union"
            node = Node(kind, (*node.args, right) if same else (node, right))
        return node

    def ratio(self) -> Node:
        args = [self.sum()]
        while (self.peek().text == ":" and not self.in_set) or self.peek().text == "to":
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
        while (text := self.peek().text) in ("+", "-", "pm", "mp"):
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
        while (text := self.peek().text) in ("+", "-", "pm", "mp") and self.peek().kind == "mark":
            self.position += 1
            sign = {("-", "-"): "", ("-", "+"): "-", ("", "+"): ""}.get((sign, text), text)
        return sign

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
                    if divisions > CHAIN:
                        raise Refused("too many divisions")
                    factors = [Node("div", (product(factors), right))]
            elif self.starts_factor(token):
                factors = self.implied(factors)
            else:
                return product(factors)

    def implied(self, factors: list[Node]) -> list[Node]:
        """The next factor without a sign: a mixed number's fraction, or multiplication."""
        before = self.tokens[self.position - 1]
        whole = factors[-1]
        is_whole = before.kind == "number" and whole.kind == "number" and "." not in before.text
        if self.peek().kind == "number":
            if is_whole and self.peek(1).text == "/" and self.peek(2).kind == "number":
                top, bottom = self.next(), (self.next(), self.next())[1]
                return [*factors[:-1], self.mixed(whole, top.text, bottom.text)]
            if before.kind == "number":
                raise Unreadable("two numbers side by side")
        outer, right = _inside(self.factor())
        if right.kind == "text":  # 5 (apples)
            return [Node("unit", (product(factors),), right.value)]
        parts = [a.value for a in right.args if a.kind == "number"] if right.kind == "div" else []
        if is_whole and len(parts) == 2 and 0 < parts[0] < parts[1]:
            mixed = self.mixed(whole, str(parts[0]), str(parts[1]))
            return [*factors[:-1], outer(mixed)]
        return [*factors, outer(right)]


def _inside(node: Node) -> tuple[Callable[[Node], Node], Node]:
    """What stands around a value (its unit, percent or degree sign), and the value."""
    if node.kind in ("unit", "percent", "degree"):
        return lambda value: Node(node.kind, (value,), node.value), node.args[0]
    return lambda value: value, node


@lru_cache(maxsize=4096)
def read(text: str, thousands: bool = True) -> Node:
    """The tree of an answer; `thousands`: read 1,234 as one number.

    Raises Unreadable, Refused (beyond a limit) or Symbolic (needs a computer algebra system).

    >>> read("\\\\frac12").kind
    'div'
    """
    text = clean(text)
    if text.isdecimal() and len(text) < 16:
        return number(int(text), text)
    cut = tokens(text)
    if not cut:
        raise Unreadable("empty")
    reader = Reader(cut, thousands)
    try:
        node = reader.plain_fraction()
    except RecursionError:
        raise Refused("nested too deeply") from None
    except (ValueError, ArithmeticError, LookupError) as error:
        raise Unreadable(str(error)) from error
    if reader.peek().kind != "end" and reader.peek().text != "}":  # text after a stray brace
        raise Unreadable(f"stops at {reader.peek().text!r}")
    return node
