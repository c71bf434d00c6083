"""Records of school sites: HTML in the fields of a problem becomes text, pictures, formulas.

Nothing is fetched: a picture is looked for below a folder by its address, or stands in the page as
a `data:` address.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from ..errors import UserError
from ..pipeline import Context
from ..problem import Drop, Image, Option, Problem, Step
from .conservation import losses
from .html import Shown, as_a_reader_sees, unmarked
from .html_content import held_in_html, plainly_kept
from .mathml import only_formula
from .readers import Page, Pictures, guess_kind, named


def from_html(
    problem: Problem, images: Path | None, context: Context
) -> Problem | Drop:
    """The problem with text for the HTML of its fields; a refused formula or page drops it.

    Side tables: `remote` lists the addresses that are not below `images`, `pictures` those in a
    solution or an answer, which have no place in a release.
    """
    page = _Fields(problem, images, context)
    try:
        question = page.text("question", problem.question)
        options = [page.option(option) for option in problem.options]
        answer = page.aside("answer", problem.answer)
        parts = [
            replace(p, answer=page.aside(f"part {p.label}", p.answer))
            for p in problem.parts
        ]
        solution = problem.solution and page.aside("solution", problem.solution)
        steps = [
            page.step(number, step) for number, step in enumerate(problem.steps, 1)
        ]
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
        self.id, self.context = problem.id, context
        self.folder = folder
        self.notes: list[str] = []
        self.refusals: list[str] = []
        self.field = ""
        pictures = Pictures(folder or context.work / "no-pictures", context.work)
        self.page = Page({}, pictures, list(problem.images), self._remote)
        self.notes = pictures.notes

    @property
    def images(self) -> list[Image]:
        return self.page.images

    def text(self, field: str, html: str) -> str:
        """A field that a model sees: its pictures are `<imageN>`."""
        return self._converted(field, html, self.page.placed)

    def option(self, option: Option) -> Option:
        """One that is a picture and nothing else holds it, others name it in their text."""
        before = list(self.page.images)
        text = self.text(f"option {option.label}", option.text)
        if option.image is not None:
            return replace(option, text=text)
        text, image = self.page.alone(text, before)
        return replace(option, text=text, image=image)

    def aside(self, field: str, html: str) -> str:
        """An answer or a solution: its pictures are named and listed; one formula is bare."""

        def listed(shown: Shown) -> str:
            self._record("pictures", next(iter(shown.addresses), f"<{shown.element}>"))
            return named(shown)

        text = self._converted(field, html, listed)
        return text.strip("$") if field != "solution" and only_formula(html) else text

    def step(self, number: int, step: Step) -> Step:
        """A step's texts; its pictures are its own, numbered from 1."""
        outer, self.page.images = self.page.images, list(step.images)
        condition = self.text(f"step {number}: condition", step.condition)
        question = self.text(f"step {number}", step.question)
        options = [self.option(option) for option in step.options]
        made = replace(
            step,
            condition=condition,
            question=question,
            options=options,
            answer=self.aside(f"step {number}: answer", step.answer),
            images=self.page.images,
        )
        self.page.images = outer
        return made

    def _converted(self, field: str, html: str, picture: Callable[[Shown], str]) -> str:
        if "<" not in html and "&" not in html:
            return html
        self.field = field
        try:
            source = unmarked(as_a_reader_sees(html))
            page = self.page.read(source, picture)
        except UserError as error:
            raise UserError(f"{field}: {error.message}", error.remedy) from error
        self.refusals += [f"{field}: {refusal}" for refusal in page.refusals]
        for text in page.outside:
            self.context.record(
                "hidden", {"field": f"{self.id}: {field}", "text": text[:2000]}
            )
        for name, count in page.elements.items():
            row = {"element": name, "count": count, "field": f"{self.id}: {field}"}
            self.context.record("elements", row)
        if not plainly_kept(source, page.text):
            kept = [page.text, *page.twins, *page.outside]
            self.notes += losses(held_in_html(field, source), kept, page.read)
        return page.text

    def _remote(self, address: str) -> None:
        self._record("remote", address)

    def _record(self, table: str, address: str) -> None:
        row = {"id": self.id, "field": self.field, "address": address[:500]}
        self.context.record(table, row)
