"""Mathpix Markdown read into text, figures with their place on the page, and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import parse_qs, urlsplit

import msgspec

from ...latex import (
    HAN,
    MATHPIX,
    Delimiters,
    MathSpan,
    joined,
    maths_spans,
    outside,
    reads_as_prose,
    rows_of,
    stray_dollars,
)


class PageBox(msgspec.Struct, frozen=True):
    """A rectangle on a page: pixels of the page picture, `page` from 1 (0: unknown)."""

    page: int
    left: int
    top: int
    width: int
    height: int

    @property
    def middle(self) -> float:
        return self.top + self.height / 2

    @property
    def centre(self) -> float:
        return self.left + self.width / 2


class TextPicture(msgspec.Struct, frozen=True):
    """A picture in the text; `box` when its address tells where it was cropped from."""

    url: str
    alt: str = ""
    box: PageBox | None = None


class Document(msgspec.Struct, frozen=True):
    """`text` has formulas in dollars and `<imageN>` for figures; tables are rows of cells."""

    text: str
    figures: list[TextPicture]
    tables: list[list[list[str]]]


PICTURE = re.compile(
    r"!\[(?P<alt>[^\]\n]{0,500}+)\]\((?P<url><[^>\n]{0,900}+>|[^)\s]{1,900}+)[^)\n]{0,300}+\)"
    r"(?:\{[^}\n]{0,200}\})?"
    r"|\\includegraphics\s*(?:\[[^\]\n]{0,300}\])?\s*\{(?P<path>[^}\n]{0,900})\}"
)
# a formula with words of prose in it has another's dollar
_IN_PROSE = re.compile(rf"[a-z]{{2}}[\s,]+[a-z]{{2}}|\w\s+[a-z]{{2,}}\s+[\w\\]|[{HAN}]")
_IMAGE = re.compile(r"<image(\d+)>")
_PAGE = re.compile(r"-(\d+)\.\w+$")
_TABULAR = re.compile(
    r"\\begin\{tabular\}(?:\[[^\]\n]{0,100}\])?\{(?:[^{}\n]|\{[^{}\n]{0,200}\}){0,500}+\}"
)
_PARTIAL_RULE = re.compile(r"\\cmidrule\s*\{[^}]*\}")
# what makes borders and groups of cells, and no characters that stand for it
_MASKED = str.maketrans("&\\{}", "\ufdd2\ufdd3\ufdd4\ufdd5")
_UNMASKED = {mark: sign for sign, mark in _MASKED.items()}
_TABULAR_END = re.compile(r"\\end\{tabular\}")
_TABLE = re.compile(r"<table\b", re.I)
_TABLE_END = re.compile("</table>", re.I)
_HTML_CELL = re.compile(
    r"<t[dh]\b([^<>]*)>(.*?)(?=<t[dhr]\b|</t[dhr]>|</table>|</tbody>)", re.S | re.I
)
_HTML_ROW = re.compile(r"<tr\b[^>]*>", re.I)
_COLSPAN = re.compile(r"colspan\W{1,2}(\d{1,2})", re.I)
_TAG = re.compile(r"</?[a-z][^>]*>", re.I)
# a line with pipes, a line of dashes below it, and the lines with pipes that follow
_PIPES = re.compile(
    r"(?:^|(?<=\n))(?=[^\n]*\|)([^\n]*)\n"
    r"[ ]{0,3}\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-+:?[ ]*)*\|?[ ]*"
    r"((?:\n(?=[^\n]*\|)[^\n]*)*)"
)


def read_mmd(text: str, delimiters: Delimiters = MATHPIX) -> Document:
    r"""Formulas to dollars, pictures to `<imageN>`, tables beside the text they stay in.

    Args:
        text: Mathpix Markdown.
        delimiters: What stands around formulas.

    >>> read_mmd(r"Let \(x\) ![](fig-2.jpg?height=9&width=8&top_left_y=7&top_left_x=6)").text
    'Let $x$ <image1>'
    """
    figures: list[TextPicture] = []

    def number(match: re.Match[str]) -> str:
        figures.append(figure(match))
        return f"<image{len(figures)}>"

    rows = [table for table, _, _ in tables(text)]
    return Document(PICTURE.sub(number, in_dollars(text, delimiters)), figures, rows)


def in_dollars(text: str, delimiters: Delimiters = MATHPIX) -> str:
    """The same text with every formula between `$` or `$$`, whatever delimiters it came with."""
    spans = maths_spans(text, delimiters)
    parts: list[str] = []
    for (start, end), span in zip(outside(text, spans), [*spans, None], strict=True):
        parts.append(text[start:end])
        if span is not None:
            parts.append(_dollared(span, text))
    return joined(parts)


def _dollared(span: MathSpan, text: str) -> str:
    if span.tex.startswith("<math") or span.opener == "$$":
        return text[span.start : span.end]
    mark = "$$" if span.display else "$"
    return f"{mark}{span.tex}{mark}" if span.tex else ""


def loses_dollar(text: str) -> bool:
    """Whether a dollar of a text has no partner, or another's.

    >>> loses_dollar("Find $x$."), loses_dollar("Find $x, which is even, and y$.")
    (False, True)
    """
    spans = maths_spans(text)
    prose = "".join(text[start:end] for start, end in outside(text, spans))
    return bool(stray_dollars(prose)) or any(
        "<image" in span.tex
        or (_IN_PROSE.search(span.tex) and reads_as_prose(span.tex))
        for span in spans
    )


def figure(match: re.Match[str]) -> TextPicture:
    """The figure of one `PICTURE` match."""
    url = (match["url"] or match["path"] or "").strip("<>")
    return TextPicture(url=url, alt=match["alt"] or "", box=crop_box(url))


def numbered(text: str, figures: list[TextPicture]) -> str:
    """Pictures as `<imageN>`, added to `figures`; one that is printed twice stays one picture."""
    numbers = {picture: n for n, picture in enumerate(figures, 1)}

    def number(match: re.Match[str]) -> str:
        picture = figure(match)
        if picture not in numbers:
            figures.append(picture)
            numbers[picture] = len(figures)
        return f"<image{numbers[picture]}>"

    return PICTURE.sub(number, text)


def with_pictures(text: str, figures: list[TextPicture]) -> str:
    """The text with its pictures as they were before they were `numbered`."""

    def markdown(match: re.Match[str]) -> str:
        number = int(match[1])
        if not 0 < number <= len(figures):
            return match[0]
        picture = figures[number - 1]
        return f"![{picture.alt}]({picture.url})"

    return _IMAGE.sub(markdown, text)


def renumbered(
    texts: list[str], figures: list[TextPicture]
) -> tuple[list[str], list[TextPicture]]:
    """Texts with those of `figures` that they show, these numbered in order of appearance."""
    order: dict[int, int] = {}

    def in_order(match: re.Match[str]) -> str:
        number = order.setdefault(int(match[1]), len(order) + 1)
        return f"<image{number}>"

    changed = [_IMAGE.sub(in_order, text) for text in texts]
    return changed, [figures[n - 1] for n in order if n <= len(figures)]


def crop_box(url: str) -> PageBox | None:
    """Where a picture was cropped from, as its address says.

    >>> crop_box("https://h/cropped/a-09.jpg?height=212&width=209&top_left_y=508&top_left_x=152")
    PageBox(page=9, left=152, top=508, width=209, height=212)
    """
    try:
        parts = urlsplit(url)
        query = {key: int(values[0]) for key, values in parse_qs(parts.query).items()}
        page = _PAGE.search(parts.path)
        return PageBox(
            page=int(page[1]) if page else 0,
            left=query["top_left_x"],
            top=query["top_left_y"],
            width=query["width"],
            height=query["height"],
        )
    except (KeyError, ValueError):
        return None


def tables(text: str) -> Iterator[tuple[list[list[str]], int, int]]:
    """Rows of cells, start and end of every LaTeX `tabular`, pipe table and HTML table."""
    entries: list[tuple[list[list[str]], int, int]] = []
    for begin, end in _closed(text, _TABULAR, _TABULAR_END):
        rows = _tabular_rows(text[begin.end() : end.start()])
        entries.append((rows, begin.start(), end.end()))
    for pipes in _PIPES.finditer(text):
        entries.append((_pipe_rows(pipes[1] + pipes[2]), pipes.start(), pipes.end()))
    for begin, end in _closed(text, _TABLE, _TABLE_END):
        rows = _html_rows(text[begin.start() : end.end()])
        entries.append((rows, begin.start(), end.end()))
    yield from sorted(entries, key=lambda table: table[1])


def _closed(
    text: str, opener: re.Pattern[str], closer: re.Pattern[str]
) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """Each opener with the closer that follows it; they do not overlap."""
    position = 0
    while (start := opener.search(text, position)) and (
        end := closer.search(text, start.end())
    ):
        yield start, end
        position = end.end()


def _tabular_rows(body: str) -> list[list[str]]:
    r"""Cells of a tabular; `\multicolumn` fills its columns, `\multirow` its first cell."""
    rows = []
    for row in rows_of(_PARTIAL_RULE.sub("", _masked(body))):
        cells: list[str] = []
        for cell in row.cells:
            text = " ".join(cell.tex.translate(_UNMASKED).split())
            cells += [text] + [""] * (cell.columns - 1)
        if cells:
            rows.append(cells)
    return rows


def _masked(body: str) -> str:
    """A tabular whose formulas and pictures hold no border of a cell or row."""
    characters = list(body)
    pieces = [(span.start, span.end) for span in maths_spans(body)]
    pieces += [picture.span() for picture in PICTURE.finditer(body)]
    for start, end in pieces:
        characters[start:end] = body[start:end].translate(_MASKED)
    return "".join(characters)


def _pipe_rows(lines: str) -> list[list[str]]:
    rows = []
    for line in lines.split("\n"):
        cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
        rows.append([cell.strip() for cell in cells])
    return rows


def _html_rows(table: str) -> list[list[str]]:
    """Cells of an HTML table, as MinerU writes them; a spanning cell is followed by empty ones."""
    rows = []
    for line in _HTML_ROW.split(table)[1:]:
        cells: list[str] = []
        for attributes, body in _HTML_CELL.findall(line):
            cells.append(" ".join(unescape(_TAG.sub(" ", body)).split()))
            if span := _COLSPAN.search(attributes):
                cells += [""] * (int(span[1]) - 1)
        rows.append(cells)
    return [cells for cells in rows if cells]


_RUN = re.compile(r"[ \t>]*(?:```|~~~)[ \t]*\{[a-zA-Z]")


def without_programs(text: str) -> tuple[str, list[str]]:
    """A text without the fenced blocks that are run when it is shown, and how each begins.

    >>> without_programs("Find it.\\n```{r}\\nx <- 1\\n```\\nSo?")
    ('Find it.\\nSo?', ['x <- 1'])
    """
    if "```" not in text and "~~~" not in text:
        return text, []
    kept: list[str] = []
    programs: list[list[str]] = []
    fence = ""
    for line in text.split("\n"):
        if fence:
            fence = "" if line.strip(" \t>") == fence else fence
            programs[-1] += [line.strip()] if fence else []
        elif _RUN.match(line):
            fence = line.strip(" \t>")[:3]
            programs.append([])
        else:
            kept.append(line)
    return "\n".join(kept), [" ".join(lines)[:80] for lines in programs]
