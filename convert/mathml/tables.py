"""Tables: mtable with its rows, labels and rules, as matrices, arrays and aligned equations."""

from __future__ import annotations

import re

from .scripts import Latex, blank
from .tree import MathNode, node

# rules beside columns and between rows, by the words of MathML
RULES = {
    "solid": "|",
    "dashed": ":",
}
HORIZONTAL = {
    "solid": r"\hline ",
    "dashed": r"\hdashline ",
}
_LETTERS = {"left": "l", "right": "r"}
BRACKETS = {
    "pmatrix": ("(", ")"),
    "bmatrix": ("[", "]"),
    "Bmatrix": (r"\{", r"\}"),
    "vmatrix": ("|", "|"),
    "Vmatrix": (r"\|", r"\|"),
}
MAX_SPAN = 100  # columns
# a label in parentheses, as text or as a formula
_LABEL = re.compile(r"\\text\{\(([^{}()]*)\)\}|\(([^{}()]*)\)")


def mtable(table: MathNode, latex: Latex) -> str:
    """A table that no brackets enclose.

    `right left` columns are aligned equations; rules, and columns that are not centred, need an
    array; numbered rows become `\\tag`.
    """
    rows, columns = _rows_and_columns(table, latex)
    if any(line.tag == "mlabeledtr" for line in table.children):
        return _numbered(table, rows, latex)
    if _is_ruled(table):
        return array(table, rows, columns)
    if set(columns) == {"c"}:
        return environment("matrix", rows)
    if columns and columns == "rl" * (len(columns) // 2):
        return environment("aligned", rows)
    return array(table, rows, columns)


def matrix(node: MathNode, latex: Latex) -> str:
    """A table between brackets (made by rows): `pmatrix` and its kin, or an array in brackets."""
    (table,) = node.children
    name = node.attributes["name"]
    left, right = BRACKETS[name]
    if _has_labels(table):
        return rf"\left{left}{mtable(table, latex)}\right{right}"
    rows, columns = _rows_and_columns(table, latex)
    if set(columns) == {"c"} and not _is_ruled(table):
        return environment(name, rows)
    return rf"\left{left}{array(table, rows, columns)}\right{right}"


def cases(node: MathNode, latex: Latex) -> str:
    """A table after a brace that nothing closes (made by rows): flush left unless it says else."""
    (table,) = node.children
    if _has_labels(table):
        return mtable(table, latex)
    rows, columns = _rows_and_columns(table, latex)
    if set(columns) == {"c"}:
        columns = "l" * len(columns)
    return array(table, rows, columns)


def array(table: MathNode, rows: list[list[str]], columns: str) -> str:
    """`\\begin{array}{l|c}` with the table's rules."""
    frame = table.attributes.get("frame", "none")
    side = RULES.get(frame, "")
    edge = HORIZONTAL.get(frame, "")
    lines = _repeated(table.attributes.get("columnlines", ""), len(columns) - 1)
    spec = columns[:1]
    for line, column in zip(lines, columns[1:], strict=True):
        spec += RULES.get(line, "") + column
    rules = _repeated(table.attributes.get("rowlines", ""), len(rows) - 1)
    between = [HORIZONTAL.get(rule, "") for rule in rules]
    body = environment("", rows, [edge, *between], edge)
    return rf"\begin{{array}}{{{side}{spec}{side}}}{body}\end{{array}}"


def _repeated(values: str, count: int) -> list[str]:
    """The words of an attribute for so many places: the last one repeats."""
    words = values.split() or [""]
    return [words[min(k, len(words) - 1)] for k in range(count)]


def environment(
    name: str, rows: list[list[str]], rules: list[str] | None = None, end: str = ""
) -> str:
    """Rows joined by `\\\\`; a row that starts with `[` or `*` is kept from being its argument."""
    lines = []
    for cells, rule in zip(rows, rules or [""] * len(rows), strict=False):
        line = "&".join(cells)
        if line[:1] in ("[", "*"):
            line = "{}" + line
        lines.append(rule + line)
    body = r"\\".join(lines)
    if end:
        body += r"\\" + end.rstrip()
    return rf"\begin{{{name}}}{body}\end{{{name}}}" if name else body


def _rows_and_columns(table: MathNode, latex: Latex) -> tuple[list[list[str]], str]:
    """The cells of each row, and how the columns stand."""
    rows = [_cells(line, latex) for line in table.children]
    return rows, _columns(table, _width(rows))


def _width(rows: list[list[str]]) -> int:
    return max(map(len, rows), default=1)


def _cells(line: MathNode, latex: Latex) -> list[str]:
    """The cells of a row; a spanning cell is followed by empty ones."""
    if line.tag not in ("mtr", "mlabeledtr"):
        return [latex(line)]
    cells: list[str] = []
    for cell in _cell_nodes(line):
        cells.append(latex(cell))
        span = cell.attributes.get("columnspan", "1")
        if span.isdecimal():
            columns = min(int(span), MAX_SPAN)
            cells += [""] * (columns - 1)
    return cells


def _cell_nodes(line: MathNode) -> list[MathNode]:
    """The cells of a row; the first child of a numbered one is its label."""
    return line.children[1:] if line.tag == "mlabeledtr" else line.children


def _columns(table: MathNode, count: int) -> str:
    """One of `l`, `c`, `r` per column, from the table, its first row, or that row's cells."""
    lines = (line for line in table.children if line.tag in ("mtr", "mlabeledtr"))
    first = next(lines, node("mtr"))
    of_row = first.attributes.get("columnalign")
    of_table = table.attributes.get("columnalign")
    words = _repeated(of_row or of_table or "center", count)
    for k, cell in enumerate(_cell_nodes(first)[:count]):
        words[k] = cell.attributes.get("columnalign") or words[k]
    return "".join(_LETTERS.get(word, "c") for word in words)


def _is_ruled(table: MathNode) -> bool:
    for name in ("frame", "rowlines", "columnlines"):
        words = table.attributes.get(name, "").split()
        if any(word in RULES for word in words):
            return True
    return False


# ---------------------------------------------------------------------------------------- labels
def _has_labels(table: MathNode) -> bool:
    return any(line.tag == "mlabeledtr" and line.children for line in table.children)


def _numbered(table: MathNode, rows: list[list[str]], latex: Latex) -> str:
    """Equations with numbers: `align` with `\\tag`."""
    for line, cells in zip(table.children, rows, strict=True):
        if line.tag != "mlabeledtr" or not line.children:
            continue
        label = line.children[0]
        if not blank(label):
            last = cells.pop() if cells else ""
            cells.append(last + _tag(latex(label)))
    name = "align*" if _width(rows) > 1 else "gather*"
    return environment(name, rows)


def _tag(label: str) -> str:
    r"""`\tag` sets its own parentheses; a label without them is a formula of its own."""
    plain = _LABEL.fullmatch(label)
    if plain is None:
        return rf"\tag*{{${label}$}}"
    return rf"\tag{{{plain[1] or plain[2]}}}"
