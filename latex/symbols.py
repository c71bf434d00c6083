"""Characters of mathematics: their LaTeX, function names, full-width forms, CJK letters."""

from __future__ import annotations

import json
import unicodedata
from importlib.resources import files

# symbols.json: a character and the LaTeX it is set with
SYMBOLS: dict[str, str] = json.loads(files(__package__).joinpath("symbols.json").read_text("utf-8"))
FUNCTIONS = frozenset([
    "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det",
    "dim", "exp", "gcd", "hom", "inf", "ker", "lg", "lim", "liminf", "limsup", "ln", "log",
    "max", "min", "Pr", "sec", "sin", "sinh", "sup", "tan", "tanh",
])  # fmt: skip
# full-width and small forms -> ASCII, for str.translate
FOLD = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
FOLD |= {
    code: ord(folded)
    for code in range(0xFE50, 0xFE6C)
    if len(folded := unicodedata.normalize("NFKC", chr(code))) == 1 and folded.isascii()
}
# letters of Chinese, Japanese and Korean, for a character class
CJK = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff"
)
