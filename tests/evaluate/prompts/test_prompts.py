"""Prompts byte for byte as the benchmarks' published code and data have them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright import Asking, build_release
from benchwright.errors import UserError
from benchwright.evaluate.inference import requests_for
from benchwright.evaluate.prompts import STYLES, ask_text, messages, sample_fields
from benchwright.problem import VERSIONS, Image, Sample, Source
from benchwright.release import read_samples
from real_data import RealData
from small import options, release, write_recipe, write_rows

ABC = options("1", "2", "3")


def sample(**changes: Any) -> Sample:
    base = {
        "id": "s",
        "problem_id": "s",
        "origin": "s",
        "source": Source(name="a", raw_id="1"),
    }
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
    assert ask_text(sample(options=options("A", "B")), "math-v").endswith(
        f'"\\boxed{{}}".\n{Q}\n'
    )
    assert ask_text(sample(), "math-v-phrase").startswith(f"{Q}\n\nAnswer")
    assert ask_text(sample(), "mathverse").endswith(f"at the end.\nQuestion: {Q}")


def test_text_stands_before_pictures_as_in_math_vs_code(tmp_path: Path) -> None:
    folder = release(tmp_path)
    pictured = next(s for s in read_samples(folder, "test") if s.images)
    order = {}
    for style in STYLES:
        if style in ("we-math-kca", "math-v-captioned"):
            continue
        (request,) = requests_for(folder, [pictured], Asking(style=style))
        order[style] = [part["type"] for part in request.messages[0]["content"]]
    assert pictured.question.startswith("<image1> ")
    for style in (
        "math-v-steps",
        "math-v-word",
    ):  # models/Gemini.py: where the text names it
        assert order.pop(style) == ["text", "image_url", "text"]
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
    assert ask_text(sample(), "math-v-caption").startswith(
        "Here is a diagram of a math problem"
    )
    rows = [{"image": "s", "caption": "a circle"}, {"image": "t", "caption": None}]
    write_rows(tmp_path / "captions.jsonl", rows)
    how = Asking(captions=tmp_path / "captions.jsonl")
    assert how.words() == {"s": "a circle"}
    image = Image(path="a.png", sha256="a", width=1, height=1, role="composite")
    asked = sample(question="In <image1>, find x.", images=[image])
    (request,) = requests_for(release(tmp_path), [asked], how)
    assert "In [Figure: a circle], find x." in json.dumps(request.messages)


WORD = "Answer the question using a single letter or number or word. \n"
PHRASE = "\nAnswer the question using a single word or phrase."
BOX = EXACT["math-v"].split(Q)[0]
CAPTIONED = (
    f"{STEPS} Here is the natural description of the figure, please solve the following problem "
    "based on the description: \n"
)


def released(folder: Path, name: str, path: Path, **more: Any) -> Path:
    source = {"name": name, "reader": name, "path": str(path), "license": "MIT"} | more
    recipe = {"name": name, "version": "1.0.0", "sources": [source]}
    return build_release(
        write_recipe(folder / "recipe.yaml", recipe), folder / "out"
    ).release


def in_code(row: dict[str, Any], letters: bool) -> str:
    """Question and options as MATH-V's models/GPT4V.py, and with `letters` models/Gemini.py."""
    listed = "".join(
        f"({'ABCDE'[k]}) {text}\n" for k, text in enumerate(row["options"])
    )
    return f"{row['question']}\n{listed if letters or ''.join(row['options']) != 'ABCDE' else ''}"


def test_every_prompt_of_math_v_is_its_codes(tmp_path: Path, data: RealData) -> None:
    path = data.math_v("test.jsonl")
    rows = {
        row["id"]: row for row in map(json.loads, path.read_text("utf-8").splitlines())
    }
    samples = read_samples(released(tmp_path, "math-v", path), "test")
    assert len(samples) == len(rows)
    for asked in samples:
        row = rows[asked.source.raw_id]
        few, all_ = in_code(row, False), in_code(row, True)
        assert ask_text(asked, "math-v") == f"{BOX}{few}"
        assert ask_text(asked, "math-v-phrase") == f"{few}{PHRASE}"
        assert ask_text(asked, "math-v-word") == f"{WORD}{all_}"
        assert ask_text(asked, "math-v-steps") == f"{STEPS}{all_}"
        assert ask_text(asked, "math-v-captioned", caption="A cat.") == (
            f"{CAPTIONED}A cat.\n\nThe problem is: \n{row['question']}"
        )


def test_text_alone_names_no_picture(tmp_path: Path) -> None:
    """MATH-V's models/GPT4.py, for its row Text Only."""
    image = Image(path="a.png", sha256="a", width=1, height=1)
    asked = sample(question="In <image1> find $x$.\n<image2>", images=[image])
    (request,) = requests_for(
        release(tmp_path), [asked], Asking(style="math-v", pictures="none")
    )
    assert request.messages[0]["content"] == [
        {"type": "text", "text": f"{BOX}In  find $x$."}
    ]


def test_pictures_stand_once_where_they_are_named(tmp_path: Path) -> None:
    folder = release(tmp_path)
    (image,) = next(s for s in read_samples(folder, "test") if s.images).images
    asked = sample(question="In <image1>, as in <image2>, find $x$.", images=[image])
    content = messages(
        "In <image1>, as in <image2>, x", asked, folder, style="math-v-word"
    )[0]
    assert [part.get("text", "picture") for part in content["content"]] == [
        "In ", "picture", ", as in ", ", x",
    ]  # fmt: skip


def test_a_caption_stands_where_the_prompt_says(tmp_path: Path) -> None:
    image = Image(path="a.png", sha256="a", width=1, height=1, caption="a circle")
    asked = sample(question="In <image1>, find x.", images=[image])
    (tmp_path / "own.txt").write_text("$caption|$question")
    folder = release(tmp_path)
    for how, text in (
        (Asking(prompt_file=tmp_path / "own.txt", pictures="captions"),
         "a circle|In <image1>, find x."),
        (Asking(style="math-v-captioned"),
         f"{CAPTIONED}a circle\n\nThe problem is: \nIn <image1>, find x."),
    ):  # fmt: skip
        (request,) = requests_for(folder, [asked], how)
        assert request.messages[0]["content"] == [{"type": "text", "text": text}]
    other = Image(path="b.png", sha256="b", width=1, height=1)
    with pytest.raises(UserError, match=r"no caption for b.png"):
        list(
            requests_for(
                folder, [sample(images=[other])], Asking(style="math-v-captioned")
            )
        )


def we_math_row(role: str, option: str, told: str) -> dict[str, Any]:
    return {
        "ID": "2steps_1", "split": "testmini", "knowledge concept": "Area of Circles",
        "question": f"Find {role}. ", "option": option, "answer": "A",
        "image_path": f"2steps/image/1-{role}.png", "key": f"2steps_{role}",
        "question number": 7, "knowledge concept description": told,
    }  # fmt: skip


def test_options_and_cards_are_sent_as_the_row_spells_them(tmp_path: Path) -> None:
    rows = [
        we_math_row(
            role, " A.3;B .  4; C．No correct answer", f"Area of Circles:\n1. {role}"
        )
        for role in ("1", "2", "multi")
    ]
    (tmp_path / "rows.json").write_text(json.dumps(rows), "utf-8")
    samples = read_samples(
        released(tmp_path, "we-math", tmp_path / "rows.json"), "test"
    )
    by_role = {s.version.removeprefix("step"): s for s in samples}
    for row in rows:
        asked = by_role[row["key"].split("_")[1]]
        lines = f"Question: {row['question']}\nOption: {row['option']}\n"
        assert lines in ask_text(asked, "we-math")
        cards = f"Knowledge concept: {row['knowledge concept description']}\n{lines}"
        assert cards in ask_text(asked, "we-math-kca")
        own = ask_text(asked, "we-math-kca", {"Area of Circles": "Ours."})
        assert "Knowledge concept: Area of Circles:\nOurs.\nQuestion" in own


def test_every_prompt_of_we_math_and_mathverse_is_their_datas(
    tmp_path: Path, data: RealData
) -> None:
    path = data.whole("we-math/testmini.json")
    we = {
        (r["ID"], r["key"].split("_")[1]): r
        for r in json.loads(path.read_text("utf-8"))
    }
    (tmp_path / "we").mkdir()
    for asked in read_samples(released(tmp_path / "we", "we-math", path), "test"):
        row = we[asked.source.raw_id, asked.version.removeprefix("step")]
        text = ask_text(asked, "we-math-kca")
        assert (
            f"Knowledge concept: {row['knowledge concept description']}\nQuestion: "
            f"{row['question']}\nOption: {row['option']}\n"
        ) in text
    path = data.whole("mathverse/testmini_text_only.json")
    verse = {r["problem_index"]: r for r in json.loads(path.read_text("utf-8"))}
    (tmp_path / "verse").mkdir()
    for asked in read_samples(released(tmp_path / "verse", "mathverse", path), "test"):
        row = verse[asked.source.raw_id]
        assert ask_text(asked, "mathverse") == row["query_cot"]
        assert ask_text(asked, "mathverse-direct") == row["query_wo"]


def test_vision_only_is_judged_by_its_question() -> None:
    """MathVerse's `question_for_eval`; CoT evaluation (2.3) gets the original questions."""
    from benchwright.problem import Published

    asked = sample(question="", version="vision_only", options=ABC)
    assert sample_fields(asked)["question"] == "(see the picture)"
    asked.published = {"question_for_eval": Published(said="Find $x$.\nChoices:\nA:1")}
    assert sample_fields(asked)["problem"] == "Find $x$.\nChoices:\nA:1"


def test_text_only_models_are_asked_the_versions_of_table_2(tmp_path: Path) -> None:
    """MathVerse, table 2: ChatGPT and GPT-4 on Text Dominant, Text Lite and Text Only alone."""
    folder = release(tmp_path)
    asked = [sample(id=f"p.{v}", version=v) for v in VERSIONS]
    read = [f"p.{v}" for v in ("text_dominant", "text_lite", "text_only")]
    assert [r.id for r in requests_for(folder, asked, Asking(pictures="none"))] == read
    assert len(list(requests_for(folder, asked, Asking()))) == 6
    one = Asking(versions=["vision_dominant"], pictures="none")
    assert [r.id for r in requests_for(folder, asked, one)] == ["p.vision_dominant"]
    with pytest.raises(UserError, match="no sample has the version 'vision'"):
        list(requests_for(folder, asked, Asking(versions=["vision"])))


def test_what_is_nothing_but_a_picture_is_not_asked_of_the_blind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """MathVerse, 3.1: text-only models are asked the versions that have a text."""
    seen, read = (
        sample(id="v", question="", version="vision_only"),
        sample(version="text_lite"),
    )
    folder = release(tmp_path)
    capsys.readouterr()
    assert [
        r.id for r in requests_for(folder, [seen, read], Asking(pictures="none"))
    ] == ["s"]
    assert (
        "1 samples are nothing but a picture: not asked, as v"
        in capsys.readouterr().err
    )
    assert len(list(requests_for(folder, [seen, read], Asking()))) == 2
