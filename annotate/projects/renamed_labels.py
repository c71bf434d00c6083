"""Labels of an earlier tree in answers, read as what they are now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...taxonomy import SEPARATOR, Tree


def joined_path(path: Any) -> str:
    return SEPARATOR.join(map(str, path))


def moved(
    result: dict[str, Any], moves: Mapping[str, str], tree: Tree | None
) -> dict[str, Any]:
    """A result in the labels of the new tree.

    >>> moved({"value": {"choices": ["sums"]}}, {"sums": "addition"}, None)
    {'value': {'choices': ['addition']}}
    """
    value = result.get("value")
    if not moves or not isinstance(value, dict):
        return result
    new = dict(value)
    if "choices" in value:
        new["choices"] = [moves.get(str(choice), choice) for choice in value["choices"]]
    if "taxonomy" in value and tree is not None:
        new["taxonomy"] = [_moved_path(path, moves, tree) for path in value["taxonomy"]]
    return result | {"value": new}


def _moved_path(path: list[Any], moves: Mapping[str, str], tree: Tree) -> list[Any]:
    label = moves.get(joined_path(path)) or moves.get(str(path[-1]) if path else "")
    if label is None or tree.has(joined_path(path)):
        return path
    return list(tree.find(label).path)
