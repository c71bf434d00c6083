"""Pages, text versions and formulas: speed and shares on real data, beside Matplotlib's own way.

Reads ../shared/data (mathverse/six-versions, math-v, we-math); skips what is not there.
`python bench/run.py pages` takes about two minutes; times are CPU seconds of one core.
"""

from __future__ import annotations

import io
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchwright.errors import UserError
from benchwright.latex.delimiters import maths_spans
from benchwright.latex.typeset.formula import math_box
from benchwright.latex.typeset.outlines import RefusedError
from benchwright.problem import Option, Problem, Source, Span
from benchwright.render.page.page import set_page
from benchwright.render.versions.propose_spans import propose
from benchwright.render.versions.recover_spans import recover
from benchwright.render.versions.role_text import texts_of
from benchwright.render.versions.six_versions import six_samples
from PIL import Image as Pillow
from shared_data import ROOT, needed

CUT = {
    "text_lite": "Text Lite",
    "vision_intensive": "Vision Intensive",
    "vision_dominant": "Vision Dominant",
}


def main() -> None:
    six = needed("mathverse/six-versions/problems.jsonl")
    problems = [json.loads(line) for line in six.open(encoding="utf-8")]
    mathv = needed("math-v/test.jsonl")
    questions = [json.loads(line) for line in mathv.open(encoding="utf-8")]
    texts(problems)
    roles(problems)
    formulas(questions)
    speed(problems, questions)
    whole_set(200)  # `whole_set()` for all 2,612


def texts(problems: list[dict[str, Any]]) -> None:
    """How often spans give the authors' texts, and how far proposed spans are from theirs."""
    rows = []
    for version in CUT:
        counts = Counter[str]()
        for row in problems:
            full = row["versions"]["Text Dominant"]["question"]
            written = {v: row["versions"][n]["question"] for v, n in CUT.items()}
            spans = recover(full, *written.values())
            expected = written[version].split()
            counts["recovered"] += texts_of(full, spans)[version].split() == expected
            plain = [s for s in spans if not s.alt]
            counts["no alt"] += texts_of(full, plain)[version].split() == expected
            for values in ("EC", "DI"):
                made = texts_of(full, propose(full, values))[version]
                counts[f"proposed, values {values}"] += made.split() == expected
                same, made_words, written_words = _overlap(made, written[version])
                counts[f"same {values}"] += same
                counts[f"both {values}"] += made_words + written_words
            same, made_words, written_words = _overlap(full, written[version])
            counts["same"] += same
            counts["both"] += made_words + written_words
        rows.append((version, counts))
    print(
        f"texts of {len(problems)} real problems equal to the authors' (white space aside)"
    )
    for version, c in rows:
        print(
            f"  {version:17} recovered {c['recovered'] / len(problems):6.1%}"
            f"   deletions only {c['no alt'] / len(problems):6.1%}"
            f"   proposed {c['proposed, values EC'] / len(problems):6.1%}"
            f" (values shown: {c['proposed, values DI'] / len(problems):6.1%})"
            f"   word F1 {2 * c['same EC'] / c['both EC']:.3f}"
            f" ({2 * c['same DI'] / c['both DI']:.3f}; nothing cut {2 * c['same'] / c['both']:.3f})"
        )


def roles(problems: list[dict[str, Any]]) -> None:
    """Precision and recall of proposed spans by role, in characters that are no white space."""
    for role in ("DI", "IP", "EC"):
        shares = []
        for values in ("EC", "DI"):
            both = proposed = recovered = 0
            for row in problems:
                full = row["versions"]["Text Dominant"]["question"]
                spans = recover(
                    full, *(row["versions"][n]["question"] for n in CUT.values())
                )
                a, b = (_covered(full, s, role) for s in (propose(full, values), spans))
                both += len(a & b)
                proposed += len(a)
                recovered += len(b)
            shares.append(
                f"{both / max(proposed, 1):.2f} {both / max(recovered, 1):.2f}"
            )
        print(
            f"  {role} proposed: precision and recall {shares[0]}; values shown {shares[1]}"
        )


def _covered(text: str, spans: list[Span], role: str) -> set[int]:
    places = {k for s in spans if s.role == role for k in range(s.start, s.end)}
    return {k for k in places if not text[k].isspace()}


def _overlap(made: str, written: str) -> tuple[int, int, int]:
    a, b = (
        Counter(re.findall(r"\$[^$]*\$|\w+|[^\w\s]", t.lower()))
        for t in (made, written)
    )
    return sum((a & b).values()), sum(a.values()), sum(b.values())


def formulas(questions: list[dict[str, Any]]) -> None:
    """Distinct formulas that are set, and the rest."""
    distinct: set[str] = set()
    for text in _texts(questions):
        distinct |= {span.tex for span in maths_spans(text)}
    refused: list[tuple[str, str]] = []
    started = time.process_time()
    for source in sorted(distinct):
        try:
            math_box(source)
        except RefusedError as why:
            refused.append((source, str(why)))
    spent = time.process_time() - started
    share = 1 - len(refused) / len(distinct)
    print(f"{len(distinct)} distinct formulas: {share:.3%} set, "
          f"{1000 * spent / len(distinct):.1f} ms each; refused:")  # fmt: skip
    for source, why in refused:
        print(f"  {source[:70]}  {why[:90]}")


def _texts(questions: list[dict[str, Any]]) -> Iterator[str]:
    for row in questions:
        yield row["question"]
        yield from row["options"]
    for row in json.loads(
        needed("mathverse/testmini_text_only.json").read_text("utf-8")
    ):
        yield row["question"]
    for row in json.loads(needed("we-math/testmini.json").read_text("utf-8")):
        yield row["question"]
        yield row["option"]


def speed(
    problems: list[dict[str, Any]], questions: list[dict[str, Any]], count: int = 150
) -> None:
    """Pages a second: MathVerse's vision-only problems, MATH-V's, and pyplot for comparison."""
    folder = needed("mathverse/six-versions")
    real = []
    for row in problems:
        dominant = row["versions"]["Vision Dominant"]
        options = [Option(label=c[0], text=c[2:]) for c in dominant["choices"] or []]
        real.append((dominant["question"], options, folder / dominant["image"]))
    mathv = [
        (q["question"], [Option(label=chr(65 + k), text=t) for k, t in enumerate(q["options"])],
         needed(f"math-v/{q['image']}"))
        for q in questions[:: len(questions) // count]
    ]  # fmt: skip
    set_page("Warm up $x$.")
    for name, rows in (("MathVerse", real), ("MATH-V", mathv)):
        own_rate = _rate(rows, lambda q, o, p: set_page(q, o, [p]).png())
        pyplot_rate = _rate(rows[:30], _pyplot)
        print(
            f"{name}: {own_rate:.1f} pages/s at 1,200 px "
            f"(pyplot {pyplot_rate:.1f}/s, {own_rate / pyplot_rate:.1f} x)"
        )


def _rate(rows: list[tuple[str, list[Option], Path]], draw: Any) -> float:
    started = time.process_time()
    for question, options, path in rows:
        draw(question, options, Pillow.open(path))
    return len(rows) / (time.process_time() - started)


def _pyplot(question: str, options: list[Option], picture: Any) -> bytes:
    """The usual way: imshow, a title above, savefig with a tight box."""
    import textwrap

    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(4, 4))
    pyplot.imshow(picture.convert("RGB"))
    pyplot.axis("off")
    words = question + " " + " ".join(f"{o.label}: {o.text}" for o in options)
    pyplot.title(
        "\n".join(textwrap.wrap(words.replace("$", r"\$"), 48)), fontsize=8, loc="left"
    )
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=300, bbox_inches="tight")
    pyplot.close(figure)
    return buffer.getvalue()


def whole_set(count: int = 2612) -> None:
    """Six versions of as many problems as MathVerse has: MATH-V's texts, generated diagrams."""
    import yaml
    from diagram_specs import generated

    questions = [
        json.loads(line) for line in needed("math-v/test.jsonl").open(encoding="utf-8")
    ]
    paths = sorted((ROOT / "examples/diagrams").glob("*.yaml"))
    examples = [t for t in (p.read_text() for p in paths) if "background:" not in t]
    drawn = [yaml.safe_dump(spec, sort_keys=False) for spec in generated(count // 2)]
    with tempfile.TemporaryDirectory() as work:
        started = time.process_time()
        samples = dropped = 0
        for k, row in enumerate(questions[:count]):
            text = re.sub(r"<image\d+>", "", row["question"])
            problem = Problem(
                id=f"g-{k}", origin=f"g-{k}", source=Source(name="g", raw_id=str(k)),
                question=text, spans=propose(text),
                diagram=drawn[k // 2 % len(drawn)] if k % 2 else examples[k // 2 % len(examples)],
                options=[Option(label=chr(65 + i), text=t) for i, t in enumerate(row["options"])],
            )  # fmt: skip
            try:
                samples += len(six_samples(problem, Path(work))[0])
            except UserError as error:
                dropped += 1
                print(f"  {k}: {str(error)[:120]}")
        spent = time.process_time() - started
    print(f"{k + 1} problems, {samples} samples ({dropped} dropped): {spent:.0f} CPU s, "
          f"{spent / (k + 1) * 1000:.0f} ms a problem")  # fmt: skip


if __name__ == "__main__":
    main()
