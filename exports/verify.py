"""Prove a release: what follows from its problems and pictures is made again and compared.

Problems, pictures, corrections and the manifest's facts are the ground. They are checked by
themselves, everything else is written anew by the functions of the build, and every difference is
a damage. So no file is proved by rules of its own.
"""

from __future__ import annotations

import hmac
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ..base.files import encode, inside, read_lines, sha256_file
from ..base.pictures import open_picture
from ..errors import UserError
from ..problem import Image, Problem, all_images, samples_of
from ..release import CORRECTIONS, Correction, answers_file, decode, read_manifest
from .compare_files import TABLES, difference
from .damage import Damage, Damages
from .facts import Facts, Manifest, build_key, canary, libraries, tool
from .leaks import TABLES as TABLED
from .leaks import answered
from .package import (
    Contents,
    all_files,
    file_facts,
    making_of,
    picture_paths,
    write_derived,
    write_hashes,
)
from .pieces import pieces_in_memory
from .verify_beside import exports_beside, private_beside
from .withhold import problem_without_answers

MOST = 5  # leaked answers that are named of each file
MOST_ODD = 1000  # links and the like that are named
DESKTOPS = ("Thumbs.db", "desktop.ini", "__MACOSX")  # closed: what Windows and macOS name so
Splits = Mapping[str, Sequence[Problem]]


def verify(
    release: str | Path,
    answers: str | Path | None = None,
    quick: bool = False,
    expect: str = "",
) -> Damages:
    """Everything that is wrong with a release; where nothing is, it agrees with itself.

    Exports that lie beside the release are proved with it.

    Args:
        release: Folder of the release.
        answers: Private folder, or its answers.jsonl: its rows are proved against the manifest's
            commitments, and nothing of them may stand in the release or its exports.
        quick: Compare hashes alone, of the files that the manifest and SHA256SUMS list: nothing
            is made again, so that this proves a copy and not a release.
        expect: SHA-256 of manifest.json as its makers published it: without it another release
            under the same name would pass as well.

    Raises UserError only when there is no readable manifest.

    Example: `assert not verify("out/math-v-mini-1.0.0")`
    """
    release = Path(release)
    raw = read_manifest(release)
    tree = _tree(release)
    damages = [*tree.odd, *_hidden(release, tree, raw), *_expected(tree, expect)]
    try:
        manifest = msgspec.convert(raw, Manifest)
    except msgspec.ValidationError as error:
        what = str(error).replace("`", "")
        return Damages(
            [*damages, Damage(code="manifest-invalid", where="manifest.json", what=what)]
        )
    damages += _hashes(tree, manifest)
    if quick:
        return Damages([*damages, *_sums(release, tree, manifest)], sorted(tree.files))
    contents, found = _ground(release, tree, manifest)
    damages += found
    unproved: list[str] = []
    if contents is not None:
        broken = list(_pictures(release, tree, contents.problems))
        damages += [*broken, *_facts(contents, tree, manifest), *_across(contents.problems)]
        if contents.facts.tool != tool() and not _has_its_key(contents, tree, manifest):
            unproved.append("manifest.json: build_key")
        if not broken:
            rebuilt, more = _rebuilt(release, tree, contents)
            damages, unproved = [*damages, *rebuilt], [*unproved, *more]
        if answers is not None:
            damages += private_beside(release, answers_file(answers), contents)
    if contents is not None and not damages:
        damages, more = exports_beside(release, manifest.answers)
        unproved += more
    return Damages(damages, unproved)


class Tree(NamedTuple):
    """The regular files below a release with their hashes, and what is none."""

    files: dict[str, str]
    odd: list[Damage]
    hidden: list[str]


def _tree(release: Path) -> Tree:
    """Nothing but files and folders; a link only into a hub's cache (`inside`).

    Names with a dot in front belong to hubs, git and desktops: a build writes none, and nothing of
    benchwright reads one.
    """
    files, odd, hidden = dict[str, str](), list[Damage](), list[str]()
    for folder, folders, names in os.walk(release):
        own = [name for name in [*folders, *names] if name[0] != "." and name not in DESKTOPS]
        hidden += [str(Path(folder, name)) for name in {*folders, *names} - {*own}]
        folders[:] = [name for name in folders if name in own]
        for name in sorted(own):
            path = Path(folder) / name
            where = path.relative_to(release).as_posix()
            try:
                mode = (inside(release, where) if path.is_symlink() else path).lstat().st_mode
                if stat.S_ISREG(mode):
                    files[where] = sha256_file(path)
                elif not stat.S_ISDIR(mode) or path.is_symlink():
                    odd.append(_odd(where, path))
            except (UserError, OSError):
                odd.append(_odd(where, path))
        if len(odd) > MOST_ODD:
            what = f"{MOST_ODD} links and the like, and there may be more: none was followed"
            return Tree(files, [Damage(code="not-a-file", where=".", what=what)], hidden)
    return Tree(files, odd, sorted(hidden))


def _hidden(release: Path, tree: Tree, raw: dict[str, Any]) -> Iterator[Damage]:
    """What hubs and desktops left beside the release's files tells no withheld answer."""
    for place in map(Path, tree.hidden):
        inner = [place] if place.is_file() else sorted(place.rglob("*"))
        for path in (one for one in inner if one.suffix in TABLED and one.is_file()):
            for name in answered(path, raw.get("answers") or {})[:MOST]:
                where = path.relative_to(release).as_posix()
                yield Damage(code="answer-leaked", where=where, what=f"the answer of {name}")


def _expected(tree: Tree, expect: str) -> Iterator[Damage]:
    """The manifest is the one whose hash its makers published."""
    found = tree.files.get("manifest.json", "")
    if expect and not hmac.compare_digest(found.encode(), expect.strip().lower().encode()):
        what = f"sha256 is {found}, not {expect}: another release, or one made anew"
        yield Damage(code="not-expected", where="manifest.json", what=what)


def _odd(where: str, path: Path) -> Damage:
    what = "a link that leaves the release" if path.is_symlink() else "no file that can be read"
    return Damage(code="not-a-file", where=where, what=what)


def _hashes(tree: Tree, manifest: Manifest) -> Iterator[Damage]:
    """Presence and hash of every file that the manifest lists."""
    for path, entry in sorted(manifest.files.items()):
        actual = tree.files.get(path)
        if actual is None:
            yield Damage(code="file-missing", where=path, what="listed in the manifest, not there")
        elif actual != entry.sha256:
            what = f"sha256 is {actual[:12]}…, not {entry.sha256[:12]}…"
            yield Damage(code="file-changed", where=path, what=what)


def _sums(release: Path, tree: Tree, manifest: Manifest) -> Iterator[Damage]:
    """SHA256SUMS says of every file what it is, and there is no other file."""
    wanted = {path: entry.sha256 for path, entry in manifest.files.items()}
    wanted["manifest.json"] = tree.files.get("manifest.json", "")
    text = "".join(f"{wanted[path]}  {path}\n" for path in sorted(wanted))
    place = release / "SHA256SUMS"
    if "SHA256SUMS" not in tree.files or place.read_bytes() != text.encode():
        what = "it does not say what the manifest says"
        yield Damage(code="sums-differ", where="SHA256SUMS", what=what)
    for path in sorted(tree.files.keys() - wanted.keys() - {"SHA256SUMS"}):
        yield Damage(code="file-unknown", where=path, what="in no list")


def _ground(release: Path, tree: Tree, manifest: Manifest) -> tuple[Contents | None, list[Damage]]:
    """Problems and corrections as the release has them; None where they cannot be read."""
    facts = msgspec.convert(
        {name: getattr(manifest, name) for name in Facts.__struct_fields__}, Facts
    )
    damages: list[Damage] = []
    if sorted(facts.split_order) != sorted(manifest.splits):
        what = (
            f"splits {', '.join(manifest.splits)}, but split_order {', '.join(facts.split_order)}"
        )
        return None, [Damage(code="manifest-invalid", where="manifest.json", what=what)]
    problems: dict[str, list[Problem]] = {}
    for name in facts.split_order:
        problems[name], found = _problems(release, tree, f"problems/{name}.jsonl", facts)
        damages += found
    corrections: list[Correction] = []
    if CORRECTIONS in tree.files:
        corrections, found = _corrections(release / CORRECTIONS)
        damages += found
    readable = not any(d.code in ("record-invalid", "file-missing") for d in damages)
    making = making_of(facts.name, facts.split_order, facts.withhold_answers)
    pieces = pieces_in_memory(problems, making, release)
    return (Contents(facts, problems, pieces, {}, corrections) if readable else None), damages


def _problems(
    release: Path, tree: Tree, path: str, facts: Facts
) -> tuple[list[Problem], list[Damage]]:
    """The problems of a split; lines must stand as a build writes them, and hold the canary."""
    if path not in tree.files:
        return [], [Damage(code="file-missing", where=path, what="a split without its problems")]
    problems, damages = [], []
    guid = canary(facts.name)
    for number, line in read_lines(release / path):
        where = f"{path}:{number}"
        try:
            problem, own = decode(line, Problem)
        except ValueError as error:
            damages.append(Damage(code="record-invalid", where=where, what=str(error)))
            continue
        problems.append(problem)
        if own != guid:
            damages.append(Damage(code="canary-missing", where=where, what=f"canary is {own!r}"))
        elif line != encode(msgspec.json.decode(line)):
            what = "not as benchwright writes it: something stands there twice, or in another form"
            damages.append(Damage(code="record-form", where=where, what=what))
    return problems, damages


def _corrections(path: Path) -> tuple[list[Correction], list[Damage]]:
    found, damages = [], []
    for number, line in read_lines(path):
        try:
            found.append(msgspec.json.decode(line, type=Correction))
        except ValueError as error:
            where = f"{path.name}:{number}"
            damages.append(Damage(code="record-invalid", where=where, what=str(error)))
    if not damages and path.read_bytes() != b"".join(map(encode, found)):
        damages.append(
            Damage(code="record-form", where=path.name, what="not as benchwright writes")
        )
    return found, damages


def _facts(contents: Contents, tree: Tree, manifest: Manifest) -> Iterator[Damage]:
    """What the manifest says beside hashes: withheld answers and pins, accounts, its own key."""
    facts, problems = contents.facts, contents.problems
    if facts.tool == tool() and not _has_its_key(contents, tree, manifest):
        what = "facts or problems are not those that build_key was made from"
        yield Damage(code="facts-changed", where="manifest.json", what=what)
    withheld = set(facts.withhold_answers)
    if odd := withheld ^ {name for name, split in manifest.splits.items() if split.withheld}:
        what = f"splits and withhold_answers disagree on {', '.join(sorted(odd))}"
        yield Damage(code="manifest-invalid", where="manifest.json", what=what)
    for name in sorted(withheld & set(problems)):
        for problem in problems[name]:
            if problem != problem_without_answers(problem):
                what = "the split's answers are withheld"
                where = f"problems/{name}.jsonl: {problem.id}"
                yield Damage(code="answer-leaked", where=where, what=what)
    hidden = {
        sample.id
        for name in withheld & set(problems)
        for problem in problems[name]
        for sample in samples_of(problem)
    }
    for name in sorted(hidden ^ set(facts.answers)):
        what = "no commitment to its answer" if name in hidden else "pinned, but not withheld"
        yield Damage(code="pins-differ", where=name, what=what)
    for name, pin in sorted(facts.answers.items()):
        if len(pin) != 64 or not set(pin) <= set("0123456789abcdef"):
            yield Damage(code="pins-differ", where=name, what=f"no commitment: {pin[:40]!r}")
    yield from _accounts(facts, sum(map(len, problems.values())))


def _has_its_key(contents: Contents, tree: Tree, manifest: Manifest) -> bool:
    """Is build_key what facts and ground come to? Another version may know other facts."""
    ground = {path: tree.files[path] for path in contents.ground_files()}
    return manifest.build_key == build_key(contents.facts, ground)


def _accounts(facts: Facts, released: int) -> Iterator[Damage]:
    """in = kept + dropped in every stage, and each takes what the one before put out."""
    out: int | None = None
    for stage in facts.stages:
        if (
            stage.taken != stage.kept + stage.dropped
            or sum(stage.reasons.values()) != stage.dropped
        ):
            what = f"{stage.taken} in, {stage.kept} kept, {stage.dropped} dropped"
            yield Damage(code="accounts-differ", where=f"stage {stage.stage}", what=what)
        if out is not None and stage.taken != out:
            what = f"takes {stage.taken} of {out} that the stage before put out"
            yield Damage(code="accounts-differ", where=f"stage {stage.stage}", what=what)
        out = stage.out
    if out != released:
        what = f"{released} problems, and the last stage put out {out}"
        yield Damage(code="accounts-differ", where="manifest.json", what=what)


def _across(splits: Splits) -> Iterator[Damage]:
    """Ids are unique, and clusters and pictures stay in one split."""
    seen: dict[str, str] = {}
    homes: dict[str, str] = {}
    for name, problems in splits.items():
        for problem in problems:
            for sample in samples_of(problem):
                if sample.id in seen:
                    what = f"in {seen[sample.id]} and {name}"
                    yield Damage(code="id-twice", where=sample.id, what=what)
                seen[sample.id] = name
            for relative in (problem.origin, *(image.sha256 for image in all_images(problem))):
                if homes.setdefault(relative, name) != name:
                    what = f"{relative[:40]} is also in {homes[relative]}"
                    yield Damage(code="split-overlap", where=f"{name}: {problem.id}", what=what)


def _pictures(release: Path, tree: Tree, splits: Splits) -> Iterator[Damage]:
    """Every picture named is there, decodes, and has the stated hash and size."""
    named: dict[str, list[Image]] = {}
    for image in (i for problems in splits.values() for p in problems for i in all_images(p)):
        known = named.setdefault(image.path, [])
        if all((image.sha256, image.width, image.height) != (k.sha256, k.width, k.height)
               for k in known):  # fmt: skip
            known.append(image)
    for path, images in sorted(named.items()):
        if path not in tree.files or not path.startswith("images/"):
            yield Damage(code="picture-missing", where=path, what=_no_picture(release, path))
            continue
        try:
            picture, _ = open_picture((release / path).read_bytes(), path)
        except UserError as error:
            yield Damage(code="picture-broken", where=path, what=error.message)
            continue
        for image in images:
            if tree.files[path] != image.sha256:
                what = "not the picture that records name"
                yield Damage(code="picture-changed", where=path, what=what)
            elif picture.size != (image.width, image.height):
                what = f"{picture.size[0]} x {picture.size[1]}, not {image.width} x {image.height}"
                yield Damage(code="picture-size", where=path, what=what)


def _no_picture(release: Path, path: str) -> str:
    try:
        inside(release, path)
    except UserError as error:
        return error.message
    return "named by a record, and no file of images/"


def _rebuilt(release: Path, tree: Tree, contents: Contents) -> tuple[list[Damage], list[str]]:
    """Every other file is what the build makes of the ground, and there is no further file."""
    ground = {
        path: file_facts(release, path)
        for path in [*contents.ground_files(), *picture_paths(contents.problems)]
    }
    with tempfile.TemporaryDirectory() as temporary:
        made = Path(temporary)
        try:
            described = write_derived(contents, release, made)
            first = all_files(made)
            damages, unproved = _compared(release, tree, made, first, contents.facts)
            write_hashes(described._replace(hashes={}), made, ground)
            last = [path for path in all_files(made) if path not in set(first)]
            more, other = _compared(release, tree, made, last, contents.facts)
        except OSError as error:
            raise UserError(
                f"cannot rebuild {release} in {temporary}: {error.strerror}",
                "free space there, or set TMPDIR to a larger disk",
            ) from error
        unknown = sorted(set(tree.files) - set(ground) - set(all_files(made)))
    what = "no file that a build makes of these problems"
    damages += [*more, *(Damage(code="file-unknown", where=path, what=what) for path in unknown)]
    for path in sorted({damage.where for damage in damages} & set(tree.files)):
        for name in answered(release / path, contents.facts.answers)[:MOST]:
            damages.append(Damage(code="answer-leaked", where=path, what=f"the answer of {name}"))
    return damages, [*unproved, *other]


def _compared(
    release: Path, tree: Tree, made: Path, paths: Sequence[str], facts: Facts
) -> tuple[list[Damage], list[str]]:
    """How files differ from those made anew, and which of them could not be proved.

    What the release says of its versions never makes a difference good: of Parquet equal values
    prove it, any other file of another version is unproved. A file that passes as the release has
    it takes the new one's place, so that hashes of it hold.
    """
    same_tool, same_libraries = facts.tool == tool(), facts.libraries == libraries()
    damages, unproved = [], []
    for path in paths:
        if path not in tree.files:
            damages.append(Damage(code="file-missing", where=path, what="not there"))
            continue
        if sha256_file(made / path) == tree.files[path]:
            continue
        what = difference(release / path, made / path)
        same = not what and path.endswith(".parquet")  # only its libraries decide on its bytes
        ours = same_tool and (same_libraries or not path.endswith((".svg", ".parquet")))
        if ours or (what and path.endswith(TABLES)):
            what = what or "it holds the same, in other bytes"
        elif not same:
            what = ""
            unproved.append(path)
        if what:
            damages.append(Damage(code=_code(path), where=path, what=what))
        elif path not in ("manifest.json", "SHA256SUMS"):
            shutil.copyfile(release / path, made / path)
    return damages, unproved


def _code(path: str) -> str:
    """The code of a file that is not what follows from the ground."""
    kinds = {"jsonl": "samples-differ", "data": "parquet-differs", "SHA256SUMS": "sums-differ"}
    return kinds.get(path.partition("/")[0], f"{Path(path).stem.lower()}-differs")
