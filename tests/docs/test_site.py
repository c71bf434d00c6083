"""The documentation builds without a warning, is whole, and loads nothing from outside."""

from __future__ import annotations

import doctest
import importlib
import inspect
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import benchwright
import pytest
from command_tree import commands

ROOT = Path(__file__).parents[2]
LOADS = {
    "src",
    "srcset",
    "data",
    "poster",
    "action",
    "xlink:href",
}  # attributes that load


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    words = [
        "--fail-on-warning",
        "--keep-going",
        "--quiet",
        "-d",
        str(folder / "trees"),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *words, str(ROOT / "docs"), str(folder / "html")],
        capture_output=True, text=True, check=False, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "html"


class Page(HTMLParser):
    """The ids of a page, where its links lead, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.text = ""
        self.feed(path.read_text("utf-8"))

    def handle_starttag(
        self, tag: str, attributes: list[tuple[str, str | None]]
    ) -> None:
        given = {name: value or "" for name, value in attributes}
        self.ids.add(given.get("id", ""))
        if tag == "a":
            self.links.append(given.get("href", ""))
        elif tag == "link" and given.get("rel") not in (
            "canonical",
            "index",
            "search",
            "next",
            "prev",
        ):
            self.loads.append(given.get("href", ""))
        self.loads += [value for name, value in given.items() if name in LOADS]

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in site.rglob("*.html")}


def test_pages_load_nothing_from_outside(site: Path, pages: dict[Path, Page]) -> None:
    outside = [
        (path.name, address)
        for path, page in pages.items()
        for address in page.loads
        if urlsplit(address).netloc
    ]
    assert outside == []
    for style in site.rglob("*.css"):
        loaded = re.findall(
            r"(?:url\(|@import)\s*[\"']?([^\"')\s;]+)", style.read_text("utf-8")
        )
        assert [a for a in loaded if urlsplit(a).netloc] == [], style.name
    for script in site.rglob("*.js"):
        calls = r"(?:fetch|open|importScripts|import)\(\s*[\"'](?:\w+[\"'],\s*[\"'])?(?:https?:)?//"
        assert re.findall(calls, script.read_text("utf-8")) == [], script.name


def test_links_lead_somewhere(site: Path, pages: dict[Path, Page]) -> None:
    broken = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or not link:
                continue
            target = (
                (path.parent / unquote(parts.path)).resolve() if parts.path else path
            )
            there = pages.get(target)
            if not target.is_file() or (
                there and parts.fragment and unquote(parts.fragment) not in there.ids
            ):
                broken.append((path.relative_to(site).as_posix(), link))
    assert broken == []


def test_references_are_whole(site: Path, pages: dict[Path, Page]) -> None:
    names = {
        f"benchwright.{name}"
        for name in benchwright.__all__
        if not name.startswith("__")
    }
    roles = [
        page.ids & names for path, page in pages.items() if path.parent.name == "python"
    ]
    assert sorted(name for role in roles for name in role) == sorted(
        names
    )  # each on one page
    assert len(roles) >= 6
    door = (getattr(benchwright, name.removeprefix("benchwright.")) for name in names)
    assert [thing for thing in door if not inspect.getdoc(thing)] == []
    assert min(map(len, roles)) > 1
    text = pages[site / "reference" / "commands.html"].text
    for name, command in commands():
        assert f"Usage: benchwright {name}" in text
        for parameter in command.params:
            assert parameter.opts[0] in text or parameter.human_readable_name in text
    data = pages[site / "reference" / "data.html"]
    assert {"problem", "sample", "vote", "drop", "result"} <= data.ids


@pytest.mark.parametrize(
    ("word", "page"),
    [
        ("withhold", "build"),
        ("leaderboard", "scoring"),
        ("kappa", "votes"),
        ("caption", "judging"),
    ],
)
def test_a_search_finds_the_page_that_explains(
    site: Path, word: str, page: str
) -> None:
    text = (site / "searchindex.js").read_text("utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    found = index["terms"].get(word, []), index["titleterms"].get(word, [])
    numbers = {
        number
        for hits in found
        for number in ([hits] if isinstance(hits, int) else hits)
    }
    assert page in {index["docnames"][number] for number in numbers}


def test_what_is_made_from_docstrings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    failed, tried = doctest.testmod(importlib.import_module("from_code"))
    assert failed == 0
    assert tried > 0


def test_every_page_is_in_the_navigation(pages: dict[Path, Page]) -> None:
    home = next(page for path, page in pages.items() if path.name == "index.html")
    written = (
        path.relative_to(ROOT / "docs").as_posix()
        for path in (ROOT / "docs").rglob("*.md")
    )
    linked = {urlsplit(link).path.replace(".html", ".md") for link in home.links}
    assert [name for name in written if name not in linked and name != "index.md"] == []
