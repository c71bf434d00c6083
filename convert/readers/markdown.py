"""One file a problem: Markdown whose headings say what stands below them, with front matter.

```yaml
- {name: cup, reader: markdown, path: "problems/**/*.md", fields: {id: slug, labels.topic: topic}}
```
Front matter (YAML, or TOML between `+++`) gives columns for `fields`; what no heading claims is the
question. Headings, `**Answer:** 5` and `<summary>` say their roles by the words of all languages
and of `roles:`. A problem is called by its path. Files whose names differ by the word for a role
(`p1.md` and `p1-solution.md`, `1/problem.md` and `1/answer.txt`) are one problem, and so are
pictures that nobody names, in a problem's own folder or called as its file.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from ...base.yaml_lines import located
from ...errors import UserError
from ...pipeline import SourceSpec
from ...problem import Problem
from ...words import layered, own_roles, own_word, speaking
from ..documents import PICTURE, TYPED, without_programs
from ..exam import inline_answer
from ..tex import of_label
from .base import Pictures, Raw, Unreadable, common_folder, fitting, reader
from .mapped import from_row, held, settled

TEXTS = (".md", ".markdown", ".mmd", ".txt", ".mdx", ".qmd", ".rmd", ".Rmd")
SHOWN = (".png", ".jpg", ".jpeg", ".gif", ".webp")
MAX_BYTES = 2_000_000  # of one file
MAX_VALUES = 5_000  # of front matter
BESIDE = ("solution", "answer", "hint")  # roles of files beside a problem's
_FRONT = re.compile(
    r"\A(?P<fence>---|\+\+\+)[ \t]*\r?\n(?P<text>.*?)^(?P=fence)[ \t]*\r?$", re.S | re.M
)
_HEADING = re.compile(r"(?m)^(?P<marks>#{1,6})[ \t]+(?P<title>[^\n]*?)[ \t#]*$")
_UNDERLINED = re.compile(  # a heading above a line of = or -, as long as it at least
    r"(?m)^(?P<title>[^\W\d_][^\n]{0,60})\n(?:(?P<first>={3,})|-{3,})[ \t]*$"
)
_COMPUTED = re.compile(r"`r [^`\n]+`")  # what a program puts there when it is shown
_NAMED = re.compile(
    r"(?P<name>[A-Za-z][\w.-]*(?:\[[^\]\n]*\])?):[ \t]*(?P<value>[^\n]*)"
)
_ITEM = re.compile(r"(?m)^[ \t]{0,3}[-*+][ \t]+")
_CODE = re.compile(r"(?ms)^(```|~~~).*?^\1")
_SUMMARY = re.compile(
    r"(?is)<summary>(?P<title>.{0,200}?)</summary>|</?details\b[^<>]{0,200}>"
)
_TICKED = re.compile(  # - [x] 4, and as LiaScript has it: [(X)] 4, [[X]] 4
    r"(?m)^[ \t]*(?:[-*+][ \t]+\[|\[[(\[])(?P<mark>[ xX])(?:\][ \t]+|[)\]]\][ \t]+)"
    r"(?P<text>[^\n]+)$\n?"
)
_WORD = re.compile(r"[^\W\d_]+")
_FOLDED = 7  # the level of a <summary>: below all headings


def files_of(spec: SourceSpec, folder: Path) -> list[Path]:
    """The files that `path` fits, and those beside them that solve or answer them."""
    paths = fitting(spec, folder)
    top = common_folder(paths)
    with speaking(own_roles(spec.roles)):
        beside = [file for path in paths for file in _beside(path, top)]
    return list(dict.fromkeys([*paths, *beside]))


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row a problem; a file that cannot be read is named with its line."""
    top = common_folder(paths)
    with speaking(own_roles(spec.roles)):
        groups = _grouped(paths, top)
        made = [_row(name, files, top, len(groups)) for name, files in groups.items()]
    yield from made


def _grouped(paths: list[Path], top: Path) -> dict[str, dict[str, Path]]:
    """The files of each problem by their roles, under the problem's name."""
    groups: dict[str, dict[str, Path]] = {}
    for path in paths:
        name, role = _named(path.relative_to(top))
        files = groups.setdefault(name, {})
        if role in files:  # two that nobody can tell apart
            plain = "-".join(path.relative_to(top).with_suffix("").parts)
            files = groups.setdefault(plain, {})
        files[role] = path
    for name, files in list(groups.items()):
        if (
            "problem" not in files
        ):  # a solution without its problem is a file of its own
            del groups[name]
            for path in files.values():
                own = "-".join(path.relative_to(top).with_suffix("").parts)
                groups[own] = {"problem": path}
    ends = {name.rpartition("-")[2] for name in groups}
    if len(ends) == 1 < len(groups):  # 1/index.md, 2/index.md
        return {name.rpartition("-")[0]: files for name, files in groups.items()}
    return groups


def _named(path: Path) -> tuple[str, str]:
    """The name of a problem, from a file's path, and what the file holds of it."""
    role = "problem"
    parts: list[str] = []
    for part in path.with_suffix("").parts:
        left = part
        for word in _WORD.findall(part):
            said = _role(word)
            if said in (*BESIDE, "problem"):
                role = said if said != "problem" else role
                left = left.replace(word, "", 1)
        left = left.strip("-_. ")
        parts += [left] if left else []
    return "-".join(parts), role


_ROLES = layered(dict[str, str])  # of words, as a source has them


def _role(words: str) -> str:
    known = _ROLES()
    if words not in known:
        if len(known) > MAX_VALUES:
            known.clear()
        known[words] = own_word(words) or of_label(words) or ""
    return known[words]


def _beside(path: Path, top: Path) -> Iterator[Path]:
    """The files in a problem's folder whose names say that they solve or answer it."""
    name, role = _named(path.relative_to(top))
    for other in sorted(path.parent.iterdir()) if role == "problem" else ():
        if other.suffix.lower() in TEXTS and other != path and other.is_file():
            said, role = _named(other.relative_to(top))
            if said == name and role in BESIDE:
                yield other


def _row(
    name: str, files: dict[str, Path], top: Path, several: int
) -> Raw | Unreadable:
    path = files["problem"]
    row: dict[str, Any] = {}
    notes: list[str] = []
    for role, file in files.items():
        try:
            said = _read(file, role, notes)
        except _Unread as error:
            at = file.relative_to(top).as_posix()
            return Unreadable(at, error.line, str(error), "")
        row |= {column: value for column, value in said.items() if column not in row}
    texts = [text for text in row.values() if isinstance(text, str)]
    named = "images" in row or any(map(PICTURE.search, texts))
    if pictures := [] if named else _pictures(path, top):
        row["images"] = pictures
    called = name if name and several > 1 else path.stem
    return Raw(path.relative_to(top).as_posix(), 1, row, called, notes)


def _pictures(path: Path, top: Path) -> list[str]:
    """Pictures called as a problem's file, or alone with it in a folder of its own."""
    beside = sorted(path.parent.iterdir())
    shown = [one for one in beside if one.suffix.lower() in SHOWN]
    texts = Counter(_named(o.relative_to(top))[0] for o in beside if o.suffix in TEXTS)
    own = len(texts) == 1
    stem = re.compile(rf"{re.escape(path.stem)}(?:[-_. ]\w{{1,3}})?")
    return [one.name for one in shown if own or stem.fullmatch(one.stem)]


# A file ------------------------------------------------------------------------------------------


class _Unread(Exception):
    """Why a file cannot be read, and in which line."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line


def _read(path: Path, role: str, notes: list[str]) -> dict[str, Any]:
    """What a file says: its front matter, and its text by roles."""
    text = _text(path)
    front, body = _front(path, text)
    if computed := _COMPUTED.search(text):
        line = text.count("\n", 0, computed.start()) + 1
        what = f"{computed[0][:60]} is computed when it is shown: save it as it prints"
        raise _Unread(line, what)
    front, body = _without_comments(without_programs(body)[0], front)
    said = sections(body, role, notes)
    return front | {name: value for name, value in said.items() if value}


def _text(path: Path) -> str:
    data = path.read_bytes()
    if len(data) > MAX_BYTES:
        raise _Unread(
            0, f"{len(data):,} bytes, {MAX_BYTES:,} at most: one file a problem"
        )
    if b"\0" in data:
        raise _Unread(0, "no text: is the pattern of path: too wide?")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _Unread(line, f"not UTF-8 (byte {data[error.start]:#04x})") from error


def _front(path: Path, text: str) -> tuple[dict[str, Any], str]:
    """The columns that front matter gives, and the text behind it."""
    match = _FRONT.match(text)
    if match is None:
        return {}, text
    try:
        if match["fence"] == "---":
            data = located(Path(path.name), match["text"], _Both).data
        else:
            data = tomllib.loads(match["text"])
    except UserError as error:
        lines = re.findall(r"line (\d+)", error.message)
        line = int(lines[0]) + 1 if lines else 1
        raise _Unread(
            line, f"front matter that is no YAML: {error.message[:200]}"
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise _Unread(1, f"front matter that is no TOML: {error}") from error
    if data is not None and not isinstance(data, dict):
        raise _Unread(2, "front matter that names nothing: write name: value")
    budget = [MAX_VALUES]
    plain = _plain(data or {}, budget)
    return plain, text[match.end() :]


class _Both(yaml.SafeLoader):
    """Front matter as it is found: a key that stands twice holds what both say."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
        said: dict[str, Any] = {}
        for key, value in node.value:
            name = str(self.construct_object(key, deep=True))
            one = self.construct_object(value, deep=True)
            if name in said and said[name] != one:
                pair = (said[name], one)
                lists = [each if isinstance(each, list) else [each] for each in pair]
                one = list(chain.from_iterable(lists))
            said[name] = one
        return said


def _plain(value: Any, budget: list[int]) -> Any:
    """Values as JSON has them; of aliases inside aliases no more than a bound."""
    budget[0] -= 1
    if budget[0] < 0:
        raise _Unread(1, f"front matter of more than {MAX_VALUES:,} values")
    if isinstance(value, dict):
        return {str(name): _plain(one, budget) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain(one, budget) for one in value]
    return value if isinstance(value, str | int | float | None) else str(value)


# Its roles ---------------------------------------------------------------------------------------


def sections(
    body: str, role: str = "problem", notes: list[str] | None = None
) -> dict[str, Any]:
    """A text by roles: what headings say, and marks in it; the first heading may be a title.

    A stretch of `name: value` lines below a heading gives columns, as front matter does. `notes`
    are told of headings that say no role.

    >>> said = sections("# Sums\\n## Problem\\nFind 1+1.\\n## Solution\\nIt is 2.")
    >>> said["question"], said["solution"], said["labels"]
    ('Find 1+1.', 'It is 2.', {'title': 'Sums'})
    """
    texts: dict[str, list[str]] = {}
    columns: dict[str, Any] = {}
    unsaid: dict[str, str] = {}
    title = ""
    now, level = role, 0
    before = (now, level)  # what a folded stretch stands in
    for depth, head, text in _headed(_SUMMARY.sub(_folded, body)):
        said = _role(head) if head else ""
        if head and not said and (named := _columns(text)):
            columns |= named
            continue
        if depth == _FOLDED:
            before = before if level == _FOLDED else (now, level)
            now, level = (said, depth) if said else before
            text = text if said else f"{head}\n{text}"
        elif said == "option" and now in BESIDE and depth > level:
            text = f"{head}\n{text}"  # of a solution, one for each option
        elif said:
            now, level = said, depth
            if said == role == "problem" and role in texts:  # what stood above it
                texts["outside"] = texts.pop(role)
        elif head and depth <= level:
            now, level = "outside", depth
            text = f"{head}\n{text}"
            unsaid[head] = "outside of the problem"
        elif head and depth == 1 and not title and not any(map(any, texts.values())):
            title = head
        elif head:
            text = f"{head}\n{text}"
            if len(head) > 2:  # a), b) count
                unsaid[head] = "part of the question"
        texts.setdefault(now, []).append(text.strip())
    joined = {name: "\n\n".join(filter(None, parts)) for name, parts in texts.items()}
    if notes is not None:
        notes += [
            f"{head!r} says no role; it is read as {where}"
            for head, where in unsaid.items()
        ]
    return columns | _fields(joined, title)


def _without_comments(body: str, front: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The text that is shown; a comment in front of all may be front matter, too."""
    shown: list[str] = []
    hidden: list[str] = []
    at = 0
    while (start := body.find("<!--", at)) >= 0:
        if (end := body.find("-->", start)) < 0:
            break
        shown.append(body[at:start])
        hidden.append(body[start + 4 : end].strip())
        at = end + 3
    leads = bool(hidden) and not shown[0].strip() and not front
    named = _columns(hidden[0]) if leads else {}
    rest = hidden[bool(named) :]
    more = {"comments": "\n\n".join(rest)} if any(rest) else {}
    return front | named | more, "".join([*shown, body[at:]])


def _columns(text: str) -> dict[str, Any]:
    """The columns that a stretch of lines gives, all of which are `name: value`."""
    lines = [line for line in text.split("\n") if line.strip()]
    found = [_NAMED.fullmatch(line.strip()) for line in lines]
    if len(found) < 2 or not all(found):
        return {}
    return {match["name"]: match["value"].strip() for match in found if match}


def _folded(match: re.Match[str]) -> str:
    return f"\n\0{match['title'] or ''}\n"


def _headed(body: str) -> Iterator[tuple[int, str, str]]:
    """Each heading with its level and the text below it; the text before the first has none."""
    body = _UNDERLINED.sub(_as_hashes, body)
    code = [match.span() for match in _CODE.finditer(body)]
    found = [
        match
        for match in re.finditer(
            rf"{_HEADING.pattern}|(?m:^)\0(?P<folded>[^\n]*)$", body
        )
        if not any(start <= match.start() < end for start, end in code)
    ]
    ends = [*(match.start() for match in found), len(body)]
    yield 0, "", body[: ends[0]]
    for match, end in zip(found, ends[1:], strict=True):
        folded = match["folded"]
        depth = _FOLDED if folded is not None else len(match["marks"])
        yield (
            depth,
            (folded or match["title"] or "").strip(" *_"),
            body[match.end() : end],
        )


def _as_hashes(match: re.Match[str]) -> str:
    """A heading that a line stands under, with the signs that others have in front."""
    return f"{'#' if match['first'] else '##'} {match['title'].strip()}"


def _fields(texts: dict[str, str], title: str) -> dict[str, Any]:
    """The fields of a problem, from texts by their roles and the marks in them."""
    said = inline_answer(texts.get("problem", ""))
    question, options = _ticked(said.text)
    question, typed = _typed(question)
    if listed := _ITEM.split(texts.get("option", ""))[1:]:
        options = [{"text": one.strip()} for one in listed]
    solution = [said.solution, texts.get("solution", "")]
    answer = texts.get("answer", "") or said.answer or said.of_parts or typed
    answer = answer or inline_answer(texts.get("solution", "")).answer
    hints = filter(None, [texts.get("hint", ""), said.hint])
    labels = {"title": title, "hint": "\n\n".join(hints)}
    return {
        "question": question,
        "options": options,
        "answer": answer,
        "solution": "\n\n".join(filter(None, solution)),
        "labels": {name: text for name, text in labels.items() if text},
        "outside": texts.get("outside", ""),
    }


def _ticked(question: str) -> tuple[str, list[dict[str, Any]]]:
    """The question without its boxes to be ticked, and these as options."""
    boxes = [*_TICKED.finditer(question)]
    if len(boxes) < 2:
        return question, []
    right = [box["mark"] != " " for box in boxes]
    options = [{"text": box["text"].strip()} for box in boxes]
    if any(right):
        options = [o | {"correct": r} for o, r in zip(options, right, strict=True)]
    return _TICKED.sub("", question).strip(), options


def _typed(question: str) -> tuple[str, str]:
    """The question without the gap that an answer is typed into, and what belongs there.

    Several gaps stay, and are told as marks that nobody sets.
    """
    gaps = TYPED.findall(question)
    if len(gaps) != 1:
        return question, ""
    return TYPED.sub("", question).strip(), gaps[0].strip()


@reader(
    "markdown",
    rows=rows,
    fields=True,
    roles=True,
    options=("gold",),
    holds=held,
    settled=settled,
    paths=files_of,
)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    return from_row(raw, spec, pictures)
