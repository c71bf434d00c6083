"""What stands in the text for elements that are seen: lines, lists, cells, scripts, fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from ...words import says_classes
from .elements import BLOCKS, PHRASING
from .fractions import denominator_after, fraction_of, root_of
from .lists import Marks, marks_of
from .parts import Mark, Maths, filled, in_maths, says, stripped, takes, within_row
from .pictures import Shown, replaces, shown_by
from .places import in_running_text, named, waits_for_a_script
from .style import SYMBOL_FONT, Style

_ROW_PARTS = ("td", "th")
_STRUCK = frozenset({"s", "del", "strike"})
_UNDERLINED = frozenset({"u", "ins"})
_TYPED = frozenset("text number search tel url email password date time".split())
BLANK = "____"
# attributes that say nothing of what is shown
_PLAIN = frozenset({"id", "class", "style", "space", "count"})
_LEFT_OF_SCRIPT = {"sub": "_", "sup": "^"}
Picture = Callable[[Shown], str]  # what stands in the text for something that is seen
Close = Callable[[], None]


class Layout:
    """Writes visible elements as the parts of a text."""

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

    def shown(self, element: Any, tag: str, style: Style, told: bool) -> Shown | None:
        shown = shown_by(element, tag, style, told)
        if shown is not None:
            self.addresses.update(shown.addresses)
            if replaces(tag):  # its fallback is not seen, or stands in the mark
                self.twins.append("".join(element.itertext()))
        return shown

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
        elif waits_for_a_script(element, tag):
            self.notes.append(f"empty-element: {named(element)}: a script fills it in")
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
        elif waits_for_a_script(element, tag):
            is_board = style.sized and not element.get("data-id")
            if is_board:
                self.parts.append(self.picture(Shown(tag, [], named(element))))
            else:
                self.notes.append(
                    f"empty-element: {named(element)}: a script fills it in"
                )
        return self.line_break

    def item(self, value: str | None) -> bool:
        """The mark of a list's item, where the list has marks."""
        mark = self.lists[-1].mark(value) if self.lists else ""
        if mark:
            self.parts.append(Mark(mark))
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
                f"empty-element: {named(element)}: what it shows is not known"
            )
        if not in_running_text(element):
            self.line_break()
            return self.line_break
        self.space()
        has_mark_behind = (element.tail or " ")[0] in ".,;:!?)]}、。，；：！？）】"
        return None if has_mark_behind else self.space

    def space(self) -> None:
        self.parts.append(" ")

    def line_break(self) -> None:
        if not (self.parts and isinstance(self.parts[-1], Mark)):
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
        latex = in_maths(inner)
        if not latex:
            return
        script = f"{_LEFT_OF_SCRIPT[kind]}{{{latex}}}"
        before = self.parts[-1] if self.parts else ""
        if isinstance(before, Maths) and takes(before, script):
            self.parts.pop()
            script = before.latex + script
        self.parts.append(Maths.of(script, form="script of words"))

    def struck(self, inner: list[str]) -> None:
        if says(inner):
            inner = [" ", "~~", *stripped(inner), "~~", " "]
        self.parts += inner

    def underlined(self, inner: list[str]) -> None:
        self.parts += inner if says(inner) else [BLANK]

    def overlined(self, inner: list[str]) -> None:
        """Words under a bar; behind a radical sign, what stands under the root."""
        if not (latex := in_maths(inner)):
            self.parts += inner
            return
        before = self.parts[-1] if self.parts else ""
        if before.endswith("√") and not isinstance(before, Maths):
            self.parts[-1] = before[:-1]
            self.parts.append(Maths.of(rf"\sqrt{{{latex}}}"))
        else:
            self.parts.append(Maths.of(rf"\overline{{{latex}}}"))

    def in_symbol_font(self, inner: list[str]) -> None:
        for part in inner:
            if not isinstance(part, Maths):
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
            self.parts.append(Maths.of(filled(latex, map(in_maths, contents))))

        return self.captured(close)

    def numerator(self, denominator: Any) -> Close:
        """A numerator, whose denominator comes next, perhaps behind a stroke."""
        start = len(self.parts)

        def close(above: list[str]) -> None:
            def put(below: list[str]) -> None:
                del self.parts[start:]
                both = map(in_maths, (above, below))
                self.parts.append(Maths.of(filled(r"\frac{%s}{%s}", both)))

            self.roles[denominator] = put
            self.parts += above

        return self.captured(close)

    def table_cell(self) -> Close:
        """A cell keeps to the line of its row, where it is not alone."""
        first = not self.cells or not self.cells[-1]
        self.parts.append(" " if first else self.cell)
        if self.cells:
            self.cells[-1] += 1
        return self.captured(lambda inner: self.parts.extend(within_row(inner, first)))
