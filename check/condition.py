"""Conditions over a problem's labels: `level >= 3 and subject in [algebra, logic]`.

```
condition  = both {"or" both}
both       = one {"and" one}
one        = "not" one | "(" condition ")" | name [operator value | ["not"] "in" "[" values "]"]
operator   = "==" | "!=" | "<" | "<=" | ">" | ">="
value      = number | 'text' | "text" | word
```
A name alone asks whether the label is there. It is parsed here and never evaluated as Python.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import UserError

LONGEST = 2000  # characters
DEEPEST = 50  # brackets and `not` inside one another
Labels = Mapping[str, Any]
Condition = Callable[[Labels], bool]

_TOKEN = re.compile(
    r"\s*(?:(?P<number>-?\d+(?:\.\d+)?(?![\w.]))|'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\""
    r"|(?P<word>[^\W\d][\w-]*)|(?P<sign>[<>=!]=|[<>()\[\],]))"
)
_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_KEYWORDS = frozenset({"and", "or", "not", "in"})


def parse_condition(text: str) -> tuple[Condition, set[str]]:
    """The condition as a function of labels, and the names it asks for.

    A label that is not there equals nothing and is not below or above anything; a list is equal to
    each of its entries, and as large as their number (`knowledge >= 2`). Raises UserError naming
    the place that cannot be read.

    >>> holds, names = parse_condition("level >= 3 and not subject in [logic, 'graph theory']")
    >>> holds({"level": 4, "subject": "algebra"}), holds({"level": 4, "subject": "logic"})
    (True, False)
    >>> sorted(names)
    ['level', 'subject']
    """
    if len(text) > LONGEST:
        raise UserError(
            f"condition of {len(text)} characters", f"the limit is {LONGEST}"
        )
    parser = _Parser(text)
    condition = parser.condition(0)
    if parser.kind:
        raise parser.unexpected("and, or, or the end")
    return condition, parser.names


class _Parser:
    """Recursive descent over the tokens; `kind` and `value` are the token that comes next."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.end = text, 0, 0
        self.names: set[str] = set()
        self.kind, self.value = "", ""
        self.advance()

    def advance(self) -> str:
        """The token that was next; the one behind it becomes next."""
        taken, self.at = self.value, self.end
        if not self.text[self.end :].strip():
            self.kind = self.value = ""
            return taken
        token = _TOKEN.match(self.text, self.end)
        if token is None:
            self.kind, self.value = "?", self.text[self.end :].strip()[:1]
            raise self.unexpected("a name, a value or a sign")
        self.kind, self.value, self.end = (
            str(token.lastgroup),
            token[str(token.lastgroup)],
            token.end(),
        )
        return taken

    def is_next(self, *values: str) -> bool:
        return self.kind in ("sign", "word") and self.value in values

    def condition(self, depth: int) -> Condition:
        return self.joined(
            "or", any, lambda: self.joined("and", all, lambda: self.one(depth))
        )

    def joined(
        self, word: str, join: Callable[[Any], bool], inner: Callable[[], Condition]
    ) -> Condition:
        parts = [inner()]
        while self.is_next(word):
            self.advance()
            parts.append(inner())
        return (
            parts[0]
            if len(parts) == 1
            else lambda labels: join(p(labels) for p in parts)
        )

    def one(self, depth: int) -> Condition:
        if depth > DEEPEST:
            raise UserError(
                f"condition nested deeper than {DEEPEST}", "write it more simply"
            )
        if self.is_next("not"):
            self.advance()
            inner = self.one(depth + 1)
            return lambda labels: not inner(labels)
        if self.is_next("("):
            self.advance()
            inner = self.condition(depth + 1)
            self.expect(")")
            return inner
        return self.comparison()

    def comparison(self) -> Condition:
        if self.kind != "word" or self.value in _KEYWORDS:
            raise self.unexpected("the name of a label")
        name = self.advance()
        self.names.add(name)
        if self.is_next("==", "!="):
            wanted = self.advance() == "=="
            value = self.constant()
            return lambda labels: equals(labels.get(name), value) == wanted
        if self.is_next(*_ORDER):
            return self.ordered(name, _ORDER[self.advance()])
        if self.is_next("in", "not"):
            wanted = self.advance() == "in"
            if not wanted:
                self.expect("in")
            values = self.values()
            return lambda labels: (
                any(equals(labels.get(name), v) for v in values) == wanted
            )
        return lambda labels: labels.get(name) not in (None, "", [])

    def ordered(self, name: str, compare: Callable[[Any, Any], bool]) -> Condition:
        if self.kind != "number":
            raise self.unexpected("a number")
        limit = float(self.advance())

        def holds(labels: Labels) -> bool:
            value = labels.get(name)
            if value in (None, "", []):
                return False
            if isinstance(value, list):
                value = len(value)
            try:
                return compare(float(value), limit)
            except (TypeError, ValueError):
                raise UserError(
                    f"label {name!r} is {value!r}, no number",
                    "compare it with == or in",
                ) from None

        return holds

    def values(self) -> list[str]:
        self.expect("[")
        values = [self.constant()]
        while self.is_next(","):
            self.advance()
            values.append(self.constant())
        self.expect("]")
        return values

    def constant(self) -> str:
        if self.kind not in ("number", "single", "double", "word"):
            raise self.unexpected("a value")
        return self.advance()

    def expect(self, sign: str) -> None:
        if not self.is_next(sign):
            raise self.unexpected(repr(sign))
        self.advance()

    def unexpected(self, wanted: str) -> UserError:
        found = repr(self.value) if self.kind else "the end"
        return UserError(
            f"condition {self.text[:200]!r}: {found} at character {self.at + 1}",
            f"expected {wanted}",
        )


def equals(label: Any, value: Any) -> bool:
    """Whether a label says `value`: as a number, as a text, or as one entry of a list.

    `yes` and `no` are what YAML reads as true and false.

    >>> equals(3, "3.0"), equals("yes", True), equals(["a", "b"], "b"), equals(None, "")
    (True, True, True, False)
    """
    if isinstance(label, list):
        return any(equals(entry, value) for entry in label)
    return label is not None and _plain(label) == _plain(value)


def _plain(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    try:
        return float(value)
    except (TypeError, ValueError):
        return str(value).strip().casefold()
