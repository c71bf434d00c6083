"""`benchwright taxonomy`: show a tree, check a tree or the labels of problems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..base.commands import Printed
from ..base.terminal import table


def show(tree: str, **options: Any) -> Printed:
    """Print the tree TREE with its definitions, or those of a wording file.

    Example:
      benchwright taxonomy show math-v
      benchwright taxonomy show math-v --wording words.yaml --out math-v.yaml
    """
    from .outline import outline_text, show_tree

    outline = show_tree(tree, **options)
    return Printed(outline.data(), outline_text(outline))


def check(tree: str, problems: Path | None = None, **options: Any) -> Printed:
    """Check the tree TREE, or the labels of PROBLEMS (problems.jsonl) against it.

    Without PROBLEMS the tree is read strictly and its mappings to built-in trees are followed.
    Exit 1 when a label is not in the tree, or a leaf has too few or too many problems.

    Example:
      benchwright taxonomy check we-math work/05-label/problems.jsonl --field knowledge
    """
    from .coverage import check_labels, check_tree, coverage_rows
    from .load import load_tree

    if problems is None:
        loaded = check_tree(tree)
        nodes = len(loaded.nodes)
        leaves = len(loaded.leaves)
        data = {"name": loaded.name, "nodes": nodes, "leaves": leaves}
        return Printed(data, f"{loaded.name}: {nodes} nodes, {leaves} leaves")
    loaded = load_tree(tree)
    result = check_labels(problems, loaded, **options)
    lines = [table(coverage_rows(result, loaded), ["label", "problems", ""])]
    for problem, label, remedy in result.outside:
        lines.append(f"{problem}: {label!r} is not in the tree: {remedy}")
    lines += [f"{problem}: no label" for problem in result.unlabelled]
    if (result.few or result.many) and loaded.per_leaf_note:
        lines.append(f"bounds: {loaded.per_leaf_note}")
    lines.append(f"{result.problems} problems, {result.findings} findings")
    return Printed(result, "\n".join(lines), result.findings > 0)
