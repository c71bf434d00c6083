"""What open recognisers write, as one kind of Markdown: formulas in dollars, pictures beside it.

Read are Markdown of MinerU, Marker, olmOCR, Nougat, Docling, PaddleOCR, Mistral and chat models,
and the JSON of MinerU (content list), Mistral, PaddleOCR, Marker (chunks), Docling and olmOCR.
What a recogniser says it lost is an issue; furniture of pages is left out. Its Markdown is text
whose lines count, with tags here and there; so it is not read as a page, which `convert.html` does.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import msgspec

from ...base.display import Display
from ...base.files import write_bytes, write_text
from ...base.json_lines import decode
from ...errors import UserError
from ...latex import PROBLEM_TEXT, maths_spans, outside
from ..html import html_to_text

MAX_BYTES = 200_000_000
MAX_PICTURE = 50_000_000

_DATA_PICTURE = re.compile(
    r"!\[([^\]\n]{0,500})\]\((data:image/(\w{2,5})[^,)\n]{0,80},[\w+/=%-]*+)\)"
)
_YAML_HEAD = re.compile(r"\A---\n(?:[a-z_]+: [^\n]*\n){1,12}---\n")
_IMG = re.compile(r"<img\b([^<>]*+)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"""(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))"""
)
_DETAILS = re.compile(
    r"(!\[)[^\]\n]{0,500}(\]\([^)\n]{1,900}\))\s*<details>(?:[^<]|<(?!/?details))*+</details>"
)
_PAGE_BREAK = re.compile(
    r"^(?:\{\d+\}-{20,}|<!-- ?page ?-?break ?-->|\\newpage|\f)[ \t]*$", re.M
)
_LOST = (
    (re.compile(r"\[MISSING_PAGE_(?:FAIL|EMPTY|POST)(?::(\d+))?\]"), "page-lost", ""),
    (re.compile(r"<!-- ?image ?-->"), "picture-lost", "export with referenced images"),
    (
        re.compile(r"<!-- ?formula-not-decoded ?-->"),
        "formula-lost",
        "recognise again with --enrich-formula",
    ),
)
_MATH = re.compile(
    r"<math\b(?![^>]*xmlns)([^<>]*)>([^<]*)</math\s*>|<eq>([^<]*)</eq>", re.IGNORECASE
)
_WRAPPER = re.compile(
    r"</?(?:div|span|center|p|h[1-6]|b|i|u|em|strong|ul|ol|li|figure|figcaption|caption)"
    r"\b[^<>]{0,400}>",
    re.IGNORECASE,
)
_BLOCK_END = re.compile(
    r"</(?:div|p|h[1-6]|li|figcaption|caption)\s*>|<br\s*/?>", re.IGNORECASE
)
_RAISED = re.compile(r"<(sup|sub)>([^<>]{1,80})</\1>", re.IGNORECASE)

# labels of blocks that are no part of a document's text
_FURNITURE = frozenset(
    "header footer page_number page_header page_footer pageheader pagefooter aside_text number"
    " page_aside_text page_footnote discarded furniture".split()
)


class Recognised(Display, msgspec.Struct, kw_only=True):
    """One recognised document: its Markdown, its embedded pictures by name, what is doubtful."""

    name: str
    markdown: str
    pictures: dict[str, bytes] = {}
    issues: list[str] = []

    def headline(self) -> str:
        return f"{self.name}, {len(self.pictures)} pictures, {len(self.issues)} issues"


def read_recognised(path: str | Path, out: str | Path | None = None) -> Recognised:
    """The document of a recogniser's file, Markdown or JSON, or of a saved page.

    Pictures that the file holds are written to `<out without ending>-images`, where `convert exam`
    looks for them.

    Args:
        path: What the recogniser wrote.
        out: Markdown file to write.

    Raises UserError for a file that is too large, and for JSON of no known tool.

    Example: `read_recognised("exam_content_list.json", "exam.mmd").issues`
    """
    path = Path(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UserError(f"{path}: larger than {MAX_BYTES:,} bytes", "split it")
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise UserError(
            f"{path}: {error.strerror}", "name a file that can be read"
        ) from None
    except UnicodeDecodeError as error:
        raise UserError(
            f"{path}: not UTF-8 ({error.reason} at byte {error.start})", ""
        ) from None
    document = Recognised(name=path.name, markdown="")
    if path.suffix in (".json", ".jsonl"):
        blocks = _from_json(path, text, document)
        text = "\n\n".join(block for block in blocks if block.strip())
    elif path.suffix in (".html", ".htm"):
        text, refusals = html_to_text(text, _markdown_picture, " | ")
        text = text.replace("\n", "\n\n")
        document.issues += [f"formula: {refusal}" for refusal in refusals]
    document.markdown = tidied(text, document)
    if out is not None:
        _write(document, Path(out))
    return document


def _markdown_picture(address: str, words: str) -> str:
    return f"![{words}]({address})"


def _write(document: Recognised, out: Path) -> None:
    write_text(out, document.markdown)
    folder = out.with_name(f"{out.stem}-images")
    for name, content in document.pictures.items():
        write_bytes(folder / name, content)


# ---------------------------------------------------------------------------------------- Markdown
def tidied(text: str, document: Recognised) -> str:
    r"""Markdown as `convert exam` and `convert mmd` read it; what was lost is an issue.

    >>> document = Recognised(name="page.md", markdown="")
    >>> tidied('<div><img src="a.jpg"/></div> If $ x $ &lt; 2\n[MISSING_PAGE_FAIL:3]', document)
    '![](a.jpg)\n If $x$ < 2\n'
    >>> document.issues
    ['page-lost: page 3']
    """
    text = _YAML_HEAD.sub("", text.replace("\r\n", "\n"))
    text = _IMG.sub(_picture, text)
    text = _DATA_PICTURE.sub(lambda m: _embedded(m[1], m[2], m[3], document), text)
    text = _DETAILS.sub(r"\1\2", text)
    for pattern, kind, advice in _LOST:
        matches = pattern.finditer(text)
        document.issues += [_issue(kind, match, advice) for match in matches]
        text = pattern.sub("", text)
    text = _PAGE_BREAK.sub("", text)
    text = _MATH.sub(_formula, text)
    return _prose_and_formulas(text)


def _issue(kind: str, match: re.Match[str], advice: str) -> str:
    place = f"page {match[1]}" if match.lastindex else f"at character {match.start()}"
    return f"{kind}: {place}" + (f" ({advice})" if advice else "")


def _prose_and_formulas(text: str) -> str:
    """Entities, scripts and wrappers of the prose; formulas without blanks at their edges."""
    spans = maths_spans(text, PROBLEM_TEXT)
    pieces: list[str] = []
    for (start, end), span in zip(outside(text, spans), [*spans, None], strict=True):
        prose = _BLOCK_END.sub("\n", text[start:end])
        prose = _RAISED.sub(_script, prose)
        pieces.append(unescape(_WRAPPER.sub("", prose)))
        if span and span.opener in ("$", "$$"):
            pieces.append(f"{span.opener}{span.tex}{span.opener}")
        elif span:
            pieces.append(text[span.start : span.end])
    return "".join(pieces)


def _script(match: re.Match[str]) -> str:
    mark = "^" if match[1] == "sup" else "_"
    return f"${mark}{{{match[2]}}}$"


def _picture(match: re.Match[str]) -> str:
    attributes: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(match[1]):
        attributes[name.lower()] = "".join(values)  # in quotes of one kind or none
    alt = re.sub(r"[\[\]\n]", " ", unescape(attributes.get("alt", "")))
    source = attributes.get("src", "").strip()
    return f"![{alt}]({source})" if source else ""


def _formula(match: re.Match[str]) -> str:
    tex = unescape(match[2] or match[3] or "").strip()
    mark = "$$" if "block" in (match[1] or "") else "$"
    return f"{mark}{tex}{mark}" if tex else ""


def _embedded(alt: str, address: str, kind: str, document: Recognised) -> str:
    """A picture inside the text becomes a file, and the text names it."""
    name = f"{Path(document.name).stem}-{len(document.pictures) + 1}.{kind.lower()}"
    return f"![{alt}]({name})" if _keep(name, address, document) else ""


def _keep(name: str, encoded: str, document: Recognised) -> bool:
    """Decode a base64 picture, bare or as a `data:` address; a broken one is an issue."""
    try:
        content = b64decode("".join(encoded.rpartition(",")[2].split()), validate=True)
    except (binascii.Error, ValueError):
        content = b""
    if not content or len(content) > MAX_PICTURE or "/" in name or "\\" in name:
        document.issues.append(f"picture-lost: {name[:80]} cannot be decoded")
        return False
    document.pictures[name] = content
    return True


# -------------------------------------------------------------------------------------------- JSON
def _from_json(path: Path, text: str, document: Recognised) -> Iterator[str]:
    """The Markdown of each block of a recogniser's JSON, in reading order."""
    if path.suffix == ".jsonl":
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                record = _decoded(path, line, number)
                page = record.get("text") if isinstance(record, dict) else None
                if not isinstance(page, str):
                    where = f"{path}:{number}"
                    raise UserError(f"{where}: no text", "give olmOCR's results")
                yield page
        return
    data = _decoded(path, text, 1)
    data = data.get("res", data) if isinstance(data, dict) else data
    for is_of_tool, read in _READERS:
        if is_of_tool(data):
            yield from read(data, document)
            return
    raise UserError(
        f"{path}: JSON of no known recogniser",
        "give content_list.json of MinerU, a response of Mistral, _res.json of PaddleOCR, chunks of"
        " Marker, a DoclingDocument, or Markdown",
    )


def _decoded(path: Path, text: str, number: int) -> Any:
    try:
        return decode(text)
    except msgspec.DecodeError as error:
        raise UserError(
            f"{path}:{number}: {error}", "the file is cut off or no JSON"
        ) from None


def _words(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(_words(part) for part in value)
    if isinstance(value, dict):
        return _words(value.get("content", value.get("text", "")))
    return value.strip() if isinstance(value, str) else ""


def _display(tex: str) -> str:
    bare = tex.strip().strip("$").strip()
    return f"$$\n{bare}\n$$" if bare else ""


def _heading(level: Any) -> str:
    return "#" * level if isinstance(level, int) and 0 < level < 7 else ""


def _mineru(data: Any, document: Recognised) -> Iterator[str]:
    for block in data:
        kind = str(block.get("type", ""))
        if kind in _FURNITURE:
            continue
        if kind == "equation":
            yield _display(_words(block.get("text")))
        elif block.get("img_path") and kind != "table":
            captions = _words(
                [block.get("image_caption", []), block.get("image_footnote", [])]
            )
            yield f"![]({block['img_path']})\n\n{captions}".strip()
        elif kind == "table":
            caption = _words(block.get("table_caption", []))
            picture = f"![]({block.get('img_path', '')})"
            body = _words(block.get("table_body")) or picture
            yield f"{caption}\n\n{body}".strip()
        elif kind == "list":
            yield "\n".join(_words(item) for item in block.get("list_items", []))
        else:
            heading = _heading(block.get("text_level"))
            text = _words(block.get("text"))
            yield f"{heading} {text}" if heading else text


def _mineru_pages(data: Any, document: Recognised) -> Iterator[str]:
    """The second form of its content list: pages of blocks, whose text is made of spans."""
    for block in (block for page in data for block in page):
        kind = str(block.get("type", ""))
        content = block.get("content")
        if kind in _FURNITURE or not isinstance(content, dict):
            continue
        if kind == "equation_interline":
            yield _display(_words(content.get("math_content")))
        elif kind == "title":
            heading = _heading(content.get("level")) or "#"
            yield f"{heading} {_spans(content.get('title_content'))}"
        elif kind == "list":
            items = (i for i in content.get("list_items") or [] if isinstance(i, dict))
            yield "\n".join(_spans(item.get("item_content")) for item in items)
        else:
            source = content.get("image_source")
            path = source.get("path") if isinstance(source, dict) else None
            if kind == "table" and content.get("html"):
                yield _words(content["html"])
            elif path:
                yield f"![]({path})"
            texts = (v for v in content.values() if isinstance(v, list) and v)
            yield "\n\n".join(map(_spans, texts))


def _spans(spans: Any) -> str:
    """A line of text spans and formula spans."""
    if not isinstance(spans, list):
        return _words(spans)
    pieces: list[str] = []
    for span in spans:
        is_formula = isinstance(span, dict) and span.get("type") == "equation_inline"
        if text := _words(span):
            pieces.append(f"${text}$" if is_formula else text)
    return " ".join(pieces)


def _mistral(data: Any, document: Recognised) -> Iterator[str]:
    for page in data["pages"]:
        text = _words(page.get("markdown"))
        for table in page.get("tables") or []:
            name = str(table.get("id", ""))
            text = text.replace(f"[{name}]({name})", _words(table.get("content")))
        for image in page.get("images") or []:
            if image.get("image_base64"):
                _keep(str(image.get("id", "")), str(image["image_base64"]), document)
        yield text


def _paddle(data: Any, document: Recognised) -> Iterator[str]:
    for block in data["parsing_res_list"]:
        label = str(block.get("block_label", ""))
        content = _words(block.get("block_content"))
        if label in _FURNITURE:
            continue
        if label in ("image", "chart") and "<img" in content:
            yield content
        elif label in ("image", "chart"):
            box = "_".join(str(round(float(x))) for x in block.get("block_bbox", []))
            yield f"![](imgs/img_in_{label}_box_{box}.jpg)"
        elif "formula" in label and label != "formula_number":
            yield _display(content)
        else:
            yield f"# {content}" if label.endswith("_title") else content


def _marker(data: Any, document: Recognised) -> Iterator[str]:
    for block in data["blocks"]:
        if str(block.get("block_type", "")).lower() in _FURNITURE:
            continue
        for address, encoded in (block.get("images") or {}).items():
            name = str(address).strip("/").replace("/", "_") + ".jpeg"
            if _keep(name, str(encoded), document):
                yield f"![]({name})"
        yield _words(block.get("html"))


def _docling(data: Any, document: Recognised) -> Iterator[str]:
    """The body in reading order: groups are followed, furniture is not."""
    pending = _references(data["body"])
    visited: set[str] = set()
    while pending:
        reference = pending.pop()
        _, kind, index = [*reference.split("/"), "", ""][:3]
        items = data.get(kind, [])
        if reference in visited or not index.isdigit() or int(index) >= len(items):
            continue
        visited.add(reference)
        item = items[int(index)]
        yield _docling_item(kind, item)
        if kind != "tables":
            pending += _references(item)


def _references(item: Any) -> list[str]:
    """What stands in an item, the last first, so that the first is taken from the end."""
    return [child.get("$ref", "") for child in reversed(item.get("children", []))]


def _docling_item(kind: str, item: Any) -> str:
    if item.get("content_layer") == "furniture" or item.get("label") in _FURNITURE:
        return ""
    if kind == "pictures":
        address = str((item.get("image") or {}).get("uri", ""))
        return f"![]({address})" if address else "<!-- image -->"
    if kind == "tables":
        rows = (item.get("data") or {}).get("grid", [])
        return f"<table>{''.join(map(_table_row, rows))}</table>"
    if item.get("label") == "formula":
        return _display(_words(item.get("text"))) or "<!-- formula-not-decoded -->"
    heading = "# " if item.get("label") in ("title", "section_header") else ""
    return f"{heading}{item.get('marker') or ''} {_words(item.get('text'))}".strip()


def _table_row(cells: Any) -> str:
    return f"<tr>{''.join(f'<td>{_words(cell)}</td>' for cell in cells)}</tr>"


def _is_list(data: Any) -> bool:
    return isinstance(data, list) and all(
        isinstance(b, dict) and "type" in b for b in data
    )


def _has(key: str) -> Callable[[Any], bool]:
    return lambda data: (
        isinstance(data, dict)
        and isinstance(data.get(key), list)
        and all(isinstance(b, dict) for b in data[key])
    )


def _is_docling(data: Any) -> bool:
    return (
        isinstance(data, dict)
        and isinstance(data.get("body"), dict)
        and "texts" in data
    )


def _is_pages(data: Any) -> bool:
    return isinstance(data, list) and all(
        isinstance(p, list) and _is_list(p) for p in data
    )


_READERS: tuple[
    tuple[Callable[[Any], bool], Callable[[Any, Recognised], Iterator[str]]], ...
] = (
    (_is_list, _mineru),
    (_is_pages, _mineru_pages),
    (_has("pages"), _mistral),
    (_has("parsing_res_list"), _paddle),
    (_has("blocks"), _marker),
    (_is_docling, _docling),
)
