"""What a model is asked: the request of every sample, in a benchmark's own words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from ...base.display import texts_of
from ...base.files import read_lines
from ...base.pictures import is_reduced
from ...base.terminal import say
from ...errors import UserError, nearest
from ...llm import Request, image_part
from ...problem import VERSIONS, Sample, shown_images
from ...release import read_manifest
from ...taxonomy import read_words
from ..prompts import (
    ASKED_NAMES,
    CAPTION,
    OWN,
    STYLES,
    Style,
    ask_text,
    caption_of,
    captioned,
    message,
    message_text,
    own_style,
    placed,
    read_captions,
    read_template,
    takes_caption,
)
from .named_pictures import require_pictures

READABLE = ("text_dominant", "text_lite", "text_only")  # MathVerse, table 2
_IMAGE = re.compile(r"<image\d>")


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """How samples are asked.

    Args:
        style: Whose wording [default: that of each sample's source].
        prompt_file: A prompt of one's own, with $question, $options, $cards, $caption, in place of
            a style.
        pictures: Refuse to ask where one is not there (all); send those that are there (held);
            send the release's captions in their place (captions), or nothing (none): for models
            that only read; what has no text is not asked.
        captions: Send the {"image", "caption"} lines of a file, as `predict` writes them with the
            style math-v-caption, in place of pictures.
        cards: {"concept", "card"} lines for we-math-kca [default: the rows' own, else our tree's].
        wording: A wording file with a paper's own knowledge cards and their pictures, in place of
            the rows' or ours; or We-Math's testmini.json.
        max_tokens: Longest reply.
        temperature: Of the replies; none: leave it to the model.
        samples: Replies to each question, for mean@k and pass@k.
        versions: Ask these versions only [default: all; of six versions without pictures, those
            on which MathVerse's table 2 has text-only models: Text Dominant, Lite and Only].
    """

    # fields that few runs set: on the command line they are `--set KEY=VALUE`
    RARE: ClassVar[tuple[str, ...]] = ("cards", "wording")

    style: Style | None = None
    prompt_file: str | Path | None = None
    pictures: Literal["all", "held", "captions", "none"] = "all"
    captions: str | Path | dict[str, str] | None = None  # or picture or sample -> words
    cards: str | Path | None = None
    wording: str | Path | None = None
    max_tokens: int | None = None
    temperature: float | None = 0.0
    samples: Annotated[int, msgspec.Meta(ge=1)] = 1
    versions: Sequence[str] = ()

    @property
    def blind(self) -> bool:
        """Whether it is asked as a model is that only reads."""
        return self.pictures == "none"

    def words(self) -> dict[str, str] | None:
        """What stands for pictures; nothing where they are sent."""
        if isinstance(self.captions, str | Path):
            captions = read_captions(Path(self.captions))
            return {image: row.caption or "" for image, row in captions.items()}
        if self.captions is not None:
            return self.captions
        return {} if self.pictures == "captions" else None


def is_blind(how: Asking) -> bool:
    """Whether no picture is sent: for want of eyes, or since words stand for them."""
    return how.blind or how.words() is not None or how.style == "math-v-captioned"


def requests_for(
    release: Path,
    samples: list[Sample],
    how: Asking,
    sources: Sequence[Mapping[str, Any]] | None = None,
) -> Iterator[Request]:
    """The requests of each sample, for `ask`, `plan` (a dry run) or `write_batch`.

    Pictures lie below `release`, whose manifest has the `sources` where they are not given. Raises
    UserError where a picture is not there that a sample or its row names.
    """
    if how.style and how.prompt_file:
        raise UserError(
            "a style and a prompt of one's own", "give --style or --prompt-file"
        )
    if sources is None:
        sources = read_manifest(release)["sources"]
    styles = styles_of(sources, samples)
    words = how.words()
    cards = read_map(Path(how.cards), "concept", "card") if how.cards else None
    wording = read_words(how.wording) if how.wording else None
    if wording and cards is None:
        cards = wording.card_texts() or None
    own = read_template(Path(how.prompt_file), ASKED_NAMES) if how.prompt_file else None
    blind = is_blind(how)
    if how.pictures != "held" and not blind:
        require_pictures(release, samples)
    if how.style == CAPTION:
        yield from _caption_requests(release, samples, how)
        return
    samples = _of_versions(samples, how)
    if how.blind and words is None:
        samples = _with_text(samples)
    for sample in samples:
        style = style_of(sample, how, styles)
        spoken = sample
        caption = ""
        if takes_caption(style, own):
            caption = caption_of(sample, words or {})
        elif words is not None:
            spoken = captioned(sample, words)
        text = ask_text(spoken, style, cards, own, caption)
        if blind and not caption:  # as MATH-V's code sends text alone
            text = _IMAGE.sub("", text).strip()
        pictures = [] if blind else shown_images(sample)
        there = [image for image in pictures if (release / image.path).is_file()]
        pieces = placed(text, there, OWN if own is not None else style)
        asked = message(pieces, release)
        shown_text = message_text(pieces)
        if wording and style == "we-math-kca":
            concepts = texts_of(sample.labels.get("knowledge"))
            cards_shown = list(wording.card_pictures(concepts))
            asked["content"][:0] = map(image_part, cards_shown)
            shown_text = "[picture of a card]" * len(cards_shown) + shown_text
        for number in range(1, how.samples + 1):
            yield Request(
                id=sample.id,
                messages=[asked],
                temperature=how.temperature,
                max_tokens=how.max_tokens,
                sample=number,
                shown=shown_text,
                pictures=tuple(image.path for image in there),
                reduced=sum(is_reduced(image, release) for image in there),
            )


def _with_text(samples: list[Sample]) -> list[Sample]:
    """Without those of Vision Only, which are nothing but their picture (MathVerse, 3.1)."""
    silent = [sample.id for sample in samples if not sample.asked().strip()]
    if silent:
        say(
            f"{len(silent)} samples are nothing but a picture: not asked, as {silent[0]}"
        )
    return [sample for sample in samples if sample.asked().strip()]


def _of_versions(samples: list[Sample], how: Asking) -> list[Sample]:
    """The samples that are asked. Raises UserError for a version that there is not."""
    versions = list(dict.fromkeys(sample.version for sample in samples))
    for name in how.versions:
        if name not in versions:
            raise UserError(
                f"no sample has the version {name!r}", nearest(name, versions)
            )
    chosen = set(how.versions or versions)
    if how.blind and not how.versions and chosen.issuperset(READABLE):
        chosen -= set(VERSIONS).difference(READABLE)
    result = [sample for sample in samples if sample.version in chosen]
    if len(result) < len(samples):
        say(f"{len(samples) - len(result)} samples of other versions are not asked")
    return result


def _caption_requests(
    release: Path, samples: list[Sample], how: Asking
) -> Iterator[Request]:
    """A request for each picture, by its path, however many samples show it."""
    if how.samples > 1:
        raise UserError("a picture has one caption", "leave out --samples")
    paths: set[str] = set()
    for sample in samples:
        for image in shown_images(sample):
            if image.path in paths:
                continue
            paths.add(image.path)
            alone = msgspec.structs.replace(sample, images=[image], options=[])
            pieces = placed(ask_text(alone, CAPTION), [image], CAPTION)
            yield Request(
                id=image.path,
                messages=[message(pieces, release)],
                shown=message_text(pieces),
                pictures=(image.path,),
                reduced=int(is_reduced(image, release)),
                temperature=how.temperature,
                max_tokens=how.max_tokens,
            )


def styles_of(
    sources: Iterable[Mapping[str, Any]], samples: Sequence[Sample] = ()
) -> dict[str, str]:
    """Source name -> prompt style: that of its benchmark, else of the format it was read from."""
    by_source = {s["name"]: s.get("benchmark") or s["reader"] for s in sources}
    for sample in samples:
        if sample.source.benchmark:
            by_source[sample.source.name] = sample.source.benchmark
    return {name: style for name, style in by_source.items() if style in STYLES}


def style_of(sample: Sample, how: Asking, styles: dict[str, str]) -> str:
    """The style that was asked for, or the sample's own."""
    return how.style or own_style(sample, styles)


def read_map(path: Path, key: str, value: str) -> dict[str, str]:
    """A JSON-lines file of {key, value} pairs as a dict (knowledge cards)."""
    values: dict[str, str] = {}
    for number, line in read_lines(path):
        try:
            row = msgspec.json.decode(line)
            if row[value] is not None:
                values[str(row[key])] = str(row[value])
        except (msgspec.DecodeError, LookupError, TypeError) as error:
            raise UserError(
                f"{path}:{number}: {error}", f'each line is {{"{key}", "{value}"}}'
            ) from error
    return values
