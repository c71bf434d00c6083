"""What words say that no formula says: numbers, labels, units, and who speaks of answers."""

from __future__ import annotations

from .hours import hour_in_figures
from .labels import (
    CIRCLED,
    CLOSING,
    ENCLOSED,
    ENCLOSED_SIGNS,
    LETTERS,
    OPENING,
    OPTION,
    OPTION_IN_EITHER_CASE,
    OTHER_SIGNS,
    ROMAN,
    ROMAN_SIGN,
    in_order,
    part_roman,
    ranks,
    roman,
    sign_number,
)
from .mentions import mention
from .numbers import (
    NUMERAL,
    Numeral,
    figures,
    in_figures,
    number,
    number_at,
    numbers,
    numbers_in,
    scale_at,
)
from .numerals import CARDINALS, HAN_NUMERALS, HAN_ORDER, SPOKEN_NUMBERS
from .own import (
    MEANINGS,
    Meaning,
    Own,
    RoleError,
    layered,
    own_class,
    own_marks,
    own_name,
    own_roles,
    own_word,
    own_words,
    role_word,
    says_classes,
    speaking,
)
from .roles import SCHOOL, WORDS, Word, plain, points_elsewhere, said, spoken, words
from .units import (
    CODES,
    HAN_NAMES,
    NAMES,
    SHORT,
    SQUARED,
    SYMBOLS,
    Quantity,
    currencies,
    factor,
    measure,
    other_currency,
    quantity,
    unit,
)
