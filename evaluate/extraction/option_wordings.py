"""The wordings by which replies declare, deny and hedge option letters, in several languages."""

from __future__ import annotations

import re

from ...latex import WIDE_ASCII

THINK = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>|^.*</think(?:ing)?>", re.DOTALL)
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
_BE = (
    r"(?:is|are|was|be|should be|must be|would be|will be|seems to be|est|es|ist|"
    r"为|是|は|应为|应该是|选|=|[:：])"
)
_HINT = r"(?:\s*(?:therefore|thus|then|clearly|indeed|most likely|likely|probably|simply|only))?"
_NAME = r"(?:\s*(?:the\s+)?(?:option|choice|letter|answer|label|选项)\s*)?"
STRONG = (
    re.compile(
        r"(?:answer|answers|\bans|choice|option|letter|réponse|respuesta|antwort|ответ|答案|选项|选择|答え|정답)"
        rf"(?:\s+(?:letter|correcta|correcte))?[)\"】]?{_OF}"
        rf"\s*(?:{_BE}|\s[-–—]\s){_HINT}\s*[:：]?{_NAME}\s*[:：]?\s*{_L}{_END}", re.IGNORECASE),
    re.compile(
        r"(?:故选|应选|选择|选|答案】?|go with|finali[sz]e|choose|select|pick|correct is|"
        rf"corresponds to|matches)(?:\s+with)?{_NAME}\s*[:：]?\s*{_L}{_END}", re.IGNORECASE),
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
    re.compile(rf"{_L}\s*(?:项|选项|是)?\s*(?:正确|对)(?![吗的])"),
)  # fmt: skip
WEAK = (
    re.compile(rf"\b(?:option|choice|选项)\s*[:：]?\s*{_L}{_END}", re.IGNORECASE),
    re.compile(
        r"(?:\b(?:so|thus|hence|therefore|ergo|conclusion|result|it(?:'s| is)|that(?:'s| is)|"
        r"(?:must|has to|can only) be)|"
        r"因此|所以|故)"
        rf"\s*[,:：，]?\s*(?:it(?:'s| is)|the\s+\w+\s+is)?{_NAME}\s*{_L}{_END}", re.IGNORECASE),
)  # fmt: skip
NEGATED_BEFORE = re.compile(
    r"(?:\bnot|n't|\bneither|\bnor|\bnever|\bexcept|\brather than|\binstead of|\beliminate|"
    r"\brule out|\bexclude|不是|不选|排除|并非)\W*"
    r"(?:\b(?:the|be|option|choice|answer|is)\b\W*){0,3}$",
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
