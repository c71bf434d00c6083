"""A headless Chromium that labels as a person does."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@contextmanager
def labelling(url: str, email: str, password: str) -> Iterator[Any]:
    """A page that is logged in. `page.surprises` lists dialogs and requests to other hosts."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("needs Chromium, which is not installed")
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1500, "height": 1100})
        page.set_default_timeout(120_000)
        page.surprises = []
        page.on("dialog", lambda dialog: (page.surprises.append(dialog.message), dialog.dismiss()))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((url, "data:", "blob:"))
                else page.surprises.append(request.url)
            ),
        )
        page.goto(f"{url}/user/login/")
        page.fill("input[name=email]", email)
        page.fill("input[name=password]", password)
        page.click("button[type=submit]")
        page.wait_for_url(lambda address: "/user/login" not in address, wait_until="commit")
        yield page
        browser.close()


def open_task(page: Any, url: str, project: int) -> None:
    """The label stream of a project, with its instructions closed."""
    page.goto(f"{url}/projects/{project}/data?labeling=1")
    page.wait_for_selector(".mmd", state="attached")
    page.get_by_text("Labeling Instructions").wait_for()
    page.keyboard.press("Escape")
    page.get_by_text("Labeling Instructions").wait_for(state="hidden")
