"""llm.ask: cache, order, retries, failures, batch files."""

from __future__ import annotations

import json
import time
from pathlib import Path

import msgspec
import pytest
from benchwright import llm
from benchwright.errors import UserError
from llm_server import llm_server


def question(k: int, **changes: object) -> llm.Request:
    return llm.Request(id=f"q{k}", messages=[{"role": "user", "content": f"say {k}"}], **changes)


def echo(body: dict) -> str:
    return body["messages"][0]["content"].removeprefix("say ")


def model(server, **changes: object) -> llm.Model:
    return llm.Model(name="m", base_url=server.base_url, **changes)


def test_answers_keep_the_order_and_are_paid_for_once(tmp_path: Path) -> None:
    with llm_server(echo) as server:
        first = list(llm.ask(map(question, range(50)), model(server), tmp_path / "c.db"))
        again = list(llm.ask(map(question, range(50)), model(server), tmp_path / "c.db"))
    assert [a.text for a in first] == [str(k) for k in range(50)]
    assert [a.text for a in again] == [a.text for a in first]
    assert len(server.requests) == 50
    assert not any(a.cached for a in first)
    assert all(a.cached for a in again)
    paid = llm.usage(first, model(server, price_in=1.0, price_out=2.0))
    assert paid["cost"] == pytest.approx((50 * 100 * 1.0 + 50 * 10 * 2.0) / 1e6)
    assert llm.usage(again, model(server, price_in=1.0))["cost"] == 0


def test_equal_requests_are_asked_once_even_at_the_same_time(tmp_path: Path) -> None:
    def slow(body: dict) -> str:
        time.sleep(0.05)  # long enough for all of them to be under way
        return echo(body)

    same = [msgspec.structs.replace(question(1), id=f"q{k}") for k in range(8)]
    with llm_server(slow) as server:
        answers = list(llm.ask([*same, question(2)], model(server), tmp_path / "c.db"))
    assert len(server.requests) == 2
    assert [a.id for a in answers] == [f"q{k}" for k in range(8)] + [question(2).id]
    assert {a.text for a in answers[:8]} == {"1"}
    assert [a.cached for a in answers] == [False] + [True] * 7 + [False]
    with llm_server(lambda body: 403) as server:
        failed = list(llm.ask(same, model(server, retries=0), tmp_path / "d.db"))
    assert {(a.status, a.cached) for a in failed} == {("error", False)}


@pytest.mark.parametrize("failure", ["429", "500", "503", "timeout", "garbage", "empty"])
def test_a_passing_failure_is_retried(tmp_path: Path, failure: str) -> None:
    with llm_server(echo, failures=[failure] * 2) as server:
        (answer,) = llm.ask([question(1)], model(server, timeout=0.5), tmp_path / "c.db")
    assert (answer.status, answer.text) == ("ok", "1")
    assert len(server.requests) == 3


def test_a_lasting_failure_is_an_error_that_is_asked_again(tmp_path: Path) -> None:
    broken = True

    def reply(body: dict) -> object:
        return 401 if broken and echo(body) == "2" else echo(body)

    with llm_server(reply) as server:
        first = list(llm.ask(map(question, range(4)), model(server, retries=1), tmp_path / "c.db"))
        broken = False
        second = list(llm.ask(map(question, range(4)), model(server, retries=1), tmp_path / "c.db"))
    assert [a.status for a in first] == ["ok", "ok", "error", "ok"]
    assert "401" in first[2].error
    assert [a.text for a in second] == ["0", "1", "2", "3"]
    assert [a.cached for a in second] == [True, True, False, True]


def test_refused_truncated_and_empty_replies_are_kept_apart(tmp_path: Path) -> None:
    replies = {
        "0": {"refusal": "I can't"},
        "1": {"content": "half", "finish_reason": "length"},
        "2": {"content": ""},
    }
    with llm_server(lambda body: dict(replies[echo(body)])) as server:
        answers = list(llm.ask(map(question, range(3)), model(server), tmp_path / "c.db"))
    assert [(a.status, a.text) for a in answers] == [
        ("refused", "I can't"),
        ("truncated", "half"),
        ("empty", ""),
    ]


def test_an_endpoint_without_schemas_is_asked_plainly(tmp_path: Path) -> None:
    def reply(body: dict) -> object:
        return 400 if "response_format" in body else echo(body)

    with llm_server(reply) as server:
        (answer,) = llm.ask(
            [question(7, schema={"type": "object"})], model(server), tmp_path / "c.db"
        )
    assert (answer.text, answer.left_out) == ("7", ["response_format"])


def test_offline_asks_nothing(tmp_path: Path) -> None:
    with llm_server(echo) as server:
        list(llm.ask([question(1)], model(server), tmp_path / "c.db"))
        answers = list(
            llm.ask(map(question, [1, 2]), model(server), tmp_path / "c.db", offline=True)
        )
    assert [a.status for a in answers] == ["ok", "missing"]
    assert len(server.requests) == 1


def test_batch_files_fill_the_cache_in_any_order(tmp_path: Path) -> None:
    m = llm.Model(name="m")
    cache = tmp_path / "c.db"
    assert llm.write_batch(map(question, range(3)), m, cache, tmp_path / "in.jsonl") == {str(tmp_path / "in.jsonl"): 3}
    rows = [json.loads(line) for line in (tmp_path / "in.jsonl").read_text().splitlines()]
    replies = [
        {
            "custom_id": row["custom_id"],
            "response": {
                "status_code": 200 if echo(row["body"]) != "1" else 500,
                "body": {"choices": [{"message": {"content": echo(row["body"])}}]},
            },
        }
        for row in reversed(rows)
    ]
    (tmp_path / "out.jsonl").write_text("".join(json.dumps(r) + "\n" for r in replies))
    assert llm.read_batch(tmp_path / "out.jsonl", cache) == {"ok": 2, "failed": 1}
    answers = list(llm.ask(map(question, range(3)), m, cache, offline=True))
    assert [a.text for a in answers] == ["0", "", "2"]
    assert llm.plan(map(question, range(3)), m, cache)["to_ask"] == 1
    (tmp_path / "bad.jsonl").write_text("{}\n")
    with pytest.raises(UserError, match=r"bad\.jsonl:1"):
        llm.read_batch(tmp_path / "bad.jsonl", cache)


def test_the_key_is_needed_and_never_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with llm_server(echo) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
        list(llm.ask([question(1)], model(server), tmp_path / "c.db"))
        monkeypatch.delenv("OPENAI_API_KEY")
        with pytest.raises(UserError, match="OPENAI_API_KEY"):
            list(llm.ask([question(2)], model(server), tmp_path / "c.db"))
    stored = b"".join(p.read_bytes() for p in tmp_path.iterdir())
    assert b"very-secret" not in stored
