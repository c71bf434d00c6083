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
    if not any(map(_may_name, texts)):
        return question, options, images
    images = list(images)
    texts = [_NUMBERED.sub(r"<image\1>", text) for text in texts]
    texts = [_named(text, images, pictures) for text in texts]
    bare = sum(len(_BARE.findall(text)) for text in texts)
    if images and bare <= len(images):
        count = iter(range(1, len(images) + 1))
        texts = [_BARE.sub(lambda _: f"<image{next(count)}>", text) for text in texts]
    question, *rest = texts
    options = [replace(o, text=text) for o, text in zip(options, rest, strict=True)]
    return _in_options(question, options, images)


def _may_name(text: str) -> bool:
    """Whether a text may name a picture: a quick first look."""
    return "<image" in text.lower() or "![" in text or "\\incl" in text


def _named(text: str, images: list[Image], pictures: Pictures) -> str:
    """The text with the marks of pictures that it names; one that is missing stays named."""

    def mark(match: re.Match[str]) -> str:
        address = figure(match).url
        names = [address, address.rsplit("/", 1)[-1]]
        file = pictures.first(name for name in names if "://" not in name)
        stored = pictures.get([file or address])
        return numbered(images, stored[0]) if stored else match[0]

    return PICTURE.sub(mark, text)


def _in_options(
    question: str, options: list[Option], images: list[Image]
) -> tuple[str, list[Option], list[Image]]:
    """Pictures that are an option each, taken to it; the others are numbered anew."""
    in_question = {int(number) for number in _MARK.findall(question)}
    numbers: dict[int, int] = {}  # place of the option -> number of its picture
    for k, option in enumerate(options):
        alone = _ALONE.fullmatch(option.text) if option.image is None else None
        number = int(alone[1]) if alone else 0
        if 0 < number <= len(images) and number not in in_question:
            numbers[k] = number
    if len(numbers) < 2 or len({*numbers.values()}) < len(numbers):
        return question, options, images
    options = list(options)
    for k, number in numbers.items():
        image = replace(images[number - 1], role="option")
        options[k] = replace(options[k], text="", image=image)
    left = [n for n in range(1, len(images) + 1) if n not in numbers.values()]
    places = {number: k for k, number in enumerate(left, 1)}
    question = _MARK.sub(lambda m: f"<image{places.get(int(m[1]), m[1])}>", question)
    return question, options, [images[number - 1] for number in left]
