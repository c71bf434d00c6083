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
from .requests import Questionnaire, object_of, picture_file, strict_object

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
# What a control asks for where it has no words of its own.
PLAIN_WORDS = {"choices": "one of", "taxonomy": "one of"}
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
            value = strict_object({"text": {"type": "string"}, "label": value} | beside)
        if self.many:
            return {"type": "array", "items": value}
        return {"anyOf": [value, {"type": "null"}]} if self.optional else value

    def in_words(self) -> str:
        """The control in words, with its choices on lines of their own."""
        condition = f" (only {self.only})" if self.only else ""
        lines = [f"- {self.name}{condition}: {self._expected()}"]
        lines += [
            f"  - {value}: {hint}".removesuffix(": ")
            for value, hint in self.values.items()
        ]
        return "\n".join(lines)

    def _expected(self) -> str:
        """What the field of a reply holds."""
        if self.kind == "labels":
            fields = [
                '"text": copied letter by letter',
                '"label": one of those below',
                *(f'"{control.name}": {control.text}' for control in self.beside),
            ]
            parts = f"the parts of {self.to}, in its order"
            return f"{parts}, each as {{{', '.join(fields)}}}"
        if self.many:
            return "a list of any of"
        return self.text or PLAIN_WORDS.get(self.kind, "a text")


def form_questionnaire(
    kind: Kind, tree: Tree | None, tasks: Sequence[Task], root: Path | None
) -> Questionnaire:
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
    schema = strict_object({control.name: control.schema() for control in controls})
    for task in tasks:
        for images in task.pictures.values():
            for image in images:
                picture_file(root, image.path)

    by_id = {task.id: task for task in tasks}
    page = _Page(
        kind=kind,
        tree=tree,
        controls=controls,
        texts={
            element.get("name", ""): element.get("value", "").removeprefix("$")
            for element in root_element.iter()
            if element.tag in ("Text", "HyperText")
        },
        choices=controls_of(xml),
        required=required_of(xml),
    )

    def request(name: str) -> Request:
        system = {"role": "system", "content": prompt}
        user = {"role": "user", "content": list(_content(by_id[name], page, root))}
        return Request(id=name, messages=[system, user], schema=schema)

    def doubts(vote: Vote) -> list[str]:
        return _cut_badly(str(by_id[vote.problem_id].data.get("question")), vote)

    return Questionnaire(
        request=request,
        about={task.id: task.about for task in tasks},
        votes_of=lambda answer: _votes(answer, page, by_id[answer.id].data),
        prompt=prompt,
        doubts=doubts,
    )


class _Page(NamedTuple):
    """A kind's page, taken apart once: what it shows, what it asks, and what it requires."""

    kind: Kind
    tree: Tree | None
    controls: list[Control]
    texts: dict[str, str]  # name of an element -> which of a task's data it shows
    choices: dict[str, list[str] | None]
    required: list[Requirement]


def _form(root: ET.Element, tree: Tree | None) -> tuple[list[str], list[Control]]:
    """What the page says, in its order, and the controls that a reply can fill in."""
    lines: list[str] = []
    controls: list[Control] = []

    def walk(element: ET.Element, only: str) -> None:
        visible = element.get("visibleWhen")
        if visible == "choice-selected":
            choices = " or ".join(element.get("whenChoiceValue", "").split(","))
            only = f"where {element.get('whenTagName')} is {choices}"
        elif visible is not None:
            return  # a region's own fields
        if element.tag == "Header":
            lines.append(element.get("value", ""))
        elif element.get("toName") and element.get("name") != COMMENT:
            if only and element.tag not in CONTROLS:
                return  # drawn by people, or left out
            control = _control(element, tree, only)
            if control.kind == "labels":
                control.beside = [
                    _control(area, tree, "")
                    for area in root.iter("TextArea")
                    if area.get("perRegion") == "true"
                    and area.get("toName") == control.to
                ]
            controls.append(control)
            lines.append(control.in_words())
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
            choice.get("value", ""): choice.get("hint", "")
            for choice in element
            if choice.tag in ("Choice", "Label")
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


def _content(task: Task, page: _Page, root: Path | None) -> Iterator[dict[str, Any]]:
    """The texts of a task under their names, in the page's order, and its pictures."""
    texts: dict[str, str] = {}
    for name, key in page.texts.items():
        rendered = key.removesuffix("_html")
        if rendered == key:
            texts[name] = str(task.data.get(key, ""))
        else:
            texts[rendered] = task.texts.get(rendered, "")
    yield text_part(
        "\n\n".join(f"# {name}\n{text}" for name, text in texts.items() if text)
    )
    for name, images in task.pictures.items():
        if images and len(task.pictures) > 1:
            yield text_part(f"# {name}")
        for image in images:
            yield image_part(picture_file(root, image.path))
    for name, make in task.made.items():
        yield text_part(f"# {name}")
        yield image_part(make(root))


def _votes(answer: Answer, page: _Page, data: dict[str, Any]) -> dict[str, Any]:
    """The votes of a reply, held by all that holds a person's answer.

    Raises UserError where it is no answer to the form.
    """
    reply = object_of(answer.text)
    if not isinstance(reply, dict):
        raise UserError("the reply is no JSON object", "ask another model")
    results: list[dict[str, Any]] = []
    for control in page.controls:
        if control.name in reply:
            results += _results(control, reply[control.name], page, data)
    form = TaskAnswer(data, results, page.tree)
    form.check(page.choices)
    if missing := missing_of(page.required, form):
        raise UserError(missing, "ask another model")
    votes = page.kind.read(form)
    if "spans" in votes:
        texts_of(str(data["question"]), msgspec.convert(votes["spans"], list[Span]))
    return votes


def _cut_badly(question: str, vote: Vote) -> list[str]:
    """What the versions' texts would have wrong if these spans were cut."""
    if vote.field != "spans":
        return []
    in_question = {issue.message for issue in lint(question)}
    texts = texts_of(question, msgspec.convert(vote.value, list[Span]))
    issues = [
        f"{version}: {issue.message}"
        for version, text in texts.items()
        for issue in lint(text)
        if issue.message not in in_question
    ]
    return list(dict.fromkeys(issues))


def _results(
    control: Control, field: Any, page: _Page, data: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """A field of the reply as the page would send it."""
    items = field if isinstance(field, list) else [field]
    values = [value for value in items if value not in (None, "")]
    where = {"from_name": control.name, "to_name": control.to, "type": control.kind}
    if control.kind == "labels":
        yield from _regions(control, values, str(data[page.texts[control.to]]), where)
    elif values and control.kind == "taxonomy":
        yield where | {"value": {"taxonomy": [[str(value)] for value in values]}}
    elif values:
        key = "text" if control.kind == "textarea" else "choices"
        yield where | {"value": {key: list(map(_text, values))}}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else encode(value).decode()


def _regions(
    control: Control, rows: list[Any], text: str, where: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """Parts of a text, each found behind the one before it, or inside of it."""
    start = end = 0  # of the part before
    for number, row in enumerate(rows):
        try:
            part = str(row["text"])
            label = str(row["label"])
        except (TypeError, KeyError):
            raise UserError(
                f"{control.name}: {row!r:.60} is no part", "ask again"
            ) from None
        at = text.find(part, end)
        if at < 0:
            at = text.find(part, start)
        if at < 0 or not part:
            raise UserError(
                f"{control.name}: {part!r:.60} is not in the text", "ask again"
            )
        start = at
        end = max(end, at + len(part))
        region = where | {"id": f"m{number}"}
        value = {"start": at, "end": at + len(part), "text": part, "labels": [label]}
        yield region | {"value": value}
        for beside in control.beside:
            if row.get(beside.name):
                value = {"text": [str(row[beside.name])]}
                typed = {"from_name": beside.name, "type": "textarea", "value": value}
                yield region | typed
