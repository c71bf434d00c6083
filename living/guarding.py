"""Guards: how values of a seed are worked out, and how a seed is refused with its line."""

from __future__ import annotations

import re
from typing import Any

from ..errors import UserError
from .exact import Exact, number
from .figures import Broken
from .reading import Seed, Values


class Refused(UserError):
    """A seed that is not to be used, with its line, and the parameters that show why."""


class Unfit(ValueError):
    """Parameters that make no good variant: others are drawn."""

    def __init__(self, why: str, *keys: str | int) -> None:
        super().__init__(why)
        self.keys = keys


def worked(seed: Seed, values: Values, text: Any, *keys: str | int) -> Exact:
    try:
        value = seed.evaluate(text, values)
        number(value)
    except ValueError as error:
        raise Unfit(f"{text}: {error}", *keys) from error
    return value


def filled_text(seed: Seed, values: Values, *keys: str | int) -> Any:
    part: Any = seed.data
    for key in keys:
        part = part[key]
    return guarded(lambda: seed.template(part).fill(values, seed.decimals), *keys)


def guarded(make: Any, *keys: str | int) -> Any:
    try:
        return make()
    except Broken:
        raise
    except ValueError as error:
        raise Unfit(str(error), *keys) from error


def parameters_of(seed: Seed, values: Values) -> str:
    return ", ".join(f"{name} = {values[name]}" for name in seed.data["vary"])


def refused(seed: Seed, values: Values, what: str, *keys: str | int) -> Refused:
    return Refused(
        f"{seed.file.at(*keys)}: {what} (with {parameters_of(seed, values)})",
        "correct the seed: it is wrong for these parameters",
    )


def derive(seed: Seed, values: dict[str, Exact]) -> None:
    for name in seed.order:
        if name not in values:
            values[name] = seed.evaluate(seed.data["derive"][name], values)


def stands(letter: str, part: str, text: str) -> bool:
    return bool(re.search(rf"(?<!{letter}){re.escape(part)}(?!{letter})", text))


def uses(text: str, name: str) -> bool:
    return stands("[A-Za-z_]", name, text)
