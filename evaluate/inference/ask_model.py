"""Ask a model every sample of a split, in a benchmark's own words; and two baselines."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ...errors import UserError
from ...files import read_lines, write_jsonl
from ...llm import Answer, Model, Request, ask, usage
from ...problem import Sample
from ...release import read_manifest, read_samples
from ...terminal import progress
from ..prompts import STYLES, ask_text, messages, with_captions

READERS = {name: name for name in STYLES}  # a source's reader names its prompt style
DEFAULT = "math-v"  # its wording fits any problem


class Asking(msgspec.Struct, kw_only=True):
    """How samples are asked: prompt style (default: by each sample's source), captions, cards."""

    style: str | None = None
    captions: dict[str, str] | None = None  # picture or sample -> words, for text-only models
    cards: dict[str, str] | None = None  # concept -> knowledge card, for we-math-kca
    max_tokens: int | None = None
    temperature: float = 0.0


def requests_for(release: Path, samples: list[Sample], how: Asking) -> Iterator[Request]:
    """One request a sample, for `ask`, `plan` (a dry run) or `write_batch`."""
    styles = styles_of(release)
    for sample in samples:
        style = how.style or styles.get(sample.source.name, DEFAULT)
        if how.captions is not None:
            asked = msgspec.structs.replace(sample, question=with_captions(sample, how.captions))
        else:
            asked = sample
        text = ask_text(asked, style, how.cards)
        yield Request(
            id=sample.id,
            messages=messages(text, sample, release, pictures=how.captions is None),
            temperature=how.temperature,
            max_tokens=how.max_tokens,
        )


def styles_of(release: Path) -> dict[str, str]:
    """Source name -> prompt style, from the readers in the release's manifest."""
    sources = read_manifest(release)["sources"]
    return {s["name"]: READERS.get(s["reader"], DEFAULT) for s in sources}


def predict(
    release: Path,
    split: str,
    model: Model,
    out: Path,
    *,
    cache: Path | None = None,
    how: Asking | None = None,
    limit: int | None = None,
) -> dict[str, Any]:
    """Ask and write `out`: one {"id", "response", "status"} a line, in the split's order.

    Replies are cached beside `out`, so a run that is stopped goes on where it was. Returns counts,
    tokens and cost. Failed requests are written with an empty response and asked again next time.

    Example: `predict(release, "testmini", Model(name="gpt-4o"), Path("gpt-4o.jsonl"))`
    """
    samples = read_samples(release, split)[:limit]
    requests = requests_for(release, samples, how or Asking())
    answers = ask(requests, model, cache or cache_beside(out))
    seen: list[Answer] = []

    def rows() -> Iterator[dict[str, Any]]:
        for answer in progress(answers, f"ask {model.name}", len(samples), "samples"):
            seen.append(answer)
            row = {"id": answer.id, "response": answer.text, "status": answer.status}
            yield row | {"model": model.name} | ({"error": answer.error} if answer.error else {})

    write_jsonl(out, rows())
    return usage(seen, model)


def cache_beside(out: Path) -> Path:
    return out.with_suffix(".cache.sqlite")


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
    """A JSON-lines file of {key, value} pairs as a dict (captions, knowledge cards)."""
    found: dict[str, str] = {}
    for number, line in read_lines(path):
        try:
            row = msgspec.json.decode(line)
            found[str(row[key])] = str(row[value])
        except (msgspec.DecodeError, LookupError, TypeError) as error:
            raise UserError(
                f"{path}:{number}: {error}", f'each line is {{"{key}", "{value}"}}'
            ) from error
    return found
