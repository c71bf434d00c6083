"""Round trips through KaTeX and Temml, and the peers pandoc and mathml-to-latex."""

from __future__ import annotations

import json
import subprocess
from random import Random
from typing import Any

import pytest
from benchwright.convert.mathml import Refusal, mathml_to_latex
from benchwright.latex import SYMBOLS
from mathml_shape import shape
from oracles import run_node
from real_data import RealData

ATOMS = [
    *"abcxyzABCnk0123456789", r"\alpha", r"\Delta", r"\pi", r"\infty", r"\triangle", r"\mathbb{R}",
    r"\mathbf{v}", r"\mathcal{F}", r"\text{if }", "10", r"\%", r"\varnothing", "x'", r"\angle",
]  # fmt: skip
BINARY = [
    "+",
    "-",
    "=",
    "<",
    ",",
    r"\times",
    r"\leq",
    r"\in",
    r"\cdot",
    r"\to",
    r"\cong",
    r"\perp",
]
FORMS = [
    r"\frac{%s}{%s}", r"{%s}^{%s}", r"{%s}_{%s}", r"\sqrt{%s+%s}", r"\sqrt[%s]{%s}",
    r"\left(%s,%s\right)", r"\left\{%s \mid %s\right\}", r"\sum_{%s}^{%s}", r"\int_{%s}^{%s}",
    r"\binom{%s}{%s}", r"\overline{%s %s}", r"\overrightarrow{%s %s}", r"|%s-%s|",
    r"\begin{pmatrix}%s&1\\0&%s\end{pmatrix}", r"\begin{cases}%s&a\\%s&b\end{cases}",
    r"\underbrace{%s}_{%s}", r"\lim_{%s\to %s}", r"\sin %s\log %s",
    r"\begin{aligned}%s&=1\\&=%s\end{aligned}",
    r"\left\lfloor %s\right\rfloor %s", r"\overset{%s}{=}%s", r"\boxed{%s}%s",
]  # fmt: skip


ACCENTS = [r"\hat{%s}", r"\vec{%s}", r"\dot{%s}", r"\bar{%s}", r"\tilde{%s}"]


def formula(random: Random, depth: int) -> str:
    """Random LaTeX of the kind found in school problems."""
    if depth == 0 or random.random() < 0.25:
        atom = random.choice(ATOMS)
        return random.choice(ACCENTS) % atom if random.random() < 0.1 else atom
    if random.random() < 0.35:
        return f"{formula(random, depth - 1)}{random.choice(BINARY)} {formula(random, depth - 1)}"
    return random.choice(FORMS) % (
        formula(random, depth - 1),
        formula(random, depth - 1),
    )


def rendered(latex: list[str], engine: str) -> list[dict[str, Any]]:
    records = [{"id": k, "latex": text} for k, text in enumerate(latex)]
    return run_node("render.mjs", records, engine)


def without_source(mathml: str) -> str:
    """MathML without its TeX annotation, so that the formula itself must be read."""
    start, end = mathml.find("<annotation"), mathml.rfind("</annotation>")
    return (
        mathml if start < 0 else mathml[:start] + mathml[end + len("</annotation>") :]
    )


@pytest.mark.parametrize("engine", ["katex", "temml"])
def test_latex_survives_the_way_to_mathml_and_back(engine: str) -> None:
    random = Random(20)
    latex = [formula(random, 3) for _ in range(1500)]
    first = [r for r in rendered(latex, engine) if "mathml" in r]
    assert len(first) > 1400
    back = [
        mathml_to_latex(without_source(r["mathml"].replace("&nbsp;", " ")))
        for r in first
    ]
    second = rendered(back, engine)
    wrong = []
    for before, text, after in zip(first, back, second, strict=True):
        kept = "mathml" in after and _shape(before["mathml"]) == _shape(after["mathml"])
        if not kept:
            wrong.append((latex[before["id"]], text, after.get("error")))
    assert not wrong, f"{len(wrong)} of {len(first)}: {wrong[:5]}"


def _shape(mathml: str) -> tuple[Any, ...]:
    return shape(without_source(mathml).replace("&nbsp;", "\u00a0"))


def test_every_symbol_compiles() -> None:
    latex = [f"x{command}" for command in SYMBOLS.values()]
    failed = {
        r["id"] for r in rendered(latex, "katex") if "error" in r
    } & {r["id"] for r in rendered(latex, "temml") if "error" in r}  # fmt: skip
    assert not [latex[k] for k in failed]


def test_symbols_render_as_themselves() -> None:
    """A character that KaTeX shows for our command is the one we read, or its usual twin."""
    single = {
        c: t for c, t in SYMBOLS.items() if t.startswith("\\") and t[1:].isalpha()
    }
    twins = 0
    for record in rendered(list(single.values()), "temml"):
        character = list(single)[record["id"]]
        got = _shape(record["mathml"]) if "mathml" in record else ()
        twins += got != shape(f"<math><mo>{character}</mo></math>")
    assert twins < 0.16 * len(single), f"{twins} of {len(single)} look different"


def kept(sources: list[str], latex: list[str | None]) -> int:
    """How many formulas keep their shape when a converter's LaTeX is rendered again."""
    again = rendered(
        [text if text is not None else r"\undefined" for text in latex], "katex"
    )
    return sum(
        "mathml" in r and _shape(r["mathml"]) == _shape(source)
        for r, source in zip(again, sources, strict=True)
    )


@pytest.fixture(scope="module")
def sources() -> list[str]:
    """MathML of random formulas, without their TeX."""
    random = Random(21)
    records = rendered([formula(random, 3) for _ in range(400)], "katex")
    return [without_source(r["mathml"]) for r in records if "mathml" in r]


def test_more_formulas_are_kept_than_by_mathml_to_latex(sources: list[str]) -> None:
    records = [{"id": k, "mathml": m} for k, m in enumerate(sources)]
    peer_latex = [r.get("latex") for r in run_node("mathml_to_latex.cjs", records)]
    assert kept(sources, [mathml_to_latex(m) for m in sources]) > kept(
        sources, peer_latex
    )


def test_more_formulas_are_kept_than_by_pandoc(sources: list[str]) -> None:
    pypandoc = pytest.importorskip(
        "pypandoc", reason="pypandoc_binary is not installed"
    )
    page = "".join(f"<div><p>{m}</p></div>" for m in sources)
    run = subprocess.run(
        [pypandoc.get_pandoc_path(), "-f", "html", "-t", "json"],
        input=page.encode(), capture_output=True, check=True,
    )  # fmt: skip
    blocks = json.loads(run.stdout)["blocks"]
    peer_latex = [next(iter(_maths(block)), None) for block in blocks]
    assert len(peer_latex) == len(sources)
    assert kept(sources, [mathml_to_latex(m) for m in sources]) > kept(
        sources, peer_latex
    )


def _maths(value: Any) -> list[str]:
    """The formulas of a piece of pandoc's JSON."""
    if isinstance(value, dict):
        if value.get("t") == "Math":
            return [value["c"][1]]
        return [m for v in value.values() for m in _maths(v)]
    return [m for v in value for m in _maths(v)] if isinstance(value, list) else []


def test_real_formulas_convert_and_compile(data: RealData) -> None:
    """Public formulas: at least 99 % convert, and the school ones all compile in KaTeX."""
    texts, total, school = 0, 0, []
    for path in sorted(data.whole("mathml").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            total += 1
            try:
                latex = mathml_to_latex(json.loads(line)["mathml"])
            except Refusal:
                continue
            texts += 1
            if path.name.startswith("k12"):
                school.append(latex)
    assert texts >= 0.99 * total
    assert not [r for r in rendered(school, "katex") if "error" in r]
