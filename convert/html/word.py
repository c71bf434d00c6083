"""Microsoft's conditional comments, decided as by a reader that knows equations and no VML.

Word writes an equation twice: as Office Math where `msEquation` holds, as a picture where it does
not; and a picture twice: as VML and as `<img>`.
"""

from __future__ import annotations

import re

_CONDITION = re.compile(
    r"<!(--)?\[if\s([^\]]{1,200})\](?:--+>|>)|<!(?:--)?\[endif\](?:--)?>", re.I
)


def as_a_reader_sees(html: str) -> str:
    """The page without what a condition hides, and with what it shows.

    >>> as_a_reader_sees("a<!--[if gte vml 1]><v:rect/><![endif]--><![if !vml]><img><![endif]>")
    'a<img>'
    """
    if "[if" not in html:
        return html
    knows = {"msequation"} if "msEquation" in html else set()
    if "!vml" not in html:
        knows.add("vml")  # nothing else shows its pictures
    out: list[str] = []
    shown = [True]
    position = 0
    for mark in _CONDITION.finditer(html):
        if shown[-1]:
            out.append(html[position : mark.start()])
        position = mark.end()
        if mark[2] is not None:
            shown.append(shown[-1] and _holds(mark[2], knows))
        elif len(shown) > 1:
            shown.pop()
    return "".join(
        [*out, html[position:]]
    )  # a condition that is never closed hides nothing


def _holds(condition: str, knows: set[str]) -> bool:
    """`gte msEquation 12`, `!vml`, `supportFields`: whether the feature is known, or not."""
    words = re.findall(r"!|[A-Za-z]\w*", condition.lower())
    names = [w for w in words if w not in ("!", "gt", "gte", "lt", "lte")]
    return bool(names) and (names[0] in knows) != ("!" in words)
