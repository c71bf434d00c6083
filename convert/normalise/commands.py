"""`convert text`: normalise LaTeX and punctuation (JSONL tool)."""

from __future__ import annotations

from typing import Any

from ...base.jsonl_tool import run, text_of
from .normalise import normalise, unbalanced


def text(*, changes: bool = False) -> None:
    r"""Read {"id", "text"} lines; write {"id", "latex"}, with "changes" and "unbalanced" if any.

    Args:
        changes: Write every change beside the text.

    Example:
      echo '{"id": "1", "text": "∠A＝60°, \\frac{1}{2}"}' | benchwright convert text --changes
    """

    def work(record: dict[str, Any]) -> dict[str, Any]:
        result, log = normalise(text_of(record, "text"))
        line: dict[str, Any] = {"latex": result}
        if findings := unbalanced(result):
            line["unbalanced"] = findings
        return line | ({"changes": log} if changes else {})

    run(work)
