"""One person's answer to one task, checked against the interface and the tree that asked for it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import msgspec

from ...errors import UserError, nearest
from ...taxonomy import SEPARATOR, TreeNode


def controls_of(xml: str) -> dict[str, list[str] | None]:
    """The controls of an interface's XML: name -> its choices (None: anything goes)."""
    controls: dict[str, list[str] | None] = {}
    for element in ET.fromstring(xml).iter():
        name = element.get("name")
        if name and element.get("toName"):
            inner = [
                c.get("value", "") for c in element if c.tag in ("Choice", "Label")
            ]
            controls[name] = inner if inner and element.tag != "Taxonomy" else None
    return controls


class Requirement(msgspec.Struct, frozen=True):
    """A control that has to be answered once each group of `shown` has one of these choices."""

    name: str
    shown: tuple[tuple[str, frozenset[str]], ...] = ()


def required_of(xml: str) -> list[Requirement]:
    """The controls that a whole answer gives. A region's own text is not among them."""
    return list(_required(ET.fromstring(xml), ()))


def _required(
    element: ET.Element, shown: tuple[tuple[str, frozenset[str]], ...]
) -> Iterator[Requirement]:
    condition = element.get("visibleWhen")
    if condition not in (
        None,
        "choice-selected",
    ):  # a region's own text, while it is selected
        return
    if condition:
        wanted = frozenset(element.get("whenChoiceValue", "").split(","))
        shown = (*shown, (element.get("whenTagName", ""), wanted))
    if element.get("required") == "true" and element.get("perRegion") != "true":
        yield Requirement(element.get("name", ""), shown)
    for child in element:
        yield from _required(child, shown)


def missing_of(required: list[Requirement], answer: TaskAnswer) -> str:
    """What a whole answer would hold beside this one: the controls that the page requires.

    The same rule as in the browser: what is hidden by other choices is not required.
    """
    missing = [
        control.name
        for control in required
        if not answer.has(control.name)
        and all(
            wanted.intersection(answer.values(group, "choices"))
            for group, wanted in control.shown
        )
    ]
    return f"half an answer: nothing given for {', '.join(missing)}" if missing else ""


class TaskAnswer(msgspec.Struct):
    """The results of one annotation and the data of its task."""

    data: dict[str, Any]
    results: list[dict[str, Any]]
    tree: Any = None  # a Tree, where the kind needs one
    taken: set[str] = msgspec.field(
        default_factory=set
    )  # the controls that a vote was made of

    def check(self, controls: dict[str, list[str] | None]) -> None:
        """Raises UserError for a control or a choice that the interface does not have."""
        for result in self.results:
            name, value = result.get("from_name", ""), result.get("value")
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
        self.taken.add(name)
        values: list[Any] = []
        for result in self.results:
            if result.get("from_name") == name:
                value = result["value"].get(key, [])
                values += value if isinstance(value, list) else [value]
        return values

    def has(self, name: str) -> bool:
        """Whether anything was given for the control `name`."""
        for result in self.results:
            if result.get("from_name") == name:
                for value in result["value"].values():
                    if (
                        any(map(str, value))
                        if isinstance(value, list)
                        else value not in (None, "")
                    ):
                        return True
        return False

    def choice(self, name: str) -> str | None:
        """The one choice of a group, or None."""
        picked = self.values(name, "choices")
        if len(picked) > 1:
            raise UserError(
                f"{name}: {len(picked)} choices where one is asked", "ask again"
            )
        return str(picked[0]) if picked else None

    def text(self, name: str) -> str:
        return "\n".join(str(line) for line in self.values(name, "text")).strip()

    def remarks(self) -> dict[str, str]:
        """What was written into controls that no vote was made of: comments, reasons, corrections.

        The text of a region belongs to it.
        """
        regions = {
            r["id"] for r in self.results if r.get("type") != "textarea" and "id" in r
        }
        written = {
            str(r["from_name"]): self.text(r["from_name"])
            for r in self.results
            if r.get("type") == "textarea"
            and r.get("id") not in regions
            and r.get("from_name") not in self.taken
        }
        return {name: text for name, text in sorted(written.items()) if text}

    def nodes(self, name: str) -> list[TreeNode]:
        """The tree's nodes that a tree picker holds. Raises UserError outside the tree."""
        paths = self.values(name, "taxonomy")
        return [self.tree.find(SEPARATOR.join(map(str, path))) for path in paths]

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
            for result in self.results
            if result.get("from_name") == name
        ]
