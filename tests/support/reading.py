"""A page opened from disk in a headless Chromium, as a reader does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, FLAGS
from oracles import FOLDER


@contextmanager
def reading(path: Path, address: str = "", width: int = 1280) -> Iterator[Any]:
    """The page when its samples stand. `page.surprises` lists errors, dialogs and requests."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("needs Chromium, which is not installed")
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.set_default_timeout(120_000)
        page.surprises = []
        page.on("dialog", lambda dialog: (page.surprises.append(dialog.message), dialog.dismiss()))
        page.on("pageerror", lambda error: page.surprises.append(str(error)))
        page.on("console", lambda said: page.surprises.append(said.text))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((path.parent.as_uri(), "data:"))
                else page.surprises.append(request.url)
            ),
        )
        page.goto(path.as_uri() + address)
        page.wait_for_selector("body[data-ready]" if page.query_selector("#cards") else "main")
        yield page
        browser.close()


def until(page: Any, condition: str) -> None:
    """Wait until a JavaScript condition holds; the page's own rules forbid Playwright's way."""
    for _ in range(250):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"never came true: {condition}")


def shown(page: Any) -> str:
    """What the line above the samples says once it has settled."""
    until(page, "!/searched|Loading/.test(document.getElementById('shown').textContent)")
    return str(page.text_content("#shown"))


def serious(page: Any, without: str = "#nothing") -> list[Any]:
    """What axe-core finds serious or critical: rule, element, and how to mend it."""
    axe = FOLDER / "node_modules/axe-core/axe.min.js"
    if not axe.exists():
        pytest.skip("axe-core is not installed: run `npm install` in tests/oracles")
    page.evaluate(axe.read_text("utf-8"))
    return [
        (v["id"], v["nodes"][0]["html"][:200], v["nodes"][0]["failureSummary"])
        for v in page.evaluate("out => axe.run({ exclude: [out] })", without)["violations"]
        if v["impact"] in ("serious", "critical")
    ]
