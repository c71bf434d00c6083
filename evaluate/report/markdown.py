"""report.md: the sections as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...pages import Cell, ReportTable, Section


def report_markdown(title: str, sections: Sequence[Section]) -> str:
    """The report as one Markdown text."""
    blocks = [f"# {title}"]
    for section in sections:
        blocks.append(f"## {section.title}")
        blocks += section.notes
        for table in section.tables:
            if table.title:
                blocks.append(f"### {table.title}")
            blocks.append(table_markdown(table))
    return "\n\n".join(blocks) + "\n"


def table_markdown(table: ReportTable) -> str:
    """One table."""
    rows = [table.header, ["---"] * len(table.header), *table.rows]
    return "\n".join(
        "| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows
    )


def _cell(value: Any) -> str:
    """Text that cannot leave its cell or become markup.

    >>> _cell("a|b <i>")
    'a\\\\|b &lt;i>'
    """
    text = "" if value is None else str(value)
    if text == "---":
        return text
    plain = re.sub(
        r"([\\`*_|\[\]])", r"\\\1", " ".join(text.replace("<", "&lt;").split())
    )
    return f"**{plain}**" if isinstance(value, Cell) and value.best else plain
