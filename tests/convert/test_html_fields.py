"""Records of school sites through the stage `html`, in a recipe and alone."""

from __future__ import annotations

import base64
import io
import time
from pathlib import Path

import pytest
from benchwright import build_release
from benchwright.base.files import read_jsonl
from benchwright.base.pictures import store_picture
from benchwright.convert.stages import html
from benchwright.pipeline import Context
from benchwright.problem import Drop, Problem, Step
from PIL import Image as Pillow
from small import options, png, problem, write_recipe, write_rows

X = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi><mo>=</mo><mn>2</mn></math>'


@pytest.fixture
def context(tmp_path: Path) -> Context:
    (tmp_path / "pics" / "deep").mkdir(parents=True)
    for name, shade in (("a.png", 1), ("deep/b.png", 2), ("c d.png", 3)):
        (tmp_path / "pics" / name).write_bytes(png(40, 40, shade))
    return Context(tmp_path, tmp_path / "work")


def converted(context: Context, **fields) -> Problem:
    made = html(
        problem(1, **fields), images=context.recipe_folder / "pics", context=context
    )
    assert isinstance(made, Problem), made
    return made


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (f"<p>Let {X}.</p><p>Then?</p>", "Let $x=2$.\nThen?"),
        ("∠2=<u>&nbsp;&nbsp;</u>°", "∠2=____°"),
        ('=<span style="text-decoration: underline;">&emsp;</span>.', "=____."),
        ("<u>not</u> blank", "not blank"),
        (
            "<table><tr><td>x</td><td>1</td></tr><tr><td>y</td><td>2</td></tr></table>",
            "x | 1\ny | 2",
        ),
        ("a&lt;b &amp;&nbsp;c&times;d", "a<b & c×d"),
        ("if a<b and b>c, then x<y", "if a<b and b>c, then x<y"),
        ("plain $a<b$", "plain $a<b$"),
        ("<o:p>word</o:p><script>alert(1)</script>", "word"),
        ("x<sup>2</sup>", "x$^{2}$"),
        ("See <image1> and <b>x</b>", "See <image1> and x"),
        ("Let <span class='text-overline'>AB</span> be", r"Let $\overline{AB}$ be"),
        ("Which?<label><input type=radio> 3</label><label><input type=radio> 4</label>",
         "Which?\n3\n4"),
    ],
)  # fmt: skip
def test_markup_becomes_text(context: Context, markup: str, text: str) -> None:
    assert converted(context, question=markup).question == text


def test_pictures_come_by_address_or_data(context: Context) -> None:
    data = base64.b64encode(png(40, 40, 7)).decode()
    made = converted(
        context,
        question=f'<img src="a.png"> <img src="https://s.example/deep/b.png?w=9"> '
        f'<img src="data:image/png;base64,{data}"> <img src="./a.png">',
        options=options('<img src="c%20d.png">', 'or <img src="a.png">', "no"),
        answer="A",
    )
    assert made.question == "<image1> <image2> <image3> <image1>"
    assert [o.text for o in made.options] == ["", "or <image1>", "no"]
    assert made.options[0].image is not None
    assert made.options[0].image.role == "option"
    assert len(made.images) == 3
    assert made.notes == []


def test_the_first_address_that_can_be_had_is_the_picture(context: Context) -> None:
    made = converted(
        context,
        question='<picture><source srcset="a.webp"><img src="a.png"></picture> '
        '<object data="no.svg"><img src="../../media/deep/b.png"></object> '
        r'<img src="C:\work\c d.png">',
    )
    assert made.question == "<image1> <image2> <image3>"
    assert made.notes == []


def test_what_is_seen_and_no_picture_is_named(context: Context) -> None:
    made = converted(
        context,
        question='A <svg><path d="M0 0"/><text>B C</text></svg> <canvas></canvas> '
        '<iframe src="https://h.example/x"></iframe> <object data="f.svg">a cone</object>',
    )
    assert (
        made.question
        == "A [picture: B C] [picture: canvas] [picture: x] [picture: a cone]"
    )
    assert [note.split(":")[0] for note in made.notes] == ["missing-picture"] * 4


def test_hidden_text_and_strange_elements_are_listed(context: Context) -> None:
    page = "See <x-note>two</x-note><span hidden>the key is 7</span>"
    assert converted(context, question=page).notes == []
    assert context.tables["hidden"] == [
        {"field": "a-1: question", "text": "the key is 7"}
    ]
    assert context.tables["elements"] == [
        {"element": "x-note", "count": 1, "field": "a-1: question"}
    ]


def test_frames_of_a_moving_picture_that_are_not_kept_are_told(
    context: Context,
) -> None:
    made = io.BytesIO()
    first, *others = (Pillow.new("L", (20, 20), shade) for shade in (0, 90, 180))
    first.save(made, "GIF", save_all=True, append_images=others)
    data = base64.b64encode(made.getvalue()).decode()
    problem = converted(context, question=f'<img src="data:image/gif;base64,{data}">')
    assert problem.question == "<image1>"
    assert problem.notes == [
        "moving-picture: a data: address: only its first frame is kept"
    ]


def test_the_picture_that_a_field_names_too_is_one(context: Context) -> None:
    known = store_picture(png(40, 40, 1), context.work)
    assert converted(
        context, question='? <img src="a.png">', images=[known]
    ).images == [known]


def test_steps_are_text_with_pictures_of_their_own(context: Context) -> None:
    step = Step(
        question='<p>Look <img src="deep/b.png"> at &ang;1.</p>', condition=f"<b>{X}</b>",
        options=options("a&amp;b", '<img src="a.png">'), answer="B",
    )  # fmt: skip
    made = converted(context, question='<img src="a.png">?', steps=[step])
    (asked,) = made.steps
    assert (asked.question, asked.condition) == ("Look <image1> at ∠1.", "$x=2$")
    assert (asked.options[0].text, asked.answer) == ("a&b", "B")
    assert asked.options[1].image is not None
    assert asked.options[1].image.sha256 == made.images[0].sha256
    assert len(made.images) == len(asked.images) == 1


def test_what_is_not_here_is_listed_and_never_fetched(context: Context) -> None:
    made = converted(
        context,
        question='<img src="http://127.0.0.1:9/z.png"><img src="../../etc/passwd"><img src="//h/x">'
        '<img src="data:image/png;base64,AAAA"><img src="data:text/html,x"><img>',
        solution='see <img src="a.png">',
    )
    assert made.images == []
    assert [n.split(":")[0] for n in made.notes] == [
        "missing-picture", "broken-picture", "missing-picture", "broken-picture",
        "broken-picture", "missing-picture",
    ]  # fmt: skip
    assert [r["address"] for r in context.tables["remote"]][:1] == [
        "http://127.0.0.1:9/z.png"
    ]
    assert context.tables["pictures"] == [
        {"id": "a-1", "field": "solution", "address": "a.png"}
    ]
    assert made.solution == "see [picture: a.png]"


def test_answers_are_bare_and_their_kind_is_guessed_again(context: Context) -> None:
    made = converted(context, answer=X, answer_kind="text")
    assert (made.answer, made.answer_kind) == ("x=2", "equation")


@pytest.mark.parametrize(
    ("bomb", "reason"),
    [
        ("<math><mrow>" * 40_000, None),
        ("<div>" * 500_000, None),
        ("<" * 1_500_000, "too large"),
        ("<b" + " a" * 1_000_000, None),
        ("x" * 6_000_000 + "<p>", "too large"),
        ('<img src="a.png">' * 51, "more than 50 pictures"),
        ("<math><mi>x</mi><foo/></math>", "unknown element <foo>"),
        ("<table><tr><td>" * 40_000, "nested deeper"),
        ("<table><tr><td>x</table>" * 40_000, None),
        ("<svg><g>" * 900 + "<text>x", None),
        ('<img alt="' + "{" * 100_000 + '" class=latex src=x.png>', None),
        ("<span class=frac><b>1</b><b>2</b></span>" * 20_000, None),
        ("<sup>" * 900 + "x", None),
        ("<!--[if gte vml 1]>" * 50_000, None),
        ("<script type=math/tex>" * 50_000 + "x</script>", None),
        ('<img src="data:image/png;base64,' + "A" * 3_000_000 + '">', None),
    ],
)
def test_bombs_are_bounded_and_refused_by_name(
    context: Context, bomb: str, reason: str | None
) -> None:
    start = time.process_time()
    made = html(
        problem(1, question=bomb),
        images=context.recipe_folder / "pics",
        context=context,
    )
    assert time.process_time() - start < 10
    assert reason is None or (isinstance(made, Drop) and reason in made.reason)


def test_a_site_goes_through_a_recipe(tmp_path: Path, context: Context) -> None:
    rows = [
        {
            "nr": "1",
            "year": "九年级",
            "stem": f'<p>已知{X}，求 y</p><img src="a.png">',
            "key": "4",
        },
        {"nr": "2", "year": "八年级", "stem": "<p>∠2=<u>&nbsp;</u>°</p>", "key": "130"},
        {"nr": "3", "year": "初一", "stem": "<math><foo/></math>", "key": "1"},
    ]
    write_rows(tmp_path / "site.jsonl", rows)
    fields = {"id": "nr", "question": "stem", "answer": "key", "labels.grade": "year"}
    recipe = {
        "name": "site", "version": "1.0.0", "benchmark": "mm-math",
        "sources": [{"name": "s", "reader": "jsonl", "path": "site.jsonl", "license": "MIT",
                     "language": "zh", "fields": fields}],
        "stages": [{"html": {"images": "pics"}}, "latex", "check", "open-ended"],
        "exports": ["mm-math"],
    }  # fmt: skip
    built = build_release(write_recipe(tmp_path / "r.yaml", recipe), tmp_path / "out")
    assert built.reports[1].reasons == {"html": 1}
    released = list(
        read_jsonl(tmp_path / "out/work/04-open-ended/problems.jsonl", Problem)
    )
    assert [(p.question, p.labels["grade"], len(p.images)) for p in released] == [
        ("已知$x=2$，求 y\n<image1>", 9, 1),
        ("∠2=多少°？", 8, 0),
    ]


def test_a_note_names_no_place_of_this_machine(
    context: Context, tmp_path: Path
) -> None:
    """Notes stand in releases, whose bytes are the same on every machine."""
    pages = '<img src="../../secret.png"><img src="data:image/png;base64,iVBORw0KGgo=">'
    made = converted(context, question=pages)
    assert len(made.notes) == 2
    assert str(tmp_path) not in "".join(made.notes)
