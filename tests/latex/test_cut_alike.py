"""Every part of the project finds the same formulas in a text, and none between two prices."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from benchwright.convert.normalise import normalise_latex, tighten
from benchwright.convert.normalise.normalise import mask
from benchwright.dedup import formula_key, formulas_of, marks_of, text_key
from benchwright.grading.equivalence import inline_answer
from benchwright.grading.extraction import final_answer
from benchwright.latex import GLUED, math_box, maths_spans, svg
from benchwright.render import Issue
from benchwright.render.legibility import words_of
from benchwright.render.typeset import lines_of, stretches, text_lines
from benchwright.render.versions import lint, propose
from benchwright.render.versions.recover_spans import recover
from benchwright.render.versions.seams import SEAM, tidy
from hypothesis import given, settings
from hypothesis import strategies as st
from real_data import RealData

ROOT = Path(__file__).resolve().parents[2]
UPRIGHT = re.compile(r"\\mathrm\{(\w+)\}")  # units, as the page sets them
PRICES = "A pen costs $5 and a book costs $8. How much are both?"


def truth(text: str) -> list[str]:
    return [span.tex for span in maths_spans(text)]


def drawn_in_html(text: str) -> list[str]:
    asked: list[str] = []

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(svg, "draw", lambda tex, display: asked.append(tex))
        svg.html_of(text)
    return asked


def drawn_on_page(text: str) -> list[str]:
    """What the page hands to the formula engines, without the LaTeX found bare."""
    asked: list[str] = []
    issues: list[Issue] = []

    def engine(tex: str, display: bool = False) -> object:
        asked.append(tex)
        return math_box("x")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_lines, "math_box", engine)
        lines_of(text, 20, 1e9, issues.append)
    for issue in issues:
        if issue.message.startswith(
            "LaTeX outside dollars"
        ):  # guessed by the page alone
            asked.remove(
                next(t for t in asked if issue.where in (t, UPRIGHT.sub(r"\1", t)))
            )
    return asked


def shown_in_browser(text: str) -> list[str]:
    issues: list[Issue] = []
    asked = [
        stretch.text for stretch in stretches(text, issues.append) if stretch.maths
    ]
    for issue in issues:
        if issue.message.startswith("LaTeX outside dollars"):  # guessed
            asked.remove(
                next(t for t in asked if issue.where in (t, UPRIGHT.sub(r"\1", t)))
            )
    return asked


def normalised(text: str) -> list[str]:
    return [span.tex for span in mask(text).formulas]


CUTS: dict[str, Callable[[str], list[str]]] = {
    "html": drawn_in_html,
    "browser": shown_in_browser,
    "convert": normalised,
    "tighten": lambda text: truth(tighten(text)),
    "typeset": drawn_on_page,
}


def real_texts() -> Iterator[str]:
    for line in (ROOT / "examples/mini/test.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        yield from (row["question"], *row["options"])
    for path in sorted((ROOT / "examples/outputs").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            yield from (
                value for value in json.loads(line).values() if isinstance(value, str)
            )
    for case in json.loads(
        (Path(__file__).with_name("spans_cases.json")).read_text("utf-8")
    ):
        yield case["mmd"]


def published_texts(data: RealData) -> Iterator[str]:
    for line in data.math_v("test.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        yield from (row["question"], *row["options"], row.get("solution") or "")
    if not data.is_whole:
        return
    for name in ("we-math/testmini.json", "mathverse/testmini_text_only.json"):
        yield from (
            row["question"] for row in json.loads(data.whole(name).read_bytes())
        )
    for name in ("mathvista-free", "mathvista-choice", "styles"):
        for line in data.whole(f"replies/{name}.jsonl").read_text("utf-8").splitlines():
            yield from (v for v in json.loads(line).values() if isinstance(v, str))


def comparable(text: str) -> str:
    """Without what pages take out of a text before they look for formulas, and without code."""
    text = re.sub(
        r"<image\d+>|\\n|[\u200b-\u200f\u2060\ufeff\u00ad\ufdd0-\ufdef`]|<math\b",
        " ",
        text,
    )
    return re.sub(
        r"\\begin\{tabular\}.*?\\end\{tabular\}", " ", text, flags=re.DOTALL
    ).strip()


def check_alike(text: str) -> None:
    wanted = truth(text)
    for name, cut in CUTS.items():
        if name == "tighten" and re.search(r"\\\$\s*(?:\n\n|$)", text):
            continue  # a closing dollar that was escaped is repaired: one formula more
        spelt = [
            [GLUED.sub(r"\\\1 ", tex) for tex in found] for found in (cut(text), wanted)
        ]
        assert spelt[0] == spelt[1], f"{name} cuts otherwise: {text!r}"


def test_bundled_texts_are_cut_alike() -> None:
    texts = list(map(comparable, real_texts()))
    assert sum(bool(truth(text)) for text in texts) > 50
    for text in texts:
        check_alike(text)


def test_published_texts_are_cut_alike(data: RealData) -> None:
    texts = sorted({comparable(text) for text in published_texts(data)})
    assert sum(bool(truth(text)) for text in texts) > (2000 if data.is_whole else 100)
    for text in texts:
        if "\x0c" not in text and "\x08" not in text:
            check_alike(text)


def test_last_formulas_and_those_of_dedup_are_cut_alike() -> None:
    """What grading takes for the last formula, and what dedup counts as formulas."""
    last = 0
    for text in map(comparable, real_texts()):
        spans = maths_spans(text)
        found = final_answer(text)
        inside = [s for s in spans if s.start < found.end and found.start < s.end]
        if (
            inside and found.rule != "boxed"
        ):  # a value begins and ends where its formulas do
            last += 1
            assert found.start <= inside[0].start
            assert inside[-1].end <= found.end
        alike = {formula_key(s.tex) for s in spans}
        assert set(formulas_of(text)) <= alike
    assert last > 3


AMOUNTS = st.sampled_from(
    ["$5", "$8", "$4.50", "$1,200", "US$5", "$3 million", "\\$7", "5$"]
)
FORMULAS = st.sampled_from(
    [("$x$", "x"), ("$ x $", "x"), ("$ F_1$", "F_1"), ("$5$", "5"), ("$$x+1$$", "x+1"),
     (r"\(a^2\)", "a^2"), (r"\[b=2\]", "b=2"), (r"$6 \mathrm{~m}$", r"6 \mathrm{~m}"),
     (r"$\frac{1}{2}$", r"\frac{1}{2}"), ("$3x$", "3x"), (r"$\$5$", r"\$5"), ("$A B$", "A B"),
     (r"$x \text{ or the } y$", r"x \text{ or the } y"), ("$100 $", "100")]
)  # fmt: skip
PROSE = st.sampled_from(
    [" and a book costs ", ". How much is ", ", while the other costs ", " for each of them, or ",
     " more than the price, which is ", "\nThen they pay ", "; find the value of "]
)  # fmt: skip


@given(st.lists(st.tuples(st.one_of(AMOUNTS, FORMULAS), PROSE), min_size=1, max_size=6))
@settings(max_examples=300)
def test_prices_and_formulas_among_prose(
    parts: list[tuple[str | tuple[str, str], str]],
) -> None:
    text = "A pen costs " + "".join(
        (part if isinstance(part, str) else part[0]) + prose for part, prose in parts
    )
    text += "the rest."
    assert truth(text) == [part[1] for part, _ in parts if not isinstance(part, str)]
    check_alike(text)


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        (PRICES, []),
        ("$5$ and $8$", ["5", "8"]),
        (r"It costs \$5, not $6 \mathrm{~m}$.", [r"6 \mathrm{~m}"]),
        ("between $5 and $10, i.e. $5-$10 or $5/$10", []),
        ("Ann has 5$ and Bob has 7$, that is 12$.", []),
        ("She paid $5 for $x$ apples and $ y $ pears", ["x", "y"]),
        ("$3.00 + $4.00 + $6.00 = $13.00", []),
        ("$20\nCanola: $10", []),
        ("Find $x", []),
        ("$\\geqslant$2，则 $y$57", ["\\geqslant", "y"]),
        ("$x=3y \\\\$ and $ P$", ["x=3y \\\\", "P"]),
        ("$ 的 $x$", ["x"]),
        ("the $19, 46, and 82$ or $v = way/time$", ["19, 46, and 82", "v = way/time"]),
        (r"so $\angle TPQ $is equal", [r"\angle TPQ"]),
        ("$$ all of $P, Q$ and $T$", ["P, Q", "T"]),
        ("$\text{13}$ or $\frac12$", ["\text{13}", "\frac12"]),
    ],
)  # fmt: skip
def test_money_and_formulas(text: str, formulas: list[str]) -> None:
    assert truth(text) == [tex.strip() for tex in formulas]


def test_pens_and_books_stay_prose_everywhere() -> None:
    assert [drawn for cut in CUTS.values() for drawn in cut(PRICES)] == []
    assert svg.html_of(PRICES) == f'<div class="mmd">{PRICES}</div>'
    (line,) = lines_of(PRICES, 20, 1e9, lambda issue: None)
    assert {atom.kind for _, atom in line.atoms} == {"text", "space"}
    assert "".join(atom.text for _, atom in line.atoms) == PRICES
    assert normalise_latex(PRICES)[0] == PRICES.replace("$", r"\$")
    assert (
        final_answer("A pen costs $5 and a book costs $8, so both cost $13.").answer
        == "$13"
    )
    assert inline_answer(PRICES) == PRICES
    assert {"pen", "costs", "book", "8"} <= set(text_key(PRICES).split())
    assert marks_of(PRICES, "en") == ["5", "8"]
    assert "book" in words_of(PRICES)
    assert lint(PRICES) == []
    assert [PRICES[s.start : s.end] for s in propose(PRICES)] == []
    assert (
        tidy(f"A pen costs $5 and {SEAM}, a book costs $8.")
        == "A pen costs $5, a book costs $8."
    )
    (span,) = recover(PRICES, *["A pen costs $5. How much are both?"] * 3)
    assert PRICES[span.start : span.end] == "and a book costs $8"
