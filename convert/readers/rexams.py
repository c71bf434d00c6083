r"""Exercises of R/exams, one a file, in Markdown (`.Rmd`) or LaTeX (`.Rnw`).

```yaml
- {name: exercises, reader: rexams, path: "exercises/**/*.Rmd"}
```
What the meta-information says is read: `extype`, `exsolution`, `extol`, `exname`, `exsection`.
Nothing is run: an exercise whose question, choices or answer R computes is refused with its line,
and a solution that R computes is left out with a note. What R writes for it can be read instead:
Moodle's XML (`exams2moodle`) or QTI (`exams2qti21`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ...pipeline import SourceSpec
from ...problem import Drop, Problem
from ...tables import open_text
from ..tex import read_exam_source, source_of
from .base import LETTERS, Pictures, Raw, Unreadable, file_names, reader
from .mapped import from_row
from .tex import Found, from_item

MAX_FILE = 2_000_000  # bytes of an exercise
BLANK = "____"
_LATEX = re.compile(r"\\begin\{question\}")
# what R puts there when it is run, and the stretches of programs
_COMPUTED = re.compile(r"`r [^`\n]+`|\\Sexpr\{[^{}\n]*")
_CHUNK = re.compile(
    r"(?ms)^(?:<<(?P<sweave>[^\n]*)>>=[ \t]*$(?P<code>.*?)^@[ \t]*$"
    r"|[ \t]*```[ \t]*\{r(?P<options>[^}\n]*)\}[ \t]*$(?P<knitted>.*?)^[ \t]*```[ \t]*$)"
)
_HIDES = re.compile(r"include\s*=\s*F|results\s*=\s*[\"']?hide|eval\s*=\s*F")
_DRAWS = re.compile(r"fig\s*=\s*T|plot\(|hist\(|curve\(")
_ONLY_BRINGS = re.compile(r"\s*(?:include_supplement\([^\n]*\)\s*)*")
_META = re.compile(
    r"(?m)^[%\s]*\\(?P<name>ex[a-z]+)(?:\[(?P<more>[^\]\n]+)\])?\{(?P<value>[^\n]*)\}"
    r"|^(?P<key>ex[a-z]+)(?:\[(?P<kind>[^\]\n]+)\])?:[ \t]*(?P<said>[^\n]*)$"
)
_PART = re.compile(
    r"(?ms)^(?P<head>Question|Solution|Meta-information)[ \t]*\n=+[ \t]*$"
)
_LIST = re.compile(r"(?m)^Answerlist[ \t]*\n-+[ \t]*$")
_ITEM = re.compile(r"(?m)^[ \t]{0,3}[*+-][ \t]+")
_ENVIRONMENT = re.compile(
    r"(?s)\\begin\{(?P<name>question|solution)\}(?P<text>.*?)\\end\{(?P=name)\}"
)
_ANSWERLIST = re.compile(r"(?s)\\begin\{answerlist\}(?P<items>.*?)\\end\{answerlist\}")
_TEX_ITEM = re.compile(r"\\item(?![A-Za-z])")
_GAP = re.compile(r"##ANSWER(?P<number>\d{1,3})##")
_LABELS = {"exname": "title", "exsection": "section", "expoints": "points"}
_VALUES = ("num", "string")  # types whose answer is a value
_CHOSEN = ("schoice", "mchoice")


class Refused(ValueError):
    """Why an exercise cannot be read without R, and where."""

    def __init__(self, what: str, line: int = 1) -> None:
        super().__init__(what)
        self.line = line


class Exercise(NamedTuple):
    """The texts of an exercise and its meta-information; a solution of R's is empty."""

    question: str
    items: list[str]  # choices, or what is asked in each gap
    solution: str
    meta: dict[str, str]
    left_out: str  # why the solution is


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row an exercise; one that needs R is named with its line."""
    names = file_names(paths)
    for path in paths:
        name, called = names[path]
        text, _ = open_text(path)
        notes: list[str] = []
        try:
            if len(text) > MAX_FILE:
                raise Refused(f"{len(text):,} characters, {MAX_FILE:,} at most")
            exercise = _exercise(text)
            if exercise.left_out:
                notes.append(f"the solution is left out: {exercise.left_out}")
            data = (_in_tex if _LATEX.search(text) else _in_markdown)(
                exercise, called or path.stem
            )
        except ValueError as error:
            line = error.line if isinstance(error, Refused) else 1
            yield Unreadable(name, line, str(error), text[:500])
            continue
        yield Raw(name, 1, data, called or path.stem, notes)


# The exercise ------------------------------------------------------------------------------------


def _exercise(text: str) -> Exercise:
    """The texts of an exercise. Raises Refused where R would write what is asked."""
    meta = _meta(text)
    if "extype" not in meta:
        raise Refused("no extype: is this an exercise of R/exams?")
    parts = _parts(text)
    if "question" not in parts:
        raise Refused("no section Question, and no environment question")
    asked, line = parts["question"]
    _refuse_computed(asked, line)
    for key in ("exsolution", "extol"):
        if computed := _COMPUTED.search(meta.get(key, "")):
            raise Refused(
                f"{key} is computed by R: {computed[0][:60]}; {_INSTEAD}", line
            )
    solution, _ = parts.get("solution", ("", 0))
    computed = _COMPUTED.search(solution)
    left_out = f"R computes {computed[0][:60]}" if computed else ""
    question, items = _listed(_without_programs(asked))
    shown = "" if computed else _without_programs(solution)
    return Exercise(question, items, shown, meta, left_out)


_INSTEAD = "let R write it (exams2moodle, exams2qti21) and read that"


def _refuse_computed(text: str, line: int) -> None:
    """Raises Refused for a question that R writes, in a line or by a program that shows."""
    for chunk in _CHUNK.finditer(text):
        code = chunk["code"] or chunk["knitted"] or ""
        options = chunk["sweave"] or chunk["options"] or ""
        silent = _HIDES.search(options) and not _DRAWS.search(options + code)
        if not silent and not _ONLY_BRINGS.fullmatch(code):
            at = line + text.count("\n", 0, chunk.start())
            raise Refused(f"a program of R writes into the question; {_INSTEAD}", at)
    if computed := _COMPUTED.search(_CHUNK.sub(_as_lines, text)):
        at = line + text.count("\n", 0, computed.start())
        raise Refused(f"R computes {computed[0][:60]}; {_INSTEAD}", at)


def _as_lines(chunk: re.Match[str]) -> str:
    """The place of a program, blank."""
    return re.sub(r"[^\n]", " ", chunk[0])


def _without_programs(text: str) -> str:
    return _CHUNK.sub("", text).strip()


def _meta(text: str) -> dict[str, str]:
    """Names and values of the meta-information, in either spelling."""
    found: dict[str, str] = {}
    for match in _META.finditer(text):
        name = match["name"] or match["key"]
        more = match["more"] or match["kind"]
        value = match["value"] if match["name"] else match["said"]
        found[f"{name}.{more}" if more else name] = (value or "").strip()
    return found


def _parts(text: str) -> dict[str, tuple[str, int]]:
    """Question and solution, each with its line; the first of each name counts."""
    found: dict[str, tuple[str, int]] = {}
    if _LATEX.search(text):
        for match in _ENVIRONMENT.finditer(text):
            at = text.count("\n", 0, match.start("text")) + 1
            found.setdefault(match["name"], (match["text"], at))
        return found
    heads = [*_PART.finditer(text)]
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=bool(heads)):
        at = text.count("\n", 0, head.end()) + 1
        found.setdefault(head["head"].lower(), (text[head.end() : end], at))
    return found


def _listed(question: str) -> tuple[str, list[str]]:
    """A question and its list of answers."""
    if match := _ANSWERLIST.search(question):
        items = _TEX_ITEM.split(match["items"])[1:]
        rest = question[: match.start()] + question[match.end() :]
        return rest.strip(), [item.strip() for item in items]
    if match := _LIST.search(question):
        items = _ITEM.split(question[match.end() :])[1:]
        return question[: match.start()].strip(), [item.strip() for item in items]
    return question.strip(), []


# What it asks ------------------------------------------------------------------------------------


def _right(bits: str, count: int) -> list[bool]:
    """Which choices are right: `0100`. Raises Refused for other counts, and other signs."""
    if len(bits) != count or not set(bits) <= {"0", "1"}:
        raise Refused(f"exsolution {bits[:40]!r} for {count} choices: 0 or 1 for each")
    return [bit == "1" for bit in bits]


def _gaps(exercise: Exercise) -> list[str]:
    """The answers of the gaps of a cloze. Raises Refused for choices in gaps."""
    kinds = [
        kind.strip() for kind in exercise.meta.get("exclozetype", "").split("|") if kind
    ]
    answers = [
        one.strip() for one in exercise.meta.get("exsolution", "").split("|") if one
    ]
    if others := [kind for kind in kinds if kind not in _VALUES]:
        raise Refused(f"a cloze with gaps of type {', '.join(dict.fromkeys(others))}")
    asked = exercise.items or _GAP.findall(exercise.question)
    if asked and len(asked) != len(answers):
        raise Refused(f"{len(answers)} values in exsolution for {len(asked)} gaps")
    return answers


def _in_markdown(exercise: Exercise, _: str) -> dict[str, Any]:
    """An exercise as a row."""
    meta = exercise.meta
    kind = meta["extype"]
    solution, reasons = _listed(exercise.solution)
    told = [f"{label}. {text}" for label, text in zip(LETTERS, reasons, strict=False)]
    row: dict[str, Any] = {
        "question": exercise.question,
        "solution": "\n\n".join(filter(None, [solution, *told])),
        "labels": {
            label: meta[name] for name, label in _LABELS.items() if meta.get(name)
        },
    }
    row |= {name: value for name, value in meta.items() if name not in _LABELS}
    if kind in _CHOSEN:
        right = _right(meta.get("exsolution", ""), len(exercise.items))
        pairs = zip(exercise.items, right, strict=True)
        return row | {"options": [{"text": t, "correct": r} for t, r in pairs]}
    if kind == "cloze":
        answers = _gaps(exercise)
        lines = [f"({number}) {item}" for number, item in enumerate(exercise.items, 1)]
        text = _GAP.sub(lambda gap: f"({gap['number']}) {BLANK}", exercise.question)
        parts = [
            {"label": str(number), "answer": answer}
            for number, answer in enumerate(answers, 1)
        ]
        return row | {"question": "\n\n".join([text, *lines]), "parts": parts}
    if kind not in _VALUES:
        raise Refused(f"an exercise of type {kind!r}")
    return row | {
        "answer": meta.get("exsolution", ""),
        "tolerance": meta.get("extol", "") if kind == "num" else "",
    }


def _in_tex(exercise: Exercise, called: str) -> Found:
    """An exercise in the words of exam.cls, read as its documents are."""
    meta = exercise.meta
    kind = meta["extype"]
    lines = [r"\begin{questions}", rf"\question {exercise.question}"]
    if kind in _CHOSEN:
        right = _right(meta.get("exsolution", ""), len(exercise.items))
        lines.append(r"\begin{choices}")
        for item, is_right in zip(exercise.items, right, strict=True):
            lines.append((r"\CorrectChoice " if is_right else r"\choice ") + item)
        lines.append(r"\end{choices}")
    elif kind == "cloze":
        answers = _gaps(exercise)
        lines.append(r"\begin{parts}")
        asked = exercise.items or [BLANK] * len(answers)
        for item, answer in zip(asked, answers, strict=True):
            lines.append(rf"\part {item} \answer{{{answer}}}")
        lines.append(r"\end{parts}")
    elif kind in _VALUES:
        lines.append(rf"\answer{{{meta.get('exsolution', '')}}}")
    else:
        raise Refused(f"an exercise of type {kind!r}")
    solution = _ANSWERLIST.sub(
        r"\\begin{itemize}\g<items>\\end{itemize}", exercise.solution
    )
    if solution:
        lines += [r"\begin{solution}", solution, r"\end{solution}"]
    lines.append(r"\end{questions}")
    read = read_exam_source(source_of("\n".join(lines))).items
    if len(read) != 1:
        raise Refused(f"{len(read)} questions in one exercise")
    found = read[0]
    found.labels |= {
        label: meta[name] for name, label in _LABELS.items() if meta.get(name)
    }
    return Found(called, found, [""], [])


@reader("rexams", rows=rows, fields=True)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem | Drop:
    if isinstance(raw.data, Found):
        return from_item(raw, spec, pictures)
    return from_row(raw, spec, pictures)
