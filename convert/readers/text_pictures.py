"""Pictures that the texts of a row name: in Markdown, in LaTeX, or by their number.

`![](a.png)` and `\\includegraphics{a.png}` become `<imageN>`, as do `<image 1>` and `<image>` of
published sets; an option that is a picture and nothing else holds it.
"""

from __future__ import annotations

import re
from itertools import count

from msgspec.structs import replace

from ...base.pictures import MARK, numbered
from ...problem import Image, Option
from ..documents import PICTURE, figure
from .base import Pictures

_NUMBERED = re.compile(r"<image[ _](\d+)>", re.I)
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
    question, *rest = _numbered(texts, len(images))
    options = [
        replace(option, text=text) for option, text in zip(options, rest, strict=True)
    ]
    return _in_options(question, options, images)


def _numbered(texts: list[str], pictures: int) -> list[str]:
    """Texts whose marks without a number have one, where there is a picture for each."""
    bare = sum(len(_BARE.findall(text)) for text in texts)
    if not pictures or bare > pictures:
        return texts
    numbers = count(1)
    return [_BARE.sub(lambda _: f"<image{next(numbers)}>", text) for text in texts]


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
        if not stored:
            return match[0]
        pictures.marks.append(match[0])  # what it is called stands for it
        return numbered(images, stored[0])

    return PICTURE.sub(mark, text)


def _in_options(
    question: str, options: list[Option], images: list[Image]
) -> tuple[str, list[Option], list[Image]]:
    """Pictures that are an option each, taken to it; the others are numbered anew."""
    in_question = {int(number) for number in MARK.findall(question)}
    numbers: dict[int, int] = {}  # place of the option -> number of its picture
    for k, option in enumerate(options):
        alone = _ALONE.fullmatch(option.text)
        if not alone or option.image is not None:
            continue
        number = int(alone[1])
        if 0 < number <= len(images) and number not in in_question:
            numbers[k] = number
    of_options = {*numbers.values()}
    if len(numbers) < 2 or len(of_options) < len(numbers):
        return question, options, images
    options = list(options)
    for k, number in numbers.items():
        image = replace(images[number - 1], role="option")
        options[k] = replace(options[k], text="", image=image)
    left: list[Image] = []
    marks: dict[str, str] = {}
    for number, image in enumerate(images, 1):
        if number not in of_options:
            left.append(image)
            marks[str(number)] = f"<image{len(left)}>"

    def mark(match: re.Match[str]) -> str:
        return marks.get(str(int(match[1])), match[0])

    return MARK.sub(mark, question), options, left
