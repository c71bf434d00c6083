"""Problems inside documents: found in every format and spelling, with what stands beside them."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from benchwright import find_contamination
from benchwright.cli import main
from benchwright.dedup.contamination import Passage, corpus
from benchwright.dedup.contamination import grams as grams_module
from benchwright.dedup.contamination.folding import fold, folded_places
from benchwright.dedup.contamination.grams import Found, Grams, hashes
from benchwright.dedup.contamination.marks import marks_of
from benchwright.errors import UserError
from benchwright.pipeline import Engine
from pyarrow import parquet

SHEEP = (
    "A farmer has 17 sheep and 23 goats on a field that is 120 metres long and 80 metres wide. "
    "How many animals are there on one hectare of the field?"
)
ROOT = (
    "Let $\\frac{a}{b} = \\sqrt{15}$ and let $a + b \\leq 40$ for positive numbers. Which value of "
    "$a^2 - b^2$ is the largest possible one under this condition?"
)
PROBLEMS = [
    {"id": "sheep", "question": SHEEP, "answer": "41 2/3"},
    {"id": "root", "question": ROOT, "options": ["12", "15", "40"], "answer": "B"},
    {"id": "short", "question": "Find $x$."},
    {
        "id": "absent",
        "question": "Which polygon has exactly as many diagonals as it has sides?",
    },
]


def filler(seed: int, words: int = 900) -> str:
    """Prose that has nothing to do with any problem."""
    syllables = ["ba", "ne", "tor", "im", "sol", "ker", "du", "fi", "lan", "op"]
    draws = np.random.default_rng(seed).integers(0, 10, (words, 3))
    return " ".join("".join(syllables[k] for k in row) for row in draws)


def inside(text: str, seed: int = 0) -> str:
    return f"{filler(seed)}.\n{text}\n{filler(seed + 1000)}."


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    path = tmp_path / "problems.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in PROBLEMS))
    return path


def lines(*texts: str) -> bytes:
    rows = [{"id": f"d{k}", "text": text} for k, text in enumerate(texts)]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def found(problems: Path, *others: Path, **options: Any) -> list[Passage]:
    rows = find_contamination(problems, list(others), **options)
    return [row for row in rows if isinstance(row, Passage)]


@pytest.mark.parametrize(
    ("text", "kind", "numbers"),
    [
        (SHEEP, "same", "same"),
        (SHEEP.upper().replace(" ", "\n   "), "same", "same"),
        (SHEEP.replace("17", "19").replace("120", "140"), "numbers-differ", "differ"),
        (
            SHEEP.replace("farmer", "peasant").replace("animals", "beasts"),
            "reworded",
            "same",
        ),
        (SHEEP.partition("How")[0], "part", "same"),
    ],
)
def test_copies_in_the_middle_of_a_document_have_their_class(
    problems: Path, tmp_path: Path, text: str, kind: str, numbers: str
) -> None:
    shard = tmp_path / "shard.jsonl"
    shard.write_bytes(lines(filler(1), inside(text, 7), filler(2)))
    (hit,) = found(problems, shard)
    assert (hit.a, hit.b, hit.line, hit.kind, hit.numbers) == (
        "sheep",
        "d1",
        2,
        kind,
        numbers,
    )
    assert inside(text, 7)[hit.start : hit.end] == hit.passage
    assert hit.passage.rstrip(".?") in text
    assert hit.linked == (kind in ("same", "reworded"))


def test_other_latex_is_the_same_and_answer_and_options_stand_beside_it(
    problems: Path, tmp_path: Path
) -> None:
    spelled = ROOT.replace("\\frac", "\\dfrac").replace("\\leq", "≤").replace("^2", "²")
    spelled = spelled.replace("$", "") + "\n(A) 12 (B) 15 (C) 40\nThe answer is 15."
    shard = tmp_path / "shard.jsonl"
    shard.write_bytes(lines(inside(spelled), inside(ROOT + " No more is said.", 3)))
    solved, bare = sorted(found(problems, shard), key=lambda hit: hit.b)
    assert (solved.kind, solved.answer, solved.options) == ("same", True, True)
    assert (bare.kind, bare.answer, bare.options) == ("same", False, False)


def zst(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with pyarrow.CompressedOutputStream(buffer, "zstd") as stream:
        stream.write(data)
        stream.flush()
        return buffer.getvalue() if buffer.closed else _closed(stream, buffer)


def _closed(stream: Any, buffer: io.BytesIO) -> bytes:
    keep = buffer.getvalue
    buffer.close = lambda: None  # type: ignore[method-assign]
    stream.close()
    return keep()


def table(texts: list[str]) -> bytes:
    buffer = io.BytesIO()
    rows = [{"turns": [{"role": "user", "content": text}]} for text in texts]
    parquet.write_table(pyarrow.Table.from_pylist(rows), buffer)
    return buffer.getvalue()


def shards() -> Iterator[tuple[str, bytes]]:
    text = inside(SHEEP)
    yield "a.json.gz", gzip.compress(lines(text))
    yield "b.bz2", bz2.compress(lines(text))
    yield "c.xz", lzma.compress(lines(text))
    yield "d.zst", zst(lines(text))
    yield "deep/e.parquet", table([text])
    yield "deep/f.txt", text.encode()
    chat = {"messages": [{"role": "user", "content": text}]}
    yield "g.jsonl", json.dumps(chat).encode()
    yield (
        "h.jsonl",
        json.dumps({"instruction": "Solve.", "input": text, "output": 1}).encode(),
    )


def test_every_format_is_read_whatever_its_name_and_bad_files_are_named(
    problems: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "corpus"
    (folder / "deep").mkdir(parents=True)
    names = []
    for name, data in shards():
        (folder / name).write_bytes(data)
        names.append(str(folder / name))
    broken = gzip.compress(lines(*[filler(k) for k in range(60)]))
    (folder / "broken.gz").write_bytes(broken[: len(broken) // 2])
    (folder / "picture.bin").write_bytes(bytes(range(256)) * 9)
    (folder / "rows.jsonl").write_bytes(b'{"id": 1, "text": "x"}\n{broken\n{"n": 3}\n')
    alone = find_contamination(problems, folder)
    assert {row.file for row in alone if isinstance(row, Passage)} == set(names)
    assert {row.a for row in alone} == {"sheep"}
    places = {line.rpartition("corpus/")[2].split(": ")[0] for line in alone.unreadable}
    assert places == {"broken.gz", "picture.bin", "rows.jsonl:2", "rows.jsonl:3"}
    assert alone.too_short == ["short"]
    assert list(find_contamination(problems, [folder], engine=Engine(2))) == list(alone)
    pattern = folder / "**" / "*.jsonl"
    assert {Path(row.file).name for row in found(problems, pattern)} == {
        "g.jsonl",
        "h.jsonl",
    }


def test_long_documents_are_read_in_pieces(
    problems: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "PIECE", 3000)
    monkeypatch.setattr(corpus, "OVERLAP", 500)
    monkeypatch.setattr(corpus, "LONGEST_LINE", 40_000)
    parts = [filler(k, 400) + "\n" for k in range(6)]
    text = "".join(parts[:4]) + SHEEP + "".join(parts[4:])
    (tmp_path / "long.txt").write_text(text)
    rows = lines(text) + lines("x" * 50_000) + lines(SHEEP)
    (tmp_path / "rows.jsonl").write_bytes(rows)
    matches = find_contamination(
        problems, [tmp_path / "long.txt", tmp_path / "rows.jsonl"]
    )
    at = text.index(SHEEP)
    rows_found = [row for row in matches if isinstance(row, Passage)]
    assert sorted((Path(row.file).name, row.line, row.start) for row in rows_found) == [
        ("long.txt", 0, at),
        ("rows.jsonl", 1, at),
        ("rows.jsonl", 3, 0),
    ]
    assert [line.split(": ")[1] for line in matches.unreadable] == [
        "longer than 40,000 bytes"
    ]


def test_the_command_reads_standard_input_and_writes_rows_and_a_report(
    problems: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    stream = io.TextIOWrapper(
        io.BytesIO(lines(filler(5), inside(SHEEP))), encoding="utf-8"
    )
    monkeypatch.setattr("sys.stdin", stream)
    report = tmp_path / "report.md"
    with pytest.raises(SystemExit) as stop:
        main(
            ["dedup", "against", str(problems), "-", "--json", "--report", str(report)]
        )
    assert stop.value.code == 1
    out, err = capsys.readouterr()
    (row,) = map(json.loads, out.splitlines())
    assert (row["id"], row["other"], row["class"]) == ("sheep", "d1", "same")
    assert "1 of 4 questions found in 2 documents" in err
    assert "1 questions are too short" in err
    assert "## sheep in d1" in report.read_text()


def test_a_benchmark_of_one_problem_and_a_corpus_that_is_not_there(
    tmp_path: Path,
) -> None:
    one = tmp_path / "one.jsonl"
    one.write_text(json.dumps(PROBLEMS[0]) + "\n")
    shard = tmp_path / "shard.jsonl"
    shard.write_bytes(lines(*[filler(k) for k in range(9)], inside(SHEEP)))
    assert [row.b for row in found(one, shard)] == ["d9"]
    with pytest.raises(UserError, match=r"nowhere/\*\.gz: no such file"):
        find_contamination(one, ["nowhere/*.gz"])


def test_a_problem_that_the_corpus_repeats_is_found_each_time(
    problems: Path, tmp_path: Path
) -> None:
    shard = tmp_path / "shard.jsonl"
    texts = [inside(SHEEP, k) if k % 8 == 0 else filler(k) for k in range(320)]
    shard.write_bytes(lines(*texts))
    assert len(found(problems, shard)) == 40


def test_a_pipe_is_refused_for_it_can_be_read_once_only(
    problems: Path, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UserError, match="send it to standard input"):
        find_contamination(problems, [tmp_path / "pipe"])


def test_every_passage_of_23_letters_is_met_twice_wherever_it_begins() -> None:
    text = fold(SHEEP)
    grams = Grams.of_letters([text[40:63]])
    for shift in range(16):
        places = grams.look(b"x" * shift + text).starts
        assert len(places) >= 2
        assert set(places) <= set(range(shift + 40, shift + 48))
    assert len(hashes(text, 0)) == len(text) // 8 - 1


# MGSM's first two problems (Shi et al. 2022, CC BY 4.0) and ours in other words.
FOUND_OTHERWISE = [
    {
        "id": "ducks",
        "question": "Janet's ducks lay 16 eggs per day. She eats three for breakfast every morning "
        "and bakes muffins for her friends every day with four. She sells the remainder at the "
        "farmers' market daily for $2 per fresh duck egg. How much in dollars does she make every "
        "day at the farmers' market?",
        "answer": "18",
    },
    {
        "id": "skeins",
        "question": "Martha knits a hat, a scarf and mittens for each of her 3 grandchildren. It "
        "takes 2 skeins of wool to make a hat, 4 for a scarf and 12 for a sweater. How many skeins "
        "of wool does Martha need to buy for all of them?",
        "answer": "54",
    },
    {"id": "roots", "question": "Solve $x^2 - 15x + 26 = 0$.", "answer": "2, 13"},
]
IN_OTHER_WORDS = (
    "There are 3 grandchildren, and Martha plans to knit a hat, a scarf and a sweater for each of "
    "them. The wool required is 2 skeins for the hat, 4 skeins for the scarf and 12 skeins for the "
    "sweater. Can you calculate the number of skeins that she must purchase?"
)
TRANSLATED = {
    "fr": "Les canes de Janet pondent 16 œufs par jour. Chaque matin, elle en mange trois au petit "
    "déjeuner et elle prépare des muffins pour ses amis avec quatre autres. Elle vend ce qui reste "
    "au marché fermier, à 2 $ l'œuf de cane frais. Combien gagne-t-elle chaque jour au marché ?",
    "ru": "Утки Джанет несут по 16 яиц в день. Каждое утро она съедает три яйца на завтрак и печёт "
    "маффины для друзей из четырёх. Остаток она продаёт на рынке по $2 за свежее утиное яйцо. "
    "Сколько долларов в день она зарабатывает на рынке?",
    "zh": "珍妮特的鸭子每天下 16 颗蛋。她每天早上早餐时吃 3 颗，每天用 4 颗为自己的朋友做松饼。"
    "剩下的鸭蛋她每天拿去农贸市场卖，每颗新鲜鸭蛋卖 2 美元。她每天在农贸市场赚多少钱？",
}


@pytest.mark.parametrize(
    ("text", "problem", "kind", "linked"),
    [
        (IN_OTHER_WORDS, "skeins", "reworded", True),
        (TRANSLATED["fr"], "ducks", "translated", False),
        (TRANSLATED["zh"], "ducks", "translated", False),
        ("Find all roots: \\(x^{2}-15x+26=0\\).", "roots", "formula", False),
        ("Solve \\(x^{2}-15x+26=0\\).", "roots", "same", True),
        (TRANSLATED["fr"].replace("16", "12"), "ducks", "", False),
        ("Solve $x^2 - 15x - 26 = 0$.", "roots", "numbers-differ", False),
    ],
)
def test_what_no_letters_in_a_row_tell_is_found_by_words_numbers_and_formulas(
    tmp_path: Path, text: str, problem: str, kind: str, linked: bool
) -> None:
    ours = tmp_path / "problems.jsonl"
    rows = [*PROBLEMS, *FOUND_OTHERWISE]
    ours.write_text("".join(json.dumps(row) + "\n" for row in rows))
    shard = tmp_path / "shard.jsonl"
    shard.write_bytes(lines(filler(1), inside(text, 7), filler(2)))
    hits = [(hit.a, hit.b, hit.kind, hit.linked) for hit in found(ours, shard)]
    assert hits == ([(problem, "d1", kind, linked)] if kind else [])


def test_an_array_is_read_element_by_element_and_written_as_one(
    problems: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchwright.dedup.contamination import archives

    monkeypatch.setattr(archives, "READ", 700)
    rows = [{"instruction": filler(k, 40)} for k in range(9)]
    rows[4]["output"] = inside(SHEEP)
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a.json").write_text(json.dumps(rows, indent=1))
    (folder / "broken.json").write_text(json.dumps(rows)[:-900])
    matches = find_contamination(problems, [folder], clean=tmp_path / "clean")
    places = {
        (Path(row.file).name, row.line) for row in matches if isinstance(row, Passage)
    }
    assert places == {("a.json", 5), ("broken.json", 5)}
    assert [line.split(": ")[1] for line in matches.unreadable] == [
        "damaged behind line 6"
    ]
    assert (
        json.loads((tmp_path / "clean" / "a.json").read_text()) == rows[:4] + rows[5:]
    )


def test_pages_of_an_archive_are_read_as_a_reader_sees_them(
    problems: Path, tmp_path: Path
) -> None:
    pytest.importorskip("fastwarc")
    page = f"<html><script>var x;</script><p>{filler(3)}</p><p>{SHEEP}</p></html>"
    body = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{page}"
    records = [
        ("request", "GET / HTTP/1.1\r\n\r\n", "application/http; msgtype=request"),
        ("response", body, "application/http; msgtype=response"),
        ("conversion", inside(ROOT), "text/plain"),
    ]
    parts = [
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://x.org/{kind}\r\n"
        f"WARC-Record-ID: <urn:uuid:{kind}>\r\nContent-Type: {mime}\r\n"
        f"Content-Length: {len(text.encode())}\r\n\r\n{text}\r\n\r\n"
        for kind, text, mime in records
    ]
    shard = tmp_path / "pages.warc.gz"
    shard.write_bytes(b"".join(gzip.compress(part.encode()) for part in parts))
    hits = {(row.a, row.b) for row in found(problems, shard)}
    assert hits == {
        ("sheep", "http://x.org/response"),
        ("root", "http://x.org/conversion"),
    }


def test_a_corpus_in_a_store_and_one_on_a_hub_are_read(
    problems: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsspec = pytest.importorskip("fsspec")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    store = fsspec.filesystem("memory")
    store.pipe("/corpora/web/a.jsonl", lines(filler(1), inside(SHEEP)))
    store.pipe("/corpora/web/b.jsonl.gz", gzip.compress(lines(inside(ROOT))))
    assert {row.a for row in found(problems, Path("memory://corpora/web"))} == {
        "sheep",
        "root",
    }
    hit = find_contamination(
        problems, "memory://corpora/web/a.jsonl", text_field="text"
    )
    assert hit.linked == {"sheep"}
    shard = tmp_path / "train.jsonl"
    shard.write_bytes(lines(inside(SHEEP), filler(2)))
    asked = []

    def files(name: str, split: str) -> list[Path]:
        asked.append((str(name), split))
        return [problems] if split == "test" else [shard]

    monkeypatch.setattr("benchwright.dedup.contamination.corpus.hub_files", files)
    monkeypatch.setattr("benchwright.evaluate.predictions.hub_files", files)
    matches = find_contamination("hub:us/bench@0123", ["hub:them/pages@4567"])
    assert matches.linked == {"sheep"}
    assert asked == [("hub:us/bench@0123", "test"), ("hub:them/pages@4567", "train")]


def test_a_text_that_says_one_thing_again_and_again_costs_no_more_than_others(
    problems: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grams_module, "MOST", 3000)
    shard = tmp_path / "shard.jsonl"
    again = " ".join(["17 sheep and 23 goats on a field"] * 4000)
    shard.write_bytes(lines(again, inside(SHEEP), filler(2)))
    assert ("sheep", "d1") in {(hit.a, hit.b) for hit in found(problems, shard)}
    grams = np.tile(np.arange(5, dtype=np.uint64), 9)
    index = Grams(grams, np.repeat(np.arange(9), 5), [100] * 9)
    places = np.arange(50_000)
    numbers = np.arange(50_000) % 5
    numbers[40_000:] = 3
    hits = Found(numbers, places, places + 1)
    assert not list(index.stretches(hits, np.array([0, 50_000]), np.zeros(9)).rows())


# A question that many books have in about these words, and a figure whose letters a translation
# keeps. The other passages have what they need of words and numbers, and nothing else.
FOUND_BY_CHANCE = [
    {"id": "region", "question": "The area of the rectangular region is"},
    {
        "id": "square",
        "question": "Square $PQRS$ has side length $13$, and points $T$ and $U$ are exterior to "
        "the square such that $QT=SU=5$ and $PT=RU=12$, and the line $TU$ is drawn. Find $TU^{2}$.",
    },
]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("The surface area of the rectangular box is", ""),
        ("The area of the rectangular region is", "region"),
        (
            "Il carré $PQRS$ a un côté de longueur $13$, et les points $T$ et $U$ se trouvent "
            "hors du carré de sorte que $QT=SU=5$ et $PT=RU=12$, et la droite $TU$ est tracée. "
            "Trouver $TU^{2}$.",
            "square",
        ),
        (
            "La voiture roule pendant $13$ heures, et les deux autres véhicules restent toujours "
            "derrière elle parce que $v=w=5$ et que la distance $d=s=12$ ne change jamais durant "
            "cette longue journée de $2$.",
            "",
        ),
    ],
)
def test_what_books_have_by_chance_is_told_from_what_only_the_problem_has(
    tmp_path: Path, text: str, problem: str
) -> None:
    ours = tmp_path / "problems.jsonl"
    others = [
        {"id": f"x{k}", "question": f"The area of field {k} is {word} than a region."}
        for k, word in enumerate(["larger", "smaller", "wider", "darker"] * 20)
    ]
    rows = [*FOUND_BY_CHANCE, *others]
    ours.write_text("".join(json.dumps(row) + "\n" for row in rows))
    shard = tmp_path / "shard.jsonl"
    shard.write_bytes(lines(filler(1), inside(text, 7), filler(2)))
    assert {hit.a for hit in found(ours, shard)} == ({problem} if problem else set())


def test_a_command_is_no_word_and_han_numerals_in_a_row_are_one_number() -> None:
    one, other = (
        marks_of(text.encode()).codes.tolist()
        for text in (r"\frac{3}{4} of \sqrt{16} eggs", "3 4 of 16 eggs")
    )
    assert one == other
    numbers = marks_of("有二十三只鸭子，一百零五个蛋".encode()).numbers.codes
    assert numbers.tolist() == marks_of(b"23 105").codes.tolist()


def test_folded_letters_are_where_their_places_say() -> None:
    text = "Fläche: \\frac{3}{4} x² ≤ 5½, ﬁnde \\sqrt{12}y — жук".encode()
    places = folded_places(text)
    folded = fold(text)
    assert len(places) == len(folded)
    plain = [k for k in range(len(folded)) if text[places[k] : places[k] + 1].isalnum()]
    assert len(plain) == 15
    assert all(
        text[places[k] : places[k] + 1].lower() == folded[k : k + 1] for k in plain
    )
