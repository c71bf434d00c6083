"""A `.ggb` file: an archive whose `geogebra.xml` says what was constructed.

Nothing in it is run: scripts and macros are named, entities and document types are refused, and
sizes are bounded before anything is unpacked.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ...errors import UserError
from ..issues import Issue

LARGEST = 20_000_000  # bytes of the XML
MOST = 2_000  # elements of a construction
XML, MACROS, SCRIPT = "geogebra.xml", "geogebra_macro.xml", "geogebra_javascript.js"
# What GeoGebra writes into every file although nobody asked for a script.
EMPTY_SCRIPT = ("", "function ggbOnInit() {}")


class Element(msgspec.Struct):
    """An object of a construction: how it was made, and what GeoGebra drew of it."""

    label: str
    kind: str  # point, segment, line, conic, angle, ...
    command: str = ""  # "" is free, or given by an expression
    inputs: list[str] = []
    outputs: list[str] = []
    expression: str = ""
    attributes: dict[str, dict[str, str]] = {}  # child element -> its attributes

    def number(self, child: str, name: str, default: float = 0.0) -> float:
        try:
            return float(self.attributes.get(child, {}).get(name, default))
        except ValueError:
            return default

    @property
    def is_shown(self) -> bool:
        return self.attributes.get("show", {}).get("object") == "true"

    @property
    def has_label(self) -> bool:
        return self.is_shown and self.attributes["show"].get("label") == "true"


class Construction(msgspec.Struct):
    """What a file holds: objects in their order, and whether axes and grid are shown."""

    title: str
    elements: dict[str, Element]
    has_axes: bool
    has_grid: bool
    issues: list[Issue]


def read_archive(path: Path) -> Construction:
    """The construction of a file. Raises UserError for what is none, or is too large."""
    remedy = "give a file that GeoGebra saved (.ggb)"
    try:
        with zipfile.ZipFile(path) as archive:
            names = {info.filename: info for info in archive.infolist()}
            if XML not in names:
                raise UserError(f"{path}: it has no {XML}", remedy)
            if names[XML].file_size > LARGEST:
                raise UserError(
                    f"{path}: {XML} has {names[XML].file_size:,} bytes", remedy
                )
            data = archive.read(XML)
            issues = list(_unread(archive, names))
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        raise UserError(f"{path}: {error}", remedy) from error
    return _construction(_parsed(path, data), path, issues)


def _unread(archive: zipfile.ZipFile, names: dict[str, Any]) -> Iterator[Issue]:
    """Scripts and macros, which are not run."""
    if MACROS in names:
        what = "tools that somebody made (macros) are not read: their objects stay as drawn"
        yield Issue("geogebra-unread", what, MACROS)
    if SCRIPT in names and names[SCRIPT].file_size < LARGEST:
        text = archive.read(SCRIPT).decode("utf-8", "replace").strip()
        if text not in EMPTY_SCRIPT:
            yield Issue(
                "geogebra-unread", "scripts are not read, and never run", SCRIPT
            )


def _parsed(path: Path, data: bytes) -> Any:
    from lxml import etree

    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise UserError(f"{path}: {XML} declares entities", "save it again in GeoGebra")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise UserError(
            f"{path}: {XML}: {error}", "save it again in GeoGebra"
        ) from error


def _construction(root: Any, path: Path, issues: list[Issue]) -> Construction:
    body = root.find("construction")
    if body is None or len(body) > MOST:
        what = "no construction" if body is None else f"{len(body)} objects"
        raise UserError(
            f"{path}: {what}", f"give a construction of at most {MOST} objects"
        )
    settings = root.find("euclidianView/evSettings")
    view = dict(settings.attrib) if settings is not None else {}
    construction = Construction(
        body.get("title", ""),
        {},
        view.get("axes") == "true",
        view.get("grid") == "true",
        issues,
    )
    made: dict[str, tuple[str, list[str], list[str]]] = {}
    expressions: dict[str, str] = {}
    for child in body:
        if child.tag == "expression":
            expressions[child.get("label", "")] = child.get("exp", "")
        elif child.tag == "command":
            inputs, outputs = _values(child, "input"), _values(child, "output")
            for label in outputs:
                made[label] = (child.get("name", ""), inputs, outputs)
        elif child.tag == "element":
            _add(construction, child, made, expressions)
    return construction


def _values(command: Any, tag: str) -> list[str]:
    part = command.find(tag)
    return [] if part is None else [value for value in part.attrib.values() if value]


def _add(
    construction: Construction,
    child: Any,
    made: dict[str, Any],
    expressions: dict[str, str],
) -> None:
    label = child.get("label", "")
    command, inputs, outputs = made.get(label, ("", [], []))
    element = Element(label, child.get("type", ""), command, inputs, outputs)
    element.expression = expressions.get(label, "")
    for part in child:
        if not isinstance(part.tag, str):
            continue
        if part.tag in ("javascript", "ggbscript"):
            what = f"the script of {label} is not read, and never run"
            construction.issues.append(Issue("geogebra-unread", what, label))
        element.attributes.setdefault(part.tag, dict(part.attrib))
    if label:
        construction.elements[label] = element
