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
    r"|(?P<item>\\item(?![A-Za-z]))(?:[ \t]*\[(?P<own>[^\]\n]*)\])?"
    r"|\\(?P<counter>set|addto)counter\s*\{enum(?P<level>i{1,3}|iv)\}\s*\{(?P<value>-?\d{1,4})\}"
)
_NUMBERED_LINE = re.compile(r"(?m)^[ \t]*\d{1,4}[ \t]*[.)、．]")
_LEVELS = {"i": 1, "ii": 2, "iii": 3, "iv": 4}
_SIGNS = {  # the labels of items
    "options": LETTERS,
    "letters": ascii_lowercase,
    "roman": "i ii iii iv v vi vii viii ix x xi xii".split(),
}


class _List(msgspec.Struct):
    """An open list: numbers, options, letters, roman or bullets, and its counter."""

    kind: str
    count: int = 0
    own: bool = False  # numbers of problems: its begin and its end are kept


def list_lines(text: str) -> str:
    r"""LaTeX lists as lines.

    >>> list_lines(r"\begin{enumerate}\setcounter{enumi}{4}\item One?\end{enumerate}").split()[1:3]
    ['5.', 'One?']
    """
    numbered = _NUMBERED_LINE.search(text)
    out: list[str] = []
    lists: list[_List] = []
    position = start = last = 0
    for token in _TOKEN.finditer(text):
        out.append(text[position : token.start()])
        position = token.end()
        below = numbered is not None and numbered.start() < token.start()
        if token["begin"]:
            label = token["label"] or ""
            given = re.search(r"start\s*=\s*(\d{1,4})", label)
            count = int(given[1]) - 1 if given else last if "resume" in label else start
            kind = _kind(token, text, len(lists), below)
            lists.append(
                _List(kind, count, not lists and kind == "numbers" and not below)
            )
            out.append(f"\n{BREAK}\n" if lists[-1].own else "")
            start = 0
        elif token["counter"]:
            level, value = _LEVELS[token["level"]], int(token["value"])
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
            out.append(f"\n{BREAK}\n" if ended.own else "\n")
        else:
            out.append(_label(lists[-1], token["own"]))
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
        out += [
            text[position : line.start()],
            f"{line['indent']}({number})" if part else line[0],
        ]
        position = line.end()
    return "".join([*out, text[position:]])


_LABELS = (
    (r"\\Alph|\bA\b", "options"),
    (r"\\alph|\ba\b", "letters"),
    (r"\\[Rr]oman|\b[iI]\b", "roman"),
)


def _kind(begin: re.Match[str], text: str, depth: int, below: bool) -> str:
    """How the items of a list are labelled, by its own label or by its place."""
    for label, kind in _LABELS:
        if re.search(label, begin["label"] or ""):
            return kind
    if begin["begin"] == "itemize":
        return "bullets"
    following = _END.search(text, begin.end())
    items = text[begin.end() : following.start() if following else len(text)].split(
        "\\item"
    )[1:]
    nested = following is None or following[0].startswith("\\begin")
    if not depth and not (below and 3 <= len(items) <= 6 and not nested):
        return "numbers"
    if not depth and not any(map(ASKS.search, items)):
        return "options"
    return "roman" if depth == 2 else "letters"


_END = re.compile(r"\\(?:begin|end)\s*\{(?:enumerate|itemize)\}")


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
    signs = _SIGNS.get(this.kind, ())
    return (
        f"\n({signs[index]}) {behind}" if 0 <= index < len(signs) else f"\n- {behind}"
    )
