"""What a served folder holds: its pages, its data, and when any of it changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from ..annotate.projects import pulse
from ..base.files import read_lines
from ..errors import BenchwrightError, UserError
from ..living import is_folder_of_seeds
from ..pages import history_folder

Kind = Literal[
    "release", "scores", "evidence", "suggestions", "votes", "predictions", "seeds", "pages"
]
MARKS: tuple[tuple[str, Kind], ...] = (
    ("manifest.json", "release"),
    ("scores.json", "scores"),
    ("evidence.jsonl", "evidence"),
)
FIELDS: tuple[tuple[set[str], Kind], ...] = (
    ({"problem_id", "task", "original", "text", "rejected"}, "suggestions"),
    ({"problem_id", "field", "value", "annotator"}, "votes"),
    ({"id", "response"}, "predictions"),
)

MADE: dict[str, tuple[str, ...]] = {
    "evidence": ("evidence.html",),
    "suggestions": ("suggestions.html",),
    "votes": ("votes.html", "agreement.html"),
    "predictions": ("predictions.html",),
    "seeds": ("variants.html",),
}  # pages that are made on request, by the kind of their folder


TEAM = "team.html"  # the lead's page of a labelling project, as its server has it now
AGAINST = "against-"  # and another run's name: the page on which two runs are explained


class Folder(msgspec.Struct, frozen=True):
    """One folder under the name that its addresses have."""

    name: str
    path: Path

    def kind(self) -> Kind:
        for mark, kind in MARKS:
            if (self.path / mark).is_file():
                return kind
        kinds: tuple[Kind, ...] = ("suggestions", "votes", "predictions")
        other: Kind = "seeds" if is_folder_of_seeds(self.path) else "pages"
        return next((kind for kind in kinds if self._has(kind)), other)

    def data(self, kind: str) -> list[Path]:
        """The folder's JSONL files whose rows are of `kind`."""
        return [path for path in sorted(self.path.glob("*.jsonl")) if kind_of(path) == kind]

    def caches(self) -> list[Path]:
        """Where `predict` keeps replies while it runs."""
        return sorted(self.path.glob("*.cache.sqlite"))

    def pages(self) -> list[str]:
        """The pages that lie in the folder, and those that can be made of its data."""
        found = {path.name for path in self.path.glob("*.html")}
        return sorted(found.union(MADE.get(self.kind(), ()), [TEAM] * self.is_project()))

    def makes(self, page: str) -> bool:
        """Whether a page is made of this folder's data when it is asked for."""
        kind, page = self.kind(), page.removesuffix(".data").removesuffix(".html") + ".html"
        return (
            page in MADE.get(kind, ())
            or (kind == "scores" and page.startswith(AGAINST))
            or (page == TEAM and self.is_project())
        )

    def is_project(self) -> bool:
        """Whether people label here."""
        return (self.path / "project.json").is_file()

    def figures(self) -> list[str]:
        """What a score shows first: its name, accuracy and samples; nothing of other folders."""
        try:
            data = (self.path / "scores.json").read_bytes()
            scores = msgspec.json.decode(data, type=_Glance)
        except (OSError, msgspec.DecodeError):
            return ["", "", ""]
        value = "" if scores.accuracy.value is None else f"{100 * scores.accuracy.value:.1f} %"
        return [scores.name or self.name, value, f"{scores.accuracy.n:,}"]

    def _has(self, kind: str) -> bool:
        return bool(self.data(kind) or (kind == "predictions" and self.caches()))

    def state(self, page: str = "") -> str:
        """Changes when a file at the folder's top does: a build, a score or votes came in.

        The team's page shows what its server has, so its state is the server's, too.
        """
        live = page == TEAM and self.is_project()
        total = hashlib.sha256(_pulse(self.path).encode() if live else b"")
        for path in sorted(self.path.iterdir()) if self.path.is_dir() else ():
            try:
                stat = path.stat()
            except OSError:
                continue  # replaced while we look
            if path.is_file() and not path.name.startswith("."):
                total.update(f"{path.name}\0{stat.st_mtime_ns}\0{stat.st_size}\n".encode())
        return total.hexdigest()[:16]


def _pulse(project: Path) -> str:
    try:
        return pulse(project)
    except UserError as error:
        return str(error)


class _Rate(msgspec.Struct):
    n: int
    value: float | None


class _Glance(msgspec.Struct):
    accuracy: _Rate
    name: str = ""


def kind_of(path: Path) -> Kind | None:
    """What the rows of a JSONL file are, by the fields of its first; None for anything else."""
    try:
        _, line = next(read_lines(path), (0, b""))
        row = msgspec.json.decode(line)
    except (BenchwrightError, msgspec.DecodeError):
        return None
    fields = set(row) if isinstance(row, dict) else set()
    return next((kind for needed, kind in FIELDS if needed <= fields), None)


def folders_of(paths: Iterable[str | Path]) -> list[Folder]:
    """The folders, each under a name of its own. Raises UserError for one that is none."""
    found: dict[str, Folder] = {}
    for path in map(Path, paths):
        if not path.is_dir():
            raise UserError(f"{path} is no folder", "give folders of releases, scores or pairs")
        plain = name = path.resolve().name or "root"
        number = 1
        while name in found:
            number += 1
            name = f"{plain}-{number}"
        found[name] = Folder(name, path.resolve())
    if not found:
        raise UserError("there is nothing to show", "give a folder")
    return list(found.values())


def histories_of(folders: Iterable[Folder]) -> list[Folder]:
    """The folders of histories that lie beside releases: their pages read them."""
    beside = [history_folder(f.path) for f in folders if f.kind() == "release"]
    return [Folder(path.name, path) for path in beside if path.is_dir()]
