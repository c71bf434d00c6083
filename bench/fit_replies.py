"""Fit the weights of what speaks for a candidate of a reply (`grading/extraction/weights.toml`).

    python bench/fit_replies.py FOLDER [FOLDER ...] [--dry]

Each folder holds labelled replies, *.jsonl: `id`, `response`, `gold`, `kind`, `equal` (does the
reply's answer equal the gold), `options`?, `unit`?, `tolerance`?, `refused`? (it gives no answer),
`question`?, `note`? ("own question has X": the gold was exchanged).
Rows whose sha256(id) is divisible by three are not fitted on; the table shows both parts.
`--dry` writes nothing. What was fitted on is written beside the weights, as rows by folder. Of one
reply equal answers are graded once, and only the last candidates count.

The model: of the candidates of a reply, and of "no answer" with the weight 0, one is the answer
with the probability softmax(sum of weights). Fitted is the probability of those that grading calls
right (of the others, where the label says that the reply is wrong), held near what is certain
before any reply is read (`CERTAIN`). Everything is deterministic.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from benchwright.grading.equivalence import infer_kind, inline_answer
from benchwright.grading.extraction import visible
from benchwright.grading.extraction.candidates import TABLE, Candidate
from benchwright.grading.extraction.final_answer import by_value, cut
from benchwright.grading.extraction.letters import NONE, Choice, says
from benchwright.grading.extraction.letters import letters as letters_of
from benchwright.grading.extraction.page import SCANNED, Page
from benchwright.grading.extraction.values import values as values_of
from benchwright.grading.verdicts.grade import LABELS, grade

# What declares counts, most where nothing else can be meant; what denies or asks counts against.
CERTAIN = {
    "boxed": 6, "tag": 6, "field": 6, "hash": 5, "one by one": 4, "refuses": 3.5, "answer": 3,
    "choose": 3, "correction": 3, "counted": 3, "is the answer": 2, "is right": 2, "listed": 2,
    "bracketed": 2, "own text follows": 2, "label": 1.5, "result": 1, "only text": 1,
    "opens the reply": 1, "ends the reply": 1, "text": -0.5, "asked": -1, "reason": -1,
    "condition": -1, "supposed": -1, "beside figures": -1.5, "in a list": -1.5, "several": -1.5,
    "beside letters": -1.5, "aside": -2, "used, behind a preposition": -2,
    "later": -2, "overtaken": -2, "overtaken, declared": -3,
    "no value": -3, "denied": -8, "breaks off": -4, 
    "a new number": 0.5, "counts what is asked": 0.6, "a number of the question": -1.2,
    "in a refusal": -3, "restated": -7, "compared": -6, "goes on": -8,
}  # fmt: skip
NEAR = 0.002  # how strongly weights are held near what is certain
STEPS, RATE = 600, 0.15
CANDIDATES = 60  # of one reply, from its end
SMALLEST = 0.05  # weights that are written


class Row(NamedTuple):
    """A reply's candidates with which of them are right; `wanted`: right ones are to come first."""

    name: str
    held: bool
    wanted: bool
    found: list[tuple[dict[str, float], bool]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--dry", action="store_true")
    args = parser.parse_args()
    paths = [path for folder in args.folders for path in sorted(folder.glob("*.jsonl"))]
    rows = [row for path in paths for row in read(path)]
    weights = fitted([row for row in rows if not row.held])
    report(rows, weights)
    if not args.dry:
        write(weights, counted(paths))


def counted(paths: list[Path]) -> dict[str, int]:
    """How many replies each folder holds."""
    rows: dict[str, int] = defaultdict(int)
    for path in paths:
        rows[path.parent.name] += len(path.read_text(encoding="utf-8").splitlines())
    return rows


def read(path: Path) -> Iterator[Row]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        own = re.search(r"own question has (.*)$", row.get("note") or "")
        gold, equal = (
            (own[1], True) if own and not row["equal"] else (row["gold"], row["equal"])
        )
        text = visible(row["response"]).text.strip()[-SCANNED:]
        choice = row["kind"] in ("choice", "choices")
        judged = letters(text, row) if choice else values(Page(text), row, gold)
        refused = bool(row.get("refused"))
        found = [
            (c.measured | {"any": 1.0}, c.rule == "declined" if refused else right)
            for c, right in judged
        ]
        held = int(hashlib.sha256(row["id"].encode()).hexdigest(), 16) % 3 == 0
        yield Row(
            path.stem + (", letters" if choice else ""), held, equal or refused, found
        )


def values(page: Page, row: dict, gold: str) -> list[tuple[Candidate, bool]]:
    declared = None if row["kind"] == "expression" else row["kind"]
    kind = declared or infer_kind(inline_answer(gold))

    @cache
    def equal(answer: str) -> bool:
        verdict = grade(
            answer, gold, kind=declared,
            unit=row.get("unit"), tolerance=row.get("tolerance"),
        )  # fmt: skip
        return bool(verdict.equal)

    def right(candidate: Candidate) -> bool:
        return candidate.rule != "declined" and equal(cut(candidate, kind))

    found = values_of(
        page, kind, whole=True, golds=[gold], question=row.get("question")
    )
    return [(candidate, right(candidate)) for candidate in found[-CANDIDATES:]]


def letters(text: str, row: dict) -> list[tuple[Candidate, bool]]:
    options = row.get("options") or []
    labels = [option["label"] for option in options] or list(LABELS)
    texts = [option["text"] for option in options] or [""] * len(labels)
    choice = Choice(tuple(labels), tuple(texts))
    page = Page(text, says(choice.labels))
    found = letters_of(page, choice, several=row["kind"] == "choices", whole=True)
    found += by_value(page, choice, beside=True) if any(texts) else []
    gold = set(re.findall("[A-Z]", row["gold"].upper()))

    def right(candidate: Candidate) -> bool:
        chosen = (
            candidate.answer not in ("", NONE) and "either" not in candidate.features
        )
        return chosen and set(candidate.answer.split(",")) == gold

    return [(candidate, right(candidate)) for candidate in found]


def fitted(rows: list[Row]) -> dict[str, float]:
    """The weights that make the right candidates likely: gradient descent (Adam) from CERTAIN."""
    seen = {name for row in rows for features, _ in row.found for name in features}
    names = sorted(seen.union(CERTAIN))
    place = {name: k for k, name in enumerate(names)}
    tables, marks, sizes = [], [], []
    for row in rows:
        right = np.array([*(right for _, right in row.found), False])
        if not right.any():
            continue
        table = np.zeros((len(right), len(names)))
        for k, (features, _) in enumerate(row.found):
            for name, amount in features.items():
                table[k, place[name]] = amount
        tables.append(table)
        marks.append(right if row.wanted else ~right)
        sizes.append(len(right))
    every, mark = np.concatenate(tables), np.concatenate(marks)
    starts, reply = (
        np.r_[0, np.cumsum(sizes)[:-1]],
        np.repeat(np.arange(len(sizes)), sizes),
    )
    certain = np.array([CERTAIN.get(name, 0.0) for name in names])
    weights, mean, square = certain.copy(), np.zeros(len(names)), np.zeros(len(names))
    for step in range(1, STEPS + 1):
        scores = every @ weights
        likely = np.exp(scores - np.maximum.reduceat(scores, starts)[reply])
        likely /= np.add.reduceat(likely, starts)[reply]
        among = np.where(mark, likely, 0.0)
        among /= np.maximum(np.add.reduceat(among, starts), 1e-12)[reply]
        slope = every.T @ (likely - among) / len(sizes) + NEAR * (weights - certain)
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights -= (
            RATE
            * (mean / (1 - 0.9**step))
            / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        )
    return dict(zip(names, weights.round(2).tolist(), strict=True))


def report(rows: list[Row], weights: dict[str, float]) -> None:
    """How often a right candidate comes first where one is wanted, and none where none is."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for row in rows:
        best, top = False, 0.0
        for features, right in row.found:
            score = sum(
                weights.get(name, 0.0) * amount for name, amount in features.items()
            )
            if score >= top:
                best, top = right, score
        counts[row.name][2 * row.held] += 1
        counts[row.name][2 * row.held + 1] += best == row.wanted
    print(f"{'':30}{'fitted':>14}{'held out':>14}")
    for name, (n, good, held, held_good) in counts.items():
        shares = [
            f"{100 * a / b:.1f} % {b:5}" if b else ""
            for a, b in ((good, n), (held_good, held))
        ]
        print(f"{name:30}{shares[0]:>14}{shares[1]:>14}")


def write(weights: dict[str, float], rows: dict[str, int]) -> None:
    """The file again with other weights; what its head says stays."""
    head = TABLE.read_text(encoding="utf-8").split("[fitted]")[0]
    fitted_on = [f'"{folder}" = {count}' for folder, count in sorted(rows.items())]
    lines = [
        f'"{name}" = {weight}'
        for name, weight in sorted(
            weights.items(), key=lambda item: (-item[1], item[0])
        )
        if abs(weight) >= SMALLEST or name == "any"
    ]
    text = "\n".join(
        ["[fitted]  # replies by folder", *fitted_on, "", "[weights]", *lines]
    )
    TABLE.write_text(f"{head}{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
