"""Sums and products over a running variable, `\\sum_{k=1}^{n} k^2`."""

from __future__ import annotations

from .parser_state import State
from .tokens import Refused, Symbolic, tokens
from .tree import RUNNING, Node, replace, symbol, walk

SERIES = 4  # in one answer


class Series(State):
    """The rule for series; what it does not know is left to computer algebra."""

    def series(self, name: str) -> Node:
        """Bounds in either order, then the term. Raises Symbolic for any other condition."""
        self.series_read += 1
        if self.series_read > SERIES:
            raise Refused("too many sums")
        bounds: dict[str, Node] = {}
        while self.peek().text in ("_", "^") and self.peek().text not in bounds:
            sign = self.next().text
            bounds[sign] = self.script()
        start, last = bounds.get("_"), bounds.get("^")
        if start is None or last is None or start.kind != "relation" or start.value != ("=",):
            raise Symbolic(name)
        variable, first = start.args
        body = self.term()
        ends = walk(first) + walk(last)
        if variable.kind != "symbol" or symbol("infty") in ends or _has_series(body):
            raise Symbolic(name)
        body = replace(self.indexed(body, variable.value), variable.value, symbol(RUNNING))
        return Node("series", (body, first, last), name)

    def indexed(self, body: Node, variable: str) -> Node:
        """The body with a_k as a sequence's element, so that the k in it runs too."""
        for name in {n.value for n in walk(body) if n.kind == "symbol" and "_" in n.value}:
            sequence, _, index = name.partition("_")
            if variable in index:
                element = type(self)(tokens(index), False).answer()
                if element.kind in ("mul", "list", "relation", "text"):  # x_{ij}, x_{i,j}
                    raise Symbolic("indices")
                body = replace(body, name, Node("call", (element,), f"index {sequence}"))
        return body


def _has_series(node: Node) -> bool:
    return any(n.kind == "series" for n in walk(node))
