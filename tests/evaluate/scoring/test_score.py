"""`benchwright score` on small releases: coverage, withheld answers, untouched inputs."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from benchwright.cli import cli
from benchwright.errors import UserError
from benchwright.evaluate.metrics import read_results
from benchwright.evaluate.predictions import read_predictions
from benchwright.evaluate.scoring import score, summary
from click.testing import CliRunner
from small_releases import make_sample, write_predictions, write_release

SAMPLES = [
    make_sample("a-1", "12", labels={"subject": "algebra", "level": 1}),
    make_sample("a-2", "7", labels={"subject": "algebra", "level": 2}),
    make_sample("a-3", "5", labels={"subject": "logic", "level": 2}),
    make_sample("a-4", "3", labels={"subject": "logic", "level": 10}, origin="a-3"),
]


UNDECIDED = (
    "You need to provide the picture for us to give an accurate answer, and the text does not say "
    "enough to decide. Please provide more details about the figure before I go on."
)
SPELLED = (
    "Counting Ann's and then Bob's, they have got no fewer than seven between them."
)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return write_release(
        tmp_path / "tiny-1.0.0", {"test": SAMPLES, "dev": [make_sample("a-9")]}
    )


def run(*args: object) -> tuple[int, str]:
    result = CliRunner().invoke(cli, [str(a) for a in args])
    if isinstance(result.exception, UserError):
        return 1, str(result.exception)
    return result.exit_code, result.output


def test_scores_have_the_documented_shape(release: Path, tmp_path: Path) -> None:
    replies = write_predictions(
        tmp_path / "p.jsonl", {"a-1": "12", "a-2": "8", "a-3": "5"}
    )
    code, _ = run(
        "score", release, replies, "--split", "test", "--out", tmp_path / "out"
    )
    assert code == 0
    scores = json.loads((tmp_path / "out/scores.json").read_text())
    assert (scores["release"], scores["split"], scores["profile"]) == (
        "tiny-1.0.0",
        "test",
        "robust",
    )
    assert {k: scores["accuracy"][k] for k in ("n", "correct", "value", "clusters")} == {
        "n": 4, "correct": 2, "value": 0.5, "clusters": 3,
    }  # fmt: skip
    assert scores["counts"]["samples"] == 4
    assert scores["counts"]["missing"] == 1
    assert list(scores["by"]["level"]) == ["1", "10", "2"]  # JSON keys are sorted
    assert scores["by"]["subject"]["logic"]["correct"] == 1
    macro = scores["macro"]["subject"]
    assert (macro["groups"], macro["value"]) == (2, 0.5)
    assert macro["low"] < 0.5 < macro["high"]
    assert scores["coverage"]["missing"] == ["a-4"]
    assert scores["official"] is None
    assert scores["four_dimensional"] is None
    results = read_results(tmp_path / "out")
    assert [(r.id, r.status, r.correct) for r in results] == [
        ("a-1", "ok", True), ("a-2", "ok", False), ("a-3", "ok", True), ("a-4", "missing", False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"id": "a-1", "response": "again"}', "duplicate id in predictions: "),
        (
            '{"id": "1", "response": "again, by its raw id"}',
            "duplicate id in predictions: ",
        ),
        ('{"id": "zz", "response": "1"}', "unknown id in predictions: "),
        ('{"id": "a-2", "resp', "unreadable row in predictions: "),
        ('{"id": "a-2"}', "no response field"),
        ('{"response": "3"}', "no id field"),
        ("[1]", "not a JSON object"),
    ],
)
def test_damaged_predictions_are_refused_or_listed(
    release, tmp_path, line, says
) -> None:
    path = write_predictions(tmp_path / "p.jsonl", {"a-1": "12"})
    path.write_text(path.read_text() + line + "\n")
    code, text = run(
        "score", release, path, "--split", "test", "--out", tmp_path / "out"
    )
    assert code == 1
    assert says in text
    assert "p.jsonl:2" in text
    assert "--lenient" in text
    assert not (tmp_path / "out").exists()
    scores, results = score(release, path, "test", lenient=True)
    assert results[0].response == "12"  # the first row counts
    coverage = scores.coverage
    assert len(coverage.duplicates + coverage.unknown + coverage.unreadable) == 1
    assert scores.counts["missing"] == 3


def test_rows_of_other_splits_are_counted_not_used(
    release: Path, tmp_path: Path
) -> None:
    path = write_predictions(tmp_path / "p.jsonl", {"a-1": "12", "a-9": "1"})
    scores, _ = score(release, path, "test")
    assert scores.coverage.other_splits == 1
    assert scores.coverage.unknown == []


def test_field_names_can_be_given(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"pid": "a-1", "id": "x", "out": "12", "response": "no"}\n')
    predictions = read_predictions(path, SAMPLES, id_field="pid", response_field="out")
    assert predictions.replies == {"a-1": "12"}


def test_withheld_answers(tmp_path: Path) -> None:
    hidden = [msgspec.structs.replace(s, answer=None) for s in SAMPLES]
    release = write_release(tmp_path / "r", {"test": hidden})
    answers = tmp_path / "answers.jsonl"
    answers.write_text(
        "".join(f'{{"id": "{s.id}", "answer": "{s.answer}"}}\n' for s in SAMPLES)
    )
    path = write_predictions(tmp_path / "p.jsonl", {"a-1": "12"})
    with pytest.raises(UserError, match="answers of 4 samples are withheld"):
        score(release, path, "test")
    assert score(release, path, "test", answers=answers)[0].accuracy.correct == 1


def test_inputs_stay_untouched_and_rescoring_gives_the_same_bytes(
    release, tmp_path
) -> None:
    path = write_predictions(tmp_path / "p.jsonl", {"a-1": "12", "a-2": "7"})
    inputs = {f: f.read_bytes() for f in [*release.rglob("*"), path] if f.is_file()}
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder, jobs in zip(folders, (1, 2), strict=True):
        score(release, path, "test", folder, jobs=jobs, name="p")
    assert {f: f.read_bytes() for f in inputs} == inputs
    first, second = (
        {f.name: f.read_bytes() for f in d.rglob("*.*") if f.is_file()} for d in folders
    )
    assert first == second


def test_output_that_would_hit_an_input_is_refused(
    release: Path, tmp_path: Path
) -> None:
    path = write_predictions(tmp_path / "samples.jsonl", {"a-1": "12"})
    with pytest.raises(UserError, match="would overwrite"):
        score(release, path, "test", tmp_path)
    with pytest.raises(UserError, match="inside the release"):
        score(release, path, "test", release / "scores")


def test_unknown_split_and_missing_official_rules(
    release: Path, tmp_path: Path
) -> None:
    path = write_predictions(tmp_path / "p.jsonl", {"a-1": "12"})
    with pytest.raises(UserError, match="did you mean 'test'"):
        score(release, path, "tset")
    with pytest.raises(UserError, match="no official rules are known for source 'a'"):
        score(release, path, "test", profile="official")


def test_a_judge_adds_is_counted_apart_and_asked_once(
    release: Path, tmp_path: Path
) -> None:
    """The judge sees only the reply that rules left open; offline rescoring gives the same."""
    from benchwright import llm
    from benchwright.evaluate.judges import Judge
    from llm_server import llm_server

    replies = {"a-1": "12", "a-2": SPELLED, "a-3": "5", "a-4": "4"}
    path = write_predictions(tmp_path / "p.jsonl", replies)
    out = tmp_path / "out"

    def honest(body: dict) -> str:
        right = "they have got no fewer than seven" in str(body)
        return json.dumps({"answer": "7" if right else "", "equal": right})

    with llm_server(honest) as server:
        model = llm.Model(name="judge", base_url=server.base_url)
        judge = Judge(model=model, cache=tmp_path / "cache.db")
        scores, results = score(
            release, path, "test", out, judge=judge, protocols=["answers"]
        )
    assert (scores.counts["by_rule"], scores.counts["by_judge"]) == (3, 1)
    assert scores.accuracy.correct == 3
    assert results[1].decided_by == "judge"
    assert scores.judge["model"] == "judge"
    assert scores.judge["canaries"]["answers"]["judge"]["obeyed"] == []
    assert {k: scores.judge["answers"][k] for k in ("asked", "right", "wrong")} == {
        "asked": 1, "right": 1, "wrong": 0,
    }  # fmt: skip
    before = {f.name: f.read_bytes() for f in out.glob("[rs]*.*") if f.is_file()}
    judge.offline = True
    score(release, path, "test", out, judge=judge, protocols=["answers"])
    assert {
        f.name: f.read_bytes() for f in out.glob("[rs]*.*") if f.is_file()
    } == before


def test_a_judged_run_keeps_its_name(release: Path, tmp_path: Path) -> None:
    from llm_server import llm_server

    path, out = (
        write_predictions(tmp_path / "p.jsonl", {"a-2": SPELLED}),
        tmp_path / "out",
    )
    with llm_server(lambda body: '{"answer": "", "equal": false}') as server:
        command = [
            "score",
            str(release),
            str(path),
            "--split",
            "test",
            "--out",
            str(out),
        ]
        command += ["--judge", "m", "--base-url", server.base_url, "--name", "modelA"]
        done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0, done.output
    assert (out / "answers.jsonl").is_file()
    assert json.loads((out / "scores.json").read_bytes())["name"] == "modelA"


def test_a_stopped_judge_goes_on_where_it_was_and_says_what_it_cost(
    release: Path, tmp_path: Path
) -> None:
    """429 and 500 until the first run gives up; the second asks only what is missing."""
    from llm_server import llm_server

    replies = {"a-1": "12", "a-2": "7", "a-3": "5", "a-4": "4"}
    path, out = write_predictions(tmp_path / "p.jsonl", replies), tmp_path / "out"

    def verdict(body: dict) -> str:
        """Steps that are the reply's, and an answer that is right unless the gold is a canary's."""
        text = body["messages"][0]["content"]
        text = text if isinstance(text, str) else text[-1]["text"]
        (mark,) = {line for line in text.splitlines() if line.startswith("REPLY-")}
        inner = text.split(f"\n{mark}\n")[1].removesuffix(f"\n{mark}")
        if "You are not shown" in text:
            return json.dumps(
                {"steps": ["one"], "answer": inner if inner.isdigit() else "none"}
            )
        wrong = inner.endswith("is none")
        mark = {"score": 1 - wrong, "error": "reasoning" if wrong else None}
        return json.dumps({"steps": [mark, mark], "answer": int(not wrong)})

    with llm_server(verdict, failures=["429", "500", "garbage"] * 3) as server:
        command = [
            "score",
            str(release),
            str(path),
            "--split",
            "test",
            "--out",
            str(out),
        ]
        command += ["--judge", "m", "--base-url", server.base_url, "--protocol", "cot"]
        command += ["--set", "retries=0", "--set", "concurrency=1"]
        command += ["--set", "price-in=10"]
        first = CliRunner().invoke(cli, command)
        assert "9 failed, the same command asks these again" in first.stderr
        assert "judgements: ok 0, error 4" in first.stdout
        second = CliRunner().invoke(cli, command)
        # two made replies are to one of the four samples, and their steps are scored as one
        assert (
            "18 replies, 1 from the cache; 1700 prompt and 170 reply tokens, cost 0.017"
            in (second.stderr)
        )
        asked = len(server.requests)
        files = {f: f.read_bytes() for f in out.glob("*.[jmh]*")}
        third = CliRunner().invoke(cli, command)
        assert len(server.requests) == asked == 26
    assert "chain of thought 100.00 %" in third.stdout
    page = (out / "report.data/samples-00000.js").read_text()
    assert (
        '"said":["chain of thought 1.000: right answer, right reasoning","✓ one",'
        in page
    )
    assert "18 from the cache; 0 prompt and 0 reply tokens, cost 0" in third.stderr
    assert files == {f: f.read_bytes() for f in out.glob("*.[jmh]*")}
    assert {f.name for f in files} >= {
        "cot.jsonl",
        "scores.json",
        "report.md",
        "report.html",
    }


@pytest.mark.parametrize("option", [["--protocol", "cot"], ["--set", "offline=true"]])
def test_what_a_judge_should_do_needs_a_judge(
    release: Path, tmp_path: Path, option
) -> None:
    path = write_predictions(tmp_path / "p.jsonl", {"a-1": "12"})
    command = [
        "score",
        release,
        path,
        "--split",
        "test",
        "--out",
        tmp_path / "out",
        *option,
    ]
    assert run(*command)[0] == 2
    assert not (tmp_path / "out").exists()


def test_rules_that_stumble_over_one_reply_lose_no_other(
    release, tmp_path, monkeypatch
) -> None:
    from benchwright.evaluate.scoring import grade_replies as judging

    def stumble(response: str, gold: str, **fields: object) -> object:
        if response == "trap":
            raise RecursionError("too deep")
        return judging.Verdict(equal=response == gold, how="text", extracted=response)

    monkeypatch.setattr(judging, "grade_response", stumble)
    path = write_predictions(tmp_path / "p.jsonl", {"a-1": "12", "a-2": "trap"})
    scores, results = score(release, path, "test")
    assert scores.accuracy.correct == 1
    assert (results[1].status, scores.counts["refused"]) == ("refused", 1)
    assert "RecursionError" in results[1].how


def test_refusals_and_truncated_replies_are_counted_apart(
    release: Path, tmp_path: Path
) -> None:
    given = {
        "a-1": "I'm sorry, I cannot see the image.",
        "a-2": "<think>It is 7",
        "a-3": "Let us think about it.",
    }
    replies = write_predictions(tmp_path / "p.jsonl", given)
    counts = score(release, replies, "test").scores.counts
    ends = ("missing", "unextracted", "declined", "truncated", "ok")
    assert [counts[name] for name in ends] == [1, 1, 1, 1, 0]


def test_a_long_reply_is_stored_once(release: Path, tmp_path: Path) -> None:
    long = "We count. " * 5000 + "The answer is 12."
    replies = write_predictions(
        tmp_path / "p.jsonl", {"a-1": long, "a-2": long, "a-3": "5"}
    )
    out = tmp_path / "out"
    results = score(release, replies, "test", out).results
    assert [r.correct for r in results] == [True, False, True, False]
    assert (out / "samples.jsonl").stat().st_size < 5000
    assert (out / "replies.jsonl").read_text().count("The answer is 12.") == 1
    assert [r.response for r in read_results(out)] == [long, long, "5", None]
    write_predictions(tmp_path / "p.jsonl", {"a-1": "12"})
    score(release, replies, "test", out)
    assert not (out / "replies.jsonl").exists()


def test_partial_credit_stands_beside_accuracy(tmp_path: Path) -> None:
    samples = [make_sample("b-1", "(1) 5; (2) 7"), make_sample("b-2", "4")]
    release = write_release(tmp_path / "parts-1.0.0", {"test": samples})
    replies = write_predictions(
        tmp_path / "p.jsonl", {"b-1": "(1) 5 (2) 8", "b-2": "4"}
    )
    scores = score(release, replies, "test").scores
    assert scores.accuracy.value == 0.5
    assert scores.several is not None
    assert (scores.several.strict.value, scores.several.partial) == (0, 0.5)


def test_repeats_are_judged_each(tmp_path: Path) -> None:
    release = write_release(
        tmp_path / "r", {"test": [make_sample("a-1", "1"), make_sample("a-2", "2")]}
    )
    rows = [{"id": "a-1", "repeat": k, "response": str(k)} for k in (1, 2)]
    rows += [{"id": "a-2", "repeat": k, "response": "2"} for k in (1, 2)]
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    scores, results = score(release, path, "test", tmp_path / "out")
    assert [(r.id, r.repeat, r.correct) for r in results] == [
        ("a-1", 1, True), ("a-1", 2, False), ("a-2", 1, True), ("a-2", 2, True),
    ]  # fmt: skip
    assert scores.accuracy.value == scores.repeats.mean.value == 0.75
    assert scores.repeats.passes["2"].value == 1.0
    assert "mean@2" in (tmp_path / "out/report.md").read_text()


def test_a_version_without_predictions_prints_a_dash(tmp_path: Path) -> None:
    """MathVerse's published results hold Text Only in a second file."""
    names = [
        f"v-{k}.{v}" for k in (1, 2) for v in ("text_lite", "text_only", "vision_only")
    ]
    release = write_release(
        tmp_path / "r",
        {"test": [make_sample(n, "1") for n in names]},
        {"v": "mathverse"},
    )
    lite = {n: "1" for n in names if n.endswith("lite")}
    path = write_predictions(tmp_path / "p.jsonl", lite)
    scores, _ = score(release, path, "test", tmp_path / "out")
    assert scores.not_run == ["text_only", "vision_only"]
    assert (scores.accuracy.n, scores.accuracy.value) == (2, 1.0)
    assert scores.versions.vision_only is None
    text = (tmp_path / "out/report.md").read_text()
    assert "| vision\\_only |  |  | – | no predictions |" in text
    second = write_predictions(
        tmp_path / "q.jsonl", {n: "1" for n in names if n not in lite}
    )
    both, _ = score(release, [path, second], "test")
    assert (both.not_run, both.accuracy.n) == ([], 4)


def test_published_judgements_are_the_official_verdict(tmp_path: Path) -> None:
    sample = make_sample("v-685.text_lite", "14")
    release = write_release(tmp_path / "r", {"test": [sample]}, {"v": "mathverse"})
    row = {"problem_index": "685", "problem_version": "Text Lite", "model_answer": "It is 15.",
           "extraction": "15", "judgement": "1"}  # fmt: skip
    path = tmp_path / "p.json"
    path.write_text(json.dumps([row]))
    _, results = score(release, path, "test")
    official = results[0].official
    assert (official.correct, official.extracted) == (True, "15")
    assert official.how == "the file's own judgement"
    assert not results[0].correct


def test_an_official_figure_of_nought_says_what_its_rules_lack(tmp_path: Path) -> None:
    sample = make_sample("v-1.text_lite", "14")
    release = write_release(tmp_path / "r", {"test": [sample]}, {"v": "mathverse"})
    for reply, told in (("So it is 14.", True), ("Extracted Answer: 14", False)):
        path = write_predictions(tmp_path / "p.jsonl", {sample.id: reply})
        said = summary(score(release, path, "test")[0])
        assert ("what a model extracted, and these replies hold none" in said) == told


def test_what_was_known_of_replies_arrives_in_verdicts_and_counts(
    release, tmp_path
) -> None:
    """A cut reply ends in the middle: what stands last in it is no answer, what it declares is."""
    rows = [
        {
            "id": "a-1",
            "response": "First there are 3 and then 12 or",
            "status": "truncated",
        },
        {
            "id": "a-2",
            "response": "The answer is 7. To check,",
            "finish_reason": "MAX_TOKENS",
        },
        {"id": "a-3", "response": "", "status": "refused"},
        {"id": "a-4", "response": None, "status": "error"},
    ]
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    scores, results = score(release, path, "test", profile="math-v")
    assert [r.status for r in results] == ["truncated", "ok", "declined", "failed"]
    assert [r.ended for r in results] == ["truncated", "truncated", "refused", "failed"]
    assert [r.correct for r in results] == [False, True, False, False]
    counts = scores.counts
    assert (
        counts["samples"] == counts["answered"] + counts["missing"] + counts["failed"]
    )
    assert (scores.endings["truncated"].n, scores.endings["truncated"].robust) == (2, 1)
    assert scores.endings["truncated"].official is not None


@pytest.mark.parametrize("field", ["correct", "scores", "zz"])
def test_a_files_own_verdicts_are_known_under_any_name(
    tmp_path: Path, field: str
) -> None:
    samples = [make_sample(f"b-{k}", str(k)) for k in range(40)]
    release = write_release(tmp_path / "own-1.0.0", {"test": samples})
    rows = [{"id": s.id, "response": str(k if k % 3 else 99), "cached": k % 2 == 0,
             field: ("C" if k % 3 else "I") if k != 7 else "I"}
            for k, s in enumerate(samples)]  # fmt: skip
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    own = score(release, path, "test").scores.own
    assert own is not None
    assert (own.field, own.n, own.robust_differs) == (field, 40, ["b-7"])
