"""The reports: everything is there, nothing is markup, the page stands alone and opens fast."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from benchwright.evaluate.scoring import score
from benchwright.problem import VERSIONS, Image
from PIL import Image as Pillow
from reading import reading, shown
from small_releases import make_sample, write_predictions, write_release

EVIL = '</script><script>document.title="owned"</script><img src=x onerror="document.title=1">'


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
        make_sample(
            f"v-{k}.{v}", "1", labels={"subject": "plane | <b>"}, images=[drawing]
        )
        for k in range(4)
        for v in VERSIONS
    ]
    samples += [
        make_sample(
            f"g-1.{v}",
            "A",
            options={"A": "x", "B": EVIL},
            labels={"knowledge": ["area"]},
        )
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
    for heading in (
        "Accuracy",
        "Six versions",
        "Four-dimensional metric",
        "By label",
        "Coverage",
    ):
        assert f"## {heading}\n" in text
    assert "g-1.multi" in text  # the missing sample is listed
    assert "| text\\_only | 4 | 4 | 100.0 % |" in text
    assert "plane \\| &lt;b>" in text


def test_page_is_alone_and_escapes_hostile_texts(scored: Path) -> None:
    page = (scored / "report.html").read_text()
    outside = re.findall(r'(?:src|href)\s*=\s*"(?!#|data:|report\.data/)', page)
    assert outside == []
    assert EVIL not in page
    assert "<script>document" not in page
    assert (
        'href="#version=text_lite"' in page
    )  # a row of the six versions leads to its samples
    cards = {c["id"]: c for _, part in pieces(scored / "report.data") for c in part}
    assert len(cards) == 28
    assert (
        len(list((scored / "report.data/images").iterdir())) == 1
    )  # shared by 24 samples
    assert cards["v-9"]["question"] == EVIL
    assert cards["g-1.multi"]["facets"]["status"] == ["missing"]


def pieces(folder: Path) -> list[Any]:
    texts = [path.read_text("utf-8") for path in sorted(folder.glob("samples-*.js"))]
    return [json.loads(text[text.index("(") + 1 : text.rindex(")")]) for text in texts]


def test_page_draws_in_a_browser_and_runs_nothing_hostile(scored: Path) -> None:
    with reading(scored / "report.html") as page:
        assert shown(page) == "28 of 28 samples, 26 right"
        assert page.title() == "out on tiny-1.0.0, test"
        assert page.locator("article").count() >= 20
        page.select_option("select[name=status]", "missing")
        assert shown(page) == "1 of 28 samples, 0 right"
        assert page.surprises == []


def test_no_report_writes_none(scored: Path, tmp_path: Path) -> None:
    score(
        tmp_path / "tiny",
        tmp_path / "p.jsonl",
        "test",
        tmp_path / "quiet",
        report=False,
    )
    assert {path.name for path in (tmp_path / "quiet").iterdir()} == {
        "samples.jsonl",
        "scores.json",
        "statement.json",
    }


def _whole(reply: list[dict[str, list[str]]]) -> str:
    """The text of a reply, which the page gets in up to three pieces."""
    return "".join(reply[0]["u"])


def test_whole_replies_are_there_however_many(tmp_path: Path) -> None:
    """Nothing is cut, and no file of the page grows with their number."""
    samples = [make_sample(f"a-{k}") for k in range(300)]
    write_release(tmp_path / "tiny", {"test": samples})
    replies = {
        s.id: "long reply " * 2000 + "The answer is " + s.id[2:] for s in samples
    }
    score(
        tmp_path / "tiny",
        write_predictions(tmp_path / "p.jsonl", replies),
        "test",
        tmp_path,
    )
    texts = [
        c["runs"][0]["reply"]
        for _, part in pieces(tmp_path / "report.data")
        for c in part
    ]
    assert list(map(_whole, texts)) == list(replies.values())
    assert (
        max(p.stat().st_size for p in (tmp_path / "report.data").glob("samples-*"))
        < 500_000
    )


def test_judged_protocols_have_their_sections(scored: Path) -> None:
    import msgspec
    from benchwright.evaluate.judges import cot_summary, process_summary
    from benchwright.evaluate.metrics import Scores
    from benchwright.evaluate.report.judge_sections import judged_sections

    scores = msgspec.json.decode((scored / "scores.json").read_bytes(), type=Scores)
    assert judged_sections(scores) == []
    scores.judge = {"model": "j", "answers": {"asked": 2, "counts": {"ok": 2}}}
    scores.cot, scores.process = cot_summary([], []), process_summary([])
    titles = [section.title for section in judged_sections(scores)]
    assert titles == ["Judge", "Chain of thought", "First errors"]
