r"""LaTeX lists as printed lines: numbers, letters and bullets as their counters say.

    \begin{enumerate}\setcounter{enumi}{10}\item One? ...  ->  11. One? ...

A counter starts where `\setcounter`, `\addtocounter`, `start=` or `resume` says. A list inside a
list, or below a numbered line, holds options (A), (B), .. or parts (a), (b), .. of that problem.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from string import ascii_lowercase

import msgspec

from .labels import ASKS, BREAK, LETTERS

_TOKEN = re.compile(
    r"\\begin\s*\{(?P<begin>enumerate|itemize)\}(?:[ \t]*\[(?P<label>[^\]\n]*)\])?"
    r"|(?P<end>\\end\s*\{(?:enumerate|itemize)\})"
    r"|(?P<item>\\item(?![A-Za-z]))(?:[ \t]*\[(?P<own>[^\]\n]*)\])?"
    r"|\\(?P<counter>set|addto)counter\s*\{enum(?P<level>i{1,3}|iv)\}\s*\{(?P<value>-?\d{1,4})\}"
)
_NUMBERED_LINE = re.compile(r"(?m)^[ \t]*\d{1,4}[ \t]*[.)、．]")
_LEVELS = {"i": 1, "ii": 2, "iii": 3, "iv": 4}
_ROMAN = "i ii iii iv v vi vii viii ix x xi xii".split()


class _List(msgspec.Struct):
    """An open list: numbers, options, letters, roman or bullets, and its counter."""

    kind: str
    count: int = 0


def list_lines(text: str) -> str:
    r"""LaTeX lists as lines.

    >>> list_lines(r"\begin{enumerate}\setcounter{enumi}{4}\item One?\end{enumerate}").split()[1:3]
    ['5.', 'One?']
    """
    tokens = list(_TOKEN.finditer(text))
    numbered = _NUMBERED_LINE.search(text)
    below = numbered.start() if numbered else len(text)
    items = _items(text, tokens)
    out: list[str] = []
    open_lists: list[_List] = []
    position = start = last = 0
    for index, token in enumerate(tokens):
        out.append(text[position : token.start()])
        position = token.end()
        top = open_lists[-1] if open_lists else None
        if token["begin"]:
            kind = _kind(token, items[index], len(open_lists), token.start() > below)
            own = not open_lists and kind == "numbers" and token.start() < below
            out.append(f"\n{BREAK}\n" if own else "")
            open_lists.append(_List(kind, _first(token["label"] or "", start, last)))
            start = 0
        elif token["counter"]:
            level, value = _LEVELS[token["level"]], int(token["value"])
            if level <= len(open_lists):
                counted = open_lists[level - 1]
                counted.count = value + counted.count * (token["counter"] == "addto")
            else:
                start = value  # before the list it is meant for
        elif top is None:
            out.append("\n" if token["end"] else token[0])
        elif token["end"]:
            last = top.count if len(open_lists) == 1 else last
            open_lists.pop()
            own = not open_lists and top.kind == "numbers" and token.start() < below
            out.append(f"\n{BREAK}\n" if own else "\n")
        else:
            out.append(_label(top, token["own"]))
    return "".join([*out, text[position:]])


_INDENTED = re.compile(r"(?m)^(?P<indent>[ \t]*)(?P<number>\d{1,3})[.)](?=[ \t]+\S)")
_HEADING = re.compile(r"(?m)^[ \t]*(?:#{1,6}[ \t]|\*\*|\\(?:sub)*section)")


def nested_numbers(text: str) -> str:
    """Numbered items of Markdown that stand deeper than a numbered line are parts: (1), (2), ..

    They start at 1 below it and go up by one; what only happens to be indented stays.

    >>> nested_numbers("1. Find\\n   1. the sum\\n   2. the product\\n2. Draw").split("\\n")[1:3]
    ['   (1) the sum', '   (2) the product']
    """
    heads = [match.start() for match in _HEADING.finditer(text)]
    out: list[str] = []
    position = last = headed = 0
    outer = inner = -1  # the widths of the indents
    for line in _INDENTED.finditer(text):
        width, number = len(line["indent"].expandtabs(4)), int(line["number"])
        above = bisect_left(heads, line.start())
        deeper = above == headed and 0 <= outer <= width - 2
        starts = deeper and number == 1
        part = starts or (deeper and width == inner and number == last + 1)
        inner, outer = (width, outer) if part else (-1, width)
        headed, last = above, number
        out += [text[position : line.start()], f"{line['indent']}({number})" if part else line[0]]
        position = line.end()
    return "".join([*out, text[position:]])


def _items(text: str, tokens: list[re.Match[str]]) -> dict[int, list[str]]:
    """Per opening token, the texts of its list's items; of one that holds a list, none."""
    found: dict[int, list[str]] = {}
    open_lists: list[int] = []
    nested: set[int] = set()
    for index, token in enumerate(tokens):
        if token["begin"]:
            nested.update(open_lists[-1:])
            open_lists.append(index)
            found[index] = []
        elif token["end"] and open_lists:
            open_lists.pop()
        elif token["item"] and open_lists:
            end = tokens[index + 1].start() if index + 1 < len(tokens) else len(text)
            found[open_lists[-1]].append(text[token.end() : end])
    return found | {index: [] for index in nested}


def _kind(begin: re.Match[str], items: list[str], depth: int, below: bool) -> str:
    """How the items of a list are labelled, by its own label or by its place."""
    label = begin["label"] or ""
    if re.search(r"\\Alph|\bA\b", label):
        return "options"
    few = 3 <= len(items) <= 6
    if re.search(r"\\alph|\ba\b", label):
        return "letters"
    if re.search(r"\\[Rr]oman|\b[iI]\b", label):
        return "roman"
    if begin["begin"] == "itemize":
        return "bullets"
    if not depth and not (below and few):
        return "numbers"
    if not depth and not any(map(ASKS.search, items)):
        return "options"
    return "roman" if depth == 2 else "letters"


def _first(label: str, start: int, last: int) -> int:
    if given := re.search(r"start\s*=\s*(\d{1,4})", label):
        return int(given[1]) - 1
    return last if "resume" in label else start


def _label(this: _List, own: str | None) -> str:
    """The printed label of the next item; `own` is the label of `\\item[own]`."""
    if own is not None:
        label = own.strip()
        options = this.kind in ("options", "letters")
        if not options or re.fullmatch(r"[(（]?\w{1,4}[)）.．]?", label):
            return f"\n({label}) " if re.fullmatch("[A-H]", label) else f"\n{label} "
    index = this.count
    this.count += 1
    behind = f"[{own}] " if own is not None else ""  # an interval, not a label
    if this.kind == "numbers":
        return f"\n\n{index + 1}. {behind}"
    if this.kind == "options" and 0 <= index < len(LETTERS):
        return f"\n({LETTERS[index]}) {behind}"
    if this.kind == "letters" and 0 <= index < len(ascii_lowercase):
        return f"\n({ascii_lowercase[index]}) {behind}"
    if this.kind == "roman" and 0 <= index < len(_ROMAN):
        return f"\n({_ROMAN[index]}) {behind}"
    return f"\n- {behind}"
