"""Pictures that the texts of a row name: in Markdown, in LaTeX, or by their number.

`![](a.png)` and `\\includegraphics{a.png}` become `<imageN>`, as do `<image 1>` and `<image>` of
published sets; an option that is a picture and nothing else holds it.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from ...base.pictures import numbered
from ...problem import Image, Option
from ..documents import PICTURE, figure
from .base import Pictures

_NUMBERED = re.compile(r"<image[ _](\d+)>", re.I)
_MARK = re.compile(r"<image(\d+)>")
_BARE = re.compile(r"<image>", re.I)
_ALONE = re.compile(r"\s*<image(\d+)>\s*")


def placed(
    question: str, options: list[Option], images: list[Image], pictures: Pictures
) -> tuple[str, list[Option], list[Image]]:
    """Question, options and pictures, every picture that a text names in its place."""
    texts = [question, *(option.text for option in options)]
    if not any(
        "<image" in text.lower() or "![" in text or "\\incl" in text for text in texts
    ):
        return question, options, images
    images = list(images)
    texts = [
        _named(_NUMBERED.sub(r"<image\1>", text), images, pictures) for text in texts
    ]
    if images and sum(len(_BARE.findall(text)) for text in texts) <= len(images):
        count = iter(range(1, len(images) + 1))
        texts = [_BARE.sub(lambda _: f"<image{next(count)}>", text) for text in texts]
    question, *rest = texts
    options = [replace(o, text=text) for o, text in zip(options, rest, strict=True)]
    return _in_options(question, options, images)


def _named(text: str, images: list[Image], pictures: Pictures) -> str:
    """The text with the marks of pictures that it names; one that is missing stays named."""

    def mark(match: re.Match[str]) -> str:
        address = figure(match).url
        names = [address, address.rsplit("/", 1)[-1]]
        found = pictures.get(
            [pictures.first(n for n in names if "://" not in n) or address]
        )
        return numbered(images, found[0]) if found else match[0]

    return PICTURE.sub(mark, text)


def _in_options(
    question: str, options: list[Option], images: list[Image]
) -> tuple[str, list[Option], list[Image]]:
    """Pictures that are an option each, taken to it; the others are numbered anew."""
    shown = {int(n) for n in _MARK.findall(question)}
    own = {
        k: int(alone[1])
        for k, option in enumerate(options)
        if option.image is None and (alone := _ALONE.fullmatch(option.text))
    }
    own = {k: n for k, n in own.items() if n not in shown and 0 < n <= len(images)}
    if len(own) < 2 or len({*own.values()}) < len(own):
        return question, options, images
    options = [
        replace(o, text="", image=replace(images[own[k] - 1], role="option"))
        if k in own
        else o
        for k, o in enumerate(options)
    ]
    left = [n for n in range(1, len(images) + 1) if n not in own.values()]
    places = {n: k for k, n in enumerate(left, 1)}
    question = _MARK.sub(lambda m: f"<image{places.get(int(m[1]), m[1])}>", question)
    return question, options, [images[n - 1] for n in left]
