"""Moodle XML, which every Moodle, R/exams and many question banks export.

https://docs.moodle.org/en/Moodle_XML_format: multiple choice, true or false, short answers and
numbers become problems; a picture stands in the file in base64 and is named
`@@PLUGINFILE@@/name`; general feedback is the solution. STACK questions are read where the file
determines them, see `stack.py`. Questions that are computed anew for every student (calculated), or
have no single answer (essay, matching, cloze), are dropped by name.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from ...errors import UserError
from ...options import several_letters
from ...pipeline import SourceSpec
from ...problem import Drop, Option, Problem, Source
from ..mathml import parse_xml
from .base import LETTERS, Pictures, Raw, Unreadable, guess_kind, reader
from .html_items import Page
from .stack import determined, stack_fields
from .sub_answers import part

MAX_FILE = 200_000_000  # bytes


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row per question, with the category that stands before it."""
    for path in paths:
        try:
            if path.stat().st_size > MAX_FILE:
                raise UserError(f"{path}: more than {MAX_FILE:,} bytes", "export it in parts")
            quiz = parse_xml(path.read_bytes())
        except OSError as error:
            raise UserError(f"cannot read {path}: {error.strerror}", "check the path") from error
        except UserError as error:
            yield Unreadable(path.name, 1, error.message, "")
            continue
        if quiz.tag != "quiz":
            yield Unreadable(path.name, 1, f"<{quiz.tag}> instead of Moodle's <quiz>", "")
            continue
        category = ""
        several = f"{path.stem}." if len(paths) > 1 else ""
        for number, question in enumerate(quiz.iterfind("question"), 1):
            if question.get("type") == "category":
                category = (
                    _text(question, "category").removeprefix("$course$/").removeprefix("top/")
                )
                continue
            line = question.sourceline or number
            try:
                data = _question(question) | {"category": category, "id": f"{several}{number}"}
                yield Raw(path.name, line, data)
            except ValueError as error:  # a fraction that is no number
                yield Unreadable(path.name, line, str(error), _text(question, "name"))


def _question(question: Any) -> dict[str, Any]:
    """What a question holds, as plain data."""
    typed = question.get("type") in ("shortanswer", "numerical")
    return {
        "type": question.get("type", ""),
        "name": _text(question, "name"),
        "text": _text(question, "questiontext"),
        "solution": _text(question, "generalfeedback"),
        "single": (question.findtext("single") or "true").strip() != "false",
        "answers": [
            {
                "text": escape(_text(answer)) if typed else _text(answer),
                "fraction": float(answer.get("fraction") or 0),
                "tolerance": answer.findtext("tolerance") or "",
            }
            for answer in question.iterfind("answer")
        ],
        "stack": stack_fields(question) if question.get("type") == "stack" else {},
        "tags": [_text(tag) for tag in question.iterfind("tags/tag")],
        "files": {
            file.get("path", "/").lstrip("/") + file.get("name", ""): file.text or ""
            for file in question.iter("file")
            if file.get("encoding") == "base64"
        },
    }


def _text(element: Any, name: str = "") -> str:
    """The text of an element as HTML, whatever format it says it has."""
    found = element.find(name) if name else element
    if found is None:
        return ""
    text = (found.findtext("text") or "").strip()
    return escape(text) if found.get("format") in ("plain_text", "markdown") else text


@reader("moodle", rows=rows)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem | Drop:
    item = raw.data
    name = f"{spec.name}-{item['id']}"
    kind = item["type"]
    if kind == "stack":
        return _stack(name, item, spec, pictures)
    if kind not in ("multichoice", "truefalse", "shortanswer", "numerical"):
        return Drop(id=name, reason=f"moodle: a question of type {kind!r}")
    right = [a for a in item["answers"] if a["fraction"] > 0]
    if not right:
        return Drop(id=name, reason="moodle: no answer is right")
    page = Page(_decoded(item["files"], pictures), pictures)
    question, options, tolerance = page.text(item["text"]), list[Option](), None
    best = max(right, key=lambda answer: answer["fraction"])
    if kind in ("multichoice", "truefalse"):
        if len(item["answers"]) > len(LETTERS):
            return Drop(id=name, reason=f"moodle: {len(item['answers'])} options")
        options = [_option(page, k, a["text"]) for k, a in enumerate(item["answers"])]
        chosen = [best] if item["single"] or kind == "truefalse" else right
        answer = "".join(
            o.label for o, a in zip(options, item["answers"], strict=True) if a in chosen
        )
        answer = several_letters(answer, options) or answer
    else:
        answer = page.aside(best["text"])
        if kind == "numerical" and best["tolerance"]:
            tolerance = float(best["tolerance"]) or None
        if others := [a["text"] for a in right if a is not best and a["fraction"] == 100]:
            pictures.notes.append(f"moodle: also right: {', '.join(others)}"[:300])
    labels = {"category": item["category"], "title": item["name"], "tags": ", ".join(item["tags"])}
    return Problem(
        id=name,
        origin=name,
        source=Source(name=spec.name, raw_id=item["id"]),
        question=question,
        images=page.images,
        options=options,
        answer=answer,
        answer_kind="number" if kind == "numerical" else guess_kind(answer, options),
        tolerance=tolerance,
        solution=page.aside(item["solution"]) or None,
        labels={label: text for label, text in labels.items() if text},
    )


def _stack(name: str, item: dict[str, Any], spec: SourceSpec, pictures: Pictures) -> Problem | Drop:
    try:
        text, solution, answers = determined(item)
    except UserError as error:
        return Drop(id=name, reason=f"moodle: a question of type 'stack': {error.message}"[:300])
    page = Page(_decoded(item["files"], pictures), pictures)
    several = len(answers) > 1
    parts = [part(str(k), answer) for k, answer in enumerate(answers, 1)] if several else []
    answer = answers[0] if len(answers) == 1 else ""
    labels = {"category": item["category"], "title": item["name"], "tags": ", ".join(item["tags"])}
    return Problem(
        id=name,
        origin=name,
        source=Source(name=spec.name, raw_id=item["id"]),
        question=page.text(text),
        images=page.images,
        answer=answer,
        answer_kind="parts" if parts else guess_kind(answer, []),
        parts=parts,
        solution=page.aside(solution) or None,
        labels={label: text for label, text in labels.items() if text},
    )


def _option(page: Page, k: int, html: str) -> Option:
    text, image = page.option(html)
    return Option(label=LETTERS[k], text=text, image=image)


def _decoded(files: dict[str, str], pictures: Pictures) -> dict[str, bytes]:
    """The files of a question; one that is no base64 is noted, and missing."""
    decoded = {}
    for name, text in files.items():
        try:
            decoded[name] = base64.b64decode(text)
        except binascii.Error as error:
            pictures.notes.append(f"broken-picture: {name}: {error}")
    return decoded
