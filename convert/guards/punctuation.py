"""What a text keeps whose punctuation is repaired: words, numbers, formulas, signs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...latex import CJK, FOLD, maths_spans
from .formulas import one_spelling

# What punctuation may not touch: words, numbers, formulas, signs; brackets around figures. A mark
# is one of these where it stands between figures, or behind a name or a figure.
_KEPT = re.compile(
    r"(?P<_><image\d+>)|(?P<number>\d+(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)"
    rf"|(?P<__>[A-Za-z]+|[{CJK}])|(?P<dots>\.{{3,}}|…+|⋯+)|(?P<blank>_+|[(（]\s*[)）])"
    r"|[(（]\s*(?=(?P<inner>(?![^()（）]*[A-Za-z]{3})[-−\s\d.,，a-zA-Z+*/=]{1,24})[)）])"
    r"|(?P<minus>(?<=\d)[-−－﹣–—]+(?=\d)|(?<![A-Za-z]{2})(?<![-−－﹣–—])[-−－﹣](?![-−－﹣–—]|[A-Za-z]{2})"
    r"|(?<![A-Za-z]{2})[–—](?=\d))|(?P<between>[,，、;；])|(?P<colon>(?<=\d)[:：∶](?=\d))"
    r"|(?P<times>(?<=\d)[!！])|(?P<prime>(?<=[A-Z])['’′](?![st]))"
    r"|(?P<___>[^\s\w.?!\"'“”‘’`´。！？：:()（），—–−－﹣-])"
)
_SPELT = {
    "dots": "…",
    "blank": "_",
    "minus": "-",
    "between": ",",
    "colon": ":",
    "times": "!",
    "prime": "'",
}


def same_letters(before: str, after: str) -> str:
    """Words, numbers, formulas, signs are the same and in the same order; only marks may differ."""
    old, new = _marked(before), _marked(after)
    if old == new:
        return ""
    at = next(
        (k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), None
    )
    words = old + new if at is None else old[at:]
    return f"letters: {' '.join(words[:3])!r} was changed"


_ASCII = {
    code: folded for code, folded in FOLD.items() if chr(folded) not in ",;:?!()."
}


def _marked(text: str) -> list[str]:
    """What has to stay, token by token."""
    out: list[str] = []
    position = 0
    for span in [*maths_spans(text), None]:
        prose = text[position : span.start if span else len(text)]
        out += _signs(prose.translate(_ASCII))
        if span:
            out.append("$" + one_spelling(span.tex))
            position = span.end
    return [token for k, token in enumerate(out) if token != "," or _separates(out, k)]


_ASCII |= {ord("．"): ord(".")}


def _separates(out: list[str], k: int) -> bool:
    """A comma counts between two numbers or names, which would run together without it."""
    return 0 < k < len(out) - 1 and all(
        t[:1].isdigit() or t[:1] == "$" or (t.isascii() and len(t) <= 2 and t.isalpha())
        for t in (out[k - 1], out[k + 1])
    )


def _signs(prose: str) -> Iterator[str]:
    for match in _KEPT.finditer(prose):
        kind = match.lastgroup or ""
        if kind == "inner":
            yield f"({len(match['inner'].replace(' ', ''))}"
        else:
            yield _SPELT.get(kind) or match[0].replace(",", "")
