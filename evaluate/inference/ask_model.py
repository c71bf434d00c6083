"""Ask a model every sample of a split, in a benchmark's own words; and two baselines."""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import msgspec

from ...base.display import Display, Table, texts_of
from ...base.files import read_lines, sha256_file, sole, write_jsonl
from ...base.pictures import is_reduced
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
    cost,
    image_part,
    priced,
    projected,
    request_body,
    usage,
)
from ...problem import VERSIONS, Sample, shown_images
from ...release import read_manifest
from ...taxonomy import read_words
from ..predictions import (
    Material,
    Prompt,
    RunRecord,
    begin_record,
    hashed,
    otherwise_asked,
    read_material,
    read_record,
    read_rows,
    write_record,
)
from ..prompts import (
    ASKED_NAMES,
    CAPTION,
    OWN,
    STYLES,
    Caption,
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
    wordings_of,
)
from .named_pictures import lacking_pictures, require_pictures

BASELINE = "baseline"  # begins the names of models that there are none of
ANSWERED = ("ok", "refused", "truncated")
# What is written beside a reply where there is something to write.
DETAILS = (
    "thoughts",
    "finish",
    "prompt_tokens",
    "completion_tokens",
    "thought_tokens",
    "seconds",
    "error",
)
READABLE = ("text_dominant", "text_lite", "text_only")  # MathVerse, table 2
LARGEST_NUMBER = 512  # of the random baseline (MATH-V, models/random.py)
_IMAGE = re.compile(r"<image\d>")


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
            captions = read_captions(Path(self.captions))
            return {image: row.caption or "" for image, row in captions.items()}
        if self.captions is not None:
            return self.captions
        return {} if self.in_words else None


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
    if not (how.allow_missing_pictures or blind):
        require_pictures(release, samples)
    if how.style == CAPTION:
        yield from _caption_requests(release, samples, how)
        return
    samples = _of_versions(samples, how)
    if how.blind and words is None:
        samples = _with_text(samples)
    for sample in samples:
        style = _style_of(sample, how, styles)
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


def _style_of(sample: Sample, how: Asking, styles: dict[str, str]) -> str:
    """The style that was asked for, or the sample's own."""
    return how.style or own_style(sample, styles)


class Predicted(Display, msgspec.Struct, kw_only=True):
    """What came back. `cost` is what this run paid, `cost_all` with earlier runs.

    Both are None where no prices are given. `unfinished` says why requests have no reply; it is
    empty where all have.
    """

    requests: int
    answers: int  # of the requests
    cached: int  # of the answers; tokens are those of the others
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    cost_all: float | None
    statuses: dict[str, int]  # answers by status
    # parameters that the endpoint refused and was asked without
    left_out: list[str] = []
    unfinished: str = ""

    def headline(self) -> str:
        cost = "" if self.cost is None else "cost "
        asked = "" if self.answers == self.requests else f" of {self.requests}"
        return (
            f"{self.answers}{asked} answers, {self.cached} from the cache, "
            f"{cost}{priced(self.cost)}"
        )

    def table(self) -> Table:
        return ["what", "number"], list(self.counts().items())

    def counts(self) -> dict[str, Any]:
        """All figures by name."""
        row = msgspec.to_builtins(self)
        row |= row.pop("statuses")
        return {
            k: v for k, v in row.items() if k not in ("left_out", "unfinished") or v
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
    A picture of more than 2,048 pixels a side or 5,000,000 bytes is sent smaller; the record counts
    them. Replies are cached, so a run that is stopped goes on where it was. Failed and empty
    replies are written with a null response and asked again next time. With several samples a
    question, rows are numbered by `repeat`. Captions are a `Caption` a line, one for each picture,
    as the stage `captions` reads them.

    Args:
        release: Folder of the release, or what `score` takes in its place: pictures that other
            layouts hold are stored beside OUT.
        split: Which split to ask; testmini+test are both together.
        model: The model's name.
        out: The predictions to write.
        cache: Replies already paid for [default: beside OUT].
        how: How samples are asked.
        limit: Ask only the first samples.
        plugins: Python file that adds kinds of answers: it is run.

    Raises UserError where `out` holds another run's replies, for an
    unknown split, a damaged release, missing pictures, a missing key, a second run that would write
    the same file at the same time, and where nothing came back.

    Example: `predict("out/math-v-1.0.0", "testmini", "gpt-4o", "gpt-4o.jsonl").answers`
    """
    model = Model(name=model) if isinstance(model, str) else model
    how = how or Asking()
    material = read_material(release, split, store=pictures_beside(out))
    material.say_lost()
    samples = list(material.samples)[:limit]
    sources = material.manifest["sources"]
    record = _record(material, split, samples, model, how, limit)
    require_own(Path(out), record, is_caption=how.style == CAPTION)
    if how.samples > 1 and how.temperature == 0:
        say("several replies at temperature 0 are mostly one: give --temperature")
    with plugged(plugins):
        requests = list(requests_for(material.root, samples, how, sources))
    answers = ask(requests, model, Path(cache) if cache else cache_beside(out))
    outcomes: list[Answer] = []  # the answers without their texts
    fresh: list[Answer] = []
    problems = _problems_by_picture(samples) if how.style == CAPTION else {}

    def rows() -> Iterator[dict[str, Any] | Caption]:
        watched = progress(answers, f"ask {model.name}", len(requests), "replies")
        for request, answer in zip(requests, watched, strict=True):
            outcome = msgspec.structs.replace(answer, text="", thoughts="")
            outcomes.append(outcome)
            if not answer.cached and answer.status in ANSWERED and len(fresh) < FIRST:
                fresh.append(outcome)
                if len(fresh) == FIRST < len(requests) - len(outcomes):
                    say(projected(fresh, len(requests), model))
            if how.style == CAPTION:
                yield _caption_row(answer, model, problems[answer.id])
            else:
                yield _row(request, answer, model, how.samples)

    with sole(Path(out)):
        if how.style != CAPTION:
            begin_record(Path(out), record)
        write_jsonl(Path(out), rows())
    counts = usage(outcomes, model)
    if how.style != CAPTION:
        _note_outcomes(record, outcomes, counts)
        _note_pictures(record, requests)
        if how.allow_missing_pictures and not is_blind(how):
            record.lacking = len(lacking_pictures(material.root, samples))
        write_record(Path(out), record)
    if outcomes and not any(answer.status in ANSWERED for answer in outcomes):
        raise UserError(
            f"{model.name} answered none of {len(outcomes)} requests; the first ended so: "
            f"{outcomes[0].status} {outcomes[0].error}",
            "mend what it says and run the same command again",
        )
    fields = {
        name: counts.pop(name) for name in Predicted.__struct_fields__ if name in counts
    }
    return Predicted(**fields, statuses=counts, unfinished=_unfinished(outcomes))


def _unfinished(outcomes: Sequence[Answer]) -> str:
    """Why requests have no reply, the most frequent cause first; "" where all have one."""
    causes = Counter(
        _cause(answer) for answer in outcomes if answer.status not in ANSWERED
    )
    if not causes:
        return ""
    told = ", ".join(f"{n} {cause}" for cause, n in causes.most_common(3))
    more = "" if len(causes) <= 3 else f" and {len(causes) - 3} causes more"
    lacking = sum(causes.values())
    return (
        f"{lacking} of {len(outcomes)} requests have no reply: {told}{more}; "
        "the same command asks these again"
    )


def _cause(answer: Answer) -> str:
    """Why no reply came, in the endpoint's words: alike for requests that ended alike."""
    words = " ".join(answer.error.split())[:160]
    return f"{answer.status} ({words})" if words else answer.status


def require_own(out: Path, record: RunRecord, *, is_caption: bool = False) -> None:
    """Refuse to write over another run's replies: other words, another model, fewer samples.

    Raises UserError for these, and for a file of which nothing says whose it is.
    """
    if not out.exists():
        return
    if is_caption:  # captions have no record; each row names its model
        rows = (row for _, row in read_rows(out) if isinstance(row, dict))
        if next(rows, {}).get("model") == record.model:
            return
    before, remark = read_record(out)
    if before and all(r.model.startswith(BASELINE) for r in (before, record)):
        return  # one is drawn again for nothing
    if before is None:
        cause = remark
    elif other := otherwise_asked(before, record):
        cause = f"it was asked otherwise ({other})"
    elif before.limit != record.limit and record.limit is not None:
        first = "all" if before.limit is None else f"the first {before.limit}"
        if before.limit is not None and before.limit < record.limit:
            return
        cause = f"it has {first} samples, this run the first {record.limit}"
    else:
        return
    raise UserError(
        f"{out} holds another run's replies: {cause}",
        "give another --out, or move that file away",
    )


def _text(answer: Answer) -> str | None:
    return answer.text if answer.status in ANSWERED else None


def _caption_row(answer: Answer, model: Model, problems: list[str]) -> Caption:
    return Caption(
        image=answer.id,
        caption=_text(answer),
        problems=problems,
        model=model.name,
        status=answer.status,
        error=answer.error,
    )


def _row(
    request: Request, answer: Answer, model: Model, samples: int
) -> dict[str, Any]:
    """A line of the predictions, with those details that there are.

    The message as it was sent stands with the first of several replies.
    """
    row: dict[str, Any] = {
        "id": answer.id,
        "response": _text(answer),
        "status": answer.status,
    }
    if samples > 1:
        row["repeat"] = request.sample
    row["model"] = model.name
    row["pictures"] = len(request.pictures)
    if request.sample == 1:
        row["asked"] = request.shown
    details = {name: getattr(answer, name) for name in DETAILS}
    if model.priced and answer.status in ANSWERED:
        details["cost"] = round(cost(answer, model), 9)
    return row | {name: value for name, value in details.items() if value}


def _record(
    material: Material,
    split: str,
    samples: list[Sample],
    model: Model,
    how: Asking,
    limit: int | None,
) -> RunRecord:
    """How the samples are asked."""
    by_source = styles_of(material.manifest["sources"], samples)
    styles = {_style_of(sample, how, by_source) for sample in samples}
    texts = {style: wordings_of(style, STYLES) for style in sorted(styles)}
    if how.prompt_file:
        own = Path(how.prompt_file)
        texts = {own.name: {own.name: read_template(own, ASKED_NAMES)}}
    example = Request(id="", temperature=how.temperature, max_tokens=how.max_tokens)
    parameters = request_body(example, model)
    for name in ("model", "messages"):
        parameters.pop(name, None)
    captions = how.captions if isinstance(how.captions, str | Path) else None
    return RunRecord(
        harness=f"benchwright {version('benchwright')}",
        model=model.name,
        endpoint=base_url(model),
        prompts=[Prompt(style=k, sha256=hashed(t), texts=t) for k, t in texts.items()],
        system=model.system or "",
        parameters=parameters,
        samples=how.samples,
        limit=limit,
        blind=how.blind,
        in_words=how.words() is not None,
        captions_sha256=sha256_file(Path(captions)) if captions else "",
        cards_sha256=sha256_file(Path(how.cards)) if how.cards else "",
        words=read_words(how.wording).words if how.wording else "",
        release=material.name,
        split=split,
    )


def _note_outcomes(
    record: RunRecord, answers: Sequence[Answer], counts: dict[str, Any]
) -> None:
    """Note what the replies say of themselves, earlier runs' included."""
    moments = sorted(answer.at for answer in answers if answer.at)
    if moments:
        record.started = moments[0]
        record.ended = moments[-1]
    record.served = sorted({answer.model for answer in answers if answer.model})
    record.refused = sorted({name for answer in answers for name in answer.left_out})
    record.answers = len(answers)
    record.statuses = _counted(answer.status for answer in answers)
    record.finish = _counted(answer.finish for answer in answers if answer.finish)
    record.prompt_tokens = sum(answer.prompt_tokens for answer in answers)
    record.completion_tokens = sum(answer.completion_tokens for answer in answers)
    record.thought_tokens = sum(answer.thought_tokens for answer in answers)
    record.seconds = round(sum(answer.seconds for answer in answers), 2)
    record.cost = counts["cost_all"]


def _note_pictures(record: RunRecord, requests: Sequence[Request]) -> None:
    """Note what pictures went out: with how many samples, how many, and how many made smaller."""
    first = [request for request in requests if request.sample == 1]
    record.asked_samples = len(first)
    record.pictured = sum(bool(request.pictures) for request in first)
    record.pictures = sum(len(request.pictures) for request in first)
    record.reduced = sum(request.reduced for request in first)


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def _problems_by_picture(samples: list[Sample]) -> dict[str, list[str]]:
    """The problems that show each picture, each once."""
    problems: dict[str, dict[str, None]] = {}
    for sample in samples:
        for image in shown_images(sample):
            problems.setdefault(image.path, {})[sample.problem_id] = None
    return {path: list(ids) for path, ids in problems.items()}


def requests_of(
    release: str | Path,
    split: str,
    how: Asking | None = None,
    limit: int | None = None,
    plugins: Sequence[str | Path] = (),
    store: Path | None = None,
) -> list[Request]:
    """What `predict` asks, for a dry run (`llm.plan`) or a batch file (`llm.write_batch`)."""
    material = read_material(release, split, store=store)
    samples = list(material.samples)[:limit]
    sources = material.manifest["sources"]
    with plugged(plugins):
        return list(requests_for(material.root, samples, how or Asking(), sources))


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
    material = read_material(release, split)
    samples = list(material.samples)[:limit]
    record = RunRecord(
        harness=f"benchwright {version('benchwright')}",
        model=f"{BASELINE} {kind}",
        seed=seed,
        limit=limit,
        release=material.name,
        split=split,
    )
    require_own(Path(out), record)
    begin_record(Path(out), record)
    written = write_jsonl(Path(out), baseline(samples, kind, seed))
    record.answers = written
    write_record(Path(out), record)
    return written


def pictures_beside(out: str | Path) -> Path:
    """Where pictures are kept that no release or export holds as files."""
    return Path(out).with_suffix(".pictures")


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
        return [{"id": s.id, "response": _drawn_text(s, draw)} for s in samples]
    if any(sample.answer is None for sample in samples):
        raise UserError(
            "most-frequent needs the answers, which are withheld", "use random"
        )
    letter = _most_frequent([sample for sample in samples if sample.options])
    value = _most_frequent([sample for sample in samples if not sample.options])
    return [{"id": s.id, "response": letter if s.options else value} for s in samples]


def _drawn_text(sample: Sample, draw: random.Random) -> str:
    if not sample.options:
        return str(draw.randint(0, LARGEST_NUMBER))
    return sample.options[draw.randint(0, len(sample.options) - 1)].text


def _most_frequent(samples: Sequence[Sample]) -> str:
    """The commonest gold, of equally common ones the first in the alphabet."""
    counts = Counter(sample.answer or "" for sample in samples)
    return min(counts, key=lambda answer: (-counts[answer], answer), default="")


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
