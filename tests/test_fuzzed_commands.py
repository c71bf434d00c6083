"""Commands with wrong, missing, empty and doubled arguments: a clear line, never a traceback.

Two hundred commands are drawn from the command table itself, each from its own name and number, so
that a new command or option is tried without anybody thinking of it. `COMMANDS=800` draws more.
"""

from __future__ import annotations

import gzip
import os
import random
import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from benchwright.base.files import write_jsonl
from benchwright.cli import cli
from click.testing import CliRunner
from command_tree import commands
from layouts import released, two_sources
from msgspec import to_builtins
from small import write_rows
from small_releases import make_result, make_run, write_run

ALL = dict(commands())
# commands drawn of each, so that there are 200 at least
EACH = -(-int(os.environ.get("COMMANDS", "200")) // len(ALL))
DRAWN = [(name, number) for name in ALL for number in range(EACH)]
# These go on until they are stopped: they are tried with what they must refuse.
SERVING = ("view", "annotate serve")
# Addresses are not drawn: a server that does not answer is waited for.
UNDRAWN = frozenset({"base_url", "model__base_url", "url", "judge__base_url"})
# What a parameter of this name means, so that half of the commands come further than its check.
MEANT = {
    "release": ("release", "steps", "."),
    "problems": ("problems.jsonl",),
    "recipe": ("recipe.yaml",),
    "predictions": (
        "replies.jsonl",
        "marked.jsonl",
        "windows.jsonl",
        "packed.jsonl.gz",
    ),
    "replies": ("replies.jsonl",),
    "runs": ("run",),
    "a": ("run", "replies.jsonl"),
    "b": ("run", "replies.jsonl"),
    "old": ("release", "steps"),
    "new": ("release", "."),
    "folder": ("release", "run", "."),
    "folders": ("run",),
    "problem_id": ("a-1", "1"),
    "scores": ("run",),
    "votes": ("votes.jsonl",),
    "ledger": ("votes.jsonl",),
    "split": ("test",),
    "field": ("subject", "answer"),
    "tree": ("math-v",),
    "out": ("made", "made/deeper.jsonl"),
    "format": ("math-v", "inspect", "we-math"),
}
TEXTS = ("", " ", "x", "ü", "../..", "a=b", "=", "-1", "null", "{}", "x" * 3000)
NUMBERS = ("", "x", "-1", "0", "1", "2.5", "nan", "none")


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the arguments may name: releases, a run, tables, garbage, files in odd forms."""
    folder = tmp_path_factory.mktemp("material")
    rows = [to_builtins(problem) for problem in two_sources("math-v", folder)]
    write_rows(folder / "problems.jsonl", rows)
    where = {"name": "a", "reader": "problems", "path": "problems.jsonl"}
    release = released(folder, **where, benchmark="math-v")
    shutil.move(release, folder / "release")
    shutil.rmtree(folder / "out")
    replies = [{"id": row["id"], "response": "5"} for row in rows]
    write_jsonl(folder / "replies.jsonl", replies)
    results = [make_result(row["id"], k % 2 > 0) for k, row in enumerate(rows)]
    write_run(folder / "run", make_run("run", results))
    votes = [{"problem_id": row["id"], "field": "subject", "value": "algebra",
              "annotator": "ada"} for row in rows]  # fmt: skip
    write_rows(folder / "votes.jsonl", votes)
    (folder / "table.csv").write_text("id,question,answer\n1,1+1?,2\n1,,\n", "utf-8")
    (folder / "garbage").write_bytes(b"\x00\xff{]" * 50)
    (folder / "empty.jsonl").touch()
    (folder / "null.json").write_text("null", "utf-8")
    (folder / "list.yaml").write_text("[1, {a: b}]\n", "utf-8")
    of_another_kind(folder)
    return folder


def of_another_kind(folder: Path) -> None:
    """The same material as it comes from elsewhere, and a release of another paper."""
    plain = (folder / "replies.jsonl").read_bytes()
    (folder / "marked.jsonl").write_bytes(b"\xef\xbb\xbf" + plain)
    (folder / "windows.jsonl").write_bytes(plain.replace(b"\n", b"\r\n"))
    (folder / "packed.jsonl.gz").write_bytes(gzip.compress(plain))
    (folder / "cut.jsonl.gz").write_bytes(gzip.compress(plain)[:20])
    (folder / "wide.csv").write_bytes("id,answer\n1,2\n".encode("utf-16"))
    (folder / "empty").mkdir()
    (folder / "folder.json").mkdir()
    other = folder / "other"
    other.mkdir()
    write_jsonl(other / "problems.jsonl", two_sources("we-math", other))
    where = {"name": "a", "reader": "problems", "path": "problems.jsonl"}
    shutil.move(released(other, **where, benchmark="we-math"), folder / "steps")
    shutil.rmtree(other)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither network, nor waiting for it, nor this user's own Label Studio."""

    connect = socket.socket.connect

    def near(own: socket.socket, address: Any) -> None:
        if not str(address[0]).startswith("127."):
            raise OSError("no network in this test")
        connect(own, address)

    monkeypatch.setattr(socket.socket, "connect", near)
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    for name in ("OPENAI_API_KEY", "HF_TOKEN", "LABEL_STUDIO_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def values(parameter: click.Parameter, folder: Path, draw: random.Random) -> str:
    kind = parameter.type
    meant = MEANT.get(parameter.name or "")
    if meant and draw.random() < 0.5:
        return draw.choice(meant)
    if isinstance(kind, click.Choice):
        return draw.choice(["", "x", *map(str, kind.choices)])
    if isinstance(kind, click.types.IntParamType | click.types.FloatParamType):
        return draw.choice(NUMBERS)
    names = sorted(path.name for path in folder.iterdir())
    paths = [*names, "nowhere", "nowhere/deeper", "", "."]
    if isinstance(kind, click.Path):
        return draw.choice(paths)
    return draw.choice([*TEXTS, *paths, *NUMBERS])


def drawn(command: click.Command, folder: Path, draw: random.Random) -> Iterator[str]:
    """Words behind a command: each parameter is left out, given, given badly or twice."""
    for parameter in command.params:
        if parameter.name in UNDRAWN:
            continue
        is_argument = isinstance(parameter, click.Argument)
        chance = 0.9 if parameter.required or is_argument else 0.15
        times = draw.choice((1, 1, 1, 2)) if draw.random() < chance else 0
        for _ in range(times):
            if is_argument:
                # A word that begins with a dash would be an option.
                yield values(parameter, folder, draw).lstrip("-")
                continue
            yield draw.choice(parameter.opts)
            if not (isinstance(parameter, click.Option) and parameter.is_flag):
                for _ in range(parameter.nargs):
                    yield values(parameter, folder, draw)


@pytest.mark.parametrize(("name", "number"), DRAWN)
def test_whatever_is_typed_is_answered(
    name: str,
    number: int,
    material: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "here"
    shutil.copytree(material, folder)
    monkeypatch.chdir(folder)
    draw = random.Random(f"{name} {number}")
    words = [*name.split(), *drawn(ALL[name], folder, draw)]
    if name in SERVING:
        words.append("--no-such-option")
    done = CliRunner().invoke(cli, words, input="")
    text = f"{words}\n{done.output}\n{done.exception!r}"
    assert done.exit_code in (0, 1, 2), text
    is_clear = done.exception is None or isinstance(
        done.exception, SystemExit | click.ClickException
    )
    if not is_clear:  # errors of ours are printed where the program begins
        assert type(done.exception).__module__ == "benchwright.errors", text
    assert "Traceback" not in done.output, text
