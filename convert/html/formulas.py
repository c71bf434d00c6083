"""The formula that an element of a page is, in whatever form the page holds it.

The best form wins: the source (a script, an annotation, an attribute), MathML, and last what a
renderer drew. Nothing here knows a site: an element is a formula by its MathML, by an attribute
or class whose words speak of mathematics and whose value reads as TeX, or by TeX between dollars.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from ...latex import reads_as_prose
from ..mathml import (
    ELEMENTS,
    MathNode,
    Refusal,
    from_drawn,
    from_element,
    from_html_omml,
    is_display,
    is_drawn,
    local_name,
    mathml_to_latex,
    node,
    to_latex,
    usable,
)

# words that speak of mathematics, in names of classes, elements and attributes, and in addresses
MATHS = re.compile(
    r"(?<![a-z])(?:(?:mime|auto)?tex(?![a-z])|tex(?:render|vc|2jax|math)|eeimg|eqn?(?![a-z]))"
    r"|latex|katex|math|formula|equation",
    re.I,
)
# what stands beside a source in attributes with such words
_SETTING = re.compile(
    r"(?:^|[-_:])(?:id|type|mode|display|style|class|role|index|number|count|version|size|width"
    r"|height|color)$",
    re.I,
)
_SPOKEN = re.compile(r"\s*LaTeX:\s*", re.I)
_ASSIGNED = re.compile(
    r"\\(?:inline|dpi\{\d+\}|bg_[a-z]+|fn_[a-z]+|large|small)\s*|&space;"
)
# what TeX has, a description in words has not: a command, a sign, a figure, a name of points
_TEX = re.compile(r"[\\^_={}+<>|√π∠△°]|\d|^[A-Za-z]{1,3}'*$|^[A-Z]{1,5}$|[(\[].*[)\]]")
_MATH_INSIDE = re.compile(r"<math\b.*</math>", re.DOTALL)
LONGEST_ADDRESS = 200_000  # characters of a drawing in an address
_MARKUP = ("<math", "«math", "<m:math", "<mml:math", "&lt;math")
_CDATA = re.compile(r"%?\s*(?:<!\[CDATA\[|\]\]>)")
_DRAWN_CLASS = re.compile(
    r"(?:^|\s)(MathJax(?!_Preview)\w*|mjx-chtml|katex|katex-html|katex-display)(?=\s|$)"
)
_LOOSE = frozenset(name for name in ELEMENTS if re.fullmatch(r"m(?!ath$)[a-z]+", name))
_PICTURES = frozenset({"img", "image", "object", "embed", "input", "amp-img"})


class Formula(NamedTuple):
    """LaTeX, or why it is refused, and the form in which the page held it."""

    latex: str
    display: bool
    form: str  # script, math, stated, picture or drawn
    refusal: str = ""
    twin: str = ""  # what stands beside its source and only draws it


def formula_of(element: Any, tag: str, told: bool) -> Formula | None:
    """The formula that an element is, with all that stands in it; None of one that is none.

    `told` says that its attributes may tell something.
    """
    if tag == "math":
        return _made(element, "math", _is_display(element), _of_math)
    if tag in _LOOSE:  # its <math> was cut off
        return _made(element, "math", False, lambda e: to_latex(from_element(e)))
    if tag == "script":
        return _of_script(element)
    if tag in ("omath", "omathpara"):
        return _made(
            element, "math", tag == "omathpara", lambda e: to_latex(from_html_omml(e))
        )
    if tag in ("mjx-container", "mjx-math") or (tag == "svg" and _drawings(element)):
        return _of_drawing(element)
    if not told:
        return _of_text(element, tag) if _speaks(tag) else None
    if (drawn := _DRAWN_CLASS.search(element.get("class", ""))) and _is_one(element):
        return _of_drawing(element, drawn[1])
    if (stated := _stated(element, tag)) is not None:
        return stated
    words = f"{tag} {element.get('class', '')}"
    return _of_text(element, tag) if _speaks(words) else None


@lru_cache(maxsize=1024)
def _speaks(words: str) -> bool:
    return MATHS.search(words) is not None


def _made(element: Any, form: str, display: bool, convert: Any) -> Formula:
    try:
        return Formula(convert(element), display, form)
    except Refusal as refusal:
        return Formula("", display, form, str(refusal))


def _is_display(math: Any) -> bool:
    return bool(math.get("display") == "block" or math.get("mode") == "display")


def _of_math(math: Any) -> str:
    """The LaTeX of a `<math>` element; Surya, Marker and wikis write LaTeX into it."""
    text = (math.text or "").strip()
    if len(math) == 0 and text and not any("xmlns" in name for name in math.attrib):
        return text
    return to_latex(from_element(math))


def _of_script(script: Any) -> Formula | None:
    kind = script.get("type", "")
    text = unescape(_CDATA.sub("", script.text or "").strip())
    if not kind.startswith("math/"):
        return None
    if kind.startswith("math/mml"):
        return _made(text, "script", is_display(text), mathml_to_latex)
    return Formula(text, "mode=display" in kind, "script")


# ------------------------------------------------------------------------------- what stands drawn
def _is_one(element: Any) -> bool:
    """Whether a container of a renderer is one formula, not a page that names its renderer."""
    return not any(
        local_name(inside) in ("p", "ol", "ul", "table")
        for inside in _elements(element)
    )


def _elements(element: Any) -> Iterator[Any]:
    return (inside for inside in element.iter() if isinstance(inside.tag, str))


def _drawings(element: Any) -> list[Any]:
    return [e for e in _elements(element) if local_name(e) != "math" and is_drawn(e)]


def _of_drawing(element: Any, name: str = "") -> Formula:
    """The formula in a renderer's container: its source, its MathML, or what the glyphs say."""
    display = _shown_apart(element, name)
    if _has_source_behind(element):
        return Formula("", display, "drawn")
    for inside in _elements(element):
        if local_name(inside) == "math" or inside.get("data-mathml"):
            return _made(
                inside, "drawn", display or _is_display(inside), _of_hidden_math
            )
        if local_name(inside) == "script" and (source := _of_script(inside)):
            return source._replace(twin="".join(element.itertext()))
    drawings = _drawings(element)
    for drawing in drawings:
        if tex := usable(drawing.get("data-latex", "")):
            return Formula(tex, display, "drawn")
    if drawings:
        return _made(drawings, "drawn", display, _of_glyphs)
    if name.startswith("katex"):
        from ..mathml import from_katex

        return _made(element, "drawn", display, lambda e: to_latex(from_katex(e)))
    return Formula(
        "", display, "drawn", "it stands only as a drawing, without its source"
    )


def _has_source_behind(element: Any) -> bool:
    """Whether MathJax 2 left the source in a script behind its drawing."""
    after = element.getnext()
    return after is not None and after.tag == "script" and _of_script(after) is not None


def _of_hidden_math(element: Any) -> str:
    if source := element.get("data-mathml"):
        return mathml_to_latex(source)
    return _of_math(element)


def _of_glyphs(drawings: list[Any]) -> str:
    """One formula, also where it is broken into several drawings."""
    trees = [from_drawn(drawing) for drawing in drawings]
    rows: list[MathNode] = [child for tree in trees for child in tree.children]
    return to_latex(trees[0] if len(trees) == 1 else node("math", *rows))


def _shown_apart(element: Any, name: str) -> bool:
    around = element.getparent()
    classes = "" if around is None else around.get("class", "")
    return bool(
        element.get("display") in ("true", "block")
        or "isplay" in name
        or re.search(r"katex-display|MathJax\w*_Display", classes)
    )


# --------------------------------------------------------------------------- stated in attributes
def _stated(element: Any, tag: str) -> Formula | None:
    """The formula in an attribute, where the element shows nothing but this formula."""
    speaks = False
    for name, value in element.items():
        start = value.lstrip()[:10].lower()
        if start.startswith(_MARKUP):
            source = unescape(value) if start.startswith("&lt;") else value
            return _made(source, "stated", is_display(source), mathml_to_latex)
        if name in ("style", "href", "id", "onclick"):
            continue
        if name in ("class", "src", "data-src", "role") or not value:
            speaks = speaks or bool(MATHS.search(value or name))
        elif MATHS.search(name):
            speaks = True
            if not _SETTING.search(name) and (tex := tex_of(value)):
                return Formula(tex, False, "stated")
    if tag in _PICTURES:
        return _of_picture(element, speaks)
    return _beside_nothing(element) if speaks else None


def _of_picture(element: Any, speaks: bool) -> Formula | None:
    """The formula in a picture's alternative text, or in its address."""
    for name in ("alt", "title", "data-alt"):
        value = element.get(name, "")
        if (speaks or _between_dollars(value)) and (tex := tex_of(value)):
            display = value.strip().startswith((r"\[", "$$"))
            return Formula(tex, display, "picture")
    for name in ("src", "data-src", "data"):
        address = element.get(name, "")
        if address[:19].lower().startswith("data:image/svg+xml"):
            if math := _MATH_INSIDE.search(unquote(address[:LONGEST_ADDRESS])):
                return _made(math[0], "picture", False, mathml_to_latex)
        elif MATHS.search(address) and (tex := _in_address(address)):
            return Formula(tex, False, "picture")
    return None


def _beside_nothing(element: Any) -> Formula | None:
    """The formula in any attribute of an element that is named after one and shows nothing."""
    if "".join(element.itertext()).strip():
        return None
    for name, value in element.items():
        if name.startswith("data-") and (tex := tex_of(value)):
            return Formula(tex, False, "stated")
    return None


def _between_dollars(value: str) -> bool:
    value = value.strip()
    pairs = (("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"))
    is_between = any(value.startswith(a) and value.endswith(b) for a, b in pairs)
    return len(value) > 2 and is_between


@lru_cache(maxsize=1024)
def tex_of(value: str) -> str | None:
    r"""The TeX that a text is; None of a description, a name, a setting.

    >>> tex_of("$\\frac{1}{2}$"), tex_of("LaTeX: x+1"), tex_of("formula"), tex_of("x squared")
    ('\\frac{1}{2}', 'x+1', None, None)
    """
    tex = usable(_SPOKEN.sub("", value, count=1)) if len(value) < 20_000 else None
    if not tex or not _TEX.search(tex) or reads_as_prose(tex):
        return None
    return None if tex.isdigit() or '"' in tex or "://" in tex else tex


def _in_address(address: str) -> str | None:
    """The TeX that the address of a picture hands to a renderer.

    >>> _in_address("https://latex.codecogs.com/svg.latex?%5Cfrac%7B1%7D%7B2%7D")
    '\\\\frac{1}{2}'
    >>> _in_address("https://s0.wp.com/latex.php?latex=x%5E2&bg=ffffff")
    'x^2'
    """
    for value in _values_in_address(address):
        if tex := tex_of(_ASSIGNED.sub(" ", value).strip()):
            return tex
    return None


def _values_in_address(address: str) -> list[str]:
    """What of an address may be TeX: parameters by their names, the query, or the last step."""
    parts = urlsplit(address)
    parameters = parse_qsl(parts.query)
    named = [value for name, value in parameters if MATHS.search(name)]
    if named:
        return named
    if parts.query:  # all of it, where a sum may be written as it is
        return [unquote(parts.query), *(v for _, v in parameters if "\\" in v)]
    last = unquote(unquote(parts.path.rsplit("/", 1)[-1]))
    return [last] if "\\" in last else []


def _of_text(element: Any, tag: str) -> Formula | None:
    """The TeX that an element named after mathematics holds as its text.

    Behind a source between dollars, what is drawn from it may stand (MathQuill).
    """
    text = (element.text or "").strip()
    if len(element) and not text:
        for child in element:
            inner = (child.text or "").strip() if isinstance(child.tag, str) else ""
            if not len(child) and _between_dollars(inner) and (tex := tex_of(inner)):
                return Formula(tex, False, "stated", twin="".join(element.itertext()))
    if len(element) or not text or ("$" in text and not _between_dollars(text)):
        return None
    if text.startswith(("\\(", "\\[")):  # stays as it is written
        return None
    tex = tex_of(text)
    is_apart = tag in ("div", "p") or "display" in element.get("class", "")
    return Formula(tex, is_apart or text[:2] == "$$", "stated") if tex else None
