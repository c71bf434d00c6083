"""Validators, the self-test of golds, which problems are taken, options and captions."""

from __future__ import annotations

from .glance import at_a_glance
from .rules import Finding, findings_of
