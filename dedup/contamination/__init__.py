"""Contamination at the size of training data: problems of a benchmark inside documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .corpus import files_of, holds_questions
    from .passages import Passage
    from .scan import CorpusScan, scan_corpus
else:
    from ...base.lazy import door

    __getattr__ = door(__name__)
