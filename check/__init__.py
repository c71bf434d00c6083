"""Validators, the self-test of golds, which problems are taken, options and captions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .condition import parse_condition
    from .gold import declared, self_test
    from .preview import Seen, at_a_glance, seen_in_lines, told
    from .rules import SET_CODES, Finding, codes, findings_of, id_duplicates
    from .suspects import Suspect
    from .whole_set import set_findings
else:
    from ..base.lazy import door

    __getattr__ = door(__name__)
