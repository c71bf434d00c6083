"""Documents are written in sentences of at most forty words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("changelog.d/*.md")]
    + [
        path
        for folder in ("docs", "examples")
        for path in (ROOT / folder).rglob("*.md")
    ]
)
MOST = 40
APART = re.compile(
    r"^```.*?^```$"  # code and consoles
    r"|^\|[^\n]*$"  # rows of tables
    r"|^#+ [^\n]*$"  # headings
    r"|^\[[^\]\n]*\]: \S+$"  # addresses of links
    r"|<!--.*?-->",
    re.MULTILINE | re.DOTALL,
)
ITEM = re.compile(
    r"^ *(?:[-*]|\d+\.) ", re.MULTILINE
)  # each item of a list is a text of its own
ENDS = re.compile(r"(?<=[.!?])[)*”\"]*\s+(?=[^a-z\s])")


def sentences(text: str) -> Iterator[str]:
    """The sentences of a page's prose; `code`, a formula and a link's address are no words."""
    prose = ITEM.sub("\n\n", APART.sub("\n\n", text))
    prose = re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]+`", "Code", prose))
    for block in re.split(r"\n\s*\n", prose):
        yield from ENDS.split(block.strip())


def words(sentence: str) -> int:
    return len(re.findall(r"\w[^\s]*", sentence))


def test_no_sentence_is_longer_than_forty_words() -> None:
    long = [
        f"{page.relative_to(ROOT)}: {sentence}"
        for page in PAGES
        for sentence in sentences(page.read_text("utf-8"))
        if words(sentence) > MOST
    ]
    assert long == []


def test_a_long_sentence_is_noticed() -> None:
    long = " ".join(["Word"] * (MOST + 1))
    table, code = f"| {long} |", f"```\n{long}\n```"
    page = f"# Title\n\nShort. {long}\n\n{table}\n\n{code}\n\n- one\n- {long}\n\nA `{long}` b."
    assert [count for count in map(words, sentences(page)) if count] == [
        1,
        MOST + 1,
        1,
        MOST + 1,
        3,
    ]
