"""Validators, the self-test of golds, which problems are taken, options and captions."""

from __future__ import annotations

from .preview import Seen, at_a_glance, seen_in_lines, told
from .rules import Finding, findings_of
from .whole_set import set_findings
