"""How a result looks where it is returned: one line, a table in a notebook, a data frame."""

from __future__ import annotations

import html
import importlib
import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from ..errors import UserError
from ..problem import VERSIONS

T = TypeVar("T")
Table = tuple[Sequence[str], Sequence[Sequence[Any]]]  # header, rows

MOST_ROWS = 20  # of a table in a notebook; to_frame() has them all
LONGEST_CELL = 100  # characters


class Display:
    """Mixed in before a struct: subclasses define `headline` and `table`.

    The records themselves, and their JSON, stay as they are.
    """

    __slots__ = ()

    def headline(self) -> str:
        """What a reader wants to know first, in one line."""
        raise NotImplementedError

    def table(self) -> Table:
        """Header and rows of the table that a reader wants to see."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.headline()}>"

    def _repr_html_(self) -> str:
        header, rows = self.table()
        return html_table(self.headline(), header, rows)

    def to_frame(self) -> Any:
        """The table as a pandas DataFrame. Raises UserError where pandas is not installed."""
        return frame(*self.table())


class Rows(Display, list[T]):
    """A list of records that is short to look at.

    >>> from benchwright.problem import Option
    >>> Rows([Option(label="A", text="4"), Option(label="B", text="5")])
    <Rows: 2 records>
    >>> Rows([Option(label="A", text="4")]).table()
    (['label', 'text', 'image'], [['A', '4', None]])
    """

    __slots__ = ()

    def headline(self) -> str:
        return f"{len(self)} records"

    def table(self) -> Table:
        rows: list[dict[str, Any]]
        rows = [msgspec.to_builtins(record, enc_hook=str) for record in self]
        header = list(dict.fromkeys(key for row in rows for key in row))
        return header, [[row.get(key) for key in header] for row in rows]


def and_more(total: int, most: int, rest: str = "") -> str:
    """What follows a list that was cut after `most` of `total` entries; "" for a whole one.

    >>> and_more(12, 10), and_more(12, 10, " in scores.json"), and_more(10, 10)
    (' and 2 more', ' and 2 more in scores.json', '')
    """
    return f" and {total - most} more{rest}" if total > most else ""


def frame(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Any:
    """A pandas DataFrame. Raises UserError where pandas is not installed."""
    try:
        pandas = importlib.import_module("pandas")
    except ImportError as error:
        raise UserError("to_frame() needs pandas", "pip install pandas") from error
    return pandas.DataFrame([list(row) for row in rows], columns=list(header))


def html_table(title: str, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table for a notebook, every text escaped, long ones and long tables cut.

    >>> html_table("2 < 3", ["a"], [["<b>"]])
    '<p>2 &lt; 3</p><table><tr><th>a</th></tr><tr><td>&lt;b&gt;</td></tr></table>'
    """
    lines = [_line("th", header), *(_line("td", row) for row in rows[:MOST_ROWS])]
    more = f"<p>and {len(rows) - MOST_ROWS} more</p>" if len(rows) > MOST_ROWS else ""
    return f"<p>{html.escape(title)}</p><table>{''.join(lines)}</table>{more}"


RANKED = {
    name: rank
    for names in (VERSIONS, ("easy", "medium", "hard"))
    for rank, name in enumerate(names)
}


def natural(text: str) -> tuple[float, str]:
    """A sort key that puts level 2 before level 10, and versions and difficulties in their order.

    >>> sorted(["10", "2", "algebra"], key=natural), sorted(["hard", "easy", "medium"], key=natural)
    (['2', '10', 'algebra'], ['easy', 'medium', 'hard'])
    """
    if text in RANKED:
        return RANKED[text], text
    try:
        return float(text.partition(" ")[0]), text  # 2 of 16 stands before 10 of 16
    except ValueError:
        return math.inf, text


def texts_of(value: Any) -> list[str]:
    """A label's values as text; nested structures are none.

    >>> texts_of(["b", "a"]), texts_of(3), texts_of(None)
    (['a', 'b'], ['3'], [])
    """
    if isinstance(value, list):
        return sorted({text for item in value for text in texts_of(item)})
    if value is None or value == "" or isinstance(value, dict):
        return []
    return [str(value)]


def _line(tag: str, cells: Iterable[Any]) -> str:
    texts = [html.escape(_short(cell)) for cell in cells]
    return f"<tr>{''.join(f'<{tag}>{text}</{tag}>' for text in texts)}</tr>"


def _short(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list | dict | tuple):
        value = msgspec.json.encode(value, enc_hook=str).decode()
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"
