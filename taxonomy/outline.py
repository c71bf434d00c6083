"""A tree, or a part of it, as people read it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ..base.display import Display, Table
from ..base.files import write_bytes
from .load import load_tree, parse_tree
from .tree import Tree, TreeNode
from .wording_file import read_words, tree_in_words


class Outline(Display, msgspec.Struct, kw_only=True):
    """A tree, and those of its nodes that are shown, depth first."""

    tree: Tree
    nodes: list[TreeNode]

    def headline(self) -> str:
        return f"{self.tree.title}: {len(self.nodes)} nodes ({', '.join(self.tree.levels)})"

    def table(self) -> Table:
        return ["id", "depth", "name", "definition"], [
            [node.id, node.depth, node.name, node.definition] for node in self.nodes
        ]

    def data(self) -> dict[str, Any]:
        """What `taxonomy show --json` prints."""
        tree = self.tree
        return {
            "name": tree.name,
            "title": tree.title,
            "source": tree.source,
            "levels": tree.levels,
            "scales": tree.scales,
            "maps": tree.maps,
            "nodes": self.nodes,
        }


def show_tree(
    tree: str | Path | Tree,
    under: str | None = None,
    *,
    wording: str | Path | None = None,
    out: str | Path | None = None,
) -> Outline:
    """The nodes of a tree, depth first.

    Args:
        tree: Built-in tree, or a YAML file.
        under: Only this label and what lies below it.
        wording: A wording file with definitions of its leaves, or an instruction to annotators.
        out: Write the tree in these words to this YAML file, which is a tree like ours.

    Raises UserError for an unknown tree or label, and a wording file that says nothing of it.

    >>> len(show_tree("math-v").nodes)
    16
    """
    loaded = load_tree(tree) if isinstance(tree, str | Path) else tree
    if wording is not None:
        name = loaded.name if isinstance(tree, Tree) else tree
        text = tree_in_words(name, read_words(wording))
        loaded = parse_tree(text, str(wording))
        if out is not None:
            write_bytes(Path(out), text)
    roots = [loaded.find(under)] if under else loaded.roots
    nodes = [node for root in roots for node in walk(loaded, root)]
    return Outline(tree=loaded, nodes=nodes)


def walk(tree: Tree, node: TreeNode) -> Iterator[TreeNode]:
    """The node and everything below it, depth first."""
    yield node
    for key in node.children:
        yield from walk(tree, tree.nodes[key])


def outline_text(outline: Outline) -> str:
    """The outline as the terminal shows it."""
    tree = outline.tree
    lines = [
        f"{tree.title} ({', '.join(tree.levels)}; {len(tree.leaves)} leaves)",
        tree.source,
        "",
    ]
    for node in outline.nodes:
        definition = f": {node.definition}" if node.definition else ""
        note = f"  [{node.source}]" if node.source != tree.source else ""
        lines.append("  " * (node.depth - 1) + node.name + definition + note)
    for scale in tree.scales.values():
        bands = ", ".join(str(band.value) for band in scale.bands)
        source = f" ({scale.source})" if scale.source else ""
        lines.append(f"\n{scale.name} from {scale.of}: {bands}{source}")
    return "\n".join(lines)
