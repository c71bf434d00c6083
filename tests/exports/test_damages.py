"""Every class of damage is found, also when all hashes were made to agree with it again.

`verify` has no rule for most of these: it makes a release anew from its problems and compares.
"""

from __future__ import annotations

import io
import json
import os
import shutil
from collections.abc import Callable
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from benchwright import build_release
from benchwright.base.pictures import store_picture
from benchwright.convert.readers import read_parts
from benchwright.errors import UserError
from benchwright.exports import verify
from benchwright.exports.leaks import answered, texts_of_file
from benchwright.problem import VERSIONS, Image, Option, Problem, Step, sample_of
from damaging import edit_json, edit_rows, edit_table, rehash
from shares import drawn
from small import options, png, problem, release, tree, write_recipe, write_rows

SOLUTION = "Twice the number of the left basket gives what both baskets hold together, that is "
Change = Callable[[Path], object]


def problems(folder: Path) -> list[Problem]:
    """One problem of every shape: pictures as options, sub-answers, steps, versions, and plain."""
    stored = {k: store_picture(png(40 + k, 30, 20 * k), folder) for k in range(1, 10)}
    lettered = [Option(label="ABC"[k], text="", image=stored[k + 1]) for k in range(3)]
    steps = [
        Step(question="1+1?", answer="A", options=options("2", "3")),
        Step(question="2+2?"),
    ]
    made = [problem(k, images=[stored[4 + k]]) for k in range(1, 4)]
    made += [
        problem(4, options=lettered, answer="B", answer_kind="choice"),
        problem(
            5,
            answer="(1) 5 (2) 6",
            answer_kind="parts",
            parts=read_parts("(1) 5 (2) 6"),
        ),
        problem(6, steps=steps),
        problem(7, tolerance=0.5, unit="cm"),
        problem(8),
    ]
    for p in made:
        p.solution = f"{SOLUTION}{p.answer} by counting."
    versions = [v for v in VERSIONS if v != "text_only"]
    made[0].samples = [sample_of(made[0], version) for version in versions]
    return made


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A second version, with withheld answers and exports, after a first one."""
    folder = tmp_path_factory.mktemp("damages")
    made = problems(folder)
    rows = [msgspec.to_builtins(p) for p in made]
    write_rows(folder / "problems.jsonl", rows)
    (folder / "ids.txt").write_text("a-1\na-4\na-5\na-8\n")
    recipe = {
        "name": "small",
        "version": "1.0.0",
        "sources": [
            {
                "name": "a",
                "reader": "problems",
                "path": "problems.jsonl",
                "license": "MIT",
            }
        ],
        "splits": {"testmini": {"ids": "ids.txt"}, "test": "rest"},
        "withhold_answers": ["test"],
        "exports": ["vlmevalkit", "inspect"],
    }
    build_release(write_recipe(folder / "recipe.yaml", recipe), folder / "out")
    rows[7]["answer"], rows[6]["answer"] = "10", "77"
    write_rows(folder / "problems.jsonl", rows)
    again = recipe | {"version": "1.1.0", "previous": "out/small-1.0.0"}
    return build_release(
        write_recipe(folder / "recipe.yaml", again), folder / "out"
    ).release


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Path:
    """The release with its private folder, to be damaged; exports name the place that they had."""
    for folder in (built, private(built)):
        shutil.copytree(folder, tmp_path / folder.name)
    return tmp_path / built.name


def private(release: Path) -> Path:
    return release.with_name(f"{release.name}-private")


def first(folder: Path, pattern: str) -> Path:
    return sorted(folder.glob(pattern))[0]


def test_an_undamaged_release_is_good_and_its_hashes_are_what_the_tests_compute(
    built: Path, copy: Path
) -> None:
    before = tree(copy)
    rehash(copy)
    assert tree(copy) == before
    assert verify(built, private(built)) == []
    assert verify(built).unproved == []


KINDS = (
    "problems/test.jsonl", "problems/testmini.jsonl", "jsonl/test.jsonl", "jsonl/testmini.jsonl",
    "data/default/test-*", "data/default/testmini-*", "data/text_lite/*", "images/*",
    "manifest.json", "SHA256SUMS", "schema.json", "statistics.json", "croissant.json",
    "corrections.jsonl", "README.md", "DATASHEET.md", "CHANGELOG.md", "LICENSES/*", "figures/*",
    "index.html", "index.data/index.js", "index.data/samples-*", "index.data/katex.js",
)  # fmt: skip


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


def linked(path: Path) -> None:
    outside = path.parents[3] / f"outside-{path.name}"
    path.rename(outside)
    path.symlink_to(outside)


def fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


WAYS: dict[str, Callable[[Path], object]] = {
    "a byte changed": flipped,
    "emptied": lambda path: path.write_bytes(b""),
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:-3]),
    "something added": lambda path: path.write_bytes(path.read_bytes() + b" "),
    "removed": lambda path: path.unlink(),
    "there twice": lambda path: shutil.copy(path, path.with_name(f"copy-{path.name}")),
    "a link": linked,
    "a pipe": fifo,
}


# every kind of file in one way, and a share of all others
DAMAGES = dict.fromkeys(
    [*product(KINDS, list(WAYS)[:1]), *drawn(product(KINDS, WAYS), 4)]
)


@pytest.mark.parametrize(("kind", "way"), DAMAGES)
def test_every_file_is_proved(built: Path, copy: Path, kind: str, way: str) -> None:
    """Each kind of file, damaged in each way, as it is and with all hashes agreeing again."""
    path = first(copy, kind)
    WAYS[way](path)
    assert noticed(copy), "as it is"
    rehash(copy)
    if tree(copy) != tree(built):  # where the damage was to hashes alone, it is mended
        assert noticed(copy), "with all hashes agreeing"


def noticed(release: Path) -> bool:
    """Is damage told, as such or as a manifest that cannot be read?"""
    try:
        return bool(verify(release))
    except UserError:
        return True


def field(path: str, name: str, value: Any, row: int = 0) -> Change:
    return lambda folder: edit_rows(
        folder / path, lambda rows: rows[row].update({name: value})
    )


def cell(path: str, name: str, value: Any, row: int = 0) -> Change:
    return lambda folder: edit_table(
        first(folder, path), lambda rows: rows[row].update({name: value})
    )


def rows(path: str, change: Callable[[list[dict[str, Any]]], object]) -> Change:
    return lambda folder: edit_rows(folder / path, change)


def table(path: str, change: Callable[[list[dict[str, Any]]], object]) -> Change:
    return lambda folder: edit_table(first(folder, path), change)


def manifest(change: Callable[[dict[str, Any]], object]) -> Change:
    return lambda folder: edit_json(folder / "manifest.json", change)


def told(path: str, text: str) -> Change:
    def change(folder: Path) -> None:
        file = first(folder, path)
        file.write_text(
            file.read_text("utf-8").replace("\n", f"\n{text}\n", 1), "utf-8"
        )

    return change


def swapped(path: str) -> Change:
    """The bytes of the first picture in a Parquet file become another picture."""

    def change(table_rows: list[dict[str, Any]]) -> None:
        row = next(row for row in table_rows if row["images"])
        row["images"] = [{"bytes": png(44, 30, 99), "path": row["images"][0]["path"]}]

    return table(path, change)


def _option_picture(table_rows: list[dict[str, Any]]) -> None:
    row = next(
        row for row in table_rows if row["options"] and row["options"][0]["image"]
    )
    row["options"][0]["image"]["bytes"] = png(44, 30, 98)


def commented(folder: Path) -> None:
    """A withheld problem's picture tells its solution, and everything names the new picture."""
    from PIL import Image as Pillow
    from PIL.PngImagePlugin import PngInfo

    record = json.loads((folder / "problems/test.jsonl").read_text().splitlines()[0])
    info = PngInfo()
    info.add_text("Comment", record_solution(folder, record["id"]))
    buffer = io.BytesIO()
    old = record["images"][0]
    with Pillow.open(folder / old["path"]) as picture:
        picture.save(buffer, "PNG", pnginfo=info)
    new: Image = store_picture(buffer.getvalue(), folder)
    (folder / old["path"]).unlink()
    for name in ("problems/test.jsonl", "jsonl/test.jsonl"):
        text = (folder / name).read_text("utf-8")
        text = text.replace(old["path"], new.path).replace(old["sha256"], new.sha256)
        (folder / name).write_text(text, "utf-8")


def record_solution(folder: Path, problem_id: str) -> str:
    lines = (private(folder) / "answers.jsonl").read_text("utf-8").splitlines()
    answers = {row["id"]: row for row in map(json.loads, lines)}
    return str(answers[problem_id]["solution"])


PARQUET, WITHHELD = "data/default/testmini-*", "data/default/test-*"
# what is done, and the code that must be among those found
EDITS: dict[str, tuple[str, Change]] = {
    # the problems themselves
    "a question": ("facts-changed", field("problems/testmini.jsonl", "question", "1+1?")),
    "a gold": ("facts-changed", field("problems/testmini.jsonl", "answer", "77")),
    "a label": ("facts-changed", field("problems/test.jsonl", "labels", {"subject": "even"})),
    "a licence": ("facts-changed", rows("problems/test.jsonl",
                                        lambda r: r[0]["source"].update(license="CC0-1.0"))),
    "an unknown field": ("record-invalid", field("problems/test.jsonl", "colour", "red")),
    "a wrong type": ("record-invalid", field("problems/test.jsonl", "question", 7)),
    "no object": ("record-invalid", lambda f: (f / "problems/test.jsonl").write_text("[1]\n")),
    "a kind that is none": ("parquet-differs", field("problems/test.jsonl", "answer_kind", "x")),
    "a problem fewer": ("accounts-differ", rows("problems/test.jsonl", lambda r: r.pop())),
    "a problem more": ("id-twice", rows("problems/test.jsonl", lambda r: r.append(r[0]))),
    "another order": ("facts-changed", rows("problems/test.jsonl", lambda r: r.reverse())),
    "a problem in two splits": ("split-overlap", lambda f: edit_rows(
        f / "problems/test.jsonl", lambda r: r.append(json.loads(
            (f / "problems/testmini.jsonl").read_text().splitlines()[0])))),
    "a lost canary": ("canary-missing", field("problems/test.jsonl", "canary", "x")),
    "a field written twice": ("record-form", lambda f: (f / "problems/test.jsonl").write_text(
        (f / "problems/test.jsonl").read_text().replace('{"about"', '{"answer":"7","about"', 1))),
    "a withheld answer": ("answer-leaked", field("problems/test.jsonl", "answer", "7")),
    "a withheld solution": ("answer-leaked", field("problems/test.jsonl", "solution", "so")),
    "a withheld answer of a step": ("answer-leaked", rows("problems/test.jsonl",
        lambda r: next(x for x in r if x["steps"])["steps"][0].update(answer="A"))),
    "a note on a withheld answer": ("answer-leaked", field("problems/test.jsonl", "notes", ["7"])),
    "a picture that leaves": ("picture-missing", rows("problems/test.jsonl",
        lambda r: r[0]["images"][0].update(path="images/../../x.png"))),
    "another size": ("picture-size", rows("problems/test.jsonl",
        lambda r: r[0]["images"][0].update(width=1))),
    # pictures
    "a picture that is HTML": ("picture-broken",
        lambda f: first(f, "images/*").write_text("<html>")),
    "another picture": ("picture-changed", lambda f: first(f, "images/*").write_bytes(png(5, 5))),
    "a lost picture": ("picture-missing", lambda f: first(f, "images/*").unlink()),
    "a picture of nobody": ("file-unknown",
        lambda f: (f / "images/new.png").write_bytes(png(9, 9))),
    # samples
    "a sample's question": ("samples-differ", field("jsonl/testmini.jsonl", "question", "1?")),
    "a sample's gold": ("samples-differ", field("jsonl/testmini.jsonl", "answer", "0")),
    "a sample's origin": ("samples-differ", field("jsonl/test.jsonl", "origin", "a-99")),
    "a sample's tolerance": ("samples-differ", field("jsonl/test.jsonl", "tolerance", 9.0)),
    "a sample's labels": ("samples-differ", field("jsonl/test.jsonl", "labels", {})),
    "a sample's pictures": ("samples-differ", field("jsonl/test.jsonl", "images", [])),
    "a sample fewer": ("samples-differ", rows("jsonl/test.jsonl", lambda r: r.pop())),
    "a sample more": ("samples-differ", rows("jsonl/test.jsonl", lambda r: r.append(r[0]))),
    "samples in another order": ("samples-differ", rows("jsonl/test.jsonl",
                                                        lambda r: r.reverse())),
    "a sample's canary": ("samples-differ", field("jsonl/test.jsonl", "canary", "x")),
    "a sample's answer leaked": ("answer-leaked", field("jsonl/test.jsonl", "answer", "7")),
    "a sample's solution leaked": ("answer-leaked", field("jsonl/test.jsonl", "solution", "7")),
    "a column of answers": ("samples-differ", rows("jsonl/test.jsonl",
        lambda r: [row.update(gold="7") for row in r])),
    # Parquet
    **{f"Parquet: {name}": ("parquet-differs", cell(PARQUET, name, value)) for name, value in {
        "id": "a-9", "problem_id": "a-9", "origin": "a-9", "version": "text_lite",
        "question": "?", "answer": "0", "answer_kind": "text", "unit": "m", "tolerance": 1.0,
        "ordered": True, "solution": "none", "diagram": "a line", "condition": "c",
        "language": "zh", "source": "b", "raw_id": "9", "license": "CC0-1.0", "url": "u",
        "options": [{"label": "A", "text": "x", "image": None}], "images": [],
        "parts": [{"label": "1", "answer": "9", "answer_kind": "text", "unit": None,
                   "tolerance": None, "ordered": None}], "subject": "odd", "level": 9,
    }.items()},
    "Parquet: another picture": ("parquet-differs", swapped("data/text_lite/*")),
    "Parquet: another option's picture": ("parquet-differs", table(PARQUET, _option_picture)),
    "Parquet: a row fewer": ("parquet-differs", table(PARQUET, lambda r: r.pop())),
    "Parquet: a row more": ("parquet-differs", table(PARQUET, lambda r: r.append(r[0]))),
    "Parquet: another order": ("parquet-differs", table(PARQUET, lambda r: r.reverse())),
    "Parquet: a column more": ("parquet-differs", cell(PARQUET, "hint", "seven")),
    "Parquet: a leaked answer": ("answer-leaked", cell(WITHHELD, "answer", "7")),
    "Parquet: a leaked solution": ("answer-leaked", cell(WITHHELD, "solution", "so")),
    "Parquet: a leaked column": ("answer-leaked", cell(WITHHELD, "gold", "7")),
    "Parquet: a shard more": ("file-unknown", lambda f: shutil.copy(
        first(f, PARQUET), f / "data/default/testmini-00001-of-00002.parquet")),
    # the manifest
    "a stage that puts out more": ("accounts-differ", manifest(
        lambda m: m["stages"][0].update(out=m["stages"][0]["out"] + 1))),
    "no ids": ("manifest-invalid", manifest(lambda m: m["splits"]["test"].update(ids=None))),
    "no splits' order": ("manifest-invalid", manifest(lambda m: m.update(split_order=["x"]))),
    "no files": ("manifest-invalid", manifest(lambda m: m.pop("libraries"))),
    "a key of nobody": ("manifest-invalid", manifest(lambda m: m.update(answer_key={"a-2": "7"}))),
    "another canary": ("manifest-differs", manifest(lambda m: m.update(canary="x"))),
    "ids in another order": ("manifest-differs",
        manifest(lambda m: m["splits"]["test"]["ids"].reverse())),
    "another count": ("manifest-differs",
        manifest(lambda m: m["splits"]["test"].update(samples=1))),
    "a split declared open": ("manifest-invalid",
        manifest(lambda m: m["splits"]["test"].update(withheld=False))),
    "a pin removed": ("pins-differ", manifest(lambda m: m["answers"].popitem())),
    "all pins removed": ("pins-differ", manifest(lambda m: m.update(answers={}))),
    "a pin of nobody": ("pins-differ", manifest(lambda m: m["answers"].update(x="0" * 64))),
    "a pin that is none": ("pins-differ", manifest(lambda m: m["answers"].update({"a-2": "7"}))),
    "another pin": ("facts-changed",
        manifest(lambda m: m["answers"].update({"a-2": "0" * 64}))),
    **{f"another {name}": ("facts-changed", manifest(lambda m, n=name, v=value: m.update({n: v})))
       for name, value in {"title": "T", "description": "D", "url": "https://x", "seed": 9,
                           "date": "2026-01-01", "version": "9.0.0", "build_key": "0"}.items()},
    "another source": ("facts-changed", manifest(lambda m: m["sources"][0].update(url="u"))),
    "no licences": ("manifest-differs", manifest(lambda m: m.update(licences=[]))),
    "another finding": ("manifest-differs", manifest(lambda m: m.update(findings={"x": 1}))),
    "other accounts": ("accounts-differ", manifest(lambda m: m["stages"][0].update(taken=99))),
    "a changelog that lies": ("facts-changed",
        manifest(lambda m: m["changelog"][0].update(lines=["No problem changed."]))),
    # the rest
    "statistics": ("statistics-differs", lambda f: edit_json(
        f / "statistics.json", lambda s: s["all"].update(samples=1))),
    "no statistics": ("statistics-differs", lambda f: (f / "statistics.json").write_text("{}")),
    "no schema": ("schema-differs", lambda f: (f / "schema.json").write_text("{}")),
    "no croissant": ("croissant-differs", lambda f: (f / "croissant.json").write_text("{")),
    "a croissant without fields": ("croissant-differs", lambda f: edit_json(
        f / "croissant.json", lambda c: c["recordSet"].clear())),
    "no licence texts": ("file-missing", lambda f: shutil.rmtree(f / "LICENSES")),
    "another licence text": ("mit-differs", lambda f: (f / "LICENSES/MIT.txt").write_text("free")),
    "an answer in the card": ("readme-differs", told("README.md", "The answer of a-2 is 3.")),
    "an answer on the page": ("samples-00000-differs",
        told("index.data/samples-*", "/* a-2 is 3 */")),
    "a correction": ("facts-changed", field("corrections.jsonl", "was", {"answer": "1"})),
    "no correction": ("facts-changed", lambda f: (f / "corrections.jsonl").unlink()),
    "the private answers inside": ("answer-leaked", lambda f: shutil.copy(
        private(f) / "answers.jsonl", f / "answers.jsonl")),
    "the private folder inside": ("answer-leaked", lambda f: shutil.copytree(
        private(f), f / "private")),
    "the key inside": ("file-unknown", lambda f: shutil.copy(private(f) / "key", f / "key")),
    "a linked folder": ("not-a-file", lambda f: (f / "more").symlink_to(private(f))),
    "a linked LICENSES": ("not-a-file", lambda f: (
        shutil.move(f / "LICENSES", f.parent / "L"), (f / "LICENSES").symlink_to(f.parent / "L"))),
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_damages_whose_hashes_all_agree_are_found_and_named(
    copy: Path, name: str
) -> None:
    code, damage = EDITS[name]
    damage(copy)
    rehash(copy)
    found = verify(copy)
    assert code in {d.code for d in found}, found.table()
    assert all(d.where and d.what for d in found)


HASHES: dict[str, Change] = {
    "a wrong sum": lambda f: _sums(
        f, lambda lines: ["0" * 64 + lines[0][64:], *lines[1:]]
    ),
    "a lost sum": lambda f: _sums(f, lambda lines: lines[1:]),
    "a sum of nothing": lambda f: _sums(f, lambda lines: [*lines, "0" * 64 + "  x"]),
    "sums in another order": lambda f: _sums(f, lambda lines: lines[::-1]),
    "a wrong hash": manifest(lambda m: m["files"]["README.md"].update(sha256="0" * 64)),
    "a wrong size": manifest(lambda m: m["files"]["README.md"].update(bytes=1)),
    "wrong rows": manifest(lambda m: m["files"]["jsonl/test.jsonl"].update(rows=1)),
    "a file not listed": manifest(lambda m: m["files"].pop("README.md")),
    "a file listed that is not there": manifest(
        lambda m: m["files"].update(x={"sha256": "0", "bytes": 1})
    ),
}


def _sums(folder: Path, change: Callable[[list[str]], list[str]]) -> None:
    path = folder / "SHA256SUMS"
    path.write_text("\n".join(change(path.read_text().splitlines())) + "\n")


@pytest.mark.parametrize("name", HASHES)
def test_hashes_are_proved_themselves(copy: Path, name: str) -> None:
    HASHES[name](copy)
    assert verify(copy)


PRIVATE: dict[str, tuple[str, Change]] = {
    "an answer": ("answer-changed", lambda f: edit_rows(
        private(f) / "answers.jsonl", lambda r: r[0].update(answer="99"))),
    "a solution": ("answer-changed", lambda f: edit_rows(
        private(f) / "answers.jsonl", lambda r: r[0].update(solution="99"))),
    "a salt": ("answer-changed", lambda f: edit_rows(
        private(f) / "answers.jsonl", lambda r: r[0].update(salt="0" * 64))),
    "an answer fewer": ("answer-changed", lambda f: edit_rows(
        private(f) / "answers.jsonl", lambda r: r.pop())),
    "no row": ("answers-invalid", lambda f: (private(f) / "answers.jsonl").write_text("[]\n")),
    "another key": ("private-differs", lambda f: (private(f) / "key").write_text("0" * 64)),
    "a key that is none": ("private-differs", lambda f: (private(f) / "key").write_text("xyz")),
    "no key": ("private-differs", lambda f: (private(f) / "key").unlink()),
    "a whole problem": ("private-differs", lambda f: edit_rows(
        private(f) / "problems/test.jsonl", lambda r: r[0].update(question="?"))),
    "a problem's gold": ("private-differs", lambda f: edit_rows(
        private(f) / "problems/test.jsonl", lambda r: r[0].update(answer="99"))),
    "no problems": ("private-differs", lambda f: (private(f) / "problems/test.jsonl").unlink()),
    "a picture that tells": ("answer-leaked", commented),
    "a question that tells": ("answer-leaked", lambda f: edit_rows(
        f / "problems/testmini.jsonl",
        lambda r: r[1].update(diagram=f"see: {record_solution(f, 'a-2')}"))),
    "a description that tells": ("answer-leaked", manifest(lambda m: m.update(
        description=f"{SOLUTION}3 by counting."))),
}  # fmt: skip


@pytest.mark.parametrize("name", PRIVATE)
def test_the_private_folder_is_proved_and_its_words_stand_nowhere_else(
    copy: Path, name: str
) -> None:
    code, damage = PRIVATE[name]
    damage(copy)
    rehash(copy)
    assert code in {d.code for d in verify(copy, private(copy))}


def _exports(release: Path) -> Path:
    return release.with_name(f"{release.name}-exports")


def _tsv(release: Path) -> Path:
    tables = sorted(_exports(release).glob("vlmevalkit/small_test_*.tsv"))
    return next(path for path in tables if "What is $2+1$?\t" in path.read_text())


def _relisted(folder: Path) -> None:
    """exports.json agrees with what stands there."""
    from hashlib import sha256

    def change(known: dict[str, Any]) -> None:
        for name, made in known["formats"].items():
            made["files"] = {
                p.relative_to(folder / name).as_posix(): sha256(p.read_bytes()).hexdigest()
                for p in sorted((folder / name).rglob("*")) if p.is_file()
            }  # fmt: skip

    edit_json(folder / "exports.json", change)


EXPORTS: dict[str, Change] = {
    "a cell": lambda f: _tsv(f).write_text(
        _tsv(f).read_text().replace("What is", "What was")
    ),
    "a row fewer": lambda f: _tsv(f).write_text(
        "".join(_tsv(f).read_text().splitlines(keepends=True)[:-1])
    ),
    "a leaked answer": lambda f: _tsv(f).write_text(
        _tsv(f).read_text().replace("What is $2+1$?\t", "What is $2+1$?\t3")
    ),
    "a file more": lambda f: (_exports(f) / "inspect/notes.txt").write_text("a-2 is 3"),
    "a format more": lambda f: shutil.copytree(private(f), _exports(f) / "private"),
    "a file fewer": lambda f: (_exports(f) / "inspect/task.py").unlink(),
    "another build's": lambda f: edit_json(
        _exports(f) / "exports.json", lambda e: e.update(release="0")
    ),
}


@pytest.mark.parametrize("name", EXPORTS)
def test_exports_beside_the_release_are_proved(
    built: Path, name: str, tmp_path: Path
) -> None:
    kept = {p: p.read_bytes() for p in _exports(built).rglob("*") if p.is_file()}
    try:  # exports name the place of their release: damaged where they lie, and mended
        EXPORTS[name](built)
        assert verify(built), "as it is"
        if name != "another build's":
            _relisted(_exports(built))
            assert verify(built), "with all hashes agreeing"
    finally:
        shutil.rmtree(_exports(built))
        for path, data in kept.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def test_a_table_of_our_own_libraries_has_our_bytes(copy: Path) -> None:
    edit_table(first(copy, "data/text_lite/*"), lambda rows: None)  # the same rows
    rehash(copy)
    assert "parquet-differs" in {d.code for d in verify(copy)}


def test_a_withheld_answer_in_an_export_is_named(built: Path) -> None:
    path = _tsv(built)
    kept = path.read_bytes()
    try:
        EXPORTS["a leaked answer"](built)
        assert "answer-leaked" in {d.code for d in verify(built)}
    finally:
        path.write_bytes(kept)


def test_another_versions_release_is_compared_by_what_it_holds(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Libraries may write other bytes: tables are compared by content, figures are not compared."""
    from benchwright.exports import facts

    proof = import_module(
        "benchwright.exports.verify"
    )  # its function has the same name

    other = facts.libraries() | {"pyarrow": "1.0", "matplotlib": "1.0"}
    monkeypatch.setattr(proof, "libraries", lambda: other)
    edit_table(
        first(copy, "data/text_lite/*"), lambda rows: None
    )  # other bytes, same rows
    svg = first(copy, "figures/*")
    svg.write_text(svg.read_text().replace("\n", "\n\n", 1))
    rehash(copy)
    found = verify(copy)
    assert (list(found), found.unproved) == ([], [svg.relative_to(copy).as_posix()])
    cell("data/text_lite/*", "question", "?")(copy)
    rehash(copy)
    assert {"parquet-differs"} <= {d.code for d in verify(copy)}


@pytest.mark.parametrize("harm", ["changed", "missing", "more", "sums"])
def test_a_quick_look_compares_hashes_alone(tmp_path: Path, harm: str) -> None:
    made = release(tmp_path)
    assert not verify(made, quick=True)
    picture = next((made / "images").iterdir())
    if harm == "changed":
        picture.write_bytes(picture.read_bytes() + b" ")
    elif harm == "missing":
        picture.unlink()
    elif harm == "more":
        (made / "more.txt").write_text("?")
    else:
        (made / "SHA256SUMS").write_text("")
    assert verify(made, quick=True)


def test_a_quick_look_makes_nothing_again(copy: Path) -> None:
    told("README.md", "Proved by others.")(copy)
    rehash(copy)
    found = verify(copy, quick=True)
    assert (list(found), "README.md" in found.unproved) == ([], True)
    assert verify(copy)


@pytest.mark.parametrize(
    ("ours", "theirs", "said"),
    [
        ('{"a":1}', '{"a":1,"b":2}', "line 1: b is not there"),
        ('{"a":1,"b":2}', '{"a":1}', "line 1: b is one too many"),
        ('{"a":1}', '{"a":2}', "line 1: a is 1, not 2"),
        ("[1]", '{"a":2}', "line 1 is '[1]', not"),
    ],
)
def test_the_first_difference_of_two_rows_is_said(
    tmp_path: Path, ours: str, theirs: str, said: str
) -> None:
    from benchwright.exports.compare import difference

    for name, text in (("ours.jsonl", ours), ("theirs.jsonl", theirs)):
        (tmp_path / name).write_text(f"{text}\n")
    assert difference(tmp_path / "ours.jsonl", tmp_path / "theirs.jsonl").startswith(
        said
    )


def test_answers_of_parts_and_comments_in_bytes_are_found(tmp_path: Path) -> None:
    from benchwright.exports.leaks import picture_texts
    from PIL import Image as Pillow

    row = {"id": "a-2", "parts": [{"label": "1", "answer": "7"}]}
    (tmp_path / "rows.json").write_text(json.dumps([row]))
    assert answered(tmp_path / "rows.json", {"a-2": ""}) == ["a-2"]
    buffer = io.BytesIO()
    Pillow.new("RGB", (4, 4)).save(buffer, "JPEG", comment=b"half of both baskets")
    assert "half of both baskets" in list(picture_texts(buffer.getvalue()))


FORGED: dict[str, Change] = {
    "a script on the page": told("index.html", "<script>alert(1)</script>"),
    "a script in the page's data": told("index.data/samples-*", "alert(1);"),
    "a licence text": lambda f: (f / "LICENSES/MIT.txt").write_text("free"),
    "a changelog": told("CHANGELOG.md", "No gold changed."),
    "a card": told("README.md", "Proved by others."),
    "no statistics": lambda f: (f / "statistics.json").write_text("{}"),
    "no schema": lambda f: (f / "schema.json").write_text("{}"),
    "a croissant": lambda f: edit_json(
        f / "croissant.json", lambda c: c.update(url="https://x")
    ),
    "a field written twice": EDITS["a field written twice"][1],
    "a gold": field("problems/testmini.jsonl", "answer", "77"),
    "a sample": field("jsonl/testmini.jsonl", "answer", "77"),
    "a cell": cell(PARQUET, "answer", "77"),
    "a figure": lambda f: first(f, "figures/*").write_text(
        "<svg><script>alert(1)</script></svg>"
    ),
    "a title": manifest(lambda m: m.update(title="T")),
}


@pytest.mark.parametrize("claim", ["tool", "libraries"])
@pytest.mark.parametrize("name", FORGED)
def test_no_claim_of_the_manifest_makes_a_forgery_good(
    copy: Path, name: str, claim: str
) -> None:
    FORGED[name](copy)
    edit_json(
        copy / "manifest.json",
        lambda m: m[claim].update(version="0.0.9", pyarrow="1.0"),
    )
    if claim == "libraries":
        edit_json(copy / "manifest.json", lambda m: m[claim].pop("version"))
    rehash(copy)
    found = verify(copy)
    assert found or found.unproved


def test_exports_without_their_list_and_of_other_code_are_not_good(built: Path) -> None:
    folder = _exports(built)
    kept = (folder / "exports.json").read_bytes()
    task = folder / "inspect/task.py"
    text = task.read_text("utf-8")
    try:
        (folder / "exports.json").unlink()
        assert {"export-differs"} == {d.code for d in verify(built)}
        (folder / "exports.json").write_bytes(kept)
        task.write_text(f"{text}\nimport os; os.system('id')\n", "utf-8")
        _relisted(folder)
        edit_json(
            folder / "exports.json",
            lambda e: e["formats"]["inspect"].update(code="0" * 64),
        )
        found = verify(built)
        assert (list(found), found.unproved) == ([], [f"{folder.name}/inspect/task.py"])
    finally:
        task.write_text(text, "utf-8")
        (folder / "exports.json").write_bytes(kept)
    assert not verify(built).unproved


def test_what_hubs_git_and_desktops_leave_is_no_damage(copy: Path) -> None:
    (copy / ".gitattributes").write_text("*.parquet filter=lfs\n")
    for name in (
        ".git/HEAD",
        ".cache/huggingface/x.json",
        "data/.DS_Store",
        "images/Thumbs.db",
    ):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text("{}")
    assert (list(verify(copy)), verify(copy).unproved) == ([], [])
    shutil.copy(private(copy) / "answers.jsonl", copy / ".cache/answers.jsonl")
    assert {"answer-leaked"} == {d.code for d in verify(copy)}


def test_a_release_made_anew_is_not_the_one_that_is_expected(copy: Path) -> None:
    from benchwright.release import fingerprint

    published = fingerprint(copy)
    assert not verify(copy, expect=published)
    edit_json(copy / "manifest.json", lambda m: m.update(title="T"))
    rehash(copy)
    assert "not-expected" in {d.code for d in verify(copy, expect=published)}


@pytest.mark.parametrize(
    "row", ['{"id": null}', '{"id": true, "salt": "x"}', "[]", "[" * 5000]
)
def test_rows_that_are_no_answers_are_told(copy: Path, row: str) -> None:
    (private(copy) / "answers.jsonl").write_text(f"{row}\n")
    assert "answers-invalid" in {d.code for d in verify(copy, private(copy))}


def test_withheld_answers_are_readable_by_their_owner_alone(built: Path) -> None:
    history = built.with_name(f"{built.name}-history")
    for folder in (private(built), built.parent / "work", history):
        assert folder.stat().st_mode & 0o077 == 0
    files = [path for path in private(built).rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if path.stat().st_mode & 0o077]


@pytest.mark.parametrize("suffix", [".parquet", ".json", ".jsonl", ".csv", ".tsv"])
def test_withheld_words_are_found_in_every_kind_of_table(
    tmp_path: Path, suffix: str
) -> None:
    """Also beside a column of pictures, which is not read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    row = {"id": "a-2", "answer": "7", "hint": "half of both baskets"}
    path, cut = tmp_path / f"table{suffix}", "\t" if suffix == ".tsv" else ","
    if suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist([{"images": [b"x"]} | row]), path)
    elif suffix.startswith(".json"):
        path.write_text(json.dumps(row) + "\n")
    else:
        path.write_text(f"{cut.join(row)}\n{cut.join(row.values())}\n")
    assert answered(path, {"a-2"}) == ["a-2"]
    assert answered(path, {"a-3"}) == []
    assert "half of both baskets" in list(texts_of_file(path))
