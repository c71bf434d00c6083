r"""pandoc's syntax tree as the Markdown that exams are cut from.

    OrderedList (1, UpperAlpha, OneParen) -> `A) ..`     Math -> `$..$`      Table -> rows of cells
    Note -> its text in brackets, behind     Image -> `![](name)`, its file beside

Emphasis goes, but a block that is bold as a whole stays so: it may be a heading. Where one of
several lettered lines is emphasised as a whole, people mean the right one, which is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

import msgspec

from ...errors import UserError
from ...latex import joined, maths_spans
from ...words import words
from .markdown import loses_dollar
from .sections import PARTS, SAID

DEEPEST = 80  # blocks and inlines inside each other
_INDENT = " " * 4  # of what stands in an item
_PLAIN = {"Space": " ", "SoftBreak": "\n", "LineBreak": "\n"}
# what dresses text and says nothing of a problem
_DRESS = frozenset(
    [
        "Emph",
        "Strong",
        "Underline",
        "SmallCaps",
        "Strikeout",
        "Span",
        "Link",
        "Cite",
        "Quoted",
    ]
)
_STRIKING = frozenset(["Strong", "Underline"])  # how people mark an answer
_SCRIPTS = {"Superscript": "^", "Subscript": "_"}
_BLANK = "____"
# where code was, for whoever cuts the text: it is taken out, and told where text follows
CODE = "\u2063code\u2063"
_LETTERED = re.compile(r"\W{0,3}([A-H])[ \t]*[.):、．：]")
_SOLUTION = re.compile(words("answer", "solution", "hint", "working"), re.I)
_PROBLEM = re.compile(words("problem"), re.I)
_ITEM = re.compile(r"[ \t]*(?:\(?\w{1,4}[.)]|[\u2474-\u2487])")
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_PLACE = re.compile("\U000f0000(\\d{1,6})\U000f0001")


class Written(msgspec.Struct):
    """What a tree becomes: text, pictures by name, and what is not in it."""

    text: str
    pictures: dict[str, bytes]
    issues: list[str]


class _Piece(msgspec.Struct):
    """One block of text; `struck` says that all of it is emphasised."""

    text: str
    struck: bool = False


def written(
    blocks: list[Any],
    media: dict[str, bytes],
    name: str,
    formulas: list[str] | None = None,
) -> Written:
    """The text of a document's blocks; `formulas` stand where the marks of `docx` are.

    Raises UserError for one that is nested beyond all bounds.
    """
    writer = _Writer(media, name, formulas or [])
    pieces = [*writer.blocks(blocks, 0)]
    text = "\n\n".join(
        piece.text for piece in _with_marked_answers(pieces, writer.issues)
    )
    writer.tell_left_out()
    return Written(f"{text}\n", writer.pictures, writer.issues)


def _with_marked_answers(pieces: list[_Piece], issues: list[str]) -> Iterator[_Piece]:
    """Behind lettered pieces of which one is emphasised, what that says."""
    run: list[tuple[str, bool]] = []
    for piece in [*pieces, _Piece("")]:
        letter = _LETTERED.match(piece.text)
        follows = letter and letter[1] == "ABCDEFGH"[len(run) : len(run) + 1]
        if not follows:
            struck = [one for one, is_struck in run if is_struck]
            if len(run) > 2 and len(struck) == 1:
                issues.append(f"answer-by-emphasis: {struck[0]}")
                yield _Piece(f"Answer: {struck[0]}")
            run = []
            follows = letter and letter[1] == "A"
        if letter and follows:
            run.append((letter[1], piece.struck))
        if piece.text.strip():
            yield piece


_TARGET = re.compile(r"\s*<[^<>]*>\s*$")
_REFERENCES = ("ref", "doc", "numref", "eq")


def _refers(attributes: Any) -> bool:
    """Whether what looks like code is a reference of Sphinx: :ref:`Sums <sums>`."""
    _, classes, pairs = attributes
    roles = [value for name, value in pairs if name == "role"]
    return "interpreted-text" in classes and bool({*roles} & {*_REFERENCES})


def _as_shown(attributes: Any, text: str) -> str:
    return _TARGET.sub("", text) if _refers(attributes) else text


def _leads_on(inline: Any) -> bool:
    """Whether an inline is a reference, or the space around one."""
    if inline["t"] == "Code":
        return _refers(inline["c"][0])
    return inline["t"] in ("Space", "SoftBreak", "LineBreak")


class _Writer:
    """Walks a tree; pictures and what is left out are collected on the way."""

    def __init__(self, media: dict[str, bytes], name: str, formulas: list[str]) -> None:
        self.media = media
        self.formulas = formulas
        self.stem = PurePosixPath(name).stem
        self.pictures: dict[str, bytes] = {}
        self.names: dict[str, str] = {}  # address -> the name of a stored picture
        self.issues: list[str] = []
        self.problems = 0  # in boxes of their own
        self.code: list[str] = []  # cells of a program, which are left out

    def tell_left_out(self) -> None:
        if self.code:
            first = " ".join(self.code[0].split())[:80]
            self.issues.append(f"code-left-out: {len(self.code)} cells: {first}")

    # Blocks -------------------------------------------------------------------------------------

    def blocks(self, nodes: Iterable[Any], depth: int) -> Iterator[_Piece]:
        if depth > DEEPEST:
            raise UserError(f"{self.stem}: nested too deeply", "give it as Markdown")
        for node in nodes:
            yield from self.block(node["t"], node.get("c"), depth + 1)

    def block(self, kind: str, content: Any, depth: int) -> Iterator[_Piece]:
        if kind in ("Para", "Plain"):
            if all(map(_leads_on, content)):  # to another page, and says nothing here
                return
            yield self.paragraph(content, depth)
        elif kind == "Header":
            level, _, inlines = content
            text = " ".join(self.line(inlines, depth).split())
            yield _Piece(f"{'#' * min(level, 6)} {text}" if text else "")
        elif kind in ("OrderedList", "BulletList"):
            yield from self.items(kind, content, depth)
        elif kind == "DefinitionList":
            for term, definitions in content:
                said = [one for each in definitions for one in self.blocks(each, depth)]
                body = "\n\n".join(piece.text for piece in said)
                yield _Piece(f"{self.line(term, depth)}: {body}")
        elif kind == "LineBlock":
            yield _Piece("\n".join(self.line(one, depth) for one in content))
        elif kind == "BlockQuote":
            yield from self.blocks(content, depth)
        elif kind == "Div":
            yield from self.division(content, depth)
        elif kind == "Figure":
            _, (_, caption), inner = content
            yield from self.blocks([*inner, *caption], depth)
        elif kind == "Table":
            yield from self.table(content, depth)
        elif kind == "CodeBlock":
            yield _Piece(content[1])
        elif kind == SAID:
            first, *rest = [*self.blocks(content[1], depth)] or [_Piece("")]
            yield _Piece(f"{content[0]}: {first.text}")
            yield from rest
        elif kind == "RawBlock":
            yield _Piece(self.raw(*content, display=True))

    def paragraph(self, inlines: list[Any], depth: int) -> _Piece:
        text = self.line(inlines, depth).strip()
        struck = _struck(inlines)
        if struck and "\n" not in text and not _LETTERED.match(text):
            text = f"**{text}**"
        return _Piece(text, struck)

    def division(self, content: Any, depth: int) -> Iterator[_Piece]:
        """A stretch with a class: cells of notebooks, admonitions, boxes of exercises."""
        (_, classes, _), inner = content
        if "output" in classes or ("cell" in classes and "code" in classes):
            yield from self.cell(classes, inner, depth)
            return
        said = next(filter(_SOLUTION.fullmatch, classes), "")
        if said:
            yield _Piece(f"**{said.capitalize()}**")
        elif asked := next(filter(_PROBLEM.fullmatch, classes), ""):
            self.problems += 1
            yield _Piece(f"##### {asked.capitalize()} {self.problems}")
        if "only" in classes:  # Sphinx: for some of its outputs, which are named first
            inner = inner[1:]
        yield from self.blocks(inner, depth)

    def cell(
        self, classes: list[str], inner: list[Any], depth: int
    ) -> Iterator[_Piece]:
        """Of a notebook's code only pictures that it drew are kept."""
        for node in inner:
            if node["t"] == "CodeBlock" and "output" not in classes:
                if node["c"][1].strip():
                    self.code.append(node["c"][1])
                    yield _Piece(CODE)
            elif node["t"] == "Div":
                yield from self.block("Div", node["c"], depth)
            elif node["t"] == "Para":
                shown = [one for one in node["c"] if one["t"] == "Image"]
                yield _Piece(self.line(shown, depth))

    def items(self, kind: str, content: Any, depth: int) -> Iterator[_Piece]:
        """A list, every item behind its number; what stands in an item is indented."""
        start, style, delimiter = 1, "", ""
        entries = content
        if kind == "OrderedList":
            (start, style, delimiter), entries = content
            style, delimiter = style["t"], delimiter["t"]
        for number, entry in enumerate(entries, start):
            label = _label(number, style, delimiter) if kind == "OrderedList" else "-"
            inner = [*self.blocks(entry, depth)] or [_Piece("")]
            first, *rest = inner
            shows = label == "-" and _PICTURE.fullmatch(first.text)
            yield first if shows else _Piece(f"{label} {first.text}", first.struck)
            for piece in rest:
                is_item = _ITEM.match(piece.text)  # its depth tells parts from problems
                yield _Piece(_INDENT + piece.text, piece.struck) if is_item else piece

    def table(self, content: Any, depth: int) -> Iterator[_Piece]:
        """Rows of cells; where cells hold more than a line, they follow each other."""
        _, (_, caption), _, head, bodies, foot = content
        yield from self.blocks(caption, depth)
        rows = [*head[1], *(row for body in bodies for row in [*body[2], *body[3]])]
        rows += foot[1]
        cells = [[[*self.blocks(cell[4], depth)] for cell in row[1]] for row in rows]
        if any(_is_layout(cell) for row in cells for cell in row):
            for row in cells:
                yield from _flowing(row)
        elif cells:
            lines = [f"| {' | '.join(map(_of_cell, row))} |" for row in cells]
            width = max(len(row) for row in cells)
            lines.insert(1, f"|{'---|' * width}")
            yield _Piece("\n".join(lines))

    # Inlines ------------------------------------------------------------------------------------

    def line(self, inlines: list[Any], depth: int) -> str:
        """Inlines as text. Dollars that people typed are formulas only where they pair as such."""
        pieces = [*self.pieces(inlines, depth)]
        prose = "".join("\ufdd6" if is_set else text for is_set, text in pieces)
        typed = bool(maths_spans(prose)) and not loses_dollar(prose)
        return joined(
            [
                text if is_set or typed else text.replace("$", r"\$")
                for is_set, text in pieces
            ]
        )

    def pieces(self, inlines: list[Any], depth: int) -> Iterator[tuple[bool, str]]:
        """Stretches of text, and whether their dollars are ours."""
        if depth > DEEPEST:
            raise UserError(f"{self.stem}: nested too deeply", "give it as Markdown")
        for node in inlines:
            kind = node["t"]
            content = node.get("c")
            if kind == "Str":
                for k, part in enumerate(_PLACE.split(content)):
                    is_place = k % 2 == 1
                    yield is_place, self.formulas[int(part)] if is_place else part
            elif kind in _PLAIN:
                yield False, _PLAIN[kind]
            elif kind == "Math":
                yield True, _formula(content[0]["t"] == "DisplayMath", content[1])
            elif kind == "Code":
                yield False, _as_shown(*content)
            elif kind == "RawInline":
                yield True, self.raw(*content, display=False)
            elif kind == "Image":
                yield True, self.picture(content, depth)
            elif kind == "Note":
                notes = (piece.text for piece in self.blocks(content, depth + 1))
                yield True, f" ({' '.join(notes)})"
            elif kind in _SCRIPTS:
                yield True, _script(kind, self.line(content, depth + 1))
            elif kind == "Link" and content[2][0].startswith("Category:"):
                continue  # of a wiki's shelves
            elif kind in _DRESS:
                yield from self.dressed(kind, content, depth + 1)

    def dressed(
        self, kind: str, content: Any, depth: int
    ) -> Iterator[tuple[bool, str]]:
        inner = content
        if kind == "Quoted":
            double = content[0]["t"] == "DoubleQuote"
            opening, closing = "“”" if double else "‘’"
            yield False, opening
            yield from self.pieces(content[1], depth)
            yield False, closing
            return
        if kind in ("Span", "Link", "Cite"):
            inner = content[1]
        pieces = [*self.pieces(inner, depth)]
        if kind == "Underline" and not "".join(text for _, text in pieces).strip(
            " \u00a0\t_"
        ):
            yield False, _BLANK
            return
        if kind == "Strikeout":
            struck = "".join(text for _, text in pieces)
            self.issues.append(f"struck-out: {' '.join(struck.split())[:80]}")
        yield from pieces

    def picture(self, content: Any, depth: int) -> str:
        _, inlines, (address, _) = content
        words = "".join(text for _, text in self.pieces(inlines, depth + 1))
        alt = " ".join(re.sub(r"[\[\]]", " ", words).split())[:200]
        known = address.removeprefix("./")
        if known not in self.media:
            return (
                f"![{alt}](<{address[:900]}>)"
                if " " in address
                else f"![{alt}]({address})"
            )
        if known not in self.names:
            suffix = PurePosixPath(known).suffix
            name = f"{self.stem}-{len(self.pictures) + 1}{suffix}"
            name = re.sub(r"[^\w.-]", "-", name)
            self.names[known] = name
            self.pictures[name] = self.media[known]
        return f"![]({self.names[known]})"

    def raw(self, kind: str, text: str, *, display: bool) -> str:
        """What pandoc left as it was: formulas and HTML are read later, the rest is told."""
        if kind in ("tex", "latex"):
            is_formula = display and text.lstrip().startswith("\\begin")
            return f"$$\n{text.strip()}\n$$" if is_formula else text
        if kind == "html":
            return text
        if text.strip():
            self.issues.append(f"left-out: {kind}: {' '.join(text.split())[:80]}")
        return ""


def _struck(inlines: list[Any]) -> bool:
    """Whether all that is seen of inlines is bold, underlined or marked."""
    seen = [one for one in inlines if one["t"] not in _PLAIN]
    return bool(seen) and all(map(_is_striking, seen))


def _is_striking(node: Any) -> bool:
    if node["t"] == "Span":
        (_, classes, _), inner = node["c"]
        return "mark" in classes or _struck(inner)
    return node["t"] in _STRIKING


_OF_PARTS = "".join(
    map(chr, range(0x2474, 0x2488))
)  # ⑴ to ⒇, which no problem is called
_ROMAN = {
    100: "c",
    90: "xc",
    50: "l",
    40: "xl",
    10: "x",
    9: "ix",
    5: "v",
    4: "iv",
    1: "i",
}


def _roman(number: int) -> str:
    out = ""
    for value, sign in _ROMAN.items():
        out += sign * (number // value)
        number %= value
    return out


def _label(number: int, style: str, delimiter: str) -> str:
    sign = str(number)
    if style.endswith("Alpha") and 0 < number <= 26:
        sign = chr(ord("a") + number - 1)
    elif style.endswith("Roman"):
        sign = _roman(number)
    sign = sign.upper() if style.startswith("Upper") else sign
    if delimiter == PARTS and 0 < number <= len(_OF_PARTS):
        return _OF_PARTS[number - 1]
    if delimiter in ("TwoParens", PARTS):
        return f"({sign})"
    return f"{sign})" if delimiter == "OneParen" else f"{sign}."


def _formula(display: bool, tex: str) -> str:
    mark = "$$" if display else "$"
    bare = tex.strip()
    return f"{mark}{bare}{mark}" if bare else ""


def _script(kind: str, text: str) -> str:
    inner = text.strip()
    if not inner:
        return ""
    inside = inner.removeprefix("$").removesuffix("$")
    if inside != inner or inner.isalnum() or inner.isascii():
        return f"${_SCRIPTS[kind]}{{{inside}}}$"
    return f"${_SCRIPTS[kind]}{{\\text{{{inner}}}}}$"


def _is_layout(cell: list[_Piece]) -> bool:
    filled = [piece for piece in cell if piece.text.strip()]
    return len(filled) > 1 or any("\n" in piece.text for piece in filled)


_NUMBER = re.compile(r"\W{0,2}\w{1,3}\W{0,2}")


def _flowing(row: list[list[_Piece]]) -> Iterator[_Piece]:
    """The cells of a row one behind the other; a number or a letter stands before what follows."""
    before = ""
    for cell in row:
        filled = [piece for piece in cell if piece.text.strip()]
        if len(filled) == 1 and _NUMBER.fullmatch(filled[0].text):
            before = f"{before}{filled[0].text} "
            continue
        for piece in filled:
            yield _Piece(before + piece.text, piece.struck)
            before = ""
    if before:
        yield _Piece(before.strip())


def _of_cell(cell: list[_Piece]) -> str:
    """A cell's text, in which no bar parts cells."""
    text = "".join(piece.text for piece in cell).strip()
    if "|" not in text:
        return text
    out: list[str] = []
    position = 0
    for span in maths_spans(text):
        out.append(text[position : span.start].replace("|", "\uff5c"))
        tex = text[span.start : span.end].replace(r"\|", r"\Vert ")
        out.append(tex.replace("|", r"\vert "))
        position = span.end
    return "".join([*out, text[position:].replace("|", "\uff5c")])
