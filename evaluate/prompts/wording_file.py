"""A wording file: the words of a paper, or one's own, in place of ours, where a user has them.

```yaml
words: We-Math, table 14                      # whose they are: told in every record
errors: {we-math: {knowledge error: ..., reason error: ..., visual error: ..., hallucination: ...}}
cards: {Area of Circles: ..., ...}            # every concept of We-Math's tree
prompts: {process: ...}                       # of judges: as the files of --prompt-files
```
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import msgspec

from ...base.yaml_lines import Located, read_located
from ...errors import UserError, nearest
from ...taxonomy import error_scheme, first_errors, knowledge_cards


class Words(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a wording file says. `prompts` are checked by the judges, who know their names."""

    words: str
    errors: dict[str, dict[str, str]] = {}  # benchmark -> class -> what it means
    cards: dict[str, str] = {}
    prompts: dict[str, str] = {}


def read_words(path: str | Path) -> Words:
    """The words of a wording file, each item checked against what it stands for.

    Raises UserError with the line for what is missing, foreign, doubled or no text.
    """
    file = read_located(Path(path))
    try:
        words = msgspec.convert(file.data, Words)
    except msgspec.ValidationError as error:
        raise UserError(f"{path}: {error}", "see docs/judging.md, Wording files") from error
    for benchmark, classes in words.errors.items():
        if error_scheme(benchmark) != benchmark:
            raise UserError(f"{file.at('errors', benchmark)}: {benchmark!r} has no classes of its "
                            "own", "write math-v, mathverse, mm-math or we-math")  # fmt: skip
        _same(file, ("errors", benchmark), classes, first_errors(benchmark))
    if words.cards:
        _same(file, ("cards",), words.cards, knowledge_cards())
    return words


def _same(file: Located, keys: Any, given: dict[str, str], wanted: Collection[str]) -> None:
    """Each item that is wanted, and no other, with a text."""
    for name, text in given.items():
        if name not in wanted:
            raise UserError(f"{file.at(*keys, name)}: {name!r} is none of ours",
                            nearest(name, list(wanted)))  # fmt: skip
        if not text.strip():
            raise UserError(f"{file.at(*keys, name)}: {name!r} has no text", "write one")
    if missing := [name for name in wanted if name not in given]:
        raise UserError(f"{file.at(*keys)}: {len(missing)} of {len(wanted)} are missing, the first "
                        f"is {missing[0]!r}", "give them all, or leave the part out")  # fmt: skip
