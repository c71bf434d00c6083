"""HTML as a problem's text: formulas in dollars, its pictures stored.

Pictures lie beside the item (in its XML, in its archive), in the page itself (`data:`), or below
the source's `images` folder; nothing is fetched. What is seen and cannot be kept is a note.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from ...base.pictures import embedded, names_of, numbered
from ...errors import UserError, cause
from ...options import several_letters
from ...pipeline import SourceSpec
from ...problem import Drop, Image, Option, Problem
from ..documents import in_dollars
from ..html import Page as Read
from ..html import Shown, read_page
from .base import LETTERS, Pictures, problem_of
from .mapped import take_classes

MAX_PICTURES = 50  # in one item: each may unfold to many megabytes
_ONE_PICTURE = re.compile(r"\s*<image(\d+)>\s*")


class Page:
    """The texts of one item, whose pictures are numbered together.

    `told` gets every page as it was read; `missed` the field and address of pictures not kept.
    """

    def __init__(
        self,
        beside: dict[str, bytes],
        pictures: Pictures,
        images: list[Image] | None = None,
        missed: Callable[[str], None] | None = None,
    ) -> None:
        self.beside, self.pictures, self.missed = beside, pictures, missed
        self.images: list[Image] = images if images is not None else []
        self.met = 0

    def text(self, html: str) -> str:
        """Text with `<imageN>` for pictures. Raises UserError where a formula is refused."""
        page = self.read(html, self.placed)
        if page.refusals:
            raise UserError(page.refusals[0], "mend the formula in the source")
        return in_dollars(page.text)

    def option(self, html: str) -> tuple[str, Image | None]:
        """The text of an option, or its picture where it is nothing else."""
        before = list(self.images)
        return self.alone(self.text(html), before)

    def alone(self, text: str, before: list[Image]) -> tuple[str, Image | None]:
        """An option's text, or its picture; `before` are the pictures without this option."""
        alone = _ONE_PICTURE.fullmatch(text)
        if alone is None:
            return text, None
        image = self.images[int(alone[1]) - 1]
        self.images = before
        image.role = "option"
        return "", image

    def aside(self, html: str) -> str:
        """A solution or an answer, whose pictures have no place in a release: they are named."""
        return in_dollars(self.read(html, named).text)

    def read(self, html: str, picture: Callable[[Shown], str]) -> Read:
        """A page as it is read; what it does not show in its text is noted."""
        page = read_page(html, picture)
        self.pictures.notes += page.notes
        return page

    def placed(self, shown: Shown) -> str:
        """The mark of a picture, which is stored; one that cannot be had is named and noted."""
        self.met += 1
        if self.met > MAX_PICTURES:
            raise UserError(f"more than {MAX_PICTURES} pictures", "part the problem")
        image = self._stored(shown)
        return named(shown) if image is None else numbered(self.images, image)

    def at(self, address: str) -> str:
        """The mark of the picture at an address."""
        return self.placed(Shown("img", [address]))

    def _stored(self, shown: Shown) -> Image | None:
        """The first picture that can be had; what was wrong with the others is told if none can."""
        notes = self.pictures.notes
        wrong = len(self.pictures.notes)
        for address in shown.addresses:
            before = len(notes)
            try:
                images = self._at(address)
            except (UserError, OSError, ValueError) as error:
                notes.append(f"broken-picture: {_name(address)}: {cause(error)}"[:300])
                images = []
            if images:
                del notes[wrong:before]
                return images[0]
        if self.missed is not None and not any(
            a.startswith("data:") for a in shown.addresses
        ):
            self.missed(next(iter(shown.addresses), f"<{shown.element}>"))
        if not shown.addresses or shown.element in ("svg", "canvas"):
            notes.append(
                f"missing-picture: drawn by <{shown.element}> {shown.words}"[
                    :300
                ].strip()
            )
        return None

    def _at(self, address: str) -> list[Image]:
        if address[:5].lower() == "data:":
            data = embedded(address)[1]
            return self.pictures.get([{"bytes": data, "path": "a data: address"}])
        name = unquote(address).removeprefix("@@PLUGINFILE@@").lstrip("/")
        if name in self.beside:
            return self.pictures.get(
                [{"bytes": self.beside[name], "path": _name(address)}]
            )
        if not names_of(address):
            self.pictures.notes.append(f"missing-picture: {address[:200]}")
            return []
        return self.pictures.get([address])


def problem_of_item(
    spec: SourceSpec,
    raw_id: str,
    page: Page,
    question: str,
    choices: list[tuple[str, str]],
    right: list[str],
    *,
    solution: list[str],
    **fields: Any,
) -> Problem | Drop:
    """The problem of an item in HTML: choices by their names, of which some are right.

    Without choices the first of `right` is the answer, and the others are told. What classes of
    the source's roles hold is taken out of the question.
    """
    name = f"{spec.name}-{raw_id}"
    if len(choices) > len(LETTERS):
        return Drop(id=name, reason=f"{spec.reader}: {len(choices)} options")
    letters = {
        known: letter for (known, _), letter in zip(choices, LETTERS, strict=False)
    }
    if choices and (strange := [one for one in right if one not in letters]):
        return Drop(
            id=name, reason=f"{spec.reader}: the response {strange[0]!r} is no choice"
        )
    said: dict[str, Any] = {"question": question}
    by_classes = take_classes(said, spec, page.pictures)
    fields["labels"] = {**fields.get("labels", {}), **by_classes}
    solution = [*filter(None, [said.get("solution"), *solution])]
    text = page.text(said["question"])
    options = list[Option]()
    answer = right[0]
    for letter, (_, html) in zip(LETTERS, choices, strict=False):
        option_text, image = page.option(html)
        options.append(Option(label=letter, text=option_text, image=image))
    if choices:
        answer = "".join(sorted(letters[one] for one in right))
        answer = several_letters(answer, options) or answer
    elif right[1:]:
        page.pictures.notes.append(
            f"{spec.reader}: also right: {', '.join(right[1:])}"[:300]
        )
    fields["solution"] = "\n".join(map(page.aside, solution)) or None
    return problem_of(
        spec, raw_id, text, answer, options=options, images=page.images, **fields
    )


def named(shown: Shown) -> str:
    """What stands in the text for a picture that is not kept: its words, or its address."""
    address = next(iter(shown.addresses), "")
    return f"[picture: {shown.words[:200] or _name(address) or shown.element}]"


def _name(address: str) -> str:
    if address[:5].lower() == "data:":
        return "data"
    return address.split("?", 1)[0].rsplit("/", 1)[-1][:100]
