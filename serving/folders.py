"""What a served folder holds: its pages, its data, and when any of it changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from ..annotate.projects import pulse
from ..base.files import read_lines
from ..errors import BenchwrightError, UserError
from ..living import is_folder_of_seeds
from ..pages import history_folder

MARKS = {
    "manifest.json": "release",
    "scores.json": "scores",
    "evidence.jsonl": "evidence",
}
FIELDS = {
    "suggestions": {"problem_id", "task", "original", "text", "rejected"},
    "suspects": {"problem_id", "gold", "says", "chance"},
    "votes": {"problem_id", "field", "value", "annotator"},
    "predictions": {"id", "response"},
}  # of the rows of a JSONL file
TEAM = "team.html"  # the lead's page of a labelling project, as its server has it now


class Folder(msgspec.Struct, frozen=True):
    """One folder under the name that its addresses have."""

    name: str
    path: Path

    def kind(self) -> str:
        """What lies here: a kind of MARKS or of FIELDS, seeds, or pages alone."""
        for mark, kind in MARKS.items():
            if (self.path / mark).is_file():
                return kind
        kinds = {kind_of(path) for path in self.path.glob("*.jsonl")}
        if self.caches():
            kinds.add("predictions")
        other = "seeds" if is_folder_of_seeds(self.path) else "pages"
        return next((kind for kind in FIELDS if kind in kinds), other)

    def data(self, kind: str) -> list[Path]:
        """The folder's JSONL files whose rows are of `kind`."""
        return [
            path for path in sorted(self.path.glob("*.jsonl")) if kind_of(path) == kind
        ]

    def caches(self) -> list[Path]:
        """Where `predict` keeps replies while it runs."""
        return sorted(self.path.glob("*.cache.sqlite"))

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
        accuracy = scores.accuracy
        value = "" if accuracy.value is None else f"{100 * accuracy.value:.1f} %"
        return [scores.name or self.name, value, f"{accuracy.n:,}"]

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
                total.update(
                    f"{path.name}\0{stat.st_mtime_ns}\0{stat.st_size}\n".encode()
                )
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


def kind_of(path: Path) -> str:
    """What the rows of a JSONL file are, by the fields of its first; "" for anything else."""
    try:
        _, line = next(read_lines(path), (0, b""))
        row = msgspec.json.decode(line)
    except (BenchwrightError, msgspec.DecodeError):
        return ""
    fields = set(row) if isinstance(row, dict) else set()
    return next((kind for kind, needed in FIELDS.items() if needed <= fields), "")


def folders_of(paths: Iterable[str | Path]) -> list[Folder]:
    """The folders, each under a name of its own. Raises UserError for one that is none."""
    folders: dict[str, Folder] = {}
    for path in map(Path, paths):
        if not path.is_dir():
            raise UserError(
                f"{path} is no folder", "give folders of releases, scores or pairs"
            )
        plain = name = path.resolve().name or "root"
        number = 1
        while name in folders:
            number += 1
            name = f"{plain}-{number}"
        folders[name] = Folder(name, path.resolve())
    if not folders:
        raise UserError("there is nothing to show", "give a folder")
    return list(folders.values())


def histories_of(folders: Iterable[Folder]) -> list[Folder]:
    """The folders of histories that lie beside releases: their pages read them."""
    beside = [history_folder(f.path) for f in folders if f.kind() == "release"]
    return [Folder(path.name, path) for path in beside if path.is_dir()]
