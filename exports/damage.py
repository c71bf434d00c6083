"""What is wrong with a release."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..base.display import Rows


class Damage(msgspec.Struct, kw_only=True):
    """One thing that is wrong: its code, the file or id, and what exactly."""

    code: str
    where: str
    what: str


class Damages(Rows[Damage]):
    """What `verify` found; empty for a good release.

    `unproved` names files that another version of benchwright or of its libraries wrote, which may
    write them differently: their hashes are right, and what they say was not compared.
    """

    __slots__ = ("unproved",)

    def __init__(self, damages: Iterable[Damage] = (), unproved: Iterable[str] = ()) -> None:
        super().__init__(sorted(damages, key=lambda d: (d.code, d.where, d.what)))
        self.unproved = list(unproved)

    def headline(self) -> str:
        return f"{len(self)} problems found" if self else "the release is good"
