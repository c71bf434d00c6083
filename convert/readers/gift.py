"""GIFT, the plain text in which Moodle and many quiz makers keep questions.

https://docs.moodle.org/en/GIFT_format: choices, true or false, short answers and numbers become
problems, as those of Moodle's XML do; matching, essays and descriptions are dropped by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from ...errors import UserError
from ...pipeline import SourceSpec
from ...problem import Drop, Problem
from ...tables import open_text
from . import moodle
from .base import Pictures, Raw, Unreadable, reader, stems_of

MAX_FILE = 100_000_000  # bytes
MAX_QUESTION = 200_000  # characters
_BLANK = "_____"
_SPECIAL = "~=#{}:"
# characters of private use for what is escaped, and back to what it stands for
_HIDDEN = {ord(sign): 0xF100 + k for k, sign in enumerate(_SPECIAL)}
_SHOWN = {code: chr(sign) for sign, code in _HIDDEN.items()}
_ESCAPED = re.compile(r"\\([~=#{}:])")
_TITLE = re.compile(r"\s*::(.*?)::", re.S)
_FORMAT = re.compile(r"\s*\[(html|markdown|plain|moodle)\]", re.I)
_CATEGORY = re.compile(r"\$CATEGORY:\s*(.+)")
_TAGS = re.compile(r"\[(?:tag|id):([^\]\n]{1,200})\]")
_MARK = re.compile(r"(?P<sign>[=~])(?:%(?P<percent>-?\d{1,3}(?:\.\d{1,6})?)%)?")
_TRUTH = re.compile(r"(?:T|TRUE|F|FALSE)", re.I)
_MARKUP = re.compile(r"</?[a-z][^<>]*>|&\w{2,8};", re.I)
_NUMBER = r"[-+]?\d+(?:[.,]\d+)?(?:[eE][-+]?\d+)?"
_RANGE = re.compile(rf"\s*({_NUMBER})\s*\.\.\s*({_NUMBER})\s*")


class Question(msgspec.Struct):
    """The lines of one question, the first of them, and what stands above it."""

    line: int
    text: str
    category: str
    tags: list[str]


def questions(text: str) -> Iterator[Question]:
    """Questions are parted by empty lines, but not inside of braces; comments hold their tags."""
    category = ""
    held: list[str] = []
    tags: list[str] = []
    start = depth = 0
    for number, line in enumerate([*text.splitlines(), "", ""], 1):
        bare = line.strip()
        if bare.startswith("//"):
            tags += _TAGS.findall(bare)
            continue
        if named := _CATEGORY.fullmatch(bare):
            category = named[1]
            continue
        if not bare and (depth <= 0 or number > text.count("\n") + 1):
            if held:
                yield Question(start, "\n".join(held), category, tags)
                held, tags = [], []
            depth = 0
            continue
        start = start if held else number
        held.append(line)
        plain = _ESCAPED.sub("", line)
        depth += plain.count("{") - plain.count("}")


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row per question, as plain data of the form that Moodle's XML has, too."""
    stems = stems_of(paths)
    for path in paths:
        if path.stat().st_size > MAX_FILE:
            raise UserError(f"{path}: more than {MAX_FILE:,} bytes", "part the file")
        several = f"{stems[path]}." if len(paths) > 1 else ""
        text, _ = open_text(path)
        for number, question in enumerate(questions(text), 1):
            try:
                data = _data(question)
            except ValueError as error:
                start = question.text[:500]
                yield Unreadable(path.name, question.line, str(error), start)
                continue
            yield Raw(path.name, question.line, data | {"id": f"{several}{number}"})


def _data(question: Question) -> dict[str, Any]:
    """What a question holds. Raises ValueError where its braces do not close."""
    if len(question.text) > MAX_QUESTION:
        raise ValueError(f"a question of {len(question.text):,} characters")
    if any("\ud800" <= sign <= "\udfff" for sign in question.text):
        raise ValueError("bytes that are no text in the encoding of the file")
    text = _ESCAPED.sub(lambda m: chr(_HIDDEN[ord(m[1])]), question.text)
    title = _TITLE.match(text)
    text = text[title.end() :] if title else text
    form = _FORMAT.match(text)
    kind = form[1].lower() if form else "moodle"
    text = text[form.end() :] if form else text
    before, opened, rest = text.partition("{")
    inside, closed, behind = rest.partition("}")
    if bool(opened) != bool(closed) or "{" in behind:
        raise ValueError(
            "braces that do not close, or several: escape those of formulas"
        )
    filled = f"{before}{_BLANK}{behind}" if behind.strip() else before
    data: dict[str, Any] = {
        "name": _shown(title[1]).strip() if title else "",
        "text": _page(filled, kind),
        "category": question.category.removeprefix("$course$/").removeprefix("top/"),
        "tags": question.tags,
        "files": {},
        "stack": {},
        "single": True,
    }
    answers, _, feedback = inside.partition("####")
    data["solution"] = _page(feedback, kind)
    return data | (
        _answers(answers.strip(), kind) if opened else {"type": "description"}
    )


def _answers(text: str, kind: str) -> dict[str, Any]:
    """The type of a question and its answers, as its braces say them."""
    truth = _TRUTH.match(text)
    if truth and not text[truth.end() :].strip().strip("#").startswith(("=", "~")):
        is_true = text[0] in "Tt"
        told = [("true", is_true), ("false", not is_true)]
        return {
            "type": "truefalse",
            "answers": [_answer(word, 100.0 * right) for word, right in told],
        }
    if text.startswith("#"):
        return {"type": "numerical", "answers": [*_numbers(text[1:].strip())]}
    said = [*_marked(text)]
    if any("->" in answer for _, _, answer in said):
        return {"type": "matching", "answers": []}
    if not said:
        return {"type": "essay", "answers": []}
    chosen = any(sign == "~" for sign, _, _ in said)
    answers = []
    for sign, percent, answer in said:
        weight = percent if percent is not None else 100.0 * (sign == "=")
        shown = _page(answer, kind) if chosen else escape(_shown(answer).strip())
        answers.append(_answer(shown, weight))
    several = chosen and not any(sign == "=" for sign, _, _ in said)
    return {
        "type": "multichoice" if chosen else "shortanswer",
        "answers": answers,
        "single": not several,
    }


def _answer(text: str, fraction: float, tolerance: str = "") -> dict[str, Any]:
    return {"text": text, "fraction": fraction, "tolerance": tolerance}


def _marked(text: str) -> Iterator[tuple[str, float | None, str]]:
    """Each `=` or `~` with its weight and what stands behind it, without its feedback."""
    marks = [*_MARK.finditer(text)]
    if not marks:
        return
    apart = [mark for mark in marks if _is_apart(mark)]
    if any(mark["sign"] == "=" for mark in apart):
        marks = [mark for mark in marks if mark["sign"] == "~" or mark in apart]
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    for mark, end in zip(marks, ends, strict=True):
        answer = text[mark.end() : end].partition("#")[0]
        percent = float(mark["percent"]) if mark["percent"] else None
        yield mark["sign"], percent, answer.strip()


def _is_apart(mark: re.Match[str]) -> bool:
    """Whether a blank stands before a mark: other signs `=` are of formulas that nobody escaped."""
    return not mark.start() or mark.string[mark.start() - 1].isspace()


def _numbers(text: str) -> Iterator[dict[str, Any]]:
    """`3:2`, `1..5`, or several of them with weights."""
    said = [*_marked(text)] or [("=", None, text.partition("#")[0].strip())]
    for _, percent, value in said:
        weight = 100.0 if percent is None else percent
        if span := _RANGE.fullmatch(value):
            low, high = (float(end.replace(",", ".")) for end in span.groups())
            yield _answer(f"{(low + high) / 2:g}", weight, f"{(high - low) / 2:g}")
            continue
        number, _, tolerance = value.partition(":")
        yield _answer(number.strip(), weight, tolerance.strip())


def _shown(text: str) -> str:
    return text.translate(_SHOWN)


def _page(text: str, kind: str) -> str:
    """A text as HTML, its escapes undone; Moodle shows `\\n` and the ends of lines as such."""
    if form := _FORMAT.match(text):
        kind, text = form[1].lower(), text[form.end() :]
    shown = _shown(text).strip().replace("\\n", "\n")
    if kind in ("plain", "markdown") or not _MARKUP.search(shown):
        shown = escape(shown, quote=False)
    return shown if kind == "html" else shown.replace("\n", "<br/>")


@reader("gift", rows=rows)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem | Drop:
    return moodle.problem(raw, spec, pictures)
