"""Every figure of every page that leads to samples opens exactly as many as it says.

What a figure says is read from the page as a reader sees it: the link's own number, the `n` of its
row, or the number beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchwright.base.files import write_jsonl
from benchwright.evaluate.runs import compare, explain, leaderboard, rank_errors
from benchwright.evaluate.scoring import score
from browser import chromium, new_page
from reading import listen, until
from small_releases import make_sample, write_release

# Each link with its address, the number that it says, and what it counts.
LINKS = """() => {
  const number = (text) => {
    const found = /^\\d[\\d,]*$/.exec((text ?? "").trim());
    return found ? Number(found[0].replaceAll(",", "")) : null;
  };
  const said = (pattern, text) => number(pattern.exec(text.trim())?.[1]);
  const title = document.querySelector("#samples h2").textContent;
  const links = [...document.querySelectorAll("main a[href^='#']")];
  return links.filter((a) => !a.closest("#samples")).map((a) => {
    const of = { address: a.getAttribute("href"), text: a.textContent.trim(), unit: "replies",
                 says: number(a.textContent) };
    const row = a.closest("tr"), plot = a.closest(".row"), headline = a.closest(".headline");
    if (row) {
      const heads = [...row.closest("table").tHead.rows[0].cells];
      const headers = heads.map((cell) => cell.textContent.trim());
      const own = headers[a.closest("td").cellIndex];
      const beside = (name) => number(row.cells[headers.indexOf(name)].textContent);
      if (of.says !== null) of.unit = /samples|problems/.test(own) ? "samples" : "replies";
      else if (own === "sample") Object.assign(of, { says: 1, unit: "samples" });
      else if (headers.includes("n")) of.says = beside("n");
      else if (own === "cause") of.says = beside("only A right") + beside("only B right");
    } else if (plot) of.says = said(/\\bn ([\\d,]+)/, plot.textContent);
    else if (headline) of.says ??= said(/([\\d,]+) of [\\d,]+$/, headline.textContent);
    else of.says ??= said(/([\\d,]+)$/, of.text);
    if (headline && title === "Cases") of.unit = "samples";
    return of;
  });
}"""


def opened(page: Any, address: str) -> dict[str, int]:
    """How many replies and samples an address shows."""
    page.evaluate(
        "to => { document.getElementById('shown').textContent = ''; "
        "history.replaceState(null, '', to); dispatchEvent(new PopStateEvent('popstate')); }",
        address,
    )
    until(page, "document.getElementById('shown').textContent !== ''")
    text = page.text_content("#shown").replace(",", "")
    numbers = [int(part.split(" of ")[0]) for part in text.split(" to ")]
    return {"replies": numbers[0], "samples": numbers[-1]}


SUBJECTS = ("algebra", "counting", "run")


def said(k: int, repeat: int, run: int) -> str:
    """A reply: right or wrong as a fixed hash of its numbers says, some of them unreadable."""
    number = (k * 7 + repeat * 5 + run * 3 + k * repeat * run) % 11
    if number == 0:
        return "I cannot say."
    return "It is \\boxed{1}." if number < 6 else f"It is \\boxed{{{number}}}."


def write_replies(path: Path, ids: list[str], run: int, repeats: int) -> Path:
    rows = [
        {"id": name, "repeat": repeat, "response": said(k, repeat, run), "finish": "stop",
         "completion_tokens": 100 * repeat + k, "correct": bool((k + repeat) % 2)}
        for k, name in enumerate(ids) for repeat in range(1, repeats + 1)
    ]  # fmt: skip
    write_jsonl(path, rows)
    return path


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("links")
    found: dict[str, Path] = {}
    plain = [make_sample(f"a-{k}", "1", labels={"subject": SUBJECTS[k % 3], "level": k % 4 + 1,
                                                "run": f"r{k % 2}"})
             for k in range(24)]  # fmt: skip
    versions = ("text_dominant", "text_lite", "text_only", "vision_only")
    many = [make_sample(f"a-{k}.{v}", "1", labels={"subject": SUBJECTS[k % 3]})
            for k in range(8) for v in versions]  # fmt: skip
    for name, samples, readers, repeats in (
        ("one", plain, {"a": "math-v"}, 1),
        ("four", plain, {"a": "math-v"}, 4),
        ("versions", many, {"a": "mathverse"}, 2),
    ):
        release = write_release(root / f"{name}-1", {"test": samples}, readers, name)
        ids = [sample.id for sample in samples]
        runs = []
        for run in range(3):
            file = write_replies(root / name / f"r{run}.jsonl", ids, run + 1, repeats)
            score(release, file, "test", root / name / f"run{run}")
            runs.append(root / name / f"run{run}")
        found[f"{name} report"] = runs[0] / "report.html"
        compare(release, runs[0], runs[1], "test", root / name / "two")
        compare(release, runs[0], runs[1:], "test", root / name / "three")
        found[f"{name} two"] = root / name / "two/comparison.html"
        found[f"{name} three"] = root / name / "three/comparison.html"
        rank_errors(runs, release, root / name / "errors")
        found[f"{name} errors"] = root / name / "errors/errors.html"
        explain(runs[0], str(runs[2]), release=release, out=root / name / "why")
        found[f"{name} why"] = root / name / "why/explained.html"
        leaderboard(runs, root / name / "board", release=release)
        found[f"{name} board"] = root / name / "board/leaderboard.html"
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


def test_every_link_opens_what_its_figure_counts(
    browser: Any, pages: dict[str, Path]
) -> None:
    clicked = 0
    for name, path in pages.items():
        page = new_page(browser, path.parents[2].as_uri())
        listen(page)
        page.goto(path.as_uri())
        if not page.query_selector("#cards"):  # there is no telling case
            continue
        page.wait_for_selector("body[data-ready]")
        for link in page.evaluate(LINKS):
            counts = opened(page, link["address"])
            assert link["says"] is not None, (name, link)
            assert counts[link["unit"]] == link["says"], (name, link, counts)
            clicked += 1
        assert page.surprises == [], name
        page.close()
    assert clicked > 300


@pytest.mark.parametrize(
    ("where", "replies"),
    [
        ("verdict = right", "right"),
        ("not verdict = right", "wrong"),
        ("tokens > 300 and (subject = algebra or level >= 3)", None),
        ("tokens > level and file's own verdict = agrees", None),
        ("right replies >= 2 and right replies < 4", None),
    ],
)
def test_a_condition_on_any_fields_stands_in_the_address(
    browser: Any, pages: dict[str, Path], where: str, replies: str | None
) -> None:
    from urllib.parse import urlencode

    page = new_page(browser, pages["four report"].parents[2].as_uri())
    page.goto(pages["four report"].as_uri())
    page.wait_for_selector("body[data-ready]")
    counts = opened(page, f"#{urlencode({'where': where})}")
    ids = [f"a-{k}" for k in range(24)]
    if replies:
        assert counts == opened(page, f"#verdict={replies}")
    elif "subject" in where:
        expected = sum(100 * r + k > 300 and (k % 3 == 0 or k % 4 + 1 >= 3)
                       for k in range(24) for r in range(1, 5))  # fmt: skip
        assert counts["replies"] == expected
    assert 0 < counts["replies"] < 4 * len(ids)
    opened(page, "#where=nosuch+%3D+1")
    assert "no field is called nosuch" in page.text_content("#fault")
    page.close()


def test_a_grid_has_a_row_a_reply(browser: Any, pages: dict[str, Path]) -> None:
    page = new_page(browser, pages["four report"].parents[2].as_uri())
    page.goto(f"{pages['four report'].as_uri()}#view=grid")
    page.wait_for_selector("table.grid")
    until(page, "document.querySelectorAll('table.grid tbody tr').length === 96")
    heads = [text.strip() for text in page.locator("table.grid th").all_inner_texts()]
    assert {"sample", "reply", "verdict", "tokens", "finish"} <= set(heads)
    rows = page.locator("table.grid tbody tr")
    assert [rows.nth(k).locator("td").nth(1).inner_text() for k in range(4)] == list(
        "1234"
    )
    page.close()
