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

MOST, LONGER, DEEP = 0.5, 2, 12  # share of rows; times as long as the next text; levels
PROSE = 8  # letters of a text, in the mean
OPENING = 40  # characters of a question by which a prompt is known


class Fields(NamedTuple):
    """Where the rows of a file hold names and replies: `response.body.choices.message.content`."""

    name: str
    reply: str

    def of(self, row: Row) -> Row:
        """The row as ours; what stands deeper in it is reached by its own name, too."""
        leaves = by_path(row)
        flat = {path.rpartition(".")[2]: value for path, value in leaves.items()}
        return (
            flat
            | row
            | {"id": leaves.get(self.name), "response": leaves.get(self.reply)}
        )


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
    named: dict[tuple[str, ...], str] = {}
    for path in paths:
        names = tuple(str(row.get(path, "")) for row in leaves)
        ours = [name for name in names if name in samples]
        places = all(
            n.isdecimal() and int(n) - k in (0, 1) for k, n in enumerate(names)
        )
        if len(ours) > MOST * len(rows) and len({*ours}) == len(ours) and not places:
            named.setdefault(names, path)
    if len(named) != 1:
        return None
    ((names, name),) = named.items()
    known = [
        (row, samples[n]) for row, n in zip(leaves, names, strict=True) if n in samples
    ]
    long = dict[str, int]()
    for path in paths:
        texts = [_text(row.get(path)) for row, _ in known]
        given = any(
            _is_given(text, s) for text, (_, s) in zip(texts, known, strict=True)
        )
        is_prose = (
            any(" " in text or "\n" in text for text in texts) and len({*texts}) > 1
        )
        if (
            path != name
            and path.rpartition(".")[2] not in THOUGHT_FIELDS
            and is_prose
            and not given
        ):
            long[path] = sum(c.isalpha() for text in texts for c in text)
    first, *others = sorted(long.items(), key=lambda item: -item[1]) or [("", 0)]
    if first[1] < PROSE * len(known) or (others and first[1] < LONGER * others[0][1]):
        return None
    return Fields(name, first[0])


def by_path(row: Row) -> Row:
    """Every text and number of a row by its path: of parts of one text one text, of repeats a list.

    >>> by_path({"id": 1, "out": [{"text": "a"}, {"text": "b"}]})
    {'id': 1, 'out.text': 'a\\nb'}
    """
    return dict(_leaves(row))


def _is_given(text: str, sample: Sample) -> bool:
    """Whether a text is the sample's own: its question, perhaps in a prompt, or its solution."""
    opening = " ".join(sample.question.split())[:OPENING]
    held = bool(opening) and opening in " ".join(text.split())
    return held or (bool(text) and text == sample.solution)


def _text(value: Any) -> str:
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if len(path.split(".")) > DEEP:
        return
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _leaves(part, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list) and any(isinstance(part, Mapping) for part in value):
        found: dict[str, list[str]] = {}
        for part in value:
            for inner, text in _leaves(part, path):
                found.setdefault(inner, []).append(str(text))
        for (
            inner,
            texts,
        ) in found.items():  # a text right in a part is a part; deeper, a repeat
            is_part = inner.count(".") == path.count(".") + bool(path)
            yield inner, "\n".join(texts) if is_part or len(texts) == 1 else texts
    elif value is not None and not isinstance(value, bool) and path:
        yield path, value
