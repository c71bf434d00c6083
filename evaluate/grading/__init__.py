"""Verdicts: is this prediction equal to the gold, and what decided."""

from __future__ import annotations

from .grade import GradeItem, grade_item, grade_response
from .infer_kind import infer_kind, infer_unit, precision
from .pairs import Verdict
