"""The one reader of releases: manifest, samples, problems, each checked before anybody uses it.

A release may come from anywhere: its names never become other files than its own.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os.path import isfile
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from .base.files import BAD_JSON, Streamed, inside, read_jsonl, read_lines, sha256_file
from .base.pictures import picture_root
from .errors import UserError, nearest
from .pipeline import NAME
from .problem import Part, Problem, Sample, all_images

T = TypeVar("T", Problem, Sample)
R = TypeVar("R")


class _SourceShape(msgspec.Struct):
    name: str


class _Shape(msgspec.Struct):
    """What everybody takes for granted of a manifest; `verify` looks at all of it."""

    name: str
    version: str
    splits: dict[str, dict[str, Any]]
    canary: str
    sources: list[_SourceShape]
    changelog: list[dict[str, Any]] = []
    answers: dict[str, str] = {}


# of a release; those of withheld splits lie in the private folder
CORRECTIONS = "corrections.jsonl"
MOST, VALUES = (
    1 << 28,
    10_000_000,
)  # bytes of a manifest, and values; a million problems have fewer
GRADED = ("answer", "answer_kind", "options", "unit", "tolerance", "ordered", "parts")


class Correction(msgspec.Struct, kw_only=True, omit_defaults=True):
    """How a version differs from the one before in what a sample is graded by.

    `was` holds the fields of GRADED as they were before; `reasons` are the errata's.
    """

    version: str
    id: str
    split: str
    kind: Literal["changed", "added", "removed"] = "changed"
    was: dict[str, Any] = {}
    reasons: list[str] = []


class AsOf(NamedTuple):
    """The samples of a split as an earlier version had them."""

    samples: list[Sample]
    corrections: list[Correction]  # undone, the newest first
    added: list[str]  # ids that the version did not have: left out
    removed: list[str]  # ids that it had, and the release has no more


def read_manifest(release: str | Path) -> dict[str, Any]:
    """manifest.json as a dict. Raises UserError when `release` is not a release folder.

    Keys: name, version, canary, splits (name -> {problems, samples, withheld, ids}), sources
    ([{name, reader, license, ...}]), stages, files, tool.
    """
    release = Path(release)
    path = release / "manifest.json"
    try:
        manifest = msgspec.json.decode(bounded(path))
    except OSError as error:
        why = f"cannot read {path.name} ({error.strerror})"
        raise UserError(
            f"{release} is not a release: {why if release.exists() else 'it is not there'}",
            "give the folder that build-release wrote",
        ) from error
    except BAD_JSON as error:
        raise UserError(
            f"{path}: {error}", "run `benchwright verify` on the release"
        ) from error
    try:
        shape = msgspec.convert(manifest, _Shape)
    except msgspec.ValidationError as error:
        what = str(error).replace("`", "")
        raise UserError(
            f"{path}: not a release's manifest ({what})",
            "give a folder that build-release wrote",
        ) from error
    for name in [shape.name, *shape.splits]:
        if not NAME.fullmatch(name):  # names become file names
            raise UserError(
                f"{path}: name {name!r}", "use letters, digits, '.', '_', '-'"
            )
    found: dict[str, Any] = manifest
    return found


def bounded(path: Path) -> bytes:
    """The bytes of a JSON file whose values memory can hold. Raises OSError for another one."""
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise OSError(errno.EINVAL, "no file")
    if path.exists() and path.stat().st_size > MOST:
        raise OSError(errno.EFBIG, f"it is larger than {MOST:,} bytes")
    data = path.read_bytes()
    if data.count(b",") + data.count(b"[") + data.count(b"{") > VALUES:
        raise OSError(errno.EFBIG, f"it holds more than {VALUES:,} values")
    return data


def fingerprint(release: Path) -> str:
    """The hash of the manifest, which holds the hash of every file: it pins the whole release."""
    return sha256_file(release / "manifest.json")


def split_names(release: str | Path) -> list[str]:
    """The splits of a release, in its order. Raises UserError when it is not a release folder.

    Example: `for split in split_names("out/mine-1.0.0"): ...`
    """
    return list(read_manifest(release)["splits"])


def read_samples(
    release: str | Path, split: str, answers: str | Path | None = None
) -> list[Sample]:
    """The samples of one split, in file order; of `testmini+test` those of both.

    `answers` is the private folder of a release that withholds them, or its answers.jsonl.
    Example: `read_samples(Path("out/math-v-mini-1.0.0"), "testmini")[0].id`
    Raises UserError for an unknown split and for damaged lines.
    """
    return list(stream_samples(release, split, answers))


def stream_samples(
    release: str | Path, split: str, answers: str | Path | None = None
) -> Sequence[Sample]:
    """As `read_samples`, read again whenever they are gone through: none is held.

    Example: `for sample in stream_samples("out/math-v-mini-1.0.0", "testmini"): ...`
    """
    splits = [
        _known_split(Path(release), name) for name in split.split("+")
    ]  # no name has a +
    private = {} if answers is None else _answers(answers_file(answers))
    files = [streamed(release, name, Sample) for name in splits]
    return Streamed(lambda: (_answered(s, private) for file in files for s in file))


def answered_by(samples: Iterable[Sample], answers: str | Path) -> Iterator[Sample]:
    """The samples, each with what the private folder (or its answers.jsonl) says of it."""
    private = _answers(answers_file(answers))
    return (_answered(sample, private) for sample in samples)


def _answered(sample: Sample, private: Mapping[str, dict[str, Any]]) -> Sample:
    """The sample with what the release withholds of it, where that is known."""
    if (row := private.get(sample.id)) is not None:
        sample.answer = row.get("answer", sample.answer)
        sample.solution = row.get("solution", sample.solution)
        if "parts" in row:
            sample.parts = msgspec.convert(row["parts"], list[Part])
    return sample


def read_problems(
    release: str | Path, split: str, answers: str | Path | None = None
) -> list[Problem]:
    """The whole problem records behind a split's samples (spans, steps, notes).

    `answers` is the private folder, which holds the problems of withheld splits whole.
    """
    if answers is not None:
        whole = answers_file(answers).parent / "problems" / f"{split}.jsonl"
        if whole.is_file() and split in split_names(release):
            return list(_read(whole, Problem, Path(release)))
    return list(streamed(release, _known_split(Path(release), split), Problem))


def read_problem_file(path: str | Path | Iterable[Problem]) -> list[Problem]:
    """The problems of a stage's problems.jsonl, of a release's problems/<split>.jsonl, or of all
    splits of a release's folder; problems that are given themselves are taken as they are.

    Raises UserError naming file and line of what is no problem.
    """
    if not isinstance(path, str | Path):
        return list(path)
    path = Path(path)
    if path.is_dir():
        return [
            problem
            for split in split_names(path)
            for problem in read_problems(path, split)
        ]
    problems = []
    for number, line in read_lines(path):
        try:
            problems.append(decode(line, Problem)[0])
        except ValueError as error:
            remedy = "give a problems.jsonl of a build, or problems/<split>.jsonl of a release"
            raise UserError(
                f"{path}:{number}: not a problem: {error}", remedy
            ) from error
    return problems


def root_of_problems(
    problems: str | Path | Iterable[Problem], loaded: Iterable[Problem]
) -> Path:
    """The folder that the picture paths of a file of problems, or of a release, are relative to.

    It is the nearest one upwards that holds the first picture that lies anywhere.
    """
    if not isinstance(problems, str | Path):
        return Path()
    path = Path(problems)
    pictures = (image for problem in loaded for image in all_images(problem))
    return picture_root(path, pictures) or (path if path.is_dir() else path.parent)


def private_folder(release: str | Path) -> Path:
    """Where a build puts the withheld answers of a release: beside it."""
    return beside(Path(release), "private")


def beside(release: Path, what: str) -> Path:
    """The folder `<name>-<version>-<what>` beside a release."""
    place = release if release.name else release.absolute()
    return place.with_name(f"{place.name}-{what}")


def answers_file(answers: str | Path) -> Path:
    """The private answers.jsonl, given itself or by its folder."""
    path = Path(answers)
    return path / "answers.jsonl" if path.is_dir() else path


def versions_of(manifest: Mapping[str, Any]) -> list[str]:
    """The versions that a release knows the history of, the newest first."""
    entries = manifest.get("changelog") or []
    return [str(entry["version"]) for entry in entries] or [
        str(manifest.get("version", ""))
    ]


def as_of(
    release: str | Path, split: str, version: str, answers: str | Path | None = None
) -> AsOf:
    """The samples of a split as `version` graded them: later corrections are undone.

    Raises UserError for a version that the release does not know.
    """
    release = Path(release)
    known = versions_of(read_manifest(release))
    if version not in known:
        raise UserError(
            f"{release} knows no version {version!r}", nearest(version, known)
        )
    newer = known[: known.index(version)]
    later = [c for c in read_corrections(release, answers) if c.version in newer]
    later.sort(key=lambda correction: newer.index(correction.version))
    samples = {sample.id: sample for sample in read_samples(release, split, answers)}
    undone = [c for c in later if c.id in samples and c.kind == "changed"]
    for correction in undone:
        old = samples[correction.id]
        fields = msgspec.to_builtins(old) | correction.was
        samples[correction.id] = msgspec.convert(fields, Sample)
    added = {c.id for c in later if c.kind == "added"} & set(samples)
    return AsOf(
        [sample for name, sample in samples.items() if name not in added],
        [correction for correction in undone if correction.id not in added],
        sorted(added),
        sorted({c.id for c in later if c.kind == "removed" and c.split == split}),
    )


def read_corrections(
    release: str | Path, answers: str | Path | None = None
) -> list[Correction]:
    """What each version corrected; of withheld splits only with their private folder."""
    folders = [Path(release)] + (
        [answers_file(answers).parent] if answers is not None else []
    )
    paths = [folder / CORRECTIONS for folder in folders]
    return [c for path in paths if path.is_file() for c in read_jsonl(path, Correction)]


def all_samples(folder: Path) -> Iterator[Sample]:
    """Every sample of a release, split by split, or of what `render versions` wrote."""
    if (folder / "manifest.json").exists():
        for split in sorted(split_names(folder)):
            yield from read_samples(folder, split)
    else:
        for problem in all_problems(folder):
            yield from problem.samples


def all_problems(folder: Path) -> Iterator[Problem]:
    """Every problem of a release, split by split, or of what `render versions` wrote."""
    made = folder / "versions" / "problems.jsonl"
    if made.is_file() and not (folder / "manifest.json").exists():
        yield from _read(made, Problem, folder)
        return
    for split in sorted(split_names(folder)):
        yield from read_problems(folder, split)


def decode(line: bytes, kind: type[R]) -> tuple[R, str | None]:
    """One line of a release: the record, and the canary that stands in it.

    Raises ValueError saying what is wrong with the line.
    """
    try:
        row = msgspec.json.decode(line)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(row, dict):
        raise ValueError("not a JSON object")
    canary = row.pop("canary", None)
    return msgspec.convert(row, kind), canary


def streamed(
    release: str | Path, split: str, kind: type[T], known: set[str] | None = None
) -> Sequence[T]:
    """The problems or samples of a split, read again whenever they are gone through.

    The pictures that they name are looked at once, `known` ones not at all.
    Example: `for sample in streamed("out/math-v-mini-1.0.0", "test", Sample): ...`
    """
    folder, root = "problems" if kind is Problem else "jsonl", Path(release)
    known = set() if known is None else known
    return Streamed(lambda: _read(root / folder / f"{split}.jsonl", kind, root, known))


def plain_file(path: Path) -> Path:
    """The path; a pipe or a link to a device in its place would be waited for, or never end.

    Raises UserError for such.
    """
    if not isfile(path) and path.exists():
        raise UserError(f"{path} is no file", "run `benchwright verify` on the release")
    return path


def _known_split(release: Path, split: str) -> str:
    """The split, which the release has. Raises UserError where it has none of that name."""
    splits = split_names(release)
    if split not in splits:
        raise UserError(f"{release} has no split {split!r}", nearest(split, splits))
    return split


def _read(
    path: Path, kind: type[T], root: Path, known: set[str] | None = None
) -> Iterator[T]:
    """The records of a file, whose pictures lie below `root`; `known` are those looked at."""
    known = set() if known is None else known
    for number, line in read_lines(plain_file(path)):
        try:
            record, _ = decode(line, kind)
        except ValueError as error:
            raise UserError(
                f"{path}:{number}: {error}", "run `benchwright verify`"
            ) from error
        for image in all_images(record):
            if image.path not in known:
                plain_file(
                    inside(root, image.path)
                )  # a release from elsewhere names no other files
                known.add(image.path)
        yield record


def _answers(path: Path) -> dict[str, dict[str, Any]]:
    by_id: dict[str, dict[str, Any]] = {}
    for number, line in read_lines(plain_file(path)):
        try:
            row = msgspec.json.decode(line)
            by_id[row["id"]] = row
        except (*BAD_JSON, LookupError, TypeError) as error:
            raise UserError(
                f"{path}:{number}: not an answer ({error})",
                'each line is {"id", "answer"}',
            ) from error
    return by_id
