"""Normalisation: a table of wanted results, idempotence, and nothing lost."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest
from benchwright import normalise
from benchwright.convert.normalise import TextChange, unbalanced
from benchwright.latex import maths_spans
from hypothesis import given, settings
from hypothesis import strategies as st
from real_data import RealData

CASES = json.loads(Path(__file__).with_name("normalise_cases.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[c["text"][:40] for c in CASES])
def test_wanted_result(case: dict[str, str]) -> None:
    assert normalise(case["text"])[0] == case["wanted"]


def test_every_change_is_recorded() -> None:
    text, changes = normalise(r"已知\(x²\)，∠A＝60°")
    assert text == "已知$x^{2}$，∠A=60°"
    assert changes == [
        TextChange("delimiter", "\\(", "$"),
        TextChange("scripts", "²", "^{2}"),
        TextChange("width", "＝", "="),
    ]


def test_unchanged_text_has_no_changes() -> None:
    assert normalise("In triangle $ABC$, “$X$” is 5 cm²; see ① and ½.")[1] == []


NASTY = st.lists(
    st.sampled_from(
        [
            "$", "$$", r"\(", r"\)", r"\[", r"\]", "\\", "{", "}", "^", "_", " ", "\n", "\n\n", ",",
            "，", "。", "、", "（", "）", "(", ")", "“", "”", "：", "．", "Ａ", "１", "＋", "－",
            "x", "AB", "word", "7", "3.5", "²", "₁", "½", "√", "△", "∠", "°", "π", "中", "文", "℃",
            r"\frac", r"\frac{1}{2}", r"\text{", r"\text{if $x$}", r"\alpha", r"\left", r"\right",
            r"\begin{align}", r"\end{align}", r"\over", "<image1>", "`", "&", r"\n", "~", "～", "Δ",
            "\u200b", "\u3000", "\u00a0", "'", "′", "|", "%", "％", "#", "\ufdd0", r"\boxed{2}",
        ]
    ),
    max_size=14,
).map("".join)  # fmt: skip


@given(NASTY)
@settings(max_examples=1500, deadline=None)
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise(text)[0]
    assert normalise(once)[0] == once


@given(NASTY)
@settings(max_examples=500, deadline=None)
def test_no_letter_digit_or_picture_is_lost(text: str) -> None:
    def kept(text: str) -> str:
        text = re.sub(r"\\[A-Za-z]+|[\ufdd0-\ufdef]", "", text)
        return "".join(
            c for c in unicodedata.normalize("NFKC", text) if "\u4e00" <= c < "\ua000"
        )

    result = normalise(text)[0]
    assert kept(result) == kept(text)
    assert result.count("<image1>") == text.count("<image1>")


def test_real_texts_are_stable_and_their_formulas_stand_in_dollars(
    data: RealData,
) -> None:
    records = json.loads(
        data.whole("mathverse/testmini_text_only.json").read_text("utf-8")
    )
    bare = re.compile(r"\\(?:frac|sqrt|angle|triangle|pi|circ)\b")
    before = after = 0
    for record in records:
        text = normalise(record["question"])[0]
        assert normalise(text)[0] == text
        before += bool(bare.search(_prose(record["question"])))
        after += bool(bare.search(_prose(text))) and not unbalanced(text)
    assert before > 100  # a fifth of the texts hold bare LaTeX
    assert after == 0


def _prose(text: str) -> str:
    for span in reversed(maths_spans(text)):
        text = text[: span.start] + text[span.end :]
    return text


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("all $x$ well", []),
        ("an odd $x$ and $y", ["dollar"]),
        (r"$\frac{1}{2$", ["brace"]),
        (r"$\left( x$", ["left"]),
        (r"$\begin{array}{c}x$", ["environment"]),
        (r"price \$5", []),
    ],
)
def test_what_does_not_close_is_reported(text: str, kinds: list[str]) -> None:
    assert [found.split(":")[0] for found in unbalanced(text)] == kinds


@pytest.mark.parametrize(
    ("tex", "normal"),
    [
        (r"$\text{△}ABC$", r"$\triangle ABC$"),
        (r"$\text{ ∠ }A=60\text{°}$", r"$\angle A=60^{\circ}$"),
        (r"$\text{▱}ABCD$", r"$\text{▱}ABCD$"),
        (r"$\text{米}$", r"$\text{米}$"),
    ],
)
def test_a_lone_symbol_is_no_prose(tex: str, normal: str) -> None:
    """MM-MATH, 2.2: symbols leave their words."""
    assert normalise(tex)[0] == normal
    assert normalise(normal)[0] == normal
