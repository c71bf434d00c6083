"""The legibility of all pages of a release, and of picture files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from pathlib import Path

from msgspec.structs import replace

from ...base.pictures import load_picture, open_picture
from ...base.terminal import progress, table
from ...problem import Sample, option_texts, shown_images
from ...release import all_samples
from ..page import printed_options
from .check import MIN_EM, Legibility, legibility


def check_legibility(
    paths: Iterable[str | Path], ocr: bool = False
) -> dict[str, Legibility]:
    """The measures of every page of releases (or `versions` folders) and picture files, by name.

    Args:
        paths: Releases, `versions` folders or pictures.
        ocr: Also compare a vision-only page with the words it should show, by tesseract (slow).

    Raises UserError for what is no picture, and for a folder without samples.

    Example: `check_legibility(["six"])["math-v-4"].em`
    """
    pages = [page for path in map(Path, paths) for page in _pages(path, ocr)]
    return {
        name: measure()
        for name, measure in progress(pages, "measure", len(pages), "pictures")
    }


def _pages(path: Path, ocr: bool) -> Iterator[tuple[str, Callable[[], Legibility]]]:
    if not path.is_dir():
        yield path.name, partial(_of_file, path, ocr)
        return
    for problem, samples in groupby(all_samples(path), lambda s: s.problem_id):
        by_version = {sample.version: sample for sample in samples}
        if "vision_only" in by_version:
            yield problem, partial(_of_page, path, by_version, ocr)


def _of_file(path: Path, ocr: bool) -> Legibility:
    return legibility(open_picture(path.read_bytes(), str(path))[0], ocr=ocr)


def _of_page(root: Path, samples: dict[str, Sample], ocr: bool) -> Legibility:
    sheet = samples["vision_only"].images[0]
    dominant = samples.get("vision_dominant")
    text = "" if dominant is None else dominant.question
    if dominant:
        texts = option_texts(dominant.options, len(dominant.images))
        options = [
            replace(o, text=t) for o, t in zip(dominant.options, texts, strict=True)
        ]
        pictures = len(shown_images(dominant))
        printed = printed_options(options, pictures)
        text += "".join(f"\n{option.label}. {option.text}" for option in printed)
    return legibility(load_picture(root, sheet), text, ocr=ocr)


def report(rows: dict[str, Legibility]) -> str:
    """Findings by code, the size distribution, and the pictures to look at."""
    measured = [row.effective for row in rows.values() if row.effective]
    shares = []
    for size in measured[0] if measured else ():
        ems = [effective[size] for effective in measured]
        shares.append([f"{size} px", min(ems), str(sum(em >= MIN_EM for em in ems))])
    codes = Counter(issue.code for row in rows.values() for issue in row.issues)
    parts = [
        f"{len(rows)} pictures",
        table(shares, ["long side", "smallest em", "em >= 12"]),
    ]
    parts.append(table(sorted(codes.items()), ["finding", "pictures"]))
    worst = []
    for name, row in rows.items():
        recall = "" if row.recall is None else f"{row.recall:.2f}"
        worst += [[name, recall, i.code, i.message[:70]] for i in row.issues]
    if worst:
        parts.append(table(worst, ["picture", "recall", "finding", ""]))
    return "\n\n".join(parts)
