"""What must hold of every answer: reflexive, blind to spelling, sensitive to change."""

from __future__ import annotations

from fractions import Fraction

from benchwright import grade
from hypothesis import assume, given, settings
from hypothesis import strategies as st

integers = st.integers(-9999, 9999)
fractions = st.builds(Fraction, integers, st.integers(1, 99))


def tex(value: Fraction) -> str:
    sign = "-" if value < 0 else ""
    if value.denominator == 1:
        return str(value)
    return f"{sign}\\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def surd(a: int, b: int, c: int) -> str:
    return f"\\frac{{{a}+{b}\\sqrt{{{c}}}}}{{7}}"


expressions = st.one_of(
    fractions.map(tex),
    st.builds(surd, integers, st.integers(1, 50), st.sampled_from([2, 3, 5, 6, 7, 10])),
    st.builds(
        "{}x^2+{}x-{}".format,
        st.integers(2, 99),
        st.integers(2, 99),
        st.integers(1, 99),
    ),
)


@given(expressions)
def test_reflexive_in_every_spelling(answer: str) -> None:
    for prediction in (
        answer,
        f"${answer}$",
        f"\\boxed{{{answer}}}",
        answer.replace("\\frac", "\\dfrac"),
        answer.replace("+", " + "),
        f"\\left({answer}\\right)",
        f"{answer}.",
    ):
        assert grade(prediction, answer).equal, prediction


@given(expressions, expressions)
def test_symmetric(a: str, b: str) -> None:
    assert grade(a, b, kind="expression").equal == grade(b, a, kind="expression").equal


@given(fractions, fractions)
def test_numbers_are_equal_exactly_when_their_values_are(
    a: Fraction, b: Fraction
) -> None:
    assert grade(tex(a), tex(b), kind="number").equal == (a == b)
    assert grade(f"{a.numerator}/{a.denominator}", tex(a), kind="number").equal


@given(st.integers(10**3, 10**12))
def test_thousands_are_grouped_as_one_likes(value: int) -> None:
    for prediction in (
        f"{value:,}",
        f"{value:,}".replace(",", "{,}"),
        f"{value:,}".replace(",", " "),
    ):
        assert grade(prediction, str(value), kind="number").equal
    assert not grade(f"{value + 1:,}", str(value), kind="number").equal


@given(st.lists(fractions, min_size=2, max_size=6, unique=True), st.randoms())
def test_sets_ignore_order_and_feel_every_element(
    values: list[Fraction], random: object
) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    gold = ", ".join(map(tex, values))
    assert grade("\\{" + ", ".join(map(tex, shuffled)) + "\\}", gold, kind="set").equal
    assert not grade(", ".join(map(tex, shuffled[1:])), gold, kind="set").equal


@given(st.lists(fractions, min_size=2, max_size=4), st.data())
def test_tuples_feel_order(values: list[Fraction], data: st.DataObject) -> None:
    other = data.draw(st.permutations(values))
    gold, prediction = (f"({', '.join(map(tex, v))})" for v in (values, other))
    assert grade(prediction, gold, kind="tuple").equal == (list(other) == values)


@given(
    fractions,
    fractions,
    st.sampled_from(["()", "(]", "[)", "[]"]),
    st.sampled_from(["()", "[]"]),
)
def test_intervals_feel_their_ends(
    a: Fraction, b: Fraction, one: str, two: str
) -> None:
    assume(a < b)
    gold = f"{one[0]}{tex(a)}, {tex(b)}{one[1]}"
    prediction = f"{two[0]}{tex(a)}, {tex(b)}{two[1]}"
    assert grade(prediction, gold, kind="interval").equal == (one == two)
    low, high = ("\\le" if c in "[]" else "<" for c in one)
    assert grade(f"{tex(a)} {low} x {high} {tex(b)}", gold, kind="interval").equal


@given(st.integers(1, 60), st.integers(1, 60))
def test_surds(a: int, b: int) -> None:
    assert grade(f"\\sqrt{{{a * a * b}}}", f"{a}\\sqrt{{{b}}}", kind="expression").equal
    assert not grade(
        f"\\sqrt{{{a * a * b + 1}}}", f"{a}\\sqrt{{{b}}}", kind="expression"
    ).equal


@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 9))
def test_polynomials(a: int, b: int, c: int) -> None:
    expanded = f"x^2 + ({a + b})x + ({a * b})"
    assert grade(f"(x+({a}))(x+({b}))", expanded, kind="expression").equal
    assert not grade(f"(x+({a}))(x+({b}))+{c}", expanded, kind="expression").equal


@settings(max_examples=300)
@given(
    st.text(max_size=60),
    st.text(alphabet="\\{}[]()^_0123456789fracsqtx+-*/=<>,.|:%!&$ ", max_size=60),
)
def test_any_text_has_a_verdict(anything: str, mathlike: str) -> None:
    for prediction, gold in (
        (anything, mathlike),
        (mathlike, anything),
        (mathlike, mathlike),
    ):
        verdict = grade(prediction, gold)
        assert (verdict.equal is None) == (verdict.status != "ok")
    assert grade(mathlike, mathlike).equal
