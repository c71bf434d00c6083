"""Prompts byte for byte as the benchmarks' published code and data have them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import UserError
from benchwright.evaluate.inference.ask_model import Asking, requests_for
from benchwright.evaluate.prompts import STYLES, ask_text
from benchwright.problem import Image, Sample, Source
from benchwright.release import read_samples
from small import options, release, write_rows

ABC = options("1", "2", "3")


def sample(**changes: Any) -> Sample:
    base = {"id": "s", "problem_id": "s", "origin": "s", "source": Source(name="a", raw_id="1")}
    return Sample(**(base | {"question": "Find $x$.\n\n\nNow. "} | changes))


Q = "Find $x$.\n\n\nNow. "  # spaces and blank lines of a question are its own
STEPS = (
    "Please first solve the problem step by step, then put your final answer or a single letter "
    '(if it is a multiple choice question) in one "\\boxed{}". \n'
)
EXACT = {
    "math-v": (
        'Please solve the problem step by step and put your answer in one "\\boxed{}". If it is a '
        'multiple choice question, only one letter is allowed in the "\\boxed{}".\n'
        f"{Q}\n(A) 1\n(B) 2\n(C) 3\n"
    ),
    "math-v-direct": (
        'Please solve the problem and put your answer in one "\\boxed{}". If it is a '
        'multiple choice question, only one letter is allowed in the "\\boxed{}".\n'
        f"{Q}\n(A) 1\n(B) 2\n(C) 3\n"
    ),
    "math-v-steps": f"{STEPS}{Q}\n(A) 1\n(B) 2\n(C) 3\n",
    "math-v-word": (
        f"Answer the question using a single letter or number or word. \n{Q}\n(A) 1\n(B) 2\n(C) 3\n"
    ),
    "math-v-phrase": (
        f"{Q}\n(A) 1\n(B) 2\n(C) 3\n\nAnswer the question using a single word or phrase."
    ),
    "mathverse": (
        "Please first conduct reasoning, and then answer the question and provide the correct "
        f"option letter, e.g., A, B, C, D, at the end.\nQuestion: {Q}\nChoices:\nA:1\nB:2\nC:3"
    ),
    "mathverse-direct": (
        "Please directly answer the question and provide the correct option letter, e.g., A, B, C, "
        f"D.\nQuestion: {Q}\nChoices:\nA:1\nB:2\nC:3"
    ),
}


@pytest.mark.parametrize("style", EXACT)
def test_prompts_are_exactly_the_published_ones(style: str) -> None:
    assert ask_text(sample(options=ABC), style) == EXACT[style]


def test_letters_alone_are_no_options_and_free_form_has_none() -> None:
    assert ask_text(sample(options=options("A", "B")), "math-v").endswith(f'"\\boxed{{}}".\n{Q}\n')
    assert ask_text(sample(), "math-v-phrase").startswith(f"{Q}\n\nAnswer")
    assert ask_text(sample(), "mathverse").endswith(f"at the end.\nQuestion: {Q}")


def test_text_stands_before_pictures_as_in_math_vs_code(tmp_path: Path) -> None:
    folder = release(tmp_path)
    pictured = next(s for s in read_samples(folder, "test") if s.images)
    order = {}
    for style in STYLES:
        if style == "we-math-kca":
            continue
        (request,) = requests_for(folder, [pictured], Asking(style=style))
        order[style] = [part["type"] for part in request.messages[0]["content"]]
    for style, parts in order.items():
        picture_first = ["image_url", "text"]
        assert parts == (picture_first[::-1] if style.startswith("math-v-") or style == "math-v"
                         else picture_first)  # fmt: skip


def test_a_prompt_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "prompt.txt"
    file.write_text("Solve for $$5:\n$question\n${options}Answer:\n")
    how, folder = Asking(prompt_file=file), release(tmp_path)
    (request,) = requests_for(folder, [sample(options=ABC)], how)
    assert request.messages[0]["content"][-1]["text"] == (
        f"Solve for $5:\n{Q}\n(A) 1\n(B) 2\n(C) 3\nAnswer:"
    )
    file.write_text("one\n$queston")
    with pytest.raises(UserError, match=r"prompt.txt:2: unknown name \$queston"):
        list(requests_for(folder, [sample()], how))
    file.write_text("It costs $5: $question")
    with pytest.raises(UserError, match="starts no name"):
        list(requests_for(folder, [sample()], how))


def test_captions_that_a_model_wrote_are_captions(tmp_path: Path) -> None:
    """MATH-V, B.2: one model describes the picture, another reads the description."""
    assert ask_text(sample(), "math-v-caption").startswith("Here is a diagram of a math problem")
    rows = [{"image": "s", "caption": "a circle"}, {"image": "t", "caption": None}]
    write_rows(tmp_path / "captions.jsonl", rows)
    how = Asking(captions=tmp_path / "captions.jsonl")
    assert how.words() == {"s": "a circle"}
    image = Image(path="a.png", sha256="a", width=1, height=1, role="composite")
    asked = sample(question="In <image1>, find x.", images=[image])
    (request,) = requests_for(release(tmp_path), [asked], how)
    assert "In [Figure: a circle], find x." in json.dumps(request.messages)
