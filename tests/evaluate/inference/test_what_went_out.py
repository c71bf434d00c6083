"""What went out is the record: pictures by sample, the message, finish, tokens, cost."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
from benchwright import Asking, build_release, predict
from benchwright.errors import UserError
from benchwright.evaluate.inference import requests_of
from benchwright.evaluate.scoring import score
from benchwright.llm import Model, classified, plan, planned
from llm_server import llm_server
from PIL import Image as Pillow
from small import png, release, write_recipe, write_rows


def pixels(part: dict[str, Any]) -> Any:
    data = part["image_url"]["url"].partition(",")[2]
    return Pillow.open(io.BytesIO(base64.b64decode(data)))


def built(folder: Path, rows: list[dict[str, Any]]) -> Path:
    write_rows(folder / "dump.jsonl", rows)
    source = {"name": "a", "reader": "jsonl", "path": "dump.jsonl", "license": "MIT"}
    recipe = {"name": "small", "version": "1.0.0", "sources": [source], "stages": [],
              "splits": {"test": "rest"}}  # fmt: skip
    recipe_file = write_recipe(folder / "recipe.yaml", recipe)
    return build_release(recipe_file, folder / "out").release


def test_a_picture_that_a_row_names_and_nobody_has_is_refused(tmp_path: Path) -> None:
    """No mark stands in the question: the row alone names the picture."""
    (tmp_path / "a.png").write_bytes(png(9, 9))
    folder = built(tmp_path, [
        {"id": "1", "question": "How many?", "answer": "1", "images": ["a.png"]},
        {"id": "2", "question": "How many?", "answer": "2", "images": ["gone.png"]},
    ])  # fmt: skip
    asked: list[Any] = []
    with llm_server(lambda body: asked.append(body) or "1") as server:
        model = Model(name="m", base_url=server.base_url)
        with pytest.raises(UserError, match=r"1 of 2 samples .* a-2: gone.png"):
            predict(folder, "test", model, tmp_path / "m.jsonl")
        assert asked == []
        how = Asking(pictures="held")
        predict(folder, "test", model, tmp_path / "m.jsonl", how=how)
    rows = [json.loads(line) for line in (tmp_path / "m.jsonl").open()]
    assert [row.get("pictures", 0) for row in rows] == [1, 0]
    record = json.loads((tmp_path / "RUN.json").read_text())["m.jsonl"]
    assert (record["pictured"], record["asked_samples"], record["lacking"]) == (1, 2, 1)


def test_the_message_finish_tokens_and_cost_reach_the_result(tmp_path: Path) -> None:
    folder = release(tmp_path)

    def reply(body: dict[str, Any]) -> Any:
        return {"content": r"\boxed{2}", "finish_reason": "stop"}

    with llm_server(reply) as server:
        model = Model(name="m", base_url=server.base_url, price_in=1.0, price_out=10.0,
                      concurrency=1)  # fmt: skip
        predict(folder, "test", model, tmp_path / "m.jsonl", how=Asking(samples=2))
        sent = server.requests[0]["messages"][0]["content"]
    results = score(folder, tmp_path / "m.jsonl", "test").results
    first, second = results[0], results[1]
    text = next(part["text"] for part in sent if part["type"] == "text")
    assert first.asked.startswith(text)
    assert "[picture images/" in first.asked
    assert second.asked == ""  # stands once, with the first reply
    assert (first.finish, first.pictures) == ("stop", 1)
    assert (first.prompt_tokens, first.tokens) == (100, 10)
    assert first.cost == pytest.approx((100 * 1.0 + 10 * 10.0) / 1e6)


def test_pictures_are_bounded_and_as_people_see_them(tmp_path: Path) -> None:
    large = Pillow.new("RGB", (3000, 2600), "white")
    large.save(tmp_path / "large.png")
    clear = Pillow.new("RGBA", (20, 10), (0, 0, 0, 0))
    clear.save(tmp_path / "clear.png")
    turned = Pillow.new("RGB", (30, 10), "red")
    exif = turned.getexif()
    exif[0x0112] = 6  # the camera was held upright
    turned.save(tmp_path / "turned.jpg", exif=exif)
    names = ["large.png", "clear.png", "turned.jpg"]
    folder = built(tmp_path, [
        {"id": "1", "question": "See <image2>, then <image1> and <image3>.", "answer": "1",
         "images": names}])  # fmt: skip
    prompt = tmp_path / "p.txt"
    prompt.write_text("Now: $question")
    for how in (Asking(), Asking(prompt_file=prompt), Asking(style="mathverse")):
        (request,) = requests_of(folder, "test", how)
        content = request.messages[0]["content"]
        kinds = [part["type"] for part in content]
        assert kinds[:5] == ["text", "image_url", "text", "image_url", "text"]
        second, first, third = (pixels(p) for p in content if p["type"] == "image_url")
        assert first.size == (2048, 1775)
        assert second.convert("RGB").getpixel((3, 3)) == (255, 255, 255)
        assert third.size == (10, 30)
    counts = plan([request], Model(name="m"), tmp_path / "cache.sqlite")
    assert counts["reduced"] == 1
    assert "none above 2,048 pixels a side or 5 MB; 1 made smaller" in planned(counts)


def test_a_message_in_parts_and_an_error_with_status_200(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": "It is "}, {"type": "text", "text": "2."}]
    usage = {
        "completion_tokens": 9,
        "completion_tokens_details": {"reasoning_tokens": 7},
    }
    answer = classified(
        "1", {"choices": [{"message": {"content": parts}}], "usage": usage}
    )
    assert (answer.text, answer.thought_tokens) == ("It is 2.", 7)
    body = json.dumps({"error": {"message": "no more credit"}})
    with llm_server(lambda _: (200, body)) as server:
        model = Model(name="m", base_url=server.base_url, retries=0)
        with pytest.raises(UserError, match="no more credit"):
            predict(release(tmp_path), "test", model, tmp_path / "m.jsonl")
