"""Six texts from one tagged question: the paper's worked examples, invariants, the way back."""

from __future__ import annotations

import json
import re

import pytest
from benchwright.errors import UserError
from benchwright.latex import maths_spans
from benchwright.problem import VERSIONS, Span
from benchwright.render.versions import check_spans, texts_of
from benchwright.render.versions.recover_spans import recover
from benchwright.render.versions.role_text import KEEPS, text_of
from benchwright.render.versions.seams import SEAM, tidy
from hypothesis import given
from hypothesis import strategies as st
from real_data import RealData


def tagged(marked: str) -> tuple[str, list[Span]]:
    """`[EC a radius of 3 cm=>]` marks a span, with `=>alt`; spans may nest."""
    text, spans, open_spans = "", [], []
    for part in re.findall(r"\[(?:DI|IP|EC) |=>[^\]]*\]|\]|[^\[\]=]+|.", marked):
        if re.fullmatch(r"\[(?:DI|IP|EC) ", part):
            open_spans.append((len(text), part[1:3]))
        elif (
            part.endswith("]") and (part == "]" or part.startswith("=>")) and open_spans
        ):
            start, role = open_spans.pop()
            spans.append(
                Span(start=start, end=len(text), role=role, alt=part[2:-1] or None)
            )
        else:
            text += part
    return text, spans


# The paper's examples (MathVerse, section 2.2 and figures 18-22) with the versions it prints.
PAPER = [
    (
        "As shown in figure, [IP in right triangle ABC,] [DI it is known that angle A = 90°,] "
        "[EC AC = 3.0, AB = 4.0,] then Sin B is equal to ().",
        {
            "text_lite": "As shown in figure, in right triangle ABC, AC = 3.0, AB = 4.0, then "
            "Sin B is equal to ().",
            "vision_intensive": "As shown in figure, AC = 3.0, AB = 4.0, then Sin B is equal "
            "to ().",
            "vision_dominant": "As shown in figure, in right triangle ABC, then Sin B is equal "
            "to ().",
        },
    ),
    (
        "A [IP square pyramid=>solid] is shown in the image. [EC The height of this [IP square "
        "pyramid=>solid] is 5x+7.] [DI Length L is the side of the base of the pyramid.] Write "
        "down an expression for L, in terms of the variable x.",
        {
            "text_lite": "A square pyramid is shown in the image. The height of this square "
            "pyramid is 5x+7. Write down an expression for L, in terms of the variable x.",
            "vision_intensive": "A solid is shown in the image. The height of this solid is 5x+7. "
            "Write down an expression for L, in terms of the variable x.",
            "vision_dominant": "A square pyramid is shown in the image. Write down an expression "
            "for L, in terms of the variable x.",
        },
    ),
    (
        "[EC [DI A soft drink can has a height of 13 cm and a radius of=>The radius is] 3 cm.] "
        "Find L[DI , the length of the longest straw that can fit into the can].",
        {
            "text_lite": "The radius is 3 cm. Find L.",
            "vision_intensive": "The radius is 3 cm. Find L.",
            "vision_dominant": "Find L.",
        },
    ),
    (
        "如图，[DI 在三角形ABC中，][EC 已知∠A=80°，∠B=60°，][DI 点D在AB上，][IP DE∥BC，]"
        "则∠CED的大小是（ ）",
        {
            "text_lite": "如图，已知∠A=80°，∠B=60°，DE∥BC，则∠CED的大小是（ ）",
            "vision_intensive": "如图，已知∠A=80°，∠B=60°，则∠CED的大小是（ ）",
            "vision_dominant": "如图，DE∥BC，则∠CED的大小是（ ）",
        },
    ),
]


@pytest.mark.parametrize(("marked", "expected"), PAPER)
def test_the_papers_examples(marked: str, expected: dict[str, str]) -> None:
    question, spans = tagged(marked)
    texts = texts_of(question, spans)
    assert {v: texts[v] for v in expected} == expected
    assert texts["text_dominant"] == texts["text_only"] == question
    assert texts["vision_only"] == texts["vision_dominant"]


@pytest.mark.parametrize(
    ("cut", "repaired"),
    [
        (f"Given {SEAM}, find $x$.", "Find $x$."),
        (f"In ABC, AB = 3 and {SEAM}, find BC.", "In ABC, AB = 3, find BC."),
        (f"{SEAM}then find $a , b$ .{SEAM}", "Find $a , b$ ."),
        (f"{SEAM}a circle is shown.", "A circle is shown."),
        (
            f"{SEAM}sin B is 1.",
            "sin B is 1.",
        ),  # a function's name keeps its small letter
        (f"Find L {SEAM}, {SEAM}", "Find L."),
        (f"已知{SEAM}，求x", "求x"),
        (f"{SEAM}则x的值是（ ）", "x的值是（ ）"),
        (
            f"In the figure, {SEAM}and CD = 4. Find AD.",
            "In the figure, CD = 4. Find AD.",
        ),
        (f"AB = 3, BC = 5, {SEAM}and CD = 4.", "AB = 3, BC = 5, and CD = 4."),
        (f"{SEAM}{SEAM}. Find AD.", "Find AD."),
        (f"{SEAM}.5 is given.", ".5 is given."),
        ("Nothing , was cut ,, here .", "Nothing , was cut ,, here ."),
    ],
)
def test_seams_are_repaired_and_nothing_else(cut: str, repaired: str) -> None:
    assert tidy(cut) == repaired


@st.composite
def tagged_questions(draw: st.DrawFn) -> tuple[str, list[Span]]:
    """Clauses, some with mathematics; each tagged or not, some with a span inside or an alt."""
    clause = st.sampled_from(
        [
            "AB = 3, ",
            "$x , y$ and $\\frac{1}{2}$, ",
            "in triangle ABC, ",
            "已知$a=1$，",
            "it is. ",
        ]
    )
    text, spans = "", []
    for part in draw(st.lists(clause, min_size=1, max_size=6)):
        role = draw(st.sampled_from([None, "DI", "IP", "EC"]))
        if role:
            alt = draw(st.sampled_from([None, "solid", "$f , g$"]))
            spans.append(
                Span(start=len(text), end=len(text + part), role=role, alt=alt)
            )
            if draw(st.booleans()):
                inner = draw(st.sampled_from(["DI", "IP", "EC"]))
                spans.append(Span(start=len(text), end=len(text) + 2, role=inner))
        text += part
    return text + "find $z$.", spans


@given(tagged_questions())
def test_invariants(case: tuple[str, list[Span]]) -> None:
    question, spans = case
    texts = texts_of(question, spans)
    assert texts["text_dominant"] == texts["text_only"] == question
    assert all(SEAM not in text for text in texts.values())
    cuts_formula = any(s.end - s.start == 2 for s in spans)
    for version, text in texts.items():
        assert text.endswith(
            "ind $z$."
        )  # untagged text asks the question in every version
        if not cuts_formula:  # formulas come through whole
            known = {question[s.start : s.end] for s in maths_spans(question)} | {
                "$f , g$"
            }
            assert {text[s.start : s.end] for s in maths_spans(text)} <= known
        for span in spans:  # what is kept stands in the text, what is removed is cut
            inner = [
                s for s in spans if s is not span and span.start <= s.start < span.end
            ]
            outer = [
                s for s in spans if s is not span and s.start <= span.start < s.end
            ]
            if not inner and not outer and span.role in KEEPS[version]:
                core = (
                    question[span.start : span.end].strip(" ,.，").removeprefix("已知")
                )
                assert core.casefold() in text.casefold()


@given(st.text(alphabet="ab ,.$，。(", max_size=40))
def test_a_text_without_spans_is_returned_as_it_is(text: str) -> None:
    assert all(t == text for t in texts_of(text, []).values())


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ([(0, 9, "DI")], "does not lie in the text of 5 characters"),
        ([(2, 2, "DI")], "does not lie"),
        ([(0, 3, "DI"), (2, 5, "EC")], "crosses span DI"),
    ],
)
def test_bad_spans_are_named(spans: list[tuple[int, int, str]], message: str) -> None:
    with pytest.raises(UserError, match=message):
        check_spans("abcde", [Span(start=a, end=b, role=r) for a, b, r in spans])


def test_spans_over_the_same_stretch_nest_as_ec_ip_di() -> None:
    """So each of the four cut versions can have a text of its own."""
    spans = [
        Span(start=0, end=1, role="DI", alt="lite"),
        Span(start=0, end=1, role="IP", alt="intensive"),
        Span(start=0, end=1, role="EC", alt="dominant"),
    ]
    texts = {v: text_of("X", spans, v).lower() for v in VERSIONS}
    assert [texts[v] for v in VERSIONS] == [
        "x", "lite", "x", "intensive", "dominant", "dominant",
    ]  # fmt: skip


@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=8), st.data())
def test_recovered_spans_give_back_the_written_versions(
    words: list[str], data: st.DataObject
) -> None:
    """Any word deletions and replacements by people are expressible as spans."""
    full = " ".join(f"{w}{w}" for w in words)
    others = []
    for _ in range(3):
        kept = [data.draw(st.sampled_from([f"{w}{w}", "", "new"])) for w in words]
        others.append(" ".join(k for k in kept if k))
    texts = texts_of(full, recover(full, *others))
    made = [texts[v] for v in ("text_lite", "vision_intensive", "vision_dominant")]
    assert [" ".join(t.lower().split()) for t in made] == [
        " ".join(o.split()) for o in others
    ]


def test_real_versions_come_back_from_their_spans(data: RealData) -> None:
    """MathVerse's own texts as tagged data: what people wrote is what the spans give."""
    names = {"Text Lite": "text_lite", "Vision Intensive": "vision_intensive",
             "Vision Dominant": "vision_dominant"}  # fmt: skip
    lines = (
        (data.whole("mathverse/six-versions") / "problems.jsonl")
        .read_text()
        .splitlines()
    )
    equal = dict.fromkeys(names.values(), 0)
    for row in map(json.loads, lines):
        written = {
            name: row["versions"][key]["question"] for key, name in names.items()
        }
        full = row["versions"]["Text Dominant"]["question"]
        made = texts_of(full, recover(full, *written.values()))
        assert made["text_only"] == full
        for name, text in written.items():
            equal[name] += made[name].split() == text.split()
    assert all(count >= 0.95 * len(lines) for count in equal.values()), equal


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        ("A is 3. [DI B is 4.]\n\nFind C.", "A is 3.\n\nFind C."),
        ("A is 3.\n\n[DI B is 4.] Find C.", "A is 3.\n\nFind C."),
        ("A is 3.\n\n[DI B is 4.]\n\nFind C.", "A is 3.\n\nFind C."),
        ("A is 3. [DI B is 4].\n\nFind C.", "A is 3.\n\nFind C."),
        ("A is 3.\n[DI B is 4.]\nFind C.", "A is 3.\nFind C."),
    ],
)
def test_a_break_between_paragraphs_stays_one(marked: str, text: str) -> None:
    question, spans = tagged(marked)
    assert text_of(question, spans, "text_lite") == text
