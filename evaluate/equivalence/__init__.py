"""Whether two answers are equal: exact fractions first, then 50 digits at generic points."""

from __future__ import annotations

from . import numeric
from .algebra import Status, symbolic
from .real_sets import describes_set
from .structure import same
from .values import ROUNDED, Rules
from .work_budget import OutOfBudget, budget
