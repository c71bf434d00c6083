"""What words say that no formula says: numbers, units, and who speaks of answers and questions."""

from __future__ import annotations

from .numbers import NUMERAL, Numeral, figures, in_figures, number, number_at, numbers, scale_at
from .numerals import CARDINALS, HAN_ORDER

__all__ = [
    "CARDINALS",
    "HAN_ORDER",
    "NUMERAL",
    "Numeral",
    "figures",
    "in_figures",
    "number",
    "number_at",
    "numbers",
    "scale_at",
]
