"""What a sample asks a model: the benchmarks' own wording, filled for one sample, with pictures.

| style | wording of |
|---|---|
| math-v | MATH-V, table 5, GPT4V-CoT |
| math-v-direct | MATH-V, table 5, GPT4V |
| math-v-steps | MATH-V, table 5, Gemini Pro-CoT and ChatGPT 3.5-CoT |
| math-v-word | MATH-V, table 5, Gemini Pro |
| math-v-phrase | MATH-V, table 5, LLaVA, SPHINX, ShareGPT4V, Qwen-VL; lines as its code |
| math-v-caption | MATH-V, appendix B.2: asks for a description of the picture |
| mathverse | MathVerse, tables 5 and 6; spaces as `query_cot` of its data |
| mathverse-direct | `query_wo` of MathVerse's data |
| we-math, we-math-kca | We-Math, table 4; `kca` with knowledge cards |
| mm-math | MM-MATH, table 4, answer generation |

MATH-V's code puts the text before the pictures (models/GPT4V.py); the others have published none,
and pictures come first.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, get_args

from ...base.answer_kinds import asks
from ...errors import UserError, nearest
from ...llm import image_part, text_part
from ...problem import Option, Sample, option_texts, shown_images
from .templates import FOLDER, fill, template

CAPTION = "math-v-caption"  # asks for the picture in words (MATH-V, appendix B.2)
Style = Literal[
    "math-v",
    "math-v-direct",
    "math-v-steps",
    "math-v-word",
    "math-v-phrase",
    "math-v-caption",
    "mathverse",
    "mathverse-direct",
    "we-math",
    "we-math-kca",
    "mm-math",
]
STYLES: tuple[str, ...] = get_args(Style)
ASKED_NAMES = ("question", "options", "cards")  # what a prompt file may use


def ask_text(
    sample: Sample, style: str, cards: dict[str, str] | None = None, own: str | None = None
) -> str:
    """The text that asks a sample in one of STYLES, or by a template of one's `own`.

    MATH-V: options as `(A) ...`, left out where they are only the letters. MathVerse: free-form,
    multiple-choice, and vision-only wording. We-Math: options in one line; `we-math-kca` puts the
    knowledge cards (concept -> text) of the sample's concepts before the question.
    CAPTION asks for nothing but the picture in words. Raises UserError for an unknown style and
    for KCA without cards.
    """
    if style not in STYLES:
        raise UserError(f"unknown prompt style {style!r}", nearest(style, list(STYLES)))
    if own is not None:
        return _filled(own, sample, cards)
    text = _asked(sample, style, cards)
    more = several(sample)
    return f"{text.rstrip()}\n{more}" if more and style != CAPTION else text


def text_first(style: str, own: bool = False) -> bool:
    """Whether the text stands before the pictures, as in MATH-V's code."""
    return style.startswith("math-v") and not own


def several(sample: Sample) -> str:
    """What a sample of several letters, sub-answers or a kind of your own asks for beyond the
    benchmark's wording.

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
    return asks(sample.answer_kind)


def _asked(sample: Sample, style: str, cards: dict[str, str] | None) -> str:
    texts = option_texts(sample.options, len(sample.images))
    if style.startswith("mathverse"):
        name = f"{style}-{'choice' if sample.options else 'free'}"
        if sample.version == "vision_only" and sample.images:  # none where they are in words
            return fill(template(f"{name}-vision"))
        listed = "\n".join(f"{o.label}:{t}" for o, t in zip(sample.options, texts, strict=True))
        return fill(template(name), question=sample.asked(), options=listed)
    if style.startswith("we-math"):
        listed = "; ".join(f"{o.label}. {t}" for o, t in zip(sample.options, texts, strict=True))
        extra = {"cards": _cards(sample, cards)} if style == "we-math-kca" else {}
        return fill(template(style), question=sample.asked(), options=listed, **extra)
    if sample.answer_kind == "choices" and (FOLDER / f"{style}-choices.txt").exists():
        style = f"{style}-choices"
    return _filled(template(style), sample, cards)


def _filled(text: str, sample: Sample, cards: dict[str, str] | None) -> str:
    """A template with options as MATH-V's code lists them, each line ended."""
    listed = listed_options(sample.options, len(sample.images))
    options = f"{listed}\n" if listed else ""
    extra = {"cards": _cards(sample, cards)} if "$cards" in text or "${cards}" in text else {}
    return fill(text, question=sample.asked(), options=options, **extra)


def listed_options(options: list[Option], images: int = 0) -> str:
    """One `(A) ...` a line; nothing where each option is only its own letter.

    Options that are pictures are named `<imageN>`, behind the `images` of the question.
    """
    texts = option_texts(options, images)
    if all(text.strip() == o.label for o, text in zip(options, texts, strict=True)):
        return ""
    return "\n".join(f"({o.label}) {text}" for o, text in zip(options, texts, strict=True))


def sample_fields(sample: Sample) -> dict[str, Any]:
    """Question, options, both together as the problem, and gold, for the judges' prompts."""
    question = sample.asked() or "(see the picture)"
    options = listed_options(sample.options, len(sample.images))
    return {
        "question": question,
        "options": options,
        "problem": f"{question}\n{options}" if options else question,
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
    text: str, sample: Sample, release: Path, pictures: bool = True, text_first: bool = False
) -> list[dict[str, Any]]:
    """One user message: the sample's pictures, those of its options, and the text."""
    images = shown_images(sample) if pictures else []
    parts = [image_part(release / image.path) for image in images]
    said = text_part(text)
    return [{"role": "user", "content": [said, *parts] if text_first else [*parts, said]}]
