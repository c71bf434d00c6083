"""What a text keeps whose punctuation is repaired: words, numbers, formulas, signs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...latex import CJK, FOLD, maths_spans
from .formulas import one_spelling

# What punctuation may not touch: words, numbers, formulas, signs; brackets around figures. A mark
# is one of these where it stands between figures, or behind a name or a figure. The names of the
# groups are keys of _SPELT; the others stay as they are.
_TOKEN = re.compile(
    rf"""
    (?P<image> <image\d+> )
    | (?P<number> \d+ (?:,\d{{3}})+ (?!\d) (?:\.\d+)? | \d+ (?:\.\d+)? )
    | (?P<word> [A-Za-z]+ | [{CJK}] )
    | (?P<dots> \.{{3,}} | …+ | ⋯+ )
    | (?P<blank> _+ | [(（]\s*[)）] )
      # an opening bracket, where figures and single letters stand in it up to its closing one
    | [(（]\s* (?= (?P<inner>
        (?! [^()（）]* [A-Za-z]{{3}} ) [-−\s\d.,，a-zA-Z+*/=]{{1,24}}
      ) [)）] )
      # a dash between figures, a sign before a figure or a letter; a dash between words is a mark
    | (?P<minus>
        (?<=\d) [-−－﹣–—]+ (?=\d)
        | (?<![A-Za-z]{{2}}) (?<![-−－﹣–—]) [-−－﹣] (?! [-−－﹣–—] | [A-Za-z]{{2}} )
        | (?<![A-Za-z]{{2}}) [–—] (?=\d)
      )
    | (?P<between> [,，、;；] )
    | (?P<colon> (?<=\d) [:：∶] (?=\d) )
    | (?P<times> (?<=\d) [!！] )
    | (?P<prime> (?<=[A-Z]) ['’′] (?![st]) )
    | (?P<sign> [^\s\w.?!"'“”‘’`´。！？：:()（），—–−－﹣-] )
    """,
    re.VERBOSE,
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
# full-width characters as ASCII, without the marks that may be repaired
_ASCII = {
    code: folded for code, folded in FOLD.items() if chr(folded) not in ",;:?!()."
} | {ord("．"): ord(".")}


def same_letters(before: str, after: str) -> str:
    """Words, numbers, formulas, signs are the same and in the same order; only marks may differ."""
    old = _tokens(before)
    new = _tokens(after)
    if old == new:
        return ""
    differences = (k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
    first = next(differences, None)
    words = old + new if first is None else old[first:]
    return f"letters: {' '.join(words[:3])!r} was changed"


def _tokens(text: str) -> list[str]:
    """What has to stay, token by token."""
    tokens: list[str] = []
    position = 0
    for span in maths_spans(text):
        tokens += _tokens_of_prose(text[position : span.start])
        tokens.append("$" + one_spelling(span.tex))
        position = span.end
    tokens += _tokens_of_prose(text[position:])
    return [t for k, t in enumerate(tokens) if t != "," or _separates(tokens, k)]


def _separates(tokens: list[str], comma: int) -> bool:
    """A comma counts between two numbers or names, which would run together without it."""
    if not 0 < comma < len(tokens) - 1:
        return False
    return _runs_together(tokens[comma - 1]) and _runs_together(tokens[comma + 1])


def _runs_together(token: str) -> bool:
    is_name = token.isascii() and token.isalpha() and len(token) <= 2
    return is_name or token[0].isdigit() or token[0] == "$"


def _tokens_of_prose(prose: str) -> Iterator[str]:
    for match in _TOKEN.finditer(prose.translate(_ASCII)):
        kind = match.lastgroup or ""
        if kind == "inner":
            yield f"({len(match['inner'].replace(' ', ''))}"
        else:
            yield _SPELT.get(kind) or match[0].replace(",", "")
