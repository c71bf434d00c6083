"""Rows in a layout that nobody told us of: the field that names samples and the one of replies.

A field names samples where most rows have another sample's name in it. Of the fields that hold
prose the longest is the reply; one that holds the question is none, and where another is nearly as
long, or all are as short as a name, nobody guesses. So the batch files of model services are read,
and tables with columns of one's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...problem import Sample
from .file_formats import Row
from .reply_metadata import THOUGHT_FIELDS

MOST = 0.5  # share of rows with another sample's name
LONGER = 2  # times as long as the next text
DEEP = 12  # levels of a row
PROSE = 8  # letters of a text, in the mean
OPENING = 40  # characters of a question by which a prompt is known


class Fields(NamedTuple):
    """Where the rows of a file hold names and replies: `response.body.choices.message.content`."""

    name: str
    reply: str

    def of(self, row: Row) -> Row:
        """The row as ours; what stands deeper in it is reached by its own name, too."""
        leaves = by_path(row)
        flat = {_own_name(path): value for path, value in leaves.items()}
        ours = {"id": leaves.get(self.name), "response": leaves.get(self.reply)}
        return flat | row | ours


def induced(rows: Sequence[Row], samples: Mapping[str, Sample]) -> Fields | None:
    """The fields of `rows`; `samples` are those whose names a text may be. None in any doubt.

    >>> from benchwright.problem import Source
    >>> some = {n: Sample(id=n, problem_id=n, origin=n, source=Source(name="s", raw_id=n),
    ...                   question="2 + 2?", answer="4") for n in ("a7", "a9")}
    >>> induced([{"key": n, "out": {"text": f"{n}: so it is four"}} for n in some], some)
    Fields(name='key', reply='out.text')
    """
    leaves = [by_path(row) for row in rows]
    paths = dict.fromkeys(path for row in leaves for path in row)
    columns: dict[tuple[str, ...], str] = {}  # names, and the first field that has them
    for path in paths:
        names = tuple(str(row.get(path, "")) for row in leaves)
        if _names_samples(names, samples):
            columns.setdefault(names, path)
    if len(columns) != 1:
        return None
    ((names, name_path),) = columns.items()
    answered = [
        (row, samples[name])
        for row, name in zip(leaves, names, strict=True)
        if name in samples
    ]
    letters: dict[str, int] = {}
    for path in paths:
        texts = [(_text(row.get(path)), sample) for row, sample in answered]
        if path != name_path and _may_be_replies(path, texts):
            letters[path] = sum(c.isalpha() for text, _ in texts for c in text)
    ordered = sorted(letters, key=lambda path: -letters[path])
    if not ordered:
        return None
    longest = letters[ordered[0]]
    runner_up = letters[ordered[1]] if len(ordered) > 1 else 0
    if longest < PROSE * len(answered) or longest < LONGER * runner_up:
        return None
    return Fields(name_path, ordered[0])


def _own_name(path: str) -> str:
    return path.rpartition(".")[2]


def _names_samples(names: Sequence[str], samples: Mapping[str, Sample]) -> bool:
    """Do most of these names mean a sample of its own, and are they more than places?"""
    if all(n.isdecimal() and int(n) - k in (0, 1) for k, n in enumerate(names)):
        return False
    matches = [name for name in names if name in samples]
    return len(matches) > MOST * len(names) and len({*matches}) == len(matches)


def _may_be_replies(path: str, texts: Sequence[tuple[str, Sample]]) -> bool:
    """Is it prose that differs from row to row, and neither thoughts nor what the sample holds?"""
    is_prose = any(" " in text or "\n" in text for text, _ in texts)
    if not is_prose or len({text for text, _ in texts}) < 2:
        return False
    if _own_name(path) in THOUGHT_FIELDS:
        return False
    return not any(_is_given(text, sample) for text, sample in texts)


def by_path(row: Row) -> Row:
    """Every text and number of a row by its path: of parts of one text one text, of repeats a list.

    >>> by_path({"id": 1, "out": [{"text": "a"}, {"text": "b"}]})
    {'id': 1, 'out.text': 'a\\nb'}
    """
    return dict(_leaves(row))


def _is_given(text: str, sample: Sample) -> bool:
    """Whether a text is the sample's own: its question, perhaps in a prompt, or its solution."""
    opening = " ".join(sample.question.split())[:OPENING]
    if opening and opening in " ".join(text.split()):
        return True
    return bool(text) and text == sample.solution


def _text(value: Any) -> str:
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if len(path.split(".")) > DEEP:
        return
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _leaves(part, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list) and any(isinstance(part, Mapping) for part in value):
        texts_of: dict[str, list[str]] = {}
        for part in value:
            for inner, text in _leaves(part, path):
                texts_of.setdefault(inner, []).append(str(text))
        for inner, texts in texts_of.items():
            # a text right in a part is a part; deeper, a repeat
            is_part = inner.count(".") == path.count(".") + bool(path)
            yield inner, "\n".join(texts) if is_part or len(texts) == 1 else texts
    elif value is not None and not isinstance(value, bool) and path:
        yield path, value
