"""Posts.xml of a StackExchange dump: questions with the answer that was accepted, or the best.

https://archive.org/details/stackexchange: a row a post; its text is HTML whose formulas stand in
dollars. The answer is prose, and becomes the solution; a question without any is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from ...errors import UserError
from ...pipeline import SourceSpec
from ...problem import Problem
from .base import Pictures, Raw, Unreadable, problem_of, reader
from .html_items import Page
from .mapped import take_classes

_QUESTION, _ANSWER = "1", "2"
_TAG = re.compile(r"[^<>|]+")
_START = 4_096  # bytes in which a document type would be declared


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row per question; posts are read one by one, so that a dump may be large."""
    for path in paths:
        asked: dict[str, Raw] = {}
        try:
            for line, post in _posts(path):
                _note(path, line, post, asked)
        except etree.XMLSyntaxError as error:
            yield Unreadable(path.name, error.lineno or 0, f"no XML: {error.msg}", "")
        if not asked:
            yield Unreadable(path.name, 0, "no row is a question (PostTypeId 1)", "")
        yield from asked.values()


def _posts(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    with path.open("rb") as file:
        start = file.read(_START)
        if b"<!DOCTYPE" in start or b"<!ENTITY" in start:
            raise UserError(f"{path}:1: a document type is declared", "remove it")
        file.seek(0)
        settings: dict[str, Any] = {"resolve_entities": False, "no_network": True}
        for _, row in etree.iterparse(file, tag="row", **settings):
            yield row.sourceline or 0, dict(row.attrib)
            row.clear()
            while row.getprevious() is not None:  # what was read is not kept
                del row.getparent()[0]


def _note(path: Path, line: int, post: dict[str, str], asked: dict[str, Raw]) -> None:
    """Add a question, or an answer to its question where it is better than the one before."""
    kind = post.get("PostTypeId")
    if kind == _QUESTION:
        name = post.get("Id", str(line))
        data: dict[str, Any] = {
            "id": name,
            "title": post.get("Title", ""),
            "body": post.get("Body", ""),
            "tags": _TAG.findall(post.get("Tags", "")),
            "accepted": post.get("AcceptedAnswerId", ""),
            "licence": post.get("ContentLicense", ""),
            "answer": "",
            "score": None,
        }
        asked[name] = Raw(path.name, line, data)
    elif kind == _ANSWER and (question := asked.get(post.get("ParentId", ""))):
        known = question.data
        accepted = post.get("Id") == known["accepted"]
        score = float("inf") if accepted else _score(post.get("Score", ""))
        if known["score"] is None or score > known["score"]:
            known |= {"answer": post.get("Body", ""), "score": score}


def _score(text: str) -> float:
    """A score; one that is no number is none."""
    return float(text) if re.fullmatch(r"-?\d{1,9}", text) else 0.0


@reader("stackexchange", rows=rows, roles=True)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    post = raw.data
    page = Page({}, pictures)
    said = {"question": post["body"], "solution": post["answer"]}
    by_classes = take_classes(said, spec, pictures)
    question = page.text(said["question"])
    labels = {"title": post["title"], "tags": ", ".join(post["tags"]), **by_classes}
    made = problem_of(
        spec,
        post["id"],
        question,
        page.aside(said.get("answer", "")),
        images=page.images,
        solution=page.aside(said["solution"]) or None,
        labels=labels,
    )
    made.source.license = re.sub(r"\s+", "-", post["licence"]) or None
    return made
