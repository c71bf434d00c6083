"""`make fuzz`: coverage-guided fuzzing of every reader and parser; finds become cases of the tests.

Each target runs in a process of its own, by atheris, until it has used its share of processor time
(`--minutes` for all together, 60 by default). What was found is written to tests/data/fuzz, which
`pytest tests/endurance` reads again.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", help="all, if none is named")
    parser.add_argument(
        "--minutes", type=float, default=60.0, help="of processor time, in total"
    )
    parser.add_argument("--one", type=float, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        return _fuzz(given.targets[0], given.one)
    from fuzzing import targets

    names = given.targets or sorted(targets())
    share = given.minutes * 60 / len(names)
    failed = 0
    for name in names:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with tempfile.TemporaryFile() as log:
            command = [sys.executable, __file__, name, "--one", str(share)]
            code = subprocess.run(
                command, stdout=log, stderr=log, check=False
            ).returncode
            log.seek(0)
            text = log.read().decode("utf-8", "replace")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        said = [
            line for line in text.splitlines() if line.startswith(("found ", "ran "))
        ]
        print(f"{name}: {spent:.0f} s; {'; '.join(said) or text[-2000:]}", flush=True)
        failed += code != 0
    print(f"{failed} of {len(names)} targets have finds" if failed else "no finds")
    return 1 if failed else 0


def _fuzz(name: str, seconds: float) -> int:
    """One target in this process, until its processor time is used up or something is found."""
    import atheris

    with atheris.instrument_imports(include=["benchwright"]):
        import fuzzing
    count, started = 0, time.process_time()

    def one(data: bytes) -> None:
        nonlocal count
        count += 1
        try:
            fuzzing.run(name, data)
        except BaseException as error:
            path = fuzzing.case_file(name, data)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            print(
                f"found {path.name}: {type(error).__name__}: {str(error)[:300]}",
                flush=True,
            )
            traceback.print_exc()
            _end(1)
        if time.process_time() - started > seconds:
            print(f"ran {count} inputs", flush=True)
            _end(0)

    def _end(code: int) -> None:
        import os

        fuzzing.clean()
        sys.stderr.flush()
        os._exit(code)

    corpus = Path(tempfile.mkdtemp())
    for number, seed in enumerate(fuzzing.seeds(name)):
        (corpus / str(number)).write_bytes(seed)
    words = corpus / "words.dict"
    words.write_text("".join(f'"{_escaped(piece)}"\n' for piece in fuzzing.PIECES))
    folder = corpus / "corpus"
    folder.mkdir()
    for path in [p for p in corpus.iterdir() if p.name.isdigit()]:
        path.rename(folder / path.name)
    limits = [f"-max_len={fuzzing.LONGEST}", "-rss_limit_mb=4096", "-timeout=600"]
    options = [f"-dict={words}", *limits, "-seed=1", "-verbosity=0"]
    atheris.Setup([sys.argv[0], str(folder), *options], one)
    atheris.Fuzz()
    return 0


def _escaped(piece: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in piece)


if __name__ == "__main__":
    raise SystemExit(main())
