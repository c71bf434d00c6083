"""What an element's own `style` says that changes what is read."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_DECLARATION = re.compile(
    r"([\w-]+)\s*:\s*((?:[^;\"'(]|\([^)]*\)|\"[^\"]*\"|'[^']*')+)"
)
_ADDRESS = re.compile(r"url\(\s*[\"']?(.*?)[\"']?\s*\)", re.DOTALL)
_BLOCKS = (
    "block",
    "list-item",
    "table",
    "table-row",
    "flex",
    "grid",
)  # CSS display, outer block
_WIDTH = re.compile(r"(?:\d*\.)?\d+\s*(?:px|pt|em|rem|cm|mm|in|ex)$")


class Style(NamedTuple):
    """The effects of a style, "" or False where it says nothing of it."""

    hidden: bool = False
    display: str = ""  # block or inline
    line: str = ""  # over, under or through the text
    rule: str = ""  # a border that is one side: top or bottom
    script: str = ""  # sub or sup
    list_type: str = ""
    picture: str = ""  # the address of a background
    sized: bool = False  # width and height are given
    symbol: bool = False  # letters are shown as signs of the Symbol font


NONE = Style()
# Adobe's Symbol encoding, in which `<font face="Symbol">a</font>` is α; also in the private area
# (U+F061) where Word puts it
_SYMBOLS = (
    (0x22, "∀#∃%&∋"),
    (0x40, "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"),
    (0x61, "αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"),
    (0xA1, "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…|—↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨"),
    (0xE5, "∑"),
    (0xF1, "⟩∫"),
)
SYMBOL_FONT = {
    base + first + k: sign
    for first, signs in _SYMBOLS
    for k, sign in enumerate(signs)
    for base in (0, 0xF000)
}


@lru_cache(maxsize=2048)
def style_of(text: str) -> Style:
    """The effects of a `style` attribute.

    >>> style_of("TEXT-DECORATION: overline; display:block").line
    'over'
    """
    said = {name.lower(): value.strip() for name, value in _DECLARATION.findall(text)}
    low = {name: value.lower() for name, value in said.items()}
    display = low.get("display", "").removesuffix("!important").strip()
    decoration = low.get("text-decoration", "") + low.get("text-decoration-line", "")
    lines = {"overline": "over", "underline": "under", "line-through": "through"}
    sides = [
        side
        for side in ("top", "bottom", "left", "right")
        if _is_drawn(low.get(f"border-{side}", "")) or _is_drawn(low.get("border", ""))
    ]
    aligned = low.get("vertical-align", "")
    types = [
        w
        for w in re.split(r"[\s,]+", low.get("list-style", ""))
        if not w.startswith("url")
    ]
    found = _ADDRESS.search(
        said.get("background", "") + said.get("background-image", "")
    )
    return Style(
        hidden=display == "none" or low.get("visibility") in ("hidden", "collapse"),
        display="block"
        if display in _BLOCKS
        else "inline"
        if display.startswith(("inline", "contents"))
        else "",
        line=next((line for word, line in lines.items() if word in decoration), ""),
        rule=sides[0] if len(sides) == 1 and sides[0] in ("top", "bottom") else "",
        script={"super": "sup", "sub": "sub"}.get(aligned, ""),
        list_type=low.get("list-style-type", "").strip("\"'")
        or next((t for t in types if t not in ("inside", "outside", "")), ""),
        picture=found[1] if found else "",
        sized=all(_WIDTH.match(low.get(name, "")) for name in ("width", "height")),
        symbol=low.get("font-family", "").strip("\"' ") == "symbol",
    )


def _is_drawn(border: str) -> bool:
    """Whether a border can be seen: `1px solid black` can, `0`, `none` and `solid 0px` not."""
    words = border.split()
    seen = any(
        w in ("solid", "double", "dashed", "dotted", "groove", "ridge") for w in words
    )
    return seen and not any(re.fullmatch(r"0+(?:\.0*)?(?:px|pt|em)?", w) for w in words)
