"""Formulas of which a page keeps only what KaTeX drew (`output: "html"`), back to MathML.

KaTeX names what it draws by classes: `mfrac`, `sqrt`, `msupsub`. Parts that stand above each other
are the entries of a `vlist`, each with the height at which it stands. What is drawn as a shape
without a name (a tall bracket, a long arrow) cannot be read, and is refused.
"""

from __future__ import annotations

import re
from typing import Any

from .tree import INVISIBLE, MAX_DEPTH, MathNode, Refusal, node

_TOP = re.compile(r"\btop:\s*(-?\d{1,9}(?:\.\d{1,9})?)em")
_HEIGHT = re.compile(r"\bheight:\s*(-?\d{1,9}(?:\.\d{1,9})?)em")
# numbers, words, signs
_PIECES = re.compile(r"\d+(?:\.\d+)*|[^\W\d_]+|\S")
_NOTHING = frozenset(  # room between atoms, and marks for the browser's layout
    "strut pstrut mspace nulldelimiter vlist-s arraycolsep allowbreak frac-line newline "
    "overline-line underline-line vertical-separator".split()
)
_FONTS = {"mathbf": "bold", "mathbb": "double-struck", "mathcal": "script", "mathscr": "script",
          "mathfrak": "fraktur", "mathsf": "sans-serif", "mathtt": "monospace",
          "boldsymbol": "bold-italic"}  # fmt: skip
_OPERATORS = frozenset({"mbin", "mrel", "mopen", "mclose", "mpunct"})
_SIDES = {"l": "left", "c": "center", "r": "right"}
_ACCENTS = {
    "ˆ": "^",
    "˙": "˙",
    "ˉ": "‾",
    "ˊ": "´",
    "ˋ": "`",
    "~": "~",
    "ˇ": "ˇ",
    "˘": "˘",
}


def from_katex(element: Any) -> MathNode:
    """The tree of a `katex` span that holds no MathML. Raises Refusal for shapes without a name."""
    drawn = next((e for e in element.iter() if "katex-html" in _classes(e)), element)
    return node("math", *_row(drawn, 1))


def _classes(element: Any) -> list[str]:
    return element.get("class", "").split() if isinstance(element.tag, str) else []


def _row(element: Any, depth: int) -> list[MathNode]:
    """The nodes that stand in an element, one behind the other."""
    if depth > MAX_DEPTH:
        raise Refusal(f"nested deeper than {MAX_DEPTH} elements")
    nodes: list[MathNode] = []
    if text := _visible(element.text):
        nodes += _tokens(text, _classes(element))
    for child in element:
        classes = _classes(child)
        if _NOTHING.isdisjoint(classes) and isinstance(child.tag, str):
            if "msupsub" in classes:
                base = nodes.pop() if nodes else node("mrow")
                nodes.append(_scripts(base, child, depth))
            else:
                nodes += _atom(child, classes, depth + 1)
        if text := _visible(child.tail):
            nodes += _tokens(text, _classes(element))
    return nodes


def _atom(element: Any, classes: list[str], depth: int) -> list[MathNode]:
    if element.tag != "span" or "svg-align" in classes:
        raise Refusal("drawn formula: a shape that names no sign")
    for name in classes:
        if name in _SHAPES:
            return [_SHAPES[name](element, depth)]
    if "mop" in classes and not any(_shaped(e) for e in element.iterdescendants()):
        return _tokens(_text(element), classes)  # `lo`, `g`: kerned apart
    if "text" in classes:
        return [MathNode("mtext", "".join(element.itertext()).translate(INVISIBLE))]
    inner = _row(element, depth)
    return inner if len(inner) < 2 or "mord" not in classes else [node("mrow", *inner)]


def _shaped(element: Any) -> bool:
    return any(name in _SHAPES or name == "msupsub" for name in _classes(element))


def _text(element: Any) -> str:
    return _visible("".join(element.itertext()))


def _visible(text: str | None) -> str:
    return (text or "").translate(INVISIBLE).strip()


def _tokens(text: str, classes: list[str]) -> list[MathNode]:
    """The tokens of a text: KaTeX draws atoms of one kind together."""
    return [_token(piece, classes) for piece in _PIECES.findall(text)]


def _token(text: str, classes: list[str]) -> MathNode:
    if any("\ue000" <= c <= "\uf8ff" for c in text):
        raise Refusal("drawn formula: a sign of KaTeX's own font")
    variant = next((_FONTS[name] for name in classes if name in _FONTS), "")
    if text == "∣" and "mrel" not in classes:
        text = "|"  # a bar is drawn like the relation
    if text.replace(".", "").isdigit():
        tag = "mn"
    elif not _OPERATORS.isdisjoint(classes) or not text.isalpha():
        tag = "mo"
    else:
        tag = "mi"
        is_upright = len(text) == 1 and text.isascii() and "mathnormal" not in classes
        if is_upright and not variant:
            variant = "normal"
    return MathNode(tag, text, [], {"mathvariant": variant} if variant else {})


def _entries(element: Any) -> list[tuple[float, Any]]:
    """What stands above each other in an element, with its height, the highest first."""
    for part in element.iter():
        if "vlist" in _classes(part):
            entries = [(_height(entry), entry) for entry in part if len(entry)]
            return sorted(entries, key=lambda pair: -pair[0])
    raise Refusal("drawn formula: its parts do not say where they stand")


def _height(entry: Any) -> float:
    top = _TOP.search(entry.get("style", ""))
    strut = next((e for e in entry if "pstrut" in _classes(e)), None)
    room = _HEIGHT.search(strut.get("style", "")) if strut is not None else None
    if top is None:
        raise Refusal("drawn formula: its parts do not say where they stand")
    return -float(top[1]) - (float(room[1]) if room else 0.0)


def _inside(entry: Any, depth: int) -> MathNode:
    nodes = _row(entry, depth)
    return nodes[0] if len(nodes) == 1 else node("mrow", *nodes)


def _holds(element: Any, name: str) -> bool:
    return any(name in _classes(e) for e in element.iter())


def _scripts(base: MathNode, element: Any, depth: int) -> MathNode:
    entries = _entries(element)
    parts = [_inside(entry, depth) for _, entry in entries]
    if len(parts) == 2:
        return node("msubsup", base, parts[1], parts[0])
    if len(parts) != 1:
        raise Refusal(f"drawn formula: {len(parts)} scripts")
    return node("msup" if entries[0][0] > 0 else "msub", base, parts[0])


def _fraction(element: Any, depth: int) -> MathNode:
    entries = _entries(element)
    parts = [_inside(entry, depth) for _, entry in entries if not _is_line(entry)]
    if len(parts) != 2:
        raise Refusal(f"drawn formula: a fraction of {len(parts)} parts")
    thin = {} if len(entries) > 2 else {"linethickness": "0"}
    return node("mfrac", *parts, **thin)


def _is_line(entry: Any) -> bool:
    return any("-line" in name for part in entry for name in _classes(part))


def _root(element: Any, depth: int) -> MathNode:
    index = next((e for e in element if "root" in _classes(e)), None)
    inner = next((e for e in element if "root" not in _classes(e)), element)
    body = next((e for _, e in _entries(inner) if not _holds(e, "hide-tail")), None)
    if body is None:
        raise Refusal("drawn formula: a root without its inside")
    radicand = _inside(body, depth)
    if index is None:
        return node("msqrt", radicand)
    return node("mroot", radicand, _inside(_entries(index)[0][1], depth))


def _accent(element: Any, depth: int) -> MathNode:
    entries = _entries(element)
    if len(entries) != 2:
        raise Refusal("drawn formula: an accent without its base")
    (_, mark), (_, base) = entries
    sign = _text(mark)
    if not sign and _holds(mark, "overlay"):
        sign = "→"  # \vec is the one that KaTeX lays over as a shape
    if not sign:
        raise Refusal("drawn formula: an accent that names no sign")
    accent = MathNode("mo", _ACCENTS.get(sign, sign))
    return node("mover", _inside(base, depth), accent)


def _bar(tag: str) -> Any:
    def barred(element: Any, depth: int) -> MathNode:
        body = [e for _, e in _entries(element) if not _is_line(e)]
        if len(body) != 1:
            raise Refusal("drawn formula: a bar without its base")
        return node(tag, _inside(body[0], depth), MathNode("mo", "‾"))

    return barred


def _limits(element: Any, depth: int) -> MathNode:
    """A sum with what stands over and under it: the sign is the part at height 0."""
    entries = _entries(element)
    sign = next((k for k, (_, e) in enumerate(entries) if _is_sign(e)), None)
    if sign is None or len(entries) > 3:
        raise Refusal("drawn formula: limits without their sign")
    over = entries[:sign]
    under = entries[sign + 1 :]
    if len(over) > 1 or len(under) > 1:
        raise Refusal("drawn formula: limits that cannot be told apart")
    parts = [_inside(entry, depth) for _, entry in [entries[sign], *under, *over]]
    tag = "munder" if under else "mover"
    return node("munderover" if under and over else tag, *parts)


def _is_sign(entry: Any) -> bool:
    """Whether an operator or relation stands in an entry in full size."""
    for child in entry:
        if "sizing" in _classes(child):
            continue
        names = {name for part in (child, *child) for name in _classes(part)}
        if names & {"mop", "mrel"}:
            return True
    return False


def _table(element: Any, depth: int) -> MathNode:
    columns: list[list[MathNode]] = []
    sides: list[str] = []
    for child in element:
        names = [name for name in _classes(child) if name.startswith("col-align")]
        if names:
            sides.append(_SIDES.get(names[0][-1], "center"))
            cells = [_inside(entry, depth) for _, entry in _entries(child)]
            columns.append([node("mtd", cell) for cell in cells])
    if len({len(column) for column in columns}) != 1:
        raise Refusal("drawn formula: a table whose columns differ")
    lines = (node("mtr", *cells) for cells in zip(*columns, strict=True))
    return node("mtable", *lines, columnalign=" ".join(sides))


def _delimiter(element: Any, depth: int) -> MathNode:
    sign = _text(element)
    if len(sign) != 1:
        raise Refusal("drawn formula: a tall bracket that names no sign")
    return MathNode("mo", sign)


def _refused(element: Any, depth: int) -> MathNode:
    raise Refusal("drawn formula: a shape that names no sign")


_SHAPES: dict[str, Any] = {
    "mfrac": _fraction,
    "sqrt": _root,
    "accent": _accent,
    "overline": _bar("mover"),
    "underline": _bar("munder"),
    "op-limits": _limits,
    "mtable": _table,
    "delimsizing": _delimiter,
    "stretchy": _refused,
    "hide-tail": _refused,
    "boxpad": _refused,
    "munder": _refused,
    "mover": _refused,
    "x-arrow": _refused,
    "cancel-pad": _refused,
}
