"""A model fills in the form that people fill in: any kind of task can be advised on.

The form's controls become the fields of a JSON reply, the reply becomes what the page would have
sent, and the kind reads it as it reads a person's answer. What has to be drawn is left to people.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from ...base.files import encode
from ...errors import UserError
from ...llm import Answer, Request, image_part, text_part
from ...problem import Span, Vote
from ...render.versions import lint, texts_of
from ...taxonomy import Tree
from ..kinds import (
    Kind,
    Requirement,
    Task,
    TaskAnswer,
    controls_of,
    missing_of,
    required_of,
)
from .requests import Asked, existing, object_of

INSTRUCTION = """\
You are an expert annotator of mathematical problems. The task: {title}.
{instruction}
The form to be filled in:
{form}
Reply with one JSON object only. It has these fields: {names}."""
How = Literal["choices", "taxonomy", "textarea", "labels", ""]  # "": it is drawn
CONTROLS: dict[str, How] = {
    "Choices": "choices",
    "Taxonomy": "taxonomy",
    "TextArea": "textarea",
    "Labels": "labels",
}
COMMENT = "comment"  # asked of people


class Control(msgspec.Struct, kw_only=True):
    """One control of a form, as a field of a reply."""

    name: str
    kind: How
    to: str
    text: str = ""  # what stands in the empty field
    values: dict[str, str] = {}  # choices and what they mean
    many: bool = False
    optional: bool = False
    only: str = ""  # where it is asked
    beside: list[Control] = []  # asked of each region

    def schema(self) -> dict[str, Any]:
        value: dict[str, Any] = {"type": "string"}
        if self.values:
            value["enum"] = list(self.values)
        if self.kind == "labels":
            beside = {control.name: control.schema() for control in self.beside}
            value = _object({"text": {"type": "string"}, "label": value} | beside)
        if self.many:
            return {"type": "array", "items": value}
        return {"anyOf": [value, {"type": "null"}]} if self.optional else value

    def told(self) -> str:
        """The control in words, with its choices on lines of their own."""
        what = self.text or {"choices": "one of", "taxonomy": "one of"}.get(
            self.kind, "a text"
        )
        if self.kind == "labels":
            fields = ['"text": copied letter by letter', '"label": one of those below']
            fields += [f'"{control.name}": {control.text}' for control in self.beside]
            what = (
                f"the parts of {self.to}, in its order, each as {{{', '.join(fields)}}}"
            )
        elif self.many:
            what = "a list of any of"
        lines = [f"- {self.name}{f' (only {self.only})' if self.only else ''}: {what}"]
        lines += [
            f"  - {value}: {hint}".removesuffix(": ")
            for value, hint in self.values.items()
        ]
        return "\n".join(lines)


def form_asked(
    kind: Kind, tree: Tree | None, tasks: Sequence[Task], root: Path | None
) -> Asked:
    """The form of a kind, for each of its tasks; `root` is the folder of their pictures.

    Raises UserError for a missing picture, and for a kind whose answers are drawn.
    """
    xml = kind.interface(tree)
    root_element = ET.fromstring(xml)
    lines, controls = _form(root_element, tree)
    if not all(control.kind for control in controls):
        raise UserError(
            f"tasks of kind {kind.name!r} are answered by drawing", "ask people"
        )
    names = ", ".join(control.name for control in controls)
    prompt = INSTRUCTION.format(
        title=kind.title,
        instruction=kind.instruction,
        form="\n".join(lines),
        names=names,
    )
    schema = _object({control.name: control.schema() for control in controls})
    for image in (
        image for task in tasks for images in task.pictures.values() for image in images
    ):
        existing(root, image.path)

    by_id = {task.id: task for task in tasks}
    page = _Page(
        kind=kind,
        tree=tree,
        controls=controls,
        texts={
            e.get("name", ""): e.get("value", "").removeprefix("$")
            for e in root_element.iter()
            if e.tag in ("Text", "HyperText")
        },
        choices=controls_of(xml),
        required=required_of(xml),
    )

    def request(name: str) -> Request:
        system = {"role": "system", "content": prompt}
        user = {"role": "user", "content": list(_shown(by_id[name], page, root))}
        return Request(id=name, messages=[system, user], schema=schema)

    return Asked(
        request=request,
        about={task.id: task.about for task in tasks},
        read=lambda answer: _votes(answer, page, by_id[answer.id].data),
        prompt=prompt,
        doubts=lambda vote: _cut_badly(
            str(by_id[vote.problem_id].data.get("question")), vote
        ),
    )


class _Page(NamedTuple):
    """A kind's page, taken apart once: what it shows, what it asks, and what it requires."""

    kind: Kind
    tree: Tree | None
    controls: list[Control]
    texts: dict[
        str, str
    ]  # name of an element -> the part of a task's data that it shows
    choices: dict[str, list[str] | None]
    required: list[Requirement]


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _form(root: ET.Element, tree: Tree | None) -> tuple[list[str], list[Control]]:
    """What the page says, in its order, and the controls that a reply can fill in."""
    lines: list[str] = []
    controls: list[Control] = []

    def walk(element: ET.Element, only: str) -> None:
        shown = element.get("visibleWhen")
        if shown == "choice-selected":
            said = " or ".join(element.get("whenChoiceValue", "").split(","))
            only = f"where {element.get('whenTagName')} is {said}"
        elif shown is not None:
            return  # a region's own fields
        if element.tag == "Header":
            lines.append(element.get("value", ""))
        elif element.get("toName") and element.get("name") != COMMENT:
            if only and element.tag not in CONTROLS:
                return  # drawn by people, or left out
            control = _control(element, tree, only)
            control.beside = (
                []
                if control.kind != "labels"
                else [
                    _control(e, tree, "")
                    for e in root.iter("TextArea")
                    if e.get("perRegion") == "true" and e.get("toName") == control.to
                ]
            )
            controls.append(control)
            lines.append(control.told())
        else:
            for child in element:
                walk(child, only)

    walk(root, "")
    return lines, controls


def _control(element: ET.Element, tree: Tree | None, only: str) -> Control:
    kind = CONTROLS.get(element.tag, "")
    if kind == "taxonomy" and tree is not None:
        values = {tree.label(leaf): leaf.definition for leaf in tree.leaves}
        many = element.get("maxUsages") != "1"
    else:
        values = {
            c.get("value", ""): c.get("hint", "")
            for c in element
            if c.tag in ("Choice", "Label")
        }
        many = kind == "labels" or element.get("choice") == "multiple"
    return Control(
        name=element.get("name", ""),
        kind=kind,
        to=element.get("toName", ""),
        text=element.get("placeholder", "") if kind == "textarea" else "",
        values=values,
        many=many,
        optional=bool(only) or (kind != "labels" and element.get("required") != "true"),
        only=only,
    )


def _shown(task: Task, page: _Page, root: Path | None) -> Iterator[dict[str, Any]]:
    """The texts of a task under their names, in the page's order, and its pictures."""
    texts: dict[str, str] = {}
    for name, part in page.texts.items():
        rendered = part.removesuffix("_html")
        texts[name if part == rendered else rendered] = (
            str(task.data.get(part, ""))
            if part == rendered
            else task.texts.get(rendered, "")
        )
    yield text_part(
        "\n\n".join(f"# {name}\n{text}" for name, text in texts.items() if text)
    )
    for name, images in task.pictures.items():
        if images and len(task.pictures) > 1:
            yield text_part(f"# {name}")
        yield from (image_part(existing(root, image.path)) for image in images)
    for name, make in task.made.items():
        yield text_part(f"# {name}")
        yield image_part(make(root))


def _votes(answer: Answer, page: _Page, data: dict[str, Any]) -> dict[str, Any]:
    """The votes of a reply, held by all that holds a person's answer.

    Raises UserError where it is no answer to the form.
    """
    said = object_of(answer.text)
    if not isinstance(said, dict):
        raise UserError("the reply is no JSON object", "ask another model")
    results = [
        result
        for control in page.controls
        if control.name in said
        for result in _results(control, said[control.name], page, data)
    ]
    given = TaskAnswer(data, results, page.tree)
    given.check(page.choices)
    if half := missing_of(page.required, given):
        raise UserError(half, "ask another model")
    votes = page.kind.read(given)
    if "spans" in votes:
        texts_of(str(data["question"]), msgspec.convert(votes["spans"], list[Span]))
    return votes


def _cut_badly(question: str, vote: Vote) -> list[str]:
    """What the versions' texts would have wrong if these spans were cut."""
    if vote.field != "spans":
        return []
    known = {issue.message for issue in lint(question)}
    texts = texts_of(question, msgspec.convert(vote.value, list[Span]))
    found = [
        f"{version}: {issue.message}"
        for version, text in texts.items()
        for issue in lint(text)
        if issue.message not in known
    ]
    return list(dict.fromkeys(found))


def _results(
    control: Control, said: Any, page: _Page, data: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """A field of the reply as the page would send it."""
    values = [
        value
        for value in (said if isinstance(said, list) else [said])
        if value not in (None, "")
    ]
    where = {"from_name": control.name, "to_name": control.to, "type": control.kind}
    if control.kind == "labels":
        yield from _regions(control, values, str(data[page.texts[control.to]]), where)
    elif values and control.kind == "taxonomy":
        yield where | {"value": {"taxonomy": [[str(value)] for value in values]}}
    elif values:
        key = "text" if control.kind == "textarea" else "choices"
        yield where | {
            "value": {
                key: [v if isinstance(v, str) else encode(v).decode() for v in values]
            }
        }


def _regions(
    control: Control, rows: list[Any], text: str, where: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """Parts of a text, each found behind the one before it, or inside of it."""
    start = end = 0
    for number, row in enumerate(rows):
        try:
            part, label = str(row["text"]), str(row["label"])
        except (TypeError, KeyError):
            raise UserError(
                f"{control.name}: {row!r:.60} is no part", "ask again"
            ) from None
        behind = text.find(part, end)
        at = behind if behind >= 0 else text.find(part, start)
        if at < 0 or not part:
            raise UserError(
                f"{control.name}: {part!r:.60} is not in the text", "ask again"
            )
        start, end = at, max(end, at + len(part))
        of = where | {"id": f"m{number}"}
        value = {"start": at, "end": at + len(part), "text": part, "labels": [label]}
        yield of | {"value": value}
        for beside in control.beside:
            if row.get(beside.name):
                yield of | {
                    "from_name": beside.name,
                    "type": "textarea",
                    "value": {"text": [str(row[beside.name])]},
                }
