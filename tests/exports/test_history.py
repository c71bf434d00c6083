"""What stages did to a problem: said once, for `show` and for pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchwright.annotate.votes import ledger
from benchwright.base.files import write_jsonl
from benchwright.exports import past_of, steps_in, write_history
from benchwright.pages import Card, write_page
from benchwright.problem import Drop, Problem, Source, Vote
from reading import reading, until
from small_releases import make_sample, write_release


def problem(id: str, question: str, **fields: Any) -> Problem:
    source = Source(name="a", raw_id="1")
    return Problem(
        **{"id": id, "origin": id, "source": source, "question": question} | fields
    )


def work(folder: Path) -> Path:
    """Read, respelled, parted, voted on, dropped."""
    one, two = problem("a-1", "Find  $x$ ."), problem("a-10", "Gone?")
    write_jsonl(folder / "00-read/problems.jsonl", [one, two])
    raw = {
        "id": "a-1",
        "at": "dump.csv:2",
        "sha256": "5" * 64,
        "row": [["q", "Find  $x$ ."]],
    }
    write_jsonl(folder / "00-read/lines.jsonl", [raw])
    tidy = problem("a-1", "Find $x$. And say why it is so, in a few plain words.")
    write_jsonl(folder / "01-latex/problems.jsonl", [tidy, two])
    parts = [
        problem(f"a-1-{k}", f"Part {k} of it", origin="a-1", answer="4") for k in (1, 2)
    ]
    write_jsonl(folder / "02-open-ended/problems.jsonl", [*parts, two])
    votes = [
        Vote(problem_id="a-1-1", field="subject", value=value, annotator=who, at=at)
        for who, value, at in (
            ("ada", "x", "0"), ("ada", "algebra", "1"), ("bo", "algebra", "2"), ("cy", "logic", "3")
        )
    ]  # fmt: skip
    write_jsonl(folder / "03-label/ledger.jsonl", ledger(votes, "subject", "majority"))
    parts[0].labels = {"subject": "algebra"}
    write_jsonl(folder / "03-label/problems.jsonl", [*parts, two])
    pair = {"a": "a-1-2", "b": "a-10", "kind": "text", "score": 0.9}
    write_jsonl(folder / "04-dedup/pairs.jsonl", [pair])
    write_jsonl(
        folder / "04-dedup/dropped.jsonl", [Drop(id="a-10", reason="duplicate: ada")]
    )
    write_jsonl(folder / "04-dedup/problems.jsonl", parts)
    return folder


def test_every_problem_has_a_history(tmp_path: Path) -> None:
    folder = work(tmp_path / "work")
    found = {
        name: steps_in(folder, name) for name in ("a-1", "a-10", "a-1-1", "a-1-2", "a")
    }
    assert not found.pop("a")
    read, tidied = found["a-1"]
    assert "before" not in read
    assert tidied["before"]["question"] == "Find  $x$ ."
    assert [step["stage"] for step in found["a-1-1"]] == [
        "00-read",
        "02-open-ended",
        "03-label",
    ]
    assert found["a-1-1"][0]["raw"] == read["raw"]  # the row of what it was parted from
    assert found["a-1-1"][1]["changed"]["question"] == "Part 1 of it"
    assert found["a-1-1"][1]["before"]["question"] == tidied["changed"]["question"]
    assert found["a-10"][-1] == found["a-10"][-1] | {
        "dropped": [{"id": "a-10", "reason": "duplicate: ada", "other": None}]
    }
    assert found["a-1-2"][-1]["pairs"] == found["a-10"][-1]["pairs"]


def test_votes_and_changes_are_told_with_their_people(tmp_path: Path) -> None:
    folder = work(tmp_path / "work")
    (name, labelled) = past_of(steps_in(folder, "a-1-1"))[-1]
    assert name == "03-label"
    assert ("subject: ada", "algebra · 1") in labelled
    assert ("subject: cy", "logic · 3") in labelled
    assert any("not counted: superseded" in str(said) for _, said in labelled)
    assert labelled[-1][0] == "subject: decided"
    assert str(labelled[-1][1]).startswith("algebra, by majority")
    (_, read), (_, tidied) = past_of(steps_in(folder, "a-1"))
    assert read == [
        ("read from", "dump.csv:2 · sha256 5555555555555555"),
        ("q", [{"r": ["Find  $x$ ."]}]),
    ]
    assert [name for name, _ in tidied] == ["question before", "question after"]
    assert {"f": "x"} in tidied[1][1]


def test_a_page_reads_the_history_beside_its_release(tmp_path: Path) -> None:
    release = write_release(tmp_path / "tiny-1.0.0", {"test": [make_sample("a-1-1")]})
    source = {"name": "a", "raw_id": "1"}
    row = {
        "id": "a-1-1",
        "origin": "a-1",
        "source": source,
        "question": "?",
        "canary": "c",
    }
    write_jsonl(release / "problems/test.jsonl", [row])
    folder = write_history(release, work(tmp_path / "work"))
    assert (folder / "index.js").read_text() == "benchwright.pasts(1);\n"
    card = Card(id="a-1-1", problem="a-1-1", facets={})
    pages = tmp_path / "scores" / "report.html", tmp_path / "alone" / "report.html"
    write_page(pages[0], "t", cards=[card], release=release)
    write_page(pages[1], "t", cards=[card], history="../tiny-9-history/")
    said = []
    for page in pages:
        with reading(page) as reader:
            reader.evaluate("document.querySelector('.folds details').open = true")
            until(reader, "document.querySelector('.history').textContent.length > 20")
            said.append(reader.inner_text(".history"))
    assert "ada" in said[0]
    assert "by majority" in said[0]
    assert "tiny-9-history, which is not beside this page" in said[1]
