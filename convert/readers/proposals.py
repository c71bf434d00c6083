"""The line to paste for what a look at a source sees and does not understand.

Maps of columns and roles of words are tried on the rows before they are told: what is printed
holds when it is pasted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import msgspec
import yaml
from msgspec.structs import replace

from ...options import KNOWN_AS, read_options
from ...pipeline import SourceSpec
from ...problem import Drop, Problem
from ...tables import pieces
from ...words import own_roles, own_word, speaking
from ..html import classed
from ..tex import of_label

FEW = 3  # problems in which a mark must stand
OFTEN = 0.3  # or a share of all
MOST = 6  # marks that are tried
HOLDS = 0.8  # of the rows, for a map that is told
SHORT = 80  # characters of an answer
MOST_CLASSED = 200  # elements with a class of a question that are looked at

Read = Callable[[SourceSpec], list[Any]]  # what the rows are, as a source has them


class Paste(msgspec.Struct, frozen=True):
    """What was seen, and the line of a recipe that says what it is."""

    what: str
    line: str


def flow(value: Any) -> str:
    """A value in one line of YAML; what would be no text there is quoted.

    >>> flow({"roles": {"Facit": "answer"}})
    'roles: {Facit: answer}'
    """
    text = yaml.safe_dump(
        value,
        default_flow_style=True,
        sort_keys=False,
        allow_unicode=True,
        width=10_000,
    )
    return text.strip().removeprefix("{").removesuffix("}")


# Maps of columns ---------------------------------------------------------------------------------


def verified(
    spec: SourceSpec, proposed: dict[str, str], rows: list[dict[str, Any]], read: Read
) -> dict[str, str]:
    """A proposed map as far as the rows bear it out, or another one by what stands in them.

    No column is used twice, most rows become problems, most golds are among the options, and they
    are not all one letter.
    """
    fields = {**proposed}
    free = _free(rows, fields | spec.fields)
    listing = [c for c in free if _lists_options(rows, c)]
    known = fields | spec.fields
    if "options" not in known and "options" not in rows[0] and len(listing) == 1:
        fields["options"] = listing[0]
    used = Counter(fields.values())
    answer = fields.get("answer", "")
    talks = used[answer] > 1 and answer == fields.get("question")
    if answer and used[answer] > 1 and not talks:
        del fields["answer"]
    fields = {name: fields[name] for name in _ORDER if name in fields}
    problems = _problems(read(_with(spec, fields)))
    if len(problems) < HOLDS * len(rows):
        return {}
    if "answer" in {*fields, *spec.fields, *rows[0]} and _bears(problems):
        return fields
    fields.pop("answer", None)
    free = _free(rows, fields | spec.fields)
    for column in free if any(p.options for p in problems) else ():
        tried = fields | {"answer": column}
        if _bears(_problems(read(_with(spec, tried)))):
            return {name: tried[name] for name in _ORDER if name in tried}
    return fields


_ORDER = (*KNOWN_AS,)


def _with(spec: SourceSpec, fields: dict[str, str]) -> SourceSpec:
    return replace(spec, fields=spec.fields | fields)


def _problems(results: list[Any]) -> list[Problem]:
    return [one for one in results if isinstance(one, Problem)]


def _columns(rows: list[dict[str, Any]]) -> list[str]:
    return [str(name) for name in dict.fromkeys(c for row in rows for c in row)]


def _free(rows: list[dict[str, Any]], fields: dict[str, str]) -> list[str]:
    """The columns that no field uses, alone or with others."""
    taken = {part for name in fields.values() for part in (name, *pieces(name))}
    return [column for column in _columns(rows) if column not in taken]


def _lists_options(rows: list[dict[str, Any]], column: str) -> bool:
    """Whether cells are lists of several texts or flat records, as options are, most at least.

    Records with records inside are questions of their own.
    """

    def is_list(value: list[Any]) -> bool:
        inner = (v for one in value if isinstance(one, dict) for v in one.values())
        if any(
            isinstance(v, list) and any(isinstance(w, dict) for w in v) for v in inner
        ):
            return False
        if any(isinstance(one, list) for one in value):  # pairs of names and values
            return False
        try:
            return len(read_options(value).options) == len(value)
        except ValueError:
            return False

    cells = [row.get(column) for row in rows]
    lists = [cell for cell in cells if isinstance(cell, list) and len(cell) > 1]
    others = [cell for cell in cells if cell is not None and not isinstance(cell, list)]
    return not others and 2 * len(lists) >= len(rows) and all(map(is_list, lists))


def _bears(problems: list[Problem]) -> bool:
    """Whether golds are there, among the options where there are some, and not all one letter."""
    answers = [problem.answer for problem in problems if problem.options]
    if not answers:
        values = {problem.answer for problem in problems if problem.answer}
        return bool(values) and not values <= {"true", "false"}
    fitting = sum(_is_among(problem) for problem in problems if problem.options)
    alike = len(answers) >= FEW and len({*answers}) == 1
    return fitting >= HOLDS * len(answers) and not alike


def _is_among(problem: Problem) -> bool:
    labels = {option.label for option in problem.options}
    return bool(problem.answer) and labels.issuperset(problem.answer)


# Roles of words ----------------------------------------------------------------------------------

_MARK = re.compile(
    r"(?m)^[ \t>*#_【\[]*(?P<word>[^\W\d_][^\n:：*_【】\[\]$]{0,24}?)[ \t]*(?:\d{1,2})?"
    r"[*_】\]]*[:：]"
)
_NO_ROLE = re.compile(
    r"'(?P<name>[^']+)' says no role; it is read as (?P<role>\w[\w ]*)"
)
_UNREAD = re.compile(r"not understood: (?P<names>.+)")
_UNKNOWN = re.compile(r"\\begin\{[^{}]+\}|\\[A-Za-z@]+")
_DRAWS = re.compile(r"(?i)tikz|pict|image|draw|asy|plot|axis|graph|figure|pst|animat")
_ENVIRONMENT = re.compile(r"\\begin\{([^{}]+)\}")
_GROUPS = re.compile(r"groups-in-text: (?P<name>\S+) begins with (?P<ids>[\w, ]+)")


def roles_for(spec: SourceSpec, results: list[Any], read: Read) -> Iterator[Paste]:
    """The lines that say what the marks, commands and environments of a document are."""
    found = [*_of_marks(spec, results), *_of_names(results), *_of_classes(results)]
    said: dict[str, Any] = dict(spec.roles)
    best = _worth(results)
    for name, role, what in islice(found, MOST):
        tried = [said | {name: one} for one in _AFTER.get(str(role), (role,))]
        made = [(_worth(_read_by(read, spec, roles)), roles) for roles in tried]
        worth, roles = max(made, key=lambda one: one[0])
        if worth > best:
            yield Paste(what, flow({"roles": roles}))
            said, best = roles, worth


# What is tried for a name that says no role, by where it stands; the best is told
_AFTER: dict[str, tuple[str, ...]] = {
    "answer": ("answer", "solution"),
    "ignored": ("outside", "problem"),
    "section": ("answer", "solution", "option"),
}


def _read_by(read: Read, spec: SourceSpec, roles: dict[str, Any]) -> list[Any]:
    """What the rows are where the source says these roles; nothing where they cannot be meant."""
    try:
        own_roles(roles)
        return read(replace(spec, roles=roles))
    except ValueError:
        return []


def _worth(results: list[Any]) -> tuple[int, int, int]:
    """How much is understood: problems, then short answers, then solutions and labels."""
    problems = [p for p in _problems(results) if p.question]
    short = [p.answer for p in problems if p.answer or p.parts]
    kept = sum(len(answer) <= SHORT and not _is_sentence(answer) for answer in short)
    doubts = sum(
        "says no role" in note or "groups-" in note
        for p in problems
        for note in p.notes
    )
    more = sum(bool(p.solution) + len(p.labels) + bool(p.options) for p in problems)
    return len(problems), kept, more - doubts


def _of_marks(spec: SourceSpec, results: list[Any]) -> Iterator[tuple[str, str, str]]:
    """Words with a colon at the starts of lines of several questions, which say no role."""
    problems = _problems(results)
    words: Counter[str] = Counter()
    for problem in problems:
        found = {" ".join(m["word"].split()) for m in _MARK.finditer(problem.question)}
        words.update(found)
    with speaking(own_roles(spec.roles)):
        unknown = {w: n for w, n in words.items() if not (of_label(w) or own_word(w))}
    for word, count in sorted(unknown.items(), key=lambda one: -one[1]):
        if count >= FEW and count >= OFTEN * len(problems):
            what = f"{word!r} opens a line in {count} of {len(problems)} questions"
            yield word, "answer", what


_WORDS = re.compile(r"\$[^$]*\$|[^\W\d_]{2,}")


def _is_sentence(text: str) -> bool:
    """Whether a text says more than a value does, which may have its unit or its name."""
    words: list[str] = _WORDS.findall(text)
    return sum(word[0] != "$" for word in words) > 2


def _of_names(results: list[Any]) -> Iterator[tuple[str, Any, str]]:
    """Names that say no role, that are not understood, or that begin with arguments.

    They are commands, environments, and headings of files that are a problem each.
    """
    problems = _problems(results)
    notes = [note for problem in problems for note in problem.notes]
    placed: Counter[tuple[str, str]] = Counter()
    for problem in problems:
        for said in filter(None, map(_NO_ROLE.search, problem.notes)):
            role = "problem" if said["name"][:1] == "\\" else "section"
            if said["role"] == "the solution":
                role = "solution" if _is_sentence(problem.solution or "") else "answer"
            placed[said["name"].replace("\\\\", "\\"), role] += 1
    most = max(FEW, OFTEN * len(problems))
    answered = sum(bool(p.answer or p.parts or p.solution) for p in problems)
    for (name, role), count in placed.most_common():
        lacks = count >= most and 2 * answered < len(problems)
        if role != "section" or lacks:
            yield name, role, f"{name} says no role, in {count} problems"
    groups = Counter(m[0] for note in notes if (m := _GROUPS.search(note)))
    for told, count in groups.most_common():
        match = _GROUPS.search(told)
        if match:
            roles = [
                "title" if one == "words" else "_" for one in match["ids"].split(", ")
            ]
            what = f"{match['name']} begins with {len(roles)} arguments, in {count} problems"
            yield match["name"], {"problem": roles}, what
    yield from _not_understood(results)


def _not_understood(results: list[Any]) -> Iterator[tuple[str, Any, str]]:
    """Commands and environments because of which problems are left out."""
    reasons = [one.reason for one in results if isinstance(one, Drop)]
    names: Counter[str] = Counter()
    for reason in reasons:
        if match := _UNREAD.search(reason):
            names.update({*_UNKNOWN.findall(match["names"])})
    for name, count in names.most_common():
        if _DRAWS.search(name):  # without it a question lacks its figure
            continue
        plain = _ENVIRONMENT.sub(r"\1", name)
        what = f"{name} is not understood, in {count} problems"
        also = "outside leaves its text out, problem keeps it in the question"
        yield plain, "ignored", f"{what}: {also}"


# Classes of HTML ---------------------------------------------------------------------------------


def _of_classes(results: list[Any]) -> Iterator[tuple[str, str, str]]:
    """Classes that stand once in many questions without an answer, behind what is asked."""
    problems = [p for p in _problems(results) if not (p.answer or p.parts)]
    found: Counter[str] = Counter()
    texts: dict[str, set[str]] = {}
    for problem in problems:
        stretches = classed(problem.question) if "class" in problem.question else []
        here = Counter(name for one in stretches for name in one.classes.split())
        for one in stretches if len(stretches) <= MOST_CLASSED else ():
            for name in one.classes.split():
                if here[name] == 1 and one.start > 0 and one.inner.strip():
                    found[name] += 1
                    texts.setdefault(name, set()).add(one.inner)
    for name, count in found.most_common():
        if count >= max(FEW, OFTEN * len(problems)) and len(texts[name]) > 1:
            what = f"the class {name!r} stands in {count} of {len(problems)} questions"
            yield f".{name}", "answer", f"{what} without an answer"
