"""Cutting an exam into problems, with its answer key and its figures."""

from __future__ import annotations

from .answer_keys import several_letters
from .splitter import Exam, ExamIssue, ExamProblem, read_exam

__all__ = ["Exam", "ExamIssue", "ExamProblem", "read_exam", "several_letters"]
