"""Prove what lies beside a release: its private folder, and its exports."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import BAD_JSON, read_lines
from ..errors import UserError
from ..pipeline import code_hash
from ..problem import samples_of
from ..release import bounded, fingerprint, plain_file, read_manifest, read_problems
from .answer_leaks import announcement, answers_of, telling_labels, texts_of
from .compare import UNPROVED, Damage, Inodes, Tree, compared
from .facts import libraries
from .formats import export, writer
from .leaks import Withheld, picture_texts, strings, texts_of_file
from .package import Contents, all_files, picture_paths
from .publication import EXPORTED, Exported, as_neighbours, exports_folder
from .transport import leaked, tree_of
from .withhold import KEY, commitment, kept_key, private_rows, problem_without_answers

Rows = Mapping[str, dict[str, Any]]


def private_beside(
    release: Path, answers: Path, contents: Contents
) -> Iterator[Damage]:
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
    for name in rows.keys() | pins.keys():
        if name not in rows or commitment(rows[name]) != pins.get(name):
            what = "does not match the manifest's commitment"
            yield Damage("answer-changed", name, what)
    try:
        yield from _private_problems(release, answers.parent, contents, rows)
    except UserError as error:
        yield Damage("private-differs", answers.parent.name, error.message)
    yield from _leaks(release, contents, rows)
    yield from _announcements(contents, rows)


def _private_problems(
    release: Path, folder: Path, contents: Contents, rows: Rows
) -> Iterator[Damage]:
    """The private problems are the release's, with answers, and give these rows."""
    key = kept_key(plain_file(folder / KEY))
    if key is None:
        if (folder / "problems").exists():  # else answers.jsonl alone was given
            yield Damage("private-differs", f"{folder.name}/{KEY}", "not there")
        return
    for split in contents.facts.withhold_answers:
        where = f"{folder.name}/problems/{split}.jsonl"
        problems = read_problems(release, split, folder)
        public = [problem_without_answers(problem) for problem in problems]
        if public != contents.problems[split]:
            what = "its problems are not those of the release"
            yield Damage("private-differs", where, what)
        samples = (sample for problem in problems for sample in samples_of(problem))
        for row in private_rows(samples, key):
            if rows.get(row["id"]) != row:
                what = f"from it and the key does not follow the row of {row['id']}"
                yield Damage("private-differs", where, what)


def _leaks(release: Path, contents: Contents, rows: Rows) -> Iterator[Damage]:
    """No withheld text in problems, facts, pictures and exports."""
    problems = [problem for part in contents.problems.values() for problem in part]
    questions = (
        sample.question for problem in problems for sample in samples_of(problem)
    )
    solutions = (problem.solution or "" for problem in problems)  # of public splits
    withheld = Withheld(rows.values()).without(questions).without(solutions)
    if not withheld.runs:
        return
    for where, text in _texts(release, contents):
        if name := withheld.found_in(text):
            yield Damage("answer-leaked", where, f"withheld text of {name}")


def _texts(release: Path, contents: Contents) -> Iterator[tuple[str, str]]:
    """Every text that is published and does not follow from others, and the file it stands in."""
    for path, lines in contents.ground():
        for line in lines:
            yield path, " | ".join(strings(msgspec.json.decode(line)))
    yield "manifest.json", " | ".join(strings(msgspec.to_builtins(contents.facts)))
    for path in picture_paths(contents.problems):
        yield path, " | ".join(picture_texts((release / path).read_bytes()))
    exports = exports_folder(release)
    tree = tree_of(exports, f"{exports.name}/")
    for path in tree.files:
        for text in texts_of_file(tree.root / path):
            yield f"{tree.called}{path}", text


def _announcements(contents: Contents, rows: Rows) -> Iterator[Damage]:
    """No problem says its own answer in so many words, and no label is the key."""
    for split in contents.facts.withhold_answers:
        where = f"problems/{split}.jsonl"
        problems = list(contents.problems[split])
        answers = {problem.id: answers_of(problem, rows) for problem in problems}
        for problem in problems:
            for text in texts_of(problem):
                if words := announcement(text, answers[problem.id]):
                    what = f"it says {words!r}"
                    yield Damage("answer-announced", f"{where}: {problem.id}", what)
                    break
        for label, (hits, having) in telling_labels(problems, answers).items():
            what = f"the label {label!r} is the answer of {hits} of {having} problems"
            yield Damage("answer-announced", where, what)


def exports_beside(
    release: Path, withheld: Collection[str], inodes: Inodes
) -> Iterator[Damage]:
    """Every export is what its exporter makes of the release.

    Each stands under the name of its format, and the list of them says of which release they are.
    """
    folder = exports_folder(release)
    if not folder.exists():
        return
    tree = tree_of(folder, f"{folder.name}/", inodes)
    yield from tree.odd
    listed = Exported("", {})
    what = "exports of another build: build the recipe again"
    try:
        listed = msgspec.json.decode(bounded(folder / EXPORTED), type=Exported)
    except (OSError, *BAD_JSON) as error:
        cause = getattr(error, "strerror", None) or error
        what = f"no list of what was exported: {cause}"
    if tree.odd or listed.release != fingerprint(release):
        yield Damage("export-differs", f"{tree.called}{EXPORTED}", what)
        return
    yield from _unlisted(tree, listed)
    yield from leaked(tree, [*tree.files, *tree.hidden], withheld)
    yield from _exported_otherwise(tree, listed, release)


def _unlisted(tree: Tree, listed: Exported) -> Iterator[Damage]:
    """Files that are not as the list of exports has them, or not in it."""
    digests = {
        f"{name}/{path}": digest
        for name, format in listed.formats.items()
        for path, digest in format.files.items()
    }
    for path in sorted({*tree.files, *digests} - {EXPORTED}):
        if tree.files.get(path) != digests.get(path):
            what = f"not as {EXPORTED} lists it"
            yield Damage("export-differs", f"{tree.called}{path}", what)


def _exported_otherwise(
    tree: Tree, listed: Exported, release: Path
) -> Iterator[Damage]:
    """Exports that differ from those that exporters make here."""
    same_libraries = read_manifest(release).get("libraries") == libraries()
    with tempfile.TemporaryDirectory() as temporary:
        again = as_neighbours(release, Path(temporary))
        for name, format in listed.formats.items():
            try:
                same_code = code_hash(writer(name)) == format.code
                export(name, again.release, again.exports / name)
            except UserError:  # an exporter of somebody's own that is not loaded here
                yield Damage(UNPROVED, f"{tree.called}{name}", "no such exporter here")
                continue
            expected = {f"{name}/{path}" for path in all_files(again.exports / name)}
            present = {path for path in tree.files if path.startswith(f"{name}/")}
            yield from compared(
                tree,
                again.exports,
                expected | present,
                same_code,
                same_libraries,
                "export-differs",
            )
