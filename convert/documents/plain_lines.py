r"""Markdown as plain lines: labels out of formulas, lists and tables of options to lines.

Offsets inside formulas never matter to the later steps: `blind` covers formulas and pictures with
filler of the same length, so that labels and numbers are searched in prose only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from ...latex import MATHPIX, Delimiters, maths_spans
from ...options import ALPHABETS, CIRCLED, LETTERS
from ...words import words
from .latex_lists import list_lines, nested_numbers
from .markdown import PICTURE, in_dollars, tables

FILLER = "\ufdd3"  # what covers formulas and pictures

# a label in a style, in brackets: `\textbf{(A)}`, `(\mathbf{A})`
_STYLED = r"\\(?:text|math)(?:bf|rm|sf|up|normal)?\s*\{\s*(?:\\(?:bf|rm)\s*)?"
_LABEL_IN_FORMULA = re.compile(
    rf"(?:{_STYLED}|\{{\s*\\(?:bf|rm)\s*)\(\s*([A-Ha-h])\s*\)(?:\s|~|\\ |\\,|\\;)*\}}"
    r"|\(\s*\\(?:text|math)bf\s*\{([A-Ha-h])\}\s*\)"
)
# a line that starts with `$\mathrm{A}$.`
_LABEL_AS_FORMULA = re.compile(
    r"(?m)^([ \t]*)\$\s*(?:\\(?:text|math)(?:bf|rm)?\s*\{\s*([A-H])\s*\}|([A-H]))\s*\$"
    r"(?=[ \t]?[.．)）])"
)
_SPACE = r"(?:\s|~|\\[ ,;:!]|\\q?quad(?![A-Za-z])|\\\\)+"
_EDGE = re.compile(f"^{_SPACE}|{_SPACE}$")
_NUMBERED_HEAD = re.compile(
    r"(?m)^[ \t]*\\(?:sub)*section\*?\{\s*((?:Problem|Question)?[ \t]*\d{1,3}\b[^\n]*)\}[ \t]*$"
)
# a label of an option in bold, or at the start of a line a number
_BOLD = re.compile(
    r"(?:\*\*|__|\\textbf[ \t]*\{)[ \t]*"
    r"(\(?[ \t]*[A-H][ \t]*[.):]?|\(?[a-h][.)])[ \t]*(?:\*\*|__|\})"
    r"|^([ \t]*)(?:\*\*|__|\\textbf[ \t]*\{)[ \t]*"
    r"(\(?(?:(?:Problem|Question)[ \t]+)?\d{1,3}[ \t]*[.):]?)[ \t]*(?:\*\*|__|\})",
    re.M,
)
# `$$150. \quad s(t)$$`, `$\text{155. The position } s$`
_NUMBER_IN_FORMULA = re.compile(
    r"(?m)^([ \t]*)(\${1,2})[ \t]*(?:"
    r"(\d{1,4}\.)[ \t]*\\q?quad(?![A-Za-z])[ \t]*"
    r"|(\\text\s*\{)[ \t]*(\d{1,4}\.)(?![0-9])[ \t]*(?:\}[ \t]*(?:\\q?quad(?![A-Za-z])[ \t]*)?)?)"
)
# full-width labels and numbers of problems, which are folded before they are looked for
_WIDE_LABEL = re.compile(
    r"(?<![Ａ-Ｚａ-ｚ０-９A-Za-z0-9])(?:[Ａ-Ｈａ-ｈ](?=[ \t　]*[．.、:：)）])"
    r"|(?<=[(（])[ \t]*[Ａ-Ｈａ-ｈ](?=[ \t]*[)）])"
    r"|(?m:(?:^|(?<=第)|(?<=[(（#]))[ \t]*[０-９]{1,4}(?=[ \t　]*[．.、)）题])))"
)
# what cannot be seen goes; returns and page breaks end a line; the last are our own placeholders
_CONTROLS = dict.fromkeys([*range(9), 11, *range(14, 32), 127, *range(0xFDD0, 0xFDF0)])
_CONTROLS |= {12: "\n", 13: "\n"}
# Markdown keeps it from a list
_ESCAPED_NUMBER = re.compile(r"(?m)^([ \t>]*\d{1,4})\\([.)])")
# rules, and fences, which show their lines as they are
_RULE = re.compile(
    r"(?m)^[ \t]{0,3}(?:`{3,}|~{3,}|-{3,}|\*{3,}|_{3,}|(?:[-*_][ \t]+){3,})[ \t]*$"
)
_TO_ASCII = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}

_BOX = r"[ \t]*(?:\[[(\[]([ xX])[)\]]\]|[-*+][ \t]+\[([ xX])\])[ \t]+"
_CHOICES = re.compile(rf"(?:^{_BOX}\S[^\n]*(?:\n|\Z))+", re.M)
_CHOICE = re.compile(rf"{_BOX}([^\n]*)")
# what is to be typed, on a line of its own, as LiaScript has it
TYPED = re.compile(r"(?m)^[ \t]*\[\[(?!\?)([^\[\]\n]+)\]\][ \t]*$")
_HINT = re.compile(r"(?m)^[ \t]*\[\[\?\]\]")
_STARS = re.compile(
    r"(?m)^[ \t]*\*{4,}[ \t]*\n((?:(?![ \t]*\*{4,})[^\n]*\n)*)[ \t]*\*{4,}[ \t]*$"
)
_DIV = re.compile(r"(?m)^:{3,}[ \t]*\{?[ \t]*\.?([A-Za-z]*)[^\n]*$")
_ATTRIBUTES = re.compile(r"(?m)^(#{1,6}[ \t][^\n{}]*?)[ \t]*\{[-.#][^{}\n]*\}[ \t]*$")
_RESULT = re.compile(words("answer", "solution", "hint"), re.I)
_L = "[A-Ha-h]"
_CELL_LABEL = re.compile(
    rf"^\s*(?P<label>[(（]\s*(?P<a>{_L})\s*[)）]|(?P<b>{_L})\s*[.．、:：)]"
    rf"|(?P<c>[A-H])(?=\s|$)|(?P<d>[{CIRCLED}]))\s*(?P<text>.*)$",
    re.S,
)


def plain_lines(text: str, delimiters: Delimiters = MATHPIX) -> str:
    """Formulas in dollars; option labels, list items and option tables as plain lines of text."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").translate(_CONTROLS)
    text = in_dollars(text, delimiters)
    text = _WIDE_LABEL.sub(lambda m: m[0].translate(_TO_ASCII), text)
    text = _RULE.sub("", _quizzes(_pandoc(text)))
    text = _ESCAPED_NUMBER.sub(r"\1\2", text)
    text = _NUMBER_IN_FORMULA.sub(_number_out, text)
    text = labels_out_of_formulas(_NUMBERED_HEAD.sub(r"\1", text))
    text = _unbold(text, [(start, end) for _, start, end in tables(text)])
    text = list_lines(nested_numbers(text))
    return option_tables(text)


def _pandoc(text: str) -> str:
    """Attributes of headings go; `::: solution` says what stands below."""

    def heading(div: re.Match[str]) -> str:
        return f"{div[1].capitalize()}:" if _RESULT.fullmatch(div[1]) else ""

    return _DIV.sub(heading, _ATTRIBUTES.sub(r"\1", text))


def _quizzes(text: str) -> str:
    """Choices with boxes, of which one is ticked, as in Markdown; `[[answers]]`, hints, solutions
    in stars, as in LiaScript.
    """

    def choices(match: re.Match[str]) -> str:
        lines: list[str] = []
        ticked: list[str] = []
        boxes = _CHOICE.findall(match[0])
        for letter, (radio, box, body) in zip(LETTERS, boxes, strict=False):
            lines.append(f"({letter}) {body}")
            if (radio + box).strip():
                ticked.append(letter)
        if not 0 < len(ticked) < len(lines):  # a list of what is to be done
            return match[0]
        return "\n".join([*lines, "", f"Answer: {', '.join(ticked)}", ""])

    if not any(box in text for box in ("[(", "[[", "[x]", "[X]")):
        return text
    text = TYPED.sub(r"Answer: \1\n", _CHOICES.sub(choices, text))
    return _STARS.sub(r"Solution:\n\1", _HINT.sub("Solution:", text))


def _number_out(match: re.Match[str]) -> str:
    """The number of a problem before the formula that held it."""
    if match[3]:
        return f"{match[1]}{match[3]} {match[2]}"
    is_closed = match[0].rstrip().endswith("}") or "quad" in match[0]
    opener = "" if is_closed else match[4]
    return f"{match[1]}{match[5]} {match[2]}{opener}"


def _unbold(text: str, exceptions: list[tuple[int, int]]) -> str:
    """Bold labels and numbers made plain, except in some stretches."""
    pieces: list[str] = []
    position = 0
    for start, end in [*exceptions, (len(text), len(text))]:
        if start >= position:
            plain = _BOLD.sub(lambda m: m[1] or f"{m[2]}{m[3]}", text[position:start])
            pieces += [plain, text[start:end]]
            position = end
    return "".join(pieces)


def blind(text: str) -> str:
    """The text with formulas and pictures covered, every position kept."""
    covered = list(text)
    stretches = [(s.start, s.end) for s in maths_spans(text)]
    stretches += [(m.start(), m.end()) for m in PICTURE.finditer(text)]
    for start, end in stretches:
        covered[start:end] = FILLER * (end - start)
    return "".join(covered)


def blanked(text: str, stretches: list[tuple[int, int]]) -> str:
    """The text with stretches, in order, turned into empty lines; every position is kept."""
    parts, position = [], 0
    for start, end in stretches:
        if start >= position:
            parts += [text[position:start], "\n" * (end - start)]
            position = end
    return "".join([*parts, text[position:]])


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


def _cell(cell: str) -> tuple[str, str, str] | None:
    """The letter that a cell starts with, its label as an option's, and what follows."""
    match = _CELL_LABEL.match(_unbold(cell, []))
    if not match:
        return None
    sign = next(filter(None, match.group("a", "b", "c", "d")))
    alphabet = next(a for a in ALPHABETS if sign in a)
    label = sign if sign in CIRCLED else f"({sign})"
    return LETTERS[alphabet.index(sign)], label, match["text"].strip()


def _option_lines(rows: list[list[str]]) -> list[str] | None:
    """The options of a table: labels in front of its rows or its columns, or inside of rows.

    A cell without label belongs to the label before it in its row: `A. 1 & B. 2`, `A & 1 & 2`.
    """
    columns = [*zip_longest(*rows, fillvalue="")]
    for table, in_front in ((rows, True), (columns, True), (rows, False)):
        options = _options(table, in_front)
        options.sort(key=lambda option: option[0])
        letters = [letter for letter, *_ in options]
        if len(options) > 2 and letters == list(LETTERS[: len(options)]):
            return [
                f"{label} {', '.join(filter(None, texts))}"
                for _, label, *texts in options
            ]
    return None


def _options(table: Iterable[Sequence[str]], in_front: bool) -> list[list[str]]:
    """Letter, label and texts of each option; with `in_front` a label alone opens its row."""
    options: list[list[str]] = []
    for row in table:
        before = len(options)
        for text in filter(str.strip, row):
            row_options = options[before:]
            is_of_label = in_front and row_options and row_options[0][2:3] == [""]
            cell = None if is_of_label else _cell(text)
            if cell:
                options.append([*cell])
            elif row_options:
                options[-1].append(text.strip())
            else:
                options.append([""])  # the text of no label
    return options
