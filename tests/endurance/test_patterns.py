"""No pattern that reads releases takes more than linear work, and none more than quadratic.

Patterns are found where they are, in the modules and in what the modules keep, also those that are
put together at run time. What grows are single characters and pieces that patterns speak of. A
pattern that is quadratic takes four times four as long for a text four times as long.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import benchwright
import pytest

ROOT = Path(benchwright.__file__).parent
CHARACTERS = " \n\t.,;:!?-_*#$\\^/|'\"()[]{}<>=+&%~`0aA中、。"
PIECES = ("a ", "1 ", ". ", "\n\n", " \n", "\\ ", "\\a", "{}", "$$", "<a", "a=", "1.", "(a)", "**",
          "A. ", "the ", "\\begin{a}", "&nbsp;", "答")  # fmt: skip
# These read what others wrote, whole. Elsewhere a text is a line or a cell that somebody converts,
# or a reply, whose length and work are bounded where it is read (evaluate).
HOUSES = (
    "base",
    "errors",
    "exports",
    "hub",
    "pages",
    "pipeline",
    "problem",
    "release",
    "serving",
)
LONG = 8_000
HARMLESS = 0.02  # CPU seconds for LONG characters
STEEP = 9.0  # a linear pattern has 4, a quadratic one 16, a cubic one 64
LINE, STEEPER = 400, 32.0


class Found(NamedTuple):
    """A pattern, whether it starts at every place of a text or at one alone, and who holds it."""

    pattern: re.Pattern[str]
    searches: bool
    houses: set[str]


@cache
def patterns() -> dict[str, Found]:
    """Every compiled pattern of text that the package's modules hold, by module and name."""
    modules = [one.name for one in pkgutil.walk_packages([str(ROOT)], "benchwright.")]
    files = {
        name: ROOT / f"{name.partition('.')[2].replace('.', '/')}.py"
        for name in modules
    }
    code = {
        name: re.sub(r"(?ms)^from [\w.]+ import (?:\(.*?\)|[^\n]*)", "", path.read_text("utf-8"))
        for name, path in files.items() if path.is_file()
    }  # fmt: skip
    everywhere = searching("\n".join(code.values()))
    found: dict[str, Found] = {}
    for place in modules:
        if ".tests" in place or place.endswith("__main__"):
            continue
        try:
            module = importlib.import_module(place)
        except ImportError:
            continue  # of an extra that is not here
        here = searching(code.get(place, ""))
        for name, value in vars(module).items():
            for one in held(value):
                only = value is one and name not in (
                    here if name[0] == "_" else everywhere
                )
                known = found.setdefault(one.pattern, Found(one, not only, set()))
                known.houses.add(place.split(".")[1])
    return found


def searching(code: str) -> set[str]:
    """The names on which code searches, or which it hands on to what may."""
    return set(
        re.findall(r"\b(\w+)\.(?:search|finditer|findall|subn?|split|scanner)\b", code)
    ) | set(re.findall(r"\b(_?[A-Z]\w*)\s*[,)\]]", code))


def held(value: Any, depth: int = 4) -> Iterator[re.Pattern[str]]:
    """The patterns in a value, or in what it holds."""
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif (
        depth
        and isinstance(value, dict | list | tuple | set | frozenset)
        and len(value) < 5000
    ):
        for one in value.values() if isinstance(value, dict) else value:
            yield from held(one, depth - 1)
    elif (
        depth
        and type(value).__module__.startswith("benchwright")
        and not isinstance(value, type)
    ):
        fields = getattr(value, "__dict__", None) or {
            name: getattr(value, name, None)
            for name in getattr(value, "__struct_fields__", ())
        }
        yield from held(dict(fields), depth - 1)


def cost(one: Found, text: str) -> float:
    """CPU seconds of all that fits in a text, or of one try at its start."""
    started = time.process_time()
    if one.searches:
        for _ in one.pattern.finditer(text):
            pass
    else:
        one.pattern.match(text)
        one.pattern.fullmatch(text)
    return time.process_time() - started


def steep(one: Found, length: int = LONG, steepest: float = STEEP) -> str:
    """The piece whose repetition costs more than so much work; "" where none does."""
    for piece in (*CHARACTERS, *PIECES):
        short, long = (
            piece * (size // len(piece)) + "\0" for size in (length // 4, length)
        )
        if cost(one, long) < HARMLESS:
            continue
        spent = min(cost(one, long) for _ in range(2))
        if spent > max(HARMLESS, steepest * min(cost(one, short) for _ in range(3))):
            return f"{piece!r}: {spent:.3f} s for {length} characters"
    return ""


def test_patterns_are_found() -> None:
    assert len(patterns()) > 500


@pytest.mark.parametrize("text", [r"\s+x", r"[.!?\n]\s*y"])
def test_a_steep_pattern_is_noticed(text: str) -> None:
    assert steep(Found(re.compile(text), True, set()))


@pytest.mark.parametrize("house", HOUSES)
def test_no_pattern_is_steep(house: str) -> None:
    held_there = {text: one for text, one in patterns().items() if house in one.houses}
    assert {text: why for text, one in held_there.items() if (why := steep(one))} == {}


def test_a_pattern_that_is_worse_than_quadratic_is_noticed() -> None:
    found = Found(re.compile(r"\s*a?\s*b?\s*c"), False, set())
    assert steep(found, LINE, STEEPER)


@pytest.mark.parametrize(
    "house", sorted({path.parent.name for path in ROOT.glob("*/__init__.py")})
)
def test_no_pattern_is_worse_than_quadratic(house: str) -> None:
    held_there = {text: one for text, one in patterns().items() if house in one.houses}
    found = {
        text: why
        for text, one in held_there.items()
        if (why := steep(one, LINE, STEEPER))
    }
    assert found == {}
