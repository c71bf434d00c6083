"""The grammar of answers: text to a tree, never executed."""

from __future__ import annotations

from .chains import chain_end
from .parser import DEGREES, PERCENT, read
from .readings import readings
from .spelling import clean
from .stretches import (
    has_joint,
    is_collection,
    is_plain_number,
    joint,
    stretches,
    with_unit,
)
from .tokens import (
    BEYOND,
    FUNCTIONS,
    LENGTH,
    UNREADABLE,
    LimitExceeded,
    ParseError,
    Symbolic,
)
from .tree import (
    CONSTANTS,
    RUNNING,
    Node,
    negative,
    number,
    product,
    replace,
    symbol,
    symbols,
    walk,
)
from .whole import is_value, measures, whole_end
