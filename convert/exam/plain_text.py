r"""An exam's text made plain before it is cut: labels out of formulas, lists and tables to lines.

Offsets inside formulas never matter to the later steps: `blind` covers formulas and pictures with
filler of the same length, so that labels and numbers are searched in prose only.
"""

from __future__ import annotations

import re

import msgspec

from ...latex import MATHPIX, Delimiters, maths_spans
from ..documents import PICTURE, in_dollars, tables
from ..normalise import tighten

FILLER = "\ufdd3"
LETTERS = "ABCDEFGH"
CIRCLED = "①②③④⑤⑥⑦⑧"
ALPHABETS = (LETTERS, LETTERS.lower(), CIRCLED)  # of option labels
_STYLED = r"\\(?:text|math)(?:bf|rm|sf|up|normal)?\s*\{\s*(?:\\(?:bf|rm)\s*)?"
_LABEL_IN_FORMULA = re.compile(
    rf"(?:{_STYLED}|\{{\s*\\(?:bf|rm)\s*)\(\s*([A-Ha-h])\s*\)(?:\s|~|\\ |\\,|\\;)*\}}"
    r"|\(\s*\\(?:text|math)bf\s*\{([A-Ha-h])\}\s*\)"
)
_LABEL_AS_FORMULA = re.compile(  # a line that starts with `$\mathrm{A}$.`
    r"(?m)^([ \t]*)\$\s*(?:\\(?:text|math)(?:bf|rm)?\s*\{\s*([A-H])\s*\}|([A-H]))\s*\$"
    r"(?=[ \t]?[.．)）])"
)
_SPACE = r"(?:\s|~|\\[ ,;:!]|\\q?quad(?![A-Za-z])|\\\\)+"
_EDGE = re.compile(f"^{_SPACE}|{_SPACE}$")
_NUMBERED_HEAD = re.compile(
    r"(?m)^[ \t]*\\(?:sub)*section\*?\{\s*((?:Problem|Question)?[ \t]*\d{1,3}\b[^\n]*)\}[ \t]*$"
)
_BOLD = re.compile(
    r"(?:\*\*|__|\\textbf\s*\{)\s*(\(?\s*[A-H]\s*[.):]?|\(?[a-h][.)])\s*(?:\*\*|__|\})"
    r"|^([ \t]*)(?:\*\*|__|\\textbf\s*\{)\s*"
    r"(\(?(?:(?:Problem|Question)\s+)?\d{1,3}\s*[.):]?)\s*(?:\*\*|__|\})",
    re.M,
)
_ITEMS = re.compile(
    r"\\(begin|end)\s*\{(enumerate|itemize)\}(?:\[([^\]]*)\])?|\\item\b(?:\s*\[([^\]]*)\])?"
    r"|\\setcounter\{enumi\}\{(\d+)\}"
)


def plain_exam(text: str, delimiters: Delimiters = MATHPIX) -> str:
    """Formulas in dollars; option labels, list items and option tables as plain lines of text."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    text = in_dollars(tighten(text), delimiters)
    text = labels_out_of_formulas(_NUMBERED_HEAD.sub(r"\1", text))
    text = _unbold(text, [(start, end) for _, start, end in tables(text)])
    text = list_lines(text)
    return option_tables(text)


def _unbold(text: str, kept: list[tuple[int, int]]) -> str:
    """Bold labels and numbers made plain, except in the stretches `kept`."""
    out, position = [], 0
    for start, end in [*kept, (len(text), len(text))]:
        if start >= position:
            out.append(_BOLD.sub(lambda m: m[1] or f"{m[2]}{m[3]}", text[position:start]))
            out.append(text[start:end])
            position = end
    return "".join(out)


def blind(text: str) -> str:
    """The text with formulas and pictures covered, every position kept."""
    covered = list(text)
    stretches = [(s.start, s.end) for s in maths_spans(text)]
    stretches += [(m.start(), m.end()) for m in PICTURE.finditer(text)]
    for start, end in stretches:
        covered[start:end] = FILLER * (end - start)
    return "".join(covered)


def labels_out_of_formulas(text: str) -> str:
    r"""`$\textbf{(A)}\ 1 \qquad \textbf{(B)}\ 2$` -> `(A) $1$ (B) $2$`."""
    text = _LABEL_AS_FORMULA.sub(lambda m: m[1] + (m[2] or m[3]), text)
    out, position = [], 0
    for span in maths_spans(text):
        if not _LABEL_IN_FORMULA.search(span.tex):
            continue
        out.append(text[position : span.start])
        parts = _LABEL_IN_FORMULA.split(span.tex)
        for k, part in enumerate(parts):
            if k % 3 == 0:
                body = _EDGE.sub("", part)
                out.append(f"${body}$" if body else "")
            elif part:
                out.append(f" ({part}) ")
        position = span.end
    return "".join([*out, text[position:]])


def list_lines(text: str) -> str:
    r"""LaTeX lists as lines: items with their labels, numbers, or letters for lists of options.

    A list is of options when its label is a letter, or when it stands inside another numbered list
    or below a numbered line and has four to six items.
    """
    out: list[str] = []
    stack: list[tuple[str, int]] = []  # (letters | numbers | bullets, items so far)
    position, number = 0, 0
    for match in _ITEMS.finditer(text):
        out.append(text[position : match.start()])
        position = match.end()
        if match[5]:
            number = int(match[5])
        elif match[1] == "begin":
            kind = _list_kind(text, match, bool(stack))
            stack.append((kind, number if kind == "numbers" else 0))
            number = 0
        elif match[1] == "end":
            if stack:
                stack.pop()
            out.append("\n")
        elif stack:
            kind, count = stack[-1]
            stack[-1] = (kind, count + 1)
            out.append("\n" + _item_label(kind, count, match[4]))
        else:
            out.append(match[0])
    return "".join([*out, text[position:]])


def _list_kind(text: str, begin: re.Match[str], nested: bool) -> str:
    label = begin[3] or ""
    if re.search(r"\\Alph|\bA\b|\\alph", label):
        return "letters"
    if begin[2] == "itemize":
        return "bullets"
    inner = text[begin.end() :].split("\\end{enumerate}", 1)[0]
    below_number = re.search(r"(?m)^\s*\d{1,3}\s*[.)、．]", text[: begin.start()])
    few = 3 <= len(re.findall(r"\\item\b", inner)) <= 6 and "\\begin{enumerate}" not in inner
    return "letters" if few and (nested or below_number) else "numbers"


def _item_label(kind: str, count: int, explicit: str | None) -> str:
    if explicit is not None:
        label = explicit.strip()
        if kind != "letters" or re.fullmatch(r"[(（]?\w[)）.．]?", label):
            return f"({label}) " if re.fullmatch(r"[A-H]", label) else f"{label} "
        return f"({LETTERS[count % len(LETTERS)]}) [{explicit}] "  # an interval, not a label
    if kind == "letters" and count < len(LETTERS):
        return f"({LETTERS[count]}) "
    return f"\n{count + 1}. " if kind == "numbers" else "- "


def option_tables(text: str) -> str:
    """Tables whose cells are options -> lines `(A) ...`; other tables stay as they are."""
    out, position = [], 0
    for rows, start, end in tables(text):
        lines = _option_lines(rows)
        if lines is None or start < position:
            continue
        out += [text[position:start], "\n", "\n".join(lines), "\n"]
        position = end
    return "".join([*out, text[position:]])


_L = "[A-Ha-h]"
_CELL_LABEL = re.compile(
    rf"^\s*(?P<label>[(（]\s*(?P<a>{_L})\s*[)）]|(?P<b>{_L})\s*[.．、:：)]"
    rf"|(?P<c>[A-H])(?=\s|$)|(?P<d>[{CIRCLED}]))\s*(?P<text>.*)$",
    re.S,
)


class _Cell(msgspec.Struct, frozen=True):
    """A table's cell that starts with a label: as printed, as a letter, and what follows."""

    label: str
    letter: str
    text: str


def _cell(cell: str) -> _Cell | None:
    match = _CELL_LABEL.match(_unbold(cell, []))
    if not match:
        return None
    sign = next(filter(None, match.group("a", "b", "c", "d")))
    alphabet = next(a for a in ALPHABETS if sign in a)
    label = sign if sign in CIRCLED else f"({sign})"
    return _Cell(label, LETTERS[alphabet.index(sign)], match["text"].strip())


def _option_lines(rows: list[list[str]]) -> list[str] | None:
    """The options of a table: labels inside cells, in the first row, or in the first column."""
    labelled = [[_cell(cell) for cell in row] for row in rows]
    first = [row[0] for row in labelled if row[0] and not row[0].text]
    if 3 <= len(rows) == len(first) <= len(LETTERS) and _in_order(first):
        texts = [", ".join(cell for cell in row[1:] if cell) for row in rows]
        return [f"{c.label} {t}" for c, t in zip(first, texts, strict=True)]
    heads = [cell for cell in labelled[0] if cell and not cell.text]
    if 3 <= len(heads) == len([c for c in rows[0] if c]) and len(rows) > 1 and _in_order(heads):
        columns = [k for k, cell in enumerate(labelled[0]) if cell]
        below = [[row[k] for row in rows[1:] if k < len(row) and row[k]] for k in columns]
        return [f"{c.label} {', '.join(t)}" for c, t in zip(heads, below, strict=True)]
    flat = [cell for row in labelled for cell in row if cell]
    if len(flat) < 3 or not _in_order(sorted(flat, key=lambda c: c.letter)):
        return None
    return _labels_in_cells(rows, labelled)


def _in_order(cells: list[_Cell]) -> bool:
    return [cell.letter for cell in cells] == list(LETTERS[: len(cells)])


def _labels_in_cells(rows: list[list[str]], labelled: list[list[_Cell | None]]) -> list[str] | None:
    """`A. 1 & B. 2`: a cell without label belongs to the label before it."""
    options: dict[str, str] = {}
    for row, cells in zip(rows, labelled, strict=True):
        label = ""
        for text, cell in zip(row, cells, strict=True):
            if cell:
                label = cell.label
                options[label] = cell.text
            elif text.strip() and label:
                options[label] = ", ".join(filter(None, [options[label], text.strip()]))
            elif text.strip():
                return None
    order = sorted(options, key=lambda label: label.strip("()"))
    return [f"{label} {options[label]}" for label in order]
