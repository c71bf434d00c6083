"""Our formulas beside those of Mathpix's own renderer, npm mathpix-markdown-it, where Node is."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from ...errors import UserError
from ...latex import MATHPIX, Delimiters, maths_spans

SCRIPT = Path(__file__).with_name("mathpix_spans.cjs")


class Comparison(msgspec.Struct, omit_defaults=True):
    """Formulas of one text that only we, or only Mathpix's renderer, find; blanks do not count."""

    same: int
    ours: list[str] = []
    mathpix: list[str] = []


def compare_with_mathpix(
    texts: Iterable[str], delimiters: Delimiters = MATHPIX, packages: str | Path = "."
) -> list[Comparison]:
    """One comparison for each text; a formula's place in its text does not count, displayed does.

    `packages` is the folder whose `node_modules` has mathpix-markdown-it. Raises UserError when
    Node, or that package, is not there.

    Example: `compare_with_mathpix([r"Let \\(x\\) cost $5"])[0].ours`
    """
    texts = list(texts)
    pairs = zip(texts, _rendered(texts, Path(packages)), strict=True)
    return [_compared(text, theirs, delimiters) for text, theirs in pairs]


def _compared(text: str, theirs: Any, delimiters: Delimiters) -> Comparison:
    spans = maths_spans(text, delimiters)
    formulas = [span for span in spans if not span.tex.startswith("<math")]
    ours = Counter(_without_blanks(span.tex, span.display) for span in formulas)
    mathpix = Counter(_without_blanks(span["tex"], span["display"]) for span in theirs)
    return Comparison(
        same=(ours & mathpix).total(),
        ours=list((ours - mathpix).elements()),
        mathpix=list((mathpix - ours).elements()),
    )


def _without_blanks(tex: str, display: bool) -> str:
    mark = "$$" if display else "$"
    return mark + "".join(tex.split()) + mark


def _rendered(texts: list[str], folder: Path) -> Iterator[Any]:
    """The formulas that the renderer finds in each text."""
    remedy = "install Node.js, and run `npm install mathpix-markdown-it@2.0.40` in this folder"
    node = shutil.which("node")
    if node is None:
        raise UserError(
            "Node.js, which Mathpix's renderer runs on, is not installed", remedy
        )
    lines = b"".join(
        msgspec.json.encode({"id": number, "mmd": text}) + b"\n"
        for number, text in enumerate(texts)
    )
    run = subprocess.run([node, SCRIPT], cwd=folder, input=lines, capture_output=True)
    message = run.stderr.decode("utf-8", "replace").strip()
    if run.returncode == 3:
        raise UserError(f"Mathpix's renderer is not installed: {message}", remedy)
    if run.returncode:
        what = f"Mathpix's renderer stopped: {message[-300:]}"
        raise UserError(what, "leave out the last text")
    for line in run.stdout.splitlines():
        yield msgspec.json.decode(line)["spans"]
