"""CNXML, in which OpenStax keeps its books: every `exercise` is a problem.

https://docs.openstax.org (cnxml 0.7): the `problem` asks, the `solution` answers, a `commentary`
hints. A solution that is no more than a value, or a list of values beside a list that asks, is the
answer. Pictures are found by the end of their path below `images:`, which is `media` of a book.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from lxml import etree

from ...errors import UserError
from ...pipeline import SourceSpec
from ...problem import Drop, Part, Problem
from ..mathml import local_name, parse_xml
from .base import Pictures, Raw, Unreadable, problem_of, reader, whole_file
from .html_items import Page
from .mapped import take_classes
from .sub_answers import bare, part, read_parts

MAX_FILE = 100_000_000  # bytes
_MATHML = "http://www.w3.org/1998/Math/MathML"
# Closed: the elements of CNXML that HTML calls otherwise
_HTML = {
    "para": "p",
    "item": "li",
    "equation": "p",
    "newline": "br",
    "space": "span",
    "emphasis": "i",
    "term": "b",
    "title": "p",
    "row": "tr",
    "entry": "td",
    "figure": "div",
    "caption": "p",
    "note": "div",
    "quote": "blockquote",
    "foreign": "i",
    "footnote": "span",
    "subfigure": "div",
}
_SAME = frozenset(
    ["sup", "sub", "table", "tbody", "thead", "tfoot", "code", "span", "div"]
)
_STYLES = {
    "lower-alpha": "a",
    "upper-alpha": "A",
    "lower-roman": "i",
    "upper-roman": "I",
}
_LEFT_OUT = frozenset(["label", "colspec", "spanspec"])
_LONGEST_VALUE = 40  # characters of a solution that is an answer
_CIRCLED = re.compile("[ⓐ-ⓩ]")
MOST_WORDS = 2  # of a value: a unit, `no solution`; a sentence has more
_SPEAKS_OF_SEVERAL = re.compile(r"(?i)\b(?:following|exercises|problems|each)\b")


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row per exercise, its parts as HTML."""
    for path in paths:
        try:
            document = parse_xml(whole_file(path, MAX_FILE))
        except UserError as error:
            yield Unreadable(path.name, 1, error.message, "")
            continue
        exercises = [*document.iter("{*}exercise")]
        if not exercises:
            yield Unreadable(
                path.name, 1, f"<{local_name(document)}> holds no exercise", ""
            )
        module = (
            next((e.text for e in document.iter("{*}content-id")), "")
            or path.parent.name
        )
        for number, element in enumerate(exercises, 1):
            line = element.sourceline or number
            several = f"{module}." if len(paths) > 1 else ""
            yield Raw(path.name, line, _data(element) | {"id": f"{several}{number}"})


def _data(exercise: Any) -> dict[str, Any]:
    asked = exercise.find("{*}problem")
    solutions = exercise.findall("{*}solution")
    hints = [e for e in exercise.findall("{*}commentary") if e.get("type") == "hint"]
    return {
        "asked": "" if asked is None else _html(asked),
        "items": 0 if asked is None else len(_items(asked)),
        "solutions": [_html(one) for one in solutions],
        "values": [_html(item) for one in solutions[:1] for item in _items(one)],
        "is_short": len(solutions) == 1 and _is_short(solutions[0]),
        "hints": [_html(one) for one in hints],
        "section": _section(exercise),
        "instruction": _instruction(exercise),
    }


def _items(element: Any) -> list[Any]:
    """The items of its only list."""
    lists = [child for child in element if _name(child) == "list"]
    return [*lists[0].findall("{*}item")] if len(lists) == 1 else []


def _is_short(solution: Any) -> bool:
    """Whether a solution is one paragraph without lists, tables and pictures."""
    blocks = [child for child in solution if _name(child)]
    inner = {_name(e) for e in solution.iter()}
    return len(blocks) == 1 and _name(blocks[0]) == "para" and not inner & _BLOCKS


_BLOCKS = frozenset(["list", "table", "figure", "equation", "newline"])


def _section(exercise: Any) -> str:
    """The titles of the sections around an exercise."""
    above = [e for e in exercise.iterancestors() if _name(e) == "section"]
    titles = [e.find("{*}title") for e in reversed(above)]
    return " / ".join(" ".join(t.itertext()).strip() for t in titles if t is not None)


def _instruction(exercise: Any) -> str:
    """The paragraph above a run of exercises that speaks of them."""
    for before in exercise.itersiblings(preceding=True):
        name = _name(before)
        if name == "para" and _SPEAKS_OF_SEVERAL.search(" ".join(before.itertext())):
            return _html(before)
        if name not in ("exercise", "para", "note", "figure", "media"):
            return ""
    return ""


def _name(element: Any) -> str:
    return local_name(element) if isinstance(element.tag, str) else ""


def _html(element: Any) -> str:
    """What an element holds as HTML, whose formulas are MathML."""
    out = [_plain(element.text)]
    for child in element:
        out += [_element(child), _plain(child.tail)]
    return "".join(out)


def _plain(text: str | None) -> str:
    """Text as HTML; its dollars are money, since formulas are MathML."""
    return escape(text or "", quote=False).replace("$", r"\$")


def _element(element: Any) -> str:
    name = _name(element)
    if not name or name in _LEFT_OUT:
        return ""
    if etree.QName(element).namespace == _MATHML:
        return _math(element)
    if name == "list":
        return _list(element)
    if name == "link" and not (element.text or len(element)):
        return (
            f"[{escape(element.get('target-id') or element.get('document', 'link'))}]"
        )
    if name == "media":
        image = element.find("{*}image")
        address = (
            "" if image is None else re.sub(r"^(?:\.\./)+", "", image.get("src", ""))
        )
        alt = escape(element.get("alt", ""))
        return f'<img src="{escape(address)}" alt="{alt}"/>' if address else ""
    tag = _HTML.get(name) or (name if name in _SAME else "")
    if tag == "br":
        return "<br/>"
    if not tag:
        return _html(element)
    classes = element.get("class", "")
    told = f' class="{escape(classes)}"' if classes else ""
    return f"<{tag}{told}>{_html(element)}</{tag}>"


def _math(element: Any) -> str:
    tail, element.tail = element.tail, None
    source: str = etree.tostring(element, encoding="unicode")
    element.tail = tail
    source = re.sub(r"<(/?)m:", r"<\1", source)
    return re.sub(r'\sxmlns(?::\w+)?="[^"]*"', "", source)


def _list(element: Any) -> str:
    kind = element.get("list-type", "bulleted")
    if kind in ("labeled-item", "inline"):
        return _html(element)
    style = _STYLES.get(element.get("number-style", ""), "1")
    opening, tag = (
        ("<ul>", "ul") if kind == "bulleted" else (f'<ol type="{style}">', "ol")
    )
    return f"{opening}{_html(element)}</{tag}>"


@reader("cnxml", rows=rows, roles=True)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem | Drop:
    data = raw.data
    page = Page({}, pictures)
    said: dict[str, Any] = {"question": data["asked"]}
    by_classes = take_classes(said, spec, pictures)
    question = page.text(said["question"])
    if not question and not page.images:
        return Drop(id=f"{spec.name}-{data['id']}", reason="cnxml: no text")
    worked = [*filter(None, [said.get("solution"), *data["solutions"]])]
    solutions = [page.aside(html) for html in worked]
    answer, parts = _answer(data, solutions, page)
    if said.get("answer") and not parts:
        answer = _value(page.aside(said["answer"]))
    labels = {
        "section": data["section"],
        "instruction": page.aside(data["instruction"]) if data["instruction"] else "",
        "hint": "\n".join(map(page.aside, data["hints"])),
        **by_classes,
    }
    return problem_of(
        spec,
        data["id"],
        question,
        answer,
        images=page.images,
        parts=parts,
        answer_kind="parts" if parts else "",
        solution="\n".join(filter(None, solutions)) or None,
        labels=labels,
    )


def _answer(
    data: dict[str, Any], solutions: list[str], page: Page
) -> tuple[str, list[Part]]:
    """What a solution gives where it is no more than values; a worked one gives nothing here."""
    values = [_value(_CIRCLED.sub("", page.aside(html))) for html in data["values"]]
    if len(values) > 1 and len(values) == data["items"] and all(map(_is_value, values)):
        return "", [part(chr(97 + k), value) for k, value in enumerate(values[:26])]
    if len(solutions) == 1 and len(parts := _parts(solutions[0])) > 1:
        return "", parts
    if not data["is_short"]:
        return "", []
    [said] = solutions
    return (_value(said), []) if _is_value(said) else ("", [])


def _value(text: str) -> str:
    """A value without dollars around it, and without the point that ends its sentence."""
    return bare(text).rstrip(".,;")


def _parts(text: str) -> list[Part]:
    """The values behind ⓐ, ⓑ, .. in their order, or behind other marks."""
    signs = _CIRCLED.findall(text)
    if not signs:
        return read_parts(text)
    texts = [_value(one) for one in _CIRCLED.split(text)]
    letters = [chr(ord(sign) - ord("ⓐ") + ord("a")) for sign in signs]
    in_order = letters == [chr(97 + k) for k in range(len(letters))]
    if texts[0] or not in_order or not all(map(_is_value, texts[1:])):
        return []
    return [part(label, value) for label, value in zip(letters, texts[1:], strict=True)]


def _is_value(text: str) -> bool:
    """Whether a text is one formula, or a few words that are no sentence."""
    said = text.strip().rstrip(".")
    if re.fullmatch(r"\$[^$]+\$", said):
        return True
    words = re.findall(r"[^\W\d_]{2,}", re.sub(r"\$[^$]*\$", "", said))
    is_whole = len(words) <= MOST_WORDS and not re.search(r"[.;:]\s|\n", said)
    return 0 < len(said) <= _LONGEST_VALUE and is_whole
