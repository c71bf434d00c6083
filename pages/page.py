"""Every page that people open is made here: figures first, then sections, then the samples."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..base.files import write_text
from ..base.templating import fill
from .blocks import Cell, Headline, Section, shown
from .cards import Card
from .histories import history_address
from .viewer import Page, pages_of, write_viewer

TEMPLATES = Path(__file__).parent / "templates"


def write_page(
    path: Path,
    title: str,
    sections: Sequence[Section] = (),
    *,
    headlines: Sequence[Headline] = (),
    about: str = "",
    cards: Iterable[Card] | None = None,
    pages: Iterable[Page] | None = None,
    root: str = "",
    release: Path | None = None,
    together: bool = False,
    noun: str = "samples",
    history: str = "",
    view: Mapping[str, Any] | None = None,
) -> None:
    """Write a page to `path` and, with `cards`, what its sample viewer needs to `<stem>.data`.

    `pages` are cards that workers have encoded. `about` is a sentence below the title; `root`,
    `release`, `together`, `noun` and what else `view` has are the viewer's; `history` leads to what
    `write_histories` wrote (default: that of `release`). The page needs no network and no server.
    Raises UserError when nothing can be written there.
    """
    data = path.with_name(f"{path.stem}.data")
    samples = None
    if cards is not None:
        pages = pages_of(cards)
    if pages is not None:
        if release is not None and not history:
            history = history_address(release, path)
        facts = {"together": together, "noun": noun, **(view or {})}
        samples = write_viewer(
            data, pages, facts, root=root, release=release, history=history
        )
    if (
        pages is not None and not samples
    ):  # what an earlier page left there is not this one's
        shutil.rmtree(data, ignore_errors=True)
    write_text(
        path,
        html_page(
            title, sections, headlines, about, data.name if samples else "", noun
        ),
    )


def html_page(
    title: str,
    sections: Sequence[Section] = (),
    headlines: Sequence[Headline] = (),
    about: str = "",
    data: str = "",
    noun: str = "samples",
) -> str:
    """The HTML of a page; `data` is the name of the viewer's folder beside it, "" without one."""
    return fill(
        TEMPLATES / "page.html",
        title=title,
        sections=sections,
        above=[section for section in sections if not section.below],
        below=[section for section in sections if section.below],
        headlines=headlines,
        about=about,
        data=data,
        things=noun.capitalize(),
        shown=shown,
        href=lambda address: address if address.startswith("#") else quote(address),
        linked=lambda cell: cell if isinstance(cell, Cell) else None,
        part=lambda name: (TEMPLATES / name).read_text("utf-8"),
    )
