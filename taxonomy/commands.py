"""`benchwright taxonomy`: show a tree, check a tree or the labels of problems."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from ..terminal import emit, json_option, table
from .tree import Tree, TreeNode


@click.group()
def taxonomy() -> None:
    """Show and check subject and concept trees.

    Built-in trees: math-v, mathverse, mm-math, we-math; a path reads a tree of your own.

    \b
    Example:
      benchwright taxonomy show we-math --under "Solid Figures"
    """


@taxonomy.command()
@click.argument("tree")
@click.option("--under", metavar="LABEL", help="Only this label and what lies below it.")
@json_option
def show(tree: str, under: str | None, as_json: bool) -> None:
    """Print the tree TREE with its definitions.

    \b
    Example:
      benchwright taxonomy show math-v
    """
    from .load import load_tree

    found = load_tree(tree)
    roots = [found.find(under)] if under else found.roots
    nodes = [node for root in roots for node in walk(found, root)]
    data: dict[str, Any] = {
        "name": found.name,
        "title": found.title,
        "source": found.source,
        "levels": found.levels,
        "nodes": nodes,
        "scales": found.scales,
        "maps": found.maps,
    }
    emit(msgspec.to_builtins(data), as_json, _text(found, nodes))


def walk(tree: Tree, node: TreeNode) -> list[TreeNode]:
    """The node and everything below it, depth first."""
    return [node, *(below for key in node.children for below in walk(tree, tree.nodes[key]))]


def _text(tree: Tree, nodes: list[TreeNode]) -> str:
    lines = [f"{tree.title} ({', '.join(tree.levels)}; {len(tree.leaves)} leaves)", tree.source, ""]
    for node in nodes:
        definition = f": {node.definition}" if node.definition else ""
        note = f"  [{node.source}]" if node.source != tree.source else ""
        lines.append("  " * (node.depth - 1) + node.name + definition + note)
    for scale in tree.scales.values():
        bands = ", ".join(str(band.value) for band in scale.bands)
        source = f" ({scale.source})" if scale.source else ""
        lines.append(f"\n{scale.name} from {scale.of}: {bands}{source}")
    return "\n".join(lines)


@taxonomy.command()
@click.argument("tree")
@click.argument("problems", type=click.Path(path_type=Path), required=False)
@click.option("--field", default="", help="The label to check; default: the tree's own.")
@json_option
def check(tree: str, problems: Path | None, field: str, as_json: bool) -> None:
    """Check the tree TREE, or the labels of PROBLEMS (problems.jsonl) against it.

    Without PROBLEMS the tree is read strictly and its mappings to built-in trees are followed.
    Exit 1 when a label is not in the tree, or a leaf has too few or too many problems.

    \b
    Example:
      benchwright taxonomy check we-math work/05-label/problems.jsonl --field knowledge
    """
    from ..files import read_jsonl
    from ..problem import Problem
    from .coverage import coverage
    from .load import check_maps, load_tree

    found = load_tree(tree)
    if problems is None:
        check_maps(found)
        data = {"name": found.name, "nodes": len(found.nodes), "leaves": len(found.leaves)}
        emit(data, as_json, f"{found.name}: {len(found.nodes)} nodes, {len(found.leaves)} leaves")
        return
    result = coverage(read_jsonl(problems, Problem), found, field or found.field)
    rows = [
        (found.nodes[key].name, count, _mark(result, key)) for key, count in result.counts.items()
    ]
    lines = [table(rows, ["label", "problems", ""])]
    lines += [f"{p}: {label!r} is not in the tree: {why}" for p, label, why in result.outside]
    lines += [f"{p}: no label" for p in result.unlabelled]
    lines.append(f"{result.problems} problems, {result.findings} findings")
    emit(msgspec.to_builtins(result), as_json, "\n".join(lines))
    sys.exit(1 if result.findings else 0)


def _mark(result: Any, key: str) -> str:
    return "too few" if key in result.few else "too many" if key in result.many else ""
