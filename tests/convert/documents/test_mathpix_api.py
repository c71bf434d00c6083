"""The Mathpix client against a local server: nothing is sent twice, keys are never written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchwright import send_to_mathpix
from benchwright.cli import cli
from benchwright.convert.documents.mathpix_api import fetch_pictures
from benchwright.convert.readers.exam import read_exam
from benchwright.errors import UserError
from click.testing import CliRunner
from mathpix_server import Server, mathpix_server
from small import png


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("MATHPIX_APP_ID", "the-id")
    monkeypatch.setenv("MATHPIX_APP_KEY", "the-key")
    with mathpix_server() as running:
        place = (
            f"{running.url}/cropped/d-01.jpg?height=9&width=8&top_left_y=7&top_left_x=6"
        )
        running.mmd = f"1. One? ![]({place})\n(A) 1 (B) 2 (C) 3 (D) 4\n2. Two?\n"
        running.pictures["/cropped/d-01.jpg"] = png()
        yield running


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    path = tmp_path / "exam.pdf"
    path.write_bytes(b"%PDF-1.4 test")
    return path


def test_a_document_leaves_text_lines_and_pictures(server: Server, pdf: Path) -> None:
    out = pdf.parent / "out"
    [sent] = send_to_mathpix([pdf], out, server.url, interval=0.01)
    assert (sent.done, sent.missing_pictures) == (True, [])
    assert (out / "exam.mmd").read_text("utf-8") == server.mmd
    assert (out / "exam-images/d-01_6_7_8_9.jpg").read_bytes() == png()
    assert len(read_exam(out / "exam.mmd").problems) == 2
    assert server.keys == {("the-id", "the-key")}
    assert not any(b"the-key" in p.read_bytes() for p in out.rglob("*") if p.is_file())


def test_a_second_run_sends_nothing(server: Server, pdf: Path) -> None:
    for _ in range(2):
        send_to_mathpix([pdf], pdf.parent / "out", server.url, interval=0.01)
    assert server.uploads == 1


def test_an_interrupted_run_goes_on_with_the_same_document(
    server: Server, pdf: Path
) -> None:
    server.waits = 1000
    with pytest.raises(UserError, match="not sent twice"):
        send_to_mathpix(
            [pdf], pdf.parent / "out", server.url, patience=0.05, interval=0.01
        )
    server.waits = 0
    [sent] = send_to_mathpix([pdf], pdf.parent / "out", server.url, interval=0.01)
    assert (sent.pdf_id, server.uploads) == ("doc1", 1)


def test_a_result_that_is_lost_on_the_way_is_fetched_again(
    server: Server, pdf: Path
) -> None:
    server.lost.add("/v3/pdf/doc1.lines.json")
    with pytest.raises(UserError, match="Mathpix failed"):
        send_to_mathpix([pdf], pdf.parent / "out", server.url, interval=0.01)
    server.lost.clear()
    send_to_mathpix([pdf], pdf.parent / "out", server.url, interval=0.01)
    assert server.uploads == 1


def test_a_changed_file_is_sent_again(server: Server, pdf: Path) -> None:
    send_to_mathpix([pdf], pdf.parent / "out", server.url, interval=0.01)
    pdf.write_bytes(b"%PDF-1.4 changed")
    send_to_mathpix([pdf], pdf.parent / "out", server.url, interval=0.01)
    assert server.uploads == 2


def test_a_refused_document_is_an_error_and_is_sent_anew(
    server: Server, pdf: Path
) -> None:
    server.state = "error"
    with pytest.raises(UserError, match="could not convert"):
        send_to_mathpix([pdf], pdf.parent / "out", server.url, interval=0.01)
    server.state = "completed"
    assert (
        send_to_mathpix([pdf], pdf.parent / "out", server.url, interval=0.01)[0].pdf_id
        == "doc2"
    )


def test_a_scan_is_one_page(server: Server, tmp_path: Path) -> None:
    (tmp_path / "scan.png").write_bytes(png())
    send_to_mathpix([tmp_path / "scan.png"], tmp_path / "out", server.url)
    [page] = json.loads((tmp_path / "out/scan.lines.json").read_text())["pages"]
    region = {"top_left_x": 10, "top_left_y": 20, "width": 100, "height": 20}
    assert page["lines"] == [{"text": "1. Scanned?", "region": region}]


def test_missing_pictures_are_listed_and_tried_again(
    server: Server, pdf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MATHPIX_URL", server.url)
    sleep = "benchwright.convert.documents.mathpix_api.time.sleep"
    monkeypatch.setattr(sleep, lambda seconds: None)
    picture = server.pictures.pop("/cropped/d-01.jpg")
    arguments = [
        "convert",
        "pdf",
        str(pdf),
        "-o",
        str(pdf.parent / "out"),
    ]
    result = CliRunner().invoke(cli, [*arguments, "--json"])
    assert (
        result.exit_code,
        len(json.loads(result.stdout)[0]["missing_pictures"]),
    ) == (1, 1)
    server.pictures["/cropped/d-01.jpg"] = picture
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    assert server.uploads == 1


def test_without_keys(pdf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MATHPIX_APP_ID", raising=False)
    with pytest.raises(UserError, match="MATHPIX_APP_ID"):
        send_to_mathpix([pdf], pdf.parent / "out", "http://127.0.0.1:9")


def test_an_unreachable_server(pdf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATHPIX_APP_ID", "a")
    monkeypatch.setenv("MATHPIX_APP_KEY", "b")
    with pytest.raises(UserError, match="Mathpix failed"):
        send_to_mathpix([pdf], pdf.parent / "out", "http://127.0.0.1:9")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_only_the_service_is_asked_and_only_pictures_are_kept(
    server: Server, tmp_path: Path, scheme: str
) -> None:
    """A scanned page may name any address: another machine's, or one that leads elsewhere."""
    with mathpix_server() as other:
        other.pictures["/secret.png"] = png()
        server.pictures["/.htaccess"] = b"Deny from all"
        inside = other.url.replace("http:", f"{scheme}:")
        addresses = [f"{inside}/secret.png", f"{server.url}/.htaccess", f"{server.url}/none.png",
                     "https://mathpix.com.example.org/a.png", "https://[/a.png"]  # fmt: skip
        mmd = tmp_path / "a.mmd"
        mmd.write_text("".join(f"![]({one})\n" for one in addresses))
        assert fetch_pictures(mmd, tmp_path / "images", server.url) == addresses
        assert not (tmp_path / "images").exists()
