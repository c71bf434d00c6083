"""Releases from anywhere: no command opens a file outside them, or stumbles over their shape."""

from __future__ import annotations

import base64
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchwright.cli import main
from benchwright.errors import UserError
from benchwright.release import all_problems, all_samples, read_problems, read_samples
from small import dump, release, write_rows

SECRET = b"SECRET-root:x:0:0"
COMMANDS = {
    "verify": "verify {release}",
    "diff": "diff {release} {release}",
    "show": "show {release} a-1",
    "score": "score {release} {replies} --split test --out {out}",
    "compare": "compare {release} {replies} {replies} --split test",
    "predict": "predict {release} --split test --baseline random --out {out}/replies.jsonl",
    "booklets": "evaluate booklets {release} --split test --number 2 --out {out}",
    "humans": "evaluate humans {release} {people} --split test --out {out}",
    "legibility": "render legibility {release}",
    "contact": "render contact {release} --out {out}/contact.html",
    **{
        name: f"export {name} {{release}} --out {{out}}"
        for name in "vlmevalkit lmms-eval inspect math-v we-math mathverse mm-math".split()
    },
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return release(tmp_path_factory.mktemp("sound"))


def rewrite(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    change(rows[0])
    write_rows(path, rows)


def picture(row: dict[str, Any], path: str) -> dict[str, Any]:
    return {"path": path, "sha256": "0" * 64, "width": 8, "height": 6, "role": "figure"}


def in_images(path: str) -> Callable[[Path], None]:
    """The pictures of the first problem and of the first sample lie at `path`."""

    def damage(folder: Path) -> None:
        for file in ("jsonl/test.jsonl", "problems/test.jsonl"):
            rewrite(folder / file, lambda row: row.update(images=[picture(row, path)]))

    return damage


def through_a_link(folder: Path) -> None:
    (folder / "images" / "link.png").symlink_to(folder.parent / "secret.txt")
    in_images("images/link.png")(folder)


OUTSIDE = ("leaves its folder", "is not relative")
DAMAGES = {
    "above": in_images("../secret.txt"),
    "absolute": lambda folder: in_images(str(folder.parent / "secret.txt"))(folder),
    "backslashes": in_images("..\\secret.txt"),
    "a link": through_a_link,
}


def run(
    capfd: pytest.CaptureFixture[str], line: str, **places: Path | str
) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stop:
        main([word.format(**places) for word in line.split()])
    captured = capfd.readouterr()
    return int(stop.value.code or 0), captured.out + captured.err


def places(folder: Path, tmp_path: Path) -> dict[str, Path]:
    ids = [row["id"] for row in map(json.loads, (folder / "jsonl/test.jsonl").open())]
    replies, people = tmp_path / "replies.jsonl", tmp_path / "people.csv"
    write_rows(replies, [{"id": name, "response": "4"} for name in ids])
    people.write_text("id,person,answer\n" + "".join(f"{name},ann,4\n" for name in ids))
    return {
        "release": folder,
        "replies": replies,
        "people": people,
        "out": tmp_path / "made",
    }


@pytest.mark.parametrize(
    "name", sorted(COMMANDS.keys() - {"we-math", "mathverse", "mm-math"})
)  # need steps, versions, no options
def test_the_commands_read_a_sound_release(
    sound: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    """Otherwise the refusals below could be about something else."""
    (tmp_path / "made").mkdir()
    code, said = run(capfd, COMMANDS[name], **places(sound, tmp_path))
    assert code == 0, said


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_reads_a_file_outside_the_release(
    sound: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    name: str,
    damage: str,
) -> None:
    folder = tmp_path / "from-elsewhere"
    shutil.copytree(sound, folder)
    (tmp_path / "secret.txt").write_bytes(SECRET)
    DAMAGES[damage](folder)
    given = places(folder, tmp_path)
    given["out"].mkdir()
    code, said = run(capfd, COMMANDS[name], **given)
    assert code == 1, said
    assert any(word in said for word in (*OUTSIDE, "no file of images/"))
    written = b"".join(p.read_bytes() for p in given["out"].rglob("*") if p.is_file())
    for spelling in (SECRET, base64.b64encode(SECRET)[:20]):
        assert spelling not in said.encode() + written


@pytest.mark.parametrize("part", ["steps", "samples"])
def test_pictures_of_steps_and_versions_are_guarded_too(
    sound: Path, tmp_path: Path, part: str
) -> None:
    folder = tmp_path / "from-elsewhere"
    shutil.copytree(sound, folder)
    sample = json.loads((folder / "jsonl/test.jsonl").read_text().splitlines()[0])
    del sample["canary"]
    inner = {"steps": {"question": "?"}, "samples": sample}[part]
    inner["images"] = [picture(inner, "../secret.txt")]
    rewrite(folder / "problems/test.jsonl", lambda row: row.update({part: [inner]}))
    with pytest.raises(UserError, match="leaves its folder"):
        read_problems(folder, "test")


SOUND = {
    "name": "x",
    "version": "1",
    "canary": "c",
    "sources": [],
    "splits": {"test": {}},
}


@pytest.mark.parametrize(
    "manifest",
    ["[]", "{}", '{"splits": ["test"]}', "{", "\xff", "[" * 5000,
     *(json.dumps(SOUND | change) for change in (
         {"splits": {"../x": {}}}, {"splits": {"test": None}}, {"name": "../x"}, {"version": None},
         {"sources": [1]}, {"changelog": [1]}, {"canary": None}, {"answers": []}))],
)  # fmt: skip
def test_an_odd_manifest_is_one_clear_error(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], manifest: str
) -> None:
    (tmp_path / "manifest.json").write_text(manifest, "latin-1")
    for line in ("verify {release}", "show {release} a-1", "render contact {release}"):
        code, said = run(capfd, line, release=tmp_path)
        assert (code, said.startswith("Error: ")) == (1, True)


@pytest.mark.parametrize("path", ["jsonl/test.jsonl", "problems/test.jsonl", "images"])
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_a_pipe_or_device_in_a_files_place_is_not_waited_for(
    sound: Path, tmp_path: Path, path: str, make: Callable[[Path], object]
) -> None:
    folder = tmp_path / "from-elsewhere"
    shutil.copytree(sound, folder)
    place = folder / path if path != "images" else next((folder / path).iterdir())
    place.unlink()
    make(place)
    with pytest.raises(UserError, match=r"is no file|leaves its folder"):
        list(all_samples(folder)), list(all_problems(folder))


@pytest.mark.parametrize("line", [b"[1]\n", b"{\n", b"\xff\n", b'{"id": 1}\n'])
def test_a_damaged_line_is_named(sound: Path, tmp_path: Path, line: bytes) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(sound, folder)
    with (folder / "jsonl" / "test.jsonl").open("ab") as file:
        file.write(line)
    count = len(read_samples(sound, "test"))
    with pytest.raises(UserError, match=rf"test\.jsonl:{count + 1}: "):
        read_samples(folder, "test")


def test_all_samples_are_those_of_every_split(sound: Path) -> None:
    found = [sample.id for sample in all_samples(sound)]
    assert sorted(found) == sorted(
        sample.id
        for split in ("test", "testmini")
        for sample in read_samples(sound, split)
    )


def test_an_earlier_release_is_read_with_the_same_guards(
    sound: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(sound, tmp_path / "old")
    in_images("../secret.txt")(tmp_path / "old")
    recipe = dump(tmp_path, previous="old", version="1.0.1")
    code, said = run(capfd, "build-release {recipe} --out {out} --jobs 1", recipe=recipe,
                     out=tmp_path / "out")  # fmt: skip
    assert (code, "leaves its folder" in said) == (1, True)


# what each says of the problems of a release, whose pictures it has found: they show nothing
PROBLEM_COMMANDS = {
    "taxonomy check math-v {problems} --field subject": "problems, 0 findings",
    "dedup pairs {problems}": "questions",
    "render versions {problems} -o {out}": "10 x 6 pixels shows nothing",
    "render page {problems} -o {out} --id {first}": "10 x 6 pixels shows nothing",
    "annotate vote {votes} --field subject --problems {problems} -o {out}/v.jsonl": "0",
    "annotate advise {problems} --tree math-v --model m --votes {out}/a.jsonl --offline": "cache",
    "convert assist ask {problems} --task rephrase --model m -o {out}/r.jsonl --offline "
    "--cache {out}/c.sqlite": "cache",
}


@pytest.mark.parametrize("place", ["problems/test.jsonl", "."], ids=["file", "folder"])
@pytest.mark.parametrize("line", PROBLEM_COMMANDS)
def test_commands_on_problems_take_those_of_a_release(
    sound: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    line: str,
    place: str,
) -> None:
    write_rows(tmp_path / "votes.jsonl", [])
    _, said = run(
        capfd,
        line,
        problems=sound / place,
        out=tmp_path / "out",
        votes=tmp_path / "votes.jsonl",
        first=read_problems(sound, "test")[0].id,
    )
    assert PROBLEM_COMMANDS[line] in said
    assert "not a problem" not in said
