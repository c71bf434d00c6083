"""What a chain of equations comes to."""

from __future__ import annotations

import re

from ...words import words

_WRAP = re.compile(
    r"^(?:\\[(\[]|\$+)|(?:\\[)\]]|\$+)$|&(?=\s*[=≈])|(?<=[=≈])\s*&"
    r"|\\(?:begin|end)\{(?:aligned|align\*?|split|gathered|equation\*?)\}|\\nonumber"
)
_CLOSES = re.compile(
    r"(?<![\s,;])(?:(?:\(\s*+)?\\?p?mod(?![a-z]).*|[\s,;]|\.(?=\s*$)|\\[\\\s,;]?+)*$"
)
_INNER = re.compile(r"(?<!\\)[({\[][^(){}\[\]]*(?<!\\)[)}\]]|\\begin\b(?s:.*?)\\end\b")
_EQUALS = re.compile(r"(?<![<>!:\\])[=≈≡](?!=)|\\(?:approx|equiv|simeq|cong)\b")
_SEVERAL = re.compile(
    r"(?<!\\),(?!\d{3}(?!\d))|[，;<>≤≥]|(?<!\\)\\(?:le|ge|leq|geq|in|text|quad|lt|gt)(?![A-Za-z])"
    rf"|(?<!\\){words('joins', 'either')}"
)
_ROW = re.compile(r"\\\\|\\Rightarrow|\\implies|[⇒→]")
_COMPUTES = re.compile(
    r"(?:\\[a-z]+|\b(?:m|cm|km|mm|ft|g|kg|s|h)\b|[\d\s.,+*/×÷·$()\\^{}%°-])*+"
)


def chain_end(text: str, keep: bool = True) -> str:
    """The last value of a chain of equations: 4 of `2 + 2 = 4`; `x = 4` and `y = 2x` stay.

    >>> chain_end("4 m + 4 m = 8 m"), chain_end("$S = 2+3 = 5$"), chain_end("y = 2x")
    ('8 m', '5', 'y = 2x')
    """
    if not _EQUALS.search(text):
        return text
    bare = flat = _CLOSES.sub("", _WRAP.sub(" ", _WRAP.sub(" ", text.strip()).strip()))
    while (outer := _INNER.sub(lambda m: "_" * len(m[0]), flat)) != flat:
        flat = outer
    signs = [*_EQUALS.finditer(flat)]
    if not signs or _SEVERAL.search(flat):
        return text
    row = max(
        (m.end() for m in _ROW.finditer(flat) if m.end() <= signs[-1].start()),
        default=0,
    )
    signs = [sign for sign in signs if sign.start() >= row]
    left, last = bare[row : signs[0].start()].strip(), bare[signs[-1].end() :].strip()
    computed = _COMPUTES.fullmatch(left) and any(map(str.isdigit, left))
    if not last or (keep and len(signs) == 1 and not computed):
        return f"{left} = {last}" if row else text
    exact = [sign.end() for sign in signs if sign[0] == "="]
    if signs[-1][0] != "=" and exact:  # what stands before an approximation
        return bare[exact[-1] : signs[-1].start()].strip() or last
    return last
