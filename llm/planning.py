"""What commands that ask models do instead of asking, or before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from ..base.terminal import say
from .batch import read_batch, write_batch
from .costs import plan
from .model import Model, Request


class Planning(msgspec.Struct, frozen=True, kw_only=True):
    """What to do instead of asking, or before it.

    Args:
        dry_run: Count what would be asked; ask nothing.
        write_batch: Write a batch input file; ask nothing.
        read_batch: First put the replies of a batch's output file in the cache.
    """

    RARE: ClassVar[tuple[str, ...]] = ("write_batch", "read_batch")

    dry_run: bool = False
    write_batch: Path | None = None
    read_batch: Path | None = None

    def instead(
        self, requests: Callable[[], Iterable[Request]], model: Model, cache: str | Path
    ) -> dict[str, Any] | None:
        """What was counted or written in place of asking; nothing where asking follows."""
        if self.read_batch is not None:
            say(f"read {read_batch(self.read_batch, Path(cache))['ok']} replies")
        if self.dry_run:
            return plan(requests(), model, Path(cache))
        if self.write_batch is not None:
            written = write_batch(requests(), model, Path(cache), self.write_batch)
            return {"in_batch": written}
        return None
