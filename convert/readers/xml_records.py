"""Records in XML of anybody's own: elements are columns, whatever they are called.

```yaml
- {name: asdiv, reader: xml, path: ASDiv.xml, rows: "ProblemSet.Problem[]",
   fields: {id: ID, question: [Body, Question], answer: Answer}}
```
An element is a record of its attributes and of the elements inside it; one that holds text alone is
that text, and one whose text goes on around others is HTML. Names that stand several times anywhere
are arrays everywhere. No entity is resolved, and nothing is loaded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...errors import UserError
from ...pipeline import SourceSpec
from ...problem import Problem
from ...tables import rows_at, rows_of
from ..mathml import parse_xml
from .base import (
    OF_LINES,
    Pictures,
    PlaceError,
    Raw,
    Unreadable,
    file_names,
    is_row_of,
    reader,
    whole_file,
)
from .mapped import from_row, held, settled

MAX_FILE = 200_000_000  # bytes
_INLINE = frozenset("b br em font i img p span strong sub sup u math".split())


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row per record; where `rows` does not say it, the array whose records ask."""
    names = file_names(paths)
    is_row = is_row_of(spec)
    for path in paths:
        name, called = names[path]
        try:
            root = parse_xml(whole_file(path, MAX_FILE))
        except OSError as error:
            raise UserError(
                f"cannot read {path}: {error.strerror}", "check the path"
            ) from error
        except UserError as error:
            yield Unreadable(name, 1, error.message, "")
            continue
        value = _value(root, _arrays(root))
        value = value if isinstance(value, dict) else {root.tag: value}
        try:
            found = (
                rows_at(value, spec.rows)
                if spec.rows
                else rows_of(value, is_row, at=name)
            )
        except UserError as error:
            raise PlaceError(
                spec.name, ("rows",), f"{name}: {error.message}", error.remedy
            ) from error
        several = called and len(found) > 1
        for number, row in enumerate(found, 1):
            own = f"{called}{OF_LINES}{number}" if several else called
            yield Raw(name, number, row, own)


def _arrays(root: Any) -> set[tuple[str, str]]:
    """Names of elements that stand several times in one of a name, with the name of that."""
    found: set[tuple[str, str]] = set()
    for element in root.iter():
        counts = Counter(_name(child) for child in element)
        found |= {(_name(element), name) for name, n in counts.items() if n > 1}
    return found


def _value(element: Any, arrays: set[tuple[str, str]]) -> Any:
    """What an element holds: a text, or a record; one that is text with tags in it, as HTML."""
    children = [*element]
    around = [element.text, *(child.tail for child in children)]
    is_mixed = any((text or "").strip() for text in around) and children
    if is_mixed or any(_name(child) in _INLINE for child in children):
        return _as_html(element)
    record: dict[str, Any] = {str(k).rpartition("}")[2]: v for k, v in element.items()}
    text = (element.text or "").strip()
    if not children:
        return record | {"text": text} if record else text
    for child in children:
        name = _name(child)
        value = _value(child, arrays)
        if (_name(element), name) in arrays:
            earlier = record.get(name)
            record[name] = [*(earlier if isinstance(earlier, list) else []), value]
        else:
            record[name] = value
    return record


def _as_html(element: Any) -> str:
    from lxml import etree

    inner = [element.text or ""]
    inner += [etree.tostring(child, encoding="unicode") for child in element]
    return "".join(inner).strip()


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


@reader(
    "xml",
    rows=rows,
    fields=True,
    nested=True,
    options=("gold",),
    holds=held,
    settled=settled,
)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    return from_row(raw, spec, pictures)
