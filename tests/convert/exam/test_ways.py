"""The ways in which exams number their problems, each without a key and with one."""

from __future__ import annotations

import pytest
from benchwright.convert.exam import split_exam

QUESTIONS = [
    "Solve $x^2=4$.",
    "A tank holds 30 litres and loses 2 litres an hour. When is it half empty?",
    "Find the largest prime factor of 91.",
    "How many diagonals has a convex pentagon?",
]
ANSWERS = ["$\\pm2$", "$7.5$", "13", "5"]
HAN = "一二三四"
ROMAN = ["I", "II", "III", "IV"]

WAYS = {  # how the number of a problem is printed, and the heading of a key
    "dot": ("{n}. ", "Answers"),
    "bracket": ("{n}) ", "Answer key"),
    "brackets": ("({n}) ", "Solutions"),
    "Problem": ("Problem {n}. ", "Answers"),
    "Question": ("Question {n}\n\n", "Marking scheme"),
    "di": ("第{n}题 ", "参考答案"),
    "Q": ("Q.{n} ", "Marking scheme"),
    "Ex": ("Ex. {n} ", "Marking scheme"),
    "Example": ("Example {n} ", "Results"),
    "Item": ("Item {n}: ", "Scoring guide"),
    "No": ("No. {n} ", "Key"),
    "hash": ("#{n} ", "Answers"),
    "colon": ("{n}: ", "For the teacher"),
    "square": ("{n}] ", "Answers"),
    "points before": ("[2 points] {n}. ", "Marking scheme"),
    "pts before": ("(4 pts) {n}. ", "Answers"),
    "P": ("P{n}. ", "Marking scheme"),
    "roman": ("{roman}. ", "Answers"),
    "bold with points": ("**Problem {n} (4 points).** ", "Mark scheme"),
    "dotted": ("1.{n} ", "Answers"),
    "li": ("例{n} ", "答案"),
    "li bracket": ("【例{n}】", "参考答案"),
    "bracket zh": ("【{n}】", "答案与解析"),
    "timu": ("题目{n}：", "答案"),
    "wenti": ("问题 {n} ", "参考答案"),
    "han": ("{han}、", "参考答案"),
    "di han": ("第{han}题 ", "评分标准"),
    "fen": ("{n} (5分) ", "答案"),
    "lianxi": ("练习{n}.", "参考答案"),
    "fr": ("**Exercice {n}** ", "Corrigé"),
    "es": ("Ejercicio {n}. ", "Respuestas"),
    "de": ("**Aufgabe {n}** ", "**Lösungen**"),
    "ru": ("Задание {n}. ", "Ответы"),
    "vi": ("Câu {n}. ", "ĐÁP ÁN"),
    "pt": ("Questão {n}) ", "Gabarito"),
    "ja": ("問{n} ", "解答"),
    "ko": ("문제 {n}. ", "정답"),
    "full width": ("（{wide}）", "参考答案"),
    "spelled": ("Question {said}: ", "Answers"),
    "heading": ("## {n}\n\n", "## Answers"),
    "heading with word": ("### Task {n}\n\n", "# Solutions"),
    "hungarian": ("{n}. feladat. ", "Megoldókulcs"),
    "circled": ("{circled} ", "Answers"),
    "all ones": ("1. ", "## Answers"),
    "bullets": ("- ", "## Answers"),
}


def numbered(way: str, k: int, text: str) -> str:
    said = ["One", "Two", "Three", "Four"][k]
    number = way.format(
        n=k + 1,
        roman=ROMAN[k],
        han=HAN[k],
        wide="１２３４"[k],
        said=said,
        circled="①②③④"[k],
    )
    return number + text


def printed(way: str) -> str:
    return "# Spring test\n\n" + "\n\n".join(
        numbered(way, k, question) for k, question in enumerate(QUESTIONS)
    )


@pytest.mark.parametrize("way", WAYS)
def test_problems_are_found_however_they_are_numbered(way: str) -> None:
    exam = split_exam(printed(WAYS[way][0]))
    assert [p.question for p in exam.problems] == QUESTIONS
    assert [p.number for p in exam.problems] == [1, 2, 3, 4]
    assert not any(p.answer for p in exam.problems)


@pytest.mark.parametrize(
    "plain", [True, False], ids=["plain numbers", "the same numbers"]
)
@pytest.mark.parametrize("way", WAYS)
def test_keys_are_found_whatever_they_are_headed_with(way: str, plain: bool) -> None:
    number, heading = WAYS[way]
    lines = [
        numbered("{n}. " if plain else number, k, a) for k, a in enumerate(ANSWERS)
    ]
    exam = split_exam(f"{printed(number)}\n\n{heading}\n\n" + "\n\n".join(lines))
    assert [p.question for p in exam.problems] == QUESTIONS
    answers = [p.answer for p in exam.problems]
    assert answers == ANSWERS


@pytest.mark.parametrize(
    "sections", [("Teil A", "Teil B"), ("I", "II"), ("Part A", "Part B")]
)
def test_the_sections_of_a_key_behind_those_of_the_problems(
    sections: tuple[str, str],
) -> None:
    asked = "\n\n".join(f"{n}. {text}" for n, text in enumerate(QUESTIONS, 1))
    key = "\n\n".join(f"## {title}\n1. 5\n2. 7\n3. 9\n4. 11" for title in sections)
    exam = split_exam(f"# Part A\n{asked}\n\n# Part B\n{asked}\n\n# Lausnir\n{key}")
    assert [p.answer for p in exam.problems] == ["5", "7", "9", "11"] * 2
    assert [issue.kind for issue in exam.issues] == ["key-unnamed"]


def test_a_section_behind_problems_with_their_answers_below_is_no_key() -> None:
    """Whatever its title says: the problems before it need none."""
    answered = "".join(f"{n}) {q}\nLösung: {n}\n\n" for n, q in enumerate(QUESTIONS, 1))
    exam = split_exam(f"## Teil A\n\n{answered}## Teil B, eine Antwort.\n\n{answered}")
    assert [p.answer for p in exam.problems] == ["1", "2", "3", "4"] * 2


PARTS = {
    "below headings": ("## Problem {n}\n\nLet $a={n}$. Then:", "({k}) Find $b_{k}$."),
    "below Chinese numerals": (
        "{han}、设 $a={n}$，解答下列问题：",
        "{k}. 求 $b_{k}$。",
    ),
    "below words": (
        "Question {n}. A tank holds {n} litres.",
        "{k}. How long do {k} take?",
    ),
    "below numbers": ("{n}. A tank holds {n} litres.", "{k}) How long do {k} take?"),
}


@pytest.mark.parametrize("way", PARTS)
def test_parts_are_no_problems(way: str) -> None:
    above, part = PARTS[way]
    texts = []
    for n, han in enumerate(HAN, 1):
        parts = [part.replace("{k}", str(k)) for k in (1, 2, 3)]
        texts += [above.format(n=n, han=han), *parts]
    assert [p.number for p in split_exam("\n\n".join(texts)).problems] == [1, 2, 3, 4]


ADVICE = [
    "Always read the text twice before you begin.",
    "Never divide by an unknown number.",
    "Draw a picture whenever it helps you.",
]


def test_numbered_advice_is_no_problem() -> None:
    advice = "\n".join(f"{k}. {line}" for k, line in enumerate(ADVICE, 1))
    assert split_exam(f"# Good habits\n{advice}").problems == []
    for number in ("{n}. ", "Problem {n}. "):
        asked = "\n\n".join(number.format(n=n) + QUESTIONS[n - 1] for n in (1, 2, 3, 4))
        exam = split_exam(f"# Problems\n{asked}\n\n# Good habits\n\n{advice}")
        assert [p.question for p in exam.problems] == QUESTIONS
        assert any(ADVICE[0] in block.text for block in exam.outside)
        assert any(ADVICE[0] in issue.detail for issue in exam.issues)


def test_solutions_of_all_problems_without_numbers_are_told() -> None:
    exam = split_exam(
        "1. Is 2 prime?\n2. Is 4 prime?\n\n## Solutions\n\nThe first is, it has two."
    )
    assert [(i.problem, i.kind) for i in exam.issues] == [("2", "key-unnumbered")]
    below_each = "1. Is 2 prime?\n\nSolution: Yes.\n\n2. Is 4 prime?\n\nSolution: No."
    assert split_exam(below_each).issues == []


def test_quizzes_with_marked_choices_and_solutions_in_stars() -> None:
    exam = split_exam(
        "1. What is 2+2?\n\n    [[4]]\n    [[?]] Count.\n    ****\n\n    It is 4.\n\n    ****\n\n"
        "2. Which is even?\n\n    [( )] 3\n    [(X)] 4\n    [( )] 5\n    [( )] 7\n\n"
        "3. Which are odd?\n\n    [[X]] 3\n    [[ ]] 4\n    [[X]] 5\n    [[X]] 7\n"
    )
    assert [(p.question, p.answer) for p in exam.problems] == [
        ("What is 2+2?", "4"), ("Which is even?", "B"), ("Which are odd?", "ACD"),
    ]  # fmt: skip
    assert "It is 4." in exam.problems[0].solution
    assert [len(p.options) for p in exam.problems] == [0, 4, 4]


GERMAN = """# Prüfung A
## Leichte Aufgaben
1. Wie viele Tage hat ein Jahr?
2. Wie viele Monate hat ein Jahr?
3. Wie viele Stunden hat ein Tag?
## Schwere Aufgaben
1. Nenne die Hauptstadt von Frankreich und begründe deine Antwort.
2. Welcher Fluss fließt durch Wien und wohin?
3. Wer schrieb den Faust, und wann?

# Lösungen
## Leichte Aufgaben
1. 365
2. 12
3. 24
## Schwere Aufgaben
1. Paris, weil dort die Regierung sitzt
2. Die Donau, ins Schwarze Meer
3. Goethe, 1808
"""


def test_sections_under_the_titles_of_the_problems_are_never_published_as_problems() -> (
    None
):
    exam = split_exam(GERMAN)
    assert exam.problems == []
    assert [issue.kind for issue in exam.issues] == ["two-readings"]


def quiz(mark: str, *right: int) -> str:
    """Problems of four options each, of which one ends in a mark."""
    texts = []
    for n, k in enumerate(right):
        options = [f"- {x}) {n + j} m" + mark * (j == k) for j, x in enumerate("ABCD")]
        texts.append(f"{n + 1}. How long is it?\n**Options:**\n" + "\n".join(options))
    return "\n\n".join(texts)


@pytest.mark.parametrize("mark", [" ✓ **CORRECT**", " (richtig)", " ←"])
def test_a_mark_that_ends_one_option_of_every_problem_tells_the_right_one(
    mark: str,
) -> None:
    exam = split_exam(quiz(mark, 1, 0, 3, 1))
    assert [p.answer for p in exam.problems] == ["B", "A", "D", "B"]
    assert {p.question for p in exam.problems} == {"How long is it?"}
    assert [o.text for o in exam.problems[0].options] == ["0 m", "1 m", "2 m", "3 m"]
    assert not exam.issues


def test_what_ends_the_same_option_of_every_problem_is_no_mark() -> None:
    exam = split_exam(quiz(" or none", 3, 3, 3, 3))
    assert not any(p.answer for p in exam.problems)
    assert exam.problems[0].options[3].text == "3 m or none"


@pytest.mark.parametrize("word", ["#### Q. ", "**Question:** ", "### Frage\n\n"])
def test_a_word_that_starts_every_problem_numbers_them(word: str) -> None:
    boxes = "- [ ] P(A) + P(B)\n- [x] P(A) * P(B)\n- [ ] 1\n"
    asked = ["Which is the product?", "What holds?", "Which is least?"]
    exam = split_exam("# Test\n\n" + "\n".join(f"{word}{q}\n\n{boxes}" for q in asked))
    assert [p.question for p in exam.problems] == asked
    assert [p.answer for p in exam.problems] == ["B"] * 3
    assert [o.text for o in exam.problems[0].options] == [
        "P(A) + P(B)",
        "P(A) * P(B)",
        "1",
    ]


def test_a_word_inside_what_other_headings_start_numbers_nothing() -> None:
    """As of solutions in a language that nobody here knows."""
    texts = [
        f"# T.{c}\n\n{q}\n\n## Atbilde\n\nIs it so? It is."
        for c, q in zip("abcd", QUESTIONS, strict=True)
    ]
    assert not split_exam("\n\n".join(texts)).problems


def test_boxes_without_a_choice_are_no_options() -> None:
    listed = "- [x] simplify\n- [x] add\n"
    exam = split_exam(f"1. What is 2+2?\n\n2. What can you do now?\n\n{listed}")
    assert not exam.problems[1].options
    assert not exam.problems[1].answer


CHAPTERS = """\
## Part 1

### 1.1 Write 5200 in scientific notation.

### 1.2 Which is larger?

| 2.1 × 10 | 3.5 |
|---|---|
| 1.2 × 10 | 4.5 |

## Part 2

### 2.1 Add the two.
"""


def test_keys_are_joined_by_whole_labels_and_decimals_are_none() -> None:
    key = "### 1.1\n\n$5.2$\n\n### 1.2\n\nThe first:\n\n- 1.1 × 10 = 11\n\n### 2.1\n\n33\n"
    exam = split_exam(CHAPTERS, key)
    assert [p.raw_id for p in exam.problems] == ["1.1", "1.2", "2.1"]
    assert [p.answer for p in exam.problems] == ["$5.2$", "", "33"]
    assert exam.problems[1].solution == "The first:\n\n- 1.1 × 10 = 11"


def test_numbered_sections_with_keys_of_their_own() -> None:
    section = (
        "## {n}. Sums\n\n### Easy\n```\n1. What is {n}+2?\n2. What is {n}+7?\n```\n\n"
    )
    section += "### Answers\n```\n{key}\n```\n\n---\n"
    keys = ["Plain: 1. 3  2. 8", "Plain:\n1. 4\n2. 9"]
    exam = split_exam(
        "\n".join(section.format(n=n, key=key) for n, key in enumerate(keys, 1))
    )
    assert [p.raw_id for p in exam.problems] == ["1.1", "1.2", "2.1", "2.2"]
    assert [p.answer for p in exam.problems] == ["3", "8", "4", "9"]


def test_what_repeats_the_numbers_of_problems_behind_them_is_their_key() -> None:
    """Though it has more lines of numbers than the problems have."""
    asked = "\n\n".join(
        f"### Question {n}\n{text}" for n, text in enumerate(QUESTIONS, 1)
    )
    key = "\n".join(f"{n}. {answer}" for n, answer in enumerate(ANSWERS, 1))
    steps = "1. Open the page.\n2. Choose.\n3. Wait.\n4. Close it.\n"
    exam = split_exam(
        f"# Complete answer key\n\n{asked}\n\n## Quick sheet\n\n{key}\n\n## Steps\n\n{steps}"
    )
    assert [p.question for p in exam.problems] == QUESTIONS
    assert [p.answer for p in exam.problems] == ANSWERS
    assert {issue.kind for issue in exam.issues} == {
        "key-unnamed",
        "text-after-heading",
    }


def test_divisions_of_pandoc_tell_the_solution() -> None:
    texts = [
        f"## {n}.uzdevums {{-}}\n\n{q}\n\n::: solution\nSo.\n:::"
        for n, q in enumerate(QUESTIONS, 1)
    ]
    exam = split_exam("\n\n".join(texts))
    assert [p.question for p in exam.problems] == QUESTIONS
    assert {p.solution for p in exam.problems} == {"So."}
