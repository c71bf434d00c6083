"""Values of JSON that are no text, read by their shape: a list of one, steps, parts of a page.

A value is read where its shape says what is meant; otherwise nothing is made of it, and whoever
asked says so at the problem.
"""

from __future__ import annotations

from typing import Any

from ..words import in_order

DEEPEST = 6
_EMPTY: tuple[Any, ...] = (None, "", [], {})
_KINDS = frozenset(
    {"type", "kind", "id", "index", "step", "no", "number", "order"}
)  # of an entry


def alone(value: Any) -> Any:
    """What a list of one, or a record of one, holds.

    >>> alone([["cm"]]), alone({"unit": "m"}), alone(["a", "b"])
    ('cm', 'm', ['a', 'b'])
    """
    for _ in range(DEEPEST):
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        elif isinstance(value, dict) and len(value) == 1:
            [value] = value.values()
        else:
            break
    return value


def text_of(value: Any, between: str = "\n", depth: int = 0) -> str | None:
    """The text that a value is, its pieces in order; None where its shape says nothing.

    >>> text_of(["First.", "Then."]), text_of([{"type": "p", "text": "Add."}]), text_of([[1, 2], 3])
    ('First.\\nThen.', 'Add.', None)
    """
    if value in _EMPTY or value != value:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value}"
    if isinstance(value, dict):
        entries = [one for name, one in value.items() if name.casefold() not in _KINDS]
    else:
        entries = list(value) if isinstance(value, list | tuple) else []
    is_flat = any(isinstance(one, str | dict) for one in entries)
    if not is_flat or depth > DEEPEST:
        return None
    texts = [text_of(one, between, depth + 1) for one in entries]
    if any(text is None for text in texts):
        return None
    return between.join(text for text in texts if text)


def entry_of(value: Any) -> Any:
    """An option that stands in a list of one, or under one name: `[{"key": "A", "value": "3"}]`."""
    for _ in range(DEEPEST):
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        elif isinstance(value, dict) and len(value) == 1:
            [inner] = value.values()
            if not isinstance(inner, list | dict):
                break
            value = inner
        else:
            break
    return value


def labelled(record: dict[str, Any]) -> str | None:
    """The text of a record of a label and a text: `{"label": "A", "content": "3"}`."""
    texts = [one for one in record.values() if isinstance(one, str | int | float)]
    if len(texts) != 2 or len(record) != 2:
        return None
    sign, text = (str(one).strip(" .()") for one in texts)
    return text if len(sign) < 3 and (in_order([sign]) or sign.isalnum()) else None
