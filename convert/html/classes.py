"""What the classes of a page's elements say, where a source gives them roles: `.facit: answer`.

A field is cut where such an element begins and ends; all else stays as it was written.
"""

from __future__ import annotations

import re
from collections import Counter

import msgspec

from ...words import own_class

_TAG = re.compile(r"<(?P<close>/?)(?P<tag>[A-Za-z][\w:-]*)(?P<rest>(?:\s[^<>]*)?)>")
_CLASS = re.compile(r"\bclass\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)'|([^\s\"'<>=]+))")
_VOID = frozenset("br hr img input wbr".split())


class Stretch(msgspec.Struct, frozen=True):
    """An element with a class: html[start:end], what stands in it, and its tags."""

    classes: str
    start: int
    end: int
    inner: str
    tags: tuple[str, str]


class Parted(msgspec.Struct):
    """A field without the elements that have a role, these by their roles, and their tags."""

    rest: str
    said: list[tuple[str, str]]
    tags: list[str]


def classed(html: str) -> list[Stretch]:
    """The elements with a class, in order; those inside others, too.

    >>> [one.inner for one in classed('<p>1+1?</p><div class="facit"><b>2</b></div>')]
    ['<b>2</b>']
    """
    found: list[Stretch] = []
    opened: list[re.Match[str]] = []
    names: Counter[str] = Counter()

    def close(start: int, end: int) -> str:
        """The innermost open element ends at html[start:end]; its name."""
        match = opened.pop()
        names[match["tag"].lower()] -= 1
        if said := _CLASS.search(match["rest"]):
            classes = next(filter(None, said.groups()), "")
            inner = html[match.end() : start]
            tags = (match[0], html[start:end])
            found.append(Stretch(classes, match.start(), end, inner, tags))
        return match["tag"].lower()

    for match in _TAG.finditer(html):
        name = match["tag"].lower()
        if match["close"]:
            while names[name] and close(match.start(), match.end()) != name:
                pass
        elif name not in _VOID and match["rest"][-1:] != "/":
            opened.append(match)
            names[name] += 1
    while opened:
        close(len(html), len(html))
    return sorted(found, key=lambda one: one.start)


def parted(html: str) -> Parted:
    """A field cut by the classes that the source speaks of, inside of `speaking`."""
    made = Parted("", [], [])
    kept: list[str] = []
    at = 0
    for one in classed(html) if "class" in html else ():
        role = own_class(one.classes) if one.start >= at else ""
        if role and role != "problem":
            kept.append(html[at : one.start])
            made.said.append((role, one.inner))
            made.tags += one.tags
            at = one.end
    made.rest = "".join([*kept, html[at:]]).strip()
    return made
