"""What KaTeX drew of a formula, by the characters and strokes that a browser reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from .ink import BAR, BOX, CIRCLE, HLINE, RULE, STRIKE, VLINE, Ink, fold, ink_of

# classes of elements that KaTeX draws as a border or a filled box
KATEX_BORDERS = {
    "frac-line": BAR,
    "overline-line": BAR,
    "underline-line": BAR,
    "katex-hline": HLINE,
    "katex-hdashline": HLINE,
    "vertical-separator": VLINE,
    "katex-rule": RULE,
    "fbox": BOX,
    "fcolorbox": BOX,
    "katex-sout": STRIKE,
}
_STROKES = {
    "line": STRIKE,
    "circle": CIRCLE,
    "vec": "→",
    "rightarrow": "→",
    "leftarrow": "←",
    "leftarrow+rightarrow": "↔",
    "doublerightarrow": "⇒",
    "doubleleftarrow": "⇐",
    "doubleleftarrow+doublerightarrow": "⇔",
    "longequal": "=",
    "leftmapsto+rightarrow": "↦",
    "leftharpoondownplus+rightharpoonplus": "⇌",
    "leftharpoonplus+rightharpoondownplus": "⇋",
    "leftbrace+midbrace+rightbrace": "⏞",
    "leftbraceunder+midbraceunder+rightbraceunder": "⏟",
    "lparen": "(",
    "rparen": ")",
    "lbrack": "[",
    "rbrack": "]",
    "vert": "|",
    "doublevert": "∥",
    "lfloor": "⌊",
    "rfloor": "⌋",
    "lceil": "⌈",
    "rceil": "⌉",
    "inner": "",
}
_SIZED = {
    "sqrt": ("√", BAR),
    "widehat": ("^",),
    "tilde": ("~",),
    "widecheck": ("\u030c",),
}
# parts of tall braces, of which the middle one stands for all; characters of KaTeX's own fonts
_OWN = str.maketrans(
    {
        "⎨": "{",
        "⎬": "}",
        "∙": "•",
        **dict.fromkeys("⎧⎩⎫⎭⎪", ""),
        "\ue020": "\u0338",
        "\ue006": "∤",
        "\ue007": "∦",
        "\ue00c": "≨",
        "\ue00d": "≩",
        "\ue00e": "≱",
        "\ue00f": "≱",
        "\ue010": "≰",
        "\ue011": "≰",
        "\ue016": "⊈",
        "\ue018": "⊉",
        "\ue01a": "⊊",
        "\ue01b": "⊋",
    }
)


def katex_ink(text: str, strokes: Iterable[str]) -> Ink:
    """The ink of KaTeX's drawing: its characters, and the names it gives borders and paths.

    A stroke that nobody knows is its own name, so that it is told of, never passed over.

    >>> sorted(katex_ink("x2", ["sqrtSize1", "frac-line", "new"]).elements())
    ['2', 'bar', 'bar', 'new', 'x', '√']
    """
    ink = ink_of(text.translate(_OWN))
    return ink + Counter(key for name in strokes for key in _keys(name))


def _keys(name: str) -> tuple[str, ...]:
    for stem, keys in _SIZED.items():
        if name.startswith(stem):
            return keys
    drawn = KATEX_BORDERS.get(name) or _STROKES.get(name, name)
    return fold(drawn) if len(drawn) == 1 else (drawn,) if drawn else ()
