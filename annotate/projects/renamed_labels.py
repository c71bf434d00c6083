"""Labels of an earlier version of a tree in answers, read as what they are now."""

from __future__ import annotations

from typing import Any

from ...taxonomy import SEPARATOR, Tree


def joined_path(path: Any) -> str:
    return SEPARATOR.join(map(str, path))


def with_new_labels(result: dict[str, Any], tree: Tree | None) -> dict[str, Any]:
    """A result in the labels of `tree`, which says what earlier ones were renamed to.

    A leaf that stands elsewhere under the same name is found there.
    """
    value = result.get("value")
    if tree is None or not isinstance(value, dict):
        return result
    new = dict(value)
    if "choices" in value:
        new["choices"] = [tree.now(str(choice)) for choice in value["choices"]]
    if "taxonomy" in value:
        new["taxonomy"] = [_new_path(path, tree) for path in value["taxonomy"]]
    return result | {"value": new}


def _new_path(path: list[Any], tree: Tree) -> list[Any]:
    whole = joined_path(path)
    if not path or tree.has(whole):
        return path
    leaf = str(path[-1])
    label = tree.renamed.get(whole) or tree.now(leaf)
    return list(tree.find(label).path) if tree.has(label) else path
