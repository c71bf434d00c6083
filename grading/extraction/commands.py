"""`benchwright extract`: replies in, letters out, in order."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec

from ...base.jsonl_tool import run, text_of
from .extract import extract as letter_of
from .extract import read_options


def extract(*, explain: bool = False) -> None:
    """Find the option letter in free replies (JSON lines on stdin and stdout).

    Reads {"id", "response", "options"}, options as texts (empty: only a letter) or as {"label",
    "text"}; writes {"id", "letter", "rule"}, and "letters" where a reply chooses several ("letter"
    is null then). An unreadable line gives {"id", "error"}, and exit
    status 1.

    Args:
        explain: Add "candidates", the best of a reply, with what speaks for and against each.

    Example:
      $ echo '{"id": 1, "response": "So it is (B).", "options": ["3", "4"]}' | benchwright extract
      {"id":1,"letter":"B","rule":"conclusion"}
    """
    run(partial(_extracted, explain=explain))


def _extracted(record: dict[str, Any], explain: bool = False) -> dict[str, Any]:
    options = read_options(record.get("options"))
    letter = letter_of(text_of(record, "response"), options)
    answer: dict[str, Any] = {"letter": letter.letter, "rule": letter.rule}
    if len(letter.letters) > 1:
        answer["letters"] = letter.letters
    if explain:
        answer["candidates"] = msgspec.to_builtins(letter.candidates)
    return answer
