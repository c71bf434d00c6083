"""The published scoring rules of four benchmarks, by name.

Each `evaluate/official_<benchmark>.py` has `verdict(response, gold, options) -> Verdict`.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from ...errors import UserError, nearest
from ...problem import Option
from ..grading import Verdict

PROFILES = ("math-v", "mathverse", "mm-math", "we-math")


def official(profile: str, response: str, gold: str, options: Sequence[Option] = ()) -> Verdict:
    """The verdict of a benchmark's own published rules, for comparing with published numbers.

    Raises UserError naming the nearest profile.
    """
    if profile not in PROFILES:
        raise UserError(f"no official profile {profile!r}", nearest(profile, list(PROFILES)))
    module = importlib.import_module(f".{profile.replace('-', '_')}", __package__)
    verdict: Verdict = module.verdict(response, gold, options)
    return verdict
