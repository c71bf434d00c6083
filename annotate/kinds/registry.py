"""The kinds of task: what people see, and which votes their answers are.

A kind is an interface and a reader. The reader turns one answer into {field: value}, the values
that votes hold; it raises UserError for an answer that cannot be one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from ...base.lazy import load
from ...taxonomy import Tree
from .answers import TaskAnswer


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of task. `interface(tree)` gives XML, `read(answer)` gives {field: value}."""

    title: str
    instruction: str
    interface: Callable[[Tree | None], str]
    read: Callable[[TaskAnswer], dict[str, Any]]
    needs_tree: bool = False
    needs: str = ""  # the further input: suggestions, responses, pairs


# name -> where it is defined
KINDS = {
    "subject": "annotate.kinds.labels:SUBJECT",
    "concepts": "annotate.kinds.labels:CONCEPTS",
    "review": "annotate.kinds.labels:REVIEW",
    "roles": "annotate.kinds.text_roles:ROLES",
    "placement": "annotate.kinds.placement:PLACEMENT",
    "level": "annotate.kinds.labels:LEVEL",
    "steps": "annotate.kinds.steps:STEPS",
    "steps-review": "annotate.kinds.aspects:STEPS_REVIEW",
    "mathverse-checks": "annotate.kinds.aspects:MATHVERSE_CHECKS",
    "we-math-checks": "annotate.kinds.aspects:WE_MATH_CHECKS",
    "alignment": "annotate.kinds.checks:ALIGNMENT",
    "duplicates": "annotate.kinds.checks:DUPLICATES",
    "first-error": "annotate.kinds.checks:FIRST_ERROR",
}


def load_kind(name: str) -> Kind:
    """The kind called `name`. Raises UserError naming the nearest known one."""
    kind: Kind = load(name, KINDS, "kind of task")
    return kind
