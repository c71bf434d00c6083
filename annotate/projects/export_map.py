"""What an export of somebody else's project could give: whose problems, and which field of votes.

The problems say which data name them; labels say which tree they are from. All else is a proposal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from ...base.about import about
from ...errors import UserError
from ...problem import Problem
from ...taxonomy import BUILT_IN, load_tree
from .read_exports import OF_SERVER, Answer

REMARKS = "remarks"  # as a field: what people wrote, which is no vote
# Label Studio's own name before that of a file that was uploaded: fde6c3c6-Image_10.jpg
UPLOADED = re.compile(r"[0-9a-f]{8}-")
# A file's ending, of an address or a path.
FILE = re.compile(r"\.[A-Za-z0-9]{2,5}$")
NO_WORD = re.compile(r"\W+")
# Types of results that say something of a whole task, and no region of it.
OF_A_TASK = ("choices", "taxonomy", "rating", "number", "textarea")
# What data of our own tasks hold beside texts and addresses.
OF_TASKS = ("about", "characters", "shown", "prefilled")
LONG = 40  # characters, from which on an answer is a text and no label


class Proposed(msgspec.Struct, kw_only=True):
    """A control of an export: how often it was answered, and the field that it could give."""

    control: str
    answers: int
    values: dict[str, int]  # the most frequent first
    field: str = ""  # "" for none
    why: str = ""


def named_by(
    answers: list[Answer],
    known: Mapping[str, Problem],
    names: Mapping[str, str],
    file: Path,
) -> tuple[str, dict[str, str]]:
    """The data of tasks that name the problems, and the id of the problem by what stands there.

    Ids count before other `names` (see `names_of`). Raises UserError where nothing names any.
    """
    found: dict[str, dict[str, str]] = {}
    for answer in answers:
        for key, value in answer.data.items():
            if not isinstance(value, str | int):
                continue
            text = str(value)
            # the server's own numbers look like ids of sources, too
            spellings = [text] if key in OF_SERVER else list(_spellings(text))
            for spelling in spellings:
                problem = text if text in known else names.get(spelling, "")
                if problem and (key not in OF_SERVER or text in known):
                    found.setdefault(key, {}).setdefault(text, problem)
    if not found:
        raise UserError(
            f"{file}: nothing names the problems: no id, id of the source, text or picture",
            "give the problems that were shown",
        )
    hits = {key: len(set(by_text.values())) for key, by_text in found.items()}
    best = max(hits, key=lambda key: hits[key])
    return best, found[best]


def names_of(problems: Iterable[Problem]) -> dict[str, str]:
    """What problems are called elsewhere, as far as it is one problem's alone.

    That is the id in its source, its text, the file of its picture, and the hash of what is shown.
    """
    owners: dict[str, set[str]] = {}
    for problem in problems:
        texts = [problem.source.raw_id, _words(problem.question), about(problem)]
        texts += [PurePosixPath(image.path).stem for image in problem.images]
        for text in texts:
            owners.setdefault(text, set()).add(problem.id)
    return {text: min(ids) for text, ids in owners.items() if text and len(ids) == 1}


def _words(text: str) -> str:
    return " ".join(text.split())


def _spellings(text: str) -> Iterator[str]:
    """A value of a task's data as problems may be called: a text, or the name of a file."""
    yield text
    yield _words(text)
    if FILE.search(text):
        stem = PurePosixPath(text).stem
        yield stem
        yield UPLOADED.sub("", stem, count=1)


def proposals(
    answers: list[Answer], key: str, names: Mapping[str, str]
) -> list[Proposed]:
    """Each control with the field that it could give; no two give one field."""
    counts: dict[str, Counter[str]] = {}
    given: Counter[str] = Counter()
    types: dict[str, str] = {}
    for answer in answers:
        types |= answer.types
        for control, values in answer.values.items():
            if answer.flat and (control == key or control in OF_SERVER):
                continue
            counts.setdefault(control, Counter()).update(map(str, values))
            given[control] += 1
    controls = []
    taken: set[str] = set()
    shown = _shown(answers, counts, names)
    for control, counted in counts.items():
        field, why = _field(control, counted, types.get(control, ""))
        if control in shown:
            field, why = "", "what was shown"
        elif control not in types and not why and len(counted) == 1 < given[control]:
            field, why = "", "one value: what was shown?"
        if field not in ("", REMARKS) and field in taken:
            field = _plain(control)
        taken.add(field)
        row = Proposed(
            control=control, answers=given[control], values=dict(counted.most_common())
        )
        row.field, row.why = field, why
        controls.append(row)
    return controls


def _shown(
    answers: list[Answer], columns: Iterable[str], names: Mapping[str, str]
) -> set[str]:
    """Columns of a flat table that hold what was shown, not what was answered.

    JSON_MIN has them before the server's number of the task; CSV sorts its columns. There it is
    what names a problem, an address or markup, and what our own tasks carry.
    """
    rows = [answer.data for answer in answers if answer.flat]
    if not rows:
        return set()
    order = list(rows[0])
    if order != sorted(order) and "id" in order and order.index("id") > 0:
        return set(order[: order.index("id")])
    shown = set(OF_TASKS) if "note_html" in order else set()
    for column in columns:
        texts = [str(row.get(column) or "") for row in rows]
        if all(_is_shown(text, names) for text in texts):
            shown.add(column)
    return shown


def _is_shown(text: str, names: Mapping[str, str]) -> bool:
    is_address = "/" in text and bool(FILE.search(text) or text.startswith("/data/"))
    return is_address or text.startswith("<") or _words(text) in names


def _field(control: str, values: Counter[str], kind: str) -> tuple[str, str]:
    """The field that a control could give, "" for none, and why."""
    if kind and kind not in OF_A_TASK:
        return "", f"{kind}: push and pull mark regions"
    if kind == "textarea":
        return REMARKS, "texts"
    for name in BUILT_IN:
        tree = load_tree(name)
        if all(tree.has(value) and _is_label(tree, value) for value in values):
            return tree.field, f"labels of {name}"
    if any(len(value) > LONG for value in values) and len(values) > 1:
        return REMARKS, "texts"
    return _plain(control), ""


def _is_label(tree: Any, value: str) -> bool:
    """Whether a value is a leaf's label, as the tree spells it."""
    node = tree.find(value)
    return not node.children and value in (node.name, tree.label(node))


def _plain(control: str) -> str:
    """A control's name as a field.

    >>> _plain("Topic (main)")
    'topic_main'
    """
    return NO_WORD.sub("_", control).strip("_").casefold() or "label"
