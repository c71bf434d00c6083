"""The signs that label options and parts, and what tells the two apart."""

from __future__ import annotations

import re

LETTERS = "ABCDEFGH"
CIRCLED = "①②③④⑤⑥⑦⑧"
BREAK = "\ufdd4"  # where a numbered LaTeX list begins or ends
ALPHABETS = (LETTERS, LETTERS.lower(), CIRCLED)  # of option labels

ASKS = re.compile(  # an option asks nothing; a part of a question does
    r"[?？]|^\s*(?:find|prove|show|calculate|compute|determine|explain|draw|write|state|give|what"
    r"|how|which|why|hence|sketch|verify|solve|evaluate|express|construct|let|if|using|discuss"
    r"|describe|graph|plot|simplify)\b|求|证明|写出|画出|其中|的是",
    re.I,
)
