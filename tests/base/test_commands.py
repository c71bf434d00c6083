"""Commands made from functions: what a signature and a docstring become on the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import click
import msgspec
import pytest
from benchwright import front_door
from benchwright.base import commands
from benchwright.base.commands import Printed, command
from click.testing import CliRunner

CALLS: list[dict[str, Any]] = []


class Engine(msgspec.Struct):
    """Where.

    Args:
        jobs: How many.
        kind: Which.
    """

    jobs: Annotated[int, msgspec.Meta(ge=0)] = 1
    kind: Literal["local", "dask"] = "local"


class Model(msgspec.Struct):
    """Who.

    Args:
        name: Its name.
        heat: How wild.
        body: More.
    """

    name: str
    heat: float | None = 0.5
    body: dict[str, Any] = {}


def twin(
    source: str | Path,
    *,
    engine: Engine | None = None,
    models: Sequence[Model] = (),
    moves: Mapping[str, str] | None = None,
    report: bool = True,
    each: Callable[[str], None] = print,
) -> None:
    """Work.

    Args:
        source: What is read,
            and how.
        models: Who is asked.
        moves: What is what now.
        report: Write a report.
    """


def shell(source: Path, *, top: int = 3, **options: Any) -> Printed:
    """Work on SOURCE.

    Args:
        top: How many.

    Example:
      work a
    """
    CALLS.append({"source": source, "top": top, **options})
    return Printed({"n": 1}, "one", failed=top == 0, notes=["look"])


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> click.Command:
    places = {"house.commands:work": shell, "house.work:twin": twin}
    monkeypatch.setitem(front_door.COMMANDS, "work", ("house.work:twin", "Work."))
    monkeypatch.setitem(front_door.RENAMED, "work", {"--first": "--top"})
    monkeypatch.setattr(commands, "imported", places.__getitem__)
    CALLS.clear()
    return command("work")


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("a", {}),
        ("a --top 5 --no-report", {"top": 5, "report": False}),
        ("a --engine dask", {"engine": Engine(kind="dask")}),
        ("a --jobs 2", {"engine": Engine(jobs=2)}),
        ("a --model m --model n --heat none",
         {"models": [Model(name="m", heat=None), Model(name="n", heat=None)]}),
        ('a --model m --body {"x":1}', {"models": [Model(name="m", body={"x": 1})]}),
        ("a --move x=y --move z=", None),
        ("a --move x=y", {"moves": {"x": "y"}}),
        ("a --jobs -1", None),
        ("a --engine spark", None),
        ("a --heat 1", None),  # of which model?
        ("a --each b", None),
        ("", None),
    ],
)  # fmt: skip
def test_what_is_given_is_passed_on(
    work: click.Command, words: str, given: dict[str, Any] | None
) -> None:
    """And nothing else: defaults are the function's own. What is wrong is wrong usage."""
    done = CliRunner().invoke(work, words.split())
    expected = [] if given is None else [{"source": Path("a"), "top": 3, **given}]
    assert (done.exit_code, CALLS) == (2 if given is None else 0, expected), done.output


def test_a_report_is_printed(work: click.Command) -> None:
    text, data = (CliRunner().invoke(work, ["a", *more]) for more in ([], ["--json"]))
    assert (text.stdout, text.stderr) == ("one\n", "look\n")
    assert data.stdout == '{\n  "n": 1\n}\n'
    assert CliRunner().invoke(work, ["a", "--top", "0"]).exit_code == 1


def test_help_has_what_docstrings_say(work: click.Command) -> None:
    text = CliRunner().invoke(work, ["--help"], terminal_width=100).stdout
    for line in ("What is read, and how.", "Who is asked. Repeatable.", "--report / --no-report",
                 "Engine:", "Model:", "[default: 3]", "  Example:\n    work a\n"):  # fmt: skip
        assert line in text
    assert "Args" not in text


def test_an_old_name_says_the_new_one(work: click.Command) -> None:
    for words in (["a", "--first", "7"], ["a", "--first=7"]):
        done = CliRunner().invoke(work, words)
        assert "--first is --top now" in done.stderr
        assert CALLS.pop()["top"] == 7


@pytest.mark.parametrize("path", front_door.RENAMED)
def test_new_names_are_there_and_old_ones_are_not(path: str) -> None:
    options = {name for p in command(path).params for name in p.opts}
    new = {name.partition("=")[0] for name in front_door.RENAMED[path].values()}
    assert new <= options
    assert not front_door.RENAMED[path].keys() & options


def test_rarer_fields_of_a_record_are_one_option_and_their_old_names_say_so() -> None:
    from benchwright.base.commands import _setting
    from benchwright.llm import Model

    assert _setting(Model, "retries", "0") == ("retries", 0)
    wrong = [
        "release",
        "--split",
        "a",
        "--model",
        "m",
        "--out",
        "o",
        "--set",
        "price-inn=3",
    ]
    assert "price-in" in CliRunner().invoke(command("predict"), wrong).output
    with pytest.raises(click.BadParameter, match="per-minute=many"):
        _setting(Model, "per-minute", "many")
    predict = command("predict")
    assert predict.renamed["--blind"] == "--pictures=none"
    assert predict.renamed["--per-minute"] == "--set=per-minute="
    arguments = ["release", "--split", "a", "--model", "m", "--out", "o.jsonl"]
    old = [*arguments, "--per-minute", "60", "--price-in=2.5"]
    context = predict.make_context("predict", old)
    settings = [("per-minute", "60"), ("price-in", "2.5")]
    assert list(context.params["model__set"]) == settings
