"""A version of benchwright: made and checked by one command, cut and tagged by another.

    python docs/release.py check                  # wheel and sdist into dist/, tried from there
    python docs/release.py cut 0.3.0 2027-01-31   # version, changelog, commit, tag; pushes nothing

`check` builds what git tracks, looks at names and metadata, and in new environments runs what the
README's first screen shows: by `pip install`, and by `uvx` where uv is there.
"""

from __future__ import annotations

import email
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONSOLES = runpy.run_path(str(ROOT / "tests/support/consoles.py"))
MOST = 40  # lines of a version in the changelog: it is read in a minute
WIDEST = 120  # characters of one
VERSIONED = {  # file -> how its line with the version begins
    "pyproject.toml": 'version = "',
    "__init__.py": '__version__ = "',
    "CITATION.cff": "version: ",
}
FIRST = """
import doctest, re, sys
text = open(sys.argv[1], encoding="utf-8").read()
block = re.search(r"```python\\n(.*?)```", text, re.S)[1]
test = doctest.DocTestParser().get_doctest(block, {}, "README", sys.argv[1], 0)
sys.exit(doctest.DocTestRunner().run(test).failed or not test.examples)
"""


def run(*command: object, cwd: Path = ROOT) -> None:
    print("$", *command, flush=True)
    subprocess.run([str(word) for word in command], cwd=cwd, check=True)


def check() -> None:
    """Build both, look at them, install the wheel alone, and run the README's first screen."""
    dist = ROOT / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        run("git", "clone", "--quiet", ROOT, place / "source")
        run(sys.executable, "-m", "build", "--outdir", dist, place / "source")
        (wheel,), (sdist,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
        look_at(wheel, sdist)
        run(sys.executable, "-m", "venv", place / "new")
        run(place / "new/bin/pip", "install", "--quiet", wheel, cwd=place)
        run(place / "new/bin/python", "-c", FIRST, ROOT / "README.md", cwd=place)
        first_screen([place / "new/bin/python", "-m"], place / "by-pip")
        if uv := shutil.which(
            "uv", path=f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin"
        ):
            first_screen([uv, "tool", "run", "--from", wheel], place / "by-uvx")
    print(f"good: {wheel.name}, {sdist.name}")


def look_at(wheel: Path, sdist: Path) -> None:
    """Names and metadata; an AssertionError says what is missing."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (place,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        told = email.message_from_bytes(archive.read(place))
    assert {name.split("/")[0].split("-")[0] for name in names} == {"benchwright"}, (
        "bare names"
    )
    urls = {line.split(",")[0] for line in told.get_all("Project-URL", [])}
    assert (
        urls
        == set(settings["urls"])
        >= {"Homepage", "Documentation", "Changelog", "Issues"}
    )
    assert set(told.get_all("Provides-Extra", [])) == set(
        settings["optional-dependencies"]
    )
    assert told["Requires-Python"] == settings["requires-python"]
    assert told["Version"] == settings["version"]
    assert told.get_payload(), "no readme"
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {"README.md", "LICENSE", "pyproject.toml", "front_door.py"} <= inside


def first_screen(start: list[object], place: Path) -> None:
    """What the README's first minute shows, in an empty folder, without a checkout."""
    text = (ROOT / "README.md").read_text("utf-8")
    place.mkdir()
    blocks, sessions, differences = (
        CONSOLES[n] for n in ("blocks", "sessions", "differences")
    )
    for language, _, block in blocks(text):
        for command, shown in sessions(block) if language == "console" else ():
            words = [*map(str, start), *shlex.split(command)]
            print("$", *words, flush=True)
            done = subprocess.run(
                words, cwd=place, capture_output=True, text=True, check=False
            )
            printed = done.stdout + done.stderr
            assert done.returncode == 0, printed
            assert not (missing := differences(shown, printed)), f"{missing}\n{printed}"


def cut(version: str, date: str) -> None:
    """Write the version and the changelog, commit and tag them; nothing is pushed.

    A changelog of more than MOST lines, or wider ones, waits for its author: the same command goes
    on.
    """
    assert re.fullmatch(r"\d+\.\d+\.\d+", version), f"{version!r} is no version"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", date), f"{date!r} is no date"
    changelog = ROOT / "CHANGELOG.md"
    heading = f"\n## [{version}] - "
    if heading not in changelog.read_text("utf-8"):
        run("git", "diff", "--quiet", "HEAD")  # nothing else may go along
        for name, begins in VERSIONED.items():
            path = ROOT / name
            text = path.read_text("utf-8")
            new, count = re.subn(
                rf"(?m)^{re.escape(begins)}[\d.]+", f"{begins}{version}", text
            )
            assert count == 1, f"{name} has {count} lines {begins!r}"
            path.write_text(new, "utf-8")
        run(sys.executable, "docs/changelog.py", version, date)
    section = changelog.read_text("utf-8").partition(heading)[2].partition("\n## [")[0]
    lines = [
        line for line in section.splitlines()[1:] if line and not line.startswith("#")
    ]
    if len(lines) > MOST:
        sys.exit(
            f"{len(lines)} lines are new in CHANGELOG.md: make them {MOST}, then run this again"
        )
    if wide := [line for line in lines if len(line) > WIDEST]:
        sys.exit(f"longer than {WIDEST} characters, shorten it: {wide[0]}")
    ours = [*VERSIONED, "CHANGELOG.md", "changelog.d"]
    run(
        "git",
        "diff",
        "--quiet",
        "HEAD",
        "--",
        ".",
        *(f":(exclude){name}" for name in ours),
    )
    run("git", "add", "--all", *ours)
    run("git", "commit", "--quiet", "-m", f"Version {version}")
    run("git", "tag", "-a", f"v{version}", "-m", f"benchwright {version}")
    print(
        f"tagged v{version}; now: make release, git push, git push --tags, upload dist/"
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["check"]:
        check()
    elif sys.argv[1:2] == ["cut"]:
        cut(*sys.argv[2:])
    else:
        sys.exit(__doc__)
