"""The pictures of a page: whatever carries the address or the data of one, whatever its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from lxml import etree

from ..mathml import local_name
from .elements import ASIDE, EMBEDDED
from .style import Style

_SUFFIX = r"\.(?:png|jpe?g|jfif|gif|svgz?|webp|bmp|tiff?|avif|emf|wmf|ico)"
ADDRESS = re.compile(
    rf"\s*(?:data:image/|[^\s\"'<>]+{_SUFFIX}(?:[?#][^\s]*)?\s*$)", re.I
)
# names of attributes for late loading: data-src and its kin
_LATE = re.compile(r"src|original|lazy|image|img|url|href|full", re.I)
# HTML has nothing in them, its parser may
_VOID = frozenset({"embed", "image", "amp-img"})
_LABELS = frozenset({"text", "foreignobject"})
_WORDS = frozenset(
    {"alt", "title", "class", "id", "style", "name", "srcset", "data-srcset"}
)


class Shown(NamedTuple):
    """Something that is seen and is no text: where it may lie, best first, and its words."""

    element: str
    addresses: list[str]
    words: str = ""


def shown_by(element: Any, tag: str, style: Style, told: bool) -> Shown | None:
    """What an element shows that is no text; None of one that shows only what stands in it."""
    if tag == "input" and element.get("type", "").lower() != "image":
        return None
    embeds = tag in EMBEDDED or tag == "input"
    if not embeds and not told:
        return None
    if tag == "svg":
        return _drawing(element)
    addresses = list(dict.fromkeys(_addresses(element, tag, style, embeds)))
    if tag == "source" or not (embeds or addresses):
        return None
    named = map(element.get, ("alt", "title", "aria-label"))
    words = next(filter(None, named), "")
    if tag in ("object", "video", "canvas", "iframe") and not words:
        words = "".join(element.itertext())
    return Shown(tag, addresses, " ".join(words.split()))


def replaces(tag: str) -> bool:
    """Whether an element shows something in place of what stands in it."""
    return (tag in EMBEDDED and tag not in _VOID) or tag == "input"


def _addresses(element: Any, tag: str, style: Style, embeds: bool) -> Iterator[str]:
    """Addresses of pictures that an element names: those for late loading before a placeholder."""
    stripped = ((name, (value or "").strip()) for name, value in element.items())
    values = {name: value for name, value in stripped if value}
    named = {n: v for n, v in values.items() if n not in _WORDS and ADDRESS.match(v)}
    for name, address in named.items():
        if name.startswith("data-") and _LATE.search(name):
            yield address
    if embeds and tag not in ("svg", "canvas"):
        if main := values.get("src") or values.get("data") or values.get("href"):
            yield main
        yield from _of_set(values.get("srcset", values.get("data-srcset", "")))
    link = named.pop("href", "") if tag == "a" else ""
    yield from named.values()
    if link and not _holds_picture(element):
        yield link
    if style.picture:
        yield style.picture
    if tag in ("picture", "object", "video"):
        yield from _addresses_inside(element, style._replace(picture=""))


def _addresses_inside(element: Any, style: Style) -> Iterator[str]:
    """Addresses that elements in a `<picture>` or its like name, those of sources last."""
    inside = [e for e in element.iterdescendants() if isinstance(e.tag, str)]
    for child in sorted(inside, key=lambda e: e.tag == "source"):
        if child.tag in EMBEDDED or child.tag == "source":
            yield from _addresses(child, child.tag, style, child.tag != "source")
            yield from _of_set(child.get("srcset", ""))


def _of_set(candidates: str) -> list[str]:
    """The addresses of a `srcset`; a `data:` address may hold a comma.

    >>> _of_set("a.png 1x, b.png 2x")
    ['a.png', 'b.png']
    """
    if candidates.lstrip().startswith("data:"):
        return candidates.split()[:1]
    return [words[0] for part in candidates.split(",") if (words := part.split())]


def _holds_picture(element: Any) -> bool:
    return any(inside.tag in EMBEDDED for inside in element.iterdescendants())


def _drawing(svg: Any) -> Shown | None:
    """An inline drawing with its labels, or the one picture that it holds and nothing else."""
    parts = _visible_parts(svg)
    if not parts:
        return None
    pictures: list[str] = []
    words: list[str] = []
    for part in parts:
        if part.tag == "image":
            pictures += [v for name, v in part.items() if name.endswith("href")]
        elif part.tag in _LABELS:
            words += "".join(part.itertext()).split()
    only_pictures = all(part.tag in ("image", "g", "a") for part in parts)
    return Shown("svg", pictures if only_pictures else [], " ".join(words))


def _visible_parts(svg: Any) -> list[Any]:
    """The elements of a drawing, without those that are kept aside and what stands in them."""
    walker = etree.iterwalk(svg, events=("start",))
    parts = []
    for _, element in walker:
        if not isinstance(element.tag, str) or local_name(element) in ASIDE:
            walker.skip_subtree()
        elif element is not svg:
            parts.append(element)
    return parts
