"""Twenty planted causes on real outputs, each told apart; shares that sum exactly."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from benchwright import build_release
from benchwright.base.files import write_jsonl
from benchwright.cli import cli
from benchwright.errors import UserError
from benchwright.evaluate.metrics import OPEN, read_results
from benchwright.evaluate.predictions import Prompt, RunRecord, write_record
from benchwright.evaluate.runs import explain
from benchwright.evaluate.scoring import score
from benchwright.problem import Image, Sample, Vote
from benchwright.release import read_samples
from click.testing import CliRunner
from msgspec.structs import replace
from real_data import RealData
from small import write_recipe
from small_releases import make_sample, write_predictions, write_release

RUNS = ("Gemini-Pro-CoT", "Qwen-VL-Max-CoT", "InternLM-XComposer2-VL-CoT", "Gemini-Pro")
Row = dict[str, Any]
Rows = list[Row]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty questions; the replies of a run that is right on three of four, with its working."""
    samples = [
        make_sample(f"a-{k}", str(k + 3), question=f"What is {k} + 3?")
        for k in range(40)
    ]
    return write_release(tmp_path_factory.mktemp("r") / "tiny", {"test": samples})


def replies() -> Rows:
    said = (
        "First I look at {k}, then I add three to it, as one does.\nThe answer is {a}."
    )
    return [{"id": f"a-{k}", "response": said.format(k=k, a=k + 3 if k % 4 else 0)}
            for k in range(40)]  # fmt: skip


class Copy(NamedTuple):
    """What is done to every third row and sample of a real run, and how both copies were asked."""

    says: str
    row: Callable[[Row, str], Row | None] = lambda row, other: (
        row
    )  # other: another run's reply
    sample: Callable[[Sample], Sample | None] = lambda sample: sample
    asked: dict[str, Any] | None = None


def reply(text: Callable[[str], str | None], **known: str) -> Callable[[Row, str], Row]:
    return lambda row, other: row | {"response": text(row["response"])} | known


def another(row: Row, other: str) -> Row:
    return row | {"response": other}


def other_gold(sample: Sample) -> Sample:
    labels = [
        option.label for option in sample.options if option.label != sample.answer
    ]
    return replace(sample, answer=labels[0] if labels else "4321")


def other_picture(sample: Sample) -> Sample:
    return replace(
        sample, images=[Image(path="a.png", sha256="f" * 64, width=9, height=9)]
    )


def exchanged(sample: Sample) -> Sample:
    """The options' texts stand at other letters, and the gold's letter stays."""
    texts = [option.text for option in sample.options]
    moved = zip(sample.options, texts[1:] + texts[:1], strict=True)
    return replace(
        sample, options=[replace(option, text=text) for option, text in moved]
    )


ASKED = "asked otherwise: "
UNDECIDED = re.compile(  # options of MATH-V
    r"cannot|impossible|not enough|(?:not|unable).*determin", re.IGNORECASE
)
STYLE = Prompt(style="y", sha256="1" * 8, texts={})
COPIES = {
    "shortened": Copy("missing in B", lambda row, other: None),
    "null": Copy("failed in B", reply(lambda text: None)),
    "failed, in a harness's words": Copy(
        "failed in B", reply(lambda text: "Failed to obtain answer via API.")),
    "cut, and nothing says so": Copy("truncated in B", reply(lambda text: text[: len(text) // 2])),
    "cut, and known to be": Copy(
        "truncated in B", reply(lambda text: "There are 17 and then", finish_reason="length")),
    "thought until the limit": Copy(
        "truncated in B", reply(lambda text: "", thoughts="Hm", finish_reason="length")),
    "declined": Copy("declined in B", reply(lambda text: "I'm sorry, but I can't help with that.")),
    "filtered": Copy("declined in B", reply(lambda text: "", finish_reason="content_filter")),
    "empty": Copy("not extracted in B", reply(lambda text: "")),
    "no answer": Copy("not extracted in B", reply(lambda text: "What the picture shows is nice.")),
    "another gold": Copy("gold changed", sample=other_gold),
    "another question": Copy("question or picture changed", another,
                             lambda sample: replace(sample, question=sample.question + " Why?")),
    "another picture": Copy("question or picture changed", another, other_picture),
    "options exchanged": Copy("question or picture changed", sample=exchanged),
    "fewer samples": Copy(
        "sample set: only A has it", lambda row, other: None, lambda sample: None),
    "prompt": Copy(f"{ASKED}prompt", another, asked={"prompts": [STYLE]}),
    "sampling": Copy(f"{ASKED}sampling", another, asked={"parameters": {"temperature": 1.0}}),
    "blind": Copy(f"{ASKED}pictures", another, asked={"blind": True}),
    "another model": Copy(f"{ASKED}model", another, asked={"model": "n"}),
    "system prompt": Copy(f"{ASKED}system prompt", another, asked={"system": "Be brief."}),
    "another harness": Copy(f"{ASKED}harness", another, asked={"harness": "n"}),
    "chance": Copy("asked alike, answered otherwise: chance", another, asked={}),
    "not known": Copy("another reply, and nothing says how both were asked", another),
}  # fmt: skip


class Real(NamedTuple):
    """A published run, another one of the same questions, and all that they answer."""

    samples: list[Sample]
    rows: Rows
    others: dict[str, str]


@pytest.fixture(scope="module")
def real(data: RealData, tmp_path_factory: pytest.TempPathFactory) -> Real:
    samples = read_samples(math_v(data, tmp_path_factory.mktemp("math-v")), "test")
    others = {
        row["id"]: row["response"] for row in outputs(data, "Qwen-VL-Max-CoT", samples)
    }
    return Real(samples, outputs(data, "Gemini-Pro-CoT", samples), others)


def math_v(data: RealData, folder: Path) -> Path:
    source = {
        "reader": "math-v",
        "path": str(data.math_v("test.jsonl")),
        "license": "MIT",
    }
    plan = {"name": "x", "version": "1.0.0", "sources": [{"name": "math-v"} | source]}
    return build_release(
        write_recipe(folder / "recipe.yaml", plan), folder / "out"
    ).release


def outputs(data: RealData, run: str, samples: list[Sample]) -> Rows:
    known = {sample.source.raw_id for sample in samples}
    rows = map(json.loads, data.math_v(f"outputs/{run}.jsonl").open())
    return [row for row in rows if row["id"] in known]


def scored_copy(
    folder: Path, samples: list[Sample], rows: Rows, asked: Any = None
) -> dict:
    """Score a copy in `folder`; which samples are right."""
    release = write_release(folder / "release", {"test": samples}, name="x")
    said = folder / "said.jsonl"
    said.write_text("".join(json.dumps(row) + "\n" for row in rows))
    if asked is not None:
        record = RunRecord(
            model="m", prompts=[Prompt(style="x", sha256="0" * 8, texts={})]
        )
        write_record(said, replace(record, **asked))
    results = score(release, said, "test", folder / "run", report=False).results
    return {result.id: result.correct for result in results}


@pytest.mark.parametrize("name", COPIES)
def test_copies_of_real_outputs_are_told_apart(
    real: Real, tmp_path: Path, name: str
) -> None:
    """Every sample whose verdict differs has the cause that was planted; shares sum exactly."""
    copy = COPIES[name]
    rows = [{"id": row["id"], "response": row["response"]} for row in real.rows]
    given = (
        copy.row(row, real.others[row["id"]]) if k % 3 == 1 else row
        for k, row in enumerate(rows)
    )
    changed = [row for row in given if row is not None]
    third = {row["id"] for row in rows[1::3]}
    shown = (copy.sample(s) if s.source.raw_id in third else s for s in real.samples)
    samples = [sample for sample in shown if sample is not None]
    a = scored_copy(
        tmp_path / "a", real.samples, rows, None if copy.asked is None else {}
    )
    b = scored_copy(tmp_path / "b", samples, changed, copy.asked)
    found = explain(tmp_path / "a/run", tmp_path / "b/run")
    told = {one: s.cause for s in found.shares for one in (*s.only_a, *s.only_b)}
    differ = {one for one in b if a[one] != b[one]} | {
        one for one in a.keys() - b if a[one]
    }
    assert differ == told.keys() != set()
    detail = (
        {"not extracted in A", "not extracted in B"} if copy.row is another else set()
    )
    assert copy.says in told.values()
    doubtful = {
        s.id for s in real.samples if any(UNDECIDED.search(o.text) for o in s.options)
    }
    if name == "declined":  # in words, where an option says so, too: nothing is read
        told = {one: cause for one, cause in told.items() if one not in doubtful}
    assert set(told.values()) <= {copy.says} | detail
    exact = Fraction(sum(a.values()), len(a)) - Fraction(sum(b.values()), len(b))
    assert found.difference == float(exact)
    assert sum(share.points for share in found.shares) == pytest.approx(
        float(exact), abs=1e-12
    )
    assert len(a) == len(b) or any(
        "another number" in share.cause for share in found.shares
    )


def test_rejudged_copies_are_told_from_the_rules(
    data: RealData, real: Real, tmp_path
) -> None:
    """Verdicts of people, and verdicts in the file that somebody turned around."""
    scored_copy(tmp_path / "a", real.samples, real.rows)
    left = [r for r in read_results(tmp_path / "a/run") if r.status in OPEN]
    votes = [Vote(problem_id=r.id, field="correct", value="true", annotator="ada", at="1",
                  about=r.about()) for r in left]  # fmt: skip
    write_jsonl(tmp_path / "votes.jsonl", votes)
    score(tmp_path / "a/release", tmp_path / "a/said.jsonl", "test", tmp_path / "judged",
          verdicts=tmp_path / "votes.jsonl")  # fmt: skip
    (share,) = explain(tmp_path / "a/run", tmp_path / "judged").shares
    assert (share.cause, share.only_a) == ("decided by person", [])
    assert set(share.only_b) == {r.id for r in left} != set()
    turned = [
        row | {"correct": row["correct"] ^ (k % 5 == 0)}
        for k, row in enumerate(real.rows)
    ]
    scored_copy(tmp_path / "b", real.samples, turned)
    official = score(tmp_path / "b/release", tmp_path / "b/said.jsonl", "test", tmp_path / "o",
                     profile="official").results  # fmt: skip
    (share,) = explain(tmp_path / "o", "own").shares
    assert share.cause == "compared otherwise"
    differ = {r.id for r in official if r.official.correct != r.own.correct}
    assert {*share.only_a, *share.only_b} == differ
    assert abs(len(differ) - len(turned) / 5) <= 2  # one row of the outputs is stale


def test_harnesses_own_verdicts_on_the_same_replies_are_explained(
    real: Real, tmp_path
) -> None:
    """Tables as VLMEvalKit writes them and logs as lmms-eval does, with MATH-V's own verdicts."""
    known = {sample.source.raw_id: sample for sample in real.samples}
    said = [(known[row["id"]], row) for row in real.rows]
    vlm = [{"index": s.source.raw_id, "answer": s.answer, "prediction": row["response"],
            "res": row["model_answer"], "hit": int(row["correct"])} for s, row in said]  # fmt: skip
    lmms = [{"doc_id": k, "doc": {"id": s.source.raw_id, "answer": s.answer}, "target": s.answer,
             "filtered_resps": [row["response"]], "mathvision_standard_eval":
             {"response": [row["model_answer"]], "scores": [row["correct"]]}}
            for k, (s, row) in enumerate(said)]  # fmt: skip
    plain = scored_copy(tmp_path / "plain", real.samples, real.rows)
    for name, rows in (("vlm", vlm), ("lmms", lmms)):
        assert scored_copy(tmp_path / name, real.samples, rows) == plain
        results = {r.id: r for r in read_results(tmp_path / name / "run")}
        assert all(results[s.id].own.correct == row["correct"] for s, row in said)
        found = explain(tmp_path / name / "run", "own")
        told = {one for share in found.shares for one in (*share.only_a, *share.only_b)}
        assert (
            told == {s.id for s, row in said if plain[s.id] != row["correct"]} != set()
        )
        rules = {"extracted otherwise", "compared otherwise"}
        rules |= {f"not extracted by {side}'s rules" for side in "AB"}
        assert {share.cause for share in found.shares} <= rules


def test_the_page_of_an_explanation_is_written(release: Path, tmp_path: Path) -> None:
    for name, rows in (("a", replies()), ("b", replies()[:30])):
        (tmp_path / f"{name}.jsonl").write_text(
            "".join(json.dumps(r) + "\n" for r in rows)
        )
    explain(tmp_path / "a.jsonl", tmp_path / "b.jsonl", release=release, split="test",
            out=tmp_path / "why")  # fmt: skip
    assert "missing in B" in (tmp_path / "why/explained.html").read_text()


@pytest.mark.parametrize(
    "doubt", ["replies changed", "count", "model", "broken", "none"]
)
def test_a_record_that_lies_is_doubted_and_never_mended(
    release, tmp_path: Path, doubt
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        "".join(json.dumps(row | {"model": "m"}) + "\n" for row in replies())
    )
    write_record(
        path, RunRecord(model="m" if doubt != "model" else "another", answers=40)
    )
    kept = tmp_path / "RUN.json"
    if doubt == "replies changed":
        path.write_text(path.read_text() + "\n")
    if doubt == "count":
        kept.write_text(kept.read_text().replace('"answers": 40', '"answers": 41'))
    if doubt == "broken":
        kept.write_text(kept.read_text()[:30])
    if doubt == "none":
        kept.unlink()
    known = score(release, path, "test").scores.provenance
    said = [*known.remarks, *(d for record in known.runs for d in record.doubts)]
    assert len(said) == 1
    assert {"replies changed": "not the file", "count": "counts 41", "model": "names another",
            "broken": "cannot be read", "none": "no RUN.json"}[doubt] in said[0]  # fmt: skip


def test_golds_and_pictures_that_changed_are_told_from_replies(tmp_path: Path) -> None:
    old = [make_sample(f"a-{k}", "1", question=f"q {k}") for k in range(6)]
    new = [make_sample(f"a-{k}", "2" if k < 2 else "1", question=f"q {k}{'!' * (k == 3)}")
           for k in range(6)]  # fmt: skip
    for name, samples, said in (("one", old, "111111"), ("two", new, "111211")):
        folder = write_release(tmp_path / f"r-{name}", {"test": samples}, name=name)
        texts = dict(zip((s.id for s in samples), said, strict=True))
        score(
            folder,
            write_predictions(tmp_path / f"{name}.jsonl", texts),
            "test",
            tmp_path / name,
        )
    found = explain(tmp_path / "one", tmp_path / "two")
    assert {s.cause: s.only_a for s in found.shares} == {
        "gold changed": ["a-0", "a-1"], "question or picture changed": ["a-3"],
    }  # fmt: skip


def test_another_set_of_samples_has_its_own_share_and_the_sum_is_exact(
    tmp_path: Path,
) -> None:
    samples = [make_sample(f"a-{k}", "1") for k in range(7)]
    for name, part in (("one", samples), ("two", samples[:3])):
        folder = write_release(tmp_path / f"r-{name}", {"test": part}, name=name)
        texts = {s.id: "1" if k != 1 else "2" for k, s in enumerate(part)}
        score(
            folder,
            write_predictions(tmp_path / f"{name}.jsonl", texts),
            "test",
            tmp_path / name,
        )
    found = explain(tmp_path / "one", tmp_path / "two")
    assert found.difference == pytest.approx(6 / 7 - 2 / 3)
    assert sum(s.points for s in found.shares) == pytest.approx(found.difference)
    shown = [row[1] for row in found.table()[1]]
    assert sum(round(100 * float(p)) for p in shown[:-1]) == round(
        100 * float(shown[-1])
    )


@pytest.mark.parametrize("run", RUNS)
def test_rules_and_the_files_own_verdicts_are_explained(
    data: RealData, tmp_path, run: str
) -> None:
    """Robust against official and against the file: every sample that differs has a cause."""
    folder = math_v(data, tmp_path)
    rows = outputs(data, run, read_samples(folder, "test"))
    said = tmp_path / "said.jsonl"
    said.write_text("".join(json.dumps(row) + "\n" for row in rows))
    scored = score(folder, said, "test", tmp_path / "run")
    assert scored.scores.own is not None
    assert scored.scores.own.field == "correct"
    assert (
        len(scored.scores.own.official_differs or []) <= 1
    )  # one row of the outputs is stale
    for other in ("official", "own"):
        found = explain(tmp_path / "run", other)
        side = "official" if other == "official" else "own"
        differ = {r.id for r in scored.results
                  if r.correct != getattr(r, side).correct}  # fmt: skip
        told = [name for s in found.shares for name in (*s.only_a, *s.only_b)]
        assert sorted(told) == sorted(differ)
        assert not any("nothing says" in share.cause for share in found.shares)


def test_published_figures(release: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in replies()))
    score(release, path, "test", tmp_path / "a")
    table = tmp_path / "table.csv"
    table.write_text("model,all\nOurs,70.0\nTheirs,50/40\n")
    found = explain(tmp_path / "a", f"{table}#ours")
    assert found.difference == pytest.approx(0.05)
    assert [s.cause for s in found.shares] == ["not told: the figure has no samples"]
    assert explain(tmp_path / "a", "75").shares == []
    with pytest.raises(UserError, match="0 rows of nobody"):
        explain(tmp_path / "a", f"{table}#nobody")
    result = CliRunner().invoke(cli, ["explain", str(tmp_path / "a"), "70.0"])
    assert result.exit_code == 0
    assert "+5.00" in result.output
