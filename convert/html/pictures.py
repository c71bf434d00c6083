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
_LATE = re.compile(
    r"src|original|lazy|image|img|url|href|full", re.I
)  # of data-src and its kin
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
    addresses = list(dict.fromkeys(_addresses(element, tag, style, embeds)))
    if tag == "svg":
        return _drawing(element)
    if tag == "source" or not (embeds or addresses):
        return None
    words = (
        element.get("alt") or element.get("title") or element.get("aria-label") or ""
    )
    if tag in ("object", "video", "canvas", "iframe") and not words:
        words = "".join(element.itertext())
    return Shown(tag, addresses, " ".join(words.split()))


def replaces(tag: str) -> bool:
    """Whether an element shows something in place of what stands in it."""
    return (tag in EMBEDDED and tag not in _VOID) or tag == "input"


_VOID = frozenset(
    {"embed", "image", "amp-img"}
)  # HTML has nothing in them, its parser may


def _addresses(element: Any, tag: str, style: Style, embeds: bool) -> Iterator[str]:
    """Addresses of pictures that an element names: those for late loading before a placeholder."""
    said = {
        name: value.strip()
        for name, value in element.items()
        if value and value.strip()
    }
    late = [
        value
        for name, value in said.items()
        if name.startswith("data-") and _LATE.search(name) and name not in _WORDS
    ]
    yield from (address for address in late if ADDRESS.match(address))
    if embeds and tag not in ("svg", "canvas"):
        if (
            main := said.get("src") or said.get("data") or said.get("href")
        ) is not None:
            yield main
        yield from _of_set(said.get("srcset", said.get("data-srcset", "")))
    for name, value in said.items():
        if (
            name not in _WORDS
            and (name != "href" or tag != "a")
            and ADDRESS.match(value)
        ):
            yield value
    if (
        tag == "a"
        and ADDRESS.match(said.get("href", ""))
        and not _holds_picture(element)
    ):
        yield said["href"]
    if style.picture:
        yield style.picture
    if tag in ("picture", "object", "video"):
        inside = [e for e in element.iterdescendants() if isinstance(e.tag, str)]
        for one in sorted(inside, key=lambda e: e.tag == "source"):
            if one.tag in EMBEDDED or one.tag == "source":
                yield from _addresses(
                    one, one.tag, style._replace(picture=""), one.tag != "source"
                )
                yield from _of_set(one.get("srcset", ""))


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
    seen = _seen(svg)
    pictures = [
        a for e in seen if e.tag == "image" for n, a in e.items() if n.endswith("href")
    ]
    if not seen:
        return None
    labels = (" ".join("".join(e.itertext()).split()) for e in seen if e.tag in _LABELS)
    words = " ".join(label for label in labels if label)
    only_pictures = pictures and all(e.tag in ("image", "g", "a") for e in seen)
    return Shown("svg", pictures if only_pictures else [], words)


_LABELS = frozenset({"text", "foreignobject"})


def _seen(svg: Any) -> list[Any]:
    """The elements of a drawing, without those that are kept aside and what stands in them."""
    walker = etree.iterwalk(svg, events=("start",))
    found = []
    for _, element in walker:
        if not isinstance(element.tag, str) or local_name(element) in ASIDE:
            walker.skip_subtree()
        elif element is not svg:
            found.append(element)
    return found
