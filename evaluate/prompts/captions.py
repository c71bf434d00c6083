"""Pictures in words: what a caption is, and samples for models without eyes (MATH-V, 4.1)."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ...base.files import BAD_JSON, read_lines
from ...errors import UserError
from ...problem import Image, Option, Sample

_IMAGE = re.compile(r"<image(\d+)>")


class Caption(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One picture in words: a line of a captions file, as `predict` writes it.

    `image` is the picture's path in the release, which is named after its content; so words never
    pass to a picture that they were not written for. `problems` are those that showed it.
    """

    image: str
    caption: str | None
    problems: list[str] = []
    model: str = ""
    reviewer: str = ""
    status: str = ""
    error: str = ""


def read_captions(path: Path) -> dict[str, Caption]:
    """The captions of a file by their picture; lines without words are left out.

    Raises UserError for a line that is not so, and for two captions of one picture.
    """
    captions: dict[str, Caption] = {}
    for number, line in read_lines(path):
        try:
            row = msgspec.json.decode(line, type=Caption)
        except BAD_JSON as error:
            raise UserError(
                f"{path}:{number}: {error}", 'each line is {"image", "caption"}'
            ) from error
        if row.image in captions:
            raise UserError(
                f"{path}:{number}: {row.image} stands twice", "keep one line of it"
            )
        if row.caption and row.caption.strip():
            captions[row.image] = row
    return captions


def captioned(sample: Sample, captions: dict[str, str]) -> Sample:
    """The sample for a model without eyes: its pictures, and those that are options, in words.

    `captions` maps a picture's path, or the sample's or problem's id, to its words, and goes before
    the captions that pictures have. Raises UserError for a picture without any.
    """
    words = [_words(image, sample, captions) for image in sample.images]
    question = _with_captions(sample.question, words)
    options = [_in_words(option, sample, captions) for option in sample.options]
    return replace(sample, question=question, images=[], options=options)


def _in_words(option: Option, sample: Sample, captions: dict[str, str]) -> Option:
    if option.image is None:
        return option
    words = _words(option.image, sample, captions)
    return replace(option, text=f"{option.text} {words}".strip(), image=None)


def caption_of(sample: Sample, captions: dict[str, str]) -> str:
    """The words of the sample's pictures alone, for a prompt that says where they stand."""
    return "\n".join(_words(image, sample, captions) for image in sample.images)


def _words(image: Image, sample: Sample, captions: dict[str, str]) -> str:
    """The words of a picture, the most particular first. Raises UserError where there are none."""
    names = (image.path, sample.id, sample.problem_id)
    in_file = (captions[name] for name in names if name in captions)
    words = next(in_file, image.caption)
    if not words:
        raise UserError(
            f"{sample.id}: no caption for {image.path}",
            "add it to the captions file; the stage `captions` puts such a file on a release",
        )
    return words


def _with_captions(question: str, words: list[str]) -> str:
    """Each `<imageN>` becomes its caption; where none is named, captions stand at the end."""
    figures = [f"[Figure: {caption}]" for caption in words]

    def figure(match: re.Match[str]) -> str:
        number = min(int(match[1]), len(figures))
        return figures[number - 1] if number else ""

    text = _IMAGE.sub(figure, question)
    if text == question:
        text = "\n".join([text, *figures])
    return text.lstrip("\n")
