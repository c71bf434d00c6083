"""Every kind of page, its every text hostile, in a real browser: nothing runs, nothing leaves.

And every kind is held to what a reader may ask: no serious finding of axe-core, no scrolling
sideways on a phone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from benchwright import check_recipe, write_evidence
from benchwright.annotate.votes import agreement_page
from benchwright.base.files import write_jsonl, write_text
from benchwright.convert.suggestions import Suggestion
from benchwright.dedup import items_of, write_evidence_page
from benchwright.dedup.classes import compare as compare_items
from benchwright.evaluate.runs import compare, leaderboard, rank_errors
from benchwright.evaluate.scoring import score
from benchwright.exports import write_history
from benchwright.exports.browse import write_browse_cards, write_browse_page
from benchwright.exports.pieces import Making, piece_of
from benchwright.problem import Image, Option, Problem, Span, Step, Vote, samples_of
from benchwright.render import Issue
from benchwright.render.versions.contact_sheet import contact_sheet
from benchwright.serving import Desk, folders_of, make_page
from benchwright.serving.server import _overview
from browser import chromium, new_page
from PIL import Image as Pillow
from reading import serious, shown, unfolded
from small import write_recipe
from small_releases import make_sample, write_predictions, write_release

KINDS = ("browse", "report", "comparison", "across", "leaderboard", "errors", "contact", "evidence",
         "suggestions", "votes", "agreement", "predictions", "overview", "look")  # fmt: skip

MARKUP = ", ".join(f"#main {made}" for made in (
    "script", "base", "link", "[onerror]", "[onload]", "a[href^=javascript]"))  # fmt: skip


def evil(field: str) -> str:
    """Text of a field that would tell on the page that lets it run, draw, load or turn round."""
    run = f"(window.owned ??= []).push('{field}')"
    return (
        f'{field} </script><script>{run}</script><img src=x onerror="{run}"> \'" onload="{run}" '
        f'<svg onload="{run}"><a xlink:href="javascript:{run}">x</a></svg> '
        '<base href="//evil.invalid/">'
        '<link rel="stylesheet" href="http://evil.invalid/a.css"> ![](http://evil.invalid/p.png) '
        f"$\\href{{javascript:{run}}}{{x}}$ $\\includegraphics{{http://evil.invalid/q.png}}$ "
        "$\\gdef\\x{1}\\htmlStyle{background:url(//evil.invalid)}{x}$ \u202egnp.exe\u2066 "
        "\u2028 \x00 \x1b[31m "
        "${{7*7}}$ {{ 7*7 }} {% raw %} <image9> $\\frac{1}{2"
    )


def hostile(kind: type[Any], **own: Any) -> Any:
    """A record with a hostile text in every field that is free text."""
    texts = {
        field.name: evil(f"{kind.__name__}.{field.name}")
        for field in msgspec.structs.fields(kind)
        if field.type in (str, str | None) and field.name not in own
    }
    return kind(**texts | own)


def problem(id: str) -> Problem:
    picture = Image(path="images/a.png", sha256="0", width=40, height=30)
    source = make_sample(id).source
    for name in ("url", "license"):
        setattr(source, name, evil(name))
    step = hostile(Step, knowledge=[evil("knowledge")], images=[picture])
    return hostile(
        Problem, id=id, origin=id, source=source, answer="A", answer_kind="choice", placement=None,
        images=[picture], options=[Option(label="A", text=evil("option")),
                                   Option(label="B", text="$2$", image=picture)],
        labels={"subject": evil("subject"), evil("label"): evil("value"), "level": 1},
        spans=[Span(start=1, end=9, role="DI")], steps=[step], notes=[evil("note")],
    )  # fmt: skip


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("pages")
    problems = [problem("a-1")]
    releases = []
    for name in ("old", "new"):
        samples = [s for p in problems for s in samples_of(p)]
        if name == "new":
            samples = [msgspec.structs.replace(s, question="Now $x$?") for s in samples]
        release = write_release(root / f"{name}-1.0.0", {"test": samples}, name=name)
        (release / "images").mkdir()
        Pillow.new("RGB", (40, 30), "navy").save(release / "images/a.png")
        rows = [msgspec.to_builtins(p) | {"canary": "c"} for p in problems]
        write_jsonl(release / "problems/test.jsonl", rows)
        releases.append(release)
    release, newer = releases
    work = root / "work"
    write_jsonl(work / "00-read/problems.jsonl", [{"id": "a-1", "question": "before"}])
    write_jsonl(work / "01-x/problems.jsonl", problems)
    ledger = {"id": "a-1", "field": evil("field"), "policy": evil("policy"), "rule": evil("rule"),
              "value": evil("value"), "votes": [{"annotator": evil("who"), "value": evil("said")}],
              "ignored": []}  # fmt: skip
    write_jsonl(work / "01-x/ledger.jsonl", [ledger])
    write_jsonl(
        work / "01-x/findings.jsonl", [{"id": "a-1", evil("key"): evil("finding")}]
    )
    write_history(release, work)
    stages = [{"stage": evil("stage"), "taken": 2, "kept": 1, "dropped": 1,
               "reasons": {evil("reason"): 1}}]  # fmt: skip
    manifest = {"title": evil("title"), "name": "old", "version": "1.0.0", "stages": stages,
                "description": evil("description"), "licences": [evil("licence")],
                "splits": {"test": {"problems": 2}}}  # fmt: skip
    samples = [s for p in problems for s in samples_of(p)]
    piece = piece_of(problems, Making("c", False, {}), release)
    write_browse_cards(release, "old-1.0.0", [piece.page()])
    write_browse_page(
        release / "index.html", manifest, piece.sums(), {"test": len(samples)}
    )
    runs = []
    for number, name in enumerate(("one", "two")):
        said = {s.id: f"{evil('reply')} So it is ({'AB'[(k + number) % 2]})."
                for k, s in enumerate(samples)}  # fmt: skip
        said[samples[0].id] = evil("long") + "<b>x " * 20_000 + "$x$ " * 300 + "(A)"
        score(
            release,
            write_predictions(root / f"{name}.jsonl", said),
            "test",
            root / name,
        )
        runs.append(root / name)
    score(newer, root / "two.jsonl", "test", root / "newer")
    compare(release, *runs, "test", root / "cmp")
    compare(
        newer,
        root / "newer",
        runs[0],
        "test",
        root / "across",
        across=True,
        other=release,
    )
    leaderboard(runs, root / "board", release=release)
    rank_errors(runs, release, root / "errors")
    issues = {"a-1": [Issue(evil("code"), evil("message"), evil("where"))]}
    contact_sheet(root / "contact.html", samples, evil("title"), issues, "old-1.0.0/")
    return {
        "browse": release / "index.html",
        "report": runs[0] / "report.html",
        "comparison": root / "cmp/comparison.html",
        "across": root / "across/explained.html",
        "leaderboard": root / "board/leaderboard.html",
        "errors": root / "errors/errors.html",
        "contact": root / "contact.html",
        "look": look(root / "look"),
        **made(root, release),
    }


def look(root: Path) -> Path:
    """The page of a check: raw rows, and two that cannot be read."""
    row = {"id": "1", "question": evil("question"), "options": [evil("option"), "2"],
           "answer": evil("answer"), "images": ["a.png"], evil("column"): evil("cell")}  # fmt: skip
    write_jsonl(
        root / "dump.jsonl", [row, row | {"id": "2", "images": [evil("picture")]}]
    )
    with (root / "dump.jsonl").open("a", encoding="utf-8") as file:
        file.write(f"{evil('line')}\n[1]\n".replace("\u2028", ""))
    Pillow.new("RGB", (40, 30), "navy").save(root / "a.png")
    source = {"name": "s", "reader": "jsonl", "path": "dump.jsonl"}
    recipe = {"name": "x", "version": "1.0.0", "title": evil("title"), "sources": [source],
              "stages": ["latex", "check"]}  # fmt: skip
    check_recipe(write_recipe(root / "recipe.yaml", recipe), page=root / "look.html")
    return root / "look.html"


def made(root: Path, release: Path) -> dict[str, Path]:
    """The pages that `view` makes, and its own."""
    rows = [{"id": k, "question": f"{evil('question')} {k}", "answer": evil("answer"),
             "image": f"{k}.png"} for k in ("p", "q")]  # fmt: skip
    work = root / "pairs"
    write_jsonl(work / "problems.jsonl", rows)
    for row in rows:
        Pillow.new("RGB", (40, 30), "red").save(work / str(row["image"]))
    items = {item.id: item for item in items_of(work / "problems.jsonl")[0]}
    pair = compare_items(items["p"], items["q"], ["text"])
    write_evidence([pair], work / "problems.jsonl", root / "evidence", images=work)
    suggestion = hostile(
        Suggestion, id="s", problem_id="p", task="rephrase", field="question",
        rejected=[evil("rejected")],
    )  # fmt: skip
    write_jsonl(root / "suggestions/s.jsonl", [suggestion])
    votes = [Vote(problem_id="a-1", field=evil("field"), value=evil(v), annotator=evil(who))
             for v, who in (("yes", "ada"), ("no", "bo"))]  # fmt: skip
    write_jsonl(root / "votes/votes.jsonl", votes)
    write_jsonl(
        root / "predictions/p.jsonl", [{"id": evil("id"), "response": evil("reply")}]
    )
    folders = folders_of(
        [root / k for k in ("evidence", "suggestions", "votes", "predictions")]
    )
    found = {}
    for folder in folders:
        page = root / "made" / f"{folder.name}.html"
        if folder.name == "evidence":
            write_evidence_page(folder.path, page)
        else:
            make_page(folder, page, folders_of([release]))
        found[folder.name] = page
    write_text(root / "made/agreement.html", agreement_page(votes))
    write_text(
        root / "made/overview.html", _overview(folders, Desk(root / "d", evil("name")))
    )
    return found | {
        name: root / f"made/{name}.html" for name in ("agreement", "overview")
    }


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_whose_every_text_is_hostile(
    browser: Any, pages: dict[str, Path], kind: str
) -> None:
    path, root = pages[kind], pages["contact"].parent
    for width, scheme in ((1280, "light"), (390, "dark")):
        page = new_page(browser, root.as_uri(), width, color_scheme=scheme)
        page.on("pageerror", lambda error, to=page.surprises: to.append(str(error)))
        page.goto(path.as_uri())
        if page.query_selector("#cards"):
            page.wait_for_selector("body[data-ready]")
            assert not shown(page).startswith("0 of")
        unfolded(page)
        assert page.surprises == []
        assert page.evaluate("window.owned ?? null") is None
        assert page.locator(MARKUP).count() == 0
        assert "\u202e" not in page.evaluate("document.body.innerText")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if (
            width == 390
        ):  # test_reading.py looks at both widths, both schemes, and replies
            assert serious(page, without=".reply") == []
        page.close()
