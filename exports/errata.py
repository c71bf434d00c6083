"""errata.yaml: corrections to published problems, as reviewed inputs of the build.

```yaml
- {id: math-v-2947, field: answer, old: "69{degrees}", new: "69", reason: unit in the gold}
- {id: math-v-2948, field: question, passage: teh area, new: the area, reason: typo}
- {id: math-v-2949, field: options.E, new: "12", reason: the fifth option was cut off}
- {id: math-v-2950, field: images.1, old: "sha256:3f2a9c01", new: fixed/2950.png, reason: redrawn}
- {id: math-v-2951, field: images.1, new: page-3.png, crop: [80, 410, 300, 220], reason: cut off}
```

A field of a problem, or one thing in it: `options.B`, `options.B.image`, `images.1`, `labels.age`.
What stands there is told by `old` (the value itself, or `sha256:` and at least 8 digits of its
hash), or by a `passage` of the text that stands in it once and that `new` takes the place of.
`new: null` takes an option, a label or a picture out, with the marks that name the picture.
`crop` takes a picture anew from its page: left, top, width and height in pixels (MATH-V, G.1).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from ..base.answer_kinds import own_kind
from ..base.files import inside, read_bytes, sha256_file
from ..base.pictures import encode_png, open_picture, store_picture
from ..base.yaml_lines import read_located
from ..errors import UserError, nearest
from ..pipeline import Context, stage
from ..problem import Image, Option, Part, Problem, Source
from .withhold import problem_without_answers

FIELDS = (
    "question",
    "answer",
    "options",
    "solution",
    "unit",
    "tolerance",
    "answer_kind",
    "parts",
    "labels",
)
_INNER = re.compile(
    r"(options)\.([^.]+?)(\.image)?|(images)\.([1-9]\d*)|(labels)\.(.+)"
)
_HASH = re.compile(r"sha256:([0-9a-f]{8,64})")
_FULL = Problem(
    id="",
    origin="",
    source=Source(name="", raw_id=""),
    question="?",
    options=[],
    answer="1",
    unit="m",
    parts=[Part(label="1", answer="1")],
    solution="1",
)
SECRET = {  # fields of a problem that leave it when its answer is withheld
    name
    for name in Problem.__struct_fields__
    if getattr(problem_without_answers(_FULL), name) != getattr(_FULL, name)
}
SHOWN = 300  # characters of a value in an error


class Erratum(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One correction; `old` or `passage` must be what stands there: a stale one is noticed."""

    id: str
    field: str
    new: Any
    reason: str
    old: Any = msgspec.UNSET
    passage: str = ""
    crop: tuple[int, int, int, int] | None = None
    by: str = ""
    at: str = ""  # ISO 8601

    def picture(self) -> str | None:
        """The file of a new picture, relative to the errata."""
        named = self.field.startswith("images.") or self.field.endswith(".image")
        return str(self.new) if named and self.new is not None else None

    def of_answer(self) -> bool:
        """Does it correct what a withheld problem does not show, or an option?"""
        name = self.field.partition(".")[0]
        return name == "options" or name in SECRET

    def tells_answer(self, problem: Problem) -> bool:
        """Could the reason give a withheld answer away?

        It could where the answer itself is corrected, where an option is (a reason may tell which
        one is right), and where it names the answer.
        """
        if self.of_answer():
            return True
        golds = [problem.answer, *(part.answer for part in problem.parts)]
        golds += [
            option.text for option in problem.options if option.label in problem.answer
        ]
        return any(gold.strip() and _names(self.reason, gold.strip()) for gold in golds)


def _names(text: str, gold: str) -> bool:
    """Does a text name the gold, by itself and not as a part of a word or a number?"""
    plain = gold.strip("$")
    return re.search(rf"(?<![\w.]){re.escape(plain)}(?!\w|\.\d)", text) is not None


def read_errata(path: Path) -> list[Erratum]:
    """Raises UserError naming file and entry for anything unexpected."""
    file = read_located(path)
    try:
        entries = msgspec.convert(file.data or [], list[Erratum])
    except msgspec.ValidationError as error:
        index = re.search(r"\$\[(\d+)\]", str(error))
        at = file.at(int(index[1])) if index else path
        raise UserError(
            f"{at}: {str(error).replace('`', '')}",
            "give a list of {id, field, old, new, reason}",
        ) from error
    for k, entry in enumerate(entries):
        at = f"{file.at(k)}: {entry.id}"
        if entry.field not in FIELDS and not _INNER.fullmatch(entry.field):
            known = [*FIELDS, "options.B", "options.B.image", "images.1", "labels.NAME"]
            raise UserError(f"{at}: field {entry.field!r}", nearest(entry.field, known))
        if entry.crop and entry.picture() is None:
            raise UserError(
                f"{at}: crop belongs to a picture", "give field: images.1, new: FILE"
            )
        if entry.passage and not (
            isinstance(entry.new, str) and entry.old is msgspec.UNSET
        ):
            raise UserError(
                f"{at}: a passage is replaced by a text", "give new: '...', and no old"
            )
    return entries


def new_pictures(path: Path) -> dict[str, Any]:
    """The option of the stage that pins the pictures which errata bring: file -> hash.

    Nothing where they bring none. Raises UserError for a file that is not there.
    """
    if (
        not path.is_file() or b"image" not in path.read_bytes()
    ):  # the stage says what is wrong
        return {}
    names = dict.fromkeys(
        name for e in read_errata(path) if (name := e.picture()) is not None
    )
    for name in names:
        if not inside(path.parent, name).is_file():
            raise UserError(
                f"{path}: there is no picture {name!r}", f"put it below {path.parent}"
            )
    return (
        {"pictures": {n: sha256_file(path.parent / n) for n in names}} if names else {}
    )


@stage("errata", whole_set=True)
def errata(
    problems: list[Problem],
    *,
    path: Path,
    context: Context,
    pictures: dict[str, str] = {},  # noqa: B006 (never changed)
) -> list[Problem]:
    """The problems with the corrections of an errata file applied.

    `pictures` are the hashes of the files that it names; the recipe's key `errata` fills it.
    Raises UserError for an unknown id and for what is not what stands there (stale).
    """
    by_id = {problem.id: problem for problem in problems}
    for entry in read_errata(path):
        problem = by_id.get(entry.id)
        if problem is None:
            raise UserError(
                f"{path}: unknown id {entry.id!r}",
                "was the problem dropped, or misspelt?",
            )
        new = entry.new
        if (name := entry.picture()) is not None:
            if name not in pictures:
                raise UserError(
                    f"{path}: {entry.id} brings the picture {name}",
                    "name the file under errata: of the recipe, which notices when it changes",
                )
            data = read_bytes(inside(path.parent, name))
            if entry.crop is not None:
                data = _cropped(data, entry.crop, f"{path}: {entry.id} {entry.field}")
            new = store_picture(data, context.work, name=name)
        by_id[entry.id] = _corrected(problem, entry, new, path)
    return [by_id[problem.id] for problem in problems]


def _cropped(data: bytes, crop: tuple[int, int, int, int], at: str) -> bytes:
    """The part of a page that an erratum names. Raises UserError where it leaves the page."""
    page, (left, top, width, height) = open_picture(data, at)[0], crop
    box = (left, top, left + width, top + height)
    if (
        min(left, top) < 0
        or min(width, height) < 1
        or box[2] > page.width
        or box[3] > page.height
    ):
        raise UserError(
            f"{at}: crop {list(crop)} leaves the page of {page.width} x {page.height} "
            "pixels",
            "give left, top, width, height",
        )
    return encode_png(page.crop(box))


def _corrected(problem: Problem, entry: Erratum, new: Any, path: Path) -> Problem:
    """The problem with one correction. Raises UserError for a stale one."""
    field, at = entry.field, f"{path}: {entry.id} {entry.field}"
    now = _standing(problem, field)
    if entry.passage:
        count = now.count(entry.passage) if isinstance(now, str) else 0
        if count != 1:
            times = f"{count} times" if count else "nowhere"
            raise UserError(
                f"{at}: {entry.passage!r} stands {times} in {_short(now)}",
                "give a longer passage"
                if count
                else "the erratum is stale: check it again",
            )
        return _with(problem, field, now.replace(entry.passage, new))
    if entry.old is not msgspec.UNSET and not _is(problem, field, now, entry.old):
        noted = [note for note in problem.notes if _missing(note) == entry.old]
        if not (noted and isinstance(new, Image)):
            raise UserError(
                f"{at} is {_short(now)}, not {entry.old!r}",
                "the erratum is stale: check the problem again",
            )
        problem = replace(
            problem, notes=[note for note in problem.notes if note not in noted]
        )
    try:
        return _with(problem, field, new)
    except ValueError as error:  # msgspec's errors are such
        raise UserError(f"{at}: {error}", "correct the erratum") from error


def _missing(note: str) -> str | None:
    """The picture that a note of reading says is missing or broken."""
    kind, _, rest = note.partition(": ")
    return (
        rest.partition(": ")[0]
        if kind in ("missing-picture", "broken-picture")
        else None
    )


def _is(problem: Problem, field: str, now: Any, old: Any) -> bool:
    """Is `old` what stands there: the value, the start of its hash, or a picture's path?"""
    if isinstance(old, str) and (wanted := _HASH.fullmatch(old)):
        own = (
            now.sha256
            if isinstance(now, Image)
            else hashlib.sha256(str(now).encode()).hexdigest()
        )
        return now is not None and own.startswith(wanted[1])
    if isinstance(now, Image):
        return bool(now.path == old)
    return (
        _with(problem, field, old) == problem if field in FIELDS else bool(now == old)
    )


def _short(now: Any) -> str:
    text = repr(now.path if isinstance(now, Image) else msgspec.to_builtins(now))
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _standing(problem: Problem, field: str) -> Any:
    """What stands in a field, or None."""
    inner = _INNER.fullmatch(field)
    if inner is None:
        return getattr(problem, field)
    if inner[1]:
        option = next((o for o in problem.options if o.label == inner[2]), None)
        return option and (option.image if inner[3] else option.text)
    if inner[4]:
        return dict(enumerate(problem.images, 1)).get(int(inner[5]))
    return problem.labels.get(inner[7])


def _with(problem: Problem, field: str, value: Any) -> Problem:
    """The problem with a field as an erratum writes it: parts of a record may be left out.

    Raises ValueError for a value that the field cannot have.
    """
    if field == "answer_kind":
        own_kind(value)  # is known
    inner = _INNER.fullmatch(field)
    if inner is None:
        return msgspec.convert(msgspec.to_builtins(problem) | {field: value}, Problem)
    if inner[1]:
        changed = {"image": value} if inner[3] else {"text": value}
        gone = value is None and not inner[3]
        return replace(
            problem, options=_options(problem.options, inner[2], changed, gone=gone)
        )
    if inner[4] and value is None:
        return _without_image(problem, int(inner[5]))
    if inner[4]:
        return replace(problem, images=_images(problem.images, int(inner[5]), value))
    labels = {k: v for k, v in problem.labels.items() if k != inner[7]}
    return replace(
        problem, labels=labels if value is None else labels | {inner[7]: value}
    )


def _options(
    options: Sequence[Option], label: str, changed: dict[str, Any], *, gone: bool
) -> list[Option]:
    """The options with one changed, added behind the others, or taken out."""
    if not isinstance(changed.get("text", ""), str) and not gone:
        raise ValueError(
            f"an option is {changed['text']!r}: write a text, or null to take it out"
        )
    if label not in [option.label for option in options]:
        if gone:
            raise ValueError(f"there is no option {label!r} to take out")
        return [*options, Option(**{"label": label, "text": ""} | changed)]
    found = [replace(o, **changed) if o.label == label else o for o in options]
    return [option for option in found if not (gone and option.label == label)]


_MARK = re.compile(r"(?<![ \t])[ \t]*<image(\d+)>")


def _without_image(problem: Problem, number: int) -> Problem:
    """The problem without one of its pictures and its mark; the others are numbered anew."""
    if number > len(problem.images):
        raise ValueError(f"there are {len(problem.images)} pictures")

    def renumbered(mark: re.Match[str]) -> str:
        k = int(mark[1])
        return (
            ""
            if k == number
            else mark[0].replace(f"<image{k}>", f"<image{k - (k > number)}>")
        )

    options = [replace(o, text=_MARK.sub(renumbered, o.text)) for o in problem.options]
    images = [image for k, image in enumerate(problem.images, 1) if k != number]
    question = _MARK.sub(renumbered, problem.question)
    return replace(problem, question=question, options=options, images=images)


def _images(images: Sequence[Image], number: int, image: Image) -> list[Image]:
    """The pictures with one replaced, or added behind the others."""
    if number > len(images) + 1:
        raise ValueError(
            f"there are {len(images)} pictures: give a file for one, or for the next"
        )
    role = images[number - 1].role if number <= len(images) else image.role
    return [*images[: number - 1], replace(image, role=role), *images[number:]]
