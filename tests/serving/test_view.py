"""What is served, to whom, and what is saved: raw requests, and a real browser."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import small
import yaml
from benchwright import suspects, write_evidence
from benchwright.base.files import append_line, read_jsonl, write_jsonl
from benchwright.dedup import Decision, items_of, read_decisions, read_evidence
from benchwright.dedup.classes import compare
from benchwright.errors import UserError
from benchwright.exports import read_errata
from benchwright.problem import Vote
from benchwright.release import read_problems, split_names
from benchwright.serving import Desk, PageDecision, application, folders_of
from benchwright.serving.server import _listen
from browser import chromium, new_page
from PIL import Image as Pillow
from reading import listen, reading, shown, until
from small_releases import make_sample, write_release

TOKEN = "a-token-that-nobody-guesses"
EVIL = '<img src=x onerror="alert(1)"> </script>'


class Served(NamedTuple):
    port: int
    root: Path
    decisions: Path

    def ask(
        self, path: str, method: str = "GET", body: Any = None, **headers: str
    ) -> tuple[int, str]:
        """A request as it is written: nothing tidies the path up."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        sent = {"Host": f"127.0.0.1:{self.port}"} | {
            k.replace("_", "-"): v for k, v in headers.items()
        }
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        connection.putrequest(method, path, skip_host=True)
        data = b"" if body is None else json.dumps(body).encode()
        for key, value in (sent | {"Content-Length": str(len(data))}).items():
            connection.putheader(key, value)
        connection.endheaders(data)
        got = connection.getresponse()
        return got.status, got.read().decode("utf-8", "replace")

    def save(self, folder: str, **said: str) -> tuple[int, str]:
        return self.ask(f"/{TOKEN}/save/{folder}", "POST", said)


def evidence(folder: Path) -> None:
    """Two pairs, as `dedup evidence` writes them, the second side of one hostile."""
    work = folder.with_name(f"{folder.name}-work")
    texts = {"p-1": "Find $x$ now.", "q-1": f"Find $x$ {EVIL}", "p-2": "Find $y$ now.",
             "q-2": "Find $y$ soon."}  # fmt: skip
    rows = [{"id": name, "question": text, "answer": "2", "image": f"{name}.png"}
            for name, text in texts.items()]  # fmt: skip
    write_jsonl(work / "problems.jsonl", rows)
    for name in texts:
        Pillow.new("RGB", (40, 30), "red" if name < "q" else "blue").save(
            work / f"{name}.png"
        )
    items = {item.id: item for item in items_of(work / "problems.jsonl")[0]}
    pairs = [compare(items[f"p-{k}"], items[f"q-{k}"], ["text"]) for k in (1, 2)]
    assert write_evidence(pairs, work / "problems.jsonl", folder, images=work) == 2
    shutil.rmtree(work)


def seen(folder: Path, number: int) -> str:
    row = read_evidence(folder)[number]
    return f"{row.a.hash} {row.b.hash}"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small.release(tmp_path_factory.mktemp("release"))


@pytest.fixture
def served(tmp_path: Path, release: Path) -> Iterator[Served]:
    import uvicorn

    root, decisions = tmp_path / "data", tmp_path / "decisions"
    evidence(root / "evidence")
    (tmp_path / "secret.json").write_text('"secret"')
    (root / "evidence" / ".hidden.json").write_text('"secret"')
    (root / "evidence" / "key.pem").write_text("secret")
    (root / "evidence" / "out.json").symlink_to(tmp_path / "secret.json")
    votes = [Vote(problem_id="p-1", field="subject", value=value, annotator=who)
             for who, value in (("ada", "algebra"), ("bob", "logic"))]  # fmt: skip
    write_jsonl(root / "votes/votes.jsonl", votes)
    suggestion = {"id": "s-1", "problem_id": "p-1", "task": "rephrase", "field": "question",
                  "original": "Find $x$.", "text": "What is $x$?", "model": "m",
                  "rejected": []}  # fmt: skip
    refused = suggestion | {"id": "s-2", "rejected": ["a number is gone"]}
    write_jsonl(root / "suggestions/rephrase.jsonl", [suggestion, refused])
    write_jsonl(root / "running/gpt.jsonl", [{"id": "a", "response": "1"}])
    folders = folders_of([*sorted(root.iterdir()), release])
    assert [folder.kind() for folder in folders] == [
        "evidence", "predictions", "suggestions", "votes", "release"]  # fmt: skip
    made = tmp_path / "made"
    made.mkdir()
    listening = _listen(0)
    app = application(folders, TOKEN, Desk(decisions, "ada"), made)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield Served(listening.getsockname()[1], root, decisions)
    server.should_exit = True
    thread.join()


def test_only_this_machine_with_the_token_is_answered(served: Served) -> None:
    at = f"/{TOKEN}/"
    own = f"127.0.0.1:{served.port}"
    assert served.ask(at)[0] == 200
    assert served.ask(at, Host=f"localhost:{served.port}")[0] == 200
    for path in (
        "/",
        "/at/evidence/evidence.html",
        "/wrong/",
        f"/{TOKEN}x/",
        f"/{TOKEN[:-1]}/",
    ):
        assert served.ask(path)[0] == 403, path
    for host in (
        "evil.example",
        f"evil.example:{served.port}",
        "127.0.0.1.evil.example",
        "",
    ):
        assert served.ask(at, Host=host)[0] == 403, host
    said = {
        "id": "p-2 / q-2",
        "choice": "variant",
        "seen": seen(served.root / "evidence", 1),
    }
    save = f"{at}save/evidence"
    assert served.ask(save, "POST", said, Origin="https://evil.example")[0] == 403
    assert served.ask(save, "POST", said, Content_Type="text/plain")[0] == 403
    assert not served.decisions.exists()
    assert served.ask(save, "POST", said, Origin=f"http://{own}")[0] == 200


@pytest.mark.parametrize(
    "path",
    ["../secret.json", "../../secret.json", "%2e%2e/secret.json", "..%2f..%2fsecret.json",
     "pictures/../../../secret.json", "/etc/passwd", "%2fetc%2fpasswd", "..%5csecret.json",
     ".hidden.json", "key.pem", "out.json", "%00", "pictures", ""],
)  # fmt: skip
def test_nothing_outside_a_folder_is_served(served: Served, path: str) -> None:
    status, body = served.ask(f"/{TOKEN}/at/evidence/{path}")
    assert status == 404
    assert "secret" not in body
    assert "root:" not in body
    assert served.ask(f"/{TOKEN}/at/evidence/evidence.jsonl")[0] == 200


def test_decisions_are_saved_as_the_files_that_stages_read(served: Served) -> None:
    pair = {"id": "p-1 / q-1", "seen": seen(served.root / "evidence", 0)}
    assert served.save("evidence", **pair, choice="keep b", note="clearer")[0] == 200
    a, b = pair["seen"].split()
    found = read_decisions(served.decisions / "duplicates.jsonl")["p-1", "q-1"]
    assert found == Decision(
        a="p-1", b="q-1", verdict="duplicate", keep="q-1", a_hash=a, b_hash=b,
        annotator="ada", at=found.at, note="clearer",
    )  # fmt: skip
    assert found.at
    assert served.save("votes", id="p-1 · subject", choice="logic")[0] == 200
    (vote,) = read_jsonl(served.decisions / "subject.adjudicated.jsonl", Vote)
    assert (vote.problem_id, vote.field, vote.value, vote.annotator) == (
        "p-1", "subject", "logic", "ada")  # fmt: skip
    assert (
        served.save("suggestions", id="s-1", choice="accept", text="Is $x$ 2?")[0]
        == 200
    )
    line = json.loads(
        (served.root / "suggestions/rephrase.decisions.jsonl").read_text()
    )
    assert (line["verdict"], line["text"], line["reviewer"]) == (
        "accept",
        "Is $x$ 2?",
        "ada",
    )
    saved = json.loads(served.ask(f"/{TOKEN}/saved/evidence")[1])
    assert saved.keys() == {"p-1 / q-1"}
    assert "duplicate, keep q-1 · ada · " in saved["p-1 / q-1"]


def test_what_does_not_fit_the_data_is_refused(served: Served) -> None:
    now = seen(served.root / "evidence", 0)
    for folder, said in (
        ("evidence", {"id": "p-1 / q-1", "choice": "keep a", "seen": f"{now[:-1]}-"}),
        ("evidence", {"id": "p-1 / q-9", "choice": "keep a", "seen": now}),
        ("evidence", {"id": "p-1 / q-1", "choice": "drop table", "seen": now}),
        (
            "evidence",
            {"id": "p-1 / q-1", "choice": "variant", "seen": now, "more": "1"},
        ),
        ("votes", {"id": "p-1 · subject", "choice": "geometry"}),
        ("suggestions", {"id": "s-2", "choice": "accept"}),
        ("running", {"id": "a", "choice": "right"}),
        ("nowhere", {"id": "a", "choice": "right"}),
    ):
        status, body = served.save(folder, **said)
        assert status == 400, said
        assert json.loads(body)["error"]
    assert (
        not list(served.decisions.glob("*.jsonl"))
        if served.decisions.exists()
        else True
    )


def test_an_erratum_keeps_what_stands_in_the_file(
    release: Path, tmp_path: Path
) -> None:
    from benchwright.release import read_problems, split_names

    (folder,) = folders_of([release])
    problem = read_problems(release, split_names(release)[0])[0]
    path = tmp_path / "errata.yaml"
    path.write_text("# seen by two\n- {id: x, field: answer, new: '1', reason: why}")
    said = PageDecision(
        id=problem.id, choice="answer", text="42: {a}", note="the key says so"
    )
    Desk(tmp_path, "ada").save(folder, said)
    first, second = read_errata(path)
    assert path.read_text().startswith("# seen by two\n- {id: x,")
    assert (first.id, second.id, second.new, second.by) == (
        "x",
        problem.id,
        "42: {a}",
        "ada",
    )
    assert second.old == problem.answer
    path.write_text("[{id: x, field: answer, new: '1', reason: why}]")
    with pytest.raises(UserError, match="no list"):
        Desk(tmp_path, "ada").save(folder, said)
    assert yaml.safe_load(path.read_text()) == [
        {"id": "x", "field": "answer", "new": "1", "reason": "why"}
    ]
    with pytest.raises(UserError, match="--name"):
        Desk(tmp_path, "").save(folder, said)


def test_a_browser_sees_pairs_decides_and_notices_newer_data(served: Served) -> None:
    home = f"http://127.0.0.1:{served.port}/{TOKEN}/"
    with chromium() as browser:
        page = new_page(browser, home)
        listen(page)
        page.goto(home)
        page.get_by_role("link", name="evidence / evidence.html").click()
        page.wait_for_selector("body[data-ready]")
        assert shown(page).startswith("2 of 2")
        card = page.locator("article").first
        assert card.locator("mark.differs").count() >= 2
        assert card.locator(".katex").count() >= 2
        assert card.locator("img").count() == 3
        until(
            page,
            "[...document.querySelectorAll('article img')].every((image) => image.naturalWidth)",
        )
        card.get_by_label("Note").fill("one problem")
        card.get_by_role("button", name="keep a").click()
        until(
            page, "/keep p-1 · ada/.test(document.querySelector('.saved').textContent)"
        )
        assert len(read_decisions(served.decisions / "duplicates.jsonl")) == 1
        page.reload()
        page.wait_for_selector("body[data-ready]")
        until(
            page, "/keep p-1 · ada/.test(document.querySelector('.saved').textContent)"
        )
        page.goto(f"{home}at/running/predictions.html")
        assert "gpt.jsonl" in page.inner_text("table")
        write_jsonl(served.root / "running/gpt.jsonl",
                    [{"id": k, "response": "1"} for k in "abc"])  # fmt: skip
        page.locator("table td", has_text="3").wait_for()  # it follows by itself
        page.goto(f"{home}at/suggestions/suggestions.html")
        page.wait_for_selector("body[data-ready]")
        page.get_by_role("button", name="reject").first.click()
        until(page, "/reject · ada/.test(document.querySelector('.saved').textContent)")
        page.goto(f"{home}at/votes/votes.html")
        page.wait_for_selector("body[data-ready]")
        vote = Vote(problem_id="p-7", field="subject", value="logic", annotator="cy")
        append_line(served.root / "votes/votes.jsonl", vote)
        page.locator("#newer button").click()
        page.locator("#shown", has_text="2 of 2").wait_for()
        page.get_by_role("button", name="algebra", exact=True).click()
        until(
            page, "/algebra · ada/.test(document.querySelector('.saved').textContent)"
        )
        assert page.surprises == []


def test_the_evidence_page_opens_from_the_file_system(tmp_path: Path) -> None:
    evidence(tmp_path / "evidence")
    with reading(tmp_path / "evidence/evidence.html") as page:
        assert shown(page).startswith("2 of 2")
        assert page.locator(".decide").count() == 0
        assert page.locator("mark.differs").count() >= 4
        assert page.surprises == []


def test_votes_show_their_problem_and_agreement_follows(
    served: Served, release: Path
) -> None:
    problem = read_problems(release, split_names(release)[0])[0]
    votes = [Vote(problem_id=problem.id, field="subject", value=value, annotator=who, at="1")
             for who, value in (("ada", "algebra"), ("bob", "logic"))]  # fmt: skip
    write_jsonl(served.root / "votes/votes.jsonl", votes)
    page = served.root / "../made/votes/votes.html"
    assert served.ask(f"/{TOKEN}/at/votes/votes.html")[0] == 200
    with reading(page.resolve()) as reader:
        assert "2+2?" in reader.locator("article .question").inner_text()
        assert {"ada", "bob"} <= set(reader.locator("article dt").all_inner_texts())
    home = f"http://127.0.0.1:{served.port}/{TOKEN}/at"
    with chromium() as browser:
        reader = new_page(browser, home)
        reader.goto(f"{home}/votes/agreement.html")
        assert "2" in reader.inner_text(".headlines")
        more = [Vote(problem_id="p-9", field="subject", value="logic", annotator=who)
                for who in ("ada", "bob", "cy")]  # fmt: skip
        write_jsonl(served.root / "votes/votes.jsonl", votes + more)
        reader.locator(".about", has_text="5 answers").wait_for()
        reader.goto(f"{home}/{release.name}/index.html")
        reader.wait_for_selector("body[data-ready]")
        reader.get_by_text("History", exact=True).first.click()
        until(
            reader, "/read from/.test(document.querySelector('.history')?.textContent)"
        )


def test_data_that_is_half_written_is_a_page_that_says_so(served: Served) -> None:
    votes = served.root / "votes/votes.jsonl"
    whole = votes.read_bytes()
    votes.write_bytes(whole[: len(whole) - 20])
    status, page = served.ask(f"/{TOKEN}/at/votes/votes.html")
    assert status == 400
    assert "This cannot be shown" in page
    assert "votes.jsonl:" in page
    assert "view.js" in page  # it follows, as soon as the rest is there
    votes.write_bytes(whole)
    assert served.ask(f"/{TOKEN}/at/votes/votes.html")[0] == 200


PRIVATE = "../small-1.0.0-private/answers.jsonl"
SAVE = """fetch(location.href.replace(/at\\/.*$/,'')+'save/small-1.0.0',{method:'POST',headers:{
'Content-Type':'application/json'},body:JSON.stringify({id:ID,choice:'answer',text:'E',note:'typo'})
});fetch('PRIVATE').then(r=>r.text()).then(t=>{document.title='stolen '+t})"""
HOSTILE = {
    "an inline script": "<script>CODE</script>",
    "a module": "<script type=module>CODE</script>",
    "a script with a guessed nonce": "<script nonce=a>CODE</script>",
    "a script file": "<script src=evil.js></script>",
    "code behind data": "<script src=index.data/more.js></script>",
    "code in place of the formulas": "<script src=index.data/katex.js></script>",
    "data of another call": "<script src=index.data/call.js></script>",
    "a picture that fails": '<img src=x onerror="CODE">',
    "a drawing that loads": '<svg onload="CODE"></svg>',
    "a drawing file": "<object data=evil.svg></object><embed src=evil.svg>",
    "an animation": '<svg><animate onbegin="CODE" attributeName=x dur=1s></svg>',
    "a frame": "<iframe src=PRIVATE></iframe>",
    "a frame of its own": '<iframe srcdoc="<script>CODE</script>"></iframe>',
    "a frame of a script": '<iframe src="javascript:CODE"></iframe>',
    "a picture of another folder": "<img src=PRIVATE>",
    "a style of another folder": "<link rel=stylesheet href=PRIVATE>",
    "a sound": "<audio src=PRIVATE autoplay></audio><video src=PRIVATE autoplay></video>",
    "another base": "<base href=/evil/><script src=evil.js></script>",
    "a policy of its own": '<meta http-equiv=Content-Security-Policy content="script-src *">'
    "<script>CODE</script>",
    "the server's script, asked to watch another": "<script src=../../view.js "
    "data-folder=small-1.0.0-private data-kind=release data-name=ada data-state=x></script>",
}


def test_a_hostile_release_neither_reads_another_folder_nor_saves(
    tmp_path: Path,
) -> None:
    """A board of them in a real browser: what each page asks for, and what came of it."""
    import uvicorn

    made = small.release(tmp_path, withhold_answers=["test"])
    private = made.with_name(f"{made.name}-private")
    name = read_problems(made, "testmini")[0].id
    code = SAVE.replace("ID", f"'{name}'").replace("PRIVATE", PRIVATE).replace("\n", "")
    (made / "evil.js").write_text(code)
    (made / "evil.svg").write_text(
        f"<svg xmlns='http://www.w3.org/2000/svg'><script>{code}</script></svg>"
    )
    (made / "index.data/more.js").write_text(f"benchwright.piece([]);\n{code}")
    (made / "index.data/katex.js").write_text(code)
    (made / "index.data/call.js").write_text(
        f"benchwright.piece((()=>{{{code}}})());\n"
    )
    page_text = (made / "index.html").read_text("utf-8")
    listening, pages = _listen(0), tmp_path / "pages"
    pages.mkdir()
    app = application(
        folders_of([made, private]), TOKEN, Desk(tmp_path / "said", "ada"), pages
    )
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    home = f"http://127.0.0.1:{listening.getsockname()[1]}/{TOKEN}/"
    try:
        with chromium() as browser:
            page = new_page(browser, home)
            asked: list[str] = []
            page.on(
                "response", lambda got: asked.append(f"{got.request.method} {got.url}")
            )
            for way, harm in HOSTILE.items():
                text = harm.replace("CODE", code.replace('"', "&quot;")).replace(
                    "PRIVATE", PRIVATE
                )
                (made / "index.html").write_text(
                    page_text.replace("<main", f"{text}<main", 1)
                )
                page.goto(f"{home}at/{made.name}/index.html")
                page.wait_for_selector("body[data-ready]")
                page.wait_for_timeout(200)
                assert "stolen" not in page.title(), way
                assert not [
                    one for one in asked if "-private" in one or "POST" in one
                ], way
    finally:
        server.should_exit = True
        thread.join()
    assert not list(tmp_path.glob("said/errata.yaml"))


def test_an_erratum_saved_twice_stands_once(release: Path, tmp_path: Path) -> None:
    (folder,) = folders_of([release])
    problem = read_problems(release, split_names(release)[0])[0]
    said = PageDecision(
        id=problem.id, choice="answer", text="42", note="the key says so"
    )
    for _ in range(2):
        Desk(tmp_path, "ada").save(folder, said)
    assert len(read_errata(tmp_path / "errata.yaml")) == 1


def test_suspected_golds_are_decided_on_their_page(tmp_path: Path) -> None:
    """A wrong gold becomes an erratum with the proposal and its reason, a right one a note."""
    samples = [
        make_sample(f"a-{k}", "9" if k == 3 else str(100 + k), question=f"What is {k} + 100?",
                    solution=f"Adding gives {k} + 100. So the answer is {100 + k}.")
        for k in range(60)
    ]  # fmt: skip
    release = write_release(tmp_path / "tiny", {"test": samples})
    out = tmp_path / "suspects"
    (first, *_) = suspects(release, [], out, split="test")
    (folder,) = folders_of([out])
    assert folder.kind() == "suspects"
    with reading(out / "suspects.html") as page:
        card = page.locator("article", has_text="a-3").first.inner_text()
        assert "that the gold is wrong" in card
        assert "103" in card.split("proposal")[1]
    desk = Desk(tmp_path / "decisions", "ada")
    for choice, text in (("the gold is wrong", ""), ("maybe", "103")):
        with pytest.raises(UserError):
            desk.save(folder, PageDecision(id="a-3", choice=choice, text=text))
    desk.save(folder, PageDecision(id="a-3", choice="the gold is wrong", text="103"))
    (erratum,) = read_errata(tmp_path / "decisions/errata.yaml")
    assert (erratum.id, erratum.old, erratum.new) == ("a-3", "9", "103")
    assert erratum.reason == first.reason()
    desk.save(folder, PageDecision(id="a-3", choice="the gold is right", note="seen"))
    assert (
        "the gold is" in desk.saved(folder)["a-3"] or "103" in desk.saved(folder)["a-3"]
    )


def test_the_command_serves_where_it_says(release: Path) -> None:
    """What docs/pages.md shows: an address that is served until Ctrl-C."""
    command = [
        sys.executable,
        "-m",
        "benchwright",
        "view",
        str(release),
        "--no-browser",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = re.search(r"http://127\.0\.0\.1:(\d+)(/\S+/)", process.stdout.readline())
        assert said is not None
        served = Served(int(said[1]), release, release)
        status, page = served.ask(said[2])
        assert (status, release.name in page) == (200, True)
        assert served.ask("/")[0] in (403, 404)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
