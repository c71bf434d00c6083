"""How replies are built: declaration, restatement, justification, correction; in many languages."""

from __future__ import annotations

import time

import pytest
from benchwright import extract, grade_response
from benchwright.errors import UserError
from benchwright.grading.extraction import choose, final_answer, read_parts
from benchwright.latex import parts_of
from benchwright.problem import Option, Part

DECLARES_VALUE = [
    "The answer is {}.", "**Final answer:** {}", "### Answer\n\n{}", "Answer\n{}",
    "So the correct answer is {}, since nothing else fits 99.", "【答案】{}", "【答案】：{} ",
    "答案是{}。",
    "答えは {} です", "정답은 {}입니다", "Die Antwort ist {}.", "La réponse est {}.",
    "La respuesta correcta es {}.", "A resposta é {}.", "La risposta corretta è {}.", "Ответ: {}",
    "उत्तर {} है", "Đáp án là {}", "الإجابة الصحيحة هي {}", '{{"answer": "{}"}}', "| Answer | {} |",
    "#### {}", "{} is the final answer.", "The answer is not 3 but {}.",
    "The answer to the question is {}, as there are two stores with less than 5 units.",
]  # fmt: skip
DECLARES_LETTER = [
    "The answer is {}.", "Answer: ({})", "【答案】 {}", "故选{}。", "よって正解は {} です",
    "정답은 {}입니다",
    "La risposta corretta è {}", "A resposta correta é a alternativa {}", "Die Antwort ist {}.",
    "Правильный ответ — {}", "सही उत्तर {} है।", "Doğru cevap {}.", "Jawaban yang benar adalah {}",
    "{} が正しい", "选项{}正确。", "The answer is water ({}).", '{{"answer": "{}"}}', "**{}**",
]  # fmt: skip
WORK = "We have 4 rows of 3, option D looks good at first.\n\n"


@pytest.mark.parametrize("wording", DECLARES_VALUE)
def test_declared_values(wording: str) -> None:
    for value in ("12", "-7"):
        reply = WORK + wording.format(value)
        verdict = grade_response(reply, value, kind="number")
        assert verdict.equal, verdict
        assert not grade_response(reply, "3", kind="number").equal
        if verdict.span is not None:
            assert value in reply[slice(*verdict.span)]


@pytest.mark.parametrize("wording", DECLARES_LETTER)
def test_declared_letters(wording: str) -> None:
    found = extract(WORK + wording.format("B"), [None] * 4)
    assert (found.letter, found.letters) == ("B", ("B",)), found


@pytest.mark.parametrize(
    ("reply", "value"),
    [("\\boxed{12}. Wait, three are missing... the answer is 15.", "15"),
     ("\\boxed{12}\n\nWait, it should be 15.", "15"), ("The answer is 5. No, it is 6.", "6"),
     ("Answer: 5\n\nOn second look the last one does not count.\n\nCorrected answer: 6", "6"),
     ("The answer is 5. No, there is no other solution.", "5"),
     ("\\boxed{5} is the area. The answer is correct because both agree.", "5"),
     ("$4.00 + $3.00 + $6.00 = $13.00\n\nRuth needs $13.00.", "13"),
     ("4 x 4 = 16 meters", "16"), ("So 4 m + 4 m = 8 m", "8"), ("The total is: 2", "2"),
     ("Therefore, the number is:\n\n1", "1"),
     ("Thus,\n\\begin{aligned}x&=1+1\\\\&=2\\end{aligned}", "2"),
     ("因此 $k=0$。\n【答案】$S_3=1+2+4=7$", "7"),
     ("There are 3 objects left after subtracting 5.", "3"),
     ("There are two bars that are larger than 4.", "2"), ("There are no bars below 7.", "0"),
     ("The mode is 10, which means that she did the most on Sunday, then 9 and 8.", "10"),
     ("所以最大值为7，即当x=1时。", "7"), ("So x = 4, attained at y = 2.", "4")],
)  # fmt: skip
def test_values_in_prose(reply: str, value: str) -> None:
    verdict = grade_response(reply, value, kind="number")
    assert verdict.equal, verdict


@pytest.mark.parametrize(
    ("reply", "gold", "part"),
    [("The train leaves at 16:30.", "4:30 p.m.", "30"), ("It starts at 4 pm.", "4 p.m.", "3 p.m."),
     ("It is half past four.", "4:30", "4"), ("The answer is a quarter to five.", "4:45", "5"),
     ("It takes 3 hours and 20 minutes.", "3 hours 20 minutes", "20 minutes"),
     ("It takes 3 hours and 20 minutes.", "200 minutes", "3 hours"),
     ("x ≈ 4.47 (exactly 2√5)", "2\\sqrt5", "5"), ("x ≈ 4.47 (exactly 2√5)", "4.47", "2"),
     ("2√5 is the one.", "2√5", "1"), ("Tom is the one.", "Tom", "one"),
     ("Tom is the one who wins.", "Tom", "1"),
     ("The answer is $7 = 11a+c$.", "$7 = 11a+c$", "7"),
     ("The answer is 5, where it is even. It stays so.", "5, where it is even. It stays so", "6")],
)  # fmt: skip
def test_times_and_values_that_go_on(reply: str, gold: str, part: str) -> None:
    assert grade_response(reply, gold).equal
    assert not grade_response(reply, part).equal


@pytest.mark.parametrize(
    "reply",
    ["I am a text-based AI and cannot see images.", "I'm sorry, but I can't view a picture.",
     "Without the image it is impossible to determine f(0).", "抱歉，我无法看到图片。",
     "There is not enough information. Could you please provide a diagram with the 5 lines?"],
)  # fmt: skip
def test_a_refusal_is_no_answer(reply: str) -> None:
    bare = [Option(label=label, text=label) for label in "ABCDE"]
    for gold in "ABCDE":
        verdict = grade_response(reply, gold, kind="choice", options=bare)
        assert (verdict.equal, verdict.rule, verdict.extracted) == (
            False,
            "declined",
            None,
        )
    for gold in ("0", "5"):
        assert grade_response(reply, gold, kind="number").rule == "declined"


@pytest.mark.parametrize(
    "reply",
    ["The radius isn't given, so the area can't be worked out.", "The diagram is missing.",
     "There isn't sufficient data to find x.", "No diagram was attached.", "I don't know.",
     "信息不够，求不出来。", "图片未上传，请重新上传。",
     "不知道半径是多少，无从计算。", "请补充图形后我再解答。",
     "Ich kann die Aufgabe ohne die Abbildung nicht lösen.", "Leider fehlen Angaben.",
     "On ne peut pas répondre sans la figure.", "No se puede calcular sin la figura.",
     "Non è possibile calcolare l'area.", "Невозможно определить площадь.", "画像が見えません。"],
)  # fmt: skip
def test_who_cannot_do_what_refuses_in_many_languages(reply: str) -> None:
    assert grade_response(f"半径为3。{reply}", "3", kind="number").rule == "declined"


@pytest.mark.parametrize(
    "reply",
    ["The missing number is 7.", "He cannot find 5 of them. So 7 are left: 12 - 5 = 7.",
     "The missing number in the picture is 7.", "We need more information on b: by (2), b = 7.",
     "没有图也能算：面积为7。", "无法用直接法，用换元得 x=7。", "Ohne Bild: die Antwort ist 7.",
     "No image is needed; it is 7.", "You cannot have fewer, so we get 7."],
)  # fmt: skip
def test_what_has_a_value_behind_it_is_no_refusal(reply: str) -> None:
    assert grade_response(reply, "7", kind="number").equal


def test_a_hedge_before_an_answer_is_no_refusal() -> None:
    reply = "I cannot see the image, but by the text the answer is \\boxed{12}."
    assert grade_response(reply, "12").equal
    undecidable = [
        Option(label="A", text="4"),
        Option(label="B", text="cannot be determined"),
    ]
    assert grade_response(
        "It cannot be determined.", "B", kind="choice", options=undecidable
    ).equal


def test_the_whole_reply_comes_first() -> None:
    gold = "the angle is at most 5 and P is 3"
    verdict = grade_response(f"{gold}</s>", gold)
    assert (verdict.equal, verdict.rule) == (True, "whole reply")


@pytest.mark.parametrize(
    ("reply", "letters"),
    [("The answer is A, B and D.", "ABD"), ("\\boxed{A,C}", "AC"), ("答案：A、C", "AC"),
     ("【答案】AC", "AC"), ("【答案】 A C <eoa>", "AC"), ("(A) and (C)", "AC"), ("D, B, A", "ABD"),
     ("Options A and C are correct, D is not.", "AC"), ("故选 $\\mathrm{AC}$。", "AC"),
     ("A项正确；B项错误；C项正确。", "AC"),
     ("【答案】\nA. two\nC. four", "AC"), ("The answer is C.", "C"),
     ("The answer is A triangle.", ""), ("The answer is A or B.", ""), ("I cannot see it.", ""),
     ("<think>A and B", ""), ("A、B、C、D都是正确的。", "ABCD")],
)  # fmt: skip
def test_several_letters(reply: str, letters: str) -> None:
    assert "".join(choose(reply, "ABCD", [""] * 4, several=True).letters) == letters


@pytest.mark.parametrize(
    ("said", "equal", "credit"),
    [("ABD", True, 1), ("D, B and A", True, 1), ("AB", False, 2 / 3), ("A", False, 1 / 3),
     ("ABC", False, 0), ("ABCD", False, 0)],
)  # fmt: skip
def test_credit_for_several_letters(said: str, equal: bool, credit: float) -> None:
    options = [Option(label=label, text="") for label in "ABCD"]
    for gold in ("ABD", "A, B, D", "B\nA\nD"):
        verdict = grade_response(
            f"The answer is {said}.", gold, kind="choices", options=options
        )
        assert verdict.equal is equal, verdict
        assert verdict.credit == pytest.approx(credit)
    inferred = grade_response(f"The answer is {said}.", "ABD", options=options)
    assert inferred.equal is equal


@pytest.mark.parametrize(
    ("gold", "reply", "credit"),
    [(r"(1) 5; (2) $\sqrt{3}$", r"(1) 5 (2) \sqrt3", 1), ("① 5 ② 7", "①5；②7", 1),
     ("(1) 5; (2) 7", "(1) We add: x = 5.\n(2) So y = 8.", 0.5),
     ("(1) 5; (2) 7", "(1) We add 2 and 3.\n(2) Easy.\n\n【答案】(1) 5; (2) 7", 1),
     ("(a) 1/2; (b) 3; (c) 4", "(a) 0.5\n(b) 3\n(c) 5", 2 / 3), ("(1) 5; (2) 7", "7 and 5", 0)],
)  # fmt: skip
def test_parts(gold: str, reply: str, credit: float) -> None:
    verdict = grade_response(reply, gold)
    assert verdict.credit == pytest.approx(credit), verdict
    assert verdict.equal is (credit == 1)


def test_structured_parts_need_no_written_gold() -> None:
    parts = [Part(label="1", answer="60", answer_kind="number", unit="degrees"),
             Part(label="2", answer="(1,3)", answer_kind="interval")]  # fmt: skip
    reply = "(1) The angle is $60^\\circ$. (2) So $1<x<3$."
    assert grade_response(reply, "", kind="parts", parts=parts).equal
    assert read_parts(reply, ["1", "2"])["1"].answer == "$60^\\circ$"


@pytest.mark.parametrize(
    "text", ["①③", "(1, 2)", "(1)(2)", "(2) and (3)", "(a+1)(b+2)", "f(1)=2"]
)
def test_no_parts(text: str) -> None:
    assert parts_of(text) == []


PIECES = [
    "<think>", "the answer is ", "answer answer: ", "answer\n", "= 1 ", "is 2, ", "(1) a (2) b ",
    "① ", "Question: ", "\nQuestion: x is 2.\n", '"answer": "', "**5** ", "I cannot see ",
    "there are 5 ",
    "is the answer ", "$x$ and ", "$$x$$\n", "\\boxed{", "A正确", "option A is correct ",
    "5 m ", "so ",
    "No, it is 5. ", " ", "\n", "a. ", "1/", "\ud800", "\0",
]  # fmt: skip


@pytest.mark.cpu(120)
@pytest.mark.parametrize("piece", PIECES)
def test_hostile_replies_are_read_in_bounded_work(piece: str) -> None:
    reply = (piece * 1_000_000)[:1_000_000]
    options = [
        Option(label=label, text=text)
        for label, text in zip("AB", ("yes", "no"), strict=True)
    ]
    start = time.process_time()
    assert grade_response(reply, "5", kind="number").status in (
        "ok",
        "refused",
        "unparsed",
    )
    assert grade_response(reply, "AB", kind="choices", options=options).status == "ok"
    assert grade_response(reply, "(1) 5; (2) 7").status == "ok"
    assert final_answer(reply, "text").rule
    assert time.process_time() - start < 12  # 3 s of CPU each


@pytest.mark.parametrize(
    ("reply", "gold"),
    [
        (
            r"There are \boxed{50} children, and the number of adults is \boxed{175}.",
            "50, 175",
        ),
        ("x is 3.\n\n$\\boxed{3}$\n\n$\\boxed{5}$", "3, 5"),
        (r"The width is \boxed{3}, and the length is \boxed{5}.", "5"),
        (r"The roots are \boxed{1,2}, and so the interval is \boxed{(1,2)}.", "(1,2)"),
        ("Ответ: $x = -3$ или $x = 4$.", "-3, 4"),
    ],
)
def test_boxes_of_several_clauses_count_where_several_values_are_asked_for(
    reply: str, gold: str
) -> None:
    assert grade_response(reply, gold).equal


def test_a_reply_must_be_text() -> None:
    with pytest.raises(UserError, match="reply"):
        extract(5, ["a"])  # type: ignore[arg-type]
