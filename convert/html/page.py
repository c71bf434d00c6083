"""HTML as text: what a reader of the page sees, line by line, with formulas as LaTeX.

A page is parsed once and walked once. Text comes out as it stands; what is seen and is no text is
a formula (`html_formulas`), a picture (`html_pictures`), the mark of a list (`html_lists`), a line
over, under or through words, or it is told in the notes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from html import escape
from html.entities import html5
from typing import Any

import msgspec
from lxml import etree

from ...latex import joined
from ...words import own_class
from ..mathml import (
    INVISIBLE,
    Refusal,
    replace_formulas,
)
from .elements import BLOCKS, EMBEDDED, PHRASING, SILENT
from .formulas import MATHS, Formula, formula_of
from .layout import Close, Layout, Picture
from .parts import Mark, Maths, plain
from .pictures import Shown, replaces
from .places import all_phrasing, is_typeset
from .signs import unmarked
from .style import NONE, Style, style_of
from .word import as_a_reader_sees

_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]*);")
# what XML has no place for, in UTF-8
_CONTROLS = bytes(sign for sign in range(0x20) if chr(sign) not in "\t\n\r")
_NO_CHARACTERS = ("\ufffe".encode(), "\uffff".encode())
MAX_PAGE = 5_000_000  # characters
MAX_DEPTH = 2048  # elements, as libxml2 has it
# no formula by their names
_ORDINARY = (PHRASING | BLOCKS | {"td", "th"}) - {"math", "script", "svg"}
# classes of what only a reader of screens says
_SPOKEN_ONLY = re.compile(
    r"(?:^|[\s_-])(?:sr-only|visually-?hidden|screen-reader\w*|accesshide)\b"
)
# names or values of attributes that may change what is read; all others are passed over
_TELLING = re.compile(
    r"tex|math|formula|equation|katex|eqn?\b|eeimg|mjx|«|hidden|sr-only|accesshide|screen-reader"
    r"|frac|\bnum|\bden|style=|overline|line-through|strike|data:image|background|face=|alt=.?.?[$\\]"
    r"|\.(?:png|jpe?g|jfif|gif|svgz?|webp|bmp|tiff?|avif|emf|wmf|ico)\b",
    re.I,
)
# a line that a class is called after, as those of the common style sheets are
_LINED = re.compile(r"(?:^|[\s_-])(overline|line-through|strike(?:through)?)(?=$|\s)")
_PARSER = etree.HTMLParser(
    remove_comments=True, remove_pis=True, huge_tree=True, encoding="utf-8"
)
# characters that nobody sees; joiners stay, which shape letters
_UNSEEN = {
    code: sign for code, sign in INVISIBLE.items() if code not in (0x200C, 0x200D)
}
# two forms of a page in which one formula stands side by side
_TWINS: tuple[set[str], ...] = (
    {"script", "drawn"}, {"hidden", "picture"},  # also with blanks in between
    {"script", "stated"}, {"script", "math"}, {"math", "picture"}, {"math", "drawn"},
    {"hidden", "drawn"}, {"hidden", "script"}, {"hidden", "math"}, {"stated", "drawn"},
)  # fmt: skip


class Page(msgspec.Struct):
    """What a page says: its text, what was refused or is not in the text, elements not known."""

    text: str
    refusals: list[str]
    notes: list[str]
    outside: list[str]  # text that nobody sees
    elements: dict[str, int]  # those that HTML does not know, counted
    read: int  # pictures that are formulas, or signs of one
    twins: list[str]  # what only draws once more what stands in the text


def html_to_text(
    html: str, picture: Callable[[str, str], str] | None = None, cell: str = " | "
) -> tuple[str, list[str]]:
    """The running text of an HTML page or fragment with its formulas as LaTeX, and the refusals.

    A refused formula is shown with its reason, a picture as `[picture: its alternative text]` or
    as what `picture(address, alternative text)` says. An underlined blank is `____`, struck text
    stands between `~~`, lists have their marks; `cell` stands between the cells of a table's row.
    Scripts, styles and what KaTeX or MathJax drew beside a formula's source are left out.

    >>> html_to_text("<p>Find <math><mi>x</mi></math>:</p><p>x<sup>2</sup> &lt; 4</p>")
    ('Find $x$:\\nx$^{2}$ < 4', [])

    Raises Refusal for a page that is too large, or nested too deeply.
    """

    def placed(shown: Shown) -> str:
        if picture is None:
            return f"[picture: {shown.words}]" if shown.words else "[picture]"
        return picture(next(iter(shown.addresses), ""), shown.words)

    page = read_page(html, placed, cell)
    return page.text, page.refusals


def read_page(html: str, picture: Picture, cell: str = " | ") -> Page:
    """All that a page or fragment says. Raises Refusal for one that is too large or too deep."""
    html = unmarked(as_a_reader_sees(html))
    if len(html) > MAX_PAGE:
        raise Refusal(f"too large: {len(html):,} characters, the limit is {MAX_PAGE:,}")
    source = _ENTITY.sub(_character, html) if "&" in html else html
    data = f"<div>{source}</div>".encode("utf-8", "ignore").translate(None, _CONTROLS)
    for sign in _NO_CHARACTERS:
        data = data.replace(sign, b"")
    root = etree.fromstring(data, _PARSER)
    fatal_errors = _PARSER.error_log.filter_from_fatals()
    if any("depth" in error.message for error in fatal_errors):
        raise Refusal(f"nested deeper than {MAX_DEPTH:,} elements")
    reader = _Reader(picture, cell)
    reader.walk(root)
    lines = (" ".join(line.split()) for line in joined(reader.parts).split("\n"))
    text = "\n".join(line for line in lines if line)
    return Page(
        text,
        reader.refusals,
        reader.notes,
        reader.outside,
        dict(reader.unknown),
        reader.read,
        reader.twins,
    )


def _character(match: re.Match[str]) -> str:
    """A character by its HTML 5 name, which the parser does not know."""
    characters = html5.get(match[1] + ";", "")
    if not characters or not characters.isascii():
        return characters or match[0]
    return match[0] if match[1] in ("lt", "gt", "amp", "quot") else escape(characters)


class _Reader(Layout):
    """Walks the elements of a page; `open` holds what to do at the end of each open one."""

    def walk(self, root: Any) -> None:
        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            if event == "end":
                if close := self.open.pop():
                    close()
                if element.tail:
                    self.text(element.tail)
            elif self.start(element):
                walker.skip_subtree()

    def text(self, text: str) -> None:
        if "«math" in text:
            text, refusals = replace_formulas(text)
            self.refusals += refusals
        if self.parts and isinstance(self.parts[-1], Mark) and text.isspace():
            return
        if not text.isascii():
            text = text.translate(_UNSEEN)
        self.parts.append(text if self.preformatted else text.replace("\n", " "))

    def start(self, element: Any) -> bool:
        """Take in the start of an element; whether all that stands in it is dealt with."""
        name = element.tag
        tag = name if ":" not in name else _plain_name(name)
        items = element.items()
        told = bool(items) and _tells(" ".join([f"{n}={v}" for n, v in items]))
        if self.classes and (role := own_class(element.get("class") or "")):
            told = (
                False  # it may be hidden from a reader of the page, and is meant here
            )
            if self.of_source(role, element):
                self.open.append(None)
                return True
        style = _style(element) if told else NONE
        close: Close | None = None
        done = True
        ordinary = not told and tag in _ORDINARY
        if not ordinary and (formula := formula_of(element, tag, told)) is not None:
            self.read += tag in EMBEDDED
            self.formula(formula, style.hidden, element)
        elif element in self.roles and self.roles[element] is None:
            del self.roles[element]  # the sign of a root
            styles = [style_of(part.get("style", "")) for part in element.iter()]
            self.read += sum(bool(style.picture) for style in styles)
        elif tag in SILENT or (told and self.is_hidden(element, tag, style)):
            if style.hidden or tag not in SILENT:
                self.hidden(element)
        elif tag == "noscript" and not self.is_news(element):
            pass
        elif tag == "img" and told and self.is_drawing(element):
            pass  # of the formula before it
        elif items and tag != "a" and (shown := self.shown(element, tag, style, told)):
            self.parts.append(self.picture(shown))
            self.pictured, done = element, replaces(tag)
            close = None if done else self.visible(element, tag, style, told)
        elif tag in EMBEDDED and not items:
            done = self.bare_embedded(element, tag, style)
        else:
            done = tag in ("select", "textarea")
            close = self.visible(element, tag, style, told)
        self.open.append(close)
        if not done and element.text:
            self.text(element.text)
        return done

    def of_source(self, role: str, element: Any) -> bool:
        """Write what the source says of a class as a mark; whether all in it is dealt with."""
        if role == "outside":
            self.outside.append(" ".join("".join(element.itertext()).split()))
            return True
        if role == "problem":
            self.problems += 1
            self.parts.append(f"\n\n## Problem {self.problems}\n\n")
        elif role in ("answer", "solution", "hint"):
            self.parts.append(f"\n\n【{role}】")
        return False

    # ------------------------------------------------------------------------ formulas, pictures
    def formula(self, formula: Formula, hidden: bool, element: Any) -> None:
        """A formula into the text, or its refusal; one that stands in two forms comes out once."""
        form = "hidden" if hidden else formula.form
        self.twins += [formula.twin] if formula.twin else []
        if self.follows(form, formula.latex):
            self.twins.append("".join(element.itertext()))
        elif formula.refusal:
            self.refusals.append(formula.refusal)
            self.parts.append(f"[formula refused: {formula.refusal}]")
        elif formula.latex.strip():
            self.parts.append(Maths.of(formula.latex, formula.display, form))

    def follows(self, form: str, latex: str) -> bool:
        """Whether the formula right before is this one in another form, which stays if better."""
        last = len(self.parts) - 1
        while last >= 0 and not self.parts[last].strip():
            last -= 1
        before = self.parts[last] if last >= 0 else ""
        if not isinstance(before, Maths) or not before.form or before.form == form:
            return False
        is_right_behind = last == len(self.parts) - 1
        pairs = _TWINS if is_right_behind else _TWINS[:2]
        twins = plain(latex) == plain(before.latex) or {form, before.form} in pairs
        if twins and form == "script" and latex:
            del self.parts[last:]  # the source stands for its drawing
            return False
        return twins

    def is_drawing(self, picture: Any) -> bool:
        if not self.parts or not isinstance(self.parts[-1], Maths):
            return False
        return MATHS.search(picture.get("class", "")) is not None

    def bare_embedded(self, element: Any, tag: str, style: Style) -> bool:
        if (shown := self.shown(element, tag, style, False)) is not None:
            self.parts.append(self.picture(shown))
        return True

    def is_news(self, noscript: Any) -> bool:
        """Whether a picture for readers without scripts stands nowhere else."""
        addresses = [e.get("src") for e in noscript.iterdescendants("img")]
        return any(address and address not in self.addresses for address in addresses)

    # ------------------------------------------------------------------------------ what is hidden
    def is_hidden(self, element: Any, tag: str, style: Style) -> bool:
        if style.hidden or (tag == "input" and element.get("type") == "hidden"):
            return True
        classes = element.get("class", "")
        if element.get("hidden") is not None or _SPOKEN_ONLY.search(classes):
            return True
        # a reader of screens skips it: seen, but where a formula stands before, drawn from it
        if element.get("aria-hidden") == "true":
            is_behind_formula = bool(self.parts) and isinstance(self.parts[-1], Maths)
            return is_behind_formula and all_phrasing(element)
        return "MathJax_Preview" in classes and is_typeset(element)

    def hidden(self, element: Any) -> None:
        """Formulas that stand hidden beside their picture count; other text is outside."""
        words = "".join(element.itertext()).split()
        if not words or element.get("aria-hidden") == "true":
            return
        formulas = [e for e in element.iter("math") if isinstance(e.tag, str)]
        for math in formulas:
            if (formula := formula_of(math, "math", False)) is not None:
                self.formula(formula, True, math)
        if not formulas and "MathJax" not in element.get("class", ""):
            self.outside.append(" ".join(words))


def _tells(attributes: str) -> bool:
    """Whether attributes may change what is read; those of a site come again and again."""
    if len(attributes) < 200:
        return _short_tells(attributes)
    return _TELLING.search(attributes) is not None


@lru_cache(maxsize=4096)
def _short_tells(attributes: str) -> bool:
    return _TELLING.search(attributes) is not None


def _style(element: Any) -> Style:
    """The effects of an element's style, and of a class that is called after a line."""
    style = style_of(element.get("style", ""))
    lined = _LINED.search(element.get("class", ""))
    if lined is None:
        return style
    return style._replace(line="over" if lined[1] == "overline" else "through")


def _plain_name(name: str) -> str:
    """`math` for `m:math`, `p` for `xhtml:p`; another vocabulary's names stay whole (`o:p`)."""
    prefix, _, local = name.rpartition(":")
    is_shown = local in ("math", "omath", "omathpara", "svg")
    return local if is_shown or prefix in ("h", "html", "xhtml") else name
