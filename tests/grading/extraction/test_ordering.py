"""What a reply comes to: the kinds of places in which answers stand, and those where none does."""

from __future__ import annotations

import random
import time

import pytest
from benchwright import grade_response
from benchwright.grading.extraction import final_answer
from benchwright.grading.extraction.candidates import EXPLICIT, Candidate, weights
from benchwright.grading.extraction.letters import Choice, letters
from benchwright.grading.extraction.page import Page
from benchwright.grading.extraction.values import values
from benchwright.problem import Option

STEPS = ["1. {} bags.\n2. Each holds 4: 3 × 4 = 12.\n3. Ann has {} in all.", "1) {} bags.\n2) {}",
         "Step 1: {} bags.\nStep 2: that makes {}.", "- {} bags\n- Therefore {} apples",
         "① {} bags\n② So {} apples", "a. {} bags\nb. {} apples",
         "(1) {} bags.\n(2) {} apples."]  # fmt: skip


@pytest.mark.parametrize("steps", STEPS)
def test_marks_of_lists_are_layout(steps: str) -> None:
    reply = steps.format(7, 12)
    assert grade_response(reply, "12", kind="number").equal, final_answer(
        reply, "number"
    )
    for mark in ("1", "2", "3"):
        assert not grade_response(reply, mark, kind="number").equal


@pytest.mark.parametrize(
    "last",
    ["A: 15", "Ans. 15", "Total: 15", "#### 15", "Ann has 15 pens. #### 15", "**Cost:** $15",
     "ANSWER: 15 dollars", "结果：15", "In total Tom pays 3 * 5 = $15."],
)  # fmt: skip
def test_what_a_reply_comes_to_last_counts(last: str) -> None:
    reply = f"So each row costs $5.\nThere are 3 rows.\n{last}"
    assert grade_response(reply, "15", kind="number").equal, final_answer(
        reply, "number"
    )
    assert not grade_response(reply, "5", kind="number").equal


@pytest.mark.parametrize(
    ("reply", "value"),
    [("So the side is 5. The area is 25.", "25"),
     ("So it is 5.\nThe final total comes to 12.", "12"),
     ("There are 5 shirts, 6 trousers and 8 hats, for a total of $5 \\times 6 \\times 8 = 240$.",
      "240"),
     ("Since $72=2^3\\cdot 3^2$, we have $x=2$.", "2"), ("Because 3 > 2, Tom needs 7 more.", "7"),
     ("由题意得$a=3$，$b=4$，则$c=\\sqrt{a^2+b^2}=5$。", "5"), ("He would need to buy 5.", "5"),
     ("We need more space: x = 5.", "5"), ("There is no missing data, the mean is 5.", "5"),
     ("It is difficult to find a shorter path. The length is 5.", "5"),
     ("No figure has five sides, the count is 4.", "4"),
     ("Now she has 12 songs on her mp3 player.", "12"),
     ("If she gets 46 more lives, she will have 70 lives.", "70"),
     ("Hence 8 is the distance from $M$ to $ABF$.", "8"),
     ("It rises by \\frac{1}{2} for every $k$.", "1/2"),
     ("Die Antwort ist 8, weil 8 · 2 = 16.", "8"), ("Portanto, x = 9, pois 9 + 1 = 10.", "9"),
     ("Insgesamt zahlt Tom 3 · 1,50 € + 2 € = 6,50 €.", "6.5"),
     ("$$24 \\equiv 3 \\pmod{7}$$", "3"), ("(10 apples - 2 apples) = 8 apples", "8")],
)  # fmt: skip
def test_values_of_prose(reply: str, value: str) -> None:
    assert grade_response(reply, value, kind="number").equal, final_answer(
        reply, "number"
    )


def test_a_name_is_no_interval() -> None:
    reply = "So $x \\in (3,4]$ are the values of $x$."
    assert grade_response(reply, "(3,4]", kind="interval").equal, final_answer(
        reply, "interval"
    )


@pytest.mark.parametrize(
    "reply",
    ["\\boxed{}", "\\boxed{?}", "\\boxed{\\text{N/A}}", "\\boxed{\\text{indeterminate}}",
     "There are 5 lines, but we cannot determine the angle.",
     "由$a=5$，需要更多信息。"],
)  # fmt: skip
def test_no_value_behind_a_refusal(reply: str) -> None:
    verdict = grade_response(reply, "5", kind="number")
    assert (verdict.equal, verdict.rule, verdict.extracted) == (False, "declined", None)


def test_a_reply_that_breaks_off_has_said_what_it_declared() -> None:
    assert final_answer("So $x = 5$ fails.\n$x = 2 +", "number").answer is None
    assert (
        final_answer("The answer is 7.\nTo check it: $7 - 2 =", "number").answer == "7"
    )


def test_the_evidence_adds_up() -> None:
    verdict = grade_response("We get 3. So the answer is 5.", "5", kind="number")
    assert [c.said for c in verdict.candidates] == ["5"] or verdict.candidates[
        0
    ].said == "5"
    any_value = weights()["any"]
    for candidate in verdict.candidates:
        assert candidate.weight == pytest.approx(
            any_value + sum(candidate.features.values()), abs=0.1
        )
    assert verdict.candidates == tuple(
        sorted(verdict.candidates, key=lambda c: -c.weight)
    )


def test_what_declares_counts_and_what_follows_takes_away() -> None:
    table = weights()
    assert all(table[name] > 1 for name in EXPLICIT)
    for name in (
        "later",
        "overtaken",
        "overtaken, declared",
        "compared",
        "denied",
        "reason",
        "aside",
    ):
        assert table[name] < 0, name


@pytest.mark.parametrize(
    "piece", ["So, ", "x = 5\n", "The answer is 5. ", "(A) ", "5 and ", "If 5, "]
)
def test_the_work_is_linear(piece: str) -> None:
    options = [
        Option(label=label, text=text)
        for label, text in zip("ABCD", "1234", strict=True)
    ]

    def seconds(size: int) -> float:
        reply = piece * (size // len(piece))
        start = time.process_time()
        grade_response(reply, "7", kind="number")
        grade_response(reply, "B", kind="choice", options=options)
        return time.process_time() - start

    seconds(1000)
    assert (
        seconds(1_000_000) < 12
    )  # 3 s of CPU are allowed; in squares it would be hours


PIECES = [
    "The answer is {n}. ", "So x = {n}. ", "Answer: {n}\n", "\\boxed{{{n}}} ",
    "There are {n} bars. ", "#### {n}\n", "答案是{n}。", "因此共有{n}个。",
    "We get 3 × {n} = 1{n}.\n", "No, it is {n}. ", "If {n} is even, so is it. ",
    "I cannot see {n}. ", "It cannot be determined.\n", "{n}\n", "1. Tom has {n} bags.\n",
    "Total: {n}\n", "**{n}** is the answer. ", "<answer>{n}</answer>",
    "Because {n} > 2, we go on. ", "He gives 5 of {n} to Ann. ", "Question: what is {n}?\n",
    "The result is {n}, with {n} left.\n", "Therefore, the final answer is $x={n}$. ",
    "The options are (A) and (B). ", "故选{l}。", "The answer is ({l}). ", "{l} is correct. ",
    "({l}) ", "Option {l} is wrong. ", "Therefore, {l}.\n", "{l}. red\n", "Answer: {l}\n",
    "It is red. ", "So I choose ({l}) red. ",
]  # fmt: skip


def test_what_is_not_read_would_decide_nothing() -> None:
    choice = Choice(tuple("ABCD"), ("red", "4", "blue sky", "12"))
    for seed in range(300):
        chance = random.Random(seed)
        text = "".join(
            chance.choice(PIECES).format(
                n=chance.randint(2, 99), l=chance.choice("ABCD")
            )
            for _ in range(chance.randint(1, 7))
        )
        for find in (
            lambda page, whole: values(page, "number", whole),
            lambda page, whole: values(page, None, whole),
            lambda page, whole: letters(page, choice, False, whole),
        ):
            everything = _best(find(Page(text), True))
            if everything is None or everything.weight <= 0:
                continue
            assert _best(find(Page(text), False))[:3] == everything[:3], text
            for begin in (k + 1 for k, sign in enumerate(text) if sign == "\n"):
                page = Page(text, begin=begin)
                read = _best(find(page, False))
                assert not page.is_enough or read[:3] == everything[:3], text[begin:]


def _best(candidates: list[Candidate]) -> Candidate | None:
    return max(candidates, key=lambda c: (c.weight, c.start, c.end), default=None)


@pytest.mark.parametrize(
    ("reply", "gold"),
    [(r"We add up. The answer is \pi.", r"\pi"), (r"**Answer: \pi**", r"\pi"),
     (r"So the answer is -\pi.", r"-\pi")],
)  # fmt: skip
def test_a_sign_of_its_own_is_a_value(reply: str, gold: str) -> None:
    assert grade_response(reply, gold, kind="number").equal


def test_an_option_of_two_sentences_is_named_by_its_text() -> None:
    texts = ["Mike won. He had 3 points more.", "Jake won. He had 4 points more.",
             "Mike won. He had 4 points more."]  # fmt: skip
    options = [Option(label="ABC"[k], text=text) for k, text in enumerate(texts)]
    for lead in ("", "The answer is ", "We count. The answer is: "):
        said = grade_response(f"{lead}{texts[2]}", "C", kind="choice", options=options)
        assert (said.equal, said.extracted) == (True, "C")


@pytest.mark.parametrize("said", ["1,5,9", "1,10,100", "2, 3 and 5", "5;10;200"])
def test_what_is_declared_of_a_list_is_declared_of_all_of_it(said: str) -> None:
    for reply in (f"Answer: {said}", f"We add up. The answer is {said}."):
        found = grade_response(reply, said, kind="set")
        assert (found.equal, found.extracted) == (True, said)


def test_a_mark_that_is_closed_breaks_nothing_off() -> None:
    options = [
        Option(label=label, text=f"<image{k}>") for k, label in enumerate("ABC", 1)
    ]
    assert grade_response("<image2>", "B", kind="choice", options=options).equal


def test_a_question_that_nobody_asked_ends_the_reply() -> None:
    options = [
        Option(label=label, text=text) for label, text in zip("ABC", "468", strict=True)
    ]
    further = (
        "\n\nQuestion: What is 2 + 2?\nSolution: It is 4. Therefore, the answer is A."
    )
    said = grade_response(
        f"C) 8\n\nTwice four is eight.{further}", "C", kind="choice", options=options
    )
    assert (said.equal, said.extracted) == (True, "C")
    assert (
        final_answer(f"Let me think.{further}", "choice").answer == "A"
    )  # nothing stands before


def test_several_options_are_no_value() -> None:
    options = [
        Option(label=label, text=text)
        for label, text in zip("ABCD", "ABCD", strict=True)
    ]
    for reply in ("【答案】A和D", "The answer is A and D."):
        said = grade_response(reply, "D", kind="choice", options=options)
        assert (said.equal, said.extracted) == (False, None)


@pytest.mark.parametrize(
    "reply",
    ["由于没有具体的图像，我们无法直接选择正确答案。", "条件太少，难以准确地得出结果。",
     "缺少必要的数据。", "题目未明确给出长度。", "需要更多的信息。"],
)  # fmt: skip
def test_a_refusal_in_chinese_is_what_cannot_be_done(reply: str) -> None:
    said = grade_response(f"由题意得$a=5$。{reply}", "5", kind="number")
    assert (said.equal, said.rule) == (False, "declined")
    assert (
        grade_response(f"{reply}但如果是圆，则面积为5。", "5", kind="number").rule
        != "declined"
    )


def test_signs_of_an_end_and_tags_are_layout() -> None:
    assert final_answer("By Pythagoras it is $13$. $\\blacksquare$").answer == "$13$"
    assert final_answer("<step>5+7=12</step>\n<final>3</final>").answer == "3"


def test_the_commas_of_a_list_end_no_reason() -> None:
    reply = "The perimeter comes to 36 cm, because the sides are 8, 12 and 16."
    assert grade_response(reply, "36", kind="number").equal


def test_weights_add_up_alike_in_any_order() -> None:
    names = sorted(weights())
    for seed in range(50):
        chance = random.Random(seed)
        chosen = chance.sample(names, 12)
        one, other = (
            Candidate(0, 1, "5", frozenset(order)).weight
            for order in (chosen, chosen[::-1])
        )
        assert one == other


def test_letters_that_are_an_option_of_their_own_are_its_value() -> None:
    texts = ["A and B", "A and C", "A and D", "B and C", "C and D"]
    options = [Option(label="ABCDE"[k], text=text) for k, text in enumerate(texts)]
    said = grade_response(
        "So A and D meet.\n\n\\boxed{A, D}", "C", kind="choice", options=options
    )
    assert (said.equal, said.extracted) == (True, "C")
