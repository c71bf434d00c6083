"""What an element's own `style` says that changes what is read."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_DECLARATION = re.compile(
    r"([\w-]+)\s*:\s*((?:[^;\"'(]|\([^)]*\)|\"[^\"]*\"|'[^']*')+)"
)
_ADDRESS = re.compile(r"url\(\s*[\"']?(.*?)[\"']?\s*\)", re.DOTALL)
# values of `display` that are blocks outside
_BLOCKS = ("block", "list-item", "table", "table-row", "flex", "grid")
_LINES = {"overline": "over", "underline": "under", "line-through": "through"}
_SIDES = ("top", "bottom", "left", "right")
_DRAWN = frozenset("solid double dashed dotted groove ridge".split())
_NO_WIDTH = re.compile(r"0+(?:\.0*)?(?:px|pt|em)?")
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
    values = {name.lower(): value.strip() for name, value in _DECLARATION.findall(text)}
    low = {name: value.lower() for name, value in values.items()}
    display = low.get("display", "").removesuffix("!important").strip()
    decoration = low.get("text-decoration", "") + low.get("text-decoration-line", "")
    background = values.get("background", "") + values.get("background-image", "")
    address = _ADDRESS.search(background)
    return Style(
        hidden=display == "none" or low.get("visibility") in ("hidden", "collapse"),
        display=_outer_display(display),
        line=next((line for word, line in _LINES.items() if word in decoration), ""),
        rule=_rule(low),
        script={"super": "sup", "sub": "sub"}.get(low.get("vertical-align", ""), ""),
        list_type=low.get("list-style-type", "").strip("\"'")
        or _list_type(low.get("list-style", "")),
        picture=address[1] if address else "",
        sized=all(_WIDTH.match(low.get(name, "")) for name in ("width", "height")),
        symbol=low.get("font-family", "").strip("\"' ") == "symbol",
    )


def _outer_display(display: str) -> str:
    if display in _BLOCKS:
        return "block"
    return "inline" if display.startswith(("inline", "contents")) else ""


def _rule(values: dict[str, str]) -> str:
    """The one side that a border is drawn at, where it is the top or the bottom."""
    if _is_drawn(values.get("border", "")):
        return ""
    sides = [s for s in _SIDES if _is_drawn(values.get(f"border-{s}", ""))]
    return sides[0] if sides in (["top"], ["bottom"]) else ""


def _list_type(shorthand: str) -> str:
    """The type among the words of `list-style`, beside a place and a picture."""
    for word in re.split(r"[\s,]+", shorthand):
        if word not in ("inside", "outside", "") and not word.startswith("url"):
            return word
    return ""


def _is_drawn(border: str) -> bool:
    """Whether a border can be seen: `1px solid black` can, `0`, `none` and `solid 0px` not."""
    words = border.split()
    has_line = not _DRAWN.isdisjoint(words)
    return has_line and not any(map(_NO_WIDTH.fullmatch, words))
