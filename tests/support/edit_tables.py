"""Tables of edits, as models make them, that the guards of suggestions are measured on.

The tables tell problems in several ways, right and wrong; what follows from them by exchanging
words, figures and marks is made here, and joined with what was written by hand. The guards were
written while looking at `problems.yaml` and `by_hand.yaml`. Those of other hands, and the replies
to the prompts, were written by people who had seen neither guards nor tables; their heads say what
came out at the first look.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import yaml

FOLDER = Path(__file__).parent.parent / "convert" / "guards" / "edits"


class Edit(NamedTuple):
    task: str
    before: str
    after: str
    harmless: bool
    table: str  # "fitted", "other hands" or "replies"


@cache
def edits() -> tuple[Edit, ...]:
    """Every edit of every task, each once."""
    made = [*_retold(), *_opened(), *_punctuated(), *_boxed(), *_by_hand(), *_replies()]
    return tuple(
        dict.fromkeys(
            edit for edit in made if edit.table != "other hands" or _drawn(edit)
        )
    )


def _drawn(edit: Edit) -> bool:
    """A quarter of the edits that follow from the largest tables, always the same."""
    return (
        hashlib.sha256((edit.task + edit.before + edit.after).encode()).digest()[0] % 4
        == 0
    )


TABLES = {
    "fitted": ("problems",),
    "other hands": tuple(f"other_hand_{k}" for k in range(1, 6)),
}


def _problems() -> Iterator[tuple[dict[str, list[str]], str]]:
    for table, names in TABLES.items():
        for name in names:
            loaded = yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))
            yield from ((row, table) for row in loaded)


def _replies() -> Iterator[Edit]:
    for name in ("replies_1", "replies_2", "replies_3"):
        for row in yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8")):
            for kind in ("right", "wrong"):
                for after in row[kind]:
                    yield Edit(
                        row["task"], row["before"], after, kind == "right", "replies"
                    )


def _by_hand() -> Iterator[Edit]:
    loaded: dict[str, Any] = yaml.safe_load(
        (FOLDER / "by_hand.yaml").read_text("utf-8")
    )
    for task, kinds in loaded.items():
        for kind, pairs in kinds.items():
            for before, after in pairs:
                yield Edit(task, before, after, kind == "right", "fitted")


def _retold() -> Iterator[Edit]:
    for row, key in _problems():
        for language in ("zh", "en"):
            for before, after in product(row[language], row[language]):
                for text in [after, *_reworded(after)] if language == "en" else [after]:
                    if before != text:
                        yield Edit("rephrase", before, text, True, key)
            for before, after in product(row[language][:1], row[f"{language}_wrong"]):
                yield Edit("rephrase", before, after, False, key)
            for text in row[language][:1]:
                yield from (
                    Edit("rephrase", text, t, False, key) for t in _spoiled(text)
                )
        for before, text in product(row["zh"], row["en"]):
            for after in [text, *_reworded(text)]:
                yield Edit("translate", before, after, True, key)
        for before, after in product(row["zh"][:1], row["en_wrong"]):
            yield Edit("translate", before, after, False, key)
        for before, text in zip(row["zh"], row["en"], strict=False):
            yield from (
                Edit("translate", before, t, False, key) for t in _spoiled(text)
            )


_WORDINGS = (
    ("Find", "Determine"),
    ("find", "calculate"),
    ("What is", "Find"),
    ("Given that", "Suppose that"),
)


def _reworded(text: str) -> list[str]:
    """The text with another word for what is to be done."""
    made = [re.sub(rf"\b{old}\b", new, text, count=1) for old, new in _WORDINGS]
    return [
        m.replace("?", ".") if m.endswith("?") and "Find" in m else m
        for m in made
        if m != text
    ]


def _spoiled(text: str) -> list[str]:
    """The text with one figure changed, with markup, and with a negation."""
    number = re.search(r"(?<![\w{^_.])\d+(?![\w}.])", text)
    spoiled = [
        f"{text} <script>alert(1)</script>",
        re.sub(r"^(\S+)", r"<b>\1</b>", text),
    ]
    if number:
        spoiled.append(
            f"{text[: number.start()]}{int(number[0]) + 10}{text[number.end() :]}"
        )
    if " is " in text and "not " not in text and "neither" not in text:
        spoiled.append(text.replace(" is ", " is not ", 1))
    return spoiled


_ASKED = (
    (r"(是|为|等于)多少？", r"\1（ ）"),
    (r"What is (the [^?]+)\?", r"The value of \1 is ( )"),
)


_BLANK = re.compile(r"\s*[(（] [)）][.。]?$")


def _opened(task: str = "open-ended") -> Iterator[Edit]:
    for row, key in _problems():
        for language, blank in (("zh", "（ ）"), ("en", " ( )")):
            texts = [_BLANK.sub("", t) for t in row[language]]
            wrong = [_BLANK.sub("", t) for t in row[f"{language}_wrong"]]
            befores = [t + blank for t in texts]
            for text in texts:
                for pattern, spelling in _ASKED:
                    befores += [
                        b for b in [re.sub(pattern, spelling, text)] if b != text
                    ]
            for before, after in product(befores, texts):
                yield Edit(task, before, after, True, key)
            for before, after in product(befores[:1], wrong):
                yield Edit(task, before, after, False, key)
            for before, text in zip(befores, texts, strict=False):
                yield from (Edit(task, before, t, False, key) for t in _spoiled(text))


_CARELESS = {"zh": ("，。？：（）、", ",.?:(),"), "en": (".,?:", "。，？：")}


def _punctuated(task: str = "punctuation") -> Iterator[Edit]:
    for row, key in _problems():
        for language in ("zh", "en"):
            for text in row[language][:2]:
                careless = _careless(text, language)
                for before in careless:
                    yield Edit(task, before, text, True, key)
                for after in [*_spoiled(text), *_misspelled(text)]:
                    yield Edit(task, careless[0], after, False, key)


def _careless(text: str, language: str) -> list[str]:
    right, wrong = _CARELESS[language]
    table = str.maketrans(
        right.replace("、", ""), wrong[: len(right.replace("、", ""))]
    )
    outside = "".join(
        part
        if k % 2
        else re.sub(r"(?<!\d)[^\w\s](?!\d)", lambda m: m[0].translate(table), part)
        for k, part in enumerate(re.split(r"(\$[^$]*\$)", text))
    )
    spaced = re.sub(r"(?<!\d)([,，。.?？])(?!\d)\s*", r" \1", text)
    return [
        outside,
        spaced,
        text.rstrip("。.?？"),
        text.replace(" ", "  ").replace("，", "， "),
    ]


def _misspelled(text: str) -> list[str]:
    """What a model that repairs marks must not do: words, signs, names, order."""
    words = text.split(" ")
    made = [
        re.sub(r"(\d+)", r"-\1", text, count=1),
        re.sub(r"([A-Z])([A-Z])\b", r"\1, \2", text, count=1),
        re.sub(r"=", "<", text, count=1),
        re.sub(r"(\d)(\d)", r"\1.\2", text, count=1),
        re.sub(r"(\d):(\d)", r"\1.\2", text, count=1),
        re.sub(r"%|度| degrees", "", text, count=1),
        re.sub(r"不|没|非|最|正", "", text, count=1),
        " ".join([*words[:2], *words[3:]]) if len(words) > 6 else text,
        " ".join([words[0], words[2], words[1], *words[3:]])
        if len(words) > 6
        else text,
    ]
    return [m for m in made if m != text]


_VALUES = [
    "5", "-5", "12", "3.14", r"\frac{1}{23}", r"-\frac{2}{3}", r"\sqrt{5}", "x^{2}+1", r"2\sqrt{3}",
    r"(3,-4)", r"60^\circ", r"\frac{\pi}{6}", "x>2", "-120", r"3:4",
]  # fmt: skip
_SOLVED = [
    ("Adding both sides gives $x=4$. So the answer is $V$.", "en"),
    ("We have $a+b=10$ and $ab=7$, hence the value is $V$.", "en"),
    ("By the theorem, $AC=13$. Therefore the required value equals $V$.", "en"),
    ("解：由题意得$x=4$，所以结果为$V$。", "zh"),
    ("因为$a+b=10$，故所求的值是$V$。", "zh"),
    ("由勾股定理，$AC=13$，因此答案是$V$。", "zh"),
]
_OTHER = {
    "5": "6", "-5": "5", "12": "21", "3.14": "31.4", r"\frac{1}{23}": r"\frac{12}{3}",
    r"-\frac{2}{3}": r"\frac{2}{3}", r"\sqrt{5}": "5", "x^{2}+1": "x2+1",
    r"2\sqrt{3}": r"\sqrt{23}",
    "(3,-4)": "(-3,4)", r"60^\circ": "60", r"\frac{\pi}{6}": r"\frac{6}{\pi}", "x>2": "x<2",
    "-120": "120", "3:4": "4:3",
}  # fmt: skip


def _boxed(task: str = "box") -> Iterator[Edit]:
    for (solved, language), value in product(_SOLVED, _VALUES):
        before = solved.replace("V", value)
        box = rf"\boxed{{{value}}}"
        said = "The final answer is" if language == "en" else "最终答案为"
        for after in (
            solved.replace("V", box),
            solved.replace("$V$", f"$${box}$$"),
            f"{before} {said} ${box}$.",
            f"{before}\n\n${box}$",
        ):
            yield Edit(task, before, after, True, "fitted")
        other = _OTHER[value]
        for after in (
            solved.replace("V", rf"\boxed{{{other}}}"),
            f"{before} {said} $\\boxed{{{other}}}$.",
            solved.replace("V", box)
            .replace("4", "14")
            .replace("10", "20")
            .replace("13", "12"),
            solved.replace("V", box)
            .replace("So ", "")
            .replace("hence", "but")
            .replace("解：", "")
            .replace("因为", "")
            .replace("Therefore", "")
            .replace("因此", "可能"),
            solved.replace("V", box) + " <script>alert(1)</script>",
            solved.replace("V", r"\boxed{}"),
            before,
        ):
            yield Edit(task, before, after, False, "fitted")
