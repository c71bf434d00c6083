"""A page opened from disk in a headless Chromium, as a reader does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from browser import chromium, new_page
from oracles import npm_file

# Opens the folds that are closed, waits until the page has answered each, and counts them.
UNFOLD = """async () => {
  const closed = [...document.querySelectorAll("details:not([open])")];
  await Promise.all(closed.map((fold) => new Promise((done) => {
    fold.addEventListener("toggle", done, { once: true });
    fold.open = true;
  })));
  return closed.length;
}"""


@contextmanager
def reading(
    path: Path, address: str = "", width: int = 1280, browser: Any = None
) -> Iterator[Any]:
    """The page when its samples stand; its errors and messages are surprises too."""
    with nullcontext(browser) if browser else chromium() as opened:
        page = new_page(opened, path.parent.as_uri(), width)
        listen(page)
        page.goto(path.as_uri() + address)
        page.wait_for_selector(
            "body[data-ready]" if page.query_selector("#cards") else "main"
        )
        yield page
        page.close()


def listen(page: Any) -> None:
    """Errors and messages of the page's own scripts are surprises."""
    page.on("pageerror", lambda error: page.surprises.append(str(error)))
    page.on(
        "console", lambda said: page.surprises.append(f"{said.text} {said.location}")
    )


def unfolded(page: Any) -> None:
    """Open every fold, and what then appears with folds of its own, until all stand open."""
    while page.evaluate(UNFOLD):
        pass


def until(page: Any, condition: str) -> None:
    """Wait until a JavaScript condition holds; the page's own rules forbid Playwright's way."""
    for _ in range(6000):  # two minutes: a backstop
        if page.evaluate(condition):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"never came true: {condition}")


def shown(page: Any) -> str:
    """What the line above the samples says once it has settled."""
    until(
        page, "!/searched|Loading/.test(document.getElementById('shown').textContent)"
    )
    return str(page.text_content("#shown"))


def serious(page: Any, without: str = "#nothing") -> list[Any]:
    """What axe-core finds serious or critical: rule, element, and how to mend it."""
    page.evaluate(npm_file("axe-core/axe.min.js").read_text("utf-8"))
    return [
        (v["id"], v["nodes"][0]["html"][:200], v["nodes"][0]["failureSummary"])
        for v in page.evaluate("out => axe.run({ exclude: [out] })", without)[
            "violations"
        ]
        if v["impact"] in ("serious", "critical")
    ]
