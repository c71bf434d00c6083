"""Killed, out of space, without the right to write, twice at once: the next run makes it whole.

Moments are counted: touches of the disk below the job's folder, requests to the model. One by
default; `make crash` takes 40 for each job (`KILLS`), 320 in all. `annotate push` and `pull` have
the same in tests/annotate/projects/test_kills.py.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from benchwright import build_release
from benchwright.base.files import write_jsonl
from benchwright.dedup import find_pairs
from benchwright.evaluate.scoring import score
from benchwright.release import read_samples
from fuzzing import PRIVATE_KEY
from killing import killed_at, moments
from llm_server import llm_server
from small import dump

KILLS = int(os.environ.get("KILLS", "1"))
ROOM = 64  # KiB of a disk that is too small for every job

BUILD = """
from benchwright.building.build import build_release
build_release({recipe!r}, {out!r}, commitment_key={key!r})
"""
SCORE = """
from benchwright.evaluate.scoring.score import score
score({release!r}, {predictions!r}, "testmini", {out!r})
"""
EXPORT = """
from benchwright.exports.formats import export
export("vlmevalkit", {release!r}, {out!r})
"""
EVIDENCE = """
from benchwright.dedup.evidence import write_evidence
write_evidence({pairs!r}, {problems!r}, {out!r}, images={work!r})
"""
# each request is a moment too: killed before it is sent, or after its reply came
PREDICT = """
import httpx
_send = httpx.Client.send
def _counted(*args, **options):
    _watch("open", [_below])
    reply = _send(*args, **options)
    _watch("open", [_below])
    return reply
httpx.Client.send = _counted
from benchwright.evaluate.inference.ask_model import predict
from benchwright.llm import Model
predict({release!r}, "testmini", Model(name="m", base_url={url!r}, concurrency=2, retries=1),
        {out!r} + "/replies.jsonl")
"""
SIGN = """
from pathlib import Path
from benchwright.base.files import write_bytes
from benchwright.base.statement import sign
for name in ("manifest.json", "statement.json"):
    write_bytes(Path({out!r}) / "release" / name, (Path({release!r}) / name).read_bytes())
sign({out!r} + "/release", key={signing!r})
"""
BOARD = """
from benchwright.evaluate.runs.leaderboard import leaderboard
leaderboard([{scores!r}], {out!r}, release={release!r}, papers=True)
"""
SITE = """
from benchwright.hub.site import site
site({release!r}, [{scores!r}], out={out!r} + "/site")
"""
JOBS = {"build": BUILD, "score": SCORE, "export": EXPORT, "dedup": EVIDENCE, "predict": PREDICT,
        "sign": SIGN, "board": BOARD, "site": SITE}  # fmt: skip


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """What the jobs need: a recipe, a release, predictions, pairs of duplicates, a model."""
    folder = tmp_path_factory.mktemp("given")
    stages = ["check", {"dedup": {"threshold": 0.85}}]
    recipe = dump(
        folder, stages=stages, withhold_answers=["test"], exports=["vlmevalkit"]
    )
    (folder / "key").write_text("5" * 64)
    release = build_release(
        recipe, folder / "out", commitment_key=folder / "key"
    ).release
    replies = [
        {"id": s.id, "response": f"so {s.answer}"}
        for s in read_samples(release, "testmini")
    ]
    predictions = folder / "predictions.jsonl"
    predictions.write_text("".join(json.dumps(row) + "\n" for row in replies))
    problems = folder / "out/work/00-read/problems.jsonl"
    work = folder / "out/work"
    write_jsonl(folder / "pairs.jsonl", find_pairs(problems, 0.5, images=work))
    (folder / "signing.pem").write_text(PRIVATE_KEY)
    score(release, predictions, "testmini", folder / "scores")
    with llm_server(lambda body: "The answer is 4.") as server:
        yield {
            "recipe": str(recipe), "key": str(folder / "key"), "release": str(release),
            "predictions": str(predictions), "pairs": str(folder / "pairs.jsonl"),
            "problems": str(problems), "work": str(work), "url": server.base_url,
            "signing": str(folder / "signing.pem"), "scores": str(folder / "scores"),
        }  # fmt: skip


def code_of(job: str, given: dict[str, str], out: Path) -> str:
    return JOBS[job].format(**given, out=str(out))


def made(out: Path) -> dict[str, bytes]:
    """What a job leaves for others: nothing hidden, no work, no cache."""
    files = {
        p.relative_to(out).as_posix(): p for p in sorted(out.rglob("*")) if p.is_file()
    }
    return {
        name: path.read_bytes()
        for name, path in files.items()
        if not name.startswith(("work/", "."))
        and "/." not in name
        and ".db" not in name
    }


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("job", JOBS)
def test_a_job_killed_at_any_moment_is_done_by_the_next_run(
    given: dict[str, str], tmp_path: Path, job: str
) -> None:
    out = tmp_path / "out"
    code = code_of(job, given, out)
    count = moments(code, out)
    whole = made(out)
    assert whole
    chance = random.Random(f"{job} {KILLS}")
    killed = 0
    for moment in sorted(chance.sample(range(1, count + 1), min(KILLS, count))):
        shutil.rmtree(out)
        killed += killed_at(moment, code, out)
        again = run(code)
        assert again.returncode == 0, (
            f"after moment {moment} of {count}: {again.stderr}"
        )
        assert made(out) == whole, f"killed at moment {moment} of {count}"
        assert [path.name for path in out.rglob(".*.part")] == [], (
            "cleared by who comes after"
        )
    assert killed >= min(KILLS, count) - 1
    print(f"{job}: {killed} kills at {count} moments, same bytes")


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[None]:
    """A small disk in memory; a skip where it may not be mounted."""
    folder.mkdir(exist_ok=True)
    if not shutil.which("mount") or os.geteuid() != 0:
        pytest.skip("a disk in memory needs root")
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"a disk in memory cannot be mounted: {done.stderr!r}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def remount(folder: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", str(folder)], check=True)


@pytest.mark.parametrize("job", JOBS)
def test_a_full_disk_and_one_that_is_read_only_are_named(
    given: dict[str, str], tmp_path: Path, job: str
) -> None:
    """The error names the file and the cause; with room and the right to write it is done."""
    code = code_of(job, given, tmp_path / "whole")
    assert run(code).returncode == 0
    small = code_of(job, given, tmp_path / "disk/out")
    with mounted(tmp_path / "disk", f"size={ROOM}k"):
        (tmp_path / "disk/ballast").write_bytes(bytes(ROOM * 1024 - 4096))
        failed = run(small)
        assert failed.returncode != 0
        assert "Error: cannot write" in failed.stderr, failed.stderr
        (tmp_path / "disk/ballast").unlink()
        remount(tmp_path / "disk", "ro,size=50m")
        failed = run(small)
        assert failed.returncode != 0
        assert "Error: cannot write" in failed.stderr, failed.stderr
        remount(tmp_path / "disk", "rw,size=50m")
        done = run(small)
        assert done.returncode == 0, done.stderr
        found = made(tmp_path / "disk/out")
    wanted = made(tmp_path / "whole")
    assert found.keys() == wanted.keys()


@pytest.mark.parametrize("job", ["build", "score", "predict"])
def test_two_at_once_are_as_one(
    given: dict[str, str], tmp_path: Path, job: str
) -> None:
    """One waits for the other, or is refused by name; what is there in the end is whole."""
    alone = code_of(job, given, tmp_path / "out")
    assert run(alone).returncode == 0
    whole = made(tmp_path / "out")
    shutil.rmtree(tmp_path / "out")
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(run, [alone, alone]))
    assert any(done.returncode == 0 for done in both), both[0].stderr + both[1].stderr
    assert all("Error: " in done.stderr for done in both if done.returncode), both
    again = run(alone)
    assert again.returncode == 0, again.stderr
    assert made(tmp_path / "out") == whole
