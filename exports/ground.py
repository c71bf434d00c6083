"""Prove the ground of a release by itself: problems, corrections, pictures, and what it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec

from ..base.files import encode, read_lines
from ..base.pictures import size_of
from ..errors import UserError
from ..problem import Problem, all_images, samples_of
from ..release import CORRECTIONS, Correction, decode
from .compare import UNPROVED, Damage, Tree
from .facts import Facts, Manifest, build_key, canary, tool
from .package import Contents, making_of
from .pieces import pieces_in_memory
from .withhold import problem_without_answers

T = TypeVar("T", Problem, Correction)
Splits = Mapping[str, Sequence[Problem]]


def ground_of(tree: Tree, manifest: Manifest) -> tuple[Contents | None, list[Damage]]:
    """The contents of a release, None where they cannot be read, and what is wrong with them."""
    values = {name: getattr(manifest, name) for name in Facts.__struct_fields__}
    stated = {
        name: value for name, value in values.items() if value is not msgspec.UNSET
    }
    facts = msgspec.convert(stated, Facts)
    if sorted(facts.split_order) != sorted(manifest.splits):
        splits = ", ".join(manifest.splits)
        what = f"splits {splits}, but split_order {facts.split_order}"
        return None, [Damage("manifest-invalid", "manifest.json", what)]
    damages: list[Damage] = []
    guid = canary(facts.name)
    problems = {
        name: _records(tree, f"problems/{name}.jsonl", Problem, guid, damages)
        for name in facts.split_order
    }
    corrections = list[Correction]()
    if CORRECTIONS in tree.files:
        corrections = _records(tree, CORRECTIONS, Correction, None, damages)
    if any(damage.code in ("record-invalid", "file-missing") for damage in damages):
        return None, damages
    making = making_of(facts.name, facts.split_order, facts.withhold_answers)
    pieces = pieces_in_memory(problems, making, tree.root)
    contents = Contents(facts, problems, pieces, {}, corrections)
    damages += _pictures(tree, problems)
    damages += _facts(contents, tree, manifest)
    damages += _across(problems)
    return contents, damages


def _records(
    tree: Tree, path: str, kind: type[T], guid: str | None, damages: list[Damage]
) -> list[T]:
    """The records of a file; lines must stand as a build writes them, and hold the canary."""
    records = list[T]()
    if path not in tree.files:
        damages.append(Damage("file-missing", path, "a split without its problems"))
        return records
    for number, line in read_lines(tree.root / path):
        where = f"{path}:{number}"
        try:
            record, record_guid = decode(line, kind)
        except ValueError as error:
            damages.append(Damage("record-invalid", where, str(error)))
            continue
        records.append(record)
        if record_guid != guid:
            what = f"canary is {record_guid!r}"
            damages.append(Damage("canary-missing", where, what))
        elif line != encode(record if guid is None else msgspec.json.decode(line)):
            what = "not as benchwright writes it: something there twice, or in another form"
            damages.append(Damage("record-form", where, what))
    return records


def _facts(contents: Contents, tree: Tree, manifest: Manifest) -> Iterator[Damage]:
    """What the manifest says beside hashes: withheld answers and pins, accounts, its own key."""
    facts = contents.facts
    ground = {path: tree.files[path] for path in contents.ground_files()}
    if manifest.build_key != build_key(facts, ground):
        # Another version may know other facts.
        code = "facts-changed" if facts.tool == tool() else UNPROVED
        what = "facts or problems are not those that it was made from"
        yield Damage(code, "manifest.json: build_key", what)
    listed = {name for name, split in manifest.splits.items() if split.withheld}
    odd = listed ^ set(facts.withhold_answers)
    if odd:
        what = f"splits and withhold_answers disagree on {', '.join(sorted(odd))}"
        yield Damage("manifest-invalid", "manifest.json", what)
    yield from _withheld(contents)
    released = sum(map(len, contents.problems.values()))
    yield from _accounts(facts, released)


def _withheld(contents: Contents) -> Iterator[Damage]:
    """Problems of withheld splits have no answers, and each has its commitment."""
    pins = contents.facts.answers
    withheld = set[str]()  # samples
    for split in set(contents.facts.withhold_answers) & contents.problems.keys():
        for problem in contents.problems[split]:
            withheld |= {sample.id for sample in samples_of(problem)}
            if problem != problem_without_answers(problem):
                where = f"problems/{split}.jsonl: {problem.id}"
                yield Damage("answer-leaked", where, "the split's answers are withheld")
    for name in withheld - pins.keys():
        yield Damage("pins-differ", name, "no commitment to its answer")
    for name in pins.keys() - withheld:
        yield Damage("pins-differ", name, "pinned, but not withheld")
    for name, pin in pins.items():
        if len(pin) != 64 or not set(pin) <= set("0123456789abcdef"):
            yield Damage("pins-differ", name, f"no commitment: {pin[:40]!r}")


def _accounts(facts: Facts, released: int) -> Iterator[Damage]:
    """in = kept + dropped in every stage, and each takes what the one before put out."""
    out = facts.stages[0].taken
    for stage in facts.stages:
        where = f"stage {stage.stage}"
        reasons = sum(stage.reasons.values())
        if not stage.taken - stage.kept == stage.dropped == reasons:
            what = f"{stage.taken} in, {stage.kept} kept, {stage.dropped} dropped"
            yield Damage("accounts-differ", where, what)
        if stage.taken != out:
            what = f"takes {stage.taken} of {out} that the stage before put out"
            yield Damage("accounts-differ", where, what)
        out = stage.out
    if out != released:
        what = f"{released} problems, and the last stage put out {out}"
        yield Damage("accounts-differ", "manifest.json", what)


def _across(splits: Splits) -> Iterator[Damage]:
    """Ids are unique, and clusters and pictures stay in one split."""
    split_of: dict[str, str] = {}  # sample -> split
    homes: dict[str, str] = {}  # origin or picture -> split
    for split, problems in splits.items():
        for problem in problems:
            for sample in samples_of(problem):
                if sample.id in split_of:
                    what = f"in {split_of[sample.id]} and {split}"
                    yield Damage("id-twice", sample.id, what)
                split_of[sample.id] = split
            pictures = [image.sha256 for image in all_images(problem)]
            for relative in [problem.origin, *pictures]:
                home = homes.setdefault(relative, split)
                if home != split:
                    what = f"{relative[:40]} is also in {home}"
                    yield Damage("split-overlap", f"{split}: {problem.id}", what)


def _pictures(tree: Tree, splits: Splits) -> Iterator[Damage]:
    """Every picture named is there, decodes, and has the stated hash and size."""
    stated: dict[str, set[tuple[str, int, int]]] = {}
    for problems in splits.values():
        for problem in problems:
            for image in all_images(problem):
                facts = (image.sha256, image.width, image.height)
                stated.setdefault(image.path, set()).add(facts)
    for path, images in stated.items():
        if path not in tree.files or not path.startswith("images/"):
            what = "named by a record, and no file of images/"
            yield Damage("picture-missing", path, what)
            continue
        try:
            size = size_of((tree.root / path).read_bytes(), path)
        except UserError as error:
            yield Damage("picture-broken", path, error.message)
            continue
        for digest, width, height in images:
            if tree.files[path] != digest:
                what = "not the picture that records name"
                yield Damage("picture-changed", path, what)
            elif size != (width, height):
                what = f"{size[0]} x {size[1]}, not {width} x {height}"
                yield Damage("picture-size", path, what)
