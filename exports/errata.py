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
from ..base.pictures import encode_png, lost_picture, open_picture, store_picture
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
# A thing in a field: options.B, options.B.image, images.1, labels.age; a label of an option has
# no ".image" behind it, a label's name may hold dots.
_INNER = re.compile(
    r"""
    options \. (?P<option> [^.]+? ) (?P<of_option> \.image )?
    | images \. (?P<picture> [1-9]\d* )
    | labels \. (?P<label> .+ )
    """,
    re.VERBOSE,
)
# The start of a hash, long enough that it is no other value's by chance.
_HASH = re.compile(r"sha256:([0-9a-f]{8,64})")
# Which entry of a list msgspec's error is about.
_INDEX = re.compile(r"\$\[(\d+)\]")
# The mark of a picture in a text, with the blanks in front of it.
_MARK = re.compile(r"(?<![ \t])[ \t]*<image(\d+)>")
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
        golds = [gold.strip() for gold in golds]
        return any(_names(self.reason, gold) for gold in golds if gold)


def _names(text: str, gold: str) -> bool:
    """Does a text name the gold, by itself and not as a part of a word or a number?"""
    plain = gold.strip("$")
    return re.search(rf"(?<![\w.]){re.escape(plain)}(?!\w|\.\d)", text) is not None


def read_errata(path: Path) -> list[Erratum]:
    """Raises UserError naming file and entry for anything unexpected."""
    file = read_located(path)
    try:
        errata = msgspec.convert(file.data or [], list[Erratum])
    except msgspec.ValidationError as error:
        index = _INDEX.search(str(error))
        at = file.at(int(index[1])) if index else path
        raise UserError(
            f"{at}: {str(error).replace('`', '')}",
            "give a list of {id, field, old, new, reason}",
        ) from error
    for number, erratum in enumerate(errata):
        _check(erratum, f"{file.at(number)}: {erratum.id}")
    return errata


def _check(erratum: Erratum, at: str) -> None:
    """Raises UserError for keys that do not fit one another."""
    if erratum.field not in FIELDS and not _INNER.fullmatch(erratum.field):
        known = [*FIELDS, "options.B", "options.B.image", "images.1", "labels.NAME"]
        raise UserError(f"{at}: field {erratum.field!r}", nearest(erratum.field, known))
    if erratum.crop and erratum.picture() is None:
        raise UserError(
            f"{at}: crop belongs to a picture", "give field: images.1, new: FILE"
        )
    has_old = erratum.old is not msgspec.UNSET
    if erratum.passage and (has_old or not isinstance(erratum.new, str)):
        raise UserError(
            f"{at}: a passage is replaced by a text", "give new: '...', and no old"
        )


def new_pictures(path: Path) -> dict[str, Any]:
    """The option of the stage that pins the pictures which errata bring: file -> hash.

    Nothing where they bring none. Raises UserError for a file that is not there.
    """
    # The stage says what is wrong with a file that is not there.
    if not path.is_file() or b"image" not in path.read_bytes():
        return {}
    hashes: dict[str, str] = {}
    for erratum in read_errata(path):
        name = erratum.picture()
        if name is None or name in hashes:
            continue
        if not inside(path.parent, name).is_file():
            raise UserError(
                f"{path}: there is no picture {name!r}", f"put it below {path.parent}"
            )
        hashes[name] = sha256_file(path.parent / name)
    return {"pictures": hashes} if hashes else {}


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
    for erratum in read_errata(path):
        problem = by_id.get(erratum.id)
        if problem is None:
            raise UserError(
                f"{path}: unknown id {erratum.id!r}",
                "was the problem dropped, or misspelt?",
            )
        new = erratum.new
        name = erratum.picture()
        if name is not None:
            if name not in pictures:
                raise UserError(
                    f"{path}: {erratum.id} brings the picture {name}",
                    "name the file under errata: of the recipe, which notices when it changes",
                )
            new = _stored_picture(erratum, name, path, context.work)
        by_id[erratum.id] = _corrected(problem, erratum, new, path)
    return [by_id[problem.id] for problem in problems]


def _stored_picture(erratum: Erratum, name: str, path: Path, work: Path) -> Image:
    """The picture that an erratum brings, cropped where it says so, in the work folder."""
    data = read_bytes(inside(path.parent, name))
    if erratum.crop is not None:
        data = _cropped(data, erratum.crop, f"{path}: {erratum.id} {erratum.field}")
    return store_picture(data, work, name=name)


def _cropped(data: bytes, crop: tuple[int, int, int, int], at: str) -> bytes:
    """The part of a page that an erratum names. Raises UserError where it leaves the page."""
    page, _ = open_picture(data, at)
    left, top, width, height = crop
    right = left + width
    bottom = top + height
    fits = (
        min(left, top) >= 0
        and min(width, height) >= 1
        and right <= page.width
        and bottom <= page.height
    )
    if not fits:
        raise UserError(
            f"{at}: crop {list(crop)} leaves the page of {page.width} x {page.height} "
            "pixels",
            "give left, top, width, height",
        )
    return encode_png(page.crop((left, top, right, bottom)))


def _corrected(problem: Problem, erratum: Erratum, new: Any, path: Path) -> Problem:
    """The problem with one correction. Raises UserError for a stale one."""
    field = erratum.field
    at = f"{path}: {erratum.id} {field}"
    present = _value_in(problem, field)
    if erratum.passage:
        return _with(problem, field, _replaced(present, erratum.passage, new, at))
    if erratum.old is not msgspec.UNSET and not _is(
        problem, field, present, erratum.old
    ):
        lost = [note for note in problem.notes if lost_picture(note) == erratum.old]
        if not (lost and isinstance(new, Image)):
            raise UserError(
                f"{at} is {_short(present)}, not {erratum.old!r}",
                "the erratum is stale: check the problem again",
            )
        notes = [note for note in problem.notes if note not in lost]
        problem = replace(problem, notes=notes)
    try:
        return _with(problem, field, new)
    except ValueError as error:  # msgspec's errors are such
        raise UserError(f"{at}: {error}", "correct the erratum") from error


def _replaced(text: Any, passage: str, new: str, at: str) -> str:
    """The text with `new` for a passage that stands in it once; else raises UserError."""
    count = text.count(passage) if isinstance(text, str) else 0
    if count == 0:
        raise UserError(
            f"{at}: {passage!r} stands nowhere in {_short(text)}",
            "the erratum is stale: check it again",
        )
    if count > 1:
        raise UserError(
            f"{at}: {passage!r} stands {count} times in {_short(text)}",
            "give a longer passage",
        )
    return str(text.replace(passage, new))


def _is(problem: Problem, field: str, present: Any, old: Any) -> bool:
    """Is `old` what stands there: the value, the start of its hash, or a picture's path?"""
    if isinstance(old, str) and (prefix := _HASH.fullmatch(old)):
        if present is None:
            return False
        if isinstance(present, Image):
            return present.sha256.startswith(prefix[1])
        return hashlib.sha256(str(present).encode()).hexdigest().startswith(prefix[1])
    if isinstance(present, Image):
        return bool(present.path == old)
    if field in FIELDS:  # `old` may leave out parts of a record
        return _with(problem, field, old) == problem
    return bool(present == old)


def _short(value: Any) -> str:
    plain = value.path if isinstance(value, Image) else msgspec.to_builtins(value)
    text = repr(plain)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _value_in(problem: Problem, field: str) -> Any:
    """What stands in a field, or None."""
    inner = _INNER.fullmatch(field)
    if inner is None:
        return getattr(problem, field)
    if inner["label"]:
        return problem.labels.get(inner["label"])
    if inner["picture"]:
        return dict(enumerate(problem.images, 1)).get(int(inner["picture"]))
    for option in problem.options:
        if option.label == inner["option"]:
            return option.image if inner["of_option"] else option.text
    return None


def _with(problem: Problem, field: str, value: Any) -> Problem:
    """The problem with a field as an erratum writes it: parts of a record may be left out.

    Raises ValueError for a value that the field cannot have.
    """
    if field == "answer_kind":
        own_kind(value)  # is known
    inner = _INNER.fullmatch(field)
    if inner is None:
        return msgspec.convert(msgspec.to_builtins(problem) | {field: value}, Problem)
    if label := inner["label"]:
        # A label that is changed goes behind the others: releases have them in this order.
        labels = {name: old for name, old in problem.labels.items() if name != label}
        if value is not None:
            labels[label] = value
        return replace(problem, labels=labels)
    if inner["picture"]:
        number = int(inner["picture"])
        if value is None:
            return _without_image(problem, number)
        return replace(problem, images=_images(problem.images, number, value))
    if inner["of_option"]:
        options = _with_option(problem.options, inner["option"], {"image": value})
    elif value is None:
        options = _without_option(problem.options, inner["option"])
    elif isinstance(value, str):
        options = _with_option(problem.options, inner["option"], {"text": value})
    else:
        what = f"an option is {value!r}: write a text, or null to take it out"
        raise ValueError(what)
    return replace(problem, options=options)


def _with_option(
    options: Sequence[Option], label: str, changes: dict[str, Any]
) -> list[Option]:
    """The options with one changed, or added behind the others."""
    if label not in [option.label for option in options]:
        return [*options, Option(**{"label": label, "text": ""} | changes)]
    return [
        replace(option, **changes) if option.label == label else option
        for option in options
    ]


def _without_option(options: Sequence[Option], label: str) -> list[Option]:
    left = [option for option in options if option.label != label]
    if len(left) == len(options):
        raise ValueError(f"there is no option {label!r} to take out")
    return left


def _without_image(problem: Problem, number: int) -> Problem:
    """The problem without one of its pictures and its mark; the others are numbered anew."""
    if number > len(problem.images):
        raise ValueError(f"there are {len(problem.images)} pictures")

    def renumbered(mark: re.Match[str]) -> str:
        marked = int(mark[1])
        if marked == number:
            return ""
        new = marked - 1 if marked > number else marked
        return mark[0].replace(f"<image{marked}>", f"<image{new}>")

    options = [
        replace(option, text=_MARK.sub(renumbered, option.text))
        for option in problem.options
    ]
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
