"""Items of QTI 1.2, which Canvas, Blackboard and Brightspace export: many in one XML file.

https://www.imsglobal.org/question/qtiv1p2/: one response of choices, or one text or number to
enter, becomes a problem; what is right is the condition that sets a positive score.
"""

from __future__ import annotations

from html import escape
from typing import Any

from lxml import etree

from ...pipeline import SourceSpec
from ...problem import Drop, Option, Problem, Source
from .base import LETTERS, Pictures, guess_kind
from .html_items import Page


def items(document: Any) -> list[Any]:
    """The items of a `questestinterop`, their names without a namespace."""
    for element in document.iter():
        if isinstance(element.tag, str):
            element.tag = etree.QName(element).localname
    etree.cleanup_namespaces(document)
    return list(document.iter("item"))


def read_item(
    item: Any, raw_id: str, page: Page, spec: SourceSpec, pictures: Pictures
) -> Problem | Drop:
    """The problem of one item, or why it is none."""
    name = f"{spec.name}-{raw_id}"
    responses = [e for e in item.iter() if str(e.tag).startswith("response_") and e.get("ident")]
    responses = [e for e in responses if e.tag != "response_label"]
    presentation = item.find("presentation")
    if len(responses) != 1 or responses[0].tag not in ("response_lid", "response_str"):
        kinds = ", ".join(sorted({e.tag for e in responses})) or "none"
        return Drop(id=name, reason=f"qti: {len(responses)} interactions: {kinds}")
    [response] = responses
    labels = list(response.iter("response_label"))
    options_given = response.find("render_choice") is not None
    right = _right(item, response.get("ident"))
    if right is None or not right:
        return Drop(id=name, reason="qti: no correct response, or one that is a range")
    stem = [e for e in presentation.iter("material") if not _within(e, "response_label")]
    question = page.text("<br/>".join(map(_html, stem)))
    options = list[Option]()
    if options_given:
        if len(labels) > len(LETTERS):
            return Drop(id=name, reason=f"qti: {len(labels)} options")
        for letter, label in zip(LETTERS, labels, strict=False):
            text, image = page.option(_html(label))
            options.append(Option(label=letter, text=text, image=image))
        letters = dict(zip((e.get("ident") for e in labels), LETTERS, strict=False))
        if strange := [value for value in right if value not in letters]:
            return Drop(id=name, reason=f"qti: the response {strange[0]!r} is no choice")
        answer = "".join(sorted(letters[value] for value in right))
    else:
        answer = right[0]
        if len(right) > 1:
            pictures.notes.append(f"qti: also right: {', '.join(right[1:])}"[:300])
    solution = [
        e for e in item.iter("itemfeedback") if e.get("ident") in ("general_fb", "solution")
    ]
    title = item.get("title", "")
    return Problem(
        id=name,
        origin=name,
        source=Source(name=spec.name, raw_id=raw_id),
        question=question,
        images=page.images,
        options=options,
        answer=answer,
        answer_kind=guess_kind(answer, options),
        solution="\n".join(page.aside(_html(e)) for e in solution) or None,
        labels={"title": title} if title else {},
    )


def _within(element: Any, name: str) -> bool:
    return any(above.tag == name for above in element.iterancestors())


def _html(element: Any) -> str:
    """The text of all `mattext` and pictures of `matimage` inside an element."""
    out = []
    for inside in element.iter("mattext", "matimage"):
        text = inside.text or ""
        if inside.tag == "matimage":
            text = f'<img src="{escape(inside.get("uri", ""))}"/>'
        elif inside.get("texttype", "text/plain") == "text/plain":
            text = escape(text, quote=False)
        out.append(text)
    return " ".join(out)


def _right(item: Any, asked: str) -> list[str] | None:
    """The values that are right for a response; None where a condition is more than values."""
    found: list[str] = []
    for condition in item.iter("respcondition"):
        scores = [e.text or "" for e in condition.iter("setvar")]
        if not any(_positive(score) for score in scores):
            continue
        for test in condition.iter("vargte", "vargt", "varlte", "varlt", "varsubstring"):
            if not _within(test, "or"):
                return None
        for equal in condition.iter("varequal"):
            if equal.get("respident") == asked and not _within(equal, "not"):
                found.append((equal.text or "").strip())
    return list(dict.fromkeys(found))


def _positive(score: str) -> bool:
    try:
        return float(score) > 0
    except ValueError:
        return False
