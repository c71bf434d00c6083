"""Comparing two runs; leaderboards; people as a baseline."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from benchwright.cli import cli
from benchwright.errors import UserError
from benchwright.evaluate.metrics import Official, read_results
from benchwright.evaluate.people import booklets, humans
from benchwright.evaluate.runs import compare, compare_runs, leaderboard
from benchwright.evaluate.scoring import score
from click.testing import CliRunner
from small import release as built_release
from small_releases import (
    make_result,
    make_run,
    make_sample,
    write_predictions,
    write_release,
    write_run,
)

SAMPLES = [
    make_sample(
        f"a-{k}",
        str(k),
        labels={"subject": "even" if k % 2 == 0 else "odd", "level": 1},
    )
    for k in range(1, 101)
]


def right_until(tmp_path: Path, name: str, last: int) -> Path:
    rows = {s.id: s.answer if k <= last else "-7" for k, s in enumerate(SAMPLES, 1)}
    return write_predictions(tmp_path / f"{name}.jsonl", rows)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return write_release(tmp_path / "tiny", {"test": SAMPLES})


def test_a_clear_difference_and_a_tie(release: Path, tmp_path: Path) -> None:
    good, same, poor = (
        right_until(tmp_path, name, n)
        for name, n in (("good", 60), ("same", 59), ("poor", 40))
    )
    clear = compare(release, good, poor, "test")
    assert clear.verdict == "A is better"
    assert clear.difference.value == 0.2
    assert (clear.outcomes.only_first, clear.outcomes.only_second) == (20, 0)
    assert clear.difference.p == pytest.approx(2 / 2**20, abs=1e-12)
    assert clear.difference.low > 0
    assert compare(release, poor, good, "test").verdict == "B is better"
    assert compare(release, good, same, "test").verdict == "tied"
    odd = clear.by["subject"]["odd"]
    assert odd.difference.n == 50
    assert odd.p_adjusted >= odd.difference.p


def test_scored_folders_and_files_compare_alike(release: Path, tmp_path: Path) -> None:
    a, b = right_until(tmp_path, "a", 60), right_until(tmp_path, "b", 50)
    score(release, a, "test", tmp_path / "scores" / "a")
    score(release, b, "test", tmp_path / "scores" / "b")
    folders = compare(release, tmp_path / "scores/a", tmp_path / "scores/b", "test")
    assert folders == compare(release, a, b, "test")


def test_different_samples_are_not_compared() -> None:
    with pytest.raises(UserError, match="do not judge the same samples"):
        compare_runs(
            make_run("a", [make_result("a-1", True)]),
            make_run("b", [make_result("a-2", True)]),
        )


def test_cards_against_plain_prompts_move_groups_between_classes() -> None:
    """Knowledge cards help step one of g-1 and the whole of g-2."""
    plain = [
        ("g-1.step1", False),
        ("g-1.multi", False),
        ("g-2.step1", True),
        ("g-2.multi", False),
    ]
    cards = [(name, name != "g-1.multi") for name, _ in plain]
    comparison = compare_runs(
        make_run("plain", [make_result(n, c) for n, c in plain]),
        make_run("cards", [make_result(n, c) for n, c in cards]),
    )
    assert comparison.transitions == {"IG -> CM": 1, "IK -> IG": 1}


def test_versions_of_one_problem_widen_the_difference() -> None:
    names = [f"p-{k}.{v}" for k in range(40) for v in ("text_lite", "vision_only")]
    first = [make_result(n, int(n[2:].split(".")[0]) < 20) for n in names]
    second = [make_result(n, int(n[2:].split(".")[0]) < 10) for n in names]
    comparison = compare_runs(make_run("a", first), make_run("b", second))
    apart = compare_runs(
        make_run("a", [make_result(r.id, r.correct, origin=r.id) for r in first]),
        make_run("b", [make_result(r.id, r.correct, origin=r.id) for r in second]),
    )
    assert comparison.difference.se == pytest.approx(
        apart.difference.se * 2**0.5, rel=0.02
    )
    assert (comparison.difference.differing, apart.difference.differing) == (10, 20)
    assert any("80 samples form 40 clusters" in note for note in comparison.notes)


def test_leaderboard_ranks_and_names_ties(release: Path, tmp_path: Path) -> None:
    folders = []
    for name, n in (("poor", 30), ("best", 70), ("close", 68)):
        folders.append(tmp_path / "scores" / name)
        score(release, right_until(tmp_path, name, n), "test", folders[-1])
    board = leaderboard(folders, tmp_path / "board")
    assert [(e.run, e.ranks, e.may_be_best) for e in board.entries] == [
        ("best", (1, 2), True), ("close", (1, 2), True), ("poor", (3, 3), False),
    ]  # fmt: skip
    assert board.entries[2].behind == 0.4
    text = (tmp_path / "board/leaderboard.md").read_text()
    assert "| 1-2\\* | close |" in text
    assert "| 3 | poor |" in text
    assert "<svg" in (tmp_path / "board/leaderboard.html").read_text()
    result = CliRunner().invoke(
        cli, ["evaluate", "leaderboard", *map(str, folders), "--json"]
    )
    assert [e["run"] for e in json.loads(result.output)["entries"]] == [
        "best",
        "close",
        "poor",
    ]


def test_leaderboard_refuses_other_splits(release: Path, tmp_path: Path) -> None:
    other = write_release(tmp_path / "r2", {"dev": SAMPLES})
    path = right_until(tmp_path, "p", 5)
    score(release, path, "test", tmp_path / "one")
    score(other, path, "dev", tmp_path / "two")
    with pytest.raises(UserError, match=r"two is on tiny-1\.0\.0/dev"):
        leaderboard([tmp_path / "one", tmp_path / "two"])


def test_leaderboard_has_the_columns_of_mm_math(tmp_path: Path) -> None:
    """Difficulty, grade and knowledge points, several of which may hold for one problem."""
    labels = [
        {"difficulty": "hard", "grade": 9, "knowledge": ["Functions", "Shapes"]},
        {"difficulty": "easy", "grade": 7, "knowledge": ["Shapes"]},
        {"difficulty": "medium", "grade": 8, "knowledge": ["Functions"]},
    ]
    samples = [
        make_sample(f"m-{k}", "1", labels=label) for k, label in enumerate(labels)
    ]
    release = write_release(tmp_path / "r", {"test": samples}, {"m": "mm-math"})
    path = write_predictions(tmp_path / "p.jsonl", {"m-0": "1", "m-1": "0", "m-2": "1"})
    score(release, path, "test", tmp_path / "run")
    leaderboard([tmp_path / "run"], tmp_path / "board")
    text = (tmp_path / "board/leaderboard.md").read_text()
    for header, row in (
        ("easy | medium | hard", "0.0 % | 100.0 % | 100.0 %"),
        ("7 | 8 | 9", "0.0 % | 100.0 % | 100.0 %"),
        ("Functions | Shapes", "100.0 % | 50.0 %"),
    ):
        assert f"| run | {header} |" in text
        assert f"| run | {row} |" in text
    score(release, path, "test", tmp_path / "other", profile="official")
    with pytest.raises(
        UserError, match="other has the official profile, run the robust one"
    ):
        leaderboard([tmp_path / "run", tmp_path / "other"])


def test_leaderboard_shows_what_judges_found(release: Path, tmp_path: Path) -> None:
    score(release, right_until(tmp_path, "p", 30), "test", tmp_path / "run")
    scores = json.loads((tmp_path / "run/scores.json").read_bytes())
    parts = {"text_lite": {"value": 0.25}, "text_dominant": {"value": None}}
    scores["cot"] = {"all": {"value": 0.5}, "versions": parts}
    scores["process"] = {"categories": {"none": {"n": 1, "share": 1.0}}}
    (tmp_path / "run/scores.json").write_text(json.dumps(scores))
    leaderboard([tmp_path / "run"], tmp_path / "board")
    text = (tmp_path / "board/leaderboard.md").read_text()
    assert (
        "| run | all | text\\_dominant | text\\_lite |\n| --- | --- | --- | --- |\n"
        in text
    )
    assert "| run | 50.0 % | n/a | 25.0 % |" in text
    assert "| run | none |\n| --- | --- |\n| run | 100.0 % |" in text


def test_booklets_hold_every_sample_once_in_the_same_mix(
    release: Path, tmp_path: Path
) -> None:
    dealt = booklets(release, "test", tmp_path / "b", number=8, by=["subject"])
    assert sorted(x for part in dealt for x in part) == sorted(s.id for s in SAMPLES)
    subject = {s.id: s.labels["subject"] for s in SAMPLES}
    odd = [sum(subject[x] == "odd" for x in part) for part in dealt]
    assert max(odd) - min(odd) <= 1
    assert max(map(len, dealt)) - min(map(len, dealt)) <= 1
    assert dealt == booklets(release, "test", tmp_path / "c", number=8, by=["subject"])
    page = (tmp_path / "b/booklet-01.html").read_text()
    assert dealt[0][0] in page
    assert 'src="http' not in page


def test_booklets_show_mathematics(tmp_path: Path) -> None:
    booklets(built_release(tmp_path), "testmini", tmp_path / "b", number=1, by=[])
    page = (tmp_path / "b/booklet-01.html").read_text()
    assert page.count("<svg") >= 2, "$2+2$ and the others are drawn"
    assert "$" not in page
    assert all("<path" in drawing for drawing in page.split("<svg")[1:])


def test_people_are_scored_on_what_they_were_asked(
    release: Path, tmp_path: Path
) -> None:
    booklets(release, "test", tmp_path / "b", number=10, by=["subject"])
    rows = []
    for person, name in (
        ("anna", "booklet-01"),
        ("ben", "booklet-01"),
        ("cleo", "booklet-02"),
    ):
        for row in csv.DictReader((tmp_path / "b" / f"{name}.csv").open()):
            right = row["id"].removeprefix("a-")
            rows.append({"id": row["id"], "person": person, "answer": right})
    rows[0]["answer"], rows[-1]["answer"] = "-1", ""
    sheet = tmp_path / "answers.csv"
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["id", "person", "answer"])
        writer.writeheader()
        writer.writerows(rows)
    scores, people = humans(release, sheet, "test", tmp_path / "people")
    assert (scores.accuracy.n, scores.accuracy.correct, scores.accuracy.clusters) == (
        30,
        28,
        20,
    )
    assert {p: (r.n, r.correct) for p, r in people.items()} == {
        "anna": (10, 9), "ben": (10, 10), "cleo": (10, 9),
    }  # fmt: skip
    assert len(scores.coverage.missing) == 80
    model = tmp_path / "model"
    score(release, right_until(tmp_path, "m", 30), "test", model)
    board = leaderboard([tmp_path / "people", model])
    assert [e.run for e in board.entries] == [
        "model"
    ]  # people answered 20 of 100: never first
    assert [(e.run, e.accuracy.n, e.shared) for e in board.apart] == [
        ("people", 30, 20)
    ]


def test_votes_of_label_studio_are_answers_too(release: Path, tmp_path: Path) -> None:
    votes = tmp_path / "votes.jsonl"
    fields = ("problem_id", "field", "value", "annotator", "kind", "at")
    rows = [
        ("a-1", "answer", "8", "anna", "human", "1"),
        ("a-1", "subject", "odd", "anna", "human", "1"),
        ("a-2", "answer", 0, "ben", "human", "1"),
        ("a-3", "answer", "3", "gpt", "model", "1"),
        ("a-1", "answer", "1", "anna", "human", "2"),
    ]
    votes.write_text(
        "".join(json.dumps(dict(zip(fields, r, strict=True))) + "\n" for r in rows)
    )
    scores, people = humans(release, votes, "test", tmp_path / "people")
    assert list(people) == ["anna", "ben"]
    assert (scores.accuracy.n, scores.accuracy.correct) == (
        2,
        1,
    )  # anna's latest vote counts
    replies = {r.person: r.response for r in read_results(tmp_path / "people")}
    assert replies == {"anna": "1", "ben": "0"}


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("zz,anna,1\n", "unknown id 'zz'"),
        ("a-1,,1\n", "an answer without a person"),
        ("a-1,anna,1\na-1,anna,2\n", "s.csv:3: anna answered a-1 twice"),
        ("a-1,,\n", "holds no answers"),
    ],
)
def test_damaged_answer_sheets_are_refused(release, tmp_path, rows, says) -> None:
    sheet = tmp_path / "s.csv"
    sheet.write_text("id,person,answer\n" + rows)
    with pytest.raises(UserError, match=says):
        humans(release, sheet, "test")


def test_compare_command_says_what_matters(release: Path, tmp_path: Path) -> None:
    a, b = right_until(tmp_path, "a", 60), right_until(tmp_path, "b", 40)
    args = ["compare", str(release), str(a), str(b), "--split", "test"]
    text = CliRunner().invoke(cli, args).output
    assert "A - B +20.0 points" in text
    assert "verdict: A is better" in text
    data = json.loads(CliRunner().invoke(cli, [*args, "--json"]).output)
    assert data["difference"]["detectable"] == pytest.approx(
        2.8016 * 20**0.5 / 100, abs=1e-6
    )


def test_four_dimensions_of_two_runs_stand_side_by_side(tmp_path: Path) -> None:
    """Plain prompts against knowledge cards: one group moves from IK to CM, one stays IG."""
    samples = [
        make_sample(f"g-{k}.{v}", "1", origin=f"g-{k}")
        for k in (1, 2)
        for v in ("step1", "step2", "multi")
    ]
    release = write_release(tmp_path / "r", {"test": samples})
    plain = {
        s.id: "1" if s.id in ("g-1.step1", "g-2.step1", "g-2.step2") else "0"
        for s in samples
    }
    cards = {s.id: "0" if s.id == "g-2.multi" else "1" for s in samples}
    a = write_predictions(tmp_path / "cards.jsonl", cards)
    b = write_predictions(tmp_path / "plain.jsonl", plain)
    comparison = compare(release, a, b, "test")
    assert comparison.transitions == {"CM -> IK": 1, "IG -> IG": 1}
    scores = {name: d.score for name, d in comparison.four_dimensional.items()}
    assert scores == {
        "A strict": 0.75,
        "B strict": 0.25,
        "A loose": 0.75,
        "B loose": 0.25,
    }
    text = (
        CliRunner()
        .invoke(cli, ["compare", *map(str, (release, a, b)), "--split", "test"])
        .output
    )
    assert re.search(r"B strict\s+25.0 %\s+50.0 %\s+50.0 %\s+0.0 %\s+n/a", text)
    command = [
        "score",
        *map(str, (release, b)),
        "--split",
        "test",
        "--out",
        str(tmp_path / "o"),
    ]
    CliRunner().invoke(cli, [*command, "--alpha", "0.1", "--beta", "1"])
    table = json.loads((tmp_path / "o/scores.json").read_bytes())["four_dimensional"]
    assert table["weights"] == {"alpha": 0.1, "beta": 1.0}
    assert table["strict"]["score"] == 0.55


def test_runs_are_compared_by_the_verdicts_of_their_accuracy(tmp_path: Path) -> None:
    """Under the official rules A is right and B wrong everywhere, by robust rules the reverse:
    a comparison and a board of official runs may only know the official verdicts."""
    verdicts = (("a", True), ("b", False))
    runs = []
    for name, right in verdicts:
        official = Official(profile="math-v", correct=right)
        results = [
            make_result(f"p-{k}", not right, official=official) for k in range(12)
        ]
        runs.append(make_run(name, results, profile="official"))
    found = compare_runs(*runs)
    assert (found.verdict, found.difference.value) == ("A is better", 1.0)
    folders = [write_run(tmp_path / run.name, run) for run in runs]
    board = leaderboard(folders)
    assert [(e.run, e.accuracy.value, e.ranks) for e in board.entries] == [
        ("a", 1.0, (1, 1)), ("b", 0.0, (2, 2)),
    ]  # fmt: skip
    assert board.entries[1].behind == 1.0


def test_headline_leaves_text_only_out_and_so_does_the_test() -> None:
    """MathVerse, Table 2: A differs from B in Text Only alone."""
    names = [f"p-{k}.{v}" for k in range(20) for v in ("text_lite", "text_only")]
    a = make_run("a", [make_result(n, True) for n in names])
    b = make_run("b", [make_result(n, n.endswith("lite")) for n in names])
    assert a.scores.accuracy.n == b.scores.accuracy.n == 20
    assert b.scores.accuracy.value == 1.0
    assert set(b.scores.by["version"]) == {"text_lite", "text_only"}
    assert compare_runs(a, b).difference.value == 0.0


@pytest.mark.parametrize("what", ["split", "release", "build", "profile"])
def test_folders_of_something_else_are_refused_by_name(
    release: Path, tmp_path: Path, what: str
) -> None:
    good = right_until(tmp_path, "good", 60)
    score(release, good, "test", tmp_path / "one")
    other, split, profile = release, "test", "robust"
    if what == "split":
        other, split = write_release(tmp_path / "two-splits", {"dev": SAMPLES}), "dev"
    if what == "release":
        other = write_release(tmp_path / "renamed", {"test": SAMPLES}, name="other")
    if what == "build":
        other = write_release(tmp_path / "rebuilt", {"test": SAMPLES}, {"a": "we-math"})
    if what == "profile":
        profile = "math-v"
    score(other, good, split, tmp_path / "two", profile=profile)
    folders = [tmp_path / "one", tmp_path / "two"]
    with pytest.raises(UserError, match="two"):
        compare(release, *folders, "test")
    with pytest.raises(UserError, match="two"):
        leaderboard(folders)
    described = compare(release, *folders, "test", across=True)
    assert described.difference == sum(share.points for share in described.shares)
    assert described.a != described.b
    assert set(described.differ_in) >= {"verdicts" if what == "profile" else what}
    result = CliRunner().invoke(
        cli,
        ["compare", str(release), *map(str, folders), "--split", "test", "--across"],
    )
    assert result.exit_code == 0
    assert (
        "they differ in " + ("verdicts" if what == "profile" else what) in result.output
    )


def test_people_with_several_answers_meet_models_on_every_answer(
    release: Path, tmp_path
) -> None:
    """Three people answer each problem, two of them rightly: the gap is that of the accuracies,
    whatever the order of the rows."""
    rows = [
        f"a-{k},{p},{k if p != 'zoe' else 0}"
        for k in range(1, 31)
        for p in ("al", "bo", "zoe")
    ]
    score(release, right_until(tmp_path, "m", 100), "test", tmp_path / "model")
    gaps = []
    for order in (rows, rows[::-1]):
        sheet = tmp_path / "s.csv"
        sheet.write_text("id,person,answer\n" + "\n".join(order))
        humans(release, sheet, "test", tmp_path / "people")
        board = leaderboard([tmp_path / "model", tmp_path / "people"])
        gaps.append((board.apart[0].behind, board.apart[0].accuracy.value))
    assert (
        gaps[0]
        == gaps[1]
        == (pytest.approx(1 / 3, abs=1e-6), pytest.approx(2 / 3, abs=1e-6))
    )


def test_names_that_meet_and_replies_that_differ_in_number_are_told(
    release: Path, tmp_path: Path
) -> None:
    def scored(place: str, repeats: int) -> Path:
        results = [
            make_result(f"a-{k}", (k + repeat) % 2 > 0, repeat=repeat)
            for k in range(6) for repeat in range(1, repeats + 1)
        ]  # fmt: skip
        name = Path(place).name
        return write_run(tmp_path / place, make_run(name, results))

    four, two, again = scored("x/gpt", 4), scored("x/qwen", 2), scored("y/gpt", 4)
    with pytest.raises(
        UserError, match=r"two runs are called gpt: .*x/gpt and .*y/gpt"
    ):
        leaderboard([four, two, again])
    (remark,) = leaderboard([four, two]).remarks
    assert "2 of qwen; 4 of gpt" in remark
    assert leaderboard([four]).remarks == []
