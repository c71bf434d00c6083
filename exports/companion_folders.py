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
from .answer_leaks import announced, answers_of, telling_labels, texts_of
from .compare import UNPROVED, Damage, Inodes, compared
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
            yield Damage(
                "answer-changed", name, "does not match the manifest's commitment"
            )
    try:
        yield from _whole(release, answers.parent, contents, rows)
    except UserError as error:
        yield Damage("private-differs", answers.parent.name, error.message)
    yield from _leaks(release, contents, rows)
    yield from _told(contents, rows)


def _whole(
    release: Path, folder: Path, contents: Contents, rows: Rows
) -> Iterator[Damage]:
    """The private problems are the release's, with answers, and give these rows."""
    key = kept_key(plain_file(folder / KEY))
    if key is None:
        if (folder / "problems").exists():  # else answers.jsonl alone was given
            yield Damage("private-differs", f"{folder.name}/{KEY}", "not there")
        return
    for name in contents.facts.withhold_answers:
        where = f"{folder.name}/problems/{name}.jsonl"
        problems = read_problems(release, name, folder)
        if [
            problem_without_answers(problem) for problem in problems
        ] != contents.problems[name]:
            yield Damage(
                "private-differs", where, "its problems are not those of the release"
            )
        for row in private_rows([s for p in problems for s in samples_of(p)], key):
            if rows.get(row["id"]) != row:
                what = f"from it and the key does not follow the row of {row['id']}"
                yield Damage("private-differs", where, what)


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
    tree = tree_of(exports_folder(release), f"{exports_folder(release).name}/")
    for path in tree.files:
        yield from (
            (f"{tree.called}{path}", text) for text in texts_of_file(tree.root / path)
        )


def _told(contents: Contents, rows: Rows) -> Iterator[Damage]:
    """No problem says its own answer in so many words, and no label is the key."""
    for name in contents.facts.withhold_answers:
        where, problems = f"problems/{name}.jsonl", list(contents.problems[name])
        answers = {problem.id: answers_of(problem, rows) for problem in problems}
        for problem in problems:
            told = (announced(text, answers[problem.id]) for text in texts_of(problem))
            if words := next(filter(None, told), ""):
                yield Damage(
                    "answer-announced", f"{where}: {problem.id}", f"it says {words!r}"
                )
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
    why, known = "exports of another build: build the recipe again", Exported("", {})
    try:
        known = msgspec.json.decode(bounded(folder / EXPORTED), type=Exported)
    except (OSError, *BAD_JSON) as error:
        why = (
            f"no list of what was exported: {getattr(error, 'strerror', None) or error}"
        )
    if tree.odd or known.release != fingerprint(release):
        yield Damage("export-differs", f"{tree.called}{EXPORTED}", why)
        return
    named = {
        f"{name}/{path}": sha
        for name, one in known.formats.items()
        for path, sha in one.files.items()
    }
    for path in sorted({*tree.files, *named} - {EXPORTED}):
        if tree.files.get(path) != named.get(path):
            what = f"not as {EXPORTED} lists it"
            yield Damage("export-differs", f"{tree.called}{path}", what)
    yield from leaked(tree, [*tree.files, *tree.hidden], withheld)
    same = read_manifest(release).get("libraries") == libraries()
    with tempfile.TemporaryDirectory() as temporary:
        again = as_neighbours(release, Path(temporary))
        for name, said in known.formats.items():
            try:
                ours = code_hash(writer(name)) == said.code
                export(name, again.release, again.exports / name)
            except UserError:  # an exporter of somebody's own that is not loaded here
                yield Damage(UNPROVED, f"{tree.called}{name}", "no such exporter here")
                continue
            made = {f"{name}/{path}" for path in all_files(again.exports / name)}
            own = {path for path in tree.files if path.startswith(f"{name}/")}
            yield from compared(
                tree, again.exports, made | own, ours, same, "export-differs"
            )
