"""comparison.html: what A got right and B wrong, both replies, flips between versions."""

from __future__ import annotations

from pathlib import Path

from benchwright.base.files import write_jsonl
from benchwright.evaluate.runs import compare
from benchwright.evaluate.scoring import score
from reading import reading, shown, until
from small_releases import make_sample, write_predictions, write_release


def test_both_replies_stand_side_by_side(tmp_path: Path) -> None:
    samples = [
        make_sample(f"a-{k}.{v}", "1")
        for k in range(3)
        for v in ("text_lite", "vision_only")
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
        assert first.locator(".run h4").all_inner_texts() == [
            "A: a right",
            "B: b wrong",
        ]
        assert page.surprises == []
    with reading(tmp_path / "out/comparison.html", "#flips+between+versions=B") as page:
        assert shown(page) == "4 of 6 samples"


def test_three_runs_and_their_judges_stand_side_by_side(tmp_path: Path) -> None:
    """A against B and C: who is right by letters; two judges of A that differ; one reply twice."""
    samples = [make_sample(f"a-{k}", "1") for k in range(4)]
    release = write_release(tmp_path / "tiny", {"test": samples})
    ids = [s.id for s in samples]
    for name, replies in (("a", "1111"), ("b", "1122"), ("c", "1222")):
        said = dict(zip(ids, replies, strict=True))
        score(
            release,
            write_predictions(tmp_path / f"{name}.jsonl", said),
            "test",
            tmp_path / name,
        )
    words = [
        ("x", "a-1", "right"),
        ("y", "a-1", "wrong"),
        ("x", "a-2", "wrong"),
        ("y", "a-2", None),
    ]
    rows = [{"protocol": "answers", "judge": j, "id": i, "status": "ok" if v else "error",
             "verdict": v} for j, i, v in words]  # fmt: skip
    write_jsonl(tmp_path / "a/judges.jsonl", rows)
    samples_of_c = (tmp_path / "c/samples.jsonl").read_text().splitlines()
    flipped = samples_of_c[0].replace('"correct":true', '"correct":false')
    (tmp_path / "c/samples.jsonl").write_text(
        "\n".join([flipped, *samples_of_c[1:]]) + "\n"
    )
    found = compare(
        release, tmp_path / "a", [tmp_path / "b", tmp_path / "c"], "test", tmp_path
    )
    assert [c.outcomes.only_first for c in found.pairs] == [2, 4]
    assert found.p_adjusted[1] >= found.pairs[1].difference.p
    with reading(tmp_path / "comparison.html") as page:
        page.select_option("select[name=right]", "A, B")
        until(page, "document.querySelectorAll('article').length === 2")
        page.select_option("select[name='B: b']", "right")
        until(
            page, "document.querySelector('article .run h4')?.innerText"
        )  # once it is drawn
        heads = page.locator("article").first.locator(".run h4").all_inner_texts()
        assert heads == ["A: a right", "B: b right", "C: c wrong"]
    for address, name in (
        ("flips+between+judges=A", "a-1"),
        ("one+reply,+two+verdicts=C", "a-0"),
    ):
        with reading(tmp_path / "comparison.html", f"#{address}") as page:
            assert page.locator("article h3").all_inner_texts() == [name]
            if name == "a-1":
                page.get_by_text("Judge", exact=True).first.click()
                page.get_by_text(
                    "x: right"
                ).wait_for()  # the page fills what was opened
                assert "y: wrong" in page.inner_text("article")
            assert page.surprises == []


def test_two_versions_of_a_benchmark_show_what_changed_and_what_flips(
    tmp_path: Path,
) -> None:
    texts = ["How many?", "How much?", "Why?"]
    old = [make_sample(f"a-{k}", "1", question=text) for k, text in enumerate(texts)]
    new = [make_sample("a-0", "2", question="How many?"), make_sample("a-1", "1", question="How?"),
           make_sample("a-3", "1")]  # fmt: skip
    first = write_release(tmp_path / "tiny", {"test": old})
    second = write_release(tmp_path / "next", {"test": new}, name="next")
    for name, release, samples in (("one", first, old), ("two", second, new)):
        said = write_predictions(
            tmp_path / f"{name}.jsonl", {s.id: "1" for s in samples}
        )
        score(release, said, "test", tmp_path / name)
    runs = tmp_path / "two", tmp_path / "one"
    found = compare(second, *runs, "test", tmp_path / "out", across=True, other=first)
    assert {s.cause: (s.only_a, s.only_b) for s in found.shares} == {
        "gold changed": ([], ["a-0"]),
        "sample set: only A has it": (["a-3"], []),
        "sample set: only B has it": ([], ["a-2"]),
    }
    with reading(tmp_path / "out/explained.html") as page:
        assert shown(page) == "4 of 4 samples"
        page.get_by_role("link", name="gold changed").click()
        until(page, "document.querySelectorAll('article').length === 1")
        assert page.locator("article h3").all_inner_texts() == ["a-0"]
        page.goto(page.url.partition("#")[0])
        page.select_option("select[name=changed]", "question")
        until(page, "document.querySelectorAll('article').length === 1")
        assert page.locator(".run .question mark").all_text_contents() == [" much"]
        assert "gold" in page.inner_text("table")
        assert page.surprises == []
