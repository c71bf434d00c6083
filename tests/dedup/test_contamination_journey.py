"""From a corpus with planted problems to what a release says of it, and to a score without them."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchwright import find_contamination
from benchwright.cli import cli
from benchwright.errors import UserError
from benchwright.pipeline import Engine
from click.testing import CliRunner
from pyarrow import Table, parquet

NOUNS = "sheep goat barrel ladder train candle garden marble pencil bottle ticket window".split()
PLACES = "village harbour station market library orchard workshop museum bakery".split()


def question(k: int) -> str:
    chance = np.random.default_rng(k)
    a, b, c = chance.choice(NOUNS, 3, replace=False)
    place, town = chance.choice(PLACES, 2, replace=False)
    return (
        f"In the {place} number {k + 11} there are {3 * k + 14} {a}s and {7 * k + 25} {b}s, and "
        f"each {c} of the {town} is carried past {k + 2} of them. How many {a}s are left when "
        f"{k + 5} were sold to the {town}?"
    )


def filler(seed: int, words: int = 300) -> str:
    chance = np.random.default_rng(900 + seed)
    syllables = np.array(["ba", "ne", "tor", "im", "sol", "ker", "du", "fi", "lan"])
    return " ".join(
        "".join(row) for row in syllables[chance.integers(0, 9, (words, 3))]
    )


BENCH = [
    {"id": f"p{k}", "question": question(k), "answer": str(2 * k + 9)}
    for k in range(30)
]
PLANTED = {
    f"p{k}" for k in (2, 5, 7, 11, 13)
}  # two of them with their answers, p7 in two documents


def rows(*texts: str) -> bytes:
    return b"".join(
        json.dumps({"id": k, "text": text}).encode() + b"\n"
        for k, text in enumerate(texts)
    )


def inside(k: int, answer: bool = False) -> str:
    solved = f" The answer is {2 * k + 9}." if answer else ""
    return f"{filler(k)}.\n{question(k)}{solved}\n{filler(k + 50)}"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    (folder / "web").mkdir(parents=True)
    (folder / "books").mkdir()
    web, books = folder / "web", folder / "books"
    (web / "a.jsonl").write_bytes(
        rows(filler(1), inside(2, True), filler(3), inside(5))
    )
    (web / "b.jsonl.gz").write_bytes(gzip.compress(rows(inside(7), filler(4))))
    (web / "clean.jsonl").write_bytes(rows(filler(20), filler(21)))
    (books / "c.txt").write_text(inside(11, True))
    (books / "d.xz").write_bytes(lzma.compress(inside(13).encode()))
    chats = [
        [{"role": "user", "content": text}]
        for text in (filler(5), inside(7), filler(6))
    ]
    parquet.write_table(
        Table.from_pydict({"id": [1, 2, 3], "turns": chats}), books / "e.parquet"
    )
    return folder


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    path = tmp_path / "bench.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in BENCH))
    return path


def run(*args: object) -> Any:
    return CliRunner().invoke(cli, list(map(str, args)))


def test_what_a_corpus_holds_stands_on_the_card_and_is_left_out_of_a_score(
    bench: Path, corpus: Path, tmp_path: Path
) -> None:
    seen = tmp_path / "seen"
    result = run(
        "dedup",
        "against",
        bench,
        corpus / "web",
        corpus / "books",
        "--out",
        seen,
        "--json",
    )
    assert result.exit_code == 1, result.output
    account = json.loads((seen / "contamination.json").read_bytes())
    assert set(account["leave_out"]) == PLANTED
    assert (account["problems"], account["linked"], account["answered"]) == (30, 5, 2)
    assert [Path(one["source"]).name for one in account["sources"]] == ["web", "books"]
    assert [one["problems"] for one in account["sources"]] == [3, 3]
    assert [one["documents"] for one in account["sources"]] == [8, 5]
    assert account["sightings"]["p7"]["passages"] == 2
    printed = [json.loads(line) for line in result.stdout.splitlines()]
    kept = [
        json.loads(line) for line in (seen / "passages.jsonl").read_text().splitlines()
    ]
    assert [row["a"] for row in printed] == [row["a"] for row in kept]
    assert sorted(row["a"] for row in kept) == ["p11", "p13", "p2", "p5", "p7", "p7"]
    assert (seen / "leave-out.txt").read_text().split() == sorted(PLANTED)
    assert "contamination.data" in (seen / "contamination.html").read_text()

    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        "name: tiny\nversion: 1.0.0\nallow_unlicensed: true\n"
        "contamination: [seen/contamination.json]\n"
        "sources:\n  - {name: own, reader: jsonl, path: bench.jsonl}\n"
    )
    built = run("build-release", recipe, "-o", tmp_path / "out")
    assert built.exit_code == 0, built.output
    release = tmp_path / "out" / "tiny-1.0.0"
    row = "| web, books | 13 | 0.0 | 5 of 30 | 2 | same: 5 | 0 |"
    assert row in (release / "README.md").read_text()
    assert row in (release / "DATASHEET.md").read_text()
    (said,) = json.loads((release / "manifest.json").read_bytes())["contamination"]
    assert set(said["leave_out"]) == PLANTED
    assert run("verify", release).exit_code == 0

    # A model that has learnt the planted problems by heart, and knows every second of the others.
    right = {row["id"] for k, row in enumerate(BENCH) if row["id"] in PLANTED or k % 2}
    replies = tmp_path / "replies.jsonl"
    lines = [
        {
            "id": row["id"],
            "response": f"The answer is {row['answer'] if row['id'] in right else 1}.",
        }
        for row in BENCH
    ]
    replies.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for listed in ("contamination.json", "leave-out.txt"):
        scored = run(
            "score", release, replies, "--split", "test", "--out", tmp_path / listed,
            "--without", seen / listed,
        )  # fmt: skip
        assert scored.exit_code == 0, scored.output
        without = json.loads((tmp_path / listed / "scores.json").read_bytes())[
            "without"
        ]
        # By hand: of 25 problems that are left 11 are right, of all 30 these 11 and 5.
        assert without["accuracy"]["correct"] == 11
        assert without["accuracy"]["n"] == 25
        assert without["theirs"]["value"] == 1
        assert without["difference"] == pytest.approx(11 / 25 - 16 / 30, abs=1e-6)
        # The interval by the jackknife, which leaves each problem out in turn.
        marks = np.array([row["id"] in right for row in BENCH], float)
        kept_ones = np.array([row["id"] not in PLANTED for row in BENCH])
        drops = [
            np.delete(marks, k)[np.delete(kept_ones, k)].mean()
            - np.delete(marks, k).mean()
            for k in range(30)
        ]
        error = math.sqrt(29 / 30 * ((drops - np.mean(drops)) ** 2).sum())
        assert without["high"] - without["low"] == pytest.approx(
            2 * 2.045 * error, rel=0.05
        )
        assert "Without some problems" in (tmp_path / listed / "report.md").read_text()
        assert "without 5 problems (5 samples, accuracy 100.00" in scored.output


@pytest.mark.parametrize("cut", [False, True])
def test_a_clean_corpus_holds_none_and_all_else_to_the_byte(
    bench: Path, corpus: Path, tmp_path: Path, cut: bool
) -> None:
    (corpus / "web" / "a.jsonl").open("ab").write(b"{broken\n" + rows(filler(77)))
    clean = tmp_path / "clean"
    find_contamination(bench, corpus, clean=clean, cut=cut)
    again = find_contamination(bench, clean)
    assert not again.linked
    web = (clean / "web" / "a.jsonl").read_bytes().splitlines()
    before = (corpus / "web" / "a.jsonl").read_bytes().splitlines()
    assert [web[0], web[-1]] == [before[0], before[-1]]
    assert len(web) == (5 if cut else 3)
    if cut:
        text = json.loads(web[1])["text"]
        assert text.startswith(filler(2))
        assert text.endswith(f"The answer is 13.\n{filler(52)}")
        assert len(text) < len(inside(2, True)) - len(question(2)) + 5
    assert (clean / "web" / "clean.jsonl").read_bytes() == rows(filler(20), filler(21))
    assert (
        gzip.decompress((clean / "web" / "b.jsonl.gz").read_bytes()).splitlines()[-1]
        == (rows(inside(7), filler(4)).splitlines()[-1])
    )
    turns = parquet.read_table(clean / "books" / "e.parquet").to_pylist()
    assert [row["id"] for row in turns] == ([1, 2, 3] if cut else [1, 3])
    assert (clean / "books" / "c.txt").exists() == cut
    account = [
        json.loads(line)
        for line in (tmp_path / "clean.account.jsonl").read_text().splitlines()
    ]
    did = [
        (Path(row["file"]).name, row["line"], row["did"], row["problems"])
        for row in account
    ]
    what = "cut" if cut else "dropped"
    assert ("a.jsonl", 2, what, ["p2"]) in did
    assert ("e.parquet", 2, what, ["p7"]) in did
    assert ("a.jsonl", 5, "left out: no JSON", []) in did
    assert len(did) == 7


def test_a_new_shard_costs_itself_and_the_rest_is_kept(
    bench: Path, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "seen"
    first = find_contamination(bench, corpus, out=out)
    assert len(list((out / "kept" / "shards").iterdir())) == 6
    (corpus / "web" / "new.bz2").write_bytes(bz2.compress(rows(inside(17))))
    from benchwright.dedup.contamination import scan

    opened = []
    monkeypatch.setattr(
        scan,
        "pieces",
        lambda file, *more: opened.append(Path(file).name) or pieces(file, *more),
    )
    from benchwright.dedup.contamination.corpus import pieces

    second = find_contamination(bench, corpus, out=out)
    assert opened == ["new.bz2"]
    assert second.linked - first.linked == {"p17"}
    monkeypatch.undo()
    whole = find_contamination(bench, corpus, out=tmp_path / "other", engine=Engine(2))
    assert list(whole) == list(second)
    accounts = [
        (place / "contamination.json").read_bytes()
        for place in (out, tmp_path / "other")
    ]
    assert accounts[0] == accounts[1]
    # Other contents under the same name are read anew.
    (corpus / "books" / "c.txt").write_text(filler(3))
    assert "p11" not in find_contamination(bench, corpus, out=out).linked


def test_wrong_places_and_lists_are_refused(
    bench: Path, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UserError, match="lies inside the corpus"):
        find_contamination(bench, corpus, clean=corpus / "clean")
    with pytest.raises(UserError, match="cannot be read twice"):
        find_contamination(bench, ["-"], clean=tmp_path / "clean")
    with pytest.raises(UserError, match="rows of questions, no documents"):
        find_contamination(bench, bench, clean=tmp_path / "clean")
    with pytest.raises(UserError, match="is no release"):
        find_contamination(corpus, bench)
    other = find_contamination(bench, bench, out=tmp_path / "pairs")
    account = json.loads((tmp_path / "pairs" / "contamination.json").read_bytes())
    assert len(account["leave_out"]) == len(other.linked) == 30


def test_parts_of_a_corpus_meet_in_a_folder_and_the_last_one_says_what_the_whole_says(
    bench: Path, corpus: Path, tmp_path: Path
) -> None:
    whole, out = tmp_path / "whole", tmp_path / "parts"
    find_contamination(bench, [corpus], out=whole)

    def look(part: str) -> Any:
        arguments = [str(bench), str(corpus), "--out", str(out), "--part", part]
        return CliRunner().invoke(cli, ["dedup", "against", *arguments])

    first = look("3/3")
    assert first.exit_code == 0
    assert "rank 3 of 3 is done; missing 1, 2" in first.output
    assert not (out / "contamination.json").exists()
    files = len([path for path in corpus.rglob("*") if path.is_file()])
    assert len(list((out / "kept" / "shards").iterdir())) == files // 3
    assert "missing 2" in look("1/3").output
    assert look("2/3").exit_code == 1  # problems stand there
    for name in ("contamination.json", "passages.jsonl", "leave-out.txt"):
        assert (out / name).read_bytes() == (whole / name).read_bytes()
    # A new shard costs its part alone; the others only say again that they are done.
    before = {path: path.stat().st_mtime_ns for path in (out / "kept/shards").iterdir()}
    (corpus / "web" / "new.jsonl").write_bytes(rows(inside(17)))
    assert [look(f"{k}/3").exit_code for k in (1, 2, 3)] == [0, 0, 1]
    after = {path: path.stat().st_mtime_ns for path in (out / "kept/shards").iterdir()}
    assert before.items() <= after.items()
    assert len(after) == len(before) + 1
    assert "p17" in (out / "leave-out.txt").read_text().split()


@pytest.mark.parametrize(
    ("others", "options", "remedy"),
    [
        ("corpus", {"part": "2/3"}, "give --out"),
        ("corpus", {"part": "4/3", "out": "out"}, "from 1/N to N/N"),
        ("-", {"part": "1/2", "out": "out"}, "give files"),
        ("bench.jsonl", {"part": "1/2", "out": "out"}, "leave --part out"),
    ],
)
def test_what_has_no_parts_says_so(
    bench: Path,
    corpus: Path,
    tmp_path: Path,
    others: str,
    options: dict[str, str],
    remedy: str,
) -> None:
    places = {"corpus": corpus, "bench.jsonl": bench, "-": "-"}
    given = dict(options)
    if "out" in given:
        given["out"] = str(tmp_path / given["out"])
    with pytest.raises(UserError, match=remedy):
        find_contamination(bench, [places[others]], **given)
