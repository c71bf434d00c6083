"""HTML as text: what a reader of the page sees, line by line, with formulas as LaTeX.

A page is parsed once and walked once. Text comes out as it stands; what is seen and is no text is
a formula (`html_formulas`), a picture (`html_pictures`), the mark of a list (`html_lists`), a line
over, under or through words, or it is told in the notes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from html import escape
from html.entities import html5
from typing import Any

import msgspec
from lxml import etree

from ...latex import joined
from ...words import own_class, says_classes
from ..mathml import (
    INVISIBLE,
    Refusal,
    characters,
    in_dollars,
    replace_formulas,
    script_text,
)
from ..mathml import join as join_latex
from .elements import BLOCKS, EMBEDDED, PHRASING, SILENT
from .formulas import MATHS, Formula, formula_of
from .fractions import denominator_after, fraction_of, root_of
from .lists import Marks, marks_of
from .pictures import Shown, replaces, shown_by
from .signs import unmarked
from .style import NONE, SYMBOL_FONT, Style, style_of
from .word import as_a_reader_sees

_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]*);")
_CONTROLS = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
MAX_PAGE = 5_000_000  # characters
MAX_DEPTH = 2048  # elements, as libxml2 has it
# no formula by their names
_ORDINARY = (PHRASING | BLOCKS | {"td", "th"}) - {"math", "script", "svg"}
# classes of what only a reader of screens says
_SPOKEN_ONLY = re.compile(
    r"(?:^|[\s_-])(?:sr-only|visually-?hidden|screen-reader\w*|accesshide)\b"
)
_ROW_PARTS = ("td", "th")
_STRUCK = frozenset({"s", "del", "strike"})
_UNDERLINED = frozenset({"u", "ins"})
_TYPED = frozenset("text number search tel url email password date time".split())
# names or values of attributes that may change what is read; all others are passed over
_TELLING = re.compile(
    r"tex|math|formula|equation|katex|eqn?\b|eeimg|mjx|«|hidden|sr-only|accesshide|screen-reader"
    r"|frac|\bnum|\bden|style=|overline|line-through|strike|data:image|background|face=|alt=.?.?[$\\]"
    r"|\.(?:png|jpe?g|jfif|gif|svgz?|webp|bmp|tiff?|avif|emf|wmf|ico)\b",
    re.I,
)
# a line that a class is called after, as those of the common style sheets are
_LINED = re.compile(r"(?:^|[\s_-])(overline|line-through|strike(?:through)?)(?=$|\s)")
_PARSER = etree.HTMLParser(remove_comments=True, remove_pis=True, huge_tree=True)
# characters that nobody sees; joiners stay, which shape letters
_UNSEEN = {
    code: sign for code, sign in INVISIBLE.items() if code not in (0x200C, 0x200D)
}
BLANK = "____"
# attributes that say nothing of what is shown
_PLAIN = frozenset({"id", "class", "style", "space", "count"})
LONG_SCRIPT = 1000  # characters of one that takes no second one beside it
_OF_POINTS = re.compile(r"[A-Z\d'′∠△+\-−=·×÷()\s]+")  # AB, A'C+BC: no words
# values of data attributes that are settings
_FLAGS = re.compile(r"true|false|\d*|auto|none|yes|no", re.I)
_LEFT_OF_SCRIPT = {"sub": "_", "sup": "^"}

# two forms of a page in which one formula stands side by side
_TWINS: tuple[set[str], ...] = (
    {"script", "drawn"}, {"hidden", "picture"},  # also with blanks in between
    {"script", "stated"}, {"script", "math"}, {"math", "picture"}, {"math", "drawn"},
    {"hidden", "drawn"}, {"hidden", "script"}, {"hidden", "math"}, {"stated", "drawn"},
)  # fmt: skip
Picture = Callable[[Shown], str]  # what stands in the text for something that is seen


class _Maths(str):
    """A formula between dollars among the parts of a text."""

    latex: str = ""
    form: str = ""

    @classmethod
    def of(cls, latex: str, display: bool = False, form: str = "") -> _Maths:
        formula = cls(in_dollars(latex, display))
        formula.latex, formula.form = latex, form
        return formula


class _Mark(str):
    """The mark of an item, behind which no line breaks."""


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
    source = _ENTITY.sub(_character, _CONTROLS.sub("", html))
    root = etree.fromstring(f"<div>{source}</div>", _PARSER)
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


Close = Callable[[], None]


class _Reader:
    """Walks the elements of a page; `open` holds what to do at the end of each open one."""

    def __init__(self, picture: Picture, cell: str) -> None:
        self.picture, self.cell = picture, cell
        self.parts: list[str] = []
        self.refusals: list[str] = []
        self.notes: list[str] = []
        self.outside: list[str] = []
        self.problems = 0  # that classes of the source open
        self.classes = says_classes()
        self.unknown: Counter[str] = Counter()
        self.addresses: set[str] = set()  # addresses of pictures
        self.pictured: Any = None  # the last element that is one
        self.open: list[Close | None] = []
        self.read = 0  # pictures that were read as formulas
        self.twins: list[str] = []
        self.lists: list[Marks] = []
        self.cells: list[int] = []  # of the rows that are open
        # elements that are parts of a formula, and what gets their text; None: the sign of a root
        self.roles: dict[Any, Callable[[list[str]], None] | None] = {}
        self.preformatted = 0  # open <pre>

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
        if self.parts and isinstance(self.parts[-1], _Mark) and text.isspace():
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
            self.parts.append(_Maths.of(formula.latex, formula.display, form))

    def follows(self, form: str, latex: str) -> bool:
        """Whether the formula right before is this one in another form, which stays if better."""
        last = len(self.parts) - 1
        while last >= 0 and not self.parts[last].strip():
            last -= 1
        before = self.parts[last] if last >= 0 else ""
        if not isinstance(before, _Maths) or not before.form or before.form == form:
            return False
        is_right_behind = last == len(self.parts) - 1
        pairs = _TWINS if is_right_behind else _TWINS[:2]
        twins = _plain(latex) == _plain(before.latex) or {form, before.form} in pairs
        if twins and form == "script" and latex:
            del self.parts[last:]  # the source stands for its drawing
            return False
        return twins

    def is_drawing(self, picture: Any) -> bool:
        if not self.parts or not isinstance(self.parts[-1], _Maths):
            return False
        return MATHS.search(picture.get("class", "")) is not None

    def shown(self, element: Any, tag: str, style: Style, told: bool) -> Shown | None:
        shown = shown_by(element, tag, style, told)
        if shown is not None:
            self.addresses.update(shown.addresses)
            if replaces(tag):  # its fallback is not seen, or stands in the mark
                self.twins.append("".join(element.itertext()))
        return shown

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
            is_behind_formula = bool(self.parts) and isinstance(self.parts[-1], _Maths)
            return is_behind_formula and _all_phrasing(element)
        return "MathJax_Preview" in classes and _is_typeset(element)

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

    # ----------------------------------------------------------------------------- what is visible
    def visible(self, element: Any, tag: str, style: Style, told: bool) -> Close | None:
        """Start an element whose content is read; what is to be done at its end."""
        if (put := self.roles.pop(element, None)) is not None:
            return self.captured(put)
        if told or tag == "table":
            if (pair := fraction_of(element, tag)) is not None:
                return self.built(pair, r"\frac{%s}{%s}")
            if (below := denominator_after(element)) is not None:
                return self.numerator(below)
        if tag in _ROW_PARTS:
            return self.table_cell()
        if tag in ("sub", "sup") or style.script:
            return self.captured(lambda inner: self.script(inner, style.script or tag))
        if tag in _STRUCK or style.line == "through":
            return self.captured(self.struck)
        is_ruled_below = tag == "span" and style.rule == "bottom"
        if tag in _UNDERLINED or style.line == "under" or is_ruled_below:
            return self.captured(self.underlined)
        if style.line == "over" or (tag in PHRASING and style.rule == "top"):
            return self.captured(self.overlined)
        if tag == "table":
            return self.table(element)
        if style.symbol or element.get("face", "").lower() == "symbol":
            return self.captured(self.in_symbol_font)
        if tag in PHRASING or style.display == "inline":
            return self.inline(element, tag, style)
        if tag in BLOCKS or style.display == "block":
            return self.block(element, tag, style)
        return self.unknown_element(element, tag)

    def inline(self, element: Any, tag: str, style: Style) -> Close | None:
        if style.display == "block":
            self.line_break()
            return self.line_break
        if tag == "br":
            self.line_break()
        elif tag == "input":
            self.field(element)
        elif tag == "textarea":
            self.parts.append("".join(element.itertext()).strip() or BLANK)
        elif tag == "select":
            texts = ("".join(o.itertext()).split() for o in element.iter("option"))
            options = " | ".join(" ".join(words) for words in texts if words)
            self.parts.append(f" {options} ")
        elif tag == "q":
            self.parts.append("“")
            return lambda: self.parts.append("”")
        elif tag == "rt" and element.getparent().find("rp") is None:
            self.parts.append("(")
            return lambda: self.parts.append(")")
        elif tag == "a":
            return self.link(element, style)
        elif _waits_for_a_script(element, tag):
            self.notes.append(f"empty-element: {_named(element)}: a script fills it in")
        return None

    def field(self, element: Any) -> None:
        """An `<input>` as its value, as a blank to fill in, or as a line of its own."""
        kind = element.get("type", "text").lower()
        value = element.get("value", "").strip()
        if kind in ("radio", "checkbox"):  # each is an option
            self.line_break()
        text = BLANK if kind in _TYPED else ""
        if value and (kind in _TYPED or kind in ("button", "submit")):
            text = value
        self.parts.append(f" {text} ")

    def link(self, element: Any, style: Style) -> Close | None:
        """A link to a picture is a picture behind the link's words."""
        shown = self.shown(element, "a", style, True) if element.get("href") else None
        if shown is None:
            return None
        return lambda: self.parts.append(f" {self.picture(shown)}")

    def block(self, element: Any, tag: str, style: Style) -> Close | None:
        self.line_break()
        if tag in ("ol", "ul", "menu", "dir"):
            return self.list_of(marks_of(element, tag == "ol"))
        if tag == "li" and self.item(element.get("value")):
            return self.line_break
        if tag == "tr":
            self.cells.append(0)
            return self.end_row
        elif tag == "pre":
            self.preformatted += 1
            return self.end_kept
        elif _waits_for_a_script(element, tag):
            is_board = style.sized and not element.get("data-id")
            if is_board:
                self.parts.append(self.picture(Shown(tag, [], _named(element))))
            else:
                self.notes.append(
                    f"empty-element: {_named(element)}: a script fills it in"
                )
        return self.line_break

    def item(self, value: str | None) -> bool:
        """The mark of a list's item, where the list has marks."""
        mark = self.lists[-1].mark(value) if self.lists else ""
        if mark:
            self.parts.append(_Mark(mark))
        return mark != ""

    def list_of(self, marks: Marks) -> Close:
        self.lists.append(marks)

        def close() -> None:
            self.lists.pop()
            self.line_break()

        return close

    def end_row(self) -> None:
        self.cells.pop()
        self.line_break()

    def end_kept(self) -> None:
        self.preformatted -= 1
        self.line_break()

    def unknown_element(self, element: Any, tag: str) -> Close | None:
        """One that HTML does not know: it stands apart from the words beside it."""
        self.unknown[tag] += 1
        if tag == "list":  # CNXML and its kin
            self.line_break()
            kind = element.get("list-type", "")
            return self.list_of(
                marks_of(element, kind in ("enumerated", "ordered", "order"))
            )
        if tag == "item" and self.lists:
            self.line_break()
            self.item(None)
            return self.line_break
        holds_something = len(element) or (element.text or "").strip()
        is_bare = not holds_something and element is not self.pictured
        if is_bare and set(element.attrib) - _PLAIN:
            self.notes.append(
                f"empty-element: {_named(element)}: what it shows is not known"
            )
        if not _in_running_text(element):
            self.line_break()
            return self.line_break
        self.space()
        has_mark_behind = (element.tail or " ")[0] in ".,;:!?)]}、。，；：！？）】"
        return None if has_mark_behind else self.space

    def space(self) -> None:
        self.parts.append(" ")

    def line_break(self) -> None:
        if not (self.parts and isinstance(self.parts[-1], _Mark)):
            self.parts.append("\n")

    # ------------------------------------------------------------------ what becomes something else
    def captured(self, put: Callable[[list[str]], None]) -> Close:
        """At the element's end, `put` gets the parts that stand in it."""
        start = len(self.parts)

        def close() -> None:
            inner = self.parts[start:]
            del self.parts[start:]
            put(inner)

        return close

    def script(self, inner: list[str], kind: str) -> None:
        latex = _in_maths(inner)
        if not latex:
            return
        script = f"{_LEFT_OF_SCRIPT[kind]}{{{latex}}}"
        before = self.parts[-1] if self.parts else ""
        if isinstance(before, _Maths) and _takes(before, script):
            self.parts.pop()
            script = before.latex + script
        self.parts.append(_Maths.of(script, form="script of words"))

    def struck(self, inner: list[str]) -> None:
        if _says(inner):
            inner = [" ", "~~", *_stripped(inner), "~~", " "]
        self.parts += inner

    def underlined(self, inner: list[str]) -> None:
        self.parts += inner if _says(inner) else [BLANK]

    def overlined(self, inner: list[str]) -> None:
        """Words under a bar; behind a radical sign, what stands under the root."""
        if not (latex := _in_maths(inner)):
            self.parts += inner
            return
        before = self.parts[-1] if self.parts else ""
        if before.endswith("√") and not isinstance(before, _Maths):
            self.parts[-1] = before[:-1]
            self.parts.append(_Maths.of(rf"\sqrt{{{latex}}}"))
        else:
            self.parts.append(_Maths.of(rf"\overline{{{latex}}}"))

    def in_symbol_font(self, inner: list[str]) -> None:
        for part in inner:
            if not isinstance(part, _Maths):
                self.twins.append(part)
                part = part.translate(SYMBOL_FONT)
            self.parts.append(part)

    # --------------------------------------------------------------------------- tables
    def table(self, element: Any) -> Close:
        if (pair := root_of(element)) is None:
            self.line_break()
            return self.line_break
        sign, inside = pair
        self.roles[sign] = None
        return self.built((inside,), r"\sqrt{%s}")

    def built(self, elements: tuple[Any, ...], latex: str) -> Close:
        """A formula of some elements inside this one, of which nothing else counts."""
        contents: list[list[str]] = [[] for _ in elements]
        for element, content in zip(elements, contents, strict=True):
            self.roles[element] = content.extend

        def close(rest: list[str]) -> None:
            self.parts.append(_Maths.of(_filled(latex, map(_in_maths, contents))))

        return self.captured(close)

    def numerator(self, denominator: Any) -> Close:
        """A numerator, whose denominator comes next, perhaps behind a stroke."""
        start = len(self.parts)

        def close(above: list[str]) -> None:
            def put(below: list[str]) -> None:
                del self.parts[start:]
                both = map(_in_maths, (above, below))
                self.parts.append(_Maths.of(_filled(r"\frac{%s}{%s}", both)))

            self.roles[denominator] = put
            self.parts += above

        return self.captured(close)

    def table_cell(self) -> Close:
        """A cell keeps to the line of its row, where it is not alone."""
        first = not self.cells or not self.cells[-1]
        self.parts.append(" " if first else self.cell)
        if self.cells:
            self.cells[-1] += 1
        return self.captured(lambda inner: self.parts.extend(_within_row(inner, first)))


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


def _takes(script: _Maths, other: str) -> bool:
    """Whether a script gets another on its base: the lower one, or the upper."""
    is_of_words = script.form == "script of words" and len(script.latex) < LONG_SCRIPT
    return is_of_words and script.latex[0] != other[0]


def _plain(latex: str) -> str:
    """LaTeX by which two forms of one formula are known to be the same."""
    return re.sub(r"\\(?:display|text)style|[\s{}]", "", latex)


def _says(parts: list[str]) -> bool:
    return any(part.strip() for part in parts)


def _stripped(parts: list[str]) -> list[str]:
    """Parts without blanks at either end."""
    while parts and not parts[0].strip():
        parts = parts[1:]
    while parts and not parts[-1].strip():
        parts = parts[:-1]
    return parts


def _in_maths(parts: list[str]) -> str:
    """Text and formulas as one formula."""
    pieces: list[str] = []
    words = ""
    for part in [*parts, _Maths()]:
        if not isinstance(part, _Maths):
            words += part
            continue
        if words.strip():
            if _OF_POINTS.fullmatch(words):
                pieces.append(characters(words.strip(), ""))
            else:
                pieces.append(script_text(words))
        pieces.append(part.latex)
        words = ""
    return join_latex([piece for piece in pieces if piece])


def _within_row(inner: list[str], alone: bool) -> list[str]:
    inner = _stripped(inner)
    if not alone:
        return [" " if part == "\n" else part for part in inner]
    return inner


def _filled(latex: str, inner: Iterable[str]) -> str:
    """LaTeX with what belongs into its places; a fraction without one side keeps its rule."""
    arguments = tuple(inner)
    if latex.startswith(r"\frac") and not all(arguments):
        above, below = arguments
        return rf"\underline{{{above}}}" if above else rf"\overline{{{below}}}"
    return latex % arguments


def _in_running_text(element: Any) -> bool:
    """Whether words stand right before or behind an element, or one that holds little else."""
    for _ in range(4):
        before = element.getprevious()
        around = element.getparent()
        text = around.text if around is not None else ""
        if before is not None:
            text = before.tail
        if (text or "").strip() or (element.tail or "").strip():
            return True
        if around is None or around.tag in BLOCKS:
            break
        element = around
    return False


def _all_phrasing(element: Any) -> bool:
    return all(e.tag in PHRASING for e in element.iter() if isinstance(e.tag, str))


def _is_typeset(preview: Any) -> bool:
    """Whether what MathJax shows before it draws stands beside the drawing or the source."""
    after = preview.getnext()
    if after is None:
        return False
    is_source = after.get("type", "").startswith("math/")
    return is_source or "MathJax" in after.get("class", "")


def _waits_for_a_script(element: Any, tag: str) -> bool:
    """Whether an element is empty and says what a script is to show in it."""
    is_void = tag in ("br", "wbr", "hr", "col", "a", "img", "i")
    if is_void or len(element) or element.text:
        return False
    for name, value in element.items():
        if name.startswith("data-") and not _FLAGS.fullmatch(value.strip()):
            return True
    if MATHS.search(element.get("class", "")):
        return True
    return bool(element.get("id")) and style_of(element.get("style", "")).sized


def _named(element: Any) -> str:
    attributes = (f' {n}="{v}"' for n, v in element.items() if n != "style")
    return f"<{element.tag}{''.join(attributes)}>"[:200]
