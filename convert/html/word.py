"""Microsoft's conditional comments, decided as by a reader that knows equations and no VML.

Word writes an equation twice: as Office Math where `msEquation` holds, as a picture where it does
not; and a picture twice: as VML and as `<img>`.
"""

from __future__ import annotations

import re

# the beginning of a condition, in a comment or not, or the end of one
_CONDITION = re.compile(
    r"<!(--)?\[if\s([^\]]{1,200})\](?:--+>|>)|<!(?:--)?\[endif\](?:--)?>", re.I
)
_WORD = re.compile(r"!|[A-Za-z]\w*")
_OPERATORS = ("!", "gt", "gte", "lt", "lte")


def as_a_reader_sees(html: str) -> str:
    """The page without what a condition hides, and with what it shows.

    >>> as_a_reader_sees("a<!--[if gte vml 1]><v:rect/><![endif]--><![if !vml]><img><![endif]>")
    'a<img>'
    """
    if "[if" not in html:
        return html
    features = {"msequation"} if "msEquation" in html else set()
    if "!vml" not in html:
        features.add("vml")  # nothing else shows its pictures
    pieces: list[str] = []
    shown = [True]
    position = 0
    for mark in _CONDITION.finditer(html):
        if shown[-1]:
            pieces.append(html[position : mark.start()])
        position = mark.end()
        if mark[2] is not None:
            shown.append(shown[-1] and _holds(mark[2], features))
        elif len(shown) > 1:
            shown.pop()
    # a condition that is never closed hides nothing
    return "".join([*pieces, html[position:]])


def _holds(condition: str, features: set[str]) -> bool:
    """`gte msEquation 12`, `!vml`, `supportFields`: whether the feature is known, or not."""
    words = _WORD.findall(condition.lower())
    names = [word for word in words if word not in _OPERATORS]
    is_negated = "!" in words
    return bool(names) and (names[0] in features) != is_negated
