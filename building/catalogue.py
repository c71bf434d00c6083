"""What recipes and commands may name, built in or added: `benchwright stages` and its twin."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from ..base.lazy import imported
from ..base.registry import Entry, Registry, plugged
from ..errors import UserError

TABLES = (  # built by the houses that they belong to; sections of the list
    "pipeline:STAGES",
    "convert.readers:READERS",
    "exports:FORMATS",
    "grading.official:PROFILES",
    "annotate.kinds:KINDS",
    "annotate.votes:POLICIES",
    "base.answer_kinds:ANSWER_KINDS",
    "check.rules:VALIDATORS",
)
SAID = {  # of what has no options: what its mark tells
    "kind": ("field", "benchmark", "needs_tree", "needs"),
    "policy": ("quorum", "ties"),
    "answer_kind": ("asks",),
    "validator": ("level", "remedy"),
}


class Listed(msgspec.Struct, frozen=True):
    """A name, the module or file where it lives, its options, and who brought it."""

    name: str
    module: str
    options: str  # or why it is not usable here
    origin: str


def stages(plugins: Sequence[str | Path] = ()) -> dict[str, list[Listed]]:
    """All that recipes and commands may name.

    Args:
        plugins: Python file that adds stages, readers, kinds of task, ...: it is run.

    >>> [row.name for row in stages()["profiles"]][:4]
    ['math-v', 'mathverse', 'mm-math', 'we-math']
    """
    registries = map(imported, TABLES)
    with plugged(plugins):
        return {
            names.group: [_listed(names, entry) for entry in names]
            for names in registries
        }


def _listed(names: Registry, entry: Entry) -> Listed:
    try:
        options = _options(names.kind, entry.load())
    except (UserError, ImportError) as error:
        options = f"not usable here: {error}"
    return Listed(entry.name, entry.place, options, entry.origin)


def _options(kind: str, function: Any) -> str:
    """A stage's keyword-only arguments, what a reader's sources may give, or what its mark says."""
    facts = getattr(function, f"__{kind}__", {})
    if kind == "reader":
        return ", ".join([*(["fields"] if facts["fields"] else []), *facts["options"]])
    if kind in SAID:
        said = (f"{name}={facts[name]!r}" for name in SAID[kind] if facts.get(name))
        return ", ".join(said)
    return ", ".join(
        f"{p.name}={p.default!r}" if p.default is not p.empty else p.name
        for p in inspect.signature(function).parameters.values()
        if p.kind is p.KEYWORD_ONLY and p.name != "context"
    )
