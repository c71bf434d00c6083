"""Pages in a real browser: what is hostile stays text, filters and addresses lead to samples."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchwright.evaluate.metrics import Rate
from benchwright.pages import (
    Card,
    Headline,
    Mark,
    ReportTable,
    Run,
    Section,
    dot_plot,
    formula,
    reply,
    rich,
    stacked_bars,
    write_page,
)
from browser import chromium
from PIL import Image as Pillow
from reading import reading, serious, shown, unfolded, until
from shares import THOROUGH

RATE = Rate(n=100, correct=50, value=0.5, low=0.4, high=0.6, se=0.05, clusters=100)
EVIL = (
    '</script><script>document.title="owned"</script><img src=x onerror="alert(1)">'
    '<svg onload="alert(2)"><a xlink:href="javascript:alert(3)">x</a></svg> \u202egnp.exe'
    " $\\href{javascript:alert(4)}{x}$ $\\htmlId{cards}{x}$ ${{7*7}}$"
)
WRITTEN = EVIL.replace("\u202e", "⟦U+202E⟧")  # as pages show it, also in addresses


def cards() -> Iterator[Card]:
    for k in range(60):
        version = ("text_lite", "vision_only")[k % 2]
        subject = ("algebra", "logic")[k % 3 == 0]
        yield Card(
            id=f"a-{k // 2}.{version}",
            problem=f"a-{k // 2}",
            version=version,
            facets={
                "verdict": ["right" if k % 5 == 0 else "wrong"],
                "subject": [subject],
                "sample": ["clash"] if k == 3 else ["none"],
            },
            question=rich(f"Number {k}: is $x^{{{k}}}$ or\n$$\\frac{{1}}{{{k + 1}}}$$?",
                          [Mark(0, 6, "DI"), Mark(8, 9, "EC")]),
            pictures=["one.png"],
            options=[("A", formula("\\sqrt{2}"), ""), ("B", "no", "")],
            gold=["A"],
            runs=[Run(right=k % 5 == 0, rows=[("read", "A")],
                      reply=reply(f"word{k} thus (A).", "A"))],
            more=[("Solution", [("", rich("because $1$"))])],
        )  # fmt: skip
    yield Card(
        id=EVIL, problem=EVIL, facets={"verdict": ["wrong"], "subject": [EVIL], "sample": ["none"]},
        question=rich(EVIL), options=[(EVIL, rich(EVIL), "")], rows=[(EVIL, rich(EVIL))],
        pictures=['x" onerror="alert(5)'], warnings=[EVIL],
        runs=[Run(name=EVIL, right=False, rows=[(EVIL, EVIL)], reply=rich(EVIL), said=[EVIL])],
        more=[(EVIL, [(EVIL, rich(EVIL))])],
    )  # fmt: skip
    yield Card(id="long", problem="long", facets={"verdict": ["wrong"], "subject": ["logic"]},
               runs=[Run(right=False, reply=rich("so $x$ " * 150_000 + "needle"))])  # fmt: skip


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("a page #1?")
    Pillow.new("RGB", (900, 300), "navy").save(folder / "one.png")
    rates = [("algebra", RATE), (EVIL, RATE), ("c", RATE)]
    table = ReportTable(["name", "n"], [["b", 10], ["a", 9], [EVIL, 100]], "Groups")
    plots = [
        dot_plot("Dots", rates),
        stacked_bars("Bars", ["a", "b"], [("r", [0.4, 0.6])]),
    ]
    write_page(
        folder / "report.html", EVIL, [Section(EVIL, [EVIL], [table], plots)],
        headlines=[Headline("accuracy", "17.4 %", EVIL, 0.1, 0.17, 0.2)], about=EVIL,
        cards=cards(),
    )  # fmt: skip
    return folder / "report.html"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


def ids(page: Any) -> list[str]:
    return [
        str(one)
        for one in page.eval_on_selector_all("article", "a => a.map(x => x.dataset.id)")
    ]


def test_formulas_are_drawn_and_nothing_hostile_runs(page: Path, browser: Any) -> None:
    with reading(page, "#subject=" + "logic", browser=browser) as reader:
        assert shown(reader).startswith("21 of 62 samples, 4 right")
        assert reader.locator("article .katex").count() > 20
        assert "$" not in reader.inner_text("article:first-of-type .question")
        assert reader.text_content("article mark.DI") == "Number"
        assert reader.surprises == []
    with reading(page, browser=browser) as reader:
        reader.evaluate(
            "id => location.assign('#' + new URLSearchParams({sample: id}))", WRITTEN
        )
        reader.wait_for_selector("article")
        until(reader, "document.querySelectorAll('article').length === 1")
        unfolded(reader)
        assert reader.locator("article img").count() == 1
        assert (
            reader.locator(
                "article svg, article script, article a[href^=javascript]"
            ).count()
            == 0
        )
        assert "⟦U+202E⟧gnp.exe" in reader.inner_text("article .question")
        assert reader.locator("#cards").count() == 1
        assert "owned" not in reader.title() or reader.title() == WRITTEN
        assert not [s for s in reader.surprises if re.fullmatch(r"\d", s)]


def test_filters_and_samples_have_addresses(page: Path, browser: Any) -> None:
    with reading(page, "#verdict=right&subject=algebra", browser=browser) as reader:
        assert shown(reader) == "8 of 62 samples, 8 right"
        reader.select_option("select[name=verdict]", "wrong")
        until(
            reader,
            "document.getElementById('shown').textContent.startsWith('32 of 62')",
        )
        assert "verdict=wrong" in reader.url
        reader.go_back()
        until(reader, "document.getElementById('shown').textContent.startsWith('8 of')")
        reader.click("article h3 a")
        until(reader, "document.querySelectorAll('article').length === 1")
        assert "sample=" in reader.url
        reader.reload()
        reader.wait_for_selector("body[data-ready]")
        assert len(ids(reader)) == 1
    with reading(page, "#label-sample=clash", browser=browser) as reader:
        assert ids(reader) == ["a-1.vision_only"]


def test_search_reads_whole_replies_and_evidence_is_marked(
    page: Path, browser: Any
) -> None:
    with reading(page, browser=browser) as reader:
        reader.fill("#words", "NEEDLE")
        until(reader, "document.querySelectorAll('article').length === 1")
        assert ids(reader) == ["long"]
        reader.fill("#words", "word17 thus")
        until(reader, "document.querySelector('article').dataset.id.startsWith('a-8')")
        reader.press("#words", "Escape")
        reader.keyboard.press("o")
        assert reader.text_content("article .reply mark") == "A"
        reader.keyboard.press("v")
        reader.wait_for_selector(".together")
        assert ids(reader) == ["a-8.text_lite", "a-8.vision_only"]


def test_pictures_zoom_and_close(page: Path, browser: Any) -> None:
    with reading(page, browser=browser) as reader:
        small = reader.locator("article .pictures img").first.bounding_box()
        reader.locator("article .pictures button").first.click()
        large = reader.locator("dialog img").bounding_box()
        assert large["width"] > 2 * small["width"]
        reader.keyboard.press("Escape")
        assert not reader.locator("dialog").is_visible()


def test_tables_sort_and_the_phone_scrolls_nothing_sideways(
    page: Path, browser: Any
) -> None:
    with reading(page, width=390, browser=browser) as reader:
        column = "t => [...t.tBodies[0].rows].map(r => r.cells[1].textContent)"
        reader.locator("th button").nth(1).click()
        assert reader.eval_on_selector("table", column) == ["100", "10", "9"]
        reader.locator("th button").nth(1).click()
        assert reader.eval_on_selector("table", column) == ["9", "10", "100"]
        assert reader.evaluate("document.documentElement.scrollWidth") <= 390
        assert reader.surprises == []


def test_scrolling_brings_every_sample(page: Path, browser: Any) -> None:
    with reading(page, browser=browser) as reader:
        until(
            reader,
            "scrollTo(0, 1e9), document.querySelectorAll('article').length >= 62",
        )
        assert len(ids(reader)) == len(set(ids(reader))) == 62


def test_a_page_without_its_folder_says_so(
    page: Path, browser: Any, tmp_path: Path
) -> None:
    alone = tmp_path / "report.html"
    alone.write_bytes(page.read_bytes())
    with reading(alone, browser=browser) as reader:
        assert "which is not beside this page" in shown(reader)


@pytest.mark.parametrize("damage", ["gone", "cut", "cut index"])
def test_a_folder_that_is_half_written_is_said(
    page: Path, browser: Any, tmp_path: Path, damage: str
) -> None:
    half = tmp_path / "report.html"
    shutil.copytree(page.with_name("report.data"), tmp_path / "report.data")
    half.write_bytes(page.read_bytes())
    name = "index.js" if damage == "cut index" else "samples-00000.js"
    file = tmp_path / "report.data" / name
    if damage == "gone":
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[:200])
    with reading(half, browser=browser) as reader:
        until(
            reader, "/half written/.test(document.getElementById('shown').textContent)"
        )
        reader.keyboard.press("j")
        assert reader.locator("article").count() == 0
        assert "Cannot read" not in str(reader.surprises)


def test_a_long_reply_shows_where_its_answer_stands(page: Path, browser: Any) -> None:
    with reading(page, "#sample=long", browser=browser) as reader:
        excerpt = reader.inner_text("article .excerpt")
        assert excerpt.startswith("…")
        assert 0 < len(excerpt) < 400


@pytest.mark.parametrize(
    ("scheme", "width"),
    [("light", 1280), ("dark", 390)] + [("dark", 1280), ("light", 390)] * THOROUGH,
)
def test_axe_finds_nothing_serious(
    page: Path, browser: Any, scheme: str, width: int
) -> None:
    with reading(page, width=width, browser=browser) as reader:
        reader.emulate_media(color_scheme=scheme)
        for details in reader.query_selector_all("article details"):
            details.evaluate("d => { d.open = true; }")
        assert serious(reader) == []
