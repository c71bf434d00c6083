"""Validators, the self-test of golds, which problems are taken, options and captions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .preview import Seen, at_a_glance, seen_in_lines, told
    from .rules import Finding, findings_of
    from .suspects import Suspect
    from .whole_set import set_findings
else:
    from ..base.lazy import door

    __getattr__ = door(__name__)
