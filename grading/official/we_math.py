"""We-Math's published letter rule (github.com/We-Math/We-Math, evaluation scripts).

The text behind the last literal `Answer`, without `> < : .`; its first character is the answer if
it is one of A to H. So `Answer: (B)` and `The answer is B` name no letter, and `Answer: Based on
the figure, C` names B: the rule is kept as published.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...problem import Option
from ..verdicts import Verdict

_DELETED = str.maketrans("", "", "><:.")


def verdict(response: str, gold: str, options: Sequence[Option]) -> Verdict:
    """The published verdict; the options play no part in it.

    >>> verdict("<Answer>: B. 32", "B", []).equal
    True
    """
    letter = extract(response)
    return Verdict(
        equal=letter == gold, how="we-math", extracted=letter, rule="we-math"
    )


def extract(response: str) -> str | None:
    text = response.rpartition("Answer")[2].strip().translate(_DELETED).strip()
    return text[0] if text and text[0] in "ABCDEFGH" else None
