"""`render vary`: a seed's variants on one page, to look at while the seed is written."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import msgspec

from ..base.display import Display, Table
from ..base.pictures import store_drawn
from ..errors import UserError
from ..pages import Card, card_of, write_page
from ..problem import Source, sample_of
from ..render.versions import texts_of
from .agreement import is_proved
from .exact import latex
from .notes import notes_of
from .reading import Seed, read_seed
from .variants import Variant, published_of, variants_of


class Varied(Display, msgspec.Struct):
    """Variants of a seed, and the page that shows them; `proved` where two answers agree."""

    seed: str
    proved: bool
    variants: list[dict[str, str]]
    page: Path | None = None
    notes: list[str] = []  # for people to look at: nothing proves it

    def headline(self) -> str:
        proof = "one answer only: a person is to be asked"
        if self.proved:
            proof = "two answers agree"
        notes = "".join(f"\n  look: {note}" for note in self.notes)
        return f"{self.seed}: {len(self.variants)} variants, {proof}{notes}"

    def table(self) -> Table:
        return ["variant", "answer"], [[v["id"], v["answer"]] for v in self.variants]


def vary(
    path: str | Path, out: str | Path | None = None, *, n: int = 12, seed: int = 0
) -> Varied:
    """Show variants of a seed; what is wrong with it is said with its line.

    Args:
        path: The seed, a YAML file.
        out: Folder for FILE.html, a page with the variants, and its pictures.
        n: How many variants.
        seed: Which ones: another number draws others.

    Raises UserError for a seed that cannot be read or whose answers disagree.

    Example: `vary("examples/living/seeds/math-v-half-circle.yaml", "look").headline()`
    """
    source = read_seed(path)
    variants = [published_of(source), *variants_of(source, n, seed)]
    rows = [{"id": v.id, "answer": v.answer} for v in variants]
    notes = notes_of(source, variants[0])
    page = None if out is None else Path(out) / f"{source.id}.html"
    if page is not None:
        _write(page, source.id, [(source, variants)], notes)
    return Varied(source.id, is_proved(source), rows, page, notes)


def is_folder_of_seeds(folder: Path) -> bool:
    """Whether YAML files of the folder vary something."""
    texts = (
        path.read_text("utf-8", "replace") for path in sorted(folder.glob("*.yaml"))
    )
    return any(re.search(r"(?m)^vary:", text) for text in texts)


def write_grid(page: Path, folder: Path, n: int = 3) -> None:
    """A page with variants of every seed of a folder; what is refused is said with its line."""
    seeds: list[tuple[Seed, list[Variant]]] = []
    refusals: list[str] = []
    for path in sorted(folder.glob("*.yaml")):
        try:
            seed = read_seed(path)
            seeds.append((seed, [published_of(seed), *variants_of(seed, n, 0)]))
        except UserError as error:
            refusals.append(str(error))
    _write(page, f"Seeds in {folder.name}", seeds, refusals)


def _write(
    page: Path, title: str, seeds: list[tuple[Seed, list[Variant]]], notes: list[str]
) -> None:
    """The page, and its pictures in the folder of its data."""
    page.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=page.parent, prefix=".pictures-") as pictures:
        cards = [
            _card(seed, variant, Path(pictures))
            for seed, variants in seeds
            for variant in variants
        ]
        root = f"{quote(page.stem)}.data/"
        summary = f"{len(cards)} variants; a facet for each name picks some."
        about = " ".join([summary, *notes])
        write_page(page, title, about=about, cards=cards, noun="variants", root=root)
        data = page.with_name(f"{page.stem}.data")
        shutil.copytree(pictures, data, dirs_exist_ok=True)


def _card(seed: Seed, variant: Variant, folder: Path) -> Card:
    problem = variant.problem(seed, Source(name="seed", raw_id=seed.id), "new")
    if variant.drawing is not None:
        picture = variant.drawing
        problem.images = [store_drawn(picture.png(), picture.picture.size, folder)]
    facets = {
        name: [value if isinstance(value, str) else latex(value, seed.decimals)]
        for name, value in variant.values.items()
        if name in seed.data["vary"]
    }
    card = card_of(sample_of(problem), {"seed": [seed.id]} | facets)
    if variant.spans:
        cut = texts_of(variant.question, variant.spans)
        card.rows += [(name, cut[name]) for name in ("text_lite", "vision_dominant")]
    return card
