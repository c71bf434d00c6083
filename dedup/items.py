"""What duplicates are looked for among: questions with options, answer and pictures.

Read from our own problems.jsonl, or from any JSONL with at least `id` and `question`.
"""

from __future__ import annotations

import atexit
import gzip
import hashlib
import re
import shutil
import tempfile
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from ..base.files import encode, inside, path_or_none, read_bytes
from ..base.pictures import embedded, folder_holding
from ..base.stores import brought
from ..base.terminal import say
from ..errors import UserError, nearest
from ..options import options_in_question, read_options
from ..problem import Problem
from ..tables import parquet_rows
from .formula_tokens import formulas_of, language_of
from .keys import (
    bare_key,
    masked_word,
    number_words,
    quantities,
    text_key,
    word_grams,
    words_of,
)

TESTED = "test"  # the split of a data set on a hub whose problems are sought
LONGEST = 100_000  # characters: longer questions are compared as wholes only
TEXTS = (
    "question",
    "problem",
    "text",
    "prompt",
    "query",
    "instruction",
    "content",
    "input",
)
PICTURES = ("images", "image", "decoded_image", "picture")
MADE = 0.35  # share of a question from which it is made of formulas
_BRACES = str.maketrans("{}", "  ")
_capitalised = re.compile(r"[A-Z](?<![\\A-Za-z].)[a-z]+")


# What the question of options must have to hold some: their first three labels.
# What the question of options must have to hold some: their first three labels, at a word's
# beginning, each with a bracket, point or colon behind it.
_labelled = [
    re.compile(rf"(?<![^\s$}}(（.,;]){label}\s?[.)、:：．）]") for label in "CAB"
]


class Item(msgspec.Struct, kw_only=True, dict=True):
    """One question as it is compared; `pictures` are files, `details` counts what it holds.

    What is read of it (READ) is read once, when it is asked for, or comes from a `ItemStore`.
    """

    id: str
    question: str
    options: list[tuple[str, str]] = []  # label, text
    answer: str = ""
    pictures: list[str] = []
    language: str = ""
    details: int = 0
    parts: str = ""  # parts, steps and versions: an exact duplicate has the same
    # characters before and behind that are an instruction of the whole set
    common: tuple[int, int] = (0, 0)

    @property
    def own(self) -> str:
        """The question without what many of the set begin or end with."""
        front, back = self.common
        return self.question[front : len(self.question) - back]

    @property
    def instruction(self) -> tuple[str, str]:
        """What many of the set begin and end with."""
        front, back = self.common
        return self.question[:front], self.question[len(self.question) - back :]

    @cached_property
    def parted(self) -> tuple[str, list[tuple[str, str]]]:
        """The question without the options that stand in it, and the options, there or beside."""
        text = self.own
        if self.options or len(text) > LONGEST:
            return text, self.options
        if "C" not in text or not all(pattern.search(text) for pattern in _labelled):
            return text, []
        stem, choices = options_in_question(text)
        return stem, [(option.label, option.text) for option in choices.options]

    @cached_property
    def key(self) -> str:
        """The comparison key of the question without options; a very long one is its own."""
        return text_key(self.parted[0]) if len(self.question) <= LONGEST else self.own

    @cached_property
    def bare(self) -> str:
        """The key without case and marks over letters."""
        return bare_key(self.key)

    @cached_property
    def words(self) -> list[str]:
        """The words of the bare key."""
        return words_of(self.bare)

    @cached_property
    def grams(self) -> frozenset[tuple[str, ...]]:
        """Its word 3-grams."""
        return word_grams(self.words)

    @cached_property
    def numbers(self) -> tuple[list[str], list[str]]:
        """The numbers of the key in order, and those that are written as words."""
        return quantities(self.key), number_words(self.key)

    @cached_property
    def general(self) -> str:
        """What the key is with # for numbers and @ for every word that the question capitalises,
        as a hash; "" if nothing else is left."""
        names = dict.fromkeys(map(str.lower, _capitalised.findall(self.question)), "@")
        words = [masked_word(word) for word in self.key.split()]
        text = " ".join(map(names.get, words, words))
        data = text.encode("utf-8", "surrogatepass")
        return (
            hashlib.blake2b(data, digest_size=16).hexdigest()
            if text.strip(" #@")
            else ""
        )

    @cached_property
    def spoken(self) -> str:
        """The language, as declared or as letters tell."""
        return language_of(self.parted[0][:LONGEST], self.language)

    @cached_property
    def formulas(self) -> tuple[int, list[str]]:
        """Of a question made of formulas how many signs these have, and what follows what in
        them and in those of its options."""
        stem, options = self.parted
        parts = [] if self.pictures else _parts_of(formulas_of(stem, MADE))
        signs = sum(not part.isalpha() for part in parts)
        in_options = list[str]()
        if parts:
            for _, text in options:
                in_options += formulas_of(text)
        sequence = [*parts, "|", *_parts_of(in_options)]
        return signs, [*map(" ".join, pairwise(sequence))]

    @cached_property
    def letters(self) -> list[str]:
        """The letters of an answer that names options; none for a value.

        >>> Item(id="1", question="", options=[("A", "7"), ("B", "8")], answer="A, B").letters
        ['A', 'B']
        """
        labels = {label.strip().upper() for label, _ in self.parted[1]}
        if not labels:
            return []
        answer = self.answer.strip().strip("().$").upper()
        if answer in labels:
            return [answer]
        letters = [sign for sign in answer if not sign.isspace() and sign not in ",;"]
        names_options = len(answer) <= 2 * len(labels) and labels.issuperset(letters)
        return letters if names_options else []

    @cached_property
    def value(self) -> str:
        """What the answer says: letters are read through their options. "" if nothing is said.

        An option that only repeats its letter (it stands in the picture) says nothing.

        >>> Item(id="1", question="", options=[("A", "7"), ("B", "8")], answer="(B)").value
        '8'
        >>> Item(id="1", question="", options=[("A", "A"), ("B", "B")], answer="B").value
        ''
        """
        if not self.letters:
            return self.answer.strip()
        texts = {label.strip().upper(): text.strip() for label, text in self.parted[1]}
        chosen = [texts[letter] for letter in self.letters]
        if not all(map(_says, self.letters, chosen)):
            return ""
        return "; ".join(sorted(chosen))

    @cached_property
    def choices(self) -> list[str]:
        """The texts of the options that say more than their letter."""
        return [text.strip() for label, text in self.parted[1] if _says(label, text)]

    @cached_property
    def digests(self) -> list[str]:
        """Hashes of the files of its pictures."""
        return [_file_hash(path) for path in self.pictures]

    def content_hash(self) -> str:
        """Changes when question, options, answer or pictures change: makes old decisions stale."""
        return self._hash

    @cached_property
    def _hash(self) -> str:
        content: list[Any] = [self.question, self.options, self.answer]
        if self.pictures:
            content.append(self.digests)
        try:
            data = encode(content)
        except UnicodeEncodeError:
            data = encode(printable(content))
        return hashlib.sha256(data).hexdigest()[:16]


def _says(label: str, text: str) -> bool:
    return text.strip().strip("().").upper() not in ("", label.strip().upper())


def _parts_of(formulas: list[str]) -> list[str]:
    """Points are alike whatever their name."""
    parts = " | ".join(formulas).translate(_BRACES).split()
    return ["A" if part.isupper() else part for part in parts]


def _file_hash(path: str) -> str:
    try:
        return hashlib.sha256(read_bytes(Path(path))).hexdigest()
    except OSError:
        return ""


def item_of(problem: Problem, images: Path) -> Item:
    """A problem as an item; its picture paths are relative to `images`."""
    pictures = list(problem.images)
    pictures += [o.image for o in problem.options if o.image is not None]
    paths = [str(inside(images, picture.path)) for picture in pictures]
    fields = [
        problem.answer,
        problem.solution,
        problem.labels,
        problem.options,
        problem.steps,
    ]
    return Item(
        id=problem.id,
        question=problem.question,
        options=[(option.label, option.text) for option in problem.options],
        answer=problem.answer,
        pictures=paths + _lost(problem, images),
        language=problem.language,
        details=sum(map(bool, fields)) + len(problem.images),
        parts=_parts(problem),
    )


def _parts(problem: Problem) -> str:
    """What is asked beside the question itself, as one text."""
    steps = [(step.question, step.options, step.answer) for step in problem.steps]
    versions = [(s.version, s.question, s.options, s.answer) for s in problem.samples]
    parts = [steps, versions, problem.parts]
    return encode(parts).decode() if any(parts) else ""


def _lost(problem: Problem, images: Path) -> list[str]:
    """A path without file for each picture that was not read whole: nobody knows what it showed."""
    notes = ("missing-picture: ", "broken-picture: ", "moving-picture: ")
    lost = [note for note in problem.notes if note.startswith(notes)]
    folder = images / f"{problem.source.name}.lost"
    return [str(folder / f"{problem.id}-{k}") for k in range(len(lost))]


def rows_of(path: Path) -> Iterator[tuple[int, Any]]:
    """Line or row number, from 1, and the row; an exception in place of a damaged one.

    Raises UserError for a file that cannot be read at all.
    """
    if path.suffix == ".parquet":
        yield from parquet_rows(path)
        return
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    if line := line.removeprefix(BOM_UTF8).strip():
                        yield number, msgspec.json.decode(line)
                except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                    yield number, error
    except (OSError, EOFError) as error:
        raise UserError(f"cannot read {path}: {error}", "give a whole file") from error


def read_items(
    path: Path, images: Path | None = None, field: str | None = None
) -> tuple[list[Item], list[str]]:
    """Items of a JSONL (or .gz) or Parquet file, and what could not be read: "file:line: cause".

    Takes problems.jsonl, a release's jsonl/<split>.jsonl, and plain rows such as MATH-V's:
    `question` (or the text in `field`, see `text_of`); optional `id`, `options` (texts,
    {"label", "text"} or {label: text}), `answer`, `language`, `image` or `images` (paths relative
    to `images`, default the nearest folder from the file upwards that holds the first one, or
    {"bytes"}). Raises UserError when no row is readable or an id occurs twice.
    """
    folder = images
    items: list[Item] = []
    bad: list[str] = []
    index: dict[str, int] = {}
    for number, row in rows_of(path):
        try:
            if isinstance(row, Exception):
                raise row
            if folder is None:
                folder = _folder_of_pictures(path, row)
            item = _item(row, folder or path.parent, number, field)
        except (msgspec.MsgspecError, ValueError, RecursionError, UserError) as error:
            bad.append(f"{path}:{number}: {error}")
            continue
        if item.id in index:
            raise UserError(
                f"{path}:{number}: id {item.id!r} occurs in line {index[item.id]} too",
                "make ids unique",
            )
        index[item.id] = number
        items.append(item)
    if not items:
        raise UserError(
            f"{path} holds no readable question", bad[0] if bad else "it is empty"
        )
    return items, bad


def items_of(
    problems: str | Path | Iterable[Item],
    images: str | Path | None = None,
    field: str | None = None,
) -> tuple[list[Item], list[str]]:
    """As `read_items`, of a release those of all its splits; given items are taken as they are.

    What lies in a store comes here first. Of a data set `hub:owner/name@commit` the split `test` is
    read. Raises UserError for a folder that is no release.
    """
    if not isinstance(problems, str | Path):
        return list(problems), []
    from ..evaluate.predictions import hub_files, is_of_hub

    path = Path(problems) if is_of_hub(problems) else brought(problems)
    if is_of_hub(problems):
        files = hub_files(path, TESTED)
    elif path.is_dir():
        files = sorted((path / "problems").glob("*.jsonl"))
    else:
        return read_items(path, path_or_none(images), field)
    if not files:
        raise UserError(
            f"{path} is no release: it has no problems/*.jsonl", "give a release"
        )
    items, unreadable = list[Item](), list[str]()
    for file in files:
        some, bad = read_items(file, path_or_none(images) or file.parent.parent, field)
        items += some
        unreadable += bad
    return items, unreadable


def known_items(
    problems: str | Path | Iterable[Item], images: str | Path | None = None
) -> dict[str, Item]:
    """Items by id; what could not be read is told."""
    items, unreadable = items_of(problems, images)
    report_unreadable(unreadable)
    return {item.id: item for item in items}


def report_unreadable(lines: list[str]) -> None:
    """Name the first lines that could not be read."""
    for line in lines[:10]:
        say(f"unreadable: {line}")
    if len(lines) > 10:
        say(f"... and {len(lines) - 10} more unreadable lines")


def _item(row: Any, images: Path, number: int, field: str | None) -> Item:
    question = text_of(row, field)
    paths = [_picture(picture, images) for picture in _pictures_of(row)]
    options = read_options(row.get("options")).options
    answer, name = row.get("answer"), row.get("id")
    fields = ("answer", "solution", "labels", "options", "steps", "subject", "level")
    return Item(
        id=str(number if name is None else name),
        question=question,
        options=[(option.label, option.text) for option in options],
        answer="" if answer is None else str(answer),
        pictures=paths,
        language=str(row.get("language") or ""),
        details=sum(bool(row.get(field)) for field in fields) + len(paths),
    )


def _pictures_of(row: Any) -> list[Any]:
    """The pictures of a row, by path or with their bytes."""
    pictures: Any = next((row[name] for name in PICTURES if row.get(name)), [])
    return pictures if isinstance(pictures, list) else [pictures]


def _folder_of_pictures(path: Path, row: Any) -> Path | None:
    """Where the pictures of a file lie, once a row names one: looked for once for the file."""
    if not isinstance(row, dict):
        return None
    for picture in _pictures_of(row):
        name, data = embedded(picture)
        if data is None:
            return folder_holding(path, name) or path.parent
    return None


def text_of(row: Any, field: str | None = None) -> str:
    """The question of a row: its `field`, or the first of TEXTS that holds a text.

    Raises ValueError where there is none.

    >>> text_of({"id": 1, "problem": "Find x."})
    'Find x.'
    """
    if not isinstance(row, dict):
        raise ValueError("no object")
    for name in (field,) if field else TEXTS:
        if isinstance(row.get(name), str):
            return str(row[name])
    if field:
        raise ValueError(f"no text in {field!r}; {nearest(field, list(row))}")
    texts = [name for name, value in row.items() if isinstance(value, str)]
    raise ValueError(
        f"no object with a text `question`; name a field: {', '.join(texts) or '-'}"
    )


def _picture(value: Any, images: Path) -> str:
    """A file below `images`, or one with the bytes that are given, which goes with the process."""
    name, data = embedded(value)
    if data is None:
        return str(inside(images, name))
    path = _folder() / hashlib.sha256(data).hexdigest()
    if not path.exists():
        path.write_bytes(data)
    return str(path)


@cache
def _folder() -> Path:
    folder = tempfile.mkdtemp(prefix="benchwright-pictures-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def keeper(earlier: Item, later: Item) -> tuple[Item, str]:
    """Which of two duplicates is kept, and why: the more complete one, then the earlier one."""
    if earlier.details != later.details:
        return max(earlier, later, key=lambda item: item.details), "more complete"
    return earlier, "earlier source"


def printable(value: Any) -> Any:
    """Lone surrogates cannot be written as UTF-8: show them as escapes."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, list | tuple):
        return [printable(part) for part in value]
    return value
