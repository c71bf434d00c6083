"""Duplicates: an exact join on text, pictures, classes, decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .decisions import (
        Decision,
        append_decision,
        drops,
        is_stale,
        key_of,
        read_decisions,
    )
    from .evidence import card_id, read_evidence, write_evidence_page
    from .families import families_of
    from .formula_tokens import formula_key, formulas_of, marks_of
    from .groups import leakage_groups, linked
    from .instructions import instructions_of
    from .item_store import stored
    from .items import Item, item_of, items_of, read_items
    from .join import Match, groups_of, join_again, join_sides, whole_percent
    from .keys import masked_word, number_words, quantities, text_key, word_grams
    from .pairs import find_pairs, joined_rows, pairs_among
    from .picture_index import PictureIndex, index_pictures, shared_pictures
else:
    from ..base.lazy import door

    __getattr__ = door(__name__)
