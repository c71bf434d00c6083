"""Control tokens and thinking blocks: what remains is what the reply says, in its place."""

from __future__ import annotations

import time

import pytest
from benchwright.grading.extraction import visible
from benchwright.grading.verdicts import grade_response

TOKENS = (
    "</s> <|im_end|> <|endoftext|> <|eot_id|> <end_of_turn> <｜end▁of▁sentence｜> <|return|> <eoa> "
    "<eos> <|END_OF_TURN_TOKEN|> [|endofturn|] <|eom_id|> [EOS] <|end_of_text|>"
).split()


@pytest.mark.parametrize("token", TOKENS)
def test_a_token_at_the_end_spoils_no_answer(token: str) -> None:
    for reply in (
        "So the answer is 2.",
        "The area is\n\n2",
        "$\\frac{4}{2}$",
        "答案：2",
    ):
        said = visible(f"{reply}{token}\n").text
        assert said.strip() == reply
        assert len(said) == len(reply) + len(token) + 1  # places stay
        assert grade_response(reply + token, "2").equal


@pytest.mark.parametrize(
    ("opener", "closer"),
    [("<think>", "</think>"), ("<thinking>", "</thinking>"), ("◁think▷", "◁/think▷"),
     ("[THINK]", "[/THINK]"), ("<|begin_of_thought|>", "<|end_of_thought|>"),
     ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>")],
)  # fmt: skip
def test_thinking_is_no_answer(opener: str, closer: str) -> None:
    reply = f"{opener}Perhaps the answer is 7. But wait{closer}\nThe answer is 8."
    verdict = grade_response(reply, "8")
    assert verdict.equal
    assert verdict.span is not None
    assert reply[slice(*verdict.span)] == "8"
    assert not grade_response(reply, "7").equal
    cut_off = grade_response(reply.split(closer)[0], "7")
    assert (cut_off.equal, cut_off.rule, cut_off.extracted) == (
        False,
        "truncated",
        None,
    )


def test_a_block_that_only_closes_began_before_the_reply() -> None:
    assert grade_response("It is 7.</think>8", "8").equal


def test_what_follows_the_end_of_the_turn_answers_nobody() -> None:
    run_on = "The answer is 2.<|im_end|>\n<|im_start|>user\nAnd then?<|im_end|>\nThe answer is 3."
    assert grade_response(run_on, "2").equal
    assert grade_response(
        "The answer is 2.\n\nQuestion: How many?\nThe answer is 3.", "2"
    ).equal


@pytest.mark.parametrize(
    "piece",
    [
        "<think>",
        "</think>",
        "<think>a</think>",
        "</s>",
        "<|",
        "[|",
        "<|im_end|>",
        "a</s>",
    ],
)
def test_the_time_is_linear(piece: str) -> None:
    def seconds(size: int) -> float:
        start = time.process_time()
        visible(piece * (size // len(piece)))
        return time.process_time() - start

    seconds(1000)
    assert (
        seconds(1_000_000) < 10
    )  # a quarter of a second; in squares it would be hours


@pytest.mark.parametrize(
    "reply",
    [
        "<scratchpad>The answer is 7.</scratchpad>So 5.",
        "<inner_monologue>The answer is 7.</inner_monologue>\n5",
        "<my_notes>The answer is 7.</my_notes>\nThe answer is 5.",
        "<|begin_of_reflection|>It is 7.<|end_of_reflection|>5",
        "[REASONING]The answer is 7.[/REASONING]\n5",
    ],
)
def test_thoughts_have_the_shape_of_a_block(reply: str) -> None:
    assert "7" not in visible(reply).text
    assert "5" in visible(reply).text


@pytest.mark.parametrize(
    "reply",
    [
        "<answer>5</answer> is what we found.",
        "<solution>The answer is 5.</solution>\nDone.",
        "<p>The answer is 5.</p>\n<p>Done.</p>",
    ],
)
def test_blocks_of_answers_and_layout_speak(reply: str) -> None:
    assert "5" in visible(reply).text
    assert not visible(reply).truncated
