"""Kinds of answers: the built-in ones, which the grammar of answers compares, and those of others.

A kind of one's own is a function that compares two answers. What else the parts of the package
need to know of it is said by `@answer_kind`: how it is found, how it is recognised, how asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from ..errors import MachineError, UserError
from .bugs import bug
from .registry import Registry, mark

A = TypeVar("A")
F = TypeVar("F", bound=Callable[..., Any])

BUILT_IN = dict.fromkeys(
    (
        "choice",
        "choices",  # several letters, such as ABD
        "number",
        "expression",
        "equation",
        "interval",
        "set",
        "tuple",
        "matrix",
        "text",
        "parts",  # several sub-answers, each a `Part`
    ),
    "grading.verdicts.grade:grade",
)
ANSWER_KINDS = Registry("answer_kind", BUILT_IN, called="kind", consulted=True)


class OwnKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of answer that is not built in."""

    name: str
    equal: Callable[[str, str], bool]
    infer: Callable[[str], bool] | None
    find: Callable[[str], str | None] | None
    asks: str

    def ask(self, function: Callable[..., A], *texts: str) -> A | None:
        """What one of its functions says; None where it cannot read a text.

        Raises UserError for a bug in it.
        """
        try:
            return function(*texts)
        except (UserError, MachineError):
            raise
        except ValueError:
            return None
        except Exception as error:
            on = f"the text {texts[0][:80]!r}"
            raise bug(f"answer_kind {self.name!r}", function, error, on) from error


def answer_kind(
    name: str,
    *,
    infer: Callable[[str], bool] | None = None,
    find: Callable[[str], str | None] | None = None,
    asks: str = "",
) -> Callable[[F], F]:
    """Mark a function `(prediction, gold) -> bool` as a kind of answer; it raises ValueError for
    what it cannot read.

    `infer(gold)` says whether a gold of undeclared kind is one; `find(reply)` takes the answer out
    of a reply (by default what every reply is searched for); `asks` is a line that prompts and
    exports put behind the question. Raises UserError for what is no function.

    Example: `@answer_kind("roman", asks="Answer with a Roman numeral.")`
    """
    for what, function in (("infer", infer), ("find", find)):
        if function is not None and not callable(function):
            raise UserError(
                f"answer kind {name!r}: {what} is {function!r:.60}", "give a function"
            )
    return mark("answer_kind", name, infer=infer, find=find, asks=asks)


def own_kind(name: str | None) -> OwnKind | None:
    """The kind called `name`; None of a built-in one. Raises UserError naming the nearest known."""
    if name is None or name in BUILT_IN:
        return None
    equal = ANSWER_KINDS.load(name)
    return OwnKind(equal=equal, **equal.__answer_kind__)


def inferred(gold: str) -> str | None:
    """The first kind of others that takes the gold as its own."""
    for function in ANSWER_KINDS.added():
        kind = OwnKind(equal=function, **function.__answer_kind__)
        if kind.infer is not None and kind.ask(kind.infer, gold):
            return kind.name
    return None


def asks(name: str) -> str:
    """The line behind a question with an answer of this kind; "" of a built-in one."""
    kind = own_kind(name)
    return kind.asks if kind else ""
