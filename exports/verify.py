"""Prove a release: every file, hash, record, picture and split is as the manifest says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ..display import Rows
from ..errors import UserError
from ..files import inside, read_lines, sha256_file
from ..pictures import open_picture
from ..problem import Image, Problem, Sample, all_images, samples_of
from ..release import decode, read_manifest
from .package import all_files
from .withhold import answer_hash, problem_without_answers, without_answers


class Damage(msgspec.Struct, kw_only=True):
    """One thing that is wrong: its code, the file or id, and what exactly."""

    code: str
    where: str
    what: str


class Damages(Rows[Damage]):
    """What `verify` found; empty for a good release."""

    __slots__ = ()

    def headline(self) -> str:
        return f"{len(self)} problems found" if self else "the release is good"


def verify(release: str | Path, answers: str | Path | None = None) -> Damages:
    """Everything that is wrong with a release; an empty list proves it.

    `answers` is the private answers.jsonl, checked against the manifest's salted hashes.
    Raises UserError only when there is no readable manifest.

    Example: `assert not verify("out/math-v-mini-1.0.0")`
    """
    release = Path(release)
    manifest = read_manifest(release)
    damages = list(_files(release, manifest))
    splits: dict[str, tuple[list[Problem], list[Sample]]] = {}
    for name, entry in manifest["splits"].items():
        problems, problem_damages = _records(
            release, f"problems/{name}.jsonl", Problem, manifest["canary"]
        )
        samples, sample_damages = _records(
            release, f"jsonl/{name}.jsonl", Sample, manifest["canary"]
        )
        damages += problem_damages + sample_damages
        damages += _split(name, entry, problems, samples)
        splits[name] = problems, samples
    damages += _across(splits)
    damages += _pictures(release, splits)
    damages += _parquet(release, splits)
    damages += _croissant(release, manifest)
    if answers is not None:
        damages += _answers(Path(answers), manifest["answers"])
    return Damages(sorted(damages, key=lambda d: (d.code, d.where, d.what)))


def _files(release: Path, manifest: dict[str, Any]) -> Iterator[Damage]:
    """Presence, hash and size of every file, by manifest.json and by SHA256SUMS."""
    present = set(all_files(release))
    listed = set(manifest["files"]) | {"manifest.json", "SHA256SUMS"}
    for path in sorted(listed - present):
        yield Damage(code="file-missing", where=path, what="listed in the manifest, not there")
    for path in sorted(present - listed):
        yield Damage(code="file-unknown", where=path, what="there, not listed in the manifest")
    actual = {path: sha256_file(release / path) for path in sorted(present)}
    for path, entry in sorted(manifest["files"].items()):
        if path in actual and actual[path] != entry["sha256"]:
            size = (release / path).stat().st_size
            what = (
                f"sha256 is {actual[path][:12]}…, not {entry['sha256'][:12]}… "
                f"({size} bytes, was {entry['bytes']})"
            )
            yield Damage(code="file-changed", where=path, what=what)
    if "SHA256SUMS" not in present:
        return
    sums = {}
    for number, line in read_lines(release / "SHA256SUMS"):
        digest, _, path = line.decode("utf-8", "replace").rstrip("\n").partition("  ")
        sums[path] = digest
        if actual.get(path) != digest and path not in manifest["files"]:
            yield Damage(
                code="sums-differ", where=f"SHA256SUMS:{number}", what=f"{path} has another hash"
            )
    for path in sorted(present - set(sums) - {"SHA256SUMS"}):
        yield Damage(code="sums-incomplete", where="SHA256SUMS", what=f"{path} is not listed")


def _records(release: Path, path: str, kind: Any, canary: str) -> tuple[list[Any], list[Damage]]:
    """Decoded lines; schema violations and lost canaries."""
    records, damages = [], []
    if not (release / path).exists():
        return [], [Damage(code="file-missing", where=path, what="a split without its records")]
    for number, line in read_lines(release / path):
        where = f"{path}:{number}"
        try:
            record, own = decode(line, kind)
        except ValueError as error:
            damages.append(Damage(code="record-invalid", where=where, what=str(error)))
            continue
        records.append(record)
        if own != canary:
            damages.append(Damage(code="canary-missing", where=where, what=f"canary is {own!r}"))
    return records, damages


def _split(
    name: str, entry: dict[str, Any], problems: list[Problem], samples: list[Sample]
) -> Iterator[Damage]:
    ids = [p.id for p in problems]
    if ids != entry["ids"]:
        odd = sorted(set(ids) ^ set(entry["ids"])) or ["another order"]
        yield Damage(
            code="split-ids", where=name, what=f"ids differ from the manifest: {', '.join(odd[:5])}"
        )
    if len(samples) != entry["samples"]:
        yield Damage(
            code="split-count", where=name, what=f"{len(samples)} samples, not {entry['samples']}"
        )
    expected = [s.id for p in problems for s in samples_of(p)]
    actual = [s.id for s in samples]
    if actual != expected and sorted(actual) != sorted(expected):
        odd = sorted(set(actual) ^ set(expected))
        yield Damage(
            code="sample-ids",
            where=name,
            what=f"samples and problems disagree: {', '.join(odd[:5])}",
        )
    for problem in problems if entry["withheld"] else []:
        if problem != problem_without_answers(problem):
            yield Damage(
                code="answer-leaked",
                where=f"problems/{name}.jsonl: {problem.id}",
                what="the split's answers are withheld",
            )
    for sample in samples:
        if entry["withheld"] and sample != without_answers(sample):
            yield Damage(
                code="answer-leaked", where=sample.id, what="the split's answers are withheld"
            )
        if not entry["withheld"] and sample.answer is None:
            yield Damage(
                code="answer-missing", where=sample.id, what="the split's answers are public"
            )


def _across(splits: dict[str, tuple[list[Problem], list[Sample]]]) -> Iterator[Damage]:
    """Ids are unique, and clusters and pictures stay in one split."""
    seen: dict[str, str] = {}
    homes: dict[str, str] = {}
    for name, (problems, samples) in splits.items():
        for sample in samples:
            if sample.id in seen:
                yield Damage(
                    code="id-twice", where=sample.id, what=f"in {seen[sample.id]} and {name}"
                )
            seen[sample.id] = name
        for problem in problems:
            for relative in (problem.origin, *(image.sha256 for image in all_images(problem))):
                if homes.setdefault(relative, name) != name:
                    what = f"{relative[:40]} is also in {homes[relative]}"
                    yield Damage(code="split-overlap", where=f"{name}: {problem.id}", what=what)


def _pictures(
    release: Path, splits: dict[str, tuple[list[Problem], list[Sample]]]
) -> Iterator[Damage]:
    """Every picture named is there, decodes, and has the stated hash and size."""
    images: dict[str, Image] = {}
    for problems, samples in splits.values():
        listed = [i for p in problems for i in all_images(p)]
        listed += [i for s in samples for i in all_images(s)]
        images |= {image.path: image for image in listed}
    for path, image in sorted(images.items()):
        try:
            data = inside(release, path).read_bytes()
            picture, _ = open_picture(data, path)
        except OSError:
            yield Damage(code="picture-missing", where=path, what="named by a record, not there")
            continue
        except UserError as error:
            yield Damage(code="picture-broken", where=path, what=error.message)
            continue
        if sha256_file(release / path) != image.sha256:
            yield Damage(
                code="picture-changed", where=path, what="not the picture that records name"
            )
        elif picture.size != (image.width, image.height):
            what = f"{picture.size[0]} x {picture.size[1]}, not {image.width} x {image.height}"
            yield Damage(code="picture-size", where=path, what=what)


def _parquet(
    release: Path, splits: dict[str, tuple[list[Problem], list[Sample]]]
) -> Iterator[Damage]:
    """The Parquet files hold the same ids and questions as the JSON lines."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    for name, (_, samples) in splits.items():
        stored: dict[str, tuple[Any, Any]] = {}
        for path in sorted(release.glob(f"data/*/{name}-*-of-*.parquet")):
            where = path.relative_to(release).as_posix()
            try:
                table = pq.read_table(path, columns=["id", "question", "answer"])
            except (pa.ArrowException, OSError) as error:
                yield Damage(code="parquet-broken", where=where, what=str(error).splitlines()[0])
                continue
            stored |= {r["id"]: (r["question"], r["answer"]) for r in table.to_pylist()}
        for sample in samples:
            if stored.get(sample.id) != (sample.question, sample.answer):
                what = "missing" if sample.id not in stored else "another question or answer"
                yield Damage(code="parquet-differs", where=f"{name}: {sample.id}", what=what)


def _croissant(release: Path, manifest: dict[str, Any]) -> Iterator[Damage]:
    """croissant.json names the Parquet files with their hashes."""
    try:
        described = msgspec.json.decode((release / "croissant.json").read_bytes())
        hashes = {entry["contentUrl"]: entry["sha256"] for entry in described["distribution"]}
    except (OSError, msgspec.DecodeError, LookupError, TypeError) as error:
        yield Damage(code="croissant-invalid", where="croissant.json", what=str(error))
        return
    for path, entry in manifest["files"].items():
        if path.endswith(".parquet") and hashes.get(path) != entry["sha256"]:
            yield Damage(
                code="croissant-differs", where=path, what="hash or file not in croissant.json"
            )


def _answers(path: Path, hashes: dict[str, str]) -> Iterator[Damage]:
    rows = {}
    for number, line in read_lines(path):
        try:
            row = msgspec.json.decode(line)
            rows[row["id"]] = answer_hash(row)
        except (msgspec.DecodeError, LookupError, TypeError) as error:
            yield Damage(code="answers-invalid", where=f"{path.name}:{number}", what=str(error))
    for name in sorted(set(rows) | set(hashes)):
        if rows.get(name) != hashes.get(name):
            yield Damage(
                code="answer-changed", where=name, what="does not match the manifest's hash"
            )
