"""Prompts: the benchmarks' own wording as files, filled for one sample, pictures attached."""

from __future__ import annotations

import re
from pathlib import Path
from string import Template
from typing import Any

import msgspec

from ...errors import UserError, nearest
from ...llm import image_part, text_part
from ...problem import Option, Sample, option_texts, shown_images

FOLDER = Path(__file__).parent
CAPTION = "caption"  # asks for the picture in words (MATH-V, appendix B.2)
STYLES = (
    "math-v",
    "math-v-direct",
    "mathverse",
    "mathverse-direct",
    "we-math",
    "we-math-kca",
    "mm-math",
    CAPTION,
)


def fill(name: str, **values: Any) -> str:
    """The prompt file `<name>.txt` with its `$names` filled in; spare blank lines removed.

    >>> fill("repair", problem="no JSON").splitlines()[0]
    'Your last reply could not be used: no JSON'
    """
    text = Template((FOLDER / f"{name}.txt").read_text("utf-8")).substitute(values)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def ask_text(sample: Sample, style: str, cards: dict[str, str] | None = None) -> str:
    """The text that asks a sample in one of STYLES.

    MATH-V: options as `(A) ...`, left out where they are only the letters. MathVerse: free-form,
    multiple-choice, and vision-only wording. We-Math: options in one line; `we-math-kca` puts the
    knowledge cards (concept -> text) of the sample's concepts before the question.
    `caption` asks for nothing but the picture in words. Raises UserError for an unknown style and
    for KCA without cards.
    """
    if style not in STYLES:
        raise UserError(f"unknown prompt style {style!r}", nearest(style, list(STYLES)))
    if style == CAPTION:
        return fill(CAPTION)
    return "\n".join(filter(None, [_asked(sample, style, cards), several(sample)]))


def several(sample: Sample) -> str:
    """What a sample of several letters or sub-answers asks for beyond the benchmark's wording.

    The four papers have none; so these lines are ours.
    """
    if sample.answer_kind == "choices":
        return (
            "More than one option may be right. Give the letters of all right options together, "
            "for example ABD."
        )
    if sample.answer_kind == "parts" and sample.parts:
        labels = ", ".join(f"({part.label}) ..." for part in sample.parts)
        return f"The question has {len(sample.parts)} parts. Give the answer of each as {labels}."
    return ""


def _asked(sample: Sample, style: str, cards: dict[str, str] | None) -> str:
    texts = option_texts(sample.options, len(sample.images))
    if style.startswith("mathverse"):
        name = f"{style}-{'choice' if sample.options else 'free'}"
        if sample.version == "vision_only":
            return fill(f"{name}-vision")
        listed = "\n".join(f"{o.label}:{t}" for o, t in zip(sample.options, texts, strict=True))
        return fill(name, question=sample.asked(), options=listed)
    if style.startswith("we-math"):
        listed = "; ".join(f"{o.label}. {t}" for o, t in zip(sample.options, texts, strict=True))
        extra = {"cards": _cards(sample, cards)} if style == "we-math-kca" else {}
        return fill(style, question=sample.asked(), options=listed, **extra)
    if sample.answer_kind == "choices" and (FOLDER / f"{style}-choices.txt").exists():
        style = f"{style}-choices"
    options = listed_options(sample.options, len(sample.images))
    return fill(style, question=sample.asked(), options=options)


def listed_options(options: list[Option], images: int = 0) -> str:
    """One `(A) ...` a line; nothing where each option is only its own letter.

    Options that are pictures are named `<imageN>`, behind the `images` of the question.
    """
    texts = option_texts(options, images)
    if all(text.strip() == o.label for o, text in zip(options, texts, strict=True)):
        return ""
    return "\n".join(f"({o.label}) {text}" for o, text in zip(options, texts, strict=True))


def sample_fields(sample: Sample) -> dict[str, Any]:
    """Question, options and gold as the judges' prompts show them."""
    return {
        "question": sample.asked() or "(see the picture)",
        "options": listed_options(sample.options, len(sample.images)),
        "answer": sample.answer,
    }


def _cards(sample: Sample, cards: dict[str, str] | None) -> str:
    concepts = sample.labels.get("knowledge") or []
    missing = [name for name in concepts if name not in (cards or {})]
    if cards is None or missing:
        named = f" for {missing[0]!r}" if missing else ""
        raise UserError(f"{sample.id}: no knowledge card{named}", "give --cards with all concepts")
    return "\n".join(f"{name}: {cards[name]}" for name in concepts)


def messages(
    text: str, sample: Sample, release: Path, pictures: bool = True
) -> list[dict[str, Any]]:
    """One user message: the sample's pictures, those of its options, then the text."""
    images = shown_images(sample) if pictures else []
    parts = [image_part(release / image.path) for image in images]
    return [{"role": "user", "content": [*parts, text_part(text)]}]


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
