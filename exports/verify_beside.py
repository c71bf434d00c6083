"""Prove what lies beside a release: its private folder, and its exports."""

from __future__ import annotations

import tempfile
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import BAD_JSON, read_lines, sha256_file
from ..errors import UserError
from ..pipeline import code_hash
from ..problem import samples_of
from ..release import fingerprint, read_problems
from .announced import announced, answers_of, telling_labels, texts_of
from .compare_files import difference
from .damage import Damage
from .formats import export, writer
from .leaks import Withheld, answered, picture_texts, strings, texts_of_file
from .package import Contents, all_files, picture_paths
from .publication import EXPORTED, Exported, Format, as_neighbours, exports_folder
from .withhold import KEY, commitment, kept_key, private_rows, problem_without_answers


def private_beside(release: Path, answers: Path, contents: Contents) -> Iterator[Damage]:
    """The private answers are those that the manifest pins, and stand nowhere else."""
    rows: dict[str, dict[str, Any]] = {}
    for number, line in read_lines(answers):
        try:
            row = msgspec.json.decode(line, type=dict[str, Any])
            rows[msgspec.convert(row["id"], str)] = row
            commitment(row)
        except (*BAD_JSON, LookupError, TypeError) as error:
            what = f"not a private answer ({error})"
            yield Damage(code="answers-invalid", where=f"{answers.name}:{number}", what=what)
            return
    pins = contents.facts.answers
    for name in sorted(set(rows) | set(pins)):
        if name not in rows or commitment(rows[name]) != pins.get(name):
            what = "does not match the manifest's commitment"
            yield Damage(code="answer-changed", where=name, what=what)
    yield from _whole(release, answers.parent, contents, rows)
    yield from _leaks(release, contents, rows)
    yield from _told(contents, rows)


def _whole(
    release: Path, folder: Path, contents: Contents, rows: dict[str, dict[str, Any]]
) -> Iterator[Damage]:
    """The private problems are the release's, with answers, and give these rows."""
    key = kept_key(folder / KEY)
    if key is None:
        if (folder / "problems").exists():  # else answers.jsonl alone was given
            yield Damage(code="private-differs", where=f"{folder.name}/{KEY}", what="not there")
        return
    for name in contents.facts.withhold_answers:
        where = f"{folder.name}/problems/{name}.jsonl"
        if not (folder / "problems" / f"{name}.jsonl").is_file():
            yield Damage(code="private-differs", where=where, what="not there")
            continue
        try:
            problems = read_problems(release, name, folder)
        except UserError as error:
            yield Damage(code="private-differs", where=where, what=error.message)
            continue
        if [problem_without_answers(problem) for problem in problems] != contents.problems[name]:
            what = "its problems are not those of the release"
            yield Damage(code="private-differs", where=where, what=what)
        for row in private_rows([s for p in problems for s in samples_of(p)], key):
            if rows.get(row["id"]) != row:
                what = f"the row of {row['id']} does not follow from its problem and the key"
                yield Damage(
                    code="private-differs", where=f"{folder.name}/answers.jsonl", what=what
                )


def _leaks(release: Path, contents: Contents, rows: dict[str, dict[str, Any]]) -> Iterator[Damage]:
    """No withheld text in problems, facts, pictures and exports."""
    problems = [problem for part in contents.problems.values() for problem in part]
    asked = (sample.question for problem in problems for sample in samples_of(problem))
    solved = (problem.solution or "" for problem in problems)  # of public splits
    secret = Withheld(rows.values()).without(asked).without(solved)
    if not secret.runs:
        return
    for path, lines in contents.ground():
        for line in lines:
            if name := secret.found_in(" | ".join(strings(msgspec.json.decode(line)))):
                yield Damage(code="answer-leaked", where=path, what=f"withheld text of {name}")
    facts = msgspec.to_builtins(contents.facts)
    if name := secret.found_in(" | ".join(strings(facts))):
        yield Damage(code="answer-leaked", where="manifest.json", what=f"withheld text of {name}")
    for path in picture_paths(contents.problems):
        if name := secret.found_in(" | ".join(picture_texts((release / path).read_bytes()))):
            yield Damage(code="answer-leaked", where=path, what=f"withheld text of {name}")
    folder = exports_folder(release)
    for path in all_files(folder):
        for text in texts_of_file(folder / path):
            if name := secret.found_in(text):
                where, what = f"{folder.name}/{path}", f"withheld text of {name}"
                yield Damage(code="answer-leaked", where=where, what=what)
                break


def _told(contents: Contents, rows: dict[str, dict[str, Any]]) -> Iterator[Damage]:
    """No problem says its own answer in so many words, and no label is the key."""
    for name in contents.facts.withhold_answers:
        problems = list(contents.problems[name])
        answers = {problem.id: answers_of(problem, rows) for problem in problems}
        for problem in problems:
            for text in texts_of(problem):
                if words := announced(text, answers[problem.id]):
                    where, what = f"problems/{name}.jsonl: {problem.id}", f"it says {words!r}"
                    yield Damage(code="answer-announced", where=where, what=what)
                    break
        for label, (hits, having) in telling_labels(problems, answers).items():
            what = f"the label {label!r} is the answer of {hits} of {having} problems"
            yield Damage(code="answer-announced", where=f"problems/{name}.jsonl", what=what)


def exports_beside(release: Path, withheld: Container[str]) -> tuple[list[Damage], list[str]]:
    """Every export is what its exporter makes of the release; and what cannot be made again."""
    folder = exports_folder(release)
    if not folder.exists():
        return [], []
    try:
        known = msgspec.json.decode((folder / EXPORTED).read_bytes(), type=Exported)
    except (OSError, *BAD_JSON) as error:
        what = f"no list of what was exported: {getattr(error, 'strerror', None) or error}"
        return [Damage(code="export-differs", where=f"{folder.name}/{EXPORTED}", what=what)], []
    if known.release != fingerprint(release):
        what = "exports of another build: build the recipe again"
        return [Damage(code="export-differs", where=f"{folder.name}/{EXPORTED}", what=what)], []
    damages = list(_odd(folder))
    unproved: list[str] = []
    with tempfile.TemporaryDirectory() as temporary:
        again = as_neighbours(release, Path(temporary))
        for name, made in known.formats.items():
            damages += _standing(folder, name, made)
            try:
                ours = code_hash(writer(name)) == made.code
                export(name, again.release, again.exports / name)
            except UserError:  # an exporter of somebody's own that is not loaded here
                unproved += [f"{folder.name}/{name}"]
                continue
            stands, anew = (set(all_files(place / name)) for place in (folder, again.exports))
            for path in sorted(stands | anew):
                where, what = f"{folder.name}/{name}/{path}", "no file that the exporter writes"
                if path in anew:
                    what = _differs(folder / name / path, again.exports / name / path)
                if what and not ours:  # another exporter wrote it, or so it says
                    unproved.append(where)
                elif what:
                    code = "export-differs" if path in anew else "file-unknown"
                    damages.append(Damage(code=code, where=where, what=what))
    for path in all_files(folder):
        for leaked in answered(folder / path, withheld)[:1]:
            where, what = f"{folder.name}/{path}", f"the answer of {leaked}, which is withheld"
            damages.append(Damage(code="answer-leaked", where=where, what=what))
    strange = {path.partition("/")[0] for path in all_files(folder)} - {*known.formats, EXPORTED}
    for path in sorted(strange):
        what = "not listed in exports.json"
        damages.append(Damage(code="file-unknown", where=f"{folder.name}/{path}", what=what))
    return damages, unproved


def _odd(folder: Path) -> Iterator[Damage]:
    """Nothing but files and folders lies there."""
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            where = f"{folder.name}/{path.relative_to(folder).as_posix()}"
            yield Damage(code="not-a-file", where=where, what="a link, a pipe or the like")


def _standing(folder: Path, name: str, made: Format) -> Iterator[Damage]:
    """Is every file of an export there with its hash, and no other?"""
    stands = {path: sha256_file(folder / name / path) for path in all_files(folder / name)}
    for path in sorted(set(stands) | set(made.files)):
        if stands.get(path) != made.files.get(path):
            what = "not there" if path not in stands else "not as exports.json lists it"
            yield Damage(code="export-differs", where=f"{folder.name}/{name}/{path}", what=what)


def _differs(stands: Path, expected: Path) -> str:
    if not stands.is_file():
        return "not there"
    same = sha256_file(stands) == sha256_file(expected)
    return "" if same else difference(stands, expected) or "it holds the same, in other bytes"
