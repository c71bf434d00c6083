"""A curator's first command: what files are, what they would give, a recipe that builds."""

from __future__ import annotations

import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec
import yaml

from ..base.display import Display, Table
from ..base.files import write_text
from ..check import findings_of
from ..convert.readers import Glance, Known, Unknown, glance, recognised
from ..errors import UserError
from ..pipeline import SourceSpec
from ..problem import Drop, Problem, all_images

MOST_FILES = 50_000  # of a folder
LOOKED_INTO = 400  # of its files, spread evenly, by which its kinds are known
MOST_ROWS = 2_000  # of a source that are read
SHOWN = 3  # problems
SEVERAL = 2  # problems a file: fewer, and each file may be one problem
CAUSES = 8  # of what is wrong, the most frequent
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".svg", ".tif", ".tiff")


class Unrecognised(msgspec.Struct, frozen=True):
    """A file that no reader reads: what was seen, and what to do."""

    file: str
    saw: str
    remedy: str


class Source(msgspec.Struct):
    """What some of the files are, and what a reader makes of them."""

    what: str
    files: int
    spec: SourceSpec
    rows: int
    read: int  # of the rows
    problems: list[Problem]
    # what is wrong or left out, the most frequent first: how often, and where first
    causes: dict[str, tuple[int, str]]
    unused: list[str]  # columns that no field uses

    def count(self) -> int:
        """How many problems all its rows would give, as those that were read do."""
        return round(len(self.problems) * self.rows / self.read) if self.read else 0


class Looked(Display, msgspec.Struct):
    """What files are, what they would give, and a recipe that builds it."""

    sources: list[Source]
    unrecognised: list[Unrecognised]
    recipe: str  # YAML; empty where nothing is read

    def headline(self) -> str:
        total = sum(source.count() for source in self.sources)
        unread = (
            f", {len(self.unrecognised)} files not read" if self.unrecognised else ""
        )
        count = len(self.sources)
        return f"{total} problems in {count} source{'s' * (count != 1)}{unread}"

    def table(self) -> Table:
        return ["what", "reader", "files", "problems"], [
            [one.what, one.spec.reader, one.files, one.count()] for one in self.sources
        ]


def look(files: Sequence[str | Path], out: str | Path | None = None) -> Looked:
    """Recognise files or folders by their content, read some of them, and write a recipe.

    Args:
        files: Files or folders.
        out: Recipe to write.

    Raises UserError for a file that is not there, and for a recipe that is there already.

    Example: `look(["exam.docx"], "recipe.yaml").sources[0].count()`
    """
    paths = [Path(file) for file in files]
    recipe = Path(out) if out is not None else None
    for path in paths:
        if not path.exists():
            raise UserError(f"{path} is not there", "correct the name")
    if recipe is not None and recipe.exists():
        raise UserError(f"{recipe} is there already", "name a new file")
    folder = recipe.parent if recipe is not None else Path()
    folder.mkdir(parents=True, exist_ok=True)  # paths lead from it to the files
    unrecognised: list[Unrecognised] = []
    groups: dict[tuple[str, ...], _Group] = {}
    for path in paths:
        for group in _groups(path, unrecognised):
            known = groups.setdefault(group.key(), group)
            if known is not group:
                known.patterns += group.patterns
                known.files += group.files
    sources: list[Source] = []
    with tempfile.TemporaryDirectory() as work:
        for group in groups.values():
            made = _best(group, folder, Path(work), {s.spec.name for s in sources})
            if isinstance(made, Source):
                sources.append(made)
            else:
                unrecognised += made
    unrecognised += _unshown(paths, sources)
    text = _recipe(sources, paths) if sources else ""
    if recipe is not None and text:
        write_text(recipe, text)
    return Looked(sources, unrecognised, text)


def _unshown(paths: list[Path], sources: list[Source]) -> Iterator[Unrecognised]:
    """Pictures in folders that were given, of which no problem shows any."""
    if not sources or any(map(all_images, chain(*(s.problems for s in sources)))):
        return
    for path in paths:
        files = islice(path.rglob("*"), MOST_FILES) if path.is_dir() else ()
        if pictures := sum(file.suffix.lower() in PICTURES for file in files):
            remedy = "name them in a column, or call them as ids and say images:"
            yield Unrecognised(
                str(path), f"{pictures} pictures, and no problem shows one", remedy
            )


# What files are -----------------------------------------------------------------------------------


class _Group(msgspec.Struct):
    """Files of one kind: their patterns, how many they are, an example, the folder of all."""

    known: Known
    patterns: list[Path]
    files: int
    example: Path
    root: Path | None = None

    def named_after(self) -> Path:
        """The file, or the folder whose files these are."""
        first = self.patterns[0]
        whole = first.parts[: first.parts.index("**")] if "**" in first.parts else ()
        return Path(*whole).resolve() if whole else self.example

    def key(self) -> tuple[str, ...]:
        return (*self.known.readers, *map(str, self.known.options.values()))


def _groups(path: Path, unrecognised: list[Unrecognised]) -> Iterator[_Group]:
    if not path.is_dir():
        known = recognised(path)
        if isinstance(known, Unknown):
            unrecognised.append(Unrecognised(str(path), known.saw, known.remedy))
        else:
            yield _Group(known, [path], 1, path)
        return
    files = sorted(
        file
        for file in islice(path.rglob("*"), MOST_FILES)
        if file.is_file()
        and not any(p.startswith(".") for p in file.relative_to(path).parts)
    )
    texts = [file for file in files if file.suffix.lower() not in PICTURES]
    own = [file for file in texts if not _PAPERS.fullmatch(file.stem)]
    texts = own or texts  # what a repository says of itself asks nothing
    if not texts:
        saw = f"a folder of {len(files)} pictures" if files else "an empty folder"
        remedy = "give the file that says what they ask, too"
        unrecognised.append(Unrecognised(str(path), saw, remedy))
        return
    yield from _kinds(path, files, texts, unrecognised)


def _kinds(
    folder: Path, files: list[Path], texts: list[Path], unrecognised: list[Unrecognised]
) -> Iterator[_Group]:
    """Files of a folder by their kind; those of one ending stand for all with it."""
    beside = Counter(file.parent for file in files if file.suffix.lower() in PICTURES)
    by_name: dict[str, list[Path]] = {}
    for file in texts:
        by_name.setdefault(file.suffix.lower() or file.name, []).append(file)
    for ending, named in sorted(by_name.items(), key=lambda one: -len(one[1])):
        records = _a_folder_each(named, beside)
        if records:
            pattern = folder / "**" / records[0].name
            known = Known("a folder a problem, its pictures beside it", ("folders",))
            yield _Group(known, [pattern], len(records), records[0], folder)
            continue
        step = max(1, len(named) // LOOKED_INTO)
        kinds = [(file, recognised(file)) for file in named[::step]]
        unknown = [(file, kind) for file, kind in kinds if isinstance(kind, Unknown)]
        for file, kind in unknown[:1]:
            saw = (
                f"{kind.saw}, as {len(unknown)} files here"
                if len(unknown) > 1
                else kind.saw
            )
            unrecognised.append(Unrecognised(str(file), saw, kind.remedy))
        sound = [(file, kind) for file, kind in kinds if isinstance(kind, Known)]
        for said in dict.fromkeys(_hashable(kind) for _, kind in sound):
            of_kind = [(file, kind) for file, kind in sound if _hashable(kind) == said]
            whole = len(of_kind) == len(kinds) and ending.startswith(".")
            spelt = sorted({file.suffix for file in named})
            patterns = (
                [folder / "**" / f"*{suffix}" for suffix in spelt]
                if whole
                else [file for file, _ in of_kind]
            )
            count = len(named) if whole else len(of_kind)
            yield _Group(of_kind[0][1], patterns, count, of_kind[0][0], folder)


# Closed: how repositories call what they say of themselves
_PAPERS = re.compile(
    r"(?i)read[-_ ]?me.*|licen[cs]e.*|change(?:s|log)|contributing|code_of_conduct|authors?|todo"
    r"|requirements|copying|citation|security|install"
)


def _hashable(known: Known) -> tuple[str, ...]:
    return (known.what, *known.readers, *map(str, known.options.values()))


def _a_folder_each(named: list[Path], beside: Counter[Path]) -> list[Path]:
    """Records of one name, each in a folder of its own with pictures: those with most files."""
    if not named or named[0].suffix.lower() != ".json":
        return []
    names = Counter(file.name for file in named)
    name, count = min(names.items(), key=lambda one: (-one[1], one[0]))
    records = [file for file in named if file.name == name and beside[file.parent]]
    folders = {file.parent for file in records}
    return records if count > 1 and len(folders) == count == len(records) else []


# What they give -----------------------------------------------------------------------------------


def _best(
    group: _Group, folder: Path, work: Path, taken: set[str]
) -> Source | list[Unrecognised]:
    """The reader that makes most problems of a group; what each said where none makes any."""
    made: list[Source] = []
    refusals: list[str] = []
    remedies: list[str] = []
    paths = [os.path.relpath(path, folder) for path in group.patterns]
    first = SourceSpec(
        name=_name(group.named_after(), taken),
        reader="",
        path=paths[0] if len(paths) == 1 else paths,
    )
    for spec in _candidates(group, first):
        try:
            source = _source(group, spec, folder, work)
        except UserError as error:
            refusals.append(f"{spec.reader}: {error.message}")
            remedies.append(error.remedy)
            continue
        if not source.problems:
            cause = next(iter(source.causes), "no problem")
            refusals.append(f"{spec.reader}: {cause}")
            continue
        if all(map(_is_doubtful, source.problems)):
            cause = "a lesson, as it seems: no heading says that problems follow"
            refusals.append(f"{spec.reader}: {cause}")
            remedies.append(f"say reader: {spec.reader} if they do")
            continue
        if group.known.what == "text" and not any(map(_is_asked, source.problems)):
            cause = "nothing in it asks: no answer, options, question mark or formula"
            refusals.append(f"{spec.reader}: {cause}")
            continue
        made.append(source)
        if len(source.problems) >= SEVERAL * group.files or group.files == 1:
            break
    if made:
        most = max(len(source.problems) for source in made)
        several = [one for one in made if len(one.problems) >= SEVERAL * group.files]
        return (several or [one for one in made if len(one.problems) == most])[-1]
    saw = f"{group.known.what}, of which no problem is read: {'; '.join(refusals)}"[
        :600
    ]
    said = "say by fields:, roles: or options: what stands where, or look at build.md"
    remedy = next(filter(None, remedies), said)
    return [Unrecognised(str(group.example), saw, remedy)]


def _is_asked(problem: Problem) -> bool:
    """Whether anything in a text that may be prose says that it asks."""
    answered = problem.answer or problem.options or problem.parts or problem.solution
    return bool(answered) or re.search(r"[?？$]", problem.question) is not None


def _is_doubtful(problem: Problem) -> bool:
    """Whether its document may hold no problem at all."""
    return any("exercise-doubtful" in note for note in problem.notes)


def _candidates(group: _Group, first: SourceSpec) -> Iterator[SourceSpec]:
    """What may read a group; of several documents each may be one problem."""
    for reader in group.known.readers:
        options = dict(group.known.options) if reader == "document" else {}
        spec = msgspec.structs.replace(first, reader=reader, options=options)
        yield spec
        if reader == "tex" and group.files > 1:
            yield msgspec.structs.replace(spec, rows="@")


def _source(group: _Group, spec: SourceSpec, folder: Path, work: Path) -> Source:
    """What a reader makes of a group, its columns mapped as they are suggested."""
    replace = msgspec.structs.replace
    spec = replace(spec, images=_images(group, folder))
    seen = glance(spec, folder, work, MOST_ROWS)
    if seen.suggested or seen.way:
        mapped = replace(spec, fields=seen.suggested, rows=seen.way or spec.rows)
        again = glance(mapped, folder, work, MOST_ROWS)
        if len(again.problems) >= len(seen.problems):
            spec, seen = mapped, again
    missing = _missing(seen)
    if missing and (place := _folder_of(missing, group)) is not None:
        placed = replace(spec, images=os.path.relpath(place, folder))
        again = glance(placed, folder, work, MOST_ROWS)
        if len(_missing(again)) < len(missing):
            spec, seen = placed, again
    if spec.images is None and not any(map(all_images, seen.problems)):
        called = _called_as(seen.problems, group.example.parent)
        if called is not None:
            spec = replace(spec, images=os.path.relpath(called, folder))
            seen = glance(spec, folder, work, MOST_ROWS)
    found = [*_causes(seen)]
    causes = Counter(cause for cause, _ in found)
    first = dict(reversed(found))
    return Source(
        group.known.what,
        group.files,
        spec,
        seen.total,
        seen.rows,
        seen.problems,
        {cause: (count, first[cause]) for cause, count in causes.most_common(CAUSES)},
        list(seen.unused),
    )


def _images(group: _Group, folder: Path) -> str | None:
    """Where a book of OpenStax keeps its pictures, seen from one of its modules."""
    media = group.example.parent.parent.parent / "media"
    if "cnxml" in group.known.readers and media.is_dir():
        return os.path.relpath(media, folder)
    return None


def _missing(seen: Glance) -> list[str]:
    """The names of pictures that problems have and that are not where they say."""
    notes = (note for problem in seen.problems for note in problem.notes)
    marked = [note for note in notes if note.startswith("missing-picture: ")]
    return [Path(note.partition(": ")[2]).name.casefold() for note in marked]


def _folder_of(names: list[str], group: _Group) -> Path | None:
    """The folder, beside the files, in which most of the missing pictures lie."""
    wanted = Counter(names)
    found: Counter[Path] = Counter()
    for file in islice(group.root.rglob("*"), MOST_FILES) if group.root else ():
        if file.suffix.lower() in PICTURES:
            found[file.parent] += wanted[file.name.casefold()]
    best = max(found, key=lambda place: (found[place], str(place)), default=None)
    return best if best is not None and 2 * found[best] >= len(names) else None


def _called_as(problems: list[Problem], beside: Path) -> Path | None:
    """The folder at a file, or below its own, whose pictures are called as most problems' ids."""
    names = {problem.source.raw_id for problem in problems}
    folders: dict[Path, set[str]] = {}
    near = (p for one in sorted(beside.iterdir()) for p in _near(one))
    for picture in islice(near, MOST_FILES) if names else ():
        if picture.suffix.lower() in PICTURES:
            folders.setdefault(picture.parent, set()).add(picture.stem)
    fitting = {at: len(stems & names) for at, stems in folders.items()}
    best = max(fitting, key=lambda at: fitting[at], default=None)
    return best if best and 2 * fitting[best] > len(names) else None


def _near(path: Path) -> list[Path]:
    """A file, or the files of a folder."""
    return sorted(path.iterdir()) if path.is_dir() else [path]


_CODE = re.compile(r"([a-z]+(?:-[a-z]+)+): ")


def _causes(seen: Glance) -> Iterator[tuple[str, str]]:
    """What is wrong, or left out, in words that are the same for the same cause; and where."""
    for row in seen.unreadable:
        at = f"{row.file}:{row.line}" if row.line else row.file
        code = _CODE.match(row.cause)
        cause = code[1] if code else f"cannot be read: {row.cause[:100]}"
        yield cause, f"{at}: {row.cause[code.end() :][:80]}" if code else at
    for one in seen.seen:
        if isinstance(one.result, Drop):
            yield f"left out: {one.result.reason[:100]}", one.result.id
    for problem in seen.problems:
        kinds = {finding.code for finding in findings_of(problem)}
        notes = (note.removeprefix("exam: ") for note in problem.notes)
        kinds |= {note.partition(": ")[0] for note in notes}
        yield from ((kind, problem.id) for kind in sorted(kinds))


_OTHER = re.compile(r"[^A-Za-z0-9._-]+")


def _name(example: Path, taken: set[str]) -> str:
    """A name for a source, after a file or the folder that holds it."""
    stem = (
        example.parent.name
        if example.stem in ("index", "data", "item")
        else example.stem
    )
    plain = _OTHER.sub("-", stem).strip("-._") or "source"
    name = plain
    number = 2
    while name in taken:
        name, number = f"{plain}-{number}", number + 1
    return name


# The recipe ---------------------------------------------------------------------------------------


def _recipe(sources: list[Source], paths: list[Path]) -> str:
    """A recipe that builds what was looked at, to be read and completed by a person."""
    first = paths[0].resolve()
    name = _name(first if first.is_file() else first / first.name, set())
    entries = [_entry(source) for source in sources]
    pages = any("text-html" in source.causes for source in sources)
    data: dict[str, Any] = {
        "name": name,
        "version": "0.1.0",
        "allow_unlicensed": True,
        "sources": entries,
        "stages": [*(["html"] if pages else []), "check"],
        "splits": {"test": "rest"},
    }
    text = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=100)
    licence = "allow_unlicensed: true  # name each source's license:, and take this out"
    return text.replace("allow_unlicensed: true", licence)


def _entry(source: Source) -> dict[str, Any]:
    spec = source.spec
    entry: dict[str, Any] = {
        "name": spec.name,
        "reader": spec.reader,
        "path": spec.path,
    }
    more: dict[str, Any] = {
        "rows": spec.rows,
        "images": spec.images,
        "fields": spec.fields,
        "options": spec.options,
    }
    return entry | {key: value for key, value in more.items() if value}


# A problem as a person reads it -------------------------------------------------------------------

WIDTH = 600  # characters of a text


def drawn(problem: Problem) -> str:
    """A problem as lines: question, pictures, options, answer, parts, solution."""
    lines = [f"{problem.source.raw_id}. {_cut(problem.question)}"]
    images = all_images(problem)
    if images:
        sizes = ", ".join(f"{image.width} x {image.height}" for image in images)
        lines.append(f"  pictures: {sizes}")
    lines += [f"  {o.label}. {_cut(o.text) or '[picture]'}" for o in problem.options]
    lines += [f"  {p.label}) {p.answer}" for p in problem.parts]
    lines.append(
        f"  answer: {_cut(problem.answer) or ('its parts' if problem.parts else 'none')}"
    )
    if problem.solution:
        lines.append(f"  solution: {_cut(problem.solution)[:200]}")
    return "\n".join(lines)


def _cut(text: str) -> str:
    lines = [line.rstrip() for line in text.strip().splitlines() if line.strip()]
    joined = "\n    ".join(lines)
    return joined if len(joined) <= WIDTH else f"{joined[:WIDTH]} ..."


def shown_problems(source: Source) -> list[Problem]:
    """A few problems, spread over the source."""
    step = max(1, len(source.problems) // SHOWN)
    return source.problems[::step][:SHOWN]
