"""Pages set by KaTeX in Chromium; skipped where one of them is not installed."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from benchwright.errors import UserError
from benchwright.problem import Option
from benchwright.render.legibility.check import legibility
from benchwright.render.page.chromium import BROWSERS, chromium_page, katex_folder
from PIL import Image
from shared import ROOT

KATEX = ROOT / "tests/oracles/node_modules/katex/dist"
needs_browser = pytest.mark.skipif(
    not any(map(shutil.which, BROWSERS)) or not KATEX.is_dir(),
    reason="Chromium or KaTeX (make test installs it) is not here",
)


@needs_browser
def test_a_page_with_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHWRIGHT_KATEX", str(KATEX))
    text = r"Find the area <b>now</b>, $\frac{1}{2}$ of $\foo x$ and שלום."
    diagram = Image.new("RGB", (200, 100), "red")
    sheet = chromium_page(text, [Option(label="A", text=r"$\overrightarrow{AB}$")], [diagram])
    assert [(i.code, i.where) for i in sheet.issues] == [("raw-latex", r"\foo x")]
    pixels = np.asarray(sheet.picture)
    assert pixels.shape[1] == 1200
    assert ((pixels == (255, 0, 0)).all(axis=2)).sum() == 200 * 100  # the diagram, as it is
    assert legibility(sheet.picture, "Find the area").recall == 1.0


def test_without_katex_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BENCHWRIGHT_KATEX", str(tmp_path))
    with pytest.raises(UserError, match="KaTeX was not found"):
        katex_folder()
