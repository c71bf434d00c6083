"""Forgeries by somebody who has the package: none passes with an anchor, none is good without one.

Each is written by the functions of a build, so that all of it agrees with itself; then the forger
does what can be done about the signature.
"""

from __future__ import annotations

import base64
import json
import shutil
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from benchwright import build_release, verify
from benchwright.base.statement import (
    ENVELOPE,
    LARGEST,
    SIGNERS,
    STATEMENT,
    sign,
    write_statement,
)
from benchwright.errors import UserError
from benchwright.exports import all_files, exports_folder, tree_of, write_package
from benchwright.exports.facts import Facts, Manifest, keyed
from benchwright.exports.ground import ground_of
from benchwright.exports.package import Contents, making_of
from benchwright.exports.pieces import pieces_in_memory, record_lines
from benchwright.pipeline import Engine
from benchwright.problem import Problem
from benchwright.release import fingerprint, private_folder, read_manifest
from damaging import edit_json, edit_rows
from small import dump

pytest.importorskip("cryptography")


class Standing(NamedTuple):
    """What forgers know: a signed release, and another one that the same people signed."""

    release: Path
    other: Path
    key: Path  # the public one
    own: Path  # the forger's private one


def new_key(folder: Path, name: str) -> Path:
    """A private key, and the public one beside it."""
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    pem, none = form.Encoding.PEM, form.NoEncryption()
    path = folder / f"{name}.pem"
    path.write_bytes(key.private_bytes(pem, form.PrivateFormat.PKCS8, none))
    public = key.public_key().public_bytes(pem, form.PublicFormat.SubjectPublicKeyInfo)
    path.with_suffix(".pub").write_bytes(public)
    return path


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Standing:
    folder = tmp_path_factory.mktemp("standing")
    key, own = new_key(folder, "makers"), new_key(folder, "forger")
    releases = []
    for name in ("one", "two"):
        recipe = dump(folder / name, 8, exports=["inspect"], title=name)
        releases.append(build_release(recipe, folder / name / "out").release)
        sign(releases[-1], key=key)
    return Standing(*releases, key.with_suffix(".pub"), own)


class Draft(NamedTuple):
    """What a forged release is written from."""

    facts: dict[str, Any]
    problems: dict[str, list[Problem]]


Edit = Callable[[Draft], object]


def first(draft: Draft) -> Problem:
    return draft.problems["test"][0]


def fact(name: str, value: Any) -> Edit:
    return lambda draft: draft.facts.update({name: value})


def field(name: str, value: Any) -> Edit:
    return lambda draft: setattr(first(draft), name, value)


def without_picture(draft: Draft) -> None:
    first(draft).question, first(draft).images = "What is $1+1$?", []


def swapped_golds(draft: Draft) -> None:
    one, two = draft.problems["test"][:2]
    one.answer, two.answer = two.answer, one.answer


def moved(draft: Draft) -> None:
    """A problem in another split."""
    draft.problems["testmini"].append(draft.problems["test"].pop())


EDITS: dict[str, Edit] = {
    "a question": field("question", "<image1> What is $1+1$?"),
    "a gold": field("answer", "77"),
    "two golds": swapped_golds,
    "a solution": field("solution", "It is so."),
    "a kind of answer": field("answer_kind", "text"),
    "a unit": field("unit", "cm"),
    "a tolerance": field("tolerance", 9.0),
    "an option": lambda d: next(
        p for p in d.problems["test"] if p.options).options[0].__setattr__("text", "1000"),
    "options in another order": lambda d: next(
        p for p in d.problems["test"] if p.options).options.reverse(),
    "labels": field("labels", {"subject": "geometry", "level": 1}),
    "a diagram": field("diagram", "A line."),
    "a language": field("language", "zh"),
    "a licence": lambda d: setattr(first(d).source, "license", "CC0-1.0"),
    "a source's address": lambda d: setattr(first(d).source, "url", "https://example.org"),
    "a raw id": lambda d: setattr(first(d).source, "raw_id", "99"),
    "a caption": lambda d: setattr(first(d).images[0], "caption", "the answer"),
    "no picture": without_picture,
    "a problem fewer": lambda d: d.problems["test"].pop(),
    "a problem moved": moved,
    "problems in another order": lambda d: d.problems["test"].reverse(),
    "a title": fact("title", "Another"),
    "a description": fact("description", "Proved by others."),
    "a version": fact("version", "9.9.9"),
    "an address": fact("url", "https://example.org"),
    "a date": fact("date", "2020-01-01"),
    "a seed": fact("seed", 99),
    "a stage that never was": lambda d: d.facts["stages"][0].update(stage="reviewed"),
    "findings": lambda d: d.facts["stages"][0].update(findings={"wrong-gold": 1}),
    "a changelog": fact("changelog", [{"version": "1.0.0", "lines": ["No gold changed."]}]),
    "a source": lambda d: d.facts["sources"][0].update(license="CC0-1.0", name="a"),
    "what is seen at a glance": fact("glance", ["nothing"]),
    "a claim": fact("glance", ["All answers were checked by three people."]),
}  # fmt: skip


def forged(release: Path, folder: Path, edit: Edit) -> Path:
    """The release with an edit, written anew whole."""
    manifest = msgspec.convert(read_manifest(release), Manifest)
    contents, damages = ground_of(tree_of(release), manifest)
    assert contents is not None
    assert not damages
    problems = {name: list(split) for name, split in contents.problems.items()}
    draft = Draft(msgspec.to_builtins(contents.facts), problems)
    edit(draft)
    count = sum(map(len, problems.values()))
    for stage in draft.facts["stages"]:
        stage |= {
            "taken": count,
            "kept": count,
            "dropped": 0,
            "out": count,
            "reasons": {},
        }
    facts = msgspec.convert(draft.facts, Facts)
    pieces = pieces_in_memory(
        problems, making_of(facts.name, facts.split_order, []), release
    )
    made = Contents(facts, problems, pieces, {})
    ground = {
        f"problems/{name}.jsonl": sha256(
            b"".join(record_lines(split, made.canary))
        ).hexdigest()
        for name, split in problems.items()
    }
    out = folder / release.name
    write_package(made._replace(facts=keyed(facts, ground)), release, out)
    write_statement(
        out, "build-release", ["manifest.json"], {}, {"dump.jsonl": "0" * 64}
    )
    return out


def keeps(standing: Standing, release: Path) -> None:
    for name in (STATEMENT, ENVELOPE):
        shutil.copy(standing.release / name, release / name)


def replays(standing: Standing, release: Path) -> None:
    """The makers' signature on another of their releases."""
    for name in (STATEMENT, ENVELOPE):
        shutil.copy(standing.other / name, release / name)


def signs_itself(standing: Standing, release: Path) -> None:
    """By its own key, under the makers' name."""
    sign(release, key=standing.own)
    name = json.loads((standing.release / ENVELOPE).read_text())["signatures"][0][
        "keyid"
    ]
    edit_json(release / ENVELOPE, lambda e: e["signatures"][0].update(keyid=name))


def exchanges(standing: Standing, release: Path) -> None:
    """Its own statement under the makers' signature."""
    payload = base64.b64encode((release / STATEMENT).read_bytes()).decode()
    shutil.copy(standing.release / ENVELOPE, release / ENVELOPE)
    edit_json(release / ENVELOPE, lambda e: e.update(payload=payload))


def stands_beside(standing: Standing, release: Path) -> None:
    """What the makers signed lies there too, under another name that the statement has."""
    shutil.copy(standing.release / "manifest.json", release / "old.json")
    shutil.copy(standing.release / ENVELOPE, release / ENVELOPE)


def is_silent(standing: Standing, release: Path) -> None:
    (release / STATEMENT).unlink()


CHEATS = [keeps, replays, signs_itself, exchanges, stands_beside, is_silent]
CASES = [
    (edit, CHEATS[(2 * k + turn) % len(CHEATS)])
    for k, edit in enumerate(EDITS)
    for turn in (0, 1)
]


@pytest.mark.parametrize(
    ("edit", "cheat"), CASES, ids=[f"{e}, {c.__name__}" for e, c in CASES]
)
def test_no_forgery_passes_with_an_anchor_or_is_good_without_one(
    standing: Standing,
    tmp_path: Path,
    edit: str,
    cheat: Callable[[Standing, Path], None],
) -> None:
    release = forged(standing.release, tmp_path, EDITS[edit])
    cheat(standing, release)
    alone = verify(release)
    assert not alone.anchor
    assert "good" not in alone.headline()
    assert verify(release, quick=True, key=standing.key)
    assert verify(release, quick=True, expect=fingerprint(standing.release))
    assert not verify(release, key=standing.key).anchor


def test_there_are_sixty_and_most_agree_with_themselves(
    standing: Standing, tmp_path: Path
) -> None:
    """They are forgeries that nothing but an anchor can find."""
    assert len(CASES) >= 60
    assert not verify(forged(standing.release, tmp_path / "gold", EDITS["a gold"]))
    assert not verify(forged(standing.release, tmp_path / "order", EDITS["two golds"]))
    assert not verify(forged(standing.release, tmp_path / "none", lambda draft: None))


def test_what_its_makers_signed_is_good(standing: Standing) -> None:
    found = verify(standing.release, key=standing.key)
    assert (list(found), found.unproved) == ([], [])
    assert found.headline().startswith("is good: signed with the key ")
    assert verify(standing.release, expect=fingerprint(standing.release)).anchor
    assert not verify(standing.release).anchor
    quick = verify(standing.release, quick=True, key=standing.key)
    assert (list(quick), quick.unproved, bool(quick.anchor)) == ([], [], True)


BESIDE: dict[str, Callable[[Path], object]] = {
    "a program": lambda f: (f / "inspect/task.py").write_text(
        "import os; os.system('id')"
    ),
    "a program, claimed": lambda f: (
        (f / "inspect/task.py").write_text("import os; os.system('id')"),
        edit_json(
            f / "exports.json", lambda e: e["formats"]["inspect"].update(code="0" * 64)
        ),
    ),
    "a format fewer": lambda f: shutil.rmtree(f / "inspect"),
    "no list": lambda f: (f / "exports.json").unlink(),
    "a program more": lambda f: (f / "inspect/sitecustomize.py").write_text(
        "import os"
    ),
    "a program beside": lambda f: (f / "conftest.py").write_text("import os"),
    "an unknown format": lambda f: edit_json(
        f / "exports.json",
        lambda e: e["formats"].update(mine=e["formats"].pop("inspect")),
    ),
}


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("name", BESIDE)
def test_exports_of_a_signed_release_are_not_good_when_forged(
    standing: Standing, tmp_path: Path, name: str, listed: bool
) -> None:
    release = tmp_path / standing.release.name
    shutil.copytree(standing.release, release)
    exports = exports_folder(release)
    shutil.copytree(exports_folder(standing.release), exports)
    BESIDE[name](exports)
    if listed and (exports / "exports.json").exists():
        relist(exports)
    found = verify(release, key=standing.key)
    assert found or found.unproved


def relist(exports: Path) -> None:
    """exports.json agrees with what stands there."""
    hashes = {
        p: sha256((exports / p).read_bytes()).hexdigest() for p in all_files(exports)
    }

    def change(known: dict[str, Any]) -> None:
        for name, made in known["formats"].items():
            own = {p: h for p, h in hashes.items() if p.startswith(f"{name}/")}
            made["files"] = {p.partition("/")[2]: h for p, h in own.items()}

    edit_json(exports / "exports.json", change)


def test_cut_signatures_and_strange_keys_are_named(
    standing: Standing, tmp_path: Path
) -> None:
    release = tmp_path / standing.release.name
    shutil.copytree(standing.release, release)
    whole = (release / ENVELOPE).read_bytes()
    for length in range(0, len(whole), 97):
        (release / ENVELOPE).write_bytes(whole[:length])
        assert {"not-signed"} == {
            d.code for d in verify(release, quick=True, key=standing.key)
        }
    (release / ENVELOPE).write_bytes(whole)
    for strange in (
        standing.own,
        release / "README.md",
        tmp_path / "none.pub",
        tmp_path,
    ):
        assert {"not-signed"} == {
            d.code for d in verify(release, quick=True, key=strange)
        }
    with pytest.raises(UserError, match="no private key"):
        sign(release, key=standing.key)
    edit_json(release / "manifest.json", lambda m: m.update(title="T"))
    with pytest.raises(UserError, match=r"speaks of another manifest\.json"):
        sign(release, key=standing.own)


def test_statements_that_are_too_large_or_repeat_themselves_are_named(
    standing: Standing, tmp_path: Path
) -> None:
    release = tmp_path / standing.release.name
    shutil.copytree(standing.release, release)
    edit_json(release / STATEMENT, lambda s: s.update(subject=s["subject"] * 2))
    (found,) = verify(release, quick=True, key=standing.key)
    assert (found.code, found.what.endswith("does not speak of manifest.json once")) == (
        "statement-differs", True)  # fmt: skip
    (release / STATEMENT).write_bytes(b" " * (LARGEST + 1))
    (found,) = verify(release, quick=True, key=standing.key)
    assert (found.code, "is larger than" in found.what) == ("statement-differs", True)
    edit_json(
        release / ENVELOPE,
        lambda e: e.update(signatures=e["signatures"] * (SIGNERS + 1)),
    )
    assert "not-signed" in {
        d.code for d in verify(release, quick=True, key=standing.key)
    }


def test_a_library_that_is_not_there_is_named_with_its_extra(
    standing: Standing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sigstore.errors", None)
    with pytest.raises(UserError, match="an identity needs sigstore") as found:
        verify(
            standing.release,
            quick=True,
            identity=("ada@example.org", "https://example.org"),
        )
    assert found.value.remedy == "pip install 'benchwright[identity]'"
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    with pytest.raises(UserError, match="a signature needs cryptography"):
        verify(standing.release, quick=True, key=standing.key)


def test_the_key_may_stand_in_the_environment_and_nowhere_else(
    standing: Standing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = tmp_path / standing.release.name
    shutil.copytree(standing.release, release)
    (release / ENVELOPE).unlink()
    with pytest.raises(UserError, match="no key"):
        sign(release)
    monkeypatch.setenv("BENCHWRIGHT_SIGNING_KEY", standing.own.read_text())
    sign(release)
    assert verify(release, key=standing.own.with_suffix(".pub")).anchor
    secret = standing.own.read_text().splitlines()[1]
    assert all(secret.encode() not in path.read_bytes() for path in release.iterdir()
               if path.is_file())  # fmt: skip


def test_a_rebuild_keeps_a_signature_and_a_changed_recipe_is_told(
    tmp_path: Path,
) -> None:
    recipe = dump(tmp_path, 5, withhold_answers=["test"])
    release = build_release(recipe, tmp_path / "out").release
    key = new_key(tmp_path, "key")
    sign(release, key=key)
    (release / "README.md").unlink()
    build_release(recipe, tmp_path / "out")
    assert verify(release, key=key.with_suffix(".pub")).anchor
    found = verify(release, from_=recipe, engine=Engine(2))
    assert (list(found), found.unproved, found.anchor) == (
        [],
        [],
        f"made again from {recipe}",
    )
    edit_rows(tmp_path / "dump.jsonl", lambda rows: rows[0].update(question="1+1?"))
    codes = {(d.code, d.where) for d in verify(release, from_=recipe)}
    assert {
        ("not-from-recipe", "problems/testmini.jsonl"),
        ("not-from-recipe", STATEMENT),
    } <= codes
    shutil.rmtree(private_folder(release))
    with pytest.raises(UserError, match="withholds answers"):
        verify(release, from_=recipe)


def test_withheld_answers_cannot_be_guessed_from_the_materials(tmp_path: Path) -> None:
    """Who knows all of a dump but an answer could try answers until the hash is right."""
    recipe = dump(tmp_path, 5, withhold_answers=["test"])
    release = build_release(recipe, tmp_path / "out").release
    said = json.loads((release / STATEMENT).read_text())
    parts = said["predicate"]["buildDefinition"]["resolvedDependencies"]
    assert {part["name"] for part in parts} == {
        "recipe.yaml",
        "dump.jsonl",
        "read with them",
    }
    public = {
        sha256(p.read_bytes()).hexdigest() for p in tmp_path.rglob("*") if p.is_file()
    }
    for part in parts:
        assert part["digest"].keys() == {"hmac-sha256"}
        assert not {*part["digest"].values()} & public
    again = build_release(dump(tmp_path / "open", 5), tmp_path / "open/out").release
    said = json.loads((again / STATEMENT).read_text())
    parts = said["predicate"]["buildDefinition"]["resolvedDependencies"]
    known = {part["name"]: part["digest"]["sha256"] for part in parts}
    raw = (tmp_path / "open/dump.jsonl").read_bytes()
    assert known["dump.jsonl"] == sha256(raw).hexdigest()
