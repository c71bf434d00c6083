"""predict: the papers' prompts, resuming, baselines, captions, batch files."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from benchwright import Asking, predict
from benchwright.cli import main
from benchwright.errors import UserError
from benchwright.evaluate.inference import requests_for
from benchwright.evaluate.inference.baselines import baseline
from benchwright.evaluate.prompts import ask_text, captioned
from benchwright.evaluate.scoring import score
from benchwright.llm import Model
from benchwright.problem import Image, Sample, Source, shown_images
from benchwright.release import read_samples
from llm_server import llm_server
from small import options, release
from small_releases import make_sample, write_release


def sample(**changes: Any) -> Sample:
    base = {
        "id": "s",
        "problem_id": "s",
        "origin": "s",
        "source": Source(name="a", raw_id="1"),
    }
    return Sample(**(base | {"question": "Find $x$."} | changes))


ABC = options("1", "2", "3")
PAGE = Image(path="images/page.png", sha256="p", width=9, height=9)


@pytest.mark.parametrize(
    ("style", "changes", "start", "end"),
    [
        (
            "math-v",
            {"options": ABC},
            "Please solve the problem step by step",
            "(C) 3\n",
        ),
        ("math-v", {"options": options("A", "B", "C")}, "Please solve", "Find $x$.\n"),
        (
            "mathverse",
            {"options": ABC},
            "Please first conduct reasoning, and then answer",
            "C:3",
        ),
        ("mathverse", {}, "Please first conduct reasoning", "Question: Find $x$."),
        (
            "mathverse",
            {"version": "vision_only", "images": [PAGE]},
            "According to the question shown in the image",
            "at the end.",
        ),
        ("mathverse-direct", {"options": ABC}, "Please directly answer", "C:3"),
        (
            "we-math",
            {"options": ABC},
            "Now, we require you to solve",
            "<Answer>: <<your option>>",
        ),
        ("mm-math", {}, "Solve the following mathematics problem", "Find $x$.\n"),
    ],
)
def test_each_benchmark_is_asked_in_its_words(
    style: str, changes: dict, start: str, end: str
) -> None:
    text = ask_text(sample(**changes), style)
    assert text.startswith(start)
    assert text.endswith(end)
    assert "$question" not in text


def test_knowledge_cards_go_into_the_kca_prompt() -> None:
    asked = sample(options=ABC, labels={"knowledge": ["Area of Circles"]})
    cards = {"Area of Circles": "The area is pi r squared."}
    assert "Area of Circles:\nThe area is pi r squared." in ask_text(
        asked, "we-math-kca", cards
    )
    with pytest.raises(UserError, match="no knowledge card"):
        ask_text(asked, "we-math-kca", {})


def test_captions_take_the_place_of_pictures() -> None:
    image = Image(path="images/a.png", sha256="a", width=1, height=1, role="composite")
    asked = sample(question="In <image1> and <image2>, find x.", images=[image])
    spoken = "In [Figure: a circle] and [Figure: a circle], find x."
    assert captioned(asked, {"images/a.png": "a circle"}).question == spoken
    with pytest.raises(UserError, match="no caption for images"):
        captioned(asked, {})
    image.caption = "a circle"  # as the stage `captions` leaves it
    assert captioned(asked, {}).question == spoken
    assert captioned(asked, {"s": "words of a file"}).question.startswith(
        "In [Figure: words of"
    )


def test_a_page_in_words_is_asked_as_text() -> None:
    """A vision-only sample has no text: what a model without eyes gets is the caption."""
    page = sample(question="", version="vision_only", images=[PAGE], options=ABC)
    text = ask_text(captioned(page, {"images/page.png": "Find x."}), "mathverse")
    assert "shown in the image" not in text
    assert text.endswith("Question: [Figure: Find x.]\nChoices:\nA:1\nB:2\nC:3")


def test_pictures_are_attached_unless_captions_replace_them(tmp_path: Path) -> None:
    folder = release(tmp_path)
    samples = read_samples(folder, "test")
    (first, *_) = requests_for(folder, samples, Asking())
    text, picture = first.messages[0]["content"]  # as MATH-V's code sends them
    assert text["type"] == "text"
    assert picture["image_url"]["url"].startswith("data:image/png;base64,")
    captions = {s.id: "words" for s in samples}
    (spoken, *_) = requests_for(folder, samples, Asking(captions=captions))
    assert [part["type"] for part in spoken.messages[0]["content"]] == ["text"]


def test_captions_are_made_by_one_model_and_read_to_another(tmp_path: Path) -> None:
    folder = release(tmp_path)
    out, asked = tmp_path / "captions.jsonl", []

    def reply(body: dict) -> str:
        asked.append([part["type"] for part in body["messages"][-1]["content"]])
        return "a grey square"

    with llm_server(reply) as server:
        predict(folder, "test", Model(name="eyes", base_url=server.base_url), out,
                how=Asking(style="math-v-caption"))  # fmt: skip
    assert all(parts == ["text", "image_url"] for parts in asked)
    samples = read_samples(folder, "test")
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    shown = {image.path for s in samples for image in shown_images(s)}
    assert [row["image"] for row in rows] == sorted(
        shown, key=[r["image"] for r in rows].index
    )
    assert len(asked) == len(shown)
    twice = list(requests_for(folder, samples * 2, Asking(style="math-v-caption")))
    assert len(twice) == len(shown)  # a picture is asked about once, whoever shows it
    assert {name for row in rows for name in row["problems"]} == {
        s.problem_id for s in samples if shown_images(s)
    }
    with pytest.raises(UserError, match="a picture has one caption"):
        list(requests_for(folder, samples, Asking(style="math-v-caption", samples=2)))
    (request, *_) = requests_for(folder, samples, Asking(captions=out))
    (text,) = request.messages[0]["content"]
    assert "[Figure: a grey square]" in text["text"]


def test_a_run_that_failed_goes_on_and_pays_once(tmp_path: Path) -> None:
    folder = release(tmp_path)
    out = tmp_path / "p.jsonl"
    with llm_server(lambda body: r"\boxed{2}", failures=["403"]) as server:
        model = Model(name="m", base_url=server.base_url, retries=0, price_in=1.0)
        first = predict(folder, "test", model, out)
        second = predict(folder, "test", model, out)
    assert first.statuses == {"error": 1, "ok": 7}
    assert (second.cached, second.statuses) == (7, {"ok": 8})
    assert second.cost == pytest.approx(100 / 1e6)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["id"] for row in rows] == [s.id for s in read_samples(folder, "test")]
    assert {row["response"] for row in rows} == {r"\boxed{2}"}


def test_a_second_run_for_the_same_file_is_refused_while_the_first_lives(
    tmp_path: Path,
) -> None:
    folder, out = release(tmp_path), tmp_path / "p.jsonl"
    refusals: list[UserError] = []

    def reply(_: Any) -> str:
        if not refusals:
            with pytest.raises(UserError, match="another run is writing") as found:
                predict(folder, "test", model, out)
            refusals.append(found.value)
        return r"\boxed{2}"

    with llm_server(reply) as server:
        model = Model(name="m", base_url=server.base_url, concurrency=1)
        assert predict(folder, "test", model, out).statuses == {"ok": 8}
        assert len(server.requests) == 8
    assert [path.name for path in tmp_path.glob(".*.run")] == []


def test_baselines(tmp_path: Path) -> None:
    many = [sample(id=f"s{k}", options=ABC, answer="C") for k in range(300)]
    drawn = [row["response"] for row in baseline(many, "random", seed=1)]
    assert all(60 < drawn.count(letter) < 140 for letter in "ABC")
    assert drawn == [row["response"] for row in baseline(many, "random", seed=1)]
    assert drawn[:50] == [
        row["response"] for row in baseline(many[:50], "random", seed=1)
    ]
    mixed = [*many, sample(id="f", answer="7")]
    assert {row["response"] for row in baseline(mixed, "most-frequent")} == {"C", "7"}
    with pytest.raises(UserError, match="withheld"):
        baseline([sample(answer=None)], "most-frequent")


def test_the_draw_of_math_vs_code() -> None:
    """models/random.py seeds the module and draws for each row in turn, from 0 to 4 or to 512."""
    mixed = [
        sample(id=f"s{k}", options=options(*"vwxyz") if k % 3 else [])
        for k in range(50)
    ]
    random.seed(0)
    theirs = [str("vwxyz"[random.randint(0, 4)] if s.options else random.randint(0, 512))
              for s in mixed]  # fmt: skip
    assert [row["response"] for row in baseline(mixed, "random-text", seed=0)] == theirs


def run(*words: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main([str(word) for word in words])
    return int(stop.value.code or 0)


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = release(tmp_path)
    out = tmp_path / "p.jsonl"
    common = ("predict", folder, "--split", "test", "--out", out)
    assert run(*common, "--baseline", "random") == 0
    assert len(out.read_text().splitlines()) == 8
    assert run(*common, "--model", "m", "--dry-run", "--json") == 0
    assert json.loads(capsys.readouterr().out.split("answers: 8")[-1])["to_ask"] == 8
    assert run(*common, "--model", "m", "--write-batch", tmp_path / "b.jsonl") == 0
    assert len((tmp_path / "b.jsonl").read_text().splitlines()) == 8
    assert (
        run(
            *common,
            "--model",
            "m",
            "--write-batch",
            tmp_path / "b.jsonl",
            "--limit",
            "3",
        )
        == 0
    )
    assert len((tmp_path / "b.jsonl").read_text().splitlines()) == 3
    capsys.readouterr()
    assert run(*common, "--model", "m", "--dry-run", "--limit", "3", "--json") == 0
    assert json.loads(capsys.readouterr().out)["to_ask"] == 3
    assert run(*common, "--baseline", "random", "--limit", "3") == 0
    assert len(out.read_text().splitlines()) == 3
    assert run(*common) == 2
    assert run(*common, "--model", "m", "--style", "poem") == 2


def test_pictures_that_are_not_there_stop_the_run_unless_allowed(
    tmp_path: Path,
) -> None:
    folder = release(tmp_path)
    samples = read_samples(folder, "test")
    blind = sample(question="In <image1>, find x.")
    with pytest.raises(
        UserError, match=r"1 of 1 samples lack a picture .* the first is s"
    ):
        list(requests_for(folder, [blind], Asking()))
    assert len(list(requests_for(folder, [blind], Asking(pictures="held")))) == 1
    pictured = next(s for s in samples if s.images)
    for how in (
        Asking(pictures="none"),
        Asking(captions={s.id: "words" for s in samples}),
    ):
        (request,) = requests_for(folder, [pictured], how)
        assert [part["type"] for part in request.messages[0]["content"]] == ["text"]
    (folder / pictured.images[0].path).unlink()
    with pytest.raises(UserError, match=pictured.id):
        list(requests_for(folder, [pictured], Asking()))


def test_several_samples_come_back_as_repeats(tmp_path: Path) -> None:
    folder = release(tmp_path)
    out = tmp_path / "p.jsonl"
    with llm_server(lambda body: "\\boxed{2}") as server:
        model = Model(name="m", base_url=server.base_url)
        report = predict(
            folder, "test", model, out, how=Asking(samples=3, temperature=1.0)
        )
    ids = [s.id for s in read_samples(folder, "test")]
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(r["id"], r["repeat"]) for r in rows] == [
        (i, k) for i in ids for k in (1, 2, 3)
    ]
    assert len(server.requests) == report.answers == 3 * len(ids)
    assert score(folder, out, "test").scores.repeats.k == 3


def test_nothing_answered_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    folder, out = release(tmp_path), tmp_path / "p.jsonl"
    with llm_server(lambda body: 403) as server:
        command = ["predict", str(folder), "--split", "test", "--model", "m", "--base-url",
                   server.base_url, "--out", str(out), "--set", "retries=0"]  # fmt: skip
        with pytest.raises(SystemExit, match="1"):
            main(command)
    said = capsys.readouterr().err
    assert "answered none of" in said
    assert "status 403" in said
    assert all(
        json.loads(row)["response"] is None for row in out.read_text().splitlines()
    )


@pytest.mark.parametrize("value", ["{", "[1]"])
def test_a_wrong_body_is_a_usage_error(tmp_path: Path, value: str) -> None:
    command = ["predict", str(release(tmp_path)), "--split", "test", "--model", "m", "--body",
               value, "--out", str(tmp_path / "p.jsonl")]  # fmt: skip
    with pytest.raises(SystemExit, match="2"):
        main(command)


def test_the_run_is_a_record_beside_its_replies(tmp_path: Path) -> None:
    """Prompt, parameters, what was refused, the model's own string: kept, and read by score."""

    def reply(body: dict) -> Any:
        if "temperature" in body:
            return (400, "temperature is not supported")
        if "2+2" in json.dumps(body):
            return {
                "content": "",
                "reasoning_content": "two and two",
                "finish_reason": "length",
            }
        return {"content": "The answer is 2.", "reasoning_content": "one and one"}

    samples = [
        make_sample("a-1", "2", question="1+1"),
        make_sample("a-2", "4", question="2+2"),
    ]
    folder = write_release(tmp_path / "tiny", {"test": samples})
    out = tmp_path / "m.jsonl"
    with llm_server(reply) as server:
        model = Model(name="m", base_url=server.base_url, system="Be brief.")
        made = predict(folder, "test", model, out, how=Asking(max_tokens=9))
        before = (out.read_bytes(), (tmp_path / "RUN.json").read_bytes())
        predict(folder, "test", model, out, how=Asking(max_tokens=9))
    assert (made.cost, "no prices given" in made.headline()) == (None, True)
    assert before == (
        out.read_bytes(),
        (tmp_path / "RUN.json").read_bytes(),
    )  # asked once
    scores, results = score(folder, out, "test")
    (record,) = scores.provenance.runs
    assert (record.model, record.served, record.system) == ("m", ["m"], "Be brief.")
    assert record.parameters == {"temperature": 0.0, "max_tokens": 9}
    assert record.refused == ["temperature"]
    assert record.prompts[0].style == "math-v"
    assert "$question" in record.prompts[0].texts["math-v"]
    assert record.finish == {"length": 1, "stop": 1}
    assert record.doubts == scores.provenance.remarks == []
    assert [r.thoughts for r in results] == ["one and one", "two and two"]
    assert [(r.status, r.ended) for r in results][1] == (
        "truncated",
        "thought until the limit",
    )
    assert (
        scores.endings["thought until the limit"].n == scores.counts["truncated"] == 1
    )
