"""MathVerse's accuracy by two models: every reply asked about, 1, 0 and null, ours beside it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from benchwright.base.files import read_jsonl
from benchwright.cli import cli
from benchwright.errors import UserError
from benchwright.evaluate.judges import Judge, Panel, match_answers, wordings
from benchwright.evaluate.runs import leaderboard
from benchwright.evaluate.scoring import score
from benchwright.llm import Model
from benchwright.problem import Option, Sample, Source
from benchwright.taxonomy import read_words
from click.testing import CliRunner
from layouts import released, two_sources
from llm_server import llm_server
from small import write_rows

# As the authors' file is built: two texts, the second filled in by `str.format`.
CODE = '''
demo_prompt_extract = """
Take the answer out. It costs $5, {as it is}.

1.
"""

demo_prompt_score = """
Same? A set is written {{1, 2}}.

[Question]: {question}
[Standard Answer]: {gt}
[Model_answer] : {extraction}
Judgement: """
'''


def sample(k: int, **more: Any) -> Sample:
    fields = {"id": f"s{k}", "problem_id": f"s{k}", "origin": f"s{k}", "question": "How much?",
              "answer": "4", "source": Source(name="a", raw_id=str(k))}  # fmt: skip
    return Sample(**fields | more)


def text_of(body: dict[str, Any]) -> str:
    return str(body["messages"][0]["content"])


def two_models(body: dict[str, Any]) -> str:
    """Extracts a reply's last word; matches what is the same, by the published forms."""
    text = text_of(body)
    if asked := re.search(
        r"\[Standard Answer\]: (.*)\n\[Model_answer\] ?: ?([\s\S]*)\nJudge", text
    ):
        return f"Judgement: {int(asked[1] in asked[2].split())}"
    if "no idea" in text:
        return "null"
    reply = re.search(
        r"REPLY-\w+\n([\s\S]*)\nREPLY|Model response: '([\s\S]*)'\n", text
    )
    assert reply
    return f"Extracted Answer: {(reply[1] or reply[2]).split()[-1]}"


def test_the_authors_prompts_go_out_as_their_code_fills_them(tmp_path: Path) -> None:
    (tmp_path / "prompts.py").write_text(CODE, "utf-8")
    made: dict[str, str] = {}
    exec(CODE, made)  # a test's own text
    options = [Option(label=c, text=t) for c, t in zip("AB", ("$3$", "4"), strict=True)]
    asked = [sample(1), sample(2, options=options, answer="B")]
    replies = {"s1": "It costs $2, so 4", "s2": "The answer is B"}
    with llm_server(two_models) as server:
        by = Judge(
            model=Model(name="j", base_url=server.base_url), cache=tmp_path / "c.db"
        )
        words = read_words(tmp_path / "prompts.py")
        panel = Panel(judges=[by], wording=wordings(words=words))
        rows = match_answers(asked, replies, by, panel)
        sent = sorted(text_of(body) for body in server.requests)
    extract, match = (
        made[n].strip() for n in ("demo_prompt_extract", "demo_prompt_score")
    )
    theirs = [
        f"{extract}\n\nModel response: '{r}'\nExtracted Answer: "
        for r in replies.values()
    ]
    for question, gold, found in (("How much?", "4", "4"),
                                  ("How much?\nChoices:\nA:$3$\nB:4", "B", "B")):  # fmt: skip
        theirs.append(match.format(question=question, gt=gold, extraction=found))
    assert sent == sorted(theirs)
    assert [(r.extraction, r.verdict) for r in rows] == [("4", 1), ("B", 1)]


def test_forms_that_are_none_are_asked_once_more_and_stay_open(tmp_path: Path) -> None:
    def stubborn(body: dict[str, Any]) -> str:
        return "perhaps" if "Judgement" in text_of(body) else two_models(body)

    with llm_server(stubborn) as server:
        by = Judge(
            model=Model(name="j", base_url=server.base_url), cache=tmp_path / "c.db"
        )
        rows = match_answers(
            [sample(1), sample(2)], {"s1": "It is 4"}, by, Panel(judges=[by])
        )
        texts = [
            text_of(body) for body in server.requests if "Judgement" in text_of(body)
        ]
    assert texts[0] == texts[1]
    assert len(texts) == 2
    assert [(r.status, r.verdict) for r in rows] == [
        ("unparsed", None),
        ("missing", None),
    ]
    assert "'perhaps', not 1 or 0" in rows[0].cause


def test_the_figure_stands_beside_ours_in_score_and_board(tmp_path: Path) -> None:
    write_rows(tmp_path / "p.jsonl",
               list(map(msgspec.to_builtins, two_sources("mathverse", tmp_path))))  # fmt: skip
    release = released(
        tmp_path, name="a", reader="problems", path="p.jsonl", benchmark="mathverse"
    )
    rows = [
        json.loads(line)
        for line in (release / "jsonl/test.jsonl").read_text().splitlines()
    ]
    said = [
        f"So it is {row['answer']}" if k % 3 else "no idea"
        for k, row in enumerate(rows)
    ]
    said[1] = "So it is nothing like 99"
    replies = [
        {"id": row["id"], "response": text}
        for row, text in zip(rows, said, strict=True)
    ]
    write_rows(tmp_path / "replies.jsonl", replies)
    with llm_server(two_models) as server:
        by = Judge(
            model=Model(name="j", base_url=server.base_url), cache=tmp_path / "c.db"
        )
        found = score(release, tmp_path / "replies.jsonl", "test", tmp_path / "s",
                      judge=by, protocols=["wo"], report=True).scores  # fmt: skip
    right = {row["id"]: f"So it is {row['answer']}" == text
             for row, text in zip(rows, said, strict=True)}  # fmt: skip
    by_version: dict[str, list[bool]] = {}
    for row in rows:
        by_version.setdefault(row["version"], []).append(right[row["id"]])
    assert found.wo is not None
    for version, verdicts in by_version.items():
        rate = found.wo["versions"][version]
        assert (rate["correct"], rate["n"]) == (sum(verdicts), len(verdicts))
    kept = {
        row["id"]: row for row in read_jsonl(tmp_path / "s/wo.jsonl", dict[str, Any])
    }
    assert {name: row["verdict"] == 1 for name, row in kept.items()} == right
    assert found.wo["null"] == sum(text == "no idea" for text in said)
    agree = found.wo["agreement"]
    assert agree["n"] == len(rows)
    assert (
        agree["same"] + len(agree["only_models"]) + len(agree["only_rules"])
        == agree["n"]
    )
    assert "Accuracy by two models" in (tmp_path / "s/report.md").read_text("utf-8")
    leaderboard([tmp_path / "s"], tmp_path / "board", papers=True)
    (table,) = (tmp_path / "board/tables").glob("*mathverse-table-2*.csv")
    header, cells = (line.split(",") for line in table.read_text("utf-8").splitlines())
    shown = dict(zip(header, cells, strict=True))
    lite = by_version["text_lite"]
    assert shown["Text Lite Acc"] == f"{100 * sum(lite) / len(lite):.1f}"


def test_a_run_without_verdicts_has_dashes_and_is_named(tmp_path: Path) -> None:
    """A judge that is down for one of two models: the other's row is not touched by it."""
    write_rows(tmp_path / "p.jsonl",
               list(map(msgspec.to_builtins, two_sources("mathverse", tmp_path))))  # fmt: skip
    release = released(
        tmp_path, name="a", reader="problems", path="p.jsonl", benchmark="mathverse"
    )
    rows = read_jsonl(release / "jsonl/test.jsonl", dict[str, Any])
    replies = [{"id": r["id"], "response": f"It is {r['answer']}"} for r in rows]
    says = {"up": two_models, "down": lambda body: "I would rather not say."}
    for name, reply in says.items():
        write_rows(tmp_path / f"{name}.jsonl", replies)
        with llm_server(reply) as server:
            model = Model(name="j", base_url=server.base_url)
            by = Judge(model=model, cache=tmp_path / f"{name}.db")
            score(release, tmp_path / f"{name}.jsonl", "test", tmp_path / name,
                  judge=by, protocols=["wo"], report=False)  # fmt: skip
    runs = [str(tmp_path / name) for name in says]
    command = [
        "evaluate",
        "leaderboard",
        *runs,
        "--papers",
        "--out",
        str(tmp_path / "board"),
    ]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0, done.output
    remarks = [line for line in done.output.splitlines() if "no verdict" in line]
    assert [line.partition(":")[0] for line in remarks] == ["down"]
    text = (tmp_path / "board/leaderboard.md").read_text("utf-8")
    assert "came to no verdict under wo" in text
    for table in (tmp_path / "board/tables").glob("*mathverse-table*.csv"):
        lines = (line.split(",") for line in table.read_text("utf-8").splitlines()[1:])
        cells = {name: set(shown) for name, *shown in lines}
        assert cells["down"] == {"-"}
        assert "100.0" in cells["up"]


@pytest.mark.parametrize(
    "code", ["demo_prompt_extract = 1", "x = (", CODE.replace("{gt}", "{0}")]
)
def test_other_code_is_no_wording_file(tmp_path: Path, code: str) -> None:
    (tmp_path / "prompts.py").write_text(code, "utf-8")
    with pytest.raises(UserError, match=r"prompts\.py"):
        read_words(tmp_path / "prompts.py")
