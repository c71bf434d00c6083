"""What words say that no formula says: numbers, units, and who speaks of answers and questions."""

from __future__ import annotations

from .numbers import NUMERAL, Numeral, figures, in_figures, number, number_at, numbers, scale_at
from .numerals import CARDINALS, HAN_ORDER
from .roles import SCHOOL, WORDS, words
from .units import (
    HAN_NAMES,
    NAMES,
    SHORT,
    SQUARED,
    SYMBOLS,
    Quantity,
    factor,
    measure,
    other_currency,
    quantity,
    unit,
)

__all__ = [
    "CARDINALS",
    "HAN_NAMES",
    "HAN_ORDER",
    "NAMES",
    "NUMERAL",
    "SCHOOL",
    "SHORT",
    "SQUARED",
    "SYMBOLS",
    "WORDS",
    "Numeral",
    "Quantity",
    "factor",
    "figures",
    "in_figures",
    "measure",
    "number",
    "number_at",
    "numbers",
    "other_currency",
    "quantity",
    "scale_at",
    "unit",
    "words",
]
