"""Items of QTI 1.2, which Canvas, Blackboard and Brightspace export: many in one XML file.

https://www.imsglobal.org/question/qtiv1p2/: one response of choices, or one text or number to
enter, becomes a problem; what is right is the condition that sets a positive score.
"""

from __future__ import annotations

from html import escape
from typing import Any

from lxml import etree

from ...pipeline import SourceSpec
from ...problem import Drop, Problem
from .html_items import Page, problem_of_item


def items(document: Any) -> list[Any]:
    """The items of a `questestinterop`, their names without a namespace."""
    for element in document.iter():
        if isinstance(element.tag, str):
            element.tag = etree.QName(element).localname
    etree.cleanup_namespaces(document)
    return list(document.iter("item"))


def read_item(item: Any, raw_id: str, page: Page, spec: SourceSpec) -> Problem | Drop:
    """The problem of one item, or why it is none."""
    name = f"{spec.name}-{raw_id}"
    responses = [
        e for e in item.iter() if str(e.tag).startswith("response_") and e.get("ident")
    ]
    responses = [e for e in responses if e.tag != "response_label"]
    presentation = item.find("presentation")
    if len(responses) != 1 or responses[0].tag not in ("response_lid", "response_str"):
        kinds = ", ".join(sorted({e.tag for e in responses})) or "none"
        return Drop(id=name, reason=f"qti: {len(responses)} interactions: {kinds}")
    [response] = responses
    right = _right(item, response.get("ident"))
    if right is None or not right:
        return Drop(id=name, reason="qti: no correct response, or one that is a range")
    stem = [
        e for e in presentation.iter("material") if not _within(e, "response_label")
    ]
    choices = [(e.get("ident"), _html(e)) for e in response.iter("response_label")]
    solution = [
        e
        for e in item.iter("itemfeedback")
        if e.get("ident") in ("general_fb", "solution")
    ]
    return problem_of_item(
        spec,
        raw_id,
        page,
        "<br/>".join(map(_html, stem)),
        choices if response.find("render_choice") is not None else [],
        right,
        solution=[*map(_html, solution)],
        labels={"title": item.get("title")},
    )


def _within(element: Any, name: str) -> bool:
    return any(above.tag == name for above in element.iterancestors())


def _html(element: Any) -> str:
    """The text of all `mattext` and pictures of `matimage` inside an element.

    Blackboard calls the first `mat_formattedtext`.
    """
    out = []
    for inside in element.iter("mattext", "mat_formattedtext", "matimage"):
        text = inside.text or ""
        if inside.tag == "matimage":
            text = f'<img src="{escape(inside.get("uri", ""))}"/>'
        elif _is_plain(inside):
            text = escape(text, quote=False)
        out.append(text)
    return " ".join(out)


def _is_plain(text: Any) -> bool:
    kind = text.get("texttype") or text.get("type") or "text/plain"
    return kind.lower() in ("text/plain", "plain", "plain_text")


def _right(item: Any, asked: str) -> list[str] | None:
    """The values that are right for a response; None where a condition is more than values."""
    found: list[str] = []
    for condition in item.iter("respcondition"):
        scores = [e.text or "" for e in condition.iter("setvar")]
        if not any(_positive(score) for score in scores):
            continue
        for test in condition.iter(
            "vargte", "vargt", "varlte", "varlt", "varsubstring"
        ):
            if not _within(test, "or"):
                return None
        for equal in condition.iter("varequal"):
            if equal.get("respident") == asked and not _within(equal, "not"):
                found.append((equal.text or "").strip())
    return list(dict.fromkeys(found))


def _positive(score: str) -> bool:
    if score.strip() == "SCORE.max":  # as Blackboard says it
        return True
    try:
        return float(score) > 0
    except ValueError:
        return False
