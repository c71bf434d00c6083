"""A headless Chromium, and a person who labels in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser, or a skip with what is missing."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed"
    )
    if CHROMIUM is None:
        pytest.skip("needs Chromium, which is not installed")
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def new_page(
    browser: Any, home: str, width: int = 1280, height: int = 900, **look: Any
) -> Any:
    """A patient page. `page.surprises` lists dialogs, and requests that leave `home`."""
    page = browser.new_page(viewport={"width": width, "height": height}, **look)
    page.set_default_timeout(120_000)
    page.surprises = []
    page.on(
        "dialog",
        lambda dialog: (page.surprises.append(dialog.message), dialog.dismiss()),
    )
    page.on(
        "request",
        lambda request: (
            None
            if request.url.startswith((home, "data:", "blob:"))
            else page.surprises.append(request.url)
        ),
    )
    return page


@contextmanager
def labelling(url: str, email: str, password: str, **look: Any) -> Iterator[Any]:
    """A page of Label Studio that is logged in."""
    with chromium() as browser:
        page = new_page(browser, url, 1500, 1100, **look)
        page.goto(f"{url}/user/login/")
        page.fill("input[name=email]", email)
        page.fill("input[name=password]", password)
        page.click("button[type=submit]")
        page.wait_for_url(
            lambda address: "/user/login" not in address, wait_until="commit"
        )
        yield page


def open_task(page: Any, url: str, project: int) -> None:
    """The label stream of a project, with its instructions closed."""
    page.goto(f"{url}/projects/{project}/data?labeling=1")
    page.wait_for_selector(".mmd", state="attached")
    page.get_by_text("Labeling Instructions").wait_for()
    page.keyboard.press("Escape")
    page.get_by_text("Labeling Instructions").wait_for(state="hidden")
