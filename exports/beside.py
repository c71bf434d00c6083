"""Prove what lies beside a release: its private folder, and its exports."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import BAD_JSON, read_lines, sha256_file
from ..errors import UserError
from ..pipeline import code_hash
from ..problem import samples_of
from ..release import MOST, fingerprint, plain_file, read_problems
from .announced import announced, answers_of, telling_labels, texts_of
from .compare import Damage, judged
from .formats import export, writer
from .leaks import Withheld, answered, picture_texts, strings, texts_of_file
from .package import Contents, all_files, picture_paths
from .publication import EXPORTED, Exported, as_neighbours, exports_folder
from .withhold import KEY, commitment, kept_key, private_rows, problem_without_answers

Rows = Mapping[str, dict[str, Any]]


def private_beside(release: Path, answers: Path, contents: Contents) -> Iterator[Damage]:
    """The private answers are those that the manifest pins, and stand nowhere else."""
    rows: dict[str, dict[str, Any]] = {}
    for number, line in read_lines(plain_file(answers)):
        try:
            row = msgspec.json.decode(line, type=dict[str, Any])
            rows[msgspec.convert(row["id"], str)] = row
            commitment(row)
        except (*BAD_JSON, LookupError, TypeError) as error:
            what = f"not a private answer ({error})"
            yield Damage("answers-invalid", f"{answers.name}:{number}", what)
            return
    pins = contents.facts.answers
    for name in sorted(set(rows) | set(pins)):
        if name not in rows or commitment(rows[name]) != pins.get(name):
            yield Damage("answer-changed", name, "does not match the manifest's commitment")
    yield from _whole(release, answers.parent, contents, rows)
    yield from _leaks(release, contents, rows)
    yield from _told(contents, rows)


def _whole(release: Path, folder: Path, contents: Contents, rows: Rows) -> Iterator[Damage]:
    """The private problems are the release's, with answers, and give these rows."""

    def differs(where: str, what: str = "not there") -> Damage:
        return Damage("private-differs", f"{folder.name}/{where}", what)

    try:
        key = kept_key(plain_file(folder / KEY))
    except UserError as error:
        yield differs(KEY, error.message)
        return
    if key is None:
        if (folder / "problems").exists():  # else answers.jsonl alone was given
            yield differs(KEY)
        return
    for name in contents.facts.withhold_answers:
        where = f"problems/{name}.jsonl"
        if not (folder / where).is_file():
            yield differs(where)
            continue
        try:
            problems = read_problems(release, name, folder)
        except UserError as error:
            yield differs(where, error.message)
            continue
        if [problem_without_answers(problem) for problem in problems] != contents.problems[name]:
            yield differs(where, "its problems are not those of the release")
        for row in private_rows([s for p in problems for s in samples_of(p)], key):
            if rows.get(row["id"]) != row:
                what = f"the row of {row['id']} does not follow from its problem and the key"
                yield differs("answers.jsonl", what)


def _leaks(release: Path, contents: Contents, rows: Rows) -> Iterator[Damage]:
    """No withheld text in problems, facts, pictures and exports."""
    problems = [problem for part in contents.problems.values() for problem in part]
    asked = (sample.question for problem in problems for sample in samples_of(problem))
    solved = (problem.solution or "" for problem in problems)  # of public splits
    secret = Withheld(rows.values()).without(asked).without(solved)
    if not secret.runs:
        return
    for where, text in _texts(release, contents):
        if name := secret.found_in(text):
            yield Damage("answer-leaked", where, f"withheld text of {name}")


def _texts(release: Path, contents: Contents) -> Iterator[tuple[str, str]]:
    """Every text that is published and does not follow from others, and the file it stands in."""
    for path, lines in contents.ground():
        for line in lines:
            yield path, " | ".join(strings(msgspec.json.decode(line)))
    yield "manifest.json", " | ".join(strings(msgspec.to_builtins(contents.facts)))
    for path in picture_paths(contents.problems):
        yield path, " | ".join(picture_texts((release / path).read_bytes()))
    folder = exports_folder(release)
    for path in all_files(folder):
        yield from ((f"{folder.name}/{path}", text) for text in texts_of_file(folder / path))


def _told(contents: Contents, rows: Rows) -> Iterator[Damage]:
    """No problem says its own answer in so many words, and no label is the key."""
    for name in contents.facts.withhold_answers:
        where, problems = f"problems/{name}.jsonl", list(contents.problems[name])
        answers = {problem.id: answers_of(problem, rows) for problem in problems}
        for problem in problems:
            told = (announced(text, answers[problem.id]) for text in texts_of(problem))
            if words := next(filter(None, told), ""):
                yield Damage("answer-announced", f"{where}: {problem.id}", f"it says {words!r}")
        for label, (hits, having) in telling_labels(problems, answers).items():
            what = f"the label {label!r} is the answer of {hits} of {having} problems"
            yield Damage("answer-announced", where, what)


def exports_beside(release: Path, withheld: Container[str]) -> tuple[list[Damage], list[str]]:
    """Every export is what its exporter makes of the release; and what cannot be made again.

    Each stands under the name of its format, and the list of them says of which release they are.
    """
    folder = exports_folder(release)
    if not folder.exists():
        return [], []
    listed = f"{folder.name}/{EXPORTED}"
    damages, unproved = list(_odd(folder)), list[str]()
    if damages:
        return damages, []
    try:
        if (place := folder / EXPORTED).stat().st_size > MOST:
            raise ValueError(f"larger than {MOST:,} bytes")
        known = msgspec.json.decode(place.read_bytes(), type=Exported)
    except (OSError, ValueError, *BAD_JSON) as error:
        what = f"no list of what was exported: {getattr(error, 'strerror', None) or error}"
        return [Damage("export-differs", listed, what)], []
    if known.release != fingerprint(release):
        what = "exports of another build: build the recipe again"
        return [Damage("export-differs", listed, what)], []
    named = {f"{name}/{path}": sha for name, one in known.formats.items()
             for path, sha in one.files.items()}  # fmt: skip
    stands = [path for path in all_files(folder) if path != EXPORTED]
    for path in sorted({*stands, *named}):
        where = f"{folder.name}/{path}"
        if path not in named:
            damages.append(Damage("file-unknown", where, f"not listed in {EXPORTED}"))
        elif path not in stands or sha256_file(folder / path) != named[path]:
            damages.append(Damage("export-differs", where, f"not as {EXPORTED} lists it"))
    for path in stands:
        for leaked in answered(folder / path, withheld)[:1]:
            what = f"the answer of {leaked}, which is withheld"
            damages.append(Damage("answer-leaked", f"{folder.name}/{path}", what))
    with tempfile.TemporaryDirectory() as temporary:
        again = as_neighbours(release, Path(temporary))
        for name, said in known.formats.items():
            try:
                ours = code_hash(writer(name)) == said.code
                export(name, again.release, again.exports / name)
            except UserError:  # an exporter of somebody's own that is not loaded here
                unproved.append(f"{folder.name}/{name}")
                continue
            made = {f"{name}/{path}" for path in all_files(again.exports / name)}
            for path in sorted(made | {one for one in stands if one.startswith(f"{name}/")}):
                what, proved = "no file that the exporter writes", ours
                if path in made:
                    what, proved = judged(folder / path, again.exports / path, ours)
                if what and proved:
                    damages.append(Damage("export-differs", f"{folder.name}/{path}", what))
                elif what:
                    unproved.append(f"{folder.name}/{path}")
    return damages, unproved


def _odd(folder: Path) -> Iterator[Damage]:
    """Nothing but files and folders lies there."""
    for place, folders, names in os.walk(folder):
        for path in (Path(place, name) for name in sorted([*folders, *names])):
            if path.is_symlink() or not (path.is_file() or path.is_dir()):
                where = f"{folder.name}/{path.relative_to(folder).as_posix()}"
                yield Damage("not-a-file", where, "a link, a pipe or the like")
                return
