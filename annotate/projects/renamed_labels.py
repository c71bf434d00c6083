"""Labels of an earlier tree in answers, read as what they are now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...taxonomy import SEPARATOR, Tree


def joined_path(path: Any) -> str:
    return SEPARATOR.join(map(str, path))


def with_new_labels(
    result: dict[str, Any], moves: Mapping[str, str], tree: Tree | None
) -> dict[str, Any]:
    """A result in the labels of the new tree; `moves` say what earlier labels are now.

    >>> with_new_labels({"value": {"choices": ["sums"]}}, {"sums": "addition"}, None)
    {'value': {'choices': ['addition']}}
    """
    value = result.get("value")
    if not moves or not isinstance(value, dict):
        return result
    new = dict(value)
    if "choices" in value:
        new["choices"] = [moves.get(str(choice), choice) for choice in value["choices"]]
    if "taxonomy" in value and tree is not None:
        new["taxonomy"] = [_new_path(path, moves, tree) for path in value["taxonomy"]]
    return result | {"value": new}


def _new_path(path: list[Any], moves: Mapping[str, str], tree: Tree) -> list[Any]:
    whole = joined_path(path)
    leaf = str(path[-1]) if path else ""
    label = moves.get(whole) or moves.get(leaf)
    if label is None or tree.has(whole):
        return path
    return list(tree.find(label).path)
