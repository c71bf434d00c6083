"""Votes: reading, counting by policies, agreement between people, adjudication."""

from __future__ import annotations

from .adjudication import VOTED, WRITTEN
from .agreement import Agreement, agreement
from .labour import labour_of
from .ledger import STALE, LedgerEntry, as_final, ledger, tell_strangers
from .policies import POLICIES, Outcome, Ties, canonical, load_policy, policy
from .remarks import Remark, remarks_path
from .report import agreement_page
from .votes import PENDING, latest, ratings_of, read_votes, spelled, value_text
