"""Contamination at the size of training data: problems of a benchmark inside documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .account import PASSAGES, Account, Ledger, write_account
    from .cleaning import Change, Cleaner, account_of
    from .corpus import files_of, holds_questions
    from .passages import Passage, Problem
    from .scan import CorpusScan, ShardResult, scan_corpus, scan_part
else:
    from ...base.lazy import door

    __getattr__ = door(__name__)
