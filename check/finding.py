"""What a validator says: one finding with its code, level, place, value and remedy."""

from __future__ import annotations

from typing import Literal

import msgspec

Severity = Literal["error", "warning"]


class Finding(msgspec.Struct, kw_only=True):
    """A line of findings.jsonl. `where` is the field, prefixed by `step 2:` or a version."""

    id: str
    code: str
    level: Severity
    where: str
    value: str
    remedy: str


class CheckRule(msgspec.Struct, frozen=True):
    """A validator's code, level and remedy; the part of the code before '-' is its group."""

    code: str
    level: Severity
    remedy: str
