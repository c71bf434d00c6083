"""A real cluster: a scheduler and worker processes, some of them unfit, one lost in the middle."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from benchwright import build_release, score
from benchwright.base.files import sha256_tree
from benchwright.errors import MachineError, UserError
from benchwright.pipeline import Engine, dask_cluster
from small import dump
from small_releases import make_sample, write_predictions, write_release

pytest.importorskip("distributed", reason="needs the extra `scale`")
pytestmark = pytest.mark.xdist_group("cluster")
ROWS = 300
PACKAGE = Path(__file__).resolve().parents[2]
# a stage that a test can watch, and in which a worker can die, once
STAGE = """
import os, signal, time
from pathlib import Path
from benchwright import stage

@stage("watched")
def watched(problem, *, context):
    from benchwright.base.pictures import load_picture
    for image in problem.images:
        load_picture(context.work, image)
    with open(context.recipe_folder / "ran", "a") as log:
        log.write("x")
    time.sleep(float(os.environ.get("SLOW", 0)))
    orders = context.recipe_folder / "orders"  # "<problem> <pid or self> [signal]", done once
    try:
        order = orders.read_text().split()
    except FileNotFoundError:
        order = [""]
    if order[0] == problem.id:
        pid, *sent = order[1:]
        os.rename(orders, orders.with_name("done"))
        number = getattr(signal, sent[0]) if sent else signal.SIGKILL
        os.kill(os.getpid() if pid == "self" else int(pid), number)
    context.record("seen", {"id": problem.id})
    return problem
"""


class Cluster:
    """A scheduler and workers as processes; `close` ends those that it started."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self.scheduler("0", file)
        self.until(lambda: file.exists() and file.stat().st_size > 0)
        self.address = json.loads(file.read_text())["address"]

    def scheduler(self, port: str, file: Path) -> None:
        self._start(
            "scheduler", "--port", port, "--no-dashboard", "--scheduler-file", str(file)
        )

    def worker(
        self,
        threads: int = 1,
        before: tuple[str, ...] = (),
        env: dict[str, str] | None = None,
        wait: bool = True,
    ) -> subprocess.Popen[bytes]:
        name = f"w{len(self.processes)}"
        process = self._start(
            "worker", self.address, "--nthreads", str(threads), "--no-dashboard", "--no-nanny",
            "--name", name, "--local-directory", str(self.folder / name), before=before, env=env,
        )  # fmt: skip
        if wait:
            self.until(
                lambda: f"worker:{name}" in self._known() or process.poll() is not None
            )
        return process

    def _known(self) -> str:
        from distributed import Client

        with Client(self.address, timeout=120) as client:
            workers = client.scheduler_info(n_workers=-1)["workers"].values()
        return " ".join(f"worker:{w['name']}" for w in workers)

    def _start(
        self,
        *words: str,
        before: tuple[str, ...] = (),
        env: dict[str, str] | None = None,
    ) -> subprocess.Popen[bytes]:
        command = [
            *before,
            sys.executable,
            "-m",
            "distributed.cli.dask_" + words[0],
            *words[1:],
        ]
        with (self.folder / "log").open("ab") as log:
            process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env=os.environ | (env or {}),
            )
        self.processes.append(process)
        return process

    def until(self, holds: Callable[[], bool]) -> None:
        import time

        for _ in range(3000):  # a backstop
            if holds():
                return
            time.sleep(0.1)
        raise AssertionError((self.folder / "log").read_text()[-2000:])

    def close(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    made = Cluster(folder)
    yield made
    made.close()


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "stage.py").write_text(STAGE)
    return dump(tmp_path / "data", ROWS, stages=["latex", "watched", "check"])


def build(recipe: Path, out: Path, engine: Engine | None = None) -> str:
    """The hash of all bytes of the release."""
    plugin = recipe.parent / "stage.py"
    made = build_release(recipe, out, engine=engine or Engine(), plugins=[plugin])
    assert made.reports[0].kept == ROWS
    return sha256_tree(made.release)


def elsewhere(*folders: Path) -> tuple[str, ...]:
    """The start of a command that sees empty folders in the place of these."""
    if subprocess.run(
        ["unshare", "-m", "true"], capture_output=True, check=False
    ).returncode:
        pytest.skip("mount namespaces are not allowed here")
    mounts = " && ".join(f"mount -t tmpfs none {folder}" for folder in folders)
    return ("unshare", "-m", "sh", "-c", f'{mounts} && exec "$@"', "sh")


def test_one_worker_without_our_disk_one_with_threads_and_one_lost(
    recipe: Path, tmp_path: Path, cluster: Cluster, capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    expected = build(recipe, tmp_path / "alone")
    (tmp_path / "out").mkdir()
    cluster.worker(before=elsewhere(tmp_path / "data", tmp_path / "out"))
    cluster.worker(threads=4)
    cluster.worker()
    (recipe.parent / "orders").write_text("a-200 self")
    monkeypatch.chdir(tmp_path)  # the workers stand elsewhere
    engine = Engine(kind="dask", scheduler=cluster.address)
    assert build(recipe, Path("out"), engine) == expected
    said = capfd.readouterr().err
    assert said.count("gets no work") == 1
    assert "is not shared" in said
    assert (recipe.parent / "done").exists()
    assert sum(process.poll() is not None for process in cluster.processes) == 1


def test_machines_with_a_tmp_of_their_own_find_duplicates(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on every cluster: the work folder is shared, scratch of each machine is not."""
    own = tmp_path / "tmp"
    own.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(own))
    recipe = dump(tmp_path / "data", ROWS, stages=["latex", "dedup"])
    (recipe.parent / "stage.py").write_text(STAGE)
    expected = build(recipe, tmp_path / "alone")
    left = tmp_path / "out" / "work" / ".benchwright-dedup.killed.part"
    left.mkdir(parents=True)  # of a build that was killed
    for _ in range(2):
        cluster.worker(before=elsewhere(own), env={"TMPDIR": str(own)})
    engine = Engine(kind="dask", scheduler=cluster.address)
    assert build(recipe, tmp_path / "out", engine) == expected
    assert not [*left.parent.glob(".benchwright-dedup*"), *own.iterdir()]


def test_replies_are_graded_on_a_cluster(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    own = tmp_path / "tmp"
    own.mkdir()
    for _ in range(2):
        cluster.worker(before=elsewhere(own), env={"TMPDIR": str(own)})
    samples = [make_sample(f"a-{k}", str(k)) for k in range(500)]
    release = write_release(tmp_path / "r", {"test": samples})
    said = {f"a-{k}": f"It is {k - k % 2}, or \\boxed{{{k}}}." for k in range(500)}
    path = write_predictions(tmp_path / "p.jsonl", said)
    folders = [tmp_path / "here" / "p", tmp_path / "there" / "p"]
    score(release, path, "test", folders[0])
    shutil.rmtree(tmp_path / "cache")
    found = score(release, path, "test", folders[1], scheduler=cluster.address)
    assert found.scores.accuracy.correct == 500
    assert sha256_tree(folders[0]) == sha256_tree(folders[1])


def test_workers_without_our_disk_are_refused(
    recipe: Path, tmp_path: Path, cluster: Cluster
) -> None:
    (tmp_path / "out").mkdir()
    cluster.worker(before=elsewhere(tmp_path / "data", tmp_path / "out"))
    engine = Engine(kind="dask", scheduler=cluster.address)
    with pytest.raises(
        MachineError,
        match=r"no worker .* can do this work: tcp://.* not (there|shared)",
    ):
        build(recipe, tmp_path / "out", engine)


@pytest.mark.parametrize("whole", [True, False], ids=["another", "broken"])
def test_a_worker_of_another_version_gets_no_work(
    recipe: Path,
    tmp_path: Path,
    cluster: Cluster,
    capfd: pytest.CaptureFixture[str],
    whole: bool,
) -> None:
    other = tmp_path / "other" / "benchwright"
    if whole:
        ignore = shutil.ignore_patterns(
            ".*", "tests", "docs", "examples", "out", "bench"
        )
        shutil.copytree(PACKAGE, other, ignore=ignore)
        (other / "errors.py").open("a").write("# older\n")
    else:
        other.mkdir(parents=True)
        (other / "__init__.py").write_text("raise ImportError('half installed')")
    cluster.worker(env={"PYTHONPATH": str(other.parent)})
    cluster.worker()
    engine = Engine(kind="dask", scheduler=cluster.address)
    assert build(recipe, tmp_path / "out", engine) == build(recipe, tmp_path / "alone")
    said = capfd.readouterr().err
    assert said.count("gets no work") == 1
    assert ("benchwright 0" if whole else "other code") in said


def test_a_scheduler_that_goes_away_costs_nothing_that_was_done(
    recipe: Path, tmp_path: Path, cluster: Cluster
) -> None:
    cluster.worker()
    (recipe.parent / "orders").write_text(f"a-299 {cluster.processes[0].pid}")
    engine = Engine(kind="dask", scheduler=cluster.address, wait=0.05)
    with pytest.raises(MachineError, match="the same command goes on"):
        build(recipe, tmp_path / "out", engine)
    (recipe.parent / "ran").unlink()
    assert build(recipe, tmp_path / "out") == build(recipe, tmp_path / "alone")
    assert (
        recipe.parent / "ran"
    ).stat().st_size <= 2 * ROWS - 64  # alone runs all of them


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        ({"scheduler": "tcp://127.0.0.1:9"}, "no Dask scheduler at tcp://127.0.0.1:9"),
        ({"scheduler_file": Path("never.json")}, "no Dask scheduler at never.json"),
        ({"scheduler": "gateway://hub/1"}, "Dask cannot connect to gateway://hub/1"),
        ({"scheduler": "127.0.0.1"}, "(no Dask scheduler at|cannot connect to) 127"),
        ({"scheduler": "never.json"}, "(no Dask scheduler at|cannot connect to) never"),
    ],
)
def test_a_scheduler_that_is_not_there_is_named(
    recipe: Path, tmp_path: Path, engine: dict[str, Any], said: str
) -> None:
    with pytest.raises((MachineError, UserError), match=said):
        build(recipe, tmp_path / "out", Engine(kind="dask", wait=0.01, **engine))


def test_a_cluster_without_workers_says_how_to_start_one(
    recipe: Path, tmp_path: Path, cluster: Cluster, capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(dask_cluster, "LOOK", 1)
    short = Engine(kind="dask", scheduler=cluster.address, wait=0.03)
    with pytest.raises(MachineError, match="start one: dask worker tcp:"):
        build(recipe, tmp_path / "out", short)
    cluster.worker()
    (recipe.parent / "orders").write_text(
        "a-200 self"
    )  # the only worker dies, and one comes later
    later = threading.Timer(8, cluster.worker, kwargs={"wait": False})
    later.start()
    engine = Engine(kind="dask", scheduler=cluster.address)
    assert build(recipe, tmp_path / "out", engine) == build(recipe, tmp_path / "alone")
    later.join()
    assert "has no worker; start one: dask worker tcp:" in capfd.readouterr().err


def test_a_build_waits_for_a_scheduler_and_a_worker_that_stand_in_a_queue(
    recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scheduler's file is written when its turn comes, long after the build began."""
    monkeypatch.setattr(dask_cluster, "LOOK", 1)
    (tmp_path / "queued").mkdir()
    file = tmp_path / "queued" / "scheduler.json"
    queued: list[Cluster] = []

    def turn_comes() -> None:
        queued.append(Cluster(file.parent))
        queued[0].worker(wait=False)

    later = threading.Timer(3, turn_comes)
    later.start()
    try:
        engine = Engine(kind="dask", scheduler_file=file)
        made = build(recipe, tmp_path / "out", engine)
    finally:
        later.join()
        queued[0].close()
    assert made == build(recipe, tmp_path / "alone")


def test_an_adaptive_cluster_of_the_program_starts_workers_for_a_build(
    recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a notebook has it: whatever manager made the cluster, its client is the current one."""
    from distributed import Client, LocalCluster

    monkeypatch.setattr(dask_cluster, "LOOK", 1)
    with (
        LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address=None) as own,
        Client(own) as client,
    ):
        own.adapt(minimum=0, maximum=2)
        assert not client.nthreads()
        made = build(recipe, tmp_path / "out", Engine(kind="dask"))
        assert client.status == "running"  # it stays the program's
    assert made == build(recipe, tmp_path / "alone")


def test_slow_frozen_and_new_workers_give_the_same_bytes(
    recipe: Path, tmp_path: Path, cluster: Cluster
) -> None:
    """One is slow, one is frozen in the middle of a task and thaws later, one comes meanwhile."""
    cluster.worker(env={"SLOW": "0.02"})
    frozen = cluster.worker()
    (recipe.parent / "orders").write_text(f"a-40 {frozen.pid} SIGSTOP")

    def thaw() -> None:
        cluster.until(lambda: (recipe.parent / "done").exists())
        cluster.worker(wait=False)
        os.kill(frozen.pid, signal.SIGCONT)

    later = threading.Thread(target=thaw)
    later.start()
    engine = Engine(kind="dask", scheduler=cluster.address)
    made = build(recipe, tmp_path / "out", engine)
    later.join()
    assert made == build(recipe, tmp_path / "alone")


def test_a_scheduler_that_starts_again_is_found_again(
    recipe: Path, tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The build goes on by itself, or says how it goes on: nothing is lost."""
    monkeypatch.setattr(dask_cluster, "LOOK", 1)
    cluster.worker(env={"SLOW": "0.01"})
    scheduler = cluster.processes[0]
    (recipe.parent / "orders").write_text(f"a-100 {scheduler.pid}")

    def again() -> None:
        scheduler.wait()
        cluster.scheduler(
            cluster.address.rpartition(":")[2], cluster.folder / "again.json"
        )
        cluster.worker(wait=False)

    later = threading.Thread(target=again)
    later.start()
    engine = Engine(kind="dask", scheduler=cluster.address)
    try:
        made = build(recipe, tmp_path / "out", engine)
    except MachineError:
        later.join()
        made = build(recipe, tmp_path / "out", engine)
    later.join()
    assert made == build(recipe, tmp_path / "alone")


@pytest.mark.parametrize("name", ["a-1", "a-77", "a-150", "a-299"])
def test_a_worker_killed_at_any_problem_costs_nothing_but_its_task(
    recipe: Path, tmp_path: Path, cluster: Cluster, name: str
) -> None:
    cluster.worker()
    cluster.worker()
    (recipe.parent / "orders").write_text(f"{name} self")
    engine = Engine(kind="dask", scheduler=cluster.address)
    assert build(recipe, tmp_path / "out", engine) == build(recipe, tmp_path / "alone")
    assert (recipe.parent / "done").exists()


def test_a_full_disk_on_one_worker_is_named_and_the_next_run_finishes(
    recipe: Path, tmp_path: Path, cluster: Cluster
) -> None:
    """Files of this worker may have 20 kB: its disk is full in the middle of a shard."""
    cluster.worker(before=("prlimit", "--fsize=20000"))
    engine = Engine(kind="dask", scheduler=cluster.address)
    with pytest.raises(MachineError, match=r"File too large.*on worker tcp://"):
        build(recipe, tmp_path / "out", engine)
    cluster.processes[-1].kill()
    cluster.worker()
    assert build(recipe, tmp_path / "out", engine) == build(recipe, tmp_path / "alone")
