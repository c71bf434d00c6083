"""Generate a dump of any size with pictures of its own: every other row is a problem of MATH-V.

    python bench/problem_corpus.py 10000 FOLDER

Questions of MATH-V have their numbers redrawn; the other half are those of `question_corpus` with
an answer. Every second row has a drawing that no other row has. The same size gives the same bytes.
"""

from __future__ import annotations

import json
import random
import re
import sys
from pathlib import Path

from question_corpus import corpus, renumbered
from shared_data import needed

MARK = re.compile(r"\s*<image\d+>")
RECIPE = """\
name: corpus
version: 1.0.0
seed: 7
benchmark: math-v
sources:
  - {name: rows, reader: math-v, path: rows.jsonl, images: ., license: MIT}
stages: [latex, check, gold, dedup]
splits: {testmini: {size: 0.1, by: [subject]}, test: rest}
exports: [vlmevalkit, lmms-eval]
"""


def write_corpus(folder: Path, count: int) -> None:
    """`rows.jsonl`, `images/` and a whole recipe."""
    rng = random.Random(7)
    with needed("math-v/test.jsonl").open(encoding="utf-8") as file:
        known = [json.loads(line) for line in file]
    (folder / "images").mkdir(parents=True, exist_ok=True)
    fresh = corpus(count)
    with (folder / "rows.jsonl").open("w", encoding="utf-8") as rows:
        for k in range(count):
            row = dict(rng.choice(known), id=str(k), image="")
            if k % 2:
                row["image"] = f"images/{k}.png"
                (folder / row["image"]).write_bytes(drawing(rng))
                text = renumbered(MARK.sub("", row["question"]), rng)
                row["question"] = f"{text}\n<image1>"
            else:
                row |= {
                    "question": MARK.sub("", next(fresh)["question"]),
                    "options": [],
                }
                row |= {"solution": None, "answer": str(rng.randint(2, 999))}
            rows.write(json.dumps(row, ensure_ascii=False) + "\n")
    (folder / "recipe.yaml").write_text(RECIPE, "utf-8")


def drawing(rng: random.Random) -> bytes:
    """A few lines in a frame of its own, as PNG."""
    import io

    from PIL import Image, ImageDraw

    size = rng.randint(240, 400), rng.randint(180, 300)
    picture = Image.new("L", size, 255)
    pen = ImageDraw.Draw(picture)
    for _ in range(rng.randint(4, 12)):
        (a, b), (c, d) = (
            sorted(rng.randrange(length) for _ in "ab") for length in size
        )
        rng.choice([pen.line, pen.rectangle, pen.ellipse])((a, c, b, d), width=2)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


if __name__ == "__main__":
    write_corpus(Path(sys.argv[2]), int(sys.argv[1]))
