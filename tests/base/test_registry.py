"""What others add: errors name their file, names are theirs alone, and keys follow the text."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from benchwright import build_release, grade, stages
from benchwright.base.registry import plugged
from benchwright.cli import cli, main
from benchwright.errors import UserError
from benchwright.evaluate.scoring import score
from benchwright.exports import export
from benchwright.grading.official import official, official_profile_of
from benchwright.pipeline import STAGES, Engine, load_stage, parallel_map
from benchwright.release import read_samples
from click.testing import CliRunner

HEAD = "from benchwright import Drop, Problem, exporter, profile, reader, stage\n"
STAGE = HEAD + "@stage('{}')\ndef f(problem, *, letter='x'):\n    return problem\n"


def plugin(tmp_path: Path, text: str, name: str = "mine.py") -> Path:
    (tmp_path / name).write_text(text, "utf-8")
    return tmp_path / name


def recipe(tmp_path: Path, stage: str, **more: object) -> Path:
    (tmp_path / "p.jsonl").write_text(
        '{"id": 1, "question": "What is $1+1$?", "answer": "2"}\n'
    )
    source = {"name": "a", "reader": "jsonl", "path": "p.jsonl", "license": "MIT"}
    data = {
        "name": "b",
        "version": "1.0.0",
        "sources": [source],
        "stages": [stage],
        **more,
    }
    (tmp_path / "recipe.yaml").write_text(json.dumps(data))
    return tmp_path / "recipe.yaml"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("x = 1\ny = x / 0\n", 2, "ZeroDivisionError"),
        ("def f(:\n", 1, "SyntaxError"),
        ("\n\nimport no_such_module\n", 3, "no_such_module"),
        (HEAD + "def deep():\n    raise KeyError('k')\ndeep()\n", 3, "KeyError"),
        ("import sys\nsys.exit('enough')\n", 2, "enough"),
        (HEAD + "\nstage('../x')\n", 3, "use letters"),
        (HEAD + "@stage\ndef f(p): return p\n", 2, "use letters"),
        (
            HEAD + "@stage('a')\n@stage('b')\ndef f(p): return p\n",
            2,
            "function of its own",
        ),
        ("x = 1\n", None, "adds nothing"),
        ("from benchwright.check.stage import check\n", None, "adds nothing"),
        (STAGE.format("latex"), 2, "stage 'latex' exists (built in)"),
        (
            STAGE.format("a") + "@stage('a')\ndef g(p): return p\n",
            None,
            "a second stage 'a'",
        ),
    ],
)
def test_a_plugin_that_cannot_be_used_is_named_with_its_line(
    tmp_path: Path, text: str, line: int | None, said: str
) -> None:
    path = plugin(tmp_path, text)
    with pytest.raises(UserError, match=re.escape(said)) as error, plugged([path]):
        pass
    assert (
        f"{path}:{line}" in str(error.value) if line else str(path) in str(error.value)
    )
    assert error.value.remedy


def test_a_plugin_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["stages", "--plugin", str(tmp_path / "none.py")])
    assert stop.value.code == 1
    assert f"cannot read the plugin {tmp_path / 'none.py'}" in capsys.readouterr().err


def test_two_plugins_cannot_have_one_name(tmp_path: Path) -> None:
    one = plugin(tmp_path, STAGE.format("mine"), "one.py")
    two = plugin(tmp_path, STAGE.format("mine"), "two.py")
    with pytest.raises(UserError) as error, plugged([one, two]):
        pass
    assert f"{two}:2: stage 'mine' exists ({one})" in str(error.value)


def test_names_are_known_only_where_their_plugin_was_named(tmp_path: Path) -> None:
    path = plugin(tmp_path, STAGE.format("mine"))
    with plugged([path, str(path)]):  # twice is once
        assert load_stage("mine").name == "mine"
        with plugged([path]):
            assert "mine" in STAGES
        assert "mine" in STAGES
    assert "mine" not in STAGES
    with pytest.raises(UserError, match="did you mean"), plugged([path]):
        load_stage("mien")


def test_a_recipe_alone_never_makes_code_run(tmp_path: Path) -> None:
    (tmp_path / "ran").unlink(missing_ok=True)
    text = STAGE.format("mine") + f"open({str(tmp_path / 'ran')!r}, 'w')\n"
    plugin(tmp_path, text)
    for key in ("plugin", "plugins"):
        with pytest.raises(UserError, match=f"unknown key '{key}'"):
            build_release(
                recipe(tmp_path, "mine", **{key: "mine.py"}), tmp_path / "out"
            )
    with pytest.raises(UserError, match=r"unknown stage 'mine'.*--plugin FILE"):
        build_release(recipe(tmp_path, "mine"), tmp_path / "out")
    for stage in ("mine.py", "mine.py:f", "benchwright.mine:f"):
        with pytest.raises(UserError, match="unknown stage"):
            build_release(recipe(tmp_path, stage), tmp_path / "out")
    assert not (tmp_path / "ran").exists()


def test_a_stage_runs_again_when_its_plugin_changes(tmp_path: Path) -> None:
    def question(text: str) -> str:
        out, path = tmp_path / "out", plugin(tmp_path, text)
        built = build_release(
            recipe(tmp_path, "mine"), out, plugins=[str(path)], force=True
        )
        return (built.release / "problems" / "test.jsonl").read_text("utf-8")

    shout = "    problem.question += '{}'\n    return problem\n"
    text = HEAD + "@stage('mine')\ndef f(problem):\n" + shout
    assert "!!" in question(text.format("!!"))
    assert "??" in question(text.format("??"))


def test_a_reader_reads_again_when_its_plugin_changes(tmp_path: Path) -> None:
    text = (
        HEAD
        + "from benchwright import Source, json_lines_rows\n"
        + "@reader('mine', rows=json_lines_rows)\n"
        + "def f(raw, source, pictures):\n"
        + "    known = Source(name=source.name, raw_id='1')\n"
        + "    return Problem(id='a-1', origin='a-1', source=known, question='{}')\n"
    )
    path = recipe(tmp_path, "latex")
    path.write_text(path.read_text().replace('"jsonl"', '"mine"'))
    for asked in ("one", "two"):
        mine = plugin(tmp_path, text.format(asked))
        built = build_release(path, tmp_path / "out", plugins=[mine], force=True)
        assert f'"{asked}"' in (built.release / "problems/test.jsonl").read_text(
            "utf-8"
        )


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return problem.answer / 2", "TypeError"),
        ("pass", "it returned NoneType, not Problem or Drop"),
        ("return [problem, 3]", "it returned int"),
    ],
)
def test_a_bug_in_a_stage_is_told_as_one(
    tmp_path: Path, jobs: int, body: str, said: str
) -> None:
    path = plugin(tmp_path, HEAD + f"@stage('mine')\ndef f(problem):\n    {body}\n")
    with pytest.raises(UserError, match=re.escape(said)) as error:
        build_release(
            recipe(tmp_path, "mine"),
            tmp_path / "out",
            plugins=[path],
            engine=Engine(jobs=jobs),
        )
    assert str(path) in str(error.value)
    assert "bug in the stage" in str(error.value)


def test_a_bug_in_a_reader_is_told_as_one_and_a_bad_row_is_quarantined(
    tmp_path: Path,
) -> None:
    head = HEAD + "from benchwright import json_lines_rows\n"
    head += "@reader('mine', rows=json_lines_rows)\ndef f(raw, source, pictures):\n"
    path = recipe(tmp_path, "latex")
    path.write_text(path.read_text().replace('"jsonl"', '"mine"'))
    for body, said in (
        ("raw.nothing", "AttributeError"),
        ("return 3", "returned int for p.jsonl:1"),
    ):
        with pytest.raises(UserError, match=said):
            build_release(
                path,
                tmp_path / "out",
                plugins=[plugin(tmp_path, f"{head}    {body}\n")],
            )
    mine = plugin(tmp_path, f"{head}    return raw.data['text']\n")
    with pytest.raises(UserError, match="nothing is left after read"):
        build_release(path, tmp_path / "out", plugins=[mine])
    bad = json.loads((tmp_path / "out/work/00-read/quarantine.jsonl").read_text())
    assert (bad["file"], bad["line"], bad["cause"]) == ("p.jsonl", 1, "no 'text'")


@pytest.mark.parametrize("engine", [Engine(jobs=2), Engine(jobs=2, kind="dask")])
def test_what_a_plugin_defines_travels_to_workers_and_back(
    tmp_path: Path, engine: Engine
) -> None:
    text = STAGE.format("mine") + "class Row:\n    def __init__(self, n): self.n = n\n"
    text += "def double(row): return Row(2 * row.n)\n"
    with plugged([plugin(tmp_path, text)]):
        mine = sys.modules[load_stage("mine").function.__module__]
        rows = parallel_map(mine.double, (mine.Row(n) for n in range(5)), engine)
        assert [(type(row), row.n) for row in rows] == [
            (mine.Row, 2 * n) for n in range(5)
        ]


def test_exporters_and_profiles_of_plugins(tmp_path: Path) -> None:
    release = build_release(recipe(tmp_path, "latex"), tmp_path / "out").release
    text = (
        HEAD
        + "from benchwright import Verdict\n@exporter('ids')\ndef ids(release, out):\n"
    )
    text += "    (out / 'ids').write_text('1')\n    return [out / 'ids']\n"
    text += "@profile('jsonl')\ndef rules(response, gold, options):\n    return {}\n"
    good = plugin(tmp_path, text.format("Verdict(equal=response == gold, how='mine')"))
    assert export("ids", str(release), tmp_path / "x", plugins=[good]) == [
        tmp_path / "x" / "ids"
    ]
    assert official_profile_of({"name": "a", "reader": "jsonl"}) is None
    with plugged([good]):
        assert official_profile_of({"name": "a", "reader": "jsonl"}) == "jsonl"
        assert official("jsonl", "2", "2").equal is True
    for wrong, said in (
        ("response == gold", "returned bool"),
        ("1 / 0", "ZeroDivisionError"),
    ):
        bad = plugin(tmp_path, text.format(wrong))
        with plugged([bad]), pytest.raises(UserError, match=said) as error:
            official("jsonl", "2", "2")
        assert f"{bad}" in str(error.value)
    with pytest.raises(UserError, match="unknown format 'ids'"):
        export("ids", release, tmp_path / "x")


def test_a_package_that_fails_is_listed_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchwright.base import registry

    def package(name: str, points: str) -> None:
        info = tmp_path / f"{name}-0.1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n"
        )
        (info / "entry_points.txt").write_text(f"[benchwright.stages]\n{points}\n")

    (tmp_path / "fine_stages.py").write_text(STAGE.format("fine"))
    package(
        "bad",
        "broken = no_such_module:f\nunmarked = textwrap:dedent\nlatex = fine_stages:f",
    )
    package("good", "fine = fine_stages:f\ntwice = fine_stages:f")
    package("other", "twice = fine_stages:f")
    monkeypatch.syspath_prepend(str(tmp_path))
    registry._points.cache_clear()
    try:
        rows = {(r.name, r.origin): r.options for r in stages()["stages"]}
        assert rows["fine", "good 0.1"] == "letter='x'"
        for name, origin, cause in (
            ("broken", "bad 0.1", "No module named 'no_such_module'"),
            ("unmarked", "bad 0.1", "is no stage called 'unmarked'"),
            ("latex", "bad 0.1", "exists twice: built in, bad 0.1"),
            ("twice", "good 0.1, other 0.1", "exists twice: good 0.1, other 0.1"),
        ):
            assert rows[name, origin].startswith("not usable here: ")
            assert cause in rows[name, origin]
        assert rows["latex", "built in"] == "box=False"
        with pytest.raises(UserError, match=r"the package bad 0\.1 .*no_such_module"):
            load_stage("broken")
        with (
            pytest.raises(UserError, match=re.escape("stage 'fine' exists (good 0.1)")),
            plugged([plugin(tmp_path, STAGE.format("fine"))]),
        ):
            pass
    finally:
        registry._points.cache_clear()


def test_the_listing_keeps_stdout_for_its_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = plugin(tmp_path, STAGE.format("mine") + "print('hello')\n")
    main_args = ["stages", "--json", "--plugin", str(path)]
    with pytest.raises(SystemExit) as stop:
        main(main_args)
    assert not stop.value.code
    listed = json.loads(capsys.readouterr().out)
    assert {"stages", "readers", "exporters", "profiles", "kinds", "policies"} <= set(
        listed
    )
    assert {
        "name": "mine",
        "module": str(path),
        "options": "letter='x'",
        "origin": str(path),
    } in (listed["stages"])
    assert all(row["origin"] == "built in" for row in listed["readers"])


KIND = """from benchwright import choices, kind
def form(tree): return [choices("ok", ["yes", "no"])]
"""


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("@kind('k', title='t', instruction='i')\ndef f(a): return {}\n", 3, "'form'"),
        ("@kind('k', title='t', instruction='i', form='<View/>')\ndef f(a): ...\n", 3,
         "form is '<View/>': give a function"),
        ("@kind('k', title='t', instruction='i', form=form, needs='photos')\ndef f(a): ...\n", 3,
         "needs: Invalid enum value 'photos'"),
        ("@kind('steps', title='t', instruction='i', form=form)\ndef f(a): ...\n", 3,
         "kind 'steps' exists (built in)"),
        ("from benchwright import policy\n@policy('p', quorum=0)\ndef f(a, b, c): ...\n", 4,
         "quorum 0: one person at least decides"),
        ("from benchwright import policy\n@policy('wemath', quorum=2)\ndef f(a, b, c): ...\n", 4,
         "policy 'wemath' exists"),
        ("from benchwright import validator\n@validator('x', 'fatal', 'r')\ndef f(a): ...\n", 4,
         "level 'fatal': write error or warning"),
        ("from benchwright import answer_kind\n@answer_kind('set')\ndef f(a, b): ...\n", 4,
         "answer_kind 'set' exists (built in)"),
        ("from benchwright import answer_kind\n@answer_kind('s', find=3)\ndef f(a, b): ...\n", 4,
         "find is 3: give a function"),
    ],
)  # fmt: skip
def test_kinds_policies_and_their_like_that_cannot_be_are_named_with_their_line(
    tmp_path: Path, text: str, line: int, said: str
) -> None:
    path = plugin(tmp_path, KIND + text)
    with pytest.raises(UserError, match=re.escape(said)) as error, plugged([path]):
        pass
    assert f"{path}:{line}" in str(error.value)


def test_a_package_that_cannot_be_imported_is_named_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_club.py").write_text("x = 1\ny = x / 0\n")
    info = tmp_path / "broken_club-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: broken-club\nVersion: 1.0\n"
    )
    (info / "entry_points.txt").write_text(
        "[benchwright.policies]\nhalf = broken_club:half\n"
    )
    script = (
        "from benchwright import stages\n"
        "print(next(row for row in stages()['policies'] if row.name == 'half'))"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True
    )
    assert (
        "not usable here: policy 'half' of the package broken-club 1.0" in done.stdout
    ), done
    assert f"({tmp_path / 'broken_club.py'}:2): ZeroDivisionError" in done.stdout


ROMAN = """
from benchwright import Outcome, answer_kind, policy, validator

VALUES = {"I": 1, "V": 5, "X": 10}

def value(text):
    numbers = [VALUES[letter] for letter in text.strip().upper()]
    return sum(-n if n < max(numbers[k:]) else n for k, n in enumerate(numbers))

def is_roman(gold):
    return bool(gold) and set(gold) <= set(VALUES)

@answer_kind("roman", infer=is_roman, asks="Answer with a Roman numeral.")
def roman(prediction, gold):
    if not is_roman(prediction.strip().upper()):
        raise ValueError(prediction)
    return value(prediction) == value(gold)

@validator("gold-long", "warning", "shorten it")
def gold_long(asked):
    if asked.kind == "roman" and len(asked.answer) > 3:
        yield "answer", asked.answer

@policy("first", quorum=1)
def first(people, ranking, answered):
    return Outcome(value=people[0].value, rule="the first person")
"""


def rome(tmp_path: Path) -> Path:
    """A recipe whose golds are of a kind that a plugin brings, and a policy that it brings."""
    rows = [{"id": "1", "question": "$2+2$?", "answer": "IIII"},
            {"id": "2", "question": "$5+4$?", "answer": "IX"}]  # fmt: skip
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    vote = {"problem_id": "a-1", "field": "age", "value": "old", "annotator": "anna"}
    (tmp_path / "v.jsonl").write_text(json.dumps(vote) + "\n")
    source = {"name": "a", "reader": "jsonl", "path": "p.jsonl", "license": "MIT"}
    label = {"field": "age", "votes": "v.jsonl", "policy": "first"}
    stages = [{"select": {"kinds": ["roman"]}}, "check", "gold", {"label": label}]
    data = {"name": "b", "version": "1.0.0", "sources": [source], "stages": stages}
    (tmp_path / "recipe.yaml").write_text(json.dumps(data))
    return tmp_path / "recipe.yaml"


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_answer_kind_from_reading_to_scoring(tmp_path: Path, jobs: int) -> None:
    mine, out, engine = plugin(tmp_path, ROMAN), tmp_path / "out", Engine(jobs=jobs)
    release = build_release(rome(tmp_path), out, plugins=[mine], engine=engine).release
    samples = read_samples(release, "test")
    assert [sample.answer_kind for sample in samples] == ["roman", "roman"]
    assert samples[0].labels == {"age": "old"}
    (found,) = map(
        json.loads, (out / "work/02-check/findings.jsonl").read_text().splitlines()
    )
    assert (found["id"], found["code"], found["remedy"]) == (
        "a-1",
        "gold-long",
        "shorten it",
    )
    assert not (out / "work/03-gold/gold.jsonl").exists()  # each gold equals itself
    with pytest.raises(UserError, match=r"unknown kind 'roman'.*--plugin"):
        export("vlmevalkit", release, tmp_path / "x")
    (table, *_) = export("vlmevalkit", release, tmp_path / "x", plugins=[mine])
    assert "Answer with a Roman numeral." in table.read_text("utf-8")
    asking = [
        "predict",
        str(release),
        "--split",
        "test",
        "-o",
        str(tmp_path / "q.jsonl"),
    ]
    dry = [*asking, "--model", "m", "--dry-run"]
    for more, code in (([], 1), (["--plugin", str(mine)], 0)):
        assert CliRunner().invoke(cli, [*dry, *more]).exit_code == code
    replies = [{"id": "a-1", "response": "So it is \\boxed{IV}."},
               {"id": "a-2", "response": "The answer is XI."}]  # fmt: skip
    (tmp_path / "r.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in replies)
    )
    _, results = score(
        release, tmp_path / "r.jsonl", "test", tmp_path / "s", plugins=[mine], jobs=jobs
    )
    assert [(r.correct, r.how) for r in results] == [
        (True, "as roman"),
        (False, "as roman"),
    ]


def test_a_validator_that_changes_is_asked_again(tmp_path: Path) -> None:
    for remedy in ("shorten it", "cut it"):
        mine = plugin(tmp_path, ROMAN.replace("shorten it", remedy))
        build_release(rome(tmp_path), tmp_path / "out", plugins=[mine], force=True)
        assert remedy in (tmp_path / "out/work/02-check/findings.jsonl").read_text(
            "utf-8"
        )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "    if asked.kind ==",
            "    asked.nothing\n    if asked.kind ==",
            "bug in the validator",
        ),
        (
            "return Outcome(value=people[0].value, rule='x')",
            "return 3",
            "bug in the policy",
        ),
        (
            "    if not is_roman(prediction",
            "    1 / 0\n    if not is_roman(prediction",
            "bug in the answer_kind",
        ),
    ],
)
def test_a_bug_in_a_rule_of_a_plugin_is_told_as_one(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    text = ROMAN.replace('rule="the first person"', "rule='x'")
    assert old in text
    mine = plugin(tmp_path, text.replace(old, new))

    def use() -> None:
        build_release(rome(tmp_path), tmp_path / "out", plugins=[mine])
        with plugged([mine]):
            grade("V", "IV", kind="roman")

    with pytest.raises(UserError, match=said) as error:
        use()
    assert str(mine) in str(error.value)


def test_an_unknown_kind_of_answer_is_quarantined(tmp_path: Path) -> None:
    path = recipe(tmp_path, "latex")
    rows = [{"id": 1, "question": "?", "answer": "2"},
            {"id": 2, "question": "?", "answer": "2", "answer_kind": "nubmer"}]  # fmt: skip
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    build_release(path, tmp_path / "out")
    bad = json.loads((tmp_path / "out/work/00-read/quarantine.jsonl").read_text())
    assert bad["line"] == 2
    assert "unknown kind 'nubmer': did you mean 'number'" in bad["cause"]
