"""Signs of mathematics in the source of a page that are no markup, and markup that is one.

Pages hold formulas that nobody escaped (`$0<x<1$`), and formulas that an engine of Markdown took
for emphasis before anybody drew them: `$s_i = s_{i}$` is `$s<em>i = s</em>{i}$` there.
"""

from __future__ import annotations

import re
from functools import lru_cache

from lxml.html import defs

from ...latex import reads_as_prose

_NAMES = "|".join(sorted(defs.tags | {"math"}, key=len, reverse=True))
# "<" that opens nothing: `a<b and b>c` in text that nobody escaped
_LONE = re.compile(
    r"<(?:script\b[^<>]*>.*?</script>"  # in which nothing is escaped
    r"|(?=image[ _]?\d+>)"  # the place of a picture that is kept
    r"|(?![!?]|/?[A-Za-z][\w.:-]*+(?:\s*+/?>|\s++[\w:-]++\s*+=)))",
    re.I | re.DOTALL,
)
# what opens something all the same: an element with a bare word, `<td nowrap>`
_WITH_A_WORD = re.compile(rf"(?:{_NAMES})\s+\w+\s*/?>", re.I)
_INSIDE = r"(?:[^<>$\n]|</?(?:em|sub|sup)>|<(?![A-Za-z/!])){1,400}"
_FORMULA = re.compile(
    rf"(?P<open>\$\$?)(?P<body>{_INSIDE})(?P=open)"
    rf"|(?P<round>\\\()(?P<inside>{_INSIDE})\\\)|(?P<square>\\\[)(?P<within>{_INSIDE})\\\]"
)
_EMPHASIS = re.compile(r"</?em>")
_SCRIPT = re.compile(r"<(sub|sup)>([^<>]*)</\1>")


@lru_cache(maxsize=4)  # fields are asked twice: for what they hold, and what they show
def unmarked(html: str) -> str:
    r"""The source with `&lt;` for signs that open nothing, and formulas as they were written.

    >>> unmarked("$0<x<1$ <b>so</b>"), unmarked("$s<em>i = s</em>{i}$")
    ('$0&lt;x&lt;1$ <b>so</b>', '$s_i = s_{i}$')
    """
    if "<" not in html:
        return html
    if "<em>" in html or "<su" in html:
        html = _FORMULA.sub(_formula, html)
    return _LONE.sub(_escaped, html)


def _formula(match: re.Match[str]) -> str:
    whole = match[0]
    body = match["body"] or match["inside"] or match["within"]
    if whole.count("<em>") != whole.count("</em>") or "<" not in body:
        return whole
    tex = _SCRIPT.sub(lambda m: f"{'_' if m[1] == 'sub' else '^'}{{{m[2]}}}", body)
    tex = _EMPHASIS.sub("_", tex)
    return whole if reads_as_prose(tex) else whole.replace(body, tex)


def _escaped(match: re.Match[str]) -> str:
    is_sign = match[0] == "<" and not _WITH_A_WORD.match(match.string, match.end())
    return "&lt;" if is_sign else match[0]
