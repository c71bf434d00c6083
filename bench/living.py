"""Living problems: agreement of 10,000 variants, planted mistakes that pass, CPU a variant.

    python bench/living.py [VARIANTS] [MISTAKES]     of 40 seeds, and of each kind

A mistake is refused, told to people (in words that no guard reads) or passes in silence; those that
pass are printed, for some are none: a label at the other of two equal sides says what is so.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests/living"))
SEEDS = sorted((ROOT / "examples/living/seeds").glob("*.yaml"))


def agreement(count: int) -> None:
    """Variants of all seeds, drawn, and some with their six versions."""
    from benchwright.living import read_seed, variants_of
    from benchwright.problem import Source
    from benchwright.render.versions import six_samples

    start, made, found = time.process_time(), 0, Counter[str]()
    each, versions, of_six = -(-count // len(SEEDS)), 0.0, 0
    source = Source(name="seed", raw_id="1")
    with tempfile.TemporaryDirectory() as work:
        for path in SEEDS:
            seed = read_seed(path)
            variants = variants_of(seed, each, 20260101)
            made += len({variant.id for variant in variants})
            found.update(
                str(i) for v in variants if v.drawing for i in v.drawing.issues
            )
            begun = time.process_time()
            for variant in variants[:5] if variants[0].spans else ():
                problem = variant.problem(seed, source, "new")
                if problem.placement and not problem.images:
                    six_samples(problem, Path(work))
                    of_six += 1
            versions += time.process_time() - begun
    alone = (time.process_time() - start - versions) / made
    print(
        f"{made:,} variants of {len(SEEDS)} seeds agree; issues of drawings: {dict(found) or 0}"
    )
    print(
        f"{1000 * alone:.0f} ms CPU a variant, {1000 * versions / of_six:.0f} for six versions"
    )


def mistakes_found(count: int) -> None:
    """Six kinds of mistakes, planted by a program that knows no guard."""
    from benchwright.errors import UserError
    from benchwright.living import read_seed, variants_of
    from benchwright.living.agreement import is_proved
    from benchwright.living.notes import notes_of
    from mutations import KINDS, mistakes

    print("| mistake | refused | told | silent |\n|---|---|---|---|")
    silent = []
    with tempfile.TemporaryDirectory() as temporary:
        for kind in KINDS:
            ends = Counter[str]()
            for what, text in islice(mistakes(SEEDS, kind, 34), count):
                path = Path(temporary) / f"{what.partition(':')[0]}.yaml"
                path.write_text(text, "utf-8")
                try:
                    seed = read_seed(path)
                    told = notes_of(seed, variants_of(seed, 20, 1, drawn=False)[0])
                    end = "told" if told or not is_proved(seed) else "silent"
                except UserError:
                    end = "refused"
                ends[end] += 1
                silent += [f"{kind}: {what}"] if end == "silent" else []
            print(
                f"| {kind} | {ends['refused']} | {ends['told']} | {ends['silent']} |",
                flush=True,
            )
    print("\n".join(silent))


def main() -> None:
    count, mistakes = (int(word) for word in [*sys.argv[1:], "10000", "100"][:2])
    agreement(count)
    mistakes_found(mistakes)


if __name__ == "__main__":
    main()
