"""YAML that knows its lines: what people write, with the place of every mistake."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from ..errors import UserError

Key = str | int


class Located:
    """The data of a YAML file, and the line of each part.

    `file.data["splits"]["test"]` stands at `file.at("splits", "test")`, e.g. `recipe.yaml:7`.
    """

    def __init__(self, path: Path, data: Any, node: yaml.Node | None) -> None:
        self.path = path
        self.data = data
        self._node = node

    def at(self, *keys: Key) -> str:
        """`file:line` of the last of the keys that is there."""
        node = self._node
        line = 0
        for key in keys:
            child = _child(node, key)
            if child is None:
                break
            node, line = child
        return f"{self.path}:{line}" if line else str(self.path)


def read_located(path: Path) -> Located:
    """Read YAML with safe types only. Raises UserError for what is no YAML, and for a key twice."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"cannot read {path}: {error}", "give a YAML file in UTF-8"
        ) from error
    return located(path, text)


def located(
    path: Path, text: str, loads: type[yaml.SafeLoader] | None = None
) -> Located:
    """The YAML of a file that is read already. Raises UserError as `read_located` does."""
    try:
        loader = (loads or _Loader)(text)  # control characters end it here already
        try:
            node = loader.get_single_node()
            data = loader.construct_document(node) if node is not None else None
        finally:
            loader.dispose()
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise UserError(
            f"{path}: {' '.join(str(error).split())}", "repair the YAML"
        ) from error
    except UserError as error:
        raise UserError(f"{path}: {error.message}", error.remedy) from error
    return Located(path, data, node)


def _child(node: yaml.Node | None, key: Key) -> tuple[yaml.Node, int] | None:
    """The node below a key or an index, and its line."""
    if (
        isinstance(node, yaml.SequenceNode)
        and isinstance(key, int)
        and key < len(node.value)
    ):
        item = node.value[key]
        return item, item.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            if name.value == str(key):
                return value, name.start_mark.line + 1
    return None


def refuse_repeated(mapping: yaml.MappingNode) -> None:
    """Raises UserError with the line of a second equal key: PyYAML keeps the last in silence.

    Also for a key that is itself a list or a mapping.
    """
    known = set()
    for key, _ in mapping.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            raise UserError(
                f"line {line}: a key is a {key.id}", "write a word before the colon"
            )
        if key.value in known:
            raise UserError(
                f"line {line}: key {key.value!r} stands twice", "remove one"
            )
        known.add(key.value)


class _Loader(yaml.SafeLoader):
    def construct_mapping(
        self, node: yaml.MappingNode, deep: bool = False
    ) -> dict[Any, Any]:
        refuse_repeated(node)
        return super().construct_mapping(node, deep=deep)
