"""llm.ask: cache, order, retries, failures, batch files."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from benchwright import llm
from benchwright.errors import UserError
from benchwright.llm import Pace, classified
from llm_server import llm_server


def question(k: int, **changes: object) -> llm.Request:
    return llm.Request(
        id=f"q{k}", messages=[{"role": "user", "content": f"say {k}"}], **changes
    )


def echo(body: dict) -> str:
    return body["messages"][0]["content"].removeprefix("say ")


def model(server, **changes: object) -> llm.Model:
    return llm.Model(name="m", base_url=server.base_url, **changes)


def test_answers_keep_the_order_and_are_paid_for_once(tmp_path: Path) -> None:
    with llm_server(echo) as server:
        first = list(
            llm.ask(map(question, range(50)), model(server), tmp_path / "c.db")
        )
        again = list(
            llm.ask(map(question, range(50)), model(server), tmp_path / "c.db")
        )
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


@pytest.mark.parametrize(
    "failure", ["429", "500", "503", "timeout", "garbage", "empty"]
)
def test_a_passing_failure_is_retried(tmp_path: Path, failure: str) -> None:
    patience = {"timeout": 2.0} if failure == "timeout" else {}
    with llm_server(echo, failures=[failure] * 2) as server:
        (answer,) = llm.ask([question(1)], model(server, **patience), tmp_path / "c.db")
    assert (answer.status, answer.text) == ("ok", "1")
    assert len(server.requests) == 3


def test_a_lasting_failure_is_an_error_that_is_asked_again(tmp_path: Path) -> None:
    broken = True

    def reply(body: dict) -> object:
        return 401 if broken and echo(body) == "2" else echo(body)

    with llm_server(reply) as server:
        first = list(
            llm.ask(
                map(question, range(4)), model(server, retries=1), tmp_path / "c.db"
            )
        )
        broken = False
        second = list(
            llm.ask(
                map(question, range(4)), model(server, retries=1), tmp_path / "c.db"
            )
        )
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
        answers = list(
            llm.ask(map(question, range(3)), model(server), tmp_path / "c.db")
        )
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
            llm.ask(
                map(question, [1, 2]), model(server), tmp_path / "c.db", offline=True
            )
        )
    assert [a.status for a in answers] == ["ok", "missing"]
    assert len(server.requests) == 1


def test_batch_files_fill_the_cache_in_any_order(tmp_path: Path) -> None:
    m = llm.Model(name="m")
    cache = tmp_path / "c.db"
    path = tmp_path / "in.jsonl"
    assert llm.write_batch(map(question, range(3)), m, cache, path) == {str(path): 3}
    rows = [
        json.loads(line) for line in (tmp_path / "in.jsonl").read_text().splitlines()
    ]
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


@pytest.mark.parametrize("name", ["temperature", "max_tokens"])
def test_parameters_that_an_endpoint_refuses_are_left_out_for_good(
    tmp_path: Path, name: str
) -> None:
    """Reasoning models take no temperature, and the longest reply under another name."""

    def reply(body: dict) -> object:
        return (400, f"Unsupported parameter: {name}") if name in body else echo(body)

    asked = [question(k, max_tokens=5) for k in range(6)]
    with llm_server(reply) as server:
        answers = list(llm.ask(asked, model(server, concurrency=1), tmp_path / "c.db"))
    assert [a.text for a in answers] == [str(k) for k in range(6)]
    assert {tuple(a.left_out) for a in answers} == {(name,)}
    assert len(server.requests) == 7  # refused once, then never sent again
    last = server.requests[-1]
    assert ("max_completion_tokens" in last) == (name == "max_tokens")
    assert llm.usage(answers, model(server))["left_out"] == [name]


def test_a_model_brings_its_own_parameters(tmp_path: Path) -> None:
    own = {
        "body": {"reasoning_effort": "low", "temperature": None},
        "system": "Be brief.",
    }
    with llm_server(lambda body: "ok") as server:
        list(llm.ask([question(1)], model(server, **own), tmp_path / "c.db"))
        list(llm.ask([question(1)], model(server), tmp_path / "c.db"))
    first, second = server.requests
    assert first["reasoning_effort"] == "low"
    assert "temperature" not in first
    assert first["messages"][0] == {"role": "system", "content": "Be brief."}
    assert second["temperature"] == 0.0  # another question for the cache


def test_samples_of_one_question_are_asked_one_by_one(tmp_path: Path) -> None:
    asked = [question(1, sample=k, temperature=1.0) for k in (1, 2, 3)]
    with llm_server(echo) as server:
        list(llm.ask(asked, model(server), tmp_path / "c.db"))
        again = list(llm.ask(asked, model(server), tmp_path / "c.db"))
    assert len(server.requests) == 3
    assert all(a.cached for a in again)


def test_an_empty_reply_is_asked_for_again_now_and_next_time(tmp_path: Path) -> None:
    with llm_server(lambda body: "") as server:
        for _ in range(2):
            (answer,) = llm.ask([question(1)], model(server), tmp_path / "c.db")
            assert answer.status == "empty"
    assert len(server.requests) == 6
    replies = iter(["", "late"])
    with llm_server(lambda body: next(replies)) as server:
        (answer,) = llm.ask([question(2)], model(server), tmp_path / "c.db")
    assert answer.text == "late"


def test_a_budget_stops_asking_and_says_so(tmp_path: Path) -> None:
    """Every reply costs 100 + 10 tokens; with one request at a time the budget is kept."""
    rich = {"price_in": 1e4, "concurrency": 1}  # 1.00 a reply
    with llm_server(echo) as server:
        m = model(server, **rich, budget=3.0)
        answers = list(llm.ask(map(question, range(10)), m, tmp_path / "c.db"))
    assert [a.status for a in answers] == ["ok"] * 3 + ["missing"] * 7
    assert {a.error for a in answers[3:]} == {"the budget is spent"}
    assert len(server.requests) == 3
    with pytest.raises(UserError, match="a budget needs prices"):
        list(llm.ask([question(1)], model(server, budget=1.0), tmp_path / "d.db"))


def test_a_slow_reply_does_not_hold_up_the_others(tmp_path: Path) -> None:
    """While the first reply is held back, all others are asked: it is let go by the last one."""
    last = threading.Event()

    def reply(body: dict) -> str:
        if echo(body) == "0":
            assert last.wait(120)
        if echo(body) == "99":
            last.set()
        return echo(body)

    with llm_server(reply) as server:
        m = model(server, concurrency=4)
        answers = list(llm.ask(map(question, range(100)), m, tmp_path / "c.db"))
    assert [a.text for a in answers] == [str(k) for k in range(100)]


def test_attempts_are_paced_like_first_requests(tmp_path: Path) -> None:
    """The times at which requests leave are those of a clock that the test turns itself."""
    now = [0.0]
    pace = Pace(
        60.0, clock=lambda: now[0], sleep=lambda s: now.__setitem__(0, now[0] + s)
    )
    left = []
    for k in range(6):
        pace.wait()
        left.append(now[0])
        if k == 2:
            pace.back_off(10)
    assert left == [0, 1, 2, 12, 13, 14]


@pytest.mark.parametrize(
    ("lie", "says"),
    [
        ((200, "<html>Bad gateway</html>"), "no JSON but application/json"),
        ((302, "moved"), "status 302"),
        ((200, '{"choices": [{"message": {"content": ["a"]}}]}'), "no choice"),
        ((200, "data: {}\n\n"), "no JSON"),
        ((500, "down"), "status 500"),
    ],
)
def test_endpoints_that_lie_are_counted_and_asked_again(
    tmp_path: Path, lie, says: str
) -> None:
    with llm_server(lambda body: lie) as server:
        (answer,) = llm.ask([question(1)], model(server, retries=1), tmp_path / "c.db")
    assert answer.status == "error"
    assert says in answer.error
    assert len(server.requests) == (1 if lie[0] == 302 else 2)


def test_lies_about_usage_cost_nothing() -> None:
    for tokens in (-5, 1e9, "many", None, 10**12):
        usage = {"prompt_tokens": tokens, "completion_tokens": 7}
        choice = {"message": {"content": "x"}, "finish_reason": "stop"}
        answer = classified("1", {"choices": [choice], "usage": usage})
        assert (answer.prompt_tokens, answer.completion_tokens) == (0, 7)


def test_a_thousand_requests_with_faults_are_all_accounted_for(tmp_path: Path) -> None:
    """One in twenty fails in some way; after a stop in the middle nothing is paid for twice."""
    lock, seen = threading.Lock(), Counter()

    def reply(body: dict) -> object:
        with lock:
            seen[echo(body)] += 1
            first = seen[echo(body)] == 1
        if first and int(echo(body)) % 20 == 7:
            return [429, 500, (200, "<html>"), ""][int(echo(body)) // 20 % 4]
        return echo(body)

    with llm_server(reply) as server:
        m = model(server, concurrency=16)
        running = llm.ask(map(question, range(1000)), m, tmp_path / "c.db")
        head = [next(running).text for _ in range(300)]
        running.close()
        done = sum(seen.values())
        answers = list(llm.ask(map(question, range(1000)), m, tmp_path / "c.db"))
    assert head == [str(k) for k in range(300)]
    assert [a.text for a in answers] == [str(k) for k in range(1000)]
    assert done >= 300
    assert (
        sum(seen.values()) == 1000 + 50
    )  # a second attempt for each fault, and for nothing else


def test_batches_are_cut_to_what_an_endpoint_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchwright.llm.batch.MOST_REQUESTS", 4)
    path = tmp_path / "b.jsonl"
    written = llm.write_batch(
        map(question, range(10)), llm.Model(name="m"), tmp_path / "c", path
    )
    assert list(written.values()) == [4, 4, 2]
    assert [Path(name).name for name in written] == [
        "b.jsonl",
        "b-2.jsonl",
        "b-3.jsonl",
    ]
    texts = [
        line for name in written for line in Path(name).read_text("utf-8").splitlines()
    ]
    assert [echo(json.loads(line)["body"]) for line in texts] == [
        str(k) for k in range(10)
    ]
