"""The pictures of an Excel sheet: laid over it, placed in its cells, or named by a formula.

Excel keeps a picture that lies on a sheet in the sheet's drawing, with the cell that its corner
is in (ECMA-376 part 1, section 20.5); one placed in a cell as a rich value; WPS, in a part of its
own that the formula `DISPIMG("ID_...")` names. `IMAGE("address")` only says where one is.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..base.archives import ZIP_ERRORS

Place = tuple[int, int]  # row and column, from 1
_FORMULA = re.compile(r'(DISPIMG|IMAGE)\s*\(\s*"([^"]+)"', re.I)
_CELL = re.compile(r"([A-Z]{1,3})(\d{1,7})")
# Parts in which Excel keeps rich values: pictures placed in cells are some of them.
_VALUES = "xl/richData/rdrichvalue.xml"
_STRUCTURES = "xl/richData/rdrichvaluestructure.xml"
_RELATIONS = "xl/richData/richValueRel.xml"


class SheetPictures:
    """What can be seen on one sheet beside the text of its cells.

    `placed` are the pictures by the cell in which they are; `others` counts drawn things that are
    no pictures: charts, shapes, text boxes.
    """

    def __init__(self, path: Path, title: str) -> None:
        self.placed: dict[Place, list[Any]] = {}
        self.others = 0
        self.damage = ""
        self._named: dict[str, Any] = {}
        try:
            with zipfile.ZipFile(path) as book:
                self._read(_Parts(book), title)
        except (*ZIP_ERRORS, ValueError, SyntaxError) as error:
            self.damage = f"{type(error).__name__}: {error}"[:200]

    def of_formula(self, value: Any) -> Any:
        """The picture that a cell's formula names; None of any other value."""
        if not isinstance(value, str) or "IM" not in value[:40].upper():
            return None
        match = _FORMULA.search(value[:2000])
        if match is None:
            return None
        return self._named.get(match[2]) if match[1].upper() == "DISPIMG" else match[2]

    def _read(self, parts: _Parts, title: str) -> None:
        self._named = dict(_wps_pictures(parts))
        sheet = parts.sheet(title)
        if not sheet:
            return
        for kind, target in parts.related(sheet).values():
            if kind == "drawing":
                self._drawing(parts, target)
        if parts.has("xl/metadata.xml"):
            for place, picture in _in_cells(parts, sheet):
                self.placed.setdefault(place, []).append(picture)

    def _drawing(self, parts: _Parts, name: str) -> None:
        related = parts.related(name)
        for anchor in parts.xml(name):
            corner = next((e for e in anchor if _local(e) == "from"), None)
            place = _corner(corner) if corner is not None else (1, 1)
            blips = [e for e in anchor.iter() if _local(e) == "blip"]
            for blip in blips:
                _, target = related.get(_attribute(blip, "embed", "link"), ("", ""))
                self.placed.setdefault(place, []).append(parts.picture(target))
            self.others += not blips and _local(anchor).endswith("Anchor")


class _Parts:
    """The parts of a workbook and what each of them is related to."""

    def __init__(self, book: zipfile.ZipFile) -> None:
        self.book, self.names = book, set(book.namelist())

    def has(self, name: str) -> bool:
        return name in self.names

    def xml(self, name: str) -> Any:
        from lxml import etree

        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, remove_comments=True
        )
        return etree.fromstring(self.book.read(name), parser)

    def picture(self, name: str) -> Any:
        """A picture's bytes and name; the address of one that is elsewhere."""
        if name not in self.names:
            return name or "a picture that is not in the workbook"
        return {"bytes": self.book.read(name), "path": posixpath.basename(name)}

    def related(self, name: str) -> dict[str, tuple[str, str]]:
        """Relations of a part: id -> its kind, and the part or address it leads to."""
        folder, base = posixpath.split(name)
        relations = f"{folder}/_rels/{base}.rels"
        if relations not in self.names:
            return {}
        related = {}
        for relation in self.xml(relations):
            kind = relation.get("Type", "").rpartition("/")[2]
            target = relation.get("Target", "")
            if relation.get("TargetMode") != "External":
                path = posixpath.join("/", folder, target)
                target = posixpath.normpath(path).lstrip("/")
            related[relation.get("Id", "")] = (kind, target)
        return related

    def sheet(self, title: str) -> str:
        related = self.related("xl/workbook.xml")
        for element in self.xml("xl/workbook.xml").iter():
            if _local(element) == "sheet" and element.get("name") == title:
                return related.get(_attribute(element, "id"), ("", ""))[1]
        return ""


def _local(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _attribute(element: Any, *names: str) -> str:
    """The first of an element's related attributes, whatever their prefix."""
    for name in names:
        for key, value in element.items():
            if key.rpartition("}")[2] == name and "}" in key:
                return str(value)
    return ""


def _corner(element: Any) -> Place:
    places = {_local(child): int(child.text or 0) for child in element}
    return places.get("row", 0) + 1, places.get("col", 0) + 1


def _wps_pictures(parts: _Parts) -> Iterator[tuple[str, Any]]:
    """WPS's pictures in cells by the name that their formulas use."""
    name = "xl/cellimages.xml"
    if not parts.has(name):
        return
    related = parts.related(name)
    for element in parts.xml(name):
        properties = (e for e in element.iter() if _local(e) == "cNvPr")
        formula_name = next((e.get("name", "") for e in properties), "")
        for blip in element.iter():
            if _local(blip) == "blip":
                _, target = related.get(_attribute(blip, "embed"), ("", ""))
                yield formula_name, parts.picture(target)


def _in_cells(parts: _Parts, sheet: str) -> Iterator[tuple[Place, Any]]:
    """Pictures that Excel placed in cells: cell -> metadata -> rich value -> relation -> file."""
    pictures = _local_pictures(parts)
    if not pictures:
        return
    rich_values = _rich_values(parts)
    for cell in parts.xml(sheet).iter():
        if _local(cell) != "c" or not (mark := cell.get("vm")):
            continue
        address = _CELL.fullmatch(cell.get("r", ""))
        rich = rich_values.get(int(mark))
        if address is None or rich not in pictures:
            continue
        column = 0
        for letter in address[1]:
            column = column * 26 + ord(letter) - ord("A") + 1
        yield (int(address[2]), column), pictures[rich]


def _rich_values(parts: _Parts) -> dict[int | None, int]:
    """The rich value that each mark of a cell (from 1) leads to, by the workbook's metadata."""
    rich: list[int] = []
    kinds: list[int] = []
    for group in parts.xml("xl/metadata.xml"):
        if _local(group) == "valueMetadata":
            kinds += [int(record.get("v", 0)) for block in group for record in block]
        elif _local(group) == "futureMetadata" and group.get("name") == "XLRICHVALUE":
            blocks = (e for e in group.iter() if _local(e) == "rvb")
            rich += [int(block.get("i", 0)) for block in blocks]
    return {k: rich[kind] for k, kind in enumerate(kinds, 1) if kind < len(rich)}


def _local_pictures(parts: _Parts) -> dict[int, Any]:
    """Rich values that are pictures of the workbook, by their number."""
    if not all(map(parts.has, (_VALUES, _STRUCTURES, _RELATIONS))):
        return {}
    structures = list(map(_keys, parts.xml(_STRUCTURES)))
    related = parts.related(_RELATIONS)
    identifiers = [_attribute(relation, "id") for relation in parts.xml(_RELATIONS)]
    targets = [related.get(identifier, ("", ""))[1] for identifier in identifiers]
    pictures = {}
    for number, value in enumerate(parts.xml(_VALUES)):
        texts = [field.text or "" for field in value]
        fields = dict(zip(structures[int(value.get("s", 0))], texts, strict=False))
        place = fields.get("_rvRel:LocalImageIdentifier", "")
        if place.isdigit() and int(place) < len(targets):
            pictures[number] = parts.picture(targets[int(place)])
    return pictures


def _keys(structure: Any) -> list[str]:
    """The names of the fields of a structure of pictures; none of any other."""
    is_picture = structure.get("t") == "_localImage"
    return [key.get("n", "") for key in structure] if is_picture else []
