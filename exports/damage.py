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

    `unproved` names files that could not be proved, since they differ from those made here and
    the release says that another version wrote them: their hashes agree, no more.
    """

    __slots__ = ("unproved",)

    def __init__(self, damages: Iterable[Damage] = (), unproved: Iterable[str] = ()) -> None:
        super().__init__(sorted(damages, key=lambda d: (d.code, d.where, d.what)))
        self.unproved = list(unproved)

    def headline(self) -> str:
        if self:
            return f"{len(self)} problems found"
        return "the release is consistent, not proved" if self.unproved else "the release is good"
