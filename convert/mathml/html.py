"""MathML inside running text: HTML pages to text, and formulas inside a problem's text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from html.entities import html5
from typing import Any

from lxml import etree

from .converter import mathml_to_latex
from .tokens import script_text
from .tree import Refusal

_OPENING = re.compile(r"<((?:[\w.-]+:)?math)(?=[\s/>])[^<>]*>|«(math)\b")
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]*);")
_CONTROLS = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_DISPLAY = re.compile(r"<[^>]*\bdisplay\s*=\s*[\"']?block|^«math[^»]*display=¨block")
MAX_PAGE = 5_000_000  # characters
BLOCKS = frozenset([
    "address", "article", "aside", "blockquote", "body", "caption", "dd", "div", "dl", "dt",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main",
    "nav", "ol", "p", "pre", "section", "table", "tbody", "thead", "title", "tr", "ul",
])  # fmt: skip
SILENT = frozenset({"script", "style", "template", "svg", "noscript", "head", "title"})
# what a renderer drew from a formula that the page also holds as MathML or TeX
DRAWN = frozenset(["MathJax", "MathJax_Display", "MathJax_Preview", "MathJax_SVG", "MathJax_CHTML"])


Picture = Callable[[str, str], str]  # address, alternative text -> what stands in the text
ADDRESSES = ("data-src", "data-original", "src")  # pages that load pictures late keep it elsewhere
UNDERLINES = frozenset({"u", "ins", "span"})
BLANK = "____"


def _in_words(address: str, alternative: str) -> str:
    return f"[picture: {alternative}]" if alternative else "[picture]"


def replace_formulas(text: str, doubts: list[str] | None = None) -> tuple[str, list[str]]:
    """`text` with every `<math>` element as `$...$` (`$$...$$` for display), and the refusals.

    A refused formula stays as it is, what is doubtful in one goes to `doubts`. Nothing else is
    touched: `a < b` and LaTeX stay.

    >>> replace_formulas("Let <math><mi>x</mi><mo>&gt;</mo><mn>0</mn></math>.")
    ('Let $x>0$.', [])
    """
    refusals: list[str] = []
    pieces: list[str] = []
    done = 0
    for start, end in _formulas(text):
        pieces.append(text[done:start])
        done = end
        try:
            pieces.append(_dollars(text[start:end], doubts))
        except Refusal as refusal:
            refusals.append(str(refusal))
            pieces.append(text[start:end])
    return "".join([*pieces, text[done:]]), refusals


def only_formula(text: str) -> bool:
    """Whether `text` is one formula and nothing else."""
    text = text.strip()
    return next(_formulas(text), None) == (0, len(text))


def _formulas(text: str) -> Iterator[tuple[int, int]]:
    """Where formulas stand; the time is linear also where none is closed."""
    unclosed: set[str] = set()
    end = 0
    for opening in _OPENING.finditer(text):
        if opening.start() < end:
            continue
        if opening[0].endswith("/>"):
            end = opening.end()
            yield opening.start(), end
            continue
        closing = f"</{opening[1]}>" if opening[1] else "«/math»"
        closing_at = -1 if closing in unclosed else text.find(closing, opening.end())
        if closing_at < 0:
            unclosed.add(closing)
            continue
        end = closing_at + len(closing)
        yield opening.start(), end


def _dollars(source: str, doubts: list[str] | None = None) -> str:
    latex = mathml_to_latex(source, doubts)
    return f"$${latex}$$" if _DISPLAY.match(source) else f"${latex}$"


def html_to_text(
    html: str, picture: Picture | None = None, cell: str = " "
) -> tuple[str, list[str]]:
    """The running text of an HTML page or fragment with its formulas as LaTeX, and the refusals.

    A refused formula is shown with its reason, a picture as `[picture: its alternative text]` or
    as what `picture(address, alternative text)` says. An underlined blank is `____`; `cell` stands
    between the cells of a table's row. Scripts, styles and what KaTeX or MathJax drew beside the
    MathML are left out.

    >>> html_to_text("<p>Find <math><mi>x</mi></math>:</p><p>x<sup>2</sup> &lt; 4</p>")
    ('Find $x$:\\nx$^{2}$ < 4', [])
    """
    if len(html) > MAX_PAGE:
        raise Refusal(f"too large: {len(html):,} characters, the limit is {MAX_PAGE:,}")
    page = _HtmlPage(picture or _in_words, cell)
    target: Any = page
    parser = etree.HTMLParser(target=target, remove_comments=True, huge_tree=True)
    etree.fromstring(f"<div>{_ENTITY.sub(_character, _CONTROLS.sub('', html))}</div>", parser)
    lines = (" ".join(line.split()) for line in "".join(page.parts).split("\n"))
    return "\n".join(line for line in lines if line), page.refusals


class _HtmlPage:
    """Collects text from the events of lxml's HTML parser; inside `<math>`, its markup."""

    def __init__(self, picture: Picture, cell: str) -> None:
        self.picture, self.cell = picture, cell
        self.parts: list[str] = []
        self.refusals: list[str] = []
        self.formula: list[str] | None = None
        self.open = 0  # elements open inside the formula
        self.hidden = 0  # elements open inside a hidden one, itself included
        self.script = ""  # type of a script that holds a formula
        self.raised: list[int] = []  # where the parts of open <sub> and <sup> start
        self.lines: list[int] = []  # where those of open <u> and <span> start; -1: not underlined
        self.cells = 0  # of the table's row

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if self.formula is not None or (not self.hidden and _is_math(tag)):
            self.formula = self.formula or []
            self.formula.append(_start(tag, attributes))
            self.open += 1
        elif tag == "script" and attributes.get("type", "").startswith("math/"):
            self.script = attributes["type"]
        elif self.hidden or _is_hidden(tag, attributes):
            self.hidden += 1
        else:
            self._visible(tag, attributes)

    def end(self, tag: str) -> None:
        if self.formula is not None:
            self.formula.append(f"</{tag}>")
            self.open -= 1
            if not self.open:
                source, self.formula = "".join(self.formula), None
                self._put(source)
        elif self.script:
            self.script = ""
        elif self.hidden:
            self.hidden -= 1
        elif tag in BLOCKS:
            self.parts.append("\n")
        elif tag in UNDERLINES and self.lines:
            start = self.lines.pop()
            if start >= 0 and not "".join(self.parts[start:]).strip():
                self.parts[start:] = [BLANK]
        elif tag in ("sub", "sup") and self.raised:
            start = self.raised.pop()
            inner = "".join(self.parts[start:]).strip()
            if inner and "$" not in inner:
                mark = "^" if tag == "sup" else "_"
                self.parts[start:] = [f"${mark}{{{script_text(inner)}}}$"]

    def data(self, data: str) -> None:
        if self.formula is not None:
            self.formula.append(escape(data, quote=False))
        elif self.script.startswith("math/mml"):
            self._put(data.strip())
        elif self.script.startswith("math/tex"):
            mark = "$$" if "mode=display" in self.script else "$"
            self.parts.append(f"{mark}{data.strip()}{mark}")
        elif not self.hidden:
            self.parts.append(data.replace("\n", " "))

    def close(self) -> None:
        """Called by the parser at the end of the page."""

    def _visible(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in BLOCKS or tag == "br":
            self.parts.append("\n")
            self.cells = 0 if tag == "tr" else self.cells
        elif tag in ("td", "th"):
            self.parts.append(self.cell if self.cells else " ")
            self.cells += 1
        elif tag in UNDERLINES:
            underlined = tag != "span" or "underline" in attributes.get("style", "")
            self.lines.append(len(self.parts) if underlined else -1)
        elif tag == "input" and attributes.get("type", "text") == "text":
            self.parts.append(BLANK)
        elif tag in ("sub", "sup"):
            self.raised.append(len(self.parts))
        elif tag == "img":
            source = attributes.get("data-mathml", "")
            if source:
                self._put(source)
            elif "mwe-math-fallback" not in attributes.get("class", ""):
                address = next((attributes[name] for name in ADDRESSES if attributes.get(name)), "")
                self.parts.append(self.picture(address, attributes.get("alt", "").strip()))

    def _put(self, source: str) -> None:
        """A formula into the text, or its refusal."""
        try:
            self.parts.append(_dollars(source))
        except Refusal as refusal:
            self.refusals.append(str(refusal))
            self.parts.append(f"[formula refused: {refusal}]")


def _start(tag: str, attributes: dict[str, str]) -> str:
    return f"<{tag}" + "".join(f' {n}="{escape(v)}"' for n, v in attributes.items()) + ">"


def _is_math(tag: str) -> bool:
    return tag.rpartition(":")[2] == "math"


def _character(match: re.Match[str]) -> str:
    """A character by its HTML 5 name, which the parser does not know."""
    characters = html5.get(match[1] + ";", "")
    if not characters or not characters.isascii():
        return characters or match[0]
    return match[0] if match[1] in ("lt", "gt", "amp", "quot") else escape(characters)


def _is_hidden(tag: str, attributes: dict[str, str]) -> bool:
    classes = attributes.get("class", "").split()
    return (
        tag in SILENT or attributes.get("aria-hidden") == "true" or not DRAWN.isdisjoint(classes)
    )  # fmt: skip
