"""The options of a problem, however a table, a record or a text spells them.

A label is a sign of an order (A, B, C; 1, 2, 3; 甲, 乙, 丙) in a slot: what stands around it. Slots
that look alike make a template, and the best chain of consecutive labels in one template wins.
Where nothing is labelled, what stands between the options is what repeats. Nothing is looked for
inside formulas. The time is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import msgspec

from ..latex import maths_spans
from ..problem import Option
from .literals import literal

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LONGEST = 50_000  # characters of a cell in which options are looked for
FILLER = "\ufdd3"


class Choices(msgspec.Struct):
    """Options as they were read, A, B, C, ... whatever their own signs are."""

    options: list[Option] = []
    signs: list[str] = []  # as they are printed
    pictures: list[Any] = []  # one an option, or none at all
    right: list[bool] = []  # which of them a record marks as right
    marks: list[str] = []  # the labels and separators that are no part of any option
    before: str = ""  # the text that stands before the first label
    names: list[str] = []  # of the columns or fields that hold them


def lettered(values: Iterable[str]) -> list[Option]:
    """Options A, B, C ... from their values.

    >>> [o.label for o in lettered(["1", "2"])]
    ['A', 'B']
    """
    values = list(values)
    if len(values) > len(LETTERS):
        raise ValueError(f"{len(values):,} options, {len(LETTERS)} at most")
    return [
        Option(label=label, text=value)
        for label, value in zip(LETTERS, values, strict=False)
    ]


# Signs and their orders --------------------------------------------------------------------------

# orders that are not those of the code points (closed: the alphabets that schools count with)
_ORDERS = (
    "甲乙丙丁戊己庚辛壬癸",
    "一二三四五六七八九十",
    "가나다라마바사아자차",
    "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊ",
    "アイウエオカキクケコ",
    "あいうえおかきくけこ",
    "イロハニホヘト",
    "أبجدهوزحطي",
    "กขคงจฉชซฌญ",
)
_FIRST = "AaΑαАаאअঅⒶⓐ⒜①⑴⒈㊀㈠❶➀⓵🄐🅐"  # where an order of code points begins
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")


@lru_cache(maxsize=4096)
def ranks(sign: str) -> tuple[tuple[str, int], ...]:
    """The orders that a sign may belong to, each with its rank there from 0.

    >>> ranks("c"), ranks("③"), ranks("丙"), ranks("3")
    ((('a', 2),), (('①', 2),), (('甲', 2),), (('1', 2),))
    """
    if sign.isascii() and sign.isdecimal():
        return (("1", int(sign) - 1),)
    found: list[tuple[str, int]] = []
    if sign.upper() in _ROMAN:
        found.append(("I" if sign.isupper() else "i", _ROMAN.index(sign.upper())))
    if len(sign) == 1:
        places = ((order[0], order.find(sign)) for order in _ORDERS)
        found += [(name, rank) for name, rank in places if rank >= 0]
        steps = ((first, ord(sign) - ord(first)) for first in _FIRST)
        found += [(first, rank) for first, rank in steps if 0 <= rank < len(LETTERS)]
    return tuple(found)


def in_order(signs: list[str]) -> bool:
    """Whether signs are the first ones of one order; numbers may start at 0.

    >>> in_order(["a", "b", "c"]), in_order(["0", "1"]), in_order(["x", "y"])
    (True, True, False)
    """
    return any(
        [dict(ranks(sign)).get(order) for sign in signs]
        == list(range(first, first + len(signs)))
        for order, first in (ranks(signs[0]) if signs else ())
        if first == 0 or (order, first) == ("1", -1)
    )


# Labels in a text --------------------------------------------------------------------------------


class _Label(msgspec.Struct, frozen=True):
    """A sign in its slot; `between` is what stands before the slot."""

    sign: str
    order: str
    rank: int
    start: int  # of the slot
    end: int
    slot: tuple[str, str, str]  # a word, and the marks before and behind
    between: str
    empty: bool  # nothing stands behind it but a separator


# what sets a label apart (closed: HTML's tags of emphasis; `a <b and c> d` holds none)
_TAG = r"<(?:b|i|u|em|strong|span|font)(?:\s[^<>]{0,60})?>"
_OPEN = rf"{_TAG}|\[[ xX✓✔]?\]|[☐☑☒□■◯]|\\[A-Za-z]{{2,12}}\s?\{{|[(\[{{<#•·【〔「『–-]|\\[({{]"
_CLOSE = r"</[a-z]{1,6}>|\\[)}]|[)\]}>】〕」』]"
_OTHERS = "".join(_ORDERS) + "".join(
    chr(ord(one) + k) for one in _FIRST[2:] for k in range(26)
)
_ENCLOSED = frozenset(char for char in _OTHERS if not char.isalpha())  # ①, ⓐ, ⑴
_SIGN = rf"\d{{1,2}}|(?:[IVX]{{1,4}}|[ivx]{{1,4}}|[A-Za-z])(?![A-Za-z])|[{re.escape(_OTHERS)}]"
_MARKS = (  # brackets, a mark (no `...`), what ends an emphasis, and a mark again: `**(A)**.`
    rf"(?:[ \t]?(?:{_CLOSE})){{0,2}}(?:[ \t]?[.。:、,](?!\.\.))?"
    rf"(?(bold)(?P=bold))(?:{_CLOSE}){{0,2}}(?:[.。:、,](?![.。:\d]))?"
)
_SLOT = re.compile(  # never from inside a word on, or a blank
    r"(?!\s|(?<=[A-Za-z])[A-Za-z])"
    rf"(?P<open>(?:(?:{_OPEN})[^\S\n]?){{0,2}}(?P<bold>\*\*|__|\*)?(?:(?:{_OPEN})[^\S\n]?)?)"
    rf"(?<![A-Za-z])(?P<sign>{_SIGN})(?P<close>[ \t](?:[-–—=|/]|->)(?=\s)|[ \t]?[→⇒]|=|{_MARKS})"
)
_WHOLE = re.compile(
    rf"[A-Za-z]+|\d+|[{re.escape(_OTHERS)}]"
)  # what a sign is the whole of
_BOX = re.compile(r"\[[xX✓✔]?\]|[☑☒■]")  # to be ticked, or ticked
_TICKED = re.compile(r"\[[xX✓✔]\]|[☑☒■]")
_WORD = re.compile(r"([^\W\d_]{2,12})\s?$")
_APPLIED = re.compile(r"(?:\A|[\s(|+*/=,-])[A-Za-z]\Z")
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}


def _labels(covered: str, alone: bool = False) -> Iterator[_Label]:
    """What may be a label, in each of its readings; in orders that go on, if it is not alone."""
    starts = {
        sign for sign in _WHOLE.findall(covered) if len(sign) < 3
    }  # the first two of any
    seen = {place for sign in starts for place in ranks(sign)}
    orders = {order for order, rank in seen if (order, 0) in seen and abs(rank) == 1}
    for match in _SLOT.finditer(covered) if orders or alone else ():
        places = [
            place for place in ranks(match["sign"]) if alone or place[0] in orders
        ]
        if not places:
            continue
        (start, end), (opened, sign, close) = (
            match.span(),
            match.group("open", "sign", "close"),
        )
        enclosed = sign in _ENCLOSED
        if enclosed and close[:1].isspace():  # `② - 1` is a number
            end, close = match.end("sign"), ""
        before, behind = covered[max(0, start - 1) : start], covered[end : end + 1]
        if not (
            close
            or enclosed
            or not behind
            or behind.isspace()
            or behind in "{$" + FILLER
        ):
            continue
        glued = sign.isascii() and before.isalnum() and before.isascii() and not opened
        if glued and (sign.isdigit() or not close.strip()):
            continue
        if sign.isdigit() and close.endswith((".", ",")) and behind.isdigit():
            continue  # 3.5
        if opened == "(" and _APPLIED.search(covered, max(0, start - 2), start):
            continue  # P(A)
        marks = (
            _BOX.sub("☐", "".join(opened.split())),
            "".join(close.split()) or "○" * enclosed,
        )
        empty = covered[end : end + 9].lstrip()[:1] == ";"
        begins = [(start, "")]
        in_word = covered[max(0, start - 3) : start].rstrip()[-1:].isalpha()
        if in_word and (word := _WORD.search(covered, max(0, start - 14), start)):
            begins.append((word.start(), word[1].casefold()))
        for at, name in begins:
            between = _between(covered, at)
            for order, rank in places:
                yield _Label(sign, order, rank, at, end, (name, *marks), between, empty)


def _between(text: str, position: int) -> str:
    """What parts a label from the option before: a line, a mark, or blanks."""
    blanks = 0
    while position > 0 and text[position - 1].isspace():
        position -= 1
        blanks += 1
        if text[position] == "\n":
            return "\n"
    if not position:
        return "^"
    mark = text[position - 1]
    return mark if mark in ";,、|/&" else " " * min(blanks, 2)


def _chain(labels: list[_Label], last: bool) -> list[_Label]:
    """The first (or last) run of consecutive labels; its end may leave one sign or two out."""
    said = {label.rank for label in labels if not label.empty}
    labels = [label for label in labels if not (label.empty and label.rank in said)]
    starts = [k for k, label in enumerate(labels) if label.rank == 0]
    if labels[0].order == "1" and not last:
        starts = [k for k, label in enumerate(labels) if label.rank == -1][:1] or starts
    best: list[_Label] = []
    for start in starts[-3:] if last else starts[:1]:
        run = [labels[start]]
        for label in labels[start + 1 :]:
            if label.rank == run[-1].rank + 1 and label.start >= run[-1].end:
                run.append(label)
        skipped = labels[-1].rank - run[-1].rank
        if len(run) > 1 and 1 < skipped <= 3 and labels[-1].start >= run[-1].end:
            run.append(labels[-1])  # `C. 5; F. No correct answer`
        if len(run) >= len(best):
            best = run
    return best


def _chains(covered: str, last: bool) -> Iterator[list[_Label]]:
    """Runs of labels of one template: alike in their slot, or in what parts them."""
    groups: dict[tuple[object, ...], list[_Label]] = {}
    for label in _labels(covered):
        groups.setdefault((label.order, label.slot), []).append(label)
        if not label.slot[0] and label.between in ("^", "\n", ";"):
            groups.setdefault((label.order,), []).append(label)
    for group in groups.values():
        usual = Counter(label.between for label in group if label.rank > 0).most_common(
            1
        )
        if not usual:
            continue
        alike = [one for one in group if one.between == usual[0][0] or one.rank <= 0]
        runs = [_chain(alike, last), _shuffled(group)]
        if len(alike) < len(group):
            runs.insert(1, _chain(group, last))
        yield from filter(None, runs)


def _shuffled(group: list[_Label]) -> list[_Label]:
    """Columns read before rows (A C B D): every sign once, but not in order."""
    found = sorted(label.rank for label in group)
    whole = found == list(range(len(group))) and len(group) >= 4
    return group if whole and group[0].rank == 0 else []


def _best(covered: str, last: bool = False) -> list[_Label]:
    """The best chain of a text: of most texts, then the longest, of marked slots, at its start."""
    best: list[_Label] = []
    value = (-1, 0, False, False)
    for run in _chains(covered, last):
        marked = any(any(label.slot) for label in run[:2])
        ends = [*(label.start for label in run[1:]), len(covered)]
        filled = sum(
            covered[a.end : b].strip() != "" for a, b in zip(run, ends, strict=True)
        )
        own = (filled, len(run), marked, run[0].between == "^")
        if 0 < filled < len(run) / 2 and run[0].slot[2] in (
            "/",
            "|",
            "=",
            "-",
            ",",
            "、",
        ):
            continue  # `1 / 2 / 3` are values
        lines = len(run) > 2 and {label.between for label in run} <= {"^", "\n"}
        if (
            own > value
            and len(run) > 1
            and (marked or lines or (len(run) > 2 and own[3]))
        ):
            best, value = run, own
    return best


def _narrow(text: str) -> str:
    return text if text.isascii() else text.translate(_WIDE)


def covered(text: str) -> str:
    """The text with its formulas covered and wide signs narrow, every position kept."""
    text = _narrow(text)
    if "$" not in text and "\\" not in text:
        return text
    out, position = [], 0
    for span in maths_spans(text):
        out += [text[position : span.start], FILLER * (span.end - span.start)]
        position = span.end
    return "".join([*out, text[position:]])


_ENDS = re.compile(r"(?:\s*[;；,，、|/&\\])+$")


def _without_ends(values: list[str]) -> list[str]:
    """Without the mark that parts each value from the next, where there is one."""
    marks = {value[-1:].translate(_WIDE) for value in values[:-1]}
    paired = "|" in marks and values[-1].endswith("|")  # |x|
    if ";" in marks or (len(marks) == 1 and _ENDS.match(marks.pop()) and not paired):
        return [_ENDS.sub("", value) for value in values]
    return values


def _labelled(text: str, run: list[_Label]) -> Choices:
    """The options of a chain, by the order of their signs; an empty one shows its sign alone."""
    ends = [label.start for label in run[1:]] + [len(text)]
    bodies = [
        text[label.end : end].strip() for label, end in zip(run, ends, strict=True)
    ]
    bodies = _without_ends(bodies)
    if not any(bodies):
        bodies = [label.sign for label in run]
    pairs = sorted(zip(run, bodies, strict=True), key=lambda pair: pair[0].rank)
    base = min(label.rank for label in run)
    if pairs[-1][0].rank - base >= len(LETTERS):
        raise ValueError(f"{len(run):,} options, {len(LETTERS)} at most")
    options = [Option(label=LETTERS[one.rank - base], text=body) for one, body in pairs]
    before = text[: min(label.start for label in run)].strip()
    marks = [text[label.start : label.end] for label in run]
    if before[-1:] in ":：*_" and (heading := _HEADING.search(before)):
        marks.append(heading[0])
        before = before[: heading.start()]
    right = [bool(_TICKED.search(text[one.start : one.end])) for one, _ in pairs]
    signs = [label.sign for label, _ in pairs]
    return Choices(
        options, signs, right=right if any(right) else [], marks=marks, before=before
    )


_HEADING = re.compile(
    r"(?<=\S)\s*\n[ \t]*[*_]{0,2}[^\W\d_]+(?: [^\W\d_]+)?[*_]{0,2}[:：][*_]{0,2}\Z"
)


def holds_label(text: str, rank: int) -> bool:
    """Whether an option's text goes on with the label of this rank, as `3 B. 4` does for 1."""
    letter = LETTERS[rank : rank + 1] or "?"
    return letter in text.upper() and any(
        label.rank == rank and label.order in "Aa" and label.slot[2] and label.start > 0
        for label in _labels(covered(text[:LONGEST]), alone=True)
    )


# One text ----------------------------------------------------------------------------------------

_BLOCK = re.compile(r"(?i)</?(?:li|br|p|div|ol|ul)\b[^<>]*>")  # ends a line
_BULLET = re.compile(r"\s*([-*•·▪◦‣])\s+")
_ORDINARY = "\\s\\w.,'\"()\\[\\]{}+*=<>%$°:!?^\\\\/#@~\\-"  # of mathematics and prose
_STRONG = re.compile(rf"\|\||//+|##+|@@+|~~+|(?:\\n)|[^{_ORDINARY}\ufdd3]")
_WEAK = (r"\t+", r"\s/\s", r"\s+or\s+", r",\s+", r"[、，]\s*", r",", r"\s{2,}", r"/")
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")


def options_in_cell(text: str) -> Choices:
    """The options that one text holds, labelled or parted by a mark that repeats.

    >>> [o.text for o in options_in_cell("(a) 3 cm  (b) 4 cm  (c) 5 cm").options]
    ['3 cm', '4 cm', '5 cm']
    >>> [o.text for o in options_in_cell("90; 80; 95").options]
    ['90', '80', '95']
    """
    if len(text) > LONGEST:
        raise ValueError(f"options of {len(text):,} characters, {LONGEST:,} at most")
    plain, tags = text.strip(), list[str]()
    if "<" in plain and "<td" not in plain.lower():
        tags = _BLOCK.findall(plain)
        plain = _BLOCK.sub("\n", plain).strip()
    blind = covered(plain)
    if run := _best(blind):
        choices = _labelled(plain, run)
        choices.marks += tags
        return choices
    if (choices := _in_formula(plain)).options:
        return choices
    values, marks = _parted(plain, blind)
    return Choices(lettered(values), marks=marks + tags)


def _parted(text: str, blind: str) -> tuple[list[str], list[str]]:
    """The values between separators, and these; the text itself where nothing parts it."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1:
        bullets = [_BULLET.match(line) for line in lines]
        if all(bullets) and len({m[1] for m in bullets if m}) == 1:
            lines = [
                line[m.end() :] for line, m in zip(lines, bullets, strict=True) if m
            ]
        return _trimmed(lines), []
    if text[:1] + text[-1:] in ("[]", "{}"):
        return _parted(text[1:-1].strip(), blind[1:-1].strip())
    whole = _BRACKETED.sub(lambda m: FILLER * len(m[0]), blind)
    found = Counter(_STRONG.findall(whole))
    if found:
        mark = max(found, key=lambda one: (one in (";", "；", "|"), found[one]))
        return _trimmed(_cut(text, whole, re.escape(mark))), []
    for pattern in _WEAK:
        values = _cut(text, whole, pattern)
        short = all(len(one.split()) < 3 for one in values)
        if all(values) and len(values) > (1 if short else 2):
            return _trimmed(values), re.findall(pattern, whole)
    return [text], []


def _cut(text: str, blind: str, pattern: str) -> list[str]:
    values, position = [], 0
    for match in re.finditer(pattern, blind):
        values.append(text[position : match.start()].strip())
        position = match.end()
    return [*values, text[position:].strip()]


def _trimmed(values: list[str]) -> list[str]:
    """Without empty ends, and without a mark that closes every line."""
    values = [value.strip() for value in values]
    while values and not values[-1]:
        values.pop()
    while values and not values[0]:
        values.pop(0)
    return _without_ends(values)


# what stands around an option inside a formula and shows nothing (closed: TeX's own)
_EDGE = (
    r"(?:[\s&~$]|\\\\|\\[ ,;:!\[\]()]|\\(?:begin|end)\s*\{[a-z]+\*?\}"
    r"|\\(?:q?quad|noindent|hfill|par)(?![A-Za-z]))+"
)
_OPENED = re.compile(r"(?:(?:(?:\$\$|\\\[)\s*+)?\\begin\s*\{[a-z]+\*?\}|\$\$|[\s&])+$")
_FRONT, _BACK = re.compile(rf"^{_EDGE}"), re.compile(rf"{_EDGE}$")


def _in_formula(text: str) -> Choices:
    r"""Options whose labels are set by commands: `$\textbf{(A)}\ 1 \qquad \textbf{(B)}\ 2$`."""
    if "\\text" not in text and "\\math" not in text:
        return Choices()
    run = _best(_narrow(text), last=True)
    if len(run) < 3 or not all("\\" in label.slot[1] for label in run):
        return Choices()
    choices = _labelled(text, run)
    stem = _OPENED.sub("", choices.before)
    choices.before = (stem.rpartition("$")[0] if stem.count("$") % 2 else stem).strip()
    for option in choices.options:
        body = _FRONT.sub("", _BACK.sub("", option.text[-LONGEST:]))
        option.text = body if not body or body.startswith("\\text{") else f"${body}$"
    return choices


_LIST = re.compile(
    r"\\begin\s*\{(?P<name>[A-Za-z]+\*?)\}(?:\s*(?:\[[^\[\]]*\]|\(\d+\)|\{\d+\}))*\s*"
    r"(?P<item>\\[A-Za-z]+)(?![A-Za-z{])(?P<body>.*)\\end\s*\{(?P=name)\}\s*\Z",
    re.S,
)


def _in_list(text: str) -> Choices:
    """The items of a LaTeX list that a text ends in: what its first command parts."""
    start = text.rfind(r"\begin")
    found = _LIST.match(text, start) if start >= 0 else None
    if not found:
        return Choices()
    item = re.escape(found["item"]) + r"(?![A-Za-z])\*?(?:\s*\[[^\[\]]*\])?"
    values = re.split(item, found["body"])
    if len(values) < 2 or not all(map(str.strip, values)):
        return Choices()
    marks = [text[start : found.start("body")], rf"\end{{{found['name']}}}"]
    marks += [found["item"]] * (len(values) - 1)
    return Choices(
        lettered(map(str.strip, values)), marks=marks, before=text[:start].strip()
    )


def options_in_question(question: str) -> tuple[str, Choices]:
    """The stem of a question and the labelled options it ends in; nothing says that they are.

    >>> stem, choices = options_in_question("Which is even? A. 3 B. 4 C. 5")
    >>> stem, [o.text for o in choices.options]
    ('Which is even?', ['3', '4', '5'])
    """
    if len(question) > LONGEST:
        return question, Choices()
    if (choices := _in_list(question)).options:
        return choices.before, choices
    run = _best(covered(question), last=True)
    # marked: "bed A, bed B" names no options
    marked = all(any(label.slot[1:]) or label.between in "^\n" for label in run)
    if not run and (choices := _in_formula(question)).options:
        return choices.before, choices
    few = len(run) == 2 and run[1].between != "\n"
    if (
        not run or not marked or few or len(run) > len(LETTERS)
    ):  # a list of forty is a text
        return question, Choices()
    choices = _labelled(question, run)
    lines = any("\n" in option.text for option in choices.options[:-1])
    cut = r"\n[ \t]*\n" if lines else r"\n"  # what goes on below it
    last, *rest = re.split(cut, choices.options[-1].text, maxsplit=1)
    choices.options[-1].text = last.strip()
    return "\n".join([choices.before, *(one.strip() for one in rest)]).strip(), choices


# Values of JSON ----------------------------------------------------------------------------------

PICTURE_NAME = re.compile(r"[^\n]*\.(png|jpe?g|gif|webp|bmp|tiff?)", re.IGNORECASE)
_PICTURE = re.compile(rf"data:image/|{PICTURE_NAME.pattern}$", re.IGNORECASE)
_TEXTS = (
    "text",
    "value",
    "content",
    "option",
    "choice",
    "body",
    "name",
    "answer",
    "label",
)
DEEPEST = 4


def read_options(value: Any, deep: int = 0) -> Choices:
    """The options of a field: a list, a record, records, or one text that holds them.

    >>> [o.text for o in read_options("['3', '4']").options], read_options({"A": "x"}).signs
    (['3', '4'], ['A'])
    """
    if value is None or deep > DEEPEST or (isinstance(value, float) and value != value):
        return Choices()
    if isinstance(value, str):
        inner = literal(value)
        if inner is None and value.lstrip()[:1] in ("'", '"'):
            inner = literal(f"[{value}]")
        if isinstance(inner, list | dict) and inner:
            return read_options(inner, deep + 1)
        return options_in_cell(value) if value.strip() else Choices()
    if isinstance(value, dict):
        return _of_record(value, deep)
    if isinstance(value, list | tuple):
        return _of_list(list(value), deep)
    return Choices(lettered([as_text(value)]))


def as_text(value: Any) -> str:
    """A value of JSON as it is shown; what is missing shows nothing."""
    if value is None or (isinstance(value, float) and value != value):
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _of_list(values: list[Any], deep: int) -> Choices:
    while values and values[-1] in (None, "") and not isinstance(values[-1], int):
        values.pop()
    if len(values) == 1 and isinstance(values[0], str | list | tuple):
        return read_options(values[0], deep + 1)
    if values and all(isinstance(one, dict) for one in values):
        if all(len(one) == 1 for one in values):  # [{"A": "3"}, {"B": "4"}]
            pairs = {str(name): one[name] for one in values for name in one}
            if len(pairs) == len(values) and in_order([*pairs]):
                return _of_record(pairs, deep)
        return _of_records(values)
    if values and all(
        isinstance(one, list | tuple) and len(one) == 2 for one in values
    ):
        signs = [as_text(one[0]).strip() for one in values]
        if in_order(signs):
            return Choices(lettered(as_text(one[1]) for one in values), signs)
    if len(values) > 1 and _shows(values):
        return Choices(lettered("" for _ in values), pictures=values)
    return _of_entries([as_text(one) for one in values])


def _of_entries(entries: list[str]) -> Choices:
    """Values; labels of one template in front of all of them are no part of them."""
    if len(entries) > 1 and _label_at_start(entries[0]):
        found = [_label_at_start(entry) for entry in entries]
        labels = [one[0] for one in found if one]
        if len(labels) == len(entries) and in_order([label.sign for label in labels]):
            slots = {label.slot for label in labels}
            if len(slots) == 1 and any(slots.pop()):
                signs = [label.sign for label in labels]
                marks = [
                    entry[: label.end]
                    for entry, label in zip(entries, labels, strict=True)
                ]
                bodies = [one[1] for one in found if one]
                values = (
                    bodies if any(bodies) else signs
                )  # labels of what a picture shows
                return Choices(lettered(values), signs, marks=marks)
    return Choices(lettered(entry.strip() for entry in entries))


def _label_at_start(entry: str) -> tuple[_Label, str] | None:
    start = entry[:80].lstrip()
    if not _SLOT.match(start.translate(_WIDE)):
        return None
    for label in _labels(covered(start), alone=True):
        if label.start > 0:
            return None
        if label.rank >= -1:
            return label, entry.lstrip()[label.end :].strip()
    return None


def _of_record(record: dict[str, Any], deep: int) -> Choices:
    """`{A: 3, B: 4}`, or lists side by side: `{label: [A, B], text: [3, 4]}`."""
    lists = [one for one in record.values() if isinstance(one, list)]
    if lists and len(lists) == len(record) and len({len(one) for one in lists}) == 1:
        rows = [dict(zip(record, row, strict=True)) for row in zip(*lists, strict=True)]
        return (
            _of_records(rows) if len(record) > 1 else read_options(lists[0], deep + 1)
        )
    names = [str(name) for name in record]
    while names and record[names[-1]] is None:
        names.pop()
    values = [record[name] for name in names]
    unlike = (len({*letters}) > 1 for letters in zip(*names, strict=False))
    prefix = next(
        (k for k, differ in enumerate(unlike) if differ), 0
    )  # of `option_a`, `option_b`
    signs = [name[prefix:].strip("_- ") for name in names]
    pictures = values if _shows(values) else [_picture(value) for value in values]
    texts = [
        "" if seen else _said(value)
        for seen, value in zip(pictures, values, strict=True)
    ]
    choices = Choices(pictures=pictures if any(pictures) else [], names=names)
    if in_order(signs):
        choices.options, choices.signs = lettered(texts), signs
    else:
        choices.signs = names
        choices.options = [
            Option(label=n, text=t) for n, t in zip(names, texts, strict=True)
        ]
    return choices


def _said(value: Any) -> str:
    """The text of an option that may be a record of its own."""
    if isinstance(value, dict):
        name = next((name for name in _TEXTS if name in value), None)
        return as_text(value[name]) if name else as_text(value)
    return as_text(value)


def _picture(value: Any) -> Any:
    """The value where it is a picture itself, or what a record names as one."""
    if isinstance(value, dict):
        if "bytes" in value or set(value) == {"path"}:
            return value
        inner = next(
            (value[name] for name in value if name in ("image", "picture", "img")), None
        )
        return inner or None
    return value if isinstance(value, bytes) else None


def _of_records(records: list[dict[str, Any]]) -> Choices:
    """Records of options: which field is sign, text, picture and mark follows from the values."""
    if all("bytes" in one or set(one) == {"path"} for one in records):
        return Choices(lettered("" for _ in records), pictures=list(records))
    names = list(dict.fromkeys(name for one in records for name in one))
    columns = {name: [one.get(name) for one in records] for name in names}
    right = next((name for name in names if _is_mark(columns[name])), None)
    image = next(
        (name for name in names if name != right and _shows(columns[name])), None
    )
    texts = [name for name in names if name not in (right, image)]
    signs = {
        name: [as_text(value).strip(" .()") for value in columns[name]]
        for name in texts
    }
    sign = next((name for name in texts if in_order(signs[name])), None)
    texts = [name for name in texts if name != sign] or (
        [sign] if sign and not image else []
    )
    text = next((name for name in _TEXTS if name in texts), texts[0] if texts else None)
    values = (
        [_said(value) for value in columns[text]] if text else ["" for _ in records]
    )
    return Choices(
        lettered(values),
        signs[sign] if sign and sign != text else [],
        columns[image] if image else [],
        [str(value).strip().lower() == "true" for value in columns[right]]
        if right
        else [],
    )


def _is_mark(values: list[Any]) -> bool:
    """Whether values say yes or no, and yes at least once."""
    said = {str(value).lower().strip() for value in values if value is not None}
    return "true" in said and said <= {"true", "false"}


def _shows(values: list[Any]) -> bool:
    """Whether values are pictures, or names of them."""
    given = [value for value in values if value not in (None, "")]
    return bool(given) and all(
        isinstance(value, bytes)
        or (isinstance(value, dict) and ("bytes" in value or "path" in value))
        or (isinstance(value, str) and _PICTURE.match(value) is not None)
        for value in given
    )
