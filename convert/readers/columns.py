"""What the columns of strangers' tables are: by their names, a word of them, or what stands there.

A map is proposed and never used unasked; `proposals.py` tries it on the rows before it is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...options import AROUND, KNOWN_AS, in_order, read_options
from ...problem import Problem
from ...tables import pieces, root_of, value_of
from .turns import exchange_of

DISTINCT = 0.9  # of the texts of a column that asks; few problems stand twice


def look_at_columns(
    fields: dict[str, str], columns: list[str], rows: list[dict[str, Any]]
) -> tuple[list[str], dict[str, str]]:
    """Columns that `fields` names and that are not there, and a map for fields that have none.

    A column is known by its name, by a word of it, else by what stands in it.

    >>> row = {"no": 1, "informal_statement": "What is one and one?", "opt1": 2, "opt2": 3}
    >>> look_at_columns({"id": "nr"}, [*row], [row])[1]
    {'id': 'no', 'question': 'informal_statement', 'options': 'opt1,opt2'}
    """
    named = [
        part
        for name in fields.values()
        for part in ([name] if name in columns else pieces(name))
    ]
    unknown = [
        name
        for name in dict.fromkeys(named)
        if name not in columns and all(value_of(row, name) is None for row in rows)
    ]
    named += [root_of(name) for name in named]
    suggested: dict[str, str] = {}

    def free() -> list[str]:
        taken = {part for name in suggested.values() for part in (name, *pieces(name))}
        return [c for c in columns if c not in taken and c not in named]

    for field in KNOWN_AS:
        mapped = fields.get(field, field)
        if any(root_of(part) in columns for part in [mapped, *pieces(mapped)]):
            if field in _FILLED and field not in fields:
                suggested |= _filled_by(field, field, free(), rows)
            continue
        suggested |= _suggested(field, free(), rows)
    if "options" not in {*fields, *suggested, *columns}:
        answer = suggested.get("answer", fields.get("answer", "answer"))
        for wrong in (c for c in free() if _wrong(c, answer, rows)):
            suggested["options"] = f"{answer},{wrong}"
    asked = suggested.get("question", "question" if "question" in columns else "")
    if asked and "question" not in fields and (front := _around(free(), rows)):
        suggested["question"] = ",".join([*front, asked])
    if suggested.get("answer") in columns:
        suggested |= _filled_by("answer", suggested["answer"], free(), rows)
    order = [*KNOWN_AS]
    return unknown, dict(sorted(suggested.items(), key=lambda one: order.index(one[0])))


def _in_path(column: str) -> str:
    """A column as a path names it."""
    return column if re.fullmatch(r"[A-Za-z_]\w*", column) else f'"{column}"'


def _suggested(
    field: str, free: list[str], rows: list[dict[str, Any]]
) -> dict[str, str]:
    """A column for a field, by its name or by what stands in it; a conversation is two fields."""
    names = (field, *KNOWN_AS[field])
    column = next((c for c in free if c.casefold() in names), "")
    if column.casefold() == "title" and not all(_is_text(r.get(column)) for r in rows):
        column = _asking(free, rows) or column  # one that says no sentence asks nothing
    if field == "images":
        # MathVista's `image` is a path in an archive, and `decoded_image` the picture itself.
        column = ",".join(_holding_pictures(free, rows)) or column
    if column:
        column = _led_to_text(field, column, rows)
    elif field == "options":
        column = ",".join(_counted_columns(free)) or _holding_options(free, rows)
    elif field == "question":
        if column := _talking(free, rows):
            return {field: column, "answer": column}
        column = _asking(free, rows) or _named_as_question(free, rows)
    elif field in ("answer", "solution"):
        words = {field, *KNOWN_AS[field][1:]}
        last = (c for c in free if words & {*name_words(c)[-1:]})
        long = [c for c in free if field == "answer" or _differs(c, rows)]
        anywhere = (c for c in long if words & {*name_words(c)})
        column = next(last, "") or next(anywhere, "")
    return {field: column} if column else {}


# Fields whose own column may be blank while another one holds what it should.
_FILLED = ("question", "options", "answer", "solution")


def _filled_by(
    field: str, column: str, free: list[str], rows: list[dict[str, Any]]
) -> dict[str, str]:
    """The other column that holds a field where its own is blank, and never where it is not.

    Sets that were joined keep the columns of each: AGIEval has letters in `label`, values in
    `answer`.

    >>> rows = [{"answer": None, "label": "D"}, {"answer": "5", "label": None}]
    >>> _filled_by("answer", "answer", ["label"], rows)
    {'answer': 'answer || label'}
    """
    blank = [row for row in rows if _is_blank(row.get(column))]
    others = [row for row in rows if not _is_blank(row.get(column))]
    words = {*name_words(column)}
    for other in free:
        is_longer = words <= {*name_words(other)}
        if not is_longer and other.casefold() not in KNOWN_AS[field]:
            continue
        fills = sum(not _is_blank(row.get(other)) for row in blank)
        if 2 * fills > len(blank) and all(_is_blank(r.get(other)) for r in others):
            both = f"{_in_path(column)} || {_in_path(other)}"
            return {field: both if others else other}
    return {}


def _is_blank(value: Any) -> bool:
    return value is None or value in ("", [])


def _around(free: list[str], rows: list[dict[str, Any]]) -> list[str]:
    """Columns of texts whose names say that they stand in front of what is asked."""

    def is_text(value: Any) -> bool:
        return isinstance(value, str | None)

    named = [c for c in free if c.casefold() in AROUND]
    return [
        c
        for c in named
        if all(is_text(row.get(c)) for row in rows)
        and 2 * sum(_is_text(row.get(c)) for row in rows) > len(rows)
    ]


LISTED = ("options", *KNOWN_AS["options"])
_OF_PARTS = ("sub", "part", "child")  # how names of parts of a whole begin


def not_to_be_left(
    row: dict[str, Any], unused: list[str], problem: Problem
) -> Iterator[str]:
    """Columns without which a problem is not what its row is: sub-questions, and options.

    Of a problem that has options no others are missed.
    """
    yield from (name for name in unused if _asks_more(name, row.get(name)))
    if not problem.options:
        columns = _counted_columns(unused)
        yield from columns if len(columns) > 2 else ()
        words = {*LISTED}
        for name in unused:
            said = words & {name.casefold(), *name_words(name)}
            several = said and len(read_options(row.get(name)).options) > 1
            if several and name not in columns:
                yield name


def _asks_more(column: str, value: Any) -> bool:
    """Whether a column holds questions below the question: records of sub-questions."""
    if not isinstance(value, list) or not column.casefold().startswith(_OF_PARTS):
        return False
    words = {"question", "problem", *KNOWN_AS["question"]}
    return any(
        isinstance(one, dict)
        and any(words & {str(k).casefold(), *name_words(str(k))} for k in one)
        for one in value
    )


def _led_to_text(field: str, column: str, rows: list[dict[str, Any]]) -> str:
    """A column, or the path to the text of a field where the column holds records."""
    cells = [row.get(column) for row in rows]
    if field not in ("question", "solution") or not all(
        isinstance(cell, dict) for cell in cells
    ):
        return column
    names = ("text", "latex", "value", field, *KNOWN_AS[field])
    paths = (f"{column}.{name}" for name in names)
    return next(
        (p for p in paths if all(isinstance(value_of(r, p), str) for r in rows)), ""
    )


def _named_as_question(free: list[str], rows: list[dict[str, Any]]) -> str:
    """A column of texts whose name says that they ask: `problem_text`."""
    words = {"question", "problem"}
    named = [c for c in free if words & {*name_words(c)}]
    return next((c for c in named if all(_is_text(row.get(c)) for row in rows)), "")


def _differs(column: str, rows: list[dict[str, Any]]) -> bool:
    """Whether a column says something of its own in most rows; that of a type does not."""
    return 2 * len({str(row.get(column)) for row in rows}) > len(rows)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and " " in value.strip()


def name_words(name: str) -> list[str]:
    """The words of a column's name: `correctIndex`, `problem_text`."""
    return [
        word.casefold()
        for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+|[^\W\d_a-zA-Z]+", name)
    ]


def _asking(columns: list[str], rows: list[dict[str, Any]]) -> str:
    """The column of texts that asks most often, the first one where several do."""

    def asks(column: str) -> int:
        texts = [text for row in rows if isinstance(text := row.get(column), str)]
        words = sum(len(text.split()) for text in texts)
        if len({*texts}) < DISTINCT * len(texts) or words <= 3 * len(rows):
            return 0
        return 1 + sum("?" in text or "？" in text for text in texts)

    best = max(columns, key=asks, default="")
    return best if best and asks(best) else ""


def _holding_options(columns: list[str], rows: list[dict[str, Any]]) -> str:
    """The column with a word for options in its name, each of whose cells holds several."""

    def several(value: Any) -> bool:
        return len(read_options(value).options) > 1

    words = {"options", *KNOWN_AS["options"]}
    named = [column for column in columns if words & {*name_words(column)}]
    for column in named if rows else ():
        if all(several(row.get(column)) for row in rows):
            return column
    return ""


def _holding_pictures(columns: list[str], rows: list[dict[str, Any]]) -> list[str]:
    """The columns whose cells are pictures, as Parquet files of data sets have them."""

    def is_picture(cell: Any) -> bool:
        return isinstance(cell, dict) and isinstance(cell.get("bytes"), bytes)

    return [c for c in columns if any(is_picture(row.get(c)) for row in rows)]


def _talking(columns: list[str], rows: list[dict[str, Any]]) -> str:
    """The column of conversations, where there is one."""
    for column in columns:
        if rows and all(exchange_of(row.get(column)) for row in rows):
            return column
    return ""


def _wrong(column: str, answer: str, rows: list[dict[str, Any]]) -> bool:
    """Does a column list options without the right one?"""

    def lacks_right(wrong: Any, right: Any) -> bool:
        if not isinstance(wrong, list) or not wrong or not isinstance(right, str):
            return False
        return right not in wrong and all(isinstance(one, str) for one in wrong)

    return bool(rows) and all(lacks_right(r.get(column), r.get(answer)) for r in rows)


# a word and the sign that counts; what is said behind a number
_COUNTED = re.compile(r"(.*)([A-Za-z]|\d)")
_SAID_BEHIND = re.compile(r"(?<=\d)[\s(-].*", re.DOTALL)


def _counted_columns(columns: list[str]) -> list[str]:
    """A, B, C, ... or option1, option2, ... as far as columns are called so, two at least.

    What is said behind, as `Answer 1 - max 75 characters`, is no part of the name.
    """
    groups: dict[str, list[str]] = {}
    signs: dict[str, str] = {}
    for name in columns:
        short = _SAID_BEHIND.sub("", name, count=1)
        sign = _COUNTED.fullmatch(short) if "," not in name else None
        front = sign[1].strip("_- ").casefold() if sign else "?"
        signs[name] = sign[2] if sign else ""
        if front.removesuffix("s") in (
            "",
            "opt",
            "ans",
            "answer",
            *(known.removesuffix("s") for known in KNOWN_AS["options"]),
        ):
            groups.setdefault(front, []).append(name)
    for names in groups.values():
        while names and not in_order([signs[name] for name in names]):
            names.pop()
    longest = max(groups.values(), key=len, default=[])
    return longest if len(longest) > 1 else []
