"""Copies of MATH-V's problems planted in manuals and sources: who finds which, how fast, how large.

    python bench/contamination.py [MEGABYTES] [SEED]

Beside `find_contamination` stand the rules of others as they are published, each in a process
of its own: 8 words in a row (open-r1, `scripts/decontaminate.py`), 13 words without punctuation
(lm-evaluation-harness, `Janitor`), and, where they are installed, 12 words by datatrove's own code
and decon (`pip install decontaminate`, Python 3.12), which here looks for questions alone. A
document is flagged with every problem that it shares such words with. Documents that hold no copy
are clean.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import string
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from benchwright import find_contamination
from benchwright.base.terminal import table
from shared_data import needed

EACH = 60  # copies of a kind
TEXTS = ("/usr/share/doc", "/usr/share/man", sysconfig.get_paths()["stdlib"])
Rows = list[dict[str, Any]]


def main() -> None:
    if len(sys.argv) > 3:  # one finder, in its own process
        run(sys.argv[3], Path(sys.argv[4]))
        return
    megabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 20
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        truth, clean = planted(place, megabytes, rng)
        rows = [measured(name, place, truth, clean) for name in FINDERS]
    kinds = sorted(set(truth.values()))
    print(f"{clean} clean documents, {EACH} copies of each kind")
    header = ["finder", "MB/s", "MB", *kinds, "clean documents flagged"]
    print(table([row for row in rows if row], header))


def planted(place: Path, megabytes: float, rng: random.Random) -> Any:
    """Writes both files; says the kind of each copy, and how many documents hold none."""
    problems = [
        json.loads(line) for line in needed("math-v/test.jsonl").open(encoding="utf-8")
    ]
    pool: Rows = []
    for row in problems:
        question = re.sub(r"\s*<image\d+>\s*", " ", row["question"]).strip()
        if len(question.split()) >= 15 and re.search(r"\d", question):
            pool.append(
                {"id": row["id"], "question": question, "answer": row["answer"]}
            )
    rng.shuffle(pool)
    documents = list(texts(megabytes * 1e6, rng))
    truth, at = {}, iter(rng.sample(range(len(documents)), len(documents)))
    latex = [row for row in pool if row["question"].count("$") >= 4]
    for kind, change in KINDS.items():
        some = latex if kind == "other LaTeX" else pool
        for _ in range(EACH):
            row = some.pop()
            number = next(at)
            truth[str(number), row["id"]] = kind
            text = documents[number]
            cut = text.find("\n", len(text) // 2)
            copy = change(row, rng)
            documents[number] = f"{text[:cut]}\n{copy}\n{text[cut:]}"
    pool = [row for row in problems if row["question"].strip()]
    write(
        place / "bench.jsonl",
        [{k: r[k] for k in ("id", "question", "answer")} for r in pool],
    )
    write(
        place / "corpus.jsonl",
        [{"id": str(k), "text": t} for k, t in enumerate(documents)],
    )
    return truth, len(documents) - len(truth)


def texts(most: float, rng: random.Random) -> Iterator[str]:
    files = sorted(
        file for top in TEXTS for file in Path(top).rglob("*") if file.is_file()
    )
    rng.shuffle(files)
    size = 0
    for file in files:
        data = (
            gzip.decompress(file.read_bytes())
            if file.suffix == ".gz"
            else file.read_bytes()
        )
        text = data[:200_000].decode("utf-8", "replace")
        if "\0" in text or text.count("\n") < 20:
            continue
        size += len(data[:200_000])
        yield text
        if size > most:
            return


def respelled(row: Any, _: random.Random) -> str:
    text = row["question"].replace("\\frac", "\\dfrac").replace("\\leq", "\\leqslant")
    parts = text.split("$")
    for k in range(1, len(parts), 2):
        parts[k] = "\\(" + re.sub(r"([=+<>])", r" \1 ", parts[k]) + "\\)"
    return "".join(parts)


def wrapped(row: Any, _: random.Random) -> str:
    return re.sub(r"(.{40,60}) ", r"\1\n   ", row["question"])


def edited(row: Any, rng: random.Random) -> str:
    words = row["question"].split()
    for _ in range(max(len(words) // 12, 1)):
        words[rng.randrange(len(words))] = rng.choice(["the", "given", "some", "each"])
    return " ".join(words)


def renumbered(row: Any, rng: random.Random) -> str:
    return re.sub(
        r"\d{1,5}", lambda m: str(int(m[0]) + rng.randint(1, 7)), row["question"]
    )


KINDS: dict[str, Callable[[Any, random.Random], str]] = {
    "exact": lambda row, _: row["question"],
    "with answer": lambda row, _: f"{row['question']}\nAnswer: {row['answer']}",
    "other LaTeX": respelled,
    "wrapped": wrapped,
    "edited": edited,
    "numbers changed": renumbered,
}


def write(path: Path, rows: Rows) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def measured(
    name: str, place: Path, truth: dict[Any, str], clean: int
) -> list[Any] | None:
    command = [sys.executable, __file__, "0", "0", name, str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{name}: {done.stderr.strip().splitlines()[-1]}")
        return None
    seconds, memory, *hits = map(json.loads, done.stdout.splitlines())
    found = {tuple(hit) for hit in hits}
    by_kind = Counter(kind for pair, kind in truth.items() if pair in found)
    with_copies = {document for document, _ in truth}
    flagged = {document for document, _ in found} - with_copies
    size = (place / "corpus.jsonl").stat().st_size / 1e6
    shares = [f"{by_kind[kind] / EACH:.2f}" for kind in sorted(set(truth.values()))]
    return [name, f"{size / seconds:.1f}", str(memory), *shares, str(len(flagged))]


def run(name: str, place: Path) -> None:
    """Prints CPU seconds, megabytes, and a line for each document and problem."""
    bench, corpus = place / "bench.jsonl", place / "corpus.jsonl"
    before = time.process_time()
    hits = set(FINDERS[name](bench, corpus))
    print(round(time.process_time() - before, 3))
    status = Path("/proc/self/status").read_text("utf-8")
    print(int(re.search(r"VmHWM:\s+(\d+)", status)[1]) // 1024)  # type: ignore[index]
    for hit in sorted(hits):
        print(json.dumps(hit))


def ours(bench: Path, corpus: Path) -> Iterator[tuple[str, str]]:
    for row in find_contamination(bench, [corpus]):
        yield row.b, row.a


def by_words(size: int, kept: Callable[[str], str]) -> Callable[[Path, Path], Any]:
    """Documents and problems that share so many words in a row."""

    def grams(text: str) -> Iterator[str]:
        words = kept(text.lower()).split()
        return (" ".join(words[k : k + size]) for k in range(len(words) - size + 1))

    return partial(_in_common, grams)


def _in_common(
    grams: Callable[[str], Iterable[str]], bench: Path, corpus: Path
) -> Iterator[tuple[str, str]]:
    """Documents and problems that have a gram in common."""
    yield from _in_common(grams, bench, corpus)


def datatrove(bench: Path, corpus: Path) -> Iterator[tuple[str, str]]:
    """Its own normalisation, tokens and n-grams; it says a task, here the problem."""
    from datatrove.pipeline.decont.n_grams import (
        NGramsDecontConfig,
        ngrams,
        simplify_text,
    )
    from datatrove.utils.word_tokenizers import load_word_tokenizer

    config, tokenizer = NGramsDecontConfig(), load_word_tokenizer("en")

    def grams(text: str) -> Iterator[str]:
        tokens = tokenizer.word_tokenize(simplify_text(text, config.norm_config))
        return map(" ".join, ngrams(tokens, config.n_grams))

    yield from _in_common(grams, bench, corpus)


def decon(bench: Path, corpus: Path) -> Iterator[tuple[str, str]]:
    """Its own command, with its own thresholds; it reads folders and writes reports."""
    from decon import Config, detect

    problems = [json.loads(line) for line in bench.open(encoding="utf-8")]
    documents = [json.loads(line)["id"] for line in corpus.open(encoding="utf-8")]
    place = Path(tempfile.mkdtemp(dir=corpus.parent))
    for name in ("texts", "evals"):
        (place / name).mkdir()
    (place / "texts" / "corpus.jsonl").symlink_to(corpus)
    evals = [
        {"eval_key": "bench", "split": "test", "eval_instance_index": k}
        | {"index": k, "doc_id": k + 1, "question": row["question"]}
        | {"answer": row.get("answer", "")}
        for k, row in enumerate(problems)
    ]
    write(place / "evals" / "bench.jsonl", evals)
    folders = [str(place / name) for name in ("texts", "evals", "reports")]
    config = Config(
        *folders, worker_threads=1, index_answers=False, index_passages=False
    )
    out = os.dup(1)
    os.dup2(2, 1)  # it prints tables
    detect(config)
    os.dup2(out, 1)
    for report in (place / "reports").glob("*.jsonl"):
        for row in map(json.loads, report.open(encoding="utf-8")):
            problem = problems[row["eval_instance_index"]]
            yield documents[row["training_line"]], problem["id"]


_no_marks = str.maketrans("", "", string.punctuation)
FINDERS: dict[str, Callable[[Path, Path], Any]] = {
    "benchwright": ours,
    "8 words (open-r1)": by_words(8, str.strip),
    "13 words (lm-evaluation-harness)": by_words(
        13, lambda text: text.translate(_no_marks)
    ),
    "12 words (datatrove)": datatrove,
    "decon": decon,
}


if __name__ == "__main__":
    main()
