"""examples/contained: a table of who contains whom, every hit a click away."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest
from browser import chromium, new_page

WHO = Path(__file__).parents[2] / "examples" / "contained" / "who.py"
SHARED = {
    "A tram holds 48 people and 19 get off at the market. How many are still on it?": "29",
    "Nina plants 7 rows of 13 tulips and 22 roses in her garden. How many flowers is that?": "113",
}
OWN = {
    "river": {
        "A boat drifts 5 km in 2 hours. How far does it drift in 7 hours?": "17.5"
    },
    "bakery": {
        "Three loaves cost 11 euros. What do twelve loaves cost at that price?": "44"
    },
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two benchmarks with two problems in common, one of them reworded, and one with none."""
    (tmp_path / "data").mkdir()
    reworded = {
        text.replace("How many are", "How many people are"): a
        for text, a in SHARED.items()
    }
    sets = {"river": SHARED | OWN["river"], "bakery": reworded | OWN["bakery"], "lone": {
        "Find the least prime number above one thousand.": "1009"}}  # fmt: skip
    for name, problems in sets.items():
        rows = [
            {"id": f"{name}-{k}", "question": question, "answer": answer}
            for k, (question, answer) in enumerate(problems.items())
        ]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / "data" / f"{name}.jsonl").write_text(text, "utf-8")
    runpy.run_path(str(WHO))["main"](tmp_path / "data", tmp_path / "out")
    return tmp_path / "out"


def test_every_two_sets_have_a_cell_that_leads_to_its_pairs(folder: Path) -> None:
    page = (folder / "index.html").read_text("utf-8")
    links = re.findall(r'<a href="([^"]+)">([^<]+)</a>', page)
    assert links == [
        ("bakery-in-river/evidence.html", "2 (67%)"),
        ("river-in-bakery/evidence.html", "2 (67%)"),
    ]
    assert page.count("<td>0</td>") == 4
    for link, _ in links:
        evidence = (folder / link).parent / "evidence.jsonl"
        rows = [
            json.loads(line)["pair"]
            for line in evidence.read_text("utf-8").splitlines()
        ]
        assert {row["a"].split("-")[1] for row in rows} == {"0", "1"}
        assert all(row["linked"] and row["answer"] == "equal" for row in rows)


def test_a_click_shows_both_texts(folder: Path) -> None:
    with chromium() as browser:
        page = new_page(browser, "file:")
        page.goto((folder / "index.html").as_uri())
        page.click("text=2 (67%)")
        page.wait_for_selector("text=people are still on it?")
        assert page.locator("#main").inner_text().count("still on it?") >= 2
        assert page.surprises == []
