"""Paths into what a row holds: `years[].problems[]`, `answers[?correct].label`.

They are JMESPath: one grammar with one suite of tests that its libraries in all languages pass,
where JSONPath has a dialect a library; it joins (`[context, ask]`) and never calls out, and its
library is pure Python without a dependency. A name that a row has is that column, whatever signs
stand in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from ..errors import UserError

LONGEST = 300  # characters of a path
MOST_PICKS = 3  # `[a, b]` in a path: each may double what is there
_SIGNS = re.compile(r"[.\[*|@&({]")
_STEP = re.compile(r"(?<=\])\.(?=\w|\")")  # `years[].problems[]` takes two
_CALLED = re.compile(r"\[.*|\W*$")  # behind the name of a step
_OPENING, _CLOSING = "[({", "])}"


def is_path(name: str) -> bool:
    """Whether a name that is no column may lead into one.

    >>> [is_path(name) for name in ("answers[].text", "meta.year", "Question", "Nr. (old)")]
    [True, True, False, False]
    """
    try:
        return bool(_SIGNS.search(name)) and _compiled(name) is not None
    except UserError:
        return False


def pieces(names: str) -> list[str]:
    """Several names with commas between them; those inside of brackets part nothing.

    >>> pieces("A, B"), pieces("rows[*].[a, b]")
    (['A', 'B'], ['rows[*].[a, b]'])
    """
    depth = 0
    start = 0
    found: list[str] = []
    for place, sign in enumerate(names):
        depth += (sign in _OPENING) - (sign in _CLOSING)
        if sign == "," and depth <= 0:
            found.append(names[start:place].strip())
            start = place + 1
    return [*found, names[start:].strip()]


def value_of(row: Any, name: str) -> Any:
    """What stands in a row under a name: a column, several (a list), or a path; None of nothing.

    >>> row = {"context": "Look.", "ask": {"text": "Why?"}}
    >>> value_of(row, "ask.text"), value_of(row, "context, ask.text")
    ('Why?', ['Look.', 'Why?'])
    """
    if isinstance(row, dict) and name in row:
        return row[name]
    if "," in name and len(parts := pieces(name)) > 1:
        return [value_of(row, part) for part in parts]
    return _found(row, name) if is_path(name) else None


def root_of(name: str) -> str:
    """The column that a path begins in; the name itself of what is no path."""
    if not is_path(name):
        return name
    match = re.match(r'[\s\[(]*(?:"([^"]+)"|(\w+))', name)
    return (match[1] or match[2]) if match else name


def check_path(name: str) -> None:
    """Raises UserError for what is no path, saying where, and how it is written."""
    _compiled(name)


def rows_at(value: Any, path: str) -> list[Any]:
    """The rows that a path leads to, each with what stands around it.

    The plain values around a row are columns of it, called by the way to them: `years.year`.
    Raises UserError for a path that leads nowhere.

    >>> paper = {"cup": "Spring", "years": [{"year": 2001, "problems": [{"q": "1+1?"}]}]}
    >>> rows_at(paper, "years[].problems[]")
    [{'cup': 'Spring', 'years.year': 2001, 'q': '1+1?'}]
    """
    check_path(path)
    places: list[tuple[Any, dict[str, Any]]] = [(value, {})]
    way = ""
    for step in _STEP.split(path):
        below: list[tuple[Any, dict[str, Any]]] = []
        for one, around in places:
            near = around | _plain(one, way)
            below += [(inner, near | key) for inner, key in _inside(one, step)]
        places = below
        called = _CALLED.sub("", step)
        way += f"{called}." if called else ""
    rows = [
        around | one if isinstance(one, dict) else one
        for one, around in places
        if one is not None
    ]
    if not any(isinstance(row, dict) for row in rows):
        raise UserError(f"the path {path!r} leads to no row", _there(value))
    return rows


def _inside(value: Any, step: str) -> Iterator[tuple[Any, dict[str, Any]]]:
    """What a step of a path leads to; behind `*`, each with its name."""
    front, star, _ = step.rpartition("*")
    if star and step.endswith("*") and not front.endswith("["):
        record = _found(value, front.rstrip(".")) if front.rstrip(".") else value
        for name, inner in record.items() if isinstance(record, dict) else ():
            yield inner, {front + "name": name}
        return
    found = _found(value, step)
    for inner in found if isinstance(found, list) else [found]:
        yield inner, {}


def _plain(value: Any, way: str) -> dict[str, Any]:
    """The texts and numbers of a record, by the way to them."""
    if not isinstance(value, dict):
        return {}
    return {
        way + str(name): one
        for name, one in value.items()
        if isinstance(one, str | int | float) and not isinstance(one, bool)
    }


def _found(value: Any, path: str) -> Any:
    import jmespath.exceptions

    try:
        return _compiled(path).search(value)
    except (jmespath.exceptions.JMESPathError, RecursionError) as error:
        raise UserError(f"the path {path!r}: {error}", "correct it") from error


@lru_cache(maxsize=256)
def _compiled(path: str) -> Any:
    import jmespath
    import jmespath.exceptions

    if len(path) > LONGEST or path.count("[") + path.count("{") > 4 * MOST_PICKS:
        raise UserError(
            f"a path of {len(path)} characters: {path[:40]!r}", "write a shorter one"
        )
    try:
        compiled = jmespath.compile(path)
    except (jmespath.exceptions.JMESPathError, RecursionError) as error:
        where = " ".join(str(error).split("\n", 1)[0].split())
        raise UserError(f"{path!r} is no path: {where}", _remedy(path)) from error
    if _picks(compiled.parsed) > MOST_PICKS:
        raise UserError(
            f"the path {path!r} picks more than {MOST_PICKS} times", "pick once"
        )
    return compiled


def _picks(node: Mapping[str, Any]) -> int:
    own = int(str(node["type"]).startswith("multi_select"))
    inner = (child for child in node.get("children", ()) if isinstance(child, dict))
    return own + sum(map(_picks, inner))


def _remedy(path: str) -> str:
    """How it may be meant; names of other letters stand in quotes."""
    if named := re.search(r"\[([A-Za-z_]\w*)\]", path):
        return f"those where it holds are [?{named[1]}]"
    if not path.isascii():
        return "write names of other letters in double quotes"
    return "write it as years[].problems[], answers[?correct].label, [context, ask]"


def _there(value: Any) -> str:
    """What stands at the top, for somebody who looks for the way."""
    first = value[0] if isinstance(value, list) and value else value
    if not isinstance(first, dict):
        return f"there is {str(value)[:60]}"
    where = "in each" if first is not value else "there"
    return f"{where}: {', '.join(map(str, first))[:300]}"
