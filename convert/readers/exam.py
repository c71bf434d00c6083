"""The reader `exam`: exams in Mathpix Markdown, or JSON of a recogniser, as a source of a recipe.

Options: `key` (file of an answer key of its own), `lines` (lines.json; default: the one beside
the exam), `cut` (what `convert exam --cut-by` wrote, its doubts decided). Pictures are looked for
in the source's `images` folder under the name that `convert pdf` gives them, or under their plain
file name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from ...base.display import Display, Table
from ...base.files import path_or_none, write_bytes, write_jsonl, write_text
from ...base.json_lines import pretty
from ...errors import UserError
from ...latex import MATHPIX, Delimiters, mended
from ...llm import Model
from ...pipeline import SourceSpec
from ...problem import Image, Problem, Source, parts_text
from ...words import own_roles, speaking
from ..documents import (
    CODE,
    DOUBT,
    Recognised,
    TextPicture,
    crop_name,
    format_of,
    read_document,
    read_layout,
    read_recognised,
    without_programs,
)
from ..exam import (
    Exam,
    ExamIssue,
    ExamProblem,
    Proposal,
    Span,
    places_of,
)
from ..exam import split_exam as split_text
from .base import Pictures, Raw, Unreadable, guess_kind, named_beside, reader, stems_of
from .constants import completed
from .exam_proposals import check_decided, propose, read_proposal
from .recognise import instead
from .sub_answers import asked_parts, bare, part

RECOGNISED = (".json", ".jsonl", ".md", ".html", ".htm")  # what a recogniser wrote
LINES = ".lines.json"  # beside a recogniser's text: where its lines lay


class Cut(msgspec.Struct):
    """A problem as it was cut, and those of its pictures that lay inside the file."""

    problem: ExamProblem
    inside: dict[str, bytes] = {}


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row per problem, and an entry for each issue that concerns the exam as a whole."""
    stems = stems_of(paths)
    for path in paths:
        beside = {
            name: named_beside(spec, path, str(spec.options[name]))
            for name in spec.options.keys() & {"key", "lines", "cut"}
        }
        with speaking(own_roles(spec.roles)):
            exam, made = _read(
                path,
                beside.get("key"),
                beside.get("lines"),
                spans=_decided(beside.get("cut")),
                kind=str(spec.options.get("format") or format_of(path)),
            )
        for issue in exam.issues:
            if not issue.problem:
                yield Unreadable(path.name, 0, f"{issue.kind}: {issue.detail}", "")
        several = f"{stems[path]}." if len(paths) > 1 else ""
        for number, problem in enumerate(exam.problems, 1):
            problem.raw_id = several + problem.raw_id
            named = {_plain(picture) for picture in problem.figures}
            inside = {
                name: data for name, data in made.pictures.items() if name in named
            }
            yield Raw(path.name, number, Cut(problem=problem, inside=inside))


def _decided(path: Path | None) -> Callable[[str], Proposal] | None:
    """What gives the spans of a proposal in a file, when they hold for the text and are decided."""
    if path is None:
        return None
    proposal = read_proposal(path)

    def spans(text: str) -> Proposal:
        check_decided(proposal, text)
        return proposal

    return spans


class Proposed(msgspec.Struct):
    """An exam that a proposal cuts: its text, where the spans stand, what they make, what is open.

    `doubts` is empty where somebody has decided them.
    """

    text: str
    places: list[tuple[int, int, Span]]
    problems: list[Problem]
    doubts: list[str]


def proposed(spec: SourceSpec, folder: Path) -> Proposed | None:
    """What the option `cut` of a source proposes, decided or not; None without that option.

    Raises UserError for a cut that is none, or of another text.
    """
    if "cut" not in spec.options:
        return None
    path = folder / (spec.path if isinstance(spec.path, str) else spec.path[0])
    proposal = read_proposal(path.parent / str(spec.options["cut"]))
    open_doubts = [] if proposal.decided else proposal.doubts
    texts: list[str] = []

    def spans(text: str) -> Proposal:
        check_decided(proposal, text, decided=True)
        texts.append(text)
        return proposal

    with TemporaryDirectory() as work:
        pictures = Pictures(
            folder / spec.images if spec.images else path.parent, Path(work)
        )
        exam, made = _read(path, None, None, spans=spans)
        rows = [Cut(problem=cut, inside=made.pictures) for cut in exam.problems]
        problems = [
            problem(Raw(path.name, k, cut), spec, pictures)
            for k, cut in enumerate(rows, 1)
        ]
    return Proposed(texts[0], places_of(texts[0], proposal), problems, open_doubts)


def _read(
    path: Path,
    key: Path | None,
    lines: Path | None,
    out: Path | None = None,
    spans: Callable[[str], Proposal] | None = None,
    kind: str | None = None,
) -> tuple[Exam, Recognised]:
    """The exam in a file; JSON, pages and .md are read first, and their Markdown kept in `out`.

    So is any other file with marks that Mathpix never writes: Nougat names its files .mmd, too.
    """
    kind = format_of(path) if kind is None else kind
    if not kind and path.suffix not in RECOGNISED and not _is_recognised(path):
        exam = read_exam(path, key, lines, spans=spans)
        return exam, Recognised(name=path.name, markdown="")
    beside = path.with_suffix(LINES)
    lines = lines or (beside if beside.exists() else None)
    with TemporaryDirectory() as folder:
        text = (out or Path(folder)) / f"{path.stem}.mmd"
        if text.resolve() == path.resolve():  # never over the exam itself
            text = Path(folder) / text.name
        if kind:
            made = read_document(path, kind)
            write_text(text, made.markdown)
        else:
            made = read_recognised(path, text)
        try:
            exam = read_exam(text, key, lines, spans=spans)
        except UserError as error:
            raise UserError(
                error.message.replace(str(text), str(path)), error.remedy
            ) from None
    if kind:
        _doubt(exam, made)
    lost = [issue.partition(": ") for issue in made.issues]
    exam.issues = [
        *(ExamIssue("", kind, detail) for kind, _, detail in lost),
        *exam.issues,
    ]
    return exam, made


def _doubt(exam: Exam, made: Recognised) -> None:
    """Flag problems that a document's structure may not mean; code that was between goes."""
    outside = sum(len(one.text) for one in exam.outside if one.kind != "key")
    inside = sum(len(one.question) + len(one.solution) for one in exam.problems)
    for one in exam.problems:
        behind = one.question.partition(CODE)[2]
        if behind.replace(CODE, "").strip():
            one.flags.append("code-left-out: text of the lesson may follow it")
        one.question = _without_code(one.question)
        one.solution = _without_code(one.solution)
        for option in one.options:
            option.text = _without_code(option.text)
        if DOUBT in made.issues:
            one.flags.append(DOUBT)
        if len(one.question.split()) < FEW_WORDS and not _SAYS.search(one.question):
            one.flags.append("exercise-doubtful: it asks nothing")
        if outside > 2 * inside:
            one.flags.append("exercise-doubtful: most of the text is in no problem")


FEW_WORDS = 5
_SAYS = re.compile(r"[$?？\d]|<image|\u2026|__")  # what a short question has


def _without_code(text: str) -> str:
    return re.sub(rf"\n*{CODE}\n*", "\n\n", text).strip() if CODE in text else text


def read_exam(
    path: Path,
    key: Path | None = None,
    lines: Path | None = None,
    delimiters: Delimiters = MATHPIX,
    spans: Callable[[str], Proposal] | None = None,
) -> Exam:
    """Cut the exam in `path`; `key` is an answer key of its own, `lines` its lines.json.

    Without `lines`, `<name>.lines.json` beside the exam is used where it exists. With `spans`, what
    they propose for the exam's plain text cuts it, and no rule does. Raises UserError when a file
    cannot be read or no problem is found.
    """
    beside = path.with_suffix(".lines.json")
    lines = lines or (beside if beside.exists() else None)
    layout = read_layout(lines) if lines else None
    text, programs = without_programs(_QUOTED.sub(_unquoted, _text(path)))
    text, restored = mended(text)
    exam = split_text(
        text, mended(_text(key))[0] if key else "", layout, delimiters, spans
    )
    if programs:
        told = f"{len(programs)} programs: {programs[0]}"
        exam.issues.append(ExamIssue("", "code-left-out", told))
    if restored:
        told = ", ".join(dict.fromkeys(restored))
        exam.issues.append(ExamIssue("", "backslashes-restored", told))
    if not exam.problems:
        remedy = (
            "number them 1., (1), 第1题, ..., or ask with --cut-by; "
            "where each file is a problem, say reader: markdown"
        )
        for issue in exam.issues:
            if issue.kind == "two-readings":
                remedy = "head the answers Answers, or give them as the key"
                raise UserError(f"{path}: {issue.detail}", remedy)
        raise UserError(f"{path}: no numbered problems", remedy)
    return exam


# what Markdown quotes: a paragraph whose lines all begin with the mark
_QUOTED = re.compile(r"(?m)(?:^[ \t]{0,3}>(?:[ \t][^\n]*)?(?:\n|\Z))+")


def _unquoted(match: re.Match[str]) -> str:
    return re.sub(r"(?m)^[ \t]{0,3}>[ \t]?", "", match[0])


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {path}: {error}", _not_text(path)) from error


def _not_text(path: Path) -> str:
    """What to do with a file that is no text."""
    other = instead(path, "exam")
    return f"{other[0]}: {other[1]}" if other else "give Markdown in UTF-8"


_MARKS = re.compile(
    rb"\[MISSING_PAGE_(?:FAIL|EMPTY|POST)|<!-- ?(?:image|formula-not-d)|<img\b"
)


def _is_recognised(path: Path) -> bool:
    try:
        return bool(_MARKS.search(path.read_bytes()))
    except OSError:
        return False  # reading it says what is wrong


@reader("exam", rows=rows, roles=True, options=("key", "lines", "cut"), beside=(LINES,))
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    cut: ExamProblem = raw.data.problem
    inside: dict[str, bytes] = raw.data.inside
    images = [
        image for picture in cut.figures for image in _stored(picture, pictures, inside)
    ]
    labels = {
        "section": cut.section,
        "instruction": cut.instruction,
        "hint": cut.hint,
    }
    parts = [part(str(k), bare(answer)) for k, answer in enumerate(cut.parts, 1)]
    if not parts and not cut.options:
        parts = asked_parts(cut.question, cut.answer)
    return Problem(
        id=f"{spec.name}-{cut.raw_id}",
        origin=f"{spec.name}-{cut.raw_id}",
        source=Source(name=spec.name, raw_id=cut.raw_id),
        question=cut.question,
        images=images,
        options=cut.options,
        answer=parts_text(parts) or cut.answer,
        answer_kind="parts" if parts else guess_kind(cut.answer, cut.options),
        parts=parts,
        solution=cut.solution or None,
        labels={name: text for name, text in labels.items() if text},
        notes=[f"exam: {flag}" for flag in cut.flags],
    )


def _plain(picture: TextPicture) -> str:
    return picture.url.split("?", 1)[0]


def _stored(
    picture: TextPicture, pictures: Pictures, inside: dict[str, bytes] | None = None
) -> list[Image]:
    plain = _plain(picture)
    if inside and plain in inside:
        return pictures.get([{"bytes": inside[plain], "path": plain}])
    name = crop_name(picture)
    names = [n for n in (name, plain.split("/")[-1], plain) if "://" not in n]
    return pictures.get([pictures.first(names) or name])  # notes that it is missing


class SplitExam(Display, msgspec.Struct, kw_only=True):
    """One exam cut into problems, and what a person must look at."""

    exam: str
    problems: list[Problem]
    issues: list[ExamIssue]

    @property
    def answered(self) -> int:
        return sum(bool(problem.answer) for problem in self.problems)

    @property
    def missing_pictures(self) -> int:
        notes = (note for problem in self.problems for note in problem.notes)
        return sum(note.startswith("missing-picture") for note in notes)

    def headline(self) -> str:
        total = len(self.problems)
        open_ = len(self.issues)
        return (
            f"{self.exam}, {total} problems, {self.answered} answered, {open_} issues"
        )

    def table(self) -> Table:
        return ["problem", "kind", "detail"], [
            [i.problem, i.kind, i.detail] for i in self.issues
        ]


def split_exam(
    path: str | Path,
    out: str | Path,
    *,
    key: str | Path | None = None,
    lines: str | Path | None = None,
    images: str | Path | None = None,
    name: str | None = None,
    license: str | None = None,
    cut: str | Path | None = None,
    cut_by: str | None = None,
    base_url: str | None = None,
    cache: str | Path = "answers.sqlite",
) -> SplitExam:
    """Cut an exam in Mathpix Markdown into `out`/problems.jsonl, `out`/issues.jsonl and pictures.

    JSON and .md are a recogniser's and read as `convert ocr` does; the Markdown is kept in `out`.

    What belongs to no problem (headings, instructions, notes, running lines, keys) goes to
    `out`/outside.jsonl.

    Args:
        path: The exam.
        out: Folder to write.
        key: Answer key in a file of its own.
        lines: The lines.json of Mathpix.
        images: Folder of pictures [default: EXAM-images beside it, else the exam's own folder].
        name: Prefix of the ids [default: the file's name].
        license: Licence of the exam (SPDX).
        cut: Spans that cut the exam instead of rules: `cut.json` of --cut-by, its doubts decided.
        cut_by: Model that proposes spans; they are written to `out`/cut.json with what is in doubt.
        base_url: The model's endpoint [default: OPENAI_BASE_URL, else OpenAI's own].
        cache: Replies already paid for.

    Raises UserError for a file that cannot be read, or a cut that does not hold for the exam.

    Example: `split_exam("mathpix/amc8.mmd", "amc8", key="mathpix/key.mmd").issues`
    """
    path = Path(path)
    spans = _decided(path_or_none(cut))
    if cut_by:
        model = Model(name=cut_by, base_url=base_url)
        spans = partial(propose, model=model, cache=Path(cache))
    exam, made = _read(path, path_or_none(key), path_or_none(lines), Path(out), spans)
    spec = SourceSpec(
        name=name or path.stem, reader="exam", path=path.name, license=license
    )
    named = path.parent / f"{path.stem}-images"
    folder = path_or_none(images) or (named if named.is_dir() else path.parent)
    problems, issues = write_exam(exam, spec, folder, Path(out), made.pictures)
    return SplitExam(exam=path.name, problems=problems, issues=issues)


def write_exam(
    exam: Exam,
    spec: SourceSpec,
    images: Path,
    out: Path,
    inside: dict[str, bytes] | None = None,
) -> tuple[list[Problem], list[ExamIssue]]:
    """Problems of an exam with their pictures, and what a person must look at, into `out`."""
    pictures = Pictures(images, out)
    problems = []
    for number, cut in enumerate(exam.problems, 1):
        pictures.notes = []
        data = Cut(problem=cut, inside=inside or {})
        made = problem(Raw(spec.name, number, data), spec, pictures)
        made = completed(made, spec, pictures, images)
        problems.append(
            msgspec.structs.replace(made, notes=[*made.notes, *pictures.notes])
        )
    missing = [n for p in problems for n in p.notes if n.startswith("missing-picture")]
    issues = list(exam.issues)
    if missing:
        names = ", ".join(note.partition(": ")[2] for note in missing[:3])
        issues.append(
            ExamIssue("", "missing-picture", f"{len(missing)} pictures: {names}"[:200])
        )
    if exam.proposal:
        write_bytes(out / "cut.json", pretty(exam.proposal))
    write_jsonl(out / "problems.jsonl", problems)
    write_jsonl(out / "issues.jsonl", issues)
    write_jsonl(out / "outside.jsonl", exam.outside)
    return problems, issues
