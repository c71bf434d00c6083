r"""Rules for the inside of a formula: full-width forms, Unicode symbols, old commands.

NFKC is wrong here (`x²` would become `x2`), so every character is mapped by a table. Text inside
`\text{...}` is left alone, but for a lone symbol. Every rule is idempotent.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from ...latex import CJK, FOLD, INVISIBLE, SYMBOLS, group_end, pieces, with_scripts
from ...words import SQUARED
from .rule import TextChange, TextRule, apply

_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_ESCAPED = {
    "％": r"\%",
    "＃": r"\#",
    "＄": r"\$",
    "＆": r"\&",
    "｛": r"\{",
    "｝": r"\}",
}
# What differs from the table for MathML tokens, where no neighbours are known.
_AMONG_NEIGHBOURS = {
    "～": r"\sim", "∶": ":", "：": ":", "′": "'", "″": "''", "‴": "'''", "’": "'", "＇": "'",
    "−": "-", "–": "-", "‐": "-", "‑": "-", "﹣": "-", "－": "-", "—": "-", "｜": "|", "∣": "|",
    "❘": "|", "℃": r"{}^{\circ}\mathrm{C}", "℉": r"{}^{\circ}\mathrm{F}",
    "\\": "\\", "→": r"\to",
}  # fmt: skip
_UNIT = re.compile(r"([a-z]+)(\d?)")


def _unit(plain: str) -> str:
    r"""`cm2` -> `\mathrm{cm}^{2}`; what is no unit in letters stays."""
    match = _UNIT.match(plain)
    if match is None:
        return plain
    name, power = match.groups()
    raised = f"^{{{power}}}" if power else ""
    return rf"\mathrm{{{name}}}{raised}" + plain[match.end() :]


_AMONG_NEIGHBOURS |= {character: _unit(plain) for character, plain in SQUARED.items()}
_DOLLAR = re.compile(r"(?<!\\)\$")
_BLANKS = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_TEXT = re.compile(r"\\text\w*\s*\{")
# a raised circle of any kind; a circle behind a figure is a degree, too
_RAISED_CIRCLE = re.compile(r"\^\s*(?:\{\s*[°º˚○]\s*\}|[°º˚○])")
_DEGREE_SIGN = re.compile(r"(?<=\d)\s*[º˚○°]|°")
_LETTER = re.compile("[A-Za-z]")
_ENDS_IN_COMMAND = re.compile(r"\\[A-Za-z]+$")
_WIDE_WORDS = re.compile(rf"[{CJK}]+")

# {\rm cm}, without groups and commands inside
_OLD_FONT = re.compile(r"\{\s*\\(rm|bf|it|cal|sf)(?![A-Za-z])\s*([^{}\\]*)\}")
_FONTS = {
    "rm": "mathrm",
    "bf": "mathbf",
    "it": "mathit",
    "cal": "mathcal",
    "sf": "mathsf",
}
_INFIX = {"over": r"\frac", "choose": r"\binom", "atop": r"\genfrac{}{}{0pt}{}"}
_DEGREE = re.compile(r"(?:\^\s*+|(?<!\s)\s*+)\\(degree|celsius)(?![A-Za-z])\s*")
_DEGREES = {"degree": r"^{\circ}", "celsius": r"{}^{\circ}\mathrm{C}"}
# in one formula; each costs a walk over it, and the rest stays as it is
MAX_INFIX = 500
_INFIX_COMMAND = re.compile(r"\\(over|choose|atop)(?![A-Za-z])")
# before three capitals Δ is a triangle
_DELTA = re.compile(r"Δ(?=\s*[A-Z](?:\s*[A-Z]){2})")


def normalise_maths(
    tex: str, changes: list[TextChange], triangles: bool = False
) -> str:
    r"""A formula in plain LaTeX. With `triangles`, `Δ` before three capitals is a triangle.

    >>> normalise_maths("x² ＋ ½", [])
    'x^{2} + \\frac{1}{2}'
    """
    normal, its_changes = _normalised(tex, triangles)
    changes += its_changes
    return normal


@lru_cache(maxsize=4096)  # most formulas stand in a text, or in several, more than once
def _normalised(tex: str, triangles: bool) -> tuple[str, list[TextChange]]:
    changes: list[TextChange] = []
    rules = [("triangle", _triangle), *RULES] if triangles else RULES
    return apply(rules, tex, changes).strip(), changes


def _in_maths(rule: Callable[[str], str]) -> Callable[[str], str]:
    def run(tex: str) -> str:
        return "".join(rule(piece) if maths else piece for piece, maths in pieces(tex))

    return run


def _beyond_ascii(rule: Callable[[str], str]) -> Callable[[str], str]:
    """A rule about other characters than ASCII: most formulas have none."""
    return lambda tex: tex if tex.isascii() else rule(tex)


def _invisible(tex: str) -> str:
    return _BLANKS.sub(" ", _INVISIBLE.sub("", tex))


def _dollars_in_text(tex: str) -> str:
    r"""`\text{if $x$}` -> `\text{if }x`: a dollar inside dollars ends the formula too early."""
    parts = [piece if maths else _undollared(piece) for piece, maths in pieces(tex)]
    return _DOLLAR.sub(r"\\$", "".join(parts))


def _undollared(piece: str) -> str:
    """A text in a formula with what stands between its dollars taken out of it."""
    opener = _TEXT.match(piece)
    if opener is None:
        return piece
    bodies = _DOLLAR.split(piece[opener.end() : -1])
    every_dollar_has_its_partner = len(bodies) % 2 == 1
    if len(bodies) == 1 or not every_dollar_has_its_partner:
        return piece
    parts: list[str] = []
    for k, body in enumerate(bodies):
        is_maths = k % 2 == 1
        if body:
            parts.append(body if is_maths else f"{opener[0]}{body}}}")
    return "".join(parts)


def _degrees(tex: str) -> str:
    r"""`60°`, `60^°` and look-alikes after digits -> `60^{\circ}`."""
    tex = _RAISED_CIRCLE.sub(r"^{\\circ}", tex)
    return _DEGREE_SIGN.sub(r"^{\\circ}", tex)


def _roots(tex: str) -> str:
    r"""`√3`, `√{3}` and `√(x+1)` -> `\sqrt{...}`."""
    tex = re.sub(r"√\s*(?=\{)", r"\\sqrt", tex)
    tex = re.sub(r"√\s*(\d+(?:\.\d+)?|[A-Za-z])", r"\\sqrt{\1}", tex)
    return re.sub(r"√\s*[(（]([^()（）]*)[)）]", r"\\sqrt{\1}", tex)


def _characters(tex: str) -> str:
    """Every non-ASCII character that has a LaTeX form; a blank keeps commands and letters apart."""
    if tex.isascii():
        return tex
    parts: list[str] = []
    for character in tex:
        latex = _character(character)
        if parts and _LETTER.match(latex) and _ENDS_IN_COMMAND.search(parts[-1]):
            parts.append(" ")
        parts.append(latex)
    return "".join(parts)


def _character(character: str) -> str:
    if character.isascii():
        return character
    if character in _AMONG_NEIGHBOURS:
        return _AMONG_NEIGHBOURS[character]
    if character in _ESCAPED:
        return _ESCAPED[character]
    folded = character.translate(FOLD)
    if folded != character:
        return folded
    latex = SYMBOLS.get(character, character)
    return character if latex.startswith(r"\text") else latex


def _words(tex: str) -> str:
    r"""Chinese, Japanese and Korean words -> `\text{...}`."""
    return _WIDE_WORDS.sub(lambda m: rf"\text{{{m[0]}}}", tex)


def _old_fonts(tex: str) -> str:
    r"""`{\rm cm}` -> `\mathrm{cm}`."""
    return _OLD_FONT.sub(lambda m: rf"\{_FONTS[m[1]]}{{{m[2].strip()}}}", tex)


def _infix(tex: str) -> str:
    r"""`{a \over b}` -> `{\frac{a}{b}}`, likewise `\choose` and `\atop`, innermost first."""
    for _ in range(MAX_INFIX):
        match = _INFIX_COMMAND.search(tex)
        if match is None:
            return tex
        while inner := _INFIX_COMMAND.search(tex, match.end()):
            if group_end("{" + tex[match.end() : inner.start()], 0) >= 0:
                break
            match = inner
        start, end = _enclosing(tex, match.start())
        if start < 0:
            return tex
        above = tex[start + 1 : match.start()].strip()
        below = tex[match.end() : end - 1].strip()
        tex = f"{tex[:start]}{{{_INFIX[match[1]]}{{{above}}}{{{below}}}}}{tex[end:]}"
    return tex


def _enclosing(tex: str, position: int) -> tuple[int, int]:
    """Start and end of the brace group around `position`, or (-1, -1)."""
    opened: list[int] = []
    for match in re.finditer(r"\\.|[{}]", tex[:position], re.S):
        if match[0] == "{":
            opened.append(match.start())
        elif match[0] == "}" and opened:
            opened.pop()
    end = group_end(tex, opened[-1]) if opened else -1
    return (opened[-1], end) if end > 0 else (-1, -1)


def _commands(tex: str) -> str:
    """Commands with a standard form; layout commands that mean nothing in running text."""
    tex = re.sub(r"\\allowbreak(?![A-Za-z])\s*", "", tex)
    tex = re.sub(r"\\(mbox|hbox)(?=\s*\{)", r"\\text", tex)
    tex = _DEGREE.sub(lambda m: _DEGREES[m[1]], tex)
    tex = re.sub(r"\\parallelogram(?![A-Za-z])\s*", r"\\text{▱}", tex)
    tex = re.sub(r"\\text\s*\{\s*([^\x00-\x7f])\s*\}", _symbol, tex)
    while (shorter := tex.rstrip()).endswith(r"\\"):
        tex = shorter[:-2].rstrip()
    return tex


def _symbol(text: re.Match[str]) -> str:
    r"""`\text{△}` is a symbol, no prose (MM-MATH, 2.2); what has no command stays words."""
    sign = text[1]
    has_command = sign == "°" or _character(sign) != sign
    return sign if has_command else text[0]


def _rows(tex: str) -> str:
    """The environment `eqnarray` is obsolete; outside `$$` alignment environments end in -ed."""
    tex = re.sub(r"\\(begin|end)\{eqnarray\*?\}", r"\\\1{aligned}", tex)
    return re.sub(r"\\(begin|end)\{(align|gather)\*?\}", r"\\\1{\2ed}", tex)


def _triangle(tex: str) -> str:
    return _DELTA.sub("△", tex)


# Backslashes that Markdown wants before its own signs, where a formula means the sign.
_OF_MARKDOWN = re.compile(
    r"(?<=[\w)}])\\(?=_[{\w])|\\(?=[<*^](?![A-Za-z]))|\\(?=>\s?[\w(\\-])(?<=[\w)}]\\)|\\(?=-\s?\d)"
)
_ROWS_OF = re.compile(
    r"(\\begin\{(\w*matrix|cases|aligned|array)\*?\})(.*?)(?=\\end\{\2)", re.DOTALL
)
_HALF_ROW_END = re.compile(r"\\(?=[\s\d])")


def _markdown_escapes(tex: str) -> str:
    r"""`v\_{c}`, `a \< b` as Markdown's tools write them -> `v_{c}`, `a < b`."""
    return _OF_MARKDOWN.sub("", tex) if "\\" in tex else tex


def _row_ends(tex: str) -> str:
    r"""`1 & 2 \ 3 & 4` in a matrix whose rows all end in one backslash -> two of them."""
    if r"\begin" not in tex:
        return tex
    return _ROWS_OF.sub(lambda rows: rows[1] + _whole_rows(rows[3]), tex)


def _whole_rows(body: str) -> str:
    if r"\\" in body or "&" not in body:
        return body
    return _HALF_ROW_END.sub(r"\\\\", body)


RULES: list[TextRule] = [
    ("escape of Markdown", _in_maths(_markdown_escapes)),
    ("row end", _row_ends),
    ("invisible", _invisible),
    ("dollar in text", _dollars_in_text),
    ("old font", _in_maths(_old_fonts)),
    ("infix fraction", _infix),
    ("command", _commands),
    ("environment", _rows),
    ("scripts", _beyond_ascii(_in_maths(with_scripts))),
    ("degrees", _beyond_ascii(_in_maths(_degrees))),
    ("root", _beyond_ascii(_in_maths(_roots))),
    ("symbols", _beyond_ascii(_in_maths(_characters))),
    ("words", _beyond_ascii(_in_maths(_words))),
]
