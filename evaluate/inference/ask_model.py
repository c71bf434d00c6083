"""Ask a model every sample of a split, in a benchmark's own words; and two baselines."""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import msgspec

from ...base.display import Display, Table, texts_of
from ...base.files import read_lines, sha256_file, sole, write_jsonl
from ...base.registry import plugged
from ...base.terminal import progress, say
from ...errors import UserError, nearest
from ...llm import (
    FIRST,
    Answer,
    Model,
    Request,
    ask,
    base_url,
    image_part,
    priced,
    projected,
    request_body,
    usage,
)
from ...problem import VERSIONS, Sample, shown_images
from ...release import read_manifest, read_samples
from ...taxonomy import read_words
from ..predictions import Prompt, RunRecord, hashed, write_record
from ..prompts import (
    ASKED_NAMES,
    CAPTION,
    STYLES,
    Caption,
    Style,
    ask_text,
    caption_of,
    captioned,
    messages,
    own_style,
    read_captions,
    read_template,
    takes_caption,
    wordings_of,
)

ANSWERED = ("ok", "refused", "truncated")
KNOWN = ("thoughts", "finish", "prompt_tokens", "completion_tokens", "seconds", "error")
READ = (
    "text_dominant",
    "text_lite",
    "text_only",
)  # by text-only models: MathVerse, table 2


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """How samples are asked.

    Args:
        style: Whose wording [default: that of each sample's source].
        prompt_file: A prompt of one's own, with $question, $options, $cards, $caption, in place of
            a style.
        in_words: Send the release's captions, no pictures.
        captions: The same with {"image", "caption"} lines of a file, as `predict` writes them
            with the style math-v-caption.
        cards: {"concept", "card"} lines for we-math-kca [default: the rows' own, else our tree's].
        wording: A wording file with a paper's own knowledge cards and their pictures, in place of
            the rows' or ours; or We-Math's testmini.json.
        max_tokens: Longest reply.
        temperature: Of the replies; none: leave it to the model.
        samples: Replies to each question, for mean@k and pass@k.
        blind: Send no pictures: for models that only read; what has no text is not asked.
        versions: Ask these versions only [default: all; of six versions with `blind`, those on
            which MathVerse's table 2 has text-only models: Text Dominant, Lite and Only].
        allow_missing_pictures: Ask about pictures that the release does not hold.
    """

    style: Style | None = None
    prompt_file: str | Path | None = None
    in_words: bool = False
    captions: str | Path | dict[str, str] | None = None  # or picture or sample -> words
    cards: str | Path | None = None
    wording: str | Path | None = None
    max_tokens: int | None = None
    temperature: float | None = 0.0
    samples: Annotated[int, msgspec.Meta(ge=1)] = 1
    blind: bool = False
    versions: Sequence[str] = ()
    allow_missing_pictures: bool = False

    def words(self) -> dict[str, str] | None:
        """What stands for pictures; nothing where they are sent."""
        if isinstance(self.captions, str | Path):
            read = read_captions(Path(self.captions))
            return {name: row.caption or "" for name, row in read.items()}
        return (
            self.captions
            if self.captions is not None
            else {}
            if self.in_words
            else None
        )


def requests_for(
    release: Path, samples: list[Sample], how: Asking
) -> Iterator[Request]:
    """The requests of each sample, for `ask`, `plan` (a dry run) or `write_batch`.

    Raises UserError where a picture that a question speaks of is not there.
    """
    if how.style and how.prompt_file:
        raise UserError(
            "a style and a prompt of one's own", "give --style or --prompt-file"
        )
    styles, words = styles_of(release, samples), how.words()
    cards = read_map(Path(how.cards), "concept", "card") if how.cards else None
    told = read_words(how.wording) if how.wording else None
    if told and cards is None:
        cards = told.card_texts() or None
    own = read_template(Path(how.prompt_file), ASKED_NAMES) if how.prompt_file else None
    blind = how.blind or words is not None or how.style == "math-v-captioned"
    if not (how.allow_missing_pictures or blind):
        _require_pictures(release, samples)
    if how.style == CAPTION:
        yield from _caption_requests(release, samples, how)
        return
    samples = _of_versions(samples, how)
    if (
        how.blind and words is None
    ):  # Vision Only is nothing but its picture (MathVerse, 3.1)
        silent = {sample.id: sample for sample in samples if not sample.asked().strip()}
        if silent:
            first = next(iter(silent))
            say(
                f"{len(silent)} samples are nothing but a picture: not asked, as {first}"
            )
        samples = [sample for sample in samples if sample.id not in silent]
    for sample in samples:
        style = _style_of(sample, how, styles)
        asked, caption = sample, ""
        if takes_caption(style, own):
            caption = caption_of(sample, words or {})
        elif words is not None:
            asked = captioned(sample, words)
        text = ask_text(asked, style, cards, own, caption)
        if blind and not caption:  # as MATH-V's code sends text alone
            text = re.sub(r"<image\d>", "", text).strip()
        placed = "" if own is not None else style
        asking_it = messages(text, sample, release, pictures=not blind, style=placed)
        if told and style == "we-math-kca":
            shown = told.card_pictures(texts_of(sample.labels.get("knowledge")))
            asking_it[0]["content"][:0] = map(image_part, shown)
        for number in range(1, how.samples + 1):
            yield Request(
                id=sample.id,
                messages=asking_it,
                temperature=how.temperature,
                max_tokens=how.max_tokens,
                sample=number,
            )


def _of_versions(samples: list[Sample], how: Asking) -> list[Sample]:
    """The samples that are asked. Raises UserError for a version that there is not."""
    there = list(dict.fromkeys(s.version for s in samples))
    for name in how.versions:
        if name not in there:
            raise UserError(
                f"no sample has the version {name!r}", nearest(name, list(there))
            )
    six = not how.versions and how.blind and set(READ) <= set(there)
    wanted = (
        set(READ) | (set(there) - set(VERSIONS)) if six else set(how.versions or there)
    )
    kept = [sample for sample in samples if sample.version in wanted]
    if len(kept) < len(samples):
        say(f"{len(samples) - len(kept)} samples of other versions are not asked")
    return kept


def _caption_requests(
    release: Path, samples: list[Sample], how: Asking
) -> Iterator[Request]:
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
                messages=messages(
                    ask_text(alone, CAPTION), alone, release, style=CAPTION
                ),
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
        s["name"]: s.get("benchmark") or s["reader"]
        for s in read_manifest(release)["sources"]
    }
    named |= {s.source.name: s.source.benchmark for s in samples if s.source.benchmark}
    return {name: style for name, style in named.items() if style in STYLES}


def _style_of(sample: Sample, how: Asking, styles: dict[str, str]) -> str:
    """The style that was asked for, or the sample's own."""
    return how.style or own_style(sample, styles)


class Predicted(Display, msgspec.Struct, kw_only=True):
    """What came back. `cost` is what this run paid, `cost_all` with earlier runs.

    Both are None where no prices are given.
    """

    answers: int
    cached: int  # of the answers; tokens are those of the others
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    cost_all: float | None
    statuses: dict[str, int]  # answers by status
    left_out: list[
        str
    ] = []  # parameters that the endpoint refused and was asked without

    def headline(self) -> str:
        cost = "" if self.cost is None else "cost "
        return f"{self.answers} answers, {self.cached} from the cache, {cost}{priced(self.cost)}"

    def table(self) -> Table:
        return ["what", "number"], list(self.counts().items())

    def counts(self) -> dict[str, Any]:
        """All figures by name."""
        row = msgspec.to_builtins(self)
        return {
            k: v for k, v in (row | row.pop("statuses")).items() if k != "left_out" or v
        }


def predict(
    release: str | Path,
    split: str,
    model: Model | str,
    out: str | Path,
    *,
    cache: str | Path | None = None,
    how: Asking | None = None,
    limit: Annotated[int, msgspec.Meta(ge=0)] | None = None,
    plugins: Sequence[str | Path] = (),
) -> Predicted:
    """Ask and write `out`: one {"id", "response", "status"} a line, in the split's order.

    What is known of a reply stands beside it: a reasoning model's `thoughts`, why it stopped
    (`finish`), tokens and seconds. RUN.json in the same folder says how the model was asked.
    Replies are cached, so a run that is stopped goes on where it was. Failed and empty replies are
    written with a null response and asked again next time. With several samples a question, rows
    are numbered by `repeat`. Captions are a `Caption` a line, one for each picture, as the stage
    `captions` reads them.

    Args:
        release: Folder of the release.
        split: Which split to ask; testmini+test are both together.
        model: The model's name.
        out: The predictions to write.
        cache: Replies already paid for [default: beside OUT].
        how: How samples are asked.
        limit: Ask only the first samples.
        plugins: Python file that adds kinds of answers: it is run.

    Raises UserError for an
    unknown split, a damaged release, missing pictures, a missing key, a second run that would write
    the same file at the same time, and where nothing came back.

    Example: `predict("out/math-v-1.0.0", "testmini", "gpt-4o", "gpt-4o.jsonl").answers`
    """
    model = Model(name=model) if isinstance(model, str) else model
    how = how or Asking()
    samples = read_samples(release, split)[:limit]
    with plugged(plugins):
        requests = list(requests_for(Path(release), samples, how))
    answers = ask(requests, model, Path(cache) if cache else cache_beside(out))
    seen: list[Answer] = []
    fresh: list[Answer] = []
    problems = _shown_in(samples) if how.style == CAPTION else {}

    def rows() -> Iterator[dict[str, Any] | Caption]:
        watched = progress(answers, f"ask {model.name}", len(requests), "replies")
        for request, answer in zip(requests, watched, strict=True):
            seen.append(msgspec.structs.replace(answer, text="", thoughts=""))
            if not answer.cached and answer.status in ANSWERED and len(fresh) < FIRST:
                fresh.append(seen[-1])
                if len(fresh) == FIRST < len(requests) - len(seen):
                    say(projected(fresh, len(requests), model))
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
            row: dict[str, Any] = {
                "id": answer.id,
                "response": text,
                "status": answer.status,
            }
            if how.samples > 1:
                row["repeat"] = request.sample
            known = {name: getattr(answer, name) for name in KNOWN}
            yield row | {"model": model.name} | {k: v for k, v in known.items() if v}

    with sole(Path(out)):
        write_jsonl(Path(out), rows())
    counts = usage(seen, model)
    if how.style != CAPTION:
        record = _record(Path(release), split, samples, model, how, limit)
        _came_back(record, seen, counts)
        write_record(Path(out), record)
    if seen and not any(answer.status in ANSWERED for answer in seen):
        raise UserError(
            f"{model.name} answered none of {len(seen)} requests; the first ended so: "
            f"{seen[0].status} {seen[0].error}",
            "mend what it says and run the same command again",
        )
    known = {
        name: counts.pop(name) for name in Predicted.__struct_fields__ if name in counts
    }
    return Predicted(**known, statuses=counts)


def _record(
    release: Path,
    split: str,
    samples: list[Sample],
    model: Model,
    how: Asking,
    limit: int | None,
) -> RunRecord:
    """How the samples are asked."""
    styles = styles_of(release, samples)
    texts = {
        style: wordings_of(style, STYLES)
        for style in sorted({_style_of(sample, how, styles) for sample in samples})
    }
    if how.prompt_file:
        own = Path(how.prompt_file)
        texts = {own.name: {own.name: read_template(own, ASKED_NAMES)}}
    example = Request(id="", temperature=how.temperature, max_tokens=how.max_tokens)
    sent = {
        k: v
        for k, v in request_body(example, model).items()
        if k not in ("model", "messages")
    }
    captions = how.captions if isinstance(how.captions, str | Path) else None
    return RunRecord(
        harness=f"benchwright {version('benchwright')}",
        model=model.name,
        endpoint=base_url(model),
        prompts=[Prompt(style=k, sha256=hashed(t), texts=t) for k, t in texts.items()],
        system=model.system or "",
        parameters=sent,
        samples=how.samples,
        limit=limit,
        blind=how.blind,
        in_words=how.words() is not None,
        captions_sha256=sha256_file(Path(captions)) if captions else "",
        cards_sha256=sha256_file(Path(how.cards)) if how.cards else "",
        words=read_words(how.wording).words if how.wording else "",
        release=release.resolve().name,
        split=split,
    )


def _came_back(
    record: RunRecord, seen: Sequence[Answer], counts: dict[str, Any]
) -> None:
    """Note what the replies say of themselves, earlier runs' included."""
    moments = sorted(answer.at for answer in seen if answer.at)
    record.served = sorted({answer.model for answer in seen if answer.model})
    record.refused = sorted({name for answer in seen for name in answer.left_out})
    record.started, record.ended = (moments[0], moments[-1]) if moments else ("", "")
    record.answers = len(seen)
    record.statuses = dict(sorted(Counter(answer.status for answer in seen).items()))
    record.finish = dict(sorted(Counter(a.finish for a in seen if a.finish).items()))
    record.prompt_tokens = sum(answer.prompt_tokens for answer in seen)
    record.completion_tokens = sum(answer.completion_tokens for answer in seen)
    record.seconds = round(sum(answer.seconds for answer in seen), 2)
    record.cost = counts["cost_all"]


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
    release: str | Path,
    split: str,
    how: Asking | None = None,
    limit: int | None = None,
    plugins: Sequence[str | Path] = (),
) -> list[Request]:
    """What `predict` asks, for a dry run (`llm.plan`) or a batch file (`llm.write_batch`)."""
    release = Path(release)
    with plugged(plugins):
        return list(
            requests_for(release, read_samples(release, split)[:limit], how or Asking())
        )


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
    written = write_jsonl(
        Path(out), baseline(read_samples(release, split)[:limit], kind, seed)
    )
    record = RunRecord(
        harness=f"benchwright {version('benchwright')}",
        model=f"baseline {kind}",
        seed=seed,
        limit=limit,
        release=Path(release).resolve().name,
        split=split,
        answers=written,
    )
    write_record(Path(out), record)
    return written


def cache_beside(out: str | Path) -> Path:
    return Path(out).with_suffix(".cache.sqlite")


def baseline(samples: list[Sample], kind: str, seed: int = 0) -> list[dict[str, str]]:
    """Predictions without a model.

    `random`: a letter drawn for each multiple-choice sample, nothing for the others.
    `random-text`: as MATH-V's models/random.py, an option's text or a whole number up to 512, by
    Python's own generator in the samples' order.
    `most-frequent`: the commonest gold among multiple-choice samples and among the others.
    Raises UserError when `most-frequent` meets withheld answers.
    """
    if kind == "random":
        return [{"id": s.id, "response": _drawn(s, seed)} for s in samples]
    if kind == "random-text":
        draw = random.Random(seed)
        return [
            {
                "id": s.id,
                "response": s.options[draw.randint(0, len(s.options) - 1)].text
                if s.options
                else str(draw.randint(0, 512)),
            }
            for s in samples
        ]
    if any(sample.answer is None for sample in samples):
        raise UserError(
            "most-frequent needs the answers, which are withheld", "use random"
        )
    common = {
        choice: Counter(s.answer or "" for s in samples if bool(s.options) == choice)
        for choice in (True, False)
    }
    best = {
        key: min(c, key=lambda a: (-c[a], a)) if c else "" for key, c in common.items()
    }
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
