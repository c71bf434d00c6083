"""MathML text -> a small tree of nodes, safely: no DTD, no external entity, bounded size and depth.

Named characters (`&alpha;`) are resolved by the HTML table of names before the XML parser sees
the text, so no entity can expand to more than two characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from html.entities import html5
from typing import Any
from xml.etree import ElementTree

import msgspec

from ...errors import UserError

MAX_CHARACTERS = 1_000_000
MAX_NODES = 50_000
MAX_DEPTH = 150  # formulas of real textbooks stay below 40

TOKENS = frozenset({"mi", "mn", "mo", "mtext", "ms"})
LAYOUT = frozenset(
    [
        "math",
        "mrow",
        "mfrac",
        "msqrt",
        "mroot",
        "mstyle",
        "mpadded",
        "mphantom",
        "mfenced",
        "mtable",
        "menclose",
        "msub",
        "msup",
        "msubsup",
        "munder",
        "mover",
        "munderover",
        "mmultiscripts",
        "semantics",
        "maction",
        "merror",
    ]
)
TALL = frozenset(
    {
        "mfrac",
        "mtable",
        "munder",
        "mover",
        "munderover",
        "msqrt",
        "mroot",
    }
)
INVISIBLE = {
    ord(c): None for c in "\u2061\u2062\u2063\u2064\u200b\u200c\u200d\u2060\ufeff\u00ad"
}
INVISIBLE |= dict.fromkeys(range(65024, 65040))  # variation selectors
_PLACE = re.compile(r"\{(\w+)\}")
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]*);")
_WHITE = re.compile(r"[ \t\r\n]+")
_DECLARATION = re.compile(r"^<\?xml[^>]*\?>")
_XML_NAMES = frozenset({"lt", "gt", "amp", "quot", "apos"})
_ELEMENT = re.compile(r"<([\w:.-]+)")
# the prefix of an element, or of an attribute
_PREFIX = re.compile(
    r"</?\s*([A-Za-z_][\w.-]*):[\w.-]+|\s([A-Za-z_][\w.-]*):[\w.-]+\s*="
)


class Refusal(UserError):
    """A formula or document that cannot be converted without losing something, and why.

    >>> str(Refusal("unknown element <foo>"))
    'unknown element <foo>'
    """


class MathNode(msgspec.Struct):
    """One element: local name, text of a token without invisible characters, children.

    `attributes["mathvariant"]` of a token is inherited; `tall` says that the node is higher than
    a line, so that brackets around it must grow. A tag with # is no MathML: rows make such nodes
    for what they recognise, and `#latex` holds ready LaTeX as its text.
    """

    tag: str
    text: str = ""
    children: list[MathNode] = []
    attributes: dict[str, str] = {}
    tall: bool = False


def node(tag: str, *children: MathNode, text: str = "", **attributes: str) -> MathNode:
    """A node made by hand, as the converter of OMML does."""
    tall = tag in TALL or any(child.tall for child in children)
    return MathNode(tag, text, list(children), attributes, tall)


def filled(template: str, put: Callable[[str], MathNode]) -> MathNode:
    """The tree of MathML with places: `put` gets the name of each `{name}`.

    >>> filled("<msqrt>{e}</msqrt>", lambda name: MathNode("mi", name)).children[0].text
    'e'
    """
    return _with_places(_template(template), put)


@lru_cache(maxsize=256)
def _template(template: str) -> MathNode:
    return parse(_PLACE.sub(r'<place name="\1"/>', template))


def _with_places(tree: MathNode, put: Callable[[str], MathNode]) -> MathNode:
    if tree.tag == "place":
        return put(tree.attributes["name"])
    children = (_with_places(child, put) for child in tree.children)
    return node(tree.tag, *children, text=tree.text, **tree.attributes)


def bounded(tree: MathNode) -> MathNode:
    """A tree made from OMML, which may have become deeper than its source."""
    level = [tree]
    depth = 0
    while level:
        depth += 1
        if depth > MAX_DEPTH + 50:
            raise Refusal(f"nested deeper than {MAX_DEPTH} elements")
        level = [child for parent in level for child in parent.children]
    return tree


def parse(source: str) -> MathNode:
    """The tree of one MathML element.

    >>> parse("<math><mi>x</mi></math>").children[0].text
    'x'

    Raises Refusal for malformed XML, a DTD, an unknown entity, or too large or deep a formula.
    """
    if len(source) > MAX_CHARACTERS:
        raise Refusal(
            f"too large: {len(source):,} characters, the limit is {MAX_CHARACTERS:,}"
        )
    if "<!DOCTYPE" in source or "<!ENTITY" in source:
        raise Refusal("document type declarations are not accepted")
    source = _ENTITY.sub(_character, source).strip()
    try:
        return from_element(_element(source))
    except Refusal as refusal:
        if "prefix" not in str(refusal):
            raise
    return from_element(_element(_declare_prefixes(source)))


def _element(text: str) -> ElementTree.Element:
    """The element that a text is; comments and processing instructions are passed over.

    Without a document type, which `parse` refuses, XML can neither load nor expand anything.
    """
    try:
        return ElementTree.fromstring(_DECLARATION.sub("", text))
    except (ElementTree.ParseError, ValueError) as error:
        raise Refusal(f"malformed XML: {error}"[:200]) from None


def _character(match: re.Match[str]) -> str:
    name = match[1]
    if name in _XML_NAMES:
        return match[0]
    characters = html5.get(name + ";")
    if characters is None:
        raise Refusal(f"unknown entity &{name};")
    return "".join(f"&#{ord(c)};" for c in characters)


def _declare_prefixes(source: str) -> str:
    """Declare prefixes (`mml:`) that a fragment cut out of its document uses undeclared."""
    used = {p for pair in _PREFIX.findall(source) for p in pair if p} - {"xmlns", "xml"}
    missing = [p for p in sorted(used) if f"xmlns:{p}" not in source]
    declared = "".join(f' xmlns:{p}="urn:{p}"' for p in missing)
    return _ELEMENT.sub(rf"<\1{declared}", source, count=1) if missing else source


def from_element(element: ElementTree.Element) -> MathNode:
    budget = [MAX_NODES]
    return _build(element, "", 1, budget)


def _build(element: Any, variant: str, depth: int, budget: list[int]) -> MathNode:
    budget[0] -= 1
    if depth > MAX_DEPTH:
        raise Refusal(f"nested deeper than {MAX_DEPTH} elements")
    if budget[0] < 0:
        raise Refusal(f"more than {MAX_NODES:,} elements")
    tag = _local(element.tag)
    attributes = {_local(name): value for name, value in element.items()}
    variant = attributes.get("mathvariant", variant)
    if variant:
        attributes["mathvariant"] = variant
    if tag in TOKENS:
        if len(element) == 0:
            text = element.text or ""
            if not (text.isascii() and text.isalnum()):
                text = _visible(text, tag)
            return MathNode(tag, text, [], attributes)
        if not _holds_layout(element):
            return MathNode(tag, token_text(element, tag), [], attributes)
        tag = "mrow"
    if tag == "annotation":
        return MathNode(tag, element.text or "", [], attributes)
    children = _children(element, variant, depth, budget)
    tall = tag in TALL or any(child.tall for child in children)
    return MathNode(tag, "", children, attributes, tall)


def _holds_layout(token: Any) -> bool:
    """Whether a token holds MathML, as in KaTeX's `<mo><mover>...`; it is a row then."""
    names = map(local_name, token)
    return any(name in LAYOUT or name in TOKENS for name in names)


def _children(
    element: Any, variant: str, depth: int, budget: list[int]
) -> list[MathNode]:
    """Child nodes; text that stands outside a token becomes an mtext and is not lost."""
    children: list[MathNode] = []
    if (text := element.text) and not text.isspace():
        children.append(_stray(text, variant))
    for child in element:
        children.append(_build(child, variant, depth + 1, budget))
        if (tail := child.tail) and not tail.isspace():
            children.append(_stray(tail, variant))
    return children


def _stray(text: str, variant: str) -> MathNode:
    attributes = {"mathvariant": variant} if variant else {}
    words = " ".join(text.translate(INVISIBLE).split())
    return MathNode("mtext", words, [], attributes)


def local_name(element: Any) -> str:
    """`mrow` for `mml:mrow`, whether the prefix was declared or not."""
    return _local(element.tag)


@lru_cache(maxsize=1024)
def _local(tag: str) -> str:
    return tag.rpartition("}")[2].rpartition(":")[2]


def token_text(element: Any, tag: str) -> str:
    """A token's characters: white space collapsed, invisible ones gone, glyphs by their name."""
    text = "".join(_inline(element)) if len(element) else element.text or ""
    return _visible(text, tag)


@lru_cache(maxsize=4096)
def _visible(text: str, tag: str) -> str:
    text = _WHITE.sub(" ", text.translate(INVISIBLE))
    return text if tag == "mtext" else text.strip()


def _inline(element: Any) -> list[str]:
    """Text of a token with glyphs or HTML inside it."""
    parts = [element.text or ""]
    for child in element:
        if local_name(child) == "mglyph":
            parts.append(glyph_name(child.get("alt")))
        else:
            parts.extend(_inline(child))
        parts.append(child.tail or "")
    return parts


def glyph_name(alt: str | None) -> str:
    """What a picture of a character stands for."""
    if not alt:
        raise Refusal("mglyph without alt: a picture instead of a character")
    return alt
