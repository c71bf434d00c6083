"""Rows in a layout that nobody told us of: the field that names samples and the one of replies.

A field names samples where most rows have another sample's name in it, and nothing that they hold
tells otherwise (`by_content.py`). Of the fields that hold prose the longest is the reply; one that
holds the question is none, and where another is nearly as long, nobody guesses. So the batch files
of model services are read, logs of harnesses, and tables with columns of one's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...problem import Sample
from .by_content import FEWEST, Content, Naming, is_borne_out, naming_of
from .file_formats import Row
from .match import RESPONSE_FIELDS
from .reply_metadata import THOUGHT_FIELDS

MOST = 0.5  # share of rows with another sample's name
LONGER = 2  # times as long as the next text
DEEP = 12  # levels of a row
PROSE = 8  # letters of a text, in the mean
GIVEN = 0.5  # share of texts that begin a question, more of which are prompts
OPENING = 40  # characters of a question by which a prompt is known


class Fields(NamedTuple):
    """Where the rows of a file hold names and replies: `response.body.choices.message.content`.

    Where no field names samples, `naming` says how what rows hold tells them.
    """

    name: str
    reply: str
    naming: Naming | None = None

    def of(self, row: Row, order: int, content: Content) -> Row:
        """The row as ours; what stands deeper in it is reached by its own name, too."""
        leaves = by_path(row)
        flat = {_own_name(path): value for path, value in leaves.items()}
        name = leaves.get(self.name)
        if self.naming is not None:
            place = self.naming.place(content, leaves, order)
            name = f"row {order + 1}" if place is None else content.samples[place].id
        plain = {key: part for key, part in row.items() if not isinstance(part, dict)}
        return flat | plain | {"id": name, "response": leaves.get(self.reply)}

    def words(self) -> str:
        named = f"samples are named in {self.name}"
        told = named if self.naming is None else self.naming.words()
        return f"{told}, replies stand in {self.reply}"


def induced(rows: Sequence[Row], content: Content) -> Fields | None:
    """The fields of `rows`, whose samples are those of `content`. None in any doubt.

    >>> from benchwright.problem import Source
    >>> some = [Sample(id=n, problem_id=n, origin=n, source=Source(name="s", raw_id=n),
    ...                question="2 + 2?", answer="4") for n in ("a7", "a9")]
    >>> rows = [{"key": s.id, "out": {"text": f"{s.id}: so it is four"}} for s in some]
    >>> induced(rows, Content(some))[:2]
    ('key', 'out.text')
    """
    leaves = [by_path(row) for row in rows]
    kinds: dict[frozenset[str], list[Row]] = {}
    for row in leaves:
        kinds.setdefault(frozenset(row), []).append(row)
    # a log of events holds rows of several kinds, of which one has the replies
    alike = sorted(kinds.values(), key=len, reverse=True)
    for some in (leaves, *(kind for kind in alike if len(kind) >= FEWEST)):
        if fields := _fields(some, content):
            return fields
    return None


def _fields(leaves: Sequence[Row], content: Content) -> Fields | None:
    paths = dict.fromkeys(path for row in leaves for path in row)
    by_name = {
        name: sample
        for sample in content.samples
        for name in (sample.source.raw_id, sample.id)
    }
    columns: dict[tuple[str, ...], str] = {}  # names, and the first field that has them
    for path in paths:
        names = tuple(str(row.get(path, "")) for row in leaves)
        if _names_samples(names, by_name):
            columns.setdefault(names, path)
    naming, name_path = naming_of(leaves, content), ""
    samples: list[Sample | None] = []
    if len(columns) == 1:
        ((names, name_path),) = columns.items()
        samples = [by_name.get(name) for name in names]
        ids = [None if sample is None else sample.id for sample in samples]
        if naming is not None and is_borne_out(leaves, ids, content):
            naming = None
    if naming is not None:
        name_path = ""
        places = [naming.place(content, row, k) for k, row in enumerate(leaves)]
        samples = [None if k is None else content.samples[k] for k in places]
    if not samples:
        return None
    answered = [
        (row, sample)
        for row, sample in zip(leaves, samples, strict=True)
        if sample is not None
    ]
    reply = _reply_path([path for path in paths if path != name_path], answered)
    return Fields(name_path, reply, naming) if reply else None


def _reply_path(
    paths: Sequence[str], answered: Sequence[tuple[Row, Sample]]
) -> str | None:
    """The path of the longest prose that is not given; what stands twice is one text."""
    letters: dict[str, int] = {}
    seen: set[tuple[str, ...]] = set()
    for path in paths:
        texts = [(_text(row.get(path)), sample) for row, sample in answered]
        column = tuple(text for text, _ in texts)
        if column not in seen and _may_be_replies(path, texts):
            letters[path] = sum(c.isalpha() for text in column for c in text)
        seen.add(column)
    ordered = sorted(letters, key=lambda path: -letters[path])
    if ordered:
        longest = letters[ordered[0]]
        runner_up = letters[ordered[1]] if len(ordered) > 1 else 0
        if longest >= max(PROSE * len(answered), LONGER * runner_up):
            return ordered[0]
    return next((name for name in RESPONSE_FIELDS if name in paths), None)


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
    # a reply may say the question once more
    given = sum(_is_given(text, sample) for text, sample in texts)
    return given <= GIVEN * len(texts)


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
