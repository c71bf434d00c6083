"""`benchwright taxonomy`: show a tree, check a tree or the labels of problems."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec

from ..base.terminal import emit, json_option, table


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
    from .outline import outline_text, show_tree

    outline = show_tree(tree, under)
    emit(msgspec.to_builtins(outline.data()), as_json, outline_text(outline))


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
    from .coverage import check_labels, check_tree, coverage_rows
    from .load import load_tree

    if problems is None:
        loaded = check_tree(tree)
        data = {"name": loaded.name, "nodes": len(loaded.nodes), "leaves": len(loaded.leaves)}
        emit(
            data, as_json, f"{loaded.name}: {len(loaded.nodes)} nodes, {len(loaded.leaves)} leaves"
        )
        return
    loaded = load_tree(tree)
    result = check_labels(problems, loaded, field)
    lines = [table(coverage_rows(result, loaded), ["label", "problems", ""])]
    lines += [f"{p}: {label!r} is not in the tree: {why}" for p, label, why in result.outside]
    lines += [f"{p}: no label" for p in result.unlabelled]
    if (result.few or result.many) and loaded.per_leaf_note:
        lines.append(f"bounds: {loaded.per_leaf_note}")
    lines.append(f"{result.problems} problems, {result.findings} findings")
    emit(msgspec.to_builtins(result), as_json, "\n".join(lines))
    sys.exit(1 if result.findings else 0)
