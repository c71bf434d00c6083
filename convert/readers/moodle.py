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
from ...pipeline import SourceSpec
from ...problem import Drop, Problem
from ..mathml import parse_xml
from .base import Pictures, Raw, Unreadable, problem_of, reader, stems_of, whole_file
from .cloze import GapError, gaps_of
from .html_items import Page, problem_of_item
from .mapped import take_classes
from .recognise import Known, recognised
from .stack import determined, stack_fields
from .sub_answers import part

MAX_FILE = 200_000_000  # bytes


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row per question, with the category that stands before it."""
    stems = stems_of(paths)
    for path in paths:
        try:
            quiz = parse_xml(whole_file(path, MAX_FILE))
        except OSError as error:
            raise UserError(
                f"cannot read {path}: {error.strerror}", "check the path"
            ) from error
        except UserError as error:
            yield Unreadable(path.name, 1, error.message, "")
            continue
        if quiz.tag != "quiz":
            known = recognised(path)
            other = (
                f": it is {known.what}: reader: {known.readers[0]}"
                if isinstance(known, Known)
                else ""
            )
            what = f"<{quiz.tag}> instead of Moodle's <quiz>{other}"
            yield Unreadable(path.name, 1, what, "")
            continue
        category = ""
        several = f"{stems[path]}." if len(paths) > 1 else ""
        for number, question in enumerate(quiz.iterfind("question"), 1):
            if question.get("type") == "category":
                category = (
                    _text(question, "category")
                    .removeprefix("$course$/")
                    .removeprefix("top/")
                )
                continue
            line = question.sourceline or number
            try:
                data = _question(question) | {
                    "category": category,
                    "id": f"{several}{number}",
                }
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


@reader("moodle", rows=rows, roles=True)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem | Drop:
    item = dict(raw.data)
    said: dict[str, Any] = {"question": item["text"], "solution": item["solution"]}
    by_classes = take_classes(said, spec, pictures)
    item |= {"text": said["question"], "solution": said["solution"]}
    name = f"{spec.name}-{item['id']}"
    kind = item["type"]
    page = Page(_decoded(item["files"], pictures), pictures)
    labels = {
        "category": item["category"],
        "title": item["name"],
        "tags": ", ".join(item["tags"]),
        **by_classes,
    }
    if kind == "stack":
        return _stack(name, item, page, spec, labels)
    if kind == "cloze":
        return _cloze(name, item, page, spec, labels)
    if kind not in ("multichoice", "truefalse", "shortanswer", "numerical"):
        return Drop(id=name, reason=f"{spec.reader}: a question of type {kind!r}")
    right = [(str(k), a) for k, a in enumerate(item["answers"]) if a["fraction"] > 0]
    if not right:
        return Drop(id=name, reason=f"{spec.reader}: no answer is right")
    known, best = max(right, key=lambda one: one[1]["fraction"])
    choices = list[tuple[str, str]]()
    chosen = [known]
    fields = dict[str, Any]()
    if kind in ("multichoice", "truefalse"):
        choices = [(str(k), answer["text"]) for k, answer in enumerate(item["answers"])]
        if kind == "multichoice" and not item["single"]:
            chosen = [one for one, _ in right]
    else:
        others = [a["text"] for _, a in right if a is not best and a["fraction"] == 100]
        chosen = [page.aside(best["text"]), *others]
    if kind == "numerical":
        fields["answer_kind"] = "number"
        fields["tolerance"] = float(best["tolerance"] or 0) or None
    return problem_of_item(
        spec,
        item["id"],
        page,
        item["text"],
        choices,
        chosen,
        solution=[item["solution"]],
        labels=labels,
        **fields,
    )


def _cloze(
    name: str,
    item: dict[str, Any],
    page: Page,
    spec: SourceSpec,
    labels: dict[str, str],
) -> Problem | Drop:
    """A question whose gaps are its parts; a single gap is its answer."""
    try:
        text, parts = gaps_of(item["text"])
    except GapError as error:
        return Drop(id=name, reason=f"{spec.reader}: a cloze: {error}")
    several = len(parts) > 1
    return problem_of(
        spec,
        item["id"],
        page.text(text),
        "" if several else parts[0].answer,
        images=page.images,
        answer_kind="parts" if several else "",
        parts=parts if several else [],
        solution=page.aside(item["solution"]) or None,
        labels=labels,
    )


def _stack(
    name: str,
    item: dict[str, Any],
    page: Page,
    spec: SourceSpec,
    labels: dict[str, str],
) -> Problem | Drop:
    try:
        text, solution, answers = determined(item)
    except UserError as error:
        return Drop(
            id=name, reason=f"moodle: a question of type 'stack': {error.message}"[:300]
        )
    parts = (
        [part(str(k), one) for k, one in enumerate(answers, 1)]
        if len(answers) > 1
        else []
    )
    question = page.text(text)
    return problem_of(
        spec,
        item["id"],
        question,
        answers[0] if len(answers) == 1 else "",
        images=page.images,
        answer_kind="parts" if parts else "",
        parts=parts,
        solution=page.aside(solution) or None,
        labels=labels,
    )


def _decoded(files: dict[str, str], pictures: Pictures) -> dict[str, bytes]:
    """The files of a question; one that is no base64 is noted, and missing."""
    decoded = {}
    for name, text in files.items():
        try:
            decoded[name] = base64.b64decode(text)
        except binascii.Error as error:
            pictures.notes.append(f"broken-picture: {name}: {error}")
    return decoded
