"""Whether two answers are equal: exact fractions first, then 50 digits at generic points."""

from __future__ import annotations

from . import numeric
from .algebra import Status, symbolic
from .boxed import boxed, inline_answer
from .infer_kind import infer_kind, infer_unit, precision
from .pairs import OUT_OF_BUDGET, Verdict, Weighed, judged, spelling
from .real_sets import describes_set
from .structure import same
from .values import ROUNDED, Rules
from .wording import EMPTY_SAID, REALS_SAID, judgement
from .work_budget import OutOfBudget, budget
