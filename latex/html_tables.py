r"""Formulas that the engine cannot set whole, as HTML: tables with rules, cases, Chinese text.

A formula is cut at its text groups, at Chinese letters, at environments with rows, and at
fractions, roots, fences and scripts that hold any of these. They become `<table>` and `<span>` with
inline styles, which a labelling page lets through, and what stands between is drawn by whoever
calls. Only markup of this module and of the caller comes out.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterator

import msgspec

from .groups import group_end
from .ink import (
    BAR,
    FENCES,
    HLINE,
    VLINE,
    WITH_COLUMNS,
    Ink,
    UnreadableError,
    columns_of,
    expected_ink,
    fold,
    unlike,
)
from .rows import CellSource, RowSource, rows_of
from .symbols import CJK

Set = Callable[[str], str | None]  # markup of a source, None where it cannot be set

MOST_CELLS = 600
LONGEST_TABLE = 20_000  # characters

_ALIGNED = "aligned align split alignedat alignat flalign"
_COLUMNS = {
    "array": "c", "darray": "c", "tabular": "l", "longtable": "l", "cases": "l", "dcases": "l",
    "rcases": "l", **dict.fromkeys(_ALIGNED.split(), "rl"), "eqnarray": "rcl",
    **dict.fromkeys("matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix gathered gather".split(), "c"),
}  # fmt: skip
_OF_TEXT = ("tabular", "longtable")
_TABULAR = re.compile(r"\\(begin|end)\s*\{tabular\*?\}")
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{[^{}]*\}")
_DELIMITER = (
    r"\s*(\\[{}|]|\\[lr](?:brace|brack|vert|Vert|angle)(?![A-Za-z])|\\[vV]ert(?![A-Za-z])"
    r"|[()\[\]|.])"
)
_LEFT = re.compile(rf"\\left{_DELIMITER}\s*(?=\\begin\s*\{{)")
_RIGHT = re.compile(rf"\s*\\right{_DELIMITER}")
_BEGIN = re.compile(r"\\begin\s*\{([^{}]*)\}")
_TEXT = re.compile(r"\\(?:text|textrm|textnormal|textup|mbox|hbox|mathrm)\s*(?=\{)")
_WIDE = rf"{CJK}\u3000-\u303f\uff01-\uff5e"
_TOKEN = re.compile(
    rf"[{_WIDE}](?:\s*[{_WIDE}])*|\\[A-Za-z]+|\\.|[{{}}_^]|[^\\{{}}_^{_WIDE}]+", re.DOTALL
)
_OURS = re.compile(rf"[{_WIDE}]|\\begin\s*\{{")  # what the engine cannot set
_FRACTION = re.compile(r"\\[dtc]?frac(?![A-Za-z])")
_ROOT = re.compile(r"\\sqrt(?![A-Za-z])\s*(?:\[([^\[\]{}]{1,20})\])?")
_TAKES = re.compile(r"(?:\\[A-Za-z]+|[}\]])\s*\Z")
_SIDE = re.compile(r"\\(left|right)(?![A-Za-z])")
_FENCED = re.compile(rf"\\left{_DELIMITER}")
_BAR = "display:inline-block;vertical-align:middle;text-align:center;padding:0 2px"
_SCRIPT = {"_": "sub", "^": "sup"}
# in a box of 10 by 100 that is stretched over the rows
_STROKES = {
    "{": "M9 1 Q5 1 5 8 L5 42 Q5 50 1 50 Q5 50 5 58 L5 92 Q5 99 9 99", "(": "M8 1 Q-2 50 8 99",
    "[": "M8 1 L3 1 L3 99 L8 99", "⟨": "M8 1 L2 50 L8 99", "|": "M5 0 L5 100",
    "∥": "M3 0 L3 100 M7 0 L7 100", "√": "M0 62 L2 58 L5 98 L10 0",
}  # fmt: skip
_CLOSING = {"}": "{", ")": "(", "]": "[", "⟩": "⟨"}
_COMMANDS = {
    "brace": "{}", "brack": "[]", "angle": "⟨⟩", "vert": "||", "Vert": "∥∥",
}  # fmt: skip


class Refused(Exception):
    """What stands there cannot be set as HTML."""


class Piece(msgspec.Struct, frozen=True):
    """A stretch of a formula: maths for the engine, text, or what holds others in its parts."""

    kind: str
    tex: str
    fences: tuple[str, str] = ("", "")
    parts: tuple[str, ...] = ()


def composed(tex: str, draw: Set, inline: Set) -> str | None:
    r"""A formula in HTML, its maths set by `draw` and its texts by `inline`; None where it fails.

    It fails too where it would not show all that the formula says.

    >>> composed(r"S\text{ 平方米}", lambda tex: f"<svg>{tex}</svg>", lambda text: text)
    '<svg>S{}</svg> 平方米'
    >>> composed(r"\boxed{甲}", lambda tex: None, lambda text: text)
    """
    try:
        found = list(_pieces(tex))
        if not any(piece.kind != "maths" for piece in found):
            return None
        setter = _Setter(draw, inline)
        last = len(found) - 1
        markup = "".join(
            setter.piece(piece, before=k > 0, behind=k < last) for k, piece in enumerate(found)
        )
        return None if unlike(expected_ink(tex), setter.ink) else markup
    except (Refused, UnreadableError):
        return None


def table_html(source: str, inline: Set) -> str | None:
    r"""A `tabular` that stands in a text, its cells set by `inline`; None where it cannot be."""
    if len(source) > LONGEST_TABLE:
        return None
    try:
        return _Setter(inline, inline).environment(source, ("", ""))
    except Refused:
        return None


def tabulars(text: str) -> list[tuple[int, int]]:
    r"""Start and end of the outermost `tabular`s of a text.

    >>> tabulars(r"so \begin{tabular}{l} 1 \end{tabular}.")
    [(3, 37)]
    """
    if r"\end" not in text:
        return []
    found, depth, start = [], 0, 0
    for match in _TABULAR.finditer(text):
        if match[1] == "begin":
            start = match.start() if depth == 0 else start
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                found.append((start, match.end()))
    return found


def _pieces(tex: str) -> Iterator[Piece]:
    """The formula cut where no brace or fence is open."""
    at = start = depth = 0
    while at < len(tex):
        taken = tex[at] == "{" and _TAKES.search(tex, start, at)  # a command's argument
        piece, end = _special(tex, at) if depth == 0 and not taken else (None, at)
        if piece:
            yield from _maths(tex[start:at])
            yield piece
            at = start = end
            continue
        match = _TOKEN.match(tex, at)
        if match is None:  # a backslash at the very end
            raise Refused
        token, at = match[0], match.end()
        depth += token in ("{", r"\left", r"\begin")
        depth -= token in ("}", r"\right", r"\end")
        if depth == 0 and (token == r"\\" or (token[0] != "\\" and "&" in token)):
            raise Refused
    yield from _maths(tex[start:])


def _maths(tex: str) -> Iterator[Piece]:
    if tex.rstrip().endswith(("_", "^")):
        raise Refused
    if tex.strip():
        yield Piece("maths", tex)


def _special(tex: str, at: int) -> tuple[Piece | None, int]:
    """What begins here that the engine cannot set, and its end."""
    if tex[at] in "\\{_^":
        piece, end = _holding(tex, at)
        if piece:
            return piece, end
    if match := _TEXT.match(tex, at):
        end = group_end(tex, match.end())
        content = tex[match.end() + 1 : end - 1]
        if end < 0 or ("mathrm" in match[0] and not re.search(f"[{_WIDE}]", content)):
            return None, at
        return Piece("text", content), end
    left = _LEFT.match(tex, at)
    begin = left.end() if left else at
    if match := _BEGIN.match(tex, begin):
        end = _end(tex, begin)
        if not end or match[1].rstrip("*") not in _COLUMNS:
            return None, at
        if not left:
            return Piece("environment", tex[begin:end]), end
        right = _RIGHT.match(tex, end)
        if right:
            fences = _fence(left[1]), _fence(right[1])
            return Piece("environment", tex[begin:end], fences), right.end()
        return None, at
    match = _TOKEN.match(tex, at)
    if match and re.match(f"[{_WIDE}]", match[0]):
        return Piece("text", match[0]), match.end()
    return None, at


def _holding(tex: str, at: int) -> tuple[Piece | None, int]:
    """The group, script, fraction, root or fence that begins here and holds what is ours."""
    if match := _FRACTION.match(tex, at):
        parts, end = _arguments(tex, match.end(), 2)
        piece = Piece("fraction", tex[at:end], parts=parts)
    elif match := _ROOT.match(tex, at):
        parts, end = _arguments(tex, match.end(), 1)
        piece = Piece("root", tex[at:end], parts=(*parts, match[1] or ""))
    elif match := _FENCED.match(tex, at):
        inner, end = _closing(tex, at)
        right = _RIGHT.match(tex, inner)
        if right is None or _BEGIN.match(tex[match.end() : inner].strip()):
            return None, at  # an environment takes its own fences
        fences = _fence(match[1]), _fence(right[1])
        piece, end = Piece("fenced", tex[at:end], fences, (tex[match.end() : inner],)), right.end()
    elif tex[at] in _SCRIPT:
        parts, end = _arguments(tex, at + 1, 1)
        piece = Piece(_SCRIPT[tex[at]], tex[at:end], parts=parts)
    elif tex[at] == "{":
        parts, end = _arguments(tex, at, 1)
        piece = Piece("group", tex[at:end], parts=parts)
    else:
        return None, at
    return (piece, end) if any(map(_OURS.search, piece.parts)) else (None, at)


def _arguments(tex: str, at: int, count: int) -> tuple[tuple[str, ...], int]:
    """So many groups or single tokens, and where they end."""
    found = []
    for _ in range(count):
        at += len(tex[at:]) - len(tex[at:].lstrip())
        if tex.startswith("{", at):
            end = group_end(tex, at)
            if end < 0:
                raise Refused
            found.append(tex[at + 1 : end - 1])
        else:
            match = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL).match(tex, at)
            if match is None:
                raise Refused
            found.append(match[0])
            end = match.end()
        at = end
    return tuple(found), at


def _closing(tex: str, at: int) -> tuple[int, int]:
    r"""Start and end of the `\right` that closes the `\left` at a place, without its delimiter."""
    depth = 0
    for match in _SIDE.finditer(tex, at):
        depth += 1 if match[1] == "left" else -1
        if depth == 0:
            return match.start(), match.end()
    raise Refused


def _end(tex: str, start: int) -> int:
    """Behind the end of the environment that begins at `start`, or 0."""
    depth = 0
    for match in _ENVIRONMENT.finditer(tex, start):
        depth += 1 if match[1] == "begin" else -1
        if depth == 0:
            return match.end()
    return 0


def _fence(delimiter: str) -> str:
    if delimiter == ".":
        return ""
    name = delimiter.lstrip("\\")
    if pair := _COMMANDS.get(name.lstrip("lr")):
        return pair[name[0] == "r"]
    return "∥" if delimiter == r"\|" else name


class _Setter:
    """Sets pieces and keeps count of what they show."""

    def __init__(self, draw: Set, inline: Set) -> None:
        self.draw, self.inline = draw, inline
        self.ink: Ink = Counter()

    def piece(self, piece: Piece, before: bool = False, behind: bool = False) -> str:
        """The markup of a piece that others may stand before and behind: signs keep their room."""
        if piece.kind == "environment":
            return self.environment(piece.tex, piece.fences)
        if piece.parts:
            return self.holding(piece)
        if piece.kind == "text":
            return self.shown(piece.tex, self.inline)
        if behind and _TAKES.search(piece.tex) and self.draw(piece.tex) is None:
            raise Refused  # its last command takes what follows
        return self.shown("{}" * before + piece.tex + "{}" * behind, self.draw)

    def shown(self, tex: str, setter: Set) -> str:
        markup = setter(tex)
        if markup is None:
            raise Refused
        if self.draw is not self.inline:  # in a table of text the source stands where none else can
            self.ink.update(expected_ink(tex))
        return markup

    def holding(self, piece: Piece) -> str:
        """A fraction, root, fence, script or group around its parts."""
        if piece.kind in _SCRIPT.values():  # the engine's drawings keep their size
            if any(part.kind != "text" for part in _pieces(piece.parts[0])):
                raise Refused
            inner = self.shown(piece.parts[0], self.draw)
            return f'<{piece.kind} style="font-size:70%">{inner}</{piece.kind}>'
        inner, *rest = (self.shown(part, self.draw) if part else "" for part in piece.parts)
        if piece.kind == "fraction":
            self.ink[BAR] += 1
            style = "display:block;padding:0 3px"
            above = f'<span style="{style};border-bottom:1px solid">{inner}</span>'
            return f'<span style="{_BAR}">{above}<span style="{style}">{rest[0]}</span></span>'
        if piece.kind == "root":
            self.ink.update((*fold("√"), BAR))
            index = f'<sup style="margin-right:-5px">{rest[0]}</sup>' if rest[0] else ""
            style = "display:inline-block;position:relative;padding:1px 2px 0 12px"
            over = "position:absolute;left:10px;right:0;top:0;border-top:1px solid"
            bar = f'{_stroke("√", "left")}<span style="{over}"></span>'
            return f'{index}<span style="{style}">{bar}{inner}</span>'
        for fence in piece.fences:
            self.ink.update(key for c in fence for key in fold(c))
        return _fenced(inner, *piece.fences)

    def environment(self, source: str, fences: tuple[str, str]) -> str:
        r"""An environment from `\begin` to its `\end`, between fences."""
        begin = _BEGIN.match(source)
        if begin is None:
            raise Refused
        name, at, spec = begin[1], begin.end(), ""
        if position := re.compile(r"\s*\[[^\[\]]{0,20}\]").match(source, at):
            at = position.end()
        groups = (name in WITH_COLUMNS) + (name == "tabular*") + ("alignat" in name)
        for _ in range(groups + ("alignedat" in name)):
            start = at + len(source[at:]) - len(source[at:].lstrip())
            at = group_end(source, start) if source.startswith("{", start) else -1
            if at < 0:
                raise Refused
            spec = source[start:at]
        body = source[at : source.rindex(r"\end")]
        plain = name.rstrip("*")
        setter = self.inline if plain in _OF_TEXT else self.draw
        columns = columns_of(spec) if name in WITH_COLUMNS else ""
        own = FENCES.get(plain, "")
        for fence in (own, *fences):
            self.ink.update(key for c in fence for key in fold(c))
        markup = self.table(body, columns, _COLUMNS[plain], setter)
        if own:
            left, right = ("", own) if own == "}" else (own[0], own[1:])
            markup = _fenced(markup, left, right)
        return _fenced(markup, *fences)

    def table(self, body: str, columns: str, default: str, setter: Set) -> str:
        rows: list[RowSource] = []
        for row in rows_of(body):
            rows.append(row)
            if len(rows) > MOST_CELLS:
                raise Refused
        last = rows.pop().lines if rows and not rows[-1].cells else []
        aligns = columns.replace("|", "") or default
        ends = [cell.column + cell.columns for row in rows for cell in row.cells]
        count = max([len(columns.replace("|", "")), *ends, 1])
        if count * len(rows) > MOST_CELLS:
            raise Refused
        aligns = (aligns * (count // len(aligns) + 1))[:count]
        pipes = [len(run) for run in re.split("[lcr]", columns)] + [0] * (count + 1)
        self.ink[VLINE] += sum(pipes)
        self.ink[HLINE] += sum(len(row.lines) for row in rows) + len(last)
        ruled = any(pipes) or bool(last) or any(row.lines for row in rows)
        covered: set[tuple[int, int]] = set()
        lines = []
        for n, row in enumerate(rows):
            end = sum(cell.columns for cell in row.cells)
            cells = []
            for cell in [*row.cells, *(CellSource("", k) for k in range(end, count))]:
                places = {(n, cell.column + k) for k in range(cell.columns)}
                if places & covered:
                    if cell.tex or not places <= covered:
                        raise Refused
                    continue
                behind, below = cell.column + cell.columns, min(n + cell.rows, len(rows))
                covered |= {(r, k) for r in range(n, below) for k in range(cell.column, behind)}
                inner = ""
                if cell.tex:
                    lead = "{}" if default == "rl" and cell.column % 2 else ""
                    inner = self.shown(lead + cell.tex, setter)
                left, right = _own_pipes(cell.spec)
                borders = {
                    "left": left or pipes[cell.column],
                    "right": right or pipes[behind] * (behind == count),
                    "top": _lines_over(row.lines, cell.column),
                    "bottom": _lines_over(last, cell.column) * (below == len(rows)),
                }
                padding = "4px 8px" if ruled else "2px 5px"
                if default == "rl":  # pairs that stand together
                    padding = "2px 12px 2px 0" if cell.column % 2 else "2px 0"
                align = cell.spec.replace("|", "")[:1] or aligns[cell.column]
                spans = f' colspan="{cell.columns}"' * (cell.columns > 1)
                spans += f' rowspan="{below - n}"' * (below - n > 1)
                cells.append(f'<td{spans} style="{_style(align, borders, padding)}">{inner}</td>')
            lines.append(f"<tr>{''.join(cells)}</tr>")
        style = "display:inline-table;border-collapse:collapse;vertical-align:middle;width:auto"
        return f'<table style="{style}"><tbody>{"".join(lines)}</tbody></table>'


def _own_pipes(spec: str) -> tuple[int, int]:
    return len(spec) - len(spec.lstrip("|")), (len(spec) - len(spec.rstrip("|"))) * bool(spec)


def _lines_over(lines: list[tuple[int, int]], column: int) -> int:
    return sum(first <= column <= to for first, to in lines)


def _style(align: str, borders: dict[str, int], padding: str) -> str:
    """The style of a cell: how it is aligned, and a single or a double line at its edges."""
    side = {"l": "left", "c": "center", "r": "right"}[align]
    lines = "".join(
        f";border-{edge}:{'1px solid' if number == 1 else '3px double'}"
        for edge, number in borders.items()
        if number
    )
    return f"text-align:{side};padding:{padding}{lines}"


def _fenced(markup: str, left: str, right: str) -> str:
    """Fences as high as what stands between them."""
    strokes = _stroke(left, "left") + _stroke(right, "right")
    if not strokes:
        return markup
    room = f"padding:0 {10 * bool(right)}px 0 {10 * bool(left)}px"
    style = f"display:inline-block;position:relative;vertical-align:middle;{room}"
    return f'<span style="{style}">{strokes}{markup}</span>'


def _stroke(fence: str, side: str) -> str:
    if not fence:
        return ""
    path = _STROKES.get(_CLOSING.get(fence, fence))
    if path is None:
        raise Refused
    turned = ' transform="translate(10 0) scale(-1 1)"' if fence in _CLOSING else ""
    style = f"position:absolute;top:0;{side}:0;width:10px;height:100%"
    return (
        f'<svg style="{style}" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 100"'
        f' preserveAspectRatio="none"><path d="{html.escape(path)}"{turned} fill="none"'
        ' stroke="currentColor" stroke-width="1.3" vector-effect="non-scaling-stroke" /></svg>'
    )
