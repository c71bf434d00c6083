"""`make bench`: run the benchmarks named on the line, or all; each prints a table of ratios.

Every benchmark is a file in this folder that runs by itself, and in a process of its own, so that
none measures another's memory. Those that need real data or peers say so and are skipped without.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
APART = ("run", "fit_replies")  # `make fit` runs the latter, which may write


def main() -> None:
    failed = []
    for name in sys.argv[1:] or benchmarks():
        path = HERE / f"{name}.py"
        title = (
            ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        ).splitlines()[0]
        print(f"\n== {name}: {title}", flush=True)
        if subprocess.run([sys.executable, str(path)], check=False).returncode:
            failed.append(name)
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}")


def benchmarks() -> list[str]:
    """The files with a `main()`: the others are helpers."""
    return sorted(
        path.stem
        for path in HERE.glob("*.py")
        if path.stem not in APART and "\ndef main(" in path.read_text("utf-8")
    )


if __name__ == "__main__":
    main()
