"""Verdicts: is this prediction equal to the gold, and what decided."""

from __future__ import annotations

from ..equivalence import Verdict, infer_kind, infer_unit, precision
from .grade import GradeItem, grade_item, grade_response
