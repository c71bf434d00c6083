"""contamination.json: what `dedup against` found in a corpus; releases and scores read it."""

from __future__ import annotations

from pathlib import Path, PurePath

import msgspec

from ..errors import UserError
from .files import read_bytes


class SourceCount(msgspec.Struct, kw_only=True):
    """A file, folder or pattern of the corpus, and what of the benchmark stands in it."""

    source: str
    files: int = 0
    documents: int = 0
    characters: int = 0
    passages: int = 0
    problems: int = 0


class Sighting(msgspec.Struct, kw_only=True):
    """Where a problem was seen: the likeliest passage, and how many there are.

    `answered` counts the passages with the problem's answer behind them.
    """

    kind: str = msgspec.field(name="class")
    score: float
    linked: bool
    passages: int = 0
    answered: int = 0
    document: str
    file: str
    line: int
    start: int
    end: int


class Findings(msgspec.Struct, kw_only=True):
    """What was looked through and found.

    `found` counts problems by the class of their likeliest passage; `leave_out` names the problems
    that are linked; `too_short` those that were not sought.
    """

    benchwright: str
    problems: int
    documents: int
    characters: int
    linked: int
    answered: int
    found: dict[str, int]
    leave_out: list[str]
    too_short: list[str]


class Account(Findings, kw_only=True):
    """contamination.json."""

    benchmark: str
    sources: list[SourceCount]
    unreadable: int
    sightings: dict[str, Sighting]

    def for_release(self) -> Contamination:
        """What a release says of it: of a source its name, and no path."""
        said = {name: getattr(self, name) for name in Findings.__struct_fields__}
        names = [PurePath(one.source).name for one in self.sources]
        return Contamination(sources=names, **said)


class Contamination(Findings, kw_only=True, forbid_unknown_fields=True):
    """What a look through a corpus found, as a manifest has it."""

    sources: list[str]


def read_account(path: Path) -> Account:
    """Reads contamination.json. Raises UserError for a file that is none."""
    try:
        return msgspec.json.decode(read_bytes(path), type=Account)
    except (OSError, msgspec.MsgspecError) as error:
        raise UserError(
            f"{path} is no account of a look through a corpus: {error}",
            "name the contamination.json that `benchwright dedup against --out` wrote",
        ) from error
