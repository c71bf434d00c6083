"""HTML of an exchange format as a problem's text: formulas in dollars, its pictures stored.

Pictures lie beside the item (in its XML, in its archive) or below the source's `images` folder;
nothing is fetched.
"""

from __future__ import annotations

import base64
import binascii
import re
from urllib.parse import unquote

from ...base.pictures import numbered
from ...errors import UserError, cause
from ...problem import Image
from ..documents import in_dollars
from ..mathml import html_to_text
from .base import Pictures

MAX_PICTURES = 50  # in one item: each may unfold to many megabytes
_DATA = re.compile(r"data:image/[\w.+-]+;base64,", re.I)
_ONE_PICTURE = re.compile(r"\s*<image(\d+)>\s*")


class Page:
    """The texts of one item, whose pictures are numbered together."""

    def __init__(self, beside: dict[str, bytes], pictures: Pictures) -> None:
        self.beside, self.pictures = beside, pictures
        self.images: list[Image] = []

    def text(self, html: str) -> str:
        """Text with `<imageN>` for pictures. Raises UserError where a formula is refused."""
        text, refusals = html_to_text(html, self.placed, cell=" | ")
        if refusals:
            raise UserError(refusals[0], "mend the formula in the source")
        return in_dollars(text)

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
        text, _ = html_to_text(html, lambda address, alt: f"[picture: {alt or _name(address)}]")
        return in_dollars(text)

    def placed(self, address: str, alternative: str) -> str:
        """The mark of a picture, which is stored; a picture that is missing is named."""
        if len(self.images) >= MAX_PICTURES:
            raise UserError(f"more than {MAX_PICTURES} pictures", "part the item")
        image = self._stored(address)
        if image is None:
            return f"[picture: {alternative or _name(address)}]"
        return numbered(self.images, image)

    def _stored(self, address: str) -> Image | None:
        name = unquote(address).removeprefix("@@PLUGINFILE@@").lstrip("/")
        try:
            if start := _DATA.match(address):
                data = base64.b64decode(re.sub(r"\s", "", unquote(address[start.end() :])))
            elif "://" in address or address.startswith("data:"):
                self.pictures.notes.append(f"missing-picture: {address[:200]}")
                return None
            elif name not in self.beside:
                return next(iter(self.pictures.get([name])), None)
            else:
                data = self.beside[name]
            picture = {"bytes": data, "path": _name(address)}
            return next(iter(self.pictures.get([picture])), None)
        except (UserError, binascii.Error) as error:
            self.pictures.notes.append(f"broken-picture: {_name(address)}: {cause(error)}"[:300])
            return None


def _name(address: str) -> str:
    if address.startswith("data:"):
        return "data"
    return address.split("?", 1)[0].rsplit("/", 1)[-1][:100]
