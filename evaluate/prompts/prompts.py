"""Prompts: the benchmarks' own wording as files, filled for one sample, pictures attached."""

from __future__ import annotations

import re
from pathlib import Path
from string import Template
from typing import Any

from ...errors import UserError, nearest
from ...llm import image_part, text_part
from ...problem import Option, Sample

FOLDER = Path(__file__).parent
STYLES = (
    "math-v",
    "math-v-direct",
    "mathverse",
    "mathverse-direct",
    "we-math",
    "we-math-kca",
    "mm-math",
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
    Raises UserError for an unknown style and for KCA without cards.
    """
    if style not in STYLES:
        raise UserError(f"unknown prompt style {style!r}", nearest(style, list(STYLES)))
    if style.startswith("mathverse"):
        name = f"{style}-{'choice' if sample.options else 'free'}"
        if sample.version == "vision_only":
            return fill(f"{name}-vision")
        listed = "\n".join(f"{o.label}:{o.text}" for o in sample.options)
        return fill(name, question=sample.asked(), options=listed)
    if style.startswith("we-math"):
        listed = "; ".join(f"{o.label}. {o.text}" for o in sample.options)
        extra = {"cards": _cards(sample, cards)} if style == "we-math-kca" else {}
        return fill(style, question=sample.asked(), options=listed, **extra)
    return fill(style, question=sample.asked(), options=listed_options(sample.options))


def listed_options(options: list[Option]) -> str:
    """One `(A) ...` a line; nothing where each option is only its own letter."""
    if all(option.text.strip() == option.label for option in options):
        return ""
    return "\n".join(f"({option.label}) {option.text}" for option in options)


def sample_fields(sample: Sample) -> dict[str, Any]:
    """Question, options and gold as the judges' prompts show them."""
    return {
        "question": sample.asked() or "(see the picture)",
        "options": listed_options(sample.options),
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
    """One user message: the sample's pictures in their order, then the text."""
    parts = [image_part(release / image.path) for image in sample.images] if pictures else []
    return [{"role": "user", "content": [*parts, text_part(text)]}]


def with_captions(sample: Sample, captions: dict[str, str]) -> str:
    """The question for a model without eyes: each `<imageN>` becomes its caption (MATH-V, 4.1).

    `captions` maps a picture's path, or the sample's or problem's id, to its words.
    Raises UserError for a picture without a caption.
    """
    words = []
    for image in sample.images:
        matching = [
            captions[key] for key in (image.path, sample.id, sample.problem_id) if key in captions
        ]
        if not matching:
            raise UserError(
                f"{sample.id}: no caption for {image.path}", "add it to the captions file"
            )
        words.append(matching[0])

    def spoken(match: re.Match[str]) -> str:
        number = min(int(match[1]), len(words))
        return f"[Figure: {words[number - 1]}]" if number else ""

    question = re.sub(r"<image(\d+)>", spoken, sample.question)
    if words and question == sample.question:
        question += "".join(f"\n[Figure: {caption}]" for caption in words)
    return question
