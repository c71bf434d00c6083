"""Benchmarks' own published rules, row by row."""

from __future__ import annotations

from .profiles import PROFILES, check_benchmark, official, official_profile_of, profile
