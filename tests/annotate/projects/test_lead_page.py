"""The lead's page: live from a real Label Studio, in `view` and by `status -o`."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchwright import pull, push
from benchwright.annotate.projects import open_project, status
from benchwright.annotate.projects.team import pairs_of
from benchwright.base.files import write_jsonl
from benchwright.problem import Vote
from benchwright.serving import Desk, application, folders_of
from label_studio import LabelStudio, picked
from small import problem
from starlette.testclient import TestClient


def test_the_page_follows_what_people_answer(
    studio: LabelStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LABEL_STUDIO_URL", studio.site.url)
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", studio.site.token)
    write_jsonl(tmp_path / "problems.jsonl", [problem(k) for k in range(4)])
    folder = tmp_path / "labels" / "alignment"
    number = push(tmp_path / "problems.jsonl", folder, "alignment", people=2).project
    app = application(
        folders_of([folder]), "t", Desk(tmp_path / "said", "lead"), tmp_path / "made"
    )
    page, state = "/t/at/alignment/team.html", "/t/state/alignment?page=team.html"
    names = sorted(studio.tasks(number))
    comment = {"from_name": "comment", "to_name": "question", "type": "textarea",
               "value": {"text": ["the picture is <b>cut</b>"]}}  # fmt: skip
    with TestClient(app, base_url="http://127.0.0.1") as browser:
        assert "of 4 tasks" in browser.get(page).text
        states = {browser.get(state).text}
        studio.answer(number, names[0], "anna", [picked("alignment", "yes")])
        states.add(browser.get(state).text)
        given = studio.answer(
            number, names[0], "ben", [picked("alignment", "no"), comment]
        )
        states.add(browser.get(state).text)
        shown = browser.get(page).text
        assert "the picture is &lt;b&gt;cut&lt;/b&gt;" in shown
        assert "yes / no (1)" in shown or "no / yes (1)" in shown
        studio.http.patch(
            f"/api/annotations/{given}", {"result": [picked("alignment", "yes")]}
        )
        states.add(browser.get(state).text)
        assert "yes / no (1)" not in browser.get(page).text
        studio.http.delete(f"/api/annotations/{given}/")
        states.add(browser.get(state).text)
        assert len(states) == 5  # each answer, change and withdrawal is noticed
        assert browser.get(state).text in states
        assert (
            browser.get("/t/state/alignment").text not in states
        )  # other pages need no server
        monkeypatch.setenv("LABEL_STUDIO_URL", "http://127.0.0.1:9")
        gone = browser.get(page)
        assert (gone.status_code, "no answer from Label Studio" in gone.text) == (
            400,
            True,
        )


def test_what_waits_and_who_differs(studio: LabelStudio, tmp_path: Path) -> None:
    there = {"server": studio.server}
    write_jsonl(tmp_path / "problems.jsonl", [problem(k) for k in range(4)])
    folder = tmp_path / "labels" / "doubt"
    done = push(tmp_path / "problems.jsonl", folder, "alignment", people="2-3", **there)
    first, second, *_ = sorted(studio.tasks(done.project))
    for name, verdict in (("anna", "yes"), ("ben", "no")):
        studio.answer(done.project, first, name, [picked("alignment", verdict)])
    studio.answer(done.project, second, "anna", [picked("alignment", "yes")])
    found = status(folder, out=tmp_path / "team.html", **there)
    assert [task.id for task in found.next[:2]] == [first, second]
    assert [task.why.split(":")[0] for task in found.next] == [
        "in doubt",
        "started",
    ] + ["open"] * 2
    task = studio.http.get(f"/api/tasks/{found.next[0].url.rpartition('=')[2]}")
    assert task["data"]["id"] == first
    (pair,) = [pair for pair in found.pairs if pair.field == "alignment"]
    assert (pair.one, pair.other, pair.items, pair.differ) == ("anna", "ben", 1, 1)
    assert pair.most == [("yes", "no", 1)]
    pull(folder, **there)
    assert "alignment" in status(folder, **there).seconds
    assert open_project(folder).doubt == 3


def test_pairs_are_those_of_a_slow_twin() -> None:
    from itertools import combinations
    from random import Random

    draw = Random(5)
    votes = [
        Vote(problem_id=str(p), field="f", value=draw.choice(["x", "y", "pending"]), annotator=who)
        for p in range(40) for who in "abc" if draw.random() < 0.8
    ]  # fmt: skip
    found = {
        (pair.one, pair.other): (pair.items, pair.differ) for pair in pairs_of(votes)
    }
    for one, other in combinations("abc", 2):
        both = [
            (v.value, w.value) for v in votes for w in votes
            if v.problem_id == w.problem_id and (v.annotator, w.annotator) == (one, other)
            and "pending" not in (v.value, w.value)
        ]  # fmt: skip
        assert found[one, other] == (len(both), sum(a != b for a, b in both))
