"""Cutting an exam into problems, with its answer key and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["Exam", "ExamIssue", "ExamProblem", "read_exam", "several_letters"]

if TYPE_CHECKING:
    from .labels import several_letters
    from .splitter import Exam, ExamIssue, ExamProblem, read_exam
else:
    from ...base.lazy import door

    __getattr__ = door(
        __name__,
        labels="several_letters",
        splitter="Exam ExamIssue ExamProblem read_exam",
    )
