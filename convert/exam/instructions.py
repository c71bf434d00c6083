r"""Sentences between two problems that tell what to do with the ones behind them.

    Simplify.            1. $2x+3x$   2. $5y-y$        no problem asks anything by itself:
    Factor each.         3. $x^2-9$   4. $x^2-25$      the sentence above it does

A sentence of its own in front of a problem that asks nothing is an instruction, whatever its
words; so is one that speaks of the problems behind it. A labelled paragraph is a part.
"""

from __future__ import annotations

import re

from ...latex import HAN
from ...options import option_runs
from ...words import ENCLOSED, HAN_ORDER
from ..documents import FILLER, blind

# Closed: a text that speaks of several problems can be told from one that asks for something only
# by the words for problems; without them the structure decides.
_OF_MANY = r"(?:exercises|problems|questions|items|examples|tasks)"
_OPENS = re.compile(  # a line that speaks of the problems behind it
    r"(?mi)^[ \t]*(?:\*\*|\\textbf\{)?(?:"
    rf"(?:for|in|use|on|with|refer)\b[^\n.]{{0,60}}\b(?:following|subsequent|next|remaining|these|below)\b"
    rf"[^\n.]{{0,40}}\b{_OF_MANY}\b"
    rf"|[^\n]{{0,200}}\b(?:following|subsequent|next|remaining)[ \t]+{_OF_MANY}\b[^\n]{{0,60}}$"
    r"|(?:for|in)[ \t]+(?:exercises|problems|questions|items)[ \t]+\d"
    r"|(?:directions|instructions)[ \t]*[:.]"
    r"|请考生|考生(?:从|在|任选)|以下各题|下列各题|本(?:大题|部分|题)(?:共|满分)"
    r")"
)
_POINTS = re.compile(  # a paragraph that points behind itself, and shows nothing behind a colon
    rf"(?i)\bfollowing[ \t]+{_OF_MANY}\b"
    rf"|(?<!which of )\bthe[ \t]+following\b(?![^:]*:[^.]*{FILLER})"
    rf"|(?:下列|以下)(?:各|问题|小题)(?![^：:]*[：:][^。]*\S)|^[ \t]*true[ \t]+or[ \t]+false\b"
)
NAMES = re.compile(
    r"(?mi)^[ \t]*(?![ \t])(?:\*\*)?[^\n]{0,40}?\b(?:questions?|problems?|items?|exercises?)[ \t]+"
    r"(?:numbers?[ \t]+|nos?\.?[ \t]*)?"
    r"(\d{1,4})[ \t]*(?:-|–|—|to|and|through|&)[ \t]*(\d{1,4})\b"
    r"|^[ \t]*(?![ \t])[^\n]{0,20}?第?[ \t]*(\d{1,4})[ \t]*题?[~～–—至、，与和及-]"
    r"第?[ \t]*(\d{1,4})[ \t]*(?:小)?题"
)
_MATHS = re.compile(f"{FILLER}+")
_LABEL = re.compile(
    r"\s*(?:[-*•+|&][ \t]"
    rf"|[(（\[【]?(?:[a-zA-Z]|[ivxIVX]{{1,4}}|\d{{1,2}}|[{HAN_ORDER}])[)）\].．、】]"
    rf"|[{ENCLOSED}-])"
)
_PICTURE = re.compile(r"<image\d+>")
_END = re.compile(r"[.!:。！：．…](?:\*\*|[)）\"”'}\s])*$")
_ASKED = re.compile(r"[?？؟]|[(（_][ \t　_]*[)）_]|\(\\q?quad")


def _words(text: str) -> int:
    """Words and Chinese characters outside formulas."""
    return len(re.findall(rf"[^\W\d_{HAN}]{{3,}}|[{HAN}]", _MATHS.sub(" ", text)))


def is_bare(text: str) -> bool:
    """Whether a problem's blinded text is a number, a formula or a picture, and no words."""
    opens = re.match(rf"\W*(?:[A-Z][^\W\d_]{{2}}|[{HAN}])", text)
    asks = _ASKED.search(text) or opens or option_runs(text)
    return bool(text.strip()) and not asks and _words(text) <= 1


def asks_nothing(text: str) -> bool:
    """Whether a problem's text is no sentence: `$x^2-9$`, `907`, `seven times nine`.

    >>> asks_nothing("seven times nine"), asks_nothing("Find it."), asks_nothing("一共有几个")
    (True, False, False)
    """
    text = blind(text).strip()
    if FILLER in text and not is_bare(text):
        return False
    few = _words(text) <= 5 and not re.search(rf"[{HAN}]{{3}}", text)
    return is_bare(text) or (few and not _ASKED.search(text) and not _END.search(text))


def asks(text: str) -> bool:
    """Whether a text has a question mark, a blank or options."""
    return bool(_ASKED.search(blind(text)) or option_runs(blind(text)))


def _is_sentence(text: str, ended: bool = True) -> bool:
    """Whether a blinded paragraph can be an instruction: words, and an end where it needs one."""
    return (
        len(text) <= 400
        and _words(text) > 0
        and not _LABEL.match(text)
        and not re.search(r"\\begin\{tab|^[|&]|\n[|&]", text)
        and bool(re.match(r"(?:\*\*|\\textbf\{)?[^\W\d_]", text))
        and bool(_END.search(text) or _ASKED.search(text) or not ended)
    )


def _last_paragraph(text: str) -> int | None:
    """Where the last paragraph begins, when it is not the only one."""
    first = len(text) - len(text.lstrip())
    ends = [m.end() for m in re.finditer(r"\n[ \t]*\n\s*", text.rstrip())]
    return ends[-1] if ends and text[first : ends[-1]].strip() else None


def instruction_start(
    text: str, following: str | None, behind: str | None = None
) -> tuple[int | None, bool]:
    """Where, behind a number, the problem ends and an instruction begins, and whether in doubt.

    `following` is the next problem's text, `behind` the one's after it; None where not known.
    """
    hidden = blind(text)
    for match in _OPENS.finditer(hidden):
        if hidden[: match.start()].strip() and not _LABEL.match(match[0]):
            return match.start(), False
    start = _last_paragraph(hidden)
    if start is None:
        return None, False
    last = hidden[start:].strip()
    own = hidden[:start].strip()
    if _POINTS.search(last) and _is_sentence(last, ended=False):
        return start, False
    if following is None or not _is_sentence(last, ended=not is_bare(blind(following))):
        return None, False
    done = is_bare(own) and bool(_PICTURE.sub("", text[:start]).strip())
    if not asks_nothing(following):
        doubt = done and not _MATHS.search(last)
        return (start if doubt else None), doubt
    sure = done or (asks_nothing(own) and not _ASKED.search(last))
    sure = sure or (
        behind is not None and is_bare(blind(following)) and is_bare(blind(behind))
    )
    return start, not sure and bool(re.search(r"\d", last) or _MATHS.search(last))


def instructs(text: str) -> bool:
    """Whether a text tells by its words what to do with the problems behind it."""
    last = text[_last_paragraph(text) or 0 :]
    return bool(_OPENS.search(text) or _POINTS.search(blind(last)))


def instruction_in(text: str, following: str, front: bool) -> str:
    """What a text tells to do with the problems behind it: from the line on that speaks of them,
    else its last paragraph, where that is a sentence and the next problem asks nothing.

    In `front` of all problems stand titles, too: only what ends as a sentence is one.
    """
    opening = _OPENS.search(text)
    last = text[opening.start() if opening else _last_paragraph(text) or 0 :].strip()
    ended = front or not is_bare(blind(following))
    governs = asks_nothing(following) and _is_sentence(blind(last), ended)
    return last if governs or instructs(text) else ""
