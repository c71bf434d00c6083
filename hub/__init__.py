"""The hub: releases published there, data sets read from there, results and pages for there."""

from __future__ import annotations

from .check import Finding, look_over
from .client import hub_client
