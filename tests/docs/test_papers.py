"""The table of procedures in docs/papers.md: counts are right, stages and tests are there, and
every command runs."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright import build_release
from benchwright.annotate.kinds import controls_of, load_kind
from benchwright.base.files import write_jsonl
from benchwright.cli import cli
from benchwright.evaluate.scoring import score
from benchwright.pipeline import load_stage
from benchwright.problem import Problem, Sample, Vote
from benchwright.release import read_samples
from benchwright.taxonomy import first_errors, knowledge_cards, load_tree
from click.testing import CliRunner
from layouts import two_sources
from llm_server import llm_server
from small import write_recipe, write_rows

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/papers.md").read_text("utf-8")
SECTION = TEXT.split("## Procedure by procedure")[1].split("\n## ")[0]


def rows_of(text: str) -> list[list[str]]:
    """The rows of its tables: place, what was done, how far, with what, compared with what, how
    far they agree, test."""
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in text.splitlines()
        if line.startswith("| ") and not line.startswith("| place")
    ]


ROWS = rows_of(SECTION)
BY_PAPER = {part.split(":")[0]: rows_of(part) for part in SECTION.split("### ")[1:]}


def test_every_row_says_how_far_it_goes_and_the_counts_are_right() -> None:
    counts = Counter(row[2] for row in ROWS)
    assert set(counts) == {"exactly", "in part", "not"}
    said = [
        int(n)
        for n in re.findall(r"(\d+) (?:can be|in part|not)", SECTION.split("###")[0])
    ]
    assert said == [counts["exactly"], counts["in part"], counts["not"]]
    for name, rows in re.findall(r"### ([\w-]+): (.*) exactly", SECTION):
        part = SECTION.split(f"### {name}:")[1].split("###")[0]
        exact, whole = part.count("| exactly |"), part.count("\n| ") - 1
        assert rows == f"{exact} of {whole}"


def test_what_is_done_exactly_has_a_figure_and_what_it_was_compared_with() -> None:
    """A row without a figure is not exact, and neither is one of which a part does not agree."""
    for place, what, state, _, compared, agree, _ in ROWS:
        if state != "exactly":
            continue
        assert compared, (place, what)
        assert re.search(r"\d", agree), (place, what)
        figures = re.match(r"([\d,]+) of ([\d,]+)", agree)
        theirs = (
            "as we do" in agree
        )  # what its own script judges otherwise than it published
        assert figures is None or figures[1] == figures[2] or theirs, (place, what)


def nodes(cell: str) -> list[str]:
    """The tests that a row names: `file::test`, `::test` of the same file, or a whole file."""
    found: list[str] = []
    for name in re.findall(r"`([^`]+)`", cell):
        file = found[-1].partition("::")[0] if name.startswith("::") else ""
        found.append(file + name)
    return found


def test_what_is_done_exactly_has_a_test_and_a_way() -> None:
    for place, what, state, way, _, _, test in ROWS:
        assert (way and test) or state != "exactly", (place, what)
        for node in nodes(test):
            assert (ROOT / node.partition("::")[0]).is_file(), node


def test_a_rows_cases_are_those_of_the_tests_that_it_names() -> None:
    """Cases are counted, so that a row cannot borrow those of its neighbours."""
    files = {node.partition("::")[0] for row in ROWS for node in nodes(row[6])}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-n",
        "0",
        *sorted(files),
    ]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    cases = [
        line.partition("[")[0] for line in done.stdout.splitlines() if "::" in line
    ]
    counts = Counter(cases) + Counter(case.partition("::")[0] for case in cases)
    for place, what, _, _, _, agree, test in ROWS:
        if said := re.fullmatch(r"(\d+) of \d+ cases", agree):
            assert int(said[1]) == sum(counts[node] for node in nodes(test)), (
                place,
                what,
            )


def test_every_stage_is_there() -> None:
    for row in ROWS:
        if row[2] != "exactly" or row[3].startswith("reader"):
            continue
        for name in re.findall(r"(?:^|stage |, )`([a-z-]+)`", row[3]):
            if name not in ("splits", "jsonl", "exam", "suggestions"):
                assert load_stage(name), name


LAYOUTS = {
    "MathVerse": "mathverse",
    "We-Math": "we-math",
    "MATH-V": "math-v",
    "MM-MATH": "mm-math",
}
RUN = sorted({(name, code) for name, rows in BY_PAPER.items() for row in rows
              for code in re.findall(r"`(benchwright [^`]+)`", row[3])})  # fmt: skip
KEY_STEPS = {"steps": ["2 + 2 is counted"], "answer": "4"}


def judge_or_model(body: dict[str, Any]) -> str:
    """Replies in the form that the prompt asks for."""
    content = body["messages"][-1]["content"]
    text = (
        content
        if isinstance(content, str)
        else "".join(p.get("text", "") for p in content)
    )
    if "Final answer score:" in text:
        return "- Average score: 1/2\n- Final answer score: 0"
    if text.rstrip().endswith("- Extracted:"):
        return "1. 2 + 2 is counted 2. The answer is 4"
    if "Judgement:" in text:
        return "Judgement: 0"
    if "Extracted Answer:" in text:
        return "Extracted Answer: 4"
    if count := re.search(r"one entry for each of the (\d+) steps", text):
        step = {"score": 1, "error": None, "why": ""}
        return json.dumps({"steps": [step] * int(count[1]), "answer": 0})
    if "List the key steps" in text:
        return json.dumps(KEY_STEPS)
    if "-First error:" in text:
        return "-First error: 4\n-Error category: 3. Calculation\n-Detailed analysis: it is not."
    if kind := re.search(r'name its kind: "([^"]+)"', text):
        return json.dumps({"category": kind[1], "quote": "4", "why": "it is not"})
    return (
        '{"label": "algebra"}'
        if "Choose from these labels" in text
        else "\\boxed{algebra}"
    )


class Folder:
    """A release of a paper's layout with replies, scores and all that its commands name."""

    def __init__(self, layout: str, folder: Path, url: str) -> None:
        self.layout, self.folder, self.url = layout, folder, url
        problems = two_sources(layout, folder)
        for problem in problems:
            for sample in problem.samples:
                if not sample.images:  # text alone names no picture
                    sample.question = sample.question.replace("<image1> ", "")
            problem.labels |= {"pass_rate": 0.8, "competition": "AMC 8"}
        write_jsonl(folder / "p.jsonl", problems)
        plan = {
            "name": "x", "version": "1.0.0", "splits": {"dev": {"size": 4}, "test": "rest"},
            "sources": [{"name": "a", "reader": "problems", "path": "p.jsonl", "license": "MIT",
                         "benchmark": layout}],
        }  # fmt: skip
        recipe = write_recipe(folder / "recipe.yaml", plan)
        self.release = build_release(recipe, folder / "out").release
        samples = read_samples(self.release, "test+dev")
        for name, said in (("replies", "\\boxed{4}"), ("others", "\\boxed{A}")):
            write_rows(
                folder / f"{name}.jsonl",
                [{"id": s.id, "response": said} for s in samples],
            )
            score(
                self.release,
                folder / f"{name}.jsonl",
                "test+dev",
                folder / name,
                report=False,
            )
        self._files(problems, samples)

    def _files(self, problems: list[Problem], samples: list[Sample]) -> None:
        folder = self.folder
        rows = [["id", "person", "answer"]]
        rows += [[s.id, who, s.answer or ""] for s in read_samples(self.release, "test")
                 for who in ("ada", "bo")]  # fmt: skip
        with (folder / "sheet.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
        (folder / "models.csv").write_text(
            "run,release\nreplies,2024\nothers,2025\n", "utf-8"
        )
        (folder / "ids.txt").write_text("\n".join(p.id for p in problems[:4]), "utf-8")
        votes = [
            Vote(problem_id=p.id, field="subject", value="algebra", annotator=who) for p in problems
            for who in ("ada", "bo", "cy")
        ]  # fmt: skip
        write_jsonl(folder / "votes.jsonl", votes)
        kinds = [Vote(problem_id=s.id, field="category", value="calculation error", annotator="ada")
                 for s in samples]  # fmt: skip
        write_jsonl(folder / "kinds.jsonl", kinds)
        judged = [
            {"id": s.id, "status": "ok", "category": "calculation error"}
            for s in samples
        ]
        write_rows(folder / "process.jsonl", judged)
        pictures = {image.path for s in samples for image in s.images}
        captions = [{"image": path, "caption": "a circle"} for path in sorted(pictures)]
        write_rows(folder / "captions.jsonl", captions)
        words: dict[str, Any] = {
            "words": "a paper", "advice": "One of $labels.", "instructions": {},
            "errors": {b: dict.fromkeys(first_errors(b), "as printed") for b in LAYOUTS.values()},
            "definitions": {},
        }  # fmt: skip
        for name in ("math-v", "mathverse"):
            tree = load_tree(name)
            said = {tree.label(leaf): "as printed" for leaf in tree.leaves}
            words["definitions"][name] = said
            words["instructions"][name] = "Read the definitions."
        (folder / "words.yaml").write_text(yaml.safe_dump(words), "utf-8")
        cards = [{"ID": "1", "knowledge concept": name, "knowledge concept description": "a card"}
                 for name in knowledge_cards()]  # fmt: skip
        (folder / "cards.json").write_text(json.dumps(cards), "utf-8")
        (folder / "nodes.json").write_text(
            '[{"root0": "All", "root1": "Area"}]', "utf-8"
        )
        score_prompt = "{question} {gt} {extraction}\nJudgement: "
        texts = {
            "demo_prompt_extract": "Take it out.",
            "demo_prompt_score": score_prompt,
        }
        code = "\n".join(f"{name} = {text!r}" for name, text in texts.items())
        (folder / "prompts.py").write_text(code, "utf-8")

    def completed(self, words: list[str], out: Path) -> list[str]:
        """A command with what its row leaves out: files, splits, where the result goes."""
        at, release = self.folder, str(self.release)
        given = {"M": "judge", "FORMAT": self.layout, "WORDS": "words.yaml", "CARDS": "cards.json",
                 "PROMPTS": "prompts.py", "NODES": "nodes.json", "MODELS": "models.csv",
                 "IDS": "ids.txt", "CAPTIONS": "captions.jsonl", "OTHER": release,
                 "RUN": str(at / "replies")}  # fmt: skip
        files = ("WORDS", "CARDS", "PROMPTS", "NODES", "MODELS", "IDS", "CAPTIONS")

        def filled(word: str) -> str:
            setting, equals, value = word.rpartition("=")
            path = str(at / given[value]) if value in files else given.get(value, value)
            return f"{setting}{equals}{path}"

        words = list(map(filled, words))
        split = [] if "--split" in words else ["--split", "test"]
        model = ["--model", "m", "--base-url", self.url]
        runs = [str(at / "replies"), str(at / "others")]
        to = ["--out", str(out)]
        more: dict[str, list[str]] = {
            "score": [release, str(at / "replies.jsonl"), *split, *to, "--no-report",
                      *(["--base-url", self.url] if "--judge" in words else [])],
            "predict": [release, *split, *to, *([] if "--baseline" in words else model)],
            "statistics": [release],
            "export": [release, *to],
            "compare": [release, *runs, "--split", "test+dev", *to],
            "evaluate leaderboard": [*runs, *to],
            "evaluate parts": [runs[0], "--release", release, *to],
            "evaluate verdicts": [runs[0], "--out", str(out / "sheet.csv")],
            "evaluate booklets": [release, *split, *to,
                                  *(["--number", "6"] if "--number" not in words else [])],
            "evaluate humans": [release, str(at / "sheet.csv"), *split, *to],
            "evaluate agreement": [str(at / "process.jsonl"), str(at / "kinds.jsonl")],
            "annotate vote": [str(at / "votes.jsonl"), "--field", "subject"],
            "annotate advise": [str(at / "p.jsonl"), "--votes", str(out / "v.jsonl"), *model,
                                *(["--tree", "math-v"] if "--tree" not in words else [])],
            "convert assist ask": [str(at / "p.jsonl"), "-o", str(out / "s.jsonl"), *model,
                                   "--rules-only", "--cache", str(out / "cache.sqlite")],
            "dedup pairs": [str(at / "p.jsonl"), "--images", str(at)],
            "render page": [str(at / "p.jsonl"), *to],
        }  # fmt: skip
        name = next((n for n in sorted(more, key=len, reverse=True)
                     if words[: len(n.split())] == n.split()), "")  # fmt: skip
        after = len(name.split()) + (name == "export")
        return [*words[:after], *more.get(name, []), *words[after:]]


@pytest.fixture(scope="module")
def folders(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[str], Folder]]:
    made: dict[str, Folder] = {}
    with llm_server(judge_or_model) as server:

        def folder(layout: str) -> Folder:
            if layout not in made:
                made[layout] = Folder(
                    layout, tmp_path_factory.mktemp(layout), server.base_url
                )
            return made[layout]

        yield folder


INPUT = {
    "mathml": '{"id": "1", "mathml": "<math><mi>x</mi></math>"}',
    "mmd": '{"id": "1", "mmd": "\\\\(x\\\\)"}', "text": '{"id": "1", "text": "x ＋ 1"}',
}  # fmt: skip


@pytest.mark.parametrize(
    ("paper", "command"), RUN, ids=[f"{p}: {c[12:]}" for p, c in RUN]
)
def test_every_command_runs(
    paper: str, command: str, folders: Callable[[str], Folder], tmp_path: Path
) -> None:
    here, words = folders(LAYOUTS[paper]), command.split()[1:]
    if words[:2] == [
        "annotate",
        "push",
    ]:  # needs a server: its form and its tasks are made
        kind = load_kind(words[-1])
        tree = load_tree(LAYOUTS[paper] if LAYOUTS[paper] != "mm-math" else "we-math")
        assert controls_of(kind.interface(tree))
        return
    done = CliRunner().invoke(
        cli, here.completed(words, tmp_path / "o"), input=INPUT.get(words[-1])
    )
    said = f"{done.output}\n{done.exception!r}"
    allowed = (
        (0, 1) if words[0] == "convert" or words[:2] == ["annotate", "advise"] else (0,)
    )
    assert done.exit_code in allowed, said
    assert not done.exception or isinstance(done.exception, SystemExit), said
    if "--judge" in words:
        lines = (tmp_path / "o/judges.jsonl").read_text("utf-8").splitlines()
        statuses = Counter(json.loads(line)["status"] for line in lines)
        assert statuses["ok"] + statuses["contradicted"] > 0, statuses
