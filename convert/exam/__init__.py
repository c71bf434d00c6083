"""Cutting an exam into problems, with its answer key and its figures."""

from __future__ import annotations

from .splitter import Exam, ExamProblem, Issue, read_exam

__all__ = ["Exam", "ExamProblem", "Issue", "read_exam"]
