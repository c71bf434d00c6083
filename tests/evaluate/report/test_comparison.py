"""comparison.html: what A got right and B wrong, both replies, flips between versions."""

from __future__ import annotations

from pathlib import Path

from benchwright.evaluate.compare import compare
from reading import reading, shown
from small_releases import make_sample, write_predictions, write_release


def test_both_replies_stand_side_by_side(tmp_path: Path) -> None:
    samples = [
        make_sample(f"a-{k}.{v}", "1") for k in range(3) for v in ("text_lite", "vision_only")
    ]
    release = write_release(tmp_path / "tiny", {"test": samples})
    ids = [s.id for s in samples]
    a = write_predictions(tmp_path / "a.jsonl", dict.fromkeys(ids, "It is 1."))
    b = write_predictions(tmp_path / "b.jsonl", dict(zip(ids, "121222", strict=True)))
    found = compare(release, a, b, "test", tmp_path / "out")
    assert found.outcomes.only_first == 4
    with reading(tmp_path / "out/comparison.html") as page:
        assert shown(page) == "6 of 6 samples"
        page.select_option("select[name=right]", "only A")
        assert shown(page) == "4 of 6 samples"
        first = page.locator("article").first
        assert first.locator(".run h4").all_inner_texts() == ["A: a right", "B: b wrong"]
        assert page.surprises == []
    with reading(tmp_path / "out/comparison.html", "#flips+between+versions=B") as page:
        assert shown(page) == "4 of 6 samples"
