"""Numbers and what stands behind them: degrees, percent, units, a base, a repeating part."""

from __future__ import annotations

import re
from fractions import Fraction

from .parser_state import State
from .tokens import Token, Unreadable
from .tree import Node, number
from .units import measure

NUMERALS = {
    word: number(value)
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty",
        "零 一 二 三 四 五 六 七 八 九 十 十一 十二",
    )
    for value, word in enumerate(words.split())
}
_MAGNITUDES = {
    "dozen": 12, "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9,
    "trillion": 10**12, "万": 10**4, "亿": 10**8,
}  # fmt: skip
_TEMPERATURES = {"degrees celsius": "celsius", "degree celsius": "celsius", "degrees c": "celsius",
                 "degrees fahrenheit": "fahrenheit", "degree fahrenheit": "fahrenheit"}  # fmt: skip
DEGREES = frozenset(["degree", "degrees", "deg", "度", "°"])
PERCENT = frozenset(["percent", "pct", "percentage", "per cent", "%"])
_ORDINALS = frozenset(["th", "st", "nd", "rd"])
_PERIOD = re.compile(r"(?:(\d)\1\1+|(?<=\.)(\d{2,6})\2+|(?<=\.\d)(\d{2,6})\3+)$")  # 0.1666...
NO_UNIT = frozenset(
    "for where with when if such because since and or to 和 或 与 及 且 其中".split()
)


class Numbers(State):
    """The rules for numbers."""

    def number(self, token: Token, one_digit: bool) -> Node:
        text = token.text
        if one_digit and len(text) > 1 and text.isdigit():
            self.position -= 1
            self.tokens[self.position] = Token("number", text[1:], False)
            return number(int(text[0]), text[0])
        if self.thousands and not one_digit and self.depth <= 1:
            text = self.grouped(text)
        if self.peek().text == "_":
            return self.based(text)
        follows = self.peek()
        if "." in text and follows.text in ("overline", "dot") and follows.kind == "command":
            return self.repeating(text)
        if "." in text and follows.text == "ldots" and (period := _PERIOD.search(text)):
            self.position += 1
            return _periodic(text[: period.start()], next(filter(None, period.groups())))
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

    def based(self, text: str) -> Node:
        """4343_7: a number in another base."""
        self.position += 1
        base = self.argument()
        if base.kind == "number" and base.value.denominator == 1 and 2 <= base.value <= 36:
            try:
                return Node(
                    "number", (), Fraction(int(text, int(base.value))), f"{text}_{base.value}"
                )
            except ValueError:
                pass
        raise Unreadable("a number with an index")

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
            raise Unreadable("a repeating part without digits")
        return _periodic(text, digits)

    def mixed(self, whole: Node, top: str, bottom: str) -> Node:
        """2\\frac{1}{3}: the sum of both, with the sign of the whole."""
        if not (top.isdigit() and bottom.isdigit() and int(bottom)):
            raise Unreadable("a mixed number without fraction")
        part = Fraction(int(top), int(bottom))
        return Node("number", (), whole.value + part, "mixed")

    def degree_follows(self) -> bool:
        return self.peek(1).text == "degree" or (
            self.peek(1).text == "{" and self.peek(2).text == "degree" and self.peek(3).text == "}"
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
            return Node("unit", (node,), {"C": "celsius", "F": "fahrenheit"}[self.next().text])
        return Node("degree", (node,))

    def unit(self, node: Node) -> Node:
        """Words behind a value: degrees, percent, an ordinal's ending, a unit or a remark."""
        words = [self.next().text.lower()]
        while True:
            token = self.peek()
            if token.kind == "word" and token.text.lower() not in NO_UNIT:
                words.append(self.next().text.lower())
            elif token.text == "/" and self.peek(1).kind in ("word", "symbol"):
                self.position += 1
                words.append("/" + self.next().text)
            elif token.text == "^" and self.peek(1).kind == "number":
                self.position += 1
                words.append("^" + self.next().text)
            elif token.text == "^" and self.peek(1).text == "{" and self.peek(3).text == "}":
                words.append("^" + self.peek(2).text)
                self.position += 4
            elif token.text == "." and self.peek(1).kind in ("word", "end"):
                self.position += 1
            else:
                break
        if scaled := _MAGNITUDES.get(words[0]) or _MAGNITUDES.get(words[0][0]):
            node = Node("mul", (number(scaled), node))
            words[0] = "" if words[0] in _MAGNITUDES else words[0][1:]
        phrase = " ".join(words).replace(" ^", "^").replace(" /", "/").strip()
        if not phrase:
            return node
        if phrase in _ORDINALS:
            return node
        if phrase in DEGREES:
            return Node("degree", (node,))
        if phrase in PERCENT:
            return Node("percent", (node,))
        phrase = _TEMPERATURES.get(phrase, phrase)
        return self.compound(node, phrase)

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


def _periodic(text: str, digits: str) -> Node:
    """The decimal `text` with `digits` repeated behind it for ever."""
    places = len(text.partition(".")[2])
    tail = Fraction(int(digits), (10 ** len(digits) - 1) * 10**places)
    return number(Fraction(text.rstrip(".")) + tail, text + digits)
