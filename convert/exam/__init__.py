"""Cutting an exam into problems, with its answer key and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .answer_keys import KeyEntry, join_key, read_key
    from .inline_answers import inline_answer
    from .spans import ExamProblem, Proposal, Span, places_of
    from .splitter import Exam, ExamIssue, split_exam
else:
    from ...base.lazy import door

    __getattr__ = door(__name__)
