"""The papers' own scripts on official layouts of two sources: their verdicts are those of `score`.

The scripts are fetched by `make interop` and run as they are; what had to be mended to run at all
is said in `in_mathverse.py` and `in_mm_math.py`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import layouts
import msgspec
import pytest
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.evaluate.judges import Judge, Panel, match_answers, wordings
from benchwright.evaluate.scoring import score
from benchwright.exports import export
from benchwright.llm import Model
from benchwright.problem import Problem, Sample
from benchwright.release import read_samples
from benchwright.taxonomy import read_words
from layouts import released, two_sources
from llm_server import llm_server
from small import write_rows

HERE = Path(__file__).parent
ENVIRONMENTS = HERE.parent.parent / ".cache" / "interop"
Verdicts = dict[str, bool]
STYLES = (
    "It is \\boxed{%s}.", "The answer is (%s).", "So the final answer is %s.", "%s\nas counted.",
    "First \\boxed{9}, then \\boxed{%s}", "Answer: %s", "I get %s", "\\boxed{$%s$}", "%s",
    "(%s) %s", "The correct answer is %s. It is so.", "**%s**", "",
)  # fmt: skip


def in_style(style: str, answer: str) -> str:
    return style.replace("%s", answer)


def replies(samples: list[Sample], shift: int) -> dict[str, str]:
    """Golds, options' texts and wrong answers, each sample's in another style."""
    said = {}
    for k, sample in enumerate(samples):
        texts = {option.label: option.text for option in sample.options}
        gold = sample.answer or ""
        answers = [
            gold,
            texts.get(gold, gold),
            "A" if texts else "17",
            "C" if texts else "1",
        ]
        said[sample.id] = in_style(
            STYLES[(k + shift) % len(STYLES)], answers[(k + shift) % 4]
        )
    return said


class Exported:
    """A release of two sources in its official layout, and what is said of replies to it."""

    def __init__(self, layout: str, environment: str, folder: Path) -> None:
        self.environment = ENVIRONMENTS / environment
        if not (self.environment / "ready").exists():
            pytest.skip(f"the script of {layout} is not installed: make interop")
        self.folder = folder
        write_rows(
            folder / "p.jsonl",
            list(map(msgspec.to_builtins, two_sources(layout, folder))),
        )
        self.release = released(
            folder, name="a", reader="problems", path="p.jsonl", benchmark=layout
        )
        export(layout, self.release, folder / "layout")
        self.samples = read_samples(self.release, "test")

    def run(self, script: Path, *arguments: object, **environment: str) -> str:
        """What a script prints, run in its environment inside the layout's folder."""
        done = subprocess.run(
            [self.environment / "bin" / "python", "-B", script, *map(str, arguments)],
            cwd=self.folder / "layout", capture_output=True, text=True, check=False,
            env=os.environ | environment,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    def scored(self, predictions: Path) -> tuple[Verdicts, dict[str, Any]]:
        """Official verdicts of `score`, and its official tables."""
        out = self.folder / "score"
        score(self.release, predictions, "test", out, report=False)
        rows = read_jsonl(out / "samples.jsonl", dict[str, Any])
        tables = json.loads((out / "scores.json").read_text("utf-8"))["official"]
        return {row["id"]: row["official"]["correct"] for row in rows}, tables


def rates(by: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    return {str(name): (rate["correct"], rate["n"]) for name, rate in by.items()}


def test_math_v(tmp_path: Path) -> None:
    given = Exported("math-v", "math-v", tmp_path)
    place = tmp_path / "layout"
    (place / "data").mkdir()
    (place / "test.jsonl").rename(place / "data" / "test.jsonl")
    for shift in range(len(STYLES)):
        said = replies(given.samples, shift)
        write_jsonl(
            place / f"outputs/{shift}.jsonl",
            ({"id": i, "response": r} for i, r in said.items()),
        )
    given.run(given.environment / "MATH-V/evaluation/evaluate.py")
    for shift in range(len(STYLES)):
        rows = list(read_jsonl(place / f"outputs/{shift}.jsonl", dict[str, Any]))
        table = json.loads((place / f"outputs/{shift}_result.json").read_text("utf-8"))
        verdicts, tables = given.scored(place / f"outputs/{shift}.jsonl")
        assert verdicts == {row["id"]: row["correct"] for row in rows}
        counts = {
            k: tuple(map(int, v.partition("=")[0].split("/"))) for k, v in table.items()
        }
        assert rates(tables["by"]["subject"]).items() <= counts.items()
        levels = {f"-level{k}": v for k, v in rates(tables["by"]["level"]).items()}
        assert levels.items() <= counts.items()
        assert rates({"-all": tables["accuracy"]}).items() <= counts.items()


def test_mathverse(tmp_path: Path) -> None:
    """Step 1 extracts and step 2 judges by a model; here a server stands for it."""
    given = Exported("mathverse", "papers", tmp_path)
    layout, scripts = tmp_path / "layout", given.environment / "MathVerse/evaluation"
    said = replies(given.samples, 0)
    rows = [row for name in ("test.json", "test_text_only.json")
            for row in json.loads((layout / name).read_text("utf-8"))]  # fmt: skip
    for row in rows:
        version = row["problem_version"].lower().replace(" ", "_")
        row["model_answer"] = said[f"{row['problem_index']}.{version}"]
        row["category"] = row["metadata"]  # the data renamed it, the script did not
    (layout / "made.json").write_text(json.dumps(rows), "utf-8")
    with llm_server(model) as server:
        step = [
            HERE / "in_mathverse.py",
            scripts / "extract_answer_s1.py",
            "--api_key",
            "none",
        ]
        files = [
            "--model_output_file",
            "made.json",
            "--save_file",
            "out/extracted.json",
        ]
        given.run(*step, *files, OPENAI_BASE_URL=server.base_url)
        for quick in (["--quick_match"], []):
            judged = f"out/judged{len(quick)}.json"
            step[1] = scripts / "score_answer_s2.py"
            files = [
                "--answer_extraction_file",
                "out/extracted.json",
                "--save_file",
                judged,
            ]
            printed = given.run(*step, *files, *quick, OPENAI_BASE_URL=server.base_url)
            results = json.loads((layout / judged).read_text("utf-8"))
            verdicts, tables = given.scored(layout / judged)
            assert [verdicts[name_of(row)] for row in results] == [
                row["judgement"] == 1 for row in results
            ]
            for version, rate in tables["by"]["version"].items():
                name = version.replace("_", " ").title()
                assert f"{name} Acc: {rate['correct'] / rate['n']:.3f}" in printed
            assert 0 < sum(verdicts.values()) < len(verdicts)
        theirs = {name_of(row): row["judgement"] for row in results}  # by two models
        asked = sorted(text_of(body) for body in server.requests)
        server.requests.clear()
        ours = by_two_models(given.samples, said, server.base_url, scripts, tmp_path)
        assert ours == theirs
        mine = {text_of(body) for body in server.requests}
        assert mine <= set(asked)  # byte for byte
        assert all(
            "Model response: ''" in text or "null" in text for text in set(asked) - mine
        )
    extracted = json.loads((layout / "out/extracted.json").read_text("utf-8"))
    rows = [{"id": name_of(row), "response": row["extraction"]} for row in extracted]
    write_jsonl(tmp_path / "extracted.jsonl", rows)
    quick_verdicts, _ = given.scored(tmp_path / "extracted.jsonl")
    judged_rows = json.loads((layout / "out/judged1.json").read_text("utf-8"))
    assert quick_verdicts == {
        name_of(row): row["judgement"] == 1 for row in judged_rows
    }


def by_two_models(
    samples: list[Sample], said: dict[str, str], url: str, scripts: Path, folder: Path
) -> dict[str, int]:
    """What `score --protocol wo` says by the words of the script's own prompts."""
    by = Judge(model=Model(name="m", base_url=url), cache=folder / "wo.sqlite")
    words = read_words(scripts / "prompts.py")
    rows = match_answers(
        samples, said, by, Panel(judges=[by], wording=wordings(words=words))
    )
    return {row.id: int(row.verdict == 1) for row in rows}


def text_of(body: dict[str, Any]) -> str:
    return str(body["messages"][0]["content"])


def name_of(row: dict[str, Any]) -> str:
    return f"{row['problem_index']}.{row['problem_version'].lower().replace(' ', '_')}"


def model(body: dict[str, Any]) -> str:
    """Extracts the first answer, judges by what is equal without signs."""
    prompt = body["messages"][0]["content"]
    if prompt.rstrip().endswith("Judgement:"):
        gold, given = re.findall(
            r"\[(?:Standard Answer|Model_answer)\] ?: (.*)", prompt
        )[-2:]
        return f"Judgement: {int(gold.strip('$() ') == given.strip('$() '))}"
    reply = prompt.rpartition("Model response: '")[2].rpartition("'")[0]
    answer = reply.rpartition("{")[2].partition("}")[0] or reply.rpartition(" ")[
        2
    ].strip(".")
    return f"Extracted Answer: {answer or 'null'}"


def test_we_math(tmp_path: Path) -> None:
    given = Exported("we-math", "papers", tmp_path)
    layout = tmp_path / "layout"
    rows = json.loads((layout / "test.json").read_text("utf-8"))
    for shift in range(6):
        for k, row in enumerate(rows):
            right = (k * 5 + shift) % 3 or (row["key"].endswith("multi") and shift % 2)
            letter = row["answer"] if right else "D"
            styles = (
                "Answer: %s",
                "<Answer>: %s. 3",
                "Answer: (%s)",
                "%s",
                "The Answer is %s",
            )
            row["response"] = in_style(
                styles[(k + shift) % 7 % 5 if shift else 0], letter
            )
        (layout / "made.json").write_text(json.dumps(rows), "utf-8")
        printed = given.run(
            HERE / "in_we_math.py", given.environment / "We-Math", "made.json"
        )
        _, ours = given.scored(layout / "made.json")
        check_we_math(json.loads(printed.splitlines()[-1]), ours["four_dimensional"])


KINDS = {"InsufficientKnowledge": "IK", "InadequateGeneralization": "IG", "CompleteMastery": "CM",
         "RoteMemorization": "RM"}  # fmt: skip


def check_we_math(table: dict[str, str], ours: dict[str, Any]) -> None:
    """The script's rates but RM's are of 525 problems, whatever their number; counts are not."""
    said = {name: rate["value"] for name, rate in ours["steps"].items()}
    for count, name in (
        ("1", "One-step(S1)"),
        ("2", "Two-step(S2)"),
        ("3", "Three-step(S3)"),
    ):
        assert table[name] == f"{said[count]:.2%}"
    for area, rate in ours["areas"].items():
        assert table[area] == f"{rate['value']:.2%}"
    for strictness in ("Strict", "Loose"):
        found = ours[strictness.lower()]
        for kind, short in KINDS.items():
            assert table[f"{kind} ({strictness})"].endswith(f" ({found[short]['n']})")
        if found["RM"]["rate"] is not None:
            assert table[f"RoteMemorization ({strictness})"].startswith(
                f"{found['RM']['rate']:.2%}"
            )


AREAS = {
    "Transformations' of Shapesacc": "Transformations of Shapes",
    "Properties of Shapes' acc": "Properties of Shapes",
    "Functions' acc": "Functions",
}


@pytest.mark.parametrize("leaves", [False, True])
def test_mm_math(tmp_path: Path, leaves: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its verdicts, its count and its three totals, also where labels are leaves of the tree."""
    if leaves:
        points = ["Rotation", "Tangents", "Quadratic Function"]
        dressed = layouts._DRESS["mm-math"]

        def with_leaf(p: Problem, k: int) -> Problem:
            p = dressed(p, k)
            p.labels["knowledge"] = [points[k % 3], points[k % 2]]
            return p

        monkeypatch.setitem(layouts._DRESS, "mm-math", with_leaf)
    given = Exported("mm-math", "papers", tmp_path)
    layout = tmp_path / "layout"
    rows = list(read_jsonl(layout / "test.jsonl", dict[str, Any]))
    for shift in range(0, len(STYLES), 3):
        said = replies(given.samples, shift)
        made = {
            str(k): row | {"prediction": said[row["id"]]} for k, row in enumerate(rows)
        }
        (layout / "made.json").write_text(json.dumps(made), "utf-8")
        printed = given.run(
            HERE / "in_mm_math.py", given.environment / "MM-Math/eval.py", "made.json"
        )
        *_, last = printed.splitlines()
        verdicts, tables = given.scored(layout / "made.json")
        assert verdicts == json.loads(last)
        assert f"true count is {tables['accuracy']['correct']}," in printed
        totals = {area: float(re.search(rf"{name} is ([\d.e-]+)", printed)[1])
                  for name, area in AREAS.items()}  # fmt: skip
        by_area = {area: rate["value"] for area, rate in tables["by"]["area"].items()}
        assert by_area == pytest.approx(totals, abs=1e-6)
