"""Votes: reading, counting by policies, agreement between people, adjudication."""

from __future__ import annotations

from .adjudication import VOTED, WRITTEN
from .agreement import Agreement, agreement
from .kappa_alpha import fleiss_kappa, krippendorff_alpha, masi, one_coin, raw_agreement
from .labour import labour_of
from .ledger import STALE, LedgerEntry, as_final, ledger, open_items, tell_strangers
from .merge import merge_placements, merge_sets, merge_spans
from .policies import POLICIES, Outcome, Ties, canonical, decide, load_policy, policy
from .remarks import Remark, remarks_path
from .report import agreement_page
from .votes import PENDING, latest, ratings_of, read_votes, spelled, value_text
