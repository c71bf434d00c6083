"""One problem -> its six samples: texts from spans, pictures from the spec or the originals.

version           text of            picture
text_dominant     all                base (what DI and IP draw)
text_lite         IP, EC             base
text_only         all                none
vision_intensive  EC                 base
vision_dominant   IP                 annotated (with the EC labels)
vision_only       none               page: the vision-dominant text above the annotated picture
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import yaml
from msgspec.structs import replace

from ...base.pictures import load_picture, store_drawn
from ...errors import UserError
from ...problem import (
    VERSIONS,
    Image,
    Option,
    Problem,
    Published,
    Sample,
    option_texts,
    sample_of,
    with_choices,
)
from ..diagram import compose
from ..figure import SECTIONS, read_spec
from ..issues import Issue
from ..page import EM, FATAL, WIDTH, Page, set_page
from .lint import lint, lint_conditions, lint_cut
from .role_text import check_spans, texts_of
from .words_shown import BASE_TAGS, held_to_figure

if TYPE_CHECKING:
    from ..diagram import Drawing

PLACEHOLDER = re.compile(r"(?<![ \t])[ \t]*<image(\d+)>")
_SPEC = re.compile(rf"(?m)^(?:{'|'.join(SECTIONS)})\s*:")
DERIVED = {  # what each text is cut from; Text Only keeps it whole
    "text_lite": "text_dominant",
    "text_only": "text_dominant",
    "vision_intensive": "text_lite",
    "vision_dominant": "text_lite",
    "vision_only": "vision_dominant",
}


class VersionPictures(msgspec.Struct):
    """The stored pictures of a problem, and what is known of the annotated one."""

    base: list[Image]
    annotated: list[Image]
    drawing: Any = None  # the first annotated one in Pillow, where it was drawn here
    annotation: str | None = None
    texts: list[str] | None = None  # in the annotated picture; None: unknown
    composition: Any = None  # what was drawn here, where it is one figure


def six_samples(
    problem: Problem,
    work: Path,
    *,
    texts: Mapping[str, str] | None = None,
    width: int = WIDTH,
    em: int = EM,
    engine: str = "hybrid",
    font: str | None = None,
    hand: bool = False,
) -> tuple[list[Sample], list[Issue]]:
    """The six samples in the order of `problem.VERSIONS`, and what a person should look at.

    `texts` are texts by version that a person wrote; pictures are stored below `work`. With `hand`
    what is drawn has its labels written by hand.
    Raises UserError when spans are bad, or a diagram or the page cannot be drawn.
    """
    issues: list[Issue] = []
    written = dict(texts or {})
    if "text_dominant" in written:
        # Text Only is the same without the picture (equation 3).
        written.setdefault("text_only", written["text_dominant"])
    questions = texts_of(problem.question, problem.spans) | written
    issues += _contradictions(questions, written)
    pictures = _pictures(problem, work, issues, hand)
    issues += _text_issues(problem, questions, written, pictures.texts)
    if pictures.composition is not None:
        issues += held_to_figure(problem, questions, pictures.composition)
    sheet = _page(
        problem, questions["vision_only"], pictures, work, width, em, engine, font
    )
    issues += [
        Issue(i.code, i.message, f"vision_only: {i.where}"[:200]) for i in sheet.issues
    ]
    if sheet.picture is None:
        fatal = next(issue for issue in sheet.issues if issue.code in FATAL)
        raise UserError(f"no page ({fatal.code}): {fatal.message}", FATAL[fatal.code])
    page_image = store_drawn(sheet.png(), sheet.picture.size, work, "page")
    samples = [
        _sample(problem, version, questions, pictures, page_image)
        for version in VERSIONS
    ]
    return samples, issues


def _contradictions(
    questions: Mapping[str, str], written: Mapping[str, str]
) -> Iterator[Issue]:
    """Texts of people that say what the version they are derived from does not (equations 2-6)."""
    for version, parent in DERIVED.items():
        if version not in written and parent not in written:
            continue
        words = _words(questions[version])
        parent_words = _words(questions[parent])
        more = words - parent_words
        if not more and version == "text_only":  # which says all that its parent says
            more = parent_words - words
        if more:
            message = f"not derived from {parent}: {', '.join(more)}"
            yield Issue("versions-contradict", message[:200], version)


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.casefold()))


def _sample(
    problem: Problem,
    version: str,
    questions: Mapping[str, str],
    pictures: VersionPictures,
    sheet: Image,
) -> Sample:
    question = questions[version]
    images = {
        "text_only": pictures.base if _in_options(problem) else [],
        "vision_dominant": pictures.annotated,
        "vision_only": [sheet],
    }.get(version, pictures.base)
    if version == "vision_only":
        question = ""
    elif version == "text_only" and not images:
        question = PLACEHOLDER.sub("", question).strip()
    diagram = problem.diagram
    if spec_of(problem) == diagram:  # a spec is no description
        diagram = pictures.annotation
    sample = sample_of(
        problem,
        version,
        question=question,
        images=images,
        diagram=diagram or pictures.annotation,
    )
    if version == "vision_only":  # the page shows them
        sample.options = [_named(option) for option in problem.options]
        for_judges = with_choices(
            questions["text_dominant"], problem.options, len(problem.images)
        )
        sample.published = {"question_for_eval": Published(said=for_judges)}
    return sample


def _named(option: Option) -> Option:
    """An option by its letter alone where it is a picture."""
    if option.image is None:
        return option
    return replace(option, text=option.label, image=None)


def _in_options(problem: Problem) -> bool:
    return any(PLACEHOLDER.search(option.text) for option in problem.options)


def with_option_pictures(
    problem: Problem, pictures: list[Any], root: Path
) -> tuple[list[Option], list[Any]]:
    """Options and pictures as a page takes them: an option's picture is one more, `<imageN>`."""
    texts = option_texts(problem.options, len(pictures))
    options = [replace(o, text=t) for o, t in zip(problem.options, texts, strict=True)]
    images = [option.image for option in problem.options]
    loaded = [load_picture(root, image) for image in images if image is not None]
    return options, [*pictures, *loaded]


def _text_issues(
    problem: Problem,
    questions: Mapping[str, str],
    written: Mapping[str, str],
    diagram_texts: list[str] | None,
) -> list[Issue]:
    """What cutting broke: findings that the full text does not have already."""
    of_question = lint(problem.question)
    issues = []
    for version in ("text_lite", "vision_intensive", "vision_dominant"):
        for issue in lint(questions[version]):
            if issue not in of_question:
                issues.append(Issue(issue.code, issue.message, version))
        if version not in written:
            for issue in lint_cut(problem.question, problem.spans, version):
                issues.append(Issue(issue.code, issue.message, version))
    if not problem.spans:
        message = "without spans all versions have the same text"
        issues.append(Issue("no-spans", message))
    has_pictures = any(option.image is not None for option in problem.options)
    if has_pictures or _in_options(problem):
        issues.append(Issue("options-in-pictures", "options are pictures", "text_only"))
    spans = check_spans(problem.question, problem.spans)
    return issues + lint_conditions(problem.question, spans, diagram_texts)


def _pictures(
    problem: Problem, work: Path, issues: list[Issue], hand: bool
) -> VersionPictures:
    if spec_of(problem):
        return _drawn(problem, work, issues, hand)
    base, annotated = original_pictures(problem)
    texts = [problem.diagram] if problem.diagram else None
    if not problem.images:
        issues.append(Issue("no-picture", "a vision version without a picture"))
    return VersionPictures(base, annotated, texts=texts)


def spec_of(problem: Problem) -> str:
    """What is drawn: the problem's placement, or a spec that a dump gave as its diagram; or ""."""
    if problem.placement:
        return problem.placement
    return problem.diagram if problem.diagram and _SPEC.search(problem.diagram) else ""


def original_pictures(problem: Problem) -> tuple[list[Image], list[Image]]:
    """The original pictures, and the same with the annotated one in the place of the first."""
    annotated = [image for image in problem.images if image.role == "annotated"]
    base = [image for image in problem.images if image.role != "annotated"]
    return base, [*annotated, *base[1:]] if annotated else base


def spec_with_conditions(problem: Problem) -> str | None:
    """The spec of the annotated picture, where what is erased elsewhere stays in it; None where
    it is the same spec.

    A label that prints the erased text, or stands in its box, tells it again.
    """
    text = spec_of(problem)
    if not re.search(r"(?m)^erase\s*:", text):
        return None
    spec = read_spec(text)
    labels = [entry for entry in spec.get("labels") or [] if isinstance(entry, dict)]
    erased = spec.get("erase") or []
    again = [entry for entry in erased if any(_tells(label, entry) for label in labels)]
    if len(again) == len(erased):
        return None
    return yaml.safe_dump(spec | {"erase": again}, sort_keys=False, allow_unicode=True)


def _printed(spec: str, whole: str) -> list[str]:
    """What stays printed in the annotated picture, as far as it is known."""
    kept = read_spec(whole).get("erase") or []
    return [
        str(entry.get("word") or entry.get("text") or "")
        for entry in read_spec(spec).get("erase") or []
        if entry not in kept
    ]


def _tells(label: dict[str, Any], entry: dict[str, Any]) -> bool:
    """Whether a label stands for what was erased."""
    printed = str(entry.get("word") or entry.get("text") or "")
    if printed:
        numbers = re.findall(r"\d+(?:\.\d+)?", str(label.get("text", "")))
        wanted = re.findall(r"\d+(?:\.\d+)?", printed)
        return (bool(wanted) and wanted == numbers) or printed == label.get("text")
    place = label.get("near") or label.get("at")
    if not isinstance(place, list) or len(place) != 2:
        return True  # it cannot be told: the label is taken for it
    left, top, right, bottom = (float(edge) for edge in entry["box"])
    x, y = map(float, place)
    wide, high = right - left, bottom - top
    return left - wide <= x <= right + wide and top - high <= y <= bottom + high


def drawings_of(
    problem: Problem,
    root: Path,
    tag_sets: Iterable[set[str] | None] = (None,),
    hand: bool = False,
) -> list[Drawing]:
    """The spec drawn for each set of tags; an original picture may be its background.

    Raises UserError.
    """
    from ..diagram import draw_each

    spec = spec_of(problem)
    background = None
    if re.search(r"(?m)^background\s*:", spec) and problem.images:
        background = load_picture(root, problem.images[0])
    pictures = {}
    if re.search(r"\bpicture\s*:", spec):
        for image in problem.images:
            pictures[Path(image.path).name] = load_picture(root, image)
    options: dict[str, Any] = {"background": background, "pictures": pictures}
    return draw_each(spec, tag_sets, hand=hand, **options)


def _drawn(
    problem: Problem, work: Path, issues: list[Issue], hand: bool
) -> VersionPictures:
    """Base and annotated diagram from the spec.

    What the spec erases is a condition: it goes where the text tells it, and stays in the annotated
    picture unless a label tells it there again.
    """
    images: list[Image] = []
    whole = spec_with_conditions(problem)
    if whole is None:
        drawings = drawings_of(problem, work, (BASE_TAGS, None), hand)
    else:
        drawings = drawings_of(problem, work, (BASE_TAGS,), hand)
        drawings += drawings_of(replace(problem, placement=whole), work, hand=hand)
    for drawing in drawings:
        issues += [i for i in drawing.issues if i not in issues]
        images.append(store_drawn(drawing.png(), drawing.picture.size, work))
    rest = [image for image in problem.images[1:] if image.role != "annotated"]
    texts = [
        placed.label.text for placed in drawing.labels if placed.label.kind != "tick"
    ]
    if whole is not None:
        texts += _printed(spec_of(problem), whole)
    base, annotated = images
    return VersionPictures(
        [base, *rest],
        [annotated, *rest],
        drawing.picture,
        drawing.annotation or None,
        texts,
        drawing.composition or compose(read_spec(spec_of(problem))),
    )


def _page(
    problem: Problem,
    text: str,
    pictures: VersionPictures,
    work: Path,
    width: int,
    em: int,
    engine: str,
    font: str | None,
) -> Page:
    images = [] if pictures.drawing is None else [pictures.drawing]
    stored = pictures.annotated[len(images) :]
    images += [load_picture(work, image) for image in stored]
    options, images = with_option_pictures(problem, images, work)
    if engine == "chromium":
        from ..page import chromium_page

        return chromium_page(text, options, images, width=width, em=em)
    return set_page(text, options, images, width=width, em=em, cjk_font=font)
