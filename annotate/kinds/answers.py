"""One person's answer to one task, checked against the interface and the tree that asked for it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import msgspec

from ...errors import UserError, nearest
from ...taxonomy import SEPARATOR, TreeNode

# What has to be chosen for a control to be on the page: a group, and some of its choices.
Condition = tuple[str, frozenset[str]]


def controls_of(xml: str) -> dict[str, list[str] | None]:
    """The controls of an interface's XML: name -> its choices (None: anything goes)."""
    controls: dict[str, list[str] | None] = {}
    for element in ET.fromstring(xml).iter():
        name = element.get("name")
        if name and element.get("toName"):
            values = [
                choice.get("value", "")
                for choice in element
                if choice.tag in ("Choice", "Label")
            ]
            controls[name] = values if values and element.tag != "Taxonomy" else None
    return controls


class Requirement(msgspec.Struct, frozen=True):
    """A control that has to be answered once all of its conditions hold."""

    name: str
    conditions: tuple[Condition, ...] = ()


def required_of(xml: str) -> list[Requirement]:
    """The controls that a whole answer gives. A region's own text is not among them."""
    return list(_required(ET.fromstring(xml), ()))


def _required(
    element: ET.Element, conditions: tuple[Condition, ...]
) -> Iterator[Requirement]:
    visible = element.get("visibleWhen")
    if visible == "choice-selected":
        choices = frozenset(element.get("whenChoiceValue", "").split(","))
        conditions = (*conditions, (element.get("whenTagName", ""), choices))
    elif visible is not None:
        return  # a region's own text, while it is selected
    if element.get("required") == "true" and element.get("perRegion") != "true":
        yield Requirement(element.get("name", ""), conditions)
    for child in element:
        yield from _required(child, conditions)


def missing_of(required: list[Requirement], answer: TaskAnswer) -> str:
    """What a whole answer would hold beside this one: the controls that the page requires.

    The same rule as in the browser: what is hidden by other choices is not required.
    """
    missing = [
        control.name
        for control in required
        if not answer.has(control.name) and answer.meets(control.conditions)
    ]
    return f"half an answer: nothing given for {', '.join(missing)}" if missing else ""


class TaskAnswer(msgspec.Struct):
    """The results of one annotation and the data of its task."""

    data: dict[str, Any]
    results: list[dict[str, Any]]
    tree: Any = None  # a Tree, where the kind needs one
    used: set[str] = msgspec.field(default_factory=set)  # controls that votes come from

    def check(self, controls: dict[str, list[str] | None]) -> None:
        """Raises UserError for a control or a choice that the interface does not have."""
        for result in self.results:
            name = result.get("from_name", "")
            value = result.get("value")
            if name not in controls:
                raise UserError(
                    f"unknown field {name!r}",
                    f"was the interface edited by hand? {nearest(name, list(controls))}",
                )
            if not isinstance(value, dict):
                raise UserError(
                    f"field {name!r} has no value", "ask the annotator again"
                )
            allowed = controls[name]
            if allowed is None:
                continue
            for choice in value.get(result.get("type", ""), []):
                if choice not in allowed:
                    raise UserError(
                        f"{name}: {choice!r} is no choice",
                        nearest(str(choice), allowed),
                    )

    def values(self, name: str, key: str) -> list[Any]:
        """All values under `key` of the control `name`, in the order they were given."""
        self.used.add(name)
        values: list[Any] = []
        for result in self._of(name):
            value = result["value"].get(key, [])
            values += value if isinstance(value, list) else [value]
        return values

    def _of(self, name: str) -> Iterator[dict[str, Any]]:
        """The results of the control `name`."""
        return (result for result in self.results if result.get("from_name") == name)

    def has(self, name: str) -> bool:
        """Whether anything was given for the control `name`."""
        return any(
            _says_something(value)
            for result in self._of(name)
            for value in result["value"].values()
        )

    def meets(self, conditions: tuple[Condition, ...]) -> bool:
        """Whether each of the groups has one of the choices that show a control."""
        return all(
            choices.intersection(self.values(group, "choices"))
            for group, choices in conditions
        )

    def choice(self, name: str) -> str | None:
        """The one choice of a group, or None."""
        choices = self.values(name, "choices")
        if len(choices) > 1:
            raise UserError(
                f"{name}: {len(choices)} choices where one is asked", "ask again"
            )
        return str(choices[0]) if choices else None

    def required_choice(self, name: str, missing: str) -> str:
        """The one choice of a group. Raises UserError, saying what is `missing`, without one."""
        choice = self.choice(name)
        if choice is None:
            raise UserError(f"no {missing}", "ask the annotator again")
        return choice

    def text(self, name: str) -> str:
        return "\n".join(map(str, self.values(name, "text"))).strip()

    def remarks(self) -> dict[str, str]:
        """What was written into controls that no vote was made of: comments, reasons, corrections.

        The text of a region belongs to it.
        """
        typed = [r for r in self.results if r.get("type") == "textarea"]
        regions = {
            r["id"] for r in self.results if r.get("type") != "textarea" and "id" in r
        }
        texts = {
            str(result["from_name"]): self.text(result["from_name"])
            for result in typed
            if result.get("id") not in regions
            and result.get("from_name") not in self.used
        }
        return {name: text for name, text in sorted(texts.items()) if text}

    def nodes(self, name: str) -> list[TreeNode]:
        """The tree's leaves that a tree picker holds. Raises UserError for anything else."""
        nodes: list[TreeNode] = []
        for path in self.values(name, "taxonomy"):
            self._refuse_split(path)
            node: TreeNode = self.tree.find(SEPARATOR.join(map(str, path)))
            if (
                node.children
            ):  # by keyboard, the page takes a branch that the mouse cannot
                below = [self.tree.nodes[key].name for key in node.children[:3]]
                raise UserError(
                    f"{node.name!r} is no leaf of the tree",
                    f"pick one below it: {', '.join(below)} ...",
                )
            nodes.append(node)
        return nodes

    def _refuse_split(self, path: list[Any]) -> None:
        """Raises UserError for a label that was split since."""
        whole = SEPARATOR.join(map(str, path))
        for label in (whole, str(path[-1]) if path else ""):
            if label in self.tree.split:
                now = ", ".join(self.tree.split[label])
                raise UserError(f"{label!r} was split since: {now}", "pick one of them")

    def regions(self, name: str) -> list[tuple[dict[str, Any], str]]:
        """Each region of a labels control: its value and the text typed for it."""
        texts = {
            result.get("id"): "\n".join(map(str, result["value"]["text"])).strip()
            for result in self.results
            if isinstance(result.get("value"), dict)
            and result.get("type") == "textarea"
        }
        return [
            (result["value"], texts.get(result.get("id"), ""))
            for result in self._of(name)
        ]


def _says_something(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(str, value))
    return value not in (None, "")
