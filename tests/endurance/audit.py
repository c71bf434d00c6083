"""`make audit`: what bandit says of the code and pip-audit of what it depends on.

A finding that a table of SECURITY.md explains is left out: a row with its code (B314, CVE-...) and,
for bandit, with the file or a folder around it, in backticks. Prints the others and what could not
be looked up; exit 1 where there is any of either. Takes a minute or two; pip-audit asks PyPI.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LEFT_OUT = ("./.venv", "./.cache", "./tests", "./bench", "./docs", "./out", "./build")


def main() -> int:
    argparse.ArgumentParser(description=__doc__).parse_args()
    rows = [
        line
        for line in (ROOT / "SECURITY.md").read_text("utf-8").splitlines()
        if "|" in line
    ]
    wrong = [*of_code(rows), *of_dependencies(rows)]
    print("\n".join(wrong))
    return 1 if wrong else 0


def explained(rows: list[str], code: str, path: str = "") -> bool:
    """Whether a row of a table has the code, and the file or a folder around it.

    >>> explained(["| B314, XML | `annotate/` parses its own |"], "B314", "annotate/kinds/a.py")
    True
    """
    having = [row for row in rows if re.search(rf"\b{re.escape(code)}\b", row)]
    places = [place for row in having for place in re.findall(r"`([\w/.]+)`", row)]
    return bool(having) if not path else any(path.startswith(place) for place in places)


def of_code(rows: list[str]) -> list[str]:
    command = [
        "bandit",
        "--recursive",
        ".",
        "--severity-level",
        "medium",
        "--format",
        "json",
    ]
    found = _said(*command, "--quiet", "--exclude", ",".join(LEFT_OUT))["results"]
    new = []
    for finding in found:
        path = finding["filename"].removeprefix("./")
        if not explained(rows, finding["test_id"], path):
            place = f"{path}:{finding['line_number']}"
            new.append(f"{place}: {finding['test_id']} {finding['issue_text']}")
    print(
        f"bandit: {len(found)} findings at medium and above, {len(found) - len(new)} explained"
    )
    return new


def of_dependencies(rows: list[str]) -> list[str]:
    packages = _said("pip-audit", "--skip-editable", "--format", "json")["dependencies"]
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    found = [(p, finding) for p in packages for finding in p.get("vulns", [])]
    new = []
    for package, finding in found:
        names = [finding["id"], *finding.get("aliases", [])]
        if not any(explained(rows, name) for name in names):
            mended = ", ".join(finding.get("fix_versions", [])) or "no version"
            new.append(
                f"{package['name']} {package['version']}: {names[0]}, mended in {mended}"
            )
    looked_up = len(packages) - len(skipped)
    print(f"pip-audit: {looked_up} packages looked up, {len(found)} advisories")
    if skipped:
        new.append(
            f"{len(skipped)} packages were not looked up: {', '.join(skipped[:5])}, ..."
        )
    return new


def _said(tool: str, *arguments: str) -> dict[str, Any]:
    """What a tool prints as JSON; its exit status only says whether it found something."""
    command = [Path(sys.executable).parent / tool, *arguments]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    try:
        said: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise SystemExit(f"{tool} failed: {done.stderr[-2000:]}") from None
    return said


if __name__ == "__main__":
    raise SystemExit(main())
