"""Generate a corpus of questions of any size with known near-duplicates.

    python bench/question_corpus.py 10000 > corpus.jsonl

Sentences of real questions (numbers replaced by slots) are recombined and their numbers redrawn;
about a seventh of the rows are then derived from earlier ones in the ways that real benchmarks
show: edited, respelled, options shuffled, other numbers, template families, exact copies. Each row
says its `kind` and what it is derived `of`. The same size and seed give the same bytes.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Callable, Iterator

from shared_data import beside, needed

SENTENCE_END = re.compile(r"(?<=[.?!])\s+|\n")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def questions() -> list[str]:
    """The questions of MATH-V, and of We-Math and MathVerse where they are there."""
    texts = []
    with needed("math-v/test.jsonl").open(encoding="utf-8") as file:
        texts += [json.loads(line)["question"] for line in file]
    for name in ("we-math/testmini.json", "mathverse/testmini_text_only.json"):
        if path := beside(name):
            texts += [row["question"] for row in json.loads(path.read_bytes())]
    return texts


def sentences(texts: list[str]) -> list[str]:
    """Distinct sentences of 12 to 300 characters with `#` for every number, in stable order."""
    parts = (
        re.sub(r"\d+", "#", p.strip()) for t in texts for p in SENTENCE_END.split(t)
    )
    return list(dict.fromkeys(p for p in parts if 12 <= len(p) <= 300))


def with_numbers(template: str, rng: random.Random) -> str:
    return re.sub("#", lambda _: str(rng.randint(2, 99)), template)


def fresh(pool: list[str], rng: random.Random) -> str:
    """A template of some sentences, about 40 to 700 characters long; often with options."""
    target = min(700.0, rng.lognormvariate(5.3, 0.5))
    parts: list[str] = []
    while sum(map(len, parts)) < target:
        parts.append(rng.choice(pool))
    if rng.random() < 0.3:
        parts.append("Choices: (A) # (B) # (C) # (D) #")
    return " ".join(parts)


def edited(text: str, rng: random.Random) -> str:
    """Single-character edits down to a similarity between 0.80 and 0.99."""
    letters = list(text)
    for _ in range(max(1, round(len(text) * rng.uniform(0.01, 0.20)))):
        at = rng.randrange(len(letters))
        letters[at : at + rng.randint(0, 1)] = rng.choice(LETTERS) * rng.randint(0, 1)
    return "".join(letters) or text


def swapped(text: str, rng: random.Random) -> str:
    words = text.split(" ")
    for _ in range(rng.randint(1, 3)):
        a, b = rng.randrange(len(words)), rng.randrange(len(words))
        words[a], words[b] = words[b], words[a]
    return " ".join(words)


def renumbered(text: str, rng: random.Random) -> str:
    return with_numbers(re.sub(r"\d+", "#", text), rng)


def shuffled(text: str, rng: random.Random) -> str:
    """The values behind (A) (B) ... in another order."""
    parts = re.split(r"(\([A-E]\) )", text)
    values = parts[2::2]
    rng.shuffle(values)
    parts[2::2] = values
    return "".join(parts)


def respelled(text: str, rng: random.Random) -> str:
    pairs = [
        ("\\frac", "\\dfrac"),
        ("\\leq", "\\leqslant"),
        ("$", ""),
        (" = ", "="),
        (", ", " , "),
    ]
    for old, new in pairs:
        text = text.replace(old, new)
    return text + " "


CHANGES: dict[str, tuple[float, Callable[[str, random.Random], str]]] = {
    "edited": (0.039, edited),
    "swapped": (0.011, swapped),
    "numbers": (0.025, renumbered),
    "options shuffled": (0.012, shuffled),
    "respelled": (0.012, respelled),
    "exact": (0.022, lambda text, rng: text),
    "family": (0.037, renumbered),
}


def corpus(
    size: int, seed: int = 7, pool: list[str] | None = None
) -> Iterator[dict[str, str]]:
    """Rows {"id", "question", "kind", "of"}; `of` is "" for fresh questions."""
    rng = random.Random(seed)
    pool = sentences(questions()) if pool is None else pool
    frequent = [
        fresh(pool, rng) for _ in range(max(5, size // 2000))
    ]  # about 40 rows each
    kept: list[tuple[str, str]] = []  # fresh questions, at most 5,000, to derive from
    heads: list[tuple[str, str]] = []  # heads of template families
    kinds = list(CHANGES)
    weights = [share for share, _ in CHANGES.values()]
    for number in range(size):
        name = f"q{number}"
        if len(kept) > 20 and rng.random() < sum(weights):
            kind = rng.choices(kinds, weights)[0]
            of, text = rng.choice(heads[-40:] if kind == "family" else kept)
            text = CHANGES[kind][1](text, rng)
        else:
            often = rng.random() < 0.02
            text = with_numbers(
                rng.choice(frequent) if often else fresh(pool, rng), rng
            )
            kind, of = ("frequent" if often else "fresh"), ""
            if len(kept) < 5000:
                kept.append((name, text))
            else:
                kept[rng.randrange(5000)] = (name, text)
            if rng.random() < 0.002 or not heads:
                heads.append((name, text))
        yield {"id": name, "question": text, "kind": kind, "of": of}


if __name__ == "__main__":
    for row in corpus(int(sys.argv[1])):
        print(json.dumps(row, ensure_ascii=False))
