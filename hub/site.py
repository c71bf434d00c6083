"""A release's pages and a leaderboard as a folder for any web host, or for a Space of the hub."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec
import yaml

from ..base.display import Display, Table
from ..base.files import replacing_folder, write_text
from ..errors import UserError
from ..evaluate.runs import Leaderboard, leaderboard, rows
from ..evaluate.scoring import is_reported
from ..pages import Cell, ReportTable, Section, html_page
from ..release import read_manifest

# what the browse page and the board read of a release; nothing else goes along
SHOWN = ("index.html", "index.data", "images", "jsonl", "manifest.json", "LICENSES")


class Site(Display, msgspec.Struct, kw_only=True):
    """The folder, its first page, and how many runs its board has (None: no board)."""

    folder: Path
    runs: int | None = None

    def headline(self) -> str:
        board = "no leaderboard"
        if self.runs is not None:
            board = f"a leaderboard of {self.runs} runs"
        return f"{self.folder / 'index.html'}: the problems, {board}"

    def table(self) -> Table:
        return ["folder", "runs"], [[str(self.folder), self.runs]]


def site(
    release: str | Path, runs: Sequence[str | Path] = (), *, out: str | Path
) -> Site:
    """Write a static site: a first page, the release's browse page, and a leaderboard of `runs`.

    Replies are shown side by side where the split's answers are public. The folder is a Space as
    it is: `hf upload me/mine-site site --repo-type space`.

    Args:
        release: Folder of the release.
        runs: Folders that `score` or `evaluate humans` wrote, or of .eval_results.
        out: Folder to write anew.

    Raises UserError for what is no release, and for runs that cannot be ranked together.

    Example: `site("out/mine-1.0.0", ["scores/gpt", "scores/qwen"], out="site")`
    """
    release = Path(release)
    out = Path(out)
    manifest = read_manifest(release)
    is_site = (out / "release" / "index.html").is_file()
    if out.is_dir() and any(out.iterdir()) and not is_site:
        raise UserError(
            f"{out} holds other files", "give a new folder, or that of a site"
        )
    board: Leaderboard | None = None
    with replacing_folder(out) as folder:
        _copy_release(release, folder / "release")
        if runs:
            board = _board([Path(run) for run in runs], folder)
        write_text(folder / "index.html", _first_page(manifest, board))
        write_text(folder / "README.md", _space_card(manifest))
    return Site(folder=out, runs=None if board is None else len(board.entries))


def _copy_release(release: Path, folder: Path) -> None:
    """Copy what is shown of a release."""
    for name in SHOWN:
        if (release / name).is_dir():
            shutil.copytree(release / name, folder / name)
        elif (release / name).is_file():
            folder.mkdir(exist_ok=True)
            shutil.copyfile(release / name, folder / name)


def _board(runs: Sequence[Path], folder: Path) -> Leaderboard:
    """The board, whose links stay in the site: runs without the pages of their own."""
    release = folder / "release"
    with tempfile.TemporaryDirectory() as temporary:
        bare = [
            _without_pages(run, Path(temporary) / str(number))
            for number, run in enumerate(runs)
        ]
        board = leaderboard(bare, None)
        withheld = read_manifest(release)["splits"][board.split]["withheld"]
        shown = None if withheld else release
        return leaderboard(bare, folder / "leaderboard", release=shown)


def _without_pages(run: Path, place: Path) -> Path:
    """A copy of a run below `place`, under its name; what is only reported has no pages."""
    if is_reported(run):
        return run
    copy = place / run.resolve().name
    shutil.copytree(run, copy, ignore=shutil.ignore_patterns("report.*", "page*"))
    return copy


def _first_page(manifest: dict[str, object], board: Leaderboard | None) -> str:
    pages = [[Cell("The problems", address="release/index.html")]]
    tables = [ReportTable(["look at"], pages)]
    if board is not None:
        pages.append([Cell("The leaderboard", address="leaderboard/leaderboard.html")])
        header, cells = rows(board)
        tables.append(ReportTable(header, cells, f"Leaderboard on {board.split}"))
    title = f"{manifest['title']} {manifest['version']}"
    sections = [Section("Pages", [], tables)]
    return html_page(title, sections, [], str(manifest["description"]), "")


def _space_card(manifest: dict[str, object]) -> str:
    front = {"title": manifest["title"], "sdk": "static", "app_file": "index.html"}
    front_matter = yaml.safe_dump(front, allow_unicode=True)
    return f"---\n{front_matter}---\n\n{manifest['description']}\n"
