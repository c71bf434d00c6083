"""Trees as YAML: a strict reader that names file, line and the nearest right word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

from ..base.yaml_lines import refuse_repeated
from ..errors import UserError, nearest
from .tree import SEPARATOR, Band, Scale, Tree, TreeNode, as_list, fold

HERE = Path(__file__).parent
BUILT_IN = ("math-v", "mathverse", "mm-math", "we-math")
TREE_KEYS = [
    "name",
    "title",
    "source",
    "levels",
    "field",
    "nodes",
    "scales",
    "maps",
    "per_leaf",
    "per_leaf_note",
    "instruction",
    "moved",
    "renamed",
    "split",
]
NODE_KEYS = ["name", "id", "definition", "source", "card", "children"]
SCALE_KEYS = ["of", "low", "high", "source", "bands"]
LAYERS = ["root", "domain", "topic", "group", "concept"]  # of We-Math's paths
LINE = "(line)"  # where the loader notes a mapping's line


def load_tree(name_or_path: str | Path) -> Tree:
    """A built-in tree by name, or the user's own YAML file by path.

    Raises UserError naming file, line and the nearest right word for anything not understood.

    >>> len(load_tree("math-v").leaves)
    16
    """
    name = str(name_or_path)
    if name in BUILT_IN:
        return _built_in(name)
    path = Path(name_or_path)
    if not path.is_file():
        raise UserError(
            f"no tree {name!r}",
            f"{nearest(name, list(BUILT_IN))}; or the path of a YAML file",
        )
    return parse_tree(path.read_bytes(), str(path))


def source_of(name_or_path: str | Path) -> bytes:
    """The YAML text of a tree, to be kept beside what was made from it."""
    name = str(name_or_path)
    file = HERE / f"{name}.yaml" if name in BUILT_IN else Path(name_or_path)
    return file.read_bytes()


@cache
def _built_in(name: str) -> Tree:
    return parse_tree((HERE / f"{name}.yaml").read_bytes(), f"{name}.yaml")


class _Loader(yaml.SafeLoader):
    """Safe loader that refuses repeated keys and aliases, and notes each mapping's line."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("an alias")
        return super().compose_node(parent, index)

    def construct_mapping(
        self, node: yaml.MappingNode, deep: bool = False
    ) -> dict[Any, Any]:
        refuse_repeated(node)
        mapping = super().construct_mapping(node, deep=True)
        return mapping | {LINE: node.start_mark.line + 1}


_Loader.add_constructor("tag:yaml.org,2002:map", _Loader.construct_mapping)


def parse_tree(data: bytes, file: str) -> Tree:
    """A tree from the YAML text of `file`."""
    try:
        raw = yaml.load(data, _Loader)  # _Loader is a SafeLoader: plain values only
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        cause = " ".join(str(error).split()) or type(error).__name__
        raise UserError(
            f"{file}: not readable as a tree: {cause}", "repair the YAML"
        ) from error
    except UserError as error:
        raise UserError(f"{file}: {error.message}", error.remedy) from error
    if isinstance(raw, list):
        raw = _of_paths(raw, file)
    raw = _mapping(raw, TREE_KEYS, file, required=["name", "source", "levels", "nodes"])
    levels = tuple(str(level) for level in _list(raw["levels"], "levels", file))
    source = _text(raw, "source", file)
    nodes: dict[str, TreeNode] = {}
    for entry in _list(raw["nodes"], "nodes", file):
        _node(entry, None, source, levels, nodes, file)
    index: dict[str, list[str]] = {}
    for node in nodes.values():
        index.setdefault(fold(node.name), []).append(node.id)
        if node.depth > 1:
            index.setdefault(fold(node.full_name), []).append(node.id)
    tree = Tree(
        name=_text(raw, "name", file),
        title=_text(raw, "title", file) or _text(raw, "name", file),
        source=source,
        levels=levels,
        field=_text(raw, "field", file) or levels[-1],
        nodes=nodes,
        scales=_scales(raw.get("scales") or {}, file),
        per_leaf=_pair(raw.get("per_leaf"), file),
        per_leaf_note=str(raw.get("per_leaf_note", "")),
        instruction=_text(raw, "instruction", file),
        index=index,
    )
    moves = {
        old: str(new)
        for key in ("moved", "renamed")
        for old, new in _earlier(raw, key, tree, file)
    }
    parts = dict(_earlier(raw, "split", tree, file))
    last_names = {old: _last_name(old, moves, file) for old in moves}
    parts |= {old: parts[new] for old, new in last_names.items() if new in parts}
    return msgspec.structs.replace(
        tree,
        maps=_maps(raw.get("maps") or {}, tree, file),
        renamed={
            old: _leaf(new, f"renamed: {old}", tree, file)
            for old, new in last_names.items()
            if old not in parts
        },
        split={
            old: [_leaf(one, f"split: {old}", tree, file) for one in as_list(new)]
            for old, new in parts.items()
        },
    )


def _last_name(old: str, moves: Mapping[str, str], file: str) -> str:
    """What a label that was renamed is called at last. Raises UserError for a circle."""
    names = [old]
    while names[-1] in moves:
        name = moves[names[-1]]
        if name in names:
            raise UserError(
                f"{file}: renamed: {' -> '.join([*names, name])} is a circle",
                "name the leaf that stands there now",
            )
        names.append(name)
    return names[-1]


def _earlier(
    raw: dict[str, Any], key: str, tree: Tree, file: str
) -> Iterator[tuple[str, Any]]:
    """Labels of an earlier version and what became of them; one that is a leaf still is refused."""
    entries = raw.get(key) or {}
    if not isinstance(entries, dict):
        raise UserError(
            f"{file}: {key} is no mapping", f"{key}: {{old label: new label}}"
        )
    for old, new in entries.items():
        if old == LINE:
            continue
        label = str(old)
        if tree.has(label) and not tree.find(label).children:
            raise UserError(
                f"{file}: {key}: {label!r} is a leaf of this tree still",
                "give the new leaf another name, or leave the line out",
            )
        yield label, new


def _leaf(label: Any, where: str, tree: Tree, file: str) -> str:
    """A label that stands for an earlier one. Raises UserError where it is no leaf."""
    try:
        node = tree.find(str(label))
    except UserError as error:
        raise UserError(f"{file}: {where}: {error.message}", error.remedy) from error
    if node.children:
        raise UserError(f"{file}: {where}: {label!r} is no leaf", "name one below it")
    return tree.label(node)


def _path_names(row: Any) -> list[str]:
    """The names of a row of paths, from the top down; none where it is no such row."""
    if not isinstance(row, dict):
        return []
    layers = sorted((key, name) for key, name in row.items() if key.startswith("root"))
    return [str(name) for _, name in layers if name]


def _of_paths(rows: list[Any], file: str) -> dict[str, Any]:
    """We-Math's knowledge_structure_nodes.json, a path from `root0` to the concept in each row."""
    top: list[dict[str, Any]] = []
    deepest = 0
    for row in rows:
        names = _path_names(row)
        if not names:
            raise UserError(
                f"{file}: {str(row)[:60]!r} is no path root0, root1, ...", "give a tree"
            )
        deepest = max(deepest, len(names))
        siblings = top
        key = ""
        for name in names:
            key = f"{key} {slug(name)}".strip()
            node = next((n for n in siblings if n["name"] == name), None)
            if node is None:
                node = {"name": name, "id": key, "children": [], LINE: row[LINE]}
                siblings.append(node)
            siblings = node["children"]
    if deepest > len(LAYERS):
        raise UserError(
            f"{file}: paths of {deepest} names", f"at most {len(LAYERS)} are known"
        )
    return {
        "name": "we-math-nodes",
        "source": f"We-Math's {file.rpartition('/')[2]}",
        "levels": LAYERS,
        "field": "knowledge",
        "nodes": top,
        LINE: 1,
    }


def _node(
    entry: Any,
    parent: TreeNode | None,
    source: str,
    levels: tuple[str, ...],
    nodes: dict[str, TreeNode],
    file: str,
) -> str:
    """Add `entry` and all below it to `nodes`; returns its id."""
    if isinstance(entry, str):
        entry = {"name": entry}
    entry = _mapping(entry, NODE_KEYS, file, ["name"])
    where = f"{file}:{entry.get(LINE, '')}".rstrip(":")
    name = _text(entry, "name", file)
    key = _text(entry, "id", file) or slug(name)
    if not key or SEPARATOR.strip() in name.split():
        raise UserError(
            f"{where}: {name!r} is not a name", "use letters; ' / ' separates names"
        )
    if key in nodes:
        raise UserError(
            f"{where}: two nodes have the id {key!r}",
            f"give {name!r} an id: of its own",
        )
    above = parent.path if parent else ()
    path = (*above, name)
    if len(path) > len(levels):
        raise UserError(
            f"{where}: {name!r} lies {len(path)} deep",
            f"levels: names only {len(levels)}",
        )
    siblings = (node for node in nodes.values() if node.path[:-1] == above)
    if any(fold(sibling.name) == fold(name) for sibling in siblings):
        raise UserError(
            f"{where}: {name!r} stands twice under one parent", "remove one"
        )
    node = TreeNode(
        id=key,
        name=name,
        definition=_text(entry, "definition", file),
        source=_text(entry, "source", file) or source,
        parent=parent.id if parent else None,
        path=path,
        card=_text(entry, "card", file) or None,
    )
    nodes[key] = node
    below = _list(entry.get("children") or [], "children", where)
    children = tuple(_node(child, node, source, levels, nodes, file) for child in below)
    nodes[key] = msgspec.structs.replace(node, children=children)
    return key


def slug(name: str) -> str:
    """
    >>> slug("metric geometry - angle")
    'metric-geometry-angle'
    """
    return "-".join(re.findall(r"\w+", name.casefold()))


def _scales(raw: Any, file: str) -> dict[str, Scale]:
    scales = {}
    for name, entry in _items(raw, file):
        entry = _mapping(entry, SCALE_KEYS, file, ["of", "low", "high", "bands"])
        line = entry.pop(LINE)
        bands = [
            dict(_items(band, file))
            for band in _list(entry["bands"], "bands", file)
            if isinstance(band, dict)
        ]
        try:
            scales[name] = msgspec.convert(
                entry | {"name": name, "bands": bands}, Scale
            )
        except msgspec.ValidationError as error:
            raise UserError(
                f"{file}:{line}: scale {name!r}: {error}",
                f"a band has {', '.join(Band.__struct_fields__)}",
            ) from error
    return scales


def _maps(raw: Any, tree: Tree, file: str) -> dict[str, dict[str, str]]:
    """Our labels become ids; the other tree's labels are checked where the mapping is used."""
    maps: dict[str, dict[str, str]] = {}
    for other, pairs in _items(raw, file):
        maps[other] = {}
        for label, other_label in _items(pairs, file):
            try:
                maps[other][tree.find(label).id] = str(other_label)
            except UserError as error:
                raise UserError(
                    f"{file}: maps: {error.message}", error.remedy
                ) from error
    return maps


def _items(value: Any, file: str) -> list[tuple[str, Any]]:
    """The items of a mapping, without the note of its line."""
    mapping = _mapping(value, None, file)
    return [(key, item) for key, item in mapping.items() if key != LINE]


def _mapping(
    value: Any, allowed: list[str] | None, file: str, required: list[str] | None = None
) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UserError(
            f"{file}: {str(value)[:60]!r} is not a mapping", "write key: value lines"
        )
    where = f"{file}:{value[LINE]}" if LINE in value else file
    for key in value:
        if allowed is not None and key != LINE and key not in allowed:
            raise UserError(f"{where}: unknown key {key!r}", nearest(str(key), allowed))
    for key in required or []:
        if value.get(key) in (None, "", []):
            raise UserError(f"{where}: {key!r} is missing", f"add {key}:")
    return value


def _list(value: Any, what: str, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise UserError(f"{where}: {what} is not a list", "write '- ' lines")
    return value


def _text(entry: dict[str, Any], key: str, file: str) -> str:
    value = entry.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        where = f"{file}:{entry.get(LINE, 0)}"
        raise UserError(
            f"{where}: {key} is {value!r}, not a text", "write it in quotes"
        )
    return " ".join(value.split())


def _pair(value: Any, file: str) -> tuple[int, int] | None:
    if value is None:
        return None
    try:
        return msgspec.convert(value, tuple[int, int])
    except msgspec.ValidationError as error:
        raise UserError(f"{file}: per_leaf: {error}", "write [fewest, most]") from error


def check_maps(tree: Tree) -> None:
    """Follow every mapping to a built-in tree. Raises UserError for a label that is not there."""
    for other, pairs in tree.maps.items():
        if other not in BUILT_IN:
            raise UserError(
                f"{tree.name}: maps to {other!r}", nearest(other, list(BUILT_IN))
            )
        target = load_tree(other)
        for key, label in pairs.items():
            try:
                target.find(label)
            except UserError as error:
                raise UserError(
                    f"{tree.name}: {key} maps to {error.message}", error.remedy
                ) from error
