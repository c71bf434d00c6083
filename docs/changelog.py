"""The changelog: `python docs/changelog.py 0.3.0 2027-01-31` makes *Unreleased* that version.

What is new lies in `changelog.d/`, a file a change, named by the role that it concerns and a few
words: `evaluate-spelled-numbers.md`. A release joins the files to the lists of their roles.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).parents[1]
FRAGMENTS = ROOT / "changelog.d"
CHANGELOG = ROOT / "CHANGELOG.md"
UNRELEASED = "## [Unreleased]\n"
ITEM = textwrap.TextWrapper(
    118,
    initial_indent="- ",
    subsequent_indent="  ",
    break_long_words=False,
    break_on_hyphens=False,
)

# the roles that the documentation has pages for
ROLES = {
    "build": "For those who build benchmarks",
    "annotate": "For those who label",
    "evaluate": "For those who evaluate models",
    "extend": "For those who extend benchwright",
}


def fragments() -> dict[str, str]:
    """Name of each file of `changelog.d/` -> what it says."""
    paths = sorted(path for path in FRAGMENTS.glob("*.md") if path.name != "README.md")
    return {path.name: path.read_text("utf-8").strip() for path in paths}


def joined(changelog: str, fragments: dict[str, str]) -> str:
    """`changelog` with each fragment at the end of its role's list under *Unreleased*."""
    before, _, rest = changelog.partition(UNRELEASED)
    section, mark, released = rest.partition("\n## [")
    lists = dict.fromkeys(ROLES.values(), "")
    for block in section.split("### ")[1:]:
        title, _, items = block.partition("\n")
        lists[title] = items.strip()
    for name, text in fragments.items():
        lists[ROLES[name.split("-")[0]]] += "\n" + ITEM.fill(text)
    shown = [
        f"\n### {title}\n{items.strip()}\n" for title, items in lists.items() if items
    ]
    return before + UNRELEASED + "".join(shown) + mark + released


def main(version: str, date: str) -> None:
    text = joined(CHANGELOG.read_text("utf-8"), fragments())
    text = text.replace(UNRELEASED, f"{UNRELEASED}\n## [{version}] - {date}\n")
    CHANGELOG.write_text(text, "utf-8", newline="\n")
    for name in fragments():
        (FRAGMENTS / name).unlink()


if __name__ == "__main__":
    main(*sys.argv[1:])
