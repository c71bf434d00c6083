"""QTI items, version 1.2 to 3.0: one XML file each, or a package (zip) of items and pictures.

https://www.imsglobal.org/question: choices, a text to enter, a choice in the line of a text become
problems. Items with other interactions or several, and those that are made anew for everyone
(templates), are dropped by name. Files of 1.2 hold many items (`qti_1`). The names of 3.0
(`qti-simple-choice`) are those of 2 with dashes.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from copy import deepcopy
from html import escape, unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lxml import etree

from ...base.archives import ZIP_ERRORS
from ...errors import UserError
from ...pipeline import SourceSpec
from ...problem import Drop, Problem
from ..mathml import parse_xml
from .base import Pictures, Raw, Unreadable, reader, stems_of
from .html_items import Page, problem_of_item
from .qti_1 import items, read_item

MAX_ENTRIES, MAX_ENTRY, MAX_PACKAGE = 10_000, 20_000_000, 500_000_000  # files; bytes
_READ = {"choiceinteraction", "textentryinteraction", "inlinechoiceinteraction"}
_SAID_LATER = {"feedbackinline", "feedbackblock", "rubricblock"}
_CANVAS, _CANVAS_FOLDER = "$IMS-CC-FILEBASE$/", "web_resources"
_ADDRESS = re.compile(r"\b(?:src|data|uri)\s*=\s*[\"']([^\"':]+)[\"']")


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row per item, with the pictures that it names."""
    stems = stems_of(paths)
    for path in paths:
        several = f"{stems[path]}." if len(paths) > 1 else ""
        if path.suffix != ".zip" and not zipfile.is_zipfile(path):
            yield from _items(path.name, several, path.name, _bytes(path), {})
            continue
        try:
            with zipfile.ZipFile(path) as package:
                yield from _packed(path, package, several)
        except ZIP_ERRORS as error:
            raise UserError(
                f"cannot read {path}: {error}", "export the package again"
            ) from error


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_ENTRY:
            raise UserError(f"{path}: more than {MAX_ENTRY:,} bytes", "is it an item?")
        return path.read_bytes()
    except OSError as error:
        raise UserError(
            f"cannot read {path}: {error.strerror}", "check the path"
        ) from error


def _packed(
    path: Path, package: zipfile.ZipFile, several: str
) -> Iterator[Raw | Unreadable]:
    sizes = {entry.filename: entry.file_size for entry in package.infolist()}
    if len(sizes) > MAX_ENTRIES or sum(sizes.values()) > MAX_PACKAGE:
        raise UserError(
            f"{path}: {len(sizes):,} files of {sum(sizes.values()):,} bytes",
            f"the limit is {MAX_ENTRIES:,} files and {MAX_PACKAGE:,} bytes: part the package",
        )
    for name in sorted(n for n in sizes if _may_hold_items(n)):
        if sizes[name] > MAX_ENTRY:
            yield Unreadable(path.name, 0, f"{name}: {sizes[name]:,} bytes", "")
            continue
        data = package.read(name)
        source = unescape(data.decode("utf-8", "replace"))
        beside = {}
        for address in set(_ADDRESS.findall(source)):
            if entry := _entry(address, posixpath.dirname(name), sizes):
                beside[unquote(address)] = package.read(entry)
        yield from _items(path.name, several, name, data, beside)


def _may_hold_items(name: str) -> bool:
    """Whether a file of a package may be of items: XML, which Blackboard calls .dat."""
    return name.endswith((".xml", ".dat")) and "imsmanifest" not in name


def _entry(address: str, folder: str, sizes: dict[str, int]) -> str:
    """The file of a package that an item in `folder` names; "" where there is none to be read."""
    plain = unquote(address.split("?", 1)[0]).removeprefix(_CANVAS)
    for place in (folder, "", _CANVAS_FOLDER):
        entry = posixpath.normpath(posixpath.join(place, plain))
        if sizes.get(entry, MAX_ENTRY) < MAX_ENTRY:
            return entry
    return ""


def _items(
    file: str, several: str, name: str, data: bytes, beside: dict[str, bytes]
) -> Iterator[Raw | Unreadable]:
    """One row of an item, several of a file of QTI 1.2."""
    try:
        item = parse_xml(data)
    except UserError as error:
        yield Unreadable(file, 1, f"{name}: {error.message}", "")
        return
    if _name(item) == "questestinterop":
        for number, one in enumerate(items(item), 1):
            raw_id = several + (one.get("ident") or f"{Path(name).stem}.{number}")
            source = etree.tostring(one)
            yield Raw(file, number, {"id": raw_id, "item": source, "files": beside})
        return
    if _name(item) != "assessmentitem":
        yield Unreadable(file, 1, f"{name}: <{_name(item)}> instead of an item", "")
        return
    raw_id = several + (item.get("identifier") or Path(name).stem)
    yield Raw(file, 1, {"id": raw_id, "item": data, "files": beside})


def _name(element: Any) -> str:
    """`simplechoice` for `simpleChoice` and `qti-simple-choice`."""
    if not isinstance(element.tag, str):
        return ""
    return etree.QName(element).localname.lower().removeprefix("qti-").replace("-", "")


@reader("qti", rows=rows, roles=True)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem | Drop:
    name = f"{spec.name}-{raw.data['id']}"
    item = parse_xml(raw.data["item"])
    if item.tag == "item":
        page = Page(raw.data["files"], pictures)
        return read_item(item, raw.data["id"], page, spec)
    elements = {_name(e): e for e in item.iter()}
    interactions = [e for e in item.iter() if _name(e).endswith("interaction")]
    if "templatedeclaration" in elements:
        return Drop(id=name, reason="qti: made anew for everyone (templates)")
    kinds = {_name(e) for e in interactions}
    if len(interactions) != 1 or not kinds <= _READ or "itembody" not in elements:
        told = ", ".join(sorted(kinds)) or "none"
        return Drop(id=name, reason=f"qti: {len(interactions)} interactions: {told}")
    [interaction] = interactions
    body = elements["itembody"]
    values, base = _correct(item, interaction)
    if not values:
        return Drop(id=name, reason="qti: no correct response")
    page = Page(raw.data["files"], pictures)
    choices = [
        e for e in interaction.iter() if _name(e) in ("simplechoice", "inlinechoice")
    ]
    inner = [(choice.get("identifier", ""), _inner(choice)) for choice in choices]
    for feedback in [e for e in body.iter() if _name(e) in _SAID_LATER]:
        _removed(feedback)
    solution = [_inner(e) for e in item.iter() if _name(e) == "modalfeedback"]
    is_number = not choices and base in ("integer", "float")
    return problem_of_item(
        spec,
        raw.data["id"],
        page,
        _without(body, interaction),
        inner,
        values if choices else values[:1],
        solution=solution * (len(solution) == 1),
        answer_kind="number" if is_number else "",
        labels={"title": item.get("title")},
    )


def _correct(item: Any, interaction: Any) -> tuple[list[str], str]:
    """The correct values of the interaction's response, and their base type."""
    response = _attribute(interaction, "responseidentifier")
    declarations = (e for e in item.iter() if _name(e) == "responsedeclaration")
    for declaration in declarations:
        if declaration.get("identifier") == response:
            correct = [e for e in declaration if _name(e) == "correctresponse"]
            values = [value for e in correct for value in e if _name(value) == "value"]
            texts = [(value.text or "").strip() for value in values]
            return texts, _attribute(declaration, "basetype")
    return [], ""


def _attribute(element: Any, name: str) -> str:
    """`responseIdentifier`, or `response-identifier` in 3.0."""
    plain = {key.lower().replace("-", ""): key for key in element.attrib}
    return str(element.get(plain[name])) if name in plain else ""


def _without(body: Any, interaction: Any) -> str:
    """The body's HTML with the prompt, or a blank, in the place of what people fill in."""
    prompts = [_inner(e) for e in interaction if _name(e) == "prompt"]
    put = "".join(prompts) if _name(interaction) == "choiceinteraction" else "____"
    mark = "\u2063interaction\u2063"
    parent = interaction.getparent()
    tail = interaction.tail or ""
    holder = etree.Element("div" if prompts else "span")
    holder.text, holder.tail = mark, tail
    parent.replace(interaction, holder)
    return _inner(body).replace(mark, put)


def _removed(element: Any) -> None:
    """Take an element out of its tree, but not the text behind it."""
    parent = element.getparent()
    before = element.getprevious()
    if before is None:
        parent.text = (parent.text or "") + (element.tail or "")
    else:
        before.tail = (before.tail or "") + (element.tail or "")
    parent.remove(element)


def _inner(element: Any) -> str:
    """The markup inside an element, its names without a prefix."""
    copied = deepcopy(element)
    for inside in copied.iter():
        if isinstance(inside.tag, str):
            inside.tag = etree.QName(inside).localname
    etree.cleanup_namespaces(copied)
    parts = [
        etree.tostring(child, encoding="unicode", method="xml") for child in copied
    ]
    return escape(copied.text or "", quote=False) + "".join(parts)
