"""Tables: mtable with its rows, labels and rules, as matrices, arrays and aligned equations."""

from __future__ import annotations

import re

from .scripts import Latex, blank
from .tree import MathNode, node

RULES = {"solid": "|", "dashed": ":"}
HORIZONTAL = {"solid": r"\hline ", "dashed": r"\hdashline "}
_LABEL = re.compile(r"\\text\{\(([^{}()]*)\)\}|\(([^{}()]*)\)")


def mtable(table: MathNode, latex: Latex) -> str:
    """A table that no brackets enclose.

    `right left` columns are aligned equations; rules, and columns that are not centred, need an
    array; numbered rows become `\\tag`.
    """
    rows, columns = _read(table, latex)
    if any(r.tag == "mlabeledtr" for r in table.children):
        return _numbered(table, rows, latex)
    ruled = _is_ruled(table)
    if not ruled and set(columns) == {"c"}:
        return environment("matrix", rows)
    if not ruled and len(columns) > 1 and columns == "rl" * (len(columns) // 2):
        return environment("aligned", rows)
    return array(table, rows, columns)


def matrix(node: MathNode, latex: Latex) -> str:
    """A table between brackets (made by rows): `pmatrix` and its kin, or an array in brackets."""
    (table,) = node.children
    name = node.attributes["name"]
    rows, columns = _read(table, latex)
    if set(columns) == {"c"} and not _is_ruled(table) and not _labels(table):
        return environment(name, rows)
    left, right = {
        "pmatrix": "()",
        "bmatrix": "[]",
        "Bmatrix": (r"\{", r"\}"),
        "vmatrix": "||",
        "Vmatrix": (r"\|", r"\|"),
    }[name]
    inner = mtable(table, latex) if _labels(table) else array(table, rows, columns)
    return rf"\left{left}{inner}\right{right}"


def cases(node: MathNode, latex: Latex) -> str:
    """A table after a brace that nothing closes (made by rows): flush left unless it says else."""
    (table,) = node.children
    if _labels(table):
        return mtable(table, latex)
    rows, columns = _read(table, latex)
    return array(
        table, rows, columns.replace("c", "l") if set(columns) == {"c"} else columns
    )


def array(table: MathNode, rows: list[list[str]], columns: str) -> str:
    """`\\begin{array}{l|c}` with the table's rules."""
    attributes = table.attributes
    framed = RULES.get(attributes.get("frame", "none"), "")
    lines = attributes.get("columnlines", "").split()
    spec = columns[:1]
    for k, column in enumerate(columns[1:]):
        spec += RULES.get(lines[min(k, len(lines) - 1)], "") if lines else ""
        spec += column
    rules = attributes.get("rowlines", "").split()
    between = [
        HORIZONTAL.get(rules[min(k, len(rules) - 1)], "") if rules else ""
        for k in range(len(rows) - 1)
    ]
    edge = HORIZONTAL[attributes["frame"]] if framed else ""
    body = environment("", rows, [edge, *between], edge)
    return rf"\begin{{array}}{{{framed}{spec}{framed}}}{body}\end{{array}}"


def environment(
    name: str, rows: list[list[str]], rules: list[str] | None = None, end: str = ""
) -> str:
    """Rows joined by `\\\\`; a row that starts with `[` or `*` is kept from being its argument."""
    lines = []
    for k, cells in enumerate(rows):
        line = "&".join(cells)
        if line[:1] in ("[", "*"):
            line = "{}" + line
        lines.append((rules[k] if rules else "") + line)
    body = r"\\".join(lines)
    if end or (lines and not lines[-1]):
        body += r"\\" + end.rstrip() if end else ""
    return rf"\begin{{{name}}}{body}\end{{{name}}}" if name else body


def _read(table: MathNode, latex: Latex) -> tuple[list[list[str]], str]:
    """The cells of each row, and how the columns stand."""
    rows = [_cells(line, latex) for line in table.children]
    return rows, _columns(table, max(map(len, rows), default=1))


def _cells(line: MathNode, latex: Latex) -> list[str]:
    """The cells of a row; a spanning cell is followed by empty ones."""
    if line.tag not in ("mtr", "mlabeledtr"):
        return [latex(line)]
    cells: list[str] = []
    for cell in line.children[1:] if line.tag == "mlabeledtr" else line.children:
        cells.append(latex(cell))
        span = cell.attributes.get("columnspan", "1")
        cells += [""] * (min(int(span), 100) - 1 if span.isdecimal() else 0)
    return cells


def _columns(table: MathNode, count: int) -> str:
    """One of `l`, `c`, `r` per column, from the table, its first row, or that row's cells."""
    first = next(
        (r for r in table.children if r.tag in ("mtr", "mlabeledtr")), node("mtr")
    )
    cells = first.children[1:] if first.tag == "mlabeledtr" else first.children
    alignment = (
        first.attributes.get("columnalign") or table.attributes.get("columnalign") or ""
    )
    words = alignment.split() or ["center"]
    words = [words[min(k, len(words) - 1)] for k in range(count)]
    for k, cell in enumerate(cells[:count]):
        words[k] = cell.attributes.get("columnalign") or words[k]
    return "".join(w[0] if w in ("left", "right") else "c" for w in words)


def _is_ruled(table: MathNode) -> bool:
    values = (table.attributes.get(k, "") for k in ("frame", "rowlines", "columnlines"))
    return any(word in RULES for value in values for word in value.split())


# ---------------------------------------------------------------------------------------- labels
def _labels(table: MathNode) -> list[MathNode]:
    return [
        r.children[0] for r in table.children if r.tag == "mlabeledtr" and r.children
    ]


def _numbered(table: MathNode, rows: list[list[str]], latex: Latex) -> str:
    """Equations with numbers: `align` with `\\tag`."""
    for line, cells in zip(table.children, rows, strict=True):
        if line.tag == "mlabeledtr" and line.children and not blank(line.children[0]):
            label = latex(line.children[0])
            plain = _LABEL.fullmatch(label)
            mark = (
                rf"\tag{{{plain[1] or plain[2]}}}" if plain else rf"\tag*{{${label}$}}"
            )
            cells[-1:] = [(cells[-1] if cells else "") + mark]
    wide = max(map(len, rows), default=1) > 1
    return environment("align*" if wide else "gather*", rows)
