"""What a page shows, read apart from the conversion, so that the two can be held together."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from html import unescape
from typing import Any

from lxml import etree, html

from .conservation import Held, signs

# what no reader of a page sees
_UNSEEN = frozenset(
    ["style", "template", "head", "annotation", "annotation-xml", "rp", "metadata"]
)
# HTML's elements that show a picture (closed: the standard names them), and CNXML's
_PICTURES = frozenset(
    ["img", "image", "svg", "canvas", "object", "embed", "iframe", "video"]
)
_ADDRESSES = ("data-src", "data-original", "src", "data", "href", "srcset")
_BACKGROUND = re.compile(r"background(?:-image)?\s*:[^;]*url\(\s*['\"]?([^'\")]+)")
_HIDDEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)")
_CODE = re.compile(
    r"\bmjx-c([0-9A-F]{2,6})\b"
)  # MathJax names a glyph by its character
_FORMULA_CLASS = re.compile(
    r"(?i)katex|math|(?:^|[\s_-])(?:tex|latex|formula)(?:$|[\s_-])"
)
_TAGS = re.compile(r"<[^<>]*>|«[^«»]*»")


def held_in_html(where: str, source: str) -> Held:
    """What stands in a field of HTML: its visible letters, its pictures, its formulas.

    >>> held = held_in_html("question", "<p>Find <b>x</b>:</p><canvas></canvas>")
    >>> held.text.split(), held.pictures
    (['Find', 'x', ':'], ('canvas',))
    """
    if "<" not in source and "&" not in source and "«" not in source:
        return Held(where, source)
    page = _Page()
    try:
        page.read(html.fragment_fromstring(source, create_parent="div"))
    except (etree.LxmlError, ValueError):  # a NUL, half an element: its letters count
        page.texts.append(_TAGS.sub(" ", source))
    return Held(
        where,
        " ".join(page.texts),
        tuple(page.pictures),
        tuple(page.spoken),
        page.formulas,
        page.mute,
    )


# where a text holds all letters, only these can still hold something that it lacks
_SHOWS = re.compile(
    r"<(?:[a-z]+:)?(?:im|svg|canvas|object|embed|iframe|video|input|script)"
)
_NAMES = re.compile(r"class=\S{0,40}(?:math|tex|formula)")
_SPEAK = (
    "katex",
    "mathjax",
    "mjx",
    "background",
    "data-latex",
    "data-tex",
    "data-mathml",
)


def plainly_kept(source: str, text: str) -> bool:
    """Whether a field of HTML with letters alone has all of them in a text; a quick first look.

    >>> plainly_kept("<p>Find <b>x</b></p>", "Find x"), plainly_kept("a<img src=b>", "a")
    (True, False)
    """
    low = source.lower()
    if _SHOWS.search(low) or any(word in low for word in _SPEAK) or _NAMES.search(low):
        return False
    seen = _TAGS.sub(" ", source)
    given = signs(unescape(seen) if "&" in seen else seen)
    kept = signs(text)
    return given in kept or not Counter(given) - Counter(kept)


class _Page:
    """What was found on the way through a page; each formula counts once, however often drawn."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.pictures: list[str] = []
        self.spoken: list[str] = []
        self.formulas = self.mute = 0

    def read(self, root: Any) -> None:
        kept = any(
            _is_script(e) for e in root.iter("script")
        )  # MathJax 2 keeps its sources there
        waiting = [root]
        while waiting:
            element = waiting.pop()
            if isinstance(element, str):
                self.texts.append(element)
                continue
            inner = self._entered(element, kept)
            if inner and isinstance(element.tag, str):
                waiting += reversed(_contents(element))

    def _entered(self, element: Any, kept: bool) -> bool:
        """Whether what stands inside counts on its own."""
        if not isinstance(element.tag, str):  # a comment
            return False
        tag = _name(element)
        classes = element.get("class", "")
        if tag == "script":
            if _is_script(element):
                self._formula(_TAGS.sub(" ", element.text or ""))
            return False
        if tag in _UNSEEN or _HIDDEN.search(element.get("style", "")):
            return False
        if _is_drawing(tag, classes):
            if not (kept and "MathJax" in classes):
                self._formula(_drawn(element))
            return False
        if tag in _PICTURES or (tag == "input" and element.get("type") == "image"):
            self._picture(element, tag)
            return False
        if background := _BACKGROUND.search(element.get("style", "")):
            self._placed(background[1], "")
        stated = element.get("data-latex") or element.get("data-tex")
        if stated and not "".join(element.itertext()).strip():
            self._formula(stated)
        elif (
            _FORMULA_CLASS.search(classes)
            and not len(element)
            and not (element.text or "")
        ):
            self._formula("")
        return True

    def _formula(self, text: str) -> None:
        self.formulas += 1
        self.mute += not text.strip()
        self.texts.append(text)

    def _picture(self, element: Any, tag: str) -> None:
        if stated := element.get("data-mathml"):
            self._formula(unescape(_TAGS.sub(" ", stated.replace("§", "&"))))
        elif tag == "svg" and (drawn := _glyphs(element)).strip():
            self._formula(drawn)
        else:
            address = next((a for name in _ADDRESSES if (a := element.get(name))), tag)
            self._placed(address, element.get("alt", ""))

    def _placed(self, address: str, words: str) -> None:
        self.pictures.append("data" if address.startswith("data:") else address)
        self.spoken.append(words)


def _contents(element: Any) -> list[Any]:
    """The texts and elements inside, in order."""
    inside: list[Any] = [element.text] if element.text else []
    for child in element:
        inside.append(child)
        if child.tail:
            inside.append(child.tail)
    return inside


def _name(element: Any) -> str:
    """The element's name without its prefix; of a comment, nothing."""
    return (
        element.tag.rpartition(":")[2].lower() if isinstance(element.tag, str) else ""
    )


def _is_script(element: Any) -> bool:
    return str(element.get("type", "")).startswith("math/")


def _is_drawing(tag: str, classes: str) -> bool:
    """A formula, or what a renderer drew of one."""
    names = classes.split()
    return (
        tag in ("math", "mjx-container")
        or "katex" in names
        or any(name.startswith("MathJax") for name in names)
    )


def _drawn(element: Any) -> str:
    """The letters of a formula: of its MathML where it has some, else as they are drawn."""
    source = next((e for e in element.iter() if _name(e) == "math"), None)
    if source is None:
        return _glyphs(element)
    found = []
    waiting = [source]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            found.append(one)
        elif _name(one) not in _UNSEEN:
            waiting += reversed(_contents(one))
    return " ".join(found)


def _glyphs(element: Any) -> str:
    """Characters that MathJax's drawings name; `data-c` is their code, or a class is."""
    found = []
    for e in element.iter(etree.Element):
        code = e.get("data-c") or next(iter(_CODE.findall(e.get("class", ""))), "")
        if isinstance(e.tag, str) and e.text and e.text.strip():
            found.append(e.text)
        elif code:
            found.append(_character(code))
    return " ".join(found)


def _character(code: str) -> str:
    try:
        return unicodedata.normalize("NFKC", chr(int(code, 16)))
    except (ValueError, OverflowError):
        return ""
