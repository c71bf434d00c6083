"""Whether two answers are equal: exact arithmetic first, then algebra in a bounded worker."""

from __future__ import annotations

from . import numeric
from .cas_pool import Status, symbolic
from .normal_form import exact
from .polynomials import NoNormalForm, equal
from .real_sets import describes_set
from .structure import same
from .values import ROUNDED, Rules
from .work_budget import OutOfBudget, budget
