"""The reports: everything is there, nothing is markup, the page stands alone and opens fast."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from benchwright.evaluate.report.blocks import Section
from benchwright.evaluate.report.html import report_html
from benchwright.evaluate.report.plots import bar_plot, dot_plot, stacked_bars
from benchwright.evaluate.report.thumbnails import thumbnails
from benchwright.evaluate.score import score
from benchwright.problem import VERSIONS, Image
from lxml import etree
from PIL import Image as Pillow
from small_releases import make_result, make_sample, write_predictions, write_release

EVIL = '</script><script>document.title="owned"</script><img src=x onerror="document.title=1">'
CHROMIUM = shutil.which("chromium")


def picture(folder: Path, name: str, size: tuple[int, int] = (300, 200)) -> Image:
    path = folder / "images" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    Pillow.new("RGB", size, "white").save(path)
    return Image(path=f"images/{name}", sha256="", width=size[0], height=size[1])


@pytest.fixture
def scored(tmp_path: Path) -> Path:
    """Six versions, steps, a label, a hostile reply, a hostile question and a missing reply."""
    release = tmp_path / "tiny"
    drawing = picture(release, "one.png")
    samples = [
        make_sample(f"v-{k}.{v}", "1", labels={"subject": "plane | <b>"}, images=[drawing])
        for k in range(4)
        for v in VERSIONS
    ]
    samples += [
        make_sample(f"g-1.{v}", "A", options={"A": "x", "B": EVIL}, labels={"knowledge": ["area"]})
        for v in ("step1", "step2", "multi")
    ]
    samples.append(make_sample("v-9", "5", question=EVIL))
    write_release(release, {"test": samples})
    replies = {s.id: s.answer for s in samples[:-2]} | {"v-9": EVIL}
    path = write_predictions(tmp_path / "p.jsonl", replies)
    score(release, path, "test", tmp_path / "out")
    return tmp_path / "out"


def test_markdown_tells_everything(scored: Path) -> None:
    text = (scored / "report.md").read_text()
    for heading in ("Accuracy", "Six versions", "Four-dimensional metric", "By label", "Coverage"):
        assert f"## {heading}\n" in text
    assert "g-1.multi" in text  # the missing sample is listed
    assert "| text\\_only | 4 | 4 | 100.0 % |" in text
    assert "plane \\| &lt;b>" in text


def test_page_is_alone_and_escapes_hostile_texts(scored: Path) -> None:
    page = (scored / "report.html").read_text()
    assert not re.search(r'(src|href)\s*=\s*"(?!#|data:)', page)
    assert EVIL not in page
    assert "<script>document" not in page
    assert page.count("<svg") == 2  # version bars, four-dimensional bars
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    cards = json.loads(data[1])
    assert len(cards["samples"]) == 28
    assert len(cards["pictures"]) == 1  # shared by 24 samples, embedded once
    evil = next(c for c in cards["samples"] if c["id"] == "v-9")
    assert evil["question"] == EVIL
    assert next(c for c in cards["samples"] if c["id"] == "g-1.multi")["status"] == "missing"


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: the page is not opened")
def test_page_draws_in_a_browser_and_runs_nothing_hostile(scored: Path) -> None:
    dom = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=4000",
         f"--user-data-dir={scored / 'profile'}", "--dump-dom", f"file://{scored}/report.html"],
        capture_output=True, text=True, timeout=120, check=True,
    ).stdout  # fmt: skip
    assert "data-ready" in dom
    assert dom.count("<article") == 28
    assert "<title>p on tiny-1.0.0, test</title>" in dom
    assert "28 of 28 samples, 26 right" in dom


def test_plots_are_well_formed_and_label_hostile_names(scored: Path) -> None:
    from benchwright.evaluate.metrics.intervals import rate

    some = rate([True, False, True], "abc")
    for plot in (
        dot_plot("t<", [(EVIL, some)]),
        bar_plot("t<", [(EVIL, some), ("none", rate([], []))]),
        stacked_bars("t<", [EVIL, "b"], [("x<", [0.25, 0.75])]),
    ):
        root = etree.fromstring(f"<r>{plot}</r>")
        assert not root.xpath("//*[local-name()='script' or local-name()='img']")
    assert "x1=" in dot_plot("t", [("a", some)])


def test_dots_stand_where_the_value_is() -> None:
    """Half of the axis for 0.5, and the whisker from low to high."""
    from benchwright.evaluate.metrics.intervals import rate

    half = rate([True, False] * 50, [str(k) for k in range(100)])
    root = etree.fromstring(f"<r>{dot_plot('t', [('a', half)])}</r>")
    ticks = [float(t.get("x1")) for t in root.xpath("//*[@class='grid']")]
    circle = root.xpath("//*[local-name()='circle']")[0]
    assert float(circle.get("cx")) == pytest.approx((ticks[0] + ticks[-1]) / 2, abs=0.1)
    line = root.xpath("//*[@class='whisker']")[0]
    span = (float(line.get("x2")) - float(line.get("x1"))) / (ticks[-1] - ticks[0])
    assert span == pytest.approx(half.high - half.low, abs=0.002)


def test_thumbnails_keep_their_budget_and_skip_what_is_broken(tmp_path: Path) -> None:
    names = []
    for k in range(30):
        noise = Pillow.effect_noise((400, 300), 90)
        names.append(picture(tmp_path, f"{k}.png").path)
        noise.save(tmp_path / names[-1])
    (tmp_path / "images/broken.png").write_bytes(b"<html>")
    paths = [*names, "images/broken.png", "images/missing.png", "../secret.png"]
    made = thumbnails(tmp_path, paths, budget=200_000)
    assert sum(map(len, made.values())) <= 200_000
    assert set(made) <= set(names)
    assert len(made) == 30
    assert all(Pillow.open(io.BytesIO(data)).format == "WEBP" for data in made.values())


def test_a_page_of_thousands_of_long_replies_stays_small(tmp_path: Path) -> None:
    samples = [make_sample(f"a-{k}") for k in range(4000)]
    results = [make_result(s.id, True, response="long reply " * 900) for s in samples]
    page = report_html("many", [Section("S")], results, samples, tmp_path)
    assert len(page.encode()) < 15_000_000


def test_judged_protocols_have_their_sections(scored: Path) -> None:
    import msgspec
    from benchwright.evaluate.judges.chain_of_thought import cot_summary
    from benchwright.evaluate.judges.first_error import process_summary
    from benchwright.evaluate.metrics.scores import Scores
    from benchwright.evaluate.report.judge_sections import judged_sections

    scores = msgspec.json.decode((scored / "scores.json").read_bytes(), type=Scores)
    assert judged_sections(scores) == []
    scores.judge = {"model": "j", "answers": {"asked": 2, "counts": {"ok": 2}}}
    scores.cot, scores.process = cot_summary([], []), process_summary([])
    titles = [section.title for section in judged_sections(scores)]
    assert titles == ["Judge", "Chain of thought", "First errors"]
