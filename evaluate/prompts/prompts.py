"""What a sample asks a model: the benchmarks' own wording, filled for one sample, with pictures.

| style | wording of |
|---|---|
| math-v | MATH-V, table 5, GPT4V-CoT |
| math-v-direct | MATH-V, table 5, GPT4V |
| math-v-steps | MATH-V, table 5, Gemini Pro-CoT; options and pictures as its code |
| math-v-word | MATH-V, table 5, Gemini Pro; options and pictures as its code |
| math-v-phrase | MATH-V, table 5, LLaVA, SPHINX, ShareGPT4V, Qwen-VL; lines as its code |
| math-v-caption | MATH-V, appendix B.2: asks for a description of the picture |
| math-v-captioned | MATH-V, table 5, the two with captions; lines as its code |
| mathverse | MathVerse, tables 5 and 6; spaces as `query_cot` of its data |
| mathverse-direct | `query_wo` of MathVerse's data |
| we-math, we-math-kca | We-Math, table 4; `kca` with knowledge cards |
| mm-math | MM-MATH, table 4, answer generation |

Pictures stand where the text names them (`<image2>`), each once; those that it does not name come
first. A single picture stands as the benchmark's code has it: MATH-V's puts the text before it
(models/GPT4V.py), and for Gemini where the text names it (models/Gemini.py).
Options, questions and cards of a published row are sent as the row spells them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from ...base.answer_kinds import asks
from ...base.published import published
from ...errors import UserError, nearest
from ...llm import image_part, text_part
from ...problem import (
    VERSIONS,
    Image,
    Option,
    Sample,
    listed_options,
    shown_images,
    with_choices,
)
from ...taxonomy import cards_text
from .templates import FOLDER, fill, template

DEFAULT = "math-v"  # its wording fits any problem
OWN = "own"  # a prompt file in place of a style
CAPTION = "math-v-caption"  # asks for the picture in words (MATH-V, appendix B.2)
Style = Literal[
    "math-v",
    "math-v-direct",
    "math-v-steps",
    "math-v-word",
    "math-v-phrase",
    "math-v-caption",
    "math-v-captioned",
    "mathverse",
    "mathverse-direct",
    "we-math",
    "we-math-kca",
    "mm-math",
]
STYLES: tuple[str, ...] = get_args(Style)
# Letters are listed, pictures stand where they are named.
GEMINI = ("math-v-steps", "math-v-word")
_NAMES_CAPTION = re.compile(r"\$\{?caption\b")
_NAMES_CARDS = re.compile(r"\$\{?cards\b")
_IMAGE = re.compile(r"<image(\d+)>")
ASKED_NAMES = ("question", "options", "cards", "caption")  # what a prompt file may use


def ask_text(
    sample: Sample,
    style: str,
    cards: dict[str, str] | None = None,
    own: str | None = None,
    caption: str = "",
) -> str:
    """The text that asks a sample in one of STYLES, or by a template of one's `own`.

    MATH-V: options as `(A) ...`, left out where they are only the letters. MathVerse: free-form,
    multiple-choice, and vision-only wording. We-Math: options in one line; `we-math-kca` puts the
    knowledge cards of the sample's concepts before the question: `cards` (concept -> text), else
    the published row's, else our tree's. `caption` is the picture in words where a prompt names it.
    CAPTION asks for nothing but the picture in words. Raises UserError for an unknown style and
    for a concept without card.
    """
    if style not in STYLES:
        raise UserError(f"unknown prompt style {style!r}", nearest(style, list(STYLES)))
    if own is not None:
        return _filled(own, sample, cards, caption)
    text = _asked(sample, style, cards, caption)
    more = several(sample)
    return f"{text.rstrip()}\n{more}" if more and style != CAPTION else text


def own_style(sample: Sample, formats: Mapping[str, str]) -> str:
    """The style of the sample's benchmark, or else of the format that its source was read from.

    `formats` says source -> benchmark or format. Where that is none of STYLES, six versions are
    asked as MathVerse asks them, and others in DEFAULT's words.
    """
    by_source = sample.source.benchmark or formats.get(sample.source.name, "")
    by_shape = "mathverse" if sample.version in VERSIONS else DEFAULT
    return by_source if by_source in STYLES else by_shape


def takes_caption(style: str, own: str | None) -> bool:
    """Whether a prompt says itself where the picture's words stand."""
    if own is None:
        return style == "math-v-captioned"
    return _NAMES_CAPTION.search(own) is not None


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


def _asked(
    sample: Sample, style: str, cards: dict[str, str] | None, caption: str
) -> str:
    if style.startswith("mathverse"):
        name = f"{style}-choice" if sample.options else f"{style}-free"
        # without pictures, their words stand in the question
        if sample.version == "vision_only" and sample.images:
            return fill(template(f"{name}-vision"))
        return fill(template(name), question=_with_choices(sample))
    if sample.answer_kind == "choices" and (FOLDER / f"{style}-choices.txt").exists():
        style = f"{style}-choices"
    return _filled(template(style), sample, cards, caption, style)


def _with_choices(sample: Sample) -> str:
    """The question as MathVerse's rows have it, choices included."""
    whole = with_choices(sample.asked(), sample.options, len(sample.images))
    return whole if sample.condition else str(published(sample, "question", whole))


def row_fields(sample: Sample) -> dict[str, Any]:
    """Question with its choices and gold, as MathVerse's rows have them, for its own judge.

    Of a question that stands in its picture, the text that its row keeps for judges, or none.
    """
    asked = _with_choices(sample) or published(sample, "question_for_eval", "")
    return {"question": asked, "answer": sample.answer or ""}


def _filled(
    text: str,
    sample: Sample,
    cards: dict[str, str] | None,
    caption: str,
    style: str = "",
) -> str:
    """A template with options as the style's code lists them: MATH-V ends each line."""
    if style.startswith("we-math"):
        listed = listed_options(sample.options, len(sample.images), "{}. {}", ";")
        options = published(sample, "option", listed)
    else:
        listed = bracketed(sample.options, len(sample.images), letters=style in GEMINI)
        options = f"{listed}\n" if listed else ""
    extra = {"cards": _cards(sample, cards)} if _NAMES_CARDS.search(text) else {}
    return fill(
        text, question=sample.asked(), options=options, caption=caption, **extra
    )


def bracketed(options: list[Option], images: int = 0, letters: bool = False) -> str:
    """One `(A) ...` a line; nothing where each option is only its own letter, but for `letters`.

    Options that are pictures are named `<imageN>`, behind the `images` of the question.
    """
    only_letters = all(o.text.strip() == o.label and o.image is None for o in options)
    if only_letters and not letters:
        return ""
    return listed_options(options, images, "({}) {}", "\n")


def sample_fields(sample: Sample) -> dict[str, Any]:
    """Question, options, both together as the problem, and gold, for the judges' prompts.

    Of a question that stands in its picture, the text that its row keeps for judges.
    """
    question = sample.asked()
    options = bracketed(sample.options, len(sample.images))
    problem = f"{question}\n{options}" if options else question
    if not question and (for_judges := published(sample, "question_for_eval", "")):
        question = problem = for_judges
    return {
        "question": question or "(see the picture)",
        "options": options,
        "problem": problem or "(see the picture)",
        "answer": sample.answer,
    }


def _cards(sample: Sample, cards: dict[str, str] | None) -> str:
    concepts = sample.labels.get("knowledge") or []
    row_cards = published(sample, "knowledge concept description", "")
    if cards is None and row_cards:
        return str(row_cards)
    missing = [name for name in concepts if not cards_text([name], cards)]
    if missing:
        remedy = "give --set cards=FILE with all concepts"
        raise UserError(f"{sample.id}: no knowledge card for {missing[0]!r}", remedy)
    return cards_text(concepts, cards)


def messages(
    text: str, sample: Sample, release: Path, pictures: bool = True, style: str = ""
) -> list[dict[str, Any]]:
    """One user message: the sample's pictures, those of its options, and the text, as `placed`."""
    pieces = placed(text, shown_images(sample) if pictures else [], style)
    return [message(pieces, release)]


def message(pieces: Sequence[str | Image], release: Path) -> dict[str, Any]:
    """A user message of texts and pictures, which lie in the release."""
    content = [
        text_part(piece) if isinstance(piece, str) else image_part(release / piece.path)
        for piece in pieces
    ]
    return {"role": "user", "content": content}


def message_text(pieces: Sequence[str | Image]) -> str:
    """A message for people: its texts as they are sent, pictures by their paths.

    >>> message_text(["Look: ", Image(path="images/a.png", sha256="", width=9, height=9), "!"])
    'Look: [picture images/a.png]!'
    """
    return "".join(
        piece if isinstance(piece, str) else f"[picture {piece.path}]"
        for piece in pieces
    )


def placed(text: str, images: Sequence[Image], style: str = "") -> list[str | Image]:
    """The text and its pictures in the order in which a prompt of this style is sent.

    Without a style, as judges are asked, pictures come first: a reply may name them, too.

    >>> a, b = (Image(path=p, sha256="", width=9, height=9) for p in "ab")
    >>> [x if isinstance(x, str) else x.path for x in placed("Is <image2> it?", [a, b], OWN)]
    ['a', 'Is ', 'b', ' it?']
    """
    named = {int(number) for number in _IMAGE.findall(text)}
    known = named & set(range(1, len(images) + 1))
    behind = style.startswith("math-v")
    as_published = len(images) == 1 and style not in (OWN, *GEMINI)
    if not style or not known or as_published:
        return [text, *images] if behind else [*images, text]
    content: list[str | Image] = []
    waiting = dict(enumerate(images, 1))
    for k, piece in enumerate(_IMAGE.split(text)):  # texts, numbers between them
        is_number = k % 2 == 1
        if is_number and int(piece) in waiting:
            content.append(waiting.pop(int(piece)))
        elif not is_number and piece:
            content.append(piece)
    return [*content, *waiting.values()] if behind else [*waiting.values(), *content]
