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

from ...options import ASKS, LETTERS

BREAK = "\ufdd4"  # where a numbered list begins or ends
_TOKEN = re.compile(
    r"\\begin\s*\{(?P<begin>enumerate|itemize)\}(?:[ \t]*\[(?P<label>[^\]\n]*)\])?"
    r"|(?P<end>\\end\s*\{(?:enumerate|itemize)\})"
    r"|(?P<item>\\item(?![A-Za-z]))(?:[ \t]*\[(?P<stated>[^\]\n]*)\])?"
    r"|\\(?P<counter>set|addto)counter\s*\{enum(?P<level>i{1,3}|iv)\}\s*\{(?P<value>-?\d{1,4})\}"
)
_START = re.compile(r"start\s*=\s*(\d{1,4})")
_NUMBERED_LINE = re.compile(r"(?m)^[ \t]*\d{1,4}[ \t]*[.)、．]")
_LEVELS = {"i": 1, "ii": 2, "iii": 3, "iv": 4}
_SIGNS = {  # the labels of items
    "options": LETTERS,
    "letters": ascii_lowercase,
    "roman": "i ii iii iv v vi vii viii ix x xi xii".split(),
}

_INDENTED = re.compile(r"(?m)^(?P<indent>[ \t]*)(?P<number>\d{1,3})[.)](?=[ \t]+\S)")
_HEADING = re.compile(r"(?m)^[ \t]*(?:#{1,6}[ \t]|\*\*|\\(?:sub)*section)")
_LABELS = (
    (r"\\Alph|\bA\b", "options"),
    (r"\\alph|\ba\b", "letters"),
    (r"\\[Rr]oman|\b[iI]\b", "roman"),
)
_ITEM_LABEL = re.compile(r"[(（]?\w{1,4}[)）.．]?")
_LETTER = re.compile("[A-H]")
_END = re.compile(r"\\(?:begin|end)\s*\{(?:enumerate|itemize)\}")


class _List(msgspec.Struct):
    """An open list: numbers, options, letters, roman or bullets, and its counter."""

    kind: str
    count: int = 0
    of_problems: bool = False  # its begin and its end are kept


def list_lines(text: str) -> str:
    r"""LaTeX lists as lines.

    >>> list_lines(r"\begin{enumerate}\setcounter{enumi}{4}\item One?\end{enumerate}").split()[1:3]
    ['5.', 'One?']
    """
    first_number = _NUMBERED_LINE.search(text)
    out: list[str] = []
    lists: list[_List] = []
    position = start = last = 0
    for token in _TOKEN.finditer(text):
        out.append(text[position : token.start()])
        position = token.end()
        below = first_number is not None and first_number.start() < token.start()
        if token["begin"]:
            label = token["label"] or ""
            count = last if "resume" in label else start
            if stated := _START.search(label):
                count = int(stated[1]) - 1
            kind = _kind(token, text, len(lists), below)
            of_problems = not lists and kind == "numbers" and not below
            lists.append(_List(kind, count, of_problems))
            out.append(f"\n{BREAK}\n" if of_problems else "")
            start = 0
        elif token["counter"]:
            level = _LEVELS[token["level"]]
            value = int(token["value"])
            if level > len(lists):
                start = value  # before the list it is meant for
            elif token["counter"] == "set":
                lists[level - 1].count = value
            else:
                lists[level - 1].count += value
        elif not lists:
            out.append("\n" if token["end"] else token[0])
        elif token["end"]:
            ended = lists.pop()
            last = last if lists else ended.count
            out.append(f"\n{BREAK}\n" if ended.of_problems else "\n")
        else:
            out.append(_label(lists[-1], token["stated"]))
    return "".join([*out, text[position:]])


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
        width = len(line["indent"].expandtabs(4))
        number = int(line["number"])
        above = bisect_left(heads, line.start())
        is_deeper = above == headed and 0 <= outer <= width - 2
        goes_on = width == inner and number == last + 1
        is_part = is_deeper and (number == 1 or goes_on)
        if is_part:
            inner = width
        else:
            inner = -1
            outer = width
        headed, last = above, number
        label = f"{line['indent']}({number})" if is_part else line[0]
        out += [text[position : line.start()], label]
        position = line.end()
    return "".join([*out, text[position:]])


def _kind(begin: re.Match[str], text: str, depth: int, below: bool) -> str:
    """How the items of a list are labelled, by its own label or by its place."""
    for label, kind in _LABELS:
        if re.search(label, begin["label"] or ""):
            return kind
    if begin["begin"] == "itemize":
        return "bullets"
    following = _END.search(text, begin.end())
    end = following.start() if following else len(text)
    items = text[begin.end() : end].split("\\item")[1:]
    is_nested = following is None or following[0].startswith("\\begin")
    if depth:
        return "roman" if depth == 2 else "letters"
    if not below or is_nested or not 3 <= len(items) <= 6:
        return "numbers"
    return "letters" if any(map(ASKS.search, items)) else "options"


def _label(items: _List, stated: str | None) -> str:
    """The printed label of the next item; `stated` is the label of `\\item[stated]`."""
    if stated is not None:
        label = stated.strip()
        may_be_interval = items.kind in ("options", "letters")
        if not may_be_interval or _ITEM_LABEL.fullmatch(label):
            return f"\n({label}) " if _LETTER.fullmatch(label) else f"\n{label} "
    index = items.count
    items.count += 1
    behind = f"[{stated}] " if stated is not None else ""  # an interval, not a label
    if items.kind == "numbers":
        return f"\n\n{index + 1}. {behind}"
    signs = _SIGNS.get(items.kind, ())
    has_sign = 0 <= index < len(signs)
    return f"\n({signs[index]}) {behind}" if has_sign else f"\n- {behind}"
