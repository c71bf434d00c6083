r"""LaTeX sources: papers of exam.cls, exam-zh, ex_test, exsheets, textbooks, plain lists.

The source's structure says what is a problem, an option, a part, an answer (`\CorrectChoice`,
`\paren[B]`, `\fillin[3]`), a hint and a solution; nothing is guessed, see `convert/tex/outline.py`.
A problem with a command that is not understood, with a drawing (TikZ) or with choices in its parts
is dropped by that name. Files of `\input` and packages are read below the document's folder, or
below the folder that the option `root` names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ...base.files import inside
from ...errors import UserError
from ...options import options_in_question, several_letters
from ...pipeline import SourceSpec
from ...problem import Drop, Option, Part, Problem
from ...words import own_roles, speaking
from ..tex import TexItem, TexOption, read_exam_source, read_source
from .base import (
    LETTERS,
    Input,
    Pictures,
    Raw,
    Unreadable,
    file_names,
    input_of,
    problem_of,
    reader,
)
from .html_items import Page
from .sub_answers import asked_parts, bare, part

WHOLE = "@"  # the path to rows that is the file itself
LONGEST_NOTE = 300  # characters of a note, or of a drop's reason
_PICTURE = re.compile("\u2063([^\u2063]*)\u2063")
_SUFFIXES = ("", ".png", ".jpg", ".jpeg", ".PNG", ".JPG")
_READABLE = frozenset(
    {".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff"}
)


class Found(msgspec.Struct):
    """A problem of a document, the document's folders of pictures and its files."""

    id: str
    item: TexItem
    folders: list[str]
    files: list[Input]  # that it is made of, beside its own


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row per problem; what stands outside of them, or is not understood there, is named."""
    names = file_names(paths)
    included = _included(spec, paths)
    for path in paths:
        if path in included:
            continue
        try:
            with speaking(own_roles(spec.roles)):
                source = read_source(path, root_of(spec, path))
                exam = read_exam_source(source, whole=spec.rows == WHOLE)
        except UserError as error:
            yield Unreadable(path.name, 0, f"{error.message}: {error.remedy}", "")
            continue
        if exam.issues:
            told = ", ".join(dict.fromkeys(exam.issues))
            yield Unreadable(path.name, 0, f"outside of problems: {told}"[:1000], "")
        for text in exam.outside:
            yield Unreadable(
                path.name, 0, f"outside of problems: {text[:300]}", text[:2000]
            )
        if source.restored:
            told = ", ".join(dict.fromkeys(source.restored))
            yield Unreadable(path.name, 0, f"backslashes restored: {told}", "")
        if not exam.items:
            yield Unreadable(path.name, 0, "no question, problem or enumerate", "")
        files = [input_of(file) for file in source.files[1:]]
        name, called = names[path]
        for number, item in enumerate(exam.items, 1):
            alone = spec.rows == WHOLE and called
            counted = f"{called}.{number}" if called else str(number)
            found = Found(alone or counted, item, source.folders, files)
            yield Raw(name, number, found)


def _included(spec: SourceSpec, paths: list[Path]) -> set[Path]:
    """The files that others include, in which they are read; of a problem a file, the others."""
    known = {path.resolve(): path for path in paths}
    found: set[Path] = set()
    for path in paths if len(paths) > 1 else ():
        try:
            files = read_source(path, root_of(spec, path)).files[1:]
        except UserError:
            continue
        parts = {known[file.resolve()] for file in files if file.resolve() in known}
        if spec.rows == WHOLE:
            found |= {path} if len(parts) > 1 else set()
        else:
            found |= parts - {path}
    return found if len(found) < len(paths) else set()


def root_of(spec: SourceSpec, path: Path) -> Path | None:
    """The folder that the option `root` names, as seen from the recipe, or from the document."""
    name = spec.options.get("root")
    if name is None:
        return None
    if not isinstance(name, str) or not name:
        raise UserError(f"source {spec.name!r}: root {name!r}", "name a folder")
    named = [spec.path] if isinstance(spec.path, str) else spec.path
    recipe = [
        Path(str(path)[: -len(one)]) for one in named if str(path).endswith(f"/{one}")
    ]
    for folder in (*recipe, path.parent):
        root = folder / name
        if root.is_dir() and path.resolve().is_relative_to(root.resolve()):
            return root
    raise UserError(
        f"source {spec.name!r}: {path.name} lies in no folder {name!r}",
        "name a folder that holds the document, as seen from the recipe",
    )


@reader("tex", rows=rows, roles=True, options=("root",))
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem | Drop:
    return from_item(raw, spec, pictures)


def from_item(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem | Drop:
    """A problem as its item says, with its pictures; dropped where something was not understood."""
    found: Found = raw.data
    item = found.item

    def drop(reason: str) -> Drop:
        return Drop(id=f"{spec.name}-{found.id}", reason=f"{spec.reader}: {reason}")

    pictures.inputs += found.files
    if item.unread:
        unread = f"not understood: {', '.join(item.unread)}"
        return drop(unread[: LONGEST_NOTE - len(f"{spec.reader}: ")])
    if len(item.options) > len(LETTERS):
        return drop(f"{len(item.options)} options")
    page = Page({}, pictures)

    def placed(text: str) -> str:
        return _PICTURE.sub(lambda m: page.at(_address(m[1], found, pictures)), text)

    question = placed(item.text)
    options = list[Option]()
    for label, option in zip(LETTERS, item.options, strict=False):
        before = list(page.images)
        text, image = page.alone(placed(option.text), before)
        options.append(Option(label=label, text=text, image=image))
    if not options and not item.parts:
        question, options = _with_plain_options(question, item)
    answer, parts, why = _answer(item, options)
    if why:
        return drop(why)
    if answer and not (options or parts) and (asked := asked_parts(question, answer)):
        answer, parts = "", asked
    if not question and not page.images:
        return drop("no text")
    pictures.notes += [f"{spec.reader}: {note}"[:LONGEST_NOTE] for note in _notes(item)]
    labels = {
        "section": item.section,
        "instruction": item.instruction,
        "title": item.title,
        "points": item.points,
        "hint": item.hint,
        **item.labels,
    }
    solution = "" if item.lost else _PICTURE.sub(r"[picture: \1]", item.solution)
    return problem_of(
        spec,
        found.id,
        question,
        answer,
        images=page.images,
        options=options,
        parts=parts,
        answer_kind="parts" if parts else "",
        solution=solution or None,
        labels=labels,
    )


def _with_plain_options(question: str, item: TexItem) -> tuple[str, list[Option]]:
    """Stem and options of "(A) 3 (B) 4 (C) 5" as plain text, which the item then has, too."""
    stem, choices = options_in_question(question)
    if len(choices.signs) < 3 or choices.signs[0] != "A":
        return question, []
    item.options = [TexOption(option.text) for option in choices.options]
    item.letters = item.letters or "".join(item.answers)
    item.answers = []
    return stem, choices.options


def _notes(item: TexItem) -> Iterator[str]:
    """What is lost, lies outside, or is in doubt."""
    if item.lost:
        yield f"the solution is left out: {', '.join(item.lost)}"
    if item.outside:
        yield f"refers to {', '.join(item.outside)}, outside of it"
    yield from item.doubts
    missing = [one.label for one in item.parts if not one.answers]
    if 0 < len(missing) < len(item.parts):
        yield f"no answer of the parts {', '.join(missing)}"


def _answer(item: TexItem, options: list[Option]) -> tuple[str, list[Part], str]:
    """The answer, or those of the parts, or why there is none that holds."""
    answers_of_parts = [bare(answer) for p in item.parts for answer in p.answers]
    if options:
        right = "".join(
            o.label for o, t in zip(options, item.options, strict=True) if t.right
        )
        letters = bare(item.letters)
        chosen = several_letters(letters, options) or letters
        if right and chosen and right != chosen:
            return "", [], f"two answers: {right} and {chosen}"
        if chosen and not set(chosen) <= {o.label for o in options}:
            return "", [], f"the answer {chosen!r} is no choice"
        if item.answers or answers_of_parts:
            return "", [], "blanks, or answers in words, beside the choices"
        return right or chosen, [], ""
    answers = [bare(answer) for answer in item.answers]
    answers += [bare(item.letters)] if item.letters else []
    if answers_of_parts:
        if answers or any(len(p.answers) > 1 for p in item.parts):
            return "", [], "several answers in a part, or beside the parts"
        said = [bare(p.answers[0]) if p.answers else "" for p in item.parts]
        pairs = zip(item.parts, said, strict=True)
        return "", [part(p.label, answer) for p, answer in pairs], ""
    if len(answers) > 1:
        return "", [part(str(k), answer) for k, answer in enumerate(answers, 1)], ""
    return (answers[0] if answers else ""), [], ""


def _address(name: str, found: Found, pictures: Pictures) -> str:
    r"""The file that `\includegraphics{name}` means, by `\graphicspath` and with its suffix."""
    name = name.strip().strip('"')
    for folder in found.folders:
        for suffix in _SUFFIXES:
            address = f"{folder}{name}{suffix}"
            if Path(address).suffix.lower() in _READABLE:
                try:
                    if inside(pictures.folder, address).is_file():
                        return address
                except UserError:
                    continue
    return name
