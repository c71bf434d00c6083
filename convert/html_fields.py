"""Records of school sites: HTML in the fields of a problem becomes text, pictures, formulas.

Nothing is fetched: a picture is looked for below a folder by its address, or stands in the page as
a `data:` address.
"""

from __future__ import annotations

import base64
import binascii
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml.html import defs
from msgspec.structs import replace

from ..base.pictures import numbered
from ..errors import UserError, cause
from ..pipeline import Context
from ..problem import Drop, Image, Option, Problem, Step
from .conservation import losses
from .html_content import held_in_html
from .mathml import Refusal, html_to_text, only_formula
from .readers import Pictures, guess_kind

MAX_PICTURES = 50  # in one problem: each may unfold to many megabytes
_NAMES = "|".join(sorted(defs.tags | {"math"}, key=len, reverse=True))
# "<" that opens nothing: `a<b and b>c` in text that nobody escaped
_LONE = re.compile(
    rf"<(?![!?]|/?[A-Za-z][\w.:-]*(?:\s+[\w:-]+\s*=|\s*/?>)|(?:{_NAMES})\s+\w+\s*/?>)", re.I
)
_ONE_PICTURE = re.compile(r"\s*<image(\d+)>\s*")
_DATA = re.compile(r"data:image/[\w.+-]+;base64,", re.I)


def from_html(problem: Problem, images: Path | None, context: Context) -> Problem | Drop:
    """The problem with text for the HTML of its fields; a refused formula or page drops it.

    Side tables: `remote` lists the addresses that are not below `images`, `pictures` those in a
    solution or an answer, which have no place in a release.
    """
    page = _Fields(problem, images, context)
    try:
        question = page.text("question", problem.question)
        options = [page.option(option) for option in problem.options]
        answer = page.aside("answer", problem.answer)
        parts = [replace(p, answer=page.aside(f"part {p.label}", p.answer)) for p in problem.parts]
        solution = problem.solution and page.aside("solution", problem.solution)
        steps = [page.step(number, step) for number, step in enumerate(problem.steps, 1)]
    except UserError as error:
        return Drop(id=problem.id, reason=f"html: {error.message}")
    if page.refusals:
        return Drop(id=problem.id, reason=f"html: {'; '.join(page.refusals)}")
    kind = problem.answer_kind
    if answer != problem.answer and kind not in ("choice", "choices", "parts"):
        kind = guess_kind(answer, options)  # it was guessed from the tags
    return replace(
        problem,
        question=question,
        options=options,
        answer=answer,
        answer_kind=kind,
        parts=parts,
        solution=solution,
        images=page.images,
        steps=steps,
        notes=[*problem.notes, *page.notes],
    )


class _Fields:
    """The fields of one problem, whose pictures are numbered together."""

    def __init__(self, problem: Problem, folder: Path | None, context: Context) -> None:
        self.id, self.images, self.notes = problem.id, list(problem.images), list[str]()
        self.folder, self.context = folder, context
        self.refusals: list[str] = []
        self.met = 0  # pictures

    def text(self, field: str, html: str) -> str:
        """A field that a model sees: its pictures are `<imageN>`."""
        return self._converted(field, html, lambda address, _: self._placed(field, address))

    def option(self, option: Option) -> Option:
        """One that is a picture and nothing else holds it, others name it in their text."""
        field, before = f"option {option.label}", list(self.images)
        text = self.text(field, option.text)
        alone = _ONE_PICTURE.fullmatch(text)
        if alone is None or option.image is not None:
            return replace(option, text=text)
        image = self.images[int(alone[1]) - 1]
        self.images = before
        return replace(option, text="", image=replace(image, role="option"))

    def aside(self, field: str, html: str) -> str:
        """An answer or a solution: its pictures are named and listed; one formula is bare."""

        def listed(address: str, alternative: str) -> str:
            self._record("pictures", field, address)
            return f"[picture: {alternative or _file_name(address)}]"

        text = self._converted(field, html, listed)
        return text.strip("$") if field != "solution" and only_formula(html) else text

    def step(self, number: int, step: Step) -> Step:
        """A step's texts; its pictures are its own, numbered from 1."""
        outer, self.images = self.images, list(step.images)
        condition = self.text(f"step {number}: condition", step.condition)
        question = self.text(f"step {number}", step.question)
        options = [self.option(option) for option in step.options]
        made = replace(
            step,
            condition=condition,
            question=question,
            options=options,
            answer=self.aside(f"step {number}: answer", step.answer),
            images=self.images,
        )
        self.images = outer
        return made

    def _converted(self, field: str, html: str, picture: Any) -> str:
        if "<" not in html and "&" not in html:
            return html
        try:
            text, refusals = html_to_text(_LONE.sub("&lt;", html), picture, cell=" | ")
        except Refusal as refusal:
            raise UserError(f"{field}: {refusal.message}", refusal.remedy) from refusal
        self.refusals += [f"{field}: {refusal}" for refusal in refusals]
        self.notes += losses(held_in_html(field, html), [text])
        return text

    def _placed(self, field: str, address: str) -> str:
        self.met += 1
        if self.met > MAX_PICTURES:
            raise UserError(f"{field}: more than {MAX_PICTURES} pictures", "part the problem")
        image = self._embedded(address) if address.startswith("data:") else self._file(address)
        if image is None:
            if not address.startswith("data:"):
                self._record("remote", field, address)
            return f"[picture: {_file_name(address)}]"
        return numbered(self.images, image)

    def _embedded(self, address: str) -> Image | None:
        start = _DATA.match(address)
        try:
            if start is None:
                raise UserError("no picture in base64", "replace it")
            data = base64.b64decode(
                re.sub(r"\s", "", unquote(address[start.end() :])), validate=True
            )
        except (UserError, binascii.Error) as error:
            self.notes.append(f"broken-picture: {_file_name(address)}: {cause(error)}"[:300])
            return None
        pictures = Pictures(Path(), self.context.work)
        images = pictures.get([{"bytes": data, "path": "a data: address"}])
        self.notes += pictures.notes
        return images[0] if images else None

    def _file(self, address: str) -> Image | None:
        """The picture below the folder: by the path of its address, or by its file name."""
        if self.folder is not None:
            pictures = Pictures(self.folder, self.context.work)
            for name in _candidates(address):
                try:
                    images = pictures.get([name])
                except (
                    UserError,
                    OSError,
                    ValueError,
                ) as error:  # it leaves the folder, or no name
                    self.notes.append(f"broken-picture: {address[:200]}: {cause(error)}")
                    return None
                told = [n for n in pictures.notes if not n.startswith("missing")]
                if images or told:
                    self.notes += told
                    return images[0] if images else None
        self.notes.append(f"missing-picture: {address[:200]}")
        return None

    def _record(self, table: str, field: str, address: str) -> None:
        self.context.record(table, {"id": self.id, "field": field, "address": address[:500]})


def _candidates(address: str) -> list[str]:
    """File names that an address may have below the folder.

    >>> _candidates("https://img.example.org/a/1%202.png?w=3")
    ['a/1 2.png', '1 2.png']
    """
    parts = urlsplit(address)
    path = unquote(parts.path)
    if parts.scheme or parts.netloc:
        path = path.lstrip("/")
    return list(dict.fromkeys([path, path.rsplit("/", 1)[-1]])) if path else []


def _file_name(address: str) -> str:
    if address.startswith("data:"):
        return "data"
    return address.split("?", 1)[0].rsplit("/", 1)[-1][:100]
