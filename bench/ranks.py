"""What ranks give: CPU s of each rank's share and of the last one's merging, beside one process.

    python bench/ranks.py                2,000 problems in 4 ranks
    python bench/ranks.py 20000 20       other sizes

Ranks run one after another, each in a process of its own, so that none measures another. On as many
machines they would take as long as the longest share and the merging.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from problem_corpus import write_corpus
from shared_data import needed

COMMAND = [sys.executable, "-m", "benchwright", "build-release"]


def seconds(folder: Path, out: str, *words: str) -> float:
    """CPU seconds of a build of the corpus in a folder."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [*COMMAND, str(folder / "recipe.yaml"), "-o", str(folder / out), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    needed("math-v")
    count, ranks = (int(word) for word in sys.argv[1:] or ("2000", "4"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_corpus(folder, count)
        alone = seconds(folder, "alone")
        parts = [f"{number}/{ranks}" for number in range(1, ranks + 1)]
        spent = [seconds(folder, "out", "--part", part) for part in parts]
        again = seconds(folder, "out")
        hashes = [
            (folder / out / "corpus-1.0.0" / "SHA256SUMS").read_bytes()
            for out in ("alone", "out")
        ]
    assert hashes[0] == hashes[1]
    share = max(spent[:-1])
    print(f"{count:,} problems, one process: {alone:.1f} CPU s; unchanged {again:.1f}")
    print(f"{ranks} ranks: shares {', '.join(f'{s:.1f}' for s in spent[:-1])}")
    print(f"the last one, share and merging: {spent[-1]:.1f}")
    print(f"on {ranks} machines {alone / max(share, spent[-1]):.2f} times as fast")


if __name__ == "__main__":
    main()
