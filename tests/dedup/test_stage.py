"""The stage: drops, origins and side tables, the same on every engine."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.base.pictures import encode_png, store_picture
from benchwright.dedup import Decision, Item, append_decision, item_of
from benchwright.dedup.meaning import meanings
from benchwright.errors import UserError
from benchwright.llm import Model
from benchwright.pipeline import Context, Engine, load_stage, run_stage
from benchwright.problem import Drop, Option, Problem, Source, Step
from llm_server import llm_server
from PIL import Image as Pillow

TEXT = (
    "Ann has 12 apples and gives Ben 5 of them. How many apples are left in her basket?"
)


def problem(name: str, question: str, **more: object) -> Problem:
    source = Source(name="test", raw_id=name)
    return Problem(id=name, origin=name, source=source, question=question, **more)  # type: ignore[arg-type]


def run(
    tmp_path: Path,
    problems: list[Problem],
    engine: Engine | None = None,
    **options: object,
) -> tuple[dict[str, Problem], list[Drop], Path]:
    context = Context(tmp_path, tmp_path, engine=engine or Engine())
    write_jsonl(tmp_path / "in.jsonl", problems)
    folder = tmp_path / "out"
    report, _ = run_stage(
        load_stage("dedup"), options, tmp_path / "in.jsonl", folder, context
    )
    assert report.taken == report.kept + report.dropped
    kept = {p.id: p for p in read_jsonl(folder / "problems.jsonl", Problem)}
    return kept, list(read_jsonl(folder / "dropped.jsonl", Drop)), folder


def test_only_exact_pairs_go_without_a_person(tmp_path: Path) -> None:
    problems = [
        problem("1", TEXT, answer="7"),
        problem("2", TEXT, answer="7"),
        problem("3", TEXT.replace("12", "15"), answer="10"),
        problem("4", "What is the area of a circle with radius 3?", answer="$9\\pi$"),
    ]
    kept, dropped, folder = run(tmp_path, problems)
    assert [(d.id, d.reason, d.other) for d in dropped] == [
        ("2", "exact duplicate", "1")
    ]
    assert {name: p.origin for name, p in kept.items()} == {
        "1": "1",
        "3": "1",
        "4": "4",
    }
    rows = list(read_jsonl(folder / "pairs.jsonl", dict))
    assert [(r["a"], r["b"], r["class"]) for r in rows] == [
        ("1", "2", "exact"),
        ("1", "3", "numbers-differ"),
        ("2", "3", "numbers-differ"),
    ]


@pytest.mark.parametrize(
    "doubt",
    [
        {"notes": ["missing-picture: 2.png"]},
        {"notes": ["broken-picture: 2.png: html"]},
        {"notes": ["moving-picture: 2.gif: only its first frame is kept"]},
        {"steps": [Step(question="another step", answer="1")]},
    ],
)
def test_nothing_goes_by_itself_while_a_picture_or_a_step_may_differ(
    tmp_path: Path, doubt: dict
) -> None:
    problems = [problem("1", TEXT, answer="7"), problem("2", TEXT, answer="7", **doubt)]
    kept, dropped, folder = run(tmp_path, problems)
    assert (len(kept), dropped) == (2, [])
    assert [r["verdict"] for r in read_jsonl(folder / "pairs.jsonl", dict)] == [""]


def test_decisions_drop_separate_and_go_stale(tmp_path: Path) -> None:
    problems = [
        problem("1", TEXT, answer="7"),
        problem("2", TEXT.replace("basket", "big basket"), answer="7"),
        problem("3", TEXT.replace("12", "15"), answer="10"),
        problem("4", TEXT.replace("Ann", "Eve"), answer="7"),
    ]
    hashes = {p.id: item_of(p, tmp_path).content_hash() for p in problems}
    path = tmp_path / "decisions.jsonl"
    for a, b, verdict, keep, old in (
        ("1", "2", "duplicate", "2", hashes["1"]),
        ("1", "4", "duplicate", "1", "changed"),
        ("2", "3", "not duplicate", "", ""),
        ("1", "3", "not duplicate", "", ""),
        ("3", "4", "not duplicate", "", ""),
    ):
        append_decision(
            path, Decision(a=a, b=b, verdict=verdict, keep=keep, a_hash=old)
        )  # type: ignore[arg-type]
    kept, dropped, folder = run(tmp_path, problems, decisions="decisions.jsonl")
    assert [(d.id, d.other) for d in dropped] == [("1", "2")]
    assert kept["3"].origin == "3"
    assert kept["2"].origin == kept["4"].origin == "1"
    stale = list(read_jsonl(folder / "stale.jsonl", dict))
    assert [row["why"] for row in stale] == ["the content of '1' has changed since"]


def test_a_shared_picture_keeps_questions_together(tmp_path: Path) -> None:
    picture = Pillow.new("RGB", (80, 60), "white")
    picture.paste("black", (10, 10, 40, 12))
    image = store_picture(encode_png(picture), tmp_path)
    problems = [
        problem("1", "What is the length of the segment?", images=[image]),
        problem("2", "Which colour has the drawing at its upper end?", images=[image]),
        problem("3", "How old is the captain of the ship?"),
    ]
    kept, dropped, _ = run(tmp_path, problems)
    assert not dropped
    assert {name: p.origin for name, p in kept.items()} == {
        "1": "1",
        "2": "1",
        "3": "3",
    }


def test_origins_that_problems_bring_are_joined(tmp_path: Path) -> None:
    problems = [problem(str(k), f"{word} is asked here alone, number {k}?") for k, word in
                enumerate(("Nothing", "Everything else", "Some third thing entirely"))]  # fmt: skip
    problems[2] = msgspec.structs.replace(problems[2], origin=problems[0].origin)
    kept, _, _ = run(tmp_path, problems, threshold=0.95)
    assert [p.origin for p in kept.values()] == ["0", "1", "0"]


@pytest.mark.parametrize("jobs", [2])
def test_workers_write_the_same_bytes(tmp_path: Path, jobs: int) -> None:
    problems = [
        problem(str(k), TEXT.replace("12", str(k)).replace("Ann", "A" * k))
        for k in range(8)
    ]
    outputs = []
    for name, engine in (("one", Engine()), ("many", Engine(jobs=jobs))):
        (tmp_path / name).mkdir()
        folder = run(tmp_path / name, problems, engine)[2]
        outputs.append(
            [(folder / f).read_bytes() for f in ("problems.jsonl", "pairs.jsonl")]
        )
    assert outputs[0] == outputs[1]


def test_a_decision_about_another_picture_is_stale(tmp_path: Path) -> None:
    def problems(shade: int) -> list[Problem]:
        page = Pillow.new("RGB", (80, 60), "white")
        page.paste((shade, 0, 0), (10, 10, 40, 30))
        image = store_picture(encode_png(page), tmp_path)
        return [
            problem("1", TEXT, answer="7", images=[image]),
            problem(
                "2", TEXT.replace("basket", "large basket"), answer="7", images=[image]
            ),
        ]

    hashes = [item_of(p, tmp_path).content_hash() for p in problems(0)]
    decision = Decision(
        a="1", b="2", verdict="duplicate", a_hash=hashes[0], b_hash=hashes[1]
    )
    append_decision(tmp_path / "decisions.jsonl", decision)
    _, dropped, _ = run(tmp_path, problems(0), decisions="decisions.jsonl")
    assert [drop.id for drop in dropped] == ["2"]
    _, dropped, folder = run(tmp_path, problems(90), decisions="decisions.jsonl")
    assert dropped == []
    assert len(list(read_jsonl(folder / "stale.jsonl", dict))) == 1


def test_a_family_is_one_leakage_group_and_a_table(tmp_path: Path) -> None:
    problems = [problem(str(k), TEXT.replace("12", str(k + 20))) for k in range(30)]
    kept, dropped, folder = run(tmp_path, problems)
    assert not dropped
    assert {p.origin for p in kept.values()} == {"0"}
    (family,) = read_jsonl(folder / "families.jsonl", dict)
    assert (family["size"], family["representative"]) == (30, "0")


def test_a_build_reads_the_cache_and_asks_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = [
        "A ferry carries 47 bikes.",
        "The ferry takes 47 bicycles.",
        "Name a prime.",
    ]

    def vector(body: dict) -> list[float]:
        twin = body["input"] in questions[:2]
        return [float(twin), float(not twin)]

    options = [Option(label="A", text="17 cm"), Option(label="B", text="12 cm")]
    problems = [
        problem(str(k), q, answer="A", options=options if k < 2 else options[:1])
        for k, q in enumerate(questions)
    ]
    with pytest.raises(UserError, match="no cache with the vectors of m"):
        run(tmp_path, problems, embeddings="m")
    items = [Item(id=p.id, question=p.question) for p in problems]
    with llm_server(vector) as server:
        meanings(items, Model(name="m", base_url=server.base_url), tmp_path / "a.db")
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(UserError, match="holds no vector of other"):
        run(tmp_path, problems, embeddings="other", answers=str(tmp_path / "a.db"))
    _, _, folder = run(
        tmp_path, problems, embeddings="m", answers=str(tmp_path / "a.db")
    )
    rows = list(read_jsonl(folder / "likeness.jsonl", dict))
    assert [(r["a"], r["b"], r["parts"]["meaning"]) for r in rows] == [("0", "1", 2.0)]


def test_one_text_of_many_pictures_is_no_evidence(tmp_path: Path) -> None:
    """A template: four pictures, one question, one answer, four problems."""
    problems = []
    for k in range(4):
        picture = Pillow.new("RGB", (120, 90), "white")
        picture.paste("black", (10 + 20 * k, 10, 25 + 20 * k, 30 + 12 * k))
        image = store_picture(encode_png(picture), tmp_path)
        question = "What is the missing number?"
        problems.append(problem(f"p{k}", question, answer="4", images=[image]))
    kept, dropped, folder = run(tmp_path, problems)
    assert {p.origin for p in kept.values()} == set(kept) == {f"p{k}" for k in range(4)}
    assert dropped == []
    pairs = list(read_jsonl(folder / "pairs.jsonl", dict))
    assert {pair["class"] for pair in pairs} == {"template"}
