"""The wordings by which replies declare, deny and hedge option letters; the words: `words`."""

from __future__ import annotations

import re

from ...latex import WIDE_ASCII
from ...words import words

WIDE = {code: WIDE_ASCII[code] for code in (*range(0xFF21, 0xFF5B), 0xFF08, 0xFF09)}  # letters, ()
WRAP = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|bf|rm|left|right|mbox)(?![A-Za-z])\s*"
)
NOISE = re.compile(r"</?(?:s|b|i|strong|em|p|br)\s*/?>|[*$`]|\\[()\[\],;! ]|<0x0A>|<<|>>")

_L = (
    r"[({\[\"'“]{0,3}"
    r"(?P<letter>(?-i:[A-Z]|(?<=[(\[{\"'])[a-z]|[a-z](?=\s*(?:[.)\]}:\"']|$))))"
    r"[)}\]\"'”]{0,3}"
)
_END = r"(?![A-Za-z0-9'’_^°\\-]|\s*[=+*/^<>])"
_OF = r"(?:\s+(?:to|for|of)\s[^.:：\n]{1,80}?)?"
_HINT = r"(?:\s*(?:therefore|thus|then|clearly|indeed|most likely|likely|probably|simply|only))?"
_NAME = (
    rf"(?:\s*(?:(?:the|la|a|il|el|die|der|o)\s+|l['’])?(?:{words('option', 'answer')}|label)\s*)?"
)
_BE = rf"(?:{words('is')}|es|=|[:：])"
DECLARES = (  # what stands before the chosen letter, or letters
    rf"(?:{words('answer', 'result', 'option')}|选择)(?:\s*{words('right')})?[)\"】]?{_OF}"
    rf"\s*(?:{_BE}|\s[-–—]\s){_HINT}\s*[:：]?{_NAME}\s*[:：]?\s*"
)
CHOOSES = rf"{words('choose')}(?:\s+with)?{_NAME}\s*[:：]?\s*"
LABELS = re.compile(  # a heading or field in front of an answer
    rf"{words('answer')}(?:\s*{words('right')})?\s*(?:[】\]」》\"']\s*[:：]?|[:：]|\n)\s*",
    re.IGNORECASE,
)
CORRECT = rf"(?:{words('correct')})(?![吗的])"
STRONG = (
    re.compile(rf"{DECLARES}{_L}{_END}", re.IGNORECASE),
    re.compile(rf"{CHOOSES}{_L}{_END}", re.IGNORECASE),
    re.compile(rf"{DECLARES}[^.\n()]{{1,40}}\((?P<letter>(?-i:[A-Z]))\)", re.IGNORECASE),
    re.compile(
        rf"{_NAME}\b{_L}\s*(?:\([^()\n]{{1,60}}\)|[,.]?\s*\"[^\"\n]{{1,60}}\")?,?\s+"
        r"(?:is|are|must be|would be|should be|seems)\s+(?:clearly\s+|therefore\s+|thus\s+)?"
        r"(?:the\s+)?(?:only\s+)?"
        r"(?:most\s+)?(?:correct|right|true|best|accurate|appropriate|answer|valid|suitable)"
        r"(?:\s+(?:answer|choice|option|one|statement))?"
        r"(?=\W*$|\s*[.,;:!)]|\s+(?:because|since|as|and|for)\b)",
        re.IGNORECASE),
    re.compile(  # not A but B; no wait, B
        r"(?:\bnot\s+(?:option\s+)?[({]?[A-Z][)}]?,?\s+but|不是\s*[A-Z]\s*[,，]?\s*而是|"
        rf"\b(?:wait|actually|correction|sorry)[,:—])\s*(?:rather\s+)?{_NAME}{_L}{_END}",
        re.IGNORECASE),
    re.compile(rf"{_L}\s*(?:(?:项|选项|是|が|은|는|이|가)|\s(?:ist|es|est|é|è|—|-)\s)?\s*"
               rf"(?!(?:correct|right|true|valid)\b){CORRECT}"),
    re.compile(rf"{words('answer', 'option')}\s+{_L}\s*(?:{words('ends')}|[.।]?\s*$)"),
)  # fmt: skip
WEAK = (
    re.compile(rf"{words('option')}\s*[:：]?\s*{_L}{_END}", re.IGNORECASE),
    re.compile(
        rf"(?:{words('so')}|\b(?:ergo|conclusion|result|it(?:'s| is)|that(?:'s| is)|"
        r"(?:must|has to|can only) be))"
        rf"\s*[,:：，]?\s*(?:it(?:'s| is)|the\s+\w+\s+is)?{_NAME}\s*{_L}{_END}", re.IGNORECASE),
    re.compile(rf"{words('so')}[^.。\n]{{0,60}}?{words('is')}{_NAME}\s*{_L}{_END}", re.IGNORECASE),
)  # fmt: skip
STATED = re.compile(rf"\b(?:is|are|为|是)\s+{_L}\s*(?:[.。](?=\s|$)|$)")
NEGATED_BEFORE = re.compile(
    r"(?:\bnot|n't|\bneither|\bnor|\bnever|\bexcept|\brather than|\binstead of|\beliminate|"
    r"\brule out|\bexclude|不是|不选|排除|并非)[^\w.!?\n]*"
    r"(?:\b(?:the|be|option|choice|answer|is)\b[^\w.!?\n]*){0,3}$",
    re.IGNORECASE,
)
NEGATED_AFTER = re.compile(
    r"[\s\"')\]]{0,3}(?:\([^()]{0,40}\)\s*)?(?:is|are|was|can be|should be|must be)?\s*"
    r"(?:\b(?:clearly|also|definitely|therefore|obviously)\s+)?"
    r"(?:\bnot\b|n't|\bincorrect|\bwrong|\bfalse|\bruled out|\beliminated|\binvalid|"
    r"\bimpossible|cannot|can't|不(?!是\s*[A-Z])|错误)",
    re.IGNORECASE,
)
HEDGE = re.compile(
    r"^[)}\]\"'.]{0,3}\s*(?:,?\s*(?:or|and|and/or|或者?|和|与|以及)\s*|[,/、&]\s*)"
    r"(?:(?:option|choice)\s*)?[({\[\"]{0,2}([A-Z])[)}\]\"]{0,2}(?![A-Za-z0-9'])"
)
HEDGED_BEFORE = re.compile(
    r"(?<![A-Za-z])([A-Z])[)\]]?\s*(?:\bor\b|\band\b|,|/|、|或|和)\s*"
    r"(?:(?:option|choice)\s*)?[({\[]?$"
)
LEADING = re.compile(
    r"^\W*(?:(?:option|choice)\s+)?(?P<letter>[A-Z])"
    r"(?:[.):,，。、：\]}]|\s*$|\n|\s+[-–—(]\s*|(?=[^\x00-\x7f])|\s+(?=[A-Z0-9][^\s.]*))"
)
LEADING_LOWER = re.compile(r"^\W*\(?(?P<letter>[a-z])[.):]\s")
BRACKETED = re.compile(r"[(\[](?P<letter>[A-Z])[)\]](?![A-Za-z0-9'=])")
CLOSING = re.compile(r"(?:^|[\n.。:：,，]\s*)\(?(?P<letter>[A-Z])[).。]*\s*$")
LAST_LINE = re.compile(r"^\W*(?P<letter>[A-Z])[).:]\s*\S[^\n]*$")
CONTINUES = re.compile(
    r"\s+(?!because|since|as\b|and\b|or\b|which|with|for|due|in\b|that|based|is\b|are\b|given|"
    r"rather|instead|but\b|from|on\b|if\b|where|when|by\b|here|note|the\b|this|so\b|non?\b|not\b)[a-z]{2,}"
)
