"""What recipes and commands may name, built in or added: `benchwright stages` and its twin."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from ..base.registry import Entry, plugged
from ..errors import UserError


class Listed(msgspec.Struct, frozen=True):
    """A name, the module or file where it lives, its options, and who brought it."""

    name: str
    module: str
    options: str  # or why it is not usable here
    origin: str


def stages(plugins: Sequence[str | Path] = ()) -> dict[str, list[Listed]]:
    """All stages, readers, exporters and profiles.

    Args:
        plugins: Python file that adds stages, readers, exporters or profiles: it is run.

    >>> [row.name for row in stages()["profiles"]][:4]
    ['math-v', 'mathverse', 'mm-math', 'we-math']
    """
    from ..convert.readers import READERS
    from ..evaluate.official import PROFILES
    from ..exports import FORMATS
    from ..pipeline import STAGES

    kinds = {"stages": STAGES, "readers": READERS, "exporters": FORMATS, "profiles": PROFILES}
    with plugged(plugins):
        return {kind: [_listed(entry) for entry in names] for kind, names in kinds.items()}


def _listed(entry: Entry) -> Listed:
    try:
        options = _options(entry.load())
    except (UserError, ImportError) as error:
        options = f"not usable here: {error}"
    return Listed(entry.name, entry.place, options, entry.origin)


def _options(function: Any) -> str:
    """A stage's keyword-only arguments, or what a reader's sources may give."""
    if facts := getattr(function, "__reader__", None):
        return ", ".join([*(["fields"] if facts["fields"] else []), *facts["options"]])
    return ", ".join(
        f"{p.name}={p.default!r}" if p.default is not p.empty else p.name
        for p in inspect.signature(function).parameters.values()
        if p.kind is p.KEYWORD_ONLY and p.name != "context"
    )
