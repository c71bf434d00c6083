"""Samples for models without eyes: pictures in words."""

from __future__ import annotations

import re

import msgspec

from ...errors import UserError
from ...problem import Sample


def captioned(sample: Sample, captions: dict[str, str]) -> Sample:
    """The sample for a model without eyes: its pictures, and those that are options, in words."""
    options = [
        option
        if option.image is None
        else msgspec.structs.replace(
            option,
            text=f"{option.text} {_caption(sample, captions, (option.image.path,))}".strip(),
            image=None,
        )
        for option in sample.options
    ]
    question = with_captions(sample, captions)
    return msgspec.structs.replace(sample, question=question, options=options)


def _caption(sample: Sample, captions: dict[str, str], keys: tuple[str, ...]) -> str:
    words = [captions[key] for key in keys if key in captions]
    if not words:
        raise UserError(f"{sample.id}: no caption for {keys[0]}", "add it to the captions file")
    return words[0]


def with_captions(sample: Sample, captions: dict[str, str]) -> str:
    """The question for a model without eyes: each `<imageN>` becomes its caption (MATH-V, 4.1).

    `captions` maps a picture's path, or the sample's or problem's id, to its words.
    Raises UserError for a picture without a caption.
    """
    names = (sample.id, sample.problem_id)
    words = [_caption(sample, captions, (image.path, *names)) for image in sample.images]

    def spoken(match: re.Match[str]) -> str:
        number = min(int(match[1]), len(words))
        return f"[Figure: {words[number - 1]}]" if number else ""

    question = re.sub(r"<image(\d+)>", spoken, sample.question)
    if words and question == sample.question:
        question += "".join(f"\n[Figure: {caption}]" for caption in words)
    return question
