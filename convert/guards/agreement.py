"""Do two tellings of a problem say the same? Their readings are compared, part by part."""

from __future__ import annotations

from . import amounts, roles, senses, wanted
from .order import exchanged
from .reading import read

RULES = (*senses.RULES, *amounts.RULES, *roles.RULES, exchanged, *wanted.RULES)


def disagreement(before: str, after: str) -> str:
    """The first thing that `after` says otherwise than `before`; empty when there is none.

    >>> disagreement("求面积的最大值", "Find the greatest area")
    ''
    >>> disagreement("求面积", "Find the volume")
    "term: 'area' stands on one side only"
    >>> disagreement("小明比小红大3岁", "Xiao Hong is 3 years older than Xiao Ming")
    "roles: 'ming' and 'hong' have changed places"
    """
    old, new = read(before, after), read(after, before)
    return next((found for rule in RULES if (found := rule(old, new))), "")
