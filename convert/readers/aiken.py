"""Questions that end in a line with their answer: Aiken, which many quiz makers write.

```
What is 1+1?
A. 1
B) 2
ANSWER: B
```
Options have a line each; the word for the answer is of any language, or of `roles:`. Lines of a
solution (`Explanation: ..`, `FEEDBACK: ..`) may follow the answer.
https://docs.moodle.org/en/Aiken_format
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ...errors import UserError
from ...pipeline import SourceSpec
from ...problem import Problem
from ...tables import open_text
from ...words import own_roles, own_word, speaking
from ..tex import of_label
from .base import LETTERS, Pictures, Raw, Unreadable, file_names, reader
from .mapped import from_row

MAX_FILE = 100_000_000  # bytes
MOST_LINES = 200  # of a question
FEW = 2  # questions by which a text is known
_OPTION = re.compile(r"\s*\(?(?P<sign>[A-Za-z])[.)][ \t]+(?P<text>\S.*)")
_ANSWER = re.compile(
    r"\s*(?P<word>[^\W\d_][^:：\n]{0,30}?)\s*[:：]\s*"
    r"(?P<letters>[A-Za-z](?:\s*[,;&]?\s*[A-Z])*)\s*\.?\s*"
)
_LABEL = re.compile(r"\s*(?P<word>[^\W\d_][^:：\n]{0,30}?)\s*[:：](?P<text>.*)")
_NUMBER = re.compile(r"\s*(?:Q(?:uestion)?\s*)?\d{1,4}\s*[.):]\s+", re.I)
_FEEDBACK = ("feedback", "rationale", "reason")  # as programs call a solution


class _Question(msgspec.Struct):
    """The lines of a question, up to its answer and what explains it."""

    line: int
    asked: list[str] = []
    options: list[tuple[str, list[str]]] = []
    answer: str = ""
    solution: list[str] = []


def ends_in_answers(text: str) -> bool:
    """Whether options with an answer behind them stand in a text, again and again, unnumbered."""
    found = 0
    before: list[str] = []
    for line in text.split("\n"):
        if _answer_of(line) and _OPTION.fullmatch(before[-1] if before else ""):
            found += 1
        if line.strip():
            before = [*before[-1:], line]
    numbered = sum(_NUMBER.match(line) is not None for line in text.split("\n"))
    return found >= FEW and numbered < found


def _role(word: str) -> str:
    plain = word.strip(" *_").casefold()
    return (
        own_word(word) or of_label(word) or ("solution" if plain in _FEEDBACK else "")
    )


def _answer_of(line: str) -> str:
    """The letters of a line that says the answer, or nothing."""
    match = _ANSWER.fullmatch(line)
    if match is None or _role(match["word"]) != "answer":
        return ""
    return "".join(re.findall(r"[A-Za-z]", match["letters"])).upper()


def questions(text: str) -> Iterator[_Question]:
    """Each question of a text; the last may lack its answer."""
    now = _Question(1)
    for number, line in enumerate(text.split("\n"), 1):
        if now.answer and line.strip():
            match = _LABEL.fullmatch(line)
            if match and _role(match["word"]) in ("solution", "hint"):
                now.solution.append(match["text"].strip())
                continue
            yield now
            now = _Question(number)
        if not line.strip():
            continue
        if not now.asked and not now.options:
            now.line = number
        if letters := _answer_of(line):
            now.answer = letters
        elif (option := _OPTION.fullmatch(line)) and _follows(now, option["sign"]):
            now.options.append((option["sign"].upper(), [option["text"].strip()]))
        elif now.options:
            now.options[-1][1].append(line.strip())
        else:
            now.asked.append(line.strip())
    if now.asked or now.options:
        yield now


def _follows(now: _Question, sign: str) -> bool:
    """Whether a sign is the next of a question's options: `a) b)` of a text are none before."""
    return (
        bool(now.asked)
        and sign.upper() == LETTERS[len(now.options) : len(now.options) + 1]
    )


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row a question; one without an answer, or with one that is no option, is named."""
    names = file_names(paths)
    for path in paths:
        if path.stat().st_size > MAX_FILE:
            raise UserError(f"{path}: more than {MAX_FILE:,} bytes", "part the file")
        name, called = names[path]
        text, _ = open_text(path)
        with speaking(own_roles(spec.roles)):
            found = [*questions(text.replace("\r\n", "\n"))]
        for number, question in enumerate(found, 1):
            if why := _doubt(question):
                start = " ".join(question.asked)[:500]
                yield Unreadable(name, question.line, why, start)
                continue
            raw_id = f"{called}.{number}" if called else str(number)
            yield Raw(name, question.line, _row(question), raw_id)


def _doubt(question: _Question) -> str:
    """Why a question cannot be read."""
    signs = "".join(sign for sign, _ in question.options)
    if len(question.asked) + len(question.options) > MOST_LINES:
        return f"a question of more than {MOST_LINES} lines: is this Aiken?"
    if not question.answer:
        return "no line with the answer behind it, as in ANSWER: B"
    if len(question.options) < 2:
        return "no options before the answer: each has a line, as in A. 5"
    if not set(question.answer) <= set(signs):
        return f"the answer {question.answer!r} is none of the options {signs}"
    return ""


def _row(question: _Question) -> dict[str, Any]:
    asked = "\n".join(question.asked)
    return {
        "question": _NUMBER.sub("", asked, count=1) if _NUMBER.match(asked) else asked,
        "options": ["\n".join(lines) for _, lines in question.options],
        "answer": question.answer,
        "solution": "\n".join(question.solution),
    }


@reader("aiken", rows=rows, roles=True)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    return from_row(raw, spec, pictures)
