"""Ask a model every sample of a split, in a benchmark's own words; and two baselines."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...base.files import read_lines, sole, write_jsonl
from ...base.registry import plugged
from ...base.terminal import progress
from ...errors import UserError
from ...llm import Answer, Model, Request, ask, usage
from ...problem import VERSIONS, Sample, shown_images
from ...release import read_manifest, read_samples
from ...taxonomy import knowledge_cards
from ..prompts import (
    ASKED_NAMES,
    CAPTION,
    STYLES,
    Caption,
    ask_text,
    captioned,
    messages,
    read_captions,
    read_template,
    text_first,
)

ANSWERED = ("ok", "refused", "truncated")
DEFAULT = "math-v"  # its wording fits any problem


class Asking(msgspec.Struct, kw_only=True):
    """How samples are asked: prompt style (default: by each sample's source), captions, cards.

    `prompt` is a template of one's own, in the place of any style.
    `blind` sends no pictures, for models that only read; `samples` replies are asked of each
    question; `allow_missing` asks about pictures that the release does not hold.
    """

    style: str | None = None
    prompt: str | None = None
    captions: dict[str, str] | None = None  # picture or sample -> words, for text-only models
    cards: dict[str, str] | None = None  # concept -> knowledge card, for we-math-kca
    max_tokens: int | None = None
    temperature: float | None = 0.0
    samples: int = 1
    blind: bool = False
    allow_missing: bool = False


def asking(
    style: str | None = None,
    captions: str | Path | None = None,
    cards: str | Path | None = None,
    *,
    in_words: bool = False,
    prompt_file: str | Path | None = None,
    **others: Any,
) -> Asking:
    """How to ask, with captions and knowledge cards from JSON-lines files.

    `captions` has {"image", "caption"} a line, as `predict` writes them with math-v-caption;
    `in_words` takes the release's own. `cards` has {"concept", "card"}; without `cards` the tree
    of We-Math gives them. `prompt_file` holds a prompt with $question, $options and $cards. Raises
    UserError naming the line that is not so.

    >>> asking(style="math-v").style
    'math-v'
    """
    said = {} if captions is None else read_captions(Path(captions))
    without_eyes = in_words or captions is not None
    return Asking(
        style=style,
        captions={name: row.caption or "" for name, row in said.items()} if without_eyes else None,
        cards=knowledge_cards() if cards is None else read_map(Path(cards), "concept", "card"),
        prompt=None if prompt_file is None else read_template(Path(prompt_file), ASKED_NAMES),
        **others,
    )


def requests_for(release: Path, samples: list[Sample], how: Asking) -> Iterator[Request]:
    """The requests of each sample, for `ask`, `plan` (a dry run) or `write_batch`.

    Raises UserError where a picture that a question speaks of is not there.
    """
    styles = styles_of(release, samples)
    if not (how.allow_missing or how.blind or how.captions is not None):
        _require_pictures(release, samples)
    if how.style == CAPTION:
        yield from _caption_requests(release, samples, how)
        return
    for sample in samples:
        style = how.style or styles.get(sample.source.name) or _style_by_shape(sample)
        asked = captioned(sample, how.captions) if how.captions is not None else sample
        text = ask_text(asked, style, how.cards, how.prompt)
        blind = how.blind or how.captions is not None
        first = text_first(style, own=how.prompt is not None)
        asking_it = messages(text, sample, release, pictures=not blind, text_first=first)
        for number in range(1, how.samples + 1):
            yield Request(
                id=sample.id,
                messages=asking_it,
                temperature=how.temperature,
                max_tokens=how.max_tokens,
                sample=number,
            )


def _caption_requests(release: Path, samples: list[Sample], how: Asking) -> Iterator[Request]:
    """A request for each picture, by its path, however many samples show it."""
    if how.samples > 1:
        raise UserError("a picture has one caption", "leave out --samples")
    asked: set[str] = set()
    for sample in samples:
        for image in shown_images(sample):
            if image.path in asked:
                continue
            asked.add(image.path)
            alone = msgspec.structs.replace(sample, images=[image], options=[])
            yield Request(
                id=image.path,
                messages=messages(ask_text(alone, CAPTION), alone, release, text_first=True),
                temperature=how.temperature,
                max_tokens=how.max_tokens,
            )


def _require_pictures(release: Path, samples: list[Sample]) -> None:
    """Refuse to ask about pictures that are not there: a question that shows none asks for luck."""
    lacking = [
        sample.id
        for sample in samples
        if ("<image1>" in sample.question and not sample.images)
        or not all((release / image.path).is_file() for image in sample.images)
    ]
    if lacking:
        raise UserError(
            f"{len(lacking)} of {len(samples)} samples lack a picture that their question speaks "
            f"of, the first is {lacking[0]}",
            "build the release with its pictures, or go on with --allow-missing-pictures",
        )


def styles_of(release: Path, samples: Sequence[Sample] = ()) -> dict[str, str]:
    """Source name -> prompt style: that of its benchmark, else of the format it was read from."""
    named = {
        s["name"]: s.get("benchmark") or s["reader"] for s in read_manifest(release)["sources"]
    }
    named |= {s.source.name: s.source.benchmark for s in samples if s.source.benchmark}
    return {name: style for name, style in named.items() if style in STYLES}


def _style_by_shape(sample: Sample) -> str:
    """The style of a source of no benchmark: six versions are asked as MathVerse asks them."""
    return "mathverse" if sample.version in VERSIONS else DEFAULT


def predict(
    release: str | Path,
    split: str,
    model: Model | str,
    out: str | Path,
    *,
    cache: str | Path | None = None,
    how: Asking | None = None,
    limit: int | None = None,
    plugins: Sequence[str | Path] = (),
) -> dict[str, Any]:
    """Ask and write `out`: one {"id", "response", "status"} a line, in the split's order.

    Replies are cached beside `out`, so a run that is stopped goes on where it was. Returns counts,
    tokens and cost. Failed and empty replies are written with a null response and asked again next
    time. With several samples a question, rows are numbered by `repeat`. Captions are a `Caption`
    a line, one for each picture, as the stage `captions` reads them. `plugins` are Python files
    with kinds of answers of your own. Raises UserError for an unknown split, a damaged release,
    missing pictures, a missing key, a second run that would write the same file at the same time,
    and where nothing came back.

    Example: `predict("out/math-v-1.0.0", "testmini", "gpt-4o", "gpt-4o.jsonl")["answers"]`
    """
    model = Model(name=model) if isinstance(model, str) else model
    how = how or Asking()
    samples = read_samples(release, split)[:limit]
    with plugged(plugins):
        requests = list(requests_for(Path(release), samples, how))
    answers = ask(requests, model, Path(cache) if cache else cache_beside(out))
    seen: list[Answer] = []
    problems = _shown_in(samples) if how.style == CAPTION else {}

    def rows() -> Iterator[dict[str, Any] | Caption]:
        watched = progress(answers, f"ask {model.name}", len(requests), "replies")
        for request, answer in zip(requests, watched, strict=True):
            seen.append(msgspec.structs.replace(answer, text=""))
            text = answer.text if answer.status in ANSWERED else None
            if how.style == CAPTION:
                yield Caption(
                    image=answer.id,
                    caption=text,
                    problems=problems[answer.id],
                    model=model.name,
                    status=answer.status,
                    error=answer.error,
                )
                continue
            row: dict[str, Any] = {"id": answer.id, "response": text, "status": answer.status}
            if how.samples > 1:
                row["repeat"] = request.sample
            yield row | {"model": model.name} | ({"error": answer.error} if answer.error else {})

    with sole(Path(out)):
        write_jsonl(Path(out), rows())
    if seen and not any(answer.status in ANSWERED for answer in seen):
        raise UserError(
            f"{model.name} answered none of {len(seen)} requests; the first ended so: "
            f"{seen[0].status} {seen[0].error}",
            "mend what it says and run the same command again",
        )
    return usage(seen, model)


def _shown_in(samples: list[Sample]) -> dict[str, list[str]]:
    """Picture -> the problems that show it."""
    shown: dict[str, list[str]] = {}
    for sample in samples:
        for image in shown_images(sample):
            problems = shown.setdefault(image.path, [])
            if sample.problem_id not in problems:
                problems.append(sample.problem_id)
    return shown


def requests_of(
    release: str | Path, split: str, how: Asking | None = None, limit: int | None = None
) -> list[Request]:
    """What `predict` asks, for a dry run (`llm.plan`) or a batch file (`llm.write_batch`)."""
    release = Path(release)
    return list(requests_for(release, read_samples(release, split)[:limit], how or Asking()))


def predict_baseline(
    release: str | Path,
    split: str,
    kind: str,
    out: str | Path,
    *,
    seed: int = 0,
    limit: int | None = None,
) -> int:
    """Write the predictions of a `baseline` without a model to `out`; returns how many.

    Raises UserError when `most-frequent` meets withheld answers.

    Example: `predict_baseline("out/math-v-1.0.0", "testmini", "random", "random.jsonl")`
    """
    return write_jsonl(Path(out), baseline(read_samples(release, split)[:limit], kind, seed))


def cache_beside(out: str | Path) -> Path:
    return Path(out).with_suffix(".cache.sqlite")


def baseline(samples: list[Sample], kind: str, seed: int = 0) -> list[dict[str, str]]:
    """Predictions without a model.

    `random`: a letter drawn for each multiple-choice sample, nothing for the others.
    `most-frequent`: the commonest gold among multiple-choice samples and among the others.
    Raises UserError when `most-frequent` meets withheld answers.
    """
    if kind == "random":
        return [{"id": s.id, "response": _drawn(s, seed)} for s in samples]
    if any(sample.answer is None for sample in samples):
        raise UserError("most-frequent needs the answers, which are withheld", "use random")
    common = {
        choice: Counter(s.answer or "" for s in samples if bool(s.options) == choice)
        for choice in (True, False)
    }
    best = {key: min(c, key=lambda a: (-c[a], a)) if c else "" for key, c in common.items()}
    return [{"id": s.id, "response": best[bool(s.options)]} for s in samples]


def _drawn(sample: Sample, seed: int) -> str:
    """A letter that depends on seed and id alone, not on the other samples."""
    if not sample.options:
        return ""
    digest = hashlib.sha256(f"{seed}\0{sample.id}".encode()).digest()
    return sample.options[int.from_bytes(digest[:8], "big") % len(sample.options)].label


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
