r"""PreTeXt: the XML that open textbooks are written in becomes problems by its own elements.

An element with a `statement` (or `task`s) that is an exercise, or has a hint, answer, solution or
choices of its own, is a problem; `introduction` of an `exercisegroup` is its instruction. What is
computed (`webwork`, `interactive`, `setup`) or drawn by a program drops the problem by that name.
`xi:include` is followed below the document's folder, or below the option `root`.
https://pretextbook.org/doc/guide/html/
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...base.files import inside
from ...errors import UserError
from ...pipeline import SourceSpec
from ...problem import Drop, Problem
from ..mathml import local_name, parse_xml
from ..tex import BLANK, PICTURE, Expansion, TexItem, TexOption, TexPart, maths
from .base import Input, Pictures, Raw, Unreadable, input_of, reader, stems_of
from .tex import Found, from_item, root_of

MAX_FILES, MAX_BYTES = 2_000, 100_000_000  # of one document
_SAYS = frozenset(
    "statement task hint answer solution choices introduction response".split()
)
_NEVER = frozenset(
    "theorem lemma corollary proposition algorithm claim fact identity".split()
)
_COMPUTED = frozenset(
    "webwork myopenmath interactive setup stack program blocks matches cardsort areas sage"
    " latex-image asymptote prefigure sageplot mermaid video audio".split()
)
_SIGNS = {
    "ndash": "–",
    "mdash": "—",
    "nbsp": " ",
    "ellipsis": "…",
    "times": "×",
    "lsq": "‘",
    "rsq": "’",
    "lq": "“",
    "rq": "”",
    "degree": "°",
    "copyright": "©",
    "dollar": r"\$",
    "percent": "%",
    "prime": "′",
    "dblprime": "″",
    "minus": "−",
    "plusminus": "±",
    "br": "\n",
    "fillin": BLANK,
    "pretext": "PreTeXt",
    "latex": "LaTeX",
    "tex": "TeX",
    "solidus": "/",
    "midpoint": "·",
}
_OWN = r"\newcommand{\amp}{&}\newcommand{\lt}{<}\newcommand{\gt}{>}"  # PreTeXt defines them
_BLOCKS = frozenset(
    "p ol ul dl li md me men mdn table tabular figure image sidebyside row".split()
)
_APART = frozenset(
    "title shortdescription description notation idx index caption@ cd".split()
)


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row per problem, with macros of the document written out."""
    stems = stems_of(paths)
    for path in paths:
        files: list[Path] = []
        try:
            book = _parsed(path, files)
            missing = list(
                _included(book, path, root_of(spec, path) or path.parent, files)
            )
        except UserError as error:
            yield Unreadable(path.name, 1, error.message, "")
            continue
        for cause in missing:
            yield Unreadable(path.name, 0, cause, "")
        macros = Expansion()
        macros.written(
            _OWN + "\n".join(e.text or "" for e in book.iter() if _name(e) == "macros")
        )
        inputs: list[Input] = [input_of(file) for file in files[1:]]
        several = f"{stems[path]}." if len(paths) > 1 else ""
        problems = [e for e in book.iter() if _is_problem(e)]
        if not problems:
            yield Unreadable(path.name, 1, "no exercise with a statement", "")
        for number, element in enumerate(problems, 1):
            try:
                item = _Reading(macros).item(element)
            except UserError as error:
                yield Unreadable(
                    path.name, element.sourceline or number, error.message, ""
                )
                continue
            yield Raw(
                path.name,
                element.sourceline or number,
                Found(f"{several}{number}", item, ["", "images/"], inputs),
            )


@reader("pretext", rows=rows, options=("root",))
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem | Drop:
    return from_item(raw, spec, pictures)


def _parsed(path: Path, files: list[Path]) -> Any:
    try:
        files.append(path)
        if (
            len(files) > MAX_FILES
            or sum(f.stat().st_size for f in files[-1:]) > MAX_BYTES
        ):
            raise UserError(
                f"more than {MAX_FILES} files, or {MAX_BYTES:,} bytes", "part it"
            )
        return parse_xml(path.read_bytes())
    except OSError as error:
        raise UserError(
            f"cannot read {path.name}: {error.strerror}", "check the path"
        ) from error


def _included(book: Any, path: Path, root: Path, files: list[Path]) -> Iterator[str]:
    """Put the files of `xi:include` in their places; those that cannot be read are named."""
    for place in [e for e in book.iter() if _name(e) == "include" and e.get("href")]:
        asked = place.get("href")
        try:
            below = (path.parent / asked).absolute().relative_to(root.absolute())
            file = inside(root, str(below))
            if file in files:
                raise UserError("it is read twice, or reads itself")
            part = _parsed(file, files)
            yield from _included(part, file, root, files)
            place.getparent().replace(place, part)
        except ValueError:
            yield f"xi:include {asked}: it leaves its folder: name a root"
        except UserError as error:
            yield f"xi:include {asked}: {error.message}"


def _name(element: Any) -> str:
    return local_name(element) if isinstance(element.tag, str) else ""


def _is_problem(element: Any) -> bool:
    name = _name(element)
    own = {_name(child) for child in element}
    if (
        name in _NEVER
        or name in _SAYS
        or name in ("choice", "exercisegroup", "exercises")
    ):
        return False
    asks = own & {"statement", "task"}
    if name == "exercise":
        return bool(asks or own & {"p", "webwork", "introduction"})
    return bool(asks and own & {"hint", "answer", "solution", "choices", "task"})


class _Reading:
    """One problem, from its element to its item."""

    def __init__(self, macros: Expansion) -> None:
        self.macros = macros
        self.item_ = TexItem()

    def item(self, element: Any) -> TexItem:
        item = self.item_
        item.title = self.text(element.find("title"))
        item.section, item.instruction = self._around(element)
        own = [
            c
            for c in element
            if _name(c) not in ("title", "hint", "answer", "solution")
        ]
        stated = [c for c in own if _name(c) in _SAYS]
        item.text = self._asked(stated or own, item)
        self._said(element, item, item)
        if (
            item.options
            and not any(option.right for option in item.options)
            and item.answers
        ):
            item.letters = item.answers.pop(0)
        item.hint = "\n\n".join(self._texts(element, "hint"))
        for child in own if stated else []:
            if _name(child) not in _SAYS and _name(child) not in _APART:
                self._unread(f"<{_name(child)}>")
        before, refers, item.unread = item.unread, item.outside, []
        item.outside = []
        solutions = [item.solution, *self._texts(element, "solution")]
        item.solution = "\n\n".join(filter(None, solutions))
        item.lost, item.unread, item.outside = (
            item.unread,
            before,
            list(dict.fromkeys(refers)),
        )
        return item

    def _asked(self, children: list[Any], item: TexItem, depth: int = 0) -> str:
        """Statement, introduction, tasks and choices, in their order."""
        pieces = list[str]()
        count = 0
        for child in children:
            name = _name(child)
            if name == "task":
                count += 1
                label = (
                    "abcdefghijklmnopqrstuvwxyz"[count - 1]
                    if count <= 26
                    else str(count)
                )
                part = TexPart(str(count))
                if depth == 0:
                    item.parts.append(part)
                inner = [
                    c for c in child if _name(c) not in ("hint", "answer", "solution")
                ]
                pieces.append(f"({label}) {self._asked(inner, item, depth + 1)}")
                self._said(child, part, item)
                solved = [
                    f"({label}) {text}" for text in self._texts(child, "solution")
                ]
                item.solution = "\n\n".join(filter(None, [item.solution, *solved]))
            elif name == "choices":
                item.options += [
                    TexOption(
                        self.text(
                            c.find("statement")
                            if c.find("statement") is not None
                            else c
                        ),
                        c.get("correct") == "yes",
                    )
                    for c in child.iterfind("choice")
                ]
            elif name in _COMPUTED:
                self._unread(f"<{name}>")
            elif name != "response":
                pieces.append(self.text(child))
                if child.get("correct") in ("yes", "no"):
                    item.options += [
                        TexOption("True", child.get("correct") == "yes"),
                        TexOption("False", child.get("correct") == "no"),
                    ]
        return "\n\n".join(filter(None, pieces))

    def _said(self, element: Any, holder: TexItem | TexPart, item: TexItem) -> None:
        """Short answers are answers, long ones worked solutions; blanks may hold their own."""
        for text in self._texts(element, "answer"):
            if len(text) <= 80 and "\n" not in text:
                holder.answers.append(text)
            else:
                item.solution = f"{item.solution}\n\n{text}".strip()

    def _texts(self, element: Any, name: str) -> list[str]:
        return [text for one in element.iterfind(name) if (text := self.text(one))]

    def _around(self, element: Any) -> tuple[str, str]:
        """The nearest title above, and what introduces the group."""
        section = instruction = ""
        for above in element.iterancestors():
            if _name(above) == "exercisegroup" and not instruction:
                told = [c for c in above if _name(c) in ("introduction", "p", "title")]
                instruction = " ".join(filter(None, (self.text(c) for c in told)))
            elif not section and above.find("title") is not None:
                section = self.text(above.find("title"))
        return section, instruction

    def text(self, element: Any) -> str:
        """The text of an element with formulas in dollars, the document's macros written out."""
        if element is None:
            return ""
        lines = (" ".join(line.split()) for line in self._inner(element).split("\n"))
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()

    def _inner(self, element: Any) -> str:
        out = [_flat(element.text)]
        for child in element:
            if isinstance(child.tag, str):
                out.append(self._one(child, _name(child)))
            out.append(_flat(child.tail))
        return "".join(out)

    def _one(self, child: Any, name: str) -> str:
        if name in _COMPUTED or name in ("include", "exercise"):
            self._unread(f"<{name}>")
            return ""
        if name in ("m", "me", "men", "md", "mdn"):
            return self._formula(child, name)
        if name == "image":
            if child.get("source"):
                return (
                    f"\n{PICTURE}{child.get('source')}{PICTURE}\n{self._drawn(child)}"
                )
            self._unread("a drawing without a file")
            return ""
        if name == "xref":
            self.item_.outside += [
                ref for ref in (child.get("ref") or "").split() if ref
            ]
            return (
                self._inner(child)
                or f"[{child.get('ref') or child.get('first') or ''}]"
            )
        if name == "fillin" and child.get("answer"):
            self.item_.answers.append(child.get("answer"))
            return BLANK
        if name in _SIGNS and not (child.text or "").strip() and len(child) == 0:
            return _SIGNS[name]
        if name in ("ol", "ul"):
            return self._list(child, name)
        if name == "cell":
            return self._inner(child) + " | "
        if name in _APART:
            return ""
        inner = self._inner(child)
        if not inner.strip() and len(child) == 0 and name not in (*_BLOCKS, "response"):
            self._unread(f"<{name}>")
        if name == "row":
            return f"\n{inner.strip().removesuffix('|').strip()}\n"
        return f"\n\n{inner}\n\n" if name in _BLOCKS else inner

    def _drawn(self, image: Any) -> str:
        return "".join(self._one(c, _name(c)) for c in image if _name(c) in _COMPUTED)

    def _list(self, element: Any, name: str) -> str:
        style = (
            (element.get("marker") or element.get("label") or "1")
            if name == "ol"
            else "-"
        )
        items = []
        for k, one in enumerate(element.iterfind("li")):
            letter = "abcdefghijklmnopqrstuvwxyz"[k % 26]
            mark = (
                "-"
                if style == "-"
                else f"({letter if re.search('[aA]', style) else k + 1})"
            )
            items.append(f"\n{mark} {self._inner(one).strip()}\n")
        return "".join(items)

    def _formula(self, element: Any, name: str) -> str:
        rows = [self._source(row) for row in element.iterfind("mrow")]
        tex = r" \\ ".join(row.rstrip().removesuffix(r"\\") for row in rows)
        tex = tex or self._source(element)
        tex = maths(self.macros.written(tex))
        if rows and ("&" in tex or len(rows) > 1):
            tex = rf"\begin{{aligned}}{tex}\end{{aligned}}"
        return f"${tex}$" if name == "m" else f"\n$${tex}$$\n"

    def _source(self, element: Any) -> str:
        r"""LaTeX; a `fillin` in it is a blank, and `xref` a reference."""
        out = [element.text or ""]
        for child in element:
            if _name(child) == "fillin":
                out.append(r"\underline{\qquad}")
            elif _name(child) != "mrow":
                out.append(self._inner(child) if isinstance(child.tag, str) else "")
            out.append(child.tail or "")
        return "".join(out)

    def _unread(self, what: str) -> None:
        if what not in self.item_.unread:
            self.item_.unread.append(what)


def _flat(text: str | None) -> str:
    return (text or "").replace("$", r"\$").replace("\n", " ")
